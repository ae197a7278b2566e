// Schedules the tiles that a round updates (sparse_tile_update.h).
//
// If a tile has a single isolated object, the tiles that overlap it and see nothing more get their
// next cells at once. Most objects that leave a pattern are gliders, and updating four tiles for
// each of them would be most of the work.
#include "base/least.h"
#include "engine/sparse/sparse_tile_update.h"

enum { AHEAD = 4 };

// The eight neighbours of a tile, as across[b] of its across[a]. Two such paths lead to each
// neighbour at a side.
static const uint8_t round_it[8][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 2},
                                       {3, 1}, {2, 2}, {3, 2}, {3, 3}};

static inline const lc_tile *beside(const lc_plane *plane, const lc_tile *t, int i)
{
    const lc_tile *c = lc_tile_at(plane, t->across[round_it[i][0]]);
    return lc_tile_at(plane, c->across[round_it[i][1]]);
}

static void prefetch(const lc_tasks *k, size_t i, size_t end)
{
    const lc_sparse *s = k->sparse;
    if (i + 3 * AHEAD < end)
        __builtin_prefetch(lc_tile_at(&s->plane, s->changed.items[i + 3 * AHEAD]));
    if (i + 2 * AHEAD < end) {
        lc_tile *t = lc_tile_at(&s->plane, s->changed.items[i + 2 * AHEAD]);
        for (int q = 0; q < 4; q++)
            __builtin_prefetch(lc_tile_at(&s->plane, t->across[q]));
        lc_prefetch_tile(lc_tile_cells(&s->plane, t, k->from));
    }
    if (i + AHEAD < end) {
        const lc_tile *t = lc_tile_at(&s->plane, s->changed.items[i + AHEAD]);
        if (lc_tile_hash_population(t->names[k->from]) <= LC_ISOLATED_POPULATION)
            for (int n = 0; n < 8; n++)
                __builtin_prefetch(beside(&s->plane, t, n));
    }
}

// Returns which of the eight neighbours have live cells: bit i is the neighbour at round_it[i].
static unsigned live_round(const lc_tasks *k, const lc_tile *t)
{
    unsigned live = 0;
    for (int i = 0; i < 8; i++)
        live |= (unsigned)(lc_tile_hash_population(
                               beside(&k->sparse->plane, t, i)->names[k->from]) != 0)
                << i;
    return live;
}

// Handles a tile whose last cells died. An overlapping tile with an otherwise dead window is
// cleared. If its window has another changed live tile, that one schedules it. The remaining ones
// are scheduled here.
static void bury(const lc_tasks *k, lc_task_part *p, const lc_tile *t)
{
    const lc_plane *plane = &k->sparse->plane;
    for (int q = 0; q < 4; q++) {
        lc_tile *c = lc_tile_at(plane, t->across[q]);
        bool is_alive = false, is_seen_to = false;
        for (int i = 0; i < 4; i++) {
            lc_tile *u = lc_tile_at(plane, c->across[i]);
            const bool lives = lc_tile_hash_population(u->names[k->from]) != 0;
            is_alive |= lives;
            is_seen_to |= lives && atomic_load_explicit(&u->claim, memory_order_relaxed) ==
                                       k->claim_before + LC_CLAIM_CHANGED;
        }
        if (is_seen_to ||
            !(is_alive ? lc_tile_want(k, t->across[q], c) : lc_tile_claim(k, t->across[q], c)))
            continue;
        if (is_alive)
            *p->wanted_end++ = t->across[q];
        else
            lc_tile_become(k, p, t->across[q], c, lc_dead_cells, (lc_tile_hash){0});
    }
}

static inline void want(const lc_tasks *k, lc_task_part *p, lc_tile_index index)
{
    if (lc_tile_want(k, index, lc_tile_at(&k->sparse->plane, index)))
        *p->wanted_end++ = index;
}

// Computes the next cells of the overlapping tiles whose window has only an isolated object, and
// schedules the others. Gliders in a row have some of both.
static bool move_on(const lc_tasks *k, lc_task_part *p, lc_tile *t)
{
    // The three neighbours that are in the window of across[q], too.
    static const uint8_t in_window[4] = {1 << 0 | 1 << 1 | 1 << 3, 1 << 1 | 1 << 2 | 1 << 4,
                                         1 << 3 | 1 << 5 | 1 << 6, 1 << 4 | 1 << 6 | 1 << 7};
    const lc_sparse *s = k->sparse;
    const uint32_t *const tiles[4] = {lc_tile_cells(&s->plane, t, k->from), lc_dead_cells,
                                      lc_dead_cells, lc_dead_cells};
    const int population = lc_tile_hash_population(t->names[k->from]);
    unsigned others, crowded = 0; // windows with other live cells, as bits
    lc_isolated_object o;
    if (population > LC_ISOLATED_POPULATION || lc_sparse_alternates(s))
        return false;
    others = live_round(k, t);
    for (int q = 0; q < 4; q++)
        crowded |= (unsigned)((others & in_window[q]) != 0) << q;
    if (crowded == 0xF || !lc_isolated_find(tiles, 1, &o) ||
        !lc_isolated_step(&s->isolated_memos[k->worker], &o, k->generations,
                          lc_sparse_window_rules(s), s->steps.window))
        return false;
    for (int q = 0; q < 4; q++) {
        uint32_t cells[LC_TILE_WORDS];
        lc_tile *c = lc_tile_at(&s->plane, t->across[q]);
        const int half = LC_TILE_CELLS / 2;
        if ((crowded >> q & 1) != 0) {
            want(k, p, t->across[q]);
            continue;
        }
        if (!lc_tile_claim(k, t->across[q], c))
            continue;
        const int live =
            lc_isolated_put(&o, q % 2 == 0 ? -half : half, q / 2 == 0 ? -half : half, cells);
        lc_tile_become(k, p, t->across[q], c, live == 0 ? lc_dead_cells : cells,
                       lc_tile_hash_of(&s->plane.secrets, cells, live));
    }
    return true;
}

void lc_activation_task(void *context, size_t any, int worker)
{
    lc_tasks of_worker = *(const lc_tasks *)context;
    const lc_tasks *k = &of_worker;
    const lc_sparse *s = k->sparse;
    const size_t index = lc_tasks_take(k, worker);
    lc_task_part p = lc_task_part_of(k, index);
    const size_t end = lc_least_u64((index + 1) * LC_TASK_TILES, s->changed.count);
    (void)any;
    of_worker.worker = worker;
    for (size_t i = index * LC_TASK_TILES; i < end; i++) {
        lc_tile *t = lc_tile_at(&s->plane, s->changed.items[i]);
        prefetch(k, i, end);
        if (t->edge) // sparse_round.c schedules its neighbours
            continue;
        if (lc_tile_hash_population(t->names[k->from]) == 0) {
            bury(k, &p, t);
            continue;
        }
        if (move_on(k, &p, t))
            continue;
        for (int q = 0; q < 4; q++)
            want(k, &p, t->across[q]);
    }
    lc_task_part_close(&p);
}
