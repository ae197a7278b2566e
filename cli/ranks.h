// Being one of several processes that share boards, if mpirun started them.
#ifndef LC_CLI_RANKS_H
#define LC_CLI_RANKS_H

#include <stdbool.h>

#include "lightcone/ranks.h"

// Joins the others, if there are any. True: this process has nothing else to do, having served rank
// 0 or failed, and *code is what it ends with.
bool lc_cli_ranks_begin(int *code);

lc_ranks *lc_cli_ranks(void); // NULL: this process is alone

// How many threads a process is to have: one for each of its CPUs that is not another rank's; 0:
// for all of them.
int lc_cli_ranks_threads(void);

// At the end, after the context's.
void lc_cli_ranks_end(void);

#endif
