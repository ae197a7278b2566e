// A store of canonical squares: equal squares of cells are stored once, under one number.
//
// A square of 2^k x 2^k cells is a node of four squares half as wide, down to leaves of 32 x 32
// cells. Leaves are tiles in the layout of a level's windows (level/level.h). So a universe with
// many equal parts takes little memory, and two squares are equal if their numbers are.
//
//      number    0                  dead, of any size
//                1 .. 2^31 - 1      a node: its position among all nodes
//                2^31 ..            a leaf: leaves[number - 2^31]
//
//      nodes     records of 20 bytes, four squares and a result. Three     +-----+-----+
//                share a cache line; every fourth number is unused.        | nw 0| ne 1|
//      leaves    tiles of 128 bytes                                        +-----+-----+
//      indices   of either by content: lines of 64 bytes that hold 12      | sw 2| se 3|
//                numbers and a byte of the hash of each                    +-----+-----+
//
// **A number stays valid** until no root needs its square: memory grows in chunks, and a collection
// frees the squares that no gc_root (lc_gc_root) reaches and moves none. So squares created
// together are stored together. (An earlier version was a hash table of the nodes themselves. A
// look-up waited once instead of twice, but a larger table needed new numbers for all nodes, and
// twice the memory.)
//
// **Look-ups come in batches** and are prefetched in turns, so that many wait for memory at once.
// Several threads may make them without waiting for each other: a line of an index is locked only
// while a number is added. A thread that creates squares has a stock of reserved room. It draws
// more from available memory (lc_store_draw), or reserves more while no other thread works
// (lc_store_reserve).
//
// Hashing a quadtree's squares so that equal ones are stored once is R. W. Gosper's idea
// (Exploiting regularities in large cellular spaces, Physica D 10, 1984).
#ifndef LC_QUADTREE_STORE_H
#define LC_QUADTREE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context_resources.h"
#include "level/level.h"

typedef uint32_t lc_square;

enum {
    LC_NW, // places in a node
    LC_NE,
    LC_SW,
    LC_SE,
    LC_LEAF_LOG2 = LC_TILE_LOG2, // a leaf's side
    LC_LEAF_BYTES = 4 * LC_TILE_WORDS,
    LC_CHUNK_BYTES = 2 << 20,
    LC_LEAF_CHUNK_LOG2 = 14, // leaves
    LC_NODE_CHUNK_LOG2 = 17, // numbers of nodes
    LC_NODES_OF_LINE = 3,
    LC_USES_MOST = 2,
    LC_LINE_NUMBERS = 12,
    LC_FIRST_NODE_LINES = 1 << 13, // of a new store's index
    LC_FIRST_LEAF_LINES = 1 << 12,
};

#define LC_SQUARE_LEAF (UINT32_C(1) << 31)
// Special values of a result.
#define LC_RESULT_NONE UINT32_MAX
#define LC_RESULT_WANTED (UINT32_MAX - 1) // a thread is computing it

// A record in the form of a node: the future of child[0] under a step that differs from its result.
// child[1] encodes the number of the step, which the engine defines, 255 at most. The other
// children are 0.
#define LC_WAY_FIRST (UINT32_MAX - 255)

typedef struct lc_node {
    lc_square child[4];
    lc_square result; // the engine's; LC_RESULT_NONE in a new node
} lc_node;

typedef struct lc_node_line {
    _Alignas(64) lc_node nodes[LC_NODES_OF_LINE];
    uint32_t uses; // two bits per node: found recently, and found more than once
} lc_node_line;

typedef struct lc_index_line {
    uint32_t numbers[LC_LINE_NUMBERS]; // the first 0 ends the list
    uint8_t tags[LC_LINE_NUMBERS];
    uint32_t state; // flags: LC_INDEX_IS_PASSED, LC_INDEX_IS_LOCKED
} lc_index_line;

typedef struct lc_arena_kind lc_arena_kind;

// All nodes, or all leaves.
typedef struct lc_arena {
    const lc_arena_kind *kind;
    void **chunks;
    uint64_t chunk_count;
    uint64_t used, most; // number of squares, and the limit until more memory is needed
    uint64_t *marks;     // bits of the numbers in use below marked_end
    uint32_t marked_end;
    lc_index_line *lines; // the index
    uint64_t line_count;
    // The members that worker threads change have their own cache line, because all threads read
    // the members above.
    unsigned char apart[64];
    uint32_t next;      // lowest number never allocated; a multiple of 64
    uint32_t given_end; // numbers from here to marked_end can be reused, 64 at a time
    unsigned char apart_too[64];
} lc_arena;

// The numbers first + i for each set bit i.
typedef struct lc_numbers {
    uint32_t first;
    uint64_t bits;
} lc_numbers;

// The squares that one thread may create before it must reserve more, and the ones it has created.
typedef struct lc_stock {
    uint64_t nodes, leaves, made_nodes, made_leaves;
    lc_numbers of_nodes, of_leaves; // numbers reserved for this stock
} lc_stock;

typedef struct lc_gc_root lc_gc_root;

typedef struct lc_store {
    lc_context *context;
    uint64_t limit_bytes, held_bytes;
    // Beyond limit_bytes, for saving and counting: see lc_store_scratch_bytes.
    uint64_t spare_bytes;
    // The store itself while no thread works on it. Then a read-only walk may use the memory of the
    // indices. NULL: not allowed.
    struct lc_store *lender;
    lc_arena nodes, leaves;
    // Squares reserved by stocks, created or not, in addition to `used`.
    uint64_t lent_nodes, lent_leaves;
    lc_stock stock; // for a single thread
    bool is_shared; // several threads are looking up squares
    // Whether look-ups record the use of nodes. This takes time, so it begins when collections may
    // become necessary.
    bool notes_uses;
    // Runs task(argument, index) for all indices below `count` on several threads. NULL: there is
    // only one thread.
    void (*run_parts)(void *context, size_t count, void (*task)(void *argument, size_t index),
                      void *argument);
    void *parts_context;
    lc_gc_root *gc_roots;
    uint64_t marked_nodes, marked_leaves; // during a collection
    uint64_t epoch;                       // rises when numbers may have been reused
} lc_store;

// Called with each square that must survive a collection. with_result: the square's result survives
// as well, if it is known.
typedef struct lc_keeping {
    void (*call)(const struct lc_keeping *self, lc_square *square, bool with_result);
    lc_store *store;
} lc_keeping;

// A set of garbage collection roots. `each` calls keeping->call for all of them.
struct lc_gc_root {
    void (*each)(void *context, const lc_keeping *keeping);
    void *context;
    lc_gc_root *next;
};

static inline void lc_keep(const lc_keeping *keeping, lc_square *square)
{
    keeping->call(keeping, square, false);
}

// Memory of a new store.
#define LC_STORE_BYTES                                                                             \
    (UINT64_C(64) * (LC_FIRST_NODE_LINES + LC_FIRST_LEAF_LINES) + UINT64_C(2) * LC_CHUNK_BYTES)

// LC_ERROR_LIMIT, LC_ERROR_MEMORY: there is nothing to free.
lc_status lc_store_init(lc_store *store, lc_context *context, uint64_t limit_bytes,
                        lc_message *message);
void lc_store_free(lc_store *store);

// Sets the limit. Squares may take seven eighths of limit_bytes. The rest is spare memory, which
// allows counting and saving when the squares have reached their limit.
void lc_store_set_limit(lc_store *store, uint64_t limit_bytes);
// Like lc_store_init, with such a limit.
lc_status lc_store_init_within(lc_store *store, lc_context *context, uint64_t limit_bytes,
                               lc_message *message);

// Grows a list outside the arenas to *room elements, at least `least`. All such lists together
// (*lists_bytes) use the spare bytes first and then the limit. Call lc_store_forget_lists after
// freeing them. LC_ERROR_LIMIT, LC_ERROR_MEMORY: nothing has changed.
lc_status lc_store_grow_list(lc_store *store, uint64_t *lists_bytes, void **list, size_t *room,
                             size_t least, size_t element_bytes, lc_message *message);
void lc_store_forget_lists(lc_store *store, uint64_t *lists_bytes);

// Registers a set of roots. `gc_root` must stay valid until it is removed.
void lc_store_add_root(lc_store *store, lc_gc_root *gc_root);
void lc_store_remove_root(lc_store *store, lc_gc_root *gc_root);

static inline bool lc_square_is_leaf(lc_square square)
{
    return (square & LC_SQUARE_LEAF) != 0;
}

static inline lc_node_line *lc_store_line(const lc_store *store, lc_square node)
{
    lc_node_line *lines = store->nodes.chunks[node >> LC_NODE_CHUNK_LOG2];
    return &lines[node % (UINT32_C(1) << LC_NODE_CHUNK_LOG2) / 4];
}

// Returns a node that is not dead. A line has 16 bytes for each of its four numbers; each of its
// three nodes needs four more.
static inline lc_node *lc_store_node(const lc_store *store, lc_square node)
{
    unsigned char *chunk = store->nodes.chunks[node >> LC_NODE_CHUNK_LOG2];
    const size_t number = node % (UINT32_C(1) << LC_NODE_CHUNK_LOG2);
    return (lc_node *)(void *)(chunk + 16 * number + 4 * (number % 4));
}

// Returns a node's quarter; 0 if the node is dead.
static inline lc_square lc_store_child(const lc_store *store, lc_square node, int place)
{
    return node == 0 ? 0 : lc_store_node(store, node)->child[place];
}

static inline uint32_t *lc_store_leaf(const lc_store *store, lc_square leaf)
{
    leaf &= ~LC_SQUARE_LEAF;
    uint32_t *tiles = store->leaves.chunks[leaf >> LC_LEAF_CHUNK_LOG2];
    return tiles + leaf % (UINT32_C(1) << LC_LEAF_CHUNK_LOG2) * (size_t)LC_TILE_WORDS;
}

// Returns the cells of a leaf, which may be dead.
const uint32_t *lc_store_cells(const lc_store *store, lc_square leaf);

// All numbers of nodes are below this.
static inline uint64_t lc_store_node_end(const lc_store *store)
{
    return store->nodes.next;
}

// Reserves room for this many new squares of any content, so that the next look-ups with this stock
// cannot fail. LC_ERROR_LIMIT, LC_ERROR_MEMORY: a collection may help. No other thread may work on
// the store, and all other stocks must have been returned.
lc_status lc_store_reserve(lc_store *store, lc_stock *stock, size_t nodes, size_t leaves,
                           lc_message *message);
// Like lc_store_reserve, from memory that is already available. Returns false if there is too
// little. Other threads may work on the store.
bool lc_store_draw(lc_store *store, lc_stock *stock, size_t nodes, size_t leaves);
// Allocates memory for this many squares without stopping other threads, so that lc_store_draw can
// succeed. No other thread may extend or reserve at the same time. Returns false if only
// lc_store_reserve can help.
bool lc_store_extend(lc_store *store, size_t nodes, size_t leaves);
// Returns the unused part of a stock to the store.
void lc_store_return(lc_store *store, lc_stock *stock);

// Finds the numbers of `count` nodes with these children, or of leaves with these cells, and
// creates the missing ones. The stock must have room for them. Sets `results` to the nodes'
// results; 0 for the dead node.
void lc_store_find_nodes(lc_store *store, lc_stock *stock, const lc_square (*children)[4],
                         size_t count, lc_square *found, lc_square *results);
void lc_store_find_leaves(lc_store *store, lc_stock *stock, const uint32_t (*cells)[LC_TILE_WORDS],
                          size_t count, lc_square *found);

// Finds one square with the store's own stock.
lc_square lc_store_find_node(lc_store *store, const lc_square children[4]);
lc_square lc_store_find_leaf(lc_store *store, const uint32_t cells[LC_TILE_WORDS]);

// Returns whether a node is a record of another step (LC_WAY_FIRST).
static inline bool lc_node_is_way(const lc_node *node)
{
    return node->child[1] >= LC_WAY_FIRST;
}

// Returns the memory that a walk over many squares may use for its own data, beyond the held bytes.
// Without spare bytes it is unlimited.
uint64_t lc_store_scratch_bytes(const lc_store *store);

// store_tables.c: a word for each node and each leaf, initially 0, for a walk that creates no
// squares. If the walk touches many of them and the store lends the memory of its indices, the
// tables move there. The indices are rebuilt when the tables are returned, and no square can be
// looked up until then. A store at work does not lend. Returns false if out of memory; then there
// is nothing to return.
typedef struct lc_store_table {
    const lc_arena *arena;
    uint32_t *words;
    uint64_t *touched; // bits of the touched pages of words
    bool is_lent;
} lc_store_table;

typedef struct lc_store_tables {
    const lc_store *store;
    lc_store_table of_nodes, of_leaves;
    uint64_t pages, most_pages; // own pages in use, and their limit
} lc_store_tables;

bool lc_store_take_tables(const lc_store *store, lc_store_tables *tables);
void lc_store_return_tables(lc_store_tables *tables);
void lc_store_table_put(lc_store_tables *tables, lc_square square, uint32_t word);

static inline uint32_t lc_store_table_get(const lc_store_tables *t, lc_square square)
{
    return lc_square_is_leaf(square) ? t->of_leaves.words[square & ~LC_SQUARE_LEAF]
                                     : t->of_nodes.words[square];
}

// store_count.c: counts the live cells of a square, and lower bounds of the runs of live cells and
// of the rows with live cells. Runs that begin in a leaf's first column are not counted, and
// adjacent squares may share rows. Takes time per distinct square. Returns false if out of memory.
bool lc_store_count(const lc_store *store, lc_square square, double *cells, double *runs,
                    double *rows);

// Returns how often look-ups have found a node recently: 0, 1, or LC_USES_MOST for more.
// lc_store_note_use counts as a look-up, if uses are recorded. A collection subtracts one. The
// value is a hint: with several threads, some uses may be lost.
void lc_store_note_use(const lc_store *store, lc_square node);
int lc_store_uses(const lc_store *store, lc_square node);

// Collections (store_garbage.c): begin marks all that the gc_roots hold, with its descendants; mark
// adds more squares; end frees the rest. LC_ERROR_MEMORY: there was no memory for marks, and no
// collection has begun.
lc_status lc_store_begin_collection(lc_store *store, lc_message *message);
void lc_store_mark(lc_store *store, lc_square square);
// Also clears results that are not marked.
void lc_store_end_collection(lc_store *store);

// For the files of the store alone ----------------------------------------------------------------

// store.c: allocates memory that counts against the limit. LC_ERROR_LIMIT, LC_ERROR_MEMORY.
lc_status lc_store_take(lc_store *store, void **out, uint64_t bytes, lc_message *message);
void lc_store_give(lc_store *store, void *memory, uint64_t bytes);
// Returns LC_ERROR_LIMIT with its message.
lc_status lc_store_is_full(const lc_store *store, lc_message *message);

// nodes.c: frees unmarked nodes and lowers the use counts of the others.
void lc_nodes_sweep(lc_store *store);

// Marks a function that may read memory during a write by another thread and tolerates the result.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LC_RACY __attribute__((no_sanitize("thread"), noinline))
#endif
#elif defined(__SANITIZE_THREAD__)
#define LC_RACY __attribute__((no_sanitize("thread"), noinline))
#endif
#ifndef LC_RACY
#define LC_RACY inline
#endif

static inline uint64_t lc_folded(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
