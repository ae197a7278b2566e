// Reads animated PNG files frame by frame, without the library's code.
#ifndef LC_TESTS_SUPPORT_FILM_H
#define LC_TESTS_SUPPORT_FILM_H

#include <stddef.h>
#include <stdint.h>

typedef struct film_frame {
    uint8_t *pixels;          // visible picture: palette indices, width x height
    unsigned delay, delay_of; // duration: delay / delay_of seconds
    int64_t area;             // pixels of this frame in the file
} film_frame;

typedef struct film {
    int64_t width, height;
    int bits;
    uint8_t palette[256][3];
    int colours;
    film_frame *frames;
    size_t count;
} film;

// Fails the test unless the file is valid: checksums, sequence numbers, number of frames, and each
// frame within the picture and with as many bytes as pixels.
film film_read(const char *path);
void film_free(film *f);

#endif
