// Finds file formats by name, and checks whether an output can be written.
#include "formats.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

// Returns whether a text is a name, without regard to case; the name's blanks are left out.
static bool is_name(const char *text, const char *name)
{
    for (; *name != '\0'; name++)
        if (*name != ' ' && tolower((unsigned char)*name) != tolower((unsigned char)*text++))
            return false;
    return *text == '\0';
}

const char *lc_cli_parse_format(const char *text, void *to)
{
    lc_format *format = to;
    static char wrong[128];
    lc_format_info info;
    size_t used = (size_t)snprintf(wrong, sizeof wrong, "is an unknown format; formats are ");
    for (size_t i = 0; lc_format_at(i, &info); i++) {
        if (!info.is_written)
            continue;
        if (is_name(text, info.word) || is_name(text, info.name)) {
            *format = info.format;
            return NULL;
        }
        used += (size_t)snprintf(wrong + used, sizeof wrong - used, "%s%s", i > 0 ? ", " : "",
                                 info.word);
    }
    return wrong;
}

int lc_cli_choose_format(const char *command, const char *path, const char *option,
                         lc_format *format)
{
    bool gzip;
    const lc_format of_path = lc_format_from_path(path, &gzip), asked = *format;
    lc_message message;
    if (lc_format_choose(path, asked, format, &message) != LC_OK) {
        if (asked == LC_FORMAT_AUTO && (of_path == LC_FORMAT_AUTO || of_path == LC_FORMAT_MCELL))
            return lc_cli_usage(command, "%s: %s; or choose a format with %s", path, message.text,
                                option);
        return lc_cli_usage(command, "%s: %s%s", path, message.text,
                            of_path == LC_FORMAT_TIMELINE ? "; 'lightcone run --record' writes one"
                                                          : "");
    }
    const bool is_text = *format != LC_FORMAT_PNG && *format != LC_FORMAT_CHECKPOINT && !gzip;
    return is_text ? LC_EXIT_OK : lc_cli_refuse_terminal(command, path);
}

int lc_cli_refuse_terminal(const char *command, const char *path)
{
    struct stat output, facts;
    if (isatty(STDOUT_FILENO) == 0)
        return LC_EXIT_OK;
    if (strcmp(path, "-") != 0 && // such as /dev/stdout
        (fstat(STDOUT_FILENO, &output) != 0 || stat(path, &facts) != 0 || !S_ISCHR(facts.st_mode) ||
         facts.st_rdev != output.st_rdev))
        return LC_EXIT_OK;
    return lc_cli_usage(command, "%s is a terminal and the output is binary; give a file or a pipe",
                        lc_cli_output_name(path));
}

// The identity of a file that may not exist yet: the folder's device and inode, and the file's
// name.
typedef struct file_place {
    dev_t device;
    ino_t folder;
    char name[NAME_MAX + 1];
} file_place;

// Follows links, even a link to a missing file. Returns false if the file cannot be created.
static bool find_place(const char *path, file_place *place)
{
    enum { MOST_LINKS = 40 }; // the kernel's limit for symbolic links
    char here[PATH_MAX];
    char target[PATH_MAX];
    struct stat facts;
    if (snprintf(here, sizeof here, "%s", path) >= (int)sizeof here)
        return false;
    for (int links = 0; links < MOST_LINKS; links++) {
        char *slash = strrchr(here, '/');
        const size_t folder_length = slash != NULL ? (size_t)(slash + 1 - here) : 0;
        const ssize_t length = readlink(here, target, sizeof target - 1);
        if (length < 0) {
            const char *name = here + folder_length;
            if (strlen(name) >= sizeof place->name)
                return false;
            snprintf(place->name, sizeof place->name, "%s", name);
            here[folder_length] = '\0';
            if (stat(folder_length > 0 ? here : ".", &facts) != 0)
                return false;
            place->device = facts.st_dev;
            place->folder = facts.st_ino;
            return true;
        }
        target[length] = '\0';
        const size_t kept = target[0] == '/' ? 0 : folder_length;
        if (kept + (size_t)length >= sizeof here)
            return false;
        memcpy(here + kept, target, (size_t)length + 1);
    }
    return false;
}

bool lc_cli_same_file(const char *a, const char *b)
{
    struct stat of_a;
    struct stat of_b;
    file_place place_a;
    file_place place_b;
    if (a == NULL || b == NULL)
        return false;
    if (strcmp(a, b) == 0)
        return true;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;                               // not a file name
    if (stat(a, &of_a) == 0 && stat(b, &of_b) == 0) // this comparison also recognises hard links
        return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    return find_place(a, &place_a) && find_place(b, &place_b) && place_a.device == place_b.device &&
           place_a.folder == place_b.folder && strcmp(place_a.name, place_b.name) == 0;
}

int lc_cli_check_output(const char *command, const char *path)
{
    struct stat facts;
    if (strcmp(path, "-") == 0)
        return LC_EXIT_OK;
    if (*path == '\0')
        return lc_cli_usage(command, "missing name of an output");
    bool exists = stat(path, &facts) == 0;
    if (!exists && errno != ENOENT) { // ENOENT can mean that the folder is missing
        lc_cli_error("%s: cannot write: %s", path, strerror(errno));
        return LC_EXIT_FAILURE;
    }
    if (exists && S_ISDIR(facts.st_mode)) {
        lc_cli_error("%s: cannot write: it is a folder", path);
        return LC_EXIT_FAILURE;
    }
    if (exists && access(path, W_OK) != 0) {
        lc_cli_error("%s: cannot write: %s", path, strerror(errno));
        return LC_EXIT_FAILURE;
    }
    if (exists && !S_ISREG(facts.st_mode))
        return LC_EXIT_OK; // the path is a device or a pipe
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    if (folder == NULL) {
        lc_cli_error("out of memory for a path");
        return LC_EXIT_FAILURE;
    }
    int code = LC_EXIT_OK;
    // The library creates the file under another name and renames it, so the folder must be
    // writable.
    if (access(folder, W_OK | X_OK) != 0) {
        lc_cli_error("%s: cannot write: folder %s: %s", path, folder, strerror(errno));
        code = LC_EXIT_FAILURE;
    }
    free(folder);
    return code;
}

bool lc_cli_name_rescue(const char *output, char *path)
{
    struct stat facts;
    if (strcmp(output, "-") == 0 || (stat(output, &facts) == 0 && !S_ISREG(facts.st_mode)))
        return false;
    for (int i = 1; i < 100; i++) {
        char number[8] = "";
        if (i > 1)
            snprintf(number, sizeof number, ".%d", i);
        int length = snprintf(path, PATH_MAX, "%s%s.lcs", output, number);
        if (length < 0 || length >= PATH_MAX)
            return false;
        if (lstat(path, &facts) != 0)
            return true;
    }
    return false;
}
