// A universe as a quadtree of squares of a store. The middle of the root is the upper left corner
// of cell (0, middle_y). For planes, middle_y is LC_MIDDLE_Y as in macrocell files, so that squares
// are read and written unchanged.
//
// Cells are first written into some thousands of separate tiles. lc_tree_flush puts all of them
// into the tree at once. Otherwise each row of cells would recreate all squares that it touches.
#ifndef LC_QUADTREE_TREE_H
#define LC_QUADTREE_TREE_H

#include "base/area.h"
#include "lightcone/cells.h"
#include "quadtree/store.h"

enum {
    LC_ROOT_LOG2_MIN = LC_LEAF_LOG2 + 2,
    LC_ROOT_LOG2_MAX = 254,
    LC_NEAR_LOG2 = 62, // the four squares of this side round the middle hold all accessible cells
};

#define LC_MIDDLE_Y 1

// Like lc_store_reserve. The owner of the tree may know how to free memory.
typedef lc_status (*lc_tree_reserve)(void *context, size_t nodes, size_t leaves,
                                     lc_message *message);

// A written tile.
typedef struct lc_pending {
    int64_t x, y; // in tiles
    uint32_t cells[LC_TILE_WORDS];
    bool written; // false: free entry
    bool is_live; // has live cells
} lc_pending;

typedef struct lc_tree {
    lc_store *store; // not owned
    lc_tree_reserve reserve;
    void *context;
    lc_square root;
    int root_log2;
    int64_t middle_y;                 // LC_MIDDLE_Y at first
    lc_square before;                 // restored if another root cannot be set
    lc_square snapshot;               // the root of lc_tree_snapshot
    int snapshot_log2;                // 0: none
    lc_gc_root gc_root;               // of the three roots
    lc_pending *pending;              // hash table by position
    size_t pending_count, live_count; // live: with live cells
} lc_tree;

// Creates a tree, which does not own the store. The store keeps a pointer to the tree, so the tree
// must not move. LC_ERROR_MEMORY: there is nothing to free.
lc_status lc_tree_init(lc_tree *tree, lc_store *store, lc_tree_reserve reserve, void *context,
                       lc_message *message);
void lc_tree_free(lc_tree *tree);

// Returns an upper bound of the distance of live cells from 0, LC_UNIVERSE_REACH at most; 0: no
// live cells.
uint64_t lc_tree_extent(const lc_tree *tree);

// Returns whether a live cell is further than 2^62 from (0, 0). Requires that no written tile is
// pending.
bool lc_tree_is_far(const lc_tree *tree);
lc_status
lc_tree_refuse_far(lc_message *message); // LC_ERROR_LIMIT: such cells have no 64-bit coordinates

// Replaces all cells by those of a square of the store around the middle. LC_ERROR_LIMIT: some
// cells are further than 2^LC_WIDE_REACH_LOG2 from there. On this error, or if out of memory,
// nothing has changed.
lc_status lc_tree_set_root(lc_tree *tree, lc_square root, int root_log2, lc_message *message);

// Saves the current cells until lc_tree_end_snapshot. That function restores them if `goes_back`,
// which needs no memory, and returns false if none were saved. LC_ERROR_MEMORY, LC_ERROR_LIMIT:
// nothing was saved.
lc_status lc_tree_snapshot(lc_tree *tree, lc_message *message);
bool lc_tree_end_snapshot(lc_tree *tree, bool goes_back);

// Makes the root twice as wide, for which there must be room for five nodes, or as small as its
// cells allow.
void lc_tree_grow_root(lc_tree *tree);
void lc_tree_shrink_root(lc_tree *tree);

// Sets `squares` to the four squares around the middle in the order of a node's children. Returns
// log2 of their side, at most `most_log2`, which is at least 5.
int lc_tree_middle(const lc_tree *tree, int most_log2, lc_square squares[4]);

// Sets `squares` to the four that contain all cells that can be read and written.
static inline int lc_tree_near(const lc_tree *tree, lc_square squares[4])
{
    return lc_tree_middle(tree, LC_NEAR_LOG2, squares);
}

// Puts the written tiles into the tree. Only then is `root` up to date.
lc_status lc_tree_flush(lc_tree *tree, lc_message *message);

// tree_box.c: sets the bounding boxes in *facts, and whether cells are far, and leaves the other
// members unchanged. Returns false if out of memory.
bool lc_tree_boxes(lc_tree *tree, lc_facts *facts);

// Like read, write and seek of lc_engine_vtable. The tree reaches neither the last column nor the
// first row of a universe (x = 2^62, y = -2^62). Writing live cells there returns LC_ERROR_LIMIT.
lc_status lc_tree_read(lc_tree *tree, const lc_cells *to, lc_message *message);
lc_status lc_tree_write(lc_tree *tree, const lc_cells *from, lc_message *message);
lc_status lc_tree_seek(lc_tree *tree, const lc_area *within, lc_cells *at, lc_message *message);
// Makes the cells x .. x + length - 1 of a row alive. Takes time per new square. In an empty tree
// these are about a hundred for any length.
lc_status lc_tree_fill_run(lc_tree *tree, int64_t x, int64_t y, int64_t length,
                           lc_message *message);

#endif
