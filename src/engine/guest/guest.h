// Makes engines that a program adds (lightcone/engine.h) usable by the universe.
#ifndef LC_ENGINE_GUEST_GUEST_H
#define LC_ENGINE_GUEST_GUEST_H

#include "engine/engine_interface.h"

// Returns the functions that step boards with `engine`, which must outlive their use.
lc_engine_vtable lc_guest_vtable(const lc_guest_engine *engine);

#endif
