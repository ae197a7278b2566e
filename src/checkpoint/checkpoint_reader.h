// The state of reading a checkpoint. First a function for each version reads and checks the heads
// of all parts and lists the parts. The list tells how much memory the cells need. Then the block
// is created, and all threads read, check and decompress parts of the list.
#ifndef LC_CHECKPOINT_CHECKPOINT_READER_H
#define LC_CHECKPOINT_CHECKPOINT_READER_H

#include <limits.h>

#include "checkpoint/checkpoint_format.h"

typedef struct lc_checkpoint_rank_file lc_checkpoint_rank_file; // checkpoint_rank_files.h

typedef struct lc_checkpoint_reader {
    lc_message *message;
    int descriptor;
    const uint8_t *memory; // instead of a file, or NULL
    uint64_t size_bytes;   // of the file
    uint64_t limit_bytes;  // of memory
    lc_checkpoint_header header;

    // From the heads:
    lc_checkpoint_part *parts; // in the order of the file
    size_t part_count, part_capacity;
    lc_checkpoint_totals totals;
    uint64_t population_at, hash_at; // their offsets in the file

    char path[PATH_MAX]; // without links; "": in memory
    // Of a checkpoint of several files: its rank files, their name and their folder.
    lc_checkpoint_rank_file *rank_files;
    char name[256], folder[PATH_MAX];

    lc_universe *universe; // gets the cells; NULL: `cover` gets them
    lc_cover *cover;       // gets the cells of its rows `held`
    lc_area held;
} lc_checkpoint_reader;

// Reads `size_bytes` at `offset`. Returns LC_OK; LC_ERROR_IO; LC_ERROR_FORMAT (end of file).
lc_status lc_checkpoint_take(const lc_checkpoint_reader *reader, uint64_t offset, void *data,
                             size_t size_bytes, lc_message *message);

// Appends a part to the list. Returns LC_OK; LC_ERROR_LIMIT; LC_ERROR_MEMORY; LC_ERROR_FORMAT (the
// frame is longer than the file).
lc_status lc_checkpoint_list(lc_checkpoint_reader *reader, const lc_checkpoint_part *part);

// Reads the heads of parts or pieces from `start` on, and the trailer behind them. Lists them.
lc_status lc_checkpoint_look_at_parts(lc_checkpoint_reader *reader, uint64_t start);

// Reads the cells of all listed parts, or of the held rows.
lc_status lc_checkpoint_read_parts(const lc_checkpoint_reader *reader);

// Returns whether a part has cells that the reader wants.
bool lc_checkpoint_wants(const lc_checkpoint_reader *reader, int64_t first_row, int64_t end_row);

// Checks the trailer at `start`, which must end the file.
lc_status lc_checkpoint_end(lc_checkpoint_reader *reader,
                            const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES], uint64_t start);

// The first reads header and heads of version 1, after the first bytes. The second checks the hash
// of all cells and the checksum of the whole file.
lc_status lc_checkpoint_look_at_version_1(lc_checkpoint_reader *reader);
lc_status lc_checkpoint_check_version_1(const lc_checkpoint_reader *reader, lc_box box);

#endif
