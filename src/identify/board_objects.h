// Separates the cells of a bounded universe into objects.
//
// On a torus the cells are laid out on the plane: each side is cut where its widest empty band is,
// and groups of cells that still lie across a cut are put together again. lc_objects_find divides
// the cells there. Then each object is stepped alone on the plane, and its cells are wrapped round
// the torus. If they make up all generations that were observed of a full period, the objects never
// affect each other, and an object never affects itself from behind. A full period is that of all
// cells or, if all objects move alike, that of the objects: the rest is the same elsewhere.
//
// A Klein bottle is taken for a torus of twice the size. On other surfaces cells are not put
// together across an edge. If an object lies across one, no objects are found.
#ifndef LC_IDENTIFY_BOARD_OBJECTS_H
#define LC_IDENTIFY_BOARD_OBJECTS_H

#include "identify/track.h"

// Now and then finds out whether the pattern moves round a torus as it does on the plane. If so,
// sets the result with LC_END_REPEATS. Returns as lc_identify.
lc_status lc_board_check(lc_track *track, lc_message *message);

// Finds the objects of a track that repeats itself. If all move alike round a torus, replaces the
// period by that after which they have moved, and sets their movement. Returns as lc_identify.
lc_status lc_board_find_objects(lc_track *track, lc_message *message);

#endif
