#include "json_text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct walker {
    char *begin, *at, *end;
    lc_json_visit *visit;
    void *context;
    bool enough;
    const char *wrong; // NULL: nothing is
} walker;

static bool fail(walker *w, const char *wrong)
{
    if (w->wrong == NULL)
        w->wrong = wrong;
    return false;
}

static void skip_space(walker *w)
{
    while (w->at < w->end && (*w->at == ' ' || *w->at == '\t' || *w->at == '\r' || *w->at == '\n'))
        w->at++;
}

// The next character that is no space, which is taken if it is the wanted one.
static bool take(walker *w, char wanted)
{
    skip_space(w);
    if (w->at == w->end || *w->at != wanted)
        return false;
    w->at++;
    return true;
}

static bool tell(walker *w, lc_json_value value)
{
    if (!w->enough)
        w->enough = !w->visit(w->context, &value);
    return !w->enough;
}

static bool read_hex(walker *w, uint32_t *code)
{
    char digits[5] = "";
    char *end;
    if (w->end - w->at < 4)
        return fail(w, "an escape ends too early");
    memcpy(digits, w->at, 4);
    if (strspn(digits, "0123456789abcdefABCDEF") != 4)
        return fail(w, "\\u is followed by four hexadecimal digits");
    *code = (uint32_t)strtoul(digits, &end, 16);
    w->at += 4;
    return true;
}

static char *write_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 63));
        *out++ = (char)(0x80 | (code & 63));
    } else {
        *out++ = (char)(0xf0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 63));
        *out++ = (char)(0x80 | (code >> 6 & 63));
        *out++ = (char)(0x80 | (code & 63));
    }
    return out;
}

static bool read_escape(walker *w, char **out)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char c = w->at < w->end ? *w->at++ : '\0';
    const char *found = c != '\0' ? strchr(names, c) : NULL;
    uint32_t code, low;
    if (found != NULL) {
        *(*out)++ = meant[found - names];
        return true;
    }
    if (c != 'u')
        return fail(w, "there is no such escape");
    if (!read_hex(w, &code))
        return false;
    if (code >= 0xd800 && code < 0xe000) {
        const bool pair =
            code < 0xdc00 && w->end - w->at >= 6 && w->at[0] == '\\' && w->at[1] == 'u';
        w->at += pair ? 2 : 0;
        if (!pair || !read_hex(w, &low) || low < 0xdc00 || low >= 0xe000)
            return fail(w, "half of a pair of \\u escapes stands alone");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *out = write_utf8(*out, code); // never longer than the escape
    return true;
}

// Where the string was it is written again, without its escapes. NULL: it is wrong.
static char *read_string(walker *w)
{
    if (!take(w, '"')) {
        fail(w, "a string is missing");
        return NULL;
    }
    char *const text = w->at, *out = text;
    while (w->at < w->end && *w->at != '"') {
        const char c = *w->at++;
        if ((unsigned char)c < 0x20) {
            fail(w, "a string has a control character");
            return NULL;
        }
        if (c != '\\')
            *out++ = c;
        else if (!read_escape(w, &out))
            return NULL;
    }
    if (w->at == w->end) {
        fail(w, "a string does not end");
        return NULL;
    }
    w->at++;
    *out = '\0'; // at the latest where the quote was
    return text;
}

// The number that JSON allows: strtod alone takes more.
static bool read_number(walker *w, double *number)
{
    const char *c = w->at + (*w->at == '-');
    const size_t digits = strspn(c, "0123456789");
    if (digits == 0 || (digits > 1 && *c == '0'))
        return fail(w, "this is no value");
    c += digits;
    if (*c == '.') {
        const size_t places = strspn(c + 1, "0123456789");
        if (places == 0)
            return fail(w, "a number ends with its point");
        c += 1 + places;
    }
    if (*c == 'e' || *c == 'E') {
        c += c[1] == '+' || c[1] == '-' ? 2 : 1;
        const size_t places = strspn(c, "0123456789");
        if (places == 0)
            return fail(w, "a number has no exponent");
        c += places;
    }
    *number = strtod(w->at, NULL);
    w->at += c - w->at;
    return isfinite(*number) ? true : fail(w, "a number is too large");
}

static bool read_word(walker *w, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(w->end - w->at) < length || memcmp(w->at, word, length) != 0)
        return false;
    w->at += length;
    return true;
}

static bool read_scalar(walker *w, lc_json_value value)
{
    if (w->at == w->end)
        return fail(w, "it ends too early");
    if (*w->at == '"') {
        value.kind = LC_JSON_STRING;
        value.text = read_string(w);
        return value.text != NULL && tell(w, value);
    }
    if (read_word(w, "true")) {
        value.kind = LC_JSON_TRUE;
        return tell(w, value);
    }
    if (read_word(w, "false")) {
        value.kind = LC_JSON_FALSE;
        return tell(w, value);
    }
    if (read_word(w, "null")) {
        value.kind = LC_JSON_NULL;
        return tell(w, value);
    }
    value.kind = LC_JSON_NUMBER;
    return read_number(w, &value.number) && tell(w, value);
}

static bool read_value(walker *w, const char *key, int depth);

// What is between the brackets.
static bool read_members(walker *w, bool is_object, int depth)
{
    const char close = is_object ? '}' : ']';
    if (take(w, close))
        return true;
    do {
        const char *key = is_object ? read_string(w) : "";
        if (key == NULL || (is_object && !take(w, ':') && !fail(w, "a colon is missing")))
            return false;
        if (!read_value(w, key, depth))
            return false;
    } while (take(w, ','));
    return take(w, close) ? true : fail(w, "a comma or a closing bracket is missing");
}

static bool read_value(walker *w, const char *key, int depth)
{
    lc_json_value value = {.key = key, .depth = depth, .text = ""};
    const bool is_object = take(w, '{');
    if (!is_object && !take(w, '['))
        return read_scalar(w, value);
    if (depth == LC_JSON_DEPTH_MAX)
        return fail(w, "it is nested too deeply");
    value.kind = is_object ? LC_JSON_OBJECT : LC_JSON_ARRAY;
    if (!tell(w, value) || !read_members(w, is_object, depth + 1))
        return false;
    value.kind = LC_JSON_END;
    return tell(w, value);
}

lc_status lc_json_walk(char *text, size_t bytes, lc_json_visit *visit, void *context,
                       lc_message *message)
{
    walker w = {.begin = text, .at = text, .end = text + bytes, .visit = visit, .context = context};
    const bool read = read_value(&w, "", 0);
    skip_space(&w);
    if (read && w.at != w.end)
        fail(&w, "something stands behind its end");
    if (w.enough || w.wrong == NULL)
        return LC_OK;
    uint64_t line = 1, column = 1;
    for (const char *c = text; c < w.at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    *message = (lc_message){.line = line, .column = column};
    (void)snprintf(message->text, sizeof message->text, "%s", w.wrong);
    return LC_ERROR_FORMAT;
}
