// A rank's part of a board: its slabs, and how it executes the commands of rank 0 (rank_command.h).
#ifndef LC_COVER_RANK_PART_H
#define LC_COVER_RANK_PART_H

#include "cover/ranks/rank_command.h"
#include "cover/slabs/board_slabs.h"

typedef struct lc_rank_part lc_rank_part;

// Checks whether the ranks can share the board. Takes the cover's settings out of *asked, chooses
// the engine if *asked has none, and starts *parts; rows are not assigned yet. Needs no other rank.
// LC_ERROR_UNSUPPORTED, LC_ERROR_ARGUMENT.
lc_status lc_rank_part_begin(lc_cover_options *asked, lc_parts *parts, lc_message *message);

// Executes ABILITIES: sends the abilities of this rank's slabs. Rank 0 receives those of all slabs
// in `slabs`, which is NULL on other ranks.
void lc_rank_part_abilities(const lc_rank_command *command, lc_ranks *ranks, lc_context *context,
                            lc_slab_ability *slabs, lc_rank_reply *reply);

// Returns the number of entries of `rows` that follow CREATE.
size_t lc_rank_command_row_count(const lc_rank_command *command, const lc_ranks *ranks);

// Executes CREATE. `rows`, the first rows of all slabs, becomes the part's even if it fails. `pool`
// NULL: the part makes one if the command asks for another number of threads than the context has.
// The context and the watch must outlive the part. Errors as lc_cover_create; then *out is NULL.
lc_status lc_rank_part_create(lc_rank_part **out, const lc_rank_command *command, int64_t *rows,
                              lc_context *context, lc_pool *pool, const lc_engine_watch *watch,
                              lc_message *message);
void lc_rank_part_destroy(lc_rank_part **part); // NULL and a pointer to NULL are fine

lc_cover *lc_rank_part_cover(const lc_rank_part *part);

// Fills in the reply to CREATE. Accepts NULL, and then does nothing.
void lc_rank_part_describe(const lc_rank_part *part, lc_rank_reply *reply);

// Executes a command of any other kind. Rank 0 has `cells` for READ and WRITE and `counts` for
// VIEW; they are NULL on other ranks. A rank that cannot read its cells still sends, because rank 0
// waits for them. The reply has the error.
void lc_rank_part_execute(lc_rank_part *part, lc_ranks *ranks, const lc_rank_command *command,
                          const lc_cells *cells, uint32_t *counts, lc_rank_reply *reply);

// Sends `data` of rank 0 to all ranks, if every rank has memory for it: *passed. `data` is NULL on
// a rank without memory.
lc_status lc_rank_broadcast(lc_ranks *ranks, void *data, uint64_t bytes, bool *passed,
                            lc_message *message);

// Runs this rank's part of a collective operation (cover.h), whose data it has.
void lc_rank_part_run_collective(lc_rank_part *part, lc_ranks *ranks, lc_collective_work *work,
                                 const lc_collective *collective, lc_rank_reply *reply);

// Executes CENSUS: counts a rank's share of soups. `kept` is memory of the function, from one
// command to the next. The reply has the rank's error; the function returns an error of the link.
typedef struct lc_rank_census {
    lc_status (*run)(void *kept, const lc_rank_command *command, lc_ranks *ranks,
                     lc_context *context, lc_rank_reply *reply, lc_message *message);
    void *kept;
} lc_rank_census;

// The loop of ranks 1 and up, as lc_ranks_serve. `work` runs their part of each collective
// operation.
lc_status lc_rank_loop(lc_ranks *ranks, lc_context *context, lc_collective_work *work,
                       const lc_rank_census *census, lc_message *message);

#endif
