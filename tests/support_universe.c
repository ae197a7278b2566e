// See support_universe.h.
#include "support_universe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

lc_universe *test_create(const char *engine, lc_rule rule, lc_topology topology,
                         uint64_t max_memory_bytes)
{
    const lc_universe_options options = {.rule = rule,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = 2,
                                         .max_memory_bytes = max_memory_bytes};
    lc_universe *universe = NULL;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("%s: %s", engine, message.text);
    return universe;
}

void test_step(lc_universe *universe, uint64_t generations)
{
    lc_message message = {0};
    if (lc_universe_step(universe, generations, NULL, NULL, &message) != LC_OK)
        fail_msg("step: %s", message.text);
}

void test_set(lc_universe *universe, int64_t x, int64_t y)
{
    lc_message message = {0};
    if (lc_universe_set(universe, x, y, true, &message) != LC_OK)
        fail_msg("set: %s", message.text);
}

lc_status test_load(lc_universe *universe, const char *text, int64_t x, int64_t y,
                    lc_message *message)
{
    lc_pattern *pattern = NULL;
    lc_status status = lc_pattern_open_memory(&pattern, text, strlen(text), message);
    if (status == LC_OK)
        status = lc_universe_load(universe, pattern, x, y, message);
    lc_pattern_close(&pattern);
    return status;
}
