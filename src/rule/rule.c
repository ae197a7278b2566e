// Rules as objects: making, sharing and freeing them, their traits, and the surfaces they run on.
//
// A process has one object per rule, in a hash table by the rule's text, so that rules are compared
// by their address. The table has no reference of its own: the last release takes a rule out.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/error.h"
#include "base/memory.h"
#include "rule/blinks.h"
#include "rule/rule_value.h"

enum { FIRST_CHAINS = 64 };

struct lc_rule {
    lc_traits traits;
    lc_rule_value value;
    atomic_size_t references;
    lc_rule *next; // in its chain of the table
    char text[];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of the table

// The table: a power of two of chains, at most as many rules as chains once it has grown.
static lc_rule **chains;
static size_t chain_count, rule_count;

// B3/S23 is made by the compiler, so that every program has it without an error to handle.
static lc_rule life = {
    .traits = {.family = LC_FAMILY_TOTALISTIC,
               .symmetry = LC_SYMMETRY_ALL,
               .states = 2,
               .planes = 1,
               .reach = 1,
               .text = "B3/S23",
               .id = {0x2731a7b8e85992a2, 0xc13b3ccdcd95fda1},
               .totalistic = true},
    .value = {.family = LC_FAMILY_TOTALISTIC,
              .symmetry = LC_SYMMETRY_ALL,
              .totalistic = true,
              .last_state = 1,
              .counts = {1u << 3, 1u << 2 | 1u << 3}},
};

const lc_rule *lc_rule_life(void)
{
    return &life;
}

// The place of a rule in its chain: a pointer to it, or to the NULL at the chain's end.
static lc_rule **place_of(const lc_rule_value *value, uint64_t id)
{
    lc_rule **at = &chains[id & (chain_count - 1)];
    while (*at != NULL && !lc_values_equal(&(*at)->value, value))
        at = &(*at)->next;
    return at;
}

// Makes room for one more rule. Returns false if out of memory for the first chains; without memory
// for more of them, chains grow longer.
static bool make_room(void)
{
    const size_t count = chain_count == 0 ? FIRST_CHAINS : 2 * chain_count;
    if (rule_count < chain_count)
        return true;
    lc_rule **grown = lc_calloc(count, sizeof(lc_rule *));
    if (grown == NULL)
        return chain_count != 0;
    for (size_t i = 0; i < chain_count; i++) {
        for (lc_rule *rule = chains[i], *next; rule != NULL; rule = next) {
            lc_rule **first = &grown[rule->traits.id[0] & (count - 1)];
            next = rule->next;
            rule->next = *first;
            *first = rule;
        }
    }
    lc_free(chains);
    chains = grown;
    chain_count = count;
    return true;
}

// A rule that is not in the table, with one reference. NULL: out of memory.
static lc_rule *make_rule(const lc_rule_value *value, const char *text, const uint64_t id[2])
{
    const size_t text_bytes = strlen(text) + 1;
    lc_rule *rule = lc_calloc(1, sizeof *rule + text_bytes);
    if (rule == NULL)
        return NULL;
    memcpy(rule->text, text, text_bytes);
    rule->value = *value;
    rule->traits = (lc_traits){.family = (lc_family)value->family,
                               .symmetry = value->symmetry,
                               .states = value->last_state + 1,
                               .planes = 32 - __builtin_clz(value->last_state),
                               .reach = 1,
                               .has_b0 = lc_value_next(value, 0),
                               .text = rule->text,
                               .id = {id[0], id[1]},
                               .totalistic = value->totalistic};
    atomic_init(&rule->references, 1);
    return rule;
}

// With the mutex: finds or makes the rule. NULL: out of memory.
static lc_rule *find_or_make(const lc_rule_value *value, const char *text, const uint64_t id[2])
{
    if (!make_room())
        return NULL;
    lc_rule **at = place_of(value, id[0]);
    if (*at != NULL)
        return (lc_rule *)lc_rule_retain(*at);
    *at = make_rule(value, text, id);
    if (*at != NULL)
        rule_count++;
    return *at;
}

lc_status lc_rule_from_value(const lc_rule_value *value, const lc_rule **rule, lc_message *message)
{
    *rule = &life;
    if (lc_values_equal(value, &life.value))
        return LC_OK;
    char text[LC_RULE_TEXT_BYTES];
    lc_value_format(value, text);
    const XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
    (void)pthread_mutex_lock(&mutex);
    *rule = find_or_make(value, text, (const uint64_t[2]){hash.low64, hash.high64});
    (void)pthread_mutex_unlock(&mutex);
    return *rule != NULL ? LC_OK : lc_fail_memory(message, "a rule");
}

const lc_rule *lc_rule_retain(const lc_rule *rule)
{
    if (rule != NULL && rule != &life)
        atomic_fetch_add(&((lc_rule *)rule)->references, 1);
    return rule;
}

// Takes a rule without references out of the table, with the mutex, and frees it.
static void remove_rule(lc_rule *rule)
{
    *place_of(&rule->value, rule->traits.id[0]) = rule->next;
    lc_free(rule);
    if (--rule_count == 0) {
        lc_free(chains);
        chains = NULL;
        chain_count = 0;
    }
}

void lc_rule_release(const lc_rule **held)
{
    lc_rule *rule = (lc_rule *)*held;
    *held = NULL;
    if (rule == NULL || rule == &life)
        return;
    // The last reference is given up with the mutex, so that no thread finds the rule meanwhile.
    size_t references = atomic_load(&rule->references);
    while (references > 1)
        if (atomic_compare_exchange_weak(&rule->references, &references, references - 1))
            return;
    (void)pthread_mutex_lock(&mutex);
    if (atomic_fetch_sub(&rule->references, 1) == 1)
        remove_rule(rule);
    (void)pthread_mutex_unlock(&mutex);
}

lc_status lc_rule_need_two_states(const lc_rule *rule, const char *what, lc_message *message)
{
    return rule->traits.states == 2 ? LC_OK
                                    : lc_fail(message, LC_ERROR_UNSUPPORTED,
                                              "%s needs a rule of two states, and %s has %d", what,
                                              rule->traits.text, rule->traits.states);
}

size_t lc_rule_count(void)
{
    (void)pthread_mutex_lock(&mutex);
    const size_t count = rule_count;
    (void)pthread_mutex_unlock(&mutex);
    return count;
}

// Rules of values ------------------------------------------------------------------------------

lc_status lc_rule_from_counts(lc_counts counts, const lc_rule **rule, lc_message *message)
{
    *rule = NULL;
    if ((counts.birth | counts.survival) & ~LC_ALL_COUNTS)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a cell has 0 to 8 live neighbours, not more");
    const lc_rule_value value = lc_value_from_counts(counts);
    return lc_rule_from_value(&value, rule, message);
}

lc_status lc_rule_from_map(const uint8_t table[64], const lc_rule **rule, lc_message *message)
{
    lc_rule_value value;
    lc_value_from_map(table, &value);
    return lc_rule_from_value(&value, rule, message);
}

const lc_traits *lc_rule_traits(const lc_rule *rule)
{
    return &rule->traits;
}

bool lc_rule_counts(const lc_rule *rule, lc_counts *counts)
{
    if (!rule->traits.totalistic)
        return false;
    *counts = rule->value.counts;
    return true;
}

lc_status lc_rule_with_states(const lc_rule *from, int states, const lc_rule **rule,
                              lc_message *message)
{
    *rule = NULL;
    if (states < 2 || states > LC_STATES_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a rule has 2 to %d states, not %d",
                       LC_STATES_MAX, states);
    if (from->traits.states != 2)
        return lc_fail(message, LC_ERROR_ARGUMENT, "%s has more than two states by itself",
                       from->traits.text);
    if (states > 2 && from->traits.has_b0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, LC_NO_B0);
    lc_rule_value value = from->value;
    lc_value_set_states(&value, states);
    return lc_rule_from_value(&value, rule, message);
}

void lc_rule_map(const lc_rule *rule, uint8_t table[64])
{
    memset(table, 0, 64);
    for (unsigned neighbourhood = 0; neighbourhood <= LC_ALL_ALIVE; neighbourhood++)
        if (lc_value_next(&rule->value, neighbourhood))
            lc_table_set(table, neighbourhood);
}

bool lc_rule_next(const lc_rule *rule, unsigned neighbourhood)
{
    return lc_value_next(&rule->value, neighbourhood);
}

int64_t lc_rule_halo_cells(const lc_rule *rule, uint64_t generations)
{
    int64_t cells;
    return __builtin_mul_overflow(generations, rule->traits.reach, &cells) ? INT64_MAX : cells;
}

uint64_t lc_rule_halo_generations(const lc_rule *rule, int64_t cells)
{
    return (uint64_t)cells / (uint64_t)rule->traits.reach;
}

lc_status lc_rule_with_history(const lc_rule *from, const lc_rule **rule, lc_message *message)
{
    *rule = NULL;
    if (from->traits.states != 2)
        return lc_fail(message, LC_ERROR_ARGUMENT, "%s has more than two states by itself",
                       from->traits.text);
    if (from->traits.has_b0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, LC_NO_B0_WITH_HISTORY);
    lc_rule_value value = from->value;
    lc_value_set_history(&value);
    return lc_rule_from_value(&value, rule, message);
}

bool lc_rule_is_alive(const lc_rule *rule, int state)
{
    return rule->traits.family == LC_FAMILY_HISTORY ? state % 2 == 1 : state == 1;
}

int lc_rule_next_state(const lc_rule *rule, int state, bool comes_alive, bool is_killed)
{
    if (rule->traits.family == LC_FAMILY_HISTORY) {
        const bool is_marked = state >= 3;
        if (state == LC_HISTORY_KILLS)
            return state;
        if (!lc_rule_is_alive(rule, state))
            return comes_alive ? (is_marked ? 3 : 1) : state;
        return comes_alive && !is_killed ? state : is_marked ? 4 : 2;
    }
    if (state > 1 || (state == 1 && !comes_alive))
        return state + 1 < rule->traits.states ? state + 1 : 0;
    return comes_alive;
}

void lc_rule_colours(const lc_rule *rule, uint8_t rgb[LC_STATES_MAX][3])
{
    const int states = rule->traits.states;
    static const uint8_t history[LC_HISTORY_STATES][3] = {
        {0}, {0, 255, 0}, {0, 0, 128}, {216, 255, 216}, {255, 0, 0}, {255, 255, 0}, {96, 96, 96},
    };
    memset(rgb, 0, LC_STATES_MAX * sizeof rgb[0]);
    if (rule->traits.family == LC_FAMILY_HISTORY) {
        memcpy(rgb, history, sizeof history);
        return;
    }
    if (states == 2)
        memset(rgb[1], 255, sizeof rgb[1]);
    for (int state = 1; state < states && states > 2; state++) {
        rgb[state][0] = 255;
        rgb[state][1] = (uint8_t)(255 * (state - 1) / (states - 2));
    }
}

const char *lc_family_name(int family)
{
    static const char *const names[] = {
        [LC_FAMILY_TOTALISTIC] = "outer-totalistic",
        [LC_FAMILY_MAP] = "map",
        [LC_FAMILY_GENERATIONS] = "Generations",
        [LC_FAMILY_HISTORY] = "history",
    };
    return family >= 0 && (size_t)family < sizeof names / sizeof *names ? names[family] : NULL;
}

// Surfaces -------------------------------------------------------------------------------------

// Returns the symmetries that a rule needs on a surface: those of the copies in its unfolding
// (kernels/topology_map.h).
static unsigned symmetry_used(const lc_topology *t)
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
    const lc_status status = lc_topology_check(topology, message);
    if (status != LC_OK)
        return status;
    const unsigned missing = symmetry_used(topology) & ~rule->traits.symmetry;
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
    if (topology->kind == LC_TOPOLOGY_PLANE && one_unbounded && rule->traits.has_b0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a rule with B0 on a plane bounded in one direction only: its empty space "
                       "would fill with stripes without end (a torus, or bounds for both "
                       "directions, would do)");
    return LC_OK;
}
