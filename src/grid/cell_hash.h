// The hash of cells (kernels/hash.h), computed for words of cells. lightcone/cells.h moves and
// joins hashes.
#ifndef LC_GRID_CELL_HASH_H
#define LC_GRID_CELL_HASH_H

#include <stddef.h>
#include <stdint.h>

// Returns the hash of a row: bit i of word w is cell (64 * w + i, 0). `rest`, any number, is the
// hash of the cells behind the words, counted from the first of them.
uint64_t lc_hash_words(const uint64_t *words, size_t count, uint64_t rest);

// Returns the hash of words of 32 cells, one below the other in any order. A cell in the first
// column of word i has the weight weights[i], any number.
uint64_t lc_hash_weighted(const uint32_t *words, const uint64_t *weights, size_t count);

// Returns the hash of a row at y = 0 and the rows below it. `below` is the hash of these rows,
// counted from the first of them.
uint64_t lc_hash_below(uint64_t row, uint64_t below);

#endif
