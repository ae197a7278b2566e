// Counts the live cells of words. Included by each level, after it has defined VEC and
//
//   LANES        64-bit lanes in a VEC
//   V_COUNT(a)   if there is an instruction for it: the live cells of each lane
//
// Without V_COUNT, fields of a word grow from bits to bytes. Two rows share the second half of
// these steps, and bytes hold the sums of 16 rows. This is plain C on the compiler's own vectors.
#include <stdint.h>
#include <string.h>

#include "level/level.h"

enum { COUNTED = LANES == 1 ? 2 : LANES }; // words at a time; at least two, for all compilers

typedef uint64_t lanes __attribute__((vector_size(8 * COUNTED)));
typedef uint16_t lane_counts __attribute__((vector_size(2 * COUNTED)));

INLINE lanes lanes_at(const uint64_t *words)
{
    lanes a;
    memcpy(&a, words, sizeof a);
    return a;
}

// Returns the live cells of each lane in up to 16 rows.
#ifdef V_COUNT
INLINE lanes live_cells(const uint64_t *words, size_t pitch_words, int rows)
{
    lanes sum = {0};
    for (int row = 0; row < rows; row++, words += pitch_words)
        sum += (lanes)V_COUNT((VEC)lanes_at(words));
    return sum;
}
#else
INLINE lanes live_nibbles(lanes a)
{
    lanes pairs = a - (a >> 1 & UINT64_C(0x5555555555555555));
    return (pairs & UINT64_C(0x3333333333333333)) + (pairs >> 2 & UINT64_C(0x3333333333333333));
}

INLINE lanes live_cells(const uint64_t *words, size_t pitch_words, int rows)
{
    const uint64_t nibbles = UINT64_C(0x0F0F0F0F0F0F0F0F), bytes = UINT64_C(0x00FF00FF00FF00FF);
    lanes sum = {0}; // of bytes
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
#endif

static void count(uint16_t *counts, const uint64_t *words, size_t pitch_words, int rows,
                  size_t length)
{
    size_t i = 0;
    for (; i + COUNTED <= length; i += COUNTED) {
        lane_counts sums;
        memcpy(&sums, counts + i, sizeof sums);
        sums += __builtin_convertvector(live_cells(words + i, pitch_words, rows), lane_counts);
        memcpy(counts + i, &sums, sizeof sums);
    }
    for (; i < length; i++) { // one word at a time, to read nothing behind the last
        for (int row = 0; row < rows; row++) {
            const uint64_t one[COUNTED] = {words[i + (size_t)row * pitch_words]};
            counts[i] = (uint16_t)(counts[i] + live_cells(one, 0, 1)[0]);
        }
    }
}
