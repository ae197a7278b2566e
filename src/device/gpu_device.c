// A GPU's facts, memory, copies, streams and events. See also device_module.c (kernels, graphs),
// device_texture.c and device_peer.c (other GPUs).
#include "device/gpu_device.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/device_state.h"

// Errors ---------------------------------------------------------------------------------------

// Returns true for errors after which every driver call in this context fails.
static bool is_permanent(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_UNKNOWN:
        return true;
    default:
        return false;
    }
}

lc_status lc_device_check(lc_device *device, CUresult result, const char *call, const char *subject,
                          lc_message *message)
{
    if (result == CUDA_SUCCESS)
        return LC_OK;
    char text[LC_CUDA_ERROR_TEXT_BYTES];
    lc_message here;
    lc_fail(&here, LC_ERROR_DEVICE, "%s%s failed on GPU %d (%s): %s", call, subject,
            device->facts.index, device->facts.name,
            lc_cuda_error_text(device->cuda, result, text));
    if (is_permanent(result) && device->gpu != NULL)
        lc_gpu_mark_lost(device->gpu, &here);
    if (message != NULL)
        *message = here;
    return LC_ERROR_DEVICE;
}

lc_status lc_device_enter(lc_device *device, lc_message *message)
{
    if (lc_device_is_lost(device))
        return lc_fail(message, LC_ERROR_DEVICE, "the GPU was lost: %s", device->gpu->loss.text);
    return lc_device_check(device, device->cuda->cuCtxPushCurrent(device->gpu->context),
                           "cuCtxPushCurrent", "", message);
}

lc_status lc_device_leave(lc_device *device, lc_status status)
{
    CUcontext popped;
    (void)device->cuda->cuCtxPopCurrent(&popped);
    return status;
}

bool lc_device_enter_to_free(lc_device *device)
{
    return device->cuda->cuCtxPushCurrent(device->gpu->context) == CUDA_SUCCESS;
}

// Facts ----------------------------------------------------------------------------------------

lc_status lc_device_count(lc_context *context, int *count, lc_message *message)
{
    const lc_cuda *cuda;
    lc_status status = lc_cuda_load(&cuda, context, message);
    if (status != LC_OK)
        return status;
    char text[LC_CUDA_ERROR_TEXT_BYTES];
    CUresult result = cuda->cuDeviceGetCount(count);
    if (result != CUDA_SUCCESS)
        return lc_fail(message, LC_ERROR_DEVICE, "cuDeviceGetCount failed: %s",
                       lc_cuda_error_text(cuda, result, text));
    if (*count < 1)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "the CUDA driver shows no GPU");
    return LC_OK;
}

// A sequence of driver queries. The first failure is recorded, and later queries are skipped.
typedef struct attribute_query {
    const lc_cuda *cuda;
    CUdevice device;
    CUresult result;
    const char *call;
} attribute_query;

static int query_attribute(attribute_query *in, CUdevice_attribute attribute)
{
    int value = 0;
    if (in->result == CUDA_SUCCESS) {
        in->call = "cuDeviceGetAttribute";
        in->result = in->cuda->cuDeviceGetAttribute(&value, attribute, in->device);
    }
    return value;
}

static void query_attributes(attribute_query *in, lc_device_facts *facts)
{
    const lc_cuda *cuda = in->cuda;
    in->call = "cuDeviceGet";
    in->result = cuda->cuDeviceGet(&in->device, facts->index);
    if (in->result != CUDA_SUCCESS)
        return;
    in->call = "cuDeviceGetName";
    in->result = cuda->cuDeviceGetName(facts->name, (int)sizeof facts->name, in->device);
    if (in->result != CUDA_SUCCESS)
        return;
    facts->name[sizeof facts->name - 1] = '\0';
    size_t memory_bytes = 0;
    in->call = "cuDeviceTotalMem";
    in->result = cuda->cuDeviceTotalMem(&memory_bytes, in->device);
    facts->memory_bytes = memory_bytes;
    facts->architecture = 10 * query_attribute(in, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                          query_attribute(in, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    facts->multiprocessors = query_attribute(in, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    facts->clock_khz = query_attribute(in, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    facts->memory_clock_khz = query_attribute(in, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    facts->memory_bus_bits = query_attribute(in, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    facts->l2_bytes = (uint64_t)query_attribute(in, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    facts->registers_per_multiprocessor =
        query_attribute(in, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    facts->threads_per_multiprocessor =
        query_attribute(in, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    facts->shared_bytes_per_block =
        (uint64_t)query_attribute(in, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    facts->cooperative = query_attribute(in, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
    facts->can_wait_for_value =
        query_attribute(in, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS) != 0;
    facts->prohibited =
        query_attribute(in, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE) == CU_COMPUTEMODE_PROHIBITED;
    if (in->result != CUDA_SUCCESS)
        return;
    CUuuid uuid = {{0}};
    in->call = "cuDeviceGetUuid";
    in->result = cuda->cuDeviceGetUuid(&uuid, in->device);
    memcpy(facts->uuid, uuid.bytes, sizeof facts->uuid);
}

lc_status lc_device_find_facts(lc_context *context, int index, lc_device_facts *facts,
                               lc_message *message)
{
    int count;
    lc_status status = lc_device_count(context, &count, message);
    if (status != LC_OK)
        return status;
    if (index < 0 || index >= count)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no GPU %d: the driver shows %d", index,
                       count);
    attribute_query in = {0};
    (void)lc_cuda_load(&in.cuda, context, NULL); // succeeds: lc_device_count has loaded it
    *facts = (lc_device_facts){.index = index, .driver_version = in.cuda->version};
    query_attributes(&in, facts);
    if (in.result != CUDA_SUCCESS) {
        char text[LC_CUDA_ERROR_TEXT_BYTES];
        return lc_fail(message, LC_ERROR_DEVICE, "%s failed for GPU %d: %s", in.call, index,
                       lc_cuda_error_text(in.cuda, in.result, text));
    }
    const lc_nvrtc *nvrtc;
    if (lc_nvrtc_load(&nvrtc, context, NULL) == LC_OK)
        facts->nvrtc_version = nvrtc->version;
    return LC_OK;
}

lc_status lc_device_check_usable(lc_context *context, const lc_device_facts *facts,
                                 lc_message *message)
{
    if (facts->architecture < LC_DEVICE_OLDEST_ARCHITECTURE)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "GPU %d (%s) has compute capability %d.%d; %d.%d or later is needed",
                       facts->index, facts->name, facts->architecture / 10,
                       facts->architecture % 10, LC_DEVICE_OLDEST_ARCHITECTURE / 10,
                       LC_DEVICE_OLDEST_ARCHITECTURE % 10);
    if (facts->prohibited)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "GPU %d (%s) is in compute mode 'prohibited'",
                       facts->index, facts->name);
    const lc_nvrtc *nvrtc;
    lc_nvrtc_target target;
    lc_status status = lc_nvrtc_load(&nvrtc, context, message);
    return status != LC_OK ? status
                           : lc_nvrtc_find_target(nvrtc, facts->architecture, &target, message);
}

lc_status lc_device_find_usable(lc_context *context, lc_device_facts *facts, lc_message *message)
{
    int count = 0;
    lc_status first = lc_device_count(context, &count, message);
    for (int i = 0; i < count; i++) {
        lc_message why = {0};
        lc_status status = lc_device_find_facts(context, i, facts, &why);
        if (status == LC_OK)
            status = lc_device_check_usable(context, facts, &why);
        if (status == LC_OK)
            return LC_OK;
        if (i == 0) {
            first = status;
            if (message != NULL)
                *message = why;
        }
    }
    return first;
}

// Attaches the device to the context's shared GPU, opening the GPU if necessary.
static lc_status attach_gpu(lc_device *device, lc_context *context, lc_message *message)
{
    CUresult result;
    const char *call;
    lc_status status = lc_context_hold(&device->context, context, message);
    if (status != LC_OK)
        return status;
    (void)lc_cuda_load(&device->cuda, context, NULL); // succeed: lc_device_open has loaded both
    (void)lc_nvrtc_load(&device->nvrtc, context, NULL);
    lc_gpu_open(&device->gpu, device->context, device->cuda, device->facts.index, &result, &call);
    if (device->gpu != NULL)
        return LC_OK;
    return call != NULL ? lc_device_check(device, result, call, "", message)
                        : lc_fail_memory(message, "a GPU's handle");
}

lc_status lc_device_open(lc_device **out, lc_context *context, int index, lc_message *message)
{
    lc_device_facts facts;
    lc_status status = lc_device_find_facts(context, index, &facts, message);
    if (status == LC_OK)
        status = lc_device_check_usable(context, &facts, message);
    if (status != LC_OK)
        return status;
    lc_device *device = lc_calloc(1, sizeof *device);
    if (device == NULL)
        return lc_fail_memory(message, "a GPU's handle");
    device->facts = facts;
    status = attach_gpu(device, context, message);
    if (status != LC_OK)
        lc_device_close(&device);
    *out = device;
    return status;
}

void lc_device_close(lc_device **device)
{
    lc_device *d = *device;
    if (d == NULL)
        return;
    if (d->gpu != NULL)
        lc_gpu_close(d->gpu, d->context);
    lc_context_destroy(&d->context);
    lc_free(d);
    *device = NULL;
}

lc_context *lc_device_context(const lc_device *device)
{
    return device->context;
}

const lc_device_facts *lc_device_facts_of(const lc_device *device)
{
    return &device->facts;
}

bool lc_device_is_lost(const lc_device *device)
{
    return device->gpu != NULL && atomic_load(&device->gpu->lost);
}

// Memory ---------------------------------------------------------------------------------------

lc_status lc_device_memory_free(lc_device *device, uint64_t *free_bytes, lc_message *message)
{
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    size_t free_now = 0;
    size_t total = 0;
    status = lc_device_check(device, device->cuda->cuMemGetInfo(&free_now, &total), "cuMemGetInfo",
                             "", message);
    *free_bytes = free_now;
    return lc_device_leave(device, status);
}

lc_status lc_device_fail_memory(lc_device *device, const char *what, uint64_t size_bytes,
                                lc_message *message)
{
    char need[LC_SIZE_TEXT_BYTES];
    char have[LC_SIZE_TEXT_BYTES];
    size_t free_bytes = 0;
    size_t total = 0;
    (void)device->cuda->cuMemGetInfo(&free_bytes, &total);
    return lc_fail(message, LC_ERROR_MEMORY,
                   "out of memory on GPU %d (%s): %s need %s, and it has %s free",
                   device->facts.index, device->facts.name, what, lc_size_text(size_bytes, need),
                   lc_size_text(free_bytes, have));
}

lc_status lc_device_alloc(lc_device *device, const char *what, uint64_t size_bytes,
                          lc_device_address *out, lc_message *message)
{
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    CUdeviceptr address = 0;
    CUresult result = device->cuda->cuMemAlloc(&address, size_bytes ? size_bytes : 1);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        status = lc_device_fail_memory(device, what, size_bytes, message);
    else
        status = lc_device_check(device, result, "cuMemAlloc", "", message);
    *out = status != LC_OK ? 0 : address;
    return lc_device_leave(device, status);
}

void lc_device_free(lc_device *device, lc_device_address *memory)
{
    if (*memory && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuMemFree(*memory);
        lc_device_leave(device, LC_OK);
    }
    *memory = 0;
}

lc_status lc_device_host_alloc(lc_device *device, const char *what, size_t size_bytes, void **out,
                               lc_message *message)
{
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    void *address = NULL;
    char need[LC_SIZE_TEXT_BYTES];
    CUresult result = device->cuda->cuMemHostAlloc(&address, size_bytes ? size_bytes : 1, 0);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        status =
            lc_fail(message, LC_ERROR_MEMORY, "out of memory: %s need %s that the GPU can reach",
                    what, lc_size_text(size_bytes, need));
    else
        status = lc_device_check(device, result, "cuMemHostAlloc", "", message);
    *out = status != LC_OK ? NULL : address;
    return lc_device_leave(device, status);
}

void lc_device_host_free(lc_device *device, void **memory)
{
    if (*memory != NULL && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuMemFreeHost(*memory);
        lc_device_leave(device, LC_OK);
    }
    *memory = NULL;
}

lc_status lc_device_host_register(lc_device *device, void *memory, size_t size_bytes,
                                  lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuMemHostRegister, memory, size_bytes,
                   CU_MEMHOSTREGISTER_PORTABLE);
}

void lc_device_host_unregister(lc_device *device, void *memory)
{
    if (lc_device_enter_to_free(device)) {
        (void)device->cuda->cuMemHostUnregister(memory);
        lc_device_leave(device, LC_OK);
    }
}

lc_status lc_device_upload(lc_device *device, lc_device_address to, const void *from,
                           size_t size_bytes, lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuMemcpyHtoDAsync, to, from, size_bytes, stream);
}

lc_status lc_device_download(lc_device *device, void *to, lc_device_address from, size_t size_bytes,
                             lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuMemcpyDtoHAsync, to, from, size_bytes, stream);
}

lc_status lc_device_copy(lc_device *device, lc_device_address to, lc_device_address from,
                         size_t size_bytes, lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuMemcpyDtoDAsync, to, from, size_bytes, stream);
}

lc_status lc_device_fill(lc_device *device, lc_device_address to, uint8_t value, size_t size_bytes,
                         lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuMemsetD8Async, to, value, size_bytes, stream);
}

// Streams and events ---------------------------------------------------------------------------

lc_status lc_device_stream_create(lc_device *device, lc_device_stream **out, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuStreamCreate, out, CU_STREAM_NON_BLOCKING);
}

void lc_device_stream_destroy(lc_device *device, lc_device_stream **stream)
{
    if (*stream != NULL && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuStreamDestroy(*stream);
        lc_device_leave(device, LC_OK);
    }
    *stream = NULL;
}

// Returns " after KERNEL" for the kernel launched last, the likely cause of an error in a wait; ""
// if none was launched.
static const char *last_launch(const lc_device *device, char text[80])
{
    (void)snprintf(text, 80, "%s%s", *device->last_kernel ? " after " : "", device->last_kernel);
    return text;
}

lc_status lc_device_synchronize(lc_device *device, lc_device_stream *stream, lc_message *message)
{
    char last[80];
    LC_RETURN_CALL(device, last_launch(device, last), message, cuStreamSynchronize, stream);
}

lc_status lc_device_event_create(lc_device *device, lc_device_event **out, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuEventCreate, out, CU_EVENT_DEFAULT);
}

void lc_device_event_destroy(lc_device *device, lc_device_event **event)
{
    if (*event != NULL && lc_device_enter_to_free(device)) {
        (void)device->cuda->cuEventDestroy(*event);
        lc_device_leave(device, LC_OK);
    }
    *event = NULL;
}

lc_status lc_device_event_record(lc_device *device, lc_device_event *event,
                                 lc_device_stream *stream, lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuEventRecord, event, stream);
}

lc_status lc_device_event_wait(lc_device *device, lc_device_stream *stream, lc_device_event *event,
                               lc_message *message)
{
    LC_RETURN_CALL(device, "", message, cuStreamWaitEvent, stream, event, 0);
}

lc_status lc_device_event_elapsed(lc_device *device, lc_device_event *start, lc_device_event *end,
                                  double *elapsed_ns, lc_message *message)
{
    char last[80];
    float milliseconds = 0;
    lc_status status = lc_device_enter(device, message);
    if (status != LC_OK)
        return status;
    status = lc_device_check(device, device->cuda->cuEventSynchronize(end), "cuEventSynchronize",
                             last_launch(device, last), message);
    if (status == LC_OK)
        status =
            lc_device_check(device, device->cuda->cuEventElapsedTime(&milliseconds, start, end),
                            "cuEventElapsedTime", "", message);
    *elapsed_ns = 1e6 * (double)milliseconds;
    return lc_device_leave(device, status);
}
