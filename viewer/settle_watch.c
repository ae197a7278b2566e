// Attempts to prove that the universe has settled, each on its own thread.
#include "settle_watch.h"

#include "lightcone/object.h"
#include "now.h"

enum { CELLS_MAX = 100000, SHARE = 30 };

// Time limit of an attempt; shortest time between two.
static const uint64_t attempt_ns = 500000000, between_ns = 500000000;
// Larger universes are not copied.
static const uint64_t largest_bytes = (uint64_t)64 << 20;

void lc_settled_create(lc_settled *settled, lc_hub *hub)
{
    *settled = (lc_settled){.hub = hub};
}

// ---- an attempt, on its own thread --------------------------------------------------------------

static bool gives_up(void *context)
{
    const lc_settled *s = context;
    return atomic_load(&s->stop) || lc_view_now_ns() - s->began_ns > attempt_ns;
}

static uint64_t count_ships(const lc_identity *identity)
{
    size_t count;
    uint64_t ships = 0;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    for (size_t i = 0; i < count; i++)
        if (objects[i].kind == LC_IDENTITY_SPACESHIP)
            ships += objects[i].count;
    return ships;
}

// Writes the facts of cells that have settled or will settle. `now` is their generation.
static bool read_facts(lc_settled_facts *facts, const lc_identity *identity, lc_count now)
{
    const lc_identity_facts *found = lc_identity_get_facts(identity);
    const lc_identity_kind kind = found->kind;
    if (kind != LC_IDENTITY_DIES && kind != LC_IDENTITY_STILL_LIFE &&
        kind != LC_IDENTITY_OSCILLATOR && kind != LC_IDENTITY_SPACESHIP &&
        kind != LC_IDENTITY_SETTLES)
        return false;
    *facts = (lc_settled_facts){.is_dead = kind == LC_IDENTITY_DIES,
                                .period = found->period,
                                .ships = count_ships(identity)};
    return lc_count_add(now, lc_count_of(found->settles), &facts->from);
}

static void *attempt(void *context)
{
    lc_settled *s = context;
    lc_identity *identity = NULL;
    lc_universe *universe;
    lc_set_give_up(gives_up, s);
    if (lc_cell_copy_restore(&universe, &s->copy, NULL) == LC_OK &&
        lc_identify(&identity, universe, NULL, NULL) == LC_OK)
        s->found = read_facts(&s->found_facts, identity, s->tried);
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
    atomic_store(&s->over, true);
    lc_hub_attract(s->hub);
    return NULL;
}

// ---- on the universe's thread -------------------------------------------------------------------

static void join(lc_settled *s)
{
    if (s->started)
        pthread_join(s->thread, NULL);
    s->started = false;
}

// Clears everything if the cells were edited or replaced. A running attempt is stopped, and its
// result not used.
static void forget_if_changed(lc_settled *s, const lc_session *session)
{
    if (s->edits == session->edits_made)
        return;
    s->edits = session->edits_made;
    s->sample_count = 0;
    s->is_known = s->has_tried = s->is_due = false;
    atomic_store(&s->stop, true);
}

// Takes the result of a finished attempt.
static void take_result(lc_settled *s, uint64_t now_ns)
{
    if (!s->started || !atomic_load(&s->over))
        return;
    join(s);
    s->next_ns = now_ns + between_ns + (now_ns - s->began_ns) * SHARE;
    if (!s->found || s->attempt_edits != s->edits)
        return;
    s->facts = s->found_facts;
    s->is_known = true;
}

static void add_sample(lc_settled *s, lc_count population)
{
    uint64_t value;
    if (!lc_count_to_u64(population, &value))
        value = UINT64_MAX;
    s->samples[s->sample_count++ % LC_SETTLED_SAMPLES] = value;
}

// Returns whether the newer half of the samples lies between the minimum and the maximum of the
// older half.
static bool is_steady(const lc_settled *s)
{
    const uint64_t half = LC_SETTLED_SAMPLES / 2;
    uint64_t least = UINT64_MAX, greatest = 0;
    if (s->sample_count < LC_SETTLED_SAMPLES)
        return false;
    for (uint64_t i = s->sample_count; i < s->sample_count + half; i++) {
        const uint64_t sample = s->samples[i % LC_SETTLED_SAMPLES];
        least = sample < least ? sample : least;
        greatest = sample > greatest ? sample : greatest;
    }
    for (uint64_t i = s->sample_count + half; i < s->sample_count + 2 * half; i++) {
        const uint64_t sample = s->samples[i % LC_SETTLED_SAMPLES];
        if (sample < least || sample > greatest)
            return false;
    }
    return true;
}

// Returns whether an attempt is useful, as soon as it may begin.
static bool is_wanted(const lc_settled *s, const lc_session *session, bool rests)
{
    const lc_count now = lc_universe_generation(session->universe);
    if (s->is_known || s->started || session->at_origin || s->sample_count == 0 ||
        !lc_cell_copy_is_quick(session, largest_bytes) ||
        s->samples[(s->sample_count - 1) % LC_SETTLED_SAMPLES] > CELLS_MAX)
        return false;
    return rests ? !s->has_tried || lc_count_compare(s->tried, now) != 0 : is_steady(s);
}

bool lc_settled_note(lc_settled *s, const lc_session *session, bool counted, lc_count population,
                     bool rests, uint64_t now_ns)
{
    const lc_settled_facts *before = lc_settled_get(s, session);
    forget_if_changed(s, session);
    take_result(s, now_ns);
    if (counted)
        add_sample(s, population);
    const bool is_dead = counted && lc_count_compare(population, lc_count_of(0)) == 0;
    if (is_dead && !session->at_origin && !lc_session_makes_life(session) && !s->is_known) {
        s->is_known = true;
        s->facts = (lc_settled_facts){
            .from = lc_universe_generation(session->universe), .is_dead = true, .period = 1};
    }
    s->is_due = now_ns >= s->next_ns && is_wanted(s, session, rests);
    return (lc_settled_get(s, session) != NULL) != (before != NULL);
}

uint64_t lc_settled_next_ns(const lc_settled *s, const lc_session *session, bool rests)
{
    return rests && is_wanted(s, session, rests) ? s->next_ns : UINT64_MAX;
}

void lc_settled_begin(lc_settled *s, const lc_session *session, uint64_t now_ns)
{
    s->is_due = false;
    s->has_tried = true;
    s->tried = lc_universe_generation(session->universe);
    s->next_ns = now_ns + between_ns;
    if (lc_cell_copy_all(&s->copy, session, CELLS_MAX, NULL) != LC_OK)
        return;
    s->began_ns = now_ns;
    s->attempt_edits = s->edits;
    s->found = false;
    atomic_store(&s->over, false);
    atomic_store(&s->stop, false);
    s->started = pthread_create(&s->thread, NULL, attempt, s) == 0;
    if (!s->started)
        lc_cell_copy_free(&s->copy);
}

const lc_settled_facts *lc_settled_get(const lc_settled *s, const lc_session *session)
{
    return s->is_known && s->edits == session->edits_made && !session->at_origin &&
                   lc_count_compare(s->facts.from, lc_universe_generation(session->universe)) <= 0
               ? &s->facts
               : NULL;
}

void lc_settled_close(lc_settled *s)
{
    atomic_store(&s->stop, true);
    join(s);
}
