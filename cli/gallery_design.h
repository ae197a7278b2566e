// Designs of the gallery by the names that people type.
#ifndef LC_CLI_GALLERY_DESIGN_H
#define LC_CLI_GALLERY_DESIGN_H

#include "gallery.h"

// The design of the gallery called `name`, up to a colon; NULL when it has been said that there is
// none, and what the nearest one is.
const lc_design *lc_cli_find_design(const char *name);

// Tells the gallery of the command's context, and of the environment's LIGHTCONE_PYTHON.
void lc_cli_open_gallery(void);

#endif
