// The memory of GPUs, on the fake driver: allocation, copies in one GPU and between two, textures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/gpu_device.h"
#include "support.h"
#include "support_device.h"

static void memory(void)
{
    lc_device *device = open_first_gpu();
    lc_device_address cells = 77;
    lc_device_address more = 0;
    lc_message message;
    uint64_t free_bytes;
    CHECK(lc_device_memory_free(device, &free_bytes, &message) == LC_OK);
    CHECK(free_bytes == (uint64_t)64 << 20);
    CHECK(lc_device_alloc(device, "the cells", (uint64_t)48 << 20, &cells, &message) == LC_OK);
    CHECK(lc_device_alloc(device, "two grids", (uint64_t)20 << 20, &more, &message) ==
          LC_ERROR_MEMORY);
    CHECK_HAS(message.text, "out of memory on GPU 0 (Fake 40): two grids need 20.0 MiB (20971520 "
                            "bytes), and it has 16.0 MiB (16777216 bytes) free");
    CHECK(more == 0 && !lc_device_is_lost(device));
    CHECK(lc_device_alloc(device, "everything", UINT64_MAX, &more, &message) == LC_ERROR_MEMORY);
    CHECK(lc_device_alloc(device, "nothing", 0, &more, &message) == LC_OK && more != 0);
    lc_device_free(device, &more);
    lc_device_free(device, &more); // of nothing: nothing happens

    unsigned char there[256];
    unsigned char back[256];
    for (int i = 0; i < 256; i++)
        there[i] = (unsigned char)(i * 7);
    lc_device_address half = cells + ((uint64_t)24 << 20);
    CHECK(lc_device_upload(device, cells, there, 256, NULL, &message) == LC_OK);
    CHECK(lc_device_copy(device, half, cells, 256, NULL, &message) == LC_OK);
    CHECK(lc_device_fill(device, half + 100, 0xAB, 5, NULL, &message) == LC_OK);
    CHECK(lc_device_download(device, back, half, 256, NULL, &message) == LC_OK);
    CHECK(lc_device_synchronize(device, NULL, &message) == LC_OK);
    memset(there + 100, 0xAB, 5);
    CHECK(memcmp(there, back, 256) == 0);
    lc_device_free(device, &cells);
    CHECK(ask_fake("fake_used_bytes") == 0);

    void *pinned;
    CHECK(lc_device_host_alloc(device, "a buffer", 4096, &pinned, &message) == LC_OK);
    memset(pinned, 1, 4096);
    lc_device_host_free(device, &pinned);
    CHECK(pinned == NULL);
    setenv("FAKE_FAIL", "cuMemHostAlloc=2", 1);
    CHECK(lc_device_host_alloc(device, "a buffer", 4096, &pinned, &message) == LC_ERROR_MEMORY);
    CHECK_HAS(message.text, "a buffer need 4.0 KiB");
    CHECK(pinned == NULL);
    CHECK(lc_device_host_register(device, there, 256, &message) == LC_OK);
    lc_device_host_unregister(device, there);
    lc_device_close(&device);
    CHECK(ask_fake("fake_context_depth") == 0);
}

// From one GPU's memory to another's, and within one.
static void copies_between_gpus(void)
{
    lc_message message;
    lc_device *devices[2];
    lc_device_address memory[2];
    const uint32_t sent[4] = {1, 2, 3, 4};
    uint32_t got[4] = {0};
    bool direct = false;
    setenv("FAKE_GPUS", "2", 1);
    for (int i = 0; i < 2; i++) {
        CHECK(lc_device_open(&devices[i], test_context(), i, &message) == LC_OK);
        CHECK(lc_device_alloc(devices[i], "numbers", 16, &memory[i], &message) == LC_OK);
    }
    for (int i = 0; i < 2; i++) // the second time it is enabled already
        CHECK(lc_device_enable_access(devices[1], devices[0], &direct, &message) == LC_OK &&
              direct);
    CHECK(lc_device_enable_access(devices[1], devices[1], &direct, &message) == LC_OK && direct);
    setenv("FAKE_PEERS", "0", 1);
    CHECK(lc_device_enable_access(devices[1], devices[0], &direct, &message) == LC_OK && !direct);
    unsetenv("FAKE_PEERS");
    CHECK(lc_device_upload(devices[0], memory[0], sent, 16, NULL, &message) == LC_OK);
    CHECK(lc_device_copy_from(devices[1], memory[1], devices[0], memory[0], 16, NULL, &message) ==
          LC_OK);
    CHECK(lc_device_copy_from(devices[1], memory[1] + 4, devices[1], memory[1] + 8, 4, NULL,
                              &message) == LC_OK);
    CHECK(lc_device_download(devices[1], got, memory[1], 16, NULL, &message) == LC_OK);
    CHECK(got[0] == 1 && got[1] == 3 && got[2] == 3 && got[3] == 4);
    for (int i = 0; i < 2; i++) {
        lc_device_free(devices[i], &memory[i]);
        lc_device_close(&devices[i]);
    }
}

static void textures(void)
{
    lc_device *device = open_first_gpu();
    lc_device_array *array = NULL;
    lc_device_array *large = NULL;
    lc_device_texture texture = 0;
    lc_device_address rows;
    lc_message message;
    CHECK(lc_device_alloc(device, "rows", 3 * 64, &rows, &message) == LC_OK);
    CHECK(lc_device_array_create(device, "a board", 10, 3, &array, &message) == LC_OK);
    CHECK(lc_device_array_copy_from(device, array, rows, 64, 10, 3, NULL, &message) == LC_OK);
    CHECK(lc_device_array_copy_from(device, array, rows, 64, 11, 3, NULL, &message) ==
          LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "cuMemcpy2DAsync failed on GPU 0 (Fake 40): CUDA_ERROR_INVALID_VALUE");
    CHECK(lc_device_texture_create(device, array, &texture, &message) == LC_OK && texture != 0);
    CHECK(lc_device_synchronize(device, NULL, &message) == LC_OK);
    CHECK(lc_device_array_create(device, "a large board", LC_DEVICE_ARRAY_WIDTH_MAX,
                                 LC_DEVICE_ARRAY_HEIGHT_MAX, &large, &message) == LC_ERROR_MEMORY);
    CHECK_HAS(message.text, "a large board need 32.0 GiB");
    CHECK(large == NULL);
    CHECK(lc_device_array_create(device, "none", LC_DEVICE_ARRAY_WIDTH_MAX + 1, 1, &large,
                                 &message) == LC_ERROR_DEVICE);
    lc_device_texture_destroy(device, &texture);
    lc_device_texture_destroy(device, &texture); // of nothing: nothing happens
    lc_device_array_destroy(device, &array);
    lc_device_array_destroy(device, &array);
    CHECK(texture == 0 && array == NULL);
    lc_device_free(device, &rows);
    lc_device_close(&device);
    CHECK(ask_fake("fake_context_depth") == 0 && ask_fake("fake_used_bytes") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(memory, FAKE_CUDA, FAKE_CUDA),
        CASE(copies_between_gpus, FAKE_CUDA, FAKE_CUDA),
        CASE(textures, FAKE_CUDA, FAKE_CUDA),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
