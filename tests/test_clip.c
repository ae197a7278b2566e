// Clips of the viewer against plain arrays of bytes: copying, reading, turning, packing; and sizes
// that nobody has memory for.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "lightcone/clip.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

typedef struct board {
    int64_t width, height;
    uint8_t *cells;
} board;

static board board_create(int64_t width, int64_t height)
{
    board b = {width, height, calloc((size_t)(width * height), 1)};
    assert_non_null(b.cells);
    return b;
}

static void check_clip(const lc_clip *clip, const board *model)
{
    const lc_cells *cells = lc_clip_cells(clip);
    assert_true(cells->x == 0 && cells->y == 0 && cells->planes == 1);
    assert_int_equal(cells->width_cells, model->width);
    assert_int_equal(cells->height_cells, model->height);
    assert_int_equal(cells->pitch_words, (model->width + 63) / 64);
    uint64_t population = 0;
    for (int64_t y = 0; y < model->height; y++) {
        const uint64_t *row = lc_cells_row(cells, y);
        for (int64_t x = 0; x < (int64_t)cells->pitch_words * 64; x++) {
            const bool alive = x < model->width && model->cells[y * model->width + x];
            if (alive != (row[x / 64] >> (x % 64) & 1))
                fail_msg("%" PRId64 " x %" PRId64 ": cell (%" PRId64 ", %" PRId64 ") should be %d",
                         model->width, model->height, x, y, alive);
            population += alive;
        }
    }
    assert_int_equal(lc_clip_population(clip), population);
}

// A random clip, by way of a universe, and the same as bytes.
static lc_clip *random_clip(board *model, int64_t width, int64_t height, dice *d)
{
    lc_message message;
    lc_universe *universe = test_create("simd", LIFE, infinite_plane, 0);
    const int64_t x0 = dice_below(d, 300) - 150, y0 = dice_below(d, 300) - 150;
    assert_int_equal(lc_universe_soup(universe, x0, y0, width, height, 0.4, dice_word(d), &message),
                     LC_OK);
    *model = board_create(width, height);
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            model->cells[y * width + x] = test_get(universe, x0 + x, y0 + y);
    lc_clip *clip;
    assert_int_equal(
        lc_clip_from_universe(&clip, universe, &(lc_rectangle){x0, y0, width, height}, &message),
        LC_OK);
    lc_universe_destroy(&universe);
    check_clip(clip, model);
    return clip;
}

// The coordinate at which a copy of `length` cells sees the cell at `at`.
static int64_t seen(int64_t at, int64_t length, const lc_topology *t, int64_t side)
{
    const bool wraps = t->kind == LC_TOPOLOGY_TORUS && side != 0 && length <= side;
    return wraps ? (at % side + side) % side : at;
}

static void test_copying(void **state)
{
    (void)state;
    static const lc_topology shapes[] = {
        {.kind = LC_TOPOLOGY_PLANE},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 70, .height_cells = 50},
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = 64, .height_cells = 9},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 100}};
    dice d = dice_from(test_seed(), 1);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        lc_message message;
        lc_universe *universe = test_create("simd", LIFE, shapes[i], 0);
        assert_int_equal(lc_universe_soup(universe, 3, 2, 60, 7, 0.5, 7, &message), LC_OK);
        for (int j = 0; j < 60; j++) {
            const int64_t x = dice_below(&d, 160) - 80, y = dice_below(&d, 80) - 40;
            const lc_topology *t = &shapes[i];
            board model = board_create(1 + dice_below(&d, 200), 1 + dice_below(&d, 70));
            for (int64_t k = 0; k < model.width * model.height; k++)
                model.cells[k] =
                    test_get(universe, seen(x + k % model.width, model.width, t, t->width_cells),
                             seen(y + k / model.width, model.height, t, t->height_cells));
            lc_clip *clip;
            assert_int_equal(lc_clip_from_universe(&clip, universe,
                                                   &(lc_rectangle){x, y, model.width, model.height},
                                                   &message),
                             LC_OK);
            check_clip(clip, &model);
            lc_clip_destroy(&clip);
            assert_null(clip);
            free(model.cells);
        }
        lc_clip *clip = NULL;
        const struct {
            int64_t x, y, width, height;
            lc_status status;
        } refused[] = {{0, 0, 0, 5, LC_ERROR_ARGUMENT},
                       {0, 0, 5, -1, LC_ERROR_ARGUMENT},
                       {INT64_MAX - 5, 0, 9, 9, LC_ERROR_ARGUMENT},
                       {0, INT64_MAX - 5, 9, 9, LC_ERROR_ARGUMENT},
                       {0, 0, 1, (INT64_C(1) << 24) + 1, LC_ERROR_LIMIT},
                       {0, 0, INT64_C(1) << 40, 1, LC_ERROR_LIMIT},
                       {0, 0, INT64_C(1) << 40, INT64_C(1) << 40, LC_ERROR_LIMIT},
                       {0, 0, (INT64_C(1) << 15) + 1, INT64_C(1) << 15, LC_ERROR_LIMIT}};
        for (size_t j = 0; j < sizeof refused / sizeof refused[0]; j++) {
            message.text[0] = '\0';
            assert_int_equal(
                lc_clip_from_universe(&clip, universe,
                                      &(lc_rectangle){refused[j].x, refused[j].y, refused[j].width,
                                                      refused[j].height},
                                      &message),
                refused[j].status);
            assert_null(clip);
            assert_true(message.text[0] != '\0');
        }
        lc_universe_destroy(&universe);
    }
}

// Cells beyond the edges of a live background's universe are dead as well, and those in it alive.
static void test_copying_a_live_background(void **state)
{
    (void)state;
    lc_message message;
    const lc_topology tube = {.kind = LC_TOPOLOGY_TORUS, .height_cells = 4};
    lc_universe *universe = test_create("simd", rule_of("B0/S012345678"), tube, 0);
    test_step(universe, 1);
    lc_clip *clip;
    assert_int_equal(
        lc_clip_from_universe(&clip, universe, &(lc_rectangle){1000000, -1, 70, 6}, &message),
        LC_OK);
    assert_int_equal(lc_clip_population(clip), 70 * 4);
    lc_clip_destroy(&clip);
    lc_universe_destroy(&universe);
}

static void turn_board(board *b, lc_turn turn)
{
    const bool quarter = turn == LC_TURN_RIGHT || turn == LC_TURN_LEFT;
    board turned = board_create(quarter ? b->height : b->width, quarter ? b->width : b->height);
    for (int64_t y = 0; y < b->height; y++)
        for (int64_t x = 0; x < b->width; x++) {
            int64_t to_x = x, to_y = y;
            if (turn == LC_TURN_RIGHT) {
                to_x = b->height - 1 - y;
                to_y = x;
            } else if (turn == LC_TURN_LEFT) {
                to_x = y;
                to_y = b->width - 1 - x;
            } else if (turn == LC_TURN_FLIP_X) {
                to_x = b->width - 1 - x;
            } else {
                to_y = b->height - 1 - y;
            }
            turned.cells[to_y * turned.width + to_x] = b->cells[y * b->width + x];
        }
    free(b->cells);
    *b = turned;
}

static void test_turning(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 63, 64, 65, 128, 130, 200};
    lc_message message;
    dice d = dice_from(test_seed(), 2);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            board model;
            lc_clip *clip = random_clip(&model, sizes[i], sizes[j], &d);
            for (int k = 0; k < 12; k++) {
                const lc_turn turn = k < 4 ? (lc_turn)k : (lc_turn)dice_below(&d, 4);
                turn_board(&model, turn);
                assert_int_equal(lc_clip_turn(clip, turn, &message), LC_OK);
                check_clip(clip, &model);
            }
            lc_clip_destroy(&clip);
            free(model.cells);
        }
    lc_clip *clip;
    assert_int_equal(lc_clip_create(&clip, 3, 2, NULL), LC_OK);
    assert_int_equal(lc_clip_turn(clip, (lc_turn)4, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_clip_turn(clip, (lc_turn)-1, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_clip_cells(clip)->width_cells, 3);
    lc_clip_destroy(&clip);
}

// More than one block of 64 x 64 cells, turned all the ways there are: back where it was.
static void test_turning_a_large_clip(void **state)
{
    (void)state;
    static const struct {
        lc_turn turn;
        int times;
    } circles[] = {{LC_TURN_RIGHT, 4}, {LC_TURN_LEFT, 4}, {LC_TURN_FLIP_X, 2}, {LC_TURN_FLIP_Y, 2}};
    lc_message message;
    lc_universe *universe = test_create("simd", LIFE, infinite_plane, 0);
    lc_clip *clip;
    assert_int_equal(lc_universe_soup(universe, 0, 0, 4096, 1984, 0.5, 1, &message), LC_OK);
    assert_int_equal(
        lc_clip_from_universe(&clip, universe, &(lc_rectangle){0, 0, 4096, 1984}, &message), LC_OK);
    const size_t size_bytes = 4096 * 1984 / 8;
    uint64_t *before = malloc(size_bytes);
    assert_non_null(before);
    memcpy(before, lc_clip_cells(clip)->words, size_bytes);
    for (size_t i = 0; i < sizeof circles / sizeof *circles; i++)
        for (int times = 1; times <= circles[i].times; times++) {
            assert_int_equal(lc_clip_turn(clip, circles[i].turn, &message), LC_OK);
            const bool back = times == circles[i].times;
            assert_int_equal(memcmp(before, lc_clip_cells(clip)->words, size_bytes) == 0, back);
        }
    free(before);
    lc_clip_destroy(&clip);
    lc_universe_destroy(&universe);
}

// `rows`: the cells expected, '|' between rows.
static void check_text(const void *data, size_t bytes, const char *rows)
{
    lc_clip *clip;
    lc_message message = {0};
    if (lc_clip_from_text(&clip, data, bytes, 0, &message) != LC_OK)
        fail_msg("%s: %s", rows, message.text);
    const int64_t width = (int64_t)strcspn(rows, "|");
    board model = board_create(width, ((int64_t)strlen(rows) + 1) / (width + 1));
    for (int64_t y = 0; y < model.height; y++)
        for (int64_t x = 0; x < width; x++)
            model.cells[y * width + x] = rows[y * (width + 1) + x] == 'o';
    check_clip(clip, &model);
    lc_clip_destroy(&clip);
    free(model.cells);
}

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rows;
    } texts[] = {
        {"bo$2bo$3o!", ".o.|..o|ooo"},
        {"x = 4, y = 4\nbo$2bo$3o!", ".o..|..o.|ooo.|...."}, // as stated
        {"x = 1, y = 1\nbo$2bo$3o!", ".o.|..o|ooo"},         // more than stated
        {"x = 2, y = 1\n!", ".."},
        {"#CXRLE Pos=-100,7\nx = 0, y = 0, rule = B3/S23:T9,9\n3bo!", "o"},
        {"!Name\n.O\n\nO\n", ".o|..|o."},
        {"#Life 1.06\n-3 -2\n-1 0\n", "o..|...|..o"},
        {"#Life 1.05\n#P -1 -1\n*.*\n#P 4 0\n*\n", "o.o...|.....o"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t length = strlen(texts[i].text);
        check_text(texts[i].text, length, texts[i].rows);
        Bytef packed[500];
        z_stream stream = {0};
        assert_int_equal(
            deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
        stream.next_in = (z_const Bytef *)texts[i].text;
        stream.avail_in = (uInt)length;
        stream.next_out = packed;
        stream.avail_out = sizeof packed;
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        check_text(packed, stream.total_out, texts[i].rows);
        assert_int_equal(deflateEnd(&stream), Z_OK);
    }
}

// Sizes through which nobody counts: a reader that went from cell to cell, or asked for memory
// before it looked at them, would not come back.
static void test_hostile_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        lc_status status;
    } texts[] = {
        {"x = 3, y = 3\n4000000000000000000o!", LC_ERROR_LIMIT},
        {"o1000000000000000000b2000000000000000000b1000000000000000000bo!", LC_ERROR_LIMIT},
        {"o4000000000000000000$o!", LC_ERROR_LIMIT},
        {"x = 4000000000000000000, y = 4000000000000000000\no!", LC_ERROR_LIMIT},
        {"x = 16777216, y = 16777216\no!", LC_ERROR_LIMIT},
        {"x = 16777217, y = 1\no!", LC_ERROR_LIMIT},
        {"o4000000000000000000b600000000000000000o!", LC_ERROR_LIMIT},
        {"#Life 1.06\n-4611686018427387904 0\n4611686018427387904 0\n", LC_ERROR_LIMIT},
        {"#Life 1.06\n0 -4611686018427387904\n0 4611686018427387904\n", LC_ERROR_LIMIT},
        {"x = 0, y = 0\n!", LC_ERROR_FORMAT},
        {"x = 5, y = 0\n!", LC_ERROR_FORMAT},
        {"3o$3", LC_ERROR_FORMAT},
        {"x = 3, y = 1\n3o?!", LC_ERROR_FORMAT},
        {"", LC_ERROR_FORMAT},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        lc_clip *clip = NULL;
        lc_message message = {0};
        const lc_status status =
            lc_clip_from_text(&clip, texts[i].text, strlen(texts[i].text), 0, &message);
        if (status != texts[i].status)
            fail_msg("\"%s\": %s, %s", texts[i].text, lc_status_name(status), message.text);
        assert_null(clip);
        assert_true(message.text[0] != '\0');
    }
    // Dead cells alone are no size, however many; and the largest sides are possible.
    check_text("o999999999b$999999999b!", 23, "o");
    lc_clip *clip;
    assert_int_equal(lc_clip_from_text(&clip, "16777216o!", 10, 0, NULL), LC_OK);
    assert_int_equal(lc_clip_population(clip), 1 << 24);
    assert_int_equal(lc_clip_turn(clip, LC_TURN_RIGHT, NULL), LC_OK);
    assert_int_equal(lc_clip_population(clip), 1 << 24);
    const lc_cells *cells = lc_clip_cells(clip);
    assert_true(cells->width_cells == 1 && cells->height_cells == 1 << 24);
    assert_int_equal(cells->words[(1 << 24) - 1], 1);
    lc_clip_destroy(&clip);
}

static void test_rle(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 4);
    const lc_rule *rule = LIFE;
    for (int i = 0; i < 20; i++) {
        board model;
        lc_message message;
        lc_clip *clip = random_clip(&model, 1 + dice_below(&d, 200), 1 + dice_below(&d, 50), &d);
        char *text, *less;
        size_t bytes, less_bytes;
        assert_int_equal(lc_clip_to_rle(clip, rule, SIZE_MAX, &text, &bytes, &message), LC_OK);
        assert_int_equal(strlen(text), bytes);
        assert_non_null(strstr(text, "rule = B3/S23\n"));
        assert_int_equal(lc_clip_to_rle(clip, rule, bytes - 1, &less, &less_bytes, &message),
                         LC_ERROR_LIMIT);
        assert_null(less);
        lc_clip *again;
        assert_int_equal(lc_clip_from_text(&again, text, bytes, 0, &message), LC_OK);
        check_clip(again, &model);
        lc_clip_destroy(&again);
        lc_clip_destroy(&clip);
        free(text);
        free(model.cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copying), cmocka_unit_test(test_copying_a_live_background),
        cmocka_unit_test(test_turning), cmocka_unit_test(test_turning_a_large_clip),
        cmocka_unit_test(test_texts),   cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_rle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
