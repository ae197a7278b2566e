// See proof.h.
#include "identify/proof.h"

#include "base/error.h"
#include "base/memory.h"

enum {
    PASSES_MAX = 256,      // periods for which an engine is compared with objects near it
    COMPARISONS = 1 << 26, // of objects with an engine, in all generations together
    DELAYS_MAX = 64,       // periods after which objects at rest are no longer near later ones
    COMMON_MAX = 1 << 12,  // common period of objects at rest
};

// Objects that an engine may come near.
typedef struct pending {
    lc_part *at; // at their places in generation 0
    size_t count;
} pending;

// Adds an object, counted from generation 0, if the engine may come near it after `passes` periods.
// Until then they keep apart. If the object is then where it was, as seen from the engine, they
// always do, provided that they met in all their phases.
static void add_pending(pending *list, const lc_proof *p, const lc_emitter *e, lc_part part,
                        int64_t passes)
{
    const uint64_t seen = (uint64_t)passes * p->period;
    const uint64_t common = lc_common_period(part.fate->period, p->period);
    lc_strip strip = lc_strip_of(&part);
    const lc_wide x = strip.low[0], y = strip.low[1];
    lc_strip_shift(&strip, (int64_t)seen, passes * e->dx, passes * e->dy);
    if (common != 0 && common <= seen && strip.low[0] == x && strip.low[1] == y)
        return;
    if (lc_strips_will_meet(&e->strip, &strip, NULL, 0))
        list->at[list->count++] = part;
}

// Keeps those that the engine may still come near after `passes` periods. They were compared in the
// last period, in all phases of the objects.
static void keep_pending(const lc_proof *p, const lc_emitter *e, pending *list, int64_t passes)
{
    const size_t count = list->count;
    list->count = 0;
    for (size_t i = 0; i < count; i++) {
        lc_strip strip = lc_strip_of(&list->at[i]);
        const lc_wide x = strip.low[0], y = strip.low[1];
        lc_strip_shift(&strip, passes * (int64_t)p->period, passes * e->dx, passes * e->dy);
        if ((strip.low[0] != x || strip.low[1] != y) &&
            lc_strips_will_meet(&e->strip, &strip, NULL, 0))
            list->at[list->count++] = list->at[i];
    }
}

// Whether the engine, in its period number `pass`, keeps apart from the objects.
static lc_status compare_period(lc_proof *p, const lc_emitter *e, const pending *list, int64_t pass)
{
    lc_status status = lc_field_set(&p->field, &e->cells);
    for (uint64_t t = 0; t < p->period && status == LC_OK; t++) {
        for (size_t i = 0; i < list->count; i++) {
            lc_part part = list->at[i];
            part.x -= pass * e->dx;
            part.y -= pass * e->dy;
            if (lc_part_is_near(&part, &p->field, (uint64_t)pass * p->period + t))
                return LC_NOT_PROVED;
        }
        status = lc_check_give_up(NULL);
        if (status == LC_OK)
            status = lc_field_step(&p->field);
    }
    return status;
}

// Whether the engine keeps apart from the objects of generation 0 and from those that it emits.
static lc_status compare_with_objects(lc_proof *p, const lc_emitter *e)
{
    const uint64_t apart =
        p->objects->apart < e->emitted.apart ? p->objects->apart : e->emitted.apart;
    int64_t pass = (int64_t)(apart / p->period);
    pending list = {.at = lc_malloc((p->objects->count + e->emitted.count + 1) * sizeof *list.at)};
    lc_status status = list.at != NULL ? LC_OK : LC_ERROR_MEMORY;
    for (size_t i = 0; i < p->objects->count && status == LC_OK; i++)
        add_pending(&list, p, e, p->objects->at[i], pass);
    for (size_t i = 0; i < e->emitted.count && status == LC_OK; i++) {
        lc_part part = e->emitted.at[i]; // as if it had been emitted a period earlier
        part.x -= e->dx;
        part.y -= e->dy;
        add_pending(&list, p, e, part, pass);
    }
    uint64_t comparisons = 0;
    for (; list.count != 0 && status == LC_OK; pass++) {
        comparisons += list.count * p->period;
        status = pass < PASSES_MAX && comparisons <= COMPARISONS ? compare_period(p, e, &list, pass)
                                                                 : LC_NOT_PROVED;
        keep_pending(p, e, &list, pass + 1);
    }
    lc_free(list.at);
    return status;
}

// Whether an engine keeps apart from the other engines and from the objects that they emit.
static lc_status compare_with_engines(const lc_proof *p, const lc_emitter *e)
{
    lc_strip later = e->strip;
    lc_strip_shift(&later, (int64_t)p->period, 0, 0);
    for (size_t i = 0; i < p->count; i++) {
        const lc_emitter *other = &p->engines[i];
        if (other == e)
            continue;
        if (lc_strips_will_meet(&e->strip, &other->strip, NULL, 0))
            return LC_NOT_PROVED;
        const lc_strip_repeat repeat = {(int64_t)p->period, other->dx, other->dy};
        for (size_t k = 0; k < other->emitted.count; k++) {
            const lc_strip strip = lc_strip_of(&other->emitted.at[k]);
            if (lc_strips_will_meet(&later, &strip, &repeat, 1))
                return LC_NOT_PROVED;
        }
    }
    return LC_OK;
}

// Objects at rest may lie so close together that their strips meet, and still not affect each
// other. Object `b` is emitted again in each period. Returns the number of periods, from `first`
// on, after which `a` and the later ones are no longer near; 0: they never are; DELAYS_MAX: not
// known.
static int64_t periods_near(const lc_part *a, const lc_part *b, const lc_emitter *e, int64_t first)
{
    const lc_strip of_b = lc_strip_of(b);
    const lc_strip_repeat repeat = {0, e->dx, e->dy};
    for (int64_t i = first; i < DELAYS_MAX; i++) {
        lc_strip of_a = lc_strip_of(a);
        lc_strip_shift(&of_a, 0, i * e->dx, i * e->dy);
        if (!lc_strips_will_meet(&of_a, &of_b, &repeat, 1))
            return i == first ? 0 : i;
    }
    return DELAYS_MAX;
}

static bool are_at_rest(const lc_part *a, const lc_part *b)
{
    return !lc_fate_moves(a->fate) && !lc_fate_moves(b->fate);
}

// Keeps an object that is near others; once.
static lc_status add_near(lc_objects *near, const lc_part *object)
{
    const lc_objects one = {.at = (lc_part *)object, .count = 1};
    for (size_t i = 0; i < near->count; i++)
        if (near->at[i].fate == object->fate && near->at[i].x == object->x &&
            near->at[i].y == object->y)
            return LC_OK;
    return lc_objects_add_all(near, &one) ? LC_OK : LC_ERROR_MEMORY;
}

// Whether an object of generation 0 keeps apart from those that engine `e` emits. Objects at rest
// that come near are kept, to be compared later.
static lc_status compare_object(lc_proof *p, const lc_part *object, const lc_part *other,
                                const lc_emitter *e)
{
    if (are_at_rest(object, other)) {
        const int64_t near = periods_near(object, other, e, 0);
        p->periods_near = near > p->periods_near ? near : p->periods_near;
        if (near == DELAYS_MAX)
            return LC_NOT_PROVED;
        return near != 0 ? add_near(&p->near, object) : LC_OK;
    }
    lc_strip of_object = lc_strip_of(object);
    const lc_strip of_other = lc_strip_of(other);
    const lc_strip_repeat repeat = {(int64_t)p->period, e->dx, e->dy};
    lc_strip_shift(&of_object, (int64_t)p->period, 0, 0);
    return lc_strips_will_meet(&of_object, &of_other, &repeat, 1) ? LC_NOT_PROVED : LC_OK;
}

// Whether an emitted object keeps apart from those that engine `e` emits in the same period or
// later.
static lc_status compare_later(lc_proof *p, const lc_emitter *from, const lc_part *object,
                               const lc_emitter *e, const lc_part *other)
{
    const int64_t period = (int64_t)p->period;
    if (from == e && are_at_rest(object, other)) {
        const int64_t near = periods_near(object, other, e, 1);
        p->periods_near = near > p->periods_near ? near : p->periods_near;
        return near < DELAYS_MAX ? LC_OK : LC_NOT_PROVED;
    }
    lc_strip of_object = lc_strip_of(object);
    const lc_strip of_other = lc_strip_of(other);
    const lc_strip_repeat repeats[] = {{period, e->dx, e->dy},
                                       {0, e->dx - from->dx, e->dy - from->dy}};
    if (from == e) // those of the same period were compared
        lc_strip_shift(&of_object, period, e->dx, e->dy);
    return lc_strips_will_meet(&of_object, &of_other, repeats, from == e ? 1 : 2) ? LC_NOT_PROVED
                                                                                  : LC_OK;
}

// Whether the objects that an engine emits keep apart from all objects.
static lc_status compare_emitted(lc_proof *p, const lc_emitter *e)
{
    lc_status status = LC_OK;
    for (size_t k = 0; k < e->emitted.count; k++) {
        const lc_part *other = &e->emitted.at[k];
        for (size_t i = 0; i < p->objects->count && status == LC_OK; i++)
            status = compare_object(p, &p->objects->at[i], other, e);
        for (size_t n = 0; n < p->count; n++) {
            const lc_emitter *from = &p->engines[n];
            for (size_t i = 0; i < from->emitted.count && status == LC_OK; i++)
                status = compare_later(p, from, &from->emitted.at[i], e, other);
        }
    }
    return status;
}

// ---- objects at rest that are near each other ---------------------------------------------------

// Appends the cells of the objects at rest, `generations` later, moved by (dx, dy). Sets *common to
// the least common multiple of it and of their periods.
static lc_status add_resting(lc_proof *p, lc_live *to, const lc_objects *objects,
                             uint64_t generations, int64_t dx, int64_t dy, uint64_t *common)
{
    lc_status status = LC_OK;
    for (size_t i = 0; i < objects->count && status == LC_OK; i++) {
        const lc_part *part = &objects->at[i];
        if (lc_fate_moves(part->fate))
            continue;
        *common = lc_common_period(*common, part->fate->period);
        status = lc_field_set(&p->field, &part->fate->cells);
        for (uint64_t t = 0; t < generations % part->fate->period && status == LC_OK; t++)
            status = lc_field_step(&p->field);
        p->field.x += part->x + dx;
        p->field.y += part->y + dy;
        if (status == LC_OK && !lc_field_read(&p->field, to))
            status = LC_ERROR_MEMORY;
    }
    return status;
}

// Returns the hash of those objects that are at rest.
static lc_status hash_resting(const lc_objects *objects, int64_t generations, uint64_t *hash)
{
    lc_objects resting = {0};
    lc_status status = LC_OK;
    for (size_t i = 0; i < objects->count && status == LC_OK; i++) {
        const lc_objects one = {.at = &objects->at[i], .count = 1};
        if (!lc_fate_moves(objects->at[i].fate) && !lc_objects_add_all(&resting, &one))
            status = LC_ERROR_MEMORY;
    }
    *hash = lc_objects_hash(&resting, generations);
    lc_objects_free(&resting);
    return status;
}
//  Sets *hash to the hash of the objects that are near others, if they do not affect each other:
// those of generation 0 and of the last `periods` periods, `t` generations after the last emission.
static lc_status hash_of_near(const lc_proof *p, int64_t periods, int64_t t, uint64_t *hash)
{
    const int64_t period = (int64_t)p->period;
    uint64_t one;
    lc_status status = hash_resting(&p->near, (periods + 1) * period + t, hash);
    for (size_t i = 0; i < p->count && status == LC_OK; i++) {
        const lc_emitter *e = &p->engines[i];
        for (int64_t k = 0; k <= periods && status == LC_OK; k++) {
            status = hash_resting(&e->emitted, (periods - k) * period + t, &one);
            *hash = lc_hash_joined(*hash, lc_hash_moved(one, k * e->dx, k * e->dy));
        }
    }
    return status;
}

// Steps the objects at rest that are near each other for a common period. Objects further away do
// not affect them, and later periods repeat this one.
static lc_status compare_at_rest(lc_proof *p)
{
    const int64_t periods = p->periods_near;
    lc_live cells = {0}, now = {0};
    uint64_t common = 1, hash;
    if (periods == 0)
        return LC_OK;
    lc_status status =
        add_resting(p, &cells, &p->near, (uint64_t)(periods + 1) * p->period, 0, 0, &common);
    for (size_t i = 0; i < p->count && status == LC_OK; i++) {
        const lc_emitter *e = &p->engines[i];
        for (int64_t k = 0; k <= periods && status == LC_OK; k++)
            status = add_resting(p, &cells, &e->emitted, (uint64_t)(periods - k) * p->period,
                                 k * e->dx, k * e->dy, &common);
    }
    lc_live_sort(&cells);
    if (status == LC_OK)
        status =
            common != 0 && common <= COMMON_MAX ? lc_field_set(&p->field, &cells) : LC_NOT_PROVED;
    for (uint64_t t = 0; t < common && status == LC_OK; t++) {
        now.count = 0;
        status = lc_field_read(&p->field, &now) ? hash_of_near(p, periods, (int64_t)t, &hash)
                                                : LC_ERROR_MEMORY;
        if (status == LC_OK)
            status = lc_live_hash(&now) == hash ? lc_field_step(&p->field) : LC_NOT_PROVED;
    }
    lc_live_free(&cells);
    lc_live_free(&now);
    return status;
}

lc_status lc_proof_compare(lc_proof *p)
{
    lc_status status = lc_objects_will_meet(p->objects) ? LC_NOT_PROVED : LC_OK;
    p->near.count = 0;
    p->periods_near = 0;
    for (size_t i = 0; i < p->count && status == LC_OK; i++)
        status = compare_with_engines(p, &p->engines[i]);
    for (size_t i = 0; i < p->count && status == LC_OK; i++)
        status = compare_emitted(p, &p->engines[i]);
    if (status == LC_OK)
        status = compare_at_rest(p);
    for (size_t i = 0; i < p->count && status == LC_OK; i++)
        status = compare_with_objects(p, &p->engines[i]);
    return status;
}
