// What the tests of universes share: creating, stepping and loading, where failing is a failure.
#ifndef LC_TESTS_SUPPORT_UNIVERSE_H
#define LC_TESTS_SUPPORT_UNIVERSE_H

#include "lightcone/lightcone.h"
#include "support.h"

static const lc_topology infinite_plane = {.kind = LC_TOPOLOGY_PLANE};
static const char glider_rle[] = "x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n";

// test_wants_engine; LC_TEST_SETTINGS then follow its name. Blocks that grow have a plan for each
// size on a GPU, with kernels to compile; settings can give one plan to all.
bool test_takes_engine(lc_engine_info *info);

#define FOR_EACH_ENGINE(info)                                                                      \
    for (size_t engine_index = 0; lc_engine_at(test_context(), engine_index, &(info));             \
         engine_index++)                                                                           \
        if ((info).available && test_takes_engine(&(info)))

// With two threads; max_memory_bytes 0 for the default.
lc_universe *test_create(const char *engine, const lc_rule *rule, lc_topology topology,
                         uint64_t max_memory_bytes);
// The same of Life, and returns what lc_universe_create does.
lc_status test_try_create(lc_universe **out, const char *engine, lc_topology topology,
                          uint64_t max_memory_bytes, lc_message *message);
// Of a pattern's text, which says rule and topology; its (0, 0) is there.
lc_universe *test_create_pattern(const char *engine, const char *text);
// Of the simd engine, with a soup of density 0.4 all over it, or of 300 x 200 cells where it is
// unbounded.
lc_universe *test_create_soup(const lc_topology *topology, const lc_rule *rule, const char *level,
                              int threads);
void test_step(lc_universe *universe, uint64_t generations);
// The same for a board, by the word oracle and not by the universe's engine: its cells are read,
// stepped, and written back. Both directions have to be bounded.
void test_step_by_oracle(lc_universe *universe, uint64_t generations);
void test_set(lc_universe *universe, int64_t x, int64_t y); // alive

// The byte that a picture has for a square of `side` cells a side, as it is defined.
uint8_t test_tone(uint32_t count, int64_t side);

// Fails unless lc_universe_picture shows squares with such counts, and writes nothing else.
void test_picture(const lc_universe *universe, int64_t x, int64_t y, int64_t side, int64_t width,
                  int64_t height, const uint32_t *counts);

// Loads a pattern from its text, with its (0, 0) at (x, y).
lc_status test_load(lc_universe *universe, const char *text, int64_t x, int64_t y,
                    lc_message *message);

// Generation, population, box and hash.
void test_expect_same_facts(const lc_universe *a, const lc_universe *b);

#endif
