// Engines that a program brings along, as the universe sees them.
#ifndef LC_ENGINE_GUEST_GUEST_H
#define LC_ENGINE_GUEST_GUEST_H

#include "engine/engine_interface.h"

// The functions that step boards by `engine`, which the caller keeps for as long as they are used.
lc_engine_vtable lc_guest_vtable(const lc_guest_engine *engine);

#endif
