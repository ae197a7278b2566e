// Garbage collection: frees squares that no root needs, so that new squares can take their numbers.
#include "base/error.h"
#include "base/memory.h"
#include "quadtree/arena.h"

// Marks a number. Returns whether it was unmarked before.
static inline bool mark(uint64_t *marks, uint32_t number)
{
    uint64_t *word = &marks[number / 64];
    const uint64_t bit = UINT64_C(1) << number % 64;
    const bool is_new = (*word & bit) == 0;
    *word |= bit;
    return is_new;
}

static bool is_marked(const lc_store *store, lc_square square)
{
    const uint64_t *marks = lc_square_is_leaf(square) ? store->leaves.marks : store->nodes.marks;
    const uint32_t number = square & ~LC_SQUARE_LEAF;
    return number == 0 || (marks[number / 64] >> number % 64 & 1) != 0;
}

void lc_store_mark(lc_store *store, lc_square square)
{
    enum { DEEPEST = 4 * 300 }; // three squares wait on each level
    lc_square waiting[DEEPEST];
    size_t count = 0;
    waiting[count++] = square;
    while (count > 0) {
        const lc_square next = waiting[--count];
        if (next == 0)
            continue;
        if (lc_square_is_leaf(next)) {
            store->marked_leaves += mark(store->leaves.marks, next & ~LC_SQUARE_LEAF);
            continue;
        }
        if (!mark(store->nodes.marks, next))
            continue;
        store->marked_nodes++;
        const lc_node *node = lc_store_node(store, next);
        const int children = lc_node_is_way(node) ? 1 : 4;
        for (int i = 0; i < children; i++) {
            if (!lc_square_is_leaf(node->child[i]))
                __builtin_prefetch(lc_store_node(store, node->child[i]));
            waiting[count++] = node->child[i];
        }
    }
}

static void mark_kept(const lc_keeping *self, lc_square *square, bool with_result)
{
    lc_store_mark(self->store, *square);
    if (!with_result || *square == 0)
        return;
    const lc_square result = lc_store_node(self->store, *square)->result;
    if (result < LC_RESULT_WANTED)
        lc_store_mark(self->store, result);
}

static void begin(lc_arena *arena, uint64_t *marks)
{
    lc_free(arena->marks);
    arena->marks = marks;
    arena->marked_end = arena->given_end = arena->next;
}

lc_status lc_store_begin_collection(lc_store *store, lc_message *message)
{
    uint64_t *of_nodes = lc_calloc(store->nodes.next / 64 + 1, sizeof *of_nodes);
    uint64_t *of_leaves = lc_calloc(store->leaves.next / 64 + 1, sizeof *of_leaves);
    if (of_nodes == NULL || of_leaves == NULL) {
        lc_free(of_nodes);
        lc_free(of_leaves);
        return lc_fail_memory(message, "collecting squares");
    }
    lc_store_return(store, &store->stock);
    store->stock = (lc_stock){0};
    begin(&store->nodes, of_nodes);
    begin(&store->leaves, of_leaves);
    store->notes_uses = true;
    store->marked_nodes = store->marked_leaves = 0;
    const lc_keeping keeping = {mark_kept, store};
    for (lc_gc_root *gc_root = store->gc_roots; gc_root != NULL; gc_root = gc_root->next)
        gc_root->each(gc_root->context, &keeping);
    return LC_OK;
}

static void forget_results(lc_store *store)
{
    const uint64_t *marks = store->nodes.marks;
    for (uint64_t word = 0; word < store->nodes.next / 64; word++) {
        for (uint64_t bits = marks[word]; bits != 0; bits &= bits - 1) {
            const uint64_t number = word * 64 + (unsigned)__builtin_ctzll(bits);
            lc_node *node = lc_store_node(store, (lc_square)number);
            const bool is_known = node->result < LC_RESULT_WANTED;
            if (is_known && !is_marked(store, node->result))
                node->result = LC_RESULT_NONE;
        }
    }
}

void lc_store_end_collection(lc_store *store)
{
    forget_results(store);
    lc_nodes_sweep(store);
    lc_arena_sweep(store, &store->leaves);
    store->epoch++;
}
