// Memory of a GPU that is none. Each block has a mapping of its own:
//
//     | page that cannot be touched | slack | the block | slack | page that cannot be touched |
//
// with slack at one side only, and less than 16 bytes of it where the block is to end at the page;
// the slack holds a pattern, which is looked at after each kernel. Of blocks of the GPU, the first
// is to end at a page, the second to begin at one, and so on: of two buffers that are exchanged,
// each end will be at a page at some time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emulator/stand_in.h"

enum { SLACK_BYTE = 0xC5, ALIGNMENT_BYTES = 16 };
static const uint64_t rubbish = 0xA7D35B916E4C28F1;

typedef struct block {
    struct block *next;
    stand_in_kind kind;
    char *mapping;
    size_t mapping_bytes;
    char *start;
    size_t size_bytes;
} block;

static block *blocks;
static size_t used_bytes;
static size_t gpu_blocks;

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

void *stand_in_memory(stand_in_kind kind, size_t size_bytes)
{
    size_t page = page_bytes();
    if (size_bytes > SIZE_MAX / 2)
        return NULL;
    size_t inside_bytes = (size_bytes + page - 1) / page * page;
    block *one = calloc(1, sizeof *one);
    char *mapping = mmap(NULL, inside_bytes + 2 * page, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (one == NULL || mapping == MAP_FAILED ||
        mprotect(mapping + page, inside_bytes, PROT_READ | PROT_WRITE) != 0) {
        free(one);
        return NULL;
    }
    size_t before_bytes = (inside_bytes - size_bytes) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    if (kind == STAND_IN_GPU) {
        if (gpu_blocks++ % 2 == 1)
            before_bytes = 0;
        used_bytes += size_bytes;
    }
    *one = (block){.next = blocks,
                   .kind = kind,
                   .mapping = mapping,
                   .mapping_bytes = inside_bytes + 2 * page,
                   .start = mapping + page + before_bytes,
                   .size_bytes = size_bytes};
    blocks = one;
    memset(mapping + page, SLACK_BYTE, inside_bytes);
    for (size_t i = 0; i < size_bytes; i += sizeof rubbish)
        memcpy(one->start + i, &rubbish,
               size_bytes - i < sizeof rubbish ? size_bytes - i : sizeof rubbish);
    return one->start;
}

void stand_in_memory_free(void *memory)
{
    for (block **at = &blocks; *at != NULL; at = &(*at)->next) {
        block *one = *at;
        if (one->start == memory) {
            *at = one->next;
            if (one->kind == STAND_IN_GPU) {
                used_bytes -= one->size_bytes;
                gpu_blocks--;
            }
            munmap(one->mapping, one->mapping_bytes);
            free(one);
            return;
        }
    }
}

bool stand_in_memory_has(stand_in_kind kind, const void *address, size_t size_bytes)
{
    uintptr_t wanted = (uintptr_t)address;
    for (const block *one = blocks; one != NULL; one = one->next) {
        uintptr_t start = (uintptr_t)one->start;
        if (one->kind == kind && wanted >= start && wanted - start <= one->size_bytes &&
            size_bytes <= one->size_bytes - (wanted - start))
            return true;
    }
    return false;
}

size_t stand_in_memory_used(void)
{
    return used_bytes;
}

static const char *const kinds[] = {"GPU memory", "pinned memory", "shared memory"};

void stand_in_describe(const void *address, char *text, size_t text_bytes)
{
    uintptr_t wanted = (uintptr_t)address;
    for (const block *one = blocks; one != NULL; one = one->next) {
        uintptr_t start = (uintptr_t)one->start;
        uintptr_t mapping = (uintptr_t)one->mapping;
        if (wanted < mapping || wanted >= mapping + one->mapping_bytes)
            continue;
        if (wanted < start)
            snprintf(text, text_bytes, "%zu bytes before %zu of %s", (size_t)(start - wanted),
                     one->size_bytes, kinds[one->kind]);
        else
            snprintf(text, text_bytes, "byte %zu of %zu of %s", (size_t)(wanted - start),
                     one->size_bytes, kinds[one->kind]);
        return;
    }
    snprintf(text, text_bytes, "address %p, which is not the GPU's", address);
}

// The first byte of the slack from `at` to `end` that a kernel wrote to; NULL if there is none.
static const char *written(const char *at, const char *end)
{
    // All bytes are alike if each is like the one after it.
    if (at == end ||
        ((unsigned char)*at == SLACK_BYTE && memcmp(at, at + 1, (size_t)(end - at) - 1) == 0))
        return NULL;
    while ((unsigned char)*at == SLACK_BYTE)
        at++;
    return at;
}

bool stand_in_memory_is_whole(char *text, size_t text_bytes)
{
    size_t page = page_bytes();
    for (const block *one = blocks; one != NULL; one = one->next) {
        const char *at = written(one->mapping + page, one->start);
        if (at == NULL)
            at = written(one->start + one->size_bytes, one->mapping + one->mapping_bytes - page);
        if (at != NULL) {
            char where[128];
            stand_in_describe(at, where, sizeof where);
            snprintf(text, text_bytes, "some thread wrote to %s", where);
            return false;
        }
    }
    return true;
}
