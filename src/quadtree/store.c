// Memory of the store, and the stocks that limit what each thread may create.
#include "quadtree/arena.h"

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"

static const _Alignas(64) uint32_t dead[LC_TILE_WORDS];

const uint32_t *lc_store_cells(const lc_store *store, lc_square leaf)
{
    return leaf == 0 ? dead : lc_store_leaf(store, leaf);
}

lc_status lc_store_is_full(const lc_store *store, lc_message *message)
{
    return lc_fail_limit(message, 0, store->limit_bytes + store->spare_bytes, "more squares need");
}

uint64_t lc_store_scratch_bytes(const lc_store *store)
{
    const uint64_t left =
        store->limit_bytes > store->held_bytes ? store->limit_bytes - store->held_bytes : 0;
    return store->spare_bytes == 0 ? UINT64_MAX : store->spare_bytes / 2 + left;
}

lc_status lc_store_take(lc_store *store, void **out, uint64_t bytes, lc_message *message)
{
    *out = NULL;
    if (bytes > store->limit_bytes || store->held_bytes > store->limit_bytes - bytes)
        return lc_store_is_full(store, message);
    *out = lc_context_alloc(store->context, (size_t)bytes);
    if (*out == NULL)
        return lc_fail_memory(message, "more squares");
    __atomic_fetch_add(&store->held_bytes, bytes, __ATOMIC_RELAXED); // progress may read it
    return LC_OK;
}

void lc_store_give(lc_store *store, void *memory, uint64_t bytes)
{
    if (memory == NULL)
        return;
    lc_context_free(store->context, memory, (size_t)bytes);
    store->held_bytes -= bytes;
}

lc_status lc_store_init(lc_store *store, lc_context *context, uint64_t limit_bytes,
                        lc_message *message)
{
    *store = (lc_store){.context = context,
                        .limit_bytes = limit_bytes,
                        .nodes = {.kind = &lc_arena_of_nodes},
                        .leaves = {.kind = &lc_arena_of_leaves}};
    const lc_status status = lc_store_reserve(store, &store->stock, 1, 1, message);
    if (status != LC_OK)
        lc_store_free(store);
    return status;
}

void lc_store_set_limit(lc_store *store, uint64_t limit_bytes)
{
    store->spare_bytes = limit_bytes / 8;
    store->limit_bytes = limit_bytes - store->spare_bytes;
}

lc_status lc_store_init_within(lc_store *store, lc_context *context, uint64_t limit_bytes,
                               lc_message *message)
{
    const lc_status status = lc_store_init(store, context, limit_bytes - limit_bytes / 8, message);
    if (status == LC_OK)
        lc_store_set_limit(store, limit_bytes);
    return status;
}

// Lists beside it ---------------------------------------------------------------------------------

static uint64_t counted(const lc_store *store, uint64_t lists_bytes)
{
    return lists_bytes - lc_least_u64(lists_bytes, store->spare_bytes);
}

lc_status lc_store_grow_list(lc_store *store, uint64_t *lists_bytes, void **list, size_t *room,
                             size_t least, size_t element_bytes, lc_message *message)
{
    const uint64_t others_held = store->held_bytes - counted(store, *lists_bytes);
    const uint64_t other_lists = *lists_bytes - *room * element_bytes;
    const uint64_t free_bytes =
        store->limit_bytes - lc_least_u64(store->limit_bytes, others_held) + store->spare_bytes;
    const uint64_t most = (free_bytes - lc_least_u64(free_bytes, other_lists)) / element_bytes;
    size_t bytes;
    if (most < least)
        return lc_store_is_full(store, message);
    const size_t more = (size_t)lc_least_u64(most, *room > least / 2 ? 2 * *room : least);
    void *larger = lc_mul_size(more, element_bytes, &bytes) ? lc_realloc(*list, bytes) : NULL;
    if (larger == NULL)
        return lc_fail_memory(message, "more squares");
    *list = larger;
    *room = more;
    *lists_bytes = other_lists + bytes;
    store->held_bytes = others_held + counted(store, *lists_bytes);
    return LC_OK;
}

void lc_store_forget_lists(lc_store *store, uint64_t *lists_bytes)
{
    store->held_bytes -= counted(store, *lists_bytes);
    *lists_bytes = 0;
}

void lc_store_free(lc_store *store)
{
    lc_arena_free(store, &store->nodes);
    lc_arena_free(store, &store->leaves);
}

void lc_store_add_root(lc_store *store, lc_gc_root *gc_root)
{
    gc_root->next = store->gc_roots;
    store->gc_roots = gc_root;
}

void lc_store_remove_root(lc_store *store, lc_gc_root *gc_root)
{
    lc_gc_root **at = &store->gc_roots;
    while (*at != NULL && *at != gc_root)
        at = &(*at)->next;
    if (*at != NULL)
        *at = gc_root->next;
}

// Stocks ------------------------------------------------------------------------------------------

static bool lend(uint64_t *lent, uint64_t used, uint64_t most, uint64_t *stock, uint64_t count)
{
    if (__atomic_add_fetch(lent, count, __ATOMIC_RELAXED) + used <= most) {
        *stock += count;
        return true;
    }
    __atomic_sub_fetch(lent, count, __ATOMIC_RELAXED);
    return false;
}

static bool draw(uint64_t *lent, uint64_t used, uint64_t most, uint64_t *stock, uint64_t wanted)
{
    enum { AT_ONCE = 1 << 12 };
    return *stock >= wanted || lend(lent, used, most, stock, wanted + AT_ONCE) ||
           lend(lent, used, most, stock, wanted - *stock);
}

static uint64_t most_of(const lc_arena *arena)
{
    return __atomic_load_n(&arena->most, __ATOMIC_ACQUIRE);
}

bool lc_store_draw(lc_store *store, lc_stock *stock, size_t nodes, size_t leaves)
{
    return draw(&store->lent_nodes, store->nodes.used, most_of(&store->nodes), &stock->nodes,
                nodes) &&
           draw(&store->lent_leaves, store->leaves.used, most_of(&store->leaves), &stock->leaves,
                leaves);
}

bool lc_store_extend(lc_store *store, size_t nodes, size_t leaves)
{
    const uint64_t lent_nodes = __atomic_load_n(&store->lent_nodes, __ATOMIC_RELAXED);
    const uint64_t lent_leaves = __atomic_load_n(&store->lent_leaves, __ATOMIC_RELAXED);
    return lc_arena_extend(store, &store->nodes, lent_nodes + nodes) &&
           lc_arena_extend(store, &store->leaves, lent_leaves + leaves);
}

void lc_store_return(lc_store *store, lc_stock *stock)
{
    store->nodes.used += stock->made_nodes;
    store->leaves.used += stock->made_leaves;
    store->lent_nodes -= stock->made_nodes + stock->nodes;
    store->lent_leaves -= stock->made_leaves + stock->leaves;
    // The numbers stay with the stock, because no other stock has received them.
    *stock = (lc_stock){.of_nodes = stock->of_nodes, .of_leaves = stock->of_leaves};
}

lc_status lc_store_reserve(lc_store *store, lc_stock *stock, size_t nodes, size_t leaves,
                           lc_message *message)
{
    if (lc_store_draw(store, stock, nodes, leaves))
        return LC_OK;
    lc_store_return(store, stock);
    lc_store_return(store, &store->stock);
    lc_status status = lc_arena_reserve(store, &store->nodes, store->lent_nodes + nodes, message);
    if (status == LC_OK)
        status = lc_arena_reserve(store, &store->leaves, store->lent_leaves + leaves, message);
    if (status == LC_OK)
        (void)lc_store_draw(store, stock, nodes, leaves);
    return status;
}

lc_square lc_store_find_node(lc_store *store, const lc_square children[4])
{
    lc_square found, result;
    lc_store_find_nodes(store, &store->stock, (const lc_square(*)[4])children, 1, &found, &result);
    return found;
}

lc_square lc_store_find_leaf(lc_store *store, const uint32_t cells[LC_TILE_WORDS])
{
    lc_square found;
    lc_store_find_leaves(store, &store->stock, (const uint32_t(*)[LC_TILE_WORDS])cells, 1, &found);
    return found;
}
