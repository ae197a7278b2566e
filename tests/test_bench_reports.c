// The reports of the bench against their formats: CSV, JSON and the table for people.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/report.h"
#include "support.h"

static lc_bench_options report_options;
static lc_machine_facts report_facts;
static const double report_runs[] = {2e6, 1e6, 3e6};

static lc_bench_record good_record(void)
{
    report_options = (lc_bench_options){.runs = 3,
                                        .warmups = 1,
                                        .run_ns = 2000000,
                                        .limit_milliseconds = 2,
                                        .interleave = true,
                                        .verify = {.seed = 7, .quick = true}};
    lc_machine_facts_read(&report_facts);
    return (lc_bench_record){
        .options = &report_options,
        .configuration = {.engine = "scalar",
                          .cpu_level = "",
                          .threads = 1,
                          .rule = LIFE,
                          .topology = {.kind = LC_TOPOLOGY_TORUS,
                                       .width_cells = 1000,
                                       .height_cells = 500}},
        .verification = {.generations = 60, .longest_pass = 12, .method = "by \"hand\", twice"},
        .generations = 10,
        .run_ns = report_runs,
        .time_ns = {.count = 3, .median = 2e6, .mean = 2e6, .min = 1e6, .max = 3e6, .sd = 1e6},
        .cells_per_second = 2.5e12,
    };
}

static lc_bench_record wrong_record(void)
{
    lc_bench_record record = good_record();
    record.status = LC_ERROR_MISMATCH;
    snprintf(record.message.text, sizeof record.message.text, "it is\twrong");
    record.verification.located = true;
    record.verification.difference.x = 123456;
    memset(record.verification.difference.expected, 0,
           sizeof record.verification.difference.expected);
    return record;
}

static char report_path[] = "/tmp/lightcone-test-bench-XXXXXX";

static char *written(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    assert_true(fread(text, 1, 65535, file) > 0);
    fclose(file);
    return text;
}

static char *report_of_both(const lc_report_format *format)
{
    lc_bench_record records[2] = {good_record(), wrong_record()};
    lc_report report;
    lc_message message = {.line = 0};
    assert_int_equal(
        lc_report_open(&report, format, report_path, &report_facts, &report_options, &message),
        LC_OK);
    lc_report_add(&report, &records[0]);
    lc_report_add(&report, &records[1]);
    assert_int_equal(lc_report_close(&report, &message), LC_OK);
    return written(report_path);
}

// Splits CSV text at its separators; quoted fields lose their quotes.
static size_t parse_csv(const char *text, size_t lines, char fields[][LC_MAX_FIELDS][1200],
                        size_t *columns)
{
    size_t line = 0;
    size_t column = 0;
    size_t length = 0;
    bool quoted = false;
    for (; *text != '\0'; text++) {
        assert_true(line < lines && column < LC_MAX_FIELDS && length + 1 < 1200);
        if (quoted && text[0] == '"' && text[1] == '"') {
            fields[line][column][length++] = *text++;
        } else if (*text == '"') {
            quoted = !quoted;
        } else if (!quoted && (*text == ',' || *text == '\n')) {
            fields[line][column++][length] = '\0';
            length = 0;
            if (*text == '\n') {
                columns[line++] = column;
                column = 0;
            }
        } else {
            fields[line][column][length++] = *text;
        }
    }
    assert_false(quoted);
    return line;
}

static const char *csv_value(char fields[][LC_MAX_FIELDS][1200], size_t line, const char *name)
{
    for (size_t i = 0; i < LC_MAX_FIELDS; i++)
        if (strcmp(fields[0][i], name) == 0)
            return fields[line][i];
    fail_msg("no column %s", name);
    return "";
}

static void csv_is_complete(void **state)
{
    (void)state;
    char *text = report_of_both(&lc_report_csv);
    static char fields[3][LC_MAX_FIELDS][1200];
    size_t columns[3];
    assert_int_equal(parse_csv(text, 3, fields, columns), 3);
    assert_int_equal(columns[1], columns[0]);
    assert_int_equal(columns[2], columns[0]);
    assert_string_equal(csv_value(fields, 1, "engine"), "scalar");
    assert_string_equal(csv_value(fields, 1, "rule"), "B3/S23");
    assert_string_equal(csv_value(fields, 1, "width_cells"), "1000");
    assert_string_equal(csv_value(fields, 1, "seed"), "7");
    assert_string_equal(csv_value(fields, 1, "verified"), "true");
    assert_string_equal(csv_value(fields, 1, "verified_by"), "by \"hand\", twice");
    assert_string_equal(csv_value(fields, 1, "run_ns"), "2000000;1000000;3000000");
    assert_string_equal(csv_value(fields, 1, "median_ns"), "2000000");
    assert_string_equal(csv_value(fields, 1, "fraction_of_limit"), "");
    assert_string_equal(csv_value(fields, 1, "version"), lc_version());
    assert_string_equal(csv_value(fields, 2, "verified"), "false");
    assert_string_equal(csv_value(fields, 2, "status"), "LC_ERROR_MISMATCH");
    assert_string_equal(csv_value(fields, 2, "median_ns"), "");
    assert_non_null(strstr(csv_value(fields, 2, "difference"), "(123456, 0)"));
    free(text);
}

static void json_is_complete(void **state)
{
    (void)state;
    char *text = report_of_both(&lc_report_json);
    assert_non_null(strstr(text, "\"verified_by\": \"by \\\"hand\\\", twice\""));
    assert_non_null(strstr(text, "\"run_ns\": [2000000, 1000000, 3000000]"));
    assert_non_null(strstr(text, "\"fraction_of_limit\": null"));
    assert_non_null(strstr(text, "\"message\": \"it is\\u0009wrong\""));
    // Balanced, outside of strings, and no comma before a closing bracket.
    int depth = 0;
    bool quoted = false;
    char last = ' ';
    for (const char *c = text; *c != '\0'; c++) {
        assert_true((unsigned char)*c >= 0x20 || (*c == '\n' && !quoted));
        if (quoted && *c == '\\') {
            c++;
            continue;
        }
        if (*c == '"')
            quoted = !quoted;
        if (quoted || *c == ' ' || *c == '\n')
            continue;
        if (*c == '}' || *c == ']')
            assert_int_not_equal(last, ',');
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        last = *c;
    }
    assert_int_equal(depth, 0);
    assert_false(quoted);
    free(text);
}

static void text_shows_the_difference(void **state)
{
    (void)state;
    char *text = report_of_both(&lc_report_text);
    assert_non_null(strstr(text, "torus 1000x500"));
    assert_non_null(strstr(text, "2500.0")); // Gcells/s
    assert_non_null(strstr(text, "WRONG, not timed"));
    assert_non_null(strstr(text, "(123456, 0)"));
    free(text);
}

// The table, as it is for a record of that spread.
static char *table_of(const lc_bench_record *record, double cv)
{
    lc_bench_record changed = *record;
    lc_report report;
    lc_message message = {.line = 0};
    changed.time_ns.cv = cv;
    assert_int_equal(lc_report_open(&report, &lc_report_text, report_path, &report_facts,
                                    &report_options, &message),
                     LC_OK);
    lc_report_add(&report, &changed);
    assert_int_equal(lc_report_close(&report, &message), LC_OK);
    return written(report_path);
}

// Whether all lines behind the machine's names have 80 columns at most.
static void assert_narrow(const char *text)
{
    for (const char *line = strstr(text, "Method:"); *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (length > 80)
            fail_msg("%zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void text_is_narrow_and_says_how_steady_runs_were(void **state)
{
    (void)state;
    const lc_bench_record record = good_record();
    char *text = table_of(&record, 0.1);
    assert_narrow(text);
    assert_null(strchr(text, '!'));
    free(text);
    text = table_of(&record, 0.123);
    assert_narrow(text);
    assert_non_null(strstr(text, " 12.3%! "));
    assert_non_null(strstr(text, "differ by more than 10 % (cv)"));
    free(text);
    lc_bench_record wide = record;
    wide.configuration.engine = "an-engine:with=settings";
    wide.configuration.topology.width_cells = wide.configuration.topology.height_cells = 1 << 30;
    wide.has_ratio = true;
    text = table_of(&wide, 0);
    assert_narrow(text);
    free(text);
}

static void reports_fail_loudly(void **state)
{
    (void)state;
    lc_bench_record record = good_record();
    lc_report report;
    lc_message message = {.line = 0};
    assert_int_equal(lc_report_open(&report, &lc_report_csv, "/nonexistent/folder/a.csv",
                                    &report_facts, &report_options, &message),
                     LC_ERROR_IO);
    assert_non_null(strstr(message.text, "/nonexistent/folder/a.csv"));
    lc_report_abandon(&report); // nothing to do, and no harm

    // A report that is dropped leaves the old file as it was.
    FILE *file = fopen(report_path, "w");
    assert_non_null(file);
    fputs("old", file);
    fclose(file);
    assert_int_equal(lc_report_open(&report, &lc_report_json, report_path, &report_facts,
                                    &report_options, &message),
                     LC_OK);
    char *temporary = strdup(report.temporary);
    assert_non_null(temporary);
    assert_int_equal(access(temporary, F_OK), 0);
    lc_report_add(&report, &record);
    lc_report_abandon(&report);
    assert_int_not_equal(access(temporary, F_OK), 0);
    free(temporary);
    char *text = written(report_path);
    assert_string_equal(text, "old");
    free(text);

    if (access("/dev/full", W_OK) != 0)
        return;
    assert_int_equal(lc_report_open(&report, &lc_report_csv, "/dev/full", &report_facts,
                                    &report_options, &message),
                     LC_OK);
    lc_report_add(&report, &record);
    assert_int_equal(lc_report_close(&report, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "/dev/full"));
}

static int make_report_path(void **state)
{
    (void)state;
    int descriptor = mkstemp(report_path);
    return descriptor >= 0 ? close(descriptor) : -1;
}

static int remove_report_path(void **state)
{
    (void)state;
    return unlink(report_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_complete),
        cmocka_unit_test(json_is_complete),
        cmocka_unit_test(text_shows_the_difference),
        cmocka_unit_test(text_is_narrow_and_says_how_steady_runs_were),
        cmocka_unit_test(reports_fail_loudly),
    };
    return cmocka_run_group_tests_name("bench_reports", tests, make_report_path,
                                       remove_report_path);
}
