// Boards in a GPU's memory, on the emulated GPU (or a real one): rows in any pieces, halos of all
// depths on all surfaces, settling, facts, counts of squares; each for all numbers of words a
// segment. What is right is said by one byte a cell and lc_topology_map.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "engine/cuda/cuda_board.h"
#include "grid/topology.h"
#include "support.h"
#include "support_gpu.h"
#include "support_universe.h"

// A board, and what should stand in it.
typedef struct subject {
    lc_cuda_board board;
    int64_t width, height;
    uint8_t *cells;
} subject;

static uint8_t *cell(const subject *s, int64_t x, int64_t y)
{
    return &s->cells[y * s->width + x];
}

static subject subject_of(const lc_topology *topology, int words)
{
    subject s = {.width = topology->width_cells, .height = topology->height_cells};
    const lc_frame frame = lc_frame_of(topology);
    GOOD(lc_cuda_board_create(&s.board, device, stream, &frame, words, 0, &why));
    s.cells = calloc((size_t)(s.width * s.height), 1);
    assert_non_null(s.cells);
    return s;
}

static void subject_free(subject *s)
{
    lc_cuda_board_destroy(&s->board);
    free(s->cells);
}

static void write_cells(subject *s, int64_t x, int64_t y, int64_t width, dice *d)
{
    uint64_t *row = malloc((size_t)(width + 63) / 64 * 8);
    assert_non_null(row);
    for (int64_t i = 0; i < (width + 63) / 64; i++)
        row[i] = dice_word(d);
    for (int64_t i = 0; i < width; i++)
        *cell(s, x + i, y) = row[i / 64] >> (i % 64) & 1;
    GOOD(lc_cuda_board_write_row(&s->board, x, y, width, row, &why));
    free(row);
}

static void fill_random(subject *s, dice *d)
{
    for (int64_t y = 0; y < s->height; y++)
        write_cells(s, 0, y, s->width, d);
}

static void check_cells(subject *s, const char *when)
{
    const size_t words = (size_t)(s->width + 63) / 64;
    uint64_t *row = malloc(words * 8);
    assert_non_null(row);
    for (int64_t y = 0; y < s->height; y++) {
        GOOD(lc_cuda_board_read_row(&s->board, 0, y, s->width, row, &why));
        for (int64_t x = 0; x < (int64_t)words * 64; x++) {
            const int expected = x < s->width ? *cell(s, x, y) : 0;
            if ((int)(row[x / 64] >> (x % 64) & 1) != expected)
                fail_msg("%s: %" PRId64 " x %" PRId64 ", %d words: cell (%" PRId64 ", %" PRId64
                         ") should be %d",
                         when, s->width, s->height, s->board.words, x, y, expected);
        }
    }
    free(row);
}

// The buffer as it is, one byte a cell: columns from -32 K, rows from -LC_HALO_ROWS.
typedef struct raw {
    int64_t left, top, pitch, rows;
    uint8_t *cells;
} raw;

static raw download(const lc_cuda_board *b, lc_device_address buffer)
{
    const int64_t segments = b->segments + 2, k = b->words;
    raw r = {.left = -32 * k,
             .top = -LC_HALO_ROWS,
             .pitch = 32 * k * segments,
             .rows = b->frame.height_cells + 2 * LC_HALO_ROWS};
    uint32_t *words = malloc(b->buffer_bytes);
    r.cells = malloc((size_t)(r.pitch * r.rows));
    assert_true(words != NULL && r.cells != NULL);
    GOOD(lc_device_download(device, words, buffer, b->buffer_bytes, stream, &why));
    GOOD(lc_device_synchronize(device, stream, &why));
    for (int64_t y = 0; y < r.rows; y++)
        for (int64_t s = 0; s < segments; s++)
            for (int64_t i = 0; i < 32 * k; i++)
                r.cells[y * r.pitch + s * 32 * k + i] =
                    words[(y * segments + s) * k + i % k] >> (i / k) & 1;
    free(words);
    return r;
}

static int raw_cell(const raw *r, int64_t x, int64_t y)
{
    return r->cells[(y - r->top) * r->pitch + (x - r->left)];
}

static void check_halo(subject *s, const lc_topology *t, int depth)
{
    GOOD(lc_cuda_board_prepare(&s->board, &why));
    GOOD(lc_cuda_board_halo(&s->board, t, depth, &why));
    raw r = download(&s->board, s->board.cells);
    for (int64_t y = -depth; y < s->height + depth; y++) {
        for (int64_t x = -depth; x < s->width + depth; x++) {
            int64_t from_x = x, from_y = y;
            const bool shown = lc_topology_map(t, &from_x, &from_y);
            const int expected = shown ? *cell(s, from_x, from_y) : 0;
            if (raw_cell(&r, x, y) != expected) {
                char text[LC_RULE_TEXT_BYTES];
                lc_topology_format(t, text);
                fail_msg("%s, %d words, depth %d: (%" PRId64 ", %" PRId64 ") should show %d", text,
                         s->board.words, depth, x, y, expected);
            }
        }
    }
    free(r.cells);
}

static const int all_words[] = {1, 2, 4};

// All surfaces, all widths 1 .. 130 and those round the edges of segments, all depths by turns.
static void test_halos(void **state)
{
    (void)state;
    static const int64_t wide[] = {131, 159, 160, 161, 191, 192, 193, 255, 256, 257, 300, 384, 401};
    dice d = dice_from(test_seed(), 1);
    int depth = 0;
    for (int64_t n = 1; n <= 130 + (int64_t)(sizeof wide / sizeof *wide); n++) {
        const int64_t w = n <= 130 ? n : wide[n - 131];
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            lc_topology topology;
            const int64_t h = kind == SURFACE_SPHERE ? w : 1 + dice_below(&d, 45);
            if (!topology_of(kind, w, h, &d, &topology) &&
                !topology_of(kind, w, h + 1, &d, &topology))
                continue;
            for (size_t i = 0; i < 3; i++) {
                if (!test_full() && n > 20 && (n + kind + (int64_t)i) % 3 != 0)
                    continue;
                subject s = subject_of(&topology, all_words[i]);
                fill_random(&s, &d);
                depth = depth % LC_HALO_ROWS + 1;
                check_halo(&s, &topology, depth);
                check_halo(&s, &topology, LC_HALO_ROWS); // over what the first one left
                check_cells(&s, "after a halo");
                subject_free(&s);
            }
        }
    }
}

// Rows and parts of rows, over and over, with other looks at the board between.
static void test_rows(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (int n = 0; n < 240; n++) {
        const int64_t w = n < 130 ? n + 1 : 1 + dice_below(&d, 3000);
        const lc_topology topology = {
            .kind = LC_TOPOLOGY_TORUS, .width_cells = w, .height_cells = 1 + dice_below(&d, 20)};
        subject s = subject_of(&topology, all_words[n % 3]);
        // A small window, so that tiles end within the board in both directions.
        s.board.window.words = 2 * (1 + dice_below(&d, 5));
        s.board.window.tile_rows = 1 + dice_below(&d, 5);
        for (int i = 0; i < 30; i++) {
            const int64_t x = dice_below(&d, (w + 63) / 64) * 64, y = dice_below(&d, s.height);
            write_cells(&s, x, y, 1 + dice_below(&d, w - x), &d);
            if (dice_below(&d, 8) == 0)
                check_cells(&s, "between writes");
            if (dice_below(&d, 8) == 0)
                GOOD(lc_cuda_board_prepare(&s.board, &why));
        }
        check_cells(&s, "after writes");
        GOOD(lc_cuda_board_prepare(&s.board, &why));
        raw r = download(&s.board, s.board.cells);
        for (int64_t y = r.top; y < r.top + r.rows; y++)
            for (int64_t x = r.left; x < r.left + r.pitch; x++)
                if (x < 0 || y < 0 || x >= w || y >= s.height)
                    assert_int_equal(raw_cell(&r, x, y), 0); // nothing was written there
        free(r.cells);
        subject_free(&s);
    }
}

// A rectangle with random bits round its cells, which are to be left alone.
static void move_rectangle(subject *s, int64_t x, int64_t y, int64_t width, int64_t height,
                           size_t pitch, bool registered, dice *d)
{
    const size_t words = (size_t)(width + 63) / 64, all = pitch * (size_t)height;
    uint64_t *memory = malloc(2 * all * 8), *seen = memory + all;
    assert_non_null(memory);
    for (size_t i = 0; i < 2 * all; i++)
        memory[i] = dice_word(d);
    if (registered)
        GOOD(lc_device_host_register(device, memory, 2 * all * 8, &why));
    lc_cells cells = {.x = x,
                      .y = y,
                      .width_cells = width,
                      .height_cells = height,
                      .planes = 1,
                      .words = memory,
                      .pitch_words = pitch};
    GOOD(lc_cuda_board_write(&s->board, &cells, &why));
    for (int64_t j = 0; j < height; j++)
        for (int64_t i = 0; i < width; i++)
            *cell(s, x + i, y + j) = memory[(size_t)j * pitch + (size_t)i / 64] >> (i % 64) & 1;
    const uint64_t beside = seen[pitch - 1];
    cells.words = seen;
    GOOD(lc_cuda_board_read(&s->board, &cells, &why));
    for (int64_t j = 0; j < height; j++) {
        uint64_t *from = memory + (size_t)j * pitch;
        if (width % 64 != 0)
            from[words - 1] &= ~UINT64_C(0) >> (64 - width % 64);
        assert_memory_equal(from, seen + (size_t)j * pitch, words * 8);
    }
    assert_true(pitch == words || seen[pitch - 1] == beside);
    if (registered)
        lc_device_host_unregister(device, memory);
    free(memory);
}

// Large ones, of which some go straight between memory and the GPU.
static void test_rectangles(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 7);
    for (int n = 0; n < 24 / test_slowness() + 3; n++) {
        const int64_t unit = n % 4 == 0 ? 1 : n % 4 == 1 ? 64 : 128;
        const int64_t width = (1 + dice_below(&d, 20000 / unit)) * unit;
        const lc_topology topology = {.kind = LC_TOPOLOGY_TORUS,
                                      .width_cells = width,
                                      .height_cells = 1 + dice_below(&d, 3000000 / width)};
        subject s = subject_of(&topology, all_words[n % 3]);
        for (int i = 0; i < 6; i++) {
            const int64_t step = (unit + 63) & ~INT64_C(63);
            const int64_t x = i % 2 == 0 ? 0 : dice_below(&d, (width + step - 1) / step) * step;
            const int64_t y = i % 2 == 0 ? 0 : dice_below(&d, s.height);
            int64_t wide = width - x;
            if (i % 3 == 2)
                wide = 1 + dice_below(&d, wide);
            if (i % 3 == 2 && wide > unit)
                wide -= wide % unit;
            const size_t words = (size_t)(wide + 63) / 64;
            // What goes through the window has to get to the board before.
            write_cells(&s, 0, dice_below(&d, s.height), width, &d);
            if (i == 3)
                GOOD(lc_cuda_board_prepare(&s.board, &why));
            move_rectangle(&s, x, y, wide, 1 + dice_below(&d, s.height - y),
                           words + (size_t)(dice_below(&d, 2) * dice_below(&d, 9)), n % 2 == 0, &d);
        }
        check_cells(&s, "after rectangles");
        subject_free(&s);
    }
}

static void test_settling(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    for (size_t i = 0; i < 3; i++) {
        for (int64_t segments = 1; segments <= 4; segments++) {
            const int64_t w = segments * 32 * all_words[i];
            const lc_topology topology = {
                .kind = LC_TOPOLOGY_TORUS, .width_cells = w, .height_cells = 3};
            for (int64_t origin = 0; origin < w; origin += 1 + dice_below(&d, 5)) {
                subject s = subject_of(&topology, all_words[i]);
                fill_random(&s, &d);
                GOOD(lc_cuda_board_prepare(&s.board, &why));
                s.board.origin = origin; // as if passes had moved the cells
                uint8_t *drifted = malloc((size_t)(w * 3));
                assert_non_null(drifted);
                for (int64_t y = 0; y < 3; y++)
                    for (int64_t x = 0; x < w; x++)
                        drifted[y * w + (x + origin) % w] = *cell(&s, x, y);
                free(s.cells);
                s.cells = drifted;
                check_cells(&s, "settled");
                assert_int_equal(s.board.origin, 0);
                subject_free(&s);
            }
        }
    }
}

static void check_facts(subject *s)
{
    uint64_t population = 0;
    int64_t left = INT64_MAX, right = -1, top = INT64_MAX, bottom = -1;
    const size_t row_words = (size_t)(s->width + 63) / 64;
    uint64_t *words = calloc((size_t)s->height * row_words, sizeof *words);
    assert_non_null(words);
    for (int64_t y = 0; y < s->height; y++) {
        for (int64_t x = 0; x < s->width; x += 64) {
            uint64_t *word = &words[(size_t)y * row_words + (size_t)x / 64];
            for (int64_t i = x; i < x + 64 && i < s->width; i++) {
                if (!*cell(s, i, y))
                    continue;
                *word |= UINT64_C(1) << (i - x);
                population++;
                left = i < left ? i : left;
                right = i > right ? i : right;
                top = y < top ? y : top;
                bottom = y;
            }
        }
    }
    lc_facts facts;
    GOOD(lc_cuda_board_facts(&s->board, &facts, &why));
    assert_int_equal(facts.population.words[0], population);
    assert_int_equal(facts.hash, plain_hash(words, row_words, s->height));
    free(words);
    assert_int_equal(facts.box.empty, population == 0);
    if (population == 0)
        return;
    assert_int_equal(facts.box.x, left);
    assert_int_equal(facts.box.y, top);
    assert_int_equal(facts.box.width_cells, right - left + 1);
    assert_int_equal(facts.box.height_cells, bottom - top + 1);
}

// Empty, one cell anywhere, random; with garbage right of the width, as a pass leaves it.
static void test_facts(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 4);
    for (int64_t w = 1; w <= 140; w++) {
        const lc_topology topology = {
            .kind = LC_TOPOLOGY_PLANE,
            .width_cells = w,
            .height_cells = 1 + dice_below(&d, w % 10 == 0 ? 3000 : 40)}; // several blocks, or one
        subject s = subject_of(&topology, all_words[w % 3]);
        GOOD(lc_device_fill(device, s.board.cells, 0xFF, s.board.buffer_bytes, stream, &why));
        const uint64_t dead[3] = {0};
        for (int64_t y = 0; y < s.height; y++)
            GOOD(lc_cuda_board_write_row(&s.board, 0, y, w, dead, &why));
        check_facts(&s);
        const int64_t x = dice_below(&d, w), y = dice_below(&d, s.height);
        const uint64_t one = UINT64_C(1) << (x % 64);
        *cell(&s, x, y) = 1;
        GOOD(lc_cuda_board_write_row(&s.board, x & ~INT64_C(63), y, x % 64 + 1, &one, &why));
        check_facts(&s);
        fill_random(&s, &d);
        check_facts(&s);
        check_facts(&s);
        subject_free(&s);
    }
}

static void test_density(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 5);
    for (int n = 0; n < 60; n++) {
        const lc_topology topology = {.kind = LC_TOPOLOGY_TORUS,
                                      .width_cells = 1 + dice_below(&d, 400),
                                      .height_cells = 1 + dice_below(&d, 90)};
        subject s = subject_of(&topology, all_words[n % 3]);
        fill_random(&s, &d);
        s.board.window.size_bytes = 4 * (size_t)(1 + dice_below(&d, 200)); // many pieces
        const int log2_side = n % 8, side = 1 << log2_side;
        const int64_t x = dice_below(&d, 100) - 50, y = dice_below(&d, 50) - 25;
        const int64_t width = 1 + dice_below(&d, 20), height = 1 + dice_below(&d, 20);
        uint32_t *counts = calloc((size_t)(width * height) * 2, sizeof *counts);
        assert_non_null(counts);
        uint32_t *expected = counts + width * height;
        for (int64_t j = 0; j < height * side; j++)
            for (int64_t i = 0; i < width * side; i++)
                if (x + i >= 0 && y + j >= 0 && x + i < s.width && y + j < s.height)
                    expected[j / side * width + i / side] += *cell(&s, x + i, y + j);
        lc_view squares = {
            .x = x, .y = y, .log2_side = log2_side, .width = width, .height = height};
        squares.counts = counts;
        GOOD(lc_cuda_board_count(&s.board, &squares, &why));
        assert_memory_equal(counts, expected, (size_t)(width * height) * sizeof *counts);
        uint8_t tones[20 * 20];
        squares.counts = NULL;
        squares.tones = tones;
        GOOD(lc_cuda_board_count(&s.board, &squares, &why));
        for (int64_t i = 0; i < width * height; i++)
            assert_int_equal(tones[i], test_tone(expected[i], side));
        subject_free(&s);
        free(counts);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    uint64_t bytes;
    const lc_frame endless = {.width_cells = INT64_C(1) << 61, .height_cells = 1 << 20};
    assert_false(lc_cuda_board_bytes(&endless, 4, 0, &bytes));
    lc_cuda_board board;
    assert_int_equal(lc_cuda_board_create(&board, device, stream, &endless, 4, 0, NULL),
                     LC_ERROR_LIMIT);
    const lc_frame large = {.width_cells = 1 << 30, .height_cells = 1 << 20};
    assert_true(lc_cuda_board_bytes(&large, 4, 0, &bytes));
    assert_true(bytes > UINT64_C(1) << 48 && bytes < UINT64_C(1) << 49);
    lc_message why = {0};
    assert_int_equal(lc_cuda_board_create(&board, device, stream, &large, 4, 0, &why),
                     LC_ERROR_MEMORY);
    assert_non_null(strstr(why.text, "the cells need 2"));
    assert_non_null(strstr(why.text, "it has"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_halos),
        cmocka_unit_test(test_settling), cmocka_unit_test(test_facts),
        cmocka_unit_test(test_density),  cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests_name("cuda_board", tests, open_device, close_device);
}
