// Edits of a universe, row by row. See edits.h.
//
// What cannot be had is asked for first: the universe's own memory for all cells that an edit
// brings to life (lc_universe_reserve), or the least that they can take (lc_universe_check_room).
// What fails after that is changed back (edit_record.h).
#include "edit/edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edit/edit_area.h"
#include "edit/edit_record.h"

// From so many cells on it is worth knowing the population to find out whether there is room.
static const double many_cells = 1 << 24;

struct lc_edits {
    lc_edit_steps steps;
    lc_edit_record record; // of the edit in hand
    uint64_t lost_stroke;  // too long to be undone, so the rest of it is not kept either
    bool is_joint;         // the edits in hand are to be one step
    uint64_t changes;      // how many edits have changed cells, undoing included
    uint64_t pencil_stroke;
    bool pencil_alive; // what that one draws with
};

bool lc_paste_mode_named(const char *name, lc_paste_mode *mode)
{
    static const char *const names[] = {
        [LC_PASTE_OR] = "or", [LC_PASTE_COPY] = "copy", [LC_PASTE_XOR] = "xor"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *mode = (lc_paste_mode)i;
            return true;
        }
    }
    return false;
}

lc_status lc_edits_create(lc_edits **out, size_t limit_bytes)
{
    lc_edits *edits = calloc(1, sizeof *edits);
    *out = edits;
    if (edits == NULL)
        return LC_ERROR_MEMORY;
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

static lc_status make_area(lc_area *out, int64_t x, int64_t y, int64_t width, int64_t height,
                           lc_message *message)
{
    *out = (lc_area){.x0 = x, .y0 = y};
    if (width < 1 || height < 1 || __builtin_add_overflow(x, width, &out->x1) ||
        __builtin_add_overflow(y, height, &out->y1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "there is no rectangle of %lld x %lld cells at (%lld, %lld)",
                       (long long)width, (long long)height, (long long)x, (long long)y);
    return LC_OK;
}

static lc_status find_box(const lc_universe *universe, lc_area *out, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
    const lc_box box = facts.box;
    *out = (lc_area){box.x, box.y, box.x + box.width_cells, box.y + box.height_cells};
    if (status == LC_OK && facts.is_far)
        return lc_fail(message, LC_ERROR_LIMIT, "some cells live too far away to be changed");
    return status;
}

static lc_status reserve(lc_universe *universe, lc_area a, lc_message *message)
{
    if (lc_area_is_empty(a) || lc_is_bounded(universe))
        return lc_universe_failure(universe, message);
    return lc_universe_reserve(universe, a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, message);
}

// Painting -----------------------------------------------------------------------------------

typedef struct brush {
    enum { BRUSH_DEAD, BRUSH_ALIVE, BRUSH_INVERT, BRUSH_CLIP } kind;
    const lc_clip *clip;
    int64_t clip_x, clip_y;
    int64_t around_x,
        around_y; // what leaves by an edge comes back after so many cells; 0: it does not
    lc_paste_mode mode;
} brush;

// 64 cells of a clip's row from x on, 0 <= x < width; past the width they are dead.
static uint64_t clip_word(const lc_clip *clip, const uint64_t *row, int64_t x)
{
    const size_t i = (size_t)x / 64;
    const unsigned place = (unsigned)(x % 64);
    uint64_t word = row[i] >> place;
    if (place != 0 && i + 1 < clip->pitch_words)
        word |= row[i + 1] << (64 - place);
    return word;
}

// Where the clip begins for the cells from `at` on: at `start`, or once around before it.
static int64_t clip_start(int64_t at, int64_t start, int64_t around)
{
    return at < start ? start - around : start;
}

// The clip's row that lies on row y of the universe.
static const uint64_t *clip_row(const brush *b, int64_t y)
{
    const int64_t first = clip_start(y, b->clip_y, b->around_y);
    return b->clip->words + (size_t)(y - first) * b->clip->pitch_words;
}

static void paste_row(const brush *b, int64_t x, int64_t y, size_t words, uint64_t *row)
{
    const uint64_t *from = clip_row(b, y);
    const int64_t column = x - clip_start(x, b->clip_x, b->around_x);
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

// The width of the next patch of a row that begins at x: up to a multiple of the widest one, since
// GPUs hand out cells in tiles.
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

// Puts the step into the list, or forgets all of them; or changes back what was done until it
// failed.
static lc_status end_edit(lc_edits *edits, uint64_t stroke, lc_status status, bool *kept)
{
    lc_edit_record *record = &edits->record;
    *kept = true;
    if (edits->is_joint) // it is a part of something that is not over
        return status;
    if (status != LC_OK) {
        if (!lc_edit_record_go_back(record))
            lc_edits_forget(edits); // the universe is lost
        return status;
    }
    if (record->has_changed) {
        edits->changes++;
        *kept = record->is_whole && (stroke == 0 || stroke != edits->lost_stroke) &&
                lc_edit_steps_take(&edits->steps, &record->step, stroke);
    }
    if (!*kept) {
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

// A whole edit. `alive`: the smallest area with all cells that come to differ from the background.
static lc_status make_edit(lc_edits *edits, lc_universe *universe, uint64_t stroke,
                           const lc_area *areas, size_t count, lc_area alive, const brush *b,
                           bool *kept, lc_message *message)
{
    *kept = true;
    lc_status status = reserve(universe, alive, message);
    if (status != LC_OK || count == 0)
        return status;
    begin_edit(edits, universe);
    status = paint(&edits->record, areas, count, b, message);
    return end_edit(edits, stroke, status, kept);
}

void lc_edits_begin(lc_edits *edits, lc_universe *universe)
{
    begin_edit(edits, universe);
    edits->is_joint = true;
}

lc_status lc_edits_end(lc_edits *edits, lc_status status, bool *kept)
{
    lc_edit_record *record = &edits->record;
    edits->is_joint = false;
    if (status == LC_OK && record->has_changed && record->is_whole)
        record->has_changed = !lc_edit_step_is_void(&record->step);
    return end_edit(edits, 0, status, kept);
}

uint64_t lc_edits_changes(const lc_edits *edits)
{
    return edits->changes;
}

// Edits --------------------------------------------------------------------------------------

bool lc_edits_wraps(const lc_universe *universe)
{
    const lc_topology *t = lc_universe_topology(universe);
    return t->kind == LC_TOPOLOGY_TORUS && t->shift_x_cells == 0 && t->shift_y_cells == 0;
}

// What is killed far out in an unbounded universe was dead before, and need not be looked at.
static lc_status leave_out_space(const lc_universe *universe, lc_area *areas, size_t count,
                                 size_t *used, lc_message *message)
{
    bool is_large = false;
    for (size_t i = 0; i < count; i++)
        is_large |= areas[i].x1 - areas[i].x0 > LC_EDIT_RUN_MAX ||
                    areas[i].y1 - areas[i].y0 > LC_EDIT_RUN_MAX;
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

// Whether there may be room for the cells of some areas, all alive or all others than now. Areas
// may overlap: those are counted that come one below the other, or one beside the other.
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
    if (inverted) { // of those that live no more than all could be there
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
                             lc_area *areas, size_t count, bool *kept, lc_message *message)
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
    return make_edit(edits, universe, stroke, areas, count, box, &b, kept, message);
}

lc_status lc_edits_paint(lc_edits *edits, lc_universe *universe, lc_paint paint, uint64_t stroke,
                         const lc_rectangle *areas, size_t count, bool wraps, bool *kept,
                         lc_message *message)
{
    *kept = true;
    if (count == 0)
        return lc_universe_failure(universe, message);
    wraps = wraps && lc_edits_wraps(universe);
    lc_area *parts = calloc(count, (wraps ? 4 : 1) * sizeof *parts);
    if (parts == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for an edit");
    size_t used = 0;
    lc_status status = LC_OK;
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        const lc_rectangle *from = &areas[i];
        lc_area a;
        status = make_area(&a, from->x, from->y, from->width_cells, from->height_cells, message);
        if (status == LC_OK && wraps) {
            used += lc_area_place(universe, a, true, &parts[used]);
        } else if (status == LC_OK) {
            parts[used] = lc_area_intersection(a, lc_area_of_universe(universe));
            used += !lc_area_is_empty(parts[used]);
        }
    }
    if (status == LC_OK)
        status = paint_areas(edits, universe, paint, stroke, parts, used, kept, message);
    free(parts);
    return status;
}

lc_status lc_edits_cells(lc_edits *edits, lc_universe *universe, bool alive, uint64_t stroke,
                         const lc_edit_run *runs, size_t count, bool *kept, lc_message *message)
{
    *kept = true;
    for (size_t i = 0; i < count; i++)
        if (runs[i].length < 1 || runs[i].length > LC_EDIT_RUN_MAX)
            return lc_fail(message, LC_ERROR_ARGUMENT,
                           "a run cannot have %lld cells: 1 to 2^24 are possible",
                           (long long)runs[i].length);
    lc_rectangle *areas = calloc(count + 1, sizeof *areas);
    if (areas == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for an edit");
    for (size_t i = 0; i < count; i++)
        areas[i] = (lc_rectangle){runs[i].x, runs[i].y, runs[i].length, 1};
    lc_status status = lc_edits_paint(edits, universe, alive ? LC_PAINT_ALIVE : LC_PAINT_DEAD,
                                      stroke, areas, count, false, kept, message);
    free(areas);
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

// Kills all cells in some areas; areas without cells are skipped here.
static lc_status kill_areas(lc_edits *edits, lc_universe *universe, lc_area *areas, size_t count,
                            bool *kept, lc_message *message)
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
    return make_edit(edits, universe, 0, areas, used, box, &b, kept, message);
}

static lc_status clear(lc_edits *edits, lc_universe *universe, lc_area a, bool outside, bool *kept,
                       lc_message *message)
{
    // If the background is dead, the bounding box has all cells that can be killed.
    lc_area box = lc_area_of_universe(universe);
    *kept = true;
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
    return kill_areas(edits, universe, areas, 4, kept, message);
}

lc_status lc_edits_clear(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                         int64_t width_cells, int64_t height_cells, bool outside, bool *kept,
                         lc_message *message)
{
    lc_area a;
    *kept = true;
    lc_status status = make_area(&a, x, y, width_cells, height_cells, message);
    return status != LC_OK ? status : clear(edits, universe, a, outside, kept, message);
}

typedef struct random_fill {
    double density;
    uint64_t seed;
} random_fill;

static lc_status sow(void *context, lc_universe *universe, const lc_cells *area,
                     lc_message *message)
{
    const random_fill *f = context;
    return lc_universe_soup(universe, area->x, area->y, area->width_cells, area->height_cells,
                            f->density, f->seed, message);
}

// In bands, so that it can be given up between them.
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
            status = lc_edit_record_band(record, band, &part, sow, fill, message);
        }
    }
    free(band);
    return status;
}

lc_status lc_edits_fill(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                        int64_t width_cells, int64_t height_cells, double density, uint64_t seed,
                        bool *kept, lc_message *message)
{
    lc_area a;
    *kept = true;
    lc_status status = make_area(&a, x, y, width_cells, height_cells, message);
    if (status != LC_OK)
        return status;
    if (!(density >= 0 && density <= 1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the density of a fill must be between 0 and 1, not %g", density);
    if (lround(density * 65536) == 0) // and then it need not grow
        return clear(edits, universe, a, false, kept, message);
    a = lc_area_intersection(a, lc_area_of_universe(universe));
    if (lc_area_is_empty(a))
        return lc_universe_failure(universe, message);
    status = reserve(universe, a, message);
    if (status == LC_OK && !lc_is_bounded(universe) && !lc_universe_background(universe))
        status = lc_universe_check_room(universe, cells_of(a), density, message);
    if (status != LC_OK)
        return status;
    begin_edit(edits, universe);
    status = fill_area(&edits->record, a, &(random_fill){density, seed}, message);
    return end_edit(edits, 0, status, kept);
}

// Where a clip lies in the universe, in up to four parts: where opposite edges are joined, what
// goes beyond one of them comes in at the other, if the clip is no larger than the universe.
typedef struct pasted {
    brush brush;
    lc_area parts[4];
    size_t count;
} pasted;

static lc_status place_clip(pasted *p, const lc_universe *universe, const lc_clip *clip, int64_t x,
                            int64_t y, lc_paste_mode mode, lc_message *message)
{
    lc_area a;
    lc_status status = make_area(&a, x, y, clip->width_cells, clip->height_cells, message);
    if (status != LC_OK)
        return status;
    const lc_topology *t = lc_universe_topology(universe);
    const bool joined = lc_edits_wraps(universe);
    *p = (pasted){
        .brush = {.kind = BRUSH_CLIP, .clip = clip, .clip_x = x, .clip_y = y, .mode = mode}};
    brush *b = &p->brush;
    int64_t across[2][2], down[2][2];
    const size_t columns =
        lc_divide_side(&b->clip_x, clip->width_cells, t->width_cells, joined, &b->around_x, across);
    const size_t rows =
        lc_divide_side(&b->clip_y, clip->height_cells, t->height_cells, joined, &b->around_y, down);
    for (size_t i = 0; i < columns * rows; i++) {
        const int64_t *h = across[i % columns], *v = down[i / columns];
        const lc_area part =
            lc_area_intersection((lc_area){h[0], v[0], h[1], v[1]}, lc_area_of_universe(universe));
        if (!lc_area_is_empty(part))
            p->parts[p->count++] = part;
    }
    return LC_OK;
}

// The smallest area with all cells that a clip can make differ from the background; as far as rows
// go that are in its parts.
static lc_area pasted_area(const lc_universe *universe, const pasted *p)
{
    const brush *b = &p->brush;
    const bool background = lc_universe_background(universe);
    lc_area all = {0};
    if (lc_is_bounded(universe) || (background && b->mode == LC_PASTE_OR))
        return all;
    for (size_t i = 0; i < p->count; i++) {
        const lc_area part = p->parts[i];
        const int64_t x = clip_start(part.x0, b->clip_x, b->around_x);
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

lc_status lc_edits_paste(lc_edits *edits, lc_universe *universe, const lc_clip *clip, int64_t x,
                         int64_t y, lc_paste_mode mode, bool *kept, lc_message *message)
{
    pasted p;
    *kept = true;
    lc_status status = place_clip(&p, universe, clip, x, y, mode, message);
    if (status != LC_OK)
        return status;
    if (mode != LC_PASTE_XOR && !lc_is_bounded(universe) && !lc_universe_background(universe)) {
        const uint64_t live = clip->population - lc_edits_paste_loses(universe, clip, x, y);
        status = lc_universe_check_room(universe, (double)live, 1, message);
    }
    if (status != LC_OK)
        return status;
    return make_edit(edits, universe, 0, p.parts, p.count, pasted_area(universe, &p), &p.brush,
                     kept, message);
}

uint64_t lc_edits_paste_loses(const lc_universe *universe, const lc_clip *clip, int64_t x,
                              int64_t y)
{
    pasted p;
    if (place_clip(&p, universe, clip, x, y, LC_PASTE_OR, NULL) != LC_OK)
        return clip->population;
    uint64_t area_cells = 0, there = 0;
    for (size_t i = 0; i < p.count; i++)
        area_cells +=
            (uint64_t)(p.parts[i].x1 - p.parts[i].x0) * (uint64_t)(p.parts[i].y1 - p.parts[i].y0);
    if (area_cells == (uint64_t)clip->width_cells * (uint64_t)clip->height_cells)
        return 0;
    for (size_t i = 0; i < p.count; i++) {
        const lc_area a = p.parts[i];
        const int64_t first = clip_start(a.x0, p.brush.clip_x, p.brush.around_x);
        for (int64_t row = a.y0; row < a.y1; row++)
            for (int64_t at = a.x0; at < a.x1; at += 64) {
                const uint64_t word = clip_word(clip, clip_row(&p.brush, row), at - first);
                const int64_t rest = a.x1 - at;
                there += (uint64_t)__builtin_popcountll(
                    rest < 64 ? word & ((UINT64_C(1) << rest) - 1) : word);
            }
    }
    return clip->population - there;
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
    step->stroke = 0; // what is drawn from now on is another step
    edits->steps.done = backwards ? step->older : step;
    edits->changes++;
    return LC_OK;
}

lc_status lc_edits_undo(lc_edits *edits, lc_universe *universe, lc_message *message)
{
    if (edits->steps.done == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is nothing to undo");
    return apply(edits, universe, edits->steps.done, true, message);
}

lc_status lc_edits_redo(lc_edits *edits, lc_universe *universe, lc_message *message)
{
    lc_edit_step *step = step_to_redo(edits);
    if (step == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is nothing to redo");
    return apply(edits, universe, step, false, message);
}
