// Transposed boards: gathers rows from the columns, which are stored as rows.
#include "engine/simd/simd_turned.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/cell_hash.h"

void lc_turned_map(const lc_rule *rule, uint8_t table[64])
{
    enum { SIDE = 3, CELLS = SIDE * SIDE };
    memset(table, 0, 64);
    for (unsigned n = 0; n < 1 << CELLS; n++) {
        unsigned turned = 0;
        for (unsigned i = 0; i < CELLS; i++)
            turned |= (n >> i & 1) << (i % SIDE * SIDE + i / SIDE);
        table[n / 8] |= (uint8_t)(lc_rule_next(rule, turned) << (7 - n % 8));
    }
}

uint64_t lc_turned_read(const lc_grid *grid, int64_t y)
{
    uint64_t word = 0;
    for (int64_t x = 0; x < grid->height_cells; x++)
        word |= (uint64_t)lc_grid_get(grid, y, x) << x;
    return word;
}

void lc_turned_write(const lc_grid *grid, int64_t x, int64_t y, int64_t width_cells, uint64_t word)
{
    for (int64_t i = 0; i < width_cells; i++)
        lc_grid_set(grid, y, x + i, word >> i & 1);
}

uint64_t lc_turned_hash(const lc_grid *grid, int64_t y0, int64_t y1)
{
    uint64_t hash = 0;
    for (int64_t y = (y1 - 1) & ~INT64_C(63); y >= y0; y -= 64) {
        uint64_t rows[64] = {0};
        for (int64_t x = 0; x < grid->height_cells; x++)
            rows[x] = lc_grid_row(grid, x)[y / 64];
        lc_bits_transpose(rows);
        for (int64_t i = 64; i > 0; i--)
            if (y + i <= y1)
                hash = lc_hash_below(rows[i - 1], hash);
    }
    return lc_hash_moved(hash, 0, y0);
}

lc_status lc_turned_count(const lc_view *squares, const lc_grid *grid, const lc_level *level,
                          lc_pool *pool, lc_message *message)
{
    const size_t size = squares->counts != NULL ? sizeof *squares->counts : sizeof *squares->tones;
    size_t bytes;
    void *looked = NULL;
    if (lc_mul_size((size_t)squares->width, (size_t)squares->height, &bytes) &&
        lc_mul_size(bytes, size, &bytes))
        looked = lc_malloc(bytes);
    if (looked == NULL)
        return lc_fail_memory(message, "a picture");
    lc_view turned = *squares;
    turned.x = squares->y, turned.y = squares->x;
    turned.width = squares->height, turned.height = squares->width;
    turned.counts = squares->counts != NULL ? looked : NULL;
    turned.tones = squares->tones != NULL ? looked : NULL;
    lc_squares_count(&turned, grid, level, pool);
    for (int64_t y = 0; y < squares->height; y++) {
        for (int64_t x = 0; x < squares->width; x++) {
            const int64_t to = y * squares->width + x, from = x * squares->height + y;
            if (squares->counts != NULL)
                squares->counts[to] = turned.counts[from];
            else
                squares->tones[to] = turned.tones[from];
        }
    }
    lc_free(looked);
    return LC_OK;
}
