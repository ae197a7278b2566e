// A board that is stepped in place: one buffer with some rows to spare, in which the board moves up
// by a pass, and down again by the next one.
//
// A pass goes over the board in bands of rows, one launch each, one behind the other. A band's
// launch reads the band and T rows of halo above and below it, T being the pass' generations, and
// writes what becomes of the band S rows higher (or lower), where nobody needs anything any more:
//
//      a pass that goes up: band 0 first        a pass that goes down: the last band first
//
//      |  next: bands 0 .. k-1 |                |  cells                |
//      +-----------------------+ y0 - S         +-----------------------+ y0 - T
//      |  written: band k      |                |  halo, read           |
//      +-----------------------+ y1 - S         +-----------------------+ y0
//      |  no longer needed     |                |  read: band k         |
//      +-----------------------+ y0 - T         +-----------------------+ y1
//      |  halo, read           |                |  halo, read           |
//      +-----------------------+ y0             +-----------------------+ y1 + T
//      |  read: band k         |                |  no longer needed     |
//      +-----------------------+ y1             +-----------------------+ y0 + S
//      |  halo, read           |                |  written: band k      |
//      +-----------------------+ y1 + T         +-----------------------+ y1 + S
//      |  cells                |                |  next: bands k+1 ...  |
//
// Rows are numbered as those of `cells`, the board before the pass, whose halo is rows -T .. -1 and
// H .. H+T-1: it was filled before the pass, as for any block. As S >= y1 - y0 + T for every band,
//
//   - no launch writes a row that it reads, so the order of its warps does not matter;
//   - going up, bands 0 .. k have written no row from y1 - S on, so none that a later band reads,
//     as that begins at y1 - T; and so, upside down, going down. The halo rows are no exception:
//     band 0 writes up to row y1 - S <= -T, and rows from H on are not written at all.
//
// Nothing has to be saved: what the first band writes over is nobody's, and what the last one sees
// beyond the edge stands in the halo. Columns play no part, so that the cells of a torus may drift
// by them; rows are moved whole, with the columns of halo beside them.
//
// S is the height of the highest band and LC_HALO_ROWS more. T is at most that. What kernels load
// and do not use, a few rows below the halo, is not written meanwhile either. And strips, which
// read through a cache that writes do not reach, are at most 16 generations deep: so many rows lie
// between theirs that no line of the cache has bytes of both.
//
// Launches that begin while the one before ends (LC_WAIT_FOR_KERNEL_BEFORE) touch no memory before
// that one has ended, and it had waited for the one before it. A row that a launch has read through
// the cache of what is only read is written by the next one at the earliest, and read again by the
// one after that: by then the cache has been emptied, as between the passes of two buffers.
//
// To the kernels a band is a slab (-DLC_SLAB=1) whose halo is filled already: by the rows that
// stand there.
#ifndef LC_ENGINE_CUDA_CUDA_IN_PLACE_H
#define LC_ENGINE_CUDA_CUDA_IN_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lc_cuda_bands {
    int64_t height_cells; // of the board
    int64_t count;        // 0: the board has two buffers, and no bands
} lc_cuda_bands;

typedef struct lc_cuda_band {
    int64_t first_row, rows;
} lc_cuda_band;

// A board cut into as few bands of at most `band_rows` rows, 1 or more, as there can be; but none
// is lower than a turn of strips (cuda_plan.h), if the board is not.
lc_cuda_bands lc_cuda_bands_of(int64_t height_cells, int64_t band_rows);

// S: how many rows a pass moves the board.
int64_t lc_cuda_bands_shift(const lc_cuda_bands *bands);

// The i-th band of a pass that goes up, or down.
lc_cuda_band lc_cuda_band_at(const lc_cuda_bands *bands, int64_t i, bool up);

#endif
