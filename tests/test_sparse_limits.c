// The sparse engine where something fails or interferes: memory that ends, allocations that fail,
// watches and callbacks that stop it; audits; and files of what is far apart.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "engine/sparse/sparse_tile_update.h"
#include "support.h"
#include "support_checkpoint.h"
#include "support_cover.h"
#include "support_facts.h"
#include "support_pair.h"

#define FAR INT64_C(1000000000)

static const char explodes[] = "B2/S"; // Seeds

// The dense one catches up with the generation that the sparse one says.
static void catch_up(const pair *p)
{
    const uint64_t sparse = test_generation(p->sparse), dense = test_generation(p->dense);
    assert_true(sparse >= dense);
    test_step(p->dense, sparse - dense);
}

// Growth ends where memory does, and leaves the universe whole; room that is made is used.
static void reach_limit(dice *d, bool cuts_rounds)
{
    for (uint64_t i = 0; i < 6; i++) {
        lc_message message = {0};
        const bool has_guns = i % 2 != 0; // they run out of memory somewhere else
        const uint64_t most = (1 << 20) + (has_guns ? 0 : i << 19);
        pair p = pair_create(&(pair_options){.rule = has_guns ? LIFE : rule_of(explodes),
                                             .threads = 1 + (int)i % 3,
                                             .max_memory_bytes = most});
        pair_soup(&p, -30, -30, 60, 60, 0.3, i);
        if (has_guns)
            for (int64_t k = 0; k < 40; k++)
                pair_load(&p, pair_gun, 100 + 50 * k, -100 * k);
        lc_status status = LC_OK;
        while (status == LC_OK && test_generation(p.sparse) < 4000)
            status = lc_universe_step(p.sparse,
                                      lc_count_of(cuts_rounds ? pair_some_generations(d, 90) : 30),
                                      NULL, NULL, &message);
        assert_int_equal(status, LC_ERROR_LIMIT);
        assert_non_null(strstr(message.text, "memory"));
        assert_in_range(lc_universe_info_of(p.sparse).memory_bytes, 1, most);
        catch_up(&p);
        pair_compare(&p, d, "limit", i);
        assert_int_equal(lc_universe_step(p.sparse, lc_count_of(60), NULL, NULL, &message),
                         LC_ERROR_LIMIT);
        catch_up(&p);
        pair_compare(&p, d, "limit, again", i);
        test_checkpoint_write(p.sparse);
        lc_universe *again = NULL;
        assert_int_equal(test_checkpoint_restore(&again, "sparse", 0, &message), LC_OK);
        assert_int_equal(test_hash(again), test_hash(p.dense));
        test_step(again, 20);
        test_step(p.dense, 20);
        assert_int_equal(test_hash(again), test_hash(p.dense));
        lc_universe_destroy(&again);
        pair_destroy(&p);
    }
}

static void test_memory_limit(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 51);
    reach_limit(&d, false);
}

static void test_memory_limit_within_rounds(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 50);
    reach_limit(&d, true);
}

static void test_limit_can_be_left(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 52);
    lc_message message = {0};
    pair p = pair_create(&(pair_options){.rule = rule_of(explodes), .max_memory_bytes = 1 << 20});
    pair_soup(&p, 0, 0, 60, 60, 0.3, 1);
    assert_int_equal(lc_universe_step(p.sparse, lc_count_of(10000), NULL, NULL, &message),
                     LC_ERROR_LIMIT);
    catch_up(&p);
    const lc_box box = test_box(p.dense);
    pair_clear(&p, box.x, box.y, box.width_cells, box.height_cells);
    assert_int_equal(test_population(p.sparse), 0);
    pair_soup(&p, 500, -500, 4, 4, 0.5, 2);
    pair_step(&p, 70);
    pair_compare(&p, &d, "after a limit", 1);
    pair_destroy(&p);
}

// What tiles, tables and lists take, by their sizes.
static uint64_t bytes_of(const lc_sparse *s)
{
    const lc_tile_list *lists[] = {&s->touched, &s->changed, &s->at_edge, &s->scheduled,
                                   &s->next,    &s->lacking, &s->order};
    uint64_t bytes = s->plane.map_slots * sizeof *s->plane.map + s->due.room * sizeof(lc_due) +
                     s->plane.chunk_room * sizeof *s->plane.chunks +
                     s->shown_count * sizeof *s->shown + s->result_room * sizeof(lc_task_result);
    for (size_t i = 0; i < s->plane.chunk_count; i++)
        bytes += s->plane.chunks[i] != NULL ? LC_PLANE_CHUNK * s->plane.tile_bytes : 0;
    for (size_t i = 0; i < s->shown_count; i++)
        bytes += s->shown[i] != NULL ? LC_PLANE_COPY_BYTES : 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        bytes += lists[i]->room * sizeof *lists[i]->items;
    for (int i = 0; i < s->config.threads; i++)
        bytes += s->memos[i].entries != NULL ? lc_memo_bytes() : 0;
    bytes += s->plane.stamped_chunks * (LC_PLANE_CHUNK / LC_PLANE_GROUP) * sizeof(uint64_t);
    for (int k = 0; k < s->facts_cache.phase_count; k++) {
        const lc_facts_phase *m = &s->facts_cache.phases[k];
        for (size_t i = 0; i < m->chunk_count; i++)
            bytes += sizeof *m->chunks + (m->chunks[i] != NULL ? sizeof *m->chunks[i] : 0);
    }
    return bytes + (s->period_search.samples != NULL
                        ? LC_PERIOD_SEARCH_SAMPLES * sizeof(lc_period_search_sample)
                        : 0);
}

// All that grows counts, lists as well: after steps, looks and edits, and when life has left.
static void test_all_memory_counts(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 58);
    for (uint64_t i = 0; i < 4; i++) {
        pair p = pair_create(&(pair_options){.threads = 1 + (int)i % 2});
        const lc_sparse *s = (const lc_sparse *)block_of(p.sparse)->engine;
        pair_soup(&p, 0, 0, 700, 500, 0.4, i);
        for (int steps = 0; steps < 30; steps++) {
            pair_step(&p, pair_some_generations(&d, 90));
            if (dice_below(&d, 3) == 0)
                pair_compare(&p, &d, "counts", i);
            if (dice_below(&d, 3) == 0)
                pair_edit(&p, &d, 300, 300, 400);
            assert_int_equal(lc_universe_info_of(p.sparse).memory_bytes, bytes_of(s));
        }
        assert_true(s->scheduled.room > 0 && s->due.room > 0 && s->result_room > 0);
        const lc_box box = test_box(p.dense);
        pair_clear(&p, box.x, box.y, box.width_cells, box.height_cells);
        pair_step(&p, 70);
        assert_int_equal(lc_universe_info_of(p.sparse).memory_bytes, bytes_of(s));
        pair_destroy(&p);
    }
}

// Each allocation in turn fails, of all that creating, loading, stepping, changing and looking ask
// for: that is an error or does no harm, and no cell is ever wrong.
static bool try_allocation(uint64_t n, dice *d)
{
    static const char text[] = "x = 900, y = 2, rule = B3/S23\n3o894b3o$300b300o!\n";
    pair p = {.dense = test_create("simd", LIFE, infinite_plane, 0)};
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = infinite_plane,
                                         .engine = "sparse",
                                         .threads = 2};
    lc_pattern *pattern = NULL;
    lc_message message = {0};
    lc_fail_allocation(n);
    lc_status status = lc_universe_create(&p.sparse, &options, &message);
    if (status == LC_OK)
        status = lc_pattern_open_memory(&pattern, text, strlen(text), &message);
    if (status == LC_OK)
        status = lc_universe_load(p.sparse, pattern, -5, 70, &message);
    if (status == LC_OK)
        status = lc_universe_soup(p.sparse, 0, 0, 70, 70, 0.5, 1, &message);
    const bool began = status == LC_OK;
    const uint64_t stops[] = {40, 207, 1100};
    uint64_t reached = 0;
    for (size_t i = 0; i < 3 && status == LC_OK; i++) {
        uint64_t words[8];
        const lc_cells row = lc_row_cells(-10, 71, 500, words);
        lc_facts facts;
        status = lc_universe_step(p.sparse, lc_count_of(stops[i] - reached), NULL, NULL, &message);
        if (status == LC_OK)
            reached = stops[i];
        if (status == LC_OK)
            status = lc_universe_facts(p.sparse, LC_FACT_ALL, &facts, &message);
        if (status == LC_OK)
            status = lc_universe_read(p.sparse, &row, &message);
        if (status == LC_OK)
            status = lc_universe_checkpoint(p.sparse, test_checkpoint, &message);
    }
    lc_fail_allocation(0);
    if (status != LC_OK) {
        assert_int_equal(status, LC_ERROR_MEMORY);
        assert_true(message.text[0] != '\0');
    }
    if (began) {
        assert_int_equal(test_load(p.dense, text, -5, 70, &message), LC_OK);
        assert_int_equal(lc_universe_soup(p.dense, 0, 0, 70, 70, 0.5, 1, &message), LC_OK);
        catch_up(&p);
        pair_compare(&p, d, "allocation", n);
        pair_step(&p, 33);
        pair_compare(&p, d, "after allocation", n);
    } else if (p.sparse != NULL) {
        test_step(p.sparse, 3); // still whole
    }
    lc_pattern_close(&pattern);
    pair_destroy(&p);
    return status != LC_OK;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 53);
    int succeeded = 0; // some failures do no harm, so one success does not mean the end
    for (uint64_t n = 1; n < 1000 && succeeded < 40; n++)
        succeeded = try_allocation(n, &d) ? 0 : succeeded + 1;
    assert_int_equal(succeeded, 40);
}

// A change that fails for lack of memory changes nothing.
static void test_changes_that_fail(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 54);
    pair p = pair_create(&(pair_options){.threads = 1});
    pair_soup(&p, 3, 3, 100, 100, 0.4, 1);
    for (uint64_t n = 1; n < 40; n++) {
        pair_step(&p, pair_some_generations(&d, 60));
        const int64_t x = dice_below(&d, 4000), y = dice_below(&d, 4000);
        lc_message message = {0};
        lc_fail_allocation(1 + n % 4);
        const lc_status status = lc_universe_set(p.sparse, x, y, true, &message);
        lc_fail_allocation(0);
        if (status == LC_OK)
            assert_int_equal(lc_universe_set(p.dense, x, y, true, NULL), LC_OK);
        else
            assert_int_equal(status, LC_ERROR_MEMORY);
        pair_compare(&p, &d, "change", n);
    }
    pair_destroy(&p);
}

// Watches -----------------------------------------------------------------------------------------

typedef struct watcher {
    const pair *pair;
    dice *dice;
    int64_t calm; // one of so many calls stops
    int calls;
    bool compares;
} watcher;

static bool watch(void *context, const lc_universe *universe)
{
    watcher *w = context;
    assert_ptr_equal(universe, w->pair->sparse);
    w->calls++;
    if (w->compares && dice_below(w->dice, 8) == 0) {
        catch_up(w->pair);
        pair_compare(w->pair, w->dice, "watched", (uint64_t)w->calls);
    }
    return dice_below(w->dice, w->calm) == 0;
}

static bool stop_at_random(void *context, const lc_universe *universe, lc_count done,
                           lc_count total)
{
    watcher *w = context;
    (void)done;
    (void)total;
    return watch(w, universe);
}

// Passes that are stopped at random, looked at meanwhile, changed afterwards, and gone on with.
static void test_watches(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 55);
    int stopped = 0;
    for (uint64_t i = 0; i < 6; i++) {
        pair p = pair_create(&(pair_options){.threads = 1 + (int)i % 3});
        watcher w = {.pair = &p, .dice = &d, .calm = 2 + dice_below(&d, 6), .compares = i % 2 != 0};
        pair_soup(&p, -100, 40, 200 + 150 * (int64_t)i, 300, 0.4, i);
        lc_universe_set_watch(p.sparse, watch, &w, 0);
        for (int steps = 0; steps < 40 / test_slowness() + 5; steps++) {
            lc_message message = {0};
            const lc_status status =
                lc_universe_step(p.sparse, lc_count_of(pair_some_generations(&d, 200)),
                                 dice_below(&d, 2) == 0 ? stop_at_random : NULL, &w, &message);
            if (status != LC_OK)
                assert_int_equal(status, LC_ERROR_STOPPED);
            stopped += status != LC_OK;
            catch_up(&p);
            pair_compare(&p, &d, "stopped", i);
            if (dice_below(&d, 3) == 0)
                pair_edit(&p, &d, 0, 190, 200);
        }
        lc_universe_set_watch(p.sparse, NULL, NULL, 0);
        pair_step(&p, 100);
        pair_compare(&p, &d, "stopped", i);
        pair_destroy(&p);
    }
    assert_true(stopped > 6);
}

// Files -------------------------------------------------------------------------------------------

static uint64_t length_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long length = ftell(file);
    assert_int_equal(fclose(file), 0);
    return (uint64_t)length;
}

// What is far apart makes short files, and comes back as it was, between two rounds, too.
static void test_far_apart(void **state)
{
    (void)state;
    static const char *const names[] = {"sparse.rle", "sparse.lif", "sparse.lcs"};
    lc_message message = {0};
    for (uint64_t generation = 0; generation < 64; generation += 8) {
        lc_universe *u = test_create("sparse", LIFE, infinite_plane, 0);
        assert_int_equal(test_load(u, glider_rle, -FAR, -FAR, &message), LC_OK);
        assert_int_equal(test_load(u, glider_rle, FAR, FAR, &message), LC_OK);
        test_step(u, generation);
        const lc_facts facts = test_facts(u, LC_FACT_ALL);
        assert_int_equal(facts.box.width_cells, 2 * FAR + 3);
        for (size_t i = 0; i < 3; i++) {
            char path[160];
            (void)snprintf(path, sizeof path, "%s/%s", test_folder, names[i]);
            if (lc_universe_save(u, path, LC_FORMAT_AUTO, &message) != LC_OK)
                fail_msg("%s: %s", names[i], message.text);
            assert_in_range(length_of(path), 40, 1000);
            lc_universe *again = NULL;
            if (i == 2) {
                const lc_universe_options options = {
                    .struct_bytes = sizeof options, .context = test_context(), .engine = "sparse"};
                if (lc_universe_restore(&again, path, &options, &message) != LC_OK)
                    fail_msg("%s: %s", names[i], message.text);
                assert_int_equal(test_generation(again), generation);
            } else {
                lc_pattern *pattern;
                int64_t x, y;
                again = test_create("sparse", LIFE, infinite_plane, 0);
                assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
                lc_universe_place(again, lc_pattern_get_header(pattern), &x, &y);
                if (lc_universe_load(again, pattern, x, y, &message) != LC_OK)
                    fail_msg("%s: %s", names[i], message.text);
                lc_pattern_close(&pattern);
            }
            assert_int_equal(remove(path), 0);
            assert_int_equal(test_hash(again), facts.hash);
            test_step(again, 40);
            assert_int_equal(test_hash(again), lc_hash_moved(facts.hash, 10, 10));
            lc_universe_destroy(&again);
        }
        lc_universe_destroy(&u);
    }
}

// Checkpoints of soups, read by this engine and by the dense one, and written by either.
static void test_checkpoints(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "B3/S23",
        "B01/S23",  // a background that blinks
        "B03/S238", // one that stays alive
    };
    dice d = dice_from(test_seed(), 56);
    for (uint64_t i = 0; i < 9; i++) {
        lc_message message = {0};
        pair p = pair_create(&(pair_options){.rule = rule_of(rules[i % 3])});
        pair_soup(&p, 50 - dice_below(&d, 100), 77, 30, 40, 0.5, i);
        pair_step(&p, pair_some_generations(&d, 50));
        test_checkpoint_write(i % 2 == 0 ? p.sparse : p.dense);
        lc_universe_destroy(&p.sparse);
        lc_universe_destroy(&p.dense);
        if (test_checkpoint_restore(&p.sparse, "sparse", 0, &message) != LC_OK ||
            test_checkpoint_restore(&p.dense, "simd", 0, &message) != LC_OK)
            fail_msg("%s", message.text);
        pair_compare(&p, &d, "checkpoint", i);
        pair_step(&p, pair_some_generations(&d, 50));
        pair_compare(&p, &d, "checkpoint", i);
        pair_destroy(&p);
    }
}

// Audits compute cells again, and find nothing wrong.
static void test_audits(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 57);
    for (uint64_t i = 0; i < 6; i++) {
        pair p =
            pair_create(&(pair_options){.rule = i % 3 == 2 ? rule_of("B01/S23") : LIFE,
                                        .audit_generations = 1 + (uint64_t)dice_below(&d, 30)});
        pair_soup(&p, -FAR, 3 * FAR, 60, 60, 0.4, i);
        for (int steps = 0; steps < 6; steps++) {
            pair_step(&p, pair_some_generations(&d, 45));
            pair_edit(&p, &d, -FAR + 30, 3 * FAR + 30, 60);
        }
        pair_compare(&p, &d, "audits", i);
        pair_destroy(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_all_memory_counts),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_changes_that_fail),
        cmocka_unit_test(test_watches),
        cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_audits),
        cmocka_unit_test(test_limit_can_be_left),
        cmocka_unit_test(test_memory_limit_within_rounds),
    };
    return cmocka_run_group_tests_name("sparse_limits", tests, test_checkpoint_set_up,
                                       test_checkpoint_tear_down);
}
