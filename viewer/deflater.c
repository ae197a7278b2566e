// Compression of pictures where it saves time.
#include "deflater.h"

#include <stdlib.h>
#include <string.h>

#include "picture_message.h"

enum {
    SMALL_BYTES = 4096, // not compressed
    TRY_EVERY = 64,     // pictures, after which the slower way is tried again
};

static const double quick_ns = 1e9 / 30;

void lc_deflater_choose(lc_deflater *d, lc_view_deflate choice)
{
    d->choice = choice;
}

static bool pays(lc_deflater *d, bool is_slow)
{
    if (d->choice != LC_DEFLATE_AUTO)
        return d->choice == LC_DEFLATE_ALWAYS;
    const unsigned turn = d->sent++ % TRY_EVERY;
    if (is_slow)
        return true;
    if (d->taken_ns[0] < quick_ns)
        return false;
    if (d->taken_ns[1] == 0)
        return true;
    const bool better = d->taken_ns[1] < d->taken_ns[0];
    return turn == 0 ? !better : better;
}

static bool prepare(lc_deflater *d)
{
    if (d->ready)
        return deflateReset(&d->stream) == Z_OK;
    d->ready = deflateInit(&d->stream, Z_BEST_SPEED) == Z_OK;
    return d->ready;
}

lc_outgoing *lc_deflater_compress(lc_deflater *d, const lc_outgoing *picture, bool is_slow,
                                  uint64_t now_ns)
{
    lc_outgoing *compressed = NULL;
    const unsigned char *bytes = picture->bytes + LC_SEND_RESERVE;
    const size_t payload = picture->size_bytes - LC_FRAME_HEADER_BYTES;
    const bool wanted = picture->size_bytes > SMALL_BYTES && pays(d, is_slow) && prepare(d);
    if (wanted)
        compressed = lc_outgoing_create(LC_FRAME_HEADER_BYTES + deflateBound(&d->stream, payload));
    if (compressed != NULL) {
        unsigned char *out = lc_outgoing_bytes(compressed);
        memcpy(out, bytes, LC_FRAME_HEADER_BYTES);
        out[1] = 1;
        d->stream.next_in = (unsigned char *)bytes + LC_FRAME_HEADER_BYTES;
        d->stream.avail_in = (unsigned)payload;
        d->stream.next_out = out + LC_FRAME_HEADER_BYTES;
        d->stream.avail_out = (unsigned)(compressed->size_bytes - LC_FRAME_HEADER_BYTES);
        deflate(&d->stream, Z_FINISH); // cannot fail: the output has room for deflateBound
        compressed->size_bytes = LC_FRAME_HEADER_BYTES + d->stream.total_out;
        compressed->binary = compressed->is_frame = true;
    }
    const size_t place = picture->number % LC_FRAMES_UNDER_WAY;
    d->under_way[place].frame = picture->number;
    d->under_way[place].sent_ns = now_ns;
    d->under_way[place].deflated = compressed != NULL;
    return compressed;
}

void lc_deflater_arrived(lc_deflater *d, uint32_t frame, uint64_t now_ns)
{
    const size_t place = frame % LC_FRAMES_UNDER_WAY;
    if (d->under_way[place].frame != frame || d->under_way[place].sent_ns == 0)
        return;
    double *taken_ns = &d->taken_ns[d->under_way[place].deflated];
    const double this_ns = (double)(now_ns - d->under_way[place].sent_ns);
    *taken_ns = *taken_ns == 0 ? this_ns : *taken_ns + (this_ns - *taken_ns) / 8;
    d->under_way[place].sent_ns = 0;
}

void lc_deflater_free(lc_deflater *d)
{
    if (d->ready)
        deflateEnd(&d->stream);
    d->ready = false;
}
