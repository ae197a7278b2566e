// Computes and caches statistics of tiles.
#include <string.h>

#include "base/area.h"
#include "base/memory.h"
#include "engine/sparse/sparse_tile_update.h"
#include "grid/cell_hash.h"
#include "kernels/hash.h"
#include "level/tile.h"

// A query recomputes all tiles if more than one in so many has changed.
enum { RECOMPUTE_ALL_DIVISOR = 8 };

// Tiles -------------------------------------------------------------------------------------------

// Packs population and margins. The low 20 bits are the margins.
static uint32_t shape_of(int population, lc_tile_margins m)
{
    return (uint32_t)(population << 20 | m.left << 15 | m.right << 10 | m.top << 5 | m.bottom);
}

static lc_box box_of(const lc_tile *t, uint32_t shape)
{
    const int left = shape >> 15 & 31, right = shape >> 10 & 31, top = shape >> 5 & 31;
    return (lc_box){.x = lc_tile_cell(t->layer, t->x) + left,
                    .y = lc_tile_cell(t->layer, t->y) + top,
                    .width_cells = LC_TILE_CELLS - left - right,
                    .height_cells = LC_TILE_CELLS - top - (int)(shape & 31)};
}

static uint64_t weight_of(lc_hash_weight_cache *w, int64_t x, int64_t y)
{
    const size_t mask = (1 << LC_FACTS_WEIGHTS_LOG2) - 1;
    const size_t column = (size_t)(x >> (LC_TILE_LOG2 - 1)) & mask;
    const size_t row = (size_t)(y >> (LC_TILE_LOG2 - 1)) & mask;
    if (w->columns[column].weight == 0 || w->columns[column].at != x) {
        w->columns[column].at = x;
        w->columns[column].weight = lc_hash_weight(x, 0);
    }
    if (w->rows[row].weight == 0 || w->rows[row].at != y) {
        w->rows[row].at = y;
        w->rows[row].weight = lc_hash_weight(0, y);
    }
    return lc_hash_times(w->columns[column].weight, w->rows[row].weight);
}

// A query in progress.
typedef struct look {
    const lc_sparse *sparse;
    const lc_facts_phase *phase; // NULL: not cached
    bool all;                    // recompute all tiles
} look;

static bool lives_across(const lc_sparse *s, const lc_tile *t, int copy)
{
    for (int q = 0; q < 4; q++)
        if (lc_tile_hash_population(lc_tile_at(&s->plane, t->across[q])->names[copy]) != 0)
            return true;
    return false;
}

// Returns a tile's current cells, computed into `made` if necessary. NULL: all are dead.
static const uint32_t *cells_now(const lc_sparse *s, lc_tile_index index, const lc_tile *t,
                                 uint32_t made[LC_TILE_WORDS])
{
    const int copy = lc_sparse_copy(s, s->round);
    if (s->offset == 0 ? lc_tile_hash_population(t->names[copy]) == 0
                       : !t->edge && !lives_across(s, t, copy))
        return NULL;
    if (s->offset == 0 || s->is_shown)
        return lc_sparse_cells(s, index);
    lc_sparse_show_tile(s, t, made);
    return made;
}

static void recompute_tile(const look *k, lc_facts_worker *worker, lc_facts_chunk *c,
                           lc_tile_index index, const lc_tile *t)
{
    _Alignas(64) uint32_t made[LC_TILE_WORDS] = {0};
    const lc_sparse *s = k->sparse;
    const size_t at = index & (LC_PLANE_CHUNK - 1);
    const uint32_t *cells = cells_now(s, index, t, made);
    const int population = cells != NULL ? lc_tile_population(cells) : 0;
    uint32_t shape = 0;
    uint64_t hash = 0;
    if (population != 0) {
        const int64_t x = lc_tile_cell(t->layer, t->x), y = lc_tile_cell(t->layer, t->y);
        shape = shape_of(population, lc_tile_margins_of(cells));
        hash = lc_hash_weighted(cells, s->facts_cache.row_weights, LC_TILE_WORDS);
        hash = lc_hash_canonical(lc_hash_times(hash, weight_of(&worker->weights, x, y)));
    }
    const uint64_t old = c->hashes[at];
    c->sum.population += (shape >> 20) - (uint64_t)(c->shapes[at] >> 20);
    c->sum.hash = lc_hash_joined(c->sum.hash, hash);
    if (old != 0) // subtracts it: adds p - old
        c->sum.hash = lc_hash_joined(c->sum.hash, 0 - LC_HASH_FOLD - old);
    c->shapes[at] = shape;
    c->hashes[at] = hash;
}

// Recomputes the tiles of a group that were claimed since the last query, and the group's box.
static void query_group(const look *k, lc_facts_worker *worker, lc_facts_chunk *c,
                        lc_tile_index first)
{
    const lc_plane *plane = &k->sparse->plane;
    const unsigned layer = (unsigned)lc_sparse_layer(k->sparse);
    lc_box box = {.empty = true};
    for (lc_tile_index i = first; i < first + LC_PLANE_GROUP; i++) {
        const lc_tile *t = lc_tile_at(plane, i);
        if (!t->used || t->layer != layer)
            continue;
        if (k->all || atomic_load_explicit(&t->claim, memory_order_relaxed) > k->phase->valid_to)
            recompute_tile(k, worker, c, i, t);
        const uint32_t shape = c->shapes[i & (LC_PLANE_CHUNK - 1)];
        if (shape != 0)
            box = lc_box_union(box, box_of(t, shape));
    }
    c->boxes[first % LC_PLANE_CHUNK / LC_PLANE_GROUP] = box;
}

static void add(lc_facts_sum *sum, const lc_facts_sum *more)
{
    sum->population += more->population;
    sum->hash = lc_hash_joined(sum->hash, more->hash);
    sum->box = lc_box_union(sum->box, more->box);
}

static void query_chunk(void *context, size_t chunk, int worker)
{
    const look *k = context;
    const lc_plane *plane = &k->sparse->plane;
    lc_facts_worker *w = &k->sparse->facts_cache.workers[worker];
    lc_facts_chunk not_kept, *c = &not_kept;
    bool any = k->all;
    if (plane->chunks[chunk] == NULL)
        return;
    if (k->phase != NULL)
        c = k->phase->chunks[chunk];
    else
        memset(c, 0, sizeof *c);
    for (size_t i = 0; i < LC_FACTS_GROUPS; i++) {
        const size_t group = chunk * LC_FACTS_GROUPS + i;
        if (!k->all &&
            atomic_load_explicit(&plane->stamps[group], memory_order_relaxed) <= k->phase->valid_to)
            continue;
        query_group(k, w, c, (lc_tile_index)(group * LC_PLANE_GROUP));
        any = true;
    }
    if (any) {
        c->sum.box = (lc_box){.empty = true};
        for (size_t i = 0; i < LC_FACTS_GROUPS; i++)
            c->sum.box = lc_box_union(c->sum.box, c->boxes[i]);
    }
    add(&w->sum, &c->sum);
}

// Changed tiles -----------------------------------------------------------------------------------

static void mark(lc_sparse *s, lc_tile_index index)
{
    lc_tile *t = lc_tile_at(&s->plane, index);
    const uint64_t claim = s->claim + LC_CLAIM_KEPT;
    if (atomic_load_explicit(&t->claim, memory_order_relaxed) < claim)
        atomic_store_explicit(&t->claim, claim, memory_order_relaxed);
    lc_plane_stamp(s->plane.stamps, index, claim);
}

void lc_facts_cache_mark_written(lc_sparse *s, lc_tile_index index)
{
    if (s->plane.stamps == NULL)
        return;
    s->claim += LC_CLAIMS;
    s->facts_cache.last_change = s->claim;
    mark(s, index);
}

static lc_status mark_at(void *context, int layer, int64_t x, int64_t y)
{
    lc_sparse *s = context;
    const lc_tile_index index = lc_plane_find(&s->plane, layer, x, y);
    if (index != 0)
        mark(s, index);
    return LC_OK;
}

// Marks the tiles that overlap changed tiles, as the current round would claim them. Returns false
// if they are too many.
static bool mark_overlapping(lc_sparse *s)
{
    if (s->changed.count + s->at_edge.count > s->plane.used_count / RECOMPUTE_ALL_DIVISOR)
        return false;
    for (size_t i = 0; i < s->changed.count; i++) {
        const lc_tile *t = lc_tile_at(&s->plane, s->changed.items[i]);
        for (int q = 0; q < 4; q++)
            if (t->across[q] != 0)
                mark(s, t->across[q]);
    }
    for (size_t i = 0; i < s->at_edge.count; i++)
        (void)lc_edge_around(&s->plane, lc_tile_at(&s->plane, s->at_edge.items[i]), mark_at, s);
    return true;
}

// Phases ------------------------------------------------------------------------------------------

static void drop_phase(lc_sparse *s, lc_facts_phase *m)
{
    lc_facts_cache *y = &s->facts_cache;
    void *chunks = m->chunks;
    for (size_t i = 0; i < m->chunk_count; i++) {
        y->held_bytes -= m->chunks[i] != NULL ? sizeof *m->chunks[i] : 0;
        lc_plane_give(&s->plane, m->chunks[i], sizeof *m->chunks[i]);
    }
    (void)lc_plane_resize(&s->plane, LC_LIST_OF_ROUNDS, &chunks, m->chunk_count * sizeof *m->chunks,
                          0, NULL);
    *m = y->phases[--y->phase_count];
}

void lc_facts_cache_clear(lc_sparse *s)
{
    while (s->facts_cache.phase_count > 0)
        drop_phase(s, &s->facts_cache.phases[s->facts_cache.phase_count - 1]);
    lc_plane_end_stamps(&s->plane);
}

void lc_facts_cache_expire(lc_sparse *s)
{
    if (!s->facts_cache.was_queried || s->round - s->facts_cache.queried_at <= LC_FACTS_IDLE_ROUNDS)
        return;
    lc_facts_cache_clear(s);
    s->facts_cache.was_queried = false;
}

// Allocates the facts of all chunks. Returns false if out of memory, or beyond the cache's share.
static bool make_chunks(lc_sparse *s, lc_facts_phase *m)
{
    lc_plane *plane = &s->plane;
    void *chunks = m->chunks;
    if (plane->chunk_count > m->chunk_count) {
        if (lc_plane_resize(plane, LC_LIST_OF_ROUNDS, &chunks, m->chunk_count * sizeof *m->chunks,
                            plane->chunk_count * sizeof *m->chunks, NULL) != LC_OK)
            return false;
        m->chunks = chunks;
        while (m->chunk_count < plane->chunk_count)
            m->chunks[m->chunk_count++] = NULL;
    }
    for (size_t i = 0; i < plane->chunk_count; i++) {
        void *chunk;
        if (plane->chunks[i] == NULL || m->chunks[i] != NULL)
            continue;
        if (s->facts_cache.held_bytes + sizeof *m->chunks[i] >
                plane->limit_bytes / LC_FACTS_MEMORY_DIVISOR ||
            lc_plane_take(plane, &chunk, sizeof *m->chunks[i], NULL) != LC_OK)
            return false;
        s->facts_cache.held_bytes += sizeof *m->chunks[i];
        m->chunks[i] = chunk;
        m->chunks[i]->sum.box.empty = true;
        for (size_t b = 0; b < LC_FACTS_GROUPS; b++)
            m->chunks[i]->boxes[b].empty = true;
    }
    return true;
}

// Drops phases without a recent query.
static void drop_old_phases(lc_sparse *s)
{
    for (int i = s->facts_cache.phase_count; i-- > 0;)
        if (s->round - s->facts_cache.phases[i].queried_at > LC_FACTS_IDLE_ROUNDS)
            drop_phase(s, &s->facts_cache.phases[i]);
}

// Returns the facts of the current phase, or adds that phase. NULL: this query is not cached.
static lc_facts_phase *current_phase(lc_sparse *s)
{
    lc_facts_cache *y = &s->facts_cache;
    const uint64_t round = s->round % (uint64_t)lc_sparse_cycle(s);
    lc_facts_phase *m = y->phases;
    const bool is_first = !y->was_queried;
    y->was_queried = true;
    y->queried_at = s->round;
    if (is_first || !lc_plane_begin_stamps(&s->plane))
        return NULL;
    while (m < y->phases + y->phase_count && (m->round != round || m->offset != s->offset))
        m++;
    if (m == y->phases + LC_FACTS_PHASES_MAX) {
        drop_old_phases(s);
        m = y->phases + y->phase_count;
        if (y->phase_count == LC_FACTS_PHASES_MAX)
            return NULL;
    }
    if (m == y->phases + y->phase_count) {
        *m = (lc_facts_phase){.round = round, .offset = s->offset};
        y->phase_count++;
    }
    m->queried_at = s->round;
    if (make_chunks(s, m))
        return m;
    drop_phase(s, m);
    return NULL;
}

void lc_facts_cache_query(lc_sparse *s, lc_facts *facts)
{
    lc_facts_phase *m = current_phase(s);
    const uint64_t last_claim = s->claim + LC_CLAIMS - 1;
    lc_facts_sum sum = {.box = {.empty = true}};
    if (m != NULL && m->valid_to != 0 && m->valid_to >= s->facts_cache.last_change) {
        sum = m->facts; // nothing has changed
    } else {
        const bool all = m == NULL || m->valid_to == 0 || (s->offset != 0 && !mark_overlapping(s));
        look k = {s, m, all};
        for (int i = 0; i < s->config.threads; i++)
            s->facts_cache.workers[i].sum = sum;
        lc_pool_run(s->config.pool, s->plane.chunk_count, query_chunk, &k);
        for (int i = 0; i < s->config.threads; i++)
            add(&sum, &s->facts_cache.workers[i].sum);
    }
    if (m != NULL) {
        m->facts = sum;
        m->valid_to = last_claim;
    }
    facts->population = lc_count_of(sum.population);
    facts->box = sum.box;
    facts->hash = sum.hash;
}

bool lc_facts_cache_init(lc_facts_cache *y, int workers)
{
    y->workers = lc_calloc((size_t)workers, sizeof *y->workers);
    for (int i = 0; i < LC_TILE_WORDS; i++)
        y->row_weights[i] = lc_hash_weight(0, lc_tile_row(i));
    return y->workers != NULL;
}
