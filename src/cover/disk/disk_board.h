// Boards on disk, as a universe asks for them.
#ifndef LC_COVER_DISK_BOARD_H
#define LC_COVER_DISK_BOARD_H

#include "cover/cover.h"
#include "lightcone/disk.h"

// Whether there is such a file, by its first bytes.
bool lc_disk_board_is_file(const char *path);

// What a file says that it holds, with these settings (NULL: none). LC_ERROR_IO, LC_ERROR_FORMAT,
// LC_ERROR_UNSUPPORTED, LC_ERROR_ARGUMENT.
lc_status lc_disk_board_info(const char *path, const char *settings, lc_disk_info *info,
                             lc_message *message);

// Keeps what was written or stepped: cells and cover->generation. LC_OK if it is no board on disk.
lc_status lc_disk_board_keep_now(lc_cover *cover, lc_message *message);

// Whether it was ever kept: else destroying it removes the file.
bool lc_disk_board_was_kept(const lc_cover *cover);

// False: it is no board on disk.
bool lc_disk_board_describe(const lc_cover *cover, lc_disk_facts *facts);

#endif
