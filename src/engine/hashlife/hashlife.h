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
// (hashlife_results.c): all that a list wants from the next level is one list again, and its
// look-ups are made together, so that many wait for memory at the same time.
//
// **Threads** (hashlife_workers.c) share the store. What is on one's list is open to all: who has
// nothing to do takes some of the largest squares that are still to be done from somebody else. A
// square whose result somebody is about to find is not worked on twice: it is waited for, once all
// that one can do oneself is done. Whoever waits for a square of some size has none of that size or
// smaller left to do, so those who wait for each other wait for smaller and smaller ones, and
// somebody works.
//
// **Streams** (hashlife_streams.h), a setting: squares in which spaceships pass each other are
// taken apart.
//
// R. W. Gosper: Exploiting regularities in large cellular spaces, Physica D 10 (1984) 75-80.
#ifndef LC_ENGINE_HASHLIFE_HASHLIFE_H
#define LC_ENGINE_HASHLIFE_HASHLIFE_H

#include <pthread.h>

#include "engine/engine_interface.h"
#include "level/window_steps.h"
#include "quadtree/tree.h"

enum {
    LC_BATCH = 128, // nodes whose results are made together
    LC_NINE = 9,    // squares that a node's result is made of, at first
    LC_LIST = LC_BATCH * LC_NINE,
    LC_HANDS_MAX = 64, // threads
    LC_SEEN = 64,      // roots that are looked for
};

// A node whose result is wanted, and the record that will hold it: the node itself or a way.
typedef struct lc_job {
    lc_square node, record;
} lc_job;

// What is made of nodes of one level together.
typedef struct lc_batch {
    size_t count;
    lc_job jobs[LC_BATCH];
    // What the batch has got so far: `each` squares for every node. `records` hold their results;
    // 0: the square is the result.
    int each;
    lc_square squares[LC_BATCH][LC_NINE], records[LC_BATCH][LC_NINE];
    // Where there are records, of which there are few: node * LC_NINE + place.
    uint16_t waiting[LC_BATCH * LC_NINE];
    size_t waiting_count;
    // Those of them whose results are to be made, on the next level. `offer` is how many there are
    // (the upper half) and which is the next that nobody has taken, in one word, so that somebody
    // who is late takes nothing of a list that is another one by now; whoever has nothing to do
    // looks at it all the time, so it is apart from what the batch's own thread writes.
    lc_job list[LC_LIST];
    size_t list_count;
    _Alignas(64) uint64_t offer;
} lc_batch;

// A root after some jump, `at` generations after the first of those that are remembered.
typedef struct lc_seen {
    lc_square root;
    int root_log2;
    uint64_t at;
} lc_seen;

typedef struct lc_hashlife lc_hashlife;

// The data of one worker thread.
typedef struct lc_hashlife_worker {
    lc_hashlife *h;
    lc_stock stock;
    lc_batch *batches[256]; // by level; NULL: not needed yet
    // Of the present batch: leaves, and squares that are looked up.
    uint32_t (*cells)[LC_TILE_WORDS];
    lc_square keys[LC_LIST][4], found[LC_LIST], known[LC_LIST];
    uint64_t results; // made so far
    bool asks_watch;
    // Number of its batches whose lists other workers may take parts of. Idle workers poll it.
    _Alignas(64) unsigned open_lists;
} lc_hashlife_worker;

struct lc_hashlife {
    lc_engine base;
    lc_engine_config config;
    const lc_level *level;
    // Two rules take turns, or are the same. Results begin with rules[0]; the next generation is
    // made with rules[odd].
    const lc_rule *rules[2]; // lent
    unsigned odd;
    bool has_other_rules;  // than those that the results are of
    lc_window_steps steps; // of `rules`

    lc_store store;
    lc_tree tree;
    lc_gc_root gc_root; // of the workers' squares

    // hashlife_torus.c: the binary logarithms of its longer and its shorter side, and whether the
    // longer one is its width; 0: a plane.
    int torus_log2, copy_log2;
    bool is_wide;

    int jump_log2; // of the longest step that is made next
    // A jump that begins on one thread and takes longer than help_after_ns is begun again on all of
    // them. It keeps the results that it has.
    bool is_worthwhile; // the next one begins with several
    bool is_always_worthwhile;
    bool needs_help;
    uint64_t began_ns, help_after_ns;
    int workers_wanted; // of the next one that begins with several
    double rates[2];    // of late, results a nanosecond: alone, and of several
    int alone_left;     // so many jumps begin alone, since that was faster
    size_t least_part;  // nodes that a thread takes from another one
    int root_log2;      // of the square whose result is made
    int step_log2;      // of the step in hand
    unsigned step_odd;
    // The last roots. One that comes again tells the period, whatever that is: jumps are powers of
    // two, which repeat themselves modulo the period.
    lc_seen seen[LC_SEEN];
    size_t seen_count; // and more: the next one takes the place of seen[seen_count % LC_SEEN]
    uint64_t seen_generations, period;
    lc_hashlife_worker **workers; // [worker_count]; the first is the caller's
    int worker_count;
    int workers_at_work; // of the jump in hand
    uint64_t collections;
    struct lc_hashlife_sums *sums; // hashlife_facts.c: what is known of squares; NULL: nothing
    struct lc_streams *streams;    // hashlife_streams.h; NULL: squares are not taken apart
    char plan[192];
    uint64_t looked_ns; // when the pass began or the watch was last asked
    bool has_jumped;    // in this pass, of whose jumps the universe learns at its end

    // While several are at work.
    pthread_mutex_t mutex; // of what follows
    pthread_cond_t changed;
    pthread_cond_t offered; // there is something to do for those who sleep
    int asleep;             // how many do; read without the mutex, too
    int at_work, parked;    // how many are; of these, how many wait for one who wants to be alone
    bool wants_to_be_alone;
    // While one thread has exclusive access it can publish work that the parked threads execute.
    void (*part)(void *argument, size_t index);
    void *part_argument;
    size_t part_count, next_part;
    int at_parts; // how many of the parked do one
    bool is_over; // the whole is done, or
    lc_status failure;
    lc_message why;
};

// hashlife_results.c: the middle half of a node of 2^log2 cells a side, 2^step_log2 generations
// later, at most 2^(log2 - 2). LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_STOPPED (the watch).
lc_status lc_hashlife_result(lc_hashlife *h, lc_square node, int log2, lc_square *result,
                             lc_message *message);
// Of nodes of that level, whose results are LC_RESULT_WANTED.
lc_status lc_hashlife_worker_make(lc_hashlife_worker *worker, int log2, const lc_job *jobs,
                                  size_t count, lc_message *message);
// The same, none of them taken apart.
lc_status lc_hashlife_worker_make_whole(lc_hashlife_worker *worker, int log2, const lc_job *jobs,
                                        size_t count, lc_message *message);

// hashlife_workers.c. Creates the workers. LC_ERROR_MEMORY.
lc_status lc_hashlife_create_workers(lc_hashlife *h, lc_message *message);
void lc_hashlife_free_workers(lc_hashlife *h);
// Returns the number of results made so far.
uint64_t lc_hashlife_results(const lc_hashlife *h);
// Returns the batch of a level; NULL: out of memory.
lc_batch *lc_hashlife_worker_batch(lc_hashlife_worker *worker, int log2);
// Runs `whole` on the first worker. Other workers take parts of it if that is worthwhile.
lc_status lc_hashlife_run(lc_hashlife *h,
                          lc_status (*whole)(lc_hashlife_worker *worker, lc_message *message),
                          lc_message *message);
// Opens a list of nodes of that level to all workers. Returns when all parts are taken, and those
// taken here are made.
lc_status lc_hashlife_worker_make_list(lc_hashlife_worker *worker, int log2, lc_batch *of,
                                       lc_message *message);
// Waits for another worker to publish this result of that level; steals work while waiting. The
// record is one of a batch, and may get another number.
lc_status lc_hashlife_worker_wait(lc_hashlife_worker *worker, int log2, const lc_square *record,
                                  lc_message *message);
// Room in the store for so many more, as lc_hashlife_reserve.
lc_status lc_hashlife_worker_reserve(lc_hashlife_worker *worker, size_t nodes, size_t leaves,
                                     lc_message *message);
lc_status lc_hashlife_worker_ask_watch(lc_hashlife_worker *worker, lc_message *message);

// hashlife_torus.c: whether it is one that can be stepped so, or a plane; that the universe is one;
// and that the torus in the tree becomes what it is in h->step_log2 generations.
bool lc_hashlife_takes(const lc_topology *topology);
void lc_hashlife_take_torus(lc_hashlife *h, const lc_topology *topology);
lc_status lc_hashlife_jump_on_torus(lc_hashlife *h, lc_message *message);

// hashlife_garbage.c: makes room for so many more. LC_ERROR_LIMIT: what cannot be done without is
// more than there may be. Nobody else is at work.
lc_status lc_hashlife_reserve(lc_hashlife *h, lc_stock *stock, size_t nodes, size_t leaves,
                              lc_message *message);
// Returns the workers' stocks to the store, and counts their results.
void lc_hashlife_return_stocks(lc_hashlife *h);
// Forgets all results.
lc_status lc_hashlife_forget(lc_hashlife *h, lc_message *message);

// hashlife_facts.c: all of the universe, and looks from far away.
lc_status lc_hashlife_facts(lc_engine *engine, unsigned which, lc_facts *facts,
                            lc_message *message);
void lc_hashlife_free_sums(lc_hashlife *h);
lc_status lc_hashlife_view(lc_engine *engine, const lc_view *squares, lc_message *message);
lc_status lc_hashlife_count_coarse(lc_engine *engine, const lc_coarse_view *squares,
                                   lc_message *message);

#endif
