// Proves that a pattern becomes longer at one end for ever, such as a wick that is stretched.
//
// Of two generations a period P apart, the cells on one side of a line are the same in both, moved
// by the front's move. The cells on the other side of another line are also the same, moved by the
// back's move, mostly 0:
//
//     generation 0           ffffffWWWWWWWWWWWWbbbbbb
//     generation P     ffffffWWWWWWWWWWWWWWWWWWbbbbbb
//                                  <- both ->
// The middle, where both hold, looks the same after every move of the front. A cell can affect only
// cells at most P away within P generations. Let the middle be 2 P cells long and a move more. Then
// every cell's surroundings are the same as a period ago, relative to the front or to the back. So
// each period repeats the one before.
#ifndef LC_IDENTIFY_STRETCH_H
#define LC_IDENTIFY_STRETCH_H

#include "identify/track.h"

typedef struct lc_stretch {
    bool found;
    uint64_t start;           // the first of the two generations, as the track counts
    int64_t dx, dy;           // move of the front in a period
    int64_t back_dx, back_dy; // move of the back
    bool has_ships;           // spaceships are among the cells; set by the caller
} lc_stretch;

// Steps the universe of a track that grows (LC_END_GROWS) for a period, and sets *stretch. Returns
// as lc_identify.
lc_status lc_find_stretch(lc_stretch *stretch, lc_track *track, lc_message *message);

#endif
