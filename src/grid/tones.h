// Grey levels of pictures (kernels/tone.h) on the host, from tables.
#ifndef LC_GRID_TONES_H
#define LC_GRID_TONES_H

#include <stddef.h>
#include <stdint.h>

enum { LC_TONE_SIDE_MAX = 15, LC_TONE_ENTRIES_LOG2 = 12 };

// For squares of 2^log2_side cells a side.
typedef struct lc_tones {
    int shift;                                         // 0 up to 64 cells a side
    uint8_t of_count[(1 << LC_TONE_ENTRIES_LOG2) + 1]; // of the count i << shift at [i]
    uint32_t least[257]; // the least count that has at least this tone; [256]: more than any
} lc_tones;

// log2_side: 0 to LC_TONE_SIDE_MAX. Takes some microseconds.
void lc_tones_prepare(lc_tones *tones, int log2_side);

// The tones of that many squares' counts.
void lc_tones_of_counts(const lc_tones *tones, const uint32_t *counts, size_t size, uint8_t *bytes);

#endif
