// Windows: rectangles of cells that a universe must show, cell for cell.
//
// A window is taken from one universe and compared with another; or it is computed: the light cone
// of a rectangle, N generations on, holds all that can reach it, so the cells N wider on each side,
// stepped alone by the scalar engine, give the rectangle of a board too large to be stepped by it.
//
// On a torus without shift a window may lie across the edges and may even be larger than the
// board: it is then a window on the endless plane that the torus unfolds to. On a plane a light
// cone ends where the plane does. Elsewhere windows lie inside.
#ifndef LC_BENCH_BOARD_WINDOW_H
#define LC_BENCH_BOARD_WINDOW_H

#include "lightcone/universe.h"

typedef struct lc_board_window {
    int64_t x, y; // of its top left cell
    int64_t width_cells, height_cells;
    int planes; // of the rule's states
    // Plane p of row r starts at words[r * pitch_words + p * plane_words]. In a plane, bit i % 64
    // of word i / 64 is cell x + i. Bits past the width are zero.
    size_t plane_words, pitch_words;
    uint64_t *words;
} lc_board_window;

// How far round a difference its neighbourhood is shown.
enum { LC_NEIGHBOURHOOD_REACH = 4, LC_NEIGHBOURHOOD_SIDE = 2 * LC_NEIGHBOURHOOD_REACH + 1 };

// The generation of a universe that a benchmark has made: none of them gets beyond 64 bits.
uint64_t lc_bench_generation(const lc_universe *universe);

// The first cell, row by row, that is not as it must be.
typedef struct lc_difference {
    int64_t x, y;
    uint64_t generation;
    int expected_state;
    // The cells around (x, y), row by row: '.' dead, 'O' alive, 'a' to 'y' states 2 to 26, 'z' a
    // higher state, '?' not known, ' ' beyond the universe.
    char expected[LC_NEIGHBOURHOOD_SIDE][LC_NEIGHBOURHOOD_SIDE + 1];
    char found[LC_NEIGHBOURHOOD_SIDE][LC_NEIGHBOURHOOD_SIDE + 1];
} lc_difference;

// Copies a rectangle. LC_OK, LC_ERROR_MEMORY, or what lc_universe_read returns; *out then has
// no words. Freed by lc_board_window_free.
lc_status lc_board_window_take(lc_board_window *out, const lc_universe *universe, int64_t x,
                               int64_t y, int64_t width_cells, int64_t height_cells);

// What the rectangle will hold after `generations`: its light cone is cut out of `universe` and
// stepped on `threads` threads of the scalar engine. Returns as lc_board_window_take, and
// LC_ERROR_ARGUMENT if the cone leaves a universe whose edges it cannot follow.
lc_status lc_board_window_foresee(lc_board_window *out, const lc_universe *universe, int64_t x,
                                  int64_t y, int64_t width_cells, int64_t height_cells,
                                  uint64_t generations, int threads, lc_message *message);

// LC_OK; LC_ERROR_MISMATCH with *difference filled; or an error of reading.
lc_status lc_board_window_compare(const lc_board_window *expected, const lc_universe *found,
                                  lc_difference *difference);

void lc_board_window_free(lc_board_window *window);

// A torus whose rows and columns close on themselves.
bool lc_board_window_wraps(const lc_topology *topology);

#endif
