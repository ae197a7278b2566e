// Edits of a universe, row by row.
//
// An edit first reserves the memory for all cells that it brings to life (lc_universe_reserve), or
// compares the memory limit with a lower bound (lc_universe_check_room). If it fails later, its
// changes are undone (edit_record.h).
#include "lightcone/edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edit/edit_area.h"
#include "edit/edit_record.h"

// From this number of cells on, check_room counts the population.
static const double many_cells = 1 << 24;
// An area with a longer side may extend far into dead space.
static const int64_t far_cells = INT64_C(1) << 24;

struct lc_edits {
    lc_edit_steps steps;
    lc_edit_record record; // of the current edit
    uint64_t lost_stroke;  // a stroke too long to be undone; its rest is not kept either
    bool is_joint;         // between lc_edits_begin and lc_edits_end
    uint64_t changes;      // lc_edits_changes
    uint64_t pencil_stroke;
    bool pencil_alive; // the answer of lc_edits_pencil for pencil_stroke
    bool kept;         // lc_edits_kept
    uint64_t lost;     // lc_edits_lost
};

lc_status lc_edits_create(lc_edits **out, size_t limit_bytes, lc_message *message)
{
    lc_edits *edits = calloc(1, sizeof *edits);
    *out = edits;
    if (edits == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for edits");
    edits->steps.limit_bytes = limit_bytes;
    return LC_OK;
}

void lc_edits_destroy(lc_edits **edits)
{
    if (edits != NULL && *edits != NULL) {
        lc_edit_steps_clear(&(*edits)->steps);
        free(*edits);
        *edits = NULL;
    }
}

void lc_edits_set_give_up(lc_edits *edits, bool (*gives_up)(void *context), void *context)
{
    edits->record.gives_up = gives_up;
    edits->record.context = context;
}

void lc_edits_forget(lc_edits *edits)
{
    lc_edit_steps_clear(&edits->steps);
    edits->lost_stroke = 0;
}

// Areas --------------------------------------------------------------------------------------

static lc_status find_box(const lc_universe *universe, lc_area *out, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
    *out = lc_area_of_box(&facts.box);
    if (status == LC_OK && facts.is_far)
        return lc_fail(message, LC_ERROR_LIMIT, "some live cells are too far away to be changed");
    return status;
}

static lc_status reserve(lc_universe *universe, lc_area a, lc_message *message)
{
    if (lc_area_is_empty(a) || lc_is_bounded(universe))
        return lc_universe_failure(universe, message);
    return lc_area_reserve(universe, a, message);
}

// Painting -----------------------------------------------------------------------------------

typedef struct brush {
    enum { BRUSH_DEAD, BRUSH_ALIVE, BRUSH_INVERT, BRUSH_CLIP } kind;
    const lc_cells *clip;
    const lc_placement *place; // of the clip
    lc_paste_mode mode;
} brush;

// Returns 64 cells of a clip's row from x on, 0 <= x < width. Cells past the width are dead.
static uint64_t clip_word(const lc_cells *clip, const uint64_t *row, int64_t x)
{
    const size_t i = (size_t)x / 64;
    const unsigned place = (unsigned)(x % 64);
    uint64_t word = row[i] >> place;
    if (place != 0 && i + 1 < clip->pitch_words)
        word |= row[i + 1] << (64 - place);
    return word;
}

// Returns the clip's row that lies on row y of the universe.
static const uint64_t *clip_row(const brush *b, int64_t y)
{
    return lc_cells_row(b->clip, y - lc_placed_start(y, b->place->y, b->place->around_y));
}

// Returns the clip's column that lies on column x of the universe.
static int64_t clip_column(const brush *b, int64_t x)
{
    return x - lc_placed_start(x, b->place->x, b->place->around_x);
}

static void paste_row(const brush *b, int64_t x, int64_t y, size_t words, uint64_t *row)
{
    const uint64_t *from = clip_row(b, y);
    const int64_t column = clip_column(b, x);
    for (size_t i = 0; i < words; i++) {
        const int64_t at = column + (int64_t)i * 64;
        const uint64_t word = at < b->clip->width_cells ? clip_word(b->clip, from, at) : 0;
        if (b->mode == LC_PASTE_COPY)
            row[i] = word;
        else
            row[i] = b->mode == LC_PASTE_OR ? row[i] | word : row[i] ^ word;
    }
}

static void paint_row(const brush *b, int64_t x, int64_t y, int64_t width, uint64_t *row)
{
    const size_t words = (size_t)(width + 63) / 64;
    if (b->kind == BRUSH_CLIP)
        paste_row(b, x, y, words, row);
    else if (b->kind == BRUSH_INVERT)
        for (size_t i = 0; i < words; i++)
            row[i] = ~row[i];
    else
        memset(row, b->kind == BRUSH_ALIVE ? 0xff : 0, words * sizeof *row);
    if (width % 64 != 0)
        row[words - 1] &= (UINT64_C(1) << width % 64) - 1;
}

// Returns the width of the next patch of a row. Patches end at multiples of the largest width,
// because GPUs return cells in tiles.
static int64_t patch_width(int64_t x, int64_t x1)
{
    const int64_t most = LC_PATCH_CELLS - (x & (LC_PATCH_CELLS - 1));
    return x1 - x < most ? x1 - x : most;
}

static void begin_edit(lc_edits *edits, lc_universe *universe)
{
    if (!edits->is_joint)
        lc_edit_record_begin(&edits->record, universe, edits->steps.limit_bytes);
}

// Moves the step to the list, or removes all steps if it cannot be kept. After an error undoes the
// changes.
static lc_status end_edit(lc_edits *edits, uint64_t stroke, lc_status status)
{
    lc_edit_record *record = &edits->record;
    edits->kept = true;
    if (edits->is_joint) // lc_edits_end will end the step
        return status;
    if (status != LC_OK) {
        if (!lc_edit_record_go_back(record))
            lc_edits_forget(edits); // the universe is lost
        return status;
    }
    if (record->has_changed) {
        edits->changes++;
        edits->kept = record->is_whole && (stroke == 0 || stroke != edits->lost_stroke) &&
                      lc_edit_steps_take(&edits->steps, &record->step, stroke);
    }
    if (!edits->kept) {
        lc_edits_forget(edits);
        edits->lost_stroke = stroke;
    }
    lc_edit_record_end(record);
    return LC_OK;
}

static lc_status paint_patch(lc_edit_record *record, lc_area a, const brush *b, lc_message *message)
{
    const int64_t width = a.x1 - a.x0;
    lc_status status = LC_OK;
    for (int64_t y = a.y0; y < a.y1 && status == LC_OK; y++) {
        status = lc_edit_record_read(record, a.x0, y, width, message);
        if (status != LC_OK)
            return status;
        paint_row(b, a.x0, y, width, record->after);
        status = lc_edit_record_write(record, a.x0, y, width, message);
    }
    return status;
}

// Paints areas that lie within the universe, left to right in columns as wide as a patch.
static lc_status paint(lc_edit_record *record, const lc_area *areas, size_t count, const brush *b,
                       lc_message *message)
{
    for (size_t i = 0; i < count; i++) {
        lc_area a = areas[i];
        for (int64_t x = a.x0; x < areas[i].x1; x = a.x1) {
            a.x0 = x;
            a.x1 = x + patch_width(x, areas[i].x1);
            lc_status status = paint_patch(record, a, b, message);
            if (status != LC_OK)
                return status;
        }
    }
    return LC_OK;
}

// Makes an edit. `alive`: the smallest area with all cells that come to differ from the background.
static lc_status make_edit(lc_edits *edits, lc_universe *universe, uint64_t stroke,
                           const lc_area *areas, size_t count, lc_area alive, const brush *b,
                           lc_message *message)
{
    edits->kept = true;
    lc_status status = reserve(universe, alive, message);
    if (status != LC_OK || count == 0)
        return status;
    begin_edit(edits, universe);
    status = paint(&edits->record, areas, count, b, message);
    return end_edit(edits, stroke, status);
}

void lc_edits_begin(lc_edits *edits, lc_universe *universe)
{
    begin_edit(edits, universe);
    edits->is_joint = true;
}

lc_status lc_edits_end(lc_edits *edits, lc_status status)
{
    lc_edit_record *record = &edits->record;
    edits->is_joint = false;
    if (status == LC_OK && record->has_changed && record->is_whole)
        record->has_changed = !lc_edit_step_is_void(&record->step);
    return end_edit(edits, 0, status);
}

uint64_t lc_edits_changes(const lc_edits *edits)
{
    return edits->changes;
}

bool lc_edits_kept(const lc_edits *edits)
{
    return edits->kept;
}

uint64_t lc_edits_lost(const lc_edits *edits)
{
    return edits->lost;
}

// Edits --------------------------------------------------------------------------------------

// Cuts areas to be cleared: cells beyond the bounding box of an unbounded universe are dead
// already.
static lc_status leave_out_space(const lc_universe *universe, lc_area *areas, size_t count,
                                 size_t *used, lc_message *message)
{
    bool is_large = false;
    for (size_t i = 0; i < count; i++)
        is_large |= areas[i].x1 - areas[i].x0 > far_cells || areas[i].y1 - areas[i].y0 > far_cells;
    *used = count;
    if (!is_large || lc_is_bounded(universe) || lc_universe_background(universe))
        return LC_OK;
    lc_area box;
    lc_status status = find_box(universe, &box, message);
    if (status != LC_OK)
        return status;
    *used = 0;
    for (size_t i = 0; i < count; i++) {
        const lc_area a = lc_area_intersection(areas[i], box);
        if (!lc_area_is_empty(a))
            areas[(*used)++] = a;
    }
    return LC_OK;
}

static double cells_of(lc_area a)
{
    return ((double)a.x1 - (double)a.x0) * ((double)a.y1 - (double)a.y0);
}

// Checks whether the cells of some areas may fit in memory, all alive or all inverted. Areas may
// overlap, so an area counts only if it follows the last one below or to the right.
static lc_status check_room(const lc_universe *universe, const lc_area *areas, size_t count,
                            bool inverted, lc_message *message)
{
    double cells = 0;
    const lc_area *last = NULL;
    for (size_t i = 0; i < count; i++) {
        const lc_area *a = &areas[i];
        if (last != NULL && a->y0 < last->y1 &&
            (a->y0 != last->y0 || a->y1 != last->y1 || a->x0 < last->x1))
            continue;
        cells += cells_of(*a);
        last = a;
    }
    if (lc_is_bounded(universe) || cells < many_cells)
        return LC_OK;
    if (inverted) { // at most all live cells lie in the areas
        lc_facts facts;
        lc_status status = lc_universe_facts(universe, LC_FACT_POPULATION, &facts, message);
        if (status != LC_OK)
            return status;
        cells -= lc_count_to_double(facts.population);
    }
    return cells > 0 ? lc_universe_check_room(universe, cells, 1, message) : LC_OK;
}

// Paints areas within the universe.
static lc_status paint_areas(lc_edits *edits, lc_universe *universe, lc_paint how, uint64_t stroke,
                             lc_area *areas, size_t count, lc_message *message)
{
    const brush b = {.kind = how == LC_PAINT_DEAD    ? BRUSH_DEAD
                             : how == LC_PAINT_ALIVE ? BRUSH_ALIVE
                                                     : BRUSH_INVERT};
    const bool background = lc_universe_background(universe);
    if (how == LC_PAINT_DEAD) {
        lc_status status = leave_out_space(universe, areas, count, &count, message);
        if (status != LC_OK)
            return status;
    }
    lc_area box = {0};
    if (how == LC_PAINT_INVERT || (how == LC_PAINT_ALIVE) != background)
        for (size_t i = 0; i < count; i++)
            box = lc_area_union(box, areas[i]);
    if (how != LC_PAINT_DEAD && !background) {
        lc_status status = check_room(universe, areas, count, how == LC_PAINT_INVERT, message);
        if (status != LC_OK)
            return status;
    }
    return make_edit(edits, universe, stroke, areas, count, box, &b, message);
}

// Cuts an area that goes round a torus more than once.
static lc_area once_round(const lc_universe *universe, lc_area a)
{
    const lc_topology *t = lc_universe_topology(universe);
    if (t->width_cells != 0 && a.x1 - a.x0 > t->width_cells)
        a.x1 = a.x0 + t->width_cells;
    if (t->height_cells != 0 && a.y1 - a.y0 > t->height_cells)
        a.y1 = a.y0 + t->height_cells;
    return a;
}

lc_status lc_edits_paint(lc_edits *edits, lc_universe *universe, lc_paint how, uint64_t stroke,
                         const lc_rectangle *areas, size_t count, bool wraps, lc_message *message)
{
    edits->kept = true;
    if (count == 0)
        return lc_universe_failure(universe, message);
    wraps = wraps && lc_edits_wraps(universe);
    lc_area *parts = calloc(count, (wraps ? 4 : 1) * sizeof *parts);
    if (parts == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for an edit");
    size_t used = 0;
    lc_status status = LC_OK;
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        lc_area a;
        status = lc_area_of_rectangle(&a, &areas[i], message);
        if (status != LC_OK)
            break;
        lc_placement place;
        lc_place_area(&place, universe, wraps ? once_round(universe, a) : a, wraps);
        for (size_t k = 0; k < place.count; k++)
            parts[used++] = place.parts[k];
    }
    if (status == LC_OK)
        status = paint_areas(edits, universe, how, stroke, parts, used, message);
    free(parts);
    return status;
}

lc_status lc_edits_pencil(lc_edits *edits, const lc_universe *universe, uint64_t stroke, int64_t x,
                          int64_t y, bool *alive, lc_message *message)
{
    *alive = edits->pencil_alive;
    if (stroke != 0 && stroke == edits->pencil_stroke)
        return LC_OK;
    bool there;
    lc_status status = lc_universe_get(universe, x, y, &there, message);
    if (status != LC_OK)
        return status;
    edits->pencil_stroke = stroke;
    *alive = edits->pencil_alive = !there;
    return LC_OK;
}

// Kills all cells in some areas, which may be empty.
static lc_status kill_areas(lc_edits *edits, lc_universe *universe, lc_area *areas, size_t count,
                            lc_message *message)
{
    const brush b = {.kind = BRUSH_DEAD};
    lc_area box = {0};
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!lc_area_is_empty(areas[i])) {
            box = lc_area_union(box, areas[i]);
            areas[used++] = areas[i];
        }
    if (!lc_universe_background(universe))
        box = (lc_area){0};
    return make_edit(edits, universe, 0, areas, used, box, &b, message);
}

static lc_status clear(lc_edits *edits, lc_universe *universe, lc_area a, bool outside,
                       lc_message *message)
{
    // If the background is dead, the bounding box has all cells that can be killed.
    lc_area box = lc_area_of_universe(universe);
    if (outside || !lc_universe_background(universe)) {
        lc_status status = find_box(universe, &box, message);
        if (status != LC_OK)
            return status;
    }
    const lc_area inner = lc_area_intersection(a, box);
    lc_area areas[4] = {inner};
    if (outside && lc_area_is_empty(inner)) {
        areas[0] = box;
    } else if (outside) {
        areas[0] = (lc_area){box.x0, box.y0, box.x1, inner.y0};
        areas[1] = (lc_area){box.x0, inner.y0, inner.x0, inner.y1};
        areas[2] = (lc_area){inner.x1, inner.y0, box.x1, inner.y1};
        areas[3] = (lc_area){box.x0, inner.y1, box.x1, box.y1};
    }
    return kill_areas(edits, universe, areas, 4, message);
}

// Whether a rectangle continues at the opposite edge.
static bool goes_round(const lc_universe *universe, const lc_rectangle *a)
{
    const lc_topology *t = lc_universe_topology(universe);
    return lc_edits_wraps(universe) &&
           ((t->width_cells != 0 && (a->x < 0 || a->x + a->width_cells > t->width_cells)) ||
            (t->height_cells != 0 && (a->y < 0 || a->y + a->height_cells > t->height_cells)));
}

lc_status lc_edits_clear(lc_edits *edits, lc_universe *universe, const lc_rectangle *area,
                         bool outside, lc_message *message)
{
    lc_area a;
    lc_status status = lc_area_of_rectangle(&a, area, message);
    if (status != LC_OK)
        return status;
    if (!outside && goes_round(universe, area))
        return lc_edits_paint(edits, universe, LC_PAINT_DEAD, 0, area, 1, true, message);
    return clear(edits, universe, a, outside, message);
}

typedef struct random_fill {
    double density;
    uint64_t seed;
} random_fill;

static lc_status fill_with_soup(void *context, lc_universe *universe, const lc_cells *area,
                                lc_message *message)
{
    const random_fill *f = context;
    return lc_universe_soup(universe, area->x, area->y, area->width_cells, area->height_cells,
                            f->density, f->seed, message);
}

// Fills band by band; the program can cancel the edit between two bands.
static lc_status fill_area(lc_edit_record *record, lc_area a, random_fill *fill,
                           lc_message *message)
{
    uint64_t *band = malloc(LC_BAND_WORDS * sizeof *band);
    if (band == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for an edit");
    lc_status status = LC_OK;
    lc_cells part = {.x = a.x0};
    for (; part.x < a.x1 && status == LC_OK; part.x += part.width_cells) {
        part.width_cells = patch_width(part.x, a.x1);
        for (part.y = a.y0; part.y < a.y1 && status == LC_OK; part.y += part.height_cells) {
            const int64_t most = LC_BAND_ROWS - (part.y & (LC_BAND_ROWS - 1));
            part.height_cells = a.y1 - part.y < most ? a.y1 - part.y : most;
            status = lc_edit_record_band(record, band, &part, fill_with_soup, fill, message);
        }
    }
    free(band);
    return status;
}

static lc_status fill_plainly(lc_edits *edits, lc_universe *universe, lc_area a, double density,
                              uint64_t seed, lc_message *message)
{
    edits->kept = true;
    a = lc_area_intersection(a, lc_area_of_universe(universe));
    if (lc_area_is_empty(a))
        return lc_universe_failure(universe, message);
    lc_status status = reserve(universe, a, message);
    if (status == LC_OK && !lc_is_bounded(universe) && !lc_universe_background(universe))
        status = lc_universe_check_room(universe, cells_of(a), density, message);
    if (status != LC_OK)
        return status;
    begin_edit(edits, universe);
    status = fill_area(&edits->record, a, &(random_fill){density, seed}, message);
    return end_edit(edits, 0, status);
}

// Pastes a soup that was made in a universe of its own.
static lc_status paste_soup(lc_edits *edits, lc_universe *universe,
                            const lc_universe_options *scratch, const lc_rectangle *area,
                            random_fill *fill, lc_edit_symmetry_kind symmetry, lc_message *message)
{
    lc_universe_options options = *scratch;
    lc_universe *soup = NULL;
    lc_clip *clip;
    options.engine = NULL;
    options.disk = NULL;
    options.rule = lc_rule_life();
    options.rule_text = NULL;
    options.topology = (lc_topology){.kind = LC_TOPOLOGY_PLANE,
                                     .width_cells = area->width_cells,
                                     .height_cells = area->height_cells};
    lc_status status = lc_clip_create(&clip, area->width_cells, area->height_cells, message);
    if (status == LC_OK)
        status = lc_universe_create(&soup, &options, message);
    if (status == LC_OK)
        status = fill_with_soup(fill, soup, lc_clip_cells(clip), message);
    if (status == LC_OK)
        status = lc_universe_read(soup, lc_clip_cells(clip), message);
    lc_universe_destroy(&soup);
    if (status == LC_OK)
        status = lc_clip_make_symmetric(clip, symmetry, message);
    if (status == LC_OK)
        status = lc_edits_paste(edits, universe, clip, area->x, area->y, LC_PASTE_COPY, message);
    lc_clip_destroy(&clip);
    return status;
}

lc_status lc_edits_fill(lc_edits *edits, lc_universe *universe, const lc_universe_options *scratch,
                        const lc_rectangle *area, double density, uint64_t seed,
                        lc_edit_symmetry_kind symmetry, lc_message *message)
{
    lc_area a;
    lc_status status = lc_area_of_rectangle(&a, area, message);
    if (status != LC_OK)
        return status;
    if (!(density >= 0 && density <= 1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the density of a fill must be between 0 and 1, not %g", density);
    if (lround(density * 65536) == 0) // so the universe need not grow
        return lc_edits_clear(edits, universe, area, false, message);
    if (symmetry != LC_EDIT_SYMMETRY_NONE || goes_round(universe, area))
        return paste_soup(edits, universe, scratch, area, &(random_fill){density, seed}, symmetry,
                          message);
    return fill_plainly(edits, universe, a, density, seed, message);
}

// Returns the smallest area with all cells that a clip can make differ from the background.
static lc_area pasted_area(const lc_universe *universe, const brush *b)
{
    const bool background = lc_universe_background(universe);
    lc_area all = {0};
    if (lc_is_bounded(universe) || (background && b->mode == LC_PASTE_OR))
        return all;
    for (size_t i = 0; i < b->place->count; i++) {
        const lc_area part = b->place->parts[i];
        const int64_t x = part.x0 - clip_column(b, part.x0);
        lc_area box = {0};
        for (int64_t y = part.y0; y < part.y1; y++)
            lc_area_widen(&box, clip_row(b, y), b->clip->width_cells, x, y,
                          background && b->mode == LC_PASTE_COPY);
        box = lc_area_intersection(box, part);
        if (!lc_area_is_empty(box))
            all = lc_area_union(all, box);
    }
    return all;
}

// Counts the live cells of a clip that lie beyond an edge.
static uint64_t count_lost(const lc_clip *clip, const brush *b)
{
    uint64_t area_cells = 0, there = 0;
    for (size_t i = 0; i < b->place->count; i++)
        area_cells += (uint64_t)cells_of(b->place->parts[i]);
    if (area_cells == (uint64_t)b->clip->width_cells * (uint64_t)b->clip->height_cells)
        return 0;
    for (size_t i = 0; i < b->place->count; i++) {
        const lc_area a = b->place->parts[i];
        for (int64_t row = a.y0; row < a.y1; row++)
            for (int64_t at = a.x0; at < a.x1; at += 64) {
                const uint64_t word =
                    clip_word(b->clip, clip_row(b, row), clip_column(b, a.x0) + at - a.x0);
                const int64_t rest = a.x1 - at;
                there += (uint64_t)__builtin_popcountll(
                    rest < 64 ? word & ((UINT64_C(1) << rest) - 1) : word);
            }
    }
    return lc_clip_population(clip) - there;
}

lc_status lc_edits_paste(lc_edits *edits, lc_universe *universe, const lc_clip *clip, int64_t x,
                         int64_t y, lc_paste_mode mode, lc_message *message)
{
    const lc_cells *cells = lc_clip_cells(clip);
    const lc_rectangle to = {x, y, cells->width_cells, cells->height_cells};
    lc_placement place;
    const brush b = {.kind = BRUSH_CLIP, .clip = cells, .place = &place, .mode = mode};
    lc_area a;
    edits->lost = 0;
    lc_status status = lc_area_of_rectangle(&a, &to, message);
    if (status != LC_OK)
        return status;
    lc_place_area(&place, universe, a, lc_edits_wraps(universe));
    const uint64_t lost = count_lost(clip, &b);
    if (mode != LC_PASTE_XOR && !lc_is_bounded(universe) && !lc_universe_background(universe)) {
        const uint64_t live = lc_clip_population(clip) - lost;
        status = lc_universe_check_room(universe, (double)live, 1, message);
    }
    if (status != LC_OK)
        return status;
    status = make_edit(edits, universe, 0, place.parts, place.count, pasted_area(universe, &b), &b,
                       message);
    edits->lost = status == LC_OK ? lost : 0;
    return status;
}

// Undoing ------------------------------------------------------------------------------------

bool lc_edits_can_undo(const lc_edits *edits)
{
    return edits->steps.done != NULL;
}

static lc_edit_step *step_to_redo(const lc_edits *edits)
{
    return edits->steps.done != NULL ? edits->steps.done->newer : edits->steps.oldest;
}

bool lc_edits_can_redo(const lc_edits *edits)
{
    return step_to_redo(edits) != NULL;
}

static lc_status apply(lc_edits *edits, lc_universe *universe, lc_edit_step *step, bool backwards,
                       lc_message *message)
{
    bool is_whole;
    lc_status status = lc_edit_record_toggle(&edits->record, universe, step, &is_whole, message);
    if (!is_whole) // the universe is lost
        lc_edits_forget(edits);
    if (status != LC_OK)
        return status;
    step->stroke = 0; // later drawing is another step
    edits->steps.done = backwards ? step->older : step;
    edits->changes++;
    edits->kept = true;
    return LC_OK;
}

lc_status lc_edits_undo(lc_edits *edits, lc_universe *universe, lc_message *message)
{
    if (edits->steps.done == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "no edit can be undone");
    return apply(edits, universe, edits->steps.done, true, message);
}

lc_status lc_edits_redo(lc_edits *edits, lc_universe *universe, lc_message *message)
{
    lc_edit_step *step = step_to_redo(edits);
    if (step == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "no edit can be redone");
    return apply(edits, universe, step, false, message);
}
