// Censuses on emulated GPUs. Batches of all symmetries and of several rules are compared with the
// same soups on the CPU, kind by kind and sample by sample. Whole censuses run on two GPUs beside
// threads, are stopped, refused, or fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "census/gpu_soups.h"
#include "census/soup_census.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_census.h"
#include "support_gpu.h"

#define SEED "l_lightcone1"

// Batches ----------------------------------------------------------------------------------------

static lc_soup_source source_of(const char *symmetry, const char *seed)
{
    lc_soup_source source;
    const lc_soup_census_options options = {.symmetry = symmetry, .seed = seed};
    GOOD(lc_soup_source_take(&source, &options, &why));
    return source;
}

static void take_on_cpu(lc_soup_taker *taker, const lc_soup_source *source, uint64_t number)
{
    static lc_soup_cells cells;
    lc_soup_source_make(&cells, source, number);
    GOOD(lc_soup_take(taker, &cells, &why));
    lc_soup_count(taker, number);
}

static void check_kinds(const lc_kinds *got, const lc_kinds *want)
{
    for (size_t i = 0; i < want->count; i++) {
        const lc_kind *a = &want->at[i], *b = lc_kinds_find(got, a->name);
        if (a->count == 0) {
            assert_true(b == NULL || b->count == 0);
            continue;
        }
        if (b == NULL || b->count != a->count)
            fail_msg("%s: %llu, not %llu", a->name, (unsigned long long)(b == NULL ? 0 : b->count),
                     (unsigned long long)a->count);
        assert_int_equal(b->sample_count, a->sample_count);
        assert_memory_equal(b->samples, a->samples, (size_t)a->sample_count * sizeof a->samples[0]);
    }
    for (size_t i = 0; i < got->count; i++)
        assert_true(got->at[i].count == 0 || lc_kinds_find(want, got->at[i].name) != NULL);
}

// Runs batches on the GPU, and the soups that it leaves on the CPU. Returns how many these are.
static size_t compare_batches(const char *rule_text, lc_soup_source source,
                              const lc_number_range *batches, int count)
{
    lc_gpu_soups *gpu;
    lc_soup_taker *rest, *all;
    lc_kinds kinds = {0};
    lc_topology topology;
    const lc_rule *rule;
    size_t left = 0;
    GOOD(lc_rule_parse(rule_text, &rule, &topology, &why));
    GOOD(lc_gpu_soups_create(&gpu, device, rule, &source, 256, test_context(), &why));
    const int square = lc_soup_source_square(&source);
    GOOD(lc_soup_taker_create(&rest, rule, square, test_context(), &why));
    GOOD(lc_soup_taker_create(&all, rule, square, test_context(), &why));
    for (int k = 0; k < count; k++) {
        lc_gpu_batch_result result;
        uint64_t most;
        GOOD(lc_gpu_soups_prepare(gpu, &kinds, batches[k].first, &most, &why));
        GOOD(lc_gpu_soups_start(gpu, k % LC_GPU_BATCHES, batches[k], &why));
        GOOD(lc_gpu_soups_finish(gpu, k % LC_GPU_BATCHES, &result, &why));
        left += result.left_count;
        for (size_t i = 0; i < result.left_count; i++)
            take_on_cpu(rest, &source, batches[k].first + result.left[i]);
        for (uint64_t i = batches[k].first; i < batches[k].end; i++)
            take_on_cpu(all, &source, i);
        assert_true(lc_kinds_add_names(&kinds, result.kinds));
        lc_kinds_add_counts(&kinds, result.kinds);
        lc_kinds_clear_counts(result.kinds);
        assert_true(lc_kinds_add_names(&kinds, &rest->names.kinds));
        lc_kinds_add_counts(&kinds, &rest->names.kinds);
        lc_kinds_clear_counts(&rest->names.kinds);
    }
    check_kinds(&kinds, &all->names.kinds);
    lc_kinds_free(&kinds);
    lc_soup_taker_destroy(&rest);
    lc_soup_taker_destroy(&all);
    lc_gpu_soups_destroy(&gpu);
    lc_rule_release(&rule);
    return left;
}

static size_t compare(const char *rule_text, const char *symmetry, uint64_t first, int soups,
                      int batch_soups)
{
    enum { BATCHES_MAX = 8 };
    lc_number_range batches[BATCHES_MAX];
    const int count = soups / batch_soups;
    assert_true(count <= BATCHES_MAX);
    for (int i = 0; i < count; i++) {
        const uint64_t at = first + (uint64_t)(i * batch_soups);
        batches[i] = (lc_number_range){at, at + (uint64_t)batch_soups};
    }
    return compare_batches(rule_text, source_of(symmetry, SEED), batches, count);
}

static void most_soups(void **state)
{
    (void)state;
    // Among them are spaceships, gliders side by side, pulsars, and a soup that settles while a
    // glider still flies towards a block.
    assert_true(compare("B3/S23", "C1", 1360, 60, 20) < 12);
    compare("B3/S23", "C1", 1172, 1, 1);
    compare("B3/S23", "C1", 3199, 1, 1);
    compare("B3/S23", "C1", 64110, 12, 12);
    compare("B3/S23", "C1", 43895, 1, 1);
    // These grow beyond the canvas of the first pass.
    assert_int_equal(compare("B3/S23", "C1", 2664, 1, 1), 0);
    assert_int_equal(compare("B3/S23", "C1", 6371, 1, 1), 0);
    assert_int_equal(compare("B3/S23", "iC1", 4292, 1, 1), 0);
    // Beside a glider that is taken away, a cell dies, and other cells have not changed yet.
    const lc_number_range beside = {127758, 127759};
    compare_batches("B3/S23", source_of("8x32", "l_gpu"), &beside, 1);
    // A spaceship and its mirror image leave, and become known. Side by side, they are one object.
    const lc_number_range ships[] = {{367223, 367224}, {454772, 454773}, {428938, 428939}};
    compare_batches("B3/S23", source_of("D2_+1", "l_check"), ships, 3);
}

static void symmetries(void **state)
{
    static const char *const names[] = {"10x10", "8x32",  "4x64",  "2x128", "1x256", "D2_x",
                                        "D2_xo", "D2_+1", "D2_+2", "C2_1",  "C2_2",  "C2_4",
                                        "C4_1",  "C4_4",  "D4_+1", "D4_+2", "D4_+4", "D4_x1",
                                        "D4_x4", "D8_1",  "D8_4",  "iC1",   "iiC1",  "iiiD8_1"};
    (void)state;
    const int soups = getenv("LC_TEST_FULL") != NULL ? 64 : 6;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        compare("B3/S23", names[i], 100 * i, soups, soups / 2);
}

static void rules(void **state)
{
    (void)state;
    compare("B38/S23", "C1", 0, 8, 4);
    compare("B3678/S34678", "D8_1", 0, 8, 4);
    compare("B36/S125", "C1", 0, 6, 3); // no glider leads
}

// Censuses ---------------------------------------------------------------------------------------

static lc_context *context_of(int threads)
{
    const lc_context_options options = {
        .struct_bytes = sizeof options,
        .threads = threads,
        .cuda_library = getenv("LIGHTCONE_CUDA"),
        .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
        .cache_folder = getenv("LIGHTCONE_CACHE"),
    };
    lc_context *context;
    GOOD(lc_context_create(&context, &options, &why));
    return context;
}

static lc_soup_census *census_of(const char *rule, uint64_t first, uint64_t soups,
                                 lc_context *context, int gpus)
{
    const lc_soup_census_options options = {.struct_bytes = sizeof options,
                                            .rule_text = rule,
                                            .context = context,
                                            .seed = SEED,
                                            .first_soup = first,
                                            .soups = soups};
    lc_soup_census *census;
    GOOD(lc_soup_census_create(&census, &options, &why));
    if (gpus > 0)
        GOOD(lc_soup_census_use_gpus(census, gpus, &why));
    return census;
}

static bool stop_soon(void *user, const lc_soup_census *census)
{
    int *calls = user;
    (void)census;
    (*calls)--;
    return *calls > 0;
}

// Two GPUs and two threads share the soups. A run that stops leaves whole batches only.
static void whole_censuses(void **state)
{
    (void)state;
    enum { SOUPS = 600 };
    lc_context *context = context_of(2);
    lc_soup_census *want = census_of("B3/S23", 5, SOUPS, context, 0);
    lc_soup_census *census = census_of("B3/S23", 5, SOUPS, context, 2);
    int calls = 2;
    const lc_soup_census_callbacks callbacks = {
        .struct_bytes = sizeof callbacks, .user = &calls, .progress = stop_soon};
    GOOD(lc_soup_census_run(want, NULL, &why));
    const lc_status status = lc_soup_census_run(census, &callbacks, NULL);
    assert_true(status == LC_OK || status == LC_ERROR_STOPPED);
    GOOD(lc_soup_census_run(census, NULL, &why));
    check_same_census(census, want);
    GOOD(lc_soup_census_want(census, 5 + SOUPS, 200, &why)); // the GPUs know most groups now
    GOOD(lc_soup_census_want(want, 5 + SOUPS, 200, &why));
    GOOD(lc_soup_census_run(census, NULL, &why));
    GOOD(lc_soup_census_run(want, NULL, &why));
    check_same_census(census, want);
    lc_soup_census_destroy(&census);
    lc_soup_census_destroy(&want);
    lc_context_destroy(&context);
}

static bool count_call(void *user, const lc_soup_result *result)
{
    int *calls = user;
    (void)result;
    (*calls)++;
    return true;
}

static void results_of_soups(void **state)
{
    (void)state;
    lc_context *context = context_of(1);
    lc_soup_census *census = census_of("B3/S23", 0, 50, context, 1);
    int calls = 0;
    const lc_soup_census_callbacks callbacks = {
        .struct_bytes = sizeof callbacks, .user = &calls, .soup = count_call};
    GOOD(lc_soup_census_run(census, &callbacks, &why));
    assert_int_equal(calls, 50); // each soup, though a GPU is there
    lc_soup_census_destroy(&census);
    lc_context_destroy(&context);
}

static void check_refused(lc_soup_census *census, int64_t gpus, lc_status want, const char *text)
{
    lc_message message = {0};
    assert_int_equal(lc_soup_census_use_gpus(census, gpus, &message), want);
    assert_non_null(strstr(message.text, text));
    lc_soup_census_destroy(&census);
}

static void refused(void **state)
{
    (void)state;
    lc_context *context = context_of(1);
    lc_soup_census_options options = {.struct_bytes = sizeof options,
                                      .rule_text = "B3/S23",
                                      .context = context,
                                      .width_cells = 16,
                                      .height_cells = 16,
                                      .density = 0.5,
                                      .soups = 1};
    lc_soup_census *census;
    check_refused(census_of("B3/S23", 0, 1, context, 0), -1, LC_ERROR_ARGUMENT, "negative");
    check_refused(census_of("B3/S2-i34q", 0, 1, context, 0), 1, LC_ERROR_UNSUPPORTED, "counts");
    GOOD(lc_soup_census_create(&census, &options, &why));
    check_refused(census, 1, LC_ERROR_UNSUPPORTED, "seed");
    options.width_cells = options.height_cells = 0;
    options.density = 0;
    options.seed = SEED;
    options.symmetry = "i1x256";
    GOOD(lc_soup_census_create(&census, &options, &why));
    check_refused(census, 1, LC_ERROR_UNSUPPORTED, "384");
    lc_context_destroy(&context);
}

// A GPU without memory takes no part. One that fails later ends the run. The counts stay, and the
// threads can go on alone.
static void failing_gpu(void **state)
{
    (void)state;
    lc_context *context = context_of(2);
    lc_soup_census *want = census_of("B3/S23", 0, 300, context, 0);
    lc_soup_census *census = census_of("B3/S23", 0, 300, context, 0);
    lc_message message = {0};
    GOOD(lc_soup_census_run(want, NULL, &why));
    setenv("FAKE_FAIL", "cuMemAlloc_v2=2", 1);
    assert_int_equal(lc_soup_census_use_gpus(census, 1, &message), LC_ERROR_MEMORY);
    assert_non_null(strstr(message.text, "out of memory"));
    unsetenv("FAKE_FAIL");
    GOOD(lc_soup_census_use_gpus(census, 1, &why));
    setenv("FAKE_FAIL", "cuLaunchKernel=1", 1);
    assert_int_equal(lc_soup_census_run(census, NULL, &message), LC_ERROR_DEVICE);
    unsetenv("FAKE_FAIL");
    assert_non_null(strstr(message.text, "cuLaunchKernel"));
    GOOD(lc_soup_census_use_gpus(census, 0, &why));
    GOOD(lc_soup_census_run(census, NULL, &why));
    check_same_census(census, want);
    lc_soup_census_destroy(&census);
    lc_soup_census_destroy(&want);
    lc_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_soups),
        cmocka_unit_test(symmetries),
        cmocka_unit_test(rules),
        cmocka_unit_test(whole_censuses),
        cmocka_unit_test(results_of_soups),
        cmocka_unit_test(refused),
        cmocka_unit_test(failing_gpu),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
