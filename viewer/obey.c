// Executes the commands of clients on the universe's thread.
#include "obey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/edits.h"
#include "now.h"
#include "order.h"
#include "picture_message.h"

enum { CLIP_TEXT_BYTES = 1 << 20, CLIP_PIXELS = 1 << 24 };

// Live and dead cells of the largest clip that a client may turn without steering.
static const int64_t onlooker_cells = (int64_t)1 << 26;

// ---- steering ----------------------------------------------------------------------------------

// Returns whether the universe is known to be dead and to stay so, without a long count. If all
// cells have died since the last count, the next count pauses the run.
static bool is_dead(const order *o)
{
    if (lc_session_makes_life(o->session) ||
        (o->clients->counted && lc_count_compare(o->clients->population, lc_count_of(0)) > 0))
        return false;
    lc_facts facts;
    return lc_universe_facts(o->session->universe, LC_FACT_POPULATION, &facts, NULL) == LC_OK &&
           lc_count_compare(facts.population, lc_count_of(0)) == 0;
}

// Runs, to *target if it is not NULL.
static lc_status begin(order *o, const lc_count *target)
{
    if (is_dead(o))
        return refuse(o, "nothing is alive: draw something, or open a pattern");
    if (!o->pace->running)
        keep_edited(o, lc_session_keep_edits);
    lc_player_pause(o->player);
    const lc_count generation = lc_universe_generation(o->session->universe);
    if (target != NULL)
        lc_pace_run_to(o->pace, *target, generation, lc_view_now_ns());
    else
        lc_pace_run(o->pace, generation, lc_view_now_ns());
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

static lc_status run(order *o)
{
    return begin(o, NULL);
}

static lc_status pause(order *o)
{
    lc_pace_pause_at(o->pace, lc_clients_shown(o->clients),
                     lc_universe_generation(o->session->universe), lc_view_now_ns());
    lc_player_pause(o->player);
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

static lc_status step(order *o)
{
    const lc_count from =
        o->pace->has_target ? o->pace->target : lc_universe_generation(o->session->universe);
    lc_count target;
    if (!lc_count_add(from, o->command->generations, &target))
        return refuse(o, "that is beyond generation 2^256 - 1");
    return begin(o, &target);
}

static lc_status set_pictures(order *o)
{
    lc_pace_set_every(o->pace, o->command->generations,
                      lc_universe_generation(o->session->universe), lc_view_now_ns());
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

static lc_status set_speed(order *o)
{
    lc_pace_set_speed(o->pace, o->command->speed, lc_universe_generation(o->session->universe),
                      lc_view_now_ns());
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

// ---- long commands ------------------------------------------------------------------------------

void lc_order_begin(order *o, const char *doing)
{
    snprintf(o->doing, sizeof o->doing, "%s", doing);
    lc_clients_busy(o->clients, doing);
    lc_set_give_up(lc_order_gives_up, o);
}

void lc_order_end(order *o)
{
    lc_set_give_up(NULL, NULL);
    lc_clients_end_busy(o->clients);
    o->is_long = false;
}

// ---- other universes ----------------------------------------------------------------------------

static void begin_opening(order *o, const char *name)
{
    char doing[sizeof o->doing];
    snprintf(doing, sizeof doing, "opening %.*s", LC_SESSION_NAME_BYTES, name);
    lc_order_begin(o, doing);
}

// Stops the run and the timeline at the shown generation.
static void stop(order *o)
{
    lc_player_pause(o->player);
    lc_pace_pause(o->pace);
    lc_pace_restart(o->pace, lc_universe_generation(o->session->universe), lc_view_now_ns());
}

// Ends begin_opening. On success the run and the timeline pause.
static lc_status end_opening(order *o, lc_status status)
{
    lc_order_end(o);
    if (status != LC_OK)
        return status;
    lc_clients_forget_facts(o->clients);
    stop(o);
    return LC_OK;
}

// Replaces the universe. Takes the origin with its timeline, and the comments.
static lc_status replace(order *o, lc_origin *origin, const char *name, char *comments)
{
    char kept_name[LC_SESSION_NAME_BYTES];
    snprintf(kept_name, sizeof kept_name, "%s", name);
    if (comments == NULL) {
        lc_timeline_destroy(&origin->place.timeline);
        lc_origin_free(origin);
        return lc_fail(&o->message, LC_ERROR_MEMORY, "out of memory for that");
    }
    begin_opening(o, kept_name);
    lc_status status =
        end_opening(o, lc_session_replace(o->session, origin, kept_name, comments, &o->message));
    if (status != LC_OK)
        return status;
    lc_pace_suit(o->pace, lc_session_speed(o->session),
                 lc_universe_generation(o->session->universe), lc_view_now_ns());
    lc_clients_introduce(o->clients);
    return status;
}

static lc_status reset(order *o)
{
    if (o->session->at_origin) { // edits stay; they can be undone
        stop(o);
        lc_clients_update_soon(o->clients);
        return LC_OK;
    }
    begin_opening(o, o->session->name);
    return end_opening(o, lc_session_reset(o->session, &o->message));
}

static lc_status make_another(order *o)
{
    const lc_view_command *c = o->command;
    char name[64] = "a new universe";
    lc_origin origin = {.kind = LC_ORIGIN_SOUP,
                        .soup = {.rule = lc_rule_retain(c->rule),
                                 .topology = c->topology,
                                 .density = c->density,
                                 .seed = c->seed}};
    if (c->density > 0) {
        origin.soup.width_cells = c->area.width_cells;
        origin.soup.height_cells = c->area.height_cells;
        snprintf(name, sizeof name, "soup %llu", (unsigned long long)c->seed);
    }
    return replace(o, &origin, name, strdup(""));
}

// Answers with the number of live cells that were, or would be, left out.
static void answer_lost(order *o, uint64_t lost)
{
    json_t *object = lc_reply("done", o->command);
    json_object_set_new(object, "lost", lc_reply_count(lc_count_of(lost)));
    answer(o, object);
}

// Changes the rule, the topology or both.
static lc_status recast(order *o)
{
    const lc_view_command *c = o->command;
    const lc_rule *rule = c->has_rule ? c->rule : NULL;
    const lc_topology *topology = c->has_topology ? &c->topology : NULL;
    uint64_t lost;
    if (c->flag) {
        lc_status status = lc_session_recast(o->session, rule, topology, true, &lost, &o->message);
        if (status == LC_OK)
            answer_lost(o, lost);
        return status;
    }
    begin_opening(o, topology == NULL ? "the same cells under another rule"
                                      : "the same cells in another topology");
    lc_status status =
        end_opening(o, lc_session_recast(o->session, rule, topology, false, &lost, &o->message));
    if (status != LC_OK)
        return status;
    lc_clients_introduce(o->clients);
    if (lost > 0 && c->has_id)
        answer_lost(o, lost);
    return LC_OK;
}

// Copies the comments of a file, and adds a line if the file has several patterns. Afterwards the
// pattern can only be closed. Returns NULL if memory is short.
static char *describe_first(lc_pattern *pattern)
{
    char line[80] = "";
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    (void)lc_pattern_select(pattern, UINT64_MAX, NULL); // counts them
    if (header->patterns > 1)
        snprintf(line, sizeof line, "%sThe file has %" PRIu64 " patterns. This is the first.",
                 header->comments[0] != '\0' ? "\n" : "", header->patterns);
    const size_t room = strlen(header->comments) + sizeof line;
    char *text = malloc(room);
    if (text != NULL)
        snprintf(text, room, "%s%s", header->comments, line);
    return text;
}

// Opens a pattern file in memory; of a timeline, the first frame. Takes `bytes` (from malloc).
static lc_status open_bytes(order *o, void *bytes, size_t size_bytes, const char *name)
{
    lc_origin origin = {.kind = LC_ORIGIN_PATTERN, .bytes = bytes, .size_bytes = size_bytes};
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, bytes, size_bytes, &o->message);
    if (status != LC_OK) {
        lc_origin_free(&origin);
        return status;
    }
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    char *comments = header->has_frames ? strdup(header->comments) : describe_first(pattern);
    if (header->has_frames) {
        lc_timeline_place place = {.topology = header->topology};
        lc_order_begin(o, "reading a timeline");
        status = lc_timeline_read(&place.timeline, pattern, o->session->creation.max_memory_bytes,
                                  &o->message);
        lc_order_end(o);
        lc_origin_free(&origin); // the timeline has all frames
        if (status == LC_OK)
            place.rule = lc_timeline_get_header(place.timeline)->rule;
        origin = (lc_origin){.kind = LC_ORIGIN_FRAME, .place = place};
    }
    lc_pattern_close(&pattern);
    if (status != LC_OK) {
        free(comments);
        return status;
    }
    return replace(o, &origin, name, comments);
}

// Prefixes an error message with the file's name and the number of the faulty line.
static void name_place(lc_message *message, const char *name)
{
    const lc_message why = *message;
    char line[40] = "";
    if (why.line != 0)
        snprintf(line, sizeof line, ", line %" PRIu64, why.line);
    (void)lc_fail(message, LC_ERROR_FORMAT, "%.200s%s: %s", name, line, why.text);
}

// Opens a file that the client has sent: a pattern or a checkpoint. Checkpoints can only be
// recognised and read on disk.
static lc_status open_file(order *o)
{
    lc_view_command *c = o->command;
    lc_origin origin = {.kind = LC_ORIGIN_CHECKPOINT};
    lc_status status = lc_session_name_file(o->session, ".lcs", origin.path, &o->message);
    if (status != LC_OK)
        return status;
    FILE *file = fopen(origin.path, "wb");
    const bool written = file != NULL && fwrite(c->file, 1, c->file_bytes, file) == c->file_bytes;
    if (file == NULL || fclose(file) != 0 || !written) {
        lc_origin_free(&origin);
        return lc_fail(&o->message, LC_ERROR_IO, "the file cannot be kept: is the disk full?");
    }
    if (lc_universe_is_checkpoint(origin.path))
        return replace(o, &origin, c->text, strdup(""));
    lc_origin_free(&origin);
    void *bytes = c->file;
    c->file = NULL;
    status = open_bytes(o, bytes, c->file_bytes, c->text);
    if (status == LC_ERROR_FORMAT)
        name_place(&o->message, c->text);
    return status;
}

static lc_status open_library(order *o)
{
    void *bytes;
    size_t size_bytes;
    const uint32_t id = o->command->pattern;
    lc_status status = lc_session_open_library(o->session, &o->message);
    if (status == LC_OK)
        status = lc_library_read(o->session->library, id, &bytes, &size_bytes, &o->message);
    return status == LC_OK
               ? open_bytes(o, bytes, size_bytes, lc_library_find(o->session->library, id)->name)
               : status;
}

static lc_status open(order *o)
{
    return o->command->file_bytes > 0 ? open_file(o) : open_library(o);
}

// ---- the user's snapshots -----------------------------------------------------------------------

static lc_status keep(order *o)
{
    if (o->session->snapshot_count == LC_USER_SNAPSHOTS_MAX)
        return refuse(o, "there are already eight snapshots: delete one of them first");
    lc_order_begin(o, "taking a snapshot");
    lc_status status = lc_session_take_snapshot(o->session, &o->message);
    lc_order_end(o);
    return status;
}

static const lc_user_snapshot *find_snapshot(order *o)
{
    const lc_user_snapshot *snapshot = lc_session_find_snapshot(o->session, o->command->snapshot);
    if (snapshot == NULL)
        refuse(o, "there is no such snapshot");
    return snapshot;
}

static lc_status go_back(order *o)
{
    const lc_user_snapshot *snapshot = find_snapshot(o);
    if (snapshot == NULL)
        return LC_ERROR_ARGUMENT;
    keep_edited(o, lc_session_keep_origin);
    begin_opening(o, "a snapshot");
    return end_opening(o, lc_session_return(o->session, snapshot, &o->message));
}

static lc_status forget(order *o)
{
    const lc_user_snapshot *snapshot = find_snapshot(o);
    if (snapshot == NULL)
        return LC_ERROR_ARGUMENT;
    lc_session_delete_snapshot(o->session, snapshot);
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

// ---- timelines ----------------------------------------------------------------------------------

// The clients are told about opening a frame only if the last one took this long.
static const uint64_t long_ns = 300000000;

static lc_status show_frame(order *o, uint64_t number)
{
    const lc_timeline_place *place = &o->session->place;
    if (place->timeline == NULL)
        return refuse(o, "this universe has no timeline");
    if (place->frame == number && lc_session_is_frame(o->session))
        return LC_OK;
    if (o->player->opening_ns > long_ns)
        begin_opening(o, "a frame");
    const uint64_t begin_ns = lc_view_now_ns();
    lc_status status = end_opening(o, lc_session_show_frame(o->session, number, &o->message));
    lc_player_took(o->player, lc_view_now_ns() - begin_ns);
    return status;
}

static lc_status frame(order *o)
{
    lc_status status = show_frame(o, o->command->shown);
    return status == LC_OK ? pause(o) : status;
}

// Plays from the shown frame; from the other end if that is the last one; and if the timeline was
// left, from the frame where it was left.
static lc_status play(order *o)
{
    const int way = o->command->flag ? -1 : 1;
    const lc_timeline_place *place = &o->session->place;
    const uint64_t frames =
        place->timeline != NULL ? lc_timeline_get_info(place->timeline)->frames : 1;
    const bool is_over = lc_player_is_over(o->player, way, place->frame, frames);
    lc_status status = show_frame(o, !is_over ? place->frame : way > 0 ? 0 : frames - 1);
    if (status != LC_OK)
        return status;
    lc_pace_pause(o->pace);
    if (frames > 1)
        lc_player_play(o->player, way, lc_view_now_ns());
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

static lc_status set_player(order *o)
{
    if (o->command->speed > 0)
        lc_player_set_speed(o->player, o->command->speed, lc_view_now_ns());
    if (o->command->has_flag)
        lc_player_set_loops(o->player, o->command->flag);
    lc_clients_update_soon(o->clients);
    return LC_OK;
}

// ---- undo ---------------------------------------------------------------------------------------

// Undoes the last edit. If the universe has been stepped since, goes back to the edited cells; if
// it replaced another universe, to that one.
static lc_status undo(order *o)
{
    lc_session *session = o->session;
    const uint32_t stroke = o->command->undone_stroke;
    if (stroke != 0 && !lc_session_can_undo_stroke(session, stroke))
        return refuse(o, "nothing of that stroke can be undone");
    if (lc_edits_can_undo(session->edits))
        return lc_order_edited(o, lc_edits_undo(session->edits, session->universe, &o->message));
    if (!session->has_before)
        return refuse(o, "there is nothing to undo");
    begin_opening(o, "what was edited");
    const bool another = session->before.is_another;
    lc_status status = end_opening(o, lc_session_undo_run(session, &o->message));
    if (status == LC_OK && another)
        lc_clients_introduce(o->clients);
    return status;
}

static lc_status redo(order *o)
{
    if (!lc_edits_can_redo(o->session->edits))
        return refuse(o, "there is nothing to redo");
    return lc_order_edited(o, lc_edits_redo(o->session->edits, o->session->universe, &o->message));
}

// ---- clips --------------------------------------------------------------------------------------

// `rule`: the rule that the clip's text names; NULL: none.
static lc_status show_clip(order *o, const lc_rule *rule)
{
    const lc_clip *clip = lc_clients_clip(o->clients, o->client);
    const lc_cells *cells = lc_clip_cells(clip);
    const bool bits = cells->width_cells * cells->height_cells <= CLIP_PIXELS;
    lc_outgoing *picture = NULL;
    char *text = NULL;
    size_t text_bytes;
    json_t *object = lc_reply("clip", o->command);
    json_object_set_new(object, "width", json_integer(cells->width_cells));
    json_object_set_new(object, "height", json_integer(cells->height_cells));
    json_object_set_new(object, "population",
                        lc_reply_count(lc_count_of(lc_clip_population(clip))));
    if (lc_clip_to_rle(clip, lc_universe_rule(o->session->universe), CLIP_TEXT_BYTES, &text,
                       &text_bytes, NULL) == LC_OK)
        json_object_set_new(object, "rle", json_stringn(text, text_bytes));
    free(text);
    if (rule != NULL) {
        char name[LC_RULE_TEXT_BYTES];
        lc_rule_format(rule, NULL, name);
        json_object_set_new(object, "rule", json_string(name));
    }
    if (bits)
        picture = lc_outgoing_create(
            LC_FRAME_HEADER_BYTES +
            lc_frame_payload_bytes(1, (int)cells->width_cells, (int)cells->height_cells));
    json_object_set_new(object, "bits", json_boolean(picture != NULL));
    answer(o, object);
    if (picture != NULL) {
        picture->binary = true;
        lc_frame_put_header(lc_outgoing_bytes(picture),
                            &(lc_frame_header){.kind = LC_FRAME_CLIP,
                                               .bits = 1,
                                               .width = (uint32_t)cells->width_cells,
                                               .height = (uint32_t)cells->height_cells});
        lc_frame_pack(cells, lc_outgoing_bytes(picture) + LC_FRAME_HEADER_BYTES);
        lc_hub_send(o->clients->hub, o->client, picture);
    }
    return LC_OK;
}

// The new clip replaces the old one.
static lc_status take_clip(order *o, lc_clip *clip, const lc_rule *rule)
{
    lc_clients_take_clip(o->clients, o->client, clip);
    return show_clip(o, rule);
}

static lc_status copy(order *o)
{
    lc_clip *clip;
    lc_status status =
        lc_clip_from_universe(&clip, o->session->universe, &o->command->area, &o->message);
    if (status == LC_OK && o->command->what == LC_DO_CUT) {
        status = lc_obey_clear(o);
        if (status != LC_OK)
            lc_clip_destroy(&clip);
    }
    return status == LC_OK ? take_clip(o, clip, NULL) : status;
}

// Returns a reference to the rule that a pattern names; NULL: none.
static const lc_rule *find_rule(const void *bytes, size_t size_bytes)
{
    lc_pattern *pattern;
    if (lc_pattern_open_memory(&pattern, bytes, size_bytes, NULL) != LC_OK)
        return NULL;
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    const lc_rule *rule = header->has_rule ? lc_rule_retain(header->rule) : NULL;
    lc_pattern_close(&pattern);
    return rule;
}

static lc_status clip(order *o)
{
    const lc_view_command *c = o->command;
    void *bytes = c->text;
    size_t size = c->text_bytes;
    lc_clip *clip;
    lc_status status = LC_OK;
    if (c->pattern != 0)
        status = lc_session_open_library(o->session, &o->message);
    if (status == LC_OK && c->pattern != 0)
        status = lc_library_read(o->session->library, c->pattern, &bytes, &size, &o->message);
    if (status == LC_OK)
        status = lc_clip_from_text(&clip, bytes, size, 0, &o->message);
    const lc_rule *rule = status == LC_OK ? find_rule(bytes, size) : NULL;
    if (bytes != c->text)
        free(bytes);
    if (status == LC_OK)
        status = take_clip(o, clip, rule);
    lc_rule_release(&rule);
    return status;
}

static lc_status turn(order *o)
{
    const lc_clip *clip = lc_clients_clip(o->clients, o->client);
    if (clip == NULL)
        return refuse(o, "nothing has been copied yet");
    const lc_cells *cells = lc_clip_cells(clip);
    if (cells->width_cells * cells->height_cells > onlooker_cells &&
        !lc_hub_steers(o->clients->hub, o->client))
        return refuse(o, "this clip is so large that all would wait: only who steers may turn it");
    lc_status status =
        lc_clients_turn_clip(o->clients, o->client, o->command->turning, &o->message);
    return status == LC_OK ? show_clip(o, NULL) : status;
}

// ---- queries ------------------------------------------------------------------------------------

static lc_status list_rules(order *o)
{
    answer(o, lc_reply_rules(o->command));
    return LC_OK;
}

static lc_status explain(order *o)
{
    const lc_view_command *c = o->command;
    lc_status status = lc_rule_check_topology(c->rule, &c->topology, &o->message);
    if (status == LC_OK)
        answer(o, lc_reply_rule(c));
    return status;
}

static lc_status say_box(order *o)
{
    lc_facts facts;
    const lc_status status =
        lc_universe_facts(o->session->universe, LC_FACT_BOX, &facts, &o->message);
    if (status != LC_OK)
        return status;
    json_t *object = lc_reply("box", o->command);
    json_object_set_new(object, "box", lc_reply_box(&facts.wide_box));
    answer(o, object);
    return LC_OK;
}

static lc_status follow(order *o)
{
    lc_clients_follow(o->clients, o->client, o->command->flag);
    return LC_OK;
}

// Sends the picture now, or when the universe has come to rest. The clients module answers.
static lc_status picture(order *o)
{
    const lc_view_command *c = o->command;
    const lc_still still = {
        .wanted = true, .look = c->look, .has_id = c->has_id, .id = c->id, .at_rest = c->flag};
    if (!lc_clients_ask_still(o->clients, o->client, &still))
        return refuse(o, "another picture is still waited for");
    o->answered = true;
    return LC_OK;
}

// ---- the table ----------------------------------------------------------------------------------

static lc_status (*const table[])(order *o) = {
#define LC_DO_OBEY(id, name, read, flags, obey) obey,
    LC_VIEW_COMMANDS(LC_DO_OBEY)
#undef LC_DO_OBEY
};

void lc_obey(lc_session *session, lc_pace *pace, lc_player *player, lc_travel *travel,
             lc_clients *clients, lc_saver *saver, lc_identifier *identifier, lc_client client,
             lc_view_command *command)
{
    lc_clients_meet(clients);
    if (!lc_clients_has(clients, client))
        return; // it has left
    order o = {.session = session,
               .pace = pace,
               .player = player,
               .travel = travel,
               .clients = clients,
               .saver = saver,
               .identifier = identifier,
               .client = client,
               .command = command,
               .changes = lc_edits_changes(session->edits),
               .began_ns = lc_view_now_ns()};
    lc_edits_set_give_up(session->edits, lc_order_gives_up, &o);
    if (lc_view_do_has(command->what, LC_STEERS) && !lc_view_do_has(command->what, LC_TRAVELS))
        lc_travel_stop(travel);
    lc_status status =
        session->on_disk && lc_view_do_has(command->what, LC_CHANGES)
            ? refuse(&o, "this board lies on disk, and can only be looked at here: a pass reads "
                         "and writes all of it, so 'lightcone run' is for stepping it")
            : table[command->what](&o);
    lc_edits_set_give_up(session->edits, NULL, NULL);
    if (o.is_long)
        lc_clients_end_busy(clients);
    if (status == LC_OK)
        status = lc_universe_failure(session->universe, &o.message);
    if (status == LC_ERROR_STOPPED && o.is_given_up && o.doing[0] != '\0')
        (void)lc_fail(&o.message, status, "%s was cancelled", o.doing);
    if (status != LC_OK)
        answer(&o, lc_reply_error(command, o.message.text[0] != '\0' ? o.message.text
                                                                     : lc_status_text(status)));
    else if (command->has_id && !o.answered)
        answer(&o, lc_reply("done", command));
}
