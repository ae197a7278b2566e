// Rules as data, for kernels compiled for any rule.
#include "level/level.h"

void lc_any_rule(lc_counts counts, uint64_t selectors[LC_ANY_WORDS])
{
    for (int parity = 0; parity < 2; parity++) {
        uint64_t dead_before = 0, live_before = 0;
        for (int half = 0; half < 5; half++) {
            int live_cells = 2 * half + parity;
            uint64_t dead = (uint64_t)0 - (counts.birth >> live_cells & 1u);
            // The count of nine includes a live cell itself.
            uint64_t live = live_cells > 0
                                ? (uint64_t)0 - ((uint64_t)counts.survival >> (live_cells - 1) & 1u)
                                : 0;
            selectors[parity * 10 + half] = dead ^ dead_before;
            selectors[parity * 10 + 5 + half] = dead ^ dead_before ^ live ^ live_before;
            dead_before = dead, live_before = live;
        }
    }
    // Merge the selectors of impossible cases (level.h).
    selectors[6] ^= selectors[5];
    selectors[14] ^= selectors[19];
    selectors[5] = selectors[19] = 0;
}
