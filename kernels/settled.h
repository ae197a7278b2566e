// Tiles of a board that steps only its changing parts (settled.cu; C and CUDA C).
//
// A tile is 64 columns, half of the bits of a segment's four words, and 32 rows. A warp holds the
// tile's window in registers. The window has all cells that can affect the tile within a round, and
// some more:
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
// Each tile has a byte of flags for the parts that differ from one cycle (two rounds) earlier. Each
// flag stands for a part that a neighbour's window contains. 0: the whole tile is the same.
#ifndef LC_KERNELS_SETTLED_H
#define LC_KERNELS_SETTLED_H

#include "cuda.h"

#define LC_SETTLED_WORDS 4        // LC_K of such boards
#define LC_SETTLED_GENERATIONS 15 // per round; a cycle has two rounds
#define LC_SETTLED_COLUMNS 64
#define LC_SETTLED_ROWS 32

// Parts of a tile: its upper and lower rows, 16 columns at each end, and their intersections. Each
// cell is in one of the first two parts.
#define LC_PART_TOP 1
#define LC_PART_BOTTOM 2
#define LC_PART_LEFT 4
#define LC_PART_RIGHT 8
#define LC_PART_TOP_LEFT 16
#define LC_PART_TOP_RIGHT 32
#define LC_PART_BOTTOM_LEFT 64
#define LC_PART_BOTTOM_RIGHT 128
#define LC_PART_ALL 255

// A window that reaches beyond the board sees distant tiles through the topology. Each such tile
// has a list of these, made once, of at most this many entries.
#define LC_BEYOND_ENTRIES 32
#define LC_BEYOND_NONE (~0u)
// First entry of a list that is too short: the tile is stepped in every round.
#define LC_BEYOND_TOO_MANY (~0u - 1)

// Indices of the kernels' counters.
#define LC_SETTLED_DUE 0     // and 1, alternately: tiles on the list
#define LC_SETTLED_VISITED 2 // tiles on all lists so far
#define LC_SETTLED_LIVELY 3  // samples that differ from a cycle earlier
#define LC_SETTLED_COUNTS 4

// Tiles of a board, row by row. The windows of tiles in row 0 and column 0, and of those from
// column `right` and row `bottom` on, at most two of each, reach beyond the board.
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

// Returns the number of lists of tiles seen beyond the board: three rows of tiles, then three
// columns.
LC_INLINE unsigned int lc_settled_lists(const lc_settled_tiles *tiles)
{
    return 3 * (tiles->across + tiles->down);
}

#endif
