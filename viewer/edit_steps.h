// The steps of lc_edits: what was there before each edit, and how many of them may be kept.
//
// A step is a list of patches, rectangles with the cells that were there when the patch was made.
// They may overlap: undoing goes through them backwards, redoing forwards.
//
//     oldest <-> ... <-> done <-> ... <-> newest      steps up to `done` can be undone, the others
//                                                     redone; `done` is NULL if all are undone
#ifndef LC_VIEWER_EDIT_STEPS_H
#define LC_VIEWER_EDIT_STEPS_H

#include "lightcone/universe.h"

// Patches are no wider than this, so that rows are moved through buffers of this size, and moving
// them cannot fail.
enum { LC_PATCH_WORDS = 4096, LC_PATCH_CELLS = LC_PATCH_WORDS * 64 };

typedef struct lc_patch {
    int64_t x, y;
    int64_t width_cells, height_cells;
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
    lc_edit_step *joint; // that several edits make together: not in the list yet; NULL: none
} lc_edit_steps;

static inline size_t lc_patch_row_words(const lc_patch *patch)
{
    return (size_t)(patch->width_cells + 63) / 64;
}

// A step with room for that many more patches and words: the joint one, or the newest one, if it is
// of this stroke, else a new one that is not in the list yet. Steps are dropped to make room. NULL:
// it would be too large, or there is no memory.
lc_edit_step *lc_edit_steps_open(lc_edit_steps *steps, uint64_t stroke, size_t patches,
                                 size_t words);

// Whether the step was there when it was opened, and stays if nothing becomes of the edit.
bool lc_edit_step_is_there(const lc_edit_steps *steps, const lc_edit_step *step);

// Puts a step into the list, if it is not there yet, as the newest; undone steps are dropped.
void lc_edit_steps_add(lc_edit_steps *steps, lc_edit_step *step);
// Makes the step the joint one, if it is not that already.
void lc_edit_steps_join(lc_edit_steps *steps, lc_edit_step *step);
// Puts the joint step into the list, or frees it.
void lc_edit_steps_end_joint(lc_edit_steps *steps, bool keeps);

// Drops undone steps.
void lc_edit_steps_trim(lc_edit_steps *steps);

// Frees a step that is not in the list.
void lc_edit_step_free(lc_edit_step *step);

// Frees all of them, the joint one too.
void lc_edit_steps_clear(lc_edit_steps *steps);

#endif
