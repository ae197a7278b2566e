// Boards on disk: the same cells as in memory, on every surface, whatever the windows; and what is
// left in the file when the program ends at any write, when writing fails, and when bytes change.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

#include "chunks/chunks_header.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_disk.h"
#include "support_facts.h"
#include "support_universe.h"

static lc_universe_options options_of(const lc_rule *rule, lc_topology topology, const char *engine,
                                      const char *settings)
{
    return (lc_universe_options){.struct_bytes = sizeof(lc_universe_options),
                                 .context = test_context(),
                                 .rule = rule,
                                 .topology = topology,
                                 .engine = engine,
                                 .threads = 2,
                                 .disk = settings != NULL ? test_disk_path : NULL,
                                 .disk_settings = settings};
}

static lc_universe *create(const lc_universe_options *options)
{
    lc_universe *u;
    lc_message message = {0};
    if (options->disk != NULL)
        unlink(test_disk_path);
    if (lc_universe_create(&u, options, &message) != LC_OK)
        fail_msg("create: %s", message.text);
    return u;
}

static void sow(lc_universe *u, uint64_t seed)
{
    const lc_topology *t = lc_universe_topology(u);
    lc_message message = {0};
    if (lc_universe_soup(u, 0, 0, t->width_cells, t->height_cells, 0.4, seed, &message) != LC_OK)
        fail_msg("soup: %s", message.text);
}

static lc_universe *reopen(const char *settings)
{
    lc_universe *u;
    lc_message message = {0};
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .engine = "simd",
                                         .threads = 2,
                                         .disk_settings = settings};
    if (lc_disk_open(&u, test_disk_path, &options, &message) != LC_OK)
        fail_msg("open: %s", message.text);
    return u;
}

// Every cell, and all facts.
static void expect_same(const lc_universe *expected, const lc_universe *u, const char *what)
{
    const lc_topology *t = lc_universe_topology(expected);
    const size_t words = (size_t)(t->width_cells + 63) / 64;
    uint64_t *a = malloc(2 * words * 8);
    assert_non_null(a);
    for (int64_t y = 0; y < t->height_cells; y++) {
        assert_int_equal(test_read_row(expected, 0, y, t->width_cells, a), LC_OK);
        assert_int_equal(test_read_row(u, 0, y, t->width_cells, a + words), LC_OK);
        if (memcmp(a, a + words, words * 8) != 0) {
            char text[LC_RULE_TEXT_BYTES];
            lc_rule_format(lc_universe_rule(u), t, text);
            fail_msg("%s, %s: row %" PRId64 " of generation %" PRIu64 " differs", what, text, y,
                     test_generation(u));
        }
    }
    free(a);
    test_expect_same_facts(expected, u);
}

// The same cells ----------------------------------------------------------------------------------

static const char *const settings_list[] = {
    "",                                        // whole
    "band=4096,rows=200,depth=32",             // many windows
    "band=4096,rows=300,io=threads,cached",    // depth as it chooses
    "band=16384,rows=400,depth=64,io=threads", //
};

// In memory cells are what the word oracle makes of them, on disk what an engine does.
static void compare(const lc_rule *rule, const lc_topology *t, const char *engine,
                    const char *settings)
{
    const lc_universe_options in_memory = options_of(rule, *t, "simd", NULL);
    const lc_universe_options on_disk = options_of(rule, *t, engine, settings);
    lc_universe *a = create(&in_memory), *b = create(&on_disk);
    sow(a, 5);
    sow(b, 5);
    test_step_by_oracle(a, 71);
    test_step(b, 64); // as many as halos have rows
    test_step(b, 7);
    expect_same(a, b, settings);
    lc_universe_destroy(&b);
    b = reopen(settings);
    expect_same(a, b, "opened again");
    test_step_by_oracle(a, 5);
    test_step(b, 5);
    expect_same(a, b, "and stepped");
    lc_universe_destroy(&b);
    lc_universe_destroy(&a);
}

// Bands have 32 rows of up to 1,024 cells at least.
static void test_surfaces(void **state)
{
    static const int64_t sizes[][2] = {{1000, 701}, {990, 416}, {1023, 417}, {1024, 1024}};
    static const char *const engines[] = {"simd", "scalar"};
    dice d = dice_from(test_seed(), 1);
    int64_t turn = 0;
    (void)state;
    for (int kind = 0; kind < SURFACE_COUNT; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            lc_topology t;
            if (!topology_of((surface)kind, sizes[i][0], sizes[i][1], &d, &t))
                continue;
            for (size_t j = 0; j < 4; j++, turn++) {
                if (test_slowness() > 1 && turn % 5 != 0)
                    continue;
                compare(rule_at(turn % 3 == 0 ? 0 : (size_t)turn % 20, test_seed()), &t,
                        engines[turn % 5 == 4 && kind < SURFACE_KLEIN_X], settings_list[j]);
            }
        }
    }
}

// Rules that give birth in empty space, and maps without any symmetry.
static void test_rules(void **state)
{
    static const char *const texts[] = {"B01245/S0235:T1000,701", "B01245/S0235:P1000,701",
                                        "B0/S8:T1000,701+9"};
    dice d = dice_from(test_seed(), 2);
    uint8_t table[64];
    lc_topology t;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const lc_rule *b0 = rule_and_topology(texts[i], &t);
        compare(b0, &t, "simd", settings_list[1]);
    }
    for (size_t i = 0; i < sizeof table; i++)
        table[i] = (uint8_t)dice_word(&d);
    const lc_rule *rule = rule_of_map(table);
    for (int kind = SURFACE_PLANE; kind <= SURFACE_TORUS_SHIFT_Y; kind++) {
        assert_true(topology_of((surface)kind, 1000, 701, &d, &t));
        compare(rule, &t, "simd", settings_list[1]);
    }
}

// In several blocks; and thin, wide, high and tiny boards.
static void test_shapes(void **state)
{
    static const int64_t sizes[][2] = {{1, 1},     {3, 2},     {64, 1},     {1, 4000},
                                       {63, 5000}, {40000, 3}, {40000, 40}, {65, 2000}};
    (void)state;
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 800};
    compare(LIFE, &torus, "simd:blocks=3", settings_list[1]);
    compare(LIFE, &torus, "auto", settings_list[1]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int plane = 0; plane < 2; plane++) {
            const lc_topology t = {.kind = plane ? LC_TOPOLOGY_PLANE : LC_TOPOLOGY_TORUS,
                                   .width_cells = sizes[i][0],
                                   .height_cells = sizes[i][1]};
            compare(LIFE, &t, "simd", "band=4096");
            if (sizes[i][1] >= 2000)
                compare(LIFE, &t, "simd", "band=4096,rows=1536");
        }
    }
}

// From all distances, beginning within the board and outside of it.
static void expect_same_views(const lc_universe *a, const lc_universe *b)
{
    static const struct {
        int64_t x, y, side, width, height;
    } views[] = {{-7, -9, 32, 40, 40}, {0, 0, 64, 16, 15},     {64, -128, 64, 40, 30},
                 {7, 0, 64, 20, 20},   {-128, 128, 128, 9, 9}, {0, 0, 1024, 1, 1},
                 {-512, 0, 512, 4, 3}, {5, 6, 2, 40, 40},      {-4096, -4096, 4096, 2, 2}};
    static uint32_t p[40 * 40], q[40 * 40];
    lc_message message = {0};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        for (size_t j = 0; j < 2; j++) {
            const lc_universe *u = j == 0 ? a : b;
            if (lc_universe_counts(u, views[i].x, views[i].y, views[i].side, views[i].width,
                                   views[i].height, j == 0 ? p : q, &message) != LC_OK)
                fail_msg("view %zu: %s", i, message.text);
        }
        if (memcmp(p, q, (size_t)(views[i].width * views[i].height) * sizeof *p) != 0)
            fail_msg("view %zu is another one in generation %" PRIu64, i, test_generation(b));
    }
}

// What lies in a file is looked at as what lies in memory, also from within a pass.
static bool look_within(void *context, const lc_universe *u)
{
    expect_same(context, u, "within a pass");
    expect_same_views(context, u);
    return true;
}

static void test_looks(void **state)
{
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 900};
    const lc_universe_options in_memory = options_of(LIFE, t, "simd", NULL);
    const lc_universe_options on_disk = options_of(LIFE, t, "simd", settings_list[1]);
    lc_universe *a = create(&in_memory), *b = create(&on_disk);
    lc_message message = {0};
    (void)state;
    expect_same_views(a, b);
    assert_int_equal(test_load(a, glider_rle, 500, 450, &message), LC_OK);
    assert_int_equal(test_load(b, glider_rle, 500, 450, &message), LC_OK);
    assert_int_equal(lc_universe_soup(a, 7, 5, 300, 71, 0.5, 3, &message), LC_OK);
    assert_int_equal(lc_universe_soup(b, 7, 5, 300, 71, 0.5, 3, &message), LC_OK);
    expect_same(a, b, "a part of it is a soup");
    test_step(a, 50);
    test_step(b, 50);
    expect_same_views(a, b);
    test_set(a, 999, 899);
    test_set(b, 999, 899);
    expect_same_views(a, b);
    lc_universe_set_watch(b, look_within, a, 0);
    assert_int_equal(lc_universe_step(b, lc_count_of(30), NULL, NULL, &message), LC_ERROR_STOPPED);
    lc_universe_set_watch(b, NULL, NULL, 0);
    expect_same(a, b, "given up");
    test_step(a, 30);
    test_step(b, 30);
    expect_same_views(a, b);
    expect_same(a, b, "and made");
    // A checkpoint goes out, and comes back to another file.
    char saved[128];
    snprintf(saved, sizeof saved, "%s/saved.lcs", test_disk_folder);
    assert_int_equal(lc_universe_checkpoint(b, saved, &message), LC_OK);
    lc_universe_destroy(&b);
    unlink(test_disk_path);
    if (lc_universe_restore(&b, saved, &on_disk, &message) != LC_OK)
        fail_msg("%s", message.text);
    expect_same(a, b, "restored");
    unlink(saved);
    lc_universe_destroy(&b);
    lc_universe_destroy(&a);
}

// What was written is kept, or is not there ------------------------------------------------------

static void test_keeping(void **state)
{
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 900};
    lc_universe_options options = options_of(LIFE, t, "simd", settings_list[1]);
    lc_message message = {0};
    lc_disk_info info;
    lc_universe *u = create(&options), *other;
    (void)state;
    sow(u, 1);
    lc_universe_destroy(&u);
    assert_int_not_equal(access(test_disk_path, F_OK), 0); // nothing was kept
    u = create(&options);
    sow(u, 1);
    lc_universe_set_generation(u, lc_count_of(77));
    assert_int_equal(lc_disk_look(test_disk_path, &info, &message), LC_ERROR_FORMAT);
    assert_int_equal(lc_disk_keep(u, &message), LC_OK);
    assert_int_equal(lc_disk_look(test_disk_path, &info, &message), LC_OK);
    assert_int_equal(lc_count_compare(info.generation, lc_count_of(77)), 0);
    assert_memory_equal(&info.topology, &t, sizeof t);
    const uint64_t hash = test_hash(u);
    // One program at a time, and never over what is there.
    assert_int_equal(lc_disk_open(&other, test_disk_path, &options, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "in use"));
    assert_int_equal(lc_universe_create(&other, &options, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "exists already"));
    test_set(u, 0, 0);
    test_set(u, 1, 0);
    const bool alive = test_get(u, 2, 0);
    lc_universe_destroy(&u); // keeps them, as the file was kept before
    u = reopen(settings_list[2]);
    assert_true(test_get(u, 0, 0) && test_get(u, 1, 0) && test_get(u, 2, 0) == alive);
    assert_int_equal(test_generation(u), 77);
    assert_int_not_equal(test_hash(u), hash);
    lc_universe_destroy(&u);
    assert_true(lc_disk_is_board(test_disk_path) && lc_disk_is_board(test_disk_folder));
    assert_false(lc_disk_is_board("/dev/null"));
    assert_int_equal(lc_disk_look("/dev/null", &info, &message), LC_ERROR_FORMAT);
    unlink(test_disk_path);
}

static void test_refusals(void **state)
{
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 900};
    const struct {
        lc_topology topology;
        const char *engine, *disk, *settings;
        uint64_t max_memory_bytes;
        lc_status status;
        const char *text;
    } cases[] = {
        {infinite_plane, "auto", test_disk_path, NULL, 0, LC_ERROR_UNSUPPORTED, "has no end"},
        {t, "hashlife", test_disk_path, NULL, 0, LC_ERROR_UNSUPPORTED, "not on disk"},
        {t, "simd", "no/such/folder/b.lcd", NULL, 0, LC_ERROR_IO, "no/such/folder/b.lcd: cannot"},
        {t, "simd", test_disk_path, "rows=12", 0, LC_ERROR_ARGUMENT, "too low"},
        {t, "simd", test_disk_path, "colour=red", 0, LC_ERROR_ARGUMENT, "colour=red"},
        {t, "simd", test_disk_path, "depth=0", 0, LC_ERROR_ARGUMENT, "depth=0"},
        {t, "simd", test_disk_path, "rows=99999999999999999999", 0, LC_ERROR_ARGUMENT, "rows="},
        {t, "simd", test_disk_path, NULL, 10000, LC_ERROR_LIMIT, "limit is"},
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = INT64_C(1) << 61, .height_cells = 1 << 20},
         "simd",
         test_disk_path,
         NULL,
         0,
         LC_ERROR_LIMIT,
         "more than a file holds"},
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 1 << 20, .height_cells = 1 << 27},
         "simd",
         test_disk_path,
         NULL,
         (uint64_t)1 << 30,
         LC_ERROR_IO,
         "are free"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_universe_options o = options_of(LIFE, cases[i].topology, cases[i].engine, "");
        lc_message message = {0};
        lc_universe *u;
        o.disk = cases[i].disk;
        o.disk_settings = cases[i].settings;
        o.max_memory_bytes = cases[i].max_memory_bytes;
        const lc_status status = lc_universe_create(&u, &o, &message);
        if (status != cases[i].status || strstr(message.text, cases[i].text) == NULL)
            fail_msg("case %zu: %s: %s", i, lc_status_name(status), message.text);
        assert_null(u);
        assert_int_not_equal(access(test_disk_path, F_OK), 0);
    }
}

// The end of a program ---------------------------------------------------------------------------

// Passes of a board in a process of its own, which ends at the n-th write, half of it written.
// False: it came to its end before that.
static bool step_and_end(const char *settings, uint64_t n)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        lc_universe *u;
        lc_context *context;
        const lc_context_options own = {.struct_bytes = sizeof own, .threads = 2};
        if (lc_context_create(&context, &own, NULL) != LC_OK)
            _exit(1);
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .context = context,
                                             .engine = "simd",
                                             .disk_settings = settings};
        if (lc_disk_open(&u, test_disk_path, &options, NULL) != LC_OK)
            _exit(2);
        lc_chunks_fail_write(n, 0);
        _exit(lc_universe_step(u, lc_count_of(26), NULL, NULL, NULL) == LC_OK ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != 9 && WEXITSTATUS(status) != 0)
        fail_msg("the process ended with %d", WEXITSTATUS(status));
    return WEXITSTATUS(status) == 9;
}

// At every write: the file has a generation at which a pass ended, and all of it.
static void test_ends(void **state)
{
    static const char *const ways[] = {"band=4096,rows=300,depth=13",
                                       "band=4096,rows=300,depth=13,io=threads"};
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 500};
    (void)state;
    for (int way = 0; way < 2; way++) {
        const lc_universe_options in_memory = options_of(LIFE, t, "simd", NULL);
        const lc_universe_options on_disk = options_of(LIFE, t, "simd", ways[way]);
        lc_universe *expected = create(&in_memory), *u = create(&on_disk);
        sow(expected, 9);
        sow(u, 9);
        assert_int_equal(lc_disk_keep(u, NULL), LC_OK);
        lc_universe_destroy(&u);
        uint64_t ended = 0, passes = 0;
        for (uint64_t n = 1;; n++) {
            const bool cut = step_and_end(ways[way], n);
            ended += cut;
            u = reopen(ways[way]);
            const uint64_t made = test_generation(u) - test_generation(expected);
            assert_true(made == 0 || made == 13 || made == 26);
            passes += made / 13;
            if (made > 0)
                test_step(expected, made);
            expect_same(expected, u, "after the end of a program");
            lc_universe_destroy(&u);
            if (!cut)
                break;
        }
        assert_true(ended > 20 && passes >= 2);
        lc_universe_destroy(&expected);
    }
}

// A write that fails is said, and loses no more than the pass; one of what keeps the board ends
// keeping, and the file has one of both.
static void test_failures(void **state)
{
    const lc_topology t = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 1000, .height_cells = 500};
    const char *settings = "band=4096,rows=300,depth=13";
    lc_message message = {0};
    (void)state;
    for (uint64_t n = 1; n < 30; n++) {
        const lc_universe_options in_memory = options_of(LIFE, t, "simd", NULL);
        const lc_universe_options on_disk = options_of(LIFE, t, "simd", settings);
        lc_universe *expected = create(&in_memory), *u = create(&on_disk);
        sow(expected, 9);
        sow(u, 9);
        assert_int_equal(lc_disk_keep(u, NULL), LC_OK);
        lc_chunks_fail_write(n, ENOSPC);
        lc_status status = lc_universe_step(u, lc_count_of(13), NULL, NULL, &message);
        lc_chunks_fail_write(0, 0);
        if (status != LC_OK) {
            assert_int_equal(status, LC_ERROR_IO);
            assert_non_null(strstr(message.text, test_disk_path));
            assert_non_null(strstr(message.text, "No space left"));
            assert_int_equal(lc_universe_failure(u, &message), LC_OK);
            expect_same(expected, u, "after a write that failed");
            status = lc_universe_step(u, lc_count_of(13), NULL, NULL, &message);
        }
        test_step(expected, 13);
        if (status == LC_OK) {
            expect_same(expected, u, "and a pass that did not");
            lc_universe_destroy(&u);
            u = reopen(settings);
            expect_same(expected, u, "and was kept");
        } else {
            assert_non_null(strstr(message.text, "failed before"));
            lc_universe_destroy(&u);
            u = reopen(settings);
            test_step(u, 13 - test_generation(u) % 13);
            test_step(expected, test_generation(u) - 13);
            expect_same(expected, u, "what the file has");
        }
        lc_universe_destroy(&u);
        lc_universe_destroy(&expected);
    }
}

// What is damaged --------------------------------------------------------------------------------

static void flip(off_t at, unsigned char bits)
{
    unsigned char byte;
    const int file = open(test_disk_path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= bits;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    close(file);
}

// Whether all cells can be had: else LC_ERROR_FORMAT.
static bool is_readable(char text[LC_MESSAGE_TEXT_BYTES])
{
    lc_universe *u;
    lc_facts facts;
    lc_message message = {0};
    const lc_universe_options options = {.struct_bytes = sizeof options, .context = test_context()};
    lc_status status = lc_disk_open(&u, test_disk_path, &options, &message);
    if (status == LC_OK)
        status = lc_universe_facts(u, LC_FACT_ALL, &facts, &message);
    lc_universe_destroy(&u);
    if (status != LC_OK)
        assert_int_equal(status, LC_ERROR_FORMAT);
    strcpy(text, message.text);
    return status == LC_OK;
}

static void test_damage(void **state)
{
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 500};
    const lc_universe_options options = options_of(LIFE, t, "simd", "band=4096,rows=300,depth=13");
    char text[LC_MESSAGE_TEXT_BYTES];
    struct stat facts;
    dice d = dice_from(test_seed(), 3);
    int bad = 0;
    (void)state;
    lc_universe *u = create(&options);
    sow(u, 9);
    test_step(u, 13);
    lc_universe_destroy(&u);
    assert_int_equal(stat(test_disk_path, &facts), 0);
    // Half of the bands' bytes are of what was kept before.
    const off_t bands = 1 << 20, half = (facts.st_size - bands) / 2;
    for (int i = 0; i < 40; i++) {
        const off_t at = bands + dice_below(&d, facts.st_size - bands);
        flip(at, (unsigned char)(1u << dice_below(&d, 8)));
        if (!is_readable(text)) {
            bad++;
            const long long row = at >= bands + half ? at - bands - half : at - bands;
            char rows[64];
            snprintf(rows, sizeof rows, "rows %lld to", row / 4096 * 32);
            assert_non_null(strstr(text, test_disk_path));
            if (bad == 1) // of several damaged bands any may be found first
                assert_non_null(strstr(text, rows));
        }
    }
    assert_true(bad > 10);
    lc_universe_options again = options;
    u = create(&again);
    sow(u, 9);
    test_step(u, 13);
    lc_universe_destroy(&u);
    // Without the header that counts the one before does, whose index is beside that one's.
    assert_true(is_readable(text));
    flip(100, 1);
    const bool first = is_readable(text);
    flip(100, 1);
    flip(4096 + 100, 1);
    const bool second = is_readable(text);
    flip(100, 1);
    assert_false(is_readable(text));
    assert_non_null(strstr(text, "header is damaged"));
    flip(100, 1);
    flip(4096 + 100, 1);
    assert_true(first || second);
    // The index that is in use.
    assert_true(is_readable(text));
    flip(8192 + 8, 1);
    flip(8192 + 4096 + 8, 1);
    assert_false(is_readable(text));
    assert_non_null(strstr(text, "index is damaged"));
    flip(8192 + 8, 1);
    flip(8192 + 4096 + 8, 1);
    assert_true(is_readable(text));
    assert_int_equal(truncate(test_disk_path, facts.st_size - 1), 0);
    assert_false(is_readable(text));
    assert_non_null(strstr(text, "cut short"));
    unlink(test_disk_path);
}

// Headers that state anything, with checksums that are right: sizes that are believed are those of
// a file.
static void test_headers(void **state)
{
    dice d = dice_from(test_seed(), 4);
    unsigned char bytes[LC_CHUNKS_HEADER_BYTES];
    int good = 0;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        lc_chunks_header in = {.number = dice_word(&d)}, out;
        uint64_t sizes[4];
        for (int j = 0; j < 4; j++)
            sizes[j] = dice_word(&d) >> dice_below(&d, 64);
        if (i % 2 == 0)
            assert_int_equal(lc_chunks_lay_out(1 + dice_below(&d, 1 << 20), 1 + sizes[0] % 9999,
                                               sizes[1], &in.shape, NULL),
                             LC_OK);
        else
            in.shape = (lc_chunks_shape){.rows = (int64_t)sizes[0],
                                         .row_words = sizes[1],
                                         .pitch_words = sizes[2],
                                         .band_rows = (int64_t)sizes[3],
                                         .band_bytes = sizes[2] * sizes[3] * 8};
        lc_chunks_header_write(&in, bytes);
        const lc_status status = lc_chunks_header_read(bytes, &out, NULL);
        assert_true(status == LC_OK || (i % 2 == 1 && status == LC_ERROR_FORMAT));
        if (status != LC_OK)
            continue;
        good++;
        const lc_chunks_shape *s = &out.shape;
        assert_true(s->pitch_words >= s->row_words && s->band_bytes % LC_CHUNKS_ALIGN_BYTES == 0);
        assert_true((s->band_count - 1) * s->band_rows < s->rows);
        assert_true(lc_chunks_file_bytes(s) <= INT64_MAX &&
                    lc_chunks_file_bytes(s) / 2 >= (uint64_t)s->band_count * s->band_bytes);
        bytes[dice_below(&d, sizeof bytes)] ^= (unsigned char)(1u << dice_below(&d, 8));
        assert_int_equal(lc_chunks_header_read(bytes, &out, NULL), LC_ERROR_FORMAT);
    }
    assert_true(good >= 10000);
}

// A file that is nothing but a header and a hole, as archives may hold one, with many bands.
static void write_hole(const lc_chunks_shape *shape)
{
    lc_chunks_header header = {.number = 1, .shape = *shape};
    unsigned char bytes[LC_CHUNKS_HEADER_BYTES];
    uint64_t *index = calloc((size_t)shape->band_count, sizeof *index);
    assert_non_null(index);
    header.index_sum = XXH3_64bits_withSeed(index, (size_t)shape->band_count * sizeof *index, 1);
    free(index);
    snprintf((char *)header.note + 32, sizeof header.note - 32, "B3/S23:T64,%lld",
             (long long)shape->rows);
    lc_chunks_header_write(&header, bytes);
    const int file = open(test_disk_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)lc_chunks_file_bytes(shape)), 0);
    assert_int_equal(pwrite(file, bytes, sizeof bytes, LC_CHUNKS_HEADER_BYTES), sizeof bytes);
    close(file);
}

// What a file states of its bands is held against the limit before there is memory for them.
static void test_many_bands(void **state)
{
    (void)state;
    lc_chunks_shape shape;
    assert_int_equal(lc_chunks_lay_out(INT64_C(1) << 27, 1, 4096, &shape, NULL), LC_OK);
    assert_int_equal(shape.band_count, 1 << 18);
    write_hole(&shape);
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = test_context(),
                                   .engine = "simd",
                                   .threads = 1,
                                   .max_memory_bytes = 4 << 20,
                                   .disk_settings = "rows=4096"};
    lc_universe *u;
    lc_message message = {0};
    assert_int_equal(lc_disk_open(&u, test_disk_path, &options, &message), LC_ERROR_LIMIT);
    assert_null(u);
    assert_non_null(strstr(message.text, "out of memory: the checksums of the 262144 bands of "));
    options.max_memory_bytes = (8 << 20) + 4096; // nothing is left for cells
    assert_int_equal(lc_disk_open(&u, test_disk_path, &options, &message), LC_ERROR_LIMIT);
    options.max_memory_bytes = 16 << 20;
    assert_int_equal(lc_disk_open(&u, test_disk_path, &options, &message), LC_OK);
    assert_in_range(lc_universe_info_of(u).memory_bytes, 8 << 20, 16 << 20);
    lc_universe_destroy(&u);
    unlink(test_disk_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces),   cmocka_unit_test(test_rules),
        cmocka_unit_test(test_shapes),     cmocka_unit_test(test_looks),
        cmocka_unit_test(test_keeping),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_ends),       cmocka_unit_test(test_failures),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_headers),
        cmocka_unit_test(test_many_bands),
    };
    return cmocka_run_group_tests(tests, test_disk_set_up, test_disk_tear_down);
}
