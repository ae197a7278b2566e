// What the emulator's compiler hands to its driver: this, and a shared library after it.
#ifndef LC_TESTS_EMULATED_IMAGE_H
#define LC_TESTS_EMULATED_IMAGE_H

#include <stdint.h>

#define EMULATED_MAGIC "EMULATED"

typedef struct emulated_image {
    char magic[sizeof EMULATED_MAGIC];
    char stamp[72]; // EMULATED_STAMP of the build: a sum of what goes into every kernel
    uint64_t size_bytes;
} emulated_image;

#endif
