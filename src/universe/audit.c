// Audits: now and then the scalar engine recomputes a patch of the held cells from the cells before
// a pass.
//
// A patch after n generations depends only on the cells at most n beyond its edges, its light cone.
// Before the pass the audit reads this window through the topology's map. The scalar engine steps
// the window as a torus, whose seam makes at most n cells at the window's edge wrong. The edge of a
// bounded plane is also an edge of the window, which is then a plane, so nothing is born beyond it.
//
//          +---------------------------+
//          |  n cells    window        |     half of all patches touch the left or the right edge
//          |     +-----------+         |     of the block, and half the upper or lower one
//          |     |   patch   |         |
//          |     +-----------+         |
//          |                           |
//          +---------------------------+
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/mix.h"
#include "grid/topology.h"
#include "universe/universe_internal.h"

enum {
    PATCH_CELLS = LC_AUDIT_PATCH_MAX,
    DEPTH = 32, // n at most
    ROW_CELLS = PATCH_CELLS + 2 * DEPTH,
    ROW_WORDS = ROW_CELLS / 64 * LC_PLANES_MAX,
};

typedef struct audit {
    const lc_universe *universe;
    int64_t x, y, width, height; // of the patch
    lc_area window;
    bool ends; // at the universe's edges: a plane's
    lc_engine *scalar;
} audit;

// Chooses the start of a patch along an edge of the block: at either end, or anywhere.
static int64_t begin_along(int64_t edge, int64_t patch, uint64_t random)
{
    if (random % 4 < 2)
        return random % 4 == 0 ? 0 : edge - patch;
    return (int64_t)(random / 4 % (uint64_t)(edge - patch + 1));
}

// Returns the area that patches are chosen from: the held cells, or the live cells of a plane.
static lc_area lively(const lc_universe *u)
{
    const lc_area held = lc_held_by(u);
    lc_facts facts = {.box = {.empty = true}};
    if (lc_extent(held.x0, held.x1) <= INT64_MAX && lc_extent(held.y0, held.y1) <= INT64_MAX)
        return held;
    if (u->cover->vtable->facts(u->cover, LC_FACT_BOX, &facts, NULL) != LC_OK || facts.box.empty)
        return (lc_area){0, 0, 1, 1};
    return lc_area_of_box(&facts.box);
}

static void choose_patch(audit *a, uint64_t random, int64_t depth)
{
    const lc_universe *u = a->universe;
    const lc_area held = lively(u);
    const int64_t width = held.x1 - held.x0, height = held.y1 - held.y0;
    a->width = width < PATCH_CELLS ? width : PATCH_CELLS;
    a->height = height < PATCH_CELLS ? height : PATCH_CELLS;
    a->x = held.x0 + begin_along(width, a->width, lc_mixed(random));
    a->y = held.y0 + begin_along(height, a->height, lc_mixed(random + 0x9e3779b97f4a7c15u));
    a->window =
        (lc_area){a->x - depth, a->y - depth, a->x + a->width + depth, a->y + a->height + depth};
    a->ends = u->topology.kind == LC_TOPOLOGY_PLANE && !(u->free_x && u->free_y);
    if (a->ends)
        a->window = lc_area_intersection(a->window, lc_world_of(u));
}

// A cached word of the held cells; reads of neighbouring cells mostly need the same word.
typedef struct reader {
    const lc_universe *universe;
    lc_area held;
    bool has_word;
    int64_t x, y;                  // of the word
    uint64_t words[LC_PLANES_MAX]; // one for each plane
    lc_status status;              // of all that was read
    lc_message *message;
} reader;

static reader read_from(const lc_universe *u, lc_message *message)
{
    return (reader){.universe = u, .held = lc_held_by(u), .message = message};
}

// Returns the stored state of a cell.
static uint8_t read_cell(reader *r, int64_t x, int64_t y)
{
    const lc_universe *u = r->universe;
    const int planes = lc_cover_planes(u->cover);
    unsigned state = 0;
    const int64_t begin = x & ~INT64_C(63);
    if (x < r->held.x0 || x >= r->held.x1 || y < r->held.y0 || y >= r->held.y1)
        return 0; // dead, as all cells outside the held area
    if ((!r->has_word || r->y != y || r->x != begin) && r->status == LC_OK) {
        const int64_t width = lc_extent_within(begin, r->held.x1, 64);
        const lc_cells cells = lc_span_cells(begin, y, width, planes, r->words);
        r->status = u->cover->vtable->read(u->cover, &cells, r->message);
        r->x = begin;
        r->y = y;
        r->has_word = true;
    }
    for (int plane = 0; plane < planes; plane++)
        state |= (unsigned)(r->words[plane] >> (x - begin) & 1) << plane;
    return (uint8_t)state;
}

// Returns row y of the window, in the scalar engine's coordinates.
static lc_cells window_row(const audit *a, int64_t y, uint64_t row[ROW_WORDS])
{
    return lc_span_cells(0, y - a->window.y0, a->window.x1 - a->window.x0,
                         lc_cover_planes(a->universe->cover), row);
}

static lc_status copy_window(const audit *a, lc_message *message)
{
    const lc_universe *u = a->universe;
    const int64_t width = a->window.x1 - a->window.x0;
    reader r = read_from(u, message);
    for (int64_t y = a->window.y0; y < a->window.y1 && r.status == LC_OK; y++) {
        uint64_t row[ROW_WORDS];
        uint8_t states[ROW_CELLS];
        for (int64_t i = 0; i < width; i++) {
            int64_t from_x = a->window.x0 + i, from_y = y;
            const bool shown = lc_topology_map(&u->topology, &from_x, &from_y);
            states[i] = shown ? read_cell(&r, from_x, from_y) : 0;
        }
        const lc_cells cells = window_row(a, y, row);
        lc_cells_pack(&cells, 0, states);
        (void)lc_engine_scalar.write(a->scalar, &cells, message); // never fails
    }
    return r.status;
}

static lc_status begin_audit(audit *a, lc_message *message)
{
    const lc_universe *u = a->universe;
    const lc_edge edge = a->ends ? LC_EDGE_WALL : LC_EDGE_JOINED;
    const lc_engine_config config = {
        .rule = u->stored_rule,
        .frame = {.width_cells = a->window.x1 - a->window.x0,
                  .height_cells = a->window.y1 - a->window.y0,
                  .left = edge,
                  .right = edge,
                  .top = edge,
                  .bottom = edge},
        .threads = lc_pool_threads(u->pool),
        .pool = u->pool,
    };
    lc_status status = lc_engine_scalar.create(&a->scalar, &config, message);
    if (status == LC_OK)
        status = copy_window(a, message);
    return status;
}

typedef struct state_words {
    char text[16];
} state_words;

// Names a stored state, which of two states is a difference from the background.
static state_words state_text(const lc_universe *u, uint8_t state)
{
    state_words words;
    if (lc_rule_traits(u->rule)->states > 2)
        (void)snprintf(words.text, sizeof words.text, "in state %d", state);
    else
        (void)snprintf(words.text, sizeof words.text, "%s",
                       (state != 0) != u->background ? "alive" : "dead");
    return words;
}

static lc_status compare(const audit *a, uint64_t generations, lc_message *message)
{
    const lc_universe *u = a->universe;
    reader r = read_from(u, message);
    for (int64_t y = a->y; y < a->y + a->height; y++) {
        uint64_t row[ROW_WORDS];
        uint8_t states[ROW_CELLS];
        const lc_cells cells = window_row(a, y, row);
        (void)lc_engine_scalar.read(a->scalar, &cells, message); // never fails
        lc_cells_unpack(&cells, 0, states);
        for (int64_t x = a->x; x < a->x + a->width; x++) {
            const uint8_t expected = states[x - a->window.x0];
            const uint8_t found = read_cell(&r, x, y);
            if (r.status != LC_OK)
                return r.status;
            if (found == expected)
                continue;
            char before[LC_COUNT_TEXT_BYTES], after[LC_COUNT_TEXT_BYTES];
            lc_count_format(u->generation, before);
            lc_count_format(lc_capped_sum(u->generation, lc_count_of(generations)), after);
            return lc_fail(message, LC_ERROR_MISMATCH,
                           "audit: the engine \"%s\" is wrong at generation %s: cell (%lld, "
                           "%lld) is %s, and from the cells of generation %s it must be %s",
                           lc_universe_info_of(u).engine, after, (long long)x, (long long)y,
                           state_text(u, found).text, before, state_text(u, expected).text);
        }
    }
    return LC_OK;
}

lc_status lc_audited_step(lc_universe *u, uint64_t wanted, uint64_t *passed, lc_message *message)
{
    audit a = {.universe = u};
    const lc_rule *rule = u->stored_rule;
    const uint64_t most = lc_rule_halo_generations(rule, DEPTH);
    const uint64_t generations = wanted < most ? wanted : most;
    choose_patch(&a, u->audits++, lc_rule_halo_cells(rule, generations));
    lc_status status = begin_audit(&a, message);
    if (status != LC_OK) {
        lc_engine_scalar.destroy(a.scalar);
        return status;
    }
    u->cover->is_on_trial = true; // wrong cells must not replace correct ones
    status = u->cover->vtable->advance(u->cover, generations, passed, message);
    u->cover->is_on_trial = false;
    for (uint64_t left = *passed, done; status == LC_OK && left > 0; left -= done)
        status = lc_engine_scalar.step(a.scalar, left, &done, message);
    if (status == LC_OK) {
        u->failed = compare(&a, *passed, &u->failure);
        status = lc_universe_failure(u, message);
    }
    lc_engine_scalar.destroy(a.scalar);
    return status;
}
