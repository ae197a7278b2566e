// Identifications and searches for objects, each on its own thread.
#include "identifier.h"

#include <string.h>

#include "lightcone/object.h"
#include "now.h"
#include "pattern_facts.h"
#include "replies.h"

enum { OBJECTS_MAX = 256, CODE_BYTES_MAX = 1024 }; // told a client at most

static const uint64_t second_ns = 1000000000;
// Time until the first progress message, and between two.
static const uint64_t first_ns = 1000000000, tell_ns = 250000000;

void lc_identifier_create(lc_identifier *identifier, lc_hub *hub)
{
    *identifier = (lc_identifier){.hub = hub};
}

// ---- answers ------------------------------------------------------------------------------------

static json_t *say_u64(uint64_t value)
{
    return lc_reply_count(lc_count_of(value));
}

// Returns a speed, such as "c/4 diagonal"; null for objects that do not move.
static json_t *say_speed(int64_t dx, int64_t dy, uint64_t period)
{
    char speed[LC_PATTERN_SPEED_BYTES];
    const lc_pattern_facts facts = {.dx = dx, .dy = dy, .period = period};
    if (dx == 0 && dy == 0)
        return json_null();
    lc_pattern_speed(&facts, speed);
    return json_string(speed);
}

// Describes an object by the facts that all objects with its code share.
static json_t *say_type(const char *code, const char *name, lc_identity_kind kind, uint64_t period,
                        int64_t dx, int64_t dy)
{
    const bool has_code = code[0] != '\0' && strlen(code) <= CODE_BYTES_MAX;
    json_t *o = json_object();
    json_object_set_new(o, "apgcode", has_code ? json_string(code) : json_null());
    json_object_set_new(o, "name", name[0] != '\0' ? json_string(name) : json_null());
    json_object_set_new(o, "kind", json_string(lc_identity_kind_name(kind)));
    json_object_set_new(o, "period", say_u64(period));
    json_object_set_new(o, "speed", say_speed(dx, dy, period));
    return o;
}

static json_t *say_object(const lc_object *object)
{
    json_t *o =
        say_type(object->code, object->name, object->kind, object->period, object->dx, object->dy);
    json_object_set_new(o, "count", say_u64(object->count));
    json_object_set_new(o, "population_min", say_u64(object->population_min));
    json_object_set_new(o, "population_max", say_u64(object->population_max));
    return o;
}

static json_t *say_objects(const lc_identity *identity)
{
    size_t count;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    json_t *list = json_array();
    for (size_t i = 0; i < count && i < OBJECTS_MAX; i++)
        json_array_append_new(list, say_object(&objects[i]));
    return list;
}

static json_t *say_identity(const lc_identify_job *job, const lc_view_command *asked,
                            const lc_identity *identity)
{
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    json_t *o = lc_reply("identity", asked);
    json_object_set_new(o, "generation", lc_reply_count(job->generation));
    json_object_set_new(o, "kind", json_string(lc_identity_kind_name(facts->kind)));
    json_object_set_new(o, "generations_made", say_u64(facts->generations));
    json_object_set_new(o, "settles", say_u64(facts->settles));
    json_object_set_new(o, "population", say_u64(facts->population));
    json_object_set_new(o, "period", say_u64(facts->period));
    json_object_set_new(o, "dx", lc_reply_integer(facts->dx));
    json_object_set_new(o, "dy", lc_reply_integer(facts->dy));
    json_object_set_new(o, "speed", say_speed(facts->dx, facts->dy, facts->period));
    json_object_set_new(o, "population_min", say_u64(facts->population_min));
    json_object_set_new(o, "population_max", say_u64(facts->population_max));
    json_object_set_new(o, "heat", json_real(facts->heat));
    json_object_set_new(o, "stator", say_u64(facts->stator));
    json_object_set_new(o, "rotor", say_u64(facts->rotor));
    json_object_set_new(o, "growth", lc_reply_integer(facts->growth));
    json_object_set_new(o, "proved", json_boolean(facts->proved));
    json_object_set_new(o, "periods_seen", say_u64(facts->periods_seen));
    json_object_set_new(o, "objects", say_objects(identity));
    return o;
}

// Returns whether two rectangles overlap.
static bool meet(const lc_rectangle *a, const lc_box *b)
{
    return b->x < a->x + a->width_cells && a->x < b->x + b->width_cells &&
           b->y < a->y + a->height_cells && a->y < b->y + b->height_cells;
}

// Returns whether the client sees an object and the copy has all cells near it.
static bool is_shown(const lc_identify_job *job, const lc_box *box)
{
    enum { NEAR = 3 };
    const lc_rectangle *copied = &job->copied;
    return meet(&job->seen, box) && box->x >= copied->x + NEAR && box->y >= copied->y + NEAR &&
           box->x + box->width_cells + NEAR <= copied->x + copied->width_cells &&
           box->y + box->height_cells + NEAR <= copied->y + copied->height_cells;
}

static json_t *say_placed(const lc_placed_object *placed)
{
    json_t *o =
        say_type(placed->code, placed->name, placed->kind, placed->period, placed->dx, placed->dy);
    json_object_set_new(o, "x", lc_reply_integer(placed->box.x));
    json_object_set_new(o, "y", lc_reply_integer(placed->box.y));
    json_object_set_new(o, "width", lc_reply_integer(placed->box.width_cells));
    json_object_set_new(o, "height", lc_reply_integer(placed->box.height_cells));
    return o;
}

// Sets *answer to the objects that the client sees. Returns LC_OK or LC_ERROR_LIMIT (too many).
static lc_status say_census(const lc_identify_job *job, const lc_view_command *asked,
                            const lc_census *census, json_t **answer, lc_message *message)
{
    size_t count = 0, shown = 0;
    const lc_placed_object *objects = census != NULL ? lc_census_get_objects(census, &count) : NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        if (is_shown(job, &objects[i].box) && ++shown <= LC_OBJECTS_MAX)
            json_array_append_new(list, say_placed(&objects[i]));
    if (shown > LC_OBJECTS_MAX) {
        json_decref(list);
        return lc_fail(message, LC_ERROR_LIMIT,
                       "there are %zu objects here, and at most %d can be labelled; zoom in", shown,
                       LC_OBJECTS_MAX);
    }
    *answer = lc_reply("objects", asked);
    json_object_set_new(*answer, "generation", lc_reply_count(job->generation));
    json_object_set_new(*answer, "revision", json_integer((json_int_t)job->revision));
    json_object_set_new(*answer, "objects", list);
    return LC_OK;
}

json_t *lc_identifier_say_none(const lc_identify_job *job)
{
    json_t *none = NULL;
    const lc_view_command asked = {.has_id = job->has_id, .id = job->id};
    (void)say_census(job, &asked, NULL, &none, NULL);
    return none;
}

// ---- a task, on its own thread ------------------------------------------------------------------

static void tell(lc_identify_task *task, uint64_t now_ns)
{
    json_t *object = lc_reply("identifying", NULL);
    json_object_set_new(object, "seconds",
                        json_real((double)(now_ns - task->began_ns) / (double)second_ns));
    json_object_set_new(object, "limit", json_integer(LC_IDENTIFY_S));
    lc_hub_say(task->hub, task->job.client, object);
}

static uint64_t limit_s(const lc_identify_task *task)
{
    return task->job.what == LC_DO_OBJECTS ? LC_OBJECTS_S : LC_IDENTIFY_S;
}

static bool gives_up(void *context)
{
    lc_identify_task *task = context;
    const uint64_t now_ns = lc_view_now_ns();
    if (now_ns - task->told_ns >= tell_ns) {
        task->told_ns = now_ns;
        if (!lc_hub_has(task->hub, task->job.client))
            return true;
        if (task->job.what == LC_DO_IDENTIFY && now_ns - task->began_ns >= first_ns)
            tell(task, now_ns);
    }
    task->is_late = now_ns - task->began_ns >= limit_s(task) * second_ns;
    return task->is_late || atomic_load(&task->stop);
}

// Sets *answer on success.
static lc_status identify(lc_identify_job *job, const lc_view_command *asked, json_t **answer,
                          lc_message *message)
{
    lc_identity *identity = NULL;
    lc_universe *universe;
    lc_status status = lc_cell_copy_restore(&universe, &job->copy, message);
    if (status == LC_OK)
        status = lc_identify(&identity, universe, NULL, message);
    if (status == LC_OK)
        *answer = say_identity(job, asked, identity);
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
    return status;
}

// Sets *answer on success.
static lc_status find_objects(lc_identify_job *job, const lc_view_command *asked, json_t **answer,
                              lc_message *message)
{
    const lc_census_options options = {.struct_bytes = sizeof options,
                                       .period_max = LC_OBJECTS_PERIOD_MAX,
                                       .cells_max = LC_OBJECTS_CELLS_MAX};
    lc_census *census = NULL;
    lc_universe *universe;
    lc_status status = lc_cell_copy_restore(&universe, &job->copy, message);
    if (status == LC_OK)
        status = lc_census_create(&census, universe, &options, message);
    if (status == LC_OK)
        status = say_census(job, asked, census, answer, message);
    lc_census_destroy(&census);
    lc_universe_destroy(&universe);
    return status;
}

static void *run(void *context)
{
    lc_identify_task *task = context;
    lc_message message = {0};
    json_t *answer = NULL;
    lc_hub *hub = task->hub;
    const lc_client client = task->job.client;
    const lc_view_command asked = {.has_id = task->job.has_id, .id = task->job.id};
    const bool labels = task->job.what == LC_DO_OBJECTS;
    lc_set_give_up(gives_up, task);
    const lc_status status = labels ? find_objects(&task->job, &asked, &answer, &message)
                                    : identify(&task->job, &asked, &answer, &message);
    if (status == LC_ERROR_STOPPED)
        (void)lc_fail(&message, status,
                      task->is_late ? "nothing was found within %d seconds; %s"
                                    : "the identification was cancelled",
                      (int)limit_s(task), labels ? "zoom in" : "select fewer cells");
    // The client may ask again as soon as it has the answer.
    atomic_store(&task->over, true);
    lc_hub_say(hub, client, status == LC_OK ? answer : lc_reply_error(&asked, message.text));
    return NULL;
}

// ---- on the universe's thread -------------------------------------------------------------------

static bool is_busy(const lc_identify_task *task)
{
    return task->started && !atomic_load(&task->over);
}

static bool is_of(const lc_identify_task *task, lc_client client, lc_view_do what)
{
    const lc_identify_job *job = &task->job;
    return job->client.slot == client.slot && job->client.serial == client.serial &&
           job->what == what;
}

static void join(lc_identify_task *task)
{
    if (task->started)
        pthread_join(task->thread, NULL);
    task->started = false;
}

bool lc_identifier_cancel(lc_identifier *identifier, lc_client client, lc_view_do what)
{
    bool any = false;
    for (int i = 0; i < LC_IDENTIFY_TASKS_MAX; i++) {
        lc_identify_task *task = &identifier->tasks[i];
        if (!is_busy(task) || !is_of(task, client, what))
            continue;
        atomic_store(&task->stop, true);
        any = true;
    }
    return any;
}

static lc_identify_task *find_free(lc_identifier *identifier)
{
    for (int i = 0; i < LC_IDENTIFY_TASKS_MAX; i++)
        if (!is_busy(&identifier->tasks[i]))
            return &identifier->tasks[i];
    return NULL;
}

lc_status lc_identifier_start(lc_identifier *identifier, const lc_identify_job *job,
                              lc_message *message)
{
    lc_cell_copy copy = job->copy;
    (void)lc_identifier_cancel(identifier, job->client, job->what);
    lc_identify_task *task = find_free(identifier);
    if (task == NULL) {
        lc_cell_copy_free(&copy);
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%d patterns are being identified already; try again later",
                       LC_IDENTIFY_TASKS_MAX);
    }
    join(task);
    *task = (lc_identify_task){.hub = identifier->hub, .job = *job, .began_ns = lc_view_now_ns()};
    task->started = pthread_create(&task->thread, NULL, run, task) == 0;
    if (task->started)
        return LC_OK;
    lc_cell_copy_free(&copy);
    return lc_fail(message, LC_ERROR_SYSTEM, "no thread can be started");
}

void lc_identifier_close(lc_identifier *identifier)
{
    for (int i = 0; i < LC_IDENTIFY_TASKS_MAX; i++)
        atomic_store(&identifier->tasks[i].stop, true);
    for (int i = 0; i < LC_IDENTIFY_TASKS_MAX; i++)
        join(&identifier->tasks[i]);
}
