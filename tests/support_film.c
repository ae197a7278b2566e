#include "support_film.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "support_pattern.h"

typedef struct chunk {
    char kind[5];
    const uint8_t *data;
    uint32_t bytes;
} chunk;

static uint32_t number(const uint8_t *from, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | from[i];
    return value;
}

static chunk next_chunk(const uint8_t *file, size_t size_bytes, size_t *at)
{
    chunk c = {.data = file + *at + 8};
    assert_true(size_bytes - *at >= 12);
    c.bytes = number(file + *at, 4);
    assert_true(c.bytes <= size_bytes - *at - 12);
    memcpy(c.kind, file + *at + 4, 4);
    assert_int_equal(number(c.data + c.bytes, 4), crc32(0, file + *at + 4, c.bytes + 4));
    *at += c.bytes + 12;
    return c;
}

static uint8_t paeth(int left, int above, int corner)
{
    const int guess = left + above - corner;
    const int a = abs(guess - left), b = abs(guess - above), c = abs(guess - corner);
    return (uint8_t)(a <= b && a <= c ? left : b <= c ? above : corner);
}

static void unfilter(int filter, uint8_t *row, const uint8_t *above, size_t bytes)
{
    assert_in_range(filter, 0, 4);
    for (size_t i = 0; i < bytes; i++) {
        const int left = i > 0 ? row[i - 1] : 0, corner = i > 0 ? above[i - 1] : 0;
        const int guesses[] = {0, left, above[i], (left + above[i]) / 2,
                               paeth(left, above[i], corner)};
        row[i] = (uint8_t)(row[i] + guesses[filter]);
    }
}

// Draws a frame over the visible picture.
static void compose(const film *f, const uint8_t *control, const uint8_t *data, size_t data_bytes,
                    const uint8_t *opaque, uint8_t *seen)
{
    const size_t width = number(control + 4, 4), height = number(control + 8, 4);
    const size_t x0 = number(control + 12, 4), y0 = number(control + 16, 4);
    const bool over = control[25] == 1;
    assert_true(width > 0 && height > 0 && control[24] == 0 && control[25] <= 1);
    assert_true(x0 + width <= (size_t)f->width && y0 + height <= (size_t)f->height);
    const size_t bytes = (width * (size_t)f->bits + 7) / 8;
    uLongf size = (uLongf)((bytes + 1) * height + 1);
    uint8_t *rows = malloc(size), *above = calloc(1, bytes);
    assert_non_null(rows);
    assert_non_null(above);
    assert_int_equal(uncompress(rows, &size, data, data_bytes), Z_OK);
    assert_int_equal(size, (bytes + 1) * height);
    for (size_t y = 0; y < height; y++) {
        uint8_t *row = rows + y * (bytes + 1) + 1;
        unfilter(row[-1], row, above, bytes);
        memcpy(above, row, bytes);
        for (size_t x = 0; x < width; x++) {
            const size_t bit = x * (size_t)f->bits;
            const int index = row[bit / 8] >> (8 - f->bits - (int)(bit % 8)) & ((1 << f->bits) - 1);
            assert_true(index < f->colours);
            assert_true(over || opaque[index] == 255);
            if (opaque[index] == 255)
                seen[(y0 + y) * (size_t)f->width + x0 + x] = (uint8_t)index;
        }
    }
    free(rows);
    free(above);
}

film film_read(const char *path)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    film f = {0};
    size_t size_bytes, at = sizeof signature;
    uint8_t *file = (uint8_t *)file_text(path, &size_bytes);
    uint8_t opaque[256], *seen = NULL;
    uint32_t said = 0, sequence = 0;
    const uint8_t *control = NULL;
    assert_non_null(file);
    assert_true(size_bytes > at && memcmp(file, signature, at) == 0);
    memset(opaque, 255, sizeof opaque);
    chunk c = next_chunk(file, size_bytes, &at);
    assert_string_equal(c.kind, "IHDR");
    assert_int_equal(c.bytes, 13);
    f.width = number(c.data, 4);
    f.height = number(c.data + 4, 4);
    f.bits = c.data[8];
    assert_int_equal(c.data[9], 3);
    assert_int_equal(number(c.data + 10, 3), 0);
    const size_t pixels = (size_t)(f.width * f.height);
    seen = calloc(1, pixels);
    assert_non_null(seen);
    while (c = next_chunk(file, size_bytes, &at), strcmp(c.kind, "IEND") != 0) {
        if (strcmp(c.kind, "acTL") == 0) {
            assert_int_equal(c.bytes, 8);
            assert_int_equal(number(c.data + 4, 4), 0);
            said = number(c.data, 4);
            f.frames = calloc(said, sizeof *f.frames);
            assert_non_null(f.frames);
        } else if (strcmp(c.kind, "PLTE") == 0) {
            f.colours = (int)c.bytes / 3;
            assert_in_range(f.colours, 1, 1 << f.bits);
            memcpy(f.palette, c.data, c.bytes);
        } else if (strcmp(c.kind, "tRNS") == 0) {
            assert_true((int)c.bytes <= f.colours);
            memcpy(opaque, c.data, c.bytes);
        } else if (strcmp(c.kind, "fcTL") == 0) {
            assert_int_equal(number(c.data, 4), sequence++);
            assert_int_equal(c.bytes, 26);
            control = c.data;
        } else {
            const bool first = f.count == 0;
            assert_string_equal(c.kind, first ? "IDAT" : "fdAT");
            assert_true(control != NULL && f.count < said);
            if (!first)
                assert_int_equal(number(c.data, 4), sequence++);
            film_frame *frame = &f.frames[f.count++];
            const size_t skip = first ? 0 : 4;
            compose(&f, control, c.data + skip, c.bytes - skip, opaque, seen);
            *frame = (film_frame){.pixels = malloc(pixels),
                                  .delay = number(control + 20, 2),
                                  .delay_of = number(control + 22, 2),
                                  .area = (int64_t)number(control + 4, 4) * number(control + 8, 4)};
            assert_non_null(frame->pixels);
            memcpy(frame->pixels, seen, pixels);
            assert_true(!first || frame->area == f.width * f.height);
            control = NULL;
        }
    }
    assert_int_equal(at, size_bytes);
    assert_int_equal(f.count, said);
    free(seen);
    free(file);
    return f;
}

void film_free(film *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->frames[i].pixels);
    free(f->frames);
}
