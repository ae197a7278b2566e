// Saves large files on a thread of its own.
#include "saver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lightcone/timeline.h"
#include "now.h"
#include "replies.h"

enum { PIECE_BYTES = 1 << 20, RECORDER_SHARE = 8 }; // recorder: 1/8 of a timeline's memory

static const uint64_t tell_ns = 200000000; // time between two progress messages
static const uint64_t watch_ns = 50000000; // time between two callbacks in a long pass

void lc_saver_create(lc_saver *saver, lc_hub *hub)
{
    *saver = (lc_saver){.hub = hub};
}

bool lc_saver_is_busy(const lc_saver *saver)
{
    return saver->started && !atomic_load(&saver->over);
}

// ---- on its own thread -------------------------------------------------------------------------

static bool watch(void *context, double share)
{
    lc_saver *s = context;
    const uint64_t now_ns = lc_view_now_ns();
    if (now_ns - s->told_ns >= tell_ns) {
        s->told_ns = now_ns;
        if (!lc_hub_has(s->hub, s->job.client))
            return true;
        json_t *object = lc_reply("saving", NULL);
        json_object_set_new(object, "share", json_real(share));
        lc_hub_say(s->hub, s->job.client, object);
    }
    return atomic_load(&s->stop);
}

// A callback without progress, used while the copy is restored, for example.
static bool gives_up(void *context)
{
    const lc_saver *s = context;
    return atomic_load(&s->stop) || !lc_hub_has(s->hub, s->job.client);
}

// Writes a checkpoint: the bytes in memory are the file.
static lc_status write_bytes(lc_saver *s, lc_message *message)
{
    const lc_save_job *job = &s->job;
    FILE *file = fopen(job->path, "wb");
    if (file == NULL)
        return lc_fail(message, LC_ERROR_IO, "cannot write: %s", strerror(errno));
    bool is_stopped = false;
    size_t done = 0, written = 1;
    while (done < job->size_bytes && written > 0 && !is_stopped) {
        const size_t left = job->size_bytes - done;
        written =
            fwrite((char *)job->bytes + done, 1, left < PIECE_BYTES ? left : PIECE_BYTES, file);
        done += written;
        is_stopped = watch(s, (double)done / (double)job->size_bytes);
    }
    const int problem = errno;
    const bool closed = fclose(file) == 0;
    if (is_stopped)
        return LC_ERROR_STOPPED;
    return done == job->size_bytes && closed ? LC_OK
                                             : lc_fail(message, LC_ERROR_IO, "cannot write: %s",
                                                       strerror(closed ? problem : errno));
}

// ---- a timeline --------------------------------------------------------------------------------

static bool watch_pass(void *context, const lc_universe *universe)
{
    lc_saver *s = context;
    const lc_count done = lc_count_distance(s->from, lc_universe_generation(universe));
    return watch(s, lc_count_to_double(done) / lc_count_to_double(s->job.generations));
}

static bool watch_passes(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)done;
    (void)total;
    return watch_pass(context, universe);
}

// Called while a frame is recorded. Its share is of that frame only, so it is not reported.
static bool watch_frame(void *context, double share)
{
    (void)share;
    return gives_up(context);
}

static lc_status add_frame(const lc_save_job *job, lc_recorder *recorder, const lc_universe *copy,
                           lc_message *message)
{
    struct stat facts;
    lc_status status = lc_recorder_add(recorder, copy, message);
    if (status != LC_OK)
        return status;
    if (stat(job->path, &facts) != 0)
        return lc_fail(message, LC_ERROR_IO, "the timeline is gone: %s", strerror(errno));
    if ((uint64_t)facts.st_size <= job->most_bytes)
        return LC_OK;
    char generation[LC_COUNT_TEXT_BYTES];
    lc_count_format(lc_universe_generation(copy), generation);
    return lc_fail(message, LC_ERROR_LIMIT,
                   "the timeline's file is larger than %.1f MiB at generation %s: take fewer "
                   "generations, or more from frame to frame",
                   (double)job->most_bytes / (1 << 20), generation);
}

static lc_status write_timeline(lc_saver *s, lc_universe *copy, lc_message *message)
{
    const lc_save_job *job = &s->job;
    const lc_recorder_options options = {.struct_bytes = sizeof options,
                                         .every = job->every,
                                         .max_memory_bytes = job->recorder_bytes,
                                         .threads = 1,
                                         .watch = watch_frame,
                                         .watch_context = s};
    lc_recorder *recorder;
    lc_count left = job->generations;
    lc_status status = lc_recorder_create(&recorder, job->path, copy, &options, message);
    if (status != LC_OK)
        return status;
    s->from = lc_universe_generation(copy);
    lc_universe_set_watch(copy, watch_pass, s, watch_ns);
    status = add_frame(job, recorder, copy, message);
    while (status == LC_OK && lc_count_subtract(left, job->every, &left)) {
        status = lc_universe_step(copy, job->every, watch_passes, s, message);
        if (status == LC_OK)
            status = add_frame(job, recorder, copy, message);
    }
    const lc_status closed = lc_recorder_close(&recorder, status == LC_OK ? message : NULL);
    return status == LC_OK ? closed : status;
}

// ---- all formats -------------------------------------------------------------------------------

// Writes any other format, from a universe restored from the copy; a timeline by stepping that
// universe.
static lc_status write_pattern(lc_saver *s, lc_message *message)
{
    lc_save_job *job = &s->job;
    lc_universe *copy;
    lc_status status =
        lc_universe_restore_memory(&copy, job->bytes, job->size_bytes, &job->options, message);
    free(job->bytes);
    job->bytes = NULL;
    if (status != LC_OK)
        return status;
    status = job->format == LC_FORMAT_TIMELINE
                 ? write_timeline(s, copy, message)
                 : lc_universe_save_watched(copy, job->path, job->format, watch, s, message);
    lc_universe_destroy(&copy);
    return status;
}

static void *write_file(void *context)
{
    lc_saver *s = context;
    lc_save_job *job = &s->job;
    lc_message message = {0};
    const lc_view_command asked = {.has_id = job->has_id, .id = job->id};
    lc_set_give_up(gives_up, s);
    lc_status status =
        job->format == LC_FORMAT_CHECKPOINT ? write_bytes(s, &message) : write_pattern(s, &message);
    free(job->bytes);
    job->bytes = NULL;
    // The client may save the next file as soon as it has the answer.
    s->written = status == LC_OK;
    atomic_store(&s->over, true);
    if (status == LC_ERROR_STOPPED)
        (void)lc_fail(&message, status, "saving was stopped");
    if (status != LC_OK)
        unlink(job->path);
    else
        status = lc_saver_offer(s->hub, job->client, &asked, job->path, job->name, &message);
    if (status != LC_OK)
        lc_hub_say(s->hub, job->client, lc_reply_error(&asked, message.text));
    lc_hub_attract(s->hub); // the universe's thread records the result
    return NULL;
}

// ---- on the universe's thread ------------------------------------------------------------------

static void join(lc_saver *saver)
{
    if (saver->started)
        pthread_join(saver->thread, NULL);
    saver->started = false;
}

lc_status lc_saver_copy(lc_save_job *job, const lc_session *session, lc_message *message)
{
    const lc_universe *universe = session->universe;
    const lc_topology *shape = lc_universe_topology(universe);
    lc_universe_needs needs;
    job->options = lc_session_copy_options(session);
    job->options.rule = lc_universe_rule(universe);
    job->options.topology = *shape;
    job->edits = session->edits_made;
    uint64_t *limit = &job->options.max_memory_bytes;
    // For a board on disk, checks this before reading the whole board.
    if (session->on_disk && *limit != 0 &&
        shape->height_cells / 8 > (int64_t)*limit / shape->width_cells)
        return lc_fail(message, LC_ERROR_LIMIT, "out of memory for a copy");
    // If the background would come alive, the next frame of a timeline could not be written.
    const bool is_timeline = job->format == LC_FORMAT_TIMELINE;
    lc_status status =
        lc_universe_check_save(universe, is_timeline ? job->every : lc_count_of(0), job->path,
                               is_timeline ? LC_FORMAT_MACROCELL : job->format, message);
    if (is_timeline) {
        job->recorder_bytes = *limit / RECORDER_SHARE;
        *limit -= job->recorder_bytes;
    }
    if (status == LC_OK && job->format != LC_FORMAT_CHECKPOINT)
        status = lc_universe_check(&job->options, &needs, message);
    job->options.rule = NULL; // the copy has its own rule
    if (status == LC_OK)
        status = lc_universe_checkpoint_memory(
            universe, *limit == 0 || *limit > SIZE_MAX ? SIZE_MAX : (size_t)*limit, &job->bytes,
            &job->size_bytes, message);
    if (status == LC_OK && *limit != 0)
        *limit = *limit > job->size_bytes ? *limit - job->size_bytes : 1;
    return status;
}

lc_status lc_saver_start(lc_saver *saver, const lc_save_job *job, lc_message *message)
{
    join(saver);
    saver->job = *job;
    saver->written = false;
    saver->told_ns = 0; // the first progress message is sent at once
    atomic_store(&saver->over, false);
    atomic_store(&saver->stop, false);
    saver->started = pthread_create(&saver->thread, NULL, write_file, saver) == 0;
    if (saver->started)
        return LC_OK;
    free(job->bytes);
    return lc_fail(message, LC_ERROR_SYSTEM, "no thread can be started");
}

bool lc_saver_has_written(lc_saver *saver, uint64_t *edits)
{
    if (!saver->started || !atomic_load(&saver->over))
        return false;
    join(saver);
    *edits = saver->job.edits;
    return saver->written;
}

void lc_saver_cancel(lc_saver *saver)
{
    atomic_store(&saver->stop, true);
}

void lc_saver_close(lc_saver *saver)
{
    lc_saver_cancel(saver);
    join(saver);
}

const char *lc_saver_ending(lc_format format)
{
    lc_format_info info;
    for (size_t i = 0; lc_format_at(i, &info); i++)
        if (info.format == format)
            return info.suffix;
    return "";
}

void lc_saver_name(const char *name, const char *ending, char file[160])
{
    const char *slash = strrchr(name, '/');
    snprintf(file, 160 - 16, "%.100s", slash != NULL ? slash + 1 : name);
    for (char *c = file; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              *c == '-' || *c == '.'))
            *c = '-';
    char *dot = strchr(file, '.');
    if (dot != NULL && dot != file)
        *dot = '\0';
    strcat(file, ending);
}

lc_status lc_saver_offer(lc_hub *hub, lc_client client, const lc_view_command *asked,
                         const char *path, const char *name, lc_message *message)
{
    char url[256];
    struct stat facts;
    if (stat(path, &facts) != 0)
        return lc_fail(message, LC_ERROR_IO, "the saved file is gone");
    const lc_status status = lc_hub_offer(hub, client, path, name, url, message);
    if (status != LC_OK)
        return status;
    json_t *object = lc_reply("saved", asked);
    json_object_set_new(object, "path", json_string(url));
    json_object_set_new(object, "bytes", json_integer((json_int_t)facts.st_size));
    lc_hub_say(hub, client, object);
    return LC_OK;
}
