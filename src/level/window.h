// Windows of tiles (lc_window in level.h), for any vector of 64-bit lanes: included by each level,
// after band.h and what that wants, and
//
//   LANES                            64-bit lanes in a VEC
//   V_TURN_HIGH(x), V_TURN_LOW(x)    each lane turned by one bit: bit b from bit b - 1 (b + 1), and
//                                    the end from the other end
//   V_LANE_ABOVE(x), V_LANE_BELOW(x) lane q from lane q - 1 (q + 1), and the end from the other end
//   WINDOW_OWN_TILES                 the level defines window_load and window_store itself
//
// A row of the window is a lane. Lane q of vector v is row q * VECTORS + v, so that the rows above
// and below are in the vectors beside it, and only the first and last vector need lanes moved. Rows
// and columns are turned round the window's ends: what comes in there is wrong, and spoils a cell
// more in each generation. The middle is 16 cells away from it.
#include <string.h>

#include "base/ones.h"
#include "level/level.h"

enum { VECTORS = 64 / LANES };

typedef struct {
    VEC row[VECTORS];
} window_rows;

#ifdef WINDOW_OWN_TILES
INLINE void window_load(window_rows *w, const lc_window *window);
INLINE lc_window_change window_store(const window_rows *w, uint32_t *middle);
#else
INLINE void window_load(window_rows *w, const lc_window *window)
{
    uint64_t rows[64];
    for (int side = 0; side < 4; side += 2) {
        const uint32_t *left = window->tiles[side], *right = window->tiles[side + 1];
        for (int i = 0; i < LC_TILE_WORDS; i++) {
            const int y = lc_tile_row(i) + 16 * side;
            rows[y % VECTORS * LANES + y / VECTORS] = left[i] | (uint64_t)right[i] << 32;
        }
    }
    memcpy(w, rows, sizeof rows);
}

INLINE lc_window_change window_store(const window_rows *w, uint32_t *middle)
{
    uint64_t rows[64], changed = 0;
    uint64_t before = 0, after = 0;
    memcpy(rows, w, sizeof rows);
    for (int i = 0; i < LC_TILE_WORDS; i += 2) {
        uint64_t two = 0, old;
        for (int k = 0; k < 2; k++) {
            const int y = 16 + lc_tile_row(i + k);
            two |= (rows[y % VECTORS * LANES + y / VECTORS] >> 16 & UINT32_MAX) << (32 * k);
        }
        old = middle[i] | (uint64_t)middle[i + 1] << 32;
        changed |= two ^ old;
        before += lc_ones(old);
        after += lc_ones(two);
        middle[i] = (uint32_t)two;
        middle[i + 1] = (uint32_t)(two >> 32);
    }
    return (lc_window_change){changed != 0, (int32_t)((int64_t)after - (int64_t)before)};
}
#endif

// Sums of a row: parity and majority of each cell and its neighbours to the left and right.
INLINE void window_sums(VEC x, VEC *s, VEC *c)
{
    const VEC left = V_TURN_HIGH(x), right = V_TURN_LOW(x);
    *s = V_XOR(V_XOR(left, right), x);
    *c = V_MAJORITY(x, left, right);
}

INLINE void window_generation(bool life, const uint64_t *any, window_rows *w)
{
    VEC sa, ca, sb, cb, s0, c0;
    window_sums(w->row[VECTORS - 1], &sa, &ca);
    const VEC last_s = sa, last_c = ca;
    sa = V_LANE_ABOVE(sa), ca = V_LANE_ABOVE(ca);
    window_sums(w->row[0], &sb, &cb);
    s0 = V_LANE_BELOW(sb), c0 = V_LANE_BELOW(cb);
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++) {
        VEC sc = s0, cc = c0;
        if (v == VECTORS - 2)
            sc = last_s, cc = last_c;
        else if (v < VECTORS - 2)
            window_sums(w->row[v + 1], &sc, &cc);
        w->row[v] = life ? V_NEXT_LIFE(v % 2, sa, ca, sb, cb, sc, cc, w->row[v])
                         : next_any(any, sa, ca, sb, cb, sc, cc, w->row[v]);
        sa = sb, ca = cb, sb = sc, cb = cc;
    }
}

INLINE lc_window_change step_window(bool life, const lc_window *window)
{
    window_rows w;
    window_load(&w, window);
    for (int i = 0; i < window->generations; i++)
        window_generation(life, window->any, &w);
    return window_store(&w, window->middle);
}

static lc_window_change window_life(const lc_window *window)
{
    return step_window(true, window);
}

static lc_window_change window_any(const lc_window *window)
{
    return step_window(false, window);
}
