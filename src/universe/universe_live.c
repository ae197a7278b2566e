// Copies the live cells of a universe into a list, and back.
#include "universe/universe_live.h"

#include "base/error.h"
#include "quadtree/tree.h"
#include "rule/rule_value.h"
#include "universe/universe_internal.h"

enum { PIECE_WORDS = 64 };

static lc_status fail_many(uint64_t most, lc_message *message)
{
    return lc_fail(message, LC_ERROR_LIMIT, "there are more than %llu live cells",
                   (unsigned long long)most);
}

// Appends the cells of a piece of a row.
static lc_status add_piece(const lc_universe *u, const lc_cells *piece, uint64_t most,
                           lc_live *live, lc_message *message)
{
    uint64_t words[PIECE_WORDS];
    const int64_t end = piece->x + piece->width_cells;
    for (int64_t x = piece->x; x < end; x += PIECE_WORDS * 64) {
        const int64_t width = lc_extent_within(x, end, PIECE_WORDS * 64);
        const lc_cells cells = lc_row_cells(x, piece->y, width, words);
        const lc_status status = u->cover->vtable->read(u->cover, &cells, message);
        if (status != LC_OK)
            return status;
        if (!lc_live_add_bits(live, x, piece->y, words, width))
            return lc_fail_memory(message, "a list of live cells");
        if (live->count > most)
            return fail_many(most, message);
    }
    return LC_OK;
}

lc_status lc_universe_need_two_states(const lc_universe *universe, const char *what,
                                      lc_message *message)
{
    return lc_rule_need_two_states(universe->rule, what, message);
}

lc_status lc_universe_live(const lc_universe *universe, uint64_t most, lc_live *live,
                           lc_message *message)
{
    lc_facts facts;
    live->count = 0;
    lc_status status = lc_universe_need_two_states(universe, "a list of live cells", message);
    if (status == LC_OK)
        status = lc_universe_facts(universe, LC_FACT_BOX | LC_FACT_POPULATION, &facts, message);
    if (status != LC_OK || facts.box.empty)
        return status == LC_OK && facts.is_far ? lc_tree_refuse_far(message) : status;
    if (facts.is_far)
        return lc_tree_refuse_far(message);
    if (lc_count_compare(facts.population, lc_count_of(most)) > 0)
        return fail_many(most, message);
    const lc_area within = lc_area_of_box(&facts.box);
    lc_cells piece = {.x = within.x0, .y = within.y0, .height_cells = 1};
    for (;;) {
        status = universe->cover->vtable->seek(universe->cover, &within, &piece, message);
        if (status != LC_OK || piece.width_cells == 0)
            return status;
        status = add_piece(universe, &piece, most, live, message);
        if (status != LC_OK)
            return status;
        piece.x += piece.width_cells;
    }
}

// Writes cell *i of a sorted list, and those that follow within 64 columns. Advances *i.
static lc_status write_word(lc_universe *universe, const lc_live *live, size_t *i,
                            lc_message *message)
{
    const lc_live_cell first = live->at[*i];
    uint64_t word = 0;
    int64_t width = 0;
    for (; *i < live->count && live->at[*i].y == first.y && live->at[*i].x - first.x < 64; ++*i) {
        word |= UINT64_C(1) << (live->at[*i].x - first.x);
        width = live->at[*i].x - first.x + 1;
    }
    const lc_cells cells = lc_row_cells(first.x, first.y, width, &word);
    return lc_universe_write(universe, &cells, message);
}

lc_status lc_universe_write_live(lc_universe *universe, const lc_live *live, lc_message *message)
{
    lc_status status = LC_OK;
    for (size_t i = 0; i < live->count && status == LC_OK;)
        status = write_word(universe, live, &i, message);
    return status;
}
