// Parses and formats the numbers that users type and read.
//
// The library parses integers (lc_count_parse). A number with a fraction becomes an integer
// mantissa and a power of ten. For example, "1.5e6" is exact, because no value passes through
// floating point.
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/cells.h"
#include "lightcone/count.h"

static const char too_large[] = "is too large";
static const char not_a_number[] = "is not a number";
static const char too_many_digits[] = "has too many digits";
static const char not_whole[] = "is not a whole number";

static bool times(uint64_t *value, uint64_t factor)
{
    return !__builtin_mul_overflow(*value, factor, value);
}

// *value *= 10^power.
static bool times_power_of_ten(uint64_t *value, uint64_t power)
{
    if (*value == 0)
        return true;
    for (; power > 0; power--)
        if (!times(value, 10))
            return false;
    return true;
}

typedef struct decimal { // mantissa * 10^scale
    lc_count mantissa;
    int64_t scale;
} decimal;

// Appends a digit to the mantissa. Returns false on overflow.
static bool add_digit(lc_count *mantissa, uint64_t digit)
{
    lc_count twice, eight_times;
    return lc_count_shift_left(*mantissa, 1, &twice) &&
           lc_count_shift_left(*mantissa, 3, &eight_times) &&
           lc_count_add(twice, eight_times, mantissa) &&
           lc_count_add(*mantissa, lc_count_of(digit), mantissa);
}

// Reads ".digits" at *text, if present. Appends the digits to `number`, which already contains the
// integer part.
static const char *scan_fraction(const char **text, decimal *number)
{
    int64_t held_zeros = 0; // zeros that are appended only if another digit follows
    bool after_digit = false;
    const char *at = *text;
    if (*at != '.')
        return NULL;
    for (at++; isdigit((unsigned char)*at) || (*at == '_' && after_digit); at++) {
        after_digit = *at != '_';
        if (!after_digit)
            continue;
        if (*at == '0') {
            held_zeros++;
            continue;
        }
        for (number->scale -= held_zeros + 1; held_zeros > 0; held_zeros--)
            if (!add_digit(&number->mantissa, 0))
                return too_many_digits;
        if (!add_digit(&number->mantissa, (uint64_t)(*at - '0')))
            return too_many_digits;
    }
    *text = at;
    return after_digit ? NULL : not_a_number;
}

// Reads "e[+-]digits" at *text, if present.
static void scan_exponent(const char **text, decimal *number)
{
    const char *at = *text;
    if (*at != 'e')
        return;
    const bool negative = at[1] == '-';
    at += negative || at[1] == '+' ? 2 : 1;
    if (!isdigit((unsigned char)*at))
        return;
    int64_t exponent = 0;
    for (; isdigit((unsigned char)*at); at++)
        if (exponent < 100000) // larger exponents act like 100,000
            exponent = exponent * 10 + (*at - '0');
    number->scale += negative ? -exponent : exponent;
    *text = at;
}

// Reads a number in the printed form "1,000,000" and advances *text. If the text has another form,
// returns false and does not advance *text.
static bool scan_groups(const char **text, lc_count *number)
{
    char digits[LC_COUNT_TEXT_BYTES];
    const char *at = *text;
    size_t length = strspn(at, "0123456789");
    if (length < 1 || length > 3 || at[length] != ',')
        return false;
    memcpy(digits, at, length);
    for (at += length; *at == ','; at += 4, length += 3) {
        if (strspn(at + 1, "0123456789") != 3 || length + 3 >= sizeof digits)
            return false;
        memcpy(digits + length, at + 1, 3);
    }
    digits[length] = '\0';
    if (lc_count_parse(digits, NULL, number, NULL) != LC_OK)
        return false;
    *text = at;
    return true;
}

// Reads a number and advances *text. Accepts integers in any form of lc_count_parse, integers in
// groups of three digits, and "digits[.digits][e[+-]digits]". Underscores may separate digits.
static const char *scan_decimal(const char **text, decimal *number)
{
    decimal result = {.scale = 0};
    const char *end;
    if (scan_groups(text, &result.mantissa)) {
        *number = result;
        return NULL;
    }
    const lc_status status = lc_count_parse(*text, &end, &result.mantissa, NULL);
    if (status == LC_ERROR_ARGUMENT)
        return "must not be negative";
    if (status == LC_ERROR_FORMAT)
        return not_a_number;
    if (status != LC_OK)
        return too_large;
    if (strcspn(*text, "e^") >= (size_t)(end - *text)) { // an integer without "e" and "^"
        const char *wrong = scan_fraction(&end, &result);
        if (wrong != NULL)
            return wrong;
        scan_exponent(&end, &result);
    }
    *text = end;
    *number = result;
    return NULL;
}

// *value = number * unit, rounded down. Sets *exact to whether the result is exact.
static const char *scale_decimal(decimal number, uint64_t unit, uint64_t *value, bool *exact)
{
    uint64_t result;
    *exact = true;
    if (!lc_count_to_u64(number.mantissa, &result))
        return number.scale < 0 ? too_many_digits : too_large;
    if (!times(&result, unit))
        return too_large;
    if (number.scale >= 0) {
        if (!times_power_of_ten(&result, (uint64_t)number.scale))
            return too_large;
    } else {
        for (int64_t place = number.scale; place < 0 && result > 0; place++) {
            *exact = *exact && result % 10 == 0;
            result /= 10;
        }
    }
    *value = result;
    return NULL;
}

// Converts a number to an integer. Fails if the number has a fraction.
static const char *whole_number(decimal number, lc_count *value)
{
    char text[LC_COUNT_TEXT_BYTES + 24];
    lc_count_format(number.mantissa, text);
    size_t length = strlen(text);
    for (; number.scale < 0 && length > 1 && text[length - 1] == '0'; length--)
        number.scale++;
    if (number.scale < 0 && text[0] != '0')
        return not_whole;
    snprintf(text + length, sizeof text - length, "e%lld",
             number.scale > 0 ? (long long)number.scale : 0);
    return lc_count_parse(text, NULL, value, NULL) == LC_OK ? NULL : too_large;
}

// Reads an integer with an optional decimal unit, and advances *text.
static const char *scan_count(const char **text, lc_count *value)
{
    static const char units[] = "kMGT";
    decimal number;
    const char *wrong = scan_decimal(text, &number);
    if (wrong != NULL)
        return wrong;
    const char letter = **text == 'K' ? 'k' : **text;
    const char *unit = letter != '\0' ? strchr(units, letter) : NULL;
    if (unit != NULL) {
        number.scale += 3 * (unit - units + 1);
        (*text)++;
    }
    return whole_number(number, value);
}

static const char *scan_u64(const char **text, uint64_t *value)
{
    lc_count count;
    const char *wrong = scan_count(text, &count);
    if (wrong == NULL && !lc_count_to_u64(count, value))
        wrong = too_large;
    return wrong;
}

static const char not_one_number[] = "is not a number (1000, 1e6, 2^20, 10k, 3M are)";

const char *lc_cli_parse_u64(const char *text, uint64_t *value)
{
    uint64_t result;
    const char *wrong = scan_u64(&text, &result);
    if (wrong != NULL)
        return wrong == too_large ? "is larger than 2^64-1" : wrong;
    if (*text != '\0')
        return not_one_number;
    *value = result;
    return NULL;
}

const char *lc_cli_parse_positive(const char *text, uint64_t *value)
{
    uint64_t result;
    const char *wrong = lc_cli_parse_u64(text, &result);
    if (wrong != NULL)
        return wrong;
    if (result == 0)
        return "must be at least 1";
    *value = result;
    return NULL;
}

const char *lc_cli_parse_count(const char *text, lc_count *value)
{
    lc_count result;
    const char *wrong = scan_count(&text, &result);
    if (wrong != NULL)
        return wrong == too_large ? "is larger than 2^256-1" : wrong;
    if (*text != '\0')
        return not_one_number;
    *value = result;
    return NULL;
}

const char *lc_cli_parse_size(const char *text, int64_t *width_cells, int64_t *height_cells)
{
    uint64_t width;
    uint64_t height;
    const uint64_t largest = LC_UNIVERSE_REACH;
    const char *wrong = scan_u64(&text, &width);
    if (wrong != NULL)
        return wrong;
    height = width;
    if (*text == 'x' || *text == 'X') {
        text++;
        wrong = scan_u64(&text, &height);
        if (wrong != NULL)
            return wrong;
    }
    if (*text != '\0')
        return "is not a size (1000x500 is)";
    if (width > largest || height > largest)
        return too_large;
    *width_cells = (int64_t)width;
    *height_cells = (int64_t)height;
    return NULL;
}

const char *lc_cli_parse_memory(const char *text, uint64_t machine_bytes, uint64_t *bytes)
{
    static const char units[] = "KMGTP";
    decimal number;
    bool exact;
    uint64_t result;
    const char *wrong = scan_decimal(&text, &number);
    if (wrong != NULL)
        return wrong;
    if (strcmp(text, "%") == 0) {
        if (machine_bytes == 0)
            return "is a share of memory, but this machine's memory size is unknown; give a size";
        number.scale -= 2;
        if (scale_decimal(number, machine_bytes, &result, &exact) != NULL || result > machine_bytes)
            return "is more than this machine's memory";
    } else {
        uint64_t unit = 1;
        const char *found = *text != '\0' ? strchr(units, toupper((unsigned char)*text)) : NULL;
        if (found != NULL) {
            unit <<= 10 * (found - units + 1);
            text++;
            text += text[0] == 'i' && text[1] == 'B' ? 1 : 0;
        }
        text += *text == 'B' ? 1 : 0;
        if (*text != '\0')
            return "is not a size of memory (8G, 512M, 50% are)";
        wrong = scale_decimal(number, unit, &result, &exact);
        if (wrong != NULL)
            return wrong;
    }
    if (result == 0)
        return "must be more than 0";
    *bytes = result;
    return NULL;
}

const char *lc_cli_parse_duration(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        {"ns", 1},          {"us", 1000},         {"ms", 1000000},      {"s", 1000000000},
        {"m", 60000000000}, {"min", 60000000000}, {"h", 3600000000000}, {"d", 86400000000000},
    };
    decimal number;
    const char *wrong = scan_decimal(&text, &number);
    if (wrong != NULL)
        return wrong;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(text, units[i].name) == 0) {
            bool exact;
            uint64_t result;
            wrong = scale_decimal(number, units[i].ns, &result, &exact);
            if (wrong == NULL && result == 0)
                wrong = "must be more than 0";
            if (wrong == NULL)
                *ns = result;
            return wrong;
        }
    }
    return "is not a time (60s, 5m, 1h are)";
}

const char *lc_cli_parse_link(const char *text, uint64_t *bytes_per_second, uint64_t *latency_ns)
{
    static const char not_link[] = "is not a link (396G,2.2us is: bytes a second, and latency)";
    uint64_t rate, time;
    char first[64];
    const char *comma = strchr(text, ',');
    if (comma == NULL || (size_t)(comma - text) >= sizeof first)
        return not_link;
    memcpy(first, text, (size_t)(comma - text));
    first[comma - text] = '\0';
    if (lc_cli_parse_u64(first, &rate) != NULL || lc_cli_parse_duration(comma + 1, &time) != NULL)
        return not_link;
    if (rate == 0)
        return "must carry more than 0 bytes per second";
    *bytes_per_second = rate;
    *latency_ns = time;
    return NULL;
}

const char *lc_cli_parse_density(const char *text, void *to)
{
    double *density = to;
    static const char wrong[] = "is not a density from 0 to 1, or from 0% to 100%";
    const char *rest = text + strspn(text, "0123456789.e-");
    const bool percent = strcmp(rest, "%") == 0;
    if (*text == '\0' || (*rest != '\0' && !percent))
        return wrong;
    char *end;
    double value = strtod(text, &end);
    value = percent ? value / 100 : value;
    if (end != rest || rest == text || !(value >= 0 && value <= 1))
        return wrong;
    *density = value;
    return NULL;
}

static char *group_digits(bool negative, lc_count value, char text[LC_CLI_NUMBER_BYTES])
{
    char digits[LC_COUNT_TEXT_BYTES];
    lc_count_format(value, digits);
    const size_t count = strlen(digits);
    char *to = text;
    if (negative)
        *to++ = '-';
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

char *lc_cli_format_u64(uint64_t value, char text[LC_CLI_NUMBER_BYTES])
{
    return group_digits(false, lc_count_of(value), text);
}

char *lc_cli_format_count(lc_count count, char text[LC_CLI_NUMBER_BYTES])
{
    return group_digits(false, count, text);
}

char *lc_cli_format_i64(int64_t value, char text[LC_CLI_NUMBER_BYTES])
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return group_digits(value < 0, lc_count_of(size), text);
}

// Formats a value from 0 to 1000 with three significant digits.
static char *three_digits(double value, const char *unit, char text[LC_CLI_NUMBER_BYTES])
{
    int places = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    if (value > 0 && value < 0.9995)
        places = 3;
    snprintf(text, LC_CLI_NUMBER_BYTES, "%.*f%s%s", places, value, *unit != '\0' ? " " : "", unit);
    return text;
}

char *lc_cli_format_rate(double value, char text[LC_CLI_NUMBER_BYTES])
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    if (value >= 999.5) { // HashLife's speeds can be too large for the largest unit
        snprintf(text, LC_CLI_NUMBER_BYTES, "%.2e", value * 1e18);
        return text;
    }
    return three_digits(value, units[unit], text);
}

char *lc_cli_format_bytes(uint64_t bytes, char text[LC_CLI_NUMBER_BYTES])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    if (bytes < 1024) {
        snprintf(text, LC_CLI_NUMBER_BYTES, "%d bytes", (int)bytes);
        return text;
    }
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    return three_digits(value, units[unit], text);
}

char *lc_cli_format_seconds(double seconds, char text[LC_CLI_NUMBER_BYTES])
{
    static const struct {
        double limit, large_seconds, small_seconds;
        const char *large, *small;
    } forms[] = {
        {3600, 60, 1, "min", "s"},
        {86400, 3600, 60, "h", "min"},
        {86400.0 * 100000, 86400, 3600, "d", "h"},
    };
    if (seconds < 0.9995)
        return three_digits(seconds * 1000, "ms", text);
    if (seconds < 59.95)
        return three_digits(seconds, "s", text);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double whole = floor(seconds / forms[i].small_seconds + 0.5) * forms[i].small_seconds;
        if (whole < forms[i].limit) {
            int large = (int)(whole / forms[i].large_seconds);
            int small = (int)((whole - large * forms[i].large_seconds) / forms[i].small_seconds);
            snprintf(text, LC_CLI_NUMBER_BYTES, "%d %s %02d %s", large, forms[i].large, small,
                     forms[i].small);
            return text;
        }
    }
    snprintf(text, LC_CLI_NUMBER_BYTES, "centuries");
    return text;
}
