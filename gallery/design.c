// What the designs share: checks of boards, the usual layout, and the texts of their files.
#include "design.h"

#include "device/kernel_text.h"

extern const lc_kernel_text lc_gallery_texts[]; // written by the build

lc_status lc_gallery_check_width(const lc_gallery_board *board, int64_t cells, lc_message *message)
{
    if (board->width % cells == 0)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "this design steps boards whose width is a multiple of %lld, and not "
                   "%lld cells",
                   (long long)cells, (long long)board->width);
}

lc_status lc_gallery_check_sides(const lc_gallery_board *board, lc_message *message)
{
    const int64_t most = INT64_C(1) << 30;
    if (board->width <= most && board->height <= most)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "this design steps boards of up to %lld cells a side, and not %lld x %lld",
                   (long long)most, (long long)board->width, (long long)board->height);
}

void lc_gallery_plain_layout(const lc_gallery_board *board, int cell_bits, lc_cell_layout *layout)
{
    *layout = (lc_cell_layout){
        .cell_bits = cell_bits,
        .pitch_bytes = (board->width * cell_bits + 7) / 8,
    };
    layout->size_bytes = (uint64_t)layout->pitch_bytes * (uint64_t)board->height;
}

void lc_gallery_byte_layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    lc_gallery_plain_layout(board, 8, layout);
}

void lc_gallery_bit_layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    lc_gallery_plain_layout(board, 1, layout);
    layout->high_bit_first = true;
}

const char *lc_gallery_text(const char *file)
{
    return lc_kernel_text_find(lc_gallery_texts, file);
}
