// The smallest box round all that lives in a tree.
#include <stdlib.h>

#include "base/memory.h"
#include "level/tile.h"
#include "quadtree/tree.h"

enum { SIDE = LC_TILE_CELLS };

static int compare_squares(const void *a, const void *b)
{
    const lc_square p = *(const lc_square *)a, q = *(const lc_square *)b;
    return p < q ? -1 : p > q;
}

// Those children of the squares, each once, that lie at places a and b.
static size_t children_at(const lc_store *store, const lc_square *squares, size_t count, int a,
                          int b, lc_square *children)
{
    size_t some = 0, each = 0;
    for (size_t i = 0; i < count; i++) {
        const lc_square two[2] = {lc_store_child(store, squares[i], a),
                                  lc_store_child(store, squares[i], b)};
        for (int k = 0; k < 2; k++)
            if (two[k] != 0)
                children[some++] = two[k];
    }
    if (some > 0)
        qsort(children, some, sizeof *children, compare_squares);
    for (size_t i = 0; i < some; i++)
        if (i == 0 || children[i] != children[i - 1])
            children[each++] = children[i];
    return each;
}

// How many lines of a leaf's cells are dead on a side: 0 left, 1 right, 2 top, 3 bottom.
static int dead_lines(const uint32_t *cells, int side)
{
    const lc_tile_margins m = lc_tile_margins_of(cells);
    const int lines[4] = {m.left, m.right, m.top, m.bottom};
    return lines[side];
}

// The same of a square in which something lives. Those of its parts that lie closest to the side
// are followed downwards, all at once.
static bool dead_lines_of(const lc_store *store, lc_square square, int log2, int side,
                          uint64_t *lines)
{
    static const int near[4][2] = {{LC_NW, LC_SW}, {LC_NE, LC_SE}, {LC_NW, LC_NE}, {LC_SW, LC_SE}};
    static const int far[4][2] = {{LC_NE, LC_SE}, {LC_NW, LC_SW}, {LC_SW, LC_SE}, {LC_NW, LC_NE}};
    size_t count = 1;
    lc_square *squares = lc_malloc(sizeof *squares);
    if (squares == NULL)
        return false;
    squares[0] = square;
    *lines = 0;
    for (; log2 > LC_LEAF_LOG2; log2--) {
        size_t bytes;
        lc_square *next = lc_mul_size(2 * count, sizeof *next, &bytes) ? lc_malloc(bytes) : NULL;
        if (next == NULL) {
            lc_free(squares);
            return false;
        }
        size_t some = children_at(store, squares, count, near[side][0], near[side][1], next);
        if (some == 0) {
            *lines += UINT64_C(1) << (log2 - 1);
            some = children_at(store, squares, count, far[side][0], far[side][1], next);
        }
        lc_free(squares);
        squares = next;
        count = some;
    }
    int least = SIDE;
    for (size_t i = 0; i < count; i++) {
        const int here = dead_lines(lc_store_leaf(store, squares[i]), side);
        least = here < least ? here : least;
    }
    lc_free(squares);
    *lines += (uint64_t)least;
    return true;
}

bool lc_tree_box(const lc_tree *t, lc_box *box)
{
    uint64_t lines[4];
    *box = (lc_box){.empty = true};
    if (t->root == 0)
        return true;
    for (int side = 0; side < 4; side++)
        if (!dead_lines_of(t->store, t->root, t->root_log2, side, &lines[side]))
            return false;
    const uint64_t half = UINT64_C(1) << (t->root_log2 - 1), side = 2 * half; // 0: 2^64
    *box = (lc_box){.x = (int64_t)(lines[0] - half),
                    .y = (int64_t)(lines[2] - half),
                    .width_cells = (int64_t)(side - lines[0] - lines[1]),
                    .height_cells = (int64_t)(side - lines[2] - lines[3])};
    return true;
}
