// Population, box and hash by tile: a look at them costs what has changed since the last one.
//
// Who writes statistics looks every so many generations, and so at few moments of a cycle again and
// again. At a moment a tile that sleeps is what it was a cycle ago. So for each moment that
// somebody looks at, the facts of all tiles are kept, and their sums. A tile is looked at once more
// if it was claimed since then (sparse_tile_update.h), or, between two rounds, if a tile across has
// changed. Of each group of tiles the last claim is known, so that most of those that slept are not
// even asked.
//
// A single look keeps nothing. What is kept goes when nobody has looked for a while, when the past
// is forgotten, and where memory is short.
#ifndef LC_ENGINE_SPARSE_SPARSE_FACTS_CACHE_H
#define LC_ENGINE_SPARSE_SPARSE_FACTS_CACHE_H

#include "engine/sparse/sparse_plane.h"

enum {
    LC_TALLY_MOMENTS = 64,     // at most,
    LC_TALLY_SHARE = 8,        // and in so much of the memory
    LC_TALLY_ROUNDS = 1 << 12, // without a look: it goes
    LC_TALLY_WEIGHTS_LOG2 = 8,
    LC_TALLY_GROUPS = LC_PLANE_CHUNK / LC_PLANE_GROUP,
};

typedef struct lc_tally_facts {
    uint64_t population, hash;
    lc_box box;
} lc_tally_facts;

// A chunk of tiles at a moment.
typedef struct lc_tally_chunk {
    uint64_t hashes[LC_PLANE_CHUNK];
    uint32_t shapes[LC_PLANE_CHUNK]; // populations and margins; 0: dead
    lc_box boxes[LC_TALLY_GROUPS];
    lc_tally_facts sum;
} lc_tally_chunk;

typedef struct lc_tally_moment {
    uint64_t round;     // of a cycle,
    int offset;         // and generations since it began
    uint64_t claim;     // the last one that the facts know of
    uint64_t looked_at; // the round
    lc_tally_chunk **chunks;
    size_t chunk_count;
    lc_tally_facts facts;
} lc_tally_moment;

// What cells weigh in the hash, by where a tile begins: 2^x and b^y, mostly known already.
typedef struct lc_tally_weights {
    struct {
        int64_t at;
        uint64_t weight; // 0: none yet
    } columns[1 << LC_TALLY_WEIGHTS_LOG2], rows[1 << LC_TALLY_WEIGHTS_LOG2];
} lc_tally_weights;

typedef struct lc_tally_worker {
    lc_tally_weights weights;
    lc_tally_facts sum; // of the chunks that it has looked at
} lc_tally_worker;

typedef struct lc_tally {
    bool is_wanted; // somebody has looked
    uint64_t looked_at;
    uint64_t stirred; // the last claim of a round in which there was any
    lc_tally_moment moments[LC_TALLY_MOMENTS];
    int count;
    uint64_t held_bytes;
    uint64_t row_weights[LC_TILE_WORDS]; // b^y, as the words of a tile
    lc_tally_worker *workers;
} lc_tally;

#endif
