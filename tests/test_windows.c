// Windows of tiles, the steppers of unbounded universes: each CPU level against cells counted one
// by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "level/level.h"
#include "support.h"

enum { SIDE = 64, MIDDLE = 16 };

typedef struct tiles {
    _Alignas(64) uint32_t tile[4][LC_TILE_WORDS];
    _Alignas(64) uint32_t middle[LC_TILE_WORDS];
} tiles;

typedef struct board {
    uint8_t cells[SIDE][SIDE];
} board;

static bool tile_cell(const uint32_t *tile, int x, int y)
{
    return tile[lc_tile_word(y)] >> x & 1;
}

static void draw(tiles *t, board *b, dice *d, int64_t density)
{
    memset(t, 0, sizeof *t);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            b->cells[y][x] = dice_below(d, 64) < density;
            t->tile[y / 32 * 2 + x / 32][lc_tile_word(y % 32)] |= (uint32_t)b->cells[y][x]
                                                                  << (x % 32);
        }
    }
}

// What lies beyond the board is dead here, and something else in a window.
static void step(board *b, const lc_rule *rule)
{
    const board old = *b;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            unsigned neighbourhood = 0;
            for (int k = 0; k < 9; k++) {
                const int nx = x + k % 3 - 1, ny = y + k / 3 - 1;
                const bool inside = nx >= 0 && nx < SIDE && ny >= 0 && ny < SIDE;
                neighbourhood = neighbourhood << 1 | (inside ? old.cells[ny][nx] : 0u);
            }
            b->cells[y][x] = lc_rule_next(rule, neighbourhood);
        }
    }
}

static bool are_life(const lc_rule rules[2])
{
    const lc_rule life = LIFE;
    return lc_rule_equal(&rules[0], &life) && lc_rule_equal(&rules[1], &life);
}

static void check_window(const lc_level *level, const lc_rule rules[2], int generations, dice *d)
{
    tiles t;
    board b;
    uint64_t any[2 * LC_ANY_WORDS];
    draw(&t, &b, d, dice_below(d, 4) == 0 ? 1 : dice_below(d, 48));
    for (int i = 0; i < 2; i++)
        lc_any_rule(&rules[i], any + i * LC_ANY_WORDS);
    const lc_window window = {
        {t.tile[0], t.tile[1], t.tile[2], t.tile[3]}, t.middle, generations, any, NULL};
    int before = 0, after = 0;
    for (int i = 0; i < LC_TILE_WORDS; i++) {
        t.middle[i] = dice_below(d, 3) == 0 ? 0 : (uint32_t)dice_word(d);
        before += __builtin_popcount(t.middle[i]);
    }
    for (int i = 0; i < generations; i++)
        step(&b, &rules[i % 2]);
    for (int by = are_life(rules) ? 0 : 1; by < 2; by++) {
        const lc_window_change change = (by == 0 ? level->window_life : level->window_any)(&window);
        after = 0;
        for (int y = 0; y < 32; y++) {
            for (int x = 0; x < 32; x++) {
                const bool expected = b.cells[MIDDLE + y][MIDDLE + x];
                after += expected;
                if (tile_cell(t.middle, x, y) != expected)
                    fail_msg("level %s, %s, %d generations: cell (%d, %d)", level->name,
                             by == 0 ? "life" : "any", generations, x, y);
            }
        }
        assert_int_equal(change.population, after - before);
        assert_true(change.changed || after == before);
        // Again: nothing changes.
        const lc_window_change none = (by == 0 ? level->window_life : level->window_any)(&window);
        assert_false(none.changed);
        assert_int_equal(none.population, 0);
        // One other cell is a change.
        const int64_t word = dice_below(d, 32);
        t.middle[word] ^= UINT32_C(1) << dice_below(d, 32);
        assert_true((by == 0 ? level->window_life : level->window_any)(&window).changed);
        before = after;
    }
}

// Beside walls: a rectangle that lives, in a window whose other cells never do.
static void check_fenced(const lc_level *level, const lc_rule rules[2], int generations, dice *d)
{
    tiles t;
    board b;
    uint64_t any[2 * LC_ANY_WORDS], may_live[SIDE] = {0};
    const int x0 = (int)dice_below(d, 40), x1 = x0 + 1 + (int)dice_below(d, SIDE - x0);
    const int y0 = (int)dice_below(d, 40), y1 = y0 + 1 + (int)dice_below(d, SIDE - y0);
    draw(&t, &b, d, 24);
    for (int i = 0; i < 2; i++)
        lc_any_rule(&rules[i], any + i * LC_ANY_WORDS);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            may_live[y] |= UINT64_C(1) << x;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            uint32_t *word = &t.tile[y / 32 * 2 + x / 32][lc_tile_word(y % 32)];
            if ((may_live[y] >> x & 1) == 0)
                *word &= ~(UINT32_C(1) << (x % 32));
            b.cells[y][x] &= may_live[y] >> x & 1;
        }
    }
    for (int i = 0; i < generations; i++) {
        step(&b, &rules[i % 2]);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                b.cells[y][x] &= may_live[y] >> x & 1;
    }
    memset(t.middle, 0, sizeof t.middle);
    const lc_window window = {
        {t.tile[0], t.tile[1], t.tile[2], t.tile[3]}, t.middle, generations, any, may_live};
    const lc_window_change change = level->window_fenced(&window);
    int live = 0;
    for (int y = 0; y < 32; y++) {
        for (int x = 0; x < 32; x++) {
            const bool expected = b.cells[MIDDLE + y][MIDDLE + x];
            live += expected;
            if (tile_cell(t.middle, x, y) != expected)
                fail_msg("level %s, fenced, %d generations: cell (%d, %d)", level->name,
                         generations, x, y);
        }
    }
    assert_int_equal(change.population, live);
    assert_int_equal(change.changed, live != 0);
}

// Three windows at once are what they are one by one, and have changed as they have.
static void check_column(const lc_level *level, const lc_rule rules[2], int generations, dice *d)
{
    _Alignas(64) uint32_t tile[2 * (LC_COLUMN_WINDOWS + 1)][LC_TILE_WORDS];
    _Alignas(64) uint32_t middle[LC_COLUMN_WINDOWS][LC_TILE_WORDS];
    uint64_t any[2 * LC_ANY_WORDS];
    const int64_t density = dice_below(d, 4) == 0 ? 1 : dice_below(d, 48);
    for (int i = 0; i < 2; i++)
        lc_any_rule(&rules[i], any + i * LC_ANY_WORDS);
    lc_column column = {.generations = generations, .any = any};
    for (int i = 0; i < 2 * (LC_COLUMN_WINDOWS + 1); i++) {
        memset(tile[i], 0, sizeof tile[i]);
        for (int k = 0; k < 32 * 32; k++)
            tile[i][k / 32] |= (uint32_t)(dice_below(d, 64) < density) << k % 32;
        column.tiles[i] = tile[i];
    }
    for (int i = 0; i < LC_COLUMN_WINDOWS; i++)
        column.middles[i] = middle[i];
    for (int by = are_life(rules) ? 0 : 1; by < 2; by++) {
        for (int i = 0; i < LC_COLUMN_WINDOWS * LC_TILE_WORDS; i++)
            middle[i / LC_TILE_WORDS][i % LC_TILE_WORDS] =
                dice_below(d, 3) == 0 ? 0 : (uint32_t)dice_word(d);
        for (int again = 0; again < 2; again++) {
            lc_window_change changes[LC_COLUMN_WINDOWS], change[LC_COLUMN_WINDOWS];
            _Alignas(64) uint32_t one[LC_COLUMN_WINDOWS][LC_TILE_WORDS];
            memcpy(one, middle, sizeof one);
            for (int i = 0; i < LC_COLUMN_WINDOWS; i++) {
                const lc_window window = {
                    {tile[2 * i], tile[2 * i + 1], tile[2 * i + 2], tile[2 * i + 3]},
                    one[i],
                    generations,
                    any,
                    NULL};
                change[i] = (by == 0 ? level->window_life : level->window_any)(&window);
            }
            (by == 0 ? level->column_life : level->column_any)(&column, changes);
            for (int i = 0; i < LC_COLUMN_WINDOWS; i++)
                if (memcmp(middle[i], one[i], sizeof one[i]) != 0 ||
                    changes[i].changed != change[i].changed ||
                    changes[i].population != change[i].population)
                    fail_msg("level %s, %s, %d generations: window %d of a column", level->name,
                             by == 0 ? "life" : "any", generations, i);
        }
    }
}

static void test_levels_agree(void **state)
{
    (void)state;
    lc_cpu_level_info info;
    dice d = dice_from(test_seed(), 31);
    int levels = 0;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (!info.available)
            continue;
        const lc_level *level = lc_level_find(info.name, NULL);
        levels++;
        for (int generations = 1; generations <= LC_WINDOW_GENERATIONS_MAX; generations++) {
            for (int rules = 0; rules < 6; rules++) {
                // Life, any rule, and two that take turns.
                lc_rule both[2] = {LIFE, LIFE};
                for (int k = 0; k < 2 && rules >= 2; k++)
                    both[k] = k == 1 && rules < 4
                                  ? both[0]
                                  : (lc_rule)LC_RULE_TOTALISTIC((uint16_t)dice_below(&d, 512),
                                                                (uint16_t)dice_below(&d, 512));
                check_window(level, both, generations, &d);
                check_fenced(level, both, generations, &d);
                check_column(level, both, generations, &d);
            }
        }
    }
    assert_true(levels > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_agree),
    };
    return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
