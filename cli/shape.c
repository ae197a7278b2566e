// See shape.h.
#include "shape.h"

#include <stddef.h>
#include <string.h>

bool lc_cli_topology_word(const char *text, lc_topology_kind *kind)
{
    static const struct {
        const char *word;
        lc_topology_kind kind;
    } words[] = {
        {"torus", LC_TOPOLOGY_TORUS},        {"plane", LC_TOPOLOGY_PLANE},
        {"klein", LC_TOPOLOGY_KLEIN_BOTTLE}, {"cross", LC_TOPOLOGY_CROSS_SURFACE},
        {"sphere", LC_TOPOLOGY_SPHERE},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].word, text) == 0) {
            *kind = words[i].kind;
            return true;
        }
    }
    return false;
}

lc_topology lc_cli_sized_topology(lc_topology_kind kind, int64_t width_cells, int64_t height_cells)
{
    return (lc_topology){
        .kind = kind,
        .width_cells = width_cells,
        .height_cells = height_cells,
        .twist_x = kind == LC_TOPOLOGY_KLEIN_BOTTLE,
    };
}
