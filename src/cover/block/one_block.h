// What covers have in common: a block, and which engine it gets. whole_board.c, growing_block.c and
// self_covering.c have one block each, board_slabs.c several.
#ifndef LC_COVER_ONE_BLOCK_H
#define LC_COVER_ONE_BLOCK_H

#include "base/least.h"
#include "cover/cover.h"

// A block and where it is: the engine's (0, 0) stands at (x, y), multiples of 64 and of 16, and 0
// in a bounded direction. Only a slab's y may be anything.
typedef struct lc_block {
    const lc_engine_vtable *vtable;
    lc_engine *engine; // NULL: there is no block yet
    lc_engine_config config;
    uint64_t bytes;
    int64_t x, y;
} lc_block;

typedef struct lc_one_block {
    lc_cover base;
    lc_block block;
    unsigned passed_over;      // engines that failed and are not tried again: bit i is the i-th
    bool avoids_gpu;           // adaptive: too little is left for one that has to be started
    lc_message note;           // why the first of them failed
    lc_message reason;         // why "auto" has taken the engine in hand
    uint64_t kept_free_bytes;  // adaptive: of the limit, for the block that may come next
    double part;               // slabs: of the memory that blocks share; 0: it is all this one's
    const lc_rule *rule;       // of the stored cells, now
    bool takes_turns;          // with another one
    uint64_t safe_generations; // growing: the block is good for so many; 0: not known
    uint64_t *strip;  // whole: memory that a halo needs on its way (unfold.h), if the engine does
                      // not fill it
    bool is_slab;     // the block is a part of a board, with
    lc_frame slab;    // these edges,
    lc_filler filler; // which somebody fills
} lc_one_block;

// Which engine a block would have, and what it would take.
typedef struct lc_choice {
    const lc_engine_vtable *engine;
    size_t index;        // of those that "auto" chooses from
    uint64_t bytes;      // UINT64_MAX if they cannot even be counted
    uint64_t held_bytes; // by the old block, in the same memory
    uint64_t limit_bytes;
    uint64_t room_bytes; // its part of that; what an engine is told
} lc_choice;

// choose.c
lc_engine_config lc_one_block_config(const lc_one_block *one, lc_area area);
lc_choice lc_one_block_choose(const lc_one_block *one, lc_area area);
bool lc_choice_fits(const lc_choice *choice);
lc_status lc_choice_refuse(const lc_choice *choice, lc_area area, lc_message *message);
uint64_t lc_one_block_limit_bytes(const lc_cover *cover);

// Whether the engine that was asked for, or any of those that "auto" chooses from, fits an area
// into its memory.
bool lc_one_block_any_holds(const lc_one_block *one, lc_area area);

// Makes a block with the rule in force; what was there stays. With "auto" an engine that fails is
// passed over for the next one.
lc_status lc_one_block_make(lc_one_block *one, lc_area area, lc_block *out, lc_message *message);

// one_block.c: what all covers of one block do, and board_slabs.c for each of its blocks.
void lc_one_block_destroy(lc_cover *cover);
lc_area lc_one_block_area(const lc_cover *cover);
lc_status lc_one_block_advance(lc_cover *cover, uint64_t generations, uint64_t *done,
                               lc_message *message);
void lc_one_block_set_rule(lc_cover *cover, const lc_rule *rule);
bool lc_one_block_set_turns(lc_cover *cover, const lc_rule *const rules[2]);
uint64_t lc_one_block_period(const lc_cover *cover);
double lc_one_block_soup_bytes(const lc_cover *cover, double cells, double density);
lc_status lc_one_block_read(lc_cover *cover, const lc_cells *to, lc_message *message);
lc_status lc_one_block_write(lc_cover *cover, const lc_cells *from, lc_message *message);
lc_status lc_one_block_facts(lc_cover *cover, unsigned which, lc_facts *facts, lc_message *message);
lc_status lc_one_block_view(lc_cover *cover, const lc_view *squares, lc_message *message);
bool lc_one_block_has_tones(const lc_cover *cover);
bool lc_one_block_is_far(const lc_cover *cover);
lc_status lc_one_block_seek(lc_cover *cover, const lc_area *within, lc_cells *at,
                            lc_message *message);
lc_status lc_one_block_fill_run(lc_cover *cover, int64_t x, int64_t y, int64_t length,
                                lc_message *message);
void lc_one_block_announce_buffer(lc_cover *cover, void *memory, size_t size_bytes);
void lc_one_block_describe(const lc_cover *cover, lc_universe_info *info);
lc_status lc_one_block_failure(const lc_cover *cover, lc_message *message);

// What is the same for all covers of one block.
#define LC_ONE_BLOCK_FUNCTIONS                                                                     \
    .destroy = lc_one_block_destroy, .advance = lc_one_block_advance,                              \
    .set_rule = lc_one_block_set_rule, .read = lc_one_block_read, .write = lc_one_block_write,     \
    .facts = lc_one_block_facts, .view = lc_one_block_view, .has_tones = lc_one_block_has_tones,   \
    .is_far = lc_one_block_is_far, .limit_bytes = lc_one_block_limit_bytes,                        \
    .failure = lc_one_block_failure, .period = lc_one_block_period,                                \
    .set_turns = lc_one_block_set_turns, .soup_bytes = lc_one_block_soup_bytes,                    \
    .fill_run = lc_one_block_fill_run

// `include` where all cells that there are are held, `prepare` where any number of generations is
// safe, and `seek` where nothing is known to be dead.
lc_status lc_complete_include(lc_cover *cover, lc_area area, lc_message *message);
lc_status lc_bounded_prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message);
lc_status lc_cover_seek_row(lc_cover *cover, const lc_area *within, lc_cells *at,
                            lc_message *message);

// self_covering.c: of a block whose engine may be an unbounded universe by itself.
lc_status lc_self_covering_jump(lc_cover *cover, int most_log2, int *log2, lc_message *message);
lc_status lc_self_covering_count_coarse(lc_cover *cover, const lc_coarse_view *squares,
                                        lc_message *message);
lc_store *lc_self_covering_store(lc_cover *cover);
lc_status lc_self_covering_set_root(lc_cover *cover, lc_square root, int root_log2,
                                    lc_message *message);
lc_status lc_self_covering_get_root(lc_cover *cover, lc_square *root, int *root_log2,
                                    lc_message *message);
bool lc_self_covering_snapshot(lc_cover *cover);
bool lc_self_covering_end_snapshot(lc_cover *cover, bool goes_back);

// From life at live0 .. live1-1 of an unbounded direction to the nearer end of the coordinates; and
// what is said, LC_ERROR_LIMIT, where it has come there.
int64_t lc_rest_of_world(int64_t live0, int64_t live1);
lc_status lc_refuse_end_of_world(lc_message *message);

extern const lc_cover_vtable lc_cover_whole_board;
extern const lc_cover_vtable lc_cover_growing_block;
extern const lc_cover_vtable lc_cover_self_covering;
extern const lc_cover_vtable lc_cover_adaptive;

// adaptive.c: its cover's own struct, which begins with a lc_one_block; whether a bounded board is
// to be one, if no engine is asked for; and changing its engine now. LC_ERROR_LIMIT,
// LC_ERROR_MEMORY, LC_ERROR_UNSUPPORTED (two rules take turns), LC_ERROR_STOPPED (by the watch): it
// is as it was.
extern const size_t lc_adaptive_bytes;
bool lc_adaptive_suits(const lc_cover_options *asked);
// Whether such a board is to leave the GPU alone until its generations are worth starting it.
bool lc_adaptive_begins_on_cpu(const lc_one_block *one, lc_area area);
lc_status lc_adaptive_change(lc_cover *cover, lc_message *message);

// Bounded directions to their full width, unbounded ones out to whole words and groups of rows:
// what is looked at from far away begins at multiples of 64 in both, and engines keep counts of 16
// rows.
lc_area lc_one_block_rounded(const lc_cover *cover, lc_area area);

#endif
