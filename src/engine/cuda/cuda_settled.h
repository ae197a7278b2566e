// Steps boards that have settled: only those tiles in which something can happen that was not a
// cycle of 30 generations before (kernels/settled.cu).
//
// Rounds of 15 generations go from one buffer of the board to the other, and `next` has to stay
// what the last round has left: whoever writes cells, or steps the board in another way, calls
// lc_cuda_settled_begin_anew. Looking at cells does no harm.
#ifndef LC_ENGINE_CUDA_CUDA_SETTLED_H
#define LC_ENGINE_CUDA_CUDA_SETTLED_H

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_stepper.h"
#include "kernels/settled.h"

typedef struct lc_cuda_settled lc_cuda_settled;

enum {
    // The rounds that visit every tile: after them it is known what changed.
    LC_CUDA_SETTLED_FIRST_ROUNDS = 2,
};

// Whether such a board, of so many words a segment, can be stepped so, by rules of that reach: the
// frame is to be that of the topology.
bool lc_cuda_settled_fits(const lc_frame *frame, const lc_topology *topology, int words, int reach);

// What it takes on the GPU besides the board.
uint64_t lc_cuda_settled_bytes(const lc_frame *frame);

// For this board, which it fits, on that surface, by the stepper's rule. The kernels are compiled
// in the background. LC_ERROR_MEMORY, LC_ERROR_DEVICE; *out is then NULL.
lc_status lc_cuda_settled_create(lc_cuda_settled **out, const lc_cuda_board *board,
                                 const lc_cuda_stepper *stepper, const lc_topology *topology,
                                 lc_message *message);
void lc_cuda_settled_destroy(lc_cuda_settled **settled);

// Waits until the kernels are compiled; the others do so too. LC_ERROR_DEVICE.
lc_status lc_cuda_settled_ready(lc_cuda_settled *settled, lc_message *message);

// The next round takes the cells as it finds them.
void lc_cuda_settled_begin_anew(lc_cuda_settled *settled);

// Rounds since it began anew.
uint64_t lc_cuda_settled_rounds(const lc_cuda_settled *settled);

// Queues so many rounds.
lc_status lc_cuda_settled_run(lc_cuda_settled *settled, lc_cuda_board *board, uint64_t rounds,
                              lc_message *message);

// Tiles visited since creation, by everything that was queued; waits for it.
lc_status lc_cuda_settled_visited(lc_cuda_settled *settled, uint64_t *tiles, lc_message *message);

// A guess, from samples, at which share of the cells changes in a cycle; whatever way the board is
// being stepped, and whether it has drifted or not. 1 for a board too small for samples. Waits.
lc_status lc_cuda_settled_sample(lc_cuda_settled *settled, const lc_cuda_board *board,
                                 double *lively, lc_message *message);

#endif
