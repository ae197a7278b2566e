// Byte a cell on the GPU, a thread a cell, each block's cells and the ring round them being first
// brought into shared memory.
//
// Source: Lorenzo Cappetti, "Game of Life: Performance Optimization with CUDA Parallelization"
// (University of Florence), section 4.
//
//              tile, for blocks of 4 x 4        what a thread loads
//              . . . . . .                      . its own cell: all of them
//              . a b c d .  p                   . left or right of it: the first and last of a row
//              . e f g h .  p                   . above or below it: the first and last row
//              . i j k l .  p                   . the four corners: threads first or last in both
//              . m n o q .  p
//              . . . . . .                      p: the padding column, never read
//
// After one barrier each thread adds up its eight neighbours from the tile alone, and writes its
// cell to the other board. The torus is in the loads: the column before the first is the last one.
// A block that sticks out of the board loads column 0, or row 0, for everything outside: that is
// right for the cells next to the edge, and nothing reads the others.
//
// The four claimed optimisations can be turned off one at a time: the read-only cache (ldg), the
// padding column (padding), neighbouring threads on neighbouring addresses (coalesced; without it
// threadIdx.x walks down a column), and two boards that change places (pingpong; without it the
// result is copied back). What to expect of them with a byte a cell: ldg, nothing, since one cache
// serves both kinds of load from Volta on. padding, nothing: four cells share a bank's word, and no
// two words of a row of 32 cells are in one bank; it separates rows that lie below each other, so
// it can matter when coalesced is 0. pingpong saves a copy of 2 bytes a cell besides the step's 2.
//
// Cells have to be bytes in the published program too: 38.96 Gcells/s with two ints a cell would be
// 312 GB/s, more than its RTX 4060 Ti has.
//
// Bytes a cell: 2 (one read, one written), 4 without pingpong.
// Operations a cell: 28 (8 additions, 3 comparisons and choices, 9 loads from the tile, 8 for
// addresses).
// Knobs: block (its side; 1 leaves 31 of a warp's 32 lanes idle), ldg, padding, coalesced,
// pingpong.
// Limits: sides of up to 2^30 cells.
#ifndef LC_HOST

#include "cuda.h"

#if LDG
#define LOAD(at) __ldg(at)
#else
#define LOAD(at) (*(at))
#endif

// Of a row of the tile: each thread's own cell, and the cells before and after all of them.
LC_INLINE void load_row(unsigned char *tile, const unsigned char *row, unsigned int i,
                        unsigned int left, unsigned int own, unsigned int right)
{
    tile[i + 1] = LOAD(row + own);
    if (i == 0)
        tile[0] = LOAD(row + left);
    if (i == BLOCK - 1)
        tile[BLOCK + 1] = LOAD(row + right);
}

LC_KERNEL void LC_LAUNCH_BOUNDS(BLOCK *BLOCK, 1)
    step(const unsigned char *cells, unsigned char *next, unsigned int width, unsigned int height)
{
    LC_SHARED unsigned char tile[BLOCK + 2][BLOCK + 2 + PADDING];
    const unsigned int i = COALESCED ? threadIdx.x : threadIdx.y;
    const unsigned int j = COALESCED ? threadIdx.y : threadIdx.x;
    const unsigned int x = blockIdx.x * BLOCK + i;
    const unsigned int top = (blockIdx.z * gridDim.y + blockIdx.y) * BLOCK;
    const unsigned int y = top + j;
    if (top >= height) // the whole block
        return;
    const unsigned int left = x > 0 ? x - 1 : width - 1;
    const unsigned int own = x < width ? x : 0;
    const unsigned int right = x + 1 < width ? x + 1 : 0;
    const unsigned int above = y > 0 ? y - 1 : height - 1;
    const unsigned int here = y < height ? y : 0;
    const unsigned int below = y + 1 < height ? y + 1 : 0;

    load_row(tile[j + 1], cells + (lc_u64)here * width, i, left, own, right);
    if (j == 0)
        load_row(tile[0], cells + (lc_u64)above * width, i, left, own, right);
    if (j == BLOCK - 1)
        load_row(tile[BLOCK + 1], cells + (lc_u64)below * width, i, left, own, right);
    __syncthreads();

    if (x >= width || y >= height)
        return;
    const int alive = tile[j][i] + tile[j][i + 1] + tile[j][i + 2] + tile[j + 1][i] +
                      tile[j + 1][i + 2] + tile[j + 2][i] + tile[j + 2][i + 1] + tile[j + 2][i + 2];
    next[(lc_u64)y * width + x] = alive == 3 || (alive == 2 && tile[j + 1][i + 1]);
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { BLOCK, LDG, PADDING, COALESCED, PINGPONG };

static const lc_knob knobs[] = {
    {"block", "threads along a block's side", 16, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32)},
    {"ldg", "1: loads through the read-only cache", 1, LC_KNOB_VALUES(0, 1)},
    {"padding", "1: an extra column in shared memory", 1, LC_KNOB_VALUES(0, 1)},
    {"coalesced", "1: threadIdx.x along a row, 0: down a column", 1, LC_KNOB_VALUES(0, 1)},
    {"pingpong", "1: boards change places, 0: the result is copied back", 1, LC_KNOB_VALUES(0, 1)},
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    *bytes = board->knob[PINGPONG] ? 2 : 4;
    *operations = 28;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    const uint32_t side = (uint32_t)run->board.knob[BLOCK];
    uint32_t width = (uint32_t)run->board.width, height = (uint32_t)run->board.height;
    const lc_launch launch =
        lc_gpu_plane(lc_gpu_blocks(width, side), lc_gpu_blocks(height, side), side, side);
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    *done = 1;
    lc_status status = lc_gpu_launch(run, 0, launch, arguments, message);
    if (run->board.knob[PINGPONG])
        lc_gpu_swap(run);
    else if (status == LC_OK)
        status = lc_device_copy(run->device, run->cells, run->next, run->layout.size_bytes,
                                run->stream, message);
    return status;
}

const lc_design lc_design_shared_tile = {
    .name = "shared-tile",
    .title = "byte a cell on the GPU, tiles in shared memory",
    .source = "Cappetti 2026, section 4",
    .file = "shared_tile.cu",
    .knobs = knobs,
    .check = lc_gallery_check_sides,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[BLOCK] = "BLOCK", [LDG] = "LDG",
                                             [PADDING] = "PADDING", [COALESCED] = "COALESCED"},
                                  .step = step},
};

#endif
