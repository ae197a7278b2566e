// Facts of the machine, from the library, /proc, /sys and uname.
#include "machine_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#if defined(__clang__)
#define COMPILER __VERSION__ // says "Clang" itself
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER ""
#endif

// The command's build writes a header; a test's does not.
#ifdef LC_BUILD_FACTS
#include LC_BUILD_FACTS
#else
#define LC_COMMIT ""
#define LC_COMPILER_FLAGS ""
#endif

// Copies the value of the first line "KEY<blanks><separator> value" of a text file; quotes round
// the value are dropped.
static void read_value(const char *path, const char *key, char separator, char *value,
                       size_t value_bytes)
{
    value[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    char line[512];
    size_t key_length = strlen(key);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, key_length) != 0)
            continue;
        const char *at = line + key_length;
        at += strspn(at, " \t");
        if (*at != separator)
            continue;
        at++;
        at += strspn(at, " \t\"");
        snprintf(value, value_bytes, "%.*s", (int)strcspn(at, "\"\n"), at);
        break;
    }
    fclose(file);
}

// The first line of a file, "" if it cannot be read.
static void read_line(const char *path, char *line, size_t line_bytes)
{
    line[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fgets(line, (int)line_bytes, file) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

// The kernel writes cache sizes as "1024K" or "16M".
static uint64_t read_l3_bytes(void)
{
    char text[32];
    read_line("/sys/devices/system/cpu/cpu0/cache/index3/size", text, sizeof text);
    char *unit = NULL;
    uint64_t size = strtoull(text, &unit, 10);
    return *unit == 'M' ? size << 20 : *unit == 'K' ? size << 10 : size;
}

uint64_t lc_machine_available_bytes(void)
{
    char value[64];
    read_value("/proc/meminfo", "MemAvailable", ':', value, sizeof value);
    return value[0] != '\0' ? strtoull(value, NULL, 10) * 1024 : UINT64_MAX;
}

static void read_os(lc_machine_facts *facts)
{
    struct utsname name;
    if (uname(&name) != 0)
        return;
    char distribution[128];
    read_value("/etc/os-release", "PRETTY_NAME", '=', distribution, sizeof distribution);
    snprintf(facts->os, sizeof facts->os, "%.48s %.64s %.32s%s%.96s", name.sysname, name.release,
             name.machine, distribution[0] != '\0' ? ", " : "", distribution);
}

void lc_machine_facts_read(lc_machine_facts *facts)
{
    *facts = (lc_machine_facts){.compiler = COMPILER,
                                .compiler_flags = LC_COMPILER_FLAGS,
                                .version = lc_version(),
                                .commit = LC_COMMIT};
    lc_machine_get(&facts->machine);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    facts->cpus_online = online > 0 ? (int)online : 0;
    facts->l3_bytes = read_l3_bytes();
    read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", facts->governor,
              sizeof facts->governor);
    read_os(facts);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL)
        strftime(facts->date, sizeof facts->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

// The first word of a line that looks like a release: digits with dots between them.
static void find_release(const char *line, char *release, size_t release_bytes)
{
    release[0] = '\0';
    for (const char *at = line; *at != '\0';
         at += strcspn(at, " \t\n"), at += strspn(at, " \t\n")) {
        const size_t digits = strspn(at, "0123456789."), word = strcspn(at, " \t\n");
        if (digits == word && memchr(at, '.', word) != NULL) {
            snprintf(release, release_bytes, "%.*s", (int)word, at);
            return;
        }
    }
}

void lc_machine_facts_read_gpu(lc_machine_facts *facts, lc_context *context)
{
    char line[256];
    read_line("/proc/driver/nvidia/version", line, sizeof line);
    find_release(line, facts->gpu_driver, sizeof facts->gpu_driver);
    for (size_t i = 0; !facts->has_gpu && lc_gpu_at(context, i, &facts->gpu); i++)
        facts->has_gpu = facts->gpu.available;
}
