// Proves that a pattern becomes longer at one end for ever, such as a wick that is stretched.
//
// Of two generations a period P apart, the cells on one side of a line are the same in both, moved
// by the front's move. The cells on the other side of another line are also the same, moved by the
// back's move, mostly 0:
//
//     generation 0           ffffffWWWWWWWWWWWWbbbbbb
//     generation P     ffffffWWWWWWWWWWWWWWWWWWbbbbbb
//                                  <- both ->
// The middle, where both hold, looks the same after every move of the front. No cell's effect gets
// further than P cells in P generations. So if the middle is 2 P cells long and a move more, each
// next period does as this one did: for every cell, all that affects it is what it was, either as
// seen from the front or as seen from the back.
#ifndef LC_IDENTIFY_STRETCH_H
#define LC_IDENTIFY_STRETCH_H

#include "identify/track.h"

typedef struct lc_stretch {
    bool found;
    int64_t dx, dy;           // move of the front in a period
    int64_t back_dx, back_dy; // move of the back
} lc_stretch;

// Steps the universe of a track that grows (LC_END_GROWS) for a period, and sets *stretch. Returns
// as lc_identify.
lc_status lc_find_stretch(lc_stretch *stretch, lc_track *track, lc_message *message);

#endif
