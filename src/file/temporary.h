// Temporary files beside the files they will replace, and removal of those that killed processes
// left behind.
#ifndef LC_FILE_TEMPORARY_H
#define LC_FILE_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct lc_temporary {
    int descriptor; // for writing; the owner may close it and set it to -1
    int lock;       // a duplicate, which holds the file's lock to the end
    char path[PATH_MAX];
} lc_temporary;

// Creates an empty file in the folder of `target_path`, because a rename works only within a file
// system. `mode` as for open. If the process's last temporary file was in another folder, first
// removes abandoned temporary files there. On error returns false, sets errno and creates nothing.
bool lc_temporary_create(lc_temporary *file, const char *target_path, mode_t mode);

// Creates an empty file of that name with access for its owner only; fails if the name exists. The
// file is locked and removed like the others. On error returns false, sets errno and creates
// nothing.
bool lc_temporary_create_named(lc_temporary *file, const char *path);

// Keeps the file when it is closed.
void lc_temporary_keep(lc_temporary *file);

// Removes a file of an open folder if it is a regular file of the same user and no process holds
// its lock. Does nothing on a file system without locks.
void lc_temporary_remove_unlocked(int folder, const char *name);

// Renames the file to its target; the descriptors stay open. On error returns false and sets errno.
bool lc_temporary_rename(lc_temporary *file, const char *target_path);

// Closes the descriptors and removes the file unless it was renamed or kept.
void lc_temporary_close(lc_temporary *file);

// Returns the length of a path's folder and sets *directory to its beginning.
size_t lc_directory_of(const char *path, const char **directory);

#endif
