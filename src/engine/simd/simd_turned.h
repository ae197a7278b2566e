// Tall narrow boards, which are stored transposed: row x of the grid is column x of the board.
//
// A row of a grid takes several words even if it is narrow, and combing processes it as a whole
// vector. So a board that is a few cells wide and very high would need a hundred times the memory
// of its cells, and even more time. Transposed, it is a few long rows. Only boards of at most 64
// columns are transposed, so a row of such a board is one word.
#ifndef LC_ENGINE_SIMD_SIMD_TURNED_H
#define LC_ENGINE_SIMD_SIMD_TURNED_H

#include "engine/simd/simd_view.h"

// Whether a board of that size should be transposed. A board that is hardly higher than wide should
// not: gathering its rows would gain little.
static inline bool lc_turns(int64_t width_cells, int64_t height_cells)
{
    return width_cells <= 64 && height_cells / 4 >= width_cells;
}

// Writes the rule's table for the transposed grid, with x and y exchanged.
void lc_turned_map(const lc_rule *rule, uint8_t table[64]);

// Returns row y of the board in a word; cells beyond its width are dead.
uint64_t lc_turned_read(const lc_grid *grid, int64_t y);
// Writes cells x .. x + width_cells - 1 of row y; bit i of `word` is cell x + i.
void lc_turned_write(const lc_grid *grid, int64_t x, int64_t y, int64_t width_cells, uint64_t word);

// Returns the hash of the board's rows y0 .. y1 - 1; y0 is a multiple of 64.
uint64_t lc_turned_hash(const lc_grid *grid, int64_t y0, int64_t y1);

// Computes a view as lc_squares_count does. LC_ERROR_MEMORY.
lc_status lc_turned_count(const lc_view *squares, const lc_grid *grid, const lc_level *level,
                          lc_pool *pool, lc_message *message);

#endif
