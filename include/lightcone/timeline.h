// Timelines: generations of a universe that were kept while it was stepped, each a frame.
//
// Frames are numbered from 0 on. What frames have in common is kept once, in the file as well as in
// memory: they are made of squares of cells, and equal squares are one.
//
// Files: lightcone's own (.lct) and Golly's macrocell timelines (.mc with #FRAMES), which are of
// one kind: formats.md. A timeline is read from a pattern whose header says has_frames.
//
// Threads: functions may run in several at once, but only one at a time for a given timeline or
// recorder. A recorder's functions also use the universe.
#ifndef LIGHTCONE_TIMELINE_H
#define LIGHTCONE_TIMELINE_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lc_timeline lc_timeline;

typedef struct lc_timeline_info {
    uint64_t frames;      // 1 or more
    lc_count every;       // generations from one frame to the next, as the file states it
    lc_count first, last; // generations of the first and of the last frame
    bool is_cut;          // the file ends early or is damaged behind the last frame
    lc_message cut;       // where and why, if it is
} lc_timeline_info;

// Reads all frames of a pattern that was opened and not read, with at most max_memory_bytes for
// them (0: half of the memory of this machine). A file that was cut off, as by the end of whoever
// wrote it, or that is damaged, gives the frames that it has whole: see lc_timeline_info. Returns
// LC_OK; what lc_pattern_read does (LC_ERROR_FORMAT also: it has no frames); LC_ERROR_LIMIT (the
// frames need more memory). On error *out is NULL. The pattern stays the caller's, who may close it
// at once.
LC_API lc_status lc_timeline_read(lc_timeline **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                                  lc_message *message);

// Frees it and clears *timeline. NULL and a pointer to NULL are fine.
LC_API void lc_timeline_destroy(lc_timeline **timeline);

// Both belong to the timeline and are never NULL. The generation of the header is the last frame's.
LC_API const lc_timeline_info *lc_timeline_get_info(const lc_timeline *timeline);
LC_API const lc_pattern_header *lc_timeline_get_header(const lc_timeline *timeline);

// The generation of a frame; that of the last one where there is no such frame.
LC_API lc_count lc_timeline_generation(const lc_timeline *timeline, uint64_t frame);

// The last frame whose generation is not above `generation`; the first one if all are.
LC_API uint64_t lc_timeline_find(const lc_timeline *timeline, lc_count generation);

// Opens a frame as a pattern, with the frame's generation: whatever takes patterns takes it, an
// empty universe of the engine hashlife without looking at its cells. The timeline has to stay
// until the pattern is closed. LC_ERROR_ARGUMENT (there is no such frame); LC_ERROR_MEMORY. On
// error *out is NULL.
LC_API lc_status lc_timeline_open_frame(lc_pattern **out, const lc_timeline *timeline,
                                        uint64_t frame, lc_message *message);

// Recording ----------------------------------------------------------------------------------

typedef struct lc_recorder lc_recorder;

typedef struct lc_recorder_options {
    size_t struct_bytes; // sizeof(lc_recorder_options)
    // Generations between frames, which the file states; 1 or more. When frames are added is the
    // caller's business.
    lc_count every;
    // For knowing which squares are in the file already; 0: a sixteenth of the memory of this
    // machine. With too little, squares are written again.
    uint64_t max_memory_bytes;
    int threads; // that compress; 0: one for each CPU that this process may use
    // Called often during lc_recorder_add, on the calling thread, with the share of the universe
    // that has been looked at, 0 to 1. True: the frame is given up. NULL: nothing is called. An
    // engine that has squares adds its frames without a call.
    lc_save_watch watch;
    void *watch_context; // lent
} lc_recorder_options;

// Starts a timeline in a file, which is compressed unless its name ends in ".mc". Nothing is at
// `path` before the first frame was added; an old file there is replaced then. Returns LC_OK;
// LC_ERROR_ARGUMENT (no options, `every` 0, "-"); LC_ERROR_UNSUPPORTED (files cannot state such a
// rule); LC_ERROR_IO; LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_recorder_create(lc_recorder **out, const char *path,
                                    const lc_universe *universe, const lc_recorder_options *options,
                                    lc_message *message);

// Adds the universe as it is now as a frame: that universe, or another one of its rule and
// topology. Afterwards the file has it, even if this process ends without lc_recorder_close.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (as lc_universe_save); LC_ERROR_ARGUMENT (the generation is
// not above that of the frame before, or rule or topology differ); LC_ERROR_LIMIT (cells further
// than 2^62 from the middle, or 2^32 squares in one file); LC_ERROR_IO (with the system's reason);
// LC_ERROR_MEMORY; LC_ERROR_STOPPED (by the watch); or the universe's failure. After an error the
// file has the frames before, and no other can be added.
LC_API lc_status lc_recorder_add(lc_recorder *recorder, const lc_universe *universe,
                                 lc_message *message);

LC_API uint64_t lc_recorder_frames(const lc_recorder *recorder); // that were added

// Ends the file, frees the recorder and clears *recorder. Without a frame no file is made. NULL and
// a pointer to NULL are fine. LC_OK, or LC_ERROR_IO: the file has all frames, but not its end.
LC_API lc_status lc_recorder_close(lc_recorder **recorder, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
