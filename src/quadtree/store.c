// Memory of the store, and its look-ups.
#include "quadtree/store.h"

#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"

enum {
    FIRST_LINES = 1 << 12,
    AHEAD = 16, // look-ups in flight, at each of the two places where memory is waited for
    SOME = 64,  // look-ups whose hashes are kept
};

static const double fullest = 0.85; // of an index
static const _Alignas(64) uint32_t dead[LC_TILE_WORDS];

const uint32_t *lc_store_cells(const lc_store *store, lc_square leaf)
{
    return leaf == 0 ? dead : lc_store_leaf(store, leaf);
}

// Memory ------------------------------------------------------------------------------------------

static lc_status take(lc_store *store, void **out, uint64_t bytes, lc_message *message)
{
    char limit[LC_SIZE_TEXT_BYTES];
    *out = NULL;
    if (bytes > store->limit_bytes || store->held_bytes > store->limit_bytes - bytes)
        return lc_fail(message, LC_ERROR_LIMIT, "more squares than %s of memory have room for",
                       lc_size_text(store->limit_bytes, limit));
    *out = lc_context_alloc(store->context, (size_t)bytes);
    if (*out == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for more squares");
    store->held_bytes += bytes;
    return LC_OK;
}

static void give(lc_store *store, void *memory, uint64_t bytes)
{
    if (memory == NULL)
        return;
    lc_context_free(store->context, memory, (size_t)bytes);
    store->held_bytes -= bytes;
}

static lc_status add_chunk(lc_store *store, lc_heap *heap, lc_message *message)
{
    if (heap->chunk_count == heap->chunk_room) {
        const size_t room = heap->chunk_room == 0 ? 16 : 2 * heap->chunk_room;
        void **more = lc_realloc(heap->chunks, room * sizeof *more);
        if (more == NULL)
            return lc_fail(message, LC_ERROR_MEMORY, "no memory for more squares");
        heap->chunks = more;
        heap->chunk_room = room;
    }
    void *chunk;
    const lc_status status = take(store, &chunk, lc_heap_chunk_bytes(heap), message);
    if (status == LC_OK)
        heap->chunks[heap->chunk_count++] = chunk;
    return status;
}

lc_status lc_store_init(lc_store *store, lc_context *context, uint64_t limit_bytes,
                        lc_message *message)
{
    *store = (lc_store){.context = context, .limit_bytes = limit_bytes};
    store->nodes.have_holes = true;
    store->nodes.chunk_log2 = LC_NODE_CHUNK_LOG2;
    store->leaves.chunk_log2 = LC_LEAF_CHUNK_LOG2;
    store->nodes.next = store->leaves.next = 1;
    const lc_status status = lc_store_reserve(store, 1, 1, message);
    if (status != LC_OK)
        lc_store_free(store);
    return status;
}

static void free_heap(lc_store *store, lc_heap *heap)
{
    for (size_t i = 0; i < heap->chunk_count; i++)
        give(store, heap->chunks[i], lc_heap_chunk_bytes(heap));
    give(store, heap->index.lines, heap->index.line_count * sizeof *heap->index.lines);
    lc_free(heap->chunks);
    lc_free(heap->marks);
    *heap = (lc_heap){0};
}

void lc_store_free(lc_store *store)
{
    free_heap(store, &store->nodes);
    free_heap(store, &store->leaves);
}

// The index ---------------------------------------------------------------------------------------

static inline uint64_t folded(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_of_node(const lc_square child[4])
{
    const uint64_t a = child[0] | (uint64_t)child[1] << 32;
    const uint64_t b = child[2] | (uint64_t)child[3] << 32;
    return folded(folded(a ^ UINT64_C(0x9E3779B97F4A7C15), b ^ UINT64_C(0xD6E8FEB86659FD93)),
                  UINT64_C(0xA0761D6478BD642F));
}

static inline uint64_t hash_of_leaf(const uint32_t *cells)
{
    uint64_t words[LC_TILE_WORDS / 2], sum = 0;
    memcpy(words, cells, sizeof words);
    for (int i = 0; i < LC_TILE_WORDS / 2; i += 2)
        sum += folded(words[i] ^ (UINT64_C(0x9E3779B97F4A7C15) * (unsigned)(2 * i + 1)),
                      words[i + 1] ^ (UINT64_C(0xD6E8FEB86659FD93) * (unsigned)(2 * i + 1)));
    return folded(sum ^ UINT64_C(0xE7037ED1A0B428DB), UINT64_C(0xA0761D6478BD642F));
}

static inline lc_index_line *line_of(const lc_index *index, uint64_t hash)
{
    return index->lines + ((hash >> 32) * index->line_count >> 32);
}

static inline uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)hash;
}

static inline lc_index_line *line_after(const lc_index *index, lc_index_line *line)
{
    return line + 1 < index->lines + index->line_count ? line + 1 : index->lines;
}

static void put(const lc_index *index, uint64_t hash, uint32_t number)
{
    for (lc_index_line *line = line_of(index, hash);; line = line_after(index, line)) {
        for (int i = 0; i < LC_LINE_NUMBERS; i++) {
            if (line->numbers[i] != 0)
                continue;
            line->numbers[i] = number;
            line->tags[i] = tag_of(hash);
            return;
        }
        line->is_passed = 1;
    }
}

static bool is_freed(const lc_heap *heap, uint32_t number)
{
    return number < heap->marked_end && (heap->marks[number / 64] >> number % 64 & 1) == 0;
}

// All numbers again, after there are other lines or a collection.
static void fill_index(lc_store *store, lc_heap *heap)
{
    const bool are_nodes = heap == &store->nodes;
    uint64_t hashes[AHEAD];
    uint32_t numbers[AHEAD], count = 0;
    for (uint32_t i = 1; i < heap->next; i = lc_heap_after(heap, i)) {
        if (is_freed(heap, i))
            continue;
        const uint32_t at = count++ % AHEAD;
        if (count > AHEAD)
            put(&heap->index, hashes[at], numbers[at]);
        hashes[at] = are_nodes ? hash_of_node(lc_store_node(store, i)->child)
                               : hash_of_leaf(lc_store_leaf(store, i));
        numbers[at] = i;
        __builtin_prefetch(line_of(&heap->index, hashes[at]), 1);
    }
    for (uint32_t i = count > AHEAD ? count - AHEAD : 0; i < count; i++)
        put(&heap->index, hashes[i % AHEAD], numbers[i % AHEAD]);
}

void lc_store_index_anew(lc_store *store, lc_heap *heap)
{
    memset(heap->index.lines, 0, heap->index.line_count * sizeof *heap->index.lines);
    fill_index(store, heap);
}

static lc_status grow_index(lc_store *store, lc_heap *heap, uint64_t wanted, lc_message *message)
{
    lc_index *index = &heap->index;
    uint64_t lines = index->line_count == 0 ? FIRST_LINES : index->line_count;
    while ((uint64_t)((double)lines * LC_LINE_NUMBERS * fullest) < wanted)
        lines *= 2;
    void *made;
    const lc_status status = take(store, &made, lines * sizeof *index->lines, message);
    if (status != LC_OK)
        return status;
    give(store, index->lines, index->line_count * sizeof *index->lines);
    *index = (lc_index){made, lines, (uint64_t)((double)lines * LC_LINE_NUMBERS * fullest)};
    fill_index(store, heap);
    return LC_OK;
}

static uint64_t rest_of(const lc_heap *heap)
{
    const uint64_t all = (uint64_t)heap->chunk_count << heap->chunk_log2;
    const uint64_t rest = heap->chunk_count == 0 ? 0 : all - heap->next;
    return heap->freed_count + (heap->have_holes ? rest / 4 * LC_NODES_OF_LINE : rest);
}

static lc_status reserve(lc_store *store, lc_heap *heap, size_t count, lc_message *message)
{
    lc_status status = LC_OK;
    while (status == LC_OK && rest_of(heap) < count)
        status = heap->chunk_count << heap->chunk_log2 >= LC_SQUARE_LEAF - (UINT32_C(1) << 20)
                     ? lc_fail(message, LC_ERROR_LIMIT, "more than two thousand million squares")
                     : add_chunk(store, heap, message);
    if (status == LC_OK && heap->used + count > heap->index.most)
        status = grow_index(store, heap, heap->used + count, message);
    return status;
}

lc_status lc_store_reserve(lc_store *store, size_t nodes, size_t leaves, lc_message *message)
{
    const lc_status status = reserve(store, &store->nodes, nodes, message);
    return status != LC_OK ? status : reserve(store, &store->leaves, leaves, message);
}

// Look-ups ----------------------------------------------------------------------------------------

static inline uint32_t number_for(lc_heap *heap)
{
    heap->used++;
    const uint32_t number = heap->freed != 0 ? heap->freed : heap->next;
    if (heap->freed == 0) {
        heap->next = lc_heap_after(heap, number);
        return number;
    }
    memcpy(&heap->freed, lc_heap_record(heap, number), sizeof heap->freed);
    heap->freed_count--;
    heap->marks[number / 64] |= UINT64_C(1) << number % 64;
    return number;
}

// The highest bit of each byte that is zero; perhaps also of one above such a byte.
static inline uint64_t zero_bytes(uint64_t x)
{
    return (x - UINT64_C(0x0101010101010101)) & ~x & UINT64_C(0x8080808080808080);
}

// Which of a line's twelve places may well have that tag, a bit each; those behind the end too.
static inline uint32_t matches(const lc_index_line *line, uint8_t tag)
{
    uint64_t words[2];
    memcpy(words, line->tags, sizeof words); // and what comes behind them
    const uint64_t same = tag * UINT64_C(0x0101010101010101);
    const uint64_t gather = UINT64_C(0x0002040810204081); // bit 7 of byte i to bit 56 + i
    const uint64_t low = (zero_bytes(words[0] ^ same) >> 7) * (gather << 7) >> 56;
    const uint64_t high = (zero_bytes(words[1] ^ same) >> 7) * (gather << 7) >> 56;
    return (uint32_t)(low | (high & 15) << 8);
}

// What may well be it is fetched.
static inline void prefetch_matches(const lc_store *store, const lc_heap *heap, uint64_t hash)
{
    const lc_index_line *line = line_of(&heap->index, hash);
    for (uint32_t found = matches(line, tag_of(hash)); found != 0; found &= found - 1) {
        const uint32_t number = line->numbers[__builtin_ctz(found)];
        if (number == 0)
            break;
        if (heap == &store->nodes) {
            __builtin_prefetch(lc_store_node(store, number));
        } else {
            __builtin_prefetch(lc_store_leaf(store, number));
            __builtin_prefetch(lc_store_leaf(store, number) + LC_TILE_WORDS / 2);
        }
    }
}

static inline bool is_node(const lc_store *store, uint32_t number, const lc_square child[4])
{
    return memcmp(lc_store_node(store, number)->child, child, 4 * sizeof *child) == 0;
}

static inline lc_square find_node(lc_store *store, uint64_t hash, const lc_square child[4])
{
    lc_heap *heap = &store->nodes;
    for (lc_index_line *line = line_of(&heap->index, hash);;
         line = line_after(&heap->index, line)) {
        for (uint32_t found = matches(line, tag_of(hash)); found != 0; found &= found - 1) {
            const uint32_t number = line->numbers[__builtin_ctz(found)];
            if (number == 0)
                break;
            if (is_node(store, number, child))
                return number;
        }
        if (line->is_passed != 0)
            continue;
        const uint32_t number = number_for(heap);
        lc_node *node = lc_store_node(store, number);
        memcpy(node->child, child, sizeof node->child);
        node->result = LC_RESULT_NONE;
        put(&heap->index, hash, number);
        return number;
    }
}

static inline bool is_dead_node(const lc_square child[4])
{
    return (child[0] | child[1] | child[2] | child[3]) == 0;
}

void lc_store_find_nodes(lc_store *store, const lc_square (*children)[4], size_t count,
                         lc_square *found)
{
    uint64_t hashes[SOME];
    for (size_t i = 0; i < count + 2 * AHEAD; i++) {
        if (i < count) {
            hashes[i % SOME] = hash_of_node(children[i]);
            __builtin_prefetch(line_of(&store->nodes.index, hashes[i % SOME]), 1);
        }
        if (i >= AHEAD && i - AHEAD < count)
            prefetch_matches(store, &store->nodes, hashes[(i - AHEAD) % SOME]);
        if (i < 2 * AHEAD)
            continue;
        const size_t k = i - 2 * AHEAD;
        found[k] = is_dead_node(children[k]) ? 0 : find_node(store, hashes[k % SOME], children[k]);
    }
}

static inline bool is_dead_leaf(const uint32_t *cells)
{
    return memcmp(cells, dead, sizeof dead) == 0;
}

static inline lc_square find_leaf(lc_store *store, uint64_t hash, const uint32_t *cells)
{
    lc_heap *heap = &store->leaves;
    for (lc_index_line *line = line_of(&heap->index, hash);;
         line = line_after(&heap->index, line)) {
        for (uint32_t found = matches(line, tag_of(hash)); found != 0; found &= found - 1) {
            const uint32_t number = line->numbers[__builtin_ctz(found)];
            if (number == 0)
                break;
            if (memcmp(lc_store_leaf(store, number), cells, sizeof dead) == 0)
                return number | LC_SQUARE_LEAF;
        }
        if (line->is_passed != 0)
            continue;
        const uint32_t number = number_for(heap);
        memcpy(lc_store_leaf(store, number), cells, sizeof dead);
        put(&heap->index, hash, number);
        return number | LC_SQUARE_LEAF;
    }
}

void lc_store_find_leaves(lc_store *store, const uint32_t (*cells)[LC_TILE_WORDS], size_t count,
                          lc_square *found)
{
    uint64_t hashes[SOME];
    for (size_t i = 0; i < count + 2 * AHEAD; i++) {
        if (i < count) {
            hashes[i % SOME] = hash_of_leaf(cells[i]);
            __builtin_prefetch(line_of(&store->leaves.index, hashes[i % SOME]), 1);
        }
        if (i >= AHEAD && i - AHEAD < count)
            prefetch_matches(store, &store->leaves, hashes[(i - AHEAD) % SOME]);
        if (i < 2 * AHEAD)
            continue;
        const size_t k = i - 2 * AHEAD;
        found[k] = is_dead_leaf(cells[k]) ? 0 : find_leaf(store, hashes[k % SOME], cells[k]);
    }
}
