// A bounded board in a file, which may be larger than memory. It is stepped one window of rows at a
// time.
//
//        board in the file         window in memory         A window is read from the current
//      +------------------+                                 state and stepped as a board of its
//      |  written         |      . . . . . . . . .          own. Its inside is written beside the
//      |                  |      :  depth rows   :          current state. The window's upper and
//      |==================|  ->  |===============|  ->  B   lower edges are joined or walls, so
//      |  inside          |      |  inside       |          cells from there are wrong, by one row
//      |==================|  ->  |===============|  ->  B   more in each generation. The inside
//      |  to come         |      :  depth rows   :          stays right for as many generations as
//      |                  |      ' ' ' ' ' ' ' ' '          there are rows beyond it. At a wall of
//      +------------------+                                 the board no halo is needed.
//
// A pass makes all windows from top to bottom and is committed when all are written
// (chunks/chunks.h). While a window is stepped, the next one is read and the last one written. An
// error or a stop loses only the current pass.
//
// The block is a cover (cover.h), so it has any engine, blocks or devices. All windows have one
// height. The block has the board's own left and right edges. If the topology shows other cells
// there, or moves or turns the cells above and below, the block has a halo on all sides, which is
// read from the unfolded plane.
#ifndef LC_COVER_DISK_BOARD_INTERNAL_H
#define LC_COVER_DISK_BOARD_INTERNAL_H

#include "chunks/chunks.h"
#include "cover/cover.h"

typedef enum lc_disk_board_way {
    LC_DISK_BOARD_WHOLE,    // the block is the entire board
    LC_DISK_BOARD_STRIPS,   // windows of the board's rows
    LC_DISK_BOARD_UNFOLDED, // windows of the unfolded plane
} lc_disk_board_way;

// The settings of --disk-settings; 0: automatic.
typedef struct lc_disk_board_settings {
    int64_t rows, depth; // of a window; of its halo
    uint64_t band_bytes;
    bool previous; // open the state before the newest one
    lc_chunks_io_options ways;
} lc_disk_board_settings;

// The division of a board into windows.
typedef struct lc_disk_board_layout {
    lc_disk_board_way way;
    lc_chunks_shape shape;
    int64_t rows;   // of a window
    int64_t beside; // columns of halo on each side
    int64_t most_depth;
    uint64_t buffer_bands; // of a buffer
    uint64_t cache_bands;
    uint64_t bytes;       // of both buffers and the cache
    uint64_t block_bytes; // lc_cover_options.max_memory_bytes of the block
    lc_universe_needs needs;
} lc_disk_board_layout;

enum { LC_DISK_BOARD_CACHE = 16 };

typedef struct lc_disk_board_slot {
    int64_t band; // -1: none
    bool is_dirty;
    uint64_t used; // lc_disk_board.uses at the last use
    uint64_t *words;
} lc_disk_board_slot;

// Measured in the last pass.
typedef struct lc_disk_board_rates {
    double cell_ns; // to step a cell by a generation; 0: unknown
    double byte_ns; // to read or write a byte
    double copy_ns; // to copy a byte into the block, or out of it
    double live;    // share of windows with live cells
    double rest_ns; // time of the last pass beyond these, for each byte moved; may be negative
} lc_disk_board_rates;

// The time of a pass, from its start until it was committed.
typedef struct lc_disk_board_taken {
    int64_t depth;
    uint64_t generations; // 0: none
    double ns;
} lc_disk_board_taken;

enum { LC_DISK_BOARD_TAKEN = 8 };

// Live cells in each square of 2^log2_side cells a side, from (0, 0) on. Views from further away
// are made from these counts instead of reading the whole file again.
typedef struct lc_disk_board_overview {
    bool is_known;
    int log2_side;
    int64_t width, height; // squares
    uint32_t *counts;      // NULL: not created yet
} lc_disk_board_overview;

typedef struct lc_disk_board {
    lc_cover base;
    lc_disk_board_settings settings;
    lc_disk_board_layout lay;
    lc_chunks *chunks;
    lc_cover *block;
    uint64_t *memory;     // of both buffers and the cache
    uint64_t *buffers[2]; // in, out
    lc_disk_board_slot cache[LC_DISK_BOARD_CACHE];
    uint64_t uses;
    int64_t next_miss;     // the band after those that were read last
    uint64_t *strip;       // buffer for halos
    bool is_passing;       // the buffers are in use
    bool block_is_board;   // LC_DISK_BOARD_WHOLE: the block has the current cells
    lc_engine_watch watch; // that the block gets
    uint64_t looked_ns;
    lc_disk_board_rates rates;
    lc_disk_board_taken
        taken[LC_DISK_BOARD_TAKEN]; // the last passes; pass i is at i % LC_DISK_BOARD_TAKEN
    int64_t depth;                  // of the last pass
    uint64_t passes;
    unsigned known; // facts
    lc_facts facts;
    lc_disk_board_overview overview;
    char note[128]; // which state was opened, if that may not be the newest one
} lc_disk_board;

static inline lc_disk_board *lc_disk_board_of(const lc_cover *cover)
{
    return (lc_disk_board *)cover;
}

// disk_board_layout.c
lc_status lc_disk_board_parse(const char *text, lc_disk_board_settings *settings,
                              lc_message *message);
// Returns the memory limit.
uint64_t lc_disk_board_limit(const lc_cover_options *asked);
// Returns the options of the block. The layout's `shape` must be known if it has rows.
lc_cover_options lc_disk_board_block_options(const lc_cover_options *asked,
                                             const lc_disk_board_layout *layout);
lc_status lc_disk_board_lay_out(const lc_cover_options *asked,
                                const lc_disk_board_settings *settings,
                                const lc_chunks_shape *shape, lc_disk_board_layout *layout,
                                lc_message *message);
// Chooses the halo depth of the next pass, and sets *generations to its length.
int64_t lc_disk_board_choose_depth(const lc_disk_board *board, uint64_t wanted,
                                   uint64_t *generations);
// Learns from a pass for the choice of the next depth.
void lc_disk_board_learn(lc_disk_board *board, int64_t depth, uint64_t generations,
                         double taken_ns);

// disk_board_pass.c
lc_status lc_disk_board_advance(lc_cover *cover, uint64_t generations, uint64_t *done,
                                lc_message *message);

// disk_board_cells.c
lc_status lc_disk_board_read(lc_cover *cover, const lc_cells *to, lc_message *message);
lc_status lc_disk_board_write(lc_cover *cover, const lc_cells *from, lc_message *message);
lc_status lc_disk_board_fill(lc_cover *cover, const lc_soup *soup, lc_message *message);
lc_status lc_disk_board_seek(lc_cover *cover, const lc_area *within, lc_cells *at,
                             lc_message *message);
lc_status lc_disk_board_facts(lc_cover *cover, unsigned which, lc_facts *facts,
                              lc_message *message);
// Passes the rows of bands first .. end - 1 to `call`, some at a time, and reads the next ones
// meanwhile. May skip bands without live cells.
typedef lc_status lc_disk_board_look_at(void *context, const uint64_t *words, int64_t y,
                                        int64_t rows, lc_message *message);
lc_status lc_disk_board_look_through(lc_disk_board *board, int64_t first, int64_t end,
                                     lc_disk_board_look_at *call, void *context,
                                     lc_message *message);
// Writes changed bands of the cache to the file.
lc_status lc_disk_board_flush(lc_disk_board *board, lc_message *message);
void lc_disk_board_forget(lc_disk_board *board); // empties the cache

// disk_board_view.c
lc_status lc_disk_board_view(lc_cover *cover, const lc_view *squares, lc_message *message);

// disk_board.c. Commits the current cells as those of `generation`.
lc_status lc_disk_board_keep(lc_disk_board *board, lc_count generation, lc_message *message);

static inline uint64_t *lc_disk_board_row(const lc_disk_board *s, uint64_t *buffer, int64_t row)
{
    return buffer + (size_t)row * (size_t)s->lay.shape.pitch_words;
}

// Returns the words of a row of the board, all planes: the planes of a row follow each other.
static inline uint64_t lc_disk_board_row_words(const lc_rule *rule, const lc_topology *topology)
{
    return ((uint64_t)topology->width_cells + 63) / 64 * (uint64_t)lc_rule_traits(rule)->planes;
}

// Returns rows of the board that lie at `words`, from row y on, with x as the first column.
static inline lc_cells lc_disk_board_rows(const lc_disk_board *s, uint64_t *words, int64_t x,
                                          int64_t y, int64_t rows)
{
    const int64_t width = s->base.asked.topology.width_cells;
    return (lc_cells){.x = x,
                      .y = y,
                      .width_cells = width,
                      .height_cells = rows,
                      .planes = lc_cover_planes(&s->base),
                      .words = words,
                      .pitch_words = (size_t)s->lay.shape.pitch_words,
                      .plane_words = (size_t)((width + 63) / 64)};
}

// lc_cover_check and lc_cover_create for boards on disk.
lc_status lc_disk_board_check(const lc_cover_options *options, lc_universe_needs *needs,
                              lc_message *message);
lc_status lc_disk_board_create(lc_cover **out, const lc_cover_options *options,
                               lc_message *message);

#endif
