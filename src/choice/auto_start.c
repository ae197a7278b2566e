#include "choice/auto_start.h"

#include "choice/tuned.h"

bool lc_auto_has_fast_engine(const lc_rule *rule)
{
    const lc_engine_vtable *engine;
    for (size_t i = 0; (engine = lc_engine_get(i)) != NULL; i++)
        if (engine->choice != NULL && engine->choice->auto_cells != UINT64_MAX &&
            lc_engine_steps(engine, rule))
            return true;
    return false;
}

// Returns the memory of a sparse engine without live cells.
static uint64_t least_sparse_bytes(const lc_rule *rule)
{
    const lc_engine_config config = {.engine = &lc_engine_sparse, .rule = rule};
    uint64_t bytes;
    (void)lc_engine_sparse.check(&config, &bytes, NULL);
    return bytes;
}

bool lc_auto_starts_sparse(const lc_topology *t, const lc_rule *rule, uint64_t max_memory_bytes)
{
    const bool has_end = t->width_cells != 0 && t->height_cells != 0;
    return !has_end && lc_engine_steps(&lc_engine_sparse, rule) &&
           (max_memory_bytes == 0 || max_memory_bytes >= least_sparse_bytes(rule));
}

bool lc_auto_adapts(const lc_topology *t, const lc_rule *rule)
{
    return t->width_cells >= LC_TUNED_SAMPLE_CELLS && t->height_cells >= LC_TUNED_SAMPLE_CELLS &&
           t->height_cells >= LC_TUNED_ADAPTIVE_CELLS / t->width_cells &&
           !lc_rule_traits(rule)->has_b0 && lc_engine_steps(&lc_engine_sparse, rule);
}

bool lc_auto_may_start_on_cpu(const lc_topology *t, bool every_cell)
{
    return !every_cell &&
           (t->width_cells == 0 || t->height_cells <= LC_TUNED_MOVED_CELLS / t->width_cells);
}

bool lc_auto_shares_gpus(const lc_topology *t, const lc_choice *one)
{
    const double bytes = (double)t->width_cells * (double)t->height_cells / 4; // two bits a cell
    return one->engine->slabs != NULL && bytes > (double)one->limit_bytes;
}

const lc_engine_vtable *lc_auto_for_large(size_t i)
{
    // HashLife makes long jumps, where it steps such a torus.
    static const lc_engine_vtable *const engines[] = {&lc_engine_hashlife, &lc_engine_sparse};
    return i < sizeof engines / sizeof engines[0] ? engines[i] : NULL;
}
