// Machine code for one rule: the step kernels of a level, put together at run time from the rule's
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

// What the code for one generation of a band (level.h) is called with. Columns go in groups from
// the left. A column's saved rows are overwritten as soon as it is done, and the column to its
// right wants the old ones: `left` hands them on, and `start` keeps those of column 0 for the last.
typedef struct lc_code_work {
    const void *in;    // [K][LC_BAND_ROWS] vectors
    void *saved;       // [K][2]
    void *out;         // [K][LC_BAND_ROWS]
    void *left;        // [2]: at first the saved rows of the last column; scratch
    const void *start; // [2]: the saved rows of column 0
    const void *last;  // the last column of `in`
    const void *first; // `in`
    uintptr_t middle;  // groups of columns that are at neither end
    const void *ends;  // one vector: all ones if the strip is closed, else zero
} lc_code_work;

// How the columns of a band are divided: all of them one group, or a first group, `middle` others
// and a last one; the last is a single column, or as large as the others. (One by one it always
// is.)
typedef enum {
    LC_CODE_ONE,
    LC_CODE_TWO,
    LC_CODE_LAST_ONE,
    LC_CODE_LAST_TWO,
    LC_CODE_SHAPES
} lc_code_shape;

// What is behind the rows of a window or a column is scratch: so many vectors.
enum { LC_CODE_ROWS_SCRATCH = 4 };

// One generation of rows as they lie in window.h.
typedef void lc_code_rows(void *rows);

typedef struct lc_code {
    void *memory;
    size_t size_bytes;
    void (*step[LC_CODE_SHAPES])(const lc_code_work *); // lc_code_create
    lc_code_rows *window, *column;                      // lc_code_create_windows
} lc_code;

// LC_ERROR_UNSUPPORTED: not for this kind of CPU; LC_ERROR_SYSTEM: the system gives no executable
// memory; LC_ERROR_LIMIT: the network needs more registers than there are. On error *code is
// cleared, and the kernel for any rule does as well, only slower.
lc_status lc_code_create(lc_code *code, lc_code_target target, const lc_network *network);
// The same for windows and columns.
lc_status lc_code_create_windows(lc_code *code, lc_code_target target, const lc_network *network);
void lc_code_free(lc_code *code);

// The code of a rule, from the cache (base/cache.h; NULL: none); lc_cache_release when no thread
// runs it any more. NULL where lc_code_create fails.
const lc_code *lc_code_get(lc_cache *cache, lc_code_target target, lc_counts counts);
// The same for windows and columns; if not `may_search`, only where lc_network_build_briefly finds
// the rule's gates.
const lc_code *lc_code_get_windows(lc_cache *cache, lc_code_target target, lc_counts counts,
                                   bool may_search);

#endif
