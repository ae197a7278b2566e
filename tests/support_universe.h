// Creating, stepping and loading universes in tests; errors fail the test.
#ifndef LC_TESTS_SUPPORT_UNIVERSE_H
#define LC_TESTS_SUPPORT_UNIVERSE_H

#include "lightcone/lightcone.h"
#include "support.h"

static const lc_topology infinite_plane = {.kind = LC_TOPOLOGY_PLANE};
static const char glider_rle[] = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n";

// Like test_wants_engine, and appends LC_TEST_SETTINGS to the name. On a GPU, growing blocks have a
// plan and kernels to compile for each size; settings can give all sizes one plan.
bool test_takes_engine(lc_engine_info *info);

#define FOR_EACH_ENGINE(info)                                                                      \
    for (size_t engine_index = 0; lc_engine_at(test_context(), engine_index, &(info));             \
         engine_index++)                                                                           \
        if ((info).available && test_takes_engine(&(info)))

// Creates a universe with two threads. max_memory_bytes 0: default.
lc_universe *test_create(const char *engine, const lc_rule *rule, lc_topology topology,
                         uint64_t max_memory_bytes);
// The same for Life; returns the status of lc_universe_create.
lc_status test_try_create(lc_universe **out, const char *engine, lc_topology topology,
                          uint64_t max_memory_bytes, lc_message *message);
// Creates a universe from a pattern's text with rule and topology. The pattern's (0, 0) is at (0,
// 0).
lc_universe *test_create_pattern(const char *engine, const char *text);
// Creates a universe of the simd engine with a soup of density 0.4 on the whole board, or on 300 x
// 200 cells if it is unbounded.
lc_universe *test_create_soup(const lc_topology *topology, const lc_rule *rule, const char *level,
                              int threads);
void test_step(lc_universe *universe, uint64_t generations);
// Steps a board with the word oracle instead of the engine: reads its cells, steps them and writes
// them back. Both directions must be bounded.
void test_step_by_oracle(lc_universe *universe, uint64_t generations);
void test_set(lc_universe *universe, int64_t x, int64_t y); // alive

// Returns the defined grey level of a square with `side` cells a side.
uint8_t test_tone(uint32_t count, int64_t side);

// Fails unless lc_universe_picture shows squares with these counts and writes nothing else.
void test_picture(const lc_universe *universe, int64_t x, int64_t y, int64_t side, int64_t width,
                  int64_t height, const uint32_t *counts);

// Loads a pattern from its text, with its (0, 0) at (x, y).
lc_status test_load(lc_universe *universe, const char *text, int64_t x, int64_t y,
                    lc_message *message);

// Compares generation, population, box and hash.
void test_expect_same_facts(const lc_universe *a, const lc_universe *b);

#endif
