// Sixteen cells of a byte each, stepped at once: shared by the designs that are about something
// other than stepping (coalescing.cu, counted.cu, pulled_apart.cu).
//
//     columns   15 | 0 1 2 3   4 5 6 7   8 9 10 11   12 13 14 15 | 0
//                   \___x___/ \___y___/ \____z____/ \_____w_____/   a 16-byte load, two of a byte
//
// Cells are 0 or 1, so four of them are added in one word as long as no byte reaches 256: row sums
// are at most 3, those of three rows at most 9. Sixteen number i of a board is at byte 16 i, since
// rows follow each other and are whole sixteens.
//
// Operations: 3 rows of 8 shifts, 4 additions of three; 4 words of 1 addition of three rows and 6
// for the rule: (36 + 28) / 16 = 4 a cell, and about 2 for addresses.
#ifndef LC_GALLERY_SIXTEEN_CELLS_H
#define LC_GALLERY_SIXTEEN_CELLS_H

#ifndef LC_HOST

#include "cuda.h"

// In each byte, how many of a cell and its neighbours in the row are alive.
LC_INLINE uint4 add_row(const unsigned char *row, unsigned int x, unsigned int width)
{
    const uint4 cells = *(const uint4 *)(row + x);
    const unsigned int before = row[(x > 0 ? x : width) - 1];
    const unsigned int after = row[x + 16 < width ? x + 16 : 0];
    return make_uint4(
        cells.x + (cells.x << 8 | before) + __funnelshift_r(cells.x, cells.y, 8),
        cells.y + __funnelshift_l(cells.x, cells.y, 8) + __funnelshift_r(cells.y, cells.z, 8),
        cells.z + __funnelshift_l(cells.y, cells.z, 8) + __funnelshift_r(cells.z, cells.w, 8),
        cells.w + __funnelshift_l(cells.z, cells.w, 8) + (cells.w >> 8 | after << 24));
}

// B3/S23 for four cells. `sum` includes the cell itself; a byte n | cell is 3 where the next cell
// is alive, and 16 minus what differs from that has bit 4 only if nothing does.
LC_INLINE lc_word next_four(lc_word sum, lc_word cells)
{
    const lc_word differs = ((sum - cells) | cells) ^ 0x03030303;
    return (0x10101010 - differs) >> 4 & 0x01010101;
}

// The next generation of sixteen number i.
LC_INLINE uint4 next_sixteen(const unsigned char *cells, unsigned int i, unsigned int width,
                             unsigned int height)
{
    const unsigned int across = width / 16;
    const unsigned int y = i / across, x = (i - y * across) * 16;
    const unsigned int above = (y > 0 ? y : height) - 1, below = y + 1 < height ? y + 1 : 0;
    const uint4 a = add_row(cells + (lc_u64)above * width, x, width);
    const uint4 b = add_row(cells + (lc_u64)y * width, x, width);
    const uint4 c = add_row(cells + (lc_u64)below * width, x, width);
    const uint4 here = ((const uint4 *)cells)[i];
    return make_uint4(next_four(a.x + b.x + c.x, here.x), next_four(a.y + b.y + c.y, here.y),
                      next_four(a.z + b.z + c.z, here.z), next_four(a.w + b.w + c.w, here.w));
}

LC_INLINE unsigned int count_sixteen(uint4 cells)
{
    return (unsigned int)__popc(cells.x | cells.y << 1 | cells.z << 2 | cells.w << 3);
}

#else

#include "design.h"

// Whole sixteens, fewer than 2^31 of them.
static inline lc_status check_sixteens(const lc_gallery_board *board, lc_message *message)
{
    lc_status status = lc_gallery_check_width(board, 16, message);
    if (status == LC_OK)
        status = lc_gallery_check_sides(board, message);
    if (status == LC_OK && board->width / 16 * board->height > INT32_MAX)
        status = lc_fail(message, LC_ERROR_UNSUPPORTED,
                                 "this design steps boards of fewer than 2^35 cells");
    return status;
}

static inline uint32_t count_sixteens(const lc_gallery_board *board)
{
    return (uint32_t)(board->width / 16 * board->height);
}

#endif
#endif
