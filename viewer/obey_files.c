// Commands about files: the library's patterns, saving and cancelling it.
#include <string.h>

#include "now.h"
#include "order.h"
#include "picture_message.h"

// Memory and live cells of the largest universe that is saved without a copy, which takes a moment;
// and of the largest one that a client may save without steering.
static const uint64_t save_now_bytes = (uint64_t)8 << 20, save_now_cells = (uint64_t)1 << 20;
static const uint64_t onlooker_bytes = (uint64_t)256 << 20, onlooker_cells = (uint64_t)1 << 24;

// The largest file of a timeline. The command can record larger ones.
static const uint64_t timeline_bytes = (uint64_t)4 << 30;

// Time after which a command ends a save that delays all clients.
static const uint64_t patience_ns = (uint64_t)1000000000;

// ---- the library -------------------------------------------------------------------------------

lc_status lc_obey_patterns(order *o)
{
    lc_status status = lc_session_open_library(o->session, &o->message);
    if (status == LC_OK)
        status = lc_library_refresh(o->session->library, &o->message);
    if (status != LC_OK)
        return status;
    json_t *list = json_array();
    const lc_library_entry *entry;
    for (size_t i = 0; (entry = lc_library_at(o->session->library, i)) != NULL; i++) {
        json_t *one = json_pack("{s:I, s:b}", "id", (json_int_t)entry->id, "yours", entry->yours);
        json_object_set_new(one, "name", lc_reply_text(entry->name));
        json_object_set_new(one, "title", lc_reply_text(entry->title));
        json_object_set_new(one, "comments", lc_reply_text(entry->comments));
        json_object_set_new(one, "rule", lc_reply_text(entry->rule));
        json_object_set_new(one, "width", lc_reply_integer(entry->width_cells));
        json_object_set_new(one, "height", lc_reply_integer(entry->height_cells));
        json_object_set_new(one, "category", lc_reply_text(entry->category));
        json_object_set_new(one, "kind", lc_reply_text(entry->kind));
        json_object_set_new(one, "author", lc_reply_text(entry->author));
        json_object_set_new(one, "speed", lc_reply_text(entry->speed));
        json_object_set_new(one, "year", json_integer(entry->year));
        json_object_set_new(one, "period", json_integer((json_int_t)entry->period));
        json_array_append_new(list, one);
    }
    json_t *object = lc_reply("patterns", o->command);
    json_object_set_new(object, "list", list);
    answer(o, object);
    return LC_OK;
}

lc_status lc_obey_thumbnail(order *o)
{
    lc_thumbnail t;
    lc_status status = lc_session_open_library(o->session, &o->message);
    if (status == LC_OK)
        status = lc_library_thumbnail(o->session->library, o->command->pattern, &t, &o->message);
    if (status != LC_OK)
        return status;
    const size_t bytes = lc_frame_payload_bytes(t.bits, t.width, t.height);
    lc_outgoing *picture = lc_outgoing_create(LC_FRAME_HEADER_BYTES + bytes);
    if (picture == NULL)
        return lc_fail(&o->message, LC_ERROR_MEMORY, "out of memory for a thumbnail");
    picture->binary = true;
    lc_frame_put_header(lc_outgoing_bytes(picture),
                        &(lc_frame_header){.kind = LC_FRAME_THUMBNAIL,
                                           .bits = t.bits,
                                           .number = o->command->pattern,
                                           .scale = t.scale,
                                           .width = (uint32_t)t.width,
                                           .height = (uint32_t)t.height});
    memcpy(lc_outgoing_bytes(picture) + LC_FRAME_HEADER_BYTES, t.pixels, bytes);
    lc_hub_send(o->clients->hub, o->client, picture);
    o->answered = true;
    return LC_OK;
}

// ---- saving ------------------------------------------------------------------------------------

typedef struct save_watch {
    const order *order;
    uint64_t until_ns; // it is not cancelled before
} save_watch;

// Returns whether to cancel a slow save: its client has left, or a client that steers has sent an
// urgent command.
static bool ends_saving(void *context, double share)
{
    const save_watch *w = context;
    lc_hub *hub = w->order->clients->hub;
    (void)share;
    lc_hub_give_sign(hub);
    return lc_view_now_ns() > w->until_ns &&
           (!lc_hub_has(hub, w->order->client) ||
            atomic_load_explicit(&hub->urgent, memory_order_relaxed));
}

// Saves a small universe, or one that cannot be copied for lack of memory, without a copy.
static lc_status save_now(order *o, const char *path, const char *name)
{
    save_watch watch = {o, lc_view_now_ns() + patience_ns};
    lc_clients_busy(o->clients, "saving");
    lc_status status = lc_universe_save_watched(o->session->universe, path, o->command->format,
                                                ends_saving, &watch, &o->message);
    lc_clients_end_busy(o->clients);
    if (status != LC_OK)
        return status;
    if (!o->command->flag)
        lc_session_saved(o->session);
    lc_clients_update_soon(o->clients);
    o->answered = true;
    return lc_saver_offer(o->clients->hub, o->client, o->command, path, name, &o->message);
}

static bool has_at_most(lc_count population, uint64_t cells)
{
    return lc_count_compare(population, lc_count_of(cells)) <= 0;
}

// Returns whether a format lists or draws all cells.
static bool is_list(lc_format format)
{
    return format != LC_FORMAT_CHECKPOINT && format != LC_FORMAT_MACROCELL &&
           format != LC_FORMAT_TIMELINE;
}

// Fills in the job. Refuses timelines that this client may not save or that have one frame.
static lc_status plan_saving(order *o, lc_save_job *job)
{
    const lc_view_command *c = o->command;
    const char *ending = lc_saver_ending(c->format);
    *job = (lc_save_job){.client = o->client,
                         .has_id = c->has_id,
                         .id = c->id,
                         .format = c->format,
                         .generations = c->generations,
                         .every = c->every,
                         .most_bytes = timeline_bytes};
    lc_saver_name(o->session->name, ending, job->name);
    if (c->format == LC_FORMAT_TIMELINE && !lc_hub_steers(o->clients->hub, o->client))
        return refuse(o, "a timeline is recorded by stepping a copy, which takes the machine's "
                         "time: only who steers may save one");
    if (c->format == LC_FORMAT_TIMELINE && lc_count_compare(job->every, job->generations) > 0)
        return refuse(o, "that timeline would have one frame: the next one lies beyond its end");
    return lc_session_name_file(o->session, ending, job->path, &o->message);
}

// Saves from a copy, which is made now.
static lc_status save_copy(order *o, lc_save_job *job)
{
    if (lc_saver_is_busy(o->saver))
        return refuse(o, "another file is being saved: it has to be finished, or cancelled, first");
    lc_order_begin(o, "copying the universe");
    const lc_status status = lc_saver_copy(job, o->session, &o->message);
    lc_order_end(o);
    if ((status == LC_ERROR_LIMIT || status == LC_ERROR_MEMORY) &&
        job->format != LC_FORMAT_TIMELINE && lc_hub_steers(o->clients->hub, o->client)) {
        say(o, lc_reply_error(NULL, "out of memory for a copy of the universe, so it waits "
                                    "until it is saved"));
        o->message.text[0] = '\0';
        return save_now(o, job->path, job->name);
    }
    if (status != LC_OK)
        return status;
    if (o->command->flag)
        job->edits = UINT64_MAX; // the universe does not count as saved
    o->answered = true;          // by the saver
    return lc_saver_start(o->saver, job, &o->message);
}

lc_status lc_obey_save(order *o)
{
    const lc_universe *universe = o->session->universe;
    const lc_format format = o->command->format;
    const uint64_t size_bytes = lc_universe_info_of(universe).memory_bytes;
    const bool steers = lc_hub_steers(o->clients->hub, o->client);
    lc_facts facts = {.population = lc_count_of(0)};
    lc_save_job job;
    lc_status status = plan_saving(o, &job);
    // Memoised nodes can hold many cells in little memory.
    if (status == LC_OK && size_bytes <= onlooker_bytes && is_list(format))
        status = lc_universe_facts(universe, LC_FACT_POPULATION, &facts, &o->message);
    if (status != LC_OK)
        return status;
    if (format != LC_FORMAT_TIMELINE && size_bytes <= save_now_bytes &&
        has_at_most(facts.population, save_now_cells))
        return save_now(o, job.path, job.name);
    if (!steers && (size_bytes > onlooker_bytes || !has_at_most(facts.population, onlooker_cells)))
        return refuse(o, "this universe is so large that all would wait for its copy, or its file "
                         "take a lot of the disk: only who steers may save it");
    return save_copy(o, &job);
}

// Cancels an identification or a save. The saving client and those that steer may cancel a save.
lc_status lc_obey_cancel(order *o)
{
    if (o->command->flag)
        return lc_identifier_cancel(o->identifier, o->client, LC_DO_IDENTIFY)
                   ? LC_OK
                   : refuse(o, "nothing is being identified");
    const lc_client *saves = &o->saver->job.client;
    const bool own = saves->slot == o->client.slot && saves->serial == o->client.serial;
    if (!lc_saver_is_busy(o->saver) || (!own && !lc_hub_steers(o->clients->hub, o->client)))
        return refuse(o, "nothing is being saved or changed that could be cancelled");
    lc_saver_cancel(o->saver);
    return LC_OK;
}
