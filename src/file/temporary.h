// A file with a name of its own beside the one that it will replace; and the end of those that
// processes left behind when they were killed.
#ifndef LC_FILE_TEMPORARY_H
#define LC_FILE_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct lc_temporary {
    int descriptor; // to write to; the owner may close it, and sets it to -1 then
    int lock;       // the same open file once more: holds its lock up to the end
    char path[PATH_MAX];
} lc_temporary;

// Makes an empty file in the folder of `target_path`, for renaming works only within one file
// system; `mode` as for open. When a process does that in a folder for the first time, it removes
// the temporary files there whose processes are dead. False: errno says why, nothing was made.
bool lc_temporary_create(lc_temporary *file, const char *target_path, mode_t mode);

// Makes an empty file of that very name, which is nobody else's, for its owner alone. It is locked
// and removed like the others. False: errno says why, nothing was made.
bool lc_temporary_create_named(lc_temporary *file, const char *path);

// It stays when it is closed.
void lc_temporary_keep(lc_temporary *file);

// Removes a file of that name in an open folder, if it is a regular file of the same user and
// nobody holds its lock; not where there are no locks.
void lc_temporary_remove_unlocked(int folder, const char *name);

// Gives it the name of its target; the descriptors stay open. False: errno says why.
bool lc_temporary_rename(lc_temporary *file, const char *target_path);

// Closes the descriptors and, unless it was renamed, removes it.
void lc_temporary_close(lc_temporary *file);

// The folder of a path: where it begins, and its length.
size_t lc_directory_of(const char *path, const char **directory);

#endif
