// Bounding boxes of a tree: of all live cells, and of those with 64-bit coordinates.
#include <stdlib.h>

#include "base/least.h"
#include "base/memory.h"
#include "level/tile.h"
#include "quadtree/tree.h"

enum { SIDE = LC_TILE_CELLS };

static int compare_squares(const void *a, const void *b)
{
    const lc_square p = *(const lc_square *)a, q = *(const lc_square *)b;
    return p < q ? -1 : p > q;
}

// Collects the children of the squares at places a and b, each once.
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

// Returns the number of dead lines on a side of a leaf: 0 left, 1 right, 2 top, 3 bottom.
static int dead_lines(const uint32_t *cells, int side)
{
    const lc_tile_margins m = lc_tile_margins_of(cells);
    const int lines[4] = {m.left, m.right, m.top, m.bottom};
    return lines[side];
}

static void add_lines(lc_count *lines, unsigned log2)
{
    lc_count more = lc_count_of(0);
    (void)lc_count_shift_left(lc_count_of(1), log2, &more); // LC_ROOT_LOG2_MAX at most
    (void)lc_count_add(*lines, more, lines);
}

// Counts the dead lines on a side of a live square. Follows the parts closest to that side
// downwards, all at the same time.
static bool dead_lines_of(const lc_store *store, lc_square square, int log2, int side,
                          lc_count *lines)
{
    static const int near[4][2] = {{LC_NW, LC_SW}, {LC_NE, LC_SE}, {LC_NW, LC_NE}, {LC_SW, LC_SE}};
    static const int far[4][2] = {{LC_NE, LC_SE}, {LC_NW, LC_SW}, {LC_SW, LC_SE}, {LC_NW, LC_NE}};
    size_t count = 1;
    lc_square *squares = lc_malloc(sizeof *squares);
    if (squares == NULL)
        return false;
    squares[0] = square;
    *lines = lc_count_of(0);
    for (; log2 > LC_LEAF_LOG2; log2--) {
        size_t bytes;
        lc_square *next = lc_mul_size(2 * count, sizeof *next, &bytes) ? lc_malloc(bytes) : NULL;
        if (next == NULL) {
            lc_free(squares);
            return false;
        }
        size_t some = children_at(store, squares, count, near[side][0], near[side][1], next);
        if (some == 0) {
            add_lines(lines, (unsigned)log2 - 1);
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
    (void)lc_count_add(*lines, lc_count_of((uint64_t)least), lines);
    return true;
}

// The bounding box of the live cells of a square, from its upper left corner. There is at least
// one.
typedef struct square_box {
    lc_count left, top, width, height;
} square_box;

static bool box_of(const lc_store *store, lc_square square, int log2, square_box *box)
{
    lc_count lines[4], side = lc_count_of(0);
    for (int i = 0; i < 4; i++)
        if (!dead_lines_of(store, square, log2, i, &lines[i]))
            return false;
    add_lines(&side, (unsigned)log2);
    *box = (square_box){
        .left = lines[0],
        .top = lines[2],
        .width = lc_count_distance(lc_count_distance(side, lines[0]), lines[1]),
        .height = lc_count_distance(lc_count_distance(side, lines[2]), lines[3]),
    };
    return true;
}

// Finds the bounding box of one of the four squares that contain all cells with 64-bit coordinates.
static bool near_box_of(const lc_store *store, lc_square square, int place, lc_box *box)
{
    square_box inside;
    const int64_t side = INT64_C(1) << LC_NEAR_LOG2;
    *box = (lc_box){.empty = true};
    if (square == 0)
        return true;
    if (!box_of(store, square, LC_NEAR_LOG2, &inside))
        return false;
    *box = (lc_box){.x = (int64_t)inside.left.words[0] - (place % 2 == 0 ? side : 0),
                    .y = (int64_t)inside.top.words[0] - (place / 2 == 0 ? side : 0),
                    .width_cells = (int64_t)inside.width.words[0],
                    .height_cells = (int64_t)inside.height.words[0]};
    return true;
}

// Returns the union of two boxes in these squares. If it has both end lines, its size exceeds 64
// bits, and the outermost line is left out.
static lc_box near_union(lc_box a, lc_box b)
{
    if (a.empty || b.empty)
        return a.empty ? b : a;
    const int64_t least = -(INT64_C(1) << LC_NEAR_LOG2) + 1;
    const int64_t x = lc_greatest(lc_least(a.x, b.x), least);
    const int64_t y = lc_greatest(lc_least(a.y, b.y), least);
    const int64_t right = lc_greatest(a.x + a.width_cells, b.x + b.width_cells);
    const int64_t bottom = lc_greatest(a.y + a.height_cells, b.y + b.height_cells);
    return (lc_box){.x = x, .y = y, .width_cells = right - x, .height_cells = bottom - y};
}

static bool near_box(const lc_tree *t, lc_box *box)
{
    lc_square near[4];
    (void)lc_tree_near(t, near);
    for (int i = 0; i < 4; i++) {
        lc_box part;
        if (!near_box_of(t->store, near[i], i, &part))
            return false;
        *box = near_union(*box, part);
    }
    box->y += box->empty ? 0 : t->middle_y;
    return true;
}

bool lc_tree_boxes(lc_tree *t, lc_facts *facts)
{
    square_box all;
    facts->box = (lc_box){.empty = true};
    facts->wide_box = (lc_wide_box){.empty = true};
    facts->is_far = lc_tree_is_far(t);
    if (t->root == 0)
        return true;
    if (!box_of(t->store, t->root, t->root_log2, &all))
        return false;
    lc_count half = lc_count_of(0);
    add_lines(&half, (unsigned)t->root_log2 - 1);
    lc_count top = all.top;
    (void)lc_count_add(top, lc_count_of((uint64_t)t->middle_y), &top);
    lc_wide_box *wide = &facts->wide_box;
    *wide = (lc_wide_box){.x = lc_coordinate_between(all.left, half),
                          .y = lc_coordinate_between(top, half),
                          .width_cells = all.width,
                          .height_cells = all.height};
    if (t->root_log2 > LC_NEAR_LOG2) // for the whole width
        return near_box(t, &facts->box);
    facts->box.empty = !lc_coordinate_to_i64(wide->x, &facts->box.x) ||
                       !lc_coordinate_to_i64(wide->y, &facts->box.y);
    facts->box.width_cells = (int64_t)all.width.words[0];
    facts->box.height_cells = (int64_t)all.height.words[0];
    return true;
}
