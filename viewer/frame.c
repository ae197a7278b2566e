// Pictures: cells as bits when near, shares of live cells as bytes when far.
//
// A share is shown by its square root, and a square with a single live cell by 1 at least, so that
// a glider in an empty square of a thousand million cells is still seen.
#include "frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "viewer_fail.h"

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

uint8_t lc_frame_tone(uint32_t count, int scale)
{
    if (count == 0)
        return 0;
    const double share = ldexp(count, -2 * scale);
    const long tone = lround(255 * sqrt(share));
    return (uint8_t)(tone < 1 ? 1 : tone);
}

// What a count is shifted by to be an entry of the table.
static int table_shift(int scale)
{
    return scale > 6 ? 2 * scale - 12 : 0;
}

// The least count that has at least this tone.
static uint32_t least_count(int tone, int scale)
{
    uint32_t low = 1, high = (uint32_t)1 << 2 * scale;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (lc_frame_tone(middle, scale) >= tone)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void prepare_tones(lc_renderer *renderer, int scale)
{
    if (renderer->tones_scale == scale)
        return;
    const int shift = table_shift(scale);
    for (uint32_t i = 0; i <= (uint32_t)1 << (2 * scale - shift); i++)
        renderer->tones[i] = lc_frame_tone(i << shift, scale);
    for (int tone = 1; tone < 256; tone++)
        renderer->least[tone] = least_count(tone, scale);
    renderer->least[256] = UINT32_MAX;
    renderer->tones_scale = scale;
}

void lc_renderer_free(lc_renderer *renderer)
{
    free(renderer->counts);
    free(renderer->row);
    *renderer = (lc_renderer){0};
}

static lc_status no_memory(lc_message *message)
{
    return lc_viewer_fail(message, LC_ERROR_MEMORY,
                          "there is no memory for a picture of that size");
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
            return lc_viewer_fail(message, status, "the cells cannot be read");
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
    const size_t pixels = (size_t)look->width * (size_t)look->height;
    if (renderer->counts_room < pixels) {
        free(renderer->counts);
        renderer->counts = malloc(pixels * sizeof *renderer->counts);
        renderer->counts_room = renderer->counts != NULL ? pixels : 0;
        if (renderer->counts == NULL)
            return no_memory(message);
    }
    lc_status status = lc_universe_density(universe, look->x, look->y, (int64_t)1 << look->scale,
                                           look->width, look->height, renderer->counts, message);
    if (status != LC_OK)
        return status;
    prepare_tones(renderer, look->scale);
    const int shift = table_shift(look->scale);
    const uint32_t *counts = renderer->counts;
    if (shift == 0) {
        for (size_t i = 0; i < pixels; i++)
            payload[i] = renderer->tones[counts[i]];
        return LC_OK;
    }
    for (size_t i = 0; i < pixels; i++) {
        int tone = renderer->tones[counts[i] >> shift];
        while (counts[i] >= renderer->least[tone + 1])
            tone++;
        payload[i] = (unsigned char)tone;
    }
    return LC_OK;
}
