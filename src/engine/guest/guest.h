// The engines that programs have added.
#ifndef LC_ENGINE_GUEST_GUEST_H
#define LC_ENGINE_GUEST_GUEST_H

#include "engine/engine.h"

// The i-th of them; NULL past the last.
const lc_engine_vtable *lc_guest_get(size_t index);

#endif
