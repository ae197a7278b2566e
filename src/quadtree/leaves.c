// Look-ups of leaves.
#include "quadtree/arena.h"

enum {
    AHEAD = 16, // look-ups in flight at each of the two waits for memory
    SOME = 64,  // look-ups whose hashes are stored; a power of two
};

static inline uint64_t hash_of(const uint32_t *cells)
{
    uint64_t words[LC_TILE_WORDS / 2], sum = 0;
    memcpy(words, cells, sizeof words);
    for (int i = 0; i < LC_TILE_WORDS / 2; i += 2)
        sum += lc_folded(words[i] ^ (UINT64_C(0x9E3779B97F4A7C15) * (unsigned)(2 * i + 1)),
                         words[i + 1] ^ (UINT64_C(0xD6E8FEB86659FD93) * (unsigned)(2 * i + 1)));
    return lc_folded(sum ^ UINT64_C(0xE7037ED1A0B428DB), UINT64_C(0xA0761D6478BD642F));
}

static inline bool is_dead(const uint32_t *cells)
{
    return memcmp(cells, lc_store_cells(NULL, 0), LC_LEAF_BYTES) == 0;
}

static inline bool is_same(const lc_store *store, uint32_t number, const void *cells)
{
    return memcmp(lc_store_leaf(store, number), cells, LC_LEAF_BYTES) == 0;
}

static inline void write(lc_store *store, uint32_t number, const void *cells)
{
    memcpy(lc_store_leaf(store, number), cells, LC_LEAF_BYTES);
}

static void clear(lc_store *store, uint32_t number)
{
    memset(lc_store_leaf(store, number), 0, LC_LEAF_BYTES);
}

static inline bool hash_of_number(const lc_store *store, uint32_t number, uint64_t *hash)
{
    const uint32_t *cells = lc_store_leaf(store, number);
    if (is_dead(cells))
        return false;
    *hash = hash_of(cells);
    return true;
}

static void fill(lc_store *store, uint64_t begin, uint64_t end, bool is_shared)
{
    lc_index_fill(store, &store->leaves, begin, end, is_shared, hash_of_number);
}

const lc_arena_kind lc_arena_of_leaves = {
    .chunk_log2 = LC_LEAF_CHUNK_LOG2,
    .usable = UINT64_MAX,
    .first_lines = LC_FIRST_LEAF_LINES,
    .share = 1,
    .fill = fill,
    .clear = clear,
};

// Prefetches the leaves whose hash may match.
static inline void prefetch_matches(const lc_store *store, uint64_t hash)
{
    const lc_index_line *line = lc_index_home(&store->leaves, hash);
    for (uint32_t found = lc_index_places(line, hash); found != 0; found &= found - 1) {
        const uint32_t number = lc_index_number(line, __builtin_ctz(found));
        if (number == 0)
            break;
        __builtin_prefetch(lc_store_leaf(store, number));
        __builtin_prefetch(lc_store_leaf(store, number) + LC_TILE_WORDS / 2);
    }
}

static lc_square find(lc_store *store, lc_stock *stock, uint64_t hash, const uint32_t *cells)
{
    bool made;
    const uint32_t number =
        lc_arena_find(store, &store->leaves, &stock->of_leaves, hash, cells, is_same, write, &made);
    stock->leaves -= made;
    stock->made_leaves += made;
    return number | LC_SQUARE_LEAF;
}

void lc_store_find_leaves(lc_store *store, lc_stock *stock, const uint32_t (*cells)[LC_TILE_WORDS],
                          size_t count, lc_square *found)
{
    uint64_t hashes[SOME];
    for (size_t i = 0; i < count + 2 * AHEAD; i++) {
        if (i < count) {
            hashes[i % SOME] = hash_of(cells[i]);
            __builtin_prefetch(lc_index_home(&store->leaves, hashes[i % SOME]), 1);
        }
        if (i >= AHEAD && i - AHEAD < count)
            prefetch_matches(store, hashes[(i - AHEAD) % SOME]);
        if (i < 2 * AHEAD)
            continue;
        const size_t k = i - 2 * AHEAD;
        found[k] = is_dead(cells[k]) ? 0 : find(store, stock, hashes[k % SOME], cells[k]);
    }
}
