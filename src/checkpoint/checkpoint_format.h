// The checkpoint file (.lcs), version 4. All numbers are little-endian. A checkpoint of several
// files is described in checkpoint_rank_files.h. Older versions are read: version 1 by
// checkpoint_version_1.c, versions 2 and 3 by checkpoint_format.c; only their headers differ from
// those of version 4. All versions begin with the same 8 bytes and the number of their version.
//
//     header    see below
//     part      once for each square of the grid with a live cell in it, in any order:
//                 0  4    "PART"
//                 4  u32  bytes of the zstd frame
//                 8  i64  column of the grid           16  i64  row of the grid
//                24  u16  first word of the area       26  u16  words of a row
//                28  u16  first row of the area        30  u16  rows
//                32  u64  population of the part, 1 or more
//                40  u64  hash of its cells, where they are in the universe
//                48  u64  xxhash64 of the frame
//                56  u64  xxhash64 of bytes 0 .. 55, seeded with the header's checksum
//                64       one zstd frame
//     piece     instead of parts, if the flags say that there are squares; in their order:
//                 0  4    "SQRS"
//                 4  u32  bytes of the zstd frame
//                 8  u64  bytes of the text in it, 2^20 at most
//                16  u64  number of the piece, from 0
//                24  u64  xxhash64 of the frame
//                32  24   0
//                56  u64  xxhash64 of bytes 0 .. 55, seeded with the header's checksum
//                64       one zstd frame
//     trailer     0  8    "LCSTEND2"
//                 8  u64  bytes of the whole file
//                16  u64  number of parts, or of pieces
//                24  u64  sum of the checksums of the parts' heads, modulo 2^64
//                32  32   population, all parts together
//                64  u64  hash, all parts together: lc_universe_facts
//                72  u64  xxhash64 of bytes 0 .. 71, seeded with the header's checksum
//
//     header      0  8    "LCSTATE1"
//                 8  u32  version, 4
//                12  u32  bytes of the header, H
//                16  u32  number of rank files; 0: this file is the whole checkpoint
//                20  u32  bytes of the rule's text, R, 1 or more
//                24  u8   kind of topology            25  u8   flags, LC_CHECKPOINT_...
//                26  6    0
//                32  i64  width, 0: unbounded         40  i64  height
//                48  i64  shift_x                     56  i64  shift_y
//                64  32   generation
//                96  u64  id of a checkpoint of several files, or 0
//               104  R    canonical text of the rule, filled up with bytes of 0 to a multiple of 8
//               H-8  u64  xxhash64 of bytes 0 .. H-9
//
//     header      0  8    "LCSTATE1"
//     of         8  u32  version: 2, or 3 with rank files
//     versions   12  u32  bytes of the header, 176
//     2 and 3    16  u8   rule: family                17  u8   symmetry
//                18  u16  states, 2                   20  u16  reach, 1
//                22  u16  birth                       24  u16  survival
//                26  u8   kind of topology            27  u8   flags, LC_CHECKPOINT_...
//                28  u32  number of rank files
//                32  64   table of the rule
//                96  i64  width, 0: unbounded        104  i64  height
//               112  i64  shift_x                    120  i64  shift_y
//               128  32   generation
//               160  u64  id
//               168  u64  xxhash64 of bytes 0 .. 167
//
// The grid of squares is fixed: the square of column 0 and row 0 begins at cell (0, 0). A square
// has LC_PART_COLUMNS x LC_PART_ROWS cells, 1 MiB, which fits in the cache of a core. A part holds
// the bounding box of the live cells of its square, widened to whole words. So one glider in a
// square of eight million cells takes little more than a head, and the heads tell how much memory
// the cells need. Each row is a sequence of words of 64 cells, the leftmost cell in the lowest bit.
// Cells are differences from the background, as the universe stores them. Under a rule of several
// planes (lightcone/cells.h) a row has the words of plane 0, then those of plane 1, and so on; the
// head counts the words of one plane.
//
// The cells of a quadtree (quadtree/store.h) may be too many to visit. Its checkpoint has pieces
// instead of parts. Their texts, concatenated, are the macrocell file of the stored cells.
//
// Any number of threads or machines can write one file: parts stand in any order and state their
// places, and the bytes before the parts depend on no cell. The checksum of each head is seeded
// with the header's, so parts of other files are not accepted. Each writer knows the populations,
// hashes and checksums of its parts, and all of these add up in any order. So the trailer needs no
// second look at the file. Every byte is covered: the trailer has the sum of the heads' checksums,
// and a head has its place and the checksum of its frame. A part that stands twice would cancel
// itself in an exclusive or, but not in a sum.
#ifndef LC_CHECKPOINT_CHECKPOINT_FORMAT_H
#define LC_CHECKPOINT_CHECKPOINT_FORMAT_H

#include "universe/universe_internal.h"

enum {
    LC_CHECKPOINT_START_BYTES = 16, // version and size of the header are there in all versions
    LC_CHECKPOINT_HEADER_MOST = 104 + LC_RULE_TEXT_BYTES + 8, // bytes of a header, at most
    LC_CHECKPOINT_PART_BYTES = 64,                            // before the frame
    LC_CHECKPOINT_TRAILER_BYTES = 80,
    LC_CHECKPOINT_VERSION = 4,
    LC_CHECKPOINT_TWIST_X = 1, // flags
    LC_CHECKPOINT_TWIST_Y = 2,
    LC_CHECKPOINT_BACKGROUND = 4,
    LC_CHECKPOINT_SQUARES = 8,
    LC_PART_COLUMNS = 4096,
    LC_PART_ROWS = 2048,
};

extern const char lc_checkpoint_magic[8];

typedef struct lc_checkpoint_header {
    uint32_t version;    // 1 to 4
    uint32_t bytes;      // of the header
    uint32_t rank_files; // of a checkpoint of several files, at least 1; 0: one file
    uint64_t id;         // of a checkpoint of several files, not 0
    uint64_t checksum;   // of the bytes before it
    char rule_text[LC_RULE_TEXT_BYTES];
    int states; // of the rule
    lc_topology topology;
    bool background;
    bool has_squares; // pieces, not parts
    lc_count generation;
} lc_checkpoint_header;

// A part or piece, and where it stands in the file.
typedef struct lc_checkpoint_part {
    int64_t x, y, width_cells, rows; // of its area; x is a multiple of 64
    int planes;
    uint64_t population, hash;
    uint64_t text_bytes;                  // of a piece
    uint64_t start;                       // of its head
    uint64_t checksum, checksum_at, seed; // of its frame
    uint64_t frame_start, frame_bytes;
} lc_checkpoint_part;

// The totals of all parts.
typedef struct lc_checkpoint_totals {
    uint64_t parts, checksum;
    lc_count population;
    uint64_t hash;
} lc_checkpoint_totals;

// Returns the number of words in a row of a plane of a part, and the number of bytes of its cells.
size_t lc_part_row_words(const lc_checkpoint_part *part);
size_t lc_part_size_bytes(const lc_checkpoint_part *part);

// Returns the area of a part, and its cells, stored at `words`.
lc_area lc_part_area(const lc_checkpoint_part *part);
lc_cells lc_part_cells(const lc_checkpoint_part *part, uint64_t *words);

// Finds the facts of the first `width_cells` columns of a part's words, as if the part began at
// (0, 0).
lc_facts lc_part_facts(const lc_checkpoint_part *part, uint64_t *words, int64_t width_cells,
                       unsigned which);

// Writes header->bytes bytes. Sets the header's version, bytes and checksum, too.
void lc_checkpoint_encode(lc_checkpoint_header *header, uint8_t bytes[LC_CHECKPOINT_HEADER_MOST]);

// Writes the head of a part whose frame is known. Returns the checksum of the head.
uint64_t lc_checkpoint_encode_part(const lc_checkpoint_header *header,
                                   const lc_checkpoint_part *part,
                                   uint8_t bytes[LC_CHECKPOINT_PART_BYTES]);

// Adds the totals of other parts.
void lc_checkpoint_add_totals(lc_checkpoint_totals *totals, const lc_checkpoint_totals *others);

// Adds a part and the checksum of its head to the totals.
void lc_checkpoint_count_part(lc_checkpoint_totals *totals, const lc_checkpoint_part *part,
                              uint64_t checksum);

void lc_checkpoint_encode_trailer(const lc_checkpoint_header *header,
                                  const lc_checkpoint_totals *totals, uint64_t file_bytes,
                                  uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES]);

// Finds the size of the header in the first bytes of a checkpoint of version 2 or later. Returns
// LC_OK; LC_ERROR_FORMAT (a version that is not known, an impossible size).
lc_status lc_checkpoint_measure_header(const uint8_t bytes[LC_CHECKPOINT_START_BYTES],
                                       uint32_t *header_bytes, lc_message *message);

// Reads a header of that size. Returns LC_OK; LC_ERROR_FORMAT with the offset of the fault.
lc_status lc_checkpoint_decode(lc_checkpoint_header *header, const uint8_t *bytes,
                               uint32_t header_bytes, lc_message *message);

// Return whether the bytes begin a part, or the trailer.
bool lc_checkpoint_is_part(const uint8_t bytes[4]);
bool lc_checkpoint_is_trailer(const uint8_t bytes[8]);

// Reads the head of a part at `start`. Returns LC_OK; LC_ERROR_FORMAT as above.
lc_status lc_checkpoint_decode_part(const lc_checkpoint_header *header,
                                    const uint8_t bytes[LC_CHECKPOINT_PART_BYTES], uint64_t start,
                                    lc_checkpoint_part *part, uint64_t *checksum,
                                    lc_message *message);

// Sets population and hash to those of the trailer. Pieces state none.
void lc_checkpoint_take_totals(const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES],
                               lc_checkpoint_totals *totals);

// Compares the trailer at `start` with the totals. Returns LC_OK; LC_ERROR_FORMAT.
lc_status lc_checkpoint_check_trailer(const lc_checkpoint_header *header,
                                      const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES],
                                      uint64_t start, const lc_checkpoint_totals *totals,
                                      lc_message *message);

// Offsets of population and hash in a trailer.
enum { LC_TRAILER_POPULATION = 32, LC_TRAILER_HASH = 64 };

// Returns whether an area of `length` cells from `begin` fits in a direction of `size` cells.
// `size` is 0 if the direction is unbounded.
bool lc_checkpoint_lies_within(int64_t size, int64_t begin, int64_t length);

// Checks rule, topology and background of a header of any version. Returns NULL, or the fault. The
// caller gives the offsets of the rule and of the topology. The flags follow the topology, and a
// version knows some of them. Sets the header's states.
const char *lc_checkpoint_refuses(lc_checkpoint_header *header, uint8_t kind, uint8_t flags,
                                  uint8_t known_flags, uint64_t *at, uint64_t rule_at,
                                  uint64_t topology_at);

void lc_put_count(uint8_t *bytes, lc_count count); // 32 bytes
lc_count lc_get_count(const uint8_t *bytes);

// Numbers of `count` bytes, at most 8.
void lc_put_bytes(uint8_t *bytes, uint64_t value, int count);
uint64_t lc_get_bytes(const uint8_t *bytes, int count);

// Converts words of cells to the order of files, and back. Does nothing on little-endian machines.
void lc_checkpoint_turn_words(uint64_t *words, size_t count);

// Return LC_ERROR_FORMAT. Invalid: the checksum is right, but lightcone never writes such a value.
lc_status lc_checkpoint_damaged(lc_message *message, uint64_t offset, const char *what);
lc_status lc_checkpoint_invalid(lc_message *message, uint64_t offset, const char *what);

#endif
