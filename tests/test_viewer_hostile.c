// The viewer's server under clients that say what makes no sense: all of it is answered, none of it
// does harm.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"
#include "viewer_client.h"

static void test_bad_messages_are_answered(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "x",
        "[]",
        "{}",
        "{\"do\":7}",
        "{\"do\":\"dance\"}",
        "{\"do\":\"look\"}",
        "{\"do\":\"look\",\"x\":0,\"y\":0,\"scale\":253,\"width\":1,\"height\":1}",
        "{\"do\":\"look\",\"x\":0,\"y\":0,\"scale\":0,\"width\":0,\"height\":1}",
        "{\"do\":\"look\",\"x\":0,\"y\":0,\"scale\":0,\"width\":8193,\"height\":1}",
        "{\"do\":\"look\",\"x\":0,\"y\":0,\"scale\":0,\"width\":8192,\"height\":8192}",
        "{\"do\":\"look\",\"x\":4611686018427387904,\"y\":0,\"scale\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"look\",\"x\":1e30,\"y\":0,\"scale\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"look\",\"x\":99999999999999999999,\"y\":0,\"scale\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"step\",\"generations\":0}",
        "{\"do\":\"step\",\"generations\":-1}",
        "{\"do\":\"step\",\"generations\":\"1x\"}",
        "{\"do\":\"step\",\"generations\":\"1e3\"}",
        "{\"do\":\"step\",\"generations\":"
        "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\"}",
        "{\"do\":\"speed\",\"generations_per_second\":-1}",
        "{\"do\":\"speed\",\"generations_per_second\":\"fast\"}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[1,2]}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[1,2,0]}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[1,2,65537]}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[4611686018427387904,0,5]}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[\"4611686018427387904\",0,5]}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[\"1x\",0,5]}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[0,\"\",5]}",
        "{\"do\":\"cells\",\"alive\":1,\"runs\":[1,2,3]}",
        "{\"do\":\"copy\",\"x\":\"-\",\"y\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"copy\",\"x\":\"+1\",\"y\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"copy\",\"x\":\"--1\",\"y\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"copy\",\"x\":\"99999999999999999999\",\"y\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"copy\",\"x\":-9223372036854775808,\"y\":0,\"width\":1,\"height\":1}",
        "{\"do\":\"cells\",\"alive\":true,\"runs\":[1,2,3],\"symmetry\":\"x\",\"about\":"
        "[\"9223372036854775808\",0]}",
        "{\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":10,\"height\":10,\"density\":1.5}",
        "{\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":4611686018427387905,\"height\":1,\"density\":"
        "1}",
        "{\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":1000000000,\"height\":1000000000,"
        "\"density\":0.5}",
        "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":1000000000,\"height\":1000000000}",
        "{\"do\":\"clear\",\"x\":0,\"y\":0,\"width\":0,\"height\":1}",
        "{\"do\":\"paste\",\"x\":0,\"y\":0}",
        "{\"do\":\"paste\",\"x\":0,\"y\":0,\"mode\":\"and\"}",
        "{\"do\":\"turn\",\"how\":\"inside-out\"}",
        "{\"do\":\"clip\",\"rle\":\"999999999b999999999$999999999o!\"}",
        "{\"do\":\"clip\",\"rle\":5}",
        "{\"do\":\"clip\",\"pattern\":100000}",
        "{\"do\":\"open\",\"pattern\":-1}",
        "{\"do\":\"open\",\"name\":\"x\",\"bytes\":999999999999}",
        "{\"do\":\"new\",\"rule\":\"B9/S23\"}",
        "{\"do\":\"new\",\"rule\":\"B03/S23:T1000000000,1000000000\"}",
        "{\"do\":\"new\",\"rule\":\"B3/S23\",\"density\":0.5}",
        "{\"do\":\"new\",\"rule\":\"B3/S23:S3,4\"}",
        "{\"do\":\"return\",\"moment\":77}",
        "{\"do\":\"save\",\"format\":\"exe\"}",
        "{\"do\":\"thumbnail\",\"pattern\":99999}",
        "{\"do\":\"follow\"}",
        "{\"do\":\"undo\"}",
        "{\"do\":\"run\",\"id\":\"seven\"}",
        "{\"do\":\"run\"\xff}",
    };
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        send_bytes(&c, false, bad[i], strlen(bad[i]));
        json_t *error = expect(&c, "error");
        assert_true(json_string_length(json_object_get(error, "text")) > 3);
        json_decref(error);
    }
    // A message that is too long is refused, and the next one is heard.
    const size_t size = (2 << 20) + 1;
    char *long_one = malloc(size);
    memset(long_one, ' ', size);
    send_bytes(&c, false, long_one, size);
    json_decref(expect(&c, "error"));
    free(long_one);
    ACCEPTED(&c, 1, "{\"do\":\"box\",\"id\":1}");
    close_client(&c);
    lc_universe *universe = end_serving(&server);
    assert_int_equal(test_generation(universe), 0);
    assert_int_equal(test_population(universe), 5);
    lc_universe_destroy(&universe);
}

// The server refuses the message with that sentence.
static void says(client *c, const char *message, const char *sentence)
{
    send_text(c, "%s", message);
    json_t *error = expect(c, "error");
    assert_string_equal(json_string_value(json_object_get(error, "text")), sentence);
    json_decref(error);
}

// What a person can cause on the page is answered in words that do not need the protocol.
static void test_sentences_for_people(void **state)
{
    (void)state;
    static const char far[] = "cells farther than 2^62 from (0, 0) can be seen, but not copied or "
                              "edited";
    static const char unreadable[] = "x = 3, y = 3\nbo$\n2?o";
    served server;
    client c;
    start_serving(&server, viewer_glider());
    enter(&c, &server);
    says(&c, "{\"do\":\"open\",\"bytes\":0,\"name\":\"a.rle\"}", "a.rle is empty");
    send_text(&c, "{\"do\":\"open\",\"bytes\":%zu,\"name\":\"b.rle\"}", strlen(unreadable));
    send_bytes(&c, true, unreadable, strlen(unreadable));
    json_t *error = expect(&c, "error");
    assert_memory_equal(json_string_value(json_object_get(error, "text")), "b.rle, line 3: ", 15);
    json_decref(error);
    // All that lives may be so far away: HashLife goes there.
    says(&c, "{\"do\":\"copy\",\"x\":1e30,\"y\":0,\"width\":3,\"height\":3}", far);
    says(&c, "{\"do\":\"clear\",\"x\":0,\"y\":-1e30,\"width\":3,\"height\":3}", far);
    says(&c, "{\"do\":\"invert\",\"x\":0,\"y\":0,\"width\":1e30,\"height\":3}", far);
    says(&c, "{\"do\":\"flood\",\"at_x\":9e18,\"at_y\":0}", far);
    says(&c, "{\"do\":\"paste\",\"x\":0,\"y\":9223372036854775807}", far);
    says(&c, "{\"do\":\"move\",\"x\":0,\"y\":0,\"width\":3,\"height\":3,\"right\":0,\"down\":1e30}",
         far);
    says(&c, "{\"do\":\"new\",\"rule\":\"B3/S23:P100,0\",\"density\":0.5}",
         "random cells in an unbounded universe need a width and a height");
    close_client(&c);
    stop_serving(&server);
}

static void test_bytes_that_are_no_protocol(void **state)
{
    (void)state;
    served server;
    client c, sane;
    dice d = dice_from(test_seed(), 77);
    start_serving(&server, viewer_glider());
    enter(&sane, &server);
    for (int i = 0; i < 200 / test_slowness(); i++) {
        unsigned char bytes[300];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)dice_word(&d);
        assert_int_equal(connect_client(&c, lc_viewer_port(server.viewer), "/socket", NULL), 101);
        bytes[0] = i % 2 ? 0x81 : bytes[0];
        send_raw(&c, bytes, (size_t)dice_below(&d, sizeof bytes));
        close_client(&c);
    }
    ACCEPTED(&sane, 1, "{\"do\":\"box\",\"id\":1}");
    close_client(&sane);
    stop_serving(&server);
}

// Messages that are near to good ones: numbers, words and members of good ones changed.
static size_t mutate(dice *d, const char *from, char *to, size_t room)
{
    static const char *const words[] = {
        "0",    "-1",     "1e9",   "null",       "true",   "[]",      "{}",
        "\"\"", "16",     "65536", "4294967296", "\"or\"", "[1,1,1]", "9223372036854775807",
        "0.5",  "\\u0000"};
    size_t n = 0;
    for (; *from != '\0' && n + 24 < room; from++) {
        const int64_t what = dice_below(d, 60);
        if (what == 0)
            n += (size_t)snprintf(to + n, room - n, "%s",
                                  words[dice_below(d, sizeof words / sizeof *words)]);
        else if (what == 1)
            to[n++] = (char)dice_word(d);
        else if (what == 2)
            continue;
        else
            to[n++] =
                *from >= '0' && *from <= '9' && what < 20 ? (char)('0' + dice_below(d, 10)) : *from;
    }
    return n;
}

static void test_a_hundred_thousand_messages(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{\"do\":\"look\",\"look\":1,\"x\":-9,\"y\":-5,\"scale\":0,\"width\":19,\"height\":10}",
        "{\"do\":\"look\",\"look\":2,\"x\":0,\"y\":0,\"scale\":3,\"width\":40,\"height\":30}",
        "{\"do\":\"drawn\",\"frame\":1}",
        "{\"do\":\"take\"}",
        "{\"do\":\"run\"}",
        "{\"do\":\"pause\",\"id\":4}",
        "{\"do\":\"step\",\"generations\":\"16\"}",
        "{\"do\":\"speed\",\"generations_per_second\":60}",
        "{\"do\":\"reset\"}",
        "{\"do\":\"keep\"}",
        "{\"do\":\"return\",\"moment\":1}",
        "{\"do\":\"forget\",\"moment\":1}",
        "{\"do\":\"new\",\"rule\":\"B3/S23:T40,40\",\"density\":0.5,\"seed\":\"42\"}",
        "{\"do\":\"open\",\"pattern\":3}",
        "{\"do\":\"open\",\"name\":\"gun.rle\",\"bytes\":12}",
        "{\"do\":\"cells\",\"alive\":true,\"stroke\":5,\"runs\":[1,2,3,4,5,6]}",
        "{\"do\":\"fill\",\"x\":0,\"y\":0,\"width\":9,\"height\":9,\"density\":0.5}",
        "{\"do\":\"clear\",\"x\":0,\"y\":0,\"width\":9,\"height\":9,\"outside\":false}",
        "{\"do\":\"paste\",\"x\":0,\"y\":0,\"mode\":\"or\"}",
        "{\"do\":\"undo\"}",
        "{\"do\":\"redo\"}",
        "{\"do\":\"copy\",\"x\":0,\"y\":0,\"width\":9,\"height\":9}",
        "{\"do\":\"cut\",\"x\":0,\"y\":0,\"width\":9,\"height\":9}",
        "{\"do\":\"clip\",\"rle\":\"bo$2bo$3o!\"}",
        "{\"do\":\"clip\",\"pattern\":3}",
        "{\"do\":\"turn\",\"how\":\"right\"}",
        "{\"do\":\"patterns\"}",
        "{\"do\":\"thumbnail\",\"pattern\":3}",
        "{\"do\":\"save\",\"format\":\"rle\"}",
        "{\"do\":\"box\"}",
        "{\"do\":\"follow\",\"on\":true}",
    };
    served server;
    client c = {.socket = -1};
    dice d = dice_from(test_seed(), 78);
    lc_viewer_options small = viewer_options();
    small.creation.max_memory_bytes = 4 << 20;
    lc_universe *universe = test_create("simd", LIFE, infinite_plane, 4 << 20);
    serve(&server, &small, universe);
    const int messages = 100000 / test_slowness();
    for (int i = 0; i < messages; i++) {
        char text[512];
        if (i % 1000 == 0) { // now and then it goes and comes back
            close_client(&c);
            enter(&c, &server);
            send_text(&c, "{\"do\":\"take\"}");
        }
        // The list of patterns is long: it took half of the time of all, and is asked for without
        // anything that could be wrong. So another one takes its place, seven times of eight.
        size_t which = (size_t)dice_below(&d, sizeof good / sizeof *good);
        if (strcmp(good[which], "{\"do\":\"patterns\"}") == 0 && dice_below(&d, 8) != 0)
            which = (size_t)dice_below(&d, sizeof good / sizeof *good);
        const char *from = good[which];
        const size_t size = mutate(&d, from, text, sizeof text);
        send_bytes(&c, dice_below(&d, 50) == 0, text, size);
        if (i % 50 == 49) { // it has to be read from, or it is not listened to
            send_text(&c, "{\"do\":\"box\",\"id\":%d}", 1000000 + i);
            assert_false(is_refused(&c, 1000000 + i));
        }
    }
    close_client(&c);
    enter(&c, &server);
    ACCEPTED(&c, 1, "{\"do\":\"new\",\"rule\":\"B3/S23\",\"id\":1}");
    close_client(&c);
    stop_serving(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_messages_are_answered),
        cmocka_unit_test(test_sentences_for_people),
        cmocka_unit_test(test_bytes_that_are_no_protocol),
        cmocka_unit_test(test_a_hundred_thousand_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
