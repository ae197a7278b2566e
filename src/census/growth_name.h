// Names cells that do not repeat themselves, as apgsearch does.
//
// **Linear growth.** pop(i) is the population of generation i, and M is 4,800. The period p is the
// least number below M with
//     pop(i + 2p) - pop(i + p) = pop(i + p) - pop(i)    for i = 0 .. M - 1.
// With d(i) = pop(i + p) - pop(i), q is the least number below M with d(i + q) = d(i) for the same
// i. The moments m0, m1 and m2 are the sums of the first, second and third powers of
// pop(i + q) - pop(i) for i = 0 .. p - 1, in 32-bit arithmetic. If p and q exist and m0 is not 0,
// the name is "yl<p>_<q>_<m0>_<MD5 of the text "<m1>#<m2>">". The name of the block-laying switch
// engine is yl144_1_16_afb5f3db909e60548f086e22ee3353ac.
//
// **Other growth.** c(i) is 1 plus the sum of the populations of generations 128, 256 ..
// 128 (i + 1), and s and r are the least-squares slopes of log c(i) over log(128 i + 4,800) and
// over log(i + 1), for i = 0 .. 7,999. The name is
//     PATHOLOGICAL    r < 1.15
//     zz_REPLICATOR   otherwise s < 1.65
//     zz_LINEAR       otherwise s < 2.1
//     zz_EXPLOSIVE    otherwise s < 2.9
//     zz_QUADRATIC    otherwise
#ifndef LC_CENSUS_GROWTH_NAME_H
#define LC_CENSUS_GROWTH_NAME_H

#include "lightcone/universe.h"
#include "object/live.h"

// Sets *name to the name of the cells of a sorted list, under a rule without B0. The caller frees
// the name with lc_free.
// Memory and time are bounded. Cells that become more than 2^20 within 3 M generations do not grow
// linearly. If HashLife needs more than 256 MiB or 2^23 new nodes for the slopes, as for chaotic
// growth, the slopes are those of the points up to then. With fewer than two points the name is
// zz_QUADRATIC.
// Returns as lc_cells_count. On error *name is NULL.
lc_status lc_growth_name(char **name, const lc_live *cells, const lc_rule *rule,
                         lc_context *context, lc_message *message);

#endif
