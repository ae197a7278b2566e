// Computes grey levels from tables.
#include "grid/tones.h"

#include "kernels/tone.h"

static uint32_t least_count(int tone, int log2_side)
{
    if (tone <= 1)
        return (uint32_t)tone;
    const uint64_t threshold = lc_tone_threshold(tone, log2_side);
    return (uint32_t)((threshold + LC_TONE_COUNT_FACTOR - 1) / LC_TONE_COUNT_FACTOR);
}

void lc_tones_prepare(lc_tones *tones, int log2_side)
{
    const int all = 2 * log2_side; // a square has 2^all cells
    tones->shift = all > LC_TONE_ENTRIES_LOG2 ? all - LC_TONE_ENTRIES_LOG2 : 0;
    for (int tone = 0; tone < 256; tone++)
        tones->least[tone] = least_count(tone, log2_side);
    tones->least[256] = UINT32_MAX;
    unsigned tone = 0;
    for (uint32_t i = 0; i <= (uint32_t)1 << (all - tones->shift); i++) {
        while (i << tones->shift >= tones->least[tone + 1])
            tone++;
        tones->of_count[i] = (uint8_t)tone;
    }
}

void lc_tones_of_counts(const lc_tones *tones, const uint32_t *counts, size_t size, uint8_t *bytes)
{
    const int shift = tones->shift;
    if (shift == 0) {
        for (size_t i = 0; i < size; i++)
            bytes[i] = tones->of_count[counts[i]];
        return;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned tone = tones->of_count[counts[i] >> shift];
        while (counts[i] >= tones->least[tone + 1]) // a few iterations at most, usually none
            tone++;
        bytes[i] = (uint8_t)tone;
    }
}
