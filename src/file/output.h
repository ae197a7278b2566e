// Where a written pattern goes: a file that appears whole or not at all, or standard output,
// through gzip if asked for; or memory.
#ifndef LC_FILE_OUTPUT_H
#define LC_FILE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/status.h"

typedef struct lc_output lc_output;

// Starts a file. "-" is standard output. An existing path that is no regular file (a device, a
// pipe) is written to directly; everything else goes to a temporary file beside the target.
// `gzip_threads` threads compress it, 0: it is not compressed. LC_ERROR_IO, LC_ERROR_MEMORY: *out
// is NULL.
lc_status lc_output_create(lc_output **out, const char *path, int gzip_threads,
                           lc_message *message);

// Where it will be, with links followed, and what becomes of that file: its owner, group and
// permissions. NULL if it is no file of its own but a device, a pipe or standard output.
typedef struct lc_output_place {
    uint32_t user, group, permissions;
} lc_output_place;
const char *lc_output_target(const lc_output *output, lc_output_place *place);

// Starts a file that does not exist yet, under its own name, to be as another one; it is locked up
// to its end (temporary.h). LC_ERROR_IO, LC_ERROR_MEMORY: *out is NULL.
lc_status lc_output_create_beside(lc_output **out, const char *path, const lc_output_place *place,
                                  lc_message *message);

// What was appended so far is on the disk, under its name if it was created beside another. What
// failed since the beginning.
lc_status lc_output_settle(lc_output *output, lc_message *message);

// Starts a piece of memory of at most limit_bytes bytes. LC_ERROR_MEMORY: *out is NULL.
lc_status lc_output_create_memory(lc_output **out, size_t limit_bytes, lc_message *message);

// Starts one whose bytes are handed to a function, in the order in which they were appended. After
// anything but LC_OK it gets no more. LC_ERROR_MEMORY: *out is NULL.
typedef lc_status lc_output_taker(void *context, const void *data, size_t size_bytes,
                                  lc_message *message);
lc_status lc_output_create_pieces(lc_output **out, lc_output_taker *take, void *context,
                                  lc_message *message);

// Before anything was appended: compresses faster, and less.
void lc_output_hurry(lc_output *output);

// Appends. A failure is kept: all later calls do nothing, and lc_output_commit reports it.
void lc_output_write(lc_output *output, const void *data, size_t size_bytes);
void lc_output_text(lc_output *output, const char *text);
// At most 511 bytes.
void lc_output_print(lc_output *output, const char *format, ...) LC_PRINTF(2, 3);

// At least `size_bytes` (up to 4096) bytes of room to be filled in place; lc_output_filled says up
// to where. Never NULL; after a failure the bytes go nowhere.
char *lc_output_room(lc_output *output, size_t size_bytes);
void lc_output_filled(lc_output *output, const char *end);

bool lc_output_failed(const lc_output *output);

// Whether bytes that were appended can be written again: not through gzip, into a pipe or memory.
bool lc_output_can_rewrite(const lc_output *output);

// Puts other bytes in the place of some that were appended, from that byte of the file on. Only
// where that can be; a failure is kept, as one of appending is.
void lc_output_rewrite(lc_output *output, uint64_t offset_bytes, const void *data,
                       size_t size_bytes);

// What was appended so far is in the file from now on, whatever happens to this process; the first
// time, the file takes its place. If anything fails later, the file is cut off where it was
// published last. Not for memory. What failed since the beginning: then nothing was done.
lc_status lc_output_publish(lc_output *output, lc_message *message);

// Flushes to the disk and puts the file in its place; or removes the temporary file and returns
// the failure. Destroys *output in any case.
lc_status lc_output_commit(lc_output **output, lc_message *message);

// The same for memory, which free() frees and a zero byte follows. LC_ERROR_LIMIT, LC_ERROR_MEMORY:
// *data is NULL.
lc_status lc_output_take_memory(lc_output **output, void **data, size_t *size_bytes,
                                lc_message *message);

// Gives the file up: the old one, if there was one, stays, or what was published. NULL and
// pointer to NULL are fine.
void lc_output_abandon(lc_output **output);

#endif
