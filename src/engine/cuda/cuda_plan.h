// How a board is stepped on a GPU: by which kernel, and how it is cut.
//
// A large board is stepped by strips (kernels/strip.cu). A strip is a long run of rows, one for
// each warp that the GPU can hold. So all warps work from beginning to end and finish at the same
// time. On a smaller board such runs would be too short to be worth their halo. It is stepped by
// tiles (kernels/tile.cu), all of them resident. The tile kernel also steps the generations that
// strips leave over.
#ifndef LC_ENGINE_CUDA_CUDA_PLAN_H
#define LC_ENGINE_CUDA_CUDA_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "device/gpu_device.h"
#include "grid/frame.h"

enum {
    LC_CUDA_TURN_ROWS = 6,        // LC_TURN of strip.cu
    LC_CUDA_STRIP_ROWS_AHEAD = 6, // rows beyond its halo that a strip loads
    LC_CUDA_GENERATIONS_MAX = 16, // of a strip
    LC_CUDA_STRIP_WARPS_MAX = 16, // of a block
    LC_CUDA_TILE_ROWS_MAX = 64,   // of a warp
    LC_CUDA_PLAN_TEXT_BYTES = 160,
};

typedef struct lc_cuda_plan {
    int words;       // of a segment: 1, 2 or 4
    int generations; // of a pass of strips; 0: no strips, only tiles
    int strip_warps; // of a block
    uint32_t runs;   // of rows, for strips; 0: as many as the GPU holds warps for
    int tile_warps;  // of a block
    int tile_rows;   // of a warp
    int depth;       // generations that a tile steps between two loads
    int band_rows;   // 0: two buffers; otherwise in place, in bands of at most this many rows
                     // (cuda_in_place.h), and `runs` are those of a band
} lc_cuda_plan;

// Return whether the edges have this property. The top and bottom of a slab do not count.
bool lc_cuda_plan_drifts(const lc_frame *frame, int words); // joined, rows of whole segments
bool lc_cuda_plan_fences(const lc_frame *frame);            // walls

// Returns the lanes of halo in a warp.
int lc_cuda_plan_halo_lanes(const lc_frame *frame, int words);

// Returns the rows of a run if the height is cut into `runs`. It is a multiple of
// LC_CUDA_TURN_ROWS.
uint32_t lc_cuda_plan_run_rows(const lc_frame *frame, uint32_t runs);

// Returns the number of runs for a GPU that holds `warps` warps of the kernel at a time. The runs
// keep all warps busy in as few waves as that takes.
uint32_t lc_cuda_plan_runs(const lc_frame *frame, int words, int generations, int64_t warps);

// Returns the number of runs that `warps` warps finish in `waves` waves, as far as the height
// allows.
uint32_t lc_cuda_plan_runs_of_waves(const lc_frame *frame, int words, int waves, int64_t warps);

// Returns the nearest number of runs of whole turns, such that no run is longer than the board or
// lacks rows of its own.
uint32_t lc_cuda_plan_whole_runs(const lc_frame *frame, uint32_t runs);

// Returns the rows of a band for stepping in place by this plan, at most `most_rows`: those that a
// model of the GPU expects to be fastest. The cost of a band is the prologues of its runs, and idle
// warps in its last wave.
int lc_cuda_plan_bands(const lc_cuda_plan *plan, const lc_device_facts *facts,
                       const lc_frame *frame, int64_t most_rows);

// Make a plan of either kind, with defaults for the rest. The plan itself chooses the runs of
// strips. Tiles have one word a segment, and few enough rows that the GPU holds all tiles at a
// time. The second returns false if no number of rows allows that.
lc_cuda_plan lc_cuda_plan_of_strips(int words, int generations);
bool lc_cuda_plan_of_tiles(lc_cuda_plan *plan, const lc_device_facts *facts, const lc_frame *frame,
                           int warps, int depth);

// Returns the plan that a model of the GPU expects to be fastest. Bounded topologies.
lc_cuda_plan lc_cuda_plan_guess(const lc_device_facts *facts, const lc_frame *frame);

// Changes a plan by a text such as "words=4,generations=8,strip-warps=8,runs=63,tile-warps=8,
// tile-rows=21,depth=16,band-rows=4096". The order is free, and omitted items stay as they are.
// LC_ERROR_ARGUMENT.
lc_status lc_cuda_plan_parse(lc_cuda_plan *plan, const char *text, lc_message *message);

// Writes the whole plan as such a text, without the items that it does not use.
void lc_cuda_plan_format(const lc_cuda_plan *plan, char text[LC_CUDA_PLAN_TEXT_BYTES]);

// Writes the same text without the items that depend on a board's height: runs and bands.
void lc_cuda_plan_format_common(const lc_cuda_plan *plan, char text[LC_CUDA_PLAN_TEXT_BYTES]);

// Checks a plan for a board. LC_ERROR_ARGUMENT (kernels cannot work by this plan); LC_ERROR_LIMIT
// (the board is too large for any plan). The message has the reason.
lc_status lc_cuda_plan_check(const lc_cuda_plan *plan, const lc_frame *frame, lc_message *message);

#endif
