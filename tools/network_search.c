// Looks for small networks of three-input gates by simulated annealing. A development tool: what it
// finds is written into src/logic/network_known.c, what it does not find into docs/networks.md.
//
//     network_search [--rule RULE] [--gates KINDS] [--moves N] [--seconds N] [--seed N] [--all]
//
// KINDS has one letter for each gate, in order. A gate may use all before it that its kind allows:
//
//     r   a function of the three cells of one row. All rows have it, so a word costs one gate and
//         may use three outputs. Without an r there are two as usual, s (parity) and c (majority),
//         which are not counted.
//     p   a function of two neighbouring rows, upper and lower, that all neighbouring rows have:
//         one gate a word, which may use two outputs, of rows a b and of rows b c.
//     f   given: the parity of the three rows' s.
//     o   a gate of the word in row b; the last one is the next state.
//     u   made once for a pair of rows, b and c, and used for both.
//     v   the same across the border of two pairs, of rows a and b.
//     n   like o, for the pair's other word.
//
// Cases are all 512 neighbourhoods of nine cells, a bit each; a move changes one gate's inputs or
// table and is judged by the number of cases that come out wrong. A last gate's table is always the
// best for its inputs. A try is --moves of them, the temperature falling all along; then another
// begins. A pair's other word needs no cases of its own: turned upside down it is a word in row b,
// for which u are the functions with b and c exchanged, and v those with a and b exchanged.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lightcone/rule.h"

enum {
    WORDS = 8,
    CASES = 64 * WORDS,
    GATES_MAX = 16,
    ROWS = 3,
    // Signals in the order in which gates see them: the cells of a row, its centre being x; then
    // the gates.
    LEFT = 0,
    CENTRE = 1,
    RIGHT = 2,
    CELLS = 3,
    SIGNALS_MAX = CELLS + GATES_MAX,
};

typedef struct {
    uint64_t word[WORDS];
} cases;

// A signal in one of its places. Cells and r: row 0 .. 2 (a, b, c). p: the upper row; in p's own
// operands rows count from there. u, v: 0 as o sees them, 1 as n does. Others: 0.
typedef struct {
    uint8_t signal, place;
} operand;

typedef struct {
    char kind;
    uint8_t table;
    operand in[3];
} gate;

typedef struct {
    int gates;
    gate gate[GATES_MAX];
    int fixed;                         // gates at the front that are not to be changed
    int last[2];                       // the last o and the last n; without n both the last o
    cases value[SIGNALS_MAX][2][ROWS]; // by place; one of two is current, the other is scratch
    uint8_t current[SIGNALS_MAX];      // which
    uint32_t changed;                  // signals whose scratch is the one to be read
    cases target;
} network;

// Chance ---------------------------------------------------------------------------------------

enum { LOGARITHMS = 4096 };
static uint64_t chance_state;
static float minus_log[LOGARITHMS]; // of evenly spread numbers between 0 and 1

static uint32_t chance(void)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return (uint32_t)(chance_state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

static int below(int n)
{
    return (int)((uint64_t)chance() * (uint64_t)n >> 32);
}

// Values ---------------------------------------------------------------------------------------

static char kind_of(const network *n, int signal)
{
    return signal < CELLS ? 'r' : n->gate[signal - CELLS].kind; // a cell is a row's like an r
}

static const cases *value_of(const network *n, operand o)
{
    const int which = n->current[o.signal] ^ (int)(n->changed >> o.signal & 1);
    return &n->value[o.signal][which][o.place];
}

static bool is_last(const network *n, int index)
{
    return index == n->last[0] || index == n->last[1];
}

static void apply(cases *out, uint8_t table, const cases *a, const cases *b, const cases *c)
{
    uint64_t bit[8];
    for (int i = 0; i < 8; i++)
        bit[i] = 0 - (uint64_t)(table >> i & 1);
    for (int k = 0; k < WORDS; k++) {
        const uint64_t x = a->word[k], y = b->word[k], z = c->word[k];
        uint64_t chosen[4];
        for (int i = 0; i < 4; i++)
            chosen[i] = (z & (bit[2 * i] ^ bit[2 * i + 1])) ^ bit[2 * i];
        const uint64_t low = (y & chosen[1]) | (~y & chosen[0]);
        const uint64_t high = (y & chosen[3]) | (~y & chosen[2]);
        out->word[k] = (x & high) | (~x & low);
    }
}

// Computes a gate in all its places into scratch.
static void compute(network *n, int index)
{
    const gate *g = &n->gate[index];
    const int signal = CELLS + index;
    cases *out = n->value[signal][n->current[signal] ^ 1];
    const int places = g->kind == 'r'                                       ? 3
                       : g->kind == 'p' || g->kind == 'u' || g->kind == 'v' ? 2
                                                                            : 1;
    for (int place = 0; place < places; place++) {
        const cases *in[3];
        for (int i = 0; i < 3; i++) {
            operand o = g->in[i];
            if (g->kind == 'r')
                o.place = (uint8_t)place;
            else if (g->kind == 'p')
                o.place = (uint8_t)(o.place + place);
            else if (place == 1 && kind_of(n, o.signal) == 'r') // upside down
                o.place = (uint8_t)((g->kind == 'u' ? 3 : 1) - o.place);
            else if (place == 1)
                o.place = 1;
            in[i] = value_of(n, o);
        }
        apply(&out[place], g->table, in[0], in[1], in[2]);
    }
    n->changed |= UINT32_C(1) << signal;
}

static void accept(network *n)
{
    for (int signal = 0; signal < SIGNALS_MAX; signal++)
        n->current[signal] ^= (uint8_t)(n->changed >> signal & 1);
    n->changed = 0;
}

// The best table for a last gate; returns how many cases it leaves wrong.
static int judge_one(const network *n, int index, uint8_t *table)
{
    const gate *g = &n->gate[index];
    const cases *a = value_of(n, g->in[0]), *b = value_of(n, g->in[1]), *c = value_of(n, g->in[2]);
    int wrong = 0;
    *table = 0;
    for (int i = 0; i < 8; i++) {
        const uint64_t flip_a = i & 4 ? 0 : ~UINT64_C(0), flip_b = i & 2 ? 0 : ~UINT64_C(0);
        const uint64_t flip_c = i & 1 ? 0 : ~UINT64_C(0);
        int on = 0, all = 0;
        for (int k = 0; k < WORDS; k++) {
            const uint64_t here =
                (a->word[k] ^ flip_a) & (b->word[k] ^ flip_b) & (c->word[k] ^ flip_c);
            on += __builtin_popcountll(here & n->target.word[k]);
            all += __builtin_popcountll(here);
        }
        if (2 * on > all)
            *table = (uint8_t)(*table | 1 << i);
        wrong += 2 * on > all ? all - on : on;
    }
    return wrong;
}

static int judge(const network *n, uint8_t tables[2])
{
    const int wrong = judge_one(n, n->last[0], &tables[0]);
    tables[1] = tables[0];
    return n->last[1] == n->last[0] ? wrong : wrong + judge_one(n, n->last[1], &tables[1]);
}

static void set_last_tables(network *n, const uint8_t tables[2])
{
    n->gate[n->last[0]].table = tables[0];
    n->gate[n->last[1]].table = tables[1];
}

// Moves ----------------------------------------------------------------------------------------

// Whether a gate of that kind may use the signal, and then a place of it by chance.
static bool may_use(const network *n, char kind, operand *o)
{
    const char other = kind_of(n, o->signal);
    const bool side = o->signal == LEFT || o->signal == RIGHT;
    o->place = 0;
    switch (kind) {
    case 'r':
        return other == 'r';
    case 'p':
        if (other == 'r')
            o->place = (uint8_t)below(2);
        return (other == 'r' && !side) || other == 'p';
    case 'u':
        if (other == 'r')
            o->place = (uint8_t)(1 + below(2));
        return (other == 'r' && o->signal >= CELLS) || other == 'u';
    case 'v':
        if (other == 'r')
            o->place = (uint8_t)below(2);
        return (other == 'r' && o->signal >= CELLS) || other == 'v';
    default:
        if (o->signal == CENTRE)
            o->place = 1;
        else if (other == 'r')
            o->place = (uint8_t)below(3);
        else if (other == 'p')
            o->place = (uint8_t)below(2);
        else if (other == 'u' || other == 'v')
            o->place = kind == 'n';
        return !side && (other == kind || (other != 'o' && other != 'n'));
    }
}

static operand draw_operand(const network *n, int index)
{
    operand o;
    do
        o.signal = (uint8_t)below(CELLS + index);
    while (!may_use(n, n->gate[index].kind, &o));
    return o;
}

static void mutate(network *n, int index)
{
    gate *g = &n->gate[index];
    const int what = below(8);
    if (is_last(n, index) || what < 4)
        g->in[below(3)] = draw_operand(n, index);
    else if (what < 6)
        g->table ^= (uint8_t)(1 << below(8));
    else if (what < 7)
        g->table = (uint8_t)chance();
    else
        g->table ^= (uint8_t)(1 << below(8) | 1 << below(8));
}

static bool uses_changed(const network *n, const gate *g)
{
    return ((n->changed >> g->in[0].signal | n->changed >> g->in[1].signal |
             n->changed >> g->in[2].signal) &
            1) != 0;
}

// One try; returns the fewest wrong cases it came to. At none the network is left as it is then.
static int anneal(network *n, long moves)
{
    const double hottest = 8, coldest = 0.7; // wrong cases
    enum { STEP = 256 };                     // moves at one temperature
    const double cooling = pow(coldest / hottest, (double)STEP / (double)moves);
    for (int i = n->fixed; i < n->gates; i++) {
        gate *g = &n->gate[i];
        for (int k = 0; k < 3; k++)
            g->in[k] = draw_operand(n, i);
        g->table = (uint8_t)chance();
        compute(n, i);
    }
    accept(n);
    uint8_t tables[2];
    int wrong = judge(n, tables), best = wrong;
    set_last_tables(n, tables);
    double temperature = hottest;
    for (long move = 0; move < moves && best > 0; move++) {
        if (move % STEP == STEP - 1)
            temperature *= cooling;
        const int index = n->fixed + below(n->gates - n->fixed);
        const gate old = n->gate[index];
        mutate(n, index);
        if (!is_last(n, index))
            compute(n, index);
        for (int i = index + 1; i < n->gates; i++)
            if (!is_last(n, i) && uses_changed(n, &n->gate[i]))
                compute(n, i);
        const int now = judge(n, tables);
        if (now <= wrong || now - wrong < temperature * minus_log[chance() % LOGARITHMS]) {
            accept(n);
            wrong = now;
            set_last_tables(n, tables);
            best = wrong < best ? wrong : best;
        } else {
            n->gate[index] = old;
            n->changed = 0;
        }
    }
    return best;
}

// What is wanted, and what was found -----------------------------------------------------------

static void set_cases(network *n, lc_counts rule)
{
    for (unsigned at = 0; at < CASES; at++) {
        const uint64_t bit = UINT64_C(1) << at % 64;
        unsigned live = 0;
        for (unsigned cell = 0; cell < 9; cell++) {
            if (!(at >> cell & 1))
                continue;
            n->value[cell % 3][0][cell / 3].word[at / 64] |= bit;
            live++;
        }
        const bool alive = at >> 4 & 1;
        if ((alive ? rule.survival : rule.birth) >> (live - alive) & 1)
            n->target.word[at / 64] |= bit;
    }
}

// As row b sees it; in n, a is the row below the pair, and b and c are exchanged.
static void print_operand(const network *n, char user, operand o)
{
    const char kind = kind_of(n, o.signal);
    if (o.signal < CELLS)
        printf("%c", "LxR"[o.signal]);
    else if (kind == 'r' && n->fixed != 0)
        printf("%c", "sc"[o.signal - CELLS]);
    else
        printf("%c%d", kind, o.signal - CELLS);
    if (kind == 'r' && user != 'r')
        printf("%c", user == 'p' ? "ul"[o.place] : "abc"[o.place]); // upper, lower
    else if (kind == 'p' && user != 'p')
        printf(".%s", o.place == 0 ? "ab" : "bc");
}

static void print_network(const network *n)
{
    for (int i = 0; i < n->gates; i++) {
        const gate *g = &n->gate[i];
        if (i < n->fixed && g->kind == 'r')
            continue;
        printf("  %c%d = gate %02x(", g->kind, i, g->table);
        for (int k = 0; k < 3; k++) {
            print_operand(n, g->kind, g->in[k]);
            printf("%s", k < 2 ? ", " : ")");
        }
    }
    printf("\n");
    (void)fflush(stdout);
}

static const char usage[] =
    "network_search [--rule RULE] [--gates KINDS] [--moves N] [--seconds N] [--seed N] [--all]\n"
    "kinds of gates: r p f u v o n, see the head of tools/network_search.c\n";

typedef struct {
    lc_counts rule;
    const char *kinds;
    long moves, seconds, seed;
    bool all; // goes on after the first network
} options;

static long number(const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 1) {
        (void)fprintf(stderr, "network_search: \"%s\" is not a number from 1\n", text);
        exit(2);
    }
    return value;
}

static lc_counts counts_of(const char *text)
{
    const lc_rule *rule;
    lc_counts counts;
    lc_message message;
    if (lc_rule_parse(text, &rule, NULL, &message) != LC_OK) {
        (void)fprintf(stderr, "network_search: %s\n", message.text);
        exit(2);
    }
    if (!lc_rule_counts(rule, &counts)) {
        (void)fprintf(stderr, "network_search: %s is not outer-totalistic\n", text);
        exit(2);
    }
    lc_rule_release(&rule);
    return counts;
}

static options read_options(int count, char **text)
{
    options o = {{1u << 3, 1u << 2 | 1u << 3}, "oooooo", 1000000, 60, 1, false};
    for (int i = 1; i < count; i++) {
        const char *name = text[i], *value = i + 1 < count ? text[i + 1] : "";
        if (strcmp(name, "--all") == 0) {
            o.all = true;
            continue;
        }
        if (strcmp(name, "--rule") == 0) {
            o.rule = counts_of(value);
        } else if (strcmp(name, "--gates") == 0) {
            o.kinds = value;
        } else if (strcmp(name, "--moves") == 0) {
            o.moves = number(value);
        } else if (strcmp(name, "--seconds") == 0) {
            o.seconds = number(value);
        } else if (strcmp(name, "--seed") == 0) {
            o.seed = number(value);
        } else {
            (void)fputs(usage, stderr);
            exit(2);
        }
        i++;
    }
    const size_t gates = strlen(o.kinds), front = strspn(o.kinds, "f");
    const bool pair = strpbrk(o.kinds, "uvn") != NULL, rows = strchr(o.kinds, 'r') != NULL;
    // Rows of the reader's own have no s, and a p upside down is another function.
    if (gates > GATES_MAX - 2 || strspn(o.kinds, "rpfuvon") != gates || front > 1 ||
        strchr(o.kinds + front, 'f') != NULL || (front != 0 && rows) ||
        strchr(o.kinds, 'o') == NULL ||
        (pair && (strchr(o.kinds, 'n') == NULL || strchr(o.kinds, 'p') != NULL))) {
        (void)fputs(usage, stderr);
        exit(2);
    }
    return o;
}

static void set_gates(network *n, const char *kinds)
{
    enum { PARITY = 0x96, MAJORITY = 0xE8, S = CELLS };
    if (strchr(kinds, 'r') == NULL) {
        static const uint8_t tables[2] = {PARITY, MAJORITY};
        for (; n->gates < 2; n->gates++) {
            n->gate[n->gates] = (gate){'r', tables[n->gates], {{LEFT, 0}, {CENTRE, 0}, {RIGHT, 0}}};
            compute(n, n->gates);
        }
    }
    if (*kinds == 'f') {
        kinds++;
        accept(n);
        n->gate[n->gates] = (gate){'f', PARITY, {{S, 0}, {S, 1}, {S, 2}}};
        compute(n, n->gates++);
    }
    accept(n);
    n->fixed = n->gates;
    int last_n = -1;
    for (; *kinds != '\0'; kinds++) {
        if (*kinds == 'o')
            n->last[0] = n->gates;
        if (*kinds == 'n')
            last_n = n->gates;
        n->gate[n->gates++].kind = *kinds;
    }
    n->last[1] = last_n < 0 ? n->last[0] : last_n;
}

static double seconds_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int count, char **text)
{
    const options o = read_options(count, text);
    static network n;
    static long tries_with[2 * CASES + 1];
    set_cases(&n, o.rule);
    set_gates(&n, o.kinds);
    for (int i = 0; i < LOGARITHMS; i++)
        minus_log[i] = (float)-log((i + 0.5) / LOGARITHMS);
    chance_state = (uint64_t)o.seed * UINT64_C(0x9E3779B97F4A7C15);
    const double start = seconds_now();
    long tries = 0;
    do {
        const int wrong = anneal(&n, o.moves);
        tries++;
        tries_with[wrong]++;
        if (wrong == 0)
            print_network(&n);
    } while ((o.all || tries_with[0] == 0) && seconds_now() - start < (double)o.seconds);
    printf(
        "%ld tries of %ld moves in %.0f s; wrong cases, and in how many tries that was the best:",
        tries, o.moves, seconds_now() - start);
    for (int wrong = 0, shown = 0; wrong <= 2 * CASES && shown < 8; wrong++) {
        if (tries_with[wrong] != 0) {
            printf(" %d: %ld", wrong, tries_with[wrong]);
            shown++;
        }
    }
    printf("\n");
    return tries_with[0] != 0 ? 0 : 1;
}
