// Rectangles of cells in the caller's memory, bounding boxes, and facts about cells.
//
// Example:
//
//     uint64_t words[8]; // 8 rows of up to 64 cells
//     const lc_cells board = {.width_cells = 8, .height_cells = 8,
//                             .words = words, .pitch_words = 1};
//     if (lc_universe_read(universe, &board, &message) == LC_OK)
//         printf("%d\n", (int)(lc_cells_row(&board, 2)[0] >> 5 & 1)); // 1 if (5, 2) is alive.
//
// Coordinates: x to the right, y down. Threads: any thread may call these functions.
#ifndef LIGHTCONE_CELLS_H
#define LIGHTCONE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/count.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Coordinates of an unbounded direction are -LC_UNIVERSE_REACH to LC_UNIVERSE_REACH. Margins, halos
// and shifts can extend beyond LC_UNIVERSE_REACH, and their coordinates still fit in 64 bits.
#define LC_UNIVERSE_REACH (INT64_C(1) << 62)
// The engine "hashlife" can jump so many generations that cells move beyond LC_UNIVERSE_REACH.
// Coordinates can become as large as 2^252. Facts, pictures and macrocell files also contain the
// cells beyond LC_UNIVERSE_REACH. Functions that handle single cells or 64-bit coordinates see only
// the cells within LC_UNIVERSE_REACH.
#define LC_WIDE_REACH_LOG2 252

// Facts, boxes and counts call every cell alive whose state is not 0.

// Bounding box: the smallest rectangle that contains all live cells. A side can be one or two cells
// longer than INT64_MAX, and is then given as INT64_MAX.
typedef struct lc_box {
    bool empty; // true: there are no live cells, and all other members are 0
    int64_t x, y, width_cells, height_cells;
} lc_box;

// Bounding box of all live cells, also of those beyond LC_UNIVERSE_REACH.
typedef struct lc_wide_box {
    bool empty;
    lc_coordinate x, y;
    lc_count width_cells, height_cells;
} lc_wide_box;

// A rectangle of cells in the caller's memory, one bit per cell and plane. Bit p of the state of
// cell (x + i, y + j) is bit i % 64 of words[p * plane_words + j * pitch_words + i / 64]. Planes
// may follow each other, or the planes of a row may, with pitch_words = planes * plane_words.
typedef struct lc_cells {
    int64_t x, y, width_cells, height_cells;
    int planes; // bits per cell; 0: as many as the rule has (lc_traits)
    uint64_t *words;
    size_t pitch_words, plane_words;
} lc_cells;

// Returns a rectangle of one row: the cells x to x + width_cells - 1 of row y, stored at `words`.
static inline lc_cells lc_row_cells(int64_t x, int64_t y, int64_t width_cells, uint64_t *words)
{
    const int64_t row_words = width_cells / 64 + (width_cells % 64 != 0);
    const lc_cells row = {x, y, width_cells, 1, 1, words, (size_t)row_words, 0};
    return row;
}

// Returns the words of the i-th row of the rectangle, in its first plane.
static inline uint64_t *lc_cells_row(const lc_cells *cells, int64_t i)
{
    return cells->words + (size_t)i * cells->pitch_words;
}

// Facts that lc_universe_facts computes, as bits of a set.
typedef enum lc_fact {
    LC_FACT_POPULATION = 1,
    LC_FACT_BOX = 2,
    LC_FACT_HASH = 4,
    LC_FACT_ALL = LC_FACT_POPULATION | LC_FACT_BOX | LC_FACT_HASH,
} lc_fact;

typedef struct lc_facts {
    lc_count population;
    lc_wide_box wide_box; // bounding box of all live cells
    lc_box box;           // bounding box of the live cells within LC_UNIVERSE_REACH
    bool is_far;          // there are live cells beyond LC_UNIVERSE_REACH
    // Hash of the live cells: the sum of 2^x * b^y over all live cells (x, y), modulo 2^64 - 1469,
    // with b = 10289942751404712512 (formats.md). If cells have several planes, the hash is the sum
    // of the hashes of the planes p, each times c^p, with c = 18226057763789390416. The same live
    // cells have the same hash with every engine, CPU level and number of threads. If two parts
    // have no live cell in common, the hashes of the parts add up to the hash of their union
    // (lc_hash_joined). If all cells move by the same distance, the new hash can be computed from
    // the old hash (lc_hash_moved). Without live cells the hash is 0.
    uint64_t hash;
} lc_facts;

// Returns the hash of the cells after all of them have moved right by `columns` and down by `rows`.
// Negative numbers move the cells left and up.
LC_API uint64_t lc_hash_moved(uint64_t hash, int64_t columns, int64_t rows);
// Returns the hash of the union of two parts, computed from the hashes of the parts. The parts must
// have no live cell in common.
LC_API uint64_t lc_hash_joined(uint64_t a, uint64_t b);

#ifdef __cplusplus
}
#endif
#endif
