#include "census/apgsearch_lines.h"

#include <inttypes.h>
#include <stdio.h>

#include "census/lifespan.h"

enum {
    MEGASIZED = 3000, // live cells
    MESSLESS = 500,   // generations
    METHUSELAH = 25000,
    NEAR_METHUSELAH = 24000, // found to have settled: the lifespan is worth finding
};

static lc_status add_line(lc_named_list *lines, lc_object_names *names, const char *what,
                          uint64_t number, char unit)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s_%" PRIu64 "%c", what, number, unit);
    const uint32_t kind = lc_kinds_number(&names->kinds, name);
    return kind != UINT32_MAX && lc_named_add(lines, kind, 1) ? LC_OK : LC_ERROR_MEMORY;
}

static lc_status find_lifespan(uint64_t *lifespan, const lc_object_names *names,
                               const lc_running_soup *soup, const lc_soup_cells *cells,
                               lc_message *message)
{
    lc_live live = {0};
    const lc_status status = lc_soup_cells_list(&live, cells)
                                 ? lc_soup_lifespan(lifespan, &live, names->fates.rule.rule,
                                                    soup->generations, names->context, message)
                                 : LC_ERROR_MEMORY;
    lc_live_free(&live);
    return status;
}

static lc_status add_lifespan(lc_named_list *lines, lc_object_names *names,
                              const lc_running_soup *soup, const lc_soup_cells *cells,
                              bool is_empty, lc_message *message)
{
    uint64_t lifespan = 0;
    lc_status status = find_lifespan(&lifespan, names, soup, cells, message);
    if (status == LC_OK && is_empty && lifespan >= MESSLESS)
        status = add_line(lines, names, "messless", lifespan / 100, 'h');
    if (status == LC_OK && lifespan >= METHUSELAH)
        status = add_line(lines, names, "methuselah", lifespan / 1000, 'k');
    return status;
}

lc_status lc_apgsearch_lines_add(lc_named_list *lines, lc_object_names *names,
                                 const lc_running_soup *soup, const lc_soup_cells *cells,
                                 lc_message *message)
{
    const int64_t population = lc_soup_population(soup);
    lc_status status = LC_OK;
    if (population >= MEGASIZED)
        status = add_line(lines, names, "megasized", (uint64_t)population / 100, 'h');
    if (status == LC_OK && soup->generations >= (population == 0 ? MESSLESS : NEAR_METHUSELAH))
        status = add_lifespan(lines, names, soup, cells, population == 0, message);
    return status;
}
