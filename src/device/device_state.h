// struct lc_device and the driver calls of the files that implement gpu_device.h.
#ifndef LC_DEVICE_DEVICE_STATE_H
#define LC_DEVICE_DEVICE_STATE_H

#include "device/cuda_driver.h"
#include "device/gpu_device.h"
#include "device/nvrtc.h"
#include "device/shared_gpu.h"

struct lc_device {
    lc_context *context; // held
    lc_gpu *gpu;         // shared with others of the context; NULL while it is being opened
    const lc_cuda *cuda;
    const lc_nvrtc *nvrtc;
    lc_device_facts facts;
    char last_kernel[64]; // launched last; "" if none was
};

// Makes the device's context current; fails if the device is lost. Each lc_device_enter that
// succeeds is followed by one lc_device_leave, which returns `status`.
lc_status lc_device_enter(lc_device *device, lc_message *message);
lc_status lc_device_leave(lc_device *device, lc_status status);

// Turns the result of a driver call into a status and a message. `subject` says what the call was
// about (" of strip_8"; "" for nothing).
lc_status lc_device_check(lc_device *device, CUresult result, const char *call, const char *subject,
                          lc_message *message);

// The message about memory that the GPU does not have; returns LC_ERROR_MEMORY.
lc_status lc_device_fail_memory(lc_device *device, const char *what, uint64_t size_bytes,
                                lc_message *message);

// Makes the context current so that something can be given back: of a lost device, too, since the
// host's share of it is not lost. True: lc_device_leave follows.
bool lc_device_enter_to_free(lc_device *device);

// Ends a function that is one call of the driver: enters, calls, leaves, and returns what came of
// it. The call's name in the message is the one that was called.
#define LC_RETURN_CALL(device, subject, message, function, ...)                                    \
    do {                                                                                           \
        lc_status entered = lc_device_enter(device, message);                                      \
        if (entered)                                                                               \
            return entered;                                                                        \
        CUresult answer = (device)->cuda->function(__VA_ARGS__);                                   \
        return lc_device_leave(device,                                                             \
                               lc_device_check(device, answer, #function, subject, message));      \
    } while (0)

#endif
