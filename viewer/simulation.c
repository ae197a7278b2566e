// The universe's thread: it steps, and between two passes, or in the middle of a long one, attends
// to the clients.
//
//      commands -> a piece of stepping -> commands -> ...          nothing to step: waits
//                        |
//                        +-- between passes and in them: pictures and states that are due;
//                            a command that has come ends the piece
//
// So it never waits for a client, and no client waits longer than a fraction of a pass.
#include "simulation.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t second_ns = 1000000000;

// How often a long pass is interrupted for the clients.
static const uint64_t watch_interval_ns = 6000000;

// How long commands are obeyed before stepping and showing go on.
static const uint64_t commands_ns = 20000000;

// Bytes of edits that can be undone; and the memory of the largest edited universe that is kept
// before it is stepped, which takes less than a second.
static const size_t edits_bytes = (size_t)256 << 20;
static const uint64_t keep_bytes = (uint64_t)256 << 20;

uint64_t lc_simulation_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

void lc_simulation_restart_pace(lc_simulation *s)
{
    s->pace_ns = lc_simulation_now_ns();
    s->pace_generation = lc_universe_generation(s->universe);
    s->sample_count = 0;
}

static void take_sample(lc_simulation *s, uint64_t now_ns)
{
    const int last = (s->sample_count + LC_RATE_SAMPLES - 1) % LC_RATE_SAMPLES;
    if (s->sample_count > 0 && now_ns - s->samples[last].ns < second_ns / 8)
        return;
    const int next = s->sample_count++ % LC_RATE_SAMPLES;
    s->samples[next].ns = now_ns;
    s->samples[next].generation = lc_universe_generation(s->universe);
}

static bool between_passes(void *context, const lc_universe *universe, uint64_t done,
                           uint64_t total)
{
    lc_simulation *s = context;
    (void)universe;
    (void)done;
    (void)total;
    const uint64_t now_ns = lc_simulation_now_ns();
    s->revision++;
    s->state_changed = true;
    if (now_ns >= s->attention_ns) {
        take_sample(s, now_ns);
        lc_show(s, now_ns);
    }
    return !s->running || atomic_load_explicit(&s->hub->interrupt, memory_order_relaxed);
}

static bool in_a_pass(void *context, const lc_universe *universe)
{
    lc_simulation *s = context;
    (void)universe;
    s->part++;
    lc_show(s, lc_simulation_now_ns());
    return atomic_load_explicit(&s->hub->urgent, memory_order_relaxed);
}

// Keeps the universe as it is now in `kept`, if that does not take long; tells the clients if it
// cannot be done.
static bool keep_edited(lc_simulation *s, lc_origin *kept, const char *consequence)
{
    lc_message message = {0};
    lc_status status = LC_ERROR_LIMIT;
    if (lc_universe_memory_bytes(s->universe) <= keep_bytes) {
        lc_show_busy(s, "keeping what was edited%s", "");
        status = lc_origin_keep(kept, &s->folder, s->universe, &message);
        lc_show_busy(s, "%s", "");
    } else {
        lc_fail(&message, status, "the universe is too large to keep what was edited: %s",
                consequence);
    }
    if (status != LC_OK)
        lc_show_all(s, lc_say_error(NULL, message.text));
    return status == LC_OK;
}

void lc_simulation_leave_origin(lc_simulation *s)
{
    const bool edited = s->at_origin && s->edited;
    s->at_origin = s->edited = false;
    if (edited)
        keep_edited(s, &s->origin, "a reset will go back to before the edits");
}

void lc_simulation_keep_edits(lc_simulation *s)
{
    if (s->undoable)
        s->has_before = keep_edited(s, &s->before, "the edits can no longer be undone");
}

// How many generations may be stepped now; 0: none before *wake_ns.
static uint64_t allowance(lc_simulation *s, uint64_t now_ns, uint64_t *wake_ns)
{
    const uint64_t generation = lc_universe_generation(s->universe);
    uint64_t most = UINT64_MAX - generation;
    *wake_ns = UINT64_MAX;
    if (s->has_target)
        most = s->target - generation;
    else if (most > 1 << 20)
        most = 1 << 20; // an empty universe does that many in no time
    if (s->speed == 0 || s->has_target)
        return most;
    // What should have been done since the pace began; a delay is not made up for.
    const double elapsed = (double)(now_ns - s->pace_ns) * 1e-9;
    const double due = elapsed * s->speed + 1 - (double)(generation - s->pace_generation);
    const double slack = s->speed * 0.1 + 1;
    if (due > slack) {
        s->pace_ns = now_ns;
        s->pace_generation = generation;
        return (uint64_t)slack < most ? (uint64_t)slack : most;
    }
    if (due < 1) {
        *wake_ns = now_ns + (uint64_t)((1 - due) / s->speed * 1e9) + 1;
        return 0;
    }
    return (uint64_t)due < most ? (uint64_t)due : most;
}

void lc_simulation_pause(lc_simulation *s)
{
    s->running = s->has_target = false;
    lc_show_soon(s);
}

// Steps what is allowed now. Returns when the thread has to do something else.
static uint64_t step(lc_simulation *s)
{
    lc_message message = {0};
    uint64_t wake_ns;
    const uint64_t now_ns = lc_simulation_now_ns();
    const uint64_t before = lc_universe_generation(s->universe);
    const uint64_t generations = allowance(s, now_ns, &wake_ns);
    take_sample(s, now_ns);
    if (generations == 0 && wake_ns != UINT64_MAX)
        return wake_ns;
    const bool at_origin = s->at_origin;
    lc_simulation_leave_origin(s);
    if (s->undoable) {
        lc_edits_forget(s->edits);
        s->undoable = false;
    }
    lc_status status = lc_universe_step(s->universe, generations, between_passes, s, &message);
    if (lc_universe_generation(s->universe) != before) {
        s->revision++;
        s->state_changed = true;
    } else {
        s->at_origin = at_origin; // a pass that was abandoned
    }
    if (status != LC_OK && status != LC_ERROR_STOPPED) {
        lc_show_all(s, lc_say_error(NULL, message.text));
        lc_simulation_pause(s);
    } else if (s->has_target && lc_universe_generation(s->universe) >= s->target) {
        lc_simulation_pause(s);
    } else if (!s->has_target && lc_universe_generation(s->universe) == UINT64_MAX) {
        lc_simulation_pause(s);
    }
    return 0;
}

// Waits for commands and clients until then.
static void wait_until(lc_hub *hub, uint64_t wake_ns)
{
    const struct timespec until = {(time_t)(wake_ns / second_ns), (long)(wake_ns % second_ns)};
    pthread_mutex_lock(&hub->mutex);
    int result = 0;
    while (result == 0 && !hub->attention && !hub->clients_changed && !atomic_load(&hub->interrupt))
        result = wake_ns == UINT64_MAX ? pthread_cond_wait(&hub->changed, &hub->mutex)
                                       : pthread_cond_timedwait(&hub->changed, &hub->mutex, &until);
    hub->attention = false;
    pthread_mutex_unlock(&hub->mutex);
}

// Does what clients ask for, but not endlessly: clients that only watch could ask for more and
// more.
static void obey_all(lc_simulation *s)
{
    const uint64_t end_ns = lc_simulation_now_ns() + commands_ns;
    lc_queued *queued;
    while (lc_simulation_now_ns() < end_ns && (queued = lc_hub_take(s->hub)) != NULL) {
        lc_obey(s, queued->client, &queued->command);
        lc_queued_free(queued);
    }
}

static void *live(void *context)
{
    lc_simulation *s = context;
    lc_simulation_restart_pace(s);
    for (;;) {
        obey_all(s);
        if (lc_hub_is_over(s->hub))
            return NULL;
        const uint64_t due_ns = s->running ? step(s) : UINT64_MAX;
        uint64_t now_ns = lc_simulation_now_ns();
        lc_show(s, now_ns);
        if (due_ns == 0)
            continue;
        const uint64_t show_ns = lc_show_next_ns(s, now_ns);
        wait_until(s->hub, due_ns < show_ns ? due_ns : show_ns);
    }
}

lc_status lc_simulation_start(lc_simulation *s, lc_hub *hub, const lc_viewer_options *options,
                              lc_universe *universe, lc_message *message)
{
    *s = (lc_simulation){.hub = hub,
                         .options = options,
                         .revision = 1,
                         .origin = {.kind = LC_ORIGIN_CALLER,
                                    .reopen = options->reopen,
                                    .context = options->context},
                         .at_origin = true,
                         .edited = options->reopen == NULL, // to be kept before it is stepped
                         .running = options->running,
                         .state_changed = true};
    strncpy(s->name, options->name, sizeof s->name - 1);
    s->comments = strdup(options->comments != NULL ? options->comments : "");
    lc_status status =
        s->comments != NULL ? lc_edits_create(&s->edits, edits_bytes) : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_library_create(&s->library, options->patterns_folder, NULL);
    if (status != LC_OK) {
        lc_simulation_stop(s);
        return lc_fail(message, status, "there is no memory for a viewer");
    }
    s->universe = universe;
    lc_universe_set_watch(universe, in_a_pass, s, watch_interval_ns);
    if (pthread_create(&s->thread, NULL, live, s) != 0) {
        s->universe = NULL;
        lc_simulation_stop(s);
        return lc_fail(message, LC_ERROR_SYSTEM, "no thread can be started");
    }
    s->started = true;
    return LC_OK;
}

void lc_simulation_adopt(lc_simulation *s, lc_universe *universe)
{
    lc_universe_destroy(&s->universe);
    s->universe = universe;
    lc_universe_set_watch(universe, in_a_pass, s, watch_interval_ns);
    lc_edits_forget(s->edits);
    s->undoable = s->has_before = false;
    s->revision++;
    s->has_box = s->counted = false;
    s->next_population_ns = s->next_box_ns = 0;
    lc_simulation_pause(s);
    lc_simulation_restart_pace(s);
}

void lc_simulation_stop(lc_simulation *s)
{
    if (s->started) {
        pthread_mutex_lock(&s->hub->mutex);
        s->hub->stop = true;
        atomic_store(&s->hub->interrupt, true);
        atomic_store(&s->hub->urgent, true);
        pthread_cond_signal(&s->hub->changed);
        pthread_mutex_unlock(&s->hub->mutex);
        pthread_join(s->thread, NULL);
        s->started = false;
        lc_universe_set_watch(s->universe, NULL, NULL, 0);
    }
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        lc_clip_destroy(&s->watchers[i].clip);
    for (int i = 0; i < s->moment_count; i++)
        lc_origin_free(&s->moments[i].kept);
    s->moment_count = 0;
    lc_origin_free(&s->origin);
    lc_origin_free(&s->before);
    lc_folder_remove(&s->folder);
    lc_edits_destroy(&s->edits);
    lc_library_destroy(&s->library);
    free(s->comments);
    s->comments = NULL;
}
