// Finds the objects that a growing pattern sends out or leaves behind in each period.
//
// The cells are divided into objects in three generations that are a multiple of the population's
// period apart. The engine consists of all cells that belong to no object that repeats itself. The
// engine must be the same in all three generations, and each of its parts must have moved by the
// same distance each time. The objects must have become more by the same numbers.
#ifndef LC_IDENTIFY_EMISSION_H
#define LC_IDENTIFY_EMISSION_H

#include "identify/track.h"

// Movement of the engine in a period. It may have parts that go different ways.
typedef struct lc_move {
    bool moves;     // any part does
    bool differs;   // parts move by different distances; then dx = dy = 0
    int64_t dx, dy; // how far the engine moves
} lc_move;

typedef struct lc_emission {
    uint64_t period; // 0: no such division was found
    lc_move move;
    lc_objects first, second; // a period apart: the second has what was added
} lc_emission;

// Steps the universe of a track that grows (LC_END_GROWS). *emission is all zeros before. Returns
// as lc_identify.
lc_status lc_find_emission(lc_emission *emission, lc_track *track, lc_message *message);
void lc_emission_free(lc_emission *emission);

// Returns by how many an object's number grows in a period: the object at `fate`, in any phase and
// orientation.
int64_t lc_emitted(const lc_emission *emission, const lc_fate *fate);

#endif
