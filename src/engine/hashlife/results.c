// Results of nodes, for lists of them: hashlife.h says what they are made of.
//
// A list of nodes of one level is worked on in batches. For a batch
//
//     1. the nine squares of each node are looked up,
//     2. those without a result become a list of the next level, which is done first,
//     3. four squares of the nine results are looked up, and the same with those,
//     4. what their results are together is looked up: the result.
//
// So the lists of all levels together hold a few thousand squares, however large the universe is,
// and are all that a collection has to know besides the root.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "engine/hashlife/hashlife.h"

enum {
    NINE = 9,
    QUARTERS = 4,
    SEVERAL = 5, // of the nine squares, that no node has
    LIST = LC_BATCH * NINE,
    AHEAD = 2, // nodes of a batch whose results are fetched
};

struct lc_batch {
    size_t count;
    lc_job jobs[LC_BATCH];
    // What the batch has got so far; 0 beyond it. `records` hold the results of `squares`.
    lc_square squares[LC_BATCH][NINE], records[LC_BATCH][NINE];
    // Those of them whose results are to be made, on the next level.
    lc_job list[LIST];
    size_t list_count;
};

static lc_status results(lc_hashlife *h, int log2, const lc_job *jobs, size_t count,
                         lc_message *message);

static inline lc_square result_of(const lc_hashlife *h, lc_square record)
{
    return record == 0 ? 0 : lc_store_node(&h->store, record)->result;
}

static inline void prefetch(const lc_hashlife *h, lc_square node)
{
    if (node != 0)
        __builtin_prefetch(lc_store_node(&h->store, node));
}

// Whether nodes of that level go as far as they can in a step, so that their result is their own.
static bool is_full(const lc_hashlife *h, int log2)
{
    return log2 - 2 <= h->step_log2;
}

static void keys_of_nine(lc_hashlife *h, lc_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        prefetch(h, b->jobs[i].node);
    for (size_t i = 0; i < b->count; i++)
        for (int k = 0; k < 4; k++)
            prefetch(h, lc_store_child(&h->store, b->jobs[i].node, k));
    for (size_t i = 0; i < b->count; i++) {
        lc_square c[4][4]; // the children's children
        for (int k = 0; k < 4; k++) {
            const lc_square of = lc_store_child(&h->store, b->jobs[i].node, k);
            for (int m = 0; m < 4; m++)
                c[k][m] = lc_store_child(&h->store, of, m);
            b->squares[i][k % 2 * 2 + k / 2 * 6] = of;
        }
        const lc_square keys[SEVERAL][4] = {
            {c[0][1], c[1][0], c[0][3], c[1][2]}, {c[0][2], c[0][3], c[2][0], c[2][1]},
            {c[0][3], c[1][2], c[2][1], c[3][0]}, {c[1][2], c[1][3], c[3][0], c[3][1]},
            {c[2][1], c[3][0], c[2][3], c[3][2]},
        };
        memcpy(h->keys[i * SEVERAL], keys, sizeof keys);
    }
}

static lc_status find_nine(lc_hashlife *h, lc_batch *b, lc_message *message)
{
    const lc_status status = lc_hashlife_reserve(h, b->count * SEVERAL, 0, message);
    if (status != LC_OK)
        return status;
    keys_of_nine(h, b);
    lc_store_find_nodes(&h->store, (const lc_square(*)[4])h->keys, b->count * SEVERAL, h->found);
    for (size_t i = 0; i < b->count; i++)
        for (int k = 0; k < SEVERAL; k++)
            b->squares[i][k == 0 ? 1 : k == 4 ? 7 : k + 2] = h->found[i * SEVERAL + (size_t)k];
    return LC_OK;
}

// Where the results of the squares are, which are of that level.
static lc_status find_records(lc_hashlife *h, lc_batch *b, int log2, int each, lc_message *message)
{
    if (is_full(h, log2)) {
        for (size_t i = 0; i < b->count; i++)
            memcpy(b->records[i], b->squares[i], (size_t)each * sizeof(lc_square));
        return LC_OK;
    }
    const lc_status status = lc_hashlife_reserve(h, b->count * (size_t)each, 0, message);
    if (status != LC_OK)
        return status;
    const lc_square way = LC_WAY_FIRST + (unsigned)h->step_log2;
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < each; k++) {
            lc_square *key = h->keys[count++];
            key[0] = b->squares[i][k];
            key[1] = key[0] == 0 ? 0 : way;
            key[2] = key[3] = 0;
        }
    }
    lc_store_find_nodes(&h->store, (const lc_square(*)[4])h->keys, count, h->found);
    for (size_t i = 0; i < b->count; i++)
        memcpy(b->records[i], h->found + i * (size_t)each, (size_t)each * sizeof(lc_square));
    return LC_OK;
}

// Results that are known take the place of their squares, which then have no record. The others
// become the list of the next level, each once.
static void take_known(lc_hashlife *h, lc_batch *b, int each)
{
    b->list_count = 0;
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < each; k++) {
            lc_square *record = &b->records[i][k];
            if (*record == 0)
                continue;
            lc_node *node = lc_store_node(&h->store, *record);
            if (node->result < LC_RESULT_WANTED) {
                b->squares[i][k] = node->result;
                *record = 0;
            } else if (node->result == LC_RESULT_NONE) {
                node->result = LC_RESULT_WANTED;
                b->list[b->list_count++] = (lc_job){b->squares[i][k], *record};
            }
        }
    }
}

// The results of the squares, `each` of every node, take their place.
static lc_status make_results(lc_hashlife *h, lc_batch *b, int log2, int each, lc_message *message)
{
    lc_status status = find_records(h, b, log2, each, message);
    if (status != LC_OK)
        return status;
    take_known(h, b, each);
    if (b->list_count == 0)
        return LC_OK;
    status = results(h, log2, b->list, b->list_count, message);
    if (status != LC_OK)
        return status;
    b->list_count = 0;
    for (size_t i = 0; i < b->count + AHEAD; i++) {
        for (int k = 0; k < each && i < b->count; k++)
            prefetch(h, b->records[i][k]);
        for (int k = 0; k < each && i >= AHEAD; k++) {
            lc_square *record = &b->records[i - AHEAD][k];
            if (*record != 0)
                b->squares[i - AHEAD][k] = lc_store_node(&h->store, *record)->result;
            *record = 0;
        }
    }
    return LC_OK;
}

// The upper left ones of the nine that are put together to four.
static const int corners[QUARTERS] = {0, 1, 3, 4};

static lc_status find_quarters(lc_hashlife *h, lc_batch *b, lc_message *message)
{
    const lc_status status = lc_hashlife_reserve(h, b->count * QUARTERS, 0, message);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < b->count; i++) {
        const lc_square *r = b->squares[i];
        for (int q = 0; q < QUARTERS; q++) {
            const int c = corners[q];
            const lc_square key[4] = {r[c], r[c + 1], r[c + 3], r[c + 4]};
            memcpy(h->keys[i * QUARTERS + (size_t)q], key, sizeof key);
        }
    }
    lc_store_find_nodes(&h->store, (const lc_square(*)[4])h->keys, b->count * QUARTERS, h->found);
    for (size_t i = 0; i < b->count; i++)
        memcpy(b->squares[i], h->found + i * QUARTERS, QUARTERS * sizeof(lc_square));
    return LC_OK;
}

// The middle of four leaves.
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

// Instead of four squares' results: their middles, as they are.
static lc_status find_middles(lc_hashlife *h, lc_batch *b, int log2, lc_message *message)
{
    const size_t count = b->count * QUARTERS;
    const bool are_leaves = log2 - 2 == LC_LEAF_LOG2;
    const lc_status status =
        lc_hashlife_reserve(h, are_leaves ? 0 : count, are_leaves ? count : 0, message);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < b->count; i++) {
        const lc_square *r = b->squares[i];
        for (int q = 0; q < QUARTERS; q++) {
            const int c = corners[q];
            const lc_square four[4] = {r[c], r[c + 1], r[c + 3], r[c + 4]};
            const size_t at = i * QUARTERS + (size_t)q;
            for (int k = 0; k < 4 && !are_leaves; k++)
                h->keys[at][k] = lc_store_child(&h->store, four[k], 3 - k);
            if (are_leaves)
                middle_of_leaves(h, four, h->cells[at]);
        }
    }
    if (are_leaves)
        lc_store_find_leaves(&h->store, (const uint32_t(*)[LC_TILE_WORDS])h->cells, count,
                             h->found);
    else
        lc_store_find_nodes(&h->store, (const lc_square(*)[4])h->keys, count, h->found);
    for (size_t i = 0; i < b->count; i++)
        memcpy(b->squares[i], h->found + i * QUARTERS, QUARTERS * sizeof(lc_square));
    return LC_OK;
}

// Four results of each node, put together.
static lc_status find_results(lc_hashlife *h, lc_batch *b, lc_message *message)
{
    const lc_status status = lc_hashlife_reserve(h, b->count, 0, message);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < b->count; i++)
        memcpy(h->keys[i], b->squares[i], sizeof h->keys[i]);
    lc_store_find_nodes(&h->store, (const lc_square(*)[4])h->keys, b->count, h->found);
    for (size_t i = 0; i < b->count; i++)
        lc_store_node(&h->store, b->jobs[i].record)->result = h->found[i];
    return LC_OK;
}

// Nodes of four leaves.
static lc_status step_leaves(lc_hashlife *h, lc_batch *b, lc_message *message)
{
    const lc_status status = lc_hashlife_reserve(h, 0, b->count, message);
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
        lc_window w = {.middle = h->cells[i], .generations = 1 << log2, .any = h->any[h->step_odd]};
        for (int k = 0; k < 4; k++)
            w.tiles[k] = lc_store_cells(&h->store, lc_store_child(&h->store, b->jobs[i].node, k));
        (void)h->step_window(&w);
    }
    lc_store_find_leaves(&h->store, (const uint32_t(*)[LC_TILE_WORDS])h->cells, b->count, h->found);
    for (size_t i = 0; i < b->count; i++)
        lc_store_node(&h->store, b->jobs[i].record)->result = h->found[i];
    return LC_OK;
}

static lc_status ask_watch(lc_hashlife *h, lc_message *message)
{
    const lc_engine_watch *watch = h->config.watch;
    if (watch == NULL || watch->call == NULL || lc_clock_ns() - h->looked_ns < watch->interval_ns)
        return LC_OK;
    const bool stop = watch->call(watch->context);
    h->looked_ns = lc_clock_ns();
    return stop ? lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch") : LC_OK;
}

static lc_status make_batch(lc_hashlife *h, int log2, lc_batch *b, lc_message *message)
{
    if (log2 == LC_LEAF_LOG2 + 1)
        return step_leaves(h, b, message);
    lc_status status = find_nine(h, b, message);
    if (status == LC_OK)
        status = make_results(h, b, log2 - 1, NINE, message);
    if (status == LC_OK && is_full(h, log2)) {
        status = find_quarters(h, b, message);
        if (status == LC_OK)
            status = make_results(h, b, log2 - 1, QUARTERS, message);
    } else if (status == LC_OK) {
        status = find_middles(h, b, log2, message);
    }
    if (status == LC_OK)
        status = find_results(h, b, message);
    return status == LC_OK ? ask_watch(h, message) : status;
}

enum { CELLS_BYTES = LC_BATCH * QUARTERS * LC_LEAF_BYTES };

static lc_batch *batch_of(lc_hashlife *h, int log2)
{
    if (h->cells == NULL)
        h->cells = lc_alloc_pages(CELLS_BYTES);
    if (h->batches[log2] == NULL && h->cells != NULL)
        h->batches[log2] = lc_alloc_pages(sizeof(lc_batch));
    return h->batches[log2];
}

// Of nodes of that level, whose results are LC_RESULT_WANTED.
static lc_status results(lc_hashlife *h, int log2, const lc_job *jobs, size_t count,
                         lc_message *message)
{
    lc_batch *b = batch_of(h, log2);
    if (b == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for squares in work");
    lc_status status = LC_OK;
    for (size_t done = 0; done < count && status == LC_OK; done += b->count) {
        b->count = count - done < LC_BATCH ? count - done : LC_BATCH;
        memcpy(b->jobs, jobs + done, b->count * sizeof *jobs);
        memset(b->squares, 0, b->count * sizeof *b->squares);
        memset(b->records, 0, b->count * sizeof *b->records);
        status = make_batch(h, log2, b, message);
        h->results += status == LC_OK ? b->count : 0;
    }
    b->count = 0;
    return status;
}

// What was being made when an error ended it is no longer wanted.
static void give_up(lc_hashlife *h)
{
    for (int log2 = 0; log2 <= LC_ROOT_LOG2_MAX; log2++) {
        lc_batch *b = h->batches[log2];
        for (size_t i = 0; b != NULL && i < b->list_count; i++) {
            lc_node *record = lc_store_node(&h->store, b->list[i].record);
            if (record->result == LC_RESULT_WANTED)
                record->result = LC_RESULT_NONE;
        }
        if (b != NULL)
            b->list_count = 0;
    }
}

lc_status lc_hashlife_result(lc_hashlife *h, lc_square node, int log2, lc_square *result,
                             lc_message *message)
{
    *result = 0;
    if (node == 0)
        return LC_OK;
    lc_batch *top = batch_of(h, log2 + 1);
    if (top == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for squares in work");
    top->count = 1;
    top->jobs[0] = (lc_job){0, 0};
    memset(top->squares, 0, sizeof top->squares);
    memset(top->records, 0, sizeof top->records);
    top->squares[0][0] = node;
    const lc_status status = make_results(h, top, log2, 1, message);
    if (status == LC_OK)
        *result = top->squares[0][0];
    else
        give_up(h);
    top->count = 0;
    return status;
}

// Collections -------------------------------------------------------------------------------------

// A record and, once it is known, its result.
static void mark_record(lc_hashlife *h, lc_square record)
{
    lc_store_mark(&h->store, record);
    const lc_square result = result_of(h, record);
    if (record != 0 && result < LC_RESULT_WANTED)
        lc_store_mark(&h->store, result);
}

void lc_hashlife_mark_batches(lc_hashlife *h)
{
    for (int log2 = 0; log2 <= LC_ROOT_LOG2_MAX; log2++) {
        const lc_batch *b = h->batches[log2];
        for (size_t i = 0; b != NULL && i < b->count; i++) {
            lc_store_mark(&h->store, b->jobs[i].node);
            mark_record(h, b->jobs[i].record);
            for (int k = 0; k < NINE; k++) {
                lc_store_mark(&h->store, b->squares[i][k]);
                mark_record(h, b->records[i][k]);
            }
        }
        for (size_t i = 0; b != NULL && i < b->list_count; i++) {
            lc_store_mark(&h->store, b->list[i].node);
            mark_record(h, b->list[i].record);
        }
    }
}

void lc_hashlife_free_batches(lc_hashlife *h)
{
    if (h->cells != NULL)
        lc_free_pages(h->cells, CELLS_BYTES);
    for (int log2 = 0; log2 <= LC_ROOT_LOG2_MAX; log2++)
        if (h->batches[log2] != NULL)
            lc_free_pages(h->batches[log2], sizeof(lc_batch));
}
