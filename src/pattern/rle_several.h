// Several patterns in one RLE file, one behind the other.
#ifndef LC_PATTERN_RLE_SEVERAL_H
#define LC_PATTERN_RLE_SEVERAL_H

#include "pattern/format.h"

// Goes on from a head, or from the cells behind it, to the head of the next pattern, and adds that
// pattern to the header's `patterns` and `names`. Sets *found. LC_ERROR_MEMORY, or an error of the
// input.
lc_status lc_rle_next(lc_pattern *pattern, bool *found, lc_message *message);

// Adds all patterns behind the '!' that was just read to the header's `patterns` and `names`.
lc_status lc_rle_count(lc_pattern *pattern, lc_message *message);

// Makes the text behind "#N" the name of the first pattern, if that has no name yet.
void lc_rle_name_first(lc_pattern *pattern, const char *text);

// rle.c: returns the position after a key such as "skip = 5, ", which other programs write between
// the size and the rule or after the size. NULL: there is none.
const char *lc_rle_behind_key(const char *at);

#endif
