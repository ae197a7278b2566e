// Names of rules: what each means, how it may be written, and which names are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lightcone/rule.h"
#include "rule/rule_names.h"
#include "rule/rule_text.h"
#include "support_rule.h"

static void test_known_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *rule;
    } known[] = {
        {"Life", "B3/S23"},
        {"Conway's Life", "B3/S23"},
        {"conways game OF life", "B3/S23"},
        {"HighLife", "B36/S23"},
        {"high-life", "B36/S23"},
        {"Day & Night", "B3678/S34678"},
        {"DayNight", "B3678/S34678"},
        {"day and night", "B3678/S34678"},
        {"Seeds", "B2/S"},
        {"2x2", "B36/S125"},
        {"Morley", "B368/S245"},
        {"Move", "B368/S245"},
        {"Replicator", "B1357/S1357"},
        {"Fredkin", "B1357/S02468"},
        {"Maze", "B3/S12345"},
        {"Mazectric", "B3/S1234"},
        {"Anneal", "B4678/S35678"},
        {"Diamoeba", "B35678/S5678"},
        {"34 Life", "B34/S34"},
        {"3-4 Life", "B34/S34"},
        {"Life without Death", "B3/S012345678"},
        {"Long Life", "B345/S5"},
        {"Amoeba", "B357/S1358"},
        {"Assimilation", "B345/S4567"},
        {"Coagulations", "B378/S235678"},
        {"Coral", "B3/S45678"},
        {"Gnarl", "B1/S1"},
        {"Stains", "B3678/S235678"},
        {"WalledCities", "B45678/S2345"},
        {"Vote", "B5678/S45678"},
        {"Flock", "B3/S12"},
        {"Pedestrian life", "B38/S23"},
        {"LowLife", "B3/S13"},
        {"Dry Life", "B37/S23"},
        {"Serviettes", "B234/S"},
        {"Persian Rug", "B234/S"},
        {"Live Free or Die", "B2/S0"},
        {"AntiLife", "B0123478/S01234678"},
        {"Conway++", "B3/S234c"},
        {"Conway +-1", "B3/S23-inqy4aikqtwz"},
        {"conway+-2", "B3/S2-ak34aikqtwz5inqy"},
        {"Conway--", "B3/S2-ei3"},
        {"LeapLife", "B2n3/S23-q"},
        {"leap life", "B2n3/S23-q"},
        {"notlife", "B3-q7c/S2-i3-q4q"},
        {"notlife (Wright)", "B2k3-k/S23-a"},
        {"B-ibis", "B2n34cyz6n8/S2-n3-a4cq68"},
        {"Salad", "B2i34c/S2-i3"},
        {"Hexagonal Life", "B2/S34H"},
        {"Life-V", "B3/S23V"},
        {"Heavy Triangles", "W22"},
        {"9:43 at Knight", "237/34578/4"},
        {"Tadpoles", "0125678/345678/64"},
        {"Brian's Brain", "/2/3"},
        {"1D110", "MAPLy0PDw"},
        {"X-Rule", "MAPBSB64CCTqARFBImEADAGBSCTgICTSIAAADCFCSTAAAANAMEUBCKEBchCE00YAE3IACSFACCIQQ"
                   "DIIF4UIIAGSA"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (rule_of(known[i].name) != rule_of(known[i].rule))
            fail_msg("%s is not %s", known[i].name, known[i].rule);
}

// Every name is read as the rule beside it, in any dress.
static void test_all_names(void **state)
{
    (void)state;
    const char *name, *text;
    size_t count = 0;
    for (; lc_rule_name_at(count, &name, &text); count++) {
        char dressed[128];
        size_t n = 0;
        for (const char *p = name; *p != '\0'; p++) {
            dressed[n++] = (char)(islower((unsigned char)*p) ? toupper((unsigned char)*p)
                                                             : tolower((unsigned char)*p));
            if (isalnum((unsigned char)*p) && isalnum((unsigned char)p[1]))
                dressed[n++] = "_ -."[(p - name) % 4];
        }
        dressed[n] = '\0';
        assert_string_equal(text, lc_known_rules[count].rule);
        const lc_rule *rule = rule_of(text);
        if (rule_of(name) != rule || rule_of(dressed) != rule)
            fail_msg("%s or %s is another rule than %s", name, dressed, text);
        const bool named = lc_rule_named(count, NULL, NULL);
        assert_int_equal(named, count < LC_WELL_KNOWN_RULES);
        if (count > LC_WELL_KNOWN_RULES && strcasecmp(lc_known_rules[count - 1].name, name) >= 0)
            fail_msg("%s stands in the wrong place", name);
    }
    assert_int_equal(count, lc_known_rule_count);
    assert_string_equal(lc_known_rules[0].name, "Life");
    assert_true(lc_rule_named(0, NULL, NULL));
    assert_false(lc_rule_named(SIZE_MAX, &name, &text));
    assert_false(lc_rule_name_at(SIZE_MAX, &name, &text));
}

static const char *any_name(size_t index)
{
    const size_t known = lc_known_rule_count, refused = lc_refused_rule_count;
    if (index < known)
        return lc_known_rules[index].name;
    if (index < known + refused)
        return lc_refused_rules[index - known].name;
    index -= known + refused;
    return index < lc_ambiguous_rule_count ? lc_ambiguous_rules[index].name : NULL;
}

// No name is a rule in some notation: it would be read as another rule by a program that does not
// know the name.
static void test_names_are_no_notation(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = any_name(i)) != NULL; i++) {
        const lc_rule_cursor cursor = {name, name, name + strlen(name)};
        lc_rule_value rule;
        if (lc_rule_parse_notation(&cursor, &rule, NULL) == LC_OK)
            fail_msg("%s is a rule by itself", name);
    }
}

// No name is made of what counts are written with, because the parser looks up no such text.
static void test_names_are_no_counts(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = any_name(i)) != NULL; i++)
        if (name[strspn(name, "BbSs0123456789 \t_'&/.,()-")] == '\0')
            fail_msg("%s would not be looked up", name);
}

// Each name is in one place: what it is written like finds one entry.
static void test_names_are_there_once(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = any_name(i)) != NULL; i++) {
        const char *rules[2];
        const size_t length = strlen(name);
        lc_rule_value rule;
        const int found = lc_rule_by_name(name, length, &rule) +
                          (lc_rule_family_by_name(name, length) != NULL) +
                          lc_rule_two_by_name(name, length, rules);
        if (found != 1)
            fail_msg("%s is there %d times", name, found);
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(any_name(k), name) == 0)
                fail_msg("%s is there twice", name);
    }
}

static void test_refused_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < lc_refused_rule_count; i++) {
        lc_message message = {0};
        const lc_refused_rule *refused = &lc_refused_rules[i];
        assert_int_equal(lc_rule_parse(refused->name, NULL, NULL, &message), LC_ERROR_UNSUPPORTED);
        if (strstr(message.text, refused->family) == NULL)
            fail_msg("%s: %s", refused->name, message.text);
    }
    static const char *const cases[][2] = {
        {"Bugs R10", "Larger than Life"}, {"Mosquito", "Weighted Life"}, {"HPP gas", "Margolus"},
        {"PCA_12", "partitioned"},        {"Life 2333", "triangular"},   {"HexLife", "six"},
        {"Phoenix", "take turns"},        {"Randomizer 2", "Wolfram's"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_message message = {0};
        assert_int_equal(lc_rule_parse(cases[i][0], NULL, NULL, &message), LC_ERROR_UNSUPPORTED);
        if (strstr(message.text, cases[i][1]) == NULL)
            fail_msg("%s: %s", cases[i][0], message.text);
    }
}

static void test_names_of_two_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < lc_ambiguous_rule_count; i++) {
        lc_message message = {0};
        const lc_ambiguous_rule *two = &lc_ambiguous_rules[i];
        assert_int_equal(lc_rule_parse(two->name, NULL, NULL, &message), LC_ERROR_UNSUPPORTED);
        if (strstr(message.text, "the name of two rules") == NULL ||
            strstr(message.text, two->one) == NULL || strstr(message.text, two->other) == NULL)
            fail_msg("%s: %s", two->name, message.text);
        assert_int_equal(lc_rule_parse(two->one, NULL, NULL, NULL), LC_OK);
    }
    static const char *const names[] = {"majority",    "Bugs",  "boatLife",  "BoatLife",
                                        "InverseLife", "olife", "Land-Rush", "IceNine"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(lc_rule_parse(names[i], NULL, NULL, NULL), LC_ERROR_UNSUPPORTED);
}

// AntiLife is what it is called: life among dead cells, colours exchanged.
static void test_inverse_names(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"AntiLife", "B3/S23"}, {"Day & Night", "Day & Night"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const lc_counts a = counts_of(rule_of(pairs[i][0]));
        const lc_counts b = counts_of(rule_of(pairs[i][1]));
        for (int n = 0; n <= 8; n++) {
            assert_int_equal(a.birth >> n & 1, ~b.survival >> (8 - n) & 1);
            assert_int_equal(a.survival >> n & 1, ~b.birth >> (8 - n) & 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_names),           cmocka_unit_test(test_all_names),
        cmocka_unit_test(test_names_are_no_notation), cmocka_unit_test(test_names_are_no_counts),
        cmocka_unit_test(test_names_are_there_once),  cmocka_unit_test(test_refused_names),
        cmocka_unit_test(test_names_of_two_rules),    cmocka_unit_test(test_inverse_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
