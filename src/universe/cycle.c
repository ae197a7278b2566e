// Period detection: small boards repeat themselves, and whole periods are skipped.
//
// A bounded universe has finitely many states. Once a state returns, the universe is periodic. Each
// pass is compared with an earlier copy of the cells. The copy is replaced whenever the number of
// passes has doubled (Brent's algorithm). Sooner or later it is a state of the cycle. The first
// copy is taken after FIRST_PASSES passes, so short runs never pay for one.
//
// The same holds for an unbounded universe while its block stays in place: live cells that leave
// move the block.
#include <string.h>

#include "base/memory.h"
#include "universe/universe_internal.h"

enum { FIRST_PASSES = 64 };

// A larger board would have to settle as a whole, and its copy takes more memory.
static const uint64_t largest_cells = UINT64_C(1) << 22;

// Returns the words of a row of the held cells, all planes.
static size_t row_words(const lc_universe *u, lc_area held)
{
    return lc_area_row_words(held, lc_cover_planes(u->cover));
}

// Returns whether the universe has few cells, in memory of this machine.
static bool is_small(const lc_universe *u)
{
    const lc_area held = lc_held_by(u);
    const uint64_t width = lc_extent(held.x0, held.x1), height = lc_extent(held.y0, held.y1);
    return !u->cover->vtable->reads_are_slow(u->cover) && width <= largest_cells &&
           height <= largest_cells && row_words(u, held) * 64 <= largest_cells / height;
}

// If the cells cannot be read, the engine has failed, and the next step returns the error.
static bool read_row(const lc_universe *u, int64_t y, uint64_t *words)
{
    const lc_area held = lc_held_by(u);
    const lc_cells row =
        lc_span_cells(held.x0, y, held.x1 - held.x0, lc_cover_planes(u->cover), words);
    return u->cover->vtable->read(u->cover, &row, NULL) == LC_OK;
}

// Returns whether the cells equal the copy.
static bool repeats(const lc_universe *u)
{
    const lc_cycle *c = &u->cycle;
    const lc_area held = lc_held_by(u);
    const size_t words = row_words(u, held);
    if (c->background != u->background)
        return false;
    for (int64_t y = held.y0; y < held.y1; y++)
        if (!read_row(u, y, c->row) ||
            memcmp(c->row, c->cells + (size_t)(y - held.y0) * words, words * sizeof *c->row) != 0)
            return false;
    return true;
}

static void take_copy(lc_universe *u)
{
    lc_cycle *c = &u->cycle;
    const lc_area held = lc_held_by(u);
    const size_t words = row_words(u, held), rows = (size_t)(held.y1 - held.y0);
    if (c->row == NULL)
        c->row = lc_malloc((rows + 1) * words * sizeof *c->row); // is_small: it does not overflow
    if (c->row == NULL)
        return; // then it is all stepped
    c->cells = NULL;
    uint64_t *cells = c->row + words;
    for (size_t y = 0; y < rows; y++)
        if (!read_row(u, held.y0 + (int64_t)y, cells + y * words))
            return;
    c->cells = cells;
    c->background = u->background;
    c->since = 0;
}

void lc_cycle_forget(lc_universe *u)
{
    lc_free(u->cycle.row);
    u->cycle = (lc_cycle){
        .changes = u->cover != NULL ? u->cover->changes : 0,
        .skipped = u->cycle.skipped,
    };
}

// Forgets the copy if the cells have changed other than by stepping, or have another block.
static void forget_if_changed(lc_universe *u)
{
    if (u->cycle.changes != u->cover->changes)
        lc_cycle_forget(u);
}

void lc_cycle_passed(lc_universe *u, uint64_t generations)
{
    lc_cycle *c = &u->cycle;
    const lc_cover_vtable *cover = u->cover->vtable;
    forget_if_changed(u);
    if (u->every_generation || c->period != 0)
        return;
    if (cover->period != NULL)
        c->period = cover->period(u->cover);
    if (c->period != 0)
        return;
    c->passes++;
    if (generations > UINT64_MAX - c->since) // too long ago
        c->cells = NULL;
    c->since += generations;
    if (c->passes < FIRST_PASSES || !is_small(u))
        return;
    if (c->cells != NULL && repeats(u))
        c->period = c->since;
    else if ((c->passes & (c->passes - 1)) == 0)
        take_copy(u);
}

lc_count lc_cycle_skip(lc_universe *u, lc_count generations)
{
    lc_cycle *c = &u->cycle;
    forget_if_changed(u);
    if (c->period == 0)
        return lc_count_of(0);
    const uint64_t rest = lc_count_remainder(generations, c->period);
    const lc_count skipped = lc_count_distance(generations, lc_count_of(rest));
    c->skipped = lc_capped_sum(c->skipped, skipped);
    return skipped;
}
