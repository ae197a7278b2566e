// Memoised windows: the next state of a window's middle.
//
// Each worker has a table of fixed size, so no worker waits for another. Entries may be overwritten
// at any time. A window is stored when a worker meets it for the second time, since most windows of
// a soup never repeat. While few look-ups succeed, most windows are not looked up. Some still are,
// because a pattern with a long period has to be learned first. A hash collision is next to
// impossible (sparse_tile_hash.h). To detect one, the worker computes one of LC_MEMO_CHECK windows
// that it found.
#ifndef LC_ENGINE_SPARSE_SPARSE_MEMO_H
#define LC_ENGINE_SPARSE_SPARSE_MEMO_H

#include "engine/sparse/sparse_tile_hash.h"

typedef struct lc_memo_entry {
    lc_tile_hash window; // hash of the hashes of the four tiles
    lc_tile_hash middle;
    uint16_t seen; // mark of a window that was met once
    _Alignas(64) uint32_t cells[LC_TILE_WORDS];
} lc_memo_entry;

enum {
    LC_MEMO_LOG2 = 15,
    LC_MEMO_ENTRIES = 1 << LC_MEMO_LOG2,
    LC_MEMO_TRIAL = 1024,   // look-ups between two decisions whether look-ups pay
    LC_MEMO_PAUSE = 2,      // pause in trials if they do not pay,
    LC_MEMO_PAUSE_MAX = 16, // which grows to this while almost none succeeds
    LC_MEMO_CHECK = 1024,   // one of so many windows found is computed as a check
};

typedef struct lc_memo {
    lc_memo_entry *entries; // NULL: no table
    uint32_t looked, found; // in this trial
    uint32_t pause;         // windows left without a look-up
    uint32_t pause_trials;  // length of the last pause, in trials
    uint32_t unchecked;     // found since the last check
} lc_memo;

static inline size_t lc_memo_bytes(void)
{
    return LC_MEMO_ENTRIES * sizeof(lc_memo_entry); // whole huge pages
}

// Returns the key of a window. `salt` depends on the rule and the number of generations.
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
