// Counts of 256 bits. Addition uses words of 64 bits. Multiplication and division, which only texts
// need, use limbs of 32 bits, so that the product of two limbs fits into a word.
#include "lightcone/count.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum {
    WORDS = 4,
    DIGITS = 78, // of 2^256 - 1
    // Parsing needs more bits than a count has: "2^256-1" fits a count, 2^256 does not.
    LIMBS = 2 * WORDS + 2,
    LIMB_DIGITS = 9,         // decimal digits that fit into a limb
    LARGEST_EXPONENT = 1000, // of ten: more than any limbs hold
};

lc_count lc_count_of(uint64_t value)
{
    return (lc_count){{value}};
}

bool lc_count_add(lc_count a, lc_count b, lc_count *sum)
{
    bool carry = false;
    for (int i = 0; i < WORDS; i++) {
        const bool first = __builtin_add_overflow(a.words[i], b.words[i], &a.words[i]);
        const bool second = __builtin_add_overflow(a.words[i], (uint64_t)carry, &a.words[i]);
        carry = first || second;
    }
    if (!carry)
        *sum = a;
    return !carry;
}

bool lc_count_subtract(lc_count a, lc_count b, lc_count *difference)
{
    bool borrow = false;
    for (int i = 0; i < WORDS; i++) {
        const bool first = __builtin_sub_overflow(a.words[i], b.words[i], &a.words[i]);
        const bool second = __builtin_sub_overflow(a.words[i], (uint64_t)borrow, &a.words[i]);
        borrow = first || second;
    }
    if (!borrow)
        *difference = a;
    return !borrow;
}

lc_count lc_count_distance(lc_count a, lc_count b)
{
    lc_count distance = {{0}};
    if (!lc_count_subtract(a, b, &distance))
        (void)lc_count_subtract(b, a, &distance);
    return distance;
}

uint64_t lc_count_remainder(lc_count count, uint64_t divisor)
{
    unsigned __int128 rest = 0;
    for (int i = WORDS - 1; i >= 0; i--)
        rest = (rest << 64 | count.words[i]) % divisor;
    return (uint64_t)rest;
}

// Returns the number of bits up to the highest 1, or 0 for 0.
static unsigned bit_length(const lc_count *count)
{
    for (int i = WORDS - 1; i >= 0; i--)
        if (count->words[i] != 0)
            return 64 * (unsigned)i + 64 - (unsigned)__builtin_clzll(count->words[i]);
    return 0;
}

int lc_count_log2(lc_count count)
{
    return (int)bit_length(&count) - 1;
}

bool lc_count_shift_left(lc_count count, unsigned bits, lc_count *shifted)
{
    const unsigned length = bit_length(&count);
    if (length > 0 && bits > 64 * WORDS - length)
        return false;
    lc_count result = {{0}};
    for (unsigned i = bits / 64; i < WORDS && length > 0; i++) {
        const unsigned from = i - bits / 64;
        result.words[i] = count.words[from] << bits % 64;
        if (bits % 64 != 0 && from > 0)
            result.words[i] |= count.words[from - 1] >> (64 - bits % 64);
    }
    *shifted = result;
    return true;
}

int lc_count_compare(lc_count a, lc_count b)
{
    for (int i = WORDS - 1; i >= 0; i--)
        if (a.words[i] != b.words[i])
            return a.words[i] < b.words[i] ? -1 : 1;
    return 0;
}

bool lc_count_to_u64(lc_count count, uint64_t *value)
{
    if (bit_length(&count) > 64)
        return false;
    *value = count.words[0];
    return true;
}

double lc_count_to_double(lc_count count)
{
    const unsigned length = bit_length(&count);
    if (length <= 64)
        return (double)count.words[0];
    // The highest 64 bits. A double holds 53, so their lowest bit can also represent all omitted
    // bits: it only breaks ties.
    const unsigned left_out = length - 64;
    const unsigned word = left_out / 64;
    const unsigned bit = left_out % 64;
    uint64_t top = count.words[word] >> bit;
    uint64_t rest = 0;
    if (bit != 0) {
        top |= count.words[word + 1] << (64 - bit);
        rest = count.words[word] << (64 - bit);
    }
    for (unsigned i = 0; i < word; i++)
        rest |= count.words[i];
    return ldexp((double)(top | (rest != 0)), (int)left_out);
}

// Coordinates ------------------------------------------------------------------------------------

lc_coordinate lc_coordinate_of(int64_t value)
{
    const uint64_t bits = (uint64_t)value;
    return (lc_coordinate){lc_count_of(value < 0 ? -bits : bits), value < 0};
}

lc_coordinate lc_coordinate_between(lc_count a, lc_count b)
{
    return (lc_coordinate){lc_count_distance(a, b), lc_count_compare(a, b) < 0};
}

bool lc_coordinate_to_i64(lc_coordinate coordinate, int64_t *value)
{
    uint64_t distance;
    if (!lc_count_to_u64(coordinate.distance, &distance) ||
        distance > (uint64_t)INT64_MAX + coordinate.is_negative)
        return false;
    *value = (int64_t)(coordinate.is_negative ? -distance : distance);
    return true;
}

void lc_coordinate_format(lc_coordinate coordinate, char text[LC_COORDINATE_TEXT_BYTES])
{
    if (coordinate.is_negative)
        *text++ = '-';
    lc_count_format(coordinate.distance, text);
}

// Texts ----------------------------------------------------------------------------------------

typedef struct limbs {
    uint32_t at[LIMBS]; // least first
} limbs;

static const limbs zero = {{0}};
static const limbs one = {{1}};

static limbs limbs_of(const lc_count *count)
{
    limbs value = zero;
    for (int i = 0; i < 2 * WORDS; i++)
        value.at[i] = (uint32_t)(count->words[i / 2] >> 32 * (i % 2));
    return value;
}

static bool is_zero(const limbs *value)
{
    return memcmp(value, &zero, sizeof zero) == 0;
}

// Divides in place and returns the remainder.
static uint32_t divide(limbs *value, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 32 | value->at[i];
        value->at[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

// *value = *value * factor + addend. Returns false on overflow.
static bool multiply_small(limbs *value, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)value->at[i] * factor;
        value->at[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry == 0;
}

static bool multiply(limbs *value, const limbs *factor)
{
    limbs product = zero;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            const uint64_t term = (uint64_t)value->at[i] * factor->at[j];
            if (i + j >= LIMBS) {
                if (term != 0)
                    return false;
                continue;
            }
            carry += term + product.at[i + j];
            product.at[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry != 0)
            return false;
    }
    *value = product;
    return true;
}

// Subtracts in place. Returns false without a change if `by` is larger.
static bool subtract(limbs *value, const limbs *by)
{
    limbs difference = zero;
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        const uint64_t word = (uint64_t)value->at[i] - by->at[i] - borrow;
        difference.at[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    if (borrow == 0)
        *value = difference;
    return borrow == 0;
}

void lc_count_format(lc_count count, char text[LC_COUNT_TEXT_BYTES])
{
    limbs value = limbs_of(&count);
    char digits[DIGITS + LIMB_DIGITS];
    size_t first = sizeof digits;
    do {
        uint32_t nine = divide(&value, 1000000000);
        for (int i = 0; i < LIMB_DIGITS; i++, nine /= 10)
            digits[--first] = (char)('0' + nine % 10);
    } while (!is_zero(&value));
    while (digits[first] == '0' && first + 1 < sizeof digits)
        first++;
    memcpy(text, digits + first, sizeof digits - first);
    text[sizeof digits - first] = '\0';
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

// Parses the power of ten at *at, after an "e": "e30", "e+30". Returns 0 without advancing *at if
// there is none.
static int scan_exponent(const char **at)
{
    if (**at != 'e')
        return 0;
    const char *digits = *at + ((*at)[1] == '+' ? 2 : 1);
    if (!is_digit(*digits))
        return 0;
    int exponent = 0;
    for (; is_digit(*digits); digits++)
        if (exponent < LARGEST_EXPONENT)
            exponent = exponent * 10 + (*digits - '0');
    *at = digits;
    return exponent;
}

// Parses "digits[e[+]digits]" from a digit on and advances *at. Underscores may separate digits.
// Returns false if the number is too large.
static bool scan_number(const char **at, limbs *value)
{
    bool fits = true;
    *value = zero;
    for (; is_digit(**at) || (**at == '_' && is_digit((*at)[1])); (*at)++)
        if (**at != '_')
            fits = fits && multiply_small(value, 10, (uint32_t)(**at - '0'));
    for (int left = scan_exponent(at); left > 0 && fits && !is_zero(value); left--)
        fits = multiply_small(value, 10, 0);
    return fits;
}

// Raises *value to the power of the number at *at.
static bool scan_power(const char **at, limbs *value)
{
    limbs exponent;
    const limbs base = *value;
    uint32_t times = 0;
    if (!scan_number(at, &exponent) || subtract(&exponent, &(limbs){{UINT32_MAX}}))
        times = UINT32_MAX; // or more, with the same result
    else
        times = exponent.at[0];
    *value = one;
    if (memcmp(&base, &one, sizeof one) == 0)
        return true;
    bool fits = true; // ends soon: a base of 2 or more adds a bit each time
    for (; times > 0 && fits && !is_zero(value); times--)
        fits = multiply(value, &base);
    return fits;
}

static lc_status fail(lc_message *message, lc_status status, const char *text, const char *at,
                      const char *sentence)
{
    return lc_fail_at_line(message, status, 0, (uint64_t)(at - text) + 1, "%s", sentence);
}

lc_status lc_count_parse(const char *text, const char **end, lc_count *count, lc_message *message)
{
    static const char below_zero[] = "a count is 0 or more";
    const char *at = text;
    limbs value;
    limbs taken = zero;
    if (at[0] == '-' && is_digit(at[1]))
        return fail(message, LC_ERROR_ARGUMENT, text, at, below_zero);
    if (!is_digit(*at))
        return fail(message, LC_ERROR_FORMAT, text, at,
                    "a number is wanted here: 1000, 1e30, 10^30 and 2^64-1 are");
    bool fits = scan_number(&at, &value);
    if (at[0] == '^' && is_digit(at[1])) {
        at++;
        fits = scan_power(&at, &value) && fits;
        if (at[0] == '-' && is_digit(at[1])) {
            at++;
            const bool taken_fits = scan_number(&at, &taken);
            if (fits && (!taken_fits || !subtract(&value, &taken)))
                return fail(message, LC_ERROR_ARGUMENT, text, text, below_zero);
        }
    }
    if (!fits || value.at[LIMBS - 2] != 0 || value.at[LIMBS - 1] != 0)
        return fail(message, LC_ERROR_LIMIT, text, text, "this number is larger than 2^256 - 1");
    if (end == NULL && *at != '\0')
        return fail(message, LC_ERROR_FORMAT, text, at, "the number should end here");
    if (end != NULL)
        *end = at;
    for (int i = 0; i < WORDS; i++)
        count->words[i] = value.at[2 * i] | (uint64_t)value.at[2 * i + 1] << 32;
    return LC_OK;
}
