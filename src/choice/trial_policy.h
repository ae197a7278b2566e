// When the sparse engine and HashLife are tried against each other on an infinite plane.
//
// No property of a pattern tells which one is faster. A long run of few cells starts with HashLife,
// all others with the sparse engine. From time to time the other engine steps a copy of the cells
// for a share of the time that the run has taken. If it is faster, it stays. Each interval between
// trials is twice as long as the one before.
#ifndef LC_CHOICE_TRIAL_POLICY_H
#define LC_CHOICE_TRIAL_POLICY_H

#include "engine/engine_interface.h"

typedef struct lc_trial_policy {
    bool was_long;          // a long run has been seen, and its first engine was decided
    uint64_t made, busy_ns; // generations since the last trial, and their time
    uint64_t trial_ns;      // of work until the next trial; 0: none was made yet
    double ns;              // of a recent generation of HashLife, or of the sparse one; 0: unknown
    uint64_t pass;          // generations of HashLife's next jump
    uint64_t jumped_ns;     // that HashLife has run
} lc_trial_policy;

// Whether the two engines can be tried on that universe. `alternates`: with two rules.
bool lc_trial_is_possible(const lc_topology *topology, const lc_rule *rule, bool alternates);

// Whether a step of that many generations may start with HashLife, if it is the first long one; and
// whether it does with so many live cells.
bool lc_trial_is_long(const lc_trial_policy *p, uint64_t generations);
bool lc_trial_starts_with_hashlife(lc_count population);
// HashLife was started so.
void lc_trial_started(lc_trial_policy *p);

// Generations were made with the engine in use.
void lc_trial_note(lc_trial_policy *p, uint64_t made, uint64_t took_ns);
// HashLife made `done` of `wanted` generations; sets the length of its next jump.
void lc_trial_note_jump(lc_trial_policy *p, uint64_t wanted, uint64_t done, uint64_t took_ns);

// Work until the next trial.
uint64_t lc_trial_wait_ns(const lc_trial_policy *p);
bool lc_trial_is_due(const lc_trial_policy *p);
// Whether a trial is worth its time, with that many generations to come.
bool lc_trial_pays(const lc_trial_policy *p, uint64_t left);

// Begins a trial and returns the time for copying, and again for stepping. `hashlife`: HashLife is
// in use, and the sparse engine is tried.
uint64_t lc_trial_begin(lc_trial_policy *p, bool hashlife);
// Generations of the first pass of the engine that is tried; each is twice as long as the last.
uint64_t lc_trial_first_pass(bool tries_hashlife);
// Whether the engine that was tried, whose generations took `ns`, should take over.
bool lc_trial_wins(const lc_trial_policy *p, bool hashlife, double ns, uint64_t left);
void lc_trial_changed(lc_trial_policy *p, double ns); // it has taken over

// Steps so short that HashLife gains nothing; and the time to copy its cells to the sparse engine,
// when intervals start anew.
bool lc_trial_is_short(uint64_t generations);
uint64_t lc_trial_give_up(lc_trial_policy *p);

// The most memory of a HashLife engine that waits for its next trial.
uint64_t lc_trial_parked_bytes(uint64_t limit_bytes);

#endif
