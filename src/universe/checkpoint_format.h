// The checkpoint file (.lcs), version 2. All numbers are little-endian. Version 1 differs in the
// hash only: see checkpoint_hash.c.
//
//     header    136 bytes, see below
//     part      once for each part of the cells, in order, rows of parts from the top:
//                 0  u32  bytes of the zstd frame
//                 4  u32  bytes of the cells in it
//                 8  u64  xxhash64 of the frame, seeded with the number of the part
//                16       one zstd frame
//     trailer     0  8    "LCSTEND1"
//                 8  u64  bytes of the whole file
//                16  u64  xxhash64 of all bytes before this one
//
//     header      0  8    "LCSTATE1"
//                 8  u32  version, 2
//                12  u32  bytes of the header, 136
//                16  u16  birth                       18  u16  survival
//                20  u8   kind of topology            21  u8   flags, LC_CHECKPOINT_...
//                22  u16  0
//                24  i64  width, 0: unbounded         32  i64  height
//                40  i64  shift_x                     48  i64  shift_y
//                56  u64  generation
//                64  i64  x of the area of cells, a multiple of 64     72  i64  y
//                80  i64  width of the area, 0: no live cell           88  i64  height
//                96  u64  population                 104  u64  lc_universe_hash
//               112  u64  number of parts            120  u64  0
//               128  u64  xxhash64 of bytes 0 .. 127
//
// The area is the bounding box, widened to the left to a multiple of 64. Cells are differences from
// the background, as the universe stores them. A row is ceil(width / 64) words of 64 cells, the
// leftmost cell in the lowest bit. A part is a rectangle of LC_PART_WORDS words or fewer: as many
// columns as fit, and then as many rows; what is left at the right and at the bottom is smaller.
#ifndef LC_UNIVERSE_CHECKPOINT_FORMAT_H
#define LC_UNIVERSE_CHECKPOINT_FORMAT_H

#include "universe/state.h"

enum {
    LC_CHECKPOINT_HEADER_BYTES = 136,
    LC_CHECKPOINT_PART_BYTES = 16, // before the frame
    LC_CHECKPOINT_TRAILER_BYTES = 24,
    LC_CHECKPOINT_VERSION = 2,
    LC_CHECKPOINT_TWIST_X = 1, // flags
    LC_CHECKPOINT_TWIST_Y = 2,
    LC_CHECKPOINT_BACKGROUND = 4,
    LC_PART_WORDS = 1 << 17, // 1 MiB
    LC_PART_COLUMNS = 1 << 14,
};

extern const char lc_checkpoint_magic[8];
extern const char lc_checkpoint_end_magic[8];

typedef struct lc_checkpoint_header {
    uint32_t version; // 1 or 2
    lc_rule rule;
    lc_topology topology;
    bool background;
    uint64_t generation;
    int64_t x, y, width_cells, height_cells; // the area
    uint64_t population, hash;
} lc_checkpoint_header;

// How an area is cut into parts.
typedef struct lc_parts {
    int64_t row_words; // of the area
    int64_t part_words, part_rows;
    uint64_t across, count;
} lc_parts;

// One part, in cells counted from the area's top left.
typedef struct lc_part {
    int64_t x, y, width_cells, rows;
    size_t row_words;
    size_t size_bytes;
} lc_part;

// False if there are more than can be counted.
bool lc_parts_of(const lc_checkpoint_header *header, lc_parts *parts);
lc_part lc_part_at(const lc_checkpoint_header *header, const lc_parts *parts, uint64_t index);

void lc_checkpoint_encode(const lc_checkpoint_header *header,
                          uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES]);

// LC_OK, or LC_ERROR_FORMAT with the offset of what cannot be.
lc_status lc_checkpoint_decode(lc_checkpoint_header *header,
                               const uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES],
                               lc_message *message);

// The hash that version 1 states, of all live cells.
lc_status lc_checkpoint_first_hash(const lc_universe *universe, lc_box box, uint64_t *hash,
                                   lc_message *message);

void lc_put_u32(uint8_t *bytes, uint32_t value);
void lc_put_u64(uint8_t *bytes, uint64_t value);
uint32_t lc_get_u32(const uint8_t *bytes);
uint64_t lc_get_u64(const uint8_t *bytes);

#endif
