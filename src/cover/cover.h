// A cover: the cells of a universe, stored in one or more blocks.
//
// An engine steps a block, a rectangle of cells. A cover creates blocks where the cells are, steps
// them, and reads and writes cells in universe coordinates. Seven kinds exist:
//
//     whole board     one block: an entire bounded universe
//     board slabs     several blocks that together are one bounded universe
//     rank board      the same, distributed over several processes
//     growing block   one block around all live cells; it moves and grows
//     adaptive        switches between whole board, growing block and self-covering during a run
//     self-covering   an engine that stores an entire universe itself
//     disk board      a bounded universe in a file, stepped one window of rows at a time
//
// Covers store differences from the background. The universe adds the background; a cover does not
// know it. Files in src/cover use each other's internals. Other rooms include only this header,
// disk_board.h, cover_fill.h and, for checkpoints of ranks, rank_part.h.
#ifndef LC_COVER_COVER_H
#define LC_COVER_COVER_H

#include "base/area.h"
#include "engine/engine_interface.h"
#include "grid/planes.h"
#include "lightcone/universe.h"

// Rows are moved through buffers of this size, so that moving them cannot fail.
enum { LC_SPAN_WORDS = 512, LC_SPAN_CELLS = LC_SPAN_WORDS * 64 }; // of one plane

// Options of a cover and of the engines of its blocks.
typedef struct lc_cover_options {
    const lc_rule *rule; // of the stored cells, at first; outlives the cover, as those set later
    lc_topology topology;
    const lc_engine_vtable *engine; // NULL: "auto" chooses one for each block
    char settings[LC_ENGINE_SETTINGS_BYTES];
    char cpu_level[32];
    uint64_t max_memory_bytes;    // 0: the engine's own limit
    int threads;                  // of the pool
    lc_pool *pool;                // must outlive the cover; not needed for lc_cover_check
    lc_context *context;          // must outlive the cover
    const lc_engine_watch *watch; // must outlive the cover; may change between passes
    bool is_part;                 // a window of a board on disk, whose engine must not change
    bool every_cell;              // lc_engine_config.every_cell
    const char *disk;             // the file of a board on disk; NULL: none
    bool disk_exists;             // the file is opened; otherwise it is created
    const char *disk_settings;    // disk_board_internal.h
} lc_cover_options;

// A collective operation: all ranks that share a board run the same function, each on its own rows.
// Each rank gets the same `data`; `caller` is NULL on ranks other than the caller's. Only the rows
// `held` of the cover `own` can be read, written and viewed. All ranks make the same calls of
// `ranks`, even after a failure. The caller gets the error of the first rank that has one;
// LC_ERROR_STOPPED counts only if no rank has another error.
typedef struct lc_cover lc_cover; // each cover's own struct starts with a lc_cover
typedef struct lc_collective {
    void *data;
    uint64_t bytes;
    void *caller;
} lc_collective;
typedef lc_status lc_collective_work(const lc_collective *collective, lc_cover *own, lc_area held,
                                     lc_ranks *ranks, lc_message *message);

typedef struct lc_soup lc_soup; // fill.h

typedef struct lc_cover_vtable {
    void (*destroy)(lc_cover *cover);

    // Returns the area that the cover holds. Cells outside it exist only in unbounded directions
    // and are dead.
    lc_area (*area)(const lc_cover *cover);

    // Extends the held area to contain `area`, which lies in the universe. All live cells stay
    // held. On LC_ERROR_LIMIT or LC_ERROR_MEMORY nothing has changed.
    lc_status (*include)(lc_cover *cover, lc_area area, lc_message *message);

    // Prepares for advance. `wanted` is at least 1. Sets *safe to the number of generations that
    // advance may step now, at most `wanted`; 0: no cell is alive, nothing to step.
    // LC_ERROR_LIMIT, LC_ERROR_MEMORY: no generation can be stepped.
    lc_status (*prepare)(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message);

    // Steps at least 1 and at most `generations`, which prepare has found safe. Sets *done.
    // Result and errors as lc_engine_vtable.step.
    lc_status (*advance)(lc_cover *cover, uint64_t generations, uint64_t *done,
                         lc_message *message);
    // Jumps 2^k generations, as lc_tree_ops.jump. Sets *log2 to k, or to 0 if the engine cannot
    // jump now. NULL: this kind of cover never can.
    lc_status (*jump)(lc_cover *cover, int most_log2, int *log2, lc_message *message);
    // Changes the rule, as lc_engine_vtable.set_rule. NULL: this kind of cover holds bounded boards
    // only, whose rule never changes.
    bool (*set_rule)(lc_cover *cover, const lc_rule *rule, const lc_rule *then);

    // Returns a lower bound, in bytes, for the memory of a soup beyond the area already included.
    // NULL: 0.
    double (*soup_bytes)(const lc_cover *cover, double cells, double density);

    // Returns the period of the current cells, as lc_plane_ops.period. NULL for several blocks.
    uint64_t (*period)(const lc_cover *cover);

    // Copy a rectangle of the held area to or from the caller's memory, all planes. Any alignment.
    lc_status (*read)(lc_cover *cover, const lc_cells *to, lc_message *message);
    lc_status (*write)(lc_cover *cover, const lc_cells *from, lc_message *message);

    // Sets a run of held cells alive, as lc_plane_ops.fill_run.
    lc_status (*fill_run)(lc_cover *cover, int64_t x, int64_t y, int64_t length,
                          lc_message *message);

    // Announces a buffer for repeated transfers, as lc_board_ops.announce_buffer.
    void (*announce_buffer)(lc_cover *cover, void *memory, size_t size_bytes);

    // Fills an area with a soup, as lc_cover_fill. NULL: lc_cover_fill writes the rows.
    lc_status (*fill)(lc_cover *cover, const lc_soup *soup, lc_message *message);

    // Give access to the quadtree, as lc_tree_ops. NULL, or store returns NULL: the engine has no
    // quadtree.
    lc_store *(*store)(lc_cover *cover);
    lc_status (*set_root)(lc_cover *cover, lc_square root, int root_log2, lc_message *message);
    lc_status (*get_root)(lc_cover *cover, lc_square *root, int *root_log2, lc_message *message);
    // Remember the cells and return to them, as lc_tree_ops. False: the engine cannot, or no
    // snapshot was taken. NULL: this kind of cover never can.
    bool (*snapshot)(lc_cover *cover);
    bool (*end_snapshot)(lc_cover *cover, bool goes_back);

    // Finds the next run of cells in a row that may contain a live cell. Scans row by row inside
    // `within`, which is held. *at has height 1; on entry it is the start position, on return the
    // run, or width 0 if there is none. Reads no cells.
    lc_status (*seek)(lc_cover *cover, const lc_area *within, lc_cells *at, lc_message *message);

    // Computes the facts in `which`, as lc_universe_facts.
    lc_status (*facts)(lc_cover *cover, unsigned which, lc_facts *facts, lc_message *message);

    // Computes a downsampled view in universe coordinates. Callers may request grey levels only if
    // has_grey_levels returns true. NULL: this kind of cover has none.
    lc_status (*view)(lc_cover *cover, const lc_view *squares, lc_message *message);
    bool (*has_grey_levels)(const lc_cover *cover);
    // Computes a view at a coarser level than `view` reaches, as lc_tree_ops.count_coarse.
    // LC_ERROR_UNSUPPORTED: the engine cannot. NULL: this kind of cover never can.
    lc_status (*count_coarse)(lc_cover *cover, const lc_coarse_view *squares, lc_message *message);

    // Returns true if reading cells is expensive: they are in GPU memory, or behind the functions
    // of an engine that the program added.
    bool (*reads_are_slow)(const lc_cover *cover);

    // Runs `work` on every rank and returns its result, or LC_ERROR_IO. NULL: this process holds
    // the whole universe.
    lc_status (*run_collective)(lc_cover *cover, lc_collective_work *work,
                                const lc_collective *collective, lc_message *message);

    // Sets all members but limit_bytes, skipped_generations and threads. Strings are the engine's.
    void (*describe)(const lc_cover *cover, lc_universe_info *info);
    uint64_t (*limit_bytes)(const lc_cover *cover); // the most memory that it may hold

    // Returns the error that made the cells unusable, or LC_OK.
    lc_status (*failure)(const lc_cover *cover, lc_message *message);
} lc_cover_vtable;

struct lc_cover {
    const lc_cover_vtable *vtable;
    lc_cover_options asked;
    bool free_x, free_y; // unbounded directions
    uint64_t changes;    // counts changes of cells other than by stepping, and of blocks
    bool is_on_trial;    // a board on disk must not keep the passes that follow
    lc_count generation; // of a board on disk: set by the universe before it advances or destroys
                         // the cover, and by the cover when it opens a file
};

// Returns the planes of a cover's cells.
static inline int lc_cover_planes(const lc_cover *cover)
{
    return lc_rule_traits(cover->asked.rule)->planes;
}

// Returns how many cells of a row fit into LC_SPAN_WORDS, a multiple of 64.
static inline int64_t lc_span_cells_max(int planes)
{
    return LC_SPAN_WORDS / planes * 64;
}

// Checks whether a cover can be created, and counts its memory. `area` gives the cells of unbounded
// directions. Errors as lc_cover_create.
lc_status lc_cover_check(const lc_cover_options *options, lc_area area, lc_universe_needs *needs,
                         lc_message *message);

// Creates a cover without live cells. It holds all of a bounded direction, and the cells of `area`
// of an unbounded one. LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_UNSUPPORTED (the engine, its
// settings or CPU level), LC_ERROR_DEVICE. On error *out is NULL.
lc_status lc_cover_create(lc_cover **out, const lc_cover_options *options, lc_area area,
                          lc_message *message);
// Measures plans for the blocks of a bounded board on GPUs and keeps the best, as lc_universe_tune.
// Errors as lc_cover_create, and LC_ERROR_ARGUMENT, LC_ERROR_STOPPED, LC_ERROR_MISMATCH.
lc_status lc_cover_tune(const lc_cover_options *options, lc_gpu_tuned callback,
                        void *callback_context, lc_message *message);

void lc_cover_destroy(lc_cover **cover); // NULL and a pointer to NULL are fine

#endif
