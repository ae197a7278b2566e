// Chooses between stepping active tiles and stepping a whole board, by measured times.
#include "engine/cuda/cuda_adaptive.h"

#include "engine/cuda/cuda_self_check.h"
#include "kernels/settled.h"

// The engine starts to compile the kernels in the background after it has stepped a board for this
// long. It takes the first sample some time later. Short runs pay for neither.
static const double compile_after_ns = 100e6;
static const double first_look_ns = 250e6;
static const double look_every_ns = 100e6;

// The largest share of changing samples with which rounds are tried. A tile is stepped if cells
// change in a window, which is six times as large as a sample.
static const double lively_at_most = 0.05;

// Rounds go on while they take less than this share of the time of strips.
static const double worth = 0.8;

enum {
    ROUNDS_WORTH = 32, // with fewer rounds left, the first ones do not pay
};

lc_cuda_adaptive lc_cuda_adaptive_of(lc_cuda_when when, const lc_topology *topology, lc_pool *pool)
{
    return (lc_cuda_adaptive){.when = when,
                              .topology = *topology,
                              .pool = pool,
                              .look_at_ns = first_look_ns,
                              .wait_ns = look_every_ns};
}

void lc_cuda_adaptive_end(lc_cuda_adaptive *s)
{
    lc_cuda_settled_destroy(&s->stepper);
}

void lc_cuda_adaptive_forget(lc_cuda_adaptive *s)
{
    if (!s->settled)
        return;
    lc_cuda_settled_begin_anew(s->stepper);
    s->settled = false;
    s->look_at_ns = s->stepped_ns; // at once
}

// Creates the stepper of the rule if it does not exist.
static lc_status need(lc_cuda_adaptive *s, const lc_cuda_stepper *stepper,
                      const lc_cuda_board *board, const lc_rule *rule, lc_message *message)
{
    if (s->stepper != NULL && s->rule == rule)
        return LC_OK;
    lc_cuda_settled_destroy(&s->stepper);
    s->rule = rule;
    return lc_cuda_settled_create(&s->stepper, board, stepper, &s->topology, message);
}

// Takes a sample if it is time. Sets *begin to whether rounds are worth trying.
static lc_status look(lc_cuda_adaptive *s, const lc_cuda_stepper *stepper,
                      const lc_cuda_board *board, const lc_rule *rule, bool *begin,
                      lc_message *message)
{
    double lively = 1;
    *begin = false;
    if (s->stepped_ns < compile_after_ns)
        return LC_OK;
    lc_status status = need(s, stepper, board, rule, message);
    if (status == LC_ERROR_MEMORY) { // no rounds; the board is unchanged
        s->when = LC_CUDA_NEVER;
        return LC_OK;
    }
    if (status != LC_OK || s->stepped_ns < s->look_at_ns || s->dense_ns == 0)
        return status;
    status = lc_cuda_settled_sample(s->stepper, board, &lively, message);
    s->look_at_ns = s->stepped_ns + look_every_ns;
    *begin = lively <= lively_at_most;
    return status;
}

static lc_cuda_pass pass_of(uint64_t rounds)
{
    return (lc_cuda_pass){.generations = rounds * LC_SETTLED_GENERATIONS, .rounds = rounds};
}

// Chooses the first rounds.
static lc_status begin_rounds(lc_cuda_adaptive *s, lc_cuda_stepper *stepper,
                              const lc_cuda_board *board, uint64_t limit, lc_cuda_pass *pass,
                              lc_message *message)
{
    const uint64_t most = limit / LC_SETTLED_GENERATIONS;
    lc_status status = lc_cuda_settled_ready(s->stepper, message);
    if (status == LC_OK)
        status = lc_cuda_self_check_settled(stepper, board, s->rule, s->pool, message);
    s->settled = status == LC_OK;
    // The first rounds form a pass of their own: their time does not predict that of later ones.
    *pass = pass_of(most < LC_CUDA_SETTLED_FIRST_ROUNDS ? most : LC_CUDA_SETTLED_FIRST_ROUNDS);
    return status;
}

lc_status lc_cuda_adaptive_choose(lc_cuda_adaptive *s, lc_cuda_stepper *stepper,
                                  const lc_cuda_board *board, const lc_rule *rule, uint64_t limit,
                                  uint64_t left, lc_cuda_pass *pass, lc_message *message)
{
    const bool fits =
        s->when != LC_CUDA_NEVER && lc_cuda_settled_fits(&board->frame, &s->topology, board->words,
                                                         lc_rule_traits(rule)->reach);
    const uint64_t rest = left % LC_SETTLED_GENERATIONS;
    lc_status status = LC_OK;
    bool begin = s->when == LC_CUDA_ALWAYS;
    *pass = (lc_cuda_pass){.generations = limit};
    if (!fits || limit < LC_SETTLED_GENERATIONS) {
        lc_cuda_adaptive_forget(s);
        return LC_OK;
    }
    if (s->settled && s->rule == rule) {
        *pass = pass_of(limit / LC_SETTLED_GENERATIONS);
        return LC_OK;
    }
    lc_cuda_adaptive_forget(s);
    if (begin)
        status = need(s, stepper, board, rule, message);
    else if (left >= (uint64_t)ROUNDS_WORTH * LC_SETTLED_GENERATIONS)
        status = look(s, stepper, board, rule, &begin, message);
    if (status != LC_OK || !begin)
        return status;
    // Generations left over at the end would undo the first rounds.
    if (s->when == LC_CUDA_IF_WORTH && rest > 0) {
        s->look_at_ns = s->stepped_ns;
        pass->generations = rest;
        return LC_OK;
    }
    return begin_rounds(s, stepper, board, limit, pass, message);
}

lc_status lc_cuda_adaptive_run(lc_cuda_adaptive *s, lc_cuda_board *board, const lc_cuda_pass *pass,
                               lc_message *message)
{
    return lc_cuda_settled_run(s->stepper, board, pass->rounds, message);
}

// Ends the rounds unless they are faster.
static void judge(lc_cuda_adaptive *s, double round_ns)
{
    if (round_ns <= worth * s->dense_ns * LC_SETTLED_GENERATIONS) {
        s->wait_ns = look_every_ns;
        return;
    }
    lc_cuda_adaptive_forget(s);
    s->look_at_ns = s->stepped_ns + s->wait_ns;
    s->wait_ns *= 2;
}

lc_status lc_cuda_adaptive_learn(lc_cuda_adaptive *s, const lc_cuda_pass *pass, double elapsed_ns,
                                 lc_message *message)
{
    if (pass->rounds == 0) {
        s->stepped_ns += elapsed_ns;
        if (pass->generations >= LC_SETTLED_GENERATIONS)
            s->dense_ns = elapsed_ns / (double)pass->generations;
        return LC_OK;
    }
    const bool first = lc_cuda_settled_rounds(s->stepper) <= LC_CUDA_SETTLED_FIRST_ROUNDS;
    const lc_status status = lc_cuda_settled_visited(s->stepper, &s->visited, message);
    if (status == LC_OK && !first && s->when == LC_CUDA_IF_WORTH)
        judge(s, elapsed_ns / (double)pass->rounds);
    return status;
}

uint64_t lc_cuda_adaptive_bytes(const lc_cuda_adaptive *s)
{
    // Two groups of four words for each row of a window, and one group for each row of the tile.
    // Little is written.
    const uint64_t window = UINT64_C(64) * 32, tile = UINT64_C(32) * 16;
    return s->visited * (window + tile);
}
