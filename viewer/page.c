// Finds the page's files by address.
#include "page.h"

#include <stdbool.h>
#include <string.h>

#include "embedded.h"

static const char *content_type(const char *name)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
    };
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(ending, types[i].ending) == 0)
            return types[i].type;
    return "application/octet-stream";
}

_Bool lc_page_find(const char *address, lc_page_file *file)
{
    const char *name = strcmp(address, "/") == 0 ? "/index.html" : address;
    for (const lc_embedded_text *text = lc_page_texts; *name == '/' && text->name != NULL; text++)
        if (strcmp(name + 1, text->name) == 0) {
            *file = (lc_page_file){.name = text->name,
                                   .type = content_type(text->name),
                                   .text = text->text,
                                   .size_bytes = strlen(text->text),
                                   .gzip = text->gzip,
                                   .gzip_bytes = text->gzip_bytes,
                                   .word = text->word};
            return true;
        }
    return false;
}
