// Pictures: cells as bits when near, shares of live cells as bytes when far.
#include "frame.h"

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
    put(bytes + 32, header->generation, 8);
    put(bytes + 40, header->look, 4);
}

size_t lc_frame_payload_bytes(int bits, int width, int height)
{
    return (bits == 1 ? (size_t)(width + 7) / 8 : (size_t)width) * (size_t)height;
}

void lc_renderer_free(lc_renderer *renderer)
{
    free(renderer->row);
    *renderer = (lc_renderer){0};
}

static lc_status no_memory(lc_message *message)
{
    return lc_fail(message, LC_ERROR_MEMORY, "there is no memory for a picture of that size");
}

static lc_status render_cells(lc_renderer *renderer, const lc_universe *universe,
                              const lc_look *look, unsigned char *payload, lc_message *message)
{
    const size_t words = (size_t)(look->width + 63) / 64, bytes = (size_t)(look->width + 7) / 8;
    if (renderer->row_room < words) {
        free(renderer->row);
        renderer->row = malloc(words * sizeof *renderer->row);
        renderer->row_room = renderer->row != NULL ? words : 0;
        if (renderer->row == NULL)
            return no_memory(message);
    }
    for (int row = 0; row < look->height; row++) {
        lc_status status =
            lc_universe_read_row(universe, look->x, look->y + row, look->width, renderer->row);
        if (status != LC_OK)
            return lc_fail(message, status, "the cells cannot be read");
        for (size_t i = 0; i < bytes; i++)
            payload[i] = (unsigned char)(renderer->row[i / 8] >> i % 8 * 8);
        payload += bytes;
    }
    return LC_OK;
}

lc_status lc_render(lc_renderer *renderer, const lc_universe *universe, const lc_look *look,
                    unsigned char *payload, lc_message *message)
{
    if (look->scale == 0)
        return render_cells(renderer, universe, look, payload, message);
    return lc_universe_picture(universe, look->x, look->y, (int64_t)1 << look->scale, look->width,
                               look->height, payload, message);
}
