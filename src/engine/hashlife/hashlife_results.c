// Computes results for lists of nodes; hashlife.h explains how results are composed.
//
// A list of nodes of one level is processed in batches. For a batch
//
//     1. the nine squares of each node are looked up,
//     2. those without a result become a list of the next level, which is computed first,
//     3. four squares of the nine results are looked up, and the same is done with them,
//     4. the square of their four results is looked up: the result.
//
// So the lists of all levels together hold a few thousand squares, however large the universe is.
// Garbage collections need only these lists and the root.
#include <string.h>

#include "base/error.h"
#include "engine/hashlife/hashlife_streams.h"

enum {
    QUARTERS = 4,
    SEVERAL = 5, // of the nine squares: those that are not children of the node
    AHEAD = 2,   // distance of the prefetch of records
};

static inline lc_square result_of(const lc_node *record)
{
    return __atomic_load_n(&record->result, __ATOMIC_ACQUIRE);
}

static inline void set_result(const lc_hashlife *h, lc_square record, lc_square result)
{
    __atomic_store_n(&lc_store_node(&h->store, record)->result, result, __ATOMIC_RELEASE);
}

static inline void prefetch(const lc_hashlife *h, lc_square node)
{
    if (node != 0)
        __builtin_prefetch(lc_store_node(&h->store, node));
}

// Whether nodes of that level go as far as they can in a step, so that the nodes themselves memoise
// the results.
static bool is_full(const lc_hashlife *h, int log2)
{
    return log2 - 2 <= h->step_log2;
}

// Looks up the nodes of `keys`, `each` for every node of the batch.
static void find_keys(lc_hashlife_worker *worker, const lc_square_batch *b, int each)
{
    lc_store_find_nodes(&worker->h->store, &worker->stock, (const lc_square(*)[4])worker->keys,
                        b->count * (size_t)each, worker->found, worker->known);
}

// Claims a record. Returns false if another worker or list has claimed it or its result is known.
static bool claim(const lc_hashlife *h, lc_node *record)
{
    lc_square none = LC_RESULT_NONE;
    if (h->store.is_shared)
        return __atomic_compare_exchange_n(&record->result, &none, LC_RESULT_WANTED, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (record->result != LC_RESULT_NONE)
        return false;
    record->result = LC_RESULT_WANTED;
    return true;
}

// Enters square k of node i with the state of its record. A known result replaces its square. A
// square that is not claimed yet goes on the list of the next level.
static inline void take(lc_hashlife_worker *worker, lc_square_batch *b, size_t i, int k,
                        lc_job square, lc_square result)
{
    const bool is_known = result < LC_RESULT_WANTED;
    b->squares[i][k] = is_known ? result : square.node;
    b->records[i][k] = is_known ? 0 : square.record;
    b->waiting[b->waiting_count] = (uint16_t)(i * LC_NINE + (size_t)k);
    b->waiting_count += !is_known;
    if (!is_known && claim(worker->h, lc_store_node(&worker->h->store, square.record)))
        b->list[b->list_count++] = square;
}

// Returns the result of a node's child, or its state. The result of a dead child is dead.
static inline lc_square child_result(const lc_hashlife *h, lc_square child)
{
    if (child == 0)
        return 0;
    if (h->store.notes_uses)
        lc_store_note_use(&h->store, child);
    return result_of(lc_store_node(&h->store, child));
}

// Collects the keys of the five squares of each node that are not its children.
static void keys_of_five(lc_hashlife_worker *worker, lc_square_batch *b)
{
    const lc_hashlife *h = worker->h;
    for (size_t i = 0; i < b->count; i++)
        prefetch(h, b->jobs[i].node);
    for (size_t i = 0; i < b->count; i++)
        for (int k = 0; k < 4; k++)
            prefetch(h, lc_store_child(&h->store, b->jobs[i].node, k));
    static const lc_node dead = {0};
    for (size_t i = 0; i < b->count; i++) {
        const lc_square *of = lc_store_node(&h->store, b->jobs[i].node)->child;
        const lc_square *c[4]; // the grandchildren
        for (int k = 0; k < 4; k++)
            c[k] = of[k] == 0 ? dead.child : lc_store_node(&h->store, of[k])->child;
        const lc_square keys[SEVERAL][4] = {
            {c[0][1], c[1][0], c[0][3], c[1][2]}, {c[0][2], c[0][3], c[2][0], c[2][1]},
            {c[0][3], c[1][2], c[2][1], c[3][0]}, {c[1][2], c[1][3], c[3][0], c[3][1]},
            {c[2][1], c[3][0], c[2][3], c[3][2]},
        };
        memcpy(worker->keys[i * SEVERAL], keys, sizeof keys);
    }
}

// Places among the nine squares: of the five that are looked up, and of the children.
static const int place_of_found[SEVERAL] = {1, 3, 4, 5, 7}, place_of_child[4] = {0, 2, 6, 8};

// Finds the nine squares of each node, and their results if these nodes memoise them.
static lc_status find_nine(lc_hashlife_worker *worker, lc_square_batch *b, int log2,
                           lc_message *message)
{
    const lc_hashlife *h = worker->h;
    const lc_status status = lc_hashlife_worker_reserve(worker, b->count * SEVERAL, 0, message);
    if (status != LC_OK)
        return status;
    keys_of_five(worker, b);
    find_keys(worker, b, SEVERAL);
    const bool are_own = is_full(h, log2 - 1);
    for (size_t i = 0; i < b->count; i++) {
        const lc_square *child = lc_store_node(&h->store, b->jobs[i].node)->child;
        for (int k = 0; k < 4; k++)
            if (are_own)
                take(worker, b, i, place_of_child[k], (lc_job){child[k], child[k]},
                     child_result(h, child[k]));
            else
                b->squares[i][place_of_child[k]] = child[k];
        for (int k = 0; k < SEVERAL; k++) {
            const size_t at = i * SEVERAL + (size_t)k;
            const lc_square found = worker->found[at];
            if (are_own)
                take(worker, b, i, place_of_found[k], (lc_job){found, found}, worker->known[at]);
            else
                b->squares[i][place_of_found[k]] = found;
        }
    }
    return LC_OK;
}

// Returns the mark of the current step in step records. Of alternating rules, a step of one
// generation may use the second one; longer steps always begin with the first.
static lc_square way_of_step(const lc_hashlife *h)
{
    enum { SECOND_RULE = 255 }; // no jump is as long
    return LC_WAY_FIRST + (h->step_odd != 0 ? SECOND_RULE : (unsigned)h->step_log2);
}

// Finds the step records of the squares.
static lc_status find_ways(lc_hashlife_worker *worker, lc_square_batch *b, int each,
                           lc_message *message)
{
    for (size_t i = 0; i < b->count; i++) // for garbage collections
        memset(b->records[i], 0, (size_t)each * sizeof(lc_square));
    b->each = each;
    const lc_status status =
        lc_hashlife_worker_reserve(worker, b->count * (size_t)each, 0, message);
    if (status != LC_OK)
        return status;
    const lc_square way = way_of_step(worker->h);
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < each; k++) {
            lc_square *key = worker->keys[count++];
            key[0] = b->squares[i][k];
            key[1] = key[0] == 0 ? 0 : way;
            key[2] = key[3] = 0;
        }
    }
    find_keys(worker, b, each);
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < each; k++) {
            const size_t at = i * (size_t)each + (size_t)k;
            take(worker, b, i, k, (lc_job){b->squares[i][k], worker->found[at]}, worker->known[at]);
        }
    }
    return LC_OK;
}

// Replaces the squares, `each` for every node, by their results. Computes the unknown ones.
static lc_status make_results(lc_hashlife_worker *worker, lc_square_batch *b, int log2, int each,
                              lc_message *message)
{
    const lc_hashlife *h = worker->h;
    lc_status status = LC_OK;
    if (!is_full(h, log2))
        status = find_ways(worker, b, each, message);
    b->each = each;
    if (status == LC_OK && b->list_count > 0)
        status = lc_hashlife_worker_make_list(worker, log2, b, message);
    for (size_t i = 0; i < b->waiting_count + AHEAD && status == LC_OK; i++) {
        if (i < b->waiting_count)
            prefetch(h, (&b->records[0][0])[b->waiting[i]]);
        if (i < AHEAD)
            continue;
        const size_t at = b->waiting[i - AHEAD];
        lc_square *record = &b->records[0][0] + at;
        if (result_of(lc_store_node(&h->store, *record)) >= LC_RESULT_WANTED &&
            (status = lc_hashlife_worker_wait(worker, log2, record, message)) != LC_OK)
            break;
        (&b->squares[0][0])[at] = result_of(lc_store_node(&h->store, *record));
        *record = 0;
    }
    if (status == LC_OK)
        b->list_count = b->waiting_count = 0;
    return status;
}

// The upper left squares of the four groups of the nine.
static const int corners[QUARTERS] = {0, 1, 3, 4};

static lc_status find_quarters(lc_hashlife_worker *worker, lc_square_batch *b, lc_message *message)
{
    const lc_status status = lc_hashlife_worker_reserve(worker, b->count * QUARTERS, 0, message);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < b->count; i++) {
        const lc_square *r = b->squares[i];
        for (int q = 0; q < QUARTERS; q++) {
            const int c = corners[q];
            const lc_square key[4] = {r[c], r[c + 1], r[c + 3], r[c + 4]};
            memcpy(worker->keys[i * QUARTERS + (size_t)q], key, sizeof key);
        }
    }
    find_keys(worker, b, QUARTERS);
    for (size_t i = 0; i < b->count; i++) {
        for (int q = 0; q < QUARTERS; q++) {
            const lc_square found = worker->found[i * QUARTERS + (size_t)q];
            take(worker, b, i, q, (lc_job){found, found}, worker->known[i * QUARTERS + (size_t)q]);
        }
    }
    return LC_OK;
}

// Copies the middle of four leaves.
static void middle_of_leaves(const lc_hashlife *h, const lc_square leaves[4], uint32_t *cells)
{
    enum { HALF = LC_TILE_CELLS / 2 };
    for (int y = 0; y < LC_TILE_CELLS; y++) {
        const lc_square *two = leaves + (y < HALF ? 0 : 2);
        const int word = lc_tile_word((y + HALF) % LC_TILE_CELLS);
        cells[lc_tile_word(y)] = lc_store_cells(&h->store, two[0])[word] >> HALF |
                                 lc_store_cells(&h->store, two[1])[word] << HALF;
    }
}

// Finds the middles of the four squares without stepping them.
static lc_status find_middles(lc_hashlife_worker *worker, lc_square_batch *b, int log2,
                              lc_message *message)
{
    lc_hashlife *h = worker->h;
    const size_t count = b->count * QUARTERS;
    const bool are_leaves = log2 - 2 == LC_LEAF_LOG2;
    const lc_status status =
        lc_hashlife_worker_reserve(worker, are_leaves ? 0 : count, are_leaves ? count : 0, message);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < b->count; i++) {
        const lc_square *r = b->squares[i];
        for (int q = 0; q < QUARTERS; q++) {
            const int c = corners[q];
            const lc_square four[4] = {r[c], r[c + 1], r[c + 3], r[c + 4]};
            const size_t at = i * QUARTERS + (size_t)q;
            for (int k = 0; k < 4 && !are_leaves; k++)
                worker->keys[at][k] = lc_store_child(&h->store, four[k], 3 - k);
            if (are_leaves)
                middle_of_leaves(h, four, worker->cells[at]);
        }
    }
    if (are_leaves)
        lc_store_find_leaves(&h->store, &worker->stock,
                             (const uint32_t(*)[LC_TILE_WORDS])worker->cells, count, worker->found);
    else
        find_keys(worker, b, QUARTERS);
    for (size_t i = 0; i < b->count; i++)
        memcpy(b->squares[i], worker->found + i * QUARTERS, QUARTERS * sizeof(lc_square));
    b->each = QUARTERS;
    return LC_OK;
}

static void set_results(const lc_hashlife_worker *worker, const lc_square_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        set_result(worker->h, b->jobs[i].record, worker->found[i]);
}

// Finds the square of each node's four results, and publishes it as the node's result.
static lc_status find_results(lc_hashlife_worker *worker, lc_square_batch *b, lc_message *message)
{
    const lc_status status = lc_hashlife_worker_reserve(worker, b->count, 0, message);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < b->count; i++)
        memcpy(worker->keys[i], b->squares[i], sizeof worker->keys[i]);
    find_keys(worker, b, 1);
    set_results(worker, b);
    return LC_OK;
}

// Computes the results of nodes of four leaves.
static lc_status step_leaves(lc_hashlife_worker *worker, lc_square_batch *b, lc_message *message)
{
    lc_hashlife *h = worker->h;
    const lc_status status = lc_hashlife_worker_reserve(worker, 0, b->count, message);
    if (status != LC_OK)
        return status;
    const int log2 = h->step_log2 < LC_LEAF_LOG2 - 1 ? h->step_log2 : LC_LEAF_LOG2 - 1;
    for (size_t i = 0; i < b->count; i++)
        prefetch(h, b->jobs[i].node);
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 4; k++) {
            const uint32_t *cells =
                lc_store_cells(&h->store, lc_store_child(&h->store, b->jobs[i].node, k));
            __builtin_prefetch(cells);
            __builtin_prefetch(cells + LC_TILE_WORDS / 2);
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        lc_window w = {.middle = worker->cells[i],
                       .generations = 1 << log2,
                       .rules = &h->steps.from[h->step_odd]};
        for (int k = 0; k < 4; k++)
            w.tiles[k] = lc_store_cells(&h->store, lc_store_child(&h->store, b->jobs[i].node, k));
        (void)h->steps.window(&w);
    }
    lc_store_find_leaves(&h->store, &worker->stock, (const uint32_t(*)[LC_TILE_WORDS])worker->cells,
                         b->count, worker->found);
    set_results(worker, b);
    return LC_OK;
}

static lc_status make_batch(lc_hashlife_worker *worker, int log2, lc_square_batch *b,
                            lc_message *message)
{
    if (log2 == LC_LEAF_LOG2 + 1)
        return step_leaves(worker, b, message);
    lc_status status = find_nine(worker, b, log2, message);
    if (status == LC_OK)
        status = make_results(worker, b, log2 - 1, LC_NINE, message);
    if (status == LC_OK && is_full(worker->h, log2)) {
        status = find_quarters(worker, b, message);
        if (status == LC_OK)
            status = make_results(worker, b, log2 - 1, QUARTERS, message);
    } else if (status == LC_OK) {
        status = find_middles(worker, b, log2, message);
    }
    if (status == LC_OK)
        status = find_results(worker, b, message);
    return status == LC_OK ? lc_hashlife_worker_ask_watch(worker, message) : status;
}

lc_status lc_hashlife_worker_make(lc_hashlife_worker *worker, int log2, const lc_job *jobs,
                                  size_t count, lc_message *message)
{
    return worker->h->streams != NULL
               ? lc_streams_make(worker, log2, jobs, count, message)
               : lc_hashlife_worker_make_whole(worker, log2, jobs, count, message);
}

lc_status lc_hashlife_worker_make_whole(lc_hashlife_worker *worker, int log2, const lc_job *jobs,
                                        size_t count, lc_message *message)
{
    lc_square_batch *b = lc_hashlife_worker_batch(worker, log2);
    if (b == NULL)
        return lc_fail_memory(message, "pending results");
    b->count = count;
    memcpy(b->jobs, jobs, count * sizeof *jobs);
    b->each = 0;
    const lc_status status = make_batch(worker, log2, b, message);
    const uint64_t results = worker->results + (status == LC_OK ? count : 0);
    __atomic_store_n(&worker->results, results, __ATOMIC_RELAXED); // other threads read it
    b->count = 0;
    return status;
}

static void give_up_batch(lc_hashlife *h, lc_square_batch *b)
{
    for (size_t k = 0; k < b->list_count; k++) {
        lc_node *record = lc_store_node(&h->store, b->list[k].record);
        if (record->result == LC_RESULT_WANTED)
            record->result = LC_RESULT_NONE;
    }
    b->count = b->list_count = b->waiting_count = 0;
}

// Withdraws the claims that were pending when an error ended the work.
static void give_up(lc_hashlife *h)
{
    for (int log2 = 0; log2 <= LC_ROOT_LOG2_MAX + 1; log2++) {
        for (int i = 0; i < h->worker_count; i++)
            if (h->workers[i]->batches[log2] != NULL)
                give_up_batch(h, h->workers[i]->batches[log2]);
        if (h->streams != NULL && h->streams->parts[log2] != NULL)
            give_up_batch(h, &h->streams->parts[log2]->batch);
    }
}

// Computes the result of the root, which is in a batch of its own on the level above.
static lc_status make_root(lc_hashlife_worker *worker, lc_message *message)
{
    const lc_hashlife *h = worker->h;
    lc_square_batch *top = lc_hashlife_worker_batch(worker, h->root_log2 + 1);
    if (is_full(h, h->root_log2))
        take(worker, top, 0, 0, (lc_job){top->squares[0][0], top->squares[0][0]},
             child_result(h, top->squares[0][0]));
    return make_results(worker, top, h->root_log2, 1, message);
}

lc_status lc_hashlife_result(lc_hashlife *h, lc_square node, int log2, lc_square *result,
                             lc_message *message)
{
    *result = 0;
    if (node == 0)
        return LC_OK;
    lc_square_batch *top = lc_hashlife_worker_batch(h->workers[0], log2 + 1);
    if (top == NULL)
        return lc_fail_memory(message, "pending results");
    top->jobs[0] = (lc_job){0, 0};
    top->squares[0][0] = node;
    h->root_log2 = log2;
    lc_status status;
    do {
        top->count = 1;
        top->each = 1;
        top->records[0][0] = 0;
        status = lc_hashlife_run(h, make_root, message);
        if (status != LC_OK)
            give_up(h);
        h->is_worthwhile = h->is_worthwhile || h->needs_help;
    } while (h->needs_help);
    if (status == LC_OK)
        *result = top->squares[0][0];
    top->count = 0;
    return status;
}
