// The sparse engine: a plane of tiles. Inactive and periodic tiles are skipped.
//
// A **round** computes some generations at once. At the beginning of round r the cells are in the
// tiles of layer r % 2. The round computes the tiles of the other layer, each from the four that it
// overlaps (sparse_plane.h). Tiles keep copies of their cells from several rounds. At the end of a
// round the new cells of a tile are compared with its cells one **cycle** ago, an even number of
// rounds:
//
//      round     0          1          2          3          4
//      layer 0   cells of 0            of 2                  of 4       with a cycle of 2 rounds
//      layer 1              of 1                  of 3                  there is one copy each
//
// If the four tiles that a tile of the other layer overlaps equal their state one cycle ago, that
// tile will, too, and the round skips it. So a round updates only tiles that overlap a changed
// tile. Periods that divide a cycle cost nothing.
//
// A write is a change. Written cells did not follow from the rule, so their tiles are updated once
// more after one cycle. To discard history (after a change of the rule or the cycle), all past
// copies are set to empty; any consistent past is correct.
//
// Generations between two rounds are computed only on request: `offset` of them have passed since
// the round began, and `shown` has their cells.
#ifndef LC_ENGINE_SPARSE_SPARSE_H
#define LC_ENGINE_SPARSE_SPARSE_H

#include "engine/engine_interface.h"
#include "engine/sparse/sparse_edge.h"
#include "engine/sparse/sparse_facts_cache.h"
#include "engine/sparse/sparse_isolated_object.h"
#include "engine/sparse/sparse_lists.h"
#include "engine/sparse/sparse_memo.h"
#include "engine/sparse/sparse_period.h"
#include "engine/sparse/sparse_plane.h"
#include "engine/sparse/sparse_thread_choice.h"
#include "engine/sparse/sparse_view_counts.h"
#include "level/window_steps.h"

// Tiles whose update in a later round is due in any case, sorted by round.
typedef struct lc_due {
    uint64_t round;
    lc_tile_index index;
} lc_due;

typedef struct lc_due_list {
    lc_due *items;
    size_t begin, end, room;
} lc_due_list;

typedef struct lc_sparse {
    lc_engine base;
    lc_engine_config config;
    const lc_level *level;
    // Two alternating rules, or the same rule twice. The next generation uses rules[odd].
    const lc_rule *rules[2]; // lent
    unsigned odd;
    const lc_rule *next_rules[2]; // set by set_rule; used from the next step on
    bool has_next_rules;
    lc_window_steps steps; // of `rules`

    lc_plane plane;
    uint64_t round;
    int cycle_generations;
    int offset;             // generations since the round began, fewer than the round has
    int64_t *populations;   // at the beginning of the latest rounds: [round % cycle]
    lc_tile_list touched;   // written, or changed and without all overlapping tiles
    lc_tile_list changed;   // differ from one cycle ago
    lc_tile_list at_edge;   // changed tiles beside an edge
    lc_tile_list scheduled; // of the other layer: this round updates them
    lc_tile_list next;      // changed tiles found so far in this round
    lc_tile_list lacking;   // the same, without all overlapping tiles
    lc_due_list due;
    uint64_t claim;    // of the latest round or write
    uint64_t sweep_at; // number of tiles in use at which the engine sweeps them

    lc_period_search period_search;

    lc_thread_choice thread_choice;
    void *results; // of a round's tasks
    size_t result_room;
    void *ranges;                     // of those tasks, one for each worker
    lc_memo *memos;                   // one for each worker
    lc_isolated_memo *isolated_memos; // the same
    bool has_memos;
    uint64_t visits;    // tile updates in all rounds
    uint64_t computed;  // updates that computed a window
    uint64_t looked_ns; // when the pass began or the watch was last called

    uint32_t **shown; // chunk by chunk as plane.chunks: cells at `offset`
    size_t shown_count;
    bool is_shown;

    lc_view_counts view_counts;
    lc_facts_cache facts_cache;

    lc_tile_list order; // for seeking: live tiles, row by row
    bool is_ordered;
} lc_sparse;

enum {
    // First cycle lengths in generations (sparse_period.c): on a plane or tube, and on a board.
    LC_SPARSE_FIRST_CYCLE = 32,
    LC_SPARSE_FIRST_BOARD_CYCLE = 30,
    LC_SPARSE_CYCLE_MAX = 2048,
};

// Returns the number of rounds in a cycle of that many generations.
static inline int lc_sparse_rounds_of(int cycle_generations)
{
    return (cycle_generations + 2 * LC_WINDOW_GENERATIONS_MAX - 1) /
           (2 * LC_WINDOW_GENERATIONS_MAX) * 2;
}

static inline int lc_sparse_cycle(const lc_sparse *s)
{
    return 2 * s->plane.copies;
}

// Returns the generations of the current round. A cycle's generations are divided evenly among its
// rounds.
static inline int lc_sparse_generations(const lc_sparse *s)
{
    const int rounds = lc_sparse_cycle(s), i = (int)(s->round % (uint64_t)rounds);
    return s->cycle_generations * (i + 1) / rounds - s->cycle_generations * i / rounds;
}

// Returns the copy of its layer's tiles that a round begins with.
static inline int lc_sparse_copy(const lc_sparse *s, uint64_t round)
{
    return (int)(round / 2 % (uint64_t)s->plane.copies);
}

// Returns the rules in the order in which they alternate from the next generation on.
static inline const lc_window_rules *lc_sparse_window_rules(const lc_sparse *s)
{
    return &s->steps.from[s->odd];
}

static inline bool lc_sparse_alternates(const lc_sparse *s)
{
    return s->rules[0] != s->rules[1];
}

// Returns the window round a tile: the four tiles that it overlaps, in one copy.
static inline lc_window lc_sparse_window(const lc_sparse *s, const lc_tile *t, int copy,
                                         int generations, uint32_t *middle)
{
    lc_window w = {
        .middle = middle, .generations = generations, .rules = lc_sparse_window_rules(s)};
    for (int q = 0; q < 4; q++)
        w.tiles[q] = lc_tile_cells(&s->plane, lc_tile_at(&s->plane, t->across[q]), copy);
    return w;
}

// Computes a tile beside an edge, that many generations later. Returns its population.
static inline int lc_sparse_edge(const lc_sparse *s, const lc_tile *t, int copy, int generations,
                                 uint32_t cells[LC_TILE_WORDS])
{
    const bool is_walled = s->plane.surface.kind == LC_MAP_PLANE;
    const lc_edge_rule rule = {is_walled ? s->steps.fenced : s->steps.window,
                               lc_sparse_window_rules(s)};
    return lc_edge_step(&s->plane, t, copy, generations, &rule, cells);
}

// Returns the layer that holds the current cells.
static inline int lc_sparse_layer(const lc_sparse *s)
{
    return (int)((s->round + (s->offset != 0)) % 2);
}

// Returns the current cells of a tile of that layer. With an offset, call lc_sparse_show first.
static inline const uint32_t *lc_sparse_cells(const lc_sparse *s, lc_tile_index index)
{
    if (s->offset != 0)
        return s->shown[index >> LC_PLANE_CHUNK_LOG2] +
               (index & (LC_PLANE_CHUNK - 1)) * (size_t)LC_TILE_WORDS;
    return lc_tile_cells(&s->plane, lc_tile_at(&s->plane, index), lc_sparse_copy(s, s->round));
}

// sparse_round.c: whole rounds, and views between them. A function that fails changes no cell.
// LC_ERROR_MISMATCH ends the engine. LC_ERROR_STOPPED: the watch ended the round. Only the first
// round of a pass calls the watch, because the watch must see the cells as before the pass.
lc_status lc_sparse_round(lc_sparse *sparse, bool may_watch, lc_message *message);
// Makes the tiles that overlap changed tiles, for a round or a part of it.
lc_status lc_sparse_surround(lc_sparse *sparse, lc_message *message);
// Frees unneeded tiles and lists. Returns whether it freed any.
bool lc_sparse_make_room(lc_sparse *sparse);
// Computes the cells that lc_sparse_cells returns with an offset. lc_sparse_hide frees them.
lc_status lc_sparse_show(lc_sparse *sparse, lc_message *message);
void lc_sparse_hide(lc_sparse *sparse);
// Computes the cells of a single tile of the current layer. There must be an offset.
void lc_sparse_show_tile(const lc_sparse *sparse, const lc_tile *tile,
                         uint32_t cells[LC_TILE_WORDS]);
// Makes the current generation the beginning of a round.
lc_status lc_sparse_settle(lc_sparse *sparse, lc_message *message);
// Does the same, and discards history.
lc_status lc_sparse_forget(lc_sparse *sparse, lc_message *message);
// Does the same, and sets the cycle length, at most LC_SPARSE_CYCLE_MAX generations. The length is
// even if rules alternate.
lc_status lc_sparse_set_cycle(lc_sparse *sparse, int generations, lc_message *message);
// For rules with B0, under which empty tiles do not stay empty: keeps all tiles of the board, in
// cycles of two rounds, and updates each as if it was beside an edge. LC_ERROR_LIMIT,
// LC_ERROR_MEMORY: no cell has changed. lc_sparse_keep_some undoes this.
lc_status lc_sparse_keep_all(lc_sparse *sparse, lc_message *message);
void lc_sparse_keep_some(lc_sparse *sparse);
// Reserves room for that many calls of lc_sparse_note_write, which marks a tile of the current
// layer as written and changed.
lc_status lc_sparse_reserve_writes(lc_sparse *sparse, size_t tiles, lc_message *message);
void lc_sparse_note_write(lc_sparse *sparse, lc_tile_index index);

// sparse_period.c: called before each round, at its beginning; may change the cycle.
void lc_period_search_begin(lc_sparse *sparse);
void lc_period_search_before_round(lc_sparse *sparse);
void lc_period_search_stop(lc_sparse *sparse);

// sparse_cells.c: as lc_engine_vtable
lc_status lc_sparse_read(lc_engine *engine, const lc_cells *to, lc_message *message);
lc_status lc_sparse_write(lc_engine *engine, const lc_cells *from, lc_message *message);
lc_status lc_sparse_seek(lc_engine *engine, const lc_area *within, lc_cells *at,
                         lc_message *message);
lc_status lc_sparse_facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message);

// sparse_facts_cache.c
// Allocates `workers` workers. Returns false if out of memory.
bool lc_facts_cache_init(lc_facts_cache *cache, int workers);
// Writes population, box and hash of the current generation to *facts. Runs on the engine's pool.
// Never fails: if the cache has no room, the query computes all tiles and keeps nothing.
void lc_facts_cache_query(lc_sparse *sparse, lc_facts *facts);
// Invalidates a tile of the current layer after a write.
void lc_facts_cache_mark_written(lc_sparse *sparse, lc_tile_index index);
// Called after each round. Drops the cache if it was not queried for LC_FACTS_IDLE_ROUNDS rounds.
void lc_facts_cache_expire(lc_sparse *sparse);
// Drops all phases and the stamps.
void lc_facts_cache_clear(lc_sparse *sparse);

// sparse_view.c: as lc_engine_vtable
lc_status lc_sparse_view(lc_engine *engine, const lc_view *squares, lc_message *message);

#endif
