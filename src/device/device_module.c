// Kernels: modules from source text through the disk cache, launches, graphs.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/device_state.h"
#include "device/gpu_device.h"
#include "device/kernel_cache.h"

struct lc_module {
    lc_device *device;
    lc_shared_module *shared;
};

// Modules --------------------------------------------------------------------------------------

// Computes the cache key from everything that the image depends on.
static lc_status find_key(const lc_device *device, const lc_kernel_source *source,
                          const lc_nvrtc_target *target, lc_kernel_key *key, lc_message *message)
{
    char version[32];
    size_t count = 0;
    size_t texts = 0;
    while (source->texts[texts].name != NULL)
        texts++;
    const char **parts = lc_calloc(4 + source->option_count + 2 * texts, sizeof *parts);
    if (parts == NULL)
        return lc_fail_memory(message, "the key of %s", source->name);
    (void)snprintf(version, sizeof version, "NVRTC %d, %zu options", device->nvrtc->version,
                   source->option_count);
    parts[count++] = version;
    parts[count++] = target->name;
    parts[count++] = source->name;
    for (size_t i = 0; i < source->option_count; i++)
        parts[count++] = source->options[i];
    for (size_t i = 0; i < texts; i++) {
        parts[count++] = source->texts[i].name;
        parts[count++] = source->texts[i].text;
    }
    *key = lc_kernel_key_of(parts, count);
    lc_free(parts);
    return LC_OK;
}

// Loads an image. The driver compiles PTX; its first complaint becomes part of the message.
static lc_status load_image(lc_device *device, lc_shared_module *module,
                            const lc_kernel_source *source, const void *image, lc_message *message)
{
    char log[256] = "";
    char subject[sizeof log + 128];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(sizeof log - 1)};
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    CUresult result = device->cuda->cuModuleLoadDataEx(&module->handle, image, 2, options, values);
    log[strcspn(log, "\n")] = '\0'; // keep the first line
    (void)snprintf(subject, sizeof subject, " of %s%s%s%s", source->name, *log ? " (" : "", log,
                   *log ? ")" : "");
    return lc_device_leave(device,
                           lc_device_check(device, result, "cuModuleLoadDataEx", subject, message));
}

// Loads a module from the disk cache. Returns false if there is no entry or the driver rejects it;
// an entry may have been compiled for another driver version. The caller then compiles the module
// and replaces the entry. Any other fault shows again in that load.
static bool load_cached(lc_device *device, lc_shared_module *module, const lc_kernel_source *source)
{
    void *image;
    size_t size_bytes;
    if (!lc_kernel_cache_read(lc_context_cache_folder(device->context), &module->key, &image,
                              &size_bytes))
        return false;
    lc_status status = load_image(device, module, source, image, NULL);
    lc_free(image);
    return status == LC_OK;
}

// A pending request for a module. The first request for a key starts a thread that compiles it. The
// first caller of end_work that needs the module waits for that thread. It may be another user on
// another thread.
struct lc_module_work {
    lc_module *module;
    const lc_kernel_source *source;
    lc_nvrtc_target target;
    bool compiles; // this request's thread compiles and reads `source`
};

static void *compile(void *context)
{
    lc_module_work *work = context;
    lc_shared_module *shared = work->module->shared;
    shared->status = lc_nvrtc_compile(work->module->device->nvrtc, work->source, &work->target,
                                      &shared->image, &shared->message);
    return NULL;
}

// Loads a new module from the disk cache. If that fails and `now` is set, starts a thread that
// compiles it. Unlocks the module's mutex.
static void start_module(lc_module_work *work, bool now)
{
    lc_shared_module *shared = work->module->shared;
    shared->was_cached = load_cached(work->module->device, shared, work->source);
    if (shared->was_cached)
        atomic_store(&shared->state, LC_MODULE_READY);
    else if (now) // if no thread starts, complete_module compiles
        shared->threaded = pthread_create(&shared->thread, NULL, compile, work) == 0;
    work->compiles = shared->threaded;
    (void)pthread_mutex_unlock(&shared->mutex);
}

// Creates a request. `now`: starts compiling at once, as lc_module_begin does; otherwise
// lc_module_create compiles in complete_module.
static lc_status create_work(lc_module_work **out, lc_device *device,
                             const lc_kernel_source *source, bool now, lc_message *message)
{
    bool is_new;
    lc_kernel_key key;
    *out = NULL;
    lc_module_work *work = lc_calloc(1, sizeof *work);
    lc_module *module = lc_calloc(1, sizeof *module);
    lc_status status = LC_OK;
    if (work == NULL || module == NULL)
        status = LC_ERROR_MEMORY;
    if (status == LC_OK)
        status =
            lc_nvrtc_find_target(device->nvrtc, device->facts.architecture, &work->target, message);
    if (status == LC_OK)
        status = find_key(device, source, &work->target, &key, message);
    if (status == LC_OK) {
        *module = (lc_module){device, lc_gpu_acquire_module(device->gpu, &key, &is_new)};
        status = module->shared != NULL ? LC_OK : LC_ERROR_MEMORY;
    }
    if (status != LC_OK) {
        lc_free(module);
        lc_free(work);
        return status != LC_ERROR_MEMORY
                   ? status
                   : lc_fail_memory(message, "the module of %s", source->name);
    }
    work->module = module;
    work->source = source;
    if (is_new)
        start_module(work, now);
    *out = work;
    return LC_OK;
}

// Waits for the compiling thread, if there is one. The caller holds the module's mutex.
static void join_compiler(lc_shared_module *shared)
{
    if (shared->threaded)
        (void)pthread_join(shared->thread, NULL);
    shared->compiled |= shared->threaded;
    shared->threaded = false;
}

// Compiles the module if it is not compiled yet, loads it and writes it to the disk cache. The
// caller holds the module's mutex.
static void complete_module(lc_module_work *work)
{
    lc_shared_module *shared = work->module->shared;
    join_compiler(shared);
    if (!shared->compiled)
        (void)compile(work);
    shared->compiled = true;
    if (shared->status == LC_OK)
        shared->status = load_image(work->module->device, shared, work->source, shared->image.bytes,
                                    &shared->message);
    if (shared->status == LC_OK)
        (void)lc_kernel_cache_write(lc_context_cache_folder(work->module->device->context),
                                    &shared->key, shared->image.bytes, shared->image.size_bytes);
    atomic_store(&shared->state, shared->status == LC_OK ? LC_MODULE_READY : LC_MODULE_FAILED);
}

// Completes or cancels (`out` NULL) a request. `log`: see lc_module_create.
static lc_status end_work(lc_module **out, lc_module_work **work_, char **log, lc_message *message)
{
    lc_module_work *work = *work_;
    lc_module *module = work->module;
    lc_shared_module *shared = module->shared;
    lc_status status = LC_OK;
    *work_ = NULL;
    (void)pthread_mutex_lock(&shared->mutex);
    if (atomic_load(&shared->state) == LC_MODULE_PENDING && out != NULL)
        complete_module(work);
    else if (work->compiles) // the thread reads the caller's source, which is valid only until now
        join_compiler(shared);
    status = out != NULL ? shared->status : LC_OK;
    if (status != LC_OK && message != NULL)
        *message = shared->message;
    if (log != NULL) {
        *log = shared->image.log;
        shared->image.log = NULL;
    }
    if (atomic_load(&shared->state) != LC_MODULE_PENDING)
        lc_kernel_image_free(&shared->image);
    (void)pthread_mutex_unlock(&shared->mutex);
    lc_free(work);
    if (out != NULL && status == LC_OK)
        *out = module;
    else
        lc_module_destroy(&module);
    return status;
}

lc_status lc_module_begin(lc_module_work **work, lc_device *device, const lc_kernel_source *source,
                          lc_message *message)
{
    return create_work(work, device, source, true, message);
}

lc_status lc_module_end(lc_module **out, lc_module_work **work, lc_message *message)
{
    return *work != NULL ? end_work(out, work, NULL, message) : LC_OK;
}

lc_status lc_module_create(lc_module **out, lc_device *device, const lc_kernel_source *source,
                           char **log, lc_message *message)
{
    lc_module_work *work;
    if (log != NULL)
        *log = NULL;
    lc_status status = create_work(&work, device, source, false, message);
    return status != LC_OK ? status : end_work(out, &work, log, message);
}

void lc_module_destroy(lc_module **module)
{
    if (*module == NULL)
        return;
    lc_gpu_release_module((*module)->device->gpu, (*module)->shared);
    lc_free(*module);
    *module = NULL;
}

bool lc_module_was_cached(const lc_module *module)
{
    return module->shared->was_cached;
}

// Kernels --------------------------------------------------------------------------------------

#define SUBJECT_BYTES 80

static const char *of_kernel(const char *name, char subject[SUBJECT_BYTES])
{
    (void)snprintf(subject, SUBJECT_BYTES, " of %s", name);
    return subject;
}

lc_status lc_kernel_find(lc_kernel *kernel, lc_module *module, const char *name,
                         lc_message *message)
{
    lc_device *device = module->device;
    char subject[SUBJECT_BYTES];
    *kernel = (lc_kernel){.device = device};
    (void)snprintf(kernel->name, sizeof kernel->name, "%s", name);
    const struct {
        CUfunction_attribute attribute;
        int *value;
    } facts[] = {
        {CU_FUNC_ATTRIBUTE_NUM_REGS, &kernel->registers},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &kernel->local_bytes},
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &kernel->shared_bytes},
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &kernel->threads_max},
    };
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    status = lc_device_check(
        device, device->cuda->cuModuleGetFunction(&kernel->function, module->shared->handle, name),
        "cuModuleGetFunction", of_kernel(name, subject), message);
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == LC_OK; i++)
        status = lc_device_check(
            device,
            device->cuda->cuFuncGetAttribute(facts[i].value, facts[i].attribute, kernel->function),
            "cuFuncGetAttribute", of_kernel(name, subject), message);
    return lc_device_leave(device, status);
}

lc_status lc_kernel_allow_shared(lc_kernel *kernel, uint32_t shared_bytes, lc_message *message)
{
    lc_device *device = kernel->device;
    char subject[SUBJECT_BYTES];
    LC_RETURN_CALL(device, of_kernel(kernel->name, subject), message, cuFuncSetAttribute,
                   kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                   (int)shared_bytes);
}

lc_status lc_kernel_occupancy(const lc_kernel *kernel, int threads, size_t shared_bytes,
                              int *blocks, lc_message *message)
{
    lc_device *device = kernel->device;
    char subject[SUBJECT_BYTES];
    LC_RETURN_CALL(device, of_kernel(kernel->name, subject), message,
                   cuOccupancyMaxActiveBlocksPerMultiprocessor, blocks, kernel->function, threads,
                   shared_bytes);
}

static uint32_t at_least_one(uint32_t count)
{
    return count ? count : 1;
}

// Launches through the driver function that supports the launch's options; *call: its name.
static CUresult launch_kernel(const lc_cuda *cuda, CUfunction function, const lc_launch *launch,
                              void **arguments, const char **call)
{
    CUlaunchAttribute overlap = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                 .value = {.programmaticStreamSerializationAllowed = 1}};
    const CUlaunchConfig config = {
        .gridDimX = at_least_one(launch->grid[0]),
        .gridDimY = at_least_one(launch->grid[1]),
        .gridDimZ = at_least_one(launch->grid[2]),
        .blockDimX = at_least_one(launch->block[0]),
        .blockDimY = at_least_one(launch->block[1]),
        .blockDimZ = at_least_one(launch->block[2]),
        .sharedMemBytes = launch->shared_bytes,
        .hStream = launch->stream,
        .attrs = &overlap,
        .numAttrs = 1,
    };
    if (launch->overlapped) {
        *call = "cuLaunchKernelEx";
        return cuda->cuLaunchKernelEx(&config, function, arguments, NULL);
    }
    if (launch->cooperative) {
        *call = "cuLaunchCooperativeKernel";
        return cuda->cuLaunchCooperativeKernel(
            function, config.gridDimX, config.gridDimY, config.gridDimZ, config.blockDimX,
            config.blockDimY, config.blockDimZ, config.sharedMemBytes, config.hStream, arguments);
    }
    *call = "cuLaunchKernel";
    return cuda->cuLaunchKernel(function, config.gridDimX, config.gridDimY, config.gridDimZ,
                                config.blockDimX, config.blockDimY, config.blockDimZ,
                                config.sharedMemBytes, config.hStream, arguments, NULL);
}

lc_status lc_kernel_launch(const lc_kernel *kernel, const lc_launch *launch, void **arguments,
                           lc_message *message)
{
    lc_device *device = kernel->device;
    const char *call;
    char subject[SUBJECT_BYTES];
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    const CUresult result = launch_kernel(device->cuda, kernel->function, launch, arguments, &call);
    memcpy(device->last_kernel, kernel->name, sizeof device->last_kernel);
    if (result == CUDA_SUCCESS) // skips formatting the subject
        return lc_device_leave(device, LC_OK);
    return lc_device_leave(
        device, lc_device_check(device, result, call, of_kernel(kernel->name, subject), message));
}

// Graphs ---------------------------------------------------------------------------------------

lc_status lc_device_capture_begin(lc_device *device, lc_device_stream *stream, lc_message *message)
{
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    // Relaxed: other threads of the program may call CUDA during the capture.
    return lc_device_leave(device, lc_device_check(device,
                                                   device->cuda->cuStreamBeginCapture(
                                                       stream, CU_STREAM_CAPTURE_MODE_RELAXED),
                                                   "cuStreamBeginCapture", "", message));
}

lc_status lc_device_capture_end(lc_device *device, lc_device_stream *stream, lc_device_graph **out,
                                lc_message *message)
{
    CUgraph graph = NULL;
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    status = lc_device_check(device, device->cuda->cuStreamEndCapture(stream, &graph),
                             "cuStreamEndCapture", "", message);
    if (status == LC_OK) {
        status = lc_device_check(device, device->cuda->cuGraphInstantiateWithFlags(out, graph, 0),
                                 "cuGraphInstantiateWithFlags", "", message);
        (void)device->cuda->cuGraphDestroy(graph);
    }
    return lc_device_leave(device, status);
}

lc_status lc_device_graph_launch(lc_device *device, lc_device_graph *graph,
                                 lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuGraphLaunch, graph, stream);
}

void lc_device_graph_destroy(lc_device *device, lc_device_graph **graph)
{
    if (*graph != NULL && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuGraphExecDestroy(*graph);
        lc_device_leave(device, LC_OK);
    }
    *graph = NULL;
}
