// Memory whose size was checked, and the arithmetic that checks it.
#ifndef LC_BASE_MEMORY_H
#define LC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// *product = a * b (or *sum = a + b); false, and nothing written, if it does not fit.
bool lc_mul_size(size_t a, size_t b, size_t *product);
bool lc_add_size(size_t a, size_t b, size_t *sum);
bool lc_mul_u64(uint64_t a, uint64_t b, uint64_t *product);
bool lc_add_u64(uint64_t a, uint64_t b, uint64_t *sum);

// Zeroed memory aligned to 64 bytes (large blocks: to 2 MiB, with huge pages asked for). NULL if
// there is none; size 0 gives a unique pointer. Freed by lc_free_pages with the same size.
void *lc_alloc_pages(size_t size_bytes);
void lc_free_pages(void *pages, size_t size_bytes);

// Bytes of memory in this machine (the cgroup's limit where that is lower); 0 if unknown. The
// system is asked once a process, because that takes as long as a small universe.
uint64_t lc_memory_of_machine(void);

// What may be taken: `asked` bytes, or for 0 half of the machine's memory, or 4 GiB if that is not
// known.
uint64_t lc_memory_limit(uint64_t asked);

// A size for messages: "23.3 TiB (25653019344896 bytes)", or the bytes alone below 1 KiB.
#define LC_SIZE_TEXT_BYTES 48
const char *lc_size_text(uint64_t size_bytes, char text[LC_SIZE_TEXT_BYTES]);

// Test hook: the n-th allocation from now on through lc_alloc_pages, lc_malloc, lc_calloc and
// lc_realloc fails (1 = the next), and all after it succeed; 0 = none. Not for threads.
void lc_fail_allocation(uint64_t n);

void *lc_malloc(size_t size_bytes);               // not zeroed; NULL if there is none
void *lc_calloc(size_t count, size_t size_bytes); // zeroed, product checked
void *lc_realloc(void *old, size_t size_bytes);
void lc_free(void *memory);

#endif
