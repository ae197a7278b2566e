// Two universes that must show the same.
#include "support_pair.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"

const char pair_block[] = "x = 2, y = 2\n2o$2o!\n";
const char pair_blinker[] = "x = 3, y = 1\n3o!\n";
const char pair_pulsar[] = "x = 13, y = 13\n2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$"
                           "2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$2b3o3b3o!\n";
const char pair_pentadecathlon[] = "x = 10, y = 3\n2bo4bo$2ob4ob2o$2bo4bo!\n";
const char pair_gun[] = "x = 36, y = 9\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$"
                        "2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!\n";

pair pair_create(const pair_options *options)
{
    const char *asked = getenv("LC_TEST_ENGINE");
    lc_universe_options o = {.struct_bytes = sizeof o,
                             .context = test_context(),
                             .rule = options->rule != NULL ? options->rule : LIFE,
                             .topology = options->topology,
                             .engine = asked != NULL ? asked : "sparse",
                             .cpu_level = options->level,
                             .threads = options->threads == 0 ? 2 : options->threads,
                             .max_memory_bytes = options->max_memory_bytes,
                             .audit_generations = options->audit_generations,
                             .every_generation = !options->may_skip};
    pair p = {0};
    lc_message message = {0};
    if (lc_universe_create(&p.sparse, &o, &message) != LC_OK)
        fail_msg("%s: %s", o.engine, message.text);
    o.engine = "simd";
    o.cpu_level = NULL;
    o.threads = 1;
    o.max_memory_bytes = o.audit_generations = 0;
    if (lc_universe_create(&p.dense, &o, &message) != LC_OK)
        fail_msg("simd: %s", message.text);
    return p;
}

void pair_destroy(pair *p)
{
    lc_universe_destroy(&p->sparse);
    lc_universe_destroy(&p->dense);
}

void pair_step(const pair *p, uint64_t generations)
{
    test_step(p->sparse, generations);
    test_step(p->dense, generations);
}

void pair_set(const pair *p, int64_t x, int64_t y, bool alive)
{
    assert_int_equal(lc_universe_set(p->sparse, x, y, alive, NULL), LC_OK);
    assert_int_equal(lc_universe_set(p->dense, x, y, alive, NULL), LC_OK);
}

void pair_clear(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height)
{
    const size_t pitch = (size_t)(width + 63) / 64;
    uint64_t *words = calloc(pitch * (size_t)height, sizeof *words);
    assert_non_null(words);
    const lc_cells cells = {.x = x,
                            .y = y,
                            .width_cells = width,
                            .height_cells = height,
                            .planes = 1,
                            .words = words,
                            .pitch_words = pitch};
    assert_int_equal(lc_universe_write(p->sparse, &cells, NULL), LC_OK);
    assert_int_equal(lc_universe_write(p->dense, &cells, NULL), LC_OK);
    free(words);
}

void pair_soup(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height, double density,
               uint64_t seed)
{
    lc_universe *const both[] = {p->sparse, p->dense};
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(both[i], x, y, width, height, density, seed, NULL),
                         LC_OK);
}

void pair_load(const pair *p, const char *rle, int64_t x, int64_t y)
{
    lc_universe *const both[] = {p->sparse, p->dense};
    for (int i = 0; i < 2; i++) {
        const lc_count generation = lc_universe_generation(both[i]);
        assert_int_equal(test_load(both[i], rle, x, y, NULL), LC_OK);
        lc_universe_set_generation(both[i], generation);
    }
}

void pair_edit(const pair *p, dice *d, int64_t x, int64_t y, int64_t size)
{
    const int64_t left = x + dice_below(d, size) - size / 2;
    const int64_t top = y + dice_below(d, size) - size / 2;
    const int64_t width = 1 + dice_below(d, size), height = 1 + dice_below(d, size);
    switch (dice_below(d, 5)) {
    case 0:
        pair_clear(p, left, top, width, height);
        break;
    case 1:
        pair_soup(p, left, top, width, height, 0.1 * (double)(1 + dice_below(d, 9)), dice_word(d));
        break;
    case 2: // a change and its reversal
        pair_set(p, left, top, true);
        pair_set(p, left, top, false);
        break;
    default:
        for (int64_t i = dice_below(d, 6); i >= 0; i--)
            pair_set(p, left + dice_below(d, 4), top + dice_below(d, 4), dice_below(d, 3) != 0);
    }
}

uint64_t pair_some_generations(dice *d, uint64_t most)
{
    static const uint64_t some[] = {1, 2, 14, 15, 16, 29, 30, 31, 45};
    const int64_t i = dice_below(d, 12);
    const uint64_t n = i < 9 ? some[i] : (uint64_t)dice_below(d, (int64_t)most + 1);
    return n < most ? n : most;
}

// Comparing ---------------------------------------------------------------------------------------

static bool boxes_equal(lc_box a, lc_box b)
{
    return a.empty == b.empty && a.x == b.x && a.y == b.y && a.width_cells == b.width_cells &&
           a.height_cells == b.height_cells;
}

// Compares a window with all live cells and some cells around them, or with a part of a large box.
static void compare_cells(const pair *p, dice *d, lc_box box, const char *what, uint64_t number)
{
    const int64_t most = 3000;
    const int64_t margin_x = dice_below(d, 70), margin_y = dice_below(d, 40);
    lc_cells window = {.x = box.x - margin_x, .y = box.y - margin_y, .planes = 1};
    window.width_cells = box.width_cells + margin_x + dice_below(d, 70) + 1;
    window.height_cells = box.height_cells + margin_y + dice_below(d, 40) + 1;
    if (window.width_cells > most) {
        window.x += dice_below(d, window.width_cells - most);
        window.width_cells = most;
    }
    if (window.height_cells > most) {
        window.y += dice_below(d, window.height_cells - most);
        window.height_cells = most;
    }
    window.pitch_words = (size_t)(window.width_cells + 63) / 64;
    const size_t words = window.pitch_words * (size_t)window.height_cells;
    lc_cells other = window;
    window.words = malloc(words * sizeof(uint64_t));
    other.words = malloc(words * sizeof(uint64_t));
    assert_non_null(window.words);
    assert_non_null(other.words);
    memset(window.words, 0xA5, words * sizeof(uint64_t));
    assert_int_equal(lc_universe_read(p->sparse, &window, NULL), LC_OK);
    assert_int_equal(lc_universe_read(p->dense, &other, NULL), LC_OK);
    for (size_t i = 0; i < words; i++) {
        const uint64_t differ = window.words[i] ^ other.words[i];
        if (differ == 0)
            continue;
        const int64_t x = window.x + (int64_t)(i % window.pitch_words) * 64;
        const int64_t y = window.y + (int64_t)(i / window.pitch_words);
        fail_msg("%s %" PRIu64 ", generation %" PRIu64 ": cells from (%" PRId64 ", %" PRId64
                 ") on are %016" PRIx64 ", not %016" PRIx64 ", seed %" PRIu64,
                 what, number, test_generation(p->dense), x, y, window.words[i], other.words[i],
                 test_seed());
    }
    free(window.words);
    free(other.words);
}

static void compare_views(const pair *p, dice *d, lc_box box)
{
    enum { WIDTH = 23, HEIGHT = 17 };
    uint32_t sparse[WIDTH * HEIGHT], dense[WIDTH * HEIGHT];
    const int64_t side = INT64_C(1) << dice_below(d, dice_below(d, 4) == 0 ? 16 : 8);
    int64_t x = box.x + dice_below(d, box.width_cells + 1) - dice_below(d, WIDTH * side);
    int64_t y = box.y + dice_below(d, box.height_cells + 1) - dice_below(d, HEIGHT * side);
    if (dice_below(d, 2) == 0) { // as viewers query
        x -= (x % 64 + 64) % 64;
        y -= (y % 64 + 64) % 64;
    }
    assert_int_equal(lc_universe_counts(p->sparse, x, y, side, WIDTH, HEIGHT, sparse, NULL), LC_OK);
    assert_int_equal(lc_universe_counts(p->dense, x, y, side, WIDTH, HEIGHT, dense, NULL), LC_OK);
    assert_memory_equal(sparse, dense, sizeof sparse);
    test_picture(p->sparse, x, y, side, WIDTH, HEIGHT, dense);
}

void pair_compare(const pair *p, dice *d, const char *what, uint64_t number)
{
    const unsigned which = 1 + (unsigned)dice_below(d, LC_FACT_ALL);
    const lc_facts some = test_facts(p->sparse, which);
    const lc_facts sparse = test_facts(p->sparse, LC_FACT_ALL);
    const lc_facts dense = test_facts(p->dense, LC_FACT_ALL);
    assert_int_equal(test_generation(p->sparse), test_generation(p->dense));
    assert_int_equal(lc_universe_background(p->sparse), lc_universe_background(p->dense));
    if (lc_count_compare(sparse.population, dense.population) != 0 || sparse.hash != dense.hash ||
        !boxes_equal(sparse.box, dense.box)) {
        char populations[2][LC_COUNT_TEXT_BYTES];
        lc_count_format(sparse.population, populations[0]);
        lc_count_format(dense.population, populations[1]);
        if (!dense.box.empty)
            compare_cells(p, d, dense.box, what, number);
        fail_msg("%s %" PRIu64 ", generation %" PRIu64 ": population %s, not %s; or hash, or box, "
                 "seed %" PRIu64,
                 what, number, test_generation(p->dense), populations[0], populations[1],
                 test_seed());
    }
    if ((which & LC_FACT_POPULATION) != 0)
        assert_int_equal(lc_count_compare(some.population, dense.population), 0);
    if ((which & LC_FACT_BOX) != 0)
        assert_true(boxes_equal(some.box, dense.box));
    if ((which & LC_FACT_HASH) != 0)
        assert_int_equal(some.hash, dense.hash);
    compare_cells(p, d, dense.box, what, number);
    compare_views(p, d, dense.box);
}
