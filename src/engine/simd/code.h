// Machine code for one rule: the step kernel of a level, put together at run time from the rule's
// network of gates, because a gate's table is part of the instruction. A kernel compiled for any
// rule needs three times the gates.
#ifndef LC_ENGINE_SIMD_CODE_H
#define LC_ENGINE_SIMD_CODE_H

#include "lightcone/status.h"
#include "rule/network.h"

// One generation of one or two neighbouring columns of a band (see simd.h): what the code is called
// with. Column k's saved rows are read and then overwritten with its last two; the old ones of the
// last column go to left_next, where the call for the columns to the right finds them as
// left_saved.
typedef struct lc_columns {
    const void *left_saved, *left;   // [2] and [LC_BAND_ROWS] vectors: the column to the left
    void *saved;                     // [columns][2]
    const void *in;                  // [columns][LC_BAND_ROWS]
    const void *right_saved, *right; // the column to the right
    void *out;                       // [columns][LC_BAND_ROWS]
    void *left_next;                 // [2]; may be left_saved
} lc_columns;

typedef void lc_columns_code(const lc_columns *columns);

typedef struct lc_code {
    void *memory;
    size_t size_bytes;
    // [columns - 1][first][last]: `first` columns have the strip's last vector to their left, and
    // `last` ones its first to their right, which the code shifts by one bit.
    lc_columns_code *columns[2][2][2];
} lc_code;

// LC_ERROR_UNSUPPORTED: not for this kind of CPU; LC_ERROR_SYSTEM: the system gives no executable
// memory; LC_ERROR_LIMIT: the network needs more registers than there are. On error *code is
// cleared, and the kernel for any rule does as well, only slower.
lc_status lc_code_create(lc_code *code, const lc_network *network);
void lc_code_free(lc_code *code);

#endif
