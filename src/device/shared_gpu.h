// A GPU as all lc_devices of one context share it. The GPU is opened once, and each kernel is
// compiled and loaded once. The lc_devices may be used on different threads. Internal to
// src/device.
#ifndef LC_DEVICE_SHARED_GPU_H
#define LC_DEVICE_SHARED_GPU_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context_resources.h"
#include "device/cuda_driver.h"
#include "device/kernel_cache.h"
#include "device/nvrtc.h"

// Modules without users stay loaded for later users. Beyond this number the least recently used
// ones are unloaded.
enum { LC_GPU_IDLE_MODULES_MAX = 32 };

typedef enum lc_module_state {
    LC_MODULE_PENDING, // not yet compiled and loaded
    LC_MODULE_READY,
    LC_MODULE_FAILED,
} lc_module_state;

// A module that at least one request asked for.
typedef struct lc_shared_module {
    struct lc_shared_module *next;
    lc_kernel_key key;
    size_t users;         // this and the next are guarded by the GPU's mutex
    uint64_t released_at; // the GPU's `time` at the last release
    _Atomic(lc_module_state) state;
    pthread_mutex_t mutex; // guards the members below
    CUmodule handle;
    bool was_cached;
    bool threaded; // `thread` was started and not joined yet
    bool compiled; // the compiler has run; `image`, `status` and `message` have its result
    pthread_t thread;
    lc_kernel_image image;
    lc_status status;
    lc_message message;
} lc_shared_module;

typedef struct lc_gpu {
    struct lc_gpu *next; // the next one of the context
    size_t users;        // guarded by the context's mutex
    const lc_cuda *cuda;
    int index;
    CUdevice handle;
    CUcontext context;
    atomic_bool lost;
    pthread_mutex_t mutex; // guards the members below
    lc_message loss;       // the error that caused the loss; constant once `lost` is true
    lc_shared_module *modules;
    uint64_t time; // counts releases of modules
} lc_gpu;

// Returns in *gpu the context's GPU of that index and adds a user, opening the GPU if necessary. On
// error *gpu is NULL, and *call and *result give the failed driver call and its result. *call NULL:
// out of memory.
void lc_gpu_open(lc_gpu **gpu, lc_context *context, const lc_cuda *cuda, int index,
                 CUresult *result, const char **call);
void lc_gpu_close(lc_gpu *gpu, lc_context *context);

// Marks a GPU as lost and records the reason, unless it is lost already. A lost GPU is closed when
// its last user closes it; the next lc_gpu_open then opens it anew.
void lc_gpu_mark_lost(lc_gpu *gpu, const lc_message *why);

// Returns the module of that key and adds a user. *is_new: the module was just created; its mutex
// is locked, and the caller compiles or loads it. NULL: out of memory.
lc_shared_module *lc_gpu_acquire_module(lc_gpu *gpu, const lc_kernel_key *key, bool *is_new);
void lc_gpu_release_module(lc_gpu *gpu, lc_shared_module *module);

#endif
