// How a network for any rule is made: two full adders for each kind of row sum's bits, which make
// five signals of seven, and the gates behind them by search (network_tail.c).
#include "rule/network.h"

#include <stdarg.h>
#include <stdio.h>

#include "rule/network_known.h"
#include "rule/network_tail.h"

enum { PARITY = 0x96, MAJORITY = 0xE8, ADDERS = 4 };

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

void lc_network_build(lc_network *network, const lc_rule *rule)
{
    if (lc_network_known(network, rule))
        return;
    *network = (lc_network){ADDERS,
                            {{PARITY, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC},
                             {MAJORITY, LC_SIGNAL_SA, LC_SIGNAL_SB, LC_SIGNAL_SC},
                             {PARITY, LC_SIGNAL_CA, LC_SIGNAL_CB, LC_SIGNAL_CC},
                             {MAJORITY, LC_SIGNAL_CA, LC_SIGNAL_CB, LC_SIGNAL_CC}}};
    uint8_t operand[LC_TAIL_SIGNALS + LC_TAIL_GATES_MAX] = {[LC_TAIL_X] = LC_SIGNAL_X};
    for (int i = 0; i < ADDERS; i++) // in the order of LC_TAIL_P, _M, _PC, _MC
        operand[i] = (uint8_t)(LC_SIGNALS + i);
    lc_gate tail[LC_TAIL_GATES_MAX];
    const int count = lc_network_tail(tail, rule);
    for (int i = 0; i < count; i++) {
        operand[LC_TAIL_SIGNALS + i] = (uint8_t)(LC_SIGNALS + network->gates);
        lc_gate *g = &network->gate[network->gates++];
        *g = (lc_gate){tail[i].table, operand[tail[i].a], operand[tail[i].b], operand[tail[i].c]};
        tie_inputs(g);
    }
    drop_unused(network);
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

int lc_rule_gates(const lc_rule *rule)
{
    enum { ROW_GATES = 2 }; // parity and majority
    lc_network network;
    lc_network_build(&network, rule);
    return network.gates + ROW_GATES;
}
