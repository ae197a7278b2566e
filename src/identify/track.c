// See track.h.
#include "identify/track.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "identify/board_objects.h"
#include "universe/universe_live.h"

// Checks cost about as much as 20 generations, and these numbers make some ten of them for
// patterns like the R-pentomino.
enum {
    PERIOD_BRIEF = 64,    // of a population, that is looked for often
    PERIOD_MAX = 1 << 12, // of objects
    STEADY = 24,          // generations for which a population must have been periodic
    BETWEEN_CHECKS = 8,
    FIRST_THOROUGH = 256,
    FIRST_BOX = 64,
    PERIOD_BOX = 512,
    BOX_SLACK = 4, // cells by which sides of a box move that are those of oscillators
    FIRST_GROWTH = 320,
    GENERATIONS_DEFAULT = 100000,
    CELLS_DEFAULT = 1000000,
    COPIES_MAX = 64,
    COPIES_BY = 1024,           // generation up to which copies are looked for
    COPIED_MAX = 1 << 12,       // largest number of live cells whose copies are searched
    WORK_MAX = 1 << 30,         // live cells of all generations together: some seconds
    GENERATIONS_MOST = 1 << 30, // their facts take 64 GiB
};

lc_status lc_track_init(lc_track *track, lc_universe *universe, const lc_identify_options *options,
                        lc_message *message)
{
    const lc_topology *topology = lc_universe_topology(universe);
    const bool is_plane = topology->kind == LC_TOPOLOGY_PLANE && topology->width_cells == 0 &&
                          topology->height_cells == 0;
    const lc_status usable = lc_universe_need_two_states(universe, "an identification", message);
    if (usable != LC_OK)
        return usable;
    *track = (lc_track){.universe = universe,
                        .generations_max = options->generations_max,
                        .cells_max = options->cells_max,
                        .longest = PERIOD_BRIEF,
                        .next_objects = STEADY,
                        .next_thorough = FIRST_THOROUGH,
                        .next_box = FIRST_BOX,
                        .next_growth = FIRST_GROWTH};
    if (track->generations_max == 0)
        track->generations_max = GENERATIONS_DEFAULT;
    if (track->cells_max == 0)
        track->cells_max = CELLS_DEFAULT;
    if (track->generations_max > GENERATIONS_MOST)
        return lc_fail(message, LC_ERROR_ARGUMENT, "at most %d generations can be examined",
                       GENERATIONS_MOST);
    const bool has_objects =
        lc_fates_init(&track->fates, lc_universe_rule(universe), NULL) == LC_OK;
    track->is_free = is_plane && has_objects;
    track->is_board = !is_plane && has_objects;
    return LC_OK;
}

void lc_track_free(lc_track *track)
{
    lc_universe_destroy(&track->own);
    lc_fates_free(&track->fates);
    lc_objects_free(&track->objects);
    lc_live_free(&track->start);
    lc_live_free(&track->live);
    lc_free(track->history);
    lc_free(track->seen);
    *track = (lc_track){0};
}

// ---- history ------------------------------------------------------------------------------------

static bool reserve(lc_track *t)
{
    if (t->now < t->room)
        return true;
    const size_t room = 2 * t->room + 256, seen_room = 2 * room;
    lc_generation_facts *history = lc_realloc(t->history, room * sizeof *history);
    if (history == NULL)
        return false;
    t->history = history;
    uint32_t *seen = lc_malloc(seen_room * sizeof *seen);
    if (seen == NULL)
        return false;
    memset(seen, 0xFF, seen_room * sizeof *seen);
    lc_free(t->seen);
    t->seen = seen;
    t->seen_room = seen_room;
    t->room = room;
    for (uint32_t i = 0; i < t->now; i++) {
        size_t at = t->history[i].relative % t->seen_room;
        while (seen[at] != UINT32_MAX)
            at = (at + 1) % t->seen_room;
        seen[at] = i;
    }
    return true;
}

static bool are_alike(const lc_generation_facts *a, const lc_generation_facts *b)
{
    return a->relative == b->relative && a->population == b->population &&
           a->width_cells == b->width_cells && a->height_cells == b->height_cells &&
           a->background == b->background;
}

// Adds generation `now` to the table. Returns the first generation like it; `now` if there is none.
static uint64_t add_seen(lc_track *t)
{
    const lc_generation_facts *facts_now = &t->history[t->now];
    size_t at = facts_now->relative % t->seen_room;
    for (; t->seen[at] != UINT32_MAX; at = (at + 1) % t->seen_room)
        if (are_alike(&t->history[t->seen[at]], facts_now))
            return t->seen[at];
    t->seen[at] = (uint32_t)t->now;
    return t->now;
}

// Records the facts of generation `now`.
static lc_status observe(lc_track *t, lc_message *message)
{
    lc_facts facts;
    if (!reserve(t))
        return lc_fail_memory(message, "the facts of %llu generations", (unsigned long long)t->now);
    const lc_status status = lc_universe_facts(t->universe, LC_FACT_ALL, &facts, message);
    if (status != LC_OK)
        return status;
    lc_generation_facts *facts_now = &t->history[t->now];
    *facts_now = (lc_generation_facts){.hash = facts.hash,
                                       .relative = facts.hash,
                                       .x = facts.box.x,
                                       .y = facts.box.y,
                                       .width_cells = facts.box.width_cells,
                                       .height_cells = facts.box.height_cells,
                                       .background = lc_universe_background(t->universe)};
    if (!lc_count_to_u64(facts.population, &facts_now->population) || facts.is_far)
        return lc_fail(message, LC_ERROR_LIMIT, "the pattern is too large to be identified");
    const lc_topology *topology = lc_universe_topology(t->universe);
    facts_now->relative = lc_hash_moved(facts.hash, topology->width_cells == 0 ? -facts_now->x : 0,
                                        topology->height_cells == 0 ? -facts_now->y : 0);
    return LC_OK;
}

lc_status lc_track_step(lc_track *track, lc_message *message)
{
    lc_status status = lc_check_give_up(message);
    if (status == LC_OK)
        status = lc_universe_step(track->universe, lc_count_of(1), NULL, NULL, message);
    if (status != LC_OK)
        return status;
    track->now++;
    status = observe(track, message);
    if (status == LC_OK)
        (void)add_seen(track);
    return status;
}

lc_status lc_track_advance(lc_track *track, uint64_t generations, lc_message *message)
{
    if (generations > track->generations_max - track->now)
        return LC_ERROR_LIMIT;
    lc_status status = LC_OK;
    for (uint64_t i = 0; i < generations && status == LC_OK; i++)
        status = lc_track_step(track, message);
    return status;
}

// ---- the ends -----------------------------------------------------------------------------------

// Returns whether a generation looks like the one a period later, (dx, dy) away.
static bool looks_so(const lc_track *t, uint64_t at, uint64_t period, int64_t dx, int64_t dy)
{
    const lc_generation_facts *a = &t->history[at], *b = &t->history[at + period];
    return are_alike(a, b) && b->x - a->x == dx && b->y - a->y == dy;
}

// The pattern looks as it did in generation `first`. Steps it for another period, and compares the
// cells. Some generations were not looked up while they were made, so there may be a shorter
// period, and an earlier beginning.
static lc_status check_repeats(lc_track *t, uint64_t first, lc_message *message)
{
    uint64_t second = first + 1;
    while (second < t->now && !are_alike(&t->history[first], &t->history[second]))
        second++;
    const uint64_t period = second - first;
    const int64_t dx = t->history[second].x - t->history[first].x;
    const int64_t dy = t->history[second].y - t->history[first].y;
    while (first > 0 && looks_so(t, first - 1, period, dx, dy))
        first--;
    lc_live later = {0};
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    for (uint64_t i = 0; i < period && status == LC_OK; i++)
        status = lc_track_step(t, message);
    if (status == LC_OK)
        status = lc_universe_live(t->universe, t->cells_max, &later, message);
    if (status == LC_OK && lc_live_equal(&t->live, &later, dx, dy)) {
        t->end = LC_END_REPEATS;
        t->settles = first;
        t->period = period;
        t->dx = dx;
        t->dy = dy;
    }
    lc_live_free(&later);
    return status;
}

uint64_t lc_track_steady_period(const lc_track *t, uint64_t most)
{
    for (uint64_t period = 1; period <= most && 2 * period + STEADY <= t->now; period++) {
        const uint64_t length = period + STEADY;
        uint64_t i = 0;
        while (i < length &&
               t->history[t->now - i].population == t->history[t->now - i - period].population)
            i++;
        if (i == length)
            return period;
    }
    return 0;
}

// Divides the cells into objects. If they are all known and never meet, goes back to the first
// generation from which that is so. If they all move alike, the pattern repeats itself as a whole;
// then it is stepped until a whole period was observed.
static lc_status check_objects(lc_track *t, uint64_t limit, lc_message *message)
{
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    if (status == LC_ERROR_LIMIT)
        return LC_OK; // then nothing is known of its objects
    if (status == LC_OK)
        status = lc_objects_find(&t->objects, &t->fates, &t->live, limit);
    if (status == LC_ERROR_LIMIT)
        return LC_OK;
    if (status == LC_ERROR_MEMORY)
        return lc_fail_memory(message, "objects");
    if (status != LC_OK || t->objects.active.count != 0 || lc_objects_will_meet(&t->objects))
        return status;
    uint64_t first = t->now;
    while (first > 0 && lc_objects_hash(&t->objects, -(int64_t)(t->now - (first - 1))) ==
                            t->history[first - 1].hash)
        first--;
    t->settles = first;
    t->period = t->objects.period;
    const bool is_whole = lc_objects_move_alike(&t->objects, &t->dx, &t->dy);
    if (is_whole && t->period <= t->generations_max - first) {
        t->end = LC_END_REPEATS;
        return t->now - first < t->period
                   ? lc_track_advance(t, t->period - (t->now - first), message)
                   : LC_OK;
    }
    t->end = LC_END_SETTLES;
    return LC_OK;
}

// Returns whether the sides of the box have hardly moved for a while.
static bool has_steady_box(const lc_track *t)
{
    const lc_generation_facts *now = &t->history[t->now], *before = &t->history[t->now - STEADY];
    const int64_t left = now->x - before->x, top = now->y - before->y;
    const int64_t right = left + now->width_cells - before->width_cells;
    const int64_t bottom = top + now->height_cells - before->height_cells;
    const int64_t moves[] = {left, top, right, bottom};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i] > BOX_SLACK || moves[i] < -BOX_SLACK)
            return false;
    return true;
}

// Asks for objects with longer and longer periods, as long as most cells are in objects that were
// found.
static lc_status check_longer_and_longer(lc_track *t, lc_message *message)
{
    lc_status status = LC_OK;
    for (uint64_t longest = PERIOD_BRIEF; longest <= PERIOD_BOX; longest *= 2) {
        status = check_objects(t, longest, message);
        if (status != LC_OK || t->end != LC_END_LIMIT ||
            4 * t->objects.active.count > t->live.count)
            break;
    }
    return status;
}

// Asks for objects when the population has become periodic. Now and then it looks for long periods,
// too, and asks if the box is steady: many oscillators together have a period that is too long to
// be seen. A population can be constant although an object's period is long, so each check that
// fails makes the next one look for longer periods of objects.
static lc_status check_whether_settled(lc_track *t, lc_message *message)
{
    uint64_t period = 0;
    if (t->now >= t->next_thorough) {
        t->next_thorough = t->now + t->now / 4;
        period = lc_track_steady_period(t, t->now / 3);
    } else if (t->now >= t->next_box) {
        t->next_box = 4 * t->now;
        return has_steady_box(t) ? check_longer_and_longer(t, message) : LC_OK;
    } else if (t->now >= t->next_objects) {
        t->next_objects = t->now + BETWEEN_CHECKS;
        period = lc_track_steady_period(t, PERIOD_BRIEF);
    }
    if (period == 0)
        return LC_OK;
    const uint64_t longest = 2 * period > t->longest ? 2 * period : t->longest;
    t->next_objects = t->now + STEADY + t->now / (longest < PERIOD_MAX ? 16 : 2);
    t->longest = 2 * t->longest < PERIOD_MAX ? 2 * t->longest : PERIOD_MAX;
    return check_objects(t, longest < PERIOD_MAX ? longest : PERIOD_MAX, message);
}

// Takes the copy of the first generation whose first cell is cell i. Returns false if some of its
// cells are not there, or belong to another copy.
static bool take_copy(const lc_track *t, size_t i, bool *taken)
{
    const int64_t dx = t->live.at[i].x - t->start.at[0].x, dy = t->live.at[i].y - t->start.at[0].y;
    for (size_t k = 0; k < t->start.count; k++) {
        const lc_live_cell cell = {t->start.at[k].x + dx, t->start.at[k].y + dy};
        while (i < t->live.count && lc_live_compare(&t->live.at[i], &cell) < 0)
            i++;
        if (i == t->live.count || lc_live_compare(&t->live.at[i], &cell) != 0 || taken[i])
            return false;
        taken[i] = true;
    }
    return true;
}

// Whether the cells are copies of those of the first generation, which do not overlap.
static lc_status check_copies(lc_track *t, lc_message *message)
{
    const uint64_t population = t->history[t->now].population, copies = population / t->start.count;
    if (population % t->start.count != 0 || copies < 2 || copies > COPIES_MAX)
        return LC_OK;
    lc_status status = lc_universe_live(t->universe, t->cells_max, &t->live, message);
    if (status != LC_OK)
        return status == LC_ERROR_LIMIT ? LC_OK : status;
    bool *taken = lc_calloc(t->live.count, sizeof *taken);
    if (taken == NULL)
        return lc_fail_memory(message, "copies");
    size_t i = 0;
    while (i < t->live.count && (taken[i] || take_copy(t, i, taken)))
        i++;
    lc_free(taken);
    if (i == t->live.count) {
        t->end = LC_END_COPIES;
        t->period = t->now;
        t->copies = copies;
    }
    return LC_OK;
}

// Makes the checks that need an infinite plane.
static lc_status check_plane(lc_track *t, lc_message *message)
{
    lc_status status = check_whether_settled(t, message);
    if (status == LC_OK && t->end == LC_END_LIMIT && t->start.count != 0 && t->now <= COPIES_BY)
        status = check_copies(t, message);
    if (status == LC_OK && t->end == LC_END_LIMIT && t->now >= t->next_growth) {
        t->next_growth = t->now + t->now / 4;
        if (lc_track_grows(t))
            t->next_growth = 2 * t->now; // if it cannot be proved
    }
    return status;
}

// Begins to observe, unless settle.c has found the end.
static lc_status begin(lc_track *t, lc_message *message)
{
    lc_status status = t->is_free ? lc_track_settle(t, message) : LC_OK;
    if (status != LC_OK || t->end != LC_END_LIMIT)
        return status;
    status = observe(t, message);
    if (status == LC_OK && t->is_free && t->history[0].population <= COPIED_MAX)
        status = lc_universe_live(t->universe, COPIED_MAX, &t->start, message);
    return status;
}

lc_status lc_track_run(lc_track *track, lc_message *message)
{
    lc_track *t = track;
    lc_status status = LC_OK;
    if (t->history == NULL)
        status = begin(t, message);
    else if (t->end == LC_END_GROWS)
        t->end = LC_END_LIMIT;
    while (status == LC_OK && t->end == LC_END_LIMIT) {
        const uint64_t first = add_seen(t);
        if (first != t->now)
            status = check_repeats(t, first, message);
        else if (t->is_free)
            status = check_plane(t, message);
        else if (t->is_board)
            status = lc_board_check(t, message);
        t->work += t->history[t->now].population;
        t->is_over = t->now >= t->generations_max || t->work > WORK_MAX;
        if (t->end != LC_END_LIMIT || status != LC_OK || t->is_over)
            break;
        status = lc_track_step(t, message);
    }
    if (status == LC_OK && t->is_board && t->end == LC_END_REPEATS && !t->has_objects)
        status = lc_board_find_objects(t, message);
    if (status == LC_OK && t->end == LC_END_LIMIT && t->is_free)
        (void)lc_track_grows(t);
    return status;
}
