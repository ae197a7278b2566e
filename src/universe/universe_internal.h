// The members of a universe, for the rooms universe, checkpoint, record and identify.
//
// A cover holds the cells (cover/cover.h), as differences from the background: `background` can
// only be true in an unbounded universe whose rule has B0 (background.c).
#ifndef LC_UNIVERSE_UNIVERSE_INTERNAL_H
#define LC_UNIVERSE_UNIVERSE_INTERNAL_H

#include <stdatomic.h>

#include "cover/cover.h"
#include "lightcone/universe.h"

// What cycle.c knows of the cells since they were last written in another way than by stepping.
typedef struct lc_cycle {
    uint64_t changes; // the cover's, when that began
    uint64_t passes;  // made since then
    uint64_t *row;    // memory for a row, and behind it the copy
    uint64_t *cells;  // a copy of the cells; NULL: none yet
    bool background;  // that belongs to the copy
    uint64_t since;   // generations made since the copy
    uint64_t period;  // the cells repeat after so many generations; 0: not known to
    lc_count skipped; // generations not made, since the universe was created
} lc_cycle;

struct lc_universe {
    const lc_rule *rule;
    lc_topology topology;
    bool free_x, free_y; // unbounded directions
    lc_count generation;
    bool background;
    atomic_bool is_stepped; // just now: others may look, as a watch does, and not change it

    lc_context *context; // held
    lc_pool *own_pool;   // NULL: the context's does
    lc_pool *pool;       // the one that is used
    lc_cover *cover;
    // The rules of the stored cells while the background is dead, and while it is alive; NULL: it
    // never is.
    const lc_rule *stored_rules[2];
    const lc_rule *stored_rule; // the one that they followed last
    lc_engine_watch watch;      // what the engine asks: it asks this one
    lc_watch watcher;
    void *watcher_context;
    uint64_t audit_generations; // 0: no audits
    lc_count next_audit;        // is due at this generation
    uint64_t audits;            // done so far
    bool every_generation;      // none is skipped
    lc_cycle cycle;
    lc_status failed; // an audit found the cells wrong
    lc_message failure;
};

// lc_universe_create; or with `disk_exists`, of the board that lies in the file options.disk.
lc_status lc_universe_make(lc_universe **out, const lc_universe_options *stated, bool disk_exists,
                           lc_message *message);

// What lc_universe_step, save and the like return before they touch anything: LC_OK, or the error
// that has made the cells unusable.
#define LC_RETURN_FAILURE(universe, message)                                                       \
    do {                                                                                           \
        lc_status failure = lc_universe_failure(universe, message);                                \
        if (failure != LC_OK)                                                                      \
            return failure;                                                                        \
    } while (0)

// The same before cells are changed, and LC_ERROR_ARGUMENT while the universe is being stepped.
lc_status lc_check_changeable(const lc_universe *universe, lc_message *message);

// a + b, or the largest number there is if that is more.
static inline lc_count lc_capped_sum(lc_count a, lc_count b)
{
    lc_count sum = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    (void)lc_count_add(a, b, &sum);
    return sum;
}

// The cells that the cover holds; all others are background.
static inline lc_area lc_held_by(const lc_universe *universe)
{
    return universe->cover->vtable->area(universe->cover);
}

// Memory of this machine that the universe's limit leaves beside its cells: 1 byte or more.
uint64_t lc_universe_left_bytes(const lc_universe *universe);

// Whether its cells are squares of a store now, and all of its plane's.
static inline bool lc_universe_is_squares(const lc_universe *u)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    return u->free_x && u->free_y && cover->store != NULL && cover->store(u->cover) != NULL;
}

// Makes the rules of the stored cells. Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_background_begin(lc_universe *universe, lc_message *message);

// The background `generations` later, where there is nothing else.
bool lc_background_after(const lc_rule *rule, bool background, lc_count generations);

// Whether it is dead and alive in turn. Files mean by an odd generation that it is alive.
bool lc_background_takes_turns(const lc_universe *universe);

// LC_ERROR_UNSUPPORTED: a pattern file of that generation could not say what lies out to infinity.
lc_status lc_check_background(const lc_universe *universe, bool background, lc_count generation,
                              lc_message *message);

// The cover advances by at most `wanted` generations, and a part of that is audited.
// LC_ERROR_MISMATCH: the cells are wrong, and the universe has failed. LC_ERROR_MEMORY: nothing was
// done. Else as lc_cover_vtable's advance.
lc_status lc_audited_step(lc_universe *universe, uint64_t wanted, uint64_t *passed,
                          lc_message *message);

// Cycles. What is known is given up, and the memory for it.
void lc_cycle_forget(lc_universe *universe);
// A pass of so many generations has been made.
void lc_cycle_passed(lc_universe *universe, uint64_t generations);
// How many of so many generations need not be made, since they lead back to these cells.
lc_count lc_cycle_skip(lc_universe *universe, lc_count generations);

// The generation so many generations from now: LC_OK, or LC_ERROR_ARGUMENT, there is none.
lc_status lc_generation_after(const lc_universe *universe, lc_count generations, lc_count *after,
                              lc_message *message);

// lc_universe_save_watched for the formats of patterns: neither LC_FORMAT_AUTO nor a checkpoint.
lc_status lc_save_pattern(const lc_universe *universe, const char *path, lc_format format,
                          lc_save_watch watch, void *context, lc_message *message);

// Adds cells x .. x+length-1 of row y to what is alive, all of them held. Cell x+i is bit
// from_bit+i of `words`; with `words` NULL all of them are.
lc_status lc_merge_cells(lc_universe *universe, int64_t x, int64_t y, const uint64_t *words,
                         int64_t from_bit, int64_t length, lc_message *message);

// The first of `length` >= 1 cells that differs from the background, and the one behind the last.
// False: none does.
bool lc_find_ends(const uint64_t *words, int64_t length, bool background, int64_t *begin,
                  int64_t *end);

// LC_OK, or LC_ERROR_ARGUMENT: lc_universe_far_picture shows no such view.
lc_status lc_check_far_view(int64_t column, int64_t row, int log2_side, int64_t width,
                            int64_t height, lc_message *message);

// Whether the universe has all those coordinates; the same as LC_OK or LC_ERROR_ARGUMENT.
bool lc_has_area(const lc_universe *universe, lc_area area);
lc_status lc_check_within(const lc_universe *universe, lc_area area, lc_message *message);

#endif
