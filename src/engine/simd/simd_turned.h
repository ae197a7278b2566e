// A board that is stored lying on its side: row x of the grid is the board's column x.
//
// A row of a grid takes some words whatever its width, and is combed as a whole vector. So a board
// a few cells wide and very high would take a hundred times its cells in memory, and more in time.
// On its side it is a few long rows. At most 64 columns are turned: a row of such a board is one
// word.
#ifndef LC_ENGINE_SIMD_SIMD_TURNED_H
#define LC_ENGINE_SIMD_SIMD_TURNED_H

#include "engine/simd/simd_view.h"

// Whether a board of that size is better off on its side. One that is hardly higher than wide is
// not: its rows would have to be gathered for little.
static inline bool lc_turns(int64_t width_cells, int64_t height_cells)
{
    return width_cells <= 64 && height_cells / 4 >= width_cells;
}

// Writes the table of the grid's cells: the rule's, of cells that are seen with x and y exchanged.
void lc_turned_map(const lc_rule *rule, uint8_t table[64]);

// Row y of the board, in a word; dead beyond its width.
uint64_t lc_turned_read(const lc_grid *grid, int64_t y);
// Cells x .. x + width - 1 of it; bit i of `word` is cell x + i.
void lc_turned_write(lc_grid *grid, int64_t x, int64_t y, int64_t width_cells, uint64_t word);

// The hash of the board's rows y0 .. y1 - 1; y0 is a multiple of 64.
uint64_t lc_turned_hash(const lc_grid *grid, int64_t y0, int64_t y1);

// lc_squares_count. LC_ERROR_MEMORY.
lc_status lc_turned_count(const lc_view *squares, const lc_grid *grid, const lc_level *level,
                          lc_pool *pool, lc_message *message);

#endif
