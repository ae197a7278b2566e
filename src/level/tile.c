// Copies cells between tiles and rectangles, and finds live cells in tiles.
#include "level/tile.h"

#include "base/least.h"

enum { SIDE = LC_TILE_CELLS };

// The part of a tile that lies in a rectangle, in cells of the tile; x1 and y1 excluded.
typedef struct part {
    int x0, y0, x1, y1;
} part;

static part part_within(int64_t x, int64_t y, const lc_cells *cells)
{
    return (part){(int)lc_greatest(cells->x - x, 0), (int)lc_greatest(cells->y - y, 0),
                  (int)lc_least(cells->x + cells->width_cells - x, SIDE),
                  (int)lc_least(cells->y + cells->height_cells - y, SIDE)};
}

static uint32_t columns(part p) // x0 < x1
{
    return (uint32_t)(UINT32_MAX << p.x0) & (UINT32_MAX >> (SIDE - p.x1));
}

void lc_tile_read(const uint32_t tile[LC_TILE_WORDS], int64_t tile_x, int64_t tile_y,
                  const lc_cells *to)
{
    const part p = part_within(tile_x, tile_y, to);
    if (p.x0 >= p.x1)
        return;
    const uint32_t mask = columns(p);
    const int64_t at = tile_x + p.x0 - to->x;
    for (int y = p.y0; y < p.y1; y++) {
        const uint64_t bits = (tile[lc_tile_word(y)] & mask) >> p.x0;
        uint64_t *words = lc_cells_row(to, tile_y + y - to->y) + at / 64;
        words[0] |= bits << (at % 64);
        if (at % 64 + (p.x1 - p.x0) > 64)
            words[1] |= bits >> (64 - at % 64);
    }
}

// Returns the rectangle's cells in row y of a tile, in the columns of the part.
static uint32_t row_bits(const lc_cells *from, int64_t tile_x, int64_t tile_y, int y, part p)
{
    const uint64_t *row = lc_cells_row(from, tile_y + y - from->y);
    const int64_t at = tile_x + p.x0 - from->x;
    uint64_t bits = row[at / 64] >> (at % 64);
    if (at % 64 + (p.x1 - p.x0) > 64)
        bits |= row[at / 64 + 1] << (64 - at % 64);
    return (uint32_t)(bits << p.x0) & columns(p);
}

bool lc_tile_write(uint32_t tile[LC_TILE_WORDS], int64_t tile_x, int64_t tile_y,
                   const lc_cells *from)
{
    const part p = part_within(tile_x, tile_y, from);
    uint32_t different = 0;
    if (p.x0 >= p.x1)
        return false;
    const uint32_t mask = columns(p);
    for (int y = p.y0; y < p.y1; y++) {
        uint32_t *word = &tile[lc_tile_word(y)];
        const uint32_t now = (*word & ~mask) | row_bits(from, tile_x, tile_y, y, p);
        different |= *word ^ now;
        *word = now;
    }
    return different != 0;
}

bool lc_tile_gets_life(int64_t tile_x, int64_t tile_y, const lc_cells *from)
{
    const part p = part_within(tile_x, tile_y, from);
    uint32_t any = 0;
    if (p.x0 >= p.x1)
        return false;
    for (int y = p.y0; y < p.y1; y++)
        any |= row_bits(from, tile_x, tile_y, y, p);
    return any != 0;
}

lc_tile_margins lc_tile_margins_of(const uint32_t tile[LC_TILE_WORDS])
{
    uint32_t any = 0;
    int top = SIDE, bottom = -1;
    for (int row = 0; row < SIDE; row++) {
        const uint32_t word = tile[lc_tile_word(row)];
        any |= word;
        if (word != 0) {
            top = row < top ? row : top;
            bottom = row;
        }
    }
    return (lc_tile_margins){__builtin_ctz(any), __builtin_clz(any), top, SIDE - 1 - bottom};
}
