// Reads animated PNG files, put together frame by frame, with none of the library's code.
#ifndef LC_TESTS_SUPPORT_FILM_H
#define LC_TESTS_SUPPORT_FILM_H

#include <stddef.h>
#include <stdint.h>

typedef struct film_frame {
    uint8_t *pixels;          // what is seen: indices into the palette, width x height
    unsigned delay, delay_of; // it lasts delay / delay_of seconds
    int64_t area;             // pixels that the file has of it
} film_frame;

typedef struct film {
    int64_t width, height;
    int bits;
    uint8_t palette[256][3];
    int colours;
    film_frame *frames;
    size_t count;
} film;

// Fails the test unless the file is whole: checksums, sequence numbers, as many frames as it says,
// each within the picture and with as many bytes as it has pixels.
film film_read(const char *path);
void film_free(film *f);

#endif
