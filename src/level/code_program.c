// Translates a network to a list of operations.
//
// A target with three-input gates uses the network directly. For others each gate is split on one
// of its inputs, v. Let f0 and f1 be the gate for v = 0 and v = 1: functions of the two other
// inputs, so one operation each. Then the gate is f0 ^ (v & (f0 ^ f1)). Complements are never
// computed: a value carries its sign, and an operation on complements is another operation. Common
// operations are computed once. This saves many, because all gates in the middle of a network have
// the same three inputs.
#include "level/code_program.h"

#include <string.h>

#include "level/level.h"

static int append(lc_program *p, lc_op op)
{
    if (op.kind != LC_OP_STORE)
        op.result = (int16_t)p->values++;
    p->ops[p->count++] = op;
    return op.result;
}

static int load(lc_program *p, int field, int vector)
{
    return append(p,
                  (lc_op){.kind = LC_OP_LOAD, .field = (uint8_t)field, .vector = (int8_t)vector});
}

static void store(lc_program *p, int field, int vector, int value)
{
    (void)append(p, (lc_op){.kind = LC_OP_STORE,
                            .field = (uint8_t)field,
                            .vector = (int8_t)vector,
                            .operand = {(int16_t)value}});
}

static int gate(lc_program *p, uint8_t table, int a, int b, int c)
{
    return append(p, (lc_op){.kind = LC_OP_GATE,
                             .table = table,
                             .operand = {(int16_t)a, (int16_t)b, (int16_t)c}});
}

static int apply(lc_program *p, lc_op_kind kind, int a, int b)
{
    return append(p, (lc_op){.kind = kind, .operand = {(int16_t)a, (int16_t)b}});
}

int lc_op_operands(const lc_op *op)
{
    switch (op->kind) {
    case LC_OP_LOAD:
    case LC_OP_ONES:
        return 0;
    case LC_OP_STORE:
    case LC_OP_SHIFT_HIGH:
    case LC_OP_SHIFT_LOW:
    case LC_OP_TURN_HIGH:
    case LC_OP_TURN_LOW:
    case LC_OP_LANE_ABOVE:
    case LC_OP_LANE_BELOW:
        return 1;
    case LC_OP_GATE:
        return 3;
    default:
        return 2;
    }
}

// Gates as two-input operations ----------------------------------------------------------------

// A value or its complement; value CONSTANT: zero or its complement.
typedef struct {
    int value;
    bool inverted;
} literal;

enum { CONSTANT = -1 };

typedef struct {
    lc_program *program;
    int from; // operations before this one are not reused
} lowering;

static literal constant(bool one)
{
    return (literal){CONSTANT, one};
}

static literal complement(literal a)
{
    return (literal){a.value, !a.inverted};
}

static int reuse_or_apply(lowering *l, lc_op_kind kind, int a, int b)
{
    const lc_program *p = l->program;
    for (int i = l->from; i < p->count; i++) {
        const lc_op *op = &p->ops[i];
        if (op->kind == kind && op->operand[0] == a && op->operand[1] == b)
            return op->result;
    }
    return apply(l->program, kind, a, b);
}

static literal exclusive_or(lowering *l, literal a, literal b)
{
    bool inverted = a.inverted ^ b.inverted;
    if (a.value == b.value)
        return constant(inverted);
    if (a.value == CONSTANT)
        return (literal){b.value, inverted};
    if (b.value == CONSTANT)
        return (literal){a.value, inverted};
    int low = a.value < b.value ? a.value : b.value, high = a.value ^ b.value ^ low;
    return (literal){reuse_or_apply(l, LC_OP_XOR, low, high), inverted};
}

static literal both(lowering *l, literal a, literal b)
{
    if (a.value == CONSTANT)
        return a.inverted ? b : a;
    if (b.value == CONSTANT)
        return b.inverted ? a : b;
    if (a.value == b.value)
        return a.inverted == b.inverted ? a : constant(false);
    if (a.value > b.value) {
        literal c = a;
        a = b, b = c;
    }
    if (a.inverted && b.inverted)
        return (literal){reuse_or_apply(l, LC_OP_OR, a.value, b.value), true};
    if (a.inverted)
        return (literal){reuse_or_apply(l, LC_OP_AND_NOT, a.value, b.value), false};
    if (b.inverted)
        return (literal){reuse_or_apply(l, LC_OP_AND_NOT, b.value, a.value), false};
    return (literal){reuse_or_apply(l, LC_OP_AND, a.value, b.value), false};
}

// Computes the function whose output for a, b is bit 2a + b of `table`.
static literal of_two(lowering *l, int table, literal a, literal b)
{
    switch (table) {
    case 0x0:
        return constant(false);
    case 0x1: // neither
        return both(l, complement(a), complement(b));
    case 0x2:
        return both(l, complement(a), b);
    case 0x4:
        return both(l, a, complement(b));
    case 0x6:
        return exclusive_or(l, a, b);
    case 0x8:
        return both(l, a, b);
    case 0xA:
        return b;
    case 0xC:
        return a;
    default:
        return complement(of_two(l, 0xF ^ table, a, b));
    }
}

// Computes the gate, split on input number v.
static literal split(lowering *l, uint8_t table, const literal in[3], int v)
{
    int cofactor[2] = {0, 0}; // of the two other inputs, in order
    for (int i = 0; i < 8; i++) {
        int weight = 4 >> v;
        int rest = v == 0 ? i & 3 : v == 1 ? (i >> 1 & 2) | (i & 1) : i >> 1;
        cofactor[(i & weight) != 0] |= (table >> i & 1) << rest;
    }
    literal a = in[v == 0 ? 1 : 0], b = in[v == 2 ? 1 : 2], s = in[v];
    literal low = of_two(l, cofactor[0], a, b);
    if (cofactor[0] == cofactor[1])
        return low;
    if (low.value == CONSTANT) {
        literal high = of_two(l, cofactor[1], a, b);
        return low.inverted ? complement(both(l, s, complement(high))) : both(l, s, high);
    }
    if (cofactor[1] == 0x0)
        return both(l, complement(s), low);
    if (cofactor[1] == 0xF)
        return complement(both(l, complement(s), complement(low)));
    literal difference = of_two(l, cofactor[0] ^ cofactor[1], a, b);
    return exclusive_or(l, low, both(l, s, difference));
}

// Computes a gate by the split that adds fewest operations to the program.
static literal lower(lowering *l, uint8_t table, const literal in[3])
{
    lc_program *p = l->program;
    int count = p->count, values = p->values, best = 0, fewest = LC_OPS_MAX;
    for (int v = 0; v < 3; v++) {
        (void)split(l, table, in, v);
        if (p->count - count < fewest) {
            fewest = p->count - count;
            best = v;
        }
        p->count = count, p->values = values;
    }
    return split(l, table, in, best);
}

// Rows -----------------------------------------------------------------------------------------

enum { PARITY = 0x96, MAJORITY = 0xE8 };

typedef struct {
    int s[2], c[2], x[2];
} row_values;

static row_values sum_row(lc_program *p, lc_code_target target, int columns, const int *w)
{
    row_values r = {0};
    int middle = apply(p, LC_OP_XOR, w[1], w[2]);
    for (int i = 0; i < columns; i++) { // two columns share `middle`: see row_sums in band.h
        int outer = w[3 * i];
        r.s[i] = apply(p, LC_OP_XOR, middle, outer);
        if (target == LC_CODE_AVX512)
            r.c[i] = gate(p, MAJORITY, outer, w[1], w[2]);
        else
            r.c[i] = apply(p, LC_OP_OR, apply(p, LC_OP_AND, w[1], w[2]),
                           apply(p, LC_OP_AND, middle, outer));
        r.x[i] = w[1 + i];
    }
    return r;
}

// Computes the parity of three signals with two exclusive ors. An even row shares one of them with
// the odd row below, whose sa and sb are its sb and sc. (A single gate would cost a copy, because
// all three signals are used again.)
static int shared_parity(lc_program *p, int row, const int signal[3], int *shared)
{
    if (row % 2 == 0)
        *shared = apply(p, LC_OP_XOR, signal[1], signal[2]);
    return apply(p, LC_OP_XOR, *shared, row % 2 == 0 ? signal[0] : signal[2]);
}

static int next_by_gates(lc_program *p, const lc_network *network, int row,
                         const int signals[LC_SIGNALS], int shared[2])
{
    int value[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    memcpy(value, signals, LC_SIGNALS * sizeof *signals);
    for (int g = 0; g < network->gates; g++) {
        const lc_gate *n = &network->gate[g];
        int in[3] = {value[n->a], value[n->b], value[n->c]};
        bool sums = n->a == LC_SIGNAL_SA && n->b == LC_SIGNAL_SB && n->c == LC_SIGNAL_SC;
        bool carries = n->a == LC_SIGNAL_CA && n->b == LC_SIGNAL_CB && n->c == LC_SIGNAL_CC;
        value[LC_SIGNALS + g] = n->table == PARITY && (sums || carries)
                                    ? shared_parity(p, row, in, &shared[carries])
                                    : gate(p, n->table, in[0], in[1], in[2]);
    }
    return value[LC_SIGNALS + network->gates - 1];
}

static int next_by_operations(lc_program *p, const lc_network *network,
                              const int signals[LC_SIGNALS])
{
    lowering l = {p, p->count};
    literal value[LC_SIGNALS + LC_NETWORK_GATES_MAX];
    for (int i = 0; i < LC_SIGNALS; i++)
        value[i] = (literal){signals[i], false};
    for (int g = 0; g < network->gates; g++) {
        const lc_gate *n = &network->gate[g];
        value[LC_SIGNALS + g] =
            lower(&l, n->table, (literal[]){value[n->a], value[n->b], value[n->c]});
    }
    literal next = value[LC_SIGNALS + network->gates - 1];
    if (next.value != CONSTANT && !next.inverted)
        return next.value;
    int ones = append(p, (lc_op){.kind = LC_OP_ONES});
    if (next.value != CONSTANT)
        return apply(p, LC_OP_XOR, ones, next.value);
    return next.inverted ? ones : apply(p, LC_OP_XOR, ones, ones);
}

// Computes the next state of column i, whose cells are x.
static int next_state(lc_program *p, lc_code_target target, const lc_network *network, int row,
                      const row_values of[3], int i, int x, int shared[2])
{
    const int signals[LC_SIGNALS] = {[LC_SIGNAL_SA] = of[0].s[i],
                                     [LC_SIGNAL_CA] = of[0].c[i],
                                     [LC_SIGNAL_SB] = of[1].s[i],
                                     [LC_SIGNAL_CB] = of[1].c[i],
                                     [LC_SIGNAL_SC] = of[2].s[i],
                                     [LC_SIGNAL_CC] = of[2].c[i],
                                     [LC_SIGNAL_X] = x};
    return target == LC_CODE_AVX512 ? next_by_gates(p, network, row, signals, shared)
                                    : next_by_operations(p, network, signals);
}

static void step_row(lc_program *p, lc_code_target target, int columns, const lc_network *network,
                     int row, const row_values of[3], int shared[2][2])
{
    for (int i = 0; i < columns; i++) {
        int x = of[1].x[i];
        if (target != LC_CODE_AVX512) // half as many registers: load the cell again
            x = row == 0 ? load(p, LC_FIELD_SAVED, 2 * i + 1)
                         : load(p, LC_FIELD_IN, i * LC_BAND_ROWS + row - 1);
        store(p, LC_FIELD_OUT, i * LC_BAND_ROWS + row,
              next_state(p, target, network, row, of, i, x, shared[i]));
    }
}

static int apply_one(lc_program *p, lc_op_kind kind, int value)
{
    return append(p, (lc_op){.kind = kind, .operand = {(int16_t)value}});
}

static void find_last_uses(lc_program *p)
{
    for (int v = 0; v < p->values; v++)
        p->last_use[v] = -1;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < lc_op_operands(&p->ops[i]); j++)
            p->last_use[p->ops[i].operand[j]] = i;
}

void lc_program_build(lc_program *p, lc_code_target target, int columns, bool first, bool last,
                      const lc_network *network)
{
    p->count = p->values = 0;
    row_values above = {0}, here = {0};
    int old_rows[2][4], shared[2][2] = {{0}};
    for (int row = -2; row < LC_BAND_ROWS; row++) {
        bool old = row < 0;
        int at = old ? row + 2 : row, stride = old ? 2 : LC_BAND_ROWS;
        int field = old ? LC_FIELD_SAVED : LC_FIELD_IN;
        int w[4];
        if (old)
            w[0] = load(p, LC_FIELD_LEFT, at);
        else
            w[0] = first ? load(p, LC_FIELD_LAST, at) : load(p, LC_FIELD_IN, at - LC_BAND_ROWS);
        for (int i = 0; i < columns; i++)
            w[1 + i] = load(p, field, i * stride + at);
        if (last)
            w[columns + 1] = load(p, old ? LC_FIELD_START : LC_FIELD_FIRST, at);
        else
            w[columns + 1] = load(p, field, columns * stride + at);
        if (old)
            memcpy(old_rows[at], w, sizeof w);
        if (row == -1) // after the loads from `left`
            for (int j = 0; j < 2; j++)
                store(p, LC_FIELD_LEFT, j, old_rows[j][columns]);
        if (row >= LC_BAND_ROWS - 2)
            for (int i = 0; i < columns; i++)
                store(p, LC_FIELD_SAVED, 2 * i + row - (LC_BAND_ROWS - 2), w[1 + i]);
        if (first)
            w[0] = apply_one(p, LC_OP_SHIFT_HIGH, w[0]);
        if (last)
            w[columns + 1] = apply_one(p, LC_OP_SHIFT_LOW, w[columns + 1]);
        row_values below = sum_row(p, target, columns, w);
        if (!old)
            step_row(p, target, columns, network, row, (row_values[]){above, here, below}, shared);
        above = here, here = below;
    }
    find_last_uses(p);
}

// Windows --------------------------------------------------------------------------------------

static row_values sum_vector(lc_program *p, lc_code_target target, int vector)
{
    const int x = load(p, LC_FIELD_ROWS, vector);
    const int turned_high = apply_one(p, LC_OP_TURN_HIGH, x),
              turned_low = apply_one(p, LC_OP_TURN_LOW, x);
    return sum_row(p, target, 1, (int[]){turned_high, x, turned_low});
}

// Keeps in memory sums that are needed much later, if the target has half as many registers.
static void put_off(lc_program *p, lc_code_target target, const row_values *r, int at)
{
    if (target == LC_CODE_AVX512)
        return;
    store(p, LC_FIELD_ROWS, at, r->s[0]);
    store(p, LC_FIELD_ROWS, at + 1, r->c[0]);
}

static row_values fetch(lc_program *p, lc_code_target target, const row_values *r, int at)
{
    if (target == LC_CODE_AVX512)
        return *r;
    const int s = load(p, LC_FIELD_ROWS, at), c = load(p, LC_FIELD_ROWS, at + 1);
    return (row_values){.s = {s}, .c = {c}};
}

// Works as rows_generation in window.h. It computes a vector's sums before it overwrites the vector
// above. The sums of the last and the first vector are needed at both ends and computed once.
void lc_program_build_rows(lc_program *p, lc_code_target target, int vectors,
                           const lc_network *network)
{
    p->count = p->values = 0;
    int shared[2] = {0};
    const row_values last = sum_vector(p, target, vectors - 1);
    put_off(p, target, &last, vectors);
    row_values above = {.s = {apply_one(p, LC_OP_LANE_ABOVE, last.s[0])},
                        .c = {apply_one(p, LC_OP_LANE_ABOVE, last.c[0])}};
    row_values here = sum_vector(p, target, 0);
    const row_values first = {.s = {apply_one(p, LC_OP_LANE_BELOW, here.s[0])},
                              .c = {apply_one(p, LC_OP_LANE_BELOW, here.c[0])}};
    put_off(p, target, &first, vectors + 2);
    for (int v = 0; v < vectors; v++) {
        const row_values below = v == vectors - 1   ? fetch(p, target, &first, vectors + 2)
                                 : v == vectors - 2 ? fetch(p, target, &last, vectors)
                                                    : sum_vector(p, target, v + 1);
        const int x = load(p, LC_FIELD_ROWS, v);
        store(p, LC_FIELD_ROWS, v,
              next_state(p, target, network, v, (row_values[]){above, here, below}, 0, x, shared));
        above = here, here = below;
    }
    find_last_uses(p);
}
