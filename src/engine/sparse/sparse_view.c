// Downsampled views of the sparse engine.
//
// Between two rounds the view steps only the tiles that it shows. If these are too many and the
// view may show earlier cells (lc_view.forming), it shows the beginning of the round, when
// everything is within two pixels of its current place.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/sparse/sparse.h"

enum {
    SIDE = LC_TILE_CELLS,
    MANY_TILES = 1 << 16,
    LEAST_LOG2 = 3, // smallest square for that: two of 8 cells are the 16 generations of a round
};

static void add(uint32_t *count, uint32_t live)
{
    __atomic_fetch_add(count, live, __ATOMIC_RELAXED); // workers may share a square
}

static void count_row(const lc_view *p, uint32_t word, int64_t x, uint32_t *counts)
{
    for (int64_t square; word != 0;) { // from the first live cell to the end of its square
        x += __builtin_ctz(word);
        word >>= __builtin_ctz(word);
        square = (x - p->x) >> p->log2_side;
        const int64_t here = p->x + (square + 1) * (INT64_C(1) << p->log2_side) - x;
        const uint32_t of_square = here < SIDE ? word & ((UINT32_C(1) << here) - 1) : word;
        if (square >= 0 && square < p->width)
            add(&counts[square], (uint32_t)__builtin_popcount(of_square));
        if (here >= SIDE)
            break;
        word >>= here;
        x += here;
    }
}

static void count_tile(const lc_view *p, const uint32_t *cells, int64_t x, int64_t y,
                       uint32_t *counts)
{
    const int64_t square = (x - p->x) >> p->log2_side, row = (y - p->y) >> p->log2_side;
    if (square == (x + SIDE - 1 - p->x) >> p->log2_side &&
        row == (y + SIDE - 1 - p->y) >> p->log2_side) {
        if (square >= 0 && square < p->width && row >= 0 && row < p->height)
            add(&counts[row * p->width + square], (uint32_t)lc_tile_population(cells));
        return;
    }
    for (int i = 0; i < SIDE; i++) {
        const int64_t of = (y + i - p->y) >> p->log2_side;
        if (of >= 0 && of < p->height)
            count_row(p, cells[lc_tile_word(i)], x, counts + of * p->width);
    }
}

// A view in progress.
typedef struct view {
    const lc_sparse *sparse;
    const lc_view *squares;
    uint32_t *counts;
    int layer;
    bool as_it_was; // shows the beginning of the round
} view;

static void count_one(const view *v, lc_tile_index index)
{
    const lc_sparse *s = v->sparse;
    const lc_tile *t = lc_tile_at(&s->plane, index);
    const int64_t x = lc_tile_cell(v->layer, t->x), y = lc_tile_cell(v->layer, t->y);
    _Alignas(64) uint32_t made[LC_TILE_WORDS];
    const uint32_t *cells;
    if (v->as_it_was || s->offset == 0) {
        const int copy = lc_sparse_copy(s, s->round);
        if (lc_tile_hash_population(t->names[copy]) == 0)
            return;
        cells = lc_tile_cells(&s->plane, lc_tile_at(&s->plane, index), copy);
    } else if (s->is_shown) {
        cells = lc_sparse_cells(s, index);
    } else {
        lc_sparse_show_tile(s, t, made);
        cells = made;
    }
    count_tile(v->squares, cells, x, y, v->counts);
}

static bool is_in_view(const lc_view *p, const lc_tile *t, int layer)
{
    const int64_t x = lc_tile_cell(layer, t->x), y = lc_tile_cell(layer, t->y);
    return x > p->x - SIDE && x < p->x + (p->width << p->log2_side) && y > p->y - SIDE &&
           y < p->y + (p->height << p->log2_side);
}

static void count_chunk(void *context, size_t chunk, int worker)
{
    const view *v = context;
    const lc_plane *plane = &v->sparse->plane;
    (void)worker;
    if (plane->chunks[chunk] == NULL)
        return;
    for (size_t i = 0; i < LC_PLANE_CHUNK; i++) {
        const lc_tile_index index = (lc_tile_index)(chunk * LC_PLANE_CHUNK + i);
        const lc_tile *t = lc_tile_at(plane, index);
        if (t->used && t->layer == v->layer && is_in_view(v->squares, t, v->layer))
            count_one(v, index);
    }
}

// The places in view, for looking up tiles: one row of places is a task.
typedef struct places {
    const view *view;
    int64_t x, y, width, height;
} places;

static places places_of(const view *v)
{
    const lc_view *p = v->squares;
    places a = {.view = v, .x = lc_tile_place(v->layer, p->x), .y = lc_tile_place(v->layer, p->y)};
    a.width = lc_tile_place(v->layer, p->x + (p->width << p->log2_side) - 1) - a.x + 1;
    a.height = lc_tile_place(v->layer, p->y + (p->height << p->log2_side) - 1) - a.y + 1;
    return a;
}

static void count_row_of_places(void *context, size_t row, int worker)
{
    const places *a = context;
    (void)worker;
    for (int64_t x = a->x; x < a->x + a->width; x++) {
        const lc_tile_index index =
            lc_plane_find(&a->view->sparse->plane, a->view->layer, x, a->y + (int64_t)row);
        if (index != 0)
            count_one(a->view, index);
    }
}

// Returns whether the squares of the view are made of squares of the view counts.
static bool suits_far(const lc_view *p)
{
    const int64_t mask = (INT64_C(1) << LC_VIEW_COUNTS_LOG2) - 1;
    return p->log2_side >= LC_VIEW_COUNTS_LOG2 && (p->x & mask) == 0 && (p->y & mask) == 0;
}

static bool count_from_far(lc_sparse *s, const view *v)
{
    const lc_view *p = v->squares;
    if (!suits_far(p) || (s->offset != 0 && !v->as_it_was) ||
        (s->view_counts.counts[0] == NULL && !lc_view_counts_begin(&s->view_counts, &s->plane)))
        return false;
    s->view_counts.looked_at = s->round;
    lc_view_counts_sum(&s->view_counts, v->layer, p->x >> LC_VIEW_COUNTS_LOG2,
                       p->y >> LC_VIEW_COUNTS_LOG2, p->log2_side, p->width, p->height, v->counts);
    return true;
}

static void count(lc_sparse *s, view *v)
{
    const lc_view *p = v->squares;
    places a = places_of(v);
    const bool are_few = a.width <= MANY_TILES / a.height;
    const bool are_many = !are_few && s->plane.used_count > MANY_TILES;
    if (s->offset != 0 && are_many && p->forming && p->log2_side >= LEAST_LOG2) {
        v->as_it_was = true;
        v->layer = (int)(s->round % 2);
        a = places_of(v);
    }
    if (are_many && count_from_far(s, v))
        return;
    memset(v->counts, 0, (size_t)(p->width * p->height) * sizeof *v->counts);
    if (are_few && (uint64_t)(a.width * a.height) < s->plane.used_count)
        lc_pool_run(s->config.pool, (size_t)a.height, count_row_of_places, &a);
    else
        lc_pool_run(s->config.pool, s->plane.chunk_count, count_chunk, v);
}

lc_status lc_sparse_view(lc_engine *engine, const lc_view *squares, lc_message *message)
{
    lc_sparse *s = (lc_sparse *)engine;
    const size_t size = (size_t)(squares->width * squares->height);
    uint32_t *counts = squares->counts;
    if (counts == NULL)
        counts = lc_malloc(size * sizeof *counts);
    if (counts == NULL)
        return lc_fail_memory(message, "a picture's counts");
    view v = {.sparse = s, .squares = squares, .counts = counts, .layer = lc_sparse_layer(s)};
    count(s, &v);
    if (squares->counts == NULL) {
        lc_tones_of_counts(squares->tones_of, counts, size, squares->tones);
        lc_free(counts);
    }
    return LC_OK;
}
