// The leaves: their memory, and the index of them.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "quadtree/store.h"

enum {
    AHEAD = 16,   // look-ups in flight, at each of the two places where memory is waited for
    SOME = 64,    // look-ups whose hashes are kept; a power of two
    AT_ONCE = 64, // numbers that a stock is given
    STOCKS = 64,  // that may have numbers which they do not use
    CHUNKS = 1 << (31 - LC_LEAF_CHUNK_LOG2), // at most
    CHUNK_BYTES = LC_LEAF_BYTES << LC_LEAF_CHUNK_LOG2,
    IS_PASSED = 1, // flags of lines
    IS_LOCKED = 2,
};

static const double fullest = 0.85; // of the index

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

static inline lc_index_line *line_of(const lc_leaves *leaves, uint64_t hash)
{
    return leaves->lines + ((hash >> 32) * leaves->line_count >> 32);
}

static inline lc_index_line *line_after(const lc_leaves *leaves, lc_index_line *line)
{
    return line + 1 < leaves->lines + leaves->line_count ? line + 1 : leaves->lines;
}

static inline uint8_t tag_of(uint64_t hash)
{
    return (uint8_t)hash;
}

static inline uint32_t number_at(const lc_index_line *line, int place)
{
    return __atomic_load_n(&line->numbers[place], __ATOMIC_ACQUIRE);
}

// Memory ------------------------------------------------------------------------------------------

static void put(const lc_leaves *leaves, uint64_t hash, uint32_t number)
{
    for (lc_index_line *line = line_of(leaves, hash);; line = line_after(leaves, line)) {
        for (int i = 0; i < LC_LINE_NUMBERS; i++) {
            if (line->numbers[i] != 0)
                continue;
            line->numbers[i] = number;
            line->tags[i] = tag_of(hash);
            return;
        }
        line->state = IS_PASSED;
    }
}

// All leaves in use, after there are other lines or a collection. Those that are not are dead.
static void fill_index(lc_store *store)
{
    lc_leaves *leaves = &store->leaves;
    uint64_t hashes[AHEAD];
    uint32_t numbers[AHEAD], count = 0;
    for (uint32_t i = 1; i < leaves->next; i++) {
        const uint32_t *cells = lc_store_leaf(store, i);
        if (is_dead(cells))
            continue;
        const uint32_t at = count++ % AHEAD;
        if (count > AHEAD)
            put(leaves, hashes[at], numbers[at]);
        numbers[at] = i;
        hashes[at] = hash_of(cells);
        __builtin_prefetch(line_of(leaves, hashes[at]), 1);
    }
    for (uint32_t i = count > AHEAD ? count - AHEAD : 0; i < count; i++)
        put(leaves, hashes[i % AHEAD], numbers[i % AHEAD]);
}

static lc_status grow_index(lc_store *store, uint64_t wanted, lc_message *message)
{
    lc_leaves *leaves = &store->leaves;
    uint64_t lines = leaves->line_count == 0 ? LC_FIRST_LEAF_LINES : leaves->line_count;
    while ((uint64_t)((double)lines * LC_LINE_NUMBERS * fullest) < wanted)
        lines *= 2;
    void *made;
    const lc_status status = lc_store_take(store, &made, lines * sizeof *leaves->lines, message);
    if (status != LC_OK)
        return status;
    lc_store_give(store, leaves->lines, leaves->line_count * sizeof *leaves->lines);
    leaves->lines = made;
    leaves->line_count = lines;
    fill_index(store);
    return LC_OK;
}

static lc_status add_chunk(lc_store *store, lc_message *message)
{
    lc_leaves *leaves = &store->leaves;
    if (leaves->chunks == NULL)
        leaves->chunks = lc_alloc_pages(CHUNKS * sizeof *leaves->chunks);
    if (leaves->chunks == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for more squares");
    if (leaves->chunk_count + 1 == CHUNKS) // numbers like LC_RESULT_NONE are no leaf's
        return lc_fail(message, LC_ERROR_LIMIT, "more than two thousand million squares");
    void *chunk;
    const lc_status status = lc_store_take(store, &chunk, CHUNK_BYTES, message);
    if (status == LC_OK)
        leaves->chunks[leaves->chunk_count++] = chunk;
    return status;
}

lc_status lc_leaves_reserve(lc_store *store, uint64_t count, lc_message *message)
{
    enum { SPARE = 1 + AT_ONCE * STOCKS }; // number 0, and those that somebody does not use
    lc_leaves *leaves = &store->leaves;
    lc_status status = LC_OK;
    if (leaves->used + count <= leaves->most)
        return LC_OK;
    while (status == LC_OK && leaves->used + count + SPARE > leaves->chunk_count
                                                                 << LC_LEAF_CHUNK_LOG2)
        status = add_chunk(store, message);
    double indexed = (double)leaves->line_count * LC_LINE_NUMBERS * fullest;
    if (status == LC_OK && (double)(leaves->used + count) > indexed) {
        status = grow_index(store, leaves->used + count, message);
        indexed = (double)leaves->line_count * LC_LINE_NUMBERS * fullest;
    }
    if (status != LC_OK)
        return status;
    leaves->most = (leaves->chunk_count << LC_LEAF_CHUNK_LOG2) - SPARE;
    if ((double)leaves->most > indexed)
        leaves->most = (uint64_t)indexed;
    return LC_OK;
}

void lc_leaves_free(lc_store *store)
{
    lc_leaves *leaves = &store->leaves;
    for (uint64_t i = 0; i < leaves->chunk_count; i++)
        lc_store_give(store, leaves->chunks[i], CHUNK_BYTES);
    if (leaves->chunks != NULL)
        lc_free_pages(leaves->chunks, CHUNKS * sizeof *leaves->chunks);
    lc_store_give(store, leaves->lines, leaves->line_count * sizeof *leaves->lines);
    lc_free(leaves->marks);
    *leaves = (lc_leaves){0};
}

void lc_leaves_sweep(lc_store *store)
{
    lc_leaves *leaves = &store->leaves;
    leaves->used = 0;
    for (uint32_t i = 1; i < leaves->next; i++)
        if ((leaves->marks[i / 64] >> i % 64 & 1) != 0)
            leaves->used++;
        else
            memset(lc_store_leaf(store, i), 0, LC_LEAF_BYTES);
    leaves->given_end = 0;
    memset(leaves->lines, 0, leaves->line_count * sizeof *leaves->lines);
    fill_index(store);
}

// A number for a leaf. There is one: the stock has room.
static uint32_t new_number(lc_store *store, lc_stock *stock)
{
    lc_leaves *leaves = &store->leaves;
    while (stock->leaf_bits == 0) {
        uint32_t first = UINT32_MAX;
        if (__atomic_load_n(&leaves->given_end, __ATOMIC_RELAXED) < leaves->marked_end)
            first = __atomic_fetch_add(&leaves->given_end, AT_ONCE, __ATOMIC_RELAXED);
        if (first < leaves->marked_end) {
            stock->leaf_bits = ~leaves->marks[first / 64];
        } else {
            first = __atomic_fetch_add(&leaves->next, AT_ONCE, __ATOMIC_RELAXED);
            stock->leaf_bits = UINT64_MAX;
        }
        stock->first_leaf = first;
        if (first == 0)
            stock->leaf_bits &= ~UINT64_C(1);
    }
    const uint32_t number = stock->first_leaf + (uint32_t)__builtin_ctzll(stock->leaf_bits);
    stock->leaf_bits &= stock->leaf_bits - 1;
    stock->leaves--;
    stock->made_leaves++;
    return number;
}

// Look-ups ----------------------------------------------------------------------------------------

// The highest bit of each byte that is zero; perhaps also of one above such a byte.
static inline uint64_t zero_bytes(uint64_t x)
{
    return (x - UINT64_C(0x0101010101010101)) & ~x & UINT64_C(0x8080808080808080);
}

// Which of a line's twelve places may well have that tag, a bit each; those behind the end too, and
// those that somebody is just writing.
static LC_RACY uint32_t places_with_tag(const lc_index_line *line, uint8_t tag)
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
static inline void prefetch_matches(const lc_store *store, uint64_t hash)
{
    const lc_index_line *line = line_of(&store->leaves, hash);
    for (uint32_t found = places_with_tag(line, tag_of(hash)); found != 0; found &= found - 1) {
        const uint32_t number = number_at(line, __builtin_ctz(found));
        if (number == 0)
            break;
        __builtin_prefetch(lc_store_leaf(store, number));
        __builtin_prefetch(lc_store_leaf(store, number) + LC_TILE_WORDS / 2);
    }
}

// The number of the leaf that has these cells; 0: the line has none.
static inline uint32_t in_line(const lc_store *store, const lc_index_line *line, uint64_t hash,
                               const uint32_t *cells)
{
    for (uint32_t found = places_with_tag(line, tag_of(hash)); found != 0; found &= found - 1) {
        const uint32_t number = number_at(line, __builtin_ctz(found));
        if (number == 0)
            break;
        if (memcmp(lc_store_leaf(store, number), cells, LC_LEAF_BYTES) == 0)
            return number;
    }
    return 0;
}

static uint32_t lock(lc_index_line *line)
{
    uint32_t state;
    do
        state = __atomic_fetch_or(&line->state, IS_LOCKED, __ATOMIC_ACQUIRE);
    while ((state & IS_LOCKED) != 0);
    return state;
}

static inline lc_square find_leaf(lc_store *store, lc_stock *stock, uint64_t hash,
                                  const uint32_t *cells)
{
    const lc_leaves *leaves = &store->leaves;
    lc_index_line *line = line_of(leaves, hash);
    for (;; line = line_after(leaves, line)) {
        uint32_t number = in_line(store, line, hash, cells);
        if (number != 0)
            return number | LC_SQUARE_LEAF;
        if ((__atomic_load_n(&line->state, __ATOMIC_ACQUIRE) & IS_PASSED) != 0)
            continue;
        const uint32_t state = store->is_shared ? lock(line) : line->state;
        if (store->is_shared) // somebody else may have been faster
            number = in_line(store, line, hash, cells);
        int place = 0;
        while (place < LC_LINE_NUMBERS && line->numbers[place] != 0)
            place++;
        if (number == 0 && place < LC_LINE_NUMBERS) {
            number = new_number(store, stock);
            memcpy(lc_store_leaf(store, number), cells, LC_LEAF_BYTES);
            line->tags[place] = tag_of(hash);
            __atomic_store_n(&line->numbers[place], number, __ATOMIC_RELEASE);
        }
        __atomic_store_n(&line->state, number == 0 ? state | IS_PASSED : state, __ATOMIC_RELEASE);
        if (number != 0)
            return number | LC_SQUARE_LEAF;
    }
}

void lc_store_find_leaves(lc_store *store, lc_stock *stock, const uint32_t (*cells)[LC_TILE_WORDS],
                          size_t count, lc_square *found)
{
    uint64_t hashes[SOME];
    for (size_t i = 0; i < count + 2 * AHEAD; i++) {
        if (i < count) {
            hashes[i % SOME] = hash_of(cells[i]);
            __builtin_prefetch(line_of(&store->leaves, hashes[i % SOME]), 1);
        }
        if (i >= AHEAD && i - AHEAD < count)
            prefetch_matches(store, hashes[(i - AHEAD) % SOME]);
        if (i < 2 * AHEAD)
            continue;
        const size_t k = i - 2 * AHEAD;
        found[k] = is_dead(cells[k]) ? 0 : find_leaf(store, stock, hashes[k % SOME], cells[k]);
    }
}
