// Support for tests that compare censuses.
#ifndef LC_TESTS_SUPPORT_CENSUS_H
#define LC_TESTS_SUPPORT_CENSUS_H

#include "lightcone/lightcone.h"

// Both have counted all that they want: the same kinds, counts and samples.
void check_same_census(lc_soup_census *a, lc_soup_census *b);

#endif
