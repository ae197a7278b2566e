// Byte a cell on the GPU, with the population of every generation counted on the way: four ways to
// add up over threads.
//
// Source: Malte Skarupke, "Initial CUDA Performance Lessons" (2024), "Sharing is ~Free Within a
// Warp".
//
//     method     32 threads, for example          meetings                     atomics
//     0          0 1 2 3 ... 31 -> total          none                         one a thread
//     1          0+16 1+17 ..; 0+8 ..; ..; 0+1    a barrier for each halving   one a block
//     2          all: +^1 +^2 +^4 +^8 +^16        five shuffles                one a warp
//     3          2, then a block's warps again    ten shuffles, one barrier    one a block
//
// A thread steps sixteen cells and knows how many of the next ones live. In 2 and 3 the article's
// five steps leave the sum of a warp in every lane (each adds the x of the lane whose number
// differs in one bit); 3 goes on with the advice for a whole block, shared memory and a barrier.
// All atomics of a launch go to one address, and the memory adds one at a time: on a board of
// 65,536 x 65,536 that is 268 million of them by threads, 8 million by warps, 1 million by blocks
// of 256. The shuffles are almost free; what costs is that a total needs all warps.
//
// There are two counters, one for each board, so that one can be set to zero while the other
// counts. The engine reports this count as the population.
//
// Bytes a cell: 2 (one read, one written).
// Operations a cell: 6 (see sixteen_cells.cuh), and for the count 0.1 to 2.
// Knobs: method, threads (of a block).
// Limits: the width is a multiple of 16; sides of up to 2^30 cells; fewer than 2^35 cells.
#include "sixteen_cells.cuh"

#ifndef LC_HOST

#if METHOD >= 2
LC_INLINE unsigned int add_warp(unsigned int x)
{
    LC_UNROLL(5)
    for (int bit = 1; bit < 32; bit *= 2)
        x += __shfl_xor_sync(~0u, x, bit);
    return x;
}
#endif

// The sum over a block in its thread 0, over a warp in its lane 0, or just the thread's own x.
LC_INLINE unsigned int add_threads(unsigned int x)
{
#if METHOD == 1
    LC_SHARED unsigned int sums[THREADS];
    sums[threadIdx.x] = x;
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return sums[threadIdx.x];
#elif METHOD == 2
    return add_warp(x);
#elif METHOD == 3
    LC_SHARED unsigned int sums[THREADS / 32];
    const unsigned int sum = add_warp(x);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0;
    return add_warp(threadIdx.x < THREADS / 32 ? sums[threadIdx.x] : 0);
#else
    return x;
#endif
}

// Which threads add what add_threads gave them to the total.
#if METHOD == 0
#define ADDS 1
#elif METHOD == 2
#define ADDS (threadIdx.x % 32 == 0)
#else
#define ADDS (threadIdx.x == 0)
#endif

LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS, 1)
    step(const unsigned char *cells, unsigned char *next, unsigned int width, unsigned int height,
         unsigned int count, lc_u64 *total, lc_u64 *total_after)
{
    const unsigned int i = blockIdx.x * THREADS + threadIdx.x;
    unsigned int alive = 0;
    if (i == 0)
        *total_after = 0;
    if (i < count) {
        const uint4 sixteen = next_sixteen(cells, i, width, height);
        ((uint4 *)next)[i] = sixteen;
        alive = count_sixteen(sixteen);
    }
    const unsigned int sum = add_threads(alive);
    if (ADDS)
        atomicAdd(total, (lc_u64)sum);
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { METHOD, THREADS };

static const lc_knob knobs[] = {
    {"method", "0: atomics, 1: barriers, 2: shuffles, 3: shuffles and a barrier", 3,
     LC_KNOB_VALUES(0, 1, 2, 3)},
    {"threads", "threads of a block", 512, LC_KNOB_VALUES(32, 64, 128, 256, 512, 1024)},
    {.name = NULL},
};

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    static const double counting[] = {2. / 16, 2, 12. / 16, 13. / 16};
    *bytes = 2;
    *operations = 6 + counting[board->knob[METHOD]];
}

static uint64_t extra_bytes(const lc_gallery_board *board)
{
    (void)board;
    return 2 * sizeof(uint64_t);
}

// The counter of a board: when the boards change places, so do their counters.
static lc_device_address total_of(const lc_gpu_run *run, lc_device_address board)
{
    const lc_device_address other = board == run->cells ? run->next : run->cells;
    return run->extra + (board < other ? 0 : sizeof(uint64_t));
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width = (uint32_t)run->board.width, height = (uint32_t)run->board.height;
    uint32_t count = count_sixteens(&run->board);
    const uint32_t threads = (uint32_t)run->board.knob[THREADS];
    const lc_launch launch = {.grid = {lc_gpu_blocks(count, threads)}, .block = {threads}};
    lc_device_address total = total_of(run, run->next), total_after = total_of(run, run->cells);
    void *arguments[] = {&run->cells, &run->next, &width, &height, &count, &total, &total_after};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

static lc_status population(lc_gpu_run *run, uint64_t *population, lc_message *message)
{
    const lc_status status = lc_device_download(run->device, population, total_of(run, run->cells),
                                                sizeof *population, run->stream, message);
    return status != LC_OK ? status : lc_device_synchronize(run->device, run->stream, message);
}

const lc_design lc_design_counted = {
    .name = "counted",
    .title = "byte a cell on the GPU, every generation counted as it is made",
    .source = "Skarupke 2024, \"Sharing is ~Free Within a Warp\"",
    .file = "counted.cu",
    .knobs = knobs,
    .check = check_sixteens,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu =
        &(const lc_gpu_design){
            .kernels = {"step"},
            .macros = {[METHOD] = "METHOD", [THREADS] = "THREADS"},
            .extra_bytes = extra_bytes,
            .step = step,
            .population = population,
        },
};

#endif
