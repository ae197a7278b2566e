// Writes the parts of a checkpoint, into one file or into a rank file.
#ifndef LC_CHECKPOINT_CHECKPOINT_WRITER_H
#define LC_CHECKPOINT_CHECKPOINT_WRITER_H

#include "checkpoint/checkpoint_format.h"
#include "file/output.h"

typedef struct lc_checkpoint_writer {
    const lc_universe *universe; // source of the cells; NULL: `cover` is
    lc_cover *cover;             // its threads are used
    lc_checkpoint_header header; // encoded: has its checksum
    lc_output *output;
    bool plain; // frames are not compressed

    // Written so far:
    lc_checkpoint_totals totals;
    uint64_t written_bytes;
} lc_checkpoint_writer;

// Appends bytes and counts them.
void lc_checkpoint_emit(lc_checkpoint_writer *writer, const void *data, size_t size_bytes);

// Writes the parts of the live cells, all of them in that box. Returns LC_OK; LC_ERROR_MEMORY; or
// an error of reading. The output keeps its own errors.
lc_status lc_checkpoint_write_parts(lc_checkpoint_writer *writer, lc_box life, lc_message *message);

// Writes the trailer of a file or rank file.
void lc_checkpoint_write_trailer(lc_checkpoint_writer *writer);

#endif
