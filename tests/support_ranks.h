// Ranks that are threads of the test process, in place of MPI.
#ifndef LC_TESTS_SUPPORT_RANKS_H
#define LC_TESTS_SUPPORT_RANKS_H

#include "lightcone/lightcone.h"

enum { TEST_RANKS_MAX = 7 };

// Creates `count` ranks (2 or more) and returns the context of rank 0. The other ranks serve it
// until test_ranks_end. Settings as in test_context.
lc_context *test_ranks_context(int count);

// Ends all ranks.
void test_ranks_end(void);

#endif
