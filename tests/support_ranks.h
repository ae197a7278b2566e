// Ranks that are threads of the test: what MPI does between processes, within one.
#ifndef LC_TESTS_SUPPORT_RANKS_H
#define LC_TESTS_SUPPORT_RANKS_H

#include "lightcone/lightcone.h"

enum { TEST_RANKS_MAX = 7 };

// The context of rank 0 of so many, 2 or more, the others serving it until test_ranks_end. It has
// the settings of test_context.
lc_context *test_ranks_context(int count);

// All of them.
void test_ranks_end(void);

#endif
