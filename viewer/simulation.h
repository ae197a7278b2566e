// The thread that owns the universe.
#ifndef LC_VIEWER_SIMULATION_H
#define LC_VIEWER_SIMULATION_H

#include "frame.h"
#include "hub.h"
#include "library.h"
#include "origin.h"
#include "viewer.h"

enum { LC_MOMENTS_MAX = 8, LC_RATE_SAMPLES = 8 };

typedef struct lc_moment {
    uint32_t id;
    lc_origin kept;
    uint64_t generation, population;
} lc_moment;

// What the universe's thread knows about a client.
typedef struct lc_watcher {
    uint32_t serial;
    lc_clip *clip;
    bool follows;
    uint32_t look_revision;  // of the last picture: of what was looked at,
    uint64_t shown_revision; // of the cells
    uint64_t shown_part;     // of a pass
    uint64_t next_frame_ns;  // the earliest time of the next one
    uint64_t rendered_ns;    // when the last one was,
    uint64_t render_ns;      // and what it took
    uint32_t frames;
    bool greeted;
    bool told;   // what the universe is
    bool behind; // it did not take its answers when there was a state
} lc_watcher;

typedef struct lc_simulation {
    lc_hub *hub;
    const lc_viewer_options *options;
    pthread_t thread;
    bool started;

    // The universe.
    lc_universe *universe;
    char name[256];
    char *comments;
    uint64_t revision; // grows with every change of cells
    uint64_t part;     // grows during a long pass
    lc_origin origin;
    bool at_origin; // not stepped since; then what was edited belongs to it,
    bool edited;    // and something was
    lc_moment moments[LC_MOMENTS_MAX];
    int moment_count;
    uint32_t moment_ids;
    lc_folder folder;
    lc_edits *edits;
    bool undoable;    // there may be something in `edits`
    lc_origin before; // the cells as they were edited before they were run,
    bool has_before;  // if that was kept
    lc_library *library;

    // Stepping.
    bool running;
    bool has_target; // run only as far as `target`
    uint64_t target;
    double speed;                      // generations a second; 0: full speed
    uint64_t pace_ns, pace_generation; // where the present pace began
    struct {
        uint64_t ns, generation;
    } samples[LC_RATE_SAMPLES];
    int sample_count; // ever taken

    // Showing.
    lc_watcher watchers[LC_CLIENTS_MAX];
    uint64_t attention_ns; // when clients are next attended to
    bool state_changed, state_urgent;
    bool behind; // some of the watchers are
    uint64_t next_state_ns;
    bool counted; // `population` has been counted
    uint64_t population, population_revision, population_generation, next_population_ns;
    lc_box box;
    bool has_box;
    uint64_t box_revision, next_box_ns;
    char busy[320];
} lc_simulation;

// Starts the thread. If that succeeds, the universe goes over to it.
lc_status lc_simulation_start(lc_simulation *simulation, lc_hub *hub,
                              const lc_viewer_options *options, lc_universe *universe,
                              lc_message *message);
// Ends the thread and frees everything but the universe.
void lc_simulation_stop(lc_simulation *simulation);

// ---- within the universe's thread ---------------------------------------------------------------

uint64_t lc_simulation_now_ns(void);

// Something in the state has changed, and clients must learn of it at once.
static inline void lc_show_soon(lc_simulation *simulation)
{
    simulation->state_changed = simulation->state_urgent = true;
}

// Attends to the clients: sends pictures and states that are due. Cheap if none is. show.c
void lc_show(lc_simulation *simulation, uint64_t now_ns);
// When there will next be something to do, if nothing happens before.
uint64_t lc_show_next_ns(lc_simulation *simulation, uint64_t now_ns);
// Sends states, and the universe to clients that have not been told.
void lc_show_states(lc_simulation *simulation, uint64_t now_ns);
// The same if a client came, left or took over.
void lc_show_newcomers(lc_simulation *simulation);
// Another universe has taken the place of this one.
void lc_show_universe(lc_simulation *simulation);
// Sends the object to all clients that take their answers; it goes over to this function.
void lc_show_all(lc_simulation *simulation, json_t *object);
// Says what is being done if that may take long; "" when it is over.
void lc_show_busy(lc_simulation *simulation, const char *format, const char *name);

// Does what a client asks for, and answers. obey.c
void lc_obey(lc_simulation *simulation, lc_client client, lc_view_command *command);

// Replaces the present universe, and pauses.
void lc_simulation_adopt(lc_simulation *simulation, lc_universe *universe);

// The cells are about to differ from those at the beginning, which are kept if they were edited: a
// reset goes back to them.
void lc_simulation_leave_origin(lc_simulation *simulation);
// It is about to run: the edited cells are kept, so that undoing can go back to them.
void lc_simulation_keep_edits(lc_simulation *simulation);

// Stops stepping.
void lc_simulation_pause(lc_simulation *simulation);

// The pace starts from now.
void lc_simulation_restart_pace(lc_simulation *simulation);

#endif
