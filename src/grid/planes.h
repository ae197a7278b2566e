// Rectangles of cells of one or more planes (lightcone/cells.h): takes them apart and puts them
// together.
//
// Rectangles in the library's own buffers have no gaps: the planes of a row follow each other, and
// the rows follow each other, so any range of rows is one run of words.
//
//     row 0, plane 0 | row 0, plane 1 | row 1, plane 0 | row 1, plane 1 | ...
#ifndef LC_GRID_PLANES_H
#define LC_GRID_PLANES_H

#include "base/area.h"

// Returns the bits that states below `states`, 2 or more, need.
static inline int lc_planes_for(int states)
{
    return 32 - __builtin_clz((unsigned)states - 1);
}

// Returns the words of a row of an area of that many planes, in a buffer without gaps.
static inline size_t lc_area_row_words(lc_area area, int planes)
{
    return (size_t)((area.x1 - area.x0 + 63) / 64) * (size_t)planes;
}

// Returns an area as cells at `words`, without gaps.
static inline lc_cells lc_area_cells(lc_area area, int planes, uint64_t *words)
{
    const size_t row_words = lc_area_row_words(area, 1);
    return (lc_cells){.x = area.x0,
                      .y = area.y0,
                      .width_cells = area.x1 - area.x0,
                      .height_cells = area.y1 - area.y0,
                      .planes = planes,
                      .words = words,
                      .pitch_words = row_words * (size_t)planes,
                      .plane_words = row_words};
}

// Returns the cells x to x + width_cells - 1 of row y, at `words`, without gaps.
static inline lc_cells lc_span_cells(int64_t x, int64_t y, int64_t width_cells, int planes,
                                     uint64_t *words)
{
    return lc_area_cells((lc_area){x, y, x + width_cells, y + 1}, planes, words);
}

// Returns the words of a plane of the i-th row.
static inline uint64_t *lc_cells_plane(const lc_cells *cells, int plane, int64_t i)
{
    return lc_cells_row(cells, i) + (size_t)plane * cells->plane_words;
}

// Returns the cells of word `word` of the i-th row that are alive in any plane.
static inline uint64_t lc_cells_live_word(const lc_cells *cells, int64_t i, int64_t word)
{
    uint64_t live = 0;
    for (int plane = 0; plane < cells->planes; plane++)
        live |= lc_cells_plane(cells, plane, i)[word];
    return live;
}

// Returns whether no cell of the i-th row is alive. Reads whole words: bits behind the width are 0.
bool lc_cells_row_is_dead(const lc_cells *cells, int64_t i);

// Copies `count` cells of row `from_i` of `from`, from bit `from_bit` on, to row `to_i` of `to`,
// from bit `to_bit` on. Planes that `from` lacks are 0.
void lc_cells_copy(const lc_cells *to, int64_t to_i, int64_t to_bit, const lc_cells *from,
                   int64_t from_i, int64_t from_bit, int64_t count);
// The same with the cells in reverse order.
void lc_cells_copy_reversed(const lc_cells *to, int64_t to_i, int64_t to_bit, const lc_cells *from,
                            int64_t from_i, int64_t from_bit, int64_t count);
// The same for cells that are not dead; the others of `to` stay.
void lc_cells_merge(const lc_cells *to, int64_t to_i, int64_t to_bit, const lc_cells *from,
                    int64_t from_i, int64_t from_bit, int64_t count);
// Sets `count` cells of row i, from bit `bit` on, to a state.
void lc_cells_fill(const lc_cells *to, int64_t i, int64_t bit, int64_t count, int state);

// Finds the first cell of row i whose state is not below `states`, a number that the planes may
// exceed. Returns the state, and sets *at; 0: there is none.
int lc_cells_find_above(const lc_cells *cells, int64_t i, int states, int64_t *at);

// Counts the cells begin .. end - 1 of row i that are not dead.
int64_t lc_row_population(const lc_cells *cells, int64_t i, int64_t begin, int64_t end);

// Converts the i-th row from and to one byte per cell, its state. Bits behind the width become 0.
void lc_cells_unpack(const lc_cells *cells, int64_t i, uint8_t *states);
void lc_cells_pack(const lc_cells *cells, int64_t i, const uint8_t *states);

#endif
