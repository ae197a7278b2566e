#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define DIGITS_OF(number) #number
#define VERSION_TEXT(major, minor, patch) DIGITS_OF(major) "." DIGITS_OF(minor) "." DIGITS_OF(patch)

static _Thread_local lc_give_up give_up;
static _Thread_local void *give_up_context;

void lc_set_give_up(lc_give_up asks, void *context)
{
    give_up = asks;
    give_up_context = context;
}

lc_status lc_check_give_up(lc_message *message)
{
    return give_up != NULL && give_up(give_up_context)
               ? lc_fail(message, LC_ERROR_STOPPED, "this was given up")
               : LC_OK;
}

const char *lc_version(void)
{
    return VERSION_TEXT(LC_VERSION_MAJOR, LC_VERSION_MINOR, LC_VERSION_PATCH);
}

const char *lc_status_name(lc_status status)
{
    switch (status) {
#define NAME(name, value, text)                                                                    \
    case name:                                                                                     \
        return #name;
        LC_STATUS_LIST(NAME)
#undef NAME
    }
    return "LC_ERROR_UNKNOWN";
}

const char *lc_status_text(lc_status status)
{
    switch (status) {
#define TEXT(name, value, text)                                                                    \
    case name:                                                                                     \
        return text;
        LC_STATUS_LIST(TEXT)
#undef TEXT
    }
    return "unknown error";
}

static lc_status fill(lc_message *message, lc_status status, uint64_t line, uint64_t column,
                      uint64_t offset, const char *format, va_list arguments)
{
    if (message != NULL) {
        message->line = line;
        message->column = column;
        message->offset = offset;
        (void)vsnprintf(message->text, sizeof message->text, format, arguments);
    }
    return status;
}

lc_status lc_fail(lc_message *message, lc_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(message, status, 0, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

lc_status lc_fail_at_line(lc_message *message, lc_status status, uint64_t line, uint64_t column,
                          const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(message, status, line, column, 0, format, arguments);
    va_end(arguments);
    return status;
}

lc_status lc_fail_at_byte(lc_message *message, lc_status status, uint64_t offset,
                          const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(message, status, 0, 0, offset, format, arguments);
    va_end(arguments);
    return status;
}
