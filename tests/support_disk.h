// Support for tests of boards on disk: a file in its own folder.
#ifndef LC_TESTS_SUPPORT_DISK_H
#define LC_TESTS_SUPPORT_DISK_H

extern char test_disk_folder[64], test_disk_path[96];

// Create the folder; remove it and the file. Removing fails if another file was left behind.
int test_disk_set_up(void **state);
int test_disk_tear_down(void **state);

#endif
