// Checkpoints of quadtrees: pieces of a macrocell file instead of parts.
#ifndef LC_CHECKPOINT_CHECKPOINT_QUADTREE_H
#define LC_CHECKPOINT_CHECKPOINT_QUADTREE_H

#include "checkpoint/checkpoint_reader.h"
#include "file/output.h"

// Writes the checkpoint of a quadtree. The output keeps its own errors.
lc_status lc_checkpoint_write_squares(const lc_universe *universe, lc_checkpoint_header *header,
                                      lc_output *output, lc_message *message);

// The first reads heads and trailer after a valid header and lists the pieces. The second loads the
// pieces into an empty universe.
lc_status lc_checkpoint_look_at_squares(lc_checkpoint_reader *reader);
lc_status lc_checkpoint_read_squares(lc_checkpoint_reader *reader);

#endif
