// The pace of a run: its wanted speed and target, and its measured speed.
//
// A pure calculation: the caller passes all generations and times. Only pace.c writes an lc_pace;
// others read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_PACE_H
#define LC_VIEWER_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/count.h"

enum { LC_RATE_SAMPLES = 8 };

// Times of a universe's passes; on a large board one takes a good part of a second.
typedef struct lc_pass_times {
    uint64_t begin_ns;    // start of the current pass; 0: none
    lc_count begin, end;  // its first generation; its last one at most
    uint64_t generations; // of the last complete pass; 0: unknown
    uint64_t took_ns;     // its duration
} lc_pass_times;

typedef struct lc_pace {
    bool running;
    bool has_target; // run only as far as `target`
    bool pauses;     // it pauses at the target
    lc_count target;
    double speed;      // generations, or with `every` pictures, a second; 0: full speed
    bool chosen;       // a user chose the speed; later universes have it too
    lc_count every;    // generations from one picture to the next; 0: any number
    uint64_t begin_ns; // start of the present pace
    lc_count begin_generation;
    struct {
        uint64_t ns;
        lc_count generation;
    } samples[LC_RATE_SAMPLES];
    int sample_count; // ever taken
    lc_pass_times passes;
} lc_pace;

// Initialises a pace, at full speed until another one is set. `running`: it runs from the start.
void lc_pace_create(lc_pace *pace, bool running, lc_count generation, uint64_t now_ns);

// Runs without a target from this generation and time on.
void lc_pace_run(lc_pace *pace, lc_count generation, uint64_t now_ns);
// Runs to generation `target` from this generation and time on.
void lc_pace_run_to(lc_pace *pace, lc_count target, lc_count generation, uint64_t now_ns);
void lc_pace_pause(lc_pace *pace);
// Pauses at generation `shown`, which a client has already seen, or at once if stepping there would
// take too long.
void lc_pace_pause_at(lc_pace *pace, lc_count shown, lc_count generation, uint64_t now_ns);
// Sets the speed that a user chose.
void lc_pace_set_speed(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns);
// Sets the default speed of a universe that has just been opened. A speed chosen by a user stays.
void lc_pace_suit(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns);

// Runs in pieces of this many generations from now on. Each piece is shown before the next one, and
// the speed counts pieces. 0: no pieces; the speed counts generations. The last piece before a
// target may be shorter.
void lc_pace_set_every(lc_pace *pace, lc_count every, lc_count generation, uint64_t now_ns);

// Returns the speed in generations a second; 0: full speed.
double lc_pace_generations(const lc_pace *pace);

// Restarts the pace at this generation and time; generations that were due before are dropped.
void lc_pace_restart(lc_pace *pace, lc_count generation, uint64_t now_ns);

// Returns the number of generations that may be stepped now. 0: none before *wake_ns, which is
// UINT64_MAX otherwise. A long delay is not made up for.
lc_count lc_pace_allow(lc_pace *pace, lc_count generation, uint64_t now_ns, uint64_t *wake_ns);

// Returns whether the run ends here: it has reached its target, or the last generation that has a
// number.
bool lc_pace_is_over(const lc_pace *pace, lc_count generation);

// Records a sample for lc_pace_rate, unless the last one is recent.
void lc_pace_sample(lc_pace *pace, lc_count generation, uint64_t now_ns);

// Returns the recent generations a second; 0 while paused or unknown.
double lc_pace_rate(const lc_pace *pace);

// Records that a pass begins at this generation. It goes to `end` at most.
void lc_pace_begin_pass(lc_pace *pace, lc_count generation, lc_count end, uint64_t now_ns);
// The first records that the pass has ended and the next one begins; the second, that none follows.
void lc_pace_passed(lc_pace *pace, lc_count generation, uint64_t now_ns);
void lc_pace_end_passes(lc_pace *pace);
// Returns how many generations the current pass should have made by now if it takes as long as the
// last one. The result is less than the pass makes. 0: no long pass.
uint64_t lc_pace_ahead(const lc_pace *pace, uint64_t now_ns);

#endif
