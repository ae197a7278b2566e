// The ground floor: arithmetic that notices overflow, memory, limits of the machine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/clock.h"
#include "base/cpu_features.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

// Arithmetic ---------------------------------------------------------------------------------

static void test_arithmetic(void **state)
{
    (void)state;
    // Against 128-bit arithmetic, for numbers around every power of two.
    uint64_t values[3 * 64 + 1];
    size_t count = 0;
    for (int bit = 0; bit < 64; bit++) {
        values[count++] = (UINT64_C(1) << bit) - 1;
        values[count++] = UINT64_C(1) << bit;
        values[count++] = (UINT64_C(1) << bit) + 1;
    }
    values[count++] = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            uint64_t a = values[i], b = values[j];
            __extension__ unsigned __int128 product = (unsigned __int128)a * b;
            __extension__ unsigned __int128 sum = (unsigned __int128)a + b;
            uint64_t result = 12345;
            bool fits = product <= UINT64_MAX;
            assert_int_equal(lc_mul_u64(a, b, &result), fits);
            assert_true(result == (fits ? a * b : 12345));
            result = 12345;
            fits = sum <= UINT64_MAX;
            assert_int_equal(lc_add_u64(a, b, &result), fits);
            assert_true(result == (fits ? a + b : 12345));

            size_t size = 12345;
            fits = product <= SIZE_MAX;
            assert_int_equal(lc_mul_size(a, b, &size), fits);
            assert_true(size == (fits ? a * b : 12345));
            size = 12345;
            fits = sum <= SIZE_MAX;
            assert_int_equal(lc_add_size(a, b, &size), fits);
            assert_true(size == (fits ? a + b : 12345));
        }
    }
}

// Memory -------------------------------------------------------------------------------------

static bool is_filled(const unsigned char *bytes, size_t size_bytes, unsigned char value)
{
    return size_bytes == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size_bytes - 1) == 0);
}

static void test_pages(void **state)
{
    (void)state;
    static const size_t sizes[] = {0,
                                   1,
                                   63,
                                   64,
                                   65,
                                   4095,
                                   4096,
                                   100000,
                                   4194303,
                                   4194304,
                                   4194305,
                                   6291456,
                                   (10 << 20) + 4097,
                                   33554432};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t size_bytes = sizes[i];
        // Twice: memory that comes back used must be zeroed again.
        for (int round = 0; round < 2; round++) {
            unsigned char *pages = lc_alloc_pages(size_bytes);
            assert_non_null(pages);
            assert_int_equal((uintptr_t)pages % 64, 0);
            if (size_bytes >= (size_t)4 << 20)
                assert_int_equal((uintptr_t)pages % ((size_t)2 << 20), 0);
            assert_true(is_filled(pages, size_bytes, 0));
            memset(pages, 0xa5, size_bytes);
            assert_true(is_filled(pages, size_bytes, 0xa5));
            lc_free_pages(pages, size_bytes);
        }
    }
    void *one = lc_alloc_pages(0), *other = lc_alloc_pages(0);
    assert_ptr_not_equal(one, other);
    lc_free_pages(one, 0);
    lc_free_pages(other, 0);
    lc_free_pages(NULL, 0);
    lc_free_pages(NULL, (size_t)1 << 30);
}

// What nobody has touched takes no memory, so that a universe which may grow costs little at first.
static void test_untouched_pages_take_no_memory(void **state)
{
    (void)state;
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    static const size_t sizes[] = {1 << 20, 2 << 20, 16 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        static unsigned char is_there[(16 << 20) / 4096];
        unsigned char *pages = lc_alloc_pages(sizes[i]);
        assert_non_null(pages);
        unsigned char *first = pages + (page_bytes - (uintptr_t)pages % page_bytes) % page_bytes;
        const size_t count = sizes[i] / page_bytes - 1;
        assert_int_equal(mincore(first, count * page_bytes, is_there), 0);
        for (size_t page = 0; page < count; page++)
            assert_int_equal(is_there[page] & 1, 0);
        lc_free_pages(pages, sizes[i]);
    }
}

// Bytes of writable mappings of this process.
static uint64_t mapped_bytes(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    assert_non_null(file);
    uint64_t total = 0, start, end;
    char line[1024], rights[8];
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &start, &end, rights) == 3 &&
            rights[1] == 'w')
            total += end - start;
    fclose(file);
    return total;
}

static void test_pages_are_given_back(void **state)
{
    (void)state;
    size_t size_bytes = ((size_t)256 << 20) + 12345;
    lc_free_pages(lc_alloc_pages(size_bytes), size_bytes);
    uint64_t before = mapped_bytes();
    for (int i = 0; i < 50; i++) {
        void *pages = lc_alloc_pages(size_bytes);
        assert_non_null(pages);
        lc_free_pages(pages, size_bytes);
    }
    // 50 leaks of even the alignment's slack would be 100 MiB.
    assert_true(mapped_bytes() < before + ((size_t)16 << 20));
}

static void test_impossible_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {SIZE_MAX,
                                   SIZE_MAX - 1,
                                   SIZE_MAX - 63,
                                   SIZE_MAX / 2,
                                   (size_t)PTRDIFF_MAX - 1,
                                   (size_t)PTRDIFF_MAX + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_null(lc_alloc_pages(sizes[i]));
        assert_null(lc_calloc(sizes[i], 1));
        assert_null(lc_calloc(sizes[i], 8));
    }
    assert_null(lc_calloc(SIZE_MAX / 2, 3)); // the product wraps to a small number
    assert_null(lc_calloc((size_t)1 << 33, (size_t)1 << 33));
}

static void test_heap(void **state)
{
    (void)state;
    unsigned char *bytes = lc_calloc(1000, 7);
    assert_non_null(bytes);
    assert_true(is_filled(bytes, 7000, 0));
    memset(bytes, 9, 7000);
    bytes = lc_realloc(bytes, 70000);
    assert_non_null(bytes);
    assert_true(is_filled(bytes, 7000, 9));
    lc_free(bytes);
    void *one = lc_malloc(0), *other = lc_malloc(0);
    assert_non_null(one);
    assert_non_null(other);
    assert_ptr_not_equal(one, other);
    lc_free(one);
    lc_free(other);
    lc_free(NULL);
}

static void *allocate(int how)
{
    switch (how) {
    case 0:
        return lc_malloc(10);
    case 1:
        return lc_calloc(10, 10);
    case 2:
        return lc_realloc(NULL, 10);
    default:
        return lc_alloc_pages(10);
    }
}

static void test_failure_hook(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 8; n++) {
        for (int shift = 0; shift < 4; shift++) {
            lc_fail_allocation(n);
            for (uint64_t i = 1; i <= 12; i++) {
                int how = (int)(i + (uint64_t)shift) % 4;
                void *memory = allocate(how);
                if (i == n)
                    assert_null(memory);
                else
                    assert_non_null(memory);
                if (how == 3)
                    lc_free_pages(memory, 10);
                else
                    lc_free(memory);
            }
        }
    }
    lc_fail_allocation(2);
    lc_fail_allocation(0);
    for (int i = 0; i < 4; i++) {
        void *memory = lc_malloc(1);
        assert_non_null(memory);
        lc_free(memory);
    }
    // What realloc was asked to enlarge is still there when it fails.
    char *kept = lc_malloc(4);
    assert_non_null(kept);
    memcpy(kept, "abc", 4);
    lc_fail_allocation(1);
    assert_null(lc_realloc(kept, 1000));
    assert_string_equal(kept, "abc");
    lc_free(kept);
}

// The machine --------------------------------------------------------------------------------

static void test_machine(void **state)
{
    (void)state;
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t memory = lc_memory_of_machine();
    assert_true(memory >= (uint64_t)16 << 20);
    assert_true(memory <= (uint64_t)pages * (uint64_t)page_bytes);

    int cpus = lc_cpu_count();
    assert_true(cpus >= 1);
    assert_true(cpus <= sysconf(_SC_NPROCESSORS_CONF));

    assert_true(lc_cpu_l1_bytes() >= 4096 && lc_cpu_l1_bytes() <= (size_t)1 << 20);
    assert_true(lc_cpu_l2_bytes() >= lc_cpu_l1_bytes());
    assert_true(lc_cpu_l2_bytes() <= (size_t)1 << 28);

    const char *model = lc_cpu_model();
    assert_non_null(model);
    size_t length = strlen(model);
    assert_true(length < 128);
    if (length > 0) {
        assert_true(model[0] != ' ');
        assert_true(model[length - 1] != ' ' && model[length - 1] != '\n');
    }
    assert_ptr_equal(model, lc_cpu_model());
}

static void test_cpu_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"       Intel(R) Xeon(R)", "Intel(R) Xeon(R)"},
                                           {"AMD EPYC  \n", "AMD EPYC"},
                                           {" \tCortex A72 ", "Cortex A72"},
                                           {"Neoverse", "Neoverse"},
                                           {"   ", ""},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        memset(name, 'x', sizeof name);
        memcpy(name, names[i][0], strlen(names[i][0]) + 1);
        lc_cpu_trim_name(name);
        assert_string_equal(name, names[i][1]);
    }
}

// With fewer CPUs in the mask there are fewer CPUs.
static void test_affinity(void **state)
{
    (void)state;
    cpu_set_t old, one;
    if (sched_getaffinity(0, sizeof old, &old) != 0)
        skip();
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &old)) {
            CPU_SET(cpu, &one);
            break;
        }
    }
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        skip();
    int cpus = lc_cpu_count();
    assert_int_equal(sched_setaffinity(0, sizeof old, &old), 0);
    assert_int_equal(cpus, 1);
}

#if defined(__x86_64__)
// The compiler's own detection is the second opinion.
static void test_features(void **state)
{
    (void)state;
    __builtin_cpu_init();
    unsigned features = lc_cpu_features();
    assert_int_equal(!!(features & LC_CPU_AVX2), !!__builtin_cpu_supports("avx2"));
    assert_int_equal(!!(features & LC_CPU_BMI2), !!__builtin_cpu_supports("bmi2"));
    assert_int_equal(!!(features & LC_CPU_AVX512F), !!__builtin_cpu_supports("avx512f"));
    assert_int_equal(!!(features & LC_CPU_AVX512BW), !!__builtin_cpu_supports("avx512bw"));
    assert_int_equal(!!(features & LC_CPU_AVX512VL), !!__builtin_cpu_supports("avx512vl"));
    assert_int_equal(!!(features & LC_CPU_AVX512DQ), !!__builtin_cpu_supports("avx512dq"));
    assert_int_equal(!!(features & LC_CPU_AVX512VBMI), !!__builtin_cpu_supports("avx512vbmi"));
    assert_int_equal(!!(features & LC_CPU_AVX512VBMI2), !!__builtin_cpu_supports("avx512vbmi2"));
    assert_int_equal(!!(features & LC_CPU_AVX512VPOPCNTDQ),
                     !!__builtin_cpu_supports("avx512vpopcntdq"));
    assert_int_equal(!!(features & LC_CPU_GFNI), !!__builtin_cpu_supports("gfni"));
    assert_int_equal(features & LC_CPU_NEON, 0);
    assert_string_equal(lc_cpu_missing(features | LC_CPU_NEON), "neon");
}
#elif defined(__aarch64__)
static void test_features(void **state)
{
    (void)state;
    assert_int_equal(lc_cpu_features(), LC_CPU_NEON);
    assert_string_equal(lc_cpu_missing(LC_CPU_NEON | LC_CPU_AVX512F), "avx512f");
}
#else
static void test_features(void **state)
{
    (void)state;
    assert_int_equal(lc_cpu_features(), 0);
}
#endif

static void test_sizes_as_text(void **state)
{
    (void)state;
    static const struct {
        uint64_t size_bytes;
        const char *text;
    } cases[] = {
        {0, "0 bytes"},
        {1023, "1023 bytes"},
        {1024, "1.0 KiB (1024 bytes)"},
        {1048575, "1.0 MiB (1048575 bytes)"}, // not 1024.0 KiB
        {UINT64_C(1610612736), "1.5 GiB (1610612736 bytes)"},
        {UINT64_C(25653019344896), "23.3 TiB (25653019344896 bytes)"},
        {UINT64_MAX, "16.0 EiB (18446744073709551615 bytes)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[LC_SIZE_TEXT_BYTES];
        assert_string_equal(lc_size_text(cases[i].size_bytes, text), cases[i].text);
    }
}

static void test_missing(void **state)
{
    (void)state;
    assert_null(lc_cpu_missing(0));
    assert_null(lc_cpu_missing(lc_cpu_features()));
    for (unsigned bit = 0; bit < 10; bit++) {
        const char *name = lc_cpu_missing(1u << bit);
        assert_int_equal(name == NULL, (lc_cpu_features() >> bit) & 1);
    }
}

static void test_clock(void **state)
{
    (void)state;
    struct timespec before, after;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &before), 0);
    const uint64_t now_ns = lc_clock_ns();
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &after), 0);
    assert_in_range(now_ns, (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec,
                    (uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
    for (uint64_t last = 0, i = 0; i < 100000; i++) {
        uint64_t now = lc_clock_ns();
        assert_true(now >= last);
        last = now;
    }
}

// Whatever disturbs one time in three does not count, and what lasts is learnt.
static void test_time_of_late(void **state)
{
    (void)state;
    double known = 0;
    for (int i = 0; i < 300; i++) {
        known = lc_time_of_late(known, i % 3 == 1 ? 50 : 1);
        assert_true(known >= 1 && known < 1.1);
    }
    for (int i = 0; i < 24; i++)
        known = lc_time_of_late(known, 2);
    assert_true(known == 2);
    known = lc_time_of_late(known, 0.5);
    assert_true(known == 0.5);
}

// Control groups: a small tree of files stands for /proc and /sys ------------------------------

static char root[64];

static void put(const char *path, const char *text)
{
    char full[512];
    (void)snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = full + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/lightcone-test-XXXXXX");
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void test_cgroup_none(void **state)
{
    (void)state;
    uint64_t value = 77;
    assert_false(lc_cgroup_cpus(root, &value));
    put("proc/self/cgroup", "");
    assert_false(lc_cgroup_cpus(root, &value));
    put("proc/self/cgroup", "nonsense\n:\n::\n0::/a\n");
    assert_false(lc_cgroup_memory(root, &value));
    assert_int_equal(value, 77);
}

static void test_cgroup_2(void **state)
{
    (void)state;
    uint64_t value;
    put("proc/self/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/job/step/memory.max", "max\n");
    assert_false(lc_cgroup_cpus(root, &value));
    assert_false(lc_cgroup_memory(root, &value));
    // A limit of the group above holds; a part of a CPU counts as a whole one.
    put("sys/fs/cgroup/job/cpu.max", "350000 100000\n");
    put("sys/fs/cgroup/job/memory.max", "1073741824\n");
    assert_true(lc_cgroup_cpus(root, &value));
    assert_int_equal(value, 4);
    assert_true(lc_cgroup_memory(root, &value));
    assert_int_equal(value, 1073741824);
    // The lowest of them holds, here the group's own ...
    put("sys/fs/cgroup/job/step/cpu.max", "50000 100000\n");
    assert_true(lc_cgroup_cpus(root, &value));
    assert_int_equal(value, 1);
    // ... and here the top's, as seen from inside a container.
    put("sys/fs/cgroup/memory.max", "4096000\n");
    assert_true(lc_cgroup_memory(root, &value));
    assert_int_equal(value, 4096000);
    put("proc/self/cgroup", "0::/../../not/here\n");
    assert_true(lc_cgroup_memory(root, &value));
    assert_int_equal(value, 4096000);
}

static void test_cgroup_1(void **state)
{
    (void)state;
    uint64_t value;
    put("proc/self/cgroup", "9:memory:/box\n4:cpuset:/wrong\n3:cpu,cpuacct:/box\n0::/\n");
    put("sys/fs/cgroup/cpuset/wrong/cpu.cfs_quota_us", "100000\n");
    put("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
    assert_false(lc_cgroup_cpus(root, &value));
    assert_false(lc_cgroup_memory(root, &value));
    put("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "200000\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "33554432\n");
    assert_true(lc_cgroup_cpus(root, &value));
    assert_int_equal(value, 2);
    assert_true(lc_cgroup_memory(root, &value));
    assert_int_equal(value, 33554432);
    put("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "0\n");
    assert_false(lc_cgroup_cpus(root, &value));
}

// Errors -------------------------------------------------------------------------------------

static void test_statuses(void **state)
{
    (void)state;
    assert_int_equal(LC_OK, 0);
    assert_string_equal(lc_status_name(LC_OK), "LC_OK");
    assert_string_equal(lc_status_name(LC_ERROR_IO), "LC_ERROR_IO");
    assert_string_equal(lc_status_text(LC_ERROR_IO), "input or output failed");
    static const lc_status all[] = {
#define VALUE(name, value, text) name,
        LC_STATUS_LIST(VALUE)
#undef VALUE
    };
    size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; i++) {
        assert_true(all[i] == -(int)i); // 0, -1, -2 ... without a hole
        assert_true(strlen(lc_status_text(all[i])) > 3);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(lc_status_name(all[i]), lc_status_name(all[j]));
    }
    int beyond[] = {1, -(int)count, -1000};
    for (size_t i = 0; i < 3; i++) {
        assert_non_null(lc_status_name((lc_status)beyond[i]));
        assert_non_null(lc_status_text((lc_status)beyond[i]));
    }
    int major, minor, patch;
    char rest;
    assert_int_equal(sscanf(lc_version(), "%d.%d.%d%c", &major, &minor, &patch, &rest), 3);
    assert_int_equal(major, LC_VERSION_MAJOR);
    assert_int_equal(minor, LC_VERSION_MINOR);
    assert_int_equal(patch, LC_VERSION_PATCH);
    assert_int_equal(major * 10000 + minor * 100 + patch, LC_VERSION_NUMBER);
    assert_true(minor < 100 && patch < 100);
}

static void test_messages(void **state)
{
    (void)state;
    lc_message message;
    memset(&message, 0xff, sizeof message);
    assert_int_equal(lc_fail(&message, LC_ERROR_IO, "cannot open %s", "x"), LC_ERROR_IO);
    assert_string_equal(message.text, "cannot open x");
    assert_true(message.line == 0 && message.column == 0 && message.offset == 0);
    assert_int_equal(lc_fail_at_line(&message, LC_ERROR_FORMAT, 3, 4, "bad"), LC_ERROR_FORMAT);
    assert_true(message.line == 3 && message.column == 4 && message.offset == 0);
    assert_int_equal(lc_fail_at_byte(&message, LC_ERROR_FORMAT, 5, "bad"), LC_ERROR_FORMAT);
    assert_true(message.line == 0 && message.column == 0 && message.offset == 5);
    assert_int_equal(lc_fail(NULL, LC_ERROR_LIMIT, "nobody listens"), LC_ERROR_LIMIT);

    // The exact numbers stand there only where the rounded ones are alike.
    assert_int_equal(lc_fail_memory(&message, "%d slabs", 3), LC_ERROR_MEMORY);
    assert_string_equal(message.text, "out of memory for 3 slabs");
    assert_int_equal(lc_fail_limit(&message, 3 << 20, 2 << 20, "%d cells need", 9), LC_ERROR_LIMIT);
    assert_string_equal(message.text,
                        "out of memory: 9 cells need 3.0 MiB and the limit is 2.0 MiB");
    lc_fail_limit(&message, (2 << 20) + 1, 2 << 20, "it needs");
    assert_string_equal(message.text,
                        "out of memory: it needs 2.0 MiB (2097153 bytes) and the limit "
                        "is 2.0 MiB (2097152 bytes)");
    lc_fail_limit(&message, 1025, 1000, "it needs");
    assert_string_equal(message.text,
                        "out of memory: it needs 1.0 KiB and the limit is 1000 bytes");
    assert_int_equal(lc_fail_setting(&message, "foo=2,bar=1", "blocks=N", "engine \"%s\"", "simd"),
                     LC_ERROR_ARGUMENT);
    assert_string_equal(message.text,
                        "unknown setting \"foo=2\" for engine \"simd\"; it accepts blocks=N");
    lc_fail_limit(&message, 0, 2 << 20, "it needs");
    assert_string_equal(message.text, "out of memory: it needs more than the limit of 2.0 MiB");

    char text[1000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    lc_fail(&message, LC_ERROR_IO, "%s", text);
    assert_int_equal(strlen(message.text), sizeof message.text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_untouched_pages_take_no_memory),
        cmocka_unit_test(test_pages_are_given_back),
        cmocka_unit_test(test_impossible_sizes),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_failure_hook),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_cpu_names),
        cmocka_unit_test(test_affinity),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_sizes_as_text),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_time_of_late),
        cmocka_unit_test_setup_teardown(test_cgroup_none, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_cgroup_2, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_cgroup_1, make_root, remove_root),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
