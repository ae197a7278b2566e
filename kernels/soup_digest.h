// Soups from seeds, as the searches for Catagolue make them: SHA-256 of a short text, and the cells
// that a symmetry makes of its digest. The same on the host and in kernels.
//
// The text is the root and the decimal number of the soup: "l_lightcone1" and 27 give
// "l_lightcone127". The digest is eight words, the first byte in the highest bits of the first
// word. It is 16 rows of 16 cells, the square D; bit 0 of a row is its leftmost cell. T is D
// mirrored about the diagonal from the upper right to the lower left. A soup consists of one, two
// or four of these squares:
//
//       <- across ->
//       +---------+---------+        self   S, which is D
//       |   up    |   rot   |        up     Q, top to bottom; Q is D, or T if LC_SOUP_TURNED is set
//       +---------+---------+  down  side   Q, left to right
//       |  self   |  side   |        rot    S, turned by 180 degrees
//       +---------+---------+
//
// `across` and `down` are 16, or 15 if the squares share a column or a row. With LC_SOUP_WIDE, the
// digest is rows of `width` cells instead.
//
// A row depends only on its number, so each lane of a warp can make a row.
#ifndef LC_KERNELS_SOUP_DIGEST_H
#define LC_KERNELS_SOUP_DIGEST_H

#include "cuda.h"

#define LC_SOUP_SELF 1 // the soup's squares
#define LC_SOUP_UP 2
#define LC_SOUP_SIDE 4
#define LC_SOUP_ROT 8
#define LC_SOUP_EXCHANGED 16 // first: D and T change places
#define LC_SOUP_DIAGONAL 32  // then: the lower right of D becomes that of T, and the reverse
#define LC_SOUP_CUT 64       // then: D keeps 10 x 10 of its cells
#define LC_SOUP_TURNED 128   // Q is T
#define LC_SOUP_WIDE 256
#define LC_SOUP_NEEDS_T (LC_SOUP_EXCHANGED | LC_SOUP_DIAGONAL | LC_SOUP_TURNED)

// The transformations by which a symmetry turns a digest into a soup.
typedef struct lc_soup_plan {
    unsigned int flags; // a set of LC_SOUP bits
    int across, down;   // in cells; `down` is 0 if all squares are in the same rows
    int width, height;  // of the soup before it is doubled; a width above 32 is a multiple of 32
    int doublings;      // how many times each cell becomes 2 x 2 cells
} lc_soup_plan;

// SHA-256 --------------------------------------------------------------------------------------

LC_INLINE lc_word lc_sha256_turn(lc_word x, int bits)
{
    return x >> bits | x << (32 - bits);
}

LC_INLINE lc_word lc_sha256_constant(int round)
{
    const lc_word constants[64] = {
        0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
        0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
        0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
        0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
        0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
        0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
        0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
        0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
        0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
        0xc67178f2u};
    return constants[round];
}

// Returns the word of a round. `words` begins as the block and always has the last 16 of them.
LC_INLINE lc_word lc_sha256_scheduled(lc_word words[16], int round)
{
    if (round >= 16) {
        const lc_word early = words[(round + 1) & 15], late = words[(round + 14) & 15];
        words[round & 15] += words[(round + 9) & 15] +
                             (lc_sha256_turn(early, 7) ^ lc_sha256_turn(early, 18) ^ early >> 3) +
                             (lc_sha256_turn(late, 17) ^ lc_sha256_turn(late, 19) ^ late >> 10);
    }
    return words[round & 15];
}

// One round. The eight registers stay where they are; their names move, by `shift` = round % 8.
LC_INLINE void lc_sha256_round(lc_word state[8], lc_word words[16], int round, int shift)
{
    const lc_word a = state[(8 - shift) & 7], b = state[(9 - shift) & 7],
                  c = state[(10 - shift) & 7], e = state[(12 - shift) & 7],
                  f = state[(13 - shift) & 7], g = state[(14 - shift) & 7];
    const lc_word added = state[(15 - shift) & 7] +
                          (lc_sha256_turn(e, 6) ^ lc_sha256_turn(e, 11) ^ lc_sha256_turn(e, 25)) +
                          (g ^ (e & (f ^ g))) + lc_sha256_constant(round) +
                          lc_sha256_scheduled(words, round);
    state[(11 - shift) & 7] += added;
    state[(15 - shift) & 7] =
        added + (lc_sha256_turn(a, 2) ^ lc_sha256_turn(a, 13) ^ lc_sha256_turn(a, 22)) +
        ((a & b) | (c & (a | b)));
}

// Adds a block of 64 bytes to a digest.
LC_INLINE void lc_sha256_add_block(lc_word digest[8], const lc_word block[16])
{
    lc_word state[8], words[16];
    LC_UNROLL(16)
    for (int i = 0; i < 16; i++)
        words[i] = block[i];
    LC_UNROLL(8)
    for (int i = 0; i < 8; i++)
        state[i] = digest[i];
    LC_UNROLL(8)
    for (int round = 0; round < 64; round += 8) {
        lc_sha256_round(state, words, round, 0);
        lc_sha256_round(state, words, round + 1, 1);
        lc_sha256_round(state, words, round + 2, 2);
        lc_sha256_round(state, words, round + 3, 3);
        lc_sha256_round(state, words, round + 4, 4);
        lc_sha256_round(state, words, round + 5, 5);
        lc_sha256_round(state, words, round + 6, 6);
        lc_sha256_round(state, words, round + 7, 7);
    }
    LC_UNROLL(8)
    for (int i = 0; i < 8; i++)
        digest[i] += state[i];
}

// Computes the digest of a text whose blocks are padded.
LC_INLINE void lc_sha256_digest(lc_word digest[8], const lc_word *words, int blocks)
{
    const lc_word first[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                              0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    LC_UNROLL(8)
    for (int i = 0; i < 8; i++)
        digest[i] = first[i];
    for (int i = 0; i < blocks; i++)
        lc_sha256_add_block(digest, words + 16 * i);
}

// The text ---------------------------------------------------------------------------------------

// Sets a byte of a text. The byte must be 0 before.
LC_INLINE void lc_sha256_put(lc_word *words, int at, lc_word byte)
{
    words[at >> 2] |= byte << (24 - 8 * (at & 3));
}

LC_INLINE int lc_soup_digits(lc_u64 number)
{
    int digits = 1;
    while ((number /= 10) != 0)
        digits++;
    return digits;
}

// Returns the number of blocks of 64 bytes of a padded text.
LC_INLINE int lc_sha256_blocks(int text_bytes)
{
    return (text_bytes + 9 + 63) >> 6;
}

// Appends the decimal number and the padding of SHA-256 to a root. All bytes behind the root must
// be 0, up to the end of the last block. Returns the number of blocks: one if the root and the
// number have at most 55 bytes.
LC_INLINE int lc_soup_append(lc_word *words, int root_bytes, lc_u64 number)
{
    const int text_bytes = root_bytes + lc_soup_digits(number);
    const int blocks = lc_sha256_blocks(text_bytes);
    for (int at = text_bytes - 1; at >= root_bytes; at--) {
        lc_sha256_put(words, at, (lc_word)('0' + number % 10));
        number /= 10;
    }
    lc_sha256_put(words, text_bytes, 0x80);
    words[16 * blocks - 1] = 8 * (lc_word)text_bytes;
    return blocks;
}

// Cells ------------------------------------------------------------------------------------------

// Returns row y of D, 16 cells.
LC_INLINE lc_word lc_soup_row_of_d(const lc_word digest[8], int y)
{
    return (digest[y >> 1] >> (y & 1 ? 0 : 16)) & 0xffff;
}

// Returns row y of T. A warp whose lane i has row i of D can make T with 16 ballots instead: bit i
// of row y of T is bit 15 - y of row 15 - i of D.
LC_INLINE lc_word lc_soup_row_of_t(const lc_word digest[8], int y)
{
    lc_word row = 0;
    LC_UNROLL(16)
    for (int i = 0; i < 16; i++)
        row |= (lc_soup_row_of_d(digest, 15 - i) >> (15 - y) & 1) << i;
    return row;
}

// Makes row y of S and Q of the same row of D and T. Without LC_SOUP_NEEDS_T, *t may be anything.
LC_INLINE void lc_soup_prepare(unsigned int flags, int y, lc_word *d, lc_word *t)
{
    const lc_word square = flags & LC_SOUP_EXCHANGED ? *t : *d;
    const lc_word other = flags & LC_SOUP_EXCHANGED ? *d : *t;
    const lc_word from_other = flags & LC_SOUP_DIAGONAL ? 0xffff & ~(0xffffu >> y) : 0;
    const lc_word exchanged = (square ^ other) & from_other;
    const lc_word kept = !(flags & LC_SOUP_CUT) ? 0xffff : y < 10 ? 0xffc0 : 0;
    *d = (square ^ exchanged) & kept;
    *t = flags & LC_SOUP_TURNED ? other ^ exchanged : *d;
}

// Returns a row of 16 cells mirrored left to right.
LC_INLINE lc_word lc_soup_mirrored(lc_word row)
{
    row = (row >> 8 & 0x00ff) | (row & 0x00ff) << 8;
    row = (row >> 4 & 0x0f0f) | (row & 0x0f0f) << 4;
    row = (row >> 2 & 0x3333) | (row & 0x3333) << 2;
    return (row >> 1 & 0x5555) | (row & 0x5555) << 1;
}

// Returns row y of the soup, 0 <= y < plan->height, from rows y - plan->down and 15 - y of S and Q.
// Rows beyond 0 .. 15 may be anything. Not for LC_SOUP_WIDE.
LC_INLINE lc_word lc_soup_row_of_four(const lc_soup_plan *plan, lc_word s_low, lc_word q_low,
                                      lc_word s_high, lc_word q_high, int y)
{
    lc_word row = 0;
    if (y >= plan->down) {
        row |= plan->flags & LC_SOUP_SELF ? s_low : 0;
        row |= plan->flags & LC_SOUP_SIDE ? lc_soup_mirrored(q_low) << plan->across : 0;
    }
    if (y <= 15) {
        row |= plan->flags & LC_SOUP_UP ? q_high : 0;
        row |= plan->flags & LC_SOUP_ROT ? lc_soup_mirrored(s_high) << plan->across : 0;
    }
    return row;
}

// The same from all rows of S and Q.
LC_INLINE lc_word lc_soup_row_of_squares(const lc_soup_plan *plan, const unsigned short s[16],
                                         const unsigned short q[16], int y)
{
    const int low = (y - plan->down) & 15, high = (15 - y) & 15;
    return lc_soup_row_of_four(plan, s[low], q[low], s[high], q[high], y);
}

// Returns cells 32 column .. 32 column + 31 of row y of a soup with LC_SOUP_WIDE.
LC_INLINE lc_word lc_soup_wide_word(const lc_word digest[8], int width, int y, int column)
{
    const int words = width >> 5;
    return digest[words * y + words - 1 - column];
}

// Returns the lower 16 cells of a row, each of them twice.
LC_INLINE lc_word lc_soup_doubled(lc_word cells)
{
    cells = (cells | cells << 8) & 0x00ff00ff;
    cells = (cells | cells << 4) & 0x0f0f0f0f;
    cells = (cells | cells << 2) & 0x33333333;
    cells = (cells | cells << 1) & 0x55555555;
    return cells | cells << 1;
}

#endif
