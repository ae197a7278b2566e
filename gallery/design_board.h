// Turns a board that is to be stepped into the form that a design sees.
#ifndef LC_GALLERY_DESIGN_BOARD_H
#define LC_GALLERY_DESIGN_BOARD_H

#include "design.h"

// Reads the settings and checks rule, topology and size.
lc_status lc_gallery_board_make(const lc_design *design, const lc_guest_board *guest,
                                lc_gallery_board *board, lc_message *message);

#endif
