// Counting the live cells of words: included by each level_*.c, after what defines VEC and
//
//   LANES   64-bit lanes in a VEC
//
// Fields of a word grow from bits to bytes, and two rows share the second half of that; bytes hold
// the sums of up to 31 rows. It is plain C on the compiler's own vectors: one source for all
// instruction sets.
#include <stdint.h>
#include <string.h>

#include "engine/simd/simd.h"

#if LANES == 1
typedef uint64_t lanes;
#else
typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));
#endif

INLINE lanes live_nibbles(lanes a)
{
    lanes pairs = a - (a >> 1 & UINT64_C(0x5555555555555555));
    return (pairs & UINT64_C(0x3333333333333333)) + (pairs >> 2 & UINT64_C(0x3333333333333333));
}

INLINE lanes lanes_at(const uint64_t *words)
{
    lanes a;
    memcpy(&a, words, sizeof a);
    return a;
}

// The live cells of each lane in up to 16 rows.
INLINE lanes live_cells(const uint64_t *words, size_t pitch_words, int rows)
{
    const uint64_t nibbles = UINT64_C(0x0F0F0F0F0F0F0F0F), bytes = UINT64_C(0x00FF00FF00FF00FF);
    lanes sum = lanes_at(words) & 0; // of bytes
    int row = 0;
    for (; row + 2 <= rows; row += 2, words += 2 * pitch_words) {
        lanes two = live_nibbles(lanes_at(words)) + live_nibbles(lanes_at(words + pitch_words));
        sum += (two & nibbles) + (two >> 4 & nibbles);
    }
    if (row < rows) {
        lanes one = live_nibbles(lanes_at(words));
        sum += (one & nibbles) + (one >> 4 & nibbles);
    }
    sum = (sum & bytes) + (sum >> 8 & bytes);
    sum += sum >> 32;
    return (sum + (sum >> 16)) & UINT64_C(0xFFFF);
}

static void count(uint16_t *counts, const uint64_t *words, size_t pitch_words, int rows,
                  size_t length)
{
    size_t i = 0;
    for (; i + LANES <= length; i += LANES) {
        lanes live = live_cells(words + i, pitch_words, rows);
        uint64_t each[LANES];
        memcpy(each, &live, sizeof each);
        for (size_t lane = 0; lane < LANES; lane++)
            counts[i + lane] = (uint16_t)(counts[i + lane] + each[lane]);
    }
    for (; i < length; i++) { // one word at a time, since what is behind them is not ours
        uint64_t each[LANES] = {0};
        for (int row = 0; row < rows; row++) {
            each[0] = words[i + (size_t)row * pitch_words];
            lanes live = live_cells(each, 0, 1);
            memcpy(each, &live, sizeof each);
            counts[i] = (uint16_t)(counts[i] + each[0]);
        }
    }
}
