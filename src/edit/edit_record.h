// The current edit and a record of its changes. If the edit fails or is cancelled, the record
// undoes its changes.
//
// With HashLife even undoing may need memory that has run out. So an edit takes a snapshot of the
// universe (lc_universe_take_snapshot) and restores it. A record has a limit. An edit beyond the
// limit goes on without a record if there is a snapshot, and in a bounded universe, where it can no
// longer be cancelled. Elsewhere the edit fails.
//
// Threads: only the universe's.
#ifndef LC_EDIT_RECORD_H
#define LC_EDIT_RECORD_H

#include "edit/edit_steps.h"

typedef struct lc_edit_record {
    lc_universe *universe;
    lc_edit_step step; // the changes
    size_t limit_bytes;
    bool is_whole;     // the step has all changes
    bool has_snapshot; // of the cells before the edit
    bool has_changed;
    // lc_edits_set_give_up; also called while the changes are undone. NULL: none.
    bool (*gives_up)(void *context);
    void *context;
    size_t done_words; // since the last call of gives_up
    uint64_t before[LC_PATCH_WORDS], after[LC_PATCH_WORDS];
} lc_edit_record;

// Begins an edit. limit_bytes: the largest step that can be kept.
void lc_edit_record_begin(lc_edit_record *record, lc_universe *universe, size_t limit_bytes);
// Ends an edit that has succeeded.
void lc_edit_record_end(lc_edit_record *record);
// Ends an edit and restores all cells. Returns false if that failed: the universe is lost.
bool lc_edit_record_go_back(lc_edit_record *record);

// Reads a row of at most LC_PATCH_CELLS into `before` and `after`. Returns as lc_universe_read, or
// LC_ERROR_STOPPED (cancelled).
lc_status lc_edit_record_read(lc_edit_record *record, int64_t x, int64_t y, int64_t width_cells,
                              lc_message *message);
// Writes `after` to the row that was read. Returns as lc_universe_write, or LC_ERROR_LIMIT (no
// room in the record).
lc_status lc_edit_record_write(lc_edit_record *record, int64_t x, int64_t y, int64_t width_cells,
                               lc_message *message);

// Calls `change` for a rectangle of at most LC_BAND_ROWS rows, and records its changes. `band` is
// scratch memory of LC_BAND_WORDS words. The change may fail in the middle.
enum { LC_BAND_ROWS = 64, LC_BAND_WORDS = LC_BAND_ROWS * LC_PATCH_WORDS };
lc_status lc_edit_record_band(lc_edit_record *record, uint64_t *band, const lc_cells *area,
                              lc_status (*change)(void *context, lc_universe *universe,
                                                  const lc_cells *area, lc_message *message),
                              void *context, lc_message *message);

// Inverts the cells of a step, all or none, and reserves memory before. Returns as the functions
// above. *is_whole is false if only some cells were inverted: the universe is lost.
lc_status lc_edit_record_toggle(lc_edit_record *record, lc_universe *universe,
                                const lc_edit_step *step, bool *is_whole, lc_message *message);

#endif
