// Rules of more than two states, through the public API: Generations and history against the
// oracle, with every engine that steps them, on every surface, cut into blocks; facts, files and
// bad input.
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
#include "support_disk.h"
#include "support_facts.h"
#include "support_pattern.h"
#include "support_ranks.h"
#include "support_universe.h"

static const char *const rules[] = {
    "345/2/4",         "/2/3",           "3467/2678/6", "23/3/8",
    "2-a5/2c3/5",      "34/24/16H",      "12/13/17V",   "2/13/128",
    "345678/2456/256", "0235678/3468/9", "LifeHistory", "B36-c/S23aHistory",
};
enum { RULES = sizeof rules / sizeof *rules };

static bool takes_rule(const char *engine, const lc_rule *rule)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = rule,
        .topology = {LC_TOPOLOGY_TORUS, 64, 64, 0, 0, false, false},
        .engine = engine};
    lc_universe_needs needs;
    return lc_universe_check(&options, &needs, NULL) == LC_OK;
}

// Fills a board with random states: a half of the cells, of all states alike or mostly alive.
static void fill_states(oracle *board, int states, dice *d)
{
    const bool mostly_alive = dice_below(d, 2) == 0;
    for (int64_t y = 0; y < board->height; y++)
        for (int64_t x = 0; x < board->width; x++)
            oracle_row(board, y)[x] =
                (uint8_t)(dice_below(d, 2) == 0                   ? 0
                          : mostly_alive && dice_below(d, 4) != 0 ? 1
                                                                  : dice_below(d, states));
}

static lc_box all_of(const oracle *board)
{
    return (lc_box){.width_cells = board->width, .height_cells = board->height};
}

static void put(lc_universe *universe, const oracle *board)
{
    const lc_box box = all_of(board);
    lc_message message = {0};
    if (lc_universe_write_states(universe, &box, oracle_row(board, 0), board->pitch, &message) !=
        LC_OK)
        fail_msg("%s", message.text);
}

// The hash as docs/formats.md defines it: the sum of the planes' hashes, times powers of a
// constant.
static uint64_t hash_of(const oracle *board, int planes)
{
    __extension__ typedef unsigned __int128 wide;
    const uint64_t p = UINT64_MAX - 1468, c = 0xfceff6f86a6ac250u;
    const size_t pitch = (size_t)(board->width + 63) / 64;
    uint64_t hash = 0, weight = 1;
    uint64_t *words = malloc(pitch * (size_t)board->height * sizeof *words);
    assert_non_null(words);
    for (int plane = 0; plane < planes; plane++) {
        memset(words, 0, pitch * (size_t)board->height * sizeof *words);
        for (int64_t y = 0; y < board->height; y++)
            for (int64_t x = 0; x < board->width; x++)
                words[(size_t)y * pitch + (size_t)x / 64] |=
                    (uint64_t)(oracle_row(board, y)[x] >> plane & 1) << x % 64;
        const wide part = (wide)plain_hash(words, pitch, board->height) * weight % p;
        hash = (uint64_t)((hash + part) % p);
        weight = (uint64_t)((wide)weight * c % p);
    }
    free(words);
    return hash;
}

// Compares all cells and facts.
static void expect_same(const lc_universe *universe, const oracle *board, const char *what)
{
    const lc_box box = all_of(board);
    const size_t width = (size_t)board->width;
    uint8_t *states = malloc(width * (size_t)board->height);
    assert_non_null(states);
    GOOD(lc_universe_read_states(universe, &box, states, width, &why));
    for (int64_t y = 0; y < board->height; y++) {
        for (int64_t x = 0; x < board->width; x++) {
            if (states[(size_t)y * width + (size_t)x] != oracle_row(board, y)[x])
                fail_msg("%s, generation %d: (%d, %d) is %d, not %d", what,
                         (int)test_generation(universe), (int)x, (int)y,
                         states[(size_t)y * width + (size_t)x], oracle_row(board, y)[x]);
        }
    }
    free(states);
    const lc_facts facts = test_facts(universe, LC_FACT_ALL);
    const lc_box expected = oracle_bounding_box(board);
    const int planes = lc_rule_traits(lc_universe_rule(universe))->planes;
    assert_int_equal(test_population(universe), oracle_population(board));
    assert_int_equal(facts.box.empty, expected.empty);
    assert_true(facts.box.x == expected.x && facts.box.y == expected.y);
    assert_true(facts.box.width_cells == expected.width_cells &&
                facts.box.height_cells == expected.height_cells);
    if (facts.hash != hash_of(board, planes))
        fail_msg("%s: hash %llx, not %llx", what, (unsigned long long)facts.hash,
                 (unsigned long long)hash_of(board, planes));
}

static void run_board(const char *engine, const lc_rule *rule, const lc_topology *t, dice *d)
{
    char what[200], text[LC_RULE_TEXT_BYTES];
    lc_rule_format(rule, t, text);
    (void)snprintf(what, sizeof what, "%s, %s", engine, text);
    oracle *board = oracle_create(t->width_cells, t->height_cells, oracle_rule_of(rule), t);
    lc_universe *universe = test_create(engine, rule, *t, 0);
    fill_states(board, lc_rule_traits(rule)->states, d);
    put(universe, board);
    expect_same(universe, board, what);
    for (int i = 0; i < 3; i++) {
        const uint64_t generations = (uint64_t)dice_below(d, 5);
        test_step(universe, generations);
        oracle_step(board, generations);
        expect_same(universe, board, what);
    }
    lc_universe_destroy(&universe);
    oracle_destroy(board);
}

// Whether so many blocks can cut a board of that surface and height.
static bool can_cut(const char *engine, const lc_rule *rule, const lc_topology *t)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = *t,
                                         .engine = engine};
    lc_universe_needs needs;
    return lc_universe_check(&options, &needs, NULL) == LC_OK;
}

static void test_every_surface(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    lc_engine_info info;
    int count = 0;
    FOR_EACH_ENGINE(info)
    {
        for (int64_t width = 1; width <= 130; width++) {
            const int64_t height = width % 7 == 0 ? width : 1 + dice_below(&d, 40);
            for (int kind = 0; kind < SURFACE_COUNT; kind++) {
                lc_topology t;
                const lc_rule *rule = rule_of(rules[dice_below(&d, RULES)]);
                const bool is_sphere = kind == SURFACE_SPHERE;
                count++;
                if ((width > 40 && dice_below(&d, 4 * test_share()) != 0) ||
                    !takes_rule(info.name, rule) ||
                    !topology_of((surface)kind, width, is_sphere ? width : height, &d, &t) ||
                    lc_rule_check_topology(rule, &t, NULL) != LC_OK)
                    continue;
                run_board(info.name, rule, &t, &d);
                char cut[64];
                (void)snprintf(cut, sizeof cut, "%s:blocks=%d", info.name, 1 + count % 7);
                if (can_cut(cut, rule, &t))
                    run_board(cut, rule, &t, &d);
            }
        }
    }
    assert_true(count > 0);
}

// On the plane a block grows with the cells: the same as on a board that they do not leave.
static void test_plane(void **state)
{
    (void)state;
    enum { SIDE = 120, PATTERN = 30, GENERATIONS = 40 };
    dice d = dice_from(test_seed(), 2);
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        for (size_t i = 0; i < RULES; i++) {
            const lc_rule *rule = rule_of(rules[i]);
            const lc_topology board_of = {.width_cells = SIDE, .height_cells = SIDE};
            if (!takes_rule(info.name, rule))
                continue;
            oracle *pattern = oracle_create(PATTERN, PATTERN, oracle_rule_of(rule), &board_of);
            oracle *board = oracle_create(SIDE, SIDE, oracle_rule_of(rule), &board_of);
            lc_universe *universe = test_create(info.name, rule, infinite_plane, 0);
            fill_states(pattern, lc_rule_traits(rule)->states, &d);
            const int64_t at = (SIDE - PATTERN) / 2;
            const lc_box box = {.x = at, .y = at, .width_cells = PATTERN, .height_cells = PATTERN};
            for (int64_t y = 0; y < PATTERN; y++)
                memcpy(oracle_row(board, at + y) + at, oracle_row(pattern, y), PATTERN);
            GOOD(lc_universe_write_states(universe, &box, oracle_row(pattern, 0), pattern->pitch,
                                          &why));
            for (int g = 0; g < GENERATIONS; g += 20) {
                expect_same(universe, board, rules[i]);
                test_step(universe, 20);
                oracle_step(board, 20);
            }
            expect_same(universe, board, rules[i]);
            lc_universe_destroy(&universe);
            oracle_destroy(pattern);
            oracle_destroy(board);
        }
    }
}

// A board that is saved as RLE or as macrocell and loaded again has the same cells, in all states.
static void test_files(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    static const int64_t widths[] = {1, 5, 63, 64, 65, 130, 5000};
    for (size_t i = 0; i < RULES * sizeof widths / sizeof *widths; i++) {
        const lc_rule *rule = rule_of(rules[i % RULES]);
        const lc_topology t = {
            LC_TOPOLOGY_TORUS, widths[i / RULES], 1 + dice_below(&d, 20), 0, 0, false, false};
        oracle *board = oracle_create(t.width_cells, t.height_cells, oracle_rule_of(rule), &t);
        lc_universe *universe = test_create("scalar", rule, t, 0);
        const char *path = i % 2 == 0 ? "states.rle" : "states.mc";
        fill_states(board, lc_rule_traits(rule)->states, &d);
        // A long run, which is passed on as one.
        const int last = lc_rule_traits(rule)->states - 1;
        memset(oracle_row(board, 0), last, (size_t)t.width_cells);
        put(universe, board);
        GOOD(lc_universe_save(universe, path, LC_FORMAT_AUTO, &why));
        lc_universe *again = test_create("scalar", rule, t, 0);
        lc_pattern *pattern;
        int64_t x, y;
        GOOD(lc_pattern_open(&pattern, path, &why));
        assert_true(lc_pattern_get_header(pattern)->rule == rule);
        lc_universe_place(again, lc_pattern_get_header(pattern), &x, &y);
        GOOD(lc_universe_load(again, pattern, x, y, &why));
        expect_same(again, board, path);
        lc_pattern_close(&pattern);
        lc_universe_destroy(&again);
        lc_universe_destroy(&universe);
        oracle_destroy(board);
        assert_int_equal(remove(path), 0);
    }
}

// A checkpoint holds all states, of a board, of blocks and of a plane.
static void test_checkpoints(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 5);
    for (size_t i = 0; i < 2 * RULES; i++) {
        const lc_rule *rule = rule_of(rules[i % RULES]);
        const lc_topology board_of = {LC_TOPOLOGY_TORUS,
                                      1 + dice_below(&d, 5000),
                                      1 + dice_below(&d, 60),
                                      0,
                                      0,
                                      false,
                                      false};
        const bool is_plane = i % 3 == 0;
        const lc_topology t = is_plane ? infinite_plane : board_of;
        oracle *board =
            oracle_create(board_of.width_cells, board_of.height_cells, oracle_rule_of(rule), &t);
        lc_universe *universe = test_create(
            i % 3 == 1 && board_of.height_cells > 3 ? "scalar:blocks=3" : "scalar", rule, t, 0);
        fill_states(board, lc_rule_traits(rule)->states, &d);
        put(universe, board);
        const char *path = "states.lcs";
        GOOD(lc_universe_save(universe, path, LC_FORMAT_AUTO, &why));
        lc_universe *again = NULL;
        const lc_universe_options options = {
            .struct_bytes = sizeof options, .context = test_context(), .engine = "scalar"};
        GOOD(lc_universe_restore(&again, path, &options, &why));
        assert_true(lc_universe_rule(again) == rule);
        expect_same(again, board, path);
        lc_universe_destroy(&again);
        lc_universe_destroy(&universe);
        oracle_destroy(board);
        assert_int_equal(remove(path), 0);
    }
}

static lc_universe *create_with(const lc_universe_options *stated)
{
    lc_universe *universe = NULL;
    lc_universe_options options = *stated;
    options.struct_bytes = sizeof options;
    GOOD(lc_universe_create(&universe, &options, &why));
    return universe;
}

// Boards in a file: the block is the whole board, or windows of a few rows pass over it.
static void test_disk(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 6);
    static const char *const settings[] = {"", "rows=160,band=4096,depth=20", "rows=128,band=4096"};
    for (size_t i = 0; i < 2 * SURFACE_COUNT; i++) {
        const lc_rule *rule = rule_of(rules[dice_below(&d, RULES)]);
        const int64_t width = 961 + dice_below(&d, 64), height = 200 + dice_below(&d, 100);
        const bool is_sphere = i % SURFACE_COUNT == SURFACE_SPHERE;
        const int planes = lc_rule_traits(rule)->planes;
        const char *way =
            (planes & (planes - 1)) == 0 ? settings[i % 3] : ""; // else bands are high
        lc_topology t;
        if (!topology_of((surface)(i % SURFACE_COUNT), width, is_sphere ? width : height, &d, &t) ||
            lc_rule_check_topology(rule, &t, NULL) != LC_OK)
            continue;
        const lc_universe_options options = {.context = test_context(),
                                             .rule = rule,
                                             .topology = t,
                                             .engine = "scalar",
                                             .disk = test_disk_path,
                                             .disk_settings = way};
        lc_universe *universe = create_with(&options);
        oracle *board = oracle_create(t.width_cells, t.height_cells, oracle_rule_of(rule), &t);
        fill_states(board, lc_rule_traits(rule)->states, &d);
        put(universe, board);
        test_step(universe, 9);
        oracle_step(board, 9);
        expect_same(universe, board, way);
        lc_universe_destroy(&universe);
        const lc_universe_options opened = {
            .struct_bytes = sizeof opened, .context = test_context(), .engine = "scalar"};
        GOOD(lc_disk_open(&universe, test_disk_path, &opened, &why));
        assert_true(lc_universe_rule(universe) == rule);
        expect_same(universe, board, "opened again");
        lc_universe_destroy(&universe);
        oracle_destroy(board);
        assert_int_equal(remove(test_disk_path), 0);
    }
}

// Boards that several processes share, here threads: halos, reading, writing, soups, checkpoints.
static void test_ranks(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 7);
    for (int ranks = 2; ranks <= 4; ranks += 2) {
        lc_context *context = test_ranks_context(ranks);
        for (size_t i = 0; i < 2 * SURFACE_COUNT; i++) {
            const lc_rule *rule = rule_of(rules[dice_below(&d, RULES)]);
            const int64_t height = 20 + dice_below(&d, 60), width = 1 + dice_below(&d, 200);
            const bool is_sphere = i % SURFACE_COUNT == SURFACE_SPHERE;
            lc_topology t;
            if (!topology_of((surface)(i % SURFACE_COUNT), is_sphere ? height : width, height, &d,
                             &t) ||
                lc_rule_check_topology(rule, &t, NULL) != LC_OK)
                continue;
            const lc_universe_options options = {
                .context = context, .rule = rule, .topology = t, .engine = "scalar"};
            lc_universe *universe = create_with(&options);
            oracle *board = oracle_create(t.width_cells, t.height_cells, oracle_rule_of(rule), &t);
            fill_states(board, lc_rule_traits(rule)->states, &d);
            put(universe, board);
            test_step(universe, 7);
            oracle_step(board, 7);
            expect_same(universe, board, "ranks");
            void *data = NULL;
            size_t size_bytes;
            GOOD(lc_universe_checkpoint_memory(universe, SIZE_MAX, &data, &size_bytes, &why));
            lc_universe_destroy(&universe);
            const lc_universe_options restored = {
                .struct_bytes = sizeof restored, .context = context, .engine = "scalar"};
            GOOD(lc_universe_restore_memory(&universe, data, size_bytes, &restored, &why));
            free(data);
            expect_same(universe, board, "ranks, restored");
            lc_universe_destroy(&universe);
            oracle_destroy(board);
        }
        test_ranks_end();
    }
}

// A soup's live cells have state 1.
static void test_soups(void **state)
{
    (void)state;
    const lc_topology t = {LC_TOPOLOGY_TORUS, 300, 50, 0, 0, false, false};
    lc_universe *universe = test_create("scalar", rule_of("3/3/200"), t, 0);
    lc_universe *life = test_create("scalar", LIFE, t, 0);
    const lc_box box = {.width_cells = 300, .height_cells = 50};
    static uint8_t states[2][300 * 50];
    memset(states[0], 199, sizeof states[0]);
    GOOD(lc_universe_write_states(universe, &box, states[0], 300, &why));
    GOOD(lc_universe_soup(universe, 0, 0, 300, 50, 0.4, 7, &why));
    GOOD(lc_universe_soup(life, 0, 0, 300, 50, 0.4, 7, &why));
    GOOD(lc_universe_read_states(universe, &box, states[0], 300, &why));
    GOOD(lc_universe_read_states(life, &box, states[1], 300, &why));
    assert_memory_equal(states[0], states[1], sizeof states[0]);
    lc_universe_destroy(&universe);
    lc_universe_destroy(&life);
}

// All states by their letters; a pattern's cells replace others, and its dead cells leave them.
static void test_letters(void **state)
{
    (void)state;
    char text[8192];
    int n = snprintf(text, sizeof text, "x = 256, y = 1, rule = /2/256\n.A");
    for (int s = 2; s < 256; s++)
        n += s < 25 ? snprintf(text + n, sizeof text - (size_t)n, "%c\n", 'A' + s - 1)
                    : snprintf(text + n, sizeof text - (size_t)n, "%c%c\n", 'o' + (s - 1) / 24,
                               'A' + (s - 1) % 24);
    (void)snprintf(text + n, sizeof text - (size_t)n, "!");
    lc_universe *universe = test_create("scalar", rule_of("/2/256"), infinite_plane, 0);
    uint8_t states[260];
    lc_box box = {.width_cells = 260, .height_cells = 1};
    GOOD(test_load(universe, text, 0, 0, &why));
    GOOD(lc_universe_read_states(universe, &box, states, sizeof states, &why));
    for (int s = 0; s < 256; s++)
        assert_int_equal(states[s], s);
    GOOD(test_load(universe, "x = 5, y = 1, rule = /2/256\nC.2pA!", 1, 0, &why));
    GOOD(lc_universe_read_states(universe, &box, states, sizeof states, &why));
    static const uint8_t expected[] = {0, 3, 2, 25, 25, 5};
    assert_memory_equal(states, expected, sizeof expected);
    bool alive;
    GOOD(lc_universe_get(universe, 2, 0, &alive, &why));
    assert_true(alive);
    GOOD(lc_universe_set(universe, 2, 0, true, &why)); // which makes it state 1
    GOOD(lc_universe_set(universe, 3, 0, false, &why));
    GOOD(lc_universe_read_states(universe, &box, states, sizeof states, &why));
    assert_int_equal(states[2], 1);
    assert_int_equal(states[3], 0);
    lc_universe_destroy(&universe);
}

// Squares of macrocell files: states as numbers, a square that comes again, bad lines.
static void test_macrocell(void **state)
{
    (void)state;
    static const char text[] = "[M2] (golly 3.3)\n#R /2/256\n1 0 7 255 1\n2 1 0 0 1\n3 2 0 0 0\n";
    lc_universe *universe = test_create("scalar", rule_of("/2/256"), infinite_plane, 0);
    uint8_t states[8][8];
    const lc_box box = {.x = -4, .y = -3, .width_cells = 8, .height_cells = 8};
    GOOD(test_load(universe, text, 0, 0, &why));
    GOOD(lc_universe_read_states(universe, &box, states[0], 8, &why));
    static const uint8_t expected[4][8] = {{0, 7}, {255, 1}, {0, 0, 0, 7}, {0, 0, 255, 1}};
    assert_memory_equal(states, expected, sizeof expected);
    assert_int_equal(test_population(universe), 6);
    GOOD(lc_universe_save(universe, "states.mc", LC_FORMAT_AUTO, &why));
    char *written = file_text("states.mc", NULL);
    assert_non_null(strstr(written, "1 0 7 255 1\n2 1 0 0 1\n")); // the square is written once
    free(written);
    assert_int_equal(remove("states.mc"), 0);
    static const struct {
        const char *text, *says;
        lc_status status;
    } wrong[] = {
        {"[M2]\n#R 345/2/4\n1 0 4 0 0\n", "does not have this state", LC_ERROR_FORMAT},
        {"[M2]\n#R 345/2/4\n$$*$\n", "five numbers", LC_ERROR_FORMAT},
        {"[M2]\n#R 345/2/4\n1 0 1 0 0\n2 1 2 0 0\n", "come before it", LC_ERROR_FORMAT},
        {"[M2]\n#R 345/2/4\n1 0 1 0 0\n3 1 0 0 0\n", "half as wide", LC_ERROR_FORMAT},
        {"[M2]\n#R 345/2/4\n254 0 0 0 0\n", "2^62", LC_ERROR_LIMIT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lc_message message = {0};
        assert_int_equal(test_load(universe, wrong[i].text, 0, 0, &message), wrong[i].status);
        assert_non_null(strstr(message.text, wrong[i].says));
    }
    lc_universe_destroy(&universe);
}

// A file that names a dead square of 2^59 cells a side costs no time.
static void test_dead_squares(void **state)
{
    (void)state;
    char text[4096];
    int n = snprintf(text, sizeof text, "[M2]\n#R 345/2/4\n1 0 0 0 0\n");
    for (int log2 = 2; log2 < 60; log2++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d %d %d %d %d\n", log2, log2 - 1,
                      log2 - 1, log2 - 1, log2 - 1);
    lc_universe *universe = test_create("scalar", rule_of("345/2/4"), infinite_plane, 0);
    GOOD(test_load(universe, text, 0, 0, &why));
    assert_int_equal(test_population(universe), 0);
    lc_universe_destroy(&universe);
}

// "auto" has one engine for these rules, and says so when its memory does not suffice.
static void test_too_large(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_universe *universe;
    lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = rule_of("345/2/4"),
        .topology = {LC_TOPOLOGY_TORUS, 256, 256, 0, 0, false, false},
        .max_memory_bytes = 50000,
    };
    assert_int_equal(lc_universe_create(&universe, &options, &message), LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "256 x 256 cells need"));
    options.topology = infinite_plane;
    options.max_memory_bytes = 4 << 20;
    GOOD(lc_universe_create(&universe, &options, &why));
    assert_int_equal(
        test_load(universe, "x = 9, y = 1, rule = 345/2/4\nA999999999.B!", 0, 0, &message),
        LC_ERROR_LIMIT);
    lc_universe_destroy(&universe);
}

// The cells of a clip, which has two states, have state 1.
static void test_clip(void **state)
{
    (void)state;
    static const char glider[] = "bo$2bo$3o!";
    lc_clip *clip;
    char *text;
    size_t bytes;
    GOOD(lc_clip_from_text(&clip, glider, sizeof glider - 1, 0, &why));
    GOOD(lc_clip_to_rle(clip, rule_of("345/2/200"), 1000, &text, &bytes, &why));
    assert_non_null(strstr(text, "\n.A$2.A$3A!"));
    free(text);
    lc_clip_destroy(&clip);
}

// MCell files: all states, and the live cells in the middle of the board.
static void test_mcell(void **state)
{
    (void)state;
    static const char text[] =
        "#MCell 4.00\r\n#GAME Generations\r\n#RULE /2/256\r\n#BOARD 40x21\r\n"
        "#WRAP 1\r\n#CCOLORS 256\r\n#D one\r\n#L A.B$$.2C\r\n#L aA2jO$$\r\n";
    lc_pattern *pattern;
    char board[LC_RULE_TEXT_BYTES];
    GOOD(lc_pattern_open_memory(&pattern, text, sizeof text - 1, &why));
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->format, LC_FORMAT_MCELL);
    assert_true(header->rule == rule_of("/2/256") && header->has_rule);
    lc_topology_format(&header->topology, board);
    assert_string_equal(board, "torus 40 x 21");
    assert_string_equal(header->comments, "one");
    lc_universe *universe = test_create("scalar", header->rule, header->topology, 0);
    int64_t x, y;
    lc_universe_place(universe, header, &x, &y);
    assert_int_equal(x, 17); // as Golly has it: 6 x 3 cells on 40 x 21
    assert_int_equal(y, 9);
    GOOD(lc_universe_load(universe, pattern, x, y, &why));
    lc_pattern_close(&pattern);
    uint8_t states[3][6];
    const lc_box box = {.x = x, .y = y, .width_cells = 6, .height_cells = 3};
    GOOD(lc_universe_read_states(universe, &box, states[0], 6, &why));
    static const uint8_t put_there[3][6] = {{1, 0, 2}, {0}, {0, 3, 3, 25, 255, 255}};
    assert_memory_equal(states, put_there, sizeof put_there);
    assert_int_equal(test_population(universe), 7);
    lc_universe_destroy(&universe);
    // Empty rows and columns before the cells move them away from the middle.
    static const char moved[] =
        "#MCell 4.00\n#RULE 345/2/4\n#BOARD 81x61\n#WRAP 1\n#L 3$2.A$2.AB\n";
    GOOD(lc_pattern_open_memory(&pattern, moved, sizeof moved - 1, &why));
    assert_int_equal(lc_pattern_get_header(pattern)->x, 0);
    assert_int_equal(lc_pattern_get_header(pattern)->y, 0);
    lc_pattern_close(&pattern);
}

// lc_spans_write writes the cells that lc_spans_read has read, and refuses states of another rule.
static void test_spans(void **state)
{
    (void)state;
    static const char same[] = "x = 805, y = 3, rule = /2/256\n100yO2.A$.B200C$500.3pA2xA300yO!\n";
    lc_pattern *pattern;
    lc_spans *spans;
    lc_message message = {0};
    GOOD(lc_pattern_open_memory(&pattern, same, sizeof same - 1, &why));
    GOOD(lc_spans_read(&spans, pattern, 0, &why));
    const lc_box box = lc_spans_box(spans);
    lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                        .format = LC_FORMAT_RLE,
                                        .rule = lc_pattern_get_header(pattern)->rule,
                                        .width_cells = box.width_cells,
                                        .height_cells = box.height_cells};
    GOOD(lc_spans_write(spans, 0, 0, "spans.rle", &options, &why));
    char *written = file_text("spans.rle", NULL);
    assert_string_equal(written, same);
    free(written);
    assert_int_equal(remove("spans.rle"), 0);
    options.rule = rule_of("/2/50");
    assert_int_equal(lc_spans_write(spans, 0, 0, "spans.rle", &options, &message),
                     LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "cell (0, 0) has state 255: /2/50 has states 0 to 49");
    lc_spans_destroy(&spans);
    lc_pattern_close(&pattern);
}

// The rule's states are checked wherever cells come in, and nothing changes.
static void test_wrong_states(void **state)
{
    (void)state;
    lc_universe *universe = test_create("scalar", rule_of("3/3/5"), infinite_plane, 0);
    lc_message message = {0};
    const lc_box box = {.x = -1, .y = 2, .width_cells = 3, .height_cells = 1};
    static const uint8_t wrong[] = {4, 0, 5};
    assert_int_equal(lc_universe_write_states(universe, &box, wrong, 3, &message),
                     LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "cell (1, 2) has state 5: the rule has states 0 to 4");
    uint64_t words[] = {4, 0, 4}; // state 5 in the third cell
    lc_cells row = {.x = -1,
                    .y = 2,
                    .width_cells = 3,
                    .height_cells = 1,
                    .words = words,
                    .pitch_words = 3,
                    .plane_words = 1};
    assert_int_equal(lc_universe_write(universe, &row, &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "cell (1, 2) has state 5: the rule has states 0 to 4");
    row.planes = 1;
    assert_int_equal(lc_universe_write(universe, &row, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "cells of this rule have 3"));
    row.planes = 3;
    row.plane_words = 0;
    assert_int_equal(lc_universe_read(universe, &row, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "the planes of a row"));
    assert_int_equal(test_load(universe, "x = 2, y = 1, rule = 3/3/9\nAE!", 0, 0, &message),
                     LC_ERROR_FORMAT);
    assert_string_equal(message.text, "the pattern has a cell of state 5 at (1, 0): the rule has "
                                      "states 0 to 4");
    assert_int_equal(test_load(universe, "x = 1000, y = 1, rule = 3/3/9\n1000F!", 0, 0, &message),
                     LC_ERROR_FORMAT);
    assert_non_null(strstr(message.text, "state 6 at (0, 0)"));
    assert_int_equal(lc_universe_save(universe, "states.cells", LC_FORMAT_AUTO, &message),
                     LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message.text, "two states only"));
    lc_universe_destroy(&universe);
}

// Audits find a wrong state, and skipped periods do not change cells.
static void test_audits_and_periods(void **state)
{
    (void)state;
    const lc_topology t = {LC_TOPOLOGY_TORUS, 20, 20, 0, 0, false, false};
    const lc_rule *rule = rule_of("345/2/4");
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = t,
                                         .engine = "scalar",
                                         .audit_generations = 1};
    lc_universe *universe = NULL;
    GOOD(lc_universe_create(&universe, &options, &why));
    oracle *board = oracle_create(20, 20, oracle_rule_of(rule), &t);
    dice d = dice_from(test_seed(), 4);
    fill_states(board, 4, &d);
    put(universe, board);
    test_step(universe, 1000);
    oracle_step(board, 1000);
    expect_same(universe, board, "after periods");
    lc_universe_destroy(&universe);
    oracle_destroy(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_surface),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_soups),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_macrocell),
        cmocka_unit_test(test_dead_squares),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_clip),
        cmocka_unit_test(test_mcell),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_wrong_states),
        cmocka_unit_test(test_audits_and_periods),
        cmocka_unit_test_setup_teardown(test_disk, test_disk_set_up, test_disk_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) + !rules_end();
}
