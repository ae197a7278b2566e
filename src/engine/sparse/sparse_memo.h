// Remembered windows: what the middle of a window became the last time.
//
// A table of fixed size for each worker, so that none waits for another. What is in it may be
// overwritten at any time. A window gets in when it is met for the second time: most windows of a
// soup never are. While hardly any is found, most are not even looked for; but some are, since what
// repeats itself after a long time has to be learned first. That two windows have one key is next
// to impossible (sparse_tile_hash.h); one of LC_MEMO_CHECK that are found is computed all the same,
// so that it could not go on unseen.
#ifndef LC_ENGINE_SPARSE_SPARSE_MEMO_H
#define LC_ENGINE_SPARSE_SPARSE_MEMO_H

#include "engine/sparse/sparse_tile_hash.h"

typedef struct lc_memo_entry {
    lc_tile_hash window; // the sum over the names of the four tiles
    lc_tile_hash middle;
    uint16_t seen; // a mark of a window that was met once
    _Alignas(64) uint32_t cells[LC_TILE_WORDS];
} lc_memo_entry;

enum {
    LC_MEMO_LOG2 = 15,
    LC_MEMO_ENTRIES = 1 << LC_MEMO_LOG2,
    LC_MEMO_TRIAL = 1024,   // windows looked for, after which it is decided whether it pays
    LC_MEMO_PAUSE = 2,      // times as many that are not looked for if it does not,
    LC_MEMO_PAUSE_MAX = 16, // and more and more, up to these, while next to none is
    LC_MEMO_CHECK = 1024,   // one of so many that are found is computed all the same
};

typedef struct lc_memo {
    lc_memo_entry *entries; // NULL: no table
    uint32_t looked, found; // in this trial
    uint32_t pause;         // windows that are not looked for
    uint32_t pause_trials;  // how long the last one was
    uint32_t unchecked;     // found since one was computed all the same
} lc_memo;

static inline size_t lc_memo_bytes(void)
{
    return LC_MEMO_ENTRIES * sizeof(lc_memo_entry); // whole huge pages
}

// `salt`: what else the middle depends on, the rule and the generations.
static inline lc_tile_hash lc_memo_key(const lc_tile_hash_secrets *secrets,
                                       const lc_tile_hash names[4], uint64_t salt)
{
    uint64_t words[10];
    memcpy(words, names, 4 * sizeof *names);
    words[8] = salt;
    words[9] = 0;
    const lc_tile_hash_sum sum = lc_tile_hash_sum_of(secrets, words, 10);
    return (lc_tile_hash){(uint64_t)sum, (uint64_t)(sum >> 64) | 1}; // never 0, 0
}

static inline lc_memo_entry *lc_memo_at(const lc_memo *memo, lc_tile_hash key)
{
    return &memo->entries[(key.low * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - LC_MEMO_LOG2)];
}

#endif
