// The session: the shown universe, its edits, history and undo state.
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Time between two callbacks in a long pass.
static const uint64_t watch_interval_ns = 6000000;

// Memory of edits that can be undone; memory of the largest edited universe that is kept before a
// run, which takes less than a second.
static const size_t edits_bytes = (size_t)256 << 20;
static const uint64_t keep_bytes = (uint64_t)256 << 20;

// Generations a second that the eye can follow; the largest board with this default, in cells.
static const double calm_speed = 30;
static const double small_cells = 1 << 22;

double lc_session_speed(const lc_session *session)
{
    const lc_topology *shape = lc_universe_topology(session->universe);
    const bool bounded = shape->width_cells != 0 && shape->height_cells != 0;
    const double cells = (double)shape->width_cells * (double)shape->height_cells;
    return bounded && cells > small_cells ? 0 : calm_speed;
}

bool lc_session_makes_life(const lc_session *session)
{
    return lc_rule_next(lc_universe_rule(session->universe), 0);
}

bool lc_session_can_undo(const lc_session *session)
{
    return session->has_before || lc_edits_can_undo(session->edits);
}

bool lc_session_can_undo_stroke(const lc_session *session, uint32_t stroke)
{
    return stroke == session->edited_by &&
           (lc_edits_can_undo(session->edits) ||
            (session->has_before && session->before.stroke == stroke));
}

// ---- history -----------------------------------------------------------------------------------

// Takes a snapshot of a universe into the history, if that does not take long.
static void keep_by_itself(lc_session *session, const lc_universe *universe, uint64_t era,
                           lc_count around, uint64_t share)
{
    session->is_too_large =
        !lc_snapshot_take(&session->schedule, &session->history, universe, era, around, share);
}

// Takes a snapshot that need not be due, if no client has to wait.
static void keep_quickly(lc_session *session)
{
    const lc_universe *universe = session->universe;
    if (lc_snapshot_is_free(universe) || lc_snapshot_wait_ns(&session->schedule) == 0)
        keep_by_itself(session, universe, lc_history_era(&session->history),
                       lc_universe_generation(universe), LC_SNAPSHOT_SHARE_RUNS);
}

static bool origin_can_be_opened(const lc_session *session)
{
    return session->origin.kind != LC_ORIGIN_CALLER || session->origin.reopen != NULL;
}

// Adds the cells at the beginning to the history, without a copy: a reset creates them.
static void keep_beginning(lc_session *session)
{
    lc_history *history = &session->history;
    const lc_count generation = lc_universe_generation(session->universe);
    const uint64_t era = lc_history_era(history);
    if (history->starts_at_origin && session->at_origin && !session->edited && !session->strays &&
        origin_can_be_opened(session) && history->at == 0 &&
        !lc_history_has(history, era, generation))
        lc_history_keep(history, era, generation, NULL, 0, generation);
}

// Adds the edited cells to the history. Called before the cells change in another way.
static void record(lc_session *session)
{
    lc_history *history = &session->history;
    const lc_count generation = lc_universe_generation(session->universe);
    if (history->era_count > 0 && !session->is_apart)
        return;
    lc_history_fork(history, generation, session->strays, session->unsaved);
    session->is_apart = false;
    if (history->era_count == 1)
        history->starts_at_origin = session->at_origin;
    keep_quickly(session);
    keep_beginning(session);
}

// Returns whether the cells follow from the history.
static bool history_is_here(const lc_session *session)
{
    return session->history.era_count > 0 && !session->is_apart;
}

// Records that a universe of this era, if it still exists, has replaced the present one.
static void enter(lc_session *session, uint64_t era)
{
    session->is_apart =
        !lc_history_enter(&session->history, era, lc_universe_generation(session->universe));
}

// ---- stepping ----------------------------------------------------------------------------------

// Records the universe's generation. If it differs from the last one, its cells do, too.
static void note_generation(lc_session *session, lc_count generation)
{
    if (lc_count_compare(generation, session->generation) == 0)
        return; // a pass that was given up, or the last one, of which the session has heard
    session->generation = generation;
    session->revision++;
    session->at_origin = false;
    lc_history_pass(&session->history, generation);
    if (lc_snapshot_wait_ns(&session->schedule) == 0)
        keep_by_itself(session, session->universe, lc_history_era(&session->history), generation,
                       LC_SNAPSHOT_SHARE_RUNS);
}

static bool between_passes(void *context, const lc_universe *universe, lc_count done,
                           lc_count total)
{
    lc_session *session = context;
    (void)done;
    (void)total;
    note_generation(session, lc_universe_generation(universe));
    return session->calls.passed(session->calls.context);
}

static bool in_a_pass(void *context, const lc_universe *universe)
{
    lc_session *session = context;
    (void)universe;
    session->part++;
    return session->calls.in_a_pass(session->calls.context);
}

lc_status lc_session_step(lc_session *session, lc_count generations, lc_message *message)
{
    session->generation = lc_universe_generation(session->universe);
    if (session->undoable) {
        lc_edits_forget(session->edits);
        session->undoable = false;
    }
    record(session);
    lc_status status =
        lc_universe_step(session->universe, generations, between_passes, session, message);
    note_generation(session, lc_universe_generation(session->universe));
    return status;
}

// ---- keeping edits -----------------------------------------------------------------------------

static void free_snapshots(lc_user_snapshot *snapshots, int *count)
{
    for (int i = 0; i < *count; i++)
        lc_origin_free(&snapshots[i].kept);
    *count = 0;
}

static void free_undo_state(lc_undo_state *undo)
{
    lc_origin_free(&undo->cells);
    lc_origin_free(&undo->origin);
    free_snapshots(undo->snapshots, &undo->snapshot_count);
    lc_history_free(&undo->history);
    lc_timeline_destroy(&undo->own_timeline);
    free(undo->comments);
    *undo = (lc_undo_state){0};
}

// Replaces the session's undo state. The session takes the new one.
static void set_undo_state(lc_session *session, const lc_undo_state *undo)
{
    free_undo_state(&session->before);
    session->before = *undo;
    session->has_before = true;
}

// Clears an undo state of the same universe. An undo state of another universe stays.
static void forget_own_undo_state(lc_session *session)
{
    if (!session->before.is_another)
        session->has_before = false;
}

// Keeps the universe as it is now in `kept`, if that does not take long.
static lc_status keep_edited(lc_session *session, lc_origin *kept, const char *consequence,
                             lc_message *message)
{
    if (lc_universe_info_of(session->universe).memory_bytes > keep_bytes) {
        return lc_fail(message, LC_ERROR_LIMIT,
                       "the universe is too large to keep what was edited: %s", consequence);
    }
    session->calls.busy(session->calls.context, "keeping what was edited");
    lc_status status = lc_origin_keep(kept, &session->folder, session->universe, message);
    session->calls.busy(session->calls.context, "");
    return status;
}

lc_status lc_session_keep_origin(lc_session *session, lc_message *message)
{
    const bool edited = session->at_origin && session->edited;
    if (!edited)
        return LC_OK;
    session->edited = false;
    lc_status status =
        keep_edited(session, &session->origin, "a reset will go back to before the edits", message);
    if (status != LC_OK) {
        session->strays = session->unsaved;
        session->unsaved_start = false;
    }
    if (history_is_here(session))
        keep_beginning(session);
    return status;
}

// Makes an undo state of the universe as it is now.
static lc_status make_undo_state(lc_session *session, const char *consequence, lc_undo_state *undo,
                                 lc_message *message)
{
    record(session);
    *undo = (lc_undo_state){.from_start = session->at_origin && !session->edited,
                            .era = lc_history_era(&session->history),
                            .at_origin = session->at_origin,
                            .edited = session->edited,
                            .strays = session->strays,
                            .unsaved = session->unsaved,
                            .unsaved_start = session->unsaved_start};
    return undo->from_start ? LC_OK : keep_edited(session, &undo->cells, consequence, message);
}

// Calls make_undo_state if `wanted`, before another universe replaces the cells. *kept: it
// succeeded. Returns LC_ERROR_STOPPED if it was cancelled; the caller then stops as well. Ignores
// other errors.
static lc_status make_undo_state_if(lc_session *session, bool wanted, lc_undo_state *undo,
                                    bool *kept, lc_message *message)
{
    const lc_status status = wanted ? make_undo_state(session, "", undo, message) : LC_OK;
    *kept = wanted && status == LC_OK;
    return status == LC_ERROR_STOPPED ? status : LC_OK;
}

lc_status lc_session_keep_edits(lc_session *session, lc_message *message)
{
    if (!session->undoable)
        return LC_OK;
    lc_undo_state undo;
    lc_status status =
        make_undo_state(session, "the edits can no longer be undone", &undo, message);
    if (status == LC_OK)
        set_undo_state(session, &undo);
    else
        session->has_before = false;
    return status;
}

void lc_session_keep_before_stroke(lc_session *session, uint32_t stroke)
{
    const bool goes_on = stroke != 0 && stroke == session->stroke;
    session->stroke = stroke;
    if (goes_on || !lc_snapshot_is_free(session->universe))
        return;
    session->has_next = make_undo_state(session, "", &session->next, NULL) == LC_OK;
    if (session->has_next)
        session->next.stroke = stroke;
}

void lc_session_not_edited(lc_session *session)
{
    if (!session->has_next)
        return;
    free_undo_state(&session->next);
    session->has_next = false;
    session->stroke = 0; // the stroke has not begun
}

void lc_session_edited(lc_session *session, uint32_t stroke)
{
    if (session->has_next) {
        set_undo_state(session, &session->next);
        session->next = (lc_undo_state){0};
        session->has_next = false;
    }
    session->edited_by = stroke;
    session->edited = session->edited || session->at_origin;
    session->unsaved_start = session->unsaved_start || session->at_origin;
    session->strays = session->strays || !session->at_origin;
    session->unsaved = true;
    session->undoable = true;
    session->is_apart = true;
    session->edits_made++;
    session->revision++;
}

void lc_session_saved(lc_session *session)
{
    session->unsaved = session->unsaved_start = false;
    for (size_t i = 0; i < session->history.era_count; i++)
        session->history.eras[i].unsaved = false;
}

// ---- other universes ---------------------------------------------------------------------------

// Returns options for a second universe, with a memory limit beside the first.
static lc_universe_options second_universe(const lc_session *session)
{
    lc_universe_options options = session->creation;
    lc_engine_info engine;
    lc_machine machine;
    lc_machine_get(&machine);
    const bool on_gpu =
        lc_engine_named(options.context, lc_universe_info_of(session->universe).engine, &engine) &&
        engine.on_gpu;
    if (on_gpu || machine.memory_bytes == 0)
        return options;
    const uint64_t held = lc_universe_info_of(session->universe).memory_bytes;
    const uint64_t most = machine.memory_bytes / 8 * 7;
    const uint64_t left = most > held ? most - held : 1;
    const uint64_t limit =
        options.max_memory_bytes != 0 ? options.max_memory_bytes : machine.memory_bytes / 2;
    options.max_memory_bytes = limit < left ? limit : left;
    return options;
}

static void take(lc_session *session, lc_universe *universe)
{
    lc_disk_facts facts;
    session->universe = universe;
    session->on_disk = lc_disk_get_facts(universe, &facts);
    lc_universe_set_watch(universe, in_a_pass, session, watch_interval_ns);
}

lc_universe_options lc_session_copy_options(const lc_session *session)
{
    const lc_topology *shape = lc_universe_topology(session->universe);
    lc_universe_options options = second_universe(session);
    options.engine = shape->width_cells != 0 && shape->height_cells != 0 ? "simd" : NULL;
    options.threads = 1;
    options.disk = NULL;
    return options;
}

// Replaces the present universe.
static void put_up(lc_session *session, lc_universe *universe)
{
    lc_universe_destroy(&session->universe);
    take(session, universe);
    lc_edits_forget(session->edits);
    session->undoable = false;
    session->stroke = session->edited_by = 0;
    session->edits_made++;
    session->revision++;
    session->line++;
}

// Replaces the present universe by that of an origin.
static lc_status open_origin(lc_session *session, const lc_origin *origin, lc_message *message)
{
    lc_universe *universe;
    const lc_universe_options options = second_universe(session);
    lc_status status = lc_origin_open(origin, &options, &universe, message);
    if (status == LC_OK)
        put_up(session, universe);
    return status;
}

// Moves everything that belongs to the universe, except its cells, to an undo state.
static void put_away(lc_session *session, lc_undo_state *undo)
{
    undo->is_another = true;
    memcpy(undo->name, session->name, sizeof undo->name);
    memcpy(undo->snapshots, session->snapshots, sizeof undo->snapshots);
    undo->snapshot_count = session->snapshot_count;
    undo->comments = session->comments;
    undo->origin = session->origin;
    undo->place = session->place;
    undo->own_timeline = session->own_timeline;
    lc_history_set_aside(&session->history, &undo->history);
    session->is_apart = false;
    session->snapshot_count = 0;
    session->comments = NULL;
    session->origin = (lc_origin){0};
    session->own_timeline = NULL;
}

static void forget_belongings(lc_session *session)
{
    free_snapshots(session->snapshots, &session->snapshot_count);
    lc_origin_free(&session->origin);
    lc_timeline_destroy(&session->own_timeline);
    free(session->comments);
    session->comments = NULL;
}

// Moves everything back from the session's undo state.
static void bring_back(lc_session *session)
{
    lc_undo_state *undo = &session->before;
    forget_belongings(session);
    memcpy(session->name, undo->name, sizeof session->name);
    memcpy(session->snapshots, undo->snapshots, sizeof session->snapshots);
    session->snapshot_count = undo->snapshot_count;
    session->comments = undo->comments;
    session->origin = undo->origin;
    session->place = undo->place;
    session->own_timeline = undo->own_timeline;
    undo->snapshot_count = 0;
    undo->comments = NULL;
    undo->origin = (lc_origin){0};
    undo->own_timeline = NULL;
    lc_history_restore(&session->history, &undo->history);
}

lc_status lc_session_replace(lc_session *session, lc_origin *origin, const char *name,
                             char *comments, lc_message *message)
{
    lc_undo_state undo;
    bool kept;
    lc_status status = make_undo_state_if(session, true, &undo, &kept, message);
    if (status == LC_OK)
        status = open_origin(session, origin, message);
    if (status != LC_OK) {
        free_undo_state(&undo);
        lc_timeline_destroy(&origin->place.timeline);
        lc_origin_free(origin);
        free(comments);
        return status;
    }
    if (kept) {
        put_away(session, &undo);
        set_undo_state(session, &undo);
    } else {
        session->has_before = false;
        lc_history_clear(&session->history);
    }
    forget_belongings(session);
    session->origin = *origin;
    session->place = origin->place;
    session->own_timeline = origin->place.timeline;
    session->at_origin = true;
    session->edited = session->strays = session->unsaved = session->unsaved_start = false;
    session->comments = comments;
    snprintf(session->name, sizeof session->name, "%s", name);
    return LC_OK;
}

// Goes back to one of the user's snapshots; NULL: to the beginning.
static lc_status go_back(lc_session *session, const lc_user_snapshot *snapshot, lc_message *message)
{
    const lc_history *history = &session->history;
    lc_undo_state undo = {0};
    bool kept;
    lc_status status = make_undo_state_if(session, session->strays, &undo, &kept, message);
    record(session);
    if (status == LC_OK)
        status =
            open_origin(session, snapshot != NULL ? &snapshot->kept : &session->origin, message);
    if (status != LC_OK) {
        free_undo_state(&undo);
        return status;
    }
    forget_own_undo_state(session);
    enter(session, snapshot != NULL            ? snapshot->era
                   : history->starts_at_origin ? history->eras[0].id
                                               : 0);
    session->at_origin = snapshot == NULL;
    if (snapshot == NULL) {
        session->edited = session->strays = false;
        session->unsaved = session->unsaved_start;
    }
    if (kept)
        set_undo_state(session, &undo);
    return LC_OK;
}

lc_status lc_session_reset(lc_session *session, lc_message *message)
{
    return go_back(session, NULL, message);
}

lc_status lc_session_undo_run(lc_session *session, lc_message *message)
{
    lc_undo_state *undo = &session->before;
    const lc_origin *start = undo->is_another ? &undo->origin : &session->origin;
    record(session);
    lc_status status = open_origin(session, undo->from_start ? start : &undo->cells, message);
    if (status != LC_OK)
        return status;
    if (undo->is_another)
        bring_back(session);
    enter(session, undo->era);
    session->at_origin = undo->at_origin;
    session->edited = undo->edited;
    session->strays = undo->strays;
    session->unsaved = undo->unsaved;
    session->unsaved_start = undo->unsaved_start;
    free_undo_state(undo);
    session->has_before = false;
    return LC_OK;
}

lc_status lc_session_recast(lc_session *session, const lc_rule *rule, const lc_topology *topology,
                            bool only_try, uint64_t *lost, lc_message *message)
{
    if (lc_universe_info_of(session->universe).memory_bytes > keep_bytes)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "the universe is too large to change its rule or topology while it is open");
    lc_undo_state undo;
    lc_universe *universe;
    const lc_universe_options options = second_universe(session);
    rule = rule != NULL ? rule : lc_universe_rule(session->universe);
    topology = topology != NULL ? topology : lc_universe_topology(session->universe);
    if (only_try)
        return lc_origin_recast(session->universe, rule, topology, &session->folder, &options, lost,
                                NULL, message);
    lc_status status = make_undo_state(session, "it stays as it is", &undo, message);
    if (status != LC_OK)
        return status;
    lc_origin origin = {0};
    status = lc_origin_recast(session->universe, rule, topology, &session->folder, &options, lost,
                              &universe, message);
    if (status == LC_OK)
        status = lc_origin_keep(&origin, &session->folder, universe, message);
    if (status != LC_OK) {
        lc_universe_destroy(&universe);
        free_undo_state(&undo);
        return status;
    }
    put_up(session, universe);
    char *comments = strdup(session->comments);
    put_away(session, &undo);
    set_undo_state(session, &undo);
    session->origin = origin;
    session->comments = comments != NULL ? comments : strdup("");
    session->place = (lc_timeline_place){0};
    session->at_origin = true;
    session->edited = session->strays = false;
    session->unsaved_start = session->unsaved;
    return LC_OK;
}

lc_status lc_session_show_frame(lc_session *session, uint64_t frame, lc_message *message)
{
    lc_origin origin = {.kind = LC_ORIGIN_FRAME, .place = session->place};
    origin.place.frame = frame;
    // After undo brings back the drawing, a reset still leads to this frame.
    lc_undo_state undo = {.strays = true, .unsaved = true};
    lc_status status = session->unsaved ? keep_edited(session, &undo.cells, "", message) : LC_OK;
    const bool kept = session->unsaved && status == LC_OK;
    const uint64_t line = session->line + !lc_session_is_frame(session);
    if (status != LC_ERROR_STOPPED)
        status = open_origin(session, &origin, message);
    if (status != LC_OK) {
        free_undo_state(&undo);
        return status;
    }
    session->line = line; // frames of a timeline follow each other
    forget_own_undo_state(session);
    if (kept)
        set_undo_state(session, &undo);
    lc_origin_free(&session->origin);
    lc_history_clear(&session->history);
    session->origin = origin;
    session->place = origin.place;
    session->at_origin = true;
    session->edited = session->strays = session->unsaved = session->unsaved_start = false;
    return LC_OK;
}

bool lc_session_is_frame(const lc_session *session)
{
    return session->origin.kind == LC_ORIGIN_FRAME && session->at_origin && !session->edited;
}

// ---- the user's snapshots ----------------------------------------------------------------------

lc_status lc_session_take_snapshot(lc_session *session, lc_message *message)
{
    lc_facts facts;
    lc_status status = lc_universe_facts(session->universe, LC_FACT_POPULATION, &facts, message);
    if (status != LC_OK)
        return status;
    record(session);
    lc_user_snapshot *snapshot = &session->snapshots[session->snapshot_count];
    *snapshot = (lc_user_snapshot){.id = session->snapshot_ids + 1,
                                   .era = lc_history_era(&session->history),
                                   .generation = lc_universe_generation(session->universe),
                                   .population = facts.population};
    status = lc_origin_keep(&snapshot->kept, &session->folder, session->universe, message);
    if (status == LC_OK) {
        session->snapshot_ids++;
        session->snapshot_count++;
    }
    return status;
}

const lc_user_snapshot *lc_session_find_snapshot(const lc_session *session, uint32_t id)
{
    for (int i = 0; i < session->snapshot_count; i++)
        if (session->snapshots[i].id == id)
            return &session->snapshots[i];
    return NULL;
}

lc_status lc_session_return(lc_session *session, const lc_user_snapshot *snapshot,
                            lc_message *message)
{
    return go_back(session, snapshot, message);
}

void lc_session_delete_snapshot(lc_session *session, const lc_user_snapshot *snapshot)
{
    lc_user_snapshot *place = &session->snapshots[snapshot - session->snapshots];
    lc_origin_free(&place->kept);
    session->snapshot_count--;
    const size_t behind = (size_t)(session->snapshots + session->snapshot_count - place);
    memmove(place, place + 1, behind * sizeof *place);
}

// ---- other generations -------------------------------------------------------------------------

// Called in a pass of a universe that is not shown.
static bool in_a_hidden_pass(void *context, const lc_universe *universe)
{
    lc_session *session = context;
    (void)universe;
    return session->calls.in_a_pass(session->calls.context);
}

lc_status lc_session_depart(lc_session *session, lc_count *to, lc_universe **out, uint64_t *era,
                            lc_message *message)
{
    record(session);
    keep_quickly(session);
    const lc_kept *kept = lc_history_find(&session->history, to);
    const lc_universe_options options = second_universe(session);
    *out = NULL;
    if (kept == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "nothing that was kept lies before that");
    *era = kept->era;
    lc_status status =
        kept->bytes != NULL
            ? lc_universe_restore_memory(out, kept->bytes, kept->size_bytes, &options, message)
            : lc_origin_open(&session->origin, &options, out, message);
    if (status == LC_OK) {
        lc_universe_set_watch(*out, in_a_hidden_pass, session, watch_interval_ns);
        lc_snapshot_schedule_travel(&session->schedule);
    }
    return status;
}

void lc_session_keep_on_the_way(lc_session *session, const lc_universe *universe, uint64_t era,
                                lc_count to, bool in_any_case)
{
    if (in_any_case || lc_snapshot_wait_ns(&session->schedule) == 0)
        keep_by_itself(session, universe, era, to, LC_SNAPSHOT_SHARE_TRAVELS);
}

lc_status lc_session_arrive(lc_session *session, lc_universe *universe, uint64_t era, bool keeps,
                            bool *passed, lc_message *message)
{
    lc_history *history = &session->history;
    const size_t left = history->at;
    const lc_count generation = lc_universe_generation(universe);
    lc_undo_state undo = {0};
    const bool arrives = lc_history_enter(history, era, generation);
    const size_t at = history->at;
    history->at = left;
    *passed = !arrives || at < left;
    keeps = keeps && *passed;
    const lc_status status =
        keeps ? make_undo_state(session, "undoing will not lead back to it", &undo, message)
              : LC_OK;
    put_up(session, universe);
    if (keeps && status == LC_OK)
        set_undo_state(session, &undo);
    else if (keeps)
        forget_own_undo_state(session);
    session->is_apart = !arrives;
    if (!arrives)
        return status;
    history->at = at;
    session->strays = history->eras[at].strays;
    session->unsaved = history->eras[at].unsaved;
    session->edited = false;
    session->at_origin = at == 0 && history->starts_at_origin &&
                         lc_count_compare(generation, history->eras[0].from) == 0;
    return status;
}

void lc_session_count(lc_session *session, lc_count generation, lc_count population)
{
    if (history_is_here(session) || session->history.era_count == 0)
        lc_history_count(&session->history, generation, population);
}

// ---- the whole ---------------------------------------------------------------------------------

lc_status lc_session_name_file(lc_session *session, const char *ending, char path[320],
                               lc_message *message)
{
    return lc_folder_name(&session->folder, ending, path, message);
}

lc_status lc_session_open_library(lc_session *session, lc_message *message)
{
    return session->library != NULL
               ? LC_OK
               : lc_library_create(&session->library, session->patterns_folder, message);
}

static void free_all(lc_session *session)
{
    forget_belongings(session);
    free_undo_state(&session->before);
    lc_history_free(&session->history);
    lc_folder_remove(&session->folder);
    lc_edits_destroy(&session->edits);
    lc_library_destroy(&session->library);
}

lc_status lc_session_create(lc_session *session, const lc_viewer_options *options,
                            const lc_session_calls *calls, lc_universe *universe,
                            lc_message *message)
{
    *session = (lc_session){.calls = *calls,
                            .creation = options->creation,
                            .folder = {.base = options->temporary_folder},
                            .patterns_folder = options->patterns_folder,
                            .revision = 1,
                            .origin = {.kind = LC_ORIGIN_CALLER,
                                       .reopen = options->reopen,
                                       .context = options->context},
                            .at_origin = true,
                            .edited = options->reopen == NULL}; // keeps it before the first step
    if (options->timeline != NULL) {
        session->place =
            (lc_timeline_place){options->timeline, options->frame, lc_universe_rule(universe),
                                *lc_universe_topology(universe)};
        session->origin = (lc_origin){.kind = LC_ORIGIN_FRAME, .place = session->place};
        session->edited = false;
    }
    snprintf(session->name, sizeof session->name, "%s", options->name);
    session->comments = strdup(options->comments != NULL ? options->comments : "");
    lc_status status = lc_origin_check_rule(lc_universe_rule(universe), message);
    if (status != LC_OK) {
        free_all(session);
        return status;
    }
    status = session->comments != NULL ? lc_edits_create(&session->edits, edits_bytes, NULL)
                                       : LC_ERROR_MEMORY;
    if (status == LC_OK &&
        !lc_history_create(&session->history, lc_snapshot_limit_bytes(&session->creation)))
        status = LC_ERROR_MEMORY;
    if (status != LC_OK) {
        free_all(session);
        return lc_fail(message, status, "out of memory for a viewer");
    }
    take(session, universe);
    return LC_OK;
}

lc_universe *lc_session_close(lc_session *session)
{
    lc_universe *universe = session->universe;
    lc_universe_set_watch(universe, NULL, NULL, 0);
    session->universe = NULL;
    free_all(session);
    return universe;
}
