// Updates scheduled tiles (sparse_tile_update.h), with memoised windows (sparse_memo.h).
//
// A task updates tiles in small batches, in steps, so that memory is prefetched some time before it
// is needed: first the hashes of the overlapping tiles and the memo entries, then the cells of the
// windows that must be computed. Three windows one below the other take a third less work
// (lc_column). So a task that computes a tile also updates the scheduled tiles above and below it,
// out of turn.
#include "engine/sparse/sparse_tile_update.h"

#include <string.h>

#include "base/least.h"

enum {
    BATCH = 8,
    RUN = 6, // most tiles one below the other that are updated together
};

typedef struct visited {
    lc_tile_index index;
    lc_tile *tile;
    lc_tile *from[4];
    lc_memo_entry *entry;
    lc_tile_hash key;
    unsigned live;    // which of the four have live cells, as bits
    bool is_dead;     // the next cells are all dead
    bool is_isolated; // few live cells: an isolated object is tried before the memo
} visited;

static inline bool is_remembered(const visited *e)
{
    return e->entry != NULL && lc_tile_hashes_equal(e->entry->window, e->key);
}

// Prefetches the heads of later tiles in the list, and of their overlapping tiles.
static void prefetch_heads(const lc_sparse *s, size_t i, size_t end)
{
    for (size_t k = i + 2 * BATCH; k < i + 3 * BATCH && k < end; k++)
        __builtin_prefetch(lc_tile_at(&s->plane, s->scheduled.items[k]));
    for (size_t k = i + BATCH; k < i + 2 * BATCH && k < end; k++) {
        const lc_tile *t = lc_tile_at(&s->plane, s->scheduled.items[k]);
        for (int q = 0; q < 4; q++)
            __builtin_prefetch(lc_tile_at(&s->plane, t->across[q]));
    }
}

// Finds the table's place for the window.
static inline void find_entry(const lc_tasks *v, const lc_memo *memo, visited *e)
{
    const lc_plane *plane = &v->sparse->plane;
    lc_tile_hash names[4];
    for (int q = 0; q < 4; q++)
        names[q] = e->from[q]->names[v->from];
    e->key = lc_memo_key(&plane->secrets, names, v->salt);
    e->entry = lc_memo_at(memo, e->key);
}

static inline void begin(const lc_tasks *v, const lc_memo *memo, bool looks, lc_tile_index index,
                         visited *e)
{
    const lc_plane *plane = &v->sparse->plane;
    int population = 0;
    e->index = index;
    e->tile = lc_tile_at(plane, index);
    if (e->tile->edge)
        return;
    for (int q = 0; q < 4; q++) {
        e->from[q] = lc_tile_at(plane, e->tile->across[q]);
        const int live = lc_tile_hash_population(e->from[q]->names[v->from]);
        population += live;
        e->live |= (unsigned)(live != 0) << q;
    }
    e->is_dead = population == 0;
    e->is_isolated =
        !e->is_dead && population <= LC_ISOLATED_POPULATION && !lc_sparse_alternates(v->sparse);
    if (looks && !e->is_dead && !e->is_isolated) {
        find_entry(v, memo, e);
        lc_prefetch_tile(e->entry);
    }
}

// Prefetches the cells if the window is not memoised.
static inline void look(const lc_tasks *v, visited *e)
{
    const lc_plane *plane = &v->sparse->plane;
    if (e->tile->edge || e->is_dead || is_remembered(e))
        return;
    for (int q = 0; q < 4; q++)
        if ((e->live >> q & 1) != 0)
            lc_prefetch_tile(lc_tile_cells(plane, e->from[q], v->from));
    lc_prefetch_tile(lc_tile_cells(plane, e->tile, v->to));
}

static inline lc_window window_of(const lc_tasks *v, const visited *e, uint32_t *middle)
{
    return lc_sparse_window(v->sparse, e->tile, v->from, v->generations, middle);
}

// Memoises a computed window if it was met before.
static inline void learn(const lc_tasks *v, const visited *e)
{
    const uint16_t mark = (uint16_t)(e->key.high >> 40);
    if (e->entry->seen != mark) {
        e->entry->seen = mark;
        return;
    }
    e->entry->window = e->key;
    e->entry->middle = e->tile->names[v->to];
    memcpy(e->entry->cells, lc_tile_cells(&v->sparse->plane, e->tile, v->to),
           sizeof e->entry->cells);
}

// Updates the tile if the window has only an isolated object. Returns false if not.
static bool move_on(const lc_tasks *v, lc_task_part *p, const visited *e)
{
    const lc_sparse *s = v->sparse;
    const lc_window w = window_of(v, e, NULL);
    const int begin = LC_TILE_CELLS / 2; // of the middle
    uint32_t cells[LC_TILE_WORDS];
    lc_isolated_object o;
    if (!lc_isolated_find(w.tiles, e->live, &o) ||
        !lc_isolated_step(&s->isolated_memos[v->worker], &o, v->generations,
                          lc_sparse_window_rules(s), s->steps.window))
        return false;
    const int live = lc_isolated_put(&o, begin, begin, cells);
    lc_tile_become(v, p, e->index, e->tile, live == 0 ? lc_dead_cells : cells,
                   lc_tile_hash_of(&s->plane.secrets, cells, live));
    return true;
}

// Computes a memoised window. Returns whether the results agree.
static bool is_right(const lc_tasks *v, lc_memo *memo, const visited *e)
{
    _Alignas(64) uint32_t cells[LC_TILE_WORDS] = {0};
    const lc_window w = window_of(v, e, cells);
    memo->unchecked = 0;
    (void)v->sparse->steps.window(&w);
    return memcmp(cells, e->entry->cells, sizeof cells) == 0;
}

static void update_at_edge(const lc_tasks *v, lc_task_part *p, const visited *e)
{
    const lc_sparse *s = v->sparse;
    uint32_t cells[LC_TILE_WORDS];
    const int live = lc_sparse_edge(s, e->tile, v->from, v->generations, cells);
    p->result->computed++;
    lc_tile_become(v, p, e->index, e->tile, cells, lc_tile_hash_of(&s->plane.secrets, cells, live));
}

// Updates a tile without computing a window. Returns false if that is not possible.
static inline bool shortcut(const lc_tasks *v, lc_task_part *p, lc_memo *memo, bool looks,
                            visited *e)
{
    if (e->is_dead) {
        lc_tile_become(v, p, e->index, e->tile, lc_dead_cells, (lc_tile_hash){0});
        return true;
    }
    if (e->is_isolated && move_on(v, p, e))
        return true;
    if (looks && e->is_isolated)
        find_entry(v, memo, e);
    memo->looked += e->entry != NULL;
    if (!is_remembered(e))
        return false;
    memo->found++;
    if (++memo->unchecked >= LC_MEMO_CHECK && !is_right(v, memo, e))
        p->result->is_wrong = true;
    lc_tile_become(v, p, e->index, e->tile, e->entry->cells, e->entry->middle);
    return true;
}

// Records the result of a computed window.
static inline void note_window(const lc_tasks *v, lc_task_part *p, const visited *e,
                               lc_window_change change)
{
    const lc_plane *plane = &v->sparse->plane;
    lc_tile_hash *name = &e->tile->names[v->to];
    lc_tile_note_far(v, e->tile, lc_tile_cells(plane, e->tile, v->to), false);
    p->result->computed++;
    if (change.changed) {
        p->result->population += change.population;
        *name = lc_tile_hash_of(&plane->secrets, lc_tile_cells(plane, e->tile, v->to),
                                lc_tile_hash_population(*name) + change.population);
        lc_task_note_change(v, p, e->index, e->tile);
    }
    if (e->entry != NULL)
        learn(v, e);
}

static inline void compute_one(const lc_tasks *v, lc_task_part *p, const visited *e)
{
    const lc_sparse *s = v->sparse;
    uint32_t *cells = lc_tile_cells(&s->plane, e->tile, v->to);
    const lc_window w = window_of(v, e, cells);
    lc_tile_note_far(v, e->tile, cells, true);
    note_window(v, p, e, s->steps.window(&w));
}

static inline void compute_column(const lc_tasks *v, lc_task_part *p, const visited *run)
{
    const lc_sparse *s = v->sparse;
    lc_window_change changes[LC_COLUMN_WINDOWS];
    lc_column column = {.generations = v->generations, .rules = lc_sparse_window_rules(s)};
    for (int i = 0; i <= LC_COLUMN_WINDOWS; i++) {
        const bool last = i == LC_COLUMN_WINDOWS;
        for (int q = 0; q < 2; q++)
            column.tiles[2 * i + q] =
                lc_tile_cells(&s->plane, last ? run[i - 1].from[2 + q] : run[i].from[q], v->from);
        if (last)
            break;
        column.middles[i] = lc_tile_cells(&s->plane, run[i].tile, v->to);
        lc_tile_note_far(v, run[i].tile, column.middles[i], true);
    }
    s->steps.column(&column, changes);
    for (int i = 0; i < LC_COLUMN_WINDOWS; i++)
        note_window(v, p, &run[i], changes[i]);
}

// Begins to update a tile's neighbour above or below, out of turn. Returns false if the neighbour
// is not scheduled, or needs no window.
static inline bool update_beside(const lc_tasks *v, lc_task_part *p, lc_memo *memo, bool looks,
                                 const visited *beside, bool below, visited *e)
{
    const lc_tile_index index = below ? beside->from[2]->across[3] : beside->from[0]->across[1];
    lc_tile *t = lc_tile_at(&v->sparse->plane, index);
    if (p->out_of_turn == 0 || t->edge || !lc_tile_take(v, t))
        return false;
    p->out_of_turn--;
    *e = (visited){0};
    begin(v, memo, looks, index, e);
    look(v, e);
    return !shortcut(v, p, memo, looks, e);
}

static inline void finish(const lc_tasks *v, lc_task_part *p, lc_memo *memo, bool looks, visited *e)
{
    visited run[2 * RUN - 1];
    int first = RUN - 1, end = RUN;
    if (!lc_tile_take(v, e->tile))
        return;
    if (e->tile->edge) {
        update_at_edge(v, p, e);
        return;
    }
    if (shortcut(v, p, memo, looks, e))
        return;
    run[first] = *e;
    while (end - first < RUN &&
           update_beside(v, p, memo, looks, &run[first], false, &run[first - 1]))
        first--;
    while (end - first < RUN && update_beside(v, p, memo, looks, &run[end - 1], true, &run[end]))
        end++;
    for (; end - first >= LC_COLUMN_WINDOWS; first += LC_COLUMN_WINDOWS)
        compute_column(v, p, &run[first]);
    for (; first < end; first++)
        compute_one(v, p, &run[first]);
}

// Returns whether to look up windows in the memo table. Each trial decides anew.
static bool pays(lc_memo *memo, size_t count)
{
    if (memo->entries == NULL)
        return false;
    if (memo->pause > 0) {
        memo->pause -= (uint32_t)lc_least_u64(memo->pause, count);
        return false;
    }
    if (memo->looked >= LC_MEMO_TRIAL) {
        memo->pause_trials = memo->found < memo->looked / 64 && memo->pause_trials > 0
                                 ? (uint32_t)lc_least_u64(memo->pause_trials + 1, LC_MEMO_PAUSE_MAX)
                                 : LC_MEMO_PAUSE;
        if (memo->found < memo->looked / 8)
            memo->pause = memo->pause_trials * LC_MEMO_TRIAL;
        memo->looked = memo->found = 0;
    }
    return true;
}

void lc_tile_update_task(void *context, size_t any, int worker)
{
    lc_tasks of_worker = *(const lc_tasks *)context;
    const lc_tasks *v = &of_worker;
    const lc_sparse *s = v->sparse;
    lc_memo *memo = &s->memos[worker];
    const size_t index = lc_tasks_take(v, worker);
    lc_task_part p = lc_task_part_of(v, index);
    const size_t end = lc_least_u64((index + 1) * LC_TASK_TILES, s->scheduled.count);
    (void)any;
    of_worker.worker = worker;
    for (size_t i = index * LC_TASK_TILES; i < end; i += BATCH) {
        visited batch[BATCH] = {0};
        const bool looks = pays(memo, lc_least_u64(BATCH, end - i));
        prefetch_heads(s, i, end);
        size_t count = 0;
        for (size_t k = i; k < end && k < i + BATCH; k++)
            if (lc_tile_is_scheduled(v, lc_tile_at(&s->plane, s->scheduled.items[k])))
                begin(v, memo, looks, s->scheduled.items[k], &batch[count++]);
        for (size_t k = 0; k < count; k++)
            look(v, &batch[k]);
        for (size_t k = 0; k < count; k++)
            finish(v, &p, memo, looks, &batch[k]);
    }
    lc_task_part_close(&p);
}
