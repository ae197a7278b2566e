// Facts of the machine and the build that a figure was measured on: what the library knows
// (lc_machine) and what only a report needs. What cannot be read is "" or 0.
#ifndef LC_BENCH_MACHINE_FACTS_H
#define LC_BENCH_MACHINE_FACTS_H

#include <stdint.h>

#include "lightcone/device.h"
#include "lightcone/machine.h"

typedef struct lc_machine_facts {
    lc_machine machine;
    int cpus_online;
    uint64_t l3_bytes; // as the first CPU sees it
    char governor[32]; // frequency governor of the first CPU
    char os[256];      // kernel and distribution
    // Of the bench, which is built together with the library.
    const char *compiler;
    const char *compiler_flags; // without those of single files; "" if the build does not say
    const char *version;        // of the library
    const char *commit;         // ends in "-dirty" if changed; "" if the build does not say
    char date[32];              // UTC, ISO 8601
    bool has_gpu;               // lc_machine_facts_read_gpu found a usable one
    lc_gpu_info gpu;            // the one that is used
    char gpu_driver[32];        // release of the kernel's driver: "580.159.04"
} lc_machine_facts;

// Everything except the GPU's facts.
void lc_machine_facts_read(lc_machine_facts *facts);
// Starts the GPU's driver, if there is one.
void lc_machine_facts_read_gpu(lc_machine_facts *facts, lc_context *context);

// Bytes that may be allocated now without displacing others (MemAvailable); UINT64_MAX if unknown.
uint64_t lc_machine_available_bytes(void);

#endif
