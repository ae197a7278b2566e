// See cell_counts.h.
#include "census/cell_counts.h"

#include "base/error.h"
#include "universe/universe_live.h"

enum { BETWEEN_ASKING = 64 }; // counts after which the caller is asked whether to give up

static lc_status make_universe(lc_universe **out, const lc_counting *counting, const lc_live *cells,
                               lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = counting->rule,
        .engine = counting->engine,
        .threads = 1,
        .max_memory_bytes = counting->max_memory_bytes,
        .context = counting->context,
    };
    const lc_status status = lc_universe_create(out, &options, message);
    return status == LC_OK ? lc_universe_write_live(*out, cells, message) : status;
}

// Returns LC_ERROR_LIMIT if there are more than `most` live cells.
static lc_status count_now(uint64_t *count, const lc_universe *universe, uint64_t most,
                           lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(universe, LC_FACT_POPULATION, &facts, message);
    if (status == LC_OK && (!lc_count_to_u64(facts.population, count) || *count > most))
        return LC_ERROR_LIMIT;
    return status;
}

// Steps made so far.
typedef struct progress {
    size_t steps;
    uint64_t nodes, new_nodes;
} progress;

// Returns LC_ERROR_LIMIT if there have been more than `most` new nodes.
static lc_status count_nodes(progress *p, const lc_universe *universe, uint64_t most)
{
    const uint64_t nodes = lc_universe_info_of(universe).nodes;
    p->new_nodes += nodes > p->nodes ? nodes - p->nodes : 0;
    p->nodes = nodes;
    return p->new_nodes > most ? LC_ERROR_LIMIT : LC_OK;
}

static lc_status step(progress *p, lc_universe *universe, const lc_counting *counting,
                      lc_message *message)
{
    lc_status status = p->steps++ % BETWEEN_ASKING == 0 ? lc_check_give_up(message) : LC_OK;
    if (status == LC_OK)
        status = lc_universe_step(universe, lc_count_of(counting->step), NULL, NULL, message);
    return status == LC_OK ? count_nodes(p, universe, counting->nodes_max) : status;
}

lc_status lc_cells_count(uint64_t *counts, size_t wanted, size_t *counted,
                         const lc_counting *counting, const lc_live *cells, lc_message *message)
{
    lc_universe *universe = NULL;
    progress p = {0};
    *counted = 0;
    lc_status status = make_universe(&universe, counting, cells, message);
    const bool is_made = status == LC_OK;
    while (status == LC_OK && *counted < wanted) {
        status = count_now(&counts[*counted], universe, counting->cells_max, message);
        *counted += status == LC_OK;
        if (status == LC_OK && *counted < wanted)
            status = step(&p, universe, counting, message);
    }
    lc_universe_destroy(&universe);
    return is_made && status == LC_ERROR_LIMIT ? LC_OK : status;
}
