// Removes rank files that no index needs (checkpoint_rank_files.h): those of a replaced index, and
// those of processes that were killed.
//
// A rank file is removed if its header agrees with its name and no index in its folder has its id.
// An index may have been copied or renamed, so all indexes of the folder count. The rank files of a
// replaced index are removed once its successor is in its place. Rank files of killed processes are
// removed only if their lock is free, because another job may be writing them. As with temporary
// files (file/temporary.h), none are removed where there are no locks.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "checkpoint/checkpoint_rank_files.h"
#include "file/temporary.h"

enum { ID_DIGITS = 16 };

static bool read_exactly(int descriptor, void *bytes, size_t size_bytes)
{
    return read(descriptor, bytes, size_bytes) == (ssize_t)size_bytes;
}

// Reads the header of a file in a folder, if the file is an index.
static bool read_index(int folder, const char *file, lc_checkpoint_header *header, char *name)
{
    uint8_t bytes[LC_CHECKPOINT_HEADER_MOST], field[LC_RANK_FILE_NAME_FIELD_BYTES];
    uint32_t header_bytes;
    const int descriptor = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return false;
    const bool found = read_exactly(descriptor, bytes, LC_CHECKPOINT_START_BYTES) &&
                       memcmp(bytes, lc_checkpoint_magic, sizeof lc_checkpoint_magic) == 0 &&
                       lc_checkpoint_measure_header(bytes, &header_bytes, NULL) == LC_OK &&
                       read_exactly(descriptor, bytes + LC_CHECKPOINT_START_BYTES,
                                    header_bytes - LC_CHECKPOINT_START_BYTES) &&
                       lc_checkpoint_decode(header, bytes, header_bytes, NULL) == LC_OK &&
                       header->rank_files > 0 && read_exactly(descriptor, field, sizeof field) &&
                       lc_checkpoint_decode_name(header, field, name, NULL) == LC_OK;
    (void)close(descriptor);
    return found;
}

uint64_t lc_checkpoint_index_id(const char *path)
{
    lc_checkpoint_header header;
    char name[LC_RANK_FILE_NAME_BYTES];
    return read_index(AT_FDCWD, path, &header, name) ? header.id : 0;
}

static DIR *open_folder(const char *path)
{
    return path[0] != '\0' ? opendir(path) : NULL;
}

// Returns whether a file of the folder is an index with that id.
static bool is_named(const char *path, uint64_t id)
{
    DIR *folder = open_folder(path);
    const struct dirent *entry;
    lc_checkpoint_header header;
    char name[LC_RANK_FILE_NAME_BYTES];
    struct stat facts;
    bool found = folder == NULL; // unknown: keep them
    while (!found && (entry = readdir(folder)) != NULL)
        found = fstatat(dirfd(folder), entry->d_name, &facts, 0) == 0 && S_ISREG(facts.st_mode) &&
                read_index(dirfd(folder), entry->d_name, &header, name) && header.id == id &&
                facts.st_size == (off_t)lc_checkpoint_index_bytes(&header);
    if (folder != NULL)
        (void)closedir(folder);
    return found;
}

void lc_old_rank_files_remove(const lc_old_rank_files *old)
{
    char path[PATH_MAX];
    if (old->rank_files == 0 || is_named(old->folder, old->id))
        return;
    for (uint32_t i = 0; i < old->rank_files; i++)
        if (lc_rank_file_path(old->folder, old->name, old->id, i, path))
            (void)unlink(path);
}

// Returns whether a file has the name of a rank file, and its id and number.
static bool parse_name(const char *file, const char *name, uint64_t *id, uint32_t *number)
{
    const size_t length = strlen(name);
    char again[LC_RANK_FILE_TEXT_BYTES], digits[ID_DIGITS + 1] = "";
    if (strncmp(file, name, length) != 0 || strlen(file) < length + 1 + ID_DIGITS + 2)
        return false;
    memcpy(digits, file + length + 1, ID_DIGITS);
    *id = strtoull(digits, NULL, 16);
    *number = (uint32_t)strtoul(file + length + 1 + ID_DIGITS + 1, NULL, 10);
    lc_rank_file_format(name, *id, *number, again); // names have one form
    return strcmp(again, file) == 0;
}

// Returns whether the file is the rank file of its name, or the beginning of one (*rank_files is
// 0).
static bool is_rank_file(int folder, const char *file, uint64_t id, uint32_t number,
                         uint32_t *rank_files)
{
    uint8_t bytes[LC_RANK_FILE_HEAD_BYTES];
    lc_rank_file_head head;
    const int descriptor = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    const ssize_t count = descriptor >= 0 ? read(descriptor, bytes, sizeof bytes) : -1;
    if (descriptor >= 0)
        (void)close(descriptor);
    *rank_files = 0;
    if (count == 0)
        return true;
    if (count != (ssize_t)sizeof bytes || !lc_rank_file_decode(&head, bytes))
        return false;
    *rank_files = head.rank_files;
    return head.id == id && head.number == number;
}

static void sweep(const char *path, const char *name)
{
    DIR *folder = open_folder(path);
    const struct dirent *entry;
    uint64_t kept = 0, id; // kept: the id asked for last
    uint32_t number, rank_files;
    bool is_kept = true;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (!parse_name(entry->d_name, name, &id, &number) ||
            !is_rank_file(dirfd(folder), entry->d_name, id, number, &rank_files))
            continue;
        if (rank_files > 0 && id != kept) {
            is_kept = is_named(path, id);
            kept = id;
        }
        if (rank_files == 0 || !is_kept)
            lc_temporary_remove_unlocked(dirfd(folder), entry->d_name);
    }
    if (folder != NULL)
        (void)closedir(folder);
}

// Returns whether the last path of this process was another one.
static bool is_another(const lc_old_rank_files *old)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t last;
    const uint64_t own =
        XXH64(old->name, strlen(old->name), XXH64(old->folder, strlen(old->folder), 1));
    pthread_mutex_lock(&mutex);
    const bool another = own != last;
    last = own;
    pthread_mutex_unlock(&mutex);
    return another;
}

void lc_old_rank_files_find(lc_old_rank_files *old, const char *path)
{
    lc_checkpoint_header header;
    struct stat facts;
    char real[PATH_MAX];
    *old = (lc_old_rank_files){.rank_files = 0};
    const bool exists = stat(path, &facts) == 0;
    if (strcmp(path, "-") == 0 || (exists && !S_ISREG(facts.st_mode)) ||
        !lc_rank_file_folder(path, old->folder)) {
        old->folder[0] = '\0';
        return;
    }
    lc_rank_file_take_name(exists && realpath(path, real) != NULL ? real : path, old->name);
    if (is_another(old))
        sweep(old->folder, old->name);
    if (exists && read_index(AT_FDCWD, path, &header, old->name)) {
        old->id = header.id;
        old->rank_files = header.rank_files;
    }
}
