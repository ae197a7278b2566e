// How long it takes to create and destroy a universe: a program, not a test.
//
//     universe_rate [ENGINE [SIDE [COUNT [THREADS [RULES]]]]]
//
// makes COUNT universes of SIDE x SIDE cells, one after the other, in one context of THREADS
// threads (0: one for each CPU), and again with a generation stepped in each. They take turns with
// RULES rules: B3/S23, and others by chance.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mix.h"
#include "lightcone/lightcone.h"

static void must(lc_status status, const lc_message *message)
{
    if (status == LC_OK)
        return;
    fprintf(stderr, "universe_rate: %s\n", message->text);
    exit(1);
}

// Rule 0 is B3/S23, the others have any birth and survival but B0.
static const lc_rule *rule_at(long i)
{
    const uint64_t drawn = lc_mixed((uint64_t)i);
    const lc_counts counts = {drawn & 0x1FE, drawn >> 32 & 0x1FF};
    const lc_rule *rule = lc_rule_life();
    lc_message message;
    if (i != 0)
        must(lc_rule_from_counts(counts, &rule, &message), &message);
    return rule;
}

static void measure(const lc_universe_options *shared, long count, long rules, bool steps)
{
    lc_universe_options options = *shared;
    const uint64_t begin_ns = lc_clock_ns();
    for (long i = 0; i < count; i++) {
        lc_universe *universe;
        lc_message message;
        options.rule = rule_at(i % rules);
        must(lc_universe_create(&universe, &options, &message), &message);
        if (steps)
            must(lc_universe_step(universe, lc_count_of(1), NULL, NULL, &message), &message);
        lc_universe_destroy(&universe);
        lc_rule_release(&options.rule);
    }
    const double elapsed_ns = (double)(lc_clock_ns() - begin_ns);
    printf("%ld universes of %lld x %lld cells, %s: %.2f s, %.2f us each\n", count,
           (long long)options.topology.width_cells, (long long)options.topology.height_cells,
           steps ? "created, stepped and destroyed" : "created and destroyed", elapsed_ns * 1e-9,
           elapsed_ns * 1e-3 / (double)count);
}

int main(int argc, char **argv)
{
    const int64_t side = argc > 2 ? strtoll(argv[2], NULL, 10) : 64;
    const long count = argc > 3 ? strtol(argv[3], NULL, 10) : 100000;
    const long rules = argc > 5 ? strtol(argv[5], NULL, 10) : 1;
    const lc_context_options shared = {.struct_bytes = sizeof shared,
                                       .threads = argc > 4 ? strtol(argv[4], NULL, 10) : 0,
                                       .cuda_library = getenv("LIGHTCONE_CUDA"),
                                       .nvrtc_library = getenv("LIGHTCONE_NVRTC")};
    lc_context *context;
    lc_message message;
    must(lc_context_create(&context, &shared, &message), &message);
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side},
        .engine = argc > 1 ? argv[1] : "auto",
        .context = context,
    };
    printf("%s, %d threads\n", options.engine, lc_context_threads(context));
    measure(&options, count, rules, false);
    measure(&options, count, rules, true);
    lc_context_destroy(&context);
    return 0;
}
