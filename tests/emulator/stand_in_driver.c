// The driver's plain parts: contexts, memory, streams, events, graphs. What GPUs there are is in
// stand_in_gpus.c, textures in stand_in_texture.c.
//
// A stream is a list of operations, which are done, in order, when somebody waits for it. Any
// failure of a kernel stays, as with a real driver, until nobody uses the GPU any more.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/stand_in.h"

typedef struct operation operation;

typedef struct queue {
    operation *first;
    operation **end;
} queue;

struct CUstream_st {
    struct CUstream_st *next;
    queue work;
    struct CUgraph_st *recording;
};

struct CUgraph_st {
    queue work;
};

struct CUgraphExec_st {
    queue work;
};

struct CUevent_st {
    uint64_t serial; // of the operation that records it; 0: none does
    uint64_t done;   // the last of those that were done
    CUstream stream;
    double when; // milliseconds
};

struct operation {
    operation *next;
    uint64_t serial;
    enum { COPY, FILL, LAUNCH, RECORD, WAIT, AWAIT } kind;
    void *to; // what to change, or the number that is awaited
    const void *from;
    void *staged; // what was at `from` when it was queued
    size_t size_bytes;
    unsigned char value;
    stand_in_launch launch;
    unsigned char argument_bytes[MOST_ARGUMENT_BYTES];
    CUevent event;
    uint64_t until; // what to wait for: an operation, or a number
    CUstream stream;
};

typedef struct registered_range {
    struct registered_range *next;
    const char *start;
    size_t size_bytes;
} registered_range;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int context_depth;
static int retained;
static CUresult sticky;
static char explanation[512];
static struct CUstream_st default_stream;
static CUstream streams = &default_stream;
static registered_range *registered;
static uint64_t last_serial;

EXPORT long fake_context_depth(void)
{
    return context_depth;
}

EXPORT long fake_used_bytes(void)
{
    return (long)stand_in_memory_used();
}

void stand_in_explain(const char *text)
{
    snprintf(explanation, sizeof explanation, "%s", text);
}

static int lock(void)
{
    return pthread_mutex_lock(&mutex);
}

static void unlock(const int *locked)
{
    (void)locked;
    pthread_mutex_unlock(&mutex);
}

// One call at a time, from here to the end of the function.
#define ALONE __attribute__((cleanup(unlock), unused)) const int locked = lock()

// Calls that need a context, and that a lost device no longer answers.
#define IN_CONTEXT                                                                                 \
    PLANNED;                                                                                       \
    ALONE;                                                                                         \
    do {                                                                                           \
        if (context_depth == 0)                                                                    \
            return ERROR_INVALID_CONTEXT;                                                          \
        if (sticky)                                                                                \
            return sticky;                                                                         \
    } while (0)

// ---- work ---------------------------------------------------------------------------------------

static void append(queue *work, operation *one)
{
    if (work->first == NULL)
        work->end = &work->first;
    one->next = NULL;
    *work->end = one;
    work->end = &one->next;
}

static operation *take(queue *work)
{
    operation *one = work->first;
    if (one != NULL)
        work->first = one->next;
    return one;
}

static void drop(operation *one)
{
    free(one->staged);
    free(one);
}

static void drop_all(queue *work)
{
    for (operation *one; (one = take(work)) != NULL;)
        drop(one);
}

static operation *duplicate(const operation *one)
{
    operation *copy = malloc(sizeof *copy);
    *copy = *one;
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) { // the pointers go into the copy
        if (one->launch.arguments[i] != NULL)
            copy->launch.arguments[i] =
                copy->argument_bytes +
                ((unsigned char *)one->launch.arguments[i] - one->argument_bytes);
    }
    return copy;
}

static void perform(operation *one)
{
    switch (one->kind) {
    case COPY:
        memmove(one->to, one->staged != NULL ? one->staged : one->from, one->size_bytes);
        break;
    case FILL:
        memset(one->to, one->value, one->size_bytes);
        break;
    case LAUNCH:
        sticky = stand_in_run(&one->launch);
        break;
    case RECORD:
        one->event->when = stand_in_milliseconds();
        one->event->done = one->serial;
        break;
    default: // it had to come first, and did
        break;
    }
}

static bool work_through(CUstream stream, uint64_t until);

static bool may_begin(const operation *one)
{
    if (sticky)
        return true;
    if (one->kind == WAIT)
        return work_through(one->stream, one->until);
    return one->kind != AWAIT || (int64_t)(*(const uint64_t *)one->to - one->until) >= 0;
}

// Does what was queued up to this operation; false: as far as it could, since one waits for
// something that is not there yet.
static bool work_through(CUstream stream, uint64_t until)
{
    while (stream->work.first != NULL && stream->work.first->serial <= until) {
        if (!may_begin(stream->work.first))
            return false;
        operation *one = take(&stream->work);
        if (!sticky)
            perform(one);
        drop(one);
    }
    return true;
}

static void work_through_all(void)
{
    for (CUstream stream = streams; stream != NULL; stream = stream->next)
        (void)work_through(stream, UINT64_MAX);
}

// Until it is done. What it waits for may be queued on other streams, or be another thread's to
// queue.
static void wait_for(CUstream stream, uint64_t until)
{
    static const int most_ms = 20000;
    for (int ms = 0; !work_through(stream, until); ms++) {
        work_through_all();
        if (work_through(stream, until))
            return;
        if (ms == most_ms) {
            stand_in_explain("nobody writes the number that a stream waits for");
            sticky = CUDA_ERROR_LAUNCH_TIMEOUT;
        }
        pthread_mutex_unlock(&mutex);
        usleep(1000);
        pthread_mutex_lock(&mutex);
    }
}

static CUstream stream_of(CUstream handle)
{
    return handle != NULL ? handle : &default_stream;
}

static void enqueue(CUstream handle, const operation *one)
{
    CUstream stream = stream_of(handle);
    operation *copy = duplicate(one);
    copy->serial = ++last_serial;
    append(stream->recording != NULL ? &stream->recording->work : &stream->work, copy);
}

// ---- the driver and its contexts ----------------------------------------------------------------

CUresult cuInit(unsigned int flags)
{
    PLANNED;
    return flags ? ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    PLANNED;
    *version = 12080;
    return CUDA_SUCCESS;
}

static const struct {
    CUresult code;
    const char *name;
    const char *text;
} errors[] = {
    {ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "too many blocks in cooperative launch"},
    {ERROR_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
};

static CUresult find_text(CUresult error, const char **name, const char **text)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == error) {
            *name = errors[i].name;
            *text = errors[i].text;
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    const char *text;
    return find_text(error, name, &text);
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const char *name;
    CUresult result = find_text(error, &name, text);
    if (error == sticky && *explanation != '\0') // more than a real driver knows
        *text = explanation;
    return result;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    static char of_a_context;
    PLANNED;
    ALONE;
    retained++;
    *context = (CUcontext)(void *)&of_a_context;
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    ALONE;
    if (--retained == 0) { // the next user has a context of its own
        sticky = CUDA_SUCCESS;
        *explanation = '\0';
    }
    return device >= STAND_IN_FIRST_GPU ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    PLANNED;
    context_depth++;
    return context != NULL ? CUDA_SUCCESS : ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    if (context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    context_depth--;
    *context = NULL;
    return CUDA_SUCCESS;
}

// ---- memory -------------------------------------------------------------------------------------

static void *host_address(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static bool on_gpu(CUdeviceptr address, size_t size_bytes)
{
    return stand_in_memory_has(STAND_IN_GPU, host_address(address), size_bytes);
}

static bool is_pinned(const void *address, size_t size_bytes)
{
    for (const registered_range *range = registered; range != NULL; range = range->next)
        if ((uintptr_t)address >= (uintptr_t)range->start &&
            (uintptr_t)address + size_bytes <= (uintptr_t)range->start + range->size_bytes)
            return true;
    return stand_in_memory_has(STAND_IN_PINNED, address, size_bytes);
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *size_bytes)
{
    IN_CONTEXT;
    *free_bytes = stand_in_gpu_bytes() - stand_in_memory_used();
    *size_bytes = stand_in_gpu_bytes();
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size_bytes)
{
    IN_CONTEXT;
    if (size_bytes == 0)
        return ERROR_INVALID_VALUE;
    if (size_bytes > stand_in_gpu_bytes() - stand_in_memory_used())
        return CUDA_ERROR_OUT_OF_MEMORY;
    void *memory = stand_in_memory(STAND_IN_GPU, size_bytes);
    *address = (CUdeviceptr)(uintptr_t)memory;
    return memory != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    ALONE;
    if (context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    work_through_all();
    stand_in_memory_free(host_address(address));
    return sticky;
}

CUresult cuMemHostAlloc(void **address, size_t size_bytes, unsigned int flags)
{
    IN_CONTEXT;
    *address = flags ? NULL : stand_in_memory(STAND_IN_PINNED, size_bytes);
    return *address != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *address)
{
    ALONE;
    work_through_all();
    stand_in_memory_free(address);
    return sticky;
}

CUresult cuMemHostRegister_v2(void *address, size_t size_bytes, unsigned int flags)
{
    IN_CONTEXT;
    if (address == NULL || size_bytes == 0 || flags)
        return ERROR_INVALID_VALUE;
    registered_range *range = malloc(sizeof *range);
    *range = (registered_range){.next = registered, .start = address, .size_bytes = size_bytes};
    registered = range;
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *address)
{
    IN_CONTEXT;
    work_through_all();
    for (registered_range **at = &registered; *at != NULL; at = &(*at)->next) {
        registered_range *range = *at;
        if (range->start == address) {
            *at = range->next;
            free(range);
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    if (!on_gpu(to, size_bytes))
        return ERROR_INVALID_VALUE;
    operation copy = {.kind = COPY, .to = host_address(to), .from = from, .size_bytes = size_bytes};
    if (stream_of(stream)->recording == NULL && !is_pinned(from, size_bytes)) {
        copy.staged = malloc(size_bytes); // the caller may use such memory again at once
        memcpy(copy.staged, from, size_bytes);
    }
    enqueue(stream, &copy);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    if (!on_gpu(from, size_bytes))
        return ERROR_INVALID_VALUE;
    operation copy = {.kind = COPY, .to = to, .from = host_address(from), .size_bytes = size_bytes};
    enqueue(stream, &copy);
    if (stream_of(stream)->recording == NULL && !is_pinned(to, size_bytes))
        wait_for(stream_of(stream), UINT64_MAX); // such a copy is over when the call is
    return sticky;
}

static CUresult copy_on_gpus(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    if (!on_gpu(to, size_bytes) || !on_gpu(from, size_bytes))
        return ERROR_INVALID_VALUE;
    operation copy = {
        .kind = COPY, .to = host_address(to), .from = host_address(from), .size_bytes = size_bytes};
    enqueue(stream, &copy);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    return copy_on_gpus(to, from, size_bytes, stream);
}

// All GPUs share the host's memory here, and one context.
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext of_to, CUdeviceptr from, CUcontext of_from,
                           size_t size_bytes, CUstream stream)
{
    IN_CONTEXT;
    if (of_to == NULL || of_from == NULL)
        return ERROR_INVALID_CONTEXT;
    return copy_on_gpus(to, from, size_bytes, stream);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    static bool enabled;
    IN_CONTEXT;
    if (peer == NULL || flags != 0)
        return ERROR_INVALID_VALUE;
    if (enabled)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    enabled = true;
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    IN_CONTEXT;
    if (!on_gpu(to, count))
        return ERROR_INVALID_VALUE;
    operation fill = {.kind = FILL, .to = host_address(to), .value = value, .size_bytes = count};
    enqueue(stream, &fill);
    return CUDA_SUCCESS;
}

// ---- modules and kernels ------------------------------------------------------------------------

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int option_count,
                            CUjit_option *options, void **values)
{
    IN_CONTEXT;
    char *log = NULL;
    size_t log_bytes = 0;
    for (unsigned int i = 0; i < option_count; i++)
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
            log = values[i];
        else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            log_bytes = (size_t)(uintptr_t)values[i];
    return stand_in_load(module, image, log, log_bytes);
}

CUresult cuModuleUnload(CUmodule module)
{
    ALONE;
    work_through_all();
    stand_in_unload(module);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    IN_CONTEXT;
    return stand_in_find(function, module, name);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    IN_CONTEXT;
    return stand_in_function_attribute(value, attribute, function);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    IN_CONTEXT;
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
               ? stand_in_allow_shared(function, value)
               : ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t shared_bytes)
{
    IN_CONTEXT;
    return stand_in_occupancy(blocks, function, threads, shared_bytes);
}

static CUresult launch(stand_in_launch *wanted, CUstream stream, void **arguments)
{
    CUresult result = stand_in_check(wanted);
    if (result)
        return result;
    operation one = {.kind = LAUNCH, .launch = *wanted};
    const unsigned int *size_bytes;
    unsigned int count = stand_in_arguments(wanted->function, &size_bytes);
    size_t used = 0;
    for (unsigned int i = 0; i < count; i++) {
        if (i >= MOST_ARGUMENTS || used + size_bytes[i] > sizeof one.argument_bytes)
            return ERROR_INVALID_VALUE;
        one.launch.arguments[i] = one.argument_bytes + used;
        memcpy(one.launch.arguments[i], arguments[i], size_bytes[i]);
        used += (size_bytes[i] + 15) / 16 * 16;
    }
    enqueue(stream, &one);
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra)
{
    IN_CONTEXT;
    if (extra != NULL)
        return ERROR_INVALID_VALUE;
    stand_in_launch wanted = {.function = function,
                              .grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .shared_bytes = shared_bytes};
    return launch(&wanted, stream, arguments);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra)
{
    IN_CONTEXT;
    if (extra != NULL)
        return ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
            return ERROR_INVALID_VALUE;
    stand_in_launch wanted = {.function = function,
                              .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                              .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                              .shared_bytes = config->sharedMemBytes};
    return launch(&wanted, config->hStream, arguments);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments)
{
    IN_CONTEXT;
    stand_in_launch wanted = {.function = function,
                              .grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .shared_bytes = shared_bytes,
                              .cooperative = true};
    return launch(&wanted, stream, arguments);
}

// ---- streams and events -------------------------------------------------------------------------

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    IN_CONTEXT;
    *stream = calloc(1, sizeof **stream);
    (*stream)->next = streams;
    streams = *stream;
    return flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    ALONE;
    work_through_all(); // others may wait for this one
    for (CUstream *at = &streams; *at != NULL; at = &(*at)->next) {
        if (*at == stream) {
            *at = stream->next;
            free(stream);
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    CUresult failure = stand_in_planned(__func__);
    ALONE;
    if (failure)
        sticky = failure;
    if (context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    if (stream_of(stream)->recording != NULL)
        return ERROR_CAPTURE_UNSUPPORTED;
    wait_for(stream_of(stream), UINT64_MAX);
    return sticky;
}

CUresult cuStreamQuery(CUstream stream)
{
    CUresult failure = stand_in_planned(__func__);
    ALONE;
    if (failure)
        sticky = failure;
    if (context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    work_through_all(); // a GPU does not need to be asked
    const bool done = work_through(stream_of(stream), UINT64_MAX);
    return sticky ? sticky : done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                unsigned int flags)
{
    IN_CONTEXT;
    if (!on_gpu(address, sizeof value) || address % sizeof value != 0 ||
        flags != CU_STREAM_WAIT_VALUE_GEQ)
        return ERROR_INVALID_VALUE;
    if (stream_of(stream)->recording != NULL)
        return ERROR_CAPTURE_UNSUPPORTED;
    operation await = {.kind = AWAIT, .to = host_address(address), .until = value};
    enqueue(stream, &await);
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    IN_CONTEXT;
    if (event == NULL || flags != 0)
        return ERROR_INVALID_VALUE;
    if (stream_of(stream)->recording != NULL)
        return ERROR_CAPTURE_UNSUPPORTED;
    if (event->serial > event->done && event->stream != stream_of(stream)) {
        operation wait = {.kind = WAIT, .stream = event->stream, .until = event->serial};
        enqueue(stream, &wait);
    }
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    IN_CONTEXT;
    *event = calloc(1, sizeof **event);
    return flags == CU_EVENT_DEFAULT ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    ALONE;
    work_through_all();
    free(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    IN_CONTEXT;
    if (stream_of(stream)->recording != NULL)
        return ERROR_CAPTURE_UNSUPPORTED;
    operation record = {.kind = RECORD, .event = event};
    enqueue(stream, &record);
    event->serial = last_serial;
    event->stream = stream_of(stream);
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    IN_CONTEXT;
    if (event->serial == 0)
        return ERROR_INVALID_VALUE;
    if (event->done < event->serial)
        wait_for(event->stream, event->serial);
    return sticky;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    IN_CONTEXT;
    if (start->serial == 0 || end->serial == 0)
        return ERROR_INVALID_VALUE;
    if (start->done < start->serial || end->done < end->serial)
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)(end->when - start->when);
    return CUDA_SUCCESS;
}

// ---- graphs -------------------------------------------------------------------------------------

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    IN_CONTEXT;
    if (stream == NULL || stream->recording != NULL)
        return ERROR_CAPTURE_UNSUPPORTED;
    stream->recording = calloc(1, sizeof *stream->recording);
    return mode == CU_STREAM_CAPTURE_MODE_RELAXED ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    IN_CONTEXT;
    *graph = stream->recording;
    stream->recording = NULL;
    return *graph != NULL ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags)
{
    IN_CONTEXT;
    *executable = calloc(1, sizeof **executable);
    for (const operation *one = graph->work.first; one != NULL; one = one->next)
        append(&(*executable)->work, duplicate(one));
    return flags == 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    ALONE;
    drop_all(&graph->work);
    free(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable)
{
    ALONE;
    drop_all(&executable->work);
    free(executable);
    return CUDA_SUCCESS;
}

#ifndef FAKE_IS_OLD
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream)
{
    IN_CONTEXT;
    for (const operation *one = executable->work.first; one != NULL; one = one->next)
        enqueue(stream, one);
    return CUDA_SUCCESS;
}
#endif
