// Support for tests of the device layer.
#include <dirent.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"
#include "support_device.h"

enum { SKIPPED = 77 };

void check_that(bool condition, const char *what, const char *file, int line)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    _exit(1);
}

void check_has(const char *text, const char *part, const char *file, int line)
{
    if (strstr(text, part) != NULL)
        return;
    fprintf(stderr, "%s:%d: no '%s' in '%s'\n", file, line, part, text);
    _exit(1);
}

lc_device *open_first_gpu(void)
{
    lc_device *device = NULL;
    lc_message message = {0};
    if (lc_device_open(&device, test_context(), 0, &message) != LC_OK)
        fprintf(stderr, "%s\n", message.text);
    CHECK(device != NULL);
    return device;
}

static void set_or_unset(const char *variable, const char *value)
{
    if (value != NULL)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

static void remove_folder(const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

bool only_gpu_cases(void)
{
    const char *text = getenv("LC_TEST_GPU");
    return text != NULL && strcmp(text, "1") == 0;
}

int in_child_status(void (*run)(void), const char *driver, const char *nvrtc)
{
    char folder[] = "/tmp/lightcone-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!only_gpu_cases()) {
            set_or_unset("LIGHTCONE_CUDA", driver);
            set_or_unset("LIGHTCONE_NVRTC", nvrtc);
        }
        setenv("LIGHTCONE_CACHE", folder, 1);
        test_context_anew();
        run();
        fflush(NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    remove_folder(folder);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 1);
    return WEXITSTATUS(status);
}

void in_child(void (*run)(void), const char *driver, const char *nvrtc)
{
    const int status = in_child_status(run, driver, nvrtc);
    if (status == SKIPPED)
        skip();
    assert_int_equal(status, 0);
}

void run_child_case(void **state)
{
    const child_case *one = *state;
    in_child(one->run, one->driver, one->nvrtc);
}

void skip_case(const char *reason)
{
    printf("skipped: %s\n", reason);
    fflush(NULL);
    _exit(SKIPPED);
}

long ask_fake(const char *function)
{
    void *library = dlopen(getenv("LIGHTCONE_CUDA"), RTLD_NOW | RTLD_NOLOAD);
    CHECK(library != NULL);
    long (*ask)(void) = NULL;
    void *address = dlsym(library, function);
    memcpy(&ask, &address, sizeof ask);
    CHECK(ask != NULL);
    long answer = ask();
    dlclose(library);
    return answer;
}

size_t cache_entries(char *path, size_t size_bytes)
{
    const char *folder = getenv("LIGHTCONE_CACHE");
    DIR *list = opendir(folder);
    const struct dirent *entry;
    size_t count = 0;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        if (strstr(entry->d_name, ".kernel") != NULL) {
            count++;
            if (path != NULL)
                CHECK(snprintf(path, size_bytes, "%s/%s", folder, entry->d_name) < (int)size_bytes);
        }
    }
    if (list != NULL)
        closedir(list);
    return count;
}

void scale_source_init(scale_source *scale, const lc_kernel_text *texts, int factor)
{
    snprintf(scale->option, sizeof scale->option, "-DFACTOR=%d", factor);
    scale->options[0] = scale->option;
    scale->source = (lc_kernel_source){
        .name = "scale.cu", .texts = texts, .options = scale->options, .option_count = 1};
}

void check_scale(lc_device *device, lc_module *module, unsigned int factor)
{
    enum { COUNT = 1000, MORE = 24 };
    uint32_t values[COUNT + MORE];
    uint32_t count = COUNT;
    lc_kernel kernel;
    lc_device_address memory;
    lc_device_stream *stream;
    lc_message message;
    for (uint32_t i = 0; i < COUNT + MORE; i++)
        values[i] = i + 1;
    CHECK(lc_kernel_find(&kernel, module, "scale", &message) == LC_OK);
    CHECK(lc_device_stream_create(device, &stream, &message) == LC_OK);
    CHECK(lc_device_alloc(device, "numbers", sizeof values, &memory, &message) == LC_OK);
    CHECK(lc_device_upload(device, memory, values, sizeof values, stream, &message) == LC_OK);
    void *arguments[] = {&memory, &count};
    lc_launch launch = {.grid = {4}, .block = {256}, .stream = stream};
    CHECK(lc_kernel_launch(&kernel, &launch, arguments, &message) == LC_OK);
    memset(values, 0, sizeof values);
    CHECK(lc_device_download(device, values, memory, sizeof values, stream, &message) == LC_OK);
    CHECK(lc_device_synchronize(device, stream, &message) == LC_OK);
    for (uint32_t i = 0; i < COUNT + MORE; i++)
        CHECK(values[i] == (i < COUNT ? factor * (i + 1) + 7 : i + 1));
    lc_device_free(device, &memory);
    lc_device_stream_destroy(device, &stream);
    CHECK(memory == 0 && stream == NULL);
}

void check_module(lc_device *device, const lc_kernel_text *texts, int factor, bool cached)
{
    scale_source scale;
    lc_module *module;
    lc_message message = {0};
    scale_source_init(&scale, texts, factor);
    lc_status status = lc_module_create(&module, device, &scale.source, NULL, &message);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", message.text);
    CHECK(status == LC_OK);
    CHECK(lc_module_was_cached(module) == cached);
    check_scale(device, module, (unsigned int)factor);
    lc_module_destroy(&module);
    CHECK(module == NULL);
}
