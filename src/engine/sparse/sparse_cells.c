// Reads, writes and seeks cells of the sparse engine, and computes facts.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/sparse/sparse.h"
#include "level/tile.h"

enum { SIDE = LC_TILE_CELLS };

// Reading -----------------------------------------------------------------------------------------

// Returns the number of tile places that a rectangle touches, at most UINT64_MAX.
static uint64_t places(int layer, const lc_cells *cells)
{
    uint64_t product;
    const int64_t wide = lc_tile_place(layer, cells->x + cells->width_cells - 1) -
                         lc_tile_place(layer, cells->x) + 1;
    const int64_t high = lc_tile_place(layer, cells->y + cells->height_cells - 1) -
                         lc_tile_place(layer, cells->y) + 1;
    return lc_mul_u64((uint64_t)wide, (uint64_t)high, &product) ? product : UINT64_MAX;
}

lc_status lc_sparse_read(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    lc_sparse *s = (lc_sparse *)engine;
    const lc_status status = lc_sparse_show(s, message);
    if (status != LC_OK || to->width_cells == 0 || to->height_cells == 0)
        return status;
    const int layer = lc_sparse_layer(s);
    for (int64_t y = 0; y < to->height_cells; y++)
        memset(lc_cells_row(to, y), 0, (size_t)((to->width_cells + 63) / 64) * sizeof(uint64_t));
    if (places(layer, to) > s->plane.used_count) {
        const int64_t x1 = to->x + to->width_cells, y1 = to->y + to->height_cells;
        const lc_tile *t;
        for (lc_tile_index i = 0; (t = lc_plane_next(&s->plane, layer, &i)) != NULL;) {
            const int64_t x = lc_tile_cell(layer, t->x), y = lc_tile_cell(layer, t->y);
            if (x > to->x - SIDE && x < x1 && y > to->y - SIDE && y < y1)
                lc_tile_read(lc_sparse_cells(s, i), x, y, to);
        }
        return LC_OK;
    }
    const int64_t last_x = lc_tile_place(layer, to->x + to->width_cells - 1);
    const int64_t last_y = lc_tile_place(layer, to->y + to->height_cells - 1);
    for (int64_t y = lc_tile_place(layer, to->y); y <= last_y; y++) {
        for (int64_t x = lc_tile_place(layer, to->x); x <= last_x; x++) {
            const lc_tile_index i = lc_plane_find(&s->plane, layer, x, y);
            if (i != 0)
                lc_tile_read(lc_sparse_cells(s, i), lc_tile_cell(layer, x), lc_tile_cell(layer, y),
                             to);
        }
    }
    return LC_OK;
}

// Writing -----------------------------------------------------------------------------------------

// Makes the tiles that will receive live cells, so that writing itself cannot run out of memory.
static lc_status make_tiles(lc_sparse *s, const lc_cells *from, size_t *count, lc_message *message)
{
    const int layer = lc_sparse_layer(s);
    const int64_t last_x = lc_tile_place(layer, from->x + from->width_cells - 1);
    const int64_t last_y = lc_tile_place(layer, from->y + from->height_cells - 1);
    for (int64_t y = lc_tile_place(layer, from->y); y <= last_y; y++) {
        for (int64_t x = lc_tile_place(layer, from->x); x <= last_x; x++) {
            lc_tile_index made = 0;
            lc_status status = LC_OK;
            if (lc_tile_gets_life(lc_tile_cell(layer, x), lc_tile_cell(layer, y), from))
                status = lc_plane_make(&s->plane, layer, x, y, &made, message);
            if (status != LC_OK)
                return status;
            *count += 1;
        }
    }
    return LC_OK;
}

static void write_tile(lc_sparse *s, lc_tile_index index, const lc_cells *from)
{
    lc_tile *t = lc_tile_at(&s->plane, index);
    lc_tile_hash *name = &t->names[lc_sparse_copy(s, s->round)];
    uint32_t *cells = lc_tile_cells(&s->plane, t, lc_sparse_copy(s, s->round));
    if (s->view_counts.counts[0] != NULL)
        lc_view_counts_add(&s->view_counts, t, cells, true);
    const bool is_different =
        lc_tile_write(cells, lc_tile_cell(t->layer, t->x), lc_tile_cell(t->layer, t->y), from);
    if (s->view_counts.counts[0] != NULL)
        lc_view_counts_add(&s->view_counts, t, cells, false);
    if (!is_different)
        return;
    const int live = lc_tile_population(cells);
    s->populations[s->round % (uint64_t)lc_sparse_cycle(s)] +=
        live - lc_tile_hash_population(*name);
    *name = lc_tile_hash_of(&s->plane.secrets, cells, live);
    s->is_ordered = false;
    lc_sparse_note_write(s, index);
}

static lc_status prepare_write(lc_sparse *s, const lc_cells *from, lc_message *message)
{
    size_t count = 0;
    lc_status status = lc_sparse_settle(s, message);
    if (status == LC_OK)
        status = make_tiles(s, from, &count, message);
    return status == LC_OK ? lc_sparse_reserve_writes(s, count, message) : status;
}

lc_status lc_sparse_write(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    lc_sparse *s = (lc_sparse *)engine;
    if (from->width_cells == 0 || from->height_cells == 0)
        return LC_OK;
    lc_status status = prepare_write(s, from, message);
    if (status == LC_ERROR_LIMIT && lc_sparse_make_room(s))
        status = prepare_write(s, from, message);
    if (status != LC_OK)
        return status;
    const int layer = lc_sparse_layer(s);
    const int64_t last_x = lc_tile_place(layer, from->x + from->width_cells - 1);
    const int64_t last_y = lc_tile_place(layer, from->y + from->height_cells - 1);
    for (int64_t y = lc_tile_place(layer, from->y); y <= last_y; y++) {
        for (int64_t x = lc_tile_place(layer, from->x); x <= last_x; x++) {
            const lc_tile_index index = lc_plane_find(&s->plane, layer, x, y);
            if (index != 0)
                write_tile(s, index, from);
        }
    }
    return LC_OK;
}

// Seeking -----------------------------------------------------------------------------------------

static int compare_places(const void *a, const void *b, void *context)
{
    const lc_plane *plane = context;
    const lc_tile *p = lc_tile_at(plane, *(const lc_tile_index *)a);
    const lc_tile *q = lc_tile_at(plane, *(const lc_tile_index *)b);
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static lc_status put_in_order(lc_sparse *s, lc_message *message)
{
    if (s->is_ordered)
        return LC_OK;
    const lc_status status =
        lc_tile_list_reserve(&s->plane, &s->order, s->plane.used_count, message);
    if (status != LC_OK)
        return status;
    const int layer = lc_sparse_layer(s);
    s->order.count = 0;
    for (lc_tile_index i = 0; lc_plane_next(&s->plane, layer, &i) != NULL;)
        if (lc_tile_population(lc_sparse_cells(s, i)) != 0)
            s->order.items[s->order.count++] = i;
    if (s->order.count > 0)
        qsort_r(s->order.items, s->order.count, sizeof *s->order.items, compare_places, &s->plane);
    s->is_ordered = true;
    return LC_OK;
}

// Returns the position in `order` of the first tile at or after (x, y), in tiles.
static size_t first_from(const lc_sparse *s, int64_t x, int64_t y)
{
    size_t low = 0, high = s->order.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const lc_tile *t = lc_tile_at(&s->plane, s->order.items[middle]);
        if (t->y < y || (t->y == y && t->x < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Finds the next run in a row: adjacent tiles with live cells in that row.
static bool seek_in_row(const lc_sparse *s, int64_t x, int64_t x1, lc_cells *at)
{
    const int layer = lc_sparse_layer(s);
    const int64_t place_y = lc_tile_place(layer, at->y);
    const int word = lc_tile_word((int)(at->y - lc_tile_cell(layer, place_y)));
    int64_t end = 0;
    at->width_cells = 0;
    for (size_t i = first_from(s, lc_tile_place(layer, x), place_y); i < s->order.count; i++) {
        const lc_tile *t = lc_tile_at(&s->plane, s->order.items[i]);
        const int64_t tile_x = lc_tile_cell(layer, t->x);
        if (t->y != place_y || tile_x >= x1 || (at->width_cells > 0 && tile_x != end))
            break;
        if (lc_sparse_cells(s, s->order.items[i])[word] == 0) {
            if (at->width_cells > 0)
                break;
            continue;
        }
        if (at->width_cells == 0)
            at->x = lc_greatest(tile_x, x);
        end = tile_x + SIDE;
        at->width_cells = lc_least(end, x1) - at->x;
    }
    return at->width_cells > 0;
}

lc_status lc_sparse_seek(lc_engine *engine, const lc_area *within, lc_cells *at,
                         lc_message *message)
{
    lc_sparse *s = (lc_sparse *)engine;
    lc_status status = lc_sparse_show(s, message);
    if (status == LC_OK)
        status = put_in_order(s, message);
    const int layer = lc_sparse_layer(s);
    int64_t x = at->x;
    at->width_cells = 0;
    while (status == LC_OK && at->y < within->y1) {
        if (seek_in_row(s, x, within->x1, at))
            return LC_OK;
        x = within->x0;
        at->y++;
        // Go to the next row that has tiles.
        const size_t i = first_from(s, INT64_MIN, lc_tile_place(layer, at->y));
        if (i == s->order.count)
            break;
        at->y =
            lc_greatest(at->y, lc_tile_cell(layer, lc_tile_at(&s->plane, s->order.items[i])->y));
    }
    return status;
}

// Facts -------------------------------------------------------------------------------------------

lc_status lc_sparse_facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    (void)message;
    lc_sparse *s = (lc_sparse *)engine;
    *facts = (lc_facts){.box = {.empty = true}};
    const int64_t known = s->populations[s->round % (uint64_t)lc_sparse_cycle(s)];
    if (s->offset == 0)
        facts->population = lc_count_of((uint64_t)known);
    if (s->offset == 0 && which == LC_FACT_POPULATION)
        return LC_OK;
    lc_facts_cache_query(s, facts);
    return LC_OK;
}
