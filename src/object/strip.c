// See strip.h.
//
// The place of strip b relative to strip a, multiplied by both periods, is a point that moves with
// time along a ray. The strips are near each other when that point lies in a rectangle. Repeats
// move the point by multiples of further vectors. If any multiple, also a fraction, is allowed, the
// points form a cone. A cone and a rectangle have no common point if and only if a line separates
// them that is parallel to a side of one of them.
#include "object/strip.h"

enum {
    AXES = 2,
    VECTORS_MAX = 3, // time and two repeats
    EXACT = 32,      // whole multiples of a repeat that are tried one by one
};

typedef struct vector {
    lc_wide at[AXES];
} vector;

// All points `base` + a * by[0] + b * by[1] ..., a, b ... >= 0.
typedef struct cone {
    vector base, by[VECTORS_MAX];
    size_t count;
} cone;

typedef struct rectangle {
    vector low, high;
} rectangle;

lc_strip lc_strip_of(const lc_part *part)
{
    const lc_fate *fate = part->fate;
    const lc_wide period = (lc_wide)fate->period;
    return (lc_strip){
        .period = (int64_t)fate->period,
        .dx = fate->dx,
        .dy = fate->dy,
        .low = {fate->x_low + period * part->x, fate->y_low + period * part->y},
        .high = {fate->x_high + period * part->x, fate->y_high + period * part->y},
    };
}

// Returns how far a strip moves by a repeat, multiplied by its period.
static vector shift_of(const lc_strip *strip, int64_t generations, int64_t dx, int64_t dy)
{
    return (vector){{(lc_wide)strip->dx * generations - (lc_wide)strip->period * dx,
                     (lc_wide)strip->dy * generations - (lc_wide)strip->period * dy}};
}

void lc_strip_shift(lc_strip *strip, int64_t generations, int64_t dx, int64_t dy)
{
    const vector shift = shift_of(strip, generations, dx, dy);
    for (size_t axis = 0; axis < AXES; axis++) {
        strip->low[axis] += shift.at[axis];
        strip->high[axis] += shift.at[axis];
    }
}

static lc_wide product(const vector *a, const vector *b)
{
    return a->at[0] * b->at[0] + a->at[1] * b->at[1];
}

// Returns whether the whole cone lies beyond the rectangle in the direction of `normal`.
static bool is_beyond(const cone *c, const rectangle *r, const vector *normal)
{
    for (size_t i = 0; i < c->count; i++)
        if (product(&c->by[i], normal) < 0)
            return false;
    const vector corner = {{normal->at[0] > 0 ? r->high.at[0] : r->low.at[0],
                            normal->at[1] > 0 ? r->high.at[1] : r->low.at[1]}};
    return product(&c->base, normal) > product(&corner, normal);
}

static bool are_separate(const cone *c, const rectangle *r)
{
    vector normals[AXES + VECTORS_MAX] = {{{1, 0}}, {{0, 1}}};
    for (size_t i = 0; i < c->count; i++)
        normals[AXES + i] = (vector){{-c->by[i].at[1], c->by[i].at[0]}};
    for (size_t i = 0; i < AXES + c->count; i++) {
        const vector opposite = {{-normals[i].at[0], -normals[i].at[1]}};
        if (is_beyond(c, r, &normals[i]) || is_beyond(c, r, &opposite))
            return true;
    }
    return false;
}

// Returns whether no point of the cone lies in the rectangle, if the factors of all vectors but the
// first one are whole numbers.
static bool never_meet(const cone *c, const rectangle *r)
{
    if (are_separate(c, r))
        return true;
    if (c->count <= 1)
        return false;
    cone rest = *c;
    rest.count--;
    const vector *last = &c->by[rest.count];
    for (int i = 0; i < EXACT; i++) {
        if (!never_meet(&rest, r))
            return false;
        rest.base.at[0] += last->at[0];
        rest.base.at[1] += last->at[1];
    }
    rest.count++;
    return are_separate(&rest, r);
}

static bool is_within(lc_wide number, int bits)
{
    const lc_wide most = (lc_wide)1 << bits;
    return number <= most && number >= -most;
}

// Returns whether the products above fit in 128 bits.
static bool fits(const lc_strip *s, bool repeats)
{
    const int speed_bits = repeats ? 13 : 20, place_bits = repeats ? 46 : 64;
    return is_within(s->period, speed_bits) && is_within(s->dx, speed_bits) &&
           is_within(s->dy, speed_bits) && is_within(s->low[0], place_bits) &&
           is_within(s->low[1], place_bits) && is_within(s->high[0], place_bits) &&
           is_within(s->high[1], place_bits);
}

// Sets *ray to the places of strip b relative to strip a in the course of time, and *near to where
// they are near each other.
static void compare(const lc_strip *a, const lc_strip *b, cone *ray, rectangle *near)
{
    const lc_wide of_a = a->period, of_b = b->period, margin = LC_NEAR * of_a * of_b;
    *ray = (cone){.count = 1, .by = {{{b->dx * of_a - a->dx * of_b, b->dy * of_a - a->dy * of_b}}}};
    for (size_t axis = 0; axis < AXES; axis++) {
        near->low.at[axis] = a->low[axis] * of_b - b->high[axis] * of_a - margin;
        near->high.at[axis] = a->high[axis] * of_b - b->low[axis] * of_a + margin;
    }
}

bool lc_strips_will_meet(const lc_strip *a, const lc_strip *b, const lc_strip_repeat *repeats,
                         size_t repeat_count)
{
    if (!fits(a, repeat_count != 0) || !fits(b, repeat_count != 0))
        return true;
    cone c;
    rectangle r;
    compare(a, b, &c, &r);
    for (size_t i = 0; i < repeat_count; i++) {
        const lc_strip_repeat *repeat = &repeats[i];
        if (!is_within(repeat->generations, 20) || !is_within(repeat->dx, 20) ||
            !is_within(repeat->dy, 20))
            return true;
        const vector shift = shift_of(a, repeat->generations, repeat->dx, repeat->dy);
        c.by[c.count++] = (vector){{-shift.at[0] * b->period, -shift.at[1] * b->period}};
    }
    return !never_meet(&c, &r);
}

bool lc_strips_meet_within(const lc_strip *a, const lc_strip *b, int64_t generations)
{
    if (!fits(a, true) || !fits(b, true) || !is_within(generations, 20))
        return true;
    cone c, back;
    rectangle r;
    compare(a, b, &c, &r);
    // The way is the common part of two opposite rays.
    back = c;
    for (size_t axis = 0; axis < AXES; axis++) {
        back.base.at[axis] = c.by[0].at[axis] * generations;
        back.by[0].at[axis] = -c.by[0].at[axis];
    }
    return !are_separate(&c, &r) && !are_separate(&back, &r);
}
