// The gallery, for the command: the designs, their texts, and each as an engine.
#ifndef LC_GALLERY_GALLERY_H
#define LC_GALLERY_GALLERY_H

#include "design.h"

// The design of that name, which may be followed by a colon and settings; NULL if there is none.
const lc_design *lc_gallery_find(const char *name);

// The text of a design's file, or of another file of the gallery; NULL if there is none.
const char *lc_gallery_text(const char *file);

// The values of a design's knobs, with the settings in the text ("block=16,ldg=0"; "" for none).
// LC_ERROR_ARGUMENT: the message names the knobs, or the values, that exist.
lc_status lc_gallery_settings(const lc_design *design, const char *text, int values[LC_KNOBS_MAX],
                              lc_message *message);
// "block=16,ldg=1": all of them.
void lc_gallery_format_settings(const lc_design *design, const int values[LC_KNOBS_MAX], char *text,
                                size_t text_bytes);
size_t lc_gallery_knob_count(const lc_design *design);

// Whether a design with a text can run on this machine; *reason as in lc_guest_engine.
bool lc_gallery_available(const lc_design *design, const char **reason);

// Makes the designs known as engines, each by its name; once in a process.
lc_status lc_gallery_add_engines(lc_message *message);

#endif
