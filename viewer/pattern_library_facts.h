// The library's facts about a pattern, besides its cells.
#ifndef LC_VIEWER_PATTERN_LIBRARY_FACTS_H
#define LC_VIEWER_PATTERN_LIBRARY_FACTS_H

#include "pattern_facts.h"
#include "pattern_library.h"

// Strings of an entry, each allocated separately.
typedef struct lc_library_facts {
    char *name, *title, *comments, *rule, *author;
    int64_t width_cells, height_cells;
    lc_pattern_facts stated;
    bool is_life;
    char speed[LC_PATTERN_SPEED_BYTES];
} lc_library_facts;

// Reads the facts from the file at `path`, or from `text`, its contents. Returns LC_OK;
// LC_ERROR_MEMORY; or an error of lc_pattern_open (the file is not a pattern). On error there is
// nothing to free.
lc_status lc_library_facts_read(lc_library_facts *facts, const char *path, const char *text,
                                uint64_t size_bytes, lc_message *message);
void lc_library_facts_free(lc_library_facts *facts);

#endif
