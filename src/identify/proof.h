// The parts of a proof that a pattern grows for ever: see emission.h.
#ifndef LC_IDENTIFY_PROOF_H
#define LC_IDENTIFY_PROOF_H

#include "identify/track.h"
#include "object/strip.h"

// Cells that go the same way.
typedef struct lc_emitter {
    lc_live cells;      // in generation 0
    int64_t dx, dy;     // by which they move in a period
    lc_strip strip;     // of all that they do within a period, emitted objects included
    lc_objects emitted; // in generation `period`
} lc_emitter;

enum { LC_ENGINES_MAX = 16 };

typedef struct lc_proof {
    lc_track *track;
    const lc_objects *objects; // of generation 0
    uint64_t start;            // generation 0, as the track counts
    uint64_t limit;            // of the periods of objects
    uint64_t period;
    lc_emitter engines[LC_ENGINES_MAX];
    size_t count;
    lc_field field; // scratch
    // Objects of generation 0 at rest that are near emitted ones at rest, and for how many periods
    // they, or emitted ones, are near later ones.
    lc_objects near;
    int64_t periods_near;
} lc_proof;

// A step of the proof returns LC_OK (it holds); this; or an error.
static const lc_status LC_NOT_PROVED = LC_ERROR_UNSUPPORTED;

// Whether the engines, the objects of generation 0, and what the engines emit never affect each
// other.
lc_status lc_proof_compare(lc_proof *proof);

#endif
