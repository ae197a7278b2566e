// Rows written into universes and read back, over edges and far out, with each engine of this
// machine; and the memory that they need.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/least.h"
#include "base/memory.h"
#include "support.h"
#include "support_checkpoint.h"
#include "support_facts.h"
#include "support_universe.h"

enum { PAPER_SIDE = 300, PAPER_ORIGIN = -130 }; // of the part of the world that the model knows

typedef struct paper {
    uint8_t cells[PAPER_SIDE][PAPER_SIDE];
} paper;

static void check_paper(const lc_universe *universe, const paper *model)
{
    uint64_t row[(PAPER_SIDE + 63) / 64];
    static uint8_t states[PAPER_SIDE][PAPER_SIDE + 3];
    const lc_box all = {false, PAPER_ORIGIN, PAPER_ORIGIN, PAPER_SIDE, PAPER_SIDE};
    memset(states, 7, sizeof states);
    assert_int_equal(lc_universe_read_states(universe, &all, states[0], sizeof states[0], NULL),
                     LC_OK);
    for (int64_t y = 0; y < PAPER_SIDE; y++) {
        assert_memory_equal(states[y], model->cells[y], PAPER_SIDE);
        for (int i = 0; i < 3; i++)
            assert_int_equal(states[y][PAPER_SIDE + i], 7);
    }
    for (int64_t y = 0; y < PAPER_SIDE; y++) {
        assert_int_equal(test_read_row(universe, PAPER_ORIGIN, PAPER_ORIGIN + y, PAPER_SIDE, row),
                         LC_OK);
        for (int64_t x = 0; x < PAPER_SIDE; x++)
            if (model->cells[y][x] != (row[x / 64] >> (x % 64) & 1))
                fail_msg("cell (%" PRId64 ", %" PRId64 ")", x + PAPER_ORIGIN, y + PAPER_ORIGIN);
    }
}

// The same row as bytes.
static lc_status write_row_of_states(lc_universe *universe, int64_t x, int64_t y, int64_t width,
                                     const uint64_t *words, lc_message *message)
{
    uint8_t states[256];
    const lc_box row = {false, x, y, width, 1};
    for (int64_t i = 0; i < width; i++)
        states[i] = words[i / 64] >> i % 64 & 1;
    return lc_universe_write_states(universe, &row, states, 0, message);
}

static bool inside(const lc_topology *t, int64_t x, int64_t y, int64_t width)
{
    return (t->width_cells == 0 || (x >= 0 && x + width <= t->width_cells)) &&
           (t->height_cells == 0 || (y >= 0 && y < t->height_cells));
}

// Random rows, over the edges too, which is refused; then again with the background alive.
static void test_rows_are_written_exactly(void **state)
{
    (void)state;
    static const lc_topology shapes[] = {
        {.kind = LC_TOPOLOGY_PLANE},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 130, .height_cells = 9},
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = 64, .height_cells = 70},
        {.kind = LC_TOPOLOGY_TORUS, .height_cells = 20}};
    static paper model;
    lc_engine_info info;
    lc_message message;
    dice d = dice_from(test_seed(), 41);
    FOR_EACH_ENGINE(info)
    for (int shape = 0; shape < 8; shape++) {
        const bool inverted = shape >= 4;
        const lc_topology *t = &shapes[shape % 4];
        const lc_rule *odd = rule_of("B0/S012345678");
        if (inverted && t->width_cells != 0)
            continue;
        lc_universe *universe = test_create(info.name, inverted ? odd : LIFE, *t, 0);
        test_step(universe, inverted); // then all of it is alive
        for (int64_t i = 0; i < PAPER_SIDE * PAPER_SIDE; i++)
            model.cells[i / PAPER_SIDE][i % PAPER_SIDE] =
                inverted && inside(t, PAPER_ORIGIN, PAPER_ORIGIN + i / PAPER_SIDE, 1);
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            uint64_t words[4];
            const int mode = (int)dice_below(&d, 4);
            for (size_t w = 0; w < 4; w++)
                words[w] = mode == 0 ? 0 : mode == 1 ? ~UINT64_C(0) : dice_word(&d);
            const int64_t width = dice_below(&d, 200);
            const int64_t room_x = t->width_cells != 0 ? 140 : PAPER_SIDE - 200 + PAPER_ORIGIN;
            const int64_t x = t->width_cells != 0 ? dice_below(&d, room_x) - 5
                                                  : PAPER_ORIGIN + dice_below(&d, 100);
            const int64_t y = t->height_cells != 0 ? dice_below(&d, t->height_cells + 4) - 2
                                                   : PAPER_ORIGIN + dice_below(&d, PAPER_SIDE);
            const bool fits = inside(t, x, y, width);
            const lc_status status =
                i % 2 == 0 ? test_write_row(universe, x, y, width, words, &message)
                           : write_row_of_states(universe, x, y, width, words, &message);
            assert_int_equal(status, fits ? LC_OK : LC_ERROR_ARGUMENT);
            refused += !fits;
            for (int64_t c = 0; fits && c < width; c++)
                model.cells[y - PAPER_ORIGIN][x + c - PAPER_ORIGIN] = words[c / 64] >> (c % 64) & 1;
            if (i % 8 == 0)
                check_paper(universe, &model);
        }
        check_paper(universe, &model);
        assert_true((refused > 0) == (t->height_cells != 0));
        lc_universe_destroy(&universe);
    }
}

// Refuses states that the rule does not have and impossible rectangles, and changes nothing then.
static void test_states_that_are_refused(void **state)
{
    (void)state;
    lc_message message;
    uint8_t states[5][8] = {{1, 0, 1, 1, 0, 0, 0, 1}, {0, 1}, {0}, {1, 1}, {0, 0, 0, 1}};
    uint8_t again[5][8] = {{0}};
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 40, .height_cells = 30};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    lc_box box = {.x = 7, .y = 9, .width_cells = 8, .height_cells = 5};
    assert_int_equal(lc_universe_write_states(u, &box, states[0], 8, &message), LC_OK);
    const uint64_t hash = test_hash(u);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 8; i++)
            states[j][i] ^= 1;
    states[3][5] = 2;
    assert_int_equal(lc_universe_write_states(u, &box, states[0], 8, &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "cell (12, 12) has state 2: the rule has states 0 to 1");
    states[3][5] = 1;
    lc_fail_allocation(1);
    assert_int_equal(lc_universe_write_states(u, &box, states[0], 8, &message), LC_ERROR_MEMORY);
    lc_fail_allocation(0);
    assert_int_equal(lc_universe_write_states(u, &box, states[0], 7, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_read_states(u, &box, again[0], 7, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_write_states(NULL, &box, states[0], 8, &message),
                     LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_read_states(NULL, &box, again[0], 8, &message), LC_ERROR_ARGUMENT);
    const lc_box wrong[] = {{false, 33, 0, 8, 5},
                            {false, 0, -1, 8, 5},
                            {false, 0, 0, -1, 5},
                            {false, 0, 0, 8, -5},
                            {false, INT64_MAX - 20, 0, 8, 5}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(lc_universe_write_states(u, &wrong[i], states[0], 8, &message),
                         LC_ERROR_ARGUMENT);
    for (size_t i = 2; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(lc_universe_read_states(u, &wrong[i], again[0], 8, &message),
                         LC_ERROR_ARGUMENT);
    box.width_cells = 0;
    assert_int_equal(lc_universe_write_states(u, &box, NULL, 0, &message), LC_OK);
    assert_int_equal(lc_universe_read_states(u, &box, NULL, 0, &message), LC_OK);
    assert_true(test_hash(u) == hash);
    lc_universe_destroy(&u);

    u = test_create("simd", LIFE, infinite_plane, 4 << 20); // no room for the second glider
    assert_int_equal(test_load(u, glider_rle, 0, 0, &message), LC_OK);
    const uint64_t now = test_hash(u);
    box = (lc_box){.x = INT64_C(1) << 40, .y = 0, .width_cells = 8, .height_cells = 5};
    assert_int_equal(lc_universe_write_states(u, &box, states[0], 8, &message), LC_ERROR_LIMIT);
    assert_true(test_hash(u) == now);
    lc_universe_destroy(&u);
}

// Rows of more words than are read at a time; and planes: the rule's, stated or not.
static void test_wide_states_and_planes(void **state)
{
    (void)state;
    enum { WIDTH = 70001, HEIGHT = 3, ROW_WORDS = (WIDTH + 63) / 64 };
    lc_message message;
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = WIDTH, .height_cells = HEIGHT};
    lc_universe *u = test_create("simd", LIFE, torus, 0),
                *other = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, WIDTH, HEIGHT, 0.5, test_seed(), &message), LC_OK);
    uint8_t *states = malloc(WIDTH * HEIGHT);
    uint64_t *words = malloc(8 * ROW_WORDS * HEIGHT);
    assert_true(states != NULL && words != NULL);
    const lc_box all = {.width_cells = WIDTH, .height_cells = HEIGHT};
    assert_int_equal(lc_universe_read_states(u, &all, states, WIDTH, &message), LC_OK);
    lc_cells cells = {
        .width_cells = WIDTH, .height_cells = HEIGHT, .words = words, .pitch_words = ROW_WORDS};
    for (cells.planes = 0; cells.planes < 2; cells.planes++) {
        memset(words, 1, 8 * ROW_WORDS * HEIGHT);
        assert_int_equal(lc_universe_read(u, &cells, &message), LC_OK);
        for (int64_t i = 0; i < WIDTH * HEIGHT; i++)
            assert_int_equal(states[i],
                             lc_cells_row(&cells, i / WIDTH)[i % WIDTH / 64] >> i % WIDTH % 64 & 1);
    }
    assert_int_equal(lc_universe_read(u, &cells, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_write(u, &cells, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_write_states(other, &all, states, WIDTH, &message), LC_OK);
    assert_true(test_hash(other) == test_hash(u));
    free(words);
    free(states);
    lc_universe_destroy(&other);
    lc_universe_destroy(&u);
}

// Dead cells need no memory, however far they reach; and what does not fit changes nothing.
static void test_rows_need_no_more_room_than_life(void **state)
{
    (void)state;
    enum { WORDS = 1 << 15, CELLS = WORDS * 64 };
    lc_message message;
    uint64_t *words = calloc(WORDS, sizeof *words);
    assert_non_null(words);
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 4 << 20);
    assert_int_equal(test_load(u, glider_rle, 0, 0, &message), LC_OK);
    const uint64_t hash = test_hash(u), bytes = lc_universe_info_of(u).memory_bytes;
    const int64_t far = INT64_C(1) << 61;
    assert_int_equal(test_write_row(u, far, -far, CELLS, words, &message), LC_OK);
    assert_int_equal(test_write_row(u, -CELLS, 0, CELLS, words, &message), LC_OK);
    words[WORDS / 2] = 2; // at (1, 1), where the glider has none
    assert_int_equal(test_write_row(u, -CELLS / 2, 1, CELLS, words, &message), LC_OK);
    assert_int_equal(lc_universe_info_of(u).memory_bytes, bytes);
    assert_true(test_get(u, 1, 1) && !test_get(u, 2, 1));
    assert_int_equal(test_population(u), 5);
    assert_int_not_equal(test_hash(u), hash);

    // Nor do bits past the width.
    const uint64_t now = test_hash(u), all = ~UINT64_C(0);
    assert_int_equal(test_write_row(u, 63, 0, 1, &all, &message), LC_OK);
    assert_int_equal(test_write_row(u, 63, 0, 1, &(uint64_t){all - 1}, &message), LC_OK);
    assert_int_equal(lc_universe_info_of(u).memory_bytes, bytes);
    words[0] = 1;
    assert_int_equal(test_write_row(u, 0, 0, CELLS, words, &message), LC_ERROR_LIMIT);
    assert_true(message.text[0] != '\0');
    assert_int_equal(lc_universe_reserve(u, -CELLS, -CELLS, 2 * CELLS, CELLS, &message),
                     LC_ERROR_LIMIT);
    assert_int_equal(test_hash(u), now);
    assert_int_equal(test_write_row(u, INT64_MAX - 5, 0, 9, words, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(test_write_row(u, INT64_C(1) << 62, 0, 2, words, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(test_write_row(u, 0, 0, -1, words, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(test_write_row(u, 0, 0, 0, words, &message), LC_OK);
    assert_int_equal(lc_universe_reserve(u, 0, 0, -1, 1, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_reserve(u, far, far, INT64_MAX, 1, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_universe_reserve(u, far, far, 0, 9, &message), LC_OK);
    assert_int_equal(test_hash(u), now);
    assert_int_equal(lc_universe_info_of(u).memory_bytes, bytes);

    // Where room was made, no memory is asked for.
    assert_int_equal(lc_universe_reserve(u, -900, -500, 1000, 900, &message), LC_OK);
    assert_true(lc_universe_info_of(u).memory_bytes > bytes);
    assert_int_equal(test_hash(u), now);
    lc_fail_allocation(1);
    assert_int_equal(test_write_row(u, -900, -500, 1000, words, &message), LC_OK);
    assert_int_equal(test_write_row(u, -900, 399, 1000, words, &message), LC_OK);
    lc_fail_allocation(0);
    assert_int_equal(test_population(u), 7);
    lc_universe_destroy(&u);
    free(words);
}

// Engines that hold live cells only make no room: they say so when the cells come, and not before.
static void test_engines_without_room(void **state)
{
    enum { WIDTH = 1 << 16, HEIGHT = 1 << 10, WORDS = WIDTH / 64 * HEIGHT, LIMIT_BYTES = 6 << 20 };
    static const char *const engines[] = {"sparse", "hashlife"};
    (void)state;
    uint64_t *words = calloc(WORDS, sizeof *words);
    assert_non_null(words);
    dice d = dice_from(test_seed(), 83);
    for (size_t i = 0; i < WORDS; i++)
        words[i] = dice_word(&d);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        lc_message message = {0};
        lc_universe *u = test_create(engines[i], LIFE, infinite_plane, LIMIT_BYTES);
        assert_int_equal(test_load(u, glider_rle, 0, 0, &message), LC_OK);
        const uint64_t hash = test_hash(u), bytes = lc_universe_info_of(u).memory_bytes;
        assert_int_equal(lc_universe_reserve(u, 0, 0, WIDTH, HEIGHT, &message), LC_OK);
        assert_int_equal(lc_universe_info_of(u).memory_bytes, bytes);
        const lc_cells cells = {.width_cells = WIDTH,
                                .height_cells = HEIGHT,
                                .planes = 1,
                                .words = words,
                                .pitch_words = WIDTH / 64};
        assert_int_equal(lc_universe_write(u, &cells, &message), LC_ERROR_LIMIT);
        assert_true(test_hash(u) == hash);
        assert_int_equal(lc_universe_check_room(u, (double)WIDTH * HEIGHT, 0.5, &message),
                         LC_ERROR_LIMIT);
        lc_universe_destroy(&u);
    }
    free(words);
}

static bool is_read_as_alive(const lc_universe *u, int64_t x, int64_t y)
{
    uint64_t word = 0;
    assert_int_equal(test_read_row(u, x, y, 1, &word), LC_OK);
    return (word & 1) != 0;
}

static void check_both_ends(const char *engine)
{
    const int64_t end = LC_UNIVERSE_REACH;
    const struct {
        int64_t x0, y0, x1, y1;
    } cases[] = {{-end, 0, -end, 0},    {end, 5, end, 5},       {7, -end, 7, -end},
                 {-3, end, -3, end},    {-end, 9, end, 9},      {1 - end, 2, end - 1, 2},
                 {4, -end, 5, end},     {-end, -end, end, end}, {-end, end, end, -end},
                 {-end, 1, 1 - end, 1}, {3, -end, 3, 2 - end}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t x0 = cases[i].x0, x1 = cases[i].x1, y0 = cases[i].y0, y1 = cases[i].y1;
        const bool is_one = x0 == x1 && y0 == y1;
        lc_universe *u = NULL;
        lc_message message = {0};
        if (test_try_create(&u, engine, infinite_plane, 0, &message) != LC_OK)
            return; // it knows no plane
        char text[128];
        (void)snprintf(text, sizeof text, "#Life 1.06\n%" PRId64 " %" PRId64 "\n", x0, y0);
        if (!is_one)
            (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                           "%" PRId64 " %" PRId64 "\n", x1, y1);
        const lc_status status = test_load(u, text, 0, 0, &message);
        if (status != LC_OK) {
            assert_int_equal(status, LC_ERROR_LIMIT);
            assert_true(message.text[0] != '\0');
            // The squares of "hashlife" end before, and a dense board holds nothing so wide.
            assert_true(!is_one || strcmp(engine, "hashlife") == 0);
        } else {
            const lc_facts facts = test_facts(u, LC_FACT_ALL);
            const uint64_t width = (uint64_t)x1 - (uint64_t)x0 + 1;
            assert_int_equal(facts.population.words[0], is_one ? 1 : 2);
            assert_true(facts.box.x == x0 && facts.box.y == (y0 < y1 ? y0 : y1));
            assert_true((uint64_t)facts.box.width_cells == lc_least_u64(width, INT64_MAX));
            assert_true(is_read_as_alive(u, x0, y0) && is_read_as_alive(u, x1, y1));
            uint8_t tones[16];
            const int64_t left = x0 > 0 ? x0 - 3 : x0, top = y0 > 0 ? y0 - 3 : y0;
            assert_int_equal(lc_universe_picture(u, left, top, 1, 4, 4, tones, NULL), LC_OK);
            assert_int_equal(tones[4 * (y0 - top) + x0 - left], 255);
            test_checkpoint_write(u);
            lc_universe *again = NULL;
            assert_int_equal(test_checkpoint_restore(&again, engine, 0, NULL), LC_OK);
            assert_int_equal(test_hash(again), test_hash(u));
            assert_int_equal(test_population(again), is_one ? 1 : 2);
            lc_universe_destroy(&again);
            const lc_status stepped = lc_universe_step(u, lc_count_of(1), NULL, NULL, NULL);
            assert_true(stepped == LC_OK || stepped == LC_ERROR_LIMIT);
        }
        lc_universe_destroy(&u);
    }
}

// Cells at one end of all coordinates or at both, whose difference 63 bits do not hold: each is
// read back and seen, or refused with a sentence.
static void test_both_ends_of_the_plane(void **state)
{
    (void)state;
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        check_both_ends(info.name);
    }
    check_both_ends("hashlife");
}

static const uint64_t longest = UINT64_C(1000000000000000); // the run that is of no use as words

static lc_status load_text(lc_universe *u, const char *text, int64_t x, int64_t y,
                           lc_message *message)
{
    lc_pattern *pattern = NULL;
    assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), NULL), LC_OK);
    const lc_status status = lc_universe_load(u, pattern, x, y, message);
    lc_pattern_close(&pattern);
    return status;
}

// A run of 10^15 cells is some squares, or refused before its cells are written one by one.
static void test_very_long_runs(void **state)
{
    (void)state;
    static const char text[] = "x = 1000000000000000, y = 1\n1000000000000000o!\n";
    static const int64_t places[][2] = {{0, 0}, {-1, -1}, {-777777777777777, 12345678901234}};
    lc_message message = {0};
    for (size_t i = 0; i < 3; i++) {
        const int64_t x = places[i][0], y = places[i][1];
        lc_universe *u = test_create("hashlife", LIFE, infinite_plane, 0);
        test_set(u, x + 5, y);
        test_set(u, x - 2, y);
        assert_int_equal(load_text(u, text, x, y, NULL), LC_OK);
        assert_int_equal(test_population(u), longest + 1);
        uint64_t row[2];
        assert_int_equal(test_read_row(u, x - 3, y, 70, row), LC_OK);
        assert_int_equal(row[0], ~UINT64_C(0) << 3 | 2);
        assert_int_equal(test_read_row(u, x + (int64_t)longest - 3, y, 70, row), LC_OK);
        assert_int_equal(row[0], 7);
        assert_int_equal(load_text(u, text, x, y, NULL), LC_OK); // once more changes nothing
        assert_int_equal(test_population(u), longest + 1);
        test_step(u, 1);
        assert_int_equal(test_population(u), 3 * (longest - 2)); // and what was alone has died
        lc_universe_destroy(&u);
    }
    static const char *const others[] = {"sparse", "auto", "simd", "scalar"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        lc_universe *u = test_create(others[i], LIFE, infinite_plane, 0);
        assert_int_equal(load_text(u, text, 0, 0, &message), LC_ERROR_LIMIT);
        assert_true(i > 1 || strstr(message.text, "hashlife") != NULL);
        lc_universe_destroy(&u);
    }
}

// Runs that are drawn, over cells that are there, over the middle and to both ends of the
// coordinates: what writing them makes.
static void test_long_runs_over_cells(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 43);
    for (int i = 0; i < 12; i++) {
        lc_universe *drawn = test_create("hashlife", LIFE, infinite_plane, 0);
        lc_universe *written = test_create("simd", LIFE, infinite_plane, 0);
        for (int run = 0; run < 4; run++) {
            char text[60];
            const int64_t length = 32769 + dice_below(&d, 100000);
            const int64_t x = dice_below(&d, 200000) - 100000, y = dice_below(&d, 3) - 1;
            snprintf(text, sizeof text, "%" PRId64 "o!", length);
            for (int k = 0; k < 5; k++) {
                const int64_t at = x + dice_below(&d, length);
                test_set(drawn, at, y);
                test_set(written, at, y);
            }
            assert_int_equal(load_text(drawn, text, x, y, NULL), LC_OK);
            assert_int_equal(load_text(written, text, x, y, NULL), LC_OK);
        }
        assert_int_equal(test_hash(drawn), test_hash(written));
        test_step(drawn, 16);
        test_step(written, 16);
        assert_int_equal(test_hash(drawn), test_hash(written));
        lc_universe_destroy(&drawn);
        lc_universe_destroy(&written);
    }
    lc_universe *u = test_create("hashlife", LIFE, infinite_plane, 0);
    const int64_t end = LC_UNIVERSE_REACH;
    assert_int_equal(load_text(u, "100000o!", -end, 1 - end, NULL), LC_OK);
    assert_int_equal(load_text(u, "100000o!", end - 100000, end, NULL), LC_OK);
    assert_int_equal(test_population(u), 200000);
    lc_message message = {0};
    assert_int_equal(load_text(u, "100000o!", end - 99999, 0, &message), LC_ERROR_LIMIT);
    assert_int_equal(load_text(u, "100000o!", 0, -end, &message), LC_ERROR_LIMIT);
    assert_int_equal(test_population(u), 200000);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_written_exactly),
        cmocka_unit_test(test_states_that_are_refused),
        cmocka_unit_test(test_wide_states_and_planes),
        cmocka_unit_test(test_rows_need_no_more_room_than_life),
        cmocka_unit_test(test_engines_without_room),
        cmocka_unit_test(test_both_ends_of_the_plane),
        cmocka_unit_test(test_very_long_runs),
        cmocka_unit_test(test_long_runs_over_cells),
    };
    return cmocka_run_group_tests(tests, test_checkpoint_set_up, test_checkpoint_tear_down);
}
