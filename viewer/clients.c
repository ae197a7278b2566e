// Pictures, states and facts for the clients. Pictures and facts each take at most a fixed share of
// the thread's time from stepping.
#include "clients.h"

#include <stdio.h>
#include <stdlib.h>

#include "now.h"
#include "picture_message.h"
#include "replies.h"

static const uint64_t second_ns = 1000000000;

// While the universe runs, the pictures of all clients together take at most a seventh of the time;
// or a third, if a seventh allows fewer than thirty pictures a second. Facts that need a pass over
// memory take a thirtieth.
enum { PICTURE_SHARE = 7, LARGEST_PICTURE_SHARE = 3, FACT_SHARE = 30 };
// Ages take less than 15 % of the time: their pictures a ninth, however few that allows, and
// samples of generations without a picture a thirtieth.
enum { AGES_SHARE = 9, NOTE_SHARE = 30 };
enum { LEAST_PICTURES = 30, STATES = 10 }; // a second
enum { SMALL_PIXELS = 4096 };              // of a picture that needs no coarser scale
enum { QUICK_BYTES = 64 << 20 };           // of a universe whose bounding box is found at once
enum { FAR_SCALE = 6 }; // from it on, the first picture of a board on disk may read the whole board

// Time at rest before a picture that was coarser is sent at the requested scale.
static const uint64_t rest_ns = 300000000;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// ---- pictures ----------------------------------------------------------------------------------

// Returns how many generations after the universe's own a picture should show: 0, or during a long
// pass the number that the pass is expected to have made by now.
static uint64_t generations_ahead(const lc_clients *a, const lc_watcher *watcher,
                                  const lc_look *look, uint64_t now_ns)
{
    const bool may_be = !watcher->preview_fails && !look->ages;
    const uint64_t ahead = may_be ? lc_pace_ahead(a->pace, now_ns) : 0;
    return ahead > 0 && lc_local_preview_is_possible(a->session->universe, look,
                                                     a->pace->passes.generations)
               ? ahead
               : 0;
}

// Renders the cells `*ahead` generations from now. If that fails, sets *ahead to 0 and renders the
// current cells.
static lc_status render_cells(lc_clients *a, lc_watcher *watcher, const lc_look *look,
                              uint64_t *ahead, unsigned char *payload, lc_message *message)
{
    if (*ahead > 0 &&
        lc_local_preview_render(&watcher->preview, a->session->universe, a->session->revision, look,
                                watcher->look_revision, *ahead, a->pace->passes.generations,
                                &a->session->creation, payload, NULL) == LC_OK)
        return LC_OK;
    watcher->preview_fails = *ahead > 0;
    *ahead = 0;
    const lc_session *session = a->session;
    const bool reads_all =
        session->on_disk && look->scale >= FAR_SCALE && a->read_revision != session->revision;
    if (reads_all)
        lc_clients_busy(a, "reading the whole board");
    const lc_status status = lc_render(session->universe, look, payload, message);
    if (reads_all) {
        a->read_revision = session->revision;
        lc_clients_end_busy(a);
    }
    return status;
}

// Renders the ages of the cells in view.
static lc_status render_ages(const lc_clients *a, lc_watcher *watcher, const lc_look *look,
                             unsigned char *payload, lc_message *message)
{
    if (watcher->ages == NULL && lc_ages_create(&watcher->ages, message) != LC_OK)
        return LC_ERROR_MEMORY;
    if (watcher->ages_line != a->session->line)
        lc_ages_forget(watcher->ages);
    watcher->ages_line = a->session->line;
    watcher->noted_revision = a->session->revision;
    return lc_render_ages(watcher->ages, a->session->universe, look, payload, message);
}

static lc_status render_look(lc_clients *a, lc_watcher *watcher, const lc_look *look,
                             uint64_t *ahead, unsigned char *payload, lc_message *message)
{
    if (look->ages)
        return render_ages(a, watcher, look, payload, message);
    lc_ages_destroy(&watcher->ages);
    return render_cells(a, watcher, look, ahead, payload, message);
}

// Returns whether the picture changes without commands.
static bool moves(const lc_clients *a)
{
    return a->pace->running || a->player->way != 0 || a->travel->plays;
}

// Renders and publishes a picture. `may_be_coarser`: on a slow connection a coarser one may replace
// it.
static void render(lc_clients *a, lc_client client, const lc_look *look, uint64_t ahead,
                   bool may_be_coarser)
{
    lc_watcher *watcher = &a->watchers[client.slot];
    const size_t bytes = lc_frame_bytes(look);
    lc_message message = {0};
    lc_outgoing *frame = lc_hub_spare(a->hub, client);
    if (frame == NULL || frame->room_bytes < bytes) {
        free(frame);
        frame = lc_outgoing_create(bytes);
    }
    if (frame == NULL) {
        watcher->look_revision = 0; // so the next call tries again
        return;
    }
    frame->size_bytes = bytes;
    frame->binary = frame->is_frame = true;
    frame->may_be_coarser = may_be_coarser;
    frame->moves = moves(a);
    frame->number = ++watcher->frames;
    frame->next = NULL;
    const uint64_t begin_ns = lc_view_now_ns();
    lc_status status = render_look(a, watcher, look, &ahead,
                                   lc_outgoing_bytes(frame) + LC_FRAME_HEADER_BYTES, &message);
    watcher->rendered_ns = lc_view_now_ns();
    watcher->render_ns[watcher->frames % LC_RENDER_TIMES] = watcher->rendered_ns - begin_ns;
    watcher->shown_revision = a->session->revision;
    watcher->shown_part = a->session->part;
    watcher->shown_ahead = ahead;
    if (status != LC_OK) {
        free(frame);
        lc_hub_say(a->hub, client, lc_reply_error(NULL, message.text));
        return;
    }
    lc_count generation = lc_universe_generation(a->session->universe);
    (void)lc_count_add(generation, lc_count_of(ahead), &generation);
    lc_frame_header header = lc_frame_header_of(LC_FRAME_PICTURE, look, generation);
    header.number = watcher->frames;
    lc_frame_put_header(lc_outgoing_bytes(frame), &header);
    lc_hub_publish(a->hub, client, frame);
}

// Answers a `picture` command: sends {"is": "picture"}, then the picture.
static void send_still(lc_clients *a, lc_client client, const lc_still *still)
{
    const lc_look *look = &still->look;
    const lc_view_command asked = {.has_id = still->has_id, .id = still->id};
    lc_message message = {.text = "out of memory for that picture"};
    const lc_universe *universe = a->session->universe;
    lc_watcher *watcher = &a->watchers[client.slot];
    lc_outgoing *picture = lc_outgoing_create(lc_frame_bytes(look));
    lc_status status = LC_ERROR_MEMORY;
    if (picture != NULL) {
        unsigned char *payload = lc_outgoing_bytes(picture) + LC_FRAME_HEADER_BYTES;
        status = look->ages ? render_ages(a, watcher, look, payload, &message)
                            : lc_render(universe, look, payload, &message);
    }
    if (status != LC_OK) {
        free(picture);
        lc_hub_say(a->hub, client, lc_reply_error(&asked, message.text));
        return;
    }
    const lc_count generation = lc_universe_generation(universe);
    const lc_frame_header header = lc_frame_header_of(LC_FRAME_STILL, look, generation);
    picture->binary = true;
    lc_frame_put_header(lc_outgoing_bytes(picture), &header);
    json_t *object = lc_reply("picture", &asked);
    json_object_set_new(object, "generation", lc_reply_count(generation));
    lc_hub_say(a->hub, client, object);
    lc_hub_send(a->hub, client, picture);
}

// Returns the number of clients that currently get pictures.
static uint64_t lookers(const lc_clients *a, uint64_t now_ns)
{
    uint64_t count = 0;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        count += a->watchers[i].serial != 0 && now_ns - a->watchers[i].rendered_ns < second_ns;
    return count;
}

// Returns the time of a picture: the shortest of the last ones. Other processes on the same CPUs
// can make single renderings take far longer.
static uint64_t picture_cost(const lc_watcher *watcher)
{
    uint64_t cost_ns = UINT64_MAX;
    for (int i = 0; i < LC_RENDER_TIMES; i++)
        if (watcher->render_ns[i] != 0)
            cost_ns = least(cost_ns, watcher->render_ns[i]);
    return cost_ns == UINT64_MAX ? 0 : cost_ns;
}

// Sends the pictures of `picture` commands that are due. While the universe runs, they take no more
// of the time than other pictures.
static void send_stills(lc_clients *a, uint64_t now_ns)
{
    const bool at_rest = !a->pace->running && a->player->way == 0;
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        lc_watcher *watcher = &a->watchers[i];
        const lc_still *still = &watcher->still;
        if (watcher->serial == 0 || !still->wanted ||
            (!at_rest && (still->at_rest || now_ns < watcher->next_still_ns)))
            continue;
        const uint64_t begin_ns = lc_view_now_ns();
        watcher->still.wanted = false;
        send_still(a, (lc_client){i, watcher->serial}, still);
        const uint64_t end_ns = lc_view_now_ns();
        watcher->next_still_ns =
            end_ns + (end_ns - begin_ns) * PICTURE_SHARE * greatest(1, lookers(a, end_ns));
    }
}

// Returns the least time from a client's picture to its next one. Each client has the same share of
// the time, so a client with costly pictures slows only itself. `has_time`: the thread has been
// idle long enough, so the picture takes no time from stepping.
static uint64_t picture_interval(const lc_clients *a, const lc_watcher *watcher,
                                 const lc_look *look, bool is_new, bool has_time)
{
    const uint64_t asked_ns = second_ns / (uint64_t)look->frames;
    const uint64_t cost_ns = picture_cost(watcher) * lookers(a, watcher->rendered_ns);
    if (!a->pace->running || has_time)
        return asked_ns;
    const uint64_t moving_ns = greatest(asked_ns, cost_ns * LARGEST_PICTURE_SHARE);
    if (is_new) // the client is moving the view
        return moving_ns;
    if (look->ages)
        return greatest(asked_ns, cost_ns * AGES_SHARE);
    return greatest(
        asked_ns, least(cost_ns * PICTURE_SHARE, greatest(second_ns / LEAST_PICTURES, moving_ns)));
}

// Returns whether ages in this view are stored per cell, also when a coarser picture extends the
// view to whole pixels. They are then the same at every scale. Otherwise ages are stored per pixel,
// and a change of scale discards them.
static bool has_ages_of_cells(const lc_look *look)
{
    enum { ALL_SCALE = 12 }; // from it on, one pixel has LC_AGES_CELLS_MAX cells or more
    if (look->scale >= ALL_SCALE)
        return false;
    const int64_t beside = (int64_t)2 << (look->scale + LC_COARSER_MAX);
    const int64_t width = ((int64_t)look->width << look->scale) + beside;
    const int64_t height = ((int64_t)look->height << look->scale) + beside;
    return width * height <= LC_AGES_CELLS_MAX;
}

// Returns how many scales coarser than requested a picture can be.
static int most_coarser(const lc_look *look)
{
    const int most = LC_WIDE_REACH_LOG2 - look->scale;
    if ((look->ages && !has_ages_of_cells(look)) || look->width * look->height <= SMALL_PIXELS)
        return 0;
    return most < LC_COARSER_MAX ? most : LC_COARSER_MAX;
}

// Renders the picture of slot `index` if it is due. If it is due later, returns the earliest time.
// Otherwise returns UINT64_MAX.
static uint64_t show_picture(lc_clients *a, int index, uint64_t now_ns)
{
    lc_client client;
    lc_look look;
    uint32_t look_revision;
    if (!lc_hub_wants_frame(a->hub, index, &client, &look, &look_revision))
        return UINT64_MAX;
    lc_watcher *watcher = &a->watchers[index];
    const bool is_new = watcher->look_revision != look_revision;
    const uint64_t ahead = generations_ahead(a, watcher, &look, now_ns);
    const bool changed =
        watcher->shown_revision != a->session->revision || watcher->shown_ahead < ahead ||
        (lc_render_shows_passes(look.scale) && watcher->shown_part != a->session->part);
    // Once the cells are at rest, the client gets the picture at the requested scale.
    const bool refines = !is_new && !changed && watcher->shown_coarser > 0 && !moves(a);
    if (watcher->serial != client.serial || (!is_new && !changed && !refines))
        return UINT64_MAX;
    if (now_ns < watcher->next_frame_ns)
        return watcher->next_frame_ns;
    // A client that pauses only for a moment does not have to wait for a large picture.
    if (refines && now_ns < watcher->rendered_ns + rest_ns)
        return watcher->rendered_ns + rest_ns;
    watcher->look_revision = look_revision;
    const int most = refines ? 0 : most_coarser(&look), wanted = lc_hub_coarser(a->hub, client);
    const int coarser = wanted < most ? wanted : most;
    if ((is_new && ahead == 0) || coarser != watcher->shown_coarser)
        lc_local_preview_free(&watcher->preview);
    watcher->shown_coarser = coarser;
    if (coarser > 0)
        look = lc_look_coarser(&look, coarser);
    watcher->preview_fails = watcher->preview_fails && !is_new;
    const uint64_t cost_ns = picture_cost(watcher) * lookers(a, watcher->rendered_ns);
    const bool has_time = a->waited_ns - watcher->waited_ns >= cost_ns;
    watcher->waited_ns = a->waited_ns;
    render(a, client, &look, ahead, coarser < most);
    // The interval begins when this picture was due, not now, to keep the requested rate.
    const uint64_t interval_ns = picture_interval(a, watcher, &look, is_new, has_time);
    watcher->next_frame_ns =
        greatest(watcher->next_frame_ns + interval_ns, now_ns + interval_ns / 2);
    return UINT64_MAX;
}

// Samples the ages in generations without a picture, within their share of the time.
static void note_ages(const lc_clients *a, lc_watcher *watcher)
{
    const uint64_t begin_ns = lc_view_now_ns();
    if (watcher->ages == NULL || watcher->noted_revision == a->session->revision ||
        watcher->ages_line != a->session->line || begin_ns < watcher->next_note_ns)
        return;
    watcher->noted_revision = a->session->revision;
    (void)lc_ages_note(watcher->ages, a->session->universe,
                       NULL); // the next picture reports an error
    const uint64_t end_ns = lc_view_now_ns();
    watcher->next_note_ns = end_ns + (end_ns - begin_ns) * NOTE_SHARE * lookers(a, end_ns);
}

// ---- facts -------------------------------------------------------------------------------------

static bool anybody_follows(const lc_clients *a)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (a->watchers[i].serial != 0 && a->watchers[i].follows)
            return true;
    return false;
}

static bool anybody(const lc_clients *a)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (a->watchers[i].serial != 0)
            return true;
    return false;
}

// Return whether the population, or the bounding box, is that of the current cells.
static bool knows_population(const lc_clients *a)
{
    return a->counted && a->population_revision == a->session->revision;
}

static bool knows_box(const lc_clients *a)
{
    return a->has_box && a->box_revision == a->session->revision;
}

static bool count_population(lc_clients *a, uint64_t now_ns)
{
    lc_facts facts;
    if (lc_universe_facts(a->session->universe, LC_FACT_POPULATION, &facts, NULL) != LC_OK)
        return false; // the next step reports the error
    a->population = facts.population;
    a->population_generation = lc_universe_generation(a->session->universe);
    a->population_revision = a->session->revision;
    a->counted = a->state_changed = true;
    a->counted_ns = now_ns;
    const uint64_t took_ns = lc_view_now_ns() - now_ns;
    a->next_population_ns = now_ns + greatest(took_ns * FACT_SHARE, second_ns / STATES);
    return true;
}

static void find_box(lc_clients *a, uint64_t now_ns)
{
    const uint64_t begin_ns = lc_view_now_ns();
    lc_facts facts;
    if (lc_universe_facts(a->session->universe, LC_FACT_BOX, &facts, NULL) != LC_OK)
        return;
    a->box = facts.wide_box;
    a->box_revision = a->session->revision;
    a->has_box = a->state_changed = true;
    const uint64_t took_ns = lc_view_now_ns() - begin_ns;
    a->next_box_ns = now_ns + greatest(took_ns * FACT_SHARE, second_ns / (2 * STATES));
}

// Returns the bounding box of all live cells if it is known or found at once; otherwise NULL.
static const lc_wide_box *box_at_once(lc_clients *a)
{
    lc_disk_facts disk;
    const lc_universe *universe = a->session->universe;
    if (!knows_box(a) && lc_universe_info_of(universe).memory_bytes <= QUICK_BYTES &&
        !lc_disk_get_facts(universe, &disk))
        find_box(a, lc_view_now_ns());
    return knows_box(a) ? &a->box : NULL;
}

bool lc_clients_count(lc_clients *a, uint64_t now_ns)
{
    const bool counts = !knows_population(a) && now_ns >= a->next_population_ns && anybody(a) &&
                        count_population(a, now_ns);
    if (!knows_box(a) && now_ns >= a->next_box_ns && anybody_follows(a))
        find_box(a, now_ns);
    return counts;
}

void lc_clients_forget_facts(lc_clients *a)
{
    a->has_box = a->counted = false;
    a->next_population_ns = a->next_box_ns = 0;
}

// ---- states ------------------------------------------------------------------------------------

static json_t *snapshots(const lc_session *session)
{
    json_t *list = json_array();
    for (int i = 0; i < session->snapshot_count; i++) {
        const lc_user_snapshot *snapshot = &session->snapshots[i];
        json_t *entry = json_pack("{s:I}", "id", (json_int_t)snapshot->id);
        json_object_set_new(entry, "generation", lc_reply_count(snapshot->generation));
        json_object_set_new(entry, "population", lc_reply_count(snapshot->population));
        json_array_append_new(list, entry);
    }
    return list;
}

// Describes the session's place on its timeline; null if it has no timeline.
static json_t *timeline(const lc_clients *a)
{
    static const char *const ways[] = {"backwards", "no", "forwards"};
    const lc_timeline_place *place = &a->session->place;
    if (place->timeline == NULL)
        return json_null();
    json_t *o = json_pack("{s:I, s:b, s:s, s:f, s:b}", "frame", (json_int_t)place->frame, "left",
                          !lc_session_is_frame(a->session), "playing", ways[a->player->way + 1],
                          "frames_per_second", a->player->speed, "loop", a->player->loops);
    json_object_set_new(o, "generation",
                        lc_reply_count(lc_timeline_generation(place->timeline, place->frame)));
    return o;
}

// Describes the generations that clients can go to, and the journey in progress.
static json_t *past(const lc_clients *a)
{
    const lc_travel *travel = a->travel;
    const lc_history *history = &a->session->history;
    const bool goes = travel->universe != NULL;
    json_t *o = json_pack("{s:I, s:I, s:I, s:b, s:b, s:f}", "line", (json_int_t)history->line,
                          "kept", (json_int_t)history->kept_count, "bytes",
                          (json_int_t)history->held_bytes, "too_large", a->session->is_too_large,
                          "playing", travel->plays, "share", lc_travel_share(travel));
    json_object_set_new(o, "first", lc_reply_count(lc_travel_first(travel)));
    json_object_set_new(o, "last", lc_reply_count(lc_travel_last(travel)));
    json_object_set_new(o, "to", goes ? lc_reply_count(lc_travel_aim(travel)) : json_null());
    return o;
}

// Describes the final behaviour of the universe; null if the universe is not known to have settled.
static json_t *settled(const lc_clients *a)
{
    const lc_settled_facts *facts = lc_settled_get(a->settled, a->session);
    if (facts == NULL)
        return json_null();
    json_t *o = json_pack("{s:b}", "dead", facts->is_dead);
    json_object_set_new(o, "from", lc_reply_count(facts->from));
    json_object_set_new(o, "period", lc_reply_count(lc_count_of(facts->period)));
    json_object_set_new(o, "spaceships", lc_reply_count(lc_count_of(facts->ships)));
    return o;
}

// The connected clients.
typedef struct company {
    int viewers;
    uint32_t editor; // serial of the client that steers; 0: none
    bool locked;
} company;

// Returns an upper bound for the seconds since the population count became out of date; 0: it is
// current, or there is none.
static double population_age_s(const lc_clients *a)
{
    if (!a->counted || knows_population(a))
        return 0;
    return (double)(lc_view_now_ns() - a->counted_ns) / (double)second_ns;
}

static json_t *state(const lc_clients *a, const lc_watcher *watcher, const company *all)
{
    const lc_session *session = a->session;
    const lc_topology *shape = lc_universe_topology(session->universe);
    const double generations = lc_pace_rate(a->pace);
    const bool bounded = shape->width_cells != 0 && shape->height_cells != 0;
    json_t *o = lc_reply("state", NULL);
    json_object_set_new(o, "generation", lc_reply_count(lc_universe_generation(session->universe)));
    json_object_set_new(o, "revision", json_integer((json_int_t)session->revision));
    json_object_set_new(o, "population", a->counted ? lc_reply_count(a->population) : json_null());
    json_object_set_new(o, "population_at", lc_reply_count(a->population_generation));
    json_object_set_new(o, "population_age", json_real(population_age_s(a)));
    json_object_set_new(o, "running", json_boolean(a->pace->running));
    json_object_set_new(o, "speed", a->pace->speed > 0 ? json_real(a->pace->speed) : json_null());
    json_object_set_new(o, "generations_per_picture",
                        lc_count_compare(a->pace->every, lc_count_of(0)) > 0
                            ? lc_reply_count(a->pace->every)
                            : json_null());
    json_object_set_new(o, "generations_per_second", json_real(generations));
    json_object_set_new(
        o, "cells_per_second",
        bounded ? json_real(generations * (double)shape->width_cells * (double)shape->height_cells)
                : json_null());
    json_object_set_new(o, "editor", json_boolean(all->editor == watcher->serial));
    json_object_set_new(o, "may_steer", json_boolean(watcher->may_steer));
    json_object_set_new(o, "locked", json_boolean(all->locked));
    json_object_set_new(o, "viewers", json_integer(all->viewers));
    json_object_set_new(o, "can_undo", json_boolean(lc_session_can_undo(session)));
    json_object_set_new(o, "can_redo", json_boolean(lc_edits_can_redo(session->edits)));
    json_object_set_new(o, "unsaved", json_boolean(session->unsaved));
    json_object_set_new(o, "reset_loses", json_boolean(session->strays));
    json_object_set_new(o, "box",
                        watcher->follows && a->has_box ? lc_reply_box(&a->box) : json_null());
    json_object_set_new(o, "settled", settled(a));
    json_object_set_new(o, "moments", snapshots(session));
    json_object_set_new(o, "past", past(a));
    json_object_set_new(o, "timeline", timeline(a));
    json_object_set_new(o, "busy", lc_reply_text(a->busy));
    json_object_set_new(o, "may_cancel", json_boolean(a->may_cancel));
    return o;
}

static void free_watcher(lc_watcher *watcher)
{
    lc_clip_destroy(&watcher->clip);
    lc_ages_destroy(&watcher->ages);
    lc_local_preview_free(&watcher->preview);
}

// Updates the watchers for clients that came and left. Sets *changed if clients came, left or took
// over. Returns the connected clients.
static company meet(lc_clients *a, bool *changed)
{
    lc_watcher there[LC_CLIENTS_MAX] = {0};
    company all = {0};
    pthread_mutex_lock(&a->hub->mutex);
    all.editor = a->hub->editor.serial;
    all.locked = a->hub->locked;
    *changed |= a->hub->clients_changed;
    a->hub->clients_changed = false;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (a->hub->slots[i].used)
            there[i] = (lc_watcher){.serial = a->hub->slots[i].serial,
                                    .may_steer = a->hub->slots[i].may_steer};
    pthread_mutex_unlock(&a->hub->mutex);
    a->editor = all.editor;
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        all.viewers += there[i].serial != 0;
        if (a->watchers[i].serial == there[i].serial)
            continue;
        free_watcher(&a->watchers[i]);
        a->watchers[i] = there[i];
    }
    return all;
}

// Sends a client the messages that it has not had: hello, universe and state. Sends nothing to a
// client that does not take its answers; it gets the current state later.
static void tell(lc_clients *a, int index, const company *all)
{
    lc_watcher *watcher = &a->watchers[index];
    const lc_client client = {index, watcher->serial};
    watcher->behind = lc_hub_is_full(a->hub, client);
    a->behind |= watcher->behind;
    if (watcher->behind)
        return;
    if (!watcher->greeted) {
        json_t *hello = lc_reply("hello", NULL);
        json_object_set_new(hello, "protocol", json_integer(2));
        json_object_set_new(hello, "version", json_string(lc_version()));
        char key[LC_KEY_BYTES];
        lc_hub_key(a->hub, client, key);
        json_object_set_new(hello, "key", key[0] != '\0' ? json_string(key) : json_null());
        lc_hub_say(a->hub, client, hello);
    }
    if (!watcher->told)
        lc_hub_say(a->hub, client,
                   lc_reply_universe(a->session->universe, a->session->name, a->session->comments,
                                     box_at_once(a), a->session->place.timeline));
    watcher->greeted = watcher->told = true;
    lc_hub_say(a->hub, client, state(a, watcher, all));
}

// Tells all clients, or only those that are behind if nothing has changed.
static void tell_them(lc_clients *a, uint64_t now_ns, bool all)
{
    const company there = meet(a, &all);
    a->behind = false;
    a->next_state_ns = now_ns + second_ns / STATES;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (a->watchers[i].serial != 0 && (all || a->watchers[i].behind))
            tell(a, i, &there);
}

static void send_states(lc_clients *a, uint64_t now_ns)
{
    a->state_changed = a->state_urgent = false;
    tell_them(a, now_ns, true);
}

void lc_clients_introduce(lc_clients *a)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        a->watchers[i].told = false;
    send_states(a, lc_view_now_ns());
}

void lc_clients_say_error(lc_clients *a, const char *text)
{
    json_t *object = lc_reply_error(NULL, text);
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        const lc_client client = {i, a->watchers[i].serial};
        if (a->watchers[i].greeted && !lc_hub_is_full(a->hub, client))
            lc_hub_say(a->hub, client, json_incref(object));
    }
    json_decref(object);
}

void lc_clients_note(lc_clients *a)
{
    a->state_changed = true;
}

void lc_clients_update_soon(lc_clients *a)
{
    a->state_changed = a->state_urgent = true;
}

static void say_busy(lc_clients *a, const char *doing, bool may_cancel)
{
    snprintf(a->busy, sizeof a->busy, "%s", doing);
    a->may_cancel = may_cancel;
    send_states(a, lc_view_now_ns());
}

void lc_clients_busy(lc_clients *a, const char *doing)
{
    say_busy(a, doing, false);
}

void lc_clients_busy_till_cancelled(lc_clients *a, const char *doing)
{
    say_busy(a, doing, true);
}

void lc_clients_end_busy(lc_clients *a)
{
    a->busy[0] = '\0';
    a->may_cancel = false;
    lc_clients_update_soon(a);
}

static bool clients_changed(lc_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    const bool changed = hub->clients_changed;
    pthread_mutex_unlock(&hub->mutex);
    return changed;
}

void lc_clients_meet(lc_clients *a)
{
    if (clients_changed(a->hub))
        send_states(a, lc_view_now_ns());
}

// ---- looking after all of them -----------------------------------------------------------------

bool lc_clients_is_due(const lc_clients *a, uint64_t now_ns)
{
    return now_ns >= a->attention_ns;
}

void lc_clients_show(lc_clients *a, uint64_t now_ns)
{
    lc_clients_meet(a);
    send_stills(a, now_ns);
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        show_picture(a, i, now_ns);
        note_ages(a, &a->watchers[i]);
    }
}

bool lc_clients_is_shown(const lc_clients *a)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        const lc_watcher *watcher = &a->watchers[i];
        if (watcher->serial != 0 && watcher->serial == a->editor)
            return watcher->rendered_ns == 0 ||
                   (watcher->shown_revision == a->session->revision &&
                    !lc_hub_has_frame(a->hub, (lc_client){i, watcher->serial}));
    }
    return true;
}

void lc_clients_tell(lc_clients *a, uint64_t now_ns)
{
    if (a->state_urgent || (a->state_changed && now_ns >= a->next_state_ns))
        send_states(a, now_ns);
    else if (a->behind && now_ns >= a->next_state_ns)
        tell_them(a, now_ns, false);
    a->attention_ns = now_ns + second_ns / 1000;
}

void lc_clients_waited(lc_clients *a, uint64_t waited_ns)
{
    a->waited_ns += waited_ns;
}

uint64_t lc_clients_next_ns(lc_clients *a, uint64_t now_ns)
{
    uint64_t next_ns = UINT64_MAX;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        next_ns = least(next_ns, show_picture(a, i, now_ns));
    if (anybody(a) && !knows_population(a))
        next_ns = least(next_ns, a->next_population_ns);
    if (anybody_follows(a) && !knows_box(a))
        next_ns = least(next_ns, a->next_box_ns);
    if (a->state_changed || a->behind)
        next_ns = least(next_ns, a->next_state_ns);
    return next_ns;
}

// ---- one of them -------------------------------------------------------------------------------

bool lc_clients_has(const lc_clients *a, lc_client client)
{
    return a->watchers[client.slot].serial == client.serial;
}

lc_count lc_clients_shown(const lc_clients *a)
{
    uint64_t ahead = 0;
    lc_count shown = lc_universe_generation(a->session->universe);
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        if (a->watchers[i].serial != 0 && a->watchers[i].shown_revision == a->session->revision)
            ahead = greatest(ahead, a->watchers[i].shown_ahead);
    (void)lc_count_add(shown, lc_count_of(ahead), &shown);
    return shown;
}

void lc_clients_follow(lc_clients *a, lc_client client, bool follows)
{
    a->watchers[client.slot].follows = follows;
    a->has_box = false;
    lc_clients_update_soon(a);
}

bool lc_clients_ask_still(lc_clients *a, lc_client client, const lc_still *still)
{
    lc_still *waiting = &a->watchers[client.slot].still;
    if (waiting->wanted)
        return false;
    *waiting = *still;
    return true;
}

const lc_clip *lc_clients_clip(const lc_clients *a, lc_client client)
{
    return a->watchers[client.slot].clip;
}

void lc_clients_take_clip(lc_clients *a, lc_client client, lc_clip *clip)
{
    lc_clip_destroy(&a->watchers[client.slot].clip);
    a->watchers[client.slot].clip = clip;
}

lc_status lc_clients_turn_clip(lc_clients *a, lc_client client, lc_turn turn, lc_message *message)
{
    return lc_clip_turn(a->watchers[client.slot].clip, turn, message);
}

// ---- the whole ---------------------------------------------------------------------------------

void lc_clients_create(lc_clients *a, lc_hub *hub, const lc_session *session, const lc_pace *pace,
                       const lc_player *player, const lc_travel *travel, const lc_settled *settled)
{
    *a = (lc_clients){.hub = hub,
                      .session = session,
                      .pace = pace,
                      .player = player,
                      .travel = travel,
                      .settled = settled,
                      .state_changed = true};
}

void lc_clients_close(lc_clients *a)
{
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        free_watcher(&a->watchers[i]);
}
