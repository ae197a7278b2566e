#include "engine/cuda/plan_choice.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/cuda/kept_plan.h"

static const char device_name[] = "device=";

// Appends an item to a list with commas. It fits, since the whole list is no longer than that.
static void append(char *list, const char *item, size_t length)
{
    const size_t used = strlen(list);
    (void)snprintf(list + used, LC_ENGINE_SETTINGS_BYTES - used, "%s%.*s", used > 0 ? "," : "",
                   (int)length, item);
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
    pthread_mutex_t mutex; // of what follows, until it was looked for
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
        (void)snprintf(first.reason, sizeof first.reason, "dense boards of any size, on GPU %d, %s",
                       first.facts.index, first.facts.name);
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

lc_status lc_cuda_plan_choose(lc_cuda_plan *plan, const char *text, const char *folder,
                              const lc_device_facts *facts, const lc_frame *frame,
                              const lc_rule *rule, lc_message *message)
{
    if (text[0] == '\0' && lc_cuda_kept_plan_read(plan, folder, facts, frame, rule))
        return LC_OK;
    *plan = lc_cuda_plan_guess(facts, frame);
    const lc_status status = lc_cuda_plan_parse(plan, text, message);
    return status != LC_OK ? status : lc_cuda_plan_check(plan, frame, message);
}
