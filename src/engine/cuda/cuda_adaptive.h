// Chooses between stepping the active tiles of a settled board (cuda_settled.h) and stepping all of
// the board by strips or tiles.
//
// Now and then the engine samples the cells to find how many change in a cycle. A sample takes
// about as long as a pass of strips. If few cells change, the engine makes rounds, as long as they
// take clearly less GPU time than strips took for as many generations. The first two rounds step
// all tiles and take several times as long as strips. So the engine starts rounds only if many
// generations are left, and less often after a start that did not pay.
#ifndef LC_ENGINE_CUDA_CUDA_ADAPTIVE_H
#define LC_ENGINE_CUDA_CUDA_ADAPTIVE_H

#include "engine/cuda/cuda_plan_choice.h"
#include "engine/cuda/cuda_settled.h"

typedef struct lc_cuda_adaptive {
    lc_cuda_when when;
    lc_topology topology;
    lc_pool *pool;            // for the self-check
    lc_cuda_settled *stepper; // NULL: not created yet
    const lc_rule *rule;      // of the stepper
    bool settled;             // rounds are running
    double dense_ns;          // of a generation, when last measured; 0: not yet
    double stepped_ns;        // by strips or tiles, in total
    double look_at_ns;        // value of stepped_ns at the next sample
    double wait_ns;           // from a start that did not pay to the next sample
    uint64_t visited;         // tiles stepped by all rounds of the stepper
} lc_cuda_adaptive;

typedef struct lc_cuda_pass {
    uint64_t generations;
    uint64_t rounds; // 0: the stepper makes the generations
} lc_cuda_pass;

lc_cuda_adaptive lc_cuda_adaptive_of(lc_cuda_when when, const lc_topology *topology, lc_pool *pool);
void lc_cuda_adaptive_end(lc_cuda_adaptive *adaptive);

// Called when cells were written: rounds start again with all tiles.
void lc_cuda_adaptive_forget(lc_cuda_adaptive *adaptive);

// Chooses the next pass, at most `limit` of the `left` generations: rounds, or generations of the
// stepper, which has the rule. Before the first rounds a pass may be shorter, so that a whole
// number of rounds is left. Returns LC_OK, or an error of compiling or checking kernels.
lc_status lc_cuda_adaptive_choose(lc_cuda_adaptive *adaptive, lc_cuda_stepper *stepper,
                                  const lc_cuda_board *board, const lc_rule *rule, uint64_t limit,
                                  uint64_t left, lc_cuda_pass *pass, lc_message *message);

// Queues the chosen rounds.
lc_status lc_cuda_adaptive_run(lc_cuda_adaptive *adaptive, lc_cuda_board *board,
                               const lc_cuda_pass *pass, lc_message *message);

// Records the time that the chosen pass took. Waits for the GPU.
lc_status lc_cuda_adaptive_learn(lc_cuda_adaptive *adaptive, const lc_cuda_pass *pass,
                                 double elapsed_ns, lc_message *message);

// Returns the bytes of cells that all rounds have read and written.
uint64_t lc_cuda_adaptive_bytes(const lc_cuda_adaptive *adaptive);

#endif
