// Takes spaceships away that leave the canvas: groups of cells that repeat themselves elsewhere,
// and fly away from the soup.
#ifndef LC_CENSUS_LEFT_SHIPS_H
#define LC_CENSUS_LEFT_SHIPS_H

#include "census/soup_settle.h"

// Takes spaceships near the edges of the canvas away. Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_left_ships_take(lc_running_soup *soup);

// Returns how many cells more than when they left the spaceships have now.
int64_t lc_left_ships_growth(const lc_running_soup *soup);

#endif
