// Measures how fast a client's connection is, and limits the size of its pictures: the bytes under
// way take at most a fifth of a second. Without this limit later messages, such as a pause, would
// come late.
//
// The time from sending a picture until the client has drawn it, less the time of drawing, is
// latency plus transfer time. The smallest pictures have only the latency. Fast connections have no
// limit. Until the speed is known, the limit is that of 1 Mbit/s.
//
// A pure calculation: the caller passes all times.
#ifndef LC_VIEWER_LINK_SPEED_H
#define LC_VIEWER_LINK_SPEED_H

#include "send_window.h"

#include <stddef.h>

typedef struct lc_link_speed {
    struct {
        uint32_t frame;
        uint64_t sent_ns; // 0: none
        size_t size_bytes;
        bool alone; // no other picture was under way
    } under_way[LC_FRAMES_UNDER_WAY];
    uint64_t arrived_ns; // arrival or drawing of the last picture
    double begin_ns;     // start of its transfer, or of the first of those drawn at once
    double bytes;        // of these pictures
    double latency_ns;   // 0: unknown
    double rate;         // bytes a second; 0: unknown
} lc_link_speed;

// Record that a picture was sent, and that the client has drawn it. `held_ns` is the time from its
// arrival until then; 0: the client does not say.
void lc_link_speed_sent(lc_link_speed *link, uint32_t frame, size_t size_bytes, uint64_t now_ns);
void lc_link_speed_arrived(lc_link_speed *link, uint32_t frame, uint64_t held_ns, uint64_t now_ns);

// Returns whether the speed has been measured.
bool lc_link_speed_is_known(const lc_link_speed *link);
// Returns whether the connection is known to be so fast that no message takes long.
bool lc_link_speed_is_quick(const lc_link_speed *link);
// Returns the largest size of a picture of moving cells; SIZE_MAX: no limit.
size_t lc_link_speed_limit_bytes(const lc_link_speed *link);
// Returns whether a picture of this size is always compressed.
bool lc_link_speed_compresses(const lc_link_speed *link, size_t size_bytes);

#endif
