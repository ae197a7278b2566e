// Copies rectangles of cells out of a universe and into it: the cells that the cover holds, and the
// background around them.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "cover/cover_fill.h"
#include "universe/universe_internal.h"

// Checks a rectangle, and replaces 0 planes by those of the rule.
static lc_status check(const lc_universe *u, lc_cells *cells, lc_area *area, lc_message *message)
{
    int64_t beyond;
    const int planes = lc_rule_traits(u->rule)->planes;
    *area = (lc_area){.x0 = cells->x, .y0 = cells->y};
    if (cells->width_cells < 0 || cells->height_cells < 0 ||
        __builtin_add_overflow(cells->x, cells->width_cells, &area->x1) ||
        __builtin_add_overflow(cells->y, cells->height_cells, &area->y1) ||
        __builtin_add_overflow(area->x1, 63, &beyond))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "%lld x %lld cells at (%lld, %lld) are no rectangle of 64-bit coordinates",
                       (long long)cells->width_cells, (long long)cells->height_cells,
                       (long long)cells->x, (long long)cells->y);
    if (cells->planes != 0 && cells->planes != planes)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the rectangle has %d plane%s: cells of this rule have %d", cells->planes,
                       cells->planes == 1 ? "" : "s", planes);
    cells->planes = planes;
    const uint64_t row_words = ((uint64_t)cells->width_cells + 63) / 64;
    if (cells->height_cells > 1 && cells->pitch_words < row_words)
        return lc_fail(message, LC_ERROR_ARGUMENT, "rows of %llu words cannot lie %zu words apart",
                       (unsigned long long)row_words, cells->pitch_words);
    if (planes > 1 && cells->height_cells > 0 && cells->plane_words < row_words)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the planes of a row of %llu words cannot lie %zu words apart",
                       (unsigned long long)row_words, cells->plane_words);
    return LC_OK;
}

// Returns whether that part of the cells begins at a word.
static bool begins_word(const lc_cells *cells, lc_area part)
{
    return (part.x0 - cells->x) % 64 == 0;
}

// Returns that part of the cells; it must begin at a word.
static lc_cells part_of(const lc_cells *cells, lc_area part)
{
    lc_cells some = *cells;
    some.x = part.x0;
    some.y = part.y0;
    some.width_cells = part.x1 - part.x0;
    some.height_cells = part.y1 - part.y0;
    some.words = lc_cells_row(cells, part.y0 - cells->y) + (part.x0 - cells->x) / 64;
    return some;
}

static bool within(bool is_free, int64_t size, int64_t begin, int64_t end)
{
    return is_free ? begin >= -LC_UNIVERSE_REACH && end <= LC_UNIVERSE_REACH + 1
                   : begin >= 0 && end <= size;
}

bool lc_has_area(const lc_universe *u, lc_area area)
{
    return within(u->free_x, u->topology.width_cells, area.x0, area.x1) &&
           within(u->free_y, u->topology.height_cells, area.y0, area.y1);
}

lc_status lc_check_within(const lc_universe *u, lc_area area, lc_message *message)
{
    if (lc_has_area(u, area))
        return LC_OK;
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "%lld x %lld cells at (%lld, %lld) are not inside the universe",
                   (long long)(area.x1 - area.x0), (long long)(area.y1 - area.y0),
                   (long long)area.x0, (long long)area.y0);
}

// Reading ----------------------------------------------------------------------------------------

// Reads the stored cells x0 .. x1 - 1 of row y, all of them held.
static lc_status read_span(const lc_universe *u, int64_t x0, int64_t x1, int64_t y,
                           const lc_cells *to, lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    const int64_t most = lc_span_cells_max(to->planes);
    for (int64_t x = x0, count; x < x1; x += count) {
        count = lc_least(x1 - x, most - (x & 63)); // the next one begins with a word
        const lc_cells cells = lc_span_cells(x, y, count, to->planes, span);
        const lc_status status = u->cover->vtable->read(u->cover, &cells, message);
        if (status != LC_OK)
            return status;
        lc_cells_copy(to, y - to->y, x - to->x, &cells, 0, 0, count);
    }
    return LC_OK;
}

lc_status lc_universe_read(const lc_universe *u, const lc_cells *stated, lc_message *message)
{
    lc_area area;
    lc_cells cells = *stated, *to = &cells;
    LC_RETURN_FAILURE(u, message);
    lc_status status = check(u, to, &area, message);
    if (status != LC_OK || lc_area_is_empty(area))
        return status;
    const size_t row_words = (size_t)((to->width_cells + 63) / 64);
    const lc_area exists = lc_area_intersection(area, lc_world_of(u));
    const lc_area held = lc_area_intersection(area, lc_held_by(u));
    for (int64_t j = 0; j < to->height_cells; j++) {
        for (int plane = 0; plane < to->planes; plane++)
            memset(lc_cells_plane(to, plane, j), 0, row_words * sizeof *to->words);
        if (u->background && !lc_area_is_empty(exists) && to->y + j >= exists.y0 &&
            to->y + j < exists.y1)
            lc_bits_fill(lc_cells_row(to, j), exists.x0 - to->x, exists.x1 - exists.x0, true);
    }
    if (lc_area_is_empty(held))
        return LC_OK;
    if (begins_word(to, held) && !u->background) {
        const lc_cells part = part_of(to, held);
        return u->cover->vtable->read(u->cover, &part, message);
    }
    for (int64_t y = held.y0; y < held.y1 && status == LC_OK; y++) {
        status = read_span(u, held.x0, held.x1, y, to, message);
        if (u->background) // stored cells are differences from it
            lc_bits_flip(lc_cells_row(to, y - to->y), held.x0 - to->x, held.x1 - held.x0);
    }
    return status;
}

lc_status lc_universe_read_alive(const lc_universe *u, const lc_cells *to, lc_message *message)
{
    uint64_t words[LC_SPAN_WORDS];
    const int planes = lc_rule_traits(u->rule)->planes;
    if (planes == 1)
        return lc_universe_read(u, to, message);
    const lc_area area = {to->x, to->y, to->x + to->width_cells, to->y + to->height_cells};
    for (int64_t y = area.y0; y < area.y1; y++) {
        for (int64_t x = area.x0, width; x < area.x1; x += width) {
            width = lc_least(area.x1 - x, lc_span_cells_max(planes));
            const lc_cells piece = lc_span_cells(x, y, width, planes, words);
            const lc_status status = lc_universe_read(u, &piece, message);
            if (status != LC_OK)
                return status;
            uint64_t *row = lc_cells_row(to, y - area.y0) + (x - area.x0) / 64;
            for (size_t i = 0; i < piece.plane_words; i++)
                row[i] = lc_cells_live_word(&piece, 0, (int64_t)i);
        }
    }
    return LC_OK;
}

// Writing ----------------------------------------------------------------------------------------

// Finds the ends in one plane.
static bool find_ends_in_plane(const uint64_t *words, int64_t length, bool background,
                               int64_t *begin, int64_t *end)
{
    const uint64_t same = background ? ~UINT64_C(0) : 0;
    int64_t first = 0, last = (length - 1) / 64;
    const uint64_t last_word = (words[last] ^ same) & ~UINT64_C(0) >> (64 * (last + 1) - length);
    while (first < last && words[first] == same)
        first++;
    uint64_t low = first < last ? words[first] ^ same : last_word, high = last_word;
    while (high == 0 && last > first)
        high = words[--last] ^ same;
    if (high == 0)
        return false;
    *begin = first * 64 + __builtin_ctzll(low);
    *end = last * 64 + 64 - __builtin_clzll(high);
    return true;
}

bool lc_find_ends(const lc_cells *cells, int64_t i, bool background, int64_t *begin, int64_t *end)
{
    bool found = false;
    for (int plane = 0; plane < cells->planes; plane++) {
        int64_t first, last;
        if (!find_ends_in_plane(lc_cells_plane(cells, plane, i), cells->width_cells, background,
                                &first, &last))
            continue;
        *begin = found ? lc_least(*begin, first) : first;
        *end = found ? lc_greatest(*end, last) : last;
        found = true;
    }
    return found;
}

// Finds the bounding box of the cells that differ from the background. Returns false if none does.
static bool find_area(const lc_universe *u, const lc_cells *from, lc_area *area)
{
    *area = (lc_area){0};
    for (int64_t j = 0; j < from->height_cells; j++) {
        int64_t begin, end;
        if (!lc_find_ends(from, j, u->background, &begin, &end))
            continue;
        const int64_t y = from->y + j;
        *area = lc_area_union(*area, (lc_area){from->x + begin, y, from->x + end, y + 1});
    }
    return !lc_area_is_empty(*area);
}

static lc_status refuse_state(const lc_universe *u, int64_t x, int64_t y, int state,
                              lc_message *message)
{
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "cell (%lld, %lld) has state %d: the rule has states 0 to %d", (long long)x,
                   (long long)y, state, lc_rule_traits(u->rule)->states - 1);
}

// Refuses a state that the rule lacks.
static lc_status check_states_of(const lc_universe *u, const lc_cells *from, lc_message *message)
{
    int64_t wrong;
    for (int64_t j = 0; j < from->height_cells; j++) {
        const int state = lc_cells_find_above(from, j, lc_rule_traits(u->rule)->states, &wrong);
        if (state != 0)
            return refuse_state(u, from->x + wrong, from->y + j, state, message);
    }
    return LC_OK;
}

lc_status lc_universe_write(lc_universe *u, const lc_cells *stated, lc_message *message)
{
    lc_area area, needed;
    lc_cells cells = *stated, *from = &cells;
    lc_status status = lc_check_changeable(u, message);
    if (status == LC_OK)
        status = check(u, from, &area, message);
    if (status == LC_OK)
        status = check_states_of(u, from, message);
    if (status == LC_OK)
        status = lc_check_within(u, area, message);
    if (status != LC_OK || lc_area_is_empty(area))
        return status;
    if (find_area(u, from, &needed))
        status = u->cover->vtable->include(u->cover, needed, message);
    // All else is background and stays so.
    const lc_area held = lc_area_intersection(area, lc_held_by(u));
    if (status != LC_OK || lc_area_is_empty(held))
        return status;
    if (begins_word(from, held) && !u->background) {
        const lc_cells part = part_of(from, held);
        return u->cover->vtable->write(u->cover, &part, message);
    }
    for (int64_t y = held.y0; y < held.y1 && status == LC_OK; y++)
        status = lc_cover_write_row(u->cover, held.x0, held.x1, y, from, y - from->y,
                                    held.x0 - from->x, u->background,
                                    message); // stored cells differ from it
    return status;
}

// States -----------------------------------------------------------------------------------------

// Describes the box as cells without words, whose rows follow each other.
static lc_status check_states(const lc_universe *u, const lc_box *box, size_t pitch_bytes,
                              lc_cells *cells, lc_area *area, lc_message *message)
{
    const size_t row_words = ((uint64_t)box->width_cells + 63) / 64;
    const int planes = lc_rule_traits(u->rule)->planes;
    *cells = (lc_cells){.x = box->x,
                        .y = box->y,
                        .width_cells = box->width_cells,
                        .height_cells = box->height_cells,
                        .planes = planes,
                        .pitch_words = row_words * (size_t)planes,
                        .plane_words = row_words};
    const lc_status status = check(u, cells, area, message);
    if (status != LC_OK || box->height_cells <= 1 || pitch_bytes >= (uint64_t)box->width_cells)
        return status;
    return lc_fail(message, LC_ERROR_ARGUMENT, "rows of %lld states cannot lie %zu bytes apart",
                   (long long)box->width_cells, pitch_bytes);
}

lc_status lc_universe_read_states(const lc_universe *u, const lc_box *box, uint8_t *states,
                                  size_t pitch_bytes, lc_message *message)
{
    uint64_t words[LC_SPAN_WORDS];
    lc_cells all;
    lc_area area;
    LC_RETURN_FAILURE(u, message);
    lc_status status = check_states(u, box, pitch_bytes, &all, &area, message);
    if (status != LC_OK || lc_area_is_empty(area))
        return status;
    const int64_t columns = lc_least(all.width_cells, lc_span_cells_max(all.planes));
    const lc_area row = {0, 0, columns, 1};
    const int64_t rows = LC_SPAN_WORDS / (int64_t)lc_area_row_words(row, all.planes);
    for (lc_area part = area; part.y0 < area.y1 && status == LC_OK; part.y0 = part.y1) {
        part.y1 = lc_least(area.y1, part.y0 + rows);
        for (part.x0 = area.x0; part.x0 < area.x1 && status == LC_OK; part.x0 = part.x1) {
            part.x1 = lc_least(area.x1, part.x0 + columns);
            const lc_cells piece = lc_area_cells(part, all.planes, words);
            status = lc_universe_read(u, &piece, message);
            for (int64_t j = 0; j < piece.height_cells && status == LC_OK; j++)
                lc_cells_unpack(&piece, j,
                                states + (size_t)(piece.y - area.y0 + j) * pitch_bytes +
                                    (piece.x - area.x0));
        }
    }
    return status;
}

// Returns the first cell whose state the rule does not have, or `width`.
static int64_t find_wrong_state(const uint8_t *states, int64_t width, int rule_states)
{
    int64_t i = 0;
    while (i < width && states[i] < rule_states)
        i++;
    return i;
}

lc_status lc_universe_write_states(lc_universe *u, const lc_box *box, const uint8_t *states,
                                   size_t pitch_bytes, lc_message *message)
{
    lc_cells cells;
    lc_area area;
    size_t size_words;
    lc_status status = lc_check_changeable(u, message);
    if (status == LC_OK)
        status = check_states(u, box, pitch_bytes, &cells, &area, message);
    if (status == LC_OK)
        status = lc_check_within(u, area, message);
    if (status != LC_OK || lc_area_is_empty(area))
        return status;
    cells.words = lc_mul_size(cells.pitch_words, (size_t)cells.height_cells, &size_words)
                      ? lc_calloc(size_words, sizeof *cells.words)
                      : NULL;
    if (cells.words == NULL)
        return lc_fail_memory(message, "the states of a rectangle");
    for (int64_t j = 0; j < box->height_cells && status == LC_OK; j++) {
        const uint8_t *row = states + (size_t)j * pitch_bytes;
        const int64_t i = find_wrong_state(row, box->width_cells, lc_rule_traits(u->rule)->states);
        if (i < box->width_cells)
            status = refuse_state(u, box->x + i, box->y + j, row[i], message);
        else
            lc_cells_pack(&cells, j, row);
    }
    if (status == LC_OK)
        status = lc_universe_write(u, &cells, message);
    lc_free(cells.words);
    return status;
}

// Adding -----------------------------------------------------------------------------------------

lc_status lc_merge_cells(lc_universe *u, int64_t x, int64_t y, const lc_added *added,
                         lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    const int planes = lc_rule_traits(u->rule)->planes;
    const int64_t most = lc_span_cells_max(planes);
    const int64_t held_end = lc_held_by(u).x1, end = x + added->length;
    int64_t from_bit = added->from_bit;
    while (x < end) {
        // Whole words where cells are held, so that reads and writes need no shift.
        const int64_t begin = x & ~INT64_C(63), offset = x - begin;
        const int64_t count = lc_least(end - x, most - offset);
        const int64_t width =
            lc_extent_within(begin, held_end, (offset + count + 63) & ~INT64_C(63));
        const lc_cells cells = lc_span_cells(begin, y, width, planes, span);
        lc_status status = u->cover->vtable->read(u->cover, &cells, message);
        if (u->background)
            lc_bits_flip(span, 0, width);
        if (added->row == NULL)
            lc_cells_fill(&cells, 0, offset, count, added->state);
        else
            lc_cells_merge(&cells, 0, offset, added->row, 0, from_bit, count);
        if (u->background)
            lc_bits_flip(span, 0, width);
        if (status == LC_OK)
            status = u->cover->vtable->write(u->cover, &cells, message);
        if (status != LC_OK)
            return status;
        x += count;
        from_bit += count;
    }
    return LC_OK;
}
