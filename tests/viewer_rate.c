// How fast the viewer shows a universe, and what that costs the one who steps it: a program, not a
// test. In one process, in turn: a client that only listens, and one that looks.
//
//     viewer_rate ENGINE SIDE SCALE WIDTH HEIGHT [SECONDS [ROUNDS]]
//
// steps a soup of SIDE x SIDE cells as fast as it goes and looks at WIDTH x HEIGHT squares of
// 2^SCALE cells. Then pauses, and takes the time from asking for a generation until its picture is
// there. The last picture is compared with the universe itself.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "support.h"
#include "viewer/picture_message.h"
#include "viewer_client.h"

enum { LATENCIES = 51 };

typedef struct rates {
    double pictures, shown, bytes, generations; // a second
} rates;

static uint64_t generation_of(client *c)
{
    json_t *state = expect(c, "state");
    const uint64_t generation =
        strtoull(json_string_value(json_object_get(state, "generation")), NULL, 10);
    json_decref(state);
    return generation;
}

// Takes what has come meanwhile: states are some ten a second, so the first that has to be waited
// for is a new one.
static void catch_up(client *c)
{
    uint64_t begin_ns;
    do {
        begin_ns = lc_clock_ns();
        (void)generation_of(c);
    } while (lc_clock_ns() - begin_ns < 20000000);
}

// Receives for so long; generations are those of the first and the last state.
static rates watch(client *c, double seconds)
{
    rates r = {0};
    uint64_t last_shown = UINT64_MAX;
    catch_up(c);
    const uint64_t first = generation_of(c), begin_ns = lc_clock_ns();
    uint64_t last = first, last_ns = begin_ns;
    while ((double)(lc_clock_ns() - begin_ns) < seconds * 1e9 && receive(c)) {
        if (!c->binary) {
            json_t *state = json_loadb((const char *)c->bytes, c->size_bytes, 0, NULL);
            const char *generation = json_string_value(json_object_get(state, "generation"));
            if (generation != NULL) {
                last = strtoull(generation, NULL, 10);
                last_ns = lc_clock_ns();
            }
            json_decref(state);
            continue;
        }
        acknowledge(c);
        r.pictures++;
        r.bytes += (double)c->size_bytes;
        r.shown += number_at(c, 40, 8) != last_shown;
        last_shown = number_at(c, 40, 8);
    }
    const double elapsed = (double)(lc_clock_ns() - begin_ns) * 1e-9;
    r.pictures /= elapsed;
    r.shown /= elapsed;
    r.bytes /= elapsed;
    r.generations = (double)(last - first) / ((double)(last_ns - begin_ns) * 1e-9);
    return r;
}

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// Milliseconds from asking for one more generation until its picture has come.
static void print_latency(client *c, const lc_look *look)
{
    double ms[LATENCIES];
    send_text(c, "{\"do\":\"pause\"}");
    json_t *state = expect(c, "state");
    while (json_is_true(json_object_get(state, "running"))) {
        json_decref(state);
        state = expect(c, "state");
    }
    uint64_t generation =
        strtoull(json_string_value(json_object_get(state, "generation")), NULL, 10);
    json_decref(state);
    for (int i = 0; i < LATENCIES; i++) {
        const uint64_t begin_ns = lc_clock_ns();
        send_text(c, "{\"do\":\"step\",\"generations\":1}");
        generation++;
        do
            expect_frame(c, look->number);
        while (number_at(c, 40, 8) < generation);
        ms[i] = (double)(lc_clock_ns() - begin_ns) * 1e-6;
    }
    qsort(ms, LATENCIES, sizeof *ms, by_size);
    printf("asked for a generation until its picture is there: median %.1f ms, %.1f to %.1f\n",
           ms[LATENCIES / 2], ms[0], ms[LATENCIES - 1]);
}

// The last picture against the universe, which is stepped no more.
static void check(const client *c, const lc_universe *universe, const lc_look *look)
{
    const int bits = look->scale == 0 ? 1 : 8;
    const size_t bytes = lc_frame_payload_bytes(bits, look->width, look->height);
    unsigned char *payload = malloc(bytes);
    assert_int_equal(lc_render(universe, look, payload, NULL), LC_OK);
    const bool same = c->size_bytes == LC_FRAME_HEADER_BYTES + bytes &&
                      memcmp(c->bytes + LC_FRAME_HEADER_BYTES, payload, bytes) == 0 &&
                      number_at(c, 40, 8) == lc_universe_generation(universe).words[0];
    free(payload);
    printf("the last picture %s\n", same ? "is that of the universe" : "IS WRONG");
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: viewer_rate ENGINE SIDE SCALE WIDTH HEIGHT [SECONDS [ROUNDS]]\n");
        return 2;
    }
    const int64_t side = atoll(argv[2]);
    const lc_look look = {
        .number = 1, .scale = atoi(argv[3]), .width = atoi(argv[4]), .height = atoi(argv[5])};
    const double seconds = argc > 6 ? atof(argv[6]) : 5;
    const int rounds = argc > 7 ? atoi(argv[7]) : 5;
    const lc_universe_options creation = {
        .struct_bytes = sizeof creation,
        .context = test_context(),
        .rule_text = "B3/S23",
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side},
        .engine = argv[1]};
    lc_universe *universe;
    lc_message message;
    if (lc_universe_create(&universe, &creation, &message) != LC_OK ||
        lc_universe_soup(universe, 0, 0, side, side, 0.5, 42, &message) != LC_OK ||
        lc_universe_step(universe, lc_count_of(512), NULL, NULL, &message) != LC_OK) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    const lc_viewer_options options = {
        .name = "soup", .creation = creation, .running = true, .speed = HUGE_VAL};
    served server;
    client c, silent;
    serve(&server, &options, universe);
    const int port = lc_viewer_port(server.viewer);
    if (connect_client(&silent, port, "/socket", NULL) != 101)
        return 1;
    printf("%s, %" PRId64 " x %" PRId64 ", %d x %d squares of %d cells a side\n", argv[1], side,
           side, look.width, look.height, 1 << look.scale);
    double shares[64];
    for (int i = 0; i < rounds && i < 64; i++) {
        const rates alone = watch(&silent, seconds);
        if (connect_client(&c, port, "/socket", NULL) != 101)
            return 1;
        send_text(&c, "{\"do\":\"take\"}");
        send_text(&c,
                  "{\"do\":\"look\",\"look\":1,\"x\":0,\"y\":0,\"scale\":%d,\"width\":%d,"
                  "\"height\":%d}",
                  look.scale, look.width, look.height);
        const rates seen = watch(&c, seconds);
        shares[i] = seen.generations / alone.generations;
        printf(
            "alone %.0f gen/s; watched %.0f gen/s (%.1f %%), %.1f pictures/s of %.1f generations "
            "a second, %.1f MB/s\n",
            alone.generations, seen.generations, 100 * shares[i], seen.pictures, seen.shown,
            seen.bytes * 1e-6);
        fflush(stdout);
        if (i + 1 < rounds)
            close_client(&c);
    }
    qsort(shares, (size_t)rounds, sizeof *shares, by_size);
    printf("speed kept: median %.1f %%, %.1f to %.1f\n", 100 * shares[rounds / 2], 100 * shares[0],
           100 * shares[rounds - 1]);
    print_latency(&c, &look);
    universe = end_serving(&server);
    check(&c, universe, &look);
    close_client(&c);
    close_client(&silent);
    lc_universe_destroy(&universe);
    return 0;
}
