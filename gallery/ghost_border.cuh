// A board of ints with a border of ghosts, one cell wide, which repeats the far side of the board:
// so no cell has to ask whether it is at an edge. ghost-cells and overlapped-tile step on it.
//
//     n N N N N n     N  the last row, once more         the rows first, from column to column;
//     e . . . . w     S  the first row, once more        then the columns, from the upper ghost row
//     e . . . . w     w  the first column, once more     to the lower one: so the corners come
//     s S S S S s     e  the last column, once more      right too
//
//     -DWIDE           1: places in the board need 64 bits
#ifndef LC_GALLERY_GHOST_BORDER_CUH
#define LC_GALLERY_GHOST_BORDER_CUH

#include "cuda.h"

#if WIDE
typedef long long lc_cell_place;
#else
typedef int lc_cell_place;
#endif

LC_KERNEL void fill_ghost_rows(int *cells, int width, int height)
{
    const lc_cell_place pitch = width + 2;
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) + 1;
    if (x <= width) {
        cells[x] = cells[height * pitch + x];
        cells[(height + 1) * pitch + x] = cells[pitch + x];
    }
}

LC_KERNEL void fill_ghost_columns(int *cells, int width, int height)
{
    const lc_cell_place pitch = width + 2;
    const int y = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (y < height + 2) {
        int *row = cells + y * pitch;
        row[0] = row[width];
        row[width + 1] = row[1];
    }
}

#endif
