// Timelines: recorded generations of a universe, called frames, in a file.
//
// Example:
//
//     lc_recorder *recorder = NULL;
//     lc_recorder_options options = {.struct_bytes = sizeof options, .every = lc_count_of(100)};
//     if (lc_recorder_create(&recorder, "acorn.lct", universe, &options, &message) == LC_OK)
//         lc_recorder_add(recorder, universe, &message); // once per frame, between steps
//     lc_recorder_close(&recorder, &message);
//
// Frames are numbered from 0. They are quadtrees that share equal nodes, in the file as well as in
// memory, so a part that does not change is stored once.
//
// The library reads two kinds of files: its own (.lct) and Golly's macrocell timelines (.mc with
// #FRAMES). formats.md describes both. To read a timeline, open it as a pattern; the header then
// has has_frames = true.
//
// Threads: any thread may call these functions. Only one thread at a time may use the same timeline
// or recorder. A recorder's functions also use the universe.
#ifndef LIGHTCONE_TIMELINE_H
#define LIGHTCONE_TIMELINE_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_timeline lc_timeline;

typedef struct lc_timeline_info {
    uint64_t frames;      // 1 or more
    lc_count every;       // generations between frames, as the file states it
    lc_count first, last; // generations of the first and of the last frame
    bool is_cut;          // the file ends early, or is damaged after the last frame
    lc_message cut;       // the place and the reason, if is_cut
} lc_timeline_info;

// Reads all frames of a pattern that is open and has not been read, into at most max_memory_bytes
// (0: half of the machine's memory). If a file ends early or is damaged, the function reads its
// complete frames and sets lc_timeline_info.is_cut. The caller destroys the timeline, still owns
// the pattern, and may close the pattern at once.
// Returns the same statuses as lc_pattern_read. It also returns LC_ERROR_FORMAT if there are no
// frames, and LC_ERROR_LIMIT if more memory is needed. On error *out is NULL.
LC_API lc_status lc_timeline_read(lc_timeline **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                                  lc_message *message);

// Frees the timeline and sets *timeline to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_timeline_destroy(lc_timeline **timeline);

// Return facts about the timeline, never NULL. They belong to it. The generation in the header is
// that of the last frame.
LC_API const lc_timeline_info *lc_timeline_get_info(const lc_timeline *timeline);
LC_API const lc_pattern_header *lc_timeline_get_header(const lc_timeline *timeline);

// Returns the generation of a frame, or of the last frame if there are fewer.
LC_API lc_count lc_timeline_generation(const lc_timeline *timeline, uint64_t frame);

// Returns the last frame whose generation is at most `generation`, or the first frame if all are
// later.
LC_API uint64_t lc_timeline_find(const lc_timeline *timeline, lc_count generation);

// Opens a frame as a pattern with the frame's generation. An empty universe of the engine
// "hashlife" loads it without visiting single cells. The timeline must not be destroyed before the
// pattern is closed.
// Returns LC_OK; LC_ERROR_ARGUMENT (no such frame); LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_timeline_open_frame(lc_pattern **out, const lc_timeline *timeline,
                                        uint64_t frame, lc_message *message);

// Recording ----------------------------------------------------------------------------------

typedef struct lc_recorder lc_recorder;

// Options for lc_recorder_create. Set struct_bytes and every.
typedef struct lc_recorder_options {
    size_t struct_bytes; // sizeof(lc_recorder_options)
    // Generations between frames, 1 or more. The file states it; the recorder does not enforce it.
    lc_count every;
    // Memory in bytes for the index of nodes that the file already contains. 0: a sixteenth of the
    // machine's memory. If the memory is too small, some nodes are written more than once.
    uint64_t max_memory_bytes;
    int threads; // to compress; 0: one per CPU that this process may use
    // Called often during lc_recorder_add, on the calling thread. `share` is the part of the
    // universe that has been processed, 0 to 1. Return true to stop: the frame is dropped and the
    // call returns LC_ERROR_STOPPED. NULL: none. Not called with "hashlife".
    lc_save_watch watch;
    void *watch_context; // passed to watch; must stay valid until the recorder is closed
} lc_recorder_options;

// Starts a timeline in a file. The file is compressed unless its name ends in ".mc". It is created,
// and replaces an old file, when the first frame is added. The caller closes the recorder.
// Returns LC_OK; LC_ERROR_ARGUMENT (no options, `every` 0, path "-"); LC_ERROR_UNSUPPORTED (the
// file format cannot state the rule); LC_ERROR_IO; LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_recorder_create(lc_recorder **out, const char *path,
                                    const lc_universe *universe, const lc_recorder_options *options,
                                    lc_message *message);

// Adds the current cells of a universe as a frame. This is the universe passed to
// lc_recorder_create, or another one with the same rule and topology. After the call the frame is
// in the file, even if the process ends without lc_recorder_close.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (as lc_universe_save); LC_ERROR_ARGUMENT (the generation is
// not above that of the frame before, or rule or topology differ); LC_ERROR_LIMIT (cells further
// than 2^62 from the middle, or 2^32 nodes in one file); LC_ERROR_IO (with the system's reason);
// LC_ERROR_MEMORY; LC_ERROR_STOPPED (the watch); or the universe's failure. On error the file keeps
// the earlier frames, and the recorder accepts no more.
LC_API lc_status lc_recorder_add(lc_recorder *recorder, const lc_universe *universe,
                                 lc_message *message);

// Returns the number of frames added.
LC_API uint64_t lc_recorder_frames(const lc_recorder *recorder);

// Ends the file, frees the recorder and sets *recorder to NULL. Without a frame no file is created.
// Accepts NULL and a pointer to NULL.
// Returns LC_OK; LC_ERROR_IO (the file has all frames, but its end is missing).
LC_API lc_status lc_recorder_close(lc_recorder **recorder, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
