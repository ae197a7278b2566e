// Copies of cells. Another thread makes its own universe from a copy.
#ifndef LC_VIEWER_CELL_COPY_H
#define LC_VIEWER_CELL_COPY_H

#include "command.h"
#include "lightcone/clip.h"
#include "session.h"

// All cells of the session's universe, or those of a rectangle.
typedef struct lc_cell_copy {
    void *bytes; // all cells: a checkpoint in memory, from malloc
    size_t size_bytes;
    lc_clip *clip; // a rectangle; its upper left corner is (x, y)
    int64_t x, y;
    lc_universe_options options; // of a universe with these cells
} lc_cell_copy;

// Returns whether a universe with few live cells can be copied quickly: it uses at most that much
// memory, or its engine is HashLife, whose memory holds much more than the cells.
bool lc_cell_copy_is_quick(const lc_session *session, uint64_t most_bytes);
// Copies the whole universe. Only the universe's thread may call it. Returns LC_OK;
// LC_ERROR_ARGUMENT (no cell is alive); LC_ERROR_LIMIT (more than cells_max live cells, or too much
// memory); LC_ERROR_MEMORY; or the universe's failure. On error there is nothing to free.
lc_status lc_cell_copy_all(lc_cell_copy *copy, const lc_session *session, uint64_t cells_max,
                           lc_message *message);
// Cuts a rectangle to the columns x0 to x1-1 and the rows y0 to y1-1. Returns false if nothing
// remains.
bool lc_cut_rectangle(lc_rectangle *area, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
// Copies the cells of a rectangle for a new infinite plane. Threads and errors as above; also
// LC_ERROR_LIMIT (a rectangle of more than 2^28 cells); LC_ERROR_UNSUPPORTED (the background is
// alive).
lc_status lc_cell_copy_area(lc_cell_copy *copy, const lc_session *session, const lc_rectangle *area,
                            uint64_t cells_max, lc_message *message);
// Makes a universe of the cells, and frees the copy, also on error. Any thread may call it. Returns
// as lc_universe_restore_memory, lc_universe_create and lc_universe_write.
lc_status lc_cell_copy_restore(lc_universe **out, lc_cell_copy *copy, lc_message *message);
void lc_cell_copy_free(lc_cell_copy *copy);

#endif
