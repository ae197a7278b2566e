// The networks of gates that rules become: all 2^18 outer-totalistic rules, each in every case that
// can occur, against the rule read as it is written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rule/network.h"
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

static int make_cases(void **state)
{
    (void)state;
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

static void check_rule(const lc_rule *rule, int *gates_most)
{
    lc_network network;
    memset(&network, 0xFF, sizeof network);
    lc_network_build(&network, rule);
    assert_in_range(network.gates, 1, LC_NETWORK_GATES_MAX);
    *gates_most = network.gates > *gates_most ? network.gates : *gates_most;
    cases value[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    memcpy(value, signals, sizeof signals);
    for (int i = 0; i < network.gates; i++) {
        const lc_gate *g = &network.gate[i];
        const int before = LC_SIGNALS + i;
        if (g->a >= before || g->b >= before || g->c >= before)
            fail_msg("birth 0x%03x survival 0x%03x: gate %d uses a later one", rule->birth,
                     rule->survival, i);
        for (int k = 0; k < 2; k++)
            value[before].bits[k] =
                gate_word(g->table, value[g->a].bits[k], value[g->b].bits[k], value[g->c].bits[k]);
    }
    for (int k = 0; k < 2; k++) {
        const uint64_t exist = k == 0 ? ~UINT64_C(0) : (UINT64_C(1) << (CASES - 64)) - 1;
        uint64_t expected = 0;
        for (int n = 0; n <= 8; n++) {
            expected |= rule->birth >> n & 1 ? with_neighbours[0][n].bits[k] : 0;
            expected |= rule->survival >> n & 1 ? with_neighbours[1][n].bits[k] : 0;
        }
        if (((value[LC_SIGNALS + network.gates - 1].bits[k] ^ expected) & exist) != 0)
            fail_msg("birth 0x%03x survival 0x%03x: the network is wrong", rule->birth,
                     rule->survival);
    }
}

static void test_all_rules(void **state)
{
    (void)state;
    int gates_most = 0;
    for (unsigned number = 0; number < 1u << 18; number++) {
        const lc_rule rule = {(uint16_t)(number & 0x1FF), (uint16_t)(number >> 9)};
        check_rule(&rule, &gates_most);
    }
    assert_in_range(gates_most, 1, 11); // as network.h promises
}

static void test_life_is_six_gates(void **state)
{
    (void)state;
    const lc_rule life = LIFE;
    lc_network network;
    lc_network_build(&network, &life);
    assert_int_equal(network.gates, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_rules),
        cmocka_unit_test(test_life_is_six_gates),
    };
    return cmocka_run_group_tests_name("network", tests, make_cases, NULL);
}
