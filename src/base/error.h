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

// LC_ERROR_STOPPED if this thread's long call is to be given up: see lc_set_give_up.
lc_status lc_check_give_up(lc_message *message);

#endif
