// Look-ups of nodes, and statistics of their use.
#include "quadtree/arena.h"

enum { BLOCK = 32 }; // look-ups that wait for a line of the index, and as many for a node

static inline uint64_t hash_of(const lc_square child[4])
{
    const uint64_t a = child[0] | (uint64_t)child[1] << 32;
    const uint64_t b = child[2] | (uint64_t)child[3] << 32;
    return lc_folded(lc_folded(a ^ UINT64_C(0x9E3779B97F4A7C15), b ^ UINT64_C(0xD6E8FEB86659FD93)),
                     UINT64_C(0xA0761D6478BD642F));
}

static inline bool is_dead(const lc_square child[4])
{
    return (child[0] | child[1] | child[2] | child[3]) == 0;
}

static inline bool are_same(const lc_square *some, const lc_square *others)
{
    uint64_t a[2], b[2];
    memcpy(a, some, sizeof a);
    memcpy(b, others, sizeof b);
    return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

static inline bool is_same(const lc_store *store, uint32_t number, const void *children)
{
    return are_same(lc_store_node(store, number)->child, children);
}

static inline void write(lc_store *store, uint32_t number, const void *children)
{
    lc_node *node = lc_store_node(store, number);
    memcpy(node->child, children, sizeof node->child);
    node->result = LC_RESULT_NONE;
}

// All nodes ---------------------------------------------------------------------------------------

static inline bool hash_of_number(const lc_store *store, uint32_t number, uint64_t *hash)
{
    if (number % 4 == LC_NODES_OF_LINE || is_dead(lc_store_node(store, number)->child))
        return false;
    *hash = hash_of(lc_store_node(store, number)->child);
    return true;
}

static void fill(lc_store *store, uint64_t begin, uint64_t end, bool is_shared)
{
    lc_index_fill(store, &store->nodes, begin, end, is_shared, hash_of_number);
}

static inline uint32_t used_once(lc_square node)
{
    return UINT32_C(1) << 2 * (node % 4);
}

static void clear(lc_store *store, uint32_t number)
{
    *lc_store_node(store, number) = (lc_node){0};
    lc_store_line(store, number)->uses &= ~(used_once(number) * 3);
}

const lc_arena_kind lc_arena_of_nodes = {
    .chunk_log2 = LC_NODE_CHUNK_LOG2,
    .usable = UINT64_C(0x7777777777777777),
    .first_lines = LC_FIRST_NODE_LINES,
    .share = 0.9375,
    .fill = fill,
    .clear = clear,
};

void lc_nodes_sweep(lc_store *store)
{
    const uint32_t often = (used_once(0) | used_once(1) | used_once(2)) << 1;
    for (uint64_t i = 0; i < store->nodes.next; i += 4) {
        lc_node_line *line = lc_store_line(store, (lc_square)i);
        line->uses = (line->uses & often) >> 1;
    }
    lc_arena_sweep(store, &store->nodes);
}

// Uses --------------------------------------------------------------------------------------------

static inline void note_use(const lc_store *store, lc_square node)
{
    lc_node_line *line = lc_store_line(store, node);
    const uint32_t uses = __atomic_load_n(&line->uses, __ATOMIC_RELAXED);
    const uint32_t once = used_once(node), often = once << 1;
    if ((uses & often) != 0)
        return;
    const uint32_t use = (uses & once) != 0 ? often : once;
    if (store->is_shared)
        __atomic_fetch_or(&line->uses, use, __ATOMIC_RELAXED);
    else
        line->uses = uses | use;
}

void lc_store_note_use(const lc_store *store, lc_square node)
{
    if (store->notes_uses)
        note_use(store, node);
}

int lc_store_uses(const lc_store *store, lc_square node)
{
    const uint32_t uses = lc_store_line(store, node)->uses, once = used_once(node);
    return (uses & once << 1) != 0 ? LC_USES_MOST : (uses & once) != 0 ? 1 : 0;
}

// Look-ups ----------------------------------------------------------------------------------------

// Look-ups in flight. First the lines of the index are prefetched, then the nodes that may match.
typedef struct fetched {
    size_t count;
    uint32_t keys[BLOCK];
    lc_square numbers[BLOCK]; // 0: no candidate
    uint64_t hashes[BLOCK];
    const lc_index_line *lines[BLOCK];
    const lc_node *nodes[BLOCK];
} fetched;

// Prefetches the lines of the keys from `first` on. Dead nodes, a third of all, need no memory.
static inline void fetch_lines(const lc_arena *nodes, const lc_square (*children)[4], size_t first,
                               size_t count, lc_square *found, lc_square *results, fetched *f)
{
    const size_t end = first + BLOCK < count ? first + BLOCK : count;
    size_t k = 0;
    for (size_t i = first; i < end; i++) {
        found[i] = results[i] = 0;
        if (is_dead(children[i]))
            continue;
        f->keys[k] = (uint32_t)i;
        f->hashes[k] = hash_of(children[i]);
        f->lines[k] = lc_index_home(nodes, f->hashes[k]);
        __builtin_prefetch(f->lines[k], 1);
        k++;
    }
    f->count = k;
}

static inline void fetch_nodes(const lc_store *store, fetched *f)
{
    for (size_t k = 0; k < f->count; k++) {
        const uint32_t places = lc_index_places(f->lines[k], f->hashes[k]);
        f->numbers[k] = places == 0 ? 0 : lc_index_number(f->lines[k], __builtin_ctz(places));
        f->nodes[k] = lc_store_node(store, f->numbers[k]);
        __builtin_prefetch(f->nodes[k]);
    }
}

static lc_square find(lc_store *store, lc_stock *stock, uint64_t hash, const lc_square child[4],
                      bool *made)
{
    const lc_square number =
        lc_arena_find(store, &store->nodes, &stock->of_nodes, hash, child, is_same, write, made);
    stock->nodes -= *made;
    stock->made_nodes += *made;
    return number;
}

static inline void look_up(lc_store *store, lc_stock *stock, const fetched *f,
                           const lc_square (*children)[4], lc_square *found, lc_square *results)
{
    const bool notes_uses = store->notes_uses;
    for (size_t k = 0; k < f->count; k++) {
        const uint32_t i = f->keys[k];
        const lc_node *node = f->nodes[k];
        lc_square number = f->numbers[k];
        bool made = false;
        if (!are_same(node->child, children[i])) { // that of number 0 is dead
            number = find(store, stock, f->hashes[k], children[i], &made);
            node = lc_store_node(store, number);
        }
        if (notes_uses && !made)
            note_use(store, number);
        found[i] = number;
        results[i] = __atomic_load_n(&node->result, __ATOMIC_ACQUIRE);
    }
}

void lc_store_find_nodes(lc_store *store, lc_stock *stock, const lc_square (*children)[4],
                         size_t count, lc_square *found, lc_square *results)
{
    enum { BLOCKS = 3 };
    fetched blocks[BLOCKS];
    fetched *now = &blocks[0], *next = &blocks[1], *then = &blocks[2];
    fetch_lines(&store->nodes, children, 0, count, found, results, now);
    fetch_lines(&store->nodes, children, BLOCK, count, found, results, next);
    fetch_nodes(store, now);
    for (size_t i = 0; i < count; i += BLOCK) {
        fetch_lines(&store->nodes, children, i + 2 * BLOCK, count, found, results, then);
        fetch_nodes(store, next);
        look_up(store, stock, now, children, found, results);
        fetched *const done = now;
        now = next;
        next = then;
        then = done;
    }
}
