// What it brings to step only where something happens, on a board that has settled: a program, not
// a test.
//
//     settled_rate [SIDE [DENSITY [BEGIN [COUNT [ENGINE...]]]]]
//
// steps a soup on a torus of SIDE x SIDE cells to generation BEGIN, and then times COUNT
// generations, by the host's clock and by the GPU's own, if there is one. The cells have to be the
// same with all engines: exit status 1 if they are not. Usually 65536, 0.5, 10000, 1000, and the
// cuda engine with settled=no, =auto and =yes; `simd auto` compares on a CPU.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "lightcone/lightcone.h"

static void must(lc_status status, const lc_message *message)
{
    if (status == LC_OK)
        return;
    fprintf(stderr, "settled_rate: %s\n", message->text);
    exit(1);
}

typedef struct outcome {
    double before_ns, gpu_ns, host_ns;
    lc_facts facts;
} outcome;

static outcome measure(lc_universe_options *options, const char *engine, double density,
                       uint64_t begin, uint64_t count)
{
    lc_universe *u;
    lc_message message;
    outcome o = {0};
    const int64_t side = options->topology.width_cells;
    options->engine = engine;
    must(lc_universe_create(&u, options, &message), &message);
    must(lc_universe_soup(u, 0, 0, side, side, density, 1, &message), &message);
    const uint64_t first_ns = lc_clock_ns();
    must(lc_universe_step(u, lc_count_of(begin), NULL, NULL, &message), &message);
    o.before_ns = (double)(lc_clock_ns() - first_ns);
    o.gpu_ns = -lc_universe_info_of(u).stepping_ns;
    const uint64_t begin_ns = lc_clock_ns();
    must(lc_universe_step(u, lc_count_of(count), NULL, NULL, &message), &message);
    o.host_ns = (double)(lc_clock_ns() - begin_ns);
    o.gpu_ns += lc_universe_info_of(u).stepping_ns;
    must(lc_universe_facts(u, LC_FACT_ALL, &o.facts, &message), &message);
    lc_universe_destroy(&u);
    return o;
}

int main(int argc, char **argv)
{
    static char *const usual[] = {"cuda:settled=no", "cuda:settled=auto", "cuda:settled=yes"};
    char *const *engines = argc > 5 ? argv + 5 : usual;
    const size_t engine_count = argc > 5 ? (size_t)argc - 5 : sizeof usual / sizeof *usual;
    const int64_t side = argc > 1 ? strtoll(argv[1], NULL, 10) : 65536;
    const double density = argc > 2 ? strtod(argv[2], NULL) : 0.5;
    const uint64_t begin = argc > 3 ? strtoull(argv[3], NULL, 10) : 10000;
    const uint64_t count = argc > 4 ? strtoull(argv[4], NULL, 10) : 1000;
    const lc_context_options shared = {.struct_bytes = sizeof shared,
                                       .cuda_library = getenv("LIGHTCONE_CUDA"),
                                       .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
                                       .cache_folder = getenv("LIGHTCONE_CACHE")};
    lc_context *context;
    lc_message message;
    must(lc_context_create(&context, &shared, &message), &message);
    lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = context,
        .rule_text = "B3/S23",
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side}};
    outcome dense = {0};
    bool same = true;
    printf("%" PRId64 " x %" PRId64 ", soup of density %g, generations %" PRIu64 " to %" PRIu64
           "; the time before that, then of these\n",
           side, side, density, begin, begin + count);
    for (size_t i = 0; i < engine_count; i++) {
        char population[LC_COUNT_TEXT_BYTES];
        const outcome o = measure(&options, engines[i], density, begin, count);
        if (i == 0)
            dense = o;
        lc_count_format(o.facts.population, population);
        printf("%-18s %9.1f ms %9.2f ms (GPU %9.2f ms) %7.2f x   population %s, hash %016" PRIx64
               "\n",
               engines[i], o.before_ns * 1e-6, o.host_ns * 1e-6, o.gpu_ns * 1e-6,
               dense.host_ns / o.host_ns, population, o.facts.hash);
        same = same && o.facts.hash == dense.facts.hash &&
               lc_count_compare(o.facts.population, dense.facts.population) == 0;
    }
    if (!same)
        fprintf(stderr, "settled_rate: the cells differ\n");
    lc_context_destroy(&context);
    return same ? 0 : 1;
}
