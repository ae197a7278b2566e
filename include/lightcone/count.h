// Exact integers up to 2^256 - 1: generations, populations and coordinates beyond 64 bits.
//
// Example:
//
//     lc_count generations;
//     char text[LC_COUNT_TEXT_BYTES] = "";
//     if (lc_count_parse("10^30", NULL, &generations, &message) == LC_OK)
//         lc_count_format(generations, text);
//     puts(text); // prints 1000000000000000000000000000000.
//
// HashLife jumps by powers of two and soon reaches generation 10^30. A universe that is 2^100 cells
// wide can have 2^200 live cells.
//
// A count is a plain value. A function whose result would be negative or too large returns false
// and writes nothing.
//
// Threads: any thread may call these functions.
#ifndef LIGHTCONE_COUNT_H
#define LIGHTCONE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_count {
    uint64_t words[4]; // lowest word first: the count is the sum of words[i] * 2^(64 i)
} lc_count;

// Returns `value` as a count.
LC_API lc_count lc_count_of(uint64_t value);

// Computes a + b. Returns false if the sum is 2^256 or more.
LC_API bool lc_count_add(lc_count a, lc_count b, lc_count *sum);

// Computes a - b. Returns false if b is larger than a.
LC_API bool lc_count_subtract(lc_count a, lc_count b, lc_count *difference);

// Returns |a - b|.
LC_API lc_count lc_count_distance(lc_count a, lc_count b);

// Returns count mod divisor; divisor must be at least 1.
LC_API uint64_t lc_count_remainder(lc_count count, uint64_t divisor);

// Computes count * 2^bits. Returns false if the result is 2^256 or more. A count of 0 may be
// shifted by any number of bits.
LC_API bool lc_count_shift_left(lc_count count, unsigned bits, lc_count *shifted);

// Returns floor(log2(count)), or -1 for 0.
LC_API int lc_count_log2(lc_count count);

// Returns -1 if a < b, 0 if a == b, 1 if a > b.
LC_API int lc_count_compare(lc_count a, lc_count b);

// Converts to 64 bits. Returns false if the count is larger than 2^64 - 1.
LC_API bool lc_count_to_u64(lc_count count, uint64_t *value);

// Returns the nearest double. If two doubles are equally near, returns the double with the even
// mantissa.
LC_API double lc_count_to_double(lc_count count);

// Bytes that hold the 78 digits of 2^256 - 1 and their terminator.
#define LC_COUNT_TEXT_BYTES 80

// Writes all decimal digits, without separators: "1152921504606846976". Always terminated.
LC_API void lc_count_format(lc_count count, char text[LC_COUNT_TEXT_BYTES]);

// Parses an integer as people type it: "1000000", "1_000_000", "1e30", "10^30", "2^64-1". The text
// begins with a digit. The pointer *end is set to the first character after the number. If `end` is
// NULL, the number must be the whole text.
// Returns LC_OK; LC_ERROR_FORMAT (the text is not a number, or `end` is NULL and text follows the
// number); LC_ERROR_LIMIT (the value is 2^256 or more, or a power within the text is 2^320 or
// more); LC_ERROR_ARGUMENT (negative: "-5", "2^3-9"). The message gives the column in `text`; the
// line in the message is 0. On error *count and *end are not written.
LC_API lc_status lc_count_parse(const char *text, const char **end, lc_count *count,
                                lc_message *message);

// A signed integer, for coordinates beyond 64 bits. 0 is not negative.
typedef struct lc_coordinate {
    lc_count distance; // absolute value
    bool is_negative;
} lc_coordinate;

// Returns `value` as a coordinate.
LC_API lc_coordinate lc_coordinate_of(int64_t value);

// Returns a - b.
LC_API lc_coordinate lc_coordinate_between(lc_count a, lc_count b);

// Converts to 64 bits. Returns false if the coordinate does not fit.
LC_API bool lc_coordinate_to_i64(lc_coordinate coordinate, int64_t *value);

#define LC_COORDINATE_TEXT_BYTES (LC_COUNT_TEXT_BYTES + 1)

// Writes sign and all decimal digits: "-1152921504606846976". Always terminated.
LC_API void lc_coordinate_format(lc_coordinate coordinate, char text[LC_COORDINATE_TEXT_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
