// What the files about macrocells have in common, and the frames of timelines.
#ifndef LC_PATTERN_MACROCELL_H
#define LC_PATTERN_MACROCELL_H

#include "pattern/format.h"

// macrocell_write.c: lines of a file. 8 x 8 cells, bit 8 * y + x; a square made of four lines.
void lc_macrocell_write_header(lc_output *output, const lc_pattern_write_options *options);
void lc_macrocell_write_cells(lc_output *output, uint64_t cells);
void lc_macrocell_write_node(lc_output *output, int log2, const uint32_t lines[4]);

// A frame: its square, whose middle is (0, 0), and its generation.
typedef struct lc_kept_frame {
    lc_square root;
    int root_log2;
    lc_count generation;
} lc_kept_frame;

typedef struct lc_kept_frames {
    lc_kept_frame *frames;
    size_t count, room;
    lc_count first, every; // as the file states them
    bool is_cut;           // it ends or is damaged behind the last one
    lc_message cut;
} lc_kept_frames;

// macrocell.c: reads all frames into a store. On error there may be some; lc_free(frames->frames).
lc_status lc_macrocell_read_frames(lc_pattern *pattern, lc_store *store, lc_kept_frames *frames,
                                   lc_message *message);

// Gives a sink the cells of a square whose middle is (0, 0). LC_ERROR_LIMIT, or what it returned.
lc_status lc_macrocell_give(const lc_store *store, lc_square root, int root_log2,
                            const lc_sink *sink, lc_message *message);

// timeline_write.c --------------------------------------------------------------------------------

enum { LC_FRAME_TILE = 64 }; // cells a side, of what frames are made of where there is no store

typedef struct lc_frame_writer lc_frame_writer;

// Starts a file. Of the options the rule and topology matter, the generation of the first frame and
// the threads; limit_bytes is for what is known of squares. LC_ERROR_IO, LC_ERROR_MEMORY: *out is
// NULL.
lc_status lc_frame_writer_create(lc_frame_writer **out, const char *path,
                                 const lc_pattern_write_options *options, lc_count every,
                                 uint64_t limit_bytes, lc_message *message);

// A frame from a square of a store, whose middle is (0, 0).
lc_status lc_frame_writer_tree(lc_frame_writer *writer, lc_count generation, const lc_store *store,
                               lc_square root, int root_log2, lc_message *message);

// A frame from tiles: those in which something may be alive, in the order of rows, each once; then
// its end. (x, y) is in tiles; row r is bits of rows[r].
lc_status lc_frame_writer_tile(lc_frame_writer *writer, int64_t x, int64_t y,
                               const uint64_t rows[LC_FRAME_TILE], lc_message *message);
lc_status lc_frame_writer_end(lc_frame_writer *writer, lc_count generation, lc_message *message);

uint64_t lc_frame_writer_count(const lc_frame_writer *writer); // of frames
// Ends the file, if it has a frame. NULL and a pointer to NULL are fine.
lc_status lc_frame_writer_close(lc_frame_writer **writer, lc_message *message);

#endif
