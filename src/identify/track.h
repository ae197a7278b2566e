// The generations of a universe, observed one by one until the pattern repeats itself, settles into
// objects that never meet, or grows regularly.
//
//     repeats   the hash of the cells, relative to the corner of their box, equals an earlier one,
//               and so do population and size
//     settles   the population was periodic for a while; then the cells are divided into objects,
//               and no two of them will meet
//     grows     the population grew by the same number in each of some periods
//     copies    the cells are copies of the first generation's cells
//
// Population, hash and box of every generation are kept, 64 bytes each, so that the first
// generation of the final behaviour is found exactly.
#ifndef LC_IDENTIFY_TRACK_H
#define LC_IDENTIFY_TRACK_H

#include "lightcone/object.h"
#include "object/objects.h"

typedef struct lc_generation_facts {
    uint64_t population;
    uint64_t hash;     // of the cells
    uint64_t relative; // of the cells as if the corner of their box were (0, 0)
    int64_t x, y, width_cells, height_cells; // their box
    bool background;
} lc_generation_facts;

typedef enum lc_end {
    LC_END_LIMIT, // nothing was found within the limits
    LC_END_REPEATS,
    LC_END_SETTLES,
    LC_END_GROWS,       // by `growth` cells in each period
    LC_END_GROWS_TWICE, // the growth grows by `growth` cells in each period
    LC_END_COPIES,      // the cells are `copies` copies of the cells of generation 0
} lc_end;

typedef struct lc_track {
    lc_universe *universe; // the caller's, or `own`, if the caller's has been stepped
    lc_universe *own;
    uint64_t generations_max, cells_max;
    bool is_free;   // an infinite plane under a rule without B0: cells can be separated
    bool is_board;  // another topology, also without B0
    lc_fates fates; // if is_free or is_board
    lc_generation_facts *history; // of generations 0 .. now
    size_t room;
    uint64_t now;  // generations made
    uint64_t work; // live cells of all of them together
    // Generations by relative hash, open addressing; UINT32_MAX: no entry.
    uint32_t *seen;
    size_t seen_room;
    uint64_t longest; // period of objects that the next check looks for
    uint64_t next_objects, next_thorough, next_box, next_growth; // generations of the next checks
    lc_live start; // cells of generation 0; none if they are too many to be copied
    lc_live live;  // scratch
    bool is_over;  // the limits are reached

    // The result.
    lc_end end;
    uint64_t settles;    // first generation of the final behaviour
    uint64_t population; // in that generation
    uint64_t period;
    int64_t dx, dy;
    // Within a period, if the cells repeat as a whole.
    uint64_t population_min, population_max;
    int64_t growth;
    uint64_t periods_seen;
    uint64_t copies;
    bool has_objects; // of a board: `objects` are all that there is, `sheets` times each
    unsigned sheets;
    uint64_t returns_after; // of a board, if dx or dy is not 0: as lc_identity_facts
    lc_objects objects;     // also LC_END_SETTLES: in generation `now`
} lc_track;

// Initialises a zeroed structure; frees its memory.
lc_status lc_track_init(lc_track *track, lc_universe *universe, const lc_identify_options *options,
                        lc_message *message);
void lc_track_free(lc_track *track);

// Steps the universe until its end is known. After LC_END_GROWS it goes on, until it has grown for
// longer, or does something else. Returns as lc_identify.
lc_status lc_track_run(lc_track *track, lc_message *message);

// Steps the universe and keeps the population and hash. Returns as lc_universe_step.
lc_status lc_track_step(lc_track *track, lc_message *message);

// Does the same for several generations. LC_ERROR_LIMIT: they are more than may be made.
lc_status lc_track_advance(lc_track *track, uint64_t generations, lc_message *message);

// Returns the shortest period up to `most` that the population has had for a while; 0: none.
uint64_t lc_track_steady_period(const lc_track *track, uint64_t most);

// settle.c: finds out quickly whether the pattern settles after generation 0. If so, sets the
// result with LC_END_SETTLES, and keeps no history. Otherwise track->universe is at generation 0.
// Returns as lc_identify.
lc_status lc_track_settle(lc_track *track, lc_message *message);

// growth.c: returns whether the population has grown regularly up to now, and sets the result.
bool lc_track_grows(lc_track *track);

// growth.c: the growth is proved from generation `start` on. Goes back to the first generation from
// which the population has grown in that way, and steps on to compare it. Returns as
// lc_track_advance.
lc_status lc_track_find_begin(lc_track *track, uint64_t start, lc_message *message);

#endif
