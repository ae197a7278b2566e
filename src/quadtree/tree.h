// A universe as a tree of squares of a store. The middle of its root is the upper left corner of
// cell (0, middle_y). Of a plane that is LC_MIDDLE_Y: macrocell files have it there, so that
// squares go in and out as they are.
//
// Cells are written into tiles beside the tree, some thousands of them, which become squares of it
// all together (lc_tree_flush): a row of cells alone would make all squares that it touches anew.
#ifndef LC_QUADTREE_TREE_H
#define LC_QUADTREE_TREE_H

#include "base/area.h"
#include "lightcone/cells.h"
#include "quadtree/store.h"

enum {
    LC_ROOT_LOG2_MIN = LC_LEAF_LOG2 + 2,
    LC_ROOT_LOG2_MAX = 254,
    LC_NEAR_LOG2 = 62, // squares round the middle of that side hold all cells that can be handled
};

#define LC_MIDDLE_Y 1

// As lc_store_reserve; who has a tree may know how to make room.
typedef lc_status (*lc_tree_reserve)(void *context, size_t nodes, size_t leaves,
                                     lc_message *message);

// A tile that was written.
typedef struct lc_pending {
    int64_t x, y; // in tiles
    uint32_t cells[LC_TILE_WORDS];
    bool written; // false: this place is free
    bool is_live; // something lives in it
} lc_pending;

typedef struct lc_tree {
    lc_store *store; // lent
    lc_tree_reserve reserve;
    void *context;
    lc_square root;
    int root_log2;
    int64_t middle_y;                 // LC_MIDDLE_Y at first
    lc_square before;                 // the root that comes back if another cannot be planted
    lc_square held;                   // the root of lc_tree_hold
    int held_log2;                    // 0: none is held
    lc_keeper keeper;                 // of all three
    lc_pending *pending;              // a table by place
    size_t pending_count, live_count; // live: in which something lives
} lc_tree;

// LC_ERROR_MEMORY: there is nothing to free. The store is not freed with a tree; it knows where the
// tree is, which must not be moved.
lc_status lc_tree_init(lc_tree *tree, lc_store *store, lc_tree_reserve reserve, void *context,
                       lc_message *message);
void lc_tree_free(lc_tree *tree);

// How far from 0 coordinates of live cells may be, LC_UNIVERSE_REACH at most; 0: nothing lives.
uint64_t lc_tree_extent(const lc_tree *tree);

// Whether some live cell is further from (0, 0) than 2^62. Nothing waits to be put into the tree.
bool lc_tree_is_far(const lc_tree *tree);
lc_status
lc_tree_refuse_far(lc_message *message); // LC_ERROR_LIMIT, where such cells cannot be said

// All cells become those of a square of the store, round the middle. LC_ERROR_LIMIT: it has some
// further than 2^LC_WIDE_REACH_LOG2 from there; then, and if there is no room, nothing has changed.
lc_status lc_tree_plant(lc_tree *tree, lc_square root, int root_log2, lc_message *message);

// Remembers the cells as they are now, until lc_tree_end_hold, which brings them back if
// `goes_back` and then needs no memory for it. LC_ERROR_MEMORY, LC_ERROR_LIMIT: nothing is
// remembered. False of the latter: nothing was.
lc_status lc_tree_hold(lc_tree *tree, lc_message *message);
bool lc_tree_end_hold(lc_tree *tree, bool goes_back);

// The root becomes a square twice as wide; there is room for five nodes. And as small as its cells
// allow.
void lc_tree_grow_root(lc_tree *tree);
void lc_tree_shrink_root(lc_tree *tree);

// The four squares round the middle, as children of a node, and the binary logarithm of their side,
// at most `most_log2`, which is 5 or more.
int lc_tree_middle(const lc_tree *tree, int most_log2, lc_square squares[4]);

// Those that have all cells that can be handled.
static inline int lc_tree_near(const lc_tree *tree, lc_square squares[4])
{
    return lc_tree_middle(tree, LC_NEAR_LOG2, squares);
}

// Puts what was written into the tree. `root` is what it is only afterwards.
lc_status lc_tree_flush(lc_tree *tree, lc_message *message);

// tree_box.c: the boxes of what is in the tree, and whether it is far; the rest of *facts stays.
// False: there was no memory for finding them.
bool lc_tree_boxes(lc_tree *tree, lc_facts *facts);

// As lc_engine_vtable's read, write and seek. The squares reach neither to the last column nor to
// the first row that universes have (x = 2^62, y = -2^62): to write live cells there is
// LC_ERROR_LIMIT.
lc_status lc_tree_read(lc_tree *tree, const lc_cells *to, lc_message *message);
lc_status lc_tree_write(lc_tree *tree, const lc_cells *from, lc_message *message);
lc_status lc_tree_seek(lc_tree *tree, const lc_area *within, lc_cells *at, lc_message *message);
// Cells x .. x + length - 1 of a row become alive. It takes the time of the squares that are made,
// a hundred or so where all was dead, however long the run is.
lc_status lc_tree_draw_run(lc_tree *tree, int64_t x, int64_t y, int64_t length,
                           lc_message *message);

#endif
