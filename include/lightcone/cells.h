// Cells as they are handed over, and facts about them. Coordinates: x to the right, y down.
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

// No cell is further than this from 0: an unbounded direction has coordinates -LC_UNIVERSE_REACH ..
// LC_UNIVERSE_REACH. That leaves 64 bits room for a margin, a halo or a shift beyond them.
#define LC_UNIVERSE_REACH (INT64_C(1) << 62)
// But what an engine that leaps ("hashlife") makes of them may come further: as far as 2^252. Such
// cells are in facts, pictures and macrocell files; what handles cells one by one, or states 64
// bits, knows those within LC_UNIVERSE_REACH only.
#define LC_WIDE_REACH_LOG2 252

// The smallest rectangle that holds all live cells. From one end of all coordinates to the other
// may be up to two cells more than INT64_MAX, which such a side then is.
typedef struct lc_box {
    bool empty; // no live cell: the rest is 0
    int64_t x, y, width_cells, height_cells;
} lc_box;

// The same, wherever they are: an engine that leaps goes beyond LC_UNIVERSE_REACH.
typedef struct lc_wide_box {
    bool empty;
    lc_coordinate x, y;
    lc_count width_cells, height_cells;
} lc_wide_box;

// A rectangle of cells in somebody's memory. Cell (x + i, y + j) is bit i % 64 of
// words[j * pitch_words + i / 64]; of a rule with more than two states that is the lowest bit of
// its state, and the others follow, each plane_words words further.
typedef struct lc_cells {
    int64_t x, y, width_cells, height_cells;
    int planes; // bits a cell; 1 for all rules that there are now
    uint64_t *words;
    size_t pitch_words, plane_words;
} lc_cells;

// Cells x .. x + width_cells - 1 of row y, whose words begin at `words`. Any thread.
static inline lc_cells lc_row_cells(int64_t x, int64_t y, int64_t width_cells, uint64_t *words)
{
    const int64_t row_words = width_cells / 64 + (width_cells % 64 != 0);
    const lc_cells row = {x, y, width_cells, 1, 1, words, (size_t)row_words, 0};
    return row;
}

// The words of their i-th row. Any thread.
static inline uint64_t *lc_cells_row(const lc_cells *cells, int64_t i)
{
    return cells->words + (size_t)i * cells->pitch_words;
}

// What can be found out about cells; the values are bits of a set.
typedef enum lc_fact {
    LC_FACT_POPULATION = 1,
    LC_FACT_BOX = 2,
    LC_FACT_HASH = 4,
    LC_FACT_ALL = LC_FACT_POPULATION | LC_FACT_BOX | LC_FACT_HASH,
} lc_fact;

typedef struct lc_facts {
    lc_count population;
    // The smallest rectangle that holds all live cells; and that of those within LC_UNIVERSE_REACH,
    // which are all of them unless `is_far`.
    lc_wide_box wide_box;
    lc_box box;
    bool is_far;
    // The sum over the live cells (x, y) of 2^x * b^y modulo 2^64 - 1469, with b =
    // 10289942751404712512: see formats.md. Equal universes have equal hashes, whatever their
    // engine, level, number of threads or history of growth; parts that share no live cell add up
    // (lc_hash_joined), and moving cells multiplies their hash (lc_hash_moved). 0: no live cell.
    uint64_t hash;
} lc_facts;

// The hash of cells that are further right and down, by any numbers, also negative ones; and of two
// parts that share no live cell. Any thread.
LC_API uint64_t lc_hash_moved(uint64_t hash, int64_t columns, int64_t rows);
LC_API uint64_t lc_hash_joined(uint64_t a, uint64_t b);

#ifdef __cplusplus
}
#endif
#endif
