// See stretch.h.
#include "identify/stretch.h"

#include "base/error.h"
#include "base/least.h"
#include "universe/universe_live.h"

typedef struct move {
    int64_t dx, dy;
} move;

// A side of the pattern that may be the front. The place of a cell is its distance from there: x or
// y, or minus that.
typedef struct side {
    bool is_y;
    int sign;
} side;

typedef struct comparison {
    const lc_live *first, *second; // a period apart
    lc_box first_box, second_box;
    int64_t period;
} comparison;

static int64_t place_of(side s, int64_t x, int64_t y)
{
    return s.sign * (s.is_y ? y : x);
}

// The least and the greatest place of cells of the second generation that are not cells of the
// first one, moved, and the reverse.
typedef struct differences {
    int64_t least, greatest;
} differences;

static differences compare(const comparison *c, move m, side s)
{
    differences d = {INT64_MAX, INT64_MIN};
    size_t i = 0, k = 0;
    while (i < c->first->count || k < c->second->count) {
        lc_live_cell a = {0}, b = {0};
        int order = i == c->first->count ? 1 : -1;
        if (i < c->first->count)
            a = (lc_live_cell){c->first->at[i].x + m.dx, c->first->at[i].y + m.dy};
        if (k < c->second->count)
            b = c->second->at[k];
        if (i < c->first->count && k < c->second->count)
            order = lc_live_compare(&a, &b);
        i += order <= 0;
        k += order >= 0;
        if (order == 0)
            continue;
        const lc_live_cell cell = order < 0 ? a : b;
        const int64_t place = place_of(s, cell.x, cell.y);
        d.least = place < d.least ? place : d.least;
        d.greatest = place > d.greatest ? place : d.greatest;
    }
    return d;
}

// Returns whether the pattern grows for ever with these moves of the front, which is at side `s`,
// and of the back.
static bool is_proved(const comparison *c, side s, move front, move back)
{
    const int64_t forward = place_of(s, front.dx, front.dy), behind = place_of(s, back.dx, back.dy);
    if (forward >= behind)
        return false;
    const differences of_front = compare(c, front, s), of_back = compare(c, back, s);
    if (of_front.least == INT64_MAX || of_back.least == INT64_MAX)
        return false; // all cells moved: nothing grew
    // In places of the first generation: the same up to `end`, and from `begin` on.
    const int64_t end = of_front.least - forward, begin = of_back.greatest + 1 - behind;
    const int64_t of_dx = lc_magnitude(back.dx), of_dy = lc_magnitude(back.dy);
    const int64_t reach = c->period + (of_dx > of_dy ? of_dx : of_dy);
    return end - begin >= 2 * reach + (behind - forward);
}

// Sets *moves to how far the ends of the boxes have moved in x and y, in all combinations, and 0.
static size_t find_moves(const comparison *c, move moves[9])
{
    const lc_box *a = &c->first_box, *b = &c->second_box;
    const int64_t x[] = {0, b->x - a->x, b->x + b->width_cells - a->x - a->width_cells};
    const int64_t y[] = {0, b->y - a->y, b->y + b->height_cells - a->y - a->height_cells};
    for (size_t i = 0; i < 9; i++)
        moves[i] = (move){x[i % 3], y[i / 3]};
    return 9;
}

static void find_proof(lc_stretch *stretch, const comparison *c)
{
    static const side sides[] = {{false, 1}, {false, -1}, {true, 1}, {true, -1}};
    move moves[9];
    const size_t count = find_moves(c, moves);
    for (size_t i = 0; i < 4 * count * count && !stretch->found; i++) {
        const move front = moves[i / 4 / count], back = moves[i / 4 % count];
        if (!is_proved(c, sides[i % 4], front, back))
            continue;
        // Either end may be called the front: it is the one that moves.
        const bool swaps = front.dx == 0 && front.dy == 0;
        const move moving = swaps ? back : front, other = swaps ? front : back;
        *stretch = (lc_stretch){.found = true,
                                .dx = moving.dx,
                                .dy = moving.dy,
                                .back_dx = other.dx,
                                .back_dy = other.dy};
    }
}

lc_status lc_find_stretch(lc_stretch *stretch, lc_track *track, lc_message *message)
{
    lc_live first = {0};
    *stretch = (lc_stretch){0};
    lc_status status = lc_universe_live(track->universe, track->cells_max, &first, message);
    if (status == LC_OK)
        status = lc_track_advance(track, track->period, message);
    if (status == LC_OK)
        status = lc_universe_live(track->universe, track->cells_max, &track->live, message);
    if (status == LC_OK && first.count != 0 && track->live.count != 0) {
        const comparison c = {.first = &first,
                              .second = &track->live,
                              .first_box = lc_live_box(&first),
                              .second_box = lc_live_box(&track->live),
                              .period = (int64_t)track->period};
        find_proof(stretch, &c);
        stretch->start = track->now - track->period;
    }
    lc_live_free(&first);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}
