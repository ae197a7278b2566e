#include "grid/planes.h"

#include <string.h>

#include "grid/grid.h"

bool lc_cells_row_is_dead(const lc_cells *cells, int64_t i)
{
    const int64_t words = (cells->width_cells + 63) / 64;
    uint64_t any = 0;
    for (int64_t w = 0; w < words; w++)
        any |= lc_cells_live_word(cells, i, w);
    return any == 0;
}

void lc_cells_copy(const lc_cells *to, int64_t to_i, int64_t to_bit, const lc_cells *from,
                   int64_t from_i, int64_t from_bit, int64_t count)
{
    for (int plane = 0; plane < to->planes; plane++) {
        uint64_t *words = lc_cells_plane(to, plane, to_i);
        if (plane < from->planes)
            lc_bits_copy(words, to_bit, lc_cells_plane(from, plane, from_i), from_bit, count);
        else
            lc_bits_fill(words, to_bit, count, false);
    }
}

void lc_cells_copy_reversed(const lc_cells *to, int64_t to_i, int64_t to_bit, const lc_cells *from,
                            int64_t from_i, int64_t from_bit, int64_t count)
{
    for (int plane = 0; plane < to->planes; plane++)
        lc_bits_copy_reversed(lc_cells_plane(to, plane, to_i), to_bit,
                              lc_cells_plane(from, plane, from_i), from_bit, count);
}

// Returns `count` <= 64 bits of a string, from bit `bit` on.
static uint64_t bits_at(const uint64_t *words, int64_t bit, int64_t count)
{
    uint64_t word = 0;
    lc_bits_copy(&word, 0, words, bit, count);
    return word;
}

void lc_cells_merge(const lc_cells *to, int64_t to_i, int64_t to_bit, const lc_cells *from,
                    int64_t from_i, int64_t from_bit, int64_t count)
{
    if (to->planes == 1) {
        lc_bits_or(lc_cells_row(to, to_i), to_bit, lc_cells_row(from, from_i), from_bit, count);
        return;
    }
    for (int64_t done = 0, now; done < count; done += now) {
        uint64_t live = 0;
        now = lc_least(count - done, 64);
        for (int plane = 0; plane < from->planes; plane++)
            live |= bits_at(lc_cells_plane(from, plane, from_i), from_bit + done, now);
        for (int plane = 0; plane < to->planes; plane++) {
            uint64_t *words = lc_cells_plane(to, plane, to_i);
            const uint64_t old = bits_at(words, to_bit + done, now) & ~live;
            const uint64_t merged =
                plane < from->planes
                    ? old | bits_at(lc_cells_plane(from, plane, from_i), from_bit + done, now)
                    : old;
            lc_bits_copy(words, to_bit + done, &merged, 0, now);
        }
    }
}

void lc_cells_fill(const lc_cells *to, int64_t i, int64_t bit, int64_t count, int state)
{
    for (int plane = 0; plane < to->planes; plane++)
        lc_bits_fill(lc_cells_plane(to, plane, i), bit, count, state >> plane & 1);
}

int lc_cells_find_above(const lc_cells *cells, int64_t i, int states, int64_t *at)
{
    enum { PIECE = 512 };
    uint8_t piece[PIECE];
    if (1 << cells->planes <= states)
        return 0;
    for (int64_t x = 0; x < cells->width_cells; x += PIECE) {
        lc_cells part = *cells;
        part.words += x / 64;
        part.width_cells = lc_least(cells->width_cells - x, PIECE);
        lc_cells_unpack(&part, i, piece);
        for (int64_t k = 0; k < part.width_cells; k++) {
            *at = x + k;
            if (piece[k] >= states)
                return piece[k];
        }
    }
    return 0;
}

int64_t lc_row_population(const lc_cells *cells, int64_t i, int64_t begin, int64_t end)
{
    if (cells->planes <= 1)
        return lc_bits_count(lc_cells_row(cells, i), begin, end);
    int64_t count = 0;
    for (int64_t x = begin, now; x < end; x += now) {
        const uint64_t live = lc_cells_live_word(cells, i, x / 64);
        now = lc_least(end - x, 64 - x % 64);
        count += __builtin_popcountll(live >> x % 64 << (64 - now));
    }
    return count;
}

void lc_cells_unpack(const lc_cells *cells, int64_t i, uint8_t *states)
{
    for (int64_t x = 0; x < cells->width_cells; x++) {
        unsigned state = 0;
        for (int plane = 0; plane < cells->planes; plane++)
            state |= (unsigned)(lc_cells_plane(cells, plane, i)[x / 64] >> x % 64 & 1) << plane;
        states[x] = (uint8_t)state;
    }
}

void lc_cells_pack(const lc_cells *cells, int64_t i, const uint8_t *states)
{
    const size_t words = (size_t)((cells->width_cells + 63) / 64);
    for (int plane = 0; plane < cells->planes; plane++) {
        uint64_t *row = lc_cells_plane(cells, plane, i);
        memset(row, 0, words * sizeof *row);
        for (int64_t x = 0; x < cells->width_cells; x++)
            row[x / 64] |= (uint64_t)(states[x] >> plane & 1) << x % 64;
    }
}
