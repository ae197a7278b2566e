// What the users of one GPU in one context share: it is opened once, and its kernels are compiled
// and loaded once. Each user has a lc_device of its own, and each of those may be on a thread of
// its own. Seen by the files behind gpu_device.h only.
#ifndef LC_DEVICE_SHARED_GPU_H
#define LC_DEVICE_SHARED_GPU_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/context_resources.h"
#include "device/cuda_driver.h"
#include "device/kernel_cache.h"
#include "device/nvrtc.h"

// Loaded modules that nobody uses are kept, since who made them may want them again; beyond so many
// those unused for longest go.
enum { LC_GPU_IDLE_MODULES_MAX = 32 };

typedef enum lc_module_state {
    LC_MODULE_MAKING, // it is to be compiled, is being compiled, or its image is to be loaded
    LC_MODULE_READY,
    LC_MODULE_FAILED,
} lc_module_state;

// A module, from the moment that somebody wants it.
typedef struct lc_shared_module {
    struct lc_shared_module *next;
    lc_kernel_key key;
    size_t users;   // these two are guarded by the GPU's mutex
    uint64_t given; // the GPU's `time` when the last user gave it back
    _Atomic(lc_module_state) state;
    pthread_mutex_t mutex; // of what follows
    CUmodule handle;
    bool was_cached;
    bool threaded; // `thread` compiles, and is to be joined
    bool compiled; // what follows is what came of it
    pthread_t thread;
    lc_kernel_image image;
    lc_status status;
    lc_message message;
} lc_shared_module;

typedef struct lc_gpu {
    struct lc_gpu *next; // of the context's
    size_t users;        // guarded by the context's mutex
    const lc_cuda *cuda;
    int index;
    CUdevice handle;
    CUcontext context;
    atomic_bool lost;
    pthread_mutex_t mutex; // of what follows
    lc_message loss;       // the error that lost it; stays as it is once `lost` is true
    lc_shared_module *modules;
    uint64_t time; // counts what is given back
} lc_gpu;

// The GPU of that index in a context, opened if it is not yet: *gpu is NULL if that fails, and
// *result and *call say how; *call NULL: there is no memory.
void lc_gpu_open(lc_gpu **gpu, lc_context *context, const lc_cuda *cuda, int index,
                 CUresult *result, const char **call);
void lc_gpu_close(lc_gpu *gpu, lc_context *context);

// Remembers why a GPU is lost, unless it is already. Once its last user is gone it is closed, and
// whoever opens it then may find it well again.
void lc_gpu_lose(lc_gpu *gpu, const lc_message *why);

// The module of that key, which becomes the caller's to use. *is_new: nobody had it; then its mutex
// is locked, and the caller sees to it that it is made. NULL: there is no memory.
lc_shared_module *lc_gpu_take_module(lc_gpu *gpu, const lc_kernel_key *key, bool *is_new);
void lc_gpu_give_module(lc_gpu *gpu, lc_shared_module *module);

#endif
