// A dense rectangle of cells, one bit each, with a margin on every side for a halo.
//
//            left margin         width              right margin (rest of the pitch)
//          +------------+--------------------------+-----------+
//          |            |  margin_rows rows        |           |
//          +------------+--------------------------+-----------+
//          |   halo     |  cell (x, y):            |   halo    |   height rows
//          |            |  bit (left + x) % 64 of  |           |
//          |            |  word (left + x) / 64    |           |
//          +------------+--------------------------+-----------+
//          |            |  margin_rows rows        |           |
//          +------------+--------------------------+-----------+
//
// Rows are pitch_words words apart. left is a multiple of 64, so interior cell 0 starts a word.
// Each user of the halo fills the margin first. Any operation may overwrite bits right of the
// width.
#ifndef LC_GRID_GRID_H
#define LC_GRID_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context_resources.h"
#include "base/least.h"
#include "lightcone/cells.h"
#include "lightcone/status.h"

typedef struct lc_grid {
    uint64_t *words;           // start of the allocation
    const lc_context *context; // owner of the memory
    size_t size_bytes;
    size_t pitch_words;
    int64_t width_cells;
    int64_t height_cells;
    int64_t margin_rows; // above, and as many below
    int64_t left_cells;  // multiple of 64
    int64_t right_cells; // bits right of the width, at least as many as requested
} lc_grid;

// Computes the bytes that a grid needs. Returns false on overflow. Sizes are 1 or more, margins 0
// or more.
bool lc_grid_bytes(int64_t width_cells, int64_t height_cells, int64_t margin_columns,
                   int64_t margin_rows, uint64_t *size_bytes);

// Creates a grid of dead cells, with margins of margin_rows rows and at least margin_columns cells.
// Vectors may read up to 1 KiB past the last row. LC_ERROR_MEMORY; LC_ERROR_LIMIT (overflow). The
// memory belongs to the context. The caller frees it with lc_grid_free, which also clears the
// struct.
lc_status lc_grid_init(lc_grid *grid, const lc_context *context, int64_t width_cells,
                       int64_t height_cells, int64_t margin_columns, int64_t margin_rows);
void lc_grid_free(lc_grid *grid);

// Returns the word that holds cell (0, y); -margin_rows <= y < height + margin_rows.
static inline uint64_t *lc_grid_row(const lc_grid *grid, int64_t y)
{
    return grid->words + (size_t)(y + grid->margin_rows) * grid->pitch_words +
           (size_t)(grid->left_cells / 64);
}

// Read and write one cell, also in the margins (x from -left_cells).
bool lc_grid_get(const lc_grid *grid, int64_t x, int64_t y);
void lc_grid_set(const lc_grid *grid, int64_t x, int64_t y, bool alive);

// Copies `count` bits from bit `from_bit` of `from` to bit `to_bit` of `to`. Other bits of `to`
// stay. Offsets may be negative. The strings must be the same or not overlap.
void lc_bits_copy(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit,
                  int64_t count);
// The same with the string reversed: bit from_bit + count-1-i goes to to_bit + i.
void lc_bits_copy_reversed(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit,
                           int64_t count);
void lc_bits_or(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit,
                int64_t count);
void lc_bits_fill(uint64_t *to, int64_t to_bit, int64_t count, bool alive);
void lc_bits_flip(uint64_t *to, int64_t to_bit, int64_t count);
// Counts the set bits begin .. end - 1.
static inline int64_t lc_bits_count(const uint64_t *words, int64_t begin, int64_t end)
{
    int64_t count = 0;
    while (begin < end) {
        const int64_t here = lc_least(end - begin, 64 - begin % 64);
        count += __builtin_popcountll(words[begin / 64] >> (begin % 64) << (64 - here));
        begin += here;
    }
    return count;
}

// Transposes 64 x 64 cells: exchanges bit i of rows[j] and bit j of rows[i].
void lc_bits_transpose(uint64_t rows[64]);

// Rounds a density to 65536ths. Returns LC_OK; LC_ERROR_ARGUMENT (it is not from 0 to 1, or this
// changes the share of live or of dead cells by more than 1 %).
lc_status lc_soup_density(uint32_t *density_16, double density, lc_message *message);

// Returns the word of a soup with cells (64 * column .. +63, y). `density_16` is the probability of
// a live cell times 65536.
uint64_t lc_soup_word(uint64_t seed, uint32_t density_16, int64_t column, int64_t y);

// Writes `count` such words, of columns column .. column + count-1.
void lc_soup_row(uint64_t seed, uint32_t density_16, int64_t column, int64_t y, uint64_t *words,
                 size_t count);

#endif
