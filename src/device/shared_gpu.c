// Shares GPUs and loaded modules between the devices of a context.
#include "device/shared_gpu.h"

#include "base/memory.h"

struct lc_devices {
    lc_gpu *first;
};

// Modules --------------------------------------------------------------------------------------

static lc_shared_module *find_module(const lc_gpu *gpu, const lc_kernel_key *key)
{
    lc_shared_module *m = gpu->modules;
    while (m != NULL && (m->key.high != key->high || m->key.low != key->low ||
                         atomic_load(&m->state) == LC_MODULE_FAILED))
        m = m->next;
    return m;
}

lc_shared_module *lc_gpu_acquire_module(lc_gpu *gpu, const lc_kernel_key *key, bool *is_new)
{
    (void)pthread_mutex_lock(&gpu->mutex);
    lc_shared_module *m = find_module(gpu, key);
    *is_new = m == NULL;
    if (m == NULL)
        m = lc_calloc(1, sizeof *m);
    if (m != NULL && *is_new) {
        m->key = *key;
        atomic_init(&m->state, LC_MODULE_PENDING);
        (void)pthread_mutex_init(&m->mutex, NULL);
        (void)pthread_mutex_lock(&m->mutex);
        m->next = gpu->modules;
        gpu->modules = m;
    }
    if (m != NULL)
        m->users++;
    (void)pthread_mutex_unlock(&gpu->mutex);
    return m;
}

// Frees the module, on a lost GPU too: its host memory still has to be freed.
static void free_module(const lc_gpu *gpu, lc_shared_module *m)
{
    CUcontext popped;
    if (m->handle != NULL && gpu->cuda->cuCtxPushCurrent(gpu->context) == CUDA_SUCCESS) {
        (void)gpu->cuda->cuModuleUnload(m->handle);
        (void)gpu->cuda->cuCtxPopCurrent(&popped);
    }
    lc_kernel_image_free(&m->image);
    (void)pthread_mutex_destroy(&m->mutex);
    lc_free(m);
}

static void remove_module(lc_gpu *gpu, lc_shared_module *m)
{
    lc_shared_module **at = &gpu->modules;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    free_module(gpu, m);
}

// Unloads the least recently used module if more than LC_GPU_IDLE_MODULES_MAX have no users.
static void remove_oldest(lc_gpu *gpu)
{
    size_t idle = 0;
    lc_shared_module *oldest = NULL;
    for (lc_shared_module *m = gpu->modules; m != NULL; m = m->next) {
        if (m->users > 0)
            continue;
        idle++;
        if (oldest == NULL || m->released_at < oldest->released_at)
            oldest = m;
    }
    if (idle > LC_GPU_IDLE_MODULES_MAX)
        remove_module(gpu, oldest);
}

void lc_gpu_release_module(lc_gpu *gpu, lc_shared_module *m)
{
    (void)pthread_mutex_lock(&gpu->mutex);
    m->released_at = ++gpu->time;
    m->users--;
    if (m->users == 0 && atomic_load(&m->state) != LC_MODULE_READY)
        remove_module(gpu, m);
    else if (m->users == 0)
        remove_oldest(gpu);
    (void)pthread_mutex_unlock(&gpu->mutex);
}

// GPUs -------------------------------------------------------------------------------------------

static void free_gpu(lc_gpu *gpu)
{
    while (gpu->modules != NULL)
        remove_module(gpu, gpu->modules);
    (void)gpu->cuda->cuDevicePrimaryCtxRelease(gpu->handle);
    (void)pthread_mutex_destroy(&gpu->mutex);
    lc_free(gpu);
}

static void free_devices(lc_devices *devices)
{
    while (devices->first != NULL) {
        lc_gpu *gpu = devices->first;
        devices->first = gpu->next;
        free_gpu(gpu);
    }
    lc_free(devices);
}

static lc_gpu *create_gpu(const lc_cuda *cuda, int index, CUresult *result, const char **call)
{
    lc_gpu *gpu = lc_calloc(1, sizeof *gpu);
    if (gpu == NULL)
        return NULL;
    gpu->cuda = cuda;
    gpu->index = index;
    *call = "cuDeviceGet";
    *result = cuda->cuDeviceGet(&gpu->handle, index);
    if (*result == CUDA_SUCCESS) {
        *call = "cuDevicePrimaryCtxRetain";
        *result = cuda->cuDevicePrimaryCtxRetain(&gpu->context, gpu->handle);
    }
    if (*result != CUDA_SUCCESS) {
        lc_free(gpu);
        return NULL;
    }
    atomic_init(&gpu->lost, false);
    (void)pthread_mutex_init(&gpu->mutex, NULL);
    return gpu;
}

// The caller holds the context's mutex.
static lc_gpu *find_gpu(lc_context *context, const lc_cuda *cuda, int index, CUresult *result,
                        const char **call)
{
    if (context->devices == NULL) {
        context->devices = lc_calloc(1, sizeof *context->devices);
        context->free_devices = free_devices;
    }
    *call = NULL;
    if (context->devices == NULL)
        return NULL;
    lc_gpu *gpu = context->devices->first;
    while (gpu != NULL && gpu->index != index)
        gpu = gpu->next;
    if (gpu != NULL)
        return gpu;
    gpu = create_gpu(cuda, index, result, call);
    if (gpu != NULL) {
        gpu->next = context->devices->first;
        context->devices->first = gpu;
    }
    return gpu;
}

void lc_gpu_open(lc_gpu **gpu, lc_context *context, const lc_cuda *cuda, int index,
                 CUresult *result, const char **call)
{
    (void)pthread_mutex_lock(&context->mutex);
    *gpu = find_gpu(context, cuda, index, result, call);
    if (*gpu != NULL)
        (*gpu)->users++;
    (void)pthread_mutex_unlock(&context->mutex);
}

void lc_gpu_close(lc_gpu *gpu, lc_context *context)
{
    (void)pthread_mutex_lock(&context->mutex);
    gpu->users--;
    if (gpu->users == 0 && atomic_load(&gpu->lost)) {
        lc_gpu **at = &context->devices->first;
        while (*at != gpu)
            at = &(*at)->next;
        *at = gpu->next;
        free_gpu(gpu);
    }
    (void)pthread_mutex_unlock(&context->mutex);
}

void lc_gpu_mark_lost(lc_gpu *gpu, const lc_message *why)
{
    (void)pthread_mutex_lock(&gpu->mutex);
    if (!atomic_load(&gpu->lost)) {
        gpu->loss = *why;
        atomic_store(&gpu->lost, true);
    }
    (void)pthread_mutex_unlock(&gpu->mutex);
}
