// Ranks with a GPU each or several: they exchange rows by mail if their GPUs reach each other, and
// from host to host if not; and one that fails lets nobody wait. The ranks are threads, the
// GPUs emulated.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_device.h"
#include "support_ranks.h"

enum { RANKS = 3 };

static lc_universe *made(const lc_topology *topology, const char *engine, int ranks)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = LIFE,
                                         .topology = *topology,
                                         .engine = engine,
                                         .context = ranks > 1 ? test_ranks_context(ranks)
                                                              : test_context()};
    lc_message why;
    lc_universe *u;
    if (lc_universe_create(&u, &options, &why) != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(u != NULL);
    CHECK(lc_universe_soup(u, 0, 0, topology->width_cells, topology->height_cells, 0.4, 5, NULL) ==
          LC_OK);
    return u;
}

// Steps of several passes, between which one rank alone is asked for cells: so its cells go back in
// their places, and those of the others have to.
static uint64_t evolve(lc_universe *u, int64_t height)
{
    lc_facts facts;
    bool alive;
    for (int64_t k = 0; k < 4; k++) {
        CHECK(lc_universe_step(u, lc_count_of(41), NULL, NULL, NULL) == LC_OK);
        CHECK(lc_universe_get(u, 3, height / 4 * k, &alive, NULL) == LC_OK);
    }
    CHECK(lc_universe_facts(u, LC_FACT_HASH, &facts, NULL) == LC_OK);
    lc_universe_destroy(&u);
    return facts.hash;
}

static void three_gpus(const char *reach)
{
    setenv("FAKE_GPUS", "3", 1);
    setenv("FAKE_PEERS", reach, 1);
    test_context_anew();
}

static const struct {
    lc_topology topology;
    const char *engine;
} boards[] = {
    {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 320, .height_cells = 90}, "cuda:words=1"}, // drifts
    {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 301, .height_cells = 90}, "cuda"},
    {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 320, .height_cells = 10}, "cuda:words=1"}, // thin
    {{.kind = LC_TOPOLOGY_PLANE, .width_cells = 301, .height_cells = 130}, "cuda"},
};
enum { BOARDS = sizeof boards / sizeof *boards };

static void by_mail(void)
{
    three_gpus("1");
    for (int i = 0; i < BOARDS; i++) {
        const int64_t height = boards[i].topology.height_cells;
        lc_universe *u = made(&boards[i].topology, boards[i].engine, RANKS);
        CHECK(strcmp(lc_universe_info_of(u).engine_note, "") == 0);
        CHECK_HAS(lc_universe_info_of(u).plan, "ranks=3,blocks=1,devices=0");
        const uint64_t hash = evolve(u, height);
        CHECK(hash == evolve(made(&boards[i].topology, "scalar", 1), height));
    }
    test_ranks_end();
}

static void expect_note(const lc_topology *topology, const char *engine, int ranks,
                        const char *note)
{
    const int64_t height = topology->height_cells;
    lc_universe *u = made(topology, engine, ranks);
    CHECK_HAS(lc_universe_info_of(u).engine_note, note);
    CHECK(evolve(u, height) == evolve(made(topology, "scalar", 1), height));
}

// Where GPUs do not reach each other their rows go from host to host, as they lie; on surfaces that
// mirror or shift them, cells.
static void by_rows(void)
{
    static const char rows[] = "rows go through the hosts' memory";
    const lc_topology klein = {
        .kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 300, .height_cells = 90, .twist_x = true};
    three_gpus("0");
    for (int i = 0; i < BOARDS; i++)
        expect_note(&boards[i].topology, boards[i].engine, RANKS, rows);
    expect_note(&boards[0].topology, "cuda:words=1,in-place=yes,band-rows=8", RANKS, rows);
    expect_note(&boards[1].topology, "cuda:blocks=2", RANKS, rows);
    expect_note(&boards[3].topology, "cuda:blocks=3", 2, rows);
    expect_note(&klein, "cuda", RANKS, "halos go through the hosts' memory");
    test_ranks_end();
}

// GPUs that differ, by mail and without: the ranks agree on who has which rows. Shares that are
// asked for are those of all ranks' slabs.
static void uneven(void)
{
    static const struct {
        const char *peers, *engine, *part;
        int ranks;
    } cases[] = {
        {"1", "cuda", "ranks=3,shares=4+2+1,blocks=1,devices=0,words=", 3},
        {"0", "cuda", "ranks=3,shares=4+2+1,blocks=1,devices=0,words=", 3},
        {"1", "cuda:shares=1+9", "ranks=2,shares=1+9,blocks=1,devices=0", 2},
        {"1", "cuda:devices=0+1,shares=1+9,in-place=yes", "shares=1+9,blocks=1,devices=0", 2},
        {"0", "cuda:device=0,shares=1+9+2+5", "ranks=2,shares=1+9+2+5,blocks=2", 2},
        {"0", "simd:shares=1+9+2+5+1+1", "ranks=3,shares=1+9+2+5+1+1,blocks=2", 3},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int i = 0; i < BOARDS; i++) {
            const int64_t height = boards[i].topology.height_cells;
            three_gpus(cases[c].peers);
            setenv("FAKE_MULTIPROCESSORS", "4,2,1", 1);
            lc_universe *u = made(&boards[i].topology, cases[c].engine, cases[c].ranks);
            if (height > 64) // else there are not as many rows as that
                CHECK_HAS(lc_universe_info_of(u).plan, cases[c].part);
            if (cases[c].peers[0] == '1') // rows lie alike in all slabs
                CHECK(strcmp(lc_universe_info_of(u).engine_note, "") == 0);
            CHECK(evolve(u, height) == evolve(made(&boards[i].topology, "scalar", 1), height));
            test_ranks_end();
        }
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = LIFE,
                                         .topology = boards[0].topology,
                                         .engine = "simd:shares=1+2+3",
                                         .context = test_ranks_context(2)};
    lc_message why;
    lc_universe *u;
    CHECK(lc_universe_create(&u, &options, &why) == LC_ERROR_ARGUMENT);
    CHECK_HAS(why.text, "shares= says how 3 slabs share the rows, and this board has 2");
    test_ranks_end();
}

static void several_each(void)
{
    three_gpus("1");
    setenv("FAKE_GPUS", "4", 1);
    const int64_t height = boards[0].topology.height_cells;
    lc_universe *u = made(&boards[0].topology, "cuda:words=1,devices=all", 2);
    CHECK(strcmp(lc_universe_info_of(u).engine_note, "") == 0);
    CHECK_HAS(lc_universe_info_of(u).plan, "ranks=2,blocks=2,devices=0+1");
    CHECK(evolve(u, height) == evolve(made(&boards[0].topology, "scalar", 1), height));
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = LIFE,
                                         .topology = boards[0].topology,
                                         .engine = "cuda:devices=0+1+2",
                                         .context = test_ranks_context(2)};
    lc_message why;
    CHECK(lc_universe_create(&u, &options, &why) == LC_ERROR_ARGUMENT);
    CHECK_HAS(why.text, "3 GPUs cannot be dealt out evenly to the 2 ranks");
    test_ranks_end();
}

// A launch of one rank fails, its GPU being fine: the other ranks' wait for what it was to send.
static void one_fails(void)
{
    three_gpus("1");
    lc_universe *u = made(&boards[0].topology, boards[0].engine, RANKS);
    lc_message why;
    CHECK(lc_universe_step(u, lc_count_of(41), NULL, NULL, NULL) == LC_OK);
    setenv("FAKE_FAIL", "cuStreamWaitValue64_v2=1@20", 1);
    CHECK(lc_universe_step(u, lc_count_of(1000), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "cuStreamWaitValue64 failed on GPU");
    unsetenv("FAKE_FAIL");
    CHECK(lc_universe_step(u, lc_count_of(1), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK(lc_universe_failure(u, &why) == LC_ERROR_DEVICE);
    lc_universe_destroy(&u);
    u = made(&boards[0].topology, boards[0].engine, RANKS); // and the ranks go on
    CHECK(evolve(u, 90) == evolve(made(&boards[0].topology, "scalar", 1), 90));
    test_ranks_end();
}

// The same where rows go from host to host.
static void one_fails_to_send(void)
{
    three_gpus("0");
    lc_universe *u = made(&boards[0].topology, boards[0].engine, RANKS);
    lc_message why;
    CHECK(lc_universe_step(u, lc_count_of(41), NULL, NULL, NULL) == LC_OK);
    setenv("FAKE_FAIL", "cuMemcpyDtoHAsync_v2=1@20", 1);
    CHECK(lc_universe_step(u, lc_count_of(1000), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "failed on GPU");
    unsetenv("FAKE_FAIL");
    CHECK(lc_universe_failure(u, &why) == LC_ERROR_DEVICE);
    lc_universe_destroy(&u);
    u = made(&boards[0].topology, boards[0].engine, RANKS);
    CHECK(evolve(u, 90) == evolve(made(&boards[0].topology, "scalar", 1), 90));
    test_ranks_end();
}

// There is no memory for some of the rows that go from host to host: the step fails, and the ranks
// go on.
static void no_memory_for_rows(void)
{
    three_gpus("0");
    const uint64_t hash = evolve(made(&boards[1].topology, "scalar", 1), 90);
    int failures = 0;
    for (uint64_t n = 1; n <= 12; n++) {
        lc_universe *u = made(&boards[1].topology, boards[1].engine, RANKS);
        lc_fail_allocation(n);
        const lc_status status = lc_universe_step(u, lc_count_of(1), NULL, NULL, NULL);
        lc_fail_allocation(0);
        CHECK(status == LC_OK || status == LC_ERROR_MEMORY);
        failures += status != LC_OK;
        lc_universe_destroy(&u);
    }
    CHECK(failures > 0);
    CHECK(evolve(made(&boards[1].topology, boards[1].engine, RANKS), 90) == hash);
    test_ranks_end();
}

#define EMULATED(run) CASE(run, EMULATED_CUDA, EMULATED_CUDA)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EMULATED(by_mail),           EMULATED(by_rows),   EMULATED(uneven),
        EMULATED(several_each),      EMULATED(one_fails), EMULATED(one_fails_to_send),
        EMULATED(no_memory_for_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
