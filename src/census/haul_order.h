// What reading, writing and comparing hauls share.
#ifndef LC_CENSUS_HAUL_ORDER_H
#define LC_CENSUS_HAUL_ORDER_H

#include "census/haul.h"

#define LC_HAUL_NOTHING "xs0_0" // the code of the object without cells

// Sorts the kinds by rising codes, and equal codes by their lines.
void lc_haul_sort_by_code(lc_haul *haul);

#endif
