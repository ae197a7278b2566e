// Searches for the last gates of a network, with functions as truth tables.
//
// A function of the five signals has 32 cases; some of them cannot occur. It is stored as two
// words: the cases where it is one, and those where it is zero. It is free in all other cases. The
// search goes from the last gate backwards. If f is a gate of h, y and z, then in each of the four
// combinations of y and z the unknown h is f, or its complement, or free where f does not change.
// The complement of h serves as well as h, so the search tries at most eight functions h, each with
// one gate fewer. All networks of three gates have one of two forms, so the search for them is
// complete:
//
//     chain    f = gate(h, y, z), h = gate(k, u, v), k = gate(a, b, c)     y z u v a b c signals
//     tree     f = gate(h, g, z), h = gate of three, g among them or not    g = gate(a, b, c)
//
// In a tree g is any possible gate, and h is found as above. The caller's first gates count as
// signals.
//
// Pairs of cases make the search fast. If f differs between two cases, one of its signals must
// differ too. Up to 64 pairs of cases in which f differs form a word, with those first that agree
// in most signals. Each signal has a word of the pairs that it distinguishes. A set of signals
// whose words leave out a pair is impossible for any gate. Which signals are possible depends on
// the signals chosen before but not on h, so they are listed once for all h.
#include "logic/network_tail.h"

enum {
    CASES = 1 << LC_TAIL_SIGNALS,
    PAIRS = 64,
    SIGNALS_MAX = LC_TAIL_SIGNALS + LC_TAIL_FIRST_MAX + 1, // 1 for g of a tree
};

typedef lc_tail_function function;

typedef struct {
    function rule;
    int signals;
    uint32_t value[SIGNALS_MAX];
    uint64_t distinguishes[SIGNALS_MAX]; // pairs that the signal distinguishes
    uint64_t all_pairs;
    int pairs;
    uint8_t pair[PAIRS][2];
} search;

// Returns the cases in which a, b and c are the bits of `which`.
static uint32_t cell(int which, uint32_t a, uint32_t b, uint32_t c)
{
    return (which & 4 ? a : ~a) & (which & 2 ? b : ~b) & (which & 1 ? c : ~c);
}

static uint32_t output(uint8_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t out = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1)
            out |= cell(i, a, b, c);
    return out;
}

// Finds the table of f as a gate of a, b and c. Returns false if f is not such a gate.
static bool find_table(function f, uint32_t a, uint32_t b, uint32_t c, uint8_t *table)
{
    *table = 0;
    for (int i = 0; i < 8; i++) {
        const uint32_t here = cell(i, a, b, c);
        if ((f.on & here) == 0)
            continue;
        if ((f.off & here) != 0)
            return false;
        *table = (uint8_t)(*table | 1 << i);
    }
    return true;
}

// Pairs of cases -------------------------------------------------------------------------------

static uint64_t distinguished_pairs(const search *s, uint32_t value)
{
    uint64_t word = 0;
    for (int i = 0; i < s->pairs; i++)
        word |= (uint64_t)((value >> s->pair[i][0] ^ value >> s->pair[i][1]) & 1) << i;
    return word;
}

// Selects pairs of cases in which f differs: first those that differ in one signal, then in two,
// and so on. If the last group has too many pairs, takes an even selection.
static void choose_pairs(search *s)
{
    uint8_t found[LC_TAIL_SIGNALS + 1][CASES * CASES / 4][2]; // at most half the cases are on
    int count[LC_TAIL_SIGNALS + 1] = {0};
    for (uint32_t on = s->rule.on; on != 0; on &= on - 1) {
        const unsigned i = (unsigned)__builtin_ctz(on);
        for (uint32_t off = s->rule.off; off != 0; off &= off - 1) {
            const unsigned j = (unsigned)__builtin_ctz(off);
            const int distance = __builtin_popcount(i ^ j);
            uint8_t *pair = found[distance][count[distance]++];
            pair[0] = (uint8_t)i;
            pair[1] = (uint8_t)j;
        }
    }
    s->pairs = 0;
    for (int distance = 1; distance <= LC_TAIL_SIGNALS; distance++) {
        const int room = PAIRS - s->pairs;
        const int taken = count[distance] < room ? count[distance] : room;
        for (int i = 0; i < taken; i++, s->pairs++) {
            s->pair[s->pairs][0] = found[distance][i * count[distance] / taken][0];
            s->pair[s->pairs][1] = found[distance][i * count[distance] / taken][1];
        }
    }
    s->all_pairs = s->pairs == PAIRS ? ~UINT64_C(0) : (UINT64_C(1) << s->pairs) - 1;
}

static void add_signal(search *s, uint32_t value)
{
    s->value[s->signals] = value;
    s->distinguishes[s->signals] = distinguished_pairs(s, value);
    s->signals++;
}

// Gates ----------------------------------------------------------------------------------------

// Three signals, in falling order.
typedef struct {
    uint8_t a, b, c;
} triple;

enum { TRIPLES_MAX = SIGNALS_MAX * (SIGNALS_MAX - 1) * (SIGNALS_MAX - 2) / 6 };

typedef struct {
    int count;
    triple of[TRIPLES_MAX];
} triples;

// Lists the triples of signals that together distinguish all of `pairs`. Returns false if none
// does.
static bool list_triples(triples *list, const search *s, uint64_t pairs)
{
    list->count = 0;
    for (int a = 2; a < s->signals; a++) {
        const uint64_t without_a = pairs & ~s->distinguishes[a];
        for (int b = 1; b < a; b++) {
            const uint64_t without_b = without_a & ~s->distinguishes[b];
            for (int c = 0; c < b; c++)
                if ((without_b & ~s->distinguishes[c]) == 0)
                    list->of[list->count++] = (triple){(uint8_t)a, (uint8_t)b, (uint8_t)c};
        }
    }
    return list->count > 0;
}

// Finds a gate with output f whose inputs are a triple of the list.
static bool find_gate(const search *s, function f, const triples *list, lc_gate *gate)
{
    for (int i = 0; i < list->count; i++) {
        const triple t = list->of[i];
        uint8_t table;
        if (find_table(f, s->value[t.a], s->value[t.b], s->value[t.c], &table)) {
            *gate = (lc_gate){table, t.a, t.b, t.c};
            return true;
        }
    }
    return false;
}

static uint32_t output_of(const search *s, const lc_gate *gate)
{
    return output(gate->table, s->value[gate->a], s->value[gate->b], s->value[gate->c]);
}

// The functions h for which f is a gate of h, y and z. Bit i of a choice: h is the complement of f
// in the i-th combination of y and z.
typedef struct {
    function part[4]; // f in each combination; empty where f does not change
    unsigned changing;
} possible_inputs;

static possible_inputs split(function f, uint32_t y, uint32_t z)
{
    possible_inputs in = {.changing = 0};
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t here = (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
        const function part = {f.on & here, f.off & here};
        if (part.on != 0 && part.off != 0) {
            in.part[i] = part;
            in.changing |= 1u << i;
        }
    }
    return in;
}

enum { CHOICES = 16 };

// Returns false for choices equivalent to another: those that differ where h is free, and
// complements.
static bool is_choice(const possible_inputs *in, unsigned choice)
{
    const unsigned lowest = in->changing & (0u - in->changing);
    return (choice & ~in->changing) == 0 && (choice & lowest) == 0;
}

static function choose(const possible_inputs *in, unsigned choice)
{
    function h = {0, 0};
    for (unsigned i = 0; i < 4; i++) {
        h.on |= choice >> i & 1 ? in->part[i].off : in->part[i].on;
        h.off |= choice >> i & 1 ? in->part[i].on : in->part[i].off;
    }
    return h;
}

// Returns the gate of h, y and z whose output is f. h has signal number `of_h` and value `h`.
static lc_gate gate_behind(const search *s, function f, uint32_t h, int of_h, int y, int z)
{
    lc_gate gate = {0, (uint8_t)of_h, (uint8_t)y, (uint8_t)z};
    (void)find_table(f, h, s->value[y], s->value[z], &gate.table);
    return gate;
}

// Two gates: signals y and z of the last gate, and the possible signals of the first.
typedef struct {
    int y, z;
    triples first;
} pair_of_gates;

enum { PAIRS_OF_GATES_MAX = SIGNALS_MAX * (SIGNALS_MAX - 1) / 2 };

// Lists the signals with which two gates may distinguish all of `pairs`. Returns the count.
static int list_pairs_of_gates(pair_of_gates list[PAIRS_OF_GATES_MAX], const search *s,
                               uint64_t pairs)
{
    int count = 0;
    for (int y = 1; y < s->signals; y++) {
        for (int z = 0; z < y; z++) {
            list[count].y = y;
            list[count].z = z;
            count += list_triples(&list[count].first, s,
                                  pairs & ~(s->distinguishes[y] | s->distinguishes[z]));
        }
    }
    return count;
}

// Finds a chain of two gates with output f; *value is the last gate's output.
static bool find_two(const search *s, function f, const pair_of_gates *list, int count,
                     lc_gate gates[2], uint32_t *value)
{
    for (int i = 0; i < count; i++) {
        const int y = list[i].y, z = list[i].z;
        const possible_inputs in = split(f, s->value[y], s->value[z]);
        for (unsigned choice = 0; choice < CHOICES; choice++) {
            if (!is_choice(&in, choice) ||
                !find_gate(s, choose(&in, choice), &list[i].first, &gates[0]))
                continue;
            const uint32_t h = output_of(s, &gates[0]);
            gates[1] = gate_behind(s, f, h, s->signals, y, z);
            *value = output(gates[1].table, h, s->value[y], s->value[z]);
            return true;
        }
    }
    return false;
}

static bool find_three(const search *s, lc_gate gates[3])
{
    pair_of_gates list[PAIRS_OF_GATES_MAX];
    for (int y = 1; y < s->signals; y++) {
        for (int z = 0; z < y; z++) {
            const int count = list_pairs_of_gates(
                list, s, s->all_pairs & ~(s->distinguishes[y] | s->distinguishes[z]));
            const possible_inputs in = split(s->rule, s->value[y], s->value[z]);
            for (unsigned choice = 0; choice < CHOICES && count > 0; choice++) {
                uint32_t h;
                if (!is_choice(&in, choice) ||
                    !find_two(s, choose(&in, choice), list, count, gates, &h))
                    continue;
                gates[2] = gate_behind(s, s->rule, h, s->signals + 1, y, z);
                return true;
            }
        }
    }
    return false;
}

// Finds a chain of `count` gates for the rule.
static bool find_chain(const search *s, int count, lc_gate *gates)
{
    triples list;
    pair_of_gates pairs[PAIRS_OF_GATES_MAX];
    uint32_t value;
    if (count == 1)
        return list_triples(&list, s, s->all_pairs) && find_gate(s, s->rule, &list, gates);
    if (count == 2)
        return find_two(s, s->rule, pairs, list_pairs_of_gates(pairs, s, s->all_pairs), gates,
                        &value);
    return find_three(s, gates);
}

// Trees ----------------------------------------------------------------------------------------

// For each table of a gate of three given signals: the possible signals z, one bit each.
enum { TABLES = 128 }; // complements are left out
typedef uint8_t table_options[TABLES];

// Adds z to each table of a gate of a, b and c that distinguishes `pairs`. A pair's two cases lie
// in two input combinations, and the table must have different bits for these.
static void add_tables(table_options options, const search *s, const triple *t, uint64_t pairs,
                       int z)
{
    uint8_t differs[8] = {0}; // combinations from whose bit each bit must differ
    for (; pairs != 0; pairs &= pairs - 1) {
        unsigned at[2];
        for (int k = 0; k < 2; k++) {
            const uint8_t e = s->pair[__builtin_ctzll(pairs)][k];
            at[k] = (s->value[t->a] >> e & 1) * 4 + (s->value[t->b] >> e & 1) * 2 +
                    (s->value[t->c] >> e & 1);
        }
        differs[at[0]] = (uint8_t)(differs[at[0]] | 1u << at[1]);
        differs[at[1]] = (uint8_t)(differs[at[1]] | 1u << at[0]);
    }
    for (unsigned table = 1; table < TABLES; table++) {
        bool right = true;
        for (int i = 0; i < 8 && right; i++)
            right = (differs[i] & (table >> i & 1 ? table : ~table)) == 0;
        if (right)
            options[table] = (uint8_t)(options[table] | 1u << z);
    }
}

// Lists the tables of a gate g of a, b and c, and signals z, with which a gate of three other
// signals leaves out no pair. Returns false if there are none.
static bool list_tables(table_options options, const search *s, const triple *t)
{
    const uint64_t of_g = s->distinguishes[t->a] | s->distinguishes[t->b] | s->distinguishes[t->c];
    bool any = false;
    for (int table = 0; table < TABLES; table++)
        options[table] = 0;
    for (int z = 0; z < s->signals; z++) {
        const uint64_t left = s->all_pairs & ~s->distinguishes[z];
        for (int a = 2; a < s->signals; a++) {
            for (int b = 1; b < a; b++) {
                for (int c = 0; c < b; c++) {
                    const uint64_t rest =
                        left & ~(s->distinguishes[a] | s->distinguishes[b] | s->distinguishes[c]);
                    if ((rest & ~of_g) != 0)
                        continue;
                    add_tables(options, s, t, rest, z);
                    any = true;
                }
            }
        }
    }
    return any;
}

// Finds the last two gates of a tree. The first gate is the last signal of s and an input of the
// third.
static bool complete_tree(const search *s, int z, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    const int g = s->signals - 1;
    triples list;
    if (!list_triples(&list, s, s->all_pairs & ~(s->distinguishes[g] | s->distinguishes[z])))
        return false;
    const possible_inputs in = split(s->rule, s->value[g], s->value[z]);
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        if (!is_choice(&in, choice) || !find_gate(s, choose(&in, choice), &list, &gates[1]))
            continue;
        gates[2] = gate_behind(s, s->rule, output_of(s, &gates[1]), g + 1, g, z);
        return true;
    }
    return false;
}

// Finds a tree whose g is a gate of these signals.
static bool find_tree_on(search *s, const triple *t, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    table_options options;
    if (!list_tables(options, s, t))
        return false;
    for (unsigned table = 1; table < TABLES; table++) {
        if (options[table] == 0)
            continue;
        gates[0] = (lc_gate){(uint8_t)table, t->a, t->b, t->c};
        add_signal(s, output_of(s, &gates[0]));
        bool found = false;
        for (int z = 0; z < s->signals - 1 && !found; z++)
            found = (options[table] >> z & 1) && complete_tree(s, z, gates);
        s->signals--;
        if (found)
            return true;
    }
    return false;
}

static bool find_tree(search *s, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    for (int a = 2; a < s->signals; a++)
        for (int b = 1; b < a; b++)
            for (int c = 0; c < b; c++)
                if (find_tree_on(s, &(triple){(uint8_t)a, (uint8_t)b, (uint8_t)c}, gates))
                    return true;
    return false;
}

bool lc_tail_find(lc_gate gates[LC_TAIL_GATES_MAX], lc_tail_function wanted, const lc_gate *first,
                  int firsts, int count)
{
    // Signal k as a truth table.
    static const uint32_t tables[LC_TAIL_SIGNALS] = {0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00,
                                                     0xFFFF0000};
    search s = {.rule = wanted};
    choose_pairs(&s);
    for (int i = 0; i < LC_TAIL_SIGNALS; i++)
        add_signal(&s, tables[i]);
    for (int i = 0; i < firsts; i++) {
        const lc_gate *g = &first[i];
        gates[i] = *g;
        add_signal(&s, output(g->table, s.value[g->a], s.value[g->b], s.value[g->c]));
    }
    return find_chain(&s, count, gates + firsts) ||
           (count == LC_TAIL_SEARCHED_MAX && find_tree(&s, gates + firsts));
}
