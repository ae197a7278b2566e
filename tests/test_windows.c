// Windows of tiles, the steppers of unbounded universes: each CPU level against cells counted one
// by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "level/level.h"
#include "level/window_steps.h"
#include "support.h"
#include "support_map.h"

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

// A level's ways to step a window.
typedef enum kernel { KERNEL_LIFE, KERNEL_ANY, KERNEL_MAP, KERNEL_CODE, KERNEL_COUNT } kernel;

static const char *const kernel_names[KERNEL_COUNT] = {"life", "any", "map", "code"};

// Two rules that take turns, and a level's functions for them.
typedef struct ready {
    const lc_level *level;
    const lc_rule *rules[2];
    lc_window_rules as;
    lc_window_step *window[KERNEL_COUNT], *fenced[KERNEL_COUNT]; // NULL: there is none
    lc_column_step *column[KERNEL_COUNT];
} ready;

static ready make_ready(const lc_level *level, const lc_rule *const rules[2],
                        const lc_code *code[2])
{
    ready r = {.level = level,
               .rules = {rules[0], rules[1]},
               .as.code = {code[0], code[1]},
               .window[KERNEL_ANY] = level->window_any,
               .fenced[KERNEL_ANY] = level->window_fenced,
               .column[KERNEL_ANY] = level->column_any};
    for (int i = 0; i < 2; i++)
        lc_any_rule(counts_of(rules[i]), r.as.any[i]);
    if (rules[0] == LIFE && rules[1] == LIFE) {
        r.window[KERNEL_LIFE] = level->window_life;
        r.column[KERNEL_LIFE] = level->column_life;
    }
    if (code[0] != NULL && code[1] != NULL) {
        r.window[KERNEL_CODE] = level->window_code;
        r.fenced[KERNEL_CODE] = level->window_fenced_code;
        r.column[KERNEL_CODE] = level->column_code;
    }
    return r;
}

static void check_window(const ready *r, int generations, dice *d)
{
    tiles t;
    board b;
    draw(&t, &b, d, dice_below(d, 4) == 0 ? 1 : dice_below(d, 48));
    const lc_window window = {
        {t.tile[0], t.tile[1], t.tile[2], t.tile[3]}, t.middle, generations, &r->as, NULL};
    int before = 0, after = 0;
    for (int i = 0; i < LC_TILE_WORDS; i++) {
        t.middle[i] = dice_below(d, 3) == 0 ? 0 : (uint32_t)dice_word(d);
        before += __builtin_popcount(t.middle[i]);
    }
    for (int i = 0; i < generations; i++)
        step(&b, r->rules[i % 2]);
    for (kernel by = 0; by < KERNEL_COUNT; by++) {
        if (r->window[by] == NULL)
            continue;
        const lc_window_change change = r->window[by](&window);
        after = 0;
        for (int y = 0; y < 32; y++) {
            for (int x = 0; x < 32; x++) {
                const bool expected = b.cells[MIDDLE + y][MIDDLE + x];
                after += expected;
                if (tile_cell(t.middle, x, y) != expected)
                    fail_msg("level %s, %s, %d generations, %s: cell "
                             "(%d, %d)",
                             r->level->name, kernel_names[by], generations,
                             lc_rule_traits(r->rules[0])->text, x, y);
            }
        }
        assert_int_equal(change.population, after - before);
        assert_true(change.changed || after == before);
        // Again: nothing changes.
        const lc_window_change none = r->window[by](&window);
        assert_false(none.changed);
        assert_int_equal(none.population, 0);
        // One other cell is a change.
        const int64_t word = dice_below(d, 32);
        t.middle[word] ^= UINT32_C(1) << dice_below(d, 32);
        assert_true(r->window[by](&window).changed);
        before = after;
    }
}

// Beside walls: a rectangle that lives, in a window whose other cells never do.
static void check_fenced(const ready *r, int generations, dice *d)
{
    tiles t;
    board b;
    uint64_t may_live[SIDE] = {0};
    const int x0 = (int)dice_below(d, 40), x1 = x0 + 1 + (int)dice_below(d, SIDE - x0);
    const int y0 = (int)dice_below(d, 40), y1 = y0 + 1 + (int)dice_below(d, SIDE - y0);
    draw(&t, &b, d, 24);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            may_live[y] |= UINT64_C(1) << x;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            uint32_t *word = &t.tile[y / 32 * 2 + x / 32][lc_tile_word(y % 32)];
            if ((may_live[y] >> x & 1) == 0)
                *word &= ~(UINT32_C(1) << (x % 32));
            b.cells[y][x] &= (uint8_t)(may_live[y] >> x & 1);
        }
    }
    for (int i = 0; i < generations; i++) {
        step(&b, r->rules[i % 2]);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                b.cells[y][x] &= (uint8_t)(may_live[y] >> x & 1);
    }
    const lc_window window = {
        {t.tile[0], t.tile[1], t.tile[2], t.tile[3]}, t.middle, generations, &r->as, may_live};
    for (kernel by = 0; by < KERNEL_COUNT; by++) {
        if (r->fenced[by] == NULL)
            continue;
        memset(t.middle, 0, sizeof t.middle);
        const lc_window_change change = r->fenced[by](&window);
        int live = 0;
        for (int y = 0; y < 32; y++) {
            for (int x = 0; x < 32; x++) {
                const bool expected = b.cells[MIDDLE + y][MIDDLE + x];
                live += expected;
                if (tile_cell(t.middle, x, y) != expected)
                    fail_msg("level %s, %s, fenced, %d generations: cell (%d, %d)", r->level->name,
                             kernel_names[by], generations, x, y);
            }
        }
        assert_int_equal(change.population, live);
        assert_int_equal(change.changed, live != 0);
    }
}

// Three windows at once are what they are one by one, and have changed as they have.
static void check_column(const ready *r, int generations, dice *d)
{
    _Alignas(64) uint32_t tile[2 * (LC_COLUMN_WINDOWS + 1)][LC_TILE_WORDS];
    _Alignas(64) uint32_t middle[LC_COLUMN_WINDOWS][LC_TILE_WORDS];
    const int64_t density = dice_below(d, 4) == 0 ? 1 : dice_below(d, 48);
    lc_column column = {.generations = generations, .rules = &r->as};
    for (int i = 0; i < 2 * (LC_COLUMN_WINDOWS + 1); i++) {
        memset(tile[i], 0, sizeof tile[i]);
        for (int k = 0; k < 32 * 32; k++)
            tile[i][k / 32] |= (uint32_t)(dice_below(d, 64) < density) << k % 32;
        column.tiles[i] = tile[i];
    }
    for (int i = 0; i < LC_COLUMN_WINDOWS; i++)
        column.middles[i] = middle[i];
    for (kernel by = 0; by < KERNEL_COUNT; by++) {
        if (r->column[by] == NULL)
            continue;
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
                    &r->as,
                    NULL};
                change[i] = r->window[by](&window);
            }
            r->column[by](&column, changes);
            for (int i = 0; i < LC_COLUMN_WINDOWS; i++)
                if (memcmp(middle[i], one[i], sizeof one[i]) != 0 ||
                    changes[i].changed != change[i].changed ||
                    changes[i].population != change[i].population)
                    fail_msg("level %s, %s, %d generations: window %d of a column", r->level->name,
                             kernel_names[by], generations, i);
        }
    }
}

// Life, and others: finding their gates takes a while, so they are used many times.
enum { RULES = 48 };

typedef struct rule_codes {
    const lc_rule *rule[RULES];
    lc_network network[RULES];
    lc_code code[RULES];
} rule_codes;

static void draw_rules(rule_codes *all)
{
    for (int i = 0; i < RULES; i++) {
        all->rule[i] = i == 0 ? LIFE : rule_at((size_t)i, test_seed());
        lc_network_build(&all->network[i], counts_of(all->rule[i]), NULL);
    }
}

// Nothing where the level has no generator, or the system gives no executable memory.
static void make_codes(rule_codes *all, const lc_level *level)
{
    memset(all->code, 0, sizeof all->code);
    for (int i = 0; i < RULES && level->window_code != NULL; i++) {
        const lc_status status =
            lc_code_create_windows(&all->code[i], level->code_target, &all->network[i]);
        if (status == LC_ERROR_LIMIT)
            fail_msg("level %s has too few registers for %s", level->name,
                     lc_rule_traits(all->rule[i])->text);
    }
}

static const lc_code *code_of(const rule_codes *all, int64_t i)
{
    return all->code[i].memory != NULL ? &all->code[i] : NULL;
}

// Life, each other rule, and two that take turns; and each rule for some generations.
static void test_levels_agree(void **state)
{
    (void)state;
    static rule_codes all;
    lc_cpu_level_info info;
    dice d = dice_from(test_seed(), 31);
    int levels = 0;
    draw_rules(&all);
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (!info.available)
            continue;
        const lc_level *level = lc_level_find(info.name, NULL);
        levels++;
        make_codes(&all, level);
        for (int n = 0; n < 6 * LC_WINDOW_GENERATIONS_MAX + RULES; n++) {
            const bool is_sweep = n >= 6 * LC_WINDOW_GENERATIONS_MAX;
            const int generations =
                is_sweep ? 1 + (int)dice_below(&d, LC_WINDOW_GENERATIONS_MAX) : 1 + n / 6;
            const int64_t first = is_sweep    ? n - 6 * LC_WINDOW_GENERATIONS_MAX
                                  : n % 6 < 2 ? 0
                                              : dice_below(&d, RULES);
            const int64_t second = is_sweep || n % 6 < 4 ? first : dice_below(&d, RULES);
            const ready r =
                make_ready(level, (const lc_rule *const[]){all.rule[first], all.rule[second]},
                           (const lc_code *[]){code_of(&all, first), code_of(&all, second)});
            check_window(&r, generations, &d);
            check_fenced(&r, generations, &d);
            check_column(&r, generations, &d);
        }
        for (int k = 0; k < RULES; k++)
            lc_code_free(&all.code[k]);
    }
    assert_true(levels > 0);
}

// Random tables, and diagrams of rules that others step by their counts.
static void test_maps(void **state)
{
    (void)state;
    lc_cpu_level_info info;
    dice d = dice_from(test_seed(), 33);
    for (int n = 0; n < 40; n++) {
        lc_diagram diagrams[2];
        ready r = {.level = NULL};
        for (int k = 0; k < 2; k++) {
            r.rules[k] = dice_below(&d, 3) == 0 ? rule_at((size_t)dice_below(&d, 99), test_seed())
                                                : test_map((size_t)dice_below(&d, TEST_GROUPS),
                                                           dice_below(&d, 2) != 0, dice_word(&d));
            uint8_t table[64];
            lc_rule_map(r.rules[k], table);
            lc_diagram_build(&diagrams[k], table, NULL);
            r.as.map[k] = &diagrams[k];
        }
        for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
            if (!info.available)
                continue;
            r.level = lc_level_find(info.name, NULL);
            r.window[KERNEL_MAP] = r.level->window_map;
            r.fenced[KERNEL_MAP] = r.level->window_fenced_map;
            r.column[KERNEL_MAP] = r.level->column_map;
            const int generations = 1 + (int)dice_below(&d, LC_WINDOW_GENERATIONS_MAX);
            check_window(&r, generations, &d);
            check_fenced(&r, generations, &d);
            check_column(&r, generations, &d);
        }
    }
}

// Of any rule, the diagram says what the rule says, in few steps where the table repeats itself.
static void test_diagrams(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 34);
    for (int n = 0; n < 200; n++) {
        const lc_rule *rule = n < 100 ? rule_at((size_t)n, test_seed())
                                      : test_map((size_t)n % TEST_GROUPS, true, dice_word(&d));
        uint8_t table[64];
        lc_diagram diagram;
        lc_rule_map(rule, table);
        lc_diagram_build(&diagram, table, NULL);
        assert_in_range(diagram.steps, 0, LC_DIAGRAM_STEPS_MAX);
        assert_in_range(diagram.slots, LC_DIAGRAM_MADE, LC_DIAGRAM_SLOTS_MAX);
        if (rule == LIFE)
            assert_in_range(diagram.steps, 1, 30);
        for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++) {
            bool value[LC_DIAGRAM_SLOTS_MAX] = {[LC_DIAGRAM_LIVE] = true};
            for (unsigned cell = 0; cell < 9; cell++)
                value[cell] = neighbourhood >> (8 - cell) & 1;
            for (int i = 0; i < diagram.steps; i++) {
                const lc_diagram_step s = diagram.step[i];
                value[s.result] = value[s.cell] ? value[s.high] : value[s.low];
            }
            assert_int_equal(value[diagram.next], lc_rule_next(rule, neighbourhood));
        }
    }
}

static bool has_code(const lc_level *level)
{
    lc_network network;
    lc_code code = {0};
    lc_network_build(&network, counts_of(LIFE), NULL);
    const bool has = level->window_code != NULL &&
                     lc_code_create_windows(&code, level->code_target, &network) == LC_OK;
    lc_code_free(&code);
    return has;
}

// What an engine steps with: data or a compiled kernel at first, code after so many windows, 0
// never.
static void check_steps(const lc_level *level, const lc_rule *const rules[2], uint64_t windows)
{
    lc_window_steps steps = {0};
    dice d = dice_from(test_seed(), 32);
    for (int set = 0; set < 2; set++) {
        lc_window_steps_set(&steps, level, rules, NULL);
        for (uint64_t done = 0; done + 1 < windows; done++)
            lc_window_steps_count(&steps, 1);
        assert_true(steps.window == (windows == 0 ? level->window_life : level->window_any));
        assert_true(steps.column == (windows == 0 ? level->column_life : level->column_any));
        assert_true(steps.fenced == level->window_fenced);
        lc_window_steps_count(&steps, windows == 0 ? LC_WINDOWS_BEFORE_SEARCH : 1);
        if (windows != 0 && has_code(level)) {
            assert_true(steps.window == level->window_code);
            assert_true(steps.column == level->column_code);
            assert_true(steps.fenced == level->window_fenced_code);
        } else if (windows == 0) {
            assert_true(steps.window == level->window_life);
        }
        lc_window_steps_count(&steps, LC_WINDOWS_BEFORE_SEARCH); // not again
        for (int odd = 0; odd < 2; odd++) {
            const ready r = {.level = level,
                             .rules = {rules[odd], rules[1 - odd]},
                             .as = steps.from[odd],
                             .window[KERNEL_CODE] = steps.window,
                             .fenced[KERNEL_CODE] = steps.fenced,
                             .column[KERNEL_CODE] = steps.column};
            check_window(&r, 7 + odd, &d);
            check_fenced(&r, 7 + odd, &d);
            check_column(&r, 7 + odd, &d);
        }
    }
    lc_window_steps_free(&steps);
}

static void test_steps(void **state)
{
    (void)state;
    const lc_rule *life = LIFE, *high = rule_of("B36/S23");
    const lc_rule *hard = rule_of("B013568/S01");
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (!info.available)
            continue;
        const lc_level *level = lc_level_find(info.name, NULL);
        check_steps(level, (const lc_rule *const[]){life, life}, 0);
        check_steps(level, (const lc_rule *const[]){high, high}, LC_WINDOWS_BEFORE_CODE);
        check_steps(level, (const lc_rule *const[]){life, high}, LC_WINDOWS_BEFORE_CODE);
        check_steps(level, (const lc_rule *const[]){high, hard}, LC_WINDOWS_BEFORE_SEARCH);
    }
}

// Rules of any table are stepped by their diagrams at once, and a rule that takes turns with one
// is, too.
static void test_steps_of_maps(void **state)
{
    (void)state;
    const lc_rule *map = test_map(0, true, test_seed()), *life = LIFE;
    const lc_rule *const pairs[][2] = {{map, map}, {map, life}, {life, map}};
    lc_cpu_level_info info;
    dice d = dice_from(test_seed(), 35);
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        const lc_level *level = info.available ? lc_level_find(info.name, NULL) : NULL;
        lc_window_steps steps = {0};
        for (size_t pair = 0; pair < 3 && level != NULL; pair++) {
            lc_window_steps_set(&steps, level, pairs[pair], NULL);
            lc_window_steps_count(&steps, LC_WINDOWS_BEFORE_SEARCH);
            for (int odd = 0; odd < 2; odd++) {
                const ready r = {.level = level,
                                 .rules = {pairs[pair][odd], pairs[pair][1 - odd]},
                                 .as = steps.from[odd],
                                 .window[KERNEL_MAP] = steps.window,
                                 .fenced[KERNEL_MAP] = steps.fenced,
                                 .column[KERNEL_MAP] = steps.column};
                check_window(&r, 7 + odd, &d);
                check_fenced(&r, 7 + odd, &d);
                check_column(&r, 7 + odd, &d);
            }
        }
        lc_window_steps_free(&steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_agree),  cmocka_unit_test(test_maps),
        cmocka_unit_test(test_diagrams),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_steps_of_maps),
    };
    return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
