// Compresses bytes as gzip does, on several threads. Knows neither what they mean nor where they
// go.
#ifndef LC_FILE_GZIP_WRITER_H
#define LC_FILE_GZIP_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "lightcone/status.h"

typedef struct lc_gzip_writer lc_gzip_writer;

// Takes compressed bytes, in their order, on the thread that calls the functions below.
typedef void (*lc_gzip_sink)(void *context, const void *data, size_t size_bytes);

// threads >= 1. There are no more of them than are of use, none besides the caller's before there
// is work for two, and none if they cannot be had. What comes out does not depend on their number.
// LC_ERROR_MEMORY: *out is NULL.
lc_status lc_gzip_writer_create(lc_gzip_writer **out, int threads, lc_gzip_sink sink,
                                void *context);

// Before anything was appended: compresses faster, and less. False: zlib failed.
bool lc_gzip_writer_hurry(lc_gzip_writer *writer);

// Appends.
void lc_gzip_writer_write(lc_gzip_writer *writer, const void *data, size_t size_bytes);

// The sink is given all that was appended: a reader of what it was given so far finds it there.
void lc_gzip_writer_flush(lc_gzip_writer *writer);

// Ends the stream; nothing may be appended then. LC_ERROR_SYSTEM: zlib failed, and what came out is
// of no use.
lc_status lc_gzip_writer_finish(lc_gzip_writer *writer);

// NULL and pointer to NULL are fine.
void lc_gzip_writer_destroy(lc_gzip_writer **writer);

#endif
