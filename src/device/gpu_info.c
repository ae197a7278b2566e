// Lists this machine's GPUs for the public API.
#include <stdio.h>

#include "base/error.h"
#include "device/gpu_device.h"
#include "lightcone/device.h"

lc_status lc_gpu_count(lc_context *context, size_t *count, lc_message *message)
{
    int found;
    lc_status status = lc_device_count(context, &found, message);
    *count = status != LC_OK ? 0 : (size_t)found;
    return status;
}

bool lc_gpu_at(lc_context *context, size_t index, lc_gpu_info *info)
{
    size_t count;
    lc_device_facts facts;
    lc_message message = {0};
    *info = (lc_gpu_info){.available = false};
    if (lc_gpu_count(context, &count, NULL) != LC_OK || index >= count)
        return false;
    lc_status status = lc_device_find_facts(context, (int)index, &facts, &message);
    if (status == LC_OK) {
        (void)snprintf(info->name, sizeof info->name, "%s", facts.name);
        info->memory_bytes = facts.memory_bytes;
        info->multiprocessors = facts.multiprocessors;
        info->architecture = facts.architecture;
        info->clock_khz = facts.clock_khz;
        info->l2_bytes = facts.l2_bytes;
        info->driver_version = facts.driver_version;
        info->nvrtc_version = facts.nvrtc_version;
        status = lc_device_check_usable(context, &facts, &message);
    }
    info->available = status == LC_OK;
    (void)snprintf(info->reason, sizeof info->reason, "%s", message.text);
    return true;
}
