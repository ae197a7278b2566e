// Machine code for one rule: the step kernels of a level, generated at run time from the rule's
// network of gates, because a gate's table is part of the instruction. A kernel compiled for any
// rule needs three times the gates.
//
//     code_program.c   the network as a list of operations on values, for one group of columns of a
//                      band, or for one generation of a window
//     code_x86.c       registers for the values, and the kernel round the groups
//     code_encode.c    instructions as bytes
//     code_cache.c     rules whose code was written before
#ifndef LC_LEVEL_CODE_H
#define LC_LEVEL_CODE_H

#include "lightcone/status.h"
#include "logic/network.h"

typedef enum lc_code_target {
    LC_CODE_AVX2,   // two-input operations, columns one by one
    LC_CODE_AVX512, // three-input gates, columns two by two
} lc_code_target;

// The argument of the code for one generation of a band (level.h). The code steps groups of columns
// from left to right. It overwrites a column's saved rows as soon as that column is done, but the
// column to the right needs the old ones: `left` passes them on, and `start` keeps those of column
// 0 for the last column.
typedef struct lc_code_work {
    const void *in;    // [K][LC_BAND_ROWS] vectors
    void *saved;       // [K][2]
    void *out;         // [K][LC_BAND_ROWS]
    void *left;        // [2]: at first the saved rows of the last column; scratch
    const void *start; // [2]: the saved rows of column 0
    const void *last;  // the last column of `in`
    const void *first; // `in`
    uintptr_t middle;  // number of groups of columns between the first and the last
    const void *ends;  // one vector: all ones if the strip is closed, otherwise zero
} lc_code_work;

// How the columns of a band are divided into groups: a single group, or a first group, `middle`
// others and a last one. The last is a single column, or as large as the others. (With groups of
// one column these are the same.)
typedef enum {
    LC_CODE_ONE,
    LC_CODE_TWO,
    LC_CODE_LAST_ONE,
    LC_CODE_LAST_TWO,
    LC_CODE_SHAPES
} lc_code_shape;

// The number of scratch vectors behind the rows of a window or a column.
enum { LC_CODE_ROWS_SCRATCH = 4 };

// Steps rows, laid out as in window.h, by one generation.
typedef void lc_code_rows(void *rows);

typedef struct lc_code {
    void *memory;
    size_t size_bytes;
    void (*step[LC_CODE_SHAPES])(const lc_code_work *); // lc_code_create
    lc_code_rows *window, *column;                      // lc_code_create_windows
} lc_code;

// Generates the code for bands. LC_ERROR_UNSUPPORTED (another CPU architecture); LC_ERROR_SYSTEM
// (no executable memory); LC_ERROR_LIMIT (the network needs too many registers); LC_ERROR_MEMORY.
// On error *code is cleared, and the caller uses the slower kernel for any rule.
lc_status lc_code_create(lc_code *code, lc_code_target target, const lc_network *network);
// Generates the code for windows and columns in the same way.
lc_status lc_code_create_windows(lc_code *code, lc_code_target target, const lc_network *network);
void lc_code_free(lc_code *code);

// Returns the code of a rule, from the cache (base/cache.h; NULL: none). The caller calls
// lc_cache_release when no thread runs the code any more. NULL: lc_code_create failed.
const lc_code *lc_code_get(lc_cache *cache, lc_code_target target, lc_counts counts);
// Returns the code for windows and columns in the same way. Without `may_search` it returns NULL if
// lc_network_build_briefly does not find the rule's gates.
const lc_code *lc_code_get_windows(lc_cache *cache, lc_code_target target, lc_counts counts,
                                   bool may_search);

#endif
