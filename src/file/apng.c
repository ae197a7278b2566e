// Writes animated PNG files.
//
// Rows of pixels go to zlib one at a time, so memory never holds a whole frame of pixels. The pixel
// rows of a row of squares are equal. All but the first use the filter "up", which makes their
// bytes 0, and zlib compresses these well.
#include "file/apng.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "file/output.h"
#include "file/zlib_memory.h"

enum {
    COMPRESSION_LEVEL = 6,
    CHUNK_FRAME_BYTES = 12,   // bytes of a chunk besides its contents
    CONTROL_AT = 8 + 12 + 13, // offset of acTL
    LONGEST_DELAY = UINT16_MAX,
    MOST_FRAMES = 1 << 29, // each has two sequence numbers, which are below 2^31
    FIRST_ROOM = 1 << 16,
    FILTER_NONE = 0,
    FILTER_UP = 2,
};

typedef struct rectangle {
    uint32_t x, y, width, height;
} rectangle;

struct lc_apng {
    lc_output *output;
    lc_apng_options options;
    lc_status status; // the error that ended it
    lc_message message;
    z_stream stream;
    bool has_stream;
    uint8_t *squares;    // the last frame
    uint8_t *row;        // a row of pixels: filter, then one index each, packed in place
    uint8_t *compressed; // the last differing frame, not written yet
    size_t used, room;
    rectangle where; // its rectangle
    bool is_over;    // its transparent pixels show the frame before
    uint32_t delay;  // its duration so far, in frames
    uint64_t frames; // added
    uint32_t shown;  // frames in the file
    uint32_t sequence;
};

static void put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_u16(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

// Writes a chunk: length, type, contents in two parts (the first may be empty), checksum.
static void write_chunk(lc_output *output, const char *kind, const uint8_t *first,
                        size_t first_bytes, const uint8_t *second, size_t second_bytes)
{
    uint8_t head[8], check[4];
    put_u32(head, (uint32_t)(first_bytes + second_bytes));
    memcpy(head + 4, kind, 4);
    uLong crc = crc32_z(0, head + 4, 4);
    crc = first_bytes > 0 ? crc32_z(crc, first, first_bytes) : crc;
    crc = second_bytes > 0 ? crc32_z(crc, second, second_bytes) : crc;
    put_u32(check, (uint32_t)crc);
    lc_output_write(output, head, sizeof head);
    lc_output_write(output, first, first_bytes);
    lc_output_write(output, second, second_bytes);
    lc_output_write(output, check, sizeof check);
}

static void make_control(uint32_t frames, uint8_t chunk[CHUNK_FRAME_BYTES + 8])
{
    put_u32(chunk, 8);
    memcpy(chunk + 4, "acTL", 4);
    put_u32(chunk + 8, frames);
    put_u32(chunk + 12, 0); // endless repetition
    put_u32(chunk + 16, (uint32_t)crc32_z(0, chunk + 4, 12));
}

static void put_head(lc_apng *a)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {0}, control[CHUNK_FRAME_BYTES + 8];
    put_u32(header, a->options.width * a->options.side);
    put_u32(header + 4, a->options.height * a->options.side);
    header[8] = (uint8_t)a->options.bits;
    header[9] = 3; // palette colours; the other three bytes are 0
    lc_output_write(a->output, signature, sizeof signature);
    write_chunk(a->output, "IHDR", NULL, 0, header, sizeof header);
    make_control(0, control);
    lc_output_write(a->output, control, sizeof control);
    write_chunk(a->output, "PLTE", NULL, 0, a->options.palette[0], 3 * (size_t)a->options.colours);
    if (a->options.clear > 0) { // opacities of the colours up to this one
        uint8_t opaque[256];
        memset(opaque, 255, sizeof opaque);
        opaque[a->options.clear] = 0;
        write_chunk(a->output, "tRNS", NULL, 0, opaque, (size_t)a->options.clear + 1);
    }
}

static lc_status fail(lc_apng *a, lc_status status, const char *text, lc_message *message)
{
    a->status = lc_fail(&a->message, status, "%s", text);
    return lc_fail_again(message, status, &a->message);
}

static void destroy(lc_apng **apng)
{
    lc_apng *a = *apng;
    lc_output_abandon(&a->output);
    if (a->has_stream)
        deflateEnd(&a->stream);
    lc_free(a->squares);
    lc_free(a->row);
    lc_free(a->compressed);
    lc_free(a);
    *apng = NULL;
}

lc_status lc_apng_create(lc_apng **out, const char *path, const lc_apng_options *options,
                         lc_message *message)
{
    static const char no_memory[] = "out of memory for writing a film";
    *out = NULL;
    lc_apng *a = lc_calloc(1, sizeof *a);
    if (a == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, no_memory);
    a->options = *options;
    a->stream = (z_stream){.zalloc = lc_zlib_alloc, .zfree = lc_zlib_free};
    a->has_stream = deflateInit(&a->stream, COMPRESSION_LEVEL) == Z_OK;
    a->room = FIRST_ROOM;
    a->compressed = lc_malloc(a->room);
    a->squares = lc_malloc((size_t)options->width * options->height);
    a->row = lc_malloc(1 + (size_t)options->width * options->side + 7);
    lc_status status = LC_OK;
    if (!a->has_stream || a->compressed == NULL || a->squares == NULL || a->row == NULL)
        status = lc_fail(message, LC_ERROR_MEMORY, no_memory);
    if (status == LC_OK)
        status = lc_output_create(&a->output, path, 0, message);
    if (status == LC_OK && !lc_output_can_rewrite(a->output))
        status = lc_fail(message, LC_ERROR_UNSUPPORTED,
                         "a film needs a file: at its end the number of its frames is written at "
                         "its beginning");
    if (status != LC_OK) {
        destroy(&a);
        return status;
    }
    put_head(a);
    a->options.palette = NULL;
    *out = a;
    return LC_OK;
}

// Finds the smallest rectangle with all squares that differ. Returns false if none differs.
static bool find_changes(const lc_apng *a, const uint8_t *fresh, rectangle *changed)
{
    const uint32_t width = a->options.width, height = a->options.height;
    uint32_t left = width, right = 0, top = height, bottom = 0;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *now = fresh + (size_t)y * width, *old = a->squares + (size_t)y * width;
        if (memcmp(now, old, width) == 0)
            continue;
        uint32_t first = 0, last = width - 1;
        while (now[first] == old[first])
            first++;
        while (now[last] == old[last])
            last--;
        left = first < left ? first : left;
        right = last > right ? last : right;
        top = y < top ? y : top;
        bottom = y;
    }
    *changed = (rectangle){left, top, right - left + 1, bottom - top + 1};
    return top < height;
}

// Compresses bytes; `end` completes the stream.
static bool compress_bytes(lc_apng *a, const uint8_t *bytes, size_t size_bytes, bool end)
{
    a->stream.next_in = (Bytef *)(uintptr_t)bytes;
    a->stream.avail_in = (uInt)size_bytes;
    for (;;) {
        if (!lc_grow(&a->compressed, &a->room, a->used + 1, 1))
            return false;
        const size_t free_bytes = a->room - a->used;
        a->stream.next_out = a->compressed + a->used;
        a->stream.avail_out = (uInt)free_bytes;
        const int result = deflate(&a->stream, end ? Z_FINISH : Z_NO_FLUSH);
        a->used += free_bytes - a->stream.avail_out;
        if (result == Z_STREAM_END || (!end && a->stream.avail_out > 0))
            return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
    }
}

// Converts a row of squares to a row of pixels behind the filter byte. Squares equal to `old`
// become transparent (NULL: none). Returns the number of bytes.
static size_t make_row(lc_apng *a, const uint8_t *squares, const uint8_t *old, uint32_t width)
{
    const uint32_t side = a->options.side;
    const int bits = a->options.bits, pixels_a_byte = 8 / bits;
    const uint8_t clear = (uint8_t)a->options.clear;
    const size_t pixels = (size_t)width * side;
    uint8_t *row = a->row + 1;
    for (uint32_t x = 0; x < width; x++) {
        const uint8_t index = old != NULL && old[x] == squares[x] ? clear : squares[x];
        if (side == 1)
            row[x] = index;
        else
            memset(row + (size_t)x * side, index, side);
    }
    if (bits == 8)
        return 1 + pixels;
    memset(row + pixels, 0, 7);
    for (size_t i = 0; i < pixels; i += (size_t)pixels_a_byte) {
        unsigned byte = 0;
        for (int k = 0; k < pixels_a_byte; k++)
            byte = byte << bits | row[i + (size_t)k];
        row[i / (size_t)pixels_a_byte] = (uint8_t)byte;
    }
    return 1 + (pixels + (size_t)pixels_a_byte - 1) / (size_t)pixels_a_byte;
}

// Compresses a rectangle of squares. The frame is written when its duration is known.
static lc_status compress_frame(lc_apng *a, const uint8_t *squares, rectangle where,
                                lc_message *message)
{
    const size_t first = (size_t)where.y * a->options.width + where.x;
    a->is_over = a->frames > 0 && a->options.clear > 0;
    bool good = deflateReset(&a->stream) == Z_OK;
    a->used = 0;
    a->where = where;
    a->delay = 0;
    for (uint32_t y = 0; y < where.height && good; y++) {
        const size_t at = first + (size_t)y * a->options.width;
        const uint8_t *old = a->is_over ? a->squares + at : NULL;
        const size_t bytes = make_row(a, squares + at, old, where.width);
        a->row[0] = FILTER_NONE;
        good = compress_bytes(a, a->row, bytes, false);
        if (a->options.side > 1)
            memset(a->row, 0, bytes);
        a->row[0] = FILTER_UP;
        for (uint32_t i = 1; i < a->options.side && good; i++)
            good = compress_bytes(a, a->row, bytes, false);
    }
    good = good && compress_bytes(a, NULL, 0, true);
    return good ? LC_OK : fail(a, LC_ERROR_MEMORY, "out of memory for writing a film", message);
}

// Writes the frame that compress_frame prepared.
static void write_frame(lc_apng *a)
{
    const uint32_t side = a->options.side;
    uint8_t control[26] = {0}; // the last two bytes: disposal (none) and blending
    put_u32(control, a->sequence++);
    put_u32(control + 4, a->where.width * side);
    put_u32(control + 8, a->where.height * side);
    put_u32(control + 12, a->where.x * side);
    put_u32(control + 16, a->where.y * side);
    put_u16(control + 20, a->delay);
    put_u16(control + 22, a->options.rate);
    control[25] = a->is_over;
    write_chunk(a->output, "fcTL", NULL, 0, control, sizeof control);
    if (a->shown == 0) {
        write_chunk(a->output, "IDAT", NULL, 0, a->compressed, a->used);
    } else {
        uint8_t number[4];
        put_u32(number, a->sequence++);
        write_chunk(a->output, "fdAT", number, sizeof number, a->compressed, a->used);
    }
    a->shown++;
}

lc_status lc_apng_add(lc_apng *a, const uint8_t *squares, lc_message *message)
{
    rectangle changed = {0, 0, a->options.width, a->options.height};
    if (a->status != LC_OK)
        return lc_fail_again(message, a->status, &a->message);
    if (a->shown >= MOST_FRAMES)
        return fail(a, LC_ERROR_LIMIT, "a film has at most 2^29 different frames", message);
    bool differs = true;
    if (a->frames > 0) {
        differs = find_changes(a, squares, &changed);
        if (!differs && a->delay == LONGEST_DELAY) { // repeat one unchanged square
            changed = (rectangle){0, 0, 1, 1};
            differs = true;
        }
        if (differs)
            write_frame(a);
    }
    lc_status status = differs ? compress_frame(a, squares, changed, message) : LC_OK;
    if (status == LC_OK && lc_output_failed(a->output)) {
        a->status = lc_output_sync(a->output, &a->message); // returns the recorded error
        return lc_fail_again(message, a->status, &a->message);
    }
    if (status != LC_OK)
        return status;
    memcpy(a->squares, squares, (size_t)a->options.width * a->options.height);
    a->delay++;
    a->frames++;
    return LC_OK;
}

uint64_t lc_apng_frames(const lc_apng *a)
{
    return a->frames;
}

lc_status lc_apng_close(lc_apng **apng, lc_message *message)
{
    if (apng == NULL || *apng == NULL)
        return LC_OK;
    lc_apng *a = *apng;
    lc_status status = lc_fail_again(message, a->status, &a->message);
    if (status == LC_OK && a->frames > 0) {
        uint8_t control[CHUNK_FRAME_BYTES + 8];
        write_frame(a);
        write_chunk(a->output, "IEND", NULL, 0, NULL, 0);
        make_control(a->shown, control);
        lc_output_rewrite(a->output, CONTROL_AT, control, sizeof control);
        status = lc_output_commit(&a->output, message);
    }
    destroy(apng);
    return status;
}
