// Ages of cells, kept per cell or per pixel as stamps (grid/age_stamps.h).
//
// The cells come from lc_universe_read_alive and the tones from lc_universe_far_picture, with any
// engine. A GPU computes the tones, so only the tones of the view are copied.
#include "lightcone/ages.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "grid/age_stamps.h"
#include "universe/universe_internal.h"

enum {
    ROWS = 16,       // of a task
    WIDER = 4,       // than a view are cells that are remembered beside it, at most,
    WASTE = 16,      // and than a view that has become smaller
    WHOLE = 1 << 22, // cells: a universe that is known whole, wherever it is looked at
};

typedef struct view {
    int64_t column, row;
    int log2_side;
    int64_t width, height;
} view;

struct lc_ages {
    lc_age_clock clock;
    lc_count first;                    // the generation of tick 1
    int64_t width_cells, height_cells; // of the universe
    // One of the two, or neither; what the other has is NULL.
    lc_age_cells cells;
    bool whole; // they are all cells of the universe
    view shown; // the last picture; pixels taken for cells are its pixels
    uint8_t *tones, *seen;
    uint16_t *stamps; // of pixels
};

uint8_t lc_age_code(bool alive, double generations)
{
    return lc_age_code_of(alive, generations > 0 ? generations : 0);
}

enum { TRAILS = 64, AGES = 48, DENSITIES = 4 };

static uint8_t index_of(int code, int density)
{
    if (code < LC_AGE_CODE_ALIVE)
        return (uint8_t)(code == 2 * TRAILS - 1 ? TRAILS - 1 : (code + 1) / 2);
    const int age = (code - LC_AGE_CODE_ALIVE) * AGES / (256 - LC_AGE_CODE_ALIVE);
    return (uint8_t)(TRAILS + DENSITIES * age + density);
}

void lc_age_indices(uint8_t *codes, const uint8_t *tones, size_t count)
{
    uint8_t table[DENSITIES][256];
    for (int i = 0; i < DENSITIES; i++)
        for (int code = 0; code < 256; code++)
            table[i][code] = index_of(code, i);
    for (size_t i = 0; i < count; i++)
        codes[i] = table[tones != NULL ? tones[i] * DENSITIES / 256 : DENSITIES - 1][codes[i]];
}

lc_status lc_ages_create(lc_ages **out, lc_message *message)
{
    *out = lc_calloc(1, sizeof **out);
    return *out != NULL ? LC_OK : lc_fail_memory(message, "ages");
}

static void free_cells(lc_age_cells *cells)
{
    lc_free(cells->cells);
    lc_free(cells->seen);
    lc_free(cells->stamps);
    lc_free(cells->touched);
    *cells = (lc_age_cells){0};
}

static void free_pixels(lc_ages *a)
{
    lc_free(a->tones);
    lc_free(a->seen);
    lc_free(a->stamps);
    a->tones = a->seen = NULL;
    a->stamps = NULL;
}

void lc_ages_forget(lc_ages *a)
{
    free_cells(&a->cells);
    free_pixels(a);
    a->clock.now = 0;
    a->whole = false;
}

void lc_ages_destroy(lc_ages **ages)
{
    if (ages == NULL || *ages == NULL)
        return;
    lc_ages_forget(*ages);
    lc_free(*ages);
    *ages = NULL;
}

// The clock --------------------------------------------------------------------------------------

static size_t cell_words(const lc_age_cells *cells)
{
    return (size_t)(cells->words * cells->height);
}

static void rewrite(uint16_t *stamps, size_t count, const uint16_t *merged)
{
    for (size_t i = 0; stamps != NULL && i < count; i++)
        stamps[i] = merged[stamps[i]];
}

static void merge_ticks(lc_ages *a)
{
    static _Thread_local uint16_t merged[LC_AGE_TICKS];
    const size_t words = cell_words(&a->cells);
    lc_age_clock_merge(&a->clock, merged);
    rewrite(a->cells.stamps, 64 * words, merged);
    rewrite(a->cells.touched, words, merged);
    rewrite(a->stamps, (size_t)(a->shown.width * a->shown.height), merged);
}

// Notes a look at the universe.
static void tick(lc_ages *a, const lc_universe *u)
{
    const lc_topology *t = &u->topology;
    if (a->clock.now > 0 &&
        (a->width_cells != t->width_cells || a->height_cells != t->height_cells))
        lc_ages_forget(a);
    if (a->clock.now > 0) {
        const double since = lc_count_to_double(lc_count_distance(a->first, u->generation));
        if (lc_count_compare(u->generation, a->first) < 0 ||
            since < a->clock.generation[a->clock.now])
            lc_ages_forget(a);
    }
    if (a->clock.now == 0) {
        a->first = u->generation;
        a->width_cells = t->width_cells;
        a->height_cells = t->height_cells;
    }
    const double since = lc_count_to_double(lc_count_distance(a->first, u->generation));
    if (lc_age_clock_tick(&a->clock, since)) {
        merge_ticks(a);
        (void)lc_age_clock_tick(&a->clock, since);
    }
}

// Cells ------------------------------------------------------------------------------------------

typedef struct job {
    lc_ages *ages;
    const lc_tones *table;
    int64_t rows; // in all
    uint8_t *codes, *tones;
    uint32_t *work; // 3 * width numbers for each worker
} job;

static void note_rows(void *context, size_t index, int worker)
{
    const job *j = context;
    (void)worker;
    const int64_t first = (int64_t)index * ROWS;
    for (int64_t row = first; row < lc_least(first + ROWS, j->rows); row++)
        lc_age_cells_note(&j->ages->cells, row, (uint16_t)j->ages->clock.now);
}

static void run_rows(const lc_universe *u, job *j, lc_task task)
{
    lc_pool_run(u->pool, (size_t)((j->rows + ROWS - 1) / ROWS), task, j);
}

static lc_area area_of(const lc_age_cells *c)
{
    return (lc_area){c->x0, c->y0, c->x0 + 64 * c->words, c->y0 + c->height};
}

static lc_status see_cells(const lc_age_cells *c, const lc_universe *u, lc_message *message)
{
    const lc_cells seen = lc_area_cells(area_of(c), 1, c->seen);
    return lc_universe_read_alive(u, &seen, message);
}

static lc_status note_cells(lc_ages *a, const lc_universe *u, lc_message *message)
{
    const lc_status status = see_cells(&a->cells, u, message);
    if (status == LC_OK)
        run_rows(u, &(job){.ages = a, .rows = a->cells.height}, note_rows);
    return status;
}

// Returns whether there is memory for a stamp per cell. Columns are whole words.
static bool fits(lc_area area, uint64_t most)
{
    const uint64_t width = lc_extent(area.x0, area.x1), height = lc_extent(area.y0, area.y1);
    return width <= most && height <= most && width * height <= most;
}

static lc_area aligned(lc_area area)
{
    area.x0 &= ~INT64_C(63);
    area.x1 = (area.x1 + 63) & ~INT64_C(63);
    return area;
}

// Finds the cells of a view that exist, in whole words. Returns false if they are too many.
static bool cells_of(const lc_universe *u, const view *v, lc_area *area)
{
    if (v->log2_side > LC_TONE_SIDE_MAX)
        return false;
    const int64_t side = INT64_C(1) << v->log2_side;
    *area = (lc_area){v->column * side, v->row * side, (v->column + v->width) * side,
                      (v->row + v->height) * side};
    if (!u->free_x) {
        area->x0 = lc_least(lc_greatest(area->x0, 0), u->topology.width_cells);
        area->x1 = lc_greatest(lc_least(area->x1, u->topology.width_cells), area->x0);
    }
    if (!u->free_y) {
        area->y0 = lc_least(lc_greatest(area->y0, 0), u->topology.height_cells);
        area->y1 = lc_greatest(lc_least(area->y1, u->topology.height_cells), area->y0);
    }
    *area = aligned(*area);
    return fits(*area, LC_AGES_CELLS_MAX);
}

// Adds cells that come into view. Their live cells count as alive since the first look.
static void begin_cells(lc_age_cells *c)
{
    const size_t words = cell_words(c);
    for (size_t i = 0; i < words; i++) {
        uint64_t bits = c->cells[i] = c->seen[i];
        c->touched[i] = bits != 0;
        for (; bits != 0; bits &= bits - 1)
            c->stamps[64 * i + (size_t)__builtin_ctzll(bits)] = 1;
    }
}

// Copies the stamps of cells that both have; their bits stay. Both begin at a word.
static void keep_known(lc_age_cells *to, const lc_age_cells *from)
{
    const lc_area a = area_of(to), b = area_of(from);
    const int64_t x0 = lc_greatest(a.x0, b.x0), x1 = lc_least(a.x1, b.x1);
    if (x0 >= x1)
        return;
    const size_t count = (size_t)((x1 - x0) / 64);
    for (int64_t y = lc_greatest(a.y0, b.y0); y < lc_least(a.y1, b.y1); y++) {
        const size_t here = (size_t)((y - a.y0) * to->words + (x0 - a.x0) / 64);
        const size_t there = (size_t)((y - b.y0) * from->words + (x0 - b.x0) / 64);
        memcpy(to->cells + here, from->cells + there, count * sizeof *to->cells);
        memcpy(to->touched + here, from->touched + there, count * sizeof *to->touched);
        memcpy(to->stamps + 64 * here, from->stamps + 64 * there, 64 * count * sizeof *to->stamps);
    }
}

static lc_status move_cells(lc_ages *a, const lc_universe *u, lc_area area, lc_message *message)
{
    lc_age_cells fresh = {.x0 = area.x0,
                          .y0 = area.y0,
                          .words = (area.x1 - area.x0) / 64,
                          .height = area.y1 - area.y0};
    const size_t words = cell_words(&fresh);
    fresh.cells = lc_calloc(words, sizeof *fresh.cells);
    fresh.seen = lc_calloc(words, sizeof *fresh.seen);
    fresh.touched = lc_calloc(words, sizeof *fresh.touched);
    fresh.stamps = lc_calloc(words, 64 * sizeof *fresh.stamps);
    if (fresh.cells == NULL || fresh.seen == NULL || fresh.touched == NULL ||
        fresh.stamps == NULL) {
        free_cells(&fresh);
        return lc_fail_memory(message, "the ages of %llu cells", (unsigned long long)words * 64);
    }
    lc_age_cells old = a->cells;
    a->cells = fresh;
    const lc_status status = words > 0 ? see_cells(&fresh, u, message) : LC_OK;
    if (status == LC_OK) {
        begin_cells(&fresh);
        keep_known(&fresh, &old);
    }
    free_cells(&old);
    return status;
}

// Makes the stamps cover the cells of a view.
static lc_status look_at_cells(lc_ages *a, const lc_universe *u, lc_area wanted,
                               lc_message *message)
{
    const lc_topology *t = &u->topology;
    const lc_area now = area_of(&a->cells);
    const lc_area all = aligned((lc_area){0, 0, t->width_cells, t->height_cells});
    const bool has_cells = a->cells.cells != NULL;
    const uint64_t size = lc_extent(wanted.x0, wanted.x1) * lc_extent(wanted.y0, wanted.y1);
    if (has_cells && lc_area_contains(now, wanted) &&
        (a->whole || 64 * (uint64_t)cell_words(&a->cells) / WASTE <= size))
        return LC_OK;
    a->whole = !u->free_x && !u->free_y && fits(all, WHOLE);
    if (a->whole)
        return move_cells(a, u, all, message);
    if (has_cells) { // where it was looked at before is remembered, as far as that is not much more
        const lc_area both = lc_area_union(now, wanted);
        if (fits(both, lc_least_u64(LC_AGES_CELLS_MAX, WIDER * size)))
            wanted = both;
    }
    return move_cells(a, u, wanted, message);
}

// Pixels -----------------------------------------------------------------------------------------

static lc_status see_pixels(lc_ages *a, const lc_universe *u, lc_message *message)
{
    const view *v = &a->shown;
    return lc_universe_far_picture(u, v->column, v->row, v->log2_side, v->width, v->height, a->seen,
                                   message);
}

static lc_status note_pixels(lc_ages *a, const lc_universe *u, lc_message *message)
{
    const size_t count = (size_t)(a->shown.width * a->shown.height);
    const uint16_t stamp = (uint16_t)a->clock.now;
    lc_status status = see_pixels(a, u, message);
    for (size_t i = 0; status == LC_OK && i < count; i++) {
        if (a->tones[i] != a->seen[i])
            a->stamps[i] = stamp;
        a->tones[i] = a->seen[i];
    }
    return status;
}

static bool is_same_view(const view *a, const view *b)
{
    return a->column == b->column && a->row == b->row && a->log2_side == b->log2_side &&
           a->width == b->width && a->height == b->height;
}

static lc_status look_at_pixels(lc_ages *a, const lc_universe *u, const view *v,
                                lc_message *message)
{
    if (a->tones != NULL && is_same_view(&a->shown, v))
        return LC_OK;
    const view old = a->shown;
    uint8_t *tones = a->tones;
    uint16_t *stamps = a->stamps;
    const size_t count = (size_t)(v->width * v->height);
    lc_free(a->seen);
    a->tones = lc_malloc(count);
    a->seen = lc_malloc(count);
    a->stamps = lc_malloc(count * sizeof *stamps);
    a->shown = *v;
    lc_status status = LC_OK;
    if (a->tones == NULL || a->seen == NULL || a->stamps == NULL)
        status = lc_fail_memory(message, "the ages of a picture");
    if (status == LC_OK)
        status = see_pixels(a, u, message);
    for (size_t i = 0; status == LC_OK && i < count; i++) {
        a->tones[i] = a->seen[i];
        a->stamps[i] = a->tones[i] != 0;
    }
    if (status == LC_OK && tones != NULL && old.log2_side == v->log2_side) {
        const int64_t x0 = lc_greatest(old.column, v->column);
        const int64_t x1 = lc_least(old.column + old.width, v->column + v->width);
        const int64_t y1 = lc_least(old.row + old.height, v->row + v->height);
        for (int64_t y = lc_greatest(old.row, v->row); x0 < x1 && y < y1; y++) {
            const int64_t here = (y - v->row) * v->width + x0 - v->column;
            const int64_t there = (y - old.row) * old.width + x0 - old.column;
            memcpy(a->tones + here, tones + there, (size_t)(x1 - x0));
            memcpy(a->stamps + here, stamps + there, (size_t)(x1 - x0) * sizeof *stamps);
        }
    }
    lc_free(tones);
    lc_free(stamps);
    return status;
}

// Both -------------------------------------------------------------------------------------------

static lc_status fail_without_ages(lc_message *message)
{
    return lc_fail(message, LC_ERROR_ARGUMENT, "the ages are NULL");
}

lc_status lc_ages_note(lc_ages *a, const lc_universe *u, lc_message *message)
{
    if (a == NULL)
        return fail_without_ages(message);
    LC_RETURN_FAILURE(u, message);
    if (a->clock.now == 0)
        return LC_OK;
    tick(a, u);
    lc_status status = a->cells.cells != NULL ? note_cells(a, u, message)
                       : a->tones != NULL     ? note_pixels(a, u, message)
                                              : LC_OK;
    if (status != LC_OK)
        lc_ages_forget(a);
    return status;
}

static lc_status look(lc_ages *a, const lc_universe *u, const view *v, lc_message *message)
{
    lc_area area;
    tick(a, u);
    lc_status status;
    if (cells_of(u, v, &area)) {
        free_pixels(a);
        status = look_at_cells(a, u, area, message);
        if (status == LC_OK && cell_words(&a->cells) > 0)
            status = note_cells(a, u, message);
        a->shown = *v;
    } else {
        free_cells(&a->cells);
        status = look_at_pixels(a, u, v, message);
        if (status == LC_OK)
            status = note_pixels(a, u, message);
    }
    return status;
}

static void draw_codes(void *context, size_t index, int worker)
{
    const job *j = context;
    const view *v = &j->ages->shown;
    const lc_age_cells *c = &j->ages->cells;
    (void)worker;
    const int64_t first = (int64_t)index * ROWS;
    const int64_t x0 = lc_greatest(v->column, c->x0);
    const int64_t x1 = lc_least(v->column + v->width, c->x0 + 64 * c->words);
    for (int64_t i = first; i < lc_least(first + ROWS, j->rows); i++) {
        const int64_t y = v->row + i;
        uint8_t *codes = j->codes + i * v->width;
        memset(codes, 0, (size_t)v->width);
        if (x0 < x1 && y >= c->y0 && y < c->y0 + c->height)
            lc_age_cells_codes(c, &j->ages->clock, x0, y, x1 - x0, codes + x0 - v->column);
        for (int64_t k = 0; j->tones != NULL && k < v->width; k++)
            j->tones[i * v->width + k] = codes[k] >= LC_AGE_CODE_ALIVE ? 255 : 0;
    }
}

static void draw_squares(void *context, size_t index, int worker)
{
    const job *j = context;
    const view *v = &j->ages->shown;
    const int64_t first = (int64_t)index * ROWS, side = INT64_C(1) << v->log2_side;
    for (int64_t i = first; i < lc_least(first + ROWS, j->rows); i++)
        lc_age_cells_squares(&j->ages->cells, &j->ages->clock, v->column * side,
                             (v->row + i) * side, v->log2_side, v->width, j->table,
                             j->work + 3 * worker * v->width, j->codes + i * v->width,
                             j->tones != NULL ? j->tones + i * v->width : NULL);
}

static lc_status draw(lc_ages *a, const lc_universe *u, uint8_t *codes, uint8_t *tones,
                      lc_message *message)
{
    const view *v = &a->shown;
    lc_tones table;
    job j = {.ages = a, .table = &table, .rows = v->height, .codes = codes, .tones = tones};
    lc_age_clock_code(&a->clock);
    if (v->log2_side == 0) {
        run_rows(u, &j, draw_codes);
        return LC_OK;
    }
    const size_t numbers = 3 * (size_t)v->width * (size_t)lc_pool_threads(u->pool);
    j.work = lc_malloc(numbers * sizeof *j.work);
    if (j.work == NULL)
        return lc_fail_memory(message, "a picture");
    lc_tones_prepare(&table, v->log2_side);
    run_rows(u, &j, draw_squares);
    lc_free(j.work);
    return LC_OK;
}

// Treats each pixel as a cell.
static void draw_pixels(lc_ages *a, uint8_t *codes, uint8_t *tones)
{
    const size_t count = (size_t)(a->shown.width * a->shown.height);
    lc_age_clock_code(&a->clock);
    for (size_t i = 0; i < count; i++)
        codes[i] = a->clock.codes[a->tones[i] != 0][a->stamps[i]];
    if (tones != NULL)
        memcpy(tones, a->tones, count);
}

lc_status lc_ages_picture(lc_ages *a, const lc_universe *u, int64_t column, int64_t row,
                          int log2_side, int64_t width, int64_t height, uint8_t *codes,
                          uint8_t *tones, lc_message *message)
{
    const view v = {column, row, log2_side, width, height};
    if (a == NULL)
        return fail_without_ages(message);
    lc_status status = lc_check_far_view(column, row, log2_side, width, height, message);
    if (status == LC_OK)
        status = lc_universe_failure(u, message);
    if (status != LC_OK)
        return status;
    status = look(a, u, &v, message);
    if (status == LC_OK && a->cells.cells != NULL)
        status = draw(a, u, codes, tones, message);
    else if (status == LC_OK)
        draw_pixels(a, codes, tones);
    if (status != LC_OK)
        lc_ages_forget(a);
    return status;
}
