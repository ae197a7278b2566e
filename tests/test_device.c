// The device layer without a GPU: what it says when libraries or symbols are missing, every kind of
// failure of a call, and its work on the fake driver of fake_cuda.c. NVRTC itself, where it is on
// this machine, compiles the tests' kernel for every architecture. On a machine with a GPU the last
// case runs it there.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "device/cuda_driver.h"
#include "device/gpu_device.h"
#include "device/nvrtc.h"
#include "lightcone/device.h"
#include "support.h"
#include "support_device.h"

#define STUB_CUDA "/usr/local/cuda/lib64/stubs/libcuda.so"
static const char absent[] = "/nonexistent/folder/of/a/library.so";

// ---- what is missing ----------------------------------------------------------------------------

static void no_driver(void)
{
    lc_message message = {0};
    lc_gpu_info info;
    lc_device *device;
    size_t count = 99;
    CHECK(lc_gpu_count(test_context(), &count, &message) == LC_ERROR_UNSUPPORTED);
    CHECK(count == 0);
    CHECK_HAS(message.text, absent);
    CHECK_HAS(message.text, "the given CUDA driver");
    CHECK(!lc_gpu_at(test_context(), 0, &info));
    CHECK(lc_device_open(&device, test_context(), 0, &message) == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(message.text, absent);
    CHECK(lc_gpu_count(test_context(), &count, NULL) == LC_ERROR_UNSUPPORTED);
}

static void old_driver(void)
{
    lc_message message = {0};
    size_t count;
    CHECK(lc_gpu_count(test_context(), &count, &message) == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(message.text, FAKE_OLD_CUDA " has no cuGraphLaunch:");
}

static void failing_start(void)
{
    lc_message message = {0};
    size_t count;
    setenv("FAKE_FAIL", "cuInit=100", 1);
    CHECK(lc_gpu_count(test_context(), &count, &message) == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(message.text, "cuInit of ");
    CHECK_HAS(message.text,
              "failed: CUDA_ERROR_NO_DEVICE (100), no CUDA-capable device is detected");
}

static void code_without_name(void)
{
    lc_message message = {0};
    size_t count;
    setenv("FAKE_FAIL", "cuInit=12345", 1);
    CHECK(lc_gpu_count(test_context(), &count, &message) == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(message.text, "no name for (12345)");
}

static void no_gpu(void)
{
    lc_message message = {0};
    lc_gpu_info info;
    size_t count;
    setenv("FAKE_GPUS", "0", 1);
    CHECK(lc_gpu_count(test_context(), &count, &message) == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(message.text, "shows no GPU");
    CHECK(!lc_gpu_at(test_context(), 0, &info));
}

static void no_nvrtc(void)
{
    lc_gpu_info info;
    lc_device *device;
    lc_message message = {0};
    CHECK(lc_gpu_at(test_context(), 0, &info));
    CHECK(!info.available && info.nvrtc_version == 0);
    CHECK(strcmp(info.name, "Fake 40") == 0);
    CHECK_HAS(info.reason, "the given NVRTC library");
    CHECK_HAS(info.reason, absent);
    CHECK(lc_device_open(&device, test_context(), 0, &message) == LC_ERROR_UNSUPPORTED);
    CHECK(strcmp(message.text, info.reason) == 0);
}

static void old_nvrtc(void)
{
    lc_gpu_info info;
    CHECK(lc_gpu_at(test_context(), 0, &info));
    CHECK(!info.available);
    CHECK_HAS(info.reason, FAKE_OLD_CUDA " has no nvrtcGetCUBIN:");
}

static void facts(void)
{
    lc_gpu_info info;
    size_t count;
    setenv("FAKE_GPUS", "3", 1);
    CHECK(lc_gpu_count(test_context(), &count, NULL) == LC_OK && count == 3);
    CHECK(lc_gpu_at(test_context(), 2, &info));
    CHECK(strcmp(info.name, "Fake 42") == 0);
    CHECK(info.memory_bytes == (uint64_t)64 << 20);
    CHECK(info.architecture == 90);
    CHECK(info.multiprocessors == 1016 && info.clock_khz == 1013 && info.l2_bytes == 1038);
    CHECK(info.driver_version == 12080 && info.nvrtc_version == 12080);
    CHECK(info.available && info.reason[0] == '\0');
    CHECK(!lc_gpu_at(test_context(), 3, &info));
    lc_device *device = open_first_gpu();
    const lc_device_facts *all = lc_device_facts_of(device);
    CHECK(all->memory_clock_khz == 1036 && all->memory_bus_bits == 1037);
    CHECK(all->registers_per_multiprocessor == 1082 && all->threads_per_multiprocessor == 1039);
    CHECK(all->shared_bytes_per_block == 1097 && all->cooperative && !all->prohibited);
    lc_device_close(&device);
    CHECK(device == NULL);
    lc_device_close(&device);
    lc_message message;
    CHECK(lc_device_open(&device, test_context(), 3, &message) == LC_ERROR_ARGUMENT);
    CHECK_HAS(message.text, "no GPU 3");
    CHECK(lc_device_open(&device, test_context(), -1, &message) == LC_ERROR_ARGUMENT);
}

static void too_old_gpu(void)
{
    lc_gpu_info info;
    setenv("FAKE_ARCHITECTURE", "61", 1);
    CHECK(lc_gpu_at(test_context(), 0, &info));
    CHECK(!info.available && info.architecture == 61);
    CHECK_HAS(info.reason, "compute capability 6.1; 7.5 or later is needed");
}

static void prohibited_gpu(void)
{
    lc_gpu_info info;
    setenv("FAKE_COMPUTE_MODE", "2", 1);
    CHECK(lc_gpu_at(test_context(), 0, &info));
    CHECK(!info.available);
    CHECK_HAS(info.reason, "prohibited");
}

static void facts_that_fail(void)
{
    static const char *const plans[] = {"cuDeviceGet=100", "cuDeviceGetName=100",
                                        "cuDeviceTotalMem_v2=100", "cuDeviceGetAttribute=100@5"};
    lc_gpu_info info;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char call[64];
        snprintf(call, sizeof call, "%.*s failed for GPU 0: ", (int)strcspn(plans[i], "_="),
                 plans[i]);
        setenv("FAKE_FAIL", plans[i], 1);
        CHECK(lc_gpu_at(test_context(), 0, &info));
        CHECK(!info.available);
        CHECK_HAS(info.reason, call);
        CHECK_HAS(info.reason, "CUDA_ERROR_NO_DEVICE (100)");
    }
    lc_device *device;
    lc_message message;
    setenv("FAKE_FAIL", "cuDevicePrimaryCtxRetain=2", 1);
    CHECK(lc_device_open(&device, test_context(), 0, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "cuDevicePrimaryCtxRetain failed on GPU 0 (Fake 40): "
                            "CUDA_ERROR_OUT_OF_MEMORY (2)");
}

static void *load(void *answer)
{
    lc_message message;
    const lc_cuda **cuda = answer;
    return lc_cuda_load(cuda, test_context(), &message) == LC_OK ? answer : NULL;
}

static void many_threads(void)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    const lc_cuda *answers[THREADS] = {NULL};
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, load, &answers[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *good;
        CHECK(pthread_join(threads[i], &good) == 0 && good != NULL);
        CHECK(answers[i] != NULL && answers[i] == answers[0] && answers[i]->version == 12080);
    }
}

// ---- work ---------------------------------------------------------------------------------------

static void kernels(void)
{
    lc_device *device = open_first_gpu();
    scale_source scale;
    lc_module *module;
    lc_kernel kernel;
    lc_message message;
    char *log;
    int blocks;
    scale_source_init(&scale, test_kernel_texts, 3);
    CHECK(lc_module_create(&module, device, &scale.source, &log, &message) == LC_OK);
    CHECK(strcmp(log, "compiled for sm_90\n") == 0);
    lc_free(log);
    check_scale(device, module, 3);
    CHECK(lc_kernel_find(&kernel, module, "scale", &message) == LC_OK);
    CHECK(strcmp(kernel.name, "scale") == 0 && kernel.registers == 104);
    CHECK(kernel.local_bytes == 103 && kernel.shared_bytes == 101);
    CHECK(kernel.threads_max == 100);
    CHECK(lc_kernel_occupancy(&kernel, 256, 0, &blocks, &message) == LC_OK && blocks == 8);
    CHECK(lc_kernel_allow_shared(&kernel, 1 << 16, &message) == LC_OK);
    CHECK(lc_kernel_allow_shared(&kernel, 1 << 20, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "cuFuncSetAttribute of scale failed on GPU 0 (Fake 40)");
    CHECK(lc_kernel_find(&kernel, module, "shrink", &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "cuModuleGetFunction of shrink failed on GPU 0 (Fake 40): "
                            "CUDA_ERROR_NOT_FOUND (500), named symbol not found");
    lc_module_destroy(&module);
    lc_module_destroy(&module);
    lc_device_close(&device);
    CHECK(ask_fake("fake_context_depth") == 0);
}

static void graphs_and_events(void)
{
    lc_device *device = open_first_gpu();
    scale_source scale;
    lc_module *module;
    lc_kernel kernel;
    lc_device_stream *stream;
    lc_device_graph *graph;
    lc_device_event *start;
    lc_device_event *end;
    lc_device_address numbers;
    lc_message message;
    double elapsed_ns;
    uint32_t values[2] = {1, 2};
    uint32_t count = 2;
    scale_source_init(&scale, test_kernel_texts, 2);
    CHECK(lc_module_create(&module, device, &scale.source, NULL, &message) == LC_OK);
    CHECK(lc_kernel_find(&kernel, module, "scale", &message) == LC_OK);
    CHECK(lc_device_stream_create(device, &stream, &message) == LC_OK);
    CHECK(lc_device_event_create(device, &start, &message) == LC_OK);
    CHECK(lc_device_event_create(device, &end, &message) == LC_OK);
    CHECK(lc_device_alloc(device, "numbers", sizeof values, &numbers, &message) == LC_OK);
    CHECK(lc_device_upload(device, numbers, values, sizeof values, stream, &message) == LC_OK);
    lc_launch launch = {.block = {2}, .stream = stream};
    void *arguments[] = {&numbers, &count};
    CHECK(lc_device_capture_begin(device, stream, &message) == LC_OK);
    CHECK(lc_kernel_launch(&kernel, &launch, arguments, &message) == LC_OK);
    launch.cooperative = true;
    CHECK(lc_kernel_launch(&kernel, &launch, arguments, &message) == LC_OK);
    CHECK(lc_device_capture_end(device, stream, &graph, &message) == LC_OK);
    CHECK(lc_device_event_record(device, start, stream, &message) == LC_OK);
    for (int i = 0; i < 3; i++)
        CHECK(lc_device_graph_launch(device, graph, stream, &message) == LC_OK);
    CHECK(lc_device_event_record(device, end, stream, &message) == LC_OK);
    CHECK(lc_device_event_wait(device, NULL, end, &message) == LC_OK);
    CHECK(lc_device_event_elapsed(device, start, end, &elapsed_ns, &message) == LC_OK);
    CHECK(elapsed_ns == 500000);
    CHECK(lc_device_download(device, values, numbers, sizeof values, stream, &message) == LC_OK);
    CHECK(lc_device_synchronize(device, stream, &message) == LC_OK);
    // x becomes 2 x + 7 six times, not once while it was recorded.
    CHECK(values[0] == 64 * 1 + 63 * 7 && values[1] == 64 * 2 + 63 * 7);
    lc_device_free(device, &numbers);
    lc_device_graph_destroy(device, &graph);
    lc_device_event_destroy(device, &start);
    lc_device_event_destroy(device, &end);
    lc_device_stream_destroy(device, &stream);
    CHECK(graph == NULL && start == NULL && end == NULL && stream == NULL);
    lc_module_destroy(&module);
    lc_device_close(&device);
    CHECK(ask_fake("fake_context_depth") == 0 && ask_fake("fake_used_bytes") == 0);
}

// ---- failures -----------------------------------------------------------------------------------

static void failing_calls(void)
{
    setenv("FAKE_GPUS", "2", 1);
    lc_device *device = open_first_gpu(), *other;
    scale_source scale;
    lc_module *module;
    lc_kernel kernel;
    lc_device_address numbers = 0;
    lc_message message;
    bool direct;
    void *pointer = NULL;
    lc_device_stream *stream;
    lc_device_array *array;
    lc_device_texture texture;
    uint32_t count = 1;
    uint64_t free_bytes;
    CHECK(lc_device_open(&other, test_context(), 1, &message) == LC_OK);
    scale_source_init(&scale, test_kernel_texts, 2);
    CHECK(lc_module_create(&module, device, &scale.source, NULL, &message) == LC_OK);
    CHECK(lc_kernel_find(&kernel, module, "scale", &message) == LC_OK);
    void *arguments[] = {&numbers, &count};
    lc_launch launch = {.block = {0}};
    lc_launch together = {.cooperative = true};
#define FAILS(call, version, about, expression)                                                    \
    do {                                                                                           \
        setenv("FAKE_FAIL", call version "=701", 1);                                               \
        memset(&message, 0, sizeof message);                                                       \
        CHECK((expression) == LC_ERROR_DEVICE);                                                    \
        CHECK_HAS(message.text, call about " failed on GPU 0 (Fake 40): "                          \
                                           "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701), too many "   \
                                           "resources requested for launch");                      \
        CHECK(!lc_device_is_lost(device) && ask_fake("fake_context_depth") == 0);                  \
    } while (0)
    FAILS("cuCtxPushCurrent", "_v2", "", lc_device_memory_free(device, &free_bytes, &message));
    FAILS("cuCtxPushCurrent", "_v2", "", lc_device_alloc(device, "cells", 5, &numbers, &message));
    FAILS("cuMemGetInfo", "_v2", "", lc_device_memory_free(device, &free_bytes, &message));
    FAILS("cuMemAlloc", "_v2", "", lc_device_alloc(device, "cells", 5, &numbers, &message));
    FAILS("cuMemHostAlloc", "", "", lc_device_host_alloc(device, "cells", 5, &pointer, &message));
    FAILS("cuMemHostRegister", "_v2", "", lc_device_host_register(device, &count, 4, &message));
    FAILS("cuMemcpyHtoDAsync", "_v2", "", lc_device_upload(device, 1, &count, 4, NULL, &message));
    FAILS("cuMemcpyDtoHAsync", "_v2", "", lc_device_download(device, &count, 1, 4, NULL, &message));
    FAILS("cuMemcpyDtoDAsync", "_v2", "", lc_device_copy(device, 1, 2, 4, NULL, &message));
    FAILS("cuMemcpyPeerAsync", "", "", lc_device_copy_from(device, 1, other, 2, 4, NULL, &message));
    FAILS("cuDeviceCanAccessPeer", "", "",
          lc_device_enable_access(device, other, &direct, &message));
    FAILS("cuCtxEnablePeerAccess", "", "",
          lc_device_enable_access(device, other, &direct, &message));
    FAILS("cuMemsetD8Async", "", "", lc_device_fill(device, 1, 2, 4, NULL, &message));
    FAILS("cuStreamCreate", "", "", lc_device_stream_create(device, &stream, &message));
    FAILS("cuFuncGetAttribute", "", " of scale",
          lc_kernel_find(&kernel, module, "scale", &message));
    FAILS("cuLaunchKernel", "", " of scale",
          lc_kernel_launch(&kernel, &launch, arguments, &message));
    FAILS("cuLaunchCooperativeKernel", "", " of scale",
          lc_kernel_launch(&kernel, &together, arguments, &message));
    FAILS("cuStreamBeginCapture", "_v2", "", lc_device_capture_begin(device, NULL, &message));
    FAILS("cuGraphLaunch", "", "", lc_device_graph_launch(device, NULL, NULL, &message));
    FAILS("cuArrayCreate", "_v2", "",
          lc_device_array_create(device, "cells", 5, 5, &array, &message));
    FAILS("cuMemcpy2DAsync", "_v2", "",
          lc_device_array_copy_from(device, NULL, 1, 4, 1, 1, NULL, &message));
    FAILS("cuTexObjectCreate", "", "", lc_device_texture_create(device, NULL, &texture, &message));
#undef FAILS
    lc_module_destroy(&module);
    lc_device_close(&other);
    lc_device_close(&device);
}

static void lost_device(void)
{
    lc_device *device = open_first_gpu();
    scale_source scale;
    lc_module *module;
    lc_kernel kernel;
    lc_device_address numbers;
    lc_message message;
    uint32_t count = 1;
    scale_source_init(&scale, test_kernel_texts, 2);
    CHECK(lc_module_create(&module, device, &scale.source, NULL, &message) == LC_OK);
    CHECK(lc_kernel_find(&kernel, module, "scale", &message) == LC_OK);
    CHECK(lc_device_alloc(device, "numbers", 64, &numbers, &message) == LC_OK);
    void *arguments[] = {&numbers, &count};
    lc_launch launch = {.block = {1}};
    CHECK(lc_kernel_launch(&kernel, &launch, arguments, &message) == LC_OK);
    setenv("FAKE_FAIL", "cuStreamSynchronize=700", 1);
    CHECK(lc_device_synchronize(device, NULL, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "cuStreamSynchronize after scale failed on GPU 0 (Fake 40): "
                            "CUDA_ERROR_ILLEGAL_ADDRESS (700), an illegal memory access was "
                            "encountered");
    CHECK(lc_device_is_lost(device));
    unsetenv("FAKE_FAIL");
    CHECK(lc_kernel_launch(&kernel, &launch, arguments, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "the GPU was lost: cuStreamSynchronize after scale");
    CHECK(lc_device_download(device, &count, numbers, 4, NULL, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "CUDA_ERROR_ILLEGAL_ADDRESS (700)");
    CHECK(lc_device_download(device, &count, numbers, 4, NULL, NULL) == LC_ERROR_DEVICE);
    // What it held is given back all the same.
    lc_device_free(device, &numbers);
    lc_module_destroy(&module);
    lc_device_close(&device);
    CHECK(ask_fake("fake_used_bytes") == 0 && ask_fake("fake_context_depth") == 0);
}

static void text_that_does_not_compile(void)
{
    static const lc_kernel_text texts[] = {{"bad.cu", "#error stop here\n"}, {NULL, NULL}};
    lc_kernel_source source = {.name = "bad.cu", .texts = texts};
    lc_device *device = open_first_gpu();
    lc_module *module;
    lc_message message;
    char *log;
    CHECK(lc_module_create(&module, device, &source, &log, &message) == LC_ERROR_DEVICE);
    CHECK(strcmp(message.text, "bad.cu does not compile for sm_90 with NVRTC 12.8: "
                               "bad.cu(2): error: stop here") == 0);
    CHECK_HAS(log, "bad.cu(3): error: and here");
    lc_free(log);
    CHECK(cache_entries(NULL, 0) == 0);
    source.name = "good.cu";
    CHECK(lc_module_create(&module, device, &source, &log, &message) == LC_ERROR_ARGUMENT);
    CHECK_HAS(message.text, "no kernel text good.cu");
    CHECK(log == NULL);
    setenv("FAKE_FAIL", "nvrtcCreateProgram=1", 1);
    source.name = "bad.cu";
    CHECK(lc_module_create(&module, device, &source, NULL, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "nvrtcCreateProgram of " FAKE_CUDA " failed: NVRTC_ERROR_FAKE (1)");
    lc_device_close(&device);
}

// Made in two halves: a thread compiles as soon as it is begun, so that it is done even if nobody
// asks for the end.
static void begun_modules(void)
{
    lc_device *device = open_first_gpu();
    scale_source scale;
    lc_module *module = NULL;
    lc_module_work *work = NULL;
    lc_message message;
    scale_source_init(&scale, test_kernel_texts, 7);
    CHECK(lc_module_begin(&work, device, &scale.source, &message) == LC_OK);
    for (int waited_ms = 0; ask_fake("fake_compilations") == 0; waited_ms++) {
        CHECK(waited_ms < 60000); // or nobody compiles before the end
        usleep(1000);
    }
    CHECK(lc_module_end(&module, &work, &message) == LC_OK && work == NULL);
    CHECK(ask_fake("fake_compilations") == 1);
    check_scale(device, module, 7);
    lc_module_destroy(&module);
    CHECK(lc_module_begin(&work, device, &scale.source, &message) == LC_OK); // in the cache now
    CHECK(lc_module_end(NULL, &work, &message) == LC_OK && work == NULL);
    CHECK(ask_fake("fake_compilations") == 1);
    scale.source.name = "nobody.cu";
    CHECK(lc_module_begin(&work, device, &scale.source, &message) == LC_OK);
    CHECK(lc_module_end(&module, &work, &message) == LC_ERROR_ARGUMENT && work == NULL);
    CHECK_HAS(message.text, "no kernel text nobody.cu");
    lc_fail_allocation(1);
    CHECK(lc_module_begin(&work, device, &scale.source, &message) == LC_ERROR_MEMORY);
    lc_fail_allocation(0);
    CHECK(work == NULL && lc_module_end(&module, &work, &message) == LC_OK);
    lc_device_close(&device);
}

static void refused_image(void)
{
    lc_device *device = open_first_gpu();
    scale_source scale;
    lc_module *module;
    lc_message message;
    scale_source_init(&scale, test_kernel_texts, 2);
    setenv("FAKE_FAIL", "cuModuleLoadDataEx=200", 1);
    CHECK(lc_module_create(&module, device, &scale.source, NULL, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "cuModuleLoadDataEx of scale.cu failed on GPU 0 (Fake 40): "
                            "CUDA_ERROR_INVALID_IMAGE (200), device kernel image is invalid");
    CHECK(cache_entries(NULL, 0) == 0);
    lc_device_close(&device);
}

// A GPU newer than the compiler gets PTX.
static void newer_gpu(void)
{
    scale_source scale;
    lc_module *module;
    lc_message message;
    char *log;
    setenv("FAKE_ARCHITECTURE", "121", 1);
    lc_device *device = open_first_gpu();
    scale_source_init(&scale, test_kernel_texts, 5);
    CHECK(lc_module_create(&module, device, &scale.source, &log, &message) == LC_OK);
    CHECK(strcmp(log, "compiled for compute_90\n") == 0);
    lc_free(log);
    check_scale(device, module, 5);
    lc_module_destroy(&module);
    lc_device_close(&device);
}

// A log that cannot be had is empty, and that is no reason to go without the kernel.
static void no_log(void)
{
    static const char *const failing[] = {"1", "2"}; // the log's size, the log
    lc_device *device = open_first_gpu();
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        scale_source scale;
        lc_module *module;
        lc_message message;
        char *log;
        scale_source_init(&scale, test_kernel_texts, 6 + (int)i);
        setenv("FAKE_NO_LOG", failing[i], 1);
        CHECK(lc_module_create(&module, device, &scale.source, &log, &message) == LC_OK);
        CHECK(log != NULL && *log == '\0');
        lc_free(log);
        check_scale(device, module, 6 + (unsigned)i);
        lc_module_destroy(&module);
    }
    lc_device_close(&device);
}

static void targets(void **state)
{
    (void)state;
    static const struct {
        int architecture;
        const char *name;
    } cases[] = {{80, "sm_80"},      {90, "sm_90"},      {75, "sm_75"},
                 {87, "compute_80"}, {89, "compute_80"}, {79, "compute_75"},
                 {91, "compute_90"}, {100, "sm_100"},    {121, "compute_100"}};
    lc_nvrtc nvrtc = {
        .version = 12080, .architectures = {75, 80, 90, 100}, .architecture_count = 4};
    lc_nvrtc_target target;
    lc_message message;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(lc_nvrtc_find_target(&nvrtc, cases[i].architecture, &target, &message),
                         LC_OK);
        assert_string_equal(target.name, cases[i].name);
        assert_int_equal(target.ptx, cases[i].name[0] == 'c');
    }
    assert_int_equal(lc_nvrtc_find_target(&nvrtc, 70, &target, &message), LC_ERROR_UNSUPPORTED);
    assert_string_equal(message.text,
                        "NVRTC 12.8 compiles for compute capability 7.5 and later, not for 7.0");
}

static void out_of_memory(void)
{
    enum { MORE_THAN_THERE_ARE = 20 };
    lc_device *device = open_first_gpu();
    lc_message message;
    int failures = 0;
    setenv("LIGHTCONE_CACHE", "", 1);
    test_context_anew();
    for (uint64_t n = 1; n <= MORE_THAN_THERE_ARE; n++) {
        scale_source scale;
        lc_module *module = NULL;
        char *log;
        scale_source_init(&scale, test_kernel_texts, 2);
        message.text[0] = '\0';
        lc_fail_allocation(n);
        lc_status status = lc_module_create(&module, device, &scale.source, &log, &message);
        lc_fail_allocation(0);
        lc_free(log);
        CHECK((status == LC_OK) == (module != NULL));
        if (status == LC_OK) {
            check_scale(device, module, 2);
        } else {
            CHECK(status == LC_ERROR_MEMORY);
            CHECK_HAS(message.text, "out of memory");
            failures++;
        }
        lc_module_destroy(&module);
    }
    CHECK(failures >= 4);
    lc_context *context = test_context();
    lc_fail_allocation(1);
    lc_device *other = NULL;
    CHECK(lc_device_open(&other, context, 0, &message) == LC_ERROR_MEMORY);
    lc_device_close(&device);
}

// ---- the real ones ------------------------------------------------------------------------------

static void real_compiler(void)
{
    const lc_nvrtc *nvrtc;
    lc_message message;
    if (lc_nvrtc_load(&nvrtc, test_context(), &message) != LC_OK)
        skip_case(message.text);
    CHECK(nvrtc->version >= 11020 && nvrtc->architecture_count > 0);
    int compiled = 0;
    for (int i = 0; i < nvrtc->architecture_count; i++) {
        if (nvrtc->architectures[i] < LC_DEVICE_OLDEST_ARCHITECTURE)
            continue;
        static const char *const options[] = {"-DFACTOR=3", "--ptxas-options=-v"};
        lc_kernel_source source = {
            .name = "scale.cu", .texts = test_kernel_texts, .options = options, .option_count = 2};
        lc_nvrtc_target target;
        lc_kernel_image image;
        CHECK(lc_nvrtc_find_target(nvrtc, nvrtc->architectures[i], &target, &message) == LC_OK);
        CHECK(!target.ptx);
        lc_status status = lc_nvrtc_compile(nvrtc, &source, &target, &image, &message);
        if (status != LC_OK)
            fprintf(stderr, "%s\n%s\n", message.text, image.log);
        CHECK(status == LC_OK);
        CHECK(image.size_bytes > 64 && memcmp(image.bytes, "\177ELF", 4) == 0);
        CHECK_HAS(image.log, "registers");
        lc_kernel_image_free(&image);
        compiled++;
    }
    CHECK(compiled > 0);

    static const char *const factor[] = {"-DFACTOR=3"};
    lc_kernel_source source = {
        .name = "scale.cu", .texts = test_kernel_texts, .options = factor, .option_count = 1};
    lc_nvrtc_target target = {.name = "compute_80", .ptx = true};
    lc_kernel_image image;
    CHECK(lc_nvrtc_compile(nvrtc, &source, &target, &image, &message) == LC_OK);
    CHECK(((const char *)image.bytes)[image.size_bytes - 1] == '\0');
    CHECK_HAS(image.bytes, ".target sm_80");
    lc_kernel_image_free(&image);

    source.option_count = 0;
    CHECK(lc_nvrtc_compile(nvrtc, &source, &target, &image, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "scale.cu does not compile for compute_80 with NVRTC ");
    CHECK_HAS(message.text, "scale.cu(9): error: identifier \"FACTOR\" is undefined");
    lc_kernel_image_free(&image);
    static const char *const nonsense[] = {"--frobnicate"};
    source.options = nonsense;
    source.option_count = 1;
    CHECK(lc_nvrtc_compile(nvrtc, &source, &target, &image, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "frobnicate");
    lc_kernel_image_free(&image);
}

// The toolkit's stub has every name of a real driver, and no driver behind it.
static void stub_driver(void)
{
    lc_message message = {0};
    size_t count;
    if (access(STUB_CUDA, F_OK) != 0)
        skip_case("there is no " STUB_CUDA);
    CHECK(lc_gpu_count(test_context(), &count, &message) == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(message.text, "cuInit of " STUB_CUDA " failed: ");
    CHECK_HAS(message.text, "(34)");
}

static void real_gpu(void)
{
    lc_device_address memory;
    lc_message message;
    lc_gpu_info info;
    size_t count;
    if (lc_gpu_count(test_context(), &count, &message) != LC_OK)
        skip_case(message.text);
    if (lc_gpu_at(test_context(), 0, &info) && !info.available)
        skip_case(info.reason);
    lc_device *device = open_first_gpu();
    check_module(device, test_kernel_texts, 3, false);
    lc_device_close(&device);
    test_context_anew(); // the old one would have kept the module
    device = open_first_gpu();
    check_module(device, test_kernel_texts, 3, true);
    CHECK(lc_device_alloc(device, "a petabyte", (uint64_t)1 << 50, &memory, &message) ==
          LC_ERROR_MEMORY);
    CHECK_HAS(message.text, "a petabyte need 1.0 PiB");
    check_module(device, test_kernel_texts, 4, false);
    lc_device_close(&device);
}

// ---- the list -----------------------------------------------------------------------------------

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(no_driver, absent, FAKE_CUDA),
        CASE(old_driver, FAKE_OLD_CUDA, FAKE_CUDA),
        CASE(failing_start, FAKE_CUDA, FAKE_CUDA),
        CASE(code_without_name, FAKE_CUDA, FAKE_CUDA),
        CASE(no_gpu, FAKE_CUDA, FAKE_CUDA),
        CASE(no_nvrtc, FAKE_CUDA, absent),
        CASE(old_nvrtc, FAKE_CUDA, FAKE_OLD_CUDA),
        CASE(facts, FAKE_CUDA, FAKE_CUDA),
        CASE(too_old_gpu, FAKE_CUDA, FAKE_CUDA),
        CASE(prohibited_gpu, FAKE_CUDA, FAKE_CUDA),
        CASE(facts_that_fail, FAKE_CUDA, FAKE_CUDA),
        CASE(many_threads, FAKE_CUDA, FAKE_CUDA),
        CASE(kernels, FAKE_CUDA, FAKE_CUDA),
        CASE(graphs_and_events, FAKE_CUDA, FAKE_CUDA),
        CASE(failing_calls, FAKE_CUDA, FAKE_CUDA),
        CASE(lost_device, FAKE_CUDA, FAKE_CUDA),
        CASE(text_that_does_not_compile, FAKE_CUDA, FAKE_CUDA),
        CASE(begun_modules, FAKE_CUDA, FAKE_CUDA),
        CASE(refused_image, FAKE_CUDA, FAKE_CUDA),
        CASE(newer_gpu, FAKE_CUDA, FAKE_CUDA),
        CASE(no_log, FAKE_CUDA, FAKE_CUDA),
        CASE(out_of_memory, FAKE_CUDA, FAKE_CUDA),
        cmocka_unit_test(targets),
        CASE(stub_driver, STUB_CUDA, FAKE_CUDA),
    };
    const struct CMUnitTest real[] = {
        CASE(real_compiler, NULL, NULL),
        CASE(real_gpu, NULL, NULL),
    };
    const int failed =
        only_gpu_cases() ? 0 : cmocka_run_group_tests_name("stand-ins", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("real", real, NULL, NULL);
}
