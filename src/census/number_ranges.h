// Sets of numbers, as ranges.
#ifndef LC_CENSUS_NUMBER_RANGES_H
#define LC_CENSUS_NUMBER_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers first .. end - 1; first < end.
typedef struct lc_number_range {
    uint64_t first, end;
} lc_number_range;

// Ranges rise and do not touch each other. All zeros is the empty set.
typedef struct lc_number_ranges {
    lc_number_range *at;
    size_t count, room;
} lc_number_ranges;

void lc_ranges_free(lc_number_ranges *ranges);

// Makes room for `more` calls of lc_ranges_add. Returns false if out of memory.
bool lc_ranges_reserve(lc_number_ranges *ranges, size_t more);

// Adds a range, for which there is room.
void lc_ranges_add(lc_number_ranges *ranges, lc_number_range range);

// Returns how many numbers there are.
uint64_t lc_ranges_size(const lc_number_ranges *ranges);

// Returns the first number of `a` that is in `b`, too; UINT64_MAX: there is none.
uint64_t lc_ranges_common(const lc_number_ranges *a, const lc_number_ranges *b);

// Returns whether all numbers of `b` are in `a`.
bool lc_ranges_contain(const lc_number_ranges *a, const lc_number_ranges *b);

// Sets *out, which is empty, to the numbers of `a` that are not in `b`. Returns false if out of
// memory; then *out is empty.
bool lc_ranges_subtract(lc_number_ranges *out, const lc_number_ranges *a,
                        const lc_number_ranges *b);

#endif
