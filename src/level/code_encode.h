// Encodes the x86-64 instructions that code_x86.c uses.
#ifndef LC_LEVEL_CODE_ENCODE_H
#define LC_LEVEL_CODE_ENCODE_H

#include <stdint.h>

#include "level/code.h"

enum {
    LC_INSTRUCTION_BYTES_MAX = 12,

    // Opcodes with 66 prefix; map 1 is 0F, map 3 is 0F3A.
    LC_MAP_0F = 1,
    LC_MAP_0F3A = 3,
    LC_VMOVDQA_LOAD = 0x6F, // map 1: vmovdqa, vmovdqa64
    LC_VMOVDQA_STORE = 0x7F,
    LC_VPAND = 0xDB,
    LC_VPANDN = 0xDF,
    LC_VPOR = 0xEB,
    LC_VPXOR = 0xEF,
    LC_VPCMPEQD = 0x76,
    LC_VPSHIFTQ = 0x73,   // map 1, immediate; reg 6: left, 2: right
    LC_VPROTATEQ = 0x72,  // the same; reg 1: left, 0: right; AVX-512 only
    LC_VPTERNLOGQ = 0x25, // map 3, immediate, all below
    LC_VALIGNQ = 0x03,
    LC_VPSHLDQ = 0x71,
    LC_VPSHRDQ = 0x73,
    LC_VPERMQ = 0x00,
    LC_VPBLENDD = 0x02,
};

// General registers by their numbers.
enum { LC_RAX = 0, LC_RCX, LC_RDX, LC_RSI = 6, LC_RDI, LC_R8, LC_R9, LC_R10, LC_R11 };

typedef struct lc_writer {
    uint8_t *at;
    lc_code_target target;
} lc_writer;

void lc_write_byte(lc_writer *w, int value);

// Writes a vector instruction: destination, first source, second source. Instructions with one
// source have `source` 0.
void lc_write_vector(lc_writer *w, int map, int opcode, int reg, int source, int rm);
// Writes a vmovdqa between a register and vector number `vector` (-16 .. 127), counted from where
// `base` points.
void lc_write_move(lc_writer *w, int opcode, int reg, int base, int vector);

void lc_write_load_pointer(lc_writer *w, int reg, int base,
                           int offset_bytes);            // mov reg, [base + offset]
void lc_write_add(lc_writer *w, int reg, int32_t bytes); // add reg, bytes
void lc_write_test(lc_writer *w, int reg);               // test reg, reg
void lc_write_decrement(lc_writer *w, int reg);          // dec reg
void lc_write_return(lc_writer *w);                      // vzeroupper; ret

// Writes a jump if zero or if not zero. lc_set_jump sets its target, from the returned pointer.
enum { LC_JUMP_ZERO = 0x84, LC_JUMP_NOT_ZERO = 0x85 };
uint8_t *lc_write_jump(lc_writer *w, int condition);
void lc_set_jump(uint8_t *jump, const uint8_t *target);

#endif
