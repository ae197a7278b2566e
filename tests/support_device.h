// Support for tests of the device layer. A process looks for NVIDIA's libraries only once, so each
// case runs in a child process with its own environment.
#ifndef LC_TESTS_SUPPORT_DEVICE_H
#define LC_TESTS_SUPPORT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/gpu_device.h"
#include "device/kernel_text.h"

// Runs a case in a child process with these libraries (NULL: the machine's) and an empty folder in
// LIGHTCONE_CACHE, which is removed afterwards. Fails the test if a check failed.
void in_child(void (*run)(void), const char *driver, const char *nvrtc);

// The same, but accepts and returns every exit status except that of a failed check (1).
int in_child_status(void (*run)(void), const char *driver, const char *nvrtc);

// Returns whether LC_TEST_GPU=1: run only the cases for the machine's GPU, with LIGHTCONE_CUDA and
// LIGHTCONE_NVRTC as set.
bool only_gpu_cases(void);

// A test for cmocka's list: in_child with these arguments.
typedef struct child_case {
    void (*run)(void);
    const char *driver;
    const char *nvrtc;
} child_case;
void run_child_case(void **state);
#define CASE(run, driver, nvrtc)                                                                   \
    {                                                                                              \
#run, run_child_case, NULL, NULL, &(child_case)                                            \
        {                                                                                          \
            run, driver, nvrtc                                                                     \
        }                                                                                          \
    }

// For use in a case: skips it and prints the reason.
_Noreturn void skip_case(const char *reason);

// For use in a case: calls a function of fake_cuda.h and returns its result.
long ask_fake(const char *function);

// For use in a case: a failed check prints itself and ends the child.
#define CHECK(condition) check_that(condition, #condition, __FILE__, __LINE__)
#define CHECK_HAS(text, part) check_has(text, part, __FILE__, __LINE__)
void check_that(bool condition, const char *what, const char *file, int line);
void check_has(const char *text, const char *part, const char *file, int line);

// For use in a case: opens the first GPU in the test's context.
lc_device *open_first_gpu(void);

// Returns the number of cache entries, and the path of one.
size_t cache_entries(char *path, size_t size_bytes);

// The kernel of tests/kernels with a factor.
typedef struct scale_source {
    char option[32];
    const char *options[1];
    lc_kernel_source source;
} scale_source;

extern const lc_kernel_text test_kernel_texts[]; // embedded from tests/kernels by the build
void scale_source_init(scale_source *scale, const lc_kernel_text *texts, int factor);

// Multiplies 1, 2, 3 ... with the module's kernel and checks the results.
void check_scale(lc_device *device, lc_module *module, unsigned int factor);

// Creates the module, checks its result and whether it came from the cache.
void check_module(lc_device *device, const lc_kernel_text *texts, int factor, bool cached);

#endif
