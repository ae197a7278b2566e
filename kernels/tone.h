// Grey levels of downsampled views: a byte per square, computed from its live cells. The CPU and
// the kernels compute the same levels.
//
//     0                                                no live cell
//     max(1, round(255 * sqrt(live cells / cells)))    otherwise
//
// In squares of 2^s cells a side, the level is at least t, for t of 2 or more, if 255 sqrt(count /
// 4^s) >= t - 1/2. Multiplied by 2 and squared, this compares integers. Both sides can be equal
// only at t = 128, because 255 has no square factor; there a half is rounded up.
#ifndef LC_KERNELS_TONE_H
#define LC_KERNELS_TONE_H

#include "cuda.h"

#define LC_TONE_COUNT_FACTOR 260100u // 510^2

// Returns the threshold of a level from 2 to 255: a count reaches the level if LC_TONE_COUNT_FACTOR
// * count is at least this.
LC_INLINE lc_u64 lc_tone_threshold(int tone, int log2_side)
{
    const lc_u64 odd = 2 * (lc_u64)tone - 1;
    return odd * odd << 2 * log2_side;
}

// Returns whether a square with live cells has at least this level.
LC_INLINE int lc_tone_reached(int tone, lc_word count, int log2_side)
{
    return tone <= 1 || lc_tone_threshold(tone, log2_side) <= LC_TONE_COUNT_FACTOR * (lc_u64)count;
}

// Returns the level of one square, without a table. The single-precision root is off by at most
// one.
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

// Returns log2 of the number of lanes per square in the kernel count_squares: one lane per row, at
// most 32.
LC_INLINE int lc_log2_lanes_of_square(int log2_side)
{
    return log2_side < 5 ? log2_side : 5;
}

#endif
