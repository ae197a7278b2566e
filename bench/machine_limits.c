// The limits of a machine; machine_limits.h says which.
#include "machine_limits.h"

#include <stdlib.h>
#include <string.h>

#include "lightcone/device.h"
#include "lightcone/machine.h"

bool lc_gate_meter_same(const lc_gate_meter *a, const lc_gate_meter *b)
{
    if (a->on_gpu || b->on_gpu)
        return a->on_gpu == b->on_gpu;
    return a->threads == b->threads && strcmp(a->cpu_level, b->cpu_level) == 0;
}

void lc_gate_meter_measure(lc_gate_meter *meter, lc_context *context, int milliseconds)
{
    double rate = 0.0;
    lc_status status =
        meter->on_gpu ? lc_gpu_gate_rate(context, milliseconds, &rate, NULL)
                      : lc_cpu_gate_rate(meter->cpu_level, meter->threads, milliseconds, &rate);
    if (status == LC_OK)
        meter->rates[meter->count++] = rate;
}

double lc_copy_rates_find(lc_copy_rates *rates, lc_context *context, bool on_gpu, int threads,
                          int milliseconds)
{
    lc_copy_rate found = {.threads = on_gpu ? 0 : threads};
    for (size_t i = 0; i < rates->count; i++)
        if (rates->rates[i].threads == found.threads)
            return rates->rates[i].bytes_per_second;
    lc_status status = on_gpu
                           ? lc_gpu_copy_rate(context, milliseconds, &found.bytes_per_second, NULL)
                           : lc_cpu_copy_rate(threads, milliseconds, &found.bytes_per_second);
    if (status != LC_OK)
        found.bytes_per_second = 0.0;
    lc_copy_rate *larger = realloc(rates->rates, (rates->count + 1) * sizeof *larger);
    if (larger != NULL) {
        rates->rates = larger;
        larger[rates->count++] = found;
    }
    return found.bytes_per_second;
}

void lc_copy_rates_free(lc_copy_rates *rates)
{
    free(rates->rates);
    *rates = (lc_copy_rates){.count = 0};
}
