// Collective calls of ranks: processes that share boards. MPI or threads of a test carry them.
//
// All ranks make each of these calls, in the same order, one thread at a time. A call that fails
// has broken the link: every later one may fail too.
#ifndef LC_RANKS_RANK_CALLS_H
#define LC_RANKS_RANK_CALLS_H

#include <stdint.h>

#include "lightcone/ranks.h"

// A send or receive buffer: `bytes` at `data`, to or from `rank`. Messages between two ranks arrive
// in the order in which they were sent.
typedef struct lc_rank_buffer {
    int rank;
    void *data;
    uint64_t bytes;
} lc_rank_buffer;

struct lc_ranks { // each kind's own struct starts with it
    int rank, count;
    int rank_here, count_here; // among those of this machine

    // Sends data of rank 0 to all ranks. The others may wait for hours without using the CPU.
    lc_status (*broadcast)(lc_ranks *ranks, void *data, uint64_t bytes, lc_message *message);

    // Collects `bytes` of each rank, in the order of ranks, in `all` at rank 0; NULL elsewhere.
    lc_status (*gather)(lc_ranks *ranks, const void *own, void *all, uint64_t bytes,
                        lc_message *message);

    // Replaces each number by its minimum over all ranks.
    lc_status (*least)(lc_ranks *ranks, uint64_t *numbers, int count, lc_message *message);

    // Sends to[r] to each rank r; from[r] is the number that rank r sent to this one.
    lc_status (*all_to_all)(lc_ranks *ranks, const uint64_t *to, uint64_t *from,
                            lc_message *message);

    // Sends and receives messages. A rank that has none need not call it.
    lc_status (*exchange)(lc_ranks *ranks, const lc_rank_buffer *out, int out_count,
                          const lc_rank_buffer *in, int in_count, lc_message *message);

    // The same in two halves. Between them the caller makes no other of these calls, and must keep
    // the buffers and the arrays. If begin_exchange fails, end_exchange must not be called.
    lc_status (*begin_exchange)(lc_ranks *ranks, const lc_rank_buffer *out, int out_count,
                                const lc_rank_buffer *in, int in_count, lc_message *message);
    lc_status (*end_exchange)(lc_ranks *ranks, lc_message *message);

    // Frees it. Rank 0 has told the other ranks to end before.
    void (*close)(lc_ranks *ranks);

    int universes; // that rank 0 has made, and so the next one's number
};

// By all ranks, each with its own status: all fail together, or none. Those that have not failed
// themselves get LC_ERROR_STOPPED.
lc_status lc_ranks_agree(lc_ranks *ranks, lc_status status, lc_message *message);

// The function that a component exports as LC_RANKS_SYMBOL. It connects the ranks. On error *out is
// NULL.
typedef lc_status lc_ranks_component(lc_ranks **out, lc_message *message);
#define LC_RANKS_SYMBOL "lightcone_ranks_2" // the number changes with struct lc_ranks

#endif
