// See names.h.
#include "identify/names.h"

#include <string.h>

// Sorted by code, as strcmp does.
static const struct {
    const char *code, *name;
} names[] = {
    {"xp2_7", "blinker"},
    {"xq4_153", "glider"},
    {"xs4_33", "block"},
};

const char *lc_object_name(const char *code)
{
    size_t low = 0, high = sizeof names / sizeof *names;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(names[middle].code, code);
        if (order == 0)
            return names[middle].name;
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return "";
}
