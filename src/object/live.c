// See live.h.
#include "object/live.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernels/hash.h"
#include "object/union_find.h"

enum { BITS_MIN = 64 }; // cells that are worth a map of bits when they are sorted

void lc_live_free(lc_live *live)
{
    lc_free(live->at);
    *live = (lc_live){0};
}

static bool reserve(lc_live *live, size_t more)
{
    size_t count;
    return lc_add_size(live->count, more, &count) &&
           lc_grow(&live->at, &live->room, count, sizeof *live->at);
}

bool lc_live_add(lc_live *live, int64_t x, int64_t y)
{
    if (live->count == live->room && !reserve(live, 1))
        return false;
    live->at[live->count++] = (lc_live_cell){x, y};
    return true;
}

bool lc_live_add_bits(lc_live *live, int64_t x, int64_t y, const uint64_t *words, int64_t length)
{
    for (int64_t i = 0; i < length; i += 64) {
        uint64_t word = words[i / 64];
        if (length - i < 64)
            word &= (UINT64_C(1) << (length - i)) - 1;
        for (; word != 0; word &= word - 1)
            if (!lc_live_add(live, x + i + __builtin_ctzll(word), y))
                return false;
    }
    return true;
}

bool lc_live_add_all(lc_live *live, const lc_live *more)
{
    if (!reserve(live, more->count))
        return false;
    for (size_t i = 0; i < more->count; i++)
        live->at[live->count++] = more->at[i];
    return true;
}

int lc_live_compare(const lc_live_cell *a, const lc_live_cell *b)
{
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

static int compare(const void *a, const void *b)
{
    return lc_live_compare(a, b);
}

// Sorts cells that lie close together as bits of their box: in time proportional to their number.
// Returns false, and changes nothing, if they lie too far apart, or if out of memory.
static bool sort_as_bits(lc_live *live)
{
    const lc_box box = lc_live_box(live);
    if (live->count < BITS_MIN || box.width_cells > INT64_MAX / box.height_cells - 64)
        return false;
    const int64_t row_words = (box.width_cells + 63) / 64;
    if ((uint64_t)(row_words * box.height_cells) > live->count)
        return false;
    uint64_t *bits = lc_calloc((size_t)(row_words * box.height_cells), sizeof *bits);
    if (bits == NULL)
        return false;
    for (size_t i = 0; i < live->count; i++) {
        const int64_t x = live->at[i].x - box.x, y = live->at[i].y - box.y;
        bits[y * row_words + x / 64] |= UINT64_C(1) << x % 64;
    }
    live->count = 0; // the cells fit: they are no more than before
    for (int64_t y = 0; y < box.height_cells; y++)
        (void)lc_live_add_bits(live, box.x, box.y + y, bits + y * row_words, row_words * 64);
    lc_free(bits);
    return true;
}

void lc_live_sort(lc_live *live)
{
    size_t kept = 0;
    bool sorted = true;
    for (size_t i = 1; i < live->count && sorted; i++)
        sorted = lc_live_compare(&live->at[i - 1], &live->at[i]) <= 0;
    if (!sorted && sort_as_bits(live))
        return;
    if (!sorted)
        qsort(live->at, live->count, sizeof *live->at, compare);
    for (size_t i = 0; i < live->count; i++)
        if (i == 0 || lc_live_compare(&live->at[i], &live->at[kept - 1]) != 0)
            live->at[kept++] = live->at[i];
    live->count = kept;
}

bool lc_live_equal(const lc_live *a, const lc_live *b, int64_t dx, int64_t dy)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i].x + dx != b->at[i].x || a->at[i].y + dy != b->at[i].y)
            return false;
    return true;
}

size_t lc_live_find(const lc_live *live, int64_t x, int64_t y)
{
    const lc_live_cell cell = {x, y};
    const lc_live_cell *found =
        live->count != 0 ? bsearch(&cell, live->at, live->count, sizeof cell, compare) : NULL;
    return found != NULL ? (size_t)(found - live->at) : live->count;
}

bool lc_live_has(const lc_live *live, int64_t x, int64_t y)
{
    return lc_live_find(live, x, y) != live->count;
}

uint64_t lc_live_hash(const lc_live *live)
{
    uint64_t hash = 0, weight = 0;
    for (size_t i = 0; i < live->count; i++) {
        const lc_live_cell cell = live->at[i], before = live->at[i == 0 ? 0 : i - 1];
        // The weight of a cell doubles with each column.
        if (i != 0 && cell.y == before.y && cell.x - before.x < 64)
            weight = lc_hash_times(weight, UINT64_C(1) << (cell.x - before.x));
        else
            weight = lc_hash_moved(1, cell.x, cell.y);
        hash = lc_hash_plus(hash, weight);
    }
    return lc_hash_canonical(hash);
}

lc_box lc_live_box(const lc_live *live)
{
    if (live->count == 0)
        return (lc_box){.empty = true};
    int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
    for (size_t i = 0; i < live->count; i++) {
        const lc_live_cell cell = live->at[i];
        left = cell.x < left ? cell.x : left;
        right = cell.x > right ? cell.x : right;
        top = cell.y < top ? cell.y : top;
        bottom = cell.y > bottom ? cell.y : bottom;
    }
    // Within LC_UNIVERSE_REACH of 0 a difference is at most 2^63, which a box gives as INT64_MAX.
    const uint64_t width = (uint64_t)right - (uint64_t)left,
                   height = (uint64_t)bottom - (uint64_t)top;
    return (lc_box){
        .x = left,
        .y = top,
        .width_cells = width < INT64_MAX ? (int64_t)width + 1 : INT64_MAX,
        .height_cells = height < INT64_MAX ? (int64_t)height + 1 : INT64_MAX,
    };
}

// Joins cell i with the cells of row y that are at most `reach` columns away. The first of these
// cells is cell *from or a later one.
static void join_row(const lc_live *live, uint32_t *up, uint32_t i, size_t *from, int64_t y,
                     int64_t reach)
{
    const lc_live_cell cell = live->at[i];
    while (*from < i && (live->at[*from].y < y ||
                         (live->at[*from].y == y && live->at[*from].x < cell.x - reach)))
        (*from)++;
    for (size_t k = *from; k < i && live->at[k].y == y && live->at[k].x <= cell.x + reach; k++)
        (void)lc_set_join(up, (uint32_t)k, i);
}

size_t lc_live_groups(const lc_live *live, bool square, uint32_t *group_of, uint32_t *scratch)
{
    size_t from[3] = {0};
    for (uint32_t i = 0; i < live->count; i++) {
        scratch[i] = i;
        join_row(live, scratch, i, &from[0], live->at[i].y, 2);
        join_row(live, scratch, i, &from[1], live->at[i].y - 1, 2);
        join_row(live, scratch, i, &from[2], live->at[i].y - 2, square ? 2 : 1);
    }
    // A root is the first cell of its group, so groups are numbered in the order of their cells.
    return lc_set_number(scratch, (uint32_t)live->count, group_of);
}
