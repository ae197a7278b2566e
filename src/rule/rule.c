// Rules as values: their one form, their traits, and which surfaces they can live on.
#include <string.h>

#include "base/error.h"
#include "lightcone/rule.h"

_Static_assert(sizeof(lc_rule) == 10 + 64, "lc_rule has padding, which memcmp would see");

enum { NEIGHBOURHOODS = 512, MIDDLE = 1 << 4, ALL_COUNTS = 0x1ff };

static bool table_bit(const uint8_t table[64], unsigned neighbourhood)
{
    return table[neighbourhood / 8] >> (7 - neighbourhood % 8) & 1;
}

bool lc_rule_next(const lc_rule *rule, unsigned neighbourhood)
{
    if (rule->family == LC_FAMILY_MAP)
        return table_bit(rule->table, neighbourhood);
    const unsigned counts = (neighbourhood & MIDDLE) != 0 ? rule->survival : rule->birth;
    return counts >> __builtin_popcount(neighbourhood & ~(unsigned)MIDDLE) & 1;
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
    for (unsigned neighbourhood = 0; neighbourhood < NEIGHBOURHOODS; neighbourhood++)
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

void lc_rule_from_map(const uint8_t table[64], lc_rule *rule)
{
    // The counts of one neighbourhood each; then whether they say the same of all neighbourhoods.
    unsigned birth = 0, survival = 0;
    for (unsigned n = 0; n <= 8; n++) {
        const unsigned low = (1u << n) - 1, neighbours = (low & 0xf) | (low & 0xf0) << 1;
        birth |= (unsigned)table_bit(table, neighbours) << n;
        survival |= (unsigned)table_bit(table, neighbours | MIDDLE) << n;
    }
    lc_rule made = LC_RULE_TOTALISTIC(birth, survival);
    for (unsigned neighbourhood = 0; neighbourhood < NEIGHBOURHOODS; neighbourhood++) {
        if (lc_rule_next(&made, neighbourhood) == table_bit(table, neighbourhood))
            continue;
        made = (lc_rule){.family = LC_FAMILY_MAP,
                         .symmetry = (uint8_t)symmetry_of(table),
                         .states = 2,
                         .reach = 1};
        memcpy(made.table, table, sizeof made.table);
        break;
    }
    *rule = made;
}

bool lc_rule_equal(const lc_rule *a, const lc_rule *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

const char *lc_family_name(int family)
{
    static const char *const names[] = {
        [LC_FAMILY_TOTALISTIC] = "outer-totalistic",
        [LC_FAMILY_MAP] = "map",
    };
    return family >= 0 && (size_t)family < sizeof names / sizeof *names ? names[family] : NULL;
}

lc_status lc_rule_check(const lc_rule *rule, lc_message *message)
{
    if (lc_family_name(rule->family) == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "%d is no family of rules", rule->family);
    if ((rule->birth | rule->survival) & ~ALL_COUNTS)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a rule speaks of 0 to 8 neighbours only");
    lc_rule canonical = LC_RULE_TOTALISTIC(rule->birth, rule->survival);
    if (rule->family == LC_FAMILY_MAP)
        lc_rule_from_map(rule->table, &canonical);
    if (lc_rule_equal(rule, &canonical))
        return LC_OK;
    return lc_fail(
        message, LC_ERROR_ARGUMENT,
        "this is no rule, or not in its one form: take LC_RULE_LIFE, "
        "LC_RULE_TOTALISTIC, lc_rule_from_map or lc_rule_parse, which fill in all of it");
}

// Traits ---------------------------------------------------------------------------------------

int lc_rule_planes(const lc_rule *rule)
{
    int planes = 1;
    while (1u << planes < rule->states)
        planes++;
    return planes;
}

int64_t lc_rule_halo_cells(const lc_rule *rule, uint64_t generations)
{
    int64_t cells;
    return __builtin_mul_overflow(generations, rule->reach, &cells) ? INT64_MAX : cells;
}

uint64_t lc_rule_halo_generations(const lc_rule *rule, int64_t cells)
{
    return (uint64_t)cells / rule->reach;
}

// Surfaces -------------------------------------------------------------------------------------

// The symmetry that a surface's gluing uses: what the copies of its unfolding are, besides moved
// (kernels/topology_map.h).
static int symmetry_used(const lc_topology *t)
{
    switch (t->kind) {
    case LC_TOPOLOGY_KLEIN_BOTTLE:
        return t->twist_x ? LC_SYMMETRY_MIRROR_X : LC_SYMMETRY_MIRROR_Y;
    case LC_TOPOLOGY_CROSS_SURFACE:
        return LC_SYMMETRY_MIRROR_X | LC_SYMMETRY_MIRROR_Y;
    case LC_TOPOLOGY_SPHERE:
        return LC_SYMMETRY_TURN;
    default:
        return LC_SYMMETRY_NONE;
    }
}

lc_status lc_rule_check_topology(const lc_rule *rule, const lc_topology *topology,
                                 lc_message *message)
{
    lc_status status = lc_rule_check(rule, message);
    if (status == LC_OK)
        status = lc_topology_check(topology, message);
    if (status != LC_OK)
        return status;
    const int missing = symmetry_used(topology) & ~rule->symmetry;
    if (missing != 0)
        return lc_fail(
            message, LC_ERROR_UNSUPPORTED,
            "beyond the edges of this %s cells are seen %s, and the rule makes something else of "
            "them there; a plane or a torus carries every rule",
            topology->kind == LC_TOPOLOGY_KLEIN_BOTTLE    ? "Klein bottle"
            : topology->kind == LC_TOPOLOGY_CROSS_SURFACE ? "cross-surface"
                                                          : "sphere",
            missing & LC_SYMMETRY_TURN       ? "turned by a quarter"
            : missing & LC_SYMMETRY_MIRROR_X ? "mirrored left to right"
                                             : "mirrored top to bottom");
    const bool one_unbounded = (topology->width_cells == 0) != (topology->height_cells == 0);
    if (topology->kind == LC_TOPOLOGY_PLANE && one_unbounded && lc_rule_next(rule, 0))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a rule with B0 on a plane bounded in one direction only: its empty space "
                       "would fill with stripes without end (a torus, or bounds for both "
                       "directions, would do)");
    return LC_OK;
}
