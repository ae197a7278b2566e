// Gives out the built-in patterns. Their table is an object of its own in the library, so that a
// program that links the static library and asks for none has none.
#include "pattern/built_in.h"

const lc_built_in_pattern *lc_built_in_patterns(void)
{
    return lc_built_in_texts;
}
