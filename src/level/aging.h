// Dying cells and cells with a history (lc_aging), for any vector type: included by each level,
// which has defined VEC, V_ALL, V_XOR, V_AND, V_OR and V_AND_NOT(a, b) (a and not b).
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
        VEC *counters = (VEC *)a->others + (size_t)k * (size_t)planes * LC_BAND_ROWS;
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

// A marked cell stays marked, and keeps its history while it is alive. Another cell gets a history
// when it dies, and loses it when it is born.
static void remember(const lc_aging *a)
{
    for (int k = 0; k < a->vectors; k++) {
        const VEC *in = (const VEC *)a->in + (size_t)k * LC_BAND_ROWS;
        const VEC *killed =
            a->killed != NULL ? (const VEC *)a->killed + (size_t)k * LC_BAND_ROWS : NULL;
        VEC *out = (VEC *)a->out + (size_t)k * LC_BAND_ROWS;
        VEC *saved = (VEC *)a->saved + (size_t)k * 2;
        VEC *marks = (VEC *)a->others + (size_t)k * 2 * LC_BAND_ROWS;
        VEC *histories = marks + LC_BAND_ROWS;
        VEC alive = ((const VEC *)a->above)[k], marked = saved[0], history = saved[1];
        for (int row = 0; row < LC_BAND_ROWS; row++) {
            const VEC both = V_AND(marked, history), kills = V_AND_NOT(both, alive);
            VEC next = V_AND_NOT(out[row], kills);
            if (killed != NULL)
                next = V_AND_NOT(next, V_AND(alive, killed[row]));
            const VEC kept = V_AND(both, V_OR(next, kills));
            const VEC others = V_AND_NOT(V_AND_NOT(V_OR(history, alive), next), marked);
            out[row] = next;
            alive = in[row];
            const VEC marked_below = marks[row], history_below = histories[row];
            marks[row] = marked;
            histories[row] = V_OR(kept, others);
            marked = marked_below;
            history = history_below;
        }
        saved[0] = marked;
        saved[1] = history;
    }
}
