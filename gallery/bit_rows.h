// What the designs with eight cells a byte on the CPU share (bits_cpu.c, words_cpu.c, table_cpu.c).
//
//     byte i of a row     cells 8 i .. 8 i + 7, the first in the highest bit
//
// So shifting a byte to the left moves its cells to the left, and what comes in from the right is
// what lies to the right. Rows follow each other without ghosts: the torus is made by wrapping
// indices.
#ifndef LC_GALLERY_BIT_ROWS_H
#define LC_GALLERY_BIT_ROWS_H

#include "cpu_design.h"

#define LC_CB_KNOB(unit)                                                                           \
    {                                                                                              \
        "cb", "consecutive " unit " done before registers are reloaded", 128,                      \
            LC_KNOB_VALUES(1, 2, 4, 8, 16, 32, 64, 128)                                            \
    }

typedef struct lc_bit_rows {
    const uint8_t *above, *here, *below;
    uint8_t *next; // where `here` goes
} lc_bit_rows;

static inline lc_bit_rows lc_bit_rows_at(const lc_cpu_run *run, int64_t y)
{
    const int64_t height = run->board.height, pitch = run->layout.pitch_bytes;
    return (lc_bit_rows){
        .above = run->cells + (y > 0 ? y - 1 : height - 1) * pitch,
        .here = run->cells + y * pitch,
        .below = run->cells + (y + 1 < height ? y + 1 : 0) * pitch,
        .next = run->next + y * pitch,
    };
}

// What is to the left and right of item x of a row.
static inline int64_t lc_left_of(int64_t x, int64_t count)
{
    return x > 0 ? x - 1 : count - 1;
}

static inline int64_t lc_right_of(int64_t x, int64_t count)
{
    return x + 1 < count ? x + 1 : 0;
}

#endif
