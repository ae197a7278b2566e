// Tables by number for walks over a store. Untouched memory costs nothing, so most walks allocate
// their own. A walk over most squares of a full store would exceed the memory. Its tables move into
// the memory of the indices, which such a walk does not need.
#include "base/memory.h"
#include "quadtree/arena.h"

enum {
    PAGE_WORDS = 4096 / sizeof(uint32_t),
    LINE_WORDS = sizeof(lc_index_line) / sizeof(uint32_t)
};

static uint64_t page_count(const lc_arena *arena)
{
    return arena->next / PAGE_WORDS + 1;
}

static bool has_room(const lc_arena *arena)
{
    return page_count(arena) * PAGE_WORDS <= arena->line_count * LINE_WORDS;
}

static void lend(lc_store_table *t)
{
    t->words = memset(t->arena->lines, 0, page_count(t->arena) * PAGE_WORDS * sizeof *t->words);
    t->is_lent = true;
}

// Returns false if out of memory.
static bool begin(lc_store_table *t, const lc_arena *arena, bool may_lend)
{
    const uint64_t pages = page_count(arena);
    *t = (lc_store_table){.arena = arena};
    t->touched = lc_calloc((size_t)(pages / 64 + 1), sizeof *t->touched);
    t->words = lc_calloc((size_t)pages, PAGE_WORDS * sizeof *t->words);
    if (t->words == NULL && may_lend && has_room(arena))
        lend(t);
    return t->words != NULL && t->touched != NULL;
}

bool lc_store_take_tables(const lc_store *store, lc_store_tables *t)
{
    const bool may_lend = store->lender == store;
    *t = (lc_store_tables){.store = store};
    t->most_pages = lc_store_scratch_bytes(store) / 2 / (PAGE_WORDS * sizeof(uint32_t));
    const bool is_begun = begin(&t->of_nodes, &store->nodes, may_lend);
    if (begin(&t->of_leaves, &store->leaves, may_lend) && is_begun)
        return true;
    lc_store_return_tables(t);
    return false;
}

static void move(lc_store_table *t)
{
    if (t->is_lent || !has_room(t->arena))
        return;
    uint32_t *own = t->words;
    lend(t);
    for (uint64_t page = 0; page < page_count(t->arena); page++)
        if ((t->touched[page / 64] >> page % 64 & 1) != 0)
            memcpy(t->words + page * PAGE_WORDS, own + page * PAGE_WORDS, PAGE_WORDS * sizeof *own);
    lc_free(own);
}

void lc_store_table_put(lc_store_tables *t, lc_square square, uint32_t word)
{
    lc_store_table *table = lc_square_is_leaf(square) ? &t->of_leaves : &t->of_nodes;
    const uint32_t number = square & ~LC_SQUARE_LEAF;
    uint64_t *touched = &table->touched[number / PAGE_WORDS / 64];
    const uint64_t bit = UINT64_C(1) << number / PAGE_WORDS % 64;
    t->pages += !table->is_lent && (*touched & bit) == 0;
    *touched |= bit;
    if (t->pages > t->most_pages && t->store->lender == t->store) {
        move(&t->of_nodes);
        move(&t->of_leaves);
        t->pages = 0;
    }
    table->words[number] = word;
}

static void give_back(const lc_store *store, lc_store_table *t)
{
    if (t->is_lent)
        lc_arena_index_again(store->lender, t->arena);
    else
        lc_free(t->words);
    lc_free(t->touched);
}

void lc_store_return_tables(lc_store_tables *t)
{
    give_back(t->store, &t->of_nodes);
    give_back(t->store, &t->of_leaves);
}
