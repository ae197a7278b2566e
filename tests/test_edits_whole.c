// Edits of all kinds that fail in the middle, for want of memory or because they are given up: no
// cell has changed then, and what could be undone and redone before still can be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/edits.h"
#include "support.h"
#include "support_edits.h"
#include "support_facts.h"
#include "support_universe.h"

enum { X = -650, Y = -631, WIDTH = 2500, HEIGHT = 2200 }; // what is changed

typedef enum kind {
    ALIVE,
    INVERT,
    RUNS,
    ELLIPSE,
    FILL,
    CLEAR,
    CLEAR_OUTSIDE,
    PASTE,
    MOVE,
    TURN,
    ADVANCE,
    SYMMETRIC_FILL,
    FLOOD,
    UNDO,
    REDO,
    KINDS,
} kind;

// An edited universe: one step can be undone, two can be redone.
typedef struct setting {
    lc_universe *universe;
    lc_edits *edits;
    uint64_t hashes[4]; // after so many steps
    int at;
    int asked, give_up_at;
} setting;

static bool gives_up(void *context)
{
    setting *s = context;
    return ++s->asked == s->give_up_at;
}

static lc_clip *clip;

static int make_clip(void **state)
{
    (void)state;
    lc_universe *soup = test_create("simd", LIFE, infinite_plane, 0);
    assert_int_equal(lc_universe_soup(soup, 0, 0, WIDTH, HEIGHT, 0.5, 7, NULL), LC_OK);
    assert_int_equal(lc_clip_from_universe(&clip, soup, &(lc_rectangle){0, 0, WIDTH, HEIGHT}, NULL),
                     LC_OK);
    lc_universe_destroy(&soup);
    return 0;
}

static int free_clip(void **state)
{
    (void)state;
    lc_clip_destroy(&clip);
    return 0;
}

static const lc_universe_options scratch = {.struct_bytes = sizeof scratch, .threads = 1};

// False: there is no memory for that.
static bool make(setting *s, const char *engine, lc_topology topology, uint64_t max_memory_bytes,
                 kind what)
{
    const bool is_large = what == REDO || what == UNDO; // the step that is to be undone or redone
    const int64_t x = is_large ? X : 9, y = is_large ? Y : 9; // on a torus, too
    const int64_t wide = is_large ? WIDTH : 400, high = is_large ? HEIGHT : 400;
    lc_message message;
    *s = (setting){0};
    if (test_try_create(&s->universe, engine, topology, max_memory_bytes, &message) != LC_OK)
        return false;
    assert_int_equal(lc_edits_create(&s->edits, 64 << 20, NULL), LC_OK);
    const run ring[] = {{3, 3, 40}, {3, 40, 40}, {3, 9, 1}};
    run sides[70];
    for (int i = 0; i < 70; i++)
        sides[i] = (run){i % 2 == 0 ? 3 : 42, 4 + i / 2, 1};
    lc_status status = test_draw(s->edits, s->universe, true, 0, ring, 3, &message);
    s->hashes[1] = status == LC_OK ? test_hash(s->universe) : 0;
    if (status == LC_OK && what == UNDO)
        status = lc_edits_fill(s->edits, s->universe, &scratch, &(lc_rectangle){x, y, wide, high},
                               0.4, 2, LC_EDIT_SYMMETRY_NONE, &message);
    if (status == LC_OK && what == UNDO) { // to be undone later: nothing is there now
        status = lc_edits_clear(s->edits, s->universe, &(lc_rectangle){X, Y, WIDTH, HEIGHT}, false,
                                &message);
        s->hashes[2] = test_hash(s->universe);
        s->at = 2;
        return status == LC_OK;
    }
    if (status == LC_OK)
        status = test_draw(s->edits, s->universe, true, 0, sides, 70, &message);
    s->hashes[2] = status == LC_OK ? test_hash(s->universe) : 0;
    if (status == LC_OK)
        status = lc_edits_fill(s->edits, s->universe, &scratch, &(lc_rectangle){x, y, wide, high},
                               0.4, 2, LC_EDIT_SYMMETRY_NONE, &message);
    s->hashes[3] = status == LC_OK ? test_hash(s->universe) : 0;
    if (status == LC_OK)
        status = lc_edits_undo(s->edits, s->universe, &message);
    s->at = 2;
    return status == LC_OK;
}

static void end(setting *s)
{
    lc_edits_destroy(&s->edits);
    lc_universe_destroy(&s->universe);
}

static lc_status edit(setting *s, kind what, lc_message *message)
{
    const lc_rectangle a = {X, Y, WIDTH, HEIGHT};
    lc_rectangle square = {X, Y, HEIGHT, HEIGHT}, to, *areas;
    run runs[HEIGHT / 4];
    size_t count = HEIGHT / 4;
    uint64_t number;
    lc_universe *u = s->universe;
    lc_edits *edits = s->edits;
    lc_status status;
    switch (what) {
    case ALIVE:
        return lc_edits_paint(edits, u, LC_PAINT_ALIVE, 0, &a, 1, true, message);
    case INVERT:
        return lc_edits_paint(edits, u, LC_PAINT_INVERT, 0, &a, 1, true, message);
    case RUNS:
        for (size_t i = 0; i < count; i++)
            runs[i] = (run){X, Y + (int64_t)i * 4, WIDTH};
        return test_draw(edits, u, true, 1, runs, count, message);
    case ELLIPSE:
        status = lc_edit_shape_rectangles(LC_EDIT_SHAPE_ELLIPSE, &a, 300, &areas, &count, message);
        assert_int_equal(status, LC_OK);
        status = lc_edits_paint(edits, u, LC_PAINT_ALIVE, 2, areas, count, false, message);
        free(areas);
        return status;
    case FILL:
        return lc_edits_fill(edits, u, &scratch, &(lc_rectangle){X, Y, WIDTH, HEIGHT}, 0.5, 3,
                             LC_EDIT_SYMMETRY_NONE, message);
    case CLEAR:
        return lc_edits_clear(edits, u, &(lc_rectangle){0, 0, 33, 17}, false, message);
    case CLEAR_OUTSIDE:
        return lc_edits_clear(edits, u, &(lc_rectangle){0, 0, 33, 17}, true, message);
    case PASTE:
        return lc_edits_paste(edits, u, clip, X, Y, LC_PASTE_XOR, message);
    case MOVE:
        return lc_edits_move(edits, u, &a, 900, 700, true, LC_PASTE_OR, message);
    case TURN:
        return lc_edits_turn(edits, u, &a, LC_TURN_RIGHT, &to, message);
    case ADVANCE:
        return lc_edits_advance(edits, u, &scratch, &a, false, message);
    case SYMMETRIC_FILL:
        return lc_edits_fill(edits, u, &scratch, &square, 0.5, 5, LC_EDIT_SYMMETRY_TURN_4, message);
    case FLOOD:
        return lc_edits_flood(edits, u, 20, 20, &a, &number, message);
    case UNDO:
        return lc_edits_undo(edits, u, message);
    default:
        return lc_edits_redo(edits, u, message);
    }
}

// It has failed: all is as it was.
static void expect_nothing_happened(setting *s, kind what, const lc_message *message)
{
    lc_message ignored;
    assert_true(message->text[0] != '\0');
    if (test_hash(s->universe) != s->hashes[2])
        fail_msg("%s, kind %d has changed cells: %s", lc_universe_info_of(s->universe).engine,
                 (int)what, message->text);
    assert_int_equal(test_generation(s->universe), 0);
    assert_true(lc_edits_can_undo(s->edits));
    assert_int_equal(lc_edits_can_redo(s->edits), what != UNDO);
    if (what == UNDO)
        return;
    lc_edits_set_give_up(s->edits, NULL, NULL);
    assert_int_equal(lc_edits_undo(s->edits, s->universe, &ignored), LC_OK);
    assert_int_equal(test_hash(s->universe), s->hashes[1]);
    assert_int_equal(lc_edits_redo(s->edits, s->universe, &ignored), LC_OK);
    assert_int_equal(test_hash(s->universe), s->hashes[2]);
}

static const char *const engines[] = {"sparse", "hashlife", "simd", NULL};

static void test_too_little_memory(void **state)
{
    (void)state;
    int failures[KINDS] = {0}, all = 0;
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        for (int what = 0; what < KINDS; what++) {
            lc_status status = LC_ERROR_LIMIT;
            for (uint64_t limit = 1 << 18; status != LC_OK && limit < 1 << 28; limit += limit / 4) {
                lc_message message = {0};
                setting s;
                if (make(&s, engines[i], infinite_plane, limit, (kind)what)) {
                    status = edit(&s, (kind)what, &message);
                    if (status != LC_OK) {
                        if (status != LC_ERROR_LIMIT && status != LC_ERROR_MEMORY)
                            fail_msg("kind %d: %s", what, message.text);
                        expect_nothing_happened(&s, (kind)what, &message);
                        failures[what]++;
                        all++;
                    }
                }
                end(&s);
            }
            assert_int_equal(status, LC_OK);
        }
    print_message("%d edits failed\n", all);
    assert_true(failures[FILL] > 3 && failures[PASTE] > 3 && failures[INVERT] > 3);
}

static void test_allocations_that_fail(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        for (int what = 0; what < KINDS; what++)
            for (uint64_t n = 1;; n += 1 + n) {
                lc_message message = {0};
                setting s;
                assert_true(make(&s, engines[i], infinite_plane, 0, (kind)what));
                lc_fail_allocation(n);
                const lc_status status = edit(&s, (kind)what, &message);
                lc_fail_allocation(0);
                if (status != LC_OK)
                    expect_nothing_happened(&s, (kind)what, &message);
                failed += status != LC_OK;
                end(&s);
                if (status == LC_OK && n > 40)
                    break;
            }
    print_message("%d edits failed\n", failed);
    assert_true(failed > 20);
}

static void test_giving_up(void **state)
{
    (void)state;
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 4096, .height_cells = 4096};
    int given_up[KINDS] = {0};
    for (size_t i = 0; i < 2 * sizeof engines / sizeof *engines; i++)
        for (int what = 0; what < KINDS; what++)
            for (int n = 1;; n += n) {
                lc_message message = {0};
                setting s;
                assert_true(
                    make(&s, engines[i / 2], i % 2 == 0 ? infinite_plane : torus, 0, (kind)what));
                s.give_up_at = n;
                lc_edits_set_give_up(s.edits, gives_up, &s);
                const lc_status status = edit(&s, (kind)what, &message);
                const bool over = s.asked < n;
                assert_int_equal(status, over ? LC_OK : LC_ERROR_STOPPED);
                if (!over) {
                    expect_nothing_happened(&s, (kind)what, &message);
                    given_up[what]++;
                }
                end(&s);
                if (over)
                    break;
            }
    for (int what = 0; what < KINDS; what++)
        if (what != CLEAR && what != CLEAR_OUTSIDE) // which are small
            assert_in_range(given_up[what], 4, 1000);
}

// What cannot be is known before a cell is looked at.
static void test_what_is_far_too_large(void **state)
{
    (void)state;
    const int64_t side = 1 << 16, far = 1 << 20;
    static const char *const small[] = {"sparse", "simd", NULL};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        lc_message message = {0};
        setting s;
        assert_true(make(&s, small[i], infinite_plane, 64 << 20, INVERT));
        lc_edits_set_give_up(s.edits, gives_up, &s);
        const lc_rectangle a = {0, 0, side, side};
        assert_int_equal(
            lc_edits_paint(s.edits, s.universe, LC_PAINT_INVERT, 0, &a, 1, true, &message),
            LC_ERROR_LIMIT);
        assert_int_equal(lc_edits_fill(s.edits, s.universe, &scratch,
                                       &(lc_rectangle){0, 0, side, side}, 0.5, 1,
                                       LC_EDIT_SYMMETRY_NONE, &message),
                         LC_ERROR_LIMIT);
        for (int shape = 0; shape < 2; shape++) {
            const int64_t high = shape == LC_EDIT_SHAPE_ELLIPSE ? LC_ELLIPSE_ROWS_MAX : far;
            for (int64_t thickness = 0; thickness <= 4096; thickness += 4096) {
                lc_rectangle *areas;
                size_t count;
                assert_int_equal(lc_edit_shape_rectangles((lc_edit_shape)shape,
                                                          &(lc_rectangle){0, 0, far, high},
                                                          thickness, &areas, &count, &message),
                                 LC_OK);
                assert_int_equal(lc_edits_paint(s.edits, s.universe, LC_PAINT_ALIVE, 0, areas,
                                                count, false, &message),
                                 LC_ERROR_LIMIT);
                free(areas);
            }
        }
        assert_int_equal(s.asked, 0);
        expect_nothing_happened(&s, INVERT, &message);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_allocations_that_fail),
        cmocka_unit_test(test_giving_up),
        cmocka_unit_test(test_what_is_far_too_large),
    };
    return cmocka_run_group_tests(tests, make_clip, free_clip);
}
