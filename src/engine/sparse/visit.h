// The tasks of a round. First those that have changed spread the news: the tiles across are to be
// visited, unless it is clear at once what they become. Then those tiles are visited.
#ifndef LC_ENGINE_SPARSE_VISIT_H
#define LC_ENGINE_SPARSE_VISIT_H

#include "engine/sparse/sparse.h"

enum {
    LC_TASK_TILES = 64, // of a task
    LC_TASK_ITEMS = 4 * LC_TASK_TILES,
};

// What a task finds out. Of each of the lists it has a part of its own, LC_TASK_ITEMS behind what
// is in the list: from the front tiles to be visited or that have changed, and of the latter from
// the back those that have changed and lack tiles across.
typedef struct lc_task_result {
    size_t wanted, changed, lacking;
    size_t computed; // windows
    bool is_wrong;   // a remembered window was another one's
    int64_t population;
} lc_task_result;

typedef struct lc_tasks {
    lc_sparse *sparse;
    bool alone;   // there is one task at a time
    bool watched; // the watch is asked
    int from, to; // copies
    int worker;   // in a task
    int generations;
    uint64_t salt;  // for what is remembered: of the rule and these generations
    uint64_t claim; // a tile's claim if it is claimed in this round; 1 more if it has changed, too
    uint64_t claim_before; // the same of the round before
    lc_task_result *results;
    size_t first; // of the tasks that are run now
} lc_tasks;

void lc_spread_task(void *tasks, size_t index, int worker); // both fit lc_task
void lc_visit_task(void *tasks, size_t index, int worker);

// Asks for a tile's cells, or as many bytes of anything.
static inline void lc_prefetch_tile(const void *cells)
{
    __builtin_prefetch(cells);
    __builtin_prefetch((const uint8_t *)cells + 64);
}

// Where a task writes down what it found out.
typedef struct lc_task_part {
    lc_tile_index *wanted, *wanted_end, *changed, *changed_end, *lacking, *lacking_end;
    lc_task_result *result;
} lc_task_part;

static inline lc_task_part lc_task_part_of(const lc_tasks *k, size_t index)
{
    const lc_sparse *s = k->sparse;
    lc_task_part p = {.wanted = s->wanted.items + index * LC_TASK_ITEMS,
                      .changed = s->next.items + s->next.count + index * LC_TASK_ITEMS,
                      .result = &k->results[index]};
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

// Whether a tile is to be looked after in this round, and was not before.
static inline bool lc_tile_claim(const lc_tasks *k, lc_tile *t)
{
    uint64_t old = atomic_load_explicit(&t->claim, memory_order_relaxed);
    if (old >= k->claim)
        return false;
    if (!k->alone)
        return atomic_compare_exchange_strong_explicit(&t->claim, &old, k->claim,
                                                       memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(&t->claim, k->claim, memory_order_relaxed);
    return true;
}

// A claimed tile has changed.
static inline void lc_task_note_change(const lc_tasks *k, lc_task_part *p, lc_tile_index index,
                                       lc_tile *t)
{
    atomic_store_explicit(&t->claim, k->claim + 1, memory_order_relaxed);
    if (t->across[0] == 0 || t->across[1] == 0 || t->across[2] == 0 || t->across[3] == 0)
        *--p->lacking = index;
    else
        *p->changed_end++ = index;
}

// Those cells are what a claimed tile becomes.
static inline void lc_tile_become(const lc_tasks *k, lc_task_part *p, lc_tile_index index,
                                  lc_tile *t, const uint32_t *cells, lc_tile_name name)
{
    lc_tile_name *old = &t->names[k->to];
    if (lc_names_equal(*old, name))
        return;
    memcpy(lc_tile_cells(&k->sparse->plane, t, k->to), cells, LC_TILE_WORDS * sizeof *cells);
    p->result->population += lc_name_population(name) - lc_name_population(*old);
    *old = name;
    lc_task_note_change(k, p, index, t);
}

#endif
