// Engines that a program adds: the library creates universes with them by name.
//
// Example:
//
//     extern const lc_guest_engine mine; // has the functions below and the name "mine"
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule = LC_RULE_LIFE};
//     options.engine = "mine"; // or "mine:SETTINGS"
//     if (lc_engine_add(&mine, &message) == LC_OK)
//         lc_universe_create(&universe, &options, &message);
//
// The program supplies the functions that store and step the cells of a board. Files, infinite
// planes, soups, checkpoints, audits and `lightcone bench` then work as with the library's own
// engines.
#ifndef LIGHTCONE_ENGINE_H
#define LIGHTCONE_ENGINE_H

#include <stdbool.h>

#include "lightcone/cells.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// The cells beyond an edge of a board.
typedef enum lc_edge {
    LC_EDGE_OPEN,  // a halo, which the library writes before each call of `step`
    LC_EDGE_WALL,  // dead cells
    LC_EDGE_JOINED // the opposite edge: the board is a ring in that direction
} lc_edge;

// A board for an engine to create. Valid as long as the board; `settings` is valid during the call.
typedef struct lc_guest_board {
    lc_rule rule;
    // Bounded in both directions. An infinite plane arrives as a torus, its width a multiple of 64
    // and its height a multiple of 8. Live cells never wrap around it: when the pattern grows, the
    // library creates a new board.
    lc_topology topology;
    const char *settings; // the text after the engine's name and a colon; "" if there is none
    int threads;          // of the universe
    // Runs task(context, index, worker) for each index from 0 to count - 1 on the universe's
    // threads, 0 <= worker < threads, and returns when all tasks are done. Must not be called from
    // a task. `pool` is its first argument.
    void (*run)(void *pool, size_t count, void (*task)(void *context, size_t index, int worker),
                void *context);
    void *pool;
    lc_edge left, right, top, bottom; // for an engine with takes_edges
} lc_guest_board;

// How an engine steps a board, and the cost. 0: not known, or not applicable.
typedef struct lc_step_facts {
    double bytes_per_cell;      // read from and written to main memory, per cell and generation
    double operations_per_cell; // arithmetic and logic on words, counted in the source
    // The rest describes the main kernel of an engine on a GPU.
    int registers;       // per thread
    int local_bytes;     // per thread: spilled registers
    int shared_bytes;    // per block
    int threads_a_block; // as launched
    int blocks;          // resident per multiprocessor
    double occupancy;    // resident threads, as a share of the multiprocessor's maximum
} lc_step_facts;

// The functions and properties of an engine. The library calls the functions of one board from one
// thread at a time. A function that fails fills in `message`, which may be NULL. After any function
// except `create` has returned LC_ERROR_DEVICE or LC_ERROR_MEMORY, the library calls only `destroy`
// for that board.
typedef struct lc_guest_engine {
    size_t struct_bytes; // sizeof(lc_guest_engine)
    const char *name;    // unique and not "auto"; without comma, colon and white space
    const char *summary; // one line
    const void *context; // passed to the functions that have no board yet
    bool on_gpu;         // the cells are in GPU memory, and the GPU steps them
    // Returns whether the engine can run on this machine. Sets *reason in both cases to one
    // sentence, valid until the process ends.
    bool (*available)(const void *context, const char **reason);
    // Checks whether the engine can step such a board, and sets *memory_bytes to the memory needed.
    lc_status (*check)(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message);
    // Returns the default memory limit in bytes. NULL: half of the machine's memory.
    uint64_t (*memory_limit_bytes)(const void *context);
    // Creates a board without live cells.
    lc_status (*create)(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message);
    void (*destroy)(void *board);
    // Copy whole rows to and from the board. write_rows ignores the bits past the width; read_rows
    // clears them.
    lc_status (*write_rows)(void *board, const lc_cells *from, lc_message *message);
    lc_status (*read_rows)(void *board, const lc_cells *to, lc_message *message);
    // Steps exactly `generations`, 1 or more, and waits. Sets *stepping_ns to the duration if the
    // engine has a better clock than the caller, for example that of a GPU; otherwise leaves it 0.
    lc_status (*step)(void *board, uint64_t generations, double *stepping_ns, lc_message *message);
    void (*facts)(const void *board, lc_step_facts *facts);
    // Returns all settings with their values, in the form of lc_guest_board.settings. Valid until
    // the board is destroyed.
    const char *(*settings)(const void *board);
    // Sets *population if the engine counts live cells while it steps. Returns false if it does not
    // know the number now. False or NULL: the library reads the rows and counts.
    bool (*population)(void *board, uint64_t *population);
    // Families of rules that the engine steps: bit F is set for the lc_family F. 0:
    // outer-totalistic rules only.
    uint32_t families;
    // False: the engine steps whole boards and obeys their topology. True: the engine obeys the
    // four edges of lc_guest_board instead, and the library can then use it for every topology.
    // Either both left and right are joined or neither is; the same holds for top and bottom. If no
    // edge is open, all four are walls, or all four are joined.
    bool takes_edges;
    // For boards with an open edge: the largest number of generations in one call of `step`, 1 or
    // more. Before each call the library writes a halo of lc_rule_halo_cells(rule, generations)
    // cells with write_halo, in rectangles around the board: x or y is negative, or not less than
    // the board's width or height. Beyond open top and bottom edges the halo consists of rows that
    // include both corners. If the left edge is open, the halo surrounds the board on all sides.
    // The engine may ignore cells that it does not need.
    uint64_t halo_generations;
    lc_status (*write_halo)(void *board, const lc_cells *halo, lc_message *message);
} lc_guest_engine;

// The largest number of added engines, and the size in bytes of the longest settings, with their
// terminator.
enum { LC_GUEST_ENGINES_MAX = 64, LC_ENGINE_SETTINGS_BYTES = 256 };

// Registers an engine until the process ends. "auto" never chooses it. The library copies the
// structure; everything that it points to must stay valid. No other thread may use the library
// during the call.
// Returns LC_OK; LC_ERROR_ARGUMENT (an invalid or existing name, a missing function, wrong
// struct_bytes); LC_ERROR_UNSUPPORTED (a member that this version does not know is set);
// LC_ERROR_LIMIT (LC_GUEST_ENGINES_MAX engines exist).
LC_API lc_status lc_engine_add(const lc_guest_engine *engine, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
