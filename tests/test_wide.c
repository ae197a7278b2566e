// Universes that are wider than 64 bits can tell: leaps of 2^63 generations and more, facts of what
// lies beyond, files that keep it, and pictures from very far away.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_pair.h"
#include "support_pattern.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t hash_modulus = UINT64_C(18446744073709550147); // 2^64 - 1469

static lc_count count_of(const char *text)
{
    lc_count count;
    assert_int_equal(lc_count_parse(text, NULL, &count, NULL), LC_OK);
    return count;
}

static lc_count sum(lc_count a, lc_count b)
{
    lc_count all;
    assert_true(lc_count_add(a, b, &all));
    return all;
}

static bool equal(lc_count a, lc_count b)
{
    return lc_count_compare(a, b) == 0;
}

static lc_universe *plane_of(const char *engine, const char *rule_text)
{
    const lc_rule *rule = rule_of(rule_text);
    return test_create(engine, rule, infinite_plane, 0);
}

static lc_universe *plane(const char *engine)
{
    return plane_of(engine, "B3/S23");
}

static void step(lc_universe *u, lc_count generations)
{
    lc_message message = {0};
    if (lc_universe_step(u, generations, NULL, NULL, &message) != LC_OK)
        fail_msg("%s", message.text);
}

// The hash of cells that are moved by 2^log2 to the right and downwards.
static uint64_t moved(uint64_t hash, int log2)
{
    wide weight = lc_hash_moved(1, 1, 1);
    for (int i = 0; i < log2; i++)
        weight = weight * weight % hash_modulus;
    return (uint64_t)(hash * weight % hash_modulus);
}

// A glider goes one cell in four generations.
static void test_glider(void **state)
{
    (void)state;
    static const char *const engines[] = {"hashlife", "hashlife:part=1", "auto"};
    static const int logs[] = {60, 61, 62, 63, 64, 65, 99, 200, 248};
    for (size_t e = 0; e < 3; e++) {
        for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
            lc_count generations, way;
            lc_universe *u = plane(engines[e]);
            assert_int_equal(test_load(u, glider_rle, 0, 0, NULL), LC_OK);
            const uint64_t hash = test_hash(u);
            assert_true(lc_count_shift_left(lc_count_of(1), (unsigned)logs[i], &way));
            assert_true(lc_count_shift_left(way, 2, &generations));
            if (e == 2 && logs[i] < 90) { // sparse is the engine, which ends there
                lc_universe_destroy(&u);
                continue;
            }
            step(u, generations);
            const lc_facts facts = test_facts(u, LC_FACT_ALL);
            assert_true(equal(lc_universe_generation(u), generations));
            assert_int_equal(facts.population.words[0], 5);
            assert_true(equal(facts.wide_box.x.distance, way));
            assert_true(equal(facts.wide_box.y.distance, way));
            assert_false(facts.wide_box.x.is_negative || facts.wide_box.y.is_negative);
            assert_true(equal(facts.wide_box.width_cells, lc_count_of(3)));
            assert_true(facts.is_far == (logs[i] >= 62));
            assert_true(facts.box.empty == facts.is_far);
            if (!facts.is_far)
                assert_int_equal(facts.box.x, INT64_C(1) << logs[i]);
            assert_int_equal(facts.hash, moved(hash, logs[i]));
            lc_universe_destroy(&u);
        }
    }
}

// A gun makes a glider, five cells, every 30 generations.
static void test_gun(void **state)
{
    (void)state;
    lc_universe *u = plane("hashlife");
    assert_int_equal(test_load(u, pair_gun, -18, 2, NULL), LC_OK);
    test_step(u, 1234);
    const lc_facts before = test_facts(u, LC_FACT_ALL);
    lc_count born, more;
    assert_true(lc_count_shift_left(lc_count_of(5), 90, &born)); // 30 * 2^90 generations
    assert_true(lc_count_shift_left(lc_count_of(30), 90, &more));
    step(u, more);
    const lc_facts after = test_facts(u, LC_FACT_ALL);
    assert_true(equal(after.population, sum(before.population, born)));
    assert_true(equal(lc_universe_generation(u), sum(lc_count_of(1234), more)));
    assert_true(after.is_far && !after.box.empty);
    // The gun is where it was, and its stream goes on to the end of what 64 bits tell.
    assert_int_equal(after.box.x, before.box.x);
    assert_int_equal(after.box.y, before.box.y);
    assert_true(after.box.x + after.box.width_cells > LC_UNIVERSE_REACH - 64);
    // Cells can be read and written there as everywhere.
    const bool alive = test_get(u, before.box.x, before.box.y);
    assert_int_equal(lc_universe_set(u, before.box.x, before.box.y, !alive, NULL), LC_OK);
    const lc_count changed = test_facts(u, LC_FACT_POPULATION).population;
    assert_true(equal(lc_count_distance(changed, after.population), lc_count_of(1)));
    lc_universe_destroy(&u);
}

// a + b generations are b after a, also where the sums are of many leaps, and under rules that take
// turns.
static void test_sums(void **state)
{
    (void)state;
    static const char *const rules[] = {"B3/S23", "B36/S23", "B0123478/S01234678"};
    static const char *const parts[] = {"2^64-1", "10^25", "1", "1180591620717411315769",
                                        "2^63",   "3"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        lc_count all = lc_count_of(0);
        lc_universe *u = plane_of("hashlife", rules[r]), *v = plane_of("hashlife:part=1", rules[r]);
        lc_universe *const both[2] = {u, v};
        for (int i = 0; i < 2; i++)
            assert_int_equal(lc_universe_soup(both[i], -20, -20, 40, 40, 0.4, 7, NULL), LC_OK);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            step(u, count_of(parts[i]));
            all = sum(all, count_of(parts[i]));
        }
        step(v, all);
        const lc_facts p = test_facts(u, LC_FACT_ALL), q = test_facts(v, LC_FACT_ALL);
        assert_true(p.is_far && q.is_far);
        assert_int_equal(p.hash, q.hash);
        assert_true(equal(p.population, q.population));
        assert_true(equal(p.wide_box.x.distance, q.wide_box.x.distance));
        assert_true(equal(p.wide_box.width_cells, q.wide_box.width_cells));
        assert_true(equal(p.wide_box.height_cells, q.wide_box.height_cells));
        assert_true(lc_universe_background(u) == lc_universe_background(v));
        lc_universe_destroy(&u);
        lc_universe_destroy(&v);
    }
}

static bool says_where(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)done;
    (void)total;
    *(lc_count *)context = lc_universe_generation(universe);
    return false;
}

// Beyond 2^252 there is nothing: an error, and the universe is where it was.
static void test_end(void **state)
{
    (void)state;
    lc_count seen = lc_count_of(0);
    lc_message message = {0};
    lc_universe *u = plane("hashlife");
    assert_int_equal(test_load(u, glider_rle, 0, 0, NULL), LC_OK);
    const uint64_t hash = test_hash(u);
    assert_int_equal(lc_universe_step(u, count_of("2^256-1"), says_where, &seen, &message),
                     LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "end of the coordinates"));
    assert_true(equal(lc_universe_generation(u), seen));
    const lc_facts facts = test_facts(u, LC_FACT_ALL);
    assert_int_equal(facts.population.words[0], 5);
    assert_true(lc_count_log2(facts.wide_box.x.distance) >= LC_WIDE_REACH_LOG2 - 3);
    assert_true(lc_count_log2(facts.wide_box.x.distance) < LC_WIDE_REACH_LOG2);
    assert_int_not_equal(facts.hash, hash);
    // What comes back is an ordinary universe again.
    const lc_facts again = test_facts(u, LC_FACT_ALL);
    assert_int_equal(again.hash, facts.hash);
    lc_universe_destroy(&u);
}

// A macrocell file keeps all of it; other files say that they cannot, and are not touched.
static void test_files(void **state)
{
    (void)state;
    lc_pattern *pattern;
    lc_message message = {0};
    const char *path = test_path("wide.mc");
    lc_universe *u = plane("hashlife"), *v = plane("hashlife"), *sparse = plane("sparse");
    assert_int_equal(test_load(u, pair_gun, 0, 0, NULL), LC_OK);
    step(u, count_of("10^40-3"));
    assert_int_equal(lc_universe_save(u, path, LC_FORMAT_MACROCELL, &message), LC_OK);
    assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
    assert_int_equal(lc_universe_load(v, pattern, 0, 0, &message), LC_OK);
    lc_pattern_close(&pattern);
    const lc_facts p = test_facts(u, LC_FACT_ALL), q = test_facts(v, LC_FACT_ALL);
    assert_int_equal(p.hash, q.hash);
    assert_true(equal(p.population, q.population));
    assert_true(equal(p.wide_box.width_cells, q.wide_box.width_cells));
    assert_true(equal(lc_universe_generation(u), lc_universe_generation(v)));
    step(u, count_of("10^40"));
    step(v, count_of("10^40"));
    assert_int_equal(test_hash(u), test_hash(v));

    assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
    assert_int_equal(lc_universe_load(sparse, pattern, 0, 0, &message), LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "2^62"));
    lc_pattern_close(&pattern);
    unlink(path);
    static const lc_format formats[] = {LC_FORMAT_RLE, LC_FORMAT_LIFE_106, LC_FORMAT_CELLS};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        assert_int_equal(lc_universe_save(u, path, formats[i], &message), LC_ERROR_LIMIT);
        assert_non_null(strstr(message.text, "macrocell"));
        assert_int_equal(access(path, F_OK), -1);
    }
    lc_universe_destroy(&u);
    lc_universe_destroy(&v);
    lc_universe_destroy(&sparse);
}

static lc_universe *restored(const char *path, const char *engine, lc_status expected)
{
    lc_universe *u;
    lc_message message = {0};
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .engine = engine};
    if (lc_universe_restore(&u, path, &options, &message) != expected)
        fail_msg("%s", message.text);
    return u;
}

static void expect_same(const lc_universe *a, const lc_universe *b)
{
    const lc_facts p = test_facts(a, LC_FACT_ALL), q = test_facts(b, LC_FACT_ALL);
    assert_int_equal(p.hash, q.hash);
    assert_true(equal(p.population, q.population));
    assert_true(equal(lc_universe_generation(a), lc_universe_generation(b)));
    assert_true(lc_universe_background(a) == lc_universe_background(b));
}

// A checkpoint keeps all of it, too, at any generation of any rule, and what was taken up again
// goes on as what it was taken of.
static void test_checkpoints(void **state)
{
    (void)state;
    static const char *const rules[] = {"B3/S23", "B0123478/S01234678", "B03/S23"};
    const char *path = test_path("wide.lcs");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        for (int i = 0; i < 4; i++) {
            lc_universe *u = plane_of("hashlife", rules[r]);
            if (i > 0)
                assert_int_equal(lc_universe_soup(u, -50, -60, 90, 80, 0.4, 5, NULL), LC_OK);
            step(u, lc_count_of(i == 1 ? 0 : (uint64_t)i));
            if (i == 3 && r < 2)
                step(u, count_of("10^25"));
            assert_int_equal(lc_universe_checkpoint(u, path, NULL), LC_OK);
            lc_universe *v = restored(path, i % 2 == 0 ? NULL : "hashlife:part=1", LC_OK);
            assert_string_equal(lc_universe_info_of(v).engine, "hashlife");
            expect_same(u, v);
            test_step(u, 37);
            test_step(v, 37);
            expect_same(u, v);
            lc_universe_destroy(&v);
            const bool is_far = test_facts(u, LC_FACT_BOX).is_far;
            v = restored(path, "sparse", is_far ? LC_ERROR_LIMIT : LC_OK);
            if (v != NULL) {
                test_step(v, 37);
                expect_same(u, v);
            }
            lc_universe_destroy(&v);
            lc_universe_destroy(&u);
        }
    }
    unlink(path);
}

// One that "auto" made leap in mid-run is saved as it is.
static void test_auto(void **state)
{
    (void)state;
    lc_pattern *pattern;
    lc_universe *u = plane("auto"), *w = plane("hashlife");
    const char *path = test_path("auto.mc");
    assert_int_equal(test_load(u, pair_gun, 0, 0, NULL), LC_OK);
    step(u, count_of("10^30"));
    assert_int_equal(lc_universe_save(u, path, LC_FORMAT_MACROCELL, NULL), LC_OK);
    assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
    assert_int_equal(lc_universe_load(w, pattern, 0, 0, NULL), LC_OK);
    lc_pattern_close(&pattern);
    expect_same(u, w);
    assert_int_equal(lc_universe_checkpoint(u, path, NULL), LC_OK);
    lc_universe *v = restored(path, NULL, LC_OK);
    expect_same(u, v);
    unlink(path);
    lc_universe_destroy(&u);
    lc_universe_destroy(&v);
    lc_universe_destroy(&w);
}

// Every byte of such a checkpoint matters.
static void test_damage(void **state)
{
    (void)state;
    const char *path = test_path("damage.lcs");
    lc_universe *u = plane("hashlife");
    assert_int_equal(lc_universe_soup(u, -50, -60, 90, 80, 0.4, 5, NULL), LC_OK);
    assert_int_equal(lc_universe_checkpoint(u, path, NULL), LC_OK);
    lc_universe_destroy(&u);
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 300 && size < sizeof bytes);
    for (size_t at = 0; at < size; at += at < 300 || at + 200 > size ? 1 : 13) {
        bytes[at] ^= (uint8_t)(1 << at % 8);
        file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        fclose(file);
        assert_null(restored(path, NULL, LC_ERROR_FORMAT));
        bytes[at] ^= (uint8_t)(1 << at % 8);
    }
    for (size_t left = 0; left < size; left += left < 300 || left + 200 > size ? 1 : 97) {
        file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, left, file), left);
        fclose(file);
        assert_null(restored(path, NULL, LC_ERROR_FORMAT));
    }
    unlink(path);
}

// Pictures ----------------------------------------------------------------------------------------

enum { PIXELS = 20 };

static uint8_t *picture(const lc_universe *u, int64_t column, int64_t row, int log2_side)
{
    static uint8_t tones[PIXELS * PIXELS];
    lc_message message = {0};
    memset(tones, 77, sizeof tones);
    if (lc_universe_far_picture(u, column, row, log2_side, PIXELS, PIXELS, tones, &message) !=
        LC_OK)
        fail_msg("%s", message.text);
    return tones;
}

// What lives in squares of 2^15 cells, put together to larger ones.
static void expect_sums(const lc_universe *u, int64_t column, int64_t row, int log2_side,
                        double area)
{
    // Rows of squares begin at 1.
    const int64_t first = strcmp(lc_universe_info_of(u).engine, "hashlife") == 0;
    const int64_t side = INT64_C(1) << (log2_side - 15);
    const uint8_t *tones = picture(u, column, row, log2_side);
    uint32_t *counts = malloc((size_t)(side * side) * sizeof *counts);
    assert_non_null(counts);
    for (int j = 0; j < PIXELS; j++) {
        for (int i = 0; i < PIXELS; i++) {
            uint64_t live = 0;
            const int64_t square = INT64_C(1) << log2_side;
            assert_int_equal(lc_universe_counts(u, (column + i) * square,
                                                (row + j) * square + first, 32768, side, side,
                                                counts, NULL),
                             LC_OK);
            for (int64_t k = 0; k < side * side; k++)
                live += counts[k];
            double tone = 255;
            while (tone > 1 && (double)live * 260100.0 < area * (2 * tone - 1) * (2 * tone - 1))
                tone--;
            assert_int_equal(tones[j * PIXELS + i], live == 0 ? 0 : (int)tone);
        }
    }
    free(counts);
}

static void test_pictures(void **state)
{
    (void)state;
    static const char *const engines[] = {"hashlife", "sparse", "simd", "scalar", "auto"};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        const bool is_dense = e == 2 || e == 3;
        lc_universe *u = plane(engines[e]);
        for (int i = 0; i < 12; i++) {
            const int64_t x = (i % 4 - 2) * (is_dense ? 300 : 70000) + 5 * i;
            assert_int_equal(lc_universe_soup(u, x, (i - 6) * (is_dense ? 300 : 90001), 60, 70, 0.5,
                                              (uint64_t)i, NULL),
                             LC_OK);
        }
        test_step(u, 37);
        for (int log2_side = 16; log2_side <= 18; log2_side++)
            expect_sums(u, -PIXELS / 2, -PIXELS / 2 + 1, log2_side,
                        (double)((uint64_t)1 << 2 * log2_side));
        expect_sums(u, -1, 0, 16, 4294967296.0);
        // From so far that all of it lies round one corner.
        static const int logs[] = {40, 60, 61, 62, 63, 100, LC_WIDE_REACH_LOG2};
        for (size_t k = 0; k < sizeof logs / sizeof *logs; k++) {
            const uint8_t *tones = picture(u, -2, -3, logs[k]);
            for (int i = 0; i < PIXELS * PIXELS; i++) {
                const int column = i % PIXELS - 2, row = i / PIXELS - 3;
                const bool is_middle = column >= -1 && column <= 0 && row >= -1 && row <= 0;
                assert_int_equal(tones[i], is_middle);
            }
            tones = picture(u, 1, 1, logs[k]);
            for (int i = 0; i < PIXELS * PIXELS; i++)
                assert_int_equal(tones[i], 0);
            (void)picture(u, -LC_UNIVERSE_REACH, LC_UNIVERSE_REACH, logs[k]);
        }
        lc_universe_destroy(&u);
    }
}

// A soup all over a board has the same tone everywhere, beyond its edges there is nothing; and a
// background that lives is white.
static void test_boards(void **state)
{
    (void)state;
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 1 << 18, .height_cells = 1 << 10};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, 1 << 18, 1 << 10, 0.5, 1, NULL), LC_OK);
    const uint8_t *tones = picture(u, -1, -1, 16);
    for (int i = 0; i < PIXELS * PIXELS; i++) {
        const int column = i % PIXELS - 1, row = i / PIXELS - 1;
        // Half of 1,024 of 65,536 rows: 255 * sqrt(1 / 128) is 22.5.
        const bool has_cells = column >= 0 && column < 4 && row == 0;
        assert_true(has_cells ? tones[i] == 22 || tones[i] == 23 : tones[i] == 0);
    }
    lc_universe_destroy(&u);
    static const char *const engines[] = {"sparse", "hashlife"};
    for (int e = 0; e < 2; e++) {
        u = plane_of(engines[e], "B03/S23");
        assert_int_equal(test_load(u, glider_rle, 3, 5, NULL), LC_OK);
        test_step(u, 1);
        assert_true(lc_universe_background(u));
        tones = picture(u, -3, -3, 30);
        for (int i = 0; i < PIXELS * PIXELS; i++)
            assert_int_equal(tones[i], 255);
        test_step(u, 1);
        tones = picture(u, -3, -3, 30);
        for (int i = 0; i < PIXELS * PIXELS; i++)
            assert_int_equal(tones[i], i == 3 * PIXELS + 3);
        lc_universe_destroy(&u);
    }
}

// What is 2^100 cells away is where it should be, at every scale that shows it.
static void test_far_pictures(void **state)
{
    (void)state;
    lc_count generations;
    lc_universe *u = plane("hashlife");
    assert_int_equal(test_load(u, glider_rle, 0, 1, NULL), LC_OK);
    assert_true(lc_count_shift_left(lc_count_of(1), 102, &generations));
    step(u, generations);
    for (int log2_side = 40; log2_side <= 110; log2_side++) {
        const int64_t at = log2_side <= 100 ? INT64_C(1) << (100 - log2_side) : 0;
        const uint8_t *tones = picture(u, at - 4, at - 2, log2_side);
        for (int i = 0; i < PIXELS * PIXELS; i++)
            assert_int_equal(tones[i], i == 2 * PIXELS + 4);
    }
    lc_universe_destroy(&u);
}

static void test_refused(void **state)
{
    (void)state;
    uint8_t tones[PIXELS * PIXELS];
    lc_message message;
    lc_universe *u = plane("sparse");
    const struct {
        int64_t column, row;
        int log2_side;
        int64_t width, height;
    } wrong[] = {
        {0, 0, -1, 9, 9},          {0, 0, LC_WIDE_REACH_LOG2 + 1, 9, 9},
        {0, 0, 20, 0, 9},          {0, 0, 20, 9, -1},
        {0, 0, 20, 65537, 1},      {INT64_MAX, 0, 20, 9, 9},
        {0, INT64_MIN, 100, 9, 9}, {INT64_C(1) << 50, 0, 15, 9, 9},
        {0, INT64_MIN, 0, 9, 9},   {LC_UNIVERSE_REACH, 0, 0, 9, 9},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lc_universe_far_picture(u, wrong[i].column, wrong[i].row,
                                                 wrong[i].log2_side, wrong[i].width,
                                                 wrong[i].height, tones, &message),
                         LC_ERROR_ARGUMENT);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glider),  cmocka_unit_test(test_gun),
        cmocka_unit_test(test_sums),    cmocka_unit_test(test_end),
        cmocka_unit_test(test_files),   cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_boards),  cmocka_unit_test(test_far_pictures),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_auto),    cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests_name("wide universes", tests, NULL, NULL);
}
