// Maps with a chosen symmetry, and what the surfaces do with their cells, both worked out here.
#ifndef LC_TESTS_SUPPORT_MAP_H
#define LC_TESTS_SUPPORT_MAP_H

#include "lightcone/rule.h"
#include "support.h"

// A turn or mirror about the origin: (x, y) goes to (xx * x + xy * y, yx * x + yy * y).
typedef struct motion {
    int xx, xy, yx, yy;
} motion;

// The ten groups of turns and mirrors of the square; the first has none, the last has all.
enum { TEST_GROUPS = 10 };
const char *test_group_name(size_t group);
bool test_group_has(size_t group, motion m);

// A random map with the symmetry of a group, and no other. Without `b0` nothing is born where all
// is dead.
const lc_rule *test_map(size_t group, bool b0, uint64_t seed);

// The neighbourhood of cells that `neighbourhood` becomes, as numbers of lc_rule_next.
unsigned test_moved_neighbourhood(unsigned neighbourhood, motion m);

// What the copies of a surface are, moves apart: up to eight motions, the first doing nothing.
size_t test_motions_of(const lc_topology *topology, motion motions[8]);

#endif
