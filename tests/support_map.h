// Random rules with a chosen symmetry, and the symmetries of surfaces, computed without the
// library.
#ifndef LC_TESTS_SUPPORT_MAP_H
#define LC_TESTS_SUPPORT_MAP_H

#include "lightcone/rule.h"
#include "support.h"

// A rotation or reflection about the origin: (x, y) goes to (xx * x + xy * y, yx * x + yy * y).
typedef struct motion {
    int xx, xy, yx, yy;
} motion;

// The ten subgroups of the square's symmetries. The first is trivial; the last has all symmetries.
enum { TEST_GROUPS = 10 };
const char *test_group_name(size_t group);
bool test_group_has(size_t group, motion m);

// Returns a random rule with exactly the symmetry of a group. Without `b0` a dead cell with dead
// neighbours stays dead.
const lc_rule *test_map(size_t group, bool b0, uint64_t seed);

// Returns the neighbourhood that `m` makes of `neighbourhood`, as numbers of lc_rule_next.
unsigned test_moved_neighbourhood(unsigned neighbourhood, motion m);

// Returns the motions of a surface's copies, without translations: up to eight, the first the
// identity.
size_t test_motions_of(const lc_topology *topology, motion motions[8]);

#endif
