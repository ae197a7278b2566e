// Transposes a square of 8 x 8 bytes.
#ifndef LC_BASE_TRANSPOSE_H
#define LC_BASE_TRANSPOSE_H

#include <stdint.h>

// Exchanges byte j of word i with byte i of word j.
static inline void lc_transpose_bytes(uint64_t m[8])
{
    static const uint64_t low[3] = {0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (int k = 0; k < 3; k++) {
        const int apart = 1 << k, bits = 8 << k;
        for (int i = 0; i < 8; i++) {
            if ((i & apart) != 0)
                continue;
            const uint64_t turn = (m[i] >> bits ^ m[i + apart]) & low[k];
            m[i] ^= turn << bits;
            m[i + apart] ^= turn;
        }
    }
}

#endif
