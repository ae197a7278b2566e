// `lightcone run --watch`: the universe is drawn in the terminal while it is stepped.
//
// Each drawing takes the place of the one before: the cursor moves up, and lines are written over.
// It stays visible and below the drawing, so that there is nothing to restore, whatever ends the
// program.
//
// A drawing shows a bounded direction whole. In an unbounded one it stays where it is until cells
// leave it; then it moves to their middle, or shows more.
#ifndef LC_CLI_TERMINAL_WATCH_H
#define LC_CLI_TERMINAL_WATCH_H

#include "terminal_picture.h"

typedef struct lc_cli_watch {
    bool is_on;
    bool is_ascii;
    lc_count target;              // the last generation of the run
    lc_count stride;              // generations between two drawings; 0: as fast as it goes
    lc_count next;                // generation of the next drawing
    uint64_t interval_ns, due_ns; // time between two drawings, and when the next one is due
    uint64_t drawn_ns, cost_ns;   // when the last one was made, and how long that took
    int columns, rows;            // of the terminal then
    bool has_picture;
    lc_cli_picture picture;
} lc_cli_watch;

// Whether standard output is a terminal whose cursor can be moved.
bool lc_cli_watch_can_draw(void);

// Begins with a drawing of the universe. `speed` is in generations a second; HUGE_VAL: as fast as
// it goes; 0: the usual one.
lc_status lc_cli_watch_begin(lc_cli_watch *watch, const lc_universe *universe, lc_count target,
                             double speed, lc_message *message);

// Waits until the universe at `generation` may be stepped; a signal ends that. Returns the
// generation to step to, which is at most `limit`.
lc_count lc_cli_watch_wait(lc_cli_watch *watch, lc_count generation, lc_count limit);

// Draws the universe, if it is time to. Drawing takes at most a fifth of the time.
lc_status lc_cli_watch_update(lc_cli_watch *watch, const lc_universe *universe,
                              lc_message *message);

// Draws it for the last time.
lc_status lc_cli_watch_end(lc_cli_watch *watch, const lc_universe *universe, lc_message *message);

// Leaves the drawing where it stands, so that a message can be printed below.
void lc_cli_watch_leave(void);

#endif
