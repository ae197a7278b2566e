// Proves that a pattern grows for ever because its engines emit objects, and finds these objects.
//
// The cells are divided into objects in two generations that are a multiple of the population's
// period apart. Cells of no repeating object are engines. An engine must be the same in both
// generations, at a distance of (dx, dy). Each engine is then stepped alone:
//
//     generation 0             generation `period`
//     engine                   engine, (dx, dy) away, and the emitted objects
//
// The pattern repeats this for ever under two conditions. No engine ever comes near another engine,
// an object of generation 0, or an object that was emitted in this or an earlier period. These
// objects never come near each other.
#ifndef LC_IDENTIFY_EMISSION_H
#define LC_IDENTIFY_EMISSION_H

#include "identify/track.h"

typedef struct lc_emission {
    uint64_t period;    // 0: nothing was proved
    uint64_t start;     // generation 0 of the proof, as the track counts
    bool moves;         // an engine does
    int64_t dx, dy;     // movement of the engines in a period; 0 if they go different ways
    lc_objects emitted; // in each period, by all engines
} lc_emission;

// Steps the universe of a track that grows (LC_END_GROWS). *emission is all zeros before. Returns
// as lc_identify.
lc_status lc_find_emission(lc_emission *emission, lc_track *track, lc_message *message);
void lc_emission_free(lc_emission *emission);

// The same for a track whose growth is proved already, by a front that moves by (dx, dy) in each
// period. The objects behind the front may lie so close together that the proof above fails.
// *emission remains zeros if no engine is found.
lc_status lc_find_left_behind(lc_emission *emission, lc_track *track, int64_t dx, int64_t dy,
                              lc_message *message);

#endif
