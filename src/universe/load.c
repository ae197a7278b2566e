// Loads patterns and soups, and places patterns.
//
// The cells of a pattern arrive row by row through a sink. Files are not trusted: the sink checks
// that each cell exists, and the block compares its new size with max_memory_bytes before it
// allocates memory. So a run of 10^18 cells costs one comparison.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cover/cover_fill.h"
#include "pattern/format.h"
#include "universe/universe_internal.h"

enum { ASK_PIECES = 256 }; // between two checks whether to give up

typedef struct loader {
    lc_universe *universe;
    int64_t x, y;       // where the pattern's (0, 0) goes
    uint64_t pieces;    // received so far
    lc_message message; // why the sink failed
} loader;

static lc_status refuse_cell(loader *l, int64_t x, int64_t y)
{
    const lc_topology *t = &l->universe->topology;
    char shape[LC_RULE_TEXT_BYTES];
    lc_topology_format(t, shape);
    bool unbounded = t->width_cells == 0 && t->height_cells == 0;
    return lc_fail(&l->message, unbounded ? LC_ERROR_LIMIT : LC_ERROR_FORMAT,
                   "the pattern has a live cell at (%lld, %lld); with its (0, 0) at (%lld, %lld) "
                   "that is outside the universe (%s)",
                   (long long)x, (long long)y, (long long)l->x, (long long)l->y, shape);
}

// Adds a run of live cells that lies within the universe, however long it is. Returns
// LC_ERROR_UNSUPPORTED if the cells must be written one by one.
static lc_status fill_run(loader *l, int64_t x, int64_t y, const lc_added *run)
{
    lc_universe *u = l->universe;
    const lc_cover_vtable *cover = u->cover->vtable;
    const bool is_drawn = run->row == NULL && run->state == 1 && run->length > LC_SPAN_CELLS &&
                          cover->fill_run != NULL && !u->background;
    return is_drawn ? cover->fill_run(u->cover, x, y, run->length, &l->message)
                    : LC_ERROR_UNSUPPORTED;
}

// The pattern's cells from (x, y) on, the first and the last of them alive.
static lc_status add(loader *l, int64_t x, int64_t y, const lc_added *added)
{
    lc_universe *u = l->universe;
    lc_area area;
    if (__builtin_add_overflow(x, l->x, &area.x0) || __builtin_add_overflow(y, l->y, &area.y0) ||
        __builtin_add_overflow(area.x0, added->length, &area.x1) ||
        __builtin_add_overflow(area.y0, 1, &area.y1) || !lc_has_area(u, area))
        return refuse_cell(l, x, y);
    // A few letters may be a long run.
    lc_status status = ++l->pieces % ASK_PIECES == 0 ? lc_check_give_up(&l->message) : LC_OK;
    if (status == LC_OK)
        status = u->cover->vtable->include(u->cover, area, &l->message);
    if (status != LC_OK)
        return status;
    status = fill_run(l, area.x0, area.y0, added);
    return status == LC_ERROR_UNSUPPORTED ? lc_merge_cells(u, area.x0, area.y0, added, &l->message)
                                          : status;
}

static lc_status add_run(void *context, int64_t x, int64_t y, int64_t length)
{
    return add(context, x, y, &(lc_added){.state = 1, .length = length});
}

// The cells of a row of the pattern, from column x on.
static lc_status add_row(loader *l, int64_t x, int64_t y, const lc_cells *row)
{
    // Dead cells at the ends must neither be refused nor make the block grow.
    int64_t begin, end;
    if (!lc_find_ends(row, 0, false, &begin, &end))
        return LC_OK;
    if (__builtin_add_overflow(x, begin, &x))
        return refuse_cell(l, x, y);
    return add(l, x, y, &(lc_added){.row = row, .from_bit = begin, .length = end - begin});
}

static lc_status add_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                          int64_t length)
{
    const lc_cells row = lc_row_cells(0, 0, length, (uint64_t *)(uintptr_t)words); // only read
    return add_row(context, x, y, &row);
}

// Refuses a state that the rule lacks, at the pattern's cell (x, y).
static lc_status refuse_state(loader *l, int64_t x, int64_t y, int state)
{
    return lc_fail(&l->message, LC_ERROR_FORMAT,
                   "the pattern has a cell of state %d at (%lld, %lld): the rule has states 0 to "
                   "%d",
                   state, (long long)x, (long long)y,
                   lc_rule_traits(l->universe->rule)->states - 1);
}

static lc_status add_cells(void *context, const lc_cells *row)
{
    int64_t wrong;
    loader *l = context;
    const int state =
        lc_cells_find_above(row, 0, lc_rule_traits(l->universe->rule)->states, &wrong);
    return state != 0 ? refuse_state(l, row->x + wrong, row->y, state)
                      : add_row(l, row->x, row->y, row);
}

static lc_status add_state_run(void *context, int64_t x, int64_t y, int64_t length, int state)
{
    loader *l = context;
    return state >= lc_rule_traits(l->universe->rule)->states
               ? refuse_state(l, x, y, state)
               : add(l, x, y, &(lc_added){.state = state, .length = length});
}

// Makes room for the size that the header states, so that the block need not grow row by row. The
// header may be wrong, or lie: then the cells decide.
static void expect(lc_universe *u, const lc_pattern_header *header, int64_t x, int64_t y)
{
    lc_area area = {.x0 = x, .y0 = y};
    if ((!u->free_x && !u->free_y) || header->width_cells < 1 || header->height_cells < 1 ||
        __builtin_add_overflow(x, header->width_cells, &area.x1) ||
        __builtin_add_overflow(y, header->height_cells, &area.y1) || !lc_has_area(u, area))
        return;
    uint64_t cells;
    if (!lc_mul_u64((uint64_t)header->width_cells, (uint64_t)header->height_cells, &cells) ||
        cells / 8 > u->cover->vtable->limit_bytes(u->cover) / 16)
        return;
    lc_message ignored;
    (void)u->cover->vtable->include(u->cover, area, &ignored);
}

// Whether the pattern can be taken over as it is: its squares become those of an empty universe.
static bool can_be_planted(lc_universe *u, const lc_pattern *pattern, int64_t x, int64_t y)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    lc_facts facts;
    return lc_pattern_is_tree(pattern) && x == 0 && y == 0 && !lc_background_alternates(u) &&
           lc_universe_is_squares(u) &&
           cover->facts(u->cover, LC_FACT_POPULATION, &facts, NULL) == LC_OK &&
           lc_count_compare(facts.population, lc_count_of(0)) == 0;
}

static lc_status set_root(lc_universe *u, lc_pattern *pattern, lc_message *message)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    lc_square root;
    int root_log2;
    lc_status status =
        lc_pattern_read_tree(pattern, cover->store(u->cover), &root, &root_log2, message);
    return status == LC_OK ? cover->set_root(u->cover, root, root_log2, message) : status;
}

lc_status lc_universe_load(lc_universe *u, lc_pattern *pattern, int64_t x, int64_t y,
                           lc_message *message)
{
    lc_facts facts = {.box = {.empty = false}};
    lc_status status = lc_check_changeable(u, message);
    if (status == LC_OK)
        status = lc_pattern_check_unread(pattern, message);
    if (status == LC_OK && lc_background_alternates(u)) // only then all cells are looked at
        status = lc_universe_facts(u, LC_FACT_BOX, &facts, message);
    if (status != LC_OK)
        return status;
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    const bool follows = facts.box.empty;
    if (follows) // while cells are added they differ from it, whichever it is
        u->background = false;
    expect(u, header, x, y);
    loader l = {.universe = u, .x = x, .y = y};
    const bool is_tree = header->format == LC_FORMAT_MACROCELL;
    const lc_sink sink = {.struct_bytes = sizeof sink,
                          .context = &l,
                          .run = add_run,
                          .bits = add_bits,
                          .max_memory_bytes = is_tree ? lc_universe_left_bytes(u) : 0,
                          .cells = add_cells,
                          .state_run = add_state_run};
    status = can_be_planted(u, pattern, x, y) ? set_root(u, pattern, message)
                                              : lc_pattern_read(pattern, &sink, message);
    if (l.message.text[0] != '\0' && message != NULL)
        *message = l.message;
    if (status == LC_OK)
        u->generation = header->generation; // which a timeline has at its end
    if (follows)
        u->background = u->generation.words[0] % 2 != 0;
    return status;
}

void lc_universe_place(const lc_universe *u, const lc_pattern_header *header, int64_t *x,
                       int64_t *y)
{
    lc_pattern_place(header, &u->topology, x, y);
}

// Rectangles -------------------------------------------------------------------------------------

// Whether the rectangle is one of the universe's; *area is then the same.
static lc_status check_area(const lc_universe *u, int64_t x, int64_t y, int64_t width_cells,
                            int64_t height_cells, lc_area *area, lc_message *message)
{
    *area = (lc_area){.x0 = x, .y0 = y};
    if (width_cells < 0 || height_cells < 0 || __builtin_add_overflow(x, width_cells, &area->x1) ||
        __builtin_add_overflow(y, height_cells, &area->y1))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "%lld x %lld cells at (%lld, %lld) are no rectangle of 64-bit coordinates",
                       (long long)width_cells, (long long)height_cells, (long long)x, (long long)y);
    return lc_check_within(u, *area, message);
}

lc_status lc_universe_reserve(lc_universe *u, int64_t x, int64_t y, int64_t width_cells,
                              int64_t height_cells, lc_message *message)
{
    lc_area area;
    lc_status status = lc_check_changeable(u, message);
    if (status == LC_OK)
        status = check_area(u, x, y, width_cells, height_cells, &area, message);
    if (status != LC_OK || width_cells == 0 || height_cells == 0)
        return status;
    return u->cover->vtable->include(u->cover, area, message);
}

// Estimates first the memory of random cells in engines that store live areas only.
static lc_status refuse_without_room(const lc_universe *u, double cells, double density,
                                     const char *what, lc_message *message)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    const uint64_t limit = cover->limit_bytes(u->cover);
    const double bytes =
        cover->soup_bytes != NULL ? cover->soup_bytes(u->cover, cells, density) : 0;
    if (bytes <= (double)limit)
        return LC_OK;
    return lc_fail_limit(message, bytes < 0x1p63 ? (uint64_t)bytes : INT64_MAX, limit,
                         "%s need about", what);
}

lc_status lc_universe_check_room(const lc_universe *u, double cells, double density,
                                 lc_message *message)
{
    char what[64];
    const lc_status status = lc_check_changeable(u, message);
    snprintf(what, sizeof what, "%.4g live cells", cells * density);
    return status == LC_OK ? refuse_without_room(u, cells, density, what, message) : status;
}

bool lc_universe_take_snapshot(lc_universe *u)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    return lc_check_changeable(u, NULL) == LC_OK && cover->snapshot != NULL &&
           cover->snapshot(u->cover);
}

bool lc_universe_end_snapshot(lc_universe *u, bool goes_back)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    return cover->end_snapshot != NULL && cover->end_snapshot(u->cover, goes_back);
}

// Soups --------------------------------------------------------------------------------------

lc_status lc_universe_soup(lc_universe *u, int64_t x, int64_t y, int64_t width_cells,
                           int64_t height_cells, double density, uint64_t seed, lc_message *message)
{
    lc_soup soup = {.seed = seed};
    char what[80];
    snprintf(what, sizeof what, "%" PRId64 " x %" PRId64 " random cells", width_cells,
             height_cells);
    lc_status status = lc_check_changeable(u, message);
    if (status == LC_OK)
        status = lc_soup_density(&soup.density_16, density, message);
    if (status == LC_OK)
        status = check_area(u, x, y, width_cells, height_cells, &soup.area, message);
    if (status != LC_OK)
        return status;
    if (width_cells == 0 || height_cells == 0)
        return LC_OK;
    soup.flipped = u->background; // stored cells differ from it
    status = u->cover->vtable->include(u->cover, soup.area, message);
    if (status == LC_OK)
        status = refuse_without_room(u, (double)width_cells * (double)height_cells,
                                     soup.density_16 / 65536.0, what, message);
    return status == LC_OK ? lc_cover_fill(u->cover, &soup, message) : status;
}
