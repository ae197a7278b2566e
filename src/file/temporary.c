// Creates temporary files and removes abandoned ones.
//
//     .lightcone-HOST-PID-N.tmp       HOST: the machine's name; N: the process's N-th
//
// A name alone does not tell whether a process still writes the file: process numbers are reused,
// differ between containers, and mean nothing on another machine that uses the same folder. So a
// process locks its file (flock) while it writes, and the system releases the lock when the process
// ends. A file is removed only if
//
//     - its name has exactly this form, and it is a regular file of the same user,
//     - no process holds its lock, and
//     - it was made on this machine and no process that may have written it has that number (a
//       zombie or a process younger than the last write has not), or it was not written for a day.
//       The last condition is for file systems whose locks other machines do not see.
//
// On a file system without locks nothing is removed.
#include "file/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = ".lightcone-", suffix[] = ".tmp";

enum { HOST_BYTES = 65, DAY_SECONDS = 24 * 60 * 60 };
enum { CLOCK_SECONDS = 60 }; // tolerance for clocks that differ or were set

size_t lc_directory_of(const char *path, const char **directory)
{
    const char *slash = strrchr(path, '/');
    *directory = slash != NULL ? path : ".";
    return slash == NULL || slash == path ? 1 : (size_t)(slash - path);
}

static void host_name(char host[HOST_BYTES])
{
    if (gethostname(host, HOST_BYTES) != 0 || host[0] == '\0')
        memcpy(host, "localhost", sizeof "localhost");
    host[HOST_BYTES - 1] = '\0';
    for (char *c = host; *c != '\0'; c++)
        if (*c == '/')
            *c = '_';
}

// Removes "-NUMBER" from the end of text[0 .. *length). NUMBER has no leading zeros.
static bool take_number(const char *text, size_t *length, int *number)
{
    size_t begin = *length;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        begin--;
    const size_t digits = *length - begin;
    if (begin == 0 || text[begin - 1] != '-' || digits < 1 || digits > 10 ||
        (digits > 1 && text[begin] == '0'))
        return false;
    const long long value = strtoll(text + begin, NULL, 10);
    *number = (int)value;
    *length = begin - 1;
    return value <= INT_MAX;
}

// Returns whether this is the name of a temporary file, and its host and process.
static bool parse_name(const char *name, char host[HOST_BYTES], pid_t *process)
{
    const size_t begin = sizeof prefix - 2; // the '-', which also ends an empty HOST
    size_t length = strlen(name);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || length < begin + sizeof suffix ||
        strcmp(name + length - (sizeof suffix - 1), suffix) != 0)
        return false;
    length -= begin + sizeof suffix - 1;
    int number;
    int serial;
    if (!take_number(name + begin, &length, &serial) ||
        !take_number(name + begin, &length, &number) || number < 1 || length == 1 ||
        length > HOST_BYTES)
        return false;
    const size_t host_bytes = length > 0 ? length - 1 : 0; // names of earlier versions have no HOST
    memcpy(host, name + begin + 1, host_bytes);
    host[host_bytes] = '\0';
    *process = number;
    return true;
}

// Reads from /proc whether a process is dead and when it began, in seconds since 1970. Returns
// false if /proc does not have it.
static bool read_process(pid_t process, bool *is_dead, double *begun_s)
{
    char path[64], text[1024];
    char state;
    unsigned long long ticks;
    struct timespec now, up;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const ssize_t length = read(descriptor, text, sizeof text - 1);
    (void)close(descriptor);
    text[length > 0 ? length : 0] = '\0';
    const char *rest = strrchr(text, ')'); // the process's name may contain any character
    if (rest == NULL ||
        sscanf(rest,
               ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &state, &ticks) != 2 ||
        clock_gettime(CLOCK_REALTIME, &now) != 0 || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
        return false;
    *is_dead = state == 'Z' || state == 'X';
    *begun_s = (double)(now.tv_sec - up.tv_sec) + (double)(now.tv_nsec - up.tv_nsec) / 1e9 +
               (double)ticks / (double)sysconf(_SC_CLK_TCK);
    return true;
}

// Returns whether a process of that number may have written the file.
static bool may_be_writer(pid_t process, const struct stat *facts)
{
    bool is_dead;
    double begun_s;
    if (kill(process, 0) != 0 && errno == ESRCH)
        return false;
    return !read_process(process, &is_dead, &begun_s) ||
           (!is_dead && begun_s < (double)facts->st_mtime + CLOCK_SECONDS);
}

// Returns whether the process that made the file can no longer be writing it, provided that no
// process holds its lock.
static bool is_abandoned(const char *host, pid_t process, const struct stat *facts)
{
    char here[HOST_BYTES];
    host_name(here);
    if ((host[0] == '\0' || strcmp(host, here) == 0) && !may_be_writer(process, facts))
        return true;
    return time(NULL) - facts->st_mtime > DAY_SECONDS;
}

// Returns whether this process may remove the file; *facts: its stat.
static bool may_remove(int folder, const char *name, struct stat *facts)
{
    return fstatat(folder, name, facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts->st_mode) &&
           (geteuid() == 0 || facts->st_uid == geteuid());
}

// Removes the file if `facts` is its stat and no process holds its lock.
static void remove_unlocked(int directory, const char *name, const struct stat *facts)
{
    struct stat opened;
    // Opened for writing, because NFS otherwise gives no exclusive lock. The locked file must be
    // the one that `facts` describes.
    const int descriptor = openat(directory, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0 &&
        opened.st_dev == facts->st_dev && opened.st_ino == facts->st_ino)
        (void)unlinkat(directory, name, 0);
    (void)close(descriptor);
}

void lc_temporary_remove_unlocked(int folder, const char *name)
{
    struct stat facts;
    if (may_remove(folder, name, &facts))
        remove_unlocked(folder, name, &facts);
}

static void remove_if_abandoned(int directory, const char *name)
{
    char host[HOST_BYTES];
    pid_t process;
    struct stat facts;
    if (parse_name(name, host, &process) && may_remove(directory, name, &facts) &&
        is_abandoned(host, process, &facts))
        remove_unlocked(directory, name, &facts);
}

// Returns whether the process's last call was for another folder.
static bool is_another_folder(const struct stat *folder)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static dev_t device;
    static ino_t number;
    pthread_mutex_lock(&mutex);
    const bool another = device != folder->st_dev || number != folder->st_ino;
    device = folder->st_dev;
    number = folder->st_ino;
    pthread_mutex_unlock(&mutex);
    return another;
}

// Removes abandoned files from the target's folder. Errors are ignored, because they do not prevent
// writing.
static void clean_folder(const char *target_path)
{
    const char *begin;
    const size_t length = lc_directory_of(target_path, &begin);
    char path[PATH_MAX];
    memcpy(path, begin, length);
    path[length] = '\0';
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    struct stat facts;
    if (fstat(dirfd(folder), &facts) == 0 && is_another_folder(&facts)) {
        const struct dirent *entry;
        while ((entry = readdir(folder)) != NULL)
            remove_if_abandoned(dirfd(folder), entry->d_name);
    }
    (void)closedir(folder);
}

// Locks a new file. Returns false if another process has locked it and is about to remove it.
static bool keep_locked(int descriptor)
{
    struct stat facts;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK; // without locks no process removes files
    return fstat(descriptor, &facts) != 0 || facts.st_nlink > 0;
}

enum { ATTEMPTS = 100 };

// Creates the file file->path and locks it. On error returns false and sets errno; EEXIST: another
// attempt may succeed.
static bool create_locked(lc_temporary *file, mode_t mode)
{
    file->descriptor = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file->descriptor < 0) {
        errno = errno == EINTR ? EEXIST : errno;
        return false;
    }
    const bool kept = keep_locked(file->descriptor);
    file->lock = kept ? fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    if (file->lock >= 0)
        return true;
    const int reason = kept ? errno : EEXIST;
    lc_temporary_close(file);
    errno = reason;
    return false;
}

bool lc_temporary_create_named(lc_temporary *file, const char *path)
{
    memcpy(file->path, path, strlen(path) + 1);
    return create_locked(file, S_IRUSR | S_IWUSR);
}

bool lc_temporary_create(lc_temporary *file, const char *target_path, mode_t mode)
{
    static atomic_uint serial;
    char host[HOST_BYTES];
    const char *directory;
    const int length = (int)lc_directory_of(target_path, &directory);
    host_name(host);
    clean_folder(target_path);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        const unsigned number = atomic_fetch_add(&serial, 1u) & INT_MAX;
        const int written = snprintf(file->path, sizeof file->path, "%.*s/%s%s-%ld-%u%s", length,
                                     directory, prefix, host, (long)getpid(), number, suffix);
        if (written < 0 || (size_t)written >= sizeof file->path) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (create_locked(file, mode))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

void lc_temporary_keep(lc_temporary *file)
{
    file->path[0] = '\0';
}

bool lc_temporary_rename(lc_temporary *file, const char *target_path)
{
    if (rename(file->path, target_path) != 0)
        return false;
    file->path[0] = '\0';
    return true;
}

void lc_temporary_close(lc_temporary *file)
{
    if (file->path[0] != '\0')
        (void)unlink(file->path);
    if (file->descriptor >= 0)
        (void)close(file->descriptor);
    if (file->lock >= 0)
        (void)close(file->lock);
}
