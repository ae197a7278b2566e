// A universe: cells, a rule, a topology, and the engine that steps it.
//
// Example:
//
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
//     if (lc_universe_create(&universe, &options, &message) != LC_OK ||
//         lc_universe_soup(universe, 0, 0, 64, 64, 0.5, 1, &message) != LC_OK ||
//         lc_universe_step(universe, lc_count_of(1000), NULL, NULL, &message) != LC_OK)
//         fprintf(stderr, "%s\n", message.text); // the reason.
//
// Coordinates: x to the right, y down. A bounded direction of n cells has coordinates 0 to n-1. An
// unbounded direction has coordinates -LC_UNIVERSE_REACH to LC_UNIVERSE_REACH.
//
// Threads: a universe is stepped by the threads of its context. Only one thread of the program may
// use a universe at a time, even through a `const` pointer. Different universes are independent,
// even with the same context. Any thread may call a function that takes no universe.
//
// Errors: every function that returns a status returns LC_ERROR_ARGUMENT if the universe is NULL.
// A function that changes a universe also returns LC_ERROR_ARGUMENT while the universe is being
// stepped. The library always detects an attempt by a callback of lc_universe_step to change the
// universe. An attempt by another thread to change the universe is not always detected.
#ifndef LIGHTCONE_UNIVERSE_H
#define LIGHTCONE_UNIVERSE_H

#include "lightcone/cells.h"
#include "lightcone/context.h"
#include "lightcone/device.h"
#include "lightcone/engine.h"
#include "lightcone/pattern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_universe lc_universe;

enum {
    LC_AUDIT_PATCH_MAX = 256,       // largest side in cells of the patch that an audit recomputes
    LC_PICTURE_SIDE_MAX = 65536,    // largest side in pixels; 65,536 x 65,536 pixels take 4 GiB
    LC_CELLS_PER_PIXEL_MAX = 32768, // a larger pixel could overflow its 32-bit count of cells
    LC_PASS_GENERATIONS_MAX = 128,  // largest number of generations per pass
};

// Options for lc_universe_create. Set struct_bytes and either rule or rule_text; 0 in any other
// member selects its default.
typedef struct lc_universe_options {
    size_t struct_bytes; // sizeof(lc_universe_options)
    const lc_rule *rule; // the universe adds a reference of its own
    // The rule as lc_rule_parse reads it: "B3/S23", "HighLife". If the text states a topology, too
    // (":T100,200"), it is the universe's, and `topology` must be the infinite plane.
    const char *rule_text;
    lc_topology topology;
    // Name of an engine, as lc_engine_at lists it or as the program registered it with
    // lc_engine_add. NULL or "auto": the library chooses the engine. "auto" uses the GPU if there
    // is one, the board is large, and the run is long enough to repay starting the GPU. A board of
    // up to 2^28 cells starts on the CPU. The board moves to the GPU once the run has lasted long
    // enough. If the GPU fails, "auto" uses the CPU, and the engine_note of lc_universe_info gives
    // the reason. If the cells of a board do not fit in memory, "auto" uses "hashlife" or "sparse",
    // which store live areas only.
    // Settings may follow the name of any engine but "auto", after a colon:
    // "cuda:device=1,words=4". The settings have at most LC_ENGINE_SETTINGS_BYTES bytes, including
    // their terminator. "simd:blocks=3" and "scalar:blocks=3" cut a bounded universe into three
    // blocks of rows. "simd:shares=2+1" cuts a bounded universe into two blocks, and the first is
    // twice as high as the second.
    const char *engine;
    const char *cpu_level; // a name from lc_cpu_level_at; NULL or "auto": the best one
    // Number of threads. 0: the threads of the context, which all its universes share. If `threads`
    // is not 0 and differs from the context's number of threads, the universe creates `threads`
    // threads of its own.
    int threads;
    // Memory limit in bytes. 0: half of the machine's memory, or all of the GPU's memory if the
    // cells are on a GPU.
    uint64_t max_memory_bytes;
    // Average number of generations between audits. 0: no audits. An audit checks the cells after a
    // pass: the scalar engine recomputes one patch of the board from the cells before the pass. A
    // patch has at most LC_AUDIT_PATCH_MAX cells per side. Many audited patches touch an edge of
    // the board. If the recomputed cells differ from the engine's cells, lc_universe_step returns
    // LC_ERROR_MISMATCH and the universe is lost (lc_universe_failure). An audit takes some
    // milliseconds.
    uint64_t audit_generations;
    // True: compute every generation. Use it for measurements. False: once a small universe repeats
    // itself, stepping skips whole periods (skipped_generations of lc_universe_info). If audits are
    // on, stepping skips no periods. If every_generation is true, "cuda" steps the whole board and
    // not only its active parts. The setting "cuda:settled=yes" takes precedence over
    // every_generation: "cuda" then steps only the active parts of the board.
    bool every_generation;
    // Threads, memory and GPUs shared with other universes (context.h). NULL: the universe creates
    // a context of its own with `threads` threads. If `threads` is 0, the universe's own context
    // has one thread per CPU that this process may use.
    lc_context *context;
    // Path of the file that stores the cells (disk.h). If the path is a folder, the file is
    // "board.lcd" in that folder. The file must not exist before the call. Bounded universes only.
    // NULL: the cells are in memory.
    const char *disk;
    // Overrides the automatic choice of how the file is read and the board is stepped. Commas
    // separate the settings. "rows=N" sets the number of rows in memory at a time, "depth=N" the
    // number of generations per pass, and "band=BYTES" the number of bytes that one checksum
    // covers. "io=threads" reads and writes with threads, "io=ring" with io_uring. "cached" reads
    // and writes through the system's page cache. "previous" is for lc_disk_open only and opens the
    // state before the newest one. NULL: automatic.
    const char *disk_settings;
} lc_universe_options;

// Creates a universe at generation 0 without live cells. The options may be freed after the call.
// Returns LC_OK; LC_ERROR_ARGUMENT (no options, not exactly one of rule and rule_text, two
// topologies, an impossible topology, an unknown engine or setting, more than LC_THREADS_MAX
// threads); LC_ERROR_FORMAT (rule_text, as lc_rule_parse); LC_ERROR_UNSUPPORTED (rule_text, an
// engine or CPU level that this machine does not have, a rule that the topology or the engine does
// not allow, settings that divide an unbounded universe into blocks); LC_ERROR_LIMIT (a bounded
// universe, or the first block of an unbounded one, needs more than max_memory_bytes);
// LC_ERROR_MEMORY; LC_ERROR_IO (`disk` exists or cannot be created). On error *out is NULL. The
// caller destroys the universe. The function lc_rule_check_topology tells whether a topology allows
// a rule.
LC_API lc_status lc_universe_create(lc_universe **out, const lc_universe_options *options,
                                    lc_message *message);

// The memory that a universe needs. For an unbounded universe, the memory that its first block
// needs.
typedef struct lc_universe_needs {
    const char *engine; // name of the engine, without settings; valid until the process ends
    bool on_gpu;        // the cells would be in GPU memory
    uint64_t memory_bytes;
    uint64_t limit_bytes; // upper limit for memory_bytes
} lc_universe_needs;

// Checks whether lc_universe_create would accept these options. Creates no universe and starts no
// thread. Even on error, fills in the members of *needs whose values are known.
// Returns the status that lc_universe_create would return. Does not detect errors that appear only
// when memory is allocated or kernels are compiled. Also returns LC_ERROR_UNSUPPORTED if the engine
// cannot step a board with this rule and topology.
LC_API lc_status lc_universe_check(const lc_universe_options *options, lc_universe_needs *needs,
                                   lc_message *message);

// Measures plans for stepping a universe on a GPU and saves the fastest plan, like lc_gpu_tune.
// Unlike lc_gpu_tune, the call follows the options of the universe. The settings may name one GPU,
// "cuda:device=1", or several GPUs, "cuda:devices=0+1". Each of several GPUs steps a slab of the
// board. Slabs of equal size are tuned once. `callback` is told which slab a trial was for. The
// board is tuned for stepping in place if the settings ask for it, or if two copies of the board do
// not fit in GPU memory. Tuning does not vary the parts of a plan that the settings fix.
// If the engine in the options is "auto", the call tunes the engine "cuda" as "auto" would use it.
// Returns the same statuses as lc_universe_create, or LC_ERROR_STOPPED (by `callback`),
// LC_ERROR_MISMATCH or LC_ERROR_DEVICE. Also returns LC_ERROR_ARGUMENT for an unbounded universe,
// and LC_ERROR_UNSUPPORTED if the engine has no plans or the context has ranks. Any thread.
LC_API lc_status lc_universe_tune(const lc_universe_options *options, lc_gpu_tuned callback,
                                  void *callback_context, lc_message *message);

// Frees the universe and sets *universe to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_universe_destroy(lc_universe **universe);

// Loading and editing cells --------------------------------------------------------------------

// Adds the pattern's live cells to the universe. The pattern's cell (0, 0) goes to (x, y). Sets the
// universe's generation to that of the pattern. Ignores position, rule and topology in the
// pattern's header.
// Under a rule with B0 and without S8, empty space alternates between dead and alive. Loading a
// pattern of an odd generation into an empty unbounded universe with B0 and without S8 makes the
// background alive and the pattern's cells dead.
// Returns LC_OK; LC_ERROR_FORMAT (a live cell beyond the edge of a bounded direction);
// LC_ERROR_LIMIT (a cell beyond LC_UNIVERSE_REACH, or more than max_memory_bytes needed);
// LC_ERROR_MEMORY; or an error of lc_pattern_read. On error the cells read so far stay in the
// universe, and its generation is unchanged.
LC_API lc_status lc_universe_load(lc_universe *universe, lc_pattern *pattern, int64_t x, int64_t y,
                                  lc_message *message);

// Calls lc_pattern_place with the topology of this universe.
LC_API void lc_universe_place(const lc_universe *universe, const lc_pattern_header *header,
                              int64_t *x, int64_t *y);

// Replaces a rectangle by a soup: each cell has state 1 with probability `density`, 0 to 1. The
// density is rounded to a multiple of 2^-16 = 0.0000152587890625. A density is refused if rounding
// would change the share of live cells or the share of dead cells by more than 1 %. For example, a
// density of 0.000001 is refused because it would be rounded to 0 and give an empty board.
// The cell at (x, y) depends only on the seed, the density, x and y, not on the machine, the engine
// or the rectangle. The document formats.md defines the random generator. If width or height is 0,
// no cell changes. Returns LC_OK; LC_ERROR_ARGUMENT (the density is out of range or refused, or the
// rectangle is not inside the universe); LC_ERROR_LIMIT; LC_ERROR_MEMORY.
LC_API lc_status lc_universe_soup(lc_universe *universe, int64_t x, int64_t y, int64_t width_cells,
                                  int64_t height_cells, double density, uint64_t seed,
                                  lc_message *message);

// Set or read one cell: `alive` is state 1 when it is set, and any state but 0 when it is read.
// lc_universe_write_states and lc_universe_read_states handle states. Cells beyond the edge of a
// bounded direction read as dead. Cells beyond the coordinates of an unbounded direction read as
// background. Return LC_OK, or the error of lc_universe_failure if the universe has failed. Setting
// a cell can also fail with LC_ERROR_ARGUMENT (the cell is outside the universe), LC_ERROR_LIMIT or
// LC_ERROR_MEMORY. On error the cell stays unchanged.
LC_API lc_status lc_universe_set(lc_universe *universe, int64_t x, int64_t y, bool alive,
                                 lc_message *message);
LC_API lc_status lc_universe_get(const lc_universe *universe, int64_t x, int64_t y, bool *alive,
                                 lc_message *message);

// Copies a rectangle of cells into the caller's memory. The unused bits in the last word of each
// row become zero. Any coordinates are allowed. Cells beyond the edge of a bounded direction read
// as dead. Cells beyond the coordinates of an unbounded direction read as background. The rectangle
// may be empty. Returns LC_OK; LC_ERROR_ARGUMENT (a negative size, a pitch smaller than a row, a
// wrong number of planes, x + width or y + height beyond 64 bits); or the error of
// lc_universe_failure. On error the contents of the words are undefined.
LC_API lc_status lc_universe_read(const lc_universe *universe, const lc_cells *to,
                                  lc_message *message);

// Replaces a rectangle by the caller's cells, live and dead. The unused bits in the last word of
// each row are ignored. An unbounded universe allocates memory only for cells that differ from the
// background.
// Returns LC_OK; LC_ERROR_ARGUMENT (as lc_universe_read, cells outside the universe, or a state
// that the rule does not have; the message has its place); LC_ERROR_LIMIT (no cell has changed);
// LC_ERROR_MEMORY (no cell has changed); or the error of lc_universe_failure.
LC_API lc_status lc_universe_write(lc_universe *universe, const lc_cells *from,
                                   lc_message *message);

// Copies a rectangle of cells into the caller's memory, one byte per cell: its state. The state of
// the cell at (box->x + i, box->y + j) goes to states[j * pitch_bytes + i]. Reads the same cells as
// lc_universe_read and returns the same statuses.
LC_API lc_status lc_universe_read_states(const lc_universe *universe, const lc_box *box,
                                         uint8_t *states, size_t pitch_bytes, lc_message *message);

// Replaces a rectangle by the caller's cells, one byte per cell, in the order of
// lc_universe_read_states.
// Returns the same statuses as lc_universe_write. Also returns LC_ERROR_ARGUMENT if the rule does
// not have a state; the message has the place of the cell. On LC_ERROR_ARGUMENT, LC_ERROR_LIMIT and
// LC_ERROR_MEMORY no cell has changed.
LC_API lc_status lc_universe_write_states(lc_universe *universe, const lc_box *box,
                                          const uint8_t *states, size_t pitch_bytes,
                                          lc_message *message);

// Reserves memory for a rectangle of an unbounded universe and changes no cell. An empty rectangle
// needs no memory.
// The engines "simd", "scalar" and "cuda" store a plane as one block of cells. After this call the
// block contains the rectangle, so writes to the rectangle cannot run out of memory until the
// universe is stepped or grows elsewhere. The engines "sparse" and "hashlife", which "auto" may
// choose, store live areas only and reserve nothing. With "sparse" and "hashlife", writes may still
// return LC_ERROR_LIMIT or LC_ERROR_MEMORY. Before a large write, lc_universe_check_room can
// compare the memory limit with a lower bound of the memory needed.
// Returns the same statuses as lc_universe_write.
LC_API lc_status lc_universe_reserve(lc_universe *universe, int64_t x, int64_t y,
                                     int64_t width_cells, int64_t height_cells,
                                     lc_message *message);

// Checks whether a soup of `cells` cells with the given density may fit in the memory limit. If the
// engine knows a lower bound of the memory needed, the call compares the lower bound with the
// limit. Even after LC_OK the soup may need more memory than the limit allows.
// Returns LC_OK; LC_ERROR_LIMIT (the soup does not fit); LC_ERROR_ARGUMENT (the universe is being
// stepped); or the error of lc_universe_failure.
LC_API lc_status lc_universe_check_room(const lc_universe *universe, double cells, double density,
                                        lc_message *message);

// Takes a snapshot of the current cells, which lasts until lc_universe_end_snapshot. Until then the
// universe must not be stepped. With the engine "hashlife" the snapshot costs nothing. With any
// other engine the call returns false.
LC_API bool lc_universe_take_snapshot(lc_universe *universe);
// Ends the snapshot. If `goes_back` is true, restores its cells, even if memory is short. Returns
// false if the cells could not be restored because there was no snapshot, or because the universe
// has switched to another engine since.
LC_API bool lc_universe_end_snapshot(lc_universe *universe, bool goes_back);

// Stepping -------------------------------------------------------------------------------------

// A callback of lc_universe_step, called between passes on the thread that called lc_universe_step.
// `total` is the number of generations of this call of lc_universe_step, and `done` is the number
// finished so far. The callback may read, save and checkpoint the universe, but not change it.
// Return true to stop: lc_universe_step then returns LC_ERROR_STOPPED, even after the last pass.
// After a stop the universe is valid at the generation reached.
typedef bool (*lc_progress)(void *context, const lc_universe *universe, lc_count done,
                            lc_count total);

// A callback of lc_universe_step, called during a pass on the thread that called lc_universe_step.
// One pass over a large board can take a good part of a second. The library first calls the watch
// `interval_ns` nanoseconds after the pass began. The library calls the watch again `interval_ns`
// nanoseconds after each call of the watch has returned. The callback sees the universe as it was
// before the pass. The callback may read, save and checkpoint the universe, but not change it.
// Return true to abandon the pass: lc_universe_step then returns LC_ERROR_STOPPED, and the universe
// stays as it was before the pass.
//
// A pass shorter than `interval_ns` is not interrupted. The engine "simd" can interrupt a pass; the
// engine "cuda" cannot. If a watch is set, the engine "cuda" starts passes in groups that take
// about `interval_ns` nanoseconds each. With "cuda", the library calls lc_progress about as often
// as it would call a watch. A watch that does nothing costs almost no time.
typedef bool (*lc_watch)(void *context, const lc_universe *universe);

// Sets the watch for later calls of lc_universe_step. `watch` NULL: no watch, the default. Must not
// be called from a watch.
LC_API void lc_universe_set_watch(lc_universe *universe, lc_watch watch, void *context,
                                  uint64_t interval_ns);

// Advances the universe by `generations`, which may be 0. `progress` may be NULL. `context` is
// passed to `progress`.
// Returns
// - LC_OK;
// - LC_ERROR_STOPPED (by `progress` or the watch);
// - LC_ERROR_LIMIT (an unbounded universe needs more than max_memory_bytes, or a live cell has
//   reached the end of the coordinates): the universe is valid at the last generation reached;
// - LC_ERROR_MEMORY: the universe is valid at the last generation reached;
// - LC_ERROR_MISMATCH (an audit failed) or LC_ERROR_DEVICE: lc_universe_failure tells whether the
//   universe is lost, or still valid because the error only prevented the creation of a larger
//   block;
// - LC_ERROR_IO or LC_ERROR_FORMAT (a universe on disk only): the universe is valid at the last
//   generation reached;
// - LC_ERROR_ARGUMENT (the generation would be 2^256 or more): nothing was done.
LC_API lc_status lc_universe_step(lc_universe *universe, lc_count generations, lc_progress progress,
                                  void *context, lc_message *message);

// Returns LC_OK, or the error after which the universe can no longer be used: LC_ERROR_DEVICE (the
// GPU was lost or failed), LC_ERROR_MEMORY, or LC_ERROR_MISMATCH (an audit found wrong cells). Once
// a universe has failed, every function that needs its cells returns the error, and the library
// writes no file of the universe.
LC_API lc_status lc_universe_failure(const lc_universe *universe, lc_message *message);

// Facts ----------------------------------------------------------------------------------------

// Unless stated otherwise, returned pointers and strings belong to the universe and are valid until
// it is destroyed.

LC_API lc_count lc_universe_generation(const lc_universe *universe);
// Sets the generation. Cells and background stay unchanged.
LC_API void lc_universe_set_generation(lc_universe *universe, lc_count generation);
// Returns the rule. It is valid as long as the universe.
LC_API const lc_rule *lc_universe_rule(const lc_universe *universe);
LC_API const lc_topology *lc_universe_topology(const lc_universe *universe);
// Returns whether the background is alive. Under a rule with B0 the empty space of an unbounded
// universe becomes alive. While the background is alive, lc_universe_facts counts the dead cells
// instead of the live cells.
LC_API bool lc_universe_background(const lc_universe *universe);

// How a universe is computed. Strings are "" if there is nothing to state.
typedef struct lc_universe_info {
    size_t struct_bytes; // sizeof(lc_universe_info)
    const char *engine;  // "simd"
    // The reason in one sentence if "auto" tried a better engine and does not use it.
    const char *engine_note;
    // Why "auto" chose the current engine, in one sentence. Valid until the universe is stepped.
    const char *engine_reason;
    const char *cpu_level; // "avx512"
    // Settings of the engine: the plan of a GPU (lc_gpu_tune), the number of blocks if the options
    // set it, or the settings of an engine that the program added. Valid until the universe is
    // stepped.
    const char *plan;
    uint64_t memory_bytes; // taken by the cells now
    uint64_t limit_bytes;  // upper limit for memory_bytes
    uint64_t nodes;        // number of quadtree nodes of "hashlife"; 0 for every other engine
    // Bytes that stepping has read from main memory, plus bytes that it has written, since the
    // universe was created. Only reads and writes of cells count. The engine counts each pass over
    // the board and ignores caches. 0: the engine does not count.
    uint64_t traffic_bytes;
    // Time in nanoseconds spent stepping since the current block was created, as measured by the
    // GPU's clock. 0: the engine has no clock of its own. A bounded universe has only one block.
    double stepping_ns;
    // Number of generations that stepping has skipped since the universe was created, because the
    // cells repeat themselves.
    lc_count skipped_generations;
    lc_step_facts step; // as far as known
    int threads;
} lc_universe_info;

// Fills in the members of *info. Set info->struct_bytes before the call. The call is cheap and
// reads no cells.
LC_API void lc_universe_get_info(const lc_universe *universe, lc_universe_info *info);

static inline lc_universe_info lc_universe_info_of(const lc_universe *universe)
{
    lc_universe_info info;
    info.struct_bytes = sizeof info;
    lc_universe_get_info(universe, &info);
    return info;
}

// Computes facts of the current cells. `which` is a sum of lc_fact values. The call may also
// compute facts that `which` does not contain. A fact that is not computed is 0 or an empty box.
// The call may read all cells in memory, on all threads. The call reads the cells only once for all
// facts.
// Returns LC_OK; or the error of lc_universe_failure, and *facts is then all 0.
LC_API lc_status lc_universe_facts(const lc_universe *universe, unsigned which, lc_facts *facts,
                                   lc_message *message);

// Views ----------------------------------------------------------------------------------------

// Counts the live cells under each pixel of a downsampled view. With s = cells_per_pixel,
// counts[j * width + i] covers the cells x + i*s to x + (i+1)*s - 1, y + j*s to y + (j+1)*s - 1.
// The number cells_per_pixel is a power of two from 1 to LC_CELLS_PER_PIXEL_MAX. `width` and
// `height` are in pixels, 1 to LC_PICTURE_SIDE_MAX. All coordinates must lie within
// LC_UNIVERSE_REACH of 0. Cells beyond the edge of a bounded direction are dead.
//
// A view is *aligned* if cells_per_pixel is at least 64, x is a multiple of 64, and y is a multiple
// of 16. Use aligned views of large boards. After the first aligned view, the engine "simd" counts
// live cells while it steps. Every further aligned view reads much less memory than the cells
// occupy. A view that is not aligned reads all of its cells.
//
// Returns LC_OK; LC_ERROR_ARGUMENT; or the error of lc_universe_failure.
LC_API lc_status lc_universe_counts(const lc_universe *universe, int64_t x, int64_t y,
                                    int64_t cells_per_pixel, int64_t width, int64_t height,
                                    uint32_t *counts, lc_message *message);

// Draws the view of lc_universe_counts as grey levels, one byte per pixel. With s =
// cells_per_pixel, the level of a pixel with live cells is max(1, round(255 * sqrt(live cells /
// s^2))). A pixel without live cells has level 0. A single glider is visible even if its pixel
// covers a billion cells. With one cell per pixel the levels are 0 and 255. The call is faster than
// lc_universe_counts, because the engine computes the levels on all threads or on the GPU.
//
// An aligned view drawn from a watch callback (lc_universe_set_watch) shows the pass in progress.
// Finished parts of the board are shown as they are after the pass. Unfinished parts are shown as
// they were before the pass. A part of the board is a rectangle of 64 x 16 cells or more. Live
// cells can spread by at most one cell per generation, and a pass has at most
// LC_PASS_GENERATIONS_MAX generations. Where a finished part meets an unfinished part, cells are
// displaced by at most LC_PASS_GENERATIONS_MAX / cells_per_pixel pixels. During one pass, each
// aligned view shows at least as many finished parts as the aligned view before. Views that are not
// aligned, and all views outside a watch callback, show the same cells as lc_universe_counts.
//
// Returns the same statuses as lc_universe_counts, or LC_ERROR_MEMORY. On error the contents of
// `tones` are undefined.
LC_API lc_status lc_universe_picture(const lc_universe *universe, int64_t x, int64_t y,
                                     int64_t cells_per_pixel, int64_t width, int64_t height,
                                     uint8_t *tones, lc_message *message);

// Draws a picture like lc_universe_picture, but at any scale. A pixel covers 2^log2_side x
// 2^log2_side cells. `log2_side` is 0 to LC_WIDE_REACH_LOG2. The top left pixel begins at the cell
// (column * 2^log2_side, row * 2^log2_side). `column` and `row` lie within LC_UNIVERSE_REACH of 0.
// If the side of a pixel is at most LC_CELLS_PER_PIXEL_MAX cells, the picture equals that of
// lc_universe_picture. If the side of a pixel is more than LC_CELLS_PER_PIXEL_MAX cells, the
// picture also shows cells beyond LC_UNIVERSE_REACH. If the engine "hashlife" draws pixels with a
// side of more than LC_CELLS_PER_PIXEL_MAX cells, the top left pixel begins one cell further down,
// at y = row * 2^log2_side + 1. In the quadtree, the top row of a square is one more than a
// multiple of the square's side.
// Returns the same statuses as lc_universe_picture.
LC_API lc_status lc_universe_far_picture(const lc_universe *universe, int64_t column, int64_t row,
                                         int log2_side, int64_t width, int64_t height,
                                         uint8_t *tones, lc_message *message);

// Saving ---------------------------------------------------------------------------------------

// Saves the universe as a pattern file. In a bounded direction the file covers the whole universe;
// in an unbounded direction it covers the bounding box. Writes rule, topology, position and
// generation if the format can store them. LC_FORMAT_AUTO: the format of the path's suffix
// (lc_format_choose). LC_FORMAT_CHECKPOINT: a checkpoint like that of lc_universe_checkpoint, but
// always in one file.
// Returns the same statuses as lc_pattern_write and lc_format_choose. Also returns
// LC_ERROR_UNSUPPORTED if only a checkpoint can store the background. Only a checkpoint can store a
// live background. Under a rule with B0 and without S8, only a checkpoint can store a dead
// background of an odd generation.
LC_API lc_status lc_universe_save(const lc_universe *universe, const char *path, lc_format format,
                                  lc_message *message);

// Saves like lc_universe_save, and calls `watch` often, on the calling thread. `share` is the part
// of the universe that has been processed, 0 to 1. The callback may read the universe, but not
// change it. Return true to stop: the call returns LC_ERROR_STOPPED, and an old file at `path`
// stays unchanged. `watch` is called neither for a checkpoint nor for a macrocell file that the
// engine "hashlife" saves.
typedef bool (*lc_save_watch)(void *context, double share);
LC_API lc_status lc_universe_save_watched(const lc_universe *universe, const char *path,
                                          lc_format format, lc_save_watch watch, void *context,
                                          lc_message *message);

// Checks before a long run whether lc_universe_save could write the universe after `generations`
// more generations. Checks everything that does not depend on the cells. Does not open the file.
// Returns LC_OK; LC_ERROR_LIMIT (a bounded universe is larger than the format allows);
// LC_ERROR_UNSUPPORTED (only a checkpoint could store the background of that generation, the format
// cannot state the rule, or the format is PNG and the library was built without libpng);
// LC_ERROR_ARGUMENT (an error of lc_universe_step or lc_format_choose).
LC_API lc_status lc_universe_check_save(const lc_universe *universe, lc_count generations,
                                        const char *path, lc_format format, lc_message *message);

// Writes a checkpoint file, which stores the complete state of a universe under any rule, with
// checksums. Empty space takes no room in the file. The call replaces a file in the same way as
// lc_pattern_write, so a failure leaves an old checkpoint unchanged. If ranks share the board
// (ranks.h) and all of them can access the same folder, each rank writes its cells into a file
// beside `path`. If the ranks write files of their own, the file at `path` names these files.
// Unlike lc_universe_checkpoint, lc_universe_save always writes one file.
// Returns LC_OK; LC_ERROR_IO; LC_ERROR_MEMORY; or the error of lc_universe_failure.
LC_API lc_status lc_universe_checkpoint(const lc_universe *universe, const char *path,
                                        lc_message *message);

// Creates a universe from a checkpoint file. The file may have any version of the format. The
// number of ranks may differ from the number of ranks that wrote the file. `path` must not be "-".
// Rule and topology come from the file, everything else from `options` (NULL: defaults). Returns
// the same statuses as lc_universe_create. LC_ERROR_IO and LC_ERROR_UNSUPPORTED may also concern
// the file. Also returns LC_ERROR_FORMAT if the file is damaged; the message has the byte offset.
// For an unbounded universe, the call also returns LC_ERROR_LIMIT if the cells need more than
// max_memory_bytes. On error *out is NULL.
LC_API lc_status lc_universe_restore(lc_universe **out, const char *path,
                                     const lc_universe_options *options, lc_message *message);

// Writes a checkpoint into memory, at most limit_bytes bytes. The bytes are those of a checkpoint
// in a single file. The caller frees *data with free().
// Returns LC_OK; LC_ERROR_LIMIT (the checkpoint is larger than limit_bytes); LC_ERROR_MEMORY; or
// the error of lc_universe_failure. On error *data is NULL.
LC_API lc_status lc_universe_checkpoint_memory(const lc_universe *universe, size_t limit_bytes,
                                               void **data, size_t *size_bytes,
                                               lc_message *message);
// Writes a checkpoint into memory without compressing the cells. Skipping compression makes the
// call two to three times as fast as lc_universe_checkpoint_memory. An uncompressed soup takes
// about four times as many bytes as a compressed soup, and little more than one bit per cell. With
// the engine "hashlife" the bytes equal those of lc_universe_checkpoint_memory.
LC_API lc_status lc_universe_checkpoint_plain(const lc_universe *universe, size_t limit_bytes,
                                              void **data, size_t *size_bytes, lc_message *message);
// Creates a universe from a checkpoint in memory, as lc_universe_restore does from a file. `data`
// may be freed after the call.
LC_API lc_status lc_universe_restore_memory(lc_universe **out, const void *data, size_t size_bytes,
                                            const lc_universe_options *options,
                                            lc_message *message);

// Returns whether `path` is a regular file that begins like a checkpoint. The file's name does not
// matter. Returns false if the file cannot be read.
LC_API bool lc_universe_is_checkpoint(const char *path);

#ifdef __cplusplus
}
#endif
#endif
