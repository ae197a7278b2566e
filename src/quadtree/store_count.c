// Counts the live cells of a square, with lower bounds of its runs and live rows.
#include "base/memory.h"
#include "level/tile.h"
#include "quadtree/store.h"

typedef struct counted {
    double cells; // 0: not counted yet, because a dead square has number 0
    double starts;
    double rows;
} counted;

typedef struct counting {
    const lc_store *store;
    counted *nodes, *leaves; // by number
} counting;

// A run begins at a live cell whose left neighbour is dead. The neighbours of the first column are
// unknown.
static counted count_leaf(const uint32_t *cells)
{
    counted c = {0, 0, 0};
    for (int row = 0; row < LC_TILE_CELLS; row++) {
        const uint32_t bits = cells[lc_tile_word(row)];
        c.cells += __builtin_popcount(bits);
        c.starts += __builtin_popcount(bits & ~(bits << 1) & ~UINT32_C(1));
        c.rows += bits != 0;
    }
    return c;
}

static counted count_square(const counting *k, lc_square square)
{
    if (square == 0)
        return (counted){0, 0, 0};
    const bool is_leaf = lc_square_is_leaf(square);
    counted *c = is_leaf ? &k->leaves[square & ~LC_SQUARE_LEAF] : &k->nodes[square];
    if (c->cells > 0)
        return *c;
    if (is_leaf) {
        *c = count_leaf(lc_store_leaf(k->store, square));
        return *c;
    }
    counted sum = {0, 0, 0};
    for (int i = 0; i < 4; i += 2) { // neighbours share their rows
        const counted west = count_square(k, lc_store_child(k->store, square, i));
        const counted east = count_square(k, lc_store_child(k->store, square, i + 1));
        sum.cells += west.cells + east.cells;
        sum.starts += west.starts + east.starts;
        sum.rows += west.rows > east.rows ? west.rows : east.rows;
    }
    *c = sum;
    return sum;
}

bool lc_store_count(const lc_store *store, lc_square square, double *cells, double *runs,
                    double *rows)
{
    // Zeroed pages cost nothing until they are used, and most walks visit few of all squares.
    const counting k = {store, lc_calloc((size_t)lc_store_node_end(store), sizeof *k.nodes),
                        lc_calloc(store->leaves.next, sizeof *k.leaves)};
    const bool is_counted = k.nodes != NULL && k.leaves != NULL;
    if (is_counted) {
        const counted all = count_square(&k, square);
        *cells = all.cells;
        *runs = all.starts;
        *rows = all.rows;
    }
    lc_free(k.nodes);
    lc_free(k.leaves);
    return is_counted;
}
