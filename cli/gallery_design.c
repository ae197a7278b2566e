// Finds designs of the gallery by name.
#include "gallery_design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "shared_context.h"

void lc_cli_open_gallery(void)
{
    lc_gallery_use(lc_cli_context(), getenv("LIGHTCONE_PYTHON"));
}

const lc_design *lc_cli_find_design(const char *name)
{
    const lc_design *design = lc_gallery_find(name);
    if (design != NULL)
        return design;
    char word[64];
    const int length = (int)strcspn(name, ":");
    snprintf(word, sizeof word, "%.*s", length, name);
    lc_cli_nearest nearest = {.word = word};
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        lc_cli_nearest_try(&nearest, design->name);
    (void)lc_cli_unknown("gallery", "design", &nearest, "'lightcone gallery list' lists them");
    return NULL;
}
