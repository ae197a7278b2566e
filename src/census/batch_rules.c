#include "census/batch_rules.h"

#include "base/memory.h"

static const double before_code = 1 << 18;   // if a brief search finds the gates
static const double before_search = 1 << 23; // if not

static void prepare(lc_batch_rules *r, lc_batch_rule *rule, lc_diagram *map)
{
    lc_counts counts;
    if (lc_rule_counts(rule->rule, &counts)) {
        const bool is_life = rule->rule == lc_rule_life();
        rule->step = is_life ? r->level->board_life : r->level->board_any;
        for (int i = 0; i < 2; i++)
            lc_any_rule(counts, rule->data.any[i]);
        return;
    }
    uint8_t table[64];
    lc_rule_map(rule->rule, table);
    lc_diagram_build(map, table, r->cache);
    rule->step = r->level->board_map;
    rule->data.map[0] = rule->data.map[1] = map;
}

static size_t maps_of(const lc_rule *const *list, size_t count)
{
    size_t maps = 0;
    lc_counts counts;
    for (size_t i = 0; i < count; i++)
        maps += !lc_rule_counts(list[i], &counts);
    return maps;
}

lc_status lc_batch_rules_set(lc_batch_rules *r, const lc_level *level, const lc_rule *const *list,
                             size_t count, lc_cache *cache)
{
    *r = (lc_batch_rules){.level = level, .cache = cache};
    r->rule = lc_calloc(count, sizeof *r->rule);
    r->maps = lc_calloc(maps_of(list, count), sizeof *r->maps);
    if (r->rule == NULL || r->maps == NULL)
        return LC_ERROR_MEMORY;
    lc_diagram *map = r->maps;
    for (r->count = 0; r->count < count; r->count++) {
        lc_batch_rule *rule = &r->rule[r->count];
        rule->rule = lc_rule_retain(list[r->count]);
        prepare(r, rule, map);
        map += rule->step == level->board_map;
    }
    if (count <= LC_BATCH_RULES_WITH_CODE && level->board_code != NULL)
        r->code_at = before_code;
    return LC_OK;
}

void lc_batch_rules_free(lc_batch_rules *r)
{
    for (size_t i = 0; i < r->count; i++) {
        lc_cache_release(r->rule[i].code);
        lc_rule_release(&r->rule[i].rule);
    }
    lc_free(r->rule);
    lc_free(r->maps);
    *r = (lc_batch_rules){0};
}

// Returns false if a longer search may find the code.
static bool make_code(lc_batch_rules *r, lc_batch_rule *rule, bool may_search)
{
    lc_counts counts;
    if (rule->step != r->level->board_any || !lc_rule_counts(rule->rule, &counts))
        return true;
    rule->code = lc_code_get_windows(r->cache, r->level->code_target, counts, may_search);
    if (rule->code == NULL)
        return false;
    rule->step = r->level->board_code;
    rule->data.code[0] = rule->data.code[1] = rule->code;
    return true;
}

void lc_batch_rules_count(lc_batch_rules *r, double generations)
{
    r->stepped += generations / (double)r->count;
    if (r->code_at == 0 || r->stepped < r->code_at)
        return;
    const bool may_search = r->stepped >= before_search;
    bool all = true;
    for (size_t i = 0; i < r->count; i++)
        all = make_code(r, &r->rule[i], may_search) && all;
    r->code_at = all || may_search ? 0 : before_search;
}
