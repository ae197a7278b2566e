// Apgcodes as patterns. Codes of Catagolue are stepped and compared with their prefixes, random
// boards survive an encoder that the test has, and wrong codes get a message with the column.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/pattern.h"
#include "support.h"
#include "support_pattern.h"
#include "support_universe.h"

static void test_cells(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"xq4_153", "3o$2bo$bo!"},
        {"xs4_33", "2o$2o!"},
        {"xp2_7", "o$o$o!"},
        {"xs0_0", "!"},
        {"\n  xs4_33 \r\n\n", "2o$2o!"},
        {"xp15_4r4z4r4", "bo$bo$obo$bo$bo$bo$bo$obo$bo$bo!"},
        // Runs of 2 (w), 3 (x), 4 (y0) and 39 (yz) dead columns; strips without a cell.
        {"xp1_1w2x4y08yzg", "o$3bo$7bo$12bo$52bo!"},
        {"xp1_zz1", "10$o!"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        cells read = cells_of_text(same[i][0]), want = cells_of_text(same[i][1]);
        assert_true(cells_equal(&read, &want));
        cells_free(&read);
        cells_free(&want);
    }
}

// Steps each object to its period, where it must be the same again, and not before.
static void test_what_they_name(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        int64_t right, down; // in a period
    } objects[] = {
        {"xs8_6996", 0, 0},
        {"xs18_2egm9a4zx346", 0, 0},
        {"xp2_318c", 0, 0},
        {"xp2_g88ehewehe88gzg999gy0g999gz011787w78711", 0, 0},
        {"xp3_co9nas0san9oczgoldlo0oldlogz1047210127401", 0, 0},
        {"xp3_xg8vxv8gzhhhhhy1hhhhhzx12vxv21", 0, 0},
        {"xp5_idiidiz01w1", 0, 0},
        {"xp6_ccb7w66z066", 0, 0},
        {"xp8_gk2gb3z11", 0, 0},
        {"xp14_j9d0d9j", 0, 0},
        {"xp15_4r4y14r4z4r4y14r4", 0, 0},
        {"xq4_153", 1, -1},
        {"xq4_6frc", 0, 2},
    };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        lc_universe *universe = test_create_pattern("scalar", objects[i].code);
        lc_facts first, now;
        const uint64_t number = strtoull(objects[i].code + 2, NULL, 10);
        const uint64_t period = objects[i].code[1] == 's' ? 1 : number;
        assert_int_equal(lc_universe_facts(universe, LC_FACT_ALL, &first, NULL), LC_OK);
        if (objects[i].code[1] == 's')
            assert_int_equal(first.population.words[0], number);
        for (uint64_t at = 1; at <= period; at++) {
            test_step(universe, 1);
            assert_int_equal(lc_universe_facts(universe, LC_FACT_ALL, &now, NULL), LC_OK);
            if (at < period)
                if (now.hash == first.hash)
                    fail_msg("%s repeats after %d", objects[i].code, (int)at);
        }
        assert_int_equal(lc_count_compare(now.population, first.population), 0);
        assert_int_equal(now.box.x, first.box.x + objects[i].right);
        assert_int_equal(now.box.y, first.box.y + objects[i].down);
        assert_true(now.hash == lc_hash_moved(first.hash, objects[i].right, objects[i].down));
        lc_universe_destroy(&universe);
    }
}

// Writes a run of dead columns at `to`, and returns the end.
static char *put_dead(char *to, int columns)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (; columns >= 4; columns -= columns < 39 ? columns : 39) {
        *to++ = 'y';
        *to++ = digits[(columns < 39 ? columns : 39) - 4];
    }
    *to = columns == 1 ? '0' : columns == 2 ? 'w' : 'x';
    return to + (columns > 0);
}

// The code of a board whose cells are in `set`, with the prefix of an oscillator.
static void encode(const cells *set, int width, int height, char *to)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    unsigned char *columns = calloc((size_t)width, 1);
    to += sprintf(to, "xp9_");
    size_t next = 0;
    for (int top = 0; top < height; top += 5) {
        memset(columns, 0, (size_t)width);
        for (; next < set->count && set->list[next].y < top + 5; next++)
            columns[set->list[next].x] |= (unsigned char)(1 << (set->list[next].y - top));
        int dead = 0;
        for (int x = 0; x < width; x++) {
            if (columns[x] == 0) {
                dead++;
                continue;
            }
            to = put_dead(to, dead);
            dead = 0;
            *to++ = digits[columns[x]];
        }
        *to++ = 'z';
    }
    *to = '\0';
    free(columns);
}

static void test_any_cells(void **state)
{
    (void)state;
    static char text[1 << 20];
    static const struct {
        int width, height, percent;
    } boards[] = {{1, 1, 100}, {64, 5, 60},  {65, 6, 50},    {63, 4, 90},  {128, 40, 3},
                  {7, 200, 5}, {300, 11, 1}, {1000, 30, 40}, {200, 17, 0}, {129, 9, 100}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        cells want = cells_random(i, 0, 0, boards[i].width, boards[i].height, boards[i].percent);
        encode(&want, boards[i].width, boards[i].height, text);
        cells read = cells_of_text(text);
        assert_true(cells_equal(&read, &want));
        cells_free(&read);
        cells_free(&want);
    }
}

static lc_status ignore_run(void *context, int64_t x, int64_t y, int64_t length)
{
    (void)context, (void)x, (void)y, (void)length;
    return LC_OK;
}

static lc_status ignore_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                             int64_t length)
{
    (void)context, (void)x, (void)y, (void)words, (void)length;
    return LC_OK;
}

static void test_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        uint64_t line, column;
        const char *says;
    } wrong[] = {
        {"xs4", 1, 4, "'_'"},
        {"xs4-33", 1, 4, "'_'"},
        {"xs1234567890123456789_33", 1, 21, "digits"},
        {"xq4_", 1, 5, "cells"},
        {"xq4_15!", 1, 7, "'!'"},
        {"xq4_1A3", 1, 6, "'A'"},
        {"xq4_15y", 1, 8, "'y'"},
        {"xq4_15y-", 1, 8, "'y'"},
        {"xs5_33", 1, 7, "4 live cells and says 5"},
        {"\nxq4_153\n\n xq4_153", 4, 2, "behind"},
    };
    const lc_sink sink = {.struct_bytes = sizeof sink, .run = ignore_run, .bits = ignore_bits};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lc_message message = {0};
        lc_pattern *pattern;
        assert_int_equal(
            lc_pattern_open_memory(&pattern, wrong[i].code, strlen(wrong[i].code), &message),
            LC_OK);
        assert_int_equal(lc_pattern_get_header(pattern)->format, LC_FORMAT_APGCODE);
        assert_int_equal(lc_pattern_read(pattern, &sink, &message), LC_ERROR_FORMAT);
        lc_pattern_close(&pattern);
        if (message.line != wrong[i].line || message.column != wrong[i].column ||
            strstr(message.text, wrong[i].says) == NULL)
            fail_msg("%s: %d:%d: %s", wrong[i].code, (int)message.line, (int)message.column,
                     message.text);
    }
    lc_message message = {0};
    lc_pattern *pattern;
    static const char growth[] = "yl144_1_16_afb5f3db909e60548f086e22ee3353ac";
    assert_int_equal(lc_pattern_open_memory(&pattern, growth, strlen(growth), &message),
                     LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message.text, "linear growth"));
}

static void test_not_written(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                        .format = LC_FORMAT_APGCODE,
                                        .rule = LIFE,
                                        .width_cells = 1,
                                        .height_cells = 1};
    cells one = {0};
    cells_add(&one, 0, 0);
    cells_window window = {&one, 0, 0, 1, 0};
    assert_int_equal(lc_pattern_write(test_path("one"), &options, cells_row, &window, &message),
                     LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message.text, "apgcodes are read and not written"));
    cells_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),       cmocka_unit_test(test_what_they_name),
        cmocka_unit_test(test_any_cells),   cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
