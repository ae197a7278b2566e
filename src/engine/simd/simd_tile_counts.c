// The map of tile counts: its memory, a count of the whole board, and the population.
#include "engine/simd/simd_tile_counts.h"

#include <string.h>

#include "base/least.h"
#include "base/memory.h"

enum {
    WANTED_PASSES = 8,
    SHARE_TILES = 1 << 15,
};

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
    *tiles = (lc_tiles){.context = grid->context,
                        .across = tiles_across(grid->width_cells),
                        .down = tiles_down(grid->height_cells)};
    tiles->size_bytes = (uint64_t)(tiles->across * tiles->down) * sizeof *tiles->of_cells;
}

void lc_tiles_free(lc_tiles *tiles)
{
    lc_context_free(tiles->context, tiles->of_cells, (size_t)tiles->size_bytes);
    lc_context_free(tiles->context, tiles->of_next, (size_t)tiles->size_bytes);
    *tiles = (lc_tiles){0};
}

// Allocates both maps. Returns false if out of memory.
static bool allocate(lc_tiles *tiles)
{
    if (tiles->of_cells == NULL)
        tiles->of_cells = lc_context_alloc(tiles->context, (size_t)tiles->size_bytes);
    if (tiles->of_next == NULL)
        tiles->of_next = lc_context_alloc(tiles->context, (size_t)tiles->size_bytes);
    return tiles->of_cells != NULL && tiles->of_next != NULL;
}

// Counting a whole board --------------------------------------------------------------------------

typedef struct counting {
    const lc_grid *grid;
    const lc_level *level;
    uint16_t *counts;
    int64_t share_rows; // of tiles
} counting;

void lc_tiles_count(const lc_grid *grid, const lc_level *level, int64_t x, int64_t y,
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
    const int64_t end = lc_least(begin + c->share_rows, tiles_down(grid->height_cells));
    memset(c->counts + begin * across, 0, (size_t)((end - begin) * across) * sizeof *c->counts);
    for (int64_t ty = begin; ty < end; ty++) {
        const int64_t y = ty * LC_TILE_ROWS;
        lc_tiles_count(grid, c->level, 0, y, grid->width_cells,
                       (int)lc_least(LC_TILE_ROWS, grid->height_cells - y),
                       c->counts + ty * across);
    }
}

// Returns the rows of tiles in a share: about SHARE_TILES tiles, at least one row.
static int64_t rows_of_share(int64_t across)
{
    return lc_greatest(1, SHARE_TILES / across);
}

static size_t shares(const lc_tiles *tiles)
{
    const int64_t rows = rows_of_share(tiles->across);
    return (size_t)((tiles->down + rows - 1) / rows);
}

// Returns how many of the cells begin .. begin + count - 1 lie within 0 .. size - 1.
static double overlap(int64_t begin, int64_t count, int64_t size)
{
    return (double)lc_greatest(0, lc_least(begin + count, size) - lc_greatest(begin, 0));
}

bool lc_tiles_want(lc_tiles *tiles, const lc_view *s, const lc_grid *grid, const lc_level *level,
                   lc_pool *pool)
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

// Population -------------------------------------------------------------------------------------

typedef struct adding {
    const lc_tiles *tiles;
    _Atomic uint64_t population;
} adding;

static void add_share(void *context, size_t index, int worker)
{
    (void)worker;
    adding *a = context;
    const int64_t across = a->tiles->across, rows = rows_of_share(across);
    const int64_t begin = (int64_t)index * rows, end = lc_least(begin + rows, a->tiles->down);
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
