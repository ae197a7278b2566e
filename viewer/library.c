#include "library.h"
lc_status lc_library_create(lc_library **out, const char *folder)
{
    (void)folder;
    *out = NULL;
    return LC_OK;
}
void lc_library_destroy(lc_library **l)
{
    (void)l;
}
lc_status lc_library_refresh(lc_library *l, lc_message *m)
{
    (void)l;
    (void)m;
    return LC_OK;
}
bool lc_library_get(const lc_library *l, int id, lc_library_entry *e)
{
    (void)l;
    (void)id;
    (void)e;
    return false;
}
lc_status lc_library_read(lc_library *l, int id, void **d, size_t *n, lc_message *m)
{
    (void)l;
    (void)id;
    (void)d;
    (void)n;
    (void)m;
    return LC_ERROR_ARGUMENT;
}
lc_status lc_library_thumbnail(lc_library *l, int id, lc_thumbnail *t, lc_message *m)
{
    (void)l;
    (void)id;
    (void)t;
    (void)m;
    return LC_ERROR_ARGUMENT;
}
