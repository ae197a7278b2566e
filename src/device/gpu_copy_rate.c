// Measures the rate of copies within a GPU's memory.
#include "base/error.h"
#include "device/gpu_device.h"
#include "lightcone/device.h"

enum { FIRST_COPIES = 4, MOST_COPIES = 1 << 20 };

// A copy reads and writes twice this size. L2 caches of GPUs are smaller than a quarter of it.
static const uint64_t copy_bytes_max = UINT64_C(256) << 20;

typedef struct copier {
    lc_device *device;
    lc_device_address from, to;
    uint64_t size_bytes;
    lc_device_event *start, *end;
} copier;

static lc_status open_copier(copier *c, lc_context *context, lc_message *message)
{
    lc_device_facts facts;
    lc_status status = lc_device_find_usable(context, &facts, message);
    if (status != LC_OK)
        return status;
    // Take at most 1/16 of the GPU's memory.
    c->size_bytes =
        facts.memory_bytes / 16 < copy_bytes_max ? facts.memory_bytes / 16 : copy_bytes_max;
    status = lc_device_open(&c->device, context, facts.index, message);
    if (status == LC_OK)
        status = lc_device_alloc(c->device, "what is copied", c->size_bytes, &c->from, message);
    if (status == LC_OK)
        status = lc_device_alloc(c->device, "a copy", c->size_bytes, &c->to, message);
    if (status == LC_OK)
        status = lc_device_fill(c->device, c->from, 0x55, c->size_bytes, NULL, message);
    if (status == LC_OK)
        status = lc_device_event_create(c->device, &c->start, message);
    return status != LC_OK ? status : lc_device_event_create(c->device, &c->end, message);
}

static void close_copier(copier *c)
{
    if (c->device == NULL)
        return;
    lc_device_event_destroy(c->device, &c->end);
    lc_device_event_destroy(c->device, &c->start);
    lc_device_free(c->device, &c->to);
    lc_device_free(c->device, &c->from);
    lc_device_close(&c->device);
}

static lc_status measure(copier *c, int copies, double *elapsed_ns, lc_message *message)
{
    lc_status status = lc_device_event_record(c->device, c->start, NULL, message);
    for (int i = 0; i < copies && status == LC_OK; i++)
        status = lc_device_copy(c->device, i % 2 ? c->from : c->to, i % 2 ? c->to : c->from,
                                c->size_bytes, NULL, message);
    if (status == LC_OK)
        status = lc_device_event_record(c->device, c->end, NULL, message);
    return status != LC_OK
               ? status
               : lc_device_event_elapsed(c->device, c->start, c->end, elapsed_ns, message);
}

lc_status lc_gpu_copy_rate(lc_context *context, int milliseconds, double *bytes_per_second,
                           lc_message *message)
{
    *bytes_per_second = 0;
    if (milliseconds < 1)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a rate cannot be measured in %d ms",
                       milliseconds);
    copier c = {0};
    double elapsed_ns = 0;
    int copies = FIRST_COPIES;
    lc_status status = open_copier(&c, context, message);
    if (status == LC_OK) // warm-up
        status = measure(&c, copies, &elapsed_ns, message);
    if (status == LC_OK)
        status = measure(&c, copies, &elapsed_ns, message);
    if (status == LC_OK) {
        const double wanted = copies * (milliseconds * 1e6 / (elapsed_ns > 1 ? elapsed_ns : 1));
        copies = wanted < 1 ? 1 : wanted > (double)MOST_COPIES ? MOST_COPIES : (int)wanted;
        status = measure(&c, copies, &elapsed_ns, message);
    }
    if (status == LC_OK)
        *bytes_per_second = 2.0 * (double)c.size_bytes * copies / (elapsed_ns * 1e-9);
    close_copier(&c);
    return status;
}
