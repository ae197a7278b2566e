// The code generator for AVX-512.
//
// It goes in three steps. `build` writes down, for all rows of a band, loads, gates and stores on
// values that are each set once. `find_ends` notes each value's last use. `translate` walks the
// list, gives each value one of the 32 registers until its last use, and encodes: a gate is one
// vpternlogq, whose first source is also its destination, so an operand at its end is preferred
// there and the table permuted to suit.
#include "engine/simd/code.h"

#if defined(__x86_64__)
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "engine/simd/simd.h"

enum {
    ENDS = 31, // the register that holds lc_code_work.ends
    VALUES_MAX = 1024,
    OPS_MAX = 1024,
    OP_BYTES_MAX = 24, // three instructions
    GROUPS_MAX = 8,    // in all shapes
    GROUP_BYTES = 128, // round a group
    VECTOR_BYTES = 64,
};

typedef enum { LOAD, STORE, GATE, SHIFT_HIGH, SHIFT_LOW } op_kind;

typedef struct {
    op_kind kind;
    uint8_t table;
    uint8_t field;      // LOAD, STORE: which pointer of lc_code_work
    int8_t vector;      // LOAD, STORE: which vector from there
    int16_t result;     // all but STORE
    int16_t operand[3]; // GATE; all but LOAD: the first
} op;

typedef struct {
    op ops[OPS_MAX];
    int count, values;
    int last_use[VALUES_MAX];
} program;

// The members of lc_code_work, in order.
enum { F_IN, F_SAVED, F_OUT, F_LEFT, F_START, F_LAST, F_FIRST, F_MIDDLE_PAIRS, F_ENDS, FIELDS };

static int load(program *p, int field, int vector)
{
    p->ops[p->count++] = (op){.kind = LOAD,
                              .field = (uint8_t)field,
                              .vector = (int8_t)vector,
                              .result = (int16_t)p->values};
    return p->values++;
}

static void store(program *p, int field, int vector, int value)
{
    p->ops[p->count++] = (op){.kind = STORE,
                              .field = (uint8_t)field,
                              .vector = (int8_t)vector,
                              .operand = {(int16_t)value}};
}

static int gate(program *p, uint8_t table, int a, int b, int c)
{
    p->ops[p->count++] = (op){.kind = GATE,
                              .table = table,
                              .result = (int16_t)p->values,
                              .operand = {(int16_t)a, (int16_t)b, (int16_t)c}};
    return p->values++;
}

// The vector shifted by one bit as a whole: V_TOWARDS_HIGH and V_TOWARDS_LOW of level_avx512.c.
static int shift(program *p, op_kind kind, int value)
{
    p->ops[p->count++] =
        (op){.kind = kind, .result = (int16_t)p->values, .operand = {(int16_t)value}};
    return p->values++;
}

enum { XOR = 0x3C, PARITY = 0x96, MAJORITY = 0xE8 }; // XOR: of the first two operands

typedef struct {
    int s[2], c[2], x[2];
} row_values;

static row_values sum_row(program *p, int columns, const int *w)
{
    row_values r;
    int middle = gate(p, XOR, w[1], w[2], w[1]);
    r.s[0] = gate(p, XOR, middle, w[0], middle);
    r.c[0] = gate(p, MAJORITY, w[0], w[1], w[2]);
    r.x[0] = w[1];
    if (columns == 2) { // see row_sums in band.h
        r.s[1] = gate(p, XOR, middle, w[3], middle);
        r.c[1] = gate(p, MAJORITY, w[3], w[1], w[2]);
        r.x[1] = w[2];
    }
    return r;
}

// The parity of three signals: two exclusive ors, of which one is shared by an even row and the odd
// one below, for which sa and sb are what sb and sc were. (As one gate it would cost a copy,
// because all three are used again.)
static int parity(program *p, int row, int a, int b, int c, int *shared)
{
    if (row % 2 == 0)
        *shared = gate(p, XOR, b, c, b);
    return gate(p, XOR, *shared, row % 2 == 0 ? a : c, *shared);
}

static void step_row(program *p, int columns, const lc_network *network, int row,
                     const row_values of[3], int shared[2][2])
{
    int value[2][LC_SIGNALS + LC_NETWORK_GATES_MAX];
    for (int i = 0; i < columns; i++) {
        value[i][LC_SIGNAL_SA] = of[0].s[i], value[i][LC_SIGNAL_CA] = of[0].c[i];
        value[i][LC_SIGNAL_SB] = of[1].s[i], value[i][LC_SIGNAL_CB] = of[1].c[i];
        value[i][LC_SIGNAL_SC] = of[2].s[i], value[i][LC_SIGNAL_CC] = of[2].c[i];
        value[i][LC_SIGNAL_X] = of[1].x[i];
    }
    for (int i = 0; i < columns; i++) {
        for (int g = 0; g < network->gates; g++) {
            const lc_gate *n = &network->gate[g];
            int a = value[i][n->a], b = value[i][n->b], c = value[i][n->c],
                *result = &value[i][LC_SIGNALS + g];
            bool sums = n->a == LC_SIGNAL_SA && n->b == LC_SIGNAL_SB && n->c == LC_SIGNAL_SC;
            bool carries = n->a == LC_SIGNAL_CA && n->b == LC_SIGNAL_CB && n->c == LC_SIGNAL_CC;
            if (n->table == PARITY && (sums || carries))
                *result = parity(p, row, a, b, c, &shared[i][carries]);
            else
                *result = gate(p, n->table, a, b, c);
        }
        store(p, F_OUT, i * LC_BAND_ROWS + row, value[i][LC_SIGNALS + network->gates - 1]);
    }
}

// One or two neighbouring columns; F_IN, F_SAVED and F_OUT point at the first of them. `first`: at the
// left end of the strip; `last`: at the right end.
static void build(program *p, int columns, bool first, bool last, const lc_network *network)
{
    p->count = p->values = 0;
    row_values above = {0}, here = {0};
    int old_rows[2][4], shared[2][2] = {{0}};
    for (int row = -2; row < LC_BAND_ROWS; row++) {
        bool old = row < 0;
        int at = old ? row + 2 : row, stride = old ? 2 : LC_BAND_ROWS;
        int here_field = old ? F_SAVED : F_IN, right = columns * stride + at;
        int w[4];
        if (old)
            w[0] = load(p, F_LEFT, at);
        else
            w[0] = first ? load(p, F_LAST, at) : load(p, F_IN, at - LC_BAND_ROWS);
        for (int i = 0; i < columns; i++)
            w[1 + i] = load(p, here_field, i * stride + at);
        w[columns + 1] = last ? load(p, old ? F_START : F_FIRST, at) : load(p, here_field, right);
        if (old)
            memcpy(old_rows[at], w, sizeof w);
        if (row == -1) // after the loads from there
            for (int j = 0; j < 2; j++)
                store(p, F_LEFT, j, old_rows[j][columns]);
        if (row >= LC_BAND_ROWS - 2)
            for (int i = 0; i < columns; i++)
                store(p, F_SAVED, 2 * i + row - (LC_BAND_ROWS - 2), w[1 + i]);
        if (first)
            w[0] = shift(p, SHIFT_HIGH, w[0]);
        if (last)
            w[columns + 1] = shift(p, SHIFT_LOW, w[columns + 1]);
        row_values below = sum_row(p, columns, w);
        if (!old)
            step_row(p, columns, network, row, (row_values[]){above, here, below}, shared);
        above = here, here = below;
    }
}

static int operands(const op *o)
{
    return o->kind == GATE ? 3 : o->kind == LOAD ? 0 : 1;
}

static void find_ends(program *p)
{
    for (int v = 0; v < p->values; v++)
        p->last_use[v] = -1;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < operands(&p->ops[i]); j++)
            p->last_use[p->ops[i].operand[j]] = i;
}

// Encoding ---------------------------------------------------------------------------------------

typedef struct {
    uint8_t *at;
} writer;

static void byte(writer *w, int value)
{
    *w->at++ = (uint8_t)value;
}

// rax rcx rdx rsi r8 r9 r10 r11 rdi: what a function may change without saving; rdi, the argument,
// last.
static const uint8_t field_register[FIELDS] = {0, 1, 2, 6, 8, 9, 10, 11, 7};

// The four bytes before an AVX-512 opcode: 512 bits, 66 prefix, W1. `map` 1: 0F, 3: 0F3A. `rm4` and
// `rm3` are bits 4 and 3 of the r/m operand's register.
static void evex(writer *w, int map, int reg, int source, int rm4, int rm3)
{
    byte(w, 0x62);
    byte(w, (~reg >> 3 & 1) << 7 | (~rm4 & 1) << 6 | (~rm3 & 1) << 5 | (~reg >> 4 & 1) << 4 | map);
    byte(w, 0x80 | (~source & 15) << 3 | 4 | 1);
    byte(w, 2 << 5 | (~source >> 4 & 1) << 3);
}

static void evex_registers(writer *w, int map, int opcode, int reg, int source, int rm)
{
    evex(w, map, reg, source, rm >> 4 & 1, rm >> 3 & 1);
    byte(w, opcode);
    byte(w, 0xC0 | (reg & 7) << 3 | (rm & 7));
}

enum {
    OPCODE_MOVE_FROM = 0x6F, // map 1: vmovdqa64
    OPCODE_MOVE_TO = 0x7F,
    OPCODE_XOR = 0xEF,        // map 1: vpxorq
    OPCODE_AND = 0xDB,        // map 1: vpandq
    OPCODE_GATE = 0x25,       // map 3: vpternlogq
    OPCODE_ALIGN = 0x03,      // map 3: valignq
    OPCODE_SHIFT_HIGH = 0x71, // map 3: vpshldq
    OPCODE_SHIFT_LOW = 0x73,  // map 3: vpshrdq
};

static void move_memory(writer *w, int opcode, int reg, int field, int vector)
{
    int base = field_register[field];
    evex(w, 1, reg, 0, 0, base >> 3);
    byte(w, opcode);
    // One byte, counted in vectors: no column of a band is further away than that.
    byte(w, 0x40 | (reg & 7) << 3 | (base & 7));
    byte(w, vector);
}

// mov field_register, [rdi + 8 * field]
static void load_field(writer *w, int field)
{
    int reg = field_register[field];
    byte(w, 0x48 | (reg >> 3) << 2);
    byte(w, 0x8B);
    byte(w, 0x40 | (reg & 7) << 3 | 7);
    byte(w, 8 * field);
}

// The bytes of `value`, lowest first.
static void bytes4(writer *w, int32_t value)
{
    for (int i = 0; i < 4; i++)
        byte(w, value >> 8 * i & 0xFF);
}

// add field_register, vectors * 64
static void advance(writer *w, int field, int vectors)
{
    int reg = field_register[field];
    byte(w, 0x48 | reg >> 3);
    byte(w, 0x81);
    byte(w, 0xC0 | (reg & 7));
    bytes4(w, vectors * VECTOR_BYTES);
}

enum { OPCODE_TEST = 0x85, OPCODE_JUMP_ZERO = 0x84, OPCODE_JUMP_NOT_ZERO = 0x85 };

// A conditional jump; returns where its distance stands, for set_jump.
static uint8_t *jump(writer *w, int opcode)
{
    byte(w, 0x0F);
    byte(w, opcode);
    bytes4(w, 0);
    return w->at;
}

static void set_jump(uint8_t *after_jump, const uint8_t *target)
{
    writer w = {after_jump - 4};
    bytes4(&w, (int32_t)(target - after_jump));
}

// The table for operands in another order: new operand i is old operand order[i].
static uint8_t permute(uint8_t table, const int order[3])
{
    uint8_t permuted = 0;
    for (int i = 0; i < 8; i++) {
        int old = 0;
        for (int j = 0; j < 3; j++)
            old |= (i >> (2 - j) & 1) << (2 - order[j]);
        permuted = (uint8_t)(permuted | (table >> old & 1) << i);
    }
    return permuted;
}

typedef struct {
    int8_t of_value[VALUES_MAX];
    uint32_t free;
} registers;

static int take(registers *r)
{
    if (r->free == 0)
        return -1;
    int reg = __builtin_ctz(r->free);
    r->free &= r->free - 1;
    return reg;
}

// Encodes a gate; false if there is no register left.
static bool translate_gate(writer *w, const program *p, int index, registers *r)
{
    const op *o = &p->ops[index];
    // The destination: an operand that is not used again, or else a copy; the youngest in either
    // case, because the way through the destination is a cycle shorter (Zen 5).
    int first = -1, youngest = 0;
    for (int j = 0; j < 3; j++) {
        if (o->operand[j] > o->operand[youngest])
            youngest = j;
        if (p->last_use[o->operand[j]] == index && (first < 0 || o->operand[j] > o->operand[first]))
            first = j;
    }
    int reg[3];
    for (int j = 0; j < 3; j++)
        reg[j] = r->of_value[o->operand[j]];
    for (int j = 0; j < 3; j++)
        if (p->last_use[o->operand[j]] == index)
            r->free |= 1u << reg[j];
    if (o->table == XOR) {
        int result = take(r);
        if (result < 0)
            return false;
        evex_registers(w, 1, OPCODE_XOR, result, reg[0], reg[1]);
        r->of_value[o->result] = (int8_t)result;
        return true;
    }
    int order[3] = {0, 1, 2}, front = first >= 0 ? first : youngest, result = reg[front];
    order[0] = front;
    order[front] = 0;
    if (first < 0) {
        result = take(r);
        if (result < 0)
            return false;
        evex_registers(w, 1, OPCODE_MOVE_FROM, result, 0, reg[front]);
    }
    r->free &= ~(1u << result);
    evex_registers(w, 3, OPCODE_GATE, result, reg[order[1]], reg[order[2]]);
    byte(w, permute(o->table, order));
    r->of_value[o->result] = (int8_t)result;
    return true;
}

static void release(registers *r, const program *p, int index, int value)
{
    if (p->last_use[value] <= index)
        r->free |= 1u << r->of_value[value];
}

// Encodes anything else; false if there is no register left.
static bool translate_op(writer *w, const program *p, int index, registers *r)
{
    const op *o = &p->ops[index];
    int source = o->kind == LOAD ? 0 : r->of_value[o->operand[0]];
    if (o->kind == STORE) {
        move_memory(w, OPCODE_MOVE_TO, source, o->field, o->vector);
        release(r, p, index, o->operand[0]);
        return true;
    }
    int result = take(r);
    if (result < 0)
        return false;
    r->of_value[o->result] = (int8_t)result;
    if (o->kind == LOAD) {
        move_memory(w, OPCODE_MOVE_FROM, result, o->field, o->vector);
    } else {
        bool high = o->kind == SHIFT_HIGH;
        evex_registers(w, 1, OPCODE_AND, result, source, ENDS);
        evex_registers(w, 3, OPCODE_ALIGN, result, high ? source : result, high ? result : source);
        byte(w, high ? 7 : 1);
        evex_registers(w, 3, high ? OPCODE_SHIFT_HIGH : OPCODE_SHIFT_LOW, result, source, result);
        byte(w, 1);
        release(r, p, index, o->operand[0]);
    }
    return true;
}

static bool translate(writer *w, const program *p)
{
    registers r = {.free = UINT32_MAX & ~(UINT32_C(1) << ENDS)};
    for (int i = 0; i < p->count; i++) {
        const op *o = &p->ops[i];
        if (!(o->kind == GATE ? translate_gate(w, p, i, &r) : translate_op(w, p, i, &r)))
            return false;
        if (o->kind != STORE) // a result that nobody uses frees its register at once
            release(&r, p, i, o->result);
    }
    return true;
}

typedef struct {
    writer *w;
    program *p;
    const lc_network *network;
} generator;

static bool write_group(const generator *g, int columns, bool first, bool last)
{
    build(g->p, columns, first, last, g->network);
    find_ends(g->p);
    if (!translate(g->w, g->p))
        return false;
    if (!last) {
        advance(g->w, F_IN, columns * LC_BAND_ROWS);
        advance(g->w, F_OUT, columns * LC_BAND_ROWS);
        advance(g->w, F_SAVED, columns * 2);
    }
    return true;
}

// The pairs between the ends: a loop that may run no times.
static bool write_middle(const generator *g)
{
    writer *w = g->w;
    int count = field_register[F_MIDDLE_PAIRS];
    int rex_both = 0x48 | count >> 3 << 2 | count >> 3, operand = 0xC0 | (count & 7);
    byte(w, rex_both); // test count, count
    byte(w, OPCODE_TEST);
    byte(w, operand | (count & 7) << 3);
    uint8_t *over = jump(w, OPCODE_JUMP_ZERO);
    const uint8_t *again = w->at;
    if (!write_group(g, 2, false, false))
        return false;
    byte(w, 0x48 | count >> 3); // dec count
    byte(w, 0xFF);
    byte(w, operand | 1 << 3);
    set_jump(jump(w, OPCODE_JUMP_NOT_ZERO), again);
    set_jump(over, w->at);
    return true;
}

static bool write_shape(const generator *g, lc_code_shape shape)
{
    writer *w = g->w;
    for (int field = 0; field < FIELDS; field++)
        load_field(w, field);
    move_memory(w, OPCODE_MOVE_FROM, ENDS, F_ENDS, 0);
    bool ok;
    if (shape == LC_CODE_ONE || shape == LC_CODE_TWO)
        ok = write_group(g, shape == LC_CODE_ONE ? 1 : 2, true, true);
    else
        ok = write_group(g, 2, true, false) && write_middle(g) &&
             write_group(g, shape == LC_CODE_ODD ? 1 : 2, false, true);
    byte(w, 0xC5); // vzeroupper
    byte(w, 0xF8);
    byte(w, 0x77);
    byte(w, 0xC3); // ret
    return ok;
}

static lc_status write_code(lc_code *code, program *p, const lc_network *network)
{
    writer w = {code->memory};
    const generator g = {&w, p, network};
    uint8_t *start[LC_CODE_SHAPES];
    for (int shape = 0; shape < LC_CODE_SHAPES; shape++) {
        w.at += -(uintptr_t)w.at & 63;
        start[shape] = w.at;
        if (!write_shape(&g, (lc_code_shape)shape))
            return LC_ERROR_LIMIT;
    }
    if (mprotect(code->memory, code->size_bytes, PROT_READ | PROT_EXEC) != 0)
        return LC_ERROR_SYSTEM;
    for (int shape = 0; shape < LC_CODE_SHAPES; shape++) // C has no cast from data to function
        memcpy(&code->step[shape], &start[shape], sizeof start[shape]);
    return LC_OK;
}

lc_status lc_code_create(lc_code *code, const lc_network *network)
{
    *code = (lc_code){0};
    program *p = lc_malloc(sizeof *p);
    if (p == NULL)
        return LC_ERROR_MEMORY;
    code->size_bytes = GROUPS_MAX * (OPS_MAX * OP_BYTES_MAX + GROUP_BYTES);
    code->memory =
        mmap(NULL, code->size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    lc_status status = LC_ERROR_SYSTEM;
    if (code->memory == MAP_FAILED)
        code->memory = NULL;
    else
        status = write_code(code, p, network);
    lc_free(p);
    if (status != LC_OK)
        lc_code_free(code);
    return status;
}

void lc_code_free(lc_code *code)
{
    if (code->memory != NULL)
        (void)munmap(code->memory, code->size_bytes);
    *code = (lc_code){0};
}

#else

lc_status lc_code_create(lc_code *code, const lc_network *network)
{
    (void)network;
    *code = (lc_code){0};
    return LC_ERROR_UNSUPPORTED;
}

void lc_code_free(lc_code *code)
{
    *code = (lc_code){0};
}
#endif
