// How a board is stepped on a GPU: which kernel, cut how.
//
// A board that is large enough is stepped by strips (kernels/strip.cu): long runs of rows, one for
// each warp that the GPU can hold, so that all warps work from beginning to end and the launch ends
// for all of them at the same time. A board for which such runs would be too short to be worth
// their halo is stepped by tiles (kernels/tile.cu), all of them resident. What is left when strips
// have made their generations is done by a tile kernel too.
#ifndef LC_ENGINE_CUDA_CUDA_PLAN_H
#define LC_ENGINE_CUDA_CUDA_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "device/gpu_device.h"
#include "grid/frame.h"

enum {
    LC_CUDA_TURN_ROWS = 6,        // LC_TURN of strip.cu
    LC_CUDA_STRIP_ROWS_AHEAD = 6, // rows beyond its halo that a strip asks for
    LC_CUDA_GENERATIONS_MAX = 16, // of a strip
    LC_CUDA_STRIP_WARPS_MAX = 16, // of a block
    LC_CUDA_TILE_ROWS_MAX = 64,   // of a warp
    LC_CUDA_PLAN_TEXT_BYTES = 160,
};

typedef struct lc_cuda_plan {
    int words;       // of a segment: 1, 2 or 4
    int generations; // a pass of strips; 0: no strips, tiles alone
    int strip_warps; // a block
    uint32_t runs;  // of rows that strips cut the board into; 0: as many as the GPU holds warps for
    int tile_warps; // a block
    int tile_rows;  // a warp
    int depth;      // generations that a tile makes between two loads
    int band_rows;  // 0: from one buffer to another; else in place, in bands of at most so many
                    // rows (cuda_in_place.h), of which `runs` are then a band's
} lc_cuda_plan;

// What the edges let kernels do; of a slab, those on the left and the right.
bool lc_cuda_plan_drifts(const lc_frame *frame, int words); // joined, of whole segments
bool lc_cuda_plan_fences(const lc_frame *frame);            // walls

// Lanes of halo in a warp.
int lc_cuda_plan_halo_lanes(const lc_frame *frame, int words);

// Segments of a row, without its halo.
int64_t lc_cuda_plan_segments(const lc_frame *frame, int words);

// Rows of a run, a multiple of LC_CUDA_TURN_ROWS, if the height is cut into `runs`.
uint32_t lc_cuda_plan_run_rows(const lc_frame *frame, uint32_t runs);

// Runs for a GPU that holds `warps` warps of the kernel at a time: as many as keep all of them
// busy, in as few waves as that takes.
uint32_t lc_cuda_plan_runs(const lc_frame *frame, int words, int generations, int64_t warps);

// Runs that `warps` warps are done with in so many waves, as far as the height allows.
uint32_t lc_cuda_plan_runs_of_waves(const lc_frame *frame, int words, int waves, int64_t warps);

// The nearest number of runs that are whole turns, none of which is longer than the board or
// without rows of its own.
uint32_t lc_cuda_plan_whole_runs(const lc_frame *frame, uint32_t runs);

// Rows of the bands for stepping in place by this plan: of those with at most `most_rows` the ones
// that a model of the GPU thinks best. A band costs what its runs' prologues cost, and in its last
// wave warps without work.
int lc_cuda_plan_bands(const lc_cuda_plan *plan, const lc_device_facts *facts,
                       const lc_frame *frame, int64_t most_rows);

// Plans of either kind, the rest being as usual. The runs of strips are the plan's own choice;
// tiles have one word a segment, and as few rows as let the GPU hold all of them at a time (false:
// it cannot, whatever the rows).
lc_cuda_plan lc_cuda_plan_of_strips(int words, int generations);
bool lc_cuda_plan_of_tiles(lc_cuda_plan *plan, const lc_device_facts *facts, const lc_frame *frame,
                           int warps, int depth);

// The plan that a model of the GPU thinks best. Bounded topologies.
lc_cuda_plan lc_cuda_plan_guess(const lc_device_facts *facts, const lc_frame *frame);

// Changes a plan as a text says: "words=4,generations=8,strip-warps=8,runs=63,tile-warps=8,
// tile-rows=21,depth=16,band-rows=4096", in any order, what is left out staying as it is.
// LC_ERROR_ARGUMENT.
lc_status lc_cuda_plan_parse(lc_cuda_plan *plan, const char *text, lc_message *message);

// The whole plan as such a text, without what it does not use.
void lc_cuda_plan_format(const lc_cuda_plan *plan, char text[LC_CUDA_PLAN_TEXT_BYTES]);

// The same without what depends on a board's height: runs and bands.
void lc_cuda_plan_format_common(const lc_cuda_plan *plan, char text[LC_CUDA_PLAN_TEXT_BYTES]);

// LC_ERROR_ARGUMENT if kernels cannot work by this plan, LC_ERROR_LIMIT if the board is too large
// for any; the message says why.
lc_status lc_cuda_plan_check(const lc_cuda_plan *plan, const lc_frame *frame, lc_message *message);

#endif
