// Contexts. Universes share a context's threads, memory for cells, compiled rules, GPUs, and folder
// of compiled kernels.
//
// A program that makes many universes, or uses a GPU, makes one context and names it in
// lc_universe_options.context. A universe without one makes a context of its own, by the defaults
// below; only compiled rules are shared by all of these. The library reads no environment
// variables. A program may read them and state their values here, as the lightcone command does.
//
// Any number of threads may use a context at the same time: for each universe by itself, one thread
// at a time. Universes that share threads take turns with them, a pass at a time.
#ifndef LIGHTCONE_CONTEXT_H
#define LIGHTCONE_CONTEXT_H

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_context lc_context;
typedef struct lc_ranks lc_ranks; // several processes that share boards: lightcone/ranks.h

enum { LC_THREADS_MAX = 4096 }; // of a context or a universe: more than machines have CPUs

// All members but the first may be 0. What they point to need not outlive lc_context_create, except
// the allocator.
typedef struct lc_context_options {
    size_t struct_bytes; // sizeof(lc_context_options)
    // Memory for cells in the machine's own memory: for all that a universe's max_memory_bytes
    // counts there, and nothing else. `allocate` returns memory that is zero throughout and begins
    // at a multiple of 64 bytes, or NULL; `release` gets it back with the same size. Called by any
    // thread that uses a universe, several at a time. Some of what engines only work in, a block
    // for each thread, is kept until the context goes. Both NULL: pages of the system.
    void *(*allocate)(void *allocator, size_t size_bytes);
    void (*release)(void *allocator, void *memory, size_t size_bytes);
    void *allocator; // passed to both
    // Folder where compiled kernels and the plans that tuning found (lc_gpu_tune) are kept; it is
    // made when it is needed. NULL or "": they are kept nowhere. Processes may share one.
    const char *cache_folder;
    // Files of NVIDIA's libraries: the driver's libcuda and NVRTC, the compiler of kernels. NULL or
    // "": they are looked for, NVRTC in nvrtc_folders first. A process loads each of the two once:
    // what the first context that needs it says, holds for all.
    const char *cuda_library;
    const char *nvrtc_library;
    const char *const *nvrtc_folders; // may be patterns: "/opt/*/lib64". Ended by NULL
    int64_t threads; // 0: one for each CPU that this process may use; at most LC_THREADS_MAX
    // Lent, for as long as the context: bounded boards are shared with them, and other universes
    // are refused. NULL, or one rank: all is this process'.
    lc_ranks *ranks;
} lc_context_options;

// Makes a context; options NULL: the defaults. Threads start when they first have work, and GPUs
// are looked for when one is asked for. Returns LC_OK; LC_ERROR_ARGUMENT (threads out of range, one
// function of the allocator without the other); LC_ERROR_UNSUPPORTED (options of a later version);
// LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_context_create(lc_context **out, const lc_context_options *options,
                                   lc_message *message);

// Ends the program's use of a context and clears *context. It goes when the last of its universes
// is destroyed, and its threads and GPUs with it. NULL and a pointer to NULL are fine.
LC_API void lc_context_destroy(lc_context **context);

// How many threads its universes share, the one that steps included.
LC_API int lc_context_threads(const lc_context *context);

#ifdef __cplusplus
}
#endif
#endif
