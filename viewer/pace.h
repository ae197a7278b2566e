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

// The passes of a universe, which take a good part of a second on a large board.
typedef struct lc_pass_times {
    uint64_t begin_ns;    // when the one in hand began; 0: none is
    lc_count begin, end;  // where; and how far it goes at most
    uint64_t generations; // that the last whole one made; 0: not known
    uint64_t took_ns;     // and what it took
} lc_pass_times;

typedef struct lc_pace {
    bool running;
    bool has_target; // run only as far as `target`
    bool pauses;     // and that is because it is to pause
    lc_count target;
    double speed;      // generations, or with `every` pictures, a second; 0: full speed
    bool chosen;       // somebody has said so, which holds for later universes too
    lc_count every;    // generations from one picture to the next; 0: as it happens
    uint64_t begin_ns; // where the present pace began
    lc_count begin_generation;
    struct {
        uint64_t ns;
        lc_count generation;
    } samples[LC_RATE_SAMPLES];
    int sample_count; // ever taken
    lc_pass_times passes;
} lc_pace;

// `running`: whether it runs from the start, at full speed until another one is set.
void lc_pace_create(lc_pace *pace, bool running, lc_count generation, uint64_t now_ns);

// Runs on without an end, from this generation and time on.
void lc_pace_run(lc_pace *pace, lc_count generation, uint64_t now_ns);
// Runs as far as generation `target`, from this generation and time on.
void lc_pace_run_to(lc_pace *pace, lc_count target, lc_count generation, uint64_t now_ns);
void lc_pace_pause(lc_pace *pace);
// Pauses, but no sooner than at generation `shown`, which somebody has already seen: there in a
// moment, or, if that would take longer, at once.
void lc_pace_pause_at(lc_pace *pace, lc_count shown, lc_count generation, uint64_t now_ns);
// Somebody chooses a speed.
void lc_pace_set_speed(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns);
// The speed that suits a universe that has just been opened: it counts if nobody has chosen one.
void lc_pace_suit(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns);

// From now on it runs in pieces of so many generations, each of which is to be shown before the
// next one, and the speed counts these pieces; 0: in any, and the speed counts generations. The
// last piece before a target may be shorter.
void lc_pace_set_every(lc_pace *pace, lc_count every, lc_count generation, uint64_t now_ns);

// The speed in generations a second; 0: full speed.
double lc_pace_generations(const lc_pace *pace);

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

// A pass begins, at that generation, which goes to `end` at most.
void lc_pace_begin_pass(lc_pace *pace, lc_count generation, lc_count end, uint64_t now_ns);
// It is over, and another one follows, unless lc_pace_end_passes comes next.
void lc_pace_passed(lc_pace *pace, lc_count generation, uint64_t now_ns);
void lc_pace_end_passes(lc_pace *pace);
// How many generations the pass in hand should have made by now if it took as long as the last one,
// and always fewer than it makes; 0 if it is none that takes long.
uint64_t lc_pace_ahead(const lc_pace *pace, uint64_t now_ns);

#endif
