// Saves large files without delaying the clients: a thread of its own writes the file from a copy
// of the universe. The copy is a checkpoint in memory. One file is written at a time. A timeline is
// recorded by stepping the copy.
//
// The thread itself sends progress and the result to the client, and ends early if that client
// leaves. It does not look at the universe.
//
// Threads: all functions only the universe's.
#ifndef LC_VIEWER_SAVER_H
#define LC_VIEWER_SAVER_H

#include "hub.h"
#include "session.h"

// A file to write, and its client.
typedef struct lc_save_job {
    lc_client client;
    bool has_id; // of the command
    int64_t id;
    lc_format format;
    lc_count generations, every; // of a timeline: all, and from frame to frame
    uint64_t most_bytes;         // largest size of a timeline's file
    char path[320];              // path of the file
    char name[160];              // file name for the client
    void *bytes;                 // a checkpoint in memory, from malloc
    size_t size_bytes;
    lc_universe_options options; // of the universe that the thread restores from it
    uint64_t recorder_bytes;     // memory of a timeline's index of nodes; 0: the library's default
    uint64_t edits;              // lc_session.edits_made of the cells
} lc_save_job;

typedef struct lc_saver {
    lc_hub *hub;
    pthread_t thread;
    bool started; // and not joined
    lc_save_job job;
    uint64_t told_ns; // time of the last progress message
    lc_count from;    // first generation of a timeline
    bool written;     // the file is complete
    _Atomic bool over, stop;
} lc_saver;

void lc_saver_create(lc_saver *saver, lc_hub *hub);

// Returns whether a file is being written.
bool lc_saver_is_busy(const lc_saver *saver);
// Copies the universe as it is now into the job. Returns LC_OK; LC_ERROR_LIMIT or LC_ERROR_MEMORY
// (out of memory for the copy); or an error of lc_universe_check_save.
lc_status lc_saver_copy(lc_save_job *job, const lc_session *session, lc_message *message);
// Starts writing. Requires that no file is being written. The saver takes the job's bytes, even on
// error. Returns LC_OK; LC_ERROR_SYSTEM (no thread can be started).
lc_status lc_saver_start(lc_saver *saver, const lc_save_job *job, lc_message *message);
// Returns whether a file has been completed since the last call that returned true. *edits is that
// of the job.
bool lc_saver_has_written(lc_saver *saver, uint64_t *edits);
// Cancels the file that is being written. Its client is told.
void lc_saver_cancel(lc_saver *saver);
// Cancels, and waits for the thread.
void lc_saver_close(lc_saver *saver);

// Returns the file name suffix of a format; static.
const char *lc_saver_ending(lc_format format);
// Makes a file name for the client: the universe's name, with `ending` instead of its own suffix.
void lc_saver_name(const char *name, const char *ending, char file[160]);
// Offers a written file to the client for download, and sends its address. On error the caller
// tells the client.
lc_status lc_saver_offer(lc_hub *hub, lc_client client, const lc_view_command *asked,
                         const char *path, const char *name, lc_message *message);

#endif
