// What is no pattern, or a damaged one: the status, the line and the column of every complaint; and
// memory running out at every allocation in turn.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/memory.h"
#include "lightcone/pattern.h"
#include "support.h"
#include "support_pattern.h"

// Opens and reads; the status of whichever failed.
static lc_status try_bytes(const void *data, size_t size_bytes, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, data, size_bytes, message);
    if (status != LC_OK) {
        assert_null(pattern);
        return status;
    }
    cells got = {0};
    lc_sink sink = cells_sink(&got);
    status = lc_pattern_read(pattern, &sink, message);
    lc_pattern_close(&pattern);
    cells_free(&got);
    return status;
}

typedef struct rejected {
    const char *text;
    size_t size; // 0: up to the terminator
    lc_status status;
    uint64_t line, column;
    const char *says; // part of the sentence
} rejected;

#define F LC_ERROR_FORMAT
#define L LC_ERROR_LIMIT
#define U LC_ERROR_UNSUPPORTED

static void test_rejections(void **state)
{
    (void)state;
    static const rejected list[] = {
        // RLE
        {"x = 3, y = 3\nbob$\n2bqX3o!", 0, F, 3, 3, "'qX' has state 72: B3/S23 has states 0 to 1"},
        {"x = 3, y = 3\n3yA!", 0, F, 2, 2, "'yA'"},
        {"x = 3, y = 3\nbobB!", 0, F, 2, 4, "state 2"},
        {"x = 3, y = 3, rule = 345/2/4\nA.D!", 0, F, 2, 3, "345/2/4 has states 0 to 3"},
        {"x = 3, y = 3, rule = 3/3/256\nAyP!", 0, F, 2, 2, "'yP' has state 256"},
        {"x = 3, y = 3\npA!", 0, F, 2, 1, "state 25"},
        {"x = 3, y = 3, rule = 345/2/4\nA.C!", 0, U, 2, 3, "only two states can be read here"},
        {"x = 3, y = 3\nbo$a!", 0, F, 2, 4, "'a'"},
        {"x = 3, y = 3, fps\nbo!", 0, F, 1, 15, "unexpected text"},
        {"x = 3, y = 3\nbo\x1a$o!", 0, F, 2, 3, "0x1a"},
        {"#N Glider\n#R 0 0\n.*\n..*\n***\n", 0, F, 3, 2, "Life 1.05"},
        {"[M3] (golly 9)\n#R B3/S23\n*\n", 0, F, 1, 1, "macrocell"},
        {"x = 3, y = 3\r\nbo$\r\n\r\nbo?", 0, F, 4, 3, "'?'"},
        {"x = 3, y = 3\rbo$\r\rbo?", 0, F, 4, 3, "'?'"},
        {"x = 3, y = 3\nbo\0o!", 18, F, 2, 3, "NUL"},
        {"x = 3, y = 3\nbo\xe9", 0, F, 2, 3, "0xe9"},
        {"x = 3, y = 3\n3 o!", 0, F, 2, 2, "blank"},
        {"x = 3, y = 3\n03o!", 0, F, 2, 1, "begin with 0"},
        {"x = 3, y = 3\nb0o!", 0, F, 2, 2, "begin with 0"},
        {"x = 3, y = 3\nbon!", 0, F, 2, 3, "'n'"},
        {"x = 3, y = 3\nbo$X!", 0, F, 2, 4, "'X'"},
        {"x = 3, y = 3\nbo$Y!", 0, F, 2, 4, "'Y'"},
        {"x = 3, y = 3\nbo$12", 0, F, 2, 6, "within a run count"},
        {"x = 3, y = 3\nbo #C no\no!", 0, F, 2, 4, "'#'"},
        {"x = 3, y = 3\nbo$\nx = 3, y = 3\no!", 0, F, 3, 3, "'='"},
        {"x = 3, y = 3\n99999999999999999999999999999999999999999o!", 0, F, 2, 42, "2^62"},
        {"x = 3, y = 3\n4611686018427387905b!", 0, F, 2, 20, "2^62"},
        {"x = 3, y = 3\no4611686018427387904o!", 0, F, 2, 21, "2^62"},
        {"x = 3, y = 3\n4611686018427387904b\noo$!", 0, F, 3, 3,
         "2^62"}, // noticed at the row's end
        {"x = 3, y = 3\n4611686018427387904$$o!", 0, F, 2, 21, "2^62"},
        {"x = 3\nbo!", 0, F, 1, 6, "header"},
        {"  x = 3, z = 4\nbo!", 0, F, 1, 10, "header"},
        {"x = a, y = 4\nbo!", 0, F, 1, 5, "number"},
        {"x = 4, y = -4\nbo!", 0, F, 1, 12, "number"},
        {"x = 4, y = 4, bo!", 0, F, 1, 15, "unexpected text"},
        {"x = 4, y = 4, rule B3\nbo!", 0, F, 1, 20, "'='"},
        // text behind a rule is nothing, unless it may be more of the rule, or cells
        {"x = 3, y = 3, rule = B3/S23 /C1\no!", 0, F, 1, 30, "2 to 256 states"},
        {"x = 3, y = 3, rule = B3/S23 :T1,x\no!", 0, F, 1, 33, "topology"},
        {"x = 3, y = 3, rule = B3/S23:T100, 20x\no!", 0, F, 1, 37, "'x'"},
        {"x = 3, y = 3, rule = B3 S23x\no!", 0, F, 1, 28, "'x'"},
        {"x = 3, y = 3, rule = B3/S23 super\no!", 0, U, 1, 22, "LifeSuper"},
        {"x = 3, y = 3, rule = LifeHistory\nG!", 0, F, 2, 1, "LifeHistory has states 0 to 6"},
        {"x = 3, y = 3, rule = B3/S23 bo$2bo$3o!\n", 0, F, 1, 29, "cells behind the rule"},
        {"x = 3, y = 3, rule = hello B3/S23\no!", 0, F, 1, 22, "name"},
        {"#C a\n#CXRLE Pos=1\nx = 1, y = 1\no!", 0, F, 2, 12, "Pos="},
        {"#CXRLE Pos=1,99999999999999999999\nx = 1, y = 1\no!", 0, F, 1, 14, "Pos="},
        {"#CXRLE Pos = 1, x\nx = 1, y = 1\no!", 0, F, 1, 17, "Pos="},
        {"#CXRLE Pos 1,1 Gen = -1\nx = 1, y = 1\no!", 0, F, 1, 22, "Gen="},
        {"#CXRLE "
         "Gen=115792089237316195423570985008687907853269984665640564039457584007913129639936\nx = "
         "1, y = 1\no!",
         0, F, 1, 12, "larger than 2^256 - 1"},
        {"#CXRLE "
         "Gen=1115792089237316195423570985008687907853269984665640564039457584007913129639936\nx = "
         "1, y = 1\no!",
         0, F, 1, 12, "larger than 2^256 - 1"},
        {"#CXRLE Gen=x\nx = 1, y = 1\no!", 0, F, 1, 12, "number"},
        {"#C \0\nx = 1, y = 1\no!", 20, F, 1, 4, "NUL"},
        {"#C a\nx = 1, y = 1, rule = WireWorld\no!", 0, U, 2, 0, ""},
        {"#C a\n  x = 1, y = 1, rule = B3/S23:T1,x\no!", 0, F, 2, 0, ""},
        // plaintext
        {"!a\n.O\n.X\n", 0, F, 3, 2, "'X'"},
        {"!a\r\n.O\r\n.\tO\r\n", 0, F, 3, 3, "behind a tab"},
        {" \tO\nOOO\n", 0, F, 1, 3, "behind a tab"},
        {"!a\n.O\0", 6, F, 2, 3, "0x00"},
        {".O.\n..!\n", 0, F, 2, 3, "'!'"},
        // Life 1.05
        {"#Life 1.05\n#P 1\n*\n", 0, F, 2, 5, "two numbers"},
        {"#Life 1.05\n#P 1 2 3\n*\n", 0, F, 2, 8, "unexpected text"},
        {"#Life 1.05\n#P 1 x\n*\n", 0, F, 2, 6, "two numbers"},
        {"#Life 1.05\n#P 0 0\n**\n#P 1 9223372036854775808\n*\n", 0, F, 4, 6, "2^62"},
        {"#Life 1.05\n#P 0 0\n*O\n", 0, F, 3, 2, "'O'"},
        {"#Life 1.05\n#P 0 0\n* *\n", 0, F, 3, 3, "'*'"},
        {"#Life 1.05\n#P 0 0\n*\n#R 2/3\n*\n", 0, F, 4, 1, "rule"},
        {"#Life 1.05\n#P 4611686018427387904 0\n**\n", 0, F, 3, 3, "2^62"},
        {"#Life 1.05\n#P 0 4611686018427387904\n*\n*\n", 0, F, 3, 2, "2^62"},
        {"#Life 1.05\n#R 1234/34/999\n*\n", 0, U, 2, 12, "2 to 256 states"},
        // Life 1.06
        {"#Life 1.06\n1 2\n3\n", 0, F, 3, 2, "two numbers"},
        {"#Life 1.06\n1 2\nx 3\n", 0, F, 3, 1, "two numbers"},
        {"#Life 1.06\n1 2 3\n", 0, F, 2, 5, "unexpected text"},
        {"#Life 1.06\n1,2\n", 0, F, 2, 1, "two numbers"},
        {"#Life 1.06\n1 99999999999999999999999\n", 0, F, 2, 3, "2^62"},
        {"#Life 1.06\n1 2\n\0", 16, F, 3, 1, "NUL"},
        // something else
        {"", 0, F, 1, 1, "empty"},
        {" \n\t\n\n", 0, F, 4, 1, "blanks"},
        {"hello, world\n", 0, F, 1, 1, "known format"},
        {"\n\n  hello", 0, F, 3, 3, "known format"},
        {"[M1] (golly 4.0)\n#R B3/S23\n", 0, U, 1, 1, "macrocell"},
        // macrocell
        {"[M2]\n#G 1 2\n", 0, F, 2, 4, "generation"},
        {"[M2]\n#R B3/S99\n", 0, F, 2, 8, "neighbours"},
        {"[M2]\n.*x\n", 0, F, 2, 3, "'.', '*' and '$'"},
        {"[M2]\n*.*.*.*.*\n", 0, F, 2, 9, "8 x 8"},
        {"[M2]\n$$$$$$$$*\n", 0, F, 2, 9, "8 x 8"},
        {"[M2]\n$$$$$$$$$*\n", 0, F, 2, 10, "8 x 8"},
        {"[M2]\n*$$$$$$$$$$$$.\n", 0, F, 2, 14, "8 x 8"},
        {"[M2]\n*$\n#R B36/S23\n4 1 0 0 1\n", 0, F, 3, 1, "before the first square"},
        {"[M2]\n*$\n#G 7\n4 1 0 0 1\n", 0, F, 3, 1, "before the first square"},
        {"[M2]\n*$\n4 1 0 0\n", 0, F, 3, 8, "four numbers"},
        {"[M2]\n*$\n4 1 0 0 x\n", 0, F, 3, 9, "four numbers"},
        {"[M2]\n*$\n4 1 0 0 1x\n", 0, F, 3, 10, "four numbers"},
        {"[M2]\n*$\n4 1 0 2 0\n", 0, F, 3, 8, "before it"},            // itself
        {"[M2]\n*$\n4 1 3 0 0\n4 1 0 0 0\n", 0, F, 3, 6, "before it"}, // what comes later
        {"[M2]\n*$\n4 1 0 0 99999999999999999999\n", 0, F, 3, 29, "before it"},
        {"[M2]\n*$\n5 1 0 0 0\n", 0, F, 3, 4, "half as wide"},
        {"[M2]\n*$\n4 1 0 0 0\n6 2 0 0 0\n", 0, F, 4, 4, "half as wide"},
        {"[M2]\n0 0 0 0 0\n", 0, F, 2, 1, "five numbers"},
        {"[M2]\n255 0 0 0 0\n", 0, L, 2, 1, "2^254"},
        {"[M2]\n1 0 2 0 0\n", 0, F, 2, 6, "does not have this state"},
        {"#MCell 4.00\n#RULE R5,C0,M1,S34..58,B34..45,NM\n", 0, U, 2, 7, "Larger than Life"},
        {"#MCell 4.00\n#GOLLY WireWorld\n#RULE 1,2\n", 0, U, 2, 8, "table"},
        {"#MCell 4.00\n#RULE 345/2/4\n#L A.3D", 0, F, 3, 6, "state 4: the rule has states 0 to 3"},
        {"#MCell 4.00\n#RULE 345/2/4\n#L A.o", 0, F, 3, 6, "no cell"},
        {"#MCell 4.00\n#RULE 345/2/4\n#L 3", 0, F, 3, 5, "no cell"},
        {"#MCell 4.00\n#RULE 345/2/4\n#L aY", 0, F, 3, 4, "no cell"},
        {"#MCell 4.00\n#L 4611686018427387905A", 0, F, 2, 4, "further than 2^62"},
        {"#MCell 4.00\n#L 9999999999999999999999$A", 0, F, 2, 4, "further than 2^62"},
        {"#MCell 4.00\n#BOARD 3y4", 0, F, 2, 8, "800x600"},
        {"#MCell 4.00\n#BOARD 0x4", 0, F, 2, 8, "800x600"},
        {"#Life 1.07\n1 2\n", 0, U, 1, 1, "Life"},
        {"#life 2\n1 2\n", 0, U, 1, 1, "Life"},
        {"LCSTATE1....", 0, U, 1, 1, "checkpoint"},
        {"\x89PNG\r\n\x1a\n", 0, F, 1, 1, "PNG"},
        {"<!DOCTYPE html>\n", 0, F, 1, 1, "HTML"},
        {"PK\x03\x04", 0, F, 1, 1, "zip"},
        {"\x7f"
         "ELF\0\0\0",
         7, F, 1, 1, "program"},
        {"\xff\xfex\0 \0", 6, F, 1, 1, "UTF-16"},
        {"\0\0\0\0", 4, F, 1, 1, "known format"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const rejected *r = &list[i];
        lc_message message = {0};
        size_t size = r->size ? r->size : strlen(r->text);
        lc_status status = try_bytes(r->text, size, &message);
        bool as_said = status == r->status && message.line == r->line &&
                       (r->column == 0 || message.column == r->column) &&
                       strstr(message.text, r->says) != NULL && message.text[0] != '\0';
        if (!as_said)
            fail_msg("got %s at %" PRIu64 ":%" PRIu64 " \"%s\" for:\n%s", lc_status_name(status),
                     message.line, message.column, message.text, r->text);
        assert_int_equal(try_bytes(r->text, size, NULL), r->status); // nobody listens
    }
}

// Rules: the column is that of the file, not of the rule's text.
static void test_rule_column(void **state)
{
    (void)state;
    lc_message plain = {0}, message = {0};
    assert_int_not_equal(lc_rule_parse("B3/S2q", NULL, NULL, &plain), LC_OK);
    const char *text = "  x = 1, y = 1, rule = B3/S2q\no!";
    assert_int_not_equal(try_bytes(text, strlen(text), &message), LC_OK);
    assert_string_equal(message.text, plain.text);
    assert_int_equal(message.line, 1);
    assert_int_equal(message.column,
                     strlen("  x = 1, y = 1, rule = ") + (plain.column > 0 ? plain.column : 1));
}

// A tail in the second buffer's worth of bytes: lines and columns go on counting.
static void test_far_line(void **state)
{
    (void)state;
    size_t lines = 60000;
    char *text = malloc(lines * 8 + 64);
    size_t at = (size_t)sprintf(text, "x = 1, y = 1\n");
    for (size_t i = 0; i < lines; i++)
        at += (size_t)sprintf(text + at, i % 2 ? "bob2o$\r\n" : "3o$\n");
    at += (size_t)sprintf(text + at, "bo&");
    file_put(test_path("far.rle"), text, at);
    lc_pattern *pattern;
    assert_int_equal(lc_pattern_open(&pattern, test_path("far.rle"), NULL), LC_OK);
    cells got = {0};
    lc_sink sink = cells_sink(&got);
    lc_message message;
    assert_int_equal(lc_pattern_read(pattern, &sink, &message), LC_ERROR_FORMAT);
    assert_int_equal(message.line, lines + 2);
    assert_int_equal(message.column, 3);
    lc_pattern_close(&pattern);
    cells_free(&got);
    free(text);
}

static unsigned char *packed(const char *text, size_t *size_bytes)
{
    gzFile gz = gzopen(test_path("packed"), "wb");
    (void)gzwrite(gz, text, (unsigned)strlen(text));
    (void)gzclose(gz);
    return (unsigned char *)file_text(test_path("packed"), size_bytes);
}

// Every prefix of a gzip file, and every byte of it changed: an error, or the right cells where the
// change is in the few bits that say nothing (time, operating system, padding).
static void test_gzip_damage(void **state)
{
    (void)state;
    size_t size;
    unsigned char *good =
        packed("x = 3, y = 3\nbob$2bo$3o!\nand a comment behind the end\n", &size);
    assert_int_equal(try_bytes(good, size, NULL), LC_OK);
    for (size_t cut = 1; cut < size; cut++) {
        lc_message message = {0};
        assert_int_equal(try_bytes(good, cut, &message), LC_ERROR_FORMAT);
        if (cut >= 2) {
            if (strstr(message.text, "gzip") == NULL)
                fail_msg("%zu bytes: %s", cut, message.text);
            assert_true(message.line >= 1);
        }
    }
    cells glider = cells_of_text("bob$2bo$3o!");
    unsigned accepted = 0;
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            good[i] ^= (unsigned char)(1 << bit);
            lc_pattern *pattern;
            cells got = {0};
            lc_sink sink = cells_sink(&got);
            lc_status status = lc_pattern_open_memory(&pattern, good, size, NULL);
            if (status == LC_OK)
                status = lc_pattern_read(pattern, &sink, NULL);
            lc_pattern_close(&pattern);
            cells_sort(&got);
            accepted += status == LC_OK;
            assert_true(status == LC_OK ? cells_equal(&got, &glider) : status == LC_ERROR_FORMAT);
            cells_free(&got);
            good[i] ^= (unsigned char)(1 << bit);
        }
    }
    assert_true(accepted < 70);
    cells_free(&glider);
    unsigned char *tail = realloc(good, size + 4);
    memcpy(tail + size, "tail", 4);
    assert_int_equal(try_bytes(tail, size + 4, NULL), LC_ERROR_FORMAT);
    free(tail);
}

static void test_io(void **state)
{
    (void)state;
    lc_pattern *pattern;
    lc_message message = {0};
    assert_int_equal(lc_pattern_open(&pattern, test_path("missing"), &message), LC_ERROR_IO);
    assert_null(pattern);
    assert_non_null(strstr(message.text, "No such file"));
    assert_int_equal(lc_pattern_open(&pattern, "/tmp", &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "directory"));
}

static lc_status stop_run(void *context, int64_t x, int64_t y, int64_t length)
{
    (void)context;
    (void)x;
    (void)y;
    (void)length;
    return LC_ERROR_LIMIT;
}

static lc_status stop_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                           int64_t length)
{
    (void)words;
    return stop_run(context, x, y, length);
}

// What the sink returns comes back, and its message is left alone.
static void test_sink_stops(void **state)
{
    (void)state;
    static const char *const texts[] = {"bo$2bo$3o!", "100o!", "!\n.O\n", "#Life 1.06\n1 2\n",
                                        "#Life 1.05\n#P 0 0\n*\n*\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        lc_pattern *pattern;
        lc_message message = {.text = "the sink's own"};
        assert_int_equal(lc_pattern_open_memory(&pattern, texts[i], strlen(texts[i]), NULL), LC_OK);
        const lc_sink sink = {.struct_bytes = sizeof sink, .run = stop_run, .bits = stop_bits};
        assert_int_equal(lc_pattern_read(pattern, &sink, &message), LC_ERROR_LIMIT);
        assert_string_equal(message.text, "the sink's own");
        lc_pattern_close(&pattern);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    size_t size;
    unsigned char *zipped = packed("#C comment\nx = 3, y = 3\nbob$2bo$3o!", &size);
    for (uint64_t n = 1;; n++) {
        lc_message message = {0};
        lc_fail_allocation(n);
        lc_status status = try_bytes(zipped, size, &message);
        lc_fail_allocation(0);
        if (status == LC_OK) {
            assert_true(n > 4); // pattern, two buffers, zlib's state, comments
            break;
        }
        assert_int_equal(status, LC_ERROR_MEMORY);
        assert_non_null(strstr(message.text, "memory"));
    }
    free(zipped);
    static const char *const endings[] = {
        "m.rle",
        "m.rle.gz",
        "m.cells",
        "m.lif",
        "m.life",
#if defined(LC_PNG)
        "m.png"
#endif
    };
    cells set = cells_random(1, 0, 0, 100, 40, 50);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *path = test_path(endings[i]);
        file_put(path, "old", 3);
        for (uint64_t n = 1;; n++) {
            cells_window window = {.set = &set, .width = 100};
            lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                                .rule = LIFE,
                                                .width_cells = 100,
                                                .height_cells = 40};
            lc_message message = {0};
            lc_fail_allocation(n);
            lc_status status = lc_pattern_write(path, &options, cells_row, &window, &message);
            lc_fail_allocation(0);
            if (status == LC_OK) {
                assert_true(n > 2);
                break;
            }
            assert_int_equal(status, LC_ERROR_MEMORY);
            assert_true(message.text[0] != '\0');
            char *kept = file_text(path, NULL);
            assert_string_equal(kept, "old");
            free(kept);
        }
    }
    cells_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rejections), cmocka_unit_test(test_rule_column),
        cmocka_unit_test(test_far_line),   cmocka_unit_test(test_gzip_damage),
        cmocka_unit_test(test_io),         cmocka_unit_test(test_sink_stops),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
