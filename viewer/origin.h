// Where a universe came from, so that it can be made again as it was at the beginning; and the
// moments that a user keeps.
//
// Both are checkpoints in a folder of the viewer's own, unless less is enough: for a soup its
// numbers, for a pattern the bytes of its file.
#ifndef LC_VIEWER_ORIGIN_H
#define LC_VIEWER_ORIGIN_H

#include "lightcone/lightcone.h"

// A folder for files of this process, which is made when it is first needed and removed at the end
// with everything in it. Folders of viewers that were killed are removed when one is made. It is
// lightcone-view-HOST-XXXXXX in `base`, and locked (flock) as long as the process lives.
typedef struct lc_folder {
    const char *base; // lent; NULL: /tmp
    char path[256];   // "" until it is made
    unsigned files;   // names given out so far
    int lock;         // a descriptor, once there is a folder
} lc_folder;

// A path in the folder that no file has had before.
lc_status lc_folder_name(lc_folder *folder, const char *ending, char path[320],
                         lc_message *message);
void lc_folder_remove(lc_folder *folder);

typedef struct lc_origin_soup {
    const lc_rule *rule; // a reference
    lc_topology topology;
    int64_t width_cells, height_cells; // 0: no cells
    double density;
    uint64_t seed;
} lc_origin_soup;

// A frame of a timeline.
typedef struct lc_timeline_place {
    lc_timeline *timeline; // lent; NULL: there is none
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
    lc_status (*reopen)(void *context, lc_universe **out, lc_message *message); // NULL: cannot
    void *context;
    lc_origin_soup soup;
    lc_timeline_place place;
    void *bytes; // owned
    size_t size_bytes;
    char path[320]; // owned: removed with the origin
} lc_origin;

// Creates an origin's universe.
lc_status lc_origin_open(const lc_origin *origin, const lc_universe_options *creation,
                         lc_universe **out, lc_message *message);
// Makes the universe as it is now the origin. On error `origin` stays as it was.
lc_status lc_origin_keep(lc_origin *origin, lc_folder *folder, const lc_universe *universe,
                         lc_message *message);
// Creates a universe with the cells and generation of another one, and another rule or topology;
// on the way they are a file in the folder. In another topology the middle stays the middle: in an
// unbounded direction that is cell 0, or that of the live cells if they do not fit so. *lost says
// how many live cells lie beyond its edges, and are left out. With `out` NULL it only finds that.
// Returns LC_OK; LC_ERROR_LIMIT (more than 2^32 live cells, and another topology); or what
// lc_universe_facts, lc_universe_save, lc_universe_create and lc_universe_load return.
lc_status lc_origin_recast(const lc_universe *from, const lc_rule *rule,
                           const lc_topology *topology, lc_folder *folder,
                           const lc_universe_options *creation, uint64_t *lost, lc_universe **out,
                           lc_message *message);
// Frees what belongs to it and clears it.
void lc_origin_free(lc_origin *origin);

#endif
