// Renders pictures, cells as bits or downsampled views as bytes, and encodes their headers.
#include "picture_message.h"

#include <stdlib.h>
#include <string.h>

static void put(unsigned char *bytes, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

void lc_frame_put_header(unsigned char bytes[LC_FRAME_HEADER_BYTES], const lc_frame_header *header)
{
    memset(bytes, 0, LC_FRAME_HEADER_BYTES);
    bytes[0] = (unsigned char)header->kind;
    bytes[1] = header->deflated;
    bytes[2] = (unsigned char)header->bits;
    bytes[3] = (unsigned char)header->scale;
    put(bytes + 4, header->number, 4);
    put(bytes + 8, (uint64_t)header->x, 8);
    put(bytes + 16, (uint64_t)header->y, 8);
    put(bytes + 24, header->width, 4);
    put(bytes + 28, header->height, 4);
    put(bytes + 32, header->look, 4);
    bytes[36] = header->ages;
    for (int i = 0; i < 4; i++)
        put(bytes + 40 + 8 * i, header->generation.words[i], 8);
}

static int bits_of(const lc_look *look)
{
    return look->scale == 0 && !look->ages ? 1 : 8;
}

lc_frame_header lc_frame_header_of(lc_frame_kind kind, const lc_look *look, lc_count generation)
{
    return (lc_frame_header){.kind = kind,
                             .bits = bits_of(look),
                             .scale = look->scale,
                             .x = look->x,
                             .y = look->y,
                             .width = (uint32_t)look->width,
                             .height = (uint32_t)look->height,
                             .look = look->number,
                             .ages = look->ages,
                             .generation = generation};
}

size_t lc_frame_payload_bytes(int bits, int width, int height)
{
    return (bits == 1 ? (size_t)(width + 7) / 8 : (size_t)width) * (size_t)height;
}

size_t lc_frame_bytes(const lc_look *look)
{
    return LC_FRAME_HEADER_BYTES + lc_frame_payload_bytes(bits_of(look), look->width, look->height);
}

unsigned char *lc_frame_pack(const lc_cells *cells, unsigned char *payload)
{
    const size_t row_bytes = (size_t)(cells->width_cells + 7) / 8;
    for (int64_t y = 0; y < cells->height_cells; y++, payload += row_bytes) {
        const uint64_t *words = lc_cells_row(cells, y);
        if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
            memcpy(payload, words, row_bytes);
        for (size_t i = 0; __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && i < row_bytes; i++)
            payload[i] = (unsigned char)(words[i / 8] >> (8 * (i % 8)));
    }
    return payload;
}

// Sets start and length to the squares that cover `length` squares from `start` on. Each is
// 2^scales times as large, and begins at a multiple of its size.
static void coarsen(int64_t *start, int *length, int scales)
{
    const int64_t first = *start >> scales, last = (*start + *length - 1) >> scales;
    *start = first;
    *length = (int)(last - first + 1);
}

lc_look lc_look_coarser(const lc_look *look, int scales)
{
    lc_look coarser = *look;
    const bool counts_squares = look->scale > LC_VIEW_NEAR_SCALE_MAX;
    const int down = counts_squares ? 0 : look->scale; // from cells to squares
    coarser.scale = look->scale + scales;
    // Squares of a near view may begin anywhere, so the view grows to whole ones.
    int64_t x = look->x >> down, y = look->y >> down;
    const int64_t within = ((int64_t)1 << down) - 1;
    coarser.width += (look->x & within) != 0;
    coarser.height += (look->y & within) != 0;
    coarsen(&x, &coarser.width, scales);
    coarsen(&y, &coarser.height, scales);
    const int up = coarser.scale > LC_VIEW_NEAR_SCALE_MAX ? 0 : coarser.scale;
    coarser.x = (int64_t)((uint64_t)x << up);
    coarser.y = (int64_t)((uint64_t)y << up);
    return coarser;
}

static lc_status render_cells(const lc_universe *universe, const lc_look *look,
                              unsigned char *payload, lc_message *message)
{
    enum { ROWS = 16 }; // per read: an engine may search everything it stores for each
    uint64_t words[ROWS * LC_VIEW_SIDE_PIXELS_MAX / 64];
    for (int y = 0; y < look->height; y += ROWS) {
        lc_cells rows = lc_row_cells(look->x, look->y + y, look->width, words);
        rows.height_cells = look->height - y < ROWS ? look->height - y : ROWS;
        lc_status status = lc_universe_read(universe, &rows, message);
        if (status != LC_OK)
            return status;
        payload = lc_frame_pack(&rows, payload);
    }
    return LC_OK;
}

lc_status lc_render(const lc_universe *universe, const lc_look *look, unsigned char *payload,
                    lc_message *message)
{
    if (look->scale == 0)
        return render_cells(universe, look, payload, message);
    if (look->scale > LC_VIEW_NEAR_SCALE_MAX)
        return lc_universe_far_picture(universe, look->x, look->y, look->scale, look->width,
                                       look->height, payload, message);
    return lc_universe_picture(universe, look->x, look->y, (int64_t)1 << look->scale, look->width,
                               look->height, payload, message);
}

lc_status lc_render_ages(lc_ages *ages, const lc_universe *universe, const lc_look *look,
                         unsigned char *payload, lc_message *message)
{
    const int shift = look->scale > LC_VIEW_NEAR_SCALE_MAX ? 0 : look->scale;
    const size_t pixels = (size_t)look->width * (size_t)look->height;
    unsigned char *tones = look->scale == 0 ? NULL : malloc(pixels);
    if (look->scale != 0 && tones == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a picture");
    lc_status status =
        lc_ages_picture(ages, universe, look->x >> shift, look->y >> shift, look->scale,
                        look->width, look->height, payload, tones, message);
    if (status == LC_OK)
        lc_age_indices(payload, tones, pixels);
    free(tones);
    return status;
}
