// Engines that a program adds to the library, so that universes can use them by name.
//
// Example:
//
//     extern const lc_guest_engine mine; // has the functions below and the name "mine"
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
//     options.engine = "mine"; // or "mine:SETTINGS"
//     if (lc_engine_add(&mine, &message) == LC_OK)
//         lc_universe_create(&universe, &options, &message); // uses the engine "mine".
//
// The program supplies the functions that store and step the cells of a board. Files, infinite
// planes, soups, checkpoints, audits and `lightcone bench` then work with an added engine as with
// the library's own engines.
#ifndef LIGHTCONE_ENGINE_H
#define LIGHTCONE_ENGINE_H

#include <stdbool.h>

#include "lightcone/cells.h"
#include "lightcone/rule.h"
#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// The kind of cells beyond an edge of a board.
typedef enum lc_edge {
    LC_EDGE_OPEN,  // a halo, which the library writes before each call of `step`
    LC_EDGE_WALL,  // dead cells
    LC_EDGE_JOINED // the opposite edge: the board is a ring in that direction
} lc_edge;

// Describes a board that an engine creates. The structure is valid until the board is destroyed,
// the string `settings` only during the call.
typedef struct lc_guest_board {
    const lc_rule *rule; // valid as long as the board
    // Bounded in both directions. The library passes an infinite plane as a torus whose width is a
    // multiple of 64 and whose height is a multiple of 8. Live cells of a plane never wrap around
    // the torus, because the library creates a new board when the pattern grows.
    lc_topology topology;
    const char *settings; // the text after the engine's name and a colon; "" if there is none
    int threads;          // number of threads of the universe
    // Runs task(context, index, worker) on the universe's threads, for each index from 0 to count -
    // 1, and returns when all tasks are done. `worker` is 0 to threads - 1. A task must not call
    // `run`. The first argument of `run` is the member `pool`.
    void (*run)(void *pool, size_t count, void (*task)(void *context, size_t index, int worker),
                void *context);
    void *pool;
    lc_edge left, right, top, bottom; // the four edges, for engines that set takes_edges
} lc_guest_board;

// How an engine steps a board, and the cost of a step. 0: not known, or not applicable.
typedef struct lc_step_facts {
    // Traffic with main memory: bytes read plus bytes written, per cell and generation.
    double bytes_per_cell;
    double operations_per_cell; // arithmetic and logic operations on words, counted in the source
    // All members below describe the main kernel of an engine on a GPU.
    int registers;       // per thread
    int local_bytes;     // per thread: spilled registers
    int shared_bytes;    // per block
    int threads_a_block; // as launched
    int blocks;          // resident per multiprocessor
    double occupancy;    // resident threads, as a share of the multiprocessor's maximum
} lc_step_facts;

// The functions and properties of an engine. At any time, only one thread of the library calls the
// functions of a board. A function that fails fills in `message`, which may be NULL. Once a
// function other than `create` has returned LC_ERROR_DEVICE or LC_ERROR_MEMORY, the library only
// calls `destroy` for the board.
typedef struct lc_guest_engine {
    size_t struct_bytes; // sizeof(lc_guest_engine)
    const char *name;    // unique and not "auto"; without comma, colon and white space
    const char *summary; // one line
    const void *context; // passed to the functions that take no board
    bool on_gpu;         // the cells are in GPU memory, and the GPU steps them
    // Returns whether the engine can run on this machine, and sets *reason to one sentence in
    // either case. The string *reason is valid until the process ends.
    bool (*available)(const void *context, const char **reason);
    // Checks whether the engine can step the board that `board` describes. Sets *memory_bytes to
    // the memory that the board needs.
    lc_status (*check)(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message);
    // Returns the default memory limit in bytes. NULL: half of the machine's memory.
    uint64_t (*memory_limit_bytes)(const void *context);
    // Creates a board without live cells.
    lc_status (*create)(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message);
    void (*destroy)(void *board);
    // Copy whole rows of cells to the board (write_rows) and from the board (read_rows). The bits
    // past the width are ignored by write_rows and cleared by read_rows.
    lc_status (*write_rows)(void *board, const lc_cells *from, lc_message *message);
    lc_status (*read_rows)(void *board, const lc_cells *to, lc_message *message);
    // Steps the board by exactly `generations` generations, 1 or more, and waits for the result. If
    // the engine has a better clock than the caller, for example the clock of a GPU, the function
    // sets *stepping_ns to the duration of the call. An engine without a better clock leaves
    // *stepping_ns at 0.
    lc_status (*step)(void *board, uint64_t generations, double *stepping_ns, lc_message *message);
    void (*facts)(const void *board, lc_step_facts *facts);
    // Returns all settings with their values, in the form of lc_guest_board.settings. The string is
    // valid until the board is destroyed.
    const char *(*settings)(const void *board);
    // Sets *population if the engine counts live cells while it steps. Returns false if the engine
    // does not know the number of live cells now. If the function is NULL or returns false, the
    // library reads the rows and counts the live cells.
    bool (*population)(void *board, uint64_t *population);
    // Families of rules that the engine steps: bit F is set for the lc_family F. 0:
    // outer-totalistic rules only.
    uint32_t families;
    // False: the engine steps whole boards and obeys their topology. True: the engine obeys the
    // four edges in lc_guest_board instead of the topology. For boards of every topology, the
    // library can use an engine that sets takes_edges. Left and right edges are both joined, or
    // neither is. Top and bottom edges are both joined, or neither is. If no edge is open, either
    // all four edges are walls or all four edges are joined.
    bool takes_edges;
    // For boards with an open edge: the largest number of generations in one call of `step`, 1 or
    // more. Before each call of `step` the library calls write_halo to pass the engine a halo with
    // a depth of lc_rule_halo_cells(rule, generations) cells. The halo consists of rectangles
    // outside the board: the x or y of a halo cell is negative, or is at least the board's width or
    // height. Beyond open top and bottom edges, the halo consists of rows that include both
    // corners. If the left edge is open, the halo surrounds the board on all sides. The engine may
    // ignore halo cells that it does not need.
    uint64_t halo_generations;
    lc_status (*write_halo)(void *board, const lc_cells *halo, lc_message *message);
} lc_guest_engine;

// The largest number of added engines, and the bytes of the longest settings text, including the
// terminator.
enum { LC_GUEST_ENGINES_MAX = 64, LC_ENGINE_SETTINGS_BYTES = 256 };

// Registers an engine until the process ends. "auto" never chooses an added engine. The library
// copies the structure. Everything that the structure points to must stay valid until the process
// ends. No other thread may use the library during the call.
// Returns LC_OK; LC_ERROR_ARGUMENT (an invalid or existing name, a missing function, wrong
// struct_bytes); LC_ERROR_UNSUPPORTED (a member that this version does not know is set);
// LC_ERROR_LIMIT (LC_GUEST_ENGINES_MAX engines exist).
LC_API lc_status lc_engine_add(const lc_guest_engine *engine, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
