// Boards that are slabs of one, on one GPU or several: their halos, filled from each other.
#ifndef LC_ENGINE_CUDA_SLABS_H
#define LC_ENGINE_CUDA_SLABS_H

#include "engine/cuda/board.h"

// Once, before that: lets GPUs reach each other's memory. Those that cannot exchange through the
// host's; *note says so, or is empty.
lc_status lc_cuda_slabs_join(lc_cuda_board *const *slabs, int count, lc_message *note,
                             lc_message *message);

// Queues the filling of the halos of all slabs of a board, from the uppermost to the lowest, 1 to
// LC_HALO_ROWS cells deep. Their segments have as many words each. What was queued on a slab's
// stream comes before, and what is queued on it from then on comes after others have read it.
// Where the board ends in walls, no halo is deeper than the first and the last slab are high.
lc_status lc_cuda_slabs_exchange(lc_cuda_board *const *slabs, int count, int depth_cells,
                                 lc_message *message);

#endif
