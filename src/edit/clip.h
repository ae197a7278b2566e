// A clip: a copied rectangle of cells, to be pasted, turned, shown and sent.
//
//     words + y * pitch_words: row y; cell x is bit x % 64 of word x / 64, bits past them are 0
//
// Threads: one at a time for a clip.
#ifndef LC_EDIT_CLIP_H
#define LC_EDIT_CLIP_H

#include "lightcone/universe.h"

#define LC_CLIP_SIDE_MAX (INT64_C(1) << 24)  // cells
#define LC_CLIP_CELLS_MAX (INT64_C(1) << 30) // in all

typedef struct lc_rectangle {
    int64_t x, y, width_cells, height_cells;
} lc_rectangle;

typedef struct lc_clip {
    int64_t width_cells, height_cells; // 1 or more
    size_t pitch_words;                // ceil(width / 64)
    uint64_t *words;
    uint64_t population;
} lc_clip;

typedef enum lc_turn {
    LC_TURN_RIGHT,  // a quarter, clockwise
    LC_TURN_LEFT,   // a quarter, anticlockwise
    LC_TURN_FLIP_X, // left to right
    LC_TURN_FLIP_Y, // top to bottom
} lc_turn;

// "right", "left", "flip-x", "flip-y"; false, and nothing written, for any other name.
bool lc_turn_named(const char *name, lc_turn *turn);

// A clip of dead cells; a copy of a clip. LC_ERROR_LIMIT (more than a clip holds) or
// LC_ERROR_MEMORY: *out is NULL. A side below 1 is LC_ERROR_ARGUMENT.
lc_status lc_clip_create(lc_clip **out, int64_t width_cells, int64_t height_cells,
                         lc_message *message);
lc_status lc_clip_copy(lc_clip **out, const lc_clip *clip, lc_message *message);
// Counts its cells after somebody has written them.
void lc_clip_count(lc_clip *clip);
// The smallest rectangle with all live cells, from the clip's top left; false: none is alive.
bool lc_clip_live_box(const lc_clip *clip, lc_box *box);

// Copies a rectangle of a universe; what is beyond the edge of a bounded direction is dead. Returns
// LC_OK; LC_ERROR_ARGUMENT (a side below 1, or coordinates beyond 64 bits); LC_ERROR_LIMIT (more
// than a clip holds); LC_ERROR_MEMORY; or the universe's failure. On error *out is NULL.
lc_status lc_clip_from_universe(lc_clip **out, const lc_universe *universe, int64_t x, int64_t y,
                                int64_t width_cells, int64_t height_cells, lc_message *message);

// Reads a pattern of any format, gzip or not, from memory. The clip is the smallest rectangle that
// holds the pattern's stated size and all its live cells; no size is trusted before it is known to
// be one that a clip may have. Returns LC_OK; LC_ERROR_LIMIT (more than a clip holds);
// LC_ERROR_FORMAT (also: neither a size nor a live cell); LC_ERROR_MEMORY; or what lc_pattern_open
// and lc_pattern_read return. On error *out is NULL.
lc_status lc_clip_from_text(lc_clip **out, const void *data, size_t size_bytes,
                            lc_message *message);
// The same, with LC_ERROR_LIMIT for more than cells_max cells.
lc_status lc_clip_from_text_within(lc_clip **out, const void *data, size_t size_bytes,
                                   int64_t cells_max, lc_message *message);

// The clip as RLE: *size_bytes bytes and a zero byte, which the caller frees with free(). Returns
// LC_OK, LC_ERROR_LIMIT (more than limit_bytes bytes), LC_ERROR_MEMORY. On error *text is NULL.
lc_status lc_clip_to_rle(const lc_clip *clip, const lc_rule *rule, size_t limit_bytes, char **text,
                         size_t *size_bytes, lc_message *message);

// Turns a clip. A quarter turn briefly needs a second clip: on LC_ERROR_MEMORY *clip is as it was.
lc_status lc_clip_turn(lc_clip **clip, lc_turn turn, lc_message *message);

// A row of cells as the protocol's one-bit pixels: ceil(width / 8) bytes, the leftmost cell in the
// lowest bit. Cell x is bit x % 64 of words[x / 64]. Returns where the next row belongs.
uint8_t *lc_pack_row(const uint64_t *words, int64_t width_cells, uint8_t *bytes);
// All of a clip's rows, without gaps.
size_t lc_clip_packed_bytes(const lc_clip *clip);
void lc_clip_pack(const lc_clip *clip, uint8_t *bytes);

// Frees it and clears *clip. NULL and a pointer to NULL are fine.
void lc_clip_destroy(lc_clip **clip);

#endif
