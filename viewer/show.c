// What the clients see: pictures, states, facts. There is a bound on how much of the thread's time
// each may take from stepping.
#include "simulation.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t second_ns = 1000000000;

// While the universe runs, the pictures of all clients together take at most a seventh of the time;
// or a third, if there would otherwise be fewer than twenty a second. Facts that need a pass over
// memory take a thirtieth.
enum { PICTURE_SHARE = 7, LARGEST_PICTURE_SHARE = 3, FACT_SHARE = 30 };
enum { LEAST_PICTURES = 20, STATES = 10 }; // a second

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// ---- pictures ----------------------------------------------------------------------------------

static void render(lc_simulation *s, lc_client client, const lc_look *look)
{
    lc_watcher *watcher = &s->watchers[client.slot];
    const int bits = look->scale == 0 ? 1 : 8;
    const size_t bytes =
        LC_FRAME_HEADER_BYTES + lc_frame_payload_bytes(bits, look->width, look->height);
    lc_message message = {0};
    lc_outgoing *frame = lc_hub_spare(s->hub, client);
    if (frame == NULL || frame->room_bytes < bytes) {
        free(frame);
        frame = lc_outgoing_create(bytes);
    }
    if (frame == NULL) {
        watcher->look_revision = 0; // so it is tried again
        return;
    }
    frame->size_bytes = bytes;
    frame->binary = frame->is_frame = true;
    frame->number = ++watcher->frames;
    frame->next = NULL;
    lc_frame_put_header(lc_outgoing_bytes(frame),
                        &(lc_frame_header){.kind = LC_FRAME_PICTURE,
                                           .bits = bits,
                                           .scale = look->scale,
                                           .number = watcher->frames,
                                           .x = look->x,
                                           .y = look->y,
                                           .width = (uint32_t)look->width,
                                           .height = (uint32_t)look->height,
                                           .generation = lc_universe_generation(s->universe),
                                           .look = look->number});
    const uint64_t begin_ns = lc_simulation_now_ns();
    lc_status status =
        lc_render(s->universe, look, lc_outgoing_bytes(frame) + LC_FRAME_HEADER_BYTES, &message);
    watcher->rendered_ns = lc_simulation_now_ns();
    watcher->render_ns = watcher->rendered_ns - begin_ns;
    watcher->shown_revision = s->revision;
    watcher->shown_part = s->part;
    if (status != LC_OK) {
        free(frame);
        lc_hub_say(s->hub, client, lc_say_error(NULL, message.text));
        return;
    }
    lc_hub_publish(s->hub, client, frame);
}

// How many clients currently get pictures.
static uint64_t lookers(const lc_simulation *s, uint64_t now_ns)
{
    uint64_t count = 0;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        count += s->watchers[i].serial != 0 && now_ns - s->watchers[i].rendered_ns < second_ns;
    return count;
}

// How long after a client's picture its next one may come. Each client has the same share of the
// time, so one with costly pictures slows only itself.
static uint64_t picture_interval(const lc_simulation *s, const lc_watcher *watcher,
                                 const lc_look *look, bool is_new)
{
    const uint64_t asked_ns = second_ns / (uint64_t)look->frames;
    if (!s->running)
        return asked_ns;
    const uint64_t cost_ns = watcher->render_ns * lookers(s, watcher->rendered_ns);
    const uint64_t moving_ns = greatest(asked_ns, cost_ns * LARGEST_PICTURE_SHARE);
    if (is_new) // somebody is moving the view
        return moving_ns;
    return greatest(
        asked_ns, least(cost_ns * PICTURE_SHARE, greatest(second_ns / LEAST_PICTURES, moving_ns)));
}

// Renders the picture of slot `index` if it is due; else returns when it will be, at the earliest.
static uint64_t show_picture(lc_simulation *s, int index, uint64_t now_ns)
{
    lc_client client;
    lc_look look;
    uint32_t look_revision;
    if (!lc_hub_wants_frame(s->hub, index, &client, &look, &look_revision))
        return UINT64_MAX;
    lc_watcher *watcher = &s->watchers[index];
    const bool is_new = watcher->look_revision != look_revision;
    const bool changed = watcher->shown_revision != s->revision ||
                         (lc_render_shows_passes(look.scale) && watcher->shown_part != s->part);
    if (watcher->serial != client.serial || (!is_new && !changed))
        return UINT64_MAX;
    if (now_ns < watcher->next_frame_ns)
        return watcher->next_frame_ns;
    watcher->look_revision = look_revision;
    render(s, client, &look);
    // Counted from when it was due, not from now, so that the rate asked for is kept.
    const uint64_t interval_ns = picture_interval(s, watcher, &look, is_new);
    watcher->next_frame_ns =
        greatest(watcher->next_frame_ns + interval_ns, now_ns + interval_ns / 2);
    return UINT64_MAX;
}

// ---- facts -------------------------------------------------------------------------------------

static bool anybody_follows(const lc_simulation *s)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (s->watchers[i].serial != 0 && s->watchers[i].follows)
            return true;
    return false;
}

static bool anybody(const lc_simulation *s)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (s->watchers[i].serial != 0)
            return true;
    return false;
}

static void find_facts(lc_simulation *s, uint64_t now_ns)
{
    if ((!s->counted || s->population_revision != s->revision) && now_ns >= s->next_population_ns &&
        anybody(s)) {
        s->population = lc_universe_population(s->universe);
        s->population_generation = lc_universe_generation(s->universe);
        s->population_revision = s->revision;
        s->counted = s->state_changed = true;
        if (s->running && s->population == 0 && !lc_rule_next(lc_universe_rule(s->universe), 0))
            lc_simulation_pause(s); // nothing can happen any more
        const uint64_t took_ns = lc_simulation_now_ns() - now_ns;
        s->next_population_ns = now_ns + greatest(took_ns * FACT_SHARE, second_ns / STATES);
    }
    if ((!s->has_box || s->box_revision != s->revision) && now_ns >= s->next_box_ns &&
        anybody_follows(s)) {
        const uint64_t begin_ns = lc_simulation_now_ns();
        s->box = lc_universe_bounding_box(s->universe);
        s->box_revision = s->revision;
        s->has_box = s->state_changed = true;
        const uint64_t took_ns = lc_simulation_now_ns() - begin_ns;
        s->next_box_ns = now_ns + greatest(took_ns * FACT_SHARE, second_ns / (2 * STATES));
    }
}

// ---- states ------------------------------------------------------------------------------------

static double rate(const lc_simulation *s)
{
    const int taken = s->sample_count < LC_RATE_SAMPLES ? s->sample_count : LC_RATE_SAMPLES;
    if (!s->running || taken < 2)
        return 0;
    const int last = (s->sample_count - 1) % LC_RATE_SAMPLES;
    const int first = (s->sample_count - taken) % LC_RATE_SAMPLES;
    return (double)(s->samples[last].generation - s->samples[first].generation) * 1e9 /
           (double)(s->samples[last].ns - s->samples[first].ns);
}

static json_t *moments(const lc_simulation *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->moment_count; i++) {
        const lc_moment *moment = &s->moments[i];
        json_t *entry = json_pack("{s:I}", "id", (json_int_t)moment->id);
        json_object_set_new(entry, "generation", lc_say_count(moment->generation));
        json_object_set_new(entry, "population", lc_say_count(moment->population));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *state(const lc_simulation *s, bool is_editor, bool follows, int viewers)
{
    const lc_topology *shape = lc_universe_topology(s->universe);
    const double generations = rate(s);
    const bool bounded = shape->width_cells != 0 && shape->height_cells != 0;
    json_t *o = lc_say("state", NULL);
    json_object_set_new(o, "generation", lc_say_count(lc_universe_generation(s->universe)));
    json_object_set_new(o, "population", s->counted ? lc_say_count(s->population) : json_null());
    json_object_set_new(o, "population_at", lc_say_count(s->population_generation));
    json_object_set_new(o, "running", json_boolean(s->running));
    json_object_set_new(o, "speed", s->speed > 0 ? json_real(s->speed) : json_null());
    json_object_set_new(o, "generations_per_second", json_real(generations));
    json_object_set_new(
        o, "cells_per_second",
        bounded ? json_real(generations * (double)shape->width_cells * (double)shape->height_cells)
                : json_null());
    json_object_set_new(o, "editor", json_boolean(is_editor));
    json_object_set_new(o, "viewers", json_integer(viewers));
    json_object_set_new(o, "can_undo", json_boolean(s->has_before || lc_edits_can_undo(s->edits)));
    json_object_set_new(o, "can_redo", json_boolean(lc_edits_can_redo(s->edits)));
    json_object_set_new(o, "box", follows && s->has_box ? lc_say_box(&s->box) : json_null());
    json_object_set_new(o, "moments", moments(s));
    json_object_set_new(o, "busy", lc_say_text(s->busy));
    return o;
}

// Who is there: takes note of clients that came and left. Returns the number of clients; sets
// *changed if they differ from before, or one took over.
static int meet(lc_simulation *s, lc_client *editor, bool *changed)
{
    uint32_t serials[LC_CLIENTS_MAX];
    int viewers = 0;
    pthread_mutex_lock(&s->hub->mutex);
    *editor = s->hub->editor;
    *changed |= s->hub->clients_changed;
    s->hub->clients_changed = false;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        serials[i] = s->hub->slots[i].used ? s->hub->slots[i].serial : 0;
    pthread_mutex_unlock(&s->hub->mutex);
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        viewers += serials[i] != 0;
        if (s->watchers[i].serial == serials[i])
            continue;
        lc_clip_destroy(&s->watchers[i].clip);
        s->watchers[i] = (lc_watcher){.serial = serials[i]};
    }
    return viewers;
}

// Tells a client what it has not heard. A client that does not take its answers is told nothing
// now, and later what is true then.
static void tell(lc_simulation *s, int index, const lc_client *editor, int viewers)
{
    lc_watcher *watcher = &s->watchers[index];
    const lc_client client = {index, watcher->serial};
    watcher->behind = lc_hub_is_full(s->hub, client);
    s->behind |= watcher->behind;
    if (watcher->behind)
        return;
    if (!watcher->greeted) {
        json_t *hello = lc_say("hello", NULL);
        json_object_set_new(hello, "protocol", json_integer(1));
        json_object_set_new(hello, "version", json_string(lc_version()));
        lc_hub_say(s->hub, client, hello);
    }
    if (!watcher->told)
        lc_hub_say(s->hub, client, lc_say_universe(s->universe, s->name, s->comments));
    watcher->greeted = watcher->told = true;
    lc_hub_say(s->hub, client,
               state(s, editor->serial == watcher->serial, watcher->follows, viewers));
}

// All clients, or only those that are behind if there is nothing new.
static void tell_them(lc_simulation *s, uint64_t now_ns, bool all)
{
    lc_client editor;
    const int viewers = meet(s, &editor, &all);
    s->behind = false;
    s->next_state_ns = now_ns + second_ns / STATES;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (s->watchers[i].serial != 0 && (all || s->watchers[i].behind))
            tell(s, i, &editor, viewers);
}

void lc_show_states(lc_simulation *s, uint64_t now_ns)
{
    s->state_changed = s->state_urgent = false;
    tell_them(s, now_ns, true);
}

void lc_show_universe(lc_simulation *s)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        s->watchers[i].told = false;
    lc_show_states(s, lc_simulation_now_ns());
}

void lc_show_all(lc_simulation *s, json_t *object)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        const lc_client client = {i, s->watchers[i].serial};
        if (s->watchers[i].greeted && !lc_hub_is_full(s->hub, client))
            lc_hub_say(s->hub, client, json_incref(object));
    }
    json_decref(object);
}

void lc_show_busy(lc_simulation *s, const char *format, const char *name)
{
    snprintf(s->busy, sizeof s->busy, format, name);
    lc_show_states(s, lc_simulation_now_ns());
}

static bool clients_changed(lc_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    const bool changed = hub->clients_changed;
    pthread_mutex_unlock(&hub->mutex);
    return changed;
}

void lc_show_newcomers(lc_simulation *s)
{
    if (clients_changed(s->hub))
        lc_show_states(s, lc_simulation_now_ns());
}

void lc_show(lc_simulation *s, uint64_t now_ns)
{
    lc_show_newcomers(s);
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        show_picture(s, i, now_ns);
    find_facts(s, now_ns);
    if (s->state_urgent || (s->state_changed && now_ns >= s->next_state_ns))
        lc_show_states(s, now_ns);
    else if (s->behind && now_ns >= s->next_state_ns)
        tell_them(s, now_ns, false);
    s->attention_ns = now_ns + second_ns / 1000;
}

uint64_t lc_show_next_ns(lc_simulation *s, uint64_t now_ns)
{
    uint64_t next_ns = UINT64_MAX;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        next_ns = least(next_ns, show_picture(s, i, now_ns));
    if (anybody(s) && (!s->counted || s->population_revision != s->revision))
        next_ns = least(next_ns, s->next_population_ns);
    if (anybody_follows(s) && (!s->has_box || s->box_revision != s->revision))
        next_ns = least(next_ns, s->next_box_ns);
    if (s->state_changed || s->behind)
        next_ns = least(next_ns, s->next_state_ns);
    return next_ns;
}
