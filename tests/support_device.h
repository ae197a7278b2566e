// Help for tests of the device layer. NVIDIA's libraries are looked for once in a process, so each
// case runs in a child process, with an environment of its own.
#ifndef LC_TESTS_SUPPORT_DEVICE_H
#define LC_TESTS_SUPPORT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/gpu_device.h"
#include "device/kernel_text.h"

// Runs a case in a child. In it the libraries are those given (NULL: what this machine has), and
// LIGHTCONE_CACHE is an empty folder that is removed afterwards. Fails the test if a check failed.
void in_child(void (*run)(void), const char *driver, const char *nvrtc);

// The same, but any exit status of the child's own but that of a failed check (1) is fine, and
// returned.
int in_child_status(void (*run)(void), const char *driver, const char *nvrtc);

// LC_TEST_GPU=1: only the cases for the machine's own GPU are wanted, and they get LIGHTCONE_CUDA
// and LIGHTCONE_NVRTC as they are set.
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

// For use in a case: says that it cannot run here, and why.
_Noreturn void skip_case(const char *reason);

// For use in a case: what a function of fake_cuda.h answers.
long ask_fake(const char *function);

// For use in a case: prints what failed, and ends the child.
#define CHECK(condition) check_that(condition, #condition, __FILE__, __LINE__)
#define CHECK_HAS(text, part) check_has(text, part, __FILE__, __LINE__)
void check_that(bool condition, const char *what, const char *file, int line);
void check_has(const char *text, const char *part, const char *file, int line);

// For use in a case: the first GPU, opened in the test's context.
lc_device *open_first_gpu(void);

// The one entry of the cache, as a path, and how many entries there are.
size_t cache_entries(char *path, size_t size_bytes);

// The kernel of tests/kernels, with its factor.
typedef struct scale_source {
    char option[32];
    const char *options[1];
    lc_kernel_source source;
} scale_source;

extern const lc_kernel_text test_kernel_texts[]; // from tests/kernels, as the build embeds it
void scale_source_init(scale_source *scale, const lc_kernel_text *texts, int factor);

// Multiplies 1, 2, 3 ... with the module's kernel and sees that all of them come out right.
void check_scale(lc_device *device, lc_module *module, unsigned int factor);

// Makes the module, checks its result and whether it came from the cache.
void check_module(lc_device *device, const lc_kernel_text *texts, int factor, bool cached);

#endif
