// What a universe is made of; seen by the files of this folder only.
//
// An engine holds a block: a rectangle of cells whose (0, 0) stands at (origin_x, origin_y) of the
// universe. A bounded direction is covered by the block exactly. In an unbounded direction the
// block is a window that is moved and resized as life spreads, with a margin of background on both
// sides:
//
//        origin_x                               origin_x + block width
//          +--------------------------------------+
//          |  background, at least as wide as the |
//          |  generations of the next chunk       |
//          |            +--------------+          |
//          |            | bounding box |          |
//          |            +--------------+          |
//          +--------------------------------------+
//
// The light cone makes that exact: in n generations nothing spreads further than n cells, so while
// the margin is n or more the engine may believe what it likes about the world beyond the block.
// Its topology there is a torus, because wrapping costs an engine the least.
//
// Cells are stored as differences from the background. `background` can only be true in an
// unbounded universe whose rule has B0 (see lc_stored_rule).
#ifndef LC_UNIVERSE_STATE_H
#define LC_UNIVERSE_STATE_H

#include "engine/engine.h"
#include "lightcone/universe.h"

// Rows are moved through buffers of this size, so that moving them cannot fail.
enum { LC_SPAN_WORDS = 512, LC_SPAN_CELLS = LC_SPAN_WORDS * 64 };

// What cycle.c knows of the cells since they were last written in another way than by stepping.
typedef struct lc_cycle {
    uint64_t passes;  // made since then
    uint64_t *row;    // memory for a row, and behind it the copy
    uint64_t *cells;  // a copy of the cells; NULL: none yet
    bool background;  // that belongs to the copy
    uint64_t since;   // generations made since the copy
    uint64_t period;  // the cells repeat after so many generations; 0: not known to
    uint64_t skipped; // generations not made, since the universe was created
} lc_cycle;

struct lc_universe {
    lc_rule rule;
    lc_topology topology;
    bool free_x, free_y; // unbounded directions
    uint64_t generation;
    bool background;

    const lc_engine_vtable *vtable; // of `engine`; before there is one, the engine asked for
    bool automatic;                 // each block gets the best engine for it
    unsigned passed_over; // engines that failed and are not tried again: bit i is the i-th
    lc_message note;      // why the first of them failed
    lc_pool *pool;
    char cpu_level[32];
    char settings[LC_ENGINE_SETTINGS_BYTES]; // of a guest engine
    uint64_t max_memory_bytes;               // 0: the engine's own limit
    lc_engine_watch watch;                   // what the engine asks: it asks this one
    lc_watch watcher;
    void *watcher_context;

    lc_engine *engine;
    lc_engine_config config; // of `engine`: its size is the block's
    uint64_t engine_bytes;
    int64_t origin_x, origin_y; // multiples of 64 and of 16; 0 in a bounded direction
    uint64_t audit_generations; // 0: no audits
    uint64_t next_audit;        // is due at this generation
    uint64_t audits;            // done so far
    bool every_generation;      // none is skipped
    lc_cycle cycle;
    lc_status failed; // an audit found the cells wrong
    lc_message failure;
    uint64_t safe_generations; // the block is good for so many; 0: unknown, lc_block_prepare says
};

// A rectangle, right and bottom excluded, in the universe's coordinates.
typedef struct lc_area {
    int64_t x0, y0, x1, y1;
} lc_area;

// What lc_universe_step, save and the like return before they touch anything: LC_OK, or the error
// that has made the cells unusable.
#define LC_RETURN_FAILURE(universe, message)                                                       \
    do {                                                                                           \
        lc_status failure = lc_universe_failure(universe, message);                                \
        if (failure != LC_OK)                                                                      \
            return failure;                                                                        \
    } while (0)

lc_area lc_block_area(const lc_universe *universe);

// The rule that the stored cells follow in the next generation, and the background after it.
lc_rule lc_stored_rule(const lc_rule *rule, bool background, bool *next_background);

// The background `generations` later, where there is nothing else.
bool lc_background_after(const lc_rule *rule, bool background, uint64_t generations);

// Creates the first block: all of a bounded direction, and the cells x0 .. x1-1 (y0 .. y1-1) of an
// unbounded one. LC_ERROR_LIMIT, LC_ERROR_MEMORY, LC_ERROR_UNSUPPORTED (the CPU level).
lc_status lc_block_create(lc_universe *universe, lc_area area, lc_message *message);

// What that block would need, and whether its engine would step it; the universe has none yet.
lc_status lc_block_check(const lc_universe *universe, lc_area area, lc_universe_needs *needs,
                         lc_message *message);

// How much memory a block and its predecessor may take together.
uint64_t lc_block_limit_bytes(const lc_universe *universe);

// Makes the block hold `area` (which lies within the universe) besides all that is alive, and some
// room around it if memory allows. LC_ERROR_LIMIT or LC_ERROR_MEMORY: nothing has changed.
lc_status lc_block_include(lc_universe *universe, lc_area area, lc_message *message);

// Before stepping an unbounded universe: makes the block good for `wanted` generations, or for a
// decent share of them, by moving and resizing it as needed, and sets safe_generations, to at least
// 1. *empty: nothing lives, and nothing was done. LC_ERROR_LIMIT, LC_ERROR_MEMORY: not one
// generation is safe.
lc_status lc_block_prepare(lc_universe *universe, uint64_t wanted, bool *empty,
                           lc_message *message);

// One step of the engine, of at most `wanted` generations, with an audit of it.
// LC_ERROR_MISMATCH: the cells are wrong, and the universe has failed. LC_ERROR_MEMORY: nothing was
// done. Else as lc_engine_vtable's step.
lc_status lc_audited_step(lc_universe *universe, uint64_t wanted, uint64_t *passed,
                          lc_message *message);

// Cycles. The cells, or the block, have changed in another way than by stepping.
void lc_cycle_forget(lc_universe *universe);
// A pass of so many generations has been made.
void lc_cycle_passed(lc_universe *universe, uint64_t generations);
// How many of so many generations need not be made, since they lead back to these cells.
uint64_t lc_cycle_skip(lc_universe *universe, uint64_t generations);

// Writes cells x .. x+length-1 of row y, all in the block. Cell x+i is bit from_bit+i of `words`;
// with `words` NULL all are alive. `merge`: live cells are added; else the cells are replaced.
lc_status lc_block_write(lc_universe *universe, int64_t x, int64_t y, const uint64_t *words,
                         int64_t from_bit, int64_t length, bool merge, lc_message *message);

// The stored cells x .. x+length-1 of row y, all in the block, to bit `to_bit` of `words`.
lc_status lc_block_read(const lc_universe *universe, int64_t x, int64_t y, uint64_t *words,
                        int64_t to_bit, int64_t length, lc_message *message);

// The cells have been changed in another way than by stepping.
void lc_block_changed(lc_universe *universe);

// The first of `length` >= 1 cells that differs from the background, and the one behind the last.
// False: none does.
bool lc_find_ends(const uint64_t *words, int64_t length, bool background, int64_t *begin,
                  int64_t *end);

// Whether the universe has all those coordinates: LC_OK or LC_ERROR_ARGUMENT.
lc_status lc_check_within(const lc_universe *universe, lc_area area, lc_message *message);

// Facts about the stored cells, in the block's coordinates.
lc_status lc_block_facts(const lc_universe *universe, unsigned which, lc_facts *facts,
                         lc_message *message);

#endif
