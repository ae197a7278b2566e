// What the bench's charts are put together from: text in XML, numbers, labels and axes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/chart_axis.h"
#include "bench/svg.h"

static void text_that_is_no_utf8_is_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"a\xc3\xa9z", "a\xc3\xa9z"},
        {"\xf0\x9f\x99\x82", "\xf0\x9f\x99\x82"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},                 // too long
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, // a surrogate
        {"\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, // no character
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},                 // cut off
        {"\x7f\t\n\r", "\x7f\t\n\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *file = open_memstream(&text, &bytes);
        assert_non_null(file);
        lc_xml_write(file, cases[i].text);
        fclose(file);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

static void texts_are_shortened_between_characters(void **state)
{
    (void)state;
    char out[16];
    lc_svg_shorten("abcdef", 6, out, sizeof out);
    assert_string_equal(out, "abcdef");
    lc_svg_shorten("abcdefg", 6, out, sizeof out);
    assert_string_equal(out, "abcde\xe2\x80\xa6");
    lc_svg_shorten("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3, out, sizeof out);
    assert_string_equal(out, "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
    lc_svg_shorten("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 9, out, 8); // 7 bytes and their end
    assert_string_equal(out, "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
}

static void numbers_are_as_people_write_them(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *expected;
    } cases[] = {{0, "0"},         {0.001, "0.001"},  {12.345, "12.3"},      {999.4, "999"},
                 {999.6, "1,000"}, {60000, "60,000"}, {1234567, "1,234,567"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[LC_NUMBER_BYTES];
        lc_number_format(cases[i].value, text);
        assert_string_equal(text, cases[i].expected);
    }
}

static void labels_move_as_little_as_they_can(void **state)
{
    (void)state;
    double apart[] = {20, 50, 80};
    lc_labels_spread(apart, 3, 10, 0, 100);
    assert_true(apart[0] == 20 && apart[1] == 50 && apart[2] == 80);

    double together[] = {50, 50, 51, 90}; // the three are centred where they would be
    lc_labels_spread(together, 4, 10, 0, 100);
    assert_true(fabs(together[0] - 40.333333) < 1e-3 && fabs(together[2] - 60.333333) < 1e-3);
    assert_true(together[3] == 90);

    double crowd[40];
    for (int i = 0; i < 40; i++)
        crowd[i] = 300 + 0.1 * i;
    lc_labels_spread(crowd, 40, 10, 0, 400); // just enough room
    for (int i = 0; i < 40; i++)
        assert_true(fabs(crowd[i] - (5 + 10 * i)) < 1e-9);
}

static void axes_hold_their_values(void **state)
{
    (void)state;
    lc_axis axis = lc_axis_around(2, 5, 10, 400, 100);
    assert_true(axis.low < 2 && axis.high > 5);
    assert_true(fabs(axis.high / axis.low - 10) < 1e-9);
    assert_true(fabs(lc_axis_at(&axis, axis.low) - 400) < 1e-9);
    assert_true(fabs(lc_axis_at(&axis, axis.high) - 100) < 1e-9);
    assert_true(fabs(lc_axis_at(&axis, sqrt(axis.low * axis.high)) - 250) < 1e-9);
    assert_true(lc_axis_at(&axis, axis.low / 100) == 400);
    assert_true(lc_axis_at(&axis, axis.high * 100) == 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_is_no_utf8_is_replaced),
        cmocka_unit_test(texts_are_shortened_between_characters),
        cmocka_unit_test(numbers_are_as_people_write_them),
        cmocka_unit_test(labels_move_as_little_as_they_can),
        cmocka_unit_test(axes_hold_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
