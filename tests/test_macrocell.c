// Macrocell files: what is read, and that what is written is what was there. What is refused stands
// in test_pattern_reject.c.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "quadtree/tree.h"
#include "support.h"
#include "support_facts.h"
#include "support_pair.h"
#include "support_pattern.h"

static lc_universe *plane(const char *engine)
{
    return test_create(engine, LIFE, (lc_topology){0}, 0);
}

static lc_status load(lc_universe *u, const char *text, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, text, strlen(text), message);
    if (status == LC_OK)
        status = lc_universe_load(u, pattern, 0, 0, message);
    lc_pattern_close(&pattern);
    return status;
}

// Texts and their live cells, which are few. The row above the middle is row 0, as in Golly.
static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t population, x, y, width, height; // of the box
    } cases[] = {
        {"[M2] (golly 4.0)\n", 0, 0, 0, 0, 0},
        {"[M2]\n#R B3/S23\n#C nothing\n\n\n", 0, 0, 0, 0, 0},
        {"[M2]\n0 is no square\n", -1, 0, 0, 0, 0},
        {"[M2]\n**\n", 2, -4, -3, 2, 1}, // 8 x 8 round the corner of (0, 1)
        {"[M2]\n*$$$$$$$.......*$\n", 2, -4, -3, 8, 8},
        {"[M2]\r\n*\r\n4 0 0 0 1\r\n", 1, 0, 1, 1, 1},
        {"[M2]\n*\n\n# a remark\n4 0 0 0 1 7\n", 1, 0, 1, 1, 1}, // a sixth number
        {"[M2]\n*\n4 1 0 0 1\n5 2 0 0 2\n", 4, -16, -15, 25, 25},
        {"[M2]\n*\n4 1 0 0 0\n5 0 0 0 2\n6 0 0 0 3\n7 4 0 0 4\n", 2, -16, -15, 65, 65},
        {"[M2]\n*\n4 0 0 0 0\n5 2 0 0 0\n6 3 3 3 3\n", 0, 0, 0, 0, 0}, // dead, if elaborate
        {"[M2]\n1 0 1 1 0\n", 2, -1, 0, 2, 2},
        {"[M2]\n1 1 0 0 1\n2 1 0 0 1\n3 2 2 0 0\n", 8, -4, -3, 8, 4},
        {"[M2]\n1 1 0 0 0\n2 1 0 0 0\n3 2 0 0 0\n4 3 0 0 3\n", 2, -8, -7, 9, 9},
        // as far out as coordinates go
        {"[M2]\n*\n4 0 0 0 1\n5 0 0 0 2\n6 0 0 0 3\n", 1, 24, 25, 1, 1},
    };
    static const char *const engines[] = {"hashlife", "sparse", "simd"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t e = 0; e < 3; e++) {
            lc_universe *u = plane(engines[e]);
            lc_message message = {0};
            const lc_status status = load(u, cases[i].text, &message);
            assert_int_equal(status, cases[i].population < 0 ? LC_ERROR_FORMAT : LC_OK);
            const lc_facts facts = test_facts(u, LC_FACT_ALL);
            if (cases[i].population > 0) {
                assert_int_equal(facts.population.words[0], cases[i].population);
                assert_int_equal(facts.box.x, cases[i].x);
                assert_int_equal(facts.box.y, cases[i].y);
                assert_int_equal(facts.box.width_cells, cases[i].width);
                assert_int_equal(facts.box.height_cells, cases[i].height);
            } else {
                assert_true(facts.box.empty);
            }
            lc_universe_destroy(&u);
        }
    }
}

static void test_header(void **state)
{
    (void)state;
    const char text[] = "[M2] (golly 4.0)\n#R B36/S23\n#G 1000000000000000000000000000000\n"
                        "#C a remark\n#CXY another\n*$\n";
    lc_pattern *pattern;
    char generation[LC_COUNT_TEXT_BYTES];
    assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(header->format, LC_FORMAT_MACROCELL);
    assert_true(header->has_rule && header->has_position);
    assert_true(header->rule == rule_of("HighLife"));
    lc_count_format(header->generation, generation);
    assert_string_equal(generation, "1000000000000000000000000000000");
    assert_string_equal(header->comments, "a remark\nCXY another");
    lc_pattern_close(&pattern);
}

// Squares far out. Those of hashlife may be as far as 2^252, those of others as 2^62.
static void far_out(char *text, size_t size, int log2)
{
    size_t length = (size_t)snprintf(text, size, "[M2]\n*\n");
    for (int k = 4; k <= log2; k++)
        length += (size_t)snprintf(text + length, size - length, "%d 0 0 0 %d\n", k, k - 3);
}

static void test_far_out(void **state)
{
    (void)state;
    static char text[1 << 14];
    static const char *const engines[] = {"hashlife", "sparse"};
    for (size_t e = 0; e < 2; e++) {
        static const int logs[] = {60, 61, 62, 63, 64, 65, 128, 252, 253, 254};
        for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
            const int log2 = logs[i];
            lc_universe *u = plane(engines[e]);
            lc_message message = {0};
            far_out(text, sizeof text, log2);
            const lc_status status = load(u, text, &message);
            assert_int_equal(status, log2 <= (e == 0 ? 253 : 63) ? LC_OK : LC_ERROR_LIMIT);
            if (status == LC_OK && log2 > 63) {
                lc_count half = lc_count_of(1);
                const lc_facts facts = test_facts(u, LC_FACT_ALL);
                assert_true(facts.is_far && facts.box.empty);
                assert_int_equal(facts.population.words[0], 1);
                assert_true(lc_count_shift_left(half, (unsigned)log2 - 1, &half));
                const lc_count x = lc_count_distance(half, lc_count_of(8));
                const lc_count y = lc_count_distance(half, lc_count_of(7));
                assert_int_equal(lc_count_compare(facts.wide_box.x.distance, x), 0);
                assert_int_equal(lc_count_compare(facts.wide_box.y.distance, y), 0);
            } else if (status == LC_OK) {
                const int64_t at = (INT64_C(1) << (log2 - 1)) - 8;
                const lc_facts facts = test_facts(u, LC_FACT_ALL);
                assert_int_equal(facts.population.words[0], 1);
                assert_int_equal(facts.box.x, at);
                assert_int_equal(facts.box.y, at + 1);
                uint64_t word = 0;
                assert_int_equal(test_read_row(u, at, at + 1, 1, &word), LC_OK);
                assert_int_equal(word & 1, 1);
            } else {
                assert_non_null(strstr(message.text, e == 0 ? "2^252" : "2^62"));
                assert_int_equal(test_population(u), 0);
            }
            lc_universe_destroy(&u);
        }
    }
}

// Saved by each kind of engine, read by each: the same cells at the same places.
static void test_round_trips(void **state)
{
    (void)state;
    static const char *const engines[] = {"hashlife", "sparse", "simd"};
    dice d = dice_from(test_seed(), 81);
    for (int i = 0; i < 24; i++) {
        lc_universe *u = plane(engines[i % 3]);
        lc_message message = {0};
        for (int soups = 0; soups < 3; soups++)
            assert_int_equal(lc_universe_soup(u, dice_below(&d, 4000) - 2000,
                                              dice_below(&d, 4000) - 2000, 1 + dice_below(&d, 300),
                                              1 + dice_below(&d, 300), 0.3, dice_word(&d), NULL),
                             LC_OK);
        test_step(u, (uint64_t)dice_below(&d, 50));
        static const char *const names[] = {"trip.mc", "trip.mc.gz", "trip.rle", "trip.lif"};
        const char *path = test_path(names[i % 4]);
        assert_int_equal(lc_universe_save(u, path, LC_FORMAT_AUTO, &message), LC_OK);
        lc_universe *again = plane(engines[i / 3 % 3]);
        lc_pattern *pattern;
        assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        assert_int_equal(lc_universe_load(again, pattern, header->x, header->y, &message), LC_OK);
        lc_universe_set_generation(again, lc_universe_generation(u)); // not all formats have it
        lc_pattern_close(&pattern);
        test_expect_same_facts(u, again);
        (void)remove(path);
        lc_universe_destroy(&u);
        lc_universe_destroy(&again);
    }
}

// What is equal is written once: a thousand soups that are the same make one soup's lines.
static void test_shares(void **state)
{
    (void)state;
    lc_universe *u = plane("hashlife");
    for (int i = 0; i < 64; i++)
        assert_int_equal(lc_universe_soup(u, 0, LC_MIDDLE_Y, 64, 64, 0.5, 7, NULL), LC_OK);
    uint64_t words[64];
    for (int y = 0; y < 64; y++)
        assert_int_equal(test_read_row(u, 0, LC_MIDDLE_Y + y, 64, words + y), LC_OK);
    for (int i = 1; i < 256; i++) {
        const lc_cells block = {.x = i % 16 * 64,
                                .y = i / 16 * 64 + LC_MIDDLE_Y,
                                .width_cells = 64,
                                .height_cells = 64,
                                .planes = 1,
                                .words = words,
                                .pitch_words = 1};
        assert_int_equal(lc_universe_write(u, &block, NULL), LC_OK);
    }
    const char *path = test_path("shares.mc");
    assert_int_equal(lc_universe_save(u, path, LC_FORMAT_AUTO, NULL), LC_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int lines = 0;
    for (int c; (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    (void)remove(path);
    // 64 of 8 x 8, 16 of 16 x 16, 4 and 1; 4 levels more, and the four quarters of the root.
    assert_in_range(lines, 64 + 16 + 4 + 1, 64 + 16 + 4 + 1 + 2 + 4 + 5);
    lc_universe_destroy(&u);
}

static lc_spans *spans_of(const char *text)
{
    lc_pattern *pattern;
    lc_spans *spans;
    lc_message message = {0};
    assert_int_equal(lc_pattern_open_memory(&pattern, text, strlen(text), &message), LC_OK);
    assert_int_equal(lc_spans_read(&spans, pattern, 0, &message), LC_OK);
    lc_pattern_close(&pattern);
    return spans;
}

static void write_spans(const lc_spans *spans, const char *path)
{
    const lc_box box = lc_spans_box(spans);
    const lc_rule *rule = LIFE;
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .rule = rule,
                                              .x = box.x,
                                              .y = box.y,
                                              .has_position = true,
                                              .width_cells = box.width_cells,
                                              .height_cells = box.height_cells};
    lc_message message = {0};
    if (lc_spans_write(spans, box.x, box.y, path, &options, &message) != LC_OK)
        fail_msg("%s: %s", path, message.text);
}

// From file to file: 2^80 live cells stay a few lines, and what can be drawn comes to the same.
static void test_files(void **state)
{
    (void)state;
    static char text[1 << 13], again[1 << 13];
    size_t length =
        (size_t)snprintf(text, sizeof text, "[M2] (lightcone %s)\n#R B3/S23\n", lc_version());
    for (int y = 0; y < 8; y++)
        length += (size_t)snprintf(text + length, sizeof text - length, "********$");
    length += (size_t)snprintf(text + length, sizeof text - length, "\n");
    for (int k = 4; k <= 40; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d %d %d %d %d\n", k,
                                   k - 3, k - 3, k - 3, k - 3);
    lc_spans *spans = spans_of(text);
    const lc_box box = lc_spans_box(spans);
    assert_true(box.x == -(INT64_C(1) << 39) && box.width_cells == INT64_C(1) << 40);
    const char *path = test_path("full.mc");
    write_spans(spans, path);
    lc_spans_destroy(&spans);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    again[fread(again, 1, sizeof again - 1, file)] = 0;
    fclose(file);
    (void)remove(path);
    assert_string_equal(again, text);

    const char drawn[] = "[M2]\n.*$*$..*$\n*$\n4 1 0 2 1\n5 3 3 0 3\n6 4 4 4 0\n7 5 5 0 5\n";
    spans = spans_of(drawn);
    path = test_path("drawn.rle");
    write_spans(spans, path);
    lc_spans_destroy(&spans);
    lc_universe *u = plane("sparse"), *v = plane("hashlife");
    lc_pattern *pattern;
    assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    assert_int_equal(lc_universe_load(u, pattern, header->x, header->y, NULL), LC_OK);
    lc_pattern_close(&pattern);
    (void)remove(path);
    assert_int_equal(load(v, drawn, NULL), LC_OK);
    test_expect_same_facts(u, v);
    lc_universe_destroy(&u);
    lc_universe_destroy(&v);
}

// Limits ------------------------------------------------------------------------------------------

enum {
    WIDTH = 4096,         // of a soup, whose squares need two chunks of leaves,
    LEFT_BYTES = 6 << 20, // and here is room for one
    ENOUGH_BYTES = 64 << 20,
};

static lc_universe *soup(const char *engine, lc_topology topology, uint64_t max_memory_bytes)
{
    lc_universe *u = test_create(engine, LIFE, topology, max_memory_bytes);
    lc_message message = {0};
    if (lc_universe_soup(u, 0, 0, WIDTH, WIDTH, 0.5, 7, &message) != LC_OK)
        fail_msg("%s: %s", engine, message.text);
    return u;
}

static const struct {
    const char *engine;
    lc_topology topology;
} limited[] = {
    {"sparse", {0}},
    {"simd", {.kind = LC_TOPOLOGY_TORUS, .width_cells = WIDTH, .height_cells = WIDTH}},
};

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect_text(const char *path, const char *text)
{
    char found[64];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

// The squares of a file take what the universe leaves of its limit, and not more. If that is too
// little, the old file and the universe stay as they are.
static void test_saving_within_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        lc_message message = {0};
        const char *path = test_path("limit.mc");
        lc_universe *u = soup(limited[i].engine, limited[i].topology, 0);
        const uint64_t bytes = lc_universe_info_of(u).memory_bytes;
        const uint64_t hash = test_hash(u);
        lc_universe_destroy(&u);
        u = soup(limited[i].engine, limited[i].topology, bytes + LEFT_BYTES);
        write_text(path, "old");
        assert_int_equal(lc_universe_save(u, path, LC_FORMAT_AUTO, &message), LC_ERROR_LIMIT);
        assert_non_null(strstr(message.text, "an RLE file (.rle) needs none"));
        expect_text(path, "old");
        assert_true(test_hash(u) == hash);
        assert_int_equal(lc_universe_save(u, test_path("limit.rle"), LC_FORMAT_AUTO, NULL), LC_OK);
        (void)remove(test_path("limit.rle"));
        lc_universe_destroy(&u);
        u = soup(limited[i].engine, limited[i].topology, bytes + ENOUGH_BYTES);
        assert_int_equal(lc_universe_save(u, path, LC_FORMAT_AUTO, NULL), LC_OK);
        lc_universe_destroy(&u);
        (void)remove(path);
    }
}

static lc_status take_run(void *context, int64_t x, int64_t y, int64_t length)
{
    (void)context, (void)x, (void)y, (void)length;
    return LC_OK;
}

static lc_status take_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                           int64_t length)
{
    (void)context, (void)x, (void)y, (void)words, (void)length;
    return LC_OK;
}

static lc_status read_within(const char *path, uint64_t max_memory_bytes)
{
    lc_pattern *pattern;
    const lc_sink sink = {.struct_bytes = sizeof sink,
                          .run = take_run,
                          .bits = take_bits,
                          .max_memory_bytes = max_memory_bytes};
    assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
    const lc_status status = lc_pattern_read(pattern, &sink, NULL);
    lc_pattern_close(&pattern);
    return status;
}

// So do the squares of a file whose cells are read one by one.
static void test_reading_within_limit(void **state)
{
    (void)state;
    const char *path = test_path("limit.mc");
    lc_universe *u = soup("hashlife", (lc_topology){0}, 0);
    assert_int_equal(lc_universe_save(u, path, LC_FORMAT_AUTO, NULL), LC_OK);
    lc_universe_destroy(&u);
    assert_int_equal(read_within(path, LEFT_BYTES), LC_ERROR_LIMIT);
    assert_int_equal(read_within(path, ENOUGH_BYTES), LC_OK);
    for (int i = 0; i < 2; i++) {
        lc_pattern *pattern;
        const lc_topology torus = limited[1].topology;
        u = test_create("simd", LIFE, torus, 0);
        const uint64_t bytes = lc_universe_info_of(u).memory_bytes;
        lc_universe_destroy(&u);
        u = test_create("simd", LIFE, torus, bytes + (i == 0 ? LEFT_BYTES : ENOUGH_BYTES));
        assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
        assert_int_equal(lc_universe_load(u, pattern, 0, 0, NULL), i == 0 ? LC_ERROR_LIMIT : LC_OK);
        assert_true((test_population(u) == 0) == (i == 0));
        lc_pattern_close(&pattern);
        lc_universe_destroy(&u);
    }
    (void)remove(path);
}

// A file of many lines that are one square: the list of its lines counts, too.
static void test_lines_within_limit(void **state)
{
    enum { LINES = 1 << 20 };
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *path = test_path("lines.mc");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(i == 0 ? "[M2]\n" : "[M2]\n#FRAMES 0 0 1\n", file);
        for (int line = 0; line < LINES; line++)
            if (i == 0)
                fputs("*\n", file);
            else
                fprintf(file, "#FRAME %d 0\n", line);
        assert_int_equal(fclose(file), 0);
        for (int k = 0; k < 2; k++) {
            lc_pattern *pattern;
            lc_universe *u = test_create("hashlife", LIFE, (lc_topology){0},
                                         k == 0 ? 2 * LEFT_BYTES : ENOUGH_BYTES);
            assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
            assert_int_equal(lc_universe_load(u, pattern, 0, 0, NULL),
                             k == 0 ? LC_ERROR_LIMIT : LC_OK);
            lc_pattern_close(&pattern);
            // The memory of the list is free again.
            assert_true(lc_universe_info_of(u).memory_bytes < LEFT_BYTES);
            lc_universe_destroy(&u);
        }
        (void)remove(path);
    }
}

// From file to file: the cells and the squares together.
static void test_converting_within_limit(void **state)
{
    (void)state;
    const char *path = test_path("limit.rle"), *to = test_path("limit.mc");
    lc_universe *u = soup("sparse", (lc_topology){0}, 0);
    assert_int_equal(lc_universe_save(u, path, LC_FORMAT_AUTO, NULL), LC_OK);
    lc_universe_destroy(&u);
    for (int i = 0; i < 2; i++) {
        lc_pattern *pattern;
        lc_spans *spans;
        const lc_rule *rule = LIFE;
        assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
        assert_int_equal(
            lc_spans_read(&spans, pattern, i == 0 ? 2 * LEFT_BYTES : ENOUGH_BYTES, NULL), LC_OK);
        lc_pattern_close(&pattern);
        const lc_box box = lc_spans_box(spans);
        const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                                  .rule = rule,
                                                  .width_cells = box.width_cells,
                                                  .height_cells = box.height_cells};
        assert_int_equal(lc_spans_write(spans, box.x, box.y, to, &options, NULL),
                         i == 0 ? LC_ERROR_LIMIT : LC_OK);
        lc_spans_destroy(&spans);
    }
    (void)remove(path);
    (void)remove(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_far_out),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_saving_within_limit),
        cmocka_unit_test(test_reading_within_limit),
        cmocka_unit_test(test_lines_within_limit),
        cmocka_unit_test(test_converting_within_limit),
    };
    return cmocka_run_group_tests_name("macrocell", tests, NULL, NULL);
}
