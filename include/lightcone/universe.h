// A universe: cells, a rule, a topology, and the engine that steps it.
//
// Coordinates: x to the right, y down. A bounded direction of n cells has coordinates 0 .. n-1; an
// unbounded one reaches from -LC_UNIVERSE_REACH to LC_UNIVERSE_REACH. A universe is stepped by the
// threads of its context. From outside, only one thread at a time may use it, even where it is
// `const`; different universes are independent, even those of one context. Functions without a
// universe may be called by any thread. Functions that return a status return LC_ERROR_ARGUMENT
// where they are given no universe (NULL), and where they would change one that is being stepped:
// from a callback of the step, or, as far as that can be noticed, from another thread.
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
    LC_AUDIT_PATCH_MAX = 256,       // cells a side, of what an audit computes again
    LC_PICTURE_SIDE_MAX = 65536,    // pixels: such a square has 4 GiB of bytes
    LC_CELLS_PER_PIXEL_MAX = 32768, // so that the cells of a square can be counted in 32 bits
    LC_PASS_GENERATIONS_MAX = 128,  // that are made in one go: see lc_universe_picture
};

typedef struct lc_universe_options {
    size_t struct_bytes; // sizeof(lc_universe_options)
    lc_rule rule;
    lc_topology topology;
    // "auto" (also NULL), "cuda", "simd", "scalar": see lc_engine_at; or one that was added: see
    // lc_engine_add. "auto" uses the GPU if there is one, the universe is large and its generations
    // are worth the start (boards of up to 2^28 cells move there when they are); the CPU if that
    // fails (see lc_universe_engine_note); and an engine that keeps only what lives,
    // "hashlife" or "sparse", if a board's cells do not fit into memory. All but "auto" take
    // settings behind a colon, at most LC_ENGINE_SETTINGS_BYTES with their terminator:
    // "cuda:device=1,words=4", "simd:blocks=3" and "scalar:blocks=3" (a bounded universe is cut
    // into so many blocks of rows), "simd:shares=2+1" (into two, the first twice as high).
    const char *engine;
    const char *cpu_level; // NULL or "auto": the best one; else a name from lc_cpu_level_at
    // 0: those of the context, which universes share. Another number than the context has: threads
    // of this universe's own.
    int threads;
    // 0: half of the machine's memory; on a GPU, all of its own
    uint64_t max_memory_bytes;
    // 0: never. Otherwise, about once in this many generations, a patch of up to LC_AUDIT_PATCH_MAX
    // cells a side, at an edge or anywhere, is computed again by the scalar engine from the cells
    // before a pass. If it differs, lc_universe_step returns LC_ERROR_MISMATCH and the universe is
    // lost: see lc_universe_failure. An audit costs some milliseconds.
    uint64_t audit_generations;
    // Whether to compute every generation; for measuring. Otherwise, once the cells of a small
    // universe repeat themselves, stepping skips as many generations as lead back to the same
    // cells: see lc_universe_skipped_generations. With audits, too, every generation is computed.
    // If this is asked for, "cuda" also steps all of a board, and not only where something happens,
    // unless its settings say settled=yes.
    bool every_generation;
    // What this universe shares with others: see context.h. NULL: nothing; it makes a context for
    // itself, with as many threads, or one for each CPU that this process may use.
    lc_context *context;
    // The file, or a folder for a file "board.lcd", that the cells are to lie in: disk.h. It must
    // not exist; LC_ERROR_IO if it does or cannot be made. Bounded universes only. NULL: memory.
    const char *disk;
    // How it is read and stepped, if that is not to be chosen: "rows=N" in memory at a time,
    // "depth=N" of generations in a pass, "io=threads", "io=ring" (io_uring), "cached" (by the
    // system), "band=BYTES" that have one checksum, "previous" (lc_disk_open only: the state kept
    // before the newest one), separated by commas. NULL: it is chosen.
    const char *disk_settings;
} lc_universe_options;

// Creates a universe with no live cell, at generation 0; the options need not outlive the call.
// Returns LC_OK; LC_ERROR_ARGUMENT (no options, an impossible topology or rule, an engine that does
// not exist or does not know such settings, more than LC_THREADS_MAX threads);
// LC_ERROR_UNSUPPORTED (an engine or level not on this machine, a rule that cannot live on the
// surface, see lc_rule_check_topology, or of a family that the engine does not step, or blocks of
// an unbounded universe); LC_ERROR_LIMIT (a bounded universe, or the first block of an unbounded
// one, needs more than max_memory_bytes); LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_universe_create(lc_universe **out, const lc_universe_options *options,
                                    lc_message *message);
// What a universe would need. For an unbounded one, its first block.
typedef struct lc_universe_needs {
    const char *engine; // that would step it, without settings; valid until the process ends
    bool on_gpu;        // the cells would be in the memory of a GPU
    uint64_t memory_bytes;
    uint64_t limit_bytes; // the most that it may use there
} lc_universe_needs;

// Whether a universe could be created with these options, without creating it: returns what
// lc_universe_create would, except for what only shows when memory is allocated and kernels are
// compiled; no thread is started. LC_ERROR_UNSUPPORTED also means that the engine does not step
// such boards. *needs is filled in as far as known, even on error.
LC_API lc_status lc_universe_check(const lc_universe_options *options, lc_universe_needs *needs,
                                   lc_message *message);

// Tries how a GPU steps such a universe fastest, and keeps it, as lc_gpu_tune does, but for what
// the options say: a GPU that the engine's settings name, "cuda:device=1"; a board that is stepped
// in place, since they say so or it does not fit otherwise; several GPUs, "cuda:devices=0+1", of
// which each steps a slab of the board (slabs that are alike are tuned once, and `callback` is told
// which one a trial was for); and parts of a plan, to which tuning then keeps. "auto" tunes the
// engine "cuda" as it would be used. Returns what lc_universe_create does, and LC_ERROR_STOPPED,
// LC_ERROR_MISMATCH, LC_ERROR_DEVICE; LC_ERROR_ARGUMENT also for an unbounded universe, and
// LC_ERROR_UNSUPPORTED for engines that have no plans, and for ranks. Any thread.
LC_API lc_status lc_universe_tune(const lc_universe_options *options, lc_gpu_tuned callback,
                                  void *callback_context, lc_message *message);

// Frees it and clears *universe. NULL and a pointer to NULL are fine.
LC_API void lc_universe_destroy(lc_universe **universe);

// Adds the pattern's live cells with its (0, 0) at (x, y), whatever position, rule and topology its
// header states, and sets the generation to the pattern's. Under a rule with B0 and without S8 the
// background of an empty unbounded universe follows: it is alive if that generation is odd, and the
// pattern's cells are then those that differ from it, the dead ones. A live cell outside a bounded
// direction is LC_ERROR_FORMAT; one beyond the infinite plane's LC_UNIVERSE_REACH, and cells that
// need more memory than allowed, are LC_ERROR_LIMIT. Also LC_ERROR_MEMORY, and what lc_pattern_read
// returns. After an error the cells read so far stay, and the generation is as before.
LC_API lc_status lc_universe_load(lc_universe *universe, lc_pattern *pattern, int64_t x, int64_t y,
                                  lc_message *message);

// lc_pattern_place for this universe.
LC_API void lc_universe_place(const lc_universe *universe, const lc_pattern_header *header,
                              int64_t *x, int64_t *y);

// Replaces a rectangle by a soup: each cell alive with probability `density`, 0 to 1. Densities are
// rounded to multiples of 2^-16 = 0.0000152587890625. One that would change by more than 1 %, or
// whose share of dead cells would, is refused: 0.000001 would be an empty board. The same seed
// gives the same cell at the same (x, y) on every machine, engine, size: formats.md says
// which. A width or height of 0 is fine and changes nothing. Returns LC_OK, LC_ERROR_ARGUMENT (a
// density out of range or refused, a rectangle not inside the universe), LC_ERROR_LIMIT or
// LC_ERROR_MEMORY.
LC_API lc_status lc_universe_soup(lc_universe *universe, int64_t x, int64_t y, int64_t width_cells,
                                  int64_t height_cells, double density, uint64_t seed,
                                  lc_message *message);

// Sets one cell; reads one cell. Outside the universe, setting is LC_ERROR_ARGUMENT, and a cell
// reads as dead beyond the edge of a bounded direction, else as the background. Setting may also
// need memory: LC_ERROR_LIMIT, LC_ERROR_MEMORY, and nothing has changed. Both return the universe's
// failure, if there is one.
LC_API lc_status lc_universe_set(lc_universe *universe, int64_t x, int64_t y, bool alive,
                                 lc_message *message);
LC_API lc_status lc_universe_get(const lc_universe *universe, int64_t x, int64_t y, bool *alive,
                                 lc_message *message);

// Reads a rectangle into the caller's memory; bits of a row's last word past the width become zero.
// Any coordinates: cells beyond the edge of a bounded direction are dead, those far out in an
// unbounded one are background. A rectangle without cells is fine. Returns LC_OK, LC_ERROR_ARGUMENT
// (a negative size, rows further apart than the pitch, more than one plane, x + width or y + height
// beyond 64 bits), or the universe's failure. After an error the words mean nothing.
LC_API lc_status lc_universe_read(const lc_universe *universe, const lc_cells *to,
                                  lc_message *message);

// Writes a rectangle, dead cells too; bits past the width do not matter. An unbounded universe's
// memory grows only as far as needed for the cells that differ from the background. Returns LC_OK,
// LC_ERROR_ARGUMENT (as above, or cells outside the universe), LC_ERROR_LIMIT or LC_ERROR_MEMORY,
// after which nothing has changed; or the universe's failure.
LC_API lc_status lc_universe_write(lc_universe *universe, const lc_cells *from,
                                   lc_message *message);

// Makes room for a rectangle in an unbounded universe, and changes no cell. Engines that hold a
// plane as one block ("simd", "scalar", "cuda") then have memory for every cell of it: writing
// within it cannot fail for lack of memory until the universe is stepped or grows elsewhere.
// "sparse" and "hashlife", which "auto" may choose, hold live cells only and make no room: writing
// there may still return LC_ERROR_LIMIT or LC_ERROR_MEMORY, and lc_universe_check_room says what it
// needs at least. A rectangle without cells needs no room. Returns what lc_universe_write does.
LC_API lc_status lc_universe_reserve(lc_universe *universe, int64_t x, int64_t y,
                                     int64_t width_cells, int64_t height_cells,
                                     lc_message *message);

// Whether so many cells, each alive with probability `density`, may have room in the universe's
// memory limit, however they lie. LC_OK promises nothing: engines know the least that it takes, or
// not even that. LC_ERROR_LIMIT: there is no room. LC_ERROR_ARGUMENT: called from inside a watch.
LC_API lc_status lc_universe_check_room(const lc_universe *universe, double cells, double density,
                                        lc_message *message);

// Remembers the cells as they are now where that costs nothing (the engine "hashlife"), until
// lc_universe_end_hold; before that the universe must not be stepped. False: it cannot.
LC_API bool lc_universe_hold(lc_universe *universe);
// If `goes_back`, all cells become what they were then, however little memory is left. False: that
// could not be, as nothing was remembered or the universe has changed its engine since.
LC_API bool lc_universe_end_hold(lc_universe *universe, bool goes_back);

// Called between passes while stepping, on the calling thread; `done` of the `total` generations of
// this call are finished. Return true to stop after this pass: lc_universe_step then returns
// LC_ERROR_STOPPED with the universe whole at that generation, even after the last pass. The
// callback may read the universe, save it and checkpoint it, but not change it.
typedef bool (*lc_progress)(void *context, const lc_universe *universe, lc_count done,
                            lc_count total);

// A pass over a large board takes a good part of a second. The watch is called during a pass, on
// the calling thread, whenever `interval_ns` of stepping have gone by since the pass began or the
// last call returned. The universe is whole then, at the generation before the pass, and may be
// looked at, saved and checkpointed, but not changed. Returning true abandons the pass:
// lc_universe_step returns LC_ERROR_STOPPED, and the universe is as it was before the pass.
//
// Passes shorter than the interval are not interrupted, nor are those of engines that cannot be:
// "simd" can, and "cuda" gives its GPU no more passes at a time than take about the interval, so
// that lc_progress is called as often. A watch that does nothing costs almost nothing.
typedef bool (*lc_watch)(void *context, const lc_universe *universe);

// Sets the watch from now on; NULL: none, as at first. Not to be called from inside a watch.
LC_API void lc_universe_set_watch(lc_universe *universe, lc_watch watch, void *context,
                                  uint64_t interval_ns);

// Advances by `generations`, which may be 0. `progress` may be NULL. Returns LC_OK;
// LC_ERROR_STOPPED (by `progress` or the watch); LC_ERROR_LIMIT (an unbounded universe would
// outgrow max_memory_bytes, or life has reached the end of the coordinates) or LC_ERROR_MEMORY,
// both with the universe whole at the last generation reached; LC_ERROR_MISMATCH (an audit) or
// LC_ERROR_DEVICE, after which lc_universe_failure says whether the universe is lost, or whole
// because only a larger block could not be made; LC_ERROR_IO or LC_ERROR_FORMAT (of a universe on
// disk, which is whole at the last generation reached); LC_ERROR_ARGUMENT (the generation would be
// 2^256 or more: nothing was done).
LC_API lc_status lc_universe_step(lc_universe *universe, lc_count generations, lc_progress progress,
                                  void *context, lc_message *message);

// A GPU can be lost, or fail in the middle of its work, and an audit can find cells wrong. LC_OK,
// or the error that ended the universe: LC_ERROR_DEVICE, LC_ERROR_MEMORY, LC_ERROR_MISMATCH. After
// that, every function that needs cells returns this one, and no file is written.
LC_API lc_status lc_universe_failure(const lc_universe *universe, lc_message *message);

// Facts. Pointers and strings belong to the universe and live as long as it does. The rule is the
// one that was given; setting the generation changes nothing else, the background neither.
LC_API lc_count lc_universe_generation(const lc_universe *universe);
// Generations that were skipped because the cells repeated themselves, since the universe's
// creation.
LC_API lc_count lc_universe_skipped_generations(const lc_universe *universe);
LC_API void lc_universe_set_generation(lc_universe *universe, lc_count generation);
LC_API const lc_rule *lc_universe_rule(const lc_universe *universe);
LC_API const lc_topology *lc_universe_topology(const lc_universe *universe);
LC_API const char *lc_universe_engine(const lc_universe *universe); // "simd"
// With the engine "auto": one sentence on why a better engine that was tried is not used; "" if
// none was tried.
LC_API const char *lc_universe_engine_note(const lc_universe *universe);
// With the engine "auto": why it is this one now, "in a trial 12.1 times as fast as "sparse"""; ""
// if an engine was asked for. Valid until the universe is stepped.
LC_API const char *lc_universe_engine_reason(const lc_universe *universe);
LC_API const char *lc_universe_cpu_level(const lc_universe *universe); // "avx512"; "" if none
// The settings of its engine: how a GPU steps it (lc_gpu_tune), in how many blocks if it was asked
// for, those of an engine that was added; else "". Valid until the universe is stepped.
LC_API const char *lc_universe_plan(const lc_universe *universe);
LC_API int lc_universe_threads(const lc_universe *universe);
LC_API uint64_t lc_universe_memory_bytes(const lc_universe *universe); // held for cells now
LC_API uint64_t lc_universe_limit_bytes(const lc_universe *universe);  // the most that may be
// Squares that the engine remembers ("hashlife"); 0: others remember none.
LC_API uint64_t lc_universe_nodes(const lc_universe *universe);
// Bytes of cells that stepping has read from and written to main memory since the universe was
// created, as its engine counts them (each pass over the whole board, ignoring caches). 0 if the
// engine does not count.
LC_API uint64_t lc_universe_traffic_bytes(const lc_universe *universe);

// How long stepping has taken since the universe's present block was made (bounded universes have
// only one), by the clock of the GPU that does it; 0 if the engine has no clock of its own.
LC_API double lc_universe_stepping_ns(const lc_universe *universe);
// How its engine steps it, as far as known.
LC_API void lc_universe_step_facts(const lc_universe *universe, lc_step_facts *facts);

// With B0 an unbounded universe's empty space comes alive. True: the cells out to infinity are now
// alive; lc_universe_facts then counts the dead cells.
LC_API bool lc_universe_background(const lc_universe *universe);

// Finds those facts of `which`, a sum of lc_fact; what was not asked for is 0 (an empty box), or is
// known all the same. Each may have to look at all cells held in memory, on all threads; all of
// them take one look. LC_OK, or the universe's failure: then *facts is all 0.
LC_API lc_status lc_universe_facts(const lc_universe *universe, unsigned which, lc_facts *facts,
                                   lc_message *message);

// How many cells are alive in each square of a picture, for looking at a universe from far away:
// counts[j * width + i] covers the cells x + i*s .. x + (i+1)*s - 1, y + j*s .. y + (j+1)*s - 1,
// with s = cells_per_pixel, a power of two from 1 to LC_CELLS_PER_PIXEL_MAX. Width and height are
// in pixels, 1 to LC_PICTURE_SIDE_MAX. Cells beyond the edge of a bounded direction are dead;
// coordinates lie within LC_UNIVERSE_REACH of 0. Returns LC_OK, LC_ERROR_ARGUMENT, or the
// universe's failure.
//
// Large boards are best viewed with s of 64 or more, from an x that is a multiple of 64 and a y
// that is a multiple of 16: after the first such view "simd" counts the cells while it steps, and
// later views read much less memory than the cells take. Other views, and the first, look at all
// cells in them.
LC_API lc_status lc_universe_counts(const lc_universe *universe, int64_t x, int64_t y,
                                    int64_t cells_per_pixel, int64_t width, int64_t height,
                                    uint32_t *counts, lc_message *message);

// The same view as a picture, a byte for each pixel: 0 where no cell of the square is alive, else
// the square root of the share that is, max(1, round(255 * sqrt(live cells / s^2))), so that a
// glider in an empty square of a thousand million cells is still seen. At s = 1 that is 0 or 255.
// Engines make the bytes themselves, on all threads or on the GPU, so this takes less time than
// counts do.
//
// In a watch (lc_universe_set_watch) it is a picture to show during a pass over a large board. In
// views of the kind above, the parts of the board that the pass has already finished appear as they
// will be after it, and all others as they were before it, in rectangles of 64 x 16 cells or more:
// not one generation of the universe, but one turning into another. Nothing in Life moves faster
// than a cell a generation, and a pass has at most LC_PASS_GENERATIONS_MAX generations, so at the
// seams cells are displaced by no more than that / s pixels. The next such view shows at least as
// much of the pass. All other views, and all views outside a watch, show what lc_universe_counts
// counts.
//
// Returns what lc_universe_counts does, or LC_ERROR_MEMORY; on an error the bytes mean nothing.
LC_API lc_status lc_universe_picture(const lc_universe *universe, int64_t x, int64_t y,
                                     int64_t cells_per_pixel, int64_t width, int64_t height,
                                     uint8_t *tones, lc_message *message);

// The same picture from any distance: a pixel is 2^log2_side x 2^log2_side cells, with a log2_side
// from 0 to LC_WIDE_REACH_LOG2, and the first one is the column-th to the right of (0, 0) and the
// row-th below it, so that its corner is at (column * 2^log2_side, row * 2^log2_side). Where
// LC_CELLS_PER_PIXEL_MAX allows it, this is lc_universe_picture; beyond that it also shows what is
// further than LC_UNIVERSE_REACH. There the rows of "hashlife" begin one cell lower, as its squares
// do. `column` and `row` lie within LC_UNIVERSE_REACH of 0. Returns
// what lc_universe_picture does.
LC_API lc_status lc_universe_far_picture(const lc_universe *universe, int64_t column, int64_t row,
                                         int log2_side, int64_t width, int64_t height,
                                         uint8_t *tones, lc_message *message);

// Saves a bounded direction whole and an unbounded one as far as the bounding box reaches, with
// rule, topology, position and generation if the format holds them. LC_FORMAT_AUTO: by the path's
// ending (lc_format_choose); LC_FORMAT_CHECKPOINT is lc_universe_checkpoint in one file. Returns
// what lc_pattern_write and lc_format_choose do, or LC_ERROR_UNSUPPORTED (a live background, or
// under B0 without S8 a dead one in an odd generation, which only a checkpoint holds).
LC_API lc_status lc_universe_save(const lc_universe *universe, const char *path, lc_format format,
                                  lc_message *message);

// The same, for files that take long: the watch is called often, on the calling thread, with the
// share of the universe that has been looked at, 0 to 1. The universe may be looked at then, but
// not changed. True: no file is written, and what was there stays (LC_ERROR_STOPPED). Checkpoints,
// and macrocell files of an engine that has squares, are written without a look of the watch.
typedef bool (*lc_save_watch)(void *context, double share);
LC_API lc_status lc_universe_save_watched(const lc_universe *universe, const char *path,
                                          lc_format format, lc_save_watch watch, void *context,
                                          lc_message *message);

// Finds out before a long run whether lc_universe_save could write the universe as it will be
// `generations` from now, as far as that does not depend on what the cells do: LC_ERROR_LIMIT (a
// bounded universe is larger than the format allows) or LC_ERROR_UNSUPPORTED (the background will
// be one that only a checkpoint holds; the format states no such rules; or the format is PNG, and
// the library was built without libpng); LC_ERROR_ARGUMENT (as lc_universe_step and
// lc_format_choose). The file itself is not looked at.
LC_API lc_status lc_universe_check_save(const lc_universe *universe, lc_count generations,
                                        const char *path, lc_format format, lc_message *message);

// Writes a checkpoint: all there is, whatever the rule, with checksums; files as in
// lc_pattern_write. Space without life takes no room in it. Of a board that ranks share
// (lightcone/ranks.h) each of them writes its cells into a file of its own beside `path`, which
// names them, if all see one folder; lc_universe_save writes one file. Whatever happens meanwhile,
// the old checkpoint or the new one is whole. Returns LC_OK, LC_ERROR_IO, LC_ERROR_MEMORY, or the
// universe's failure.
LC_API lc_status lc_universe_checkpoint(const lc_universe *universe, const char *path,
                                        lc_message *message);

// Creates a universe from a checkpoint, which must be a file, not "-". Rule and topology come from
// the file, the rest from options (NULL: defaults). LC_ERROR_FORMAT (damaged; the message has the
// offset of the byte), LC_ERROR_IO, LC_ERROR_UNSUPPORTED, and
// otherwise as lc_universe_create; LC_ERROR_LIMIT also for an unbounded universe. Checkpoints of
// all versions of the format are read, on any number of ranks.
LC_API lc_status lc_universe_restore(lc_universe **out, const char *path,
                                     const lc_universe_options *options, lc_message *message);

// The same in memory of at most limit_bytes bytes, which free() frees: for going back to many
// moments of a universe, without waiting for a disk. The bytes are those of a checkpoint in one
// file. LC_ERROR_LIMIT: there would be more; LC_ERROR_MEMORY; or the universe's failure. On error
// *data is NULL.
LC_API lc_status lc_universe_checkpoint_memory(const lc_universe *universe, size_t limit_bytes,
                                               void **data, size_t *size_bytes,
                                               lc_message *message);
// The same two to three times as quickly, where cells are not compressed: some four times as many
// bytes of a soup, an eighth of the cells at most and a little. Of universes that are made of
// squares (lc_universe_nodes) it is no different.
LC_API lc_status lc_universe_checkpoint_plain(const lc_universe *universe, size_t limit_bytes,
                                              void **data, size_t *size_bytes, lc_message *message);
// lc_universe_restore of such bytes, which are only needed during the call.
LC_API lc_status lc_universe_restore_memory(lc_universe **out, const void *data, size_t size_bytes,
                                            const lc_universe_options *options,
                                            lc_message *message);

// Whether `path` is a regular file that begins like a checkpoint, whatever its name; false if it
// cannot be read.
LC_API bool lc_universe_is_checkpoint(const char *path);

#ifdef __cplusplus
}
#endif
#endif
