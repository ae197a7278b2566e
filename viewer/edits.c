// Edits of a universe, row by row, with what was there before. See edits.h.
//
// So that an edit is done whole or not at all, everything that can fail comes first: memory for the
// step, and the universe's own for all cells that the edit brings to life (lc_universe_reserve).
// Only a GPU can still fail in the middle, and then the universe is lost anyway.
#include "edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edit_area.h"
#include "edit_steps.h"

struct lc_edits {
    lc_edit_steps steps;
    uint64_t lost_stroke; // too long to be undone, so the rest of it is not kept either
    uint64_t joint;       // the stroke of edits that are to be one step; 0: there are none
    uint64_t joints;      // how many there were
    uint64_t changes;     // how many edits have changed cells, undoing included
    uint64_t pencil_stroke;
    bool pencil_alive; // what that one draws with
    uint64_t before[LC_PATCH_WORDS], after[LC_PATCH_WORDS];
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
    lc_edits *edits = malloc(sizeof *edits);
    *out = edits;
    if (edits == NULL)
        return LC_ERROR_MEMORY;
    edits->steps = (lc_edit_steps){.limit_bytes = limit_bytes};
    edits->lost_stroke = edits->joint = edits->joints = edits->changes = edits->pencil_stroke = 0;
    edits->pencil_alive = false;
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

void lc_edits_forget(lc_edits *edits)
{
    lc_edit_steps_clear(&edits->steps);
    edits->lost_stroke = 0;
}

// Areas --------------------------------------------------------------------------------------

static lc_status make_area(bounds *out, int64_t x, int64_t y, int64_t width, int64_t height,
                           lc_message *message)
{
    *out = (bounds){.x0 = x, .y0 = y};
    if (width < 1 || height < 1 || __builtin_add_overflow(x, width, &out->x1) ||
        __builtin_add_overflow(y, height, &out->y1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "there is no rectangle of %lld x %lld cells at (%lld, %lld)",
                       (long long)width, (long long)height, (long long)x, (long long)y);
    return LC_OK;
}

static lc_status find_box(const lc_universe *universe, bounds *out, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
    const lc_box box = facts.box;
    *out = (bounds){box.x, box.y, box.x + box.width_cells, box.y + box.height_cells};
    if (status == LC_OK && facts.is_far)
        return lc_fail(message, LC_ERROR_LIMIT, "some cells live too far away to be changed");
    return status;
}

// Widens `box` by those of `count` cells from (x, y) on that are not `background`; bits past them
// are 0.
static void widen(bounds *box, const uint64_t *row, int64_t count, int64_t x, int64_t y,
                  bool background)
{
    for (int64_t i = 0; i < count; i += 64) {
        const uint64_t cells = ~UINT64_C(0) >> (count - i < 64 ? 64 - (count - i) : 0);
        const uint64_t word = background ? ~row[i / 64] & cells : row[i / 64];
        if (word != 0)
            *box = united(*box, (bounds){x + i + __builtin_ctzll(word), y,
                                         x + i + 64 - __builtin_clzll(word), y + 1});
    }
}

static lc_status reserve(lc_universe *universe, bounds a, lc_message *message)
{
    if (is_empty(a) || is_bounded(universe))
        return lc_universe_failure(universe, message);
    return lc_universe_reserve(universe, a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, message);
}

// Painting -----------------------------------------------------------------------------------

typedef struct brush {
    enum { BRUSH_DEAD, BRUSH_ALIVE, BRUSH_INVERT, BRUSH_CLIP, BRUSH_NONE } kind;
    // NONE: done elsewhere
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

// What a step needs for an area; added to both. False: more than a size_t holds.
static bool count_needs(bounds a, size_t *patches, size_t *words)
{
    const uint64_t first = (uint64_t)patch_width(a.x0, a.x1);
    const uint64_t rest = (uint64_t)a.x1 - (uint64_t)a.x0 - first;
    const uint64_t row_words = (first + 63) / 64 + (rest + 63) / 64;
    uint64_t all_words;
    return !__builtin_mul_overflow(row_words, (uint64_t)a.y1 - (uint64_t)a.y0, &all_words) &&
           !__builtin_add_overflow(*patches, 1 + (rest + LC_PATCH_CELLS - 1) / LC_PATCH_CELLS,
                                   patches) &&
           !__builtin_add_overflow(*words, all_words, words);
}

// One edit in progress.
typedef struct edit {
    lc_edits *edits;
    lc_universe *universe;
    uint64_t stroke;
    lc_edit_step *step;    // NULL: it cannot be kept
    size_t patches_before; // in the step
    bool changed;
} edit;

static edit begin_edit(lc_edits *edits, lc_universe *universe, uint64_t stroke, const bounds *areas,
                       size_t count)
{
    if (edits->joint != 0)
        stroke = edits->joint;
    edit e = {.edits = edits, .universe = universe, .stroke = stroke};
    size_t patches = 0, words = 0;
    bool fits = stroke == 0 || stroke != edits->lost_stroke;
    for (size_t i = 0; i < count && fits; i++)
        fits = count_needs(areas[i], &patches, &words);
    if (fits)
        e.step = lc_edit_steps_open(&edits->steps, stroke, patches, words);
    if (e.step != NULL)
        e.patches_before = e.step->patch_count;
    return e;
}

// Paints one patch, whose rows go to the step as they were. At any moment the step's last patch
// says how many rows have.
static lc_status paint_patch(edit *e, bounds a, const brush *b, lc_message *message)
{
    lc_edits *edits = e->edits;
    lc_edit_step *step = e->step;
    const int64_t width = a.x1 - a.x0;
    const size_t row_words = (size_t)(width + 63) / 64;
    bool changed = b->kind == BRUSH_NONE;
    if (step != NULL)
        step->patches[step->patch_count++] =
            (lc_patch){.x = a.x0, .y = a.y0, .width_cells = width, .first_word = step->word_count};
    for (int64_t y = a.y0; y < a.y1; y++) {
        const lc_cells before = lc_row_cells(a.x0, y, width, edits->before);
        const lc_cells after = lc_row_cells(a.x0, y, width, edits->after);
        lc_status status = lc_universe_read(e->universe, &before, message);
        if (status != LC_OK)
            return status;
        if (step != NULL) {
            memcpy(step->words + step->word_count, edits->before, row_words * sizeof(uint64_t));
            step->word_count += row_words;
            step->patches[step->patch_count - 1].height_cells++;
        }
        if (b->kind == BRUSH_NONE)
            continue;
        memcpy(edits->after, edits->before, row_words * sizeof(uint64_t));
        paint_row(b, a.x0, y, width, edits->after);
        if (memcmp(edits->after, edits->before, row_words * sizeof(uint64_t)) == 0)
            continue;
        status = lc_universe_write(e->universe, &after, message);
        if (status != LC_OK)
            return status;
        changed = true;
    }
    if (step != NULL && !changed)
        step->word_count = step->patches[--step->patch_count].first_word;
    e->changed |= changed;
    return LC_OK;
}

// Paints areas that lie within the universe, left to right in columns as wide as a patch.
static lc_status paint(edit *e, const bounds *areas, size_t count, const brush *b,
                       lc_message *message)
{
    if (b->kind == BRUSH_NONE && e->step == NULL)
        return LC_OK;
    for (size_t i = 0; i < count; i++) {
        bounds a = areas[i];
        for (int64_t x = a.x0; x < areas[i].x1; x = a.x1) {
            a.x0 = x;
            a.x1 = x + patch_width(x, areas[i].x1);
            lc_status status = paint_patch(e, a, b, message);
            if (status != LC_OK)
                return status;
        }
    }
    return LC_OK;
}

// Exchanges the cells of patches `first` and later with what they hold: the last one first if it is
// to be as before, so that of patches which overlap the oldest one counts.
static lc_status exchange(lc_edits *edits, lc_universe *universe, lc_edit_step *step, size_t first,
                          bool backwards, lc_message *message)
{
    const size_t count = step->patch_count - first;
    for (size_t i = 0; i < count; i++) {
        const lc_patch *p = &step->patches[backwards ? step->patch_count - 1 - i : first + i];
        const size_t row_words = lc_patch_row_words(p);
        uint64_t *words = step->words + p->first_word;
        for (int64_t row = 0; row < p->height_cells; row++, words += row_words) {
            const lc_cells before = lc_row_cells(p->x, p->y + row, p->width_cells, edits->before);
            const lc_cells after = lc_row_cells(p->x, p->y + row, p->width_cells, words);
            lc_status status = lc_universe_read(universe, &before, message);
            if (status != LC_OK)
                return status;
            if (memcmp(words, edits->before, row_words * sizeof *words) == 0)
                continue;
            status = lc_universe_write(universe, &after, message);
            if (status != LC_OK)
                return status;
            memcpy(words, edits->before, row_words * sizeof *words);
        }
    }
    return LC_OK;
}

// Puts the step into the list, or forgets all of them; or takes back what was done until it failed.
static lc_status end_edit(edit *e, lc_status status, bool *kept)
{
    lc_edits *edits = e->edits;
    lc_edit_step *step = e->step;
    const bool stays = step != NULL && lc_edit_step_is_there(&edits->steps, step);
    if (status != LC_OK && step != NULL) {
        (void)exchange(edits, e->universe, step, e->patches_before, true, NULL);
        if (step->patch_count > e->patches_before)
            step->word_count = step->patches[e->patches_before].first_word;
        step->patch_count = e->patches_before;
    }
    *kept = status != LC_OK || step != NULL || !e->changed;
    if (!*kept) {
        lc_edits_forget(edits);
        edits->lost_stroke = e->stroke;
    } else if (status == LC_OK && e->changed && edits->joint != 0) {
        lc_edit_steps_join(&edits->steps, step);
    } else if (status == LC_OK && e->changed) {
        lc_edit_steps_add(&edits->steps, step);
    } else if (!stays) {
        lc_edit_step_free(step);
    }
    edits->changes += status == LC_OK && e->changed && edits->joint == 0;
    return status;
}

// A whole edit. `alive`: the smallest area with all cells that come to differ from the background.
static lc_status make_edit(lc_edits *edits, lc_universe *universe, uint64_t stroke,
                           const bounds *areas, size_t count, bounds alive, const brush *b,
                           bool *kept, lc_message *message)
{
    *kept = true;
    lc_status status = reserve(universe, alive, message);
    if (status != LC_OK || count == 0)
        return status;
    edit e = begin_edit(edits, universe, stroke, areas, count);
    status = paint(&e, areas, count, b, message);
    return end_edit(&e, status, kept);
}

void lc_edits_begin(lc_edits *edits)
{
    edits->joint = (UINT64_C(1) << 32) + ++edits->joints; // strokes of clients have 32 bits
}

// Clears bits from..to-1.
static void clear_bits(uint64_t *words, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to;) {
        const int64_t end = (i | 63) + 1 < to ? (i | 63) + 1 : to;
        words[i / 64] &= ~((~UINT64_C(0) >> (64 - (end - i))) << (i & 63));
        i = end;
    }
}

// Whether cells of row y of a step's patch are others than before the step. Of patches that overlap
// the oldest one has what was there.
static lc_status compare_row(lc_edits *edits, const lc_universe *universe, const lc_edit_step *step,
                             size_t patch, int64_t y, bool *same, lc_message *message)
{
    const lc_patch *p = &step->patches[patch];
    const size_t row_words = lc_patch_row_words(p);
    const uint64_t *words = step->words + p->first_word + (size_t)(y - p->y) * row_words;
    const lc_cells now = lc_row_cells(p->x, y, p->width_cells, edits->before);
    lc_status status = lc_universe_read(universe, &now, message);
    *same = status == LC_OK && memcmp(words, edits->before, row_words * sizeof *words) == 0;
    if (status != LC_OK || *same)
        return status;
    for (size_t i = 0; i < row_words; i++)
        edits->before[i] ^= words[i];
    for (const lc_patch *older = step->patches; older < p; older++) {
        const bounds both = intersection((bounds){p->x, y, p->x + p->width_cells, y + 1},
                                         (bounds){older->x, older->y, older->x + older->width_cells,
                                                  older->y + older->height_cells});
        if (!is_empty(both))
            clear_bits(edits->before, both.x0 - p->x, both.x1 - p->x);
    }
    *same = true;
    for (size_t i = 0; i < row_words; i++)
        *same &= edits->before[i] == 0;
    return LC_OK;
}

// Whether all cells are as they were before a step.
static bool is_undone_by_itself(lc_edits *edits, const lc_universe *universe,
                                const lc_edit_step *step)
{
    bool same = true;
    for (size_t i = 0; i < step->patch_count && same; i++) {
        const lc_patch *p = &step->patches[i];
        for (int64_t y = p->y; y < p->y + p->height_cells && same; y++)
            if (compare_row(edits, universe, step, i, y, &same, NULL) != LC_OK)
                return false;
    }
    return same;
}

lc_status lc_edits_end(lc_edits *edits, lc_universe *universe, lc_status status, bool *kept)
{
    const lc_edit_step *step = edits->steps.joint;
    *kept = edits->lost_stroke != edits->joint;
    edits->joint = 0;
    if (status != LC_OK) {
        if (step != NULL && exchange(edits, universe, edits->steps.joint, 0, true, NULL) != LC_OK)
            lc_edits_forget(edits); // the universe is lost
        lc_edit_steps_end_joint(&edits->steps, false);
        return status;
    }
    const bool changed = !*kept || (step != NULL && !is_undone_by_itself(edits, universe, step));
    lc_edit_steps_end_joint(&edits->steps, changed);
    edits->changes += changed;
    return LC_OK;
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
static lc_status leave_out_space(const lc_universe *universe, bounds *areas, size_t count,
                                 size_t *used, lc_message *message)
{
    bool is_large = false;
    for (size_t i = 0; i < count; i++)
        is_large |= areas[i].x1 - areas[i].x0 > LC_EDIT_RUN_MAX ||
                    areas[i].y1 - areas[i].y0 > LC_EDIT_RUN_MAX;
    *used = count;
    if (!is_large || is_bounded(universe) || lc_universe_background(universe))
        return LC_OK;
    bounds box;
    lc_status status = find_box(universe, &box, message);
    if (status != LC_OK)
        return status;
    *used = 0;
    for (size_t i = 0; i < count; i++) {
        const bounds a = intersection(areas[i], box);
        if (!is_empty(a))
            areas[(*used)++] = a;
    }
    return LC_OK;
}

// Paints areas within the universe.
static lc_status paint_areas(lc_edits *edits, lc_universe *universe, lc_paint how, uint64_t stroke,
                             bounds *areas, size_t count, bool *kept, lc_message *message)
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
    bounds box = {0};
    if (how == LC_PAINT_INVERT || (how == LC_PAINT_ALIVE) != background)
        for (size_t i = 0; i < count; i++)
            box = united(box, areas[i]);
    return make_edit(edits, universe, stroke, areas, count, box, &b, kept, message);
}

lc_status lc_edits_areas(lc_edits *edits, lc_universe *universe, lc_paint paint, uint64_t stroke,
                         const lc_edit_area *areas, size_t count, bool wraps, bool *kept,
                         lc_message *message)
{
    *kept = true;
    if (count == 0)
        return lc_universe_failure(universe, message);
    wraps = wraps && lc_edits_wraps(universe);
    bounds *parts = calloc(count, (wraps ? 4 : 1) * sizeof *parts);
    if (parts == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "there is no memory for an edit");
    size_t used = 0;
    lc_status status = LC_OK;
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        const lc_edit_area *from = &areas[i];
        bounds a;
        status = make_area(&a, from->x, from->y, from->width_cells, from->height_cells, message);
        if (status == LC_OK && wraps) {
            used += place_area(universe, a, true, &parts[used]);
        } else if (status == LC_OK) {
            parts[used] = intersection(a, whole(universe));
            used += !is_empty(parts[used]);
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
    lc_edit_area *areas = calloc(count + 1, sizeof *areas);
    if (areas == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "there is no memory for an edit");
    for (size_t i = 0; i < count; i++)
        areas[i] = (lc_edit_area){runs[i].x, runs[i].y, runs[i].length, 1};
    lc_status status = lc_edits_areas(edits, universe, alive ? LC_PAINT_ALIVE : LC_PAINT_DEAD,
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
static lc_status kill_areas(lc_edits *edits, lc_universe *universe, bounds *areas, size_t count,
                            bool *kept, lc_message *message)
{
    const brush b = {.kind = BRUSH_DEAD};
    bounds box = {0};
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_empty(areas[i])) {
            box = united(box, areas[i]);
            areas[used++] = areas[i];
        }
    if (!lc_universe_background(universe))
        box = (bounds){0};
    return make_edit(edits, universe, 0, areas, used, box, &b, kept, message);
}

static lc_status clear(lc_edits *edits, lc_universe *universe, bounds a, bool outside, bool *kept,
                       lc_message *message)
{
    // If the background is dead, the bounding box has all cells that can be killed.
    bounds box = whole(universe);
    *kept = true;
    if (outside || !lc_universe_background(universe)) {
        lc_status status = find_box(universe, &box, message);
        if (status != LC_OK)
            return status;
    }
    const bounds inner = intersection(a, box);
    bounds areas[4] = {inner};
    if (outside && is_empty(inner)) {
        areas[0] = box;
    } else if (outside) {
        areas[0] = (bounds){box.x0, box.y0, box.x1, inner.y0};
        areas[1] = (bounds){box.x0, inner.y0, inner.x0, inner.y1};
        areas[2] = (bounds){inner.x1, inner.y0, box.x1, inner.y1};
        areas[3] = (bounds){box.x0, inner.y1, box.x1, box.y1};
    }
    return kill_areas(edits, universe, areas, 4, kept, message);
}

lc_status lc_edits_clear(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                         int64_t width_cells, int64_t height_cells, bool outside, bool *kept,
                         lc_message *message)
{
    bounds a;
    *kept = true;
    lc_status status = make_area(&a, x, y, width_cells, height_cells, message);
    return status != LC_OK ? status : clear(edits, universe, a, outside, kept, message);
}

lc_status lc_edits_fill(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                        int64_t width_cells, int64_t height_cells, double density, uint64_t seed,
                        bool *kept, lc_message *message)
{
    bounds a;
    *kept = true;
    lc_status status = make_area(&a, x, y, width_cells, height_cells, message);
    if (status != LC_OK)
        return status;
    if (!(density >= 0 && density <= 1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the density of a fill must be between 0 and 1, not %g", density);
    if (lround(density * 65536) == 0) // and then it need not grow
        return clear(edits, universe, a, false, kept, message);
    a = intersection(a, whole(universe));
    if (is_empty(a))
        return lc_universe_failure(universe, message);
    status = reserve(universe, a, message);
    if (status != LC_OK)
        return status;
    const brush none = {.kind = BRUSH_NONE};
    edit e = begin_edit(edits, universe, 0, &a, 1);
    status = paint(&e, &a, 1, &none, message);
    if (status == LC_OK)
        status = lc_universe_soup(universe, a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, density, seed,
                                  message);
    e.changed = true;
    return end_edit(&e, status, kept);
}

// Where a clip lies in the universe, in up to four parts: where opposite edges are joined, what
// goes beyond one of them comes in at the other, if the clip is no larger than the universe.
typedef struct pasted {
    brush brush;
    bounds parts[4];
    size_t count;
} pasted;

static lc_status place_clip(pasted *p, const lc_universe *universe, const lc_clip *clip, int64_t x,
                            int64_t y, lc_paste_mode mode, lc_message *message)
{
    bounds a;
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
        divide(&b->clip_x, clip->width_cells, t->width_cells, joined, &b->around_x, across);
    const size_t rows =
        divide(&b->clip_y, clip->height_cells, t->height_cells, joined, &b->around_y, down);
    for (size_t i = 0; i < columns * rows; i++) {
        const int64_t *h = across[i % columns], *v = down[i / columns];
        const bounds part = intersection((bounds){h[0], v[0], h[1], v[1]}, whole(universe));
        if (!is_empty(part))
            p->parts[p->count++] = part;
    }
    return LC_OK;
}

// The smallest area with all cells that a clip can make differ from the background; as far as rows
// go that are in its parts.
static bounds pasted_area(const lc_universe *universe, const pasted *p)
{
    const brush *b = &p->brush;
    const bool background = lc_universe_background(universe);
    bounds all = {0};
    if (is_bounded(universe) || (background && b->mode == LC_PASTE_OR))
        return all;
    for (size_t i = 0; i < p->count; i++) {
        const bounds part = p->parts[i];
        const int64_t x = clip_start(part.x0, b->clip_x, b->around_x);
        bounds box = {0};
        for (int64_t y = part.y0; y < part.y1; y++)
            widen(&box, clip_row(b, y), b->clip->width_cells, x, y,
                  background && b->mode == LC_PASTE_COPY);
        box = intersection(box, part);
        if (!is_empty(box))
            all = united(all, box);
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
        const bounds a = p.parts[i];
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

// The smallest area with all cells of a step that differ from the background.
static bounds kept_area(const lc_universe *universe, const lc_edit_step *step)
{
    const bool background = lc_universe_background(universe);
    bounds box = {0};
    for (size_t i = 0; i < step->patch_count && !is_bounded(universe); i++) {
        const lc_patch *p = &step->patches[i];
        const uint64_t *words = step->words + p->first_word;
        for (int64_t row = 0; row < p->height_cells; row++, words += lc_patch_row_words(p))
            widen(&box, words, p->width_cells, p->x, p->y + row, background);
    }
    return box;
}

static lc_status apply(lc_edits *edits, lc_universe *universe, lc_edit_step *step, bool backwards,
                       lc_message *message)
{
    lc_status status = reserve(universe, kept_area(universe, step), message);
    if (status != LC_OK)
        return status;
    status = exchange(edits, universe, step, 0, backwards, message);
    if (status != LC_OK) { // the universe is lost
        lc_edits_forget(edits);
        return status;
    }
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
