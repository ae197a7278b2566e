// Goes to another generation.
#include "travel.h"

#include <math.h>

#include "now.h"

// Time of one turn; and age up to which a travel arrives before the next target replaces it.
static const uint64_t turn_ns = 20000000, patience_ns = 300000000;

// PIECES_LOG2: a piece is usually 1/2^4 of the rest of the way, so that the last snapshots are one
// generation apart. EVEN_LOG2: ways below 2^10 generations progress so evenly that their time can
// be predicted. NEAR: this many generations before the end a snapshot is always taken: no engine
// takes longer for them than for one pass.
enum { PIECES_LOG2 = 4, EVEN_LOG2 = 10, NEAR = 64 };

void lc_travel_create(lc_travel *travel, lc_session *session, bool (*passed)(void *context),
                      void *context)
{
    *travel = (lc_travel){.session = session, .passed = passed, .context = context};
}

// Cancels the travel.
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
    return lc_universe_generation(travel->session->universe);
}

lc_count lc_travel_first(const lc_travel *travel)
{
    const lc_history *history = &travel->session->history;
    return history->era_count > 0 ? history->eras[0].from : here(travel);
}

lc_count lc_travel_last(const lc_travel *travel)
{
    const lc_history *history = &travel->session->history;
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
    travel->speed = 0;
    lc_status status =
        lc_session_depart(travel->session, &travel->to, &travel->universe, &travel->era, message);
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

// Returns the number of generations to step before the next snapshot: a power of two, which suits
// all engines. If snapshots of a large universe take long, the next one may be due much later.
// Short pieces would then only cost time: each goes through all of memory once.
static lc_count piece(const lc_travel *travel, lc_count left)
{
    lc_count result = lc_count_of(1);
    const int most_log2 = lc_count_log2(left);
    int log2 = most_log2 - PIECES_LOG2;
    const double wait_ns = (double)lc_snapshot_wait_ns(&travel->session->schedule);
    const double until_then = travel->speed * wait_ns;
    if (travel->session->is_too_large ||
        (most_log2 < EVEN_LOG2 && until_then >= lc_count_to_double(left)))
        return left;
    while (log2 < most_log2 - 1 && ldexp(1, log2 + 1) <= until_then)
        log2++;
    if (log2 > 0)
        lc_count_shift_left(result, (unsigned)log2, &result);
    return result;
}

// Steps one piece.
static lc_status go_on(lc_travel *travel, lc_message *message)
{
    const lc_count at = lc_universe_generation(travel->universe), near = lc_count_of(NEAR);
    const lc_count left = lc_count_distance(at, travel->to);
    lc_count until_near;
    const bool is_far = lc_count_compare(left, near) > 0;
    (void)lc_count_subtract(left, near, &until_near);
    const uint64_t begin_ns = lc_view_now_ns();
    lc_status status = lc_universe_step(travel->universe, piece(travel, is_far ? until_near : left),
                                        passed, travel, message);
    const lc_count now = lc_universe_generation(travel->universe);
    const uint64_t took_ns = lc_view_now_ns() - begin_ns;
    if (status == LC_OK)
        travel->speed =
            lc_count_to_double(lc_count_distance(at, now)) / (double)(took_ns > 0 ? took_ns : 1);
    if (status == LC_OK || status == LC_ERROR_STOPPED)
        lc_session_keep_on_the_way(travel->session, travel->universe, travel->era, travel->to,
                                   lc_count_compare(lc_count_distance(now, travel->to), near) == 0);
    return status;
}

static lc_status arrive(lc_travel *travel, bool *arrived, uint64_t now_ns, lc_message *message)
{
    lc_universe *universe = travel->universe;
    travel->universe = NULL;
    bool passed_edit;
    // Playing may pass many edits. Undo goes back to before the first one that it passed.
    const bool keeps = !travel->plays || !travel->has_passed;
    const lc_status kept =
        lc_session_arrive(travel->session, universe, travel->era, keeps, &passed_edit, message);
    travel->has_passed = travel->has_passed || passed_edit;
    *arrived = true;
    if (!travel->has_next)
        return kept;
    travel->has_next = false;
    if (lc_count_compare(travel->next, here(travel)) == 0)
        return kept;
    const lc_status status = depart(travel, travel->next, now_ns, message);
    if (status == LC_OK)
        return kept;
    lc_travel_stop(travel);
    return status;
}

lc_status lc_travel_work(lc_travel *travel, bool *arrived, lc_message *message)
{
    const uint64_t end_ns = lc_view_now_ns() + turn_ns;
    uint64_t now_ns;
    lc_status status = LC_OK;
    *arrived = false;
    do {
        const lc_count at = lc_universe_generation(travel->universe);
        if (lc_count_compare(at, travel->to) >= 0)
            return arrive(travel, arrived, lc_view_now_ns(), message);
        status = go_on(travel, message);
        now_ns = lc_view_now_ns();
    } while (status == LC_OK && now_ns < end_ns);
    if (status == LC_ERROR_STOPPED)
        return LC_OK; // it continues in its next turn
    if (status != LC_OK)
        lc_travel_stop(travel);
    return status;
}

// ---- playing -----------------------------------------------------------------------------------

void lc_travel_rewind(lc_travel *travel, lc_count stride, uint64_t now_ns)
{
    leave(travel);
    travel->plays = true;
    travel->has_passed = false;
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
