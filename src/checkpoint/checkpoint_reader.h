// Reading checkpoints, as its files share it. Nothing in a file is believed before it was checked.
// First the heads of all parts are looked at, from frame to frame, by a function for each version;
// nothing but a list of them is made. Then it is known how much memory the cells need, the block is
// made, and all threads read, check and decompress parts of the list.
#ifndef LC_CHECKPOINT_CHECKPOINT_READER_H
#define LC_CHECKPOINT_CHECKPOINT_READER_H

#include <limits.h>

#include "checkpoint/checkpoint_format.h"

typedef struct lc_checkpoint_share lc_checkpoint_share; // checkpoint_rank_files.h

typedef struct lc_checkpoint_reader {
    lc_message *message;
    int descriptor;
    const uint8_t *memory; // instead of a file; NULL: there is one
    uint64_t size_bytes;   // of the file
    uint64_t limit_bytes;  // of memory
    lc_checkpoint_header header;

    // What the heads say.
    lc_checkpoint_part *parts; // as they stand in the file
    size_t part_count, part_capacity;
    lc_checkpoint_totals totals;
    uint64_t population_at, hash_at; // where the file says them

    char path[PATH_MAX]; // without links; "" of memory
    // Of version 3, which has no parts of its own: its shares, their name and where they lie.
    lc_checkpoint_share *shares;
    char name[256], folder[PATH_MAX];

    lc_universe *universe; // that gets the cells; NULL: a cover does,
    lc_cover *cover;       // whose rows `held` get what they have in common with parts
    lc_area held;
} lc_checkpoint_reader;

// Reads exactly `size_bytes` at `offset`: LC_OK, LC_ERROR_IO, or LC_ERROR_FORMAT: the file ends.
lc_status lc_checkpoint_take(const lc_checkpoint_reader *reader, uint64_t offset, void *data,
                             size_t size_bytes, lc_message *message);

// Appends to the list. LC_ERROR_LIMIT, LC_ERROR_MEMORY; LC_ERROR_FORMAT: the frame ends behind the
// file.
lc_status lc_checkpoint_list(lc_checkpoint_reader *reader, const lc_checkpoint_part *part);

// The heads of parts from `start` on, and the trailer behind them.
lc_status lc_checkpoint_look_at_parts(lc_checkpoint_reader *reader, uint64_t start);

// The cells of all parts of the list, or those that are held.
lc_status lc_checkpoint_read_parts(const lc_checkpoint_reader *reader);

// Whether a part has cells for who gets them.
bool lc_checkpoint_wants(const lc_checkpoint_reader *reader, int64_t first_row, int64_t end_row);

// The trailer of version 2, which stands at `start`, and that nothing follows it.
lc_status lc_checkpoint_end(lc_checkpoint_reader *reader,
                            const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES], uint64_t start);

// Header and heads of version 1, whose first bytes are known to be right; and at the end what only
// all cells and the whole file can say: its hash of the cells, and the checksum.
lc_status lc_checkpoint_first_look(lc_checkpoint_reader *reader);
lc_status lc_checkpoint_first_check(const lc_checkpoint_reader *reader, lc_box box);

#endif
