// Universes on a GPU that share a context: it is opened once, and kernels are compiled once, also
// for several threads; settings name the GPU; and what is lost is opened anew.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_device.h"

static const lc_topology torus = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 70};

static lc_status make(lc_universe **out, const char *engine, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = LIFE,
                                         .topology = torus,
                                         .engine = engine,
                                         .threads = 1,
                                         .context = test_context()};
    *message = (lc_message){0};
    return lc_universe_create(out, &options, message);
}

static lc_universe *made(const char *engine)
{
    lc_universe *u;
    lc_message why;
    if (make(&u, engine, &why) != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(u != NULL);
    return u;
}

static uint64_t evolve(lc_universe *u)
{
    lc_facts facts;
    CHECK(lc_universe_soup(u, 0, 0, torus.width_cells, torus.height_cells, 0.4, 5, NULL) == LC_OK);
    for (int i = 0; i < 3; i++)
        CHECK(lc_universe_step(u, lc_count_of(9), NULL, NULL, NULL) == LC_OK);
    CHECK(lc_universe_facts(u, LC_FACT_HASH, &facts, NULL) == LC_OK);
    lc_universe_destroy(&u);
    return facts.hash;
}

// Nothing is kept on disk.
static void without_folder(void)
{
    setenv("LIGHTCONE_CACHE", "", 1);
    test_context_anew();
}

static void compiled_once(void)
{
    without_folder();
    const uint64_t hash = evolve(made("simd"));
    CHECK(evolve(made("cuda")) == hash);
    const long compiled = ask_fake("fake_compilations");
    CHECK(compiled > 1);
    for (int i = 0; i < 3; i++) {
        lc_universe *first = made("cuda"), *second = made("cuda");
        CHECK(evolve(first) == hash);
        CHECK(evolve(second) == hash);
    }
    CHECK(ask_fake("fake_compilations") == compiled);
    test_context_anew(); // another one has nothing of the first
    CHECK(evolve(made("cuda")) == hash);
    CHECK(ask_fake("fake_compilations") == 2 * compiled);
    test_context_anew();
}

typedef struct stepper {
    const char *engine;
    uint64_t hash;
} stepper;

static void *step_some(void *context)
{
    stepper *s = context;
    const uint64_t hash = s->hash;
    for (int i = 0; i < 4; i++)
        if (evolve(made(s->engine)) != hash)
            s->hash = ~hash;
    return NULL;
}

static void used_by_threads(void)
{
    enum { AT_ONCE = 3 };
    static const char *const engines[AT_ONCE] = {
        "cuda", "cuda", "cuda:words=1,generations=0,tile-warps=8,tile-rows=8,depth=16"};
    pthread_t threads[AT_ONCE];
    stepper s[AT_ONCE];
    without_folder();
    const uint64_t hash = evolve(made("simd"));
    (void)test_context(); // is made by one thread
    for (int i = 0; i < AT_ONCE; i++) {
        s[i] = (stepper){engines[i], hash};
        CHECK(pthread_create(&threads[i], NULL, step_some, &s[i]) == 0);
    }
    for (int i = 0; i < AT_ONCE; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(s[i].hash == hash);
    }
    const long compiled = ask_fake("fake_compilations");
    test_context_anew();
    CHECK(evolve(made(engines[0])) == hash);
    CHECK(evolve(made(engines[2])) == hash);
    CHECK(ask_fake("fake_compilations") == 2 * compiled); // one thread needs as many
    test_context_anew();
}

static void settings_name_the_gpu(void)
{
    static const struct {
        const char *engine, *part;
    } refused[] = {
        {"cuda:device=2", "there is no GPU 2: the driver shows 2"},
        {"cuda:device=x", "\"device=x\" names no GPU"},
        {"cuda:device=", "names no GPU"},
        {"cuda:device=-1", "names no GPU"},
        {"cuda:device=1,colour=red", "unknown setting \"colour=red\" for engine \"cuda\""},
        {"cuda:words=3", "1, 2 or 4 words, not 3"},
        {"simd:words=4", "unknown setting \"words=4\" for engine \"simd\"; it accepts blocks=N "
                         "and shares=N+N"},
        {"scalar:x", "unknown setting \"x\" for engine \"scalar\""},
    };
    setenv("FAKE_GPUS", "2", 1);
    lc_universe *u = made("cuda:device=1");
    CHECK(strcmp(lc_universe_info_of(u).engine, "cuda") == 0);
    CHECK(strncmp(lc_universe_info_of(u).plan, "device=1,words=", 15) == 0);
    char again[LC_ENGINE_SETTINGS_BYTES + 8], plan[LC_ENGINE_SETTINGS_BYTES];
    snprintf(plan, sizeof plan, "%s", lc_universe_info_of(u).plan);
    snprintf(again, sizeof again, "cuda:%s", plan);
    const uint64_t hash = evolve(u);
    u = made(again); // a plan can be given as settings
    CHECK(strcmp(lc_universe_info_of(u).plan, plan) == 0);
    CHECK(evolve(u) == hash);
    CHECK(evolve(made("cuda")) == hash && evolve(made("simd:")) == hash);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        lc_message why;
        lc_universe_needs needs;
        CHECK(make(&u, refused[i].engine, &why) == LC_ERROR_ARGUMENT && u == NULL);
        CHECK_HAS(why.text, refused[i].part);
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .rule = LIFE,
                                             .topology = torus,
                                             .engine = refused[i].engine,
                                             .context = test_context()};
        CHECK(lc_universe_check(&options, &needs, &why) == LC_ERROR_ARGUMENT);
        CHECK_HAS(why.text, refused[i].part);
    }
    test_context_anew();
}

// While somebody holds a lost GPU it is lost for all; afterwards it is opened anew.
static void lost_and_opened_anew(void)
{
    lc_message why;
    lc_universe *first = made("cuda"), *second = made("cuda"), *third;
    CHECK(lc_universe_set(first, 1, 1, true, &why) == LC_OK);
    setenv("FAKE_FAIL", "any=719@1", 1);
    CHECK(lc_universe_step(first, lc_count_of(50), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "(719)");
    unsetenv("FAKE_FAIL");
    CHECK(lc_universe_step(second, lc_count_of(50), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "the GPU was lost");
    CHECK(make(&third, "cuda", &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "the GPU was lost");
    lc_universe_destroy(&first);
    lc_universe_destroy(&second);
    CHECK(evolve(made("cuda")) == evolve(made("simd")));
    test_context_anew();
}

// The cells of a slab that is looked at are put back in their places, and those of others are not.
static void slabs_drift_alike(void)
{
    static const char *const engines[] = {"simd", "cuda:blocks=3,words=1"};
    static const lc_topology drifting = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 320, .height_cells = 70};
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .rule = LIFE,
                                             .topology = drifting,
                                             .engine = engines[i],
                                             .context = test_context()};
        lc_universe *u;
        lc_facts facts;
        bool alive;
        CHECK(lc_universe_create(&u, &options, NULL) == LC_OK);
        CHECK(lc_universe_soup(u, 0, 0, 320, 70, 0.4, 5, NULL) == LC_OK);
        for (int k = 0; k < 4; k++) {
            CHECK(lc_universe_step(u, lc_count_of(9), NULL, NULL, NULL) == LC_OK);
            CHECK(lc_universe_get(u, 3, 23 * k, &alive, NULL) == LC_OK);
        }
        CHECK(lc_universe_facts(u, LC_FACT_HASH, &facts, NULL) == LC_OK);
        hashes[i] = facts.hash;
        lc_universe_destroy(&u);
    }
    CHECK(hashes[0] == hashes[1]);
    test_context_anew();
}

#define ZEROS_58 "0000000000000000000000000000000000000000000000000000000000"

static void devices_share_a_board(void)
{
    static const struct {
        const char *engine, *part;
        lc_status status;
    } refused[] = {
        {"cuda:devices=0+3", "there is no GPU 3: the driver shows 3", LC_ERROR_ARGUMENT},
        {"cuda:devices=0+", "numbers like 0+2, each at most once", LC_ERROR_ARGUMENT},
        {"cuda:devices=", "numbers like 0+2", LC_ERROR_ARGUMENT},
        {"cuda:devices=1+1", "each at most once", LC_ERROR_ARGUMENT},
        {"cuda:devices=all+1", "numbers like 0+2", LC_ERROR_ARGUMENT},
        {"cuda:devices=-1", "numbers like 0+2", LC_ERROR_ARGUMENT},
        {"cuda:devices=0,devices=1", "devices= twice", LC_ERROR_ARGUMENT},
        {"cuda:device=0,devices=1", "both device= and devices=", LC_ERROR_ARGUMENT},
        {"cuda:blocks=2,settled=yes", "settled=yes is for a board that is one block",
         LC_ERROR_UNSUPPORTED},
        {"cuda:devices=0+1,words=" ZEROS_58 ZEROS_58 ZEROS_58 ZEROS_58 "4",
         "the engine's settings are too long for devices of their own", LC_ERROR_ARGUMENT},
        {"simd:devices=all", "the engine \"simd\" has no devices", LC_ERROR_ARGUMENT},
    };
    static const char *const engines[] = {"cuda:devices=all", "cuda:devices=2+0,blocks=5",
                                          "cuda:blocks=2", "cuda:devices=1"};
    lc_message why;
    lc_universe *u;
    setenv("FAKE_GPUS", "3", 1);
    test_context_anew();
    const uint64_t hash = evolve(made("simd"));
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        char again[LC_ENGINE_SETTINGS_BYTES + 8];
        u = made(engines[i]);
        CHECK(*lc_universe_info_of(u).engine_note == '\0');
        snprintf(again, sizeof again, "cuda:%s", lc_universe_info_of(u).plan);
        CHECK(evolve(u) == hash);
        CHECK(evolve(made(again)) == hash); // a plan can be given as settings
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK(make(&u, refused[i].engine, &why) == refused[i].status && u == NULL);
        CHECK_HAS(why.text, refused[i].part);
    }
    setenv("FAKE_PEERS", "0", 1);
    u = made("cuda:devices=0+2");
    CHECK_HAS(lc_universe_info_of(u).engine_note, "GPU 2 does not reach the memory of GPU 0");
    CHECK(evolve(u) == hash);
    unsetenv("FAKE_PEERS");

    u = made("cuda:devices=all"); // one GPU is lost, and so is the board
    CHECK(lc_universe_set(u, 1, 1, true, &why) == LC_OK);
    setenv("FAKE_FAIL", "cuStreamWaitValue64_v2=719", 1);
    CHECK(lc_universe_step(u, lc_count_of(50), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "cuStreamWaitValue64 failed on GPU 0");
    unsetenv("FAKE_FAIL");
    CHECK(lc_universe_step(u, lc_count_of(1), NULL, NULL, &why) == LC_ERROR_DEVICE);
    CHECK(lc_universe_failure(u, &why) == LC_ERROR_DEVICE);
    CHECK_HAS(why.text, "cuStreamWaitValue64");
    lc_universe_destroy(&u);
    test_context_anew();
}

// What "auto" does with a board that is too large for one of three GPUs of 15 MiB, and with others.
static void several_are_chosen(void)
{
    static const struct {
        lc_topology topology;
        uint64_t limit_mib;
    } boards[] = {
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 8192}, 45},
        {{.kind = LC_TOPOLOGY_PLANE, .width_cells = 8192, .height_cells = 8192}, 45},
        {{.kind = LC_TOPOLOGY_SPHERE, .width_cells = 8192, .height_cells = 8192}, 15},
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 4096, .height_cells = 4096}, 15},
    };
    setenv("FAKE_GPUS", "3", 1);
    setenv("FAKE_MEMORY", "15", 1);
    test_context_anew();
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        lc_universe_needs needs;
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .rule = LIFE,
                                             .topology = boards[i].topology,
                                             .every_generation = true, // from the beginning
                                             .context = test_context()};
        (void)lc_universe_check(&options, &needs, NULL);
        CHECK(strcmp(needs.engine, "cuda") == 0);
        CHECK(needs.limit_bytes == boards[i].limit_mib << 20);
    }
    test_context_anew();
}

#define EMULATED(run) CASE(run, EMULATED_CUDA, EMULATED_CUDA)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EMULATED(compiled_once),         EMULATED(used_by_threads),
        EMULATED(settings_name_the_gpu), EMULATED(lost_and_opened_anew),
        EMULATED(slabs_drift_alike),     EMULATED(devices_share_a_board),
        EMULATED(several_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
