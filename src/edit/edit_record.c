#include "edit/edit_record.h"

#include <string.h>

#include "edit/edit_area.h"
#include "lightcone/machine.h"

// Number of words read between two calls of `gives_up`: less than a millisecond with most engines.
enum { ASK_WORDS = 1 << 13, ROW_COST_WORDS = 16 };

static lc_status refuse(lc_status status, lc_message *message)
{
    return lc_fail(message, status,
                   "out of memory to undo so many changes if they fail: choose a smaller area");
}

// Returns the memory limit of a record: that of a step, or as much as the universe takes, if the
// machine has so much.
static size_t most_bytes(const lc_universe *universe, size_t step_bytes)
{
    lc_machine machine;
    const uint64_t held = lc_universe_info_of(universe).memory_bytes;
    if (held <= step_bytes)
        return step_bytes;
    lc_machine_get(&machine);
    const uint64_t most = machine.memory_bytes / 8 * 7;
    const uint64_t left = most > held ? most - held : 0;
    const uint64_t bytes = held < left ? held : left;
    return bytes > step_bytes && bytes <= SIZE_MAX ? (size_t)bytes : step_bytes;
}

void lc_edit_record_begin(lc_edit_record *r, lc_universe *universe, size_t limit_bytes)
{
    r->universe = universe;
    r->has_snapshot = lc_universe_take_snapshot(universe);
    r->limit_bytes = r->has_snapshot ? limit_bytes : most_bytes(universe, limit_bytes);
    r->is_whole = true;
    r->has_changed = false;
    r->done_words = 0;
}

void lc_edit_record_end(lc_edit_record *r)
{
    if (r->has_snapshot)
        (void)lc_universe_end_snapshot(r->universe, false);
    lc_edit_step_empty(&r->step);
}

// Returns LC_ERROR_STOPPED if the program cancels the edit, and the edit can be undone.
static lc_status ask(lc_edit_record *r, size_t words, lc_message *message)
{
    r->done_words += words + ROW_COST_WORDS;
    if (r->done_words < ASK_WORDS || r->gives_up == NULL || (!r->is_whole && !r->has_snapshot))
        return LC_OK;
    r->done_words = 0;
    return r->gives_up(r->context)
               ? lc_fail(message, LC_ERROR_STOPPED, "cancelled; no cell has changed")
               : LC_OK;
}

// Reserves memory for rows of the record, or stops recording where the edit needs no record.
static lc_status reserve(lc_edit_record *r, size_t rows, size_t row_words, lc_message *message)
{
    const lc_status status =
        r->is_whole ? lc_edit_step_reserve(&r->step, r->limit_bytes, rows, row_words) : LC_OK;
    if (status == LC_OK)
        return LC_OK;
    if (!r->has_snapshot && !lc_is_bounded(r->universe))
        return refuse(status, message);
    r->is_whole = false;
    lc_edit_step_empty(&r->step);
    return LC_OK;
}

// Rows -------------------------------------------------------------------------------------------

lc_status lc_edit_record_read(lc_edit_record *r, int64_t x, int64_t y, int64_t width_cells,
                              lc_message *message)
{
    const size_t words = (size_t)(width_cells + 63) / 64;
    const lc_cells row = lc_row_cells(x, y, width_cells, r->before);
    lc_status status = ask(r, words, message);
    if (status == LC_OK)
        status = lc_universe_read(r->universe, &row, message);
    if (status == LC_OK)
        memcpy(r->after, r->before, words * sizeof *r->after);
    return status;
}

// Records that a row was `before` and now is `after`.
static void note(lc_edit_record *r, int64_t x, int64_t y, int64_t width_cells, uint64_t *before,
                 const uint64_t *after)
{
    uint64_t any = 0;
    for (size_t i = 0; i < (size_t)(width_cells + 63) / 64; i++) {
        before[i] ^= after[i];
        any |= before[i];
    }
    r->has_changed |= any != 0;
    if (r->is_whole)
        lc_edit_step_add_row(&r->step, x, y, width_cells, before);
}

lc_status lc_edit_record_write(lc_edit_record *r, int64_t x, int64_t y, int64_t width_cells,
                               lc_message *message)
{
    const size_t words = (size_t)(width_cells + 63) / 64;
    const lc_cells row = lc_row_cells(x, y, width_cells, r->after);
    if (memcmp(r->after, r->before, words * sizeof *r->after) == 0)
        return LC_OK;
    lc_status status = reserve(r, 1, words, message);
    if (status == LC_OK)
        status = lc_universe_write(r->universe, &row, message);
    if (status == LC_OK)
        note(r, x, y, width_cells, r->before, r->after);
    return status;
}

lc_status lc_edit_record_band(lc_edit_record *r, uint64_t *band, const lc_cells *area,
                              lc_status (*change)(void *context, lc_universe *universe,
                                                  const lc_cells *area, lc_message *message),
                              void *context, lc_message *message)
{
    const size_t words = (size_t)(area->width_cells + 63) / 64;
    const size_t rows = (size_t)area->height_cells;
    lc_cells before = *area;
    before.words = band;
    before.pitch_words = words;
    lc_status status = ask(r, rows * words, message);
    if (status == LC_OK)
        status = reserve(r, rows, words, message);
    if (status == LC_OK && r->is_whole)
        status = lc_universe_read(r->universe, &before, message);
    if (status != LC_OK)
        return status;
    status = change(context, r->universe, area, message);
    if (!r->is_whole) {
        r->has_changed = true;
        return status;
    }
    for (size_t i = 0; i < rows; i++) {
        const int64_t y = area->y + (int64_t)i;
        const lc_cells row = lc_row_cells(area->x, y, area->width_cells, r->after);
        lc_message *const said = status == LC_OK ? message : NULL;
        const lc_status read = lc_universe_read(r->universe, &row, said);
        if (read != LC_OK)
            return status != LC_OK ? status : read; // the universe is lost
        note(r, area->x, y, area->width_cells, band + i * words, r->after);
    }
    return status;
}

// Steps ------------------------------------------------------------------------------------------

// Copies row `row` of a step's patch, its changed cells, to r->after.
static void read_row(lc_edit_record *r, const lc_edit_step *step, const lc_patch *p, int64_t row)
{
    const size_t words = lc_patch_row_words(p);
    if (!p->is_full) {
        memcpy(r->after, step->words + p->first_word + (size_t)row * words,
               words * sizeof *r->after);
        return;
    }
    memset(r->after, 0xff, words * sizeof *r->after);
    if (p->width_cells % 64 != 0)
        r->after[words - 1] = (UINT64_C(1) << p->width_cells % 64) - 1;
}

static lc_status toggle_row(lc_edit_record *r, const lc_edit_step *step, const lc_patch *p,
                            int64_t row, lc_message *message)
{
    const lc_cells old = lc_row_cells(p->x, p->y + row, p->width_cells, r->before);
    const lc_cells now = lc_row_cells(p->x, p->y + row, p->width_cells, r->after);
    const lc_status status = lc_universe_read(r->universe, &old, message);
    if (status != LC_OK)
        return status;
    read_row(r, step, p, row);
    for (size_t i = 0; i < lc_patch_row_words(p); i++)
        r->after[i] ^= r->before[i];
    return lc_universe_write(r->universe, &now, message);
}

// Undoes the rows before `row`, the last one first. So the universe had memory for every state on
// the way.
static bool toggle_back(lc_edit_record *r, const lc_edit_step *step, size_t patch, int64_t row)
{
    for (;;) {
        for (; row > 0; row--) {
            if (r->gives_up != NULL) // a sign of life; the answer is known
                (void)r->gives_up(r->context);
            if (toggle_row(r, step, &step->patches[patch], row - 1, NULL) != LC_OK)
                return false;
        }
        if (patch == 0)
            return true;
        row = step->patches[--patch].height_cells;
    }
}

static bool go_back(lc_edit_record *r, const lc_edit_step *step, size_t patch, int64_t row)
{
    if (r->has_snapshot && lc_universe_end_snapshot(r->universe, true)) {
        r->has_snapshot = false;
        return true;
    }
    return r->is_whole && toggle_back(r, step, patch, row);
}

bool lc_edit_record_go_back(lc_edit_record *r)
{
    const bool is_back = !r->has_changed || go_back(r, &r->step, r->step.patch_count, 0);
    lc_edit_record_end(r);
    return is_back;
}

// Reserves memory in an unbounded universe for the cells that a step makes differ from the
// background.
static lc_status ask_for_room(lc_edit_record *r, const lc_edit_step *step, lc_message *message)
{
    const bool background = lc_universe_background(r->universe);
    double live = 0;
    lc_area box = {0};
    if (lc_is_bounded(r->universe))
        return LC_OK;
    for (size_t i = 0; i < step->patch_count; i++) {
        const lc_patch *p = &step->patches[i];
        for (int64_t row = 0; row < p->height_cells; row++) {
            lc_status status = lc_edit_record_read(r, p->x, p->y + row, p->width_cells, message);
            if (status != LC_OK)
                return status;
            read_row(r, step, p, row);
            for (size_t k = 0; k < lc_patch_row_words(p); k++) {
                const uint64_t others = background ? ~r->before[k] : r->before[k];
                r->after[k] &= ~others;
                live += __builtin_popcountll(r->after[k]);
            }
            lc_area_widen(&box, r->after, p->width_cells, p->x, p->y + row, false);
        }
    }
    lc_status status = LC_OK;
    if (!lc_area_is_empty(box))
        status = lc_area_reserve(r->universe, box, message);
    return status == LC_OK ? lc_universe_check_room(r->universe, live, 1, message) : status;
}

lc_status lc_edit_record_toggle(lc_edit_record *r, lc_universe *universe, const lc_edit_step *step,
                                bool *is_whole, lc_message *message)
{
    *is_whole = true;
    r->universe = universe;
    r->is_whole = true; // the step is the record
    r->done_words = 0;
    lc_status status = ask_for_room(r, step, message);
    if (status != LC_OK)
        return status;
    r->has_snapshot = lc_universe_take_snapshot(universe);
    for (size_t i = 0; i < step->patch_count; i++) {
        const lc_patch *p = &step->patches[i];
        for (int64_t row = 0; row < p->height_cells; row++) {
            status = ask(r, lc_patch_row_words(p), message);
            if (status == LC_OK)
                status = toggle_row(r, step, p, row, message);
            if (status == LC_OK)
                continue;
            *is_whole = go_back(r, step, i, row);
            lc_edit_record_end(r);
            return status;
        }
    }
    lc_edit_record_end(r);
    return LC_OK;
}
