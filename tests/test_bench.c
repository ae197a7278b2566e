// The bench: its statistics against values worked out by hand, its verification against errors
// planted on purpose.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/report.h"
#include "grid/planes.h"
#include "support.h"
#include "support_facts.h"

static const uint64_t seed = 7;

// cmocka compares in single precision.
#define expect_close(actual, expected, tolerance)                                                  \
    do {                                                                                           \
        double actual_ = (actual);                                                                 \
        double expected_ = (expected);                                                             \
        if (!(fabs(actual_ - expected_) <= (tolerance)))                                           \
            fail_msg("%s is %.17g, not %.17g", #actual, actual_, expected_);                       \
    } while (0)

// Statistics ----------------------------------------------------------------------------------

static void expect_statistics(const double *samples, size_t count, lc_statistics expected)
{
    double copy[16];
    double before[16];
    if (count > 0)
        memcpy(before, samples, count * sizeof *samples);
    lc_statistics s = lc_statistics_of(samples, count, copy);
    assert_int_equal(s.count, count);
    expect_close(s.median, expected.median, 1e-9);
    expect_close(s.mean, expected.mean, 1e-9);
    expect_close(s.sd, expected.sd, 1e-9);
    expect_close(s.min, expected.min, 0);
    expect_close(s.max, expected.max, 0);
    expect_close(s.cv, expected.cv, 1e-9);
    assert_memory_equal(before, samples, count * sizeof *samples);
}

static void statistics_of_known_samples(void **state)
{
    (void)state;
    // Sum of squares round the mean 5 is 32; sd = sqrt(32 / 7).
    expect_statistics((const double[]){9, 2, 5, 4, 4, 5, 7, 4}, 8,
                      (lc_statistics){.median = 4.5,
                                      .mean = 5,
                                      .sd = 2.138089935299395,
                                      .min = 2,
                                      .max = 9,
                                      .cv = 0.427617987059879});
    expect_statistics(
        (const double[]){30, 10, 20}, 3,
        (lc_statistics){.median = 20, .mean = 20, .sd = 10, .min = 10, .max = 30, .cv = 0.5});
    expect_statistics((const double[]){3.5}, 1,
                      (lc_statistics){.median = 3.5, .mean = 3.5, .min = 3.5, .max = 3.5});
    expect_statistics((const double[]){0, 0}, 2, (lc_statistics){.count = 2});
    expect_statistics(NULL, 0, (lc_statistics){.count = 0});
}

static void statistics_keep_their_digits(void **state)
{
    (void)state;
    // The sum of squares alone would round the differences away.
    const double samples[] = {1e15 + 1, 1e15 + 3, 1e15 + 2};
    double scratch[3];
    lc_statistics s = lc_statistics_of(samples, 3, scratch);
    expect_close(s.sd, 1.0, 1e-12);
    expect_close(s.median, 1e15 + 2, 0);
}

// Pictures ------------------------------------------------------------------------------------

static lc_bench_configuration scalar_on(lc_topology_kind kind, int64_t width, int64_t height)
{
    return (lc_bench_configuration){
        .engine = "scalar",
        .cpu_level = "",
        .threads = 1,
        .rule = LIFE,
        .topology = {.kind = kind,
                     .width_cells = width,
                     .height_cells = height,
                     .twist_x = kind == LC_TOPOLOGY_KLEIN_BOTTLE},
    };
}

static lc_universe *universe_of(const lc_bench_configuration *configuration)
{
    lc_universe *universe = NULL;
    lc_message message = {.line = 0};
    if (lc_bench_universe(&universe, configuration,
                          &(lc_verify_options){.seed = seed, .context = test_context()},
                          &message) != LC_OK)
        fail_msg("%s", message.text);
    return universe;
}

static void step(lc_universe *universe, uint64_t generations)
{
    assert_int_equal(lc_universe_step(universe, lc_count_of(generations), NULL, NULL, NULL), LC_OK);
}

static lc_cells one_cell(const lc_universe *universe, int64_t x, int64_t y, uint64_t *words)
{
    return lc_span_cells(x, y, 1, lc_rule_traits(lc_universe_rule(universe))->planes, words);
}

static int state_at(const lc_universe *universe, int64_t x, int64_t y)
{
    uint64_t words[8];
    uint8_t state;
    const lc_cells cell = one_cell(universe, x, y, words);
    assert_int_equal(lc_universe_read(universe, &cell, NULL), LC_OK);
    lc_cells_unpack(&cell, 0, &state);
    return state;
}

static void set_state(lc_universe *universe, int64_t x, int64_t y, int state)
{
    uint64_t words[8];
    const uint8_t byte = (uint8_t)state;
    const lc_cells cell = one_cell(universe, x, y, words);
    lc_cells_pack(&cell, 0, &byte);
    assert_int_equal(lc_universe_write(universe, &cell, NULL), LC_OK);
}

static int64_t wrap(int64_t a, int64_t n)
{
    return (a % n + n) % n;
}

static void a_picture_unfolds_a_torus(void **state)
{
    (void)state;
    // 70 cells: a row that is no multiple of a word, gone round twice and more.
    lc_bench_configuration configuration = scalar_on(LC_TOPOLOGY_TORUS, 70, 9);
    lc_universe *universe = universe_of(&configuration);
    lc_board_window picture;
    assert_int_equal(lc_board_window_take(&picture, universe, -33, -5, 200, 30), LC_OK);
    for (int64_t row = 0; row < 30; row++) {
        for (int64_t column = 0; column < 200; column++) {
            uint64_t word = picture.words[(size_t)row * picture.pitch_words + (size_t)column / 64];
            bool alive = (word >> (column % 64) & 1) != 0;
            assert_int_equal(alive, test_get(universe, wrap(column - 33, 70), wrap(row - 5, 9)));
        }
        // Past the width there is nothing.
        uint64_t last = picture.words[(size_t)(row + 1) * picture.pitch_words - 1];
        assert_int_equal(last >> (200 % 64), 0);
    }
    lc_difference difference;
    assert_int_equal(lc_board_window_compare(&picture, universe, &difference), LC_OK);
    lc_board_window_free(&picture);
    lc_universe_destroy(&universe);
}

// A window must be foreseen as the whole board goes on, and an error in it must be seen.
static void foresee_and_plant(lc_bench_configuration configuration, int64_t x, int64_t y,
                              int64_t width, int64_t height, uint64_t generations)
{
    lc_universe *universe = universe_of(&configuration);
    const lc_topology *topology = &configuration.topology;
    lc_board_window picture;
    lc_message message = {.line = 0};
    if (lc_board_window_foresee(&picture, universe, x, y, width, height, generations, 1,
                                &message) != LC_OK)
        fail_msg("%s", message.text);
    step(universe, generations);
    lc_difference difference;
    assert_int_equal(lc_board_window_compare(&picture, universe, &difference), LC_OK);

    int64_t corners[4][2] = {
        {x, y}, {x + width - 1, y}, {x, y + height - 1}, {x + width / 2, y + height / 2}};
    for (size_t i = 0; i < 4; i++) {
        int64_t bad_x = wrap(corners[i][0], topology->width_cells);
        int64_t bad_y = wrap(corners[i][1], topology->height_cells);
        const int right = state_at(universe, bad_x, bad_y), wrong = right == 0;
        set_state(universe, bad_x, bad_y, wrong);
        assert_int_equal(lc_board_window_compare(&picture, universe, &difference),
                         LC_ERROR_MISMATCH);
        assert_int_equal(difference.x, bad_x);
        assert_int_equal(difference.y, bad_y);
        assert_int_equal(difference.generation, generations);
        assert_int_equal(difference.expected_state, right);
        char expected = difference.expected[LC_NEIGHBOURHOOD_REACH][LC_NEIGHBOURHOOD_REACH];
        char found = difference.found[LC_NEIGHBOURHOOD_REACH][LC_NEIGHBOURHOOD_REACH];
        assert_int_equal(expected, ".Oabcdef"[right]);
        assert_int_equal(found, ".O"[wrong]);
        set_state(universe, bad_x, bad_y, right);
    }
    lc_board_window_free(&picture);
    lc_universe_destroy(&universe);
}

static void light_cones_foresee_boards(void **state)
{
    (void)state;
    lc_bench_configuration torus = scalar_on(LC_TOPOLOGY_TORUS, 150, 131);
    foresee_and_plant(torus, -16, -16, 32, 32, 20); // all four corners
    foresee_and_plant(torus, 134, 60, 33, 5, 20);   // a seam
    foresee_and_plant(torus, 70, 50, 7, 9, 21);     // inside
    foresee_and_plant(torus, 5, 5, 64, 64, 100);    // a cone wider than the board
    lc_bench_configuration plane = scalar_on(LC_TOPOLOGY_PLANE, 150, 131);
    foresee_and_plant(plane, 0, 0, 32, 32, 20);
    foresee_and_plant(plane, 118, 99, 32, 32, 40);
    foresee_and_plant(plane, 60, 0, 32, 32, 200); // the cone is the whole plane
    lc_bench_configuration klein = scalar_on(LC_TOPOLOGY_KLEIN_BOTTLE, 150, 130);
    foresee_and_plant(klein, 30, 30, 32, 32, 30); // touches the edge with its last cells
    lc_bench_configuration b0 = scalar_on(LC_TOPOLOGY_PLANE, 90, 80);
    b0.rule = rule_of("B03/S23");
    foresee_and_plant(b0, 40, 30, 10, 10, 15);
    b0.topology.kind = LC_TOPOLOGY_TORUS;
    foresee_and_plant(b0, -4, 30, 10, 10, 15);
    lc_bench_configuration states = scalar_on(LC_TOPOLOGY_TORUS, 150, 131);
    states.rule = rule_of("B2/S3456/C6");
    foresee_and_plant(states, -16, -16, 32, 32, 20);
    foresee_and_plant(states, 134, 60, 33, 5, 20);
}

static void a_cone_across_a_twist_is_refused(void **state)
{
    (void)state;
    lc_bench_configuration klein = scalar_on(LC_TOPOLOGY_KLEIN_BOTTLE, 150, 130);
    lc_universe *universe = universe_of(&klein);
    lc_board_window picture;
    lc_message message = {.line = 0};
    assert_int_equal(lc_board_window_foresee(&picture, universe, 29, 30, 32, 32, 30, 1, &message),
                     LC_ERROR_ARGUMENT);
    assert_null(picture.words);
    assert_true(message.text[0] != '\0');
    lc_universe_destroy(&universe);
}

// Verification --------------------------------------------------------------------------------

static bool never(void *context)
{
    (void)context;
    return false;
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static lc_verifier *quick_verifier(void)
{
    lc_verifier *verifier = NULL;
    const lc_verify_options options = {
        .seed = seed, .context = test_context(), .quick = true, .stop = never};
    assert_int_equal(lc_verifier_create(&verifier, &options), LC_OK);
    return verifier;
}

static void resolve(lc_bench_configuration *configuration)
{
    lc_message message = {.line = 0};
    if (lc_bench_resolve(configuration, test_context(), &message) != LC_OK)
        fail_msg("%s", message.text);
}

// The best engine of this machine on a board.
static lc_bench_configuration best_on(lc_topology_kind kind, int64_t width, int64_t height)
{
    lc_bench_configuration configuration = scalar_on(kind, width, height);
    configuration.engine = "simd";
    configuration.cpu_level = NULL;
    resolve(&configuration);
    return configuration;
}

static void expect_right(lc_verifier *verifier, const lc_bench_configuration *configuration)
{
    lc_universe *universe = universe_of(configuration);
    lc_verification verification;
    lc_message message = {.line = 0};
    lc_status status =
        lc_verifier_check(verifier, configuration, universe, &verification, &message);
    if (status != LC_OK)
        fail_msg("%s: %s", lc_status_name(status), message.text);
    assert_true(verification.generations >= 160);
    assert_int_equal(test_generation(universe), verification.generations);
    assert_true(verification.longest_pass >= 1);
    assert_true(verification.longest_pass <= verification.generations);
    assert_non_null(strstr(verification.method, "scalar"));
    lc_universe_destroy(&universe);
}

// One wrong cell before anything is stepped: exactly that cell must be named.
static void expect_planted_cell(lc_verifier *verifier, const lc_bench_configuration *configuration,
                                int64_t x, int64_t y)
{
    lc_universe *universe = universe_of(configuration);
    bool right = test_get(universe, x, y);
    set_state(universe, x, y, state_at(universe, x, y) == 0);
    lc_verification verification;
    lc_message message = {.line = 0};
    assert_int_equal(lc_verifier_check(verifier, configuration, universe, &verification, &message),
                     LC_ERROR_MISMATCH);
    assert_true(verification.located);
    assert_int_equal(verification.difference.x, x);
    assert_int_equal(verification.difference.y, y);
    assert_int_equal(verification.difference.generation, 0);
    assert_int_equal(verification.difference.expected_state, right);

    char text[1024];
    char place[64];
    int length = lc_verification_explain(&verification, seed, text, sizeof text);
    assert_in_range(length, 1, sizeof text - 1);
    snprintf(place, sizeof place, "(%" PRId64 ", %" PRId64 "), generation 0, seed 7", x, y);
    assert_non_null(strstr(text, place));
    lc_universe_destroy(&universe);
}

// A stepper that goes wrong: the same start, another rule.
static void expect_wrong_stepper(lc_verifier *verifier, const lc_bench_configuration *configuration,
                                 const char *judge, uint64_t generation)
{
    lc_bench_configuration other = *configuration;
    other.rule = rule_of("B36/S23");
    lc_universe *universe = universe_of(&other);
    lc_verification verification;
    lc_message message = {.line = 0};
    assert_int_equal(lc_verifier_check(verifier, configuration, universe, &verification, &message),
                     LC_ERROR_MISMATCH);
    assert_true(verification.located);
    assert_non_null(strstr(verification.expected_path, judge));
    assert_int_equal(verification.difference.generation, generation);
    assert_int_equal(verification.difference.generation, test_generation(universe));
    assert_int_equal(verification.difference.expected_state == 0,
                     test_get(universe, verification.difference.x, verification.difference.y));
    lc_universe_destroy(&universe);
}

static void whole_boards_are_verified(void **state)
{
    (void)state;
    lc_verifier *verifier = quick_verifier();
    const lc_topology_kind kinds[] = {LC_TOPOLOGY_TORUS, LC_TOPOLOGY_PLANE,
                                      LC_TOPOLOGY_KLEIN_BOTTLE, LC_TOPOLOGY_CROSS_SURFACE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        lc_bench_configuration configuration = best_on(kinds[i], 201, 130);
        expect_right(verifier, &configuration);
        expect_planted_cell(verifier, &configuration, 0, 0);
        expect_planted_cell(verifier, &configuration, 200, 129);
        expect_planted_cell(verifier, &configuration, 64, 77);
        expect_wrong_stepper(verifier, &configuration, "scalar", 1);
        expect_right(verifier, &configuration);
    }
    lc_bench_configuration tiny = best_on(LC_TOPOLOGY_TORUS, 1, 1);
    expect_right(verifier, &tiny);
    // The scalar engine is not its own judge.
    lc_bench_configuration scalar = scalar_on(LC_TOPOLOGY_TORUS, 201, 130);
    lc_universe *universe = universe_of(&scalar);
    lc_verification verification;
    assert_int_equal(lc_verifier_check(verifier, &scalar, universe, &verification, NULL), LC_OK);
    assert_non_null(strstr(verification.method, "against simd/"));
    lc_universe_destroy(&universe);
    expect_planted_cell(verifier, &scalar, 100, 100);
    lc_verifier_destroy(&verifier);
    assert_null(verifier);
}

static void large_boards_are_verified(void **state)
{
    (void)state;
    lc_verifier *verifier = quick_verifier();
    lc_bench_configuration torus = best_on(LC_TOPOLOGY_TORUS, 4099, 1100);
    expect_right(verifier, &torus);
    expect_planted_cell(verifier, &torus, 0, 0);
    expect_planted_cell(verifier, &torus, 4098, 1099);
    expect_planted_cell(verifier, &torus, 1234, 67); // across the border of two strips
    expect_wrong_stepper(verifier, &torus, "light cone", 160);
    lc_bench_configuration klein = best_on(LC_TOPOLOGY_KLEIN_BOTTLE, 4100, 1100);
    expect_right(verifier, &klein);
    expect_planted_cell(verifier, &klein, 5, 1000);
    lc_bench_configuration plane = best_on(LC_TOPOLOGY_PLANE, 1100, 4099);
    expect_right(verifier, &plane);
    expect_wrong_stepper(verifier, &plane, "light cone", 160);
    // One that neither the windows nor a whole comparison can judge.
    lc_bench_configuration narrow = best_on(LC_TOPOLOGY_KLEIN_BOTTLE, 100, 50000);
    lc_verification verification;
    lc_message message = {.line = 0};
    assert_int_equal(lc_verifier_prepare(verifier, &narrow, &verification, &message),
                     LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "twisted"));
    lc_verifier_destroy(&verifier);
}

static void verification_stops_on_request(void **state)
{
    (void)state;
    lc_verifier *verifier = NULL;
    const lc_verify_options options = {
        .seed = seed, .context = test_context(), .quick = true, .stop = always};
    assert_int_equal(lc_verifier_create(&verifier, &options), LC_OK);
    lc_bench_configuration configuration = scalar_on(LC_TOPOLOGY_TORUS, 300, 300);
    configuration.engine = "simd";
    configuration.cpu_level = NULL;
    resolve(&configuration);
    lc_verification verification;
    assert_int_equal(lc_verifier_prepare(verifier, &configuration, &verification, NULL),
                     LC_ERROR_STOPPED);
    lc_verifier_destroy(&verifier);
}

// Settings of the library's own engines are measured, not lost.
static void settings_are_kept(void **state)
{
    (void)state;
    static const char *const engines[] = {"simd:blocks=3", "scalar:blocks=3"};
    lc_verifier *verifier = quick_verifier();
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        lc_bench_configuration configuration = scalar_on(LC_TOPOLOGY_TORUS, 100, 70);
        configuration.engine = engines[i];
        configuration.cpu_level = NULL;
        resolve(&configuration);
        assert_string_equal(configuration.engine, engines[i]);
        assert_true((configuration.cpu_level[0] != '\0') == (i == 0));
        lc_universe *universe = universe_of(&configuration);
        assert_string_equal(lc_universe_info_of(universe).plan, "blocks=3");
        lc_verification verification;
        lc_message message = {.line = 0};
        assert_int_equal(
            lc_verifier_check(verifier, &configuration, universe, &verification, &message), LC_OK);
        assert_non_null(strstr(verification.method, i == 0 ? "against scalar" : "against simd/"));
        lc_universe_destroy(&universe);

        configuration.topology.height_cells = 2;
        assert_int_equal(lc_bench_resolve(&configuration, test_context(), &message),
                         LC_ERROR_ARGUMENT);
        assert_non_null(strstr(message.text, "a board 2 cells high"));
    }
    lc_verifier_destroy(&verifier);
}

// The runner ----------------------------------------------------------------------------------

typedef struct seen {
    size_t count;
    lc_bench_record records[4];
    double run_ns[4][8];
} seen;

static void see(void *context, const lc_bench_record *record)
{
    seen *s = context;
    assert_true(s->count < 4);
    for (size_t i = 0; i < record->time_ns.count; i++)
        s->run_ns[s->count][i] = record->run_ns[i];
    s->records[s->count++] = *record;
}

static lc_bench_options short_options(bool interleave)
{
    return (lc_bench_options){.runs = 3,
                              .warmups = 1,
                              .run_ns = 2000000,
                              .limit_milliseconds = 2,
                              .interleave = interleave,
                              .verify = {.seed = seed, .quick = true}};
}

static void expect_timed(const lc_bench_record *record, const double *run_ns)
{
    assert_int_equal(record->status, LC_OK);
    assert_int_equal(record->time_ns.count, 3);
    double cells = (double)record->configuration.topology.width_cells *
                   (double)record->configuration.topology.height_cells *
                   (double)record->generations;
    double scratch[3];
    lc_statistics again = lc_statistics_of(run_ns, 3, scratch);
    expect_close(again.median, record->time_ns.median, 0);
    assert_true(again.min > 0);
    expect_close(record->cells_per_second, cells * 1e9 / again.median,
                 1e-9 * record->cells_per_second);
    expect_close(record->ns_per_generation * (double)record->generations, again.median,
                 1e-6 * again.median);
    assert_true(record->worst_cells_per_second <= record->cells_per_second);
    assert_true(record->best_cells_per_second >= record->cells_per_second);
    assert_true(record->pass_generations >= 1);
    assert_true(record->population > 0);
}

static void the_runner_times_each_configuration(void **state)
{
    (void)state;
    lc_bench_configuration all[3] = {scalar_on(LC_TOPOLOGY_TORUS, 64, 64),
                                     best_on(LC_TOPOLOGY_TORUS, 256, 256),
                                     best_on(LC_TOPOLOGY_PLANE, 256, 256)};
    for (int interleave = 0; interleave < 2; interleave++) {
        lc_bench_options options = short_options(interleave != 0);
        seen s = {.count = 0};
        const lc_bench_observer observer = {.context = &s, .record = see};
        size_t failures = 9;
        assert_int_equal(lc_bench_run(all, 3, &options, &observer, &failures, NULL), LC_OK);
        assert_int_equal(failures, 0);
        assert_int_equal(s.count, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_true(lc_bench_same_configuration(&s.records[i].configuration, &all[i]));
            expect_timed(&s.records[i], s.run_ns[i]);
            assert_int_equal(s.records[i].generations % s.records[i].pass_generations, 0);
        }
        assert_false(s.records[0].has_limit); // one byte a cell, no gates
        const lc_bench_record *fast = &s.records[1];
        assert_true(fast->has_limit);
        assert_int_equal(fast->limit_cells_per_second.count, 4); // before, and after each run
        expect_close(fast->gates_per_second * fast->vector_bits / fast->gates_per_word,
                     fast->limit_cells_per_second.mean, 1e-9 * fast->limit_cells_per_second.mean);
        expect_close(fast->fraction_of_limit * fast->limit_cells_per_second.mean,
                     fast->cells_per_second, 1e-9 * fast->cells_per_second);
    }
}

static void the_runner_obeys(void **state)
{
    (void)state;
    lc_bench_configuration one = best_on(LC_TOPOLOGY_TORUS, 128, 128);
    one.rule = rule_of("B36/S23"); // the limit is known for B3/S23 only
    lc_bench_options options = short_options(true);
    options.generations = 37;
    seen s = {.count = 0};
    const lc_bench_observer observer = {.context = &s, .record = see};
    size_t failures = 9;
    assert_int_equal(lc_bench_run(&one, 1, &options, &observer, &failures, NULL), LC_OK);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.records[0].generations, 37);
    assert_false(s.records[0].has_limit);

    // What cannot be verified or made is a record that says so, not a figure.
    lc_bench_configuration narrow = best_on(LC_TOPOLOGY_KLEIN_BOTTLE, 100, 50000);
    s.count = 0;
    assert_int_equal(lc_bench_run(&narrow, 1, &options, &observer, &failures, NULL), LC_OK);
    assert_int_equal(failures, 1);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.records[0].status, LC_ERROR_ARGUMENT);
    assert_true(s.records[0].message.text[0] != '\0');

    options.verify.stop = always;
    s.count = 0;
    assert_int_equal(lc_bench_run(&one, 1, &options, &observer, &failures, NULL), LC_ERROR_STOPPED);
    assert_int_equal(s.count, 0);
    options.verify.stop = NULL;
    options.runs = 0;
    assert_int_equal(lc_bench_run(&one, 1, &options, &observer, &failures, NULL),
                     LC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_of_known_samples),
        cmocka_unit_test(statistics_keep_their_digits),
        cmocka_unit_test(a_picture_unfolds_a_torus),
        cmocka_unit_test(light_cones_foresee_boards),
        cmocka_unit_test(a_cone_across_a_twist_is_refused),
        cmocka_unit_test(whole_boards_are_verified),
        cmocka_unit_test(large_boards_are_verified),
        cmocka_unit_test(verification_stops_on_request),
        cmocka_unit_test(settings_are_kept),
        cmocka_unit_test(the_runner_times_each_configuration),
        cmocka_unit_test(the_runner_obeys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
