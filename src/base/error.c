#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

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

lc_status lc_fail_again(lc_message *message, lc_status status, const lc_message *earlier)
{
    if (status != LC_OK && message != NULL)
        *message = *earlier;
    return status;
}

lc_status lc_fail_memory(lc_message *message, const char *format, ...)
{
    char what[sizeof message->text];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return lc_fail(message, LC_ERROR_MEMORY, "out of memory for %s", what);
}

lc_status lc_fail_setting(lc_message *message, const char *settings, const char *accepted,
                          const char *owner, ...)
{
    enum { LONGEST = 60 };
    char whose[sizeof message->text];
    const size_t length = strcspn(settings, ",");
    va_list arguments;
    va_start(arguments, owner);
    (void)vsnprintf(whose, sizeof whose, owner, arguments);
    va_end(arguments);
    return lc_fail(message, LC_ERROR_ARGUMENT, "unknown setting \"%.*s\" for %s; it accepts %s",
                   (int)(length < LONGEST ? length : LONGEST), settings, whose, accepted);
}

lc_status lc_fail_limit(lc_message *message, uint64_t needed_bytes, uint64_t limit_bytes,
                        const char *format, ...)
{
    char what[sizeof message->text], needed[LC_SIZE_TEXT_BYTES], limit[LC_SIZE_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    lc_size_text(needed_bytes, needed);
    lc_size_text(limit_bytes, limit);
    // "2.0 GiB (2147483649 bytes)": the message needs exact numbers only if the rounded ones are
    // equal.
    const size_t needed_length = strcspn(needed, "("), limit_length = strcspn(limit, "(");
    const bool are_alike =
        needed_length == limit_length && strncmp(needed, limit, needed_length) == 0;
    if (!are_alike) {
        needed[needed_length - (needed[needed_length] == '(')] = '\0';
        limit[limit_length - (limit[limit_length] == '(')] = '\0';
    }
    if (needed_bytes == 0)
        return lc_fail(message, LC_ERROR_LIMIT, "out of memory: %s more than the limit of %s", what,
                       limit);
    return lc_fail(message, LC_ERROR_LIMIT, "out of memory: %s %s and the limit is %s", what,
                   needed, limit);
}
