#include "level/window_steps.h"

#include <string.h>

void lc_window_steps_free(lc_window_steps *steps)
{
    for (int i = 0; i < 2; i++)
        lc_cache_release(steps->codes[i]);
}

// If either rule is a rule of any table, both are stepped by diagrams.
static void set_maps(lc_window_steps *s)
{
    const int different = s->rules[0] == s->rules[1] ? 1 : 2;
    for (int i = 0; i < different; i++) {
        uint8_t table[64];
        lc_rule_map(s->rules[i], table);
        lc_diagram_build(&s->maps[i], table, s->cache);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            s->from[i].map[k] = &s->maps[(i + k) % different];
    s->window = s->level->window_map;
    s->fenced = s->level->window_fenced_map;
    s->column = s->level->column_map;
    s->patch = s->level->patch_map;
}

void lc_window_steps_set(lc_window_steps *s, const lc_level *level, const lc_rule *const rules[2],
                         lc_cache *cache)
{
    const bool are_life = rules[0] == lc_rule_life() && rules[1] == lc_rule_life();
    lc_window_steps_free(s);
    *s = (lc_window_steps){.level = level,
                           .cache = cache,
                           .window = are_life ? level->window_life : level->window_any,
                           .fenced = level->window_fenced,
                           .column = are_life ? level->column_life : level->column_any,
                           .patch = are_life ? level->patch_life : level->patch_any};
    memcpy(s->rules, rules, sizeof s->rules);
    if (!lc_rule_counts(rules[0], &s->counts[0]) || !lc_rule_counts(rules[1], &s->counts[1])) {
        set_maps(s);
        return;
    }
    if (!are_life && level->window_code != NULL)
        s->code_at = LC_WINDOWS_BEFORE_CODE;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            lc_any_rule(s->counts[(i + k) % 2], s->from[i].any[k]);
}

static bool make_code(lc_window_steps *s, bool may_search)
{
    const int different = s->rules[0] == s->rules[1] ? 1 : 2;
    for (int i = 0; i < different; i++) {
        if (s->codes[i] == NULL) // not found yet: the search may have been brief
            s->codes[i] =
                lc_code_get_windows(s->cache, s->level->code_target, s->counts[i], may_search);
        if (s->codes[i] == NULL)
            return false;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            s->from[i].code[k] = s->codes[(i + k) % different];
    s->window = s->level->window_code;
    s->fenced = s->level->window_fenced_code;
    s->column = s->level->column_code;
    s->patch = s->level->patch_code;
    return true;
}

void lc_window_steps_count(lc_window_steps *s, uint64_t windows)
{
    if (s->code_at == 0)
        return;
    s->windows += windows;
    if (s->windows < s->code_at)
        return;
    const bool may_search = s->windows >= LC_WINDOWS_BEFORE_SEARCH;
    s->code_at = make_code(s, may_search) || may_search ? 0 : LC_WINDOWS_BEFORE_SEARCH;
}
