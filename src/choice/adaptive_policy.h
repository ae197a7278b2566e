// When a universe changes between a dense engine and the sparse one, and when it starts a GPU.
//
// While it is dense, the cover compares windows of cells with the same windows LC_TUNED_PERIOD
// generations later. The share that differs gives the sparse engine's estimate, which is compared
// with the measured time of dense generations. While it is sparse, its measured time is compared
// with that of the dense engine, or with the dense engine's estimate if it has not run yet. Times
// are the shortest of the last passes (lc_time_of_late), so interruptions do not count. Each sample
// that changed nothing makes the interval to the next one longer, and so does a lack of memory.
#ifndef LC_CHOICE_ADAPTIVE_POLICY_H
#define LC_CHOICE_ADAPTIVE_POLICY_H

#include "engine/engine_interface.h"

typedef struct lc_adaptive_policy {
    uint64_t generations;                // since the engine was created
    uint64_t wanted;                     // by the last lc_cover_vtable.prepare
    uint64_t interval, look_at;          // between samples, and of the next; 0: no step was made
    double dense_ns;                     // of a cell's generation; 0: not measured
    uint64_t cpu_ns;                     // that all dense generations on the CPU have taken
    uint64_t measured_from, measured_to; // generations in which the sparse engine is timed
    uint64_t piece, piece_ns;            // those that are being timed together
    double sparse_ns;                    // of a generation; 0: not measured
} lc_adaptive_policy;

// The subject of a decision.
typedef struct lc_adaptive_case {
    const lc_engine_config *config; // threads and CPU level, for estimates
    bool is_bounded;
    uint64_t cells; // of the board, or of the live cells' bounding box
    uint64_t left;  // generations that are known to follow
} lc_adaptive_case;

// Starts the policy at the first step.
void lc_adaptive_start(lc_adaptive_policy *p);
// A new engine has been created.
void lc_adaptive_changed(lc_adaptive_policy *p);
// The engine has lacked memory.
void lc_adaptive_lacked_memory(lc_adaptive_policy *p);
// The sparse engine's time is measured from now on, once it has found out which tiles sleep.
void lc_adaptive_measure_anew(lc_adaptive_policy *p);

// Dense generations were made. With `sampled`, reading windows has disturbed their time.
void lc_adaptive_note_dense(lc_adaptive_policy *p, uint64_t made, uint64_t took_ns, uint64_t cells,
                            bool on_gpu, bool sampled);
bool lc_adaptive_sample_is_due(const lc_adaptive_policy *p);
// Whether to change to the sparse engine, if `changed` of LC_TUNED_SAMPLES windows differ.
bool lc_adaptive_wants_sparse(lc_adaptive_policy *p, const lc_adaptive_case *c, int changed);

// Sparse generations were made. Returns true when a measurement is complete; *ns is its result.
bool lc_adaptive_note_sparse(lc_adaptive_policy *p, uint64_t made, uint64_t took_ns, double *ns);
// Whether any universe could be faster with a dense engine. It need not know the number of cells.
bool lc_adaptive_may_want_dense(const lc_adaptive_policy *p, const lc_adaptive_case *c, double ns);
// Whether to change to a dense engine, if a sparse generation takes `ns`.
bool lc_adaptive_wants_dense(const lc_adaptive_policy *p, const lc_adaptive_case *c, double ns);
// Whether an unbounded universe with that population, before its first step, is a soup that a dense
// engine should step.
bool lc_adaptive_soup_wants_dense(const lc_adaptive_policy *p, const lc_adaptive_case *c,
                                  double population);
// Whether a soup that is about to fill an empty plane should go to a dense engine.
bool lc_adaptive_soup_is_large(uint64_t cells, uint32_t density_16);

// Whether the generations on the CPU, made and wanted, do not make up for starting a GPU. If more
// follow, the run takes at most twice as long as with a GPU from the start.
bool lc_adaptive_avoids_gpu(const lc_adaptive_policy *p, const lc_engine_config *config,
                            double dense_cells);

// Cells of a dense block for a universe of that many cells.
double lc_adaptive_dense_cells(const lc_adaptive_case *c);

#endif
