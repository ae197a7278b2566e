// Limits of the control group, read from the kernel's text files.
//
// /proc/self/cgroup has one line for each hierarchy, "ID:CONTROLLERS:PATH". The line without
// controllers is version 2. The group or any group above it may set a limit, so we walk from PATH
// to the top and keep the lowest. Inside a container, PATH is often the host's and does not exist.
// The walk then finds only the top, which is the container's own group.
#include "base/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, LINE_BYTES = 4608 };

// Values from here on mean no limit. Version 1 writes a number close to 2^63.
static const uint64_t unlimited = UINT64_C(1) << 60;

static bool read_line(const char *path, char *line, int size_bytes)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool ok = fgets(line, size_bytes, file) != NULL;
    fclose(file);
    return ok;
}

// Parses a decimal number and advances *text. Returns false for "max", "-1" and other texts.
static bool parse_number(const char **text, uint64_t *value)
{
    while (**text == ' ')
        (*text)++;
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(*text, &end, 10);
    if (errno)
        return false;
    *text = end;
    *value = number;
    return true;
}

static bool read_number(const char *folder, const char *name, uint64_t *value)
{
    char path[PATH_BYTES + 64];
    char line[64];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path || !read_line(path, line, sizeof line))
        return false;
    const char *text = line;
    return parse_number(&text, value);
}

static bool cpu_limit(const char *folder, bool version_2, uint64_t *cpus)
{
    uint64_t quota, period;
    if (version_2) {
        char path[PATH_BYTES + 64];
        char line[64];
        int length = snprintf(path, sizeof path, "%s/cpu.max", folder);
        if (length < 0 || (size_t)length >= sizeof path || !read_line(path, line, sizeof line))
            return false;
        const char *text = line; // "QUOTA PERIOD", or "max PERIOD"
        if (!parse_number(&text, &quota) || !parse_number(&text, &period))
            return false;
    } else if (!read_number(folder, "cpu.cfs_quota_us", &quota) ||
               !read_number(folder, "cpu.cfs_period_us", &period)) {
        return false;
    }
    if (quota == 0 || period == 0)
        return false;
    *cpus = quota / period + (quota % period != 0);
    return true;
}

static bool memory_limit(const char *folder, bool version_2, uint64_t *size_bytes)
{
    const char *name = version_2 ? "memory.max" : "memory.limit_in_bytes";
    return read_number(folder, name, size_bytes) && *size_bytes < unlimited;
}

typedef bool (*limit_reader)(const char *folder, bool version_2, uint64_t *value);

static bool has_controller(const char *list, const char *controller)
{
    size_t length = strlen(controller);
    for (const char *at = list; (at = strstr(at, controller)) != NULL; at += length) {
        bool starts = at == list || at[-1] == ',';
        bool ends = at[length] == ',' || at[length] == '\0';
        if (starts && ends)
            return true;
    }
    return false;
}

// Reads the limits of folder MOUNT/PATH and its parents up to MOUNT, and keeps the lowest.
static void walk_up(const char *mount, const char *path, bool version_2, limit_reader reader,
                    bool *found, uint64_t *lowest)
{
    char folder[PATH_BYTES];
    int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
    size_t mount_length = strlen(mount);
    if (length < 0 || (size_t)length >= sizeof folder)
        folder[mount_length < sizeof folder ? mount_length : 0] = '\0';
    for (;;) {
        uint64_t value;
        if (reader(folder, version_2, &value) && (!*found || value < *lowest)) {
            *found = true;
            *lowest = value;
        }
        char *slash = strrchr(folder, '/');
        if (slash == NULL || slash < folder + mount_length)
            return;
        *slash = '\0';
    }
}

static bool lowest_limit(const char *root, const char *controller, limit_reader reader,
                         uint64_t *lowest)
{
    char name[PATH_BYTES];
    int length = snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    if (length < 0 || (size_t)length >= sizeof name)
        return false;
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return false;
    bool found = false;
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL)
            continue;
        controllers++;
        *path++ = '\0';
        bool version_2 = *controllers == '\0';
        char mount[PATH_BYTES];
        if (version_2)
            length = snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
        else if (has_controller(controllers, controller))
            length = snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root, controller);
        else
            continue;
        if (length > 0 && (size_t)length < sizeof mount)
            walk_up(mount, path, version_2, reader, &found, lowest);
    }
    fclose(file);
    return found;
}

bool lc_cgroup_cpus(const char *root, uint64_t *cpus)
{
    return lowest_limit(root, "cpu", cpu_limit, cpus);
}

bool lc_cgroup_memory(const char *root, uint64_t *size_bytes)
{
    return lowest_limit(root, "memory", memory_limit, size_bytes);
}
