// The tiles of a board that is stepped by what happens on it (settled.cu), in C and CUDA C.
//
// A tile is 64 columns, half of the bits of a segment's four words, and 32 rows; its window, which
// a warp holds in registers, is all that can reach it in a round and a little more:
//
//            <- 32 ->   64    <- 32 ->      columns: 8 + 16 + 8 bits of each of four words
//           +--------+--------+--------+
//           |        :        :        |   16 rows
//           + - - - - +--------+- - - - +
//           |        |  tile  |        |   32 rows
//           + - - - - +--------+- - - - +
//           |        :        :        |   16 rows
//           +--------+--------+--------+   a lane has two of the 64 rows
//
// What a tile is asked for is whether it is what it was a cycle, two rounds, before. The answer is
// a byte a tile, a bit for each part that a neighbour's window has of it, or 0 if all of it is.
#ifndef LC_KERNELS_SETTLED_H
#define LC_KERNELS_SETTLED_H

#include "cuda.h"

#define LC_SETTLED_WORDS 4        // LC_K of boards that can be stepped so
#define LC_SETTLED_GENERATIONS 15 // a round; a cycle is two
#define LC_SETTLED_COLUMNS 64
#define LC_SETTLED_ROWS 32

// Parts of a tile: its upper and lower rows, 16 columns at its ends, and where those meet. Every
// cell is in one of the first two.
#define LC_PART_TOP 1
#define LC_PART_BOTTOM 2
#define LC_PART_LEFT 4
#define LC_PART_RIGHT 8
#define LC_PART_TOP_LEFT 16
#define LC_PART_TOP_RIGHT 32
#define LC_PART_BOTTOM_LEFT 64
#define LC_PART_BOTTOM_RIGHT 128
#define LC_PART_ALL 255

// A window that reaches beyond the board sees, through the surface, other tiles than those round
// its own. They are listed once, so many at most for each such tile.
#define LC_BEYOND_ENTRIES 32
#define LC_BEYOND_NONE (~0u)
#define LC_BEYOND_TOO_MANY (~0u - 1) // the first entry, if the list is too short: visited each time

// The places of numbers that the kernels count in.
#define LC_SETTLED_DUE 0     // and 1, in turn: tiles on the list
#define LC_SETTLED_VISITED 2 // all lists together
#define LC_SETTLED_LIVELY 3  // samples that are not what they were
#define LC_SETTLED_COUNTS 4

// Tiles of a board, row by row; `right` and `bottom` are the first column and row of tiles, but for
// the very first, whose windows reach beyond the board. There are at most two of each.
typedef struct lc_settled_tiles {
    unsigned int across, down;
    unsigned int right, bottom;
} lc_settled_tiles;

LC_INLINE unsigned int lc_settled_beyond(long long cells, int tile_cells)
{
    const long long before = cells - tile_cells - LC_SETTLED_GENERATIONS + 1;
    return before <= 0 ? 0 : (unsigned int)((before + tile_cells - 1) / tile_cells);
}

LC_INLINE lc_settled_tiles lc_settled_tiles_of(long long width_cells, long long height_cells)
{
    lc_settled_tiles tiles;
    tiles.across = (unsigned int)((width_cells + LC_SETTLED_COLUMNS - 1) / LC_SETTLED_COLUMNS);
    tiles.down = (unsigned int)((height_cells + LC_SETTLED_ROWS - 1) / LC_SETTLED_ROWS);
    tiles.right = lc_settled_beyond(width_cells, LC_SETTLED_COLUMNS);
    tiles.bottom = lc_settled_beyond(height_cells, LC_SETTLED_ROWS);
    return tiles;
}

// Lists of what windows see beyond the board: three rows of tiles, then three columns.
LC_INLINE unsigned int lc_settled_lists(const lc_settled_tiles *tiles)
{
    return 3 * (tiles->across + tiles->down);
}

#endif
