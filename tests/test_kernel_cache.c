// Compiled kernels on disk: what makes a key, hits and misses, every kind of damage, folders that
// cannot be written, the bound on files, and many processes at once. And the texts of kernels that
// the build embeds.
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "device/gpu_device.h"
#include "device/kernel_cache.h"
#include "support.h"
#include "support_device.h"

static bool is_somebody_else;

// Who we are, as the cache hears it: only root can give a file away.
__attribute__((visibility("default"))) uid_t geteuid(void)
{
    return (uid_t)syscall(SYS_geteuid) + (is_somebody_else ? 1 : 0);
}

// Makes a module on a GPU that nobody has opened yet.
static void check_anew(const lc_kernel_text *texts, int factor, bool cached)
{
    test_context_anew();
    lc_device *device = open_first_gpu();
    check_module(device, texts, factor, cached);
    lc_device_close(&device);
}

static size_t read_file(const char *path, char *content, size_t most)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    size_t size_bytes = fread(content, 1, most, file);
    fclose(file);
    return size_bytes;
}

// Of the cache's folder, whatever they are.
static size_t count_files(void)
{
    DIR *folder = opendir(getenv("LIGHTCONE_CACHE"));
    const struct dirent *entry;
    size_t count = 0;
    CHECK(folder != NULL);
    while ((entry = readdir(folder)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void write_file(const char *path, const char *content, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(content, 1, size_bytes, file) == size_bytes && fclose(file) == 0);
}

// ---- keys ---------------------------------------------------------------------------------------

static bool keys_differ(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
    lc_kernel_key p = lc_kernel_key_of(a, a_count);
    lc_kernel_key q = lc_kernel_key_of(b, b_count);
    return p.high != q.high && p.low != q.low;
}

static void test_keys(void **state)
{
    (void)state;
    const char *const ab_c[] = {"ab", "c"};
    const char *const a_bc[] = {"a", "bc"};
    const char *const c_ab[] = {"c", "ab"};
    const char *const abc[] = {"abc"};
    const char *const ab_c_none[] = {"ab", "c", ""};
    assert_true(keys_differ(ab_c, 2, a_bc, 2));
    assert_true(keys_differ(ab_c, 2, c_ab, 2));
    assert_true(keys_differ(ab_c, 2, abc, 1));
    assert_true(keys_differ(ab_c, 2, ab_c_none, 3));
    assert_true(keys_differ(ab_c, 2, ab_c, 1));
    assert_true(keys_differ(ab_c, 0, ab_c, 1));
    assert_false(keys_differ(ab_c, 2, ab_c_none, 2));
}

// Whatever the image depends on makes another one.
static void misses(void)
{
    static const lc_kernel_text other_header[] = {
        {"scale.cu", " scale("}, {"scale_parts.cuh", "// 8"}, {NULL, NULL}};
    static const lc_kernel_text other_text[] = {
        {"scale.cu", " scale() "}, {"scale_parts.cuh", "// 8"}, {NULL, NULL}};
    check_anew(test_kernel_texts, 3, false);
    check_anew(test_kernel_texts, 3, true);
    check_anew(test_kernel_texts, 4, false);
    check_anew(other_header, 3, false);
    check_anew(other_text, 3, false);
    check_anew(test_kernel_texts, 3, true);
    check_anew(test_kernel_texts, 4, true);
    CHECK(ask_fake("fake_compilations") == 4);
    CHECK(cache_entries(NULL, 0) == 4);
    setenv("FAKE_ARCHITECTURE", "80", 1);
    check_anew(test_kernel_texts, 3, false);
    check_anew(test_kernel_texts, 3, true);
}

static void run_in_a_child(void (*run)(void))
{
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        run();
        fflush(NULL);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void first_time(void)
{
    check_anew(test_kernel_texts, 3, false);
}

static void second_time(void)
{
    check_anew(test_kernel_texts, 3, true);
    CHECK(ask_fake("fake_compilations") == 0);
}

// One process finds what another has left, but not with another compiler.
static void other_processes(void)
{
    run_in_a_child(first_time);
    run_in_a_child(second_time);
    setenv("FAKE_NVRTC", "13000", 1);
    run_in_a_child(first_time);
    run_in_a_child(second_time);
    CHECK(cache_entries(NULL, 0) == 2);
}

// ---- damage -------------------------------------------------------------------------------------

// After each, the module works, was compiled anew, and is in the cache again as it was.
static void damage(void)
{
    static char good[1 << 14];
    static char bad[1 << 14];
    static char again[1 << 14];
    char path[512];
    check_anew(test_kernel_texts, 3, false);
    CHECK(cache_entries(path, sizeof path) == 1);
    size_t size_bytes = read_file(path, good, sizeof good);
    CHECK(size_bytes > 200 && size_bytes < sizeof good - 100);
    // All of the header and its end, and every seventh place of the content.
    for (size_t i = 0; i < 2 * size_bytes + 8; i += i % size_bytes < 48 ? 1 : 7) {
        size_t bad_bytes = size_bytes;
        memcpy(bad, good, size_bytes);
        if (i < size_bytes) { // every byte, in one bit
            bad[i] = (char)(bad[i] ^ 1 << i % 8);
        } else if (i < 2 * size_bytes) { // every length
            bad_bytes = i - size_bytes;
        } else { // more than there was
            bad_bytes += 1 + 8 * (i - 2 * size_bytes);
            memset(bad + size_bytes, 0, bad_bytes - size_bytes);
        }
        write_file(path, bad, bad_bytes);
        check_anew(test_kernel_texts, 3, false);
        CHECK(read_file(path, again, sizeof again) == size_bytes);
        CHECK(memcmp(again, good, size_bytes) == 0);
    }
    check_anew(test_kernel_texts, 3, true);

    // A file that is whole, but not an image that the driver takes.
    setenv("FAKE_FAIL", "cuModuleLoadDataEx=200@1", 1);
    check_anew(test_kernel_texts, 3, false);
    check_anew(test_kernel_texts, 3, true);

    // Other things by that name are left alone, and not waited for.
    CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
    check_anew(test_kernel_texts, 3, false);
    CHECK(count_files() == 1); // what was written beside it is gone
    CHECK(rmdir(path) == 0 && mkfifo(path, 0600) == 0);
    check_anew(test_kernel_texts, 3, false);
    check_anew(test_kernel_texts, 3, true); // it was replaced
    CHECK(unlink(path) == 0 && symlink("/dev/zero", path) == 0);
    check_anew(test_kernel_texts, 3, false);
    check_anew(test_kernel_texts, 3, true);
    // Nor is a file taken that is neither ours nor root's.
    if (geteuid() == 0)
        CHECK(chown(path, 12345, 12345) == 0);
    else
        is_somebody_else = true;
    check_anew(test_kernel_texts, 3, false);
    is_somebody_else = false;
    check_anew(test_kernel_texts, 3, true);
}

// ---- folders ------------------------------------------------------------------------------------

static void no_folder(void)
{
    static const char *const folders[] = {"", "/proc/1/nothing/of/the/kind", "/dev/null/folder",
                                          "/dev/null"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        setenv("LIGHTCONE_CACHE", folders[i], 1);
        test_context_anew();
        check_anew(test_kernel_texts, 3, false);
        check_anew(test_kernel_texts, 3, false);
    }
    static char long_path[5000];
    memset(long_path, 'a', sizeof long_path - 1);
    long_path[0] = '/';
    setenv("LIGHTCONE_CACHE", long_path, 1);
    test_context_anew();
    check_anew(test_kernel_texts, 3, false);
}

// A folder several levels down is made when the first kernel is written.
static void new_folder(void)
{
    char path[300];
    struct stat facts;
    snprintf(path, sizeof path, "%s/one/two/three", getenv("LIGHTCONE_CACHE"));
    setenv("LIGHTCONE_CACHE", path, 1);
    test_context_anew();
    first_time();
    CHECK(stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) && (facts.st_mode & 077) == 0);
    CHECK(cache_entries(path, sizeof path) == 1);
    CHECK(stat(path, &facts) == 0 && (facts.st_mode & 077) == 0);
}

// ---- many files ---------------------------------------------------------------------------------

static lc_kernel_key key_of_number(int number)
{
    char text[16];
    const char *const parts[] = {text};
    snprintf(text, sizeof text, "%d", number);
    return lc_kernel_key_of(parts, 1);
}

static bool holds(int number)
{
    lc_kernel_key key = key_of_number(number);
    void *content;
    size_t size_bytes;
    if (!lc_kernel_cache_read(getenv("LIGHTCONE_CACHE"), &key, &content, &size_bytes))
        return false;
    CHECK(size_bytes == sizeof number && memcmp(content, &number, sizeof number) == 0);
    lc_free(content);
    return true;
}

static void set_age(const char *path, time_t age_s)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
    now.tv_sec -= age_s;
    struct timespec times[2] = {now, now};
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static void bound(void)
{
    enum { WRITTEN = LC_KERNEL_CACHE_MAX_FILES + 50, USED = 7 };
    char path[300];
    char bystander[300];
    char abandoned[300];
    char fresh[300];
    const char *folder = getenv("LIGHTCONE_CACHE");
    snprintf(bystander, sizeof bystander, "%s/README", folder);
    snprintf(abandoned, sizeof abandoned, "%s/.writing-1-0-5", folder);
    snprintf(fresh, sizeof fresh, "%s/.writing-1-0-6", folder);
    write_file(bystander, "mine", 4);
    write_file(abandoned, "half", 4);
    write_file(fresh, "half", 4);
    set_age(bystander, 1000000);
    set_age(abandoned, 4000);
    for (int i = 0; i < WRITTEN; i++) {
        lc_kernel_key key = key_of_number(i);
        CHECK(lc_kernel_cache_write(getenv("LIGHTCONE_CACHE"), &key, &i, sizeof i));
        snprintf(path, sizeof path, "%s/%016llx%016llx.kernel", folder,
                 (unsigned long long)key.high, (unsigned long long)key.low);
        set_age(path, 10000 - i);       // one second younger than the one before
        CHECK(i < USED || holds(USED)); // which makes it the youngest
    }
    CHECK(cache_entries(NULL, 0) == LC_KERNEL_CACHE_MAX_FILES);
    for (int i = 0; i < WRITTEN; i++)
        CHECK(holds(i) == (i == USED || i > WRITTEN - LC_KERNEL_CACHE_MAX_FILES));
    CHECK(access(bystander, F_OK) == 0);
    CHECK(access(abandoned, F_OK) != 0);
    CHECK(access(fresh, F_OK) == 0);
    lc_kernel_key key = key_of_number(USED);
    static char large[16];
    CHECK(!lc_kernel_cache_write(getenv("LIGHTCONE_CACHE"), &key, large,
                                 (size_t)LC_KERNEL_CACHE_MAX_BYTES + 1));
    CHECK(lc_kernel_cache_write(getenv("LIGHTCONE_CACHE"), &key, large, 0));
    void *content;
    size_t size_bytes = 1;
    CHECK(lc_kernel_cache_read(getenv("LIGHTCONE_CACHE"), &key, &content, &size_bytes) &&
          size_bytes == 0);
    lc_free(content);
}

// ---- many processes -----------------------------------------------------------------------------

enum { RACERS = 4, RACE_KEYS = 3, RACE_ROUNDS = 50, RACE_BYTES = 20000 };

// Each racer writes contents of its own length and letter; whoever reads sees one of them whole.
static void race_alone(int racer)
{
    static char content[RACE_BYTES];
    for (int round = 0; round < RACE_ROUNDS; round++) {
        lc_kernel_key key = key_of_number((round + racer) % RACE_KEYS);
        memset(content, 'a' + racer, sizeof content);
        CHECK(lc_kernel_cache_write(getenv("LIGHTCONE_CACHE"), &key, content,
                                    (size_t)(RACE_BYTES - 1000 * racer)));
        void *found;
        size_t size_bytes;
        CHECK(lc_kernel_cache_read(getenv("LIGHTCONE_CACHE"), &key, &found, &size_bytes));
        const char *text = found;
        CHECK(text[0] >= 'a' && text[0] < 'a' + RACERS);
        CHECK(size_bytes == (size_t)(RACE_BYTES - 1000 * (text[0] - 'a')));
        for (size_t i = 0; i < size_bytes; i++)
            CHECK(text[i] == text[0]);
        lc_free(found);
    }
}

static void race(void)
{
    pid_t children[RACERS];
    fflush(NULL);
    for (int i = 0; i < RACERS; i++) {
        children[i] = fork();
        CHECK(children[i] >= 0);
        if (children[i] == 0) {
            race_alone(i);
            _exit(0);
        }
    }
    for (int i = 0; i < RACERS; i++) {
        int status;
        CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    CHECK(cache_entries(NULL, 0) == RACE_KEYS);
    DIR *list = opendir(getenv("LIGHTCONE_CACHE"));
    const struct dirent *entry;
    while ((entry = readdir(list)) != NULL)
        CHECK(strncmp(entry->d_name, ".writing", 8) != 0);
    closedir(list);
}

// ---- embedded texts -----------------------------------------------------------------------------

static void test_embedded_texts(void **state)
{
    (void)state;
    static const char *const names[] = {"scale.cu", "scale_parts.cuh"};
    for (size_t i = 0; i < 2; i++) {
        static char content[1 << 14];
        char path[512];
        snprintf(path, sizeof path, "%s/%s", TEST_KERNELS, names[i]);
        size_t size_bytes = read_file(path, content, sizeof content - 1);
        content[size_bytes] = '\0';
        assert_string_equal(test_kernel_texts[i].name, names[i]);
        assert_string_equal(test_kernel_texts[i].text, content);
        assert_ptr_equal(lc_kernel_text_find(test_kernel_texts, names[i]),
                         test_kernel_texts[i].text);
    }
    assert_null(test_kernel_texts[2].name);
    assert_null(lc_kernel_text_find(test_kernel_texts, "scale"));
    // Those of the library: in order, none without text.
    for (const lc_kernel_text *text = lc_kernel_texts; text->name != NULL; text++) {
        assert_true(text->text[0] != '\0');
        assert_true(text == lc_kernel_texts || strcmp(text[-1].name, text->name) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        CASE(misses, FAKE_CUDA, FAKE_CUDA),
        CASE(other_processes, FAKE_CUDA, FAKE_CUDA),
        CASE(damage, FAKE_CUDA, FAKE_CUDA),
        CASE(no_folder, FAKE_CUDA, FAKE_CUDA),
        CASE(new_folder, FAKE_CUDA, FAKE_CUDA),
        CASE(bound, FAKE_CUDA, FAKE_CUDA),
        CASE(race, FAKE_CUDA, FAKE_CUDA),
        cmocka_unit_test(test_embedded_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
