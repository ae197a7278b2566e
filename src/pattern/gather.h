// Gathers the cells of a row into words, and hands them to a sink in pieces.
//
//        x                                    x + 64 * full + filled
//        |  words[0]  words[1] ...  |  last   |
//        +--------------------------+---------+ - - - - - - - - - - -
//
// Pieces hold at most LC_GATHER_CELLS cells, so memory is the same for every row; a long run of
// live cells bypasses the words altogether. The words above are plane 0. Further planes are used
// once a piece has a state above 1.
#ifndef LC_PATTERN_GATHER_H
#define LC_PATTERN_GATHER_H

#include <string.h>

#include "pattern/format.h"

enum {
    LC_GATHER_WORDS = 64,
    LC_GATHER_CELLS = LC_GATHER_WORDS * 64,
};

typedef struct lc_gather {
    const lc_sink *sink;
    int64_t x; // of bit 0 of words[0]; never beyond LC_UNIVERSE_REACH
    int64_t y;
    bool beyond;     // a call failed because a cell would be beyond LC_UNIVERSE_REACH
    unsigned full;   // words complete
    unsigned filled; // bits of `last`, below 64
    uint64_t last;
    int planes; // in use in this piece; those above are 0
    uint64_t words[LC_PLANES_MAX][LC_GATHER_WORDS + 1];
} lc_gather;

static inline void lc_gather_start(lc_gather *gather, const lc_sink *sink, int64_t x, int64_t y)
{
    gather->sink = sink;
    gather->x = x;
    gather->y = y;
    gather->beyond = false;
    gather->full = 0;
    gather->filled = 0;
    gather->last = 0;
    gather->planes = 1;
    memset(gather->words[1], 0, sizeof gather->words - sizeof gather->words[0]);
}

// These return what the sink returned, or LC_ERROR_FORMAT with `beyond` set.

// Passes the collected cells to the sink and continues after them.
lc_status lc_gather_flush(lc_gather *gather);

// Like lc_gather_flush without `last`, so that pieces of a long row stay aligned to words.
lc_status lc_gather_flush_words(lc_gather *gather);

// Appends a run of up to UINT64_MAX cells, dead or of state 1.
lc_status lc_gather_run(lc_gather *gather, uint64_t length, bool alive);

// Appends a run of up to UINT64_MAX cells of a state from 2 to 255. The sink has functions for
// them.
lc_status lc_gather_state_run(lc_gather *gather, uint64_t length, int state);

// Flushes and moves to column x of a row `rows` further down.
lc_status lc_gather_next_row(lc_gather *gather, uint64_t rows, int64_t x);

// Returns the status after one of them failed. Writes the message if a cell is out of range; the
// sink has written it otherwise.
lc_status lc_gather_fail(const lc_gather *gather, lc_status status, const lc_input *input,
                         const unsigned char *at, lc_message *message);

// Appends one cell. Returns true if all words are full; then the caller must call
// lc_gather_flush_words.
static inline bool lc_gather_cell(lc_gather *gather, bool alive)
{
    gather->last |= (uint64_t)alive << gather->filled;
    if (++gather->filled < 64)
        return false;
    gather->words[0][gather->full++] = gather->last;
    gather->last = 0;
    gather->filled = 0;
    return gather->full == LC_GATHER_WORDS;
}

#endif
