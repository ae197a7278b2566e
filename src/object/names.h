// Common names of objects, by apgcode.
#ifndef LC_OBJECT_NAMES_H
#define LC_OBJECT_NAMES_H

// Returns the name, such as "glider"; "" if the table has none. Static string.
const char *lc_object_name(const char *code);

#endif
