// What the designs with eight cells a byte on the GPU share (bits_gpu.cu, words_gpu.cu,
// table_gpu.cu): how their boards are laid out, which boards they can step, and with how many
// threads.
//
//     a row    | cb units, a thread | cb units, a thread | ... | the rest, a thread |
//
// A unit is a byte of 8 cells or a word of 32. Places in a board count units, in 32 bits: there are
// fewer than 2^31, and a thread goes one stride (all threads of a launch) further before it sees
// that it is done.
#ifndef LC_GALLERY_BIT_ROWS_GPU_H
#define LC_GALLERY_BIT_ROWS_GPU_H

#include "gpu_design.h"

// The first knobs of each of these designs.
enum { CB, THREADS };
enum { BLOCKS_MAX = 1 << 20 };

#define LC_CB_KNOBS(units, cb)                                                                     \
    {"cb", units " that a thread does", cb, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32, 64, 128)},          \
    {                                                                                              \
        "threads", "threads of a block", 128, LC_KNOB_VALUES(32, 64, 128, 256, 512, 1024)          \
    }

static inline lc_status check_bit_rows(const lc_gallery_board *board, int unit_cells,
                                       lc_message *message)
{
    if (board->width * board->height / unit_cells > INT32_MAX)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "this design steps boards of fewer than %lld cells",
                       (long long)unit_cells << 31);
    return lc_gallery_check_width(board, unit_cells, message);
}

// -DCB, and -DRAGGED: 1 if the last thread of a row has fewer units.
static inline void define_bit_rows(const lc_gallery_board *board, int unit_cells,
                                   lc_gpu_options *options)
{
    lc_gpu_define(options, "CB", board->knob[CB]);
    lc_gpu_define(options, "RAGGED", board->width / unit_cells % board->knob[CB] != 0);
}

static inline lc_launch launch_of_bit_rows(const lc_gallery_board *board, int unit_cells)
{
    const int64_t groups = lc_gpu_blocks(board->width / unit_cells, board->knob[CB]);
    const uint32_t blocks = lc_gpu_blocks(groups * board->height, board->knob[THREADS]);
    return (lc_launch){
        .grid = {blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX},
        .block = {(uint32_t)board->knob[THREADS]},
    };
}

#endif
