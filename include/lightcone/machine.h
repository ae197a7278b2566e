// This machine: its processors and memory, the engines and CPU levels that it can run, and how fast
// its CPU computes and copies. Its GPUs are in device.h.
#ifndef LIGHTCONE_MACHINE_H
#define LIGHTCONE_MACHINE_H

#include <stdbool.h>

#include "lightcone/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// This machine as the library sees it: the source of its defaults (lc_universe_options).
typedef struct lc_machine {
    const char *cpu_model;  // "" if unknown; static string
    int threads;            // CPUs this process may use (affinity, cgroup quota)
    uint64_t memory_bytes;  // of the machine, or the cgroup's limit if lower; 0 if unknown
    uint64_t l1_data_bytes; // cache of one core; a typical size if unknown
    uint64_t l2_bytes;
} lc_machine;

// Any thread.
LC_API void lc_machine_get(lc_machine *machine);

typedef struct lc_engine_info {
    const char *name;    // "simd"
    const char *summary; // one line
    bool available;
    const char *reason; // why it would, or would not, be used; one sentence
    // "auto" chooses the first available engine whose number here does not exceed the universe's
    // cells; UINT64_MAX: never chosen.
    uint64_t auto_cells;
    bool on_gpu;        // its cells are in the memory of a GPU, which steps them
    bool infinite_only; // it steps the infinite plane, and no other surface
} lc_engine_info;

typedef struct lc_cpu_level_info {
    const char *name; // "portable", "avx2", "avx512", "neon"
    int vector_bits;
    bool available;
    bool best;          // the one that "auto" chooses
    const char *reason; // "needs avx512f, which this CPU does not have"; "" if available
    // Logic operations per vector word and generation for B3/S23; 0 if the level is for another
    // kind of CPU and not in this build.
    int gates_per_word;
} lc_cpu_level_info;

// The i-th of them, engines best first; false, and nothing written, past the last. Static strings,
// except a level's `reason`, which lives as long as the calling thread. Whether a GPU is there is
// asked as the context says; NULL: by the defaults. Any thread.
LC_API bool lc_engine_at(lc_context *context, size_t index, lc_engine_info *info);

// The i-th engine's name alone, NULL past the last. Unlike lc_engine_at this does not start a GPU's
// driver to see whether there is a GPU. Static string. Any thread.
LC_API const char *lc_engine_name(size_t index);
LC_API bool lc_cpu_level_at(size_t index, lc_cpu_level_info *info);

// The engine of that name, which may be followed by a colon and settings; engines that were added
// (lc_engine_add) are found too. False, and nothing written, if there is none. Any thread.
LC_API bool lc_engine_named(lc_context *context, const char *name, lc_engine_info *info);

// Measures this CPU's rate of three-input gates (where the level has such an instruction, else of
// the best mix of two-input operations) at `level`, in operations on one vector word a second, with
// all `threads` busy for `milliseconds`; the result is the sum over the threads. `level` is as in
// lc_universe_options. Returns LC_OK, LC_ERROR_UNSUPPORTED (the level is not available here),
// LC_ERROR_ARGUMENT (threads or milliseconds below 1), LC_ERROR_MEMORY or LC_ERROR_SYSTEM (no
// threads).
LC_API lc_status lc_cpu_gate_rate(const char *level, int threads, int milliseconds,
                                  double *operations_per_second);

// Measures how fast `threads` together copy within main memory, in bytes a second, counting both
// those read and those written, for about `milliseconds`: from one buffer to another, each larger
// than the caches. Returns LC_OK, LC_ERROR_ARGUMENT (threads or milliseconds below 1),
// LC_ERROR_MEMORY or LC_ERROR_SYSTEM (no threads).
LC_API lc_status lc_cpu_copy_rate(int threads, int milliseconds, double *bytes_per_second);

#ifdef __cplusplus
}
#endif
#endif
