#ifndef LC_VIEWER_LIBRARY_H
#define LC_VIEWER_LIBRARY_H
#include "lightcone/lightcone.h"
typedef struct lc_library lc_library;
typedef struct lc_library_entry {
    const char *name, *title, *comments, *rule_text;
    int64_t width_cells, height_cells;
    bool yours;
} lc_library_entry;
typedef struct lc_thumbnail {
    int width, height, bits;
    uint8_t pixels[128 * 128];
} lc_thumbnail;
lc_status lc_library_create(lc_library **out, const char *folder);
void lc_library_destroy(lc_library **l);
lc_status lc_library_refresh(lc_library *l, lc_message *m);
bool lc_library_get(const lc_library *l, int id, lc_library_entry *e);
lc_status lc_library_read(lc_library *l, int id, void **d, size_t *n, lc_message *m);
lc_status lc_library_thumbnail(lc_library *l, int id, lc_thumbnail *t, lc_message *m);
#endif
