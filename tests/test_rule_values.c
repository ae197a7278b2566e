// Rules as objects: equal ones are the same, they are freed with their last reference, their traits
// are worked out, and so are the surfaces that a rule can live on.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "rule/rule_value.h"
#include "support.h"
#include "support_map.h"

// A rule that the caller releases.
static const lc_rule *made(const char *text)
{
    const lc_rule *rule;
    assert_int_equal(lc_rule_parse(text, &rule, NULL, NULL), LC_OK);
    return rule;
}

// One object ------------------------------------------------------------------------------------

static const char *const same[][6] = {
    {"B3/S23", "b3s23", "23/3", "Life", "S23/B3:T9,8",
     "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA"},
    {"B36/S23", "HighLife", "highlife", "23/36", "b63s32"},
    {"B/S", "/", "S/B", " bs "},
    {"B2/S34H", "b2s34h", "S34/B2H", "B2/S34 H"},
    {"B2/S013V", "MAPHmlphg", "B2/S013 V"},
    {"W22", "w22", " W22"},
    {"B2-a/S12", "b2cekin/s12", "S12/B2-a"},
};

static void test_notations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const lc_rule *rule = rule_of(same[i][0]);
        for (size_t k = 1; k < 6 && same[i][k] != NULL; k++)
            if (rule_and_topology(same[i][k], NULL) != rule)
                fail_msg("%s is not the same as %s", same[i][k], same[i][0]);
        for (size_t k = 0; k < i; k++)
            assert_true(rule_of(same[k][0]) != rule);
        uint8_t table[64];
        lc_rule_map(rule, table);
        assert_true(rule_of_map(table) == rule);
    }
    assert_true(rule_of("B3/S23") == lc_rule_life());
    assert_true(rule_of_counts(1u << 3, 1u << 2 | 1u << 3) == lc_rule_life());
    assert_true(rule_of_counts(1u << 3 | 1u << 6, 1u << 2 | 1u << 3) == rule_of("HighLife"));
    const char *text;
    for (size_t i = 0; lc_rule_named(i, NULL, &text); i++)
        assert_string_equal(lc_rule_traits(rule_of(text))->text, text);
}

static void test_references(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    const size_t before = lc_rule_count();
    const lc_rule *rule = made("B1/S6"), *held = rule, *life = lc_rule_life(), *none = NULL;
    assert_int_equal(lc_rule_count(), before + 1);
    for (int i = 0; i < MANY; i++)
        assert_true((i % 2 == 0 ? lc_rule_retain(rule) : made("b1s6")) == rule);
    assert_int_equal(lc_rule_count(), before + 1);
    for (int i = 0; i < MANY; i++) {
        held = rule;
        lc_rule_release(&held);
        assert_null(held);
        assert_string_equal(lc_rule_traits(rule)->text, "B1/S6");
    }
    lc_rule_release(&rule);
    assert_null(rule);
    assert_int_equal(lc_rule_count(), before);
    lc_rule_release(&rule);
    assert_null(lc_rule_retain(none));
    for (int i = 0; i < 3; i++) {
        life = lc_rule_life();
        lc_rule_release(&life);
        assert_null(life);
    }
    assert_true(lc_rule_retain(lc_rule_life()) == lc_rule_life());
    assert_int_equal(lc_rule_count(), before);
    assert_string_equal(lc_rule_traits(lc_rule_life())->text, "B3/S23");
}

// Rules that come and go leave nothing behind.
static void test_many(void **state)
{
    (void)state;
    const size_t before = lc_rule_count();
    const unsigned count = 1000000 / (unsigned)test_slowness();
    for (unsigned i = 0; i < count; i++) {
        const lc_counts counts = {i & 0x1ff, i >> 9 & 0x1ff};
        const lc_rule *rule;
        assert_int_equal(lc_rule_from_counts(counts, &rule, NULL), LC_OK);
        lc_rule_release(&rule);
    }
    assert_int_equal(lc_rule_count(), before);
}

// Thousands that are there at once are all found, whatever the order in which they go.
static void test_many_at_once(void **state)
{
    (void)state;
    enum { MANY = 5000, STEP = 1237 }; // without a common divisor
    static const lc_rule *rules[MANY], *again[MANY];
    assert_true(rules_end());
    for (unsigned i = 0; i < MANY; i++) {
        const lc_counts counts = {i & 0x1ff, (uint16_t)(0x1f0 ^ i >> 9)};
        assert_int_equal(lc_rule_from_counts(counts, &rules[i], NULL), LC_OK);
    }
    assert_int_equal(lc_rule_count(), MANY);
    for (unsigned i = 0; i < MANY; i++) {
        lc_counts counts;
        again[i] = made(lc_rule_traits(rules[i])->text);
        assert_true(again[i] == rules[i]);
        assert_true(lc_rule_counts(rules[i], &counts));
        assert_int_equal(counts.birth, i & 0x1ff);
        assert_int_equal(counts.survival, 0x1f0 ^ i >> 9);
    }
    for (unsigned i = 0; i < MANY; i++) {
        lc_rule_release(&again[i]);
        lc_rule_release(&rules[i * STEP % MANY]);
    }
    assert_int_equal(lc_rule_count(), 0);
}

// Threads make and drop the same few rules, so that one often takes what another is about to free.
enum { THREADS = 4 };
static pthread_barrier_t together;

static void *make_and_drop(void *context)
{
    dice d = dice_from(test_seed(), 100 + *(uint64_t *)context);
    uintptr_t wrong = 0;
    (void)pthread_barrier_wait(&together);
    for (int i = 0; i < 40000 / test_slowness(); i++) {
        const size_t which = (size_t)dice_below(&d, sizeof same / sizeof *same);
        const lc_rule *one, *other;
        wrong += lc_rule_parse(same[which][0], &one, NULL, NULL) != LC_OK;
        wrong += lc_rule_parse(same[which][1 + dice_below(&d, 2)], &other, NULL, NULL) != LC_OK;
        wrong += one != other || one != lc_rule_retain(one);
        wrong += strcmp(lc_rule_traits(other)->text, same[which][0]) != 0;
        lc_rule_release(&one);
        one = other;
        lc_rule_release(&other);
        lc_rule_release(&one);
    }
    return (void *)wrong;
}

static void test_threads(void **state)
{
    (void)state;
    static uint64_t numbers[THREADS] = {0, 1, 2, 3};
    pthread_t threads[THREADS];
    const size_t before = lc_rule_count();
    assert_int_equal(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_drop, &numbers[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_int_equal(pthread_barrier_destroy(&together), 0);
    assert_int_equal(lc_rule_count(), before);
}

// Out of memory -----------------------------------------------------------------------------------

static lc_status make(int way, const lc_rule **rule, lc_message *message)
{
    uint8_t table[64] = {0x12, 0x34};
    *rule = lc_rule_life();
    switch (way) {
    case 0:
        return lc_rule_parse("B1/S6", rule, NULL, message);
    case 1:
        return lc_rule_from_counts((lc_counts){1, 2}, rule, message);
    default:
        return lc_rule_from_map(table, rule, message);
    }
}

// How many allocations a rule takes: each is made to fail, and the last of the tries succeeds.
static uint64_t allocations_of(int way, const lc_rule **rule)
{
    const size_t before = lc_rule_count();
    for (uint64_t n = 1;; n++) {
        lc_message message = {0};
        lc_fail_allocation(n);
        const lc_status status = make(way, rule, &message);
        lc_fail_allocation(0);
        if (status == LC_OK)
            return n - 1;
        assert_int_equal(status, LC_ERROR_MEMORY);
        assert_null(*rule);
        assert_true(message.text[0] != '\0');
        assert_int_equal(lc_rule_count(), before);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    enum { CHAINS = 64 };
    const lc_rule *rules[3], *others[CHAINS];
    assert_true(rules_end());
    // The first one needs the table as well, another one is all, and one that is there is none.
    assert_int_equal(allocations_of(0, &rules[0]), 2);
    assert_int_equal(allocations_of(1, &rules[1]), 1);
    assert_int_equal(allocations_of(2, &rules[2]), 1);
    for (int i = 0; i < 3; i++) {
        const lc_rule *again;
        assert_int_equal(allocations_of(i, &again), 0);
        assert_true(again == rules[i]);
        lc_rule_release(&again);
    }
    // A table that cannot grow does with what it has.
    for (int i = 0; i < 3; i++)
        lc_rule_release(&rules[i]);
    for (unsigned i = 0; i < CHAINS; i++)
        assert_int_equal(lc_rule_from_counts((lc_counts){2, (uint16_t)i}, &others[i], NULL), LC_OK);
    for (int i = 0; i < 3; i++) {
        lc_fail_allocation(1);
        const lc_status status = make(i, &rules[i], NULL);
        lc_fail_allocation(0);
        assert_int_equal(status, LC_OK);
        lc_rule_release(&rules[i]);
    }
    for (unsigned i = 0; i < CHAINS; i++)
        lc_rule_release(&others[i]);
    assert_int_equal(lc_rule_count(), 0);
}

// Traits ------------------------------------------------------------------------------------------

static void test_traits(void **state)
{
    (void)state;
    enum { X = LC_SYMMETRY_MIRROR_X, Y = LC_SYMMETRY_MIRROR_Y, ALL = LC_SYMMETRY_ALL };
    static const struct {
        const char *text;
        lc_family family;
        unsigned symmetry;
        bool has_b0;
        int states, planes;
    } cases[] = {
        {"B3/S23", LC_FAMILY_TOTALISTIC, ALL, false, 2, 1},
        {"B36/S23", LC_FAMILY_TOTALISTIC, ALL, false, 2, 1},
        {"B03/S23", LC_FAMILY_TOTALISTIC, ALL, true, 2, 1},
        {"B012345678/S012345678", LC_FAMILY_TOTALISTIC, ALL, true, 2, 1},
        {"B/S", LC_FAMILY_TOTALISTIC, ALL, false, 2, 1},
        {"B2-a/S12", LC_FAMILY_MAP, ALL, false, 2, 1},
        {"B02-a/S12", LC_FAMILY_MAP, ALL, true, 2, 1},
        {"B2/S34H", LC_FAMILY_MAP, LC_SYMMETRY_NONE, false, 2, 1}, // has half turns and diagonals
        {"B13/S024V", LC_FAMILY_MAP, ALL, false, 2, 1},
        {"W22", LC_FAMILY_MAP, X, false, 2, 1},
        {"W110", LC_FAMILY_MAP, LC_SYMMETRY_NONE, false, 2, 1},
        {"LifeHistory", LC_FAMILY_HISTORY, ALL, false, 7, 3},
        {"B2-a/S12History", LC_FAMILY_HISTORY, ALL, false, 7, 3},
        {"345/2/3", LC_FAMILY_GENERATIONS, ALL, false, 3, 2},
        {"345/2/4", LC_FAMILY_GENERATIONS, ALL, false, 4, 2},
        {"345/2/5", LC_FAMILY_GENERATIONS, ALL, false, 5, 3},
        {"2/2/16V", LC_FAMILY_GENERATIONS, ALL, false, 16, 4},
        {"2-a/2/17", LC_FAMILY_GENERATIONS, ALL, false, 17, 5},
        {"345/2/256", LC_FAMILY_GENERATIONS, ALL, false, 256, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lc_traits *traits = lc_rule_traits(rule_of(cases[i].text));
        const XXH128_hash_t hash = XXH3_128bits(cases[i].text, strlen(cases[i].text));
        assert_string_equal(traits->text, cases[i].text);
        assert_int_equal(traits->family, cases[i].family);
        if (traits->symmetry != cases[i].symmetry)
            fail_msg("%s has symmetry %u", cases[i].text, traits->symmetry);
        assert_int_equal(traits->states, cases[i].states);
        assert_int_equal(traits->planes, cases[i].planes);
        assert_int_equal(traits->reach, 1);
        assert_int_equal(traits->has_b0, cases[i].has_b0);
        assert_int_equal(traits->id[0], hash.low64);
        assert_int_equal(traits->id[1], hash.high64);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(lc_rule_traits(rule_of(cases[k].text))->id[0], traits->id[0]);
    }
    // The same in every process and version.
    assert_int_equal(lc_rule_traits(LIFE)->id[0], 0x2731a7b8e85992a2);
    assert_int_equal(lc_rule_traits(LIFE)->id[1], 0xc13b3ccdcd95fda1);
    assert_string_equal(lc_family_name(LC_FAMILY_TOTALISTIC), "outer-totalistic");
    assert_string_equal(lc_family_name(LC_FAMILY_MAP), "map");
    assert_null(lc_family_name(-1));
    assert_string_equal(lc_family_name(LC_FAMILY_GENERATIONS), "Generations");
    assert_string_equal(lc_family_name(LC_FAMILY_HISTORY), "history");
    assert_null(lc_family_name(LC_FAMILY_HISTORY + 1));
}

// Births and survivals are those of the two-state rule, and each state follows another.
static void test_states(void **state)
{
    (void)state;
    const lc_rule *two = rule_of("B2-a/S12"), *made;
    lc_message message;
    for (int states = 2; states <= LC_STATES_MAX; states++) {
        char text[LC_RULE_TEXT_BYTES];
        (void)snprintf(text, sizeof text, "B2-a/S12/%d", states);
        assert_int_equal(lc_rule_with_states(two, states, &made, &message), LC_OK);
        assert_true(made == rule_of(text));
        for (unsigned n = 0; n < 512; n++)
            assert_int_equal(lc_rule_next(made, n), lc_rule_next(two, n));
        for (int s = 0; s < states; s++) {
            const int older = s + 1 == states ? 0 : s + 1;
            assert_int_equal(lc_rule_next_state(made, s, false, false), s == 0 ? 0 : older);
            assert_int_equal(lc_rule_next_state(made, s, true, false), s < 2 ? 1 : older);
        }
        lc_rule_release(&made);
    }
    assert_int_equal(lc_rule_with_states(two, 1, &made, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_with_states(two, 257, &made, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_with_states(rule_of("/2/3"), 4, &made, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_with_states(rule_of("B02/S"), 3, &made, NULL), LC_ERROR_UNSUPPORTED);
    assert_null(made);
}

// The seven states of rules with history, as Golly's LifeHistory.rule has them.
static void test_history(void **state)
{
    (void)state;
    const lc_rule *made;
    lc_message message;
    assert_int_equal(lc_rule_with_history(rule_of("B36/S23"), &made, &message), LC_OK);
    assert_true(made == rule_of("B36/S23History"));
    static const int next[7][2] = {{0, 1}, {2, 1}, {2, 1}, {4, 3}, {4, 3}, {4, 5}, {6, 6}};
    for (int s = 0; s < 7; s++) {
        const bool is_alive = s == 1 || s == 3 || s == 5;
        assert_int_equal(lc_rule_is_alive(made, s), is_alive);
        for (int alive = 0; alive < 2; alive++) {
            assert_int_equal(lc_rule_next_state(made, s, alive, false), next[s][alive]);
            assert_int_equal(lc_rule_next_state(made, s, alive, true), next[s][alive && !is_alive]);
        }
    }
    lc_rule_release(&made);
    assert_int_equal(lc_rule_with_history(rule_of("/2/3"), &made, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_with_history(rule_of("B02/S"), &made, NULL), LC_ERROR_UNSUPPORTED);
    assert_null(made);
}

static void test_halo(void **state)
{
    (void)state;
    assert_int_equal(lc_rule_halo_cells(LIFE, 0), 0);
    assert_int_equal(lc_rule_halo_cells(LIFE, 7), 7);
    assert_int_equal(lc_rule_halo_cells(LIFE, INT64_MAX), INT64_MAX);
    assert_int_equal(lc_rule_halo_cells(LIFE, UINT64_MAX), INT64_MAX);
    assert_int_equal(lc_rule_halo_generations(LIFE, 0), 0);
    assert_int_equal(lc_rule_halo_generations(LIFE, 7), 7);
}

static void test_counts(void **state)
{
    (void)state;
    lc_counts counts = {0x55, 0x66};
    lc_message message = {0};
    const lc_rule *rule = LIFE;
    assert_false(lc_rule_counts(rule_of("W22"), &counts));
    assert_true(counts.birth == 0x55 && counts.survival == 0x66);
    assert_true(lc_rule_counts(LIFE, &counts));
    assert_true(counts.birth == 0x8 && counts.survival == 0xc);
    for (unsigned bit = 9; bit < 16; bit++) {
        const uint16_t wrong = (uint16_t)(1u << bit);
        rule = LIFE;
        assert_int_equal(lc_rule_from_counts((lc_counts){wrong, 0}, &rule, &message),
                         LC_ERROR_ARGUMENT);
        assert_null(rule);
        assert_non_null(strstr(message.text, "0 to 8 live neighbours"));
        rule = LIFE;
        assert_int_equal(lc_rule_from_counts((lc_counts){0, wrong}, &rule, NULL),
                         LC_ERROR_ARGUMENT);
        assert_null(rule);
    }
}

// Each neighbourhood of a rule of counts is what the counts say, and its table gives the rule back.
static void test_maps_of_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        const lc_rule *rule = rule_at(i, test_seed());
        const lc_counts counts = counts_of(rule);
        uint8_t table[64] = {0}, written[64];
        for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++) {
            unsigned neighbours = 0;
            for (unsigned cell = 0; cell < 9; cell++)
                neighbours += cell != 4 ? neighbourhood >> cell & 1 : 0;
            const unsigned of = (neighbourhood >> 4 & 1) != 0 ? counts.survival : counts.birth;
            const bool alive = of >> neighbours & 1;
            assert_int_equal(lc_rule_next(rule, neighbourhood), alive);
            table[neighbourhood / 8] |= (uint8_t)(alive << (7 - neighbourhood % 8));
        }
        memset(written, 0xaa, sizeof written);
        lc_rule_map(rule, written);
        assert_memory_equal(written, table, sizeof table);
        assert_true(rule_of_map(table) == rule);
        // One neighbourhood that says something else than the others of its counts.
        const unsigned odd = (unsigned)dice_below(&(dice){i}, 512);
        if (odd == 0 || odd == 16 || odd == 495 || odd == 511)
            continue; // the only neighbourhood of its counts
        table[odd / 8] ^= (uint8_t)(0x80 >> odd % 8);
        const lc_rule *map = rule_of_map(table);
        assert_int_equal(lc_rule_traits(map)->family, LC_FAMILY_MAP);
        lc_rule_map(map, written);
        assert_memory_equal(written, table, sizeof table);
        for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++)
            assert_int_equal(lc_rule_next(map, neighbourhood),
                             lc_rule_next(rule, neighbourhood) != (neighbourhood == odd));
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    static const motion mirror_x = {-1, 0, 0, 1}, mirror_y = {1, 0, 0, -1}, turn = {0, -1, 1, 0};
    for (size_t group = 0; group < TEST_GROUPS; group++) {
        for (uint64_t i = 0; i < 20; i++) {
            const lc_rule *rule = test_map(group, i % 2 != 0, test_seed() + i);
            const unsigned expected =
                (test_group_has(group, mirror_x) ? LC_SYMMETRY_MIRROR_X : 0u) |
                (test_group_has(group, mirror_y) ? LC_SYMMETRY_MIRROR_Y : 0u) |
                (test_group_has(group, turn) ? LC_SYMMETRY_TURN : 0u);
            const lc_traits *traits = lc_rule_traits(rule);
            assert_int_equal(traits->family, LC_FAMILY_MAP);
            if (traits->symmetry != expected)
                fail_msg("%s: symmetry %u, not %u", test_group_name(group), traits->symmetry,
                         expected);
            assert_int_equal(traits->has_b0, i % 2 != 0);
            uint8_t table[64];
            lc_rule_map(rule, table);
            assert_true(rule_of_map(table) == rule);
            assert_true(rule_of(traits->text) == rule);
        }
    }
}

// Values that files may hold ----------------------------------------------------------------------

static lc_rule_value value_of(const lc_rule *rule)
{
    lc_rule_value value;
    assert_true(lc_value_from_text(lc_rule_traits(rule)->text, &value));
    return value;
}

static void test_values(void **state)
{
    (void)state;
    const lc_rule_value life = value_of(LIFE);
    const lc_rule_value nothing = {0};
    assert_true(lc_value_is_valid(&life));
    assert_false(lc_value_is_valid(&nothing));
    lc_rule_value value = lc_value_from_counts((lc_counts){1u << 9, 0});
    assert_false(lc_value_is_valid(&value));
    value = lc_value_from_counts((lc_counts){0, 1u << 15});
    assert_false(lc_value_is_valid(&value));
    // Whatever else is changed in a value of counts, it is none.
    for (size_t bit = 0; bit < 8 * sizeof value; bit++) {
        const size_t byte = bit / 8;
        value = life;
        if (byte >= offsetof(lc_rule_value, counts) && byte < offsetof(lc_rule_value, table))
            continue;
        ((uint8_t *)&value)[byte] ^= (uint8_t)(1u << bit % 8);
        assert_false(lc_value_is_valid(&value));
    }
    // Nor can a file claim a symmetry for a map, or hide one, or give it counts.
    for (size_t group = 0; group < TEST_GROUPS; group++) {
        const lc_rule_value map = value_of(test_map(group, false, test_seed()));
        for (unsigned symmetry = 0; symmetry < 256; symmetry++) {
            value = map;
            value.symmetry = (uint8_t)symmetry;
            assert_int_equal(lc_value_is_valid(&value), map.symmetry == symmetry);
        }
        value = map;
        value.counts.birth = 8;
        assert_false(lc_value_is_valid(&value));
    }
    // A rule of counts has one value, and the map is not it.
    value = (lc_rule_value){.family = LC_FAMILY_MAP, .symmetry = LC_SYMMETRY_ALL};
    lc_rule_map(LIFE, value.table);
    assert_false(lc_value_is_valid(&value));
}

static void test_canonical_texts(void **state)
{
    (void)state;
    static const char *const others[] = {"",         "b3s23",       "23/3",    "Life",
                                         "B3/S2q",   "B3/S23:T5,5", " B3/S23", "B3/S23 ",
                                         "B2/S34 H", "w22",         "B/S33",   "MAPHmlphg"};
    lc_rule_value value;
    char text[LC_RULE_TEXT_BYTES];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(lc_value_from_text(same[i][0], &value));
        lc_value_format(&value, text);
        assert_string_equal(text, same[i][0]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lc_value_from_text(others[i], &value))
            fail_msg("\"%s\" is taken for a canonical text", others[i]);
}

// Universes ---------------------------------------------------------------------------------------

static void test_universe_of_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t width, height; // of the options, on a torus
        const char *written;
    } cases[] = {
        {"B36/S23", 0, 0, "B36/S23"},
        {"HighLife", 30, 20, "B36/S23:T30,20"},
        {"Life:T100,200", 0, 0, "B3/S23:T100,200"},
        {"B03/S23:K30*,20", 0, 0, "B03/S23:K30*,20"},
        {"W22:P30,20", 0, 0, "W22:P30,20"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_universe_options options = {.struct_bytes = sizeof options,
                                       .context = test_context(),
                                       .rule_text = cases[i].text,
                                       .engine = "scalar",
                                       .threads = 1};
        lc_universe *universe;
        lc_universe_needs needs;
        char text[LC_RULE_TEXT_BYTES];
        if (cases[i].width != 0)
            options.topology = (lc_topology){.kind = LC_TOPOLOGY_TORUS,
                                             .width_cells = cases[i].width,
                                             .height_cells = cases[i].height};
        assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
        lc_rule_format(lc_universe_rule(universe), lc_universe_topology(universe), text);
        assert_string_equal(text, cases[i].written);
        assert_int_equal(lc_universe_check(&options, &needs, NULL), LC_OK);
        lc_universe_destroy(&universe);
    }
}

// A universe keeps its rule, and those that it needs besides, until its end; and so with each
// allocation failing.
static void test_universe_keeps_rules(void **state)
{
    (void)state;
    lc_universe *universe;
    lc_context *context = test_context();
    const size_t before = lc_rule_count();
    lc_universe_options options = {
        .struct_bytes = sizeof options, .context = context, .engine = "scalar", .threads = 1};
    options.rule = made("B015/S23");
    assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
    lc_rule_release(&options.rule);
    assert_string_equal(lc_rule_traits(lc_universe_rule(universe))->text, "B015/S23");
    assert_int_equal(lc_universe_step(universe, lc_count_of(5), NULL, NULL, NULL), LC_OK);
    lc_universe_destroy(&universe);
    assert_int_equal(lc_rule_count(), before);
    options.rule_text = "B015/S23";
    lc_status status = LC_ERROR_MEMORY;
    for (uint64_t n = 1; status != LC_OK; n++) {
        lc_fail_allocation(n);
        status = lc_universe_create(&universe, &options, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK ? n > 4 : status == LC_ERROR_MEMORY && universe == NULL);
        lc_universe_destroy(&universe);
        assert_int_equal(lc_rule_count(), before);
    }
}

// Surfaces ----------------------------------------------------------------------------------------

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
                                   .rule = rule,
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
                const lc_rule *rule = test_map(group, i % 2 != 0, test_seed() + i);
                const bool lives = can_live_on(rule, &t);
                lc_message message = {0};
                const lc_status status = lc_rule_check_topology(rule, &t, &message);
                if (status != (lives ? LC_OK : LC_ERROR_UNSUPPORTED))
                    fail_msg("surface %d, symmetry %s: %s, %s", (int)kind, test_group_name(group),
                             lc_status_name(status), message.text);
                assert_true(lives || strstr(message.text, "carries every rule") != NULL);
                refused += !lives;
                check_universe(rule, &t, lives);
            }
        }
        assert_int_equal(lc_rule_check_topology(rule_at(kind, test_seed()), &t, NULL), LC_OK);
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
        const lc_rule *rule = test_map(cases[i].group, false, test_seed());
        assert_int_equal(lc_topology_parse(cases[i].topology, &t, NULL), LC_OK);
        assert_int_equal(lc_rule_check_topology(rule, &t, &message), LC_ERROR_UNSUPPORTED);
        if (strstr(message.text, cases[i].says) == NULL)
            fail_msg("%s: \"%s\"", cases[i].topology, message.text);
    }
    // What is no surface is said first; and B0 makes no stripes.
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = -1};
    const lc_topology strip = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 20};
    const lc_rule *b0 = test_map(TEST_GROUPS - 1, true, 1);
    assert_int_equal(lc_rule_check_topology(LIFE, &torus, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_rule_check_topology(b0, &strip, NULL), LC_ERROR_UNSUPPORTED);
}

// As bgolly 3.3 takes it: every cell becomes what its left neighbour was, but for the cases that
// the last digits change.
static void test_text(void **state)
{
    (void)state;
    uint8_t table[64];
    char text[LC_RULE_TEXT_BYTES];
    for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++) {
        const unsigned bit = 0x80 >> neighbourhood % 8;
        table[neighbourhood / 8] =
            (uint8_t)((neighbourhood >> 5 & 1) != 0 ? table[neighbourhood / 8] | bit
                                                    : table[neighbourhood / 8] & ~bit);
    }
    lc_rule_format(rule_of_map(table), NULL, text);
    assert_string_equal(text, "MAPAAAAAP////8AAAAA/////wAAAAD/////AAAAAP////8AAAAA/////wAAAAD"
                              "/////AAAAAP////8AAAAA/////w");
    table[63] = 0x01;
    table[0] = 0x40;
    const lc_topology longest = {.kind = LC_TOPOLOGY_TORUS,
                                 .width_cells = INT64_C(1) << 61,
                                 .height_cells = INT64_C(1) << 61,
                                 .shift_x_cells = -(INT64_C(1) << 60)};
    lc_rule_format(rule_of_map(table), &longest, text);
    assert_string_equal(text, "MAPQAAAAP////8AAAAA/////wAAAAD/////AAAAAP////8AAAAA/////wAAAAD"
                              "/////AAAAAP////8AAAAA////AQ:T2305843009213693952-1152921504606846976"
                              ",2305843009213693952");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notations),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_traits),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_halo),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_maps_of_counts),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_canonical_texts),
        cmocka_unit_test(test_universe_of_text),
        cmocka_unit_test(test_universe_keeps_rules),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
