// Numbers as people type and read them, and JSON: against values worked out by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The command's own parts are in no library.
#include "../cli/json.c"
#include "../cli/number.c"

static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"00012", 12},
        {"1_000_000", 1000000},
        {"1,000", 1000},
        {"12,345,678k", UINT64_C(12345678000)},
        {"18,446,744,073,709,551,615", UINT64_MAX},
        {"1e6", 1000000},
        {"1e+6", 1000000},
        {"1200e-2", 12},
        {"1.5e6", 1500000},
        {"0.000001e6", 1},
        {"1.50k", 1500},
        {"2^20", 1048576},
        {"2^63", UINT64_C(9223372036854775808)},
        {"2^64-1", UINT64_MAX},
        {"2^64-1e3", UINT64_MAX - 999},
        {"4^32-1", UINT64_MAX},
        {"18446744073709551615^1-5", UINT64_MAX - 5},
        {"2^64-18446744073709551615", 1},
        {"2^64-18446744073709551616", 0},
        {"2^65-36893488147419103232", 0},
        {"1.2_5k", 1250},
        {"2^20-1", 1048575},
        {"2^20-1048576", 0},
        {"10^9-7", 999999993},
        {"1^5-1", 0},
        {"2^63-0", UINT64_C(9223372036854775808)},
        {"0^0", 1},
        {"0^5", 0},
        {"1^18446744073709551615", 1},
        {"3M", 3000000},
        {"7G", 7000000000},
        {"18T", 18000000000000},
        {"18446744073709551615", UINT64_MAX},
        {"18446744073709551615.000", UINT64_MAX},
        {"1844674407370955161.5e1", UINT64_MAX},
        {"0e99999999999999999999", 0},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t value = 99;
        const char *wrong = lc_cli_parse_u64(good[i].text, &value);
        if (wrong != NULL || value != good[i].value) {
            fail_msg("'%s' is %" PRIu64 " (%s), not %" PRIu64, good[i].text, value,
                     wrong != NULL ? wrong : "accepted", good[i].value);
        }
    }
    static const char *const bad[] = {
        "",
        " 1",
        "1 ",
        "x",
        "-1",
        "+1",
        "1.5",
        "0.1",
        "1e-1",
        "1.2345k",
        "1..2",
        "1.",
        ".5",
        "1,00",
        "1,0000",
        "1000,000",
        "1,000,",
        ",000",
        "1,000.5",
        "1__0",
        "_1",
        "1_",
        "1e",
        "e5",
        "k",
        "10kk",
        "2^",
        "2^64",
        "2^64-0",
        "2^65-1",
        "2^128-1",
        "3^41-1",
        "4294967296^3-1",
        "2^64-",
        "2^64--1",
        "2^64-1-1",
        "2^64-x",
        "2^64-0.5",
        "2^64+1",
        "2^64-18446744073709551617",
        "2^2.5k",
        "2^4e-1",
        "1e3.5k",
        "1e3e-2",
        "1.5_k",
        "2^3-9",
        "0^1-1",
        "5-1",
        "1000-1",
        "2^-1",
        "^2",
        "10q",
        "0x10",
        "1e20",
        "2^2^2",
        "1e-99999999999999999999",
        "18446744073709551616",
        "184467440737095516.16e2",
        "18446744073709552k",
        "1e99999999999",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t value = 99;
        if (lc_cli_parse_u64(bad[i], &value) == NULL || value != 99)
            fail_msg("'%s' was accepted as %" PRIu64, bad[i], value);
    }
}

// Beyond 64 bits, in the same forms.
static void counts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digits;
    } good[] = {
        {"0", "0"},
        {"1000", "1000"},
        {"10^30", "1000000000000000000000000000000"},
        {"1e30", "1000000000000000000000000000000"},
        {"6.02e23", "602000000000000000000000"},
        {"1.5e30", "1500000000000000000000000000000"},
        {"12.5e28k", "125000000000000000000000000000000"},
        {"1_000e27", "1000000000000000000000000000000"},
        {"18446744073709551616", "18446744073709551616"},
        {"18446744073709552k", "18446744073709552000"},
        {"2^256-1",
         "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
        {"1200e-2", "12"},
        {"2^100k", "1267650600228229401496703205376000"},
        {"0e999999999999", "0"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        lc_count value = {{99}};
        char digits[LC_COUNT_TEXT_BYTES];
        const char *wrong = lc_cli_parse_count(good[i].text, &value);
        lc_count_format(value, digits);
        if (wrong != NULL || strcmp(digits, good[i].digits) != 0)
            fail_msg("'%s' is %s (%s), not %s", good[i].text, digits,
                     wrong != NULL ? wrong : "accepted", good[i].digits);
    }
    static const struct {
        const char *text, *wrong;
    } bad[] = {
        {"2^256", "is larger than 2^256-1"},
        {"1e78", "is larger than 2^256-1"},
        {"9e999999999999999", "is larger than 2^256-1"},
        {"2^256-1k", "is larger than 2^256-1"},
        {"1e75k", "is larger than 2^256-1"},
        {"1.5", "is not a whole number"},
        {"1.23456e4", "is not a whole number"},
        {"15e-1", "is not a whole number"},
        {"-1e30", "must not be negative"},
        {"1e30q", "is not a number (1000, 1e6, 2^20, 10k, 3M are)"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lc_count value = {{99}};
        const char *wrong = lc_cli_parse_count(bad[i].text, &value);
        if (wrong == NULL || strcmp(wrong, bad[i].wrong) != 0 ||
            lc_count_compare(value, lc_count_of(99)) != 0)
            fail_msg("'%s': %s, not: %s", bad[i].text, wrong != NULL ? wrong : "accepted",
                     bad[i].wrong);
    }
}

static void sizes(void **state)
{
    (void)state;
    int64_t width = -1;
    int64_t height = -1;
    assert_null(lc_cli_parse_size("640x480", &width, &height));
    assert_int_equal(width, 640);
    assert_int_equal(height, 480);
    assert_null(lc_cli_parse_size("2^16", &width, &height));
    assert_int_equal(width, 65536);
    assert_int_equal(height, 65536);
    assert_null(lc_cli_parse_size("1kX0", &width, &height));
    assert_int_equal(width, 1000);
    assert_int_equal(height, 0);
    assert_null(lc_cli_parse_size("2^62", &width, &height));
    assert_null(lc_cli_parse_size("2^20-1x2^10-1", &width, &height));
    assert_int_equal(width, 1048575);
    assert_int_equal(height, 1023);
    static const char *const bad[] = {"", "x", "1x", "x1", "1x2x3", "-1x2", "2^63", "1 x 2", "1*2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        width = 5;
        assert_non_null(lc_cli_parse_size(bad[i], &width, &height));
        assert_int_equal(width, 5);
    }
}

static void memory_and_time(void **state)
{
    (void)state;
    uint64_t value = 0;
    assert_null(lc_cli_parse_memory("8G", 0, &value));
    assert_int_equal(value, UINT64_C(8) << 30);
    assert_null(lc_cli_parse_memory("1.5GiB", 0, &value));
    assert_int_equal(value, UINT64_C(3) << 29);
    assert_null(lc_cli_parse_memory("512mB", 0, &value));
    assert_int_equal(value, UINT64_C(512) << 20);
    assert_null(lc_cli_parse_memory("4096", 0, &value));
    assert_int_equal(value, 4096);
    assert_null(lc_cli_parse_memory("2^33", 0, &value));
    assert_int_equal(value, UINT64_C(1) << 33);
    assert_null(lc_cli_parse_memory("2^64-1", 0, &value));
    assert_int_equal(value, UINT64_MAX);
    assert_null(lc_cli_parse_memory("2^10G", 0, &value));
    assert_int_equal(value, UINT64_C(1) << 40);
    assert_null(lc_cli_parse_memory("50%", 1000, &value));
    assert_int_equal(value, 500);
    assert_null(lc_cli_parse_memory("12.5%", 1000, &value));
    assert_int_equal(value, 125);
    static const char *const bad[] = {"",          "0",   "0.1",  "G",  "8Q",    "101%",  "-1G",
                                      "20000000T", "8G8", "2^64", "2^", "1.5^2", "2^40G", "2^3-9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(lc_cli_parse_memory(bad[i], 1000, &value));
    assert_non_null(lc_cli_parse_memory("50%", 0, &value)); // of an unknown amount

    assert_null(lc_cli_parse_duration("60s", &value));
    assert_int_equal(value, UINT64_C(60000000000));
    assert_null(lc_cli_parse_duration("1.5h", &value));
    assert_int_equal(value, UINT64_C(5400000000000));
    assert_null(lc_cli_parse_duration("250ms", &value));
    assert_int_equal(value, 250000000);
    assert_null(lc_cli_parse_duration("2.2us", &value));
    assert_int_equal(value, 2200);
    assert_null(lc_cli_parse_duration("7ns", &value));
    assert_int_equal(value, 7);
    static const char *const not_times[] = {"", "60", "s", "0s", "5y", "-5s", "1e12d"};
    for (size_t i = 0; i < sizeof not_times / sizeof *not_times; i++)
        assert_non_null(lc_cli_parse_duration(not_times[i], &value));
}

static void links(void **state)
{
    (void)state;
    uint64_t rate = 0, latency = 0;
    assert_null(lc_cli_parse_link("396G,2.2us", &rate, &latency));
    assert_int_equal(rate, UINT64_C(396000000000));
    assert_int_equal(latency, 2200);
    assert_null(lc_cli_parse_link("1,1s", &rate, &latency));
    assert_int_equal(rate, 1);
    static const char *const bad[] = {"",       "1G",   ",1us",    "1G,",   "1G,0us",
                                      "0G,1us", "G,1s", "1G,1us,", "-1,1s", "1G;1us"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(lc_cli_parse_link(bad[i], &rate, &latency));
}

static void densities(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},  {"1", 1},    {"0.5", 0.5},     {".5", 0.5},    {"5e-1", 0.5},   {"50%", 0.5},
        {"0%", 0}, {"100%", 1}, {"12.5%", 0.125}, {".5%", 0.005}, {"25.0%", 0.25}, {"5e-1%", 0.005},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = -1;
        const char *wrong = lc_cli_parse_density(good[i].text, &value);
        if (wrong != NULL || value != good[i].value)
            fail_msg("'%s' is %g (%s)", good[i].text, value, wrong != NULL ? wrong : "accepted");
    }
    static const char *const bad[] = {"",     "%",   "1.1", "101%", "-1%", "50%%", "50 %", "%50",
                                      "0.5x", "nan", "1e",  "-0.1", "0x1", "e%",   "5-%",  "inf"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = -1;
        if (lc_cli_parse_density(bad[i], &value) == NULL || value != -1)
            fail_msg("'%s' was accepted as %g", bad[i], value);
    }
}

static void readable_numbers(void **state)
{
    (void)state;
    char text[LC_CLI_NUMBER_BYTES];
    assert_string_equal(lc_cli_format_u64(0, text), "0");
    assert_string_equal(lc_cli_format_u64(999, text), "999");
    assert_string_equal(lc_cli_format_u64(1000, text), "1,000");
    assert_string_equal(lc_cli_format_u64(UINT64_MAX, text), "18,446,744,073,709,551,615");
    assert_string_equal(lc_cli_format_i64(INT64_MIN, text), "-9,223,372,036,854,775,808");
    assert_string_equal(lc_cli_format_i64(-123456, text), "-123,456");
    assert_string_equal(lc_cli_format_rate(0, text), "0.00");
    assert_string_equal(lc_cli_format_rate(0.1234, text), "0.123");
    assert_string_equal(lc_cli_format_rate(9.999, text), "10.0");
    assert_string_equal(lc_cli_format_rate(99.99, text), "100");
    assert_string_equal(lc_cli_format_rate(999.4, text), "999");
    assert_string_equal(lc_cli_format_rate(999.6, text), "1.00 k");
    assert_string_equal(lc_cli_format_rate(48.7e12, text), "48.7 T");
    assert_string_equal(lc_cli_format_bytes(1023, text), "1023 bytes");
    assert_string_equal(lc_cli_format_bytes(UINT64_C(3) << 29, text), "1.50 GiB");
    assert_string_equal(lc_cli_format_seconds(0.0123, text), "12.3 ms");
    assert_string_equal(lc_cli_format_seconds(12.34, text), "12.3 s");
    assert_string_equal(lc_cli_format_seconds(59.99, text), "1 min 00 s");
    assert_string_equal(lc_cli_format_seconds(3599.7, text), "1 h 00 min");
    assert_string_equal(lc_cli_format_seconds(90000, text), "1 d 01 h");
    assert_string_equal(lc_cli_format_seconds(1e300, text), "centuries");
}

static void json_text(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    lc_json json = {.file = file};
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "a\"b", "\\ \n\t\x01\x7f");
    lc_json_string(&json, "good", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    // A stray continuation, an overlong slash, a surrogate, beyond U+10FFFF, a sequence cut off.
    lc_json_string(&json, "bad", "\x80|\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82");
    lc_json_string(&json, "none", NULL);
    lc_json_open_array(&json, "empty");
    lc_json_close_array(&json);
    lc_json_open_array(&json, "list");
    lc_json_u64(&json, NULL, UINT64_MAX);
    lc_json_i64(&json, NULL, INT64_MIN);
    lc_json_double(&json, NULL, NAN);
    lc_json_double(&json, NULL, 0.5);
    lc_json_bool(&json, NULL, true);
    lc_json_close_array(&json);
    lc_json_close_object(&json);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, "{\n"
                              "  \"a\\\"b\": \"\\\\ \\n\\t\\u0001\\u007f\",\n"
                              "  \"good\": \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\",\n"
                              "  \"bad\": \"\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|"
                              "\\ufffd\\ufffd\\ufffd\\ufffd|\\ufffd\\ufffd\",\n"
                              "  \"none\": null,\n"
                              "  \"empty\": [],\n"
                              "  \"list\": [\n"
                              "    18446744073709551615,\n"
                              "    -9223372036854775808,\n"
                              "    null,\n"
                              "    0.5,\n"
                              "    true\n"
                              "  ]\n"
                              "}\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(counts),
        cmocka_unit_test(sizes),
        cmocka_unit_test(memory_and_time),
        cmocka_unit_test(links),
        cmocka_unit_test(densities),
        cmocka_unit_test(readable_numbers),
        cmocka_unit_test(json_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
