// Timelines: files that store recorded generations of a universe, called frames.
//
// Example:
//
//     lc_recorder *recorder = NULL;
//     lc_recorder_options options = {.struct_bytes = sizeof options, .every = lc_count_of(100)};
//     if (lc_recorder_create(&recorder, "acorn.lct", universe, &options, &message) == LC_OK)
//         lc_recorder_add(recorder, universe, &message); // once per frame, between steps
//     lc_recorder_close(&recorder, &message); // completes the file.
//
// Frames are numbered from 0. Frames are quadtrees that share equal nodes, in the file and in
// memory, so a part of the universe that does not change is stored only once.
//
// The library reads two kinds of files: its own (.lct) and Golly's macrocell timelines (.mc with
// #FRAMES). The document formats.md describes lightcone's and Golly's timelines. To read a
// timeline, open the file as a pattern (lc_pattern_open). The pattern's header then has has_frames
// = true.
//
// Threads: any thread may call these functions. Only one thread at a time may use the same timeline
// or recorder. A call of a recorder's function also counts as a use of the universe.
#ifndef LIGHTCONE_TIMELINE_H
#define LIGHTCONE_TIMELINE_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_timeline lc_timeline;

typedef struct lc_timeline_info {
    uint64_t frames;      // 1 or more
    lc_count every;       // generations between two frames, as stated in the file
    lc_count first, last; // generations of the first and of the last frame
    bool is_cut;          // the file ends early, or is damaged after the last frame
    lc_message cut;       // if is_cut is true: the reason, and the place in the file
} lc_timeline_info;

// Reads all frames of an open pattern whose cells have not been read yet. The frames take at most
// max_memory_bytes (0: half of the machine's memory). If a file ends early or is damaged, the
// function reads the complete frames of the file and sets lc_timeline_info.is_cut. The caller
// destroys the timeline, still owns the pattern, and may close the pattern at once.
// Returns the same statuses as lc_pattern_read. Also returns LC_ERROR_FORMAT if the file has no
// frames, and LC_ERROR_LIMIT if the frames need more than max_memory_bytes. On error *out is NULL.
LC_API lc_status lc_timeline_read(lc_timeline **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                                  lc_message *message);

// Frees the timeline and sets *timeline to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_timeline_destroy(lc_timeline **timeline);

// Return the facts and the header of a timeline. The facts and the header belong to the timeline
// and are never NULL. The generation in the header is that of the last frame.
LC_API const lc_timeline_info *lc_timeline_get_info(const lc_timeline *timeline);
LC_API const lc_pattern_header *lc_timeline_get_header(const lc_timeline *timeline);

// Returns the generation of a frame, or of the last frame if `frame` is past the last frame.
LC_API lc_count lc_timeline_generation(const lc_timeline *timeline, uint64_t frame);

// Returns the number of the last frame whose generation is at most `generation`, or 0 if all frames
// are later.
LC_API uint64_t lc_timeline_find(const lc_timeline *timeline, lc_count generation);

// Opens a frame as a pattern with the frame's generation. An empty universe with the engine
// "hashlife" loads a frame without visiting single cells. Close the pattern before you destroy the
// timeline.
// Returns LC_OK; LC_ERROR_ARGUMENT (no such frame); LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_timeline_open_frame(lc_pattern **out, const lc_timeline *timeline,
                                        uint64_t frame, lc_message *message);

// Recording ----------------------------------------------------------------------------------

typedef struct lc_recorder lc_recorder;

// Options for lc_recorder_create. Set struct_bytes and every.
typedef struct lc_recorder_options {
    size_t struct_bytes; // sizeof(lc_recorder_options)
    // Generations between frames, 1 or more. The recorder states `every` in the file, but does not
    // enforce it.
    lc_count every;
    // Memory in bytes for the index of the nodes that the file already contains. 0: a sixteenth of
    // the machine's memory. If the memory for the index is too small, some nodes are written more
    // than once.
    uint64_t max_memory_bytes;
    int threads; // threads that compress the file; 0: one per CPU that this process may use
    // Called often during lc_recorder_add, on the calling thread. `share` is the part of the
    // universe that has been processed, 0 to 1. Return true to stop: lc_recorder_add drops the
    // frame and returns LC_ERROR_STOPPED. NULL: no callback. The callback is never called with the
    // engine "hashlife".
    lc_save_watch watch;
    void *watch_context; // passed to watch; must stay valid until the recorder is closed
} lc_recorder_options;

// Starts to record a timeline to the file at `path`. The file is compressed unless its name ends in
// ".mc". The call that adds the first frame creates the file and replaces an old file at `path`.
// The caller closes the recorder.
// Returns LC_OK; LC_ERROR_ARGUMENT (no options, `every` 0, path "-"); LC_ERROR_UNSUPPORTED (the
// file format cannot state the rule); LC_ERROR_IO; LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_recorder_create(lc_recorder **out, const char *path,
                                    const lc_universe *universe, const lc_recorder_options *options,
                                    lc_message *message);

// Adds the current cells of a universe as a frame. `universe` is the universe passed to
// lc_recorder_create, or another universe with the same rule and topology. After the call the frame
// is in the file, even if the process ends without lc_recorder_close.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (as lc_universe_save); LC_ERROR_ARGUMENT (the generation is
// not later than that of the frame before, or the rule or topology differs from that of the
// timeline); LC_ERROR_LIMIT (cells further than 2^62 from the middle, or 2^32 nodes in one file);
// LC_ERROR_IO (with the system's reason); LC_ERROR_MEMORY; LC_ERROR_STOPPED (by the callback
// `watch`); or the error of lc_universe_failure. On error the file keeps the earlier frames, and
// the recorder accepts no more frames.
LC_API lc_status lc_recorder_add(lc_recorder *recorder, const lc_universe *universe,
                                 lc_message *message);

// Returns the number of frames added.
LC_API uint64_t lc_recorder_frames(const lc_recorder *recorder);

// Ends the file, frees the recorder and sets *recorder to NULL. If no frame was added, no file is
// created. Accepts NULL and a pointer to NULL.
// Returns LC_OK; LC_ERROR_IO (the file has all frames, but its end is missing).
LC_API lc_status lc_recorder_close(lc_recorder **recorder, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
