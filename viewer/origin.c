// Universes made anew, and the folder where they are kept.
#include "origin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST_BYTES = 65 };

// "BASE/lightcone-view-HOST-". The machine is in it because others, which may see the same folder,
// need not see our locks.
static void folder_prefix(char *prefix, size_t size_bytes, const char *base)
{
    char host[HOST_BYTES];
    if (gethostname(host, sizeof host) != 0)
        host[0] = '\0';
    host[sizeof host - 1] = '\0';
    for (char *c = host; *c != '\0'; c++)
        if (*c == '/')
            *c = '_';
    snprintf(prefix, size_bytes, "%s/lightcone-view-%s-", base, host);
}

// Removes what is in a folder, and closes it.
static void empty_folder(int descriptor)
{
    DIR *directory = fdopendir(descriptor);
    if (directory == NULL) {
        close(descriptor);
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        unlinkat(dirfd(directory), entry->d_name, 0); // "." and ".." are none of its business
    closedir(directory);
}

// A folder that mkdtemp made for this user, and that nobody holds, is empty afterwards and goes.
static void remove_if_abandoned(int base, const char *name)
{
    const int descriptor = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat facts;
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &facts) != 0 || facts.st_uid != geteuid() ||
        (facts.st_mode & 0777) != 0700 || flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        return;
    }
    const int lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    empty_folder(descriptor);
    unlinkat(base, name, AT_REMOVEDIR);
    if (lock >= 0)
        close(lock);
}

static void remove_abandoned(const char *base, const char *prefix)
{
    const char *beginning = prefix + strlen(base) + 1;
    const size_t length = strlen(beginning);
    DIR *directory = opendir(base);
    if (directory == NULL)
        return;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        if (strncmp(entry->d_name, beginning, length) == 0 && strlen(entry->d_name) == length + 6)
            remove_if_abandoned(dirfd(directory), entry->d_name);
    closedir(directory);
}

// Whether the folder is ours for good; another viewer may have come between making and locking it.
static bool keep_folder(lc_folder *folder)
{
    struct stat facts;
    folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0)
        return false;
    const bool locked = flock(folder->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && fstat(folder->lock, &facts) == 0 && facts.st_nlink > 0)
        return true;
    close(folder->lock);
    return false;
}

static bool make_folder(lc_folder *folder, const char *base)
{
    char prefix[sizeof folder->path - 8];
    folder_prefix(prefix, sizeof prefix, base);
    remove_abandoned(base, prefix);
    for (int attempt = 0; attempt < 10; attempt++) {
        snprintf(folder->path, sizeof folder->path, "%sXXXXXX", prefix);
        if (mkdtemp(folder->path) == NULL)
            break;
        if (keep_folder(folder))
            return true;
        rmdir(folder->path);
    }
    folder->path[0] = '\0';
    return false;
}

lc_status lc_folder_name(lc_folder *folder, const char *ending, char path[320], lc_message *message)
{
    if (folder->path[0] == '\0') {
        const bool fits = folder->base != NULL && strlen(folder->base) < sizeof folder->path / 2;
        const char *base = fits ? folder->base : "/tmp";
        if (!make_folder(folder, base))
            return lc_fail(message, LC_ERROR_IO, "no folder can be made in %s: %s", base,
                           strerror(errno));
    }
    snprintf(path, 320, "%s/%u%s", folder->path, ++folder->files, ending);
    return LC_OK;
}

void lc_folder_remove(lc_folder *folder)
{
    if (folder->path[0] == '\0')
        return;
    const int descriptor = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0)
        empty_folder(descriptor);
    rmdir(folder->path);
    close(folder->lock);
    folder->path[0] = '\0';
}

static lc_status open_soup(const lc_soup *soup, lc_universe_options *creation, lc_universe **out,
                           lc_message *message)
{
    creation->rule = soup->rule;
    creation->topology = soup->topology;
    lc_status status = lc_universe_create(out, creation, message);
    if (status != LC_OK || soup->width_cells == 0)
        return status;
    const lc_topology *t = &soup->topology;
    // In the middle: that of the board, or cell 0 where there are no edges.
    const int64_t x = (t->width_cells - soup->width_cells) / 2;
    const int64_t y = (t->height_cells - soup->height_cells) / 2;
    return lc_universe_soup(*out, x, y, soup->width_cells, soup->height_cells, soup->density,
                            soup->seed, message);
}

// A universe with the cells of a pattern, which is closed.
static lc_status load(lc_pattern *pattern, const lc_universe_options *creation, lc_universe **out,
                      lc_message *message)
{
    lc_status status = lc_universe_create(out, creation, message);
    if (status == LC_OK) {
        int64_t x, y;
        lc_universe_place(*out, lc_pattern_get_header(pattern), &x, &y);
        status = lc_universe_load(*out, pattern, x, y, message);
    }
    lc_pattern_close(&pattern);
    return status;
}

static lc_status open_pattern(const lc_origin *origin, lc_universe_options *creation,
                              lc_universe **out, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, origin->bytes, origin->size_bytes, message);
    if (status != LC_OK)
        return status;
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    creation->rule = header->rule;
    creation->topology = header->topology;
    return load(pattern, creation, out, message);
}

// Where the engine is free, that of squares takes a frame without looking at its cells.
static lc_status open_frame(const lc_place *place, lc_universe_options *creation, lc_universe **out,
                            lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_timeline_open_frame(&pattern, place->timeline, place->frame, message);
    if (status != LC_OK)
        return status;
    const lc_topology *shape = &place->topology;
    const bool is_free = creation->engine == NULL || strcmp(creation->engine, "auto") == 0;
    const bool is_plane = shape->width_cells == 0 && shape->height_cells == 0;
    if (is_free && is_plane && place->rule.family == LC_FAMILY_TOTALISTIC)
        creation->engine = "hashlife";
    creation->rule = place->rule;
    creation->topology = *shape;
    return load(pattern, creation, out, message);
}

lc_status lc_origin_open(const lc_origin *origin, const lc_universe_options *creation,
                         lc_universe **out, lc_message *message)
{
    lc_universe_options options = *creation;
    lc_status status;
    *out = NULL;
    switch (origin->kind) {
    case LC_ORIGIN_CALLER:
        status = origin->reopen != NULL
                     ? origin->reopen(origin->context, out, message)
                     : lc_fail(message, LC_ERROR_ARGUMENT,
                               "its beginning could not be kept: there is no way back to it");
        break;
    case LC_ORIGIN_SOUP:
        status = open_soup(&origin->soup, &options, out, message);
        break;
    case LC_ORIGIN_PATTERN:
        status = open_pattern(origin, &options, out, message);
        break;
    case LC_ORIGIN_FRAME:
        status = open_frame(&origin->place, &options, out, message);
        break;
    default:
        status = lc_universe_restore(out, origin->path, &options, message);
    }
    if (status != LC_OK)
        lc_universe_destroy(out);
    return status;
}

lc_status lc_origin_keep(lc_origin *origin, lc_folder *folder, const lc_universe *universe,
                         lc_message *message)
{
    lc_origin kept = {.kind = LC_ORIGIN_CHECKPOINT};
    lc_status status = lc_folder_name(folder, ".lcs", kept.path, message);
    if (status == LC_OK)
        status = lc_universe_save(universe, kept.path, LC_FORMAT_CHECKPOINT, message);
    if (status != LC_OK)
        return status;
    lc_origin_free(origin);
    *origin = kept;
    return LC_OK;
}

lc_status lc_origin_recast(const lc_universe *from, const lc_rule *rule, lc_folder *folder,
                           const lc_universe_options *creation, lc_universe **out,
                           lc_message *message)
{
    char path[320];
    lc_pattern *pattern;
    lc_universe_options options = *creation;
    options.rule = *rule;
    options.topology = *lc_universe_topology(from);
    *out = NULL;
    lc_status status = lc_folder_name(folder, ".mc", path, message);
    if (status == LC_OK)
        status = lc_universe_save(from, path, LC_FORMAT_MACROCELL, message);
    if (status != LC_OK)
        return status;
    status = lc_pattern_open(&pattern, path, message);
    if (status == LC_OK)
        status = load(pattern, &options, out, message);
    unlink(path);
    if (status == LC_OK)
        lc_universe_set_generation(*out, lc_universe_generation(from));
    else
        lc_universe_destroy(out);
    return status;
}

void lc_origin_free(lc_origin *origin)
{
    free(origin->bytes);
    if (origin->path[0] != '\0')
        unlink(origin->path);
    *origin = (lc_origin){0};
}
