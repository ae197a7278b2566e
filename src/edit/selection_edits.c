// See selection_edits.h. What a rectangle becomes is made as a clip, and then pasted.
#include "edit/selection_edits.h"

#include "edit/edit_area.h"

static lc_status check_area(const lc_rectangle *a, lc_message *message)
{
    int64_t end;
    if (a->width_cells < 1 || a->height_cells < 1 ||
        __builtin_add_overflow(a->x, a->width_cells, &end) ||
        __builtin_add_overflow(a->y, a->height_cells, &end))
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no such rectangle");
    return LC_OK;
}

static uint64_t *row_of(const lc_clip *clip, int64_t y)
{
    return clip->words + (size_t)y * clip->pitch_words;
}

// ORs `count` bits into a row, from bit `at` on; those past them are 0.
static void put_bits(uint64_t *row, int64_t at, const uint64_t *bits, int64_t count)
{
    const unsigned place = (unsigned)(at % 64);
    uint64_t *to = row + at / 64;
    for (int64_t i = 0; i * 64 < count; i++) {
        to[i] |= bits[i] << place;
        const uint64_t high = place != 0 ? bits[i] >> (64 - place) : 0;
        if (high != 0)
            to[i + 1] |= high;
    }
}

lc_status lc_clip_from_area(lc_clip **out, const lc_universe *universe, const lc_rectangle *area,
                            lc_message *message)
{
    const lc_topology *t = lc_universe_topology(universe);
    const bool wraps = lc_edits_wraps(universe);
    int64_t left = area->x, top = area->y, around, across[2][2], down[2][2];
    *out = NULL;
    lc_status status = check_area(area, message);
    if (status != LC_OK)
        return status;
    const size_t columns =
        lc_divide_side(&left, area->width_cells, t->width_cells, wraps, &around, across);
    const size_t rows =
        lc_divide_side(&top, area->height_cells, t->height_cells, wraps, &around, down);
    if (columns * rows == 1)
        return lc_clip_from_universe(out, universe, left, top, area->width_cells,
                                     area->height_cells, message);
    lc_clip *clip;
    status = lc_clip_create(&clip, area->width_cells, area->height_cells, message);
    for (size_t i = 0; i < columns * rows && status == LC_OK; i++) {
        const int64_t *h = across[i % columns], *v = down[i / columns];
        const int64_t x = i % columns == 0 ? 0 : across[0][1] - across[0][0];
        const int64_t y = i / columns == 0 ? 0 : down[0][1] - down[0][0];
        lc_clip *part;
        status =
            lc_clip_from_universe(&part, universe, h[0], v[0], h[1] - h[0], v[1] - v[0], message);
        for (int64_t j = 0; status == LC_OK && j < part->height_cells; j++)
            put_bits(row_of(clip, y + j), x, row_of(part, j), part->width_cells);
        lc_clip_destroy(&part);
    }
    if (status != LC_OK) {
        lc_clip_destroy(&clip);
        return status;
    }
    lc_clip_count(clip);
    *out = clip;
    return LC_OK;
}

// Room for a clip's live cells, so that once what it comes from is cleared nothing can fail.
static lc_status reserve(lc_universe *universe, const lc_clip *clip, int64_t x, int64_t y,
                         lc_message *message)
{
    lc_box box;
    if (lc_edits_wraps(universe) || lc_is_bounded(universe) || !lc_clip_live_box(clip, &box))
        return LC_OK;
    const lc_area a = lc_area_intersection(
        (lc_area){x + box.x, y + box.y, x + box.x + box.width_cells, y + box.y + box.height_cells},
        lc_area_of_universe(universe));
    return lc_area_is_empty(a)
               ? LC_OK
               : lc_universe_reserve(universe, a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, message);
}

// Clears an area and pastes a clip, as one step.
static lc_status replace(lc_edits *edits, lc_universe *universe, const lc_rectangle *cleared,
                         const lc_clip *clip, int64_t x, int64_t y, lc_paste_mode mode,
                         uint64_t *lost, bool *kept, lc_message *message)
{
    bool part_kept;
    const lc_rectangle to = {x, y, clip->width_cells, clip->height_cells};
    lc_status status = check_area(&to, message);
    if (status == LC_OK)
        status = reserve(universe, clip, x, y, message);
    if (status != LC_OK)
        return status;
    lc_edits_begin(edits, universe);
    if (cleared != NULL)
        status = lc_edits_paint(edits, universe, LC_PAINT_DEAD, 0, cleared, 1, true, &part_kept,
                                message);
    if (status == LC_OK)
        status = lc_edits_paste(edits, universe, clip, x, y, mode, &part_kept, message);
    status = lc_edits_end(edits, status, kept);
    *lost = status == LC_OK ? lc_edits_paste_loses(universe, clip, x, y) : 0;
    return status;
}

lc_status lc_edits_move(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                        int64_t right_cells, int64_t down_cells, bool copies, lc_paste_mode mode,
                        uint64_t *lost, bool *kept, lc_message *message)
{
    int64_t x, y;
    lc_clip *clip;
    *lost = 0;
    *kept = true;
    if (__builtin_add_overflow(area->x, right_cells, &x) ||
        __builtin_add_overflow(area->y, down_cells, &y))
        return lc_fail(message, LC_ERROR_ARGUMENT, "that is beyond the universe");
    lc_status status = lc_clip_from_area(&clip, universe, area, message);
    if (status == LC_OK)
        status =
            replace(edits, universe, copies ? NULL : area, clip, x, y, mode, lost, kept, message);
    lc_clip_destroy(&clip);
    return status;
}

lc_status lc_edits_turn(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                        lc_turn turn, lc_rectangle *to, uint64_t *lost, bool *kept,
                        lc_message *message)
{
    lc_clip *clip;
    *to = *area;
    *lost = 0;
    *kept = true;
    lc_status status = lc_clip_from_area(&clip, universe, area, message);
    if (status == LC_OK)
        status = lc_clip_turn(&clip, turn, message);
    if (status == LC_OK) {
        // Rounded towards 0, so that the next quarter turn leads back.
        to->x += (area->width_cells - clip->width_cells) / 2;
        to->y += (area->height_cells - clip->height_cells) / 2;
        to->width_cells = clip->width_cells;
        to->height_cells = clip->height_cells;
        status =
            replace(edits, universe, area, clip, to->x, to->y, LC_PASTE_OR, lost, kept, message);
    }
    lc_clip_destroy(&clip);
    return status;
}

// Advancing ----------------------------------------------------------------------------------

static lc_status write_clip(lc_universe *universe, const lc_clip *clip, int64_t x, int64_t y,
                            lc_message *message)
{
    const lc_cells cells = {.x = x,
                            .y = y,
                            .width_cells = clip->width_cells,
                            .height_cells = clip->height_cells,
                            .words = clip->words,
                            .pitch_words = clip->pitch_words};
    return lc_universe_write(universe, &cells, message);
}

// The clip of `area` one generation on, in a universe of its own of which `cells`, with its top
// left at (x, y), is all that lives.
static lc_status advance_cells(lc_clip **out, const lc_clip *cells, int64_t x, int64_t y,
                               const lc_topology *topology, const lc_rule *rule,
                               const lc_universe_options *creation, const lc_rectangle *area,
                               lc_message *message)
{
    lc_universe_options options = *creation;
    lc_universe *universe;
    *out = NULL;
    options.engine = NULL;
    options.disk = NULL;
    options.rule = rule;
    options.topology = *topology;
    lc_status status = lc_universe_create(&universe, &options, message);
    if (status == LC_OK)
        status = write_clip(universe, cells, x, y, message);
    if (status == LC_OK)
        status = lc_universe_step(universe, lc_count_of(1), NULL, NULL, message);
    if (status == LC_OK && lc_universe_background(universe))
        status = lc_fail(message, LC_ERROR_UNSUPPORTED,
                         "with this rule all of space comes alive, so what is outside of the "
                         "selection cannot be advanced alone");
    if (status == LC_OK)
        status = lc_clip_from_area(out, universe, area, message);
    lc_universe_destroy(&universe);
    return status;
}

// Whether all that the cells of a rectangle see are the cells round it, walls included.
static bool is_seen_plainly(const lc_universe *universe, const lc_rectangle *area)
{
    const lc_topology *t = lc_universe_topology(universe);
    if (t->kind == LC_TOPOLOGY_PLANE)
        return true;
    return lc_edits_wraps(universe) &&
           (t->width_cells == 0 || area->width_cells + 2 <= t->width_cells) &&
           (t->height_cells == 0 || area->height_cells + 2 <= t->height_cells);
}

// The rectangle and one cell round it, on a plane of that size.
static lc_status advance_inside(lc_clip **out, const lc_universe *universe,
                                const lc_universe_options *creation, const lc_rectangle *area,
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
    lc_status status = lc_clip_from_area(&cells, universe, &wide, message);
    if (status == LC_OK)
        status = advance_cells(out, cells, 0, 0, &plane, lc_universe_rule(universe), creation,
                               &inside, message);
    lc_clip_destroy(&cells);
    return status;
}

// `area` as it will be in the next generation of the whole universe. `where`: not the area, but all
// that lives and what that may bring to life; *where says where that is.
static lc_status advance_all(lc_clip **out, const lc_universe *universe,
                             const lc_universe_options *creation, lc_rectangle *where,
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
                           "what lives here has no end, so it cannot be advanced in part");
        const lc_box b = facts.box;
        a = lc_area_intersection(
            (lc_area){b.x - 1, b.y - 1, b.x + b.width_cells + 1, b.y + b.height_cells + 1}, a);
    }
    const lc_rectangle all = {a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0};
    lc_clip *cells;
    lc_status status = lc_clip_from_universe(&cells, universe, all.x, all.y, all.width_cells,
                                             all.height_cells, message);
    if (status == LC_OK)
        status = advance_cells(out, cells, all.x, all.y, lc_universe_topology(universe),
                               lc_universe_rule(universe), creation,
                               where != NULL ? &all : area_wanted, message);
    lc_clip_destroy(&cells);
    if (where != NULL)
        *where = all;
    return status;
}

lc_status lc_edits_advance(lc_edits *edits, lc_universe *universe,
                           const lc_universe_options *creation, const lc_rectangle *area,
                           bool outside, bool *kept, lc_message *message)
{
    lc_clip *next = NULL, *old = NULL;
    lc_rectangle where = *area;
    bool part_kept;
    *kept = true;
    lc_status status = check_area(area, message);
    if (status != LC_OK)
        return status;
    if (outside)
        status = lc_clip_from_area(&old, universe, area, message);
    if (status == LC_OK)
        status =
            !outside && is_seen_plainly(universe, area)
                ? advance_inside(&next, universe, creation, area, message)
                : advance_all(&next, universe, creation, outside ? &where : NULL, area, message);
    if (status == LC_OK)
        status = reserve(universe, next, where.x, where.y, message);
    if (status == LC_OK) {
        lc_edits_begin(edits, universe);
        status = lc_edits_paste(edits, universe, next, where.x, where.y, LC_PASTE_COPY, &part_kept,
                                message);
        if (status == LC_OK && outside)
            status = lc_edits_paste(edits, universe, old, area->x, area->y, LC_PASTE_COPY,
                                    &part_kept, message);
        status = lc_edits_end(edits, status, kept);
    }
    lc_clip_destroy(&next);
    lc_clip_destroy(&old);
    return status;
}

// Random fills -------------------------------------------------------------------------------

lc_status lc_edits_fill_symmetric(lc_edits *edits, lc_universe *universe,
                                  const lc_universe_options *creation, const lc_rectangle *area,
                                  double density, uint64_t seed, lc_edit_symmetry_kind kind,
                                  bool *kept, lc_message *message)
{
    lc_universe_options options = *creation;
    lc_universe *soup;
    lc_clip *clip = NULL;
    *kept = true;
    lc_status status = check_area(area, message);
    if (status == LC_OK)
        status = lc_clip_create(&clip, area->width_cells, area->height_cells, message);
    lc_clip_destroy(&clip); // it only had to be no larger than a clip may be
    if (status != LC_OK)
        return status;
    options.engine = NULL;
    options.disk = NULL;
    options.rule = lc_rule_life();
    options.topology = (lc_topology){.kind = LC_TOPOLOGY_PLANE,
                                     .width_cells = area->width_cells,
                                     .height_cells = area->height_cells};
    status = lc_universe_create(&soup, &options, message);
    if (status == LC_OK)
        status = lc_universe_soup(soup, 0, 0, area->width_cells, area->height_cells, density, seed,
                                  message);
    if (status == LC_OK)
        status = lc_clip_from_universe(&clip, soup, 0, 0, area->width_cells, area->height_cells,
                                       message);
    lc_universe_destroy(&soup);
    if (status == LC_OK)
        status = lc_clip_make_symmetric(clip, kind, message);
    if (status == LC_OK)
        status =
            lc_edits_paste(edits, universe, clip, area->x, area->y, LC_PASTE_COPY, kept, message);
    lc_clip_destroy(&clip);
    return status;
}

// Shrinking ----------------------------------------------------------------------------------

lc_status lc_clip_find_box(const lc_universe *universe, const lc_rectangle *from, lc_box *box,
                           lc_message *message)
{
    lc_facts facts;
    lc_clip *clip;
    lc_rectangle a = *from;
    *box = (lc_box){.empty = true};
    lc_status status = check_area(&a, message);
    // What is beyond everything alive need not be looked at.
    const bool may_cut = !lc_edits_wraps(universe) && !lc_universe_background(universe);
    if (status == LC_OK && may_cut) {
        status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
        const lc_area cut = lc_area_intersection(
            (lc_area){a.x, a.y, a.x + a.width_cells, a.y + a.height_cells},
            (lc_area){facts.box.x, facts.box.y, facts.box.x + facts.box.width_cells,
                      facts.box.y + facts.box.height_cells});
        if (status == LC_OK && !facts.is_far) {
            if (lc_area_is_empty(cut))
                return LC_OK;
            a = (lc_rectangle){cut.x0, cut.y0, cut.x1 - cut.x0, cut.y1 - cut.y0};
        }
    }
    if (status == LC_OK)
        status = lc_clip_from_area(&clip, universe, &a, message);
    if (status != LC_OK)
        return status;
    if (lc_clip_live_box(clip, box)) {
        box->x += a.x;
        box->y += a.y;
    }
    lc_clip_destroy(&clip);
    return LC_OK;
}
