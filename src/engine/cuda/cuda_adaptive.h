// When a board is stepped as one that has settled (cuda_settled.h), and when by strips or tiles:
// the engine's own choice, or its settings'.
//
// The choice: now and then a sample of the cells shows how many change in a cycle; it takes about
// as long as a pass of strips. If they are few, rounds are made, and go on being made as long as
// they take clearly less time, as events on the GPU measure it, than strips took for as many
// generations. Beginning takes two rounds of all tiles, several times as long as strips; so it is
// done only for a good many generations, and less and less often if it did not pay.
#ifndef LC_ENGINE_CUDA_CUDA_ADAPTIVE_H
#define LC_ENGINE_CUDA_CUDA_ADAPTIVE_H

#include "engine/cuda/cuda_plan_choice.h"
#include "engine/cuda/cuda_settled.h"

typedef struct lc_cuda_settling {
    lc_cuda_when when;
    lc_topology topology;
    lc_pool *pool;            // for the self-check
    lc_cuda_settled *stepper; // NULL: not made yet
    const lc_rule *rule;      // that it was made for
    bool settled;             // rounds are being made
    double dense_ns;          // a generation, when last measured; 0: not yet
    double stepped_ns;        // by strips or tiles, all together
    double look_at_ns;        // of that, when the next sample is taken
    double wait_ns;           // from a beginning that did not pay to the next sample
    uint64_t visited;         // tiles, by all rounds of the stepper
} lc_cuda_settling;

typedef struct lc_cuda_pass {
    uint64_t generations;
    uint64_t rounds; // in which they are made; 0: by the stepper
} lc_cuda_pass;

lc_cuda_settling lc_cuda_settling_of(lc_cuda_when when, const lc_topology *topology, lc_pool *pool);
void lc_cuda_settling_end(lc_cuda_settling *settling);

// Cells were written: if rounds are made, they begin anew.
void lc_cuda_settling_forget(lc_cuda_settling *settling);

// What is to be made now, at most `limit` generations of those that are left: rounds, or else
// generations by the stepper, which is the rule's. Before the first rounds that may be fewer, so
// that a whole number of rounds is left. Returns LC_OK, or what making or checking kernels says.
lc_status lc_cuda_settling_choose(lc_cuda_settling *settling, lc_cuda_stepper *stepper,
                                  const lc_cuda_board *board, const lc_rule *rule, uint64_t limit,
                                  uint64_t left, lc_cuda_pass *pass, lc_message *message);

// Queues the rounds that were chosen.
lc_status lc_cuda_settling_run(lc_cuda_settling *settling, lc_cuda_board *board,
                               const lc_cuda_pass *pass, lc_message *message);

// What was chosen took so long. Waits for the GPU.
lc_status lc_cuda_settling_learn(lc_cuda_settling *settling, const lc_cuda_pass *pass,
                                 double elapsed_ns, lc_message *message);

// Bytes of cells that all rounds have read and written.
uint64_t lc_cuda_settling_bytes(const lc_cuda_settling *settling);

#endif
