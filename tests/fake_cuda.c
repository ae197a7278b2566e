// A CUDA driver and an NVRTC for tests on machines without a GPU, in one shared library:
// $LIGHTCONE_CUDA and $LIGHTCONE_NVRTC point to it. "Device memory" is memory; the only kernel is
// `scale`, run on the spot. An "image" is the text FAKE, the target and the kernel's text.
//
//     FAKE_FAIL=cuLaunchKernel=719      this call fails with this code; with "@2" only the second time
//     FAKE_ARCHITECTURE=61              compute capability (90)
//     FAKE_GPUS=0                       how many there are (1)
//     FAKE_NVRTC=12080                  version of NVRTC (12080)
//
// Compiled with FAKE_IS_OLD it lacks a function of each library.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda_driver.h"
#include "device/nvrtc.h"
#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))
#define DECLARE(name, version, parameters) EXPORT CUresult name##version parameters;
LC_CUDA_SYMBOLS(DECLARE)
#undef DECLARE
#define DECLARE(name, parameters) EXPORT nvrtcResult name parameters;
LC_NVRTC_SYMBOLS(DECLARE)
#undef DECLARE
EXPORT const char *nvrtcGetErrorString(nvrtcResult result);

enum {
    ERROR_INVALID_VALUE = 1,
    ERROR_INVALID_CONTEXT = 201,
    ERROR_NOT_FOUND = 500,
    TOTAL_BYTES = 64 << 20,
    MOST_RECORDED = 8,
};

static int context_depth;
static int compilations;
static size_t used_bytes;
static CUresult sticky;

EXPORT long fake_context_depth(void)
{
    return context_depth;
}

EXPORT long fake_compilations(void)
{
    return compilations;
}

EXPORT long fake_used_bytes(void)
{
    return (long)used_bytes;
}

// What the environment wants of a call: 0, or the code to fail with.
static unsigned int planned(const char *call)
{
    static char counted[64];
    static int times;
    const char *plan = getenv("FAKE_FAIL");
    size_t length = strlen(call);
    if (plan == NULL || strncmp(plan, call, length) != 0 || plan[length] != '=')
        return 0;
    if (strcmp(counted, plan) != 0) {
        snprintf(counted, sizeof counted, "%s", plan);
        times = 0;
    }
    ++times;
    const char *which = strchr(plan, '@');
    return which == NULL || atoi(which + 1) == times ? (unsigned int)atoi(plan + length + 1) : 0;
}

static int number(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : otherwise;
}

#define PLANNED                                                                                    \
    do {                                                                                           \
        CUresult plan = planned(__func__);                                                         \
        if (plan)                                                                                  \
            return plan;                                                                           \
    } while (0)

// Calls that need a context, and that a lost device no longer answers.
#define IN_CONTEXT                                                                                 \
    do {                                                                                           \
        PLANNED;                                                                                   \
        if (context_depth == 0)                                                                    \
            return ERROR_INVALID_CONTEXT;                                                          \
        if (sticky)                                                                                \
            return sticky;                                                                         \
    } while (0)

// ---- the driver ---------------------------------------------------------------------------------

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
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

CUresult cuGetErrorName(CUresult error, const char **name)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
        if (errors[i].code == error) {
            *name = errors[i].name;
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
        if (errors[i].code == error) {
            *text = errors[i].text;
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count)
{
    PLANNED;
    *count = number("FAKE_GPUS", 1);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int index)
{
    PLANNED;
    *device = 40 + index;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size_bytes, CUdevice device)
{
    PLANNED;
    snprintf(name, (size_t)size_bytes, "Fake %d", device);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *size_bytes, CUdevice device)
{
    PLANNED;
    *size_bytes = TOTAL_BYTES;
    return device >= 40 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    PLANNED;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = number("FAKE_ARCHITECTURE", 90) / 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = number("FAKE_ARCHITECTURE", 90) % 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
        *value = number("FAKE_COMPUTE_MODE", 0);
        break;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
        *value = 1;
        break;
    default: // each its own number, so that a mix-up shows
        *value = 1000 + (int)attribute;
    }
    return device >= 40 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    static char of_a_context;
    PLANNED;
    *context = (CUcontext)(void *)&of_a_context;
    return device >= 40 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return device >= 40 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    PLANNED;
    ++context_depth;
    return context != NULL ? CUDA_SUCCESS : ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    if (context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    --context_depth;
    *context = NULL;
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    IN_CONTEXT;
    *free_bytes = TOTAL_BYTES - used_bytes;
    *total_bytes = TOTAL_BYTES;
    return CUDA_SUCCESS;
}

// Each block knows its size, so that what is given back can be counted.
enum { BLOCK_HEAD_BYTES = 64 };

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size_bytes)
{
    IN_CONTEXT;
    if (size_bytes == 0)
        return ERROR_INVALID_VALUE;
    if (size_bytes > TOTAL_BYTES - used_bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    char *block = malloc(BLOCK_HEAD_BYTES + size_bytes);
    memcpy(block, &size_bytes, sizeof size_bytes);
    used_bytes += size_bytes;
    *address = (CUdeviceptr)(uintptr_t)(block + BLOCK_HEAD_BYTES);
    return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    if (context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    char *block = (char *)(uintptr_t)address - BLOCK_HEAD_BYTES;
    size_t size_bytes;
    memcpy(&size_bytes, block, sizeof size_bytes);
    used_bytes -= size_bytes;
    free(block);
    return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **address, size_t size_bytes, unsigned int flags)
{
    IN_CONTEXT;
    *address = flags ? NULL : malloc(size_bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *address)
{
    free(address);
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *address, size_t size_bytes, unsigned int flags)
{
    IN_CONTEXT;
    return address != NULL && size_bytes > 0 && flags == 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuMemHostUnregister(void *address)
{
    IN_CONTEXT;
    return address != NULL ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size_bytes, CUstream stream)
{
    (void)stream;
    IN_CONTEXT;
    memcpy((void *)(uintptr_t)to, from, size_bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    (void)stream;
    IN_CONTEXT;
    memcpy(to, (const void *)(uintptr_t)from, size_bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream)
{
    (void)stream;
    IN_CONTEXT;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, size_bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
{
    (void)stream;
    IN_CONTEXT;
    memset((void *)(uintptr_t)to, value, count);
    return CUDA_SUCCESS;
}

// A module is a copy of its image; a function is its module, from which it takes the constants.
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int option_count,
                            CUjit_option *options, void **values)
{
    IN_CONTEXT;
    if (strncmp(image, "FAKE ", 5) != 0) {
        for (unsigned int i = 0; i + 1 < option_count; ++i) {
            if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
                snprintf(values[i], (size_t)(uintptr_t)values[i + 1], "no FAKE here\nnor there");
        }
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = (CUmodule)(void *)strdup(image);
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
    free(module);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    IN_CONTEXT;
    char declaration[64];
    snprintf(declaration, sizeof declaration, " %s(", name);
    if (strstr((const char *)(void *)module, declaration) == NULL)
        return ERROR_NOT_FOUND;
    *function = (CUfunction)(void *)module;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    IN_CONTEXT;
    *value = function != NULL ? 100 + (int)attribute : 0;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    IN_CONTEXT;
    return function != NULL && attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
                   value <= 1 << 16
               ? CUDA_SUCCESS
               : ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t shared_bytes)
{
    IN_CONTEXT;
    *blocks = function != NULL && shared_bytes == 0 ? 2048 / threads : 1;
    return CUDA_SUCCESS;
}

typedef struct recorded {
    CUfunction function;
    CUdeviceptr values;
    unsigned int count;
    unsigned int threads;
} recorded;

struct CUgraph_st {
    recorded launches[MOST_RECORDED];
    size_t count;
};

struct CUgraphExec_st {
    struct CUgraph_st graph;
};

struct CUstream_st {
    struct CUgraph_st *recording;
};

static void run_scale(const recorded *launch)
{
    const char *factor = strstr((const char *)(void *)launch->function, "-DFACTOR=");
    unsigned int *values = (unsigned int *)(uintptr_t)launch->values;
    for (unsigned int i = 0; i < launch->count && i < launch->threads; ++i)
        values[i] = values[i] * (unsigned int)atoi(factor + 9) + 7;
}

static CUresult launch_or_record(CUfunction function, unsigned int threads, CUstream stream,
                                 void **arguments)
{
    recorded launch = {.function = function, .threads = threads};
    memcpy(&launch.values, arguments[0], sizeof launch.values);
    memcpy(&launch.count, arguments[1], sizeof launch.count);
    if (stream == NULL || stream->recording == NULL)
        run_scale(&launch);
    else if (stream->recording->count < MOST_RECORDED)
        stream->recording->launches[stream->recording->count++] = launch;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra)
{
    IN_CONTEXT;
    if (extra != NULL || shared_bytes > 1 << 16)
        return ERROR_INVALID_VALUE;
    return launch_or_record(function, grid_x * grid_y * grid_z * block_x * block_y * block_z,
                            stream, arguments);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments)
{
    IN_CONTEXT;
    if (shared_bytes > 1 << 16)
        return ERROR_INVALID_VALUE;
    return launch_or_record(function, grid_x * grid_y * grid_z * block_x * block_y * block_z,
                            stream, arguments);
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    IN_CONTEXT;
    *stream = calloc(1, sizeof **stream);
    return flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    free(stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    (void)stream;
    CUresult failure = planned(__func__);
    if (failure)
        sticky = failure;
    return context_depth == 0 ? ERROR_INVALID_CONTEXT : sticky;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    (void)stream;
    IN_CONTEXT;
    return event != NULL && flags == 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    IN_CONTEXT;
    stream->recording = calloc(1, sizeof *stream->recording);
    return mode == CU_STREAM_CAPTURE_MODE_RELAXED ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    IN_CONTEXT;
    *graph = stream->recording;
    stream->recording = NULL;
    return CUDA_SUCCESS;
}

struct CUevent_st {
    int when;
};

static int now;

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    IN_CONTEXT;
    *event = calloc(1, sizeof **event);
    return flags == CU_EVENT_DEFAULT ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    free(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)stream;
    IN_CONTEXT;
    event->when = ++now;
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    IN_CONTEXT;
    return event->when > 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    IN_CONTEXT;
    *milliseconds = 0.5f * (float)(end->when - start->when);
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags)
{
    IN_CONTEXT;
    *executable = malloc(sizeof **executable);
    (*executable)->graph = *graph;
    return flags == 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    free(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable)
{
    free(executable);
    return CUDA_SUCCESS;
}

#ifndef FAKE_IS_OLD
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream)
{
    (void)stream;
    IN_CONTEXT;
    for (size_t i = 0; i < executable->graph.count; ++i)
        run_scale(&executable->graph.launches[i]);
    return CUDA_SUCCESS;
}
#endif

// ---- the compiler -------------------------------------------------------------------------------

struct _nvrtcProgram {
    char text[4096];
    char image[8192];
    char log[512];
    bool ptx;
};

const char *nvrtcGetErrorString(nvrtcResult result)
{
    return result == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_FAKE";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    PLANNED;
    *major = number("FAKE_NVRTC", 12080) / 1000;
    *minor = number("FAKE_NVRTC", 12080) % 1000 / 10;
    return NVRTC_SUCCESS;
}

static const int known[] = {75, 80, 86, 89, 90};

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    PLANNED;
    *count = (int)(sizeof known / sizeof *known);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *architectures)
{
    PLANNED;
    memcpy(architectures, known, sizeof known);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *names)
{
    PLANNED;
    *program = calloc(1, sizeof **program);
    size_t length = (size_t)snprintf((*program)->text, sizeof(*program)->text, "%s:", name);
    for (int i = 0; i < header_count; ++i) // an #include finds its header
        length += (size_t)snprintf((*program)->text + length, sizeof(*program)->text - length,
                                   "[%s]%s", names[i], headers[i]);
    snprintf((*program)->text + length, sizeof(*program)->text - length, "%s", text);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    free(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options)
{
    PLANNED;
    ++compilations;
    const char *target = strchr(options[0], '=');
    program->ptx = strncmp(target, "=compute_", 9) == 0;
    size_t length = (size_t)snprintf(program->image, sizeof program->image, "FAKE %s", target + 1);
    for (int i = 1; i < option_count; ++i)
        length += (size_t)snprintf(program->image + length, sizeof program->image - length, " %s",
                                   options[i]);
    snprintf(program->image + length, sizeof program->image - length, "\n%s", program->text);
    if (strstr(program->text, "#error") != NULL) {
        snprintf(program->log, sizeof program->log,
                 "bad.cu(1): warning: strange\nbad.cu(2): error: stop here\nbad.cu(3): error: "
                 "and here\n");
        return NVRTC_ERROR_COMPILATION;
    }
    snprintf(program->log, sizeof program->log, "compiled for %s\n", target + 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size_bytes)
{
    *size_bytes = strlen(program->image) + 1;
    return program->ptx ? NVRTC_SUCCESS : 5;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    memcpy(ptx, program->image, strlen(program->image) + 1);
    return program->ptx ? NVRTC_SUCCESS : 5;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size_bytes)
{
    PLANNED;
    *size_bytes = strlen(program->image) + 1;
    return program->ptx ? 5 : NVRTC_SUCCESS;
}

#ifndef FAKE_IS_OLD
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    PLANNED;
    memcpy(cubin, program->image, strlen(program->image) + 1);
    return program->ptx ? 5 : NVRTC_SUCCESS;
}
#endif

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size_bytes)
{
    *size_bytes = strlen(program->log) + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    memcpy(log, program->log, strlen(program->log) + 1);
    return NVRTC_SUCCESS;
}
