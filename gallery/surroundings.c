// What designs find around them: the context of their GPU, and a Python.
#include "design.h"
#include "gallery.h"

static struct {
    lc_context *context;
    const char *python;
} used;

void lc_gallery_use(lc_context *context, const char *python)
{
    used.context = context;
    used.python = python;
}

lc_context *lc_gallery_context(void)
{
    return used.context;
}

const char *lc_gallery_python(void)
{
    return used.python;
}
