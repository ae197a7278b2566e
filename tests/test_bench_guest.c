// The bench with an engine of its own, whose clock says what it is told to: intervals and ratios
// are then known exactly, and so is what is refused, skipped and wrong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report.h"
#include "support.h"

#define expect_close(actual, expected, tolerance)                                                  \
    do {                                                                                           \
        double actual_ = (actual);                                                                 \
        double expected_ = (expected);                                                             \
        if (!(fabs(actual_ - expected_) <= (tolerance)))                                           \
            fail_msg("%s is %.17g, not %.17g", #actual, actual_, expected_);                       \
    } while (0)

// The engine ------------------------------------------------------------------------------------

// One byte a cell. "ns=N": a generation takes so long by its own clock; 0: it has none. "wrong": a
// cell is flipped in each step. "broken": no step works. "still": no cell changes. "absent": it
// turns out that there is no such board only when one is made.
typedef struct plain {
    int64_t width, height;
    uint8_t *cells, *next;
    double ns;
    bool wrong, broken, still;
} plain;

static uint64_t longest_call; // of step, in generations

static bool is_available = true;

static bool available(const void *context, const char **reason)
{
    (void)context;
    *reason = is_available ? "always" : "not on this day";
    return is_available;
}

static lc_status refuse(lc_status status, const char *why, lc_message *message)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%s", why);
    return status;
}

static lc_status check(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message)
{
    (void)context;
    const char *s = board->settings;
    const lc_topology *t = &board->topology;
    if (*s != '\0' && strncmp(s, "ns=", 3) != 0 && strcmp(s, "wrong") != 0 &&
        strcmp(s, "broken") != 0 && strcmp(s, "still") != 0 && strcmp(s, "absent") != 0)
        return refuse(LC_ERROR_ARGUMENT, "no such setting", message);
    if (t->kind != LC_TOPOLOGY_TORUS || t->width_cells % 64 != 0)
        return refuse(LC_ERROR_UNSUPPORTED, "it steps tori of whole words", message);
    *memory_bytes = 2 * (uint64_t)t->width_cells * (uint64_t)t->height_cells;
    return LC_OK;
}

static lc_status create(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message)
{
    (void)context;
    if (strcmp(board->settings, "absent") == 0)
        return refuse(LC_ERROR_UNSUPPORTED, "this machine has none", message);
    plain *p = calloc(1, sizeof *p);
    p->width = board->topology.width_cells;
    p->height = board->topology.height_cells;
    p->cells = calloc((size_t)(p->width * p->height), 1);
    p->next = calloc((size_t)(p->width * p->height), 1);
    p->ns = strncmp(board->settings, "ns=", 3) == 0 ? atof(board->settings + 3) : 0;
    p->wrong = strcmp(board->settings, "wrong") == 0;
    p->broken = strcmp(board->settings, "broken") == 0;
    p->still = strcmp(board->settings, "still") == 0;
    *out = p;
    return LC_OK;
}

static void destroy(void *board)
{
    plain *p = board;
    free(p->cells);
    free(p->next);
    free(p);
}

static lc_status write_rows(void *board, const lc_cells *from, lc_message *message)
{
    (void)message;
    plain *p = board;
    for (int64_t i = 0; i < from->height_cells; i++)
        for (int64_t x = 0; x < p->width; x++)
            p->cells[(from->y + i) * p->width + x] = lc_cells_row(from, i)[x / 64] >> (x % 64) & 1;
    return LC_OK;
}

static lc_status read_rows(void *board, const lc_cells *to, lc_message *message)
{
    (void)message;
    plain *p = board;
    memset(to->words, 0, (size_t)to->height_cells * to->pitch_words * sizeof *to->words);
    for (int64_t i = 0; i < to->height_cells; i++)
        for (int64_t x = 0; x < p->width; x++)
            lc_cells_row(to, i)[x / 64] |= (uint64_t)p->cells[(to->y + i) * p->width + x]
                                           << (x % 64);
    return LC_OK;
}

static void step_once(plain *p)
{
    const int64_t w = p->width, h = p->height;
    for (int64_t y = 0; y < h; y++) {
        const uint8_t *a = p->cells + (y + h - 1) % h * w, *b = p->cells + y * w,
                      *c = p->cells + (y + 1) % h * w;
        for (int64_t x = 0; x < w; x++) {
            const int64_t l = x == 0 ? w - 1 : x - 1, r = x == w - 1 ? 0 : x + 1;
            const int sum = a[l] + a[x] + a[r] + b[l] + b[r] + c[l] + c[x] + c[r];
            p->next[y * w + x] = sum == 3 || (sum == 2 && b[x] != 0);
        }
    }
    uint8_t *cells = p->cells;
    p->cells = p->next;
    p->next = cells;
}

static lc_status step(void *board, uint64_t generations, double *stepping_ns, lc_message *message)
{
    plain *p = board;
    if (p->broken)
        return refuse(LC_ERROR_DEVICE, "it fell off the table", message);
    if (generations > longest_call)
        longest_call = generations;
    for (uint64_t i = 0; i < generations && !p->still; i++)
        step_once(p);
    if (p->wrong)
        p->cells[7] ^= 1;
    *stepping_ns = p->ns * (double)generations;
    return LC_OK;
}

static void facts(const void *board, lc_step_facts *facts)
{
    (void)board;
    *facts = (lc_step_facts){.bytes_per_cell = 2,
                             .operations_per_cell = 12,
                             .registers = 17,
                             .threads_a_block = 64,
                             .occupancy = 0.5};
}

static const char *settings(const void *board)
{
    return ((const plain *)board)->wrong ? "wrong=1" : "wrong=0";
}

static lc_guest_engine engine = {
    .struct_bytes = sizeof engine,
    .name = "plain",
    .summary = "one byte a cell",
    .available = available,
    .check = check,
    .create = create,
    .destroy = destroy,
    .write_rows = write_rows,
    .read_rows = read_rows,
    .step = step,
    .facts = facts,
    .settings = settings,
};

static lc_guest_engine engine_on_gpu; // the same, but for what it says of itself

// Intervals -------------------------------------------------------------------------------------

static lc_interval interval_of(size_t count)
{
    double *samples = calloc(count + 1, sizeof *samples);
    // 1 to count, backwards.
    for (size_t i = 0; i < count; i++)
        samples[i] = (double)(count - i);
    lc_interval interval = lc_median_interval(samples, count, samples);
    free(samples);
    return interval;
}

static void expect_interval(size_t count, double value, double low, double high, double confidence)
{
    const lc_interval i = interval_of(count);
    expect_close(i.value, value, 0);
    expect_close(i.low, low, 0);
    expect_close(i.high, high, 0);
    expect_close(i.confidence, confidence, 1e-4);
    expect_close(lc_median_confidence(count), i.confidence, 0);
}

static void intervals_of_known_samples(void **state)
{
    (void)state;
    expect_interval(0, 0, 0, 0, 0);
    expect_interval(1, 1, 1, 1, 0);
    expect_interval(2, 1.5, 1, 2, 0.5);
    expect_interval(5, 3, 1, 5, 0.9375); // no 95 % with so few
    expect_interval(6, 3.5, 1, 6, 0.96875);
    expect_interval(9, 5, 2, 8, 0.9609);
    expect_interval(10, 5.5, 2, 9, 0.9785);
    expect_interval(20, 10.5, 6, 15, 0.9586);
    expect_interval(25, 13, 8, 18, 0.9567);
    expect_interval(100, 50.5, 40, 61, 0.9648);
    const lc_interval many = interval_of(10000); // by the normal distribution: 5000.5 +- 98
    expect_close(many.low, 4902, 1);
    expect_close(many.high, 5099, 1);
    expect_close(many.confidence, 0.951, 1e-3);
}

// The definition in whole numbers: of the 2^n ways in which n samples lie below or above the
// median, how many leave fewer than k of them below.
static void intervals_are_those_of_the_definition(void **state)
{
    (void)state;
    uint64_t ways[64] = {1}; // row n of Pascal's triangle
    for (size_t n = 1; n <= 60; n++) {
        for (size_t k = n; k > 0; k--)
            ways[k] += ways[k - 1];
        const double all = ldexp(1, (int)n);
        size_t rank = 1;
        uint64_t below = ways[0], more = below;
        for (size_t k = 2; 2 * k <= n + 1; k++) {
            more += ways[k - 1];
            if (1 - 2 * (double)more / all < LC_CONFIDENCE)
                break;
            rank = k;
            below = more;
        }
        expect_interval(n, (double)(n + 1) / 2, (double)rank, (double)(n + 1 - rank),
                        1 - 2 * (double)below / all);
    }
}

// The runner -------------------------------------------------------------------------------------

typedef struct seen {
    size_t count;
    lc_bench_record records[8];
} seen;

static void see(void *context, const lc_bench_record *record)
{
    seen *s = context;
    assert_true(s->count < 8);
    s->records[s->count++] = *record;
}

static lc_bench_options short_options(void)
{
    return (lc_bench_options){.runs = 10,
                              .warmups = 1,
                              .run_ns = 100000,
                              .limit_milliseconds = 1,
                              .interleave = true,
                              .verify = {.seed = 3, .quick = true}};
}

static lc_bench_configuration on_torus(const char *name, int64_t width, int64_t height)
{
    lc_bench_configuration c = {
        .engine = name,
        .threads = 1,
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height}};
    lc_message message = {.line = 0};
    if (lc_bench_resolve(&c, test_context(), &message) != LC_OK)
        fail_msg("%s: %s", name, message.text);
    return c;
}

static void run(const lc_bench_configuration *all, size_t count, const lc_bench_options *options,
                size_t failures_expected, seen *s)
{
    *s = (seen){.count = 0};
    const lc_bench_observer observer = {.context = s, .record = see};
    size_t failures = 99;
    lc_message message = {.line = 0};
    if (lc_bench_run(all, count, options, &observer, &failures, &message) != LC_OK)
        fail_msg("%s", message.text);
    assert_int_equal(failures, failures_expected);
}

static void guests_are_timed_by_their_own_clock(void **state)
{
    (void)state;
    const lc_bench_options options = short_options();
    const lc_bench_configuration all[2] = {on_torus("plain:ns=1000", 64, 50),
                                           on_torus("plain", 64, 50)};
    seen s;
    run(all, 2, &options, 0, &s);
    assert_int_equal(s.count, 2);
    const lc_bench_record *r = &s.records[0];
    assert_int_equal(r->status, LC_OK);
    assert_true(r->own_clock);
    assert_false(r->on_gpu);
    assert_string_equal(r->configuration.engine, "plain:ns=1000");
    assert_string_equal(r->plan, "wrong=0");
    expect_close(r->ns_per_generation, 1000, 1e-6);
    expect_close(r->cells_per_second, 64 * 50 * 1e6, 1);
    expect_close(r->median_ns.low, r->median_ns.high, 0);
    expect_close(r->median_ns.confidence, 0.9785, 1e-4);
    assert_int_equal(r->pass_generations, 0); // nobody knows
    assert_int_equal(r->generations, 192);    // 105 at least, in whole launches of many lengths
    assert_int_equal(r->step.registers, 17);
    expect_close(r->step.operations_per_cell, 12, 0);
    expect_close(r->bytes_per_run, 2.0 * 64 * 50 * 192, 1);
    assert_true(r->has_copy_rate);
    expect_close(r->fraction_of_copy * r->copy_bytes_per_second, r->bytes_per_second,
                 1e-9 * r->bytes_per_second);
    // A CPU's gates are counted a vector, and nobody knows how this one uses them.
    assert_false(r->has_limit);
    assert_false(s.records[1].own_clock);
    assert_true(s.records[1].time_ns.median > 0);
    assert_false(r->has_ratio);
}

// Designs make up to 32 generations in a launch. Such a launch is checked before it is timed.
static void whole_launches_are_checked_even_if_quick(void **state)
{
    (void)state;
    lc_verifier *verifier = NULL;
    const lc_verify_options options = {.seed = 3, .context = test_context(), .quick = true};
    const lc_bench_configuration large = on_torus("plain-on-gpu:still", 64, 65600);
    lc_message message;
    assert_int_equal(lc_verifier_create(&verifier, &options), LC_OK);
    longest_call = 0;
    // A call that took long because the machine did something else makes the next ones shorter.
    for (int attempt = 0; attempt < 5 && longest_call < 32; attempt++) {
        lc_universe *universe = NULL;
        lc_verification verification;
        if (lc_bench_universe(&universe, &large, &options, &message) != LC_OK)
            fail_msg("%s", message.text);
        assert_int_equal(lc_verifier_check(verifier, &large, universe, &verification, &message),
                         LC_ERROR_MISMATCH);
        lc_universe_destroy(&universe);
    }
    lc_verifier_destroy(&verifier);
    assert_in_range(longest_call, 32, 1000);
}

static void one_is_compared_with_the_other(void **state)
{
    (void)state;
    lc_bench_options options = short_options();
    const lc_bench_configuration all[3] = {on_torus("plain:ns=1000", 64, 40),
                                           on_torus("plain:ns=250", 64, 40),
                                           on_torus("plain:ns=4000", 128, 40)};
    options.against = &all[0];
    for (int by_board = 0; by_board < 2; by_board++) {
        seen s;
        options.board_by_board = by_board != 0;
        run(all, 3, &options, 0, &s);
        assert_int_equal(s.count, 3); // the second board's own base is for comparison only
        assert_false(s.records[0].has_ratio);
        assert_true(s.records[1].has_ratio);
        expect_close(s.records[1].ratio.value, 4, 1e-9);
        expect_close(s.records[1].ratio.low, 4, 1e-9);
        expect_close(s.records[1].ratio.high, 4, 1e-9);
        expect_close(s.records[1].ratio.confidence, 0.9785, 1e-4);
        assert_true(s.records[2].has_ratio);
        expect_close(s.records[2].ratio.value, 0.25, 1e-9);
    }
    // One that comes late gives its record where it was first wanted.
    const lc_bench_configuration late[2] = {all[1], all[0]};
    seen s;
    run(late, 2, &options, 0, &s);
    assert_int_equal(s.count, 2);
    expect_close(s.records[0].has_ratio + 2 * s.records[1].has_ratio, 2, 0);
    assert_string_equal(s.records[0].configuration.engine, "plain:ns=1000");
}

static void refusals_are_no_failures(void **state)
{
    (void)state;
    const lc_bench_options options = short_options();
    const lc_bench_configuration all[4] = {
        on_torus("plain:ns=1000", 100, 40), on_torus("plain:ns=1000", INT64_C(1) << 40, 1 << 20),
        on_torus("plain:absent", 64, 40), on_torus("plain:ns=1000", 64, 40)};
    seen s;
    run(all, 4, &options, 0, &s);
    assert_int_equal(s.count, 4);
    assert_int_equal(s.records[0].status, LC_ERROR_UNSUPPORTED);
    assert_true(s.records[0].refused);
    assert_non_null(strstr(s.records[0].message.text, "whole words"));
    assert_int_equal(s.records[1].status, LC_ERROR_LIMIT);
    assert_true(s.records[1].refused);
    assert_int_equal(s.records[2].status, LC_ERROR_UNSUPPORTED);
    assert_true(s.records[2].refused);
    assert_int_equal(s.records[3].status, LC_OK);
    assert_false(s.records[3].refused);
}

static void failures_are_failures(void **state)
{
    (void)state;
    const lc_bench_options options = short_options();
    const lc_bench_configuration all[3] = {on_torus("plain:wrong", 64, 40),
                                           on_torus("plain:broken", 64, 40),
                                           on_torus("plain:wrong", 64 * 64, 1025)};
    seen s;
    run(all, 3, &options, 3, &s);
    assert_int_equal(s.count, 3);
    assert_int_equal(s.records[0].status, LC_ERROR_MISMATCH);
    assert_true(s.records[0].verification.located);
    assert_int_equal(s.records[0].verification.difference.x, 7);
    assert_int_equal(s.records[0].verification.difference.generation, 1);
    assert_int_equal(s.records[1].status, LC_ERROR_DEVICE);
    assert_string_equal(s.records[1].message.text, "it fell off the table");
    assert_int_equal(s.records[2].status, LC_ERROR_MISMATCH);
    for (size_t i = 0; i < 3; i++)
        assert_false(s.records[i].refused || s.records[i].skipped);
}

static void what_is_over_the_budget_is_skipped(void **state)
{
    (void)state;
    lc_bench_options options = short_options();
    // 1 us a generation of 2,560 cells: 400 generations checked and 13 runs of 0.1 ms are 1.7 ms.
    const lc_bench_configuration all[2] = {on_torus("plain:ns=1000", 64, 40),
                                           on_torus("plain:ns=1000", 128, 40)};
    seen s;
    options.cpu_budget_ns = 4000000;
    run(all, 2, &options, 0, &s);
    assert_int_equal(s.records[0].status, LC_OK);
    assert_int_equal(s.records[1].status, LC_OK);
    options.cpu_budget_ns = 1000000;
    run(all, 2, &options, 0, &s);
    assert_int_equal(s.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(s.records[i].status, LC_ERROR_LIMIT);
        assert_true(s.records[i].skipped);
        assert_false(s.records[i].refused);
        assert_non_null(strstr(s.records[i].message.text, "skipped"));
    }
}

static void large_boards_of_guests_are_checked_for_less(void **state)
{
    (void)state;
    lc_bench_options options = short_options();
    options.runs = 2;
    const lc_bench_configuration all[2] = {on_torus("plain:ns=1000000", 64 * 64, 1025),
                                           on_torus("simd", 64 * 64, 1025)};
    seen s;
    run(all, 2, &options, 0, &s);
    assert_int_equal(s.records[0].verification.generations, 40);
    assert_int_equal(s.records[1].verification.generations, 160);
    expect_close(s.records[0].median_ns.confidence, 0.5, 1e-9);
}

// Names ------------------------------------------------------------------------------------------

static void guests_keep_their_settings(void **state)
{
    (void)state;
    lc_bench_configuration a = on_torus("plain:ns=1000", 64, 64);
    lc_bench_configuration b = on_torus("plain:ns=2000", 64, 64);
    assert_string_equal(a.engine, "plain:ns=1000");
    assert_string_equal(a.cpu_level, "");
    assert_true(lc_bench_same_configuration(&a, &a));
    assert_false(lc_bench_same_configuration(&a, &b));
    b.threads = 0;
    assert_int_equal(lc_bench_resolve(&b, test_context(), NULL), LC_OK);
    assert_true(b.threads >= 1);

    lc_message message = {.line = 0};
    a.engine = "plain:colour=3";
    assert_int_equal(lc_bench_resolve(&a, test_context(), &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "no such setting");
    a.engine = "plane";
    assert_int_equal(lc_bench_resolve(&a, test_context(), &message), LC_ERROR_ARGUMENT);
    a.engine = "plain";
    is_available = false;
    assert_int_equal(lc_bench_resolve(&a, test_context(), &message), LC_ERROR_UNSUPPORTED);
    is_available = true;
    assert_non_null(strstr(message.text, "not on this day"));

    char path[64];
    lc_path_format("plain:ns=1000", "", path, sizeof path);
    assert_string_equal(path, "plain:ns=1000");
}

static void universes_are_checked_without_being_made(void **state)
{
    (void)state;
    lc_universe_needs needs;
    lc_message message = {.line = 0};
    lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 640, .height_cells = 100},
        .engine = "plain:ns=1",
        .threads = 1,
    };
    assert_int_equal(lc_universe_check(&options, &needs, &message), LC_OK);
    assert_string_equal(needs.engine, "plain");
    assert_int_equal(needs.memory_bytes, 2 * 640 * 100);
    assert_false(needs.on_gpu);
    options.max_memory_bytes = 1000;
    assert_int_equal(lc_universe_check(&options, &needs, &message), LC_ERROR_LIMIT);
    assert_int_equal(needs.limit_bytes, 1000);
    options.max_memory_bytes = 0;
    options.topology.width_cells = 100;
    assert_int_equal(lc_universe_check(&options, &needs, &message), LC_ERROR_UNSUPPORTED);
    assert_string_equal(message.text, "it steps tori of whole words");
    options.engine = "nobody";
    assert_int_equal(lc_universe_check(&options, &needs, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_check(NULL, &needs, &message), LC_ERROR_ARGUMENT);

    options.engine = "simd";
    assert_int_equal(lc_universe_check(&options, &needs, &message), LC_OK);
    lc_universe *universe = NULL;
    assert_int_equal(lc_universe_create(&universe, &options, &message), LC_OK);
    assert_int_equal(lc_universe_info_of(universe).memory_bytes, needs.memory_bytes);
    lc_universe_destroy(&universe);

    lc_engine_info info = {.name = NULL};
    assert_true(lc_engine_named(test_context(), "plain:whatever=1", &info));
    assert_string_equal(info.name, "plain");
    assert_true(lc_engine_named(test_context(), "cuda", &info));
    assert_true(info.on_gpu);
    assert_false(lc_engine_named(test_context(), "nobody", &info));
}

// Rates ------------------------------------------------------------------------------------------

static void copying_is_measured(void **state)
{
    (void)state;
    double rate = -1;
    assert_int_equal(lc_cpu_copy_rate(1, 0, &rate), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_cpu_copy_rate(0, 1, &rate), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_cpu_copy_rate(2, 5, &rate), LC_OK);
    assert_true(rate > 1e7 && rate < 1e13);
    lc_message message = {.line = 0};
    assert_int_equal(lc_gpu_copy_rate(test_context(), 0, &rate, &message), LC_ERROR_ARGUMENT);
    lc_status status = lc_gpu_copy_rate(test_context(), 5, &rate, &message);
    if (status == LC_OK) {
        assert_true(rate > 1e7);
    } else {
        assert_true(message.text[0] != '\0'); // why not
        expect_close(rate, 0, 0);
    }
}

// The GPU ----------------------------------------------------------------------------------------

static void the_gpus_own_engine_tells_of_itself(void **state)
{
    (void)state;
    lc_engine_info info;
    if (!lc_engine_named(test_context(), "cuda", &info) || !info.available)
        skip();
    lc_bench_options options = short_options();
    options.runs = 2;
    options.generations = 20;
    const lc_bench_configuration one = on_torus("cuda", 256, 192);
    seen s;
    run(&one, 1, &options, 0, &s);
    const lc_bench_record *r = &s.records[0];
    assert_int_equal(r->status, LC_OK);
    assert_true(r->on_gpu && r->own_clock && r->has_limit && r->has_copy_rate && r->has_traffic);
    assert_int_equal(r->vector_bits, 32);
    expect_close(r->step.operations_per_cell, lc_rule_gates(one.rule) / 32, 1e-9);
    assert_true(r->step.registers > 0 && r->step.threads_a_block >= 32);
    assert_true(r->step.occupancy > 0 && r->step.occupancy <= 1);
    // A bit is read and one written, and no more than some halo, in one to 32 generations.
    assert_true(r->step.bytes_per_cell > 0.25 / 32 && r->step.bytes_per_cell < 1);
    expect_close(r->bytes_per_run, r->step.bytes_per_cell * 256 * 192 * 20, 1);
    assert_int_equal(r->limit_cells_per_second.count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_known_samples),
        cmocka_unit_test(intervals_are_those_of_the_definition),
        cmocka_unit_test(guests_are_timed_by_their_own_clock),
        cmocka_unit_test(whole_launches_are_checked_even_if_quick),
        cmocka_unit_test(one_is_compared_with_the_other),
        cmocka_unit_test(refusals_are_no_failures),
        cmocka_unit_test(failures_are_failures),
        cmocka_unit_test(what_is_over_the_budget_is_skipped),
        cmocka_unit_test(large_boards_of_guests_are_checked_for_less),
        cmocka_unit_test(guests_keep_their_settings),
        cmocka_unit_test(universes_are_checked_without_being_made),
        cmocka_unit_test(copying_is_measured),
        cmocka_unit_test(the_gpus_own_engine_tells_of_itself),
    };
    // What a GPU, or one that is emulated, has to do with.
    const struct CMUnitTest on_gpu[] = {
        cmocka_unit_test(copying_is_measured),
        cmocka_unit_test(the_gpus_own_engine_tells_of_itself),
    };
    engine_on_gpu = engine;
    engine_on_gpu.name = "plain-on-gpu";
    engine_on_gpu.on_gpu = true;
    if (lc_engine_add(&engine, NULL) != LC_OK || lc_engine_add(&engine_on_gpu, NULL) != LC_OK)
        return 1;
    if (!test_wants_engine("plain"))
        return cmocka_run_group_tests(on_gpu, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
