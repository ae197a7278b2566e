// Writing rows of cells into a cover, and filling areas with soups.
#ifndef LC_COVER_COVER_FILL_H
#define LC_COVER_COVER_FILL_H

#include "cover/cover.h"

// Writes cells of row i of `from`, from bit `from_bit` on, to the held cells x0 .. x1-1 of row y.
// Planes that `from` lacks become 0. `flipped`: inverts the cells, which have one plane.
// Errors as lc_cover_vtable.write.
lc_status lc_cover_write_row(lc_cover *cover, int64_t x0, int64_t x1, int64_t y,
                             const lc_cells *from, int64_t i, int64_t from_bit, bool flipped,
                             lc_message *message);

// A soup (lc_soup_word) for an area, inverted if `flipped`. Live cells have state 1.
struct lc_soup {
    lc_area area;
    uint64_t seed;
    uint32_t density_16; // the probability times 65536
    bool flipped;
};

// Fills the area, which is held and not empty, with all threads. LC_ERROR_MEMORY, or the error of
// writing.
lc_status lc_cover_fill(lc_cover *cover, const lc_soup *soup, lc_message *message);

// The same, always by lc_cover_vtable.write.
lc_status lc_cover_fill_rows(lc_cover *cover, const lc_soup *soup, lc_message *message);

#endif
