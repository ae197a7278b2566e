// What the emulator and a kernel that was compiled for it know of each other. Plain C, no includes:
// the kernel's side is compiled at run time.
#ifndef LC_TESTS_EMULATED_ABI_H
#define LC_TESTS_EMULATED_ABI_H

typedef struct uint3 {
    unsigned int x;
    unsigned int y;
    unsigned int z;
} uint3;

// Where the threads of a warp, or of a block, meet.
typedef enum emulated_kind {
    EMULATED_SYNCTHREADS,
    EMULATED_SPIN, // meets nobody: lets the others run
    EMULATED_SYNCWARP,
    EMULATED_SHUFFLE,
    EMULATED_SHUFFLE_UP,
    EMULATED_SHUFFLE_DOWN,
    EMULATED_SHUFFLE_XOR,
    EMULATED_BALLOT,
    EMULATED_ANY,
    EMULATED_ALL,
    EMULATED_REDUCE_ADD,
    EMULATED_REDUCE_MIN,
    EMULATED_REDUCE_MAX,
    EMULATED_REDUCE_AND,
    EMULATED_REDUCE_OR,
    EMULATED_REDUCE_XOR,
} emulated_kind;

// A place in a kernel's text at which threads meet.
typedef struct emulated_site {
    emulated_kind kind;
    const char *name;
    const char *file;
    int line;
} emulated_site;

// What the thread that is running sees.
typedef struct emulated_thread {
    uint3 thread;
    uint3 block;
    uint3 block_size;
    uint3 grid_size;
    void *shared_pool;
    // Comes back when all lanes of `mask` have met, with the lane's result. A lane brings a value,
    // and to a shuffle a lane or a distance. The site must stay.
    unsigned long long (*meet)(const emulated_site *site, unsigned int mask,
                               unsigned long long value, unsigned int argument);
    // Ends the launch as a failed one.
    void (*fail)(const char *what, const char *file, int line);
} emulated_thread;

// What a texture's number, as a kernel has it, is the address of. Coordinates are from 0 to 1, and
// beyond that go on from the far side.
typedef struct emulated_texture {
    const int *texels; // row after row
    unsigned int width;
    unsigned int height;
} emulated_texture;

// A kernel: its wrapper takes each argument from where the driver's pointers say.
typedef struct emulated_kernel {
    const char *name;
    void (*run)(void **arguments);
    unsigned int argument_count;
    const unsigned int *argument_bytes;
    int threads_max;
} emulated_kernel;

// The one name that a compiled module exports, as `emulated_module`.
typedef struct emulated_module {
    const emulated_thread **self; // set before any thread runs
    const emulated_kernel *kernels;
    unsigned int kernel_count;
    char *shared_start; // the LC_SHARED variables of the block that is running
    char *shared_end;
} emulated_module;

#endif
