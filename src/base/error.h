// Filling the caller's lc_message.
#ifndef LC_BASE_ERROR_H
#define LC_BASE_ERROR_H

#include "lightcone/status.h"

#if defined(__GNUC__)
#define LC_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define LC_PRINTF(format_index, first)
#endif

// Writes the sentence, clears line, column and offset, and returns `status`, so that a function can
// end with `return lc_fail(message, LC_ERROR_IO, "cannot open: %s", strerror(errno));`.
// The sentence does not name the file: whoever knows the path puts it in front. `message` may be
// NULL.
lc_status lc_fail(lc_message *message, lc_status status, const char *format, ...) LC_PRINTF(3, 4);

// The same with a place in text or in bytes.
lc_status lc_fail_at_line(lc_message *message, lc_status status, uint64_t line, uint64_t column,
                          const char *format, ...) LC_PRINTF(5, 6);
lc_status lc_fail_at_byte(lc_message *message, lc_status status, uint64_t offset,
                          const char *format, ...) LC_PRINTF(4, 5);

#endif
