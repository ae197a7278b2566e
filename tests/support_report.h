// What NVRTC said of kernels that it has compiled, kept between runs: the same text, options,
// architecture and version of NVRTC give the same report, and compiling takes a second.
//
// A report is a file of ${XDG_CACHE_HOME:-~/.cache}/lightcone-tests/KIND (device/kernel_cache.h),
// found by all that the compiler would be given. Without either variable nothing is kept, and
// compilations that fail never are.
#ifndef LC_TESTS_SUPPORT_REPORT_H
#define LC_TESTS_SUPPORT_REPORT_H

#include "device/kernel_cache.h"
#include "device/kernel_text.h"

typedef struct test_report {
    char folder[512]; // "": nothing is kept
    lc_kernel_key key;
} test_report;

test_report test_report_of(const char *kind, const lc_kernel_source *source, int nvrtc_version,
                           int architecture);
// The report's text; lc_free. NULL if there is none.
char *test_report_read(const test_report *report);
void test_report_keep(const test_report *report, const char *text);

#endif
