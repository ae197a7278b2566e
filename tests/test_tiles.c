// The map of tiles: whatever is done to a universe, what it gives is what the cells give. And the
// picture of a pass in the making: each tile as before the pass or as after it, and never back
// again.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

enum { SQUARES_MAX = 600, SIDE = 64, TILES = 4 };

typedef struct view {
    int64_t x, y, side, width, height;
} view;

static void look(const lc_universe *u, const view *v, uint32_t *counts)
{
    lc_message message = {0};
    memset(counts, 0xA5, (size_t)(v->width * v->height) * sizeof *counts);
    if (lc_universe_counts(u, v->x, v->y, v->side, v->width, v->height, counts, &message) != LC_OK)
        fail_msg("%s", message.text);
}

static void check_picture(const lc_universe *u, const view *v, const uint32_t *counts)
{
    test_picture(u, v->x, v->y, v->side, v->width, v->height, counts);
}

// What a picture in a watch is made of, to the cell: the engine is asked, and the picture shows
// that.
static void look_forming(const lc_universe *u, const view *v, uint32_t *counts)
{
    const lc_view squares = {.x = v->x - block_of(u)->x,
                             .y = v->y - block_of(u)->y,
                             .log2_side = __builtin_ctzll((uint64_t)v->side),
                             .width = v->width,
                             .height = v->height,
                             .counts = counts,
                             .forming = true};
    memset(counts, 0xA5, (size_t)(v->width * v->height) * sizeof *counts);
    assert_int_equal(block_of(u)->vtable->view(block_of(u)->engine, &squares, NULL), LC_OK);
    check_picture(u, v, counts);
}

// The same without anything of the engine's own.
static void count_cells(lc_universe *u, const view *v, uint32_t *counts)
{
    const lc_engine_vtable *with = block_of(u)->vtable;
    lc_engine_vtable without = *with;
    without.view = NULL;
    block_of(u)->vtable = &without;
    look(u, v, counts);
    block_of(u)->vtable = with;
}

static int64_t block_rows(const lc_universe *u)
{
    return block_of(u)->config.topology.height_cells;
}

// Some view of whole tiles: of all of the board, and mostly more, or of a part of it.
static view some_view(const lc_universe *u, dice *d)
{
    const int64_t columns = block_of(u)->config.topology.width_cells, rows = block_rows(u);
    view v = {.side = (int64_t)SIDE << dice_below(d, dice_below(d, 4) == 0 ? 10 : 3)};
    v.x = (block_of(u)->x & ~INT64_C(63)) - 64 * dice_below(d, 4);
    v.y = (block_of(u)->y & ~INT64_C(15)) - 16 * dice_below(d, 20);
    if (dice_below(d, 3) == 0) {
        v.x += dice_below(d, columns + 100) & ~INT64_C(63);
        v.y += dice_below(d, rows + 100) & ~INT64_C(15);
    }
    v.width = 1 + (columns + dice_below(d, 200)) / v.side;
    v.height = 1 + (rows + dice_below(d, 200)) / v.side;
    while (v.width * v.height > SQUARES_MAX) {
        v.width = (v.width + 1) / 2;
        v.height = (v.height + 1) / 2;
    }
    return v;
}

static void compare(lc_universe *u, dice *d)
{
    uint32_t counts[SQUARES_MAX], expected[SQUARES_MAX];
    const view v = some_view(u, d);
    count_cells(u, &v, expected);
    if (dice_below(d, 2) == 0) // either may be the one that finds no map
        check_picture(u, &v, expected);
    look(u, &v, counts);
    if (memcmp(counts, expected, (size_t)(v.width * v.height) * sizeof *counts) != 0)
        fail_msg("%" PRId64 " x %" PRId64 " cells, %" PRId64 " x %" PRId64 " squares of %" PRId64
                 " at (%" PRId64 ", %" PRId64 "), seed %" PRIu64,
                 block_of(u)->config.topology.width_cells, block_rows(u), v.width, v.height, v.side,
                 v.x, v.y, test_seed());
    check_picture(u, &v, expected);
    uint64_t population = 0;
    for (int64_t y = 0; y < block_rows(u); y++) {
        uint64_t row[200];
        const int64_t width = block_of(u)->config.topology.width_cells;
        assert_true(width <= 64 * 200);
        const lc_cells cells = lc_row_cells(0, y, width, row);
        assert_int_equal(block_of(u)->vtable->read(block_of(u)->engine, &cells, NULL), LC_OK);
        for (int64_t i = 0; i < (width + 63) / 64; i++)
            population += (uint64_t)__builtin_popcountll(row[i]);
    }
    assert_int_equal(test_population(u), population);
}

static bool give_up(void *context, const lc_universe *universe)
{
    (void)universe;
    return --*(int *)context == 0;
}

// Steps, passes that are given up, cells that are set, in any order.
static void do_something(lc_universe *u, dice *d)
{
    const int64_t width = u->topology.width_cells ? u->topology.width_cells : 300;
    const int64_t height = u->topology.height_cells ? u->topology.height_cells : 200;
    const int64_t x = dice_below(d, width), y = dice_below(d, height);
    int left = 1 + (int)dice_below(d, 4);
    switch (dice_below(d, 6)) {
    case 0:
        assert_int_equal(lc_universe_set(u, x, y, !test_get(u, x, y), NULL), LC_OK);
        break;
    case 1:
        assert_int_equal(lc_universe_soup(u, x, y, width - x, height - y, 0.5, dice_word(d), NULL),
                         LC_OK);
        break;
    case 2: {
        lc_universe_set_watch(u, give_up, &left, 0);
        const lc_status status = lc_universe_step(u, lc_count_of(128), NULL, NULL, NULL);
        assert_true(status == LC_OK || status == LC_ERROR_STOPPED);
        lc_universe_set_watch(u, NULL, NULL, 0);
        break;
    }
    default:
        test_step(u, (uint64_t)(1 + dice_below(d, 140)));
        break;
    }
}

static void test_bounded_universes(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1},    {63, 47},  {64, 48},   {65, 49},  {200, 16},
                                       {130, 17}, {513, 15}, {600, 600}, {640, 31}, {9000, 100}};
    const size_t size_count = sizeof sizes / sizeof *sizes;
    dice d = dice_from(test_seed(), 1);
    lc_cpu_level_info level;
    size_t n = 0;
    for (size_t l = 0; lc_cpu_level_at(l, &level); l++) {
        for (surface kind = 0; kind < SURFACE_COUNT && level.available; kind++) {
            for (size_t i = 0; i < (test_full() ? size_count : 2); i++) {
                const int64_t *size = sizes[n++ % size_count];
                lc_topology t;
                if (!topology_of(kind, size[0], kind == SURFACE_SPHERE ? size[0] : size[1], &d, &t))
                    continue;
                if (t.height_cells > 1000) // a sphere of 9000 x 9000
                    continue;
                lc_universe *u =
                    test_create_soup(&t, rule_at(n % 4, 1), level.name, 1 + (int)dice_below(&d, 3));
                for (int round = 0; round < 12; round++) {
                    compare(u, &d);
                    if (round == 6) // nobody looks for a while
                        test_step(u, 1500);
                    do_something(u, &d);
                }
                compare(u, &d);
                lc_universe_destroy(&u);
            }
        }
    }
}

// Blocks that move, and rules with B0, that take turns.
static void test_unbounded_universes(void **state)
{
    (void)state;
    const lc_rule *blinking = rule_of("B03/S23");
    const lc_topology shapes[] = {infinite_plane,
                                  {.kind = LC_TOPOLOGY_TORUS, .width_cells = 333},
                                  {.kind = LC_TOPOLOGY_TORUS, .height_cells = 77}};
    dice d = dice_from(test_seed(), 2);
    for (int i = 0; i < 6; i++) {
        lc_universe *u = test_create_soup(&shapes[i / 2], i % 2 ? blinking : LIFE, "auto", 2);
        for (int round = 0; round < 25; round++) {
            compare(u, &d);
            do_something(u, &d);
        }
        assert_int_equal(block_of(u)->x % 64, 0);
        assert_int_equal(block_of(u)->y % 16, 0);
        lc_universe_destroy(&u);
    }
}

// The picture of a pass in the making ------------------------------------------------------------

typedef struct scene_of_pass {
    view v;
    uint32_t before[SQUARES_MAX], shown[SQUARES_MAX];
    // What each tile of each square was before the pass and is after it.
    uint32_t tile_before[SQUARES_MAX][TILES], tile_after[SQUARES_MAX][TILES];
    bool after[SQUARES_MAX]; // has been seen to be wholly as after the pass
    int looks, ahead;        // how many looks, and how many showed something new
} scene_of_pass;

static void count_tiles(const lc_universe *u, const view *v, uint32_t (*tiles)[TILES])
{
    for (int64_t i = 0; i < v->width * v->height; i++)
        for (int64_t tile = 0; tile < TILES; tile++) {
            tiles[i][tile] = 0;
            for (int64_t row = 0; row < SIDE / TILES; row++) {
                uint64_t word;
                assert_int_equal(
                    test_read_row(u, v->x + i % v->width * SIDE,
                                  v->y + i / v->width * SIDE + tile * (SIDE / TILES) + row, 64,
                                  &word),
                    LC_OK);
                tiles[i][tile] += (uint32_t)__builtin_popcountll(word);
            }
        }
}

// Of the 16 ways to take each tile from before or after: the numbers of those that give what is
// shown, as bits.
static unsigned ways(const scene_of_pass *s, int64_t i)
{
    unsigned found = 0;
    for (unsigned way = 0; way < 1u << TILES; way++) {
        uint32_t sum = 0;
        for (int tile = 0; tile < TILES; tile++)
            sum += way >> tile & 1 ? s->tile_after[i][tile] : s->tile_before[i][tile];
        found |= (unsigned)(sum == s->shown[i]) << way;
    }
    return found;
}

static bool see(void *context, const lc_universe *u)
{
    scene_of_pass *s = context;
    uint32_t counts[SQUARES_MAX];
    const size_t size = (size_t)(s->v.width * s->v.height) * sizeof *counts;
    look_forming(u, &s->v, s->shown);
    for (int64_t i = 0; i < s->v.width * s->v.height; i++) {
        const unsigned found = ways(s, i), all = 1u << ((1u << TILES) - 1);
        assert_true(found != 0);
        assert_true(!s->after[i] || (found & all) != 0); // never back
        s->after[i] = s->after[i] || found == all;
    }
    s->looks++;
    s->ahead += memcmp(s->shown, s->before, size) != 0;
    // Everything else shows the universe before the pass.
    look(u, &s->v, counts);
    assert_memory_equal(counts, s->before, size);
    view other = s->v;
    for (int kind = 0; kind < 3; kind++) {
        uint32_t expected[SQUARES_MAX];
        other = s->v;
        other.x += kind == 0;
        other.y += kind == 1;
        other.side = kind == 2 ? SIDE / 2 : SIDE;
        look(u, &other, expected);
        look_forming(u, &other, counts);
        assert_memory_equal(counts, expected, size);
    }
    return false;
}

static bool stop(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)context;
    (void)universe;
    (void)done;
    (void)total;
    return true;
}

static void test_forming(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1500, 1500}, {1024, 1024}, {333, 1400}, {6000, 333}};
    scene_of_pass *s = calloc(1, sizeof *s);
    assert_non_null(s);
    lc_cpu_level_info level;
    for (size_t l = 0; lc_cpu_level_at(l, &level); l++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes && level.available; i++) {
            const lc_topology t = {.kind = i % 2 ? LC_TOPOLOGY_TORUS : LC_TOPOLOGY_PLANE,
                                   .width_cells = sizes[i][0],
                                   .height_cells = sizes[i][1]};
            lc_universe *u = test_create_soup(&t, LIFE, level.name, 1 + (int)(i % 3));
            lc_universe *later = test_create_soup(&t, LIFE, level.name, 1 + (int)(i % 3));
            s->v = (view){0, 0, SIDE, t.width_cells / SIDE + 1, t.height_cells / SIDE + 1};
            look(u, &s->v, s->before); // so that passes count
            for (int pass = 0; pass < 4; pass++) {
                // One pass, of as many generations as it likes or of few.
                assert_int_equal(
                    lc_universe_step(later, lc_count_of(pass % 2 ? 5 : 128), stop, NULL, NULL),
                    LC_ERROR_STOPPED);
                const uint64_t generations = test_generation(later) - test_generation(u);
                memset(s->after, 0, sizeof s->after);
                s->looks = s->ahead = 0;
                count_tiles(u, &s->v, s->tile_before);
                count_tiles(later, &s->v, s->tile_after);
                count_cells(u, &s->v, s->before);
                lc_universe_set_watch(u, see, s, 0);
                test_step(u, generations);
                assert_true(s->looks > 5 && s->ahead > s->looks / 4);
                // At the end the whole map is that of the cells.
                look(u, &s->v, s->shown);
                count_cells(u, &s->v, s->before);
                assert_memory_equal(s->shown, s->before, sizeof s->before);
            }
            lc_universe_destroy(&u);
            lc_universe_destroy(&later);
        }
    }
    free(s);
}

// Where two backgrounds take turns a pass is not mixed with what was before it.
static bool see_background(void *context, const lc_universe *u)
{
    uint32_t before[100];
    const view v = {-64, -64, 64, 10, 10};
    look(u, &v, before);
    check_picture(u, &v, before);
    (*(int *)context)++;
    return false;
}

static void test_backgrounds_do_not_mix(void **state)
{
    (void)state;
    const lc_rule *blinking = rule_of("B03/S23");
    lc_universe *u = test_create_soup(&infinite_plane, blinking, "auto", 2);
    int looks = 0;
    lc_universe_set_watch(u, see_background, &looks, 0);
    test_step(u, 20);
    assert_true(looks > 20);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounded_universes),
        cmocka_unit_test(test_unbounded_universes),
        cmocka_unit_test(test_forming),
        cmocka_unit_test(test_backgrounds_do_not_mix),
    };
    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
