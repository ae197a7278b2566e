// Hauls: the text files in which searches for Catagolue report how often they found each object.
//
//     @VERSION lightcone-0.1.0
//     @MD5 481efcdb90c096aaa5e1fd4c33f6aec5       of the root
//     @ROOT l_lightcone1
//     @RULE b3s23
//     @SYMMETRY C1
//     @NUM_SOUPS 10000
//     @NUM_OBJECTS 218223                         the sum of the table
//
//     @CENSUS TABLE
//     xs4_33 67386                                code and count, the highest count first
//     ...
//
//     @SAMPLE_SOUPIDS
//     xs4_33 0 1 2 3 4 5 6 7 8 9                  code and soups that have it, at most 10
//     ...
//
// Threads: one thread at a time may use a haul.
#ifndef LC_CENSUS_HAUL_H
#define LC_CENSUS_HAUL_H

#include <stddef.h>
#include <stdint.h>

#include "census/soup_seed.h"
#include "file/input.h"
#include "file/output.h"
#include "lightcone/status.h"

enum {
    LC_HAUL_ROOT_BYTES_MAX = LC_SOUP_ROOT_BYTES_MAX,
    LC_HAUL_RULE_BYTES_MAX = 200,
    LC_HAUL_SYMMETRY_BYTES_MAX = 40,
    LC_HAUL_CODE_BYTES_MAX = 1 << 16,
    LC_HAUL_SAMPLES_MAX = 10, // of a kind
    LC_HAUL_KINDS_MAX = 1 << 22,
};

// A kind of object, and how often it was found.
typedef struct lc_haul_kind {
    char *code; // apgcode; belongs to the haul
    uint64_t count;
    uint64_t samples[LC_HAUL_SAMPLES_MAX]; // numbers of soups that have it
    int sample_count;
    uint64_t line; // of the file, of the code in the table; 0: not from a file
} lc_haul_kind;

// A haul. {0} is an empty one. The texts are terminated.
typedef struct lc_haul {
    char root[LC_HAUL_ROOT_BYTES_MAX + 1];
    char rule[LC_HAUL_RULE_BYTES_MAX + 1]; // as the field writes it: b3s23
    char symmetry[LC_HAUL_SYMMETRY_BYTES_MAX + 1];
    uint64_t soups, objects;
    lc_haul_kind *kinds; // in any order
    size_t kind_count;
    size_t kind_room; // kinds for which there is memory
} lc_haul;

// Adds a kind with no samples. The function copies the code, and does not check whether the haul
// has the kind already. *kind is valid until the next call. Returns LC_OK; LC_ERROR_ARGUMENT (the
// code has no bytes, or a byte that is not a visible ASCII character); LC_ERROR_LIMIT (a code above
// LC_HAUL_CODE_BYTES_MAX, more than LC_HAUL_KINDS_MAX kinds); LC_ERROR_MEMORY. On error the haul
// does not change.
lc_status lc_haul_add(lc_haul *haul, const char *code, size_t code_bytes, uint64_t count,
                      lc_haul_kind **kind, lc_message *message);

// Sorts the kinds as the table has them: by falling counts, and equal counts by falling codes.
void lc_haul_sort(lc_haul *haul);

// Sorts the kinds and appends the haul's text. The output keeps a failure (lc_output_commit).
void lc_haul_write(lc_haul *haul, lc_output *output);

// Reads the text of a haul to its end. Accepts a first line that does not begin with "@", header
// lines in any order and of other names, and a table in any order. Returns LC_OK; LC_ERROR_FORMAT
// (damaged or no haul: message->line is the place; also counts whose sum is not the number of
// objects, and an MD5 that is not that of the root); LC_ERROR_LIMIT; LC_ERROR_MEMORY; LC_ERROR_IO.
// The kinds are sorted as in the table. On error *out is empty. The caller frees the haul with
// lc_haul_free.
lc_status lc_haul_read(lc_haul *out, lc_input *input, lc_message *message);

// Compares everything but the order of the kinds. Returns LC_OK if two hauls are equal, or
// LC_ERROR_MISMATCH with a message that names the first difference and the number of kinds that
// differ. Sorts the kinds of both by their codes.
lc_status lc_haul_compare(lc_haul *a, lc_haul *b, lc_message *message);

// Frees what the haul has and makes it empty.
void lc_haul_free(lc_haul *haul);

#endif
