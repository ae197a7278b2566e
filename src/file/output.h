// Output of a pattern: a file that appears whole or not at all, standard output, memory or a
// function; optionally gzip-compressed.
#ifndef LC_FILE_OUTPUT_H
#define LC_FILE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/status.h"

typedef struct lc_output lc_output;

// Starts a file. "-" is standard output. The output writes directly to an existing path that is not
// a regular file (a device, a pipe); otherwise it writes to a temporary file beside the target.
// `gzip_threads` threads compress; 0: no compression. LC_ERROR_IO, LC_ERROR_MEMORY: *out is NULL.
lc_status lc_output_create(lc_output **out, const char *path, int gzip_threads,
                           lc_message *message);

// Returns the final path, with links followed, and the owner, group and permissions of the file.
// NULL for a device, a pipe or standard output.
typedef struct lc_output_place {
    uint32_t user, group, permissions;
} lc_output_place;
const char *lc_output_target(const lc_output *output, lc_output_place *place);

// Starts a new file under its own name, with the owner, group and permissions of `place`. The file
// is locked until it is closed (temporary.h). LC_ERROR_IO, LC_ERROR_MEMORY: *out is NULL.
lc_status lc_output_create_beside(lc_output **out, const char *path, const lc_output_place *place,
                                  lc_message *message);

// Flushes everything appended so far to the disk, and the name of a file of
// lc_output_create_beside. Returns the first error since the start.
lc_status lc_output_sync(lc_output *output, lc_message *message);

// Starts an output to memory of at most limit_bytes bytes. LC_ERROR_MEMORY: *out is NULL.
lc_status lc_output_create_memory(lc_output **out, size_t limit_bytes, lc_message *message);

// Starts an output that passes its bytes in order to a function. After the function returns an
// error it is not called again. LC_ERROR_MEMORY: *out is NULL.
typedef lc_status lc_output_taker(void *context, const void *data, size_t size_bytes,
                                  lc_message *message);
lc_status lc_output_create_pieces(lc_output **out, lc_output_taker *take, void *context,
                                  lc_message *message);

// Selects faster compression with larger output. Call before the first write.
void lc_output_set_fast(lc_output *output);

// Appends. After an error all later calls do nothing, and lc_output_commit returns the error.
void lc_output_write(lc_output *output, const void *data, size_t size_bytes);
void lc_output_text(lc_output *output, const char *text);
// At most 511 bytes.
void lc_output_print(lc_output *output, const char *format, ...) LC_PRINTF(2, 3);

// Returns room for at least `size_bytes` (up to 4096) bytes to be filled in place; the caller then
// passes the end of the bytes to lc_output_advance. Never NULL; after an error the bytes are
// discarded.
char *lc_output_reserve(lc_output *output, size_t size_bytes);
void lc_output_advance(lc_output *output, const char *end);

bool lc_output_failed(const lc_output *output);

// Returns whether appended bytes can be rewritten: false for gzip, pipes and memory.
bool lc_output_can_rewrite(const lc_output *output);

// Overwrites appended bytes from an offset in the file on. Only if lc_output_can_rewrite. An error
// is recorded, as in lc_output_write.
void lc_output_rewrite(lc_output *output, uint64_t offset_bytes, const void *data,
                       size_t size_bytes);

// Makes everything appended so far visible in the file, even if this process ends. The first call
// renames the temporary file to its path. After a later error the file is truncated to the last
// published length. Not for memory. Returns the first error since the start; the call then did
// nothing.
lc_status lc_output_publish(lc_output *output, lc_message *message);

// Flushes the file to the disk and renames it to its path. On error removes the temporary file and
// returns the error. Frees *output in any case.
lc_status lc_output_commit(lc_output **output, lc_message *message);

// The same for memory. A zero byte follows the data; the caller frees it with free().
// LC_ERROR_LIMIT, LC_ERROR_MEMORY: *data is NULL.
lc_status lc_output_take_memory(lc_output **output, void **data, size_t *size_bytes,
                                lc_message *message);

// Discards the output. An old file or the published part stays. Accepts NULL and a pointer to NULL.
void lc_output_abandon(lc_output **output);

#endif
