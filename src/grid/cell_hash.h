// The hash of cells (see kernels/hash.h) in plain words; lightcone/universe.h has how hashes are
// moved and joined.
#ifndef LC_GRID_CELL_HASH_H
#define LC_GRID_CELL_HASH_H

#include <stddef.h>
#include <stdint.h>

// Of a row: bit i of word w is cell (64 * w + i, 0). Behind the words come cells with the hash
// `rest`, counted from the first of them; any number will do.
uint64_t lc_hash_words(const uint64_t *words, size_t count, uint64_t rest);

// Of words of 32 cells, one below the other in any order: a cell in the first column of word i
// weighs weights[i], which is any number.
uint64_t lc_hash_weighted(const uint32_t *words, const uint64_t *weights, size_t count);

// Of a row at y = 0 and the rows below it, whose hash is `below`, counted from the first of them.
uint64_t lc_hash_below(uint64_t row, uint64_t below);

#endif
