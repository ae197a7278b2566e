// The session: the universe that is shown, and what belongs to it: its name, its edits, the way
// back to its beginning, the moments that were kept, the timeline that it is a frame of.
//
// It keeps generations by itself, so that one can go back to any (history.h). Another generation is
// made beside the one that is shown, by whoever asks for it (travel.h), and then takes its place.
//
// Nothing that was drawn goes without a way back: where edits cannot be undone one by one any more,
// the session keeps one past (lc_past), to which undoing goes back.
//
// A frame that is shown is a universe like any other: it may be edited and stepped, which leaves
// the timeline (lc_session_is_frame). A reset then goes back to the frame.
//
// It knows neither clients nor pace. Only session.c writes an lc_session; others read it. They
// change cells by lc_edits_..., with `edits` and `universe`, and tell the session
// (lc_session_edited).
//
// Threads: only the universe's.
#ifndef LC_VIEWER_SESSION_H
#define LC_VIEWER_SESSION_H

#include "lightcone/edits.h"
#include "origin.h"
#include "pattern_library.h"
#include "snapshot_schedule.h"
#include "viewer.h"

enum { LC_MOMENTS_MAX = 8, LC_SESSION_NAME_BYTES = 256 };

typedef struct lc_moment {
    uint32_t id;
    lc_origin kept;
    uint64_t era; // of the session's history
    lc_count generation;
    lc_count population;
} lc_moment;

// What a session calls while it works, on the thread that has called it.
typedef struct lc_session_calls {
    // After a pass of lc_session_step; true ends the stepping.
    bool (*passed)(void *context);
    // Each few milliseconds in a long pass, when the universe may only be looked at; true gives the
    // pass up.
    bool (*in_a_pass)(void *context);
    // What is being done that may take up to a second; "" when that is over.
    void (*busy)(void *context, const char *doing);
    void *context;
} lc_session_calls;

// What undoing goes back to once edits cannot be undone one by one: the cells as they were; and if
// another universe has taken their place, all that belonged to theirs.
typedef struct lc_past {
    bool from_start; // the cells are those at the beginning: `origin` makes them
    lc_origin cells; // else
    uint64_t era;    // of the history
    bool at_origin, edited, strays, unsaved, unsaved_start; // as in the session
    uint32_t stroke; // they were kept before this one changed them; 0: before something else did
    bool is_another; // and then these are the other universe's:
    char name[LC_SESSION_NAME_BYTES];
    char *comments;
    lc_origin origin;
    lc_moment moments[LC_MOMENTS_MAX];
    int moment_count;
    lc_history history;
    lc_timeline_place place;
    lc_timeline *own_timeline;
} lc_past;

typedef struct lc_session {
    lc_session_calls calls;
    lc_universe_options creation; // of universes that clients open
    lc_universe *universe;
    char name[LC_SESSION_NAME_BYTES];
    char *comments;
    uint64_t revision;   // grows with every change of cells, once
    lc_count generation; // while it steps: the one that `revision` stands for
    uint64_t part;       // grows during a long pass
    uint64_t line;       // grows when another universe is put up that does not go on from this one
    uint64_t edits_made; // grows with every edit, and with every other universe
    lc_origin origin;
    bool at_origin;     // not stepped since; then what was edited belongs to it,
    bool edited;        // and something was
    bool strays;        // something was edited later, or could not be kept: a reset loses it
    bool unsaved;       // something was edited since it was opened or saved,
    bool unsaved_start; // and that belongs to the beginning
    lc_moment moments[LC_MOMENTS_MAX];
    int moment_count;
    uint32_t moment_ids;
    lc_history history;
    bool is_apart; // the cells do not follow from those of the history: they were edited
    lc_snapshot_schedule schedule;
    bool is_too_large;         // to be kept by itself
    lc_timeline_place place;   // the frame that was shown last, if there is a timeline
    lc_timeline *own_timeline; // the same, if a client has opened it
    lc_folder folder;
    bool on_disk; // the universe lies in a file (lightcone/disk.h): it is only looked at
    lc_edits *edits;
    bool undoable;               // there may be something in `edits`
    lc_past before;              // what undoing goes back to if there is nothing in `edits`,
    bool has_before;             // if that was kept
    lc_past next;                // what becomes of it if the edit in hand changes something,
    bool has_next;               // if that was kept
    uint32_t stroke;             // the last one that was begun while it ran
    uint32_t edited_by;          // the stroke that made the last edit; 0: it was by something else
    const char *patterns_folder; // lent
    lc_library *library;         // NULL: lc_session_open_library
} lc_session;

// If this succeeds the universe goes over to the session, which must then stay where it is. On
// error (LC_ERROR_MEMORY) there is nothing to free.
lc_status lc_session_create(lc_session *session, const lc_viewer_options *options,
                            const lc_session_calls *calls, lc_universe *universe,
                            lc_message *message);
// Gives the universe back, and frees everything else.
lc_universe *lc_session_close(lc_session *session);

// The generations a second at which it can be followed by eye: for patterns and small boards; 0, as
// fast as possible, for boards so large that little can be seen in them otherwise.
double lc_session_speed(const lc_session *session);
// Whether the universe's rule makes life out of nothing (B0).
bool lc_session_makes_life(const lc_session *session);
// Whether edits can be undone, also those from before it was stepped.
bool lc_session_can_undo(const lc_session *session);
// Whether undoing would take back a stroke, and nothing before it: it was the last change by hand.
bool lc_session_can_undo_stroke(const lc_session *session, uint32_t stroke);

// Steps, after which edits can no longer be undone. Returns what lc_universe_step returns. What was
// edited at the beginning is to be kept before (lc_session_keep_origin).
lc_status lc_session_step(lc_session *session, lc_count generations, lc_message *message);

// The cells are about to differ from those at the beginning. If these were edited they are kept, so
// that a reset goes back to them. On error, which does not keep anybody from going on, it will go
// back to before the edits: LC_ERROR_LIMIT (the universe is so large that it would take long), or
// what lc_origin_keep returns.
lc_status lc_session_keep_origin(lc_session *session, lc_message *message);
// It is about to run. If there is something to undo the cells are kept, so that undoing can go back
// to them (lc_session_undo_run). Errors as above.
lc_status lc_session_keep_edits(lc_session *session, lc_message *message);

// It is about to be edited while it runs, by a stroke (0: by something else): undoing will go back
// to the cells as they are now, unless they are so many that the stroke would falter.
// Then comes either of the two that follow.
void lc_session_keep_before_stroke(lc_session *session, uint32_t stroke);
// There was an edit, by a stroke (0: by something else): it belongs to the beginning if nothing has
// been stepped since.
void lc_session_edited(lc_session *session, uint32_t stroke);
// There was to be an edit, and no cell has changed: nor does what undoing goes back to.
void lc_session_not_edited(lc_session *session);
// All that was edited is in a file now.
void lc_session_saved(lc_session *session);

// Each of these opens a universe in place of the present one, which stays if that fails. Edits of
// the present one can then no longer be undone. They return what lc_origin_open returns.

// Another universe, to which from now on a reset goes back. The present one, with its moments, is
// what undoing brings back, unless it is so large that keeping it would take long. The name is cut
// if it is long. Origin, its timeline and comments (from malloc) go over to the session, even on
// error.
lc_status lc_session_replace(lc_session *session, lc_origin *origin, const char *name,
                             char *comments, lc_message *message);
// Back to the beginning.
lc_status lc_session_reset(lc_session *session, lc_message *message);
// Back to what is kept in `before`: only if `has_before`.
lc_status lc_session_undo_run(lc_session *session, lc_message *message);
// The same cells under another rule or in another topology (NULL: that stays): they are a new
// beginning. *lost: live cells beyond its edges, which are left out. `only_try`: nothing changes.
// Also LC_ERROR_LIMIT (the universe is so large that it would take long), or what lc_origin_recast
// returns.
lc_status lc_session_recast(lc_session *session, const lc_rule *rule, const lc_topology *topology,
                            bool only_try, uint64_t *lost, lc_message *message);
// Back to a moment of this session.
lc_status lc_session_return(lc_session *session, const lc_moment *moment, lc_message *message);

// Another frame of the timeline, which there must be: to it a reset goes back from now on. Returns
// LC_ERROR_ARGUMENT (there is no such frame), or what lc_origin_open returns.
lc_status lc_session_show_frame(lc_session *session, uint64_t frame, lc_message *message);
// Whether the cells are those of the frame that was shown last, and not of a universe that has
// gone on from there.
bool lc_session_is_frame(const lc_session *session);

// Begins to go to a generation, or if no way leads there to the next one before, which is what
// *to becomes: *out is a universe of the caller's at a generation that was kept, from which that
// one is to be made by stepping, in the era *era. What was edited is kept before. LC_ERROR_ARGUMENT
// (nothing that was kept lies before), or what lc_universe_restore_memory and lc_origin_open
// return.
lc_status lc_session_depart(lc_session *session, lc_count *to, lc_universe **out, uint64_t *era,
                            lc_message *message);
// On the way there: keeps the cells of such a universe, if that does not take long and is due, or
// `in_any_case`.
void lc_session_keep_on_the_way(lc_session *session, const lc_universe *universe, uint64_t era,
                                lc_count to, bool in_any_case);
// That universe takes the place of the present one. *passed: that was edited since; if it was, and
// `keeps`, it is what undoing brings back. An error (LC_ERROR_LIMIT, or one of lc_origin_keep) says
// only that it could not be kept.
lc_status lc_session_arrive(lc_session *session, lc_universe *universe, uint64_t era, bool keeps,
                            bool *passed, lc_message *message);
// Takes note of a population.
void lc_session_count(lc_session *session, lc_count generation, lc_count population);

// Keeps the universe as it is now as a moment, if there are fewer than LC_MOMENTS_MAX. Returns what
// lc_origin_keep returns.
lc_status lc_session_keep_moment(lc_session *session, lc_message *message);
// NULL: there is none.
const lc_moment *lc_session_find_moment(const lc_session *session, uint32_t id);
void lc_session_forget_moment(lc_session *session, const lc_moment *moment);

// What a copy of the universe is to be like that is only looked at, beside it: on the CPU, with one
// thread, which leaves the others to those who step, and with the memory that is left.
lc_universe_options lc_session_copy_options(const lc_session *session);

// A path that no file has had, in a folder that goes with the session.
lc_status lc_session_name_file(lc_session *session, const char *ending, char path[320],
                               lc_message *message);

// Reads the library's patterns, if that was not done yet: `library` is there afterwards.
// LC_ERROR_MEMORY: it is not.
lc_status lc_session_open_library(lc_session *session, lc_message *message);

#endif
