// The library: patterns to choose from, those built into the command and those in the user's
// folder.
//
// Every file in the folder and its subfolders, but no deeper, that is a pattern of any format, gzip
// or not, is taken; others are skipped, as are files of more than 64 MiB and names that begin with
// a dot. A missing folder has no patterns. Only what comes before the cells is kept; the rest is
// read when it is needed.
//
// Threads: one at a time.
#ifndef LC_VIEWER_PATTERN_LIBRARY_H
#define LC_VIEWER_PATTERN_LIBRARY_H

#include "lightcone/universe.h"

enum {
    LC_LIBRARY_FILES_MAX = 4096, // of the user's
    LC_LIBRARY_FILE_BYTES_MAX = 64 * 1024 * 1024,
    LC_LIBRARY_COMMENT_BYTES = 4096,          // longer comments are cut
    LC_THUMBNAIL_SIDE = 128,                  // pixels
    LC_THUMBNAIL_CELLS_MAX = 64 * 1024 * 1024 // of a pattern that has a thumbnail: 2^26
};

typedef struct lc_library lc_library;

// Strings are UTF-8 whatever the file has (invalid bytes are read as Latin-1), are never NULL, and
// live until the library is read again.
typedef struct lc_library_entry {
    uint32_t id;                       // 1 or more; stays the same as long as the library lives
    const char *name;                  // the file's, without folder and endings
    const char *title;                 // its #N line, or the first line of its comments, or ""
    const char *comments;              // '\n'-separated, without the title
    const char *rule;                  // with the topology's suffix
    int64_t width_cells, height_cells; // as stated, else as found; 0 if finding it would take long
    bool yours;                        // the user's
    // What the file states of itself (patterns/pattern_facts.h); "" and 0 where it does not.
    const char *author, *kind, *category, *speed;
    int year;
    uint64_t period; // generations
} lc_library_entry;

// At most 128 x 128 pixels, rows without gaps. With 1 bit, lowest first, a pixel is a cell, and a
// row has ceil(width / 8) bytes. With 8, it is a square of 2^scale x 2^scale cells: 0 if none is
// alive, else max(1, round(255 * sqrt(share alive))).
typedef struct lc_thumbnail {
    int width, height, bits, scale;
    size_t size_bytes;
    uint8_t pixels[LC_THUMBNAIL_SIDE * LC_THUMBNAIL_SIDE];
} lc_thumbnail;

// `folder` may be NULL for none. LC_ERROR_MEMORY: *out is NULL.
lc_status lc_library_create(lc_library **out, const char *folder, lc_message *message);
// Frees it and clears *library. NULL and a pointer to NULL are fine.
void lc_library_destroy(lc_library **library);

// Reads the folder again. Files that have not changed are not opened; a file that is still there
// keeps its id. LC_ERROR_MEMORY: the library is as it was.
lc_status lc_library_refresh(lc_library *library, lc_message *message);

// The i-th entry: the command's patterns by name, then the user's by name; NULL past the last. The
// entry with that id; NULL if there is none.
const lc_library_entry *lc_library_at(const lc_library *library, size_t index);
const lc_library_entry *lc_library_find(const lc_library *library, uint32_t id);

// The bytes of a pattern's file, as they are, which the caller frees with free(). Returns LC_OK;
// LC_ERROR_ARGUMENT (no such id); LC_ERROR_IO (the file is gone); LC_ERROR_LIMIT (it has more than
// 64 MiB); LC_ERROR_MEMORY. On error *data is NULL.
lc_status lc_library_read(const lc_library *library, uint32_t id, void **data, size_t *size_bytes,
                          lc_message *message);

// A small picture of a pattern. Returns as lc_library_read and lc_clip_from_text do: LC_ERROR_LIMIT
// if it is too large for a quick picture.
lc_status lc_library_thumbnail(const lc_library *library, uint32_t id, lc_thumbnail *out,
                               lc_message *message);

#endif
