// Rounds of the sparse engine: updates tiles on one thread or several.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/sparse/sparse_tile_update.h"

enum {
    // Up to so many tiles, waking other threads does not pay.
    ALONE_CHANGED = 1024,
    ALONE_WANTED = 512,
    FIRST_SWEEP = 4096, // tiles in use
    MEMO_VISITS = 1 << 13,
    MEMO_SHARE = 8,       // memo tables take at most this fraction of the memory
    FAR_ROUNDS = 1 << 12, // without a downsampled view until its counts are dropped
    LOOK_TASKS = 16,      // per thread, between two readings of the clock
};

// Changes -----------------------------------------------------------------------------------------

// Puts a tile on the list `touched`, which has room.
static void touch(lc_sparse *s, lc_tile_index index)
{
    lc_tile *t = lc_tile_at(&s->plane, index);
    if (t->touched)
        return;
    t->touched = true;
    s->touched.items[s->touched.count++] = index;
}

static lc_status reserve_due(lc_sparse *s, size_t count, lc_message *message)
{
    void *items = s->due.items;
    if (count <= s->due.room)
        return LC_OK;
    const lc_status status = lc_list_grow(&s->plane, LC_LIST_PROMISED, &items, &s->due.room,
                                          sizeof *s->due.items, count, message);
    s->due.items = items;
    return status;
}

lc_status lc_sparse_reserve_writes(lc_sparse *s, size_t tiles, lc_message *message)
{
    lc_due_list *due = &s->due;
    const size_t waiting = due->end - due->begin, used = s->plane.used_count;
    const lc_status status = lc_tile_list_reserve(
        &s->plane, &s->touched, lc_least_u64(s->touched.count + tiles, used), message);
    if (status != LC_OK || due->end + tiles <= due->room)
        return status;
    if (due->begin > 0) {
        memmove(due->items, due->items + due->begin, waiting * sizeof *due->items);
        due->begin = 0;
        due->end = waiting;
    }
    return reserve_due(s, waiting + lc_least_u64(tiles, used), message);
}

void lc_sparse_note_write(lc_sparse *s, lc_tile_index index)
{
    lc_tile *t = lc_tile_at(&s->plane, index);
    lc_facts_cache_mark_written(s, index);
    if (!t->written)
        s->due.items[s->due.end++] = (lc_due){s->round + (uint64_t)lc_sparse_cycle(s) - 1, index};
    t->written = true;
    touch(s, index);
}

// Keeps the tiles of a list that are still in use.
static void keep_used(const lc_sparse *s, lc_tile_list *list, bool touched)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        lc_tile *t = lc_tile_if_used(&s->plane, list->items[i]);
        if (t == NULL)
            continue;
        t->touched = touched;
        list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

// Frees tiles that are no longer needed.
static void sweep(lc_sparse *s)
{
    if (s->plane.all_kept)
        return;
    lc_sparse_hide(s);
    lc_facts_cache_clear(s);
    for (size_t i = 0; i < s->changed.count; i++) // even dead ones wake others
        lc_tile_at(&s->plane, s->changed.items[i])->touched = true;
    lc_plane_sweep(&s->plane);
    keep_used(s, &s->changed, false);
    keep_used(s, &s->touched, true);
    keep_used(s, &s->at_edge, false);
    s->sweep_at = 2 * s->plane.used_count + FIRST_SWEEP;
}

// Makes the missing tiles round touched tiles, and moves those to the list `changed`.
static lc_status surround(lc_sparse *s, lc_message *message)
{
    if (s->touched.count == 0)
        return LC_OK;
    lc_status status =
        lc_tile_list_reserve(&s->plane, &s->changed, s->changed.count + s->touched.count, message);
    if (status == LC_OK)
        status = lc_tile_list_reserve(&s->plane, &s->at_edge, s->at_edge.count + s->touched.count,
                                      message);
    while (status == LC_OK && s->touched.count > 0) {
        const lc_tile_index index = s->touched.items[s->touched.count - 1];
        status = lc_plane_surround(&s->plane, index, message);
        if (status != LC_OK)
            return status;
        lc_tile *t = lc_tile_at(&s->plane, index);
        s->changed.items[s->changed.count++] = index;
        if (t->edge)
            s->at_edge.items[s->at_edge.count++] = index;
        t->touched = false;
        t->written = false;
        s->touched.count--;
    }
    return status;
}

lc_status lc_sparse_surround(lc_sparse *s, lc_message *message)
{
    const lc_status status = surround(s, message);
    return status == LC_ERROR_LIMIT && lc_sparse_make_room(s) ? surround(s, message) : status;
}

// Rounds ------------------------------------------------------------------------------------------

// Divides the tasks among the workers, and makes room for their results.
static lc_status begin_tasks(lc_tasks *k, size_t tasks, lc_message *message)
{
    lc_sparse *s = k->sparse;
    const size_t workers = k->alone ? 1 : (size_t)s->config.threads;
    lc_status status = LC_OK;
    if (tasks > s->result_room)
        status = lc_list_grow(&s->plane, LC_LIST_OF_ROUNDS, &s->results, &s->result_room,
                              sizeof(lc_task_result), tasks, message);
    if (status != LC_OK)
        return status;
    k->results = s->results;
    for (size_t i = 0; i < tasks; i++)
        k->results[i] = (lc_task_result){0}; // the watch may stop the round before this task
    k->ranges = s->ranges;
    for (size_t i = 0; i < (size_t)s->config.threads; i++) {
        const size_t begin = i < workers ? tasks * i / workers : tasks;
        k->ranges[i].end = i < workers ? tasks * (i + 1) / workers : tasks;
        atomic_store_explicit(&k->ranges[i].next, begin, memory_order_relaxed);
    }
    const size_t items = tasks * LC_TASK_ITEMS;
    status = lc_tile_list_reserve(&s->plane, &s->next, s->next.count + items, message);
    return status == LC_OK
               ? lc_tile_list_reserve(&s->plane, &s->lacking, s->lacking.count + items, message)
               : status;
}

static void run_tasks(lc_tasks *k, size_t count, lc_task task)
{
    if (k->alone)
        for (size_t i = 0; i < count; i++)
            task(k, i, 0);
    else
        lc_pool_run(k->sparse->config.pool, count, task, k);
}

static void end_wrong(lc_sparse *s)
{
    lc_message why = {0};
    lc_engine_end(&s->base,
                  lc_fail(&why, LC_ERROR_MISMATCH,
                          "the sparse engine took one window for another one, so some cells may be "
                          "wrong: please report it"),
                  &why);
}

// Appends the results of all tasks to the lists.
static void collect(lc_sparse *s, const lc_task_result *results, size_t tasks)
{
    int64_t *population = &s->populations[(s->round + 1) % (uint64_t)lc_sparse_cycle(s)];
    size_t changed = s->next.count;
    for (size_t i = 0; i < tasks; i++) {
        const lc_task_result *r = &results[i];
        const lc_tile_index *part = s->next.items + s->next.count + i * LC_TASK_ITEMS;
        *population += r->population;
        s->computed += r->computed;
        if (r->is_wrong)
            end_wrong(s);
        for (size_t k = 0; k < r->lacking; k++)
            s->lacking.items[s->lacking.count++] = part[LC_TASK_ITEMS - 1 - k];
        memmove(s->next.items + changed, part, r->changed * sizeof *part);
        changed += r->changed;
    }
    s->next.count = changed;
}

// Schedules the due tiles. A tile that was freed since then is dead and stays dead.
static lc_status want_due(const lc_tasks *k, lc_message *message)
{
    lc_sparse *s = k->sparse;
    size_t end = s->due.begin;
    while (end < s->due.end && s->due.items[end].round == s->round)
        end++;
    const lc_status status = lc_tile_list_reserve(
        &s->plane, &s->scheduled, s->scheduled.count + (end - s->due.begin), message);
    for (size_t i = s->due.begin; i < end && status == LC_OK; i++) {
        const lc_tile_index index = s->due.items[i].index;
        lc_tile *t = lc_tile_if_used(&s->plane, index);
        if (t != NULL && t->layer != s->round % 2 && lc_tile_want(k, index, t))
            s->scheduled.items[s->scheduled.count++] = index;
    }
    return status;
}

// Schedules the tiles that see a tile beside an edge.
typedef struct waking {
    const lc_tasks *tasks;
    lc_message *message;
} waking;

static lc_status want_at(void *context, int layer, int64_t x, int64_t y)
{
    const waking *w = context;
    lc_sparse *s = w->tasks->sparse;
    const lc_tile_index index = lc_plane_find(&s->plane, layer, x, y);
    if (index == 0)
        return LC_OK;
    const lc_status status =
        lc_tile_list_reserve(&s->plane, &s->scheduled, s->scheduled.count + 1, w->message);
    if (status == LC_OK && lc_tile_want(w->tasks, index, lc_tile_at(&s->plane, index)))
        s->scheduled.items[s->scheduled.count++] = index;
    return status;
}

static lc_status want_around_edges(const lc_tasks *k, lc_message *message)
{
    const lc_sparse *s = k->sparse;
    waking w = {k, message};
    lc_status status = LC_OK;
    for (size_t i = 0; i < s->at_edge.count && status == LC_OK; i++)
        status = lc_edge_around(&s->plane, lc_tile_at(&s->plane, s->at_edge.items[i]), want_at, &w);
    return status;
}

static lc_status spread(lc_tasks *k, lc_message *message)
{
    lc_sparse *s = k->sparse;
    const size_t tasks = (s->changed.count + LC_TASK_TILES - 1) / LC_TASK_TILES;
    k->alone =
        s->config.threads == 1 || s->thread_choice.alone || s->changed.count <= ALONE_CHANGED;
    lc_status status = begin_tasks(k, tasks, message);
    s->scheduled.count = 0;
    if (status == LC_OK)
        status = lc_tile_list_reserve(&s->plane, &s->scheduled, tasks * LC_TASK_ITEMS, message);
    if (status != LC_OK)
        return status;
    run_tasks(k, tasks, lc_activation_task);
    collect(s, k->results, tasks);
    for (size_t i = 0; i < tasks; i++) {
        const lc_tile_index *part = s->scheduled.items + i * LC_TASK_ITEMS;
        memmove(s->scheduled.items + s->scheduled.count, part, k->results[i].wanted * sizeof *part);
        s->scheduled.count += k->results[i].wanted;
    }
    k->alone = true; // the rest runs on this thread
    status = want_around_edges(k, message);
    return status == LC_OK ? want_due(k, message) : status;
}

// Returns false if the watch ended the round.
static bool update_tasks(lc_tasks *k, size_t tasks)
{
    lc_sparse *s = k->sparse;
    const lc_engine_watch *watch = s->config.watch;
    const size_t most = k->watched ? (size_t)(LOOK_TASKS * s->config.threads) : tasks;
    for (size_t made = 0; made < tasks;) {
        const size_t some = lc_least_u64(most, tasks - made);
        run_tasks(k, some, lc_tile_update_task);
        made += some;
        if (k->watched && lc_clock_ns() - s->looked_ns >= watch->interval_ns) {
            const bool stop = watch->call(watch->context);
            s->looked_ns = lc_clock_ns();
            if (stop)
                return false;
        }
    }
    return true;
}

static lc_status visit(lc_tasks *k, lc_message *message)
{
    lc_sparse *s = k->sparse;
    const size_t tasks = (s->scheduled.count + LC_TASK_TILES - 1) / LC_TASK_TILES;
    k->alone =
        s->config.threads == 1 || s->thread_choice.alone || s->scheduled.count <= ALONE_WANTED;
    const lc_status status = begin_tasks(k, tasks, message);
    if (status != LC_OK)
        return status;
    const bool all = update_tasks(k, tasks);
    collect(s, k->results, tasks);
    s->visits += s->scheduled.count;
    return all ? LC_OK : lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch");
}

// Allocates memo tables for all workers after MEMO_VISITS updates. Without them rounds are slower.
static void make_memos(lc_sparse *s)
{
    const uint64_t bytes = (uint64_t)s->config.threads * lc_memo_bytes();
    if (s->visits < MEMO_VISITS || s->has_memos || bytes > s->plane.limit_bytes / MEMO_SHARE)
        return;
    s->has_memos = true;
    for (int i = 0; i < s->config.threads; i++) {
        void *memory;
        lc_memo *memo = &s->memos[i];
        if (lc_plane_take(&s->plane, &memory, lc_memo_bytes(), NULL) != LC_OK)
            return;
        memo->entries = memory;
    }
}

// Makes the tiles that changed in this round the list `changed`, and begins the next round.
static void end_round(lc_sparse *s)
{
    const lc_tile_list before = s->changed;
    s->changed = s->next;
    s->next = before;
    s->next.count = 0;
    for (size_t i = 0; i < s->lacking.count; i++)
        touch(s, s->lacking.items[i]);
    while (s->due.begin < s->due.end && s->due.items[s->due.begin].round <= s->round)
        s->due.begin++;
    s->lacking.count = s->at_edge.count = 0;
    s->odd ^= (unsigned)lc_sparse_generations(s) & 1;
    s->round++;
    s->offset = 0;
    s->is_shown = s->is_ordered = false;
    if (s->view_counts.counts[0] != NULL && s->round - s->view_counts.looked_at > FAR_ROUNDS)
        lc_view_counts_end(&s->view_counts, &s->plane);
    lc_facts_cache_expire(s);
    if (s->plane.used_count >= s->sweep_at) // seldom, so that it costs little
        sweep(s);
}

static lc_status make_round(lc_sparse *s, bool may_watch, lc_message *message)
{
    const lc_engine_watch *watch = s->config.watch;
    lc_status status = surround(s, message);
    if (status != LC_OK)
        return status;
    make_memos(s);
    lc_tasks k = {.sparse = s,
                  .from = lc_sparse_copy(s, s->round),
                  .to = lc_sparse_copy(s, s->round + 1),
                  .watched = may_watch && watch != NULL && watch->call != NULL,
                  .generations = lc_sparse_generations(s),
                  .stamps = s->plane.stamps,
                  .claim = s->claim + LC_CLAIMS,
                  .claim_before = s->claim};
    s->claim = k.claim;
    if (s->changed.count > 0 || s->due.begin < s->due.end)
        s->facts_cache.last_change = k.claim;
    k.salt = (uint64_t)k.generations;
    for (unsigned i = 0; i < 2; i++)
        k.salt = k.salt << 18 | (uint64_t)s->steps.counts[s->odd ^ i].birth << 9 |
                 s->steps.counts[s->odd ^ i].survival;
    const uint64_t start_ns = lc_clock_ns();
    status = spread(&k, message);
    if (status == LC_OK)
        status = visit(&k, message);
    if (status == LC_OK && s->config.threads > 1 && s->scheduled.count > ALONE_WANTED)
        lc_thread_choice_end_round(&s->thread_choice, s->scheduled.count, lc_clock_ns() - start_ns);
    if (status == LC_OK)
        status = lc_engine_failure(&s->base, message);
    if (status == LC_OK)
        status = lc_tile_list_reserve(&s->plane, &s->touched, s->touched.count + s->lacking.count,
                                      message);
    // A round that fails keeps its results: tiles that it updated do not change again when the
    // round is repeated.
    if (status == LC_OK)
        end_round(s);
    return status;
}

lc_status lc_sparse_round(lc_sparse *s, bool may_watch, lc_message *message)
{
    const lc_status status = make_round(s, may_watch, message);
    return status == LC_ERROR_LIMIT && lc_sparse_make_room(s) ? make_round(s, may_watch, message)
                                                              : status;
}

// Between rounds ----------------------------------------------------------------------------------

void lc_sparse_hide(lc_sparse *s)
{
    for (size_t i = 0; i < s->shown_count; i++)
        lc_plane_give_promised(&s->plane, s->shown[i]);
    void *shown = s->shown;
    (void)lc_plane_resize(&s->plane, LC_LIST_PROMISED, &shown, s->shown_count * sizeof *s->shown, 0,
                          NULL);
    s->shown = NULL;
    s->shown_count = 0;
    s->is_shown = false;
}

static lc_status make_room_for_shown(lc_sparse *s, lc_message *message)
{
    const lc_plane *plane = &s->plane;
    lc_status status = LC_OK;
    if (plane->chunk_count > s->shown_count) {
        void *shown = s->shown;
        status =
            lc_plane_resize(&s->plane, LC_LIST_PROMISED, &shown, s->shown_count * sizeof *s->shown,
                            plane->chunk_count * sizeof *s->shown, message);
        s->shown = shown;
        while (status == LC_OK && s->shown_count < plane->chunk_count)
            s->shown[s->shown_count++] = NULL;
    }
    for (size_t i = 0; i < plane->chunk_count && status == LC_OK; i++)
        if (plane->chunks[i] != NULL && s->shown[i] == NULL)
            status = lc_plane_take_promised(&s->plane, (void **)&s->shown[i], message);
    return status;
}

void lc_sparse_show_tile(const lc_sparse *s, const lc_tile *t, uint32_t cells[LC_TILE_WORDS])
{
    const int from = lc_sparse_copy(s, s->round);
    if (t->edge) {
        (void)lc_sparse_edge(s, t, from, s->offset, cells);
        return;
    }
    const lc_window w = lc_sparse_window(s, t, from, s->offset, cells);
    (void)s->steps.window(&w);
}

static void show_chunk(void *context, size_t chunk, int worker)
{
    lc_sparse *s = context;
    const int layer = lc_sparse_layer(s);
    (void)worker;
    if (s->plane.chunks[chunk] == NULL)
        return;
    for (size_t i = 0; i < LC_PLANE_CHUNK; i++) {
        const lc_tile *t = lc_tile_at(&s->plane, (lc_tile_index)(chunk * LC_PLANE_CHUNK + i));
        if (t->used && t->layer == layer)
            lc_sparse_show_tile(s, t, s->shown[chunk] + i * LC_TILE_WORDS);
    }
}

lc_status lc_sparse_show(lc_sparse *s, lc_message *message)
{
    if (s->offset == 0 || s->is_shown)
        return LC_OK;
    const lc_status status = make_room_for_shown(s, message);
    if (status != LC_OK)
        return status;
    lc_pool_run(s->config.pool, s->plane.chunk_count, show_chunk, s);
    s->is_shown = true;
    return LC_OK;
}

// Notes a write of each live tile of the current layer, or of all tiles if all are kept.
static void note_all(lc_sparse *s)
{
    const int copy = lc_sparse_copy(s, s->round);
    const lc_tile *t;
    for (lc_tile_index i = 0; (t = lc_plane_next(&s->plane, lc_sparse_layer(s), &i)) != NULL;)
        if (lc_tile_hash_population(t->names[copy]) != 0 || s->plane.all_kept)
            lc_sparse_note_write(s, i);
}

// Discards history: clears all copies but the current cells, whose tiles count as written. The
// lists have room for them.
static void begin_anew(lc_sparse *s, bool from_shown)
{
    const int layer = lc_sparse_layer(s), copy = lc_sparse_copy(s, s->round + from_shown);
    int64_t population = 0;
    lc_view_counts_end(&s->view_counts, &s->plane);
    lc_facts_cache_clear(s);
    for (lc_tile_index i = 1; i < lc_plane_end(&s->plane); i++) {
        lc_tile *t = lc_tile_if_used(&s->plane, i);
        if (t == NULL)
            continue;
        uint32_t cells[LC_TILE_WORDS] = {0};
        if (t->layer == layer)
            memcpy(cells, lc_sparse_cells(s, i), sizeof cells);
        memset(t->names, 0, s->plane.tile_bytes - sizeof *t);
        t->written = false;
        const int live = lc_tile_population(cells);
        if (live == 0)
            continue;
        memcpy(lc_tile_cells(&s->plane, t, copy), cells, sizeof cells);
        t->names[copy] = lc_tile_hash_of(&s->plane.secrets, cells, live);
        population += live;
    }
    s->changed.count = s->next.count = s->lacking.count = s->at_edge.count = 0;
    s->due.begin = s->due.end = 0;
    s->round += from_shown;
    s->odd ^= (unsigned)s->offset & 1;
    s->offset = 0;
    note_all(s);
    for (int i = 0; i < lc_sparse_cycle(s); i++)
        s->populations[i] = 0;
    s->populations[s->round % (uint64_t)lc_sparse_cycle(s)] = population;
}

// Frees lists that rounds make anew.
static void drop_unneeded_lists(lc_sparse *s)
{
    lc_plane *plane = &s->plane;
    const size_t result_bytes = s->result_room * sizeof(lc_task_result);
    (void)lc_plane_resize(plane, LC_LIST_OF_ROUNDS, &s->results, result_bytes, 0, NULL);
    s->result_room = 0;
    lc_tile_list_drop(plane, &s->scheduled);
    lc_tile_list_drop(plane, &s->order);
    s->is_ordered = false;
    if (s->next.count == 0)
        lc_tile_list_drop(plane, &s->next);
    if (s->lacking.count == 0)
        lc_tile_list_drop(plane, &s->lacking);
}

// When most of a pattern has died, history and lists that once were long take most of the memory.
bool lc_sparse_make_room(lc_sparse *s)
{
    const uint64_t used = s->plane.used_count, held_bytes = s->plane.held_bytes;
    lc_facts_cache_clear(s);
    drop_unneeded_lists(s);
    // The results of a stopped round may name tiles that a sweep would free.
    if (s->offset != 0 || s->next.count > 0 || s->lacking.count > 0)
        return s->plane.held_bytes < held_bytes;
    uint64_t live = 0;
    const lc_tile *t;
    for (lc_tile_index i = 0; (t = lc_plane_next(&s->plane, lc_sparse_layer(s), &i)) != NULL;)
        live += lc_tile_hash_population(t->names[lc_sparse_copy(s, s->round)]) != 0;
    if (live < used / 8)
        (void)lc_sparse_forget(s, NULL); // with more live tiles, the other memory may suffice
    sweep(s);
    return s->plane.used_count < used || s->plane.held_bytes < held_bytes;
}

lc_status lc_sparse_settle(lc_sparse *s, lc_message *message)
{
    return s->offset == 0 ? LC_OK : lc_sparse_forget(s, message);
}

lc_status lc_sparse_forget(lc_sparse *s, lc_message *message)
{
    lc_status status = lc_sparse_show(s, message);
    if (status == LC_OK)
        status = lc_tile_list_reserve(&s->plane, &s->touched, s->plane.used_count, message);
    if (status == LC_OK) // begin_anew drops the tiles that are due now
        status = reserve_due(s, s->plane.used_count, message);
    if (status == LC_OK)
        begin_anew(s, s->offset != 0);
    return status;
}

// Changes the number of copies. The copy of the current cells becomes the first.
lc_status lc_sparse_set_cycle(lc_sparse *s, int generations, lc_message *message)
{
    const int copies = lc_sparse_rounds_of(generations) / 2;
    lc_status status = lc_sparse_forget(s, message);
    if (status != LC_OK)
        return status;
    const int old = lc_sparse_copy(s, s->round);
    const int64_t population = s->populations[s->round % (uint64_t)lc_sparse_cycle(s)];
    int64_t *populations = lc_calloc(2 * (size_t)copies, sizeof *populations);
    if (populations == NULL)
        return lc_fail_memory(message, "a cycle");
    lc_sparse_hide(s);
    status = lc_plane_set_copies(&s->plane, copies, old, message);
    if (status != LC_OK) {
        lc_free(populations);
        return status;
    }
    lc_free(s->populations);
    s->populations = populations;
    s->cycle_generations = generations;
    const uint64_t cycle = (uint64_t)lc_sparse_cycle(s);
    s->round %= 2; // the same layer, at the beginning of a cycle
    s->populations[s->round % cycle] = population;
    for (size_t i = s->due.begin; i < s->due.end; i++)
        s->due.items[i].round = s->round + cycle - 1;
    return LC_OK;
}

// All tiles ---------------------------------------------------------------------------------------

static lc_status make_all(lc_sparse *s, lc_message *message)
{
    const int layer = lc_sparse_layer(s);
    const lc_surface *b = &s->plane.surface;
    const int64_t last_x = lc_tile_place(layer, b->width_cells - 1);
    const int64_t last_y = lc_tile_place(layer, b->height_cells - 1);
    lc_status status = LC_OK;
    for (int64_t y = lc_tile_place(layer, 0); y <= last_y; y++) {
        for (int64_t x = lc_tile_place(layer, 0); x <= last_x && status == LC_OK; x++) {
            lc_tile_index made;
            status = lc_plane_make(&s->plane, layer, x, y, &made, message);
        }
    }
    return status;
}

static void set_edges(const lc_sparse *s)
{
    for (lc_tile_index i = 1; i < lc_plane_end(&s->plane); i++) {
        lc_tile *t = lc_tile_if_used(&s->plane, i);
        if (t != NULL)
            t->edge = s->plane.all_kept || lc_edge_is_near(&s->plane.surface, t->layer, t->x, t->y);
    }
}

lc_status lc_sparse_keep_all(lc_sparse *s, lc_message *message)
{
    lc_status status = lc_sparse_set_cycle(s, LC_SPARSE_FIRST_BOARD_CYCLE, message);
    if (status == LC_OK)
        status = make_all(s, message);
    if (status == LC_OK)
        status = lc_sparse_reserve_writes(s, s->plane.used_count, message);
    if (status != LC_OK)
        return status;
    s->plane.all_kept = true;
    lc_period_search_stop(s);
    set_edges(s);
    note_all(s);
    return LC_OK;
}

void lc_sparse_keep_some(lc_sparse *s)
{
    s->plane.all_kept = false;
    set_edges(s);
}
