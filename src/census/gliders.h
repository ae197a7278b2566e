// Takes gliders away that fly out of a soup.
//
// A glider moves by one cell in x + y (or x - y ...) every two generations. If nothing under the
// rule moves faster in that direction, a glider in front of all other cells stays in front of them.
//
// Nothing overtakes it. But a spaceship that flies beside it, as fast in x + y, may still hit it
// from the side, if it lies less than four cells behind and outside of the blocks that are empty.
// apgsearch takes such gliders, too, so a larger margin makes the censuses differ more.
#ifndef LC_CENSUS_GLIDERS_H
#define LC_CENSUS_GLIDERS_H

#include "census/canvas.h"
#include "object/field.h"

// Returns whether the rule has the glider, and nothing is faster than it in the directions in which
// it flies.
bool lc_gliders_lead(const lc_field_rule *rule);

// Takes isolated gliders away that fly in front of all other cells. Returns how many. The canvas's
// population still counts their cells.
int lc_gliders_take(lc_canvas *canvas);

#endif
