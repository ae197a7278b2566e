// Edits of a selected rectangle: its new cells are made as a clip, and pasted.
#include "edit/edit_area.h"

// Reserves memory for a clip's live cells, so that nothing can fail after the old cells were
// cleared.
static lc_status reserve(lc_universe *universe, const lc_clip *clip, int64_t x, int64_t y,
                         lc_message *message)
{
    if (lc_edits_wraps(universe) || lc_is_bounded(universe))
        return LC_OK;
    const lc_box box = lc_clip_box(clip);
    const lc_area a = lc_area_intersection(
        (lc_area){x + box.x, y + box.y, x + box.x + box.width_cells, y + box.y + box.height_cells},
        lc_area_of_universe(universe));
    return lc_area_is_empty(a) ? LC_OK : lc_area_reserve(universe, a, message);
}

// Clears an area and pastes a clip, as one step.
static lc_status replace(lc_edits *edits, lc_universe *universe, const lc_rectangle *cleared,
                         const lc_clip *clip, int64_t x, int64_t y, lc_paste_mode mode,
                         lc_message *message)
{
    const lc_cells *cells = lc_clip_cells(clip);
    const lc_rectangle to = {x, y, cells->width_cells, cells->height_cells};
    lc_area ends;
    lc_status status = lc_area_of_rectangle(&ends, &to, message);
    if (status == LC_OK)
        status = reserve(universe, clip, x, y, message);
    if (status != LC_OK)
        return status;
    lc_edits_begin(edits, universe);
    if (cleared != NULL)
        status = lc_edits_paint(edits, universe, LC_PAINT_DEAD, 0, cleared, 1, true, message);
    if (status == LC_OK)
        status = lc_edits_paste(edits, universe, clip, x, y, mode, message);
    return lc_edits_end(edits, status);
}

lc_status lc_edits_move(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                        int64_t right_cells, int64_t down_cells, bool copies, lc_paste_mode mode,
                        lc_message *message)
{
    int64_t x, y;
    lc_clip *clip;
    if (__builtin_add_overflow(area->x, right_cells, &x) ||
        __builtin_add_overflow(area->y, down_cells, &y))
        return lc_fail(message, LC_ERROR_ARGUMENT, "the rectangle would lie beyond the universe");
    lc_status status = lc_clip_from_universe(&clip, universe, area, message);
    if (status == LC_OK)
        status = replace(edits, universe, copies ? NULL : area, clip, x, y, mode, message);
    lc_clip_destroy(&clip);
    return status;
}

lc_status lc_edits_turn(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                        lc_turn turn, lc_rectangle *to, lc_message *message)
{
    const lc_rectangle from = *area;
    lc_clip *clip;
    *to = from;
    lc_status status = lc_clip_from_universe(&clip, universe, &from, message);
    if (status == LC_OK)
        status = lc_clip_turn(clip, turn, message);
    if (status == LC_OK) {
        const lc_cells *cells = lc_clip_cells(clip);
        // Rounded towards 0, so that the next quarter turn leads back.
        to->x += (from.width_cells - cells->width_cells) / 2;
        to->y += (from.height_cells - cells->height_cells) / 2;
        to->width_cells = cells->width_cells;
        to->height_cells = cells->height_cells;
        status = replace(edits, universe, &from, clip, to->x, to->y, LC_PASTE_OR, message);
    }
    lc_clip_destroy(&clip);
    return status;
}

// Advancing ----------------------------------------------------------------------------------

static lc_status write_clip(lc_universe *universe, const lc_clip *clip, int64_t x, int64_t y,
                            lc_message *message)
{
    lc_cells cells = *lc_clip_cells(clip);
    cells.x = x;
    cells.y = y;
    return lc_universe_write(universe, &cells, message);
}

// Advances `cells`, with their top left at (x, y), by one generation in a universe of their own,
// and copies `area` of it.
static lc_status advance_cells(lc_clip **out, const lc_clip *cells, int64_t x, int64_t y,
                               const lc_topology *topology, const lc_rule *rule,
                               const lc_universe_options *scratch, const lc_rectangle *area,
                               lc_message *message)
{
    lc_universe_options options = *scratch;
    lc_universe *universe;
    *out = NULL;
    options.engine = NULL;
    options.disk = NULL;
    options.rule = rule;
    options.rule_text = NULL;
    options.topology = *topology;
    lc_status status = lc_universe_create(&universe, &options, message);
    if (status == LC_OK)
        status = write_clip(universe, cells, x, y, message);
    if (status == LC_OK)
        status = lc_universe_step(universe, lc_count_of(1), NULL, NULL, message);
    if (status == LC_OK && lc_universe_background(universe))
        status =
            lc_fail(message, LC_ERROR_UNSUPPORTED,
                    "this rule makes empty space come alive, so the cells outside the selection "
                    "cannot be advanced alone");
    if (status == LC_OK)
        status = lc_clip_from_universe(out, universe, area, message);
    lc_universe_destroy(&universe);
    return status;
}

// Returns whether a rectangle and one cell round it decide its next generation, walls included.
static bool is_seen_plainly(const lc_universe *universe, const lc_rectangle *area)
{
    const lc_topology *t = lc_universe_topology(universe);
    if (t->kind == LC_TOPOLOGY_PLANE)
        return true;
    return lc_edits_wraps(universe) &&
           (t->width_cells == 0 || area->width_cells + 2 <= t->width_cells) &&
           (t->height_cells == 0 || area->height_cells + 2 <= t->height_cells);
}

// Advances the rectangle and one cell round it, on a plane of that size.
static lc_status advance_inside(lc_clip **out, const lc_universe *universe,
                                const lc_universe_options *scratch, const lc_rectangle *area,
                                lc_message *message)
{
    const lc_rectangle wide = {area->x - 1, area->y - 1, area->width_cells + 2,
                               area->height_cells + 2};
    const lc_rectangle inside = {1, 1, area->width_cells, area->height_cells};
    const lc_topology plane = {.kind = LC_TOPOLOGY_PLANE,
                               .width_cells = wide.width_cells,
                               .height_cells = wide.height_cells};
    lc_clip *cells;
    *out = NULL;
    lc_status status = lc_clip_from_universe(&cells, universe, &wide, message);
    if (status == LC_OK)
        status = advance_cells(out, cells, 0, 0, &plane, lc_universe_rule(universe), scratch,
                               &inside, message);
    lc_clip_destroy(&cells);
    return status;
}

// Advances the whole universe, and copies `area_wanted` of it. `where` not NULL: copies instead the
// bounding box and one cell round it, and sets *where to that rectangle.
static lc_status advance_all(lc_clip **out, const lc_universe *universe,
                             const lc_universe_options *scratch, lc_rectangle *where,
                             const lc_rectangle *area_wanted, lc_message *message)
{
    lc_area a = lc_area_of_universe(universe);
    *out = NULL;
    if (!lc_is_bounded(universe)) {
        lc_facts facts;
        lc_status status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
        if (status != LC_OK)
            return status;
        if (facts.is_far || lc_universe_background(universe))
            return lc_fail(message, LC_ERROR_UNSUPPORTED,
                           "the live cells have no end, so they cannot be advanced in part");
        const lc_box b = facts.box;
        a = lc_area_intersection(
            (lc_area){b.x - 1, b.y - 1, b.x + b.width_cells + 1, b.y + b.height_cells + 1}, a);
    }
    const lc_rectangle all = {a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0};
    lc_clip *cells;
    lc_status status = lc_clip_from_universe(&cells, universe, &all, message);
    if (status == LC_OK)
        status = advance_cells(out, cells, all.x, all.y, lc_universe_topology(universe),
                               lc_universe_rule(universe), scratch,
                               where != NULL ? &all : area_wanted, message);
    lc_clip_destroy(&cells);
    if (where != NULL)
        *where = all;
    return status;
}

lc_status lc_edits_advance(lc_edits *edits, lc_universe *universe,
                           const lc_universe_options *scratch, const lc_rectangle *area,
                           bool outside, lc_message *message)
{
    lc_clip *next = NULL, *old = NULL;
    lc_rectangle where = *area;
    lc_area ends;
    lc_status status = lc_area_of_rectangle(&ends, area, message);
    if (status != LC_OK)
        return status;
    if (outside)
        status = lc_clip_from_universe(&old, universe, area, message);
    if (status == LC_OK)
        status =
            !outside && is_seen_plainly(universe, area)
                ? advance_inside(&next, universe, scratch, area, message)
                : advance_all(&next, universe, scratch, outside ? &where : NULL, area, message);
    if (status == LC_OK)
        status = reserve(universe, next, where.x, where.y, message);
    if (status == LC_OK) {
        lc_edits_begin(edits, universe);
        status = lc_edits_paste(edits, universe, next, where.x, where.y, LC_PASTE_COPY, message);
        if (status == LC_OK && outside)
            status = lc_edits_paste(edits, universe, old, area->x, area->y, LC_PASTE_COPY, message);
        status = lc_edits_end(edits, status);
    }
    lc_clip_destroy(&next);
    lc_clip_destroy(&old);
    return status;
}
