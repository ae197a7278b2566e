// Detects features, caches and model of this CPU.
//
// A vector instruction set is usable when the CPU has it and the operating system saves its
// registers: XCR0 has bits 1 and 2 (SSE, AVX) for 256-bit vectors and bits 5 to 7 (opmask, the
// upper halves of zmm0-15, zmm16-31) in addition for 512-bit ones. Intel's Software Developer's
// Manual, volume 1, chapters 14 and 15; AMD's manual, volume 3, appendix E, for the cache leaf.
#include "base/cpu_features.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

typedef struct cpu_facts {
    unsigned features;
    size_t l1_bytes;
    size_t l2_bytes;
    char model[128];
} cpu_facts;

static cpu_facts facts;
static pthread_once_t facts_once = PTHREAD_ONCE_INIT;

#if defined(__x86_64__)

static uint64_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static void detect_features(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
        return;
    uint64_t xcr0 = read_xcr0();
    if ((xcr0 & 0x06) != 0x06 || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return;
    unsigned found = 0;
    if (b & (1u << 5))
        found |= LC_CPU_AVX2;
    if (b & (1u << 8))
        found |= LC_CPU_BMI2;
    if (c & (1u << 8))
        found |= LC_CPU_GFNI;
    if ((xcr0 & 0xe6) == 0xe6) {
        if (b & (1u << 16))
            found |= LC_CPU_AVX512F;
        if (b & (1u << 17))
            found |= LC_CPU_AVX512DQ;
        if (b & (1u << 30))
            found |= LC_CPU_AVX512BW;
        if (b & (1u << 31))
            found |= LC_CPU_AVX512VL;
        if (c & (1u << 1))
            found |= LC_CPU_AVX512VBMI;
        if (c & (1u << 6))
            found |= LC_CPU_AVX512VBMI2;
        if (c & (1u << 14))
            found |= LC_CPU_AVX512VPOPCNTDQ;
    }
    facts.features = found;
}

// Leaf 4 (Intel) and leaf 0x8000001d (AMD) have the same layout, with one cache per subleaf.
static void detect_caches_in(unsigned leaf)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned a, b, c, d;
        if (!__get_cpuid_count(leaf, i, &a, &b, &c, &d))
            return;
        unsigned type = a & 31; // 0 = no more, 1 = data, 2 = instructions, 3 = both
        if (type == 0)
            return;
        unsigned level = (a >> 5) & 7;
        size_t size_bytes =
            (size_t)((b >> 22) + 1) * (((b >> 12) & 1023) + 1) * ((b & 4095) + 1) * ((size_t)c + 1);
        if (level == 1 && type != 2 && facts.l1_bytes == 0)
            facts.l1_bytes = size_bytes;
        if (level == 2 && type != 2 && facts.l2_bytes == 0)
            facts.l2_bytes = size_bytes;
    }
}

static void detect_machine(void)
{
    detect_features();
    detect_caches_in(4);
    detect_caches_in(0x8000001d);

    unsigned text[12];
    for (unsigned i = 0; i < 3; i++) {
        unsigned *part = text + 4 * i;
        if (!__get_cpuid(0x80000002 + i, &part[0], &part[1], &part[2], &part[3]))
            return;
    }
    memcpy(facts.model, text, sizeof text);
}

#else

// Other architectures have only the kernel's text: "model name" on many, none on most Arm machines.
static void detect_machine(void)
{
#if defined(__aarch64__)
    facts.features = LC_CPU_NEON; // part of the base architecture
#endif
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return;
    char line[256];
    while (facts.model[0] == '\0' && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0)
            (void)snprintf(facts.model, sizeof facts.model, "%.127s", colon + 1);
    }
    fclose(file);
}

#endif

static bool read_cache_text(int index, const char *name, char *text, int size_bytes)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool ok = fgets(text, size_bytes, file) != NULL;
    fclose(file);
    return ok;
}

static void detect_caches_from_system(void)
{
    for (int i = 0; i < 8; i++) {
        char level[32], type[32], size[32];
        if (!read_cache_text(i, "level", level, sizeof level) ||
            !read_cache_text(i, "type", type, sizeof type) ||
            !read_cache_text(i, "size", size, sizeof size))
            break;
        if (strncmp(type, "Instruction", 11) == 0)
            continue;
        char *unit;
        size_t size_bytes = strtoul(size, &unit, 10);
        if (*unit == 'K')
            size_bytes <<= 10;
        else if (*unit == 'M')
            size_bytes <<= 20;
        size_t *slot = level[0] == '1' ? &facts.l1_bytes : level[0] == '2' ? &facts.l2_bytes : NULL;
        if (slot != NULL && *slot == 0)
            *slot = size_bytes;
    }
    long known = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    if (facts.l1_bytes == 0 && known > 0)
        facts.l1_bytes = (size_t)known;
    known = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (facts.l2_bytes == 0 && known > 0)
        facts.l2_bytes = (size_t)known;
}

void lc_cpu_trim_name(char *name)
{
    size_t start = strspn(name, " \t");
    size_t length = strlen(name + start);
    memmove(name, name + start, length + 1);
    while (length > 0 && strchr(" \t\n", name[length - 1]) != NULL)
        name[--length] = '\0';
}

static void detect(void)
{
    detect_machine();
    detect_caches_from_system();
    if (facts.l1_bytes == 0)
        facts.l1_bytes = (size_t)32 << 10;
    if (facts.l2_bytes == 0)
        facts.l2_bytes = (size_t)512 << 10;
    lc_cpu_trim_name(facts.model);
}

static const cpu_facts *get_facts(void)
{
    (void)pthread_once(&facts_once, detect);
    return &facts;
}

unsigned lc_cpu_features(void)
{
    return get_facts()->features;
}

const char *lc_cpu_missing(unsigned needed)
{
    static const struct {
        unsigned feature;
        const char *name;
    } names[] = {
        {LC_CPU_AVX2, "avx2"},
        {LC_CPU_BMI2, "bmi2"},
        {LC_CPU_AVX512F, "avx512f"},
        {LC_CPU_AVX512BW, "avx512bw"},
        {LC_CPU_AVX512VL, "avx512vl"},
        {LC_CPU_AVX512DQ, "avx512dq"},
        {LC_CPU_AVX512VBMI, "avx512vbmi"},
        {LC_CPU_AVX512VBMI2, "avx512vbmi2"},
        {LC_CPU_AVX512VPOPCNTDQ, "avx512vpopcntdq"},
        {LC_CPU_GFNI, "gfni"},
        {LC_CPU_NEON, "neon"},
    };
    unsigned missing = needed & ~lc_cpu_features();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (missing & names[i].feature)
            return names[i].name;
    return NULL;
}

size_t lc_cpu_l1_bytes(void)
{
    return get_facts()->l1_bytes;
}

size_t lc_cpu_l2_bytes(void)
{
    return get_facts()->l2_bytes;
}

const char *lc_cpu_model(void)
{
    return get_facts()->model;
}
