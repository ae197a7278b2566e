// A local preview: near pictures during a long pass, of the generations that the pass skips.
//
// A pass advances a large board by many generations, and their cells exist only at its end. But
// nothing in Life moves faster than one cell a generation. So the cells in view, with a halo as
// deep as the pass, are copied to a small universe, which is stepped generation by generation
// during the pass. Its picture shows exactly the cells of the board at that generation.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_LOCAL_PREVIEW_H
#define LC_VIEWER_LOCAL_PREVIEW_H

#include "command.h"

typedef struct lc_local_preview {
    lc_universe *window; // the small universe; NULL: none
    lc_rectangle area;   // of its cells, in the coordinates of the large one
    uint64_t *words;     // for copying
    size_t words_bytes;
    bool holds;             // it has cells:
    uint64_t revision;      // those of the large universe at this revision,
    uint64_t made;          // advanced by this number of generations
    uint32_t look_revision; // of the client's view
} lc_local_preview;

// Returns whether a view can be previewed, with a halo for `generations`: it is near, small beside
// the universe, and no part of it crosses an edge.
bool lc_local_preview_is_possible(const lc_universe *universe, const lc_look *look,
                                  uint64_t generations);

// Renders the view (lc_render) `ahead` generations from now. `ahead` is less than `generations`,
// which is the largest number while the universe has this revision. `options` are those of
// universes that clients open. The preview keeps the cells for the next call. Returns LC_OK, or an
// error of lc_universe_create, lc_universe_read, lc_universe_write or lc_universe_step. On error
// `payload` has no picture.
lc_status lc_local_preview_render(lc_local_preview *preview, const lc_universe *universe,
                                  uint64_t revision, const lc_look *look, uint32_t look_revision,
                                  uint64_t ahead, uint64_t generations,
                                  const lc_universe_options *options, unsigned char *payload,
                                  lc_message *message);

// Frees the small universe and clears the preview.
void lc_local_preview_free(lc_local_preview *preview);

#endif
