// Writing rows of bits into a cover, and filling areas with soups.
#ifndef LC_COVER_COVER_FILL_H
#define LC_COVER_COVER_FILL_H

#include "cover/cover.h"

// Writes cells x0 .. x1-1 of row y, which are held, from bit `from_bit` on, or what they are not if
// `flipped`. Returns what writing does.
lc_status lc_cover_write_bits(lc_cover *cover, int64_t x0, int64_t x1, int64_t y,
                              const uint64_t *words, int64_t from_bit, bool flipped,
                              lc_message *message);

// A soup (lc_soup_word) of all that is in an area, or what is not in it if `flipped`.
struct lc_soup {
    lc_area area;
    uint64_t seed;
    uint32_t density_16; // the probability times 65536
    bool flipped;
};

// Fills the area, which is held and not empty, with all threads. LC_ERROR_MEMORY,
// or what writing returns.
lc_status lc_cover_fill(lc_cover *cover, const lc_soup *soup, lc_message *message);

// The same by writing its rows, whatever else the cover could do.
lc_status lc_cover_fill_rows(lc_cover *cover, const lc_soup *soup, lc_message *message);

#endif
