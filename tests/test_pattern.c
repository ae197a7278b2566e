// Reading patterns: the dialects of every format, against cells written out by hand or decoded by
// an encoder of the test's own.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "lightcone/pattern.h"
#include "support.h"
#include "support_pattern.h"

static lc_pattern *open_text(const char *text)
{
    lc_message message = {0};
    lc_pattern *pattern;
    if (lc_pattern_open_memory(&pattern, text, strlen(text), &message) != LC_OK)
        fail_msg("%" PRIu64 ":%" PRIu64 ": %s in:\n%s", message.line, message.column, message.text,
                 text);
    return pattern;
}

// The picture has lines of '.' and 'O' from (0, 0).
static cells picture(const char *text)
{
    cells set = {0};
    int64_t x = 0, y = 0;
    for (; *text != '\0'; text++) {
        if (*text == '/') {
            x = 0;
            y++;
            continue;
        }
        if (*text == 'O')
            cells_add(&set, x, y);
        x++;
    }
    return set;
}

static void assert_reads(const char *text, const char *drawn, int64_t dx, int64_t dy)
{
    cells got = cells_of_text(text);
    cells want = picture(drawn);
    cells_shift(&want, dx, dy);
    if (!cells_equal(&got, &want))
        fail_msg("in:\n%s", text);
    cells_free(&got);
    cells_free(&want);
}

#define GLIDER ".O/..O/OOO"

static void test_rle_dialects(void **state)
{
    (void)state;
    static const char *const gliders[] = {
        "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n",
        "x=3,y=3,rule=B3/S23\nbo$2bo$3o!",
        "x = 3, y = 3\nbo$2bo$3o!",
        " x  =  3 ,\ty = 3 , rule = B3/S23 \n\tb o $ 2b o $ 3o !",
        "x = 3 y = 3\nbo$2bo$3o!",
        "x = 99999999999999999999999, y = 1, rule = 23/3\nbo$2bo$3o!",
        "x = 0, y = 0, rule = b3s23\nbo$2bo$3o",                             // no '!'
        "x = 3, y = 3\nbo$2bo$3o!\nThe glider, $ 99 found in 1969 & so on!", // anything behind it
        "bo$2bo$3o!",
        "bo$\n2bo$\n3o!\n",
        "\xef\xbb\xbf\n\n  bo$2bo$3o!",
        ".A$2.A$3A!",
        "bA$..o$oAo!",
        "#C one\n#c two\n#N Glider\n#O Guy\n#P -1 -1\n#R 5 5\n\n#r 23/3\nx = 3, y = 3\nbo$2bo$3o!",
        "#P -1 -1\nx = 3, y = 3\nbo$2bo$3o!", // RLE, though Life 1.05 blocks begin like this
        "#CXRLE Gen=10\nx = 3, y = 3\nbo$\n#C among the cells\n  # too\n2bo$3o!",
        "x = 3, y = 3\nbo$2\nbo$3\no!", // a count parted from its cell by a line end
        "x = 3, y = 3\r\nbo$\r\n2bo$3o!\r\n",
        "#C old\rx = 3, y = 3\rbo$\r2bo$3o!\r",
        "x = 3, y = 3\nbo7b$2bo100b$3o3b5b!",
        "x = 3, y = 3\nbo$2bo$3o12!", // a count before the end
        "x = 3, y = 3, rule = B3/S23 the glider\nbo$2bo$3o!",
        "x = 3, y = 3, rule = B3/S23, the glider: bo$2bo!\nbo$2bo$3o!",
        "x = 3, y = 3, rule = Conway's Life (the glider)\nbo$2bo$3o!",
        "#r 23/3 the glider\nx = 3, y = 3\nbo$2bo$3o!",
        "#C x\nbo$2bo$3o!",
        "x = 3, y = 3, skip = 5, fps = 40\nbo$2bo$3o!", // keys of other programs
        "x = 3, y = 3, skip = 5, rule = B3/S23\nbo$2bo$3o!",
        "x = 3, y = 3\nbx$2by$3z!",
        "x = 3, y = 3\nbo$2bo$3o!\n\x1a", // the end of a text on CP/M and DOS
        "x = 3, y = 3\nbo$2bo$3o\x1a\x1a",
    };
    for (size_t i = 0; i < sizeof gliders / sizeof gliders[0]; i++)
        assert_reads(gliders[i], GLIDER, 0, 0);
    assert_reads("x = 0, y = 0\n!", "", 0, 0);
    assert_reads("x = 5, y = 5, rule = B3/S23\n", "", 0, 0);
    assert_reads("x = 1, y = 1\n3$2b$bo!", "////.O", 0, 0);
    assert_reads("x = 1, y = 9\no4$o!", "O////O", 0, 0);
    assert_reads("#C nothing else\n", "", 0, 0);
    assert_reads("#C begins with an x\nx$bx!", "O/.O", 0, 0);
}

// p to y are alive unless a capital A to X makes a state of many with them.
static void test_rle_letters(void **state)
{
    (void)state;
    for (char letter = 'p'; letter <= 'y'; letter++) {
        char text[64];
        (void)snprintf(text, sizeof text, "x = 9, y = 2\n%cb2%co$b%c%c\nAb%c", letter, letter,
                       letter, letter, letter);
        assert_reads(text, "O.OOO/.OOO.O", 0, 0);
    }
}

static void test_rle_header(void **state)
{
    (void)state;
    lc_pattern *pattern = open_text("#N Glider\n#CXRLE Pos=-12,34 Gen=18446744073709551616 New=7\n"
                                    "#C  two blanks\n#O Guy\n#D old\n#other\n"
                                    "x = 3, y = 4, rule = B36/S23:T100,200\nbo!");
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->format, LC_FORMAT_RLE);
    assert_false(header->gzip);
    assert_string_equal(header->rule_text, "B36/S23:T100,200");
    assert_true(header->has_rule);
    assert_true(header->rule == rule_of("B36/S23"));
    assert_int_equal(header->topology.kind, LC_TOPOLOGY_TORUS);
    assert_int_equal(header->topology.width_cells, 100);
    assert_int_equal(header->topology.height_cells, 200);
    assert_int_equal(header->width_cells, 3);
    assert_int_equal(header->height_cells, 4);
    assert_true(header->has_position);
    assert_int_equal(header->x, -12);
    assert_int_equal(header->y, 34);
    assert_true(lc_count_compare(header->generation, (lc_count){{0, 1}}) == 0);
    assert_string_equal(header->comments, "Glider\n two blanks\nGuy\nold\nother");
    lc_pattern_close(&pattern);
    assert_null(pattern);

    pattern = open_text("x = 3, y = 4\nbo!");
    header = lc_pattern_get_header(pattern);
    assert_false(header->has_rule);
    assert_string_equal(header->rule_text, "");
    assert_true(header->rule == LIFE);
    assert_int_equal(header->topology.kind, LC_TOPOLOGY_PLANE);
    assert_int_equal(header->topology.width_cells, 0);
    assert_false(header->has_position);
    assert_true(lc_count_compare(header->generation, lc_count_of(0)) == 0);
    assert_string_equal(header->comments, "");
    lc_pattern_close(&pattern);
}

// Comments are kept to the last byte of 64 KiB; a line that would be one too long is dropped.
static void test_comments_fill_up(void **state)
{
    (void)state;
    enum { LINES = 16, LENGTH = 4000, LEFT = (64 << 10) - 1 - LINES * (LENGTH + 1) };
    char *text = malloc(128 << 10);
    assert_non_null(text);
    size_t length = 0;
    for (int line = 0; line < LINES + 2; line++) {
        const int bytes = line < LINES ? LENGTH : line == LINES ? LEFT + 1 : LEFT;
        memcpy(text + length, "#C ", 3);
        memset(text + length + 3, 'a' + line, (size_t)bytes);
        length += 3 + (size_t)bytes;
        text[length++] = '\n';
    }
    memcpy(text + length, "o!", 3);
    lc_pattern *pattern = open_text(text);
    const char *comments = lc_pattern_get_header(pattern)->comments;
    assert_int_equal(strlen(comments), (64 << 10) - 1);
    assert_int_equal(comments[0], 'a');
    assert_int_equal(comments[(64 << 10) - 2], 'a' + LINES + 1);
    assert_null(strchr(comments, 'a' + LINES));
    lc_pattern_close(&pattern);
    free(text);
}

// Where the blanks stand in "#CXRLE" makes no difference.
static void test_rle_keys(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "#CXRLE Pos=-5,-6 Gen=7",
        "#CXRLE Pos = -5, -6 Gen = 7",
        "#CXRLE Gen= 7 Pos= -5,-6",
        "#CXRLE  Gen =7  Pos =-5 , -6",
        "#CXRLE Position Gen=7 Pos\t=\t-5,-6 New",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "%s\nx = 1, y = 1, rule = B36/S23:T9,8 and text\no!",
                       lines[i]);
        lc_pattern *pattern = open_text(text);
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        assert_true(header->has_position);
        assert_int_equal(header->x, -5);
        assert_int_equal(header->y, -6);
        assert_true(lc_count_compare(header->generation, lc_count_of(7)) == 0);
        assert_string_equal(header->rule_text, "B36/S23:T9,8");
        assert_true(header->rule == rule_of("B36/S23"));
        assert_int_equal(header->topology.width_cells, 9);
        lc_pattern_close(&pattern);
    }
}

// The lines of a text end otherwise: with `end` for each "\n". To be freed.
static char *with_ends(const char *text, const char *end)
{
    char *other = malloc(2 * strlen(text) + 1), *to = other;
    assert_non_null(other);
    for (const char *at = text; *at != '\0'; at++)
        to = *at == '\n' ? stpcpy(to, end) : (*to = *at, to + 1);
    *to = '\0';
    return other;
}

// However lines end, a file says the same: none of its header is lost. Blank lines in a header are
// nothing, but for plaintext, whose rows they are.
static void test_line_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *rule, *comments;
        uint64_t generation;
        int frames;
    } cases[] = {
        {"#N name\n#C one\n#CXRLE Pos=3,4 Gen=7\nx = 3, y = 1, rule = B36/S23\n3o!\n", "B36/S23",
         "name\none", 7, 0},
        {"!Name: a\n!\n!b\n.O\n..O\nOOO\n", "", "Name: a\nb", 0, 0},
        {"#Life 1.05\n#D one\n#D two\n#R 23/36\n#P 1 1\n.*\n..*\n", "23/36", "one\ntwo", 0, 0},
        {"#Life 1.06\n#D one\n0 0\n1 0\n", "", "one", 0, 0},
        {"[M2] (golly 4.0)\n#R B36/S23\n#G 7\n#C one\n.*$..*$***$\n4 0 0 0 1\n", "B36/S23", "one",
         7, 0},
        {"[M2] (golly 3.3)\n#R B36/S23\n#G 40\n#FRAMES 2 0 2^3\n$$$$$$$.*$\n..*$***$\n4 0 1 0 2\n"
         "#FRAME 0 3\n#G 48\n$...*$....*$..***$\n4 0 0 0 4\n#FRAME 1 5\n",
         "B36/S23", "", 48, 2},
    };
    static const char *const ends[] = {"\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cells first = cells_of_text(cases[i].text);
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            char *text = with_ends(cases[i].text, ends[k]);
            lc_pattern *pattern = open_text(text);
            const lc_pattern_header *header = lc_pattern_get_header(pattern);
            assert_string_equal(header->rule_text, cases[i].rule);
            if (k < 3 || header->format != LC_FORMAT_CELLS)
                assert_string_equal(header->comments, cases[i].comments);
            assert_int_equal(header->has_frames, cases[i].frames > 0);
            cells read = {0};
            const lc_sink sink = cells_sink(&read);
            assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_OK);
            cells_sort(&read);
            assert_true(k >= 3 || cells_equal(&read, &first));
            assert_int_equal(read.count, first.count);
            cells_free(&read);
            assert_true(lc_count_compare(header->generation, lc_count_of(cases[i].generation)) ==
                        0);
            lc_pattern_close(&pattern);
            free(text);
        }
        cells_free(&first);
    }
}

static void test_plaintext(void **state)
{
    (void)state;
    static const char *const gliders[] = {
        "!Name: Glider\n!\n.O\n..O\nOOO\n",
        "!\n.O.\n..O\nOOO",
        ".O\n..O\nOOO\n",
        "!\r\n.O\r\n..O\r\nOOO\r\n",
        "!\r.O\r..O\rOOO\r",
        "!\n.*   \n..o\n!between\n*O*\n\n\n",
        "\n\n.O\n..O\nOOO",
    };
    for (size_t i = 0; i < sizeof gliders / sizeof gliders[0]; i++)
        assert_reads(gliders[i], GLIDER, 0, 0);
    assert_reads("!\n\n\nO\n\nO", "//O//O", 0, 0);
    assert_reads("!\n", "", 0, 0);
    assert_reads("ooo\n.o", "OOO/.O", 0, 0);
    // Blanks are dead cells, on the first line as on every other one.
    assert_reads("  O\nOOO\n", "..O/OOO", 0, 0);
    assert_reads("  O\r\n O\r\n", "..O/.O", 0, 0);
    assert_reads("\xef\xbb\xbf\n \t \n  O O\n. O\n", "..O.O/..O", 0, 0);
    assert_reads("  !a comment\nO\n  O\n    \n O", "O/..O//.O", 0, 0);
    assert_reads("!\n  O\n   \t \n!\nO\t\n", "..O//O", 0, 0);
    lc_pattern *pattern = open_text("!Name: Glider\r\n!\r\n!Author: Guy\r\n.O");
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->format, LC_FORMAT_CELLS);
    assert_string_equal(header->comments, "Name: Glider\nAuthor: Guy");
    assert_false(header->has_position);
    lc_pattern_close(&pattern);
}

static void test_life_105(void **state)
{
    (void)state;
    assert_reads("# Life 1.05\n#D Glider\n.*\n..*\n***\n\x1a", GLIDER, 0, 0);
    assert_reads("#Life 1.05\n#D Glider\n#N\n#P -1 -1\n.*\n..*\n***\n", GLIDER, -1, -1);
    assert_reads("#Life 1.05\r\n#P\r\n.*\r\n..*\r\n***\r\n", GLIDER, 0, 0);
    assert_reads("#Life 1.05\n.*\n..*  \n\n***", GLIDER, 0, 0); // an empty line is no row
    assert_reads("#P 5 -7\n.*\n..*\n***\n", GLIDER, 5, -7);
    assert_reads("#P\n.*\n..*\n***\n", GLIDER, 0, 0);
    assert_reads("#P\r\n#P 5 -7\r\n.*\r\n..*\r\n***\r\n", GLIDER, 5, -7);
    assert_reads("#life 1.05\n#P 5 -7\n.*\n..*\n***\n", GLIDER, 5, -7);
    assert_reads("#LIFE\t1.05\n.*\n..*\n***\n", GLIDER, 0, 0);
}

static void test_life_105_blocks(void **state)
{
    (void)state;
    cells got = cells_of_text("#Life 1.05\n#R 23/36\n#P 10 20\n*\n.\n.*\n#P -10 -20\n*\n#P 0 0\n");
    cells want = {0};
    cells_add(&want, -10, -20);
    cells_add(&want, 10, 20);
    cells_add(&want, 11, 22);
    assert_true(cells_equal(&got, &want));
    cells_free(&got);
    cells_free(&want);
    lc_pattern *pattern = open_text("#Life 1.05\n#D one\n#D two\n#R 23/36\n#P 10 20\n*\n");
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->format, LC_FORMAT_LIFE_105);
    assert_true(header->has_rule);
    assert_string_equal(header->rule_text, "23/36");
    assert_true(header->rule == rule_of("B36/S23"));
    assert_true(header->has_position);
    assert_int_equal(header->x, 0); // each block has its own
    assert_int_equal(header->y, 0);
    assert_string_equal(header->comments, "one\ntwo");
    lc_pattern_close(&pattern);
}

static void test_life_106(void **state)
{
    (void)state;
    assert_reads("#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n", GLIDER, -1, -1);
    assert_reads("# Life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n\x1a\x1a", GLIDER, 0, 0);
    assert_reads("#Life 1.06\r\n1 0\r\n\r\n 2\t1 \r\n+0 2\r\n1 2\r\n2 2", GLIDER, 0, 0);
    assert_reads("#Life 1.06\n#C comment\n1 0\n1 0\n2 2\n1 2\n0 2\n# more\n2 1\n", GLIDER, 0, 0);
    assert_reads("#Life 1.06\n", "", 0, 0);
    assert_reads("#life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n", GLIDER, 0, 0);
    cells got = cells_of_text("#Life 1.06\n4611686018427387904 -4611686018427387904\n");
    assert_int_equal(got.count, 1);
    assert_true(got.list[0].x == (int64_t)1 << 62);
    assert_true(got.list[0].y == -((int64_t)1 << 62));
    cells_free(&got);
    got = cells_of_text("#Life 1.06\n7 7\n8 7\n9 7\n9 8\n");
    assert_int_equal(got.calls, 2); // neighbours are one run
    cells_free(&got);
}

// Encodes a board in the ways that RLE allows: runs split and not, blanks, line ends, both letters.
static char *encode_rle(const cells *set, int64_t width, int64_t height, uint64_t seed,
                        size_t *size_bytes)
{
    dice d = dice_from(seed, 7);
    size_t room = (size_t)(width * height) * 8 + 4096;
    char *text = malloc(room);
    size_t at = (size_t)sprintf(text, "x = %d, y = %d\n", (int)width, (int)height);
    size_t next = 0;
    for (int64_t y = 0; y < height; y++) {
        for (int64_t x = 0; x < width;) {
            bool alive = next < set->count && set->list[next].y == y && set->list[next].x == x;
            int64_t length = 0;
            size_t ahead = next;
            while (x + length < width && alive == (ahead < set->count && set->list[ahead].y == y &&
                                                   set->list[ahead].x == x + length)) {
                ahead += alive ? 1 : 0;
                length++;
            }
            if (dice_below(&d, 4) == 0)
                length = 1 + dice_below(&d, length);
            if (length > 1 || dice_below(&d, 8) == 0)
                at += (size_t)sprintf(text + at, "%" PRId64, length);
            bool other = dice_below(&d, 4) == 0;
            text[at++] = alive ? (other ? 'A' : 'o') : (other ? '.' : 'b');
            next += alive ? (size_t)length : 0;
            x += length;
            if (dice_below(&d, 40) == 0)
                text[at++] = " \n\t\r"[dice_below(&d, 4)];
        }
        text[at++] = '$';
    }
    text[at++] = '!';
    *size_bytes = at;
    return text;
}

static void test_rle_soups(void **state)
{
    (void)state;
    static const struct {
        int64_t width, height;
        int percent;
    } boards[] = {
        {1, 1, 50},    {63, 5, 50},   {64, 5, 50},   {65, 9, 50},     {4095, 3, 50},  {4096, 3, 50},
        {4097, 3, 50}, {9001, 7, 50}, {9001, 7, 5},  {9001, 7, 95},   {700, 300, 50}, {700, 300, 1},
        {700, 300, 2}, {700, 90, 99}, {20000, 4, 0}, {20000, 4, 100},
    };
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        cells want = cells_random(i, 0, 0, boards[i].width, boards[i].height, boards[i].percent);
        size_t size;
        char *text = encode_rle(&want, boards[i].width, boards[i].height, i, &size);
        lc_message message = {0};
        lc_pattern *pattern;
        assert_int_equal(lc_pattern_open_memory(&pattern, text, size, &message), LC_OK);
        cells got = {0};
        lc_sink sink = cells_sink(&got);
        if (lc_pattern_read(pattern, &sink, &message) != LC_OK)
            fail_msg("%s", message.text);
        lc_pattern_close(&pattern);
        cells_sort(&got);
        if (!cells_equal(&got, &want))
            fail_msg("board %zu", i);
        assert_true(got.most_words <= 65); // memory is bounded
        cells_free(&got);
        cells_free(&want);
        free(text);
    }
}

// The same through a file larger than any buffer, so that tokens straddle its ends.
static void test_rle_chunks(void **state)
{
    (void)state;
    cells want = cells_random(99, 0, 0, 1500, 700, 40);
    size_t size;
    char *text = encode_rle(&want, 1500, 700, 3, &size);
    assert_true(size > 500000);
    file_put(test_path("soup.rle"), text, size);
    cells got = cells_of_file(test_path("soup.rle"));
    assert_true(cells_equal(&got, &want));
    cells_free(&got);
    gzFile gz = gzopen(test_path("soup.dat"), "wb");
    assert_int_equal(gzwrite(gz, text, (unsigned)(size / 2)), size / 2);
    assert_int_equal(gzclose(gz), Z_OK);
    gz = gzopen(test_path("soup.dat"), "ab"); // a second member
    assert_int_equal(gzwrite(gz, text + size / 2, (unsigned)(size - size / 2)), size - size / 2);
    assert_int_equal(gzclose(gz), Z_OK);
    got = cells_of_file(test_path("soup.dat"));
    assert_true(cells_equal(&got, &want));
    cells_free(&got);
    // From memory, and with the zeros that fill up a block on tape.
    size_t packed_size;
    char *packed = file_text(test_path("soup.dat"), &packed_size);
    packed = realloc(packed, packed_size + 512);
    memset(packed + packed_size, 0, 512);
    lc_pattern *pattern;
    assert_int_equal(lc_pattern_open_memory(&pattern, packed, packed_size + 512, NULL), LC_OK);
    assert_true(lc_pattern_get_header(pattern)->gzip);
    lc_sink sink = cells_sink(&got);
    assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_OK);
    lc_pattern_close(&pattern);
    cells_sort(&got);
    assert_true(cells_equal(&got, &want));
    free(packed);
    cells_free(&got);
    cells_free(&want);
    free(text);
}

// The format of "#P" files is that of the first line behind the comments, also where the first
// member of a gzip file ends before it.
static void test_late_first_line(void **state)
{
    (void)state;
    static const struct {
        const char *cells;
        lc_format format;
    } files[] = {{"bo$2bo$3o!\n", LC_FORMAT_RLE}, {".*.\n..*\n***\n", LC_FORMAT_LIFE_105}};
    for (size_t i = 0; i < 2; i++) {
        gzFile gz = gzopen(test_path("late"), "wb");
        assert_true(gzprintf(gz, "#P 0 0\n#D %04000d\n#D %04000d\n#D tw", 1, 2) > 0);
        assert_int_equal(gzclose(gz), Z_OK);
        gz = gzopen(test_path("late"), "ab");
        assert_true(gzputs(gz, "o\n") > 0 && gzputs(gz, files[i].cells) > 0);
        assert_int_equal(gzclose(gz), Z_OK);
        lc_pattern *pattern;
        assert_int_equal(lc_pattern_open(&pattern, test_path("late"), NULL), LC_OK);
        assert_int_equal(lc_pattern_get_header(pattern)->format, files[i].format);
        lc_pattern_close(&pattern);
    }
}

typedef struct counter {
    uint64_t calls;
    int64_t x, y, length;
} counter;

static lc_status count_run(void *context, int64_t x, int64_t y, int64_t length)
{
    counter *c = context;
    c->calls++;
    c->x = x;
    c->y = y;
    c->length = length;
    return LC_OK;
}

static lc_status refuse_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                             int64_t length)
{
    (void)context;
    (void)x;
    (void)y;
    (void)words;
    (void)length;
    return LC_ERROR_STOPPED;
}

static void test_run_length_bombs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t x, y, length;
    } bombs[] = {
        {"999999999999o!", 0, 0, 999999999999},
        {"4611686018427387904o!", 0, 0, (int64_t)1 << 62},
        {"4611686018427387900b4o$!", -1, -1, -1},
        {"1234567890123$999999999999b77o!", 999999999999, 1234567890123, 77},
        {"4611686018427387904$57o!", 0, (int64_t)1 << 62, 57},
    };
    for (size_t i = 0; i < sizeof bombs / sizeof bombs[0]; i++) {
        lc_pattern *pattern = open_text(bombs[i].text);
        counter c = {0};
        const lc_sink sink = {
            .struct_bytes = sizeof sink, .context = &c, .run = count_run, .bits = refuse_bits};
        if (bombs[i].x < 0) { // few cells, far out: they come as bits, and the sink's word counts
            assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_ERROR_STOPPED);
        } else {
            assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_OK);
            assert_int_equal(c.calls, 1);
            assert_int_equal(c.x, bombs[i].x);
            assert_int_equal(c.y, bombs[i].y);
            assert_int_equal(c.length, bombs[i].length);
        }
        lc_pattern_close(&pattern);
    }
}

static void test_once(void **state)
{
    (void)state;
    lc_pattern *pattern = open_text("bo$2bo$3o!");
    cells got = {0};
    lc_sink sink = cells_sink(&got);
    lc_message message;
    assert_int_equal(lc_pattern_read(pattern, &sink, &message), LC_OK);
    assert_int_equal(lc_pattern_read(pattern, &sink, &message), LC_ERROR_ARGUMENT);
    lc_pattern_close(&pattern);
    lc_pattern_close(&pattern);
    lc_pattern_close(NULL);
    cells_free(&got);
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        lc_format format;
        bool gzip;
    } paths[] = {
        {"a.rle", LC_FORMAT_RLE, false},      {"a.RLE.gz", LC_FORMAT_RLE, true},
        {"dir.png/a", LC_FORMAT_AUTO, false}, {"a.cells", LC_FORMAT_CELLS, false},
        {"a.lif", LC_FORMAT_LIFE_105, false}, {"a.life.GZ", LC_FORMAT_LIFE_106, true},
        {"x/a.png", LC_FORMAT_PNG, false},    {"a.lcs", LC_FORMAT_CHECKPOINT, false},
        {".rle", LC_FORMAT_AUTO, false},      {"a.gz", LC_FORMAT_AUTO, true},
        {"-", LC_FORMAT_AUTO, false},         {"", LC_FORMAT_AUTO, false},
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        bool gzip = !paths[i].gzip;
        assert_int_equal(lc_format_from_path(paths[i].path, &gzip), paths[i].format);
        assert_int_equal(gzip, paths[i].gzip);
        assert_int_equal(lc_format_from_path(paths[i].path, NULL), paths[i].format);
    }
    static const struct {
        const char *path;
        lc_format asked, format; // AUTO: it is refused
        const char *ending;
    } written[] = {
        {"a.rle", LC_FORMAT_AUTO, LC_FORMAT_RLE, ".rle"},
        {"a", LC_FORMAT_AUTO, LC_FORMAT_RLE, ""},
        {"-", LC_FORMAT_AUTO, LC_FORMAT_RLE, ""},
        {"a.gz", LC_FORMAT_AUTO, LC_FORMAT_RLE, ""},
        {"b.c/.a", LC_FORMAT_AUTO, LC_FORMAT_RLE, ""},
        {"a.", LC_FORMAT_AUTO, LC_FORMAT_RLE, ""},
        {"a.mc.gz", LC_FORMAT_AUTO, LC_FORMAT_MACROCELL, ".mc.gz"},
        {"a.lcs", LC_FORMAT_AUTO, LC_FORMAT_CHECKPOINT, ".lcs"},
        {"a.gif", LC_FORMAT_CELLS, LC_FORMAT_CELLS, ".gif"},
        {"a.gif", LC_FORMAT_AUTO, LC_FORMAT_AUTO, ".gif"},
        {"a.jpg.gz", LC_FORMAT_AUTO, LC_FORMAT_AUTO, ".jpg.gz"},
        {"a.lct", LC_FORMAT_AUTO, LC_FORMAT_AUTO, ".lct"},
        {"a.rle", LC_FORMAT_TIMELINE, LC_FORMAT_AUTO, ".rle"},
        {"a.lcs.gz", LC_FORMAT_AUTO, LC_FORMAT_AUTO, ".lcs.gz"},
    };
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        lc_format format = LC_FORMAT_AUTO;
        lc_message message = {0};
        const lc_status status =
            lc_format_choose(written[i].path, written[i].asked, &format, &message);
        assert_int_equal(format, written[i].format);
        assert_int_equal(status, format != LC_FORMAT_AUTO ? LC_OK : LC_ERROR_ARGUMENT);
        assert_int_equal(message.text[0] == '\0', status == LC_OK);
        assert_string_equal(lc_format_ending(written[i].path), written[i].ending);
    }
    assert_string_equal(lc_format_name(LC_FORMAT_RLE), "RLE");
    assert_string_equal(lc_format_name(LC_FORMAT_LIFE_106), "Life 1.06");
    assert_string_equal(lc_format_name(LC_FORMAT_CHECKPOINT), "checkpoint");
}

static lc_status sum_run(void *context, int64_t x, int64_t y, int64_t length)
{
    (void)x;
    (void)y;
    *(uint64_t *)context += (uint64_t)length;
    return LC_OK;
}

static lc_status sum_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                          int64_t length)
{
    (void)x;
    (void)y;
    for (int64_t i = 0; i < (length + 63) / 64; i++)
        *(uint64_t *)context += (uint64_t)__builtin_popcountll(words[i]);
    return LC_OK;
}

// Reads the cells; how many there are.
static uint64_t population_of(lc_pattern *pattern)
{
    uint64_t population = 0;
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = &population, .run = sum_run, .bits = sum_bits};
    assert_int_equal(lc_pattern_read(pattern, &sink, NULL), LC_OK);
    return population;
}

// Cells can be had of a file whose rule nobody knows, and the header says what is wrong with it.
static void test_unknown_rules(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rule_text;
        uint64_t line, column;
        int64_t width_cells; // of the topology
    } files[] = {
        {"x = 3, y = 3, rule = LostRule\nbo$2bo$3o!", "LostRule", 1, 22, 0},
        {"x = 3, y = 3, rule = LostRule:T30,20\nbo$2bo$3o!", "LostRule:T30,20", 1, 22, 30},
        {"#C x\n#r Nobody knows\nx = 3, y = 3\nbo$2bo$3o!", "Nobody knows", 2, 4, 0},
        {"#Life 1.05\n#R 1/2/3/4\n.*\n..*\n***\n", "1/2/3/4", 2, 4, 0},
        {"[M2] (x)\n#R LostRule\n.*$..*$***$\n", "LostRule", 2, 4, 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lc_pattern *pattern;
        lc_message message = {0};
        const char *text = files[i].text;
        assert_true(lc_pattern_open_memory(&pattern, text, strlen(text), &message) != LC_OK);
        assert_int_equal(lc_pattern_open_cells_memory(&pattern, text, strlen(text), NULL), LC_OK);
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        assert_false(header->has_rule);
        assert_string_equal(header->rule_text, files[i].rule_text);
        assert_non_null(header->rule_error);
        assert_string_equal(header->rule_error->text, message.text);
        assert_int_equal(header->rule_error->line, files[i].line);
        assert_int_equal(header->rule_error->line, message.line);
        assert_true(header->rule_error->column >= files[i].column);
        assert_true(header->rule == LIFE);
        assert_int_equal(header->topology.width_cells, files[i].width_cells);
        assert_int_equal(population_of(pattern), 5);
        lc_pattern_close(&pattern);
    }
    lc_pattern *pattern;
    const char *known = "#r LostRule\nx = 3, y = 3, rule = B36/S23\n3o!";
    assert_int_equal(lc_pattern_open_cells_memory(&pattern, known, strlen(known), NULL), LC_OK);
    assert_null(lc_pattern_get_header(pattern)->rule_error);
    assert_true(lc_pattern_get_header(pattern)->has_rule);
    lc_pattern_close(&pattern);
}

static void test_rle_without_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool has_no_end;
    } files[] = {{"x = 3, y = 3\nbo$2bo$3o!\n", false},
                 {"x = 3, y = 3\nbo$2bo$3o\n", true},
                 {"bo$2bo$\n", true},
                 {"#C only words\n", true},
                 {"x = 0, y = 0\n!\n", false},
                 {"x = 0, y = 0\n", true},
                 {"!Name: x\n.O\n", false},
                 {"#Life 1.06\n0 1\n", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        lc_pattern *pattern = open_text(files[i].text);
        (void)population_of(pattern);
        assert_int_equal(lc_pattern_get_header(pattern)->has_no_end, files[i].has_no_end);
        lc_pattern_close(&pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rle_dialects),
        cmocka_unit_test(test_rle_letters),
        cmocka_unit_test(test_rle_header),
        cmocka_unit_test(test_comments_fill_up),
        cmocka_unit_test(test_rle_keys),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_plaintext),
        cmocka_unit_test(test_life_105),
        cmocka_unit_test(test_life_105_blocks),
        cmocka_unit_test(test_life_106),
        cmocka_unit_test(test_rle_soups),
        cmocka_unit_test(test_rle_chunks),
        cmocka_unit_test(test_late_first_line),
        cmocka_unit_test(test_run_length_bombs),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_unknown_rules),
        cmocka_unit_test(test_rle_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
