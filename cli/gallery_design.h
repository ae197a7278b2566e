// Finds designs of the gallery by name.
#ifndef LC_CLI_GALLERY_DESIGN_H
#define LC_CLI_GALLERY_DESIGN_H

#include "gallery.h"

// Returns the design with this name. Settings after a colon in `name` are ignored. Returns NULL
// after printing an error that suggests the nearest name.
const lc_design *lc_cli_find_design(const char *name);

// Passes the command's context and the environment variable LIGHTCONE_PYTHON to the gallery.
void lc_cli_open_gallery(void);

#endif
