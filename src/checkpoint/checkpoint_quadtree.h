// Checkpoints of quadtrees: pieces of a macrocell file instead of parts.
#ifndef LC_CHECKPOINT_CHECKPOINT_QUADTREE_H
#define LC_CHECKPOINT_CHECKPOINT_QUADTREE_H

#include "checkpoint/checkpoint_reader.h"
#include "checkpoint/checkpoint_writer.h"

// Writes the pieces of a universe stored as a quadtree, whose population and hash are given. The
// output keeps its own errors.
lc_status lc_checkpoint_write_pieces(lc_checkpoint_writer *writer, const lc_facts *facts,
                                     lc_message *message);

// Returns whether the bytes begin a piece.
bool lc_checkpoint_is_piece(const uint8_t bytes[4]);

// Reads the head of the next piece, at `start`. Returns LC_OK; LC_ERROR_FORMAT with the offset of
// the fault.
lc_status lc_checkpoint_decode_piece(const lc_checkpoint_reader *reader,
                                     const uint8_t bytes[LC_CHECKPOINT_PART_BYTES], uint64_t start,
                                     lc_checkpoint_part *piece, uint64_t *checksum);

// Loads the listed pieces into an empty universe.
lc_status lc_checkpoint_read_quadtree(lc_checkpoint_reader *reader);

#endif
