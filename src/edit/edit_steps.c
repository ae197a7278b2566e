#include "edit/edit_steps.h"

#include <stdlib.h>
#include <string.h>

// A row of at most SHORT_WORDS words without changes joins a patch: a second patch would take more.
enum { SHORT_WORDS = sizeof(lc_patch) / sizeof(uint64_t) };

static size_t bytes_of(size_t patches, size_t words)
{
    return sizeof(lc_edit_step) + patches * sizeof(lc_patch) + words * sizeof(uint64_t);
}

// Steps --------------------------------------------------------------------------------------

void lc_edit_step_empty(lc_edit_step *step)
{
    free(step->patches);
    free(step->words);
    step->patches = NULL;
    step->words = NULL;
    step->patch_count = step->patch_room = step->word_count = step->word_room = 0;
}

// Resizes the arrays of a step. Returns false if out of memory.
static bool resize(lc_edit_step *step, size_t patches, size_t words)
{
    if (patches != step->patch_room) {
        lc_patch *moved = realloc(step->patches, (patches + (patches == 0)) * sizeof *moved);
        if (moved == NULL)
            return false;
        step->patches = moved;
        step->patch_room = patches;
    }
    if (words != step->word_room) {
        uint64_t *moved = realloc(step->words, (words + (words == 0)) * sizeof *moved);
        if (moved == NULL)
            return false;
        step->words = moved;
        step->word_room = words;
    }
    return true;
}

// Makes room for more patches and words. Doubles the arrays if the limit allows it, because a step
// arrives in many small pieces.
static lc_status enlarge(lc_edit_step *step, size_t limit_bytes, size_t patches, size_t words)
{
    // So no sum or product here overflows a size_t.
    if (words > limit_bytes / sizeof(uint64_t) || patches > limit_bytes / sizeof(lc_patch))
        return LC_ERROR_LIMIT;
    patches += step->patch_count;
    words += step->word_count;
    if (patches <= step->patch_room && words <= step->word_room)
        return LC_OK;
    if (bytes_of(patches, words) > limit_bytes)
        return LC_ERROR_LIMIT;
    const size_t twice_patches = patches > 2 * step->patch_room ? patches : 2 * step->patch_room;
    const size_t twice_words = words > 2 * step->word_room ? words : 2 * step->word_room;
    const size_t more_patches = patches > step->patch_room ? twice_patches : step->patch_room;
    const size_t more_words = words > step->word_room ? twice_words : step->word_room;
    const bool fits = bytes_of(more_patches, more_words) <= limit_bytes;
    return resize(step, fits ? more_patches : patches, fits ? more_words : words) ? LC_OK
                                                                                  : LC_ERROR_MEMORY;
}

lc_status lc_edit_step_reserve(lc_edit_step *step, size_t limit_bytes, size_t rows,
                               size_t row_words)
{
    size_t words;
    if (__builtin_mul_overflow(rows, row_words, &words))
        return LC_ERROR_LIMIT;
    return enlarge(step, limit_bytes, rows, words);
}

typedef enum row_kind { ROW_EMPTY, ROW_MIXED, ROW_FULL } row_kind;

static row_kind kind_of(const uint64_t *row, int64_t width_cells)
{
    const size_t words = (size_t)(width_cells + 63) / 64;
    uint64_t all = ~UINT64_C(0), any = 0;
    for (size_t i = 0; i < words; i++) {
        const int64_t rest = width_cells - (int64_t)i * 64;
        any |= row[i];
        all &= rest < 64 ? row[i] | ~UINT64_C(0) << rest : row[i];
    }
    return any == 0 ? ROW_EMPTY : ~all == 0 ? ROW_FULL : ROW_MIXED;
}

void lc_edit_step_add_row(lc_edit_step *step, int64_t x, int64_t y, int64_t width_cells,
                          const uint64_t *changed)
{
    const size_t words = (size_t)(width_cells + 63) / 64;
    const row_kind kind = kind_of(changed, width_cells);
    lc_patch *last = step->patch_count > 0 ? &step->patches[step->patch_count - 1] : NULL;
    const bool goes_on = last != NULL && last->x == x && last->width_cells == width_cells &&
                         last->y + last->height_cells == y;
    const bool joins =
        goes_on && (last->is_full ? kind == ROW_FULL : kind == ROW_MIXED || words <= SHORT_WORDS);
    if (kind == ROW_EMPTY && !joins)
        return;
    if (!joins) {
        last = &step->patches[step->patch_count++];
        *last = (lc_patch){.x = x,
                           .y = y,
                           .width_cells = width_cells,
                           .is_full = kind == ROW_FULL,
                           .first_word = step->word_count};
    }
    last->height_cells++;
    if (last->is_full)
        return;
    memcpy(step->words + step->word_count, changed, words * sizeof *changed);
    step->word_count += words;
}

// Returns those of 64 cells of row y, from x on, that a patch has changed.
static uint64_t changed_at(const lc_edit_step *step, const lc_patch *p, int64_t x, int64_t y)
{
    if (y < p->y || y >= p->y + p->height_cells || x >= p->x + p->width_cells || x <= p->x - 64)
        return 0;
    const int64_t at = x - p->x, rest = p->width_cells - at;
    uint64_t word = ~UINT64_C(0);
    if (!p->is_full) {
        const size_t row_words = lc_patch_row_words(p);
        const uint64_t *row = step->words + p->first_word + (size_t)(y - p->y) * row_words;
        const size_t i = at < 0 ? 0 : (size_t)at / 64;
        word = row[i] >> (at < 0 ? 0 : at % 64);
        if (at > 0 && at % 64 != 0 && i + 1 < row_words)
            word |= row[i + 1] << (64 - at % 64);
    } else {
        const int64_t count = at < 0 ? p->width_cells : rest;
        word >>= count < 64 ? 64 - count : 0;
    }
    return at < 0 ? word << -at : word;
}

bool lc_edit_step_is_void(const lc_edit_step *step)
{
    const lc_patch *end = step->patches + step->patch_count;
    for (const lc_patch *p = step->patches; p < end; p++)
        for (int64_t y = p->y; y < p->y + p->height_cells; y++)
            for (int64_t x = p->x; x < p->x + p->width_cells; x += 64) {
                uint64_t changed = 0;
                for (const lc_patch *q = step->patches; q < end; q++)
                    changed ^= changed_at(step, q, x, y);
                if (changed != 0)
                    return false;
            }
    return true;
}

// The list -----------------------------------------------------------------------------------

// Removes the first or last step of the list and frees it.
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
    lc_edit_step_empty(step);
    free(step);
}

void lc_edit_steps_clear(lc_edit_steps *steps)
{
    while (steps->oldest != NULL)
        drop(steps, steps->oldest);
}

// Appends a record to the newest step.
static bool append(lc_edit_steps *steps, lc_edit_step *record)
{
    lc_edit_step *step = steps->newest;
    const size_t old_bytes = bytes_of(step->patch_room, step->word_room);
    const lc_status status =
        enlarge(step, steps->limit_bytes, record->patch_count, record->word_count);
    steps->held_bytes += bytes_of(step->patch_room, step->word_room) - old_bytes;
    while (steps->held_bytes > steps->limit_bytes)
        drop(steps, steps->oldest); // but not this one, which is within the limit
    if (status != LC_OK)
        return false;
    for (size_t i = 0; i < record->patch_count; i++) {
        lc_patch *patch = &step->patches[step->patch_count++];
        *patch = record->patches[i];
        patch->first_word += step->word_count;
    }
    if (record->word_count > 0)
        memcpy(step->words + step->word_count, record->words,
               record->word_count * sizeof *record->words);
    step->word_count += record->word_count;
    lc_edit_step_empty(record);
    return true;
}

bool lc_edit_steps_take(lc_edit_steps *steps, lc_edit_step *record, uint64_t stroke)
{
    lc_edit_step *newest = steps->newest;
    if (stroke != 0 && newest != NULL && steps->done == newest && newest->stroke == stroke)
        return append(steps, record);
    const size_t bytes = bytes_of(record->patch_count, record->word_count);
    lc_edit_step *step = bytes <= steps->limit_bytes ? malloc(sizeof *step) : NULL;
    if (step == NULL)
        return false;
    if (!resize(record, record->patch_count, record->word_count)) {
        free(step);
        return false;
    }
    while (steps->newest != steps->done)
        drop(steps, steps->newest);
    while (steps->held_bytes > steps->limit_bytes - bytes)
        drop(steps, steps->oldest);
    *step = *record;
    *record = (lc_edit_step){0};
    step->stroke = stroke;
    step->newer = NULL;
    step->older = steps->newest;
    *(step->older != NULL ? &step->older->newer : &steps->oldest) = step;
    steps->newest = steps->done = step;
    steps->held_bytes += bytes;
    return true;
}
