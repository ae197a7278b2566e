#include "rule/rule_value.h"

#include <string.h>

_Static_assert(sizeof(lc_rule_value) == 8 + 64,
               "lc_rule_value has padding, which memcmp would see");

static bool table_bit(const uint8_t table[64], unsigned neighbourhood)
{
    return table[neighbourhood / 8] >> (7 - neighbourhood % 8) & 1;
}

void lc_table_set(uint8_t table[64], unsigned neighbourhood)
{
    table[neighbourhood / 8] |= (uint8_t)(0x80 >> neighbourhood % 8);
}

bool lc_value_next(const lc_rule_value *value, unsigned neighbourhood)
{
    if (!value->totalistic)
        return table_bit(value->table, neighbourhood);
    const unsigned counts =
        (neighbourhood & LC_MIDDLE) != 0 ? value->counts.survival : value->counts.birth;
    return counts >> __builtin_popcount(neighbourhood & ~(unsigned)LC_MIDDLE) & 1;
}

// Symmetry -------------------------------------------------------------------------------------

// Where cell i of a neighbourhood goes.
static const uint8_t mirrored_x[9] = {2, 1, 0, 5, 4, 3, 8, 7, 6};
static const uint8_t mirrored_y[9] = {6, 7, 8, 3, 4, 5, 0, 1, 2};
static const uint8_t turned[9] = {2, 5, 8, 1, 4, 7, 0, 3, 6};

static unsigned moved(unsigned neighbourhood, const uint8_t to[9])
{
    unsigned result = 0;
    for (int i = 0; i < 9; i++)
        result |= (neighbourhood >> (8 - i) & 1) << (8 - to[i]);
    return result;
}

static bool stays(const uint8_t table[64], const uint8_t to[9])
{
    for (unsigned neighbourhood = 0; neighbourhood < LC_NEIGHBOURHOODS; neighbourhood++)
        if (table_bit(table, neighbourhood) != table_bit(table, moved(neighbourhood, to)))
            return false;
    return true;
}

static int symmetry_of(const uint8_t table[64])
{
    return (stays(table, mirrored_x) ? LC_SYMMETRY_MIRROR_X : 0) |
           (stays(table, mirrored_y) ? LC_SYMMETRY_MIRROR_Y : 0) |
           (stays(table, turned) ? LC_SYMMETRY_TURN : 0);
}

// Values ---------------------------------------------------------------------------------------

lc_rule_value lc_value_from_counts(lc_counts counts)
{
    return (lc_rule_value){.family = LC_FAMILY_TOTALISTIC,
                           .symmetry = LC_SYMMETRY_ALL,
                           .totalistic = true,
                           .last_state = 1,
                           .counts = counts};
}

void lc_value_from_map(const uint8_t table[64], lc_rule_value *value)
{
    // The counts of one neighbourhood each; then whether they say the same of all neighbourhoods.
    unsigned birth = 0, survival = 0;
    for (unsigned n = 0; n <= 8; n++) {
        const unsigned low = (1u << n) - 1, neighbours = (low & 0xf) | (low & 0xf0) << 1;
        birth |= (unsigned)table_bit(table, neighbours) << n;
        survival |= (unsigned)table_bit(table, neighbours | LC_MIDDLE) << n;
    }
    lc_rule_value made = lc_value_from_counts((lc_counts){(uint16_t)birth, (uint16_t)survival});
    for (unsigned neighbourhood = 0; neighbourhood < LC_NEIGHBOURHOODS; neighbourhood++) {
        if (lc_value_next(&made, neighbourhood) == table_bit(table, neighbourhood))
            continue;
        made = (lc_rule_value){
            .family = LC_FAMILY_MAP, .symmetry = (uint8_t)symmetry_of(table), .last_state = 1};
        memcpy(made.table, table, sizeof made.table);
        break;
    }
    *value = made;
}

void lc_value_set_states(lc_rule_value *value, int states)
{
    value->last_state = (uint8_t)(states - 1);
    value->family = states > 2          ? LC_FAMILY_GENERATIONS
                    : value->totalistic ? LC_FAMILY_TOTALISTIC
                                        : LC_FAMILY_MAP;
}

void lc_value_set_history(lc_rule_value *value)
{
    value->family = LC_FAMILY_HISTORY;
    value->last_state = LC_HISTORY_STATES - 1;
}

bool lc_value_is_life(const lc_rule_value *value)
{
    const lc_rule_value life = lc_value_from_counts((lc_counts){1u << 3, 1u << 2 | 1u << 3});
    return lc_values_equal(value, &life);
}

bool lc_values_equal(const lc_rule_value *a, const lc_rule_value *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool lc_value_is_valid(const lc_rule_value *value)
{
    lc_rule_value canonical = lc_value_from_counts(value->counts);
    if (value->family == LC_FAMILY_MAP)
        lc_value_from_map(value->table, &canonical);
    return ((value->counts.birth | value->counts.survival) & ~LC_ALL_COUNTS) == 0 &&
           lc_values_equal(value, &canonical);
}
