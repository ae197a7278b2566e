// See lifespan.h.
#include "census/lifespan.h"

#include "base/error.h"
#include "base/memory.h"
#include "census/cell_counts.h"

enum { AFTERWARDS = 8000, PERIODS_END = 4000 };

static bool has_period(const uint64_t *populations, size_t first, size_t end, size_t period)
{
    for (size_t i = first < period ? period : first; i < end; i++)
        if (populations[i] != populations[i - period])
            return false;
    return true;
}

// Returns 0 if there is none.
static size_t find_period(const uint64_t *populations, size_t first, size_t end)
{
    for (size_t p = 1; p < PERIODS_END; p++)
        if (has_period(populations, first, end, p))
            return p;
    return 0;
}

static uint64_t find_lifespan(const uint64_t *populations, size_t settled_at, size_t end)
{
    const size_t period = find_period(populations, settled_at, end);
    if (period == 0)
        return 0;
    for (size_t i = end - period - 1; i > 0; i--)
        if (populations[i] != populations[i + period])
            return i + 1;
    return 0;
}

lc_status lc_soup_lifespan(uint64_t *generations, const lc_live *cells, const lc_rule *rule,
                           uint64_t settled_at, lc_context *context, lc_message *message)
{
    const lc_counting counting = {.rule = rule,
                                  .context = context,
                                  .engine = "sparse",
                                  .cells_max = UINT64_MAX,
                                  .nodes_max = UINT64_MAX,
                                  .step = 1};
    size_t counted;
    *generations = 0;
    if (settled_at > LC_LIFESPAN_SETTLED_MAX)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "a soup settles after more than %d generations: its lifespan is not counted",
                       LC_LIFESPAN_SETTLED_MAX);
    const size_t end = (size_t)settled_at + AFTERWARDS;
    uint64_t *populations = lc_malloc(end * sizeof *populations);
    if (populations == NULL)
        return lc_fail_memory(message, "populations");
    lc_status status = lc_cells_count(populations, end, &counted, &counting, cells, message);
    if (status == LC_OK && counted < end)
        status = lc_fail(message, LC_ERROR_LIMIT, "a soup exceeds the memory limit");
    if (status == LC_OK)
        *generations = find_lifespan(populations, (size_t)settled_at, end);
    lc_free(populations);
    return status;
}
