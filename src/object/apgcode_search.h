// Apgcodes: the names that Catagolue gives to objects, such as xq4_153.
//
//     xs4_33      still life of 4 live cells
//     xp2_7       oscillator of period 2
//     xq4_153     spaceship of period 4
//
// Behind the '_' stand the cells in the extended Wechsler form (pattern/apgcode.c reads it). An
// object has many phases and orientations. Its code is the shortest text of all of them, and of
// equally long ones the first in the order of ASCII.
#ifndef LC_OBJECT_APGCODE_SEARCH_H
#define LC_OBJECT_APGCODE_SEARCH_H

#include "lightcone/rule.h"
#include "object/live.h"

// The search for the shortest text.
typedef struct lc_apgcode_search {
    char *text; // the best so far, without prefix; NULL: none yet
    size_t length;
    char *other; // memory for the next text
    size_t room; // of both, in bytes
    uint8_t *columns;
    size_t column_room;
} lc_apgcode_search;

// Compares the texts of a phase, in every orientation that is a symmetry of the rule, with the best
// one so far. The list is sorted and not empty. Returns LC_OK; LC_ERROR_LIMIT (the phase is too
// large for a code: LC_APGCODE_BYTES_MAX); LC_ERROR_MEMORY.
lc_status lc_apgcode_add_phase(lc_apgcode_search *search, const lc_live *phase, unsigned symmetry);

// Returns the code with its prefix, which the caller frees with lc_free; NULL: out of memory.
// `population` counts for still lifes, `period` for the others.
char *lc_apgcode_finish(const lc_apgcode_search *search, uint64_t population, uint64_t period,
                        bool moves);
void lc_apgcode_free(lc_apgcode_search *search);

enum { LC_APGCODE_BYTES_MAX = 1 << 16 };

#endif
