// struct lc_device and the driver calls of the files that implement gpu_device.h.
#ifndef LC_DEVICE_DEVICE_STATE_H
#define LC_DEVICE_DEVICE_STATE_H

#include "device/cuda_driver.h"
#include "device/gpu_device.h"
#include "device/nvrtc.h"
#include "device/shared_gpu.h"

struct lc_device {
    lc_context *context; // the device holds a reference
    lc_gpu *gpu;         // shared within the context; NULL while lc_device_open runs
    const lc_cuda *cuda;
    const lc_nvrtc *nvrtc;
    lc_device_facts facts;
    char last_kernel[64]; // name of the last launched kernel, "" if none
};

// Makes the device's CUDA context current. Fails if the device is lost. After success the caller
// calls lc_device_leave once; it returns `status`.
lc_status lc_device_enter(lc_device *device, lc_message *message);
lc_status lc_device_leave(lc_device *device, lc_status status);

// Converts the result of a driver call into a status and a message. `subject` names the object of
// the call (" of strip_8"); "": none.
lc_status lc_device_check(lc_device *device, CUresult result, const char *call, const char *subject,
                          lc_message *message);

// Writes the message for a failed GPU allocation. Returns LC_ERROR_MEMORY.
lc_status lc_device_fail_memory(lc_device *device, const char *what, uint64_t size_bytes,
                                lc_message *message);

// Makes the CUDA context current for a function that frees an object, even on a lost device,
// because the host's part of the object still has to be freed. Returns true on success; the caller
// then calls lc_device_leave.
bool lc_device_enter_to_free(lc_device *device);

// Calls one driver function between lc_device_enter and lc_device_leave and returns its status from
// the enclosing function. The message names the driver function.
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
