// Writing the parts of a checkpoint, as one file has them or a share of several.
#ifndef LC_CHECKPOINT_CHECKPOINT_WRITER_H
#define LC_CHECKPOINT_CHECKPOINT_WRITER_H

#include "checkpoint/checkpoint_format.h"
#include "file/output.h"

typedef struct lc_checkpoint_writer {
    const lc_universe *universe; // whose cells they are; NULL: the cover's alone
    lc_cover *cover;             // its threads work
    lc_checkpoint_header header; // was encoded: it has its checksum
    lc_output *output;
    bool plain; // cells are not compressed: they lie in their frames as they are

    // What was written up to now.
    lc_checkpoint_totals totals;
    uint64_t written_bytes;
} lc_checkpoint_writer;

// Appends, and counts the bytes.
void lc_checkpoint_emit(lc_checkpoint_writer *writer, const void *data, size_t size_bytes);

// The parts of what is alive, all of it in that box. LC_ERROR_MEMORY, or what reading returns; what
// fails with the output, that keeps.
lc_status lc_checkpoint_write_parts(lc_checkpoint_writer *writer, lc_box life, lc_message *message);

// What ends a file, or a share.
void lc_checkpoint_write_trailer(lc_checkpoint_writer *writer);

#endif
