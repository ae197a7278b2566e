// MPI ranks: several processes that mpirun starts and that share boards.
#ifndef LC_CLI_MPI_RANKS_H
#define LC_CLI_MPI_RANKS_H

#include <stdbool.h>

#include "lightcone/ranks.h"

// Joins the other ranks, if there are any. Returns true if the process must end with the exit code
// *code, because joining failed or the work of this rank is done. Rank 0 works after this call.
// Ranks 1 and higher do all their work during this call.
bool lc_cli_ranks_begin(int *code);

lc_ranks *lc_cli_ranks(void); // NULL: this is the only process

// Returns the number of threads for this process, one for each CPU that no other rank uses. The
// result 0 means one thread per CPU.
int lc_cli_ranks_threads(void);

// Leaves the other ranks. Call this function after lc_cli_context_end.
void lc_cli_ranks_end(void);

#endif
