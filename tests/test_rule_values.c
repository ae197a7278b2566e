// Rules as values: one form for each, traits that are worked out, and the surfaces that a rule can
// live on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_map.h"

static const lc_rule life = LC_RULE_LIFE;
static const lc_rule high_life = LC_RULE_TOTALISTIC(1u << 3 | 1u << 6, 1u << 2 | 1u << 3);

static void test_initialisers(void **state)
{
    (void)state;
    lc_rule parsed;
    memset(&parsed, 0x55, sizeof parsed);
    assert_int_equal(lc_rule_parse("B3/S23", &parsed, NULL, NULL), LC_OK);
    assert_memory_equal(&parsed, &life, sizeof life);
    assert_true(lc_rule_equal(&parsed, &life));
    assert_false(lc_rule_equal(&parsed, &high_life));
    assert_int_equal(lc_rule_parse("HighLife", &parsed, NULL, NULL), LC_OK);
    assert_memory_equal(&parsed, &high_life, sizeof high_life);
    assert_int_equal(life.family, LC_FAMILY_TOTALISTIC);
    assert_int_equal(life.symmetry, LC_SYMMETRY_ALL);
    assert_int_equal(life.states, 2);
    assert_int_equal(life.reach, 1);
    // All of it counts, so there is no padding in it.
    assert_int_equal(sizeof(lc_rule), 2 * sizeof(uint8_t) + 4 * sizeof(uint16_t) + 64);
    for (size_t i = 0; lc_rule_named(i, NULL, &parsed); i++)
        assert_int_equal(lc_rule_check(&parsed, NULL), LC_OK);
}

// Each neighbourhood of a rule of counts is what the counts say, and its table gives the rule back.
static void test_maps_of_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        const lc_rule rule = rule_at(i, test_seed());
        uint8_t table[64] = {0};
        for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++) {
            unsigned neighbours = 0;
            for (unsigned cell = 0; cell < 9; cell++)
                neighbours += cell != 4 ? neighbourhood >> cell & 1 : 0;
            const unsigned counts = (neighbourhood >> 4 & 1) != 0 ? rule.survival : rule.birth;
            const bool alive = counts >> neighbours & 1;
            assert_int_equal(lc_rule_next(&rule, neighbourhood), alive);
            table[neighbourhood / 8] |= (uint8_t)(alive << (7 - neighbourhood % 8));
        }
        lc_rule made;
        memset(&made, 0xaa, sizeof made);
        lc_rule_from_map(table, &made);
        assert_memory_equal(&made, &rule, sizeof rule);
        // One neighbourhood that says something else than the others of its counts.
        const unsigned odd = (unsigned)dice_below(&(dice){i}, 512);
        if (odd == 0 || odd == 16 || odd == 495 || odd == 511)
            continue; // the only neighbourhood of its counts
        table[odd / 8] ^= (uint8_t)(0x80 >> odd % 8);
        lc_rule_from_map(table, &made);
        assert_int_equal(made.family, LC_FAMILY_MAP);
        assert_int_equal(made.birth | made.survival, 0);
        assert_memory_equal(made.table, table, sizeof table);
        for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++)
            assert_int_equal(lc_rule_next(&made, neighbourhood),
                             lc_rule_next(&rule, neighbourhood) != (neighbourhood == odd));
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    static const motion mirror_x = {-1, 0, 0, 1}, mirror_y = {1, 0, 0, -1}, turn = {0, -1, 1, 0};
    for (size_t group = 0; group < TEST_GROUPS; group++) {
        for (uint64_t i = 0; i < 20; i++) {
            const lc_rule rule = test_map(group, i % 2 != 0, test_seed() + i);
            const int expected =
                (test_group_has(group, mirror_x) ? LC_SYMMETRY_MIRROR_X : LC_SYMMETRY_NONE) |
                (test_group_has(group, mirror_y) ? LC_SYMMETRY_MIRROR_Y : LC_SYMMETRY_NONE) |
                (test_group_has(group, turn) ? LC_SYMMETRY_TURN : LC_SYMMETRY_NONE);
            assert_int_equal(rule.family, LC_FAMILY_MAP);
            if (rule.symmetry != expected)
                fail_msg("%s: symmetry %d, not %d", test_group_name(group), rule.symmetry,
                         expected);
            assert_int_equal(lc_rule_check(&rule, NULL), LC_OK);
            lc_rule again;
            memset(&again, 0xaa, sizeof again);
            lc_rule_from_map(rule.table, &again);
            assert_memory_equal(&again, &rule, sizeof rule);
        }
    }
}

static void check_refused(const lc_rule *rule, const char *says)
{
    lc_message message = {0};
    assert_int_equal(lc_rule_check(rule, &message), LC_ERROR_ARGUMENT);
    if (strstr(message.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", message.text, says);
    assert_int_equal(lc_rule_check(rule, NULL), LC_ERROR_ARGUMENT);
}

static void test_check(void **state)
{
    (void)state;
    const lc_rule nothing = {0};
    check_refused(&nothing, "no rule");
    lc_rule rule = LC_RULE_TOTALISTIC(1u << 9, 0);
    check_refused(&rule, "0 to 8 neighbours");
    rule = (lc_rule)LC_RULE_TOTALISTIC(0, 1u << 15);
    check_refused(&rule, "0 to 8 neighbours");
    rule = life;
    rule.family = 77;
    check_refused(&rule, "77 is no family");
    // Whatever else is changed in a rule of counts, it is none.
    for (size_t bit = 8; bit < 8 * sizeof rule; bit++) {
        const size_t byte = bit / 8;
        rule = life;
        if (byte >= offsetof(lc_rule, birth) && byte < offsetof(lc_rule, table))
            continue;
        ((uint8_t *)&rule)[byte] ^= (uint8_t)(1u << bit % 8);
        check_refused(&rule, "one form");
    }
    // Nor can the caller claim a symmetry for a map, or hide one.
    for (size_t group = 0; group < TEST_GROUPS; group++) {
        for (unsigned symmetry = 0; symmetry < 256; symmetry++) {
            rule = test_map(group, false, test_seed());
            const bool right = rule.symmetry == symmetry;
            rule.symmetry = (uint8_t)symmetry;
            if (!right)
                check_refused(&rule, "one form");
        }
    }
    // A rule of counts has one form, and the map is not it.
    lc_rule map = {.family = LC_FAMILY_MAP, .symmetry = LC_SYMMETRY_ALL, .states = 2, .reach = 1};
    for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++)
        map.table[neighbourhood / 8] |=
            (uint8_t)(lc_rule_next(&life, neighbourhood) << (7 - neighbourhood % 8));
    check_refused(&map, "one form");
    assert_string_equal(lc_family_name(LC_FAMILY_TOTALISTIC), "outer-totalistic");
    assert_string_equal(lc_family_name(LC_FAMILY_MAP), "map");
    assert_null(lc_family_name(-1));
    assert_null(lc_family_name(LC_FAMILY_MAP + 1));
}

static void test_traits(void **state)
{
    (void)state;
    assert_int_equal(lc_rule_planes(&life), 1);
    assert_int_equal(lc_rule_halo_cells(&life, 0), 0);
    assert_int_equal(lc_rule_halo_cells(&life, 7), 7);
    assert_int_equal(lc_rule_halo_cells(&life, INT64_MAX), INT64_MAX);
    assert_int_equal(lc_rule_halo_cells(&life, UINT64_MAX), INT64_MAX);
    assert_int_equal(lc_rule_halo_generations(&life, 7), 7);
    // No rule has such traits yet, but the reckoning is with any.
    lc_rule rule = life;
    rule.reach = 3;
    assert_int_equal(lc_rule_halo_cells(&rule, 7), 21);
    assert_int_equal(lc_rule_halo_cells(&rule, (uint64_t)1 << 62), INT64_MAX);
    assert_int_equal(lc_rule_halo_generations(&rule, 23), 7);
    assert_int_equal(lc_rule_halo_generations(&rule, 2), 0);
    static const int planes[][2] = {{2, 1}, {3, 2}, {4, 2}, {5, 3}, {255, 8}, {256, 8}};
    for (size_t i = 0; i < sizeof planes / sizeof planes[0]; i++) {
        rule.states = (uint16_t)planes[i][0];
        assert_int_equal(lc_rule_planes(&rule), planes[i][1]);
    }
}

// Whether a rule takes no notice of what a surface does with its cells.
static bool can_live_on(const lc_rule *rule, const lc_topology *topology)
{
    motion motions[8];
    const size_t count = test_motions_of(topology, motions);
    for (size_t i = 0; i < count; i++)
        for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++)
            if (lc_rule_next(rule, neighbourhood) !=
                lc_rule_next(rule, test_moved_neighbourhood(neighbourhood, motions[i])))
                return false;
    return true;
}

// Refused before any engine is asked, the one here being none at all.
static void check_universe(const lc_rule *rule, const lc_topology *topology, bool lives)
{
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = test_context(),
                                   .rule = *rule,
                                   .topology = *topology,
                                   .engine = lives ? "scalar" : "none",
                                   .threads = 1};
    lc_universe *universe;
    lc_universe_needs needs;
    lc_message why = {0}, again = {0};
    const lc_status expected = lives ? LC_OK : LC_ERROR_UNSUPPORTED;
    assert_int_equal(lc_universe_create(&universe, &options, &why), expected);
    assert_int_equal(lc_universe_check(&options, &needs, &again), expected);
    assert_string_equal(why.text, again.text);
    lc_universe_destroy(&universe);
}

static void test_surfaces(void **state)
{
    (void)state;
    static const size_t motions[SURFACE_COUNT] = {
        [SURFACE_PLANE] = 1,         [SURFACE_TORUS] = 1,
        [SURFACE_TORUS_SHIFT_X] = 1, [SURFACE_TORUS_SHIFT_X_BACK] = 1,
        [SURFACE_TORUS_SHIFT_Y] = 1, [SURFACE_TORUS_SHIFT_Y_BACK] = 1,
        [SURFACE_KLEIN_X] = 2,       [SURFACE_KLEIN_Y] = 2,
        [SURFACE_KLEIN_X_SHIFT] = 2, [SURFACE_KLEIN_Y_SHIFT] = 2,
        [SURFACE_CROSS] = 4,         [SURFACE_SPHERE] = 4};
    dice d = dice_from(test_seed(), 1);
    size_t refused = 0;
    for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
        lc_topology t;
        motion seen[8];
        assert_true(topology_of(kind, 8, kind == SURFACE_SPHERE ? 8 : 6, &d, &t));
        assert_int_equal(test_motions_of(&t, seen), motions[kind]);
        for (size_t group = 0; group < TEST_GROUPS; group++) {
            for (uint64_t i = 0; i < 4; i++) {
                const lc_rule rule = test_map(group, i % 2 != 0, test_seed() + i);
                const bool lives = can_live_on(&rule, &t);
                lc_message message = {0};
                const lc_status status = lc_rule_check_topology(&rule, &t, &message);
                if (status != (lives ? LC_OK : LC_ERROR_UNSUPPORTED))
                    fail_msg("surface %d, symmetry %s: %s, %s", (int)kind, test_group_name(group),
                             lc_status_name(status), message.text);
                assert_true(lives || strstr(message.text, "carries every rule") != NULL);
                refused += !lives;
                check_universe(&rule, &t, lives);
            }
        }
        const lc_rule counts = rule_at(kind, test_seed());
        assert_int_equal(lc_rule_check_topology(&counts, &t, NULL), LC_OK);
    }
    assert_true(refused > 100);
}

static void test_sentences(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *says;
        size_t group;
    } cases[] = {
        {"K8*,6", "Klein bottle cells are seen mirrored left to right", 3},
        {"K8,6*", "Klein bottle cells are seen mirrored top to bottom", 2},
        {"C8,6", "cross-surface cells are seen mirrored left to right", 0},
        {"C8,6", "cross-surface cells are seen mirrored top to bottom", 2},
        {"S8", "sphere cells are seen turned by a quarter", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lc_topology t;
        lc_message message = {0};
        const lc_rule rule = test_map(cases[i].group, false, test_seed());
        assert_int_equal(lc_topology_parse(cases[i].topology, &t, NULL), LC_OK);
        assert_int_equal(lc_rule_check_topology(&rule, &t, &message), LC_ERROR_UNSUPPORTED);
        if (strstr(message.text, cases[i].says) == NULL)
            fail_msg("%s: \"%s\"", cases[i].topology, message.text);
    }
    // What is no rule, or no surface, is said first; and B0 makes no stripes.
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = -1};
    const lc_topology strip = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 20};
    const lc_rule none = {0}, b0 = test_map(TEST_GROUPS - 1, true, 1);
    assert_int_equal(lc_rule_check_topology(&none, &strip, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_check_topology(&life, &torus, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_check_topology(&b0, &strip, NULL), LC_ERROR_UNSUPPORTED);
}

// As bgolly 3.3 takes it: every cell becomes what its left neighbour was, but for the cases that
// the last digits change.
static void test_text(void **state)
{
    (void)state;
    uint8_t table[64];
    char text[LC_RULE_TEXT_BYTES];
    lc_rule rule;
    for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++) {
        const unsigned bit = 0x80 >> neighbourhood % 8;
        table[neighbourhood / 8] =
            (uint8_t)((neighbourhood >> 5 & 1) != 0 ? table[neighbourhood / 8] | bit
                                                    : table[neighbourhood / 8] & ~bit);
    }
    lc_rule_from_map(table, &rule);
    lc_rule_format(&rule, NULL, text);
    assert_string_equal(text, "MAPAAAAAP////8AAAAA/////wAAAAD/////AAAAAP////8AAAAA/////wAAAAD"
                              "/////AAAAAP////8AAAAA/////w");
    table[63] = 0x01;
    table[0] = 0x40;
    lc_rule_from_map(table, &rule);
    const lc_topology longest = {.kind = LC_TOPOLOGY_TORUS,
                                 .width_cells = INT64_C(1) << 61,
                                 .height_cells = INT64_C(1) << 61,
                                 .shift_x_cells = -(INT64_C(1) << 60)};
    lc_rule_format(&rule, &longest, text);
    assert_string_equal(text, "MAPQAAAAP////8AAAAA/////wAAAAD/////AAAAAP////8AAAAA/////wAAAAD"
                              "/////AAAAAP////8AAAAA////AQ:T2305843009213693952-1152921504606846976"
                              ",2305843009213693952");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initialisers), cmocka_unit_test(test_maps_of_counts),
        cmocka_unit_test(test_symmetry),     cmocka_unit_test(test_check),
        cmocka_unit_test(test_traits),       cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_sentences),    cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
