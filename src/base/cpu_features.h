// Features, caches and model of this CPU, as far as the operating system supports them.
#ifndef LC_BASE_CPU_FEATURES_H
#define LC_BASE_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum lc_cpu_feature {
    LC_CPU_AVX2 = 1u << 0,
    LC_CPU_AVX512F = 1u << 1,
    LC_CPU_AVX512BW = 1u << 2,
    LC_CPU_AVX512VL = 1u << 3,
    LC_CPU_AVX512VBMI = 1u << 4,
    LC_CPU_AVX512VBMI2 = 1u << 5,
    LC_CPU_GFNI = 1u << 6,
    LC_CPU_NEON = 1u << 7,
    LC_CPU_BMI2 = 1u << 8,
    LC_CPU_AVX512DQ = 1u << 9,
    LC_CPU_AVX512VPOPCNTDQ = 1u << 10,
} lc_cpu_feature;

// Returns the features that both the CPU and the operating system (XCR0) support, or'ed.
unsigned lc_cpu_features(void);

// Returns the usual name of the first missing feature in `needed` ("avx512vbmi"), or NULL.
const char *lc_cpu_missing(unsigned needed);

size_t lc_cpu_l1_bytes(void); // data cache of one core; 32 KiB if unknown
size_t lc_cpu_l2_bytes(void); // 512 KiB if unknown

// Returns the model name, "AMD EPYC ...", or "" if unknown. The string is static.
const char *lc_cpu_model(void);

// Removes spaces at both ends of a name, because some CPUs pad it with them.
void lc_cpu_trim_name(char *name);

#endif
