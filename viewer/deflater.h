// Decides whether pictures are compressed for a client, and compresses them.
//
// On the same machine plain pictures are quicker; over a slow line compressed ones are. What
// decides is the time from sending a picture until the client says it has drawn it: while that
// takes no more than a thirtieth of a second pictures stay plain; otherwise both ways are tried,
// and again from time to time.
#ifndef LC_VIEWER_DEFLATER_H
#define LC_VIEWER_DEFLATER_H

#include <zlib.h>

#include "hub.h"

typedef struct lc_deflater {
    lc_view_deflate choice;
    z_stream stream;
    bool ready; // the stream is made
    struct {
        uint32_t frame;
        uint64_t sent_ns; // 0: none
        bool deflated;
    } under_way[LC_FRAMES_UNDER_WAY];
    double taken_ns[2]; // recently, plain and deflated; 0: not known
    unsigned sent;      // pictures
} lc_deflater;

void lc_deflater_choose(lc_deflater *deflater, lc_view_deflate choice);

// The picture with its payload as a zlib stream, which the caller frees; NULL: send it as it is.
// `is_slow`: the connection is known to be, so "auto" compresses.
lc_outgoing *lc_deflater_compress(lc_deflater *deflater, const lc_outgoing *picture, bool is_slow,
                                  uint64_t now_ns);

// The client has drawn that picture.
void lc_deflater_arrived(lc_deflater *deflater, uint32_t frame, uint64_t now_ns);

void lc_deflater_free(lc_deflater *deflater);

#endif
