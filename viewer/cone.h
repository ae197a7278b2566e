// Near pictures in the midst of a long pass: the generations between the one before the pass and
// the one after it.
//
// A pass takes a large board forward by many generations at once, and only at its end the cells of
// any of them are there. But nothing in Life moves faster than one cell a generation. So what is
// seen from near, with a halo as deep as the pass, is copied into a small universe, and that is
// stepped one generation after the other while the pass goes on: a light cone. What it shows is
// exactly what the board will have been.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_CONE_H
#define LC_VIEWER_CONE_H

#include "command.h"

typedef struct lc_cone {
    lc_universe *window; // NULL: there is none
    lc_rectangle area;   // what it holds, in the universe's coordinates
    uint64_t *words;     // for copying
    size_t words_bytes;
    bool holds;             // cells of
    uint64_t revision;      // the universe's, what it had then,
    uint64_t made;          // and so many generations after it
    uint32_t look_revision; // of who looks
} lc_cone;

// Whether such a look can be shown ahead at all, with a halo for so many generations: it is near,
// small beside the universe, and none of its squares lies across an edge.
bool lc_cone_suits(const lc_universe *universe, const lc_look *look, uint64_t generations);

// Renders the look (lc_render) as it will be `ahead` generations from now, less than `generations`,
// the most that will be asked for while the universe is what it is at `revision`. The universe is
// only read. Options: those of universes that clients open. What it has copied it keeps for the
// next time. Returns LC_OK, or what lc_universe_create, lc_universe_read, lc_universe_write and
// lc_universe_step return; then there is no picture.
lc_status lc_cone_render(lc_cone *cone, const lc_universe *universe, uint64_t revision,
                         const lc_look *look, uint32_t look_revision, uint64_t ahead,
                         uint64_t generations, const lc_universe_options *options,
                         unsigned char *payload, lc_message *message);

// Frees what it holds and clears it.
void lc_cone_free(lc_cone *cone);

#endif
