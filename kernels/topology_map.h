// Maps coordinates beyond the edges to cells, for all topologies (C and CUDA C).
//
// The unbounded plane is divided into copies of width x height. Copy (0, 0) is the universe. Each
// other copy shows it moved by an element of the topology's group: p1 (torus), pg (Klein bottle),
// pgg (cross-surface), p4 (sphere). Mapping a coordinate applies the group until the coordinate
// lies in copy (0, 0):
//
//      torus, pg, pgg                              sphere (p4)
//      +-----+-----+-----+                        +-----+-----+-----+
//      |     | up  |     |   up, down: shifted    | 180 | rot | 180 |   rot: by 90 degrees about
//      +-----+-----+-----+   or mirrored left     +-----+-----+-----+   the corner it touches,
//      |left | 0,0 |right|   to right             | rot | 0,0 | rot |   (0, 0) or (width, width)
//      +-----+-----+-----+   left, right:         +-----+-----+-----+   180: about (width, 0) or
//      |     |down |     |   shifted or mirrored  | 180 | rot | 180 |   (0, width)
//      +-----+-----+-----+   top to bottom        +-----+-----+-----+
#ifndef LC_KERNELS_TOPOLOGY_MAP_H
#define LC_KERNELS_TOPOLOGY_MAP_H

#include "cuda.h"

// Values of lc_topology_kind, which kernels cannot include. src/grid/topology.c compares them.
#define LC_MAP_PLANE 0
#define LC_MAP_TORUS 1
#define LC_MAP_KLEIN_BOTTLE 2
#define LC_MAP_CROSS_SURFACE 3
#define LC_MAP_SPHERE 4

// lc_topology as a kernel argument. Size 0: unbounded.
typedef struct lc_surface {
    long long width_cells, height_cells;
    long long shift_x_cells, shift_y_cells;
    int kind;
    int twist_x, twist_y;
} lc_surface;

// How a copy shows a row of the universe.
#define LC_COPY_STRAIGHT 0   // moved
#define LC_COPY_REVERSED 1   // from right to left
#define LC_COPY_TRANSPOSED 2 // as a column
#define LC_COPY_NONE 3       // not at all: beyond the edge of a plane

// Both test the common cases first, a coordinate inside or one copy away, because a 64-bit division
// takes a hundred instructions on a GPU.
LC_INLINE long long lc_floor_mod(long long a, long long n)
{
    if (a >= 0 && a < n)
        return a;
    if (a < 0 && a >= -n)
        return a + n;
    const long long r = a % n;
    return r < 0 ? r + n : r;
}

LC_INLINE long long lc_floor_div(long long a, long long n)
{
    if (a >= 0 && a < n)
        return 0;
    if (a < 0 && a >= -n)
        return -1;
    const long long q = a / n;
    return a % n < 0 ? q - 1 : q;
}

// Returns (a + copies * shift) mod n without overflow, by doubling; 0 <= a < n, |shift| < n <=
// 2^61.
LC_INLINE long long lc_shifted(long long a, long long copies, long long shift, long long n)
{
    if (shift == 0 || copies == 0)
        return a;
    const lc_u64 count = copies < 0 ? 0 - (lc_u64)copies : (lc_u64)copies;
    long long step = lc_floor_mod(copies < 0 ? -shift : shift, n);
    for (lc_u64 left = count; left != 0; left >>= 1) {
        if (left & 1)
            a = a + step >= n ? a + step - n : a + step;
        step = step + step >= n ? step + step - n : step + step;
    }
    return a;
}

LC_INLINE int lc_place_on_plane(const lc_surface *s, long long x, long long y)
{
    const int inside = (s->width_cells == 0 || (x >= 0 && x < s->width_cells)) &&
                       (s->height_cells == 0 || (y >= 0 && y < s->height_cells));
    return inside ? LC_COPY_STRAIGHT : LC_COPY_NONE;
}

LC_INLINE int lc_place_on_torus(const lc_surface *s, long long *x, long long *y)
{
    long long across = 0, down = 0; // copies
    if (s->width_cells > 0) {
        across = lc_floor_div(*x, s->width_cells);
        *x = lc_floor_mod(*x, s->width_cells);
    }
    if (s->height_cells > 0) {
        down = lc_floor_div(*y, s->height_cells);
        *y = lc_floor_mod(*y, s->height_cells);
    }
    // At most one shift is set, so the order does not matter.
    if (s->shift_x_cells != 0)
        *x = lc_shifted(*x, down, s->shift_x_cells, s->width_cells);
    if (s->shift_y_cells != 0)
        *y = lc_shifted(*y, across, s->shift_y_cells, s->height_cells);
    return LC_COPY_STRAIGHT;
}

// The shift has the direction of Golly 3.3. The diagrams in Golly's help show the opposite
// direction, which is the same surface with the origin moved by one cell.
LC_INLINE int lc_place_on_klein_bottle(const lc_surface *s, long long *x, long long *y)
{
    const long long w = s->width_cells, h = s->height_cells;
    const int odd_across = (lc_floor_div(*x, w) & 1) != 0;
    const int odd_down = (lc_floor_div(*y, h) & 1) != 0;
    *x = lc_floor_mod(*x, w);
    *y = lc_floor_mod(*y, h);
    if (s->twist_x && odd_down) {
        *x = lc_floor_mod(w - 1 - *x - s->shift_x_cells, w);
        return LC_COPY_REVERSED;
    }
    if (s->twist_y && odd_across)
        *y = lc_floor_mod(h - 1 - *y - s->shift_y_cells, h);
    return LC_COPY_STRAIGHT;
}

LC_INLINE int lc_place_on_cross_surface(const lc_surface *s, long long *x, long long *y)
{
    const long long w = s->width_cells, h = s->height_cells;
    *x = lc_floor_mod(*x, 2 * w); // two twists cancel
    *y = lc_floor_mod(*y, 2 * h);
    if (*x >= w) {
        *x -= w;
        *y = lc_floor_mod(h - 1 - *y, 2 * h);
    }
    if (*y < h)
        return LC_COPY_STRAIGHT;
    *y -= h;
    *x = w - 1 - *x;
    return LC_COPY_REVERSED;
}

LC_INLINE int lc_place_on_sphere(const lc_surface *s, long long *x, long long *y)
{
    const long long w = s->width_cells;
    const long long a = lc_floor_mod(*x, 2 * w), b = lc_floor_mod(*y, 2 * w);
    if (a < w && b < w) {
        *x = a;
        *y = b;
        return LC_COPY_STRAIGHT;
    }
    if (a >= w && b >= w) {
        *x = 2 * w - 1 - a;
        *y = 2 * w - 1 - b;
        return LC_COPY_REVERSED;
    }
    *x = a >= w ? b : 2 * w - 1 - b;
    *y = a >= w ? 2 * w - 1 - a : a;
    return LC_COPY_TRANSPOSED;
}

// Maps a coordinate to its cell and returns how the copy shows a row. LC_COPY_NONE leaves the
// coordinate unchanged.
LC_INLINE int lc_place(const lc_surface *s, long long *x, long long *y)
{
    switch (s->kind) {
    case LC_MAP_TORUS:
        return lc_place_on_torus(s, x, y);
    case LC_MAP_KLEIN_BOTTLE:
        return lc_place_on_klein_bottle(s, x, y);
    case LC_MAP_CROSS_SURFACE:
        return lc_place_on_cross_surface(s, x, y);
    case LC_MAP_SPHERE:
        return lc_place_on_sphere(s, x, y);
    default:
        return lc_place_on_plane(s, *x, *y);
    }
}

#endif
