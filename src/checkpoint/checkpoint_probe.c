// Recognises checkpoints by their first bytes.
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/checkpoint_rank_files.h"

bool lc_universe_is_checkpoint(const char *path)
{
    char start[sizeof lc_checkpoint_magic];
    struct stat facts;
    // Not a pipe: its writer would see the reader close it.
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return false;
    bool found = fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
                 read(descriptor, start, sizeof start) == (ssize_t)sizeof start &&
                 (memcmp(start, lc_checkpoint_magic, sizeof start) == 0 ||
                  memcmp(start, lc_rank_file_magic, sizeof start) == 0); // refused by name later
    close(descriptor);
    return found;
}
