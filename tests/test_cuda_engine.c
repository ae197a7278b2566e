// The cuda engine when things go wrong: no GPU, one that is too small, one that is lost at any
// call, kernels that compute something else. Whatever happens there is an error that says so, never
// a wrong cell, and files that were there stay whole.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/engine_interface.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_cover.h"
#include "support_device.h"
#include "support_facts.h"
#include "support_universe.h"

static const lc_topology klein = {LC_TOPOLOGY_KLEIN_BOTTLE, 300, 70, 0, 0, true, false};

static void in_cache(const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", getenv("LIGHTCONE_CACHE"), name);
}

// Generations from one checkpoint of a run to the next: several passes, and two rounds where it has
// settled.
enum { PIECE = 33 };

// The hashes of a universe on the CPU: at the start, after one piece and after two.
static uint64_t expected[3];

static void expect(lc_topology topology)
{
    lc_universe *u;
    lc_message why;
    CHECK(test_try_create(&u, "simd", topology, 0, &why) == LC_OK);
    CHECK(lc_universe_soup(u, 0, 0, klein.width_cells, klein.height_cells, 0.4, 5, &why) == LC_OK);
    for (int i = 0; i < 3; i++) {
        expected[i] = test_hash(u);
        CHECK(lc_universe_step(u, lc_count_of(PIECE), NULL, NULL, &why) == LC_OK);
    }
    lc_universe_destroy(&u);
}

// A checkpoint that can be read, of one of the generations at which one is written.
static void check_checkpoint(const char *path)
{
    lc_universe *u;
    lc_message why;
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .engine = "simd", .threads = 1};
    lc_status status = lc_universe_restore(&u, path, &options, &why);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(status == LC_OK);
    const uint64_t generation = test_generation(u);
    CHECK(generation % PIECE == 0 && generation / PIECE < 3);
    CHECK(test_hash(u) == expected[generation / PIECE]);
    lc_universe_destroy(&u);
}

static const char *whole_run_engine = "cuda";

// Everything that a run does; where it fails first, the status.
static lc_status whole_run(lc_topology topology, const char *path, const char *saved,
                           lc_message *message)
{
    lc_universe *u = NULL;
    lc_status status = test_try_create(&u, whole_run_engine, topology, 0, message);
    if (status != LC_OK) {
        CHECK(u == NULL);
        return status;
    }
    status = lc_universe_soup(u, 0, 0, klein.width_cells, klein.height_cells, 0.4, 5, message);
    for (int i = 0; i < 3 && status == LC_OK; i++) {
        status = lc_universe_checkpoint(u, path, message);
        if (status == LC_OK)
            status = lc_universe_step(u, lc_count_of(PIECE), NULL, NULL, message);
    }
    if (status == LC_OK)
        status = lc_universe_save(u, saved, LC_FORMAT_RLE, message);
    lc_message why = {0};
    if (status != LC_OK && lc_universe_failure(u, &why) == LC_OK) {
        CHECK(topology.width_cells == 0); // a larger block could not be made: the old one is whole
    } else if (status != LC_OK) {         // and so it stays
        CHECK(lc_universe_failure(u, &why) == status && why.text[0] != '\0');
        CHECK(lc_universe_step(u, lc_count_of(1), NULL, NULL, &why) == status);
        CHECK(lc_universe_checkpoint(u, path, &why) == status);
        CHECK(lc_universe_save(u, saved, LC_FORMAT_RLE, &why) == status);
        lc_facts facts;
        bool alive;
        CHECK(lc_universe_facts(u, LC_FACT_ALL, &facts, &why) == status);
        CHECK(lc_count_compare(facts.population, lc_count_of(0)) == 0 && facts.box.empty &&
              facts.hash == 0);
        CHECK(lc_universe_get(u, 0, 0, &alive, &why) == status);
        CHECK(lc_universe_set(u, 0, 0, true, &why) == status);
    }
    lc_universe_destroy(&u);
    return status;
}

static int lost_at;              // which call fails
static lc_topology lost_with;    // on which surface
static const char *lost_kernels; // the folder of compiled kernels; NULL: they are compiled, too

// One loss. Exit status 3: nothing failed, there were fewer calls.
static void lose_device(void)
{
    char path[512], saved[512], plan[64];
    lc_message why = {0};
    struct stat facts;
    in_cache("run.lcs", path);
    in_cache("saved.rle", saved);
    expect(lost_with);
    if (lost_kernels != NULL)
        setenv("LIGHTCONE_CACHE", lost_kernels, 1);
    test_context_anew();
    snprintf(plan, sizeof plan, "any=719@%d", lost_at);
    setenv("FAKE_FAIL", plan, 1);
    const lc_status status = whole_run(lost_with, path, saved, &why);
    unsetenv("FAKE_FAIL");
    if (stat(path, &facts) == 0)
        check_checkpoint(path);
    if (status == LC_OK)
        _exit(stat(saved, &facts) == 0 && stat(path, &facts) == 0 ? 3 : 1);
    CHECK(stat(saved, &facts) != 0);
    CHECK(status == LC_ERROR_DEVICE || status == LC_ERROR_UNSUPPORTED);
    // "cuLaunchKernel of halo failed on GPU 0 ...", "board.cu does not compile ..."
    CHECK(strstr(why.text, "failed") != NULL || strstr(why.text, "compile") != NULL);
}

static void lose_at_every(int stride, lc_topology topology, const char *kernels)
{
    lost_with = topology;
    lost_kernels = kernels;
    for (lost_at = 1;; lost_at += stride) {
        assert_true(lost_at < 10000);
        if (in_child_status(lose_device, EMULATED_CUDA, EMULATED_CUDA) == 3)
            break;
    }
    assert_true(lost_at > 100); // or the plan does not work
}

static void check_losses(lc_topology topology)
{
    char kernels[] = "/tmp/lightcone-test-XXXXXX", command[64];
    assert_non_null(mkdtemp(kernels));
    const int usual = 11 * (test_slowness() > 1 ? 5 : 1), share = (int)test_share();
    const int stride = test_full() || share > 1 ? share : usual;
    lose_at_every(stride, topology, kernels);
    lose_at_every(8 * stride, topology, NULL);
    snprintf(command, sizeof command, "rm -r %s", kernels);
    assert_int_equal(system(command), 0);
}

static void test_lost_device(void **state)
{
    (void)state;
    check_losses(klein);
}

// In the plane, where blocks grow and rows are copied from one to the next.
static void test_lost_device_while_growing(void **state)
{
    (void)state;
    check_losses((lc_topology){.kind = LC_TOPOLOGY_PLANE});
}

// While only what happens is stepped.
static void test_lost_device_settled(void **state)
{
    (void)state;
    whole_run_engine = "cuda:settled=yes";
    check_losses(klein);
    whole_run_engine = "cuda";
}

// In place, in two blocks: passes are queued by their second half, which cannot say that it failed.
static void test_lost_device_in_place(void **state)
{
    (void)state;
    whole_run_engine = "cuda:blocks=2,in-place=yes,band-rows=14";
    check_losses(klein);
    whole_run_engine = "cuda";
}

static void check_reason(const char *part)
{
    lc_engine_info info;
    lc_universe *u;
    lc_message why;
    CHECK(lc_engine_at(test_context(), 0, &info) && strcmp(info.name, "cuda") == 0);
    CHECK(!info.available);
    CHECK_HAS(info.reason, part);
    CHECK(test_try_create(&u, "cuda", klein, 0, &why) == LC_ERROR_UNSUPPORTED && u == NULL);
    CHECK_HAS(why.text, part);
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 4096};
    CHECK(test_try_create(&u, NULL, large, 0, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "simd") == 0);
    CHECK(lc_universe_info_of(u).engine_note[0] == '\0'); // nothing was tried
    lc_universe_destroy(&u);
}

static void no_driver(void)
{
    check_reason("/nowhere/libcuda.so");
}

static void no_compiler(void)
{
    check_reason("/nowhere/libnvrtc.so");
}

static void old_gpu(void)
{
    setenv("FAKE_ARCHITECTURE", "61", 1);
    check_reason("compute capability 6.1");
}

// "auto", measured: with a GPU from the beginning.
static lc_status try_at_once(lc_universe **out, lc_topology topology, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = topology,
                                         .every_generation = true};
    return lc_universe_create(out, &options, message);
}

// A board that the GPU has no room for: an error that says need and have, or the CPU.
static void small_gpu(void)
{
    lc_universe *u;
    lc_message why = {0};
    setenv("FAKE_MEMORY", "3", 1);
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 4096};
    CHECK(test_try_create(&u, "cuda", large, 0, &why) == LC_ERROR_LIMIT && u == NULL);
    CHECK_HAS(why.text, "8192 x 4096 cells need");
    CHECK_HAS(why.text, "the limit is 3.0 MiB");
    CHECK(try_at_once(&u, large, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "simd") == 0);
    CHECK_HAS(lc_universe_info_of(u).engine_note, "\"cuda\" is not used");
    lc_universe_destroy(&u);
    // What the driver has no room for, although the limit allows it.
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = large,
                                         .engine = "cuda",
                                         .max_memory_bytes = UINT64_C(1) << 40};
    CHECK(lc_universe_create(&u, &options, &why) == LC_ERROR_MEMORY && u == NULL);
    CHECK_HAS(why.text, "the cells need");
    CHECK_HAS(why.text, "free");
}

// A kernel that counts wrong is found before it is used.
static void wrong_kernel(void)
{
    lc_universe *u;
    lc_message why = {0};
    setenv("FAKE_MISCOMPILE", "majority.word[k] = LC_GATE(0xE8=>majority.word[k] = LC_GATE(0xE0",
           1);
    CHECK(test_try_create(&u, "cuda", klein, 0, &why) == LC_ERROR_MISMATCH && u == NULL);
    CHECK_HAS(why.text, "fails its self-check");
    CHECK_HAS(why.text, "generation 41");
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 2048};
    CHECK(try_at_once(&u, large, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "simd") == 0);
    CHECK_HAS(lc_universe_info_of(u).engine_note, "fails its self-check");
    lc_universe_destroy(&u);
}

// So are kernels that look at cells, or move them, wrongly.
static void check_miscompiled(const char *plan)
{
    lc_universe *u;
    lc_message why = {0};
    setenv("FAKE_MISCOMPILE", plan, 1);
    const lc_status status = test_try_create(&u, "cuda", klein, 0, &why);
    if (status != LC_ERROR_MISMATCH)
        fprintf(stderr, "'%s' was not seen: %s\n", plan, why.text);
    CHECK(status == LC_ERROR_MISMATCH);
    CHECK_HAS(why.text, "fails its self-check");
}

// In place a board is checked in place: in bands that see each other's rows.
static void wrong_bands(void)
{
    lc_universe *u;
    lc_message why = {0};
    lc_topology plane = klein;
    plane.kind = LC_TOPOLOGY_PLANE;
    plane.twist_x = false;
    setenv("FAKE_MISCOMPILE", "return LC_SLAB ? board->above : 0;=>return board->above & 0;", 1);
    CHECK(test_try_create(&u, "cuda:in-place=yes", plane, 0, &why) == LC_ERROR_MISMATCH &&
          u == NULL);
    CHECK_HAS(why.text, "fails its self-check");
    CHECK(test_try_create(&u, "cuda:in-place=no", plane, 0, &why) == LC_OK);
    lc_universe_destroy(&u);
}

static void wrong_population(void)
{
    check_miscompiled("(lc_u64)__popcll(cells);=>(lc_u64)__popcll(cells) + (item == 7);");
}

static void wrong_hash(void)
{
    check_miscompiled("lc_hash_weight(64 * w, y0)=>lc_hash_weight(64 * w, y0 + (w == 1))");
}

static void wrong_box(void)
{
    check_miscompiled("64 * w + 63 - =>64 * w + 62 - ");
}

static void wrong_halo(void)
{
    check_miscompiled(
        "height + (long long)row - depth;=>height + (long long)row - depth + ((int)row == depth);");
}

static void wrong_rows(void)
{
    check_miscompiled("w + i < word_count ? plain=>w + i < word_count - (row == 3) ? plain");
}

// Kernels of boards that have settled are checked when they are first used.
static void check_wrong_round(const char *plan)
{
    lc_universe *u;
    lc_message why = {0};
    setenv("FAKE_MISCOMPILE", plan, 1);
    CHECK(test_try_create(&u, "cuda:settled=yes", klein, 0, &why) == LC_OK);
    CHECK(lc_universe_soup(u, 0, 0, 300, 70, 0.3, 5, &why) == LC_OK);
    const lc_status status = lc_universe_step(u, lc_count_of(30), NULL, NULL, &why);
    if (status != LC_ERROR_MISMATCH)
        fprintf(stderr, "'%s' was not seen: %s\n", plan, why.text);
    CHECK(status == LC_ERROR_MISMATCH);
    CHECK_HAS(why.text, "fails its self-check");
    CHECK_HAS(why.text, "generation 120");
    CHECK(lc_universe_failure(u, &why) == status);
    lc_universe_destroy(&u);
}

static void wrong_visit(void)
{
    check_wrong_round("__shfl_up_sync(~0u, below.majority=>__shfl_up_sync(~0u, here.majority");
}

static void wrong_list(void)
{
    check_wrong_round("if (parts != 0)=>if (parts == 999)");
}

static void right_kernel(void)
{
    char path[512], saved[512];
    lc_message why = {0};
    in_cache("run.lcs", path);
    in_cache("saved.rle", saved);
    expect(klein);
    lc_status status = whole_run(klein, path, saved, &why);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(status == LC_OK);
    check_checkpoint(path);
}

// "auto" takes the GPU for large boards, and not for small ones; as soon as so many generations are
// wanted that they are worth its start, if that is not known before.
static void automatic(void)
{
    uint64_t safe;
    lc_universe *u;
    lc_message why = {0};
    CHECK(test_try_create(&u, "auto", klein, 0, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "simd") == 0);
    lc_universe_destroy(&u);
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 2048};
    CHECK(try_at_once(&u, large, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "cuda") == 0 &&
          *lc_universe_info_of(u).engine_note == '\0');
    lc_universe_destroy(&u);
    CHECK(test_try_create(&u, "auto", large, 0, &why) == LC_OK);
    CHECK(lc_universe_soup(u, 8000, 2000, 192, 48, 0.5, 3, NULL) == LC_OK);
    const uint64_t hash = test_hash(u);
    CHECK(u->cover->vtable->prepare(u->cover, 100, &safe, NULL) == LC_OK && safe == 100);
    CHECK(strcmp(lc_universe_info_of(u).engine, "simd") == 0);
    CHECK(u->cover->vtable->prepare(u->cover, 1000000000, &safe, NULL) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "cuda") == 0 &&
          *lc_universe_info_of(u).engine_reason != '\0');
    CHECK(test_hash(u) == hash);
    lc_universe_destroy(&u);
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = test_context(),
                                   .rule = LIFE,
                                   .topology = large,
                                   .cpu_level = "portable",
                                   .threads = 1};
    CHECK(lc_universe_create(&u, &options, &why) == LC_OK); // asks for a CPU
    CHECK(strcmp(lc_universe_info_of(u).cpu_level, "portable") == 0);
    lc_universe_destroy(&u);
    options.engine = "cuda";
    CHECK(lc_universe_create(&u, &options, &why) == LC_ERROR_UNSUPPORTED);
}

// An endless tube grows until it is worth a GPU, and moves there. The GPU's memory may be filled to
// the limit, since the block that is left is not in it.
static void grows_onto_gpu(void)
{
    const int64_t last = 4200;
    const lc_topology tube = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 4032};
    const lc_topology grown = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 4032, .height_cells = 4208};
    lc_universe *u, *same;
    lc_universe_needs needs;
    lc_message why = {0};
    const lc_universe_options there = {.struct_bytes = sizeof there,
                                       .context = test_context(),
                                       .rule = LIFE,
                                       .topology = grown,
                                       .engine = "cuda",
                                       .threads = 1,
                                       .every_generation = true};
    CHECK(lc_universe_check(&there, &needs, &why) == LC_OK);
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = tube,
                                         .threads = 1,
                                         .every_generation = true,
                                         .max_memory_bytes = needs.memory_bytes};
    CHECK(lc_universe_create(&u, &options, &why) == LC_OK);
    CHECK(test_try_create(&same, "simd", tube, 0, &why) == LC_OK);
    CHECK(lc_universe_soup(u, 0, 0, 4032, 40, 0.4, 5, &why) == LC_OK);
    CHECK(lc_universe_soup(same, 0, 0, 4032, 40, 0.4, 5, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "sparse") == 0);
    CHECK(lc_adaptive_change(u->cover, &why) == LC_OK); // as it does when most of it changes
    CHECK(strcmp(lc_universe_info_of(u).engine, "simd") == 0);
    const lc_status status = lc_universe_set(u, 7, last, true, &why);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(status == LC_OK && lc_universe_set(same, 7, last, true, &why) == LC_OK);
    CHECK(strcmp(lc_universe_info_of(u).engine, "cuda") == 0 &&
          *lc_universe_info_of(u).engine_note == '\0');
    CHECK(test_population(u) == test_population(same));
    CHECK(test_hash(u) == test_hash(same));
    lc_universe_destroy(&u);
    lc_universe_destroy(&same);
}

#define EMULATED(run) CASE(run, EMULATED_CUDA, EMULATED_CUDA)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EMULATED(right_kernel),
        EMULATED(automatic),
        EMULATED(grows_onto_gpu),
        CASE(no_driver, "/nowhere/libcuda.so", EMULATED_CUDA),
        CASE(no_compiler, EMULATED_CUDA, "/nowhere/libnvrtc.so"),
        EMULATED(old_gpu),
        EMULATED(small_gpu),
        EMULATED(wrong_kernel),
        EMULATED(wrong_bands),
        EMULATED(wrong_population),
        EMULATED(wrong_hash),
        EMULATED(wrong_box),
        EMULATED(wrong_halo),
        EMULATED(wrong_rows),
        EMULATED(wrong_visit),
        EMULATED(wrong_list),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_lost_device_while_growing),
        cmocka_unit_test(test_lost_device_settled),
        cmocka_unit_test(test_lost_device_in_place),
    };
    return cmocka_run_group_tests_name("cuda_engine", tests, NULL, NULL);
}
