// Files that take long: written by a thread of their own from a copy of the universe, so that
// nobody waits for them. The copy is a checkpoint in memory. One file is written at a time. A
// timeline is recorded by stepping the copy.
//
// The thread itself tells the client who asked how far it is and what has come of it; it ends when
// that client leaves. What becomes of the universe meanwhile does not matter to it.
//
// Threads: all functions only the universe's.
#ifndef LC_VIEWER_SAVER_H
#define LC_VIEWER_SAVER_H

#include "hub.h"
#include "session.h"

// What is to be written, and for whom.
typedef struct lc_save_job {
    lc_client client;
    bool has_id; // of the command that asked for it
    int64_t id;
    lc_format format;
    lc_count generations, every; // of a timeline: how far it goes, and from frame to frame
    uint64_t most_bytes;         // of its file
    char path[320];              // where it is written
    char name[160];              // how the client is to call it
    void *bytes;                 // a checkpoint in memory, from malloc
    size_t size_bytes;
    lc_universe_options options; // of a universe that is made of it, to be looked at or stepped
    uint64_t recorder_bytes;     // memory of a timeline's index of nodes; 0: the library's default
    uint64_t edits;              // which cells they are: see lc_session.edits_made
} lc_save_job;

typedef struct lc_saver {
    lc_hub *hub;
    pthread_t thread;
    bool started; // and not joined
    lc_save_job job;
    uint64_t told_ns; // when its client heard last how far it is
    lc_count from;    // the first generation of a timeline
    bool written;     // the file is whole
    _Atomic bool over, stop;
} lc_saver;

void lc_saver_create(lc_saver *saver, lc_hub *hub);

// Whether a file is being written.
bool lc_saver_is_busy(const lc_saver *saver);
// Copies what is to be written, the universe as it is now. LC_ERROR_LIMIT, LC_ERROR_MEMORY: there
// is no memory for that; or what lc_universe_check_save returns.
lc_status lc_saver_copy(lc_save_job *job, const lc_session *session, lc_message *message);
// Begins to write, while none is being written. The job's bytes go over to the saver, even on
// error: LC_ERROR_SYSTEM (there is no thread).
lc_status lc_saver_start(lc_saver *saver, const lc_save_job *job, lc_message *message);
// Whether a file has been finished since that was asked last; *edits is then the job's.
bool lc_saver_has_written(lc_saver *saver, uint64_t *edits);
// Gives up what is being written: its client is told so.
void lc_saver_cancel(lc_saver *saver);
// The same, and waits for it.
void lc_saver_close(lc_saver *saver);

// Of files of that format; static.
const char *lc_saver_ending(lc_format format);
// What a client is to call a file: the universe's name, with the format's ending for its own.
void lc_saver_name(const char *name, const char *ending, char file[160]);
// Offers a file that was written, and tells the client who asked for it, or why that cannot be.
lc_status lc_saver_offer(lc_hub *hub, lc_client client, const lc_view_command *asked,
                         const char *path, const char *name, lc_message *message);

#endif
