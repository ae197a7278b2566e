// Keeps the stamps of cells and computes codes of ages from them.
#include "grid/age_stamps.h"

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
    // A tick is merged with the one before it if that makes its cells older by only a small part of
    // their age. So the errors of many merges stay small too. LC_AGE_TICKS exceeds the number of
    // ticks that remain for 2^53 generations, fresh ticks included.
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
        for (int tick = clock->now; tick > 0; tick--) { // ages rise as ticks fall
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

// Returns whether a word has neither live cells nor a visible trail.
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

// Sums of a row of squares. `from`: column of the first square relative to the cells; it may be
// negative.
typedef struct squares {
    int64_t from, width;
    int log2_side;
    // Live cells; the sum of their codes above ALIVE; the latest stamp of a dead square.
    uint32_t *live, *sums, *latest;
} squares;

// Adds the live cells of a word that begins with column `begin`.
static void add_live(const squares *s, const lc_age_clock *clock, int64_t begin, uint64_t bits,
                     const uint16_t *stamps)
{
    const int64_t end = s->from + (s->width << s->log2_side);
    if (begin < s->from)
        bits &= ~UINT64_C(0) << (s->from - begin);
    if (end - begin < 64)
        bits &= ~(~UINT64_C(0) << (end - begin));
    for (; bits != 0; bits &= bits - 1) {
        const int bit = __builtin_ctzll(bits);
        const int64_t square = (begin + bit - s->from) >> s->log2_side;
        s->live[square]++;
        s->sums[square] += clock->codes[1][stamps[bit]] - (uint32_t)ALIVE;
    }
}

// Finds the latest stamp in each column of a word, in its rows with a visible trail. Stamps are
// below 2^15, so signed vectors, which every CPU compares, can hold them.
static bool find_latest(const lc_age_cells *c, const lc_age_clock *clock, int64_t i, int64_t y0,
                        int64_t y1, int16_t *restrict latest)
{
    bool found = false;
    for (int64_t row = y0; row < y1; row++) {
        const size_t word = (size_t)(row * c->words + i);
        if (clock->codes[0][c->touched[word]] == 0)
            continue;
        const int16_t *restrict stamps = (const int16_t *)(c->stamps + 64 * word);
        if (!found)
            memset(latest, 0, 64 * sizeof *latest);
        found = true;
        for (int k = 0; k < 64; k++)
            latest[k] = stamps[k] > latest[k] ? stamps[k] : latest[k];
    }
    return found;
}

// Returns whether a square with cells in the word has no live cells.
static bool has_dead_square(const squares *s, int64_t begin)
{
    const int64_t first = (lc_greatest(begin, s->from) - s->from) >> s->log2_side;
    const int64_t last = lc_least((begin + 63 - s->from) >> s->log2_side, s->width - 1);
    for (int64_t square = first; square <= last; square++)
        if (s->live[square] == 0)
            return true;
    return false;
}

// Adds the stamps of `latest` to the squares without live cells.
static void add_trails(const squares *s, int64_t begin, const int16_t latest[64])
{
    const int log2 = s->log2_side < 6 ? s->log2_side : 6, side = 1 << log2;
    for (int k = 0; k < 64; k += side) {
        const int64_t square = (begin + k - s->from) >> s->log2_side;
        if (begin + k < s->from || square >= s->width || s->live[square] != 0)
            continue;
        for (int j = k; j < k + side; j++)
            if ((uint32_t)latest[j] > s->latest[square])
                s->latest[square] = (uint32_t)latest[j];
    }
}

void lc_age_cells_squares(const lc_age_cells *c, const lc_age_clock *clock, int64_t x, int64_t y,
                          int log2_side, int64_t width, const lc_tones *table, uint32_t *work,
                          uint8_t *codes, uint8_t *tones)
{
    const int64_t side = INT64_C(1) << log2_side, from = x - c->x0;
    const int64_t y0 = lc_greatest(0, y - c->y0), y1 = lc_least(c->height, y - c->y0 + side);
    const int64_t first = lc_greatest(0, from) / 64;
    const int64_t last = lc_least(c->words, (from + width * side + 63) / 64);
    const squares s = {from, width, log2_side, work, work + width, work + 2 * width};
    memset(work, 0, 3 * (size_t)width * sizeof *work);
    for (int64_t row = y0; row < y1; row++)
        for (int64_t i = first; i < last; i++) {
            const size_t word = (size_t)(row * c->words + i);
            add_live(&s, clock, 64 * i, c->cells[word], c->stamps + 64 * word);
        }
    // Needs the squares without live cells, known from here on.
    for (int64_t i = first; i < last; i++) {
        int16_t latest[64];
        if (has_dead_square(&s, 64 * i) && find_latest(c, clock, i, y0, y1, latest))
            add_trails(&s, 64 * i, latest);
    }
    if (tones != NULL)
        lc_tones_of_counts(table, s.live, (size_t)width, tones);
    for (int64_t i = 0; i < width; i++)
        if (s.live[i] != 0)
            codes[i] = (uint8_t)(ALIVE + s.sums[i] / s.live[i]);
        else
            codes[i] = clock->codes[0][s.latest[i]];
}
