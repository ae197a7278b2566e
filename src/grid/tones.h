// Grey levels of downsampled views (kernels/tone.h), computed on the CPU from tables.
#ifndef LC_GRID_TONES_H
#define LC_GRID_TONES_H

#include <stddef.h>
#include <stdint.h>

enum { LC_TONE_SIDE_MAX = 15, LC_TONE_ENTRIES_LOG2 = 12 };

// Tables for squares of 2^log2_side cells a side.
typedef struct lc_tones {
    int shift;                                         // 0 for sides up to 64
    uint8_t of_count[(1 << LC_TONE_ENTRIES_LOG2) + 1]; // [i]: grey level of the count i << shift
    uint32_t least[257]; // least count with at least this grey level; [256]: above any count
} lc_tones;

// Fills the tables. log2_side: 0 to LC_TONE_SIDE_MAX. Takes a few microseconds.
void lc_tones_prepare(lc_tones *tones, int log2_side);

// Converts `size` counts of live cells to grey levels.
void lc_tones_of_counts(const lc_tones *tones, const uint32_t *counts, size_t size, uint8_t *bytes);

#endif
