// The map of tiles: counting the whole board once, and adding tiles up.
#include "engine/simd/tiles.h"

#include <string.h>

#include "base/memory.h"

enum {
    WANTED_PASSES = 8,
    CHUNK_TILES = 512, // as wide as the widest square
    LOG2_COLUMNS = 6,
    LOG2_ROWS = 4,
    SHARE_TILES = 1 << 15,
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t tiles_across(int64_t width_cells)
{
    return (width_cells + LC_TILE_COLUMNS - 1) / LC_TILE_COLUMNS;
}

static int64_t tiles_down(int64_t height_cells)
{
    return (height_cells + LC_TILE_ROWS - 1) / LC_TILE_ROWS;
}

bool lc_tiles_bytes(int64_t width_cells, int64_t height_cells, uint64_t *size_bytes)
{
    uint64_t tiles;
    return lc_mul_u64((uint64_t)tiles_across(width_cells), (uint64_t)tiles_down(height_cells),
                      &tiles) &&
           lc_mul_u64(tiles, 2 * sizeof(uint16_t), size_bytes);
}

void lc_tiles_init(lc_tiles *tiles, const lc_grid *grid)
{
    *tiles = (lc_tiles){.across = tiles_across(grid->width_cells),
                        .down = tiles_down(grid->height_cells)};
    tiles->size_bytes = (uint64_t)(tiles->across * tiles->down) * sizeof *tiles->of_cells;
}

void lc_tiles_free(lc_tiles *tiles)
{
    lc_free_pages(tiles->of_cells, (size_t)tiles->size_bytes);
    lc_free_pages(tiles->of_next, (size_t)tiles->size_bytes);
    *tiles = (lc_tiles){0};
}

// Both maps; false if there is no memory for them.
static bool allocate(lc_tiles *tiles)
{
    if (tiles->of_cells == NULL)
        tiles->of_cells = lc_alloc_pages((size_t)tiles->size_bytes);
    if (tiles->of_next == NULL)
        tiles->of_next = lc_alloc_pages((size_t)tiles->size_bytes);
    return tiles->of_cells != NULL && tiles->of_next != NULL;
}

// Counting all of a board ------------------------------------------------------------------------

typedef struct counting {
    const lc_grid *grid;
    const lc_simd_level *level;
    uint16_t *counts;
    int64_t share_rows; // of tiles
} counting;

void lc_tiles_count(const lc_grid *grid, const lc_simd_level *level, int64_t x, int64_t y,
                    int64_t columns, int rows, uint16_t *counts)
{
    const int64_t words = columns / 64, rest = columns % 64;
    const uint64_t *from = lc_grid_row(grid, y) + x / 64;
    level->count(counts, from, grid->pitch_words, rows, (size_t)words);
    if (rest == 0)
        return;
    uint64_t last[LC_TILE_ROWS];
    for (int row = 0; row < rows; row++)
        last[row] =
            from[(size_t)row * grid->pitch_words + (size_t)words] & ((UINT64_C(1) << rest) - 1);
    level->count(counts + words, last, 1, rows, 1);
}

static void count_share(void *context, size_t index, int worker)
{
    (void)worker;
    const counting *c = context;
    const lc_grid *grid = c->grid;
    const int64_t across = tiles_across(grid->width_cells);
    const int64_t begin = (int64_t)index * c->share_rows;
    const int64_t end = least(begin + c->share_rows, tiles_down(grid->height_cells));
    memset(c->counts + begin * across, 0, (size_t)((end - begin) * across) * sizeof *c->counts);
    for (int64_t ty = begin; ty < end; ty++) {
        const int64_t y = ty * LC_TILE_ROWS;
        lc_tiles_count(grid, c->level, 0, y, grid->width_cells,
                       (int)least(LC_TILE_ROWS, grid->height_cells - y), c->counts + ty * across);
    }
}

// Shares of whole rows of tiles, of some ten thousand tiles each.
static int64_t rows_of_share(int64_t across)
{
    return greatest(1, SHARE_TILES / across);
}

static size_t shares(const lc_tiles *tiles)
{
    const int64_t rows = rows_of_share(tiles->across);
    return (size_t)((tiles->down + rows - 1) / rows);
}

bool lc_tiles_fit(const lc_squares *s)
{
    return s->log2_side >= LOG2_COLUMNS && s->x % LC_TILE_COLUMNS == 0 && s->y % LC_TILE_ROWS == 0;
}

// How many of the cells begin .. begin + count - 1 there are.
static double overlap(int64_t begin, int64_t count, int64_t size)
{
    return (double)greatest(0, least(begin + count, size) - greatest(begin, 0));
}

bool lc_tiles_want(lc_tiles *tiles, const lc_squares *s, const lc_grid *grid,
                   const lc_simd_level *level, lc_pool *pool)
{
    if (!allocate(tiles))
        return false;
    tiles->wanted = WANTED_PASSES;
    const double cells = overlap(s->x, s->width << s->log2_side, grid->width_cells) *
                         overlap(s->y, s->height << s->log2_side, grid->height_cells);
    if (!tiles->valid && cells >= (double)grid->width_cells * (double)grid->height_cells / 4) {
        counting c = {grid, level, tiles->of_cells, rows_of_share(tiles->across)};
        lc_pool_run(pool, shares(tiles), count_share, &c);
        tiles->valid = true;
    }
    return tiles->valid;
}

uint16_t *lc_tiles_of_next(lc_tiles *tiles)
{
    if (tiles->wanted == 0)
        return NULL;
    tiles->wanted--;
    return tiles->of_next;
}

void lc_tiles_exchange(lc_tiles *tiles, bool counted)
{
    uint16_t *made = tiles->of_next;
    tiles->of_next = tiles->of_cells;
    tiles->of_cells = made;
    tiles->valid = counted;
}

// Adding up ---------------------------------------------------------------------------------------

typedef struct adding {
    const lc_squares *squares;
    const lc_tiles *tiles;
    const lc_pass *forming;
    _Atomic uint64_t population;
} adding;

// Adds tiles tx .. tx + length - 1 of a row to sums.
static void add_tiles(const adding *a, int64_t ty, int64_t tx, int64_t length, uint32_t *sums)
{
    const int64_t end = tx + length;
    while (tx < end) {
        const uint16_t *counts = a->tiles->of_cells;
        int64_t next = end;
        if (a->forming != NULL) { // a strip at a time
            const int64_t strip = a->forming->plan->keep_cells / LC_TILE_COLUMNS;
            next = least(end, (tx / strip + 1) * strip);
            if (lc_pass_finished(a->forming, tx / strip, ty * LC_TILE_ROWS))
                counts = a->tiles->of_next;
        }
        counts += ty * a->tiles->across;
        for (; tx < next; tx++)
            *sums++ += counts[tx];
    }
}

// What squares i .. i + size - 1 of row j show; counts: theirs, or NULL where there is no cell.
static void show(const lc_squares *s, int64_t j, int64_t i, int64_t size, const uint32_t *counts)
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
    const lc_squares *s = a->squares;
    const int64_t j = (int64_t)index, side = (int64_t)1 << s->log2_side;
    const int shift = s->log2_side - LOG2_COLUMNS; // from tiles to squares
    const int64_t y = (s->y + j * side) / LC_TILE_ROWS;
    const int64_t y0 = greatest(y, 0), y1 = least(y + side / LC_TILE_ROWS, a->tiles->down);
    const int64_t x = s->x / LC_TILE_COLUMNS; // of the picture; a chunk begins where a square does
    const int64_t all = s->width << shift;
    const int64_t begin = least(x < 0 ? -x / CHUNK_TILES * CHUNK_TILES : 0, all);
    const int64_t end = y0 < y1 ? least(all, a->tiles->across - x) : begin;
    int64_t shown = begin >> shift; // squares of the row
    show(s, j, 0, shown, NULL);
    for (int64_t i = begin; i < end; i += CHUNK_TILES) {
        uint32_t sums[CHUNK_TILES] = {0}; // of tiles, then of squares
        const int64_t from = greatest(i, -x), to = least(i + CHUNK_TILES, end);
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

void lc_tiles_sum(const lc_squares *s, const lc_tiles *tiles, const lc_pass *forming, lc_pool *pool)
{
    adding a = {.squares = s, .tiles = tiles, .forming = forming};
    lc_pool_run(pool, (size_t)s->height, add_row, &a);
}

static void add_share(void *context, size_t index, int worker)
{
    (void)worker;
    adding *a = context;
    const int64_t across = a->tiles->across, rows = rows_of_share(across);
    const int64_t begin = (int64_t)index * rows, end = least(begin + rows, a->tiles->down);
    uint64_t population = 0;
    for (int64_t i = begin * across; i < end * across; i++)
        population += a->tiles->of_cells[i];
    a->population += population;
}

uint64_t lc_tiles_population(const lc_tiles *tiles, lc_pool *pool)
{
    adding a = {.tiles = tiles};
    lc_pool_run(pool, shares(tiles), add_share, &a);
    return a.population;
}
