// Tori whose sides are powers of two. The plane around a torus consists of copies of the torus.
//
// So a square of four copies has the torus once in its middle, moved by half a side, in every
// generation. The square's result is the torus after the quarters return to their places:
//
//     +---+---+---+---+
//     | a | b | a | b |         +---+---+        +---+---+
//     +---+---+---+---+         | d | c |        | a | b |
//     | c | d | c | d |   the   +---+---+   is   +---+---+   half a side to the right and down.
//     +---+---+---+---+  middle | b | a |        | c | d |
//     | a | b | a | b |         +---+---+        +---+---+
//     +---+---+---+---+
//     | c | d | c | d |
//     +---+---+---+---+
//
// A torus that is not square becomes a square one, of copies side by side. The tree, whose cells
// can be read and written, holds only the first copy, to the right of and below (0, 0).
#include "base/error.h"
#include "engine/hashlife/hashlife.h"

// A side that is 32 times the other takes 32 copies.
enum { MOST_COPIES_LOG2 = 20, LEAST_SIDE_LOG2 = LC_LEAF_LOG2 + 1 };

static int log2_of(int64_t side)
{
    return 63 - __builtin_clzll((uint64_t)side);
}

bool lc_hashlife_takes(const lc_topology *t)
{
    if (t->width_cells == 0 && t->height_cells == 0)
        return true;
    const bool is_plain = t->kind == LC_TOPOLOGY_TORUS && !t->twist_x && !t->twist_y &&
                          t->shift_x_cells == 0 && t->shift_y_cells == 0;
    if (!is_plain || t->width_cells < 1 << LEAST_SIDE_LOG2 ||
        t->height_cells < 1 << LEAST_SIDE_LOG2 || (t->width_cells & (t->width_cells - 1)) != 0 ||
        (t->height_cells & (t->height_cells - 1)) != 0)
        return false;
    const int across = log2_of(t->width_cells), down = log2_of(t->height_cells);
    return across - down <= MOST_COPIES_LOG2 && down - across <= MOST_COPIES_LOG2;
}

void lc_hashlife_take_torus(lc_hashlife *h, const lc_topology *t)
{
    if (t->width_cells == 0)
        return;
    const int across = log2_of(t->width_cells), down = log2_of(t->height_cells);
    h->torus_log2 = across > down ? across : down;
    h->copy_log2 = across < down ? across : down;
    h->is_wide = across > down;
    h->tree.middle_y = 0; // squares are aligned with the torus
}

// Returns the square of the torus in the tree, whose upper left cell is (0, 0).
static lc_square torus_in(const lc_hashlife *h)
{
    const lc_tree *t = &h->tree;
    lc_square s = lc_store_child(&h->store, t->root, LC_SE);
    for (int log2 = t->root_log2 - 1; log2 > h->torus_log2; log2--)
        s = lc_store_child(&h->store, s, LC_NW);
    return s;
}

// Returns a square of the torus with the copies of its first column or row filled in, or, if not
// `is_there`, removed.
static lc_square copied(lc_hashlife *h, lc_square square, int log2, bool is_there)
{
    if (log2 == h->copy_log2 || square == 0)
        return square;
    const lc_square first = lc_store_child(&h->store, square, LC_NW);
    const lc_square second = lc_store_child(&h->store, square, h->is_wide ? LC_NE : LC_SW);
    const lc_square a = copied(h, first, log2 - 1, is_there);
    const lc_square b = second == first ? a : copied(h, second, log2 - 1, is_there);
    const lc_square other_a = is_there ? a : 0, other_b = is_there ? b : 0;
    const lc_square wide[4] = {a, b, other_a, other_b}, high[4] = {a, other_a, b, other_b};
    return lc_store_find_node(&h->store, h->is_wide ? wide : high);
}

static lc_status reserve(lc_hashlife *h, lc_message *message)
{
    const size_t copies = (size_t)1 << (h->torus_log2 - h->copy_log2);
    return lc_hashlife_reserve(h, &h->store.stock, 2 * copies + 8 + LC_ROOT_LOG2_MAX, 0, message);
}

lc_status lc_hashlife_jump_on_torus(lc_hashlife *h, lc_message *message)
{
    lc_tree *t = &h->tree;
    lc_status status = LC_OK;
    while (t->root_log2 <= h->torus_log2 && status == LC_OK) {
        status = lc_hashlife_reserve(h, &h->store.stock, 5, 0, message);
        if (status == LC_OK)
            lc_tree_grow_root(t);
    }
    if (status == LC_OK)
        status = reserve(h, message);
    if (status != LC_OK)
        return status;
    const lc_square s = copied(h, torus_in(h), h->torus_log2, true);
    const lc_square four[4] = {s, s, s, s};
    const lc_square all = lc_store_find_node(&h->store, four);
    lc_square middle = 0;
    status = lc_hashlife_result(h, all, h->torus_log2 + 1, &middle, message);
    if (status != LC_OK)
        return status;
    // While the store makes room for the last squares, both roots belong to the tree.
    const int before_log2 = t->root_log2;
    t->before = t->root;
    t->root = middle;
    t->root_log2 = h->torus_log2;
    status = reserve(h, message);
    if (status == LC_OK) {
        lc_square back[4];
        for (int i = 0; i < 4; i++)
            back[i] = lc_store_child(&h->store, t->root, 3 - i);
        lc_square torus = lc_store_find_node(&h->store, back);
        torus = copied(h, torus, h->torus_log2, false);
        t->root = lc_store_find_node(&h->store, (lc_square[4]){0, 0, 0, torus});
        t->root_log2++;
    } else {
        t->root = t->before;
        t->root_log2 = before_log2;
    }
    t->before = 0;
    return status;
}
