// Files of unsaved drawings, such as drawing-20261127-083355-glider.lcs. A name begins with the
// date and time, so the oldest file comes first in sorted order.
#include "drawings.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

static const char prefix[] = "drawing-", ending[] = ".lcs";

// Finds the folder's path. Returns false if HOME is not set or the path is too long.
static bool find_folder(char path[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (state != NULL && *state == '/') // the XDG specification says to ignore relative paths
        length = snprintf(path, PATH_MAX, "%s/lightcone", state);
    else if (home != NULL && *home != '\0')
        length = snprintf(path, PATH_MAX, "%s/.local/state/lightcone", home);
    return length > 0 && length < PATH_MAX;
}

// Creates a folder and its missing parent folders, with access for the user only. Existing folders
// stay as they are.
static bool make_folder(char path[PATH_MAX])
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

// Copies a name up to the first dot, but at most 40 bytes. Replaces all characters except letters
// and digits by '-'.
static void simplify(const char *name, char simple[41])
{
    size_t length = 0;
    for (; *name != '\0' && *name != '.' && length < 40; name++)
        simple[length++] = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                                   (*name >= '0' && *name <= '9')
                               ? *name
                               : '-';
    simple[length] = '\0';
}

static int is_drawing(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0 && length >= sizeof ending &&
           strcmp(entry->d_name + length - (sizeof ending - 1), ending) == 0;
}

// Sorts files by name. If two drawings are from the same second, the later drawing has the name
// that sorts later.
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// Removes the oldest drawings until LC_DRAWINGS_MAX are left.
static void remove_oldest(const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_drawing, by_name);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        if (i < count - LC_DRAWINGS_MAX &&
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < (int)sizeof path)
            (void)unlink(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

// Finds an unused path in the folder.
static bool name_file(const char *folder, const char *name, char path[PATH_MAX])
{
    char simple[41], date[32];
    const time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts) == NULL ||
        strftime(date, sizeof date, "%Y%m%d-%H%M%S", &parts) == 0)
        return false;
    simplify(name, simple);
    for (int i = 1; i < 100; i++) { // several viewers may end in the same second
        const int length =
            i == 1 ? snprintf(path, PATH_MAX, "%s/%s%s-%s%s", folder, prefix, date, simple, ending)
                   : snprintf(path, PATH_MAX, "%s/%s%s-%s-%d%s", folder, prefix, date, simple, i,
                              ending);
        if (length < 0 || length >= PATH_MAX)
            return false;
        if (access(path, F_OK) != 0)
            return true;
    }
    return false;
}

int lc_cli_keep_drawing(const lc_universe *universe, const char *name)
{
    char folder[PATH_MAX], path[PATH_MAX];
    lc_message message = {0};
    if (!find_folder(folder)) {
        lc_cli_error("the drawing was not saved and is lost: neither XDG_STATE_HOME nor HOME says "
                     "where to keep it");
        return LC_EXIT_FAILURE;
    }
    if (!make_folder(folder)) {
        lc_cli_error("the drawing was not saved and is lost: %s: %s", folder, strerror(errno));
        return LC_EXIT_FAILURE;
    }
    lc_status status = LC_ERROR_IO;
    if (name_file(folder, name, path))
        status = lc_universe_checkpoint(universe, path, &message);
    if (status != LC_OK) {
        lc_cli_error("the drawing was not saved and is lost: it cannot be kept in %s: %s", folder,
                     message.text[0] != '\0' ? message.text : lc_status_text(status));
        return LC_EXIT_FAILURE;
    }
    lc_cli_error("the unsaved drawing is kept in %s", path);
    remove_oldest(folder);
    return LC_EXIT_OK;
}
