// The universe's thread. It steps, and serves the clients between two passes and during a long one.
//
//      commands -> a piece of stepping -> commands -> ...          nothing to step: waits
//                        |
//                        +-- between passes and in them: pictures and states that are due;
//                            a new command ends the piece
//
// So the thread never waits for a client, and no client waits longer than a fraction of a pass.
#include "simulation.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "now.h"
#include "obey.h"

static const uint64_t second_ns = 1000000000;

// The longest time to wait until a picture is shown. A hidden page draws none.
static const uint64_t wait_ns = 1000000000;

// The longest time for commands before stepping and showing go on.
static const uint64_t commands_ns = 20000000;

static void pause(lc_simulation *s)
{
    lc_pace_pause(&s->pace);
    lc_clients_update_soon(&s->clients);
}

static bool is_travelling(const lc_simulation *s)
{
    return s->travel.universe != NULL || s->travel.plays;
}

static bool rests(const lc_simulation *s)
{
    return !s->pace.running && s->player.way == 0 && !is_travelling(s);
}

// Serves the clients: sends pictures and states that are due. Cheap if none is.
static void attend(lc_simulation *s, uint64_t now_ns)
{
    uint64_t edits;
    if (lc_saver_has_written(&s->saver, &edits) && edits == s->session.edits_made) {
        lc_session_saved(&s->session);
        lc_clients_update_soon(&s->clients);
    }
    lc_clients_show(&s->clients, now_ns);
    const bool counted = lc_clients_count(&s->clients, now_ns);
    if (counted)
        lc_session_count(&s->session, s->clients.population_generation, s->clients.population);
    const bool dead = counted && lc_count_compare(s->clients.population, lc_count_of(0)) == 0 &&
                      !lc_session_makes_life(&s->session);
    if (dead && s->pace.running)
        pause(s); // a dead universe stays dead
    if (lc_settled_note(&s->settled, &s->session, counted, s->clients.population, rests(s), now_ns))
        lc_clients_update_soon(&s->clients);
    lc_clients_tell(&s->clients, now_ns);
}

// ---- callbacks ----------------------------------------------------------------------------------

// Returns whether to skip pictures because only that at the end of a piece is wanted. A long piece
// shows them, as progress.
static bool is_in_a_piece(const lc_simulation *s, uint64_t now_ns)
{
    return !s->pace.has_target && lc_count_compare(s->pace.every, lc_count_of(0)) > 0 &&
           now_ns - s->piece_ns < wait_ns;
}

static bool passed(void *context)
{
    lc_simulation *s = context;
    lc_hub_give_sign(s->hub);
    const uint64_t now_ns = lc_view_now_ns();
    const lc_count generation = lc_universe_generation(s->session.universe);
    lc_pace_passed(&s->pace, generation, now_ns);
    lc_clients_note(&s->clients);
    if (lc_clients_is_due(&s->clients, now_ns) && !is_in_a_piece(s, now_ns)) {
        lc_pace_sample(&s->pace, generation, now_ns);
        attend(s, now_ns);
        lc_pace_begin_pass(&s->pace, generation, s->pace.passes.end, lc_view_now_ns());
    }
    return !s->pace.running || s->settled.is_due ||
           atomic_load_explicit(&s->hub->interrupt, memory_order_relaxed);
}

// Called on the way to another generation.
static bool travelled(void *context)
{
    lc_simulation *s = context;
    lc_hub_give_sign(s->hub);
    const uint64_t now_ns = lc_view_now_ns();
    lc_clients_note(&s->clients);
    if (lc_clients_is_due(&s->clients, now_ns))
        attend(s, now_ns);
    return atomic_load_explicit(&s->hub->interrupt, memory_order_relaxed);
}

static bool in_a_pass(void *context)
{
    lc_simulation *s = context;
    lc_hub_give_sign(s->hub);
    attend(s, lc_view_now_ns());
    return atomic_load_explicit(&s->hub->urgent, memory_order_relaxed);
}

static void busy(void *context, const char *doing)
{
    lc_simulation *s = context;
    if (*doing != '\0') // the session's work begins; within other work, that work's text stays
        s->is_keeping = s->clients.busy[0] == '\0';
    if (s->is_keeping)
        lc_clients_busy(&s->clients, doing);
}

// ---- the thread --------------------------------------------------------------------------------

static void keep_origin(lc_simulation *s)
{
    lc_message message = {0};
    if (lc_session_keep_origin(&s->session, &message) != LC_OK)
        lc_clients_say_error(&s->clients, message.text);
}

// Returns whether to wait: each picture must be shown, and the last one has not been.
static bool waits_for_picture(lc_simulation *s, uint64_t now_ns)
{
    const bool in_pieces =
        !s->pace.has_target && lc_count_compare(s->pace.every, lc_count_of(0)) > 0;
    if (s->waited_revision != s->session.revision) {
        s->waited_revision = s->session.revision;
        s->waited_ns = now_ns;
    }
    s->waits = (in_pieces || s->travel.plays) && !lc_clients_is_shown(&s->clients) &&
               now_ns - s->waited_ns < wait_ns;
    return s->waits;
}

// Steps the generations that are allowed now. Returns the time of the thread's next work.
static uint64_t step(lc_simulation *s)
{
    lc_message message = {0};
    uint64_t wake_ns;
    const uint64_t now_ns = lc_view_now_ns();
    const lc_count before = lc_universe_generation(s->session.universe);
    if (waits_for_picture(s, now_ns))
        return s->waited_ns + wait_ns;
    const lc_count generations = lc_pace_allow(&s->pace, before, now_ns, &wake_ns);
    lc_pace_sample(&s->pace, before, now_ns);
    if (lc_count_compare(generations, lc_count_of(0)) == 0 && wake_ns != UINT64_MAX)
        return wake_ns;
    keep_origin(s);
    lc_count end = before;
    (void)lc_count_add(before, generations, &end);
    lc_pace_begin_pass(&s->pace, before, end, lc_view_now_ns());
    s->piece_ns = now_ns;
    lc_status status = lc_session_step(&s->session, generations, &message);
    lc_pace_end_passes(&s->pace);
    const lc_count generation = lc_universe_generation(s->session.universe);
    if (lc_count_compare(generation, before) != 0)
        lc_clients_note(&s->clients);
    if (status != LC_OK && status != LC_ERROR_STOPPED) {
        lc_clients_say_error(&s->clients, message.text);
        pause(s);
    } else if (lc_pace_is_over(&s->pace, generation)) {
        pause(s);
    }
    return 0;
}

// Shows the frame that is due. Returns the time of the thread's next work.
static uint64_t play(lc_simulation *s)
{
    lc_message message = {0};
    uint64_t frame, wake_ns;
    const uint64_t now_ns = lc_view_now_ns();
    const lc_timeline_place *place = &s->session.place;
    const uint64_t frames = lc_timeline_get_info(place->timeline)->frames;
    if (!lc_player_next(&s->player, place->frame, frames, now_ns, &frame, &wake_ns))
        return wake_ns;
    lc_status status = lc_session_show_frame(&s->session, frame, &message);
    lc_clients_note(&s->clients);
    if (status != LC_OK)
        lc_clients_say_error(&s->clients, message.text);
    if (status != LC_OK || lc_player_is_over(&s->player, s->player.way, frame, frames)) {
        lc_player_pause(&s->player);
        lc_clients_forget_facts(&s->clients);
        lc_clients_update_soon(&s->clients);
    }
    return 0;
}

// Continues to another generation, or plays backwards. Returns the time of the thread's next work.
static uint64_t travel(lc_simulation *s)
{
    lc_message message = {0};
    lc_status status;
    const uint64_t now_ns = lc_view_now_ns();
    uint64_t due_ns = 0;
    if (s->travel.universe != NULL) {
        bool arrived;
        status = lc_travel_work(&s->travel, &arrived, &message);
        if (arrived && !s->travel.plays)
            lc_clients_update_soon(&s->clients);
    } else {
        if (waits_for_picture(s, now_ns))
            return s->waited_ns + wait_ns;
        due_ns =
            lc_travel_play(&s->travel, lc_pace_generations(&s->pace), now_ns, &status, &message);
        if (!s->travel.plays)
            lc_clients_update_soon(&s->clients);
    }
    lc_clients_note(&s->clients);
    if (status != LC_OK)
        lc_clients_say_error(&s->clients, message.text);
    return due_ns;
}

// Waits for commands and clients until `wake_ns`.
static void wait_until(lc_hub *hub, uint64_t wake_ns)
{
    const struct timespec until = {(time_t)(wake_ns / second_ns), (long)(wake_ns % second_ns)};
    pthread_mutex_lock(&hub->mutex);
    int result = 0;
    atomic_store(&hub->waits, true);
    while (result == 0 && !hub->attention && !hub->clients_changed && !atomic_load(&hub->interrupt))
        result = wake_ns == UINT64_MAX ? pthread_cond_wait(&hub->changed, &hub->mutex)
                                       : pthread_cond_timedwait(&hub->changed, &hub->mutex, &until);
    hub->attention = false;
    lc_hub_give_sign(hub);
    atomic_store(&hub->waits, false);
    pthread_mutex_unlock(&hub->mutex);
}

// Executes commands, for a limited time: clients that only watch could send more and more.
static void obey_all(lc_simulation *s)
{
    const uint64_t end_ns = lc_view_now_ns() + commands_ns;
    lc_queued *queued;
    while (lc_view_now_ns() < end_ns && (queued = lc_hub_take(s->hub)) != NULL) {
        lc_obey(&s->session, &s->pace, &s->player, &s->travel, &s->clients, &s->saver,
                &s->identifier, queued->client, &queued->command);
        lc_queued_free(queued);
    }
}

static void *live(void *context)
{
    lc_simulation *s = context;
    for (;;) {
        lc_hub_give_sign(s->hub);
        obey_all(s);
        if (lc_hub_is_over(s->hub)) {
            atomic_store(&s->has_ended, true);
            return NULL;
        }
        if (s->settled.is_due)
            lc_settled_begin(&s->settled, &s->session, lc_view_now_ns());
        s->waits = false;
        const uint64_t due_ns = s->pace.running      ? step(s)
                                : s->player.way != 0 ? play(s)
                                : is_travelling(s)   ? travel(s)
                                                     : UINT64_MAX;
        const uint64_t now_ns = lc_view_now_ns();
        attend(s, now_ns);
        if (due_ns == 0 || s->settled.is_due || (s->waits && lc_clients_is_shown(&s->clients)))
            continue;
        uint64_t wake_ns = lc_clients_next_ns(&s->clients, now_ns);
        const uint64_t settled_ns = lc_settled_next_ns(&s->settled, &s->session, rests(s));
        wake_ns = settled_ns < wake_ns ? settled_ns : wake_ns;
        wait_until(s->hub, due_ns < wake_ns ? due_ns : wake_ns);
        lc_clients_waited(&s->clients, lc_view_now_ns() - now_ns);
    }
}

lc_status lc_simulation_start(lc_simulation *s, lc_hub *hub, const lc_viewer_options *options,
                              lc_universe *universe, lc_message *message)
{
    const lc_session_calls calls = {
        .passed = passed, .in_a_pass = in_a_pass, .busy = busy, .context = s};
    lc_status status = lc_session_create(&s->session, options, &calls, universe, message);
    if (status != LC_OK)
        return status;
    const bool plays = options->running && options->timeline != NULL;
    lc_pace_create(&s->pace, options->running && !plays && !s->session.on_disk,
                   lc_universe_generation(universe), lc_view_now_ns());
    const double asked = options->speed;
    if (asked > 0)
        lc_pace_set_speed(&s->pace, asked < HUGE_VAL ? asked : 0, lc_universe_generation(universe),
                          lc_view_now_ns());
    else
        lc_pace_suit(&s->pace, lc_session_speed(&s->session), lc_universe_generation(universe),
                     lc_view_now_ns());
    lc_player_create(&s->player);
    if (plays)
        lc_player_play(&s->player, 1, lc_view_now_ns());
    lc_travel_create(&s->travel, &s->session, travelled, s);
    lc_clients_create(&s->clients, hub, &s->session, &s->pace, &s->player, &s->travel, &s->settled);
    lc_saver_create(&s->saver, hub);
    lc_settled_create(&s->settled, hub);
    lc_identifier_create(&s->identifier, hub);
    s->hub = hub;
    s->started = pthread_create(&s->thread, NULL, live, s) == 0;
    if (s->started)
        return LC_OK;
    lc_session_close(&s->session);
    lc_clients_close(&s->clients);
    return lc_fail(message, LC_ERROR_SYSTEM, "no thread can be started");
}

static void ask_to_end(lc_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    hub->stop = true;
    atomic_store(&hub->interrupt, true);
    atomic_store(&hub->urgent, true);
    pthread_cond_signal(&hub->changed);
    pthread_mutex_unlock(&hub->mutex);
}

bool lc_simulation_end(lc_simulation *s, uint64_t patience_ns)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    uint64_t heard_ns = lc_view_now_ns(), last = atomic_load(&s->hub->signs);
    if (!s->started)
        return true;
    ask_to_end(s->hub);
    while (!atomic_load(&s->has_ended)) {
        const uint64_t now_ns = lc_view_now_ns(), signs = atomic_load(&s->hub->signs);
        heard_ns = signs != last ? now_ns : heard_ns;
        last = signs;
        if (now_ns - heard_ns > patience_ns)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

lc_universe *lc_simulation_stop(lc_simulation *s)
{
    uint64_t edits;
    if (!s->started)
        return NULL;
    ask_to_end(s->hub);
    pthread_join(s->thread, NULL);
    s->started = false;
    if (lc_saver_has_written(&s->saver, &edits) && edits == s->session.edits_made)
        lc_session_saved(&s->session);
    s->was_unsaved = s->session.unsaved;
    memcpy(s->name, s->session.name, sizeof s->name);
    lc_saver_close(&s->saver);
    lc_identifier_close(&s->identifier);
    lc_settled_close(&s->settled);
    lc_clients_close(&s->clients);
    lc_travel_stop(&s->travel);
    return lc_session_close(&s->session);
}
