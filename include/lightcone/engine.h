// Engines of one's own: a program gives the library a way to step cells, and universes can be made
// with it by its name. All the rest (files, infinite planes, soups, checkpoints, audits) is then as
// for the library's own engines, and so are verification and timing by `lightcone bench`.
#ifndef LIGHTCONE_ENGINE_H
#define LIGHTCONE_ENGINE_H

#include <stdbool.h>

#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is to be stepped. Valid as long as what was made of it, but for `settings`, which are valid
// during the call.
typedef struct lc_guest_board {
    lc_rule rule;
    // Bounded in both directions. An infinite plane comes as a torus, its width a multiple of 64
    // and its height of 8, which life does not reach round; it is made anew when life has grown.
    lc_topology topology;
    const char *settings; // what stands behind the engine's name and a colon; "" if nothing does
    int threads;          // of the universe
    // Runs task(context, index, worker) for each index in 0 .. count-1 on these threads, 0 <= worker
    // < threads, and returns when all are done. Not from inside a task.
    void (*run)(void *pool, size_t count, void (*task)(void *context, size_t index, int worker),
                void *context);
    void *pool;
} lc_guest_board;

// How an engine steps, and what that asks of the machine. 0: not known, or not so on this kind of
// machine.
typedef struct lc_step_facts {
    double bytes_per_cell;      // read from and written to main memory, for a cell and generation
    double operations_per_cell; // arithmetic and logic, as the source has them, one word each
    // Of the kernel that does the work, on a GPU.
    int registers;       // of a thread
    int local_bytes;     // of a thread: what did not fit into registers
    int shared_bytes;    // of a block
    int threads_a_block; // as launched
    int blocks;          // of a multiprocessor at a time
    double occupancy;    // its threads, as a share of those that a multiprocessor can hold
} lc_step_facts;

// Functions are called by one thread at a time for each board. Those that can fail fill `message`,
// which may be NULL. After LC_ERROR_DEVICE or LC_ERROR_MEMORY of anything but `create` the board is
// not used again.
typedef struct lc_guest_engine {
    const char *name;    // no comma, colon or space in it; not that of another engine
    const char *summary; // one line
    const void *context; // of the functions that have no board yet
    bool on_gpu;         // its cells are in the memory of a GPU, which steps them
    // Whether it can run on this machine; *reason is one sentence either way, good as long as the
    // process.
    bool (*available)(const void *context, const char **reason);
    // Whether it can step such a board, and how many bytes that takes.
    lc_status (*check)(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message);
    // The most bytes unless someone states a limit. NULL: half of the machine's memory.
    uint64_t (*memory_limit_bytes)(const void *context);
    // A board with no live cell.
    lc_status (*create)(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message);
    void (*destroy)(void *board);
    // Rows y .. y+count-1, whole: cell x of row y + i is bit x % 64 of words[i * pitch_words +
    // x / 64]. Bits past the width are ignored by write, and zero after read.
    lc_status (*write_rows)(void *board, int64_t y, int64_t count, const uint64_t *words,
                            size_t pitch_words, lc_message *message);
    lc_status (*read_rows)(void *board, int64_t y, int64_t count, uint64_t *words,
                           size_t pitch_words, lc_message *message);
    // Advances by exactly so many generations, 1 or more, and waits. *stepping_ns: what that took, if
    // the engine has a better clock for it than the caller's, as a GPU has; else it stays 0.
    lc_status (*step)(void *board, uint64_t generations, double *stepping_ns, lc_message *message);
    void (*facts)(const void *board, lc_step_facts *facts);
    // All settings with their values, as `settings` takes them; good as long as the board.
    const char *(*settings)(const void *board);
    // NULL, or for an engine that counts the live cells while it steps: true, and how many there are;
    // false if it cannot say now. Then, and without it, the rows are read and counted.
    bool (*population)(void *board, uint64_t *population);
} lc_guest_engine;

// Makes an engine known for as long as the process runs: universes are then created with
// lc_universe_options.engine = "NAME" or "NAME:SETTINGS". "auto" never takes it. The structure is
// lent. LC_ERROR_ARGUMENT (a bad name, or one that is taken), LC_ERROR_LIMIT (there are 64 already).
// Not while another thread uses the library.
LC_API lc_status lc_engine_add(const lc_guest_engine *engine, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
