// Soups are a promise: the same numbers give the same cells on every machine, engine and
// instruction set, for ever. What they are is reckoned here cell by cell as docs/formats.md says,
// apart from src/grid/soup.c; the numbers written down were reckoned by another program, which was
// also made from that text. Golly stepped the guide's soup to find this.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "grid/grid.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

// docs/formats.md ------------------------------------------------------------------------------

#define STEP UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mixed(uint64_t z)
{
    z ^= z / (UINT64_C(1) << 30);
    z *= UINT64_C(0xbf58476d1ce4e5b9);
    z ^= z / (UINT64_C(1) << 27);
    z *= UINT64_C(0x94d049bb133111eb);
    z ^= z / (UINT64_C(1) << 31);
    return z;
}

// `share` of 65536 cells are alive.
static bool cell_of_soup(uint64_t seed, uint32_t share, int64_t x, int64_t y)
{
    const int64_t bit = (x % 64 + 64) % 64;
    const int64_t column = (x - bit) / 64;
    const uint64_t row = mixed(mixed(seed + STEP) + UINT64_C(0xd1342543de82ef95) * (uint64_t)y);
    const uint64_t place = mixed(row + STEP * (uint64_t)column);
    uint32_t draw = 0;
    for (uint32_t digit = 1; digit <= 16; digit++)
        if (mixed(place + STEP * digit) / (UINT64_C(1) << bit) % 2 == 0)
            draw += UINT32_C(1) << (digit - 1);
    return draw < share;
}

// Single words ---------------------------------------------------------------------------------

static void check_word(uint64_t seed, uint32_t share, int64_t column, int64_t y)
{
    const uint64_t word = lc_soup_word(seed, share, column, y);
    for (int bit = 0; bit < 64; bit++) {
        if ((word >> bit & 1) != cell_of_soup(seed, share, column * 64 + bit, y)) {
            fail_msg("seed %" PRIu64 ", %u of 65536: bit %d of word %" PRId64 " of row %" PRId64
                     " is wrong: %016" PRIx64,
                     seed, share, bit, column, y, word);
        }
    }
}

static void test_words_written_down(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        uint32_t share;
        int64_t column, y;
        uint64_t word;
    } known[] = {
        {42, 32768, 3, 70000, 0x0e0072944ec627af},
        {42, 32768, 3, 70000 - 65536, 0x9f5ec22fcc7f27ce},
        {42, 32768, 3, 70000 + (INT64_C(1) << 32), 0xeaf8302619aa1316},
        {42, 32768, -(INT64_C(1) << 54), -(INT64_C(1) << 61), 0x57042b5e027a3b2c},
        {42, 32768, INT64_C(1) << 55, INT64_C(1) << 61, 0x963a8aff2d6998e3},
        {42 + (UINT64_C(1) << 32), 32768, 0, 0, 0xad560707fc92dbbb},
        {42 + (UINT64_C(1) << 63), 32768, 0, 0, 0x11da8842bb560703},
        {UINT64_MAX, 32768, 0, 0, 0xf1a4f1df4a0e45c3},
        {42, 19660, 0, 70000, 0x01044c8144d84c83},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(lc_soup_word(known[i].seed, known[i].share, known[i].column, known[i].y),
                         known[i].word);
    }
}

// Every bit of a seed and of a place counts, so each is set alone and cleared alone.
static void test_words(void **state)
{
    (void)state;
    static const uint32_t shares[] = {0, 1, 2, 19660, 19661, 32767, 32768, 32769, 65535, 65536};
    dice d = dice_from(test_seed(), 31);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        for (int bit = 0; bit < 64; bit++) {
            const uint64_t one = UINT64_C(1) << bit;
            const int64_t y = bit < 62 ? (int64_t)one : INT64_C(70000) * bit;
            const int64_t column = bit < 56 ? (int64_t)one : -bit;
            check_word(one, shares[i], 5, 9);
            check_word(~one, shares[i], 5, 9);
            check_word(42, shares[i], 5, y);
            check_word(42, shares[i], 5, -y - 1);
            check_word(42, shares[i], column, 70000);
            check_word(42, shares[i], -column - 1, -70000);
            check_word(dice_word(&d), shares[i], dice_below(&d, 1 << 20) - (1 << 19),
                       dice_below(&d, 1 << 30) - (1 << 29));
        }
    }
}

// Universes ------------------------------------------------------------------------------------

enum { MEANS_MAX = 24 };

// An engine, or a level of the simd engine.
typedef struct means {
    const char *engine, *level;
} means;

static size_t find_means(means found[MEANS_MAX])
{
    size_t count = 0;
    lc_engine_info engine;
    lc_cpu_level_info level;
    FOR_EACH_ENGINE(engine)
    {
        assert_true(count < MEANS_MAX);
        found[count++] = (means){engine.name, NULL};
    }
    for (size_t i = 0; lc_cpu_level_at(i, &level); i++) {
        if (level.available && test_wants_engine("simd")) {
            assert_true(count < MEANS_MAX);
            found[count++] = (means){"simd", level.name};
        }
    }
    assert_true(count > 0);
    return count;
}

static lc_universe *universe_of(means by, lc_topology topology)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = topology,
                                         .engine = by.engine,
                                         .cpu_level = by.level,
                                         .threads = 2};
    lc_universe *universe = NULL;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("%s %s: %s", by.engine, by.level != NULL ? by.level : "", message.text);
    return universe;
}

static void make_soup(lc_universe *universe, int64_t x, int64_t y, int64_t width, int64_t height,
                      double density, uint64_t seed)
{
    lc_message message = {0};
    if (lc_universe_soup(universe, x, y, width, height, density, seed, &message) != LC_OK)
        fail_msg("soup: %s", message.text);
}

// The guide's soup, and the same place with other numbers.
static void test_soups_written_down(void **state)
{
    (void)state;
    static const struct {
        double density;
        uint64_t seed, generations, population, hash;
    } known[] = {
        {0.5, 42, 0, 97499, 0x05f2c0a341383f19},
        {0.5, 42, 250, 13160, 0x08c037d17ea94c3f},
        {0.5, 42 + (UINT64_C(1) << 32), 0, 97056, 0x4c18133312a133fe},
        {0.5, 42 + (UINT64_C(1) << 63), 0, 97301, 0x7ca75e691af5d43c},
        {0.3, 42, 0, 58413, 0xbda6df9621838c8c}, // 19660.8 of 65536: rounded up
    };
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 720, .height_cells = 270};
    means by[MEANS_MAX];
    const size_t count = find_means(by);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            lc_universe *universe = universe_of(by[i], torus);
            make_soup(universe, 0, 0, 720, 270, known[k].density, known[k].seed);
            if (known[k].generations > 0)
                test_step(universe, known[k].generations);
            assert_int_equal(test_population(universe), known[k].population);
            assert_int_equal(test_hash(universe), known[k].hash);
            lc_universe_destroy(&universe);
        }
    }
}

// A soup of 150 x 13 cells somewhere, and a margin of dead cells round it, cell by cell.
static void check_soup(means by, lc_topology topology, int64_t x, int64_t y, double density,
                       uint32_t share, uint64_t seed)
{
    enum { WIDTH = 150, HEIGHT = 13, MARGIN = 3 };
    lc_universe *universe = universe_of(by, topology);
    make_soup(universe, x, y, WIDTH, HEIGHT, density, seed);
    uint64_t alive = 0;
    for (int64_t row = -MARGIN; row < HEIGHT + MARGIN; row++) {
        uint64_t words[(WIDTH + 2 * MARGIN) / 64 + 1];
        assert_int_equal(test_read_row(universe, x - MARGIN, y + row, WIDTH + 2 * MARGIN, words),
                         LC_OK);
        for (int64_t i = 0; i < WIDTH + 2 * MARGIN; i++) {
            const int64_t column = i - MARGIN;
            const bool inside = row >= 0 && row < HEIGHT && column >= 0 && column < WIDTH;
            const bool expected = inside && cell_of_soup(seed, share, x + column, y + row);
            if (expected != (words[i / 64] >> (i % 64) & 1)) {
                fail_msg("%s, seed %" PRIu64 ", density %g: cell (%" PRId64 ", %" PRId64
                         ") should be %d",
                         by.engine, seed, density, x + column, y + row, expected);
            }
            alive += expected;
        }
    }
    assert_int_equal(test_population(universe), alive);
    lc_universe_destroy(&universe);
}

static void test_soups_of_universes(void **state)
{
    (void)state;
    static const int64_t far = INT64_C(1) << 61;
    const int64_t places[][2] = {{-75, -6},          {1000003, 70000}, {-1000003, -70000},
                                 {far + 7, far - 5}, {-far, far},      {far, -far - 1}};
    static const struct {
        double density;
        uint32_t share;
    } densities[] = {{0.5, 32768}, {0.3, 19661}, {1, 65536}, {1.0 / 65536, 1}};
    const lc_topology tall = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 200, .height_cells = 70040};
    dice d = dice_from(test_seed(), 32);
    means by[MEANS_MAX];
    const size_t count = find_means(by);
    for (size_t i = 0; i < count; i++) {
        check_soup(by[i], tall, 20, 70000, 0.5, 32768, UINT64_MAX);
        for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
            const size_t n = (i + k) % (sizeof densities / sizeof densities[0]);
            check_soup(by[i], infinite_plane, places[k][0], places[k][1], densities[n].density,
                       densities[n].share, dice_word(&d));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_written_down),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_soups_written_down),
        cmocka_unit_test(test_soups_of_universes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
