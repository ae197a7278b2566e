// Two universes of which everything that can be seen must be the same: one that the sparse engine
// steps, or another one that LC_TEST_ENGINE names, and one that a dense engine does.
#ifndef LC_TESTS_SUPPORT_PAIR_H
#define LC_TESTS_SUPPORT_PAIR_H

#include "support_universe.h"

typedef struct pair {
    lc_universe *sparse, *dense;
} pair;

// How the sparse one is made; 0 throughout: Life on the infinite plane, two threads, the best
// level.
typedef struct pair_options {
    const lc_rule *rule; // NULL: Life
    lc_topology topology;
    const char *level;
    int threads;
    uint64_t max_memory_bytes;
    uint64_t audit_generations;
    bool may_skip; // generations, once the cells repeat themselves
} pair_options;

pair pair_create(const pair_options *options);
void pair_destroy(pair *p);

// Both are changed, or stepped, in the same way.
void pair_step(const pair *p, uint64_t generations);
void pair_set(const pair *p, int64_t x, int64_t y, bool alive);
void pair_clear(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height);
void pair_soup(const pair *p, int64_t x, int64_t y, int64_t width, int64_t height, double density,
               uint64_t seed);
void pair_load(const pair *p, const char *rle, int64_t x, int64_t y);

// A random change of that size at most, near (x, y).
void pair_edit(const pair *p, dice *d, int64_t x, int64_t y, int64_t size);

// Fails unless both show the same: generation, facts, background, all cells of the box and some
// round it, and views from several distances. `what` and `number` are for the message.
void pair_compare(const pair *p, dice *d, const char *what, uint64_t number);

// 1, 2, 14, 15, 16, 29, 30, 31, 45, or any number up to `most`; never more than that.
uint64_t pair_some_generations(dice *d, uint64_t most);

// Objects; those that move go to the lower right.
extern const char pair_block[], pair_blinker[], pair_pulsar[], pair_pentadecathlon[], pair_gun[];

#endif
