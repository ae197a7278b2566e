// Facts about this machine for the public API.
#include "lightcone/machine.h"
#include "base/cpu_features.h"
#include "base/memory.h"
#include "base/threads.h"

void lc_machine_get(lc_machine *machine)
{
    *machine = (lc_machine){
        .cpu_model = lc_cpu_model(),
        .threads = lc_cpu_count(),
        .memory_bytes = lc_memory_of_machine(),
        .l1_data_bytes = lc_cpu_l1_bytes(),
        .l2_bytes = lc_cpu_l2_bytes(),
    };
}
