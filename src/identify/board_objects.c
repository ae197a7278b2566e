// See board_objects.h.
#include "identify/board_objects.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "object/strip.h"
#include "universe/universe_live.h"

enum {
    PERIOD_FIRST = 64, // of objects
    PERIOD_MAX = 1 << 12,
    BETWEEN_CHECKS = 24,       // generations
    PHASE_CELLS_MAX = 1 << 22, // of all spaceships together
    BETWEEN_ASKING = 64,       // generations after which the caller is asked whether to give up
};

// Coordinates of cells that are moved round a board with larger sides might not fit.
static const int64_t SIDE_MAX = LC_TOPOLOGY_SIDE_MAX / 16;

// A torus. Two vectors by which a place can be moved without becoming another one; (0, 0): there is
// none. A Klein bottle is taken for a torus of twice the size, which has each of its cells twice:
// once at its place, and once in the other half, mirrored.
typedef struct board {
    lc_live_cell across, down;
    const lc_topology *topology;
    bool is_double;
} board;

static board board_of(const lc_topology *t)
{
    board b = {.topology = t};
    b.is_double =
        t->kind == LC_TOPOLOGY_KLEIN_BOTTLE && t->shift_x_cells == 0 && t->shift_y_cells == 0;
    if (t->kind != LC_TOPOLOGY_TORUS && !b.is_double)
        return b;
    if (t->width_cells != 0)
        b.across =
            (lc_live_cell){t->twist_y ? 2 * t->width_cells : t->width_cells, -t->shift_y_cells};
    if (t->height_cells != 0)
        b.down =
            (lc_live_cell){-t->shift_x_cells, t->twist_x ? 2 * t->height_cells : t->height_cells};
    return b;
}

// Exchanges the two places of a cell of a Klein bottle.
static lc_live_cell other_place(const board *b, lc_live_cell cell)
{
    const lc_topology *t = b->topology;
    return t->twist_x
               ? (lc_live_cell){t->width_cells - 1 - cell.x,
                                cell.y + (cell.y < t->height_cells ? 1 : -1) * t->height_cells}
               : (lc_live_cell){cell.x + (cell.x < t->width_cells ? 1 : -1) * t->width_cells,
                                t->height_cells - 1 - cell.y};
}

static lc_live_cell moved(const board *b, lc_live_cell cell, int64_t across, int64_t down)
{
    return (lc_live_cell){cell.x + across * b->across.x + down * b->down.x,
                          cell.y + across * b->across.y + down * b->down.y};
}

// Returns (place - first) / size, rounded down; 0 if `size` is 0.
static int64_t laps(int64_t place, int64_t first, int64_t size)
{
    const int64_t from = place - first;
    return size == 0 ? 0 : from / size - (from % size < 0);
}

// Returns the place within width x height cells from `first` on that a cell is at. At most one of
// the two vectors is oblique: it is the first to be used.
static lc_live_cell wrapped(const board *b, lc_live_cell cell, lc_live_cell first)
{
    if (b->across.y != 0)
        cell = moved(b, cell, -laps(cell.x, first.x, b->across.x), 0);
    cell = moved(b, cell, 0, -laps(cell.y, first.y, b->down.y));
    return moved(b, cell, -laps(cell.x, first.x, b->across.x), 0);
}

// ---- laying out the cells on the plane ----------------------------------------------------------

static int compare(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

// Returns the first place behind the widest gap between places on a circle.
static int64_t find_cut(int64_t *places, size_t count, int64_t size)
{
    qsort(places, count, sizeof *places, compare);
    int64_t cut = places[0], widest = places[0] + size - places[count - 1];
    for (size_t i = 1; i < count && size != 0; i++) {
        if (places[i] - places[i - 1] > widest) {
            widest = places[i] - places[i - 1];
            cut = places[i];
        }
    }
    return cut;
}

static bool add_other_places(const board *b, lc_live *live)
{
    const size_t count = live->count;
    for (size_t i = 0; i < count; i++) {
        const lc_live_cell cell = other_place(b, live->at[i]);
        if (!lc_live_add(live, cell.x, cell.y))
            return false;
    }
    return true;
}

static bool cut(const board *b, lc_live *live)
{
    int64_t *places = lc_malloc(live->count * sizeof *places);
    lc_live_cell first;
    if (places == NULL)
        return false;
    for (size_t i = 0; i < live->count; i++)
        places[i] = live->at[i].x;
    first.x = find_cut(places, live->count, b->across.x);
    for (size_t i = 0; i < live->count; i++)
        places[i] = live->at[i].y;
    first.y = find_cut(places, live->count, b->down.y);
    lc_free(places);
    for (size_t i = 0; i < live->count; i++)
        live->at[i] = wrapped(b, live->at[i], first);
    lc_live_sort(live);
    return true;
}

// Group `to` lies beside group `from` if it is moved by so much.
typedef struct adjacency {
    uint32_t from, to;
    int across, down;
} adjacency;

typedef struct layout {
    const board *board;
    lc_live *live;
    uint32_t *group_of;
    size_t groups;
    adjacency *links;
    size_t link_count, link_room;
    // By how many vectors each group is moved.
    struct {
        bool is_known;
        int across, down;
    } * places;
} layout;

static bool add_link(layout *l, adjacency one)
{
    if (!lc_grow(&l->links, &l->link_room, l->link_count + 1, sizeof *l->links))
        return false;
    l->links[l->link_count++] = one;
    return true;
}

// Finds the cells that are near cell i if they are moved.
static bool find_links(layout *l, size_t i, const lc_box *box, int across, int down)
{
    // Where the cell is if it is moved the other way and the others are not.
    const lc_live_cell cell = moved(l->board, l->live->at[i], -across, -down);
    if (cell.x < box->x - LC_NEAR || cell.x >= box->x + box->width_cells + LC_NEAR ||
        cell.y < box->y - LC_NEAR || cell.y >= box->y + box->height_cells + LC_NEAR)
        return true;
    for (int64_t y = cell.y - LC_NEAR; y <= cell.y + LC_NEAR; y++) {
        for (int64_t x = cell.x - LC_NEAR; x <= cell.x + LC_NEAR; x++) {
            const size_t k = lc_live_find(l->live, x, y);
            if (k != l->live->count &&
                !add_link(l, (adjacency){l->group_of[i], l->group_of[k], across, down}))
                return false;
        }
    }
    return true;
}

static bool find_all_links(layout *l)
{
    const lc_box box = lc_live_box(l->live);
    const int x = l->board->across.x != 0, y = l->board->down.y != 0;
    for (size_t i = 0; i < l->live->count; i++)
        for (int down = -y; down <= y; down++)
            for (int across = -x; across <= x; across++)
                if ((across != 0 || down != 0) && !find_links(l, i, &box, across, down))
                    return false;
    return true;
}

// Follows the links. Returns false if a group lies beside itself, all round the torus.
static bool place_groups(layout *l)
{
    for (size_t first = 0; first < l->groups; first++) {
        bool changes = !l->places[first].is_known;
        l->places[first].is_known = true;
        while (changes) {
            changes = false;
            for (size_t i = 0; i < l->link_count; i++) {
                const adjacency *one = &l->links[i];
                if (!l->places[one->from].is_known)
                    continue;
                const int across = l->places[one->from].across + one->across;
                const int down = l->places[one->from].down + one->down;
                if (l->places[one->to].is_known) {
                    if (l->places[one->to].across != across || l->places[one->to].down != down)
                        return false;
                    continue;
                }
                l->places[one->to].is_known = changes = true;
                l->places[one->to].across = across;
                l->places[one->to].down = down;
            }
        }
    }
    return true;
}

// Moves the cells so that those near each other on the board are near each other on the plane.
// LC_ERROR_LIMIT: that is impossible.
static lc_status lay_out(const board *b, lc_live *live)
{
    if (!cut(b, live))
        return LC_ERROR_MEMORY;
    layout l = {.board = b, .live = live};
    lc_status status = LC_ERROR_MEMORY;
    uint32_t *scratch = lc_malloc(live->count * sizeof *scratch);
    l.group_of = lc_malloc(live->count * sizeof *l.group_of);
    if (scratch != NULL && l.group_of != NULL) {
        l.groups = lc_live_groups(live, true, l.group_of, scratch);
        l.places = lc_calloc(l.groups, sizeof *l.places);
    }
    if (l.places != NULL && find_all_links(&l))
        status = place_groups(&l) ? LC_OK : LC_ERROR_LIMIT;
    for (size_t i = 0; i < live->count && status == LC_OK; i++)
        live->at[i] =
            moved(b, live->at[i], l.places[l.group_of[i]].across, l.places[l.group_of[i]].down);
    lc_live_sort(live);
    lc_free(l.places);
    lc_free(l.links);
    lc_free(l.group_of);
    lc_free(scratch);
    return status;
}

// ---- what the objects would be alone ------------------------------------------------------------

// The hashes of all objects at rest that have this period, by phase.
typedef struct cycle {
    uint64_t period;
    uint64_t *hashes;
} cycle;

typedef struct ship {
    const lc_part *part;
    lc_live *phases;
} ship;

typedef struct lone_objects {
    const board *board;
    cycle *cycles;
    size_t cycle_count;
    ship *ships;
    size_t ship_count;
} lone_objects;

static void free_lone(lone_objects *lone)
{
    for (size_t i = 0; i < lone->cycle_count; i++)
        lc_free(lone->cycles[i].hashes);
    for (size_t i = 0; i < lone->ship_count; i++) {
        for (uint64_t t = 0; t < lone->ships[i].part->fate->period; t++)
            lc_live_free(&lone->ships[i].phases[t]);
        lc_free(lone->ships[i].phases);
    }
    lc_free(lone->cycles);
    lc_free(lone->ships);
}

// Returns the hash that cells have on the board.
static uint64_t hash_of(const board *b, const lc_live *live, int64_t x, int64_t y)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < live->count; i++) {
        lc_live_cell at =
            wrapped(b, (lc_live_cell){live->at[i].x + x, live->at[i].y + y}, (lc_live_cell){0});
        if (b->is_double && (at.x >= b->topology->width_cells || at.y >= b->topology->height_cells))
            at = other_place(b, at);
        hash = lc_hash_joined(hash, lc_hash_moved(1, at.x, at.y));
    }
    return hash;
}

// Returns the cycle for objects with that period; NULL: out of memory.
static cycle *find_cycle(lone_objects *lone, uint64_t period)
{
    for (size_t i = 0; i < lone->cycle_count; i++)
        if (lone->cycles[i].period == period)
            return &lone->cycles[i];
    cycle *cycles = lc_realloc(lone->cycles, (lone->cycle_count + 1) * sizeof *cycles);
    if (cycles == NULL)
        return NULL;
    lone->cycles = cycles;
    cycles[lone->cycle_count] = (cycle){period, lc_calloc((size_t)period, sizeof *cycles->hashes)};
    return cycles[lone->cycle_count].hashes != NULL ? &cycles[lone->cycle_count++] : NULL;
}

static lc_status add_cycle(lone_objects *lone, const lc_part *part, lc_field *field, lc_live *live)
{
    const lc_fate *fate = part->fate;
    cycle *c = find_cycle(lone, fate->period);
    lc_status status = c != NULL ? lc_field_set(field, &fate->cells) : LC_ERROR_MEMORY;
    for (uint64_t t = 0; t < fate->period && status == LC_OK; t++) {
        live->count = 0;
        if (!lc_field_read(field, live))
            return LC_ERROR_MEMORY;
        c->hashes[t] = lc_hash_joined(c->hashes[t], hash_of(lone->board, live, part->x, part->y));
        status = lc_field_step(field);
    }
    return status;
}

static lc_status add_ship(lone_objects *lone, const lc_part *part, lc_field *field, size_t *cells)
{
    const lc_fate *fate = part->fate;
    ship *s = &lone->ships[lone->ship_count];
    *s = (ship){part, lc_calloc((size_t)fate->period, sizeof *s->phases)};
    if (s->phases == NULL)
        return LC_ERROR_MEMORY;
    lone->ship_count++;
    lc_status status = lc_field_set(field, &fate->cells);
    for (uint64_t t = 0; t < fate->period && status == LC_OK; t++) {
        *cells += field->population;
        if (*cells > PHASE_CELLS_MAX)
            return LC_ERROR_LIMIT;
        if (!lc_field_read(field, &s->phases[t]))
            return LC_ERROR_MEMORY;
        status = lc_field_step(field);
    }
    return status;
}

static lc_status step_alone(lone_objects *lone, lc_track *t)
{
    const lc_objects *objects = &t->objects;
    lc_live live = {0};
    size_t cells = 0;
    lone->ships = lc_calloc(objects->count, sizeof *lone->ships);
    lc_status status = lone->ships != NULL ? LC_OK : LC_ERROR_MEMORY;
    for (size_t i = 0; i < objects->count && status == LC_OK; i++)
        status = lc_fate_moves(objects->at[i].fate)
                     ? add_ship(lone, &objects->at[i], &t->fates.field, &cells)
                     : add_cycle(lone, &objects->at[i], &t->fates.field, &live);
    lc_live_free(&live);
    return status;
}

// Returns the hash of all objects that many generations ago.
static uint64_t hash_before(const lone_objects *lone, uint64_t ago)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < lone->cycle_count; i++) {
        const cycle *c = &lone->cycles[i];
        hash = lc_hash_joined(hash, c->hashes[(c->period - ago % c->period) % c->period]);
    }
    for (size_t i = 0; i < lone->ship_count; i++) {
        const lc_part *part = lone->ships[i].part;
        const uint64_t period = part->fate->period, phase = (period - ago % period) % period;
        const int64_t periods = (int64_t)((ago + phase) / period);
        hash = lc_hash_joined(hash, hash_of(lone->board, &lone->ships[i].phases[phase],
                                            part->x - periods * part->fate->dx,
                                            part->y - periods * part->fate->dy));
    }
    return hash;
}

// Returns whether the cells were those of the objects that many generations ago.
static bool were_objects(const lone_objects *lone, const lc_track *t, uint64_t ago)
{
    const uint64_t hash = t->history[t->now - ago].hash;
    return hash_before(lone, ago) == (lone->board->is_double ? lc_hash_joined(hash, hash) : hash);
}

// Sets *same to the number of generations before this one in which the cells were those of the
// objects, up to `most`. 0 also if they are not now.
static lc_status compare_history(const lone_objects *lone, const lc_track *t, uint64_t most,
                                 uint64_t *same, lc_message *message)
{
    *same = 0;
    if (!were_objects(lone, t, 0))
        return LC_OK;
    while (*same < most && were_objects(lone, t, *same + 1)) {
        *same += 1;
        if (*same % BETWEEN_ASKING == 0 && lc_check_give_up(message) != LC_OK)
            return LC_ERROR_STOPPED;
    }
    return LC_OK;
}

// ---- the objects of a board ---------------------------------------------------------------------

// Returns whether all objects move alike round a torus.
static bool are_moving(const lc_track *t, int64_t *dx, int64_t *dy)
{
    return lc_universe_topology(t->universe)->kind == LC_TOPOLOGY_TORUS &&
           lc_objects_move_alike(&t->objects, dx, dy) && (*dx != 0 || *dy != 0);
}

// Whether the cells of t->live are objects that all repeat themselves. Before the track's end is
// known, only those that move are of interest.
static lc_status divide(lc_track *t, uint64_t limit, bool *divided)
{
    int64_t dx, dy;
    const lc_status status = lc_objects_find(&t->objects, &t->fates, &t->live, limit);
    *divided = status == LC_OK && t->objects.active.count == 0 && t->objects.period != 0 &&
               (t->end != LC_END_LIMIT || are_moving(t, &dx, &dy));
    return status;
}

// Sets *same as compare_history; 0 also if there are cells that belong to no object.
static lc_status find_objects(lc_track *t, uint64_t limit, uint64_t most, uint64_t *same,
                              lc_message *message)
{
    bool divided = false;
    const lc_topology *topology = lc_universe_topology(t->universe);
    const board b = board_of(topology);
    lone_objects lone = {.board = &b};
    *same = 0;
    t->sheets = b.is_double ? 2 : 1;
    if (topology->width_cells > SIDE_MAX || topology->height_cells > SIDE_MAX)
        return LC_OK;
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    if (status == LC_OK && t->live.count == 0)
        return LC_OK;
    if (status == LC_OK && b.is_double && !add_other_places(&b, &t->live))
        status = LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lay_out(&b, &t->live);
    if (status == LC_OK)
        status = divide(t, limit, &divided);
    if (status == LC_OK && divided)
        status = step_alone(&lone, t);
    if (status == LC_OK && divided)
        status = compare_history(&lone, t, most, same, message);
    free_lone(&lone);
    if (status == LC_ERROR_MEMORY)
        return lc_fail_memory(message, "objects");
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

// All objects move by (dx, dy) in a period. Steps one, and compares all cells.
static lc_status check_move(lc_track *t, int64_t dx, int64_t dy, bool *moves, lc_message *message)
{
    const board b = board_of(lc_universe_topology(t->universe));
    lc_live later = {0};
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    for (uint64_t i = 0; i < t->objects.period && status == LC_OK; i++)
        status = lc_track_step(t, message);
    if (status == LC_OK)
        status = lc_universe_live(t->universe, t->cells_max, &later, message);
    for (size_t i = 0; i < t->live.count && status == LC_OK; i++)
        t->live.at[i] = wrapped(&b, (lc_live_cell){t->live.at[i].x + dx, t->live.at[i].y + dy},
                                (lc_live_cell){0});
    lc_live_sort(&t->live);
    *moves = status == LC_OK && lc_live_equal(&t->live, &later, 0, 0);
    lc_live_free(&later);
    return status;
}

// Returns the smallest positive n with n * move a multiple of `size`; 0 if none exists.
static int64_t times_round(int64_t move, int64_t size)
{
    const uint64_t distance = (uint64_t)lc_magnitude(move);
    return move == 0 ? 1 : size / (int64_t)lc_common_divisor(distance, (uint64_t)size);
}

// Returns the number of generations after which what moves by (dx, dy) in a period is back.
static uint64_t find_return(const lc_topology *t, int64_t dx, int64_t dy, uint64_t period)
{
    // First round the side at which cells are shifted along the other one, if any is.
    const bool is_across = t->shift_y_cells != 0;
    const int64_t first = is_across ? t->width_cells : t->height_cells;
    const int64_t second = is_across ? t->height_cells : t->width_cells;
    const int64_t by = is_across ? dx : dy, beside = is_across ? dy : dx;
    const int64_t times = times_round(by, first);
    int64_t laps, shift, far, aside;
    uint64_t all;
    if (times == 0 || by == 0)
        laps = 0;
    else if (__builtin_mul_overflow(times, by, &far))
        return 0;
    else
        laps = far / first;
    if (__builtin_mul_overflow(laps, is_across ? t->shift_y_cells : t->shift_x_cells, &shift) ||
        __builtin_mul_overflow(times, beside, &aside) ||
        __builtin_add_overflow(aside, shift, &aside) ||
        !lc_mul_u64((uint64_t)times, (uint64_t)times_round(aside, second), &all) ||
        !lc_mul_u64(all, period, &all))
        return 0;
    return all < UINT64_C(1) << 62 ? all : 0;
}

// `same` generations were those of the objects. If all objects move alike round a torus, sets the
// result.
static lc_status take_move(lc_track *t, uint64_t same, lc_message *message)
{
    const uint64_t now = t->now;
    int64_t dx, dy;
    bool moves;
    if (same < t->objects.period || !are_moving(t, &dx, &dy))
        return LC_OK;
    const lc_status status = check_move(t, dx, dy, &moves, message);
    if (status != LC_OK || !moves)
        return status;
    if (t->end == LC_END_LIMIT)
        t->settles = now - same;
    t->end = LC_END_REPEATS;
    t->has_objects = true;
    t->period = t->objects.period;
    t->dx = dx;
    t->dy = dy;
    t->returns_after = find_return(lc_universe_topology(t->universe), dx, dy, t->objects.period);
    return LC_OK;
}

lc_status lc_board_check(lc_track *track, lc_message *message)
{
    lc_track *t = track;
    uint64_t same;
    if (t->now < t->next_objects || lc_universe_topology(t->universe)->kind != LC_TOPOLOGY_TORUS)
        return LC_OK;
    t->next_objects = t->now + BETWEEN_CHECKS + t->now / 8;
    if (lc_track_steady_period(t, PERIOD_FIRST) == 0)
        return LC_OK;
    const lc_status status = find_objects(t, t->longest, t->now, &same, message);
    t->longest = 2 * t->longest < PERIOD_MAX ? 2 * t->longest : PERIOD_MAX;
    return status == LC_OK ? take_move(t, same, message) : status;
}

lc_status lc_board_find_objects(lc_track *track, lc_message *message)
{
    lc_track *t = track;
    const uint64_t limit = t->period < PERIOD_FIRST ? PERIOD_FIRST
                           : t->period > PERIOD_MAX ? PERIOD_MAX
                                                    : t->period;
    uint64_t same;
    const lc_status status = find_objects(t, limit, t->period, &same, message);
    if (status != LC_OK || same < t->period)
        return status;
    t->has_objects = true;
    return take_move(t, same, message);
}
