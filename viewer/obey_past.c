// Commands about other generations: travel, playing backwards, the population.
#include "now.h"
#include "order.h"

// Stops the run and the timeline.
static void stop_running(order *o)
{
    lc_pace_pause(o->pace);
    lc_player_pause(o->player);
    lc_clients_update_soon(o->clients);
}

static lc_status travel(order *o, lc_count to)
{
    stop_running(o);
    keep_edited(o, lc_session_keep_origin);
    return lc_travel_go(o->travel, to, lc_view_now_ns(), &o->message);
}

// Goes at most to the last generation of the history. Later ones have never been computed, and need
// steps.
lc_status lc_obey_go(order *o)
{
    const lc_count first = lc_travel_first(o->travel), last = lc_travel_last(o->travel);
    lc_count to = o->command->generations;
    to = lc_count_compare(to, first) < 0 ? first : to;
    to = lc_count_compare(to, last) > 0 ? last : to;
    if (lc_count_compare(to, lc_travel_aim(o->travel)) != 0)
        return travel(o, to);
    if (o->travel->universe == NULL)
        lc_travel_stop(o->travel);
    stop_running(o);
    return LC_OK;
}

lc_status lc_obey_back(order *o)
{
    const lc_count first = lc_travel_first(o->travel), from = lc_travel_aim(o->travel);
    lc_count to;
    if (lc_count_compare(from, first) <= 0)
        return refuse(o, "this is the first generation that is known");
    if (!lc_count_subtract(from, o->command->generations, &to) || lc_count_compare(to, first) < 0)
        to = first;
    return travel(o, to);
}

// Returns the generations that each picture goes back: as many as it went forward. If the user has
// set none, so many that about thirty pictures a second show all of them, or, at full speed, that
// the whole history passes in some seconds.
static lc_count rewind_stride(const order *o)
{
    const lc_count now = lc_universe_generation(o->session->universe);
    const lc_count first = lc_travel_first(o->travel);
    lc_count stride = lc_count_of(1);
    if (lc_count_compare(o->pace->every, lc_count_of(0)) > 0)
        return o->pace->every;
    const int whole = lc_count_log2(lc_count_distance(first, now)) - 8;
    int log2 = o->pace->speed == 0 ? whole : -1;
    for (double rate = o->pace->speed; rate >= 60; rate /= 2)
        log2++;
    if (o->pace->speed > 0)
        log2++;
    if (log2 > 0)
        lc_count_shift_left(stride, (unsigned)log2, &stride);
    return stride;
}

lc_status lc_obey_rewind(order *o)
{
    if (lc_count_compare(lc_universe_generation(o->session->universe),
                         lc_travel_first(o->travel)) <= 0)
        return refuse(o, "this is the first generation that is known");
    stop_running(o);
    keep_edited(o, lc_session_keep_origin);
    lc_travel_rewind(o->travel, rewind_stride(o), lc_view_now_ns());
    return LC_OK;
}

// Answers with the population of the generations that can be reached.
lc_status lc_obey_past(order *o)
{
    const lc_history *history = &o->session->history;
    json_t *points = json_array();
    for (size_t i = 0; i < history->point_count; i++) {
        json_array_append_new(points, lc_reply_count(history->points[i].generation));
        json_array_append_new(points, lc_reply_count(history->points[i].population));
    }
    json_t *object = lc_reply("past", o->command);
    json_object_set_new(object, "line", json_integer((json_int_t)history->line));
    json_object_set_new(object, "points", points);
    answer(o, object);
    return LC_OK;
}
