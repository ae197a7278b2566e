// The calls that put a file in place, their order, and the effect on the old file, on its
// permissions and on the remains of other processes. The linker redirects the calls named wrap_...
// below to this test (see CMakeLists.txt).
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "file/output.h"
#include "support.h"
#include "support_pattern.h"

// The recorded system calls ------------------------------------------------------------------

typedef enum call { CALL_WRITE, CALL_FSYNC, CALL_FSYNC_FOLDER, CALL_RENAME } call;

static struct {
    bool recording;
    bool was_locked; // the renamed file, at that moment
    struct {
        call what;
        ino_t file; // renamed: the file that gets the new name
    } calls[64];
    size_t count;
    int fsync_error, folder_error, rename_error; // errors that these calls return
    int owner_error, group_error;                // fchown, with an owner and without
    uid_t owner;                                 // the last one that was asked for
    gid_t group;
    mode_t first_mode; // of the file before it had the old one's owner and permissions
} spy;

static void start_spying(void)
{
    memset(&spy, 0, sizeof spy);
    spy.recording = true;
}

static void record(call what, const struct stat *facts)
{
    const size_t most = sizeof spy.calls / sizeof spy.calls[0];
    // Only the first writes and the last calls matter.
    const size_t at = spy.count < most ? spy.count++ : most - 1;
    spy.calls[at].what = what;
    spy.calls[at].file = facts->st_ino;
}

// Whether another process holds a file's lock.
static bool is_locked(const char *path)
{
    const int descriptor = open(path, O_RDONLY);
    const bool locked = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    (void)close(descriptor);
    return locked;
}

static int answer(int error)
{
    errno = error;
    return error != 0 ? -1 : 0;
}

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
ssize_t __real_write(int descriptor, const void *data, size_t size_bytes);
ssize_t __wrap_write(int descriptor, const void *data, size_t size_bytes);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_rename(const char *old, const char *name);
int __wrap_rename(const char *old, const char *name);
int __real_fchown(int descriptor, uid_t owner, gid_t group);
int __wrap_fchown(int descriptor, uid_t owner, gid_t group);

ssize_t __wrap_write(int descriptor, const void *data, size_t size_bytes)
{
    struct stat facts;
    if (spy.recording && fstat(descriptor, &facts) == 0)
        record(CALL_WRITE, &facts);
    return __real_write(descriptor, data, size_bytes);
}

int __wrap_fsync(int descriptor)
{
    struct stat facts;
    if (!spy.recording || fstat(descriptor, &facts) != 0)
        return __real_fsync(descriptor);
    const bool folder = S_ISDIR(facts.st_mode);
    record(folder ? CALL_FSYNC_FOLDER : CALL_FSYNC, &facts);
    const int error = folder ? spy.folder_error : spy.fsync_error;
    return error != 0 ? answer(error) : __real_fsync(descriptor);
}

int __wrap_rename(const char *old, const char *name)
{
    struct stat facts;
    if (spy.recording && stat(old, &facts) == 0) {
        record(CALL_RENAME, &facts);
        spy.was_locked = is_locked(old);
        if (spy.rename_error != 0)
            return answer(spy.rename_error);
    }
    return __real_rename(old, name);
}

int __wrap_fchown(int descriptor, uid_t owner, gid_t group)
{
    if (!spy.recording)
        return __real_fchown(descriptor, owner, group);
    struct stat facts;
    const int error = owner != (uid_t)-1 ? spy.owner_error : spy.group_error;
    spy.first_mode = fstat(descriptor, &facts) == 0 ? facts.st_mode : 07777;
    if (error != 0)
        return answer(error);
    spy.owner = owner;
    spy.group = group;
    return 0;
}
// NOLINTEND(bugprone-reserved-identifier)

// Folders ------------------------------------------------------------------------------------

// Returns a path in a folder of this test and creates the folder. Valid for two calls.
static const char *in_folder(const char *folder, const char *name)
{
    static char paths[2][600];
    static unsigned next;
    char *path = paths[next++ % 2];
    const char *parent = test_path(folder);
    (void)mkdir(parent, 0777);
    (void)snprintf(path, sizeof paths[0], "%s/%s", parent, name);
    return path;
}

static bool exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

static mode_t mode_of(const char *path)
{
    struct stat facts;
    assert_int_equal(lstat(path, &facts), 0);
    return facts.st_mode & 07777;
}

// Counts the names in a folder that begin with `beginning`.
static int count_names(const char *folder, const char *beginning)
{
    char command[900];
    (void)snprintf(command, sizeof command, "ls -A '%s' | grep -c '^%s'", test_path(folder),
                   beginning);
    FILE *pipe = popen(command, "r"); // NOLINT: names of our own
    int count = -1;
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    (void)pclose(pipe);
    return count;
}

static void assert_holds(const char *path, const char *expected)
{
    char *text = file_text(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static lc_status put(const char *path, const char *text, lc_message *message)
{
    lc_output *output;
    lc_status status = lc_output_create(&output, path, 0, message);
    if (status == LC_OK) {
        lc_output_text(output, text);
        status = lc_output_commit(&output, message);
    }
    return status;
}

static void require(bool fine, const char *what)
{
    if (!fine) {
        (void)fprintf(stderr, "not so: %s\n", what);
        _exit(1);
    }
}

// The order ----------------------------------------------------------------------------------

// A file gets its new name only when all of it is on the disk. After a power failure there is the
// old file or the new one, never an empty one.
static void assert_order(const char *path)
{
    struct stat file, folder;
    lc_output *output;
    start_spying();
    assert_int_equal(lc_output_create(&output, path, 0, NULL), LC_OK);
    for (int i = 0; i < 40000; i++)
        lc_output_text(output, "some text\n");
    assert_int_equal(lc_output_commit(&output, NULL), LC_OK);
    spy.recording = false;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_size, 400000);
    assert_int_equal(stat(test_path("order"), &folder), 0);
    assert_in_range(spy.count, 5, 63);
    const size_t writes = spy.count - 3;
    for (size_t i = 0; i < writes; i++) {
        assert_int_equal(spy.calls[i].what, CALL_WRITE);
        assert_int_equal(spy.calls[i].file, file.st_ino);
    }
    assert_int_equal(spy.calls[writes].what, CALL_FSYNC);
    assert_int_equal(spy.calls[writes].file, file.st_ino);
    assert_int_equal(spy.calls[writes + 1].what, CALL_RENAME);
    assert_int_equal(spy.calls[writes + 1].file, file.st_ino);
    assert_true(spy.was_locked); // so no process could take it for the remains of a dead one
    assert_int_equal(spy.calls[writes + 2].what, CALL_FSYNC_FOLDER);
    assert_int_equal(spy.calls[writes + 2].file, folder.st_ino);
}

static void test_order(void **state)
{
    (void)state;
    assert_order(in_folder("order", "a.txt")); // a new file
    assert_order(in_folder("order", "a.txt")); // one that replaces another
    assert_int_equal(symlink("a.txt", in_folder("order", "link.txt")), 0);
    assert_order(in_folder("order", "link.txt"));
    assert_int_equal(count_names("order", ""), 2);
}

// A failure of the last calls leaves the old file and is reported.
static void test_last_failures(void **state)
{
    (void)state;
    lc_message message = {0};
    const char *path = in_folder("late", "old.txt");
    file_put(path, "old", 3);
    start_spying();
    spy.fsync_error = EIO;
    assert_int_equal(put(path, "new", &message), LC_ERROR_IO);
    assert_string_equal(message.text, "cannot flush: Input/output error");
    for (size_t i = 0; i < spy.count; i++)
        assert_int_not_equal(spy.calls[i].what, CALL_RENAME);
    assert_holds(path, "old");
    start_spying();
    spy.rename_error = ENOSPC;
    assert_int_equal(put(path, "new", &message), LC_ERROR_IO);
    assert_string_equal(message.text, "cannot write: No space left on device");
    assert_holds(path, "old");
    start_spying();
    spy.folder_error = EIO;
    assert_int_equal(put(path, "new", &message), LC_ERROR_IO);
    assert_string_equal(message.text, "cannot flush the directory: Input/output error");
    start_spying();
    spy.folder_error = EINVAL; // this file system cannot do it
    assert_int_equal(put(path, "newer", &message), LC_OK);
    assert_holds(path, "newer");
    assert_int_equal(count_names("late", ""), 1);
    spy.recording = false;
}

// The disk is full in the middle of a compressed file, in the first batch or a later one. The old
// file stays, nothing is left beside it, and the writer can see the failure.
static void test_full_disk(void **state)
{
    (void)state;
    static const rlim_t limits[] = {0, 5, 1 << 20, 3 << 20};
    enum { PIECE_BYTES = 65536, PIECES = 128 };
    lc_message message = {0};
    char *piece = malloc(PIECE_BYTES);
    assert_non_null(piece);
    dice d = dice_from(test_seed(), 1);
    const char *path = in_folder("full", "old.gz");
    file_put(path, "old", 3);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        (void)fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            const struct rlimit limit = {limits[i], limits[i]};
            lc_output *output;
            int pieces = 0;
            (void)signal(SIGXFSZ, SIG_IGN);
            require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
            require(lc_output_create(&output, path, 3, &message) == LC_OK, message.text);
            for (; pieces < PIECES && !lc_output_failed(output); pieces++) {
                for (size_t j = 0; j < PIECE_BYTES; j++)
                    piece[j] = (char)dice_word(&d);
                lc_output_write(output, piece, PIECE_BYTES);
            }
            require(pieces < PIECES, "it is seen before the end");
            lc_output_text(output, "more");
            require(lc_output_commit(&output, &message) == LC_ERROR_IO, "it is an error");
            require(strcmp(message.text, "cannot write: File too large") == 0, message.text);
            _exit(0);
        }
        int result;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_int_equal(result, 0);
        assert_holds(path, "old");
        assert_int_equal(count_names("full", ""), 1);
    }
    free(piece);
    lc_output *output;
    assert_int_equal(lc_output_create(&output, "/dev/full", 2, &message), LC_OK);
    lc_output_text(output, "text");
    assert_int_equal(lc_output_commit(&output, &message), LC_ERROR_IO);
    assert_string_equal(message.text, "cannot write: No space left on device");
}

// Permissions, owners and links --------------------------------------------------------------

static void test_permissions(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0664, 0604, 0755, 0666, 04755, 02664};
    const mode_t mask = umask(027);
    const char *path = in_folder("modes", "a.txt");
    assert_int_equal(put(path, "new", NULL), LC_OK);
    assert_int_equal(mode_of(path), 0640);
    (void)umask(0);
    assert_int_equal(put(in_folder("modes", "b.txt"), "new", NULL), LC_OK);
    assert_int_equal(mode_of(in_folder("modes", "b.txt")), 0666);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct stat old;
        assert_int_equal(chmod(path, modes[i]), 0);
        assert_int_equal(stat(path, &old), 0);
        start_spying();
        assert_int_equal(put(path, "newer", NULL), LC_OK);
        spy.recording = false;
        // Users who could not read the old file cannot open the new one.
        assert_int_equal(spy.first_mode & 0777, 0600);
        assert_int_equal(mode_of(path), modes[i] & 0777);
        assert_int_equal(spy.owner, old.st_uid);
        assert_int_equal(spy.group, old.st_gid);
        // A file of another user in the same group ...
        assert_int_equal(chmod(path, modes[i]), 0);
        start_spying();
        spy.owner_error = EPERM;
        assert_int_equal(put(path, "newer", NULL), LC_OK);
        spy.recording = false;
        assert_int_equal(mode_of(path), modes[i] & 0777);
        assert_int_equal(spy.group, old.st_gid);
        // ... and in another group: our own group, which now owns it, must not gain access.
        assert_int_equal(chmod(path, modes[i]), 0);
        start_spying();
        spy.owner_error = EPERM;
        spy.group_error = EPERM;
        assert_int_equal(put(path, "newer", NULL), LC_OK);
        spy.recording = false;
        assert_int_equal(mode_of(path), modes[i] & 0707);
    }
    (void)umask(mask);
    if (geteuid() == 0) {
        struct stat facts;
        assert_int_equal(chown(path, 12345, 12346), 0);
        assert_int_equal(put(path, "newest", NULL), LC_OK);
        assert_int_equal(stat(path, &facts), 0);
        assert_true(facts.st_uid == 12345 && facts.st_gid == 12346);
    }
}

// Runs a check in a child as an ordinary user, even if root runs the test.
static void as_ordinary_user(const char *folder, void (*check)(const char *folder))
{
    const uid_t nobody = 65534;
    const bool root = geteuid() == 0;
    char parent[600];
    (void)snprintf(parent, sizeof parent, "%s/..", test_path(folder));
    if (root) {
        assert_int_equal(chown(parent, nobody, (gid_t)-1), 0);
        assert_int_equal(chown(test_path(folder), nobody, (gid_t)-1), 0);
    }
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (root && setuid(nobody) != 0)
            _exit(2);
        check(folder);
        _exit(0);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    if (root)
        assert_int_equal(chown(parent, 0, (gid_t)-1), 0);
}

static void check_protected(const char *folder)
{
    lc_message message = {0};
    const char *path = in_folder(folder, "protected.txt");
    file_put(path, "old", 3);
    require(chmod(path, 0444) == 0, "chmod");
    require(put(path, "new", &message) == LC_ERROR_IO, "a file that is read-only is not replaced");
    require(strcmp(message.text, "cannot write: Permission denied") == 0, message.text);
    char *text = file_text(path, NULL);
    require(strcmp(text, "old") == 0, "it has what it had");
    free(text);
    require(mode_of(path) == 0444, "its mode stays");
    require(chmod(test_path(folder), 0555) == 0, "chmod");
    require(put(in_folder(folder, "more.txt"), "new", &message) == LC_ERROR_IO,
            "no file is made in a folder that is read-only");
    require(chmod(test_path(folder), 0755) == 0, "chmod");
}

static void test_protected(void **state)
{
    (void)state;
    (void)in_folder("protected", "");
    as_ordinary_user("protected", check_protected);
    assert_int_equal(count_names("protected", ""), 1);
}

static void test_links(void **state)
{
    (void)state;
    lc_message message = {0};
    (void)in_folder("links", "");
    (void)in_folder("links/deep", "");
    // A second name of the same file keeps the old one.
    const char *path = in_folder("links", "a.txt");
    file_put(path, "old", 3);
    assert_int_equal(link(path, in_folder("links", "hard.txt")), 0);
    assert_int_equal(put(in_folder("links", "a.txt"), "new", NULL), LC_OK);
    assert_holds(in_folder("links", "a.txt"), "new");
    assert_holds(in_folder("links", "hard.txt"), "old");
    // A link stays a link, for any target and even for a missing one.
    assert_int_equal(symlink("deep/b.txt", in_folder("links", "soft.txt")), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(put(in_folder("links", "soft.txt"), i == 0 ? "one" : "two", NULL), LC_OK);
        assert_holds(in_folder("links", "deep/b.txt"), i == 0 ? "one" : "two");
        struct stat facts;
        assert_int_equal(lstat(in_folder("links", "soft.txt"), &facts), 0);
        assert_true(S_ISLNK(facts.st_mode));
    }
    assert_int_equal(symlink("round.txt", in_folder("links", "round.txt")), 0);
    assert_int_equal(put(in_folder("links", "round.txt"), "x", &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, strerror(ELOOP)));
    assert_int_equal(put(test_path("links"), "x", &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, strerror(EISDIR)));
    assert_int_equal(count_names("links", ""), 5);
}

// Remains of killed processes ----------------------------------------------------------------

// A child that has written a part of a file and waits for a byte in `go_on` before it finishes.
typedef struct writer {
    pid_t process;
    int go_on;
} writer;

static writer start_writer(const char *path)
{
    int begun[2], go_on[2];
    char byte = 0;
    assert_int_equal(pipe(begun), 0);
    assert_int_equal(pipe(go_on), 0);
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        static char text[100000];
        lc_output *output;
        (void)close(go_on[1]);
        memset(text, 'x', sizeof text);
        if (lc_output_create(&output, path, 0, NULL) != LC_OK)
            _exit(1);
        lc_output_write(output, text, sizeof text);
        if (write(begun[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1)
            _exit(1);
        _exit(lc_output_commit(&output, NULL) == LC_OK ? 0 : 1);
    }
    (void)close(begun[1]);
    (void)close(go_on[0]);
    assert_int_equal(read(begun[0], &byte, 1), 1);
    (void)close(begun[0]);
    return (writer){child, go_on[1]};
}

static void kill_writer(writer *w)
{
    int result;
    assert_int_equal(kill(w->process, SIGKILL), 0);
    assert_int_equal(waitpid(w->process, &result, 0), w->process);
    assert_true(WIFSIGNALED(result));
    (void)close(w->go_on);
}

static void finish_writer(writer *w)
{
    int result;
    assert_int_equal(write(w->go_on, "", 1), 1);
    assert_int_equal(waitpid(w->process, &result, 0), w->process);
    assert_int_equal(result, 0);
    (void)close(w->go_on);
}

static void test_killed(void **state)
{
    (void)state;
    const char *path = in_folder("killed", "target.txt");
    file_put(path, "old", 3);
    writer dead = start_writer(path);
    writer alive = start_writer(in_folder("killed", "other.txt"));
    assert_int_equal(count_names("killed", ".lightcone-"), 2);
    kill_writer(&dead);
    assert_holds(in_folder("killed", "target.txt"), "old");
    assert_int_equal(count_names("killed", ".lightcone-"), 2);
    assert_int_equal(put(in_folder("killed", "third.txt"), "new", NULL), LC_OK);
    assert_int_equal(count_names("killed", ".lightcone-"), 1); // that of the process that lives
    finish_writer(&alive);
    struct stat facts;
    assert_int_equal(stat(in_folder("killed", "other.txt"), &facts), 0);
    assert_int_equal(facts.st_size, 100000);
    assert_int_equal(count_names("killed", ""), 3);
}

static int dead_process(void)
{
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

// Returns a dead process that was not waited for, so that it still has its number.
static int unreaped_process(void)
{
    siginfo_t facts;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitid(P_PID, (id_t)child, &facts, WEXITED | WNOWAIT), 0);
    return child;
}

// Returns the path of a file left by another process. `format` takes the name of a machine and the
// number of a process.
static const char *left_by(const char *format, const char *host, int process)
{
    char name[300];
    (void)snprintf(name, sizeof name, format, host, process); // NOLINT: formats of our own
    return in_folder("left", name);
}

static void age(const char *path, int hours)
{
    struct timespec times[2] = {{.tv_sec = time(NULL) - hours * 3600L}};
    times[1] = times[0];
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

static void leave(const char *path, int hours)
{
    file_put(path, "left", 4);
    age(path, hours);
}

// Only the certain remains of a dead process are removed. Each of the other files is kept for one
// reason.
static void test_what_is_removed(void **state)
{
    (void)state;
    enum { TWO_DAYS = 48 };
    static const char usual[] = ".lightcone-%s-%d-7.tmp";
    static const char *const other_names[] = {
        ".lightcone-%s-%d-.tmp",   ".lightcone-%s-%d-07.tmp",
        ".lightcone-%s-0%d-7.tmp", ".lightcone-%s-%d-7.tmp~",
        ".lightcone-%s-%d-7.tm",   ".lightcone-%s-%d-7x.tmp",
        "xlightcone-%s-%d-7.tmp",  ".lightcone-%s-%d.tmp",
        ".lightcone.%s-%d-7.tmp",  ".Lightcone-%s-%d-7.tmp",
        ".lightcone%s-%d-7.tmp",   ".lightcone-%s-%d-7.tmp.rle",
        ".lightcone-%s-%d 7.tmp",  ".lightcone-%s-%d-77777777777.tmp"};
    const size_t names = sizeof other_names / sizeof other_names[0];
    char here[256];
    assert_int_equal(gethostname(here, sizeof here), 0);
    const int dead = dead_process(), unreaped = unreaped_process(), self = getpid();
    for (size_t i = 0; i < names; i++)
        leave(left_by(other_names[i], here, dead), TWO_DAYS);
    leave(in_folder("left", ".lightcone-0-7.tmp"), TWO_DAYS);
    leave(in_folder("left", ".lightcone-4294967297-7.tmp"), TWO_DAYS);
    leave(in_folder("left", ".lightcone-.tmp"), TWO_DAYS);
    leave(left_by(usual, here, self), 0);         // the process lives
    leave(left_by(usual, "elsewhere", dead), 0);  // another machine may be writing it
    leave(left_by(usual, "elsewhere", self), 20); // and may take its time
    leave(left_by(usual, "elsewhere", unreaped), 0);
    // These are locked.
    int locks[2];
    for (int i = 0; i < 2; i++) {
        const char *path =
            left_by(i == 0 ? ".lightcone-%s-%d-8.tmp" : ".lightcone-%s-%d-9.tmp", here, dead);
        leave(path, i * TWO_DAYS);
        locks[i] = open(path, O_RDONLY);
        assert_int_equal(flock(locks[i], LOCK_EX), 0);
    }
    // These are no regular files. The fifo is read, so that it could be opened for writing.
    file_put(test_path("aside"), "left", 4);
    assert_int_equal(mkdir(left_by(".lightcone-%s-%d-10.tmp", here, dead), 0777), 0);
    assert_int_equal(symlink("../aside", left_by(".lightcone-%s-%d-11.tmp", here, dead)), 0);
    const char *fifo = left_by(".lightcone-%s-%d-12.tmp", here, dead);
    assert_int_equal(mkfifo(fifo, 0666), 0);
    const int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    const int spared = (int)names + 12;
    assert_int_equal(count_names("left", ""), spared);
    // And these go.
    char from_before[64]; // names had no machine
    (void)snprintf(from_before, sizeof from_before, ".lightcone-%d-7.tmp", dead);
    leave(in_folder("left", from_before), 0);
    leave(left_by(usual, here, dead), 0);
    leave(left_by(usual, here, unreaped), 0);
    leave(left_by(".lightcone-%s-%d-70.tmp", here, self), TWO_DAYS); // its number is used again
    leave(left_by(".lightcone-%s-%d-71.tmp", here, self), 20);       // we began after that
    leave(left_by(".lightcone-%s-%d-70.tmp", "else-where", dead), TWO_DAYS);
    assert_int_equal(count_names("left", ""), spared + 6);
    assert_int_equal(put(in_folder("left", "new.txt"), "new", NULL), LC_OK);
    assert_int_equal(count_names("left", ""), spared + 1);
    assert_false(exists(in_folder("left", from_before)));
    assert_false(exists(left_by(usual, here, dead)));
    assert_false(exists(left_by(usual, here, unreaped)));
    assert_int_equal(waitpid(unreaped, NULL, 0), unreaped);
    assert_false(exists(left_by(".lightcone-%s-%d-70.tmp", here, self)));
    assert_false(exists(left_by(".lightcone-%s-%d-71.tmp", here, self)));
    assert_false(exists(left_by(".lightcone-%s-%d-70.tmp", "else-where", dead)));
    assert_holds(test_path("aside"), "left");
    for (int i = 0; i < 2; i++)
        (void)close(locks[i]);
    (void)close(reader);
}

static void check_foreign(const char *folder)
{
    require(put(in_folder(folder, "new.txt"), "new", NULL) == LC_OK, "a file can be written");
}

// An ordinary user's run leaves files of other users alone. The test can show this only if root
// runs it.
static void test_foreign(void **state)
{
    (void)state;
    char name[64];
    (void)snprintf(name, sizeof name, ".lightcone-%d-7.tmp", dead_process());
    leave(in_folder("foreign", name), 0);
    assert_int_equal(chmod(in_folder("foreign", name), 0666), 0);
    as_ordinary_user("foreign", check_foreign);
    assert_int_equal(exists(in_folder("foreign", name)), geteuid() == 0);
}

// Bytes that are written once more, whether they are in the file by then or not.
static void test_rewritten(void **state)
{
    (void)state;
    enum { LENGTH = 200000 };
    static char wanted[LENGTH + 1];
    const char *path = test_path("rewritten.txt");
    lc_output *output;
    for (int i = 0; i < LENGTH; i++)
        wanted[i] = (char)('a' + i % 23);
    assert_int_equal(lc_output_create(&output, path, 0, NULL), LC_OK);
    assert_true(lc_output_can_rewrite(output));
    lc_output_write(output, wanted, 100);
    lc_output_rewrite(output, 10, "ABC", 3);
    memcpy(wanted + 10, "ABC", 3);
    lc_output_write(output, wanted + 100, LENGTH - 100);
    lc_output_rewrite(output, 0, "X", 1);
    lc_output_rewrite(output, 99, "QRS", 3);
    lc_output_rewrite(output, LENGTH - 2, "YZ", 2);
    wanted[0] = 'X';
    memcpy(wanted + 99, "QRS", 3);
    memcpy(wanted + LENGTH - 2, "YZ", 2);
    assert_int_equal(lc_output_commit(&output, NULL), LC_OK);
    size_t bytes;
    char *text = file_text(path, &bytes);
    assert_int_equal(bytes, LENGTH);
    assert_string_equal(text, wanted);
    free(text);
    assert_int_equal(lc_output_create(&output, test_path("rewritten.gz"), 1, NULL), LC_OK);
    assert_false(lc_output_can_rewrite(output));
    lc_output_abandon(&output);
    assert_int_equal(lc_output_create_memory(&output, 1000, NULL), LC_OK);
    assert_false(lc_output_can_rewrite(output));
    lc_output_abandon(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),     cmocka_unit_test(test_last_failures),
        cmocka_unit_test(test_full_disk), cmocka_unit_test(test_permissions),
        cmocka_unit_test(test_protected), cmocka_unit_test(test_links),
        cmocka_unit_test(test_killed),    cmocka_unit_test(test_what_is_removed),
        cmocka_unit_test(test_foreign),   cmocka_unit_test(test_rewritten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
