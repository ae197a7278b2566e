// The rounds after which the population of a soup is compared with that of the round before, as
// apgsearch compares it. The same on the host and in kernels.
#ifndef LC_KERNELS_SOUP_ROUNDS_H
#define LC_KERNELS_SOUP_ROUNDS_H

#include "cuda.h"

#define LC_SOUP_ROUNDS_MAX 1000 // then all cells must be compared with those of long ago
// A round has so many generations; exclusive or with the second gives the other length.
#define LC_SOUP_FIRST_LENGTH 12
#define LC_SOUP_OTHER_LENGTH (12 ^ 8)

// Returns the generations of a round that would have `length` without the late ones.
LC_INLINE int lc_soup_round_length(int round, int length)
{
    return round == 400 ? 18 : round == 500 ? 24 : round == 600 ? 30 : length;
}

// Returns how many rounds with equal populations are enough in a round.
LC_INLINE int lc_soup_rounds_needed(int round)
{
    return round < 40 ? 15 : round < 60 ? 20 : round < 80 ? 25 : 30;
}

#endif
