// The hashlife engine where it is not like others: results that are kept or collected, steps of any
// size, and rules that change. test_sparse_soups.c has it against a dense engine, too.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "engine/hashlife/hashlife_streams.h"
#include "support.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_pair.h"

// By one thread where there is little to do; or always by two, which take single squares from each
// other.
static const char *tested;

static lc_hashlife *inside(const lc_universe *universe)
{
    return (lc_hashlife *)block_of(universe)->engine;
}

static lc_universe *plane(const char *engine, uint64_t max_memory_bytes)
{
    return test_create(engine, LIFE, (lc_topology){0}, max_memory_bytes);
}

static void expect_same(const lc_universe *a, const lc_universe *b)
{
    test_expect_same_facts(a, b);
}

static void draw(lc_universe *u, uint64_t seed)
{
    assert_int_equal(lc_universe_soup(u, -50, -40, 200, 150, 0.4, seed, NULL), LC_OK);
    assert_int_equal(test_load(u, pair_gun, 300, 17, NULL), LC_OK);
}

// So little memory that it collects again and again.
static void test_little_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        lc_universe *u = plane(tested, 12 << 20), *sparse = plane("sparse", 0);
        lc_universe *const both[2] = {u, sparse};
        for (int i = 0; i < 2; i++) {
            draw(both[i], seed);
            assert_int_equal(lc_universe_soup(both[i], 500, 900, 700, 600, 0.4, seed, NULL), LC_OK);
        }
        const int times = test_slowness() > 1 ? 4 : 20;
        for (int i = 0; i < times; i++) {
            test_step(u, 500 + (uint64_t)i);
            test_step(sparse, 500 + (uint64_t)i);
            expect_same(u, sparse);
        }
        assert_true(test_slowness() > 1 || inside(u)->collections > 2);
        assert_in_range(lc_universe_info_of(u).memory_bytes, 1, 12 << 20);
        lc_universe_destroy(&u);
        lc_universe_destroy(&sparse);
    }
}

// A node that was found of late, as it was before a collection.
typedef struct found_node {
    lc_square number;
    lc_node node;
} found_node;

// A collection keeps all results of nodes that were found of late while there is room, and the
// nodes that have them.
static void test_found_results_stay(void **state)
{
    (void)state;
    enum { MOST = 1 << 14, STEPS = 4 };
    static found_node found[MOST];
    size_t count = 0;
    lc_universe *u = plane(tested, 0);
    lc_hashlife *h = inside(u);
    const lc_arena *nodes = &h->store.nodes;
    assert_int_equal(test_load(u, pair_gun, 0, 0, NULL), LC_OK);
    assert_int_equal(lc_hashlife_forget(h, NULL), LC_OK); // uses are noted from now on
    for (int i = 0; i < STEPS; i++)
        test_step(u, 500 + (uint64_t)i);
    lc_hashlife_return_stocks(h);
    for (uint64_t i = 0; i < lc_store_node_end(&h->store); i++) {
        const lc_square number = (lc_square)i;
        if (i % 4 < LC_NODES_OF_LINE && lc_store_uses(&h->store, number) > 0 &&
            lc_store_node(&h->store, number)->result < LC_RESULT_WANTED) {
            assert_in_range(count, 0, MOST - 1);
            found[count++] = (found_node){number, *lc_store_node(&h->store, number)};
        }
    }
    assert_in_range(count, 100, MOST);

    // The memory for more nodes is missing once, so that there is a collection.
    const uint64_t collections = h->collections;
    lc_fail_allocation(1);
    const lc_status status = lc_hashlife_reserve(h, &h->store.stock, nodes->most, 0, NULL);
    lc_fail_allocation(0);
    assert_int_equal(status, LC_OK);
    assert_int_equal(h->collections, collections + 1);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(lc_store_node(&h->store, found[i].number), &found[i].node,
                            sizeof found[i].node);
    lc_universe_destroy(&u);
}

// Threads that have nothing to do take parts of the lists of others.
static void test_threads_help(void **state)
{
    enum { SOUPS = 100 }; // a machine may be busy
    (void)state;
    lc_universe *u = plane("hashlife:part=1", 0);
    const lc_hashlife *h = inside(u);
    uint64_t helped = 0;
    assert_true(h->worker_count > 1);
    for (uint64_t seed = 0; helped == 0 && seed < SOUPS; seed++) {
        assert_int_equal(lc_universe_soup(u, 0, 0, 1000, 800, 0.4, seed, NULL), LC_OK);
        test_step(u, 64);
        for (int i = 1; i < h->worker_count; i++)
            helped += h->workers[i]->results;
    }
    assert_true(helped > 0);
    lc_universe_destroy(&u);
}

// Alternating rules, one generation at a time: a square's result under the second rule is not that
// under the first. Here a cell becomes a square of nine, and there is one from the beginning.
static void test_each_rule_has_results(void **state)
{
    (void)state;
    static const char *const rules[] = {"B0/S", "B0/S1", "B0/S4", "B02/S3", "B034/S34678"};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        lc_universe *hashlife = test_create("hashlife", rule_of(rules[r]), infinite_plane, 0);
        lc_universe *sparse = test_create("sparse", rule_of(rules[r]), infinite_plane, 0);
        lc_universe *const both[] = {hashlife, sparse};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(lc_universe_set(both[i], 0, 0, true, NULL), LC_OK);
            for (int64_t k = 0; k < 9; k++)
                assert_int_equal(lc_universe_set(both[i], 1023 + k % 3, 511 + k / 3, true, NULL),
                                 LC_OK);
        }
        for (int generation = 0; generation < 12; generation++) {
            test_step(hashlife, 1);
            test_step(sparse, 1);
            expect_same(hashlife, sparse);
        }
        lc_universe_destroy(&hashlife);
        lc_universe_destroy(&sparse);
    }
}

// Two alternating rules, set again after a generation of the first one: the results are right.
static void test_alternating_rules_again(void **state)
{
    (void)state;
    const lc_rule *life = LIFE, *high = rule_of("B36/S23");
    lc_universe *u = plane(tested, 0);
    lc_engine *engine = &inside(u)->base;
    uint64_t done;
    assert_int_equal(test_load(u, pair_gun, 0, 0, NULL), LC_OK);
    engine->vtable->set_rule(engine, life, high);
    assert_true(inside(u)->has_other_rules);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(engine->vtable->step(engine, 1, &done, NULL), LC_OK);
        engine->vtable->set_rule(engine, i % 2 == 0 ? high : life, i % 2 == 0 ? life : high);
        assert_false(inside(u)->has_other_rules);
    }
    engine->vtable->set_rule(engine, life, high);
    assert_true(inside(u)->has_other_rules);
    lc_universe_destroy(&u);
}

// What lives needs more than there may be: it is said, and nothing is lost. Whole leaves can die
// then, too.
static void test_too_little_memory(void **state)
{
    (void)state;
    enum { SQUARES = 40000 };
    lc_universe *u = plane(tested, 16 << 20);
    lc_message message = {0};
    lc_status status = LC_OK;
    int64_t drawn = 0;
    for (int64_t i = 0; i < SQUARES && status == LC_OK; i++) {
        status = lc_universe_soup(u, i % 160 * 64, LC_MIDDLE_Y + i / 160 * 64, 64, 64, 0.5,
                                  (uint64_t)i, &message);
        drawn += status == LC_OK;
    }
    if (status == LC_OK)
        status = lc_universe_step(u, lc_count_of(64), NULL, NULL, &message);
    assert_int_equal(status, LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "16.0 MiB"));
    assert_in_range(test_population(u), drawn * 1800, drawn * 2300);
    static uint64_t dead[64];
    for (int64_t i = 0; i < SQUARES; i++) {
        const lc_cells cells = {.x = i % 160 * 64,
                                .y = LC_MIDDLE_Y + i / 160 * 64,
                                .width_cells = 64,
                                .height_cells = 64,
                                .planes = 1,
                                .words = dead,
                                .pitch_words = 1};
        assert_int_equal(lc_universe_write(u, &cells, NULL), LC_OK);
    }
    assert_int_equal(test_population(u), 0);
    assert_int_equal(test_load(u, glider_rle, 0, 0, NULL), LC_OK);
    test_step(u, 4000);
    assert_int_equal(test_population(u), 5);
    lc_universe_destroy(&u);
}

// The squares end one cell before the universe does, to the right and at the top: that is said.
static void test_last_cells(void **state)
{
    (void)state;
    const int64_t end = LC_UNIVERSE_REACH;
    const struct {
        int64_t x, y;
        lc_status status;
    } cases[] = {{end, 5, LC_ERROR_LIMIT},
                 {5, -end, LC_ERROR_LIMIT},
                 {end - 1, end, LC_OK},
                 {-end, 1 - end, LC_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_universe *u = plane(tested, 0);
        uint64_t live = 1, dead[2] = {0};
        lc_cells cell = {.x = cases[i].x,
                         .y = cases[i].y,
                         .width_cells = 1,
                         .height_cells = 1,
                         .planes = 1,
                         .words = &live,
                         .pitch_words = 1};
        assert_int_equal(lc_universe_write(u, &cell, NULL), cases[i].status);
        const lc_facts facts = test_facts(u, LC_FACT_ALL);
        assert_int_equal(facts.population.words[0], cases[i].status == LC_OK);
        if (cases[i].status == LC_OK) {
            assert_int_equal(facts.box.x, cases[i].x);
            assert_int_equal(facts.box.y, cases[i].y);
        }
        // Dead ones may be written there, and kill what is beside them.
        cell.x -= cell.x == end;
        cell.y -= cell.y == end || cell.y == 1 - end;
        cell.width_cells = cell.height_cells = 2;
        cell.words = dead;
        assert_int_equal(lc_universe_write(u, &cell, NULL), LC_OK);
        assert_int_equal(test_population(u), 0);
        lc_universe_destroy(&u);
    }
}

// a + b generations are a and then b, whatever was made before.
static void test_steps(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 91);
    lc_universe *u = plane(tested, 0), *sparse = plane("sparse", 0);
    draw(u, 5);
    draw(sparse, 5);
    for (int i = 0; i < 40 / test_slowness(); i++) {
        const uint64_t generations = UINT64_C(1) << dice_below(&d, 9);
        const uint64_t more = (uint64_t)dice_below(&d, 3) - 1;
        test_step(u, generations + more);
        test_step(sparse, generations + more);
        expect_same(u, sparse);
    }
    lc_universe_destroy(&u);
    lc_universe_destroy(&sparse);
}

// Results of one rule are none of another.
static void test_rules(void **state)
{
    (void)state;
    lc_universe *u = plane(tested, 0), *sparse = plane("sparse", 0);
    lc_universe *const both[2] = {u, sparse};
    const lc_rule *const rules[] = {LIFE, rule_of("B36/S23"), LIFE, rule_of("B3678/S34678")};
    for (int i = 0; i < 2; i++)
        draw(both[i], 3);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        for (int i = 0; i < 2; i++) {
            lc_engine *engine = block_of(both[i])->engine;
            engine->vtable->set_rule(engine, rules[r], NULL);
            test_step(both[i], 37);
        }
        expect_same(u, sparse);
    }
    lc_universe_destroy(&u);
    lc_universe_destroy(&sparse);
}

// A gun for 2^40 generations: all of its gliders.
static void test_leaps(void **state)
{
    (void)state;
    lc_universe *u = plane(tested, 0);
    assert_int_equal(test_load(u, pair_gun, 0, 0, NULL), LC_OK);
    const uint64_t begin = test_population(u), periods = (UINT64_C(1) << 40) / 30;
    test_step(u, 30 * periods);
    assert_int_equal(test_population(u), begin + 5 * periods);
    const lc_facts facts = test_facts(u, LC_FACT_ALL);
    assert_true(facts.box.width_cells > (int64_t)(30 * periods / 4));
    test_step(u, 30);
    assert_int_equal(test_population(u), begin + 5 * periods + 5);
    lc_universe_destroy(&u);
}

// A universe whose engine is chosen by itself finds out that it should leap; the same cells.
static void test_by_itself(void **state)
{
    (void)state;
    lc_universe *u = plane("auto", 0), *leaps = plane(tested, 0);
    lc_universe *const both[2] = {u, leaps};
    for (int i = 0; i < 2; i++) {
        draw(both[i], 11);
        test_step(both[i], UINT64_C(1) << 34);
    }
    assert_string_equal(lc_universe_info_of(u).engine, "hashlife");
    test_expect_same_facts(u, leaps);
    for (int i = 0; i < 2; i++) { // and cells may be drawn
        assert_int_equal(lc_universe_soup(both[i], -1000, 100, 40, 40, 0.4, 1, NULL), LC_OK);
        test_step(both[i], 1001);
    }
    test_expect_same_facts(u, leaps);
    lc_universe_destroy(&u);
    lc_universe_destroy(&leaps);
}

static bool stop_at(void *context)
{
    int *left = context;
    return --*left < 0;
}

// The same with so little memory that what was there before the leap is collected while it is made.
static void test_fails_in_a_leap(void **state)
{
    (void)state;
    lc_universe *u = plane(tested, 12 << 20), *sparse = plane("sparse", 0);
    lc_universe *const both[2] = {u, sparse};
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(both[i], 0, 0, 1500, 1200, 0.4, 1, NULL), LC_OK);
    int failures = 0;
    // Threads that wait ask the watch, too, any number of times.
    const int most = 1 << 24;
    for (int stops = 20; stops < 400 || (inside(u)->collections == 0 && stops < most);
         stops += stops < 400 ? 60 : stops) {
        int left = stops;
        uint64_t done = 0;
        const lc_engine_watch watch = {.call = stop_at, .context = &left, .interval_ns = 0};
        lc_hashlife *h = inside(u);
        h->config.watch = &watch;
        const lc_status status = h->base.vtable->step(&h->base, 1024, &done, NULL);
        h->config.watch = NULL;
        assert_true(status == LC_OK ? done == 1024 : done == 0);
        failures += status != LC_OK;
        lc_universe_set_generation(u, lc_count_of(test_generation(u) + done));
        test_step(sparse, done);
        test_expect_same_facts(u, sparse);
    }
    assert_true(failures > 0 && inside(u)->collections > 0);
    lc_universe_destroy(&u);
    lc_universe_destroy(&sparse);
}

// A watch that ends a step at any moment: nothing has changed, and it can go on.
static void test_stops(void **state)
{
    (void)state;
    for (int stops = 0; stops < 60; stops += 7) {
        lc_universe *u = plane(tested, 0), *other = plane(tested, 0);
        draw(u, 9);
        draw(other, 9);
        int left = stops;
        const lc_engine_watch watch = {.call = stop_at, .context = &left, .interval_ns = 0};
        lc_hashlife *h = inside(u);
        h->config.watch = &watch;
        uint64_t done = 0;
        const lc_status status = h->base.vtable->step(&h->base, 256, &done, NULL);
        h->config.watch = NULL;
        assert_true(status == LC_ERROR_STOPPED ? done == 0 : status == LC_OK);
        lc_universe_set_generation(u, lc_count_of(done));
        while (done < 256) {
            test_step(u, 1);
            done++;
        }
        test_step(other, 256);
        expect_same(u, other);
        lc_universe_destroy(&u);
        lc_universe_destroy(&other);
    }
}

// Who watches a step looks at all of the universe meanwhile, at any moment: it changes nothing.
typedef struct onlooker {
    const lc_universe *universe;
    int calls;
} onlooker;

static bool look(void *context)
{
    enum { SIDE = 16, CALLS = 40, ACROSS = 256 };
    onlooker *o = context;
    if (o->calls++ % CALLS != 0)
        return false;
    uint64_t row[ACROSS / 64];
    uint8_t tones[SIDE * SIDE];
    (void)test_facts(o->universe, LC_FACT_ALL);
    assert_int_equal(test_read_row(o->universe, -50, 3, ACROSS, row), LC_OK);
    assert_int_equal(
        lc_universe_picture(o->universe, -2000, -2000, ACROSS, SIDE, SIDE, tones, NULL), LC_OK);
    assert_non_null(lc_universe_info_of(o->universe).plan);
    return false;
}

static void test_looks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        lc_universe *u = plane(tested, 0), *other = plane(tested, 0);
        onlooker o = {.universe = u};
        const lc_engine_watch watch = {.call = look, .context = &o, .interval_ns = 0};
        draw(u, seed);
        draw(other, seed);
        inside(u)->config.watch = &watch;
        for (int i = 0; i < 3; i++) {
            test_step(u, 3000 + (uint64_t)i);
            test_step(other, 3000 + (uint64_t)i);
            expect_same(u, other);
        }
        inside(u)->config.watch = NULL;
        assert_true(o.calls > 100);
        lc_universe_destroy(&u);
        lc_universe_destroy(&other);
    }
}

// What repeats itself goes as far as generations are counted; after cells were changed, too, and
// where the background lives.
static void test_far_future(void **state)
{
    (void)state;
    static const char *const rules[] = {"B3/S23", "B0123478/S01234678"}; // Life turned over
    for (int r = 0; r < 2; r++) {
        const lc_rule *rule = rule_of(rules[r]);
        lc_universe *u = test_create(tested, rule, (lc_topology){0}, 0);
        lc_universe *sparse = test_create("sparse", rule, (lc_topology){0}, 0);
        lc_universe *const both[2] = {u, sparse};
        lc_count generations; // a multiple of no period, but for 2
        assert_int_equal(
            lc_count_parse("1000000000000000000000000000010", NULL, &generations, NULL), LC_OK);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2; i++) {
                // At first the period is 3, afterwards 15.
                const char *pattern = round == 0 ? pair_pulsar : pair_pentadecathlon;
                assert_int_equal(test_load(both[i], pattern, 200 * round, 5, NULL), LC_OK);
            }
            lc_message message = {0};
            if (lc_universe_step(u, generations, NULL, NULL, &message) != LC_OK)
                fail_msg("%s", message.text);
            test_step(sparse, lc_count_remainder(generations, 60));
            const lc_facts p = test_facts(u, LC_FACT_ALL), q = test_facts(sparse, LC_FACT_ALL);
            assert_int_equal(p.hash, q.hash);
            assert_int_equal(lc_count_compare(p.population, q.population), 0);
        }
        lc_universe_destroy(&u);
        lc_universe_destroy(&sparse);
    }
}

static void test_settings(void **state)
{
    (void)state;
    static const char *const wrong[] = {"hashlife:part=0",    "hashlife:part=129",
                                        "hashlife:part=",     "hashlife:part=4x",
                                        "hashlife:parts=4",   "hashlife:4",
                                        "hashlife:streams=6", "hashlife:streams=61",
                                        "hashlife:streamsx"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .context = test_context(),
                                             .rule = LIFE,
                                             .engine = wrong[i]};
        lc_universe *u;
        lc_message message;
        assert_int_equal(lc_universe_create(&u, &options, &message), LC_ERROR_ARGUMENT);
        assert_null(u);
        assert_non_null(strstr(message.text, "part=N (1 to 128)"));
    }
}

static int of_streams(void **state)
{
    (void)state;
    tested = "hashlife:streams=7";
    return 0;
}

// Small objects here and there, of which some move: streams that pass each other, touch, collide.
static void scatter(lc_universe *u, int64_t side, int64_t spacing, uint64_t seed)
{
    for (int64_t y = 0; y < side; y += spacing) {
        for (int64_t x = 0; x < side; x += spacing) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const int64_t dx = (int64_t)(seed >> 40 & 7), dy = (int64_t)(seed >> 44 & 7);
            if ((seed >> 50 & 3) != 0)
                assert_int_equal(lc_universe_soup(u, x + dx, y + dy, 3, 3, 0.55, seed >> 20, NULL),
                                 LC_OK);
        }
    }
}

// Gliders both ways on lanes that are some cells apart, in streams of two periods.
static void draw_streams(lc_universe *u, int64_t apart)
{
    static const char down[] = "bo$2bo$3o!", up[] = "3o$o$bo!";
    for (int64_t i = 0; i < 60; i++) {
        assert_int_equal(test_load(u, down, 23 * i, 23 * i, NULL), LC_OK);
        assert_int_equal(test_load(u, up, apart + 17 * i, 17 * i, NULL), LC_OK);
    }
}

static uint64_t apart_in(const lc_universe *u)
{
    const lc_streams *s = inside(u)->streams;
    uint64_t apart = 0;
    for (size_t i = 0; i < sizeof s->asked / sizeof *s->asked; i++)
        apart += s->asked[i].apart;
    return apart;
}

// Whether objects were seen that go that far in some time.
static bool has_seen(const lc_universe *u, int dx, int dy)
{
    const lc_streams *s = inside(u)->streams;
    for (int i = 1; i < s->velocity_count; i++)
        if (s->velocities[i].dx == dx && s->velocities[i].dy == dy)
            return true;
    return false;
}

static void expect_same_streams(lc_universe *u, lc_universe *sparse, uint64_t steps)
{
    static const uint64_t generations[] = {64, 1024, 128, 1, 256, 333};
    for (uint64_t i = 0; i < steps; i++) {
        test_step(u, generations[i % 6]);
        test_step(sparse, generations[i % 6]);
        expect_same(u, sparse);
    }
}

// Squares that are taken apart become what they would become whole: whatever the rule, and whether
// what moves in them passes, touches or meets.
static void test_streams(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "B3/S23",     "B36/S23",
        "B2/S",       // everything spreads
        "B3/S023",    // few ships
        "B3/S1234",   // none
        "B3/S2-i34q", // not totalistic
    };
    uint64_t apart = 0;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        for (uint64_t seed = 0; seed < (test_slowness() > 1 ? 1 : 4); seed++) {
            const lc_rule *rule = rule_of(rules[k]);
            lc_universe *u = test_create(tested, rule, (lc_topology){0}, 0);
            lc_universe *sparse = test_create("sparse", rule, (lc_topology){0}, 0);
            scatter(u, 400, 20 + 9 * (int64_t)seed, test_seed() + seed);
            scatter(sparse, 400, 20 + 9 * (int64_t)seed, test_seed() + seed);
            expect_same_streams(u, sparse, k == 2 ? 1 : 6);
            apart += apart_in(u);
            lc_universe_destroy(&u);
            lc_universe_destroy(&sparse);
        }
    }
    for (int64_t distance = -12; distance <= 40; distance += test_slowness() > 1 ? 13 : 1) {
        const lc_rule *rule = rule_of(rules[distance % 2 == 0 ? 0 : 5]); // both have the glider
        lc_universe *u = test_create(tested, rule, (lc_topology){0}, 0);
        lc_universe *sparse = test_create("sparse", rule, (lc_topology){0}, 0);
        draw_streams(u, distance);
        draw_streams(sparse, distance);
        expect_same_streams(u, sparse, 6);
        assert_true(has_seen(u, 1, 1) && has_seen(u, -1, -1));
        apart += apart_in(u);
        lc_universe_destroy(&u);
        lc_universe_destroy(&sparse);
    }
    assert_true(apart > 1000);
}

// Gliders that go the same way and are not yet one object meet before they have gone a cell: the
// second one is `age` generations old, and (dx, dy) off. A third glider comes towards them: it
// would pass both of them, and meets what they become.
static void test_companions(void **state)
{
    (void)state;
    static const char *const ages[] = {"bo$2bo$3o!", "$obo$b2o$bo!", "$2bo$obo$b2o!",
                                       "$bo$2b2o$b2o!"};
    static const struct {
        int age, dx, dy;
    } pairs[] = {{1, -4, -3}, {1, -2, 4},  {1, -1, 4},  {1, 0, 4},  {1, 1, 4},
                 {1, 2, 4},   {2, -5, -2}, {2, -5, -1}, {2, -5, 0}, {2, -5, 1},
                 {2, -2, 4},  {2, -1, 4},  {2, 0, 4},   {2, 1, 4},  {3, -5, -3}};
    const size_t count = sizeof pairs / sizeof *pairs, step = test_slowness() > 1 ? 7 : 1;
    for (size_t k = 0; k < 8 * count; k += step) {
        const size_t i = k % count;
        const int64_t from = 6 + (int64_t)(k / count) * 3, beside = (int64_t)(5 * k % 31) - 15;
        lc_universe *u = plane(tested, 0), *sparse = plane("sparse", 0);
        lc_universe *const both[2] = {u, sparse};
        for (int n = 0; n < 2; n++) {
            if (k < count)
                draw_streams(both[n], 400);
            const char *second = ages[pairs[i].age];
            assert_int_equal(test_load(both[n], ages[0], 90, 40, NULL), LC_OK);
            assert_int_equal(test_load(both[n], second, 90 + pairs[i].dx, 40 + pairs[i].dy, NULL),
                             LC_OK);
            assert_int_equal(
                test_load(both[n], "3o$o$bo!", 90 + from + beside, 40 + from - beside, NULL),
                LC_OK);
        }
        expect_same_streams(u, sparse, 2);
        lc_universe_destroy(&u);
        lc_universe_destroy(&sparse);
    }
}

static int by_two(void **state)
{
    (void)state;
    tested = "hashlife:part=1";
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little_memory), cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_last_cells),    cmocka_unit_test(test_steps),
        cmocka_unit_test(test_rules),         cmocka_unit_test(test_leaps),
        cmocka_unit_test(test_stops),         cmocka_unit_test(test_fails_in_a_leap),
        cmocka_unit_test(test_far_future),    cmocka_unit_test(test_looks),
    };
    const struct CMUnitTest others[] = {cmocka_unit_test(test_by_itself),
                                        cmocka_unit_test(test_found_results_stay),
                                        cmocka_unit_test(test_each_rule_has_results),
                                        cmocka_unit_test(test_alternating_rules_again),
                                        cmocka_unit_test(test_threads_help),
                                        cmocka_unit_test(test_settings)};
    const struct CMUnitTest streams[] = {
        cmocka_unit_test(test_streams),    cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_steps),      cmocka_unit_test(test_rules),
        cmocka_unit_test(test_leaps),      cmocka_unit_test(test_stops),
        cmocka_unit_test(test_far_future), cmocka_unit_test(test_companions),
        cmocka_unit_test(test_looks),
    };
    tested = "hashlife";
    const int failed =
        (test_threaded() ? 0 : cmocka_run_group_tests_name("hashlife", tests, NULL, NULL)) +
        cmocka_run_group_tests_name("hashlife in general", others, NULL, NULL) +
        cmocka_run_group_tests_name("streams", streams, of_streams, NULL);
    return failed + cmocka_run_group_tests_name("hashlife by two threads", tests, by_two, NULL);
}
