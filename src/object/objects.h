// Divides the live cells of a plane into objects, and tells whether they will ever meet.
//
// Cells that are near each other (lc_live_groups) form a group, and each group's fate is found as
// if it were alone. Groups at rest whose footprints (the cells of all their phases) are near each
// other affect each other, so they become one group, and its fate is found. The same holds for
// spaceships with one velocity that keep near each other. Groups that do not repeat themselves
// alone are stepped together, with the groups that they touch, and are divided anew: an engine may
// need blocks that it does not touch at this moment. At the end all groups at rest are so far apart
// that each evolves in company as it does alone. Two spaceships, or a spaceship and a group at
// rest, evolve as they do alone as long as their boxes, which move at constant speed, keep apart;
// lc_objects_will_meet computes that for all of the future.
#ifndef LC_OBJECT_OBJECTS_H
#define LC_OBJECT_OBJECTS_H

#include "object/fate.h"

typedef struct lc_objects {
    lc_part *at; // objects, with their places on the plane; their fates belong to the lc_fates
    size_t count, room;
    lc_live active;  // the cells of all groups that do not repeat themselves; sorted
    uint64_t period; // the least common multiple of the objects' periods; 0: above UINT64_MAX
    // The active cells keep apart from the objects for so many generations. 0: this is not known.
    uint64_t apart;
} lc_objects;

// Replaces *objects, a structure of zeros or an earlier result, by the objects of a sorted list.
// Objects with periods of up to `limit` are found. Returns LC_OK; LC_ERROR_LIMIT (there are more
// than LC_SHIPS_MAX spaceships); LC_ERROR_MEMORY; LC_ERROR_STOPPED (by lc_set_give_up).
lc_status lc_objects_find(lc_objects *objects, lc_fates *fates, const lc_live *cells,
                          uint64_t limit);
void lc_objects_free(lc_objects *objects);

// Appends the objects of another list, without its active cells; `period` stays as it is. Returns
// false if out of memory.
bool lc_objects_add_all(lc_objects *objects, const lc_objects *more);

// Returns the least common multiple of two periods; 0: it is above UINT64_MAX, or one of them is 0.
uint64_t lc_common_period(uint64_t a, uint64_t b);

// Returns whether a spaceship may come near another object, now or later.
bool lc_objects_will_meet(const lc_objects *objects);

// Returns whether an object, which is at its place now, is near a live cell of the field
// `generations` later: any cell of its footprint or, if it moves, of the box of its phases.
bool lc_part_is_near(const lc_part *part, const lc_field *field, uint64_t generations);

// Returns whether all objects move alike, or not at all, and sets *dx and *dy to how far they move
// in `objects->period`. False: 0, 0; also if the period or the distance is not known.
bool lc_objects_move_alike(const lc_objects *objects, int64_t *dx, int64_t *dy);

// Returns the hash of all objects `generations` later or, if that is negative, earlier: the sum of
// their hashes, as each of them is alone.
uint64_t lc_objects_hash(const lc_objects *objects, int64_t generations);

enum { LC_SHIPS_MAX = 4096 };

#endif
