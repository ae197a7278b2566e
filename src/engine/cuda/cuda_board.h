// A board in a GPU's memory: where its cells lie, how rows get in and out, its halo, facts about
// it.
//
// Two buffers in the layout of kernels/board_layout.h, `cells` and `next`, which a stepper swaps.
// Of a board that is stepped in place they are the same memory but for some rows (cuda_in_place.h):
// `next` is then written from `cells` in bands, in their order. Stepping a torus may leave the
// cells drifted: then column p of the buffer is column (p + origin) mod width of the board, and
// everything here but the halo first settles them.
//
// Rows go through a window: a tile of plain rows in memory that the GPU copies from and to at full
// speed. Rows are read from it and written to it; it is loaded when a row outside it is asked for,
// and written back then, or before anything looks at the board itself. So rows that come one after
// the other, in whatever pieces, cost one copy and one launch a tile.
//
// For one thread at a time. Every function that can fail returns what the device layer said.
#ifndef LC_ENGINE_CUDA_CUDA_BOARD_H
#define LC_ENGINE_CUDA_CUDA_BOARD_H

#include "device/gpu_device.h"
#include "engine/cuda/cuda_in_place.h"
#include "engine/engine_interface.h"
#include "kernels/board_layout.h"
#include "lightcone/rule.h"

typedef struct lc_cuda_window {
    uint64_t *rows;           // page-locked memory of the host
    lc_device_address on_gpu; // as large: where rows are before they are combed
    size_t size_bytes;        // of either
    int64_t words, tile_rows; // of a tile: words a row, rows
    bool loaded;              // the tile below is in `rows`:
    int64_t first_word, first_row;
    int64_t dirty_begin, dirty_end; // rows that the board does not have yet, counted from first_row
} lc_cuda_window;

// Whoever fills the halo of a board with open edges, when a stepper asks: it queues that.
typedef struct lc_cuda_board lc_cuda_board;
typedef struct lc_cuda_filler {
    lc_status (*call)(void *context, lc_cuda_board *board, int depth_cells, lc_message *message);
    void *context;
} lc_cuda_filler;

struct lc_cuda_board {
    lc_device *device;
    lc_device_stream *stream; // all work on the board is queued here
    lc_frame frame;
    lc_cuda_filler filler; // if an edge is open; of a slab NULL: its halo is exchanged
    int words;             // of a segment: 1, 2 or 4
    int64_t segments;      // of a row, without its halo
    uint64_t buffer_bytes; // of either of the two
    lc_cuda_bands bands;   // in which it is stepped in place; none: the two do not overlap
    lc_device_address cells, next;
    int64_t origin;

    lc_module *module;
    lc_kernel scatter, gather, halo, give, settle, find_facts, count_squares;
    lc_device_address facts_on_gpu;
    lc_cuda_window window;
    int64_t dead_from; // rows from here on are known to be dead
    bool facts_known;  // those of this moment
    lc_facts facts;
    lc_device_event *made, *taken;     // a slab's: cuda_slabs.c
    struct lc_cuda_messages *messages; // of a slab: cuda_halo_messages.h; NULL: none
};

// Bytes that such a board takes on the GPU; false if it cannot be that large. `words` as above, and
// `band_rows` as in lc_cuda_bands_of; 0: it is not stepped in place.
bool lc_cuda_board_bytes(const lc_frame *frame, int words, int64_t band_rows, uint64_t *size_bytes);

// Makes a board of dead cells, and the kernels that it needs. LC_ERROR_LIMIT, LC_ERROR_MEMORY (need
// and have are in the message), LC_ERROR_DEVICE. On error there is nothing to free.
lc_status lc_cuda_board_create(lc_cuda_board *board, lc_device *device, lc_device_stream *stream,
                               const lc_frame *frame, int words, int64_t band_rows,
                               lc_message *message);
void lc_cuda_board_destroy(lc_cuda_board *board);

uint64_t lc_cuda_board_row_bytes(const lc_cuda_board *board); // from one row to the next

// Where row y of `cells` or their halo begins, with the segment before its first.
lc_device_address lc_cuda_board_row_at(const lc_cuda_board *board, int64_t y);

// One of the two buffers as an argument of kernels.
lc_board_view lc_cuda_board_view(const lc_cuda_board *board, lc_device_address buffer);

// What the i-th launch of a pass in place reads, and what it writes.
void lc_cuda_board_band(const lc_cuda_board *board, int64_t i, lc_board_view *in,
                        lc_board_view *out);

// Rows: pieces of one, x a multiple of 64; bits behind the width are zero after reading, and
// ignored when they are written.
lc_status lc_cuda_board_read_row(lc_cuda_board *board, int64_t x, int64_t y, int64_t width_cells,
                                 uint64_t *words, lc_message *message);
lc_status lc_cuda_board_write_row(lc_cuda_board *board, int64_t x, int64_t y, int64_t width_cells,
                                  const uint64_t *words, lc_message *message);

// Rectangles in the same way. Where their words are whole groups of the board's they go straight
// between the caller's memory and the GPU, at the full speed of copies if that memory is registered
// (lc_device_host_register); else row by row.
lc_status lc_cuda_board_read(lc_cuda_board *board, const lc_cells *to, lc_message *message);
lc_status lc_cuda_board_write(lc_cuda_board *board, const lc_cells *from, lc_message *message);

// Before the cells are stepped: gives the board what was written, and forgets what was known of it.
lc_status lc_cuda_board_prepare(lc_cuda_board *board, lc_message *message);

// Queues the filling of the halo of `cells`, 1 .. LC_HALO_ROWS cells deep, with what a topology of
// the board's size shows there. The cells must not have drifted.
lc_status lc_cuda_board_halo(lc_cuda_board *board, const lc_topology *topology, int depth_cells,
                             lc_message *message);

// The same as the board's edges have it: its filler's, or what a torus shows.
lc_status lc_cuda_board_fill_halo(lc_cuda_board *board, int depth_cells, lc_message *message);

// The filler that does so, of a topology that outlives the board.
lc_cuda_filler lc_cuda_board_filler(const lc_topology *topology);

// Queues the filling of the rows above and below a torus of whole segments, whether the cells have
// drifted or not: kernels for slabs look there.
lc_status lc_cuda_board_wrap(lc_cuda_board *board, int depth_cells, lc_message *message);

// Queues the filling of the columns beside a torus' slab, as deep as the rows above and below,
// which are there. The cells must not have drifted.
lc_status lc_cuda_board_sides(lc_cuda_board *board, int depth_cells, lc_message *message);

// Queues the writing of plain cells anywhere in the halo of `cells`, at most 2^13 words of them.
lc_status lc_cuda_board_give(lc_cuda_board *board, const lc_cells *halo, lc_message *message);

// For steppers: what was written to `next` is the board now.
void lc_cuda_board_swap(lc_cuda_board *board);

// For steppers that cannot work on drifted cells: afterwards origin is 0.
lc_status lc_cuda_board_settle(lc_cuda_board *board, lc_message *message);

// All facts about the cells.
lc_status lc_cuda_board_facts(lc_cuda_board *board, lc_facts *facts, lc_message *message);

// Looks from far away, as lc_engine_vtable has it; the tones are made on the GPU.
lc_status lc_cuda_board_count(lc_cuda_board *board, const lc_view *squares, lc_message *message);

#endif
