// Settings: the values of a design's knobs as text.
#ifndef LC_GALLERY_SETTINGS_H
#define LC_GALLERY_SETTINGS_H

#include "design.h"

// The values of a design's knobs, with the settings in the text ("block=16,ldg=0"; "" for none).
// LC_ERROR_ARGUMENT: the message names the knobs, or the values, that exist.
lc_status lc_gallery_settings(const lc_design *design, const char *text, int values[LC_KNOBS_MAX],
                              lc_message *message);
// "block=16,ldg=1": all of them.
void lc_gallery_format_settings(const lc_design *design, const int values[LC_KNOBS_MAX], char *text,
                                size_t text_bytes);
size_t lc_gallery_knob_count(const lc_design *design);

#endif
