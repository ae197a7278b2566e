// Rule strings and topologies as text: every spelling, what is refused and where.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/rule.h"
#include "support.h"

// Spellings, and how bgolly 3.3 writes each of them back.
static const struct {
    const char *text;
    const char *canonical;
} spellings[] = {
    {"B3/S23", "B3/S23"},
    {"b3s23", "B3/S23"},
    {"B3S23", "B3/S23"},
    {"S23/B3", "B3/S23"},
    {"s23b3", "B3/S23"},
    {"23/3", "B3/S23"},
    {"/3", "B3/S"},
    {"23/", "B/S23"},
    {"/", "B/S"},
    {"B/S", "B/S"},
    {"B2/S", "B2/S"},
    {"b2s", "B2/S"},
    {"B3", "B3/S"},
    {"S23", "B/S23"},
    {"B3/", "B3/S"},
    {"/S23", "B/S23"},
    {"/B3", "B3/S"},
    {"S/B3", "B3/S"},
    {"B3/23", "B3/S23"},
    {"3/S23", "B3/S23"},
    {"23/B3", "B3/S23"},
    {"S23/3", "B3/S23"},
    {"B", "B/S"},
    {"S", "B/S"},
    {"B33/S2332", "B3/S23"},
    {"B876543210/S876543210", "B012345678/S012345678"},
    {"B0/S8", "B0/S8"},
    {"B2aceikn3/S", "B23/S"},
    {"b2NKIECA3/s1ec2-", "B23/S12"},
    {"B2-aceikn3/S", "B3/S"},
    {"B2a2ceikn/S", "B2/S"},
    {"B3a3/S23", "B3a/S23"},
    {"B33a/S23", "B3a/S23"},
    {"B3a3e/S23", "B3ae/S23"},
    {"B3-a3/S23", "B3-a/S23"},
    {"B3a3-e/S23", "B3-ae/S23"},
    {"B3-a3e/S23", "B3-ae/S23"},
    {"B3-3a/S23", "B3a/S23"},
    {"B3a3-/S23", "B3a/S23"},
    {"B3-a3-ceiknjqry/S23", "B/S23"},
    {"B2a3c2/S", "B2a3c/S"},
    {"2a2/3a3", "B3a/S2a"},
    {"B4ceaiknjqrytwz5ceaiknjqry6ceaikn7ce8/S3ceaiknjqry", "B45678/S3"},
    {"2aceikn3-/3", "B3/S23"},
    {"B3aceijknqry/S2aceikn3:T30,20", "B3/S23:T30,20"},
    {"b63/s32", "B36/S23"},
    {"B3/S23:T30,20", "B3/S23:T30,20"},
    {"23/3:t30,20", "B3/S23:T30,20"},
    {"B3/S23:T100", "B3/S23:T100,100"},
    {"B3/S23:T100,", "B3/S23:T100,100"},
    {"B3/S23:T30+5,20", "B3/S23:T30+5,20"},
    {"B3/S23:T30+5", "B3/S23:T30+5,30"},
    {"B3/S23:T30-20,20", "B3/S23:T30-20,20"},
    {"B3/S23:T30+35,20", "B3/S23:T30+5,20"},
    {"B3/S23:T30+30,20", "B3/S23:T30,20"},
    {"B3/S23:T30+,20", "B3/S23:T30,20"},
    {"B3/S23:T30,20-2", "B3/S23:T30,20-2"},
    {"B3/S23:T30+0,20+3", "B3/S23:T30,20+3"},
    {"B3/S23:T0,20", "B3/S23:T0,20"},
    {"B3/S23:T,20", "B3/S23:T0,20"},
    {"B3/S23:T30,0", "B3/S23:T30,0"},
    {"B3/S23:P30,20", "B3/S23:P30,20"},
    {"B3/S23:P30", "B3/S23:P30,30"},
    {"B3/S23:P0,20", "B3/S23:P0,20"},
    {"B3/S23:P0,0", "B3/S23"},
    {"B3/S23:P0", "B3/S23"},
    {"B3/S23:T", "B3/S23"},
    {"B3/S23:S", "B3/S23"},
    {"B3/S23:K", "B3/S23"},
    {"B3/S23:", "B3/S23"},
    {"B3/S23:K30,20", "B3/S23:K30,20*"},
    {"B3/S23:K30", "B3/S23:K30,30*"},
    {"B3/S23:K30*", "B3/S23:K30*,30"},
    {"B3/S23:K30*,20", "B3/S23:K30*,20"},
    {"B3/S23:K30,20*", "B3/S23:K30,20*"},
    {"B3/S23:K30*+1,20", "B3/S23:K30*+1,20"},
    {"B3/S23:K30*+2,20", "B3/S23:K30*+1,20"},
    {"B3/S23:K30*-1,20", "B3/S23:K30*+1,20"},
    {"B3/S23:K30*+30,20", "B3/S23:K30*,20"},
    {"B3/S23:K31*+1,20", "B3/S23:K31*,20"},
    {"B3/S23:K30,20*+3", "B3/S23:K30,20*+1"},
    {"B3/S23:K30,21*+3", "B3/S23:K30,21*"},
    {"B3/S23:C30,20", "B3/S23:C30,20"},
    {"B3/S23:C30", "B3/S23:C30,30"},
    {"B3/S23:S30", "B3/S23:S30"},
};

// Spellings that Golly does not know, or reads otherwise than as we do.
static const struct {
    const char *text;
    const char *canonical;
} more_spellings[] = {
    {"\t b3/s23 \r\n", "B3/S23"},
    {"B3 / S23", "B3/S23"}, // bgolly reads a header's rule up to a blank
    {" b 3 s 2 3", "B3/S23"},
    {"23/3/2", "B3/S23"}, // a Generations rule of two states
    {"B3/S23/C2", "B3/S23"},
    {"B3S23/2", "B3/S23"},
    {"Life", "B3/S23"},
    {"Life:T7,9", "B3/S23:T7,9"},
    {"2x2 : C5,6", "B36/S125:C5,6"},
    {"B3/S23: t 30 + 5 , 20", "B3/S23:T30+5,20"},
    {"B3/S23:S30,30", "B3/S23:S30"},
    {"B3/S23:T2305843009213693952,1", "B3/S23:T2305843009213693952,1"},
    {"B012345678/S012345678:T2305843009213693951-2305843009213693950,2305843009213693952",
     "B012345678/S012345678:T2305843009213693951-2305843009213693950,2305843009213693952"},
};

#define LIFE_MAP                                                                                   \
    "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA"

// Generations rules, as bgolly writes them.
static const struct {
    const char *text;
    const char *canonical;
} generations[] = {
    {"345/2/4", "345/2/4"},
    {"B2/S345/4", "345/2/4"},
    {"S345/B2/4", "345/2/4"},
    {"b2/s543/004", "345/2/4"},
    {"345/2/256", "345/2/256"},
    {"03/1/4", "03/1/4"},
    {"/2/3", "/2/3"},
    {"2/13/8V", "2/13/8V"},
    {"2/13/4h", "2/13/4H"},
    {"B2/S/3H", "/2/3H"},
    {"2-a/2c/4", "2-a/2c/4"},
    {"3a5/2-n/4", "3a5/2-n/4"},
    {"345/23-cn/4", "345/23-cn/4"},
    {"345/2/4:T10,10", "345/2/4:T10,10"},
    {"MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAw/3",
     "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAw/3"},
};

// Spellings of Generations rules that bgolly does not read, or writes otherwise.
static const struct {
    const char *text;
    const char *canonical;
} more_generations[] = {
    {"B2/S345/C4", "345/2/4"},
    {"B2/S345/G4", "345/2/4"},
    {"g4b2s345", "345/2/4"},
    {"G4 / B2 / S345", "345/2/4"},
    {"b2s345g4", "345/2/4"},
    {"345/2/2", "B2/S345"}, // bgolly keeps the states
    {"Brian's Brain", "/2/3"},
    {"BriansBrain", "/2/3"},
    {"star wars:T100,100", "345/2/4:T100,100"},
    {"9:43 at Knight", "237/34578/4"},
    {LIFE_MAP "/3", "23/3/3"},
    {LIFE_MAP "/C256", "23/3/256"},
    {"MAPHmlphg/3", "013/2/3V"},
    {"LifeHistory", "LifeHistory"}, // rules with history
    {"Life History", "LifeHistory"},
    {"history", "LifeHistory"},
    {"B3/S23History:T9,8", "LifeHistory:T9,8"},
    {"23/3 history", "LifeHistory"},
    {"B36/S23History", "B36/S23History"},
    {"HighLifeHistory", "B36/S23History"},
    {"Day & Night History", "B3678/S34678History"},
    {"B2-a3/S12HISTORY", "B2-a3/S12History"},
    {"B2/S34HHistory", "B2/S34HHistory"},
    {"W22History", "W22History"},
};

static void check_spelling(const char *text, const char *canonical)
{
    const lc_rule *rule;
    lc_topology topology;
    lc_message message = {0};
    char written[LC_RULE_TEXT_BYTES], again[LC_RULE_TEXT_BYTES];
    if (lc_rule_parse(text, &rule, &topology, &message) != LC_OK)
        fail_msg("\"%s\": %s", text, message.text);
    assert_int_equal(lc_topology_check(&topology, &message), LC_OK);
    lc_rule_format(rule, &topology, written);
    assert_string_equal(written, canonical);
    assert_true(rule_and_topology(written, &topology) == rule);
    lc_rule_format(rule, &topology, again);
    assert_string_equal(again, canonical);
    lc_rule_release(&rule);
    assert_int_equal(lc_rule_parse(text, NULL, NULL, NULL), LC_OK);
}

static void test_spellings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        check_spelling(spellings[i].text, spellings[i].canonical);
    for (size_t i = 0; i < sizeof more_spellings / sizeof *more_spellings; i++)
        check_spelling(more_spellings[i].text, more_spellings[i].canonical);
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        check_spelling(generations[i].text, generations[i].canonical);
    for (size_t i = 0; i < sizeof more_generations / sizeof *more_generations; i++)
        check_spelling(more_generations[i].text, more_generations[i].canonical);
}

// Checks that the bgolly installed here reads a rule, with those options, and writes it like that.
static void check_live(const char *folder, const char *options, const char *text,
                       const char *canonical)
{
    char in[64], out[64], command[256], line[256];
    (void)snprintf(in, sizeof in, "%s/in.rle", folder);
    (void)snprintf(out, sizeof out, "%s/out.rle", folder);
    (void)snprintf(command, sizeof command, "bgolly %s -q -q -m 0 -o %s %s >/dev/null 2>&1",
                   options, out, in);
    FILE *file = fopen(in, "w");
    assert_non_null(file);
    (void)fprintf(file, "x = 1, y = 1, rule = %s\no!\n", text);
    (void)fclose(file);
    assert_int_equal(system(command), 0);
    file = fopen(out, "r");
    if (file == NULL)
        fail_msg("bgolly does not read \"%s\"", text);
    const char *found = NULL;
    while (found == NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        found = strstr(line, "rule = ");
    }
    assert_non_null(found);
    assert_string_equal(found + strlen("rule = "), canonical);
    (void)fclose(file);
    (void)unlink(in);
    (void)unlink(out);
}

// The tables of spellings are true of the bgolly installed here.
static void test_spellings_live(void **state)
{
    (void)state;
    if (system("command -v bgolly >/dev/null 2>&1") != 0)
        skip();
    char folder[] = "/tmp/lightcone-rule-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        check_live(folder, "", spellings[i].text, spellings[i].canonical);
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        check_live(folder, "-a Generations", generations[i].text, generations[i].canonical);
    assert_int_equal(rmdir(folder), 0);
}

// Digits of the counts in `mask`, from 8 down if `falling`.
static char *put_counts(char *to, unsigned mask, int falling)
{
    for (int i = 0; i <= 8; i++) {
        int n = falling ? 8 - i : i;
        if (mask >> n & 1)
            *to++ = (char)('0' + n);
    }
    *to = '\0';
    return to;
}

// Makes a rule that must be this one.
static bool is_read_as(const char *text, const lc_rule *rule)
{
    const lc_rule *parsed;
    const bool is_read = lc_rule_parse(text, &parsed, NULL, NULL) == LC_OK && parsed == rule;
    lc_rule_release(&parsed);
    return is_read;
}

static void test_all_rules(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 1u << 18; bits++) {
        const lc_counts counts = {bits & 0x1ff, (uint16_t)(bits >> 9)};
        const lc_rule *rule;
        char b[16], s[16], b_falling[16], s_falling[16], expected[48], text[LC_RULE_TEXT_BYTES];
        assert_int_equal(lc_rule_from_counts(counts, &rule, NULL), LC_OK);
        put_counts(b, counts.birth, 0);
        put_counts(s, counts.survival, 0);
        put_counts(b_falling, counts.birth, 1);
        put_counts(s_falling, counts.survival, 1);
        (void)snprintf(expected, sizeof expected, "B%s/S%s", b, s);
        lc_rule_format(rule, NULL, text);
        assert_string_equal(text, expected);
        assert_string_equal(lc_rule_traits(rule)->text, expected);

        char other[3][48];
        (void)snprintf(other[0], sizeof other[0], "%s/%s", s, b);
        (void)snprintf(other[1], sizeof other[1], "b%ss%s", b_falling, s_falling);
        (void)snprintf(other[2], sizeof other[2], "S%s/B%s", s_falling, b);
        for (int i = 0; i < 4; i++) {
            const char *from = i < 3 ? other[i] : text;
            if (!is_read_as(from, rule))
                fail_msg("%s is not read as %s", from, expected);
        }
        lc_rule_release(&rule);
    }
}

static void check_refused(const char *text, lc_status status, uint64_t column, const char *says)
{
    const lc_rule *rule = LIFE;
    lc_topology topology, untouched;
    memset(&untouched, 0x77, sizeof untouched);
    topology = untouched;
    lc_message message = {0};
    lc_status got = lc_rule_parse(text, &rule, &topology, &message);
    if (got != status)
        fail_msg("\"%s\" gives %s, not %s", text, lc_status_name(got), lc_status_name(status));
    if (message.column != column)
        fail_msg("\"%s\": column %d, not %d: %s", text, (int)message.column, (int)column,
                 message.text);
    if (strstr(message.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\" but \"%s\"", text, says, message.text);
    if (strstr(message.text, "this is a") != NULL && strstr(message.text, "supported are") == NULL)
        fail_msg("\"%s\" does not say what is supported: %s", text, message.text);
    assert_null(rule);
    assert_memory_equal(&topology, &untouched, sizeof untouched);
    assert_int_equal(lc_rule_parse(text, NULL, NULL, NULL), status);
}

static void test_malformed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t column;
        const char *says;
    } cases[] = {
        {"B2z/S", 3, "no arrangement 'z'; the letters of 2 are ceaikn"},
        {"B3/S1a", 6, "1 neighbour has no arrangement 'a'"},
        {"B3/S12t", 7, "no arrangement 't'"},
        {"B0c/S", 3, "in one way only"},
        {"B3/S8-e", 6, "in one way only"},
        {"B2c-e/S", 4, "right behind it"},
        {"B2a-/S", 4, "right behind it"},
        {"B7/S34H", 2, "counts are 0 to 6, not 7"},
        {"B13/S025V:T10", 8, "counts are 0 to 4, not 5"},
        {"B2a/S34H", 3, "letters where there are eight"},
        {"W23", 2, "even numbers from 0 to 254"},
        {"W256", 2, "even numbers from 0 to 254"},
        {"MAPHmlphgA", 11, "these are 7"},
        {"MAPHml.hg", 7, "'.' is no digit of Base64"},
        {"", 1, "empty"},
        {"   ", 4, "empty"},
        {":T10,10", 1, "empty"},
        {"B9/S23", 2, "0 to 8"},
        {"B3/S29", 6, "0 to 8"},
        {" 29/3", 3, "0 to 8"},
        {"23", 1, "no rule"},
        {"3", 1, "no rule"},
        {"B3|S23", 3, "'|'"},
        {"B3,S23", 3, "','"},
        {"B3/S2\x01", 6, "0x01"},
        {"B3/S2\xff", 6, "0xff"},
        {"B3B6/S23", 3, "twice"},
        {"S2/S3", 4, "twice"},
        {"23B3", 1, "neither"},
        {"33B3/S23", 1, "neither"},
        {"B3/S23/", 8, "missing"},
        {"1/2/2/2", 7, "fourth"},
        {"345/2/1", 7, "2 to 256 states"},
        {"345/2/0", 7, "2 to 256 states"},
        {"/B3/S23", 5, "'S'"},
        {"g4", 1, "no rule"},
        {"g4/2/3", 6, "'3'"},
        {"g4b3s23g4", 8, "'g' is there twice"},
        {"W22/4", 1, "'W'"},
        {"2/13/4HV", 7, "'H'"},
        {"2/15/4V", 4, "counts are 0 to 4, not 5"},
        {"MAPHmlphg/1", 11, "2 to 256 states"},
        {"345/2/4History", 8, "of two states can have history"},
        {"HistoryHistory", 8, "of two states can have history"},
        {"Foo bar", 1, "name"},
        {"Lief:T10", 1, "name"},
        {"Baker", 1, "name"},
        {"Lif\xc3\xa9", 1, "name"},
        {"B3/S23:X30,20", 8, "'X'"},
        {"B3/S23:T30,20,5", 14, "','"},
        {"B3/S23:T30,20x", 14, "'x'"},
        {"B3/S23:T30,20*", 14, "Klein"},
        {"B3/S23:C30*,20", 11, "Klein"},
        {"B3/S23:K30*,20*", 15, "cross-surface"},
        {"B3/S23:K30+1,20*", 11, "twisted"},
        {"B3/S23:K30*+1,20+1", 12, "twisted"},
        {"B3/S23:K0*,20", 9, "unbounded"},
        {"B3/S23:K30,0", 9, "unbounded"},
        {"B3/S23:C0,5", 9, "unbounded"},
        {"B3/S23:S0", 9, "unbounded"},
        {"B3/S23:S30,20", 9, "wide"},
        {"B3/S23:S30+1", 11, "shift"},
        {"B3/S23:C30,20+1", 14, "shift"},
        {"B3/S23:P30+1,20", 11, "shift"},
        {"B3/S23:T30+5,20+3", 16, "one pair"},
        {"B3/S23:T0+1,20", 10, "finite"},
        {"B3/S23:T30+1,0", 11, "finite"},
        {"B3/S23:T-5,20", 9, "finite"},
        {"B3/S23:T30+-5,20", 12, "'-'"},
        {"B3/S23:T2305843009213693953,1", 9, "2^61"},
        {"B3/S23:T99999999999999999999999999999999,1", 9, "2^61"},
        {"B3/S23:T5+99999999999999999999999999999999,1", 11, "2^61"},
        {"Conway#", 1, "unknown rule name"},
        {"High*Life", 1, "unknown rule name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].text, LC_ERROR_FORMAT, cases[i].column, cases[i].says);
}

// What was read is written in its shortest notation, and read as the same rule again. The written
// ones are Golly's.
static void test_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written;
        int symmetry;
    } cases[] = {
        {"B2-a/S12", "B2-a/S12", LC_SYMMETRY_ALL},
        {"b2cekin / s12", "B2-a/S12", LC_SYMMETRY_ALL},
        {"Just Friends", "B2-a/S12", LC_SYMMETRY_ALL},
        {"12/2-a", "B2-a/S12", LC_SYMMETRY_ALL},
        {"tlife", "B3/S2-i34q", LC_SYMMETRY_ALL},
        {"B2-a3/S12aceikn", "B2-a3/S12", LC_SYMMETRY_ALL},
        {"B2aceik3/S", "B2-n3/S", LC_SYMMETRY_ALL},
        {"B22a/S", "B2a/S", LC_SYMMETRY_ALL},
        {"B2a/S4t3-q8", "B2a/S3-q4t8", LC_SYMMETRY_ALL},
        {"B4-ceaikn/S", "B4jqrtwyz/S", LC_SYMMETRY_ALL},
        {"B4ceaiknj/S", "B4aceijkn/S", LC_SYMMETRY_ALL},
        {"B3/S23-a/2", "B3/S23-a", LC_SYMMETRY_ALL},
        {"B2/S34H", "B2/S34H", LC_SYMMETRY_NONE},
        {"34/2h", "B2/S34H", LC_SYMMETRY_NONE},
        {"B2/S013 V", "B2/S013V", LC_SYMMETRY_ALL},
        {"W22", "W22", LC_SYMMETRY_MIRROR_X},
        {"w110", "W110", LC_SYMMETRY_NONE},
        {"MAPHmlphg", "B2/S013V", LC_SYMMETRY_ALL},
        {"MAPHmlphg==", "B2/S013V", LC_SYMMETRY_ALL},
        {LIFE_MAP, "B3/S23", LC_SYMMETRY_ALL},
        {LIFE_MAP "==", "B3/S23", LC_SYMMETRY_ALL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lc_rule *rule = rule_of(cases[i].text);
        const lc_traits *traits = lc_rule_traits(rule);
        if (strcmp(traits->text, cases[i].written) != 0)
            fail_msg("\"%s\" is written %s, not %s", cases[i].text, traits->text, cases[i].written);
        if ((traits->symmetry & (LC_SYMMETRY_MIRROR_X | LC_SYMMETRY_TURN)) !=
            (cases[i].symmetry & (LC_SYMMETRY_MIRROR_X | LC_SYMMETRY_TURN)))
            fail_msg("\"%s\" has symmetry %d", cases[i].text, (int)traits->symmetry);
        assert_true(rule_of(traits->text) == rule);
    }
}

// The bits of the 22 digits of a hexagonal table are read as Golly 3.3 reads them: its lower row
// comes first. One neighbour is alive for each bit.
static void test_hexagonal_digits(void **state)
{
    (void)state;
    enum { NW = 256, N = 128, NE = 64, W = 32, C = 16, E = 8, SW = 4, S = 2, SE = 1 };
    static const struct {
        const char *digits;
        unsigned alive;
    } cases[] = {
        {"QAAAAAAAAAAAAAAAAAAAAA", N}, {"IAAAAAAAAAAAAAAAAAAAAA", NW},
        {"CAAAAAAAAAAAAAAAAAAAAA", E}, {"AIAAAAAAAAAAAAAAAAAAAA", C},
        {"AACAAAAAAAAAAAAAAAAAAA", W}, {"AAAAAIAAAAAAAAAAAAAAAA", SE},
        {"AAAAAAAAAACAAAAAAAAAAA", S},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "MAP%s", cases[i].digits);
        const lc_rule *rule = rule_of(text);
        for (unsigned n = 0; n < 512; n++)
            assert_int_equal(lc_rule_next(rule, n), (n & ~(unsigned)(NE | SW)) == cases[i].alive);
    }
}

// Random rules of each kind are written and read again.
static void test_tables_again(void **state)
{
    (void)state;
    dice random = dice_from(test_seed(), 1);
    static const char *const letters[] = {"", "ce", "ceaikn", "ceaiknjqry", "ceaiknjqrytwz"};
    for (int i = 0; i < 400; i++) {
        char text[256];
        char *at = text;
        for (int part = 0; part < 2; part++) {
            *at++ = "B/"[part];
            for (unsigned n = 0; n <= 8; n++) {
                const char *of = letters[n <= 4 ? n : 8 - n];
                const size_t first = (size_t)(at - text);
                *at++ = (char)('0' + n);
                for (; *of != '\0'; of++)
                    if (dice_word(&random) % 2 == 0)
                        *at++ = *of;
                if (dice_word(&random) % 3 == 0)
                    at = text + first;
            }
        }
        *at = '\0';
        const lc_rule *rule = rule_of(text);
        assert_int_equal(lc_rule_traits(rule)->symmetry, LC_SYMMETRY_ALL);
        assert_true(rule_of(lc_rule_traits(rule)->text) == rule);
        uint8_t table[64];
        for (int byte = 0; byte < 64; byte++)
            table[byte] = (uint8_t)dice_word(&random);
        rule = rule_of_map(table);
        assert_int_equal(strlen(lc_rule_traits(rule)->text), 89);
        assert_true(rule_of(lc_rule_traits(rule)->text) == rule);
    }
}

// One neighbourhood of each arrangement of two and of four dead ones, as everyone draws them:
// c corners, e edges, a beside each other, i opposite edges, k a knight's move, n opposite corners.
static void test_arrangements(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned lives, other;
    } cases[] = {
        {"B2c/S", 0x140, 0x101}, {"B2e/S", 0x0a0, 0x082}, {"B2a/S", 0x180, 0x0a0},
        {"B2i/S", 0x082, 0x101}, {"B2k/S", 0x102, 0x101}, {"B2n/S", 0x101, 0x102},
        {"B6n/S", 0x0ee, 0x0ed}, {"B1e/S", 0x080, 0x100}, {"B4c/S", 0x145, 0x0aa},
        {"B4e/S", 0x0aa, 0x145},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lc_rule *rule = rule_of(cases[i].text);
        if (!lc_rule_next(rule, cases[i].lives) || lc_rule_next(rule, cases[i].other))
            fail_msg("%s", cases[i].text);
        assert_false(lc_rule_next(rule, cases[i].lives | 0x10));
    }
}

static void test_unsupported(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t column;
        const char *says;
    } cases[] = {
        {"23/3/257", 6, "2 to 256 states"},
        {"2/13/99999999999999999999", 6, "2 to 256 states"},
        {"g2147483648b2s", 1, "2 to 256 states"},
        {"/02/3", 1, "cannot have B0"},
        {"MAPgmlphg/3", 1, "cannot have B0"},
        {"B2/S34L", 7, "triangular"},
        {"R5,C0,M1,S34..58,B34..45,NM", 1, "Larger than Life"},
        {"r2b4s3", 1, "Larger than Life"},
        {"R1,C2,M0,S2..3,B3..3,NM", 1, "in the notation of Larger than Life"},
        {"B03/S23History", 1, "cannot have B0"},
        {"5,34,45,34,58", 1, "Larger than Life"},
        {"Bosco's Rule", 1, "Larger than Life"},
        {"MS,D0;8;4;3;2;5;9;7;1;6;10;11;12;13;14;15", 1, "Margolus"},
        {"M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15", 1, "Margolus"},
        {"Critters", 1, "Margolus"},
        {"B3/S23Super", 1, "LifeSuper"},
        {"LifeSuper", 1, "LifeSuper"},
        {"WireWorld", 1, "table"},
        {"wire world:T10,10", 1, "table"},
        {"Langtons-Loops", 1, "table"},
        {"JvN29", 1, "table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].text, LC_ERROR_UNSUPPORTED, cases[i].column, cases[i].says);
}

static void test_topology_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        lc_topology expected;
        const char *words;
    } cases[] = {
        {"plane", {0}, "infinite plane"},
        {" Infinite Plane ", {0}, "infinite plane"},
        {"P30,20", {LC_TOPOLOGY_PLANE, 30, 20, 0, 0, false, false}, "plane 30 x 20"},
        {"P30,0", {LC_TOPOLOGY_PLANE, 30, 0, 0, 0, false, false}, "plane 30 x unbounded"},
        {"T100,200", {LC_TOPOLOGY_TORUS, 100, 200, 0, 0, false, false}, "torus 100 x 200"},
        {":t0,20", {LC_TOPOLOGY_TORUS, 0, 20, 0, 0, false, false}, "tube unbounded x 20"},
        {":T30-7,20",
         {LC_TOPOLOGY_TORUS, 30, 20, -7, 0, false, false},
         "torus 30 x 20, top and bottom edges shifted by -7"},
        {":T30,20+7",
         {LC_TOPOLOGY_TORUS, 30, 20, 0, 7, false, false},
         "torus 30 x 20, left and right edges shifted by +7"},
        {":K30*,20",
         {LC_TOPOLOGY_KLEIN_BOTTLE, 30, 20, 0, 0, true, false},
         "Klein bottle 30 x 20, top and bottom edges twisted"},
        {":K30,20*+1",
         {LC_TOPOLOGY_KLEIN_BOTTLE, 30, 20, 0, 1, false, true},
         "Klein bottle 30 x 20, left and right edges twisted and shifted"},
        {"C30,20",
         {LC_TOPOLOGY_CROSS_SURFACE, 30, 20, 0, 0, false, false},
         "cross-surface 30 x 20"},
        {"S30", {LC_TOPOLOGY_SPHERE, 30, 30, 0, 0, false, false}, "sphere 30 x 30"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_topology t;
        lc_message message = {0};
        if (lc_topology_parse(cases[i].text, &t, &message) != LC_OK)
            fail_msg("%s: %s", cases[i].text, message.text);
        assert_int_equal(t.kind, cases[i].expected.kind);
        assert_int_equal(t.width_cells, cases[i].expected.width_cells);
        assert_int_equal(t.height_cells, cases[i].expected.height_cells);
        assert_int_equal(t.shift_x_cells, cases[i].expected.shift_x_cells);
        assert_int_equal(t.shift_y_cells, cases[i].expected.shift_y_cells);
        assert_int_equal(t.twist_x, cases[i].expected.twist_x);
        assert_int_equal(t.twist_y, cases[i].expected.twist_y);
        char words[LC_RULE_TEXT_BYTES];
        lc_topology_format(&t, words);
        assert_string_equal(words, cases[i].words);
        assert_int_equal(lc_topology_parse(cases[i].text, NULL, NULL), LC_OK);
    }
    lc_topology t;
    lc_message message = {0};
    assert_int_equal(lc_topology_parse(" ", &t, &message), LC_ERROR_FORMAT);
    assert_int_equal(message.column, 2);
    assert_int_equal(lc_topology_parse("T5 5", &t, &message), LC_ERROR_FORMAT);
    assert_int_equal(message.column, 4);
    assert_int_equal(lc_topology_parse("planet", &t, &message), LC_ERROR_FORMAT);
}

static void test_topology_check(void **state)
{
    (void)state;
    const int64_t most = INT64_C(1) << 61;
    const struct {
        lc_topology t;
        lc_status status;
    } cases[] = {
        {{LC_TOPOLOGY_PLANE, 0, 0, 0, 0, false, false}, LC_OK},
        {{LC_TOPOLOGY_TORUS, most, most, 0, 1, false, false}, LC_OK},
        {{LC_TOPOLOGY_TORUS, 5, 3, -4, 0, false, false}, LC_OK},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 1, 0, true, false}, LC_OK},
        {{LC_TOPOLOGY_SPHERE, 1, 1, 0, 0, false, false}, LC_OK},
        {{LC_TOPOLOGY_PLANE, -1, 5, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_PLANE, 5, INT64_MIN, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, most + 1, 1, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, 5, 3, 5, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, 5, 3, 0, -3, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, 5, 3, 1, 1, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, 0, 3, 0, 1, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, 5, 3, INT64_MIN, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_TORUS, 5, 3, 0, 0, true, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_PLANE, 5, 3, 1, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 0, 0, true, true}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 3, 2, 0, true, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 5, 4, 1, 0, true, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 4, 4, 0, 1, true, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_KLEIN_BOTTLE, 0, 4, 0, 0, true, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_CROSS_SURFACE, 4, 0, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_CROSS_SURFACE, 4, 4, 1, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_SPHERE, 4, 5, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{LC_TOPOLOGY_SPHERE, 0, 0, 0, 0, false, false}, LC_ERROR_ARGUMENT},
        {{(lc_topology_kind)77, 4, 4, 0, 0, false, false}, LC_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_message message = {0};
        lc_status status = lc_topology_check(&cases[i].t, &message);
        if (status != cases[i].status)
            fail_msg("case %zu gives %s (%s)", i, lc_status_name(status), message.text);
        assert_int_equal(message.text[0] == '\0', status == LC_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),        cmocka_unit_test(test_spellings_live),
        cmocka_unit_test(test_all_rules),        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_unsupported),      cmocka_unit_test(test_tables),
        cmocka_unit_test(test_hexagonal_digits), cmocka_unit_test(test_tables_again),
        cmocka_unit_test(test_arrangements),     cmocka_unit_test(test_topology_parse),
        cmocka_unit_test(test_topology_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
