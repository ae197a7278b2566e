// The oracles themselves, before anything is compared with them: their surfaces are Golly's, the
// three ways to a result (rings, unfolding, light cones) agree; the oracle of words gives the same
// cells as that of bytes; and the halos of src/grid are their surfaces too.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "grid/topology.h"
#include "oracle.h"
#include "support.h"
#include "support_map.h"

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
        const lc_rule *rule = rule_at((size_t)dice_below(&d, 40), test_seed());
        const int64_t generations = dice_below(&d, 20);
        oracle *board = oracle_create(w, h, oracle_rule_of(rule), &topology);
        fill_board(board, FILL_RANDOM, test_seed() + i);
        uint8_t window[12 * 12], stepped[12 * 12];
        oracle_window(oracle_rule_of(rule), &topology, 0, 0, w, h, generations, oracle_cell, board,
                      window);
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

// The oracle of words against that of bytes -----------------------------------------------------

static void row_of_words(const void *context, int64_t y, int64_t width, uint64_t *words)
{
    (void)width;
    const word_oracle *board = context;
    memcpy(words, word_oracle_row(board, y), board->row_words * sizeof *words);
}

// Every cell, no bit past the width, population and box.
static void compare_words(const oracle *bytes, const word_oracle *words, scene *where)
{
    snapshot expected = snapshot_take(bytes, where->generation);
    snapshot actual = snapshot_of_words(words, where->generation);
    assert_true(snapshot_equals(&expected, row_of_words, words, where));
    assert_memory_equal(actual.words, expected.words,
                        actual.pitch * (size_t)actual.height * sizeof *actual.words);
    assert_int_equal(actual.population, expected.population);
    assert_int_equal(actual.box.empty, expected.box.empty);
    if (!expected.box.empty) {
        assert_int_equal(actual.box.x, expected.box.x);
        assert_int_equal(actual.box.y, expected.box.y);
        assert_int_equal(actual.box.width_cells, expected.box.width_cells);
        assert_int_equal(actual.box.height_cells, expected.box.height_cells);
    }
    snapshot_free(&expected);
    snapshot_free(&actual);
}

// Some generations; then a row is written anew and the rule is another one, as tests do with it.
static void step_both(const lc_topology *topology, const lc_rule *const rules[2], fill how,
                      uint64_t seed)
{
    const int64_t w = topology->width_cells, h = topology->height_cells;
    dice d = dice_from(seed, 3);
    oracle *bytes = oracle_create(w, h, oracle_rule_of(rules[0]), topology);
    word_oracle *words = word_oracle_create(w, h, oracle_rule_of(rules[0]), topology);
    scene where = {"oracle of words", NULL,           1, test_seed(), w, h, *topology,
                   rules[0],          fill_name(how), 0};
    fill_board(bytes, how, seed);
    fill_words(words, how, seed);
    compare_words(bytes, words, &where);
    for (int i = 0; i < 5; i++) {
        const uint64_t generations = i < 3 ? 1 : (uint64_t)dice_below(&d, 12);
        oracle_step(bytes, generations);
        word_oracle_step(words, generations);
        where.generation += generations;
        compare_words(bytes, words, &where);
        const int64_t y = i % 2 == 0 ? h - 1 : dice_below(&d, h);
        for (int64_t x = 0; x < w; x++) {
            const uint64_t bit = UINT64_C(1) << (x % 64);
            const bool alive = dice_below(&d, 2) != 0;
            uint64_t *word = word_oracle_row(words, y) + x / 64;
            oracle_row(bytes, y)[x] = alive;
            *word = alive ? *word | bit : *word & ~bit;
        }
        where.rule = rules[i % 2];
        bytes->rule = words->rule = oracle_rule_of(rules[i % 2]);
    }
    oracle_destroy(bytes);
    word_oracle_destroy(words);
}

// Every surface with every width 1 .. 130 and those round the edges of more words, heights that are
// mostly odd, every fill, all rules that have a name, random ones and maps.
static void test_words_are_bytes(void **state)
{
    (void)state;
    static const int64_t wide[] = {191, 192, 193, 255, 256, 257, 319, 320, 321, 1000, 1023, 1025};
    static const int64_t heights[] = {1, 2, 3, 5, 7, 9, 17, 31, 33, 63, 64, 65};
    enum { WIDE = sizeof wide / sizeof *wide, HEIGHTS = sizeof heights / sizeof *heights };
    dice d = dice_from(test_seed(), 3);
    for (int64_t i = 1; i <= 130 + WIDE; i++) {
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            const int64_t w = i <= 130 ? i : wide[i - 131];
            const int64_t h = kind == SURFACE_SPHERE ? w : heights[dice_below(&d, HEIGHTS)];
            lc_topology topology;
            if ((kind == SURFACE_SPHERE && w > 321) ||
                (!topology_of(kind, w, h, &d, &topology) &&
                 !topology_of(kind, w, h + 1, &d, &topology)))
                continue;
            for (int k = 0; k < 2; k++) {
                const lc_rule *const rules[2] = {
                    rule_at((size_t)dice_below(&d, 60), test_seed()),
                    k == 0 ? LIFE
                           : test_map((size_t)dice_below(&d, TEST_GROUPS), dice_below(&d, 2) != 0,
                                      dice_word(&d))};
                const fill how = k == 0 ? FILL_RANDOM : (fill)dice_below(&d, FILL_COUNT);
                step_both(&topology, rules, how, dice_word(&d));
            }
        }
    }
}

// Rules of a single number of neighbours, and of all the others.
static void test_words_count_neighbours(void **state)
{
    (void)state;
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 200, .height_cells = 61};
    for (unsigned n = 0; n <= 8; n++) {
        for (unsigned others = 0; others < 2; others++) {
            const uint16_t counts = (uint16_t)(others ? 0x1FF ^ 1u << n : 1u << n);
            const lc_rule *const rules[2] = {rule_of_counts(counts, 0x00C),
                                             rule_of_counts(0x008, counts)};
            step_both(&torus, rules, others ? FILL_DENSE : FILL_RANDOM, n);
            step_both(&torus, rules, others ? FILL_RANDOM : FILL_FULL, n);
        }
    }
}

// The halos of src/grid ---------------------------------------------------------------------------

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
        oracle *board = oracle_create(w, h, oracle_rule_of(LIFE), &topology);
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
        cmocka_unit_test(test_words_are_bytes),
        cmocka_unit_test(test_words_count_neighbours),
        cmocka_unit_test(test_halos),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
