// Boards on disk, for src/universe.
#ifndef LC_COVER_DISK_BOARD_H
#define LC_COVER_DISK_BOARD_H

#include "cover/cover.h"
#include "lightcone/disk.h"

// Whether a file is a board on disk, by its first bytes.
bool lc_disk_board_is_file(const char *path);

// Reads the header of a board file, with these settings (NULL: none). LC_ERROR_IO, LC_ERROR_FORMAT,
// LC_ERROR_UNSUPPORTED, LC_ERROR_ARGUMENT.
lc_status lc_disk_board_info(const char *path, const char *settings, lc_disk_info *info,
                             lc_message *message);

// Commits the cells as those of cover->generation. Returns LC_OK for any other kind of cover.
lc_status lc_disk_board_keep_now(lc_cover *cover, lc_message *message);

// Whether the board was ever committed. If not, destroying it removes the file.
bool lc_disk_board_was_kept(const lc_cover *cover);

// Returns false for any other kind of cover.
bool lc_disk_board_describe(const lc_cover *cover, lc_disk_facts *facts);

#endif
