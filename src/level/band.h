// One generation of a band, for any vector type: included by each level, which has defined
//
//   VEC                       the vector
//   V_ALL(u64)                a vector of equal 64-bit words
//   V_TOWARDS_HIGH(x, closed) the vector shifted by one bit as one string: bit b from bit b - 1;
//                             the first from the last if the strip is closed, otherwise 0
//   V_TOWARDS_LOW(x, closed)  bit b from bit b + 1
//   V_XOR(a, b), V_AND(a, b), V_OR(a, b)
//   V_MAJORITY(a, b, c)
//   V_XOR_AND(a, b, c)        a ^ (b & c)
//   V_NEXT_LIFE(odd_row, sa, ca, sb, cb, sc, cc, x)
//                             B3/S23 from three row sums and the centre
//   BAND_PAIR                 1: two columns of vectors at a time, 0: one (few registers)
//   CODE_COLUMNS              if there is a code generator: how many columns its groups have
//
// A cell's row sum is the number of live cells among itself and its left and right neighbour, in
// two bits: s (parity) and c (majority). Down a column the sums of the two rows above stay in
// registers, so each row is read and summed once.
#include <stdbool.h>

#include "level/level.h"

enum { ROWS = LC_BAND_ROWS };

// The inputs of one row of columns k .. k + n - 1: vectors k - 1 .. k + n.
typedef struct {
    VEC v[4];
} neighbours;

// Sums the n columns. Two columns share the exclusive or of their inner vectors. On a Zen 5 a
// three-input gate takes the ports of two two-input gates, so this saves 15 % of the whole over two
// parities.
INLINE void row_sums(int n, const neighbours *w, VEC *s, VEC *c)
{
    if (n == 2) {
        VEC middle = V_XOR(w->v[1], w->v[2]);
        s[0] = V_XOR(w->v[0], middle);
        s[1] = V_XOR(middle, w->v[3]);
        c[0] = V_MAJORITY(w->v[0], w->v[1], w->v[2]);
        c[1] = V_MAJORITY(w->v[3], w->v[1], w->v[2]);
    } else {
        s[0] = V_XOR(V_XOR(w->v[1], w->v[2]), w->v[0]);
        c[0] = V_MAJORITY(w->v[0], w->v[1], w->v[2]);
    }
}

INLINE VEC next_any(const uint64_t *any, VEC sa, VEC ca, VEC sb, VEC cb, VEC sc, VEC cc, VEC x)
{
    VEC p = V_XOR(V_XOR(sa, sb), sc), m = V_MAJORITY(sa, sb, sc);
    VEC pc = V_XOR(V_XOR(ca, cb), cc), mc = V_MAJORITY(ca, cb, cc);
    // q = m + pc + 2 * mc as a thermometer: at_least[j] is q >= j.
    VEC both = V_AND(m, pc), either = V_OR(m, pc), at_least[5];
    at_least[1] = V_OR(either, mc);
    at_least[2] = V_OR(both, mc);
    at_least[3] = V_AND(either, mc);
    at_least[4] = V_AND(both, mc);
    VEC value[2];
#pragma GCC unroll 2
    for (int parity = 0; parity < 2; parity++) {
        const uint64_t *dead = any + parity * 10, *flip = dead + 5;
        value[parity] = parity == 0 ? V_ALL(dead[0]) : V_XOR_AND(V_ALL(dead[0]), x, V_ALL(flip[0]));
#pragma GCC unroll 4
        for (int j = 1; j < 5; j++) {
            VEC selector = parity == 1 && j == 4 ? V_ALL(dead[j])
                                                 : V_XOR_AND(V_ALL(dead[j]), x, V_ALL(flip[j]));
            value[parity] = V_XOR_AND(value[parity], at_least[j], selector);
        }
    }
    return V_XOR_AND(value[0], p, V_XOR(value[0], value[1]));
}

// Steps columns k .. k + n - 1 of the band. `first` (`last`): they are at the left (right) end of
// the strip. `left` has the saved rows of column k - 1, which are already overwritten, and receives
// those of column k + n - 1. `start` has those of column 0.
INLINE void columns(int n, bool first, bool last, bool life, const lc_band *band, int k,
                    VEC left[2], const VEC start[2])
{
    int end = band->vectors;
    const VEC *in = (const VEC *)band->in + (size_t)k * ROWS;
    const VEC *in_left = first ? in + (size_t)(end - 1) * ROWS : in - ROWS;
    const VEC *in_right = last ? (const VEC *)band->in : in + (size_t)n * ROWS;
    VEC *saved = (VEC *)band->saved + (size_t)k * 2, *out = (VEC *)band->out + (size_t)k * ROWS;
    VEC sa[2], ca[2], sb[2], cb[2], x[2];
    bool closed = band->closed;
    neighbours w;
    for (int above = 0; above < 2; above++) {
        w.v[0] = first ? V_TOWARDS_HIGH(left[above], closed) : left[above];
        for (int i = 0; i < n; i++)
            w.v[1 + i] = saved[2 * i + above];
        w.v[n + 1] = last ? V_TOWARDS_LOW(start[above], closed) : saved[2 * n + above];
        row_sums(n, &w, above ? sb : sa, above ? cb : ca);
    }
    for (int above = 0; above < 2; above++)
        left[above] = saved[2 * (n - 1) + above];
    for (int i = 0; i < n; i++) {
        x[i] = saved[2 * i + 1];
        saved[2 * i] = in[i * ROWS + ROWS - 2];
        saved[2 * i + 1] = in[i * ROWS + ROWS - 1];
    }
#pragma GCC unroll 16
    for (int row = 0; row < ROWS; row++) {
        VEC sc[2], cc[2];
        w.v[0] = first ? V_TOWARDS_HIGH(in_left[row], closed) : in_left[row];
        for (int i = 0; i < n; i++)
            w.v[1 + i] = in[i * ROWS + row];
        w.v[n + 1] = last ? V_TOWARDS_LOW(in_right[row], closed) : in_right[row];
        row_sums(n, &w, sc, cc);
        for (int i = 0; i < n; i++) {
            out[i * ROWS + row] =
                life ? V_NEXT_LIFE(row % 2, sa[i], ca[i], sb[i], cb[i], sc[i], cc[i], x[i])
                     : next_any(band->any, sa[i], ca[i], sb[i], cb[i], sc[i], cc[i], x[i]);
            sa[i] = sb[i], ca[i] = cb[i], sb[i] = sc[i], cb[i] = cc[i], x[i] = w.v[1 + i];
        }
    }
}

INLINE void step(bool life, const lc_band *band)
{
    int end = band->vectors, k = 0;
    const VEC *saved = band->saved;
    VEC start[2] = {saved[0], saved[1]}, left[2] = {saved[2 * end - 2], saved[2 * end - 1]};
    if (end == 1) {
        columns(1, true, true, life, band, 0, left, start);
        return;
    }
    if (!BAND_PAIR) {
        columns(1, true, false, life, band, k++, left, start);
        for (; k < end - 1; k++)
            columns(1, false, false, life, band, k, left, start);
        columns(1, false, true, life, band, k, left, start);
        return;
    }
    if (end == 2) {
        columns(2, true, true, life, band, 0, left, start);
        return;
    }
    columns(2, true, false, life, band, 0, left, start);
    for (k = 2; k < end - 2; k += 2)
        columns(2, false, false, life, band, k, left, start);
    if (k == end - 2)
        columns(2, false, true, life, band, k, left, start);
    else
        columns(1, false, true, life, band, k, left, start);
}

// Sums all rows of a column before it computes any row, because the last row is a neighbour of the
// first.
INLINE void ribbon(bool life, const lc_ribbon *r)
{
    const int rows = r->rows, last = r->vectors - 1;
    const VEC none = V_ALL(0);
    for (int k = 0; k <= last; k++) {
        const VEC *in = (const VEC *)r->in + (size_t)k * ROWS;
        const VEC *in_left = k == 0 ? in + (size_t)last * ROWS : in - ROWS;
        const VEC *in_right = k == last ? (const VEC *)r->in : in + ROWS;
        VEC *out = (VEC *)r->out + (size_t)k * ROWS, s[ROWS], c[ROWS];
        neighbours w;
        for (int row = 0; row < rows; row++) {
            w.v[0] = k == 0 ? V_TOWARDS_HIGH(in_left[row], r->closed) : in_left[row];
            w.v[1] = in[row];
            w.v[2] = k == last ? V_TOWARDS_LOW(in_right[row], r->closed) : in_right[row];
            row_sums(1, &w, &s[row], &c[row]);
        }
        VEC sa = r->joined ? s[rows - 1] : none, ca = r->joined ? c[rows - 1] : none;
        VEC below_s = r->joined ? s[0] : none, below_c = r->joined ? c[0] : none;
        for (int row = 0; row < rows; row++) {
            const VEC sb = s[row], cb = c[row];
            const VEC sc = row + 1 < rows ? s[row + 1] : below_s;
            const VEC cc = row + 1 < rows ? c[row + 1] : below_c;
            out[row] = life ? V_NEXT_LIFE(false, sa, ca, sb, cb, sc, cc, in[row])
                            : next_any(r->any, sa, ca, sb, cb, sc, cc, in[row]);
            sa = sb, ca = cb;
        }
    }
}

static void ribbon_life(const lc_ribbon *r)
{
    ribbon(true, r);
}

static void ribbon_any(const lc_ribbon *r)
{
    ribbon(false, r);
}

static void step_life(const lc_band *band)
{
    step(true, band);
}

static void step_any(const lc_band *band)
{
    step(false, band);
}

#ifdef CODE_COLUMNS
static void step_code(const lc_band *band)
{
    size_t columns = (size_t)band->vectors, last = columns - 1;
    const VEC *saved = band->saved;
    VEC start[2] = {saved[0], saved[1]}, left[2] = {saved[2 * last], saved[2 * last + 1]};
    VEC ends = V_ALL(band->closed ? UINT64_MAX : 0);
    bool all_in_one = columns <= CODE_COLUMNS, odd = columns % CODE_COLUMNS != 0;
    lc_code_shape shape = all_in_one
                              ? (columns == 1 ? LC_CODE_ONE : LC_CODE_TWO)
                              : (CODE_COLUMNS == 1 || odd ? LC_CODE_LAST_ONE : LC_CODE_LAST_TWO);
    lc_code_work work = {
        .in = band->in,
        .saved = band->saved,
        .out = band->out,
        .left = left,
        .start = start,
        .last = (const VEC *)band->in + last * ROWS,
        .first = band->in,
        .middle = all_in_one ? 0 : (columns - 1) / CODE_COLUMNS - 1,
        .ends = &ends,
    };
    band->code->step[shape](&work);
}
#endif
