#include "support_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

test_report test_report_of(const char *kind, const lc_kernel_source *source, int nvrtc_version,
                           int architecture)
{
    enum { PARTS_MAX = 200 };
    const char *parts[PARTS_MAX];
    char numbers[64];
    size_t count = 0;
    test_report report = {.folder = ""};
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/') // the specification requires an absolute path
        snprintf(report.folder, sizeof report.folder, "%s/lightcone-tests/%s", cache, kind);
    else if (home != NULL && home[0] != '\0')
        snprintf(report.folder, sizeof report.folder, "%s/.cache/lightcone-tests/%s", home, kind);
    snprintf(numbers, sizeof numbers, "NVRTC %d, sm_%d", nvrtc_version, architecture);
    parts[count++] = numbers;
    parts[count++] = source->name;
    for (size_t i = 0; i < source->option_count && count < PARTS_MAX; i++)
        parts[count++] = source->options[i];
    for (const lc_kernel_text *t = source->texts; t->name != NULL && count + 2 <= PARTS_MAX; t++) {
        parts[count++] = t->name;
        parts[count++] = t->text;
    }
    if (count + 2 > PARTS_MAX) { // too many parts for the key
        fprintf(stderr, "support_report: too many texts and options\n");
        exit(2);
    }
    report.key = lc_kernel_key_of(parts, count);
    return report;
}

char *test_report_read(const test_report *report)
{
    void *content;
    size_t size_bytes;
    if (!lc_kernel_cache_read(report->folder, &report->key, &content, &size_bytes))
        return NULL;
    if (size_bytes > 0 && ((const char *)content)[size_bytes - 1] == '\0')
        return content;
    lc_free(content);
    return NULL;
}

void test_report_keep(const test_report *report, const char *text)
{
    (void)lc_kernel_cache_write(report->folder, &report->key, text, strlen(text) + 1);
}
