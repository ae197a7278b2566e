// A store of canonical squares: any two squares of cells that are equal are one, with one number.
//
// A square of 2^k x 2^k cells is a node of four squares half as wide, down to leaves of 32 x 32
// cells, which are tiles as a level's windows want them (level/level.h). So a universe in which
// much is equal to something else takes little memory, and that two squares are equal is seen by
// comparing two numbers.
//
//      number    0                  dead, of any size
//                1 .. 2^31 - 1      a node: the place where it lies among all nodes
//                2^31 ..            a leaf: leaves[number - 2^31]
//
//      nodes     records of 20 bytes, four squares and a result. Three     +-----+-----+
//                are a line of memory; every fourth number is nobody's.    | nw 0| ne 1|
//      leaves    tiles of 128 bytes                                        +-----+-----+
//      indices   of either by content: lines of 64 bytes that hold 12      | sw 2| se 3|
//                numbers and a byte of the hash of each                    +-----+-----+
//
// **A number stays what it is** until nobody wants the square any more: memory grows in chunks, and
// a collection frees what no keeper wants (lc_keeper) and moves nothing. So squares that are made
// together lie together. (There was a hash table of the nodes themselves, where a look-up waits
// once instead of twice; but a larger one took new numbers for all, and twice the memory.)
//
// **Look-ups come in batches**, and are prefetched in turns, so that many wait for memory at once.
// They may be made by several threads, which do not wait for each other: a line of an index is
// locked only while a number is put into it. Who makes squares has a stock of room, and draws more
// from what was set aside, or asks for more while nobody else is at work (lc_store_reserve).
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
    uint32_t uses; // two bits for each node: it was found of late, and more than once
} lc_node_line;

typedef struct lc_index_line {
    uint32_t numbers[LC_LINE_NUMBERS]; // the first 0 is the end
    uint8_t tags[LC_LINE_NUMBERS];
    uint32_t state; // whether there was more than fits, and it is in the next line; a lock
} lc_index_line;

typedef struct lc_arena_kind lc_arena_kind;

// All nodes, or all leaves.
typedef struct lc_arena {
    const lc_arena_kind *kind;
    void **chunks;
    uint64_t chunk_count;
    uint64_t used, most; // so many squares, until there must be more memory
    uint64_t *marks;     // in use, a bit each, those below marked_end
    uint32_t marked_end;
    lc_index_line *lines; // the index
    uint64_t line_count;
    // What threads at work change has a line of memory of its own: all of them read what is above.
    unsigned char apart[64];
    uint32_t next;      // numbers from there on were never given to anybody; a multiple of 64
    uint32_t given_end; // those from there on to marked_end are still to be given, 64 at a time
    unsigned char apart_too[64];
} lc_arena;

// Of first .. first + 63 those with a bit.
typedef struct lc_numbers {
    uint32_t first;
    uint64_t bits;
} lc_numbers;

// What one thread may make before it must ask again, and what it has made of that.
typedef struct lc_stock {
    uint64_t nodes, leaves, made_nodes, made_leaves;
    lc_numbers of_nodes, of_leaves; // that nobody else may use
} lc_stock;

typedef struct lc_keeper lc_keeper;

typedef struct lc_store {
    lc_context *context;
    uint64_t limit_bytes, held_bytes;
    // Beyond limit_bytes, for what saving and counting need: see lc_store_scratch_bytes.
    uint64_t spare_bytes;
    // Itself while nobody is at work: who only looks at it may use the memory of its indices.
    // NULL: nobody may.
    struct lc_store *lender;
    lc_arena nodes, leaves;
    // Beyond `used`: what was put into stocks, whether it has been made or not.
    uint64_t lent_nodes, lent_leaves;
    lc_stock stock; // of who is alone with it
    bool is_shared; // several threads look up at the moment
    // Whether it is noted which nodes are found: once collections may come, since it takes time.
    bool notes_uses;
    // Runs task(argument, index) for all indices below `count`, on several threads; NULL: there is
    // only one.
    void (*run_parts)(void *context, size_t count, void (*task)(void *argument, size_t index),
                      void *argument);
    void *parts_context;
    lc_keeper *keepers;
    uint64_t marked_nodes, marked_leaves; // while squares are collected
    uint64_t epoch;                       // rises when numbers may be another square's
} lc_store;

// What is to be done with a square that somebody holds. with_result: if its result is known, that
// is held as well.
typedef struct lc_keeping {
    void (*call)(const struct lc_keeping *self, lc_square *square, bool with_result);
    lc_store *store;
} lc_keeping;

// Somebody who holds squares while room is made. `each` calls keeping->call for all of them.
struct lc_keeper {
    void (*each)(void *context, const lc_keeping *keeping);
    void *context;
    lc_keeper *next;
};

static inline void lc_keep(const lc_keeping *keeping, lc_square *square)
{
    keeping->call(keeping, square, false);
}

// What a new one takes.
#define LC_STORE_BYTES                                                                             \
    (UINT64_C(64) * (LC_FIRST_NODE_LINES + LC_FIRST_LEAF_LINES) + UINT64_C(2) * LC_CHUNK_BYTES)

// LC_ERROR_LIMIT, LC_ERROR_MEMORY: nothing is held.
lc_status lc_store_init(lc_store *store, lc_context *context, uint64_t limit_bytes,
                        lc_message *message);
void lc_store_free(lc_store *store);

// Sets the limit: seven eighths for squares, the rest to count and save them when those are full.
void lc_store_set_limit(lc_store *store, uint64_t limit_bytes);
// lc_store_init with such a limit.
lc_status lc_store_init_within(lc_store *store, lc_context *context, uint64_t limit_bytes,
                               lc_message *message);

// A list beside the store grows to *room elements, `least` or more: it takes of the spare bytes,
// and beyond them of the limit, what all such lists together take (*lists_bytes).
// lc_store_forget_lists when they are freed. LC_ERROR_LIMIT, LC_ERROR_MEMORY: nothing has changed.
lc_status lc_store_grow_list(lc_store *store, uint64_t *lists_bytes, void **list, size_t *room,
                             size_t least, size_t element_bytes, lc_message *message);
void lc_store_forget_lists(lc_store *store, uint64_t *lists_bytes);

// The keeper is lent until it is taken away.
void lc_store_add_keeper(lc_store *store, lc_keeper *keeper);
void lc_store_remove_keeper(lc_store *store, lc_keeper *keeper);

static inline bool lc_square_is_leaf(lc_square square)
{
    return (square & LC_SQUARE_LEAF) != 0;
}

static inline lc_node_line *lc_store_line(const lc_store *store, lc_square node)
{
    lc_node_line *lines = store->nodes.chunks[node >> LC_NODE_CHUNK_LOG2];
    return &lines[node % (UINT32_C(1) << LC_NODE_CHUNK_LOG2) / 4];
}

// Neither is dead. A line has 16 bytes for each of its four numbers, and a node needs four more.
static inline lc_node *lc_store_node(const lc_store *store, lc_square node)
{
    unsigned char *chunk = store->nodes.chunks[node >> LC_NODE_CHUNK_LOG2];
    const size_t number = node % (UINT32_C(1) << LC_NODE_CHUNK_LOG2);
    return (lc_node *)(void *)(chunk + 16 * number + 4 * (number % 4));
}

// A node's quarter; 0 of a dead one.
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

// The cells of a leaf that may be dead.
const uint32_t *lc_store_cells(const lc_store *store, lc_square leaf);

// Numbers of nodes are below this.
static inline uint64_t lc_store_node_end(const lc_store *store)
{
    return store->nodes.next;
}

// Room for so many more, whatever they are: then the next look-ups with this stock cannot fail.
// LC_ERROR_LIMIT: it would be more than the limit. LC_ERROR_MEMORY. A collection may help with
// either. Nobody else is at work, and other stocks were returned.
lc_status lc_store_reserve(lc_store *store, lc_stock *stock, size_t nodes, size_t leaves,
                           lc_message *message);
// The same, of what was set aside; false: there is not enough. Others may be at work.
bool lc_store_draw(lc_store *store, lc_stock *stock, size_t nodes, size_t leaves);
// Memory for so many more, as far as that needs nobody to wait: then `draw` may find it. Others may
// be at work, but nobody else extends or reserves. False: lc_store_reserve has to be asked.
bool lc_store_extend(lc_store *store, size_t nodes, size_t leaves);
// What is left of a stock is anybody's again.
void lc_store_return(lc_store *store, lc_stock *stock);

// Numbers of `count` nodes of these squares, and of leaves of these tiles; they are made if they
// are not there. There is room for them in the stock. `results` is given what the nodes' records
// say; 0 of the dead one.
void lc_store_find_nodes(lc_store *store, lc_stock *stock, const lc_square (*children)[4],
                         size_t count, lc_square *found, lc_square *results);
void lc_store_find_leaves(lc_store *store, lc_stock *stock, const uint32_t (*cells)[LC_TILE_WORDS],
                          size_t count, lc_square *found);

// One, from the store's own stock.
lc_square lc_store_find_node(lc_store *store, const lc_square children[4]);
lc_square lc_store_find_leaf(lc_store *store, const uint32_t cells[LC_TILE_WORDS]);

// A record of such a way.
static inline bool lc_node_is_way(const lc_node *node)
{
    return node->child[1] >= LC_WAY_FIRST;
}

// What looks at many squares may take about so much memory for what it finds, beyond what is held.
// A store that states no spare bytes sets no limit.
uint64_t lc_store_scratch_bytes(const lc_store *store);

// store_tables.c: a word for each node and each leaf, 0 at first, for a walk that makes no squares.
// If it touches much of them, and the store lends its indices' memory, they move there, and the
// indices are made again when the tables are returned: no square can be looked up until then. A
// store that is at work has no lender. False: there is no memory, and nothing to return.
typedef struct lc_store_table {
    const lc_arena *arena;
    uint32_t *words;
    uint64_t *touched; // pages of words, a bit each
    bool is_lent;
} lc_store_table;

typedef struct lc_store_tables {
    const lc_store *store;
    lc_store_table of_nodes, of_leaves;
    uint64_t pages, most_pages; // of memory of their own
} lc_store_tables;

bool lc_store_take_tables(const lc_store *store, lc_store_tables *tables);
void lc_store_return_tables(lc_store_tables *tables);
void lc_store_table_put(lc_store_tables *tables, lc_square square, uint32_t word);

static inline uint32_t lc_store_table_get(const lc_store_tables *t, lc_square square)
{
    return lc_square_is_leaf(square) ? t->of_leaves.words[square & ~LC_SQUARE_LEAF]
                                     : t->of_nodes.words[square];
}

// store_count.c: how many cells of a square are alive, and how many runs of live cells its rows
// have at least, since those that begin in a leaf's first column are not counted; and in how many
// rows cells are alive, at least, since rows of neighbours may be the same ones. It takes the time
// of the squares that are different. False: there was no memory for it.
bool lc_store_count(const lc_store *store, lc_square square, double *cells, double *runs,
                    double *rows);

// How often a node was found of late: 0, 1, or LC_USES_MOST for more. Looking it up counts, and so
// does this, where uses are noted. A collection makes one less of it. It is a hint: when several
// threads are at work, some may be lost.
void lc_store_note_use(const lc_store *store, lc_square node);
int lc_store_uses(const lc_store *store, lc_square node);

// Collections (collect.c): begin, which marks what the keepers hold, with all that it is made of;
// mark more, which is counted; end. LC_ERROR_MEMORY: there was none for marks, and none has begun.
lc_status lc_store_begin_collection(lc_store *store, lc_message *message);
void lc_store_mark(lc_store *store, lc_square square);
bool lc_store_is_marked(const lc_store *store, lc_square square);
// Results that were not marked are forgotten.
void lc_store_end_collection(lc_store *store);

// For the files of the store alone ----------------------------------------------------------------

// store.c: memory that counts. LC_ERROR_LIMIT, LC_ERROR_MEMORY.
lc_status lc_store_take(lc_store *store, void **out, uint64_t bytes, lc_message *message);
void lc_store_give(lc_store *store, void *memory, uint64_t bytes);
// LC_ERROR_LIMIT.
lc_status lc_store_is_full(const lc_store *store, lc_message *message);

// nodes.c: what was not marked is freed, and the others were found less of late.
void lc_nodes_sweep(lc_store *store);

// A function that reads what somebody may be writing, and makes nothing of it then.
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
