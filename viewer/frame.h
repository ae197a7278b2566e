// Pictures: from where a client looks to the bytes that it gets.
#ifndef LC_VIEWER_FRAME_H
#define LC_VIEWER_FRAME_H

#include "command.h"

enum { LC_FRAME_HEADER_BYTES = 48 };
typedef enum lc_frame_kind {
    LC_FRAME_PICTURE = 1,
    LC_FRAME_CLIP,
    LC_FRAME_THUMBNAIL
} lc_frame_kind;

// What stands in front of the payload, in the order of the protocol.
typedef struct lc_frame_header {
    lc_frame_kind kind;
    bool deflated;
    int bits; // a pixel: 1 or 8
    int scale;
    uint32_t number;
    int64_t x, y;
    uint32_t width, height;
    uint64_t generation;
    uint32_t look;
} lc_frame_header;

void lc_frame_put_header(unsigned char bytes[LC_FRAME_HEADER_BYTES], const lc_frame_header *header);

// Bytes of the payload, not compressed.
size_t lc_frame_payload_bytes(int bits, int width, int height);

// The pixel for `count` live cells of a square of 2^scale cells a side.
uint8_t lc_frame_tone(uint32_t count, int scale);

// Renders pictures; keeps memory between them.
typedef struct lc_renderer {
    uint32_t *counts;
    size_t counts_room; // entries
    uint64_t *row;
    size_t row_room; // words
    // Tones of counts at one scale: of the count i << shift at [i]; and the least count of each tone.
    uint8_t tones[(1 << 12) + 1];
    uint32_t least[257];
    int tones_scale; // 0: none yet
} lc_renderer;

void lc_renderer_free(lc_renderer *renderer);

// Whether a view of that scale may be another one while a pass is being made (lc_universe_set_watch).
static inline bool lc_render_shows_passes(int scale)
{
    return scale >= 6;
}

// Renders what is looked at, as it is, or in a watch as it is becoming, into lc_frame_payload_bytes bytes (1 bit a pixel at scale 0, else 8).
// LC_ERROR_MEMORY, or what the universe's density returns.
lc_status lc_render(lc_renderer *renderer, const lc_universe *universe, const lc_look *look,
                    unsigned char *payload, lc_message *message);

#endif
