// An int a cell, read through a texture that wraps round by itself.
//
// Source: Oak Ridge Leadership Computing Facility, "CUDA Game of Life" tutorial, the third of three
// programs (GOL-CUDA-Texture.cu).
//
//     linear memory  --- copy --->  array, in the GPU's own order  --- texture --->  9 loads a cell
//          ^                                                                             |
//          +------------------------ the next generation --------------------------------+
//
// The texture's coordinates go from 0 to 1 in both directions, and beyond that continue from the
// far side: the middle of cell (x, y) is at ((x + 1/2) / width, (y + 1/2) / height), and the left
// neighbour of the first cell is at a negative x. A kernel cannot write to what it reads through a
// texture, so each generation is written to linear memory and copied into the array.
//
// Texture references, which the original uses, have been removed from CUDA: this is a texture
// object. The original has square boards and gives its coordinates in the order (y, x), so it also
// flips the board over its diagonal each generation; Life does not mind, and its output, a count of
// cells, does not show it. Here x comes first. 1 / width and 1 / height are computed once, not by
// each thread, and the copy comes before the step, not after it.
//
// Coordinates are floats below 2 in size that have been rounded three times when the texture gets
// them: at the 131,072 columns that an array can have they are off by up to 1/64 of a texel. Each
// aims at the middle of a texel, so there is room for half a texel, less the little that the
// texture unit itself rounds (it keeps at least 8 bits of the fraction). So every board comes out
// exact; tests/test_emulated_cuda.c has a GPU look up every texel of the widest and highest
// textures.
//
// Bytes a cell: 16, half of them the copy's. Operations a cell: 25, and nine look-ups in the
// texture.
// Knobs: x, y (threads of a block along a row, and how many rows of them). Published: 8 and 8.
// Limits: 131,072 x 65,536 cells, the most that an array can have; GPU memory for three boards.
#ifndef LC_HOST

#include "cuda.h"

LC_KERNEL void step(lc_u64 cells, int *next, int width, int height, float column, float row)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    const float here_x = ((float)x + 0.5f) * column, here_y = ((float)y + 0.5f) * row;
    const float left = here_x - column, right = here_x + column;
    const float above = here_y - row, below = here_y + row;
    const int alive = LC_TEXTURE_INT(cells, left, above) + LC_TEXTURE_INT(cells, here_x, above) +
                      LC_TEXTURE_INT(cells, right, above) + LC_TEXTURE_INT(cells, left, here_y) +
                      LC_TEXTURE_INT(cells, right, here_y) + LC_TEXTURE_INT(cells, left, below) +
                      LC_TEXTURE_INT(cells, here_x, below) + LC_TEXTURE_INT(cells, right, below);
    const int cell = LC_TEXTURE_INT(cells, here_x, here_y);
    next[(lc_u64)y * (unsigned int)width + (unsigned int)x] = alive == 3 || (alive == 2 && cell);
}

#else // How it is launched ------------------------------------------------------------------------

#include <stdlib.h>

#include "gpu_design.h"

enum { X, Y };

typedef struct texture_board {
    lc_device_array *array;
    lc_device_texture texture;
} texture_board;

static const lc_knob knobs[] = {
    {"x", "threads of a block along a row", 8, LC_KNOB_VALUES(4, 8, 16, 32)},
    {"y", "rows of threads in a block", 8, LC_KNOB_VALUES(4, 8, 16, 32)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    if (board->width <= LC_DEVICE_ARRAY_WIDTH_MAX && board->height <= LC_DEVICE_ARRAY_HEIGHT_MAX)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                           "this design steps boards of up to %d x %d cells, since no texture is "
                           "larger",
                           LC_DEVICE_ARRAY_WIDTH_MAX, LC_DEVICE_ARRAY_HEIGHT_MAX);
}

static void layout(const lc_gallery_board *board, lc_cell_layout *layout)
{
    lc_gallery_plain_layout(board, 32, layout);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 16;
    *operations = 25;
}

static uint64_t array_bytes(const lc_gallery_board *board)
{
    return (uint64_t)board->width * (uint64_t)board->height * sizeof(int32_t);
}

static void release(lc_gpu_run *run)
{
    texture_board *own = run->own;
    lc_device_texture_destroy(run->device, &own->texture);
    lc_device_array_destroy(run->device, &own->array);
    free(own);
    run->own = NULL;
}

static lc_status prepare(lc_gpu_run *run, lc_message *message)
{
    texture_board *own = calloc(1, sizeof *own);
    if (own == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a texture");
    run->own = own;
    lc_status status =
        lc_device_array_create(run->device, "the texture's cells", (size_t)run->board.width,
                               (size_t)run->board.height, &own->array, message);
    if (status == LC_OK)
        status = lc_device_texture_create(run->device, own->array, &own->texture, message);
    if (status != LC_OK)
        release(run);
    return status;
}

// The kernel reads the array, not the board, so the next generation can overwrite this one.
static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    texture_board *own = run->own;
    int32_t width = (int32_t)run->board.width, height = (int32_t)run->board.height;
    float column = 1.0f / (float)width, row = 1.0f / (float)height;
    const uint32_t x = (uint32_t)run->board.knob[X], y = (uint32_t)run->board.knob[Y];
    const lc_launch launch = {
        .grid = {lc_gpu_blocks(width, x), lc_gpu_blocks(height, y)},
        .block = {x, y},
    };
    void *arguments[] = {&own->texture, &run->cells, &width, &height, &column, &row};
    *done = 1;
    lc_status status = lc_device_array_copy_from(run->device, own->array, run->cells,
                                                 (uint64_t)run->layout.pitch_bytes, (size_t)width,
                                                 (size_t)height, run->stream, message);
    return status != LC_OK ? status : lc_gpu_launch(run, 0, launch, arguments, message);
}

const lc_design lc_design_texture = {
    .name = "texture",
    .title = "int a cell on the GPU, read through a texture that wraps",
    .source = "OLCF tutorial, GOL-CUDA-Texture.cu",
    .file = "texture.cu",
    .knobs = knobs,
    .check = check,
    .layout = layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .own_bytes = array_bytes,
                                  .one_board = true,
                                  .prepare = prepare,
                                  .release = release,
                                  .step = step},
};

#endif
