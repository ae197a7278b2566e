// Allocation with a test hook for failures, and arithmetic that detects overflow.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cgroup.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LC_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LC_ADDRESS_SANITIZER
#endif
#ifdef LC_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

// Blocks of this size and more get their own mapping, whose zeros cost nothing until they are used.
static const size_t mapped_from_bytes = (size_t)128 << 10;
// Mappings of this size and more are aligned for huge pages. An engine accesses its rows with a
// large stride, and with 4 KiB pages each row would cost a TLB miss.
static const size_t huge_from_bytes = (size_t)4 << 20;
static const size_t huge_page_bytes = (size_t)2 << 20;
static const size_t line_bytes = 64;

static atomic_uint_fast64_t allocations_to_failure; // 0: the hook is off

void lc_fail_allocation(uint64_t n)
{
    allocations_to_failure = n;
}

static bool must_fail(void)
{
    // Written only while a test uses the hook. Otherwise threads would contend for the cache line.
    return atomic_load(&allocations_to_failure) != 0 &&
           atomic_fetch_sub(&allocations_to_failure, 1) == 1;
}

bool lc_mul_size(size_t a, size_t b, size_t *product)
{
    size_t result;
    if (__builtin_mul_overflow(a, b, &result))
        return false;
    *product = result;
    return true;
}

bool lc_add_size(size_t a, size_t b, size_t *sum)
{
    size_t result;
    if (__builtin_add_overflow(a, b, &result))
        return false;
    *sum = result;
    return true;
}

bool lc_mul_u64(uint64_t a, uint64_t b, uint64_t *product)
{
    uint64_t result;
    if (__builtin_mul_overflow(a, b, &result))
        return false;
    *product = result;
    return true;
}

bool lc_add_u64(uint64_t a, uint64_t b, uint64_t *sum)
{
    uint64_t result;
    if (__builtin_add_overflow(a, b, &result))
        return false;
    *sum = result;
    return true;
}

// Rounds up to a multiple of the power of two `unit`. `size` is at most PTRDIFF_MAX.
static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) & ~(unit - 1);
}

static void *map(size_t size_bytes)
{
    void *base = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return base != MAP_FAILED ? base : NULL;
}

// Returns the mapping length of a large block in whole huge pages. Small pages would map a smaller
// tail, and the kernel might then place it next to another mapping.
static size_t mapped_bytes(size_t size_bytes)
{
    return round_up(size_bytes, huge_page_bytes);
}

static void *map_huge_pages(size_t size_bytes)
{
    size_t length = mapped_bytes(size_bytes);
    size_t reserved = length + huge_page_bytes;
    char *base = map(reserved);
    if (base == NULL)
        return NULL;
    // Unmaps the parts before the first huge page boundary and after the block.
    size_t before = round_up((uintptr_t)base, huge_page_bytes) - (uintptr_t)base;
    if (before > 0)
        (void)munmap(base, before);
    if (before < huge_page_bytes)
        (void)munmap(base + before + length, huge_page_bytes - before);
    (void)madvise(base + before, length, MADV_HUGEPAGE); // only a hint: small pages work as well
    return base + before;
}

// Under AddressSanitizer a protected page on each side of a block catches accesses outside it. The
// sanitizer's own allocator would also fill shadow memory for the whole block, one byte for each
// eight, which takes longer than most uses of a block.
#ifdef LC_ADDRESS_SANITIZER
static const size_t guard_bytes = 4096;

static void *map_small_pages(size_t size_bytes)
{
    char *base = map(size_bytes + 2 * guard_bytes);
    if (base == NULL)
        return NULL;
    __asan_poison_memory_region(base, guard_bytes);
    __asan_poison_memory_region(base + guard_bytes + size_bytes, guard_bytes);
    return base + guard_bytes;
}

static void unmap_small_pages(void *pages, size_t size_bytes)
{
    char *base = (char *)pages - guard_bytes;
    __asan_unpoison_memory_region(base, guard_bytes);
    __asan_unpoison_memory_region(base + guard_bytes + size_bytes, guard_bytes);
    (void)munmap(base, size_bytes + 2 * guard_bytes);
}
#else
static void *map_small_pages(size_t size_bytes)
{
    return map(size_bytes);
}

static void unmap_small_pages(void *pages, size_t size_bytes)
{
    (void)munmap(pages, size_bytes);
}
#endif

void *lc_alloc_pages(size_t size_bytes)
{
    if (must_fail() || size_bytes > PTRDIFF_MAX - 2 * huge_page_bytes)
        return NULL;
    if (size_bytes >= huge_from_bytes)
        return map_huge_pages(size_bytes);
    if (size_bytes >= mapped_from_bytes)
        return map_small_pages(size_bytes);
    size_t rounded = round_up(size_bytes ? size_bytes : 1, line_bytes);
    void *pages = aligned_alloc(line_bytes, rounded);
    if (pages != NULL)
        memset(pages, 0, rounded);
    return pages;
}

void lc_free_pages(void *pages, size_t size_bytes)
{
    if (pages == NULL)
        return;
    if (size_bytes >= huge_from_bytes)
        (void)munmap(pages, mapped_bytes(size_bytes));
    else if (size_bytes >= mapped_from_bytes)
        unmap_small_pages(pages, size_bytes);
    else
        free(pages);
}

static uint64_t find_memory_of_machine(void)
{
    uint64_t size_bytes = 0;
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0)
        size_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    uint64_t limit;
    if (lc_cgroup_memory("", &limit) && (size_bytes == 0 || limit < size_bytes))
        size_bytes = limit;
    return size_bytes;
}

uint64_t lc_memory_of_machine(void)
{
    static _Atomic(uint64_t) found;
    uint64_t size_bytes = atomic_load(&found);
    if (size_bytes == 0) { // several threads may do this and find the same value
        size_bytes = find_memory_of_machine();
        atomic_store(&found, size_bytes);
    }
    return size_bytes;
}

uint64_t lc_memory_limit(uint64_t asked)
{
    static const uint64_t limit_if_unknown = (uint64_t)4 << 30;
    const uint64_t machine_bytes = asked != 0 ? 0 : lc_memory_of_machine();
    return asked != 0 ? asked : machine_bytes != 0 ? machine_bytes / 2 : limit_if_unknown;
}

const char *lc_size_text(uint64_t size_bytes, char text[LC_SIZE_TEXT_BYTES])
{
    static const char units[][4] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned long long bytes = size_bytes;
    size_t unit = 0;
    double value = (double)size_bytes / 1024;
    for (; value >= 1023.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    if (size_bytes < 1024)
        (void)snprintf(text, LC_SIZE_TEXT_BYTES, "%llu bytes", bytes);
    else
        (void)snprintf(text, LC_SIZE_TEXT_BYTES, "%.1f %s (%llu bytes)", value, units[unit], bytes);
    return text;
}

void *lc_malloc(size_t size_bytes)
{
    return must_fail() ? NULL : malloc(size_bytes ? size_bytes : 1);
}

void *lc_calloc(size_t count, size_t size_bytes)
{
    size_t total;
    if (must_fail() || !lc_mul_size(count, size_bytes, &total))
        return NULL;
    return calloc(1, total ? total : 1);
}

void *lc_realloc(void *old, size_t size_bytes)
{
    return must_fail() ? NULL : realloc(old, size_bytes ? size_bytes : 1);
}

void lc_free(void *memory)
{
    free(memory);
}

bool lc_grow(void *array, size_t *room, size_t count, size_t element_bytes)
{
    enum { LEAST = 16 };
    size_t more = LEAST, size_bytes;
    void *elements;
    if (count <= *room)
        return true;
    if (*room > LEAST / 2)
        more = *room <= SIZE_MAX / 2 ? 2 * *room : SIZE_MAX;
    more = more > count ? more : count;
    memcpy(&elements, array, sizeof elements); // a pointer of any type
    if (!lc_mul_size(more, element_bytes, &size_bytes) ||
        (elements = lc_realloc(elements, size_bytes)) == NULL)
        return false;
    memcpy(array, &elements, sizeof elements);
    *room = more;
    return true;
}
