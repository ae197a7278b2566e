// Copies cells as a checkpoint or a clip, and makes universes of them.
#include "cell_copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/edits.h"

// The largest universe and rectangle that are copied. Copying takes some milliseconds.
static const uint64_t largest_bytes = (uint64_t)256 << 20;
static const int64_t largest_area = (int64_t)1 << 28;

static lc_status check_population(lc_count population, uint64_t cells_max, lc_message *message)
{
    char digits[LC_COUNT_TEXT_BYTES];
    if (lc_count_compare(population, lc_count_of(0)) == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there are no live cells");
    if (lc_count_compare(population, lc_count_of(cells_max)) <= 0)
        return LC_OK;
    lc_count_format(population, digits);
    return lc_fail(message, LC_ERROR_LIMIT,
                   "there are %s live cells, and at most %" PRIu64 " can be examined", digits,
                   cells_max);
}

static lc_cell_copy prepare(const lc_session *session)
{
    lc_cell_copy copy = {.options = lc_session_copy_options(session)};
    uint64_t *limit = &copy.options.max_memory_bytes;
    copy.options.rule = lc_rule_retain(lc_universe_rule(session->universe));
    copy.options.topology = *lc_universe_topology(session->universe);
    if (*limit == 0 || *limit > largest_bytes)
        *limit = largest_bytes;
    return copy;
}

bool lc_cell_copy_is_quick(const lc_session *session, uint64_t most_bytes)
{
    const lc_universe_info info = lc_universe_info_of(session->universe);
    return !session->on_disk &&
           (info.memory_bytes <= most_bytes || strcmp(info.engine, "hashlife") == 0);
}

lc_status lc_cell_copy_all(lc_cell_copy *copy, const lc_session *session, uint64_t cells_max,
                           lc_message *message)
{
    const lc_universe *universe = session->universe;
    lc_facts facts;
    lc_status status = LC_OK;
    *copy = prepare(session);
    if (!lc_cell_copy_is_quick(session, largest_bytes))
        status = lc_fail(message, LC_ERROR_LIMIT,
                         "this universe is too large to be examined as a whole");
    if (status == LC_OK)
        status = lc_universe_facts(universe, LC_FACT_POPULATION, &facts, message);
    if (status == LC_OK)
        status = check_population(facts.population, cells_max, message);
    if (status == LC_OK)
        status = lc_universe_checkpoint_plain(universe, (size_t)copy->options.max_memory_bytes,
                                              &copy->bytes, &copy->size_bytes, message);
    if (status != LC_OK)
        lc_cell_copy_free(copy);
    return status;
}

static bool cut_side(int64_t *start, int64_t *size, int64_t low, int64_t high)
{
    const int64_t end = *start + *size < high ? *start + *size : high;
    *start = *start > low ? *start : low;
    *size = end - *start;
    return *start < end;
}

bool lc_cut_rectangle(lc_rectangle *area, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    return cut_side(&area->x, &area->width_cells, x0, x1) &&
           cut_side(&area->y, &area->height_cells, y0, y1);
}

// Cuts an area to the bounding box of the live cells. Returns as lc_cell_copy_area.
static lc_status cut(lc_rectangle *area, const lc_universe *universe, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
    const lc_box *b = &facts.box;
    if (status != LC_OK || facts.is_far ||
        lc_cut_rectangle(area, b->x, b->y, b->x + b->width_cells, b->y + b->height_cells))
        return status;
    return lc_fail(message, LC_ERROR_ARGUMENT, "there are no live cells");
}

lc_status lc_cell_copy_area(lc_cell_copy *copy, const lc_session *session, const lc_rectangle *area,
                            uint64_t cells_max, lc_message *message)
{
    lc_rectangle a = *area;
    lc_status status = LC_OK;
    *copy = prepare(session);
    copy->options.topology = (lc_topology){.kind = LC_TOPOLOGY_PLANE};
    copy->options.engine = NULL;
    if (lc_universe_background(session->universe))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "empty space is alive in this generation; go on by one generation first");
    // On a board that wraps, a rectangle may continue at the opposite edge.
    if (!session->on_disk && !lc_edits_wraps(session->universe))
        status = cut(&a, session->universe, message);
    if (status == LC_OK && a.width_cells > largest_area / a.height_cells)
        status = lc_fail(message, LC_ERROR_LIMIT,
                         "that rectangle is too large: at most 2^28 cells can be examined");
    if (status == LC_OK)
        status = lc_clip_from_universe(&copy->clip, session->universe, &a, message);
    if (status == LC_OK)
        status = check_population(lc_count_of(lc_clip_population(copy->clip)), cells_max, message);
    copy->x = a.x;
    copy->y = a.y;
    if (status != LC_OK)
        lc_cell_copy_free(copy);
    return status;
}

static lc_status restore_clip(lc_universe **out, const lc_cell_copy *copy, lc_message *message)
{
    lc_cells cells = *lc_clip_cells(copy->clip);
    cells.x = copy->x;
    cells.y = copy->y;
    lc_status status = lc_universe_create(out, &copy->options, message);
    if (status == LC_OK)
        status = lc_universe_write(*out, &cells, message);
    if (status != LC_OK)
        lc_universe_destroy(out);
    return status;
}

lc_status lc_cell_copy_restore(lc_universe **out, lc_cell_copy *copy, lc_message *message)
{
    const lc_status status = copy->clip != NULL
                                 ? restore_clip(out, copy, message)
                                 : lc_universe_restore_memory(out, copy->bytes, copy->size_bytes,
                                                              &copy->options, message);
    lc_cell_copy_free(copy);
    return status;
}

void lc_cell_copy_free(lc_cell_copy *copy)
{
    lc_rule_release(&copy->options.rule);
    free(copy->bytes);
    lc_clip_destroy(&copy->clip);
    copy->bytes = NULL;
}
