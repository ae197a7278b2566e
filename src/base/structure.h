// Structures that callers fill or have filled, which may be of another version of the library.
//
// Such a structure begins with `size_t struct_bytes`, its size where the caller was compiled. New
// members are added at the end, where there was no padding, and 0 in them selects the earlier
// behaviour. So an older caller's structure is ours without its last members, and a newer one's
// begins with ours.
#ifndef LC_BASE_STRUCTURE_H
#define LC_BASE_STRUCTURE_H

#include "lightcone/status.h"

// Copies a caller's structure to `to`, which has to_bytes; `name` is the name of its type. Members
// that an older structure lacks become 0. Returns LC_OK; LC_ERROR_ARGUMENT (no structure, or an
// impossible size); LC_ERROR_UNSUPPORTED (a newer structure with values other than 0 in members
// unknown here). On error nothing is written.
lc_status lc_structure_take(void *to, size_t to_bytes, const void *from, const char *name,
                            lc_message *message);

// Fills in a caller's structure, whose struct_bytes the caller has set. Members that are unknown
// here become 0.
void lc_structure_give(void *to, const void *from, size_t from_bytes);

#endif
