// The runner of `lightcone bench`: verifies each configuration, then times it.
//
// Machines drift: clocks change, neighbours come and go. So the timed runs of all configurations
// that fit into memory together are interleaved (run 1 of each, run 2 of each ...), and the limit
// that a rate is compared with, the rate of logic gates, is measured again after each such round.
//
// If an engine has a clock of its own, as engines on a GPU have, times are by that: the time
// between two events on the GPU. Otherwise they are by the monotonic clock.
#ifndef LC_BENCH_RUNNER_H
#define LC_BENCH_RUNNER_H

#include "statistics.h"
#include "verify.h"

typedef struct lc_bench_options {
    int runs;             // timed, 1 to LC_BENCH_MAX_RUNS
    int warmups;          // before them, 0 or more
    uint64_t generations; // of a run; 0: as many whole passes as take at least run_ns
    uint64_t run_ns;
    int limit_milliseconds; // of each measurement of the limit
    bool interleave;
    bool board_by_board; // only configurations of one board are interleaved
    bool company; // of single slabs on a CPU also how long they take side by side (company.h)
    // NULL, or the configuration that all are compared with, whatever its board: it takes part in
    // the rounds of each board, and gives a record if it is itself among the configurations.
    const lc_bench_configuration *against;
    // 0: none; else configurations that would take longer in all, verification included, are
    // skipped.
    uint64_t cpu_budget_ns, gpu_budget_ns;
    lc_verify_options verify; // seed, memory, stopping
} lc_bench_options;

enum { LC_BENCH_MAX_RUNS = 10000 };

typedef struct lc_bench_record {
    const lc_bench_options *options;
    lc_bench_configuration configuration; // with the number of threads resolved
    // LC_OK: verified and timed. LC_ERROR_MISMATCH: verification says where. Otherwise the message
    // says why it could not be run, and nothing below `skipped` is known.
    lc_status status;
    lc_message message;
    // Neither is a failure. Refused: the engine does not step such boards, or the board is larger
    // than its memory (LC_ERROR_UNSUPPORTED, LC_ERROR_LIMIT). Skipped: over the budget of time
    // (LC_ERROR_LIMIT).
    bool refused, skipped;
    lc_verification verification;

    char plan[256];            // lc_universe_info.plan: "" for engines on a CPU
    uint64_t memory_bytes;     // held for cells
    uint64_t pass_generations; // of one pass of the engine on this board; 0: not known
    uint64_t generations;      // of one run
    uint64_t population;       // after the last run
    const double *run_ns;      // time_ns.count of them
    lc_statistics time_ns;     // of the runs
    double cells_per_second;   // from the median; the fastest and the slowest run follow
    double best_cells_per_second;
    double worst_cells_per_second;
    double ns_per_generation; // from the median
    bool has_traffic;         // the engine counts what it moves
    double bytes_per_run;     // cells read from and written to main memory
    double bytes_per_second;  // from the median

    double company; // times as long as alone, if all CPUs step such boards; 0: not known

    bool on_gpu;
    bool own_clock;        // time_ns is by lc_universe_info.stepping_ns: events on a GPU
    lc_interval median_ns; // confidence interval of the median
    lc_step_facts step;    // lc_universe_info.step, after the last run
    bool has_copy_rate;    // copying within main memory (the GPU's), measured before the runs
    double copy_bytes_per_second;
    double fraction_of_copy; // bytes_per_second / that

    // Against the configuration that all are compared with (lc_bench_options), run for run: how
    // many times as fast this one is. False for that one itself.
    bool has_ratio;
    lc_interval ratio; // with its confidence interval

    // The machine's limit: gates a second * bits of a vector / gates a word. On a CPU it is for
    // B3/S23 at this level, and false for other rules and for engines without vectors; on a GPU, it
    // uses the operations that the engine itself counts.
    bool has_limit;
    int vector_bits;
    double gates_per_word;
    double gates_per_second;              // mean of the measurements, all threads together
    lc_statistics limit_cells_per_second; // of all measurements, before, between and after the runs
    double fraction_of_limit;             // cells_per_second / mean limit
} lc_bench_record;

typedef struct lc_bench_observer {
    void *context;
    void (*record)(void *context, const lc_bench_record *record); // valid during the call
    void (*note)(void *context, const char *text); // what is being done now; may be NULL
} lc_bench_observer;

// Replaces "auto" in a configuration by what it stands for here and checks that it can be created:
// engine NULL, cpu_level NULL or "" and threads 0 are the defaults. An engine with settings, on a
// GPU, or that was added (lc_engine_add) keeps the caller's string; of the last two it is not asked
// yet whether they step such a board. `context` is as in lc_universe_options. Returns what
// lc_universe_create does.
lc_status lc_bench_resolve(lc_bench_configuration *configuration, lc_context *context,
                           lc_message *message);

// Whether engine, level and threads are the same; rule and topology; all of them.
bool lc_bench_same_stepper(const lc_bench_configuration *a, const lc_bench_configuration *b);
bool lc_bench_same_board(const lc_bench_configuration *a, const lc_bench_configuration *b);
bool lc_bench_same_configuration(const lc_bench_configuration *a, const lc_bench_configuration *b);

// Runs them all; each gives one record. *failures counts those that are neither LC_OK nor refused
// nor skipped. Returns LC_OK,
// LC_ERROR_STOPPED (the records tell of the runs that were done) or LC_ERROR_MEMORY.
lc_status lc_bench_run(const lc_bench_configuration *configurations, size_t count,
                       const lc_bench_options *options, const lc_bench_observer *observer,
                       size_t *failures, lc_message *message);

#endif
