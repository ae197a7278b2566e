// The kernels of a level with two-input operations. The including file defines the macros.
// GATE_CHAINS: enough chains to hide the latency of an operation, and few enough for the registers.
#define INLINE static inline __attribute__((always_inline))

#include <stdbool.h>

#include "base/clock.h"
#include "level/gates.h"

#include "level/aging.h"
#include "level/band.h"
#include "level/comb.h"
#include "level/diagram_steps.h"
#include "level/live_count.h"

#include "level/board.h" // needs the above

// Measures the highest rate of this CPU: the kinds of operations in next_life, on registers only.
// Each takes the last result of its own chain and a constant.
static double gate_rate(uint64_t duration_ns)
{
    enum { CHAINS = GATE_CHAINS, ROUNDS = 2000 };
    VEC r[CHAINS], constant = V_ALL(UINT64_C(0x9E3779B97F4A7C15));
    V_OPAQUE(constant);
#pragma GCC unroll 16 // or gcc keeps r in memory
    for (int i = 0; i < CHAINS; i++) {
        r[i] = V_ALL(UINT64_C(0xBF58476D1CE4E5B9) * (uint64_t)(i + 1));
        V_OPAQUE(r[i]);
    }
    uint64_t start = lc_clock_ns(), now = start, operations = 0;
    while (now - start < duration_ns) {
        for (int round = 0; round < ROUNDS; round++) {
#pragma GCC unroll 16
            for (int i = 0; i < CHAINS; i++) {
                r[i] = i % 4 == 0   ? V_AND(r[i], constant)
                       : i % 4 == 2 ? V_OR(r[i], constant)
                                    : V_XOR(r[i], constant);
                V_OPAQUE(r[i]);
            }
        }
        operations += (uint64_t)ROUNDS * CHAINS;
        now = lc_clock_ns();
    }
    return (double)operations * 1e9 / (double)(now - start);
}
