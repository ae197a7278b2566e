// Cached statistics of the sparse engine: population, bounding box and hash, per tile and in total.
//
// Statistics are usually sampled at a fixed interval, so the same phases of a cycle are sampled
// repeatedly. A sleeping tile has the same cells in a phase as one cycle earlier. The cache
// therefore keeps the facts of all tiles once per sampled phase, and a query costs time only for
// tiles that have changed.
//
// A query recomputes a tile if its claim (sparse_tile_update.h) is newer than the cached facts.
// Between two rounds it also recomputes tiles that overlap a changed tile, and all tiles if more
// than one in eight has changed. lc_plane.stamps holds the newest claim of each group of tiles, so
// the query skips groups that slept.
//
// The first query caches nothing, so a program that asks once needs no memory for phases. A phase
// that does not fit in the cache's share of memory is not kept. All phases are dropped after
// LC_FACTS_IDLE_ROUNDS rounds without a query, when the engine discards its history, and when
// memory is short.
#ifndef LC_ENGINE_SPARSE_SPARSE_FACTS_CACHE_H
#define LC_ENGINE_SPARSE_SPARSE_FACTS_CACHE_H

#include "engine/sparse/sparse_plane.h"

enum {
    LC_FACTS_PHASES_MAX = 64,
    LC_FACTS_MEMORY_DIVISOR = 8,    // at most this fraction of the plane's limit_bytes
    LC_FACTS_IDLE_ROUNDS = 1 << 12, // rounds without a query until the cache is dropped
    LC_FACTS_WEIGHTS_LOG2 = 8,
    LC_FACTS_GROUPS = LC_PLANE_CHUNK / LC_PLANE_GROUP, // groups per chunk
};

typedef struct lc_facts_sum {
    uint64_t population, hash;
    lc_box box;
} lc_facts_sum;

// Facts of one chunk of tiles in one phase.
typedef struct lc_facts_chunk {
    uint64_t hashes[LC_PLANE_CHUNK];
    uint32_t shapes[LC_PLANE_CHUNK]; // population << 20 | four 5-bit margins; 0: no live cell
    lc_box boxes[LC_FACTS_GROUPS];
    lc_facts_sum sum;
} lc_facts_chunk;

// Facts of all tiles in one phase of the cycle.
typedef struct lc_facts_phase {
    uint64_t round;      // within the cycle
    int offset;          // generations since the round began
    uint64_t valid_to;   // newest claim that the facts include; 0: no facts yet
    uint64_t queried_at; // round of the last query
    lc_facts_chunk **chunks;
    size_t chunk_count;
    lc_facts_sum facts; // of all chunks
} lc_facts_phase;

// Direct-mapped cache of hash weights, by the coordinates of a tile's first cell. The weight of a
// cell is 2^x b^y; columns hold 2^x, rows hold b^y.
typedef struct lc_hash_weight_cache {
    struct {
        int64_t at;
        uint64_t weight; // 0: empty entry
    } columns[1 << LC_FACTS_WEIGHTS_LOG2], rows[1 << LC_FACTS_WEIGHTS_LOG2];
} lc_hash_weight_cache;

typedef struct lc_facts_worker {
    lc_hash_weight_cache weights;
    lc_facts_sum sum; // of the chunks that this worker processed in the current query
} lc_facts_worker;

typedef struct lc_facts_cache {
    bool was_queried;     // at least once since the cache was dropped
    uint64_t queried_at;  // round of the last query
    uint64_t last_change; // newest claim of a write, or of a round that claimed a tile
    lc_facts_phase phases[LC_FACTS_PHASES_MAX];
    int phase_count;
    uint64_t held_bytes;                 // by the chunks of all phases
    uint64_t row_weights[LC_TILE_WORDS]; // b^y for each word of a tile
    lc_facts_worker *workers;            // one per thread
} lc_facts_cache;

#endif
