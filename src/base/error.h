// Fills the caller's lc_message, with a position in a file.
#ifndef LC_BASE_ERROR_H
#define LC_BASE_ERROR_H

#include "lightcone/status.h"

// Like lc_fail of the public API, with a position in a text or in bytes. The message leaves the
// file name out; the caller that knows the path adds it.
lc_status lc_fail_at_line(lc_message *message, lc_status status, uint64_t line, uint64_t column,
                          const char *format, ...) LC_PRINTF(5, 6);
lc_status lc_fail_at_byte(lc_message *message, lc_status status, uint64_t offset,
                          const char *format, ...) LC_PRINTF(4, 5);

// Returns `status`, that of an earlier call, and if it is an error, copies its message.
lc_status lc_fail_again(lc_message *message, lc_status status, const lc_message *earlier);

// Fails with LC_ERROR_MEMORY after a failed allocation: "out of memory for WHAT".
lc_status lc_fail_memory(lc_message *message, const char *format, ...) LC_PRINTF(2, 3);

// Fails with LC_ERROR_ARGUMENT: unknown setting "foo=2" for OWNER; it accepts blocks=N. `settings`
// begins with the unknown setting, which ends at a comma.
lc_status lc_fail_setting(lc_message *message, const char *settings, const char *accepted,
                          const char *owner, ...) LC_PRINTF(4, 5);

// Fails with LC_ERROR_LIMIT if a universe would exceed its limit: "out of memory: WHAT 4.0 GiB and
// the limit is 2.0 GiB". The text WHAT ends with a verb: "100 x 100 cells need". `needed_bytes` 0:
// the size is unknown, and the message ends with "more than the limit of 2.0 GiB".
lc_status lc_fail_limit(lc_message *message, uint64_t needed_bytes, uint64_t limit_bytes,
                        const char *format, ...) LC_PRINTF(4, 5);

// Fails with LC_ERROR_STOPPED if the callback of lc_set_give_up says that this thread's call stops.
lc_status lc_check_give_up(lc_message *message);

#endif
