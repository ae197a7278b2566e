// Rules for tests.
#include "support_rule.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "rule/rule_value.h"
#include "support.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // guards the list
static const lc_rule **list;
static size_t count, room;

static void require(bool condition, const char *text)
{
    if (condition)
        return;
    fprintf(stderr, "test: no rule %s\n", text);
    exit(2);
}

static const lc_rule *keep(lc_status status, const lc_rule *rule, const char *text)
{
    require(status == LC_OK, text);
    (void)pthread_mutex_lock(&mutex);
    if (count == room) {
        room = 2 * room + 64;
        list = realloc(list, room * sizeof(const lc_rule *));
        require(list != NULL, text);
    }
    list[count++] = rule;
    (void)pthread_mutex_unlock(&mutex);
    return rule;
}

const lc_rule *rule_and_topology(const char *text, lc_topology *topology)
{
    const lc_rule *rule;
    const lc_status status = lc_rule_parse(text, &rule, topology, NULL);
    return keep(status, rule, text);
}

const lc_rule *rule_of(const char *text)
{
    return rule_and_topology(text, NULL);
}

const lc_rule *rule_of_counts(unsigned birth, unsigned survival)
{
    const lc_rule *rule;
    const lc_counts counts = {(uint16_t)birth, (uint16_t)survival};
    const lc_status status = lc_rule_from_counts(counts, &rule, NULL);
    return keep(status, rule, "of counts");
}

const lc_rule *rule_of_map(const uint8_t table[64])
{
    const lc_rule *rule;
    const lc_status status = lc_rule_from_map(table, &rule, NULL);
    return keep(status, rule, "of a table");
}

const lc_rule *rule_at(size_t index, uint64_t seed)
{
    static const char *const named[RULES_NAMED] = {
        "B3/S23",
        "B36/S23",            // HighLife
        "B3678/S34678",       // Day & Night
        "B2/S",               // Seeds
        "B13/S13",            //
        "B1357/S1357",        // Replicator
        "B03/S23",            //
        "B0/S",               //
        "B02468/S1357",       //
        "B0123478/S01234678", // Life with live and dead cells exchanged
        "B012345678/S012345678",
        "B/S",          // never alive
        "B/S012345678", // nothing changes
        "B012345678/S", // everything changes
        "B8/S0",
        "B3/S12345", // Maze
    };
    index %= test_rule_count(SIZE_MAX);
    if (index < RULES_NAMED)
        return rule_of(named[index]);
    dice d = dice_from(seed, 0x52554C45u + index);
    const unsigned birth = dice_word(&d) & 0x1FF, survival = dice_word(&d) & 0x1FF;
    return rule_of_counts(birth, survival);
}

oracle_rule oracle_rule_of(const lc_rule *rule)
{
    oracle_rule made = {0};
    lc_counts counts;
    lc_rule_map(rule, made.table);
    made.is_map = !lc_rule_counts(rule, &counts);
    made.states = lc_rule_traits(rule)->states;
    made.has_history = lc_rule_traits(rule)->family == LC_FAMILY_HISTORY;
    if (!made.is_map) {
        made.birth = counts.birth;
        made.survival = counts.survival;
    }
    return made;
}

lc_counts counts_of(const lc_rule *rule)
{
    lc_counts counts = {0};
    require(lc_rule_counts(rule, &counts), "of counts");
    return counts;
}

bool rules_end(void)
{
    for (size_t i = 0; i < count; i++)
        lc_rule_release(&list[i]);
    free(list);
    list = NULL;
    count = room = 0;
    if (lc_rule_count() != 0)
        fprintf(stderr, "test: %zu rules were not released\n", lc_rule_count());
    return lc_rule_count() == 0;
}
