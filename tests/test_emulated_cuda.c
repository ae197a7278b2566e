#include "device/device.h"
#include "support_device.h"
#include <cmocka.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void shuffles(void)
{
    static const lc_kernel_text texts[] = {
        {"cuda.h", ""},
        {"k.cu", "#include \"cuda.h\"\nLC_KERNEL void LC_LAUNCH_BOUNDS(64) up(unsigned int *to, "
                 "int distance)\n{ unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; to[i] = "
                 "__shfl_up_sync(~0u, i, distance); __syncthreads(); }\n"},
        {NULL, NULL}};
    lc_device *device;
    lc_message message;
    CHECK(lc_device_open(&device, 0, &message) == LC_OK);
    lc_kernel_source source = {.name = "k.cu", .texts = texts};
    lc_module *module;
    char *log;
    lc_status s = lc_module_create(&module, device, &source, &log, &message);
    if (s)
        fprintf(stderr, "%s\n%s\n", message.text, log);
    CHECK(s == LC_OK);
    lc_kernel kernel;
    CHECK(lc_kernel_find(&kernel, module, "up", &message) == LC_OK);
    lc_device_address to;
    CHECK(lc_device_alloc(device, "x", 512, &to, &message) == LC_OK);
    int distance = 3;
    void *arguments[] = {&to, &distance};
    lc_launch launch = {.grid = {2}, .block = {64}};
    uint32_t got[128];
    CHECK(lc_kernel_launch(&kernel, &launch, arguments, &message) == LC_OK);
    s = lc_device_download(device, got, to, 512, NULL, &message);
    if (s)
        fprintf(stderr, "%s\n", message.text);
    CHECK(s == LC_OK);
    for (int i = 0; i < 128; ++i) {
        CHECK(got[i] == (uint32_t)(i % 32 < 3 ? i : i - 3));
    }
}
int main(void)
{
    const struct CMUnitTest tests[] = {CASE(shuffles, EMULATED_CUDA, EMULATED_CUDA)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
