// Edits of the viewer against a plain array of bytes, and against themselves: undone all the way it
// is the first universe again, redone all the way the last one.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/edit_steps.h"
#include "lightcone/edits.h"
#include "support.h"
#include "support_edits.h"
#include "support_facts.h"
#include "support_universe.h"

// The part of the world that the model knows; the others only ever have background.
enum { SIDE = 320, ORIGIN = -160, STEPS = 160 };

typedef struct model {
    uint8_t cells[SIDE][SIDE];
} model;

typedef struct history {
    const lc_topology *topology;
    bool background;
    model *states; // STEPS + 1
    uint64_t strokes[STEPS + 1];
    size_t at, last;
} history;

static bool exists(const lc_topology *t, int64_t x, int64_t y)
{
    return (t->width_cells == 0 || (x >= 0 && x < t->width_cells)) &&
           (t->height_cells == 0 || (y >= 0 && y < t->height_cells));
}

static void set_cell(const lc_topology *t, model *m, int64_t x, int64_t y, bool alive)
{
    if (exists(t, x, y)) {
        assert_true(x >= ORIGIN && x < ORIGIN + SIDE && y >= ORIGIN && y < ORIGIN + SIDE);
        m->cells[y - ORIGIN][x - ORIGIN] = alive;
    }
}

static bool is_equal(const lc_universe *universe, const model *m)
{
    uint64_t row[SIDE / 64];
    for (int64_t y = 0; y < SIDE; y++) {
        assert_int_equal(test_read_row(universe, ORIGIN, ORIGIN + y, SIDE, row), LC_OK);
        for (int64_t x = 0; x < SIDE; x++)
            if (m->cells[y][x] != (row[x / 64] >> (x % 64) & 1)) {
                print_error("cell (%" PRId64 ", %" PRId64 ") should be %d\n", x + ORIGIN,
                            y + ORIGIN, m->cells[y][x]);
                return false;
            }
    }
    return true;
}

// A rectangle that is in the window, but need not be in the universe.
typedef struct place {
    int64_t x, y, width, height;
} place;

static place random_place(dice *d)
{
    place p = {.width = 1 + dice_below(d, dice_below(d, 3) ? 30 : 150),
               .height = 1 + dice_below(d, dice_below(d, 3) ? 30 : 150)};
    p.x = ORIGIN + dice_below(d, SIDE - p.width);
    p.y = ORIGIN + dice_below(d, SIDE - p.height);
    return p;
}

static bool is_in(const place *p, int64_t x, int64_t y)
{
    return x >= p->x && y >= p->y && x < p->x + p->width && y < p->y + p->height;
}

// The bounding box: what is outside of a rectangle is killed as far as this goes.
static place box_of(const lc_topology *t, const model *m, bool background)
{
    int64_t x0 = SIDE, y0 = SIDE, x1 = 0, y1 = 0;
    for (int64_t y = 0; y < SIDE; y++)
        for (int64_t x = 0; x < SIDE; x++)
            if (m->cells[y][x] != background && exists(t, x + ORIGIN, y + ORIGIN)) {
                x0 = x < x0 ? x : x0;
                y0 = y < y0 ? y : y0;
                x1 = x + 1 > x1 ? x + 1 : x1;
                y1 = y + 1;
            }
    return (place){x0 + ORIGIN, y0 + ORIGIN, x1 - x0, y1 - y0};
}

static const lc_universe_options scratch = {.struct_bytes = sizeof scratch, .threads = 1};

typedef enum edit_kind { CELLS, FILL, CLEAR, CLEAR_OUTSIDE, PASTE, KINDS } edit_kind;

typedef struct edit {
    edit_kind kind;
    bool alive;
    uint64_t stroke, seed;
    run runs[20];
    size_t run_count;
    place where;
    double density;
    lc_clip *clip;
    lc_paste_mode mode;
} edit;

static edit random_edit(dice *d)
{
    edit e = {
        .kind = (edit_kind)dice_below(d, KINDS), .where = random_place(d), .seed = dice_word(d)};
    if (e.kind == CELLS || dice_below(d, 3) == 0) { // mostly drawing, as people do
        e.kind = CELLS;
        e.alive = dice_below(d, 4) != 0;
        e.stroke = (uint64_t)dice_below(d, 4);
        e.run_count = (size_t)dice_below(d, 20);
        for (size_t i = 0; i < e.run_count; i++) {
            const place p = random_place(d);
            e.runs[i] = (run){p.x, p.y, p.width};
        }
    } else if (e.kind == FILL) {
        static const double densities[] = {0, 0.3, 0.5, 1};
        e.density = densities[dice_below(d, 4)];
    } else if (e.kind == PASTE) {
        lc_universe *source = test_create("simd", LIFE, infinite_plane, 0);
        assert_int_equal(
            lc_universe_soup(source, 5, 6, e.where.width, e.where.height, 0.5, e.seed, NULL),
            LC_OK);
        assert_int_equal(lc_clip_from_universe(&e.clip, source,
                                               &(lc_rectangle){5, 6, e.where.width, e.where.height},
                                               NULL),
                         LC_OK);
        e.mode = (lc_paste_mode)dice_below(d, 3);
        lc_universe_destroy(&source);
    }
    return e;
}

static int64_t around(int64_t value, int64_t side)
{
    return (value % side + side) % side;
}

// Cell by cell: what the clip has, and the cell that it falls on. Returns how many of its live
// cells fall on none.
static uint64_t paste_model(const lc_topology *t, const edit *e, model *m)
{
    const lc_cells *clip = lc_clip_cells(e->clip);
    const bool torus = t->kind == LC_TOPOLOGY_TORUS;
    uint64_t lost = 0;
    for (int64_t j = 0; j < clip->height_cells; j++)
        for (int64_t i = 0; i < clip->width_cells; i++) {
            int64_t x = e->where.x + i, y = e->where.y + j;
            if (torus && t->width_cells != 0 && clip->width_cells <= t->width_cells)
                x = around(x, t->width_cells);
            if (torus && t->height_cells != 0 && clip->height_cells <= t->height_cells)
                y = around(y, t->height_cells);
            const uint64_t *row = lc_cells_row(clip, j);
            const bool there = row[i / 64] >> (i % 64) & 1;
            if (!exists(t, x, y)) {
                lost += there;
                continue;
            }
            const bool old = m->cells[y - ORIGIN][x - ORIGIN];
            set_cell(t, m, x, y,
                     e->mode == LC_PASTE_COPY ? there
                     : e->mode == LC_PASTE_OR ? there || old
                                              : there != old);
        }
    return lost;
}

// Whether a rectangle goes on at the opposite edge; and where its cells lie then.
static bool goes_round(const lc_topology *t, const place *p)
{
    return t->kind == LC_TOPOLOGY_TORUS &&
           ((t->width_cells != 0 && (p->x < 0 || p->x + p->width > t->width_cells)) ||
            (t->height_cells != 0 && (p->y < 0 || p->y + p->height > t->height_cells)));
}

// A soup of its own, or dead cells, pasted round the torus.
static void edit_round(const history *h, const edit *e, model *m)
{
    const lc_topology *t = h->topology;
    lc_universe *soup = test_create("simd", LIFE, infinite_plane, 0);
    if (e->kind == FILL)
        assert_int_equal(lc_universe_soup(soup, 0, 0, e->where.width, e->where.height, e->density,
                                          e->seed, NULL),
                         LC_OK);
    const bool is_clear = e->kind == CLEAR || e->density == 0;
    for (int64_t j = 0; j < e->where.height; j++)
        for (int64_t i = 0; i < e->where.width; i++) {
            int64_t x = e->where.x + i, y = e->where.y + j;
            // To clear goes once round a torus that the rectangle is larger than.
            if (t->width_cells != 0 && (is_clear || e->where.width <= t->width_cells))
                x = around(x, t->width_cells);
            if (t->height_cells != 0 && (is_clear || e->where.height <= t->height_cells))
                y = around(y, t->height_cells);
            set_cell(t, m, x, y, e->kind == FILL && test_get(soup, i, j));
        }
    lc_universe_destroy(&soup);
}

// Returns how many live cells a paste loses.
static uint64_t edit_model(const history *h, const edit *e, model *m)
{
    if ((e->kind == FILL || e->kind == CLEAR) && goes_round(h->topology, &e->where)) {
        edit_round(h, e, m);
        return 0;
    }
    const place box = box_of(h->topology, m, h->background);
    for (size_t i = 0; e->kind == CELLS && i < e->run_count; i++)
        for (int64_t x = 0; x < e->runs[i].length; x++)
            set_cell(h->topology, m, e->runs[i].x + x, e->runs[i].y, e->alive);
    lc_universe *soup = NULL;
    if (e->kind == FILL) {
        soup = test_create("simd", LIFE, infinite_plane, 0);
        assert_int_equal(lc_universe_soup(soup, e->where.x, e->where.y, e->where.width,
                                          e->where.height, e->density, e->seed, NULL),
                         LC_OK);
    }
    const uint64_t lost = e->kind == PASTE ? paste_model(h->topology, e, m) : 0;
    for (int64_t y = ORIGIN; y < ORIGIN + SIDE && e->kind != CELLS && e->kind != PASTE; y++)
        for (int64_t x = ORIGIN; x < ORIGIN + SIDE; x++) {
            const bool in = is_in(&e->where, x, y);
            if (e->kind == CLEAR_OUTSIDE && !in && is_in(&box, x, y))
                set_cell(h->topology, m, x, y, false);
            if (!in || e->kind == CLEAR_OUTSIDE)
                continue;
            bool alive = false;
            if (e->kind == FILL)
                alive = test_get(soup, x, y);
            set_cell(h->topology, m, x, y, alive);
        }
    lc_universe_destroy(&soup);
    return lost;
}

static lc_status edit_universe(lc_edits *edits, lc_universe *u, const edit *e, lc_message *message)
{
    const place *p = &e->where;
    switch (e->kind) {
    case CELLS:
        return test_draw(edits, u, e->alive, e->stroke, e->runs, e->run_count, message);
    case FILL:
        return lc_edits_fill(edits, u, &scratch, &(lc_rectangle){p->x, p->y, p->width, p->height},
                             e->density, e->seed, LC_EDIT_SYMMETRY_NONE, message);
    case PASTE:
        return lc_edits_paste(edits, u, e->clip, p->x, p->y, e->mode, message);
    default:
        return lc_edits_clear(edits, u, &(lc_rectangle){p->x, p->y, p->width, p->height},
                              e->kind == CLEAR_OUTSIDE, message);
    }
}

// What the edit does to the history, as edits.h has it.
static void remember(history *h, const edit *e, const model *now)
{
    if (memcmp(now, &h->states[h->at], sizeof *now) == 0)
        return;
    const bool goes_on = e->kind == CELLS && e->stroke != 0 && h->at == h->last && h->at > 0 &&
                         h->strokes[h->at] == e->stroke;
    if (!goes_on)
        h->at++;
    h->last = h->at;
    h->states[h->at] = *now;
    h->strokes[h->at] = e->kind == CELLS ? e->stroke : 0;
}

// One random history; returns how many edits and undos were refused for want of memory.
static int run_history(const char *engine, const lc_rule *rule, const lc_topology *topology,
                       bool background, uint64_t max_memory_bytes, int edits_wanted, dice *d)
{
    lc_message message;
    int refused = 0;
    lc_edits *edits;
    history h = {.topology = topology, .background = background};
    h.states = calloc(STEPS + 1, sizeof *h.states);
    model *now = malloc(sizeof *now);
    assert_true(h.states != NULL && now != NULL);
    lc_universe *u = test_create(engine, rule, *topology, max_memory_bytes);
    test_step(u, background);
    for (int64_t i = 0; i < SIDE * SIDE && background; i++)
        set_cell(topology, &h.states[0], ORIGIN + i % SIDE, ORIGIN + i / SIDE, true);
    assert_int_equal(lc_edits_create(&edits, 64 << 20, NULL), LC_OK);
    const uint64_t first_hash = test_hash(u);
    int last_kind = -1; // of edit; -1: none, or undone
    for (int i = 0; i < edits_wanted && h.at < STEPS; i++) {
        const int64_t what = dice_below(d, 10);
        if (what < 3) {
            const bool back = what < 2;
            const bool can = back ? h.at > 0 : h.at < h.last;
            const lc_status status = (back ? lc_edits_undo : lc_edits_redo)(edits, u, &message);
            if (can && status == LC_ERROR_LIMIT) {
                refused++;
            } else {
                assert_int_equal(status, can ? LC_OK : LC_ERROR_ARGUMENT);
                if (can) {
                    h.strokes[back ? h.at : h.at + 1] = 0;
                    h.at += back ? (size_t)-1 : 1;
                }
            }
        } else {
            edit e = random_edit(d);
            last_kind = (int)e.kind;
            *now = h.states[h.at];
            const uint64_t lost = edit_model(&h, &e, now);
            const lc_status status = edit_universe(edits, u, &e, &message);
            assert_true(lc_edits_kept(edits));
            if (e.kind == PASTE && status == LC_OK)
                assert_int_equal(lc_edits_lost(edits), lost);
            if (status == LC_OK)
                remember(&h, &e, now);
            else
                refused++;
            if (status != LC_OK && (max_memory_bytes == 0 || status != LC_ERROR_LIMIT))
                fail_msg("edit %d, kind %d: %s", i, e.kind, message.text);
            lc_clip_destroy(&e.clip);
        }
        if (!is_equal(u, &h.states[h.at]))
            fail_msg("%s, after step %d, a kind %d", engine, i, last_kind);
        assert_int_equal(lc_edits_can_undo(edits), h.at > 0);
        assert_int_equal(lc_edits_can_redo(edits), h.at < h.last);
    }
    if (refused == 0) {
        while (lc_edits_can_redo(edits))
            assert_int_equal(lc_edits_redo(edits, u, &message), LC_OK);
        const uint64_t last_hash = test_hash(u);
        for (int round = 0; round < 2; round++) {
            size_t steps = 0;
            for (; lc_edits_can_undo(edits); steps++)
                assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
            assert_int_equal(steps, h.last);
            assert_int_equal(test_hash(u), first_hash);
            while (lc_edits_can_redo(edits))
                assert_int_equal(lc_edits_redo(edits, u, &message), LC_OK);
            assert_int_equal(test_hash(u), last_hash);
        }
    }
    lc_edits_forget(edits);
    assert_false(lc_edits_can_undo(edits) || lc_edits_can_redo(edits));
    lc_edits_destroy(&edits);
    assert_null(edits);
    lc_universe_destroy(&u);
    free(now);
    free(h.states);
    return refused;
}

static const lc_topology shapes[] = {
    {.kind = LC_TOPOLOGY_PLANE},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 130, .height_cells = 71},
    {.kind = LC_TOPOLOGY_PLANE, .width_cells = 64, .height_cells = 100},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 90},
    {.kind = LC_TOPOLOGY_PLANE, .height_cells = 33}};

static void test_random_edits(void **state)
{
    (void)state;
    lc_engine_info info;
    dice d = dice_from(test_seed(), 1);
    const int rounds = test_slowness() > 1 ? 1 : 4;
    FOR_EACH_ENGINE(info)
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int round = 0; round < rounds; round++)
            assert_int_equal(run_history(info.name, LIFE, &shapes[i], false, 0, 150, &d), 0);
}

static void test_random_edits_of_a_live_background(void **state)
{
    (void)state;
    const lc_rule *rule = rule_of("B0/S012345678");
    dice d = dice_from(test_seed(), 2);
    for (int i = 0; i < (test_slowness() > 1 ? 2 : 8); i++)
        assert_int_equal(run_history("simd", rule, &shapes[i % 2 * 3], true, 0, 150, &d), 0);
}

// With so little memory that some edits, and some undos, have no room: they change nothing.
static void test_random_edits_short_of_memory(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    lc_universe *least = test_create("simd", LIFE, infinite_plane, 0);
    const uint64_t bytes = lc_universe_info_of(least).memory_bytes;
    lc_universe_destroy(&least);
    int refused = 0;
    for (uint64_t i = 0; i < 12; i++)
        refused +=
            run_history("simd", LIFE, &infinite_plane, false, bytes * 2 + bytes * i / 4, 150, &d);
    print_message("%d edits and undos were refused\n", refused);
    assert_in_range(refused, 20, 12 * 150);
}

static void test_too_large_for_the_universe(void **state)
{
    (void)state;
    lc_message message;
    lc_edits *edits;
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 4 << 20);
    // Room for 10,000 rows of 157 words, if nothing else is kept.
    assert_int_equal(lc_edits_create(&edits, 10000 * 157 * 8 + 200, NULL), LC_OK);
    const run near = {10, 10, 5};
    assert_int_equal(test_draw(edits, u, true, 1, &near, 1, &message), LC_OK);
    const uint64_t hash = test_hash(u);
    const int64_t far = INT64_C(1) << 40;
    assert_int_equal(lc_edits_fill(edits, u, &scratch,
                                   &(lc_rectangle){-far, -far, 2 * far, 2 * far}, 0.5, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_ERROR_LIMIT);
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){0, 0, 10000, 10000}, 0.5, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_ERROR_LIMIT);
    const run two[] = {{-20, -20, 9}, {far, far, 9}};
    assert_int_equal(test_draw(edits, u, true, 1, two, 2, &message), LC_ERROR_LIMIT);
    lc_clip *clip;
    assert_int_equal(lc_clip_from_text(&clip, "o19999b$20000$o19999bo!", 23, 0, &message), LC_OK);
    for (int mode = 0; mode < 3; mode++)
        assert_int_equal(lc_edits_paste(edits, u, clip, -5, -5, (lc_paste_mode)mode, &message),
                         LC_ERROR_LIMIT);
    assert_true(message.text[0] != '\0');
    assert_true(lc_edits_kept(edits));
    assert_int_equal(test_hash(u), hash);
    // What is dead needs no room.
    assert_int_equal(lc_edits_clear(edits, u, &(lc_rectangle){far, far, far, far}, false, &message),
                     LC_OK);
    assert_int_equal(test_draw(edits, u, false, 9, &two[1], 1, &message), LC_OK);
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){-far, -far, far, far}, 0, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_OK);
    assert_int_equal(test_hash(u), hash);
    // None of that is a step.
    assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
    assert_int_equal(test_population(u), 0);
    assert_false(lc_edits_can_undo(edits));
    assert_int_equal(lc_edits_redo(edits, u, &message), LC_OK);
    assert_int_equal(test_hash(u), hash);
    lc_clip_destroy(&clip);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&u);
}

// What was cleared far away may have no room when it is wanted back: then nothing comes back.
static void test_undoing_without_room(void **state)
{
    (void)state;
    int refused = 0;
    for (uint64_t limit = 700000; limit < 20000000; limit += limit / 20) {
        lc_message message;
        lc_edits *edits;
        lc_universe *u = test_create("simd", LIFE, infinite_plane, limit);
        assert_int_equal(lc_edits_create(&edits, 4 << 20, NULL), LC_OK);
        const run near[] = {{0, 0, 3}, {-3000, 3000, 3}}, far[] = {{5000, 0, 3}, {8000, 3000, 3}};
        // The right side takes the room of the left one.
        if (test_draw(edits, u, true, 0, near, 2, &message) == LC_OK &&
            lc_edits_clear(edits, u, &(lc_rectangle){-4000, -9, 5000, 4000}, false, &message) ==
                LC_OK &&
            test_draw(edits, u, true, 0, &far[0], 1, &message) == LC_OK &&
            test_draw(edits, u, true, 0, &far[1], 1, &message) == LC_OK &&
            lc_edits_undo(edits, u, &message) == LC_OK &&
            lc_edits_undo(edits, u, &message) == LC_OK) {
            assert_int_equal(test_population(u), 0);
            const lc_status status = lc_edits_undo(edits, u, &message);
            assert_true(status == LC_OK || status == LC_ERROR_LIMIT);
            assert_int_equal(test_population(u), status == LC_OK ? 6 : 0);
            assert_true(lc_edits_can_undo(edits) && lc_edits_can_redo(edits));
            refused += status != LC_OK;
        }
        lc_edits_destroy(&edits);
        lc_universe_destroy(&u);
    }
    assert_in_range(refused, 1, 60);
}

static void test_what_cannot_be(void **state)
{
    (void)state;
    lc_message message;
    lc_edits *edits;
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 0);
    assert_int_equal(lc_edits_create(&edits, 1 << 20, NULL), LC_OK);
    const run runs[] = {{0, 0, 3}, {0, 0, 0}, {0, 0, -1}, {INT64_MAX, 0, 3}, {0, INT64_MAX, 3}};
    for (size_t i = 1; i < sizeof runs / sizeof runs[0]; i++) {
        const run two[] = {runs[0], runs[i]};
        assert_int_equal(test_draw(edits, u, true, 0, two, 2, &message), LC_ERROR_ARGUMENT);
        assert_int_equal(test_population(u), 0);
    }
    const place places[] = {
        {0, 0, 0, 3}, {0, 0, 3, -1}, {INT64_MAX, 0, 3, 3}, {0, 1, 1, INT64_MAX}};
    for (size_t i = 0; i < 4; i++) {
        const place *p = &places[i];
        assert_int_equal(lc_edits_fill(edits, u, &scratch,
                                       &(lc_rectangle){p->x, p->y, p->width, p->height}, 0.5, 1,
                                       LC_EDIT_SYMMETRY_NONE, &message),
                         LC_ERROR_ARGUMENT);
        assert_int_equal(lc_edits_clear(edits, u, &(lc_rectangle){p->x, p->y, p->width, p->height},
                                        i % 2, &message),
                         LC_ERROR_ARGUMENT);
    }
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){0, 0, 3, 3}, 1.5, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_ERROR_ARGUMENT);
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){0, 0, 3, 3}, (double)NAN, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_ERROR_ARGUMENT);
    lc_clip *clip;
    assert_int_equal(lc_clip_from_text(&clip, "3o!", 3, 0, &message), LC_OK);
    assert_int_equal(lc_edits_paste(edits, u, clip, INT64_MAX - 1, 0, LC_PASTE_OR, &message),
                     LC_ERROR_ARGUMENT);
    // Beyond the last coordinate there is nothing to be drawn on.
    const int64_t end = INT64_C(1) << 62;
    assert_int_equal(lc_edits_paste(edits, u, clip, end + 1, 0, LC_PASTE_OR, &message), LC_OK);
    assert_int_equal(lc_edits_paste(edits, u, clip, end, 0, LC_PASTE_OR, &message), LC_OK);
    assert_int_equal(test_population(u), 1);
    assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
    assert_int_equal(lc_edits_undo(edits, u, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(test_draw(edits, u, true, 0, runs, 0, &message), LC_OK);
    assert_true(lc_edits_kept(edits));
    assert_int_equal(test_population(u), 0);
    lc_clip_destroy(&clip);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&u);
}

// Far corners are two short rows, not a rectangle; and what is too large is done, and said.
static void test_limits_of_history(void **state)
{
    (void)state;
    enum { EDGE = 4000 };
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = EDGE, .height_cells = EDGE};
    lc_message message;
    lc_edits *edits;
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_edits_create(&edits, 8192, NULL), LC_OK);
    const run corners[] = {{-10, 0, 20}, {EDGE - 10, EDGE - 1, 20}};
    assert_int_equal(test_draw(edits, u, true, 1, corners, 2, &message), LC_OK);
    assert_true(lc_edits_kept(edits) && lc_edits_can_undo(edits));
    assert_int_equal(test_population(u), 20);

    // One stroke, until it is too long: the rest of it is not kept either, but what follows is.
    bool lost = false;
    for (int64_t y = 0; y < 200; y++) {
        const run row = {100, y, 10};
        assert_int_equal(test_draw(edits, u, true, 2, &row, 1, &message), LC_OK);
        assert_true(!lost || !lc_edits_kept(edits));
        assert_int_equal(lc_edits_can_undo(edits), lc_edits_kept(edits));
        lost |= !lc_edits_kept(edits);
    }
    assert_true(lost);
    assert_int_equal(test_population(u), 2020);
    const run more = {0, 300, 9};
    assert_int_equal(test_draw(edits, u, true, 3, &more, 1, &message), LC_OK);
    assert_true(lc_edits_kept(edits) && lc_edits_can_undo(edits));
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){0, 0, EDGE, EDGE}, 1, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_OK);
    assert_false(lc_edits_kept(edits) || lc_edits_can_undo(edits) || lc_edits_can_redo(edits));
    assert_int_equal(test_population(u), EDGE * EDGE);
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){50, 60, 70, 80}, 0.5, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_OK);
    assert_true(lc_edits_kept(edits));
    // All cells are killed but some hundred: too much to be kept, done nevertheless.
    assert_int_equal(lc_edits_clear(edits, u, &(lc_rectangle){500, 500, 30, 20}, true, &message),
                     LC_OK);
    assert_false(lc_edits_kept(edits) || lc_edits_can_undo(edits));
    assert_int_equal(test_population(u), 600);
    assert_int_equal(lc_edits_clear(edits, u, &(lc_rectangle){500, 500, 30, 20}, true, &message),
                     LC_OK);
    assert_true(lc_edits_kept(edits)); // there was nothing left to do
    lc_clip *clip;
    assert_int_equal(lc_clip_from_universe(&clip, u, &(lc_rectangle){400, 400, 400, 400}, &message),
                     LC_OK);
    assert_int_equal(lc_edits_paste(edits, u, clip, 400, 400, LC_PASTE_XOR, &message), LC_OK);
    assert_true(lc_edits_kept(edits)); // few cells were changed
    assert_int_equal(test_population(u), 0);
    lc_edits_forget(edits);

    // Steps of 100 bytes or more: of a thousand, some dozens can be undone, the last ones.
    for (int64_t y = 0; y < 1000; y++) {
        const run row = {0, y, 1};
        assert_int_equal(test_draw(edits, u, true, 0, &row, 1, &message), LC_OK);
        assert_true(lc_edits_kept(edits));
    }
    int undone = 0;
    for (; lc_edits_can_undo(edits); undone++)
        assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
    assert_in_range(undone, 20, 82);
    assert_int_equal(test_population(u), 1000 - undone);
    assert_true(test_get(u, 0, 999 - undone) && !test_get(u, 0, 1000 - undone));
    lc_clip_destroy(&clip);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&u);
}

// Never more than the limit, whatever is recorded.
static void test_steps_hold_their_limit(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 5);
    lc_edit_steps steps = {.limit_bytes = 10000};
    int refused = 0, extended = 0;
    uint64_t row[30];
    for (int i = 0; i < 20000; i++) {
        lc_edit_step record = {0};
        const int64_t rows = dice_below(&d, dice_below(&d, 30) ? 10 : 90);
        const int64_t width = 1 + dice_below(&d, 30 * 64);
        const uint64_t stroke = (uint64_t)dice_below(&d, 2);
        const lc_edit_step *newest = steps.newest;
        for (int64_t y = 0; y < rows; y++) {
            const size_t words = (size_t)(width + 63) / 64;
            for (size_t k = 0; k < words; k++)
                row[k] = dice_below(&d, 4) != 0 ? dice_word(&d) : 0;
            if (width % 64 != 0)
                row[words - 1] &= (UINT64_C(1) << width % 64) - 1;
            assert_int_equal(lc_edit_step_reserve(&record, 1 << 20, 1, words), LC_OK);
            lc_edit_step_add_row(&record, 3, y * (1 + dice_below(&d, 2)), width, row);
            assert_true(record.patch_count <= record.patch_room);
            assert_true(record.word_count <= record.word_room);
        }
        const bool taken = lc_edit_steps_take(&steps, &record, stroke);
        assert_true(!taken || (steps.done == steps.newest && record.patches == NULL));
        refused += !taken;
        extended += taken && steps.newest == newest;
        lc_edit_step_empty(&record);
        assert_in_range(steps.held_bytes, 0, steps.limit_bytes);
        size_t bytes = 0;
        for (const lc_edit_step *s = steps.oldest; s != NULL; s = s->newer)
            bytes +=
                sizeof *s + s->patch_room * sizeof *s->patches + s->word_room * sizeof *s->words;
        assert_int_equal(bytes, steps.held_bytes);
        if (dice_below(&d, 5) == 0 && steps.done != NULL)
            steps.done = steps.done->older;
    }
    assert_true(refused > 100 && extended > 100);
    lc_edit_step none = {0};
    assert_int_equal(lc_edit_step_reserve(&none, SIZE_MAX, SIZE_MAX, 2), LC_ERROR_LIMIT);
    assert_int_equal(lc_edit_step_reserve(&none, 1 << 20, SIZE_MAX, 1), LC_ERROR_LIMIT);
    assert_int_equal(lc_edit_step_reserve(&none, 1 << 20, 1, SIZE_MAX / 8), LC_ERROR_LIMIT);
    lc_edit_steps_clear(&steps);
    assert_int_equal(steps.held_bytes, 0);
}

// Of patches that overlap, at any distance: whether all was changed back.
static void test_steps_that_change_nothing(void **state)
{
    (void)state;
    enum { WIDE = 300, HIGH = 5, PARTS = 6 };
    dice d = dice_from(test_seed(), 6);
    int empty = 0;
    for (int round = 0; round < 3000; round++) {
        bool cells[HIGH][WIDE] = {0};
        lc_edit_step step = {0};
        for (int part = 0; part < PARTS; part++) {
            const bool last = part >= PARTS / 2 && dice_below(&d, 20) != 0;
            const int64_t x = last ? 0 : dice_below(&d, WIDE - 1);
            const int64_t width = last ? WIDE : 1 + dice_below(&d, WIDE - x);
            const bool full = !last && dice_below(&d, 2) != 0;
            for (int64_t y = 0; y < HIGH; y++) {
                uint64_t row[WIDE / 64 + 1] = {0};
                for (int64_t i = 0; i < width; i++) {
                    const bool set = last ? cells[y][x + i] : full || dice_below(&d, 3) == 0;
                    row[i / 64] |= (uint64_t)set << i % 64;
                    cells[y][x + i] ^= set;
                }
                assert_int_equal(lc_edit_step_reserve(&step, 1 << 20, 1, (size_t)(width + 63) / 64),
                                 LC_OK);
                lc_edit_step_add_row(&step, x, y, width, row);
            }
        }
        bool any = false;
        for (int i = 0; i < HIGH * WIDE; i++)
            any |= cells[i / WIDE][i % WIDE];
        assert_int_equal(lc_edit_step_is_void(&step), !any);
        empty += !any;
        lc_edit_step_empty(&step);
    }
    assert_in_range(empty, 100, 2990);
}

// Rows wider than a patch, from a place where no word begins.
static void test_wide_edits(void **state)
{
    (void)state;
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 3 * LC_PATCH_CELLS - 77, .height_cells = 9};
    lc_message message;
    lc_edits *edits;
    uint64_t hashes[6];
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_edits_create(&edits, 1 << 24, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(u, 0, 0, torus.width_cells, 9, 0.5, 3, &message), LC_OK);
    hashes[0] = test_hash(u);
    assert_int_equal(lc_edits_clear(edits, u, &(lc_rectangle){100, 1, torus.width_cells - 150, 5},
                                    false, &message),
                     LC_OK);
    hashes[1] = test_hash(u);
    assert_int_equal(lc_edits_fill(edits, u, &scratch,
                                   &(lc_rectangle){70, 2, torus.width_cells - 71, 3}, 0.25, 8,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_OK);
    hashes[2] = test_hash(u);
    lc_clip *clip;
    const int64_t width = torus.width_cells - 200;
    assert_int_equal(lc_clip_from_universe(&clip, u, &(lc_rectangle){100, 0, width, 9}, &message),
                     LC_OK);
    assert_int_equal(lc_edits_paste(edits, u, clip, 133, 2, LC_PASTE_COPY, &message), LC_OK);
    hashes[3] = test_hash(u);
    for (int64_t x = 0; x < width; x += 1 + x % 997)
        assert_int_equal(test_get(u, 133 + x, 6),
                         lc_cells_row(lc_clip_cells(clip), 4)[x / 64] >> (x % 64) & 1);
    const run runs[] = {{-1000, 8, INT64_C(1) << 24}, {5, 7, 2 * LC_PATCH_CELLS}};
    assert_int_equal(test_draw(edits, u, true, 0, runs, 2, &message), LC_OK);
    hashes[4] = test_hash(u);
    assert_int_equal(
        lc_edits_clear(edits, u, &(lc_rectangle){300, 3, LC_PATCH_CELLS * 2, 4}, true, &message),
        LC_OK);
    hashes[5] = test_hash(u);
    for (int round = 0; round < 2; round++) {
        for (int i = 4; i >= 0; i--) {
            assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
            assert_int_equal(test_hash(u), hashes[i]);
        }
        for (int i = 1; i <= 5; i++) {
            assert_int_equal(lc_edits_redo(edits, u, &message), LC_OK);
            assert_int_equal(test_hash(u), hashes[i]);
        }
    }
    lc_clip_destroy(&clip);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&u);
}

static void test_large_edits(void **state)
{
    (void)state;
    const int64_t edge = test_slowness() > 1 ? 2048 : 16384;
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = edge, .height_cells = edge};
    lc_message message;
    lc_edits *edits;
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_edits_create(&edits, 256 << 20, NULL), LC_OK);
    assert_int_equal(lc_edits_fill(edits, u, &scratch, &(lc_rectangle){0, 0, edge, edge}, 0.5, 1,
                                   LC_EDIT_SYMMETRY_NONE, &message),
                     LC_OK);
    assert_true(lc_edits_kept(edits));
    const uint64_t filled = test_hash(u);
    assert_int_equal(lc_edits_clear(edits, u, &(lc_rectangle){0, 0, edge, edge}, false, &message),
                     LC_OK);
    assert_true(lc_edits_kept(edits));
    assert_int_equal(test_population(u), 0);
    assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
    assert_int_equal(test_hash(u), filled);
    assert_int_equal(lc_edits_redo(edits, u, &message), LC_OK);
    assert_int_equal(test_population(u), 0);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_edits),
        cmocka_unit_test(test_random_edits_of_a_live_background),
        cmocka_unit_test(test_random_edits_short_of_memory),
        cmocka_unit_test(test_too_large_for_the_universe),
        cmocka_unit_test(test_undoing_without_room),
        cmocka_unit_test(test_what_cannot_be),
        cmocka_unit_test(test_limits_of_history),
        cmocka_unit_test(test_steps_hold_their_limit),
        cmocka_unit_test(test_steps_that_change_nothing),
        cmocka_unit_test(test_wide_edits),
        cmocka_unit_test(test_large_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
