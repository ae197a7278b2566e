// Going to another generation. See travel.h.
#include "travel.h"

#include "now.h"

// How long it goes on before others have their turn; and how long one that is on its way may take
// before another that was asked for takes its place.
static const uint64_t turn_ns = 20000000, patience_ns = 300000000;

// Pieces are this share of what is left, so that the last generations are kept one by one.
enum { PIECES_LOG2 = 4 };

void lc_travel_create(lc_travel *travel, lc_stage *stage, bool (*passed)(void *context),
                      void *context)
{
    *travel = (lc_travel){.stage = stage, .passed = passed, .context = context};
}

// What is on its way is given up.
static void leave(lc_travel *travel)
{
    lc_universe_destroy(&travel->universe);
    travel->has_next = false;
}

void lc_travel_stop(lc_travel *travel)
{
    leave(travel);
    travel->plays = false;
}

// ---- where -------------------------------------------------------------------------------------

static lc_count here(const lc_travel *travel)
{
    return lc_universe_generation(travel->stage->universe);
}

lc_count lc_travel_first(const lc_travel *travel)
{
    const lc_history *history = &travel->stage->history;
    return history->era_count > 0 ? history->eras[0].from : here(travel);
}

lc_count lc_travel_last(const lc_travel *travel)
{
    const lc_history *history = &travel->stage->history;
    const lc_count now = here(travel);
    const bool ahead = history->era_count > 0 && lc_count_compare(history->last, now) > 0;
    return ahead ? history->last : now;
}

lc_count lc_travel_aim(const lc_travel *travel)
{
    if (travel->universe == NULL)
        return here(travel);
    return travel->has_next ? travel->next : travel->to;
}

double lc_travel_share(const lc_travel *travel)
{
    if (travel->universe == NULL)
        return 0;
    const lc_count at = lc_universe_generation(travel->universe);
    const double whole = lc_count_to_double(lc_count_distance(travel->from, travel->to));
    const double done = lc_count_to_double(lc_count_distance(travel->from, at));
    return whole > 0 ? done / whole : 0;
}

// ---- going -------------------------------------------------------------------------------------

static lc_status depart(lc_travel *travel, lc_count to, uint64_t now_ns, lc_message *message)
{
    leave(travel);
    travel->to = to;
    travel->begin_ns = now_ns;
    lc_status status =
        lc_stage_depart(travel->stage, &travel->to, &travel->universe, &travel->era, message);
    if (status == LC_OK)
        travel->from = lc_universe_generation(travel->universe);
    return status;
}

lc_status lc_travel_go(lc_travel *travel, lc_count to, uint64_t now_ns, lc_message *message)
{
    travel->plays = false;
    if (travel->universe != NULL && now_ns - travel->begin_ns < patience_ns) {
        travel->has_next = true;
        travel->next = to;
        return LC_OK;
    }
    return depart(travel, to, now_ns, message);
}

static bool passed(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    const lc_travel *travel = context;
    (void)universe;
    (void)done;
    (void)total;
    return travel->passed(travel->context);
}

// How far to step before cells are kept again: a power of two, which every engine likes.
static lc_count piece(const lc_travel *travel, lc_count left)
{
    lc_count result = lc_count_of(1);
    const int log2 = lc_count_log2(left) - PIECES_LOG2;
    if (travel->stage->is_too_large)
        return left;
    if (log2 > 0)
        lc_count_shift_left(result, (unsigned)log2, &result);
    return result;
}

static lc_status arrive(lc_travel *travel, bool *arrived, uint64_t now_ns, lc_message *message)
{
    lc_universe *universe = travel->universe;
    travel->universe = NULL;
    lc_stage_arrive(travel->stage, universe, travel->era);
    *arrived = true;
    if (!travel->has_next)
        return LC_OK;
    travel->has_next = false;
    return lc_count_compare(travel->next, here(travel)) != 0
               ? depart(travel, travel->next, now_ns, message)
               : LC_OK;
}

lc_status lc_travel_work(lc_travel *travel, bool *arrived, lc_message *message)
{
    const uint64_t end_ns = lc_view_now_ns() + turn_ns;
    uint64_t now_ns;
    lc_status status = LC_OK;
    *arrived = false;
    do {
        const lc_count at = lc_universe_generation(travel->universe);
        if (lc_count_compare(at, travel->to) >= 0) {
            status = arrive(travel, arrived, lc_view_now_ns(), message);
            break;
        }
        status =
            lc_universe_step(travel->universe, piece(travel, lc_count_distance(at, travel->to)),
                             passed, travel, message);
        if (status == LC_OK || status == LC_ERROR_STOPPED)
            lc_stage_keep_on_the_way(travel->stage, travel->universe, travel->era, travel->to);
        now_ns = lc_view_now_ns();
    } while (status == LC_OK && now_ns < end_ns);
    if (status == LC_ERROR_STOPPED)
        return LC_OK; // it goes on in its next turn
    if (status != LC_OK)
        lc_travel_stop(travel);
    return status;
}

// ---- playing -----------------------------------------------------------------------------------

void lc_travel_rewind(lc_travel *travel, lc_count stride, uint64_t now_ns)
{
    leave(travel);
    travel->plays = true;
    travel->stride = stride;
    travel->due_ns = now_ns;
}

uint64_t lc_travel_play(lc_travel *travel, double speed, uint64_t now_ns, lc_status *status,
                        lc_message *message)
{
    const lc_count now = here(travel), first = lc_travel_first(travel);
    lc_count to;
    *status = LC_OK;
    if (now_ns < travel->due_ns)
        return travel->due_ns;
    if (lc_count_compare(now, first) <= 0) {
        travel->plays = false;
        return 0;
    }
    if (!lc_count_subtract(now, travel->stride, &to) || lc_count_compare(to, first) < 0)
        to = first;
    if (speed > 0) {
        const double interval_ns = lc_count_to_double(travel->stride) / speed * 1e9;
        travel->due_ns += interval_ns < 1e18 ? (uint64_t)interval_ns : (uint64_t)1e18;
        if (travel->due_ns < now_ns)
            travel->due_ns = now_ns;
    }
    *status = depart(travel, to, now_ns, message);
    if (*status != LC_OK)
        lc_travel_stop(travel);
    return 0;
}
