// Room in the store: which squares are kept when there is none left.
//
// What lives and what is being worked on is kept. Then results are, those of what lives first, the
// results of these next, as long as there is room enough left: what a square becomes is likely to
// be asked again while the square is there.
#include "base/error.h"
#include "engine/hashlife/hashlife.h"

static const double kept = 0.5;  // of all squares, at most, when results are kept
static const double tight = 0.8; // if more are in use after a collection there is too little memory

static uint64_t count_marked(const lc_heap *heap)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i <= (heap->next - 1) / 64; i++)
        count += (uint64_t)__builtin_popcountll(heap->marks[i]);
    return count;
}

// Whether any was marked, and there may be more.
static bool mark_results(lc_hashlife *h)
{
    const lc_heap *heap = &h->store.nodes;
    const uint64_t most = (uint64_t)(kept * (double)(heap->used));
    uint64_t marked = count_marked(heap);
    const uint64_t before = marked;
    for (uint32_t word = 0; word <= (heap->next - 1) / 64; word++) {
        for (uint64_t bits = heap->marks[word]; bits != 0; bits &= bits - 1) {
            const uint32_t number = word * 64 + (uint32_t)__builtin_ctzll(bits);
            const lc_square result = lc_store_node(&h->store, number)->result;
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

static lc_status collect(lc_hashlife *h, bool keep_results, lc_message *message)
{
    lc_status status = lc_store_begin_collection(&h->store, message);
    if (status != LC_OK)
        return status;
    h->collections++;
    lc_store_mark(&h->store, h->tree.root);
    lc_hashlife_mark_batches(h);
    while (keep_results && mark_results(h))
        continue;
    lc_store_end_collection(&h->store);
    return LC_OK;
}

lc_status lc_hashlife_reserve(lc_hashlife *h, size_t nodes, size_t leaves, lc_message *message)
{
    lc_status status = lc_store_reserve(&h->store, nodes, leaves, message);
    if (status != LC_ERROR_LIMIT && status != LC_ERROR_MEMORY)
        return status;
    const lc_heap *n = &h->store.nodes, *l = &h->store.leaves;
    for (int keep = 1; keep >= 0; keep--) {
        lc_message why;
        if (collect(h, keep != 0, &why) != LC_OK)
            return status;
        const uint64_t rest_n = n->freed_count, rest_l = l->freed_count;
        if (((double)n->used < tight * (double)(n->used + rest_n) ||
             (double)l->used < tight * (double)(l->used + rest_l)) &&
            lc_store_reserve(&h->store, nodes, leaves, message) == LC_OK)
            return LC_OK;
    }
    return status;
}

lc_status lc_hashlife_forget(lc_hashlife *h, lc_message *message)
{
    const lc_heap *heap = &h->store.nodes;
    const lc_status status = collect(h, false, message);
    for (uint32_t i = 1; i < heap->next && status == LC_OK; i = lc_heap_after(heap, i))
        if (lc_store_is_marked(&h->store, i))
            lc_store_node(&h->store, i)->result = LC_RESULT_NONE;
    return status;
}
