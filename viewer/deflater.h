// Whether pictures are compressed for a client, and that.
//
// On this machine plain pictures are quicker; over a slow line compressed ones are. So the time from
// sending a picture until the client says it has drawn it decides: while plain pictures come back
// within a thirtieth of a second they stay plain; else both ways are tried, and again now and then.
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
    double taken_ns[2]; // lately, plain and deflated; 0: not known
    unsigned sent;      // pictures
} lc_deflater;

void lc_deflater_choose(lc_deflater *deflater, lc_view_deflate choice);

// The picture with its payload as a zlib stream, which the caller frees; NULL: it is to be sent as
// it is.
lc_outgoing *lc_deflater_compress(lc_deflater *deflater, const lc_outgoing *picture,
                                  uint64_t now_ns);

// The client has drawn that picture.
void lc_deflater_arrived(lc_deflater *deflater, uint32_t frame, uint64_t now_ns);

void lc_deflater_free(lc_deflater *deflater);

#endif
