// Your own engines: a program gives the library a way to step cells, and universes can then be
// created with it by name. Everything else (files, infinite planes, soups, checkpoints, audits,
// verification and timing by `lightcone bench`) works as with the library's own engines.
#ifndef LIGHTCONE_ENGINE_H
#define LIGHTCONE_ENGINE_H

#include <stdbool.h>

#include "lightcone/cells.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// What there is beyond an edge of a block of cells.
typedef enum lc_edge {
    LC_EDGE_OPEN,  // cells that somebody writes into the halo before each pass
    LC_EDGE_WALL,  // nothing: no cell there is ever alive
    LC_EDGE_JOINED // the opposite edge, as it is: the block is a ring in that direction
} lc_edge;

// What is to be stepped. Valid as long as the board made from it, except `settings`, which is valid
// during the call.
typedef struct lc_guest_board {
    lc_rule rule;
    // Bounded in both directions. An infinite plane is given as a torus, its width a multiple of 64
    // and its height of 8, that life never reaches round; when life has grown, a new board is
    // created.
    lc_topology topology;
    const char *settings; // the text after the engine's name and a colon; "" if there is none
    int threads;          // the universe's number of threads
    // Runs task(context, index, worker) for each index in 0 .. count-1 on these threads, 0 <=
    // worker < threads, and returns when all are done. Not to be called from inside a task.
    void (*run)(void *pool, size_t count, void (*task)(void *context, size_t index, int worker),
                void *context);
    void *pool;
    lc_edge left, right, top, bottom; // for an engine that takes edges
} lc_guest_board;

// How an engine steps, and what that asks of the machine. 0: not known, or not applicable to this
// kind of machine.
typedef struct lc_step_facts {
    double bytes_per_cell;      // read from and written to main memory, per cell and generation
    double operations_per_cell; // arithmetic and logic, as the source has them, one word each
    // On a GPU, of the kernel that does the work.
    int registers;       // of a thread
    int local_bytes;     // of a thread: what did not fit into registers
    int shared_bytes;    // of a block
    int threads_a_block; // as launched
    int blocks;          // of a multiprocessor at a time
    double occupancy;    // their threads, as a share of those that a multiprocessor can hold
} lc_step_facts;

// Functions are called by one thread at a time for each board. Those that can fail fill in
// `message`, which may be NULL. After LC_ERROR_DEVICE or LC_ERROR_MEMORY from anything but `create`
// the board is not used again.
typedef struct lc_guest_engine {
    size_t struct_bytes; // sizeof(lc_guest_engine)
    const char *name;    // without comma, colon or space; not that of another engine
    const char *summary; // one line
    const void *context; // passed to the functions that have no board yet
    bool on_gpu;         // its cells are in the memory of a GPU, which steps them
    // Whether it can run on this machine. *reason is one sentence either way, valid until the
    // process ends.
    bool (*available)(const void *context, const char **reason);
    // Whether it can step such a board, and how many bytes that takes.
    lc_status (*check)(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message);
    // The most bytes to use unless a limit is stated. NULL: half of the machine's memory.
    uint64_t (*memory_limit_bytes)(const void *context);
    // Creates a board with no live cell.
    lc_status (*create)(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message);
    void (*destroy)(void *board);
    // Whole rows of the board. Bits past the width are ignored by write_rows, and zero after
    // read_rows.
    lc_status (*write_rows)(void *board, const lc_cells *from, lc_message *message);
    lc_status (*read_rows)(void *board, const lc_cells *to, lc_message *message);
    // Advances by exactly that many generations, 1 or more, and waits. *stepping_ns: how long that
    // took, if the engine has a better clock for it than the caller's, as a GPU has; else it stays
    // 0.
    lc_status (*step)(void *board, uint64_t generations, double *stepping_ns, lc_message *message);
    void (*facts)(const void *board, lc_step_facts *facts);
    // All settings with their values, as lc_guest_board.settings takes them; valid until the board
    // is destroyed.
    const char *(*settings)(const void *board);
    // For an engine that counts the live cells while it steps: true, and how many there are; false
    // if it cannot say now. If it is false or NULL, the rows are read and counted.
    bool (*population)(void *board, uint64_t *population);
    // The families of rules that it steps: bit F for the lc_family F. 0: outer-totalistic rules.
    uint32_t families;
    // False: the engine wants whole boards, and does what their topology says. True: it looks at
    // the board's four edges instead, and then it steps every surface. Left and right are joined
    // both or neither, and so are top and bottom; without an open edge all are walls, or all are
    // joined.
    bool takes_edges;
    // For boards with an open edge. Before each call of `step` its halo is written, in rectangles
    // that lie round the board: (x, y) is negative, or not less than its size. They are
    // lc_rule_halo_cells(rule, generations) deep, and `generations` is at most halo_generations
    // then. Beyond open upper and lower edges there are rows and both corners; if the left edge is
    // open, there is all of the halo, and what does not help can be ignored.
    uint64_t halo_generations; // 1 or more
    lc_status (*write_halo)(void *board, const lc_cells *halo, lc_message *message);
} lc_guest_engine;

// How many engines a program can add, and the longest settings of one, with their terminator.
enum { LC_GUEST_ENGINES_MAX = 64, LC_ENGINE_SETTINGS_BYTES = 256 };

// Registers an engine until the process ends: universes are then created with
// lc_universe_options.engine = "NAME" or "NAME:SETTINGS". "auto" never chooses it. The structure is
// copied; what it points to must stay valid as long. LC_ERROR_ARGUMENT (a bad name, or one that is
// taken; a missing function; an impossible size), LC_ERROR_UNSUPPORTED (a structure of a later
// version), LC_ERROR_LIMIT (there are LC_GUEST_ENGINES_MAX already). Not while another thread uses
// the library.
LC_API lc_status lc_engine_add(const lc_guest_engine *engine, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
