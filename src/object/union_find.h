// Sets of numbers that are joined step by step. up[i] is another number of the same set, or i for
// the set's root, which is its smallest number.
#ifndef LC_OBJECT_UNION_FIND_H
#define LC_OBJECT_UNION_FIND_H

#include <stdbool.h>
#include <stdint.h>

// Returns the root of the set that i belongs to. Shortens the way to it.
static inline uint32_t lc_set_root(uint32_t *up, uint32_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

// Joins the sets of a and b. Returns false if they were one set already.
static inline bool lc_set_join(uint32_t *up, uint32_t a, uint32_t b)
{
    a = lc_set_root(up, a);
    b = lc_set_root(up, b);
    up[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

// Sets number[i] to the number of the set that i belongs to, for i below `count`. Sets are numbered
// from 0 in the order of their roots. Returns how many there are.
static inline uint32_t lc_set_number(uint32_t *up, uint32_t count, uint32_t *number)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t root = lc_set_root(up, i);
        number[i] = root == i ? sets++ : number[root];
    }
    return sets;
}

#endif
