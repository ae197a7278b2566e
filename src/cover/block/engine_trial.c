// See engine_trial.h.
#include "cover/block/engine_trial.h"

#include "base/clock.h"
#include "base/error.h"

enum {
    LONG_RUN = 8192,  // generations
    SHORT_STEP = 256, // fewer are no leap
    FEW_CELLS = 1 << 18,
    FIRST_JUMP = 1024, // of a trial: those that follow are twice as long each
    FIRST_PASS = 120,  // likewise; at first all tiles are awake
};

// Of work. What is remembered pays only after a while.
static const uint64_t first_trial_ns = 8000000, first_hashlife_trial_ns = 32000000;
static const uint64_t least_trial_ns = 1000000, short_jump_ns = 50000000;
static const double share = 0.125; // of the work done, for copying, and for a trial
// Times, that make it change. Leaps become faster in time; tiles, where life grows, become slower.
static const double hashlife_faster = 1.1, sparse_faster = 1.5;
// Of the time in which tiles would make what is left, leaps get at least this much.
static const double patience = 0.45;
static const uint64_t most_parked_bytes = 64 << 20;
static const uint64_t parked_share = 16; // of the memory that there may be

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

static lc_status copy_row(const lc_block *from, const lc_block *to, const lc_cells *piece,
                          lc_message *message)
{
    uint64_t words[LC_SPAN_WORDS];
    lc_status status = LC_OK;
    const int64_t end = piece->x + piece->width_cells;
    for (int64_t x = piece->x; x < end && status == LC_OK;) {
        const lc_cells cells = {.x = x,
                                .y = piece->y,
                                .width_cells = lc_least(end - x, LC_SPAN_CELLS - (x & 63)),
                                .height_cells = 1,
                                .words = words,
                                .pitch_words = LC_SPAN_WORDS};
        status = from->vtable->read(from->engine, &cells, message);
        if (status == LC_OK)
            status = to->vtable->write(to->engine, &cells, message);
        x += cells.width_cells;
    }
    return status;
}

// Until the watch ends it, if there is one.
static lc_status copy_all(lc_one_block *s, const lc_block *to, const lc_engine_watch *watch,
                          lc_message *message)
{
    enum { PIECES = 64 }; // between two looks at the watch
    int pieces = 0;
    lc_facts facts;
    const lc_block *from = &s->block;
    lc_status status = lc_one_block_facts(&s->base, LC_FACT_BOX, &facts, message);
    if (status != LC_OK || facts.box.empty)
        return status;
    if (facts.is_far)
        return lc_refuse_end_of_world(message);
    const lc_area within = lc_area_of_box(&facts.box);
    lc_cells at = {.x = facts.box.x, .y = facts.box.y, .height_cells = 1};
    for (;;) {
        status = from->vtable->plane->seek(from->engine, &within, &at, message);
        if (status != LC_OK || at.width_cells == 0)
            return status;
        status = copy_row(from, to, &at, message);
        if (status != LC_OK)
            return status;
        if (watch != NULL && ++pieces % PIECES == 0 && watch->call(watch->context))
            return lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch");
        at.x += at.width_cells;
        if (at.x >= within.x1) {
            at.x = within.x0;
            at.y++;
        }
        if (at.y >= within.y1)
            return LC_OK;
    }
}

// Engines beside each other -----------------------------------------------------------------------

void lc_engine_trial_drop(lc_engine_trial *l)
{
    if (l->is_parked)
        l->parked.vtable->destroy(l->parked.engine);
    l->is_parked = false;
}

// A block that is not in hand, or no longer: HashLife is parked if it is small.
static void put_away(lc_one_block *s, lc_engine_trial *l, lc_block *block)
{
    const lc_engine_vtable *const v = block->vtable;
    const uint64_t most =
        lc_least_u64(most_parked_bytes, lc_one_block_limit_bytes(&s->base) / parked_share);
    l->is_parked = v->tree != NULL && v->plane->held_bytes(block->engine) <= most &&
                   v->tree->set_root(block->engine, 0, LC_LEAF_LOG2, NULL) == LC_OK;
    if (l->is_parked)
        l->parked = *block;
    else
        v->destroy(block->engine);
}

// Memory is the universe's first.
static void make_room(lc_one_block *s, lc_engine_trial *l)
{
    if (!l->is_parked)
        return;
    const uint64_t parked = l->parked.vtable->plane->held_bytes(l->parked.engine);
    const uint64_t held = s->block.vtable->plane->held_bytes(s->block.engine);
    if (held + 2 * parked > lc_one_block_limit_bytes(&s->base))
        lc_engine_trial_drop(l);
}

// The universe with another engine, beside the present one and in what that leaves of the memory.
// The watch may end its making if it is a trial.
static lc_status make(lc_one_block *s, lc_engine_trial *l, const lc_engine_vtable *engine,
                      uint64_t ns, lc_block *out, lc_message *message)
{
    lc_cover_options *asked = &s->base.asked;
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
        const lc_engine_vtable *const before = asked->engine;
        const lc_engine_watch *const own = asked->watch;
        const uint64_t kept_free = s->kept_free_bytes;
        asked->engine = engine;
        asked->watch = &w->watch;
        s->kept_free_bytes = held;
        status = lc_one_block_make(s, (lc_area){0}, out, message);
        asked->engine = before;
        asked->watch = own;
        s->kept_free_bytes = kept_free;
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

// Lets an engine make what it can until its watch ends it, which may ask for that less often than
// it makes passes. *ns: what a generation of its best pass took.
static void run(const lc_block *block, lc_trial_watch *w, uint64_t left, uint64_t *made, double *ns)
{
    uint64_t pass = block->vtable == &lc_engine_hashlife ? FIRST_JUMP : FIRST_PASS;
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

static void begin_count(lc_engine_trial *l)
{
    l->made = l->busy_ns = 0;
    l->trial_ns *= 2;
}

// The other engine goes on if it is faster than the one in hand has lately been.
static lc_status try_other(lc_one_block *s, lc_engine_trial *l, uint64_t left, uint64_t *done,
                           lc_message *message)
{
    const lc_engine_vtable *const other =
        lc_is_hashlife(s) ? &lc_engine_sparse : &lc_engine_hashlife;
    const double faster = lc_is_hashlife(s) ? sparse_faster : hashlife_faster;
    const uint64_t share_ns = (uint64_t)(share * (double)l->busy_ns);
    const uint64_t part_ns = share_ns > least_trial_ns ? share_ns : least_trial_ns;
    if (!lc_is_hashlife(s))
        l->ns = (double)l->busy_ns / (double)l->made;
    begin_count(l);
    lc_block block;
    lc_trial_watch *w = watch_of(l, other);
    if (make(s, l, other, part_ns, &block, NULL) != LC_OK)
        return w->own_stops ? stopped(message) : LC_OK;
    uint64_t made;
    double ns = 0;
    begin_watch(s, w, part_ns);
    run(&block, w, left, &made, &ns);
    if (w->own_stops || made == 0 || (l->ns != 0 && ns * faster > l->ns) ||
        (lc_is_hashlife(s) && (double)l->jumped_ns < patience * ns * (double)left)) {
        put_away(s, l, &block);
        return w->own_stops ? stopped(message) : LC_OK;
    }
    w->until_ns = UINT64_MAX;
    if (l->ns != 0)
        lc_fail(&s->reason, LC_OK, "%.1f times as fast as \"%s\" in a trial", l->ns / ns,
                s->block.vtable->name);
    replace(s, l, &block);
    l->ns = ns;
    l->pass = FIRST_JUMP;
    l->jumped_ns = 0;
    *done = made;
    return LC_OK;
}

static bool can_leap(const lc_one_block *s)
{
    return s->base.free_x && s->base.free_y && !s->takes_turns &&
           !lc_rule_traits(s->rule)->has_b0 && lc_engine_steps(&lc_engine_hashlife, s->rule);
}

static void count(lc_engine_trial *l, uint64_t made, uint64_t took_ns)
{
    if (l->trial_ns == 0)
        l->trial_ns = first_trial_ns;
    l->made += made;
    l->busy_ns += took_ns;
}

lc_status lc_engine_trial_run(lc_one_block *s, lc_engine_trial *l, uint64_t made, uint64_t took_ns,
                              uint64_t left, uint64_t *done, lc_message *message)
{
    *done = 0;
    make_room(s, l);
    count(l, made, took_ns);
    if (l->busy_ns < l->trial_ns || left < SHORT_STEP || !can_leap(s))
        return LC_OK;
    // What is left must be worth a trial.
    const double ns = (double)l->busy_ns / (double)l->made;
    return ns * (double)left < share * (double)l->busy_ns ? LC_OK
                                                          : try_other(s, l, left, done, message);
}

// Leaping -----------------------------------------------------------------------------------------

void lc_engine_trial_start_hashlife(lc_one_block *s, lc_engine_trial *l, uint64_t generations)
{
    lc_facts facts;
    lc_block block;
    l->of_sparse.own_stops = false; // it has stopped the step before
    if (l->has_begun || generations < LONG_RUN || !can_leap(s))
        return;
    l->has_begun = true;
    if (lc_one_block_facts(&s->base, LC_FACT_POPULATION, &facts, NULL) != LC_OK ||
        lc_count_compare(facts.population, lc_count_of(FEW_CELLS)) > 0)
        return;
    if (make(s, l, &lc_engine_hashlife, UINT64_MAX, &block, NULL) != LC_OK)
        return;
    replace(s, l, &block);
    l->made = l->busy_ns = 0;
    l->trial_ns = first_hashlife_trial_ns;
    l->pass = FIRST_JUMP;
    lc_fail(&s->reason, LC_OK, "long runs start with HashLife");
}

// The sparse engine takes over, if its cells are copied before the watch ends that.
static lc_status turn_back(lc_one_block *s, lc_engine_trial *l, uint64_t ns, const char *reason)
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

// A leap, until it is time for a trial: if it is not over by then it goes on later with what it has
// found out by now. Each is twice as long as the one before while that takes no time.
static lc_status leap(lc_one_block *s, lc_engine_trial *l, uint64_t generations, uint64_t *done,
                      lc_message *message)
{
    lc_trial_watch *w = &l->of_hashlife;
    const uint64_t begin_ns = lc_clock_ns();
    begin_watch(s, w, l->trial_ns > l->busy_ns ? l->trial_ns - l->busy_ns : 0);
    lc_status status =
        lc_one_block_advance(&s->base, lc_least_u64(generations, l->pass), done, message);
    if (status == LC_ERROR_STOPPED && !w->own_stops)
        status = LC_OK;
    begin_watch(s, w, UINT64_MAX); // longer leaps (lc_self_covering_jump) have no trials
    if (status != LC_OK)
        return status;
    const uint64_t took_ns = lc_clock_ns() - begin_ns;
    count(l, *done, took_ns);
    l->jumped_ns += took_ns;
    if (*done < SHORT_STEP && *done < generations)
        return LC_OK;
    l->ns = (double)took_ns / (double)*done;
    if (took_ns < short_jump_ns && *done == l->pass && l->pass <= UINT64_MAX / 2)
        l->pass *= 2;
    return LC_OK;
}

lc_status lc_engine_trial_advance_hashlife(lc_one_block *s, lc_engine_trial *l,
                                           uint64_t generations, uint64_t *done,
                                           lc_message *message)
{
    *done = 0;
    while (*done == 0 && lc_is_hashlife(s)) {
        lc_status status = leap(s, l, generations, done, message);
        if (status == LC_ERROR_LIMIT || status == LC_ERROR_MEMORY)
            return turn_back(s, l, UINT64_MAX, "\"hashlife\" ran out of memory") == LC_OK ? LC_OK
                                                                                          : status;
        if (status != LC_OK || l->busy_ns < l->trial_ns)
            return status;
        uint64_t more = 0;
        if (generations < SHORT_STEP) {
            begin_count(l);
            l->has_begun =
                turn_back(s, l, l->trial_ns + first_hashlife_trial_ns, "steps are short") != LC_OK;
        } else {
            status = try_other(s, l, generations - *done, &more, message);
        }
        *done += more;
        if (status != LC_OK)
            return *done > 0 ? LC_OK : status;
    }
    return LC_OK;
}
