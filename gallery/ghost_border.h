// What ghost-cells and overlapped-tile share: the layout of a board with a border of ghosts, and
// the launches, starting with those of the kernels that fill the border (ghost_border.cuh).
#ifndef LC_GALLERY_GHOST_BORDER_H
#define LC_GALLERY_GHOST_BORDER_H

#include "gpu_design.h"

void lc_ghost_layout(const lc_gallery_board *board, lc_cell_layout *layout);

// -DWIDE=1 if places in the board, ghosts included, need more than 31 bits.
void lc_ghost_compile(const lc_gallery_board *board, lc_gpu_options *options);

// The knobs of each of these designs: threads of a block along a row, and rows of threads; the
// kernels.
enum { LC_GHOST_X, LC_GHOST_Y };
#define LC_GHOST_KERNELS                                                                           \
    {                                                                                              \
        "step", "fill_ghost_rows", "fill_ghost_columns"                                            \
    }

// `overlap` is how many cells blocks overlap by. LC_OK if they have no more threads than a block
// can have, and a grid has enough rows of blocks for the board.
lc_status lc_ghost_check(const lc_gallery_board *board, int overlap, lc_message *message);

// Queues a generation: the border is filled, then the cells are stepped.
lc_status lc_ghost_step(lc_gpu_run *run, int overlap, uint64_t *done, lc_message *message);

#endif
