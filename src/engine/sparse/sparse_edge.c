// Computes tiles beside the edges of a board.
#include "engine/sparse/sparse_edge.h"

#include <string.h>

#include "base/least.h"
#include "grid/unfold.h"

enum { WINDOW_CELLS = 2 * LC_TILE_CELLS, MARGIN = LC_TILE_CELLS / 2 };

// The cells of a tile's window, on the plane that the board unfolds into.
static lc_cells window_area(const lc_tile *t)
{
    return (lc_cells){.x = lc_tile_cell(t->layer, t->x) - MARGIN,
                      .y = lc_tile_cell(t->layer, t->y) - MARGIN,
                      .width_cells = WINDOW_CELLS,
                      .height_cells = WINDOW_CELLS};
}

// Calls `call` with the place of each tile that a piece shows.
typedef struct places {
    int layer;
    lc_edge_call call;
    void *context;
} places;

static lc_status call_with_places(void *context, const lc_unfolded *piece)
{
    const places *p = context;
    lc_status status = LC_OK;
    if (piece->is_dead)
        return LC_OK;
    const int64_t last_x = lc_tile_place(p->layer, piece->x + piece->width_cells - 1);
    const int64_t last_y = lc_tile_place(p->layer, piece->y + piece->height_cells - 1);
    for (int64_t y = lc_tile_place(p->layer, piece->y); y <= last_y; y++)
        for (int64_t x = lc_tile_place(p->layer, piece->x); x <= last_x && status == LC_OK; x++)
            status = p->call(p->context, p->layer, x, y);
    return status;
}

static bool is_within(int64_t begin, int64_t end, int64_t side)
{
    return side == 0 || (begin >= 0 && end <= side);
}

bool lc_edge_is_near(const lc_surface *s, int layer, int64_t x, int64_t y)
{
    const int64_t left = lc_tile_cell(layer, x) - LC_TILE_CELLS;
    const int64_t top = lc_tile_cell(layer, y) - LC_TILE_CELLS;
    return !is_within(left, left + 3 * LC_TILE_CELLS, s->width_cells) ||
           !is_within(top, top + 3 * LC_TILE_CELLS, s->height_cells);
}

lc_status lc_edge_around(const lc_plane *plane, const lc_tile *t, lc_edge_call call, void *context)
{
    const lc_cells area = window_area(t);
    places p = {1 - t->layer, call, context};
    return lc_unfold(&plane->surface, &area, call_with_places, &p);
}

// Windows -----------------------------------------------------------------------------------------

// A window under construction, with one word for each row.
typedef struct view {
    const lc_plane *plane;
    int layer, copy; // of the source tiles
    lc_cells area;
    lc_unfolded piece;
    uint64_t shown[WINDOW_CELLS]; // cells of the piece
    uint64_t rows[WINDOW_CELLS];
    uint64_t may_live[WINDOW_CELLS];
} view;

// Adds a tile's cells within the piece.
static lc_status add_tile(void *context, int layer, int64_t x, int64_t y)
{
    view *v = context;
    const lc_unfolded *p = &v->piece;
    const lc_tile_index index = lc_plane_find(v->plane, layer, x, y);
    if (index == 0)
        return LC_OK;
    const uint32_t *cells = lc_tile_cells(v->plane, lc_tile_at(v->plane, index), v->copy);
    const int64_t right = lc_tile_cell(layer, x) - p->x, below = lc_tile_cell(layer, y) - p->y;
    const uint64_t wanted = UINT64_MAX >> (64 - p->width_cells);
    for (int64_t row = lc_greatest(0, below);
         row < lc_least(p->height_cells, below + LC_TILE_CELLS); row++) {
        const uint64_t bits = cells[lc_tile_word((int)(row - below))];
        v->shown[row] |= (right >= 0 ? bits << right : bits >> -right) & wanted;
    }
    return LC_OK;
}

static lc_status add_piece(void *context, const lc_unfolded *piece)
{
    view *v = context;
    const int64_t x = piece->plane_x - v->area.x, y = piece->plane_y - v->area.y;
    const uint64_t columns = UINT64_MAX >> (64 - piece->columns) << x;
    if (piece->is_dead)
        return LC_OK;
    memset(v->shown, 0, sizeof v->shown);
    v->piece = *piece;
    places tiles = {v->layer, add_tile, v};
    (void)call_with_places(&tiles, piece);
    lc_unfolded_turn(piece, v->shown);
    for (int64_t row = 0; row < piece->rows; row++) {
        v->rows[y + row] |= v->shown[row] << x;
        v->may_live[y + row] |= columns;
    }
    return LC_OK;
}

// Clears cells beyond the edges: they belong to other tiles or are off the board. Returns the
// population.
static int kill_beyond(const lc_surface *s, const lc_tile *t, uint32_t cells[LC_TILE_WORDS])
{
    const int64_t x = lc_tile_cell(t->layer, t->x), y = lc_tile_cell(t->layer, t->y);
    uint32_t columns = UINT32_MAX;
    if (s->width_cells != 0 && x < 0)
        columns &= UINT32_MAX << -x;
    if (s->width_cells != 0 && x + LC_TILE_CELLS > s->width_cells)
        columns &= UINT32_MAX >> (x + LC_TILE_CELLS - s->width_cells);
    for (int row = 0; row < LC_TILE_CELLS; row++) {
        const bool beyond = s->height_cells != 0 && (y + row < 0 || y + row >= s->height_cells);
        cells[lc_tile_word(row)] &= beyond ? 0 : columns;
    }
    return lc_tile_population(cells);
}

int lc_edge_step(const lc_plane *plane, const lc_tile *t, int copy, int generations,
                 const lc_edge_rule *rule, uint32_t cells[LC_TILE_WORDS])
{
    view v = {.plane = plane, .layer = 1 - t->layer, .copy = copy, .area = window_area(t)};
    _Alignas(64) uint32_t tiles[4][LC_TILE_WORDS], middle[LC_TILE_WORDS] = {0};
    (void)lc_unfold(&plane->surface, &v.area, add_piece, &v);
    for (int row = 0; row < WINDOW_CELLS; row++) {
        const int upper = row / LC_TILE_CELLS * 2, word = lc_tile_word(row % LC_TILE_CELLS);
        tiles[upper][word] = (uint32_t)v.rows[row];
        tiles[upper + 1][word] = (uint32_t)(v.rows[row] >> LC_TILE_CELLS);
    }
    const lc_window w = {.tiles = {tiles[0], tiles[1], tiles[2], tiles[3]},
                         .middle = middle,
                         .generations = generations,
                         .rules = rule->rules,
                         .may_live = v.may_live};
    (void)rule->step_window(&w);
    memcpy(cells, middle, sizeof middle);
    return kill_beyond(&plane->surface, t, cells);
}
