// The checkpoint of several files: an index, under the name that was asked for, and beside it the
// rank files. Each process that had a part of the board wrote one. All numbers are little-endian.
//
//     index       0       header (checkpoint_format.h) with the number of rank files, 1 or more and
//                         not more than rows, and an id: another one for each checkpoint that is
//                         written, never 0
//                    256  NAME, filled up with bytes of 0
//                    u64  xxhash64 of those 256 bytes, seeded with the header's checksum
//                         a record for each rank file, from the top of the board to its bottom:
//                           0  4    "SHAR"
//                           4  u32  number of the rank file, from 0
//                           8  i64  first row of it      16  i64  row behind its last one
//                          24  u64  bytes of its file
//                          32  u64  number of parts      40  u64  sum of their heads' checksums
//                          48  32   population
//                          80  u64  hash of its cells, where they are in the universe
//                          88  u64  xxhash64 of bytes 0 .. 87, seeded with the header's checksum
//                         trailer, of rank files instead of parts: it sums up the records and the
//                         records' checksums
//
//     rank file   0  8    "LCSHARE1"
//                 8  u32  version, 3                     12  u32  bytes before the parts, 64
//                16  u32  number of the rank file        20  u32  number of rank files
//                24  i64  first row of it                32  i64  row behind its last one
//                40  u64  id
//                48  u64  checksum of the index's header
//                56  u64  xxhash64 of bytes 0 .. 55
//                64       parts and trailer, as in a checkpoint of one file
//
// A rank file is NAME-ID-NUMBER.share in the folder of the index (where links at its end lead), ID
// in 16 digits of 0-9 a-f and NUMBER in decimal digits. NAME is that of the index when it was
// written, at most 200 bytes of it: no '/' and nothing below the space is in it, so that no rank
// file is looked for elsewhere. The index may be renamed; its rank files keep their names.
//
// The board is bounded. The rows of the rank files follow each other, from 0 to the board's height.
// Each rank file has the parts of its own rows, so several rank files may have a part of one square
// of the grid. The checksum of each head is seeded with the checksum of the index's header, which
// covers the id. So a rank file of another checkpoint is never accepted, even under the right name.
#ifndef LC_CHECKPOINT_CHECKPOINT_RANK_FILES_H
#define LC_CHECKPOINT_CHECKPOINT_RANK_FILES_H

#include <limits.h>

#include "checkpoint/checkpoint_reader.h"
#include "file/output.h"

enum {
    LC_RANK_FILE_HEAD_BYTES = 64,
    LC_RANK_FILE_NAME_BYTES = 256,                          // of NAME and the 0 behind it
    LC_RANK_FILE_MOST_NAME = 200,                           // bytes of it
    LC_RANK_FILE_TEXT_BYTES = LC_RANK_FILE_NAME_BYTES + 48, // of NAME-ID-NUMBER.share and the 0
};

extern const char lc_rank_file_magic[8];

typedef struct lc_checkpoint_rank_file {
    int64_t first_row, end_row;
    uint64_t file_bytes;
    lc_checkpoint_totals totals;
} lc_checkpoint_rank_file;

// Make NAME from the path of an index, the file name of a rank file, and its path in a folder. The
// last returns false if the path is too long.
void lc_rank_file_take_name(const char *path, char name[LC_RANK_FILE_NAME_BYTES]);
void lc_rank_file_format(const char *name, uint64_t id, uint32_t number,
                         char file[LC_RANK_FILE_TEXT_BYTES]);
bool lc_rank_file_path(const char *folder, const char *name, uint64_t id, uint32_t number,
                       char path[PATH_MAX]);

// Finds the folder of a path, after following links at its end. Returns false with errno on error.
bool lc_rank_file_folder(const char *path, char folder[PATH_MAX]);

uint64_t lc_checkpoint_index_bytes(const lc_checkpoint_header *header);

// The head of a rank file, before its parts.
typedef struct lc_rank_file_head {
    uint32_t number, rank_files;
    int64_t first_row, end_row;
    uint64_t id, header_checksum;
} lc_rank_file_head;
void lc_rank_file_encode(const lc_rank_file_head *head, uint8_t bytes[LC_RANK_FILE_HEAD_BYTES]);
bool lc_rank_file_decode(lc_rank_file_head *head, const uint8_t bytes[LC_RANK_FILE_HEAD_BYTES]);

// Writes the index with its header. The output keeps its own errors.
void lc_checkpoint_write_index(lc_checkpoint_header *header, const char *name,
                               const lc_checkpoint_rank_file *rank_files, lc_output *output);

// Reads NAME from the 264 bytes behind the header of an index. Returns LC_OK; LC_ERROR_FORMAT.
enum { LC_RANK_FILE_NAME_FIELD_BYTES = LC_RANK_FILE_NAME_BYTES + 8 };
lc_status lc_checkpoint_decode_name(const lc_checkpoint_header *header,
                                    const uint8_t bytes[LC_RANK_FILE_NAME_FIELD_BYTES],
                                    char name[LC_RANK_FILE_NAME_BYTES], lc_message *message);

// Reads the rest of an index into the reader: its name and its rank files.
lc_status lc_checkpoint_look_at_index(lc_checkpoint_reader *reader);

// The first checks that a rank file exists and belongs to the index. The second reads its parts, or
// those that the reader wants. Return LC_OK; LC_ERROR_IO; LC_ERROR_FORMAT.
lc_status lc_checkpoint_find_rank_file(const lc_checkpoint_reader *reader, uint32_t number);
lc_status lc_checkpoint_read_rank_file(const lc_checkpoint_reader *reader, uint32_t number);

// The rank files of the checkpoint at a path before it is replaced. `rank_files` is 0 if the path
// has no checkpoint of several files.
typedef struct lc_old_rank_files {
    char folder[PATH_MAX], name[LC_RANK_FILE_NAME_BYTES];
    uint64_t id;
    uint32_t rank_files;
} lc_old_rank_files;

// Finds these rank files. The first call of a process for a path also removes the rank files that
// killed processes have left: those of that name whose lock is free and that no index in the folder
// names.
void lc_old_rank_files_find(lc_old_rank_files *old, const char *path);

// Returns the id of the index at a path; 0: no index.
uint64_t lc_checkpoint_index_id(const char *path);

// Removes these rank files, unless the folder has a copy of their index.
void lc_old_rank_files_remove(const lc_old_rank_files *old);

// Writes the checkpoint of a board of several ranks at `path`. Sets *done to false, and writes
// nothing, if the ranks do not see the same folder or `path` is not a regular file. Returns LC_OK;
// LC_ERROR_IO; LC_ERROR_MEMORY.
lc_status lc_checkpoint_write_by_ranks(const lc_universe *universe,
                                       const lc_checkpoint_header *header, const char *path,
                                       bool *done, lc_message *message);

// Reads the listed parts on all ranks that share the board. Sets *done to false if there is one
// rank only, or if not all ranks can open the files.
lc_status lc_checkpoint_read_by_ranks(const lc_checkpoint_reader *reader, bool *done);

// The work of each rank in these two functions.
lc_collective_work lc_checkpoint_collective;

#endif
