// Internals of the macrocell reader and writer, and the frames of timelines.
#ifndef LC_PATTERN_MACROCELL_H
#define LC_PATTERN_MACROCELL_H

#include "pattern/format.h"

// macrocell_write.c: writes lines of a file: 8 x 8 cells as bit 8 * y + x, or a square made of four
// lines.
void lc_macrocell_write_header(lc_output *output, const lc_pattern_write_options *options);
void lc_macrocell_write_cells(lc_output *output, uint64_t cells);
void lc_macrocell_write_node(lc_output *output, int log2, const uint32_t lines[4]);

// macrocell_states.c: writes spans of a rule of more than two states, as lc_format_ops.write.
lc_status lc_macrocell_write_states(lc_output *output, const lc_pattern_write_options *options,
                                    lc_span_source next, void *context, lc_message *message);

// A frame: its square, with its middle at (0, 0), and its generation.
typedef struct lc_kept_frame {
    lc_square root;
    int root_log2;
    lc_count generation;
} lc_kept_frame;

typedef struct lc_kept_frames {
    lc_kept_frame *frames;
    size_t count, room;
    lc_count first, every; // as the file states them
    bool is_cut;           // the file is truncated or damaged after the last frame
    lc_message cut;
} lc_kept_frames;

// macrocell.c: reads all frames into a store. Free with lc_free(frames->frames), also on error.
lc_status lc_macrocell_read_frames(lc_pattern *pattern, lc_store *store, lc_kept_frames *frames,
                                   lc_message *message);

// Passes the cells of a square to a sink. The square's middle is (0, 0). Returns LC_ERROR_LIMIT, or
// the sink's status.
lc_status lc_macrocell_give(const lc_store *store, lc_square root, int root_log2,
                            const lc_sink *sink, lc_message *message);

// timeline_write.c --------------------------------------------------------------------------------

enum { LC_FRAME_TILE = 64 }; // side of the tiles of frames that do not come from a store

typedef struct lc_frame_writer lc_frame_writer;

// Starts a file. Uses of the options the rule, the topology, the generation of the first frame and
// the threads. limit_bytes limits the memory of the dictionary of squares. LC_ERROR_IO,
// LC_ERROR_MEMORY: *out is NULL.
lc_status lc_frame_writer_create(lc_frame_writer **out, const char *path,
                                 const lc_pattern_write_options *options, lc_count every,
                                 uint64_t limit_bytes, lc_message *message);

// Writes a frame from a square of a store. The square's middle is (0, 0).
lc_status lc_frame_writer_tree(lc_frame_writer *writer, lc_count generation, const lc_store *store,
                               lc_square root, int root_log2, lc_message *message);

// Writes a frame from tiles: each tile that may have live cells once, row by row, and then the end
// of the frame. (x, y) is in tiles; row r is bits of rows[r].
lc_status lc_frame_writer_tile(lc_frame_writer *writer, int64_t x, int64_t y,
                               const uint64_t rows[LC_FRAME_TILE], lc_message *message);
lc_status lc_frame_writer_end(lc_frame_writer *writer, lc_count generation, lc_message *message);

uint64_t lc_frame_writer_count(const lc_frame_writer *writer); // of frames
// Completes the file, if it has a frame. Accepts NULL and a pointer to NULL.
lc_status lc_frame_writer_close(lc_frame_writer **writer, lc_message *message);

#endif
