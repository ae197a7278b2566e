// The origin of a universe, from which it can be created again as it was at the beginning; and the
// snapshots that a user takes.
//
// Both are checkpoints in a folder of the viewer. A soup's origin is only its numbers, a pattern's
// is the bytes of its file.
#ifndef LC_VIEWER_ORIGIN_H
#define LC_VIEWER_ORIGIN_H

#include "lightcone/lightcone.h"

// A folder for files of this process. It is created when first needed, and removed at the end with
// its files. Creating it removes the folders of killed viewers. Its path is
// lightcone-view-HOST-XXXXXX in `base`; it is locked (flock) while the process lives.
typedef struct lc_folder {
    const char *base; // not owned; NULL: /tmp
    char path[256];   // "" until it is created
    unsigned files;   // number of names returned so far
    int lock;         // a descriptor, if the folder exists
} lc_folder;

// Writes a path in the folder that no file has had before. Returns LC_OK; LC_ERROR_IO (the folder
// cannot be created).
lc_status lc_folder_name(lc_folder *folder, const char *ending, char path[320],
                         lc_message *message);
void lc_folder_remove(lc_folder *folder);

typedef struct lc_origin_soup {
    const lc_rule *rule; // a reference, released with the origin
    lc_topology topology;
    int64_t width_cells, height_cells; // 0: no cells
    double density;
    uint64_t seed;
} lc_origin_soup;

// A frame of a timeline.
typedef struct lc_timeline_place {
    lc_timeline *timeline; // not owned; NULL: none
    uint64_t frame;
    const lc_rule *rule; // the timeline's
    lc_topology topology;
} lc_timeline_place;

typedef enum lc_origin_kind {
    LC_ORIGIN_CALLER, // lc_viewer_options.reopen
    LC_ORIGIN_SOUP,
    LC_ORIGIN_PATTERN,    // a file in memory
    LC_ORIGIN_FRAME,      // of a timeline
    LC_ORIGIN_CHECKPOINT, // a file in the folder
} lc_origin_kind;

typedef struct lc_origin {
    lc_origin_kind kind;
    lc_status (*reopen)(void *context, lc_universe **out, lc_message *message); // NULL: impossible
    void *context;
    lc_origin_soup soup;
    lc_timeline_place place;
    void *bytes; // owned
    size_t size_bytes;
    char path[320]; // owned; the file is removed with the origin
} lc_origin;

// Returns LC_ERROR_UNSUPPORTED for rules that the viewer does not show: of more than two states.
lc_status lc_origin_check_rule(const lc_rule *rule, lc_message *message);

// Creates an origin's universe.
lc_status lc_origin_open(const lc_origin *origin, const lc_universe_options *creation,
                         lc_universe **out, lc_message *message);
// Sets the origin to a checkpoint of the universe as it is now. On error `origin` is unchanged.
lc_status lc_origin_keep(lc_origin *origin, lc_folder *folder, const lc_universe *universe,
                         lc_message *message);
// Creates a universe with the cells and generation of another one, and another rule or topology. A
// file in the folder carries the cells. In another topology the middle stays the middle: in an
// unbounded direction that is cell 0, or the middle of the live cells if they do not fit around
// cell 0. Live cells beyond the edges of the new topology are left out; *lost is their number. With
// `out` NULL only *lost is computed. Returns LC_OK; LC_ERROR_LIMIT (more than 2^32 live cells, and
// another topology); or an error of lc_universe_facts, lc_universe_save, lc_universe_create or
// lc_universe_load.
lc_status lc_origin_recast(const lc_universe *from, const lc_rule *rule,
                           const lc_topology *topology, lc_folder *folder,
                           const lc_universe_options *creation, uint64_t *lost, lc_universe **out,
                           lc_message *message);
// Frees the origin's memory, removes its file and clears it.
void lc_origin_free(lc_origin *origin);

#endif
