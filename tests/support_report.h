// Reports of NVRTC on compiled kernels, cached between runs. The same text, options, architecture
// and NVRTC version give the same report, and compiling takes a second.
//
// A report is a file of ${XDG_CACHE_HOME:-~/.cache}/lightcone-tests/KIND (device/kernel_cache.h);
// its key covers all of the compiler's inputs. Without either variable, and for failed
// compilations, nothing is cached.
#ifndef LC_TESTS_SUPPORT_REPORT_H
#define LC_TESTS_SUPPORT_REPORT_H

#include "device/kernel_cache.h"
#include "device/kernel_text.h"

typedef struct test_report {
    char folder[512]; // "": no cache
    lc_kernel_key key;
} test_report;

test_report test_report_of(const char *kind, const lc_kernel_source *source, int nvrtc_version,
                           int architecture);
// Returns the report's text; the caller frees it with lc_free. NULL: not cached.
char *test_report_read(const test_report *report);
void test_report_keep(const test_report *report, const char *text);

#endif
