// What clients ask for, done on the universe's thread.
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CLIP_TEXT_BYTES = 1 << 20, CLIP_PIXELS = 1 << 24 };

// One command, and the client that gave it.
typedef struct order {
    lc_simulation *s;
    lc_client client;
    lc_watcher *watcher;
    lc_view_command *command;
    lc_message message;
    bool answered;
} order;

static lc_status refuse(order *o, const char *text)
{
    return lc_fail(&o->message, LC_ERROR_ARGUMENT, "%s", text);
}

static void answer(order *o, json_t *object)
{
    lc_hub_say(o->s->hub, o->client, object);
    o->answered = true;
}

static void end_busy(lc_simulation *s)
{
    s->busy[0] = '\0';
    lc_show_soon(s);
}

// ---- steering ----------------------------------------------------------------------------------

// Whether nothing would happen, as far as that is known without a long count: if everything has
// died since the last count, the next one pauses. A rule with B0 makes life out of nothing.
static bool is_dead(const lc_simulation *s)
{
    if (lc_rule_next(lc_universe_rule(s->universe), 0) || (s->counted && s->population > 0))
        return false;
    return lc_universe_population(s->universe) == 0;
}

static lc_status begin(order *o, bool has_target)
{
    lc_simulation *s = o->s;
    if (is_dead(s))
        return refuse(o, "nothing is alive: draw something, or open a pattern");
    if (!s->running)
        lc_simulation_keep_edits(s);
    s->has_target = has_target;
    s->running = true;
    lc_show_soon(s);
    lc_simulation_restart_pace(s);
    return LC_OK;
}

static lc_status run(order *o)
{
    return begin(o, false);
}

static lc_status pause(order *o)
{
    lc_simulation_pause(o->s);
    return LC_OK;
}

static lc_status step(order *o)
{
    lc_simulation *s = o->s;
    const uint64_t from = s->has_target ? s->target : lc_universe_generation(s->universe);
    if (o->command->generations > UINT64_MAX - from)
        return refuse(o, "that is beyond generation 2^64 - 1");
    lc_status status = begin(o, true);
    if (status == LC_OK)
        s->target = from + o->command->generations;
    return status;
}

static lc_status set_speed(order *o)
{
    o->s->speed = o->command->speed;
    lc_show_soon(o->s);
    lc_simulation_restart_pace(o->s);
    return LC_OK;
}

// ---- other universes ----------------------------------------------------------------------------

// The memory that a second universe may take beside the first.
static lc_universe_options creation(const lc_simulation *s)
{
    lc_universe_options options = s->options->creation;
    lc_engine_info engine;
    lc_machine machine;
    lc_machine_get(&machine);
    const bool on_gpu = lc_engine_named(lc_universe_engine(s->universe), &engine) && engine.on_gpu;
    if (on_gpu || machine.memory_bytes == 0)
        return options;
    const uint64_t held = lc_universe_memory_bytes(s->universe);
    const uint64_t most = machine.memory_bytes / 8 * 7;
    const uint64_t left = most > held ? most - held : 1;
    const uint64_t limit =
        options.max_memory_bytes != 0 ? options.max_memory_bytes : machine.memory_bytes / 2;
    options.max_memory_bytes = limit < left ? limit : left;
    return options;
}

// Opens the universe of an origin in place of the present one.
static lc_status open_origin(order *o, const lc_origin *origin, const char *name)
{
    lc_simulation *s = o->s;
    lc_universe *universe;
    const lc_universe_options options = creation(s);
    lc_show_busy(s, "opening %s", name);
    lc_status status = lc_origin_open(origin, &options, &universe, &o->message);
    end_busy(s);
    if (status == LC_OK)
        lc_simulation_adopt(s, universe);
    return status;
}

static void forget_moments(lc_simulation *s)
{
    for (int i = 0; i < s->moment_count; i++)
        lc_origin_free(&s->moments[i].kept);
    s->moment_count = 0;
}

// The same, and from now on a reset goes back to that. Origin and comments go over to this
// function.
static lc_status replace(order *o, lc_origin *origin, const char *name, char *comments)
{
    lc_simulation *s = o->s;
    char kept_name[sizeof s->name];
    snprintf(kept_name, sizeof kept_name, "%s", name);
    lc_status status = comments == NULL
                           ? lc_fail(&o->message, LC_ERROR_MEMORY, "there is no memory for that")
                           : open_origin(o, origin, kept_name);
    if (status != LC_OK) {
        lc_origin_free(origin);
        free(comments);
        return status;
    }
    lc_origin_free(&s->origin);
    s->origin = *origin;
    s->at_origin = true;
    s->edited = false;
    forget_moments(s);
    free(s->comments);
    s->comments = comments;
    memcpy(s->name, kept_name, sizeof s->name);
    lc_show_universe(s);
    return LC_OK;
}

static lc_status reset(order *o)
{
    lc_simulation *s = o->s;
    if (s->at_origin)
        return LC_OK; // edits stay; they can be undone
    lc_status status = open_origin(o, &s->origin, s->name);
    if (status == LC_OK) {
        s->at_origin = true;
        s->edited = false;
    }
    return status;
}

static lc_status make_another(order *o)
{
    const lc_view_command *c = o->command;
    char name[64] = "a new universe";
    lc_origin origin = {
        .kind = LC_ORIGIN_SOUP,
        .soup = {.rule = c->rule, .topology = c->topology, .density = c->density, .seed = c->seed}};
    if (c->density > 0) {
        origin.soup.width_cells = c->area.width_cells;
        origin.soup.height_cells = c->area.height_cells;
        snprintf(name, sizeof name, "soup %llu", (unsigned long long)c->seed);
    }
    return replace(o, &origin, name, strdup(""));
}

// The comments of a pattern in memory, for people; fails only for lack of memory.
static char *pattern_comments(const void *bytes, size_t size_bytes)
{
    lc_pattern *pattern;
    if (lc_pattern_open_memory(&pattern, bytes, size_bytes, NULL) != LC_OK)
        return strdup("");
    char *comments = strdup(lc_pattern_get_header(pattern)->comments);
    lc_pattern_close(&pattern);
    return comments;
}

// A file that was sent: a pattern, or a checkpoint, which has to be a file on disk to be recognised
// and read.
static lc_status open_file(order *o)
{
    lc_view_command *c = o->command;
    lc_simulation *s = o->s;
    lc_origin origin = {.kind = LC_ORIGIN_CHECKPOINT};
    lc_status status = lc_folder_name(&s->folder, ".lcs", origin.path, &o->message);
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
    char *comments = pattern_comments(c->file, c->file_bytes);
    origin = (lc_origin){.kind = LC_ORIGIN_PATTERN, .bytes = c->file, .size_bytes = c->file_bytes};
    c->file = NULL;
    return replace(o, &origin, c->text, comments);
}

static lc_status open_library(order *o)
{
    lc_origin origin = {.kind = LC_ORIGIN_PATTERN};
    const lc_library_entry *entry = lc_library_find(o->s->library, o->command->pattern);
    lc_status status = lc_library_read(o->s->library, o->command->pattern, &origin.bytes,
                                       &origin.size_bytes, &o->message);
    if (status != LC_OK)
        return status;
    char *comments = pattern_comments(origin.bytes, origin.size_bytes);
    return replace(o, &origin, entry->name, comments);
}

static lc_status open(order *o)
{
    return o->command->file_bytes > 0 ? open_file(o) : open_library(o);
}

// ---- moments ------------------------------------------------------------------------------------

static lc_status keep(order *o)
{
    lc_simulation *s = o->s;
    if (s->moment_count == LC_MOMENTS_MAX)
        return refuse(o, "eight moments are already kept: forget one of them first");
    lc_moment *moment = &s->moments[s->moment_count];
    *moment = (lc_moment){.id = s->moment_ids + 1,
                          .generation = lc_universe_generation(s->universe),
                          .population = lc_universe_population(s->universe)};
    lc_show_busy(s, "keeping this moment%s", "");
    lc_status status = lc_origin_keep(&moment->kept, &s->folder, s->universe, &o->message);
    end_busy(s);
    if (status == LC_OK) {
        s->moment_ids++;
        s->moment_count++;
    }
    return status;
}

static lc_moment *find_moment(order *o)
{
    for (int i = 0; i < o->s->moment_count; i++)
        if (o->s->moments[i].id == o->command->moment)
            return &o->s->moments[i];
    refuse(o, "there is no such moment");
    return NULL;
}

static lc_status go_back(order *o)
{
    const lc_moment *moment = find_moment(o);
    if (moment == NULL)
        return LC_ERROR_ARGUMENT;
    const bool at_origin = o->s->at_origin;
    lc_simulation_leave_origin(o->s);
    lc_status status = open_origin(o, &moment->kept, "a kept moment");
    if (status != LC_OK)
        o->s->at_origin = at_origin;
    return status;
}

static lc_status forget(order *o)
{
    lc_simulation *s = o->s;
    lc_moment *moment = find_moment(o);
    if (moment == NULL)
        return LC_ERROR_ARGUMENT;
    lc_origin_free(&moment->kept);
    s->moment_count--;
    const size_t behind = (size_t)(s->moments + s->moment_count - moment);
    memmove(moment, moment + 1, behind * sizeof *moment);
    lc_show_soon(s);
    return LC_OK;
}

// ---- edits --------------------------------------------------------------------------------------

// After an edit: the change belongs to the beginning if nothing has been stepped since.
static lc_status edited(order *o, lc_status status, bool kept)
{
    lc_simulation *s = o->s;
    if (status != LC_OK)
        return status;
    s->edited = s->edited || s->at_origin;
    s->undoable = true;
    s->revision++;
    lc_show_soon(s);
    if (!kept)
        lc_hub_say(s->hub, o->client,
                   lc_say_error(NULL, "that was too large to keep: it cannot be undone"));
    return LC_OK;
}

static lc_status draw(order *o)
{
    bool kept = true;
    const lc_view_command *c = o->command;
    return edited(o,
                  lc_edits_cells(o->s->edits, o->s->universe, c->flag, c->stroke, c->runs,
                                 c->run_count, &kept, &o->message),
                  kept);
}

static lc_status fill(order *o)
{
    bool kept = true;
    const lc_rectangle *a = &o->command->area;
    return edited(o,
                  lc_edits_fill(o->s->edits, o->s->universe, a->x, a->y, a->width_cells,
                                a->height_cells, o->command->density, o->command->seed, &kept,
                                &o->message),
                  kept);
}

static lc_status clear(order *o)
{
    bool kept = true;
    const lc_rectangle *a = &o->command->area;
    return edited(o,
                  lc_edits_clear(o->s->edits, o->s->universe, a->x, a->y, a->width_cells,
                                 a->height_cells, o->command->flag, &kept, &o->message),
                  kept);
}

static lc_status paste(order *o)
{
    bool kept = true;
    if (o->watcher->clip == NULL)
        return refuse(o, "nothing has been copied yet");
    return edited(o,
                  lc_edits_paste(o->s->edits, o->s->universe, o->watcher->clip, o->command->area.x,
                                 o->command->area.y, o->command->mode, &kept, &o->message),
                  kept);
}

// Undoes the last edit; or, if the universe has been stepped since, goes back to the cells as they
// were edited.
static lc_status undo(order *o)
{
    lc_simulation *s = o->s;
    if (lc_edits_can_undo(s->edits))
        return edited(o, lc_edits_undo(s->edits, s->universe, &o->message), true);
    if (!s->has_before)
        return refuse(o, "there is nothing to undo");
    return open_origin(o, &s->before, "what was edited");
}

static lc_status redo(order *o)
{
    if (!lc_edits_can_redo(o->s->edits))
        return refuse(o, "there is nothing to redo");
    return edited(o, lc_edits_redo(o->s->edits, o->s->universe, &o->message), true);
}

// ---- clips --------------------------------------------------------------------------------------

static lc_status show_clip(order *o)
{
    const lc_clip *clip = o->watcher->clip;
    const bool bits = clip->width_cells * clip->height_cells <= CLIP_PIXELS;
    lc_outgoing *cells = NULL;
    char *text = NULL;
    size_t text_bytes;
    json_t *object = lc_say("clip", o->command);
    json_object_set_new(object, "width", json_integer(clip->width_cells));
    json_object_set_new(object, "height", json_integer(clip->height_cells));
    json_object_set_new(object, "population", lc_say_count(clip->population));
    if (lc_clip_to_rle(clip, lc_universe_rule(o->s->universe), CLIP_TEXT_BYTES, &text, &text_bytes,
                       NULL) == LC_OK)
        json_object_set_new(object, "rle", json_stringn(text, text_bytes));
    free(text);
    if (bits)
        cells = lc_outgoing_create(LC_FRAME_HEADER_BYTES + lc_clip_packed_bytes(clip));
    json_object_set_new(object, "bits", json_boolean(cells != NULL));
    answer(o, object);
    if (cells != NULL) {
        cells->binary = true;
        lc_frame_put_header(lc_outgoing_bytes(cells),
                            &(lc_frame_header){.kind = LC_FRAME_CLIP,
                                               .bits = 1,
                                               .width = (uint32_t)clip->width_cells,
                                               .height = (uint32_t)clip->height_cells});
        lc_clip_pack(clip, lc_outgoing_bytes(cells) + LC_FRAME_HEADER_BYTES);
        lc_hub_send(o->s->hub, o->client, cells);
    }
    return LC_OK;
}

// The new clip replaces the old one.
static lc_status take_clip(order *o, lc_clip *clip)
{
    lc_clip_destroy(&o->watcher->clip);
    o->watcher->clip = clip;
    return show_clip(o);
}

static lc_status copy(order *o)
{
    const lc_rectangle *a = &o->command->area;
    lc_clip *clip;
    lc_status status = lc_clip_from_universe(&clip, o->s->universe, a->x, a->y, a->width_cells,
                                             a->height_cells, &o->message);
    if (status == LC_OK && o->command->what == LC_DO_CUT) {
        status = clear(o);
        if (status != LC_OK)
            lc_clip_destroy(&clip);
    }
    return status == LC_OK ? take_clip(o, clip) : status;
}

static lc_status clip(order *o)
{
    const lc_view_command *c = o->command;
    void *bytes = c->text;
    size_t size = c->text_bytes;
    lc_clip *clip;
    lc_status status = LC_OK;
    if (c->pattern != 0)
        status = lc_library_read(o->s->library, c->pattern, &bytes, &size, &o->message);
    if (status == LC_OK)
        status = lc_clip_from_text(&clip, bytes, size, &o->message);
    if (bytes != c->text)
        free(bytes);
    return status == LC_OK ? take_clip(o, clip) : status;
}

static lc_status turn(order *o)
{
    if (o->watcher->clip == NULL)
        return refuse(o, "nothing has been copied yet");
    lc_status status = lc_clip_turn(&o->watcher->clip, o->command->turning, &o->message);
    return status == LC_OK ? show_clip(o) : status;
}

// ---- library and files --------------------------------------------------------------------------

static lc_status list_patterns(order *o)
{
    lc_status status = lc_library_refresh(o->s->library, &o->message);
    if (status != LC_OK)
        return status;
    json_t *list = json_array();
    const lc_library_entry *entry;
    for (size_t i = 0; (entry = lc_library_at(o->s->library, i)) != NULL; i++) {
        json_t *one = json_pack("{s:I, s:b}", "id", (json_int_t)entry->id, "yours", entry->yours);
        json_object_set_new(one, "name", lc_say_text(entry->name));
        json_object_set_new(one, "title", lc_say_text(entry->title));
        json_object_set_new(one, "comments", lc_say_text(entry->comments));
        json_object_set_new(one, "rule", lc_say_text(entry->rule));
        json_object_set_new(one, "width", json_integer(entry->width_cells));
        json_object_set_new(one, "height", json_integer(entry->height_cells));
        json_array_append_new(list, one);
    }
    json_t *object = lc_say("patterns", o->command);
    json_object_set_new(object, "list", list);
    answer(o, object);
    return LC_OK;
}

static lc_status show_thumbnail(order *o)
{
    lc_thumbnail t;
    lc_status status = lc_library_thumbnail(o->s->library, o->command->pattern, &t, &o->message);
    if (status != LC_OK)
        return status;
    const size_t bytes = lc_frame_payload_bytes(t.bits, t.width, t.height);
    lc_outgoing *picture = lc_outgoing_create(LC_FRAME_HEADER_BYTES + bytes);
    if (picture == NULL)
        return lc_fail(&o->message, LC_ERROR_MEMORY, "there is no memory for a thumbnail");
    picture->binary = true;
    lc_frame_put_header(lc_outgoing_bytes(picture),
                        &(lc_frame_header){.kind = LC_FRAME_THUMBNAIL,
                                           .bits = t.bits,
                                           .number = o->command->pattern,
                                           .scale = t.scale,
                                           .width = (uint32_t)t.width,
                                           .height = (uint32_t)t.height});
    memcpy(lc_outgoing_bytes(picture) + LC_FRAME_HEADER_BYTES, t.pixels, bytes);
    lc_hub_send(o->s->hub, o->client, picture);
    o->answered = true;
    return LC_OK;
}

// The universe's name as a file's, with the format's ending instead of its own.
static void name_file(const char *name, const char *ending, char *file, size_t size)
{
    const char *slash = strrchr(name, '/');
    snprintf(file, size - 16, "%.100s", slash != NULL ? slash + 1 : name);
    for (char *c = file; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              *c == '-' || *c == '.'))
            *c = '-';
    char *dot = strchr(file, '.');
    if (dot != NULL && dot != file)
        *dot = '\0';
    strcat(file, ending);
}

static lc_status save(order *o)
{
    static const char *const endings[] = {[LC_FORMAT_RLE] = ".rle",
                                          [LC_FORMAT_CELLS] = ".cells",
                                          [LC_FORMAT_LIFE_106] = ".lif",
                                          [LC_FORMAT_PNG] = ".png",
                                          [LC_FORMAT_CHECKPOINT] = ".lcs"};
    lc_simulation *s = o->s;
    char path[320], name[160], url[256];
    struct stat facts;
    const char *ending = endings[o->command->format];
    lc_status status = lc_folder_name(&s->folder, ending, path, &o->message);
    if (status != LC_OK)
        return status;
    lc_show_busy(s, "saving%s", "");
    status = lc_universe_save(s->universe, path, o->command->format, &o->message);
    end_busy(s);
    if (status != LC_OK || stat(path, &facts) != 0)
        return status != LC_OK ? status : refuse(o, "the saved file is gone");
    name_file(s->name, ending, name, sizeof name);
    status = lc_hub_offer(s->hub, o->client, path, name, url, &o->message);
    if (status != LC_OK)
        return status;
    json_t *object = lc_say("saved", o->command);
    json_object_set_new(object, "path", json_string(url));
    json_object_set_new(object, "bytes", json_integer((json_int_t)facts.st_size));
    answer(o, object);
    return LC_OK;
}

static lc_status say_box(order *o)
{
    const lc_box box = lc_universe_bounding_box(o->s->universe);
    json_t *object = lc_say("box", o->command);
    json_object_set_new(object, "box", lc_say_box(&box));
    answer(o, object);
    return LC_OK;
}

static lc_status follow(order *o)
{
    o->watcher->follows = o->command->flag;
    o->s->has_box = false;
    lc_show_soon(o->s);
    return LC_OK;
}

// ---- all of them --------------------------------------------------------------------------------

static lc_status (*const table[])(order *o) = {
    [LC_DO_RUN] = run,
    [LC_DO_PAUSE] = pause,
    [LC_DO_STEP] = step,
    [LC_DO_SPEED] = set_speed,
    [LC_DO_RESET] = reset,
    [LC_DO_KEEP] = keep,
    [LC_DO_RETURN] = go_back,
    [LC_DO_FORGET] = forget,
    [LC_DO_NEW] = make_another,
    [LC_DO_OPEN] = open,
    [LC_DO_CELLS] = draw,
    [LC_DO_FILL] = fill,
    [LC_DO_CLEAR] = clear,
    [LC_DO_PASTE] = paste,
    [LC_DO_UNDO] = undo,
    [LC_DO_REDO] = redo,
    [LC_DO_COPY] = copy,
    [LC_DO_CUT] = copy,
    [LC_DO_CLIP] = clip,
    [LC_DO_TURN] = turn,
    [LC_DO_PATTERNS] = list_patterns,
    [LC_DO_THUMBNAIL] = show_thumbnail,
    [LC_DO_SAVE] = save,
    [LC_DO_BOX] = say_box,
    [LC_DO_FOLLOW] = follow,
};

void lc_obey(lc_simulation *s, lc_client client, lc_view_command *command)
{
    lc_show_newcomers(s);
    order o = {.s = s, .client = client, .watcher = &s->watchers[client.slot], .command = command};
    if (o.watcher->serial != client.serial)
        return; // it has left
    lc_status status = table[command->what](&o);
    if (status == LC_OK)
        status = lc_universe_failure(s->universe, &o.message);
    if (status != LC_OK)
        answer(&o, lc_say_error(command, o.message.text[0] != '\0' ? o.message.text
                                                                   : lc_status_text(status)));
    else if (command->has_id && !o.answered)
        answer(&o, lc_say("done", command));
}
