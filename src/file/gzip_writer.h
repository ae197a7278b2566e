// Compresses bytes to gzip format on several threads.
#ifndef LC_FILE_GZIP_WRITER_H
#define LC_FILE_GZIP_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "lightcone/status.h"

typedef struct lc_gzip_writer lc_gzip_writer;

// Receives compressed bytes in order, on the thread that calls the functions below.
typedef void (*lc_gzip_sink)(void *context, const void *data, size_t size_bytes);

// Creates a writer with at most `threads` threads (>= 1). It starts threads only when it has work
// for two, uses no more than help, and works without them if they cannot be started. The output
// does not depend on the number of threads. LC_ERROR_MEMORY: *out is NULL.
lc_status lc_gzip_writer_create(lc_gzip_writer **out, int threads, lc_gzip_sink sink,
                                void *context);

// Selects faster compression with larger output. Call before the first write. Returns false if zlib
// failed.
bool lc_gzip_writer_set_fast(lc_gzip_writer *writer);

// Appends.
void lc_gzip_writer_write(lc_gzip_writer *writer, const void *data, size_t size_bytes);

// Passes everything appended to the sink; a reader of the sink's bytes can then decompress all of
// it.
void lc_gzip_writer_flush(lc_gzip_writer *writer);

// Ends the stream; the caller appends nothing later. LC_ERROR_SYSTEM: zlib failed, and the output
// is unusable.
lc_status lc_gzip_writer_finish(lc_gzip_writer *writer);

// Accepts NULL and a pointer to NULL.
void lc_gzip_writer_destroy(lc_gzip_writer **writer);

#endif
