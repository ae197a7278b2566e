// A group of columns, or a generation of a window, as a list of operations on values. Each value is
// set once.
#ifndef LC_LEVEL_CODE_PROGRAM_H
#define LC_LEVEL_CODE_PROGRAM_H

#include <stdbool.h>

#include "level/code.h"

// Enough for a network of LC_NETWORK_GATES_MAX gates: AVX-512 has at most 34 operations a row and
// two columns, and 9 for each of 18 rows' sums; AVX2 four for each gate and 3 a row, and 8 for the
// sums; that, and 3 more, for each of the 32 vectors of a column of windows.
enum { LC_OPS_MAX = 1792, LC_VALUES_MAX = LC_OPS_MAX };

typedef enum {
    LC_OP_LOAD,
    LC_OP_STORE,
    LC_OP_GATE,    // three operands
    LC_OP_AND,     // two
    LC_OP_AND_NOT, // not the first, and the second
    LC_OP_OR,
    LC_OP_XOR,
    LC_OP_ONES,       // none
    LC_OP_SHIFT_HIGH, // one: V_TOWARDS_HIGH of band.h
    LC_OP_SHIFT_LOW,
    LC_OP_TURN_HIGH, // one: V_TURN_HIGH of window.h
    LC_OP_TURN_LOW,
    LC_OP_LANE_ABOVE, // one: V_LANE_ABOVE of window.h
    LC_OP_LANE_BELOW,
} lc_op_kind;

// Base pointers of loads and stores: the members of lc_code_work, in order, or a window's rows.
enum {
    LC_FIELD_IN,
    LC_FIELD_SAVED,
    LC_FIELD_OUT,
    LC_FIELD_LEFT,
    LC_FIELD_START,
    LC_FIELD_LAST,
    LC_FIELD_FIRST,
    LC_FIELD_MIDDLE,
    LC_FIELD_ENDS,
    LC_FIELDS,
    LC_FIELD_ROWS = LC_FIELDS,
};

typedef struct lc_op {
    lc_op_kind kind;
    uint8_t table;      // GATE
    uint8_t field;      // LOAD, STORE: which pointer
    int8_t vector;      // LOAD, STORE: which vector from there
    int16_t result;     // all but STORE
    int16_t operand[3]; // values
} lc_op;

typedef struct lc_program {
    lc_op ops[LC_OPS_MAX];
    int count, values;
    int last_use[LC_VALUES_MAX]; // index of an operation; -1: never used
} lc_program;

int lc_op_operands(const lc_op *op);

// Builds the program for `columns` (1 or 2) adjacent columns. LC_FIELD_IN, _SAVED and _OUT point at
// the first column. `first`: at the left end of the strip; `last`: at the right end.
void lc_program_build(lc_program *program, lc_code_target target, int columns, bool first,
                      bool last, const lc_network *network);

// Builds the program for one generation of a window or column of that many vectors, in place.
void lc_program_build_rows(lc_program *program, lc_code_target target, int vectors,
                           const lc_network *network);

#endif
