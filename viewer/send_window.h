// The send window of a client: the number of pictures that may be sent before it has drawn the last
// one.
//
// Two, so that the next picture travels while one is drawn. A page that draws more slowly than
// pictures arrive finds both at once: it draws the second, drops the first, and reports both at the
// same time. If that repeats, the window becomes one picture; now and then two are tried again.
//
// A pure calculation: the caller passes all times.
#ifndef LC_VIEWER_SEND_WINDOW_H
#define LC_VIEWER_SEND_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum { LC_FRAMES_UNDER_WAY = 2 };

typedef struct lc_send_window {
    uint64_t drawn_ns; // time of the last drawing
    int drawn, pairs;  // counted pictures: all, and those drawn together with the one before
    int alone;         // number of pictures still to send one at a time
} lc_send_window;

// Records that the client has drawn a picture.
void lc_send_window_drawn(lc_send_window *window, uint64_t now_ns);

// Returns the size of the window, 1 or LC_FRAMES_UNDER_WAY.
int lc_send_window_size(const lc_send_window *window);

#endif
