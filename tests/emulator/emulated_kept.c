// A folder of as many files as there are slots: a key has one of them, and a later key of the same
// slot takes its place. So the folder needs no tidying, and holds 4,096 libraries at most.
//
// A file is written under another name and renamed, since tests run beside each other and may be
// killed. Two processes that write one slot at the same time may spoil it: the checksum shows that,
// and the library is compiled again.
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

// The headers as the compiler is going to read them, which may be newer than EMULATED_STAMP.
static void add_file(emulated_key *key, const char *path)
{
    struct stat facts;
    char *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return;
    if (fstat(fileno(file), &facts) == 0 && (text = malloc((size_t)facts.st_size + 1)) != NULL) {
        text[fread(text, 1, (size_t)facts.st_size, file)] = '\0';
        add(key, text);
    }
    free(text);
    fclose(file);
}

emulated_key emulated_key_of(const stand_in_program *program, size_t option_count,
                             const char *const *options)
{
    emulated_key key = {.high = option_count, .low = program->header_count};
    // A compiler that is replaced without a new version: by its file's size and time.
    char compiler[64] = "";
    struct stat facts;
    if (stat(EMULATED_CC, &facts) == 0)
        snprintf(compiler, sizeof compiler, "%lld %lld", (long long)facts.st_size,
                 (long long)facts.st_mtime);
    add(&key, compiler);
    add(&key, EMULATED_STAMP);
    add_file(&key, EMULATED_BUILTINS);
    add_file(&key, EMULATED_ABI);
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

enum { PATH_BYTES = 512 };

// The folder: the user's, which all builds share, or the build's own where the environment names no
// folder of the user.
static void folder_path(char path[PATH_BYTES])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/')
        snprintf(path, PATH_BYTES, "%s/lightcone-tests/emulated", cache);
    else if (home != NULL && home[0] == '/')
        snprintf(path, PATH_BYTES, "%s/.cache/lightcone-tests/emulated", home);
    else
        snprintf(path, PATH_BYTES, "%s", EMULATED_KEPT);
}

static void make_folder(char path[PATH_BYTES])
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
}

// False if the path is too long.
static bool slot_path(char path[PATH_BYTES], const emulated_key *key, const char *ending)
{
    char folder[PATH_BYTES];
    folder_path(folder);
    return snprintf(path, PATH_BYTES, "%s/%03x%s", folder, (unsigned int)(key->low % SLOTS),
                    ending) < PATH_BYTES;
}

char *emulated_kept_read(const emulated_key *key, size_t *size_bytes)
{
    char path[PATH_BYTES];
    struct stat facts;
    head have;
    char *library = NULL;
    FILE *file = slot_path(path, key, "") ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return NULL;
    if (fstat(fileno(file), &facts) == 0 && facts.st_uid == geteuid() &&
        fread(&have, sizeof have, 1, file) == 1 && memcmp(&have.key, key, sizeof *key) == 0) {
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

void emulated_keep(const emulated_key *key, const char *library, size_t size_bytes)
{
    char folder[PATH_BYTES], path[PATH_BYTES], writing[PATH_BYTES];
    if (!slot_path(path, key, "") || !slot_path(writing, key, ".writing"))
        return;
    folder_path(folder);
    make_folder(folder);
    FILE *file = fopen(writing, "wb");
    if (file == NULL)
        return;
    const head one = {.key = *key, .checksum = XXH3_64bits(library, size_bytes)};
    bool good = fwrite(&one, sizeof one, 1, file) == 1 &&
                fwrite(library, 1, size_bytes, file) == size_bytes;
    good = fclose(file) == 0 && good;
    if (!good || rename(writing, path) != 0)
        unlink(writing);
}
