// Errors in the text of a rule or a topology.
#include "rule/rule_text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

lc_status lc_rule_fail(lc_message *message, lc_status status, const char *start, const char *at,
                       const char *format, ...)
{
    char sentence[sizeof message->text];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return lc_fail_at_line(message, status, 0, lc_rule_column(start, at), "%s", sentence);
}

lc_rule_byte lc_rule_quote(char c)
{
    lc_rule_byte result;
    if (c > ' ' && c <= '~')
        (void)snprintf(result.text, sizeof result.text, "'%c'", c);
    else
        (void)snprintf(result.text, sizeof result.text, "byte 0x%02x", (unsigned)(unsigned char)c);
    return result;
}
