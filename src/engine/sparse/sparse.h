// The sparse engine: a plane of tiles, of which only those are stepped in which something happens.
//
// A **round** is some generations that are made at once. At the beginning of round r the cells are
// in the tiles of layer r % 2; the round makes of them those of the other layer, each from the four
// that it overlaps (sparse_plane.h). Tiles keep their cells as they were at several rounds: at the
// end of a round what a tile becomes is compared with what it was a **cycle** ago, an even number
// of rounds:
//
//      round     0          1          2          3          4
//      layer 0   cells of 0            of 2                  of 4       with a cycle of 2 rounds
//      layer 1              of 1                  of 3                  there is one copy each
//
// If what a tile has become is what it was a cycle ago, and so it is with the others round a tile
// of the other layer, then that one will become what it was a cycle ago, too: nobody need look at
// it. So a round visits only tiles that overlap one that has changed against a cycle before.
// Whatever repeats itself within a cycle costs nothing, and is right all the same.
//
// Cells that are written are a change; and as they did not become what they are by the rule, their
// tiles are visited once more when the cycle is over. When all else is to be forgotten (the rule
// changes, or the cycle), the past becomes one in which nothing ever lived, which is as good as
// any.
//
// Between two rounds lie generations that nobody computes unless they are looked at: `offset` of
// them have passed since the round began, and `shown` has the cells once somebody wanted them.
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

// Tiles that are to be visited in a round whatever happens, the first rounds first.
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
    // Two rules take turns, or are the same: that of the next generation is rules[odd].
    const lc_rule *rules[2]; // lent
    unsigned odd;
    const lc_rule *next_rules[2]; // that were set; they are in force from the next step on
    bool has_next_rules;
    lc_window_steps steps; // of `rules`

    lc_plane plane;
    uint64_t round;
    int cycle_generations;
    int offset;             // generations since the round began, less than that
    int64_t *populations;   // at the beginning of the last rounds: [round % cycle]
    lc_tile_list touched;   // have changed, but lack tiles across or were written
    lc_tile_list changed;   // are not what they were a cycle ago
    lc_tile_list at_edge;   // of those that have changed: beside an edge
    lc_tile_list scheduled; // of the other layer: to be visited in this round
    lc_tile_list next;      // will have changed at its end, as far as is known
    lc_tile_list lacking;   // the same, of those that lack tiles across
    lc_due_list due;
    uint64_t claim;    // the last one
    uint64_t sweep_at; // so many tiles in use are swept

    lc_period_search period_search;

    lc_thread_choice thread_choice;
    void *results; // of a round's tasks
    size_t result_room;
    void *ranges;                     // of them, of each worker
    lc_memo *memos;                   // one for each worker
    lc_isolated_memo *isolated_memos; // the same
    bool has_memos;
    uint64_t visits;    // of all rounds
    uint64_t computed;  // windows, of those visits
    uint64_t looked_ns; // when the pass began or the watch was last asked

    uint32_t **shown; // chunk by chunk as plane.chunks: cells at `offset`
    size_t shown_count;
    bool is_shown;

    lc_view_counts view_counts;
    lc_facts_cache facts_cache;

    lc_tile_list order; // for seeking: live tiles in the order of rows
    bool is_ordered;
} lc_sparse;

enum {
    // What it begins with, in generations (sparse_period.c): where life may leave, and on a board,
    // which mostly settles.
    LC_SPARSE_FIRST_CYCLE = 32,
    LC_SPARSE_FIRST_BOARD_CYCLE = 30,
    LC_SPARSE_CYCLE_MAX = 2048,
};

// How many rounds a cycle of so many generations has.
static inline int lc_sparse_rounds_of(int cycle_generations)
{
    return (cycle_generations + 2 * LC_WINDOW_GENERATIONS_MAX - 1) /
           (2 * LC_WINDOW_GENERATIONS_MAX) * 2;
}

static inline int lc_sparse_cycle(const lc_sparse *s)
{
    return 2 * s->plane.copies;
}

// The generations of the round that has begun: those of a cycle are shared out evenly.
static inline int lc_sparse_generations(const lc_sparse *s)
{
    const int rounds = lc_sparse_cycle(s), i = (int)(s->round % (uint64_t)rounds);
    return s->cycle_generations * (i + 1) / rounds - s->cycle_generations * i / rounds;
}

// Which copy of its layer's tiles a round begins with.
static inline int lc_sparse_copy(const lc_sparse *s, uint64_t round)
{
    return (int)(round / 2 % (uint64_t)s->plane.copies);
}

// The rules as they take turns from the next generation on.
static inline const lc_window_rules *lc_sparse_window_rules(const lc_sparse *s)
{
    return &s->steps.from[s->odd];
}

static inline bool lc_sparse_takes_turns(const lc_sparse *s)
{
    return s->rules[0] != s->rules[1];
}

// The window round a tile, of the four across it as they are in a copy.
static inline lc_window lc_sparse_window(const lc_sparse *s, const lc_tile *t, int copy,
                                         int generations, uint32_t *middle)
{
    lc_window w = {
        .middle = middle, .generations = generations, .rules = lc_sparse_window_rules(s)};
    for (int q = 0; q < 4; q++)
        w.tiles[q] = lc_tile_cells(&s->plane, lc_tile_at(&s->plane, t->across[q]), copy);
    return w;
}

// What a tile beside an edge becomes in so many generations; how much of it lives.
static inline int lc_sparse_edge(const lc_sparse *s, const lc_tile *t, int copy, int generations,
                                 uint32_t cells[LC_TILE_WORDS])
{
    const bool is_walled = s->plane.surface.kind == LC_MAP_PLANE;
    const lc_edge_rule rule = {is_walled ? s->steps.fenced : s->steps.window,
                               lc_sparse_window_rules(s)};
    return lc_edge_step(&s->plane, t, copy, generations, &rule, cells);
}

// The layer that the cells are in now.
static inline int lc_sparse_layer(const lc_sparse *s)
{
    return (int)((s->round + (s->offset != 0)) % 2);
}

// The cells now of a tile of that layer; if there is an offset, lc_sparse_show was called.
static inline const uint32_t *lc_sparse_cells(const lc_sparse *s, lc_tile_index index)
{
    if (s->offset != 0)
        return s->shown[index >> LC_PLANE_CHUNK_LOG2] +
               (index & (LC_PLANE_CHUNK - 1)) * (size_t)LC_TILE_WORDS;
    return lc_tile_cells(&s->plane, lc_tile_at(&s->plane, index), lc_sparse_copy(s, s->round));
}

// sparse_round.c: whole rounds, and looking between them. What fails has changed no cell.
// LC_ERROR_MISMATCH: it ended the engine. LC_ERROR_STOPPED: the watch ended the round. Only the
// first round of a pass asks the watch, which has to see the cells as before the pass.
lc_status lc_sparse_round(lc_sparse *sparse, bool may_watch, lc_message *message);
// Makes the tiles across those that have changed, for a round or a part of it.
lc_status lc_sparse_surround(lc_sparse *sparse, lc_message *message);
// Gives back tiles that are no longer needed, if it can; whether there were any.
bool lc_sparse_make_room(lc_sparse *sparse);
// Makes the cells that lc_sparse_cells gives if there is an offset; and gives their memory back.
lc_status lc_sparse_show(lc_sparse *sparse, lc_message *message);
void lc_sparse_hide(lc_sparse *sparse);
// The same of a single tile of the present layer, if there is an offset.
void lc_sparse_show_tile(const lc_sparse *sparse, const lc_tile *tile,
                         uint32_t cells[LC_TILE_WORDS]);
// The present generation becomes the beginning of a round.
lc_status lc_sparse_settle(lc_sparse *sparse, lc_message *message);
// It does, and the past is forgotten.
lc_status lc_sparse_forget(lc_sparse *sparse, lc_message *message);
// It does, and cycles have so many generations from now on, LC_SPARSE_CYCLE_MAX at most.
// Where rules take turns that is an even number.
lc_status lc_sparse_set_cycle(lc_sparse *sparse, int generations, lc_message *message);
// Where life comes from nothing, what is not kept would not stay dead. So all tiles of the board
// are, in cycles of two rounds, and none is taken for dead without a look, as if all were beside an
// edge. LC_ERROR_LIMIT, LC_ERROR_MEMORY: no cell has changed. And back; the past is forgotten.
lc_status lc_sparse_keep_all(lc_sparse *sparse, lc_message *message);
void lc_sparse_keep_some(lc_sparse *sparse);
// A tile of the present layer was written, and has changed. There is room for it, since so much was
// made for all that are.
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
