// One GPU: its facts, memory, streams, events, kernels and graphs, through the CUDA driver.
//
// A device is one user's hold on a GPU, for one thread at a time; users of one context share what
// is behind it (shared_gpu.h), and may be on different threads. Every function makes the device's
// primary context current for its own duration and leaves the thread's context as it was, so that a
// program with CUDA code of its own is not disturbed.
//
// Errors: a failed call is LC_ERROR_DEVICE, and the message names the call, the kernel if there is
// one, the GPU, and the code with the driver's text for it. Memory that the GPU does not have is
// LC_ERROR_MEMORY, and the message says need and have. Some errors cannot be got over: after them
// the device is lost, and every later call fails with what happened first.
#ifndef LC_DEVICE_GPU_DEVICE_H
#define LC_DEVICE_GPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context_resources.h"
#include "device/kernel_text.h"
#include "lightcone/status.h"

enum {
    LC_DEVICE_OLDEST_ARCHITECTURE = 75,  // Turing: the oldest that today's NVRTC compiles for
    LC_DEVICE_OVERLAP_ARCHITECTURE = 90, // from which lc_launch.overlapped is possible
};

typedef struct lc_device_facts {
    int index;
    char name[128];
    int architecture; // 90 is compute capability 9.0
    int multiprocessors;
    int clock_khz;
    uint64_t memory_bytes;
    int memory_clock_khz;
    int memory_bus_bits;
    uint64_t l2_bytes;
    int registers_per_multiprocessor; // of 32 bits
    int threads_per_multiprocessor;
    uint64_t shared_bytes_per_block; // the most that a kernel may ask for
    bool cooperative;                // a kernel's blocks can wait for each other
    bool awaits;                     // lc_device_await
    uint8_t uuid[16];                // the same in all processes
    bool prohibited;                 // the administrator allows no contexts on it
    int driver_version;              // of CUDA: 13000 is 13.0
    int nvrtc_version;               // 0 if there is none
} lc_device_facts;

typedef struct lc_device lc_device;
typedef uint64_t lc_device_address;
typedef struct CUstream_st lc_device_stream; // NULL: the default one
typedef struct CUevent_st lc_device_event;
typedef struct CUgraphExec_st lc_device_graph;

// How many GPUs the driver shows. LC_ERROR_UNSUPPORTED if there is no driver, or no GPU.
lc_status lc_device_count(lc_context *context, int *count, lc_message *message);

// The facts of a GPU. Makes no context and takes no memory there.
lc_status lc_device_find_facts(lc_context *context, int index, lc_device_facts *facts,
                               lc_message *message);

// Why kernels cannot run on a GPU with these facts, as LC_ERROR_UNSUPPORTED; LC_OK if they can.
lc_status lc_device_check_usable(lc_context *context, const lc_device_facts *facts,
                                 lc_message *message);

// The first GPU that kernels can run on, which is the one that is used. LC_ERROR_UNSUPPORTED or
// LC_ERROR_DEVICE: there is none, and the message says why not the first.
lc_status lc_device_find_usable(lc_context *context, lc_device_facts *facts, lc_message *message);

// Opens a usable GPU; context NULL: shared with nobody. Everything made on a device is to be
// destroyed before it is closed.
lc_status lc_device_open(lc_device **out, lc_context *context, int index, lc_message *message);
void lc_device_close(lc_device **device);

lc_context *lc_device_context(const lc_device *device);
const lc_device_facts *lc_device_facts_of(const lc_device *device);
bool lc_device_is_lost(const lc_device *device);

// Memory ---------------------------------------------------------------------------------------

lc_status lc_device_memory_free(lc_device *device, uint64_t *free_bytes, lc_message *message);

// Memory on the GPU, not cleared. `what` it is for goes into the message: "the cells".
lc_status lc_device_alloc(lc_device *device, const char *what, uint64_t size_bytes,
                          lc_device_address *out, lc_message *message);
// Does nothing with 0.
void lc_device_free(lc_device *device, lc_device_address *memory);

// Memory of the host that copies reach at full speed, and without the host waiting.
lc_status lc_device_host_alloc(lc_device *device, const char *what, size_t size_bytes, void **out,
                               lc_message *message);
void lc_device_host_free(lc_device *device, void **memory);
// The same for memory that exists already; it counts for all GPUs.
lc_status lc_device_host_register(lc_device *device, void *memory, size_t size_bytes,
                                  lc_message *message);
void lc_device_host_unregister(lc_device *device, void *memory);

// All of these are queued on the stream.
lc_status lc_device_upload(lc_device *device, lc_device_address to, const void *from,
                           size_t size_bytes, lc_device_stream *stream, lc_message *message);
lc_status lc_device_download(lc_device *device, void *to, lc_device_address from, size_t size_bytes,
                             lc_device_stream *stream, lc_message *message);
lc_status lc_device_copy(lc_device *device, lc_device_address to, lc_device_address from,
                         size_t size_bytes, lc_device_stream *stream, lc_message *message);
lc_status lc_device_fill(lc_device *device, lc_device_address to, uint8_t value, size_t size_bytes,
                         lc_device_stream *stream, lc_message *message);

// Textures: a copy of a board in an order of the GPU's own, which suits loads that are near each
// other in both directions, and the texture through which a kernel reads it. ---------------------

typedef struct CUarray_st lc_device_array;
typedef uint64_t lc_device_texture; // a kernel's argument

enum { LC_DEVICE_ARRAY_WIDTH_MAX = 131072, LC_DEVICE_ARRAY_HEIGHT_MAX = 65536 }; // on every GPU

// An array of 32-bit integers, not cleared. `what` as in lc_device_alloc.
lc_status lc_device_array_create(lc_device *device, const char *what, size_t width, size_t height,
                                 lc_device_array **out, lc_message *message);
void lc_device_array_destroy(lc_device *device, lc_device_array **array);
// Queues a copy of the array's first `width` x `height` elements from memory on the GPU.
lc_status lc_device_array_copy_from(lc_device *device, lc_device_array *array,
                                    lc_device_address from, uint64_t pitch_bytes, size_t width,
                                    size_t height, lc_device_stream *stream, lc_message *message);

// A texture of the whole array, which lives longer than it. Coordinates are from 0 to 1 and go on
// from the far side beyond that; what a kernel gets is the element, not a mixture.
lc_status lc_device_texture_create(lc_device *device, lc_device_array *array,
                                   lc_device_texture *out, lc_message *message);
// Does nothing with 0.
void lc_device_texture_destroy(lc_device *device, lc_device_texture *texture);

// Streams and events ---------------------------------------------------------------------------

// A stream that does not wait for the default one.
lc_status lc_device_stream_create(lc_device *device, lc_device_stream **out, lc_message *message);
void lc_device_stream_destroy(lc_device *device, lc_device_stream **stream);
// Waits for everything queued. This is where errors of kernels come to light; the message names the
// kernel that was launched last.
lc_status lc_device_synchronize(lc_device *device, lc_device_stream *stream, lc_message *message);

lc_status lc_device_event_create(lc_device *device, lc_device_event **out, lc_message *message);
void lc_device_event_destroy(lc_device *device, lc_device_event **event);
lc_status lc_device_event_record(lc_device *device, lc_device_event *event,
                                 lc_device_stream *stream, lc_message *message);
lc_status lc_device_event_wait(lc_device *device, lc_device_stream *stream, lc_device_event *event,
                               lc_message *message);
// Waits for `end`.
lc_status lc_device_event_elapsed(lc_device *device, lc_device_event *start, lc_device_event *end,
                                  double *elapsed_ns, lc_message *message);

// Other GPUs -----------------------------------------------------------------------------------

// Lets kernels and copies of this GPU reach the memory of another one of the same context, if the
// machine can (*direct); otherwise the driver takes copies through the host's memory.
lc_status lc_device_reach(lc_device *device, const lc_device *other, bool *direct,
                          lc_message *message);

// From the memory of another GPU, or of this one. The stream is this device's; what is queued on a
// stream of the other one comes before only if an event says so.
lc_status lc_device_copy_from(lc_device *device, lc_device_address to, const lc_device *other,
                              lc_device_address from, size_t size_bytes, lc_device_stream *stream,
                              lc_message *message);

// Memory of lc_device_alloc that another process may use, by a key that it is told: at least 2 MiB,
// as the driver lends whole pieces of that size. It is given back by all who have borrowed it
// before it is freed. LC_ERROR_DEVICE, too, where the system does not have it.
typedef struct lc_device_key {
    uint8_t bytes[64];
} lc_device_key;
lc_status lc_device_lend(lc_device *device, lc_device_address memory, lc_device_key *key,
                         lc_message *message);
lc_status lc_device_borrow(lc_device *device, const lc_device_key *key, lc_device_address *out,
                           lc_message *message);
void lc_device_return(lc_device *device, lc_device_address *memory); // does nothing with 0

// What is queued on the stream from now on waits until the 64-bit number in this GPU's memory,
// which somebody raises, is `least` or more; where lc_device_facts.awaits. If that never happens,
// nor does what is queued, and whoever waits for it waits for ever.
lc_status lc_device_await(lc_device *device, lc_device_address number, uint64_t least,
                          lc_device_stream *stream, lc_message *message);

// As lc_device_synchronize, but for no longer than that: then *done is false.
lc_status lc_device_synchronize_within(lc_device *device, lc_device_stream *stream,
                                       uint64_t patience_ns, bool *done, lc_message *message);

// Kernels --------------------------------------------------------------------------------------

typedef struct lc_module lc_module;

// Compiles a text for this GPU, or takes the result from the cache on disk; or the module itself,
// if a user of the GPU in this context has made it before. `log`, if not NULL, receives what the
// compiler said, in case of an error too (lc_free; NULL if nothing was compiled).
lc_status lc_module_create(lc_module **out, lc_device *device, const lc_kernel_source *source,
                           char **log, lc_message *message);
// The same in two halves, between which a thread of its own compiles what is not in the cache: so
// several modules take as long as the slowest. The source and all it points to are lent until the
// end; lc_module_end, which every begun module needs, with NULL for one that is no longer wanted,
// frees *work and clears it.
typedef struct lc_module_work lc_module_work;
lc_status lc_module_begin(lc_module_work **work, lc_device *device, const lc_kernel_source *source,
                          lc_message *message);
lc_status lc_module_end(lc_module **out, lc_module_work **work, lc_message *message);

void lc_module_destroy(lc_module **module);
bool lc_module_was_cached(const lc_module *module); // on disk, when it was first wanted

typedef struct lc_kernel {
    lc_device *device;
    struct CUfunc_st *function;
    char name[64];
    int registers;       // of a thread
    int local_bytes;     // of a thread: spilled registers, arrays
    int shared_bytes;    // of a block, besides what a launch asks for
    int threads_at_most; // in a block
} lc_kernel;

// An `extern "C"` kernel by its name; good as long as the module.
lc_status lc_kernel_find(lc_kernel *kernel, lc_module *module, const char *name,
                         lc_message *message);

// Lets launches ask for up to so much shared memory; needed beyond 48 KiB.
lc_status lc_kernel_allow_shared(lc_kernel *kernel, uint32_t shared_bytes, lc_message *message);

// How many blocks of so many threads a multiprocessor holds at a time.
lc_status lc_kernel_occupancy(const lc_kernel *kernel, int threads, size_t shared_bytes,
                              int *blocks, lc_message *message);

typedef struct lc_launch {
    uint32_t grid[3];  // blocks; 0 counts as 1
    uint32_t block[3]; // threads; 0 counts as 1
    uint32_t shared_bytes;
    bool cooperative;
    bool overlapped; // may start while the kernel before still runs, which it waits for by itself
    lc_device_stream *stream;
} lc_launch;

// arguments[i] points to the i-th argument; they are copied before this returns.
lc_status lc_kernel_launch(const lc_kernel *kernel, const lc_launch *launch, void **arguments,
                           lc_message *message);

// Graphs: launches and copies that are queued between the two calls are not run but recorded. ---

lc_status lc_device_capture_begin(lc_device *device, lc_device_stream *stream, lc_message *message);
lc_status lc_device_capture_end(lc_device *device, lc_device_stream *stream, lc_device_graph **out,
                                lc_message *message);
lc_status lc_device_graph_launch(lc_device *device, lc_device_graph *graph,
                                 lc_device_stream *stream, lc_message *message);
void lc_device_graph_destroy(lc_device *device, lc_device_graph **graph);

#endif
