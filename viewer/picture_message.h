// Renders the pictures of clients and encodes them as messages.
#ifndef LC_VIEWER_PICTURE_MESSAGE_H
#define LC_VIEWER_PICTURE_MESSAGE_H

#include "command.h"

enum { LC_FRAME_HEADER_BYTES = 72 };
typedef enum lc_frame_kind {
    LC_FRAME_PICTURE = 1,
    LC_FRAME_CLIP,
    LC_FRAME_THUMBNAIL,
    LC_FRAME_STILL, // a single picture that a client requested
} lc_frame_kind;

// The header of a picture message, in the order of the protocol.
typedef struct lc_frame_header {
    lc_frame_kind kind;
    bool deflated;
    int bits; // a pixel: 1 or 8
    int scale;
    uint32_t number;
    int64_t x, y;
    uint32_t width, height;
    uint32_t look;
    bool ages; // its bytes are ages of cells: lc_render_ages
    lc_count generation;
} lc_frame_header;

void lc_frame_put_header(unsigned char bytes[LC_FRAME_HEADER_BYTES], const lc_frame_header *header);

// Returns the header of a rendered view. Its number is 0.
lc_frame_header lc_frame_header_of(lc_frame_kind kind, const lc_look *look, lc_count generation);

// Returns the size of the payload before compression, in bytes.
size_t lc_frame_payload_bytes(int bits, int width, int height);
// Returns the size of the message of a rendered view, before compression.
size_t lc_frame_bytes(const lc_look *look);

// Writes cells as pixels of one bit: rows of ceil(width / 8) bytes, the leftmost cell in the lowest
// bit. Returns the end of the pixels.
unsigned char *lc_frame_pack(const lc_cells *cells, unsigned char *payload);

// Returns the same view, without loss at its edges, in squares that are 2^scales times as large.
lc_look lc_look_coarser(const lc_look *look, int scales);

// Returns whether a view of this scale may change during a pass (lc_universe_set_watch).
static inline bool lc_render_shows_passes(int scale)
{
    return scale >= 6;
}

// Renders a view into lc_frame_payload_bytes bytes: at scale 0 the cells, 1 bit a pixel; at others
// lc_universe_picture or lc_universe_far_picture. Returns LC_OK, or an error of these functions or
// lc_universe_read.
lc_status lc_render(const lc_universe *universe, const lc_look *look, unsigned char *payload,
                    lc_message *message);

// Renders a view of ages, one byte a pixel: the indices of lc_age_indices. Returns LC_OK;
// LC_ERROR_MEMORY; or an error of lc_ages_picture.
lc_status lc_render_ages(lc_ages *ages, const lc_universe *universe, const lc_look *look,
                         unsigned char *payload, lc_message *message);

#endif
