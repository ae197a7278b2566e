// Checkpoints of universes that are made of squares: instead of parts, the squares' own file.
#ifndef LC_CHECKPOINT_CHECKPOINT_QUADTREE_H
#define LC_CHECKPOINT_CHECKPOINT_QUADTREE_H

#include "checkpoint/checkpoint_reader.h"
#include "file/output.h"

// All of the checkpoint of a universe of squares. What fails with the output, that keeps.
lc_status lc_checkpoint_write_squares(const lc_universe *universe, lc_checkpoint_header *header,
                                      lc_output *output, lc_message *message);

// Heads and trailer, whose header is right: they become the list of parts. And then what they hold,
// for a universe that has nothing else.
lc_status lc_checkpoint_look_at_squares(lc_checkpoint_reader *reader);
lc_status lc_checkpoint_read_squares(lc_checkpoint_reader *reader);

#endif
