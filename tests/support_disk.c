// Support for tests of boards on disk.
#include "support_disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char test_disk_folder[64], test_disk_path[96];

int test_disk_set_up(void **state)
{
    (void)state;
    strcpy(test_disk_folder, "test_disk.XXXXXX");
    if (mkdtemp(test_disk_folder) == NULL)
        return -1;
    snprintf(test_disk_path, sizeof test_disk_path, "%s/board.lcd", test_disk_folder);
    return 0;
}

int test_disk_tear_down(void **state)
{
    (void)state;
    unlink(test_disk_path);
    return rmdir(test_disk_folder);
}
