// The table of built-in patterns. The build makes it from patterns/ (cmake/embed_text.cmake).
#ifndef LC_PATTERN_BUILT_IN_H
#define LC_PATTERN_BUILT_IN_H

#include "lightcone/pattern.h"

extern const lc_built_in_pattern lc_built_in_texts[];

#endif
