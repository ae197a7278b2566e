// Animated PNG files, written frame by frame (third edition of the PNG specification, W3C, 2025):
// one palette for all frames, each frame only as large as what has changed since the one before. If
// an index of the palette is free, it is transparent, and what has not changed in that rectangle
// has it: most of such a frame is the same byte, however varied the picture is.
//
//     signature  IHDR  acTL  PLTE (tRNS)  fcTL IDAT  fcTL fdAT  fcTL fdAT  ...  IEND
//
// acTL says how many frames there are, which is known at the end: it is written once more then.
#ifndef LC_FILE_APNG_H
#define LC_FILE_APNG_H

#include <stddef.h>
#include <stdint.h>

#include "lightcone/status.h"

typedef struct lc_apng lc_apng;

enum { LC_APNG_RATE_MAX = 1000 }; // frames a second

typedef struct lc_apng_options {
    uint32_t width, height;      // squares of one colour
    uint32_t side;               // pixels of a square
    int bits;                    // of a pixel, 1, 2, 4 or 8
    const uint8_t (*palette)[3]; // red, green, blue; only needed during the call
    int colours;                 // 1 to 2^bits
    int clear;                   // an index that no frame has; 0: there is none
    uint32_t rate;               // frames a second
} lc_apng_options;

// Starts a file, which takes its place when it is closed. The sizes are the caller's to bound: it
// takes two bytes a square. Returns LC_OK; LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_UNSUPPORTED (the
// path is a pipe, or else cannot be written twice). On error *out is NULL.
lc_status lc_apng_create(lc_apng **out, const char *path, const lc_apng_options *options,
                         lc_message *message);

// Adds a frame, which is seen for 1/rate seconds: an index into the palette for each square. One
// that is equal to the frame before makes that one last longer. LC_ERROR_IO, LC_ERROR_MEMORY,
// LC_ERROR_LIMIT (as many as a file can have): no other can be added, and closing returns the same.
lc_status lc_apng_add(lc_apng *apng, const uint8_t *squares, lc_message *message);

uint64_t lc_apng_frames(const lc_apng *apng); // that were added

// Ends the file, puts it in its place, frees the writer and clears *apng. After a failure, and
// without a frame, there is no file, and an old one stays. NULL and a pointer to NULL are fine.
lc_status lc_apng_close(lc_apng **apng, lc_message *message);

#endif
