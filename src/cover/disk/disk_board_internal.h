// A bounded board that lies in a file, more of it than memory holds, and is stepped a strip of rows
// at a time.
//
//        board in the file         window in memory         A window is read from what is current,
//      +------------------+                                 stepped as a board of its own, and its
//      |  written         |      . . . . . . . . .          inside written beside it. The window's
//      |                  |      :  depth rows   :          seams are joined, or walls: what comes
//      |==================|  ->  |===============|  ->  B   of them is wrong by a cell more each
//      |  inside          |      |  inside       |          generation, and the inside stays right
//      |==================|  ->  |===============|  ->  B   for as many generations as the window
//      |  to come         |      :  depth rows   :          has rows beyond it. Where a window ends
//      |                  |      ' ' ' ' ' ' ' ' '          with a plane its wall is right there.
//      +------------------+
//
// A pass makes all windows, from top to bottom, and is kept when all are written (chunks/chunks.h):
// the next window is read and the last one written while one is stepped. What ends a pass before
// that loses the pass, and nothing else.
//
// The block is a cover of its own (cover.h), so it has any engine, blocks or devices. Windows have
// one height. Left and right the block has the board's own edges; where a surface shows something
// else there, or shifts or turns what is above and below, it has a halo on all sides, which is read
// out of the unfolded plane.
#ifndef LC_COVER_DISK_BOARD_INTERNAL_H
#define LC_COVER_DISK_BOARD_INTERNAL_H

#include "chunks/chunks.h"
#include "cover/cover.h"

typedef enum lc_disk_board_way {
    LC_DISK_BOARD_WHOLE,    // the block is all of the board
    LC_DISK_BOARD_STRIPS,   // windows of its rows as they are
    LC_DISK_BOARD_UNFOLDED, // windows of the plane that it unfolds into
} lc_disk_board_way;

// What the settings say; 0: nothing.
typedef struct lc_disk_board_settings {
    int64_t rows, depth; // of a window; of its halo
    uint64_t band_bytes;
    bool previous; // the state before the newest one
    lc_chunks_ways ways;
} lc_disk_board_settings;

// How a board is cut into windows.
typedef struct lc_disk_board_layout {
    lc_disk_board_way way;
    lc_chunks_shape shape;
    int64_t rows;   // of a window
    int64_t beside; // columns of halo on either side
    int64_t most_depth;
    uint64_t buffer_bands; // of a buffer
    uint64_t cache_bands;
    uint64_t bytes;       // of both buffers and the cache
    uint64_t block_bytes; // that the block may take, as lc_cover_options says
    lc_universe_needs needs;
} lc_disk_board_layout;

enum { LC_DISK_BOARD_CACHE = 16 };

typedef struct lc_disk_board_slot {
    int64_t band; // -1: none
    bool is_dirty;
    uint64_t used; // when
    uint64_t *words;
} lc_disk_board_slot;

// What was measured, of the last pass and all.
typedef struct lc_disk_board_rates {
    double cell_ns; // to step a cell of the block by a generation; 0: not known
    double byte_ns; // to read or write a byte
    double copy_ns; // to copy a byte into the block, or out of it
    double live;    // the share of windows that something lived in
    double rest_ns; // that the last pass took beyond what these say, a byte moved; may be below 0
} lc_disk_board_rates;

// A pass that was made, from its beginning until it was kept.
typedef struct lc_disk_board_taken {
    int64_t depth;
    uint64_t generations; // 0: none
    double ns;
} lc_disk_board_taken;

enum { LC_DISK_BOARD_TAKEN = 8 };

// How many cells live in each square of the board, 2^log2_side cells a side from (0, 0) on: what is
// seen from farther away is made of that, and not of another look at the whole file.
typedef struct lc_disk_board_overview {
    bool is_known;
    int log2_side;
    int64_t width, height; // squares
    uint32_t *counts;      // NULL: none was made yet
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
    int64_t next_miss;     // the band that follows the last ones that were read
    uint64_t *strip;       // a piece of a halo
    bool is_passing;       // the buffers are in use
    bool block_is_board;   // whole: the block has what is current
    lc_engine_watch watch; // the block's
    uint64_t looked_ns;
    lc_disk_board_rates rates;
    lc_disk_board_taken
        taken[LC_DISK_BOARD_TAKEN]; // by the last passes: pass i is at i % LC_DISK_BOARD_TAKEN
    int64_t depth;                  // of the last pass
    uint64_t passes;
    unsigned known; // facts
    lc_facts facts;
    uint64_t facts_changes;
    lc_disk_board_overview overview;
    char plan[LC_ENGINE_SETTINGS_BYTES + 96];
    char note[128]; // which state was opened, if not the newest one for sure
} lc_disk_board;

static inline lc_disk_board *lc_disk_board_of(const lc_cover *cover)
{
    return (lc_disk_board *)cover;
}

// disk_board_layout.c
lc_status lc_disk_board_parse(const char *text, lc_disk_board_settings *settings,
                              lc_message *message);
// What it may take of the machine's memory.
uint64_t lc_disk_board_limit(const lc_cover_options *asked);
// What the block is asked for. `shape` of the layout is known if it has rows.
lc_cover_options lc_disk_board_block_options(const lc_cover_options *asked,
                                             const lc_disk_board_layout *layout);
lc_status lc_disk_board_lay_out(const lc_cover_options *asked,
                                const lc_disk_board_settings *settings,
                                const lc_chunks_shape *shape, lc_disk_board_layout *layout,
                                lc_message *message);
// The depth of the next pass, if `wanted` generations are, and how many it has.
int64_t lc_disk_board_choose_depth(const lc_disk_board *board, uint64_t wanted,
                                   uint64_t *generations);
// A pass was made: for the choice of the next ones.
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
// Calls with all rows of bands first .. end - 1, some at a time, of which the next ones are read
// meanwhile; without those of bands that are dead, where it can.
typedef lc_status lc_disk_board_look_at(void *context, const uint64_t *words, int64_t y,
                                        int64_t rows, lc_message *message);
lc_status lc_disk_board_look_through(lc_disk_board *board, int64_t first, int64_t end,
                                     lc_disk_board_look_at *call, void *context,
                                     lc_message *message);
// What was written through the cache goes to the file, to be kept.
lc_status lc_disk_board_flush(lc_disk_board *board, lc_message *message);
void lc_disk_board_forget(lc_disk_board *board); // what the cache has

// disk_board_view.c
lc_status lc_disk_board_view(lc_cover *cover, const lc_view *squares, lc_message *message);

// disk_board.c. Keeps what is current, of base.generation.
lc_status lc_disk_board_keep(lc_disk_board *board, lc_count generation, lc_message *message);

static inline uint64_t *lc_disk_board_row(const lc_disk_board *s, uint64_t *buffer, int64_t row)
{
    return buffer + (size_t)row * (size_t)s->lay.shape.pitch_words;
}

// For lc_cover_check, lc_cover_create, and whoever looks at a file.
lc_status lc_disk_board_check(const lc_cover_options *options, lc_universe_needs *needs,
                              lc_message *message);
lc_status lc_disk_board_create(lc_cover **out, const lc_cover_options *options,
                               lc_message *message);

#endif
