// Facts of the machine and the build that a figure was measured on: what the library knows
// (lc_machine) and what only a report wants. What cannot be read is "" or 0.
#ifndef LC_BENCH_MACHINE_FACTS_H
#define LC_BENCH_MACHINE_FACTS_H

#include <stdint.h>

#include "lightcone/universe.h"

typedef struct lc_machine_facts {
    lc_machine machine;
    int cpus_online;
    uint64_t l3_bytes;    // as the first CPU sees it
    char governor[32];    // frequency governor of the first CPU
    char os[256];         // kernel and distribution
    const char *compiler; // of the bench, which is built together with the library
    const char *version;  // of the library
    const char *commit;   // "" unless the build defines LC_COMMIT
    char date[32];        // UTC, ISO 8601
} lc_machine_facts;

void lc_machine_facts_read(lc_machine_facts *facts);

// Bytes that may be allocated now without pushing others out (MemAvailable); UINT64_MAX if unknown.
uint64_t lc_machine_available_bytes(void);

#endif
