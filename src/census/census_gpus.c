// The GPUs of a census. A thread for each GPU takes batches of soups. Soups that a GPU leaves go to
// the workers, and the batch counts when they are done.
#include "census/census_run.h"

#include <limits.h>
#include <signal.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "census/gpu_soups.h"
#include "ranks/rank_calls.h"

enum {
    BATCH_SOUPS = 1 << 20,
    WAITING_MAX = 32, // batches whose left soups wait: then the GPUs wait, too
};

struct lc_census_gpu {
    int index;
    lc_device *device;
    lc_gpu_soups *soups;
    lc_census_run *run; // while it runs
    pthread_t thread;
    bool has_thread;
    bool is_growing; // batches are not of full size yet
    lc_message message;
};

// Which GPUs -------------------------------------------------------------------------------------

void lc_census_gpus_free(lc_soup_census *census)
{
    for (int i = 0; i < census->gpu_count; i++) {
        lc_gpu_soups_destroy(&census->gpus[i].soups);
        lc_device_close(&census->gpus[i].device);
    }
    lc_free(census->gpus);
    census->gpus = NULL;
    census->gpu_count = 0;
}

// Returns how many GPUs lie between two that this process may use: ranks of one machine share them.
static int gpu_step(const lc_ranks *ranks, int found)
{
    const int here = ranks == NULL ? 1 : ranks->count_here;
    return here < found || found == 0 ? here : found;
}

// Opens a GPU, compiles the kernels and allocates memory, so that a run can use it.
static lc_status open_gpu(lc_census_gpu *gpu, const lc_soup_census *census, int number,
                          lc_message *why)
{
    lc_status status = lc_device_open(&gpu->device, census->context, number, why);
    if (status == LC_OK)
        status = lc_gpu_soups_create(&gpu->soups, gpu->device, census->rule, &census->source,
                                     BATCH_SOUPS, census->context, why);
    if (status != LC_OK)
        lc_device_close(&gpu->device);
    return status;
}

static lc_status open_gpus(lc_soup_census *census, int found, int count, lc_message *message)
{
    const lc_ranks *ranks = census->ranks;
    lc_message why = {0};
    lc_status status = LC_ERROR_UNSUPPORTED;
    const int step = gpu_step(ranks, found), first = ranks == NULL ? 0 : ranks->rank_here % step;
    for (int i = first; i < found && census->gpu_count < count; i += step) {
        lc_census_gpu *gpu = &census->gpus[census->gpu_count];
        status = open_gpu(gpu, census, i, &why);
        if (status == LC_OK)
            gpu->index = census->gpu_count++;
    }
    return census->gpu_count > 0 ? LC_OK : lc_fail(message, status, "%s", why.text);
}

lc_status lc_soup_census_use_gpus(lc_soup_census *census, int64_t count, lc_message *message)
{
    const char *why;
    int found = 0;
    lc_census_gpus_free(census);
    census->gpus_asked = 0;
    if (count == 0)
        return LC_OK;
    if (count < 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a negative number of GPUs");
    if (!lc_gpu_soups_can(census->rule, &census->source, &why))
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "%s", why);
    lc_status status = lc_device_count(census->context, &found, message);
    if (status != LC_OK)
        return status;
    census->gpus = lc_calloc((size_t)found + 1, sizeof *census->gpus);
    if (census->gpus == NULL)
        return lc_fail_memory(message, "the GPUs of a census");
    status = open_gpus(census, found, count < found ? (int)count : found, message);
    if (status != LC_OK)
        lc_census_gpus_free(census);
    else
        census->gpus_asked = (int)lc_least(count, INT_MAX);
    return status;
}

// Batches ----------------------------------------------------------------------------------------

static void free_batch(lc_left_batch *batch)
{
    lc_kinds_free(&batch->kinds);
    lc_free(batch->numbers);
    lc_free(batch);
}

static lc_left_batch *make_batch(const lc_gpu_batch_result *result, int gpu)
{
    lc_left_batch *batch = lc_calloc(1, sizeof *batch);
    if (batch == NULL)
        return NULL;
    batch->gpu = gpu;
    batch->range = result->range;
    batch->count = result->left_count;
    batch->numbers = lc_malloc((batch->count + 1) * sizeof *batch->numbers);
    if (batch->numbers == NULL || !lc_kinds_add_names(&batch->kinds, result->kinds)) {
        free_batch(batch);
        return NULL;
    }
    lc_kinds_add_counts(&batch->kinds, result->kinds);
    for (size_t i = 0; i < batch->count; i++)
        batch->numbers[i] = result->range.first + result->left[i];
    return batch;
}

bool lc_census_gpus_count(lc_census_run *run, lc_left_batch *batch)
{
    if (!lc_census_add(run->census, &batch->kinds, &(lc_number_ranges){&batch->range, 1, 1}))
        return false;
    lc_left_batch **at = &run->batches;
    while (*at != batch)
        at = &(*at)->next;
    *at = batch->next;
    free_batch(batch);
    pthread_cond_broadcast(&run->changed);
    return true;
}

// Hands the soups of a batch that are left to the workers.
static bool add_batch(lc_census_run *run, lc_left_batch *batch)
{
    bool is_added = true;
    pthread_mutex_lock(&run->mutex);
    lc_left_batch **at = &run->batches;
    while (*at != NULL)
        at = &(*at)->next;
    *at = batch;
    if (batch->count == 0)
        is_added = lc_census_gpus_count(run, batch);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
    return is_added;
}

// Waits until few batches of the GPU wait. While its batches grow, none may wait: then the census
// has samples of all common kinds.
static void wait_for_workers(lc_census_gpu *gpu)
{
    lc_census_run *run = gpu->run;
    pthread_mutex_lock(&run->mutex);
    for (;;) {
        int waiting = 0;
        for (const lc_left_batch *b = run->batches; b != NULL; b = b->next)
            waiting += b->gpu == gpu->index;
        if (waiting <= (gpu->is_growing ? 0 : WAITING_MAX) || atomic_load(&run->ends))
            break;
        pthread_cond_wait(&run->changed, &run->mutex);
    }
    pthread_mutex_unlock(&run->mutex);
}

// Starts a batch. Sets *has_soups to whether there were any.
static lc_status start_batch(lc_census_gpu *gpu, int number, bool *has_soups)
{
    lc_census_run *run = gpu->run;
    const uint64_t parts = 2 * (uint64_t)run->census->gpu_count;
    lc_status status = LC_OK;
    lc_number_range range;
    uint64_t soups;
    *has_soups = false;
    pthread_mutex_lock(&run->mutex);
    if (run->next < run->left->count && !atomic_load(&run->ends)) {
        status = lc_gpu_soups_prepare(gpu->soups, &run->census->kinds,
                                      run->left->at[run->next].first, &soups, &gpu->message);
        const uint64_t share = run->soups_left / parts + 1; // so that all finish at the same time
        if (status == LC_OK) {
            gpu->is_growing = soups < BATCH_SOUPS;
            *has_soups = lc_census_run_take(run, soups < share ? soups : share, &range);
        }
    }
    pthread_mutex_unlock(&run->mutex);
    if (*has_soups)
        status = lc_gpu_soups_start(gpu->soups, number, range, &gpu->message);
    return status;
}

static lc_status finish_batch(lc_census_gpu *gpu, int number)
{
    lc_gpu_batch_result result;
    const lc_status status = lc_gpu_soups_finish(gpu->soups, number, &result, &gpu->message);
    if (status != LC_OK)
        return status;
    lc_left_batch *batch = make_batch(&result, gpu->index);
    lc_kinds_clear_counts(result.kinds);
    if (batch == NULL || !add_batch(gpu->run, batch))
        return lc_fail_memory(&gpu->message, "a census");
    return LC_OK;
}

static lc_status run_batches(lc_census_gpu *gpu)
{
    int under_way = 0, next = 0;
    lc_status status = LC_OK;
    gpu->is_growing = true;
    while (status == LC_OK) {
        bool has_soups = false;
        if (under_way < (gpu->is_growing ? 1 : LC_GPU_BATCHES)) {
            wait_for_workers(gpu);
            status = start_batch(gpu, next, &has_soups);
        }
        if (status == LC_OK && has_soups) {
            under_way++;
            next = (next + 1) % LC_GPU_BATCHES;
        } else if (status == LC_OK) {
            if (under_way == 0)
                break;
            status = finish_batch(gpu, (next + LC_GPU_BATCHES - under_way) % LC_GPU_BATCHES);
            under_way--;
        }
    }
    return status;
}

static void *run_gpu(void *argument)
{
    lc_census_gpu *gpu = argument;
    lc_census_run *run = gpu->run;
    const lc_status status = run_batches(gpu);
    if (status != LC_OK)
        lc_census_run_end(run, status, &gpu->message);
    pthread_mutex_lock(&run->mutex);
    run->gpus--;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
    return NULL;
}

void lc_census_gpus_start(lc_census_run *run)
{
    lc_soup_census *census = run->census;
    sigset_t all, before; // signals are for the program's own threads
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_mutex_lock(&run->mutex);
    for (int i = 0; i < census->gpu_count && run->callbacks.soup == NULL; i++) {
        lc_census_gpu *gpu = &census->gpus[i];
        gpu->run = run;
        gpu->has_thread = pthread_create(&gpu->thread, NULL, run_gpu, gpu) == 0;
        run->gpus += gpu->has_thread; // if not, the others take its soups
    }
    pthread_mutex_unlock(&run->mutex);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void lc_census_gpus_end(lc_census_run *run)
{
    for (int i = 0; i < run->census->gpu_count; i++) {
        lc_census_gpu *gpu = &run->census->gpus[i];
        if (gpu->has_thread)
            pthread_join(gpu->thread, NULL);
        gpu->has_thread = false;
    }
    while (run->batches != NULL) {
        lc_left_batch *batch = run->batches;
        run->batches = batch->next;
        free_batch(batch);
    }
}
