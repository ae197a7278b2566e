// Builds networks: four gates that reduce seven signals to five (network_front.c), and the tail
// behind them, found by search (network_tail.c).
#include "logic/network.h"

#include <stdbool.h>
#include <string.h>

#include "base/context_resources.h"
#include "logic/network_front.h"
#include "logic/network_known.h"
#include "logic/network_pair.h"
#include "logic/network_tail.h"

// Returns whether the gate's output depends on input `which` (0: a).
static bool depends_on(uint8_t table, int which)
{
    const int weight = 4 >> which;
    for (int i = 0; i < 8; i++)
        if ((table >> i ^ table >> (i ^ weight)) & 1)
            return true;
    return false;
}

// Ties unused inputs of a gate to a used one, or to x if there is none.
static void tie_inputs(lc_gate *g)
{
    const bool a = depends_on(g->table, 0), b = depends_on(g->table, 1),
               c = depends_on(g->table, 2);
    const uint8_t tie = a ? g->a : b ? g->b : c ? g->c : LC_SIGNAL_X;
    g->a = a ? g->a : tie;
    g->b = b ? g->b : tie;
    g->c = c ? g->c : tie;
}

// Removes gates on which no output depends; operands count from `signals`. Renumbers the outputs
// and returns the number of remaining gates.
static int drop_unused(lc_gate *gate, int gates, uint8_t signals, uint8_t *output, int outputs)
{
    enum { OPERANDS_MAX = LC_PAIR_SIGNALS + LC_PAIR_GATES_MAX };
    bool used[OPERANDS_MAX] = {false};
    uint8_t now[OPERANDS_MAX];
    for (int i = 0; i < outputs; i++)
        used[output[i]] = true;
    for (int i = gates - 1; i >= 0; i--)
        if (used[signals + i])
            used[gate[i].a] = used[gate[i].b] = used[gate[i].c] = true;
    for (uint8_t i = 0; i < signals; i++)
        now[i] = i;
    int count = 0;
    for (int i = 0; i < gates; i++) {
        if (!used[signals + i])
            continue;
        const lc_gate g = gate[i];
        now[signals + i] = (uint8_t)(signals + count);
        gate[count++] = (lc_gate){g.table, now[g.a], now[g.b], now[g.c]};
    }
    for (int i = 0; i < outputs; i++)
        output[i] = now[output[i]];
    return count;
}

// Gates inserted between a front and the search, in the order tried. A greedy selection chose them:
// each serves the most rules of a sample that the gates before it do not serve. Operands are the
// front's signals by number; a front's fifth signal is x.
static const struct {
    uint8_t front;
    lc_gate gate;
} first_gates[] = {
    {LC_FRONT_ANY, {0x1E, 3, 2, 1}},
    {LC_FRONT_ANY, {0x61, 4, 2, 1}},
    {LC_FRONT_ANY, {0x18, 3, 2, 1}},
    {LC_FRONT_ANY, {0x19, 3, 2, 1}},
    {LC_FRONT_ANY, {0x79, 4, 2, 1}},
    {LC_FRONT_ANY, {0x69, 2, 1, 0}},
    {LC_FRONT_ANY, {0x61, 3, 2, 1}},
    {LC_FRONT_ANY, {0x42, 2, 1, 0}},
    {LC_FRONT_ANY, {0x17, 4, 2, 1}},
    {LC_FRONT_ANY, {0x49, 4, 3, 0}},
    {LC_FRONT_ANY, {0x3D, 2, 1, 0}},
    {LC_FRONT_ANY, {0x3A, 4, 3, 0}},
    {LC_FRONT_ANY, {0x76, 4, 3, 0}},
    {LC_FRONT_ANY, {0x17, 2, 1, 0}},
    {LC_FRONT_ANY, {0x2A, 2, 1, 0}},
    {LC_FRONT_ANY, {0x2B, 2, 1, 0}},
    {LC_FRONT_ANY, {0x35, 3, 1, 0}},
    {LC_FRONT_ANY, {0x64, 4, 3, 0}},
    {LC_FRONT_ANY, {0x76, 4, 3, 1}},
    {3, {0x69, 3, 2, 1}},
    {3, {0x61, 4, 3, 1}},
    {2, {0x71, 4, 1, 0}},
    {2, {0x21, 4, 3, 0}},
    {1, {0x6D, 3, 2, 1}},
};

enum {
    FIRST_GATES = sizeof first_gates / sizeof *first_gates,
    FIRST_GATES_ANY = 19, // those behind LC_FRONT_ANY; pairs of these are tried as well
};

// Builds a network of the front's gates, `firsts` given gates and `count` gates found by search.
// Returns false if the search finds none.
static bool build_on(lc_network *network, lc_counts counts, const lc_front *front,
                     const lc_gate *first, int firsts, int count)
{
    lc_tail_function function;
    lc_gate tail[LC_TAIL_GATES_MAX];
    if (!lc_front_function(&function, front, counts) ||
        !lc_tail_find(tail, function, first, firsts, count))
        return false;
    network->gates = LC_FRONT_GATES;
    memcpy(network->gate, front->gate, sizeof front->gate);
    uint8_t operand[LC_TAIL_SIGNALS + LC_TAIL_GATES_MAX];
    memcpy(operand, front->signal, sizeof front->signal);
    for (int i = 0; i < firsts + count; i++) {
        operand[LC_TAIL_SIGNALS + i] = (uint8_t)(LC_SIGNALS + network->gates);
        lc_gate *g = &network->gate[network->gates++];
        *g = (lc_gate){tail[i].table, operand[tail[i].a], operand[tail[i].b], operand[tail[i].c]};
        tie_inputs(g);
    }
    // The last gate, also after drop_unused.
    uint8_t output = (uint8_t)(LC_SIGNALS + network->gates - 1);
    network->gates = drop_unused(network->gate, network->gates, LC_SIGNALS, &output, 1);
    return true;
}

// Tries build_on with one or two gates of first_gates.
static bool build_on_first_gates(lc_network *network, lc_counts counts)
{
    for (int i = 0; i < FIRST_GATES; i++)
        if (build_on(network, counts, &lc_fronts[first_gates[i].front], &first_gates[i].gate, 1,
                     LC_TAIL_SEARCHED_MAX))
            return true;
    for (int i = 1; i < FIRST_GATES_ANY; i++) {
        for (int j = 0; j < i; j++) {
            const lc_gate both[LC_TAIL_FIRST_MAX] = {first_gates[i].gate, first_gates[j].gate};
            if (build_on(network, counts, &lc_fronts[LC_FRONT_ANY], both, LC_TAIL_FIRST_MAX,
                         LC_TAIL_SEARCHED_MAX))
                return true;
        }
    }
    return false;
}

// The first part of the search; takes one or two milliseconds.
static bool search_briefly(lc_network *network, lc_counts counts)
{
    if (lc_network_known(network, counts))
        return true;
    for (int count = 1; count < LC_TAIL_SEARCHED_MAX; count++)
        for (int i = 0; i < LC_FRONTS; i++)
            if (build_on(network, counts, &lc_fronts[i], NULL, 0, count))
                return true;
    return build_on(network, counts, &lc_fronts[0], NULL, 0, LC_TAIL_SEARCHED_MAX);
}

static void search(lc_network *network, lc_counts counts)
{
    if (search_briefly(network, counts))
        return;
    for (int i = 1; i < LC_FRONTS; i++)
        if (build_on(network, counts, &lc_fronts[i], NULL, 0, LC_TAIL_SEARCHED_MAX))
            return;
    (void)build_on_first_gates(network, counts);
}

static bool make_network(lc_cache *cache, void *value, const void *key, void *argument)
{
    (void)cache;
    const lc_counts *counts = key;
    const bool briefly = *(const bool *)argument;
    if (briefly)
        return search_briefly(value, *counts);
    search(value, *counts);
    return true;
}

static const lc_cache_kind networks = {
    .key_bytes = sizeof(lc_counts), .value_bytes = sizeof(lc_network), .make = make_network};

void lc_network_build(lc_network *network, lc_counts counts, lc_cache *cache)
{
    bool briefly = false;
    (void)lc_cache_copy(cache, &networks, &counts, &briefly, network);
}

bool lc_network_build_briefly(lc_network *network, lc_counts counts, lc_cache *cache)
{
    bool briefly = true;
    return lc_cache_copy(cache, &networks, &counts, &briefly, network);
}

static uint8_t append(lc_pair_network *pair, lc_gate gate)
{
    pair->gate[pair->gates] = gate;
    return (uint8_t)(LC_PAIR_SIGNALS + pair->gates++);
}

// Appends a network whose signal i is signals[i]. Returns its output's operand.
static uint8_t append_network(lc_pair_network *pair, const lc_network *n,
                              const uint8_t signals[LC_SIGNALS])
{
    uint8_t now[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    memcpy(now, signals, LC_SIGNALS);
    for (int i = 0; i < n->gates; i++) {
        const lc_gate *g = &n->gate[i];
        now[LC_SIGNALS + i] = append(pair, (lc_gate){g->table, now[g->a], now[g->b], now[g->c]});
    }
    return now[LC_SIGNALS + n->gates - 1];
}

static void search_pair(lc_pair_network *network, lc_counts counts, lc_cache *cache)
{
    static const uint8_t of_b[LC_SIGNALS] = {LC_PAIR_SA, LC_PAIR_CA, LC_PAIR_SB, LC_PAIR_CB,
                                             LC_PAIR_SC, LC_PAIR_CC, LC_PAIR_XB};
    static const uint8_t of_c[LC_SIGNALS] = {LC_PAIR_SB, LC_PAIR_CB, LC_PAIR_SC, LC_PAIR_CC,
                                             LC_PAIR_SD, LC_PAIR_CD, LC_PAIR_XC};
    if (lc_network_known_pair(network, counts))
        return;
    lc_network single;
    lc_network_build(&single, counts, cache);
    if (lc_network_search_pair(network, counts, 2 * single.gates)) {
        for (int i = 0; i < network->gates; i++)
            tie_inputs(&network->gate[i]);
        // A tail may not use all of its gates.
        uint8_t outputs[] = {network->next_b, network->next_c};
        network->gates = drop_unused(network->gate, network->gates, LC_PAIR_SIGNALS, outputs, 2);
        network->next_b = outputs[0];
        network->next_c = outputs[1];
        return;
    }
    network->gates = 0;
    network->next_b = append_network(network, &single, of_b);
    network->next_c = append_network(network, &single, of_c);
}

static bool make_pair(lc_cache *cache, void *value, const void *key, void *argument)
{
    (void)argument;
    search_pair(value, *(const lc_counts *)key, cache);
    return true;
}

static const lc_cache_kind pairs = {
    .key_bytes = sizeof(lc_counts), .value_bytes = sizeof(lc_pair_network), .make = make_pair};

void lc_network_build_pair(lc_pair_network *network, lc_counts counts, lc_cache *cache)
{
    (void)lc_cache_copy(cache, &pairs, &counts, NULL, network);
}

double lc_network_gates(lc_counts counts, lc_cache *cache)
{
    enum { ROW_GATES = 2 }; // parity and majority
    lc_pair_network network;
    lc_network_build_pair(&network, counts, cache);
    return (network.gates + 2 * ROW_GATES) / 2.0;
}

double lc_rule_gates(const lc_rule *rule)
{
    lc_counts counts;
    return lc_rule_traits(rule)->family == LC_FAMILY_TOTALISTIC && lc_rule_counts(rule, &counts)
               ? lc_network_gates(counts, lc_context_cache(NULL))
               : 0;
}
