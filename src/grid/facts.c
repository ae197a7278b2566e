// Computes facts of a grid's rows. Each row is read for all facts while it is in the L1 cache.
#include "grid/facts.h"

#include "base/area.h"
#include "base/least.h"
#include "base/ones.h"
#include "grid/cell_hash.h"

// A longer row is processed in pieces of this many words, to stay in the L1 cache.
enum { PIECE_WORDS = 2048 };

// Number of words in a row; last_mask: the bits of the last word that are cells.
static inline size_t row_words(const lc_grid *grid)
{
    return (size_t)((grid->width_cells + 63) / 64);
}

static inline uint64_t last_mask(const lc_grid *grid)
{
    return ~(uint64_t)0 >> (-grid->width_cells & 63);
}

static bool row_is_empty(const uint64_t *row, size_t last, uint64_t mask)
{
    size_t i = 0;
    for (; i + 8 <= last; i += 8) // the compiler makes one vector test of eight words
        if ((row[i] | row[i + 1] | row[i + 2] | row[i + 3] | row[i + 4] | row[i + 5] | row[i + 6] |
             row[i + 7]) != 0)
            return false;
    uint64_t any = row[last] & mask;
    for (; i < last; i++)
        any |= row[i];
    return any == 0;
}

static lc_box box_of(const lc_grid *grid, int64_t y0, int64_t y1)
{
    size_t last = row_words(grid) - 1;
    uint64_t mask = last_mask(grid);
    while (y0 < y1 && row_is_empty(lc_grid_row(grid, y0), last, mask))
        y0++;
    while (y0 < y1 && row_is_empty(lc_grid_row(grid, y1 - 1), last, mask))
        y1--;
    if (y0 >= y1)
        return (lc_box){.empty = true};

    // A row is searched only where it could extend the columns found so far.
    size_t first_word = last, last_word = 0;
    uint64_t first_or = 0, last_or = 0; // OR of these two words over all rows
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

// Adds a row to the population and to the hash of the rows below it, from its last piece to its
// first.
static void add_row(const uint64_t *row, size_t last, uint64_t mask, unsigned which,
                    uint64_t *population, uint64_t *hash_below)
{
    const uint64_t end = row[last] & mask;
    uint64_t hash = end;
    if ((which & LC_FACT_POPULATION) != 0)
        *population += (uint64_t)__builtin_popcountll(end);
    for (size_t begin, stop = last; stop > 0; stop = begin) {
        begin = (stop - 1) / PIECE_WORDS * PIECE_WORDS;
        if ((which & LC_FACT_POPULATION) != 0)
            *population += lc_ones_of(row + begin, stop - begin);
        if ((which & LC_FACT_HASH) != 0)
            hash = lc_hash_words(row + begin, stop - begin, hash);
    }
    if ((which & LC_FACT_HASH) != 0)
        *hash_below = lc_hash_below(hash, *hash_below);
}

lc_facts lc_grid_facts(const lc_grid *grid, int64_t y0, int64_t y1, unsigned which)
{
    const size_t last = row_words(grid) - 1;
    const uint64_t mask = last_mask(grid);
    uint64_t population = 0, hash = 0;
    if ((which & (LC_FACT_POPULATION | LC_FACT_HASH)) != 0)
        for (int64_t y = y1; y > y0; y--)
            add_row(lc_grid_row(grid, y - 1), last, mask, which, &population, &hash);
    lc_facts facts = {.population = lc_count_of(population),
                      .box = {.empty = true},
                      .hash = lc_hash_moved(hash, 0, y0)};
    if ((which & LC_FACT_BOX) != 0)
        facts.box = box_of(grid, y0, y1);
    return facts;
}

lc_facts lc_cells_facts(const lc_cells *cells, unsigned which)
{
    lc_facts all = {.box = {.empty = true}};
    const unsigned by_plane = cells->planes > 1 ? which & ~(unsigned)LC_FACT_POPULATION : which;
    for (int plane = cells->planes - 1; plane >= 0; plane--) {
        const lc_grid grid = {.words = lc_cells_plane(cells, plane, 0),
                              .pitch_words = cells->pitch_words,
                              .width_cells = cells->width_cells,
                              .height_cells = cells->height_cells};
        const lc_facts one = lc_grid_facts(&grid, 0, cells->height_cells, by_plane);
        all.population = one.population;
        all.box = lc_box_union(all.box, one.box);
        all.hash = lc_hash_of_planes(one.hash, all.hash);
    }
    uint64_t population = 0;
    for (int64_t i = 0; i < cells->height_cells && by_plane != which; i++)
        population += (uint64_t)lc_row_population(cells, i, 0, cells->width_cells);
    if (by_plane != which)
        all.population = lc_count_of(population);
    return all;
}

lc_facts lc_facts_joined(const lc_facts *a, const lc_facts *b)
{
    lc_facts all = {.box = lc_box_union(a->box, b->box), .hash = lc_hash_joined(a->hash, b->hash)};
    (void)lc_count_add(a->population, b->population, &all.population); // cannot overflow
    return all;
}

lc_facts lc_facts_moved(const lc_facts *facts, int64_t columns, int64_t rows)
{
    lc_facts moved = *facts;
    if (!moved.box.empty) {
        moved.box.x += columns;
        moved.box.y += rows;
    }
    moved.hash = lc_hash_moved(moved.hash, columns, rows);
    return moved;
}
