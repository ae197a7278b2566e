#include "engine/cuda/cuda_plan_choice.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_plan_store.h"
#include "engine/cuda/cuda_settled.h"
#include "kernels/settled.h"

enum { SETTLED_GENERATIONS = 8 }; // of a pass of strips, for generations that rounds leave over

enum {
    LEAST_BAND_ROWS = 64, // with fewer rows the kernels step little but halo
    SLACK_SHARE = 16,     // of a board's rows: higher bands would save less than 2 % of the time
    DRIVER_SHARE = 64,    // of the memory, for contexts and kernels: some GiB of 140
};

static const char device_name[] = "device=";

// Appends an item to a list with commas. It fits, because the whole list is as short as the
// settings.
static void append(char *list, const char *item, size_t length)
{
    const size_t used = strlen(list);
    (void)snprintf(list + used, LC_ENGINE_SETTINGS_BYTES - used, "%s%.*s", used > 0 ? "," : "",
                   (int)length, item);
}

static const struct {
    const char *text;
    lc_cuda_when when;
} when_values[] = {{"auto", LC_CUDA_IF_WORTH}, {"yes", LC_CUDA_ALWAYS}, {"no", LC_CUDA_NEVER}};

const char *lc_cuda_when_name(lc_cuda_when when)
{
    size_t i = 0;
    while (when_values[i].when != when)
        i++;
    return when_values[i].text;
}

// Parses an item such as "NAME=auto" of that length. Sets *taken to whether it has this name.
static lc_status parse_when(lc_cuda_when *when, const char *name, const char *item, size_t length,
                            bool *taken, lc_message *message)
{
    const size_t used = strlen(name);
    if (strncmp(item, name, used) != 0 || item[used] != '=')
        return LC_OK;
    *taken = true;
    for (size_t i = 0; i < sizeof when_values / sizeof *when_values; i++)
        if (strlen(when_values[i].text) == length - used - 1 &&
            memcmp(when_values[i].text, item + used + 1, length - used - 1) == 0) {
            *when = when_values[i].when;
            return LC_OK;
        }
    return lc_fail(message, LC_ERROR_ARGUMENT, "\"%.*s\" should be %s=auto, %s=yes or %s=no",
                   (int)length, item, name, name, name);
}

lc_status lc_cuda_settings_parse(lc_cuda_settings *settings, const char *text, lc_message *message)
{
    const size_t name_length = sizeof device_name - 1;
    *settings = (lc_cuda_settings){.device = -1};
    for (const char *at = text != NULL ? text : ""; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        if (strncmp(at, device_name, name_length) == 0) {
            char *end;
            const long device = strtol(at + name_length, &end, 10);
            if (end == at + name_length || end != at + length || device < 0 || device > INT32_MAX)
                return lc_fail(message, LC_ERROR_ARGUMENT,
                               "\"%.*s\" names no GPU: device=0 is the first", (int)length, at);
            settings->device = (int)device;
        } else {
            bool taken = false;
            lc_status status =
                parse_when(&settings->settled, "settled", at, length, &taken, message);
            if (status == LC_OK)
                status = parse_when(&settings->in_place, "in-place", at, length, &taken, message);
            if (status != LC_OK)
                return status;
            if (!taken)
                append(settings->plan, at, length);
        }
        at += length;
        at += *at == ',';
    }
    lc_cuda_plan plan = {0};
    return lc_cuda_plan_parse(&plan, settings->plan, message);
}

// The GPU ----------------------------------------------------------------------------------------

static struct {
    pthread_mutex_t mutex; // protects the rest until `looked` is set
    bool looked;
    bool found;
    lc_device_facts facts;
    char reason[LC_MESSAGE_TEXT_BYTES];
} first = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void find_first(lc_context *context)
{
    lc_message message = {0};
    first.found = lc_device_find_usable(context, &first.facts, &message) == LC_OK;
    if (first.found)
        (void)snprintf(first.reason, sizeof first.reason,
                       "bounded boards of any size, on GPU %d, %s", first.facts.index,
                       first.facts.name);
    else
        (void)snprintf(first.reason, sizeof first.reason, "%s", message.text);
    first.looked = true;
}

bool lc_cuda_first_gpu(lc_context *context, lc_device_facts *facts, const char **reason)
{
    (void)pthread_mutex_lock(&first.mutex);
    if (!first.looked)
        find_first(context);
    (void)pthread_mutex_unlock(&first.mutex);
    *facts = first.facts;
    *reason = first.reason;
    return first.found;
}

lc_status lc_cuda_gpu_choose(lc_device_facts *facts, lc_context *context,
                             const lc_cuda_settings *settings, lc_message *message)
{
    const char *reason;
    if (settings->device < 0)
        return lc_cuda_first_gpu(context, facts, &reason)
                   ? LC_OK
                   : lc_fail(message, LC_ERROR_UNSUPPORTED, "%s", reason);
    const lc_status status = lc_device_find_facts(context, settings->device, facts, message);
    return status != LC_OK ? status : lc_device_check_usable(context, facts, message);
}

// The plan ---------------------------------------------------------------------------------------

// Returns the guess for a board that is stepped as a settled one.
static lc_cuda_plan guess_settled(const lc_device_facts *facts, const lc_frame *frame)
{
    lc_cuda_plan plan = lc_cuda_plan_guess(facts, frame);
    if (plan.words == LC_SETTLED_WORDS)
        return plan;
    plan = lc_cuda_plan_of_strips(LC_SETTLED_WORDS, SETTLED_GENERATIONS);
    if (lc_cuda_plan_check(&plan, frame, NULL) != LC_OK)
        plan.generations = 0; // too few rows for strips
    return plan;
}

// Finds the stored plan. Returns false if tuning stored none, or if the text contradicts it.
static bool find_kept(lc_cuda_plan *plan, const char *text, lc_context *context,
                      const lc_device_facts *facts, const lc_frame *frame, bool in_place,
                      const lc_rule *rule)
{
    lc_cuda_plan kept, changed;
    if (!lc_cuda_stored_plan_read(&kept, context, facts, frame, in_place, rule))
        return false;
    changed = kept;
    if (lc_cuda_plan_parse(&changed, text, NULL) != LC_OK ||
        memcmp(&changed, &kept, sizeof changed) != 0)
        return false;
    *plan = kept;
    return true;
}

lc_status lc_cuda_plan_choose(lc_cuda_plan *plan, const lc_cuda_settings *settings,
                              lc_context *context, const lc_device_facts *facts,
                              const lc_frame *frame, const lc_rule *rule, lc_message *message)
{
    const bool settled = settings->settled == LC_CUDA_ALWAYS;
    if (find_kept(plan, settings->plan, context, facts, frame, false, rule) &&
        (!settled || plan->words == LC_SETTLED_WORDS))
        return LC_OK;
    *plan = settled ? guess_settled(facts, frame) : lc_cuda_plan_guess(facts, frame);
    lc_status status = lc_cuda_plan_parse(plan, settings->plan, message);
    if (status == LC_OK)
        status = lc_cuda_plan_check(plan, frame, message);
    if (status == LC_OK && settled && plan->words != LC_SETTLED_WORDS)
        status = lc_fail(message, LC_ERROR_ARGUMENT, "settled=yes needs words=%d, not words=%d",
                         LC_SETTLED_WORDS, plan->words);
    return status;
}

// In place ---------------------------------------------------------------------------------------

// Returns the rows of the highest bands with which a board fits in `room_bytes`, at least
// LEAST_BAND_ROWS.
static int64_t most_band_rows(const lc_frame *frame, int words, uint64_t room_bytes)
{
    uint64_t least_bytes, more_bytes;
    const int64_t height = frame->height_cells;
    const int64_t wanted = lc_greatest(height / SLACK_SHARE, LEAST_BAND_ROWS);
    if (height <= LEAST_BAND_ROWS ||
        !lc_cuda_board_bytes(frame, words, LEAST_BAND_ROWS, &least_bytes) ||
        !lc_cuda_board_bytes(frame, words, height, &more_bytes) || least_bytes >= room_bytes)
        return LEAST_BAND_ROWS;
    const uint64_t row_bytes = (more_bytes - least_bytes) / (uint64_t)(height - LEAST_BAND_ROWS);
    const uint64_t rows = (room_bytes - least_bytes) / row_bytes;
    return (int64_t)lc_least_u64((uint64_t)wanted, LEAST_BAND_ROWS + rows);
}

bool lc_cuda_may_settle(const lc_cuda_settings *settings, const lc_cuda_plan *plan,
                        const lc_frame *frame, const lc_topology *topology, const lc_rule *rule)
{
    return settings->settled != LC_CUDA_NEVER && plan->band_rows == 0 &&
           lc_cuda_settled_fits(frame, topology, plan->words, lc_rule_traits(rule)->reach);
}

// Finds the stored plan for stepping in place. Returns false if tuning stored none, or if its bands
// do not fit.
static bool find_kept_bands(lc_cuda_plan *plan, const char *text, const lc_cuda_where *where,
                            const lc_frame *frame, uint64_t room_bytes)
{
    lc_cuda_plan kept;
    uint64_t bytes;
    if (!find_kept(&kept, text, where->context, where->facts, frame, true, where->rule) ||
        !lc_cuda_board_bytes(frame, kept.words, kept.band_rows, &bytes) || bytes > room_bytes)
        return false;
    *plan = kept;
    return true;
}

lc_status lc_cuda_bands_choose(lc_cuda_plan *plan, const lc_cuda_settings *settings,
                               const lc_cuda_where *where, const lc_frame *frame,
                               const lc_topology *topology, uint64_t room_bytes,
                               lc_message *message)
{
    const lc_device_facts *facts = where->facts;
    const uint64_t most_bytes = facts->memory_bytes;
    const uint64_t limit = room_bytes > 0 ? lc_least_u64(room_bytes, most_bytes) : most_bytes;
    const uint64_t room = limit - limit / DRIVER_SHARE;
    const uint64_t more_bytes = lc_cuda_may_settle(settings, plan, frame, topology, where->rule)
                                    ? lc_cuda_settled_bytes(frame)
                                    : 0;
    uint64_t two_bytes;
    bool in_place = settings->in_place == LC_CUDA_ALWAYS;
    if (in_place && settings->settled == LC_CUDA_ALWAYS)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "settled=yes goes from one buffer to another, so not in-place=yes");
    if (settings->in_place == LC_CUDA_IF_WORTH && settings->settled != LC_CUDA_ALWAYS)
        in_place = lc_cuda_board_bytes(frame, plan->words, 0, &two_bytes) &&
                   (two_bytes > room || more_bytes > room - two_bytes);
    if (in_place && find_kept_bands(plan, settings->plan, where, frame, room))
        return LC_OK;
    if (in_place && strstr(settings->plan, "runs=") == NULL)
        plan->runs = 0; // a stored plan has the runs of the whole board
    if (!in_place)
        plan->band_rows = 0;
    else if (plan->band_rows == 0)
        plan->band_rows =
            lc_cuda_plan_bands(plan, facts, frame, most_band_rows(frame, plan->words, room));
    return lc_cuda_plan_check(plan, frame, message); // runs are now those of the board or a band
}
