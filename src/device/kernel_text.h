// Kernel sources in CUDA C. The build embeds the files of kernels/ in the library
// (cmake/embed_text.cmake).
#ifndef LC_DEVICE_KERNEL_TEXT_H
#define LC_DEVICE_KERNEL_TEXT_H

#include <stddef.h>

#include "lightcone/status.h"

typedef struct lc_kernel_text {
    const char *name; // file name without folder, as in #include "..."
    const char *text;
} lc_kernel_text;

// The files of kernels/, sorted by name. The last entry has name NULL.
extern const lc_kernel_text lc_kernel_texts[];

// Returns the text of that name. The list ends with name NULL. NULL: not found.
const char *lc_kernel_text_find(const lc_kernel_text *texts, const char *name);

// Creates a list of all texts of kernels/ and that of a rule, "rule.h", which outlives it; lc_free.
// Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_kernel_texts_for_rule(lc_kernel_text **out, const char *rule_text,
                                   lc_message *message);

// Input of one compilation. The caller keeps ownership of everything it points to.
typedef struct lc_kernel_source {
    const char *name;            // the text to compile
    const lc_kernel_text *texts; // ends with name NULL; texts other than *.cu can be included
    const char *const *options;  // NVRTC options such as "-DROWS=2", without the architecture
    size_t option_count;
} lc_kernel_source;

#endif
