// How fast a client's connection is, and so how large a picture may be: no more is to be under way
// to it than takes a fifth of a second, or what comes after it, such as that it pauses, comes late.
//
// What is known is how long it takes from sending a picture until the client says that it has drawn
// it, less what it says that drawing took: the latency, which the smallest pictures have too, and
// what the bytes take. Connections that are quick enough have no bound. As long as nothing is known
// a line is taken for one of 1 Mbit/s.
//
// Only numbers: times come from the caller.
#ifndef LC_VIEWER_LINK_H
#define LC_VIEWER_LINK_H

#include "send_window.h"

#include <stddef.h>

typedef struct lc_link {
    struct {
        uint32_t frame;
        uint64_t sent_ns; // 0: none
        size_t size_bytes;
        bool alone; // nothing else was under way
    } under_way[LC_FRAMES_UNDER_WAY];
    uint64_t arrived_ns; // when the last one had come, or was drawn
    double begin_ns;     // when it could begin to come, or the first of those drawn at once,
    double bytes;        // and what they had
    double latency_ns;   // 0: not known
    double rate;         // bytes a second; 0: not known
} lc_link;

// A picture of so many bytes has been sent; the client has drawn it, which it had for so long by
// then (0: it does not say).
void lc_link_sent(lc_link *link, uint32_t frame, size_t size_bytes, uint64_t now_ns);
void lc_link_arrived(lc_link *link, uint32_t frame, uint64_t held_ns, uint64_t now_ns);

// Whether its speed has been measured.
bool lc_link_is_known(const lc_link *link);
// Whether it is known to be so quick that no message needs long.
bool lc_link_is_quick(const lc_link *link);
// The most bytes that a picture of what moves should have; SIZE_MAX: any.
size_t lc_link_room(const lc_link *link);
// Whether one of so many bytes is to be compressed in any case.
bool lc_link_compresses(const lc_link *link, size_t size_bytes);

#endif
