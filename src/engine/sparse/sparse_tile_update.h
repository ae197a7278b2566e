// The tasks of a round. Changed tiles first schedule the tiles that overlap them, unless the next
// cells of those are clear at once. Then the scheduled tiles are updated.
#ifndef LC_ENGINE_SPARSE_SPARSE_TILE_UPDATE_H
#define LC_ENGINE_SPARSE_SPARSE_TILE_UPDATE_H

#include "engine/sparse/sparse.h"

enum {
    LC_TASK_TILES = 64, // of a task
    LC_TASK_ITEMS = 4 * LC_TASK_TILES,
};

// The result of a task. Each task has its own part of each list, LC_TASK_ITEMS items behind those
// in the list. It fills the part from the front with scheduled or changed tiles, and from the back
// with changed tiles that lack overlapping tiles.
typedef struct lc_task_result {
    size_t wanted, changed, lacking;
    size_t computed; // windows
    bool is_wrong;   // hash collision of a memoised window
    int64_t population;
} lc_task_result;

// The tasks of one worker. A worker without tasks steals from others. Lists keep their order from
// round to round, so a worker mostly meets the same tiles: they are in its cache, and their results
// in its memo tables.
typedef struct lc_task_range {
    _Atomic(size_t) next;
    size_t end;
    char apart[48]; // from what other workers write
} lc_task_range;

// States of a claimed tile, added to the claim of the round.
enum { LC_CLAIM_KEPT, LC_CLAIM_CHANGED, LC_CLAIM_WANTED, LC_CLAIMS = 4 };

typedef struct lc_tasks {
    lc_sparse *sparse;
    bool alone;   // tasks run one at a time
    bool watched; // the watch is called
    int from, to; // copies read and written
    int worker;   // set in each task
    int generations;
    uint64_t salt;         // for memo keys: of the rule and these generations
    uint64_t claim;        // of this round: a tile's claim is this plus one of LC_CLAIM_KEPT ...
    uint64_t claim_before; // of the previous round
    _Atomic(uint64_t) *stamps; // the plane's
    lc_task_result *results;
    lc_task_range *ranges; // of each worker
} lc_tasks;

// Returns a worker's next task, from its own range or another's. Called once for each task, so one
// is always left.
static inline size_t lc_tasks_take(const lc_tasks *k, int worker)
{
    const int workers = k->sparse->config.threads;
    for (int i = 0;; i++) {
        lc_task_range *r = &k->ranges[(worker + i) % workers];
        if (atomic_load_explicit(&r->next, memory_order_relaxed) >= r->end)
            continue;
        const size_t index = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
        if (index < r->end)
            return index;
    }
}

void lc_activation_task(void *tasks, size_t any, int worker); // both fit lc_task
void lc_tile_update_task(void *tasks, size_t any, int worker);

// Prefetches a tile's cells, or as many bytes of other data.
static inline void lc_prefetch_tile(const void *cells)
{
    __builtin_prefetch(cells);
    __builtin_prefetch((const uint8_t *)cells + 64);
}

// The parts of the lists that a task fills.
typedef struct lc_task_part {
    lc_tile_index *wanted, *wanted_end, *changed, *changed_end, *lacking, *lacking_end;
    lc_task_result *result;
    int out_of_turn; // number of tiles besides its own that the task may still update
} lc_task_part;

static inline lc_task_part lc_task_part_of(const lc_tasks *k, size_t index)
{
    const lc_sparse *s = k->sparse;
    lc_task_part p = {.wanted = s->scheduled.items + index * LC_TASK_ITEMS,
                      .changed = s->next.items + s->next.count + index * LC_TASK_ITEMS,
                      .result = &k->results[index],
                      .out_of_turn = LC_TASK_ITEMS - LC_TASK_TILES};
    p.wanted_end = p.wanted;
    p.changed_end = p.changed;
    p.lacking = p.lacking_end = p.changed + LC_TASK_ITEMS;
    *p.result = (lc_task_result){0};
    return p;
}

static inline void lc_task_part_close(const lc_task_part *p)
{
    p->result->wanted = (size_t)(p->wanted_end - p->wanted);
    p->result->changed = (size_t)(p->changed_end - p->changed);
    p->result->lacking = (size_t)(p->lacking_end - p->lacking);
}

// Changes a tile's claim from one value to another. Returns false if another worker was faster.
static inline bool lc_tile_reclaim(const lc_tasks *k, lc_tile *t, uint64_t from, uint64_t to)
{
    if (!k->alone)
        return atomic_compare_exchange_strong_explicit(&t->claim, &from, to, memory_order_relaxed,
                                                       memory_order_relaxed);
    atomic_store_explicit(&t->claim, to, memory_order_relaxed);
    return true;
}

// Claims a tile for this round. Returns false if it is already claimed in this round.
static inline bool lc_tile_claim_as(const lc_tasks *k, lc_tile_index index, lc_tile *t, int what)
{
    const uint64_t old = atomic_load_explicit(&t->claim, memory_order_relaxed);
    if (old >= k->claim || !lc_tile_reclaim(k, t, old, k->claim + (uint64_t)what))
        return false;
    if (k->stamps != NULL)
        lc_plane_stamp(k->stamps, index, k->claim);
    return true;
}

static inline bool lc_tile_claim(const lc_tasks *k, lc_tile_index index, lc_tile *t)
{
    return lc_tile_claim_as(k, index, t, LC_CLAIM_KEPT);
}

// Claims a tile and marks it as scheduled.
static inline bool lc_tile_want(const lc_tasks *k, lc_tile_index index, lc_tile *t)
{
    return lc_tile_claim_as(k, index, t, LC_CLAIM_WANTED);
}

// Returns whether a tile is scheduled and not taken yet. lc_tile_take takes it for the calling
// worker.
static inline bool lc_tile_is_scheduled(const lc_tasks *k, const lc_tile *t)
{
    return atomic_load_explicit(&t->claim, memory_order_relaxed) == k->claim + LC_CLAIM_WANTED;
}

static inline bool lc_tile_take(const lc_tasks *k, lc_tile *t)
{
    return lc_tile_is_scheduled(k, t) &&
           lc_tile_reclaim(k, t, k->claim + LC_CLAIM_WANTED, k->claim + LC_CLAIM_KEPT);
}

// Marks a claimed tile as changed and adds it to a list.
static inline void lc_task_note_change(const lc_tasks *k, lc_task_part *p, lc_tile_index index,
                                       lc_tile *t)
{
    atomic_store_explicit(&t->claim, k->claim + LC_CLAIM_CHANGED, memory_order_relaxed);
    if (t->edge || t->across[0] == 0 || t->across[1] == 0 || t->across[2] == 0 || t->across[3] == 0)
        *--p->lacking = index;
    else
        *p->changed_end++ = index;
}

// Subtracts (`goes`) or adds a tile's cells in the view counts, before and after they change.
static inline void lc_tile_note_far(const lc_tasks *k, const lc_tile *t, const uint32_t *cells,
                                    bool goes)
{
    if (k->sparse->view_counts.counts[0] != NULL)
        lc_view_counts_add(&k->sparse->view_counts, t, cells, goes);
}

// Sets the next cells of a claimed tile.
static inline void lc_tile_become(const lc_tasks *k, lc_task_part *p, lc_tile_index index,
                                  lc_tile *t, const uint32_t *cells, lc_tile_hash name)
{
    lc_tile_hash *old = &t->names[k->to];
    if (lc_tile_hashes_equal(*old, name))
        return;
    uint32_t *kept = lc_tile_cells(&k->sparse->plane, t, k->to);
    lc_tile_note_far(k, t, kept, true);
    memcpy(kept, cells, LC_TILE_WORDS * sizeof *cells);
    lc_tile_note_far(k, t, kept, false);
    p->result->population += lc_tile_hash_population(name) - lc_tile_hash_population(*old);
    *old = name;
    lc_task_note_change(k, p, index, t);
}

#endif
