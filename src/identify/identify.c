// See lightcone/object.h. Derives the kind of a pattern from its observed generations.
#include "lightcone/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/structure.h"
#include "identify/emission.h"
#include "identify/oscillation.h"
#include "identify/stretch.h"
#include "identify/track.h"
#include "object/names.h"
#include "universe/universe_live.h"

enum {
    PERIODS_ENOUGH = 64, // of growth that is not proved, after which it is reported
    LIMIT_SHIPS = 64,    // period of spaceships that are found beside a wick
};

struct lc_identity {
    lc_identity_facts facts;
    lc_object *objects;
    size_t object_count, object_room;
};

const char *lc_identity_kind_name(lc_identity_kind kind)
{
    static const char *const names[] = {
        [LC_IDENTITY_UNDECIDED] = "undecided",
        [LC_IDENTITY_DIES] = "dies",
        [LC_IDENTITY_STILL_LIFE] = "still life",
        [LC_IDENTITY_OSCILLATOR] = "oscillator",
        [LC_IDENTITY_SPACESHIP] = "spaceship",
        [LC_IDENTITY_SETTLES] = "settles",
        [LC_IDENTITY_GUN] = "gun",
        [LC_IDENTITY_PUFFER] = "puffer",
        [LC_IDENTITY_RAKE] = "rake",
        [LC_IDENTITY_LINEAR] = "linear growth",
        [LC_IDENTITY_QUADRATIC] = "quadratic growth",
        [LC_IDENTITY_STRETCHER] = "wickstretcher",
        [LC_IDENTITY_REPLICATOR] = "replicator",
    };
    const bool is_kind = kind >= 0 && (size_t)kind < sizeof names / sizeof *names;
    return names[is_kind ? kind : LC_IDENTITY_UNDECIDED];
}

void lc_identity_destroy(lc_identity **identity)
{
    if (identity == NULL || *identity == NULL)
        return;
    for (size_t i = 0; i < (*identity)->object_count; i++)
        lc_free((char *)(*identity)->objects[i].code);
    lc_free((*identity)->objects);
    lc_free(*identity);
    *identity = NULL;
}

const lc_identity_facts *lc_identity_get_facts(const lc_identity *identity)
{
    return &identity->facts;
}

const lc_object *lc_identity_get_objects(const lc_identity *identity, size_t *count)
{
    *count = identity->object_count;
    return identity->objects;
}

// ---- objects ------------------------------------------------------------------------------------

static lc_identity_kind kind_of(uint64_t period, int64_t dx, int64_t dy)
{
    if (dx != 0 || dy != 0)
        return LC_IDENTITY_SPACESHIP;
    return period == 1 ? LC_IDENTITY_STILL_LIFE : LC_IDENTITY_OSCILLATOR;
}

// Returns whether an object of the list is the same, in any orientation and phase. Objects that are
// too large for a code are compared by period and population.
static bool is_object(const lc_object *object, const lc_fate *fate)
{
    if (fate->code != NULL || object->code[0] != '\0')
        return fate->code != NULL && strcmp(object->code, fate->code) == 0;
    return object->period == fate->period && object->population_min == fate->cells_min &&
           object->population_max == fate->cells_max;
}

static bool add_object(lc_identity *identity, const lc_fate *fate, uint64_t count)
{
    for (size_t i = 0; i < identity->object_count; i++) {
        if (is_object(&identity->objects[i], fate)) {
            identity->objects[i].count += count;
            return true;
        }
    }
    const char *from = fate->code != NULL ? fate->code : "";
    char *code = NULL;
    if (lc_grow(&identity->objects, &identity->object_room, identity->object_count + 1,
                sizeof *identity->objects))
        code = lc_malloc(strlen(from) + 1);
    if (code == NULL)
        return false;
    const int64_t x = lc_magnitude(fate->dx), y = lc_magnitude(fate->dy);
    identity->objects[identity->object_count++] = (lc_object){
        .code = strcpy(code, from),
        .name = lc_object_name(code),
        .kind = kind_of(fate->period, fate->dx, fate->dy),
        .count = count,
        .period = fate->period,
        .dx = x > y ? x : y,
        .dy = x > y ? y : x,
        .population_min = fate->cells_min,
        .population_max = fate->cells_max,
    };
    return true;
}

static int compare_objects(const void *a, const void *b)
{
    const lc_object *one = a, *other = b;
    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return strcmp(one->code, other->code);
}

static void sort_objects(lc_identity *identity)
{
    if (identity->object_count != 0)
        qsort(identity->objects, identity->object_count, sizeof *identity->objects,
              compare_objects);
}

static lc_status add_objects(lc_identity *identity, const lc_objects *objects, lc_message *message)
{
    for (size_t i = 0; i < objects->count; i++)
        if (!add_object(identity, objects->at[i].fate, 1))
            return lc_fail_memory(message, "a list of objects");
    sort_objects(identity);
    return LC_OK;
}

// ---- observations -------------------------------------------------------------------------------

static void find_populations(const lc_track *t, lc_identity_facts *facts)
{
    facts->population_min = UINT64_MAX;
    for (uint64_t i = 0; i < t->period; i++) {
        const uint64_t population = t->history[t->settles + i].population;
        if (population < facts->population_min)
            facts->population_min = population;
        if (population > facts->population_max)
            facts->population_max = population;
    }
}

// Adds the objects of a pattern that repeats itself. If its parts seldom meet, they may be taken
// for separate objects. Then the fate of the whole gives the objects.
static lc_status find_objects(lc_identity *identity, lc_track *t, lc_message *message)
{
    const lc_fate *whole = NULL;
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    if (status != LC_OK)
        return status;
    status = lc_objects_find(&t->objects, &t->fates, &t->live, t->period);
    if (status == LC_OK && t->objects.active.count == 0 && !lc_objects_will_meet(&t->objects))
        return add_objects(identity, &t->objects, message);
    if (status == LC_OK)
        status = lc_fate_find(&whole, &t->fates, &t->live, t->period);
    for (size_t i = 0; status == LC_OK && i < whole->part_count; i++)
        if (!add_object(identity, whole->parts[i].fate, 1))
            status = LC_ERROR_MEMORY;
    if (status == LC_OK && whole->period != 0 && whole->part_count == 0 &&
        !add_object(identity, whole, 1))
        status = LC_ERROR_MEMORY;
    sort_objects(identity);
    return status == LC_ERROR_MEMORY  ? lc_fail_memory(message, "objects")
           : status == LC_ERROR_LIMIT ? LC_OK
                                      : status;
}

static lc_status add_board_objects(lc_identity *identity, const lc_track *t, lc_message *message)
{
    const lc_status status = add_objects(identity, &t->objects, message);
    for (size_t i = 0; i < identity->object_count; i++)
        identity->objects[i].count /= t->sheets;
    return status;
}

// Of a pattern that repeats itself.
static lc_status describe_repeats(lc_identity *identity, lc_track *t, lc_message *message)
{
    lc_identity_facts *facts = &identity->facts;
    lc_status status = LC_OK;
    facts->dx = t->dx;
    facts->dy = t->dy;
    facts->returns_after = t->returns_after;
    find_populations(t, facts);
    facts->kind = facts->population_max == 0 ? LC_IDENTITY_DIES
                  : t->settles != 0          ? LC_IDENTITY_SETTLES
                                             : kind_of(t->period, t->dx, t->dy);
    if (facts->kind == LC_IDENTITY_DIES)
        return LC_OK;
    if (t->is_free)
        status = find_objects(identity, t, message);
    else if (t->has_objects)
        status = add_board_objects(identity, t, message);
    if (status == LC_OK && facts->kind == LC_IDENTITY_OSCILLATOR)
        status = lc_measure_oscillation(t, facts, message);
    return status;
}

// ---- growth -------------------------------------------------------------------------------------

// Why a pattern grows for ever, if that was proved.
typedef struct growth {
    lc_emission emission;
    lc_stretch stretch;
} growth;

static bool is_proved(const growth *g)
{
    return g->emission.period != 0 || g->stretch.found;
}

// Looks for spaceships among the cells: a wick has none.
static lc_status find_ships(lc_stretch *stretch, lc_track *t, lc_message *message)
{
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    if (status == LC_OK)
        status = lc_objects_find(&t->objects, &t->fates, &t->live, LIMIT_SHIPS);
    for (size_t i = 0; i < t->objects.count && status == LC_OK; i++)
        stretch->has_ships |= lc_fate_moves(t->objects.at[i].fate);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

// Runs the pattern to its end. Growth that cannot be proved is observed for longer.
static lc_status find_end(lc_track *t, growth *g, lc_message *message)
{
    lc_status status = lc_track_run(t, message);
    while (status == LC_OK && t->end == LC_END_GROWS && !t->is_over) {
        status = lc_find_emission(&g->emission, t, message);
        if (status == LC_OK && g->emission.period == 0)
            status = lc_find_stretch(&g->stretch, t, message);
        if (status == LC_OK && is_proved(g))
            status = lc_track_find_begin(t, g->stretch.found ? g->stretch.start : g->emission.start,
                                         message);
        if (status == LC_OK && g->stretch.found)
            status = find_ships(&g->stretch, t, message);
        if (status == LC_OK && g->stretch.found && g->stretch.back_dx == 0 &&
            g->stretch.back_dy == 0)
            status = lc_find_left_behind(&g->emission, t, g->stretch.dx, g->stretch.dy, message);
        if (status != LC_OK || is_proved(g) || t->periods_seen >= PERIODS_ENOUGH)
            break;
        status = lc_track_run(t, message);
    }
    return status;
}

// Describes what engines emit in each period.
static lc_status describe_emission(lc_identity *identity, const lc_track *t,
                                   const lc_emission *emission, lc_message *message)
{
    lc_identity_facts *facts = &identity->facts;
    bool ships = false, rests = false;
    for (size_t i = 0; i < emission->emitted.count; i++) {
        const lc_fate *fate = emission->emitted.at[i].fate;
        ships |= lc_fate_moves(fate);
        rests |= !lc_fate_moves(fate);
    }
    facts->growth = t->growth * (int64_t)emission->period / (int64_t)t->period;
    facts->periods_seen = t->periods_seen * t->period / emission->period;
    facts->period = emission->period;
    facts->dx = emission->dx;
    facts->dy = emission->dy;
    if (emission->moves)
        facts->kind = rests ? LC_IDENTITY_PUFFER : LC_IDENTITY_RAKE;
    else if (ships && !rests)
        facts->kind = LC_IDENTITY_GUN;
    return add_objects(identity, &emission->emitted, message);
}

static lc_status describe_growth(lc_identity *identity, lc_track *t, const growth *g,
                                 lc_message *message)
{
    lc_identity_facts *facts = &identity->facts;
    facts->growth = t->growth;
    facts->periods_seen = t->periods_seen;
    facts->proved = is_proved(g);
    facts->kind = t->end == LC_END_GROWS ? LC_IDENTITY_LINEAR : LC_IDENTITY_QUADRATIC;
    if (g->emission.period != 0)
        return describe_emission(identity, t, &g->emission, message);
    if (g->stretch.found) {
        facts->dx = g->stretch.dx;
        facts->dy = g->stretch.dy;
        // The other end may follow, more slowly, if the wick burns down.
        if (!g->stretch.has_ships && facts->dx * g->stretch.back_dx >= 0 &&
            facts->dy * g->stretch.back_dy >= 0)
            facts->kind = LC_IDENTITY_STRETCHER;
    }
    return LC_OK;
}

// Of a pattern that settles.
static lc_status describe_objects(lc_identity *identity, lc_track *t, lc_message *message)
{
    lc_identity_facts *facts = &identity->facts;
    facts->kind = t->objects.count == 0 ? LC_IDENTITY_DIES : LC_IDENTITY_SETTLES;
    facts->population_min = t->population_min;
    facts->population_max = t->population_max;
    (void)lc_objects_move_alike(&t->objects, &facts->dx, &facts->dy);
    return add_objects(identity, &t->objects, message);
}

static lc_status describe(lc_identity *identity, lc_track *t, const growth *g, lc_message *message)
{
    lc_identity_facts *facts = &identity->facts;
    if (t->end == LC_END_LIMIT)
        return LC_OK;
    facts->settles = t->settles;
    facts->period = t->period;
    facts->population = t->history != NULL ? t->history[t->settles].population : t->population;
    if (t->end == LC_END_REPEATS)
        return describe_repeats(identity, t, message);
    if (t->end == LC_END_SETTLES)
        return describe_objects(identity, t, message);
    if (t->end == LC_END_COPIES) {
        facts->kind = LC_IDENTITY_REPLICATOR;
        facts->copies = t->copies;
        return LC_OK;
    }
    return describe_growth(identity, t, g, message);
}

lc_status lc_identify(lc_identity **out, lc_universe *universe, const lc_identify_options *options,
                      lc_message *message)
{
    lc_identify_options limits = {.struct_bytes = sizeof limits};
    lc_track track = {0};
    growth g = {0};
    *out = NULL;
    lc_status status = lc_universe_failure(universe, message);
    if (status == LC_OK && options != NULL)
        status = lc_structure_take(&limits, sizeof limits, options, "lc_identify_options", message);
    if (status == LC_OK)
        status = lc_track_init(&track, universe, &limits, message);
    if (status != LC_OK)
        return status;
    lc_identity *identity = lc_calloc(1, sizeof *identity);
    status =
        identity != NULL ? find_end(&track, &g, message) : lc_fail_memory(message, "an identity");
    if (status == LC_OK)
        status = describe(identity, &track, &g, message);
    if (status == LC_OK)
        identity->facts.generations = track.now;
    lc_emission_free(&g.emission);
    lc_track_free(&track);
    if (status != LC_OK)
        lc_identity_destroy(&identity);
    *out = identity;
    return status;
}
