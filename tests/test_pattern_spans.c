// All live cells of a pattern as spans: whatever order, overlap and distance they come in, every
// format gets them whole; memory, limits and the rectangle are checked.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/pattern.h"
#include "support.h"
#include "support_pattern.h"

static lc_spans *read_text(const char *text)
{
    lc_pattern *pattern;
    lc_message message = {0};
    lc_spans *spans = NULL;
    assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), &message), LC_OK);
    if (lc_spans_read(&spans, pattern, 0, &message) != LC_OK)
        fail_msg("%s", message.text);
    lc_pattern_close(&pattern);
    return spans;
}

static lc_pattern_write_options options_for(const lc_box *box)
{
    return (lc_pattern_write_options){.struct_bytes = sizeof(lc_pattern_write_options),
                                      .rule = LIFE,
                                      .x = box->x,
                                      .y = box->y,
                                      .has_position = true,
                                      .width_cells = box->width_cells,
                                      .height_cells = box->height_cells};
}

static void write_box(const lc_spans *spans, const char *path)
{
    lc_message message = {0};
    const lc_box box = lc_spans_box(spans);
    const lc_pattern_write_options options = options_for(&box);
    if (lc_spans_write(spans, box.x, box.y, path, &options, &message) != LC_OK)
        fail_msg("%s: %s", path, message.text);
}

// The text's cells in all formats are those that a sink gets from it.
static void assert_written(const char *text, bool drawn)
{
    static const struct {
        const char *name;
        bool drawn, placed;
    } files[] = {{"s.rle", false, false},
                 {"s.lif", false, true},
                 {"s.life.gz", false, true},
                 {"s.cells", true, false}};
    cells want = cells_of_text(text);
    lc_spans *spans = read_text(text);
    const lc_box box = lc_spans_box(spans);
    assert_int_equal(box.empty, want.count == 0);
    if (want.count > 0) {
        assert_true(box.y == want.list[0].y);
        assert_true(box.y + box.height_cells - 1 == want.list[want.count - 1].y);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i].drawn && !drawn)
            continue;
        write_box(spans, test_path(files[i].name));
        cells got = cells_of_file(test_path(files[i].name));
        if (!files[i].placed)
            cells_shift(&got, box.x, box.y);
        if (!cells_equal(&got, &want))
            fail_msg("%s of:\n%.2000s", files[i].name, text);
        cells_free(&got);
    }
    lc_spans_destroy(&spans);
    assert_null(spans);
    cells_free(&want);
}

static void test_far_cells(void **state)
{
    (void)state;
    assert_written("bo$2bo$3o!", true);
    assert_written("!", true);
    assert_written("1000b2o5000bo4000b!", true);
    assert_written("o999999999999bo$77$1000000000000b70o12bo999999999999$o!", false);
    assert_written("#Life 1.06\n0 0\n1 0\n2 0\n1 0\n5 0\n", true); // in order, but overlapping
    assert_written("#Life 1.06\n4611686018427387903 -5\n7 4611686018427387000\n8 0\n7 0\n7 0\n",
                   false);
    lc_spans *spans = read_text("o999999999999bo$77$1000000000000b70o12bo999999999999$o!");
    write_box(spans, test_path("far.rle"));
    char *text = file_text(test_path("far.rle"), NULL);
    assert_string_equal(text,
                        "#CXRLE Pos=0,0\nx = 1000000000083, y = 1000000000078, rule = B3/S23\n"
                        "o999999999999bo78$1000000000000b70o12bo999999999999$o!\n");
    free(text);
    lc_spans_destroy(&spans);
    lc_spans_destroy(&spans);
    lc_spans_destroy(NULL);
}

// Runs and words in one row that touch are one run of the file.
static void test_touching(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {{"9001o!", "9001o!"},
                {"100o50b9000o3bo!", "100o50b9000o3bo!"},
                {"63ob64o128bo63b4096o!", "63ob64o128bo63b4096o!"},
                {"4095o2b4097o!", "4095o2b4097o!"},
                {"5bo64b8192o64bo$o!", "5bo64b8192o64bo$o!"},
                {"b50o9000o7o4bo!", "b9057o4bo!"},
                {"bob9000oobo!", "bob9001obo!"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "x = 1, y = 1\n%s", rows[i].from);
        lc_spans *spans = read_text(text);
        const lc_box box = lc_spans_box(spans);
        lc_pattern_write_options options = options_for(&box);
        options.width_cells += box.x; // the file's own rectangle
        assert_int_equal(lc_spans_write(spans, 0, 0, test_path("t.rle"), &options, NULL), LC_OK);
        char *got = file_text(test_path("t.rle"), NULL);
        char *cells_line = strstr(got, "B3/S23\n") + strlen("B3/S23\n");
        cells_line[strcspn(cells_line, "\n")] = '\0';
        assert_string_equal(cells_line, rows[i].to);
        free(got);
        lc_spans_destroy(&spans);
    }
}

// Long runs are lines of their own in Life 1.05, between blocks.
static void test_long_runs(void **state)
{
    (void)state;
    assert_written("x = 1, y = 1\n3bo5b5119obo$b5120obo$2b5121obo$o6000b12345o$2bobo!", true);
}

// Blocks of Life 1.05 that overlap, and lists of cells in any order with cells twice.
static void test_any_order(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 11);
    static char text[1 << 18];
    for (int round = 0; round < 60; round++) {
        size_t at = (size_t)sprintf(text, "#Life 1.05\n");
        const int blocks = 1 + (int)dice_below(&d, 12);
        for (int block = 0; block < blocks; block++) {
            const int64_t reach = round % 3 == 0 ? 20 : 6000;
            at += (size_t)sprintf(text + at, "#P %" PRId64 " %" PRId64 "\n",
                                  dice_below(&d, reach) - reach / 2, dice_below(&d, 5) - 2);
            const int rows = 1 + (int)dice_below(&d, 4);
            for (int row = 0; row < rows; row++) {
                // Long stretches become runs, others words.
                for (int part = 1 + (int)dice_below(&d, 3); part > 0; part--) {
                    const int length = 1 + (int)dice_below(&d, dice_below(&d, 4) == 0 ? 1500 : 90);
                    const int kind = (int)dice_below(&d, 3);
                    for (int i = 0; i < length; i++)
                        text[at++] = kind == 0 ? '*' : kind == 1 ? '.' : ".*"[dice_below(&d, 2)];
                }
                text[at++] = '\n';
            }
        }
        assert_true(at < sizeof text);
        text[at] = '\0';
        assert_written(text, true);

        at = (size_t)sprintf(text, "#Life 1.06\n");
        const int64_t side = round % 2 == 0 ? 9 : 300;
        for (int i = 0; i < 400; i++) {
            const int64_t x = dice_below(&d, side), y = dice_below(&d, side) - 40;
            const int run = dice_below(&d, 3) == 0 ? (int)dice_below(&d, 30) : 1;
            for (int j = 0; j < run; j++)
                at += (size_t)sprintf(text + at, "%" PRId64 " %" PRId64 "\n", x + j, y);
        }
        assert_written(text, true);
    }
}

static void test_picture(void **state)
{
    (void)state;
    lc_spans *spans = read_text("#Life 1.06\n3 1\n0 0\n1 0\n2 0\n");
    write_box(spans, test_path("p.png"));
    cells set = cells_of_text("3o$3bo!");
    cells_write(&set, test_path("q.png"), LC_FORMAT_AUTO, 0, 0, 4, 2);
    size_t sizes[2];
    char *made = file_text(test_path("p.png"), &sizes[0]);
    char *want = file_text(test_path("q.png"), &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(made, want, sizes[0]);
    free(made);
    free(want);
    cells_free(&set);
    lc_spans_destroy(&spans);
}

static lc_status try_read(const char *text, uint64_t max_memory_bytes, lc_message *message)
{
    lc_pattern *pattern;
    lc_spans *spans;
    assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), message), LC_OK);
    lc_status status = lc_spans_read(&spans, pattern, max_memory_bytes, message);
    assert_int_equal(spans != NULL, status == LC_OK);
    lc_spans_destroy(&spans);
    lc_pattern_close(&pattern);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    // A span takes 32 bytes and one word: far cells must not take more, near ones far less.
    static char text[1 << 16];
    size_t at = 0;
    for (int i = 0; i < 1000; i++)
        at += (size_t)sprintf(text + at, "o99999b1000000$");
    (void)sprintf(text + at, "!");
    lc_message message = {0};
    assert_int_equal(try_read(text, 1000 * 40 * 2, &message), LC_OK);
    assert_int_equal(try_read(text, 1000 * 40 - 1, &message), LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "memory"));
    for (int i = 0; i < 1000; i++) // in a row, as near as words come together
        memcpy(text + i * 5, "o999b", 5);
    strcpy(text + 5000, "!");
    assert_int_equal(try_read(text, 1000 * 40 * 2, &message), LC_OK);
    assert_int_equal(try_read("x = 9, y = 9\n999999999999o$999999999999o!", 64, NULL), LC_OK);
    for (uint64_t n = 1;; n++) {
        lc_pattern *pattern;
        lc_spans *spans;
        assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), NULL), LC_OK);
        message = (lc_message){0};
        lc_fail_allocation(n);
        lc_status status = lc_spans_read(&spans, pattern, 0, &message);
        lc_fail_allocation(0);
        lc_pattern_close(&pattern);
        assert_int_equal(spans != NULL, status == LC_OK);
        lc_spans_destroy(&spans);
        if (status == LC_OK) {
            assert_true(n > 10);
            break;
        }
        assert_int_equal(status, LC_ERROR_MEMORY);
        assert_non_null(strstr(message.text, "memory"));
    }
}

// What cannot be written is said, and the file that was there stays.
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *says;
    } list[] = {
        {"999999999999o!", "r.life", "Life 1.06"},    {"999999999999o!", "r.lif", "Life 1.05"},
        {"o999999999999bo!", "r.cells", "plaintext"}, {"o$999999999999$o!", "r.cells", "plaintext"},
        {"o999999999999bo!", "r.png", "PNG"},
    };
    lc_message message;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const char *path = test_path(list[i].name);
        file_put(path, "old", 3);
        lc_spans *spans = read_text(list[i].text);
        const lc_box box = lc_spans_box(spans);
        const lc_pattern_write_options options = options_for(&box);
        assert_int_equal(lc_spans_write(spans, box.x, box.y, path, &options, &message),
                         LC_ERROR_LIMIT);
        assert_non_null(strstr(message.text, list[i].says));
        lc_spans_destroy(&spans);
        char *kept = file_text(path, NULL);
        assert_string_equal(kept, "old");
        free(kept);
    }
    assert_int_equal(
        try_read("#Life 1.06\n-4611686018427387904 0\n4611686018427387904 0\n", 0, &message),
        LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "2^62"));
    assert_int_equal(try_read("x = 3, y = 3\nbo$2bo$3oq", 0, &message), LC_OK);
    assert_int_equal(try_read("x = 3, y = 3\nbo$2bo$3o?", 0, &message), LC_ERROR_FORMAT);
    assert_int_equal(message.column, 10);
    // A rectangle that does not hold the cells, on each of its sides.
    lc_spans *spans = read_text("bo$2bo$3o!");
    static const int64_t wrong[][4] = {{1, 0, 2, 3}, {0, 1, 3, 2}, {0, 0, 2, 3}, {0, 0, 3, 2}};
    for (size_t i = 0; i < 4; i++) {
        const lc_box box = {false, wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3]};
        const lc_pattern_write_options options = options_for(&box);
        assert_int_equal(lc_spans_write(spans, box.x, box.y, test_path("w.rle"), &options, NULL),
                         LC_ERROR_ARGUMENT);
    }
    lc_spans_destroy(&spans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_cells), cmocka_unit_test(test_touching),
        cmocka_unit_test(test_long_runs), cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_picture),   cmocka_unit_test(test_memory),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
