// A structure that the kernel of batches shares with the host (batch.cu; C and CUDA C).
#ifndef LC_KERNELS_BATCH_JOB_H
#define LC_KERNELS_BATCH_JOB_H

#include "cuda.h"

#define LC_BATCH_THREADS 128 // of a block
#define LC_BATCH_ROWS 64     // of a board; each is a word, with cell x as bit x

// The boards of a launch, filled with copies of tori as src/census/tiled_board.h explains.
typedef struct lc_batch_job {
    lc_u64 boards;
    int generations;
    int refill; // generations after which boards are filled again; 0: never
    int width, height, left, top;
} lc_batch_job;

#endif
