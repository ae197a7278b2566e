// Garbage collection: which squares are kept when the store is full.
//
// Live squares and those of pending results are kept. Then come results of squares that were found
// again since the last collection but one, the most frequently found first, while there is enough
// room: a result that was needed again is likely to be needed once more.
#include "base/error.h"
#include "engine/hashlife/hashlife.h"

static const double kept = 0.5;  // share of all squares at which marking results stops, about
static const double tight = 0.8; // if a larger share is in use after a collection, memory is short

// Returns the possible number of leaves if the table of nodes stays as it is.
static uint64_t most_leaves(const lc_store *store)
{
    return store->leaves.most + (store->limit_bytes - store->held_bytes) / (2 * LC_LEAF_BYTES);
}

static bool is_enough(const lc_store *store, uint64_t leaves)
{
    return (double)store->marked_nodes > kept * (double)store->nodes.most ||
           (double)store->marked_leaves > kept * (double)leaves;
}

// Marks the nodes of a line that were found at least `uses` times, and their results.
static void mark_line(lc_store *store, lc_square first, int uses)
{
    const lc_node_line *line = lc_store_line(store, first);
    for (unsigned k = 0; k < LC_NODES_OF_LINE; k++) {
        const lc_square result = line->nodes[k].result;
        if (result < LC_RESULT_WANTED && lc_store_uses(store, first + k) >= uses) {
            lc_store_mark(store, first + k);
            lc_store_mark(store, result);
        }
    }
}

static void prefetch_results(const lc_store *store, lc_square first)
{
    for (int k = 0; k < LC_NODES_OF_LINE; k++) {
        const lc_square result = lc_store_line(store, first)->nodes[k].result;
        if (result < LC_SQUARE_LEAF)
            __builtin_prefetch(lc_store_node(store, result));
    }
}

// Starts with one line in 64, then takes the next ones, so that the marked results are a sample of
// all results wherever marking stops.
static void mark_results(lc_store *store, int uses)
{
    enum { STRIDE = 4 * 64, SOON = 8 * STRIDE };
    const uint64_t end = store->nodes.next, leaves = most_leaves(store);
    for (uint64_t first = 0; first < STRIDE; first += 4) {
        for (uint64_t at = first; at < end; at += STRIDE) {
            if (is_enough(store, leaves))
                return;
            if (at + 2 * SOON < end)
                __builtin_prefetch(lc_store_line(store, (lc_square)(at + 2 * SOON)));
            if (at + SOON < end)
                prefetch_results(store, (lc_square)(at + SOON));
            mark_line(store, (lc_square)at, uses);
        }
    }
}

void lc_hashlife_return_stocks(lc_hashlife *h)
{
    for (int i = 0; i < h->worker_count; i++)
        lc_store_return(&h->store, &h->workers[i]->stock);
    lc_store_return(&h->store, &h->store.stock);
}

static lc_status collect(lc_hashlife *h, bool keep_results, lc_message *message)
{
    lc_hashlife_return_stocks(h);
    for (int i = 0; i < h->worker_count; i++)
        h->workers[i]->stock = (lc_stock){0}; // including their reserved numbers
    h->seen_count = 0;                        // remembered roots are not worth their memory
    lc_status status = lc_store_begin_collection(&h->store, message);
    if (status != LC_OK)
        return status;
    h->collections++;
    for (int uses = LC_USES_MOST; uses >= 1 && keep_results; uses--)
        mark_results(&h->store, uses);
    lc_store_end_collection(&h->store);
    return LC_OK;
}

static bool is_tight(uint64_t used, uint64_t most)
{
    return (double)used > tight * (double)most;
}

lc_status lc_hashlife_reserve(lc_hashlife *h, lc_stock *stock, size_t nodes, size_t leaves,
                              lc_message *message)
{
    if (lc_store_draw(&h->store, stock, nodes, leaves))
        return LC_OK;
    lc_hashlife_return_stocks(h);
    lc_status status = lc_store_reserve(&h->store, stock, nodes, leaves, message);
    for (int keep = 1; keep >= 0; keep--) {
        lc_message why;
        if (status != LC_ERROR_LIMIT && status != LC_ERROR_MEMORY)
            break;
        if (collect(h, keep != 0, &why) != LC_OK)
            break;
        if (keep == 0 || (!is_tight(h->store.nodes.used, h->store.nodes.most) &&
                          !is_tight(h->store.leaves.used, most_leaves(&h->store))))
            status = lc_store_reserve(&h->store, stock, nodes, leaves, message);
    }
    return status;
}

lc_status lc_hashlife_forget(lc_hashlife *h, lc_message *message)
{
    const lc_status status = collect(h, false, message);
    for (uint64_t i = 0; i < lc_store_node_end(&h->store) && status == LC_OK; i++)
        if (i % 4 < LC_NODES_OF_LINE)
            lc_store_node(&h->store, (lc_square)i)->result = LC_RESULT_NONE;
    return status;
}
