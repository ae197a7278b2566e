// An edit in hand: what it changes is recorded as it goes, so that it is done whole or not at all.
// If it fails in the middle, or is given up, the recorded cells are changed back.
//
// A universe of remembered squares goes back by itself (lc_universe_hold), since there even
// changing back may need memory that has run out. A record has a limit. What is larger is done all
// the same where the universe goes back by itself; in a bounded universe too, which has its memory
// already: there it can no longer be given up. Everywhere else it fails.
//
// Threads: only the universe's.
#ifndef LC_EDIT_RECORD_H
#define LC_EDIT_RECORD_H

#include "edit/edit_steps.h"

typedef struct lc_edit_record {
    lc_universe *universe;
    lc_edit_step step; // what was changed
    size_t limit_bytes;
    bool is_whole; // all that was changed is in the step
    bool is_held;  // the universe goes back by itself
    bool has_changed;
    // Asked now and then whether to give up, and while that is done; NULL: never.
    bool (*gives_up)(void *context);
    void *context;
    size_t done_words; // since it was asked
    uint64_t before[LC_PATCH_WORDS], after[LC_PATCH_WORDS];
} lc_edit_record;

// Begins an edit. A step of up to limit_bytes is wanted afterwards.
void lc_edit_record_begin(lc_edit_record *record, lc_universe *universe, size_t limit_bytes);
// Ends it: it is done.
void lc_edit_record_end(lc_edit_record *record);
// Ends it: all cells are what they were. False: that could not be, as the universe is lost.
bool lc_edit_record_go_back(lc_edit_record *record);

// Reads a row of at most LC_PATCH_CELLS into `before` and `after`. Returns also LC_ERROR_STOPPED
// (it is to be given up).
lc_status lc_edit_record_read(lc_edit_record *record, int64_t x, int64_t y, int64_t width_cells,
                              lc_message *message);
// The row that was read becomes `after`. Returns also LC_ERROR_LIMIT (it cannot be recorded).
lc_status lc_edit_record_write(lc_edit_record *record, int64_t x, int64_t y, int64_t width_cells,
                               lc_message *message);

// The same of a rectangle that `change` changes by itself, at most LC_BAND_ROWS high; `band` has
// room for it. The change may fail in the middle.
enum { LC_BAND_ROWS = 64, LC_BAND_WORDS = LC_BAND_ROWS * LC_PATCH_WORDS };
lc_status lc_edit_record_band(lc_edit_record *record, uint64_t *band, const lc_cells *area,
                              lc_status (*change)(void *context, lc_universe *universe,
                                                  const lc_cells *area, lc_message *message),
                              void *context, lc_message *message);

// Changes the cells of a step, or none of them: whether that has room is asked before. Returns what
// the functions above do. *is_whole is false if only some were changed, as the universe is lost.
lc_status lc_edit_record_toggle(lc_edit_record *record, lc_universe *universe,
                                const lc_edit_step *step, bool *is_whole, lc_message *message);

#endif
