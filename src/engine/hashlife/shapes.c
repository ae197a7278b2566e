// What becomes of a small object alone, for the rule at hand: streams.h.
#include <string.h>

#include "base/memory.h"
#include "engine/hashlife/streams.h"

enum {
    ROWS = 32, // of the field that it is stepped in
    CORNER = 12,
    GENERATIONS = 48,
    PERIODS = 8,
    MARGIN = 4, // streams.h, and the windows of streams.c rely on it
};

typedef struct field {
    uint32_t rows[ROWS];
    int left, top, right, bottom; // of the live cells; right < left: there are none
} field;

static void bound(field *f)
{
    uint32_t all = 0;
    f->top = ROWS;
    f->bottom = -1;
    for (int y = 0; y < ROWS; y++) {
        all |= f->rows[y];
        if (f->rows[y] != 0 && f->top == ROWS)
            f->top = y;
        if (f->rows[y] != 0)
            f->bottom = y;
    }
    f->left = all == 0 ? ROWS : __builtin_ctz(all);
    f->right = all == 0 ? -1 : 31 - __builtin_clz(all);
}

static void next_generation(const lc_rule *rule, const field *from, field *to)
{
    memset(to, 0, sizeof *to);
    for (int y = 1; y < ROWS - 1; y++) {
        uint32_t count[4] = {0}; // of live neighbours, a bit in each
        for (int k = 0; k < 9; k++) {
            const uint32_t row = from->rows[y + k / 3 - 1];
            uint32_t add = k == 4 ? 0 : k % 3 == 0 ? row << 1 : k % 3 == 1 ? row : row >> 1;
            for (int i = 0; i < 4; i++) {
                const uint32_t carry = count[i] & add;
                count[i] ^= add;
                add = carry;
            }
        }
        const uint32_t alive = from->rows[y];
        for (unsigned n = 0; n <= 8; n++) {
            uint32_t is_n = UINT32_MAX;
            for (unsigned i = 0; i < 4; i++)
                is_n &= (n >> i & 1) != 0 ? count[i] : ~count[i];
            to->rows[y] |= (rule->birth >> n & 1) != 0 ? is_n & ~alive : 0;
            to->rows[y] |= (rule->survival >> n & 1) != 0 ? is_n & alive : 0;
        }
    }
    bound(to);
}

// Whether b is a, somewhere.
static bool is_moved(const field *a, const field *b)
{
    const int dx = b->left - a->left, dy = b->top - a->top;
    if (b->right - a->right != dx || b->bottom - a->bottom != dy)
        return false;
    for (int y = a->top; y <= a->bottom; y++)
        if (a->rows[y] >> a->left != b->rows[y + dy] >> b->left)
            return false;
    return true;
}

// The number of a velocity; -1: lanes go along no such line, or there are too many.
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

// The shape covers that, too.
static void cover(lc_shape *shape, const field *f)
{
    if (f->right < f->left)
        return;
    lc_box8 *box = &shape->covers;
    box->left = less(box->left, f->left - CORNER - 1);
    box->top = less(box->top, f->top - CORNER - 1);
    box->right = more(box->right, f->right - CORNER + 1);
    box->bottom = more(box->bottom, f->bottom - CORNER + 1);
    for (int y = f->top; y <= f->bottom; y++) {
        for (int x = f->left; x <= f->right; x++) {
            if ((f->rows[y] >> x & 1) == 0)
                continue;
            const int at[LC_LINES] = {x - y, x + y - 2 * CORNER, x - CORNER, y - CORNER};
            for (int i = 0; i < LC_LINES; i++) {
                const int beside = i < LC_LINE_COLUMN ? 2 : 1;
                shape->first[i] = less(shape->first[i], at[i] - beside);
                shape->last[i] = more(shape->last[i], at[i] + beside);
            }
        }
    }
}

static bool is_within_margin(const field *first, const field *f)
{
    return f->right < f->left ||
           (f->left - 1 >= first->left - MARGIN && f->top - 1 >= first->top - MARGIN &&
            f->right + 1 <= first->right + MARGIN && f->bottom + 1 <= first->bottom + MARGIN);
}

// Of the generation that was just made: the velocity if it repeats an earlier one, 0 if nothing
// lives, -1 if it does neither, -2 if nothing will be known.
static int repeats(lc_streams *s, const field *fields, int generation)
{
    const field *now = &fields[generation];
    if (now->right < now->left)
        return 0;
    for (int period = 1; period <= PERIODS && period <= generation; period++) {
        const field *then = &fields[generation - period];
        if (!is_moved(then, now))
            continue;
        const int dx = now->left - then->left, dy = now->top - then->top;
        if (dx == 0 && dy == 0)
            return 0;
        const int velocity = generation == period ? velocity_of(s, dx, dy, period) : -1;
        return velocity < 0 ? -2 : velocity;
    }
    return -1;
}

static void find_out(lc_streams *s, lc_shape *shape)
{
    field fields[GENERATIONS + 1];
    memset(&fields[0], 0, sizeof fields[0]);
    for (int y = 0; y < 8; y++)
        fields[0].rows[CORNER + y] = (uint32_t)(shape->cells >> 8 * y & 0xFF) << CORNER;
    bound(&fields[0]);
    shape->velocity = -1;
    shape->covers = (lc_box8){INT8_MAX, INT8_MAX, INT8_MIN, INT8_MIN};
    memset(shape->first, INT8_MAX, sizeof shape->first);
    memset(shape->last, INT8_MIN, sizeof shape->last);
    int velocity = -1;
    for (int i = 0; i < GENERATIONS && velocity == -1; i++) {
        if (!is_within_margin(&fields[0], &fields[i]))
            return;
        cover(shape, &fields[i]);
        next_generation(&s->rule, &fields[i], &fields[i + 1]);
        velocity = repeats(s, fields, i + 1);
    }
    shape->velocity = (int8_t)(velocity < 0 ? -1 : velocity);
}

const lc_shape *lc_streams_shape(lc_streams *s, uint64_t cells)
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
