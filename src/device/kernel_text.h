// Texts of CUDA C: those of kernels/, which the build puts into the library
// (cmake/embed_text.cmake), and what is to be compiled of them.
#ifndef LC_DEVICE_KERNEL_TEXT_H
#define LC_DEVICE_KERNEL_TEXT_H

#include <stddef.h>

typedef struct lc_kernel_text {
    const char *name; // "strip.cu": a file's name without its folder, as #include "..." has it
    const char *text;
} lc_kernel_text;

// The files of kernels/, by name, ended by one whose name is NULL.
extern const lc_kernel_text lc_kernel_texts[];

// The text called `name` of a list that ends with NULL; NULL if there is none.
const char *lc_kernel_text_find(const lc_kernel_text *texts, const char *name);

// One compilation. The texts are lent, and so is everything else.
typedef struct lc_kernel_source {
    const char *name;            // which text is the kernel's
    const lc_kernel_text *texts; // ended by a NULL name; those that are not .cu can be included
    const char *const *options;  // NVRTC's, such as "-DROWS=2"; the architecture is not one of them
    size_t option_count;
} lc_kernel_source;

#endif
