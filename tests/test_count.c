// Counts of 256 bits against an oracle that knows nothing of bits: decimal digits, as on paper.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/lightcone.h"
#include "support.h"

// The oracle -----------------------------------------------------------------------------------

enum { PLACES = 200 };

typedef struct decimal {
    int digits[PLACES]; // least first, each 0 .. 9
} decimal;

static decimal decimal_of(uint64_t value)
{
    decimal d = {{0}};
    for (int i = 0; value > 0; i++, value /= 10)
        d.digits[i] = (int)(value % 10);
    return d;
}

static decimal decimal_add(const decimal *a, const decimal *b)
{
    decimal sum = {{0}};
    int carry = 0;
    for (int i = 0; i < PLACES; i++) {
        const int digit = a->digits[i] + b->digits[i] + carry;
        sum.digits[i] = digit % 10;
        carry = digit / 10;
    }
    assert_int_equal(carry, 0);
    return sum;
}

static decimal decimal_subtract(const decimal *a, const decimal *b)
{
    decimal difference = {{0}};
    int borrow = 0;
    for (int i = 0; i < PLACES; i++) {
        const int digit = a->digits[i] - b->digits[i] - borrow;
        borrow = digit < 0;
        difference.digits[i] = digit + 10 * borrow;
    }
    assert_int_equal(borrow, 0);
    return difference;
}

static decimal decimal_times(const decimal *a, const decimal *b)
{
    decimal product = {{0}};
    for (int i = 0; i < PLACES; i++)
        for (int j = 0; j < PLACES && a->digits[i] > 0; j++)
            if (i + j < PLACES)
                product.digits[i + j] += a->digits[i] * b->digits[j];
            else
                assert_int_equal(b->digits[j], 0);
    for (int i = 0; i + 1 < PLACES; i++) {
        product.digits[i + 1] += product.digits[i] / 10;
        product.digits[i] %= 10;
    }
    assert_in_range(product.digits[PLACES - 1], 0, 9);
    return product;
}

static uint64_t decimal_remainder(const decimal *a, uint64_t divisor)
{
    uint64_t rest = 0;
    for (int i = PLACES - 1; i >= 0; i--)
        rest = (uint64_t)(((unsigned __int128)rest * 10 + (unsigned)a->digits[i]) % divisor);
    return rest;
}

static int decimal_compare(const decimal *a, const decimal *b)
{
    for (int i = PLACES - 1; i >= 0; i--)
        if (a->digits[i] != b->digits[i])
            return a->digits[i] < b->digits[i] ? -1 : 1;
    return 0;
}

static decimal decimal_power(uint64_t base, unsigned exponent)
{
    const decimal factor = decimal_of(base);
    decimal power = decimal_of(1);
    for (; exponent > 0; exponent--)
        power = decimal_times(&power, &factor);
    return power;
}

static decimal decimal_of_count(const lc_count *count)
{
    const decimal word = decimal_power(2, 64);
    decimal value = decimal_of(0);
    for (int i = 3; i >= 0; i--) {
        const decimal low = decimal_of(count->words[i]);
        value = decimal_times(&value, &word);
        value = decimal_add(&value, &low);
    }
    return value;
}

static const char *decimal_text(const decimal *d, char text[PLACES + 1])
{
    int top = PLACES - 1;
    while (top > 0 && d->digits[top] == 0)
        top--;
    int length = 0;
    for (int i = top; i >= 0; i--)
        text[length++] = (char)('0' + d->digits[i]);
    text[length] = '\0';
    return text;
}

// Counts that hurt: of every length, with runs of zeros and ones -------------------------------

static const lc_count largest = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

static lc_count power_of_two(unsigned bits)
{
    lc_count count;
    assert_true(lc_count_shift_left(lc_count_of(1), bits, &count));
    return count;
}

static lc_count any_count(dice *d)
{
    lc_count count = {{0}};
    const int64_t length = dice_below(d, 5);
    for (int64_t i = 0; i < length; i++) {
        static const uint64_t special[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
        const int64_t kind = dice_below(d, 10);
        count.words[i] = kind < 5 ? special[kind] : dice_word(d) >> dice_below(d, 64);
    }
    return count;
}

static bool equal(lc_count a, lc_count b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void assert_is(const decimal *expected, lc_count count)
{
    char want[PLACES + 1];
    char got[LC_COUNT_TEXT_BYTES];
    lc_count_format(count, got);
    assert_string_equal(got, decimal_text(expected, want));
}

static void assert_text(lc_count count, const char *expected)
{
    char text[LC_COUNT_TEXT_BYTES];
    lc_count_format(count, text);
    assert_string_equal(text, expected);
}

static void extremes(void **state)
{
    (void)state;
    lc_count result = lc_count_of(42);
    uint64_t value = 42;
    assert_text(lc_count_of(0), "0");
    assert_text(lc_count_of(UINT64_MAX), "18446744073709551615");
    assert_text(largest, "115792089237316195423570985008687907853269984665640564039457584007913129"
                         "639935");
    assert_false(lc_count_add(largest, lc_count_of(1), &result));
    assert_false(lc_count_add(largest, largest, &result));
    assert_false(lc_count_subtract(lc_count_of(0), lc_count_of(1), &result));
    assert_false(lc_count_subtract(lc_count_of(0), largest, &result));
    assert_false(lc_count_shift_left(lc_count_of(1), 256, &result));
    assert_false(lc_count_shift_left(lc_count_of(3), 255, &result));
    assert_false(lc_count_shift_left(lc_count_of(1), UINT32_MAX, &result));
    assert_true(equal(result, lc_count_of(42))); // nothing was written
    assert_true(lc_count_shift_left(lc_count_of(0), UINT32_MAX, &result));
    assert_true(equal(result, lc_count_of(0)));
    assert_true(lc_count_add(largest, lc_count_of(0), &result));
    assert_true(equal(result, largest));
    assert_true(lc_count_subtract(largest, largest, &result));
    assert_true(equal(result, lc_count_of(0)));
    assert_false(lc_count_to_u64(power_of_two(64), &value));
    assert_false(lc_count_to_u64(largest, &value));
    assert_true(value == 42);
    assert_true(lc_count_to_u64(lc_count_of(UINT64_MAX), &value));
    assert_true(value == UINT64_MAX);
    assert_true(lc_count_to_double(largest) == 0x1p256);
    assert_true(lc_count_to_double(lc_count_of(0)) == 0);
}

static void against_the_oracle(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    const decimal end = decimal_power(2, 256);
    const int rounds = 3000 / test_slowness();
    for (int i = 0; i < rounds; i++) {
        const lc_count a = any_count(&d);
        const lc_count b = any_count(&d);
        const unsigned bits = (unsigned)dice_below(&d, 300);
        const decimal x = decimal_of_count(&a);
        const decimal y = decimal_of_count(&b);
        lc_count result;
        assert_is(&x, a);

        const decimal sum = decimal_add(&x, &y);
        const bool fits = decimal_compare(&sum, &end) < 0;
        assert_int_equal(lc_count_add(a, b, &result), fits);
        if (fits)
            assert_is(&sum, result);

        const int order = decimal_compare(&x, &y);
        assert_int_equal(lc_count_compare(a, b), order);
        assert_int_equal(lc_count_subtract(a, b, &result), order >= 0);
        if (order >= 0) {
            const decimal difference = decimal_subtract(&x, &y);
            assert_is(&difference, result);
            assert_is(&difference, lc_count_distance(a, b));
            assert_is(&difference, lc_count_distance(b, a));
        }

        const uint64_t any = dice_word(&d) >> dice_below(&d, 64);
        const uint64_t divisor = any != 0 ? any : 1;
        assert_int_equal(lc_count_remainder(a, divisor), decimal_remainder(&x, divisor));

        decimal moved = x;
        unsigned left = bits;
        for (; left > 0 && decimal_compare(&moved, &end) < 0; left--)
            moved = decimal_add(&moved, &moved);
        const bool stays = decimal_compare(&moved, &end) < 0;
        assert_int_equal(lc_count_shift_left(a, bits, &result), stays);
        if (stays)
            assert_is(&moved, result);

        char text[PLACES + 1];
        const double nearest = strtod(decimal_text(&x, text), NULL); // of text, rounded once
        assert_true(lc_count_to_double(a) == nearest);
    }
}

// Round a tie the 53rd bit decides, and one bit far below it breaks the tie.
static void nearest_doubles(void **state)
{
    (void)state;
    for (unsigned top = 53; top < 256; top++) {
        for (unsigned low = 0; low + 53 < top; low++) {
            for (int even = 0; even < 2; even++) {
                lc_count count = power_of_two(top);
                assert_true(lc_count_add(count, power_of_two(top - 53), &count)); // the tie
                if (even == 1)
                    assert_true(lc_count_add(count, power_of_two(top - 52), &count));
                lc_count above;
                char text[LC_COUNT_TEXT_BYTES];
                assert_true(lc_count_add(count, power_of_two(low), &above));
                lc_count_format(count, text);
                assert_true(lc_count_to_double(count) == strtod(text, NULL));
                lc_count_format(above, text);
                assert_true(lc_count_to_double(above) == strtod(text, NULL));
            }
        }
    }
}

static void laws(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (int i = 0; i < 20000 / test_slowness(); i++) {
        const lc_count a = any_count(&d);
        const lc_count b = any_count(&d);
        const lc_count c = any_count(&d);
        lc_count sum, other, back;
        const bool fits = lc_count_add(a, b, &sum);
        assert_int_equal(lc_count_add(b, a, &other), fits);
        if (fits) {
            assert_true(equal(sum, other));
            assert_true(lc_count_subtract(sum, b, &back) && equal(back, a));
            assert_true(lc_count_compare(sum, a) >= 0 && lc_count_compare(sum, b) >= 0);
        }
        if (fits && lc_count_add(sum, c, &sum)) { // (a + b) + c = a + (b + c)
            assert_true(lc_count_add(b, c, &other) && lc_count_add(a, other, &other));
            assert_true(equal(sum, other));
        }
        assert_int_equal(lc_count_compare(a, b), -lc_count_compare(b, a));
        assert_int_equal(lc_count_compare(a, a), 0);
        if (lc_count_compare(a, b) <= 0 && lc_count_compare(b, c) <= 0)
            assert_true(lc_count_compare(a, c) <= 0);
        // Twice is a shift by one, and shifts add up.
        const bool doubles = lc_count_add(a, a, &sum);
        assert_int_equal(lc_count_shift_left(a, 1, &other), doubles);
        if (doubles)
            assert_true(equal(sum, other));
        const unsigned first = (unsigned)dice_below(&d, 130);
        const unsigned second = (unsigned)dice_below(&d, 130);
        if (lc_count_shift_left(a, first + second, &sum)) {
            assert_true(lc_count_shift_left(a, first, &other));
            assert_true(lc_count_shift_left(other, second, &other) && equal(other, sum));
        }
        uint64_t value;
        const bool small = lc_count_to_u64(a, &value);
        assert_int_equal(small, lc_count_compare(a, power_of_two(64)) < 0);
        assert_true(!small || equal(lc_count_of(value), a));
        char text[LC_COUNT_TEXT_BYTES];
        memset(text, 'x', sizeof text);
        lc_count_format(a, text);
        assert_non_null(memchr(text, '\0', sizeof text));
        const char *end;
        assert_int_equal(lc_count_parse(text, &end, &back, NULL), LC_OK);
        assert_true(*end == '\0' && equal(back, a));
    }
}

// Texts ----------------------------------------------------------------------------------------

static void texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rest, *value;
    } good[] = {
        {"0", "", "0"},
        {"00012", "", "12"},
        {"1_000_000", "", "1000000"},
        {"1__0", "__0", "1"},
        {"1_", "_", "1"},
        {"1e30", "", "1000000000000000000000000000000"},
        {"1e+30", "", "1000000000000000000000000000000"},
        {"10^30", "", "1000000000000000000000000000000"},
        {"12e-3", "e-3", "12"},
        {"1.5e6", ".5e6", "1"},
        {"3e", "e", "3"},
        {"3e+", "e+", "3"},
        {"3k", "k", "3"},
        {"2^64", "", "18446744073709551616"},
        {"2^64-1", "", "18446744073709551615"},
        {"2^64-1e3", "", "18446744073709550616"},
        {"2^64-", "-", "18446744073709551616"},
        {"2^64-1-1", "-1", "18446744073709551615"},
        {"2^64+1", "+1", "18446744073709551616"},
        {"2^2^2", "^2", "4"},
        {"2^", "^", "2"},
        {"2^-1", "^-1", "2"},
        {"7-1", "-1", "7"},
        {"0^0", "", "1"},
        {"0^5", "", "0"},
        {"5^0", "", "1"},
        {"1^99999999999999999999999999", "", "1"},
        {"0^99999999999999999999999999", "", "0"},
        {"0e99999999999999999999", "", "0"},
        {"1e1^1e1", "", "10000000000"},
        {"2^20x30", "x30", "1048576"},
        {"18446744073709551616^3", "",
         "6277101735386680763835789423207666416102355444464034512896"},
        {"2^256-1", "",
         "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *end = NULL;
        lc_count count;
        const lc_status status = lc_count_parse(good[i].text, &end, &count, NULL);
        if (status != LC_OK)
            fail_msg("'%s' is refused", good[i].text);
        assert_text(count, good[i].value);
        assert_string_equal(end, good[i].rest);
        assert_int_equal(lc_count_parse(good[i].text, NULL, &count, NULL),
                         *end == '\0' ? LC_OK : LC_ERROR_FORMAT);
    }
}

static void refused_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        lc_status status;
        uint64_t column;
    } bad[] = {
        {"", LC_ERROR_FORMAT, 1},
        {" 1", LC_ERROR_FORMAT, 1},
        {"x", LC_ERROR_FORMAT, 1},
        {"+1", LC_ERROR_FORMAT, 1},
        {"-", LC_ERROR_FORMAT, 1},
        {"-x", LC_ERROR_FORMAT, 1},
        {"_1", LC_ERROR_FORMAT, 1},
        {".5", LC_ERROR_FORMAT, 1},
        {"^2", LC_ERROR_FORMAT, 1},
        {"e5", LC_ERROR_FORMAT, 1},
        {"-1", LC_ERROR_ARGUMENT, 1},
        {"2^3-9", LC_ERROR_ARGUMENT, 1},
        {"0^1-1", LC_ERROR_ARGUMENT, 1},
        {"2^256-2e77", LC_ERROR_ARGUMENT, 1},
        {"2^256-1e999", LC_ERROR_ARGUMENT, 1},
        {"2^256", LC_ERROR_LIMIT, 1},
        {"2^256-0", LC_ERROR_LIMIT, 1},
        {"2^257-2^256", LC_ERROR_LIMIT, 1},
        {"2^320-1", LC_ERROR_LIMIT, 1},
        {"3^1000000", LC_ERROR_LIMIT, 1},
        {"2^18446744073709551616", LC_ERROR_LIMIT, 1},
        {"2^99999999999999999999999999999999999999999999999", LC_ERROR_LIMIT, 1},
        {"2^1e400", LC_ERROR_LIMIT, 1},
        {"1e78", LC_ERROR_LIMIT, 1},
        {"1e97", LC_ERROR_LIMIT, 1},
        {"1e99999999999999999999", LC_ERROR_LIMIT, 1},
        {"1e999^0", LC_ERROR_LIMIT, 1},
        {"1e999^2-1e999", LC_ERROR_LIMIT, 1},
        {"115792089237316195423570985008687907853269984665640564039457584007913129639936",
         LC_ERROR_LIMIT, 1},
        {"340282366920938463463374607431768211456^2", LC_ERROR_LIMIT, 1}, // 2^128
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        static const char here[] = "nowhere";
        const char *end = here;
        lc_count count = lc_count_of(99);
        lc_message message = {.line = 7};
        const lc_status status = lc_count_parse(bad[i].text, &end, &count, &message);
        if (status != bad[i].status)
            fail_msg("'%s': %s", bad[i].text, lc_status_name(status));
        assert_true(equal(count, lc_count_of(99)) && end == here);
        assert_true(message.line == 0 && message.column == bad[i].column);
        assert_true(strlen(message.text) > 10);
    }
    // Without `end` the text has to end with the number.
    lc_count count = lc_count_of(99);
    lc_message message;
    assert_int_equal(lc_count_parse("2^64 ", NULL, &count, &message), LC_ERROR_FORMAT);
    assert_int_equal(message.column, 5);
    assert_true(equal(count, lc_count_of(99)));
}

// Powers, those round 2^256 among them, with all that may be taken from them.
static void powers(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    const decimal end = decimal_power(2, 256);
    for (int i = 0; i < 300 / test_slowness(); i++) {
        const uint64_t base = 2 + (uint64_t)dice_below(&d, 40);
        unsigned exponent = (unsigned)dice_below(&d, 60);
        if (i % 2 == 0) { // the first power that is no count any more
            decimal power = decimal_of(1);
            const decimal factor = decimal_of(base);
            for (exponent = 0; decimal_compare(&power, &end) < 0; exponent++)
                power = decimal_times(&power, &factor);
        }
        const decimal power = decimal_power(base, exponent);
        lc_count taken = lc_count_of(0);
        if (i % 2 == 0 && decimal_compare(&power, &end) > 0) { // what leaves about 2^256
            const decimal beyond = decimal_subtract(&power, &end);
            char text[PLACES + 1];
            if (lc_count_parse(decimal_text(&beyond, text), NULL, &taken, NULL) != LC_OK)
                taken = largest;
            (void)lc_count_add(taken, lc_count_of((uint64_t)dice_below(&d, 3)), &taken);
        } else {
            taken = any_count(&d);
        }
        char text[2 * LC_COUNT_TEXT_BYTES];
        char digits[LC_COUNT_TEXT_BYTES];
        lc_count_format(taken, digits);
        snprintf(text, sizeof text, "%d^%u-%s", (int)base, exponent, digits);
        const decimal less = decimal_of_count(&taken);
        lc_count count;
        const lc_status status = lc_count_parse(text, NULL, &count, NULL);
        if (decimal_compare(&power, &less) < 0) {
            assert_int_equal(status, LC_ERROR_ARGUMENT);
            continue;
        }
        const decimal rest = decimal_subtract(&power, &less);
        if (decimal_compare(&rest, &end) < 0) {
            assert_int_equal(status, LC_OK);
            assert_is(&rest, count);
        } else {
            assert_int_equal(status, LC_ERROR_LIMIT);
        }
    }
}

static void coordinates(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-1, "-1"},
                 {12345, "12345"},
                 {INT64_MAX, "9223372036854775807"},
                 {INT64_MIN, "-9223372036854775808"}};
    char text[LC_COORDINATE_TEXT_BYTES];
    int64_t value;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lc_coordinate c = lc_coordinate_of(cases[i].value);
        lc_coordinate_format(c, text);
        assert_string_equal(text, cases[i].text);
        assert_true(lc_coordinate_to_i64(c, &value));
        assert_true(value == cases[i].value);
    }
    const lc_count near = lc_count_of(7), far = {{7, 0, 0, UINT64_C(1) << 63}};
    lc_coordinate_format(lc_coordinate_between(near, far), text);
    assert_string_equal(
        text, "-57896044618658097711785492504343953926634992332820282019728792003956564819968");
    assert_false(lc_coordinate_to_i64(lc_coordinate_between(near, far), &value));
    assert_false(lc_coordinate_between(near, near).is_negative);
    const lc_count end = {{UINT64_C(1) << 63}};
    assert_false(lc_coordinate_to_i64((lc_coordinate){end, false}, &value));
    assert_int_equal(lc_count_log2(far), 255);
    assert_int_equal(lc_count_log2(near), 2);
    assert_int_equal(lc_count_log2(lc_count_of(0)), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extremes),        cmocka_unit_test(against_the_oracle),
        cmocka_unit_test(nearest_doubles), cmocka_unit_test(laws),
        cmocka_unit_test(texts),           cmocka_unit_test(refused_texts),
        cmocka_unit_test(powers),          cmocka_unit_test(coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
