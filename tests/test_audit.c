// Audits: quiet over engines that are right, on every surface and in every kind of universe; and
// over one that is wrong in one cell, an error that names it and that ends the universe. Density
// views and pictures, with every engine.
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

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

static lc_universe *audited(const char *engine, const lc_rule *rule, lc_topology topology,
                            uint64_t every)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = 2,
                                         .audit_generations = every};
    lc_universe *universe;
    lc_message message;
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("%s", message.text);
    return universe;
}

static void soup(lc_universe *universe, int64_t width, int64_t height)
{
    lc_message message;
    assert_int_equal(lc_universe_soup(universe, 0, 0, width, height, 0.4, 3, &message), LC_OK);
}

static void test_right_engines_pass(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {3, 40}, {40, 3}, {64, 64}, {300, 280}, {700, 500}};
    lc_engine_info info;
    dice d = dice_from(test_seed(), 1);
    FOR_EACH_ENGINE(info)
    {
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                if (test_share() > 1 && i + 1 == sizeof sizes / sizeof *sizes && kind % 3 != 0)
                    continue; // the largest takes long
                lc_topology t;
                const int64_t w = sizes[i][0], h = kind == SURFACE_SPHERE ? w : sizes[i][1];
                if (!topology_of(kind, w, h, &d, &t))
                    continue;
                const lc_rule *rule = rule_at(i % 2 == 0 ? 0 : (size_t)dice_below(&d, 16), 1);
                lc_universe *universe = audited(info.name, rule, t, 1 + (uint64_t)(i % 2) * 30);
                soup(universe, w, h);
                test_step(universe, 130);
                assert_true(universe->audits > 1);
                lc_universe_destroy(&universe);
            }
        }
    }
}

// Unbounded universes: blocks that move, and empty space that comes alive.
static void test_growing_universes_pass(void **state)
{
    (void)state;
    lc_engine_info info;
    const lc_rule *blinking = rule_of("B03/S23");
    const lc_topology tube = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 60};
    FOR_EACH_ENGINE(info)
    {
        for (int i = 0; i < 3; i++) {
            lc_universe *universe =
                audited(info.name, i == 1 ? blinking : LIFE, i == 2 ? tube : infinite_plane, 5);
            soup(universe, 50, 50);
            test_step(universe, 150);
            assert_true(universe->audits > 3);
            lc_universe_destroy(&universe);
        }
    }
}

// An engine that is wrong: after each step one cell is the other way round.
static lc_engine_vtable wrong;
static const lc_engine_vtable *right;
static int64_t wrong_x, wrong_y;

static lc_status step_wrongly(lc_engine *engine, uint64_t generations, uint64_t *done,
                              lc_message *message)
{
    uint64_t word;
    lc_status status = right->step(engine, generations, done, message);
    const int64_t x = wrong_x & ~INT64_C(63);
    const lc_cells cells = lc_row_cells(x, wrong_y, wrong_x - x + 1, &word);
    assert_int_equal(right->read(engine, &cells, NULL), LC_OK);
    word ^= UINT64_C(1) << (wrong_x - x);
    assert_int_equal(right->write(engine, &cells, NULL), LC_OK);
    return status;
}

static void make_wrong(lc_universe *universe, int64_t x, int64_t y)
{
    right = block_of(universe)->vtable;
    wrong = *right;
    wrong.step = step_wrongly;
    wrong_x = x;
    wrong_y = y;
    block_of(universe)->vtable = &wrong;
}

// Every cell of a small board is in every tile: the first audit finds it.
static void test_one_wrong_cell_is_found(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 2);
    FOR_EACH_ENGINE(info)
    {
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            lc_topology t;
            if (!topology_of(kind, 130, 130, &d, &t))
                continue;
            lc_universe *universe = audited(info.name, LIFE, t, 10);
            soup(universe, 130, 130);
            if (kind % 2 == 0) // audits go on beyond 64 bits,
                lc_universe_set_generation(universe, lc_count_of(UINT64_MAX - 5));
            test_step(universe, 20);
            if (kind % 4 == 0) // and where the numbers begin again
                lc_universe_set_generation(universe, lc_count_of(3));
            const lc_count before = lc_universe_generation(universe);
            make_wrong(universe, dice_below(&d, 130), dice_below(&d, 130));
            char place[64], path[] = "/tmp/lightcone-test-XXXXXX";
            snprintf(place, sizeof place, "cell (%" PRId64 ", %" PRId64 ") is", wrong_x, wrong_y);
            lc_message message;
            assert_int_equal(lc_universe_step(universe, lc_count_of(40), NULL, NULL, &message),
                             LC_ERROR_MISMATCH);
            assert_non_null(strstr(message.text, place));
            const lc_count made = lc_count_distance(before, lc_universe_generation(universe));
            assert_true(lc_count_compare(made, lc_count_of(40)) <= 0);
            // It has failed for good, and what there is of it is not written anywhere.
            assert_int_equal(lc_universe_failure(universe, &message), LC_ERROR_MISMATCH);
            assert_non_null(strstr(message.text, place));
            assert_int_equal(lc_universe_step(universe, lc_count_of(1), NULL, NULL, &message),
                             LC_ERROR_MISMATCH);
            const int file = mkstemp(path);
            assert_true(file >= 0);
            assert_int_equal(lc_universe_checkpoint(universe, path, &message), LC_ERROR_MISMATCH);
            assert_int_equal(lc_universe_save(universe, path, LC_FORMAT_RLE, &message),
                             LC_ERROR_MISMATCH);
            struct stat facts;
            assert_int_equal(fstat(file, &facts), 0);
            assert_int_equal(facts.st_size, 0);
            close(file);
            unlink(path);
            block_of(universe)->vtable = right;
            lc_universe_destroy(&universe);
        }
    }
}

// On a large board audits get there after a while, at the corners soonest.
static void test_a_wrong_corner_is_found(void **state)
{
    (void)state;
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 2000, .height_cells = 1500};
    lc_universe *universe = audited("simd", LIFE, t, 1);
    soup(universe, 2000, 1500);
    make_wrong(universe, 1999, 0);
    lc_message message;
    assert_int_equal(lc_universe_step(universe, lc_count_of(32 * 200), NULL, NULL, &message),
                     LC_ERROR_MISMATCH);
    assert_non_null(strstr(message.text, "(1999, 0)"));
    block_of(universe)->vtable = right;
    lc_universe_destroy(&universe);
}

// Density views ------------------------------------------------------------------------------

static void check_density(const lc_universe *universe, int64_t x, int64_t y, int64_t side,
                          int64_t width, int64_t height)
{
    uint32_t *counts = malloc((size_t)(width * height) * sizeof *counts);
    uint64_t *row = malloc((size_t)(width * side + 63) / 64 * sizeof *row);
    uint32_t *sums = calloc((size_t)(width * height), sizeof *sums);
    assert_true(counts != NULL && row != NULL && sums != NULL);
    lc_message message = {0};
    if (lc_universe_counts(universe, x, y, side, width, height, counts, &message) != LC_OK)
        fail_msg("%s", message.text);
    for (int64_t j = 0; j < height * side; j++) {
        assert_int_equal(test_read_row(universe, x, y + j, width * side, row), LC_OK);
        for (int64_t i = 0; i < width * side; i++)
            sums[j / side * width + i / side] += (uint32_t)(row[i / 64] >> (i % 64) & 1);
    }
    assert_memory_equal(counts, sums, (size_t)(width * height) * sizeof *counts);
    test_picture(universe, x, y, side, width, height, sums);
    free(counts);
    free(row);
    free(sums);
}

static void test_density(void **state)
{
    (void)state;
    lc_engine_info info;
    const lc_rule *blinking = rule_of("B03/S23");
    const lc_topology shapes[] = {
        infinite_plane,
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 333, .height_cells = 77},
        {.kind = LC_TOPOLOGY_TORUS, .height_cells = 50},
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = 40000, .height_cells = 5},
    };
    dice d = dice_from(test_seed(), 3);
    FOR_EACH_ENGINE(info)
    {
        for (size_t i = 0; i < 2 * sizeof shapes / sizeof *shapes; i++) {
            const lc_topology *t = &shapes[i / 2];
            lc_universe *universe = test_create(info.name, i % 2 ? blinking : LIFE, *t, 0);
            const int64_t width = t->width_cells ? t->width_cells : 200;
            soup(universe, width, t->height_cells ? t->height_cells : 60);
            for (int n = 0; n < 8; n++) {
                test_step(universe, (uint64_t)(n % 3)); // with and without a live background
                const int64_t side = (int64_t)1 << dice_below(&d, 8);
                check_density(universe, dice_below(&d, 300) - 150, dice_below(&d, 100) - 50, side,
                              1 + dice_below(&d, width / side + 3), 1 + dice_below(&d, 5));
            }
            lc_universe_destroy(&universe);
        }
    }
}

// What an engine counts itself is what the universe would count from its rows, which the test above
// looks at cell by cell: all sides, with and without steps (which leave other things right of the
// board), places on words and beside them, views larger than the board, far away from it, inside.
// The pictures show the same counts.
static void compare_view(lc_universe *universe, int64_t x, int64_t y, int64_t side, int64_t width,
                         int64_t height)
{
    uint32_t *counts = malloc((size_t)(2 * width * height) * sizeof *counts);
    assert_non_null(counts);
    memset(counts, 0xA5, (size_t)(2 * width * height) * sizeof *counts);
    lc_engine_vtable without = *block_of(universe)->vtable;
    const lc_engine_vtable *with = block_of(universe)->vtable;
    without.view = NULL;
    lc_message message = {0};
    lc_status status = lc_universe_counts(universe, x, y, side, width, height, counts, &message);
    block_of(universe)->vtable = &without;
    if (status == LC_OK)
        status = lc_universe_counts(universe, x, y, side, width, height, counts + width * height,
                                    &message);
    block_of(universe)->vtable = with;
    if (status != LC_OK)
        fail_msg("%s", message.text);
    if (memcmp(counts, counts + width * height, (size_t)(width * height) * sizeof *counts))
        fail_msg("a board of %" PRId64 " x %" PRId64 ", %" PRId64 " x %" PRId64
                 " squares of %" PRId64 " at (%" PRId64 ", %" PRId64 "), seed %" PRIu64,
                 block_of(universe)->config.topology.width_cells,
                 block_of(universe)->config.topology.height_cells, width, height, side, x, y,
                 test_seed());
    test_picture(universe, x, y, side, width, height, counts);
    block_of(universe)->vtable = &without;
    test_picture(universe, x, y, side, width, height, counts);
    block_of(universe)->vtable = with;
    free(counts);
}

static void compare_density(lc_universe *universe, dice *d)
{
    const int64_t board_width = block_of(universe)->config.topology.width_cells;
    const int64_t board_height = block_of(universe)->config.topology.height_cells;
    for (int log2_side = 0; log2_side <= 15; log2_side++) {
        const int64_t side = (int64_t)1 << log2_side;
        int64_t x = block_of(universe)->x - side / 2 + dice_below(d, board_width + side);
        const int64_t y = block_of(universe)->y - side / 2 + dice_below(d, board_height + side);
        if (dice_below(d, 2) == 0)
            x = dice_below(d, 2) == 0 ? block_of(universe)->x : x & ~INT64_C(63);
        const int64_t width = 1 + dice_below(d, 3 + 3 * board_width / (2 * side));
        const int64_t height = 1 + dice_below(d, 3 + 3 * board_height / (2 * side));
        compare_view(universe, x, y, side, width, height);
    }
}

static void test_density_of_engines(void **state)
{
    (void)state;
    static const int64_t widths[] = {1, 63, 64, 65, 130, 500, 512, 8191, 8192, 8300, 20011};
    static const int64_t heights[] = {1, 15, 16, 17, 64, 65, 150};
    dice d = dice_from(test_seed(), 4);
    lc_cpu_level_info level;
    for (size_t l = 0; lc_cpu_level_at(l, &level); l++) {
        if (!level.available || !test_wants_engine("simd"))
            continue;
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            const int64_t w = widths[i], h = heights[dice_below(&d, 7)];
            for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
                lc_universe_options options = {.struct_bytes = sizeof options,
                                               .context = test_context(),
                                               .rule = LIFE,
                                               .engine = "simd",
                                               .cpu_level = level.name,
                                               .threads = 3};
                lc_universe *universe;
                if ((kind % 4 != (surface)(i % 4) && !test_full()) ||
                    !topology_of(kind, w, h, &d, &options.topology))
                    continue;
                assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
                soup(universe, w, h);
                compare_density(universe, &d);
                test_step(universe, (uint64_t)dice_below(&d, 40));
                compare_density(universe, &d);
                lc_universe_destroy(&universe);
            }
        }
    }
    // Views of more squares than bytes are made of at a time.
    static const struct {
        int64_t x, y, side, width, height;
    } many[] = {{-3, -5, 1, 700, 400},     {0, 0, 2, 65536, 3},       {-1, 0, 64, 300, 100},
                {1, -700, 64, 9001, 3},    {-640, -320, 64, 150, 99}, {7, 9, 128, 8193, 2},
                {-700, -130, 256, 90, 180}};
    for (size_t i = 0; i < sizeof many / sizeof *many && test_wants_engine("simd"); i++) {
        const lc_topology plane = {
            .kind = LC_TOPOLOGY_PLANE, .width_cells = 9000, .height_cells = 300};
        lc_universe *universe = test_create("simd", LIFE, plane, 0);
        soup(universe, 9000, 300);
        compare_view(universe, many[i].x, many[i].y, many[i].side, many[i].width, many[i].height);
        lc_universe_destroy(&universe);
    }
    // The same of all engines, on planes without edges and full of life.
    lc_engine_info info;
    const lc_rule *all_alive = rule_of("B012345678/S012345678");
    FOR_EACH_ENGINE(info)
    {
        for (int full = 0; full < 2; full++) {
            const lc_topology torus = {
                .kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 200};
            lc_universe *universe = full ? test_create(info.name, all_alive, torus, 0)
                                         : test_create(info.name, LIFE, infinite_plane, 0);
            soup(universe, 300, 200);
            test_step(universe, 1);
            if (block_of(universe)->vtable->plane != NULL) // the library does not count its rows
                check_density(universe, dice_below(&d, 99) - 50, dice_below(&d, 99) - 50,
                              (int64_t)1 << dice_below(&d, 8), 1 + dice_below(&d, 9), 3);
            else
                compare_density(universe, &d);
            lc_universe_destroy(&universe);
        }
    }
}

static void test_density_limits(void **state)
{
    (void)state;
    static const struct {
        int64_t x, y, side, width, height;
    } bad[] = {
        {0, 0, 0, 1, 1},         {0, 0, 3, 1, 1},         {0, 0, 65536, 1, 1},
        {0, 0, -1, 1, 1},        {0, 0, 1, 0, 1},         {0, 0, 1, 1, 0},
        {0, 0, 1, 65537, 1},     {0, 0, 1, 1, 65537},     {INT64_MIN, 0, 1, 1, 1},
        {INT64_MAX, 0, 1, 1, 1}, {0, INT64_MAX, 1, 1, 1}, {0, 0, 1, INT64_MIN, 1},
    };
    lc_universe *universe = test_create("simd", LIFE, infinite_plane, 0);
    uint32_t count = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lc_universe_counts(universe, bad[i].x, bad[i].y, bad[i].side, bad[i].width,
                                            bad[i].height, &count, NULL),
                         LC_ERROR_ARGUMENT);
    uint8_t tone = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lc_universe_picture(universe, bad[i].x, bad[i].y, bad[i].side,
                                             bad[i].width, bad[i].height, &tone, NULL),
                         LC_ERROR_ARGUMENT);
    assert_true(count == 77 && tone == 77);
    assert_int_equal(lc_universe_counts(universe, INT64_C(1) << 61, 0, 32768, 1, 1, &count, NULL),
                     LC_OK);
    assert_int_equal(count, 0);
    test_picture(universe, INT64_C(1) << 61, 0, 32768, 1, 1, &count);
    lc_universe_destroy(&universe);
    // Without counts of the engine's own a picture needs memory.
    universe = test_create("scalar", LIFE, infinite_plane, 0);
    lc_message message = {0};
    lc_fail_allocation(1);
    assert_int_equal(lc_universe_picture(universe, 0, 0, 4, 1, 1, &tone, &message),
                     LC_ERROR_MEMORY);
    assert_non_null(strstr(message.text, "picture"));
    lc_fail_allocation(0);
    test_picture(universe, 0, 0, 4, 1, 1, &count);
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_engines_pass),
        cmocka_unit_test(test_growing_universes_pass),
        cmocka_unit_test(test_one_wrong_cell_is_found),
        cmocka_unit_test(test_a_wrong_corner_is_found),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_density_of_engines),
        cmocka_unit_test(test_density_limits),
    };
    return cmocka_run_group_tests_name("audit", tests, NULL, NULL);
}
