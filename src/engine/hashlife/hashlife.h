// The hashlife engine: what becomes of a square of cells is computed once.
//
// A node is a square of 2^k x 2^k cells (quadtree/store.h). In 2^(k-2) generations no cell of the
// square's middle half can learn of anything beyond the square, so what the middle becomes depends
// on nothing else: it is the node's **result**, and it is remembered with the node. It is made of
// results of smaller nodes, in two steps of half as many generations:
//
//     +---+---+---+---+        nine squares half as wide, which overlap,
//     | a | b | c | d |        nw = (a b e f)  n = (b c f g)  ne = (c d g h)  ...
//     +---+---+---+---+        and their results, which lie side by side:
//     | e | f | g | h |              +---+---+---+
//     +---+---+---+---+              | 0 | 1 | 2 |     four squares of these, again overlapping,
//     | i | j | k | l |              +---+---+---+     (0 1 3 4) (1 2 4 5) (3 4 6 7) (4 5 7 8),
//     +---+---+---+---+              | 3 | 4 | 5 |     have results that are put together: that
//     | m | n | o | p |              +---+---+---+     is the middle half of the node, 2^(k-2)
//     +---+---+---+---+              | 6 | 7 | 8 |     generations later.
//                                    +---+---+---+
//
// Each level makes twice as many generations with twelve or so look-ups. So a universe that repeats
// itself, in space or in time, goes forward by 2^k generations in a time that hardly depends on k.
//
// **Smaller steps.** If 2^j generations are wanted and k - 2 > j, the middle of the node 2^j later
// is put together from the nine results for 2^j, without a second step. Such results are kept by
// (node, j) in records of their own beside the nodes (lc_node_is_way), so what is known for one
// step is still known when another was made.
//
// **Leaves** are 32 x 32, and what becomes of 64 x 64 cells in 16 generations or less is computed:
// that takes 200 ns, less than looking up what it would be made of.
//
// **Many at once.** All that is looked up lies anywhere in memory. Results are therefore not made
// one after the other, going down to the smallest and up again, but for lists of nodes of one level
// (results.c): all that a list wants from the next level is one list again, and its look-ups are
// made together, so that many wait for memory at the same time.
//
// R. W. Gosper: Exploiting regularities in large cellular spaces, Physica D 10 (1984) 75-80.
#ifndef LC_ENGINE_HASHLIFE_HASHLIFE_H
#define LC_ENGINE_HASHLIFE_HASHLIFE_H

#include "engine/engine.h"
#include "quadtree/tree.h"

enum {
    LC_BATCH = 128, // nodes whose results are made together
};

// What is made for a batch of one level.
typedef struct lc_batch lc_batch;

// A node whose result is wanted, and the record that will hold it: the node itself or a way.
typedef struct lc_job {
    lc_square node, record;
} lc_job;

typedef struct lc_hashlife {
    lc_engine base;
    lc_engine_config config;
    const lc_level *level;
    // Two rules take turns, or are the same. Results begin with rules[0]; the next generation is
    // made with rules[odd].
    lc_rule rules[2];
    unsigned odd;
    bool has_other_rules;              // than those that the results are of
    uint64_t any[2][2 * LC_ANY_WORDS]; // that begin with rules[0] and with rules[1]
    lc_window_change (*step_window)(const lc_window *window);

    lc_store store;
    lc_tree tree;

    int leap_log2; // of the longest step that is made next
    int step_log2; // of the step in hand
    unsigned step_odd;
    lc_batch *batches[256]; // by level; NULL: not needed yet
    // Of the batch in hand: leaves, and squares that are looked up.
    uint32_t (*cells)[LC_TILE_WORDS];
    lc_square keys[9 * LC_BATCH][4], found[9 * LC_BATCH];
    uint64_t results; // made so far
    uint64_t collections;
    char plan[192];
    uint64_t looked_ns; // when the pass began or the watch was last asked

} lc_hashlife;

// results.c: the middle half of a node of 2^log2 cells a side, 2^step_log2 generations later, at
// most 2^(log2 - 2). LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_STOPPED (the watch).
lc_status lc_hashlife_result(lc_hashlife *h, lc_square node, int log2, lc_square *result,
                             lc_message *message);
void lc_hashlife_free_batches(lc_hashlife *h);
// Marks what is being worked on (lc_store_mark).
void lc_hashlife_mark_batches(lc_hashlife *h);

// collect.c: makes room for so many more. LC_ERROR_LIMIT: what cannot be done without is more than
// there may be.
lc_status lc_hashlife_reserve(lc_hashlife *h, size_t nodes, size_t leaves, lc_message *message);
// Forgets all results.
lc_status lc_hashlife_forget(lc_hashlife *h, lc_message *message);

// facts.c: all of the universe, which is not wider than 2^63 cells; and looks from far away.
lc_status lc_hashlife_facts(lc_engine *engine, unsigned which, lc_facts *facts,
                            lc_message *message);
lc_status lc_hashlife_count_squares(lc_engine *engine, const lc_squares *squares,
                                    lc_message *message);

#endif
