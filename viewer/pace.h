// How fast the universe is to run, and how far; and how fast it does.
//
// Only numbers: generations and times come from the caller, so nothing here knows a universe or
// looks at a clock. Only pace.c writes an lc_pace; others read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_PACE_H
#define LC_VIEWER_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/count.h"

enum { LC_RATE_SAMPLES = 8 };

typedef struct lc_pace {
    bool running;
    bool has_target; // run only as far as `target`
    lc_count target;
    double speed;      // generations a second; 0: full speed
    bool chosen;       // somebody has said so, which holds for later universes too
    uint64_t begin_ns; // where the present pace began
    lc_count begin_generation;
    struct {
        uint64_t ns;
        lc_count generation;
    } samples[LC_RATE_SAMPLES];
    int sample_count; // ever taken
} lc_pace;

// `running`: whether it runs from the start, at full speed until another one is set.
void lc_pace_create(lc_pace *pace, bool running, lc_count generation, uint64_t now_ns);

// Runs on without an end, from this generation and time on.
void lc_pace_run(lc_pace *pace, lc_count generation, uint64_t now_ns);
// Runs as far as generation `target`, from this generation and time on.
void lc_pace_run_to(lc_pace *pace, lc_count target, lc_count generation, uint64_t now_ns);
void lc_pace_pause(lc_pace *pace);
// Somebody chooses a speed.
void lc_pace_set_speed(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns);
// The speed that suits a universe that has just been opened: it counts if nobody has chosen one.
void lc_pace_suit(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns);

// What was due so far no longer counts: the pace begins with this generation, now.
void lc_pace_restart(lc_pace *pace, lc_count generation, uint64_t now_ns);

// How many generations may be stepped now; 0: none before *wake_ns, which is UINT64_MAX otherwise.
// A long delay is not made up for.
lc_count lc_pace_allow(lc_pace *pace, lc_count generation, uint64_t now_ns, uint64_t *wake_ns);

// Whether it is to stop there: the target is reached, or there are no numbers for more generations.
bool lc_pace_is_over(const lc_pace *pace, lc_count generation);

// Takes note of how far it has come, if that was not done shortly before.
void lc_pace_sample(lc_pace *pace, lc_count generation, uint64_t now_ns);

// Generations a second, lately; 0 while it does not run, or when that is not known yet.
double lc_pace_rate(const lc_pace *pace);

#endif
