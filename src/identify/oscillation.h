// Counts how the cells of an oscillator change in a period.
#ifndef LC_IDENTIFY_OSCILLATION_H
#define LC_IDENTIFY_OSCILLATION_H

#include "identify/track.h"

// Steps the universe of a track that repeats itself in place for one period, and sets heat, stator,
// rotor and full_period_cells. They stay 0 if the phases together have too many cells to be kept.
// Returns as lc_universe_step.
lc_status lc_measure_oscillation(lc_track *track, lc_identity_facts *facts, lc_message *message);

#endif
