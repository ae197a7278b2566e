// Censuses of soups: the counts of searches for Catagolue, on any number of threads, in pieces,
// with files between them, merged, stopped and out of memory.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "census/number_ranges.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_pattern.h"

#define SEED "l_lightcone1"

static lc_context *context_of(int threads)
{
    const lc_context_options options = {.struct_bytes = sizeof options, .threads = threads};
    lc_context *context;
    assert_int_equal(lc_context_create(&context, &options, NULL), LC_OK);
    return context;
}

static lc_soup_census *census_of(const char *rule, const char *symmetry, uint64_t first,
                                 uint64_t soups, lc_context *context)
{
    const lc_soup_census_options options = {.struct_bytes = sizeof options,
                                            .rule_text = rule,
                                            .context = context,
                                            .symmetry = symmetry,
                                            .seed = SEED,
                                            .first_soup = first,
                                            .soups = soups};
    lc_soup_census *census;
    lc_message message = {0};
    if (lc_soup_census_create(&census, &options, &message) != LC_OK)
        fail_msg("census: %s", message.text);
    return census;
}

static void run(lc_soup_census *census)
{
    lc_message message = {0};
    if (lc_soup_census_run(census, NULL, &message) != LC_OK)
        fail_msg("census: %s", message.text);
}

static lc_soup_census_facts facts_of(const lc_soup_census *census)
{
    lc_soup_census_facts facts;
    lc_soup_census_get_facts(census, &facts);
    return facts;
}

// Checks the text "CODE COUNT\n" of all kinds.
static void check_counts(lc_soup_census *census, const char *want)
{
    size_t count, bytes = 0;
    uint64_t objects = 0;
    char text[4096];
    const lc_soup_kind *kinds = lc_soup_census_get_kinds(census, &count);
    for (size_t i = 0; i < count; i++) {
        objects += kinds[i].count;
        bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "%s %" PRIu64 "\n",
                                  kinds[i].code, kinds[i].count);
        assert_true(bytes < sizeof text);
    }
    assert_string_equal(text, want);
    assert_int_equal(facts_of(census).objects, objects);
}

static void save(const lc_soup_census *census, const char *path)
{
    lc_message message = {0};
    if (lc_soup_census_save(census, path, &message) != LC_OK)
        fail_msg("%s: %s", path, message.text);
}

static lc_soup_census *open(const char *path, lc_context *context)
{
    lc_soup_census *census;
    lc_message message = {0};
    if (lc_soup_census_open(&census, path, context, &message) != LC_OK)
        fail_msg("%s: %s", path, message.text);
    return census;
}

// The file has everything that a census has.
static void assert_equal(const lc_soup_census *a, const lc_soup_census *b)
{
    char *texts[2];
    const lc_soup_census *both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        const char *path = test_path("equal.census");
        save(both[i], path);
        texts[i] = file_text(path, NULL);
    }
    assert_string_equal(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

// Counts -----------------------------------------------------------------------------------------

// The counts of apgsearch for the same soups.
static void test_life(void **state)
{
    (void)state;
    size_t count;
    lc_soup_census *census = census_of("B3/S23", "C1", 0, 300, test_context());
    assert_int_equal(facts_of(census).soups_left, 300);
    run(census);
    check_counts(census, "xs4_33 1979\nxp2_7 1810\nxs6_696 1052\nxq4_153 558\nxs7_2596 316\n"
                         "xs5_253 281\nxs6_356 215\nxs8_6996 88\nxs4_252 79\nxs7_25ac 22\n"
                         "xs12_g8o653z11 15\nxp2_7e 13\nxp2_318c 8\nxs6_25a4 4\nxs7_178c 2\n"
                         "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401 1\nxs6_39c 1\n"
                         "xs8_69ic 1\n");
    const lc_soup_kind *kinds = lc_soup_census_get_kinds(census, &count);
    assert_string_equal(kinds[3].name, "glider");
    assert_int_equal(kinds[3].sample_count, LC_SOUP_SAMPLES);
    assert_int_equal(kinds[3].samples[0], 1);
    assert_int_equal(kinds[3].samples[1], 6);
    assert_int_equal(kinds[3].samples[2], 8);
    const lc_soup_census_facts facts = facts_of(census);
    assert_int_equal(facts.soups, 300);
    assert_int_equal(facts.soups_left, 0);
    assert_string_equal(facts.rule, "B3/S23");
    assert_string_equal(facts.symmetry, "C1");
    assert_string_equal(facts.seed, SEED);
    lc_soup_census_destroy(&census);
    assert_null(census);
}

static void test_symmetric(void **state)
{
    (void)state;
    lc_soup_census *census = census_of("B3/S23", "D8_1", 0, 100, test_context());
    run(census);
    check_counts(census, "xp2_7 580\nxs4_33 516\nxs6_696 240\nxs7_2596 112\nxs5_253 104\n"
                         "xs6_356 76\nxp2_318c 60\nxs4_252 27\nxs10_g8o652z01 16\nxs8_6996 12\n"
                         "xq4_153 8\nxs12_g8o653z11 8\nxs6_25a4 8\n"
                         "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401 4\nxs12_4ai3s4zx1 4\n"
                         "xs18_rhe0ehr 4\nxs8_25ak8 4\n");
    lc_soup_census_destroy(&census);
}

static void test_high_life(void **state)
{
    (void)state;
    lc_soup_census *census = census_of("B36/S23", NULL, 20, 100, test_context());
    run(census);
    check_counts(census, "xs4_33 259\nxs6_696 107\nxp2_7 96\nxs7_2596 62\nxq4_153 61\n"
                         "xs5_253 59\nxs4_252 14\nxs8_6996 3\nxp2_7e 2\nxs6_39c 2\nxs7_25ac 2\n"
                         "xs8_3pm 1\n");
    lc_soup_census_destroy(&census);
}

// A soup that leaves 4,000 cells is a line of its own.
static void test_megasized(void **state)
{
    (void)state;
    size_t count, i = 0;
    lc_soup_census *census = census_of("B3/S23", "C2_1", 6665, 1, test_context());
    run(census);
    const lc_soup_kind *kinds = lc_soup_census_get_kinds(census, &count);
    while (i < count && strcmp(kinds[i].code, "megasized_40h") != 0)
        i++;
    assert_true(i < count);
    assert_int_equal(kinds[i].count, 1);
    assert_int_equal(kinds[i].samples[0], 6665);
    lc_soup_census_destroy(&census);
}

// Soup n has the cells that a universe has with the seed random_seed + n.
static void test_random(void **state)
{
    (void)state;
    enum { WIDTH = 70, HEIGHT = 9 };
    const lc_soup_census_options options = {.struct_bytes = sizeof options,
                                            .rule = lc_rule_life(),
                                            .width_cells = WIDTH,
                                            .height_cells = HEIGHT,
                                            .density = 0.375,
                                            .random_seed = 7,
                                            .soups = 20};
    const lc_universe_options plane = {.struct_bytes = sizeof plane, .rule_text = "B3/S23"};
    lc_soup_census *census;
    lc_universe *universe;
    uint8_t states[HEIGHT][WIDTH + 1];
    int width, height;
    assert_int_equal(lc_soup_census_create(&census, &options, NULL), LC_OK);
    run(census);
    assert_int_equal(facts_of(census).soups, 20);
    assert_int_equal(facts_of(census).width_cells, WIDTH);
    assert_true(facts_of(census).density == 0.375);
    assert_int_equal(
        lc_soup_census_read_soup(census, 5, states[0], sizeof states[0], &width, &height, NULL),
        LC_OK);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_int_equal(lc_universe_create(&universe, &plane, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(universe, 0, 0, WIDTH, HEIGHT, 0.375, 12, NULL), LC_OK);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool alive;
            assert_int_equal(lc_universe_get(universe, x, y, &alive, NULL), LC_OK);
            assert_int_equal(states[y][x], alive);
        }
    assert_int_equal(
        lc_soup_census_read_soup(census, 5, states[0], WIDTH - 1, &width, &height, NULL),
        LC_ERROR_ARGUMENT);
    save(census, test_path("random.census"));
    lc_soup_census *again = open(test_path("random.census"), NULL);
    assert_equal(census, again);
    lc_soup_census_destroy(&again);
    lc_universe_destroy(&universe);
    lc_soup_census_destroy(&census);
}

static void check_refused(const lc_soup_census_options *options, lc_status want, const char *text)
{
    lc_soup_census *census;
    lc_message message = {0};
    assert_int_equal(lc_soup_census_create(&census, options, &message), want);
    assert_null(census);
    if (strstr(message.text, text) == NULL)
        fail_msg("'%s' instead of '%s'", message.text, text);
}

static void test_refused(void **state)
{
    (void)state;
    const lc_soup_census_options good = {
        .struct_bytes = sizeof good, .rule_text = "B3/S23", .seed = "a", .soups = 1};
    lc_soup_census_options bad = good;
    bad.rule = lc_rule_life();
    check_refused(&bad, LC_ERROR_ARGUMENT, "either a rule or its text");
    bad = good;
    bad.rule_text = "B03/S23";
    check_refused(&bad, LC_ERROR_UNSUPPORTED, "B0");
    bad.rule_text = "B3/S23:T10,10";
    check_refused(&bad, LC_ERROR_UNSUPPORTED, "infinite plane");
    bad = good;
    bad.seed = "";
    check_refused(&bad, LC_ERROR_ARGUMENT, "1 to 200 bytes");
    bad.seed = "a\nb";
    check_refused(&bad, LC_ERROR_ARGUMENT, "control character");
    bad.seed = NULL;
    check_refused(&bad, LC_ERROR_ARGUMENT, "either a seed or the size");
    bad = good;
    bad.symmetry = "C3";
    check_refused(&bad, LC_ERROR_FORMAT, "C3");
    bad = good;
    bad.width_cells = 5;
    check_refused(&bad, LC_ERROR_ARGUMENT, "either a seed or the size");
    bad.seed = NULL;
    check_refused(&bad, LC_ERROR_ARGUMENT, "5 x 0");
    bad.height_cells = LC_SOUP_SIDE_MAX + 1;
    check_refused(&bad, LC_ERROR_ARGUMENT, "5 x 257");
    bad.height_cells = 5;
    bad.density = 1.5;
    check_refused(&bad, LC_ERROR_ARGUMENT, "density");
    bad = good;
    bad.first_soup = UINT64_MAX;
    check_refused(&bad, LC_ERROR_ARGUMENT, "2^64");
}

// Pieces -----------------------------------------------------------------------------------------

enum { SOUPS = 240 };

// On one thread and four; in pieces with files between them; in halves that are merged.
static void test_pieces(void **state)
{
    (void)state;
    const char *path = test_path("pieces.census");
    lc_context *one = context_of(1), *four = context_of(4);
    lc_soup_census *whole = census_of("B3/S23", "C1", 0, SOUPS, one);
    lc_soup_census *threaded = census_of("B3/S23", "C1", 0, SOUPS, four);
    run(whole);
    run(threaded);
    assert_equal(whole, threaded);

    lc_soup_census *pieces = census_of("B3/S23", "C1", 0, 10, four);
    for (uint64_t soups = 10; soups < SOUPS; soups += 115) {
        run(pieces);
        save(pieces, path);
        lc_soup_census_destroy(&pieces);
        pieces = open(path, soups % 2 == 0 ? one : four);
        assert_int_equal(lc_soup_census_want(pieces, soups, 115, NULL), LC_OK);
        assert_int_equal(facts_of(pieces).soups_left, 115);
    }
    run(pieces);
    assert_equal(whole, pieces);

    lc_soup_census *first = census_of("B3/S23", "C1", 0, SOUPS / 2, one);
    lc_soup_census *second = census_of("B3/S23", "C1", SOUPS / 2, SOUPS / 2, one);
    run(second);
    assert_int_equal(lc_soup_census_merge(second, first, NULL), LC_OK); // the wanted numbers
    assert_int_equal(facts_of(second).soups_left, SOUPS / 2);
    run(first);
    assert_int_equal(lc_soup_census_merge(second, first, NULL), LC_OK);
    assert_equal(whole, second);
    lc_soup_census_destroy(&first);
    lc_soup_census_destroy(&second);
    lc_soup_census_destroy(&pieces);
    lc_soup_census_destroy(&threaded);
    lc_soup_census_destroy(&whole);
    lc_context_destroy(&one);
    lc_context_destroy(&four);
}

static void test_merges_refused(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_soup_census *census = census_of("B3/S23", "D8_1", 0, 20, test_context());
    run(census);
    lc_soup_census *unchanged = census_of("B3/S23", "D8_1", 0, 20, test_context());
    run(unchanged);
    lc_soup_census *others[] = {census_of("B36/S23", "D8_1", 20, 2, test_context()),
                                census_of("B3/S23", "D8_4", 20, 2, test_context()),
                                census_of("B3/S23", "D8_1", 19, 2, test_context())};
    static const char *const why[] = {"B3/S23 and B36/S23", "\"D8_1 l_lightcone1\" and \"D8_4",
                                      "soup 19"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        run(others[i]);
        assert_int_equal(lc_soup_census_merge(census, others[i], &message), LC_ERROR_ARGUMENT);
        if (strstr(message.text, why[i]) == NULL)
            fail_msg("'%s' instead of '%s'", message.text, why[i]);
        assert_equal(census, unchanged);
        lc_soup_census_destroy(&others[i]);
    }
    assert_int_equal(lc_soup_census_merge(census, census, NULL), LC_ERROR_ARGUMENT);
    lc_soup_census_destroy(&census);
    lc_soup_census_destroy(&unchanged);
}

static void test_ranges(void **state)
{
    (void)state;
    enum { NUMBERS = 60, STEPS = 300 };
    dice d = dice_from(test_seed(), 1);
    lc_number_ranges sets[2] = {{0}}, difference = {0};
    bool has[2][NUMBERS + 1] = {{false}};
    for (int step = 0; step < STEPS; step++) {
        const int set = (int)dice_below(&d, 2);
        const uint64_t first = (uint64_t)dice_below(&d, NUMBERS);
        uint64_t common = UINT64_MAX;
        const uint64_t end = first + 1 + (uint64_t)dice_below(&d, 2);
        if (step % 20 == 0)
            lc_ranges_free(&sets[set]);
        for (int i = 0; step % 20 == 0 && i < NUMBERS; i++)
            has[set][i] = false;
        assert_true(lc_ranges_reserve(&sets[set], 1));
        lc_ranges_add(&sets[set], (lc_number_range){first, end});
        for (uint64_t i = first; i < end; i++)
            has[set][i] = true;
        lc_ranges_free(&difference);
        assert_true(lc_ranges_subtract(&difference, &sets[0], &sets[1]));
        size_t place = 0;
        uint64_t size = 0, left = 0;
        for (uint64_t i = 0; i <= NUMBERS; i++) {
            size += has[0][i];
            left += has[0][i] && !has[1][i];
            if (has[0][i] && has[1][i] && common == UINT64_MAX)
                common = i;
            while (place < difference.count && difference.at[place].end <= i)
                place++;
            assert_int_equal(has[0][i] && !has[1][i],
                             place < difference.count && difference.at[place].first <= i);
        }
        assert_int_equal(lc_ranges_size(&sets[0]), size);
        assert_int_equal(lc_ranges_size(&difference), left);
        assert_int_equal(lc_ranges_common(&sets[0], &sets[1]), common);
        assert_int_equal(lc_ranges_contain(&sets[1], &sets[0]), left == 0);
        for (size_t i = 1; i < sets[0].count; i++)
            assert_true(sets[0].at[i - 1].end < sets[0].at[i].first);
    }
    lc_ranges_free(&difference);
    lc_ranges_free(&sets[0]);
    lc_ranges_free(&sets[1]);
}

// Files ------------------------------------------------------------------------------------------

// Opens the text as a file. A file that is accepted must be equal to the census.
static lc_status open_text(const char *text, size_t bytes, const lc_soup_census *census,
                           lc_message *message)
{
    const char *path = test_path("damaged.census");
    lc_soup_census *opened;
    file_put(path, text, bytes);
    const lc_status status = lc_soup_census_open(&opened, path, test_context(), message);
    if (status == LC_OK)
        assert_equal(opened, census);
    else
        assert_null(opened);
    lc_soup_census_destroy(&opened);
    return status;
}

static void test_damage(void **state)
{
    (void)state;
    const char *path = test_path("good.census");
    size_t bytes;
    lc_message message = {0};
    lc_soup_census *census = census_of("B3/S23", "D8_1", 0, 12, test_context());
    run(census);
    save(census, path);
    char *text = file_text(path, &bytes);
    assert_int_equal(open_text(text, bytes, census, NULL), LC_OK);
    for (size_t i = 0; i < bytes; i += (size_t)test_slowness()) {
        const char old = text[i];
        text[i] = (char)(old ^ (1 << i % 7));
        assert_int_not_equal(open_text(text, bytes, census, NULL), LC_OK);
        text[i] = old;
        assert_int_not_equal(open_text(text, i, census, NULL), LC_OK);
    }
    assert_int_equal(open_text("x = 3\n", 6, census, &message), LC_ERROR_FORMAT);
    assert_non_null(strstr(message.text, "not a census"));
    assert_int_equal(open_text("lightcone census 9\n", 19, census, &message), LC_ERROR_UNSUPPORTED);
    text[bytes - 2] ^= 1;
    assert_int_equal(open_text(text, bytes, census, &message), LC_ERROR_FORMAT);
    assert_non_null(strstr(message.text, "checksum"));
    lc_soup_census_destroy(&census);
    assert_int_equal(lc_soup_census_open(&census, test_path("missing"), NULL, NULL), LC_ERROR_IO);
    assert_null(census);
    free(text);
}

static void test_unwritable(void **state)
{
    (void)state;
    lc_soup_census *census = census_of("B3/S23", "D8_1", 0, 12, test_context());
    assert_int_equal(lc_soup_census_save(census, "/nowhere/a.census", NULL), LC_ERROR_IO);
    assert_int_equal(lc_soup_census_save(census, "/dev/full", NULL), LC_ERROR_IO);
    lc_soup_census_destroy(&census);
}

// Ends before the end ----------------------------------------------------------------------------

// How often each soup was seen, and after how many the run stops.
typedef struct witness {
    int seen[SOUPS];
    int count, stop_after;
    uint64_t objects;
    int progress_calls;
} witness;

static bool see_soup(void *user, const lc_soup_result *result)
{
    witness *w = user;
    w->seen[result->number]++;
    for (size_t i = 0; i < result->kinds; i++)
        w->objects += result->counts[i];
    assert_true(result->kinds == 0 || strlen(result->codes[0]) > 0);
    assert_true(result->generations > 0);
    return ++w->count != w->stop_after;
}

static void test_stop(void **state)
{
    (void)state;
    lc_context *four = context_of(4);
    lc_soup_census *whole = census_of("B3/S23", "C1", 0, SOUPS, four);
    run(whole);
    lc_soup_census *census = census_of("B3/S23", "C1", 0, SOUPS, four);
    witness w = {.stop_after = 1};
    const lc_soup_census_callbacks callbacks = {
        .struct_bytes = sizeof callbacks, .user = &w, .soup = see_soup};
    while (lc_soup_census_run(census, &callbacks, NULL) == LC_ERROR_STOPPED) {
        assert_int_equal(facts_of(census).soups, w.count);
        assert_int_equal(facts_of(census).objects, w.objects);
        w.stop_after = w.count + 1 + w.count / 2;
    }
    assert_int_equal(w.count, SOUPS);
    for (int i = 0; i < SOUPS; i++)
        assert_int_equal(w.seen[i], 1);
    assert_equal(census, whole);
    lc_soup_census_destroy(&census);
    lc_soup_census_destroy(&whole);
    lc_context_destroy(&four);
}

static bool see_slowly(void *user, const lc_soup_result *result)
{
    usleep(2500);
    return see_soup(user, result);
}

static bool save_progress(void *user, const lc_soup_census *census)
{
    witness *w = user;
    w->progress_calls++;
    save(census, test_path("progress.census"));
    return false;
}

// A census that is saved while it runs has whole soups.
static void test_progress(void **state)
{
    (void)state;
    lc_context *two = context_of(2);
    lc_soup_census *whole = census_of("B3/S23", "D8_1", 0, SOUPS, two);
    run(whole);
    lc_soup_census *census = census_of("B3/S23", "D8_1", 0, SOUPS, two);
    witness w = {.stop_after = -1};
    const lc_soup_census_callbacks callbacks = {.struct_bytes = sizeof callbacks,
                                                .user = &w,
                                                .progress = save_progress,
                                                .soup = see_slowly};
    assert_int_equal(lc_soup_census_run(census, &callbacks, NULL), LC_ERROR_STOPPED);
    assert_int_equal(w.progress_calls, 1);
    lc_soup_census *saved = open(test_path("progress.census"), two);
    assert_true(facts_of(saved).soups <= facts_of(census).soups);
    run(saved);
    run(census);
    assert_equal(saved, whole);
    assert_equal(census, whole);
    lc_soup_census_destroy(&saved);
    lc_soup_census_destroy(&census);
    lc_soup_census_destroy(&whole);
    lc_context_destroy(&two);
}

// Runs with each allocation failing in turn. A second run counts the rest.
static void test_out_of_memory(void **state)
{
    (void)state;
    lc_context *one = context_of(1);
    size_t failures = 0;
    lc_soup_census *whole = census_of("B3/S23", "D8_1", 0, 16, one);
    run(whole);
    for (uint64_t n = 1; n < 1300; n += 1 + n / 16) {
        lc_soup_census *census = census_of("B3/S23", "D8_1", 0, 16, one);
        lc_fail_allocation(n);
        const lc_status status = lc_soup_census_run(census, NULL, NULL);
        lc_fail_allocation(0);
        failures += status == LC_ERROR_MEMORY;
        assert_true(status == LC_OK || status == LC_ERROR_MEMORY);
        run(census);
        assert_equal(census, whole);
        lc_soup_census_destroy(&census);
    }
    assert_true(failures > 20);
    lc_soup_census_destroy(&whole);
    lc_context_destroy(&one);
}

static void test_files_out_of_memory(void **state)
{
    (void)state;
    const char *path = test_path("memory.census");
    lc_status status = LC_ERROR_MEMORY;
    lc_soup_census *census = census_of("B3/S23", "D8_1", 0, 16, test_context()), *opened = NULL;
    lc_soup_census *more = census_of("B3/S23", "D8_1", 16, 16, test_context());
    run(census);
    run(more);
    for (uint64_t n = 1; status != LC_OK; n++) {
        lc_fail_allocation(n);
        status = lc_soup_census_save(census, path, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || status == LC_ERROR_MEMORY);
    }
    status = LC_ERROR_MEMORY;
    for (uint64_t n = 1; status != LC_OK; n++) {
        lc_fail_allocation(n);
        status = lc_soup_census_open(&opened, path, test_context(), NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || (status == LC_ERROR_MEMORY && opened == NULL));
    }
    status = LC_ERROR_MEMORY;
    for (uint64_t n = 1; status != LC_OK; n++) {
        assert_equal(census, opened);
        lc_fail_allocation(n);
        status = lc_soup_census_merge(opened, more, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK || status == LC_ERROR_MEMORY);
    }
    assert_int_equal(facts_of(opened).soups, 32);
    lc_soup_census_destroy(&opened);
    lc_soup_census_destroy(&more);
    lc_soup_census_destroy(&census);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_life),
        cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_high_life),
        cmocka_unit_test(test_megasized),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_merges_refused),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_files_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
