// Stepping a board in place. The board has one buffer with some rows to spare. A pass moves the
// board up in it, and the next pass moves it down again.
//
// A pass steps the board in bands of rows, with one launch for each band, one after the other. Let
// T be the generations of the pass. The launch of a band reads the band and T rows of halo above
// and below it. It writes the result S rows higher (or lower), over rows that no later launch
// reads:
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
// Rows are numbered as those of `cells`, the board before the pass. Its halo is rows -T .. -1 and H
// .. H+T-1, filled before the pass as for any block. S >= y1 - y0 + T for every band, and so:
//
//   - No launch writes a row that it reads, so the order of its warps does not matter.
//   - Going up, bands 0 .. k have written no row from y1 - S on. A later band reads rows from
//     y1 - T on, so it reads none of theirs. Going down, the same holds upside down. It holds for
//     the halo too: band 0 writes up to row y1 - S <= -T, and no launch writes rows from H on.
//
// The pass saves no rows: the first band overwrites unused rows, and the last one reads the halo
// beyond the edge. Columns play no part, so the cells of a torus may drift along them. Rows are
// moved whole, with the columns of halo beside them.
//
// S is the height of the highest band plus LC_HALO_ROWS. T is at most LC_HALO_ROWS. Kernels load a
// few rows below the halo without using them, and no launch writes those meanwhile. Strips read
// through a cache that does not see writes. They are at most 16 generations deep, so enough rows
// lie between the read and the written ones that no cache line has bytes of both.
//
// A launch that begins while the previous one ends (LC_WAIT_FOR_KERNEL_BEFORE) touches no memory
// before that one has ended, and that one has waited for its predecessor. If launch n reads a row
// through the read-only cache, no launch before n + 1 writes this row, and no launch before n + 2
// reads it again. By then the cache has been emptied, as between passes with two buffers.
//
// To the kernels a band is a slab (-DLC_SLAB=1) whose halo is filled already, by the neighbouring
// rows.
#ifndef LC_ENGINE_CUDA_CUDA_IN_PLACE_H
#define LC_ENGINE_CUDA_CUDA_IN_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lc_cuda_bands {
    int64_t height_cells; // of the board
    int64_t count;        // 0: the board has two buffers and no bands
} lc_cuda_bands;

typedef struct lc_cuda_band {
    int64_t first_row, rows;
} lc_cuda_band;

// Cuts a board into as few bands as possible, each of at most `band_rows` rows, 1 or more. If bands
// would be lower than a turn of strips (cuda_plan.h), it cuts fewer, higher ones.
lc_cuda_bands lc_cuda_bands_of(int64_t height_cells, int64_t band_rows);

// Returns S: the number of rows by which a pass moves the board.
int64_t lc_cuda_bands_shift(const lc_cuda_bands *bands);

// Returns the i-th band of a pass that goes up, or down.
lc_cuda_band lc_cuda_band_at(const lc_cuda_bands *bands, int64_t i, bool up);

#endif
