// Two universes that must show the same: one stepped by the sparse engine or by LC_TEST_ENGINE, and
// one stepped by a dense engine.
#ifndef LC_TESTS_SUPPORT_PAIR_H
#define LC_TESTS_SUPPORT_PAIR_H

#include "support_universe.h"

typedef struct pair {
    lc_universe *sparse, *dense;
} pair;

// Options of the first universe. All 0: Life on the infinite plane, two threads, the best level.
typedef struct pair_options {
    const lc_rule *rule; // NULL: Life
    lc_topology topology;
    const char *level;
    int threads;
    uint64_t max_memory_bytes;
    uint64_t audit_generations;
    bool may_skip; // skip generations once the cells repeat
} pair_options;

pair pair_create(const pair_options *options);
void pair_destroy(pair *p);

// Change or step both universes in the same way.
void pair_step(const pair *p, uint64_t generations);
void pair_set(const pair *p, int64_t x, int64_t y, bool alive);
void pair_clear(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height);
void pair_soup(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height, double density,
               uint64_t seed);
void pair_load(const pair *p, const char *rle, int64_t x, int64_t y);

// Makes a random change of at most that size near (x, y).
void pair_edit(const pair *p, dice *d, int64_t x, int64_t y, int64_t size);

// Fails unless both show the same generation, facts, background, cells in and around the box, and
// views at several scales. `what` and `number` are for the message.
void pair_compare(const pair *p, dice *d, const char *what, uint64_t number);

// Returns 1, 2, 14, 15, 16, 29, 30, 31, 45 or a random number, at most `most`.
uint64_t pair_some_generations(dice *d, uint64_t most);

// Objects; moving ones go to the lower right.
extern const char pair_block[], pair_blinker[], pair_pulsar[], pair_pentadecathlon[], pair_gun[];

#endif
