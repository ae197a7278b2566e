// Creating, stepping and loading universes in tests.
#include "support_universe.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"

bool test_takes_engine(lc_engine_info *info)
{
    static char name[LC_ENGINE_SETTINGS_BYTES + 16];
    const char *settings = getenv("LC_TEST_SETTINGS");
    // Tests of engines for only the plane compare pairs (support_pair.h), unless LC_TEST_ENGINE
    // names the engine.
    const bool wanted =
        test_wants_engine(info->name) && (!info->infinite_only || getenv("LC_TEST_ENGINE") != NULL);
    if (wanted && settings != NULL) {
        snprintf(name, sizeof name, "%s:%s", info->name, settings);
        info->name = name;
    }
    return wanted;
}

static lc_status create(lc_universe **out, const char *engine, const lc_rule *rule,
                        lc_topology topology, uint64_t max_memory_bytes, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = 2,
                                         .max_memory_bytes = max_memory_bytes};
    return lc_universe_create(out, &options, message);
}

lc_status test_try_create(lc_universe **out, const char *engine, lc_topology topology,
                          uint64_t max_memory_bytes, lc_message *message)
{
    return create(out, engine, LIFE, topology, max_memory_bytes, message);
}

lc_universe *test_create(const char *engine, const lc_rule *rule, lc_topology topology,
                         uint64_t max_memory_bytes)
{
    lc_universe *universe = NULL;
    lc_message message = {0};
    if (create(&universe, engine, rule, topology, max_memory_bytes, &message) != LC_OK)
        fail_msg("%s: %s", engine != NULL ? engine : "auto", message.text);
    return universe;
}

lc_universe *test_create_pattern(const char *engine, const char *text)
{
    lc_message message = {0};
    lc_pattern *pattern = NULL;
    if (lc_pattern_open_memory(&pattern, text, strlen(text), &message) != LC_OK)
        fail_msg("open: %s", message.text);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    lc_universe *universe = test_create(engine, header->rule, header->topology, 0);
    if (lc_universe_load(universe, pattern, 0, 0, &message) != LC_OK)
        fail_msg("load: %s", message.text);
    lc_pattern_close(&pattern);
    return universe;
}

void test_step(lc_universe *universe, uint64_t generations)
{
    lc_message message = {0};
    if (lc_universe_step(universe, lc_count_of(generations), NULL, NULL, &message) != LC_OK)
        fail_msg("step: %s", message.text);
}

void test_step_by_oracle(lc_universe *universe, uint64_t generations)
{
    const lc_topology *t = lc_universe_topology(universe);
    const int64_t width = t->width_cells, height = t->height_cells;
    lc_message message = {0};
    word_oracle *board =
        word_oracle_create(width, height, oracle_rule_of(lc_universe_rule(universe)), t);
    for (int64_t y = 0; y < height; y++)
        assert_int_equal(test_read_row(universe, 0, y, width, word_oracle_row(board, y)), LC_OK);
    word_oracle_step(board, generations);
    for (int64_t y = 0; y < height; y++)
        if (test_write_row(universe, 0, y, width, word_oracle_row(board, y), &message) != LC_OK)
            fail_msg("write: %s", message.text);
    const uint64_t from = test_generation(universe);
    lc_universe_set_generation(universe, lc_count_of(from + generations));
    word_oracle_destroy(board);
}

void test_set(lc_universe *universe, int64_t x, int64_t y)
{
    lc_message message = {0};
    if (lc_universe_set(universe, x, y, true, &message) != LC_OK)
        fail_msg("set: %s", message.text);
}

uint8_t test_tone(uint32_t count, int64_t side)
{
    if (count == 0)
        return 0;
    const long tone = lround(255 * sqrt((double)count / (double)(side * side)));
    return (uint8_t)(tone < 1 ? 1 : tone);
}

void test_picture(const lc_universe *universe, int64_t x, int64_t y, int64_t side, int64_t width,
                  int64_t height, const uint32_t *counts)
{
    enum { CANARY_BYTES = 64 };
    const size_t size = (size_t)(width * height);
    uint8_t *room = malloc(size + 2 * CANARY_BYTES);
    assert_non_null(room);
    memset(room, 0xA5, size + 2 * CANARY_BYTES);
    const uint8_t *tones = room + CANARY_BYTES;
    lc_message message = {0};
    if (lc_universe_picture(universe, x, y, side, width, height, room + CANARY_BYTES, &message) !=
        LC_OK)
        fail_msg("%s", message.text);
    for (size_t i = 0; i < size; i++) {
        if (tones[i] != test_tone(counts[i], side))
            fail_msg("%" PRId64 " x %" PRId64 " squares of %" PRId64 " at (%" PRId64 ", %" PRId64
                     "): of %u live cells number %zu is shown as %d, not %d, seed %" PRIu64,
                     width, height, side, x, y, counts[i], i, tones[i], test_tone(counts[i], side),
                     test_seed());
    }
    for (size_t i = 0; i < CANARY_BYTES; i++)
        assert_true(room[i] == 0xA5 && tones[size + i] == 0xA5);
    free(room);
}

lc_status test_load(lc_universe *universe, const char *text, int64_t x, int64_t y,
                    lc_message *message)
{
    lc_pattern *pattern = NULL;
    lc_status status = lc_pattern_open_memory(&pattern, text, strlen(text), message);
    if (status == LC_OK)
        status = lc_universe_load(universe, pattern, x, y, message);
    lc_pattern_close(&pattern);
    return status;
}

lc_universe *test_create_soup(const lc_topology *topology, const lc_rule *rule, const char *level,
                              int threads)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = *topology,
                                         .engine = "simd",
                                         .cpu_level = level,
                                         .threads = threads};
    lc_universe *universe;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("%s", message.text);
    const int64_t width = topology->width_cells ? topology->width_cells : 300;
    const int64_t height = topology->height_cells ? topology->height_cells : 200;
    assert_int_equal(lc_universe_soup(universe, 0, 0, width, height, 0.4, 7, &message), LC_OK);
    return universe;
}

void test_expect_same_facts(const lc_universe *a, const lc_universe *b)
{
    const lc_facts p = test_facts(a, LC_FACT_ALL), q = test_facts(b, LC_FACT_ALL);
    assert_int_equal(test_generation(a), test_generation(b));
    assert_int_equal(lc_count_compare(p.population, q.population), 0);
    assert_int_equal(p.hash, q.hash);
    assert_int_equal(p.box.empty, q.box.empty);
    if (p.box.empty)
        return;
    assert_int_equal(p.box.x, q.box.x);
    assert_int_equal(p.box.y, q.box.y);
    assert_int_equal(p.box.width_cells, q.box.width_cells);
    assert_int_equal(p.box.height_cells, q.box.height_cells);
}
