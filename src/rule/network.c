// How a network for any rule is made: four gates that make five signals of seven, in one of several
// ways (network_front.c), and the gates behind them by search (network_tail.c).
#include "rule/network.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rule/network_front.h"
#include "rule/network_known.h"
#include "rule/network_tail.h"

// Whether the gate's output depends on its input number `which` (0: a).
static bool looks_at(uint8_t table, int which)
{
    const int weight = 4 >> which;
    for (int i = 0; i < 8; i++)
        if ((table >> i ^ table >> (i ^ weight)) & 1)
            return true;
    return false;
}

// Ties the inputs that a gate does not look at to one that it does look at, or else to x.
static void tie_inputs(lc_gate *g)
{
    const bool a = looks_at(g->table, 0), b = looks_at(g->table, 1), c = looks_at(g->table, 2);
    const uint8_t tie = a ? g->a : b ? g->b : c ? g->c : LC_SIGNAL_X;
    g->a = a ? g->a : tie;
    g->b = b ? g->b : tie;
    g->c = c ? g->c : tie;
}

// Leaves out the gates on which the last one does not depend.
static void drop_unused(lc_network *n)
{
    bool used[LC_SIGNALS + LC_NETWORK_GATES_MAX] = {false};
    used[LC_SIGNALS + n->gates - 1] = true;
    for (int i = n->gates - 1; i >= 0; i--) {
        const lc_gate *g = &n->gate[i];
        if (used[LC_SIGNALS + i])
            used[g->a] = used[g->b] = used[g->c] = true;
    }
    uint8_t now[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    for (uint8_t i = 0; i < LC_SIGNALS; i++)
        now[i] = i;
    int count = 0;
    for (int i = 0; i < n->gates; i++) {
        if (!used[LC_SIGNALS + i])
            continue;
        const lc_gate g = n->gate[i];
        now[LC_SIGNALS + i] = (uint8_t)(LC_SIGNALS + count);
        n->gate[count++] = (lc_gate){g.table, now[g.a], now[g.b], now[g.c]};
    }
    n->gates = count;
}

// Gates put between a front and the search, in the order in which they are tried: chosen one after
// the other so that each serves most of a sample of rules that those before it do not serve.
// Operands are the front's signals by number, a front's fifth being x.
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
    FIRST_GATES_ANY = 19, // those behind LC_FRONT_ANY, which any two of are tried as well
};

// A network of the front's gates, `firsts` more and `count` found by search, if there is one.
static bool build_on(lc_network *network, const lc_rule *rule, const lc_front *front,
                     const lc_gate *first, int firsts, int count)
{
    lc_tail_function function;
    lc_gate tail[LC_TAIL_GATES_MAX];
    if (!lc_front_function(&function, front, rule) ||
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
    drop_unused(network);
    return true;
}

// As above with one or two gates of the list.
static bool build_on_first_gates(lc_network *network, const lc_rule *rule)
{
    for (int i = 0; i < FIRST_GATES; i++)
        if (build_on(network, rule, &lc_fronts[first_gates[i].front], &first_gates[i].gate, 1,
                     LC_TAIL_SEARCHED_MAX))
            return true;
    for (int i = 1; i < FIRST_GATES_ANY; i++) {
        for (int j = 0; j < i; j++) {
            const lc_gate both[LC_TAIL_FIRST_MAX] = {first_gates[i].gate, first_gates[j].gate};
            if (build_on(network, rule, &lc_fronts[LC_FRONT_ANY], both, LC_TAIL_FIRST_MAX,
                         LC_TAIL_SEARCHED_MAX))
                return true;
        }
    }
    return false;
}

void lc_network_build(lc_network *network, const lc_rule *rule)
{
    if (lc_network_known(network, rule))
        return;
    for (int count = 1; count <= LC_TAIL_SEARCHED_MAX; count++)
        for (int i = 0; i < LC_FRONTS; i++)
            if (build_on(network, rule, &lc_fronts[i], NULL, 0, count))
                return;
    (void)build_on_first_gates(network, rule);
}

// As C text -------------------------------------------------------------------------------------

typedef struct {
    char *text;
    size_t size_bytes, length;
} writer;

static void put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *w, const char *format, ...)
{
    const bool room = w->length < w->size_bytes;
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(room ? w->text + w->length : NULL,
                                  room ? w->size_bytes - w->length : 0, format, list);
    va_end(list);
    w->length += written > 0 ? (size_t)written : 0;
}

typedef struct {
    char text[8];
} operand_name;

static operand_name name_of(uint8_t operand)
{
    static const char *const signals[LC_SIGNALS] = {"sa", "ca", "sb", "cb", "sc", "cc", "x"};
    operand_name name;
    if (operand < LC_SIGNALS)
        (void)snprintf(name.text, sizeof name.text, "%s", signals[operand]);
    else
        (void)snprintf(name.text, sizeof name.text, "g%d", operand - LC_SIGNALS);
    return name;
}

size_t lc_network_print(const lc_network *network, const lc_rule *rule, char *text,
                        size_t size_bytes)
{
    writer w = {text, size_bytes, 0};
    char rule_text[LC_RULE_TEXT_BYTES];
    lc_rule_format(rule, NULL, rule_text);
    put(&w, "// %s\n", rule_text);
    put(&w, "LC_INLINE lc_word lc_next(lc_word sa, lc_word ca, lc_word sb, lc_word cb, lc_word sc, "
            "lc_word cc, lc_word x)\n{\n");
    bool used[LC_SIGNALS + LC_NETWORK_GATES_MAX] = {false};
    for (int i = 0; i < network->gates; i++) {
        const lc_gate *g = &network->gate[i];
        used[g->a] = used[g->b] = used[g->c] = true;
    }
    for (uint8_t i = 0; i < LC_SIGNALS; i++)
        if (!used[i])
            put(&w, "    (void)%s;\n", name_of(i).text);
    for (int i = 0; i < network->gates; i++) {
        const lc_gate *g = &network->gate[i];
        if (i < network->gates - 1)
            put(&w, "    const lc_word g%d =", i);
        else
            put(&w, "    return");
        put(&w, " LC_GATE(0x%02X, %s, %s, %s);\n", g->table, name_of(g->a).text, name_of(g->b).text,
            name_of(g->c).text);
    }
    put(&w, "}\n");
    return w.length;
}
