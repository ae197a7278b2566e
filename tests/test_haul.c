// Hauls are read and written as the field has them, and damaged ones are refused with the place.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "census/haul.h"
#include "census/md5_text.h"

#define VERSION "@VERSION lightcone-0.1.0\n"
#define MD5 "@MD5 481efcdb90c096aaa5e1fd4c33f6aec5\n"
#define ROOT "@ROOT l_lightcone1\n"
#define RULE "@RULE b3s23\n@SYMMETRY D8_1\n"
#define SOUPS "@NUM_SOUPS 60\n"
#define HEADER(objects) VERSION MD5 ROOT RULE SOUPS "@NUM_OBJECTS " objects "\n"
#define TABLE "\n@CENSUS TABLE\n"
#define SAMPLES "\n@SAMPLE_SOUPIDS\n"

// Equal counts are sorted by falling codes: "xs8_6996" before "xs8_699". The object without cells
// has no samples.
static const char whole[] =
    HEADER("1168") TABLE "xp2_7 558\n"
                         "xs4_33 480\n"
                         "xq4_153 64\n"
                         "xs0_0 40\n"
                         "xp15_4r4z4r4 8\n"
                         "yl144_1_16_afb5f3db909e60548f086e22ee3353ac 4\n"
                         "xs8_6996 4\n"
                         "xs8_699 4\n"
                         "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401 4\n"
                         "messless_3h 1\n"
                         "megasized_40h 1\n" SAMPLES "xp2_7 0 1 2 3 4 5 6 7 8 9\n"
                         "xs4_33 0 1 2 3 5 18446744073709551615\n"
                         "xq4_153 27\n"
                         "xp15_4r4z4r4 1 11\n"
                         "yl144_1_16_afb5f3db909e60548f086e22ee3353ac 12\n"
                         "xs8_6996 12\n"
                         "xs8_699 0\n"
                         "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401 59\n"
                         "messless_3h 58\n"
                         "megasized_40h 57\n";

static lc_status read_text(lc_haul *haul, const char *text, lc_message *message)
{
    lc_input input;
    lc_status status = lc_input_open_memory(&input, text, strlen(text), message);
    assert_int_equal(status, LC_OK);
    memset(haul, 0xa5, sizeof *haul);
    status = lc_haul_read(haul, &input, message);
    lc_input_close(&input);
    return status;
}

static lc_haul haul_of(const char *text)
{
    lc_haul haul;
    lc_message message = {0};
    if (read_text(&haul, text, &message) != LC_OK)
        fail_msg("line %" PRIu64 ": %s", message.line, message.text);
    return haul;
}

static void check_written(lc_haul *haul, const char *want)
{
    lc_output *output;
    void *text;
    size_t bytes;
    assert_int_equal(lc_output_create_memory(&output, 1 << 20, NULL), LC_OK);
    lc_haul_write(haul, output);
    assert_int_equal(lc_output_take_memory(&output, &text, &bytes, NULL), LC_OK);
    assert_string_equal(text, want);
    free(text);
}

static void test_read(void **state)
{
    (void)state;
    lc_haul haul = haul_of(whole);
    assert_string_equal(haul.root, "l_lightcone1");
    assert_string_equal(haul.rule, "b3s23");
    assert_string_equal(haul.symmetry, "D8_1");
    assert_int_equal(haul.soups, 60);
    assert_int_equal(haul.objects, 1168);
    assert_int_equal(haul.kind_count, 11);
    assert_string_equal(haul.kinds[1].code, "xs4_33");
    assert_int_equal(haul.kinds[1].count, 480);
    assert_int_equal(haul.kinds[1].line, 11);
    assert_int_equal(haul.kinds[1].sample_count, 6);
    assert_int_equal(haul.kinds[1].samples[4], 5);
    assert_int_equal(haul.kinds[1].samples[5], UINT64_MAX);
    assert_int_equal(haul.kinds[3].sample_count, 0);
    lc_haul_free(&haul);
    assert_null(haul.kinds);
    lc_haul_free(&haul);
}

static void test_written_again(void **state)
{
    (void)state;
    lc_haul haul = haul_of(whole);
    check_written(&haul, whole);
    lc_haul_free(&haul);
}

// As other programs write them: a first line for the server, other versions and orders.
static void test_foreign(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"testing\n@VERSION v5.2-ll2.5.7\n" MD5 ROOT RULE SOUPS "@NUM_OBJECTS 3" TABLE "xq4_153 3\n"
         "\n@SAMPLE_SOUPIDS\nxq4_153 2\n",
         HEADER("3") TABLE "xq4_153 3\n" SAMPLES "xq4_153 2\n"},
        {"@NUM_OBJECTS 3\r\n\r\n@NEW thing\r\n@NEWER\r\n" SOUPS RULE ROOT "@CENSUS TABLE\r\na 1\r\n"
         "b 2\r\n\r\n\r\n@SAMPLE_SOUPIDS\r\na 1\r\nb 0 2\r\n\r\n\r\n",
         HEADER("3") TABLE "b 2\na 1\n" SAMPLES "b 0 2\na 1\n"},
        {"\n" HEADER("5") TABLE "xs0_0 7\na 5", HEADER("5") TABLE "xs0_0 7\na 5\n" SAMPLES},
        {HEADER("12") TABLE "xs0_0 7\na 5\n" SAMPLES "xs0_0 3\n",
         HEADER("12") TABLE "xs0_0 7\na 5\n" SAMPLES},
        {HEADER("0") "@CENSUS TABLE", HEADER("0") TABLE SAMPLES},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lc_haul haul = haul_of(texts[i][0]);
        check_written(&haul, texts[i][1]);
        lc_haul_free(&haul);
    }
}

static void test_made(void **state)
{
    (void)state;
    lc_haul haul = {.root = "k", .rule = "b36s23", .symmetry = "C1", .soups = 3, .objects = 1001};
    lc_haul_kind *kind;
    char code[8];
    for (int i = 0; i < 1000; i++) {
        snprintf(code, sizeof code, "xs%03d", i);
        assert_int_equal(lc_haul_add(&haul, code, 5, i == 500 ? 2 : 1, &kind, NULL), LC_OK);
        assert_string_equal(kind->code, code);
        assert_int_equal(kind->sample_count, 0);
    }
    lc_haul_sort(&haul);
    assert_string_equal(haul.kinds[0].code, "xs500");
    assert_string_equal(haul.kinds[1].code, "xs999");
    assert_string_equal(haul.kinds[999].code, "xs000");
    lc_haul_free(&haul);
}

static void test_wrong_codes(void **state)
{
    (void)state;
    lc_haul haul = {0};
    lc_haul_kind *kind;
    lc_message message;
    char *const longest = malloc(LC_HAUL_CODE_BYTES_MAX + 1);
    assert_non_null(longest);
    memset(longest, 'x', LC_HAUL_CODE_BYTES_MAX + 1);
    assert_int_equal(lc_haul_add(&haul, longest, LC_HAUL_CODE_BYTES_MAX, 1, &kind, NULL), LC_OK);
    assert_int_equal(lc_haul_add(&haul, longest, LC_HAUL_CODE_BYTES_MAX + 1, 1, &kind, &message),
                     LC_ERROR_LIMIT);
    assert_string_equal(message.text, "a code of 65537 bytes; the longest has 65536");
    assert_int_equal(lc_haul_add(&haul, "a b", 3, 1, &kind, &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "a code with the byte 0x20");
    assert_int_equal(lc_haul_add(&haul, "\xff", 1, 1, &kind, &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "a code with the byte 0xff");
    assert_int_equal(lc_haul_add(&haul, "a", 0, 1, &kind, &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "a code without bytes");
    assert_int_equal(haul.kind_count, 1);
    lc_haul_free(&haul);
    free(longest);
}

// Damage -----------------------------------------------------------------------------------------

static void test_damaged(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line, column;
        const char *message;
    } cases[] = {
        {"", 1, 1, "this is not a haul: it has no line @CENSUS TABLE"},
        {"x = 3, y = 3\nbob$2bo$3o!\n", 2, 1, "this is not the header of a haul"},
        {HEADER("1"), 7, 1, "this is not a haul: it has no line @CENSUS TABLE"},
        {ROOT RULE SOUPS TABLE, 6, 1, "the header has no line @NUM_OBJECTS"},
        {VERSION RULE SOUPS "@NUM_OBJECTS 1" TABLE, 6, 1, "the header has no line @ROOT"},
        {"@ROOT l_\n" MD5 RULE SOUPS "@NUM_OBJECTS 1" TABLE, 7, 1,
         "the header is damaged: its MD5 is \"481efcdb90c096aaa5e1fd4c33f6aec5\", and that of its "
         "root is \"1696ca97569817cf0410465c415c3263\""},
        {ROOT MD5 ROOT, 3, 1, "a second line @ROOT"},
        {"@MD5 481efcdb90c096aaa5e1fd4c33f6aec5a", 1, 6, "a text of 33 bytes; the longest has 32"},
        {"@SYMMETRY 0123456789012345678901234567890123456789x", 1, 11,
         "a text of 41 bytes; the longest has 40"},
        {"@NUM_SOUPS -1", 1, 12, "\"-1\" is not a number from 0 to 2^64 - 1"},
        {"@NUM_SOUPS 18446744073709551616", 1, 12,
         "\"18446744073709551616\" is not a number from 0 to 2^64 - 1"},
        {"@NUM_OBJECTS ", 1, 14, "\"\" is not a number from 0 to 2^64 - 1"},
        {HEADER("1") TABLE "xs4_33\n", 10, 1, "there is no count behind the code"},
        {HEADER("1") TABLE "xs4_33 1 \n", 10, 8, "\"1 \" is not a number from 0 to 2^64 - 1"},
        {HEADER("1") TABLE "xs4_33 01\n", 10, 8, "\"01\" is not a number from 0 to 2^64 - 1"},
        {HEADER("1") TABLE "xs4\t33 1\n", 10, 1, "a code with the byte 0x09"},
        {HEADER("1") TABLE " 1\n", 10, 1, "a code without bytes"},
        {HEADER("3") TABLE "a 1\nb 1\na 1\n", 12, 1, "\"a\" is already in line 10"},
        {HEADER("3") TABLE "a 1\nb 1\n\n", 12, 1,
         "the haul is damaged: @NUM_OBJECTS is 3, and the counts add up to 2"},
        {HEADER("3") TABLE "a 18446744073709551615\nb 4\n\n", 12, 1,
         "the counts add up to more than 2^64 - 1"},
        {HEADER("1") TABLE "a 1\n\n@SAMPLES\n", 12, 1, "\"@SAMPLES\" instead of @SAMPLE_SOUPIDS"},
        {HEADER("1") TABLE "a 1\n" SAMPLES "b 1\n", 13, 1, "\"b\" is not in the table"},
        {HEADER("0") TABLE SAMPLES "b 1\n", 12, 1, "\"b\" is not in the table"},
        {HEADER("1") TABLE "a 1\n" SAMPLES "a\n", 13, 1, "there is no sample behind the code"},
        {HEADER("1") TABLE "a 1\n" SAMPLES "a 1\na 2\n", 14, 1,
         "a second line of samples of \"a\""},
        {HEADER("1") TABLE "a 1\n" SAMPLES "a 1 2 \n", 13, 7,
         "\"\" is not a number from 0 to 2^64 - 1"},
        {HEADER("1") TABLE "a 1\n" SAMPLES "a 1 2x\n", 13, 5,
         "\"2x\" is not a number from 0 to 2^64 - 1"},
        {HEADER("1") TABLE "a 1\n" SAMPLES "a 0 1 2 3 4 5 6 7 8 9 10\n", 13, 23,
         "more than 10 samples"},
        {HEADER("1") TABLE "a 1\n" SAMPLES "a 1\n\n@MORE\n", 15, 1,
         "\"@MORE\" behind the end of the haul"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_haul haul;
        lc_message message = {0};
        assert_int_equal(read_text(&haul, cases[i].text, &message), LC_ERROR_FORMAT);
        assert_string_equal(message.text, cases[i].message);
        assert_int_equal(message.line, cases[i].line);
        assert_int_equal(message.column, cases[i].column);
        assert_null(haul.kinds);
        assert_int_equal(haul.kind_count, 0);
    }
}

// A haul that ends too early is refused, except behind the table and behind a sample.
static void test_cut_off(void **state)
{
    (void)state;
    const size_t table_end = (size_t)(strstr(whole, SAMPLES) - whole);
    for (size_t bytes = 0; bytes + 1 < table_end; bytes++) {
        char text[sizeof whole];
        lc_haul haul;
        memcpy(text, whole, bytes);
        text[bytes] = '\0';
        assert_int_equal(read_text(&haul, text, NULL), LC_ERROR_FORMAT);
    }
}

static void test_long_lines(void **state)
{
    (void)state;
    enum { LENGTH = 70000 };
    char *const text = malloc(sizeof HEADER("1") + sizeof TABLE + LENGTH + 16);
    lc_haul haul;
    lc_message message = {0};
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "%s", HEADER("1") TABLE);
    memset(text + length, 'x', LENGTH);
    strcpy(text + length + LENGTH, " 1\n");
    assert_int_equal(read_text(&haul, text, &message), LC_ERROR_FORMAT);
    assert_string_equal(message.text, "the line has more than 65809 bytes");
    assert_int_equal(message.line, 10);
    strcpy(text + length + LC_HAUL_CODE_BYTES_MAX + 1, " 1\n");
    assert_int_equal(read_text(&haul, text, &message), LC_ERROR_LIMIT);
    assert_int_equal(message.line, 10);
    strcpy(text + length + LC_HAUL_CODE_BYTES_MAX, " 1\n");
    haul = haul_of(text);
    assert_int_equal(strlen(haul.kinds[0].code), LC_HAUL_CODE_BYTES_MAX);
    lc_haul_free(&haul);
    free(text);
}

static void test_no_memory(void **state)
{
    (void)state;
    lc_status status = LC_ERROR_MEMORY;
    uint64_t tries = 0;
    while (status != LC_OK) {
        lc_input input;
        lc_haul haul;
        lc_message message = {0};
        assert_int_equal(lc_input_open_memory(&input, whole, strlen(whole), NULL), LC_OK);
        lc_fail_allocation(++tries);
        status = lc_haul_read(&haul, &input, &message);
        lc_fail_allocation(0);
        lc_input_close(&input);
        if (status != LC_OK) {
            assert_int_equal(status, LC_ERROR_MEMORY);
            assert_memory_equal(message.text, "out of memory for ", 18);
            assert_null(haul.kinds);
        }
        lc_haul_free(&haul);
    }
    assert_true(tries > 12); // the line, the kinds, eleven codes
}

// Comparing --------------------------------------------------------------------------------------

static void check_difference(const char *a_text, const char *b_text, const char *want)
{
    lc_haul a = haul_of(a_text), b = haul_of(b_text);
    lc_message message;
    assert_int_equal(lc_haul_compare(&a, &b, &message), LC_ERROR_MISMATCH);
    assert_string_equal(message.text, want);
    assert_int_equal(lc_haul_compare(&a, &a, NULL), LC_OK);
    lc_haul_free(&a);
    lc_haul_free(&b);
}

static void test_equal(void **state)
{
    (void)state;
    lc_haul a = haul_of(HEADER("6") TABLE "a 3\nb 2\nc 1\n" SAMPLES "c 1\na 2 3\n");
    lc_haul b = haul_of("x\n" HEADER("6") TABLE "c 1\nb 2\na 3\n" SAMPLES "a 2 3\nc 1\n");
    assert_int_equal(lc_haul_compare(&a, &b, NULL), LC_OK);
    lc_haul_free(&a);
    lc_haul_free(&b);
}

static void test_different(void **state)
{
    (void)state;
#define HAUL(root, rule, symmetry, soups, objects, table)                                          \
    "@ROOT " root "\n@RULE " rule "\n@SYMMETRY " symmetry "\n@NUM_SOUPS " soups                    \
    "\n@NUM_OBJECTS " objects TABLE table
    const char *const first = HAUL("r", "b3s23", "C1", "9", "6", "a 3\nb 2\nc 1\n");
    check_difference(first, HAUL("r", "b36s23", "C1", "9", "6", "a 3\nb 2\nc 1\n"),
                     "the rules differ: \"b3s23\" and \"b36s23\"");
    check_difference(first, HAUL("r", "b3s23", "C4_1", "9", "6", "a 3\nb 2\nc 1\n"),
                     "the symmetries differ: \"C1\" and \"C4_1\"");
    check_difference(first, HAUL("s", "b3s23", "C1", "9", "6", "a 3\nb 2\nc 1\n"),
                     "the roots differ: \"r\" and \"s\"");
    check_difference(first, HAUL("r", "b3s23", "C1", "8", "6", "a 3\nb 2\nc 1\n"),
                     "the numbers of soups differ: 9 and 8");
    check_difference(first, HAUL("r", "b3s23", "C1", "9", "7", "a 3\nb 3\nc 1\n"),
                     "\"b\" was found 2 and 3 times; kinds that differ: 1");
    check_difference(first, HAUL("r", "b3s23", "C1", "9", "6", "a 3\nb 3\n"),
                     "\"b\" was found 2 and 3 times; kinds that differ: 2");
    check_difference(first, HAUL("r", "b3s23", "C1", "9", "4", "a 3\nc 1\n"),
                     "only the first haul has \"b\"; kinds that differ: 1");
    check_difference(first, HAUL("r", "b3s23", "C1", "9", "8", "a 3\nb 2\nc 1\nd 1\ne 1"),
                     "only the second haul has \"d\"; kinds that differ: 2");
    check_difference(first, HAUL("r", "b3s23", "C1", "9", "6", "a 3\nb 2\nc 1\n" SAMPLES "c 1\n"),
                     "the samples of \"c\" differ; kinds that differ: 1");
    check_difference(HAUL("r", "b3s23", "C1", "9", "6", "xs0_0 2\na 4"),
                     HAUL("r", "b3s23", "C1", "9", "4", "xs0_0 2\na 4"),
                     "the numbers of objects differ: 6 and 4");
#undef HAUL
}

static void test_md5(void **state)
{
    (void)state;
    char text[LC_MD5_TEXT_BYTES];
    assert_string_equal(lc_md5_text("", 0, text), "d41d8cd98f00b204e9800998ecf8427e"); // RFC 1321
    assert_string_equal(lc_md5_text("message digest", 14, text),
                        "f96b697d7cb7938d525a2f31aaf161d0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),        cmocka_unit_test(test_written_again),
        cmocka_unit_test(test_foreign),     cmocka_unit_test(test_made),
        cmocka_unit_test(test_wrong_codes), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_cut_off),     cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_no_memory),   cmocka_unit_test(test_equal),
        cmocka_unit_test(test_different),   cmocka_unit_test(test_md5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
