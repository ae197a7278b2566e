// How many pictures are sent ahead of what a client has drawn.
//
// Two are under way at a time, so that the next one comes while one is drawn. But a page that draws
// more slowly than pictures come finds both when it is ready: it draws the second, throws the first
// away, and says of both at the same moment that they are drawn. Where that happens again and again
// only one is sent ahead; and now and then it is tried whether that is still so.
//
// Only numbers: times come from the caller.
#ifndef LC_VIEWER_AHEAD_H
#define LC_VIEWER_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

enum { LC_FRAMES_UNDER_WAY = 2 };

typedef struct lc_ahead {
    uint64_t drawn_ns; // when one was drawn last
    int drawn, pairs;  // of those that are counted: all, and those drawn with the one before
    int alone;         // so many more are sent one at a time
} lc_ahead;

// A client has drawn one.
void lc_ahead_drawn(lc_ahead *ahead, uint64_t now_ns);

// How many may be under way, 1 or LC_FRAMES_UNDER_WAY.
int lc_ahead_most(const lc_ahead *ahead);

#endif
