// The code generator for x86-64: assigns registers to the values of a program, and writes the
// kernel round it.
//
// A value has a register from its definition to its last use. A three-input gate is one vpternlogq,
// whose first source is also its destination. The generator puts an operand there that is not used
// again, and permutes the table; otherwise it makes a copy. AVX2 has half the registers. If a
// program needs more, generation fails, and the caller uses the kernel for any rule.
#include "level/code.h"

#if defined(__x86_64__)
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "level/code_encode.h"
#include "level/code_program.h"
#include "level/level.h"

enum {
    GROUPS_MAX = 8, // in all shapes
    // Room for two instructions per operation: the few shifts have six, and many others one.
    GROUP_BYTES_MAX = 256 + LC_OPS_MAX * LC_INSTRUCTION_BYTES_MAX * 2,
    // Of LC_VPSHIFTQ.
    SHIFT_LEFT = 6,
    SHIFT_RIGHT = 2,
};

// Registers that a function may change without saving. The argument is in rdi. The argument of a
// band is replaced last; rows stay there.
static const uint8_t field_register[] = {LC_RAX, LC_RCX, LC_RDX, LC_RSI, LC_R8,
                                         LC_R9,  LC_R10, LC_R11, LC_RDI, [LC_FIELD_ROWS] = LC_RDI};

static int register_count(lc_code_target target)
{
    return target == LC_CODE_AVX512 ? 32 : 16;
}

// The last register holds lc_code_work.ends.
static int ends_register(lc_code_target target)
{
    return register_count(target) - 1;
}

static int group_columns(lc_code_target target)
{
    return target == LC_CODE_AVX512 ? 2 : 1;
}

typedef struct {
    lc_writer *w;
    const lc_program *p;
    int8_t of_value[LC_VALUES_MAX];
    uint32_t free;
} translator;

static int take(translator *t)
{
    if (t->free == 0)
        return -1;
    int reg = __builtin_ctz(t->free);
    t->free &= t->free - 1;
    return reg;
}

static void release(translator *t, int index, int value)
{
    if (t->p->last_use[value] <= index)
        t->free |= 1u << t->of_value[value];
}

// Returns the table for operands in another order: new operand i is old operand order[i].
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

static bool translate_gate(translator *t, int index)
{
    const lc_op *op = &t->p->ops[index];
    // The destination is an operand that is not used again, or a copy of one. Either way it is the
    // youngest such operand, because the path through the destination is a cycle shorter (Zen 5).
    int dying = -1, youngest = 0, reg[3];
    for (int j = 0; j < 3; j++) {
        reg[j] = t->of_value[op->operand[j]];
        if (op->operand[j] > op->operand[youngest])
            youngest = j;
        if (t->p->last_use[op->operand[j]] == index &&
            (dying < 0 || op->operand[j] > op->operand[dying]))
            dying = j;
    }
    for (int j = 0; j < 3; j++)
        release(t, index, op->operand[j]);
    int front = dying >= 0 ? dying : youngest, result = reg[front];
    int order[3] = {0, 1, 2};
    order[0] = front;
    order[front] = 0;
    if (dying < 0) {
        result = take(t);
        if (result < 0)
            return false;
        lc_write_vector(t->w, LC_MAP_0F, LC_VMOVDQA_LOAD, result, 0, reg[front]);
    }
    t->free &= ~(1u << result);
    lc_write_vector(t->w, LC_MAP_0F3A, LC_VPTERNLOGQ, result, reg[order[1]], reg[order[2]]);
    lc_write_byte(t->w, permute(op->table, order));
    t->of_value[op->result] = (int8_t)result;
    return true;
}

// Shifts a vector by one bit as a whole, as towards_high and towards_low of avx2.c do, and
// V_TOWARDS_HIGH and V_TOWARDS_LOW of avx512.c.
static bool translate_shift(translator *t, int index)
{
    const lc_op *op = &t->p->ops[index];
    lc_writer *w = t->w;
    bool high = op->kind == LC_OP_SHIFT_HIGH;
    int source = t->of_value[op->operand[0]], ends = ends_register(w->target);
    int result = take(t), other = take(t);
    if (result < 0 || other < 0)
        return false;
    if (w->target == LC_CODE_AVX512) {
        lc_write_vector(w, LC_MAP_0F, LC_VPAND, other, source, ends);
        lc_write_vector(w, LC_MAP_0F3A, LC_VALIGNQ, other, high ? source : other,
                        high ? other : source);
        lc_write_byte(w, high ? 7 : 1);
        lc_write_vector(w, LC_MAP_0F3A, high ? LC_VPSHLDQ : LC_VPSHRDQ, result, source, other);
        lc_write_byte(w, 1);
    } else {
        lc_write_vector(w, LC_MAP_0F3A, LC_VPERMQ, other, 0, source);
        lc_write_byte(w, high ? 0x93 : 0x39);
        lc_write_vector(w, LC_MAP_0F, LC_VPAND, result, other, ends);
        lc_write_vector(w, LC_MAP_0F3A, LC_VPBLENDD, other, other, result);
        lc_write_byte(w, high ? 0x03 : 0xC0);
        lc_write_vector(w, LC_MAP_0F, LC_VPSHIFTQ, high ? SHIFT_RIGHT : SHIFT_LEFT, other, other);
        lc_write_byte(w, 63);
        lc_write_vector(w, LC_MAP_0F, LC_VPSHIFTQ, high ? SHIFT_LEFT : SHIFT_RIGHT, result, source);
        lc_write_byte(w, 1);
        lc_write_vector(w, LC_MAP_0F, LC_VPOR, result, result, other);
    }
    t->free |= 1u << other;
    t->of_value[op->result] = (int8_t)result;
    release(t, index, op->operand[0]);
    return true;
}

// Rotates each lane by one bit, or the lanes by one lane.
static bool translate_turn(translator *t, int index)
{
    const lc_op *op = &t->p->ops[index];
    lc_writer *w = t->w;
    const bool high = op->kind == LC_OP_TURN_HIGH, above = op->kind == LC_OP_LANE_ABOVE;
    const int source = t->of_value[op->operand[0]], result = take(t);
    if (result < 0)
        return false;
    if (op->kind == LC_OP_LANE_ABOVE || op->kind == LC_OP_LANE_BELOW) {
        if (w->target == LC_CODE_AVX512) {
            lc_write_vector(w, LC_MAP_0F3A, LC_VALIGNQ, result, source, source);
            lc_write_byte(w, above ? 7 : 1);
        } else {
            lc_write_vector(w, LC_MAP_0F3A, LC_VPERMQ, result, 0, source);
            lc_write_byte(w, above ? 0x93 : 0x39);
        }
    } else if (w->target == LC_CODE_AVX512) {
        lc_write_vector(w, LC_MAP_0F, LC_VPROTATEQ, high ? 1 : 0, result, source);
        lc_write_byte(w, 1);
    } else {
        const int end = take(t);
        if (end < 0)
            return false;
        lc_write_vector(w, LC_MAP_0F, LC_VPSHIFTQ, high ? SHIFT_RIGHT : SHIFT_LEFT, end, source);
        lc_write_byte(w, 63);
        lc_write_vector(w, LC_MAP_0F, LC_VPSHIFTQ, high ? SHIFT_LEFT : SHIFT_RIGHT, result, source);
        lc_write_byte(w, 1);
        lc_write_vector(w, LC_MAP_0F, LC_VPOR, result, result, end);
        t->free |= 1u << end;
    }
    t->of_value[op->result] = (int8_t)result;
    release(t, index, op->operand[0]);
    return true;
}

static bool translate_two(translator *t, int index)
{
    static const uint8_t opcodes[] = {[LC_OP_AND] = LC_VPAND,
                                      [LC_OP_AND_NOT] = LC_VPANDN,
                                      [LC_OP_OR] = LC_VPOR,
                                      [LC_OP_XOR] = LC_VPXOR};
    const lc_op *op = &t->p->ops[index];
    int a = t->of_value[op->operand[0]], b = t->of_value[op->operand[1]];
    release(t, index, op->operand[0]);
    release(t, index, op->operand[1]);
    int result = take(t);
    if (result < 0)
        return false;
    lc_write_vector(t->w, LC_MAP_0F, opcodes[op->kind], result, a, b);
    t->of_value[op->result] = (int8_t)result;
    return true;
}

static bool translate_move(translator *t, int index)
{
    const lc_op *op = &t->p->ops[index];
    int base = field_register[op->field];
    if (op->kind == LC_OP_STORE) {
        int value = op->operand[0];
        lc_write_move(t->w, LC_VMOVDQA_STORE, t->of_value[value], base, op->vector);
        release(t, index, value);
        return true;
    }
    int result = take(t);
    if (result < 0)
        return false;
    t->of_value[op->result] = (int8_t)result;
    if (op->kind == LC_OP_ONES)
        lc_write_vector(t->w, LC_MAP_0F, LC_VPCMPEQD, result, result, result);
    else
        lc_write_move(t->w, LC_VMOVDQA_LOAD, result, base, op->vector);
    return true;
}

// Returns false if the values need too many registers.
static bool translate(lc_writer *w, const lc_program *p)
{
    int ends = ends_register(w->target);
    translator t = {.w = w, .p = p, .free = (uint32_t)((UINT64_C(1) << ends) - 1)};
    for (int i = 0; i < p->count; i++) {
        const lc_op *op = &p->ops[i];
        bool ok;
        if (op->kind == LC_OP_GATE)
            ok = translate_gate(&t, i);
        else if (op->kind == LC_OP_SHIFT_HIGH || op->kind == LC_OP_SHIFT_LOW)
            ok = translate_shift(&t, i);
        else if (op->kind >= LC_OP_TURN_HIGH)
            ok = translate_turn(&t, i);
        else if (lc_op_operands(op) == 2)
            ok = translate_two(&t, i);
        else
            ok = translate_move(&t, i);
        if (!ok)
            return false;
        if (op->kind != LC_OP_STORE) // an unused result frees its register at once
            release(&t, i, op->result);
    }
    return true;
}

typedef struct {
    lc_writer w;
    lc_program *p;
    const lc_network *network;
} generator;

static bool write_group(generator *g, int columns, bool first, bool last)
{
    lc_code_target target = g->w.target;
    lc_program_build(g->p, target, columns, first, last, g->network);
    if (!translate(&g->w, g->p))
        return false;
    if (!last) {
        int column = LC_BAND_ROWS * (target == LC_CODE_AVX512 ? 64 : 32);
        int saved = column / LC_BAND_ROWS * 2;
        lc_write_add(&g->w, field_register[LC_FIELD_IN], columns * column);
        lc_write_add(&g->w, field_register[LC_FIELD_OUT], columns * column);
        lc_write_add(&g->w, field_register[LC_FIELD_SAVED], columns * saved);
    }
    return true;
}

// Writes the groups between the ends: a loop that may run zero times.
static bool write_middle(generator *g)
{
    lc_writer *w = &g->w;
    int count = field_register[LC_FIELD_MIDDLE];
    lc_write_test(w, count);
    uint8_t *over = lc_write_jump(w, LC_JUMP_ZERO);
    const uint8_t *again = w->at;
    if (!write_group(g, group_columns(w->target), false, false))
        return false;
    lc_write_decrement(w, count);
    lc_set_jump(lc_write_jump(w, LC_JUMP_NOT_ZERO), again);
    lc_set_jump(over, w->at);
    return true;
}

static bool write_shape(generator *g, lc_code_shape shape)
{
    lc_writer *w = &g->w;
    for (int field = 0; field < LC_FIELDS; field++)
        lc_write_load_pointer(w, field_register[field], LC_RDI, field * (int)sizeof(void *));
    lc_write_move(w, LC_VMOVDQA_LOAD, ends_register(w->target), field_register[LC_FIELD_ENDS], 0);
    bool ok;
    if (shape == LC_CODE_ONE || shape == LC_CODE_TWO)
        ok = write_group(g, shape == LC_CODE_ONE ? 1 : 2, true, true);
    else
        ok = write_group(g, group_columns(w->target), true, false) && write_middle(g) &&
             write_group(g, shape == LC_CODE_LAST_ONE ? 1 : 2, false, true);
    lc_write_return(w);
    return ok;
}

// Begins a function at the next cache line.
static uint8_t *begin_function(lc_writer *w)
{
    w->at += -(uintptr_t)w->at & 63;
    return w->at;
}

// Unmaps the pages behind the last instruction, and makes the others executable.
static bool make_executable(const lc_writer *w, lc_code *code)
{
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    const size_t written_bytes = (size_t)(w->at - (uint8_t *)code->memory);
    const size_t used_bytes = (written_bytes + page_bytes - 1) / page_bytes * page_bytes;
    if (used_bytes < code->size_bytes &&
        munmap((uint8_t *)code->memory + used_bytes, code->size_bytes - used_bytes) == 0)
        code->size_bytes = used_bytes;
    return mprotect(code->memory, code->size_bytes, PROT_READ | PROT_EXEC) == 0;
}

static lc_status write_code(generator *g, lc_code *code)
{
    const lc_code_target target = g->w.target;
    uint8_t *start[LC_CODE_SHAPES] = {NULL};
    for (int shape = 0; shape < LC_CODE_SHAPES; shape++) {
        bool two = shape == LC_CODE_TWO || shape == LC_CODE_LAST_TWO;
        if (two && group_columns(target) == 1)
            continue;
        start[shape] = begin_function(&g->w);
        if (!write_shape(g, (lc_code_shape)shape))
            return LC_ERROR_LIMIT;
    }
    if (!make_executable(&g->w, code))
        return LC_ERROR_SYSTEM;
    for (int shape = 0; shape < LC_CODE_SHAPES; shape++) // C has no cast from data to function
        memcpy(&code->step[shape], &start[shape], sizeof start[shape]);
    return LC_OK;
}

static bool write_rows(generator *g, int vectors)
{
    lc_program_build_rows(g->p, g->w.target, vectors, g->network);
    const bool ok = translate(&g->w, g->p);
    lc_write_return(&g->w);
    return ok;
}

static lc_status write_windows(generator *g, lc_code *code)
{
    const int tile_vectors = LC_TILE_CELLS / (g->w.target == LC_CODE_AVX512 ? 8 : 4);
    uint8_t *window = begin_function(&g->w);
    if (!write_rows(g, 2 * tile_vectors))
        return LC_ERROR_LIMIT;
    uint8_t *column = begin_function(&g->w);
    if (!write_rows(g, (LC_COLUMN_WINDOWS + 1) * tile_vectors))
        return LC_ERROR_LIMIT;
    if (!make_executable(&g->w, code))
        return LC_ERROR_SYSTEM;
    memcpy(&code->window, &window, sizeof window);
    memcpy(&code->column, &column, sizeof column);
    return LC_OK;
}

static lc_status create(lc_code *code, lc_code_target target, const lc_network *network,
                        lc_status (*write)(generator *g, lc_code *code))
{
    *code = (lc_code){0};
    lc_program *p = lc_malloc(sizeof *p);
    if (p == NULL)
        return LC_ERROR_MEMORY;
    code->size_bytes = GROUPS_MAX * GROUP_BYTES_MAX;
    code->memory =
        mmap(NULL, code->size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    lc_status status = LC_ERROR_SYSTEM;
    if (code->memory == MAP_FAILED)
        code->memory = NULL;
    else
        status = write(&(generator){{code->memory, target}, p, network}, code);
    lc_free(p);
    if (status != LC_OK)
        lc_code_free(code);
    return status;
}

lc_status lc_code_create(lc_code *code, lc_code_target target, const lc_network *network)
{
    return create(code, target, network, write_code);
}

lc_status lc_code_create_windows(lc_code *code, lc_code_target target, const lc_network *network)
{
    return create(code, target, network, write_windows);
}

void lc_code_free(lc_code *code)
{
    if (code->memory != NULL)
        (void)munmap(code->memory, code->size_bytes);
    *code = (lc_code){0};
}

#else

lc_status lc_code_create(lc_code *code, lc_code_target target, const lc_network *network)
{
    (void)target;
    (void)network;
    *code = (lc_code){0};
    return LC_ERROR_UNSUPPORTED;
}

lc_status lc_code_create_windows(lc_code *code, lc_code_target target, const lc_network *network)
{
    return lc_code_create(code, target, network);
}

void lc_code_free(lc_code *code)
{
    *code = (lc_code){0};
}
#endif
