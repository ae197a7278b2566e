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
// pair out cannot do, whatever the gates.
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
    s->pairs = 0;
    for (int distance = 1; distance <= LC_TAIL_SIGNALS && s->pairs < PAIRS; distance++) {
        uint8_t found[CASES * CASES / 4][2]; // at most half the cases are on, the others off
        int count = 0;
        for (unsigned i = 0; i < CASES; i++) {
            for (unsigned j = 0; j < CASES; j++) {
                int differing = 0;
                for (unsigned k = i ^ j; k != 0; k &= k - 1)
                    differing++;
                if (differing == distance && (s->rule.on >> i & 1) && (s->rule.off >> j & 1)) {
                    found[count][0] = (uint8_t)i;
                    found[count++][1] = (uint8_t)j;
                }
            }
        }
        const int room = PAIRS - s->pairs, taken = count < room ? count : room;
        for (int i = 0; i < taken; i++, s->pairs++) {
            s->pair[s->pairs][0] = found[i * count / taken][0];
            s->pair[s->pairs][1] = found[i * count / taken][1];
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

// Whether there are `count` signals that tell all of `pairs` apart.
static bool some_do(const search *s, uint64_t pairs, int count)
{
    if (pairs == 0)
        return true;
    if (count == 0)
        return false;
    const uint64_t one = pairs & (0 - pairs); // the pair that the fewest are likely to tell apart
    for (int i = 0; i < s->signals; i++)
        if ((s->tells[i] & one) != 0 && some_do(s, pairs & ~s->tells[i], count - 1))
            return true;
    return false;
}

// Gates ----------------------------------------------------------------------------------------

// A gate of three signals that is f, which differs in all of `pairs`.
static bool find_gate(const search *s, function f, uint64_t pairs, lc_gate *gate)
{
    if (!some_do(s, pairs, 3))
        return false;
    for (int a = 2; a < s->signals; a++) {
        const uint64_t without_a = pairs & ~s->tells[a];
        for (int b = 1; b < a; b++) {
            const uint64_t without_b = without_a & ~s->tells[b];
            for (int c = 0; c < b; c++) {
                uint8_t table;
                if ((without_b & ~s->tells[c]) == 0 &&
                    find_table(f, s->value[a], s->value[b], s->value[c], &table)) {
                    *gate = (lc_gate){table, (uint8_t)a, (uint8_t)b, (uint8_t)c};
                    return true;
                }
            }
        }
    }
    return false;
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

// A chain of `count` gates that is f, the last one's output in *value.
static bool find_chain(const search *s, function f, uint64_t pairs, int count, lc_gate *gates,
                       uint32_t *value)
{
    if (count == 1) {
        if (!find_gate(s, f, pairs, gates))
            return false;
        *value = output(gates->table, s->value[gates->a], s->value[gates->b], s->value[gates->c]);
        return true;
    }
    for (int y = 1; y < s->signals; y++) {
        for (int z = 0; z < y; z++) {
            const uint64_t left = pairs & ~(s->tells[y] | s->tells[z]);
            if (!some_do(s, left, 2 * count - 1))
                continue;
            const inner in = split(f, s->value[y], s->value[z]);
            for (unsigned choice = 0; choice < CHOICES; choice++) {
                if (!is_choice(&in, choice) ||
                    !find_chain(s, choose(&in, choice), left, count - 1, gates, value))
                    continue;
                lc_gate *last = &gates[count - 1];
                last->a = (uint8_t)(s->signals + count - 2);
                last->b = (uint8_t)y, last->c = (uint8_t)z;
                (void)find_table(f, *value, s->value[y], s->value[z], &last->table);
                *value = output(last->table, *value, s->value[y], s->value[z]);
                return true;
            }
        }
    }
    return false;
}

// Which pairs a gate of a, b, c tells apart, for any table: [i][j] are those that have one case in
// cell i and the other in cell j.
typedef struct {
    uint64_t between[8][8];
} cell_pairs;

static void sort_pairs(cell_pairs *c, const search *s, int a, int b, int d)
{
    *c = (cell_pairs){0};
    for (int i = 0; i < s->pairs; i++) {
        unsigned at[2];
        for (int k = 0; k < 2; k++) {
            const uint8_t e = s->pair[i][k];
            at[k] =
                (s->value[a] >> e & 1) * 4 + (s->value[b] >> e & 1) * 2 + (s->value[d] >> e & 1);
        }
        c->between[at[0]][at[1]] |= UINT64_C(1) << i;
    }
}

static uint64_t told_apart_by_table(const cell_pairs *c, unsigned table)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++)
            if ((table >> i ^ table >> j) & 1)
                word |= c->between[i][j];
    return word;
}

// The two last gates, when the first is the last signal of s and used by the third.
static bool end_tree(const search *s, int z, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    const int g = s->signals - 1;
    const uint64_t left = s->all_pairs & ~(s->tells[g] | s->tells[z]);
    if (!some_do(s, left, 3))
        return false;
    const inner in = split(s->rule, s->value[g], s->value[z]);
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        if (!is_choice(&in, choice) || !find_gate(s, choose(&in, choice), left, &gates[1]))
            continue;
        const uint32_t h = output(gates[1].table, s->value[gates[1].a], s->value[gates[1].b],
                                  s->value[gates[1].c]);
        gates[2] = (lc_gate){0, (uint8_t)(g + 1), (uint8_t)g, (uint8_t)z};
        (void)find_table(s->rule, h, s->value[g], s->value[z], &gates[2].table);
        return true;
    }
    return false;
}

// Trees with g a gate of a, b and c; `ends`: the signals z that may do.
static bool find_tree_on(search *s, int a, int b, int c, unsigned ends,
                         lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    const int g = s->signals;
    cell_pairs sorted;
    sort_pairs(&sorted, s, a, b, c);
    for (unsigned table = 1; table < 128; table++) { // the others are complements
        s->tells[g] = told_apart_by_table(&sorted, table);
        s->value[g] = output((uint8_t)table, s->value[a], s->value[b], s->value[c]);
        s->signals++;
        bool found = false;
        for (int z = 0; z < g && !found; z++)
            found = (ends >> z & 1) && end_tree(s, z, gates);
        s->signals--;
        if (found) {
            gates[0] = (lc_gate){(uint8_t)table, (uint8_t)a, (uint8_t)b, (uint8_t)c};
            return true;
        }
    }
    return false;
}

static bool find_tree(search *s, lc_gate gates[LC_TAIL_SEARCHED_MAX])
{
    for (int a = 2; a < s->signals; a++) {
        for (int b = 1; b < a; b++) {
            for (int c = 0; c < b; c++) {
                const uint64_t left = s->all_pairs & ~(s->tells[a] | s->tells[b] | s->tells[c]);
                unsigned ends = 0;
                for (int z = 0; z < s->signals; z++)
                    if (some_do(s, left & ~s->tells[z], 3))
                        ends |= 1u << z;
                if (ends != 0 && find_tree_on(s, a, b, c, ends, gates))
                    return true;
            }
        }
    }
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
    uint32_t value;
    return find_chain(&s, s.rule, s.all_pairs, count, gates + firsts, &value) ||
           (count == LC_TAIL_SEARCHED_MAX && find_tree(&s, gates + firsts));
}
