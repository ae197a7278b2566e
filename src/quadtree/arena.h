// An array of nodes or leaves: chunks whose elements never move, the allocation of numbers, and an
// index by content. Internal to the store.
//
// The index is a hash table of cache lines. A line holds twelve numbers and a byte of the hash of
// each. A look-up waits for the line, and then for the squares in it with the same byte.
#ifndef LC_QUADTREE_ARENA_H
#define LC_QUADTREE_ARENA_H

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "quadtree/store.h"

enum {
    LC_AT_ONCE = 64,        // numbers that a stock receives at once
    LC_INDEX_IS_PASSED = 1, // flag of a line: it was full, and the next line may hold more
    LC_INDEX_IS_LOCKED = 2, // flag of a line: a thread is writing
};

// The differences between nodes and leaves.
struct lc_arena_kind {
    unsigned chunk_log2;  // numbers per chunk of LC_CHUNK_BYTES
    uint64_t usable;      // mask of the valid numbers among 64
    uint64_t first_lines; // of the index
    double share;         // of the limit; the other arena has the rest to itself
    // Adds the numbers from `begin` to `end`, excluded, to the index.
    void (*fill)(lc_store *store, uint64_t begin, uint64_t end, bool is_shared);
    void (*clear)(lc_store *store, uint32_t number);
};

extern const lc_arena_kind lc_arena_of_nodes, lc_arena_of_leaves;

// Makes room for at least `count` more squares. LC_ERROR_LIMIT, LC_ERROR_MEMORY.
lc_status lc_arena_reserve(lc_store *store, lc_arena *arena, uint64_t count, lc_message *message);
// Makes room while other threads work. Adds only chunks. Returns false if the index is too small or
// memory is short.
bool lc_arena_extend(lc_store *store, lc_arena *arena, uint64_t count);
void lc_arena_free(lc_store *store, lc_arena *arena);
// Rebuilds the index from all squares.
void lc_arena_index_again(lc_store *store, const lc_arena *arena);
// Frees all unmarked squares. Then `marks` shows the numbers in use.
void lc_arena_sweep(lc_store *store, lc_arena *arena);

static inline lc_index_line *lc_index_home(const lc_arena *arena, uint64_t hash)
{
    return arena->lines + ((hash >> 32) * arena->line_count >> 32);
}

static inline lc_index_line *lc_index_after(const lc_arena *arena, lc_index_line *line)
{
    return line + 1 < arena->lines + arena->line_count ? line + 1 : arena->lines;
}

static inline uint32_t lc_index_number(const lc_index_line *line, int place)
{
    return __atomic_load_n(&line->numbers[place], __ATOMIC_ACQUIRE);
}

// Returns a mask of the places in a line that may have the hash's byte. It may include places after
// the end and places that another thread is writing.
static LC_RACY uint32_t lc_index_places(const lc_index_line *line, uint64_t hash)
{
#if defined(__SSE2__)
    const __m128i tags = _mm_load_si128((const __m128i *)(const void *)line->tags);
    const __m128i same = _mm_cmpeq_epi8(tags, _mm_set1_epi8((char)hash));
    return (uint32_t)_mm_movemask_epi8(same) & ((1u << LC_LINE_NUMBERS) - 1);
#else
    uint64_t words[2], found[2];
    memcpy(words, line->tags, sizeof words); // and the bytes after them
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = UINT64_C(0x8080808080808080);
    const uint64_t gather = UINT64_C(0x0002040810204081); // bit 7 of byte i to bit 56 + i
    for (int i = 0; i < 2; i++) { // the high bit of each zero byte, and perhaps of others
        const uint64_t x = words[i] ^ (uint8_t)hash * ones;
        found[i] = (((x - ones) & ~x & highs) >> 7) * (gather << 7) >> 56;
    }
    return (uint32_t)(found[0] | (found[1] & 15) << 8);
#endif
}

static inline uint32_t lc_index_lock(lc_index_line *line)
{
    uint32_t state;
    do
        state = __atomic_fetch_or(&line->state, LC_INDEX_IS_LOCKED, __ATOMIC_ACQUIRE);
    while ((state & LC_INDEX_IS_LOCKED) != 0);
    return state;
}

static inline int lc_index_free_place(const lc_index_line *line)
{
    int place = 0;
    while (place < LC_LINE_NUMBERS && line->numbers[place] != 0)
        place++;
    return place;
}

// Publishes a number: a thread that reads it also sees the square's content.
static inline void lc_index_set(lc_index_line *line, int place, uint64_t hash, uint32_t number)
{
    line->tags[place] = (uint8_t)hash;
    __atomic_store_n(&line->numbers[place], number, __ATOMIC_RELEASE);
}

// Adds a number that the index lacks. If `is_shared`, other threads may add numbers too.
static inline void lc_index_put(const lc_arena *arena, uint64_t hash, uint32_t number,
                                bool is_shared)
{
    for (lc_index_line *line = lc_index_home(arena, hash);; line = lc_index_after(arena, line)) {
        const uint32_t state = is_shared ? lc_index_lock(line) : line->state;
        const int place = lc_index_free_place(line);
        const bool has_room = place < LC_LINE_NUMBERS;
        if (has_room)
            lc_index_set(line, place, hash, number);
        __atomic_store_n(&line->state, has_room ? state : state | LC_INDEX_IS_PASSED,
                         __ATOMIC_RELEASE);
        if (has_room)
            return;
    }
}

// Finds the hash of a number's square. Returns false if the number is unused.
typedef bool (*lc_hash_of)(const lc_store *store, uint32_t number, uint64_t *hash);

// Adds the numbers from `begin` to `end`, excluded, to the index.
static inline void lc_index_fill(const lc_store *store, const lc_arena *arena, uint64_t begin,
                                 uint64_t end, bool is_shared, lc_hash_of hash_of)
{
    enum { AHEAD = 16 }; // prefetched lines
    uint64_t hashes[AHEAD];
    uint32_t numbers[AHEAD];
    size_t count = 0;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t hash;
        if (!hash_of(store, (uint32_t)i, &hash))
            continue;
        const size_t at = count++ % AHEAD;
        if (count > AHEAD)
            lc_index_put(arena, hashes[at], numbers[at], is_shared);
        numbers[at] = (uint32_t)i;
        hashes[at] = hash;
        __builtin_prefetch(lc_index_home(arena, hash), 1);
    }
    for (size_t i = count > AHEAD ? count - AHEAD : 0; i < count; i++)
        lc_index_put(arena, hashes[i % AHEAD], numbers[i % AHEAD], is_shared);
}

// Returns an unused number. The caller's stock must have room, so there is one.
static inline uint32_t lc_arena_number(lc_arena *arena, lc_numbers *own)
{
    const uint64_t usable = arena->kind->usable;
    while (own->bits == 0) {
        uint32_t first = UINT32_MAX;
        if (__atomic_load_n(&arena->given_end, __ATOMIC_RELAXED) < arena->marked_end)
            first = __atomic_fetch_add(&arena->given_end, LC_AT_ONCE, __ATOMIC_RELAXED);
        if (first < arena->marked_end) {
            own->bits = ~arena->marks[first / 64] & usable;
        } else {
            first = __atomic_fetch_add(&arena->next, LC_AT_ONCE, __ATOMIC_RELAXED);
            own->bits = usable;
        }
        own->first = first;
        if (first == 0) // number 0 is the dead square
            own->bits &= ~UINT64_C(1);
    }
    const uint32_t number = own->first + (uint32_t)__builtin_ctzll(own->bits);
    own->bits &= own->bits - 1;
    return number;
}

// Whether a number's square has this content, and the function that writes the content.
typedef bool (*lc_is_same)(const lc_store *store, uint32_t number, const void *content);
typedef void (*lc_write)(lc_store *store, uint32_t number, const void *content);

// Returns the number of the square with this content in a line; 0: not found.
static inline uint32_t lc_index_in_line(const lc_store *store, const lc_index_line *line,
                                        uint64_t hash, const void *content, lc_is_same is_same)
{
    for (uint32_t found = lc_index_places(line, hash); found != 0; found &= found - 1) {
        const uint32_t number = lc_index_number(line, __builtin_ctz(found));
        if (number == 0)
            break;
        if (is_same(store, number, content))
            return number;
    }
    return 0;
}

// Returns the number of the square with this content. Creates the square if it does not exist and
// sets *made.
static inline uint32_t lc_arena_find(lc_store *store, lc_arena *arena, lc_numbers *own,
                                     uint64_t hash, const void *content, lc_is_same is_same,
                                     lc_write write, bool *made)
{
    *made = false;
    for (lc_index_line *line = lc_index_home(arena, hash);; line = lc_index_after(arena, line)) {
        uint32_t number = lc_index_in_line(store, line, hash, content, is_same);
        if (number != 0)
            return number;
        if ((__atomic_load_n(&line->state, __ATOMIC_ACQUIRE) & LC_INDEX_IS_PASSED) != 0)
            continue;
        const uint32_t state = store->is_shared ? lc_index_lock(line) : line->state;
        if (store->is_shared) // another thread may have created it meanwhile
            number = lc_index_in_line(store, line, hash, content, is_same);
        const int place = lc_index_free_place(line);
        if (number == 0 && place < LC_LINE_NUMBERS) {
            number = lc_arena_number(arena, own);
            write(store, number, content);
            lc_index_set(line, place, hash, number);
            *made = true;
        }
        __atomic_store_n(&line->state, number == 0 ? state | LC_INDEX_IS_PASSED : state,
                         __ATOMIC_RELEASE);
        if (number != 0)
            return number;
    }
}

#endif
