// The steps of lc_edits: which cells each edit has changed, and how many steps may be kept.
//
// A step is a list of patches, rectangles with a bit for each cell: whether it was changed. They
// may overlap, and a cell that was changed twice is as it was. So undoing a step and redoing it are
// the same, in any order, and take no more memory than the step has.
//
//     oldest <-> ... <-> done <-> ... <-> newest      steps up to `done` can be undone, the others
//                                                     redone; `done` is NULL if all are undone
#ifndef LC_EDIT_STEPS_H
#define LC_EDIT_STEPS_H

#include "lightcone/universe.h"

// Patches are no wider than this, so that rows are moved through buffers of this size.
enum { LC_PATCH_WORDS = 4096, LC_PATCH_CELLS = LC_PATCH_WORDS * 64 };

typedef struct lc_patch {
    int64_t x, y;
    int64_t width_cells, height_cells;
    bool is_full;      // every cell was changed: it has no words
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

// Makes room in a step for so many more rows of so many words, and for no more than limit_bytes in
// all. LC_ERROR_LIMIT, LC_ERROR_MEMORY: there is none, and nothing has changed.
lc_status lc_edit_step_reserve(lc_edit_step *step, size_t limit_bytes, size_t rows,
                               size_t row_words);
// Adds a row for which there is room: its changed cells are set, and bits past its end are not.
// Rows without any may be left out.
void lc_edit_step_add_row(lc_edit_step *step, int64_t x, int64_t y, int64_t width_cells,
                          const uint64_t *changed);
// Whether no cell is another one after all that was changed.
bool lc_edit_step_is_void(const lc_edit_step *step);
// Frees what a step has, which is then without patches.
void lc_edit_step_empty(lc_edit_step *step);

// Puts what was recorded into the list: into its newest step if that is of the same stroke, which
// is not 0, and else as a new one. `record` is empty then. Undone steps go, and the oldest as far
// as the limit wants it. False: it is too large for that, or there is no memory; nothing has
// changed.
bool lc_edit_steps_take(lc_edit_steps *steps, lc_edit_step *record, uint64_t stroke);

// Frees all of them.
void lc_edit_steps_clear(lc_edit_steps *steps);

#endif
