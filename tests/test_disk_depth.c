// How deep passes of a board on disk are chosen: on machines that are made up, and that lose time
// where lightcone does not measure it, a few passes find a depth that is nearly the best one.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/least.h"
#include "cover/disk/disk_board_internal.h"
#include "support.h"
#include "support_universe.h"

static lc_disk_board board_of(int64_t side, int64_t rows, int64_t band_rows)
{
    lc_disk_board s = {.rates = {.live = 1}};
    s.base.asked.rule = LIFE;
    s.base.asked.topology =
        (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side};
    s.lay.way = LC_DISK_BOARD_STRIPS;
    s.lay.rows = rows;
    s.lay.shape.band_rows = band_rows;
    s.lay.shape.pitch_words = (uint64_t)side / 64;
    s.lay.most_depth = (rows - band_rows) / 2 / band_rows * band_rows;
    return s;
}

typedef struct machine {
    double cell_ns, byte_ns, copy_ns;
    double window_ns, pass_ns; // that nobody measures
} machine;

// What a pass takes; and in `rates` what is seen of it.
static double take(const lc_disk_board *s, const machine *m, int64_t depth, uint64_t generations,
                   lc_disk_board_rates *rates)
{
    const double side = (double)s->base.asked.topology.height_cells, rows = (double)s->lay.rows;
    const double inside = rows - 2 * (double)depth, row_bytes = side / 8;
    const double stepping = rows * side * (double)generations * m->cell_ns;
    const double copying = (rows + inside) * row_bytes * m->copy_ns;
    const double moving = (rows + inside) * row_bytes * m->byte_ns;
    double window = stepping + copying > moving ? stepping + copying : moving;
    window += m->window_ns;
    const double all = side / inside * window + moving + m->pass_ns;
    if (rates != NULL) {
        rates->cell_ns = m->cell_ns;
        rates->copy_ns = m->copy_ns;
        // Something was under way for nearly as long as the pass took, if the disk is the slower.
        rates->byte_ns = stepping > moving ? m->byte_ns : m->byte_ns * window / moving;
    }
    return all;
}

static double best(const lc_disk_board *s, const machine *m)
{
    double least = 0;
    const int64_t unit = s->lay.shape.band_rows;
    for (int64_t depth = unit; depth <= s->lay.most_depth; depth += unit) {
        const double ns = take(s, m, depth, (uint64_t)depth, NULL) / (double)depth;
        if (least == 0 || ns < least)
            least = ns;
    }
    return least;
}

static void test_finding(void **state)
{
    dice d = dice_from(test_seed(), 1);
    (void)state;
    for (int n = 0; n < 300; n++) {
        const int64_t side = INT64_C(1) << (14 + dice_below(&d, 7));
        lc_disk_board s = board_of(side, side / 8, lc_greatest(1, (1 << 23) / side));
        const double byte_ns = 1 + (double)dice_below(&d, 100) / 10;
        // From machines on which a generation takes as long as a thousandth of moving the board,
        // to those on which it takes as long as a tenth.
        const machine m = {.byte_ns = byte_ns,
                           .cell_ns = byte_ns / 4 / (10 + (double)dice_below(&d, 1000)),
                           .copy_ns = byte_ns * (double)dice_below(&d, 50) / 100,
                           .window_ns = (double)side * (double)side / 64 * byte_ns *
                                        (double)dice_below(&d, 40) / 100,
                           .pass_ns = (double)side * (double)side / 8 * byte_ns *
                                      (double)dice_below(&d, 20) / 100};
        const uint64_t wanted = 1000000000;
        double ns = 0;
        int64_t depth = 0;
        for (int pass = 0; pass < 12; pass++) {
            uint64_t generations;
            depth = lc_disk_board_choose_depth(&s, wanted, &generations);
            assert_true(generations >= 1 && (int64_t)generations <= depth);
            assert_true(depth <= s.lay.most_depth);
            ns = take(&s, &m, depth, generations, &s.rates);
            lc_disk_board_learn(&s, depth, generations, ns);
            ns /= (double)generations;
        }
        if (ns > 1.1 * best(&s, &m))
            fail_msg("board %d, %" PRId64 " rows high: passes %" PRId64
                     " deep take %.3f times as long as the best",
                     n, side, depth, ns / best(&s, &m));
    }
}

// What is wanted is made in passes of one length, and not in one more for a rest.
static void test_dividing(void **state)
{
    lc_disk_board s = board_of(1 << 16, 1 << 13, 128);
    uint64_t generations;
    (void)state;
    assert_int_equal(lc_disk_board_choose_depth(&s, 1 << 20, &generations), 512);
    assert_int_equal(generations, 512);
    assert_int_equal(lc_disk_board_choose_depth(&s, 513, &generations), 384);
    assert_int_equal(generations, 257);
    assert_int_equal(lc_disk_board_choose_depth(&s, 5, &generations), 128);
    assert_int_equal(generations, 5);
    s.settings.depth = 200;
    assert_int_equal(lc_disk_board_choose_depth(&s, 1000, &generations), 256);
    assert_int_equal(generations, 200);
}

// A pass that took long for once is tried again after some others.
static void test_forgetting(void **state)
{
    lc_disk_board s = board_of(1 << 16, 1 << 13, 128);
    const machine m = {.byte_ns = 1, .cell_ns = 0.001, .copy_ns = 0.1};
    uint64_t generations;
    double usual_ns = 0, ns = 0;
    (void)state;
    for (int pass = 0; pass < 40; pass++) {
        const int64_t depth = lc_disk_board_choose_depth(&s, 1000000, &generations);
        const double all_ns = take(&s, &m, depth, generations, &s.rates);
        lc_disk_board_learn(&s, depth, generations, pass == 20 ? 5 * all_ns : all_ns);
        ns = all_ns / (double)generations;
        if (pass == 19)
            usual_ns = ns;
    }
    assert_true(ns < 1.04 * usual_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_dividing),
        cmocka_unit_test(test_forgetting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
