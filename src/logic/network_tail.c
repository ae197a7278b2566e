// The search for the last gates of a network, over functions as truth tables.
//
// A function of the five signals has 32 cases, of which some cannot occur. It is a pair of words,
// the cases where it is one and those where it is zero; where both are clear it is free. From the
// last gate backwards: if f is a gate of h, y and z, then in each of the four combinations of y and
// z the unknown h is f, or its complement, or free where f does not change. h's complement is as
// good as h, so at most eight functions h are to be found in turn, with one gate less. So
//
//     chain    f = gate(h, y, z), h = gate(k, u, v), k = gate(a, b, c)     y z u v a b c signals
//     tree     f = gate(h, g, z), h = gate of three, g among them or not    g = gate(a, b, c)
//
// are all the networks of three gates, and the search for them is complete. (In a tree g is taken
// from all gates there are, then h is found as above.) The caller's gates in front are signals like
// the others.
//
// What makes it quick: f must differ between two cases only if a signal that is used does. Up to 64
// pairs of cases in which f differs, those that are alike in most signals first, are one word, and
// each signal has the word of the pairs that it tells apart. Signals whose words together leave a
// pair out cannot do, whatever the gates. Which signals can do depends on the signals chosen before
// but not on h, so they are listed once for all h.
#include "logic/network_tail.h"

enum {
    CASES = 1 << LC_TAIL_SIGNALS,
    PAIRS = 64,
    SIGNALS_MAX = LC_TAIL_SIGNALS + LC_TAIL_FIRST_MAX + 1, // one for a tree's g
};

typedef lc_tail_function function;

typedef struct {
    function rule;
    int signals;
    uint32_t value[SIGNALS_MAX];
    uint64_t tells[SIGNALS_MAX]; // the pairs that the signal tells apart
    uint64_t all_pairs;
    int pairs;
    uint8_t pair[PAIRS][2];
} search;

// The cases in which a, b, c are the bits of `which`.
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

// The table by which f is a gate of a, b and c; false if it is none.
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

static uint64_t told_apart(const search *s, uint32_t value)
{
    uint64_t word = 0;
    for (int i = 0; i < s->pairs; i++)
        word |= (uint64_t)((value >> s->pair[i][0] ^ value >> s->pair[i][1]) & 1) << i;
    return word;
}

// Those that differ in one signal first, then two, and so on, evenly chosen where there are more
// than are wanted.
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
    s->tells[s->signals] = told_apart(s, value);
    s->signals++;
}

// Gates ----------------------------------------------------------------------------------------

// Three signals, the first with the highest number.
typedef struct {
    uint8_t a, b, c;
} triple;

enum { TRIPLES_MAX = SIGNALS_MAX * (SIGNALS_MAX - 1) * (SIGNALS_MAX - 2) / 6 };

typedef struct {
    int count;
    triple of[TRIPLES_MAX];
} triples;

// Lists the signals that together tell all of `pairs` apart. False if there are none.
static bool list_triples(triples *list, const search *s, uint64_t pairs)
{
    list->count = 0;
    for (int a = 2; a < s->signals; a++) {
        const uint64_t without_a = pairs & ~s->tells[a];
        for (int b = 1; b < a; b++) {
            const uint64_t without_b = without_a & ~s->tells[b];
            for (int c = 0; c < b; c++)
                if ((without_b & ~s->tells[c]) == 0)
                    list->of[list->count++] = (triple){(uint8_t)a, (uint8_t)b, (uint8_t)c};
        }
    }
    return list->count > 0;
}

// A gate of three signals of the list that is f.
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

// The functions h for which f is a gate of h, y and z. Bit i of a choice, which runs from 0 up:
// whether h is f's complement in the i-th combination of y and z.
typedef struct {
    function part[4]; // of f, in one combination each; nothing where f does not change
    unsigned changing;
} inner;

static inner split(function f, uint32_t y, uint32_t z)
{
    inner in = {.changing = 0};
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

// Whether there is such a choice that no other one stands for: none where h is free, and not the
// complement of another.
static bool is_choice(const inner *in, unsigned choice)
{
    const unsigned lowest = in->changing & (0u - in->changing);
    return (choice & ~in->changing) == 0 && (choice & lowest) == 0;
}

static function choose(const inner *in, unsigned choice)
{
    function h = {0, 0};
    for (unsigned i = 0; i < 4; i++) {
        h.on |= choice >> i & 1 ? in->part[i].off : in->part[i].on;
        h.off |= choice >> i & 1 ? in->part[i].on : in->part[i].off;
    }
    return h;
}

// The gate behind h, which is signal number `of_h` with the given value: f, a gate of h, y and z.
static lc_gate gate_behind(const search *s, function f, uint32_t h, int of_h, int y, int z)
{
    lc_gate gate = {0, (uint8_t)of_h, (uint8_t)y, (uint8_t)z};
    (void)find_table(f, h, s->value[y], s->value[z], &gate.table);
    return gate;
}

// Two gates: the last one's signals y and z, and the signals that the first one may have.
typedef struct {
    int y, z;
    triples first;
} pair_of_gates;

enum { PAIRS_OF_GATES_MAX = SIGNALS_MAX * (SIGNALS_MAX - 1) / 2 };

// Lists the signals with which two gates may tell all of `pairs` apart; returns their count.
static int list_pairs_of_gates(pair_of_gates list[PAIRS_OF_GATES_MAX], const search *s,
                               uint64_t pairs)
{
    int count = 0;
    for (int y = 1; y < s->signals; y++) {
        for (int z = 0; z < y; z++) {
            list[count].y = y;
            list[count].z = z;
            count += list_triples(&list[count].first, s, pairs & ~(s->tells[y] | s->tells[z]));
        }
    }
    return count;
}

// A chain of two gates that is f, the last one's output in *value.
static bool find_two(const search *s, function f, const pair_of_gates *list, int count,
                     lc_gate gates[2], uint32_t *value)
{
    for (int i = 0; i < count; i++) {
        const int y = list[i].y, z = list[i].z;
        const inner in = split(f, s->value[y], s->value[z]);
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
            const int count =
                list_pairs_of_gates(list, s, s->all_pairs & ~(s->tells[y] | s->tells[z]));
            const inner in = split(s->rule, s->value[y], s->value[z]);
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

// A chain of `count` gates that is the rule.
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

// Of the gates of three given signals: for each table the signals z that may do, a bit each.
enum { TABLES = 128 }; // the others are complements
typedef uint8_t ends[TABLES];

// Notes z for the tables of a gate of a, b and c that tell `pairs` apart: the two cells that a pair
// lies in must have different bits of the table.
static void note_tables(ends may, const search *s, const triple *t, uint64_t pairs, int z)
{
    uint8_t differs[8] = {0}; // from which cells each must differ
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
            may[table] = (uint8_t)(may[table] | 1u << z);
    }
}

// The tables of a gate g of a, b and c, and signals z, with which a gate of three other signals
// leaves no pair out.
static bool list_ends(ends may, const search *s, const triple *t)
{
    const uint64_t of_g = s->tells[t->a] | s->tells[t->b] | s->tells[t->c];
    bool any = false;
    for (int table = 0; table < TABLES; table++)
        may[table] = 0;
    for (int z = 0; z < s->signals; z++) {
        const uint64_t left = s->all_pairs & ~s->tells[z];
        for (int a = 2; a < s->signals; a++) {
            for (int b = 1; b < a; b++) {
                for (int c = 0; c < b; c++) {
                    const uint64_t rest = left & ~(s->tells[a] | s->tells[b] | s->tells[c]);
                    if ((rest & ~of_g) != 0)
                        continue;
                    note_tables(may, s, t, rest, z);
                    any = true;
                }
            }
        }
    }
    return any;
}

// The two last gates, when the first is the last signal of s and used by the third.
static bool end_tree(const search *s, int z, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    const int g = s->signals - 1;
    triples list;
    if (!list_triples(&list, s, s->all_pairs & ~(s->tells[g] | s->tells[z])))
        return false;
    const inner in = split(s->rule, s->value[g], s->value[z]);
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        if (!is_choice(&in, choice) || !find_gate(s, choose(&in, choice), &list, &gates[1]))
            continue;
        gates[2] = gate_behind(s, s->rule, output_of(s, &gates[1]), g + 1, g, z);
        return true;
    }
    return false;
}

// Trees whose g is a gate of these signals.
static bool find_tree_on(search *s, const triple *t, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    ends may;
    if (!list_ends(may, s, t))
        return false;
    for (unsigned table = 1; table < TABLES; table++) {
        if (may[table] == 0)
            continue;
        gates[0] = (lc_gate){(uint8_t)table, t->a, t->b, t->c};
        add_signal(s, output_of(s, &gates[0]));
        bool found = false;
        for (int z = 0; z < s->signals - 1 && !found; z++)
            found = (may[table] >> z & 1) && end_tree(s, z, gates);
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
