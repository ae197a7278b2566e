// The inside of ranks: what processes that share boards say to each other, whatever carries it.
//
// Each of these calls is made by all ranks, in the same order; one that fails has broken the link,
// and every later one may fail too. One thread at a time.
#ifndef LC_RANKS_RANKS_H
#define LC_RANKS_RANKS_H

#include <stdint.h>

#include "lightcone/ranks.h"

// What one rank hands another: `bytes` from or to `data`. Those between two ranks arrive in the
// order in which they were sent.
typedef struct lc_letter {
    int rank;
    void *data;
    uint64_t bytes;
} lc_letter;

struct lc_ranks { // each kind's own struct starts with it
    int rank, count;
    int rank_here, count_here; // among those of this machine

    // From rank 0 to all. The others may wait for hours, and leave the CPU to whoever needs it.
    lc_status (*broadcast)(lc_ranks *ranks, void *data, uint64_t bytes, lc_message *message);

    // Of `bytes` of each rank, all of them one behind the other, at rank 0; NULL elsewhere.
    lc_status (*gather)(lc_ranks *ranks, const void *own, void *all, uint64_t bytes,
                        lc_message *message);

    // Of each number the least that any rank has, everywhere.
    lc_status (*least)(lc_ranks *ranks, uint64_t *numbers, int count, lc_message *message);

    // Of a number for each rank, those that they have for this one.
    lc_status (*deal)(lc_ranks *ranks, const uint64_t *to, uint64_t *from, lc_message *message);

    // Sends and receives letters; who has none may leave it out.
    lc_status (*trade)(lc_ranks *ranks, const lc_letter *out, int out_count, const lc_letter *in,
                       int in_count, lc_message *message);

    // The same in two halves, between which the caller computes and calls nothing of this: letters
    // and what they name are lent until it has collected them. If `post` fails there is nothing to
    // collect.
    lc_status (*post)(lc_ranks *ranks, const lc_letter *out, int out_count, const lc_letter *in,
                      int in_count, lc_message *message);
    lc_status (*collect)(lc_ranks *ranks, lc_message *message);

    // Frees it. At rank 0 the others were told that it ends.
    void (*close)(lc_ranks *ranks);

    int universes; // that rank 0 has made, and so the next one's number
};

// By all ranks, each with its own status: all fail together, or none. Those that have not failed
// themselves get LC_ERROR_STOPPED.
lc_status lc_ranks_agree(lc_ranks *ranks, lc_status status, lc_message *message);

// What a component exports under LC_RANKS_SYMBOL. On error *out is NULL.
typedef lc_status lc_ranks_component(lc_ranks **out, lc_message *message);
#define LC_RANKS_SYMBOL "lightcone_ranks_2" // the number changes with struct lc_ranks

#endif
