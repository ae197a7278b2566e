// Names of file formats as options take them, and what can be known of an output before it is
// written.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

const char *lc_cli_parse_format(const char *text, lc_format *format)
{
    static const struct {
        const char *name;
        lc_format format;
    } names[] = {
        {"rle", LC_FORMAT_RLE},           {"cells", LC_FORMAT_CELLS},
        {"plaintext", LC_FORMAT_CELLS},   {"life105", LC_FORMAT_LIFE_105},
        {"life1.05", LC_FORMAT_LIFE_105}, {"life106", LC_FORMAT_LIFE_106},
        {"life1.06", LC_FORMAT_LIFE_106}, {"png", LC_FORMAT_PNG},
        {"lcs", LC_FORMAT_CHECKPOINT},    {"checkpoint", LC_FORMAT_CHECKPOINT},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(names[i].name, text) == 0) {
            *format = names[i].format;
            return NULL;
        }
    }
    return "is not a format (rle, cells, life105, life106, png, lcs are)";
}

bool lc_cli_is_checkpoint(const char *path)
{
    return lc_format_from_path(path, NULL) == LC_FORMAT_CHECKPOINT ||
           lc_universe_is_checkpoint(path);
}

int lc_cli_check_output(const char *path)
{
    struct stat facts;
    if (strcmp(path, "-") == 0) {
        return LC_EXIT_OK;
    }
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        if (S_ISDIR(facts.st_mode)) {
            lc_cli_error("cannot write %s: it is a directory", path);
            return LC_EXIT_FAILURE;
        }
        return LC_EXIT_OK; // a device or a pipe
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    if (folder == NULL) {
        lc_cli_error("out of memory");
        return LC_EXIT_FAILURE;
    }
    int code = LC_EXIT_OK;
    // The file is made beside its final place and renamed, so the folder must be writable.
    if (access(folder, W_OK | X_OK) != 0) {
        lc_cli_error("cannot write %s: folder %s: %s", path, folder, strerror(errno));
        code = LC_EXIT_FAILURE;
    }
    free(folder);
    return code;
}
