// Memory allocation with checked sizes, and the arithmetic for the checks.
#ifndef LC_BASE_MEMORY_H
#define LC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// *product = a * b (or *sum = a + b). Returns false and writes nothing on overflow.
bool lc_mul_size(size_t a, size_t b, size_t *product);
bool lc_add_size(size_t a, size_t b, size_t *sum);
bool lc_mul_u64(uint64_t a, uint64_t b, uint64_t *product);
bool lc_add_u64(uint64_t a, uint64_t b, uint64_t *sum);

// Returns zeroed memory aligned to 64 bytes; large blocks are aligned to 2 MiB and use huge pages
// if possible. NULL: out of memory. Size 0 returns a unique pointer. Free with lc_free_pages and
// the same size.
void *lc_alloc_pages(size_t size_bytes);
void lc_free_pages(void *pages, size_t size_bytes);

// Returns the memory of this machine in bytes, or the control group's limit if that is lower; 0:
// unknown. Asks the system once per process, because the query takes as long as creating a small
// universe.
uint64_t lc_memory_of_machine(void);

// Returns the memory limit in bytes: `asked`, or for 0 half of the machine's memory, or 4 GiB if
// the machine's memory is unknown.
uint64_t lc_memory_limit(uint64_t asked);

// Formats a size for messages: "23.3 TiB (25653019344896 bytes)", or only the bytes below 1 KiB.
#define LC_SIZE_TEXT_BYTES 48
const char *lc_size_text(uint64_t size_bytes, char text[LC_SIZE_TEXT_BYTES]);

// Test hook: the n-th allocation from now on through lc_alloc_pages, lc_malloc, lc_calloc and
// lc_realloc fails (1: the next one), and all later ones succeed. 0 turns the hook off. Not for use
// with threads.
void lc_fail_allocation(uint64_t n);

void *lc_malloc(size_t size_bytes);               // not zeroed; NULL: out of memory
void *lc_calloc(size_t count, size_t size_bytes); // zeroed; checks the product
void *lc_realloc(void *old, size_t size_bytes);
void lc_free(void *memory);

// Makes room for `count` elements in an array with room for *room. `array` is the address of the
// pointer to its first element. The room at least doubles, so adding elements one by one is cheap.
// Returns false and changes nothing if it is out of memory.
bool lc_grow(void *array, size_t *room, size_t count, size_t element_bytes);

#endif
