// Cells coming in and out of universes one by one, in rows, as soups and as patterns; and what is
// refused.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

// Cells and rows -------------------------------------------------------------------------------

static void test_cells_one_by_one(void **state)
{
    (void)state;
    enum { SIDE = 300 };
    static bool alive[SIDE][SIDE];
    const lc_topology shapes[] = {
        infinite_plane,
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = SIDE, .height_cells = SIDE},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = SIDE},
        {.kind = LC_TOPOLOGY_TORUS, .height_cells = SIDE}};
    lc_engine_info info;
    dice d = dice_from(test_seed(), 7);
    FOR_EACH_ENGINE(info)
    {
        for (int shape = 0; shape < 4; shape++) {
            lc_universe *universe = test_create(info.name, LIFE, shapes[shape], 0);
            const int64_t left = shapes[shape].width_cells ? 0 : -117;
            const int64_t top = shapes[shape].height_cells ? 0 : -91;
            lc_message message;
            memset(alive, 0, sizeof alive);
            for (int i = 0; i < 3000; i++) {
                int64_t x = dice_below(&d, SIDE), y = dice_below(&d, SIDE);
                alive[y][x] = dice_below(&d, 3) != 0;
                assert_int_equal(
                    lc_universe_set(universe, left + x, top + y, alive[y][x], &message), LC_OK);
            }
            for (int i = 0; i < 3000; i++) {
                int64_t x = dice_below(&d, SIDE), y = dice_below(&d, SIDE);
                assert_true(test_get(universe, left + x, top + y) == alive[y][x]);
            }
            for (int i = 0; i < 300; i++) { // windows that stand out on both sides
                int64_t x = dice_below(&d, 2 * SIDE) - SIDE / 2;
                int64_t y = dice_below(&d, 2 * SIDE) - SIDE / 2, width = dice_below(&d, 500);
                uint64_t words[9];
                memset(words, 0xa5, sizeof words);
                assert_int_equal(test_read_row(universe, left + x, top + y, width, words), LC_OK);
                for (int64_t j = 0; j < (width + 63) / 64 * 64; j++) {
                    bool expected = j < width && y >= 0 && y < SIDE && x + j >= 0 && x + j < SIDE &&
                                    alive[y][x + j];
                    assert_true((words[j / 64] >> (j % 64) & 1) == expected);
                }
                assert_int_equal(words[(width + 63) / 64], 0xa5a5a5a5a5a5a5a5u);
            }
            uint64_t word;
            assert_int_equal(test_read_row(universe, INT64_MAX - 3, 0, 60, &word),
                             LC_ERROR_ARGUMENT);
            assert_int_equal(test_read_row(universe, 0, 0, -1, &word), LC_ERROR_ARGUMENT);
            assert_false(test_get(universe, INT64_MAX, INT64_MIN));
            lc_universe_destroy(&universe);
        }
        lc_universe *universe = test_create(info.name, LIFE, shapes[1], 0);
        const int64_t outside[][2] = {{-1, 0}, {0, -1}, {SIDE, 0}, {0, SIDE}};
        for (int i = 0; i < 4; i++) {
            lc_message message;
            assert_int_equal(
                lc_universe_set(universe, outside[i][0], outside[i][1], true, &message),
                LC_ERROR_ARGUMENT);
            assert_false(test_get(universe, outside[i][0], outside[i][1]));
        }
        assert_int_equal(test_population(universe), 0);
        lc_universe_destroy(&universe);
    }
}

// A soup is the same wherever and in whatever pieces it is made, and it replaces what was there.
static void test_soups(void **state)
{
    (void)state;
    const lc_topology shapes[] = {
        infinite_plane, {.kind = LC_TOPOLOGY_TORUS, .width_cells = 517, .height_cells = 301}};
    lc_engine_info info;
    dice d = dice_from(test_seed(), 8);
    uint64_t hash = 0;
    FOR_EACH_ENGINE(info)
    {
        for (int shape = 0; shape < 2; shape++) {
            lc_universe *universe = test_create(info.name, LIFE, shapes[shape], 0);
            lc_message message;
            assert_int_equal(lc_universe_soup(universe, 0, 0, 517, 301, 1, 1, &message), LC_OK);
            assert_int_equal(test_population(universe), 517 * 301);
            for (int i = 0; i < 50; i++) {
                int64_t x = dice_below(&d, 517), y = dice_below(&d, 301);
                assert_int_equal(lc_universe_soup(universe, x, y, dice_below(&d, 518 - x),
                                                  dice_below(&d, 302 - y), 0.3, 99, &message),
                                 LC_OK);
            }
            assert_int_equal(lc_universe_soup(universe, 0, 0, 200, 301, 0.3, 99, &message), LC_OK);
            assert_int_equal(lc_universe_soup(universe, 200, 0, 317, 301, 0.3, 99, &message),
                             LC_OK);
            if (hash == 0)
                hash = test_hash(universe);
            assert_int_equal(test_hash(universe), hash);
            assert_int_equal(lc_universe_soup(universe, 0, 0, 517, 301, 0, 1, &message), LC_OK);
            assert_int_equal(test_population(universe), 0);
            assert_int_equal(lc_universe_soup(universe, 0, 0, 5, 5, 1.01, 1, &message),
                             LC_ERROR_ARGUMENT);
            assert_int_equal(lc_universe_soup(universe, 0, 0, 5, 5, (double)NAN, 1, &message),
                             LC_ERROR_ARGUMENT);
            assert_int_equal(lc_universe_soup(universe, 0, 0, -5, 5, 0.5, 1, &message),
                             LC_ERROR_ARGUMENT);
            assert_int_equal(lc_universe_soup(universe, 0, INT64_MAX, 5, 5, 0.5, 1, &message),
                             LC_ERROR_ARGUMENT);
            if (shape == 1)
                assert_int_equal(lc_universe_soup(universe, 1, 0, 517, 5, 0.5, 1, &message),
                                 LC_ERROR_ARGUMENT);
            else
                assert_int_equal(lc_universe_soup(universe, 0, 0, INT64_C(1) << 60,
                                                  INT64_C(1) << 60, 0.5, 1, &message),
                                 LC_ERROR_LIMIT);
            lc_universe_destroy(&universe);
        }
    }
}

// Patterns -------------------------------------------------------------------------------------

static void test_patterns_that_do_not_fit(void **state)
{
    (void)state;
    const lc_topology box = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 10, .height_cells = 6};
    const struct {
        const char *text;
        lc_status bounded, block, tiles; // unbounded: in one block, or in tiles where life is
    } cases[] = {
        {"x = 11, y = 1\n11o!\n", LC_ERROR_FORMAT, LC_OK, LC_OK},
        {"x = 11, y = 1\nob10o!\n", LC_ERROR_FORMAT, LC_OK, LC_OK},
        {"x = 12, y = 9\n10o2b$12b3$12b!\n", LC_OK, LC_OK, LC_OK}, // only dead cells are outside
        {"x = 1, y = 8\no7$o!\n", LC_ERROR_FORMAT, LC_OK, LC_OK},
        {"x = 1, y = 1\no99999999999o!\n", LC_ERROR_FORMAT, LC_ERROR_LIMIT, LC_ERROR_LIMIT},
        {"x = 1, y = 1\no999999999999999999o!\n", LC_ERROR_FORMAT, LC_ERROR_LIMIT, LC_ERROR_LIMIT},
        {"x = 1, y = 1\no999999999999$o!\n", LC_ERROR_FORMAT, LC_ERROR_LIMIT, LC_OK},
        {"x = 9000000000000000000, y = 9000000000000000000\no!\n", LC_OK, LC_OK, LC_OK},
        {"#Life 1.06\n0 0\n-1 0\n", LC_ERROR_FORMAT, LC_OK, LC_OK},
        {"#Life 1.06\n0 0\n4000000000000000000 0\n", LC_ERROR_FORMAT, LC_ERROR_LIMIT, LC_OK},
        {"#Life 1.06\n0 0\n0 4611686018427387905\n", LC_ERROR_FORMAT, LC_ERROR_LIMIT,
         LC_ERROR_LIMIT},
        {"#Life 1.06\n0 0\n0 -9223372036854775807\n", LC_ERROR_FORMAT, LC_ERROR_LIMIT,
         LC_ERROR_LIMIT},
    };
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            for (int unbounded = 0; unbounded < 2; unbounded++) {
                lc_universe *universe = test_create(
                    info.name, LIFE, unbounded ? infinite_plane : box, (uint64_t)64 << 20);
                lc_message message = {0};
                lc_status status = test_load(universe, cases[i].text, 0, 0, &message);
                const bool tiles = strcmp(info.name, "sparse") == 0;
                const lc_status wanted = !unbounded ? cases[i].bounded
                                         : tiles    ? cases[i].tiles
                                                    : cases[i].block;
                // The reader itself may refuse what is beyond all coordinates.
                if (status != wanted && !(wanted == LC_ERROR_LIMIT && status == LC_ERROR_FORMAT))
                    fail_msg("%s: case %zu, unbounded %d: %s: %s", info.name, i, unbounded,
                             lc_status_name(status), message.text);
                if (status != LC_OK) {
                    assert_true(message.text[0] != '\0');
                    if (cases[i].text[0] == 'x' && cases[i].text[4] == '1' &&
                        cases[i].text[5] == ',')
                        assert_true(test_get(universe, 0, 0)); // what was inside stays
                }
                assert_true(lc_universe_info_of(universe).memory_bytes <= (uint64_t)64 << 20);
                lc_universe_destroy(&universe);
            }
    }
}

static void test_loading_adds(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        lc_universe *universe = test_create(info.name, LIFE, infinite_plane, 0);
        lc_message message;
        const char *text = "#CXRLE Pos=-7,9 Gen=1234\nx = 200, y = 2, rule = B3/S23\n"
                           "3o194b3o$200o!\n";
        assert_int_equal(test_load(universe, text, 0, 0, &message), LC_OK);
        assert_int_equal(test_population(universe), 206);
        assert_int_equal(test_generation(universe), 1234);
        assert_int_equal(test_load(universe, text, -77, 1, &message), LC_OK); // row 1 twice in part
        assert_int_equal(test_population(universe), 206 + 3 + 200);
        lc_box box = test_box(universe);
        assert_true(box.x == -77 && box.y == 0 && box.width_cells == 277 && box.height_cells == 3);
        lc_universe_destroy(&universe);
    }
}

// Golly counts from the middle of a bounded grid; we from its corner. Saved and read again, a
// pattern is where it was, and Golly sees it in the same place.
static void test_place_save_and_load_again(void **state)
{
    (void)state;
    const lc_topology shapes[] = {
        infinite_plane,
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 41, .height_cells = 30},
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = 40, .height_cells = 33},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 37},
        {.kind = LC_TOPOLOGY_PLANE, .height_cells = 52},
        {.kind = LC_TOPOLOGY_SPHERE, .width_cells = 45, .height_cells = 45}};
    const lc_format formats[] = {LC_FORMAT_RLE, LC_FORMAT_LIFE_105, LC_FORMAT_LIFE_106};
    char path[] = "/tmp/lightcone-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        for (int shape = 0; shape < 6; shape++)
            for (int format = 0; format < 3; format++) {
                lc_universe *universe = test_create(info.name, LIFE, shapes[shape], 0);
                lc_message message = {0};
                assert_int_equal(lc_universe_soup(universe, 3, 4, 25, 22, 0.5, 5, &message), LC_OK);
                lc_universe_set_generation(universe, lc_count_of(77));
                if (lc_universe_save(universe, path, formats[format], &message) != LC_OK)
                    fail_msg("save: %s", message.text);
                lc_pattern *pattern = NULL;
                assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
                const lc_pattern_header *header = lc_pattern_get_header(pattern);
                assert_true(header->has_position);
                lc_universe *again = test_create(info.name, LIFE, shapes[shape], 0);
                int64_t x, y;
                lc_universe_place(again, header, &x, &y);
                if (formats[format] == LC_FORMAT_RLE) {
                    assert_int_equal(header->topology.width_cells, shapes[shape].width_cells);
                    assert_true(lc_count_compare(header->generation, lc_count_of(77)) == 0);
                    if (shapes[shape].width_cells != 0)
                        assert_int_equal(header->x, -(shapes[shape].width_cells / 2));
                }
                if (lc_universe_load(again, pattern, x, y, &message) != LC_OK)
                    fail_msg("load: %s", message.text);
                lc_pattern_close(&pattern);
                assert_int_equal(test_hash(again), test_hash(universe));
                lc_universe_destroy(&universe);
                lc_universe_destroy(&again);
            }
        // Without a position, as in Golly: the top left cell is (0, 0) on the infinite plane; else
        // middle on middle, and that of an unbounded direction is 0.
        const lc_pattern_header header = {.width_cells = 12, .height_cells = 7};
        const int64_t places[][2] = {{0, 0},          {20 - 6, 15 - 3}, {20 - 6, 16 - 3},
                                     {18 - 6, 0 - 3}, {0 - 6, 26 - 3},  {22 - 6, 22 - 3}};
        for (int shape = 0; shape < 6; shape++) {
            lc_universe *universe = test_create(info.name, LIFE, shapes[shape], 0);
            int64_t x, y;
            lc_universe_place(universe, &header, &x, &y);
            assert_int_equal(x, places[shape][0]);
            assert_int_equal(y, places[shape][1]);
            lc_universe_destroy(&universe);
        }

        lc_universe *universe = test_create(info.name, LIFE, infinite_plane, 0); // nothing at all
        lc_message message = {0};
        if (lc_universe_save(universe, path, LC_FORMAT_RLE, &message) != LC_OK)
            fail_msg("save: %s", message.text);
        lc_universe_destroy(&universe);
    }
    unlink(path);
}

// What the file's cells do not fit begins in the corner, as in Golly; and a file that says no size.
static void test_place_what_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t x, y;
    } list[] = {
        {"x = 12, y = 3, rule = B3/S23:T12,10\no!", 0, 5 - 1},
        {"x = 13, y = 3, rule = B3/S23:T12,10\no!", 0, 0},
        {"x = 3, y = 11, rule = B3/S23:P12,10\no!", 0, 0},
        {"x = 13, y = 3, rule = B3/S23:P0,10\no!", -6, 5 - 1},
        {"x = 13, y = 11, rule = B3/S23:P0,10\no!", 0, 0},
        {"x = 0, y = 0, rule = B3/S23:T12,10\no!", 0, 0},
        {"x = 99, y = 99, rule = B3/S23\no!", 0, 0},
        {"#CXRLE Pos=1,2\nx = 99, y = 99, rule = B3/S23:T12,10\no!", 6 + 1, 5 + 2},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        lc_pattern *pattern;
        lc_message message;
        int64_t x, y;
        assert_int_equal(
            lc_pattern_open_memory(&pattern, list[i].text, strlen(list[i].text), &message), LC_OK);
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        lc_pattern_place(header, &header->topology, &x, &y);
        assert_int_equal(x, list[i].x);
        assert_int_equal(y, list[i].y);
        lc_pattern_close(&pattern);
    }
    // Plaintext names no size and no rule: its first cell is in the middle.
    const lc_topology board = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 12, .height_cells = 10};
    const lc_pattern_header header = {.format = LC_FORMAT_CELLS};
    int64_t x, y;
    lc_pattern_place(&header, &board, &x, &y);
    assert_int_equal(x, 6);
    assert_int_equal(y, 5);
}

static void load_text(lc_universe *universe, const char *text, int64_t x, int64_t y)
{
    lc_pattern *pattern;
    lc_message message = {0};
    assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), &message), LC_OK);
    if (lc_universe_load(universe, pattern, x, y, &message) != LC_OK)
        fail_msg("%s", message.text);
    lc_pattern_close(&pattern);
}

// With B0 and without S8 the background is alive in odd generations, those of files too, and the
// cells of such a file are the dead ones.
static void test_phase_of_generation(void **state)
{
    (void)state;
    const lc_rule *const rules[] = {rule_of("B0/S"), rule_of("B03/S23")};
    const lc_topology shapes[] = {infinite_plane, {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64}};
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        for (int i = 0; i < 4; i++) {
            lc_universe *run = test_create(info.name, rules[i % 2], shapes[i / 2], 0);
            lc_universe *loaded = test_create(info.name, rules[i % 2], shapes[i / 2], 0);
            load_text(run, "#CXRLE Gen=8\nx = 7, y = 3\nbo3bo$3o2bo$b2obo!", 9, 9);
            assert_false(lc_universe_background(run));
            assert_int_equal(test_population(run), 9);
            assert_int_equal(lc_universe_step(run, lc_count_of(1), NULL, NULL, NULL), LC_OK);
            assert_true(lc_universe_background(run));
            char text[128] = "#CXRLE Gen=9\nx = 9, y = 5\n"; // of the cells that are dead now
            for (int y = 8; y < 13; y++) {                   // one generation from where they were
                for (int x = 8; x < 17; x++)
                    strcat(text, test_get(run, x, y) ? "b" : "o");
                strcat(text, "$");
            }
            load_text(loaded, text, 8, 8);
            assert_true(lc_universe_background(loaded));
            assert_true(test_get(loaded, 1, 1));
            assert_int_equal(test_generation(loaded), 9);
            for (int step = 0; step < 5; step++) {
                assert_int_equal(test_hash(loaded), test_hash(run));
                assert_int_equal(lc_universe_background(loaded), step % 2 == 0);
                assert_int_equal(lc_universe_step(run, lc_count_of(1), NULL, NULL, NULL), LC_OK);
                assert_int_equal(lc_universe_step(loaded, lc_count_of(1), NULL, NULL, NULL), LC_OK);
            }
            lc_universe_destroy(&run);
            lc_universe_destroy(&loaded);
        }
        // S8 as well: the background is dead at the start, whatever generation that is. And in a
        // bounded universe there is no background.
        lc_universe *other = test_create(info.name, rule_of("B0/S8"), infinite_plane, 0);
        load_text(other, "#CXRLE Gen=9\nx = 1, y = 1\no!", 0, 0);
        assert_false(lc_universe_background(other));
        assert_int_equal(test_population(other), 1);
        lc_universe_destroy(&other);
        const lc_topology board = {
            .kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 16};
        other = test_create(info.name, rule_of("B0/S"), board, 0);
        load_text(other, "#CXRLE Gen=9\nx = 1, y = 1\no!", 0, 0);
        assert_false(lc_universe_background(other));
        assert_int_equal(test_population(other), 1);
        lc_universe_destroy(&other);
    }
}

// Setting the generation changes nothing else. A file that says an odd one would then be read as
// the opposite of what there is, so none is written.
static void test_phase_of_a_generation_that_is_set(void **state)
{
    (void)state;
    const lc_rule *rule = rule_of("B03/S23");
    const lc_topology tube = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64};
    lc_message message;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    for (int shape = 0; shape < 2; shape++) {
        lc_universe *u = test_create(info.name, rule, shape == 0 ? infinite_plane : tube, 0);
        test_set(u, 3, 4);
        const uint64_t hash = test_hash(u);
        for (uint64_t generation = 0; generation < 4; generation++) {
            const lc_status status = generation % 2 == 0 ? LC_OK : LC_ERROR_UNSUPPORTED;
            lc_universe_set_generation(u, lc_count_of(generation));
            assert_false(lc_universe_background(u));
            assert_int_equal(test_hash(u), hash);
            assert_int_equal(lc_universe_save(u, "/dev/null", LC_FORMAT_RLE, &message), status);
            assert_true(status == LC_OK || strstr(message.text, "infinity are dead at generation"));
            assert_int_equal(
                lc_universe_check_save(u, lc_count_of(0), "x", LC_FORMAT_RLE, &message), status);
            assert_int_equal(
                lc_universe_check_save(u, lc_count_of(1), "x", LC_FORMAT_RLE, &message),
                LC_ERROR_UNSUPPORTED);
            assert_int_equal(
                lc_universe_check_save(u, lc_count_of(1), "x.lcs", LC_FORMAT_AUTO, &message),
                LC_OK);
        }
        lc_universe_destroy(&u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_one_by_one),
        cmocka_unit_test(test_soups),
        cmocka_unit_test(test_patterns_that_do_not_fit),
        cmocka_unit_test(test_loading_adds),
        cmocka_unit_test(test_place_save_and_load_again),
        cmocka_unit_test(test_place_what_does_not_fit),
        cmocka_unit_test(test_phase_of_generation),
        cmocka_unit_test(test_phase_of_a_generation_that_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
