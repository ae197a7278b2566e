// Adds up tile counts: one row of squares after the other, each in chunks of tiles.
#include "engine/simd/simd_tile_sums.h"

#include <string.h>

#include "base/least.h"

enum {
    CHUNK_TILES = 512, // as wide as the widest square
    LOG2_TILE_COLUMNS = 6,
};

bool lc_tiles_fit(const lc_view *s)
{
    return s->log2_side >= LOG2_TILE_COLUMNS && s->x % LC_TILE_COLUMNS == 0 &&
           s->y % LC_TILE_ROWS == 0;
}

typedef struct adding {
    const lc_view *squares;
    const lc_tiles *tiles;
    const lc_pass *forming;
} adding;

// Adds the counts of tiles tx .. tx + length - 1 of a row to `sums`.
static void add_tiles(const adding *a, int64_t ty, int64_t tx, int64_t length, uint32_t *sums)
{
    const int64_t end = tx + length;
    while (tx < end) {
        const uint16_t *counts = a->tiles->of_cells;
        int64_t next = end;
        if (a->forming != NULL) { // a strip at a time
            const int64_t strip = a->forming->plan->keep_cells / LC_TILE_COLUMNS;
            next = lc_least(end, (tx / strip + 1) * strip);
            if (lc_pass_finished(a->forming, tx / strip, ty * LC_TILE_ROWS))
                counts = a->tiles->of_next;
        }
        counts += ty * a->tiles->across;
        for (; tx < next; tx++)
            *sums++ += counts[tx];
    }
}

// Shows the counts of squares i .. i + size - 1 of row j. `counts` NULL: the squares hold no cells
// of the board.
static void show(const lc_view *s, int64_t j, int64_t i, int64_t size, const uint32_t *counts)
{
    const int64_t at = j * s->width + i;
    if (size <= 0)
        return;
    if (s->counts != NULL && counts == NULL)
        memset(s->counts + at, 0, (size_t)size * sizeof *counts);
    else if (s->counts != NULL)
        memcpy(s->counts + at, counts, (size_t)size * sizeof *counts);
    else if (counts == NULL)
        memset(s->tones + at, 0, (size_t)size);
    else
        lc_tones_of_counts(s->tones_of, counts, (size_t)size, s->tones + at);
}

static void add_row(void *context, size_t index, int worker)
{
    (void)worker;
    const adding *a = context;
    const lc_view *s = a->squares;
    const int64_t j = (int64_t)index, side = (int64_t)1 << s->log2_side;
    const int shift = s->log2_side - LOG2_TILE_COLUMNS; // from tiles to squares
    const int64_t y = (s->y + j * side) / LC_TILE_ROWS;
    const int64_t y0 = lc_greatest(y, 0), y1 = lc_least(y + side / LC_TILE_ROWS, a->tiles->down);
    const int64_t x = s->x / LC_TILE_COLUMNS; // of the view; a chunk begins where a square does
    const int64_t all = s->width << shift;
    const int64_t begin = lc_least(x < 0 ? -x / CHUNK_TILES * CHUNK_TILES : 0, all);
    const int64_t end = y0 < y1 ? lc_least(all, a->tiles->across - x) : begin;
    int64_t shown = begin >> shift; // squares of the row shown so far
    show(s, j, 0, shown, NULL);
    for (int64_t i = begin; i < end; i += CHUNK_TILES) {
        uint32_t sums[CHUNK_TILES] = {0}; // of tiles, then of squares
        const int64_t from = lc_greatest(i, -x), to = lc_least(i + CHUNK_TILES, end);
        for (int64_t ty = y0; ty < y1; ty++)
            add_tiles(a, ty, x + from, to - from, sums + (from - i));
        const int64_t squares = ((to - 1 - i) >> shift) + 1;
        for (int64_t k = 0; k < squares && shift > 0; k++) {
            uint32_t sum = 0;
            for (int64_t tile = k << shift; tile < (k + 1) << shift; tile++)
                sum += sums[tile];
            sums[k] = sum;
        }
        show(s, j, shown, squares, sums);
        shown += squares;
    }
    show(s, j, shown, s->width - shown, NULL);
}

void lc_tiles_sum(const lc_view *s, const lc_tiles *tiles, const lc_pass *forming, lc_pool *pool)
{
    adding a = {.squares = s, .tiles = tiles, .forming = forming};
    lc_pool_run(pool, (size_t)s->height, add_row, &a);
}
