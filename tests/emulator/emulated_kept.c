// A folder of as many files as there are slots: a key has one of them, and what comes later takes
// its place, so that the folder needs no tidying.
#include "emulator/emulated_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { SLOTS = 4096 };

// The library follows it.
typedef struct head {
    emulated_key key;
    uint64_t checksum; // of the library
} head;

static void add(emulated_key *key, const char *text)
{
    // As hashes of hashes, in which no two lists of texts run together.
    const XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
    const uint64_t both[] = {key->high, key->low, hash.high64, hash.low64};
    const XXH128_hash_t sum = XXH3_128bits(both, sizeof both);
    *key = (emulated_key){.high = sum.high64, .low = sum.low64};
}

emulated_key emulated_key_of(const stand_in_program *program, size_t option_count,
                             const char *const *options)
{
    emulated_key key = {.high = option_count, .low = program->header_count};
    add(&key, EMULATED_STAMP);
    add(&key, program->target);
    add(&key, program->name);
    add(&key, program->text);
    for (size_t i = 0; i < program->header_count; i++) {
        add(&key, program->header_names[i]);
        add(&key, program->headers[i]);
    }
    for (size_t i = 0; i < option_count; i++)
        add(&key, options[i]);
    return key;
}

static void slot_path(char path[512], const emulated_key *key)
{
    snprintf(path, 512, "%s/%03x", EMULATED_KEPT, (unsigned int)(key->low % SLOTS));
}

char *emulated_kept_read(const emulated_key *key, size_t *size_bytes)
{
    char path[512];
    struct stat facts;
    head have;
    char *library = NULL;
    slot_path(path, key);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    if (fstat(fileno(file), &facts) == 0 && fread(&have, sizeof have, 1, file) == 1 &&
        memcmp(&have.key, key, sizeof *key) == 0) {
        const size_t size = (size_t)facts.st_size - sizeof have;
        library = malloc(size);
        if (fread(library, 1, size, file) == size && XXH3_64bits(library, size) == have.checksum) {
            *size_bytes = size;
        } else {
            free(library);
            library = NULL;
        }
    }
    fclose(file);
    return library;
}

// Under another name first: tests run beside each other, and may be killed.
void emulated_keep(const emulated_key *key, const char *library, size_t size_bytes)
{
    char path[512], writing[] = EMULATED_KEPT "/writing-XXXXXX";
    (void)mkdir(EMULATED_KEPT, 0700);
    const int number = mkstemp(writing);
    FILE *file = number < 0 ? NULL : fdopen(number, "wb");
    if (file == NULL)
        return;
    const head one = {.key = *key, .checksum = XXH3_64bits(library, size_bytes)};
    bool good = fwrite(&one, sizeof one, 1, file) == 1 &&
                fwrite(library, 1, size_bytes, file) == size_bytes;
    good = fclose(file) == 0 && good;
    slot_path(path, key);
    if (!good || rename(writing, path) != 0)
        unlink(writing);
}
