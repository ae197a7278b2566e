// What an engine can do with a block of cells, and the list of engines.
//
// A block has width x height cells with coordinates 0 .. width-1, 0 .. height-1, and for each of
// its four edges one of three answers to what lies beyond (lc_edge). An engine knows no topology:
// whoever has the block (src/cover) fills the halo beyond open edges before each pass. Engines know
// nothing of files, of each other or of the universe.
//
//          . . . . . . . . . . . .       Beyond an open upper or lower edge the filler fills rows
//          . +-----------------+ .       as wide as the block and both corners; if the left or
//          . |  block          | .       the right edge is open, it fills all of the halo. The
//          . +-----------------+ .       rest of it, walls and joined edges, is the engine's, if
//          . . . . . . . . . . . .       it wants one at all.
#ifndef LC_ENGINE_ENGINE_H
#define LC_ENGINE_ENGINE_H

#include "base/area.h"
#include "base/context.h"
#include "base/threads.h"
#include "grid/frame.h"
#include "grid/grid.h"
#include "grid/tones.h"
#include "lightcone/cells.h"
#include "lightcone/device.h"
#include "lightcone/engine.h"
#include "lightcone/machine.h"
#include "lightcone/rule.h"
#include "quadtree/store.h"

typedef struct lc_engine lc_engine; // each engine's own struct starts with a lc_engine
typedef struct lc_engine_vtable lc_engine_vtable;

// Whoever looks at a long pass while it is being made: see lc_universe_set_watch. It is asked on
// the thread that called `step`, when no task is running, and every function of the vtable that
// changes no cell gives what it gave before the pass. True: `step` returns LC_ERROR_STOPPED.
typedef struct lc_engine_watch {
    bool (*call)(void *context); // NULL: nobody does
    void *context;
    uint64_t interval_ns; // of stepping between two looks, at least
} lc_engine_watch;

// Whoever fills the halo beyond open edges. An engine calls it before each pass, on the thread that
// called `step`; it calls the engine's `fill`, or `write` for the halo. What it
// returns, but LC_OK, ends the pass.
typedef struct lc_filler {
    lc_status (*call)(void *context, lc_engine *engine, int64_t depth_cells, lc_message *message);
    void *context;
} lc_filler;

// What one process has to know of another one's slab of a board (lc_engine_vtable.lend).
typedef struct lc_slab_key {
    _Alignas(8) uint8_t bytes[128];
} lc_slab_key;

typedef struct lc_engine_config {
    const lc_engine_vtable *engine; // the one that is to be made
    const char *settings;           // behind its name and a colon; NULL: none
    const lc_rule *rule;            // lent; outlives the engine, as all rules that it is told do
    lc_frame frame;
    uint64_t limit_bytes;  // of memory, for an engine that takes what it needs as it goes
    uint64_t room_bytes;   // that it may take when it is made; 0: it is not known
    lc_filler filler;      // not needed if no edge is open
    lc_topology topology;  // of the frame's size: for engines that want a whole board
    bool every_cell;       // no part is left out because nothing happens in it: for measuring
    int threads;           // of the pool
    lc_pool *pool;         // lent; the engine runs its work on it. NULL for check
    lc_context *context;   // lent; memory for cells is from there
    const char *cpu_level; // NULL or "auto": best
    // Lent, and may change between passes; NULL: nobody looks. An engine need not ask.
    const lc_engine_watch *watch;
} lc_engine_config;

// A view from far away: width x height squares of 2^log2_side cells a side (at most 2^15), row by
// row; the first one's corner is (x, y), and cells outside the board are dead. What is asked for is
// either of the two, the other one being NULL.
typedef struct lc_squares {
    int64_t x, y;
    int log2_side;
    int64_t width, height;
    uint32_t *counts;         // how many cells of each square are alive
    uint8_t *tones;           // the bytes that stand for that: kernels/tone.h
    const lc_tones *tones_of; // with `tones`: of that side
    // For a watch: what the pass in hand has finished may be seen as it will be after it, and all
    // else as it was.
    bool forming;
} lc_squares;

// The same from very far away: squares of 2^log2_side cells a side (LC_TONE_SIDE_MAX + 1 to
// LC_WIDE_REACH_LOG2), of which the first one is the column-th to the right of (0, 0) and the
// row-th below it.
typedef struct lc_far_squares {
    int log2_side;
    int64_t column, row; // within LC_UNIVERSE_REACH, and so is what lies behind the last one
    int64_t width, height;
    double *counts;
} lc_far_squares;

// How an engine does its work, and what that has cost since it was made.
typedef struct lc_engine_report {
    const char *cpu_level;  // "": none
    const char *plan;       // lc_universe_info.plan; "": none
    uint64_t nodes;         // lc_universe_info.nodes
    uint64_t traffic_bytes; // lc_universe_info.traffic_bytes
    double stepping_ns;     // lc_universe_info.stepping_ns; 0: the engine has no clock of its own
    lc_step_facts step;     // lc_universe_info.step
} lc_engine_report;

// What an engine can step. The cover compares the traits with those of a universe's rule and
// topology before it makes a block.
typedef struct lc_engine_traits {
    uint32_t families;  // of rules: a set of LC_FAMILY_BIT
    int states_max;     // of a cell
    int reach_max;      // of a rule, in cells
    bool takes_halo;    // blocks may have open edges, so boards of every topology can be stepped
    bool every_surface; // with `plane`: boards of every topology, not only infinite planes. Then
                        // config.topology has 0 for an unbounded direction
    bool on_gpu;        // cells are in the memory of a GPU
    bool has_settings;  // lc_engine_config.settings
    bool has_levels;    // lc_engine_config.cpu_level
} lc_engine_traits;

// For engines whose blocks can be parts of a board, or map their own cells into their halo. A cover
// of several blocks makes their passes in two halves, so that all go forward together.
typedef struct lc_board_ops {
    // For a filler: fills the halo beyond open edges with what the topology shows there, if the
    // block is all of that board.
    lc_status (*fill)(lc_engine *engine, const lc_topology *topology, int64_t depth_cells,
                      lc_message *message);
    // Returns how many generations a pass has if at least 1 is wanted: at most `generations`.
    uint64_t (*pass_generations)(const lc_engine *engine, uint64_t generations);
    // Makes so many generations beside the cells, which stay as they are. Fails as `step` does.
    // Made or not, the pass can be made again.
    lc_status (*make_pass)(lc_engine *engine, uint64_t generations, lc_message *message);
    // Makes the result of the pass the cells. An error here ends the engine: lc_engine_failure and
    // `finish` return it.
    void (*end_pass)(lc_engine *engine);
    // Waits for all queued passes, and returns their errors. NULL: make_pass waits.
    lc_status (*finish)(lc_engine *engine, lc_message *message);
    // Announces memory of the caller for repeated reads and writes of large rectangles. The memory
    // outlives the engine. NULL: that makes no difference.
    void (*know_memory)(lc_engine *engine, void *memory, size_t size_bytes);
} lc_board_ops;

// For engines that exchange halos among the slabs of a board (lc_frame.is_slab), from the uppermost
// to the lowest, between two passes. All slabs are of one engine with the same settings except for
// the device. Without this table, fillers write the halos.
//
// If several processes have slabs of the board, all of them call `join` and `exchange`, each with
// its own slabs. Slabs whose neighbours are out of reach exchange rows instead: the caller carries
// them between take_rows and put_rows.
typedef struct lc_slab_ops {
    // Writes the key by which other processes reach the slab.
    lc_status (*lend)(lc_engine *slab, lc_slab_key *key, lc_message *message);
    // Comes before the first exchange. `keys` has the keys of all slabs of all processes, those of
    // this one from `first` on; NULL: one process has them all. *note is empty, or says what will
    // make exchanges slow. LC_ERROR_UNSUPPORTED: some slabs cannot be reached from here.
    lc_status (*join)(lc_engine *const *slabs, int count, const lc_slab_key *keys, int first,
                      int total, lc_message *note, lc_message *message);
    // Fills the halos of all slabs from each other. `alike`: drift is the same in all processes.
    lc_status (*exchange)(lc_engine *const *slabs, int count, bool alike, int64_t depth_cells,
                          lc_message *message);
    // Returns how cells lie in the slab's memory.
    uint64_t (*drift)(const lc_engine *slab);
    // Comes before joined slabs are destroyed: no slab reaches another one's memory any more.
    // `lost`: another slab has failed, and what is queued here no longer waits for it.
    void (*part)(lc_engine *slab, bool lost);
    // Returns the bytes of a row in take_rows and put_rows, if all slabs have the same drift.
    uint64_t (*row_bytes)(const lc_engine *slab);
    // Copies rows of the slab, counted from its first one, between two passes. All rows of a slab
    // are taken before any is put.
    lc_status (*take_rows)(lc_engine *slab, bool alike, int64_t first_row, int64_t rows, void *to,
                           lc_message *message);
    // Copies rows into the slab's halo.
    lc_status (*put_rows)(lc_engine *slab, int64_t first_row, int64_t rows, const void *from,
                          lc_message *message);
    // Fills the rest of the halo when all rows are there.
    lc_status (*end_rows)(lc_engine *slab, int64_t depth_cells, lc_message *message);
} lc_slab_ops;

// For engines that are an unbounded universe by themselves: they have a cell at all coordinates and
// no frame. `check` counts the memory without live cells, and `view` is not NULL.
typedef struct lc_plane_ops {
    uint64_t (*held_bytes)(const lc_engine *engine); // at most lc_engine_config.limit_bytes
    // Changes the limit. What is held stays. NULL: the limit is that of `create`.
    void (*set_limit_bytes)(lc_engine *engine, uint64_t limit_bytes);
    // Returns the largest distance from 0 of the coordinates of live cells. With `tree`, 0 means
    // that no cell is alive, and LC_UNIVERSE_REACH means that and more.
    uint64_t (*extent)(const lc_engine *engine);
    // Finds the next run of cells that may be alive, as a cover's `seek` does.
    lc_status (*seek)(lc_engine *engine, const lc_area *within, lc_cells *at, lc_message *message);
    // Returns a lower bound in bytes for a soup of that many cells at that density. NULL: unknown.
    double (*soup_bytes)(const lc_engine *engine, double cells, double density);
    // Makes cells x .. x + length - 1 of a row alive, however many these are. LC_ERROR_LIMIT: there
    // is no room for them. LC_ERROR_UNSUPPORTED, or NULL: the caller has to write them.
    lc_status (*draw_run)(lc_engine *engine, int64_t x, int64_t y, int64_t length,
                          lc_message *message);
    // Returns the period of the present cells in generations; 0: unknown. NULL: always unknown.
    uint64_t (*period)(const lc_engine *engine);
} lc_plane_ops;

// For engines whose cells are squares of a store (quadtree/store.h).
typedef struct lc_tree_ops {
    lc_store *(*store)(lc_engine *engine);
    // Makes a square of the store the cells, its middle at (0, 0). LC_ERROR_LIMIT: out of reach.
    lc_status (*plant)(lc_engine *engine, lc_square root, int root_log2, lc_message *message);
    // Returns the square that the cells are.
    lc_status (*harvest)(lc_engine *engine, lc_square *root, int *root_log2, lc_message *message);
    // Remembers the cells until end_hold, which brings them back if `goes_back` and needs no memory
    // for that. False: nothing was remembered.
    lc_status (*hold)(lc_engine *engine, lc_message *message);
    bool (*end_hold)(lc_engine *engine, bool goes_back);
    // Advances by 2^k generations, k from 63 to `most_log2`, and sets *log2 to k; or to 0 if that
    // would take long: then `step` goes on.
    lc_status (*leap)(lc_engine *engine, int most_log2, int *log2, lc_message *message);
    // Counts live cells in squares that are too large for `view`.
    lc_status (*count_far)(lc_engine *engine, const lc_far_squares *squares, lc_message *message);
} lc_tree_ops;

// What "auto" and covers of several blocks ask before they make an engine. An engine without this
// table is always available, and "auto" takes it for no board.
typedef struct lc_choice_ops {
    // "auto" takes the engine for boards of at least so many cells and that width, if it is
    // available and no better one is. UINT64_MAX: never. Compared before `available` is called,
    // which may take the time of starting a driver.
    uint64_t auto_cells;
    int64_t auto_width_cells;
    // Returns whether the engine can run here; *reason is a static sentence either way. NULL:
    // always, for the engine's own reason.
    bool (*available)(const lc_engine_vtable *self, lc_context *context, const char **reason);
    // Returns the devices that it can use, by its own numbers: at least one and at most `most`.
    // NULL: it has no devices.
    lc_status (*devices)(lc_context *context, int most, int *devices, int *count,
                         lc_message *message);
    // Returns the memory limit if the user states none. NULL: a part of the machine's memory.
    uint64_t (*memory_limit_bytes)(const lc_engine_config *config);
    // Returns how fast the engine would step such a block, relative to other blocks of the board,
    // below 2^32; 0: unknown. NULL: always unknown.
    uint64_t (*speed)(const lc_engine_config *config);
    // Returns the expected time of a generation of `cells` cells, in nanoseconds, if the share
    // `changing` of their area changes. Reads only threads and cpu_level. NULL: unknown.
    double (*estimate_ns)(const lc_engine_config *config, double cells, double changing);
    // Writes the settings that such a block would choose and that all slabs of its board must have,
    // if their devices or heights differ. Settings of the config are left out. NULL: none.
    lc_status (*slab_settings)(const lc_engine_config *config,
                               char settings[LC_ENGINE_SETTINGS_BYTES], lc_message *message);
    // Measures plans for such a block and keeps the best: lc_gpu_tune. NULL: it has none.
    lc_status (*tune)(const lc_engine_config *config, lc_gpu_tuned callback, void *callback_context,
                      lc_message *message);
} lc_choice_ops;

// An engine: ten functions, of which the last two may be NULL, and tables that it may lack.
struct lc_engine_vtable {
    const char *name;
    const char *summary;
    const char *reason;           // to use it, one sentence
    const lc_guest_engine *guest; // NULL: it is the library's own
    lc_engine_traits traits;

    // Returns LC_OK if the engine steps such boards, or the error of `create`. Either way sets
    // *memory_bytes to what the engine would hold; UINT64_MAX: that cannot be counted.
    lc_status (*check)(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message);
    // Creates an engine without live cells.
    lc_status (*create)(lc_engine **out, const lc_engine_config *config, lc_message *message);
    void (*destroy)(lc_engine *engine);
    // Changes the rule; the cells stay. If `then` is not NULL, the two rules alternate, beginning
    // with `rule`, as a rule with B0 does on an unbounded universe. Returns false, with nothing
    // changed, if the engine cannot alternate.
    bool (*set_rule)(lc_engine *engine, const lc_rule *rule, const lc_rule *then);
    // Copy a rectangle of the block's cells, its x a multiple of 64. `read` clears the bits behind
    // the width, and `write` ignores them. Either fails as a whole.
    // With takes_halo, the filler writes the halo beyond open edges: rectangles outside the block
    // (lc_is_halo) at any x, together as deep as the pass that is to come. The engine ignores cells
    // that it can do without.
    lc_status (*read)(lc_engine *engine, const lc_cells *to, lc_message *message);
    lc_status (*write)(lc_engine *engine, const lc_cells *from, lc_message *message);
    // Advances by at least 1 and at most `generations`, as many as a pass of the engine has, and
    // sets *done. On error, also LC_ERROR_STOPPED (the watch), nothing has changed.
    lc_status (*step)(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message);
    // As lc_universe_facts, for the block's coordinates.
    lc_status (*facts)(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message);
    // Counts live cells for a view from afar. NULL: the cover reads the cells and counts them. An
    // engine with `plane` and without `tree` takes squares larger than LC_TONE_SIDE_MAX says, as
    // long as no square has 2^32 live cells.
    lc_status (*count_squares)(lc_engine *engine, const lc_squares *squares, lc_message *message);
    // Fills in the members of *report that the engine knows. NULL: it knows none of them.
    void (*report)(const lc_engine *engine, lc_engine_report *report);

    const lc_board_ops *board;
    const lc_slab_ops *slabs;
    const lc_plane_ops *plane;
    const lc_tree_ops *tree;
    const lc_choice_ops *choice;
};

struct lc_engine {
    const lc_engine_vtable *vtable;
    lc_status failed;   // the error that has ended the engine for good, or LC_OK; every function
    lc_message failure; // that returns a status then fails with it
};

// Records the error that ends an engine, unless an earlier one has. Returns the first error.
lc_status lc_engine_end(lc_engine *engine, lc_status status, const lc_message *why);
// Returns what the engine reports, with "" and 0 for what it does not know.
lc_engine_report lc_engine_report_of(const lc_engine *engine);
// Returns the error that ended the engine, or LC_OK.
lc_status lc_engine_failure(const lc_engine *engine, lc_message *message);

enum { LC_SLABS_MAX = 64 }; // of a board

// The filler of a block that is all of that board, which outlives it, and whose engine has `fill`.
lc_filler lc_filler_of(const lc_topology *topology);

// Whether a rectangle lies in the halo of a block, and not in the block.
static inline bool lc_is_halo(const lc_frame *block, const lc_cells *cells)
{
    return cells->x < 0 || cells->y < 0 || cells->x >= block->width_cells ||
           cells->y >= block->height_cells;
}

// The bits of the last word of a row that are cells.
static inline uint64_t lc_last_mask(int64_t width_cells)
{
    return ~UINT64_C(0) >> (-width_cells & 63);
}

#define LC_FAMILY_BIT(family) (UINT32_C(1) << (family))

// Returns whether an engine steps a rule.
static inline bool lc_engine_steps(const lc_engine_vtable *engine, const lc_rule *rule)
{
    const lc_engine_traits *traits = &engine->traits;
    const lc_traits *of = lc_rule_traits(rule);
    return (traits->families & LC_FAMILY_BIT(of->family)) != 0 &&
           of->states <= traits->states_max && of->reach <= traits->reach_max;
}

// Whether an engine can run here; *reason is a static sentence either way.
static inline bool lc_engine_available(const lc_engine_vtable *engine, lc_context *context,
                                       const char **reason)
{
    *reason = engine->reason;
    return engine->choice == NULL || engine->choice->available == NULL ||
           engine->choice->available(engine, context, reason);
}

// Whether covers can make several blocks of a board with it.
static inline bool lc_engine_splits(const lc_engine_vtable *engine)
{
    return engine->board != NULL && engine->traits.takes_halo;
}

extern const lc_engine_vtable lc_engine_cuda;
extern const lc_engine_vtable lc_engine_hashlife;
extern const lc_engine_vtable lc_engine_scalar;
extern const lc_engine_vtable lc_engine_simd;
extern const lc_engine_vtable lc_engine_sparse;

// Registry: the library's own, best first; NULL past the last.
const lc_engine_vtable *lc_engine_get(size_t index);
// By name, up to a colon behind which settings follow; NULL if there is none of that name.
const lc_engine_vtable *lc_engine_find(const char *name);

#endif
