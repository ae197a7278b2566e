// Filling the caller's lc_message with a place.
#ifndef LC_BASE_ERROR_H
#define LC_BASE_ERROR_H

#include "lightcone/status.h"

// lc_fail of the public API, with a place in text or in bytes. A sentence does not name the file:
// whoever knows the path puts it in front.
lc_status lc_fail_at_line(lc_message *message, lc_status status, uint64_t line, uint64_t column,
                          const char *format, ...) LC_PRINTF(5, 6);
lc_status lc_fail_at_byte(lc_message *message, lc_status status, uint64_t offset,
                          const char *format, ...) LC_PRINTF(4, 5);

// Fails with LC_ERROR_MEMORY, "out of memory for PURPOSE": an allocation failed.
lc_status lc_fail_memory(lc_message *message, const char *format, ...) LC_PRINTF(2, 3);

// Fails with LC_ERROR_ARGUMENT: unknown setting "foo=2" for OWNER; it accepts blocks=N. `settings`
// begins with the unknown setting, which ends at a comma.
lc_status lc_fail_setting(lc_message *message, const char *settings, const char *accepted,
                          const char *owner, ...) LC_PRINTF(4, 5);

// Fails with LC_ERROR_LIMIT, "out of memory: NEED 4.0 GiB and the limit is 2.0 GiB": the universe
// would exceed its limit. NEED ends in its verb: "100 x 100 cells need". A `needed_bytes` of 0: the
// need is unknown, "out of memory: NEED more than the limit of 2.0 GiB".
lc_status lc_fail_limit(lc_message *message, uint64_t needed_bytes, uint64_t limit_bytes,
                        const char *format, ...) LC_PRINTF(4, 5);

// Fails with LC_ERROR_STOPPED if the callback of lc_set_give_up says that this thread's call stops.
lc_status lc_check_give_up(lc_message *message);

#endif
