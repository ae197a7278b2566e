// Support for tests that call the device layer directly: a GPU and a stream, open from the group's
// set-up to its tear-down. Include it after cmocka.h.
#ifndef LC_TESTS_SUPPORT_GPU_H
#define LC_TESTS_SUPPORT_GPU_H

#include "device/gpu_device.h"
#include "support.h"

static lc_device *device;
static lc_device_stream *stream;

static int open_device(void **state)
{
    (void)state;
    lc_message why = {0};
    if (lc_device_open(&device, test_context(), 0, &why) != LC_OK ||
        lc_device_stream_create(device, &stream, &why) != LC_OK) {
        print_message("%s\n", why.text);
        return -1;
    }
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    lc_device_stream_destroy(device, &stream);
    lc_device_close(&device);
    return 0;
}

#endif
