// What slabs of a board on several GPUs hand each other: rows, and a number that says that they are
// there (C and CUDA C).
#ifndef LC_KERNELS_SLABS_H
#define LC_KERNELS_SLABS_H

#include "cuda.h"

// Rows that lie one behind the other, from one place to another; either may be in another GPU's
// memory. Addresses and lengths are whole segments.
typedef struct lc_parcel {
    lc_u64 from, to;
    lc_u64 segments; // may be 0
    lc_u64 number;   // where to write that they have arrived; 0: nowhere
} lc_parcel;

#define LC_PARCELS_MAX 8 // of a launch

typedef struct lc_parcels {
    lc_parcel list[LC_PARCELS_MAX];
} lc_parcels;

#endif
