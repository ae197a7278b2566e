// The gallery, for the command: the designs, their texts, and each as an engine.
#ifndef LC_GALLERY_GALLERY_H
#define LC_GALLERY_GALLERY_H

#include "designs.h"
#include "settings.h"

// Before anything else: the context whose GPUs the designs run on, NULL for the defaults, and the
// Python that those in Python are run by, NULL for the first that has what they need. Both are lent
// until the process ends.
void lc_gallery_use(lc_context *context, const char *python);

// The design of that name, which may be followed by a colon and settings; NULL if there is none.
const lc_design *lc_gallery_find(const char *name);

// Whether a design with a text can run on this machine; *reason as in lc_guest_engine.
bool lc_gallery_available(const lc_design *design, const char **reason);

// Makes the designs known as engines, each by its name; once in a process.
lc_status lc_gallery_add_engines(lc_message *message);

#endif
