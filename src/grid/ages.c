// Stamps of cells, and what they say.
#include "grid/ages.h"

#include <math.h>
#include <string.h>

#include "base/least.h"

enum { ALIVE = 128, LIVE_STEPS = 8, TRAIL_STEPS = 12, STEPS = 128, PARTS = 256 };

static double threshold(int step, int steps)
{
    return exp2((double)step / steps);
}

uint8_t lc_age_code_of(bool alive, double generations)
{
    const int steps = alive ? LIVE_STEPS : TRAIL_STEPS;
    int step = 0;
    while (step < STEPS - 1 && 1 + generations >= threshold(step + 1, steps))
        step++;
    return (uint8_t)(alive ? ALIVE + step : STEPS - 1 - step);
}

// The clock --------------------------------------------------------------------------------------

bool lc_age_clock_tick(lc_age_clock *clock, double generation)
{
    if (clock->now > 0 && clock->generation[clock->now] >= generation)
        return false;
    if (clock->now == LC_AGE_TICKS - 1)
        return true;
    clock->generation[++clock->now] = generation;
    return false;
}

void lc_age_clock_merge(lc_age_clock *clock, uint16_t merged[LC_AGE_TICKS])
{
    // A tick joins the one before it if that makes cells older by a small part of their age, so
    // that errors of many merges stay small as well. So many parts are left of 2^53 generations
    // that LC_AGE_TICKS is more than them and the fresh ones.
    const double now = clock->generation[clock->now];
    const int fresh = clock->now - LC_AGE_FRESH_TICKS;
    int last = 0;
    merged[0] = 0;
    for (int tick = 1; tick <= clock->now; tick++) {
        const double generation = clock->generation[tick];
        if (last == 0 || tick > fresh ||
            (generation - clock->generation[last]) * PARTS > now - generation)
            clock->generation[++last] = generation;
        merged[tick] = (uint16_t)last;
    }
    clock->now = last;
}

void lc_age_clock_code(lc_age_clock *clock)
{
    const double now = clock->generation[clock->now];
    for (int alive = 0; alive < 2; alive++) {
        const int steps = alive ? LIVE_STEPS : TRAIL_STEPS;
        int step = 0;
        double next = threshold(1, steps);
        for (int tick = clock->now; tick > 0; tick--) { // ages rise
            const double above = 1 + (now - clock->generation[tick]);
            while (step < STEPS - 1 && above >= next)
                next = threshold(++step + 1, steps);
            clock->codes[alive][tick] = (uint8_t)(alive ? ALIVE + step : STEPS - 1 - step);
        }
    }
    clock->codes[0][0] = 0;
    clock->codes[1][0] = 255;
}

// Cells ------------------------------------------------------------------------------------------

void lc_age_cells_note(const lc_age_cells *c, int64_t row, uint16_t stamp)
{
    const size_t first = (size_t)(row * c->words);
    for (size_t i = first; i < first + (size_t)c->words; i++) {
        uint64_t changed = c->cells[i] ^ c->seen[i];
        if (changed == 0)
            continue;
        uint16_t *stamps = c->stamps + 64 * i;
        c->cells[i] = c->seen[i];
        c->touched[i] = stamp;
        for (; changed != 0; changed &= changed - 1)
            stamps[__builtin_ctzll(changed)] = stamp;
    }
}

// Whether a word has neither life nor a trail that can still be seen.
static bool is_blank(const lc_age_cells *c, const lc_age_clock *clock, size_t word)
{
    return c->cells[word] == 0 && clock->codes[0][c->touched[word]] == 0;
}

void lc_age_cells_codes(const lc_age_cells *c, const lc_age_clock *clock, int64_t x, int64_t y,
                        int64_t width, uint8_t *codes)
{
    const size_t row = (size_t)((y - c->y0) * c->words);
    for (int64_t at = x - c->x0, end = at + width, count; at < end; at += count) {
        const size_t word = row + (size_t)(at / 64);
        count = lc_least(end - at, 64 - at % 64);
        if (is_blank(c, clock, word)) {
            memset(codes, 0, (size_t)count);
        } else {
            const uint16_t *stamps = c->stamps + 64 * word + at % 64;
            const uint64_t bits = c->cells[word] >> at % 64;
            for (int64_t i = 0; i < count; i++)
                codes[i] = clock->codes[bits >> i & 1][stamps[i]];
        }
        codes += count;
    }
}

// Adds a row of cells to squares: how many are alive, and the sum of what their codes are above
// ALIVE. `from` is the first square's place among the columns that are held; it may be negative.
static void add_row(const lc_age_cells *c, const lc_age_clock *clock, int64_t row, int64_t from,
                    int log2_side, int64_t width, uint32_t *live, uint32_t *sums)
{
    const int64_t first = lc_greatest(0, from), end = from + (width << log2_side);
    const int64_t last = lc_least(c->words, (end + 63) / 64);
    for (int64_t i = first / 64; i < last; i++) {
        const size_t word = (size_t)(row * c->words + i);
        uint64_t bits = c->cells[word];
        if (i * 64 < from)
            bits &= ~UINT64_C(0) << (from - i * 64);
        if (end - i * 64 < 64)
            bits &= ~(~UINT64_C(0) << (end - i * 64));
        const uint16_t *stamps = c->stamps + 64 * word;
        for (; bits != 0; bits &= bits - 1) {
            const int bit = __builtin_ctzll(bits);
            const int64_t square = (i * 64 + bit - from) >> log2_side;
            live[square]++;
            sums[square] += clock->codes[1][stamps[bit]] - (uint32_t)ALIVE;
        }
    }
}

// The strongest trail of a square in which nothing lives: its columns and rows that are held.
static uint8_t trail_of(const lc_age_cells *c, const lc_age_clock *clock, int64_t x0, int64_t x1,
                        int64_t y0, int64_t y1)
{
    uint16_t latest = 0;
    for (int64_t row = y0; row < y1; row++)
        for (int64_t i = x0 / 64; i * 64 < x1; i++) {
            const size_t word = (size_t)(row * c->words + i);
            if (c->touched[word] <= latest)
                continue;
            const int64_t begin = lc_greatest(x0, i * 64), end = lc_least(x1, i * 64 + 64);
            for (int64_t x = begin; x < end; x++)
                if (c->stamps[64 * word + (size_t)(x - i * 64)] > latest)
                    latest = c->stamps[64 * word + (size_t)(x - i * 64)];
        }
    return clock->codes[0][latest];
}

void lc_age_cells_squares(const lc_age_cells *c, const lc_age_clock *clock, int64_t x, int64_t y,
                          int log2_side, int64_t width, const lc_tones *table, uint32_t *work,
                          uint8_t *codes, uint8_t *tones)
{
    const int64_t side = INT64_C(1) << log2_side, from = x - c->x0;
    const int64_t y0 = lc_greatest(0, y - c->y0), y1 = lc_least(c->height, y - c->y0 + side);
    uint32_t *live = work, *sums = work + width;
    memset(work, 0, 2 * (size_t)width * sizeof *work);
    for (int64_t row = y0; row < y1; row++)
        add_row(c, clock, row, from, log2_side, width, live, sums);
    if (tones != NULL)
        lc_tones_of_counts(table, live, (size_t)width, tones);
    for (int64_t i = 0; codes != NULL && i < width; i++) {
        const int64_t begin = from + i * side;
        const int64_t x0 = lc_greatest(0, begin), x1 = lc_least(64 * c->words, begin + side);
        codes[i] = live[i] != 0 ? (uint8_t)(ALIVE + sums[i] / live[i])
                   : x0 < x1    ? trail_of(c, clock, x0, x1, y0, y1)
                                : 0;
    }
}
