// Films: every pixel of every picture against the oracle's cells and ages that were counted cell by
// cell, on all surfaces, near and far; how long pictures last; and files that cannot be.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support_ages.h"
#include "support_board.h"
#include "support_film.h"
#include "support_pattern.h"
#include "support_universe.h"

static bool has_ages(const char *theme)
{
    return strcmp(theme, "sea") != 0 && strcmp(theme, "ink") != 0 && strcmp(theme, "amber") != 0;
}

// What a square of the film is to be, as an index into its palette.
static int expected(const counted *c, const lc_film_options *o, int64_t i, int64_t j, double now)
{
    const int64_t side = INT64_C(1) << o->log2_side;
    int code, tone;
    counted_square(c, (o->column + i) * side, (o->row + j) * side, side, now, &code, &tone);
    if (has_ages(o->theme))
        return counted_index(code, tone);
    return o->log2_side == 0 ? tone != 0 : tone;
}

// A picture as it should be, in squares; the caller frees it.
static uint8_t *picture_of(const counted *c, const lc_film_options *o, double now)
{
    uint8_t *squares = malloc((size_t)(o->width * o->height));
    assert_non_null(squares);
    for (int64_t j = 0; j < o->height; j++)
        for (int64_t i = 0; i < o->width; i++)
            squares[j * o->width + i] = (uint8_t)expected(c, o, i, j, now);
    return squares;
}

static void compare(const film *f, size_t frame, const uint8_t *squares, const lc_film_options *o)
{
    for (int64_t y = 0; y < f->height; y++)
        for (int64_t x = 0; x < f->width; x++) {
            const int wanted = squares[y / o->side_pixels * o->width + x / o->side_pixels];
            const int found = f->frames[frame].pixels[y * f->width + x];
            if (found != wanted)
                fail_msg("%s, squares of %d cells, picture %zu, pixel (%lld, %lld): %d, not %d",
                         o->theme, 1 << o->log2_side, frame, (long long)x, (long long)y, found,
                         wanted);
        }
}

enum { PICTURES = 14 };

static void check_film(const char *engine, const shape *s, lc_film_options o, uint64_t number)
{
    static const uint64_t steps[PICTURES] = {0, 1, 1, 2, 1, 7, 1, 30, 1, 0, 100, 1, 1, 900};
    checked_board board;
    lc_topology topology;
    lc_message message = {0};
    dice d = dice_from(number, 0);
    if (!topology_of(s->kind, s->width, s->height, &d, &topology) ||
        checked_board_create(&board, engine, s, LIFE, number, &message) != LC_OK)
        return; // a surface that does not exist so, or that this engine does not step
    counted c = counted_create(s->width, s->height);
    lc_film *out;
    const char *path = test_path("film.png");
    uint8_t *wanted[PICTURES];
    double generation = 0;
    if (lc_film_create(&out, path, &o, &message) != LC_OK)
        fail_msg("%s", message.text);
    for (size_t i = 0; i < PICTURES; i++) {
        checked_board_step(&board, steps[i]);
        generation += (double)steps[i];
        count_board(&c, board.oracle, generation);
        wanted[i] = picture_of(&c, &o, generation);
        assert_int_equal(lc_film_add(out, board.universe, &message), LC_OK);
    }
    assert_int_equal(lc_film_pictures(out), PICTURES);
    assert_int_equal(lc_film_close(&out, &message), LC_OK);
    assert_null(out);
    film f = film_read(path);
    assert_int_equal(f.width, o.width * o.side_pixels);
    assert_int_equal(f.height, o.height * o.side_pixels);
    assert_int_equal(f.bits, has_ages(o.theme) || o.log2_side > 0 ? 8 : 1);
    size_t frame = 0;
    unsigned lasts = 0;
    for (size_t i = 0; i < PICTURES; i++) {
        const size_t bytes = (size_t)(o.width * o.height);
        compare(&f, frame, wanted[i], &o);
        lasts++;
        if (i + 1 == PICTURES || memcmp(wanted[i], wanted[i + 1], bytes) != 0) {
            assert_int_equal(f.frames[frame].delay, lasts);
            assert_int_equal(f.frames[frame].delay_of, o.rate);
            lasts = 0;
            frame++;
        }
    }
    assert_int_equal(frame, f.count);
    film_free(&f);
    for (size_t i = 0; i < PICTURES; i++)
        free(wanted[i]);
    counted_free(&c);
    checked_board_destroy(&board);
}

static void test_boards(void **state)
{
    (void)state;
    static const char *const themes[] = {"sea", "embers", "comet", "ice"};
    static const struct {
        int log2_side;
        int64_t side_pixels;
    } scales[] = {{0, 1}, {0, 3}, {0, 8}, {1, 1}, {2, 5}, {4, 1}};
    uint64_t number = test_seed();
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    for (int kind = 0; kind < SURFACE_COUNT; kind++)
        for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
            const int64_t width = (int64_t[]){1, 29, 64, 71}[number % 4];
            const shape s = {(surface)kind, width, kind == SURFACE_SPHERE ? width : 37};
            const int log2_side = scales[i].log2_side;
            lc_film_options o = {.struct_bytes = sizeof o,
                                 .theme = themes[number / 4 % 4],
                                 .light = number % 3 == 0,
                                 .rate = 1 + (uint32_t)(number % 60),
                                 .log2_side = log2_side,
                                 .width = (s.width >> log2_side) + 1,
                                 .height = (s.height >> log2_side) + 1,
                                 .side_pixels = scales[i].side_pixels};
            if (number % 2 == 0) { // beyond the edges, and not all of it
                o.column = -2;
                o.row = 1;
                o.width += 3;
            }
            if (number++ % (uint64_t)test_share() == 0 || test_share() == 1)
                check_film(info.name, &s, o, number);
        }
}

// The plane, where an area is looked at that life comes into and leaves.
static void test_plane(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        lc_universe *u;
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .rule = LIFE,
                                             .topology = infinite_plane,
                                             .engine = info.name,
                                             .context = test_context()};
        if (lc_universe_create(&u, &options, NULL) != LC_OK)
            continue;
        assert_int_equal(test_load(u, glider_rle, -20, -20, NULL), LC_OK);
        const lc_film_options o = {.struct_bytes = sizeof o,
                                   .theme = "moss",
                                   .column = -12,
                                   .row = -12,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .side_pixels = 2};
        counted c = counted_create(SIDE, SIDE);
        lc_film_options whole = o; // of what was counted
        whole.column = whole.row = 0;
        lc_film *out;
        uint8_t *wanted[150];
        assert_int_equal(lc_film_create(&out, test_path("plane.png"), &o, NULL), LC_OK);
        for (int i = 0; i < 150; i++) {
            for (int64_t y = 0; y < SIDE; y++)
                for (int64_t x = 0; x < SIDE; x++) {
                    bool alive;
                    assert_int_equal(lc_universe_get(u, x - 12, y - 12, &alive, NULL), LC_OK);
                    count_cell(&c, x, y, alive, i);
                }
            c.looked = true;
            wanted[i] = picture_of(&c, &whole, i);
            assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
            test_step(u, 1);
        }
        assert_int_equal(lc_film_close(&out, NULL), LC_OK);
        film f = film_read(test_path("plane.png"));
        size_t frame = 0, seen = 0;
        for (int i = 0; i < 150; i++) {
            compare(&f, frame, wanted[i], &o);
            if (++seen == f.frames[frame].delay) {
                frame++;
                seen = 0;
            }
            free(wanted[i]);
        }
        assert_int_equal(frame, f.count);
        film_free(&f);
        counted_free(&c);
        lc_universe_destroy(&u);
    }
}

static const lc_topology small_torus = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 40, .height_cells = 8};

// Pictures that are the same last longer, and no frame longer than 16 bits say.
static void test_rest(void **state)
{
    (void)state;
    enum { REST = 65535 + 1234 };
    const lc_film_options o = {
        .struct_bytes = sizeof o, .rate = 7, .width = 40, .height = 8, .theme = "ink"};
    lc_universe *u = test_create("simd", LIFE, small_torus, 0);
    lc_film *out;
    for (int i = 0; i < 3; i++)
        test_set(u, 10 + i, 4);
    assert_int_equal(lc_film_create(&out, test_path("rest.png"), &o, NULL), LC_OK);
    assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
    test_step(u, 1);
    for (int i = 0; i < REST; i++)
        assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
    test_step(u, 1);
    assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
    assert_int_equal(lc_film_pictures(out), REST + 2);
    assert_int_equal(lc_film_close(&out, NULL), LC_OK);
    film f = film_read(test_path("rest.png"));
    static const unsigned delays[] = {1, 65535, 1234, 1};
    static const int64_t areas[] = {320, 9, 1, 9};
    assert_int_equal(f.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(f.frames[i].delay, delays[i]);
        assert_int_equal(f.frames[i].delay_of, 7);
        assert_int_equal(f.frames[i].area, areas[i]);
        const bool lies = i == 0 || i == 3;
        for (int64_t y = 0; y < 8; y++)
            for (int64_t x = 0; x < 40; x++)
                assert_int_equal(f.frames[i].pixels[y * 40 + x],
                                 lies ? y == 4 && x >= 10 && x < 13 : x == 11 && y >= 3 && y < 6);
    }
    film_free(&f);
    lc_universe_destroy(&u);
}

// Cells as old as ages tell, and those that were never alive.
static void test_old(void **state)
{
    (void)state;
    const lc_film_options o = {
        .struct_bytes = sizeof o, .width = 40, .height = 8, .theme = "meadow"};
    lc_universe *u = test_create("simd", LIFE, small_torus, 0);
    static const uint64_t steps[] = {0, 200, 1000000};
    static const int indices[] = {67, 64 + 4 * 22 + 3, 255}; // a = floor(3/8 floor(8 log2(1 + g)))
    lc_film *out;
    for (int i = 0; i < 4; i++)
        test_set(u, 10 + i % 2, 4 + i / 2);
    assert_int_equal(lc_film_create(&out, test_path("old.png"), &o, NULL), LC_OK);
    for (size_t i = 0; i < 3; i++) {
        test_step(u, steps[i]);
        assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
    }
    assert_int_equal(lc_film_close(&out, NULL), LC_OK);
    film f = film_read(test_path("old.png"));
    assert_int_equal(f.count, 3);
    for (size_t i = 0; i < 3; i++)
        for (int64_t y = 0; y < 8; y++)
            for (int64_t x = 0; x < 40; x++)
                assert_int_equal(f.frames[i].pixels[y * 40 + x],
                                 (x == 10 || x == 11) && (y == 4 || y == 5) ? indices[i] : 0);
    film_free(&f);
    lc_universe_destroy(&u);
}

// The old file stays until the film is closed, and where the film fails.
static void test_place(void **state)
{
    (void)state;
    const lc_film_options o = {.struct_bytes = sizeof o, .width = 40, .height = 8};
    lc_universe *u = test_create("simd", LIFE, small_torus, 0);
    const char *path = test_path("place.png");
    lc_film *out;
    size_t bytes;
    file_put(path, "old", 3);
    assert_int_equal(lc_film_create(&out, path, &o, NULL), LC_OK);
    assert_int_equal(lc_film_close(&out, NULL), LC_OK); // no picture, no file
    assert_int_equal(lc_film_create(&out, path, &o, NULL), LC_OK);
    assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
    char *text = file_text(path, &bytes);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(lc_film_close(&out, NULL), LC_OK);
    film f = film_read(path);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.frames[0].delay_of, LC_FILM_RATE);
    film_free(&f);
    assert_int_equal(lc_film_close(NULL, NULL), LC_OK);
    assert_int_equal(lc_film_close(&out, NULL), LC_OK);
    lc_universe_destroy(&u);
}

// A file may not become as large as the film: an error, once and for all, and nothing is left.
static void test_full_disk(void **state)
{
    (void)state;
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 300};
    const lc_film_options o = {
        .struct_bytes = sizeof o, .width = 300, .height = 300, .theme = "heat"};
    const char *path = test_path("full.png");
    lc_universe *u = test_create_soup(&torus, LIFE, NULL, 1);
    lc_message message = {0}, again = {0};
    struct rlimit old, less;
    lc_film *out;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    less = old;
    less.rlim_cur = 200000;
    signal(SIGXFSZ, SIG_IGN);
    file_put(path, "old", 3);
    assert_int_equal(lc_film_create(&out, path, &o, NULL), LC_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    lc_status status = LC_OK;
    int added = 0;
    while (status == LC_OK && added < 1000) {
        test_step(u, 1);
        status = lc_film_add(out, u, &message);
        added += status == LC_OK;
    }
    assert_true(added > 1 && added < 1000);
    assert_int_equal(status, LC_ERROR_IO);
    assert_non_null(strstr(message.text, "File too large"));
    assert_int_equal(lc_film_add(out, u, &again), LC_ERROR_IO);
    assert_string_equal(again.text, message.text);
    assert_int_equal(lc_film_close(&out, &again), LC_ERROR_IO);
    assert_string_equal(again.text, message.text);
    assert_null(out);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    size_t bytes;
    char *text = file_text(path, &bytes);
    assert_string_equal(text, "old");
    free(text);
    lc_universe_destroy(&u);
}

// No memory: an error wherever it is, and nothing is left behind.
static void test_no_memory(void **state)
{
    (void)state;
    lc_universe *u = test_create("simd", LIFE, small_torus, 0);
    for (int i = 0; i < 3; i++)
        test_set(u, 10 + i, 4);
    static const char *const themes[] = {"sea", "embers"};
    for (int k = 0; k < 4; k++)
        for (uint64_t n = 1;; n++) {
            const lc_film_options o = {.struct_bytes = sizeof o,
                                       .theme = themes[k / 2],
                                       .log2_side = k % 2,
                                       .width = 40,
                                       .height = 8};
            lc_film *out = NULL;
            lc_message message = {0};
            const char *path = test_path("memory.png");
            lc_fail_allocation(n);
            lc_status status = lc_film_create(&out, path, &o, &message);
            if (status == LC_OK)
                status = lc_film_add(out, u, &message);
            lc_fail_allocation(0);
            if (status == LC_OK) {
                assert_int_equal(lc_film_close(&out, NULL), LC_OK);
                assert_int_equal(unlink(path), 0);
                assert_true(n > 6);
                break;
            }
            assert_int_equal(status, LC_ERROR_MEMORY);
            assert_true(message.text[0] != '\0');
            (void)lc_film_close(&out, NULL);
            assert_int_not_equal(access(path, F_OK), 0);
        }
    lc_universe_destroy(&u);
}

static void refused(lc_film_options o, const char *path, lc_status status, const char *text)
{
    lc_message message = {0};
    lc_film *out = (lc_film *)&message;
    o.struct_bytes = sizeof o;
    assert_int_equal(lc_film_create(&out, path, &o, &message), status);
    assert_null(out);
    if (strstr(message.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", message.text, text);
    assert_int_not_equal(access(test_path("refused.png"), F_OK), 0);
}

static void test_refused(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s", test_path("refused.png"));
    const int64_t large = INT64_C(1) << 62;
    lc_film *out;
    assert_int_equal(lc_film_create(&out, path, NULL, NULL), LC_ERROR_ARGUMENT);
    refused((lc_film_options){.width = 1, .height = 1, .theme = "sky"}, path, LC_ERROR_ARGUMENT,
            "unknown theme \"sky\"");
    refused((lc_film_options){.width = 1, .height = 1, .rate = 1001}, path, LC_ERROR_ARGUMENT,
            "1000 pictures a second");
    refused((lc_film_options){.width = 1, .height = 1, .side_pixels = -1}, path, LC_ERROR_ARGUMENT,
            "pixel");
    refused((lc_film_options){.width = 0, .height = 1}, path, LC_ERROR_ARGUMENT, "");
    refused((lc_film_options){.width = 1, .height = -1}, path, LC_ERROR_ARGUMENT, "");
    refused((lc_film_options){.width = 1, .height = 1, .log2_side = -1}, path, LC_ERROR_ARGUMENT,
            "");
    refused((lc_film_options){.width = 1, .height = 1, .column = INT64_MIN}, path,
            LC_ERROR_ARGUMENT, "");
    refused((lc_film_options){.width = 8193, .height = 8192}, path, LC_ERROR_LIMIT, "too large");
    refused((lc_film_options){.width = 100, .height = 100, .side_pixels = 82}, path, LC_ERROR_LIMIT,
            "too large");
    refused((lc_film_options){.width = large, .height = large, .side_pixels = large}, path,
            LC_ERROR_LIMIT, "too large");
    refused((lc_film_options){.width = INT64_MAX, .height = INT64_MAX}, path, LC_ERROR_LIMIT,
            "too large");
    refused((lc_film_options){.width = 1, .height = 1}, "-", LC_ERROR_ARGUMENT, "to a file");
    refused((lc_film_options){.width = 1, .height = 1}, test_path("nowhere/refused.png"),
            LC_ERROR_IO, "No such file");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    refused((lc_film_options){.width = 1, .height = 1}, path, LC_ERROR_UNSUPPORTED, "needs a file");
    close(ends[0]);
    close(ends[1]);
}

// Every theme has colours that differ for what differs, and each name is there once.
static void test_themes(void **state)
{
    (void)state;
    lc_universe *u = test_create("simd", LIFE, small_torus, 0);
    const char *name;
    size_t count = 0;
    for (; (name = lc_film_theme_at(count)) != NULL; count++)
        for (int light = 0; light < 2; light++) {
            const lc_film_options o = {.struct_bytes = sizeof o,
                                       .theme = name,
                                       .light = light != 0,
                                       .log2_side = 1,
                                       .width = 20,
                                       .height = 4};
            lc_film *out;
            for (size_t i = 0; i < count; i++)
                assert_string_not_equal(lc_film_theme_at(i), name);
            assert_int_equal(lc_film_create(&out, test_path("theme.png"), &o, NULL), LC_OK);
            assert_int_equal(lc_film_add(out, u, NULL), LC_OK);
            assert_int_equal(lc_film_close(&out, NULL), LC_OK);
            film f = film_read(test_path("theme.png"));
            assert_int_equal(f.colours, 256);
            const int dead = f.palette[0][0] + f.palette[0][1] + f.palette[0][2];
            assert_true(light ? dead > 700 : dead < 60);
            static const int apart[] = {0, 63, 67, 150, 255};
            for (size_t i = 0; i < 5; i++)
                for (size_t k = 0; k < i; k++)
                    assert_memory_not_equal(f.palette[apart[i]], f.palette[apart[k]], 3);
            film_free(&f);
        }
    assert_int_equal(count, 10);
    assert_null(lc_film_theme_at(count + 1));
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boards),    cmocka_unit_test(test_plane),
        cmocka_unit_test(test_rest),      cmocka_unit_test(test_place),
        cmocka_unit_test(test_old),       cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_themes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
