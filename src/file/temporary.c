// Temporary files, and which of them may be removed. See temporary.h.
//
//     .lightcone-HOST-PID-N.tmp       HOST: the machine's name; N: the process's N-th
//
// Nobody can know from a name alone whether a file is still being written: numbers of processes are
// used again, are different in each container, and mean nothing on another machine that sees the
// same folder. So a process locks its file (flock) while it writes, and the system gives the lock
// back when the process ends, however it ends. A file is removed only if
//
//     - its name is exactly of that form, and it is a regular file of the same user,
//     - nobody holds its lock, and
//     - it was made on this machine and no process has that number (but one that is dead and was
//       not waited for, or one that began after the file was last written), or nobody has touched
//       it for a day. This is for file systems whose locks other machines do not see.
//
// Where a file system knows no locks, nothing can be locked and so nothing is removed.
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
enum { CLOCK_SECONDS = 60 }; // by which clocks may differ, or may have been set

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

// Takes "-NUMBER" off the end of text[0 .. *length), as it is printed: without leading zeros.
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

// Whether it is the name of a temporary file, and whose.
static bool parse_name(const char *name, char host[HOST_BYTES], pid_t *process)
{
    const size_t begin = sizeof prefix - 2; // at the '-', which also ends an empty HOST
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
    const size_t host_bytes = length > 0 ? length - 1 : 0; // earlier versions wrote no HOST
    memcpy(host, name + begin + 1, host_bytes);
    host[host_bytes] = '\0';
    *process = number;
    return true;
}

// What /proc says of a process: whether it is dead, and seconds since 1970 when it began. False: it
// says nothing.
static bool look_up(pid_t process, bool *is_dead, double *begun_s)
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
    const char *rest = strrchr(text, ')'); // its name may have anything in it
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

// Whether a process of that number may have written the file.
static bool may_be_writer(pid_t process, const struct stat *facts)
{
    bool is_dead;
    double begun_s;
    if (kill(process, 0) != 0 && errno == ESRCH)
        return false;
    return !look_up(process, &is_dead, &begun_s) ||
           (!is_dead && begun_s < (double)facts->st_mtime + CLOCK_SECONDS);
}

// Whether whoever made the file cannot be writing it any more, provided that nobody holds its lock.
static bool is_abandoned(const char *host, pid_t process, const struct stat *facts)
{
    char here[HOST_BYTES];
    host_name(here);
    if ((host[0] == '\0' || strcmp(host, here) == 0) && !may_be_writer(process, facts))
        return true;
    return time(NULL) - facts->st_mtime > DAY_SECONDS;
}

// Whether a file may be removed by us: *facts is about it.
static bool is_ours(int folder, const char *name, struct stat *facts)
{
    return fstatat(folder, name, facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts->st_mode) &&
           (geteuid() == 0 || facts->st_uid == geteuid());
}

// Removes the file that `facts` is about.
static void remove_unlocked(int directory, const char *name, const struct stat *facts)
{
    struct stat opened;
    // For writing, since without that NFS gives no exclusive lock. What is locked has to be what
    // was looked at.
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
    if (is_ours(folder, name, &facts))
        remove_unlocked(folder, name, &facts);
}

static void remove_if_abandoned(int directory, const char *name)
{
    char host[HOST_BYTES];
    pid_t process;
    struct stat facts;
    if (parse_name(name, host, &process) && is_ours(directory, name, &facts) &&
        is_abandoned(host, process, &facts))
        remove_unlocked(directory, name, &facts);
}

// Whether this process was not in that folder last.
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

// What cannot be looked at or removed stays: that is no reason not to write.
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

// Takes the lock of a new file. False: another process was quicker and is about to remove the file.
static bool keep_locked(int descriptor)
{
    struct stat facts;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK; // where there are no locks, nobody removes anything
    return fstat(descriptor, &facts) != 0 || facts.st_nlink > 0;
}

enum { ATTEMPTS = 100 };

// Makes the file of file->path. False: errno says why; EEXIST, another attempt may succeed.
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
