// The oracle itself, before anything is compared with it: its surfaces are Golly's, its three ways
// to a result (rings, unfolding, light cones) agree; and the halos of src/grid are its surfaces
// too.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "grid/topology.h"
#include "oracle.h"
#include "support.h"

// Golly's help draws a small board of each surface with its ring of border cells. The same here,
// but for the shifted Klein bottles: the help draws their shift to the other side from what the
// program (Golly 3.3) does, and results are compared with the program.
static void test_rings_are_gollys(void **state)
{
    (void)state;
    static const struct {
        lc_topology topology;
        const char *rows;
    } drawn[] = {
        {{LC_TOPOLOGY_PLANE, 4, 3, 0, 0, false, false}, "...... .ABCD. .EFGH. .IJKL. ......"},
        {{LC_TOPOLOGY_TORUS, 4, 3, 0, 0, false, false}, "LIJKLI DABCDA HEFGHE LIJKLI DABCDA"},
        {{LC_TOPOLOGY_TORUS, 4, 3, 1, 0, false, false}, "KLIJKL DABCDA HEFGHE LIJKLI ABCDAB"},
        {{LC_TOPOLOGY_TORUS, 4, 3, 0, 1, false, false}, "HIJKLA LABCDE DEFGHI HIJKLA LABCDE"},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 0, 0, true, false}, "ILKJIL DABCDA HEFGHE LIJKLI ADCBAD"},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 0, 0, false, true}, "DIJKLA LABCDI HEFGHE DIJKLA LABCDI"},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 1, 0, true, false}, "LKJILK DABCDA HEFGHE LIJKLI DCBADC"},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 3, 4, 0, 1, false, true},
         "LJKLJ IABCG FDEFD CGHIA LJKLJ IABCG"},
        {{LC_TOPOLOGY_CROSS_SURFACE, 4, 3, 0, 0, false, false},
         "ALKJID LABCDI HEFGHE DIJKLA IDCBAL"},
        {{LC_TOPOLOGY_SPHERE, 3, 3, 0, 0, false, false}, "AADGC AABCG BDEFH CGHII GCFII"},
    };
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        const lc_topology *t = &drawn[i].topology;
        const char *letter = drawn[i].rows;
        for (int64_t row = -1; row <= t->height_cells; row++) {
            for (int64_t column = -1; column <= t->width_cells; column++) {
                int64_t x = column, y = row;
                char shown = '.';
                if (oracle_ring(t, &x, &y))
                    shown = (char)('A' + y * t->width_cells + x);
                if (shown != *letter)
                    fail_msg("drawing %zu, cell (%" PRId64 ", %" PRId64 "): %c for %c", i, column,
                             row, shown, *letter);
                letter++;
            }
            letter += *letter == ' ';
        }
        assert_int_equal(*letter, '\0');
    }
}

// Crossing edges one by one gives what the table says, on every small board.
static void test_unfolding_gives_the_rings(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    for (int64_t w = 1; w <= 9; w++) {
        for (int64_t h = 1; h <= 9; h++) {
            for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
                lc_topology topology;
                if (!topology_of(kind, w, h, &d, &topology))
                    continue;
                for (int64_t y = -1; y <= h; y++) {
                    for (int64_t x = -1; x <= w; x++) {
                        int64_t ring_x = x, ring_y = y, far_x = x, far_y = y;
                        const bool ring = oracle_ring(&topology, &ring_x, &ring_y);
                        assert_int_equal(ring, oracle_unfold(&topology, &far_x, &far_y));
                        if (ring && (ring_x != far_x || ring_y != far_y))
                            fail_msg("surface %d, %" PRId64 " x %" PRId64 ", (%" PRId64 ", %" PRId64
                                     "): ring (%" PRId64 ", %" PRId64 "), unfolded (%" PRId64
                                     ", %" PRId64 ")",
                                     (int)kind, w, h, x, y, ring_x, ring_y, far_x, far_y);
                    }
                }
            }
        }
    }
}

static bool oracle_cell(void *context, int64_t x, int64_t y)
{
    return oracle_row(context, y)[x] != 0;
}

// Light cones, many times as wide as the board, against the board stepped with its ring.
static void test_windows_give_the_rings(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (size_t i = 0; i < 400; i++) {
        const int64_t w = 1 + dice_below(&d, 12);
        const int64_t h = i % 3 == 0 ? w : 1 + dice_below(&d, 12);
        lc_topology topology;
        if (!topology_of((surface)(i % SURFACE_COUNT), w, h, &d, &topology))
            continue;
        const lc_rule rule = rule_at((size_t)dice_below(&d, 40), test_seed());
        const int64_t generations = dice_below(&d, 20);
        oracle *board = oracle_create(w, h, rule, &topology);
        fill_board(board, FILL_RANDOM, test_seed() + i);
        uint8_t window[12 * 12], stepped[12 * 12];
        oracle_window(rule, &topology, 0, 0, w, h, generations, oracle_cell, board, window);
        oracle_step(board, (uint64_t)generations);
        for (int64_t y = 0; y < h; y++)
            memcpy(stepped + y * w, oracle_row(board, y), (size_t)w);
        const scene where = {"oracle", NULL,     1,    test_seed(), w,
                             h,        topology, rule, "random",    (uint64_t)generations};
        const bool same = bytes_equal(stepped, window, 0, 0, w, h, &where);
        oracle_destroy(board);
        assert_true(same);
    }
}

// The halo that engines are given, at any depth up to several boards, against the oracle's way
// round the edges. The halo held something else before.
static void test_halos(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 12);
    for (size_t i = 0; i < 600; i++) {
        const surface kind = (surface)(i % SURFACE_COUNT);
        const int64_t w = 1 + dice_below(&d, i % 5 == 0 ? 400 : 130);
        const int64_t h = kind == SURFACE_SPHERE ? w : 1 + dice_below(&d, 60);
        const int64_t depth = dice_below(&d, i % 3 == 0 ? 140 : 34);
        lc_topology topology;
        if (!topology_of(kind, w, h, &d, &topology))
            continue;
        lc_grid grid;
        assert_int_equal(lc_grid_init(&grid, NULL, w, h, depth, depth), LC_OK);
        for (int64_t y = -depth; y < h + depth; y++)
            for (int64_t k = 0; k < (w + depth + 63) / 64 && k < (w + grid.right_cells) / 64; k++)
                lc_grid_row(&grid, y)[k] = dice_word(&d);
        oracle *board = oracle_create(w, h, LIFE, &topology);
        for (int64_t y = 0; y < h; y++)
            for (int64_t x = 0; x < w; x++)
                oracle_row(board, y)[x] = lc_grid_get(&grid, x, y);
        const lc_halo halo = {&topology, depth, LC_HALO_ALL};
        const size_t tasks = lc_halo_tasks(&grid, &halo);
        for (size_t task = tasks; task-- > 0;)
            lc_halo_fill(&grid, &halo, task);
        for (int64_t y = -depth; y < h + depth; y++) {
            for (int64_t x = -depth; x < w + depth; x++) {
                int64_t from_x = x, from_y = y;
                bool alive = oracle_unfold(&topology, &from_x, &from_y) &&
                             oracle_row(board, from_y)[from_x] != 0;
                if (lc_grid_get(&grid, x, y) != alive) {
                    const scene where = {"halo", NULL,     1,    test_seed(), w,
                                         h,      topology, LIFE, "random",    0};
                    scene_print(&where);
                    fail_msg("halo %" PRId64 " deep: cell (%" PRId64 ", %" PRId64
                             ") should be (%" PRId64 ", %" PRId64 "), %d",
                             depth, x, y, from_x, from_y, alive);
                }
            }
        }
        oracle_destroy(board);
        lc_grid_free(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_are_gollys),
        cmocka_unit_test(test_unfolding_gives_the_rings),
        cmocka_unit_test(test_windows_give_the_rings),
        cmocka_unit_test(test_halos),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
