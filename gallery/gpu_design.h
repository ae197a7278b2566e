// What a design for the GPU consists of, and what it is given.
#ifndef LC_GALLERY_GPU_DESIGN_H
#define LC_GALLERY_GPU_DESIGN_H

#include "design.h"
#include "device/gpu_device.h"

enum { LC_GPU_KERNELS_MAX = 6, LC_GPU_OPTIONS_MAX = 24 };

// The options that the kernels are compiled with: -DNAME=VALUE and the like.
typedef struct lc_gpu_options {
    char text[LC_GPU_OPTIONS_MAX][48];
    const char *list[LC_GPU_OPTIONS_MAX];
    size_t count;
} lc_gpu_options;

void lc_gpu_define(lc_gpu_options *options, const char *name, int64_t value);

typedef struct lc_gpu_run {
    lc_gallery_board board;
    lc_cell_layout layout;
    lc_device *device;
    lc_device_stream *stream;              // on which everything is queued
    lc_device_address cells;               // this generation, in that layout
    lc_device_address next;                // where the next one goes: lc_gpu_swap makes it this one
    lc_device_address extra;               // the design's own memory, zero at the start
    lc_kernel kernels[LC_GPU_KERNELS_MAX]; // in the order of the design's names
    lc_launch launched[LC_GPU_KERNELS_MAX]; // how each was launched last
    void *own;                              // the design's, from prepare to release
} lc_gpu_run;

struct lc_gpu_design {
    // `extern "C"` kernels of the design's file; the first is the one that does the work. Ended by
    // NULL.
    const char *kernels[LC_GPU_KERNELS_MAX + 1];
    // The macro that holds each knob's value in the kernels; NULL: none.
    const char *macros[LC_KNOBS_MAX];
    void (*compile)(const lc_gallery_board *board,
                    lc_gpu_options *options);               // NULL: no more options
    uint64_t (*extra_bytes)(const lc_gallery_board *board); // NULL: none
    // NULL, or how much of the GPU's memory prepare takes.
    uint64_t (*own_bytes)(const lc_gallery_board *board);
    bool one_board; // it has no use for `next`, which is then 0
    // NULL, or they make what is needed before the first generation and free it at the end. If
    // prepare fails it has freed what it made.
    lc_status (*prepare)(lc_gpu_run *run, lc_message *message);
    void (*release)(lc_gpu_run *run);
    // Queues the launches that make 1 to `generations` generations, as many as the design makes in
    // one go; *done: how many.
    lc_status (*step)(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message);
    // NULL, or the number of live cells of this generation as the kernels counted them. Called only
    // after a step with no cells written since.
    lc_status (*population)(lc_gpu_run *run, uint64_t *population, lc_message *message);
};

void lc_gpu_swap(lc_gpu_run *run);

// Queues kernels[index]: grid and block as in `launch`, whose stream is filled in here.
lc_status lc_gpu_launch(lc_gpu_run *run, int index, lc_launch launch, void **arguments,
                        lc_message *message);

// Queues kernels[0], which makes one generation in `next`, and exchanges the boards; *done: 1.
lc_status lc_gpu_generation(lc_gpu_run *run, lc_launch launch, void **arguments, uint64_t *done,
                            lc_message *message);

// How many blocks of `size` cover `count`.
uint32_t lc_gpu_blocks(int64_t count, int64_t size);

// The source and options that the kernels of a design are compiled from for a board. The source
// points to the options, which the caller keeps for as long.
void lc_gpu_find_source(const lc_design *design, const lc_gallery_board *board,
                        lc_gpu_options *options, lc_kernel_source *source);

// A launch of blocks in a plane. A grid holds fewer rows of blocks than some boards need, so the
// row of a block is blockIdx.z * gridDim.y + blockIdx.y, and the last rows may lie past `down`.
lc_launch lc_gpu_plane(uint32_t blocks_across, uint32_t blocks_down, uint32_t threads_across,
                       uint32_t threads_down);

// Sets the functions of a design's engine, and all other members to 0.
void lc_gpu_guest(lc_guest_engine *engine);

#endif
