// Live cells of each square of a board, for downsampled views.
#include "engine/sparse/sparse_view_counts.h"

#include <string.h>

#include "base/least.h"

static const int64_t most_squares = INT64_C(1) << 24;

static size_t counts_bytes(const lc_view_counts *far)
{
    return (size_t)(far->width * far->height) * sizeof *far->counts[0];
}

// Counts the live cells in the quarters of a tile: upper left, upper right, lower left, lower
// right.
static void count_quarters(const uint32_t cells[LC_TILE_WORDS], uint32_t quarters[4])
{
    memset(quarters, 0, 4 * sizeof *quarters);
    for (int i = 0; i < LC_TILE_WORDS; i++) {
        const int lower = lc_tile_row(i) / (LC_TILE_CELLS / 2) * 2;
        quarters[lower] += (uint32_t)__builtin_popcount(cells[i] & 0xFFFF);
        quarters[lower + 1] += (uint32_t)__builtin_popcount(cells[i] >> 16);
    }
}

void lc_view_counts_add(const lc_view_counts *far, const lc_tile *t,
                        const uint32_t cells[LC_TILE_WORDS], bool goes)
{
    uint32_t quarters[4];
    const int64_t x = lc_tile_cell(t->layer, t->x), y = lc_tile_cell(t->layer, t->y);
    count_quarters(cells, quarters);
    for (int q = 0; q < 4; q++) {
        const int64_t square_x = (x + q % 2 * (LC_TILE_CELLS / 2)) >> LC_VIEW_COUNTS_LOG2;
        const int64_t square_y = (y + q / 2 * (LC_TILE_CELLS / 2)) >> LC_VIEW_COUNTS_LOG2;
        if (quarters[q] != 0) // live cells are on the board
            atomic_fetch_add_explicit(&far->counts[t->layer][square_y * far->width + square_x],
                                      goes ? 0 - quarters[q] : quarters[q], memory_order_relaxed);
    }
}

bool lc_view_counts_begin(lc_view_counts *far, lc_plane *plane)
{
    const lc_surface *s = &plane->surface;
    if (s->width_cells == 0 || s->height_cells == 0 || plane->copies != 1)
        return false;
    far->width = ((s->width_cells - 1) >> LC_VIEW_COUNTS_LOG2) + 1;
    far->height = ((s->height_cells - 1) >> LC_VIEW_COUNTS_LOG2) + 1;
    if (far->width > most_squares / far->height)
        return false;
    for (int layer = 0; layer < 2; layer++) {
        void *counts;
        if (lc_plane_take(plane, &counts, counts_bytes(far), NULL) != LC_OK) {
            lc_view_counts_end(far, plane);
            return false;
        }
        memset(counts, 0, counts_bytes(far));
        far->counts[layer] = counts;
    }
    for (lc_tile_index i = 1; i < lc_plane_end(plane); i++) {
        lc_tile *t = lc_tile_if_used(plane, i);
        if (t != NULL && lc_tile_hash_population(t->names[0]) != 0)
            lc_view_counts_add(far, t, lc_tile_cells(plane, t, 0), false);
    }
    return true;
}

void lc_view_counts_end(lc_view_counts *far, lc_plane *plane)
{
    for (int layer = 0; layer < 2; layer++)
        lc_plane_give(plane, far->counts[layer], counts_bytes(far));
    *far = (lc_view_counts){0};
}

void lc_view_counts_sum(const lc_view_counts *far, int layer, int64_t x, int64_t y, int log2_side,
                        int64_t width, int64_t height, uint32_t *counts)
{
    const int shift = log2_side - LC_VIEW_COUNTS_LOG2;
    const int64_t x1 = lc_least(far->width, x + (width << shift));
    const int64_t y1 = lc_least(far->height, y + (height << shift));
    memset(counts, 0, (size_t)(width * height) * sizeof *counts);
    for (int64_t j = lc_greatest(0, y); j < y1; j++) {
        const _Atomic(uint32_t) *row = far->counts[layer] + j * far->width;
        uint32_t *sums = counts + ((j - y) >> shift) * width;
        for (int64_t i = lc_greatest(0, x); i < x1; i++)
            sums[(i - x) >> shift] += atomic_load_explicit(&row[i], memory_order_relaxed);
    }
}
