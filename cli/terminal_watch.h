// `lightcone run --watch`: draws the universe in the terminal during a run.
//
// Each drawing replaces the previous drawing. The cursor moves up, and new lines overwrite the old
// lines. The cursor stays visible below the drawing, so that the terminal stays usable even if the
// program is killed.
//
// In a bounded direction, a drawing shows the whole universe. In an unbounded direction, the view
// stays fixed until cells leave the view. When cells leave the view, the view moves to the centre
// of the cells or zooms out.
#ifndef LC_CLI_TERMINAL_WATCH_H
#define LC_CLI_TERMINAL_WATCH_H

#include "terminal_picture.h"

typedef struct lc_cli_watch {
    bool is_on;
    bool is_ascii;
    lc_count target;              // the last generation of the run
    lc_count stride;              // generations between two drawings; 0: as fast as possible
    lc_count next;                // generation of the next drawing
    uint64_t interval_ns, due_ns; // time between two drawings, and time of the next drawing
    uint64_t drawn_ns, cost_ns;   // time and duration of the last drawing
    int columns, rows;            // size of the terminal at the last drawing
    bool has_picture;
    lc_cli_picture picture;
} lc_cli_watch;

// Whether standard output is a terminal with a movable cursor.
bool lc_cli_watch_can_draw(void);

// Draws the universe for the first time. `speed` is in generations per second; HUGE_VAL: as fast as
// possible; 0: default.
lc_status lc_cli_watch_begin(lc_cli_watch *watch, const lc_universe *universe, lc_count target,
                             double speed, lc_message *message);

// Waits until the next step after `generation` is due, or until a signal arrives. Returns the
// generation at which the next step ends, at most `limit`.
lc_count lc_cli_watch_wait(lc_cli_watch *watch, lc_count generation, lc_count limit);

// Draws the universe if a drawing is due. Drawing takes at most a fifth of the run's time.
lc_status lc_cli_watch_update(lc_cli_watch *watch, const lc_universe *universe,
                              lc_message *message);

// Draws the universe for the last time.
lc_status lc_cli_watch_end(lc_cli_watch *watch, const lc_universe *universe, lc_message *message);

// Keeps the current drawing on the terminal, so that a message can be printed below the drawing.
void lc_cli_watch_leave(void);

#endif
