// See support_live.h.
#include "support_live.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "support_facts.h"

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

static void add(live_cells *cells, live_cell cell)
{
    if ((cells->count & (cells->count + 1)) == 0) {
        cells->at = realloc(cells->at, (2 * cells->count + 2) * sizeof *cells->at);
        if (cells->at == NULL)
            abort();
    }
    cells->at[cells->count++] = cell;
}

live_cells live_read(const lc_universe *universe)
{
    live_cells cells = {0};
    const lc_box box = test_box(universe);
    if (box.empty)
        return cells;
    const size_t words = (size_t)(box.width_cells + 63) / 64;
    uint64_t *row = allocate(words, sizeof *row);
    for (int64_t y = box.y; y < box.y + box.height_cells; y++) {
        memset(row, 0, words * sizeof *row);
        if (test_read_row(universe, box.x, y, box.width_cells, row) != LC_OK)
            abort();
        for (size_t i = 0; i < words; i++)
            for (uint64_t word = row[i]; word != 0; word &= word - 1)
                add(&cells, (live_cell){box.x + (int64_t)i * 64 + __builtin_ctzll(word), y});
    }
    free(row);
    return cells;
}

void live_free(live_cells *cells)
{
    free(cells->at);
    *cells = (live_cells){0};
}

bool live_equal(const live_cells *a, const live_cells *b, int64_t dx, int64_t dy)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++)
        equal = a->at[i].x + dx == b->at[i].x && a->at[i].y + dy == b->at[i].y;
    return equal;
}

// The first cell by rows stays the first wherever cells are moved.
bool live_alike(const live_cells *a, const live_cells *b)
{
    if (a->count == 0 || a->count != b->count)
        return a->count == b->count;
    return live_equal(a, b, b->at[0].x - a->at[0].x, b->at[0].y - a->at[0].y);
}

static bool is_in(const lc_box *box, live_cell cell)
{
    return !box->empty && cell.x >= box->x && cell.x < box->x + box->width_cells &&
           cell.y >= box->y && cell.y < box->y + box->height_cells;
}

live_cells live_within(const live_cells *cells, const lc_box *box, bool inside)
{
    live_cells some = {0};
    for (size_t i = 0; i < cells->count; i++)
        if (is_in(box, cells->at[i]) == inside)
            add(&some, cells->at[i]);
    return some;
}

static int compare_cells(const void *a, const void *b)
{
    const live_cell *one = a, *other = b;
    if (one->y != other->y)
        return one->y < other->y ? -1 : 1;
    return one->x < other->x ? -1 : one->x > other->x;
}

live_cells live_others(const live_cells *all, const live_cells *some)
{
    live_cells others = {0};
    for (size_t i = 0, k = 0; i < all->count; i++) {
        while (k < some->count && compare_cells(&some->at[k], &all->at[i]) < 0)
            k++;
        if (k == some->count || compare_cells(&some->at[k], &all->at[i]) != 0)
            add(&others, all->at[i]);
    }
    return others;
}

static size_t root_of(size_t *up, size_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

size_t live_pieces(const live_cells *cells, size_t **piece_of)
{
    size_t *up = allocate(cells->count, sizeof *up), count = 0;
    size_t starts[3] = {0}; // of what is left of each row at most two above
    for (size_t i = 0; i < cells->count; i++) {
        const live_cell c = cells->at[i];
        up[i] = i;
        for (int above = 0; above <= 2; above++) {
            size_t *j = &starts[above];
            while (*j < i && (cells->at[*j].y < c.y - above ||
                              (cells->at[*j].y == c.y - above && cells->at[*j].x < c.x - 2)))
                (*j)++;
            for (size_t k = *j; k < i && cells->at[k].y == c.y - above && cells->at[k].x <= c.x + 2;
                 k++)
                up[root_of(up, k)] = root_of(up, i);
        }
    }
    size_t *pieces = allocate(cells->count, sizeof *pieces);
    for (size_t i = 0; i < cells->count; i++)
        if (root_of(up, i) == i)
            pieces[i] = count++;
    for (size_t i = 0; i < cells->count; i++)
        pieces[i] = pieces[root_of(up, i)];
    free(up);
    *piece_of = pieces;
    return count;
}

static live_cells turned(const live_cells *cells, int way)
{
    live_cells made = {0};
    for (size_t i = 0; i < cells->count; i++) {
        live_cell c = cells->at[i];
        c.x = way & 1 ? -c.x : c.x;
        c.y = way & 2 ? -c.y : c.y;
        add(&made, way & 4 ? (live_cell){c.y, c.x} : c);
    }
    qsort(made.at, made.count, sizeof *made.at, compare_cells);
    return made;
}

live_shapes live_shapes_of(lc_universe *universe, uint64_t phases)
{
    lc_message message = {0};
    live_shapes s = {.count = 8 * phases, .cells_min = SIZE_MAX};
    s.shapes = allocate(s.count, sizeof *s.shapes);
    for (uint64_t phase = 0; phase < phases; phase++) {
        live_cells cells = live_read(universe);
        for (int way = 0; way < 8; way++)
            s.shapes[8 * phase + (uint64_t)way] = turned(&cells, way);
        s.cells_min = cells.count < s.cells_min ? cells.count : s.cells_min;
        s.cells_max = cells.count > s.cells_max ? cells.count : s.cells_max;
        live_free(&cells);
        if (lc_universe_step(universe, lc_count_of(1), NULL, NULL, &message) != LC_OK)
            abort();
    }
    return s;
}

void live_shapes_free(live_shapes *shapes)
{
    for (size_t i = 0; i < shapes->count; i++)
        live_free(&shapes->shapes[i]);
    free(shapes->shapes);
    *shapes = (live_shapes){0};
}

static bool is_object(const live_cells *piece, const live_shapes *object)
{
    if (piece->count < object->cells_min || piece->count > object->cells_max)
        return false;
    for (size_t i = 0; i < object->count; i++)
        if (live_alike(piece, &object->shapes[i]))
            return true;
    return false;
}

size_t live_count_objects(const live_cells *cells, const live_shapes *object, const lc_box *box,
                          live_cells *rest)
{
    size_t *piece_of, count = 0;
    const size_t pieces = live_pieces(cells, &piece_of);
    live_cells *all = allocate(pieces, sizeof *all);
    bool *counts = allocate(pieces, sizeof *counts);
    for (size_t i = 0; i < cells->count; i++)
        add(&all[piece_of[i]], cells->at[i]);
    for (size_t i = 0; i < pieces; i++) {
        counts[i] = is_object(&all[i], object);
        for (size_t k = 0; box != NULL && counts[i] && k < all[i].count; k++)
            counts[i] = !is_in(box, all[i].at[k]);
        count += counts[i];
        live_free(&all[i]);
    }
    if (rest != NULL) {
        *rest = (live_cells){0};
        for (size_t i = 0; i < cells->count; i++)
            if (!counts[piece_of[i]])
                add(rest, cells->at[i]);
    }
    free(counts);
    free(all);
    free(piece_of);
    return count;
}
