// What is done with a selection, and shapes, symmetries and floods, against plain arrays of bytes,
// cell by cell; each of them is one step, and undone it leaves nothing behind.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/edits.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

// The part of the world that the models know; nothing is alive elsewhere.
enum { SIDE = 96, ORIGIN = -24 };

typedef struct model {
    bool cells[SIDE][SIDE];
} model;

static const lc_topology shapes[] = {
    {.kind = LC_TOPOLOGY_PLANE},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 37, .height_cells = 29},
    {.kind = LC_TOPOLOGY_PLANE, .width_cells = 40, .height_cells = 33},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 30},
    {.kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 36, .height_cells = 30, .twist_x = true}};

static int64_t around(int64_t value, int64_t side)
{
    return (value % side + side) % side;
}

// The cell of the model that a place is; false: there is none.
static bool *find(const lc_topology *t, model *m, int64_t x, int64_t y)
{
    const bool torus = t->kind == LC_TOPOLOGY_TORUS;
    if (torus && t->width_cells != 0)
        x = around(x, t->width_cells);
    if (torus && t->height_cells != 0)
        y = around(y, t->height_cells);
    if ((t->width_cells != 0 && (x < 0 || x >= t->width_cells)) ||
        (t->height_cells != 0 && (y < 0 || y >= t->height_cells)))
        return NULL;
    assert_true(x >= ORIGIN && y >= ORIGIN && x < ORIGIN + SIDE && y < ORIGIN + SIDE);
    return &m->cells[y - ORIGIN][x - ORIGIN];
}

static bool get(const lc_topology *t, model *m, int64_t x, int64_t y)
{
    const bool *cell = find(t, m, x, y);
    return cell != NULL && *cell;
}

static void read_model(const lc_universe *u, model *m)
{
    uint64_t row[(SIDE + 63) / 64];
    for (int64_t y = 0; y < SIDE; y++) {
        assert_int_equal(test_read_row(u, ORIGIN, ORIGIN + y, SIDE, row), LC_OK);
        for (int64_t x = 0; x < SIDE; x++)
            m->cells[y][x] = row[x / 64] >> (x % 64) & 1;
    }
}

static void require_equal(const lc_universe *u, const model *wanted, const char *what)
{
    model now;
    read_model(u, &now);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (now.cells[y][x] != wanted->cells[y][x])
                fail_msg("%s: cell (%d, %d) should be %d", what, x + ORIGIN, y + ORIGIN,
                         wanted->cells[y][x]);
}

// The edit was one step: undone, all is as before; redone, as after.
static void require_one_step(lc_edits *edits, lc_universe *u, const model *before,
                             const model *after, const char *what)
{
    lc_message message;
    require_equal(u, after, what);
    if (memcmp(before, after, sizeof *before) != 0) {
        assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
        require_equal(u, before, what);
        assert_int_equal(lc_edits_redo(edits, u, &message), LC_OK);
        require_equal(u, after, what);
        assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
    }
    assert_false(lc_edits_can_undo(edits));
    require_equal(u, before, what);
}

typedef struct setting {
    const lc_topology *topology;
    lc_universe *universe;
    lc_edits *edits;
    model before;
} setting;

static setting make_setting(const lc_topology *t, const lc_rule *rule, double density,
                            uint64_t seed)
{
    setting s = {.topology = t};
    s.universe = test_create("simd", rule, *t, 0);
    assert_int_equal(lc_universe_soup(s.universe, 3, 2, 24, 25, density, seed, NULL), LC_OK);
    assert_int_equal(lc_edits_create(&s.edits, 16 << 20, NULL), LC_OK);
    read_model(s.universe, &s.before);
    return s;
}

static void end_setting(setting *s)
{
    lc_edits_destroy(&s->edits);
    lc_universe_destroy(&s->universe);
}

static lc_rectangle random_area(dice *d)
{
    return (lc_rectangle){dice_below(d, 30) - 8, dice_below(d, 26) - 8, 1 + dice_below(d, 20),
                          1 + dice_below(d, 20)};
}

static const lc_universe_options creation = {.struct_bytes = sizeof creation, .threads = 1};

static bool is_in(const lc_topology *t, const lc_rectangle *a, int64_t x, int64_t y)
{
    const bool torus = t->kind == LC_TOPOLOGY_TORUS;
    int64_t i = x - a->x, j = y - a->y;
    if (torus && t->width_cells != 0)
        i = around(i, t->width_cells);
    if (torus && t->height_cells != 0)
        j = around(j, t->height_cells);
    return i >= 0 && j >= 0 && i < a->width_cells && j < a->height_cells;
}

static void clear_model(const lc_topology *t, model *m, const lc_rectangle *a)
{
    for (int64_t j = 0; j < a->height_cells; j++)
        for (int64_t i = 0; i < a->width_cells; i++) {
            bool *cell = find(t, m, a->x + i, a->y + j);
            if (cell != NULL)
                *cell = false;
        }
}

// ---- moving, turning ---------------------------------------------------------------------------

static void test_moving(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    for (int round = 0; round < 200; round++) {
        setting s = make_setting(&shapes[round % 5], LIFE, 0.4, dice_word(&d));
        const lc_topology *t = s.topology;
        const lc_rectangle a = random_area(&d);
        const int64_t right = dice_below(&d, 17) - 8, down = dice_below(&d, 17) - 8;
        const bool copies = dice_below(&d, 3) == 0;
        const lc_paste_mode mode = (lc_paste_mode)dice_below(&d, 3);
        lc_message message;
        uint64_t wanted_lost = 0;
        model after = s.before;
        if (!copies)
            clear_model(t, &after, &a);
        for (int64_t j = 0; j < a.height_cells; j++)
            for (int64_t i = 0; i < a.width_cells; i++) {
                const bool alive = get(t, &s.before, a.x + i, a.y + j);
                bool *cell = find(t, &after, a.x + right + i, a.y + down + j);
                wanted_lost += cell == NULL && alive;
                if (cell != NULL)
                    *cell = mode == LC_PASTE_COPY ? alive
                            : mode == LC_PASTE_OR ? *cell || alive
                                                  : *cell != alive;
            }
        assert_int_equal(
            lc_edits_move(s.edits, s.universe, &a, right, down, copies, mode, &message), LC_OK);
        assert_true(lc_edits_kept(s.edits));
        assert_int_equal(lc_edits_lost(s.edits), wanted_lost);
        require_one_step(s.edits, s.universe, &s.before, &after, "moved");
        end_setting(&s);
    }
}

static void test_turning(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (int round = 0; round < 200; round++) {
        const double density = round % 4 == 3 ? 0.02 : 0.4; // empty areas, too
        setting s = make_setting(&shapes[round % 5], LIFE, density, dice_word(&d));
        const lc_topology *t = s.topology;
        const lc_rectangle a = random_area(&d);
        const lc_turn turn = (lc_turn)dice_below(&d, 4);
        const int64_t w = a.width_cells, h = a.height_cells;
        lc_message message;
        lc_rectangle to;
        model after = s.before;
        assert_int_equal(lc_edits_turn(s.edits, s.universe, &a, turn, &to, &message), LC_OK);
        clear_model(t, &after, &a);
        for (int64_t j = 0; j < h; j++)
            for (int64_t i = 0; i < w; i++) {
                const int64_t x = turn == LC_TURN_RIGHT    ? h - 1 - j
                                  : turn == LC_TURN_LEFT   ? j
                                  : turn == LC_TURN_FLIP_X ? w - 1 - i
                                                           : i;
                const int64_t y = turn == LC_TURN_RIGHT    ? i
                                  : turn == LC_TURN_LEFT   ? w - 1 - i
                                  : turn == LC_TURN_FLIP_Y ? h - 1 - j
                                                           : j;
                bool *cell = find(t, &after, to.x + x, to.y + y);
                if (cell != NULL && get(t, &s.before, a.x + i, a.y + j))
                    *cell = true;
            }
        assert_true(lc_edits_kept(s.edits));
        require_one_step(s.edits, s.universe, &s.before, &after, "turned");
        // Four quarters lead back to where it was.
        lc_rectangle at = a;
        for (int i = 0; i < 4; i++)
            assert_int_equal(lc_edits_turn(s.edits, s.universe, &at, LC_TURN_RIGHT, &at, &message),
                             LC_OK);
        assert_memory_equal(&at, &a, sizeof a);
        end_setting(&s);
    }
}

// Edits of several parts that leave all cells as they were are no step: undoing takes back the one
// before, and what was undone can be redone.
static void test_what_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        setting s = make_setting(&shapes[i], LIFE, 0.4, i);
        const lc_topology *t = s.topology;
        const lc_rectangle a = {-4, 21, 8, 8}, block = {-1, 24, 2, 2}, other = {9, 9, 3, 1};
        const lc_rectangle wide = {-5, 20, 10, 10};
        lc_rectangle to;
        lc_message message;
        model blank, drawn;
        lc_edits_paint(s.edits, s.universe, LC_PAINT_DEAD, 0, &wide, 1, true, &message);
        read_model(s.universe, &blank);
        lc_edits_paint(s.edits, s.universe, LC_PAINT_ALIVE, 0, &block, 1, true, &message);
        read_model(s.universe, &drawn);
        lc_edits_paint(s.edits, s.universe, LC_PAINT_INVERT, 0, &other, 1, true, &message);
        assert_int_equal(lc_edits_undo(s.edits, s.universe, &message), LC_OK);
        const uint64_t changes = lc_edits_changes(s.edits);
        const bool is_whole = t->kind == LC_TOPOLOGY_TORUS || t->width_cells == 0;
        for (lc_turn turn = LC_TURN_RIGHT; turn <= LC_TURN_FLIP_Y && is_whole; turn++)
            assert_int_equal(lc_edits_turn(s.edits, s.universe, &a, turn, &to, &message), LC_OK);
        for (lc_paste_mode mode = LC_PASTE_OR; mode <= LC_PASTE_XOR; mode++)
            for (int64_t round = 0; round < 2; round++)
                assert_int_equal(lc_edits_move(s.edits, s.universe, &a, round * t->width_cells, 0,
                                               false, mode, &message),
                                 LC_OK);
        if (!lc_edits_wraps(s.universe) && t->width_cells != 0) {
            assert_true(lc_edits_changes(s.edits) > changes); // it has gone beyond the edge
            end_setting(&s);
            continue;
        }
        assert_int_equal(lc_edits_advance(s.edits, s.universe, &creation, &a, false, &message),
                         LC_OK);
        assert_true(lc_edits_kept(s.edits));
        require_equal(s.universe, &drawn, "nothing changed");
        assert_int_equal(lc_edits_changes(s.edits), changes);
        assert_int_equal(lc_edits_redo(s.edits, s.universe, &message), LC_OK);
        assert_int_equal(lc_edits_undo(s.edits, s.universe, &message), LC_OK);
        require_equal(s.universe, &drawn, "undone once");
        assert_int_equal(lc_edits_undo(s.edits, s.universe, &message), LC_OK);
        require_equal(s.universe, &blank, "undone twice");
        // And a part of it that does change something is one.
        assert_int_equal(lc_edits_turn(s.edits, s.universe, &other, LC_TURN_RIGHT, &to, &message),
                         LC_OK);
        read_model(s.universe, &drawn);
        if (memcmp(&drawn, &blank, sizeof drawn) != 0) {
            assert_int_equal(lc_edits_undo(s.edits, s.universe, &message), LC_OK);
            require_equal(s.universe, &blank, "turned, undone");
        }
        end_setting(&s);
    }
}

// ---- advancing ---------------------------------------------------------------------------------

static void test_advancing(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    for (int round = 0; round < 240; round++) {
        const lc_topology *t = &shapes[round % 5];
        const bool is_bounded = t->width_cells != 0 && t->height_cells != 0;
        const lc_rule *rule = is_bounded && dice_below(&d, 2) == 0 ? rule_of("B03/S2") : LIFE;
        setting s = make_setting(t, rule, 0.4, dice_word(&d));
        lc_rectangle a = random_area(&d);
        if (dice_below(&d, 6) == 0 && is_bounded)
            a = (lc_rectangle){0, 0, t->width_cells, t->height_cells - 1};
        const bool outside = dice_below(&d, 2) == 0;
        lc_message message;
        model next, after = s.before;
        // The same cells, all of them a generation on.
        lc_universe *all = test_create("scalar", rule, *t, 0);
        for (int64_t y = ORIGIN; y < ORIGIN + SIDE; y++)
            for (int64_t x = ORIGIN; x < ORIGIN + SIDE; x++)
                if (s.before.cells[y - ORIGIN][x - ORIGIN])
                    assert_int_equal(lc_universe_set(all, x, y, true, NULL), LC_OK);
        test_step(all, 1);
        read_model(all, &next);
        lc_universe_destroy(&all);
        for (int64_t y = ORIGIN; y < ORIGIN + SIDE; y++)
            for (int64_t x = ORIGIN; x < ORIGIN + SIDE; x++)
                if (is_in(t, &a, x, y) != outside)
                    after.cells[y - ORIGIN][x - ORIGIN] = next.cells[y - ORIGIN][x - ORIGIN];
        const lc_status status =
            lc_edits_advance(s.edits, s.universe, &creation, &a, outside, &message);
        if (status != LC_OK)
            fail_msg("round %d: %s", round, message.text);
        assert_true(lc_edits_kept(s.edits));
        require_one_step(s.edits, s.universe, &s.before, &after, outside ? "outside" : "inside");
        assert_int_equal(lc_universe_generation(s.universe).words[0], 0);
        end_setting(&s);
    }
    // Space without end that comes alive is no part of a selection.
    setting s = make_setting(&shapes[0], rule_of("B03/S2"), 0.4, 1);
    const lc_rectangle a = {0, 0, 5, 5};
    lc_message message;
    assert_int_equal(lc_edits_advance(s.edits, s.universe, &creation, &a, true, &message),
                     LC_ERROR_UNSUPPORTED);
    require_equal(s.universe, &s.before, "refused");
    end_setting(&s);
}

// ---- symmetries --------------------------------------------------------------------------------

static const lc_edit_symmetry_kind all_mirrors[] = {
    LC_EDIT_SYMMETRY_NONE,   LC_EDIT_SYMMETRY_X,        LC_EDIT_SYMMETRY_Y,
    LC_EDIT_SYMMETRY_BOTH,   LC_EDIT_SYMMETRY_DIAGONAL, LC_EDIT_SYMMETRY_TURN_2,
    LC_EDIT_SYMMETRY_TURN_4, LC_EDIT_SYMMETRY_ALL};

// The images of a cell under the generators of a group; in halves round its centre.
static size_t generators(lc_edit_symmetry_kind mirrors, int64_t x, int64_t y, int64_t out[2][2])
{
    const int64_t x_flipped[] = {-x, y}, y_flipped[] = {x, -y}, turned[] = {-y, x},
                  transposed[] = {y, x}, half[] = {-x, -y};
    const int64_t *first = mirrors == LC_EDIT_SYMMETRY_X || mirrors == LC_EDIT_SYMMETRY_BOTH
                               ? x_flipped
                           : mirrors == LC_EDIT_SYMMETRY_Y        ? y_flipped
                           : mirrors == LC_EDIT_SYMMETRY_TURN_2   ? half
                           : mirrors == LC_EDIT_SYMMETRY_DIAGONAL ? transposed
                                                                  : turned;
    const int64_t *second = mirrors == LC_EDIT_SYMMETRY_BOTH ? y_flipped : transposed;
    memcpy(out[0], first, sizeof out[0]);
    memcpy(out[1], second, sizeof out[1]);
    return mirrors == LC_EDIT_SYMMETRY_NONE                                      ? 0
           : mirrors == LC_EDIT_SYMMETRY_BOTH || mirrors == LC_EDIT_SYMMETRY_ALL ? 2
                                                                                 : 1;
}

// Images: as many as the group has, closed under its generators, and of the same size.
static void test_images(void **state)
{
    (void)state;
    static const size_t orders[] = {1, 2, 2, 4, 2, 2, 4, 8};
    dice d = dice_from(test_seed(), 4);
    for (int round = 0; round < 2000; round++) {
        const size_t which = (size_t)(round % 8);
        const lc_edit_symmetry_kind mirrors = all_mirrors[which];
        lc_edit_symmetry s = {mirrors, dice_below(&d, 40) - 20, dice_below(&d, 40) - 20};
        const bool odd = (s.x_halves - s.y_halves) % 2 != 0;
        const lc_rectangle from = {dice_below(&d, 40) - 20, dice_below(&d, 40) - 20,
                                   1 + dice_below(&d, 5), 1 + dice_below(&d, 5)};
        lc_rectangle images[LC_EDIT_IMAGES_MAX];
        const size_t count = lc_edit_images(&s, &from, images);
        if (odd && lc_edit_symmetry_is_square(mirrors)) {
            assert_int_equal(count, 0);
            continue;
        }
        assert_int_equal(count, orders[which]);
        assert_memory_equal(&images[0], &from, sizeof from);
        for (size_t i = 0; i < count; i++) {
            // The middle of an area, in quarters of a cell round the centre.
            const int64_t x = 2 * (2 * images[i].x + images[i].width_cells - s.x_halves);
            const int64_t y = 2 * (2 * images[i].y + images[i].height_cells - s.y_halves);
            int64_t moved[2][2];
            const size_t how_many = generators(mirrors, x, y, moved);
            for (size_t g = 0; g < how_many; g++) {
                bool found = false;
                for (size_t j = 0; j < count; j++)
                    found |=
                        2 * (2 * images[j].x + images[j].width_cells - s.x_halves) == moved[g][0] &&
                        2 * (2 * images[j].y + images[j].height_cells - s.y_halves) == moved[g][1];
                assert_true(found);
            }
            assert_int_equal(images[i].width_cells * images[i].height_cells,
                             from.width_cells * from.height_cells);
        }
    }
    const lc_rectangle far = {INT64_MIN + 1, 0, 3, 3};
    lc_rectangle images[LC_EDIT_IMAGES_MAX];
    assert_int_equal(lc_edit_images(&(lc_edit_symmetry){LC_EDIT_SYMMETRY_X, 1, 1}, &far, images),
                     0);
}

static bool clip_cell(const lc_clip *clip, int64_t x, int64_t y)
{
    return lc_cells_row(lc_clip_cells(clip), y)[x / 64] >> (x % 64) & 1;
}

// A random fill with a symmetry has it, has about the density, and is one step.
static void test_symmetric_fills(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 5);
    for (int round = 0; round < 160; round++) {
        const lc_edit_symmetry_kind mirrors = all_mirrors[round % 8];
        const int64_t w = 1 + dice_below(&d, 150), h = 1 + dice_below(&d, 150);
        const bool square = lc_edit_symmetry_is_square(mirrors) || dice_below(&d, 3) == 0;
        const lc_rectangle a = {dice_below(&d, 200) - 100, dice_below(&d, 200) - 100, w,
                                square ? w : h};
        lc_universe *u = test_create("simd", LIFE, shapes[0], 0);
        lc_edits *edits;
        lc_clip *clip;
        lc_message message;
        assert_int_equal(lc_edits_create(&edits, 16 << 20, NULL), LC_OK);
        assert_int_equal(
            lc_edits_fill(edits, u, &creation, &a, 0.5, dice_word(&d), mirrors, &message), LC_OK);
        assert_int_equal(lc_clip_from_universe(&clip, u, &a, &message), LC_OK);
        const uint64_t population = lc_clip_population(clip);
        assert_int_equal(population, test_population(u));
        for (int64_t y = 0; y < a.height_cells; y++)
            for (int64_t x = 0; x < w; x++) {
                int64_t to[2][2];
                const int64_t x_halves = 2 * x + 1 - w, y_halves = 2 * y + 1 - a.height_cells;
                const size_t how_many = generators(mirrors, x_halves, y_halves, to);
                for (size_t g = 0; g < how_many; g++)
                    assert_int_equal(clip_cell(clip, x, y),
                                     clip_cell(clip, (to[g][0] + w - 1) / 2,
                                               (to[g][1] + a.height_cells - 1) / 2));
            }
        const double cells = (double)w * (double)a.height_cells;
        if (cells > 4000)
            assert_true((double)population > 0.3 * cells && (double)population < 0.7 * cells);
        if (population > 0)
            assert_int_equal(lc_edits_undo(edits, u, &message), LC_OK);
        assert_int_equal(test_population(u), 0);
        lc_clip_destroy(&clip);
        lc_edits_destroy(&edits);
        lc_universe_destroy(&u);
    }
    setting s = make_setting(&shapes[0], LIFE, 0.4, 1);
    const lc_rectangle oblong = {0, 0, 5, 6};
    lc_message message;
    assert_int_equal(lc_edits_fill(s.edits, s.universe, &creation, &oblong, 0.5, 1,
                                   LC_EDIT_SYMMETRY_ALL, &message),
                     LC_ERROR_ARGUMENT);
    assert_int_equal(lc_edits_fill(s.edits, s.universe, &creation, &oblong, 0.5, 1,
                                   (lc_edit_symmetry_kind)8, &message),
                     LC_ERROR_ARGUMENT);
    require_equal(s.universe, &s.before, "refused");
    end_setting(&s);
}

// ---- shapes ------------------------------------------------------------------------------------

static bool in_ellipse(int64_t w, int64_t h, int64_t x, int64_t y)
{
    const int64_t i = (2 * x + 1 - w) * h, j = (2 * y + 1 - h) * w;
    return x >= 0 && y >= 0 && x < w && y < h && i * i + j * j <= w * h * w * h;
}

static void test_shapes(void **state)
{
    (void)state;
    lc_message message;
    for (int64_t w = 1; w < 40; w++)
        for (int64_t h = 1; h < 40; h++)
            for (int64_t thickness = 0; thickness < 4; thickness++)
                for (int kind = 0; kind < 2; kind++) {
                    uint8_t cells[40][40] = {0};
                    const lc_rectangle r = {1000, -500, w, h};
                    lc_rectangle *areas;
                    size_t count;
                    assert_int_equal(lc_edit_shape_rectangles((lc_edit_shape)kind, &r, thickness,
                                                              &areas, &count, &message),
                                     LC_OK);
                    for (size_t i = 0; i < count; i++)
                        for (int64_t y = 0; y < areas[i].height_cells; y++)
                            for (int64_t x = 0; x < areas[i].width_cells; x++)
                                cells[areas[i].y + y + 500][areas[i].x + x - 1000]++;
                    free(areas);
                    for (int64_t y = 0; y < h; y++)
                        for (int64_t x = 0; x < w; x++) {
                            const int64_t near = thickness, slanting = near * 7071 / 10000;
                            const bool rim = x < near || y < near || x >= w - near || y >= h - near;
                            bool inside = kind == 1 && near > 0;
                            for (int side = 0; side < 9 && inside; side++) {
                                const int64_t i = side % 3 - 1, j = side / 3 - 1;
                                const int64_t far = i != 0 && j != 0 ? slanting : near;
                                inside = in_ellipse(w, h, x + i * far, y + j * far);
                            }
                            const bool wanted = kind == 1   ? in_ellipse(w, h, x, y) && !inside
                                                : near == 0 ? true
                                                            : rim;
                            if (cells[y][x] != wanted)
                                fail_msg("%lld x %lld, %lld thick, kind %d: (%lld, %lld) is %d",
                                         (long long)w, (long long)h, (long long)thickness, kind,
                                         (long long)x, (long long)y, cells[y][x]);
                        }
                }
    lc_rectangle *areas;
    size_t count;
    const lc_rectangle high = {0, 0, 1, LC_ELLIPSE_ROWS_MAX + 1};
    assert_int_equal(
        lc_edit_shape_rectangles(LC_EDIT_SHAPE_ELLIPSE, &high, 1, &areas, &count, &message),
        LC_ERROR_LIMIT);
    assert_null(areas);
    assert_int_equal(
        lc_edit_shape_rectangles(LC_EDIT_SHAPE_RECTANGLE, &high, 1, &areas, &count, &message),
        LC_OK);
    free(areas);
}

// ---- filling up to a border --------------------------------------------------------------------

static void flood_model(const lc_topology *t, model *from, const lc_rectangle *within, int64_t x,
                        int64_t y, model *m)
{
    bool *cell = find(t, m, x, y);
    const bool alive = get(t, from, x, y);
    if (cell == NULL || *cell != alive || (within != NULL && !is_in(&shapes[0], within, x, y)))
        return;
    *cell = !alive;
    for (int i = 0; i < 9; i++) {
        const int64_t dx = i % 3 - 1, dy = i / 3 - 1;
        const bool *next = find(t, from, x + dx, y + dy);
        if ((alive || dx == 0 || dy == 0) && next != NULL && *next == alive)
            flood_model(t, from, within, x + dx, y + dy, m);
    }
}

static void test_flooding(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 6);
    int done = 0;
    for (int round = 0; round < 300; round++) {
        const lc_topology *t = &shapes[round % 3];
        setting s = make_setting(t, LIFE, round % 2 == 0 ? 0.25 : 0.5, dice_word(&d));
        const lc_rectangle a = {2 + dice_below(&d, 6), 2 + dice_below(&d, 6), 17, 18};
        const bool has_area = t->kind == LC_TOPOLOGY_PLANE;
        const int64_t x = 8 + dice_below(&d, 8), y = 8 + dice_below(&d, 8);
        model after = s.before;
        lc_message message;
        uint64_t count, wanted = 0;
        flood_model(t, &s.before, has_area ? &a : NULL, x, y, &after);
        for (size_t i = 0; i < SIDE * SIDE; i++)
            wanted += after.cells[i / SIDE][i % SIDE] != s.before.cells[i / SIDE][i % SIDE];
        assert_int_equal(
            lc_edits_flood(s.edits, s.universe, x, y, has_area ? &a : NULL, &count, &message),
            LC_OK);
        assert_int_equal(count, wanted);
        done += wanted > 20;
        require_one_step(s.edits, s.universe, &s.before, &after, "flooded");
        end_setting(&s);
    }
    assert_in_range(done, 30, 300);
}

static void test_floods_that_have_no_end(void **state)
{
    (void)state;
    lc_message message;
    uint64_t count;
    setting s = make_setting(&shapes[0], LIFE, 0, 1);
    // A ring: closed inside, open outside.
    const lc_rectangle ring = {5, 5, 9, 9};
    lc_rectangle *areas;
    size_t used;
    assert_int_equal(
        lc_edit_shape_rectangles(LC_EDIT_SHAPE_ELLIPSE, &ring, 1, &areas, &used, &message), LC_OK);
    assert_int_equal(
        lc_edits_paint(s.edits, s.universe, LC_PAINT_ALIVE, 0, areas, used, false, &message),
        LC_OK);
    free(areas);
    const uint64_t rim = test_population(s.universe);
    static const int64_t outside[][2] = {{5, 5}, {4, 9}, {100, 100}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(lc_edits_flood(s.edits, s.universe, outside[i][0], outside[i][1], NULL,
                                        &count, &message),
                         LC_ERROR_ARGUMENT);
    assert_int_equal(test_population(s.universe), rim);
    assert_int_equal(lc_edits_flood(s.edits, s.universe, 9, 9, NULL, &count, &message), LC_OK);
    assert_int_equal(test_population(s.universe), rim + count);
    assert_true(count > 30);
    // A live cell takes all that hangs together with it.
    assert_int_equal(lc_edits_flood(s.edits, s.universe, 9, 5, NULL, &count, &message), LC_OK);
    assert_int_equal(test_population(s.universe), 0);
    const lc_rectangle large = {0, 0, LC_FLOOD_CELLS_MAX, 2};
    assert_int_equal(lc_edits_flood(s.edits, s.universe, 9, 0, &large, &count, &message),
                     LC_ERROR_LIMIT);
    end_setting(&s);
}

// ---- the rest ----------------------------------------------------------------------------------

static void test_shrinking(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 7);
    for (int round = 0; round < 200; round++) {
        setting s = make_setting(&shapes[round % 5], LIFE, 0.02, dice_word(&d));
        const lc_topology *t = s.topology;
        const lc_rectangle a = random_area(&d);
        int64_t x0 = SIDE, y0 = SIDE, x1 = -1, y1 = -1;
        for (int64_t j = 0; j < a.height_cells; j++)
            for (int64_t i = 0; i < a.width_cells; i++)
                if (get(t, &s.before, a.x + i, a.y + j)) {
                    x0 = i < x0 ? i : x0;
                    y0 = j < y0 ? j : y0;
                    x1 = i > x1 ? i : x1;
                    y1 = j;
                }
        lc_box box;
        lc_message message;
        assert_int_equal(lc_clip_find_box(s.universe, &a, &box, &message), LC_OK);
        assert_int_equal(box.empty, x1 < 0);
        if (x1 >= 0) {
            assert_int_equal(box.x, a.x + x0);
            assert_int_equal(box.y, a.y + y0);
            assert_int_equal(box.width_cells, x1 - x0 + 1);
            assert_int_equal(box.height_cells, y1 - y0 + 1);
        }
        end_setting(&s);
    }
    // However large the selection, only what lives is looked at.
    setting s = make_setting(&shapes[0], LIFE, 0.3, 1);
    const lc_rectangle all = {-(INT64_C(1) << 60), -(INT64_C(1) << 60), INT64_C(1) << 61,
                              INT64_C(1) << 61};
    lc_box box;
    lc_message message;
    const lc_box wanted = test_box(s.universe);
    assert_int_equal(lc_clip_find_box(s.universe, &all, &box, &message), LC_OK);
    assert_true(box.empty == wanted.empty && box.x == wanted.x && box.y == wanted.y &&
                box.width_cells == wanted.width_cells && box.height_cells == wanted.height_cells);
    end_setting(&s);
}

static void test_areas_and_the_pencil(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 8);
    for (int round = 0; round < 200; round++) {
        setting s = make_setting(&shapes[round % 5], LIFE, 0.4, dice_word(&d));
        const lc_topology *t = s.topology;
        const lc_rectangle a = random_area(&d);
        const lc_paint how = (lc_paint)dice_below(&d, 3);
        lc_message message;
        bool alive;
        model after = s.before;
        for (int64_t j = 0; j < a.height_cells; j++)
            for (int64_t i = 0; i < a.width_cells; i++) {
                bool *cell = find(t, &after, a.x + i, a.y + j);
                if (cell != NULL)
                    *cell = how == LC_PAINT_INVERT ? !*cell : how == LC_PAINT_ALIVE;
            }
        assert_int_equal(lc_edits_paint(s.edits, s.universe, how, 0, &a, 1, true, &message), LC_OK);
        require_one_step(s.edits, s.universe, &s.before, &after, "painted");
        // The first cell decides, and the stroke goes on like that.
        const int64_t x = 5 + dice_below(&d, 10), y = 5 + dice_below(&d, 10);
        assert_int_equal(lc_edits_pencil(s.edits, s.universe, 9, x, y, &alive, &message), LC_OK);
        assert_int_equal(alive, !get(t, &s.before, x, y));
        for (int i = 0; i < 9; i++) {
            bool same;
            assert_int_equal(lc_edits_pencil(s.edits, s.universe, 9, x + i, y, &same, &message),
                             LC_OK);
            assert_int_equal(same, alive);
        }
        end_setting(&s);
    }
    // What would be killed far out needs no looking at, and what would come alive there no memory.
    setting s = make_setting(&shapes[0], LIFE, 0.4, 1);
    const lc_rectangle all = {-(INT64_C(1) << 60), -(INT64_C(1) << 60), INT64_C(1) << 61,
                              INT64_C(1) << 61};
    lc_message message;
    assert_int_not_equal(
        lc_edits_paint(s.edits, s.universe, LC_PAINT_INVERT, 0, &all, 1, false, &message), LC_OK);
    require_equal(s.universe, &s.before, "refused");
    assert_int_equal(
        lc_edits_paint(s.edits, s.universe, LC_PAINT_DEAD, 0, &all, 1, false, &message), LC_OK);
    assert_int_equal(test_population(s.universe), 0);
    assert_int_equal(lc_edits_undo(s.edits, s.universe, &message), LC_OK);
    require_equal(s.universe, &s.before, "undone");
    end_setting(&s);
}

// A part that fails takes those before it back.
static void test_joint_edits_that_fail(void **state)
{
    (void)state;
    setting s = make_setting(&shapes[0], LIFE, 0.4, 1);
    const lc_rectangle a = {0, 0, 20, 20};
    lc_message message;
    lc_edits_begin(s.edits, s.universe);
    lc_status status =
        lc_edits_paint(s.edits, s.universe, LC_PAINT_INVERT, 0, &a, 1, true, &message);
    assert_int_equal(status, LC_OK);
    assert_int_equal(lc_edits_end(s.edits, LC_ERROR_MEMORY), LC_ERROR_MEMORY);
    require_equal(s.universe, &s.before, "taken back");
    assert_false(lc_edits_can_undo(s.edits) || lc_edits_can_redo(s.edits));
    // Where a step cannot be kept, it says so.
    lc_edits_destroy(&s.edits);
    assert_int_equal(lc_edits_create(&s.edits, 100, NULL), LC_OK);
    assert_int_equal(lc_edits_move(s.edits, s.universe, &a, 3, 3, false, LC_PASTE_OR, &message),
                     LC_OK);
    assert_false(lc_edits_kept(s.edits));
    assert_false(lc_edits_can_undo(s.edits));
    end_setting(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_what_changes_nothing),
        cmocka_unit_test(test_advancing),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_symmetric_fills),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_flooding),
        cmocka_unit_test(test_floods_that_have_no_end),
        cmocka_unit_test(test_shrinking),
        cmocka_unit_test(test_areas_and_the_pencil),
        cmocka_unit_test(test_joint_edits_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
