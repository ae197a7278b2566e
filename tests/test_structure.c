// Structures that callers fill, of an older and of a later version than the library, and with sizes
// that cannot be: taken by the library's own function, and by every public one that takes one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/structure.h"
#include "lightcone/lightcone.h"
#include "support.h"

typedef struct older {
    size_t struct_bytes;
    uint64_t number;
} older;

typedef struct ours {
    size_t struct_bytes;
    uint64_t number;
    const char *added;
} ours;

typedef struct later {
    size_t struct_bytes;
    uint64_t number;
    const char *added;
    uint64_t unknown[3];
} later;

static const ours untouched = {.struct_bytes = 1, .number = 2, .added = "3"};

static lc_status take(ours *to, const void *from, lc_message *message)
{
    *to = untouched;
    *message = (lc_message){0};
    const lc_status status = lc_structure_take(to, sizeof *to, from, "ours", message);
    if (status != LC_OK) {
        assert_memory_equal(to, &untouched, sizeof *to);
        assert_non_null(strstr(message->text, "ours"));
    }
    return status;
}

static void versions(void **state)
{
    (void)state;
    ours to;
    lc_message message;
    const ours same = {.struct_bytes = sizeof same, .number = 5, .added = "six"};
    assert_int_equal(take(&to, &same, &message), LC_OK);
    assert_memory_equal(&to, &same, sizeof to);

    struct {
        older structure;
        const char *behind;
    } shorter = {{.struct_bytes = sizeof(older), .number = 7}, "not to be read"};
    assert_int_equal(take(&to, &shorter, &message), LC_OK);
    assert_true(to.struct_bytes == sizeof to && to.number == 7 && to.added == NULL);
    const size_t nothing = sizeof nothing; // its size, and no more
    assert_int_equal(take(&to, &nothing, &message), LC_OK);
    assert_true(to.struct_bytes == sizeof to && to.number == 0 && to.added == NULL);

    later longer = {.struct_bytes = sizeof longer, .number = 8, .added = "nine"};
    assert_int_equal(take(&to, &longer, &message), LC_OK);
    assert_true(to.struct_bytes == sizeof to && to.number == 8);
    assert_string_equal(to.added, "nine");
    for (size_t i = sizeof(ours); i < sizeof longer; i++) { // any byte of it
        ((unsigned char *)&longer)[i] = 1;
        assert_int_equal(take(&to, &longer, &message), LC_ERROR_UNSUPPORTED);
        assert_non_null(strstr(message.text, lc_version()));
        ((unsigned char *)&longer)[i] = 0;
    }
    assert_int_equal(take(&to, &longer, &message), LC_OK);
}

static void impossible_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {
        0, 1, sizeof(size_t) - 1, sizeof(older) + 1, sizeof(ours) - 4, (1 << 16) + 8, SIZE_MAX,
    };
    ours to;
    lc_message message;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const ours from = {.struct_bytes = sizes[i]};
        assert_int_equal(take(&to, &from, &message), LC_ERROR_ARGUMENT);
        assert_non_null(strstr(message.text, "sizeof(ours)"));
        assert_int_equal(lc_structure_take(&to, sizeof to, &from, "ours", NULL), LC_ERROR_ARGUMENT);
    }
    assert_int_equal(take(&to, NULL, &message), LC_ERROR_ARGUMENT);
}

// The public functions ---------------------------------------------------------------------------

// An older caller gets the members it has room for. A later caller also gets 0 in the others.
static void given(void **state)
{
    (void)state;
    struct {
        older structure;
        uint64_t behind;
    } small = {{.struct_bytes = sizeof small.structure}, 7};
    const ours from = {.struct_bytes = sizeof from, .number = 5, .added = "six"};
    lc_structure_give(&small, &from, sizeof from);
    assert_int_equal(small.structure.struct_bytes, sizeof small.structure);
    assert_int_equal(small.structure.number, 5);
    assert_int_equal(small.behind, 7);

    later large = {.struct_bytes = sizeof large, .unknown = {1, 2, 3}};
    lc_structure_give(&large, &from, sizeof from);
    assert_int_equal(large.struct_bytes, sizeof large);
    assert_int_equal(large.number, 5);
    assert_string_equal(large.added, "six");
    assert_true(large.unknown[0] == 0 && large.unknown[1] == 0 && large.unknown[2] == 0);

    older without = {.struct_bytes = 0, .number = 9};
    lc_structure_give(&without, &from, sizeof from);
    assert_true(without.struct_bytes == 0 && without.number == 9);
}

// lc_universe_get_info of such callers.
static void info_of_an_older_caller(void **state)
{
    (void)state;
    lc_message message;
    lc_universe *u;
    const lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
    assert_int_equal(lc_universe_create(&u, &options, &message), LC_OK);
    const lc_universe_info all = lc_universe_info_of(u);
    assert_int_equal(all.struct_bytes, sizeof all);
    assert_true(all.threads >= 1 && all.limit_bytes > 0);
    lc_universe_info part;
    memset(&part, 0x5a, sizeof part);
    part.struct_bytes = offsetof(lc_universe_info, engine_note);
    lc_universe_get_info(u, &part);
    assert_string_equal(part.engine, all.engine);
    for (size_t i = part.struct_bytes; i < sizeof part; i++)
        assert_int_equal(((const unsigned char *)&part)[i], 0x5a);
    lc_universe_destroy(&u);
}

static char folder[] = "/tmp/lightcone-structure-XXXXXX";
static char path[64];

static lc_status no_run(void *context, int64_t x, int64_t y, int64_t length)
{
    (void)context, (void)x, (void)y, (void)length;
    return LC_OK;
}

static lc_status no_bits(void *context, int64_t x, int64_t y, const uint64_t *words, int64_t length)
{
    (void)context, (void)x, (void)y, (void)words, (void)length;
    return LC_OK;
}

static lc_status blank_row(void *context, int64_t y, uint64_t *words)
{
    (void)context, (void)y;
    words[0] = 0;
    return LC_OK;
}

static lc_status create(const void *options, lc_message *message)
{
    lc_universe *u;
    const lc_status status = lc_universe_create(&u, options, message);
    assert_int_equal(u != NULL, status == LC_OK);
    lc_universe_destroy(&u);
    return status;
}

static lc_status check(const void *options, lc_message *message)
{
    lc_universe_needs needs;
    return lc_universe_check(options, &needs, message);
}

static lc_status restore(const void *options, lc_message *message)
{
    const lc_universe_options plain = {.struct_bytes = sizeof plain, .rule = LIFE, .threads = 1};
    lc_universe *u;
    assert_int_equal(lc_universe_create(&u, &plain, NULL), LC_OK);
    assert_int_equal(lc_universe_checkpoint(u, path, NULL), LC_OK);
    lc_universe_destroy(&u);
    const lc_status status = lc_universe_restore(&u, path, options, message);
    assert_int_equal(u != NULL, status == LC_OK);
    lc_universe_destroy(&u);
    return status;
}

static lc_status read_pattern(const void *sink, lc_message *message)
{
    static const char text[] = "x = 1, y = 1\no!\n";
    lc_pattern *pattern;
    assert_int_equal(lc_pattern_open_memory(&pattern, text, sizeof text - 1, NULL), LC_OK);
    const lc_status status = lc_pattern_read(pattern, sink, message);
    lc_pattern_close(&pattern);
    return status;
}

static lc_status write_file(const void *options, lc_message *message)
{
    return lc_pattern_write(path, options, blank_row, NULL, message);
}

static lc_status write_memory(const void *options, lc_message *message)
{
    void *data;
    size_t size_bytes;
    const lc_status status =
        lc_pattern_write_memory(&data, &size_bytes, 1000, options, blank_row, NULL, message);
    free(data);
    return status;
}

static lc_status write_spans(const void *options, lc_message *message)
{
    static const char text[] = "x = 1, y = 1\no!\n";
    lc_pattern *pattern;
    lc_spans *spans;
    assert_int_equal(lc_pattern_open_memory(&pattern, text, sizeof text - 1, NULL), LC_OK);
    assert_int_equal(lc_spans_read(&spans, pattern, 0, NULL), LC_OK);
    const lc_status status = lc_spans_write(spans, 0, 0, path, options, message);
    lc_spans_destroy(&spans);
    lc_pattern_close(&pattern);
    return status;
}

// Whether such a call heeds the size: `good` is a structure that it takes, of so many bytes, and
// what an older one of old_bytes gives. Where an older structure ends, there is rubbish.
static void try_sizes(const char *name, lc_status (*call)(const void *, lc_message *),
                      const void *good, size_t bytes, size_t old_bytes, lc_status old_status)
{
    const size_t later_bytes = bytes + 16, impossible_bytes = bytes + 1;
    unsigned char *copy = malloc(later_bytes);
    lc_message message = {0};
    assert_non_null(copy);
    memset(copy, 0, later_bytes);
    memcpy(copy, good, bytes);
    assert_int_equal(call(copy, &message), LC_OK);

    memcpy(copy, &later_bytes, sizeof later_bytes);
    assert_int_equal(call(copy, &message), LC_OK);
    copy[later_bytes - 1] = 1;
    assert_int_equal(call(copy, &message), LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message.text, name));

    memcpy(copy, &impossible_bytes, sizeof impossible_bytes);
    assert_int_equal(call(copy, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, name));
    memset(copy, 0, sizeof(size_t));
    message = (lc_message){0};
    assert_int_equal(call(copy, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, name));

    memset(copy + old_bytes, 0xff, later_bytes - old_bytes);
    memcpy(copy, &old_bytes, sizeof old_bytes);
    assert_int_equal(call(copy, &message), old_status);
    free(copy);
}

static void public_functions(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);

    const lc_rule *rule = LIFE;
    const lc_universe_options universe = {
        .struct_bytes = sizeof universe, .rule = rule, .threads = 1};
    const size_t old_universe = offsetof(lc_universe_options, threads);
    try_sizes("lc_universe_options", create, &universe, sizeof universe, old_universe, LC_OK);
    try_sizes("lc_universe_options", check, &universe, sizeof universe, old_universe, LC_OK);
    try_sizes("lc_universe_options", restore, &universe, sizeof universe, old_universe, LC_OK);

    const lc_sink sink = {.struct_bytes = sizeof sink, .run = no_run, .bits = no_bits};
    try_sizes("lc_sink", read_pattern, &sink, sizeof sink, offsetof(lc_sink, bits),
              LC_ERROR_ARGUMENT); // it needs both functions

    const lc_pattern_write_options writing = {
        .struct_bytes = sizeof writing, .rule = rule, .width_cells = 1, .height_cells = 1};
    const size_t old_writing = offsetof(lc_pattern_write_options, threads);
    static const char name[] = "lc_pattern_write_options";
    try_sizes(name, write_file, &writing, sizeof writing, old_writing, LC_OK);
    try_sizes(name, write_memory, &writing, sizeof writing, old_writing, LC_OK);
    try_sizes(name, write_spans, &writing, sizeof writing, old_writing, LC_OK);

    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void nothing_to_work_on(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_universe *universe = NULL;
    lc_universe_options options = {.struct_bytes = sizeof options, .rule = LIFE};
    assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
    lc_timeline *timeline;
    lc_spans *spans;
    lc_pattern *frame;
    lc_ages *ages;
    uint8_t codes[64 * 64];
    const lc_sink sink = {.struct_bytes = sizeof sink};
    assert_int_equal(lc_ages_create(&ages, NULL), LC_OK);
    const struct {
        lc_status status;
        const char *missing;
    } calls[] = {
        {lc_film_add(NULL, universe, &message), "film"},
        {lc_recorder_add(NULL, universe, &message), "recorder"},
        {lc_ages_note(NULL, universe, &message), "ages"},
        {lc_ages_note(ages, NULL, &message), "universe"},
        {lc_ages_picture(NULL, universe, 0, 0, 0, 64, 64, codes, NULL, &message), "ages"},
        {lc_timeline_read(&timeline, NULL, 0, &message), "pattern"},
        {lc_timeline_open_frame(&frame, NULL, 0, &message), "timeline"},
        {lc_pattern_read(NULL, &sink, &message), "pattern"},
        {lc_spans_read(&spans, NULL, 0, &message), "pattern"},
        {lc_universe_load(universe, NULL, 0, 0, &message), "pattern"},
        {lc_universe_load(NULL, NULL, 0, 0, &message), "universe"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].status != LC_ERROR_ARGUMENT)
            fail_msg("without %s: %s", calls[i].missing, lc_status_name(calls[i].status));
    lc_ages_destroy(&ages);
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(given),
        cmocka_unit_test(info_of_an_older_caller),
        cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(public_functions),
        cmocka_unit_test(nothing_to_work_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
