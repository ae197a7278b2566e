// See edit_steps.h.
#include "edit_steps.h"

#include <stdlib.h>

static size_t bytes_of(size_t patches, size_t words)
{
    return sizeof(lc_edit_step) + patches * sizeof(lc_patch) + words * sizeof(uint64_t);
}

void lc_edit_step_free(lc_edit_step *step)
{
    if (step != NULL) {
        free(step->patches);
        free(step->words);
        free(step);
    }
}

// Takes a step out of the list, one of its ends, and frees it.
static void drop(lc_edit_steps *steps, lc_edit_step *step)
{
    steps->held_bytes -= bytes_of(step->patch_room, step->word_room);
    if (steps->done == step)
        steps->done = step->older;
    if (step->older != NULL)
        step->older->newer = step->newer;
    else
        steps->oldest = step->newer;
    if (step->newer != NULL)
        step->newer->older = step->older;
    else
        steps->newest = step->older;
    lc_edit_step_free(step);
}

void lc_edit_steps_clear(lc_edit_steps *steps)
{
    while (steps->oldest != NULL)
        drop(steps, steps->oldest);
    lc_edit_steps_end_joint(steps, false);
}

bool lc_edit_step_is_there(const lc_edit_steps *steps, const lc_edit_step *step)
{
    return step == steps->newest || step == steps->joint;
}

// Makes room for that many more bytes: undone steps go first, then the oldest.
static void make_room(lc_edit_steps *steps, size_t bytes)
{
    while (steps->held_bytes > steps->limit_bytes - bytes)
        drop(steps, steps->newest != steps->done ? steps->newest : steps->oldest);
}

// Gives the arrays of a step that much room.
static bool enlarge(lc_edit_step *step, size_t patches, size_t words)
{
    if (patches > step->patch_room) {
        lc_patch *more = realloc(step->patches, patches * sizeof *more);
        if (more == NULL)
            return false;
        step->patches = more;
        step->patch_room = patches;
    }
    if (words > step->word_room) {
        uint64_t *more = realloc(step->words, words * sizeof *more);
        if (more == NULL)
            return false;
        step->words = more;
        step->word_room = words;
    }
    return true;
}

// Enlarges the newest step, or the joint one. A stroke comes in many small pieces, so the room is
// doubled if that is allowed.
static lc_edit_step *extend(lc_edit_steps *steps, lc_edit_step *step, size_t patches, size_t words)
{
    patches += step->patch_count;
    words += step->word_count;
    const size_t old_bytes = bytes_of(step->patch_room, step->word_room);
    if (patches < step->patch_room)
        patches = step->patch_room;
    if (words < step->word_room)
        words = step->word_room;
    const size_t more_patches = patches > step->patch_room && patches < 2 * step->patch_room
                                    ? 2 * step->patch_room
                                    : patches;
    const size_t more_words =
        words > step->word_room && words < 2 * step->word_room ? 2 * step->word_room : words;
    if (bytes_of(more_patches, more_words) <= steps->limit_bytes) {
        patches = more_patches;
        words = more_words;
    } else if (bytes_of(patches, words) > steps->limit_bytes) {
        return NULL;
    }
    make_room(steps, bytes_of(patches, words) - old_bytes);
    const bool enlarged = enlarge(step, patches, words);
    steps->held_bytes += bytes_of(step->patch_room, step->word_room) - old_bytes;
    return enlarged ? step : NULL;
}

lc_edit_step *lc_edit_steps_open(lc_edit_steps *steps, uint64_t stroke, size_t patches,
                                 size_t words)
{
    // So that no sum or product here overflows a size_t.
    if (words > steps->limit_bytes / sizeof(uint64_t) ||
        patches > steps->limit_bytes / sizeof(lc_patch))
        return NULL;
    lc_edit_step *newest = steps->newest;
    if (steps->joint != NULL && steps->joint->stroke == stroke)
        return extend(steps, steps->joint, patches, words);
    if (stroke != 0 && newest != NULL && steps->done == newest && newest->stroke == stroke)
        return extend(steps, newest, patches, words);
    const size_t bytes = bytes_of(patches, words);
    if (bytes > steps->limit_bytes)
        return NULL;
    make_room(steps, bytes);
    lc_edit_step *step = calloc(1, sizeof *step);
    if (step != NULL)
        step->stroke = stroke;
    if (step != NULL && !enlarge(step, patches, words)) {
        lc_edit_step_free(step);
        step = NULL;
    }
    return step;
}

void lc_edit_steps_trim(lc_edit_steps *steps)
{
    while (steps->newest != steps->done)
        drop(steps, steps->newest);
}

void lc_edit_steps_add(lc_edit_steps *steps, lc_edit_step *step)
{
    lc_edit_steps_trim(steps);
    if (step == steps->newest)
        return;
    step->older = steps->newest;
    if (step->older != NULL)
        step->older->newer = step;
    else
        steps->oldest = step;
    steps->newest = steps->done = step;
    steps->held_bytes += bytes_of(step->patch_room, step->word_room);
}

void lc_edit_steps_join(lc_edit_steps *steps, lc_edit_step *step)
{
    if (step == steps->joint)
        return;
    steps->joint = step;
    steps->held_bytes += bytes_of(step->patch_room, step->word_room);
}

void lc_edit_steps_end_joint(lc_edit_steps *steps, bool keeps)
{
    lc_edit_step *step = steps->joint;
    steps->joint = NULL;
    if (step == NULL)
        return;
    steps->held_bytes -= bytes_of(step->patch_room, step->word_room);
    if (keeps)
        lc_edit_steps_add(steps, step);
    else
        lc_edit_step_free(step);
}
