// The soups of a census: made from a seed as apgsearch does, or random rectangles.
#ifndef LC_CENSUS_SOUP_SOURCE_H
#define LC_CENSUS_SOUP_SOURCE_H

#include "census/soup_seed.h"
#include "lightcone/census.h"

typedef struct lc_soup_source {
    // Soups of apgsearch: terminated texts. `symmetry_text` is "" for random soups.
    lc_symmetry symmetry;
    char symmetry_text[LC_SYMMETRY_TEXT_BYTES];
    char seed[LC_SOUP_ROOT_BYTES_MAX + 1];
    // Random soups; else 0.
    int width, height;
    uint32_t density_16; // times 65536
    uint64_t random_seed;
} lc_soup_source;

// Takes the members of options that say which soups. Returns LC_OK; LC_ERROR_ARGUMENT;
// LC_ERROR_FORMAT (unknown symmetry).
lc_status lc_soup_source_take(lc_soup_source *source, const lc_soup_census_options *options,
                              lc_message *message);

enum { LC_SOURCE_TEXT_BYTES = 16 + LC_SYMMETRY_TEXT_BYTES + LC_SOUP_ROOT_BYTES_MAX };

// Writes the source as text: "C1 l_example", "random 20 16 32768 7" (width, height, density times
// 65536, seed). Sources with equal texts are equal. Returns `text`.
const char *lc_soup_source_format(const lc_soup_source *source, char text[LC_SOURCE_TEXT_BYTES]);

// Reads such a text. Returns LC_OK; LC_ERROR_FORMAT; LC_ERROR_ARGUMENT.
lc_status lc_soup_source_parse(lc_soup_source *source, const char *text, lc_message *message);

// Makes the cells of a soup.
void lc_soup_source_make(lc_soup_cells *cells, const lc_soup_source *source, uint64_t number);

// Returns the side of the square that the seed gives.
int lc_soup_source_square(const lc_soup_source *source);

#endif
