// Checkpoints of universes that are made of squares: instead of parts, the squares' own file.
#ifndef LC_UNIVERSE_CHECKPOINT_SQUARES_H
#define LC_UNIVERSE_CHECKPOINT_SQUARES_H

#include "universe/checkpoint_reader.h"

// As lc_universe_checkpoint, of a universe of squares.
lc_status lc_checkpoint_write_squares(const lc_universe *universe, lc_checkpoint_header *header,
                                      const char *path, lc_message *message);

// Heads and trailer, whose header is right: they become the list of parts. And then what they hold,
// for a universe that has nothing else.
lc_status lc_checkpoint_look_at_squares(lc_checkpoint_reader *reader);
lc_status lc_checkpoint_read_squares(lc_checkpoint_reader *reader);

#endif
