// How blocks make a universe of cells.
//
// An engine steps a block: a rectangle of cells (engine/engine_interface.h). A cover puts blocks
// where the cells are, lets them step, and gives out their cells in the universe's coordinates:
//
//     whole      one block, the whole of a bounded universe
//     slabs      several blocks that are one bounded universe together
//     rank board the same in several processes, each with a part
//     growing    one block round everything alive, moved and enlarged as life spreads
//     adaptive   one of whole, growing and self-covering, as suits what happens
//     self-covering  an engine that is a universe by itself
//     disk board a bounded universe in a file, stepped a window of rows at a time (disk_board.h)
//
// Cells here are stored cells: differences from the background, of which a cover knows nothing.
// Files of src/cover know each other's insides; the universe sees this header only.
#ifndef LC_COVER_COVER_H
#define LC_COVER_COVER_H

#include "base/area.h"
#include "engine/engine_interface.h"
#include "lightcone/universe.h"

// Rows are moved through buffers of this size, so that moving them cannot fail.
enum { LC_SPAN_WORDS = 512, LC_SPAN_CELLS = LC_SPAN_WORDS * 64 };

// What is asked of a cover, and of the engines of its blocks.
typedef struct lc_cover_options {
    const lc_rule *rule; // of the stored cells, at first; outlives the cover, as those set later
    lc_topology topology;
    const lc_engine_vtable *engine; // NULL: each block gets the best one for it
    char settings[LC_ENGINE_SETTINGS_BYTES];
    char cpu_level[32];
    uint64_t max_memory_bytes;    // 0: the engine's own limit
    int threads;                  // of the pool
    lc_pool *pool;                // lent; not needed for lc_cover_check
    lc_context *context;          // lent
    const lc_engine_watch *watch; // lent; may change between passes
    bool is_part;                 // of a board: what "auto" chooses stays
    bool every_cell;              // of dense engines: lc_engine_config's
    const char *disk;             // the file that the cells are to lie in; NULL: none
    bool disk_exists;             // it is opened, else made
    const char *disk_settings;    // disk_board_internal.h
} lc_cover_options;

// A collective operation: all ranks that share a board run the same function, each on its own rows.
// Each rank gets the same `data`; `caller` is NULL on ranks other than the caller's. `own` is a
// cover of which only the rows `held` can be read, written and viewed. All ranks make the same
// calls of `ranks`, whatever fails. The caller gets the error of the first rank that has one;
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

    // The cells that are held. All others, which only unbounded directions have, are dead.
    lc_area (*area)(const lc_cover *cover);

    // Holds those cells too, which the universe has, besides all that is alive. LC_ERROR_LIMIT,
    // LC_ERROR_MEMORY: nothing has changed.
    lc_status (*include)(lc_cover *cover, lc_area area, lc_message *message);

    // Before advancing, of the generations that are wanted, 1 or more: how many can be made now; 0
    // if nothing lives, so that none needs to be. LC_ERROR_LIMIT, LC_ERROR_MEMORY: not one.
    lc_status (*prepare)(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message);

    // As lc_engine_vtable's step, of generations that are safe.
    lc_status (*advance)(lc_cover *cover, uint64_t generations, uint64_t *done,
                         lc_message *message);
    // As lc_engine_vtable's; *log2 is also 0 where the engine has none. NULL: no engine ever has.
    lc_status (*jump)(lc_cover *cover, int most_log2, int *log2, lc_message *message);
    // NULL: it never changes, as that of boards that ranks share.
    void (*set_rule)(lc_cover *cover, const lc_rule *rule);
    // The same with two rules that take turns, beginning with the first. False, and nothing has
    // changed: the engine cannot. NULL: it never can.
    bool (*set_turns)(lc_cover *cover, const lc_rule *const rules[2]);

    // What a soup that was included takes besides, at least, in bytes. NULL: nothing.
    double (*soup_bytes)(const lc_cover *cover, double cells, double density);

    // As lc_engine_vtable's; NULL if it has several blocks.
    uint64_t (*period)(const lc_cover *cover);

    // A rectangle of what is held, anywhere.
    lc_status (*read)(lc_cover *cover, const lc_cells *to, lc_message *message);
    lc_status (*write)(lc_cover *cover, const lc_cells *from, lc_message *message);

    // As lc_engine_vtable's, of what is held.
    lc_status (*fill_run)(lc_cover *cover, int64_t x, int64_t y, int64_t length,
                          lc_message *message);

    // As lc_engine_vtable's.
    void (*announce_buffer)(lc_cover *cover, void *memory, size_t size_bytes);

    // As lc_cover_fill; NULL: that writes it.
    lc_status (*fill)(lc_cover *cover, const lc_soup *soup, lc_message *message);

    // As lc_engine_vtable's; NULL, or a store that is NULL: the engine has none.
    lc_store *(*store)(lc_cover *cover);
    lc_status (*set_root)(lc_cover *cover, lc_square root, int root_log2, lc_message *message);
    lc_status (*get_root)(lc_cover *cover, lc_square *root, int *root_log2, lc_message *message);
    // As lc_engine_vtable's; false: the engine cannot, or nothing was remembered. NULL: none can.
    bool (*snapshot)(lc_cover *cover);
    bool (*end_snapshot)(lc_cover *cover, bool goes_back);

    // The next piece of a row in which anything may be alive, in the order of rows and within that
    // part of what is held: *at, of height 1, is where to look from, and becomes where that is.
    // Its width is 0 if there is none. Cells are not read.
    lc_status (*seek)(lc_cover *cover, const lc_area *within, lc_cells *at, lc_message *message);

    // As lc_universe_facts.
    lc_status (*facts)(lc_cover *cover, unsigned which, lc_facts *facts, lc_message *message);

    // Squares seen from far away, in the universe's coordinates. `tones` may be asked for only if
    // the engine makes them: has_tones.
    lc_status (*view)(lc_cover *cover, const lc_view *squares, lc_message *message);
    bool (*has_tones)(const lc_cover *cover);
    // As lc_engine_vtable's; LC_ERROR_UNSUPPORTED: the engine has none. NULL: no engine ever has.
    lc_status (*count_coarse)(lc_cover *cover, const lc_coarse_view *squares, lc_message *message);

    // Whether the cells are dear to read: in a GPU's memory, or behind a guest's functions.
    bool (*is_far)(const lc_cover *cover);

    // Runs `work` on every rank and returns its result, or LC_ERROR_IO. NULL: this process holds
    // the whole universe.
    lc_status (*run_collective)(lc_cover *cover, lc_collective_work *work,
                                const lc_collective *collective, lc_message *message);

    // Sets all members but limit_bytes, skipped_generations and threads. Strings are the engine's.
    void (*describe)(const lc_cover *cover, lc_universe_info *info);
    uint64_t (*limit_bytes)(const lc_cover *cover); // the most that may be held

    // The error that has ended the cells for good, or LC_OK.
    lc_status (*failure)(const lc_cover *cover, lc_message *message);
} lc_cover_vtable;

struct lc_cover {
    const lc_cover_vtable *vtable;
    lc_cover_options asked;
    bool free_x, free_y; // unbounded directions
    uint64_t changes;    // of cells in another way than by stepping, and of blocks
    bool is_on_trial;    // what is stepped now is not to outlive the universe until it says so
    lc_count generation; // that the cells are, for those that outlive their universe: it says so
                         // before it advances and destroys; when a file was opened, the cover does
};

// Whether a cover can be had: what it would need for the cells x0 .. x1-1 (y0 .. y1-1) of unbounded
// directions. Returns as create.
lc_status lc_cover_check(const lc_cover_options *options, lc_area area, lc_universe_needs *needs,
                         lc_message *message);

// Makes one that holds all of a bounded direction, and those cells of an unbounded one; all dead.
// LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_UNSUPPORTED (the engine, its settings or CPU level),
// LC_ERROR_DEVICE. On error *out is NULL.
lc_status lc_cover_create(lc_cover **out, const lc_cover_options *options, lc_area area,
                          lc_message *message);
// Tries how the blocks of such a cover, of a bounded board on a GPU, are stepped best, and keeps
// that: lc_universe_tune. As create, and LC_ERROR_ARGUMENT, LC_ERROR_STOPPED, LC_ERROR_MISMATCH.
lc_status lc_cover_tune(const lc_cover_options *options, lc_gpu_tuned callback,
                        void *callback_context, lc_message *message);

void lc_cover_destroy(lc_cover **cover); // NULL and a pointer to NULL are fine

#endif
