// Decides whether pictures are compressed for a client, and compresses them.
//
// Plain pictures are faster on the same machine, compressed ones over a slow connection. The
// deflater measures the time from sending a picture to the client's report that it has drawn it.
// While a plain picture takes less than a thirtieth of a second, pictures stay plain. Otherwise the
// deflater tries both ways, keeps the faster one, and tries the other again from time to time.
#ifndef LC_VIEWER_DEFLATER_H
#define LC_VIEWER_DEFLATER_H

#include <zlib.h>

#include "hub.h"

typedef struct lc_deflater {
    lc_view_deflate choice;
    z_stream stream;
    bool ready; // the stream is initialised
    struct {
        uint32_t frame;
        uint64_t sent_ns; // 0: none
        bool deflated;
    } under_way[LC_FRAMES_UNDER_WAY];
    double taken_ns[2]; // recent averages, plain and deflated; 0: unknown
    unsigned sent;      // pictures
} lc_deflater;

void lc_deflater_choose(lc_deflater *deflater, lc_view_deflate choice);

// Returns the picture with its payload as a zlib stream, which the caller frees. NULL: send the
// picture uncompressed. `is_slow`: the connection is known to be slow, so "auto" compresses.
lc_outgoing *lc_deflater_compress(lc_deflater *deflater, const lc_outgoing *picture, bool is_slow,
                                  uint64_t now_ns);

// Records that the client has drawn that picture.
void lc_deflater_arrived(lc_deflater *deflater, uint32_t frame, uint64_t now_ns);

void lc_deflater_free(lc_deflater *deflater);

#endif
