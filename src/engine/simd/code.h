// Machine code for one rule: the step kernel of a level, put together at run time from the rule's
// network of gates, because a gate's table is part of the instruction. A kernel compiled for any
// rule needs three times the gates.
#ifndef LC_ENGINE_SIMD_CODE_H
#define LC_ENGINE_SIMD_CODE_H

#include "lightcone/status.h"
#include "rule/network.h"

// What the code for one generation of a band (see simd.h) is called with. Columns go two by two from the
// left. A column's saved rows are overwritten as soon as it is done, and the column to its right
// wants the old ones: `left` hands them on, and `start` keeps those of column 0 for the last.
typedef struct lc_code_work {
    const void *in;         // [K][LC_BAND_ROWS] vectors
    void *saved;            // [K][2]
    void *out;              // [K][LC_BAND_ROWS]
    void *left;             // [2]: at first the saved rows of the last column; scratch
    const void *start;      // [2]: the saved rows of column 0
    const void *last;       // the last column of `in`
    const void *first;      // `in`
    uintptr_t middle_pairs; // pairs of columns that are at neither end
    const void *ends;       // one vector: all ones if the strip is closed, else zero
} lc_code_work;

// How the columns of a band are divided. EVEN: from four on, pairs; ODD: from three on, pairs and one.
typedef enum { LC_CODE_ONE, LC_CODE_TWO, LC_CODE_EVEN, LC_CODE_ODD, LC_CODE_SHAPES } lc_code_shape;

typedef struct lc_code {
    void *memory;
    size_t size_bytes;
    void (*step[LC_CODE_SHAPES])(const lc_code_work *);
} lc_code;

// LC_ERROR_UNSUPPORTED: not for this kind of CPU; LC_ERROR_SYSTEM: the system gives no executable
// memory; LC_ERROR_LIMIT: the network needs more registers than there are. On error *code is
// cleared, and the kernel for any rule does as well, only slower.
lc_status lc_code_create(lc_code *code, const lc_network *network);
void lc_code_free(lc_code *code);

#endif
