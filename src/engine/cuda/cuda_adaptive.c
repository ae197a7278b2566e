// See cuda_adaptive.h.
#include "engine/cuda/cuda_adaptive.h"

#include "engine/cuda/cuda_self_check.h"
#include "kernels/settled.h"

// The kernels are compiled in the background once a board has been stepped for so long, and are
// asked for their first sample some time later: short runs have nothing of either.
static const double compile_after_ns = 100e6;
static const double first_look_ns = 250e6;
static const double look_every_ns = 100e6;

// Of the samples, up to which it is worth trying. A tile is visited for what changes in a window of
// six times as many cells as a sample shows.
static const double lively_at_most = 0.05;

// Rounds are made as long as they take less than that of the time of strips.
static const double worth = 0.8;

enum {
    ROUNDS_WORTH = 32, // at least so many are to be made, or the first ones do not pay
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

// The stepper of the rule, made if there is none.
static lc_status need(lc_cuda_adaptive *s, const lc_cuda_stepper *stepper,
                      const lc_cuda_board *board, const lc_rule *rule, lc_message *message)
{
    if (s->stepper != NULL && s->rule == rule)
        return LC_OK;
    lc_cuda_settled_destroy(&s->stepper);
    s->rule = rule;
    return lc_cuda_settled_create(&s->stepper, board, stepper, &s->topology, message);
}

// Whether it is time to look, and what is seen there is worth beginning.
static lc_status look(lc_cuda_adaptive *s, const lc_cuda_stepper *stepper,
                      const lc_cuda_board *board, const lc_rule *rule, bool *begin,
                      lc_message *message)
{
    double lively = 1;
    *begin = false;
    if (s->stepped_ns < compile_after_ns)
        return LC_OK;
    lc_status status = need(s, stepper, board, rule, message);
    if (status == LC_ERROR_MEMORY) { // then not; the board is as it was
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

// The first rounds, once they are wanted.
static lc_status begin_rounds(lc_cuda_adaptive *s, lc_cuda_stepper *stepper,
                              const lc_cuda_board *board, uint64_t limit, lc_cuda_pass *pass,
                              lc_message *message)
{
    const uint64_t most = limit / LC_SETTLED_GENERATIONS;
    lc_status status = lc_cuda_settled_ready(s->stepper, message);
    if (status == LC_OK)
        status = lc_cuda_self_check_settled(stepper, board, s->rule, s->pool, message);
    s->settled = status == LC_OK;
    // By themselves, since they say nothing of the time that later ones will take.
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
    // Generations left over in the end would undo it.
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

// Goes on with rounds only if they are faster.
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
    // Two words of four for each row of a window, and one for each of the tile; little is written.
    const uint64_t window = UINT64_C(64) * 32, tile = UINT64_C(32) * 16;
    return s->visited * (window + tile);
}
