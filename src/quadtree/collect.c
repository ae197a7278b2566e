// Collections: what was not marked is freed, and its number may be another square's.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "quadtree/store.h"

static bool begin(lc_heap *heap)
{
    uint64_t *marks = lc_calloc(heap->next / 64 + 1, sizeof *marks);
    if (marks == NULL)
        return false;
    lc_free(heap->marks);
    heap->marks = marks;
    heap->marked_end = heap->next;
    return true;
}

// Freed records are still told from those in use by the marks of the last collection, so these are
// replaced together or not at all.
lc_status lc_store_begin_collection(lc_store *store, lc_message *message)
{
    uint64_t *old = store->nodes.marks;
    const uint32_t old_end = store->nodes.marked_end;
    store->nodes.marks = NULL;
    if (!begin(&store->nodes) || !begin(&store->leaves)) {
        lc_free(store->nodes.marks);
        store->nodes.marks = old;
        store->nodes.marked_end = old_end;
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for collecting squares");
    }
    lc_free(old);
    return LC_OK;
}

// Whether it was not marked before.
static inline bool mark(lc_heap *heap, uint32_t number)
{
    uint64_t *word = &heap->marks[number / 64];
    const uint64_t bit = UINT64_C(1) << number % 64;
    const bool is_new = (*word & bit) == 0;
    *word |= bit;
    return is_new;
}

bool lc_store_is_marked(const lc_store *store, lc_square square)
{
    const lc_heap *heap = lc_square_is_leaf(square) ? &store->leaves : &store->nodes;
    const uint32_t number = square & ~LC_SQUARE_LEAF;
    return number == 0 || (heap->marks[number / 64] >> number % 64 & 1) != 0;
}

void lc_store_mark(lc_store *store, lc_square square)
{
    enum { DEEPEST = 4 * 300 }; // three wait on each level
    lc_square waiting[DEEPEST];
    size_t count = 0;
    waiting[count++] = square;
    while (count > 0) {
        const lc_square next = waiting[--count];
        if (next == 0)
            continue;
        if (lc_square_is_leaf(next)) {
            mark(&store->leaves, next & ~LC_SQUARE_LEAF);
            continue;
        }
        if (!mark(&store->nodes, next))
            continue;
        const lc_node *node = lc_store_node(store, next);
        waiting[count++] = node->child[0];
        for (int i = 1; i < 4 && !lc_node_is_way(node); i++)
            waiting[count++] = node->child[i];
    }
}

static void forget_results(lc_store *store)
{
    const lc_heap *heap = &store->nodes;
    for (uint32_t word = 0; word <= (heap->next - 1) / 64; word++) {
        for (uint64_t bits = heap->marks[word]; bits != 0; bits &= bits - 1) {
            lc_node *node = lc_store_node(store, word * 64 + (uint32_t)__builtin_ctzll(bits));
            const bool is_known = node->result < LC_RESULT_WANTED;
            if (is_known && !lc_store_is_marked(store, node->result))
                node->result = LC_RESULT_NONE;
        }
    }
}

static void free_unmarked(lc_heap *heap)
{
    heap->freed = 0;
    heap->freed_count = 0;
    heap->used = 0;
    for (uint32_t i = heap->next; i-- > 1;) { // so that the first are used again first
        if (lc_heap_after(heap, i - 1) != i)
            continue;
        if ((heap->marks[i / 64] >> i % 64 & 1) != 0) {
            heap->used++;
            continue;
        }
        memcpy(lc_heap_record(heap, i), &heap->freed, sizeof heap->freed);
        heap->freed = i;
        heap->freed_count++;
    }
}

void lc_store_end_collection(lc_store *store)
{
    forget_results(store);
    free_unmarked(&store->nodes);
    free_unmarked(&store->leaves);
    lc_store_index_anew(store, &store->nodes);
    lc_store_index_anew(store, &store->leaves);
}
