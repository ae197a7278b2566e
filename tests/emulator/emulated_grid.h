// Runs a kernel's grid of threads on the CPU.
#ifndef LC_TESTS_EMULATED_GRID_H
#define LC_TESTS_EMULATED_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "emulator/emulated_abi.h"

enum {
    EMULATED_WARP = 32,
    EMULATED_MOST_THREADS = 1024, // of a block
    // Rounds in which all that is left of a grid only spins, before it counts as hanging.
    EMULATED_PATIENCE = 20000,
};

typedef struct emulated_grid {
    const emulated_module *module;
    const emulated_kernel *kernel;
    uint3 grid;
    uint3 block;
    unsigned int shared_bytes; // that the launch asks for
    bool cooperative;          // all blocks at once, else one after another
    void **arguments;
} emulated_grid;

typedef enum emulated_result {
    EMULATED_DONE,
    EMULATED_FAILED,          // threads that do not meet; undefined behaviour
    EMULATED_HANGING,         // threads that spin for what does not come
    EMULATED_ILLEGAL_ADDRESS, // an access outside the memory of the GPU
} emulated_result;

// One grid at a time. What went wrong is said in `text`.
emulated_result emulated_grid_run(const emulated_grid *grid, char *text, size_t text_bytes);

#endif
