// The members of a universe, for the rooms universe, checkpoint, record and identify.
//
// A cover holds the cells (cover/cover.h), as differences from the background: `background` can
// only be true in an unbounded universe whose rule has B0 (background.c).
#ifndef LC_UNIVERSE_UNIVERSE_INTERNAL_H
#define LC_UNIVERSE_UNIVERSE_INTERNAL_H

#include <stdatomic.h>

#include "cover/cover.h"
#include "lightcone/universe.h"

// Period detection (cycle.c), since the cells last changed other than by stepping.
typedef struct lc_cycle {
    uint64_t changes; // of the cover, at that time
    uint64_t passes;  // since then
    uint64_t *row;    // memory of one row, followed by the copy
    uint64_t *cells;  // a copy of the cells; NULL: none yet
    bool background;  // of the copy
    uint64_t since;   // generations since the copy
    uint64_t period;  // of the cells, in generations; 0: unknown
    lc_count skipped; // generations not made, since the universe was created
} lc_cycle;

struct lc_universe {
    const lc_rule *rule;
    lc_topology topology;
    bool free_x, free_y; // unbounded directions
    lc_count generation;
    bool background;
    atomic_bool is_stepped; // now: a watch may read it, but not change it

    lc_context *context; // held
    lc_pool *own_pool;   // NULL: uses that of the context
    lc_pool *pool;       // in use
    lc_cover *cover;
    // The rules of the stored cells while the background is dead, and while it is alive; NULL: it
    // never is.
    const lc_rule *stored_rules[2];
    const lc_rule *stored_rule; // the one that they followed last
    lc_engine_watch watch;      // given to the engine; calls `watcher`
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

// Returns from the calling function with the error that has made the cells unusable, if there is
// one.
#define LC_RETURN_FAILURE(universe, message)                                                       \
    do {                                                                                           \
        lc_status failure = lc_universe_failure(universe, message);                                \
        if (failure != LC_OK)                                                                      \
            return failure;                                                                        \
    } while (0)

// Returns this error; LC_ERROR_ARGUMENT while the universe is being stepped; or LC_OK.
lc_status lc_check_changeable(const lc_universe *universe, lc_message *message);

// Returns a + b, or 2^256 - 1 if the sum is larger.
static inline lc_count lc_capped_sum(lc_count a, lc_count b)
{
    lc_count sum = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    (void)lc_count_add(a, b, &sum);
    return sum;
}

// Returns the area that the cover holds. All other cells are background.
static inline lc_area lc_held_by(const lc_universe *universe)
{
    return universe->cover->vtable->area(universe->cover);
}

// Returns the area of all coordinates.
static inline lc_area lc_world_of(const lc_universe *u)
{
    lc_area world = {0, 0, u->topology.width_cells, u->topology.height_cells};
    if (u->free_x)
        world.x0 = INT64_MIN, world.x1 = INT64_MAX;
    if (u->free_y)
        world.y0 = INT64_MIN, world.y1 = INT64_MAX;
    return world;
}

// Returns how much of the memory limit the cells leave on this machine, at least 1 byte.
uint64_t lc_universe_left_bytes(const lc_universe *universe);

// Returns whether the universe is an unbounded plane stored as a quadtree.
static inline bool lc_universe_is_squares(const lc_universe *u)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    return u->free_x && u->free_y && cover->store != NULL && cover->store(u->cover) != NULL;
}

// Makes the rules of the stored cells. Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_background_begin(lc_universe *universe, lc_message *message);

// Returns the background after `generations`.
bool lc_background_after(const lc_rule *rule, bool background, lc_count generations);

// Returns whether the background alternates. In files it is then alive in odd generations.
bool lc_background_alternates(const lc_universe *universe);

// Returns LC_OK; LC_ERROR_UNSUPPORTED (no pattern file of that generation can state the
// background).
lc_status lc_check_background(const lc_universe *universe, bool background, lc_count generation,
                              lc_message *message);

// Advances the cover by at most `wanted` generations and audits a part of them.
// Returns the statuses of lc_cover_vtable.advance; LC_ERROR_MISMATCH (wrong cells: the universe has
// failed); LC_ERROR_MEMORY (no generation was made).
lc_status lc_audited_step(lc_universe *universe, uint64_t wanted, uint64_t *passed,
                          lc_message *message);

// Period detection (cycle.c). Frees the copy and forgets the period.
void lc_cycle_forget(lc_universe *universe);
// Notes a pass of so many generations.
void lc_cycle_passed(lc_universe *universe, uint64_t generations);
// Returns how many of the generations can be skipped: a multiple of the period, or 0.
lc_count lc_cycle_skip(lc_universe *universe, lc_count generations);

// Sets *after to the generation `generations` from now. Returns LC_OK; LC_ERROR_ARGUMENT (2^256 or
// more).
lc_status lc_generation_after(const lc_universe *universe, lc_count generations, lc_count *after,
                              lc_message *message);

// lc_universe_save_watched for the formats of patterns: neither LC_FORMAT_AUTO nor a checkpoint.
lc_status lc_save_pattern(const lc_universe *universe, const char *path, lc_format format,
                          lc_save_watch watch, void *context, lc_message *message);

// Live cells to add: those of row 0 of `row` from bit from_bit on, or cells of one state.
typedef struct lc_added {
    const lc_cells *row; // NULL: all cells have `state`
    int64_t from_bit;
    int state;
    int64_t length; // 1 or more
} lc_added;

// Like lc_universe_read, into one plane: bits are set for cells that are not in state 0.
lc_status lc_universe_read_alive(const lc_universe *universe, const lc_cells *to,
                                 lc_message *message);

// Adds live cells to row y, from x on, all of them held. Other cells stay.
lc_status lc_merge_cells(lc_universe *universe, int64_t x, int64_t y, const lc_added *added,
                         lc_message *message);

// Finds the first cell of the i-th row, which has cells, that differs from the background, and the
// end of the last. Returns false if none does.
bool lc_find_ends(const lc_cells *cells, int64_t i, bool background, int64_t *begin, int64_t *end);

// Returns LC_OK; LC_ERROR_ARGUMENT (not a view of lc_universe_far_picture).
lc_status lc_check_far_view(int64_t column, int64_t row, int log2_side, int64_t width,
                            int64_t height, lc_message *message);

// Returns whether the area is in the universe; the second as LC_OK or LC_ERROR_ARGUMENT.
bool lc_has_area(const lc_universe *universe, lc_area area);
lc_status lc_check_within(const lc_universe *universe, lc_area area, lc_message *message);

#endif
