// Networks for pairs of rows: three or four gates that both rows use, and for each row a tail found
// by annealing.
//
// Rows b and c, with a above and d below, contribute t = sb + sc + 2 (cb + cc) cells to both sums
// of three rows. Let h be t / 2, rounded down: cb + cc + (sb & sc), or rounded up: cb + cc + (sb |
// sc). The shared gates are u and two gates of the three bits cb, cc, u that determine their sum h,
// 0 .. 3:
//
//     u = sb & sc  or  sb | sc        v, w = two of parity, majority, "all alike" of cb, cc, u
//
// h lacks the lowest bit of t. Two forms of network supply it:
//
//     own parity         3 + 2 (1 + tail) gates    row b takes p = parity(sa, sb, sc), row c that
//                                                  of sb, sc, sd; sa or sd completes it
//     shared parity      4 + 2 tail gates          both rows take p = sb ^ sc
//
// So sa, ca, p, x, v and w determine row b's next state. Of their 64 combinations 48 can occur. A
// rule is a function of them, and the same function of row d's signals gives row c, so one search
// finds the tail for both rows.
//
// A tail is annealed: a move changes the table or an input of one gate, and the cost is the number
// of cases for which the tail is wrong. The last gate's table is not annealed, because its inputs
// determine the best table and the cases that no table gets right.
#include "logic/network_pair.h"

#include <string.h>

#include "base/ones.h"

enum { PARITY = 0x96, MAJORITY = 0xE8, ALIKE = 0x81, BOTH = 0xC0, EITHER = 0xFC, DIFFER = 0x3C };

enum {
    SA,
    CA,
    P,
    X,
    V,
    W,
    SIGNALS,
    TAIL_MAX = 6,
};

// u, v and w, in the order tried.
static const struct {
    uint8_t u, v, w;
} codes[] = {
    {BOTH, PARITY, MAJORITY}, {EITHER, PARITY, MAJORITY}, {BOTH, PARITY, ALIKE},
    {EITHER, PARITY, ALIKE},  {BOTH, MAJORITY, ALIKE},    {EITHER, MAJORITY, ALIKE},
};

enum { CODES = sizeof codes / sizeof *codes };

typedef struct {
    // Sets of cases; bit k of a case's number is signal k; in neither: cannot occur.
    uint64_t on, off;
    bool shared_parity;
    int gates;
    lc_gate gate[TAIL_MAX];
    uint64_t value[SIGNALS + TAIL_MAX];
    uint64_t random;
} annealing;

static unsigned bit_of_sum(uint8_t table, unsigned ones)
{
    return table >> ((1u << ones) - 1) & 1; // any inputs with that sum do: the tables are symmetric
}

static void set_rule(annealing *s, lc_counts counts, int code)
{
    s->on = s->off = 0;
    for (unsigned i = 0; i < 4 * 7 * 2; i++) {
        const unsigned a = i & 3, alive = i >> 2 & 1, t = i >> 3, live = a + t;
        if (t < alive || t - alive > 5) // t counts the cell and five other cells
            continue;
        const unsigned odd = s->shared_parity ? t : live;
        const unsigned half = codes[code].u == BOTH ? t / 2 : (t + 1) / 2;
        const unsigned at = (a & 1) << SA | (a >> 1) << CA | (odd & 1) << P | alive << X |
                            bit_of_sum(codes[code].v, half) << V |
                            bit_of_sum(codes[code].w, half) << W;
        if ((alive ? counts.survival : counts.birth) >> (live - alive) & 1)
            s->on |= UINT64_C(1) << at;
        else
            s->off |= UINT64_C(1) << at;
    }
}

// Annealing ------------------------------------------------------------------------------------

static uint64_t draw(annealing *s) // xorshift64
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

// No division: it would take as long as the rest of a move.
static int scale(uint64_t random, int below)
{
    return (int)((random >> 32) * (uint64_t)below >> 32);
}

static uint64_t select(uint64_t which, uint64_t one, uint64_t zero)
{
    return zero ^ (which & (zero ^ one));
}

static uint64_t output(uint8_t table, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t bit[8];
    for (int i = 0; i < 8; i++)
        bit[i] = 0 - (uint64_t)(table >> i & 1);
    const uint64_t a0 = select(b, select(c, bit[3], bit[2]), select(c, bit[1], bit[0]));
    const uint64_t a1 = select(b, select(c, bit[7], bit[6]), select(c, bit[5], bit[4]));
    return select(a, a1, a0);
}

// Sets the last gate's table to the best one and returns the number of wrong cases. Stops early
// above `most`.
static int fit_last_gate(annealing *s, int most)
{
    lc_gate *g = &s->gate[s->gates - 1];
    const uint64_t a = s->value[g->a], b = s->value[g->b], c = s->value[g->c];
    int wrong = 0;
    g->table = 0;
    for (int i = 0; i < 8 && wrong <= most; i++) {
        const uint64_t here = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        const uint64_t on = here & s->on, off = here & s->off;
        bool one = on != 0;
        if (on != 0 && off != 0) { // rare, and counting is slow
            const int ones = (int)lc_ones(on), zeros = (int)lc_ones(off);
            one = ones > zeros;
            wrong += one ? zeros : ones;
        }
        g->table = (uint8_t)(g->table | one << i);
    }
    return wrong;
}

// Computes the outputs of gates `from` and later, except the last gate's.
static void evaluate(annealing *s, int from)
{
    for (int i = from; i < s->gates - 1; i++) {
        const lc_gate *g = &s->gate[i];
        s->value[SIGNALS + i] = output(g->table, s->value[g->a], s->value[g->b], s->value[g->c]);
    }
}

static uint8_t draw_operand(annealing *s, int gate)
{
    return (uint8_t)scale(draw(s), SIGNALS + gate);
}

static void start(annealing *s)
{
    // Signal k as a truth table.
    static const uint64_t tables[SIGNALS] = {
        0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
        0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
    };
    memcpy(s->value, tables, sizeof tables);
    for (int i = 0; i < s->gates; i++) {
        const uint8_t a = draw_operand(s, i), b = draw_operand(s, i), c = draw_operand(s, i);
        s->gate[i] = (lc_gate){(uint8_t)(draw(s) >> 32), a, b, c};
    }
    evaluate(s, 0);
}

// Changes one or two bits of a gate's table, or one of its inputs. Returns the gate's number.
static int move(annealing *s)
{
    const uint64_t word = draw(s);
    const int i = scale(word, s->gates);
    lc_gate *g = &s->gate[i];
    if (i < s->gates - 1 && (word & 1)) {
        g->table ^= (uint8_t)(1u << (word >> 1 & 7));
        if (word >> 4 & 1)
            g->table ^= (uint8_t)(1u << (word >> 5 & 7));
        return i;
    }
    uint8_t *const inputs[3] = {&g->a, &g->b, &g->c};
    *inputs[(word >> 8 & 0xFF) % 3] = draw_operand(s, i);
    return i;
}

// Draws the number of additional wrong cases that a move may cause: n or more with probability
// accept^n.
static int draw_allowance(annealing *s, double accept)
{
    const double chance = (double)(draw(s) >> 11) * 0x1p-53;
    int more = 0;
    for (double reached = accept; reached > chance && more < 64; reached *= accept)
        more++;
    return more;
}

static bool anneal(annealing *s, int moves)
{
    enum { STAGES = 16 };
    // exp(-1 / T) at temperatures T from 0.4 cases down to 0.15 in even steps.
    static const double accept[STAGES] = {0.0821, 0.0742, 0.0664, 0.0589, 0.0517, 0.0447,
                                          0.0382, 0.0320, 0.0263, 0.0212, 0.0165, 0.0125,
                                          0.0090, 0.0062, 0.0040, 0.0024};
    start(s);
    int wrong = fit_last_gate(s, 64);
    for (int i = 0, stage = 0; i < moves && wrong != 0; i++) {
        if (i >= (stage + 1) * (moves / STAGES) && stage < STAGES - 1)
            stage++;
        lc_gate old_gate[TAIL_MAX];
        uint64_t old_value[TAIL_MAX];
        memcpy(old_gate, s->gate, sizeof old_gate);
        memcpy(old_value, s->value + SIGNALS, sizeof old_value);
        const int most = wrong + draw_allowance(s, accept[stage]);
        const int moved = move(s);
        evaluate(s, moved);
        if (moved < s->gates - 1 && s->value[SIGNALS + moved] == old_value[moved])
            continue; // the output is unchanged
        const int now = fit_last_gate(s, most);
        if (now <= most) {
            wrong = now;
            continue;
        }
        memcpy(s->gate, old_gate, sizeof old_gate);
        memcpy(s->value + SIGNALS, old_value, sizeof old_value);
    }
    return wrong == 0;
}

// The network ----------------------------------------------------------------------------------

static uint8_t append(lc_pair_network *network, uint8_t table, uint8_t a, uint8_t b, uint8_t c)
{
    network->gate[network->gates] = (lc_gate){table, a, b, c};
    return (uint8_t)(LC_PAIR_SIGNALS + network->gates++);
}

// Appends one row's gates. Returns the operand of its next state.
static uint8_t append_tail(lc_pair_network *network, const annealing *s,
                           const uint8_t signals[SIGNALS])
{
    uint8_t operand[SIGNALS + TAIL_MAX];
    memcpy(operand, signals, SIGNALS);
    if (!s->shared_parity)
        operand[P] = append(network, PARITY, signals[SA], LC_PAIR_SB, LC_PAIR_SC);
    for (int i = 0; i < s->gates; i++) {
        const lc_gate *g = &s->gate[i];
        operand[SIGNALS + i] =
            append(network, g->table, operand[g->a], operand[g->b], operand[g->c]);
    }
    return operand[SIGNALS + s->gates - 1];
}

static void write_network(lc_pair_network *network, const annealing *s, int code)
{
    network->gates = 0;
    const uint8_t u = append(network, codes[code].u, LC_PAIR_SB, LC_PAIR_SC, LC_PAIR_SC);
    const uint8_t v = append(network, codes[code].v, LC_PAIR_CB, LC_PAIR_CC, u);
    const uint8_t w = append(network, codes[code].w, LC_PAIR_CB, LC_PAIR_CC, u);
    uint8_t of_b[SIGNALS] = {
        [SA] = LC_PAIR_SA, [CA] = LC_PAIR_CA, [X] = LC_PAIR_XB, [V] = v, [W] = w};
    uint8_t of_c[SIGNALS] = {
        [SA] = LC_PAIR_SD, [CA] = LC_PAIR_CD, [X] = LC_PAIR_XC, [V] = v, [W] = w};
    if (s->shared_parity)
        of_b[P] = of_c[P] = append(network, DIFFER, LC_PAIR_SB, LC_PAIR_SC, LC_PAIR_SC);
    network->next_b = append_tail(network, s, of_b);
    network->next_c = append_tail(network, s, of_c);
}

bool lc_network_search_pair(lc_pair_network *network, lc_counts counts, int below)
{
    // Forms of network by number of gates; `rounds` over all codes, and `moves` per try.
    static const struct {
        bool shared_parity;
        int tail, rounds, moves;
    } forms[] = {
        {false, 3, 2, 10000},  {true, 4, 1, 50000},  {false, 4, 1, 300000},  {true, 5, 4, 200000},
        {false, 5, 1, 200000}, {true, 6, 1, 200000}, {false, 6, 20, 200000},
    };
    annealing s = {.random = 88172645463325252};
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
        s.shared_parity = forms[form].shared_parity;
        s.gates = forms[form].tail;
        const int gates = s.shared_parity ? 4 + 2 * s.gates : 3 + 2 * (1 + s.gates);
        if (gates >= below)
            return false;
        for (int i = 0; i < forms[form].rounds * CODES; i++) {
            set_rule(&s, counts, i % CODES);
            if (anneal(&s, forms[form].moves)) {
                write_network(network, &s, i % CODES);
                return true;
            }
        }
    }
    return false;
}
