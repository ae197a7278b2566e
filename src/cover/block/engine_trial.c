#include "cover/block/engine_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "cover/block/block_copy.h"

// A watch -----------------------------------------------------------------------------------------

static bool is_over(void *context)
{
    lc_trial_watch *w = context;
    const uint64_t now_ns = lc_clock_ns();
    const lc_engine_watch *own = w->own;
    if (own != NULL && own->call != NULL && now_ns - w->asked_ns >= own->interval_ns) {
        w->own_stops = own->call(own->context);
        w->asked_ns = lc_clock_ns();
    }
    return w->own_stops || now_ns >= w->until_ns;
}

static void begin_watch(const lc_one_block *s, lc_trial_watch *w, uint64_t ns)
{
    const uint64_t now_ns = lc_clock_ns();
    *w = (lc_trial_watch){.watch = {.call = is_over, .context = w, .interval_ns = 100000},
                          .own = s->base.asked.watch,
                          .until_ns = ns < UINT64_MAX - now_ns ? now_ns + ns : UINT64_MAX,
                          .asked_ns = now_ns};
}

static lc_trial_watch *watch_of(lc_engine_trial *l, const lc_engine_vtable *engine)
{
    return engine == &lc_engine_hashlife ? &l->of_hashlife : &l->of_sparse;
}

// Copying -----------------------------------------------------------------------------------------

// Copies all live cells, unless the watch ends it.
static lc_status copy_all(lc_one_block *s, const lc_block *to, const lc_engine_watch *watch,
                          lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_one_block_facts(&s->base, LC_FACT_BOX, &facts, message);
    if (status != LC_OK || facts.box.empty)
        return status;
    return facts.is_far ? lc_refuse_end_of_world(message)
                        : lc_block_copy(&s->block, to, lc_area_of_box(&facts.box), watch, message);
}

// Engines beside each other -----------------------------------------------------------------------

void lc_engine_trial_drop(lc_engine_trial *l)
{
    if (l->is_parked)
        l->parked.vtable->destroy(l->parked.engine);
    l->is_parked = false;
}

// Parks HashLife if it is small; destroys other engines.
static void put_away(lc_one_block *s, lc_engine_trial *l, lc_block *block)
{
    const lc_engine_vtable *const v = block->vtable;
    const uint64_t most = lc_trial_parked_bytes(lc_one_block_limit_bytes(&s->base));
    l->is_parked = v->tree != NULL && v->plane->held_bytes(block->engine) <= most &&
                   v->tree->set_root(block->engine, 0, LC_LEAF_LOG2, NULL) == LC_OK;
    if (l->is_parked)
        l->parked = *block;
    else
        v->destroy(block->engine);
}

// Frees the parked engine if the universe may need its memory.
static void make_room(lc_one_block *s, lc_engine_trial *l)
{
    if (!l->is_parked)
        return;
    const uint64_t parked = l->parked.vtable->plane->held_bytes(l->parked.engine);
    const uint64_t held = s->block.vtable->plane->held_bytes(s->block.engine);
    if (held + 2 * parked > lc_one_block_limit_bytes(&s->base))
        lc_engine_trial_drop(l);
}

// Creates another engine with the same cells, in the memory that the current one leaves. The watch
// ends that after `ns`.
static lc_status make(lc_one_block *s, lc_engine_trial *l, const lc_engine_vtable *engine,
                      uint64_t ns, lc_block *out, lc_message *message)
{
    lc_trial_watch *w = watch_of(l, engine);
    const uint64_t held = s->block.vtable->plane->held_bytes(s->block.engine);
    lc_status status = LC_OK;
    begin_watch(s, w, ns);
    if (l->is_parked && l->parked.vtable == engine) {
        *out = l->parked;
        l->is_parked = false;
        (void)engine->set_rule(out->engine, s->rule, NULL);
        const uint64_t limit = lc_one_block_limit_bytes(&s->base);
        engine->plane->set_limit(out->engine, limit - lc_least_u64(limit, held));
    } else {
        const lc_block_request request = {
            .engine = engine, .watch = &w->watch, .kept_free_bytes = held};
        status = lc_one_block_make(s, &request, out, message);
    }
    if (status != LC_OK)
        return status;
    status = copy_all(s, out, &w->watch, message);
    if (status != LC_OK)
        put_away(s, l, out);
    return status;
}

static void replace(lc_one_block *s, lc_engine_trial *l, const lc_block *block)
{
    put_away(s, l, &s->block);
    s->block = *block;
    s->base.asked.engine = block->vtable;
    s->base.changes++;
}

// A trial -----------------------------------------------------------------------------------------

static lc_status stopped(lc_message *message)
{
    return lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch");
}

// Steps an engine until its watch ends it; engines may ask the watch less often than after each
// pass. *ns is the time of a generation in the fastest pass.
static void run(const lc_block *block, lc_trial_watch *w, uint64_t left, uint64_t *made, double *ns)
{
    uint64_t pass = lc_trial_first_pass(block->vtable == &lc_engine_hashlife);
    *made = 0;
    while (*made < left && !is_over(w)) {
        uint64_t done;
        const uint64_t begin_ns = lc_clock_ns();
        const lc_status status =
            block->vtable->step(block->engine, lc_least_u64(pass, left - *made), &done, NULL);
        if (status != LC_OK || done == 0)
            return;
        const double pass_ns = (double)(lc_clock_ns() - begin_ns) / (double)done;
        *ns = *made == 0 || pass_ns < *ns ? pass_ns : *ns;
        *made += done;
        if (pass <= UINT64_MAX / 2)
            pass *= 2;
    }
}

// Tries the other engine, which takes over if it is faster than the current one was lately.
static lc_status try_other(lc_one_block *s, lc_engine_trial *l, uint64_t left, uint64_t *done,
                           lc_message *message)
{
    lc_trial_policy *p = &l->policy;
    const bool hashlife = lc_is_hashlife(s);
    const lc_engine_vtable *const other = hashlife ? &lc_engine_sparse : &lc_engine_hashlife;
    const uint64_t budget_ns = lc_trial_begin(p, hashlife);
    lc_block block;
    lc_trial_watch *w = watch_of(l, other);
    if (make(s, l, other, budget_ns, &block, NULL) != LC_OK)
        return w->own_stops ? stopped(message) : LC_OK;
    uint64_t made;
    double ns = 0;
    begin_watch(s, w, budget_ns);
    run(&block, w, left, &made, &ns);
    if (w->own_stops || made == 0 || !lc_trial_wins(p, hashlife, ns, left)) {
        put_away(s, l, &block);
        return w->own_stops ? stopped(message) : LC_OK;
    }
    w->until_ns = UINT64_MAX;
    if (p->ns != 0)
        lc_fail(&s->reason, LC_OK, "%.1f times as fast as \"%s\" in a trial", p->ns / ns,
                s->block.vtable->name);
    else // HashLife's time for a generation is not known yet
        lc_fail(&s->reason, LC_OK, "HashLife's first jump took longer than a trial");
    replace(s, l, &block);
    lc_trial_changed(p, ns);
    *done = made;
    return LC_OK;
}

static bool is_possible(const lc_one_block *s)
{
    return lc_trial_is_possible(&s->base.asked.topology, s->rule, s->alternates);
}

lc_status lc_engine_trial_run(lc_one_block *s, lc_engine_trial *l, uint64_t made, uint64_t took_ns,
                              uint64_t left, uint64_t *done, lc_message *message)
{
    *done = 0;
    make_room(s, l);
    lc_trial_note(&l->policy, made, took_ns);
    if (!lc_trial_is_due(&l->policy) || lc_trial_is_short(left) || !is_possible(s) ||
        !lc_trial_pays(&l->policy, left))
        return LC_OK;
    return try_other(s, l, left, done, message);
}

// HashLife ----------------------------------------------------------------------------------------

void lc_engine_trial_start_hashlife(lc_one_block *s, lc_engine_trial *l, uint64_t generations)
{
    lc_facts facts;
    lc_block block;
    l->of_sparse.own_stops = false; // it has stopped the step before
    if (!lc_trial_is_long(&l->policy, generations) || !is_possible(s))
        return;
    l->policy.was_long = true;
    if (lc_one_block_facts(&s->base, LC_FACT_POPULATION, &facts, NULL) != LC_OK ||
        !lc_trial_starts_with_hashlife(facts.population))
        return;
    if (make(s, l, &lc_engine_hashlife, UINT64_MAX, &block, NULL) != LC_OK)
        return;
    replace(s, l, &block);
    lc_trial_started(&l->policy);
    lc_fail(&s->reason, LC_OK, "long runs start with HashLife");
}

// The sparse engine takes over, if the cells are copied within `ns`.
static lc_status take_sparse(lc_one_block *s, lc_engine_trial *l, uint64_t ns, const char *reason)
{
    lc_block block;
    const lc_status status = make(s, l, &lc_engine_sparse, ns, &block, NULL);
    if (status != LC_OK)
        return status;
    l->of_sparse.until_ns = UINT64_MAX;
    replace(s, l, &block);
    lc_fail(&s->reason, LC_OK, "%s", reason);
    return LC_OK;
}

// Jumps until the next trial is due. An unfinished jump continues later from the memoised results.
static lc_status jump(lc_one_block *s, lc_engine_trial *l, uint64_t generations, uint64_t *done,
                      lc_message *message)
{
    lc_trial_watch *w = &l->of_hashlife;
    const uint64_t begin_ns = lc_clock_ns();
    begin_watch(s, w, lc_trial_wait_ns(&l->policy));
    lc_status status =
        lc_one_block_advance(&s->base, lc_least_u64(generations, l->policy.pass), done, message);
    if (status == LC_ERROR_STOPPED && !w->own_stops)
        status = LC_OK;
    begin_watch(s, w, UINT64_MAX); // lc_self_covering_jump has no trials
    if (status == LC_OK)
        lc_trial_note_jump(&l->policy, generations, *done, lc_clock_ns() - begin_ns);
    return status;
}

lc_status lc_engine_trial_advance_hashlife(lc_one_block *s, lc_engine_trial *l,
                                           uint64_t generations, uint64_t *done,
                                           lc_message *message)
{
    *done = 0;
    while (*done == 0 && lc_is_hashlife(s)) {
        lc_status status = jump(s, l, generations, done, message);
        if (status == LC_ERROR_LIMIT || status == LC_ERROR_MEMORY)
            return take_sparse(s, l, UINT64_MAX, "\"hashlife\" ran out of memory") == LC_OK
                       ? LC_OK
                       : status;
        if (status != LC_OK || !lc_trial_is_due(&l->policy))
            return status;
        uint64_t more = 0;
        if (lc_trial_is_short(generations)) {
            const uint64_t ns = lc_trial_give_up(&l->policy);
            l->policy.was_long = take_sparse(s, l, ns, "steps are short") != LC_OK;
        } else {
            status = try_other(s, l, generations - *done, &more, message);
        }
        *done += more;
        if (status != LC_OK)
            return *done > 0 ? LC_OK : status;
    }
    return LC_OK;
}
