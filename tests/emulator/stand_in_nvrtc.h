// A program as stand_in_nvrtc.c keeps it for the compiler that stands behind it.
#ifndef LC_TESTS_STAND_IN_NVRTC_H
#define LC_TESTS_STAND_IN_NVRTC_H

#include <stdbool.h>

#include "device/nvrtc.h"

typedef struct stand_in_program {
    char *name;
    char *text;
    char **headers;
    char **header_names;
    size_t header_count;
    const char *target; // "sm_90", while it is compiled
    bool ptx;
    char *image; // malloc'd, as is the log
    size_t image_bytes;
    char *log;
} stand_in_program;

// Sets image and log.
nvrtcResult stand_in_compile(stand_in_program *program, size_t option_count,
                             const char *const *options);

#endif
