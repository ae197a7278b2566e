// The undo steps of lc_edits, in a list with a memory limit.
//
// A step is a list of patches: rectangles with a bit for each changed cell. Patches may overlap; a
// cell that was changed twice is unchanged. So undo and redo are the same operation, in any order
// of patches, and need no further memory.
//
//     oldest <-> ... <-> done <-> ... <-> newest      steps up to `done` can be undone, the others
//                                                     redone; `done` is NULL if all are undone
#ifndef LC_EDIT_STEPS_H
#define LC_EDIT_STEPS_H

#include "lightcone/edits.h"

// Largest width of a patch, and size of the buffers for its rows.
enum { LC_PATCH_WORDS = 4096, LC_PATCH_CELLS = LC_PATCH_WORDS * 64 };

typedef struct lc_patch {
    int64_t x, y;
    int64_t width_cells, height_cells;
    bool is_full;      // every cell has changed: the patch has no words
    size_t first_word; // of the step's words; each row begins a word
} lc_patch;

typedef struct lc_edit_step lc_edit_step;
struct lc_edit_step {
    lc_edit_step *older, *newer;
    uint64_t stroke; // 0: none
    lc_patch *patches;
    size_t patch_count, patch_room;
    uint64_t *words;
    size_t word_count, word_room;
};

typedef struct lc_edit_steps {
    size_t limit_bytes, held_bytes;
    lc_edit_step *oldest, *newest, *done;
} lc_edit_steps;

static inline size_t lc_patch_row_words(const lc_patch *patch)
{
    return (size_t)(patch->width_cells + 63) / 64;
}

// Makes room in a step for more rows. Returns LC_OK, LC_ERROR_LIMIT (the step would take more than
// limit_bytes) or LC_ERROR_MEMORY. On error the step is unchanged.
lc_status lc_edit_step_reserve(lc_edit_step *step, size_t limit_bytes, size_t rows,
                               size_t row_words);
// Adds a row, for which room was made. `changed` has a set bit for each changed cell, and no bits
// past the width. Rows without changes may be left out.
void lc_edit_step_add_row(lc_edit_step *step, int64_t x, int64_t y, int64_t width_cells,
                          const uint64_t *changed);
// Returns whether the patches together change no cell.
bool lc_edit_step_is_void(const lc_edit_step *step);
// Frees the patches of a step.
void lc_edit_step_empty(lc_edit_step *step);

// Moves a record to the list: to the newest step, if that has the same stroke, not 0; otherwise as
// a new step. Removes the steps that were undone, and the oldest ones beyond the limit. Returns
// false, and changes nothing, if the record is too large or memory runs out.
bool lc_edit_steps_take(lc_edit_steps *steps, lc_edit_step *record, uint64_t stroke);

// Frees all steps.
void lc_edit_steps_clear(lc_edit_steps *steps);

#endif
