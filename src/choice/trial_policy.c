#include "choice/trial_policy.h"

#include "base/least.h"
#include "choice/tuned.h"

bool lc_trial_is_possible(const lc_topology *t, const lc_rule *rule, bool alternates)
{
    return t->width_cells == 0 && t->height_cells == 0 && !alternates &&
           !lc_rule_traits(rule)->has_b0 && lc_engine_steps(&lc_engine_hashlife, rule);
}

bool lc_trial_is_short(uint64_t generations)
{
    return generations < LC_TUNED_SHORT_STEP;
}

// The start of a run ------------------------------------------------------------------------------

bool lc_trial_is_long(const lc_trial_policy *p, uint64_t generations)
{
    return !p->was_long && generations >= LC_TUNED_LONG_RUN;
}

bool lc_trial_starts_with_hashlife(lc_count population)
{
    return lc_count_compare(population, lc_count_of(LC_TUNED_FEW_CELLS)) <= 0;
}

void lc_trial_started(lc_trial_policy *p)
{
    p->made = p->busy_ns = 0;
    p->trial_ns = lc_tuned_first_hashlife_trial_ns;
    p->pass = LC_TUNED_FIRST_JUMP;
}

// Work --------------------------------------------------------------------------------------------

void lc_trial_note(lc_trial_policy *p, uint64_t made, uint64_t took_ns)
{
    if (p->trial_ns == 0)
        p->trial_ns = lc_tuned_first_trial_ns;
    p->made += made;
    p->busy_ns += took_ns;
}

void lc_trial_note_jump(lc_trial_policy *p, uint64_t wanted, uint64_t done, uint64_t took_ns)
{
    lc_trial_note(p, done, took_ns);
    p->jumped_ns += took_ns;
    if (lc_trial_is_short(done) && done < wanted)
        return;
    p->ns = (double)took_ns / (double)done;
    if (took_ns < lc_tuned_short_jump_ns && done == p->pass && p->pass <= UINT64_MAX / 2)
        p->pass *= 2;
}

uint64_t lc_trial_wait_ns(const lc_trial_policy *p)
{
    return p->trial_ns > p->busy_ns ? p->trial_ns - p->busy_ns : 0;
}

bool lc_trial_is_due(const lc_trial_policy *p)
{
    return p->busy_ns >= p->trial_ns;
}

// Trials ------------------------------------------------------------------------------------------

bool lc_trial_pays(const lc_trial_policy *p, uint64_t left)
{
    const double ns = (double)p->busy_ns / (double)p->made;
    return ns * (double)left >= lc_tuned_trial_share * (double)p->busy_ns;
}

static void begin_interval(lc_trial_policy *p)
{
    p->made = p->busy_ns = 0;
    p->trial_ns *= 2;
}

uint64_t lc_trial_begin(lc_trial_policy *p, bool hashlife)
{
    const uint64_t share_ns = (uint64_t)(lc_tuned_trial_share * (double)p->busy_ns);
    if (!hashlife)
        p->ns = (double)p->busy_ns / (double)p->made;
    begin_interval(p);
    return share_ns;
}

uint64_t lc_trial_first_pass(bool tries_hashlife)
{
    return tries_hashlife ? LC_TUNED_FIRST_JUMP : LC_TUNED_FIRST_PASS;
}

bool lc_trial_wins(const lc_trial_policy *p, bool hashlife, double ns, uint64_t left)
{
    const double faster = hashlife ? lc_tuned_sparse_faster : lc_tuned_hashlife_faster;
    if (p->ns != 0 && ns * faster > p->ns)
        return false;
    return !hashlife || (double)p->jumped_ns >= lc_tuned_patience * ns * (double)left;
}

void lc_trial_changed(lc_trial_policy *p, double ns)
{
    p->ns = ns;
    p->pass = LC_TUNED_FIRST_JUMP;
    p->jumped_ns = 0;
}

uint64_t lc_trial_give_up(lc_trial_policy *p)
{
    begin_interval(p);
    return p->trial_ns + lc_tuned_first_hashlife_trial_ns;
}

uint64_t lc_trial_parked_bytes(uint64_t limit_bytes)
{
    return lc_least_u64(lc_tuned_parked_bytes, limit_bytes / lc_tuned_parked_share);
}
