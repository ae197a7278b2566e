// Libraries that emulated_nvrtc.c has compiled, kept for all tests of all builds in
// $XDG_CACHE_HOME/lightcone-tests/emulated, else ~/.cache/lightcone-tests/emulated: the same kernel
// is compiled once, and found by its content.
#ifndef LC_TESTS_EMULATED_KEPT_H
#define LC_TESTS_EMULATED_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emulator/stand_in_nvrtc.h"

typedef struct emulated_key {
    uint64_t high, low;
} emulated_key;

// Of all that the compiler is given: the texts, the target, the options, EMULATED_STAMP (the
// compiler's version and the emulator's sources) and the compiler's file.
emulated_key emulated_key_of(const stand_in_program *program, size_t option_count,
                             const char *const *options);

// The library that was kept under the key, malloc'd; NULL if there is none.
char *emulated_kept_read(const emulated_key *key, size_t *size_bytes);

// Where it cannot be kept, it is compiled again.
void emulated_keep(const emulated_key *key, const char *library, size_t size_bytes);

#endif
