// A store of canonical squares: any two squares of cells that are equal are one, with one number.
//
// A square of 2^k x 2^k cells is a node of four squares half as wide, down to leaves of 32 x 32
// cells, which are tiles as a level's windows want them (level/level.h). So a universe in which
// much is equal to something else takes little memory, and that two squares are equal is seen by
// comparing two numbers.
//
//      number    0                  dead, of any size
//                1 .. 2^31 - 1      a node: nodes[number]
//                2^31 ..            a leaf: leaves[number - 2^31]
//
//      nodes     records of 20 bytes, four squares and a result; three are   +-----+-----+
//                a line of memory, and every fourth number is nobody's       | nw 0| ne 1|
//      leaves    tiles of 128 bytes                                          +-----+-----+
//      indexes   of both, by content: lines of 64 bytes that hold 12         | sw 2| se 3|
//                numbers and a byte of the hash of each                      +-----+-----+
//
// A number stays what it is until a collection finds that nobody wants the square any more. Looking
// one up waits for memory three times if nobody cares: for the line, for what is in the record, for
// whatever is wanted of it. So look-ups come in batches, and are prefetched in turns (lookup.c).
//
// The idea of hashing a quadtree's squares so that equal ones are one is R. W. Gosper's (Exploiting
// regularities in large cellular spaces, Physica D 10, 1984).
#ifndef LC_QUADTREE_STORE_H
#define LC_QUADTREE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"
#include "level/level.h"

typedef uint32_t lc_square;

enum {
    LC_NW, // places in a node
    LC_NE,
    LC_SW,
    LC_SE,
    LC_LEAF_LOG2 = LC_TILE_LOG2, // a leaf's side
    LC_LEAF_BYTES = 4 * LC_TILE_WORDS,
    LC_NODE_CHUNK_LOG2 = 19, // numbers of nodes; 8 MiB
    LC_LEAF_CHUNK_LOG2 = 14, // leaves; 2 MiB
    LC_NODES_OF_LINE = 3,
    LC_LINE_NUMBERS = 12,
};

#define LC_SQUARE_LEAF (UINT32_C(1) << 31)
// Instead of a result.
#define LC_RESULT_NONE UINT32_MAX
#define LC_RESULT_WANTED (UINT32_MAX - 1) // somebody is about to find it

// A node that is none: what becomes of child[0] in another way than its result says, of which
// child[1] tells the number of the way (the engine's), 255 at most. The others are 0.
#define LC_WAY_FIRST (UINT32_MAX - 255)

typedef struct lc_node {
    lc_square child[4];
    lc_square result; // the engine's; LC_RESULT_NONE in a node that was just made
} lc_node;

typedef struct lc_node_line {
    _Alignas(64) lc_node nodes[LC_NODES_OF_LINE];
} lc_node_line;

typedef struct lc_index_line {
    uint32_t numbers[LC_LINE_NUMBERS]; // the first 0 is the end
    uint8_t tags[LC_LINE_NUMBERS];
    uint32_t is_passed; // not 0: there was more than fits, and it is in the next line
} lc_index_line;

typedef struct lc_index {
    lc_index_line *lines;
    uint64_t line_count, most; // so many numbers, until there must be more lines
} lc_index;

// Records of one kind.
typedef struct lc_heap {
    void **chunks;
    size_t chunk_count, chunk_room;
    int chunk_log2;  // numbers of a chunk
    bool have_holes; // they are nodes
    uint32_t next;   // the first that was never used; 0 is not used
    uint32_t freed;  // one that a collection has freed; its first word is the next one, or 0
    uint64_t freed_count, used;
    // A bit each, for those before marked_end: marked in a collection; afterwards, in use.
    uint64_t *marks;
    uint32_t marked_end;
    lc_index index;
} lc_heap;

typedef struct lc_store {
    lc_context *context;
    uint64_t limit_bytes, held_bytes;
    lc_heap nodes, leaves;
} lc_store;

static inline void *lc_heap_record(const lc_heap *heap, uint32_t number)
{
    const uint32_t place = number & ((UINT32_C(1) << heap->chunk_log2) - 1);
    void *chunk = heap->chunks[number >> heap->chunk_log2];
    if (heap->have_holes)
        return &((lc_node_line *)chunk)[place / 4].nodes[place % 4];
    return (uint32_t *)chunk + place * (size_t)LC_TILE_WORDS;
}

static inline size_t lc_heap_chunk_bytes(const lc_heap *heap)
{
    return heap->have_holes ? sizeof(lc_node_line) << (heap->chunk_log2 - 2)
                            : (size_t)LC_LEAF_BYTES << heap->chunk_log2;
}

// The number after that one.
static inline uint32_t lc_heap_after(const lc_heap *heap, uint32_t number)
{
    return number + 1 + (heap->have_holes && number % 4 == LC_NODES_OF_LINE - 1);
}

// LC_ERROR_LIMIT, LC_ERROR_MEMORY: nothing is held.
lc_status lc_store_init(lc_store *store, lc_context *context, uint64_t limit_bytes,
                        lc_message *message);
void lc_store_free(lc_store *store);

static inline bool lc_square_is_leaf(lc_square square)
{
    return (square & LC_SQUARE_LEAF) != 0;
}

// Neither is dead.
static inline lc_node *lc_store_node(const lc_store *store, lc_square node)
{
    lc_node_line *line = (lc_node_line *)store->nodes.chunks[node >> LC_NODE_CHUNK_LOG2] +
                         (node % (UINT32_C(1) << LC_NODE_CHUNK_LOG2)) / 4;
    return &line->nodes[node % 4];
}

// A node's quarter; 0 of a dead one.
static inline lc_square lc_store_child(const lc_store *store, lc_square node, int place)
{
    return node == 0 ? 0 : lc_store_node(store, node)->child[place];
}

static inline uint32_t *lc_store_leaf(const lc_store *store, lc_square leaf)
{
    leaf &= ~LC_SQUARE_LEAF;
    return (uint32_t *)store->leaves.chunks[leaf >> LC_LEAF_CHUNK_LOG2] +
           (leaf & ((UINT32_C(1) << LC_LEAF_CHUNK_LOG2) - 1)) * (size_t)LC_TILE_WORDS;
}

// The cells of a leaf that may be dead.
const uint32_t *lc_store_cells(const lc_store *store, lc_square leaf);

// Room for so many more, whatever they are: then the next look-ups cannot fail. LC_ERROR_LIMIT: it
// would be more than the limit. LC_ERROR_MEMORY. A collection may help with either.
lc_status lc_store_reserve(lc_store *store, size_t nodes, size_t leaves, lc_message *message);

// Numbers of `count` nodes of these squares, and of leaves of these tiles; they are made if they
// are not there. There is room for them.
void lc_store_find_nodes(lc_store *store, const lc_square (*children)[4], size_t count,
                         lc_square *found);
void lc_store_find_leaves(lc_store *store, const uint32_t (*cells)[LC_TILE_WORDS], size_t count,
                          lc_square *found);

static inline lc_square lc_store_find_node(lc_store *store, const lc_square children[4])
{
    lc_square found;
    lc_store_find_nodes(store, (const lc_square(*)[4])children, 1, &found);
    return found;
}

static inline lc_square lc_store_find_leaf(lc_store *store, const uint32_t cells[LC_TILE_WORDS])
{
    lc_square found;
    lc_store_find_leaves(store, (const uint32_t(*)[LC_TILE_WORDS])cells, 1, &found);
    return found;
}

// A record of such a way.
static inline bool lc_node_is_way(const lc_node *node)
{
    return node->child[1] >= LC_WAY_FIRST;
}

// Collections (collect.c): begin; mark what is to be kept, with all that it is made of; end.
// LC_ERROR_MEMORY: there was none for marks, and none has begun.
lc_status lc_store_begin_collection(lc_store *store, lc_message *message);
void lc_store_mark(lc_store *store, lc_square square);
bool lc_store_is_marked(const lc_store *store, lc_square square);
// Results that were not marked are forgotten.
void lc_store_end_collection(lc_store *store);

// store.c, for collections: an index has what is in use, and nothing else.
void lc_store_index_anew(lc_store *store, lc_heap *heap);

#endif
