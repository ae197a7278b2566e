// Soups from seeds, as the searches for Catagolue make them: root, number and symmetry give the
// cells. kernels/soup_digest.h defines the soups.
//
// Threads: any thread may call these functions.
#ifndef LC_CENSUS_SOUP_SEED_H
#define LC_CENSUS_SOUP_SEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/soup_digest.h"
#include "lightcone/status.h"
#include "object/live.h"

// A symmetry of soups in the notation of Catagolue: C1, D2_+1, 8x32, iC1 ...
typedef struct lc_symmetry {
    int kind;      // place in the list of the names
    int doublings; // number of leading "i": how many times each cell becomes 2 x 2 cells
} lc_symmetry;

enum {
    LC_SYMMETRY_TEXT_BYTES = 12, // with the terminator
    LC_SYMMETRY_DOUBLINGS_MAX = 3,
    LC_SOUP_ROOT_BYTES_MAX = 200,
    LC_SOUP_WORDS_MAX = 256 * 256 / 64, // a soup of 32 x 32 cells, doubled three times
};

// Parses the name of a symmetry. Returns LC_OK; LC_ERROR_FORMAT (unknown name, too many "i"). On
// error *symmetry does not change.
lc_status lc_symmetry_parse(const char *text, lc_symmetry *symmetry, lc_message *message);

// Writes the name of a symmetry, and returns `text`.
const char *lc_symmetry_format(const lc_symmetry *symmetry, char text[LC_SYMMETRY_TEXT_BYTES]);

// Returns what the symmetry makes of a digest. The root matters only for C2_2.
lc_soup_plan lc_symmetry_plan(const lc_symmetry *symmetry, const char *root, size_t root_bytes);

// The cells of a soup: height * row_words words, row by row. The lowest bit of a word is its
// leftmost cell. Bits beyond the width are 0.
typedef struct lc_soup_cells {
    int width, height; // in cells: at most 256 x 256, 512 x 32, 1024 x 16 or 2048 x 8
    int row_words;
    uint64_t words[LC_SOUP_WORDS_MAX];
} lc_soup_cells;

// Makes the cells of a soup. The root may have any bytes, and need not be terminated. Returns
// LC_OK; LC_ERROR_ARGUMENT (a root above LC_SOUP_ROOT_BYTES_MAX, or a symmetry that
// lc_symmetry_parse did not make).
lc_status lc_soup_from_seed(lc_soup_cells *out, const lc_symmetry *symmetry, const char *root,
                            size_t root_bytes, uint64_t number);

// Appends the live cells to a list, in order. Returns false if out of memory.
bool lc_soup_cells_list(lc_live *live, const lc_soup_cells *cells);

#endif
