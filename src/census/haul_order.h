// Declarations for reading, writing and comparing hauls.
#ifndef LC_CENSUS_HAUL_ORDER_H
#define LC_CENSUS_HAUL_ORDER_H

#include <stdbool.h>

#include "census/haul.h"

#define LC_HAUL_NOTHING "xs0_0" // the code of the object without cells

// Sorts the kinds by rising codes, and equal codes by their lines.
void lc_haul_sort_by_code(lc_haul *haul);

// Reads a number without signs and leading zeros, and moves *at behind it. Returns false if there
// is none, or if it is above 2^64 - 1.
bool lc_haul_number(const char **at, uint64_t *number);

#endif
