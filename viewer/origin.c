// Creates universes from their origins; the folder for the viewer's files.
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

// Writes "BASE/lightcone-view-HOST-". It names the machine because other machines may share the
// folder but not see this one's locks.
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

// Removes the files of a folder, and closes it.
static void empty_folder(int descriptor)
{
    DIR *directory = fdopendir(descriptor);
    if (directory == NULL) {
        close(descriptor);
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        unlinkat(dirfd(directory), entry->d_name, 0); // fails for "." and ".."
    closedir(directory);
}

// Empties and removes a folder that mkdtemp created for this user, unless a process has locked it.
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

// Locks the folder. Returns false if another viewer has removed it or is removing it: it was not
// locked at first.
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

lc_status lc_origin_check_rule(const lc_rule *rule, lc_message *message)
{
    const lc_traits *traits = lc_rule_traits(rule);
    return traits->states == 2 ? LC_OK
                               : lc_fail(message, LC_ERROR_UNSUPPORTED,
                                         "the viewer shows rules of two states, and %s has %d",
                                         traits->text, traits->states);
}

static lc_status open_soup(const lc_origin_soup *soup, lc_universe_options *creation,
                           lc_universe **out, lc_message *message)
{
    creation->rule = soup->rule;
    creation->topology = soup->topology;
    lc_status status = lc_universe_create(out, creation, message);
    if (status != LC_OK || soup->width_cells == 0)
        return status;
    const lc_topology *t = &soup->topology;
    // The soup lies in the middle of the board, or around cell 0 in unbounded directions.
    const int64_t x = (t->width_cells - soup->width_cells) / 2;
    const int64_t y = (t->height_cells - soup->height_cells) / 2;
    return lc_universe_soup(*out, x, y, soup->width_cells, soup->height_cells, soup->density,
                            soup->seed, message);
}

// Creates a universe with the cells of a pattern, and closes the pattern.
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

// If no engine was chosen, HashLife takes a frame's nodes without visiting its cells.
static lc_status open_frame(const lc_timeline_place *place, lc_universe_options *creation,
                            lc_universe **out, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_timeline_open_frame(&pattern, place->timeline, place->frame, message);
    if (status != LC_OK)
        return status;
    const lc_topology *shape = &place->topology;
    const bool is_free = creation->engine == NULL || strcmp(creation->engine, "auto") == 0;
    const bool is_plane = shape->width_cells == 0 && shape->height_cells == 0;
    if (is_free && is_plane && lc_rule_traits(place->rule)->family == LC_FAMILY_TOTALISTIC)
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
    if (status == LC_OK)
        status = lc_origin_check_rule(lc_universe_rule(*out), message);
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

// ---- another rule or topology --------------------------------------------------------------

// Largest number of live cells that are moved one by one.
static const uint64_t recast_cells = UINT64_C(1) << 32;

// Moves the cells of a file to another topology. Adds (dx, dy) to their coordinates, and drops
// cells outside of width x height (0: unbounded).
typedef struct recasting {
    int64_t dx, dy, width_cells, height_cells;
    lc_universe *universe; // NULL: only counts the cells
    uint64_t kept;
} recasting;

// Adds live cells to at most 64 cells of a row, all inside the universe.
static lc_status add_bits(lc_universe *universe, int64_t x, int64_t y, uint64_t bits, int length)
{
    uint64_t there;
    lc_cells row = lc_row_cells(x, y, length, &there);
    lc_status status = lc_universe_read(universe, &row, NULL);
    bits |= there;
    row.words = &bits;
    return status == LC_OK ? lc_universe_write(universe, &row, NULL) : status;
}

static lc_status recast_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                             int64_t length)
{
    recasting *r = context;
    const int64_t left = x + r->dx, row = y + r->dy;
    if (r->height_cells != 0 && (row < 0 || row >= r->height_cells))
        return LC_OK;
    for (int64_t i = 0; i < length; i += 64) {
        uint64_t bits = words[i / 64];
        int64_t from = left + i;
        int count = (int)(length - i < 64 ? length - i : 64);
        if (r->width_cells != 0) {
            const int64_t before = from < 0 ? -from : 0;
            if (before >= count || from >= r->width_cells)
                continue;
            bits >>= before;
            from += before;
            count -= (int)before;
            if (from + count > r->width_cells)
                count = (int)(r->width_cells - from);
            bits &= UINT64_MAX >> (64 - count);
        }
        r->kept += (uint64_t)__builtin_popcountll(bits);
        if (r->universe == NULL || bits == 0)
            continue;
        lc_status status = add_bits(r->universe, from, row, bits, count);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}

static lc_status recast_run(void *context, int64_t x, int64_t y, int64_t length)
{
    recasting *r = context;
    // Only the part inside: a run may be long.
    int64_t low = x, high = x + length;
    if (r->width_cells != 0) {
        low = low < -r->dx ? -r->dx : low;
        high = high > r->width_cells - r->dx ? r->width_cells - r->dx : high;
    }
    for (; low < high; low += 64) {
        const int64_t count = high - low < 64 ? high - low : 64;
        const uint64_t bits = UINT64_MAX >> (64 - count);
        lc_status status = recast_bits(context, low, y, &bits, count);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}

// Returns the shift of cells in one direction, from a side of `before` cells to one of `after` (0:
// unbounded), with live cells at start .. start + length - 1.
static int64_t shift_between(int64_t before, int64_t after, int64_t start, int64_t length)
{
    const int64_t by_middle = after / 2 - before / 2;
    if (before != 0 || after == 0)
        return by_middle;
    const bool fits = start + by_middle >= 0 && start + length + by_middle <= after;
    return fits ? by_middle : (after - length) / 2 - start;
}

static bool is_same_topology(const lc_topology *a, const lc_topology *b)
{
    char one[LC_RULE_TEXT_BYTES], other[LC_RULE_TEXT_BYTES];
    lc_rule_format(lc_rule_life(), a, one);
    lc_rule_format(lc_rule_life(), b, other);
    return strcmp(one, other) == 0;
}

// Computes the shift for the cells of a file of that universe.
static lc_status plan_recasting(const lc_universe *from, const lc_pattern_header *header,
                                const lc_topology *topology, recasting *r, uint64_t *population,
                                lc_message *message)
{
    const lc_topology *old = lc_universe_topology(from);
    lc_facts facts;
    lc_status status = lc_universe_facts(from, LC_FACT_POPULATION | LC_FACT_BOX, &facts, message);
    if (status != LC_OK)
        return status;
    if (!lc_count_to_u64(facts.population, population) || *population > recast_cells)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "it has too many live cells to change its topology: at most 2^32");
    const lc_box *box = &facts.box;
    lc_universe_place(from, header, &r->dx, &r->dy);
    r->dx += shift_between(old->width_cells, topology->width_cells, box->x, box->width_cells);
    r->dy += shift_between(old->height_cells, topology->height_cells, box->y, box->height_cells);
    r->width_cells = topology->width_cells;
    r->height_cells = topology->height_cells;
    return LC_OK;
}

// Reads the file once, to count its cells (*r has no universe) or to move them.
static lc_status read_recasting(const char *path, recasting *r, lc_message *message)
{
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = r, .run = recast_run, .bits = recast_bits};
    lc_pattern *pattern;
    lc_status status = lc_pattern_open(&pattern, path, message);
    if (status != LC_OK)
        return status;
    r->kept = 0;
    status = lc_pattern_read(pattern, &sink, message);
    lc_pattern_close(&pattern);
    return status;
}

// Changes the topology: counts the cells, then moves them.
static lc_status recast_topology(const lc_universe *from, const char *path,
                                 const lc_universe_options *options, uint64_t *lost,
                                 lc_universe **out, lc_message *message)
{
    recasting r = {0};
    uint64_t population;
    lc_pattern *pattern;
    lc_status status = lc_pattern_open(&pattern, path, message);
    if (status != LC_OK)
        return status;
    status = plan_recasting(from, lc_pattern_get_header(pattern), &options->topology, &r,
                            &population, message);
    lc_pattern_close(&pattern);
    if (status == LC_OK)
        status = read_recasting(path, &r, message);
    if (status != LC_OK)
        return status;
    *lost = population - r.kept;
    if (out == NULL)
        return LC_OK;
    status = lc_universe_create(out, options, message);
    r.universe = *out;
    return status == LC_OK ? read_recasting(path, &r, message) : status;
}

// Keeps the topology: the cells stay in place.
static lc_status recast_rule(const char *path, const lc_universe_options *options,
                             lc_universe **out, lc_message *message)
{
    lc_pattern *pattern;
    if (out == NULL)
        return LC_OK;
    lc_status status = lc_pattern_open(&pattern, path, message);
    return status == LC_OK ? load(pattern, options, out, message) : status;
}

lc_status lc_origin_recast(const lc_universe *from, const lc_rule *rule,
                           const lc_topology *topology, lc_folder *folder,
                           const lc_universe_options *creation, uint64_t *lost, lc_universe **out,
                           lc_message *message)
{
    char path[320];
    lc_universe_options options = *creation;
    options.rule = rule;
    options.topology = *topology;
    *lost = 0;
    if (out != NULL)
        *out = NULL;
    lc_status status = lc_origin_check_rule(rule, message);
    if (status == LC_OK)
        status = lc_folder_name(folder, ".mc", path, message);
    if (status == LC_OK)
        status = lc_universe_save(from, path, LC_FORMAT_MACROCELL, message);
    if (status != LC_OK)
        return status;
    if (is_same_topology(lc_universe_topology(from), topology))
        status = recast_rule(path, &options, out, message);
    else
        status = recast_topology(from, path, &options, lost, out, message);
    unlink(path);
    if (out == NULL)
        return status;
    if (status == LC_OK)
        lc_universe_set_generation(*out, lc_universe_generation(from));
    else
        lc_universe_destroy(out);
    return status;
}

void lc_origin_free(lc_origin *origin)
{
    lc_rule_release(&origin->soup.rule);
    free(origin->bytes);
    if (origin->path[0] != '\0')
        unlink(origin->path);
    *origin = (lc_origin){0};
}
