// Boards that are slabs of one, on one GPU or several: their halos, filled from each other.
#ifndef LC_ENGINE_CUDA_CUDA_SLABS_H
#define LC_ENGINE_CUDA_CUDA_SLABS_H

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_halo_messages.h"

// For a board that several processes share: what the others have to know of a slab before they can
// join it.
lc_status lc_cuda_slabs_export(lc_cuda_board *slab, lc_cuda_message_key *key, lc_message *message);

// Once, before the first exchange: finds out how these slabs, from the first-th on of `total` ones,
// reach each other. GPUs that do not exchange through the host's memory; *note says so, or is
// empty. Those of other processes have keys; LC_ERROR_UNSUPPORTED if some cannot be reached.
lc_status lc_cuda_slabs_import(lc_cuda_board *const *slabs, int count,
                               const lc_cuda_message_key *keys, int first, int total,
                               lc_message *note, lc_message *message);

// Queues the filling of the halos of all slabs of a board, from the uppermost to the lowest, 1 to
// LC_HALO_ROWS cells deep; other processes do the same with theirs, and `alike` says whether all
// have drifted equally far. Their segments have as many words each. What was queued on a slab's
// stream comes before, and what is queued on it from then on comes after others have read it.
// Where the board ends in walls, no halo is deeper than the first and the last slab are high.
lc_status lc_cuda_slabs_exchange(lc_cuda_board *const *slabs, int count, bool alike,
                                 int depth_cells, lc_message *message);

// Rows of a slab, or of its halo, to and from memory of the host: lc_engine_vtable.take_rows. What
// is put is queued, and what is taken is there.
lc_status lc_cuda_slabs_read_rows(lc_cuda_board *slab, bool alike, int64_t first_row, int64_t rows,
                                  void *to, lc_message *message);
lc_status lc_cuda_slabs_write_rows(lc_cuda_board *slab, int64_t first_row, int64_t rows,
                                   const void *from, lc_message *message);
lc_status lc_cuda_slabs_finish_rows(lc_cuda_board *slab, int depth_cells, lc_message *message);

#endif
