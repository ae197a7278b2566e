// Tuned numbers of "auto", each with its source. "lab" is docs/lab/choosing-engines.md. A commit
// stands where the number was introduced with no measurement on record.
#ifndef LC_CHOICE_TUNED_H
#define LC_CHOICE_TUNED_H

#include <stdint.h>

// Memory limit on a machine that does not tell how much it has. Not measured.
static const uint64_t lc_tuned_unknown_memory_bytes = (uint64_t)2 << 30;

#endif
