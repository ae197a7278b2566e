// Universes: the block that grows, tubes, B0 in the infinite plane, limits, progress; with each
// engine of this machine. What is right is reckoned by the oracle, from light cones in the
// unbounded world itself, so it knows nothing of blocks and margins.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "oracle.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

// The unbounded world --------------------------------------------------------------------------

// A start: a rectangle of random cells somewhere, nothing else.
typedef struct start {
    int64_t x, y, width, height;
    uint64_t seed;
} start;

static bool start_cell(void *context, int64_t x, int64_t y)
{
    const start *s = context;
    if (x < s->x || y < s->y || x >= s->x + s->width || y >= s->y + s->height)
        return false;
    dice d = dice_from(s->seed, (uint64_t)(x - s->x) * 1000003u + (uint64_t)(y - s->y));
    return dice_word(&d) % 5 < 2;
}

static void set_start(lc_universe *universe, start *s)
{
    for (int64_t y = s->y; y < s->y + s->height; y++)
        for (int64_t x = s->x; x < s->x + s->width; x++)
            if (start_cell(s, x, y))
                test_set(universe, x, y);
}

// Every cell that light can have reached, and some beyond, one by one against the oracle; and the
// facts that the universe reports, against those cells.
static void check_world(const lc_universe *universe, start *s, uint64_t generations)
{
    const lc_topology *t = lc_universe_topology(universe);
    const int64_t beyond = (int64_t)generations + 3;
    int64_t x0 = t->width_cells ? 0 : s->x - beyond, y0 = t->height_cells ? 0 : s->y - beyond;
    int64_t width = t->width_cells ? t->width_cells : s->width + 2 * beyond;
    int64_t height = t->height_cells ? t->height_cells : s->height + 2 * beyond;
    uint8_t *expected = malloc((size_t)(width * height));
    uint64_t *row = malloc(((size_t)width / 64 + 1) * sizeof *row);
    assert_true(expected != NULL && row != NULL);
    oracle_window(oracle_rule_of(lc_universe_rule(universe)), t, x0, y0, width, height,
                  (int64_t)generations, start_cell, s, expected);

    const bool background = lc_universe_background(universe);
    uint64_t population = 0;
    lc_box box = {.empty = true};
    for (int64_t y = 0; y < height; y++) {
        assert_int_equal(test_read_row(universe, x0, y0 + y, width, row), LC_OK);
        for (int64_t x = 0; x < width; x++) {
            bool alive = expected[y * width + x];
            if (alive != (row[x / 64] >> (x % 64) & 1)) {
                lc_message text;
                lc_rule_format(lc_universe_rule(universe), t, text.text);
                fail_msg("%s, %s: cell (%" PRId64 ", %" PRId64 ") of generation %" PRIu64
                         " should be %d; start %" PRId64 " x %" PRId64 " seed %" PRIu64,
                         lc_universe_info_of(universe).engine, text.text, x0 + x, y0 + y,
                         generations, alive, s->width, s->height, s->seed);
            }
            if (alive == background)
                continue;
            population++;
            if (box.empty)
                box = (lc_box){.x = x, .y = y, .width_cells = 1, .height_cells = 1};
            int64_t right = box.x + box.width_cells;
            box.x = x < box.x ? x : box.x;
            box.width_cells = (x + 1 > right ? x + 1 : right) - box.x;
            box.height_cells = y + 1 - box.y;
        }
    }
    assert_int_equal(test_population(universe), population);
    lc_box reported = test_box(universe);
    assert_true(reported.empty == box.empty);
    if (!box.empty) {
        assert_int_equal(reported.x, x0 + box.x);
        assert_int_equal(reported.y, y0 + box.y);
        assert_int_equal(reported.width_cells, box.width_cells);
        assert_int_equal(reported.height_cells, box.height_cells);
    }
    free(expected);
    free(row);
}

static void check_run(const char *engine, const lc_rule *rule, lc_topology topology, start *s,
                      uint64_t generations, uint64_t stride)
{
    lc_universe *universe = test_create(engine, rule, topology, 0);
    set_start(universe, s);
    check_world(universe, s, 0);
    for (uint64_t done = 0; done < generations;) {
        uint64_t next = generations - done < stride ? generations - done : stride;
        test_step(universe, next);
        done += next;
        assert_int_equal(test_generation(universe), done);
        if (done == generations || stride < 5)
            check_world(universe, s, done);
    }
    lc_universe_destroy(&universe);
    assert_null(universe);
}

static void test_infinite_plane(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 1);
    FOR_EACH_ENGINE(info)
    {
        for (size_t rule = 0; rule < test_rule_count(RULES_NAMED + 8); rule++) {
            start s = {.x = dice_below(&d, 2000) - 1000,
                       .y = dice_below(&d, 2000) - 1000,
                       .width = 1 + dice_below(&d, 30),
                       .height = 1 + dice_below(&d, 30),
                       .seed = dice_word(&d)};
            check_run(info.name, rule_at(rule, test_seed()), infinite_plane, &s,
                      (uint64_t)dice_below(&d, 40), 1 + (uint64_t)dice_below(&d, 12));
        }
    }
}

// Long enough that the first block is outgrown several times, on all sides.
static void test_growth(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 2);
    FOR_EACH_ENGINE(info)
    {
        const lc_rule *fast = rule_of("B12345/S012345678"); // spreads a cell a generation
        const lc_rule *const rules[] = {LIFE, fast};
        const uint64_t generations[] = {300, 260};
        for (size_t i = 0; i < 2; i++) {
            start s = {.x = 40, .y = -70, .width = 24, .height = 20, .seed = dice_word(&d)};
            check_run(info.name, rules[i], infinite_plane, &s,
                      generations[i] / (test_slowness() > 1 ? 3 : 1), UINT64_MAX);
        }
    }
}

static void test_tubes(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 3);
    const int64_t sizes[] = {1, 2, 3, 5, 31, 63, 64, 65, 100, 130};
    FOR_EACH_ENGINE(info)
    {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int form = 0; form < 4; form++) {
                // Where each takes long, every size has both directions, and both kinds.
                if (test_share() > 1 && ((int)i + form + form / 2) % 2 != 0)
                    continue;
                bool across = form & 1;
                lc_topology tube = {.kind = form & 2 ? LC_TOPOLOGY_PLANE : LC_TOPOLOGY_TORUS,
                                    .width_cells = across ? 0 : sizes[i],
                                    .height_cells = across ? sizes[i] : 0};
                int64_t most = sizes[i] < 12 ? sizes[i] : 12;
                int64_t inside = dice_below(&d, sizes[i] - most + 1);
                start s = {.x = across ? dice_below(&d, 300) - 150 : inside,
                           .y = across ? inside : dice_below(&d, 300) - 150,
                           .width = across ? 20 : most,
                           .height = across ? most : 20,
                           .seed = dice_word(&d)};
                uint64_t generations = i % 4 == 0 ? 230 : 40;
                const lc_rule *rule = rule_at((size_t)dice_below(&d, RULES_NAMED), test_seed());
                if (tube.kind == LC_TOPOLOGY_PLANE)
                    rule = rule_of_counts(counts_of(rule).birth & 0x1fe, counts_of(rule).survival);
                check_run(info.name, rule, tube, &s, generations, 33);
                check_run(info.name, LIFE, tube, &s, 20, 4);
            }
    }
}

// Rules with B0, with and without S8, from backgrounds dead and alive.
static void test_b0_in_the_plane(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 4);
    FOR_EACH_ENGINE(info)
    {
        for (size_t i = 0; i<test_rule_count(24); i += test_share()> 1 ? 3 : 1) {
            const unsigned counts = dice_word(&d) & 0x3ffff;
            const lc_rule *rule = rule_of_counts(1 | (counts & 0x1ff), counts >> 9);
            start s = {.x = -7, .y = 60, .width = 14, .height = 9, .seed = dice_word(&d)};
            check_run(info.name, rule, infinite_plane, &s, 30, i % 2 ? 1 : 7);
            lc_topology tube = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 40};
            s.x = 10;
            check_run(info.name, rule, tube, &s, 30, 7);
        }
    }
}

static void test_looking_at_a_live_background(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        lc_universe *universe = test_create(info.name, rule_of("B0/S012345678"), infinite_plane, 0);
        test_step(universe, 1);
        assert_true(lc_universe_background(universe));
        assert_int_equal(test_population(universe), 0);
        assert_true(test_get(universe, 1000000, -1000000));
        lc_message message;
        assert_int_equal(lc_universe_set(universe, 500, 500, false, &message), LC_OK);
        assert_int_equal(lc_universe_set(universe, -3, 5, false, &message), LC_OK);
        assert_false(test_get(universe, 500, 500));
        assert_true(test_get(universe, 501, 500));
        assert_int_equal(test_population(universe), 2);
        uint64_t row[20];
        assert_int_equal(test_read_row(universe, -100, 5, 1210, row), LC_OK);
        for (int64_t x = 0; x < 1216; x++)
            assert_int_equal(row[x / 64] >> (x % 64) & 1, x < 1210 && x != 97);
        // Live cells of a pattern are added, to a live background too.
        assert_int_equal(test_load(universe, "x = 2, y = 1\n2o!\n", -4, 5, &message), LC_OK);
        assert_int_equal(test_population(universe), 1);
        assert_int_equal(lc_universe_soup(universe, 0, 0, 640, 64, 0.5, 1, &message), LC_OK);
        uint64_t word;
        assert_int_equal(test_read_row(universe, 64, 3, 64, &word), LC_OK);
        lc_universe *other = test_create(info.name, LIFE, infinite_plane, 0);
        assert_int_equal(lc_universe_soup(other, 0, 0, 640, 64, 0.5, 1, &message), LC_OK);
        uint64_t same;
        assert_int_equal(test_read_row(other, 64, 3, 64, &same), LC_OK);
        assert_int_equal(word, same);
        // No pattern file can say it.
        assert_int_equal(lc_universe_save(universe, "/dev/null", LC_FORMAT_RLE, &message),
                         LC_ERROR_UNSUPPORTED);
        lc_universe_destroy(&other);
        lc_universe_destroy(&universe);
    }
}

static void test_empty_universes(void **state)
{
    (void)state;
    const lc_count late = {{UINT64_MAX - 5, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    const lc_count odd = {{UINT64_MAX, UINT64_MAX, 0, 9}};
    lc_message message;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        lc_universe *universe = test_create(info.name, LIFE, infinite_plane, 0);
        assert_int_equal(lc_universe_step(universe, late, NULL, NULL, &message), LC_OK);
        assert_int_equal(lc_count_compare(lc_universe_generation(universe), late), 0);
        assert_true(test_box(universe).empty);
        assert_int_equal(test_hash(universe), 0);
        assert_int_equal(lc_universe_step(universe, lc_count_of(6), NULL, NULL, &message),
                         LC_ERROR_ARGUMENT);
        assert_non_null(strstr(message.text, "beyond 2^256 - 1: 6 more than 1157920892373161954"));
        assert_int_equal(
            lc_universe_check_save(universe, lc_count_of(6), "x.rle", LC_FORMAT_AUTO, &message),
            LC_ERROR_ARGUMENT);
        assert_int_equal(lc_count_compare(lc_universe_generation(universe), late), 0);
        lc_universe_destroy(&universe);

        universe = test_create(info.name, rule_of("B0/S"), infinite_plane, 0); // flashes
        for (uint64_t n = 1; n < 9; n++) {
            test_step(universe, n);
            assert_int_equal(lc_universe_background(universe), n * (n + 1) / 2 % 2);
        }
        test_step(universe, ((uint64_t)1 << 40) + 1);
        assert_true(lc_universe_background(universe));
        assert_int_equal(lc_universe_step(universe, odd, NULL, NULL, &message), LC_OK);
        assert_false(lc_universe_background(universe));
        lc_universe_destroy(&universe);

        universe = test_create(info.name, rule_of("B0/S8"), infinite_plane,
                               0); // stays
        for (uint64_t n = 1; n < 9; n++) {
            test_step(universe, n);
            assert_true(lc_universe_background(universe));
        }
        lc_universe_destroy(&universe);
    }
}

// A spaceship takes its block along; it does not leave a trail of memory.
static void test_spaceships_escape(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        const bool slow = strcmp(info.name, "simd") != 0;
        const uint64_t generations =
            slow ? 2000 : (uint64_t)(60000 / (test_slowness() > 1 ? 2 : 1));
        lc_universe *universe = test_create(info.name, LIFE, infinite_plane, (uint64_t)16 << 20);
        lc_message message;
        assert_int_equal(test_load(universe, glider_rle, -1000, 70, &message), LC_OK);
        test_step(universe, generations);
        lc_box box = test_box(universe);
        assert_int_equal(box.x, -1000 + (int64_t)generations / 4);
        assert_int_equal(box.y, 70 + (int64_t)generations / 4);
        assert_true(box.width_cells == 3 && box.height_cells == 3);
        assert_int_equal(test_population(universe), 5);
        assert_in_range(lc_universe_info_of(universe).memory_bytes, 1, (uint64_t)8 << 20);
        lc_universe_destroy(&universe);
    }
}

// Limits ---------------------------------------------------------------------------------------

// Gliders in opposite directions: the box grows for ever, and memory ends.
static void test_memory_limit_keeps_the_last_generation(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        lc_universe *limited = test_create(info.name, LIFE, infinite_plane, 0);
        if (block_of(limited)->vtable->plane != NULL) { // it has no block: test_sparse_limits.c
            lc_universe_destroy(&limited);
            continue;
        }
        // Large boards take an emulated GPU long. Settings may follow the name.
        const bool on_gpu = strncmp(info.name, "cuda", 4) == 0;
        const uint64_t limit =
            3 * lc_universe_info_of(limited).memory_bytes + (on_gpu ? 150000 : 1000000);
        lc_universe_destroy(&limited);
        limited = test_create(info.name, LIFE, infinite_plane, limit);
        lc_universe *free_one = test_create(info.name, LIFE, infinite_plane, 0);
        lc_universe *both[] = {limited, free_one};
        lc_message message = {0};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(test_load(both[i], glider_rle, 100, 100, &message), LC_OK);
            assert_int_equal(test_load(both[i], "x = 3, y = 3\n3o$o$bo!\n", -100, -100, &message),
                             LC_OK);
        }
        assert_int_equal(lc_universe_step(limited, lc_count_of(1000000), NULL, NULL, &message),
                         LC_ERROR_LIMIT);
        assert_non_null(strstr(message.text, "limit"));
        const uint64_t reached = test_generation(limited);
        assert_in_range(reached, 200, 999999);
        assert_true(lc_universe_info_of(limited).memory_bytes <= limit);
        test_step(free_one, reached);
        assert_int_equal(test_population(limited), 10);
        assert_int_equal(test_hash(limited), test_hash(free_one));
        // Memory was used to the end: two blocks as large as the last one would hardly have fitted.
        assert_true(lc_universe_info_of(limited).memory_bytes > limit / 3);
        lc_box box = test_box(limited);
        assert_in_range(box.width_cells, 203 + reached / 2, 204 + reached / 2);
        // And it says the same again.
        assert_int_equal(lc_universe_step(limited, lc_count_of(100), NULL, NULL, &message),
                         LC_ERROR_LIMIT);
        assert_int_equal(test_generation(limited), reached);
        lc_universe_destroy(&limited);
        lc_universe_destroy(&free_one);
    }
}

static void test_end_of_coordinates(void **state)
{
    (void)state;
    const int64_t end = INT64_C(1) << 62;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        for (int side = 0; side < 4; side++) {
            lc_universe *universe = test_create(info.name, LIFE, infinite_plane, 0);
            const int64_t near = side & 1 ? end - 10 : -end + 10;
            const int64_t x = side & 2 ? near : 5, y = side & 2 ? -5 : near;
            for (int64_t i = -1; i <= 1; i++) // two blinkers, a T-tetromino in the making
                test_set(universe, x + i, y);
            test_set(universe, x, y + (side & 1 ? 1 : -1));
            lc_message message = {0};
            uint64_t hash = test_hash(universe);
            lc_status status = lc_universe_step(universe, lc_count_of(100), NULL, NULL, &message);
            // A T-tetromino becomes a traffic light 9 cells wide and high: within ten of its
            // middle.
            assert_int_equal(status, LC_OK);
            assert_int_equal(test_population(universe), 12);
            assert_true(test_hash(universe) != hash);
            lc_universe_destroy(&universe);

            universe = test_create(info.name, rule_of("B12345678/S012345678"), infinite_plane, 0);
            test_set(universe, x, y);
            assert_int_equal(lc_universe_step(universe, lc_count_of(100), NULL, NULL, &message),
                             LC_ERROR_LIMIT);
            assert_int_equal(test_generation(universe), 10);
            assert_int_equal(test_population(universe), 21 * 21);
            assert_int_equal(lc_universe_set(universe, side & 2 ? 5 : x, end + 1, true, &message),
                             LC_ERROR_ARGUMENT);
            assert_int_equal(lc_universe_set(universe, INT64_MIN, INT64_MAX, true, &message),
                             LC_ERROR_ARGUMENT);
            // Cells at both ends of the world would need all of it, in a block.
            const bool has_block = block_of(universe)->vtable->plane == NULL;
            assert_int_equal(lc_universe_set(universe, -x, -y, true, &message),
                             has_block ? LC_ERROR_LIMIT : LC_OK);
            assert_int_equal(test_population(universe), has_block ? 21 * 21 : 21 * 21 + 1);
            lc_universe_destroy(&universe);
        }
    }
}

static void test_options_that_cannot_be(void **state)
{
    (void)state;
    const lc_topology bounded = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 10, .height_cells = 10};
    const struct {
        lc_universe_options options;
        lc_status status;
    } cases[] = {
        {{.threads = 1}, LC_ERROR_ARGUMENT}, // no rule
        {{.rule = LIFE, .rule_text = "B3/S23"}, LC_ERROR_ARGUMENT},
        {{.rule_text = ""}, LC_ERROR_FORMAT},
        {{.rule_text = "B3/S2q"}, LC_ERROR_FORMAT},
        {{.rule_text = "Bosco's Rule"}, LC_ERROR_UNSUPPORTED},
        {{.rule_text = "345/2/4", .engine = "sparse"}, LC_ERROR_UNSUPPORTED},
        {{.rule_text = "B3/S23:T10,10", .topology = bounded}, LC_ERROR_ARGUMENT},
        {{.rule_text = "B3/S23:S3", .threads = -1}, LC_ERROR_ARGUMENT},
        {{.rule_text = "B03/S:P5,0"}, LC_ERROR_UNSUPPORTED},
        {{.rule = LIFE, .topology = {.width_cells = -1}}, LC_ERROR_ARGUMENT},
        {{.rule = LIFE,
          .topology = {.kind = LC_TOPOLOGY_SPHERE, .width_cells = 3, .height_cells = 4}},
         LC_ERROR_ARGUMENT},
        {{.rule = LIFE, .threads = -1}, LC_ERROR_ARGUMENT},
        {{.rule = LIFE, .threads = LC_THREADS_MAX + 1}, LC_ERROR_ARGUMENT},
        {{.rule = LIFE, .engine = "steam"}, LC_ERROR_ARGUMENT},
        {{.rule = LIFE, .engine = "scalar", .cpu_level = "avx512"}, LC_ERROR_UNSUPPORTED},
        {{.rule = LIFE, .cpu_level = "sse9"}, LC_ERROR_UNSUPPORTED},
        {{.rule = LIFE,
          .cpu_level = "a level with a name so long that nothing could ever be called that"},
         LC_ERROR_UNSUPPORTED},
        {{.rule = rule_of("B03/S"), .topology = {.width_cells = 5}}, LC_ERROR_UNSUPPORTED},
        {{.rule = LIFE, .topology = bounded, .engine = "scalar", .max_memory_bytes = 100},
         LC_ERROR_LIMIT},
        {{.rule = LIFE,
          .topology = {.width_cells = 1000000, .height_cells = 1000000},
          .max_memory_bytes = 1000000},
         LC_ERROR_LIMIT},
        {{.rule = LIFE,
          .engine = "simd",
          .topology = {.width_cells = INT64_C(1) << 61, .height_cells = INT64_C(1) << 61}},
         LC_ERROR_LIMIT},
        {{.rule = LIFE, .engine = "scalar", .max_memory_bytes = 1000}, LC_ERROR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lc_universe *universe = (lc_universe *)&universe;
        lc_message message = {0};
        lc_universe_options options = cases[i].options;
        options.struct_bytes = sizeof options;
        lc_status status = lc_universe_create(&universe, &options, &message);
        if (status != cases[i].status)
            fail_msg("case %zu: %s: %s", i, lc_status_name(status), message.text);
        assert_null(universe);
        assert_true(message.text[0] != '\0');
        assert_int_equal(lc_universe_create(&universe, &options, NULL), status);
    }
    lc_universe *none = NULL;
    lc_universe_destroy(&none);
    lc_universe_destroy(NULL);
}

// Progress -------------------------------------------------------------------------------------

typedef struct watcher {
    uint64_t stop_at, calls, last_done;
} watcher;

static bool watch(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    watcher *w = context;
    uint64_t made, asked;
    assert_true(lc_count_to_u64(done, &made) && lc_count_to_u64(total, &asked));
    assert_true(made > w->last_done && made <= asked && asked == 300);
    assert_int_equal(test_generation(universe), 17 + made);
    (void)test_population(universe);
    w->last_done = made;
    w->calls++;
    return made >= w->stop_at;
}

static void test_progress_and_stopping(void **state)
{
    (void)state;
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 90, .height_cells = 70};
    const lc_topology shapes[] = {infinite_plane, torus};
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        for (int shape = 0; shape < 2; shape++)
            for (uint64_t stop_at = 1; stop_at <= 301; stop_at += 150) {
                lc_universe *universe = test_create(info.name, LIFE, shapes[shape], 0);
                lc_universe *other = test_create(info.name, LIFE, shapes[shape], 0);
                lc_message message = {0};
                assert_int_equal(lc_universe_soup(universe, 5, 6, 60, 50, 0.4, 3, &message), LC_OK);
                assert_int_equal(lc_universe_soup(other, 5, 6, 60, 50, 0.4, 3, &message), LC_OK);
                lc_universe_set_generation(universe, lc_count_of(17));
                watcher w = {.stop_at = stop_at};
                lc_status status =
                    lc_universe_step(universe, lc_count_of(300), watch, &w, &message);
                assert_int_equal(status, stop_at <= 300 ? LC_ERROR_STOPPED : LC_OK);
                assert_true(w.last_done >= (stop_at <= 300 ? stop_at : 300));
                assert_int_equal(test_generation(universe), 17 + w.last_done);
                // What is left makes the same as one run.
                test_step(universe, 300 - w.last_done);
                test_step(other, 300);
                assert_int_equal(test_hash(universe), test_hash(other));
                lc_universe_destroy(&universe);
                lc_universe_destroy(&other);
            }
    }
}

// The same run in one step, and in many of changing length: another history of growth.
static void test_histories_do_not_matter(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 6);
    FOR_EACH_ENGINE(info)
    {
        lc_universe *one = test_create(info.name, LIFE, infinite_plane, 0);
        lc_universe *many = test_create(info.name, LIFE, infinite_plane, 0);
        lc_message message;
        assert_int_equal(lc_universe_soup(one, -30, -3, 60, 60, 0.35, 11, &message), LC_OK);
        for (int64_t y = 51; y >= -3; y -= 6) // in strips, from below: other blocks on the way
            assert_int_equal(lc_universe_soup(many, -30, y, 60, 6, 0.35, 11, &message), LC_OK);
        assert_int_equal(test_hash(one), test_hash(many));
        uint64_t generations = (uint64_t)(900 / test_slowness());
        test_step(one, generations);
        for (uint64_t done = 0; done < generations;) {
            uint64_t next = 1 + (uint64_t)dice_below(&d, 90);
            next = next < generations - done ? next : generations - done;
            test_step(many, next);
            done += next;
        }
        assert_int_equal(test_hash(one), test_hash(many));
        assert_int_equal(test_population(one), test_population(many));
        lc_universe_destroy(&one);
        lc_universe_destroy(&many);
    }
}

// When memory runs out -------------------------------------------------------------------------

// Each allocation in turn fails, of all that creating, loading and stepping ask for.
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] = "x = 900, y = 2\n3o894b3o$300b300o!\n";
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        bool failed = true;
        for (uint64_t n = 1; failed && n < 400; n++) {
            const lc_universe_options options = {.struct_bytes = sizeof options,
                                                 .context = test_context(),
                                                 .rule = LIFE,
                                                 .topology = infinite_plane,
                                                 .engine = info.name,
                                                 .threads = 2};
            lc_universe *universe = NULL;
            lc_pattern *pattern = NULL;
            lc_message message = {0};
            lc_fail_allocation(n);
            lc_status status = lc_universe_create(&universe, &options, &message);
            if (status == LC_OK)
                status = lc_pattern_open_memory(&pattern, text, strlen(text), &message);
            if (status == LC_OK)
                status = lc_universe_load(universe, pattern, -5, 70, &message);
            if (status == LC_OK)
                status = lc_universe_soup(universe, 0, 0, 70, 70, 0.5, 1, &message);
            if (status == LC_OK)
                status = lc_universe_step(universe, lc_count_of(300), NULL, NULL, &message);
            failed = status != LC_OK;
            lc_fail_allocation(0);
            if (failed) {
                assert_int_equal(status, LC_ERROR_MEMORY);
                assert_true(message.text[0] != '\0');
                if (universe != NULL)
                    test_step(universe, 3); // still whole
            } else {
                assert_int_equal(test_generation(universe), 300);
            }
            lc_pattern_close(&pattern);
            lc_universe_destroy(&universe);
        }
        assert_false(failed);
    }
}

typedef struct work {
    int passes;
    int64_t largest_cells; // of a block
} work;

static bool count_work(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)done;
    (void)total;
    work *w = context;
    const lc_area block = area_of(universe);
    const int64_t cells = (block.x1 - block.x0) * (block.y1 - block.y0);
    w->passes++;
    w->largest_cells = cells > w->largest_cells ? cells : w->largest_cells;
    return false;
}

// A small pattern on the plane is quick: few passes over a small block.
static void test_a_glider_takes_little_work(void **state)
{
    (void)state;
    lc_message message;
    work w = {0};
    lc_universe *universe = test_create("simd", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(universe, glider_rle, 0, 0, &message), LC_OK);
    assert_int_equal(lc_universe_step(universe, lc_count_of(100), count_work, &w, &message), LC_OK);
    assert_int_equal(test_population(universe), 5);
    assert_in_range(w.passes, 1, 4);
    assert_in_range(w.largest_cells, 1, 512 * 512);
    lc_universe_destroy(&universe);
}

// What is said before stepping about saving afterwards is what happens.
static void test_saving_is_foreseen(void **state)
{
    (void)state;
    const lc_rule *const rules[] = {LIFE, rule_of("B03/S23"), rule_of("B0/S"), rule_of("B03/S28")};
    const lc_topology shapes[] = {
        {.kind = LC_TOPOLOGY_PLANE},
        {.kind = LC_TOPOLOGY_TORUS, .height_cells = 20},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 20, .height_cells = 20}};
    int refused = 0;
    for (int rule = 0; rule < 4; rule++)
        for (int shape = 0; shape < 3; shape++)
            for (uint64_t first = 0; first < 3; first++)
                for (uint64_t more = 0; more < 9; more++) {
                    lc_message message = {0};
                    lc_universe *u = test_create("simd", rules[rule], shapes[shape], 0);
                    assert_int_equal(lc_universe_soup(u, 2, 2, 9, 9, 0.5, more, &message), LC_OK);
                    test_step(u, first);
                    lc_status foreseen =
                        lc_universe_check_save(u, lc_count_of(more), "x", LC_FORMAT_AUTO, &message);
                    assert_int_equal(
                        lc_universe_check_save(u, lc_count_of(more), "x.lcs", LC_FORMAT_AUTO, NULL),
                        LC_OK);
                    test_step(u, more);
                    lc_message after = {0};
                    assert_int_equal(lc_universe_save(u, "/dev/null", LC_FORMAT_RLE, &after),
                                     foreseen);
                    if (foreseen != LC_OK) {
                        assert_string_equal(message.text, after.text);
                        refused++;
                    }
                    lc_universe_destroy(&u);
                }
    // A board whose side no PNG has. Nothing is written to its 4 GiB, so they are never real; where
    // even that is refused, there is nothing to test.
    lc_universe_options wide = {
        .struct_bytes = sizeof wide,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = INT64_C(1) << 31, .height_cells = 1},
        .engine = "scalar",
        .max_memory_bytes = UINT64_C(1) << 33};
    lc_universe *u;
    lc_message message;
    if (lc_universe_create(&u, &wide, &message) == LC_OK) {
#if defined(LC_PNG)
        assert_int_equal(
            lc_universe_check_save(u, lc_count_of(1), "a.png", LC_FORMAT_AUTO, &message),
            LC_ERROR_LIMIT);
        assert_non_null(strstr(message.text, "2147483648 x 1"));
#endif
        assert_int_equal(
            lc_universe_check_save(u, lc_count_of(1), "a.rle", LC_FORMAT_AUTO, &message), LC_OK);
        assert_int_equal(
            lc_universe_check_save(u, lc_count_of(1), "a.lcs", LC_FORMAT_AUTO, &message), LC_OK);
        lc_universe_destroy(&u);
    }
    // On the plane, too, whether this build writes PNGs is known before.
    const lc_universe_options plane = {
        .struct_bytes = sizeof plane, .context = test_context(), .rule = LIFE};
    assert_int_equal(lc_universe_create(&u, &plane, &message), LC_OK);
#if defined(LC_PNG)
    assert_int_equal(lc_universe_check_save(u, lc_count_of(1), "a.png", LC_FORMAT_AUTO, &message),
                     LC_OK);
#else
    assert_int_equal(lc_universe_check_save(u, lc_count_of(1), "a.png", LC_FORMAT_AUTO, &message),
                     LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message.text, "built without libpng"));
#endif
    lc_universe_destroy(&u);
    assert_in_range(refused, 60, 200); // B0 in two shapes: every second generation, or nearly all
}

// A path whose ending is no format's is refused, as the command refuses it, and nothing is written.
static void test_save_in_no_format(void **state)
{
    (void)state;
    const lc_universe_options options = {.struct_bytes = sizeof options, .rule = LIFE};
    const char *const names[] = {"x.gif", "x.lct", "x.lcs.gz"};
    lc_universe *universe;
    lc_message message = {0};
    assert_int_equal(lc_universe_create(&universe, &options, &message), LC_OK);
    char folder[] = "/tmp/lightcone-universe-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        const lc_count none = lc_count_of(0);
        assert_int_equal(lc_universe_check_save(universe, none, path, LC_FORMAT_AUTO, &message),
                         LC_ERROR_ARGUMENT);
        assert_int_equal(lc_universe_save(universe, path, LC_FORMAT_AUTO, &message),
                         LC_ERROR_ARGUMENT);
        assert_true(message.text[0] != '\0');
    }
    (void)snprintf(path, sizeof path, "%s/x.gif", folder);
    assert_int_equal(lc_universe_save(universe, path, LC_FORMAT_RLE, &message), LC_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); // there was nothing else
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save_in_no_format),
        cmocka_unit_test(test_infinite_plane),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_tubes),
        cmocka_unit_test(test_b0_in_the_plane),
        cmocka_unit_test(test_looking_at_a_live_background),
        cmocka_unit_test(test_empty_universes),
        cmocka_unit_test(test_spaceships_escape),
        cmocka_unit_test(test_memory_limit_keeps_the_last_generation),
        cmocka_unit_test(test_end_of_coordinates),
        cmocka_unit_test(test_options_that_cannot_be),
        cmocka_unit_test(test_progress_and_stopping),
        cmocka_unit_test(test_histories_do_not_matter),
        cmocka_unit_test(test_saving_is_foreseen),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_a_glider_takes_little_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
