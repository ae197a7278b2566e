#include "choice/adaptive_policy.h"

#include "base/clock.h"
#include "base/least.h"
#include "choice/tuned.h"

// The sparse engine's time is measured from that generation on.
static void measure_from(lc_adaptive_policy *p, uint64_t generation)
{
    p->piece = p->piece_ns = 0;
    p->sparse_ns = 0;
    p->measured_from = generation;
    p->measured_to = generation + LC_TUNED_MEASURED;
}

void lc_adaptive_start(lc_adaptive_policy *p)
{
    p->interval = p->look_at = LC_TUNED_FIRST_LOOK;
    p->measured_to = LC_TUNED_PIECE;
}

void lc_adaptive_measure_anew(lc_adaptive_policy *p)
{
    measure_from(p, p->generations + LC_TUNED_WARM_UP);
}

void lc_adaptive_changed(lc_adaptive_policy *p)
{
    p->generations = 0;
    p->look_at = p->interval;
    lc_adaptive_measure_anew(p);
}

void lc_adaptive_lacked_memory(lc_adaptive_policy *p)
{
    p->interval *= 4;
}

// Estimates ---------------------------------------------------------------------------------------

double lc_adaptive_dense_cells(const lc_adaptive_case *c)
{
    return (c->is_bounded ? 1 : lc_tuned_growing_cells) * (double)c->cells;
}

// Returns the time of a dense generation: as measured, or estimated.
static double dense_ns(const lc_adaptive_policy *p, const lc_engine_config *config, double cells)
{
    return p->dense_ns != 0 ? cells * p->dense_ns
                            : lc_engine_simd.choice->estimate_ns(config, cells, 1);
}

// Whether saving `ns` a generation makes up for copying the cells, in the generations that follow
// or in as many as were made.
static bool makes_up(const lc_adaptive_policy *p, const lc_adaptive_case *c, double ns)
{
    const uint64_t generations = lc_greatest_u64(c->left, p->generations);
    return ns * (double)generations >
           (double)c->cells / LC_TUNED_TILE_CELLS * LC_TUNED_CONVERSION_NS;
}

bool lc_adaptive_avoids_gpu(const lc_adaptive_policy *p, const lc_engine_config *config,
                            double dense_cells)
{
    const double ns = dense_ns(p, config, dense_cells);
    return (double)p->cpu_ns + ns * (double)p->wanted < LC_TUNED_GPU_NS;
}

// Dense -------------------------------------------------------------------------------------------

void lc_adaptive_note_dense(lc_adaptive_policy *p, uint64_t made, uint64_t took_ns, uint64_t cells,
                            bool on_gpu, bool sampled)
{
    const double ns = (double)took_ns / (double)made / (double)cells;
    p->generations += made;
    p->cpu_ns += on_gpu ? 0 : took_ns;
    if (!sampled)
        p->dense_ns = lc_time_of_late(p->dense_ns, ns);
}

bool lc_adaptive_sample_is_due(const lc_adaptive_policy *p)
{
    return p->generations >= p->look_at;
}

bool lc_adaptive_wants_sparse(lc_adaptive_policy *p, const lc_adaptive_case *c, int changed)
{
    const double cells = (double)c->cells, dense = cells * p->dense_ns;
    const double share = (double)changed / LC_TUNED_SAMPLES;
    const double sparse = lc_engine_sparse.choice->estimate_ns(c->config, cells, share);
    p->interval += p->interval / 4;
    p->look_at = p->generations + p->interval;
    return sparse < lc_tuned_sparse_pays * dense && makes_up(p, c, dense - sparse);
}

// Sparse ------------------------------------------------------------------------------------------

bool lc_adaptive_note_sparse(lc_adaptive_policy *p, uint64_t made, uint64_t took_ns, double *ns)
{
    p->generations += made;
    if (p->generations > p->measured_from) {
        p->piece += made;
        p->piece_ns += took_ns;
        if (p->piece >= LC_TUNED_PIECE) {
            p->sparse_ns = lc_time_of_late(p->sparse_ns, (double)p->piece_ns / (double)p->piece);
            p->piece = p->piece_ns = 0;
        }
    }
    *ns = p->sparse_ns;
    if (p->generations < p->measured_to || p->sparse_ns == 0)
        return false;
    measure_from(p, p->generations);
    return true;
}

bool lc_adaptive_may_want_dense(const lc_adaptive_policy *p, const lc_adaptive_case *c, double ns)
{
    lc_adaptive_case least = *c;
    least.cells = LC_TUNED_ADAPTIVE_CELLS;
    return ns >= lc_tuned_sparse_too_slow * dense_ns(p, c->config, lc_adaptive_dense_cells(&least));
}

bool lc_adaptive_wants_dense(const lc_adaptive_policy *p, const lc_adaptive_case *c, double ns)
{
    const double dense = dense_ns(p, c->config, lc_adaptive_dense_cells(c));
    return c->cells >= LC_TUNED_ADAPTIVE_CELLS && ns > lc_tuned_sparse_too_slow * dense &&
           makes_up(p, c, ns - dense);
}

bool lc_adaptive_soup_wants_dense(const lc_adaptive_policy *p, const lc_adaptive_case *c,
                                  double population)
{
    const double cells = (double)c->cells;
    return population * LC_TUNED_SOUP_CELLS > cells &&
           lc_adaptive_wants_dense(p, c, lc_engine_sparse.choice->estimate_ns(c->config, cells, 1));
}

bool lc_adaptive_soup_is_large(uint64_t cells, uint32_t density_16)
{
    return cells >= LC_TUNED_ADAPTIVE_CELLS && density_16 >= (1 << 16) / LC_TUNED_SOUP_CELLS;
}
