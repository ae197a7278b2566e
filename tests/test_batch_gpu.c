// Batches on an emulated GPU: the same boards as on the CPU, which test_batch.c compares with the
// oracle.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_gpu.h"

static lc_context *new_context(void)
{
    const lc_context_options options = {
        .struct_bytes = sizeof options,
        .threads = 1,
        .cuda_library = getenv("LIGHTCONE_CUDA"),
        .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
        .cache_folder = getenv("LIGHTCONE_CACHE"),
    };
    lc_context *context;
    GOOD(lc_context_create(&context, &options, &why));
    return context;
}

enum { ROWS_MAX = 64 };

typedef struct pair {
    lc_batch *gpu, *cpu;
    size_t boards, height;
} pair;

static pair pair_of(lc_batch_options options)
{
    pair p = {.boards = options.boards, .height = (size_t)options.height_cells};
    GOOD(lc_batch_create(&p.cpu, &options, &why));
    options.engine = "cuda";
    GOOD(lc_batch_create(&p.gpu, &options, &why));
    return p;
}

static void compare(const pair *p)
{
    const size_t count = p->boards * p->height;
    uint64_t *got = calloc(count, sizeof *got), *want = calloc(count, sizeof *want);
    assert_true(got != NULL && want != NULL);
    GOOD(lc_batch_populations(p->gpu, got, &why));
    GOOD(lc_batch_populations(p->cpu, want, &why));
    assert_memory_equal(got, want, p->boards * sizeof *got);
    GOOD(lc_batch_read_rows(p->gpu, 0, p->boards, got, 1, &why));
    GOOD(lc_batch_read_rows(p->cpu, 0, p->boards, want, 1, &why));
    assert_memory_equal(got, want, count * sizeof *got);
    free(got);
    free(want);
}

static void step(const pair *p, uint64_t generations)
{
    GOOD(lc_batch_step(p->gpu, generations, &why));
    GOOD(lc_batch_step(p->cpu, generations, &why));
    assert_int_equal(lc_batch_generation(p->gpu), lc_batch_generation(p->cpu));
}

// Steps, reads, writes some boards, and steps again.
static void check(const lc_batch_options *options)
{
    pair p = pair_of(*options);
    uint64_t rows[ROWS_MAX];
    dice d = dice_from(test_seed(), 1);
    compare(&p);
    GOOD(lc_batch_fill_random(p.gpu, 0.4, 3, &why));
    GOOD(lc_batch_fill_random(p.cpu, 0.4, 3, &why));
    step(&p, 1);
    step(&p, 2);
    compare(&p);
    for (size_t i = 0; i < ROWS_MAX; i++)
        rows[i] = dice_word(&d);
    step(&p, 33);
    GOOD(lc_batch_write_rows(p.gpu, p.boards / 2, 1, rows, 1, &why));
    GOOD(lc_batch_write_rows(p.cpu, p.boards / 2, 1, rows, 1, &why));
    step(&p, 34);
    compare(&p);
    lc_batch_destroy(&p.gpu);
    lc_batch_destroy(&p.cpu);
}

static lc_batch_options options_of(int64_t width, int64_t height, size_t boards,
                                   const lc_rule *const *rules, size_t rule_count)
{
    return (lc_batch_options){.struct_bytes = sizeof(lc_batch_options),
                              .topology = LC_TOPOLOGY_TORUS,
                              .width_cells = width,
                              .height_cells = height,
                              .boards = boards,
                              .rules = rules,
                              .rule_count = rule_count,
                              .context = test_context()};
}

static void one_rule(void **state)
{
    static const char *const texts[] = {"B3/S23", "B0123478/S34678", "B2/S"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const lc_rule *rule = rule_of(texts[i]);
        const lc_batch_options options = options_of(64, 64, 9, &rule, 1);
        check(&options);
    }
}

// Each count appears in the birth and in the survival of some rule, and is missing in others.
static void many_rules(void **state)
{
    enum { RULES = 40, BOARDS = 90 };
    static const int64_t sides[][2] = {{64, 64}, {1, 1},   {32, 16}, {62, 64},
                                       {7, 62},  {33, 50}, {64, 31}, {5, 3}};
    const lc_rule *rules[RULES];
    uint32_t rule_of_board[BOARDS];
    dice d = dice_from(test_seed(), 2);
    (void)state;
    for (int i = 0; i < RULES; i++) {
        char text[32] = "B";
        size_t end = 1;
        for (int n = 0; n <= 8; n++)
            if (i < 18 ? i == n : dice_below(&d, 2) != 0)
                text[end++] = (char)('0' + n);
        text[end++] = '/';
        text[end++] = 'S';
        for (int n = 0; n <= 8; n++)
            if (i < 18 ? i == n + 9 : dice_below(&d, 2) != 0)
                text[end++] = (char)('0' + n);
        rules[i] = rule_of(text);
    }
    for (int i = 0; i < BOARDS; i++)
        rule_of_board[i] = (uint32_t)(i < RULES ? i : dice_below(&d, RULES));
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        lc_batch_options options = options_of(sides[i][0], sides[i][1], BOARDS, rules, RULES);
        options.rule_of_board = rule_of_board;
        check(&options);
    }
}

static void check_refused(const lc_batch_options *options, lc_status want, const char *text)
{
    lc_batch *batch;
    lc_message message = {0};
    assert_int_equal(lc_batch_create(&batch, options, &message), want);
    assert_null(batch);
    assert_non_null(strstr(message.text, text));
}

static void refused(void **state)
{
    (void)state;
    const lc_rule *rules[] = {LIFE, rule_of("B2-a/S12")};
    lc_batch_options options = options_of(63, 64, 2, rules, 1);
    options.engine = "cuda";
    check_refused(&options, LC_ERROR_UNSUPPORTED, "not 63 x 64");
    options.width_cells = 64;
    options.rule_count = 2;
    check_refused(&options, LC_ERROR_UNSUPPORTED, "not of B2-a/S12");
    options.rule_count = 1;
    options.engine = "sparse";
    check_refused(&options, LC_ERROR_UNSUPPORTED, "not \"sparse\"");
}

// A GPU that fails takes the batch with it.
static void failing_gpu(void **state)
{
    (void)state;
    const lc_rule *rule = LIFE;
    lc_context *context = new_context();
    lc_batch_options options = options_of(64, 64, 5, &rule, 1);
    lc_batch *batch;
    lc_message message = {0};
    uint64_t populations[5];
    options.engine = "cuda";
    options.context = context;
    setenv("FAKE_FAIL", "cuMemAlloc_v2=2", 1);
    assert_int_equal(lc_batch_create(&batch, &options, &message), LC_ERROR_MEMORY);
    unsetenv("FAKE_FAIL");
    assert_null(batch);
    GOOD(lc_batch_create(&batch, &options, &why));
    setenv("FAKE_FAIL", "cuLaunchKernel=1", 1);
    assert_int_equal(lc_batch_step(batch, 3, &message), LC_ERROR_DEVICE);
    unsetenv("FAKE_FAIL");
    assert_non_null(strstr(message.text, "cuLaunchKernel"));
    assert_int_equal(lc_batch_generation(batch), 0);
    assert_int_equal(lc_batch_populations(batch, populations, &message), LC_ERROR_DEVICE);
    assert_int_equal(lc_batch_step(batch, 3, &message), LC_ERROR_DEVICE);
    lc_batch_destroy(&batch);
    lc_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rule),
        cmocka_unit_test(many_rules),
        cmocka_unit_test(refused),
        cmocka_unit_test(failing_gpu),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
