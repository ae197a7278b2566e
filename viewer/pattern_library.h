// The library: the patterns that are built into the command, and those in the user's folder.
//
// It takes each pattern file of any format, gzip or not, in the folder and its direct subfolders.
// It skips other files, files of more than 64 MiB and names that begin with a dot. A missing folder
// has no patterns. The library stores only the text before the cells; the rest is read on demand.
//
// Threads: one at a time.
#ifndef LC_VIEWER_PATTERN_LIBRARY_H
#define LC_VIEWER_PATTERN_LIBRARY_H

#include "lightcone/universe.h"

enum {
    LC_LIBRARY_FILES_MAX = 4096, // in the user's folder
    LC_LIBRARY_FILE_BYTES_MAX = 64 * 1024 * 1024,
    LC_LIBRARY_COMMENT_BYTES = 4096,          // longer comments are cut
    LC_THUMBNAIL_SIDE = 128,                  // pixels
    LC_THUMBNAIL_CELLS_MAX = 64 * 1024 * 1024 // 2^26; larger patterns have no thumbnail
};

typedef struct lc_library lc_library;

// Strings are valid UTF-8 (invalid bytes of a file are read as Latin-1). They are never NULL, and
// live until the next lc_library_refresh.
typedef struct lc_library_entry {
    uint32_t id;                       // 1 or more; constant while the library lives
    const char *name;                  // the file's, without folder and endings
    const char *title;                 // its #N line, or the first line of its comments, or ""
    const char *comments;              // '\n'-separated, without the title
    const char *rule;                  // with the topology's suffix
    int64_t width_cells, height_cells; // as stated or as measured; 0: measuring takes too long
    bool yours;                        // from the user's folder
    // Facts that the file states (patterns/pattern_facts.h); "" and 0: not stated.
    const char *author, *kind, *category, *speed;
    int year;
    uint64_t period; // generations
} lc_library_entry;

// At most 128 x 128 pixels, rows without gaps. With 1 bit, lowest first, a pixel is a cell, and a
// row has ceil(width / 8) bytes. With 8 bits, a pixel is a square of 2^scale x 2^scale cells: 0 if
// none is alive, otherwise max(1, round(255 * sqrt(share of live cells))).
typedef struct lc_thumbnail {
    int width, height, bits, scale;
    size_t size_bytes;
    uint8_t pixels[LC_THUMBNAIL_SIDE * LC_THUMBNAIL_SIDE];
} lc_thumbnail;

// Creates a library. `folder` NULL: no folder. On LC_ERROR_MEMORY *out is NULL.
lc_status lc_library_create(lc_library **out, const char *folder, lc_message *message);
// Frees the library and sets *library to NULL. NULL and a pointer to NULL are allowed.
void lc_library_destroy(lc_library **library);

// Reads the folder again. Files that have not changed are not opened, and a file that still exists
// keeps its id. On LC_ERROR_MEMORY the library is unchanged.
lc_status lc_library_refresh(lc_library *library, lc_message *message);

// The first returns the i-th entry: the command's patterns by name, then the user's by name; NULL
// past the last. The second returns the entry with this id; NULL: none.
const lc_library_entry *lc_library_at(const lc_library *library, size_t index);
const lc_library_entry *lc_library_find(const lc_library *library, uint32_t id);

// Reads the bytes of a pattern's file, unchanged. The caller frees them with free(). Returns LC_OK;
// LC_ERROR_ARGUMENT (no such id); LC_ERROR_IO (the file is gone); LC_ERROR_LIMIT (it has more than
// 64 MiB); LC_ERROR_MEMORY. On error *data is NULL.
lc_status lc_library_read(const lc_library *library, uint32_t id, void **data, size_t *size_bytes,
                          lc_message *message);

// Renders a thumbnail of a pattern. Returns LC_OK, or an error of lc_library_read or
// lc_clip_from_text: LC_ERROR_LIMIT if the pattern is too large for a thumbnail.
lc_status lc_library_thumbnail(const lc_library *library, uint32_t id, lc_thumbnail *out,
                               lc_message *message);

#endif
