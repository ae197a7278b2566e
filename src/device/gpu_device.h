// One GPU: facts, memory, streams, events, kernels and graphs, through the CUDA driver.
//
// An lc_device is one user's handle of a GPU. One thread at a time may use it. All devices of one
// context and one GPU share an lc_gpu (shared_gpu.h) and may be used on different threads. Every
// function makes the GPU's primary CUDA context current while it runs and restores the thread's
// context, so that CUDA code of the calling program is not disturbed.
//
// Errors: LC_ERROR_DEVICE (a driver call failed; the message names the call, the kernel, the GPU
// and the driver's error code and text); LC_ERROR_MEMORY (the GPU's memory is too small; the
// message states required and free bytes). Some errors are permanent: the device is then lost, and
// every later call returns the first such error.
#ifndef LC_DEVICE_GPU_DEVICE_H
#define LC_DEVICE_GPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context_resources.h"
#include "device/kernel_text.h"
#include "lightcone/status.h"

enum {
    LC_DEVICE_OLDEST_ARCHITECTURE = 75,  // Turing, the oldest that NVRTC 13 compiles for
    LC_DEVICE_OVERLAP_ARCHITECTURE = 90, // the oldest that supports lc_launch.overlapped
};

typedef struct lc_device_facts {
    int index;
    char name[128];
    int architecture; // 90: compute capability 9.0
    int multiprocessors;
    int clock_khz;
    uint64_t memory_bytes;
    int memory_clock_khz;
    int memory_bus_bits;
    uint64_t l2_bytes;
    int registers_per_multiprocessor; // of 32 bits
    int threads_per_multiprocessor;
    uint64_t shared_bytes_per_block; // maximum that a kernel can request
    bool cooperative;                // supports cooperative launches
    bool can_wait_for_value;         // lc_device_wait_for_value
    uint8_t uuid[16];                // the same in every process
    bool prohibited;                 // compute mode "prohibited": creating contexts fails
    int driver_version;              // CUDA version: 13000 is 13.0
    int nvrtc_version;               // 0: NVRTC not found
} lc_device_facts;

typedef struct lc_device lc_device;
typedef uint64_t lc_device_address;
typedef struct CUstream_st lc_device_stream; // NULL: default stream
typedef struct CUevent_st lc_device_event;
typedef struct CUgraphExec_st lc_device_graph;

// Counts the GPUs that the driver shows. LC_ERROR_UNSUPPORTED: no driver or no GPU.
lc_status lc_device_count(lc_context *context, int *count, lc_message *message);

// Reads the facts of a GPU. Creates no CUDA context and allocates no GPU memory.
lc_status lc_device_find_facts(lc_context *context, int index, lc_device_facts *facts,
                               lc_message *message);

// Returns LC_OK if lightcone's kernels can run on a GPU with these facts. LC_ERROR_UNSUPPORTED: the
// message says why they cannot.
lc_status lc_device_check_usable(lc_context *context, const lc_device_facts *facts,
                                 lc_message *message);

// Finds the first GPU that can run lightcone's kernels. LC_ERROR_UNSUPPORTED or LC_ERROR_DEVICE: no
// GPU can; the message gives the reason for the first GPU.
lc_status lc_device_find_usable(lc_context *context, lc_device_facts *facts, lc_message *message);

// Opens a usable GPU. `context` NULL: shares nothing with other devices. The caller destroys
// everything created on a device before closing it.
lc_status lc_device_open(lc_device **out, lc_context *context, int index, lc_message *message);
void lc_device_close(lc_device **device);

lc_context *lc_device_context(const lc_device *device);
const lc_device_facts *lc_device_facts_of(const lc_device *device);
bool lc_device_is_lost(const lc_device *device);

// Memory ---------------------------------------------------------------------------------------

lc_status lc_device_memory_free(lc_device *device, uint64_t *free_bytes, lc_message *message);

// Allocates uninitialised GPU memory. `what` names the purpose in an error message: "the cells".
lc_status lc_device_alloc(lc_device *device, const char *what, uint64_t size_bytes,
                          lc_device_address *out, lc_message *message);
// Frees memory and sets *memory to 0. Accepts 0.
void lc_device_free(lc_device *device, lc_device_address *memory);

// Allocates pinned host memory: copies run at full speed and do not block the host.
lc_status lc_device_host_alloc(lc_device *device, const char *what, size_t size_bytes, void **out,
                               lc_message *message);
void lc_device_host_free(lc_device *device, void **memory);
// Pins existing host memory, for all GPUs.
lc_status lc_device_host_register(lc_device *device, void *memory, size_t size_bytes,
                                  lc_message *message);
void lc_device_host_unregister(lc_device *device, void *memory);

// Copies and fills, queued on the stream.
lc_status lc_device_upload(lc_device *device, lc_device_address to, const void *from,
                           size_t size_bytes, lc_device_stream *stream, lc_message *message);
lc_status lc_device_download(lc_device *device, void *to, lc_device_address from, size_t size_bytes,
                             lc_device_stream *stream, lc_message *message);
lc_status lc_device_copy(lc_device *device, lc_device_address to, lc_device_address from,
                         size_t size_bytes, lc_device_stream *stream, lc_message *message);
lc_status lc_device_fill(lc_device *device, lc_device_address to, uint8_t value, size_t size_bytes,
                         lc_device_stream *stream, lc_message *message);

// Textures -------------------------------------------------------------------------------------
//
// A kernel reads a copy of a board through a texture. The array's element order makes loads fast
// whose coordinates are close in both directions.

typedef struct CUarray_st lc_device_array;
typedef uint64_t lc_device_texture; // passed to a kernel as an argument

// Limits of every supported GPU.
enum { LC_DEVICE_ARRAY_WIDTH_MAX = 131072, LC_DEVICE_ARRAY_HEIGHT_MAX = 65536 };

// Creates an uninitialised array of 32-bit integers. `what`: see lc_device_alloc.
lc_status lc_device_array_create(lc_device *device, const char *what, size_t width, size_t height,
                                 lc_device_array **out, lc_message *message);
void lc_device_array_destroy(lc_device *device, lc_device_array **array);
// Queues a copy from GPU memory into the array's first `width` x `height` elements.
lc_status lc_device_array_copy_from(lc_device *device, lc_device_array *array,
                                    lc_device_address from, uint64_t pitch_bytes, size_t width,
                                    size_t height, lc_device_stream *stream, lc_message *message);

// Creates a texture of the whole array. The array must outlive it. Coordinates are 0 to 1 and wrap
// around beyond that. Kernels read single elements, without interpolation.
lc_status lc_device_texture_create(lc_device *device, lc_device_array *array,
                                   lc_device_texture *out, lc_message *message);
// Destroys a texture and sets it to 0. Accepts 0.
void lc_device_texture_destroy(lc_device *device, lc_device_texture *texture);

// Streams and events ---------------------------------------------------------------------------

// Creates a stream that does not synchronise with the default stream.
lc_status lc_device_stream_create(lc_device *device, lc_device_stream **out, lc_message *message);
void lc_device_stream_destroy(lc_device *device, lc_device_stream **stream);
// Waits for all work queued on the stream. Returns errors of kernels; the message names the kernel
// launched last.
lc_status lc_device_synchronize(lc_device *device, lc_device_stream *stream, lc_message *message);

lc_status lc_device_event_create(lc_device *device, lc_device_event **out, lc_message *message);
void lc_device_event_destroy(lc_device *device, lc_device_event **event);
lc_status lc_device_event_record(lc_device *device, lc_device_event *event,
                                 lc_device_stream *stream, lc_message *message);
lc_status lc_device_event_wait(lc_device *device, lc_device_stream *stream, lc_device_event *event,
                               lc_message *message);
// Returns the time between two recorded events, after waiting for `end`.
lc_status lc_device_event_elapsed(lc_device *device, lc_device_event *start, lc_device_event *end,
                                  double *elapsed_ns, lc_message *message);

// Other GPUs -----------------------------------------------------------------------------------

// Enables access to the memory of another GPU of the same context. *direct: kernels and copies can
// access it; false: the driver copies through host memory.
lc_status lc_device_enable_access(lc_device *device, const lc_device *other, bool *direct,
                                  lc_message *message);

// Queues a copy from the memory of another GPU, or of this one, on this device's stream. Work on
// the other device's streams is ordered before the copy only by an event.
lc_status lc_device_copy_from(lc_device *device, lc_device_address to, const lc_device *other,
                              lc_device_address from, size_t size_bytes, lc_device_stream *stream,
                              lc_message *message);

// Shares memory of lc_device_alloc with another process on this machine. The memory must have at
// least 2 MiB, because the driver shares whole blocks of that size. All importing processes unmap
// it before the owner frees it. LC_ERROR_DEVICE also where the system does not support sharing.
typedef struct lc_device_memory_key {
    uint8_t bytes[64];
} lc_device_memory_key;
lc_status lc_device_export_memory(lc_device *device, lc_device_address memory,
                                  lc_device_memory_key *key, lc_message *message);
lc_status lc_device_import_memory(lc_device *device, const lc_device_memory_key *key,
                                  lc_device_address *out, lc_message *message);
void lc_device_unmap_memory(lc_device *device, lc_device_address *memory); // accepts 0

// Delays work queued later on the stream until the 64-bit value at `number` in this GPU's memory is
// `least` or more. Another GPU or process raises the value; if it never does, waiting for the
// stream never returns. Requires lc_device_facts.can_wait_for_value.
lc_status lc_device_wait_for_value(lc_device *device, lc_device_address number, uint64_t least,
                                   lc_device_stream *stream, lc_message *message);

// Waits like lc_device_synchronize, but no longer than the timeout; *done is then false.
lc_status lc_device_synchronize_within(lc_device *device, lc_device_stream *stream,
                                       uint64_t timeout_ns, bool *done, lc_message *message);

// Kernels --------------------------------------------------------------------------------------

typedef struct lc_module lc_module;

// Returns a module compiled from `source` for this GPU. Reuses a module that a device of the same
// GPU and context has loaded, or else an image from the disk cache. `log` NULL or receives the
// compiler's log, also after an error; the caller frees it with lc_free. NULL: nothing was
// compiled.
lc_status lc_module_create(lc_module **out, lc_device *device, const lc_kernel_source *source,
                           char **log, lc_message *message);
// Split form of lc_module_create. A module that is not in the cache is compiled on its own thread
// between the two calls, so several modules take as long as the slowest. `source` and everything it
// points to must stay valid until lc_module_end. Each lc_module_begin needs one lc_module_end,
// which frees *work and sets it to NULL; `out` NULL: the module is no longer needed.
typedef struct lc_module_work lc_module_work;
lc_status lc_module_begin(lc_module_work **work, lc_device *device, const lc_kernel_source *source,
                          lc_message *message);
lc_status lc_module_end(lc_module **out, lc_module_work **work, lc_message *message);

void lc_module_destroy(lc_module **module);
bool lc_module_was_cached(const lc_module *module); // it came from the disk cache

typedef struct lc_kernel {
    lc_device *device;
    struct CUfunc_st *function;
    char name[64];
    int registers;    // per thread
    int local_bytes;  // per thread: spilled registers, arrays
    int shared_bytes; // per block, without lc_launch.shared_bytes
    int threads_max;  // maximum per block
} lc_kernel;

// Finds an `extern "C"` kernel by name. Valid until the module is destroyed.
lc_status lc_kernel_find(lc_kernel *kernel, lc_module *module, const char *name,
                         lc_message *message);

// Sets the maximum of lc_launch.shared_bytes. Required above 48 KiB.
lc_status lc_kernel_allow_shared(lc_kernel *kernel, uint32_t shared_bytes, lc_message *message);

// Returns the number of blocks of `threads` threads that fit on a multiprocessor at a time.
lc_status lc_kernel_occupancy(const lc_kernel *kernel, int threads, size_t shared_bytes,
                              int *blocks, lc_message *message);

typedef struct lc_launch {
    uint32_t grid[3];  // blocks; 0 counts as 1
    uint32_t block[3]; // threads; 0 counts as 1
    uint32_t shared_bytes;
    bool cooperative;
    bool overlapped; // may start before the previous kernel ends; it then waits in its own code
    lc_device_stream *stream;
} lc_launch;

// Queues a launch. arguments[i] points to the i-th argument; the arguments are copied.
lc_status lc_kernel_launch(const lc_kernel *kernel, const lc_launch *launch, void **arguments,
                           lc_message *message);

// Graphs: between capture_begin and capture_end, launches and copies are recorded, not run. -----

lc_status lc_device_capture_begin(lc_device *device, lc_device_stream *stream, lc_message *message);
lc_status lc_device_capture_end(lc_device *device, lc_device_stream *stream, lc_device_graph **out,
                                lc_message *message);
lc_status lc_device_graph_launch(lc_device *device, lc_device_graph *graph,
                                 lc_device_stream *stream, lc_message *message);
void lc_device_graph_destroy(lc_device *device, lc_device_graph **graph);

#endif
