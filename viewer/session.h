// The session: the universe that is shown, with its name, edits, origin, the user's snapshots, and
// the timeline that it is a frame of.
//
// The session takes snapshots by itself into its history, so that the user can go back to any
// generation (history.h). Another generation is computed in a second universe (travel.h), which
// then replaces the one that is shown.
//
// No drawing is lost: when edits can no longer be undone one by one, the session keeps an
// lc_undo_state, and undo goes back to it.
//
// A frame is a universe like any other. Editing or stepping it leaves the timeline
// (lc_session_is_frame). A reset then goes back to the frame.
//
// The session does not know clients or pace. Only session.c writes an lc_session; others read it.
// They change cells by lc_edits_..., with `edits` and `universe`, and then call lc_session_edited.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_SESSION_H
#define LC_VIEWER_SESSION_H

#include "lightcone/edits.h"
#include "origin.h"
#include "pattern_library.h"
#include "snapshot_schedule.h"
#include "viewer.h"

enum { LC_USER_SNAPSHOTS_MAX = 8, LC_SESSION_NAME_BYTES = 256 };

typedef struct lc_user_snapshot {
    uint32_t id;
    lc_origin kept;
    uint64_t era; // of the session's history
    lc_count generation;
    lc_count population;
} lc_user_snapshot;

// Callbacks of a session, called on the thread that has called the session.
typedef struct lc_session_calls {
    // After a pass of lc_session_step. Returns true to end the stepping.
    bool (*passed)(void *context);
    // Every few milliseconds in a long pass, when the universe may only be read. Returns true to
    // cancel the pass.
    bool (*in_a_pass)(void *context);
    // Before work that may take up to a second, with its name; after it with "".
    void (*busy)(void *context, const char *doing);
    void *context;
} lc_session_calls;

// The state that undo goes back to when edits cannot be undone one by one: the cells, and, if
// another universe has replaced them, everything that belonged to theirs.
typedef struct lc_undo_state {
    bool from_start;                                        // the cells are those of `origin`
    lc_origin cells;                                        // otherwise
    uint64_t era;                                           // of the history
    bool at_origin, edited, strays, unsaved, unsaved_start; // as in the session
    uint32_t stroke; // the stroke that changed these cells; 0: another edit
    bool is_another; // another universe, which has all of these:
    char name[LC_SESSION_NAME_BYTES];
    char *comments;
    lc_origin origin;
    lc_user_snapshot snapshots[LC_USER_SNAPSHOTS_MAX];
    int snapshot_count;
    lc_history history;
    lc_timeline_place place;
    lc_timeline *own_timeline;
} lc_undo_state;

typedef struct lc_session {
    lc_session_calls calls;
    lc_universe_options creation; // of universes that clients open
    lc_universe *universe;
    char name[LC_SESSION_NAME_BYTES];
    char *comments;
    uint64_t revision;   // grows once with each change of cells
    lc_count generation; // while it steps: the one of `revision`
    uint64_t part;       // grows during a long pass
    uint64_t line;       // grows when an unrelated universe replaces this one
    uint64_t edits_made; // grows with each edit and each new universe
    lc_origin origin;
    bool at_origin;     // not stepped since; then edits belong to the origin
    bool edited;        // cells at the origin were edited
    bool strays;        // edited later, or edits could not be kept: a reset loses them
    bool unsaved;       // edited since it was opened or saved
    bool unsaved_start; // and those edits belong to the origin
    lc_user_snapshot snapshots[LC_USER_SNAPSHOTS_MAX];
    int snapshot_count;
    uint32_t snapshot_ids;
    lc_history history;
    bool is_apart; // the cells were edited, and do not follow from the history
    lc_snapshot_schedule schedule;
    bool is_too_large;         // for snapshots of the history
    lc_timeline_place place;   // the frame shown last, if there is a timeline
    lc_timeline *own_timeline; // its timeline, if a client has opened it
    lc_folder folder;
    bool on_disk; // the universe is a file (lightcone/disk.h) and read-only
    lc_edits *edits;
    bool undoable;               // `edits` may have an edit to undo
    lc_undo_state before;        // undo goes back to it if `edits` is empty
    bool has_before;             // `before` is valid
    lc_undo_state next;          // becomes `before` if the current edit changes a cell
    bool has_next;               // `next` is valid
    uint32_t stroke;             // the last one that began while it ran
    uint32_t edited_by;          // the stroke of the last edit; 0: another edit
    const char *patterns_folder; // not owned
    lc_library *library;         // NULL: lc_session_open_library
} lc_session;

// Creates a session, which takes the universe and must not be moved afterwards. On error
// (LC_ERROR_MEMORY) the caller keeps the universe, and there is nothing to free.
lc_status lc_session_create(lc_session *session, const lc_viewer_options *options,
                            const lc_session_calls *calls, lc_universe *universe,
                            lc_message *message);
// Returns the universe to the caller, and frees everything else that the session has.
lc_universe *lc_session_close(lc_session *session);

// Returns the default speed in generations a second: one that the eye can follow, for patterns and
// small boards; 0, as fast as possible, for boards so large that little would change visibly
// otherwise.
double lc_session_speed(const lc_session *session);
// Returns whether the universe's rule has births without live neighbours (B0).
bool lc_session_makes_life(const lc_session *session);
// Returns whether edits can be undone, including those from before it was stepped.
bool lc_session_can_undo(const lc_session *session);
// Returns whether undo takes back this stroke and nothing before it: the stroke was the last edit.
bool lc_session_can_undo_stroke(const lc_session *session, uint32_t stroke);

// Steps. Requires a call of lc_session_keep_origin before. Edits can no longer be undone one by one
// afterwards. Returns the result of lc_universe_step.
lc_status lc_session_step(lc_session *session, lc_count generations, lc_message *message);

// Called before the cells leave the beginning. If those at the beginning were edited, keeps them,
// so that a reset goes back to them. After an error the run can go on, and a reset goes back to
// before the edits. Returns LC_OK; LC_ERROR_LIMIT (the universe is so large that keeping it would
// take long); or an error of lc_origin_keep.
lc_status lc_session_keep_origin(lc_session *session, lc_message *message);
// Called before a run. If edits can be undone, keeps the cells, so that undo can go back to them
// (lc_session_undo_run). Errors as above.
lc_status lc_session_keep_edits(lc_session *session, lc_message *message);

// Called before an edit while it runs, by a stroke (0: another edit). Undo will go back to the
// cells as they are now, unless they are so many that the stroke would falter. The caller then
// calls either of the next two functions.
void lc_session_keep_before_stroke(lc_session *session, uint32_t stroke);
// Records an edit, by a stroke (0: another edit). The edit belongs to the beginning if the universe
// has not been stepped since.
void lc_session_edited(lc_session *session, uint32_t stroke);
// Records that the edit has changed no cell. The state that undo goes back to stays.
void lc_session_not_edited(lc_session *session);
// Records that a file has all edits.
void lc_session_saved(lc_session *session);

// Each function down to lc_session_show_frame opens a universe in place of the present one, which
// stays on error. The edits of the present one can then no longer be undone one by one. The
// functions return LC_OK or an error of lc_origin_open.

// Opens a universe, to which a reset goes back from now on. Undo brings back the present one with
// its snapshots, unless it is so large that keeping it would take long. A long name is cut. The
// session takes the origin with its timeline, and the comments (from malloc), even on error.
lc_status lc_session_replace(lc_session *session, lc_origin *origin, const char *name,
                             char *comments, lc_message *message);
// Goes back to the beginning.
lc_status lc_session_reset(lc_session *session, lc_message *message);
// Goes back to `before`. Requires `has_before`.
lc_status lc_session_undo_run(lc_session *session, lc_message *message);
// Gives the same cells another rule or topology (NULL: the present one); they are a new beginning.
// Sets *lost to the number of live cells beyond the edges, which are left out. `only_try`: only
// computes *lost. Other errors: LC_ERROR_LIMIT (the universe is so large that it would take long),
// or one of lc_origin_recast.
lc_status lc_session_recast(lc_session *session, const lc_rule *rule, const lc_topology *topology,
                            bool only_try, uint64_t *lost, lc_message *message);
// Goes back to one of the user's snapshots.
lc_status lc_session_return(lc_session *session, const lc_user_snapshot *snapshot,
                            lc_message *message);

// Shows another frame of the timeline; there must be one. A reset goes back to this frame from now
// on. Returns LC_OK; LC_ERROR_ARGUMENT (no such frame); or an error of lc_origin_open.
lc_status lc_session_show_frame(lc_session *session, uint64_t frame, lc_message *message);
// Returns whether the cells are those of the frame shown last, neither edited nor stepped.
bool lc_session_is_frame(const lc_session *session);

// Begins to go to generation *to, or, if it cannot be reached, to the last reachable one before it,
// which is then stored in *to. Creates *out, which the caller owns, at the nearest earlier snapshot
// of the history; stepping it leads to *to, in the era *era. Keeps edits first. Returns LC_OK;
// LC_ERROR_ARGUMENT (no earlier snapshot); or an error of lc_universe_restore_memory or
// lc_origin_open.
lc_status lc_session_depart(lc_session *session, lc_count *to, lc_universe **out, uint64_t *era,
                            lc_message *message);
// Takes a snapshot of such a universe into the history, if that is quick and due, or `in_any_case`.
void lc_session_keep_on_the_way(lc_session *session, const lc_universe *universe, uint64_t era,
                                lc_count to, bool in_any_case);
// Replaces the present universe by that one. *passed: the present one was edited after that
// generation. If so, and with `keeps`, undo brings the present one back. An error (LC_ERROR_LIMIT,
// or one of lc_origin_keep) only means that undo cannot.
lc_status lc_session_arrive(lc_session *session, lc_universe *universe, uint64_t era, bool keeps,
                            bool *passed, lc_message *message);
// Records a population in the history.
void lc_session_count(lc_session *session, lc_count generation, lc_count population);

// Takes a snapshot for the user. There are fewer than LC_USER_SNAPSHOTS_MAX. Returns LC_OK, or an
// error of lc_universe_facts or lc_origin_keep.
lc_status lc_session_take_snapshot(lc_session *session, lc_message *message);
// Returns a snapshot of the user; NULL: no such id.
const lc_user_snapshot *lc_session_find_snapshot(const lc_session *session, uint32_t id);
void lc_session_delete_snapshot(lc_session *session, const lc_user_snapshot *snapshot);

// Returns options for a copy of the universe that is only examined: on the CPU, with one thread,
// which leaves the others to the stepping, and with the remaining memory as its limit.
lc_universe_options lc_session_copy_options(const lc_session *session);

// Writes a path that no file has had before, in a folder that is removed with the session.
lc_status lc_session_name_file(lc_session *session, const char *ending, char path[320],
                               lc_message *message);

// Creates `library` and reads its patterns, unless it exists. On LC_ERROR_MEMORY `library` stays
// NULL.
lc_status lc_session_open_library(lc_session *session, lc_message *message);

#endif
