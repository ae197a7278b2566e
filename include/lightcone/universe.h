// A universe: cells, a rule, a topology, and the engine that steps it.
//
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule = LC_RULE_LIFE};
//     if (lc_universe_create(&universe, &options, &message) != LC_OK ||
//         lc_universe_soup(universe, 0, 0, 64, 64, 0.5, 1, &message) != LC_OK ||
//         lc_universe_step(universe, lc_count_of(1000), NULL, NULL, &message) != LC_OK)
//         fprintf(stderr, "%s\n", message.text);
//
// Coordinates: x to the right, y down. A bounded direction of n cells has coordinates 0 to n-1. An
// unbounded direction has coordinates -LC_UNIVERSE_REACH to LC_UNIVERSE_REACH.
//
// Threads: the threads of a universe's context step it. The program may use a universe from one
// thread at a time, even through a `const` pointer. Different universes are independent, even with
// the same context. Any thread may call a function that takes no universe.
//
// Errors: every function that returns a status returns LC_ERROR_ARGUMENT if the universe is NULL.
// A function that changes a universe also returns LC_ERROR_ARGUMENT while the universe is being
// stepped. The library always detects such a call from a callback of the step. It cannot always
// detect one from another thread.
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
    LC_AUDIT_PATCH_MAX = 256,       // cells per side of the patch that an audit recomputes
    LC_PICTURE_SIDE_MAX = 65536,    // pixels; a square picture of this side takes 4 GiB
    LC_CELLS_PER_PIXEL_MAX = 32768, // a larger square could overflow a 32-bit count
    LC_PASS_GENERATIONS_MAX = 128,  // generations per pass: see lc_universe_picture
};

// Options for lc_universe_create. Set struct_bytes and rule; 0 in any other member selects its
// default.
typedef struct lc_universe_options {
    size_t struct_bytes; // sizeof(lc_universe_options)
    lc_rule rule;
    lc_topology topology;
    // Name of an engine from lc_engine_at or lc_engine_add. NULL or "auto": the library chooses.
    // "auto" uses
    // - the GPU, if there is one, the board is large, and the run is long enough to be worth
    //   starting the GPU. A board of up to 2^28 cells starts on the CPU and moves to the GPU once
    //   the run has lasted long enough;
    // - the CPU, if the GPU fails; lc_universe_engine_note then gives the reason;
    // - "hashlife" or "sparse", which store live areas only, if the cells of a board do not fit in
    //   memory.
    // Every engine but "auto" accepts settings after a colon, at most LC_ENGINE_SETTINGS_BYTES with
    // their terminator: "cuda:device=1,words=4"; "simd:blocks=3" and "scalar:blocks=3" (cut a
    // bounded universe into that many blocks of rows); "simd:shares=2+1" (two blocks, the first
    // twice as high as the second).
    const char *engine;
    const char *cpu_level; // a name from lc_cpu_level_at; NULL or "auto": the best one
    // 0: the threads of the context, which its universes share. If the number differs from the
    // context's, the universe creates that many threads for itself.
    int threads;
    // 0: half of the machine's memory; on a GPU, all of the GPU's memory.
    uint64_t max_memory_bytes;
    // Average number of generations between audits. 0: no audits. An audit recomputes a patch of up
    // to LC_AUDIT_PATCH_MAX cells per side with the scalar engine, from the cells before a pass.
    // Many of the patches touch an edge of the board. If the result differs, lc_universe_step
    // returns LC_ERROR_MISMATCH and the universe is lost (lc_universe_failure). An audit takes some
    // milliseconds.
    uint64_t audit_generations;
    // True: compute every generation. Use it for measurements. False: once a small universe repeats
    // itself, stepping skips whole periods (lc_universe_skipped_generations). Audits also turn
    // skipping off. If true, "cuda" also steps the whole board instead of its active parts, unless
    // its settings contain settled=yes.
    bool every_generation;
    // Threads, memory and GPUs shared with other universes (context.h). NULL: the universe creates
    // a context of its own with `threads` threads, or one per CPU that this process may use.
    lc_context *context;
    // Path of the file that stores the cells (disk.h). If it is a folder, the file is "board.lcd"
    // in it. The file must not exist. Bounded universes only. NULL: the cells are in memory.
    const char *disk;
    // Overrides the automatic choice of how the file is read and stepped. Settings, separated by
    // commas: "rows=N" (rows in memory at a time); "depth=N" (generations per pass); "io=threads";
    // "io=ring" (io_uring); "cached" (through the system's page cache); "band=BYTES" (bytes that
    // one checksum covers); "previous" (lc_disk_open only: opens the state before the newest one).
    // NULL: automatic.
    const char *disk_settings;
} lc_universe_options;

// Creates a universe at generation 0 without live cells. The options may be freed after the call.
// Returns LC_OK; LC_ERROR_ARGUMENT (no options, an impossible topology or rule, an unknown engine
// or setting, more than LC_THREADS_MAX threads); LC_ERROR_UNSUPPORTED (an engine or level that this
// machine does not have, a rule that this topology or engine does not allow, see
// lc_rule_check_topology; settings that divide an unbounded universe into blocks); LC_ERROR_LIMIT
// (a bounded universe, or the first block of an unbounded one, needs more than max_memory_bytes);
// LC_ERROR_MEMORY; LC_ERROR_IO (`disk` exists or cannot be created). On error *out is NULL. The
// caller destroys the universe.
LC_API lc_status lc_universe_create(lc_universe **out, const lc_universe_options *options,
                                    lc_message *message);

// Memory needs of a universe. For an unbounded universe, the needs of its first block.
typedef struct lc_universe_needs {
    const char *engine; // name of the engine, without settings; valid until the process ends
    bool on_gpu;        // the cells would be in GPU memory
    uint64_t memory_bytes;
    uint64_t limit_bytes; // upper limit for memory_bytes
} lc_universe_needs;

// Checks whether lc_universe_create would accept these options, without creating a universe or
// starting a thread. Fills in *needs as far as known, even on error.
// Returns the status that lc_universe_create would return, except for errors that appear only when
// memory is allocated or kernels are compiled. It also returns LC_ERROR_UNSUPPORTED if the engine
// does not step such boards.
LC_API lc_status lc_universe_check(const lc_universe_options *options, lc_universe_needs *needs,
                                   lc_message *message);

// Measures plans for stepping a universe with these options on a GPU and saves the fastest, as
// lc_gpu_tune does. Unlike lc_gpu_tune it follows the options:
// - settings may name a GPU, "cuda:device=1", or several, "cuda:devices=0+1". Each of several GPUs
//   steps a slab of the board. Equal slabs are tuned once; `callback` is told which slab a trial
//   was for.
// - a board is tuned for stepping in place if the settings ask for it or two copies do not fit.
// - tuning does not vary the parts of a plan that the settings fix.
// With "auto" it tunes "cuda" in the way that "auto" would use it.
// Returns the same statuses as lc_universe_create, or LC_ERROR_STOPPED (by `callback`),
// LC_ERROR_MISMATCH or LC_ERROR_DEVICE. It also returns LC_ERROR_ARGUMENT for an unbounded
// universe, and LC_ERROR_UNSUPPORTED for an engine without plans or a context with ranks. Any
// thread.
LC_API lc_status lc_universe_tune(const lc_universe_options *options, lc_gpu_tuned callback,
                                  void *callback_context, lc_message *message);

// Frees the universe and sets *universe to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_universe_destroy(lc_universe **universe);

// Loading and editing cells --------------------------------------------------------------------

// Adds the pattern's live cells, with the pattern's (0, 0) at (x, y), and sets the generation to
// the pattern's. Ignores position, rule and topology in the pattern's header.
// Under a rule with B0 and without S8, empty space alternates between dead and alive. The
// background of an empty unbounded universe then follows the generation: it is alive if the
// generation is odd, and the pattern's cells become the dead ones.
// Returns LC_OK; LC_ERROR_FORMAT (a live cell beyond the edge of a bounded direction);
// LC_ERROR_LIMIT (a cell beyond LC_UNIVERSE_REACH, more memory needed than allowed);
// LC_ERROR_MEMORY; or an error of lc_pattern_read. On error the cells read so far stay, and the
// generation is unchanged.
LC_API lc_status lc_universe_load(lc_universe *universe, lc_pattern *pattern, int64_t x, int64_t y,
                                  lc_message *message);

// Calls lc_pattern_place with the topology of this universe.
LC_API void lc_universe_place(const lc_universe *universe, const lc_pattern_header *header,
                              int64_t *x, int64_t *y);

// Replaces a rectangle by a soup: each cell is alive with probability `density`, 0 to 1. The
// density is rounded to a multiple of 2^-16 = 0.0000152587890625. A density is refused if rounding
// changes the share of live cells, or that of dead cells, by more than 1 %. For example, 0.000001
// would be rounded to 0 and give an empty board.
// The cell at (x, y) depends only on the seed, the density, x and y, not on the machine, the engine
// or the rectangle. formats.md defines the generator. A width or height of 0 changes nothing.
// Returns LC_OK; LC_ERROR_ARGUMENT (the density is out of range or refused, or the rectangle is not
// inside the universe); LC_ERROR_LIMIT; LC_ERROR_MEMORY.
LC_API lc_status lc_universe_soup(lc_universe *universe, int64_t x, int64_t y, int64_t width_cells,
                                  int64_t height_cells, double density, uint64_t seed,
                                  lc_message *message);

// Sets or reads one cell. Beyond the edge of a bounded direction a cell reads as dead; beyond the
// coordinates of an unbounded one it reads as the background.
// lc_universe_set returns LC_OK; LC_ERROR_ARGUMENT (outside the universe); LC_ERROR_LIMIT or
// LC_ERROR_MEMORY, with nothing changed. Both functions return the error of lc_universe_failure if
// there is one.
LC_API lc_status lc_universe_set(lc_universe *universe, int64_t x, int64_t y, bool alive,
                                 lc_message *message);
LC_API lc_status lc_universe_get(const lc_universe *universe, int64_t x, int64_t y, bool *alive,
                                 lc_message *message);

// Copies a rectangle of cells into the caller's memory. The unused bits in the last word of each
// row become zero. Any coordinates are allowed: beyond the edge of a bounded direction cells are
// dead, beyond the coordinates of an unbounded one they are background. The rectangle may be empty.
// Returns LC_OK; LC_ERROR_ARGUMENT (a negative size, a pitch smaller than a row, more than one
// plane, x + width or y + height beyond 64 bits); or the universe's failure. On error the contents
// of the words are undefined.
LC_API lc_status lc_universe_read(const lc_universe *universe, const lc_cells *to,
                                  lc_message *message);

// Replaces a rectangle by the caller's cells, live and dead. The unused bits in the last word of
// each row are ignored. An unbounded universe allocates memory only for cells that differ from the
// background.
// Returns LC_OK; LC_ERROR_ARGUMENT (as lc_universe_read, or cells outside the universe);
// LC_ERROR_LIMIT or LC_ERROR_MEMORY, with nothing changed; or the universe's failure.
LC_API lc_status lc_universe_write(lc_universe *universe, const lc_cells *from,
                                   lc_message *message);

// Reserves memory for a rectangle of an unbounded universe and changes no cell. An empty rectangle
// needs no memory.
// "simd", "scalar" and "cuda" store a plane as one block. After this call the block contains the
// rectangle, so writes inside it cannot run out of memory until the universe is stepped or grows
// elsewhere. "sparse" and "hashlife", which "auto" may choose, store live areas only and reserve
// nothing. With them writes may still return LC_ERROR_LIMIT or LC_ERROR_MEMORY;
// lc_universe_check_room compares a lower bound with the limit.
// Returns the same statuses as lc_universe_write.
LC_API lc_status lc_universe_reserve(lc_universe *universe, int64_t x, int64_t y,
                                     int64_t width_cells, int64_t height_cells,
                                     lc_message *message);

// Checks whether `cells` cells, alive with probability `density`, may fit in the memory limit. The
// engine compares the limit with a lower bound, if it knows one, so the cells may exceed the limit
// even after LC_OK.
// Returns LC_OK; LC_ERROR_LIMIT (they do not fit); LC_ERROR_ARGUMENT (called from a watch).
LC_API lc_status lc_universe_check_room(const lc_universe *universe, double cells, double density,
                                        lc_message *message);

// Remembers the current cells until lc_universe_end_hold. The universe must not be stepped in
// between. Returns false if the engine cannot remember them at no cost. Only "hashlife" can.
LC_API bool lc_universe_hold(lc_universe *universe);
// Ends the hold. If `goes_back`, restores the remembered cells; this works even if memory is short.
// Returns false if the cells could not be restored: there was no hold, or the universe has switched
// to another engine since.
LC_API bool lc_universe_end_hold(lc_universe *universe, bool goes_back);

// Stepping -------------------------------------------------------------------------------------

// Called by lc_universe_step between passes, on its calling thread. `done` of the `total`
// generations of this call are finished. The callback may read, save and checkpoint the universe,
// but not change it. Return true to stop: lc_universe_step then returns LC_ERROR_STOPPED, even
// after the last pass, and the universe is valid at that generation.
typedef bool (*lc_progress)(void *context, const lc_universe *universe, lc_count done,
                            lc_count total);

// Called by lc_universe_step during a pass, on its calling thread. One pass over a large board can
// take a good part of a second. The watch is called whenever `interval_ns` of stepping have passed
// since the pass began or since the last call returned. The callback sees the universe as it was
// before the pass. It may read, save and checkpoint the universe, but not change it. Return true to
// abandon the pass: lc_universe_step then returns LC_ERROR_STOPPED, and the universe stays as it
// was before the pass.
//
// A pass shorter than the interval is not interrupted. "simd" can interrupt a pass. "cuda" cannot:
// it starts only as many passes at once as take about the interval, so lc_progress is called about
// as often as the watch would be. A watch that does nothing costs almost no time.
typedef bool (*lc_watch)(void *context, const lc_universe *universe);

// Sets the watch for later steps. `watch` NULL: none, the default. Must not be called from a watch.
LC_API void lc_universe_set_watch(lc_universe *universe, lc_watch watch, void *context,
                                  uint64_t interval_ns);

// Advances the universe by `generations`, which may be 0. `progress` may be NULL; it receives
// `context`.
// Returns
// - LC_OK;
// - LC_ERROR_STOPPED (by `progress` or the watch);
// - LC_ERROR_LIMIT (an unbounded universe needs more than max_memory_bytes, or a live cell has
//   reached the end of the coordinates) or LC_ERROR_MEMORY: the universe is valid at the last
//   generation reached;
// - LC_ERROR_MISMATCH (an audit failed) or LC_ERROR_DEVICE: lc_universe_failure tells whether the
//   universe is lost. It is still valid if the error only prevented the creation of a larger block;
// - LC_ERROR_IO or LC_ERROR_FORMAT (a universe on disk only): the universe is valid at the last
//   generation reached;
// - LC_ERROR_ARGUMENT (the generation would be 2^256 or more): nothing was done.
LC_API lc_status lc_universe_step(lc_universe *universe, lc_count generations, lc_progress progress,
                                  void *context, lc_message *message);

// Returns the error that ended the universe, or LC_OK: LC_ERROR_DEVICE (the GPU was lost or
// failed), LC_ERROR_MEMORY, or LC_ERROR_MISMATCH (an audit found wrong cells). After such an error
// every function that needs cells returns it, and the library writes no file of this universe.
LC_API lc_status lc_universe_failure(const lc_universe *universe, lc_message *message);

// Facts ----------------------------------------------------------------------------------------
//
// Returned pointers and strings belong to the universe and live as long as it does, unless stated
// otherwise.

LC_API lc_count lc_universe_generation(const lc_universe *universe);
// Returns the number of generations skipped since creation because the cells repeated themselves.
LC_API lc_count lc_universe_skipped_generations(const lc_universe *universe);
// Sets the generation and nothing else: cells and background stay.
LC_API void lc_universe_set_generation(lc_universe *universe, lc_count generation);
// Returns the rule from the options.
LC_API const lc_rule *lc_universe_rule(const lc_universe *universe);
LC_API const lc_topology *lc_universe_topology(const lc_universe *universe);
LC_API const char *lc_universe_engine(const lc_universe *universe); // "simd"
// Returns why "auto" does not use a better engine that it has tried, one sentence; "" if it has
// tried none, or if the options name an engine.
LC_API const char *lc_universe_engine_note(const lc_universe *universe);
// Returns why "auto" chose this engine, one sentence; "" if the options name an engine. Valid until
// the universe is stepped.
LC_API const char *lc_universe_engine_reason(const lc_universe *universe);
LC_API const char *lc_universe_cpu_level(const lc_universe *universe); // "avx512"; "" if none
// Returns the settings of the engine: the plan of a GPU (lc_gpu_tune), the number of blocks if the
// options set it, or the settings of an engine that the program added; otherwise "". Valid until
// the universe is stepped.
LC_API const char *lc_universe_plan(const lc_universe *universe);
LC_API int lc_universe_threads(const lc_universe *universe);
LC_API uint64_t lc_universe_memory_bytes(const lc_universe *universe); // that the cells take now
LC_API uint64_t lc_universe_limit_bytes(const lc_universe *universe);  // upper limit of that
// Returns the number of quadtree nodes that "hashlife" stores; 0 for every other engine.
LC_API uint64_t lc_universe_nodes(const lc_universe *universe);
// Returns the bytes of cells that stepping has read from and written to main memory since creation.
// The engine counts each pass over the board and ignores caches. 0: the engine does not count.
LC_API uint64_t lc_universe_traffic_bytes(const lc_universe *universe);

// Returns the time spent stepping, by the GPU's clock, since the current block was created. A
// bounded universe has one block only. 0: the engine has no clock of its own.
LC_API double lc_universe_stepping_ns(const lc_universe *universe);
// Describes how the engine steps the universe, as far as known.
LC_API void lc_universe_step_facts(const lc_universe *universe, lc_step_facts *facts);

// Returns whether the background is alive. Under a rule with B0 the empty space of an unbounded
// universe becomes alive. While it is alive, lc_universe_facts counts the dead cells instead of the
// live ones.
LC_API bool lc_universe_background(const lc_universe *universe);

// Computes facts of the current cells. `which` is a sum of lc_fact values. A fact that is not in
// `which` is 0 or an empty box, or is computed as well. The call may read all cells in memory, on
// all threads; it reads them once for all facts.
// Returns LC_OK; or the universe's failure, and then *facts is all 0.
LC_API lc_status lc_universe_facts(const lc_universe *universe, unsigned which, lc_facts *facts,
                                   lc_message *message);

// Views ----------------------------------------------------------------------------------------

// Counts the live cells under each pixel of a downsampled view. With s = cells_per_pixel,
// counts[j * width + i] covers the cells x + i*s to x + (i+1)*s - 1, y + j*s to y + (j+1)*s - 1.
// s is a power of two from 1 to LC_CELLS_PER_PIXEL_MAX. `width` and `height` are in pixels, 1 to
// LC_PICTURE_SIDE_MAX. Coordinates lie within LC_UNIVERSE_REACH of 0. Cells beyond the edge of a
// bounded direction are dead.
//
// A view is *aligned* if s is 64 or more, x a multiple of 64 and y a multiple of 16. Use aligned
// views of large boards: after the first one "simd" counts cells while it steps, and later views
// read much less memory than the cells occupy. Every other view reads all of its cells.
//
// Returns LC_OK; LC_ERROR_ARGUMENT; or the universe's failure.
LC_API lc_status lc_universe_counts(const lc_universe *universe, int64_t x, int64_t y,
                                    int64_t cells_per_pixel, int64_t width, int64_t height,
                                    uint32_t *counts, lc_message *message);

// Draws the view of lc_universe_counts as grey levels, one byte per pixel. A pixel without live
// cells is 0, every other one max(1, round(255 * sqrt(live cells / s^2))). So a glider is visible
// even in an otherwise empty square of a billion cells. At s = 1 the levels are 0 and 255. This is
// faster than lc_universe_counts: the engine computes the bytes on all threads or on the GPU.
//
// In a watch (lc_universe_set_watch) an aligned view shows a pass in progress. Parts of the board
// that the pass has finished show their cells after the pass; all other parts show their cells
// before it. A part is a rectangle of 64 x 16 cells or more. Cells move at most one cell per
// generation, and a pass has at most LC_PASS_GENERATIONS_MAX generations. So where two parts meet,
// cells are displaced by at most LC_PASS_GENERATIONS_MAX / s pixels. The next aligned view shows at
// least as much of the pass. All other views, and all views outside a watch, show the same cells as
// lc_universe_counts.
//
// Returns the same statuses as lc_universe_counts, or LC_ERROR_MEMORY. On error the bytes are
// undefined.
LC_API lc_status lc_universe_picture(const lc_universe *universe, int64_t x, int64_t y,
                                     int64_t cells_per_pixel, int64_t width, int64_t height,
                                     uint8_t *tones, lc_message *message);

// Draws a picture like that of lc_universe_picture at any scale. A pixel covers 2^log2_side x
// 2^log2_side cells, and log2_side is 0 to LC_WIDE_REACH_LOG2. The top left pixel begins at the
// cell (column * 2^log2_side, row * 2^log2_side). `column` and `row` lie within LC_UNIVERSE_REACH
// of 0.
// If the side of a pixel is at most LC_CELLS_PER_PIXEL_MAX cells, the result is that of
// lc_universe_picture. At larger scales the picture also shows cells further out than
// LC_UNIVERSE_REACH, and with "hashlife" its rows begin one cell lower, as the quadtree's squares
// do. Returns the same statuses as lc_universe_picture.
LC_API lc_status lc_universe_far_picture(const lc_universe *universe, int64_t column, int64_t row,
                                         int log2_side, int64_t width, int64_t height,
                                         uint8_t *tones, lc_message *message);

// Saving ---------------------------------------------------------------------------------------

// Saves the universe as a pattern file. The file covers the whole size of a bounded direction, and
// the bounding box in an unbounded one. Writes rule, topology, position and generation if the
// format holds them. LC_FORMAT_AUTO: the format of the path's suffix (lc_format_choose).
// LC_FORMAT_CHECKPOINT: a checkpoint as from lc_universe_checkpoint, always in one file.
// Returns the same statuses as lc_pattern_write and lc_format_choose. It also returns
// LC_ERROR_UNSUPPORTED for a background that only a checkpoint can store: a live one, or under a
// rule with B0 and without S8 a dead one in an odd generation.
LC_API lc_status lc_universe_save(const lc_universe *universe, const char *path, lc_format format,
                                  lc_message *message);

// Saves as lc_universe_save does and calls `watch` often, on the calling thread. `share` is the
// part of the universe that has been processed, 0 to 1. The callback may read the universe, but not
// change it. Return true to stop: the call returns LC_ERROR_STOPPED, and an old file stays. The
// watch is not called for checkpoints, nor for macrocell files of "hashlife".
typedef bool (*lc_save_watch)(void *context, double share);
LC_API lc_status lc_universe_save_watched(const lc_universe *universe, const char *path,
                                          lc_format format, lc_save_watch watch, void *context,
                                          lc_message *message);

// Checks before a long run whether lc_universe_save could write the universe after `generations`
// more generations. Checks everything that does not depend on the cells. Does not open the file.
// Returns LC_OK; LC_ERROR_LIMIT (a bounded universe is larger than the format allows);
// LC_ERROR_UNSUPPORTED (only a checkpoint could store the background of that generation, the format
// cannot state the rule, or PNG in a library built without libpng); LC_ERROR_ARGUMENT (for the
// reasons of lc_universe_step and lc_format_choose).
LC_API lc_status lc_universe_check_save(const lc_universe *universe, lc_count generations,
                                        const char *path, lc_format format, lc_message *message);

// Writes a checkpoint: the complete state under any rule, with checksums. Empty space takes no
// room. The file is replaced in the same way as by lc_pattern_write, so a failure leaves an old
// checkpoint unchanged. If ranks share the board (ranks.h) and all see one folder, each rank writes
// its cells into a file beside `path`, and `path` names those files. lc_universe_save always writes
// one file.
// Returns LC_OK; LC_ERROR_IO; LC_ERROR_MEMORY; or the universe's failure.
LC_API lc_status lc_universe_checkpoint(const lc_universe *universe, const char *path,
                                        lc_message *message);

// Creates a universe from a checkpoint file. The file may have any version of the format. The
// number of ranks may differ from the number that wrote it. `path` must not be "-". Rule and
// topology come from the file, everything else from `options` (NULL: defaults).
// Returns the same statuses as lc_universe_create. LC_ERROR_IO and LC_ERROR_UNSUPPORTED may also
// concern the file. It also returns LC_ERROR_FORMAT (damaged; the message has the byte offset), and
// LC_ERROR_LIMIT for an unbounded universe as well. On error *out is NULL.
LC_API lc_status lc_universe_restore(lc_universe **out, const char *path,
                                     const lc_universe_options *options, lc_message *message);

// Writes a checkpoint into memory, at most limit_bytes bytes. The bytes are those of a checkpoint
// in a single file. The caller frees *data with free().
// Returns LC_OK; LC_ERROR_LIMIT (more bytes needed); LC_ERROR_MEMORY; or the universe's failure. On
// error *data is NULL.
LC_API lc_status lc_universe_checkpoint_memory(const lc_universe *universe, size_t limit_bytes,
                                               void **data, size_t *size_bytes,
                                               lc_message *message);
// Writes the same without compressing cells, two to three times as fast. A soup takes about four
// times as many bytes as compressed, but little more than one bit per cell. With "hashlife" the
// result is that of lc_universe_checkpoint_memory.
LC_API lc_status lc_universe_checkpoint_plain(const lc_universe *universe, size_t limit_bytes,
                                              void **data, size_t *size_bytes, lc_message *message);
// Creates a universe from a checkpoint in memory, as lc_universe_restore does from a file. `data`
// may be freed after the call.
LC_API lc_status lc_universe_restore_memory(lc_universe **out, const void *data, size_t size_bytes,
                                            const lc_universe_options *options,
                                            lc_message *message);

// Returns whether `path` is a regular file that begins like a checkpoint. Its name does not matter.
// Returns false if the file cannot be read.
LC_API bool lc_universe_is_checkpoint(const char *path);

#ifdef __cplusplus
}
#endif
#endif
