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
// called `step`; it calls the engine's `fill` or `give`. What it returns, but LC_OK, ends the pass.
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
    lc_rule rule;
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

struct lc_engine_vtable {
    const char *name;
    const char *summary;
    const lc_guest_engine *guest; // NULL: it is the library's own
    bool on_gpu;                  // its cells are in the memory of a GPU
    bool has_settings;            // it takes some: lc_engine_config.settings
    bool has_levels;              // it runs at a CPU level: lc_engine_config.cpu_level
    uint32_t families;            // of rules, that it steps: a set of LC_FAMILY_BIT
    // Whether it can run here; *reason is a static sentence either way.
    bool (*available)(const lc_engine_vtable *self, lc_context *context, const char **reason);
    // The devices that it can use, by its own numbers; at most `most`, at least one. NULL: it has
    // none to choose from.
    lc_status (*devices)(lc_context *context, int most, int *devices, int *count,
                         lc_message *message);
    // "auto" takes it, if it is available and nothing better is, for boards of at least so many
    // cells; asked before `available`, which may take the time of starting a driver. UINT64_MAX:
    // never.
    uint64_t auto_cells;
    int64_t auto_width_cells; // and at least that wide
    // Bytes that may be held unless someone states a limit. NULL: what a universe takes of the
    // machine's memory.
    uint64_t (*memory_limit_bytes)(const lc_engine_config *config);
    // Returns LC_OK if the engine steps such boards, or the error of `create`. Either way sets
    // *memory_bytes to what the engine would hold; UINT64_MAX: that cannot be counted.
    lc_status (*check)(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message);
    // How fast it would step such a block, beside others of the same board, below 2^32; 0: it is
    // not known. Called before create. NULL: it never is.
    uint64_t (*speed)(const lc_engine_config *config);
    // Returns the expected time of a generation of `cells` cells, in nanoseconds, if the share
    // `changing` of their area changes. Reads only threads and cpu_level. NULL: unknown.
    double (*estimate_ns)(const lc_engine_config *config, double cells, double changing);
    // The settings that such a block would choose and that all slabs of its board have to have, if
    // their devices or heights differ; without those that it is told already. Called before create.
    // NULL: there are none.
    lc_status (*slab_settings)(const lc_engine_config *config,
                               char settings[LC_ENGINE_SETTINGS_BYTES], lc_message *message);
    // Tries plans that agree with the settings for such a block, with cells of its own, and keeps
    // the best one for the next that is made: lc_gpu_tune. NULL: it has none.
    lc_status (*tune)(const lc_engine_config *config, lc_gpu_tuned callback, void *callback_context,
                      lc_message *message);
    lc_status (*create)(lc_engine **out, const lc_engine_config *config, lc_message *message);
    void (*destroy)(lc_engine *engine);

    // Cells: a rectangle of the board, its x a multiple of 64. Bits behind its width are zero after
    // `read`, and `write` ignores them. Either fails as a whole.
    lc_status (*read)(lc_engine *engine, const lc_cells *to, lc_message *message);
    lc_status (*write)(lc_engine *engine, const lc_cells *from, lc_message *message);

    // Cells x .. x + length - 1 of a row of the board become alive, however many these are.
    // LC_ERROR_LIMIT: there is no room for them. LC_ERROR_UNSUPPORTED, or NULL: they are to be
    // written.
    lc_status (*draw_run)(lc_engine *engine, int64_t x, int64_t y, int64_t length,
                          lc_message *message);

    // Memory of the caller that large rectangles are going to be read into and written from, again
    // and again. It stays there until the engine is destroyed. NULL: that makes no difference.
    void (*know_memory)(lc_engine *engine, void *memory, size_t size_bytes);

    // The engine is an unbounded universe by itself. It has a cell at all coordinates and is told
    // of no frame; `check` counts what it takes with no live cell. It has count_squares, and these
    // three: what it holds now, at most config.limit_bytes; how far from 0 coordinates of live
    // cells may be (where it has `leap`, 0 says that nothing lives, and LC_UNIVERSE_REACH that and
    // more); and what a cover's `seek` does (cover.h).
    bool unbounded;
    bool every_surface; // config.topology has 0 for an unbounded direction
    uint64_t (*held_bytes)(const lc_engine *engine);
    // The most that it may hold from now on; what it holds it keeps. NULL: as when it was made.
    void (*set_limit_bytes)(lc_engine *engine, uint64_t limit_bytes);
    uint64_t (*extent)(const lc_engine *engine);
    lc_status (*seek)(lc_engine *engine, const lc_area *within, lc_cells *at, lc_message *message);
    // What a soup of so many cells and that density is going to hold at least, in bytes. NULL: it
    // is not known.
    double (*soup_bytes)(const lc_engine *engine, double cells, double density);

    // The cells are squares of a store, and may become one of its squares, whose middle is (0, 0),
    // if they can reach so far (else LC_ERROR_LIMIT). NULL, both of them: they are not.
    lc_store *(*store)(lc_engine *engine);
    lc_status (*plant)(lc_engine *engine, lc_square root, int root_log2, lc_message *message);
    // Which square of its store they are.
    lc_status (*harvest)(lc_engine *engine, lc_square *root, int *root_log2, lc_message *message);

    // Remembers the cells as they are now, until end_hold; that brings them back if `goes_back`,
    // for which it needs no memory. False: nothing was remembered. NULL, both of them: it cannot.
    lc_status (*hold)(lc_engine *engine, lc_message *message);
    bool (*end_hold)(lc_engine *engine, bool goes_back);

    // So many generations from now, and any multiple of it, the cells are what they are now; 0: it
    // is not known. NULL: it never is.
    uint64_t (*period)(const lc_engine *engine);

    // Changes the rule; the cells stay. If `then` is not NULL, the two rules alternate, beginning
    // with `rule`, as a rule with B0 does on an unbounded universe. Returns false, with nothing
    // changed, if the engine cannot alternate.
    bool (*set_rule)(lc_engine *engine, const lc_rule *rule, const lc_rule *then);

    // For a filler: fills the halo beyond open edges with what the topology shows there, if the
    // block is all of that board. NULL: it cannot, and is given its halo.
    lc_status (*fill)(lc_engine *engine, const lc_topology *topology, int64_t depth_cells,
                      lc_message *message);

    // For a filler: writes such cells of the halo, a rectangle anywhere in it, as deep as the pass
    // that is to come. What the engine can do without it ignores.
    void (*give)(lc_engine *engine, const lc_cells *halo);

    // The same for all slabs of a board at once (lc_frame.is_slab), from the uppermost to the
    // lowest, between two passes: fills the halos of all of them from each other, and their fillers
    // have nothing to do. The blocks are of this engine, with the same settings but for the device.
    // `join` comes before the first one; *note is empty, or says what is going to make it slow.
    // NULL, both of them: each block is given its halo.
    //
    // If several processes have slabs of the board, `join` and `exchange` are called by all of them
    // with their own, and `join` has keys of all slabs, made by `lend`: LC_ERROR_UNSUPPORTED if
    // some of them cannot be reached from here. Else keys is NULL. `drift` tells how cells lie in a
    // slab; `alike` whether that is the same in all processes.
    lc_status (*lend)(lc_engine *slab, lc_slab_key *key, lc_message *message);
    lc_status (*join)(lc_engine *const *slabs, int count, const lc_slab_key *keys, int first,
                      int total, lc_message *note, lc_message *message);
    lc_status (*exchange)(lc_engine *const *slabs, int count, bool alike, int64_t depth_cells,
                          lc_message *message);
    uint64_t (*drift)(const lc_engine *slab);
    // Before slabs that were joined are destroyed: nobody reaches another one's memory any more.
    // With `lost`, another one has failed: what is queued here may wait for it, and no longer does.
    void (*part)(lc_engine *slab, bool lost);

    // The same for slabs whose neighbours are out of reach: someone carries the rows. Rows are
    // those of the slab from its first one on, or of its halo; in memory they take so many bytes
    // each, if all slabs lie alike. They are taken between two passes, all of a slab before any is
    // put, and when all are there end_rows sees to the rest of the halo. NULL, all of them: it
    // cannot.
    uint64_t (*row_bytes)(const lc_engine *slab);
    lc_status (*take_rows)(lc_engine *slab, bool alike, int64_t first_row, int64_t rows, void *to,
                           lc_message *message);
    lc_status (*put_rows)(lc_engine *slab, int64_t first_row, int64_t rows, const void *from,
                          lc_message *message);
    lc_status (*end_rows)(lc_engine *slab, int64_t depth_cells, lc_message *message);

    // One pass in two halves, for blocks that go forward together; all three or none. How many
    // generations a pass has, if at least 1 is wanted: at most `generations`. Then exactly so many
    // are made beside the cells, which stay as they are, and then they become the cells. make_pass
    // fails as `step` does; made or not, it can be made again. What end_pass still has to do may
    // end the engine: then lc_engine_failure and `finish` say so.
    uint64_t (*pass_generations)(const lc_engine *engine, uint64_t generations);
    lc_status (*make_pass)(lc_engine *engine, uint64_t generations, lc_message *message);
    void (*end_pass)(lc_engine *engine);
    // Waits for all passes: they are only queued until then, and what goes wrong with one may not
    // be known. NULL: a pass that was made is over.
    lc_status (*finish)(lc_engine *engine, lc_message *message);

    // Advances by at least 1 and at most `generations`, as many as one pass of the engine does;
    // *done says how many. On error, also LC_ERROR_STOPPED (the watch), nothing has changed.
    lc_status (*step)(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message);

    // The same for 2^64 generations and more: makes 2^k of them, k from 63 to `most_log2`; *log2 is
    // k, or 0 if such a leap would take long: then it is `step` that goes on. NULL: it never can.
    lc_status (*leap)(lc_engine *engine, int most_log2, int *log2, lc_message *message);

    // As lc_universe_facts; of cells whose (0, 0) is the board's.
    lc_status (*facts)(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message);

    // Fills in the members of *report that the engine knows. NULL: it knows none of them.
    void (*report)(const lc_engine *engine, lc_engine_report *report);

    // Looks from far away. NULL: the universe counts the cells itself.
    lc_status (*count_squares)(lc_engine *engine, const lc_squares *squares, lc_message *message);
    // NULL: count_squares takes larger squares than LC_TONE_SIDE_MAX says, if the engine is
    // unbounded and no square has 2^32 live cells.
    lc_status (*count_far)(lc_engine *engine, const lc_far_squares *squares, lc_message *message);
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

// The bits of the last word of a row that are cells.
static inline uint64_t lc_last_mask(int64_t width_cells)
{
    return ~UINT64_C(0) >> (-width_cells & 63);
}

#define LC_FAMILY_BIT(family) (UINT32_C(1) << (family))

// Whether it steps the family of a rule that lc_rule_check accepts.
static inline bool lc_engine_steps(const lc_engine_vtable *engine, const lc_rule *rule)
{
    return (engine->families & LC_FAMILY_BIT(rule->family)) != 0;
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
