// The list of CPU levels, and the public functions that describe and measure them.
#include <stdio.h>
#include <string.h>

#include "base/cpu_features.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "level/level.h"

// The best level is last. Levels of other architectures are NULL.
static const struct {
    const char *name;
    int vector_bits;
    const lc_level *level;
} levels[] = {
    {"portable", 64, &lc_level_portable},
#if defined(__aarch64__)
    {"neon", 128, &lc_level_neon},
#else
    {"neon", 128, NULL},
#endif
#if defined(__x86_64__)
    {"avx2", 256, &lc_level_avx2},
    {"avx512", 512, &lc_level_avx512},
#else
    {"avx2", 256, NULL},
    {"avx512", 512, NULL},
#endif
};

enum { LEVELS = sizeof levels / sizeof *levels };

static bool usable(size_t index)
{
    return levels[index].level != NULL && lc_cpu_missing(levels[index].level->needs) == NULL;
}

static size_t best(void)
{
    size_t index = LEVELS - 1;
    while (!usable(index))
        index--;
    return index;
}

bool lc_cpu_level_at(size_t index, lc_cpu_level_info *info)
{
    static const char *const other_cpu = "this build is for another CPU architecture";
    static _Thread_local char reason[LEVELS][96];
    if (index >= LEVELS)
        return false;
    const lc_level *level = levels[index].level;
    const char *missing = level != NULL ? lc_cpu_missing(level->needs) : NULL;
    *info = (lc_cpu_level_info){.name = levels[index].name,
                                .vector_bits = levels[index].vector_bits,
                                .available = usable(index),
                                .best = index == best(),
                                .reason = "",
                                .gates_per_word = level != NULL ? level->gates_per_word : 0};
    if (level == NULL) {
        info->reason = other_cpu;
    } else if (missing != NULL) {
        (void)snprintf(reason[index], sizeof reason[index],
                       "needs %s, which this CPU does not have", missing);
        info->reason = reason[index];
    }
    return true;
}

const lc_level *lc_level_find(const char *name, lc_message *message)
{
    if (name == NULL || strcmp(name, "auto") == 0)
        return levels[best()].level;
    for (size_t i = 0; i < LEVELS; i++) {
        if (strcmp(levels[i].name, name) != 0)
            continue;
        if (usable(i))
            return levels[i].level;
        lc_cpu_level_info info;
        (void)lc_cpu_level_at(i, &info);
        (void)lc_fail(message, LC_ERROR_UNSUPPORTED, "CPU level %s: %s", name, info.reason);
        return NULL;
    }
    char names[96] = "";
    for (size_t i = 0, used = 0; i < LEVELS; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 < LEVELS ? ", "
                                                  : " and ",
                                 levels[i].name);
    (void)lc_fail(message, LC_ERROR_UNSUPPORTED, "there is no CPU level \"%s\"; there are %s", name,
                  names);
    return NULL;
}

typedef struct {
    const lc_level *level;
    uint64_t duration_ns;
    double *rates;
} rate_work;

static void measure(void *context, size_t index, int worker)
{
    (void)worker;
    const rate_work *work = context;
    work->rates[index] = work->level->gate_rate(work->duration_ns);
}

lc_status lc_cpu_gate_rate(const char *name, int threads, int milliseconds,
                           double *operations_per_second)
{
    const lc_level *level = lc_level_find(name, NULL);
    if (level == NULL)
        return LC_ERROR_UNSUPPORTED;
    if (threads < 1 || milliseconds < 1)
        return LC_ERROR_ARGUMENT;
    double *rates = lc_calloc((size_t)threads, sizeof *rates);
    lc_pool *pool = NULL;
    lc_status status = rates != NULL ? lc_pool_create(&pool, threads) : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_pool_start(pool);
    if (status == LC_OK) {
        rate_work work = {level, (uint64_t)milliseconds * 1000000, rates};
        lc_pool_run(pool, (size_t)threads, measure, &work);
        *operations_per_second = 0;
        for (int i = 0; i < threads; i++)
            *operations_per_second += rates[i];
    }
    lc_pool_destroy(&pool);
    lc_free(rates);
    return status;
}
