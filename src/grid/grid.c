// The dense rectangle: its memory, and facts about its rows.
//
// The pitch is a whole number of cache lines, and never a multiple of 4 KiB: rows that far apart
// share their cache sets, and a stepper that walks down a column would evict its own rows. Only
// rows shorter than a line are packed: a board one cell wide shall not take a line for each cell.
#include "grid/grid.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernels/hash_word.h"

enum { LINE_WORDS = 8, PAGE_WORDS = 512, SLACK_BYTES = 1024 };

// The layout of a grid of that size, all but its memory; false if anything overflows.
static bool lay_out(lc_grid *grid, int64_t width_cells, int64_t height_cells,
                    int64_t margin_columns, int64_t margin_rows)
{
    const int64_t limit = INT64_C(1) << 62; // keeps each sum below inside 64 bits
    if (width_cells < 1 || height_cells < 1 || margin_columns < 0 || margin_rows < 0 ||
        width_cells > limit / 2 || margin_columns > limit / 8 || height_cells > limit / 2 ||
        margin_rows > limit / 8)
        return false;
    int64_t left_words = (margin_columns + 63) / 64;
    int64_t words = left_words + (width_cells + margin_columns + 63) / 64;
    if (words > LINE_WORDS)
        words = (words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    if (words % PAGE_WORDS == 0)
        words += LINE_WORDS;
    uint64_t cells_bytes, size_bytes;
    if (!lc_mul_u64((uint64_t)words * 8, (uint64_t)(height_cells + 2 * margin_rows),
                    &cells_bytes) ||
        !lc_add_u64(cells_bytes, SLACK_BYTES, &size_bytes) || size_bytes > PTRDIFF_MAX)
        return false;
    *grid = (lc_grid){
        .size_bytes = (size_t)size_bytes,
        .pitch_words = (size_t)words,
        .width_cells = width_cells,
        .height_cells = height_cells,
        .margin_rows = margin_rows,
        .left_cells = left_words * 64,
        .right_cells = (words - left_words) * 64 - width_cells,
    };
    return true;
}

bool lc_grid_bytes(int64_t width_cells, int64_t height_cells, int64_t margin_columns,
                   int64_t margin_rows, uint64_t *size_bytes)
{
    lc_grid grid;
    if (!lay_out(&grid, width_cells, height_cells, margin_columns, margin_rows))
        return false;
    *size_bytes = grid.size_bytes;
    return true;
}

lc_status lc_grid_init(lc_grid *grid, int64_t width_cells, int64_t height_cells,
                       int64_t margin_columns, int64_t margin_rows)
{
    if (!lay_out(grid, width_cells, height_cells, margin_columns, margin_rows)) {
        *grid = (lc_grid){0};
        return LC_ERROR_LIMIT;
    }
    grid->words = lc_alloc_pages(grid->size_bytes);
    if (grid->words == NULL) {
        *grid = (lc_grid){0};
        return LC_ERROR_MEMORY;
    }
    return LC_OK;
}

void lc_grid_free(lc_grid *grid)
{
    if (grid == NULL)
        return;
    if (grid->words != NULL)
        lc_free_pages(grid->words, grid->size_bytes);
    *grid = (lc_grid){0};
}

bool lc_grid_get(const lc_grid *grid, int64_t x, int64_t y)
{
    return lc_grid_row(grid, y)[x >> 6] >> (x & 63) & 1;
}

void lc_grid_set(lc_grid *grid, int64_t x, int64_t y, bool alive)
{
    uint64_t *word = lc_grid_row(grid, y) + (x >> 6);
    uint64_t bit = (uint64_t)1 << (x & 63);
    *word = alive ? *word | bit : *word & ~bit;
}

// Words of a row, and which bits of the last one are cells.
static inline size_t row_words(const lc_grid *grid)
{
    return (size_t)((grid->width_cells + 63) / 64);
}

static inline uint64_t last_mask(const lc_grid *grid)
{
    return ~(uint64_t)0 >> (-grid->width_cells & 63);
}

uint64_t lc_grid_population(const lc_grid *grid, int64_t y0, int64_t y1)
{
    size_t last = row_words(grid) - 1;
    uint64_t mask = last_mask(grid);
    uint64_t population = 0;
    for (int64_t y = y0; y < y1; y++) {
        const uint64_t *row = lc_grid_row(grid, y);
        for (size_t i = 0; i < last; i++)
            population += (uint64_t)__builtin_popcountll(row[i]);
        population += (uint64_t)__builtin_popcountll(row[last] & mask);
    }
    return population;
}

static bool row_is_empty(const uint64_t *row, size_t last, uint64_t mask)
{
    size_t i = 0;
    for (; i + 8 <= last; i += 8) // no early leave inside: eight words become one vector test
        if ((row[i] | row[i + 1] | row[i + 2] | row[i + 3] | row[i + 4] | row[i + 5] | row[i + 6] |
             row[i + 7]) != 0)
            return false;
    uint64_t any = row[last] & mask;
    for (; i < last; i++)
        any |= row[i];
    return any == 0;
}

lc_box lc_grid_bounding_box(const lc_grid *grid, int64_t y0, int64_t y1)
{
    size_t last = row_words(grid) - 1;
    uint64_t mask = last_mask(grid);
    while (y0 < y1 && row_is_empty(lc_grid_row(grid, y0), last, mask))
        y0++;
    while (y0 < y1 && row_is_empty(lc_grid_row(grid, y1 - 1), last, mask))
        y1--;
    if (y0 >= y1)
        return (lc_box){.empty = true};

    // Columns: each row is searched only where it could move an end outwards.
    size_t first_word = last, last_word = 0;
    uint64_t first_or = 0, last_or = 0; // what stands in those two words, over all rows
    for (int64_t y = y0; y < y1; y++) {
        const uint64_t *row = lc_grid_row(grid, y);
        for (size_t i = 0; i <= first_word; i++) {
            uint64_t word = i == last ? row[i] & mask : row[i];
            if (word != 0) {
                first_or = i < first_word ? word : first_or | word;
                first_word = i;
                break;
            }
        }
        for (size_t i = last + 1; i-- > last_word;) {
            uint64_t word = i == last ? row[i] & mask : row[i];
            if (word != 0) {
                last_or = i > last_word ? word : last_or | word;
                last_word = i;
                break;
            }
        }
    }
    int64_t left = (int64_t)first_word * 64 + __builtin_ctzll(first_or);
    int64_t right = (int64_t)last_word * 64 + 63 - __builtin_clzll(last_or);
    return (lc_box){.x = left, .y = y0, .width_cells = right - left + 1, .height_cells = y1 - y0};
}

lc_box lc_box_union(lc_box a, lc_box b)
{
    if (a.empty)
        return b;
    if (b.empty)
        return a;
    int64_t left = a.x < b.x ? a.x : b.x;
    int64_t top = a.y < b.y ? a.y : b.y;
    int64_t a_right = a.x + a.width_cells, b_right = b.x + b.width_cells;
    int64_t a_bottom = a.y + a.height_cells, b_bottom = b.y + b.height_cells;
    return (lc_box){.x = left,
                    .y = top,
                    .width_cells = (a_right > b_right ? a_right : b_right) - left,
                    .height_cells = (a_bottom > b_bottom ? a_bottom : b_bottom) - top};
}

uint64_t lc_hash_word(uint64_t word, int64_t column, int64_t y)
{
    return lc_hash_of_word(word, lc_hash_row_key(y) + (uint64_t)column * LC_HASH_COLUMN_FACTOR);
}

uint64_t lc_grid_hash(const lc_grid *grid, int64_t y0, int64_t y1, int64_t origin_x,
                      int64_t origin_y)
{
    size_t last = row_words(grid) - 1;
    uint64_t mask = last_mask(grid);
    uint64_t hash = 0;
    for (int64_t y = y0; y < y1; y++) {
        const uint64_t *row = lc_grid_row(grid, y);
        uint64_t key =
            lc_hash_row_key(origin_y + y) + (uint64_t)(origin_x >> 6) * LC_HASH_COLUMN_FACTOR;
        for (size_t i = 0; i < last; i++, key += LC_HASH_COLUMN_FACTOR)
            hash += lc_hash_of_word(row[i], key);
        hash += lc_hash_of_word(row[last] & mask, key);
    }
    return hash;
}
