// Near pictures in the midst of a long pass against the universe itself, stepped that far: on all
// surfaces, at and across their edges, near and less near, by rules of all kinds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_universe.h"
#include "viewer/local_preview.h"
#include "viewer/picture_message.h"

enum { PASS = 40, SIDE = 4096 };

static const lc_universe_options none = {.struct_bytes = sizeof none};

// Shows it and compares: `u` so many generations ahead, `same` as it is.
static void compare(lc_local_preview *preview, const lc_universe *u, uint64_t revision,
                    const lc_look *look, uint64_t ahead, const lc_universe *same)
{
    const size_t size = lc_frame_payload_bytes(look->scale == 0 ? 1 : 8, look->width, look->height);
    unsigned char *shown = malloc(size), *really = malloc(size);
    memset(shown, 0xa5, size);
    assert_int_equal(
        lc_local_preview_render(preview, u, revision, look, 9, ahead, PASS, &none, shown, NULL),
        LC_OK);
    assert_int_equal(lc_render(same, look, really, NULL), LC_OK);
    assert_memory_equal(shown, really, size);
    free(shown);
    free(really);
}

// Of two passes several generations, in one go and one after the other.
static void check(const lc_topology *shape, const lc_rule *rule, lc_look look)
{
    static const uint64_t ahead[] = {1, 7, 8, 25, PASS - 1};
    lc_local_preview preview = {0};
    lc_universe *u = test_create_soup(shape, rule, NULL, 2);
    lc_universe *same = test_create_soup(shape, rule, NULL, 2);
    test_step(u, 3);
    test_step(same, 3);
    assert_true(lc_local_preview_is_possible(u, &look, PASS));
    for (uint64_t pass = 1; pass <= 2; pass++) {
        uint64_t at = 0;
        for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++) {
            test_step(same, ahead[i] - at);
            at = ahead[i];
            compare(&preview, u, pass, &look, at, same);
        }
        test_step(u, at);
    }
    lc_local_preview_free(&preview);
    lc_universe_destroy(&u);
    lc_universe_destroy(&same);
}

static const lc_topology torus = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = SIDE, .height_cells = SIDE};

static void what_is_shown_ahead_is_what_comes(void **state)
{
    (void)state;
    const lc_rule *life = LIFE;
    for (int scale = 0; scale <= 3; scale++)
        check(&torus, life,
              (lc_look){.x = 1000, .y = 777, .scale = scale, .width = 70, .height = 40});
}

// Whole squares at the edges, whose neighbours are on the other side, or nowhere.
static void at_edges_it_is_so_too(void **state)
{
    (void)state;
    const lc_rule *life = LIFE;
    static const lc_topology shapes[] = {
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = SIDE, .height_cells = SIDE},
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = SIDE, .height_cells = SIDE},
        {.kind = LC_TOPOLOGY_TORUS, .width_cells = 3001, .height_cells = 2053},
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = 3001, .height_cells = 2053},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int64_t width = shapes[i].width_cells, height = shapes[i].height_cells;
        check(&shapes[i], life, (lc_look){.width = 90, .height = 50});
        check(&shapes[i], life,
              (lc_look){.x = width - 90, .y = height - 50, .width = 90, .height = 50});
        check(&shapes[i], life,
              (lc_look){.x = 500, .y = height - 400, .scale = 3, .width = 40, .height = 50});
    }
    // Without an end, in one direction or both.
    const lc_topology tube = {.kind = LC_TOPOLOGY_TORUS, .height_cells = SIDE};
    check(&tube, life, (lc_look){.x = -30, .y = 0, .scale = 1, .width = 90, .height = 50});
    check(&infinite_plane, life, (lc_look){.x = -100, .y = -3, .width = 200, .height = 99});
}

static void all_rules_are_shown_ahead(void **state)
{
    (void)state;
    static const char *const rules[] = {"B36/S23", "B0123478/S01234678", "B2-a/S12", "B2/S34H",
                                        "W110"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const lc_rule *rule = rule_of(rules[i]);
        check(&torus, rule, (lc_look){.x = 1000, .y = 4000, .width = 70, .height = 96});
    }
}

static void what_cannot_be_shown_ahead_is_not(void **state)
{
    (void)state;
    const lc_rule *life = LIFE;
    const lc_look look = {.x = 100, .y = 100, .width = 90, .height = 50};
    lc_universe *u = test_create_soup(&torus, life, NULL, 2);
    assert_true(lc_local_preview_is_possible(u, &look, PASS));
    assert_false(lc_local_preview_is_possible(u, &look, UINT64_MAX));
    assert_false(
        lc_local_preview_is_possible(u, &(lc_look){.x = -1, .width = 9, .height = 9}, PASS));
    assert_false(
        lc_local_preview_is_possible(u, &(lc_look){.y = SIDE - 8, .width = 9, .height = 9}, PASS));
    // It would be most of the universe.
    assert_false(lc_local_preview_is_possible(u, &(lc_look){.width = 1500, .height = 1000}, PASS));
    assert_false(
        lc_local_preview_is_possible(u, &(lc_look){.scale = 6, .width = 4, .height = 4}, PASS));
    lc_universe_destroy(&u);
    // What is beyond a twisted edge lies elsewhere.
    const lc_topology twisted = {.kind = LC_TOPOLOGY_KLEIN_BOTTLE,
                                 .width_cells = SIDE,
                                 .height_cells = SIDE,
                                 .twist_x = true};
    u = test_create_soup(&twisted, life, NULL, 2);
    assert_true(lc_local_preview_is_possible(u, &look, PASS));
    assert_false(lc_local_preview_is_possible(
        u, &(lc_look){.x = 100, .y = 10, .width = 9, .height = 9}, PASS));
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown_ahead_is_what_comes),
        cmocka_unit_test(at_edges_it_is_so_too),
        cmocka_unit_test(all_rules_are_shown_ahead),
        cmocka_unit_test(what_cannot_be_shown_ahead_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
