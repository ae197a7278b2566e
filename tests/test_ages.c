// Ages against counting them cell by cell: whole boards, all surfaces and engines, odd widths,
// irregular looks, edits, and views that move.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "grid/age_stamps.h"
#include "support_ages.h"
#include "support_board.h"
#include "support_facts.h"
#include "support_universe.h"

static void count_universe(counted *c, const lc_universe *u, int64_t x0, int64_t y0)
{
    const double generation = lc_count_to_double(lc_universe_generation(u));
    for (int64_t y = 0; y < c->height; y++)
        for (int64_t x = 0; x < c->width; x++) {
            bool alive;
            assert_int_equal(lc_universe_get(u, x0 + x, y0 + y, &alive, NULL), LC_OK);
            count_cell(c, x, y, alive, generation);
        }
    c->looked = true;
}

// A picture of squares (column, row) ..., of a universe of which cell (0, 0) counts as (dx, dy).
static void compare(lc_ages *ages, const lc_universe *u, const counted *c, int64_t dx, int64_t dy,
                    int64_t column, int64_t row, int log2_side, int64_t width, int64_t height)
{
    const size_t pixels = (size_t)(width * height);
    const double now = lc_count_to_double(lc_universe_generation(u));
    const int64_t side = INT64_C(1) << log2_side;
    uint8_t *codes = malloc(pixels + 1), *tones = malloc(pixels + 1);
    assert_non_null(codes);
    assert_non_null(tones);
    codes[pixels] = tones[pixels] = 77;
    lc_message message = {0};
    if (lc_ages_picture(ages, u, column, row, log2_side, width, height, codes, tones, &message) !=
        LC_OK)
        fail_msg("%s", message.text);
    for (int64_t j = 0; j < height; j++)
        for (int64_t i = 0; i < width; i++) {
            int code, tone;
            counted_square(c, (column + i) * side - dx, (row + j) * side - dy, side, now, &code,
                           &tone);
            const size_t at = (size_t)(j * width + i);
            if (codes[at] != code || tones[at] != tone)
                fail_msg("%s, generation %g, squares of %lld, pixel (%lld, %lld): code %d, tone "
                         "%d, and not %d, %d",
                         lc_universe_info_of(u).engine, now, (long long)side, (long long)i,
                         (long long)j, codes[at], tones[at], code, tone);
        }
    assert_int_equal(codes[pixels], 77);
    assert_int_equal(tones[pixels], 77);
    free(codes);
    free(tones);
}

static void look_everywhere(lc_ages *ages, const lc_universe *u, const counted *c)
{
    compare(ages, u, c, 0, 0, 0, 0, 0, c->width, c->height);
    compare(ages, u, c, 0, 0, -3, -5, 0, c->width + 9, c->height + 70);
    for (int log2 = 1; log2 <= 8; log2++)
        compare(ages, u, c, 0, 0, -1, -2, log2, (c->width >> log2) + 3, (c->height >> log2) + 4);
}

// Boards ------------------------------------------------------------------------------------------

static void check_board(const char *engine, const shape *s, uint64_t number)
{
    static const uint64_t steps[] = {1, 1, 1, 2, 1, 7, 1, 30, 1, 0, 400, 1, 2000};
    checked_board board;
    lc_topology topology;
    lc_message message = {0};
    dice d = dice_from(number, 0);
    if (!topology_of(s->kind, s->width, s->height, &d, &topology))
        return;
    if (checked_board_create(&board, engine, s, LIFE, number, &message) != LC_OK)
        return; // a surface that it does not step
    counted c = counted_create(s->width, s->height);
    lc_ages *ages;
    double generation = 0;
    assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
    count_board(&c, board.oracle, 0);
    look_everywhere(ages, board.universe, &c);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (i % 3 == 2)
            checked_board_edit(&board);
        checked_board_step(&board, steps[i]);
        generation += (double)steps[i];
        count_board(&c, board.oracle, generation);
        if (i % 2 == 0)
            assert_int_equal(lc_ages_note(ages, board.universe, NULL), LC_OK);
        else
            look_everywhere(ages, board.universe, &c);
    }
    look_everywhere(ages, board.universe, &c);
    lc_ages_destroy(&ages);
    assert_null(ages);
    counted_free(&c);
    checked_board_destroy(&board);
}

static void test_boards(void **state)
{
    (void)state;
    static const int64_t widths[] = {1, 3, 63, 64, 65, 130};
    uint64_t number = test_seed();
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    for (int kind = 0; kind < SURFACE_COUNT; kind++)
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            if (number % (uint64_t)test_share() != 0 && test_share() > 1) {
                number++;
                continue;
            }
            const shape s = {(surface)kind, widths[i], kind == SURFACE_SPHERE ? widths[i] : 37};
            check_board(info.name, &s, number++);
        }
}

// The plane ---------------------------------------------------------------------------------------

// A glider leaves a trail; the view moves after it, with and without what it showed before.
static void test_plane(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        const lc_topology plane = infinite_plane;
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .rule = LIFE,
                                             .topology = plane,
                                             .engine = info.name,
                                             .context = test_context()};
        lc_universe *u;
        if (lc_universe_create(&u, &options, NULL) != LC_OK)
            continue;
        assert_int_equal(test_load(u, glider_rle, -5, -4, NULL), LC_OK);
        test_set(u, 40, 40);
        test_set(u, 41, 40);
        test_set(u, 40, 41);
        test_set(u, 41, 41);
        counted c = counted_create(140, 120);
        lc_ages *ages;
        assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
        count_universe(&c, u, -70, -60);
        compare(ages, u, &c, -70, -60, -70, -60, 0, 140, 120);
        for (int i = 0; i < 40; i++) {
            test_step(u, i % 7 == 0 ? 3 : 1);
            count_universe(&c, u, -70, -60);
            compare(ages, u, &c, -70, -60, -70 + i / 2, -60 + i / 2, 0, 140 - i, 120 - i);
        }
        compare(ages, u, &c, -70, -60, -17, -15, 2, 34, 30);
        lc_ages_destroy(&ages);
        counted_free(&c);
        lc_universe_destroy(&u);
    }
}

// What comes into view counts as if it had been as it is since the first look.
static void test_coming_into_view(void **state)
{
    (void)state;
    uint8_t codes[16], far[4];
    lc_universe *u = test_create("sparse", LIFE, infinite_plane, 0);
    for (int i = 0; i < 4; i++) {
        test_set(u, i % 2, i / 2);
        test_set(u, 100000 + i % 2, i / 2);
    }
    lc_ages *ages;
    assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
    assert_int_equal(lc_ages_picture(ages, u, 0, 0, 0, 4, 4, codes, NULL, NULL), LC_OK);
    assert_int_equal(codes[0], 128);
    assert_int_equal(codes[2], 0);
    test_step(u, 15);
    assert_int_equal(lc_ages_picture(ages, u, 0, 0, 0, 4, 4, codes, NULL, NULL), LC_OK);
    assert_int_equal(codes[5], 128 + 32);
    assert_int_equal(lc_ages_picture(ages, u, 100000, 0, 0, 4, 4, codes, NULL, NULL), LC_OK);
    assert_int_equal(codes[5], 128 + 32);
    assert_int_equal(codes[3], 0);
    // Edited cells are new; those that were deleted leave a trail.
    assert_int_equal(lc_universe_set(u, 100003, 3, true, NULL), LC_OK);
    assert_int_equal(lc_universe_set(u, 100000, 0, false, NULL), LC_OK);
    assert_int_equal(lc_ages_picture(ages, u, 100000, 0, 0, 4, 4, codes, NULL, NULL), LC_OK);
    assert_int_equal(codes[15], 128);
    assert_int_equal(codes[0], 127);
    assert_int_equal(codes[1], 128 + 32);
    // From very far away pixels are taken for cells, and nothing breaks on the way.
    assert_int_equal(lc_ages_picture(ages, u, -1, -1, 40, 2, 2, far, NULL, NULL), LC_OK);
    assert_true(far[3] >= 128);
    assert_int_equal(far[0], 0);
    // Going back is a first look, and so is forgetting.
    lc_universe_set_generation(u, lc_count_of(3));
    assert_int_equal(lc_ages_picture(ages, u, 100000, 0, 0, 4, 4, codes, NULL, NULL), LC_OK);
    assert_int_equal(codes[1], 128);
    assert_int_equal(codes[0], 0);
    lc_ages_forget(ages);
    assert_int_equal(lc_ages_note(ages, u, NULL), LC_OK);
    assert_int_equal(lc_ages_picture(ages, u, 0, 0, 0, 4, 4, codes, NULL, NULL), LC_OK);
    assert_int_equal(codes[0], 128);
    lc_message message = {0};
    assert_int_equal(lc_ages_picture(ages, u, 0, 0, -1, 4, 4, codes, NULL, &message),
                     LC_ERROR_ARGUMENT);
    lc_ages_destroy(&ages);
    lc_ages_destroy(&ages);
    lc_universe_destroy(&u);
}

// A board of more cells than are known one by one: a pixel is as old as its tone.
static void test_large_board(void **state)
{
    (void)state;
    enum { SIDE = 8192, LOG2 = 7, PIXELS = SIDE >> LOG2 };
    static uint8_t codes[PIXELS * PIXELS], tones[PIXELS * PIXELS], last[PIXELS * PIXELS];
    static int changed[PIXELS * PIXELS]; // the generation; -1: never alive
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = SIDE, .height_cells = SIDE};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, SIDE / 2, 700, 0.3, 5, NULL), LC_OK);
    assert_int_equal(test_load(u, glider_rle, 5000, 5000, NULL), LC_OK);
    lc_ages *ages;
    assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
    for (int look = 0; look < 12; look++) {
        const int now = (int)test_generation(u);
        lc_message message = {0};
        if (lc_ages_picture(ages, u, 0, 0, LOG2, PIXELS, PIXELS, codes, tones, &message) != LC_OK)
            fail_msg("%s", message.text);
        static uint8_t seen[PIXELS * PIXELS];
        assert_int_equal(lc_universe_picture(u, 0, 0, 1 << LOG2, PIXELS, PIXELS, seen, &message),
                         LC_OK);
        assert_memory_equal(tones, seen, sizeof seen);
        for (int i = 0; i < PIXELS * PIXELS; i++) {
            if (look == 0)
                changed[i] = tones[i] != 0 ? now : -1;
            else if (tones[i] != last[i])
                changed[i] = now;
            assert_int_equal(codes[i],
                             changed[i] < 0 ? 0 : counted_code(tones[i] != 0, now - changed[i]));
        }
        memcpy(last, tones, sizeof last);
        test_step(u, look < 6 ? 1 : 60);
    }
    lc_ages_destroy(&ages);
    lc_universe_destroy(&u);
}

// The clock ---------------------------------------------------------------------------------------

// When ticks run out old ones become one: order, the first look and all that is fresh stay.
static void test_merging_ticks(void **state)
{
    (void)state;
    static lc_age_clock clock;
    static uint16_t merged[LC_AGE_TICKS];
    double generation = 100;
    int merges = 0;
    clock.now = 0;
    for (int i = 0; i < 5 * LC_AGE_TICKS; i++) {
        generation += 1 + i % 3;
        if (lc_age_clock_tick(&clock, generation)) {
            const double oldest = clock.generation[1], newest = clock.generation[clock.now];
            const int was = clock.now;
            static double before[LC_AGE_TICKS];
            memcpy(before, clock.generation, sizeof before);
            lc_age_clock_merge(&clock, merged);
            merges++;
            assert_true(clock.now < LC_AGE_TICKS - 2000);
            assert_true(clock.generation[1] == oldest);
            assert_true(clock.generation[clock.now] == newest);
            assert_int_equal(merged[0], 0);
            assert_int_equal(merged[was], clock.now);
            for (int tick = 1; tick <= was; tick++) {
                assert_true(merged[tick] >= merged[tick - 1] && merged[tick] >= 1);
                const double now = clock.generation[merged[tick]];
                assert_true(now <= before[tick]);
                if (tick > was - LC_AGE_FRESH_TICKS)
                    assert_true(now == before[tick]);
                else
                    assert_true((before[tick] - now) * 200 <= newest - before[tick]);
            }
            assert_false(lc_age_clock_tick(&clock, generation));
        }
        assert_true(clock.generation[clock.now] == generation);
        assert_false(lc_age_clock_tick(&clock, generation)); // the same look
    }
    assert_true(merges > 3);
    lc_age_clock_code(&clock);
    for (int tick = 1; tick <= clock.now; tick += 97)
        for (int alive = 0; alive < 2; alive++)
            assert_int_equal(clock.codes[alive][tick],
                             counted_code(alive, generation - clock.generation[tick]));
    for (int age = 0; age < 100000; age += 1 + age / 50)
        for (int alive = 0; alive < 2; alive++)
            assert_int_equal(lc_age_code(alive, age), counted_code(alive, age));
}

static lc_universe *block(void)
{
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 32, .height_cells = 8};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    for (int i = 0; i < 4; i++)
        test_set(u, i % 2, i / 2);
    return u;
}

// The same in a universe: more looks than there are ticks.
static void test_many_looks(void **state)
{
    (void)state;
    uint8_t codes[64];
    lc_universe *u = block();
    lc_ages *ages;
    assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
    for (int i = 0; i < LC_AGE_TICKS + 100; i++) {
        assert_int_equal(lc_ages_picture(ages, u, 0, 0, 0, 8, 8, codes, NULL, NULL), LC_OK);
        if (codes[0] != counted_code(true, i) || codes[63] != 0)
            fail_msg("look %d: %d and %d", i, codes[0], codes[63]);
        test_step(u, 1);
    }
    lc_ages_destroy(&ages);
    lc_universe_destroy(&u);
}

// No memory: an error, and afterwards a first look.
static void test_no_memory(void **state)
{
    (void)state;
    uint8_t codes[64];
    lc_universe *u = block();
    for (int log2 = 0; log2 < 2; log2++)
        for (uint64_t n = 1;; n++) {
            lc_ages *ages = NULL;
            lc_message message = {0};
            lc_fail_allocation(n);
            lc_status status = lc_ages_create(&ages, &message);
            if (status == LC_OK)
                status = lc_ages_picture(ages, u, 0, 0, log2, 8, 8, codes, NULL, &message);
            lc_fail_allocation(0);
            if (status == LC_OK) {
                lc_ages_destroy(&ages);
                assert_true(n > 4);
                break;
            }
            assert_int_equal(status, LC_ERROR_MEMORY);
            assert_true(message.text[0] != '\0');
            if (ages != NULL) {
                assert_int_equal(lc_ages_picture(ages, u, 0, 0, 0, 8, 8, codes, NULL, NULL), LC_OK);
                assert_int_equal(codes[0], 128);
            }
            lc_ages_destroy(&ages);
        }
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boards),           cmocka_unit_test(test_plane),
        cmocka_unit_test(test_coming_into_view), cmocka_unit_test(test_large_board),
        cmocka_unit_test(test_merging_ticks),    cmocka_unit_test(test_many_looks),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
