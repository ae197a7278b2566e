// Maps, rules of any table of 512 neighbourhoods, stepped by every engine that does: against the
// oracle over whole boards of all surfaces whose motions the map does not notice, and in the
// unbounded plane, with and without birth from nothing. And what cannot step or write them says so.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "level/level.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"
#include "support_map.h"
#include "support_universe.h"

// Boards ---------------------------------------------------------------------------------------

static void universe_row(const void *context, int64_t y, int64_t width, uint64_t *words)
{
    assert_int_equal(test_read_row(context, 0, y, width, words), LC_OK);
}

static void check_board(const char *engine, const char *level, const lc_rule *rule,
                        const lc_topology *t, fill kind, uint64_t seed)
{
    const int64_t w = t->width_cells, h = t->height_cells;
    oracle *board = oracle_create(w, h, oracle_rule_of(rule), t);
    fill_board(board, kind, seed);
    // The audits step a window of the unfolded surface, where the rule must do the same.
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = *t,
                                         .engine = engine,
                                         .cpu_level = level,
                                         .threads = 1 + (int)(seed % 3),
                                         .audit_generations = 1,
                                         .every_generation = seed % 2 != 0};
    lc_universe *universe;
    lc_message why = {0};
    if (lc_universe_create(&universe, &options, &why) != LC_OK)
        fail_msg("%s", why.text);
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++)
            if (oracle_row(board, y)[x] != 0)
                test_set(universe, x, y);
    scene where = {.engine = engine,
                   .level = level != NULL ? level : "",
                   .threads = options.threads,
                   .seed = test_seed(),
                   .width = w,
                   .height = h,
                   .topology = *t,
                   .rule = rule,
                   .fill = fill_name(kind)};
    const uint64_t stride = 1 + seed / 3 % 4;
    for (where.generation = 0; where.generation < 13 * stride; where.generation += stride) {
        snapshot expected = snapshot_take(board, where.generation);
        assert_true(snapshot_equals(&expected, universe_row, universe, &where));
        assert_int_equal(test_population(universe), expected.population);
        snapshot_free(&expected);
        oracle_step(board, stride);
        test_step(universe, stride);
    }
    lc_universe_destroy(&universe);
    oracle_destroy(board);
}

static size_t check_boards(const char *engine, const char *level, size_t stream)
{
    static const int64_t sizes[][2] = {{1, 1},  {2, 1},   {1, 3},    {2, 2},   {3, 3},   {4, 7},
                                       {8, 8},  {9, 6},   {13, 13},  {64, 5},  {65, 65}, {130, 66},
                                       {3, 40}, {17, 90}, {300, 20}, {700, 40}};
    dice d = dice_from(test_seed(), stream);
    size_t boards = 0;
    for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            for (size_t group = 0; group < TEST_GROUPS; group++) {
                lc_topology t;
                const lc_rule *rule = test_map(group, dice_below(&d, 2) != 0, dice_word(&d));
                if (!topology_of(kind, sizes[i][0], sizes[i][1], &d, &t) ||
                    lc_rule_check_topology(rule, &t, NULL) != LC_OK ||
                    (i > 8 && group % 3 != i % 3 && !test_full()))
                    continue;
                const fill how = (fill)dice_below(&d, FILL_COUNT);
                const uint64_t seed = dice_word(&d);
                if (boards++ % (size_t)test_share() == 0)
                    check_board(engine, level, rule, &t, how, seed);
            }
        }
    }
    return boards;
}

static void test_boards(void **state)
{
    (void)state;
    assert_true(check_boards("scalar", NULL, 1) > 400);
}

static void test_boards_simd(void **state)
{
    (void)state;
    static const char *const levels[] = {"portable", "avx2", "avx512", "neon"};
    size_t found = 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (lc_level_find(levels[i], NULL) == NULL)
            continue;
        assert_true(check_boards("simd", levels[i], 10 + i) > 400);
        found++;
    }
    assert_true(found > 0);
}

static void test_boards_sparse(void **state)
{
    (void)state;
    assert_true(check_boards("sparse", NULL, 3) > 400);
}

// The sides that hashlife takes.
static void test_boards_hashlife(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 4);
    for (size_t i = 0; i < 4 * TEST_GROUPS; i++) {
        const lc_topology t = {.kind = LC_TOPOLOGY_TORUS,
                               .width_cells = 64 << dice_below(&d, 2),
                               .height_cells = 64 << dice_below(&d, 2)};
        const lc_rule *rule = test_map(i % TEST_GROUPS, false, dice_word(&d));
        check_board("hashlife", NULL, rule, &t, (fill)dice_below(&d, FILL_COUNT), dice_word(&d));
    }
}

// The unbounded plane --------------------------------------------------------------------------

enum { PATCH = 8 }; // cells a side

typedef struct patch {
    int64_t x, y;
    bool cells[PATCH][PATCH];
} patch;

static bool patch_cell(void *context, int64_t x, int64_t y)
{
    const patch *p = context;
    const int64_t i = x - p->x, j = y - p->y;
    return i >= 0 && j >= 0 && i < PATCH && j < PATCH && p->cells[j][i];
}

static void check_plane(const char *engine, const lc_rule *rule, const lc_topology *t, patch *p,
                        uint64_t generations, uint64_t stride)
{
    lc_universe *universe = test_create(engine, rule, *t, 0);
    for (int64_t j = 0; j < PATCH; j++)
        for (int64_t i = 0; i < PATCH; i++)
            if (p->cells[j][i])
                test_set(universe, p->x + i, p->y + j);
    for (uint64_t left = generations, next; left > 0; left -= next) {
        next = left < stride ? left : stride;
        test_step(universe, next);
    }
    const int64_t beyond = (int64_t)generations + 2, all = PATCH + 2 * beyond;
    const bool free_x = t->width_cells == 0, free_y = t->height_cells == 0;
    const int64_t x0 = free_x ? p->x - beyond : 0, width = free_x ? all : t->width_cells;
    const int64_t y0 = free_y ? p->y - beyond : 0, height = free_y ? all : t->height_cells;
    uint8_t *expected = malloc((size_t)(width * height));
    assert_non_null(expected);
    oracle_window(oracle_rule_of(rule), t, x0, y0, width, height, (int64_t)generations, patch_cell,
                  p, expected);
    uint64_t differ = 0; // from the background
    for (int64_t y = 0; y < height; y++) {
        for (int64_t x = 0; x < width; x++) {
            const bool alive = expected[y * width + x];
            differ += alive != lc_universe_background(universe);
            if (test_get(universe, x0 + x, y0 + y) != alive)
                fail_msg("%s, strides of %" PRIu64 ": cell (%" PRId64 ", %" PRId64
                         ") of generation %" PRIu64 " should be %d (LC_TEST_SEED %" PRIu64 ")",
                         engine, stride, x0 + x, y0 + y, generations, alive, test_seed());
        }
    }
    assert_int_equal(test_population(universe), differ);
    free(expected);
    lc_universe_destroy(&universe);
}

static void test_planes(void **state)
{
    (void)state;
    static const lc_topology shapes[] = {{.kind = LC_TOPOLOGY_PLANE},
                                         {.kind = LC_TOPOLOGY_TORUS, .width_cells = 12},
                                         {.kind = LC_TOPOLOGY_TORUS, .height_cells = 70},
                                         {.kind = LC_TOPOLOGY_PLANE, .height_cells = 9}};
    static const char *const engines[] = {"scalar", "simd", "sparse", "hashlife", "auto"};
    dice d = dice_from(test_seed(), 2);
    size_t backgrounds = 0;
    for (size_t i = 0; i < 5 * 4 * 4 * TEST_GROUPS; i++) {
        const char *engine = engines[i / 160];
        const lc_topology *t = &shapes[i % 4];
        if (strcmp(engine, "hashlife") == 0 && i % 4 != 0)
            continue;
        const bool b0 = i / 4 % 2 != 0;
        const lc_rule *rule = test_map(i / 16 % TEST_GROUPS, b0, dice_word(&d));
        patch p = {.x = t->width_cells != 0 ? 1 : dice_below(&d, 2000) - 1000,
                   .y = t->height_cells != 0 ? 1 : dice_below(&d, 2000) - 1000};
        for (size_t cell = 0; cell < sizeof p.cells; cell++)
            p.cells[cell / PATCH][cell % PATCH] = dice_below(&d, 5) < 2;
        if (lc_rule_check_topology(rule, t, NULL) != LC_OK)
            continue;
        check_plane(engine, rule, t, &p, 1 + (uint64_t)dice_below(&d, 40),
                    1 + (uint64_t)dice_below(&d, 9));
        backgrounds += b0;
    }
    assert_true(backgrounds > 40);
    // Long enough for the block to grow: everything goes one cell up and to the left.
    uint8_t table[64] = {0};
    for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++)
        table[neighbourhood / 8] |= (uint8_t)((neighbourhood & 1) << (7 - neighbourhood % 8));
    const lc_rule *shift = rule_of_map(table);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        lc_universe *universe = test_create(engines[i], shift, infinite_plane, 0);
        test_set(universe, 5, 7);
        test_step(universe, 1000);
        assert_int_equal(test_population(universe), 1);
        assert_true(test_get(universe, -995, -993));
        lc_universe_destroy(&universe);
    }
}

// What becomes of cells among dead ones, and among live ones, is what becomes of the background.
static void test_backgrounds(void **state)
{
    (void)state;
    for (int s8 = 0; s8 < 2; s8++) {
        uint8_t table[64];
        lc_rule_map(test_map(0, true, test_seed()), table);
        table[63] = (uint8_t)((table[63] & 0xfe) | s8);
        lc_universe *universe = test_create("scalar", rule_of_map(table), infinite_plane, 0);
        for (uint64_t n = 1; n < 6; n++) {
            test_step(universe, 1);
            assert_int_equal(lc_universe_background(universe), s8 || n % 2 != 0);
            assert_int_equal(test_population(universe), 0);
        }
        lc_universe_destroy(&universe);
    }
}

// What does not step or write them -------------------------------------------------------------

static void test_engines_refuse(void **state)
{
    (void)state;
    lc_engine_info info;
    lc_universe *universe;
    lc_message why = {0};
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64};
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = test_context(),
                                   .rule = test_map(0, false, 1),
                                   .topology = torus,
                                   .threads = 1};
    for (size_t i = 0; lc_engine_at(test_context(), i, &info); i++) {
        options.engine = info.name;
        if (strcmp(info.name, "cuda") != 0)
            continue;
        assert_int_equal(lc_universe_create(&universe, &options, &why), LC_ERROR_UNSUPPORTED);
        assert_null(universe);
        assert_string_equal(why.text, "the engine \"cuda\" does not step map rules");
    }
    static const char *const automatic[] = {"auto", NULL};
    for (size_t i = 0; i < 2; i++) {
        lc_universe_needs needs;
        options.engine = automatic[i];
        assert_int_equal(lc_universe_check(&options, &needs, &why), LC_OK);
        assert_string_equal(needs.engine, "simd");
    }
}

static void check_not_written(const lc_universe *universe, const char *path, const char *name)
{
    static const char before[] = "what was there before";
    char after[sizeof before], says[80];
    lc_message why = {0};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(before, sizeof before, 1, file);
    fclose(file);
    snprintf(says, sizeof says, "%s files can state outer-totalistic rules only", name);
    assert_int_equal(lc_universe_check_save(universe, lc_count_of(5), path, LC_FORMAT_AUTO, &why),
                     LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(why.text, says));
    why = (lc_message){0};
    assert_int_equal(lc_universe_save(universe, path, LC_FORMAT_AUTO, &why), LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(why.text, says));
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(after, 1, sizeof after, file), sizeof after);
    fclose(file);
    assert_memory_equal(before, after, sizeof before);
    remove(path);
}

static void test_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/test_maps.XXXXXX", path[64];
    static const char *const stating[][2] = {{"a.lif", "Life 1.05"}, {"a.lif.gz", "Life 1.05"}};
    static const char *const silent[] = {"a.cells", "a.life", "a.rle", "a.rle.gz", "a.mc"};
    assert_non_null(mkdtemp(folder));
    lc_universe *universe = test_create("scalar", test_map(0, false, 1), infinite_plane, 0);
    test_set(universe, 0, 0);
    test_set(universe, 2, 0);
    for (size_t i = 0; i < sizeof stating / sizeof stating[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, stating[i][0]);
        check_not_written(universe, path, stating[i][1]);
    }
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        lc_message why = {0};
        lc_pattern *pattern;
        snprintf(path, sizeof path, "%s/%s", folder, silent[i]);
        assert_int_equal(
            lc_universe_check_save(universe, lc_count_of(5), path, LC_FORMAT_AUTO, &why), LC_OK);
        assert_int_equal(lc_universe_save(universe, path, LC_FORMAT_AUTO, &why), LC_OK);
        assert_int_equal(lc_pattern_open(&pattern, path, &why), LC_OK);
        if (i >= 2) // they state it
            assert_true(lc_pattern_get_header(pattern)->rule == lc_universe_rule(universe));
        lc_universe *again = test_create("scalar", lc_universe_rule(universe), infinite_plane, 0);
        assert_int_equal(lc_universe_load(again, pattern, 0, 0, &why), LC_OK);
        assert_int_equal(test_population(again), 2);
        lc_pattern_close(&pattern);
        lc_universe_destroy(&again);
        remove(path);
    }
    // No rule, either.
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .format = LC_FORMAT_CELLS};
    void *data;
    size_t size_bytes;
    assert_int_equal(lc_pattern_write_memory(&data, &size_bytes, 1000, &options, NULL, NULL, NULL),
                     LC_ERROR_ARGUMENT);
    lc_universe_destroy(&universe);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boards),         cmocka_unit_test(test_boards_simd),
        cmocka_unit_test(test_boards_sparse),  cmocka_unit_test(test_boards_hashlife),
        cmocka_unit_test(test_planes),         cmocka_unit_test(test_backgrounds),
        cmocka_unit_test(test_engines_refuse), cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
