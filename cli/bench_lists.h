// The lists that the user gives to `lightcone bench`. The command measures every combination of
// list items.
#ifndef LC_CLI_BENCH_LISTS_H
#define LC_CLI_BENCH_LISTS_H

#include <stddef.h>

#include "lightcone/lightcone.h"

typedef struct lc_bench_size {
    int64_t width, height; // cells
} lc_bench_size;

// A count of 0 means that the option was not given. Free with lc_bench_lists_free.
typedef struct lc_bench_lists {
    char **engines; // with their settings
    char **levels;
    lc_bench_size *sizes;
    const lc_rule **rules; // references
    lc_topology_kind *topologies;
    int *threads;
    size_t engine_count, level_count, size_count, rule_count, topology_count, thread_count;
} lc_bench_lists;

// Each function splits a text at commas and adds the words to a list, for lc_cli_parse. `to` is a
// lc_bench_lists. Returns NULL, or a message that says why the text is invalid. An engine's
// settings may contain commas too. If an engine has a colon, the next words with "=" are settings
// of that engine, as in "simd,bytes-gpu:block=16,ldg=1,cuda".
const char *lc_bench_take_engines(const char *text, void *to);
const char *lc_bench_take_levels(const char *text, void *to);
const char *lc_bench_take_sizes(const char *text, void *to);
const char *lc_bench_take_rules(const char *text, void *to);
const char *lc_bench_take_topologies(const char *text, void *to);
const char *lc_bench_take_threads(const char *text, void *to);

// Each function whose name begins with lc_bench_add adds one item to a list. Returns false if out
// of memory. The text of a rule is a valid one.
bool lc_bench_add_engine(lc_bench_lists *lists, const char *name);
bool lc_bench_add_level(lc_bench_lists *lists, const char *name);
bool lc_bench_add_size(lc_bench_lists *lists, lc_bench_size size);
bool lc_bench_add_rule(lc_bench_lists *lists, const char *text);
bool lc_bench_add_topology(lc_bench_lists *lists, lc_topology_kind kind);
bool lc_bench_add_threads(lc_bench_lists *lists, int threads);

void lc_bench_lists_free(lc_bench_lists *lists);

#endif
