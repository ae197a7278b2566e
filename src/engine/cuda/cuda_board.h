// A board in a GPU's memory: its layout, the transfer of rows, its halo, and facts about its cells.
//
// The board has two buffers in the layout of kernels/board_layout.h, `cells` and `next`. A stepper
// swaps them. If a board is stepped in place, both share all memory but some rows
// (cuda_in_place.h): a pass then writes `next` from `cells` in bands, in their order. Stepping a
// torus may leave the cells drifted: column p of the buffer is then column (p + origin) mod width
// of the board. Functions that read or write cells of the board first move them back.
//
// Rows go through a window: a tile of plain rows in host memory that the GPU copies at full speed.
// A read or write of a row outside the window loads another tile. Changed rows are written back
// before that, and before any function uses the board itself. So consecutive rows, in pieces of any
// length, cost one copy and one launch per tile.
//
// One thread at a time. A function that can fail returns the error of the device layer.
#ifndef LC_ENGINE_CUDA_CUDA_BOARD_H
#define LC_ENGINE_CUDA_CUDA_BOARD_H

#include "device/gpu_device.h"
#include "engine/cuda/cuda_in_place.h"
#include "engine/engine_interface.h"
#include "kernels/board_layout.h"
#include "lightcone/rule.h"

typedef struct lc_cuda_window {
    uint64_t *rows;           // page-locked host memory
    lc_device_address on_gpu; // as large: rows in plain order
    size_t size_bytes;        // of each
    int64_t words, tile_rows; // of a tile: words of a row, and rows
    bool loaded;              // the tile below is in `rows`:
    int64_t first_word, first_row;
    int64_t dirty_begin, dirty_end; // rows to write back, counted from first_row
} lc_cuda_window;

// Fills the halo of a board with open edges. A stepper calls it; it queues the work.
typedef struct lc_cuda_board lc_cuda_board;
typedef struct lc_cuda_filler {
    lc_status (*call)(void *context, lc_cuda_board *board, int depth_cells, lc_message *message);
    void *context;
} lc_cuda_filler;

struct lc_cuda_board {
    lc_device *device;
    lc_device_stream *stream; // all work on the board is queued here
    lc_frame frame;
    lc_cuda_filler filler; // if an edge is open; of a slab, NULL: its halo is filled before
    int words;             // of a segment: 1, 2 or 4
    int64_t segments;      // of a row, without its halo
    uint64_t buffer_bytes; // of each of the two
    lc_cuda_bands bands;   // for stepping in place; none: the buffers do not overlap
    lc_device_address cells, next;
    int64_t origin;

    lc_module *module;
    lc_kernel scatter, gather, halo, give, settle, find_facts, count_squares;
    lc_device_address facts_on_gpu;
    lc_cuda_window window;
    int64_t dead_from; // rows from here on are known to be dead
    bool facts_known;  // of the present cells
    lc_facts facts;
    lc_device_event *made, *taken;     // of a slab: cuda_slabs.c
    struct lc_cuda_messages *messages; // of a slab: cuda_halo_messages.h; NULL: none
};

// Finds the bytes that such a board takes on the GPU. Returns false if a board cannot be that
// large. `words` is that of a segment, and `band_rows` is as in lc_cuda_bands_of; 0: two buffers.
bool lc_cuda_board_bytes(const lc_frame *frame, int words, int64_t band_rows, uint64_t *size_bytes);

// Creates a board of dead cells, and the kernels that it needs. LC_ERROR_LIMIT; LC_ERROR_MEMORY
// (the message has the bytes needed and the bytes free); LC_ERROR_DEVICE. Nothing is left to free
// on error.
lc_status lc_cuda_board_create(lc_cuda_board *board, lc_device *device, lc_device_stream *stream,
                               const lc_frame *frame, int words, int64_t band_rows,
                               lc_message *message);
void lc_cuda_board_destroy(lc_cuda_board *board);

uint64_t lc_cuda_board_row_bytes(const lc_cuda_board *board); // from a row to the next

// Returns the address of row y of `cells` or of their halo, including the segment left of its
// first.
lc_device_address lc_cuda_board_row_at(const lc_cuda_board *board, int64_t y);

// Compiles kernels for the board's words. Errors as lc_module_create.
lc_status lc_cuda_board_module(const lc_cuda_board *board, const char *source, lc_module **module,
                               lc_message *message);

// Returns one of the two buffers as an argument of kernels.
lc_board_view lc_cuda_board_view(const lc_cuda_board *board, lc_device_address buffer);

// Returns the views that the i-th launch of a pass in place reads and writes.
void lc_cuda_board_band(const lc_cuda_board *board, int64_t i, lc_board_view *in,
                        lc_board_view *out);

// Copy part of a row. x is a multiple of 64. Bits behind the width are zero after reading, and
// ignored by writing.
lc_status lc_cuda_board_read_row(lc_cuda_board *board, int64_t x, int64_t y, int64_t width_cells,
                                 uint64_t *words, lc_message *message);
lc_status lc_cuda_board_write_row(lc_cuda_board *board, int64_t x, int64_t y, int64_t width_cells,
                                  const uint64_t *words, lc_message *message);

// Copy a rectangle. A large one whose words are whole groups of the board's is copied directly
// between the caller's memory and the GPU. If that memory is registered (lc_device_host_register),
// the copy runs at full speed. All others are copied row by row.
lc_status lc_cuda_board_read(lc_cuda_board *board, const lc_cells *to, lc_message *message);
lc_status lc_cuda_board_write(lc_cuda_board *board, const lc_cells *from, lc_message *message);

// Prepares the board for stepping: writes back the window's changed rows and drops cached facts.
lc_status lc_cuda_board_prepare(lc_cuda_board *board, lc_message *message);

// Queues the filling of the halo of `cells`, 1 .. LC_HALO_ROWS cells deep, as a topology of the
// board's size defines it. The cells must not have drifted.
lc_status lc_cuda_board_halo(lc_cuda_board *board, const lc_topology *topology, int depth_cells,
                             lc_message *message);

// Fills the halo as the board's edges require: by its filler if one is open, otherwise as on a
// torus.
lc_status lc_cuda_board_fill_halo(lc_cuda_board *board, int depth_cells, lc_message *message);

// Returns a filler for a topology, which must outlive the board.
lc_cuda_filler lc_cuda_board_filler(const lc_topology *topology);

// Queues the filling of the rows above and below a torus of whole segments, drifted or not. Kernels
// for slabs read these rows.
lc_status lc_cuda_board_wrap(lc_cuda_board *board, int depth_cells, lc_message *message);

// Queues the filling of the columns beside a slab of a torus, as deep as the rows above and below,
// which are filled already. The cells must not have drifted.
lc_status lc_cuda_board_sides(lc_cuda_board *board, int depth_cells, lc_message *message);

// Queues the writing of plain cells anywhere in the halo of `cells`, at most 2^13 words of them.
lc_status lc_cuda_board_give(lc_cuda_board *board, const lc_cells *halo, lc_message *message);

// Makes `next` the board. For steppers.
void lc_cuda_board_swap(lc_cuda_board *board);

// Moves drifted cells back: afterwards origin is 0. For steppers that need that.
lc_status lc_cuda_board_settle(lc_cuda_board *board, lc_message *message);

// Finds all facts about the cells.
lc_status lc_cuda_board_facts(lc_cuda_board *board, lc_facts *facts, lc_message *message);

// Makes a downsampled view, as lc_engine_vtable does. The GPU makes the grey levels.
lc_status lc_cuda_board_count(lc_cuda_board *board, const lc_view *squares, lc_message *message);

#endif
