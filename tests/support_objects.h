// Results of apgsearch: apgcodes of objects, and the objects left by soups.
//
// apgluxe 5.2 made these lists from soups with the seeds l_lightcone1 + number, under B3/S23.
#ifndef LC_TESTS_SUPPORT_OBJECTS_H
#define LC_TESTS_SUPPORT_OBJECTS_H

#include <stddef.h>

// Objects from the census of 16 symmetries. Ends with NULL.
extern const char *const known_codes[];

typedef struct known_soup {
    const char *rle;     // its cells, without a header
    const char *objects; // "xs4_33*3 xp2_7*1": the objects of the settled soup
} known_soup;

// Soups of the symmetries C1, C2_1, D2_x and D8_1. Ends with {NULL, NULL}.
extern const known_soup known_soups[];

#endif
