// Tuned numbers of "auto", each with its source. "lab" is docs/lab/choosing-engines.md. A policy is
// a decision with a reason, and not the best of several values.
#ifndef LC_CHOICE_TUNED_H
#define LC_CHOICE_TUNED_H

#include <stdint.h>

// Memory limit on a machine that does not tell how much it has. Policy: half of the memory, as
// on other machines, if the machine is taken to have 4 GiB, so that small ones do not swap.
static const uint64_t lc_tuned_unknown_memory_bytes = (uint64_t)2 << 30;

// CPU or GPU.
enum {
    // Time to start a GPU: 0.31 to 0.37 s on an H200 (lab, "The GPU"), and a little more, because
    // the first passes on the CPU, which predict the rest, are slower than those that follow.
    LC_TUNED_GPU_NS = 400000000,
    // Larger boards use the GPU from the start. Policy: moving a board takes at most a twentieth of
    // the time to start a GPU (lab, "The GPU", derives 20 ms for this one).
    LC_TUNED_MOVED_CELLS = 1 << 28,
};

// Dense or sparse.
enum {
    // Smaller boards stay dense, and smaller planes sparse. With changes, long runs of smaller
    // boards would gain and short ones lose, and soups of Life on smaller planes lose within 2,000
    // generations (lab, "How large").
    LC_TUNED_ADAPTIVE_CELLS = 1 << 20,
    LC_TUNED_SAMPLE_CELLS = 64, // side of a sampled window
    LC_TUNED_SAMPLES = 128,     // windows: 64 to 256 are as good (lab, "Samples")
    LC_TUNED_PERIOD = 30, // generations between two reads of a sample: most ash repeats in them
    // Generations until the first sample: two passes, so an interruption of one does not count.
    // With one pass, 20 of 200 soups changed wrongly on a busy machine (lab, "The first sample").
    LC_TUNED_FIRST_LOOK = 256,
    LC_TUNED_WARM_UP = 4 * LC_TUNED_PERIOD, // of the sparse engine, which starts with all awake
    LC_TUNED_PIECE = 2 * LC_TUNED_PERIOD,   // generations that are timed together
    LC_TUNED_MEASURED = 10 * LC_TUNED_PIECE,
    LC_TUNED_TILE_CELLS = 32 * 32,
    // To copy a tile's cells to the other engine, and what a change costs besides. Copying alone
    // takes 300 ns to the sparse engine and 110 ns back (lab, "Constants measured anew").
    LC_TUNED_CONVERSION_NS = 1500,
    // A universe with more than one live cell in so many is a soup: all of it changes (lab, "Thin
    // soups").
    LC_TUNED_SOUP_CELLS = 20,
};
// Times of the sparse engine, as multiples of the dense engine's, below which it takes over and
// above which it is left. lab, "Where the change pays", brackets them: 1.35 at generation 3,000 and
// 0.77 at 4,000.
static const double lc_tuned_sparse_pays = 0.75, lc_tuned_sparse_too_slow = 1.25;
// Cells of a block that follows life, for each in the bounding box: margins of a quarter on each
// side (cover/block/growing_block.c).
static const double lc_tuned_growing_cells = 2.25;

// Sparse or HashLife, on infinite planes. lab, "Sparse or HashLife", has the table of 38 patterns
// by which the first trial of a run with HashLife and the patience were chosen.
enum {
    LC_TUNED_LONG_RUN = 8192,     // generations, from which a run starts with HashLife
    LC_TUNED_FEW_CELLS = 1 << 18, // the most live cells of such a run
    LC_TUNED_SHORT_STEP = 256,    // HashLife gains nothing in shorter steps
    LC_TUNED_FIRST_JUMP = 1024,   // of a trial of HashLife; each jump is twice as long as the last
    LC_TUNED_FIRST_PASS = 120, // of a trial of the sparse engine, which starts with all tiles awake
};
static const uint64_t lc_tuned_first_trial_ns = 8000000;           // of work with the sparse engine
static const uint64_t lc_tuned_first_hashlife_trial_ns = 32000000; // of work with HashLife
static const double lc_tuned_trial_share = 0.125; // of the time since the last trial, for a trial
// After shorter jumps the next one is twice as long. Policy: a caller hears of the run about ten
// times a second. 5 ms to 200 ms are as fast (lab, "Jumps and memory").
static const uint64_t lc_tuned_short_jump_ns = 50000000;
// The other engine must be so many times as fast. HashLife becomes faster in time, the sparse
// engine slower while life grows.
static const double lc_tuned_hashlife_faster = 1.1, lc_tuned_sparse_faster = 1.5;
// HashLife runs for at least this share of the time in which the sparse engine would finish.
static const double lc_tuned_patience = 0.45;
// The most memory of a HashLife engine that waits for its next trial, and its share of the limit.
// Policy: little of what the user allows. 4 MiB to 256 MiB are as fast (lab, "Jumps and memory").
static const uint64_t lc_tuned_parked_bytes = 64 << 20, lc_tuned_parked_share = 16;

#endif
