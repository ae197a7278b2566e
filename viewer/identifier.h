// Identifies patterns and finds objects for the clients, on threads of its own. Each thread works
// on a copy of the cells, so that neither the universe nor other clients wait.
//
// A thread answers its client itself. It ends early if the client cancels or leaves, and after
// LC_IDENTIFY_S or LC_OBJECTS_S. It does not look at the universe.
//
// Threads: all functions only the universe's.
#ifndef LC_VIEWER_IDENTIFIER_H
#define LC_VIEWER_IDENTIFIER_H

#include "cell_copy.h"
#include "hub.h"

enum {
    LC_IDENTIFY_TASKS_MAX = 4, // of all clients at the same time
    LC_IDENTIFY_S = 20,
    LC_IDENTIFY_CELLS_MAX = 1000000, // live cells
    LC_OBJECTS_S = 2,
    LC_OBJECTS_CELLS_MAX = 20000,
    LC_OBJECTS_PERIOD_MAX = 64,
    LC_OBJECTS_MAX = 500, // a client is told at most this many
};

// A request of a client, with the cells that it is about.
typedef struct lc_identify_job {
    lc_client client;
    lc_view_do what; // LC_DO_IDENTIFY or LC_DO_OBJECTS
    bool has_id;     // of the command
    int64_t id;
    lc_count generation; // of the cells, and lc_session.revision
    uint64_t revision;
    lc_rectangle copied, seen; // LC_DO_OBJECTS: the copied area; the client's view
    lc_cell_copy copy;
} lc_identify_job;

typedef struct lc_identify_task {
    lc_hub *hub;
    pthread_t thread;
    bool started; // and not joined
    lc_identify_job job;
    uint64_t began_ns, told_ns; // told_ns: time of the last progress message
    bool is_late;               // the time limit has passed
    _Atomic bool over, stop;
} lc_identify_task;

typedef struct lc_identifier {
    lc_hub *hub;
    lc_identify_task tasks[LC_IDENTIFY_TASKS_MAX];
} lc_identifier;

void lc_identifier_create(lc_identifier *identifier, lc_hub *hub);
// Starts a job. Cancels the client's job of the same kind. The identifier takes the job's copy,
// even on error. Returns LC_OK; LC_ERROR_LIMIT (all LC_IDENTIFY_TASKS_MAX tasks run);
// LC_ERROR_SYSTEM (no thread can be started).
lc_status lc_identifier_start(lc_identifier *identifier, const lc_identify_job *job,
                              lc_message *message);
// Cancels the client's jobs of this command. Returns whether there was one.
bool lc_identifier_cancel(lc_identifier *identifier, lc_client client, lc_view_do what);
// Returns the answer to a client that sees no objects.
json_t *lc_identifier_say_none(const lc_identify_job *job);
// Cancels all jobs and waits for the threads.
void lc_identifier_close(lc_identifier *identifier);

#endif
