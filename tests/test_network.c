// The networks of gates that rules become, in every case that can occur, against the rule read as
// it is written: all rules with a name, the simplest ones and random ones. Their C text is read
// back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/context_resources.h"
#include "logic/network.h"
#include "support.h"

// Each row of three cells has a sum of 0 .. 3; the middle one's row has its centre alive or not:
// dead with a sum of 0 .. 2, alive with 1 .. 3. That makes 4 * 4 * 6 cases, one bit each in two
// words.
#define CASES 96

typedef struct cases {
    uint64_t bits[2];
} cases;

static cases signals[LC_SIGNALS];
static cases with_neighbours[2][9]; // [alive][neighbours]

static void set(cases *c, int at, int value)
{
    c->bits[at / 64] |= (uint64_t)(value & 1) << (at % 64);
}

// Pairs of rows begin with the network of one row.
static lc_cache *searched;

static int make_cases(void **state)
{
    (void)state;
    searched = lc_cache_create(1 << 20);
    int at = 0;
    for (int above = 0; above <= 3; above++) {
        for (int below = 0; below <= 3; below++) {
            for (int alive = 0; alive <= 1; alive++) {
                for (int beside = 0; beside <= 2; beside++, at++) {
                    const int here = alive + beside;
                    set(&signals[LC_SIGNAL_SA], at, above & 1);
                    set(&signals[LC_SIGNAL_CA], at, above >> 1);
                    set(&signals[LC_SIGNAL_SB], at, here & 1);
                    set(&signals[LC_SIGNAL_CB], at, here >> 1);
                    set(&signals[LC_SIGNAL_SC], at, below & 1);
                    set(&signals[LC_SIGNAL_CC], at, below >> 1);
                    set(&signals[LC_SIGNAL_X], at, alive);
                    set(&with_neighbours[alive][above + below + beside], at, 1);
                }
            }
        }
    }
    return at == CASES ? 0 : -1;
}

static uint64_t gate_word(uint8_t table, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return out;
}

static const char *text_of(lc_counts rule)
{
    return lc_rule_traits(rule_of_counts(rule.birth, rule.survival))->text;
}

static void check_outputs(const lc_network *network, lc_counts rule)
{
    assert_in_range(network->gates, 1, LC_NETWORK_GATES_MAX);
    cases value[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    memcpy(value, signals, sizeof signals);
    for (int i = 0; i < network->gates; i++) {
        const lc_gate *g = &network->gate[i];
        const int before = LC_SIGNALS + i;
        if (g->a >= before || g->b >= before || g->c >= before)
            fail_msg("%s: gate %d uses a later one", text_of(rule), i);
        for (int k = 0; k < 2; k++)
            value[before].bits[k] =
                gate_word(g->table, value[g->a].bits[k], value[g->b].bits[k], value[g->c].bits[k]);
    }
    for (int k = 0; k < 2; k++) {
        const uint64_t exist = k == 0 ? ~UINT64_C(0) : (UINT64_C(1) << (CASES - 64)) - 1;
        uint64_t expected = 0;
        for (int n = 0; n <= 8; n++) {
            expected |= rule.birth >> n & 1 ? with_neighbours[0][n].bits[k] : 0;
            expected |= rule.survival >> n & 1 ? with_neighbours[1][n].bits[k] : 0;
        }
        if (((value[LC_SIGNALS + network->gates - 1].bits[k] ^ expected) & exist) != 0)
            fail_msg("%s: the network is wrong", text_of(rule));
    }
}

// The text of one kind of network.
typedef struct {
    const char *signature;
    int signals;
    const char *names[LC_PAIR_SIGNALS];
} text_kind;

static const text_kind single_text = {
    "LC_INLINE lc_word lc_next(lc_word sa, lc_word ca, lc_word sb, lc_word cb, lc_word sc, "
    "lc_word cc, lc_word x)\n{\n",
    LC_SIGNALS,
    {"sa", "ca", "sb", "cb", "sc", "cc", "x"}};

static const text_kind pair_text = {
    "LC_INLINE void lc_next_pair(lc_word sa, lc_word ca, lc_word sb, lc_word cb, lc_word sc, "
    "lc_word cc, lc_word sd, lc_word cd, lc_word xb, lc_word xc, lc_word *next_b, "
    "lc_word *next_c)\n{\n",
    LC_PAIR_SIGNALS,
    {"sa", "ca", "sb", "cb", "sc", "cc", "sd", "cd", "xb", "xc"}};

static int operand_of(const text_kind *kind, const char *name)
{
    for (int i = 0; i < kind->signals; i++)
        if (strcmp(name, kind->names[i]) == 0)
            return i;
    int gate = -1, length = 0;
    if (sscanf(name, "g%d%n", &gate, &length) != 1 || name[length] != '\0' || gate < 0)
        fail_msg("\"%s\" is no operand", name);
    return kind->signals + gate;
}

static int forget_cases(void **state)
{
    (void)state;
    lc_cache_destroy(searched);
    return 0;
}

// Reads what lc_network_print or lc_network_print_pair writes, and nothing else.
static void read_text(lc_pair_network *network, const text_kind *kind, const char *text,
                      const char *rule_text)
{
    char comment[LC_RULE_TEXT_BYTES + 8];
    const int length = snprintf(comment, sizeof comment, "// %s\n", rule_text);
    assert_memory_equal(text, comment, (size_t)length);
    text += length;
    assert_memory_equal(text, kind->signature, strlen(kind->signature));
    text += strlen(kind->signature);
    bool used[LC_PAIR_SIGNALS + LC_PAIR_GATES_MAX] = {false}, void_cast[LC_PAIR_SIGNALS] = {false};
    bool done = false;
    network->gates = 0;
    while (!done) {
        char a[8], b[8], c[8];
        unsigned table;
        int gate, at = 0;
        if (sscanf(text, " (void)%2[a-z];%n", a, &at) == 1 && at > 0) {
            const int operand = operand_of(kind, a);
            assert_in_range(operand, 0, kind->signals - 1);
            void_cast[operand] = true;
            text += at;
            continue;
        }
        if (sscanf(text, " *next_b = %7[a-z0-9]; *next_c = %7[a-z0-9];%n", a, b, &at) == 2 &&
            at > 0) {
            network->next_b = (uint8_t)operand_of(kind, a);
            network->next_c = (uint8_t)operand_of(kind, b);
            text += at;
            break;
        }
        assert_in_range(network->gates, 0, LC_PAIR_GATES_MAX - 1);
        if (sscanf(text, " const lc_word g%d =%n", &gate, &at) == 1 && at > 0)
            assert_int_equal(gate, network->gates);
        else
            done = sscanf(text, " return%n", &at) == 0 && at > 0;
        text += at;
        at = 0;
        if (sscanf(text, " LC_GATE(0x%2X, %7[a-z0-9], %7[a-z0-9], %7[a-z0-9]);%n", &table, a, b, c,
                   &at) != 4 ||
            at == 0)
            fail_msg("no gate: %s", text);
        text += at;
        lc_gate *g = &network->gate[network->gates++];
        *g = (lc_gate){(uint8_t)table, (uint8_t)operand_of(kind, a), (uint8_t)operand_of(kind, b),
                       (uint8_t)operand_of(kind, c)};
        used[g->a] = used[g->b] = used[g->c] = true;
    }
    assert_string_equal(text, "\n}\n");
    for (int i = 0; i < kind->signals; i++) // or a compiler would warn
        assert_int_equal(void_cast[i], !used[i]);
}

static void check_text(const lc_network *network, lc_counts rule)
{
    char text[LC_NETWORK_TEXT_BYTES];
    const size_t length = lc_network_print(network, text_of(rule), text, sizeof text);
    assert_true(length < sizeof text);
    assert_int_equal(strlen(text), length);
    lc_pair_network read;
    read_text(&read, &single_text, text, text_of(rule));
    lc_network again = {.gates = read.gates};
    assert_int_equal(again.gates, network->gates);
    memcpy(again.gate, read.gate, sizeof again.gate);
    check_outputs(&again, rule);
}

// Pairs of rows --------------------------------------------------------------------------------

static int next_state(lc_counts rule, int alive, int live)
{
    return (alive ? rule.survival : rule.birth) >> (live - alive) & 1;
}

// Rows a and d have sums of 0 .. 3, and b and c are as the middle row of `cases`, each alone: 576
// cases, one after the other.
static void check_pair_outputs(const lc_pair_network *n, lc_counts rule)
{
    assert_in_range(n->gates, 1, LC_PAIR_GATES_MAX);
    for (int i = 0; i < n->gates; i++) {
        const lc_gate *g = &n->gate[i];
        const int before = LC_PAIR_SIGNALS + i;
        if (g->a >= before || g->b >= before || g->c >= before)
            fail_msg("%s: gate %d uses a later one", text_of(rule), i);
    }
    for (int at = 0; at < 4 * 4 * 6 * 6; at++) {
        const int a = at & 3, d = at >> 2 & 3, beside_b = at / 16 % 3, beside_c = at / 96 % 3;
        const int xb = at / 48 % 2, xc = at / 288, b = xb + beside_b, c = xc + beside_c;
        int value[LC_PAIR_SIGNALS + LC_PAIR_GATES_MAX] = {a & 1,  a >> 1, b & 1,  b >> 1, c & 1,
                                                          c >> 1, d & 1,  d >> 1, xb,     xc};
        for (int i = 0; i < n->gates; i++) {
            const lc_gate *g = &n->gate[i];
            value[LC_PAIR_SIGNALS + i] =
                g->table >> (4 * value[g->a] + 2 * value[g->b] + value[g->c]) & 1;
        }
        if (value[n->next_b] != next_state(rule, xb, a + b + c) ||
            value[n->next_c] != next_state(rule, xc, b + c + d))
            fail_msg("%s: the network for pairs is wrong for sums "
                     "%d %d %d %d, cells %d %d",
                     text_of(rule), a, b, c, d, xb, xc);
    }
}

// Returns the number of gates.
static int check_pair(lc_counts rule)
{
    lc_pair_network network, again;
    memset(&network, 0xFF, sizeof network);
    lc_network_build_pair(&network, rule, searched);
    check_pair_outputs(&network, rule);
    char text[LC_NETWORK_TEXT_BYTES];
    const size_t length = lc_network_print_pair(&network, text_of(rule), text, sizeof text);
    assert_true(length < sizeof text);
    assert_int_equal(strlen(text), length);
    read_text(&again, &pair_text, text, text_of(rule));
    assert_int_equal(again.gates, network.gates);
    check_pair_outputs(&again, rule);
    return network.gates;
}

// Returns the number of gates.
static int check_rule(lc_counts rule)
{
    lc_network network, brief;
    memset(&network, 0xFF, sizeof network);
    const bool is_brief = lc_network_build_briefly(&brief, rule, NULL);
    lc_network_build(&network, rule, searched);
    check_outputs(&network, rule);
    if (is_brief) {
        assert_int_equal(brief.gates, network.gates);
        assert_memory_equal(brief.gate, network.gate, (size_t)brief.gates * sizeof *brief.gate);
    }
    check_text(&network, rule);
    return network.gates;
}

// One in how many of the searches is made, which are long in a slow build. `make test` asks for one
// in PAIR_SHARE: then searches for one row, which are short, are all made, and those for pairs,
// which take half a second, are enough to say how good they are. A LC_THOROUGH build makes all.
enum { PAIR_SHARE = 3 };

static int share(void)
{
    const int slowness = test_slowness(), asked = (int)test_share();
    return test_full() ? 1 : slowness > asked ? slowness : asked;
}

// Returns the number of gates of the network for one row.
static int check_both(lc_counts rule)
{
    static int calls;
    const int gates = check_rule(rule);
    if (calls++ % share() == 0)
        assert_in_range(check_pair(rule), 1, 2 * gates);
    return gates;
}

static void test_random_rules(void **state)
{
    (void)state;
    enum { SAMPLE = 200 };
    const bool few = share() > PAIR_SHARE;
    const int rules = (test_full() ? 4000 : SAMPLE) / (few ? share() : 1);
    dice d = dice_from(test_seed(), 61);
    int with_gates[LC_NETWORK_GATES_MAX + 1] = {0};
    for (int i = 0; i < rules; i++) {
        const uint64_t word = dice_word(&d);
        with_gates[check_rule((lc_counts){word & 0x1FF, word >> 9 & 0x1FF})]++;
    }
    int at_most_7 = 0;
    for (int i = 0; i <= 7; i++)
        at_most_7 += with_gates[i];
    if (few)
        return;                                        // too few to say how good the search is
    assert_in_range(at_most_7, rules * 3 / 10, rules); // four in ten
    assert_in_range(with_gates[9], 0, rules / 10);     // one in twenty
}

// The same rules each time: what is asserted is how good the search is.
static void test_random_pairs(void **state)
{
    (void)state;
    const int rules = (test_full() ? 2000 : 60) / share();
    dice d = dice_from(1, 62);
    int with_gates[LC_PAIR_GATES_MAX + 1] = {0};
    for (int i = 0; i < rules; i++) {
        const uint64_t word = dice_word(&d);
        with_gates[check_pair((lc_counts){word & 0x1FF, word >> 9 & 0x1FF})]++;
    }
    int at_most = 0, median = 0;
    for (; at_most + with_gates[median] <= rules / 2; median++)
        at_most += with_gates[median];
    if (share() > PAIR_SHARE)
        return;
    assert_in_range(median, 1, 14);
    assert_int_equal(with_gates[18], 0);
}

static void test_named_rules(void **state)
{
    (void)state;
    const char *text;
    int gates = 0, rules = 0;
    for (size_t i = 0; lc_rule_named(i, NULL, &text); i++) {
        lc_counts counts;
        if (!lc_rule_counts(rule_of(text), &counts))
            continue;
        gates += check_both(counts);
        rules++;
    }
    assert_in_range(gates, rules, rules * 15 / 2);
}

// Rules of one count, and of all but one; rules in which only one side of a count matters.
static void test_simple_rules(void **state)
{
    (void)state;
    for (unsigned n = 0; n <= 9; n++) {
        const uint16_t one = (uint16_t)(1u << n & 0x1FF), below = (uint16_t)((1u << n) - 1);
        const uint16_t masks[] = {one, (uint16_t)(0x1FF ^ one), below, (uint16_t)(0x1FF ^ below)};
        for (int i = 0; i < 4; i++) {
            (void)check_both((lc_counts){masks[i], 0});
            (void)check_both((lc_counts){masks[i], 0x1FF});
            (void)check_both((lc_counts){0, masks[i]});
            (void)check_both((lc_counts){masks[i], masks[i]});
        }
    }
}

// Rules whose networks can be worked out by hand.
static void test_gates(void **state)
{
    (void)state;
    assert_int_equal(check_rule(counts_of(LIFE)), 6); // Life
    assert_int_equal(check_pair(counts_of(LIFE)), 11);
    assert_int_equal(check_rule(counts_of(rule_of("B/S"))), 1);                   // nothing lives
    assert_int_equal(check_rule(counts_of(rule_of("B012345678/S012345678"))), 1); // everything does
    assert_int_equal(check_rule(counts_of(rule_of("B/S012345678"))), 1);          // nothing changes
    assert_int_equal(check_rule(counts_of(rule_of("B012345678/S"))), 1);          // everything does
    assert_int_equal(check_rule(counts_of(rule_of("B1357/S1357"))),
                     2); // Replicator: parity of nine and x
    assert_int_equal(check_rule(counts_of(rule_of("B1357/S02468"))),
                     2); // Fredkin: parity of nine
}

static void test_text_is_cut_off(void **state)
{
    (void)state;
    lc_network network;
    lc_network_build(&network, counts_of(LIFE), NULL);
    char whole[LC_NETWORK_TEXT_BYTES];
    const size_t length = lc_network_print(&network, "B3/S23", whole, sizeof whole);
    assert_int_equal(lc_network_print(&network, "B3/S23", NULL, 0), length);
    for (size_t size = 1; size <= length + 2; size++) {
        char part[LC_NETWORK_TEXT_BYTES];
        memset(part, '#', sizeof part);
        assert_int_equal(lc_network_print(&network, "B3/S23", part, size), length);
        const size_t written = size <= length ? size - 1 : length;
        assert_memory_equal(part, whole, written);
        assert_int_equal(part[written], '\0');
        assert_int_equal(part[written + 1], '#');
    }
    lc_pair_network pair;
    lc_network_build_pair(&pair, counts_of(LIFE), NULL);
    const size_t pair_length = lc_network_print_pair(&pair, "B3/S23", whole, sizeof whole);
    char part[LC_NETWORK_TEXT_BYTES] = {0};
    assert_int_equal(lc_network_print_pair(&pair, "B3/S23", part, pair_length), pair_length);
    assert_memory_equal(part, whole, pair_length - 1);
    assert_int_equal(part[pair_length - 1], '\0');
}

// A rule whose gates take a long search is found at once by the next one that asks the same cache:
// for networks, and for the universes of a context.
static void test_rules_are_remembered(void **state)
{
    (void)state;
    const lc_counts hard = counts_of(rule_of("B013568/S01"));
    lc_network network, again;
    assert_false(lc_network_build_briefly(&network, hard, NULL));
    lc_cache *cache = lc_cache_create(1 << 20);
    assert_false(lc_network_build_briefly(&network, hard, cache));
    lc_network_build(&network, hard, cache);
    assert_true(lc_network_build_briefly(&again, hard, cache));
    assert_int_equal(again.gates, network.gates);
    assert_memory_equal(again.gate, network.gate, (size_t)network.gates * sizeof *network.gate);
    check_outputs(&again, hard);
    lc_cache_destroy(cache);

    lc_context *context;
    assert_int_equal(lc_context_create(&context, NULL, NULL), LC_OK);
    const double gates = lc_network_gates(hard, lc_context_cache(context));
    assert_true(gates == lc_rule_gates(rule_of("B013568/S01")));
    assert_true(lc_network_build_briefly(&again, hard, lc_context_cache(context)));
    // lc_rule_gates has no context; its cache is that of universes without one.
    assert_true(lc_network_build_briefly(&again, hard, lc_context_cache(NULL)));
    lc_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gates),
        cmocka_unit_test(test_simple_rules),
        cmocka_unit_test(test_named_rules),
        cmocka_unit_test(test_random_rules),
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_text_is_cut_off),
        cmocka_unit_test(test_rules_are_remembered),
    };
    return cmocka_run_group_tests_name("network", tests, make_cases, forget_cases);
}
