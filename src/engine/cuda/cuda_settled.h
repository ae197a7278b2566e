// Steps boards that have settled: steps only the tiles that may leave a cycle of 30 generations
// (kernels/settled.cu).
//
// A round of 15 generations goes from one buffer of the board to the other, and `next` must keep
// the result of the previous round. So a caller that writes cells, or steps the board in another
// way, calls lc_cuda_settled_begin_anew. Reading cells is harmless.
#ifndef LC_ENGINE_CUDA_CUDA_SETTLED_H
#define LC_ENGINE_CUDA_CUDA_SETTLED_H

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_stepper.h"
#include "kernels/settled.h"

typedef struct lc_cuda_settled lc_cuda_settled;

enum {
    // The rounds that step every tile. After them the changed parts are known.
    LC_CUDA_SETTLED_FIRST_ROUNDS = 2,
};

// Returns whether such a board, with `words` words a segment, can be stepped by rounds of a rule of
// that reach. The frame must be that of the topology.
bool lc_cuda_settled_fits(const lc_frame *frame, const lc_topology *topology, int words, int reach);

// Returns the bytes on the GPU besides the board.
uint64_t lc_cuda_settled_bytes(const lc_frame *frame);

// Creates the stepper for a board that fits, on that topology, by the other stepper's rule. The
// kernels are compiled in the background. LC_ERROR_MEMORY; LC_ERROR_DEVICE; *out is then NULL.
lc_status lc_cuda_settled_create(lc_cuda_settled **out, const lc_cuda_board *board,
                                 const lc_cuda_stepper *stepper, const lc_topology *topology,
                                 lc_message *message);
void lc_cuda_settled_destroy(lc_cuda_settled **settled);

// Waits until the kernels are compiled. Running and sampling wait too. LC_ERROR_DEVICE.
lc_status lc_cuda_settled_ready(lc_cuda_settled *settled, lc_message *message);

// Makes the next rounds step every tile, as the first ones do.
void lc_cuda_settled_begin_anew(lc_cuda_settled *settled);

// Returns the rounds since the last beginning.
uint64_t lc_cuda_settled_rounds(const lc_cuda_settled *settled);

// Queues `rounds` rounds.
lc_status lc_cuda_settled_run(lc_cuda_settled *settled, lc_cuda_board *board, uint64_t rounds,
                              lc_message *message);

// Finds the tiles stepped since creation by all queued work. Waits for that work.
lc_status lc_cuda_settled_visited(lc_cuda_settled *settled, uint64_t *tiles, lc_message *message);

// Estimates from samples the share of the cells that change in a cycle. The board may have drifted,
// and may be stepped in any way. Sets 1 for a board too small for samples. Waits.
lc_status lc_cuda_settled_sample(lc_cuda_settled *settled, const lc_cuda_board *board,
                                 double *lively, lc_message *message);

#endif
