// Structures that callers fill, of their version of the library and of ours.
//
// Such a structure begins with `size_t struct_bytes`, its size where the caller was compiled. New
// members come at its end, where no padding was before, and 0 in them means what was meant without
// them. So an older caller's structure is ours without its last members, and a newer one's begins
// with ours.
#ifndef LC_BASE_STRUCTURE_H
#define LC_BASE_STRUCTURE_H

#include "lightcone/status.h"

// Copies a caller's structure into one of ours, `to`, of to_bytes; `name` is that of its type.
// Members that an older one does not have are 0. Returns LC_OK; LC_ERROR_ARGUMENT (no structure, or
// an impossible size); LC_ERROR_UNSUPPORTED (a newer one, with something other than 0 in members
// that are unknown here). On error nothing is written.
lc_status lc_structure_take(void *to, size_t to_bytes, const void *from, const char *name,
                            lc_message *message);

#endif
