// The universe that is shown, and what belongs to it.
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How often a long pass is interrupted for the clients.
static const uint64_t watch_interval_ns = 6000000;

// Bytes of edits that can be undone; and the memory of the largest edited universe that is kept
// before it is stepped, which takes less than a second.
static const size_t edits_bytes = (size_t)256 << 20;
static const uint64_t keep_bytes = (uint64_t)256 << 20;

// Generations a second that can be followed by eye, and the boards for which that is right.
static const double calm_speed = 30;
static const double small_cells = 1 << 22;

double lc_stage_speed(const lc_stage *stage)
{
    const lc_topology *shape = lc_universe_topology(stage->universe);
    const bool bounded = shape->width_cells != 0 && shape->height_cells != 0;
    const double cells = (double)shape->width_cells * (double)shape->height_cells;
    return bounded && cells > small_cells ? 0 : calm_speed;
}

bool lc_stage_makes_life(const lc_stage *stage)
{
    return lc_rule_next(lc_universe_rule(stage->universe), 0);
}

bool lc_stage_can_undo(const lc_stage *stage)
{
    return stage->has_before || lc_edits_can_undo(stage->edits);
}

bool lc_stage_can_undo_stroke(const lc_stage *stage, uint32_t stroke)
{
    return stroke == stage->edited_by && (lc_edits_can_undo(stage->edits) ||
                                          (stage->has_before && stage->before.stroke == stroke));
}

// ---- history -----------------------------------------------------------------------------------

// Keeps a universe's cells in the history, if that does not take long.
static void keep_by_itself(lc_stage *stage, const lc_universe *universe, uint64_t era,
                           lc_count around, uint64_t share)
{
    stage->is_too_large =
        !lc_keeper_keep(&stage->keeper, &stage->history, universe, era, around, share);
}

// The same where the next one need not be due, but nobody may be kept waiting.
static void keep_quickly(lc_stage *stage)
{
    const lc_universe *universe = stage->universe;
    if (lc_keeper_takes_no_time(universe) || lc_keeper_wait_ns(&stage->keeper) == 0)
        keep_by_itself(stage, universe, lc_history_era(&stage->history),
                       lc_universe_generation(universe), LC_KEEPER_RUNS);
}

static bool origin_can_be_opened(const lc_stage *stage)
{
    return stage->origin.kind != LC_ORIGIN_CALLER || stage->origin.reopen != NULL;
}

// The cells at the beginning, which a reset makes.
static void keep_beginning(lc_stage *stage)
{
    lc_history *history = &stage->history;
    const lc_count generation = lc_universe_generation(stage->universe);
    const uint64_t era = lc_history_era(history);
    if (history->starts_at_origin && stage->at_origin && !stage->edited && !stage->strays &&
        origin_can_be_opened(stage) && history->at == 0 &&
        !lc_history_has(history, era, generation))
        lc_history_keep(history, era, generation, NULL, 0, generation);
}

// What was edited becomes a part of the history. To be called before the cells change otherwise.
static void record(lc_stage *stage)
{
    lc_history *history = &stage->history;
    const lc_count generation = lc_universe_generation(stage->universe);
    if (history->era_count > 0 && !stage->is_apart)
        return;
    lc_history_fork(history, generation, stage->strays, stage->unsaved);
    stage->is_apart = false;
    if (history->era_count == 1)
        history->starts_at_origin = stage->at_origin;
    keep_quickly(stage);
    keep_beginning(stage);
}

// Whether the cells are those of the history.
static bool history_is_here(const lc_stage *stage)
{
    return stage->history.era_count > 0 && !stage->is_apart;
}

// The universe is another one, at a generation of that era, if there still is one.
static void enter(lc_stage *stage, uint64_t era)
{
    stage->is_apart =
        !lc_history_enter(&stage->history, era, lc_universe_generation(stage->universe));
}

// ---- stepping ----------------------------------------------------------------------------------

// The universe has come to this generation: its cells are others, if it was not there already.
static void note_generation(lc_stage *stage, lc_count generation)
{
    if (lc_count_compare(generation, stage->generation) == 0)
        return; // a pass that was given up, or the last one, of which the stage has heard
    stage->generation = generation;
    stage->revision++;
    stage->at_origin = false;
    lc_history_pass(&stage->history, generation);
    if (lc_keeper_wait_ns(&stage->keeper) == 0)
        keep_by_itself(stage, stage->universe, lc_history_era(&stage->history), generation,
                       LC_KEEPER_RUNS);
}

static bool between_passes(void *context, const lc_universe *universe, lc_count done,
                           lc_count total)
{
    lc_stage *stage = context;
    (void)done;
    (void)total;
    note_generation(stage, lc_universe_generation(universe));
    return stage->calls.passed(stage->calls.context);
}

static bool in_a_pass(void *context, const lc_universe *universe)
{
    lc_stage *stage = context;
    (void)universe;
    stage->part++;
    return stage->calls.in_a_pass(stage->calls.context);
}

lc_status lc_stage_step(lc_stage *stage, lc_count generations, lc_message *message)
{
    stage->generation = lc_universe_generation(stage->universe);
    if (stage->undoable) {
        lc_edits_forget(stage->edits);
        stage->undoable = false;
    }
    record(stage);
    lc_status status =
        lc_universe_step(stage->universe, generations, between_passes, stage, message);
    note_generation(stage, lc_universe_generation(stage->universe));
    return status;
}

// ---- keeping what was edited -------------------------------------------------------------------

static void free_moments(lc_moment *moments, int *count)
{
    for (int i = 0; i < *count; i++)
        lc_origin_free(&moments[i].kept);
    *count = 0;
}

static void free_past(lc_past *past)
{
    lc_origin_free(&past->cells);
    lc_origin_free(&past->origin);
    free_moments(past->moments, &past->moment_count);
    lc_history_free(&past->history);
    lc_timeline_destroy(&past->own_timeline);
    free(past->comments);
    *past = (lc_past){0};
}

// From now on undoing goes back to this past, which goes over to the stage.
static void take_past(lc_stage *stage, const lc_past *past)
{
    free_past(&stage->before);
    stage->before = *past;
    stage->has_before = true;
}

// What leads back from a universe's own time goes; the one that was here before it stays.
static void forget_own_past(lc_stage *stage)
{
    if (!stage->before.is_another)
        stage->has_before = false;
}

// Keeps the universe as it is now in `kept`, if that does not take long.
static lc_status keep_edited(lc_stage *stage, lc_origin *kept, const char *consequence,
                             lc_message *message)
{
    if (lc_universe_info_of(stage->universe).memory_bytes > keep_bytes) {
        return lc_fail(message, LC_ERROR_LIMIT,
                       "the universe is too large to keep what was edited: %s", consequence);
    }
    stage->calls.busy(stage->calls.context, "keeping what was edited");
    lc_status status = lc_origin_keep(kept, &stage->folder, stage->universe, message);
    stage->calls.busy(stage->calls.context, "");
    return status;
}

lc_status lc_stage_keep_origin(lc_stage *stage, lc_message *message)
{
    const bool edited = stage->at_origin && stage->edited;
    if (!edited)
        return LC_OK;
    stage->edited = false;
    lc_status status =
        keep_edited(stage, &stage->origin, "a reset will go back to before the edits", message);
    if (status != LC_OK) {
        stage->strays = stage->unsaved;
        stage->unsaved_start = false;
    }
    if (history_is_here(stage))
        keep_beginning(stage);
    return status;
}

// The universe as it is now, as a past.
static lc_status keep_past(lc_stage *stage, const char *consequence, lc_past *past,
                           lc_message *message)
{
    record(stage);
    *past = (lc_past){.from_start = stage->at_origin && !stage->edited,
                      .era = lc_history_era(&stage->history),
                      .at_origin = stage->at_origin,
                      .edited = stage->edited,
                      .strays = stage->strays,
                      .unsaved = stage->unsaved,
                      .unsaved_start = stage->unsaved_start};
    return past->from_start ? LC_OK : keep_edited(stage, &past->cells, consequence, message);
}

// The same before others take the place of these cells, where that is `wanted`; *kept: it was done.
// LC_ERROR_STOPPED: it was cancelled, and the caller stops, too.
static lc_status keep_past_if(lc_stage *stage, bool wanted, lc_past *past, bool *kept,
                              lc_message *message)
{
    const lc_status status = wanted ? keep_past(stage, "", past, message) : LC_OK;
    *kept = wanted && status == LC_OK;
    return status == LC_ERROR_STOPPED ? status : LC_OK;
}

lc_status lc_stage_keep_edits(lc_stage *stage, lc_message *message)
{
    if (!stage->undoable)
        return LC_OK;
    lc_past past;
    lc_status status = keep_past(stage, "the edits can no longer be undone", &past, message);
    if (status == LC_OK)
        take_past(stage, &past);
    else
        stage->has_before = false;
    return status;
}

void lc_stage_keep_before_stroke(lc_stage *stage, uint32_t stroke)
{
    const bool goes_on = stroke != 0 && stroke == stage->stroke;
    stage->stroke = stroke;
    if (goes_on || !lc_keeper_takes_no_time(stage->universe))
        return;
    stage->has_next = keep_past(stage, "", &stage->next, NULL) == LC_OK;
    if (stage->has_next)
        stage->next.stroke = stroke;
}

void lc_stage_not_edited(lc_stage *stage)
{
    if (!stage->has_next)
        return;
    free_past(&stage->next);
    stage->has_next = false;
    stage->stroke = 0; // it has not begun
}

void lc_stage_edited(lc_stage *stage, uint32_t stroke)
{
    if (stage->has_next) {
        take_past(stage, &stage->next);
        stage->next = (lc_past){0};
        stage->has_next = false;
    }
    stage->edited_by = stroke;
    stage->edited = stage->edited || stage->at_origin;
    stage->unsaved_start = stage->unsaved_start || stage->at_origin;
    stage->strays = stage->strays || !stage->at_origin;
    stage->unsaved = true;
    stage->undoable = true;
    stage->is_apart = true;
    stage->edits_made++;
    stage->revision++;
}

void lc_stage_saved(lc_stage *stage)
{
    stage->unsaved = stage->unsaved_start = false;
    for (size_t i = 0; i < stage->history.era_count; i++)
        stage->history.eras[i].unsaved = false;
}

// ---- other universes ---------------------------------------------------------------------------

// The memory that a second universe may take beside the first.
static lc_universe_options second_universe(const lc_stage *stage)
{
    lc_universe_options options = stage->creation;
    lc_engine_info engine;
    lc_machine machine;
    lc_machine_get(&machine);
    const bool on_gpu =
        lc_engine_named(options.context, lc_universe_info_of(stage->universe).engine, &engine) &&
        engine.on_gpu;
    if (on_gpu || machine.memory_bytes == 0)
        return options;
    const uint64_t held = lc_universe_info_of(stage->universe).memory_bytes;
    const uint64_t most = machine.memory_bytes / 8 * 7;
    const uint64_t left = most > held ? most - held : 1;
    const uint64_t limit =
        options.max_memory_bytes != 0 ? options.max_memory_bytes : machine.memory_bytes / 2;
    options.max_memory_bytes = limit < left ? limit : left;
    return options;
}

static void take(lc_stage *stage, lc_universe *universe)
{
    lc_disk_facts facts;
    stage->universe = universe;
    stage->on_disk = lc_disk_get_facts(universe, &facts);
    lc_universe_set_watch(universe, in_a_pass, stage, watch_interval_ns);
}

lc_universe_options lc_stage_copy_options(const lc_stage *stage)
{
    const lc_topology *shape = lc_universe_topology(stage->universe);
    lc_universe_options options = second_universe(stage);
    options.engine = shape->width_cells != 0 && shape->height_cells != 0 ? "simd" : NULL;
    options.threads = 1;
    options.disk = NULL;
    return options;
}

// Puts a universe in place of the present one.
static void put_up(lc_stage *stage, lc_universe *universe)
{
    lc_universe_destroy(&stage->universe);
    take(stage, universe);
    lc_edits_forget(stage->edits);
    stage->undoable = false;
    stage->stroke = stage->edited_by = 0;
    stage->edits_made++;
    stage->revision++;
    stage->line++;
}

// Opens the universe of an origin in place of the present one.
static lc_status open_origin(lc_stage *stage, const lc_origin *origin, lc_message *message)
{
    lc_universe *universe;
    const lc_universe_options options = second_universe(stage);
    lc_status status = lc_origin_open(origin, &options, &universe, message);
    if (status == LC_OK)
        put_up(stage, universe);
    return status;
}

// The history goes over to a past, where it may take a quarter of its memory, and begins anew.
static void put_history_away(lc_stage *stage, lc_past *past)
{
    lc_history fresh;
    if (lc_history_create(&fresh, stage->history.limit_bytes)) {
        past->history = stage->history;
        lc_history_limit(&past->history, fresh.limit_bytes / 4);
        fresh.line = past->history.line + 1;
        stage->history = fresh;
    } else {
        lc_history_clear(&stage->history);
    }
    stage->is_apart = false;
}

// And back.
static void bring_history_back(lc_stage *stage)
{
    const lc_history now = stage->history;
    lc_history *past = &stage->before.history;
    if (past->limit_bytes == 0) {
        lc_history_clear(&stage->history);
        return;
    }
    stage->history = *past;
    stage->history.limit_bytes = now.limit_bytes;
    stage->history.line = now.line + 1;
    *past = now;
}

// All that belongs to the universe but its cells goes over to a past.
static void put_away(lc_stage *stage, lc_past *past)
{
    past->is_another = true;
    memcpy(past->name, stage->name, sizeof past->name);
    memcpy(past->moments, stage->moments, sizeof past->moments);
    past->moment_count = stage->moment_count;
    past->comments = stage->comments;
    past->origin = stage->origin;
    past->place = stage->place;
    past->own_timeline = stage->own_timeline;
    put_history_away(stage, past);
    stage->moment_count = 0;
    stage->comments = NULL;
    stage->origin = (lc_origin){0};
    stage->own_timeline = NULL;
}

static void forget_belongings(lc_stage *stage)
{
    free_moments(stage->moments, &stage->moment_count);
    lc_origin_free(&stage->origin);
    lc_timeline_destroy(&stage->own_timeline);
    free(stage->comments);
    stage->comments = NULL;
}

// And back, from the stage's past.
static void bring_back(lc_stage *stage)
{
    lc_past *past = &stage->before;
    forget_belongings(stage);
    memcpy(stage->name, past->name, sizeof stage->name);
    memcpy(stage->moments, past->moments, sizeof stage->moments);
    stage->moment_count = past->moment_count;
    stage->comments = past->comments;
    stage->origin = past->origin;
    stage->place = past->place;
    stage->own_timeline = past->own_timeline;
    past->moment_count = 0;
    past->comments = NULL;
    past->origin = (lc_origin){0};
    past->own_timeline = NULL;
    bring_history_back(stage);
}

lc_status lc_stage_replace(lc_stage *stage, lc_origin *origin, const char *name, char *comments,
                           lc_message *message)
{
    lc_past past;
    bool kept;
    lc_status status = keep_past_if(stage, true, &past, &kept, message);
    if (status == LC_OK)
        status = open_origin(stage, origin, message);
    if (status != LC_OK) {
        free_past(&past);
        lc_timeline_destroy(&origin->place.timeline);
        lc_origin_free(origin);
        free(comments);
        return status;
    }
    if (kept) {
        put_away(stage, &past);
        take_past(stage, &past);
    } else {
        stage->has_before = false;
        lc_history_clear(&stage->history);
    }
    forget_belongings(stage);
    stage->origin = *origin;
    stage->place = origin->place;
    stage->own_timeline = origin->place.timeline;
    stage->at_origin = true;
    stage->edited = stage->strays = stage->unsaved = stage->unsaved_start = false;
    stage->comments = comments;
    snprintf(stage->name, sizeof stage->name, "%s", name);
    return LC_OK;
}

lc_status lc_stage_reset(lc_stage *stage, lc_message *message)
{
    lc_past past;
    bool kept;
    lc_status status = keep_past_if(stage, stage->strays, &past, &kept, message);
    record(stage);
    if (status == LC_OK)
        status = open_origin(stage, &stage->origin, message);
    if (status == LC_OK) {
        forget_own_past(stage);
        enter(stage, stage->history.starts_at_origin ? stage->history.eras[0].id : 0);
        stage->at_origin = true;
        stage->edited = stage->strays = false;
        stage->unsaved = stage->unsaved_start;
    }
    if (kept && status == LC_OK)
        take_past(stage, &past);
    else if (kept)
        free_past(&past);
    return status;
}

lc_status lc_stage_undo_run(lc_stage *stage, lc_message *message)
{
    lc_past *past = &stage->before;
    const lc_origin *start = past->is_another ? &past->origin : &stage->origin;
    record(stage);
    lc_status status = open_origin(stage, past->from_start ? start : &past->cells, message);
    if (status != LC_OK)
        return status;
    if (past->is_another)
        bring_back(stage);
    enter(stage, past->era);
    stage->at_origin = past->at_origin;
    stage->edited = past->edited;
    stage->strays = past->strays;
    stage->unsaved = past->unsaved;
    stage->unsaved_start = past->unsaved_start;
    free_past(past);
    stage->has_before = false;
    return LC_OK;
}

lc_status lc_stage_recast(lc_stage *stage, const lc_rule *rule, const lc_topology *topology,
                          bool only_try, uint64_t *lost, lc_message *message)
{
    if (lc_universe_info_of(stage->universe).memory_bytes > keep_bytes)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "the universe is too large to change its rule or topology while it is open");
    lc_past past;
    lc_universe *universe;
    const lc_universe_options options = second_universe(stage);
    rule = rule != NULL ? rule : lc_universe_rule(stage->universe);
    topology = topology != NULL ? topology : lc_universe_topology(stage->universe);
    if (only_try)
        return lc_origin_recast(stage->universe, rule, topology, &stage->folder, &options, lost,
                                NULL, message);
    lc_status status = keep_past(stage, "it stays as it is", &past, message);
    if (status != LC_OK)
        return status;
    lc_origin origin = {0};
    status = lc_origin_recast(stage->universe, rule, topology, &stage->folder, &options, lost,
                              &universe, message);
    if (status == LC_OK)
        status = lc_origin_keep(&origin, &stage->folder, universe, message);
    if (status != LC_OK) {
        lc_universe_destroy(&universe);
        free_past(&past);
        return status;
    }
    put_up(stage, universe);
    char *comments = strdup(stage->comments);
    put_away(stage, &past);
    take_past(stage, &past);
    stage->origin = origin;
    stage->comments = comments != NULL ? comments : strdup("");
    stage->place = (lc_place){0};
    stage->at_origin = true;
    stage->edited = stage->strays = false;
    stage->unsaved_start = stage->unsaved;
    return LC_OK;
}

lc_status lc_stage_show_frame(lc_stage *stage, uint64_t frame, lc_message *message)
{
    lc_origin origin = {.kind = LC_ORIGIN_FRAME, .place = stage->place};
    origin.place.frame = frame;
    // If what was drawn comes back, a reset leads to this frame all the same.
    lc_past past = {.strays = true, .unsaved = true};
    lc_status status = stage->unsaved ? keep_edited(stage, &past.cells, "", message) : LC_OK;
    const bool kept = stage->unsaved && status == LC_OK;
    const uint64_t line = stage->line + !lc_stage_is_frame(stage);
    if (status != LC_ERROR_STOPPED)
        status = open_origin(stage, &origin, message);
    if (status != LC_OK) {
        free_past(&past);
        return status;
    }
    stage->line = line; // from frame to frame it goes on
    forget_own_past(stage);
    if (kept)
        take_past(stage, &past);
    lc_origin_free(&stage->origin);
    lc_history_clear(&stage->history);
    stage->origin = origin;
    stage->place = origin.place;
    stage->at_origin = true;
    stage->edited = stage->strays = stage->unsaved = stage->unsaved_start = false;
    return LC_OK;
}

bool lc_stage_is_frame(const lc_stage *stage)
{
    return stage->origin.kind == LC_ORIGIN_FRAME && stage->at_origin && !stage->edited;
}

// ---- moments -----------------------------------------------------------------------------------

lc_status lc_stage_keep_moment(lc_stage *stage, lc_message *message)
{
    lc_facts facts;
    lc_status status = lc_universe_facts(stage->universe, LC_FACT_POPULATION, &facts, message);
    if (status != LC_OK)
        return status;
    record(stage);
    lc_moment *moment = &stage->moments[stage->moment_count];
    *moment = (lc_moment){.id = stage->moment_ids + 1,
                          .era = lc_history_era(&stage->history),
                          .generation = lc_universe_generation(stage->universe),
                          .population = facts.population};
    status = lc_origin_keep(&moment->kept, &stage->folder, stage->universe, message);
    if (status == LC_OK) {
        stage->moment_ids++;
        stage->moment_count++;
    }
    return status;
}

const lc_moment *lc_stage_find_moment(const lc_stage *stage, uint32_t id)
{
    for (int i = 0; i < stage->moment_count; i++)
        if (stage->moments[i].id == id)
            return &stage->moments[i];
    return NULL;
}

lc_status lc_stage_return(lc_stage *stage, const lc_moment *moment, lc_message *message)
{
    lc_past past;
    bool kept;
    lc_status status = keep_past_if(stage, stage->strays, &past, &kept, message);
    record(stage);
    if (status == LC_OK)
        status = open_origin(stage, &moment->kept, message);
    if (status == LC_OK) {
        forget_own_past(stage);
        enter(stage, moment->era);
        stage->at_origin = false;
    }
    if (kept && status == LC_OK)
        take_past(stage, &past);
    else if (kept)
        free_past(&past);
    return status;
}

void lc_stage_forget_moment(lc_stage *stage, const lc_moment *moment)
{
    lc_moment *place = &stage->moments[moment - stage->moments];
    lc_origin_free(&place->kept);
    stage->moment_count--;
    const size_t behind = (size_t)(stage->moments + stage->moment_count - place);
    memmove(place, place + 1, behind * sizeof *place);
}

// ---- other generations -------------------------------------------------------------------------

// As `in_a_pass`, of a universe that is not shown.
static bool in_a_hidden_pass(void *context, const lc_universe *universe)
{
    lc_stage *stage = context;
    (void)universe;
    return stage->calls.in_a_pass(stage->calls.context);
}

lc_status lc_stage_depart(lc_stage *stage, lc_count *to, lc_universe **out, uint64_t *era,
                          lc_message *message)
{
    record(stage);
    keep_quickly(stage);
    const lc_kept *kept = lc_history_find(&stage->history, to);
    const lc_universe_options options = second_universe(stage);
    *out = NULL;
    if (kept == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "nothing that was kept lies before that");
    *era = kept->era;
    lc_status status =
        kept->bytes != NULL
            ? lc_universe_restore_memory(out, kept->bytes, kept->size_bytes, &options, message)
            : lc_origin_open(&stage->origin, &options, out, message);
    if (status == LC_OK) {
        lc_universe_set_watch(*out, in_a_hidden_pass, stage, watch_interval_ns);
        lc_keeper_set_out(&stage->keeper);
    }
    return status;
}

void lc_stage_keep_on_the_way(lc_stage *stage, const lc_universe *universe, uint64_t era,
                              lc_count to, bool in_any_case)
{
    if (in_any_case || lc_keeper_wait_ns(&stage->keeper) == 0)
        keep_by_itself(stage, universe, era, to, LC_KEEPER_TRAVELS);
}

lc_status lc_stage_arrive(lc_stage *stage, lc_universe *universe, uint64_t era, bool keeps,
                          bool *passed, lc_message *message)
{
    lc_history *history = &stage->history;
    const size_t left = history->at;
    const lc_count generation = lc_universe_generation(universe);
    lc_past past = {0};
    const bool arrives = lc_history_enter(history, era, generation);
    const size_t at = history->at;
    history->at = left;
    *passed = !arrives || at < left;
    keeps = keeps && *passed;
    const lc_status status =
        keeps ? keep_past(stage, "undoing will not lead back to it", &past, message) : LC_OK;
    put_up(stage, universe);
    if (keeps && status == LC_OK)
        take_past(stage, &past);
    else if (keeps)
        forget_own_past(stage);
    stage->is_apart = !arrives;
    if (!arrives)
        return status;
    history->at = at;
    stage->strays = history->eras[at].strays;
    stage->unsaved = history->eras[at].unsaved;
    stage->edited = false;
    stage->at_origin = at == 0 && history->starts_at_origin &&
                       lc_count_compare(generation, history->eras[0].from) == 0;
    return status;
}

void lc_stage_count(lc_stage *stage, lc_count generation, lc_count population)
{
    if (history_is_here(stage) || stage->history.era_count == 0)
        lc_history_count(&stage->history, generation, population);
}

// ---- the whole ---------------------------------------------------------------------------------

lc_status lc_stage_name_file(lc_stage *stage, const char *ending, char path[320],
                             lc_message *message)
{
    return lc_folder_name(&stage->folder, ending, path, message);
}

lc_status lc_stage_open_library(lc_stage *stage, lc_message *message)
{
    return stage->library != NULL
               ? LC_OK
               : lc_library_create(&stage->library, stage->patterns_folder, message);
}

static void free_all(lc_stage *stage)
{
    forget_belongings(stage);
    free_past(&stage->before);
    lc_history_free(&stage->history);
    lc_folder_remove(&stage->folder);
    lc_edits_destroy(&stage->edits);
    lc_library_destroy(&stage->library);
}

lc_status lc_stage_create(lc_stage *stage, const lc_viewer_options *options,
                          const lc_stage_calls *calls, lc_universe *universe, lc_message *message)
{
    *stage = (lc_stage){.calls = *calls,
                        .creation = options->creation,
                        .folder = {.base = options->temporary_folder},
                        .patterns_folder = options->patterns_folder,
                        .revision = 1,
                        .origin = {.kind = LC_ORIGIN_CALLER,
                                   .reopen = options->reopen,
                                   .context = options->context},
                        .at_origin = true,
                        .edited = options->reopen == NULL}; // to be kept before it is stepped
    if (options->timeline != NULL) {
        stage->place = (lc_place){options->timeline, options->frame, lc_universe_rule(universe),
                                  *lc_universe_topology(universe)};
        stage->origin = (lc_origin){.kind = LC_ORIGIN_FRAME, .place = stage->place};
        stage->edited = false;
    }
    snprintf(stage->name, sizeof stage->name, "%s", options->name);
    stage->comments = strdup(options->comments != NULL ? options->comments : "");
    lc_status status = stage->comments != NULL ? lc_edits_create(&stage->edits, edits_bytes, NULL)
                                               : LC_ERROR_MEMORY;
    if (status == LC_OK &&
        !lc_history_create(&stage->history, lc_keeper_limit_bytes(&stage->creation)))
        status = LC_ERROR_MEMORY;
    if (status != LC_OK) {
        free_all(stage);
        return lc_fail(message, status, "out of memory for a viewer");
    }
    take(stage, universe);
    return LC_OK;
}

lc_universe *lc_stage_close(lc_stage *stage)
{
    lc_universe *universe = stage->universe;
    lc_universe_set_watch(universe, NULL, NULL, 0);
    stage->universe = NULL;
    free_all(stage);
    return universe;
}
