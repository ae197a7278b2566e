// Counts of kinds of objects, by name.
#ifndef LC_CENSUS_KINDS_H
#define LC_CENSUS_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LC_KIND_SAMPLES = 10 }; // the first soups in which a kind occurs

typedef struct lc_kind {
    char *name; // an apgcode, or apgsearch's name for something else
    uint64_t count;
    uint64_t samples[LC_KIND_SAMPLES]; // numbers of soups, rising
    int sample_count;
} lc_kind;

// All zeros is an empty list. The number of a kind is its place in the list.
typedef struct lc_kinds {
    lc_kind *at;
    size_t count, room;
    uint32_t *table; // by hash: number + 1; 0: empty
    size_t table_room;
} lc_kinds;

void lc_kinds_free(lc_kinds *kinds);

// Returns the number of the kind of that name, which is added if it is new; UINT32_MAX: out of
// memory.
uint32_t lc_kinds_number(lc_kinds *kinds, const char *name);

// Returns the kind of that name; NULL: not in the list.
const lc_kind *lc_kinds_find(const lc_kinds *kinds, const char *name);

// Counts objects of a kind in one soup.
void lc_kinds_add(lc_kinds *kinds, uint32_t number, uint64_t count, uint64_t soup);

// Adds the names of another list's kinds with a count, so that lc_kinds_add_counts cannot fail.
// Returns false if out of memory.
bool lc_kinds_add_names(lc_kinds *kinds, const lc_kinds *more);
// Adds the counts and samples of another list, whose names are there.
void lc_kinds_add_counts(lc_kinds *kinds, const lc_kinds *more);

// Sets all counts to 0. The kinds keep their numbers.
void lc_kinds_clear_counts(lc_kinds *kinds);

#endif
