// Laws that hold whatever the engine: through the public API, on boards larger than the oracle
// wants to be. Moving, mirroring and turning a torus commutes with stepping it; a + b generations
// are a, then b; threads, levels and engines change nothing; a large board agrees with the oracle
// in the light cones of windows, corners and seams among them.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "oracle.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

// Which engine, level and number of threads; levels[] has one for each that can run here.
typedef struct means {
    const char *engine, *level;
    int threads;
} means;

#define LEVELS_MAX 16
static means levels[LEVELS_MAX];
static size_t level_count;
static means best = {NULL, NULL, 2};

static int find_levels(void **state)
{
    (void)state;
    const char *only = getenv("LC_TEST_ENGINE"); // with its settings
    lc_cpu_level_info level;
    for (size_t i = 0; lc_cpu_level_at(i, &level) && level_count < LEVELS_MAX; i++)
        if (level.available && test_wants_engine("simd"))
            levels[level_count++] = (means){only != NULL ? only : "simd", level.name, 1};
    lc_engine_info info;
    for (size_t i = 0; lc_engine_at(test_context(), i, &info) && level_count < LEVELS_MAX; i++)
        if (strcmp(info.name, "cuda") == 0 && info.available && test_wants_engine("cuda"))
            levels[level_count++] = (means){"cuda", NULL, 1};
    if (only != NULL)
        best.engine = only;
    return level_count == 0 ? -1 : 0;
}

// How it is called where two of them differ.
static const char *name_of(const means *by)
{
    return by->level != NULL ? by->level : by->engine;
}

static lc_universe *universe_with(const lc_topology *topology, const lc_rule *rule, means by)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = *topology,
                                         .engine = by.engine,
                                         .cpu_level = by.level,
                                         .threads = by.threads};
    lc_universe *universe = NULL;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("create: %s", message.text);
    return universe;
}

static void step(lc_universe *universe, uint64_t generations)
{
    lc_message message = {0};
    if (lc_universe_step(universe, lc_count_of(generations), NULL, NULL, &message) != LC_OK)
        fail_msg("step: %s", message.text);
}

static lc_universe *soup(const lc_topology *topology, const lc_rule *rule, means by, double density)
{
    lc_universe *universe = universe_with(topology, rule, by);
    lc_message message = {0};
    if (lc_universe_soup(universe, 0, 0, topology->width_cells, topology->height_cells, density,
                         test_seed(), &message) != LC_OK)
        fail_msg("soup: %s", message.text);
    return universe;
}

static lc_topology torus(int64_t width, int64_t height)
{
    return (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height};
}

static scene scene_of(const lc_universe *universe, const char *what)
{
    const lc_topology *topology = lc_universe_topology(universe);
    return (scene){lc_universe_info_of(universe).engine,
                   lc_universe_info_of(universe).cpu_level,
                   lc_universe_info_of(universe).threads,
                   test_seed(),
                   topology->width_cells,
                   topology->height_cells,
                   *topology,
                   lc_universe_rule(universe),
                   what,
                   test_generation(universe)};
}

// Boards as bytes, so that the laws' transforms are plain index arithmetic.
typedef struct cells {
    int64_t width, height;
    uint8_t *at; // at[y * width + x]
} cells;

static cells cells_create(int64_t width, int64_t height)
{
    cells made = {width, height, calloc((size_t)(width * height), 1)};
    assert_non_null(made.at);
    return made;
}

static cells cells_of(const lc_universe *universe, int64_t x, int64_t y, int64_t width,
                      int64_t height)
{
    cells made = cells_create(width, height);
    uint64_t *words = calloc((size_t)(width + 63) / 64, sizeof *words);
    assert_non_null(words);
    for (int64_t j = 0; j < height; j++) {
        assert_int_equal(test_read_row(universe, x, y + j, width, words), LC_OK);
        for (int64_t i = 0; i < width; i++)
            made.at[j * width + i] = words[i / 64] >> (i % 64) & 1;
    }
    free(words);
    return made;
}

static cells board_of(const lc_universe *universe)
{
    const lc_topology *topology = lc_universe_topology(universe);
    return cells_of(universe, 0, 0, topology->width_cells, topology->height_cells);
}

static void put_cells(lc_universe *universe, const cells *from)
{
    const size_t words = (size_t)(from->width + 63) / 64;
    uint64_t *row = malloc(words * sizeof *row);
    assert_non_null(row);
    for (int64_t y = 0; y < from->height; y++) {
        memset(row, 0, words * sizeof *row);
        for (int64_t x = 0; x < from->width; x++)
            row[x / 64] |= (uint64_t)from->at[y * from->width + x] << (x % 64);
        assert_int_equal(test_write_row(universe, 0, y, from->width, row, NULL), LC_OK);
    }
    free(row);
}

static void assert_same_cells(const cells *expected, const cells *actual, const scene *where)
{
    assert_int_equal(expected->width, actual->width);
    assert_int_equal(expected->height, actual->height);
    if (!bytes_equal(expected->at, actual->at, 0, 0, expected->width, expected->height, where))
        fail_msg("%s", where->fill);
}

static void assert_same_universe(const lc_universe *a, const lc_universe *b, const char *what)
{
    if (test_hash(a) == test_hash(b) && test_population(a) == test_population(b) &&
        test_generation(a) == test_generation(b))
        return;
    const scene first = scene_of(a, what), second = scene_of(b, what);
    scene_print(&first);
    cells expected = board_of(a), actual = board_of(b);
    assert_same_cells(&expected, &actual, &second);
    fail_msg("%s: the same cells, but another hash, population or generation", what);
}

// Symmetries --------------------------------------------------------------------------------

// Where a transform takes cell (*x, *y) of a width x height torus.
typedef void (*transform)(int64_t width, int64_t height, int64_t *x, int64_t *y);

static void shift(int64_t width, int64_t height, int64_t *x, int64_t *y)
{
    *x = (*x + 77) % width;
    *y = (*y + height - 5) % height;
}

static void mirror_x(int64_t width, int64_t height, int64_t *x, int64_t *y)
{
    (void)height;
    (void)y;
    *x = width - 1 - *x;
}

static void mirror_y(int64_t width, int64_t height, int64_t *x, int64_t *y)
{
    (void)width;
    (void)x;
    *y = height - 1 - *y;
}

static void half_turn(int64_t width, int64_t height, int64_t *x, int64_t *y)
{
    mirror_x(width, height, x, y);
    mirror_y(width, height, x, y);
}

static void transpose(int64_t width, int64_t height, int64_t *x, int64_t *y)
{
    (void)width;
    (void)height;
    const int64_t old_x = *x;
    *x = *y;
    *y = old_x;
}

static void quarter_turn(int64_t width, int64_t height, int64_t *x, int64_t *y)
{
    (void)width;
    const int64_t old_x = *x;
    *x = height - 1 - *y;
    *y = old_x;
}

static cells transformed(const cells *from, transform to, bool exchanges_sides)
{
    cells made = exchanges_sides ? cells_create(from->height, from->width)
                                 : cells_create(from->width, from->height);
    for (int64_t y = 0; y < from->height; y++) {
        for (int64_t x = 0; x < from->width; x++) {
            int64_t to_x = x, to_y = y;
            to(from->width, from->height, &to_x, &to_y);
            made.at[to_y * made.width + to_x] = from->at[y * from->width + x];
        }
    }
    return made;
}

static void check_symmetry(int64_t width, int64_t height, const lc_rule *rule, transform to,
                           bool exchanges_sides, uint64_t generations, const char *name)
{
    const lc_topology shape = torus(width, height);
    const lc_topology turned = exchanges_sides ? torus(height, width) : shape;
    lc_universe *straight = soup(&shape, rule, best, 0.4);
    cells start = board_of(straight);
    cells moved = transformed(&start, to, exchanges_sides);
    lc_universe *other = universe_with(&turned, rule, best);
    put_cells(other, &moved);
    assert_int_equal(test_population(straight), test_population(other));

    step(straight, generations);
    step(other, generations);
    cells end = board_of(straight);
    cells expected = transformed(&end, to, exchanges_sides);
    cells actual = board_of(other);
    const scene where = scene_of(other, name);
    assert_same_cells(&expected, &actual, &where);

    free(start.at);
    free(moved.at);
    free(end.at);
    free(expected.at);
    free(actual.at);
    lc_universe_destroy(&straight);
    lc_universe_destroy(&other);
}

static void test_symmetries_of_the_torus(void **state)
{
    (void)state;
    static const struct {
        transform to;
        bool exchanges_sides;
        const char *name;
    } laws[] = {{shift, false, "shift"},
                {mirror_x, false, "mirror left to right"},
                {mirror_y, false, "mirror top to bottom"},
                {half_turn, false, "half turn"},
                {transpose, true, "transpose"},
                {quarter_turn, true, "quarter turn"}};
    enum { SIZES = 5 };
    static const int64_t sizes[SIZES][2] = {
        {1500, 900}, {300, 217}, {129, 130}, {4097, 60}, {65, 700}};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        for (size_t k = 0; k < SIZES; k++)
            if (test_share() == 1 || k == i % SIZES)
                check_symmetry(sizes[k][0], sizes[k][1], rule_at(k == 0 ? 0 : i + k, test_seed()),
                               laws[i].to, laws[i].exchanges_sides, 70 + k, laws[i].name);
}

// A transform of the rule instead of the board: exchanging live and dead cells.
static void test_exchanging_live_and_dead(void **state)
{
    (void)state;
    const lc_topology shape = torus(611, 333);
    for (size_t i = 0; i<test_rule_count(RULES_NAMED); i += test_share()> 1 ? 3 : 1) {
        const lc_rule *rule = rule_at(i, test_seed());
        const lc_counts counts = counts_of(rule);
        unsigned birth = 0, survival = 0;
        for (int n = 0; n <= 8; n++) {
            birth |= (~(unsigned)counts.survival >> (8 - n) & 1) << n;
            survival |= (~(unsigned)counts.birth >> (8 - n) & 1) << n;
        }
        lc_universe *straight = soup(&shape, rule, best, 0.3);
        cells board = board_of(straight);
        lc_universe *other = universe_with(&shape, rule_of_counts(birth, survival), best);
        for (int64_t k = 0; k < board.width * board.height; k++)
            board.at[k] ^= 1;
        put_cells(other, &board);
        step(straight, 45);
        step(other, 45);
        cells expected = board_of(straight), actual = board_of(other);
        for (int64_t k = 0; k < board.width * board.height; k++)
            expected.at[k] ^= 1;
        const scene where = scene_of(other, "live and dead exchanged");
        assert_same_cells(&expected, &actual, &where);
        free(board.at);
        free(expected.at);
        free(actual.at);
        lc_universe_destroy(&straight);
        lc_universe_destroy(&other);
    }
}

// Paths -------------------------------------------------------------------------------------

static void test_generations_add_up(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 20);
    for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
        lc_topology shape;
        const int64_t height = test_share() > 1 ? 200 : 900;
        const int count = test_share() > 40 ? 5 : 12;
        const int64_t width = kind == SURFACE_SPHERE ? height : 1500;
        assert_true(topology_of(kind, width, height, &d, &shape));
        lc_universe *whole = soup(&shape, LIFE, best, 0.5);
        lc_universe *parts = soup(&shape, LIFE, best, 0.5);
        uint64_t total = 0;
        for (int i = 0; i < count; i++) {
            const uint64_t part = (uint64_t)dice_below(&d, i % 3 == 0 ? 4 : 40);
            step(parts, part);
            total += part;
        }
        step(whole, total);
        assert_int_equal(test_generation(whole), total);
        assert_same_universe(whole, parts, "a + b generations are a, then b");
        lc_universe_destroy(&whole);
        lc_universe_destroy(&parts);
    }
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    if (!test_wants_engine("simd"))
        skip();
    static const int64_t sizes[][2] = {{1500, 900}, {4097, 300}, {10000, 130}, {70, 3000}, {64, 2}};
    dice d = dice_from(test_seed(), 21);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        lc_topology shape;
        assert_true(topology_of((surface)(k % 5), sizes[k][0], sizes[k][1], &d, &shape));
        lc_universe *one = soup(&shape, LIFE, (means){NULL, NULL, 1}, 0.5);
        step(one, 150);
        for (int threads = 2; threads <= 5; threads++) {
            lc_universe *many = soup(&shape, LIFE, (means){NULL, NULL, threads}, 0.5);
            assert_int_equal(lc_universe_info_of(many).threads, threads);
            step(many, 150);
            assert_same_universe(one, many, "threads");
            lc_universe_destroy(&many);
        }
        lc_universe_destroy(&one);
    }
}

// All levels of the fast engine on boards of many tiles, against the word oracle; or against the
// slow engine, which has a share of the boards.
static void test_levels_and_engines_agree(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1500, 900}, {4097, 300}, {10000, 130}, {2303, 513}};
    const uint64_t generations = test_share() > 1 && test_slowness() > 1 ? 5 : 36;
    dice d = dice_from(test_seed(), 22);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t r = 0; r < 4; r++) {
            if (test_share() > 1 && r != 0 && r != k)
                continue;
            lc_topology shape;
            const surface kind = (surface)((k + 4 * r) % SURFACE_SPHERE);
            if (!topology_of(kind, sizes[k][0], sizes[k][1], &d, &shape))
                assert_true(topology_of(SURFACE_TORUS, sizes[k][0], sizes[k][1], &d, &shape));
            const lc_rule *rule = rule_at(r == 0 ? 0 : (size_t)dice_below(&d, 40), test_seed());
            lc_universe *slow = soup(&shape, rule, (means){"scalar", NULL, 2}, 0.5);
            if (r == k)
                step(slow, generations);
            else
                test_step_by_oracle(slow, generations);
            for (size_t i = 0; i < level_count; i++) {
                lc_universe *fast = soup(&shape, rule, levels[i], 0.5);
                assert_string_equal(lc_universe_info_of(fast).cpu_level,
                                    levels[i].level != NULL ? levels[i].level : "");
                step(fast, generations);
                assert_same_universe(slow, fast, name_of(&levels[i]));
                lc_universe_destroy(&fast);
            }
            lc_universe_destroy(&slow);
        }
    }
}

// What a universe says about itself is what its cells say.
static void test_facts_follow_from_cells(void **state)
{
    (void)state;
    const lc_topology shape = torus(1500, 901);
    lc_universe *universe = soup(&shape, LIFE, best, 0.02);
    for (int i = 0; i < 4; i++) {
        oracle *board =
            oracle_create(shape.width_cells, shape.height_cells, oracle_rule_of(LIFE), &shape);
        cells now = board_of(universe);
        for (int64_t y = 0; y < now.height; y++)
            memcpy(oracle_row(board, y), now.at + y * now.width, (size_t)now.width);
        assert_int_equal(test_population(universe), oracle_population(board));
        const lc_box expected = oracle_bounding_box(board);
        const lc_box actual = test_box(universe);
        assert_int_equal(actual.empty, expected.empty);
        assert_int_equal(actual.x, expected.x);
        assert_int_equal(actual.y, expected.y);
        assert_int_equal(actual.width_cells, expected.width_cells);
        assert_int_equal(actual.height_cells, expected.height_cells);
        for (int k = 0; k < 200; k++)
            assert_int_equal(test_get(universe, 7 * k, 4 * k), now.at[4 * k * now.width + 7 * k]);
        free(now.at);
        oracle_destroy(board);
        step(universe, 13);
    }
    // One cell more or less, or elsewhere, is another hash.
    const uint64_t hash = test_hash(universe);
    const bool alive = test_get(universe, 1499, 900);
    assert_int_equal(lc_universe_set(universe, 1499, 900, !alive, NULL), LC_OK);
    assert_true(test_hash(universe) != hash);
    assert_int_equal(lc_universe_set(universe, 1499, 900, alive, NULL), LC_OK);
    assert_true(test_hash(universe) == hash);
    lc_universe_destroy(&universe);
}

// Large boards ------------------------------------------------------------------------------

#define WINDOW 40
#define WINDOW_COUNT 16

static bool start_cell(void *context, int64_t x, int64_t y)
{
    return test_get(context, x, y);
}

// One coordinate of the index-th window: the four corners (whose light cones cross both seams),
// then multiples of likely tile sizes, then anywhere. `end`: at the far end, for a corner.
static int64_t window_place(size_t index, int64_t size, bool end, dice *d)
{
    static const int64_t marks[] = {512, 1024, 2048, 4096};
    if (index < 4)
        return end ? size - WINDOW : 0;
    if (index < 8 && marks[index - 4] + WINDOW <= size)
        return marks[index - 4] - WINDOW / 2;
    return dice_below(d, size - WINDOW);
}

static void check_large(const lc_topology *shape, const lc_rule *rule, uint64_t generations)
{
    generations /= test_slowness() > 1 || test_share() > 1 ? 4 : 1;
    dice d = dice_from(test_seed(), 23);
    lc_universe *start = soup(shape, rule, (means){"simd", NULL, 1}, 0.5);
    uint8_t expected[WINDOW_COUNT][WINDOW * WINDOW];
    int64_t xs[WINDOW_COUNT], ys[WINDOW_COUNT];
    const uint64_t cone = generations < 60 ? generations : 60;
    for (size_t i = 0; i < WINDOW_COUNT; i++) {
        xs[i] = window_place(i, shape->width_cells, i % 2 == 1, &d);
        ys[i] = window_place(i, shape->height_cells, i / 2 == 1, &d);
        oracle_window(oracle_rule_of(rule), shape, xs[i], ys[i], WINDOW, WINDOW, (int64_t)cone,
                      start_cell, start, expected[i]);
    }
    uint64_t first_hash = 0;
    for (size_t k = 0; k < level_count; k++) {
        lc_universe *universe =
            soup(shape, rule, (means){levels[k].engine, levels[k].level, 2}, 0.5);
        step(universe, cone);
        const scene where = scene_of(universe, "a window of a large soup");
        for (size_t i = 0; i < WINDOW_COUNT; i++) {
            cells window = cells_of(universe, xs[i], ys[i], WINDOW, WINDOW);
            const bool same =
                bytes_equal(expected[i], window.at, xs[i], ys[i], WINDOW, WINDOW, &where);
            free(window.at);
            assert_true(same);
        }
        step(universe, generations - cone);
        if (k == 0)
            first_hash = test_hash(universe);
        else if (test_hash(universe) != first_hash)
            fail_msg("levels %s and %s differ at generation %" PRIu64, name_of(&levels[0]),
                     name_of(&levels[k]), generations);
        lc_universe_destroy(&universe);
    }
    lc_universe_destroy(&start);
}

static void test_large_boards(void **state)
{
    (void)state;
    const int64_t less = test_share() == 1 ? 1 : test_slowness() > 1 || test_share() > 40 ? 4 : 2;
    const lc_topology square = torus(8192 / less, 8192 / less);
    check_large(&square, LIFE, 150);
    const lc_topology klein = {LC_TOPOLOGY_KLEIN_BOTTLE, 9001, 3001 / less, 0, 0, true, false};
    check_large(&klein, rule_at(1, test_seed()), 80);
    const int64_t side = less > 1 ? 1027 : 4099;
    const lc_topology sphere = {LC_TOPOLOGY_SPHERE, side, side, 0, 0, false, false};
    check_large(&sphere, LIFE, 80);
    const lc_topology plane = {LC_TOPOLOGY_PLANE, 4100, 5000 / less, 0, 0, false, false};
    check_large(&plane, rule_at(6, test_seed()), 80);
    const lc_topology shifted = {LC_TOPOLOGY_TORUS, 5003, 4000 / less, -1234, 0, false, false};
    check_large(&shifted, rule_at(2, test_seed()), 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetries_of_the_torus),
        cmocka_unit_test(test_exchanging_live_and_dead),
        cmocka_unit_test(test_generations_add_up),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_levels_and_engines_agree),
        cmocka_unit_test(test_facts_follow_from_cells),
        cmocka_unit_test(test_large_boards),
    };
    return cmocka_run_group_tests_name("laws", tests, find_levels, NULL);
}
