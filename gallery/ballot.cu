// Byte a cell on the GPU, a lane a cell: a warp votes on the row below, so every lane sees 32
// cells.
//
// Source: Lorenzo Cappetti, "Game of Life: Performance Optimization with CUDA Parallelization"
// (University of Florence), section 7.2, "Warp intrinsics", which only names __ballot_sync; its use
// here is this project's.
//
//     lanes            0 1 2 3 ..... 29 30 31
//     columns       -1 | 0 1 2 ..... 28 29 | 30      the outer two only vote
//
//     ballot           bit k: the cell of lane k is alive
//     lane k keeps     bits k-1 .. k+1 of three ballots, as 9 bits:    a b c  d e f  g h i
//                      a row further down, they move up by three, and three new ones come in
//     next             popc is 3, or is 4 with e alive
//
// A warp walks down a strip of 30 columns. Each cell is read once for a strip, and each costs one
// vote, one shift, one popc; there is no shared memory and no barrier. Cells stay bytes, since that
// is where a ballot pays: it packs them into words on the way. With bits in memory a load gives the
// same word to all lanes, and it is better to count for 32 cells at a time (shared_tile_words.cu).
//
// A warp's load is only 32 bytes, so many must be in flight to keep the memory busy: those of the
// next `ahead` rows are issued before any of them is voted on.
//
// Bytes a cell: 2 (one read, one written; the outer columns and rows of a strip come from the
// cache).
// Operations a cell: 10 (vote, 2 shifts, 3 logic, popc, 3 for the rule), of 30 cells in 32 lanes.
// Knobs: warps (strips beside each other in a block), rows (that a warp walks down), ahead.
// Limits: sides of up to 2^30 cells.
#ifndef LC_HOST

#include "cuda.h"

enum { COLUMNS = 30 }; // of a strip

LC_KERNEL void LC_LAUNCH_BOUNDS(32 * WARPS, 1)
    step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
         unsigned int width, unsigned int height)
{
    const unsigned int lane = threadIdx.x;
    const unsigned int left = (blockIdx.x * WARPS + threadIdx.y) * COLUMNS;
    const unsigned int top = (blockIdx.z * gridDim.y + blockIdx.y) * ROWS;
    if (left >= width || top >= height) // the whole warp
        return;
    const unsigned int x = left + lane - 1;
    const bool writes = lane >= 1 && lane <= COLUMNS && x < width;
    // To the right of the board, column 0: it follows the last one, and nothing else looks there.
    // Row 0 below the board is the same.
    const unsigned char *column = cells + (left + lane == 0 ? width - 1 : x < width ? x : 0);
    unsigned char *out = next + x;
    const unsigned int shift = (lane + 31) & 31; // lane - 1; lane 0's does not matter
    const unsigned int above = (top > 0 ? top : height) - 1;

    unsigned int around = __ballot_sync(~0u, column[(lc_u64)above * width]) >> shift & 7;
    around |= (__ballot_sync(~0u, column[(lc_u64)top * width]) >> shift & 7) << 3;
    for (unsigned int y = top; y < min(top + ROWS, height); y += AHEAD) {
        unsigned char below[AHEAD];
        LC_UNROLL(AHEAD)
        for (unsigned int k = 0; k < AHEAD; k++)
            below[k] = column[(lc_u64)(y + k + 1 < height ? y + k + 1 : 0) * width];
        LC_UNROLL(AHEAD)
        for (unsigned int k = 0; k < AHEAD; k++) {
            around |= (__ballot_sync(~0u, below[k]) >> shift & 7) << 6;
            const int alive = __popc(around);
            if (writes && y + k < height)
                out[(lc_u64)(y + k) * width] = alive == 3 || (alive == 4 && (around & 1u << 4));
            around >>= 3;
        }
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { WARPS, ROWS, AHEAD };
enum { COLUMNS = 30 };

static const lc_knob knobs[] = {
    {"warps", "warps of a block, side by side", 8, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32)},
    {"rows", "rows that a warp walks down", 64, LC_KNOB_VALUES(16, 32, 64, 128, 256)},
    {"ahead", "rows that are loaded ahead of their use", 8, LC_KNOB_VALUES(1, 2, 4, 8, 16)},
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 10 * 32 / (double)COLUMNS;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width = (uint32_t)run->board.width, height = (uint32_t)run->board.height;
    const uint32_t warps = (uint32_t)run->board.knob[WARPS];
    const lc_launch launch = lc_gpu_plane(lc_gpu_blocks(width, COLUMNS * warps),
                                          lc_gpu_blocks(height, run->board.knob[ROWS]), 32, warps);
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_ballot = {
    .name = "ballot",
    .title = "byte a cell on the GPU, a lane a cell, neighbours by the warp's ballots",
    .source = "Cappetti 2026, section 7.2",
    .file = "ballot.cu",
    .knobs = knobs,
    .check = lc_gallery_check_sides,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[WARPS] = "WARPS", [ROWS] = "ROWS", [AHEAD] = "AHEAD"},
                                  .step = step},
};

#endif
