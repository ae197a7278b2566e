// Several patterns in one RLE file: how many there are, their names, and each of them by number.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/memory.h"
#include "lightcone/pattern.h"
#include "support.h"
#include "support_pattern.h"

// Opens a file, selects a pattern of it and reads its cells. Returns the sorted cells and the open
// pattern.
static cells read_nth(const char *path, uint64_t number, lc_pattern **pattern)
{
    lc_message message = {0};
    cells set = {0};
    const lc_sink sink = cells_sink(&set);
    lc_status status = lc_pattern_open(pattern, path, &message);
    if (status == LC_OK)
        status = lc_pattern_select(*pattern, number, &message);
    if (status == LC_OK)
        status = lc_pattern_read(*pattern, &sink, &message);
    if (status != LC_OK)
        fail_msg("%s, pattern %" PRIu64 ": %" PRIu64 ":%" PRIu64 ": %s", path, number, message.line,
                 message.column, message.text);
    cells_sort(&set);
    return set;
}

static const char three[] = "#N Glider\n"
                            "#C the first\n"
                            "#CXRLE Pos=-5,7 Gen=4\n"
                            "x = 3, y = 3, rule = B36/S23\n"
                            "bo$2bo$\n"
                            "# among the cells!\n"
                            "3o!\n"
                            "A text behind it,\n"
                            "#C of two lines.\n"
                            "\n"
                            "x = 3, y = 1\n"
                            "3o! and more text\n"
                            "#C the third\n"
                            "  #N  R pentomino \n"
                            "#N another name\n"
                            "#CXRLE Pos=1,2\n"
                            "#r 23/3\n"
                            "x = 3, y = 3, rule = B3/S23:T30,20\n"
                            "b2o$2o$bo!\n";

// The file with all three patterns at `path` gives these facts.
static void check_three(const char *path)
{
    static const struct {
        const char *comments, *cells;
        int64_t x, y, width, height, torus;
        bool has_rule, has_position;
        uint64_t generation;
    } want[] = {
        {"Glider\nthe first", "x=0,y=0\nbo$2bo$3o!", -5, 7, 3, 3, 0, true, true, 4},
        {"", "x=0,y=0\n3o!", 0, 0, 3, 1, 0, false, false, 0},
        {"the third\n R pentomino \nanother name", "x=0,y=0\nb2o$2o$bo!", 1, 2, 3, 3, 30, true,
         true, 0},
    };
    for (uint64_t i = 0; i < 3; i++) {
        lc_pattern *pattern;
        cells got = read_nth(path, i + 1, &pattern);
        cells expected = cells_of_text(want[i].cells);
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        assert_true(cells_equal(&got, &expected));
        assert_int_equal(header->number, i + 1);
        assert_int_equal(header->patterns, 3);
        assert_string_equal(header->names, "Glider\n\nR pentomino");
        assert_string_equal(header->comments, want[i].comments);
        assert_int_equal(header->x, want[i].x);
        assert_int_equal(header->y, want[i].y);
        assert_int_equal(header->width_cells, want[i].width);
        assert_int_equal(header->height_cells, want[i].height);
        assert_int_equal(header->topology.width_cells, want[i].torus);
        assert_int_equal(header->has_rule, want[i].has_rule);
        assert_int_equal(header->has_position, want[i].has_position);
        assert_int_equal(lc_count_compare(header->generation, lc_count_of(want[i].generation)), 0);
        lc_pattern_close(&pattern);
        cells_free(&got);
        cells_free(&expected);
    }
}

static void test_three(void **state)
{
    (void)state;
    const size_t size = sizeof three - 1;
    file_put(test_path("three.rle"), three, size);
    check_three(test_path("three.rle"));
    for (size_t cut = 1; cut < size; cut++) { // a window of the input ends anywhere
        gzFile gz = gzopen(test_path("three.gz"), "wb");
        assert_int_equal(gzwrite(gz, three, (unsigned)cut), cut);
        assert_int_equal(gzclose(gz), Z_OK);
        gz = gzopen(test_path("three.gz"), "ab");
        assert_int_equal(gzwrite(gz, three + cut, (unsigned)(size - cut)), size - cut);
        assert_int_equal(gzclose(gz), Z_OK);
        check_three(test_path("three.gz"));
    }
}

// The number and the names of the patterns in a text, after reading the first.
static void check_count(const char *text, size_t size, uint64_t patterns, const char *names)
{
    lc_message message = {0};
    lc_pattern *pattern;
    cells set = {0};
    const lc_sink sink = cells_sink(&set);
    assert_int_equal(lc_pattern_open_memory(&pattern, text, size, &message), LC_OK);
    if (lc_pattern_read(pattern, &sink, &message) != LC_OK)
        fail_msg("%s in:\n%.2000s", message.text, text);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    if (header->patterns != patterns || strcmp(header->names, names) != 0)
        fail_msg("%" PRIu64 " patterns, \"%.2000s\" in:\n%.2000s", header->patterns, header->names,
                 text);
    assert_int_equal(header->number, 1);
    lc_pattern_close(&pattern);
    cells_free(&set);
}

// Lines that begin another pattern, and lines that do not.
static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t patterns;
        const char *names;
    } files[] = {
        {"bo$3o!", 1, ""},
        {"#N a\nbo$3o!", 1, "a"},
        {"#N a\nbo$3o", 1, "a"}, // no '!'
        {"bo$3o!\nx = 3, y = 1\n3o!", 2, "\n"},
        {"bo$3o!\nx = 3, y = 1\n3o", 2, "\n"},
        {"bo$3o!\nx = 3, y = 1", 2, "\n"},
        {"bo$3o!\nx=3,y=1\n!\n x\t= 3 y = 1 ,rule=B3/S23\n!\nx = 1, y = 1, skip = 5\no!", 4,
         "\n\n\n"},
        {"#N a\r\nx = 3, y = 1\r\n3o!\r\n#N b\r\n#C c\r\nx = 3, y = 1\r\n3o!\r\n", 2, "a\nb"},
        {"#N a\rx = 3, y = 1\r3o!\r#N b\r#C c\rx = 3, y = 1\r3o!\r", 2, "a\nb"},
        // Text behind '!', as it is in files of one pattern.
        {"bo$3o! x = 3, y = 1\n3o!", 1, ""}, // not at the beginning of a line
        {"bo$3o!\n#N b\n#C x = 3, y = 1\n", 1, ""},
        {"bo$3o!\nx = 3 cells\nx\nxx = 3, y = 1\nX = 3, Y = 1\ny = 3, x = 1\n", 1, ""},
        {"bo$3o!\nx = 3, y = 1 are its sizes!\nx = -3, y = 1\nx = 3, y = b\n", 1, ""},
        {"bo$3o!\nbo$3o!\n!\n", 1, ""},
        {"bo$3o!\n#C\n#C", 1, ""},
        // The '#' lines directly before the header belong to it; no others do.
        {"bo$3o!\n#N b\n\nx = 3, y = 1\n3o!", 2, "\n"},
        {"bo$3o!\n#N b\ntext\n#N c\nx = 3, y = 1\n3o!", 2, "\nc"},
        {"bo$3o!\n#N b\n#C c\n#Nc\nx = 3, y = 1\n3o!", 2, "\nb"},
        {"bo$3o!\n#N\n#N  \n#N c\nx = 3, y = 1\n3o!", 2, "\nc"},
        // A '!' in a '#' line among the cells ends nothing.
        {"bo$3o!\nx = 3, y = 1\n3o$\n#C !\nx = 3, y = 1\n3o!\nx = 3, y = 1\n3o!", 3, "\n\n"},
        // A pattern without '!' ends with the file.
        {"bo$3o!\nx = 3, y = 1\n3o\nx = 3, y = 1\n3o!", 2, "\n"},
        {"bo$3o!\n\x1a\nx = 3, y = 1\n3o!\n\x1a\x1a", 2, "\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        check_count(files[i].text, strlen(files[i].text), files[i].patterns, files[i].names);
    static const char with_nul[] = "bo$3o!\n\0\nx = 3, y = 1\n3o!"; // also text behind '!'
    check_count(with_nul, sizeof with_nul - 1, 2, "\n");
}

// `before`, `count` times `filler`, `behind`; the caller frees it.
static char *filled(const char *before, const char *filler, size_t count, const char *behind,
                    size_t *size)
{
    const size_t length = strlen(filler);
    *size = strlen(before) + count * length + strlen(behind);
    char *text = malloc(*size + 1);
    assert_non_null(text);
    char *at = stpcpy(text, before);
    for (size_t i = 0; i < count; i++, at += length)
        memcpy(at, filler, length);
    strcpy(at, behind);
    return text;
}

// Selects the second pattern of a text, whose head says that it lies at (5, 6). Returns the status.
// The place is never lost silently.
static lc_status select_second(const char *text, size_t size)
{
    lc_message message = {0};
    lc_pattern *pattern;
    file_put(test_path("head.rle"), text, size);
    assert_int_equal(lc_pattern_open(&pattern, test_path("head.rle"), &message), LC_OK);
    const lc_status status = lc_pattern_select(pattern, 2, &message);
    if (status == LC_OK) {
        assert_int_equal(lc_pattern_get_header(pattern)->x, 5);
        assert_int_equal(lc_pattern_get_header(pattern)->y, 6);
    } else {
        assert_string_equal(message.text,
                            "the '#' lines before pattern 2 have more than 128 KiB; shorten them");
    }
    lc_pattern_close(&pattern);
    return status;
}

// '#' lines fill the window of the input, or nearly.
static void test_cut_heads(void **state)
{
    (void)state;
    enum { WINDOW_LINES = 8192, HEAD_LINES = 2 }; // of 16 bytes each
    static const char before[] = "bo$3o!\n#CXRLE Pos=5,6\n", behind[] = "x = 3, y = 1\n3o!";
    size_t size;
    int cut = 0;
    for (size_t count = WINDOW_LINES - 4; count < WINDOW_LINES + 4; count++) {
        char *text = filled(before, "#C 345678901234\n", count, behind, &size);
        const lc_status status = select_second(text, size);
        assert_true(status == LC_OK || status == LC_ERROR_LIMIT);
        assert_true(status == LC_OK || count + HEAD_LINES >= WINDOW_LINES);
        assert_true(status != LC_OK || count <= WINDOW_LINES);
        cut += status != LC_OK;
        free(text);
    }
    assert_true(cut > 0);
    for (size_t length = 100; length < 120; length++) { // the window ends anywhere in a line
        char line[128] = "#C ";
        memset(line + 3, 'c', length);
        line[length + 3] = '\n';
        char *text = filled(before, line, 5000, behind, &size);
        assert_int_equal(select_second(text, size), LC_ERROR_LIMIT);
        free(text);
    }
    // Text after the long lines: then they belong to no pattern.
    char *text = filled("bo$3o!\n", "#C 345678901234\n", 2 * WINDOW_LINES,
                        "text\n#CXRLE Pos=5,6\nx = 3, y = 1\n3o!", &size);
    assert_int_equal(select_second(text, size), LC_OK);
    free(text);
}

// The window of the input, 128 KiB, ends anywhere in a head.
static void test_windows(void **state)
{
    (void)state;
    static const char *const fillers[] = {"\n", "b"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t count = 128 * 1024 - 60; count < 128 * 1024 + 10; count++) {
            size_t size;
            char *text = filled("#N a\nx = 3, y = 1\n", fillers[i], count,
                                "3o!\n#C b\n#N c\n#C d\nx = 3, y = 1\n3o!", &size);
            check_count(text, size, 2, "a\nc");
            free(text);
        }
    }
    // A pattern whose head is larger than the window counts, but cannot be selected. No line of
    // another length is mistaken for a header.
    size_t size;
    char *text = filled("bo$3o!\n#N a\n", "#C 3, y = 1\n", 30000, "#N b\nx = 3, y = 1\n3o!", &size);
    check_count(text, size, 2, "\nb");
    free(text);
    for (size_t count = 8190; count < 8195; count++) { // lines of 16 bytes fill the window
        text = filled("bo$3o!\n", "#C 345678901234\n", count, "x = 3, y = 1\n3o!", &size);
        check_count(text, size, 2, "\n");
        free(text);
    }
    for (int zeros = 1; zeros <= 13; zeros++) { // the window ends before each letter of a line
        char before[32];
        snprintf(before, sizeof before, "bo$3o!\n#%0*d", zeros, 0);
        text = filled(before, "x = 3, y = 1 ", 30000, "\n#N b\nx = 3, y = 1\n3o!", &size);
        check_count(text, size, 2, "\nb");
        free(text);
    }
}

enum { GAP_BYTES = 1024 * 1024 };

// The text between a '!' and the next header is limited; cells are not.
static void test_gaps(void **state)
{
    (void)state;
    size_t size;
    static const char *const fillers[] = {"\n", "-", "#\n", "x = 3\n"};
    for (size_t i = 0; i < 4; i++) {
        const size_t most = GAP_BYTES / strlen(fillers[i]);
        char *text = filled("3o!\n", fillers[i], most - 4, "\n#N b\nx = 3, y = 1\n3o!", &size);
        check_count(text, size, 2, "\nb");
        free(text);
        text = filled("3o!\n", fillers[i], most + 1, "\n#N b\nx = 3, y = 1\n3o!", &size);
        check_count(text, size, 1, "");
        free(text);
    }
    char *text = filled("3o!\nx = 3, y = 1\n", "bo$\n", GAP_BYTES, "!\nx = 3, y = 1\n3o!", &size);
    check_count(text, size, 3, "\n\n");
    free(text);
}

// A large file with one pattern is not read to its end.
static void test_reads_no_further(void **state)
{
    (void)state;
    const off_t size = 64 * 1024 * 1024;
    const char *path = test_path("large.rle");
    file_put(path, "#N a\nx = 3, y = 1\n3o!\n", 22);
    assert_int_equal(truncate(path, size), 0);
    assert_ptr_equal(freopen(path, "r", stdin), stdin);
    lc_pattern *pattern;
    cells got = read_nth("-", 1, &pattern);
    assert_int_equal(got.count, 3);
    assert_int_equal(lc_pattern_get_header(pattern)->patterns, 1);
    lc_pattern_close(&pattern);
    cells_free(&got);
    const off_t place = lseek(STDIN_FILENO, 0, SEEK_CUR);
    assert_true(place > 0 && place < 2 * GAP_BYTES);
}

// Names take at most 64 KiB.
static void test_names(void **state)
{
    (void)state;
    enum { PATTERNS = 5000 };
    char *text = malloc(PATTERNS * 400);
    assert_non_null(text);
    char *at = text;
    for (int i = 0; i < PATTERNS; i++) // the cut at 255 bytes falls within a letter of two bytes
        at += sprintf(at, "#N %06d%0*d\xc3\xa4 and so on\nx = 3, y = 1\n3o!\n", i, i % 2 ? 248 : 8,
                      0);
    lc_pattern *pattern;
    cells set = {0};
    const lc_sink sink = cells_sink(&set);
    const size_t size = (size_t)(at - text);
    assert_int_equal(lc_pattern_open_memory(&pattern, text, size, NULL), LC_OK);
    assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->patterns, PATTERNS);
    assert_in_range(strlen(header->names), 64 * 1024 - 300, 64 * 1024 - 1);
    const char *line = header->names;
    int number = 0;
    for (; line != NULL; line = strchr(line, '\n'), number++) {
        line += *line == '\n';
        assert_int_equal(atoi((char[]){line[0], line[1], line[2], line[3], line[4], line[5], 0}),
                         number);
        assert_int_equal(strcspn(line, "\n"), number % 2 ? 254 : 6 + 8 + 2 + 10);
    }
    assert_true(number < PATTERNS);
    lc_pattern_close(&pattern);
    cells_free(&set);
    free(text);
}

static lc_status select_in(const char *text, uint64_t number, bool any_rule, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = any_rule
                           ? lc_pattern_open_cells_memory(&pattern, text, strlen(text), message)
                           : lc_pattern_open_memory(&pattern, text, strlen(text), message);
    assert_int_equal(status, LC_OK);
    status = lc_pattern_select(pattern, number, message);
    if (status == LC_OK) {
        cells set = {0};
        const lc_sink sink = cells_sink(&set);
        assert_int_equal(lc_pattern_get_header(pattern)->number, number);
        status = lc_pattern_read(pattern, &sink, message);
        cells_free(&set);
    }
    lc_pattern_close(&pattern);
    return status;
}

// Errors are those of the selected pattern, at their place in the file.
static void test_errors(void **state)
{
    (void)state;
    static const char bad[] = "bo$3o!\n"
                              "#CXRLE Pos=a\n"
                              "x = 3, y = 1\n"
                              "3o!\r\n"
                              "text\n"
                              "#C c\n"
                              "  x = 3, y = 1, rule = B9/S\n"
                              "3o!\n"
                              "x = 3, y = 1\n"
                              "b$\n"
                              "boq?!\n"
                              "x = 3, y = 1\n"
                              "3o!\n";
    static const struct {
        uint64_t number;
        bool any_rule;
        lc_status status;
        uint64_t line, column;
    } want[] = {
        {1, false, LC_OK, 0, 0},
        {2, false, LC_ERROR_FORMAT, 2, 12},
        {3, false, LC_ERROR_FORMAT, 7, 25},
        {3, true, LC_OK, 0, 0},
        {4, false, LC_ERROR_FORMAT, 11, 4},
        {5, false, LC_OK, 0, 0},
        {6, false, LC_ERROR_ARGUMENT, 0, 0},
        {0, false, LC_ERROR_ARGUMENT, 0, 0},
        {UINT64_MAX, false, LC_ERROR_ARGUMENT, 0, 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        lc_message message = {0};
        assert_int_equal(select_in(bad, want[i].number, want[i].any_rule, &message),
                         want[i].status);
        if (want[i].status == LC_OK)
            continue;
        assert_int_equal(message.line, want[i].line);
        assert_int_equal(message.column, want[i].column);
        if (want[i].number == 6)
            assert_string_equal(message.text, "there is no pattern 6; the file has 5");
    }
    // A pattern of another format is the only one.
    static const char cells_text[] = "!Name: a\n.O\n";
    lc_message message = {0};
    assert_int_equal(select_in(cells_text, 1, false, &message), LC_OK);
    assert_int_equal(select_in(cells_text, 2, false, &message), LC_ERROR_ARGUMENT);
    assert_string_equal(message.text, "there is no pattern 2; the file has 1");
}

static void test_order(void **state)
{
    (void)state;
    lc_pattern *pattern;
    cells set = {0};
    const lc_sink sink = cells_sink(&set);
    assert_int_equal(lc_pattern_select(NULL, 1, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_pattern_open_memory(&pattern, three, sizeof three - 1, NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->patterns, 1);
    assert_string_equal(header->names, "Glider");
    for (uint64_t i = 2; i <= 3; i++) { // one after the other, and one of them twice
        assert_int_equal(lc_pattern_select(pattern, i, NULL), LC_OK);
        assert_int_equal(lc_pattern_select(pattern, i, NULL), LC_OK);
        assert_int_equal(header->number, i);
        assert_int_equal(header->patterns, i);
    }
    assert_int_equal(lc_pattern_select(pattern, 2, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_OK);
    assert_int_equal(lc_pattern_select(pattern, 3, NULL), LC_ERROR_ARGUMENT);
    lc_pattern_close(&pattern);
    cells_free(&set);
}

// Damage behind the first pattern of a compressed file is an error for each of them.
static void test_gzip_damage(void **state)
{
    (void)state;
    size_t size;
    gzFile gz = gzopen(test_path("cut.gz"), "wb");
    assert_int_equal(gzwrite(gz, three, sizeof three - 1), sizeof three - 1);
    assert_int_equal(gzclose(gz), Z_OK);
    char *packed = file_text(test_path("cut.gz"), &size);
    file_put(test_path("cut.gz"), packed, size - 3);
    free(packed);
    for (uint64_t number = 1; number <= 4; number++) {
        lc_message message = {0};
        lc_pattern *pattern;
        cells set = {0};
        const lc_sink sink = cells_sink(&set);
        assert_int_equal(lc_pattern_open(&pattern, test_path("cut.gz"), &message), LC_OK);
        lc_status status = lc_pattern_select(pattern, number, &message);
        assert_int_equal(status, number < 4 ? LC_OK : LC_ERROR_FORMAT);
        if (status == LC_OK)
            status = lc_pattern_read(pattern, &sink, &message);
        assert_int_equal(status, LC_ERROR_FORMAT);
        assert_non_null(strstr(message.text, "cut short"));
        lc_pattern_close(&pattern);
        cells_free(&set);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n++) {
        lc_message message = {0};
        lc_pattern *pattern;
        cells set = {0};
        const lc_sink sink = cells_sink(&set);
        lc_fail_allocation(n);
        lc_status status = lc_pattern_open_memory(&pattern, three, sizeof three - 1, &message);
        if (status == LC_OK)
            status = lc_pattern_select(pattern, 2, &message);
        if (status == LC_OK)
            status = lc_pattern_read(pattern, &sink, &message);
        lc_fail_allocation(0);
        lc_pattern_close(&pattern);
        cells_free(&set);
        if (status == LC_OK) {
            assert_true(n > 4); // pattern, buffer, comments, names
            break;
        }
        assert_int_equal(status, LC_ERROR_MEMORY);
        assert_non_null(strstr(message.text, "memory"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_cut_heads),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_reads_no_further),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_gzip_damage),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
