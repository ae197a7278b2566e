// The tones of pictures: bytes that say how many cells of a square are alive. The same on the host
// and in kernels.
//
//     0                                                no cell is alive
//     max(1, round(255 * sqrt(live cells / cells)))    else
//
// In squares of 2^s cells a side, the tone is at least t, for t of 2 or more, if 255 sqrt(count /
// 4^s) >= t - 1/2; multiplied by 2 and squared, that is a comparison of integers. Both sides can be
// equal only at t = 128, since 255 has no square factor: there a half is rounded up.
#ifndef LC_KERNELS_TONE_H
#define LC_KERNELS_TONE_H

#include "cuda.h"

#define LC_TONE_COUNT_FACTOR 260100u // 510^2

// Counts reach the tone, 2 to 255, where LC_TONE_COUNT_FACTOR * count is this or more.
LC_INLINE lc_u64 lc_tone_threshold(int tone, int log2_side)
{
    const lc_u64 odd = 2 * (lc_u64)tone - 1;
    return odd * odd << 2 * log2_side;
}

// For squares with live cells: whether their tone is this one or a higher one.
LC_INLINE int lc_tone_reached(int tone, lc_word count, int log2_side)
{
    return tone <= 1 || lc_tone_threshold(tone, log2_side) <= LC_TONE_COUNT_FACTOR * (lc_u64)count;
}

// The tone of one square, without a table. A single-precision root is off by at most one.
LC_INLINE int lc_tone(lc_word count, int log2_side)
{
    if (count == 0)
        return 0;
    const float root = LC_SQUARE_ROOT((float)count) / (float)(1 << log2_side);
    const int tone = (int)(255 * root + 0.5f);
    if (!lc_tone_reached(tone, count, log2_side))
        return tone - 1;
    return tone < 255 && lc_tone_reached(tone + 1, count, log2_side) ? tone + 1 : tone;
}

// For the density kernel: log2 of the number of lanes a square has, one for each of its rows, at
// most 32.
LC_INLINE int lc_log2_lanes_of_square(int log2_side)
{
    return log2_side < 5 ? log2_side : 5;
}

#endif
