// Slabs of a board, on one GPU or several, and their halo exchange.
#ifndef LC_ENGINE_CUDA_CUDA_SLABS_H
#define LC_ENGINE_CUDA_CUDA_SLABS_H

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_halo_messages.h"

// Writes the key by which other processes reach a slab of a board that they share.
lc_status lc_cuda_slabs_export(lc_cuda_board *slab, lc_cuda_message_key *key, lc_message *message);

// Finds how these slabs reach each other, before the first exchange. This process has `count` of
// the `total` slabs, from number `first` on. Slabs of other processes have keys. *note names GPUs
// that exchange only through host memory, or is empty. LC_ERROR_UNSUPPORTED if some slabs cannot be
// reached.
lc_status lc_cuda_slabs_import(lc_cuda_board *const *slabs, int count,
                               const lc_cuda_message_key *keys, int first, int total,
                               lc_message *note, lc_message *message);

// Queues the filling of the halos of all slabs of a board, from the uppermost to the lowest, 1 to
// LC_HALO_ROWS cells deep. Other processes do the same with their slabs, and `alike` says whether
// all have drifted equally far. All slabs have the same number of words a segment. The exchange
// comes after the work queued on a slab's stream. Work queued later on this stream comes after
// other slabs have read its rows. On a board with walls at top and bottom, no halo is deeper than
// the first and the last slab are high.
lc_status lc_cuda_slabs_exchange(lc_cuda_board *const *slabs, int count, bool alike,
                                 int depth_cells, lc_message *message);

// Copy rows between a slab, or its halo, and host memory: lc_slab_ops.read_rows. Reading waits for
// the rows, and writing is queued. The last function fills the rest of the halo.
lc_status lc_cuda_slabs_read_rows(lc_cuda_board *slab, bool alike, int64_t first_row, int64_t rows,
                                  void *to, lc_message *message);
lc_status lc_cuda_slabs_write_rows(lc_cuda_board *slab, int64_t first_row, int64_t rows,
                                   const void *from, lc_message *message);
lc_status lc_cuda_slabs_finish_rows(lc_cuda_board *slab, int depth_cells, lc_message *message);

#endif
