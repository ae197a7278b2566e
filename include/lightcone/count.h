// Counts of what a plane can have: populations, generations and coordinates beyond 64 bits. A
// universe that is 2^100 cells wide has room for 2^200 live ones, and whatever steps in powers of
// two is soon at generation 10^30.
//
// A count is a plain value from 0 to 2^256 - 1, and its text is exact to the last digit. Functions
// that could leave that range return false and then write nothing. Any thread.
#ifndef LIGHTCONE_COUNT_H
#define LIGHTCONE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_count {
    uint64_t words[4]; // least first: the sum of words[i] * 2^(64 i)
} lc_count;

LC_API lc_count lc_count_of(uint64_t value);

// a + b; false: it is 2^256 or more.
LC_API bool lc_count_add(lc_count a, lc_count b, lc_count *sum);

// a - b; false: b is the larger one.
LC_API bool lc_count_subtract(lc_count a, lc_count b, lc_count *difference);

// The larger one less the smaller one: how far apart they are.
LC_API lc_count lc_count_distance(lc_count a, lc_count b);

// What is left of a count when it is divided by `divisor`, 1 or more.
LC_API uint64_t lc_count_remainder(lc_count count, uint64_t divisor);

// count * 2^bits; false: it is 2^256 or more. 0 may be shifted by any number of bits.
LC_API bool lc_count_shift_left(lc_count count, unsigned bits, lc_count *shifted);

// The largest k of which 2^k is not more than a count; -1 for 0.
LC_API int lc_count_log2(lc_count count);

// -1, 0 or 1: a is smaller than b, the same, larger.
LC_API int lc_count_compare(lc_count a, lc_count b);

// False: it is larger than 2^64 - 1.
LC_API bool lc_count_to_u64(lc_count count, uint64_t *value);

// The nearest double; of two that are as near, the even one, as where a uint64_t is converted.
LC_API double lc_count_to_double(lc_count count);

// Room for the 78 digits of 2^256 - 1 and their terminator.
#define LC_COUNT_TEXT_BYTES 80

// All of its decimal digits, without separators: "1152921504606846976". Always terminated.
LC_API void lc_count_format(lc_count count, char text[LC_COUNT_TEXT_BYTES]);

// Reads a whole number as people type it: "1000000", "1_000_000", "1e30", "10^30", "2^64-1".
// It begins at `text`, with a digit; *end is the first character that does not belong to it. If
// `end` is NULL, the text must end there. Returns LC_OK; LC_ERROR_FORMAT (no number, or without
// `end` something behind it); LC_ERROR_LIMIT (2^256 or more, or a power of 2^320 or more);
// LC_ERROR_ARGUMENT (less than 0: "-5", "2^3-9"). The message has the column in `text`, and line 0.
// On error *count and *end stay as they are.
LC_API lc_status lc_count_parse(const char *text, const char **end, lc_count *count,
                                lc_message *message);

// A whole number of either sign: a coordinate, which 64 bits may not hold either. 0 has no sign.
typedef struct lc_coordinate {
    lc_count distance; // from 0
    bool is_negative;
} lc_coordinate;

LC_API lc_coordinate lc_coordinate_of(int64_t value);

// a - b of two counts.
LC_API lc_coordinate lc_coordinate_between(lc_count a, lc_count b);

// False: 64 bits do not hold it.
LC_API bool lc_coordinate_to_i64(lc_coordinate coordinate, int64_t *value);

#define LC_COORDINATE_TEXT_BYTES (LC_COUNT_TEXT_BYTES + 1)

// All of its decimal digits: "-1152921504606846976". Always terminated.
LC_API void lc_coordinate_format(lc_coordinate coordinate, char text[LC_COORDINATE_TEXT_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
