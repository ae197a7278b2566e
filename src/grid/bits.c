// Copies, reverses, merges and flips strings of bits at any offset, a word at a time.
//
// Bit i of a string is bit i % 64 of word i / 64. i % 64 is never negative, so offsets may lie
// before the pointer. A string is split at the target's word boundaries:
//
//     to:    ....hhhh | wwwwwwww | wwwwwwww | tt......     h: head, w: whole words, t: tail
//
// A function reads only words that hold a bit of the string and writes only target words that hold
// one. Threads may therefore work at the same time on strings without common words.
#include <string.h>

#include "grid/grid.h"

static inline int64_t word_of(int64_t bit)
{
    return bit >> 6; // rounds down for negative bits too
}

static inline unsigned place_of(int64_t bit)
{
    return (unsigned)(bit & 63);
}

static inline uint64_t low_bits(unsigned count) // 1 <= count <= 64
{
    return ~(uint64_t)0 >> (64 - count);
}

// Returns `count` (1 .. 64) bits from `bit` in the low bits of the result. The bits above them are
// unspecified.
static inline uint64_t fetch(const uint64_t *from, int64_t bit, unsigned count)
{
    const uint64_t *word = from + word_of(bit);
    unsigned place = place_of(bit);
    uint64_t value = word[0] >> place;
    if (place + count > 64)
        value |= word[1] << (64 - place);
    return value;
}

// Puts the low `count` bits of `value` at place `place` of a word; place + count <= 64.
static inline void put(uint64_t *word, unsigned place, unsigned count, uint64_t value)
{
    uint64_t mask = low_bits(count) << place;
    *word = (*word & ~mask) | ((value << place) & mask);
}

static inline uint64_t reverse(uint64_t word)
{
    word = __builtin_bswap64(word);
    word = (word >> 4 & 0x0f0f0f0f0f0f0f0fu) | (word & 0x0f0f0f0f0f0f0f0fu) << 4;
    word = (word >> 2 & 0x3333333333333333u) | (word & 0x3333333333333333u) << 2;
    return (word >> 1 & 0x5555555555555555u) | (word & 0x5555555555555555u) << 1;
}

// Returns how many bits of the string fall into the target's first word; 0 if they fill it.
static inline unsigned head_bits(int64_t to_bit, int64_t count)
{
    unsigned place = place_of(to_bit);
    if (place == 0)
        return 0;
    return count < 64 - (int64_t)place ? (unsigned)count : 64 - place;
}

void lc_bits_copy(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit,
                  int64_t count)
{
    if (count <= 0)
        return;
    unsigned head = head_bits(to_bit, count);
    if (head != 0) {
        put(to + word_of(to_bit), place_of(to_bit), head, fetch(from, from_bit, head));
        to_bit += head;
        from_bit += head;
        count -= head;
    }
    uint64_t *target = to + word_of(to_bit);
    const uint64_t *source = from + word_of(from_bit);
    unsigned place = place_of(from_bit);
    size_t whole = (size_t)(count >> 6);
    if (place == 0)
        memmove(target, source, whole * sizeof *target);
    else
        for (size_t i = 0; i < whole; i++)
            target[i] = source[i] >> place | source[i + 1] << (64 - place);
    unsigned tail = place_of(count);
    if (tail != 0)
        put(target + whole, 0, tail, fetch(source + whole, place, tail));
}

void lc_bits_or(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit, int64_t count)
{
    if (count <= 0)
        return;
    unsigned head = head_bits(to_bit, count);
    if (head != 0) {
        to[word_of(to_bit)] |= (fetch(from, from_bit, head) & low_bits(head)) << place_of(to_bit);
        to_bit += head;
        from_bit += head;
        count -= head;
    }
    uint64_t *target = to + word_of(to_bit);
    const uint64_t *source = from + word_of(from_bit);
    unsigned place = place_of(from_bit);
    size_t whole = (size_t)(count >> 6);
    if (place == 0)
        for (size_t i = 0; i < whole; i++)
            target[i] |= source[i];
    else
        for (size_t i = 0; i < whole; i++)
            target[i] |= source[i] >> place | source[i + 1] << (64 - place);
    unsigned tail = place_of(count);
    if (tail != 0)
        target[whole] |= fetch(source + whole, place, tail) & low_bits(tail);
}

void lc_bits_copy_reversed(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit,
                           int64_t count)
{
    if (count <= 0)
        return;
    int64_t end_bit = from_bit + count; // the source is read from here downwards
    unsigned head = head_bits(to_bit, count);
    if (head != 0) {
        end_bit -= head;
        put(to + word_of(to_bit), place_of(to_bit), head,
            reverse(fetch(from, end_bit, head)) >> (64 - head));
        to_bit += head;
        count -= head;
    }
    uint64_t *target = to + word_of(to_bit);
    for (; count >= 64; count -= 64) {
        end_bit -= 64;
        *target++ = reverse(fetch(from, end_bit, 64));
    }
    if (count != 0) {
        unsigned tail = (unsigned)count;
        end_bit -= count;
        put(target, 0, tail, reverse(fetch(from, end_bit, tail)) >> (64 - tail));
    }
}

void lc_bits_flip(uint64_t *to, int64_t to_bit, int64_t count)
{
    while (count > 0) {
        uint64_t *word = to + word_of(to_bit);
        const unsigned place = place_of(to_bit);
        const int64_t here = count < 64 - (int64_t)place ? count : 64 - (int64_t)place;
        *word ^= ~UINT64_C(0) >> (64 - here) << place;
        to_bit += here;
        count -= here;
    }
}

void lc_bits_fill(uint64_t *to, int64_t to_bit, int64_t count, bool alive)
{
    if (count <= 0)
        return;
    uint64_t value = alive ? ~(uint64_t)0 : 0;
    unsigned head = head_bits(to_bit, count);
    if (head != 0) {
        put(to + word_of(to_bit), place_of(to_bit), head, value);
        to_bit += head;
        count -= head;
    }
    uint64_t *target = to + word_of(to_bit);
    size_t whole = (size_t)(count >> 6);
    memset(target, alive ? 0xff : 0, whole * sizeof *target);
    if (place_of(count) != 0)
        put(target + whole, 0, place_of(count), value);
}

// Swaps the off-diagonal quarters of ever smaller squares (Warren, Hacker's Delight, 7-3).
void lc_bits_transpose(uint64_t rows[64])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (unsigned half = 32; half != 0; half >>= 1, mask ^= mask << half) {
        for (unsigned i = 0; i < 64; i = (i + half + 1) & ~half) {
            uint64_t swap = (rows[i] >> half ^ rows[i + half]) & mask;
            rows[i] ^= swap << half;
            rows[i + half] ^= swap;
        }
    }
}
