// This machine: processors, memory, engines and CPU levels, and measured speeds of the CPU.
//
// Example:
//
//     lc_machine machine;
//     lc_engine_info engine;
//     lc_machine_get(&machine);
//     printf("%d threads\n", machine.threads);
//     for (size_t i = 0; lc_engine_at(NULL, i, &engine); i++)
//         printf("%s: %s\n", engine.name, engine.reason); // the reason is one sentence.
//
// The header lightcone/device.h describes GPUs. If `context` is NULL, the functions use default
// options.
//
// Threads: any thread may call these functions.
#ifndef LIGHTCONE_MACHINE_H
#define LIGHTCONE_MACHINE_H

#include <stdbool.h>

#include "lightcone/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// The machine as the library sees it. The library takes defaults of lc_universe_options from this
// structure.
typedef struct lc_machine {
    const char *cpu_model;  // "" if unknown; static string
    int threads;            // CPUs that this process may use (affinity, cgroup quota)
    uint64_t memory_bytes;  // memory of the machine, or the cgroup's limit if lower; 0 if unknown
    uint64_t l1_data_bytes; // cache of one core; a typical size if unknown
    uint64_t l2_bytes;
} lc_machine;

// Describes the machine.
LC_API void lc_machine_get(lc_machine *machine);

typedef struct lc_engine_info {
    const char *name;    // "simd"
    const char *summary; // one line
    bool available;
    const char *reason; // one sentence: the use of the engine, or why it is not available
    // "auto" uses the first available engine whose auto_cells is at most the universe's number of
    // cells. UINT64_MAX: never.
    uint64_t auto_cells;
    bool on_gpu;        // the cells are in GPU memory, and the GPU steps them
    bool infinite_only; // steps the infinite plane and no other topology
} lc_engine_info;

typedef struct lc_cpu_level_info {
    const char *name; // "portable", "avx2", "avx512", "neon"
    int vector_bits;
    bool available;
    bool best;          // the level that "auto" uses
    const char *reason; // "needs avx512f, which this CPU does not have"; "" if available
    // Logic operations per vector and generation for B3/S23; 0 if this build does not contain the
    // level, because the level is for another kind of CPU.
    int gates_per_word;
} lc_cpu_level_info;

// Describes the i-th engine, counted from 0. The best engine comes first. Uses the options of
// `context` to look for GPUs. The search for GPUs may start the driver. Returns false past the last
// engine, with nothing written. Static strings.
LC_API bool lc_engine_at(lc_context *context, size_t index, lc_engine_info *info);

// Returns the name of the i-th engine, or NULL past the last engine. Does not start a GPU's driver.
// Static string.
LC_API const char *lc_engine_name(size_t index);
// Describes the i-th CPU level, counted from 0. Returns false past the last level, with nothing
// written. The string `reason` is valid as long as the calling thread exists; the other strings are
// static.
LC_API bool lc_cpu_level_at(size_t index, lc_cpu_level_info *info);

// Describes the engine with the given name. A colon and settings may follow the name. Also finds
// added engines (lc_engine_add). Returns false, with nothing written, if no engine has that name.
LC_API bool lc_engine_named(lc_context *context, const char *name, lc_engine_info *info);

// Measures the number of three-input logic operations per second that `threads` busy threads
// together execute at a CPU level. A logic operation computes one vector. A CPU level without a
// three-input instruction is measured with the best mix of two-input operations. The measurement
// takes `milliseconds` milliseconds, 1 or more. `level` is a name as in
// lc_universe_options.cpu_level.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (the level is not available here); LC_ERROR_ARGUMENT (threads
// or milliseconds below 1); LC_ERROR_MEMORY; LC_ERROR_SYSTEM (threads cannot be started).
LC_API lc_status lc_cpu_gate_rate(const char *level, int threads, int milliseconds,
                                  double *operations_per_second);

// Measures how many bytes per second `threads` threads together copy within main memory. The rate
// counts both the bytes read and the bytes written. Copies for about `milliseconds` between two
// buffers that are larger than the caches.
// Returns LC_OK; LC_ERROR_ARGUMENT (threads or milliseconds below 1); LC_ERROR_MEMORY;
// LC_ERROR_SYSTEM (threads cannot be started).
LC_API lc_status lc_cpu_copy_rate(int threads, int milliseconds, double *bytes_per_second);

#ifdef __cplusplus
}
#endif
#endif
