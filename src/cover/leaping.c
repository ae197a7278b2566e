// See leaping.h.
#include "cover/leaping.h"

#include "base/clock.h"
#include "base/error.h"

static const uint64_t first_trial_ns = 500000000; // of work
static const uint64_t worth_ns = 3000000000;      // of work to come
static const uint64_t least_trial_ns = 250000000;
static const uint64_t looked_at_ns = 2000000000; // of leaps, after which they are judged
static const double share = 0.25; // of the work done, that a trial may take besides copying
static const double faster = 2, slower = 1.5; // times, that make it change

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
                                .planes = 1,
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
static lc_status copy_all(lc_single *s, const lc_block *to, const lc_engine_watch *watch,
                          lc_message *message)
{
    enum { PIECES = 64 }; // between two looks at the watch
    int pieces = 0;
    lc_facts facts;
    const lc_block *from = &s->block;
    lc_status status = lc_single_facts(&s->base, LC_FACT_BOX, &facts, message);
    if (status != LC_OK || facts.box.empty)
        return status;
    if (facts.is_far)
        return lc_refuse_end_of_world(message);
    const int64_t end = facts.box.x + facts.box.width_cells;
    lc_cells at = {.x = facts.box.x, .y = facts.box.y, .height_cells = 1};
    for (;;) {
        status = from->vtable->seek(from->engine, &facts.box, &at, message);
        if (status != LC_OK || at.width_cells == 0)
            return status;
        status = copy_row(from, to, &at, message);
        if (status != LC_OK)
            return status;
        if (watch != NULL && ++pieces % PIECES == 0 && watch->call(watch->context))
            return lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch");
        at.x += at.width_cells;
        if (at.x >= end) {
            at.x = facts.box.x;
            at.y++;
        }
        if (at.y >= facts.box.y + facts.box.height_cells)
            return LC_OK;
    }
}

// The universe with another engine, beside the present one and in what that leaves of the memory.
// If it is a trial, its watch may end it.
static lc_status make(lc_single *s, const lc_engine_vtable *engine, const lc_engine_watch *watch,
                      bool is_trial, lc_block *out, lc_message *message)
{
    lc_cover_options *asked = &s->base.asked;
    const lc_engine_vtable *const before = asked->engine;
    const lc_engine_watch *const own = asked->watch;
    const uint64_t kept_free = s->kept_free_bytes;
    asked->engine = engine;
    asked->watch = watch;
    s->kept_free_bytes = s->block.vtable->held_bytes(s->block.engine);
    lc_status status = lc_single_make(s, (lc_area){0}, out, message);
    asked->engine = before;
    asked->watch = own;
    s->kept_free_bytes = kept_free;
    if (status != LC_OK)
        return status;
    status = copy_all(s, out, is_trial ? watch : NULL, message);
    if (status != LC_OK)
        out->vtable->destroy(out->engine);
    return status;
}

static void replace(lc_single *s, const lc_block *block)
{
    s->block.vtable->destroy(s->block.engine);
    s->block = *block;
    s->base.asked.engine = block->vtable;
    s->base.changes++;
}

// A trial -----------------------------------------------------------------------------------------

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

static const lc_engine_watch *begin_watch(lc_single *s, lc_trial_watch *w, uint64_t trial_ns)
{
    const uint64_t now_ns = lc_clock_ns();
    *w = (lc_trial_watch){.watch = {.call = is_over, .context = w, .interval_ns = 1000000},
                          .own = s->base.asked.watch,
                          .until_ns = now_ns + trial_ns,
                          .asked_ns = now_ns};
    return &w->watch;
}

// Lets an engine make what it can until the watch ends it. *ns: what a generation of its best pass
// took: it begins with small ones, and ends with what is left.
static void run(const lc_block *block, uint64_t left, uint64_t *made, double *ns)
{
    *made = 0;
    while (*made < left) {
        uint64_t done;
        const uint64_t begin_ns = lc_clock_ns();
        if (block->vtable->step(block->engine, left - *made, &done, NULL) != LC_OK)
            return;
        const double pass_ns = (double)(lc_clock_ns() - begin_ns) / (double)done;
        *ns = *made == 0 || pass_ns < *ns ? pass_ns : *ns;
        *made += done;
    }
}

lc_status lc_leaping_try(lc_single *s, lc_leaping *l, double ns, uint64_t took_ns, uint64_t left,
                         uint64_t *done, lc_message *message)
{
    lc_block block;
    const lc_cover *cover = &s->base;
    *done = 0;
    l->busy_ns += took_ns;
    if (l->trial_ns == 0)
        l->trial_ns = first_trial_ns;
    if (!cover->free_x || !cover->free_y || s->takes_turns || lc_rule_next(&s->rule, 0) ||
        !lc_engine_steps(&lc_engine_hashlife, &s->rule) || l->busy_ns < l->trial_ns ||
        ns * (double)left < (double)worth_ns)
        return LC_OK;
    const uint64_t busy_ns = l->busy_ns, part_ns = (uint64_t)(share * (double)busy_ns);
    l->busy_ns = 0;
    l->trial_ns *= 4;
    const lc_engine_watch *watch = begin_watch(s, &l->watch, busy_ns); // for copying
    if (make(s, &lc_engine_hashlife, watch, true, &block, NULL) != LC_OK)
        return l->watch.own_stops ? lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch")
                                  : LC_OK;
    double leap_ns = ns;
    uint64_t made;
    l->watch.until_ns = lc_clock_ns() + (part_ns > least_trial_ns ? part_ns : least_trial_ns);
    run(&block, left, &made, &leap_ns);
    if (l->watch.own_stops || made == 0 || leap_ns * faster > ns) {
        block.vtable->destroy(block.engine);
        return l->watch.own_stops ? lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch")
                                  : LC_OK;
    }
    l->watch.until_ns = UINT64_MAX;
    l->sparse_ns = ns;
    l->leapt = l->leapt_ns = 0;
    replace(s, &block);
    *done = made;
    return LC_OK;
}

// Leaping -----------------------------------------------------------------------------------------

static lc_status turn_back(lc_single *s, lc_message *message)
{
    lc_block block;
    const lc_status status =
        make(s, &lc_engine_sparse, s->base.asked.watch, false, &block, message);
    if (status == LC_OK)
        replace(s, &block);
    return status;
}

lc_status lc_leaping_advance(lc_single *s, lc_leaping *l, uint64_t generations, uint64_t *done,
                             lc_message *message)
{
    const uint64_t begin_ns = lc_clock_ns();
    l->watch.own = s->base.asked.watch;
    l->watch.own_stops = false;
    const lc_status status = lc_single_advance(&s->base, generations, done, message);
    if (status == LC_ERROR_LIMIT || status == LC_ERROR_MEMORY)
        return turn_back(s, NULL) == LC_OK ? lc_single_advance(&s->base, generations, done, message)
                                           : status;
    if (status != LC_OK)
        return status;
    l->leapt += *done;
    l->leapt_ns += lc_clock_ns() - begin_ns;
    if (l->leapt_ns < looked_at_ns)
        return LC_OK;
    if ((double)l->leapt_ns > slower * l->sparse_ns * (double)l->leapt)
        (void)turn_back(s, NULL); // else it stays what it is
    l->leapt = l->leapt_ns = 0;
    return LC_OK;
}
