// The names of the objects that a group of cells consists of.
//
// Each group of cells that was seen before is found in a table, so its future need not be computed
// again.
#ifndef LC_CENSUS_OBJECT_NAMES_H
#define LC_CENSUS_OBJECT_NAMES_H

#include "census/kinds.h"
#include "lightcone/context.h"
#include "object/fate.h"

enum { LC_GROUP_CELLS = 64 }; // the side of the largest group that the table holds

// Objects of one kind.
typedef struct lc_named {
    uint32_t kind; // in lc_object_names.kinds
    uint32_t count;
} lc_named;

// All zeros is an empty list.
typedef struct lc_named_list {
    lc_named *at;
    size_t count, room;
} lc_named_list;

// Adds objects of a kind. Returns false if out of memory.
bool lc_named_add(lc_named_list *list, uint32_t kind, uint32_t count);
// Adds the objects of another list. Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_named_add_all(lc_named_list *list, const lc_named_list *more);

// Cells in a box of at most 64 x 64: bit x of row y is a cell. The first row and the first column
// have live cells.
typedef struct lc_group {
    int width, height;
    uint64_t rows[LC_GROUP_CELLS];
} lc_group;

typedef struct lc_known_group lc_known_group;

typedef struct lc_object_names {
    lc_fates fates;
    lc_kinds kinds;
    lc_known_group **table;
    size_t count, room;
    lc_context *context; // lent: for cells that do not repeat themselves
} lc_object_names;

// Returns LC_OK; LC_ERROR_UNSUPPORTED (a rule with B0). The rule outlives the structure.
lc_status lc_object_names_init(lc_object_names *names, const lc_rule *rule, lc_context *context,
                               lc_message *message);
void lc_object_names_free(lc_object_names *names);

// Appends the objects of the group to a list. Periods of up to `limit` are found. Cells that do not
// repeat themselves have a name by their growth (growth_name.h). Returns LC_OK; LC_ERROR_MEMORY; or
// an error of lc_growth_name.
lc_status lc_name_group(lc_named_list *list, lc_object_names *names, const lc_group *group,
                        uint64_t limit, lc_message *message);
// The same, but appends nothing if the cells do not repeat themselves. Sets *repeats to whether
// they do.
lc_status lc_name_repeating_group(lc_named_list *list, lc_object_names *names,
                                  const lc_group *group, uint64_t limit, bool *repeats);
// The same as lc_name_group for a sorted list of cells.
lc_status lc_name_cells(lc_named_list *list, lc_object_names *names, const lc_live *cells,
                        uint64_t limit, lc_message *message);

// Appends a single object: cells that do not repeat themselves.
lc_status lc_name_growth(lc_named_list *list, lc_object_names *names, const lc_live *cells,
                         lc_message *message);

#endif
