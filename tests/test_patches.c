// Patches of canvases, which censuses of soups are stepped by: each CPU level against cells counted
// one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "level/window_steps.h"
#include "support.h"
#include "support_rule.h"

enum { SIDE = 64, COLUMN_BYTES = 3 * SIDE, CORE = 8, ROUNDS = 20 };

typedef struct board {
    uint8_t cells[SIDE][SIDE];
} board;

// A canvas of 64 columns and more, with the patch at row SIDE.
typedef struct canvas {
    uint8_t bytes[SIDE / 8 * COLUMN_BYTES];
} canvas;

static uint8_t *from_of(canvas *c)
{
    return c->bytes + SIDE;
}

static bool canvas_cell(const canvas *c, int x, int y)
{
    return c->bytes[x / 8 * COLUMN_BYTES + SIDE + y] >> x % 8 & 1;
}

static bool patch_cell(const lc_canvas_patch *patch, int x, int y)
{
    return patch->to[x / 8][y] >> x % 8 & 1;
}

static void put(canvas *c, const board *b)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            c->bytes[x / 8 * COLUMN_BYTES + SIDE + y] |= (uint8_t)(b->cells[y][x] << x % 8);
}

// The next generation on a torus.
static void step(board *b, const lc_rule *rule)
{
    board next;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            unsigned around = 0;
            for (int i = 0; i < 9; i++)
                around = around << 1 |
                         b->cells[(y + i / 3 + SIDE - 1) % SIDE][(x + i % 3 + SIDE - 1) % SIDE];
            next.cells[y][x] = (uint8_t)lc_rule_next(rule, around);
        }
    *b = next;
}

static bool is_inside(int x, int y, int margin)
{
    return x >= margin && y >= margin && x < SIDE - margin && y < SIDE - margin;
}

// Returns the blocks in which a cell more than `margin` away from the edges differs.
static uint64_t differing_blocks(const board *a, const board *b, int margin)
{
    uint64_t blocks = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (is_inside(x, y, margin) && a->cells[y][x] != b->cells[y][x])
                blocks |= (uint64_t)1 << (y / 8 * 8 + x / 8);
    return blocks;
}

// Writes the patch, and checks that right cells come from it and all others stay.
static void check_write(const lc_level *level, const lc_canvas_patch *patch, const canvas *before)
{
    canvas after = *before;
    int64_t more = 0;
    const int64_t change = level->patch_write(patch, from_of(&after));
    for (int y = -SIDE; y < 2 * SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const bool old = canvas_cell(before, x, y), now = canvas_cell(&after, x, y);
            const bool expected = is_inside(x, y, patch->margin) ? patch_cell(patch, x, y) : old;
            assert_int_equal(now, expected);
            more += now - old;
        }
    assert_int_equal(change, more);
}

static void check_patch(const lc_level *level, lc_patch_step *by, const lc_window_rules *rules,
                        const lc_rule *rule, int generations, dice *d)
{
    board b = {0}, before = {0};
    canvas c = {0};
    const int64_t density = dice_below(d, 4) == 0 ? 1 : dice_below(d, 48);
    for (int i = 0; i < SIDE * SIDE; i++)
        b.cells[i / SIDE][i % SIDE] = dice_below(d, 64) < density;
    put(&c, &b);
    lc_canvas_patch patch = {.from = from_of(&c),
                             .column_bytes = COLUMN_BYTES,
                             .generations = generations,
                             .rules = rules};
    by(&patch);
    for (int i = 0; i < generations; i++) {
        if (i == generations - 2 || generations == 1)
            before = b;
        step(&b, rule);
    }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (patch_cell(&patch, x, y) != b.cells[y][x])
                fail_msg("level %s, %d generations, %s: cell (%d, %d)", level->name, generations,
                         lc_rule_traits(rule)->text, x, y);
    assert_int_equal(patch.made, generations);
    assert_int_equal(patch.margin, generations);
    assert_true(patch.active == differing_blocks(&b, &before, generations));
    check_write(level, &patch, &c);
}

// Cells of period 1 and 2 all over the patch, and something that grows in the middle: as long as it
// stays in the inner blocks, the result is that of a board that goes on beyond the edges.
static void check_repeats(const lc_level *level, lc_patch_step *by, const lc_window_rules *rules,
                          dice *d)
{
    board b = {0};
    canvas c = {0};
    for (int i = 1; i < 16; i++) { // blinkers round the middle, some across the edges of blocks
        b.cells[2][4 * i - 1] = b.cells[2][4 * i] = b.cells[2][4 * i + 1] = i % 2 != 0;
        b.cells[4 * i - 1][61] = b.cells[4 * i][61] = b.cells[4 * i + 1][61] = i % 2 != 0;
    }
    for (int i = 0; i < 64; i++)
        b.cells[28 + i / 8][28 + i % 8] = dice_below(d, 2) != 0;
    put(&c, &b);
    lc_canvas_patch patch = {.from = from_of(&c),
                             .column_bytes = COLUMN_BYTES,
                             .generations = 12,
                             .repeats = true,
                             .rules = rules};
    by(&patch);
    assert_true(patch.made == 12 || (patch.active & UINT64_C(0xFF818181818181FF)) != 0);
    assert_int_equal(patch.made % LC_PATCH_REPEAT, 0);
    for (int i = 0; i < patch.made; i++)
        step(&b, LIFE);
    for (int y = LC_PATCH_REPEAT; y < SIDE - LC_PATCH_REPEAT; y++)
        for (int x = LC_PATCH_REPEAT; x < SIDE - LC_PATCH_REPEAT; x++)
            assert_int_equal(patch_cell(&patch, x, y), b.cells[y][x]);
    check_write(level, &patch, &c);
}

static void check_rule(const lc_level *level, const lc_rule *rule, bool code, dice *d)
{
    const lc_rule *const rules[2] = {rule, rule};
    lc_window_steps steps = {0};
    lc_window_steps_set(&steps, level, rules, NULL);
    if (code)
        lc_window_steps_count(&steps, LC_WINDOWS_BEFORE_SEARCH);
    for (int i = 0; i < ROUNDS; i++)
        check_patch(level, steps.patch, &steps.from[0], rule, 1 + i % 8, d);
    if (rule == LIFE)
        for (int i = 0; i < ROUNDS; i++)
            check_repeats(level, steps.patch, &steps.from[0], d);
    lc_window_steps_free(&steps);
}

static void test_levels(void **state)
{
    static const char *const names[] = {"portable", "neon", "avx2", "avx512"};
    static const char *const texts[] = {"B3/S23", "B36/S23", "B3678/S34678", "B3/S2-i34q"};
    dice d = dice_from(36, 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lc_level *level = lc_level_find(names[i], NULL);
        for (size_t k = 0; k < sizeof texts / sizeof texts[0] && level != NULL; k++) {
            const lc_rule *rule;
            lc_topology topology;
            assert_int_equal(lc_rule_parse(texts[k], &rule, &topology, NULL), LC_OK);
            check_rule(level, rule, false, &d);
            check_rule(level, rule, true, &d);
            lc_rule_release(&rule);
        }
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests_name("patches", tests, NULL, NULL);
}
