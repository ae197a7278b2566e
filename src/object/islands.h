// Divides cells that repeat themselves into objects: fate.h has the definition.
#ifndef LC_OBJECT_ISLANDS_H
#define LC_OBJECT_ISLANDS_H

#include "object/field.h"

// All phases of some cells: those of generations 0 to period - 1. After a period the cells have
// moved by (dx, dy).
typedef struct lc_phases {
    lc_live *at; // each sorted
    uint64_t period;
    int64_t dx, dy;
} lc_phases;

// Sets part_of[i] to the number, from 0, of the part that cell i of the first phase belongs to, and
// *parts to the number of parts. One part: the cells are one object, or no division was found.
// Returns LC_OK; LC_ERROR_LIMIT; LC_ERROR_MEMORY.
lc_status lc_phases_divide(const lc_phases *phases, const lc_field_rule *rule, uint32_t *part_of,
                           uint32_t *parts);

#endif
