// Writer of animated PNG files (PNG specification, third edition, W3C, 2025).
//
// All frames share one palette. Each frame has only the rectangle that differs from the previous
// frame. If the palette has a transparent index, unchanged squares of the rectangle get it, so most
// bytes of such a frame are equal and compress well.
//
//     signature  IHDR  acTL  PLTE (tRNS)  fcTL IDAT  fcTL fdAT  fcTL fdAT  ...  IEND
//
// acTL states the number of frames, which is known only at the end, so the writer then overwrites
// acTL.
#ifndef LC_FILE_APNG_H
#define LC_FILE_APNG_H

#include <stddef.h>
#include <stdint.h>

#include "lightcone/status.h"

typedef struct lc_apng lc_apng;

enum { LC_APNG_RATE_MAX = 1000 }; // frames per second

typedef struct lc_apng_options {
    uint32_t width, height;      // in squares of one colour
    uint32_t side;               // pixels per side of a square
    int bits;                    // per pixel: 1, 2, 4 or 8
    const uint8_t (*palette)[3]; // red, green, blue; read only during lc_apng_create
    int colours;                 // 1 to 2^bits
    int clear;                   // a transparent index that no frame uses; 0: none
    uint32_t rate;               // frames per second
} lc_apng_options;

// Starts a file. It replaces `path` when it is closed. The caller limits the sizes; the writer
// needs two bytes per square. LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_UNSUPPORTED (the path is a
// pipe, or cannot be rewritten for another reason). On error *out is NULL.
lc_status lc_apng_create(lc_apng **out, const char *path, const lc_apng_options *options,
                         lc_message *message);

// Adds a frame of 1/rate seconds, a palette index per square. A frame equal to the previous one
// extends its duration. LC_ERROR_IO, LC_ERROR_MEMORY, LC_ERROR_LIMIT (too many frames): no frame
// can be added later, and closing returns the same error.
lc_status lc_apng_add(lc_apng *apng, const uint8_t *squares, lc_message *message);

uint64_t lc_apng_frames(const lc_apng *apng); // number of added frames

// Completes the file, renames it to its path, frees the writer and sets *apng to NULL. After an
// error or without a frame it writes no file, and an old file stays. Accepts NULL and a pointer to
// NULL.
lc_status lc_apng_close(lc_apng **apng, lc_message *message);

#endif
