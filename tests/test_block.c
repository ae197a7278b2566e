// The block of an unbounded universe, from within: what it may take while it grows, how far apart
// life may be, and how much room there is round it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_universe.h"

static const char spreading[] = "B12345/S012345678"; // a cell a generation

static uint64_t bytes_of(const lc_universe *u, int64_t width, int64_t height)
{
    lc_engine_config config = block_of(u)->config;
    uint64_t bytes;
    config.frame.width_cells = width;
    config.frame.height_cells = height;
    assert_int_equal(block_of(u)->vtable->check(&config, &bytes, NULL), LC_OK);
    return bytes;
}

static bool same_area(lc_area a, lc_area b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

// A new block needs room beside the old one, since both are there while cells are copied: exactly
// that much memory will do, and a byte less will not.
static void test_room_for_two(void **state)
{
    (void)state;
    for (uint64_t missing = 0; missing < 2; missing++) {
        lc_message message = {0};
        lc_universe *u = test_create("scalar", LIFE, infinite_plane, 0);
        test_set(u, 0, 0);
        const lc_area before = area_of(u);
        const uint64_t held = block_of(u)->bytes;
        assert_int_equal(held, bytes_of(u, before.x1 - before.x0, before.y1 - before.y0));
        // The least block that holds both cells is 5001 x 1, rounded up to 64 and to 16.
        const uint64_t needed = bytes_of(u, 5056, 16);
        u->cover->asked.max_memory_bytes = held + needed - missing;
        const lc_status status = lc_universe_set(u, 5000, 0, true, &message);
        if (missing == 0) {
            assert_int_equal(status, LC_OK);
            assert_int_equal(test_population(u), 2);
            assert_int_equal(block_of(u)->bytes, needed);
        } else {
            char both[LC_SIZE_TEXT_BYTES];
            assert_int_equal(status, LC_ERROR_LIMIT);
            assert_non_null(strstr(message.text, "out of memory: copying the cells to a block of"));
            assert_non_null(strstr(message.text, lc_size_text(held + needed, both)));
            assert_int_equal(test_population(u), 1);
            assert_true(same_area(area_of(u), before));
        }
        u->cover->asked.max_memory_bytes = 0;
        test_step(u, 10);
        lc_universe_destroy(&u);
    }
}

// The same all along a run that ends at the limit.
static void test_growing_within_the_limit(void **state)
{
    (void)state;
    for (uint64_t percent = 210; percent < 600; percent += percent / 3) {
        lc_message message = {0};
        lc_universe *u = test_create("scalar", rule_of(spreading), infinite_plane, 0);
        test_set(u, 7, -7);
        u->cover->asked.max_memory_bytes = bytes_of(u, 448, 448) * percent / 100;
        lc_status status;
        unsigned grown = 0;
        do {
            const lc_area before = area_of(u);
            const uint64_t held = block_of(u)->bytes;
            status = lc_universe_step(u, lc_count_of(1), NULL, NULL, &message);
            if (!same_area(area_of(u), before)) {
                grown++;
                if (held + block_of(u)->bytes > u->cover->asked.max_memory_bytes)
                    fail_msg("generation %" PRIu64 ": %" PRIu64 " and %" PRIu64
                             " bytes, limit %" PRIu64,
                             test_generation(u), held, block_of(u)->bytes,
                             u->cover->asked.max_memory_bytes);
            }
        } while (status == LC_OK);
        assert_int_equal(status, LC_ERROR_LIMIT);
        assert_true(grown > 0);
        const int64_t side = 1 + 2 * (int64_t)test_generation(u);
        assert_int_equal(test_population(u), side * side);
        lc_universe_destroy(&u);
    }
}

// Sums of a block's coordinates and margins must stay within 64 bits, however far apart two cells
// are: so a side is refused as soon as it is longer than 2^60, before anything is added to it.
static void test_extents(void **state)
{
    (void)state;
    const int64_t most = INT64_C(1) << 60, end = LC_UNIVERSE_REACH;
    const struct {
        int64_t from, to;
    } pairs[] = {{0, most - 65}, {0, most - 1},     {0, most},          {0, most + 1},
                 {-most, most},  {end - most, end}, {-end, most - end}, {-end, 0},
                 {0, end},       {-end / 2, end},   {-end, end / 2},    {-end, end - 64},
                 {1 - end, end}, {-end, end - 1},   {-end, end}};
    for (int upright = 0; upright < 2; upright++) {
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            lc_message message = {0};
            char expected[100];
            lc_universe *u = test_create("scalar", LIFE, infinite_plane, 0);
            const int64_t from = pairs[i].from, to = pairs[i].to;
            test_set(u, upright ? 0 : from, upright ? from : 0);
            const lc_area before = area_of(u);
            assert_int_equal(lc_universe_set(u, upright ? 0 : to, upright ? to : 0, true, &message),
                             LC_ERROR_LIMIT);
            const uint64_t extent = (uint64_t)to - (uint64_t)from + 1;
            (void)snprintf(expected, sizeof expected,
                           upright ? "1 x %" PRIu64 " cells are more than any memory could hold"
                                   : "%" PRIu64 " x 1 cells are more than any memory could hold",
                           extent);
            // What is not refused at once does not fit either, with the size that it would have.
            assert_non_null(strstr(message.text, "more than any memory could hold"));
            assert_int_equal(strcmp(message.text, expected) == 0, extent > (uint64_t)most);
            assert_true(same_area(area_of(u), before));
            assert_int_equal(test_population(u), 1);
            // At the very end of the coordinates nothing can be born beyond them.
            const bool at_the_end = from == end || from == -end;
            assert_int_equal(lc_universe_step(u, lc_count_of(1), NULL, NULL, &message),
                             at_the_end ? LC_ERROR_LIMIT : LC_OK);
            lc_universe_destroy(&u);
        }
    }
}

// The widest gap between a square of life round (1000, -1000) and a side of its block.
static int64_t widest_gap(lc_area block, int64_t reach)
{
    const int64_t gaps[] = {1000 - reach - block.x0, block.x1 - 1 - 1000 - reach,
                            -1000 - reach - block.y0, block.y1 - 1 + 1000 - reach};
    int64_t widest = gaps[0];
    for (int i = 1; i < 4; i++)
        widest = gaps[i] > widest ? gaps[i] : widest;
    return widest;
}

// Life has room round it from the beginning, and on a side that has become too narrow it gets so
// much that the next block is not due soon: a quarter of its own size, and 192 cells at least.
static void test_margins(void **state)
{
    (void)state;
    enum { GENERATIONS = 700 };
    lc_universe *u = test_create("scalar", rule_of(spreading), infinite_plane, 0);
    test_set(u, 1000, -1000);
    lc_area block = area_of(u);
    assert_true(block.x0 <= 1000 - 192 && block.x1 > 1000 + 192);
    assert_true(block.y0 <= -1000 - 192 && block.y1 > -1000 + 192);
    unsigned grown = 0;
    for (int64_t reach = 0; reach < GENERATIONS; reach++) { // what life has when a block is made
        test_step(u, 1);
        if (same_area(area_of(u), block))
            continue;
        block = area_of(u);
        const int64_t quarter = (1 + 2 * reach) / 4;
        assert_true(widest_gap(block, reach) >= (quarter > 192 ? quarter : 192));
        grown++;
    }
    assert_in_range(grown, 3, 4 * GENERATIONS / 192);
    lc_universe_destroy(&u);
}

// An engine says by itself that a board has more cells than memory can.
static void test_too_large(void **state)
{
    (void)state;
    const lc_engine_config config = {
        .engine = &lc_engine_scalar,
        .rule = LIFE,
        .frame = {.width_cells = INT64_C(1) << 40, .height_cells = INT64_C(1) << 40}};
    lc_engine *engine;
    lc_message message;
    assert_int_equal(lc_engine_scalar.create(&engine, &config, &message), LC_ERROR_LIMIT);
    assert_null(engine);
    assert_non_null(strstr(message.text, "a board of 1099511627776 x 1099511627776 cells"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margins),      cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_room_for_two), cmocka_unit_test(test_growing_within_the_limit),
        cmocka_unit_test(test_extents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
