// Chooses the send window from the times of drawing.
#include "send_window.h"

#include <stdbool.h>

enum { COUNTED = 16, MANY_PAIRS = 6, ALONE = 120 };

static const uint64_t same_moment_ns = 2000000;

void lc_send_window_drawn(lc_send_window *window, uint64_t now_ns)
{
    const bool is_pair = window->drawn_ns != 0 && now_ns - window->drawn_ns < same_moment_ns;
    window->drawn_ns = now_ns;
    if (window->alone > 0) {
        window->alone--;
        return;
    }
    window->drawn++;
    window->pairs += is_pair;
    if (window->drawn < COUNTED)
        return;
    window->alone = window->pairs >= MANY_PAIRS ? ALONE : 0;
    window->drawn = window->pairs = 0;
}

int lc_send_window_size(const lc_send_window *window)
{
    return window->alone > 0 ? 1 : LC_FRAMES_UNDER_WAY;
}
