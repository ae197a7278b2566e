// Checks that a universe steps correctly, before it is timed.
//
// A board of up to 2,048 x 2,048 cells is compared whole, at the start, after one generation and
// after some hundreds, with the scalar engine. A larger one is checked by the light cones of
// windows (corners, seams and random places) that the scalar engine steps from the starting cells,
// and by its whole hash at the start and the end against another path: another CPU level, whose
// windows were checked as well. The generations are done in two calls, so that they include whole
// passes of an engine and a partial one.
//
// What the scalar engine and the other paths gave is kept, so that the configurations of one board
// share it: memory for one universe at a time (none of the caller's need be alive in
// lc_verifier_prepare), and small charts afterwards.
#ifndef LC_BENCH_VERIFY_H
#define LC_BENCH_VERIFY_H

#include "board_window.h"

// One thing to time. The names must outlive whatever is made from them; cpu_level is "" if the
// engine has no levels. An engine that was added (lc_engine_add) may have settings:
// "shared-tile:block=16".
typedef struct lc_bench_configuration {
    const char *engine;
    const char *cpu_level;
    int threads;
    const lc_rule *rule;  // lent
    lc_topology topology; // bounded in both directions
} lc_bench_configuration;

typedef struct lc_verify_options {
    uint64_t seed;
    // Fewer windows of large boards; fewer generations of small ones, and of large ones by engines
    // that were added, which may be slow.
    bool quick;
    uint64_t max_memory_bytes;   // of a universe, as in lc_universe_options
    uint64_t audit_generations;  // the same
    lc_context *context;         // the same
    bool (*stop)(void *context); // NULL, or called now and then: true ends with LC_ERROR_STOPPED
    void *stop_context;
} lc_verify_options;

typedef struct lc_verification {
    uint64_t generations;  // stepped and found right
    uint64_t longest_pass; // generations of the longest pass among them
    char method[240];      // what was compared with what
    // After LC_ERROR_MISMATCH: which path was compared with which, and where they differ, unless
    // only hashes could be compared.
    bool located;
    char expected_path[128];
    char found_path[128];
    lc_difference difference;
} lc_verification;

typedef struct lc_verifier lc_verifier;

// LC_OK or LC_ERROR_MEMORY.
lc_status lc_verifier_create(lc_verifier **out, const lc_verify_options *options);
void lc_verifier_destroy(lc_verifier **verifier);

// The density of the soup that is timed.
#define LC_BENCH_DENSITY 0.5

// The options that a universe of that configuration is created with.
lc_universe_options lc_bench_universe_options(const lc_bench_configuration *configuration,
                                              const lc_verify_options *verify);

// Makes a universe of that configuration at generation 0, filled with the soup of the options'
// seed.
lc_status lc_bench_universe(lc_universe **out, const lc_bench_configuration *configuration,
                            const lc_verify_options *verify, lc_message *message);

// How many generations of such a configuration are checked.
uint64_t lc_verifier_generations(const lc_verifier *verifier,
                                 const lc_bench_configuration *configuration);

// Computes what lc_verifier_check compares with, unless it is already known. LC_OK,
// LC_ERROR_MISMATCH (the other path is itself wrong), LC_ERROR_STOPPED, LC_ERROR_ARGUMENT (this
// board cannot be verified), or what creating and stepping a universe returns.
lc_status lc_verifier_prepare(lc_verifier *verifier, const lc_bench_configuration *configuration,
                              lc_verification *verification, lc_message *message);

// Checks a universe made by lc_bench_universe, which ends up some hundreds of generations on.
// Returns what lc_verifier_prepare does; LC_ERROR_MISMATCH is then about `universe`.
lc_status lc_verifier_check(lc_verifier *verifier, const lc_bench_configuration *configuration,
                            lc_universe *universe, lc_verification *verification,
                            lc_message *message);

// Writes several lines that say where two paths differ, and what surrounds it. Returns what
// snprintf does.
int lc_verification_explain(const lc_verification *verification, uint64_t seed, char *text,
                            size_t text_bytes);

// Whether an engine is not one of the library's own.
bool lc_bench_is_guest(const char *engine);

bool lc_same_topology(const lc_topology *a, const lc_topology *b);

// "simd/avx512", "scalar".
void lc_path_format(const char *engine, const char *cpu_level, char *text, size_t text_bytes);

#endif
