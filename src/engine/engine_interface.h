// The interface of engines, and the list of engines.
//
// An engine stores and steps a block: width x height cells with coordinates 0 .. width-1,
// 0 .. height-1. Each edge is of one of three kinds (lc_edge). An engine knows no topology: the
// cover (src/cover) writes the halo beyond open edges before each pass. Engines know nothing of
// files, of each other or of the universe.
//
//          . . . . . . . . . . . .       Beyond an open upper or lower edge the filler writes rows
//          . +-----------------+ .       as wide as the block and both corners. If the left or the
//          . |  block          | .       right edge is open, it writes all of the halo. The rest,
//          . +-----------------+ .       beyond walls and joined edges, is the engine's, if it
//          . . . . . . . . . . . .       uses one.
#ifndef LC_ENGINE_ENGINE_INTERFACE_H
#define LC_ENGINE_ENGINE_INTERFACE_H

#include "base/area.h"
#include "base/context_resources.h"
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

typedef struct lc_engine lc_engine; // the first member of each engine's own struct
typedef struct lc_engine_vtable lc_engine_vtable;

// Callback invoked during long passes: see lc_universe_set_watch. It runs on the thread that called
// `step`, when no task is running. All functions that change no cell give the same results as
// before the pass. If the callback returns true, `step` returns LC_ERROR_STOPPED.
typedef struct lc_engine_watch {
    bool (*call)(void *context); // NULL: no watch
    void *context;
    uint64_t interval_ns; // least time between two calls
} lc_engine_watch;

// Callback of the cover that fills the halo beyond open edges. An engine calls it before each pass,
// on the thread that called `step`. It calls the engine's `fill_halo`, or `write` for cells of the
// halo. Its errors end the pass.
typedef struct lc_filler {
    lc_status (*call)(void *context, lc_engine *engine, int64_t depth_cells, lc_message *message);
    void *context;
} lc_filler;

// The key by which other processes reach a slab (lc_slab_ops.export_slab).
typedef struct lc_slab_key {
    _Alignas(8) uint8_t bytes[128];
} lc_slab_key;

typedef struct lc_engine_config {
    const lc_engine_vtable *engine; // to be created
    const char *settings;           // the text after its name and a colon; NULL: none
    const lc_rule *rule;            // lent; outlives the engine, as later rules do
    lc_frame frame;
    uint64_t limit_bytes;  // for engines that allocate memory as they step
    uint64_t room_bytes;   // that `create` may allocate; 0: unknown
    lc_filler filler;      // not needed if no edge is open
    lc_topology topology;  // of the frame's size: for engines that store a whole board
    bool every_cell;       // steps inactive parts too: for measuring
    int threads;           // of the pool
    lc_pool *pool;         // lent; runs the engine's work. NULL for `check`
    lc_context *context;   // lent; allocates memory for cells
    const char *cpu_level; // NULL or "auto": the best one
    // Lent, may change between passes; NULL: no watch. An engine need not call it.
    const lc_engine_watch *watch;
} lc_engine_config;

// A downsampled view: width x height squares of 2^log2_side cells a side (at most 2^15), row by
// row. The corner of the first square is (x, y). Cells outside the board are dead. Either `counts`
// or `tones` is NULL.
typedef struct lc_view {
    int64_t x, y;
    int log2_side;
    int64_t width, height;
    uint32_t *counts;         // live cells of each square
    uint8_t *tones;           // grey levels: kernels/tone.h
    const lc_tones *tones_of; // with `tones`: the levels of that side
    // For a watch: finished parts of the present pass may show the cells after it, and the rest the
    // cells before it.
    bool forming;
} lc_view;

// A view at a coarser level: squares of 2^log2_side cells a side, from LC_TONE_SIDE_MAX + 1 to
// LC_WIDE_REACH_LOG2. The first square is in that column and row of squares, counted from (0, 0).
typedef struct lc_coarse_view {
    int log2_side;
    int64_t column, row; // within LC_UNIVERSE_REACH, as the end of the view is
    int64_t width, height;
    double *counts;
} lc_coarse_view;

// The level and plan of an engine, and the cost of its steps since it was created.
typedef struct lc_engine_report {
    const char *cpu_level;  // "": none
    const char *plan;       // lc_universe_info.plan; "": none
    uint64_t nodes;         // lc_universe_info.nodes
    uint64_t traffic_bytes; // lc_universe_info.traffic_bytes
    double stepping_ns;     // lc_universe_info.stepping_ns; 0: the engine has no clock of its own
    lc_step_facts step;     // lc_universe_info.step
} lc_engine_report;

// The rules and surfaces that an engine steps. The cover compares the traits with those of a
// universe's rule and topology before it creates a block.
typedef struct lc_engine_traits {
    uint32_t families;  // of rules: a set of LC_FAMILY_BIT
    int states_max;     // of a cell
    int planes_max;     // of a cell: bits
    int reach_max;      // of a rule, in cells
    bool takes_halo;    // blocks may have open edges, so the engine steps every topology
    bool every_surface; // with `plane`: boards of every topology, not only infinite planes. Then
                        // config.topology has 0 for an unbounded direction
    bool on_gpu;        // cells are in the memory of a GPU
    bool has_settings;  // lc_engine_config.settings
    bool has_levels;    // lc_engine_config.cpu_level
} lc_engine_traits;

// For engines whose blocks can be parts of a board, or map their own cells into their halo. A cover
// of several blocks makes their passes in two halves, so that all go forward together.
typedef struct lc_board_ops {
    // Fills the halo beyond open edges by the topology, for a filler. The block is all of that
    // board.
    lc_status (*fill_halo)(lc_engine *engine, const lc_topology *topology, int64_t depth_cells,
                           lc_message *message);
    // Returns the number of generations of the next pass: at least 1 and at most `generations`.
    uint64_t (*pass_generations)(const lc_engine *engine, uint64_t generations);
    // Computes that many generations beside the cells, which stay unchanged. Fails as `step` does.
    // The pass can be repeated, also after an error.
    lc_status (*make_pass)(lc_engine *engine, uint64_t generations, lc_message *message);
    // Replaces the cells by the result of the pass. An error here ends the engine:
    // lc_engine_failure and `finish` return it.
    void (*end_pass)(lc_engine *engine);
    // Waits for all queued passes, and returns their errors. NULL: make_pass waits.
    lc_status (*finish)(lc_engine *engine, lc_message *message);
    // Announces memory of the caller for repeated reads and writes of large rectangles. The memory
    // outlives the engine. NULL: that makes no difference.
    void (*announce_buffer)(lc_engine *engine, void *memory, size_t size_bytes);
} lc_board_ops;

// How cells lie in the memory of a slab.
typedef struct lc_slab_layout {
    uint64_t row_bytes; // in read_rows and write_rows, if all slabs have the same drift
    uint64_t drift;     // of the columns
} lc_slab_layout;

// For engines that exchange halos among the slabs of a board (lc_frame.is_slab), from the uppermost
// to the lowest, between two passes. All slabs are of one engine with the same settings except for
// the device. Without this table, fillers write the halos.
//
// If several processes have slabs of the board, all of them call `import_slabs` and
// `exchange_halos`, each with its own slabs. Slabs whose neighbours are out of reach exchange rows
// instead: the caller carries them between read_rows and write_rows.
typedef struct lc_slab_ops {
    // Writes the key by which other processes reach the slab.
    lc_status (*export_slab)(lc_engine *slab, lc_slab_key *key, lc_message *message);
    // Comes before the first exchange. `keys` has the keys of all slabs of all processes, those of
    // this one from `first` on; NULL: one process has them all. *note is empty, or the reason
    // why exchanges will be slow. LC_ERROR_UNSUPPORTED: some slabs cannot be reached from here.
    lc_status (*import_slabs)(lc_engine *const *slabs, int count, const lc_slab_key *keys,
                              int first, int total, lc_message *note, lc_message *message);
    // Fills the halos of all slabs from each other. `alike`: drift is the same in all processes.
    lc_status (*exchange_halos)(lc_engine *const *slabs, int count, bool alike, int64_t depth_cells,
                                lc_message *message);
    lc_slab_layout (*layout)(const lc_engine *slab);
    // Comes before joined slabs are destroyed: no slab reaches another one's memory any more.
    // `lost`: another slab has failed, and queued work no longer waits for it.
    void (*leave)(lc_engine *slab, bool lost);
    // Copies rows of the slab, counted from its first one, between two passes. All rows of a slab
    // are taken before any is put.
    lc_status (*read_rows)(lc_engine *slab, bool alike, int64_t first_row, int64_t rows, void *to,
                           lc_message *message);
    // Copies rows into the slab's halo.
    lc_status (*write_rows)(lc_engine *slab, int64_t first_row, int64_t rows, const void *from,
                            lc_message *message);
    // Fills the rest of the halo when all rows are there.
    lc_status (*finish_rows)(lc_engine *slab, int64_t depth_cells, lc_message *message);
} lc_slab_ops;

// For engines that are an unbounded universe by themselves: they have a cell at all coordinates and
// no frame. `check` counts the memory without live cells, and `view` is not NULL.
typedef struct lc_plane_ops {
    uint64_t (*held_bytes)(const lc_engine *engine); // at most lc_engine_config.limit_bytes
    // Changes the limit. What is held stays. NULL: the limit is that of `create`.
    void (*set_limit)(lc_engine *engine, uint64_t limit_bytes);
    // Returns the largest distance from 0 of the coordinates of live cells. With `tree`, 0 means
    // that no cell is alive, and LC_UNIVERSE_REACH means that and more.
    uint64_t (*extent)(const lc_engine *engine);
    // Finds the next run of cells that may be alive, as a cover's `seek` does.
    lc_status (*seek)(lc_engine *engine, const lc_area *within, lc_cells *at, lc_message *message);
    // Returns a lower bound in bytes for a soup of that many cells at that density. NULL: unknown.
    double (*soup_bytes)(const lc_engine *engine, double cells, double density);
    // Makes cells x .. x + length - 1 of a row alive, however many these are. LC_ERROR_LIMIT: out
    // of memory. LC_ERROR_UNSUPPORTED, or NULL: the caller writes the cells.
    lc_status (*fill_run)(lc_engine *engine, int64_t x, int64_t y, int64_t length,
                          lc_message *message);
    // Returns the period of the present cells in generations; 0: unknown. NULL: always unknown.
    uint64_t (*period)(const lc_engine *engine);
} lc_plane_ops;

// For engines whose cells are squares of a store (quadtree/store.h).
typedef struct lc_tree_ops {
    lc_store *(*store)(lc_engine *engine);
    // Replaces the cells by a square of the store, with its centre at (0, 0). LC_ERROR_LIMIT: out
    // of reach.
    lc_status (*set_root)(lc_engine *engine, lc_square root, int root_log2, lc_message *message);
    // Returns the square that holds the cells.
    lc_status (*get_root)(lc_engine *engine, lc_square *root, int *root_log2, lc_message *message);
    // Takes a snapshot of the cells. end_snapshot ends it and restores the cells if `goes_back`,
    // which needs no memory. It returns false if there was no snapshot.
    lc_status (*snapshot)(lc_engine *engine, lc_message *message);
    bool (*end_snapshot)(lc_engine *engine, bool goes_back);
    // Advances by 2^k generations, k from 63 to `most_log2`, and sets *log2 to k; or to 0 if that
    // would take long: the caller then uses `step`.
    lc_status (*jump)(lc_engine *engine, int most_log2, int *log2, lc_message *message);
    // Counts live cells in squares that are too large for `view`.
    lc_status (*count_coarse)(lc_engine *engine, const lc_coarse_view *squares,
                              lc_message *message);
} lc_tree_ops;

// Answers for "auto" and covers of several blocks, before they create an engine. An engine without
// this table is always available, and "auto" never takes it.
typedef struct lc_choice_ops {
    // "auto" takes the engine for boards of at least that many cells and that width, if it is
    // available and no better engine is. UINT64_MAX: never. "auto" compares the size before it
    // calls `available`, which may have to start a driver.
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

// An engine: ten functions and five tables. The last two functions and the tables may be NULL.
struct lc_engine_vtable {
    const char *name;
    const char *summary;
    const char *reason;           // its use, one sentence
    const lc_guest_engine *guest; // NULL: it is the library's own
    lc_engine_traits traits;

    // Returns LC_OK if the engine steps such boards, or the error of `create`. Either way sets
    // *memory_bytes to the memory that the engine would hold; UINT64_MAX: it cannot be counted.
    lc_status (*check)(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message);
    // Creates an engine without live cells.
    lc_status (*create)(lc_engine **out, const lc_engine_config *config, lc_message *message);
    void (*destroy)(lc_engine *engine);
    // Changes the rule; the cells stay. If `then` is not NULL, the two rules alternate, beginning
    // with `rule`, as a rule with B0 does on an unbounded universe. Returns false, with nothing
    // changed, if the engine cannot alternate.
    bool (*set_rule)(lc_engine *engine, const lc_rule *rule, const lc_rule *then);
    // Copy a rectangle of the block's cells, its x a multiple of 64, with all planes of the rule.
    // `read` clears the bits behind the width, and `write` ignores them. Either fails as a whole.
    // With takes_halo, the filler writes the halo beyond open edges: rectangles outside the block
    // (lc_is_halo) at any x, together as deep as the next pass needs. The engine ignores cells that
    // it does not need.
    lc_status (*read)(lc_engine *engine, const lc_cells *to, lc_message *message);
    lc_status (*write)(lc_engine *engine, const lc_cells *from, lc_message *message);
    // Advances by at least 1 and at most `generations`, as many as a pass of the engine has, and
    // sets *done. On error, also LC_ERROR_STOPPED (the watch), nothing has changed.
    lc_status (*step)(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message);
    // As lc_universe_facts, for the block's coordinates.
    lc_status (*facts)(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message);
    // Counts live cells for a downsampled view of one plane. NULL, and for rules of several planes:
    // the cover reads the cells and counts them. An
    // engine with `plane` and without `tree` takes squares larger than LC_TONE_SIDE_MAX says, as
    // long as no square has 2^32 live cells.
    lc_status (*view)(lc_engine *engine, const lc_view *squares, lc_message *message);
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
// Returns the report of an engine, with "" and 0 for unknown members.
lc_engine_report lc_engine_report_of(const lc_engine *engine);
// Returns the error that ended the engine, or LC_OK.
lc_status lc_engine_failure(const lc_engine *engine, lc_message *message);

enum { LC_SLABS_MAX = 64 }; // of a board

// Returns the filler of a block that is a whole board of that topology. The topology outlives the
// block, and the engine has lc_board_ops.
lc_filler lc_filler_of(const lc_topology *topology);

// Returns whether a rectangle lies in the halo of a block, and not in the block.
static inline bool lc_is_halo(const lc_frame *block, const lc_cells *cells)
{
    return cells->x < 0 || cells->y < 0 || cells->x >= block->width_cells ||
           cells->y >= block->height_cells;
}

// Returns a mask of the cells in the last word of a row.
static inline uint64_t lc_last_mask(int64_t width_cells)
{
    return ~UINT64_C(0) >> (-width_cells & 63);
}

#define LC_FAMILY_BIT(family) (UINT32_C(1) << (family))

// Returns whether an engine steps rules with such traits.
static inline bool lc_engine_has_traits(const lc_engine_vtable *engine, const lc_traits *rule)
{
    const lc_engine_traits *most = &engine->traits;
    return (most->families & LC_FAMILY_BIT(rule->family)) != 0 &&
           rule->states <= most->states_max && rule->planes <= most->planes_max &&
           rule->reach <= most->reach_max;
}

static inline bool lc_engine_steps(const lc_engine_vtable *engine, const lc_rule *rule)
{
    return lc_engine_has_traits(engine, lc_rule_traits(rule));
}

// Returns whether an engine can run here; *reason is a static sentence either way.
static inline bool lc_engine_available(const lc_engine_vtable *engine, lc_context *context,
                                       const char **reason)
{
    *reason = engine->reason;
    return engine->choice == NULL || engine->choice->available == NULL ||
           engine->choice->available(engine, context, reason);
}

// Returns whether covers can divide a board into several blocks of an engine.
static inline bool lc_engine_splits(const lc_engine_vtable *engine)
{
    return engine->board != NULL && engine->traits.takes_halo;
}

extern const lc_engine_vtable lc_engine_cuda;
extern const lc_engine_vtable lc_engine_hashlife;
extern const lc_engine_vtable lc_engine_scalar;
extern const lc_engine_vtable lc_engine_simd;
extern const lc_engine_vtable lc_engine_sparse;

// The library's own engines, best first; NULL past the last.
const lc_engine_vtable *lc_engine_get(size_t index);
// Finds an engine by its name, up to a colon. NULL: there is none of that name.
const lc_engine_vtable *lc_engine_find(const char *name);

#endif
