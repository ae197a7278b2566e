// What ghost-cells and overlapped-tile share: the layout of a board with a border of ghosts, and
// the launches that fill the border (ghost_border.cuh).
#ifndef LC_GALLERY_GHOST_BORDER_H
#define LC_GALLERY_GHOST_BORDER_H

#include "gpu.h"

void lc_ghost_layout(const lc_gallery_board *board, lc_cell_layout *layout);

// -DWIDE=1 if places in the board, ghosts included, need more than 31 bits.
void lc_ghost_compile(const lc_gallery_board *board, lc_gpu_options *options);

// LC_OK if a grid has enough rows of blocks for a board, a block doing so many rows.
lc_status lc_ghost_check(const lc_gallery_board *board, int64_t rows, lc_message *message);

// Queues the two kernels, which a design has at these places of its list.
enum { LC_GHOST_ROWS = 1, LC_GHOST_COLUMNS = 2 };
lc_status lc_ghost_fill(lc_gpu_run *run, lc_message *message);

#endif
