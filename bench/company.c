#include "company.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "lightcone/machine.h"
#include "machine_facts.h"

// Where all wait until the last one is there.
typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t opens;
    bool open;
    bool home; // somebody could not come: nobody is to step
} gate;

typedef struct walker {
    lc_universe *universe;
    uint64_t generations;
    gate *gate;
    pthread_t thread;
    double elapsed_ns;
    lc_status status;
    lc_message message;
} walker;

static double clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void step(walker *w)
{
    const double begin_ns = clock_ns();
    w->status = lc_universe_step(w->universe, lc_count_of(w->generations), NULL, NULL, &w->message);
    w->elapsed_ns = clock_ns() - begin_ns;
}

static void *walk(void *context)
{
    walker *w = context;
    (void)pthread_mutex_lock(&w->gate->mutex);
    while (!w->gate->open)
        (void)pthread_cond_wait(&w->gate->opens, &w->gate->mutex);
    const bool home = w->gate->home;
    (void)pthread_mutex_unlock(&w->gate->mutex);
    if (!home)
        step(w);
    return NULL;
}

int lc_company_size(const lc_bench_configuration *configuration)
{
    lc_machine machine;
    lc_machine_get(&machine);
    return configuration->threads > 0 ? machine.threads / configuration->threads : 1;
}

static lc_status walk_together(walker *all, int count, double *longest_ns, lc_message *message)
{
    gate g = {.mutex = PTHREAD_MUTEX_INITIALIZER, .opens = PTHREAD_COND_INITIALIZER};
    int started = 1;
    for (; started < count; started++) {
        all[started].gate = &g;
        if (pthread_create(&all[started].thread, NULL, walk, &all[started]) != 0)
            break;
    }
    (void)pthread_mutex_lock(&g.mutex);
    g.open = true;
    g.home = started < count;
    (void)pthread_cond_broadcast(&g.opens);
    (void)pthread_mutex_unlock(&g.mutex);
    if (!g.home)
        step(&all[0]);
    for (int i = 1; i < started; i++)
        (void)pthread_join(all[i].thread, NULL);
    if (g.home)
        return lc_fail(message, LC_ERROR_SYSTEM, "%d threads cannot be started", count);
    *longest_ns = 0;
    for (int i = 0; i < count; i++) {
        if (all[i].status != LC_OK)
            return lc_fail(message, all[i].status, "%s", all[i].message.text);
        *longest_ns = all[i].elapsed_ns > *longest_ns ? all[i].elapsed_ns : *longest_ns;
    }
    return LC_OK;
}

static lc_status make_others(walker *all, int count, const lc_bench_configuration *configuration,
                             const lc_verify_options *options, lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 1; i < count && status == LC_OK; i++) {
        const double bytes = (double)lc_universe_info_of(all[0].universe).memory_bytes;
        if (bytes * (count - i) > (double)lc_machine_available_bytes())
            return lc_fail(message, LC_ERROR_LIMIT, "out of memory for %d universes", count);
        status = lc_bench_universe(&all[i].universe, configuration, options, message);
    }
    return status;
}

lc_status lc_company_measure(lc_universe *first, const lc_bench_configuration *configuration,
                             const lc_verify_options *options, uint64_t generations, int rounds,
                             double *times, lc_message *message)
{
    const int count = lc_company_size(configuration);
    walker *all = calloc((size_t)count, sizeof *all);
    double *samples = calloc((size_t)rounds, sizeof *samples);
    lc_status status = LC_OK;
    if (all == NULL || samples == NULL) {
        status = lc_fail(message, LC_ERROR_MEMORY, "out of memory for %d universes", count);
    } else {
        all[0].universe = first;
        status = make_others(all, count, configuration, options, message);
        for (int i = 0; i < count; i++)
            all[i].generations = generations;
    }
    for (int r = -1; r < rounds && status == LC_OK; r++) { // the first one warms up
        double together_ns = 0;
        step(&all[0]);
        const double alone_ns = all[0].elapsed_ns;
        status = all[0].status != LC_OK ? lc_fail(message, all[0].status, "%s", all[0].message.text)
                                        : walk_together(all, count, &together_ns, message);
        if (r >= 0 && status == LC_OK)
            samples[r] = together_ns / alone_ns;
    }
    if (status == LC_OK)
        *times = lc_statistics_of(samples, (size_t)rounds, samples).median;
    for (int i = 1; all != NULL && i < count; i++)
        lc_universe_destroy(&all[i].universe);
    free(all);
    free(samples);
    return status;
}
