// The viewer's server over real sockets: what pictures show, what clients may do.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"
#include "viewer/picture_message.h"
#include "viewer_client.h"

enum { HEAD_BYTES = 72 }; // of a picture, before the payload

// ---- pictures ----------------------------------------------------------------------------------

// A picture against the cells of a universe that was made in the same way.
static void check_picture(const client *c, const lc_universe *u)
{
    const int bits = c->bytes[2], scale = c->bytes[3];
    const int64_t x = (int64_t)number_at(c, 8, 8), y = (int64_t)number_at(c, 16, 8);
    const int64_t width = (int64_t)number_at(c, 24, 4), height = (int64_t)number_at(c, 28, 4);
    const int64_t side = (int64_t)1 << scale;
    assert_int_equal(bits, scale == 0 ? 1 : 8);
    assert_int_equal(c->bytes[1], 0);
    assert_int_equal(c->size_bytes,
                     HEAD_BYTES + (bits == 1 ? (width + 7) / 8 * height : width * height));
    const unsigned char *row = c->bytes + HEAD_BYTES;
    for (int64_t j = 0; j < height; j++, row += bits == 1 ? (width + 7) / 8 : width)
        for (int64_t i = 0; i < width; i++) {
            int64_t count = 0;
            for (int64_t b = 0; b < side; b++)
                for (int64_t a = 0; a < side; a++)
                    count += test_get(u, x + i * side + a, y + j * side + b);
            const double tone = round(255 * sqrt((double)count / (double)(side * side)));
            const int expected = count == 0 ? 0 : tone < 1 ? 1 : (int)tone;
            const int shown = bits == 1 ? row[i / 8] >> i % 8 & 1 : row[i];
            if (shown != (bits == 1 ? count != 0 : expected))
                fail_msg("square (%" PRId64 ", %" PRId64 ") of scale %d is shown as %d, not %d", i,
                         j, scale, shown, expected);
        }
}

static void test_charts(void **state)
{
    (void)state;
    static const struct {
        int x, y, scale, width, height;
    } looks[] = {
        {0, 0, 0, 300, 200},  {-7, -5, 0, 67, 33},   {13, 9, 1, 150, 101},
        {-20, 30, 2, 90, 60}, {0, 0, 3, 38, 25},     {5, -3, 5, 11, 9},
        {0, 0, 7, 3, 2},      {-512, -512, 9, 2, 2}, {299, 199, 0, 1, 1},
    };
    served server;
    client c;
    const lc_count late = {{UINT64_MAX - 50, 3, 0, UINT64_C(1) << 63}};
    lc_universe *same = viewer_soup(300, 200, 7), *shown = viewer_soup(300, 200, 7);
    lc_universe_set_generation(same, late);
    lc_universe_set_generation(shown, late);
    start_serving(&server, shown);
    enter(&c, &server);
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < sizeof looks / sizeof *looks; i++) {
            const unsigned look = (unsigned)round * 100 + i;
            send_text(&c,
                      "{\"do\":\"look\",\"look\":%u,\"x\":%d,\"y\":%d,\"scale\":%d,\"width\":%d,"
                      "\"height\":%d}",
                      look, looks[i].x, looks[i].y, looks[i].scale, looks[i].width,
                      looks[i].height);
            expect_frame(&c, look);
            for (size_t word = 0; word < 4; word++)
                assert_int_equal(number_at(&c, 40 + 8 * word, 8),
                                 lc_universe_generation(same).words[word]);
            check_picture(&c, same);
        }
        char generation[LC_COUNT_TEXT_BYTES];
        test_step(same, 37);
        lc_count_format(lc_universe_generation(same), generation);
        ACCEPTED(&c, 1, "{\"do\":\"step\",\"generations\":37,\"id\":1}");
        wait_for(&c, "generation", generation, false);
    }
    close_client(&c);
    stop_serving(&server);
    lc_universe_destroy(&same);
}

static void test_a_client_that_does_not_draw_gets_two_pictures(void **state)
{
    (void)state;
    served server;
    client c, other;
    start_serving(&server, viewer_soup(256, 256, 1));
    enter(&c, &server);
    enter(&other, &server);
    ACCEPTED(&c, 1, "{\"do\":\"run\",\"id\":1}");
    send_text(&c, "{\"do\":\"look\",\"look\":1,\"x\":0,\"y\":0,\"scale\":0,\"width\":256,"
                  "\"height\":256}");
    // The other one goes on getting pictures all the while.
    send_text(&other, "{\"do\":\"look\",\"look\":5,\"x\":0,\"y\":0,\"scale\":0,\"width\":256,"
                      "\"height\":256}");
    for (int i = 0; i < 20; i++)
        expect_frame(&other, 5);
    ACCEPTED(&c, 2, "{\"do\":\"pause\",\"id\":2}");
    int pictures = 0;
    send_text(&c, "{\"do\":\"box\",\"id\":3}");
    json_t *box = NULL;
    // All that is in between is skipped by `expect`, so it is counted here.
    while (box == NULL && receive(&c)) {
        pictures += c.binary && c.bytes[0] == 1;
        if (!c.binary && strstr((const char *)c.bytes, "\"box\"") != NULL &&
            strstr((const char *)c.bytes, "\"re\":3") != NULL)
            box = json_loadb((const char *)c.bytes, c.size_bytes, 0, NULL);
    }
    assert_non_null(box);
    json_decref(box);
    assert_in_range(pictures, 0, 2);
    close_client(&c);
    close_client(&other);
    stop_serving(&server);
}

static void test_a_client_that_reads_nothing_stops_nobody(void **state)
{
    (void)state;
    served server;
    client deaf, other;
    start_serving(&server, viewer_soup(1024, 1024, 1));
    enter(&deaf, &server);
    enter(&other, &server);
    ACCEPTED(&deaf, 1, "{\"do\":\"run\",\"id\":1}");
    send_text(&deaf, "{\"do\":\"look\",\"look\":1,\"x\":0,\"y\":0,\"scale\":1,\"width\":4096,"
                     "\"height\":4096}");
    // It says that it has drawn, asks for much, and reads nothing of it.
    for (unsigned i = 0; i < 500; i++) {
        send_text(&deaf, "{\"do\":\"drawn\",\"frame\":%u}", i);
        if (i % 10 == 0)
            send_text(&deaf, "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":1024,\"height\":1024}");
    }
    send_text(&other, "{\"do\":\"look\",\"look\":5,\"x\":0,\"y\":0,\"scale\":0,\"width\":256,"
                      "\"height\":256}");
    uint64_t before = 0;
    for (int i = 0; i < 30; i++) {
        expect_frame(&other, 5);
        assert_true(number_at(&other, 40, 8) >= before);
        before = number_at(&other, 40, 8);
    }
    assert_true(before > 0);
    close_client(&deaf);
    expect_frame(&other, 5);
    close_client(&other);
    stop_serving(&server);
}

// Slower than pictures may come: a generation is rendered and sent once.
static void test_each_generation_is_shown_once(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(64, 64, 1));
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"speed\",\"generations_per_second\":40,\"id\":1}");
    send_text(&c, "{\"do\":\"look\",\"look\":1,\"x\":0,\"y\":0,\"scale\":0,\"width\":64,"
                  "\"height\":64,\"frames\":240}");
    expect_frame(&c, 1);
    send_text(&c, "{\"do\":\"run\"}");
    uint64_t before = 0;
    for (int i = 0; i < 20; i++) {
        expect_frame(&c, 1);
        assert_true(number_at(&c, 40, 8) > before);
        before = number_at(&c, 40, 8);
    }
    close_client(&c);
    stop_serving(&server);
}

// A board whose passes take long, seen from near: each picture is of a later generation than the
// one before, also in the midst of a pass, and is what the board is then. Pausing does not go back,
// unless passes take so long that the one in hand is given up: then the board is shown as it is.
static void test_a_long_pass_is_seen_from_near(void **state)
{
    (void)state;
    enum { SIDE = 4096 };
    const lc_universe_options creation = {
        .struct_bytes = sizeof creation,
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = SIDE, .height_cells = SIDE},
        .engine = "simd",
        .cpu_level = "portable",
        .threads = 1};
    lc_universe *u, *same;
    served server;
    client c;
    assert_int_equal(lc_universe_create(&u, &creation, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(u, 0, 0, 1024, 1024, 0.4, 1, NULL), LC_OK);
    // The same from near: nothing comes into it that far.
    const lc_topology part = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 2048, .height_cells = 2048};
    same = test_create("simd", LIFE, part, 0);
    assert_int_equal(lc_universe_soup(same, 0, 0, 1024, 1024, 0.4, 1, NULL), LC_OK);
    start_serving(&server, u);
    enter(&c, &server);
    send_text(&c, "{\"do\":\"look\",\"look\":1,\"x\":500,\"y\":500,\"scale\":0,\"width\":64,"
                  "\"height\":64,\"frames\":240}");
    expect_frame(&c, 1);
    send_text(&c, "{\"do\":\"run\"}");
    uint64_t shown = 0, steps = 0;
    for (int i = 0; i < 60 && shown < 300; i++, steps++) {
        expect_frame(&c, 1);
        const uint64_t generation = number_at(&c, 40, 8);
        assert_true(generation > shown || i == 0);
        test_step(same, generation - shown);
        shown = generation;
        check_picture(&c, same);
    }
    assert_true(steps > shown / LC_PASS_GENERATIONS_MAX + 3); // passes are seen in several steps
    send_text(&c, "{\"do\":\"pause\"}");
    wait_for(&c, "running", NULL, false);
    const char *text = json_string_value(json_object_get(c.state, "generation"));
    const uint64_t at_rest = strtoull(text, NULL, 10);
    if (at_rest < shown) {
        // Its picture may have come before the state did, so it is asked for again.
        send_text(&c, "{\"do\":\"look\",\"look\":2,\"x\":500,\"y\":500,\"scale\":0,"
                      "\"width\":64,\"height\":64,\"frames\":240}");
        do
            expect_frame(&c, 2);
        while (number_at(&c, 40, 8) != at_rest);
        lc_universe_destroy(&same);
        same = test_create("simd", LIFE, part, 0);
        assert_int_equal(lc_universe_soup(same, 0, 0, 1024, 1024, 0.4, 1, NULL), LC_OK);
        test_step(same, at_rest);
        check_picture(&c, same);
    }
    close_client(&c);
    stop_serving(&server);
    lc_universe_destroy(&same);
}

// A picture, and as long as a line of 1 Mbit/s takes for it, before it is drawn.
static void draw_slowly(client *c)
{
    assert_true(receive(c));
    if (!c->binary)
        return;
    usleep((useconds_t)(c->size_bytes * 8));
    acknowledge(c);
}

// Over a slow line pictures are coarser while it runs, so that what comes after them does not come
// late; what has come to rest is shown as it was asked for.
static void expect_coarser_pictures(bool ages)
{
    served server;
    client c;
    start_serving(&server, viewer_soup(1600, 1200, 1));
    enter(&c, &server);
    send_text(&c,
              "{\"do\":\"look\",\"look\":1,\"x\":0,\"y\":0,\"scale\":0,\"width\":1600,"
              "\"height\":1200,\"ages\":%s}",
              ages ? "true" : "false");
    ACCEPTED(&c, 1, "{\"do\":\"run\",\"id\":1}");
    c.size_bytes = 0;
    for (int i = 0; i < 40 && (!c.binary || c.bytes[3] == 0 || c.size_bytes > 20000); i++)
        draw_slowly(&c);
    assert_true(c.binary && c.bytes[3] > 0 && c.size_bytes <= 20000);
    // All of it, in larger squares.
    assert_int_equal(number_at(&c, 24, 4) << c.bytes[3], 1600);
    assert_true((number_at(&c, 28, 4) << c.bytes[3]) >= 1200);
    send_text(&c, "{\"do\":\"pause\"}");
    wait_for(&c, "running", NULL, false);
    do
        expect_frame(&c, 1);
    while (c.bytes[3] > 0);
    const uint64_t generation = number_at(&c, 40, 8);
    assert_int_equal(generation,
                     strtoull(json_string_value(json_object_get(c.state, "generation")), NULL, 10));
    close_client(&c);
    stop_serving(&server);
}

static void test_a_slow_line_gets_coarser_pictures(void **state)
{
    (void)state;
    expect_coarser_pictures(false);
    expect_coarser_pictures(true);
}

static void test_deflated_pictures(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(512, 512, 3));
    enter(&c, &server);
    const char *look = "{\"do\":\"look\",\"look\":%d,\"x\":-100,\"y\":0,\"scale\":0,\"width\":700,"
                       "\"height\":500,\"deflate\":\"%s\"}";
    send_text(&c, look, 1, "never");
    expect_frame(&c, 1);
    assert_int_equal(c.bytes[1], 0);
    const size_t size = c.size_bytes - HEAD_BYTES;
    unsigned char *plain = malloc(size), *inflated = malloc(size);
    memcpy(plain, c.bytes + HEAD_BYTES, size);
    send_text(&c, look, 2, "always");
    expect_frame(&c, 2);
    assert_int_equal(c.bytes[1], 1);
    uLongf length = size;
    assert_int_equal(uncompress(inflated, &length, c.bytes + HEAD_BYTES, c.size_bytes - HEAD_BYTES),
                     Z_OK);
    assert_int_equal(length, size);
    assert_memory_equal(plain, inflated, size);
    free(plain);
    free(inflated);
    close_client(&c);
    stop_serving(&server);
}

// While it runs the population is older than the cells, and says so.
static void test_age_of_the_population(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_soup(1024, 1024, 5));
    enter(&c, &server);
    wait_for(&c, "population_at", "0", false);
    assert_true(json_real_value(json_object_get(c.state, "population_age")) == 0);
    ACCEPTED(&c, 1, "{\"do\":\"run\",\"id\":1}");
    double age_s = 0;
    while (age_s == 0 && receive(&c))
        age_s = json_real_value(json_object_get(c.state, "population_age"));
    assert_true(age_s > 0);
    ACCEPTED(&c, 2, "{\"do\":\"pause\",\"id\":2}");
    while (age_s != 0 && receive(&c))
        age_s = json_real_value(json_object_get(c.state, "population_age"));
    assert_true(age_s == 0);
    assert_string_equal(json_string_value(json_object_get(c.state, "population_at")),
                        json_string_value(json_object_get(c.state, "generation")));
    close_client(&c);
    stop_serving(&server);
}

// What the pieces that come next give when they are put together, which the caller owns.
static unsigned char *join_pieces(client *c, size_t *size, bool *is_text)
{
    json_t *announced = expect(c, "pieces");
    *size = (size_t)json_integer_value(json_object_get(announced, "bytes"));
    *is_text = json_is_true(json_object_get(announced, "text"));
    json_decref(announced);
    unsigned char *whole = malloc(*size);
    for (size_t filled = 0; filled < *size; filled += c->size_bytes) {
        assert_true(receive(c) && c->binary);
        assert_in_range(c->size_bytes, 1, *size - filled < 8192 ? *size - filled : 8192);
        memcpy(whole + filled, c->bytes, c->size_bytes);
    }
    return whole;
}

// As long as a line is not known to be quick, a client that says that it can gets large messages in
// pieces.
static void test_large_messages_come_in_pieces(void **state)
{
    (void)state;
    served server;
    client c;
    size_t size;
    bool is_text;
    start_serving(&server, viewer_soup(512, 512, 3));
    enter(&c, &server);
    const char *look = "{\"do\":\"look\",\"look\":%d,\"x\":0,\"y\":0,\"scale\":0,\"width\":512,"
                       "\"height\":512,\"deflate\":\"never\",\"pieces\":%s}";
    send_text(&c, look, 1, "true");
    unsigned char *picture = join_pieces(&c, &size, &is_text);
    assert_false(is_text);
    send_text(&c, "{\"do\":\"patterns\",\"id\":2}");
    char *text = (char *)join_pieces(&c, &size, &is_text);
    assert_true(is_text);
    json_t *patterns = json_loadb(text, size, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(patterns, "re")), 2);
    json_decref(patterns);
    free(text);
    // The same picture whole.
    send_text(&c, look, 2, "false");
    expect_frame(&c, 2);
    assert_int_equal(c.size_bytes, HEAD_BYTES + 512 * 512 / 8);
    assert_memory_equal(picture + HEAD_BYTES, c.bytes + HEAD_BYTES, c.size_bytes - HEAD_BYTES);
    free(picture);
    close_client(&c);
    stop_serving(&server);
}

// ---- steering ----------------------------------------------------------------------------------

static void test_steering(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"step\",\"generations\":\"100\",\"id\":1}");
    wait_for(&c, "generation", "100", false);
    wait_for(&c, "running", NULL, false);
    ACCEPTED(&c, 2, "{\"do\":\"keep\",\"id\":2}");
    ACCEPTED(&c, 3, "{\"do\":\"speed\",\"generations_per_second\":1000,\"id\":3}");
    ACCEPTED(&c, 4, "{\"do\":\"run\",\"id\":4}");
    wait_for(&c, "running", NULL, true);
    ACCEPTED(&c, 5, "{\"do\":\"pause\",\"id\":5}");
    wait_for(&c, "running", NULL, false);
    ACCEPTED(&c, 6, "{\"do\":\"return\",\"moment\":1,\"id\":6}");
    wait_for(&c, "generation", "100", false);
    send_text(&c, "{\"do\":\"box\",\"id\":7}");
    json_t *box = expect(&c, "box");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(box, "box"), "x")), 25);
    json_decref(box);
    ACCEPTED(&c, 8, "{\"do\":\"reset\",\"id\":8}");
    wait_for(&c, "generation", "0", false);
    // It also stops a run that has made no generation yet: both commands wait for a copy to end.
    send_text(&c, "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":65536,\"height\":8192,\"id\":12}");
    send_text(&c, "{\"do\":\"run\",\"id\":13}");
    send_text(&c, "{\"do\":\"reset\",\"id\":14}");
    for (int id = 12; id <= 14; id++)
        assert_false(is_refused(&c, id));
    ACCEPTED(&c, 9, "{\"do\":\"forget\",\"moment\":1,\"id\":9}");
    REFUSED(&c, 10, "{\"do\":\"return\",\"moment\":1,\"id\":10}");
    ACCEPTED(&c, 11, "{\"do\":\"follow\",\"on\":true,\"id\":11}");
    while (!json_is_object(json_object_get(c.state, "box")))
        json_decref(expect(&c, "state"));
    const json_t *followed = json_object_get(c.state, "box");
    assert_int_equal(json_integer_value(json_object_get(followed, "width")), 3);
    close_client(&c);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_generation(universe), 0);
    assert_int_equal(test_population(universe), 5);
    lc_universe_destroy(&universe);
}

static void test_other_universes(void **state)
{
    (void)state;
    served server;
    client c;
    char population[24];
    lc_universe *same = test_create(
        "scalar", LIFE,
        (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 200}, 0);
    assert_int_equal(lc_universe_soup(same, 0, 0, 300, 200, 0.3, 9, NULL), LC_OK);
    snprintf(population, sizeof population, "%" PRIu64, test_population(same));
    lc_universe_destroy(&same);
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1,
             "{\"do\":\"new\",\"rule\":\"B36/S23:T300,200\",\"density\":0.3,\"seed\":\"9\","
             "\"id\":1}");
    wait_for(&c, "population", population, false);
    ACCEPTED(&c, 2, "{\"do\":\"step\",\"generations\":10,\"id\":2}");
    wait_for(&c, "generation", "10", false);
    ACCEPTED(&c, 3, "{\"do\":\"reset\",\"id\":3}");
    wait_for(&c, "population", population, false);
    // A file that is sent, a damaged one, one of another length.
    ACCEPTED(&c, 4, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":4}");
    wait_for(&c, "population", "0", false);
    REFUSED(&c, 5, "{\"do\":\"run\",\"id\":5}");
    send_text(&c, "{\"do\":\"open\",\"name\":\"g.rle\",\"bytes\":%zu,\"id\":6}",
              strlen(glider_rle));
    send_bytes(&c, true, glider_rle, strlen(glider_rle));
    assert_false(is_refused(&c, 6));
    wait_for(&c, "population", "5", false);
    // Of a file with several patterns it is the first, and the page says so.
    static const char several[] = "#C a comment\nx = 4, y = 1\n4o!\nx = 3, y = 1\n3o!\n";
    send_text(&c, "{\"do\":\"open\",\"name\":\"two.rle\",\"bytes\":%zu,\"id\":9}", strlen(several));
    send_bytes(&c, true, several, strlen(several));
    json_t *first = expect(&c, "universe");
    assert_string_equal(json_string_value(json_object_get(first, "name")), "two.rle");
    assert_string_equal(json_string_value(json_object_get(first, "comments")),
                        "a comment\nThe file has 2 patterns. This is the first.");
    json_decref(first);
    wait_for(&c, "population", "4", false);
    send_text(&c, "{\"do\":\"open\",\"name\":\"bad.rle\",\"bytes\":7,\"id\":7}");
    send_bytes(&c, true, "x = 3,y", 7);
    assert_true(is_refused(&c, 7));
    send_text(&c, "{\"do\":\"open\",\"name\":\"short.rle\",\"bytes\":9,\"id\":8}");
    send_bytes(&c, true, "bo!", 3);
    assert_true(is_refused(&c, 8));
    send_bytes(&c, true, "bo!", 3); // not announced at all
    json_decref(expect(&c, "error"));
    close_client(&c);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_population(universe), 4); // what failed changed nothing
    lc_universe_destroy(&universe);
}

static void test_saved_files(void **state)
{
    (void)state;
    served server;
    client c;
    char answer[4096];
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    const int port = lc_viewer_port(server.viewer);
    send_text(&c, "{\"do\":\"save\",\"format\":\"rle\",\"id\":1}");
    json_t *saved = expect(&c, "saved");
    char path[300];
    snprintf(path, sizeof path, "%s", json_string_value(json_object_get(saved, "path")));
    assert_int_equal(http_get(port, path, "localhost", answer, sizeof answer), 200);
    assert_int_equal(strlen(http_body(answer)),
                     json_integer_value(json_object_get(saved, "bytes")));
    json_decref(saved);
    lc_universe *u = test_create("scalar", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(u, http_body(answer), 0, 0, NULL), LC_OK);
    assert_int_equal(test_population(u), 5);
    lc_universe_destroy(&u);
    // Saving again, and leaving, take the file away.
    send_text(&c, "{\"do\":\"save\",\"format\":\"checkpoint\",\"id\":2}");
    saved = expect(&c, "saved");
    assert_int_equal(http_get(port, path, "localhost", answer, sizeof answer), 404);
    snprintf(path, sizeof path, "%s", json_string_value(json_object_get(saved, "path")));
    json_decref(saved);
    close_client(&c);
    enter(&c, &server);
    assert_int_equal(http_get(port, path, "localhost", answer, sizeof answer), 404);
    close_client(&c);
    stop_serving(&server);
}

// ---- editing -----------------------------------------------------------------------------------

static void test_editing(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1,
             "{\"do\":\"cells\",\"alive\":true,\"stroke\":1,\"runs\":[10,10,3,-5,0,2],"
             "\"id\":1}");
    wait_for(&c, "population", "10", false);
    ACCEPTED(&c, 2, "{\"do\":\"undo\",\"id\":2}");
    wait_for(&c, "population", "5", false);
    ACCEPTED(&c, 3, "{\"do\":\"redo\",\"id\":3}");
    wait_for(&c, "population", "10", false);
    send_text(&c, "{\"do\":\"cut\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"id\":4}");
    json_t *clip = expect(&c, "clip");
    assert_string_equal(json_string_value(json_object_get(clip, "population")), "5");
    assert_non_null(strstr(json_string_value(json_object_get(clip, "rle")), "bo$2bo$3o!"));
    assert_true(json_is_true(json_object_get(clip, "bits")));
    json_decref(clip);
    while (receive(&c) && !(c.binary && c.bytes[0] == 2))
        ;
    const unsigned char cells[] = {2, 4, 7};
    assert_memory_equal(c.bytes + HEAD_BYTES, cells, 3);
    wait_for(&c, "population", "5", false);
    send_text(&c, "{\"do\":\"turn\",\"how\":\"flip-y\",\"id\":5}");
    json_decref(expect(&c, "clip"));
    ACCEPTED(&c, 6, "{\"do\":\"paste\",\"x\":100,\"y\":100,\"mode\":\"copy\",\"id\":6}");
    ACCEPTED(&c, 7,
             "{\"do\":\"clear\",\"x\":100,\"y\":100,\"width\":3,\"height\":3,"
             "\"outside\":true,\"id\":7}");
    wait_for(&c, "population", "5", false);
    ACCEPTED(&c, 8,
             "{\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":50,\"height\":50,\"density\":1,"
             "\"id\":8}");
    wait_for(&c, "population", "2505", false);
    ACCEPTED(&c, 9, "{\"do\":\"undo\",\"id\":9}");
    // What was edited at the beginning is what a reset goes back to.
    ACCEPTED(&c, 10, "{\"do\":\"step\",\"generations\":4,\"id\":10}");
    wait_for(&c, "generation", "4", false);
    REFUSED(&c, 11, "{\"do\":\"redo\",\"id\":11}");
    // What is edited later can be had back once it was stepped.
    ACCEPTED(&c, 21, "{\"do\":\"cells\",\"alive\":true,\"runs\":[500,500,1],\"id\":21}");
    wait_for(&c, "population", "6", false);
    ACCEPTED(&c, 22, "{\"do\":\"step\",\"generations\":4,\"id\":22}");
    wait_for(&c, "generation", "8", false);
    ACCEPTED(&c, 23, "{\"do\":\"undo\",\"id\":23}");
    wait_for(&c, "generation", "4", false);
    send_text(&c, "{\"do\":\"copy\",\"x\":490,\"y\":490,\"width\":20,\"height\":20}");
    clip = expect(&c, "clip");
    assert_string_equal(json_string_value(json_object_get(clip, "population")), "1");
    json_decref(clip);
    REFUSED(&c, 24, "{\"do\":\"undo\",\"id\":24}");
    ACCEPTED(&c, 12, "{\"do\":\"reset\",\"id\":12}");
    close_client(&c);
    lc_universe *universe = end_serving(&server);
    const lc_box box = test_box(universe);
    assert_int_equal(box.x, 100);
    assert_true(test_get(universe, 100, 100) && test_get(universe, 102, 100));
    assert_false(test_get(universe, 100, 101));
    lc_universe_destroy(&universe);
}

// What a paste loses is said, what is drawn is known, the rule changes in place, and undoing brings
// back what was closed.
static void test_nothing_goes_without_a_word(void **state)
{
    (void)state;
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23:P20,20\",\"id\":1}");
    wait_for(&c, "unsaved", NULL, false);
    send_text(&c, "{\"do\":\"clip\",\"rle\":\"x = 3, y = 1, rule = B36/S23\\n3o!\",\"id\":2}");
    json_t *clip = expect(&c, "clip");
    assert_string_equal(json_string_value(json_object_get(clip, "rule")), "B36/S23");
    json_decref(clip);
    send_text(&c, "{\"do\":\"paste\",\"x\":18,\"y\":5,\"id\":3}");
    json_t *done = expect(&c, "done");
    assert_string_equal(json_string_value(json_object_get(done, "lost")), "1");
    json_decref(done);
    wait_for(&c, "population", "2", false);
    wait_for(&c, "unsaved", NULL, true);
    REFUSED(&c, 4, "{\"do\":\"rule\",\"rule\":\"B36/S23:T5,5\",\"id\":4}");
    REFUSED(&c, 5, "{\"do\":\"rule\",\"rule\":\"nonsense\",\"id\":5}");
    REFUSED(&c, 6, "{\"do\":\"rule\",\"id\":6}");
    send_text(&c, "{\"do\":\"rule\",\"rule\":\"B36/S23\",\"id\":7}");
    json_t *universe = expect(&c, "universe");
    assert_string_equal(json_string_value(json_object_get(universe, "rule_text")),
                        "B36/S23:P20,20");
    json_decref(universe);
    wait_for(&c, "population", "2", false);
    send_text(&c, "{\"do\":\"undo\",\"id\":8}");
    universe = expect(&c, "universe");
    assert_string_equal(json_string_value(json_object_get(universe, "rule_text")), "B3/S23:P20,20");
    json_decref(universe);
    send_text(&c, "{\"do\":\"new\",\"rule\":\"B2/S\",\"id\":9}");
    json_decref(expect(&c, "universe"));
    wait_for(&c, "unsaved", NULL, false);
    send_text(&c, "{\"do\":\"undo\",\"id\":10}");
    universe = expect(&c, "universe");
    assert_string_equal(json_string_value(json_object_get(universe, "rule_text")), "B3/S23:P20,20");
    json_decref(universe);
    wait_for(&c, "unsaved", NULL, true);
    REFUSED(&c, 11, "{\"do\":\"undo\",\"id\":11}");
    // What rules are called and mean, and where one is wrong.
    send_text(&c, "{\"do\":\"explain\",\"rule\":\"highlife:T9,8\",\"id\":20}");
    json_t *rule = expect(&c, "rule");
    assert_string_equal(json_string_value(json_object_get(rule, "rule")), "B36/S23");
    assert_string_equal(json_string_value(json_object_get(rule, "name")), "HighLife");
    assert_string_equal(json_string_value(json_object_get(rule, "topology")), "torus 9 x 8");
    json_decref(rule);
    send_text(&c, "{\"do\":\"explain\",\"rule\":\"B3/S2q\",\"id\":21}");
    json_t *error = expect(&c, "error");
    assert_non_null(strstr(json_string_value(json_object_get(error, "text")), "at character 6:"));
    json_decref(error);
    REFUSED(&c, 22, "{\"do\":\"explain\",\"rule\":\"W30:S9\",\"id\":22}");
    send_text(&c, "{\"do\":\"rules\",\"id\":23}");
    json_t *rules = expect(&c, "rules");
    const json_t *list = json_object_get(rules, "list");
    assert_true(json_array_size(list) > 50);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "name")),
                        "HighLife");
    json_decref(rules);
    // Another topology: tried, done, undone.
    REFUSED(&c, 12, "{\"do\":\"rule\",\"topology\":\"Q5\",\"id\":12}");
    REFUSED(&c, 13, "{\"do\":\"rule\",\"topology\":5,\"id\":13}");
    send_text(&c, "{\"do\":\"rule\",\"topology\":\"T17,20\",\"try\":true,\"id\":14}");
    done = expect(&c, "done");
    assert_string_equal(json_string_value(json_object_get(done, "lost")), "1");
    json_decref(done);
    send_text(&c, "{\"do\":\"rule\",\"rule\":\"B2/S\",\"topology\":\"T17,20\",\"id\":15}");
    universe = expect(&c, "universe");
    assert_string_equal(json_string_value(json_object_get(universe, "rule_text")), "B2/S:T17,20");
    json_decref(universe);
    wait_for(&c, "population", "1", false);
    send_text(&c, "{\"do\":\"undo\",\"id\":16}");
    universe = expect(&c, "universe");
    assert_string_equal(json_string_value(json_object_get(universe, "rule_text")), "B3/S23:P20,20");
    json_decref(universe);
    wait_for(&c, "population", "2", false);
    close_client(&c);
    lc_universe *last = end_serving(&server);
    assert_int_equal(test_population(last), 2);
    assert_true(test_get(last, 18, 5) && test_get(last, 19, 5));
    lc_universe_destroy(&last);
}

static void test_one_steers(void **state)
{
    (void)state;
    served server;
    client a, b;
    start_serving(&server, viewer_glider());
    enter(&a, &server);
    enter(&b, &server);
    REFUSED(&b, 1, "{\"do\":\"step\",\"generations\":1,\"id\":1}");
    send_text(&b, "{\"do\":\"open\",\"name\":\"x\",\"bytes\":4,\"id\":2}");
    assert_true(is_refused(&b, 2));
    ACCEPTED(&b, 3, "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"id\":3}");
    send_text(&b, "{\"do\":\"take\"}");
    wait_for(&a, "editor", NULL, false);
    wait_for(&b, "editor", NULL, true);
    REFUSED(&a, 5, "{\"do\":\"undo\",\"id\":5}");
    ACCEPTED(&b, 6, "{\"do\":\"step\",\"generations\":1,\"id\":6}");
    close_client(&b);
    wait_for(&a, "editor", NULL, true); // ten seconds later, who is left goes on
    close_client(&a);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_charts),
        cmocka_unit_test(test_a_client_that_does_not_draw_gets_two_pictures),
        cmocka_unit_test(test_a_client_that_reads_nothing_stops_nobody),
        cmocka_unit_test(test_each_generation_is_shown_once),
        cmocka_unit_test(test_a_long_pass_is_seen_from_near),
        cmocka_unit_test(test_a_slow_line_gets_coarser_pictures),
        cmocka_unit_test(test_deflated_pictures),
        cmocka_unit_test(test_age_of_the_population),
        cmocka_unit_test(test_large_messages_come_in_pieces),
        cmocka_unit_test(test_steering),
        cmocka_unit_test(test_other_universes),
        cmocka_unit_test(test_saved_files),
        cmocka_unit_test(test_editing),
        cmocka_unit_test(test_nothing_goes_without_a_word),
        cmocka_unit_test(test_one_steers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
