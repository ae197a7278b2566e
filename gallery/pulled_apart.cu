// Byte a cell on the GPU, counted: in one kernel that is no wider than its narrow part, or pulled
// apart into a wide and a narrow one.
//
// Source: Malte Skarupke, "Initial CUDA Performance Lessons" (2024), "Parallelism First".
//
//     kernels=1     one block of 1,024 threads     steps all cells, and adds up what they count
//
//     kernels=2     a thread for 16 cells          steps them; a block writes one sum to memory
//                   one block of 1,024 threads     adds up the sums
//
// A total needs threads that can share: those of one block, at most 1,024. Anything larger, says
// the article, should write its results to memory and launch a second kernel to go on from there.
// Kept in one kernel, the total confines the stepping to one block, and so to one multiprocessor:
// on an H200 that is 1 of 132, the "1% of your GPU" that the article warns of. Pulled apart, the
// narrow part still has one multiprocessor, but reads 8 bytes for 16 times `threads` cells. (The
// third way is counted.cu: one wide kernel, and atomics for the total.)
//
// The engine reports this count as the population.
//
// Bytes a cell: 2 (one read, one written); with two kernels 1 / threads more.
// Operations a cell: 7 (see sixteen_cells.cuh; about 1 for the count).
// Knobs: kernels, threads (of a block of the wide kernel).
// Limits: the width is a multiple of 16; sides of up to 2^30 cells; fewer than 2^35 cells.
#include "sixteen_cells.cuh"

#ifndef LC_HOST

// The sum over a block, in its thread 0.
LC_INLINE lc_u64 add_block(lc_u64 x)
{
    LC_SHARED lc_u64 sums[32];
    LC_UNROLL(5)
    for (int bit = 1; bit < 32; bit *= 2)
        x += __shfl_xor_sync(~0u, x, bit);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned int i = 1; i < blockDim.x / 32; i++)
            x += sums[i];
    return x;
}

LC_KERNEL void LC_LAUNCH_BOUNDS(1024, 1)
    step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
         unsigned int width, unsigned int height, unsigned int count, lc_u64 *sums)
{
    unsigned int alive = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        const uint4 sixteen = next_sixteen(cells, i, width, height);
        ((uint4 *)next)[i] = sixteen;
        alive += count_sixteen(sixteen);
    }
    const lc_u64 sum = add_block(alive);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

LC_KERNEL void LC_LAUNCH_BOUNDS(1024, 1) add(const lc_u64 *sums, unsigned int count, lc_u64 *total)
{
    lc_u64 alive = 0;
    LC_UNROLL(8) // that many loads in flight in each thread
    for (unsigned int i = threadIdx.x; i < count; i += blockDim.x)
        alive += sums[i];
    const lc_u64 sum = add_block(alive);
    if (threadIdx.x == 0)
        *total = sum;
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { KERNELS, THREADS };
enum { ONE_BLOCK = 1024 };

static const lc_knob knobs[] = {
    {"kernels", "1: all in one block, 2: pulled apart", 2, LC_KNOB_VALUES(1, 2)},
    {"threads", "threads of a block of the wide kernel", 256,
     LC_KNOB_VALUES(32, 64, 128, 256, 512, 1024)},
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    *bytes = board->knob[KERNELS] == 1 ? 2 : 2 + 1. / board->knob[THREADS];
    *operations = 7;
}

static uint32_t wide_blocks(const lc_gallery_board *board)
{
    return lc_gpu_blocks(count_sixteens(board), board->knob[THREADS]);
}

// The total, then the sums of the blocks.
static uint64_t extra_bytes(const lc_gallery_board *board)
{
    return (1 + (uint64_t)wide_blocks(board)) * sizeof(uint64_t);
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    const bool apart = run->board.knob[KERNELS] == 2;
    uint32_t width = (uint32_t)run->board.width, height = (uint32_t)run->board.height;
    uint32_t count = count_sixteens(&run->board), blocks = wide_blocks(&run->board);
    lc_device_address total = run->extra, sums = run->extra + sizeof(uint64_t);
    const lc_launch narrow = {.grid = {1}, .block = {ONE_BLOCK}};
    const lc_launch wide = {.grid = {blocks}, .block = {(uint32_t)run->board.knob[THREADS]}};
    void *of_step[] = {&run->cells, &run->next, &width, &height, &count, apart ? &sums : &total};
    void *of_add[] = {&sums, &blocks, &total};
    *done = 1;
    lc_status status = lc_gpu_launch(run, 0, apart ? wide : narrow, of_step, message);
    if (status == LC_OK && apart)
        status = lc_gpu_launch(run, 1, narrow, of_add, message);
    lc_gpu_swap(run);
    return status;
}

static lc_status population(lc_gpu_run *run, uint64_t *population, lc_message *message)
{
    const lc_status status = lc_device_download(run->device, population, run->extra,
                                                sizeof *population, run->stream, message);
    return status != LC_OK ? status : lc_device_synchronize(run->device, run->stream, message);
}

const lc_design lc_design_pulled_apart = {
    .name = "pulled-apart",
    .title = "byte a cell on the GPU, counted, in one kernel or pulled apart into two",
    .source = "Skarupke 2024, \"Parallelism First\"",
    .file = "pulled_apart.cu",
    .knobs = knobs,
    .check = check_sixteens,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu =
        &(const lc_gpu_design){
            .kernels = {"step", "add"},
            .extra_bytes = extra_bytes,
            .step = step,
            .population = population,
        },
};

#endif
