// How many pictures are sent ahead of what a client has drawn.
#include "ahead.h"

#include <stdbool.h>

enum { COUNTED = 16, MANY_PAIRS = 6, ALONE = 120 };

static const uint64_t same_moment_ns = 2000000;

void lc_ahead_drawn(lc_ahead *ahead, uint64_t now_ns)
{
    const bool is_pair = ahead->drawn_ns != 0 && now_ns - ahead->drawn_ns < same_moment_ns;
    ahead->drawn_ns = now_ns;
    if (ahead->alone > 0) {
        ahead->alone--;
        return;
    }
    ahead->drawn++;
    ahead->pairs += is_pair;
    if (ahead->drawn < COUNTED)
        return;
    ahead->alone = ahead->pairs >= MANY_PAIRS ? ALONE : 0;
    ahead->drawn = ahead->pairs = 0;
}

int lc_ahead_most(const lc_ahead *ahead)
{
    return ahead->alone > 0 ? 1 : LC_FRAMES_UNDER_WAY;
}
