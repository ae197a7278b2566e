// A board on disk in the viewer: pictures from near and far are those of the same board in memory,
// what would change it is refused, and another universe may take its place.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"
#include "viewer_client.h"

enum { HEAD_BYTES = 72, WIDTH = 1000, HEIGHT = 700 };

static const char *path; // of the board

static lc_universe *soup_of(const char *disk)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = WIDTH, .height_cells = HEIGHT},
        .engine = "simd",
        .threads = 2,
        .disk = disk,
        .disk_settings = disk != NULL ? "band=4096,rows=200" : NULL};
    lc_universe *u;
    lc_message message = {0};
    if (lc_universe_create(&u, &options, &message) != LC_OK ||
        lc_universe_soup(u, 0, 0, WIDTH, HEIGHT, 0.3, 7, &message) != LC_OK ||
        lc_disk_keep(u, &message) != LC_OK)
        fail_msg("%s", message.text);
    return u;
}

// As `lightcone view` does it: the file may be opened when nobody else has it.
static lc_status reopen(void *context, lc_universe **out, lc_message *message)
{
    (void)context;
    return lc_disk_open(out, path, NULL, message);
}

static void check_picture(const client *c, const lc_universe *same)
{
    const int bits = c->bytes[2], scale = c->bytes[3];
    const int64_t x = (int64_t)number_at(c, 8, 8), y = (int64_t)number_at(c, 16, 8);
    const int width = (int)number_at(c, 24, 4), height = (int)number_at(c, 28, 4);
    const unsigned char *row = c->bytes + HEAD_BYTES;
    uint32_t *counts = calloc((size_t)width * (size_t)height, sizeof *counts);
    assert_non_null(counts);
    const double side = (double)((int64_t)1 << scale);
    assert_int_equal(
        lc_universe_counts(same, x, y, (int64_t)1 << scale, width, height, counts, NULL), LC_OK);
    for (int j = 0; j < height; j++, row += bits == 1 ? (width + 7) / 8 : width)
        for (int i = 0; i < width; i++) {
            const uint32_t count = counts[j * width + i];
            const double tone = round(255 * sqrt((double)count / (side * side)));
            const int expected = count == 0 || bits == 1 ? (int)count : tone < 1 ? 1 : (int)tone;
            const int shown = bits == 1 ? row[i / 8] >> i % 8 & 1 : row[i];
            if (shown != expected)
                fail_msg("square (%d, %d) of scale %d is %d, not %d", i, j, scale, shown, expected);
        }
    free(counts);
}

static void test_looking(void **state)
{
    static const struct {
        int x, y, scale, width, height;
    } looks[] = {{-7, -5, 0, 67, 33}, {500, 300, 0, 300, 200}, {4, 8, 2, 90, 60},
                 {-64, 0, 6, 20, 14}, {0, 0, 7, 9, 7},         {3, 5, 6, 9, 7}};
    // Each of them would change the board, or copy it.
    static const char *const changes[] = {
        "\"do\":\"run\"",
        "\"do\":\"step\",\"generations\":1",
        "\"do\":\"reset\"",
        "\"do\":\"keep\"",
        "\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[1,1,1]",
        "\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":9,\"height\":9,\"density\":0.5,\"seed\":\"1\"",
        "\"do\":\"clear\",\"x\":0,\"y\":0,\"width\":9,\"height\":9",
        "\"do\":\"cut\",\"x\":0,\"y\":0,\"width\":9,\"height\":9",
        "\"do\":\"rule\",\"rule\":\"HighLife\""};
    served server;
    client c;
    lc_universe *same = soup_of(NULL), *shown = soup_of(path);
    lc_viewer_options options = viewer_options();
    (void)state;
    options.running = true; // it does not
    options.reopen = reopen;
    serve(&server, &options, shown);
    enter(&c, &server);
    for (unsigned i = 0; i < sizeof looks / sizeof *looks; i++) {
        send_text(&c,
                  "{\"do\":\"look\",\"look\":%u,\"x\":%d,\"y\":%d,\"scale\":%d,\"width\":%d,"
                  "\"height\":%d}",
                  i + 1, looks[i].x, looks[i].y, looks[i].scale, looks[i].width, looks[i].height);
        expect_frame(&c, i + 1);
        for (size_t word = 0; word < 4; word++)
            assert_int_equal(number_at(&c, 40 + 8 * word, 8), 0); // generation
        check_picture(&c, same);
    }
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        send_text(&c, "{\"id\":%u,%s}", i + 100, changes[i]);
        json_t *error = expect(&c, "error");
        assert_int_equal(json_integer_value(json_object_get(error, "re")), i + 100);
        if (strstr(json_string_value(json_object_get(error, "text")), "lies on disk") == NULL)
            fail_msg("%s: %s", changes[i], json_string_value(json_object_get(error, "text")));
        json_decref(error);
    }
    ACCEPTED(&c, 1, "{\"id\":1,\"do\":\"new\",\"topology\":\"T99,77\",\"rule\":\"B3/S23\"}");
    ACCEPTED(&c, 2, "{\"id\":2,\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[1,1,1]}");
    // The file is free meanwhile, and undoing both leads back to it.
    lc_disk_facts facts;
    ACCEPTED(&c, 3, "{\"id\":3,\"do\":\"undo\"}");
    ACCEPTED(&c, 4, "{\"id\":4,\"do\":\"undo\"}");
    close_client(&c);
    shown = end_serving(&server);
    assert_true(lc_disk_get_facts(shown, &facts));
    test_expect_same_facts(same, shown);
    lc_universe_destroy(&shown);
    lc_universe_destroy(&same);
}

int main(void)
{
    path = test_path("board.lcd");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looking)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
