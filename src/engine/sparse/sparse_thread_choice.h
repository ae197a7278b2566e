// Chooses by trials whether rounds run on all threads or on one.
//
// Several threads share the work. But each has its own memo table, in which it finds less, and
// waking threads takes some microseconds. So the engine times the present choice and the other one
// for some rounds now and then, by the time per tile update. A choice that keeps losing is tried
// less often.
#ifndef LC_ENGINE_SPARSE_SPARSE_THREAD_CHOICE_H
#define LC_ENGINE_SPARSE_SPARSE_THREAD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LC_THREAD_CHOICE_FIRST =
        32, // rounds until the first trial, and after one that changed something,
    LC_THREAD_CHOICE_MOST = 2048, // up to these
    LC_THREAD_CHOICE_WARM = 8,    // rounds of a trial that are not timed,
    LC_THREAD_CHOICE_TIMED = 16,  // and those that are
};

typedef struct lc_thread_choice {
    bool alone;         // the next round runs on one thread
    bool is_trial;      // of the other choice
    unsigned made;      // rounds of this trial, or since the last one
    unsigned stretch;   // rounds from the last trial to the next
    uint64_t tiles, ns; // of the timed rounds
    double ns_before;   // per tile, before the trial
} lc_thread_choice;

static inline void lc_thread_choice_begin(lc_thread_choice *c)
{
    *c = (lc_thread_choice){.stretch = LC_THREAD_CHOICE_FIRST};
}

// Called after a round that had enough tiles for several threads: the number updated, and the time.
static inline void lc_thread_choice_end_round(lc_thread_choice *c, uint64_t tiles,
                                              uint64_t elapsed_ns)
{
    const unsigned rounds =
        c->is_trial ? LC_THREAD_CHOICE_WARM + LC_THREAD_CHOICE_TIMED : c->stretch;
    c->made++;
    if (c->made > rounds - LC_THREAD_CHOICE_TIMED) {
        c->tiles += tiles;
        c->ns += elapsed_ns;
    }
    if (c->made < rounds)
        return;
    const double ns_now = (double)c->ns / (double)c->tiles;
    if (!c->is_trial) {
        c->ns_before = ns_now;
        c->alone = !c->alone;
    } else if (ns_now < c->ns_before) {
        c->stretch = LC_THREAD_CHOICE_FIRST;
    } else {
        c->alone = !c->alone;
        c->stretch = c->stretch < LC_THREAD_CHOICE_MOST ? 2 * c->stretch : LC_THREAD_CHOICE_MOST;
    }
    c->is_trial = !c->is_trial;
    c->made = 0;
    c->tiles = c->ns = 0;
}

#endif
