// The list of callers.
#include "callers.h"

#include <string.h>

void lc_callers_create(lc_callers *callers, size_t most)
{
    *callers = (lc_callers){.most = most < LC_CALLERS_MAX ? most : LC_CALLERS_MAX};
}

// Takes the i-th out.
static void take_out(lc_callers *callers, size_t i)
{
    callers->count--;
    memmove(&callers->places[i], &callers->places[i + 1],
            (callers->count - i) * sizeof *callers->places);
}

static size_t find(const lc_callers *callers, const void *connection)
{
    size_t i = 0;
    while (i < callers->count && callers->places[i] != connection)
        i++;
    return i;
}

void *lc_callers_add(lc_callers *callers, void *connection)
{
    void *quietest = NULL;
    if (callers->count == callers->most) {
        quietest = callers->places[0];
        take_out(callers, 0);
    }
    callers->places[callers->count++] = connection;
    return quietest;
}

void lc_callers_hear(lc_callers *callers, void *connection)
{
    const size_t i = find(callers, connection);
    if (i < callers->count) {
        take_out(callers, i);
        callers->places[callers->count++] = connection;
    }
}

void lc_callers_remove(lc_callers *callers, const void *connection)
{
    const size_t i = find(callers, connection);
    if (i < callers->count)
        take_out(callers, i);
}
