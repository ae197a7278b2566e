// Covers of one block. Whole boards, growing blocks, self-covering engines and adaptive covers are
// such covers; board slabs have several of them.
#ifndef LC_COVER_ONE_BLOCK_H
#define LC_COVER_ONE_BLOCK_H

#include "base/least.h"
#include "choice/engine_choice.h"
#include "cover/cover.h"

// A block and its place: the engine's cell (0, 0) is (x, y) of the universe. x is a multiple of 64
// and y of 16, and both are 0 in bounded directions. Only the y of a slab is arbitrary.
typedef struct lc_block {
    const lc_engine_vtable *vtable;
    lc_engine *engine; // NULL: not created yet
    lc_engine_config config;
    uint64_t bytes;
    int64_t x, y;
} lc_block;

// The block's edges, if it is a slab of a board (cover/slabs).
typedef struct lc_slab_edges {
    bool is_part;
    lc_frame frame;
    lc_filler filler;
} lc_slab_edges;

typedef struct lc_one_block {
    lc_cover base;
    lc_block block;
    const lc_rule *rule;       // of the stored cells, now
    bool alternates;           // with another rule
    lc_engine_history history; // "auto": engines that failed, and why
    lc_message reason;         // "auto": why it has chosen the engine
    uint64_t safe_generations; // growing block: how many it is good for; 0: unknown
    uint64_t *strip;           // whole board: buffer for halos that the engine does not fill itself
    lc_slab_edges slab;        // slabs
    double memory_share;       // slabs: of the memory that all have; 0: all
} lc_one_block;

// The one-block cover that `cover` is.
static inline lc_one_block *lc_one_block_of(const lc_cover *cover)
{
    return (lc_one_block *)cover;
}

static inline const lc_block *lc_block_of(const lc_cover *cover)
{
    return &lc_one_block_of(cover)->block;
}

// block_engine.c

// Requests a new block.
typedef struct lc_block_request {
    lc_area area;
    const lc_engine_vtable *engine; // NULL: the one that "auto" chooses
    const lc_engine_watch *watch;
    uint64_t kept_free_bytes; // of the memory limit, for another block
} lc_block_request;

// Returns the request for a block of that area with the cover's own options.
lc_block_request lc_one_block_request(const lc_one_block *one, lc_area area);
// Return the configuration of such a block, and the engine that it would get.
lc_engine_config lc_one_block_config(const lc_one_block *one, lc_area area);
lc_choice lc_one_block_choose(const lc_one_block *one, lc_area area);
// Whether the named engine, or any of those that "auto" chooses from, has memory for such a block.
bool lc_one_block_any_holds(const lc_one_block *one, lc_area area, bool avoids_gpu);

// Creates a block with the current rule; the cover's own block stays. "auto" passes over engines
// that fail.
lc_status lc_one_block_make(lc_one_block *one, const lc_block_request *request, lc_block *out,
                            lc_message *message);
uint64_t lc_one_block_limit_bytes(const lc_cover *cover);

// one_block.c: functions of lc_cover_vtable for covers of one block.
void lc_one_block_destroy(lc_cover *cover);
lc_area lc_one_block_area(const lc_cover *cover);
lc_status lc_one_block_advance(lc_cover *cover, uint64_t generations, uint64_t *done,
                               lc_message *message);
bool lc_one_block_set_rule(lc_cover *cover, const lc_rule *rule, const lc_rule *then);
uint64_t lc_one_block_period(const lc_cover *cover);
double lc_one_block_soup_bytes(const lc_cover *cover, double cells, double density);
lc_status lc_one_block_read(lc_cover *cover, const lc_cells *to, lc_message *message);
lc_status lc_one_block_write(lc_cover *cover, const lc_cells *from, lc_message *message);
lc_status lc_one_block_facts(lc_cover *cover, unsigned which, lc_facts *facts, lc_message *message);
lc_status lc_one_block_view(lc_cover *cover, const lc_view *squares, lc_message *message);
bool lc_one_block_has_grey_levels(const lc_cover *cover);
bool lc_one_block_reads_are_slow(const lc_cover *cover);
lc_status lc_one_block_seek(lc_cover *cover, const lc_area *within, lc_cells *at,
                            lc_message *message);
lc_status lc_one_block_fill_run(lc_cover *cover, int64_t x, int64_t y, int64_t length,
                                lc_message *message);
void lc_one_block_announce_buffer(lc_cover *cover, void *memory, size_t size_bytes);
void lc_one_block_describe(const lc_cover *cover, lc_universe_info *info);
lc_status lc_one_block_failure(const lc_cover *cover, lc_message *message);

// Functions that all covers of one block share, and those of all whose engine stays the same.
#define LC_ANY_BLOCK_FUNCTIONS                                                                     \
    .set_rule = lc_one_block_set_rule, .read = lc_one_block_read, .facts = lc_one_block_facts,     \
    .view = lc_one_block_view, .has_grey_levels = lc_one_block_has_grey_levels,                    \
    .reads_are_slow = lc_one_block_reads_are_slow, .limit_bytes = lc_one_block_limit_bytes,        \
    .failure = lc_one_block_failure, .period = lc_one_block_period
#define LC_ONE_BLOCK_FUNCTIONS                                                                     \
    LC_ANY_BLOCK_FUNCTIONS, .destroy = lc_one_block_destroy, .advance = lc_one_block_advance,      \
                            .write = lc_one_block_write, .soup_bytes = lc_one_block_soup_bytes,    \
                            .fill_run = lc_one_block_fill_run

// `include` of a cover that holds all cells, `prepare` of one for which any number of generations
// is safe, and `seek` of one that does not know which cells are dead.
lc_status lc_complete_include(lc_cover *cover, lc_area area, lc_message *message);
lc_area lc_bounded_area(const lc_cover *cover);
lc_status lc_bounded_prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message);
lc_status lc_cover_seek_row(lc_cover *cover, const lc_area *within, lc_cells *at,
                            lc_message *message);

// self_covering.c: functions for an engine that may store an entire universe itself.
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

#define LC_SELF_COVERING_FUNCTIONS                                                                 \
    .jump = lc_self_covering_jump, .count_coarse = lc_self_covering_count_coarse,                  \
    .store = lc_self_covering_store, .set_root = lc_self_covering_set_root,                        \
    .get_root = lc_self_covering_get_root, .snapshot = lc_self_covering_snapshot,                  \
    .end_snapshot = lc_self_covering_end_snapshot

// Returns the distance from live cells at live0 .. live1 - 1 of an unbounded direction to the
// nearer end of the coordinates; and the error if it is 0.
int64_t lc_rest_of_world(int64_t live0, int64_t live1);
lc_status lc_refuse_end_of_world(lc_message *message);

extern const lc_cover_vtable lc_cover_whole_board;
extern const lc_cover_vtable lc_cover_growing_block;
extern const lc_cover_vtable lc_cover_self_covering;
extern const lc_cover_vtable lc_cover_adaptive;

// adaptive.c: the size of its cover's own struct, which begins with a lc_one_block, and changing
// its engine now. LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_UNSUPPORTED (two rules take turns),
// LC_ERROR_STOPPED (by the watch): nothing has changed.
extern const size_t lc_adaptive_bytes;
lc_status lc_adaptive_change(lc_cover *cover, lc_message *message);

// Returns the area with bounded directions at their full width, and unbounded ones rounded outwards
// to 64 columns and 16 rows, because views begin at such columns and engines count 16 rows
// together.
lc_area lc_one_block_rounded(const lc_cover *cover, lc_area area);

#endif
