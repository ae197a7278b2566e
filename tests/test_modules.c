// Modules that the users of a GPU in one context share: compiled once, also if several threads want
// them at the same time; kept for a while when nobody uses them.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "device/shared_gpu.h"
#include "support.h"
#include "support_device.h"

// Nothing is kept on disk.
static void without_folder(void)
{
    setenv("LIGHTCONE_CACHE", "", 1);
    test_context_anew();
}

// More modules than are kept: those unused for longest go.
static void many_modules(void)
{
    enum { MADE = LC_GPU_IDLE_MODULES_MAX + 3 };
    lc_device *device;
    lc_message message;
    without_folder();
    CHECK(lc_device_open(&device, test_context(), 0, &message) == LC_OK);
    for (int factor = 1; factor <= MADE; factor++)
        check_module(device, test_kernel_texts, factor, false);
    CHECK(ask_fake("fake_compilations") == MADE);
    check_module(device, test_kernel_texts, MADE, false);
    check_module(device, test_kernel_texts, 4, false);
    CHECK(ask_fake("fake_compilations") == MADE);
    check_module(device, test_kernel_texts, 1, false);
    CHECK(ask_fake("fake_compilations") == MADE + 1);
    lc_device_close(&device);
    CHECK(lc_device_open(&device, test_context(), 0, &message) == LC_OK); // it stayed open
    check_module(device, test_kernel_texts, MADE, false);
    CHECK(ask_fake("fake_compilations") == MADE + 1);
    lc_device_close(&device);
    test_context_anew();
}

static void *use_modules(void *context)
{
    lc_device *device;
    lc_message message;
    (void)context;
    CHECK(lc_device_open(&device, test_context(), 0, &message) == LC_OK);
    for (int i = 0; i < 20; i++)
        check_module(device, test_kernel_texts, 1 + i % 5, false);
    lc_device_close(&device);
    return NULL;
}

// Each of some threads with a device of its own, and all wanting the same modules at once.
static void modules_for_threads(void)
{
    enum { AT_ONCE = 4 };
    pthread_t threads[AT_ONCE];
    without_folder();
    (void)test_context(); // is made by one thread
    for (int i = 0; i < AT_ONCE; i++)
        CHECK(pthread_create(&threads[i], NULL, use_modules, NULL) == 0);
    for (int i = 0; i < AT_ONCE; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(ask_fake("fake_compilations") == 5);
    test_context_anew();
}

// Two begin the same module; the first gives it up, the other gets it all the same.
static void given_up(void)
{
    lc_device *first, *second;
    lc_module_work *works[2];
    lc_module *module = NULL;
    scale_source scale;
    lc_message message;
    without_folder();
    scale_source_init(&scale, test_kernel_texts, 6);
    CHECK(lc_device_open(&first, test_context(), 0, &message) == LC_OK);
    CHECK(lc_device_open(&second, test_context(), 0, &message) == LC_OK);
    CHECK(lc_module_begin(&works[0], first, &scale.source, &message) == LC_OK);
    CHECK(lc_module_begin(&works[1], second, &scale.source, &message) == LC_OK);
    CHECK(lc_module_end(NULL, &works[0], NULL) == LC_OK);
    lc_device_close(&first);
    CHECK(lc_module_end(&module, &works[1], &message) == LC_OK);
    check_scale(second, module, 6);
    CHECK(ask_fake("fake_compilations") == 1);
    lc_module_destroy(&module);
    lc_device_close(&second);
    test_context_anew();
}

#define FAKE(run) CASE(run, FAKE_CUDA, FAKE_CUDA)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAKE(many_modules),
        FAKE(modules_for_threads),
        FAKE(given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
