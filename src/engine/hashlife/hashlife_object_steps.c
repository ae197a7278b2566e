// Finds the future of a small object alone, under the present rule: hashlife_streams.h.
#include <string.h>

#include "base/memory.h"
#include "engine/hashlife/hashlife_streams.h"

enum {
    SIDE = 8,
    GENERATIONS = 48,
    PERIODS = 8,
    MARGIN = 4, // hashlife_streams.h and the windows of hashlife_streams.c rely on it
};

// Returns the number of a velocity; -1: no line has its direction, or there are too many.
static int velocity_of(lc_streams *s, int dx, int dy, int period)
{
    if (dx != 0 && dy != 0 && dx != dy && dx != -dy)
        return -1;
    for (int i = 1; i < s->velocity_count; i++)
        if (s->velocities[i].dx == dx && s->velocities[i].dy == dy &&
            s->velocities[i].period == period)
            return i;
    if (s->velocity_count == LC_VELOCITIES)
        return -1;
    s->velocities[s->velocity_count] = (lc_velocity){dx, dy, period};
    return s->velocity_count++;
}

static int8_t less(int a, int b)
{
    return (int8_t)(a < b ? a : b);
}

static int8_t more(int a, int b)
{
    return (int8_t)(a > b ? a : b);
}

// Extends what the shape covers by these cells.
static void cover(lc_stream_shape *shape, const lc_live *cells)
{
    lc_box8 *box = &shape->covers;
    for (size_t i = 0; i < cells->count; i++) {
        const int x = (int)cells->at[i].x, y = (int)cells->at[i].y;
        const int at[LC_LINES] = {x - y, x + y, x, y};
        box->left = less(box->left, x - 1);
        box->top = less(box->top, y - 1);
        box->right = more(box->right, x + 1);
        box->bottom = more(box->bottom, y + 1);
        for (int line = 0; line < LC_LINES; line++) {
            const int beside = line < LC_LINE_COLUMN ? 2 : 1;
            shape->first[line] = less(shape->first[line], at[line] - beside);
            shape->last[line] = more(shape->last[line], at[line] + beside);
        }
    }
}

static bool is_within_margin(const lc_live *first, const lc_live *now)
{
    const lc_box a = lc_live_box(first), b = lc_live_box(now);
    return b.empty || (b.x - 1 >= a.x - MARGIN && b.y - 1 >= a.y - MARGIN &&
                       b.x + b.width_cells < a.x + a.width_cells + MARGIN &&
                       b.y + b.height_cells < a.y + a.height_cells + MARGIN);
}

// Compares a generation with earlier ones. Returns its velocity if it repeats one of them, 0 if it
// is empty, -1 if neither, -2 if the object's velocity will stay unknown.
static int repeats(lc_streams *s, const lc_live *generations, int generation)
{
    const lc_live *now = &generations[generation];
    if (now->count == 0)
        return 0;
    for (int period = 1; period <= PERIODS && period <= generation; period++) {
        const lc_live *then = &generations[generation - period];
        const int64_t dx = now->at[0].x - then->at[0].x, dy = now->at[0].y - then->at[0].y;
        if (!lc_live_equal(then, now, dx, dy))
            continue;
        if (dx == 0 && dy == 0)
            return 0;
        const int velocity = generation == period ? velocity_of(s, (int)dx, (int)dy, period) : -1;
        return velocity < 0 ? -2 : velocity;
    }
    return -1;
}

// Steps the shape and sets its velocity, box and lanes. If out of memory, it is unknown.
static void find_out(lc_streams *s, lc_stream_shape *shape)
{
    lc_field field = lc_field_of(&s->rule);
    lc_live generations[GENERATIONS + 1] = {0};
    int velocity = -1;
    bool ok = true;
    shape->velocity = -1;
    shape->covers = (lc_box8){INT8_MAX, INT8_MAX, INT8_MIN, INT8_MIN};
    memset(shape->first, INT8_MAX, sizeof shape->first);
    memset(shape->last, INT8_MIN, sizeof shape->last);
    for (int y = 0; y < SIDE && ok; y++) {
        const uint64_t row = shape->cells >> SIDE * y & 0xFF;
        ok = lc_live_add_bits(&generations[0], 0, y, &row, SIDE);
    }
    ok = ok && lc_field_set(&field, &generations[0]) == LC_OK;
    for (int i = 0; i < GENERATIONS && velocity == -1 && ok; i++) {
        if (!is_within_margin(&generations[0], &generations[i]))
            break;
        cover(shape, &generations[i]);
        ok = lc_field_step(&field) == LC_OK && lc_field_read(&field, &generations[i + 1]);
        velocity = ok ? repeats(s, generations, i + 1) : -1;
    }
    shape->velocity = (int8_t)(velocity < 0 ? -1 : velocity);
    for (int i = 0; i <= GENERATIONS; i++)
        lc_live_free(&generations[i]);
    lc_field_free(&field);
}

const lc_stream_shape *lc_streams_shape(lc_streams *s, uint64_t cells)
{
    size_t at = (size_t)(lc_folded(cells, UINT64_C(0x9E3779B97F4A7C15)) % LC_SHAPES);
    while (s->shapes[at].cells != 0 && s->shapes[at].cells != cells)
        at = (at + 1) % LC_SHAPES;
    if (s->shapes[at].cells == cells)
        return &s->shapes[at];
    if (s->shape_count == LC_SHAPES / 2)
        return NULL;
    s->shape_count++;
    s->shapes[at].cells = cells;
    find_out(s, &s->shapes[at]);
    return &s->shapes[at];
}
