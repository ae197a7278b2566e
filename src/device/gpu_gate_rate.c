// Measures a GPU's logic operations per second with kernels/gate_rate.cu.
#include "base/error.h"
#include "device/gpu_device.h"
#include "lightcone/device.h"

enum {
    THREADS = 256,
    BLOCKS = 4, // per multiprocessor
    GATES_A_TURN = 16 * 8,
    FIRST_TURNS = 1000,
    MOST_TURNS = 1 << 28,
};

typedef struct meter {
    lc_device *device;
    lc_module *module;
    lc_kernel kernel;
    lc_device_address never;
    lc_device_event *start, *end;
} meter;

static lc_status open_meter(meter *m, lc_context *context, lc_message *message)
{
    lc_device_facts facts;
    const lc_kernel_source source = {.name = "gate_rate.cu", .texts = lc_kernel_texts};
    lc_status status = lc_device_find_usable(context, &facts, message);
    if (status == LC_OK)
        status = lc_device_open(&m->device, context, facts.index, message);
    if (status == LC_OK)
        status = lc_module_create(&m->module, m->device, &source, NULL, message);
    if (status == LC_OK)
        status = lc_kernel_find(&m->kernel, m->module, "gate_rate", message);
    if (status == LC_OK)
        status = lc_device_alloc(m->device, "a word", sizeof(uint32_t), &m->never, message);
    if (status == LC_OK)
        status = lc_device_event_create(m->device, &m->start, message);
    return status != LC_OK ? status : lc_device_event_create(m->device, &m->end, message);
}

static void close_meter(meter *m)
{
    if (m->device == NULL)
        return;
    lc_device_event_destroy(m->device, &m->end);
    lc_device_event_destroy(m->device, &m->start);
    lc_device_free(m->device, &m->never);
    lc_module_destroy(&m->module);
    lc_device_close(&m->device);
}

static lc_status measure(meter *m, uint32_t turns, double *elapsed_ns, lc_message *message)
{
    const uint32_t blocks = (uint32_t)lc_device_facts_of(m->device)->multiprocessors * BLOCKS;
    const lc_launch launch = {.grid = {blocks}, .block = {THREADS}};
    void *arguments[] = {&turns, &m->never};
    lc_status status = lc_device_event_record(m->device, m->start, NULL, message);
    if (status == LC_OK)
        status = lc_kernel_launch(&m->kernel, &launch, arguments, message);
    if (status == LC_OK)
        status = lc_device_event_record(m->device, m->end, NULL, message);
    return status != LC_OK
               ? status
               : lc_device_event_elapsed(m->device, m->start, m->end, elapsed_ns, message);
}

lc_status lc_gpu_gate_rate(lc_context *context, int milliseconds, double *operations_per_second,
                           lc_message *message)
{
    *operations_per_second = 0;
    if (milliseconds < 1)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a rate cannot be measured in %d ms",
                       milliseconds);
    meter m = {0};
    double elapsed_ns = 0;
    uint32_t turns = FIRST_TURNS;
    lc_status status = open_meter(&m, context, message);
    if (status == LC_OK) // warm-up: the first launch also loads the kernel
        status = measure(&m, turns, &elapsed_ns, message);
    if (status == LC_OK)
        status = measure(&m, turns, &elapsed_ns, message);
    if (status == LC_OK) {
        const double wanted = turns * (milliseconds * 1e6 / (elapsed_ns > 1 ? elapsed_ns : 1));
        turns = wanted < 1 ? 1 : wanted > (double)MOST_TURNS ? MOST_TURNS : (uint32_t)wanted;
        status = measure(&m, turns, &elapsed_ns, message);
    }
    if (status == LC_OK)
        *operations_per_second = (double)turns * (double)(GATES_A_TURN * THREADS * BLOCKS) *
                                 lc_device_facts_of(m.device)->multiprocessors /
                                 (elapsed_ns * 1e-9);
    close_meter(&m);
    return status;
}
