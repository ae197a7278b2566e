// The hash in checkpoints of version 1: a sum of one number for each word of 64 cells at (64 c, y),
// of the word mixed with its place.
#include "universe/checkpoint_format.h"

static uint64_t row_key(int64_t y)
{
    uint64_t key = (uint64_t)y * 0x9fb21c651e98df25u + 0x632be59bd9b4e019u;
    key ^= key >> 32;
    return key * 0xd6e8feb86659fd93u;
}

static uint64_t summand(uint64_t word, uint64_t key)
{
    uint64_t h = word ^ key;
    h ^= h >> 32;
    h *= 0xe9846af9b1a615d5u;
    h ^= h >> 29;
    h *= 0x9e6c63d0676a9a99u;
    h ^= h >> 32;
    return word != 0 ? h : 0;
}

lc_status lc_checkpoint_first_hash(const lc_universe *u, lc_box box, uint64_t *hash,
                                   lc_message *message)
{
    const uint64_t column_factor = 0xc2b2ae3d27d4eb4fu;
    uint64_t span[LC_SPAN_WORDS];
    *hash = 0;
    for (int64_t y = box.y; y < box.y + box.height_cells; y++) {
        const int64_t end = box.x + box.width_cells;
        for (int64_t x = box.x & ~INT64_C(63); x < end; x += LC_SPAN_CELLS) {
            const int64_t width = end - x < LC_SPAN_CELLS ? end - x : LC_SPAN_CELLS;
            const lc_cells cells = lc_row_cells(x, y, width, span);
            const lc_status status = lc_universe_read(u, &cells, message);
            if (status != LC_OK)
                return status;
            for (int64_t i = 0; i < (width + 63) / 64; i++)
                *hash += summand(span[i], row_key(y) + (uint64_t)(x / 64 + i) * column_factor);
        }
    }
    return LC_OK;
}
