// Room in the store: which squares are kept when there is none left.
//
// What lives and what is being worked on is kept. Then results are, those of what lives first, the
// results of these next, as long as there is room enough left: what a square becomes is likely to
// be asked again while the square is there.
#include "base/error.h"
#include "engine/hashlife/hashlife.h"

static const double kept = 0.5;  // of all squares, at most, when results are kept
static const double tight = 0.8; // if more are in use after a collection there is too little memory

static uint64_t count_marked(const lc_store *store)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < lc_store_node_end(store) / 64 + 1; i++)
        count += (uint64_t)__builtin_popcountll(store->nodes.marks[i]);
    return count;
}

// Whether any was marked, and there may be more.
static bool mark_results(lc_hashlife *h)
{
    const uint64_t most = (uint64_t)(kept * (double)h->store.nodes.used);
    uint64_t marked = count_marked(&h->store);
    const uint64_t before = marked;
    for (uint64_t word = 0; word < lc_store_node_end(&h->store) / 64 + 1; word++) {
        for (uint64_t bits = h->store.nodes.marks[word]; bits != 0; bits &= bits - 1) {
            const uint64_t number = word * 64 + (unsigned)__builtin_ctzll(bits);
            const lc_square result = lc_store_node(&h->store, (lc_square)number)->result;
            if (result >= LC_RESULT_WANTED || lc_store_is_marked(&h->store, result))
                continue;
            lc_store_mark(&h->store, result);
            marked++; // at least
        }
        if (marked > most)
            return false;
    }
    return marked > before;
}

void lc_hashlife_return_stocks(lc_hashlife *h)
{
    for (int i = 0; i < h->hand_count; i++)
        lc_store_return(&h->store, &h->hands[i]->stock);
    lc_store_return(&h->store, &h->store.stock);
}

static lc_status collect(lc_hashlife *h, bool keep_results, lc_message *message)
{
    lc_hashlife_return_stocks(h);
    for (int i = 0; i < h->hand_count; i++)
        h->hands[i]->stock = (lc_stock){0}; // the numbers of leaves, too
    h->seen_count = 0;                      // they are not worth their memory
    lc_status status = lc_store_begin_collection(&h->store, message);
    if (status != LC_OK)
        return status;
    h->collections++;
    while (keep_results && mark_results(h))
        continue;
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
                          !is_tight(h->store.leaves.used, h->store.leaves.most)))
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
