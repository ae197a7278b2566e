// Arrays of nodes or leaves: their chunks and their index.
#include "quadtree/arena.h"

#include "base/error.h"
#include "base/memory.h"

enum {
    STOCKS = 64,                     // which may hold unused numbers
    PARTS = 64,                      // of an array, which threads index separately
    LEAST_SHARED = 1 << 14,          // least size at which several threads fill an index
    SMALL_LINES = 1 << 14,           // smaller indices may grow by more than they need
    SPARE = 1 + LC_AT_ONCE * STOCKS, // number 0, and unused numbers of stocks
    EXTENSION_PART = 8, // while it is shared, an arena grows by this part of its chunks
};

static const double fullest = 0.85; // load of the index; a fuller one needs more lines per look-up
static const double least_growth = 1.25;
static const uint64_t most_numbers =
    (UINT64_C(1) << 31) - 256; // leaves out LC_RESULT_NONE and the like

static uint64_t room_of(uint64_t lines)
{
    return (uint64_t)((double)lines * LC_LINE_NUMBERS * fullest);
}

static uint64_t lines_for(uint64_t numbers)
{
    return (uint64_t)((double)numbers / (LC_LINE_NUMBERS * fullest)) + 1;
}

static uint64_t most_chunks(const lc_arena *arena)
{
    return most_numbers >> arena->kind->chunk_log2;
}

// Returns the number of squares that fit in the chunks.
static uint64_t capacity(const lc_arena *arena)
{
    return (arena->chunk_count << arena->kind->chunk_log2) / LC_AT_ONCE *
           (unsigned)__builtin_popcountll(arena->kind->usable);
}

// The index ---------------------------------------------------------------------------------------

typedef struct filling {
    lc_store *store;
    const lc_arena *arena;
    bool is_shared;
} filling;

static void fill_part(void *context, size_t part)
{
    const filling *f = context;
    const uint64_t blocks = f->arena->next / LC_AT_ONCE;
    f->arena->kind->fill(f->store, blocks * part / PARTS * LC_AT_ONCE,
                         blocks * (part + 1) / PARTS * LC_AT_ONCE, f->is_shared);
}

static void fill(lc_store *store, const lc_arena *arena)
{
    filling f = {store, arena, store->run_parts != NULL && arena->used >= LEAST_SHARED};
    if (f.is_shared)
        store->run_parts(store->parts_context, PARTS, fill_part, &f);
    for (size_t part = 0; part < PARTS && !f.is_shared; part++)
        fill_part(&f, part);
}

// During the growth both indices exist.
static lc_status grow_index(lc_store *store, lc_arena *arena, uint64_t wanted, lc_message *message)
{
    const uint64_t before = arena->line_count, least = lines_for(wanted);
    const uint64_t more = before == 0            ? arena->kind->first_lines
                          : before < SMALL_LINES ? before * 4
                                                 : before * 2;
    const uint64_t left = store->limit_bytes - store->held_bytes;
    const uint64_t fits = left / 2 / sizeof *arena->lines; // the index and its squares
    uint64_t lines = more > least ? more : least;
    if (lines > fits && (double)fits >= least_growth * (double)before && fits >= least)
        lines = fits;
    void *made;
    const lc_status status = lc_store_take(store, &made, lines * sizeof *arena->lines, message);
    if (status != LC_OK)
        return status;
    lc_store_give(store, arena->lines, before * sizeof *arena->lines);
    arena->lines = made;
    arena->line_count = lines;
    fill(store, arena);
    return LC_OK;
}

// Memory ------------------------------------------------------------------------------------------

static lc_status add_chunk(lc_store *store, lc_arena *arena, lc_message *message)
{
    const uint64_t most = most_chunks(arena);
    if (arena->chunks == NULL)
        arena->chunks = lc_alloc_pages(most * sizeof *arena->chunks);
    if (arena->chunks == NULL)
        return lc_fail_memory(message, "more squares");
    if (arena->chunk_count == most)
        return lc_fail(message, LC_ERROR_LIMIT, "more than two thousand million squares");
    const double held = (double)store->held_bytes + LC_CHUNK_BYTES;
    if (arena->chunk_count > 0 && held > arena->kind->share * (double)store->limit_bytes)
        return lc_store_is_full(store, message);
    void *chunk;
    const lc_status status = lc_store_take(store, &chunk, LC_CHUNK_BYTES, message);
    if (status == LC_OK)
        arena->chunks[arena->chunk_count++] = chunk;
    return status;
}

// Sets the number of squares that may exist. Released after the chunks, so that a thread that reads
// it also sees them.
static void set_most(lc_arena *arena)
{
    const uint64_t there = capacity(arena) - SPARE, room = room_of(arena->line_count);
    __atomic_store_n(&arena->most, there < room ? there : room, __ATOMIC_RELEASE);
}

bool lc_arena_extend(lc_store *store, lc_arena *arena, uint64_t count)
{
    // A part of the existing chunks, because unused ones cost only address space.
    const uint64_t more = arena->chunk_count / EXTENSION_PART + 1;
    const uint64_t wanted = arena->used + count;
    if (wanted <= arena->most)
        return true;
    if (wanted > room_of(arena->line_count) || arena->chunk_count == 0 ||
        store->held_bytes + more * LC_CHUNK_BYTES > store->limit_bytes / 2)
        return false;
    for (uint64_t i = 0; i < more || wanted + SPARE > capacity(arena); i++)
        if (add_chunk(store, arena, NULL) != LC_OK)
            break;
    set_most(arena);
    return wanted <= arena->most;
}

lc_status lc_arena_reserve(lc_store *store, lc_arena *arena, uint64_t count, lc_message *message)
{
    const uint64_t wanted = arena->used + count;
    lc_status status = LC_OK;
    if (wanted <= arena->most)
        return LC_OK;
    if (wanted > most_numbers)
        return lc_fail(message, LC_ERROR_LIMIT, "more than two thousand million squares");
    if (wanted > room_of(arena->line_count))
        status = grow_index(store, arena, wanted, message);
    while (status == LC_OK && wanted + SPARE > capacity(arena))
        status = add_chunk(store, arena, message);
    if (store->held_bytes > store->limit_bytes / 2)
        store->notes_uses = true;
    if (arena->chunk_count == 0)
        return status;
    set_most(arena);
    return wanted <= arena->most ? LC_OK : status;
}

void lc_arena_free(lc_store *store, lc_arena *arena)
{
    for (uint64_t i = 0; i < arena->chunk_count; i++)
        lc_store_give(store, arena->chunks[i], LC_CHUNK_BYTES);
    if (arena->chunks != NULL)
        lc_free_pages(arena->chunks, most_chunks(arena) * sizeof *arena->chunks);
    lc_store_give(store, arena->lines, arena->line_count * sizeof *arena->lines);
    lc_free(arena->marks);
    *arena = (lc_arena){.kind = arena->kind};
}

void lc_arena_sweep(lc_store *store, lc_arena *arena)
{
    arena->used = 0;
    for (uint32_t first = 0; first < arena->next; first += LC_AT_ONCE) {
        const uint64_t marks = arena->marks[first / 64];
        arena->used += (unsigned)__builtin_popcountll(marks);
        for (uint64_t free = ~marks & arena->kind->usable; free != 0; free &= free - 1)
            arena->kind->clear(store, first + (uint32_t)__builtin_ctzll(free));
    }
    arena->given_end = 0;
    lc_arena_index_again(store, arena);
}

void lc_arena_index_again(lc_store *store, const lc_arena *arena)
{
    memset(arena->lines, 0, arena->line_count * sizeof *arena->lines);
    fill(store, arena);
}
