// Identifies patterns for the clients on threads of its own, each from a copy of the cells, so that
// neither the universe nor other clients wait.
//
// A thread answers its client itself. It ends early if the client cancels or leaves, and after
// LC_IDENTIFY_S. It does not look at the universe.
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
};

typedef struct lc_identify_task {
    lc_hub *hub;
    pthread_t thread;
    bool started; // and not joined
    lc_client client;
    lc_view_do what; // LC_DO_IDENTIFY
    bool has_id;     // of the command
    int64_t id;
    lc_count generation; // of the cells
    lc_cell_copy copy;
    uint64_t began_ns, told_ns; // told_ns: when the client last heard how long it takes
    bool is_late;               // ended by LC_IDENTIFY_S
    _Atomic bool over, stop;
} lc_identify_task;

typedef struct lc_identifier {
    lc_hub *hub;
    lc_identify_task tasks[LC_IDENTIFY_TASKS_MAX];
} lc_identifier;

void lc_identifier_create(lc_identifier *identifier, lc_hub *hub);
// Begins to do what the command asks for with the cells of that generation. Cancels what the client
// asked for by the same command before. The copy goes over to the identifier, even on error:
// Returns LC_OK;
// LC_ERROR_LIMIT (all LC_IDENTIFY_TASKS_MAX tasks run); LC_ERROR_SYSTEM (no thread can be started).
lc_status lc_identifier_start(lc_identifier *identifier, lc_client client,
                              const lc_view_command *command, lc_count generation,
                              lc_cell_copy *copy, lc_message *message);
// Cancels what the client asked for by such a command. Returns whether there was anything.
bool lc_identifier_cancel(lc_identifier *identifier, lc_client client, lc_view_do what);
// Cancels all and waits for the threads.
void lc_identifier_close(lc_identifier *identifier);

#endif
