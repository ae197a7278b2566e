// A context: the threads, cell memory, GPUs and compiled kernels that universes share.
//
// Example:
//
//     lc_context *context;
//     lc_context_options shared = {.struct_bytes = sizeof shared, .threads = 4};
//     lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
//     if (lc_context_create(&context, &shared, &message) == LC_OK)
//         options.context = context; // for each universe.
//
// A program that creates many universes or uses a GPU creates one context and sets
// lc_universe_options.context. A universe without lc_universe_options.context creates a context of
// its own, with default options. Universes that each have their own context share only compiled
// rules.
//
// The library reads no environment variables. A program that supports environment variables reads
// them itself and fills in the options, as the lightcone command does.
//
// Threads: any number of threads may use a context at the same time. Only one thread at a time may
// use the same universe. Universes that share threads take turns, one pass at a time.
#ifndef LIGHTCONE_CONTEXT_H
#define LIGHTCONE_CONTEXT_H

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_context lc_context;
typedef struct lc_ranks lc_ranks; // processes that share boards: lightcone/ranks.h

enum { LC_THREADS_MAX = 4096 }; // largest number of threads per context and per universe

// Options for lc_context_create. Set struct_bytes; 0 in any other member selects its default. All
// strings are copied by lc_context_create. `allocator` and `ranks` must stay valid until the
// context is freed.
typedef struct lc_context_options {
    size_t struct_bytes; // sizeof(lc_context_options)
    // Allocator for the host memory that lc_universe_options.max_memory_bytes limits, and for no
    // other memory. If allocate and release are NULL, the library takes pages from the operating
    // system. The function allocate returns size_bytes of zeroed memory, aligned to 64 bytes, or
    // NULL. The function release frees memory from allocate and receives the same size. The library
    // may call allocate and release on any thread that uses a universe, and on several threads at
    // the same time. The context keeps scratch blocks, at most one per thread, until it is freed.
    void *(*allocate)(void *allocator, size_t size_bytes);
    void (*release)(void *allocator, void *memory, size_t size_bytes);
    void *allocator; // passed to both
    // Folder for compiled kernels and tuned plans (lc_gpu_tune). Created when first needed.
    // Processes may share it. NULL or "": nothing is cached.
    const char *cache_folder;
    // Paths of the driver library libcuda and of NVRTC, which compiles kernels. NULL or "": the
    // library searches for the file. The search for NVRTC begins in nvrtc_folders. Each of the
    // libraries libcuda and NVRTC is loaded once per process, from the path given by the first
    // context that needs the library.
    const char *cuda_library;
    const char *nvrtc_library;
    const char *const *nvrtc_folders; // NULL-terminated; wildcards allowed: "/opt/*/lib64"
    // Number of threads, 0 to LC_THREADS_MAX. 0: one thread per CPU that this process may use.
    int64_t threads;
    // Ranks (ranks.h) over which the library distributes bounded boards. With several ranks,
    // unbounded universes are refused. NULL or a single rank: all boards stay in this process.
    lc_ranks *ranks;
} lc_context_options;

// Creates a context. `options` NULL: defaults. Threads start when they first have work. The library
// looks for GPUs when a universe or a query first needs a GPU. The caller destroys the context.
// Returns LC_OK; LC_ERROR_ARGUMENT (wrong struct_bytes, threads out of range, only one of allocate
// and release); LC_ERROR_UNSUPPORTED (a member that this version does not know is set);
// LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_context_create(lc_context **out, const lc_context_options *options,
                                   lc_message *message);

// Releases the caller's reference and sets *context to NULL. The context, its threads and its GPUs
// are freed when its last universe is destroyed. Accepts NULL and a pointer to NULL.
LC_API void lc_context_destroy(lc_context **context);

// Returns the number of threads that the universes of the context share. The number includes the
// thread that calls lc_universe_step.
LC_API int lc_context_threads(const lc_context *context);

#ifdef __cplusplus
}
#endif
#endif
