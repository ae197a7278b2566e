#include "level/code_encode.h"

#include <stdbool.h>

void lc_write_byte(lc_writer *w, int value)
{
    *w->at++ = (uint8_t)value;
}

static void write_bytes4(lc_writer *w, int32_t value)
{
    for (int i = 0; i < 4; i++)
        lc_write_byte(w, value >> 8 * i & 0xFF);
}

// Writes the prefix of a vector opcode. `rm4` and `rm3` are bits 4 and 3 of the register in the r/m
// operand. AVX-512: 512 bits, W1. AVX2: 256 bits, W1 only if the opcode needs it.
static void write_prefix(lc_writer *w, int map, int opcode, int reg, int source, int rm4, int rm3)
{
    if (w->target == LC_CODE_AVX512) {
        lc_write_byte(w, 0x62);
        lc_write_byte(w, (~reg >> 3 & 1) << 7 | (~rm4 & 1) << 6 | (~rm3 & 1) << 5 |
                             (~reg >> 4 & 1) << 4 | map);
        lc_write_byte(w, 0x80 | (~source & 15) << 3 | 4 | 1);
        lc_write_byte(w, 2 << 5 | (~source >> 4 & 1) << 3);
        return;
    }
    bool wide = map == LC_MAP_0F3A && opcode == LC_VPERMQ;
    lc_write_byte(w, 0xC4);
    lc_write_byte(w, (~reg >> 3 & 1) << 7 | 1 << 6 | (~rm3 & 1) << 5 | map);
    lc_write_byte(w, wide << 7 | (~source & 15) << 3 | 4 | 1);
}

void lc_write_vector(lc_writer *w, int map, int opcode, int reg, int source, int rm)
{
    write_prefix(w, map, opcode, reg, source, rm >> 4 & 1, rm >> 3 & 1);
    lc_write_byte(w, opcode);
    lc_write_byte(w, 0xC0 | (reg & 7) << 3 | (rm & 7));
}

void lc_write_move(lc_writer *w, int opcode, int reg, int base, int vector)
{
    write_prefix(w, LC_MAP_0F, opcode, reg, 0, 0, base >> 3);
    lc_write_byte(w, opcode);
    if (w->target == LC_CODE_AVX512) { // one byte, in units of a vector
        lc_write_byte(w, 0x40 | (reg & 7) << 3 | (base & 7));
        lc_write_byte(w, vector);
    } else {
        lc_write_byte(w, 0x80 | (reg & 7) << 3 | (base & 7));
        write_bytes4(w, vector * 32);
    }
}

void lc_write_load_pointer(lc_writer *w, int reg, int base, int offset_bytes)
{
    lc_write_byte(w, 0x48 | reg >> 3 << 2 | base >> 3);
    lc_write_byte(w, 0x8B);
    lc_write_byte(w, 0x40 | (reg & 7) << 3 | (base & 7));
    lc_write_byte(w, offset_bytes);
}

// Writes an instruction on one general register. `field` is the middle of its r/m byte.
static void write_unary(lc_writer *w, int opcode, int field, int reg)
{
    lc_write_byte(w, 0x48 | reg >> 3);
    lc_write_byte(w, opcode);
    lc_write_byte(w, 0xC0 | field << 3 | (reg & 7));
}

void lc_write_add(lc_writer *w, int reg, int32_t bytes)
{
    write_unary(w, 0x81, 0, reg);
    write_bytes4(w, bytes);
}

void lc_write_test(lc_writer *w, int reg)
{
    lc_write_byte(w, 0x48 | reg >> 3 << 2 | reg >> 3);
    lc_write_byte(w, 0x85);
    lc_write_byte(w, 0xC0 | (reg & 7) << 3 | (reg & 7));
}

void lc_write_decrement(lc_writer *w, int reg)
{
    write_unary(w, 0xFF, 1, reg);
}

void lc_write_return(lc_writer *w)
{
    lc_write_byte(w, 0xC5);
    lc_write_byte(w, 0xF8);
    lc_write_byte(w, 0x77);
    lc_write_byte(w, 0xC3);
}

uint8_t *lc_write_jump(lc_writer *w, int condition)
{
    lc_write_byte(w, 0x0F);
    lc_write_byte(w, condition);
    write_bytes4(w, 0);
    return w->at;
}

// The last four bytes of a jump are its distance, counted from its end.
void lc_set_jump(uint8_t *jump, const uint8_t *target)
{
    lc_writer w = {.at = jump - 4};
    write_bytes4(&w, (int32_t)(target - jump));
}
