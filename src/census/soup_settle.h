// Runs a soup until it repeats itself, as apgsearch does.
//
// The definition is apgsearch's, so that its censuses and ours are equal. The population is
// compared after rounds of 12 generations, or of 8: after each change the other length is used. A
// soup has settled when the population stays equal for 15 rounds, and for more of them later, or
// when everything is as two generations before. After 1,000 rounds the soup settles when all cells
// near its middle are as they were once before.
#ifndef LC_CENSUS_SOUP_SETTLE_H
#define LC_CENSUS_SOUP_SETTLE_H

#include "census/canvas.h"
#include "census/object_names.h"

// A spaceship that has left the canvas.
typedef struct lc_left_ship {
    uint64_t generation; // in which it left
    uint64_t period;
    uint32_t *populations; // of its phases, from then on
} lc_left_ship;

typedef struct lc_running_soup {
    lc_canvas *canvas;      // lent
    int x, y;               // of the soup's origin: cell (0, 0) of the square that the seed gives
    lc_object_names *names; // lent
    bool take_gliders;      // as lc_gliders_lead tells
    // Objects are told apart by the cells that are alive within so many generations.
    int duration;
    uint64_t generations;  // so far
    uint64_t gliders;      // that were taken away
    uint64_t glider_check; // generation of the next search for gliders
    uint64_t ship_check;   // the same for spaceships near the edge
    lc_left_ship *ships;
    size_t ship_count;
    lc_named_list ship_kinds;
} lc_running_soup;

void lc_soup_free(lc_running_soup *soup);

// Runs the soup on the canvas. If the canvas overflows, the result has no meaning. Returns LC_OK;
// LC_ERROR_MEMORY.
lc_status lc_soup_settle(lc_running_soup *soup);

// Runs the soup for an even number of generations, and takes gliders and spaceships away that
// leave.
lc_status lc_soup_run(lc_running_soup *soup, int generations);

// Returns the live cells, those of gliders and spaceships that have left included.
int64_t lc_soup_population(const lc_running_soup *soup);

#endif
