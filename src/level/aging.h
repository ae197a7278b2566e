// Ages the dying cells of a band (lc_aging), for any vector type: included by each level, which has
// defined VEC, V_ALL, V_XOR, V_AND, V_OR, V_AND_NOT(a, b) (a and not b) and V_XOR_AND(a, b, c).
//
// All dying cells count at the same time: a half adder for each bit of the counters, whose first
// carry is whether the cell is dying.
#include "level/level.h"

INLINE void age_planes(int planes, const lc_aging *a)
{
    VEC start[LC_AGING_PLANES_MAX];
    for (int p = 0; p < planes; p++)
        start[p] = V_ALL((a->start >> p & 1) != 0 ? UINT64_MAX : 0);
    for (int k = 0; k < a->vectors; k++) {
        const VEC *in = (const VEC *)a->in + (size_t)k * LC_BAND_ROWS;
        VEC *out = (VEC *)a->out + (size_t)k * LC_BAND_ROWS;
        VEC *saved = (VEC *)a->saved + (size_t)k * (size_t)planes;
        VEC *counters = (VEC *)a->counters + (size_t)k * (size_t)planes * LC_BAND_ROWS;
        VEC alive = ((const VEC *)a->above)[k], counter[LC_AGING_PLANES_MAX];
#pragma GCC unroll 8
        for (int p = 0; p < planes; p++)
            counter[p] = saved[p];
        for (int row = 0; row < LC_BAND_ROWS; row++) {
            VEC dying = counter[0];
#pragma GCC unroll 8
            for (int p = 1; p < planes; p++)
                dying = V_OR(dying, counter[p]);
            const VEC next = V_AND_NOT(out[row], dying), dies = V_AND_NOT(alive, next);
            VEC carry = dying;
            out[row] = next;
            alive = in[row];
#pragma GCC unroll 8
            for (int p = 0; p < planes; p++) {
                VEC *at = &counters[p * LC_BAND_ROWS + row];
                const VEC below = *at, counted = V_XOR(counter[p], carry);
                carry = V_AND(counter[p], carry);
                *at = V_OR(counted, V_AND(dies, start[p]));
                counter[p] = below;
            }
        }
#pragma GCC unroll 8
        for (int p = 0; p < planes; p++)
            saved[p] = counter[p];
    }
}

static void age(const lc_aging *a)
{
    switch (a->planes) {
    case 1:
        age_planes(1, a);
        break;
    case 2:
        age_planes(2, a);
        break;
    case 3:
        age_planes(3, a);
        break;
    case 4:
        age_planes(4, a);
        break;
    case 5:
        age_planes(5, a);
        break;
    case 6:
        age_planes(6, a);
        break;
    case 7:
        age_planes(7, a);
        break;
    default:
        age_planes(8, a);
        break;
    }
}
