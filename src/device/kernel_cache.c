// Reads and writes the disk cache of compiled kernels; kernel_cache.h has the file layout.
#include "device/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/clock.h"
#include "base/memory.h"

typedef struct header {
    char magic[8];
    lc_kernel_key key;
    uint64_t size_bytes;
    uint64_t checksum; // of the fields above and the content
} header;
_Static_assert(sizeof(header) == 40, "the layout of a file has no holes");

static const char magic[8] = {'L', 'C', 'K', 'E', 'R', 'N', '1', '\n'};
static const char ending[] = ".kernel";
static const char temporary_start[] = ".writing-";
static const time_t abandoned_after_s = 3600;

lc_kernel_key lc_kernel_key_of(const char *const *parts, size_t count)
{
    // XXH3's streaming state needs an alignment that malloc does not guarantee. Hashing the hashes
    // of the texts needs no state and tells ("ab", "c") from ("a", "bc").
    XXH128_hash_t sum = XXH3_128bits(&count, sizeof count);
    for (size_t i = 0; i < count; i++) {
        XXH128_hash_t pair[2] = {sum, XXH3_128bits(parts[i], strlen(parts[i]))};
        sum = XXH3_128bits(pair, sizeof pair);
    }
    return (lc_kernel_key){.high = sum.high64, .low = sum.low64};
}

// Opens the folder; `make`: creates it and its parents if missing. Returns -1 on error.
static int open_folder(const char *name, bool make)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s", name);
    if (length < 1 || (size_t)length >= sizeof path)
        return -1;
    for (char *slash = strchr(path + 1, '/'); make && slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    if (make)
        (void)mkdir(path, 0700);
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

typedef struct file_name {
    char text[64];
} file_name;

static file_name name_of(const lc_kernel_key *key)
{
    file_name name;
    (void)snprintf(name.text, sizeof name.text, "%016" PRIx64 "%016" PRIx64 "%s", key->high,
                   key->low, ending);
    return name;
}

static uint64_t checksum_of(const header *head, const void *content, size_t size_bytes)
{
    uint64_t start = XXH3_64bits(head, offsetof(header, checksum));
    return XXH3_64bits_withSeed(content, size_bytes, start);
}

static bool read_all(int file, void *to, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        ssize_t count = read(file, (char *)to + done, size_bytes - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        ssize_t count = write(file, (const char *)from + done, size_bytes - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

static bool read_entry(int file, const lc_kernel_key *key, void **content, size_t *size_bytes)
{
    struct stat facts;
    header head;
    // Reject files of other users except root: their code would run on this user's GPU.
    if (fstat(file, &facts) || !S_ISREG(facts.st_mode) ||
        (facts.st_uid != geteuid() && facts.st_uid != 0) || !read_all(file, &head, sizeof head))
        return false;
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.key.high != key->high ||
        head.key.low != key->low || head.size_bytes > LC_KERNEL_CACHE_MAX_BYTES ||
        (uint64_t)facts.st_size != sizeof head + head.size_bytes)
        return false;
    size_t size = (size_t)head.size_bytes;
    void *bytes = lc_malloc(size);
    if (bytes == NULL)
        return false;
    if (!read_all(file, bytes, size) || checksum_of(&head, bytes, size) != head.checksum) {
        lc_free(bytes);
        return false;
    }
    *content = bytes;
    *size_bytes = size;
    return true;
}

bool lc_kernel_cache_read(const char *folder_name, const lc_kernel_key *key, void **content,
                          size_t *size_bytes)
{
    int folder = open_folder(folder_name, false);
    if (folder < 0)
        return false;
    bool found = false;
    file_name name = name_of(key);
    int file = openat(folder, name.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0) {
        found = read_entry(file, key, content, size_bytes);
        (void)close(file);
        if (found) // the modification time is the time of last use: remove_oldest
            (void)utimensat(folder, name.text, NULL, AT_SYMLINK_NOFOLLOW);
    }
    (void)close(folder);
    return found;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_entry(const char *name)
{
    size_t length = strlen(name);
    return length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

typedef struct used_file {
    file_name name;
    struct timespec when;
} used_file;

static int compare_newest_first(const void *a, const void *b)
{
    const struct timespec *p = &((const used_file *)a)->when;
    const struct timespec *q = &((const used_file *)b)->when;
    if (p->tv_sec != q->tv_sec)
        return p->tv_sec < q->tv_sec ? 1 : -1;
    return p->tv_nsec < q->tv_nsec ? 1 : p->tv_nsec > q->tv_nsec ? -1 : 0;
}

// Removes the least recently used files beyond LC_KERNEL_CACHE_MAX_FILES, and temporary files that
// an interrupted write left behind.
static void remove_oldest(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again < 0 ? NULL : fdopendir(again);
    if (list == NULL) {
        if (again >= 0)
            (void)close(again);
        return;
    }
    const size_t most = 4 * LC_KERNEL_CACHE_MAX_FILES; // per call; later calls remove the rest
    used_file *files = lc_calloc(most, sizeof *files);
    size_t count = 0;
    time_t now = time(NULL);
    const struct dirent *entry;
    while (files != NULL && count < most && (entry = readdir(list)) != NULL) {
        struct stat facts;
        bool temporary = starts_with(entry->d_name, temporary_start);
        const size_t name_bytes = strlen(entry->d_name) + 1;
        if ((!temporary && !is_entry(entry->d_name)) || name_bytes > sizeof files->name.text ||
            fstatat(folder, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW))
            continue;
        if (temporary) {
            if (now - facts.st_mtim.tv_sec > abandoned_after_s)
                (void)unlinkat(folder, entry->d_name, 0);
            continue;
        }
        memcpy(files[count].name.text, entry->d_name, name_bytes);
        files[count++].when = facts.st_mtim;
    }
    if (count > LC_KERNEL_CACHE_MAX_FILES) {
        qsort(files, count, sizeof *files, compare_newest_first);
        while (count > LC_KERNEL_CACHE_MAX_FILES)
            (void)unlinkat(folder, files[--count].name.text, 0);
    }
    lc_free(files);
    (void)closedir(list);
}

// Needs no fsync: after a system crash the checksum of an incomplete file does not match.
static bool write_entry(int folder, const lc_kernel_key *key, const void *content,
                        size_t size_bytes)
{
    static atomic_uint writes; // makes the name unique, with process number and time
    header head = {.key = *key, .size_bytes = size_bytes};
    memcpy(head.magic, magic, sizeof magic);
    head.checksum = checksum_of(&head, content, size_bytes);
    file_name temporary;
    (void)snprintf(temporary.text, sizeof temporary.text, "%s%ld-%u-%" PRIx64, temporary_start,
                   (long)getpid(), atomic_fetch_add(&writes, 1), lc_clock_ns());
    int file = openat(folder, temporary.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool good = write_all(file, &head, sizeof head) && write_all(file, content, size_bytes);
    good = close(file) == 0 && good;
    good = good && renameat(folder, temporary.text, folder, name_of(key).text) == 0;
    if (!good)
        (void)unlinkat(folder, temporary.text, 0);
    return good;
}

bool lc_kernel_cache_write(const char *folder_name, const lc_kernel_key *key, const void *content,
                           size_t size_bytes)
{
    if (size_bytes > LC_KERNEL_CACHE_MAX_BYTES)
        return false;
    int folder = open_folder(folder_name, true);
    if (folder < 0)
        return false;
    bool good = write_entry(folder, key, content, size_bytes);
    if (good)
        remove_oldest(folder);
    (void)close(folder);
    return good;
}
