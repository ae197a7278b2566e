// Filling the caller's lc_message, as the library does for itself.
#ifndef LC_VIEWER_FAIL_H
#define LC_VIEWER_FAIL_H

#include <stdarg.h>
#include <stdio.h>

#include "lightcone/status.h"

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline lc_status
lc_viewer_fail(lc_message *message, lc_status status, const char *format, ...)
{
    if (message != NULL) {
        va_list arguments;
        *message = (lc_message){.line = 0};
        va_start(arguments, format);
        vsnprintf(message->text, sizeof message->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

#endif
