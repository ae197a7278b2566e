// Renders thumbnails of the library's patterns.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/clip.h"
#include "pattern_library.h"
#include "picture_message.h"

// Returns the smallest scale at which the clip fits the thumbnail's side.
static int scale_for(const lc_cells *cells)
{
    const int64_t side =
        cells->width_cells > cells->height_cells ? cells->width_cells : cells->height_cells;
    int scale = 0;
    while ((side - 1) >> scale >= LC_THUMBNAIL_SIDE)
        scale++;
    return scale;
}

// Adds the live cells of a row to the counts of its squares.
static void count_row(const lc_cells *cells, int64_t y, int scale, uint32_t *counts)
{
    const uint64_t *row = lc_cells_row(cells, y);
    const int piece = scale < 6 ? 1 << scale : 64; // cells of a word in one square
    const uint64_t mask = ~UINT64_C(0) >> (64 - piece);
    for (size_t i = 0; i < cells->pitch_words; i++) {
        uint64_t word = row[i];
        for (int at = 0; word != 0; at += piece) {
            counts[(i * 64 + (size_t)at) >> scale] += (uint32_t)__builtin_popcountll(word & mask);
            word = piece < 64 ? word >> piece : 0;
        }
    }
}

static uint8_t shade(uint32_t count, int scale)
{
    if (count == 0)
        return 0;
    const double share = ldexp(count, -2 * scale);
    const long value = lround(255 * sqrt(share));
    return value > 1 ? (uint8_t)value : 1;
}

static void draw(const lc_cells *cells, lc_thumbnail *out)
{
    const int scale = scale_for(cells);
    *out = (lc_thumbnail){.width = (int)((cells->width_cells - 1) >> scale) + 1,
                          .height = (int)((cells->height_cells - 1) >> scale) + 1,
                          .bits = scale == 0 ? 1 : 8,
                          .scale = scale};
    if (scale == 0) {
        out->size_bytes = lc_frame_payload_bytes(1, out->width, out->height);
        lc_frame_pack(cells, out->pixels);
        return;
    }
    out->size_bytes = (size_t)out->width * (size_t)out->height;
    uint8_t *pixels = out->pixels;
    for (int64_t square = 0; square < out->height; square++, pixels += out->width) {
        uint32_t counts[LC_THUMBNAIL_SIDE] = {0};
        const int64_t begin = square << scale, end = begin + ((int64_t)1 << scale);
        for (int64_t y = begin; y < end && y < cells->height_cells; y++)
            count_row(cells, y, scale, counts);
        for (int x = 0; x < out->width; x++)
            pixels[x] = shade(counts[x], scale);
    }
}

lc_status lc_library_thumbnail(const lc_library *library, uint32_t id, lc_thumbnail *out,
                               lc_message *message)
{
    void *data;
    lc_clip *clip;
    size_t size_bytes;
    lc_status status = lc_library_read(library, id, &data, &size_bytes, message);
    if (status != LC_OK)
        return status;
    status = lc_clip_from_text(&clip, data, size_bytes, LC_THUMBNAIL_CELLS_MAX, message);
    free(data);
    if (status != LC_OK)
        return status;
    draw(lc_clip_cells(clip), out);
    lc_clip_destroy(&clip);
    return LC_OK;
}
