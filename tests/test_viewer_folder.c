// The viewer's folder: locked while its process lives, gone when it ends, and removed by the next
// viewer if it was killed.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "origin.h"
#include "support_pattern.h"

static bool exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

static unsigned names_in_base(void)
{
    char command[300];
    (void)snprintf(command, sizeof command, "ls -A '%s' | wc -l", getenv("TMPDIR"));
    FILE *pipe = popen(command, "r"); // NOLINT: names of our own
    unsigned count = 0;
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    (void)pclose(pipe);
    return count;
}

// A process that has a folder with two files in it and waits to be killed.
static pid_t start_viewer(lc_folder *folder)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that fails leaves nobody waiting
        lc_folder own = {.base = getenv("TMPDIR")};
        for (int i = 0; i < 2; i++) {
            char path[320];
            if (lc_folder_name(&own, ".lcs", path, NULL) != LC_OK)
                _exit(1);
            file_put(path, "text", 4);
        }
        if (write(ends[1], &own, sizeof own) != (ssize_t)sizeof own)
            _exit(1);
        for (;;)
            (void)pause();
    }
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], folder, sizeof *folder), sizeof *folder);
    (void)close(ends[0]);
    return child;
}

static void kill_viewer(pid_t process)
{
    int result;
    assert_int_equal(kill(process, SIGKILL), 0);
    assert_int_equal(waitpid(process, &result, 0), process);
    assert_true(WIFSIGNALED(result));
}

static void test_killed(void **state)
{
    (void)state;
    lc_folder dead, alive, own = {.base = getenv("TMPDIR")};
    char path[320], inside[400];
    const pid_t first = start_viewer(&dead), second = start_viewer(&alive);
    assert_int_equal(names_in_base(), 2);
    kill_viewer(first);
    assert_true(exists(dead.path));
    assert_int_equal(lc_folder_name(&own, ".lcs", path, NULL), LC_OK);
    assert_false(exists(dead.path));
    (void)snprintf(inside, sizeof inside, "%s/2.lcs", alive.path);
    assert_true(exists(inside));
    file_put(path, "text", 4);
    lc_folder_remove(&own);
    assert_false(exists(path));
    assert_int_equal(names_in_base(), 1);
    kill_viewer(second);
    assert_int_equal(lc_folder_name(&own, ".lcs", path, NULL), LC_OK);
    lc_folder_remove(&own);
    assert_int_equal(names_in_base(), 0);
}

// Nothing else is removed: not what has another name, and not what nobody made as a viewer does.
static void test_others(void **state)
{
    (void)state;
    lc_folder own = {.base = getenv("TMPDIR")};
    char path[320], host[256], names[6][400];
    const char *base = getenv("TMPDIR");
    assert_int_equal(gethostname(host, sizeof host), 0);
    (void)snprintf(names[0], sizeof names[0], "%s/lightcone-abcdef", base);
    (void)snprintf(names[1], sizeof names[1], "%s/lightcone-view-elsewhere-abcdef", base);
    (void)snprintf(names[2], sizeof names[2], "%s/lightcone-view-%s-abcdefg", base, host);
    (void)snprintf(names[3], sizeof names[3], "%s/lightcone-view-%s-abcde1", base, host);
    (void)snprintf(names[4], sizeof names[4], "%s/lightcone-view-%s-abcde2", base, host);
    (void)snprintf(names[5], sizeof names[5], "%s/lightcone-view-%s-abcde3", base, host);
    for (int i = 0; i < 4; i++)
        assert_int_equal(mkdir(names[i], 0700), 0);
    assert_int_equal(chmod(names[3], 0755), 0);
    assert_int_equal(symlink(names[0], names[4]), 0);
    file_put(names[5], "text", 4);
    assert_int_equal(lc_folder_name(&own, ".lcs", path, NULL), LC_OK);
    lc_folder_remove(&own);
    for (int i = 0; i < 6; i++)
        assert_true(exists(names[i]));
    assert_int_equal(names_in_base(), 6);
}

static void test_no_folder(void **state)
{
    (void)state;
    lc_folder own = {.base = getenv("TMPDIR")};
    lc_message message = {0};
    char path[320];
    own.base = test_path("nowhere");
    assert_int_equal(lc_folder_name(&own, ".lcs", path, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "nowhere: No such file"));
    lc_folder_remove(&own); // there is none
}

static int make_base(void **state)
{
    (void)state;
    const char *base = test_path("base");
    return mkdir(base, 0700) == 0 ? setenv("TMPDIR", base, 1) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, make_base, NULL);
}
