// The hash of cells (kernels/hash.h), computed for words of cells. lightcone/cells.h moves and
// joins hashes.
#ifndef LC_GRID_CELL_HASH_H
#define LC_GRID_CELL_HASH_H

#include <stddef.h>
#include <stdint.h>

// Returns the hash of a row. Bit i of word w is cell (64 * w + i, 0). `rest` is the hash of the
// cells behind these words, with the first of them at x = 0.
uint64_t lc_hash_words(const uint64_t *words, size_t count, uint64_t rest);

// Returns the sum of the hashes of words of 32 cells, one per row, in any order. weights[i] is the
// weight of the first cell of word i.
uint64_t lc_hash_weighted(const uint32_t *words, const uint64_t *weights, size_t count);

// Returns the hash of a row at y = 0 and the rows below it. `below` is the hash of these rows with
// the first of them at y = 0.
uint64_t lc_hash_below(uint64_t row, uint64_t below);

// Returns the hash of a plane and the planes above it. `above` is the hash of these planes with the
// first of them as plane 0.
uint64_t lc_hash_of_planes(uint64_t plane, uint64_t above);

#endif
