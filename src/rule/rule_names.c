// The well-known rules by name, and the well-known rules that are of other families.
//
// Names and numbers are those of LifeWiki's list of Life-like rules. A name that was given to more
// than one rule (Land Rush, Ice Nine) is left out; InverseLife is the reversal of B3678/S23, as its
// description has it, though some programs give that name to another rule.
#include <string.h>

#include "rule/rule_text.h"

typedef struct named_rule {
    const char *name;
    const char *birth;
    const char *survival;
} named_rule;

// In the order in which lc_rule_named lists them: the best known first, then by rule.
static const named_rule named_rules[] = {
    {"Life", "3", "23"},
    {"HighLife", "36", "23"},
    {"Day & Night", "3678", "34678"},
    {"Seeds", "2", ""},
    {"2x2", "36", "125"},
    {"34 Life", "34", "34"},
    {"Amoeba", "357", "1358"},
    {"Anneal", "4678", "35678"},
    {"Assimilation", "345", "4567"},
    {"Coagulations", "378", "235678"},
    {"Coral", "3", "45678"},
    {"Diamoeba", "35678", "5678"},
    {"Dry Life", "37", "23"},
    {"Flock", "3", "12"},
    {"Gnarl", "1", "1"},
    {"Life without Death", "3", "012345678"},
    {"Live Free or Die", "2", "0"},
    {"Long Life", "345", "5"},
    {"LowLife", "3", "13"},
    {"Majority", "45678", "5678"},
    {"Maze", "3", "12345"},
    {"Mazectric", "3", "1234"},
    {"Morley", "368", "245"},
    {"Pedestrian Life", "38", "23"},
    {"Replicator", "1357", "1357"},
    {"Serviettes", "234", ""},
    {"Stains", "3678", "235678"},
    {"Vote", "5678", "45678"},
    {"Walled Cities", "45678", "2345"},

    {"AntiLife", "0123478", "01234678"},
    {"InverseLife", "0123478", "34678"},
    {"Invertamaze", "028", "0124"},
    {"Neon Blobs", "08", "4"},
    {"H-trees", "1", "012345678"},
    {"Fuzz", "1", "014567"},
    {"Snakeskin", "1", "134567"},
    {"Fredkin", "1357", "02468"},
    {"Feux", "1358", "0247"},
    {"Forest of Ls", "168", "236"},
    {"Iceballs", "25678", "5678"},
    {"DotLife", "3", "023"},
    {"Star Trek", "3", "0248"},
    {"SnowLife", "3", "1237"},
    {"Corrosion of Conformity", "3", "124"},
    {"EightFlock", "3", "128"},
    {"EightLife", "3", "238"},
    {"Shoots and Roots", "3", "245678"},
    {"Dance", "34", "35"},
    {"Bacteria", "34", "456"},
    {"Never Happy", "345", "0456"},
    {"Blinkers", "345", "2"},
    {"Gems", "3457", "4568"},
    {"Gems Minor", "34578", "456"},
    {"Eppstein", "35", "236"},
    {"Bugs", "3567", "15678"},
    {"Cheerios", "35678", "34567"},
    {"Holstein", "35678", "4678"},
    {"Pseudo Life", "357", "238"},
    {"Geology", "3578", "24678"},
    {"HighLife without Death", "36", "012345678"},
    {"HighFlock", "36", "12"},
    {"IronFlock", "36", "128"},
    {"Blinker Life", "36", "235"},
    {"IronLife", "36", "238"},
    {"Logarithmic", "36", "245"},
    {"Slow Blob", "367", "125678"},
    {"DrighLife", "367", "23"},
    {"2x2 2", "3678", "1258"},
    {"Castles", "3678", "135678"},
    {"LowDeath without Death", "368", "012345678"},
    {"LowFlockDeath", "368", "128"},
    {"Life SkyHigh", "368", "236"},
    {"LowDeath", "368", "238"},
    {"DryLife without Death", "37", "012345678"},
    {"DryFlock", "37", "12"},
    {"Mazectric with Mice", "37", "1234"},
    {"Maze with Mice", "37", "12345"},
    {"Plow World", "378", "012345678"},
    {"Pedestrian Life without Death", "38", "012345678"},
    {"Pedestrian Flock", "38", "12"},
    {"HoneyFlock", "38", "128"},
    {"HoneyLife", "38", "238"},
    {"Electrified Maze", "45", "12345"},
    {"Oscillators Rule", "45", "1235"},
    {"Lifeguard 1", "48", "234"},
    {"Lifeguard 2", "3", "4567"},
    {"Rings 'n' Slugs", "56", "14568"},
};

// Isotropic rules, behind those.
static const struct {
    const char *name;
    const char *rule;
} isotropic_rules[] = {
    {"Just Friends", "B2-a/S12"},
    {"tLife", "B3/S2-i34q"},
    {"tHighLife", "B36/S2-i34q"},
};

// Other names of rules above.
static const struct {
    const char *name;
    const char *listed;
} aliases[] = {
    {"Conway's Life", "Life"},         {"Conway", "Life"},
    {"Conway's Game of Life", "Life"}, {"Game of Life", "Life"},
    {"Day and Night", "Day & Night"},  {"Move", "Morley"},
    {"Twisted Majority", "Anneal"},    {"Vote 4/5", "Anneal"},
    {"Inkspot", "Life without Death"}, {"Flakes", "Life without Death"},
    {"LWOD", "Life without Death"},    {"Persian Rug", "Serviettes"},
    {"Replicator 2", "Fredkin"},       {"Three-four Life", "34 Life"},
    {"Virus", "Blinker Life"},
};

#define GENERATIONS "a Generations rule (dying cells pass through further states)"
#define ISOTROPIC "an isotropic rule that is known here by its counts and letters only, not by name"
#define LARGER "a Larger than Life rule (neighbours further away than one cell count)"
#define BLOCKS "a Margolus rule (cells change in blocks of 2 x 2)"
#define HISTORY "a rule with history states (it remembers where cells have been alive)"
#define TABLE "a rule with more than two states or a transition table of its own"

static const struct {
    const char *name;
    const char *family;
} others[] = {
    {"9:43 at Knight", GENERATIONS},
    {"Banners", GENERATIONS},
    {"BelZhab", GENERATIONS},
    {"BelZhab Sediment", GENERATIONS},
    {"Bloomerang", GENERATIONS},
    {"Bombers", GENERATIONS},
    {"Brain 6", GENERATIONS},
    {"Brian's Brain", GENERATIONS},
    {"Burst", GENERATIONS},
    {"Burst II", GENERATIONS},
    {"Caterpillars", GENERATIONS},
    {"Chenille", GENERATIONS},
    {"Circuit Genesis", GENERATIONS},
    {"Cooties", GENERATIONS},
    {"Ebb & Flow", GENERATIONS},
    {"Ebb & Flow II", GENERATIONS},
    {"Faders", GENERATIONS},
    {"Fireworks", GENERATIONS},
    {"Flaming Starbows", GENERATIONS},
    {"Free Star", GENERATIONS},
    {"Frogs", GENERATIONS},
    {"Frost", GENERATIONS},
    {"Frozen Spirals", GENERATIONS},
    {"Glisserati", GENERATIONS},
    {"Glissergy", GENERATIONS},
    {"Lava", GENERATIONS},
    {"Lines", GENERATIONS},
    {"Living on the Edge", GENERATIONS},
    {"Meteor Guns", GENERATIONS},
    {"Nova", GENERATIONS},
    {"OrthoGo", GENERATIONS},
    {"Prairie on Fire", GENERATIONS},
    {"RainZha", GENERATIONS},
    {"Rake", GENERATIONS},
    {"SediMental", GENERATIONS},
    {"Snake", GENERATIONS},
    {"SoftFreeze", GENERATIONS},
    {"Spirals", GENERATIONS},
    {"Star Wars", GENERATIONS},
    {"Sticks", GENERATIONS},
    {"Swirl", GENERATIONS},
    {"ThrillGrill", GENERATIONS},
    {"Transers", GENERATIONS},
    {"Transers II", GENERATIONS},
    {"Wanderers", GENERATIONS},
    {"Worms", GENERATIONS},
    {"Xtasy", GENERATIONS},

    {"Best Friends", ISOTROPIC},
    {"Goat Flock", ISOTROPIC},
    {"Goats", ISOTROPIC},
    {"HouseLife", ISOTROPIC},
    {"Pi-plicator", ISOTROPIC},
    {"Salad", ISOTROPIC},
    {"Snowflakes", ISOTROPIC},
    {"X-rule", ISOTROPIC},

    {"Bosco's Rule", LARGER},
    {"Larger than Life", LARGER},
    {"Majorly", LARGER},

    {"BBM", BLOCKS},
    {"Billiard Ball Machine", BLOCKS},
    {"Critters", BLOCKS},
    {"Margolus", BLOCKS},
    {"Tron", BLOCKS},

    {"LifeHistory", HISTORY},
    {"LifeSuper", HISTORY},
    {"Life History", HISTORY},

    {"Byl-Loop", TABLE},
    {"Chou-Reggia-1", TABLE},
    {"Chou-Reggia-2", TABLE},
    {"Codd", TABLE},
    {"Codd2", TABLE},
    {"Devore", TABLE},
    {"Evoloop", TABLE},
    {"Hutton32", TABLE},
    {"Investigator", TABLE},
    {"JvN29", TABLE},
    {"Langton's Ant", TABLE},
    {"Langton's Loops", TABLE},
    {"LifeOnTheEdge", TABLE},
    {"LifeOnTheSlope", TABLE},
    {"Nobili32", TABLE},
    {"Perrier", TABLE},
    {"SDSR-Loop", TABLE},
    {"StateInvestigator", TABLE},
    {"Tempesti", TABLE},
    {"WireWorld", TABLE},
};

// All but what parts words and is written by some and not by others. "Conway++" is not "Conway".
static bool is_name_character(char c)
{
    return strchr(" \t-_'&/.,:()", c) == NULL;
}

// In capitals or not.
static bool same_name(const char *name, size_t length, const char *known)
{
    const char *end = name + length;
    for (;;) {
        while (name < end && !is_name_character(*name))
            name++;
        while (*known != '\0' && !is_name_character(*known))
            known++;
        if (name == end || *known == '\0')
            return name == end && *known == '\0';
        if (lc_rule_lower(*name++) != lc_rule_lower(*known++))
            return false;
    }
}

uint16_t lc_rule_mask(const char *digits)
{
    uint16_t mask = 0;
    for (; *digits != '\0'; digits++)
        mask |= (uint16_t)(1u << (*digits - '0'));
    return mask;
}

bool lc_rule_named(size_t index, const char **name, lc_rule *rule)
{
    const size_t counted = sizeof named_rules / sizeof *named_rules;
    const size_t isotropic = sizeof isotropic_rules / sizeof *isotropic_rules;
    if (index >= counted + isotropic)
        return false;
    const bool has_letters = index >= counted;
    const named_rule *found = &named_rules[has_letters ? 0 : index];
    if (name != NULL)
        *name = has_letters ? isotropic_rules[index - counted].name : found->name;
    if (rule == NULL)
        return true;
    if (has_letters)
        return lc_rule_parse(isotropic_rules[index - counted].rule, rule, NULL, NULL) == LC_OK;
    *rule = (lc_rule)LC_RULE_TOTALISTIC(lc_rule_mask(found->birth), lc_rule_mask(found->survival));
    return true;
}

bool lc_rule_by_name(const char *name, size_t length, lc_rule *rule)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (same_name(name, length, aliases[i].name)) {
            name = aliases[i].listed;
            length = strlen(name);
            break;
        }
    }
    const char *listed;
    for (size_t i = 0; lc_rule_named(i, &listed, NULL); i++)
        if (same_name(name, length, listed))
            return lc_rule_named(i, NULL, rule);
    return false;
}

const char *lc_rule_family_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (same_name(name, length, others[i].name))
            return others[i].family;
    return NULL;
}
