// See rule_table.h.
#include "rule/rule_table.h"

#include <string.h>

enum { NEIGHBOURS = LC_NEIGHBOURHOODS - 1 - LC_MIDDLE };

static unsigned ones(unsigned bits)
{
    return (unsigned)__builtin_popcount(bits);
}

// Arrangements ---------------------------------------------------------------------------------

// One of each arrangement, in the order of the letters. With more than four live neighbours the
// letter is that of the dead ones.
static const char *const letters[5] = {"", "ce", "ceaikn", "ceaiknjqry", "ceaiknjqrytwz"};
static const uint16_t examples[5][13] = {
    {0},
    {1, 2},
    {5, 10, 3, 40, 33, 68},
    {69, 42, 11, 7, 98, 13, 14, 70, 41, 97},
    {325, 170, 15, 45, 99, 71, 106, 102, 43, 101, 105, 78, 108},
};

const char *lc_arrangements_of(unsigned count)
{
    return letters[count <= 4 ? count : 8 - count];
}

unsigned lc_arrangements_all(unsigned count)
{
    const size_t some = strlen(lc_arrangements_of(count));
    return some == 0 ? 1 : (1u << some) - 1;
}

// The neighbours in a ring from the upper left one on, as eight bits.
static unsigned ring_of(unsigned neighbourhood)
{
    static const uint8_t way[8] = {8, 7, 6, 3, 0, 1, 2, 5};
    unsigned ring = 0;
    for (int i = 0; i < 8; i++)
        ring |= (neighbourhood >> way[i] & 1) << i;
    return ring;
}

// The arrangement of each ring.
typedef struct ring_table {
    uint8_t arrangement[256];
} ring_table;

static ring_table find_arrangements(void)
{
    ring_table table = {{0}};
    for (unsigned count = 0; count <= 4; count++) {
        for (unsigned i = 0; letters[count][i] != '\0'; i++) {
            unsigned ring = ring_of(examples[count][i]);
            for (int mirrored = 0; mirrored < 2; mirrored++) {
                for (int turn = 0; turn < 8; turn += 2) {
                    const unsigned turned = (ring << turn | ring >> (8 - turn)) & 255;
                    table.arrangement[turned] = (uint8_t)i;
                    if (count < 4)
                        table.arrangement[255 - turned] = (uint8_t)i;
                }
                unsigned other = 0;
                for (int j = 0; j < 8; j++)
                    other |= (ring >> j & 1) << ((8 - j) % 8);
                ring = other;
            }
        }
    }
    return table;
}

void lc_value_from_arrangements(const lc_arrangements arrangements, lc_rule_value *rule)
{
    const ring_table of = find_arrangements();
    uint8_t table[64] = {0};
    for (unsigned n = 0; n < LC_NEIGHBOURHOODS; n++)
        if (arrangements[(n & LC_MIDDLE) != 0][ones(n & NEIGHBOURS)] >> of.arrangement[ring_of(n)] &
            1)
            lc_table_set(table, n);
    lc_value_from_map(table, rule);
}

void lc_value_to_arrangements(const lc_rule_value *rule, lc_arrangements arrangements)
{
    const ring_table of = find_arrangements();
    memset(arrangements, 0, sizeof(lc_arrangements));
    for (unsigned n = 0; n < LC_NEIGHBOURHOODS; n++)
        if (lc_value_next(rule, n))
            arrangements[(n & LC_MIDDLE) != 0][ones(n & NEIGHBOURS)] |=
                (uint16_t)(1u << of.arrangement[ring_of(n)]);
}

// Counts of fewer neighbours -------------------------------------------------------------------

void lc_value_from_neighbours(const uint16_t counts[2], unsigned neighbours, lc_rule_value *rule)
{
    uint8_t table[64] = {0};
    for (unsigned n = 0; n < LC_NEIGHBOURHOODS; n++)
        if (counts[(n & LC_MIDDLE) != 0] >> ones(n & neighbours) & 1)
            lc_table_set(table, n);
    lc_value_from_map(table, rule);
}

bool lc_value_to_neighbours(const lc_rule_value *rule, unsigned neighbours, uint16_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (unsigned n = 0; n < LC_NEIGHBOURHOODS; n++)
        if (lc_value_next(rule, n))
            counts[(n & LC_MIDDLE) != 0] |= (uint16_t)(1u << ones(n & neighbours));
    lc_rule_value made;
    lc_value_from_neighbours(counts, neighbours, &made);
    return lc_values_equal(&made, rule);
}

// Wolfram's rules ------------------------------------------------------------------------------

void lc_value_from_wolfram(unsigned number, lc_rule_value *rule)
{
    uint8_t table[64] = {0};
    for (unsigned n = 0; n < LC_NEIGHBOURHOODS; n++)
        if ((n & LC_MIDDLE) != 0 || (number >> ((n & LC_ABOVE) >> 6) & 1) != 0)
            lc_table_set(table, n);
    lc_value_from_map(table, rule);
}

int lc_value_to_wolfram(const lc_rule_value *rule)
{
    unsigned number = 0;
    for (unsigned above = 0; above < 8; above++)
        number |= (unsigned)lc_value_next(rule, above << 6) << above;
    lc_rule_value made;
    lc_value_from_wolfram(number, &made);
    return lc_values_equal(&made, rule) ? (int)number : -1;
}

// Base64 ---------------------------------------------------------------------------------------

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool lc_map_has_length(size_t length)
{
    return length == LC_MAP_DIGITS || length == LC_HEXAGON_DIGITS || length == LC_CROSS_DIGITS;
}

int lc_map_digit(char c)
{
    const char *at = c != '\0' ? strchr(base64, c) : NULL;
    return at != NULL ? (int)(at - base64) : -1;
}

// The cells of a neighbourhood that `cells` has, as a number, in their order.
static unsigned gathered(unsigned neighbourhood, unsigned cells)
{
    unsigned number = 0;
    for (int i = 8; i >= 0; i--)
        if (cells >> i & 1)
            number = number << 1 | (neighbourhood >> i & 1);
    return number;
}

// With the lower row for the upper one.
static unsigned upside_down(unsigned neighbourhood)
{
    return (neighbourhood & 0x38) | neighbourhood >> 6 | (neighbourhood & 7) << 6;
}

void lc_value_from_digits(const char *digits, size_t length, lc_rule_value *rule)
{
    const bool hexagonal = length == LC_HEXAGON_DIGITS;
    const unsigned cells = LC_MIDDLE | (length == LC_MAP_DIGITS ? (unsigned)NEIGHBOURS
                                        : hexagonal             ? (unsigned)LC_HEXAGON
                                                                : (unsigned)LC_CROSS);
    uint8_t table[64] = {0};
    for (unsigned n = 0; n < LC_NEIGHBOURHOODS; n++) {
        // The bits of Golly 3.3 and of LifeViewer, which people's files are made for.
        const unsigned bit =
            hexagonal ? gathered(upside_down(n), upside_down(cells)) : gathered(n, cells);
        if (lc_map_digit(digits[bit / 6]) >> (5 - bit % 6) & 1)
            lc_table_set(table, n);
    }
    lc_value_from_map(table, rule);
}

void lc_value_to_digits(const lc_rule_value *rule, char digits[LC_MAP_DIGITS])
{
    for (unsigned i = 0; i < LC_MAP_DIGITS; i++) {
        unsigned value = 0;
        for (unsigned bit = 6 * i; bit < 6 * i + 6; bit++)
            value = value << 1 | (bit < LC_NEIGHBOURHOODS && lc_value_next(rule, bit));
        digits[i] = base64[value];
    }
}
