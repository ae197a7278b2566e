// The hashlife engine: HashLife, a quadtree whose nodes memoise their own futures.
//
// A node is a square of 2^k x 2^k cells (quadtree/store.h). During 2^(k-2) generations the cells of
// its middle half depend only on cells of the node. The middle half 2^(k-2) generations later is
// the node's **result**, which is memoised with the node. It is computed from results of smaller
// nodes, in two steps of half as many generations:
//
//     +---+---+---+---+        nine overlapping squares, half as wide,
//     | a | b | c | d |        nw = (a b e f)  n = (b c f g)  ne = (c d g h)  ...
//     +---+---+---+---+        and their results, which lie side by side:
//     | e | f | g | h |              +---+---+---+
//     +---+---+---+---+              | 0 | 1 | 2 |     Four overlapping squares of these,
//     | i | j | k | l |              +---+---+---+     (0 1 3 4) (1 2 4 5) (3 4 6 7) (4 5 7 8),
//     +---+---+---+---+              | 3 | 4 | 5 |     have results that together are the
//     | m | n | o | p |              +---+---+---+     middle half of the node, 2^(k-2)
//     +---+---+---+---+              | 6 | 7 | 8 |     generations later.
//                                    +---+---+---+
//
// Each level doubles the number of generations with about twelve look-ups. So a universe that
// repeats in space or time jumps 2^k generations in a time that hardly depends on k.
//
// **Smaller steps.** For a step of 2^j generations with j < k - 2, the middle of the node 2^j later
// is assembled from the nine results for 2^j, without a second step. These results are stored under
// (node, j) in step records beside the nodes (lc_node_is_way). So results for one step length
// survive steps of another length.
//
// **Leaves** are 32 x 32 cells. The engine computes the result of 64 x 64 cells after up to 16
// generations in 200 ns, which is less than the look-ups of its parts would take.
//
// **Batches.** Look-ups miss the caches. So the engine computes results for lists of nodes of one
// level (hashlife_results.c), not one by one and depth first. All results that a list needs from
// the next level form one list again. Its look-ups are made together, so that their cache misses
// overlap.
//
// **Workers** (hashlife_workers.c) share the store. An idle worker steals some of the largest
// pending squares from another worker's lists. Only one worker computes a square: another worker
// that needs a pending result waits for it after it has finished its own work. A worker that waits
// for a square has no work of that size or smaller left. So workers that wait for each other wait
// for ever smaller squares, and at least one works.
//
// **Streams** (hashlife_streams.h) are a setting: the engine splits squares in which spaceships
// pass each other.
//
// R. W. Gosper: Exploiting regularities in large cellular spaces, Physica D 10 (1984) 75-80.
#ifndef LC_ENGINE_HASHLIFE_HASHLIFE_H
#define LC_ENGINE_HASHLIFE_HASHLIFE_H

#include <pthread.h>

#include "engine/engine_interface.h"
#include "level/window_steps.h"
#include "quadtree/tree.h"

enum {
    LC_BATCH = 128, // nodes whose results are computed together
    LC_NINE = 9,    // squares of the first step of a node's result
    LC_LIST = LC_BATCH * LC_NINE,
    LC_HASHLIFE_WORKERS_MAX = 64, // threads
    LC_SEEN = 64,                 // roots remembered, to detect the period
};

// A node whose result is needed, and the record that will hold it: the node itself or a step
// record.
typedef struct lc_job {
    lc_square node, record;
} lc_job;

// Nodes of one level whose results are computed together.
typedef struct lc_square_batch {
    size_t count;
    lc_job jobs[LC_BATCH];
    // The squares found so far: `each` for every node. records[i][k] is the record that holds or
    // will hold the result of squares[i][k]; 0: squares[i][k] is the result itself.
    int each;
    lc_square squares[LC_BATCH][LC_NINE], records[LC_BATCH][LC_NINE];
    // Positions of non-zero records, as node * LC_NINE + place. There are few.
    uint16_t waiting[LC_BATCH * LC_NINE];
    size_t waiting_count;
    // The jobs among them that this batch has claimed, for the next level. `offer` has the number
    // of jobs in its upper half and the index of the next untaken job in its lower half. They share
    // one word so that a late worker takes nothing from a list that has been replaced. Idle workers
    // poll `offer`, so it is on a cache line apart from the data that the batch's own thread
    // writes.
    lc_job list[LC_LIST];
    size_t list_count;
    _Alignas(64) uint64_t offer;
} lc_square_batch;

// A root after some jump, `at` generations after the first remembered root.
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
    lc_square_batch *batches[256]; // by level; NULL: not needed yet
    // For the current batch: leaves, and squares to look up.
    uint32_t (*cells)[LC_TILE_WORDS];
    lc_square keys[LC_LIST][4], found[LC_LIST], known[LC_LIST];
    uint64_t results; // computed so far
    bool asks_watch;
    // The number of its batches whose lists other workers may take parts of. Idle workers poll it.
    _Alignas(64) unsigned open_lists;
} lc_hashlife_worker;

struct lc_hashlife {
    lc_engine base;
    lc_engine_config config;
    const lc_level *level;
    // Two alternating rules, or the same rule twice. Results begin with rules[0]; the next
    // generation uses rules[odd].
    const lc_rule *rules[2]; // lent
    unsigned odd;
    bool has_other_rules;  // than the memoised results
    lc_window_steps steps; // of `rules`

    lc_store store;
    lc_tree tree;
    lc_gc_root gc_root; // of the workers' squares

    // hashlife_torus.c: the binary logarithms of the torus's longer and shorter side, and whether
    // the longer one is its width; torus_log2 is 0 for a plane.
    int torus_log2, copy_log2;
    bool is_wide;

    int jump_log2; // of the longest jump that may come next
    // A jump that runs on one thread for longer than help_after_ns is restarted on all threads. It
    // keeps the results computed so far.
    bool is_worthwhile; // the next jump starts with several threads
    bool is_always_worthwhile;
    bool needs_help;
    uint64_t began_ns, help_after_ns;
    int workers_wanted; // of the next jump that starts with several
    double rates[2];    // of recent jumps, results per nanosecond: one thread, several
    int alone_left;     // jumps that still start on one thread, which was faster
    size_t least_part;  // the least number of nodes that a worker steals
    int root_log2;      // of the square whose result is being computed
    int step_log2;      // of the current step
    unsigned step_odd;
    // The last roots. A repeated root gives the period, even if it is not a power of two: jumps are
    // powers of two, which recur modulo the period.
    lc_seen seen[LC_SEEN];
    size_t seen_count; // total; the next root replaces seen[seen_count % LC_SEEN]
    uint64_t seen_generations, period;
    lc_hashlife_worker **workers; // [worker_count]; the first is the caller's
    int worker_count;
    int workers_at_work; // of the current jump
    uint64_t collections;
    struct lc_hashlife_sums *sums; // hashlife_facts.c: cached facts of squares; NULL: none
    struct lc_streams *streams;    // NULL: the setting is off
    char plan[192];
    uint64_t looked_ns; // when the pass began or the watch was last asked
    bool has_jumped;    // in this pass; the universe learns of its jumps when it ends

    // While several workers run.
    pthread_mutex_t mutex; // of the members below
    pthread_cond_t changed;
    pthread_cond_t offered; // there is work for sleeping workers
    int asleep;             // number of sleeping workers; also read without the mutex
    int at_work, parked;    // working; those of them that wait for the exclusive worker
    bool wants_to_be_alone;
    // While one thread has exclusive access it can publish work that the parked threads execute.
    void (*part)(void *argument, size_t index);
    void *part_argument;
    size_t part_count, next_part;
    int at_parts; // number of parked workers that run a part
    bool is_over; // the whole work has ended or failed
    lc_status failure;
    lc_message why;
};

// hashlife_results.c. Computes the middle half of a node of 2^log2 cells a side, 2^step_log2
// generations later, at most 2^(log2 - 2). LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_STOPPED (the
// watch).
lc_status lc_hashlife_result(lc_hashlife *h, lc_square node, int log2, lc_square *result,
                             lc_message *message);
// Computes the results of nodes of that level, which are LC_RESULT_WANTED.
lc_status lc_hashlife_worker_make(lc_hashlife_worker *worker, int log2, const lc_job *jobs,
                                  size_t count, lc_message *message);
// Does the same without splitting nodes into streams.
lc_status lc_hashlife_worker_make_whole(lc_hashlife_worker *worker, int log2, const lc_job *jobs,
                                        size_t count, lc_message *message);

// hashlife_workers.c. Creates the workers. LC_ERROR_MEMORY.
lc_status lc_hashlife_create_workers(lc_hashlife *h, lc_message *message);
void lc_hashlife_free_workers(lc_hashlife *h);
// Returns the number of results made so far.
uint64_t lc_hashlife_results(const lc_hashlife *h);
// Returns the batch of a level; NULL: out of memory.
lc_square_batch *lc_hashlife_worker_batch(lc_hashlife_worker *worker, int log2);
// Runs `whole` on the first worker. Other workers take parts of it if that is worthwhile.
lc_status lc_hashlife_run(lc_hashlife *h,
                          lc_status (*whole)(lc_hashlife_worker *worker, lc_message *message),
                          lc_message *message);
// Opens a list of nodes of that level to all workers. Returns when workers have taken all parts and
// this worker has finished its own.
lc_status lc_hashlife_worker_make_list(lc_hashlife_worker *worker, int log2, lc_square_batch *of,
                                       lc_message *message);
// Waits for another worker to publish this result of that level; steals work while waiting. The
// record belongs to a batch, and a garbage collection may change its number.
lc_status lc_hashlife_worker_wait(lc_hashlife_worker *worker, int log2, const lc_square *record,
                                  lc_message *message);
// Reserves room in the store for more nodes and leaves, as lc_hashlife_reserve.
lc_status lc_hashlife_worker_reserve(lc_hashlife_worker *worker, size_t nodes, size_t leaves,
                                     lc_message *message);
lc_status lc_hashlife_worker_ask_watch(lc_hashlife_worker *worker, lc_message *message);

// hashlife_torus.c. Whether the engine can step the topology: a plane, or a torus that suits it.
bool lc_hashlife_takes(const lc_topology *topology);
// Sets the topology of a new engine.
void lc_hashlife_take_torus(lc_hashlife *h, const lc_topology *topology);
// Steps the torus in the tree 2^h->step_log2 generations.
lc_status lc_hashlife_jump_on_torus(lc_hashlife *h, lc_message *message);

// hashlife_garbage.c. Makes room for more nodes and leaves. LC_ERROR_LIMIT: the squares that must
// be kept exceed the limit. No other worker may run.
lc_status lc_hashlife_reserve(lc_hashlife *h, lc_stock *stock, size_t nodes, size_t leaves,
                              lc_message *message);
// Returns the workers' stocks to the store, which counts their squares.
void lc_hashlife_return_stocks(lc_hashlife *h);
// Discards all results.
lc_status lc_hashlife_forget(lc_hashlife *h, lc_message *message);

// hashlife_facts.c: facts of the whole universe, and downsampled views.
lc_status lc_hashlife_facts(lc_engine *engine, unsigned which, lc_facts *facts,
                            lc_message *message);
void lc_hashlife_free_sums(lc_hashlife *h);
lc_status lc_hashlife_view(lc_engine *engine, const lc_view *squares, lc_message *message);
lc_status lc_hashlife_count_coarse(lc_engine *engine, const lc_coarse_view *squares,
                                   lc_message *message);

#endif
