// Halo exchange between slabs of a board on several GPUs: rows, and a number that confirms their
// arrival (C and CUDA C).
#ifndef LC_KERNELS_SLABS_H
#define LC_KERNELS_SLABS_H

#include "cuda.h"

// Consecutive rows to copy. Source and target may be in another GPU's memory. Addresses and lengths
// are whole segments.
typedef struct lc_parcel {
    lc_u64 from, to;
    lc_u64 segments; // may be 0
    lc_u64 number;   // address of the number that confirms arrival; 0: none
} lc_parcel;

#define LC_PARCELS_MAX 8 // per launch

typedef struct lc_parcels {
    lc_parcel list[LC_PARCELS_MAX];
} lc_parcels;

#endif
