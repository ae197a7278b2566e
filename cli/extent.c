// Arithmetic of extents. An extent is the first and the last live cell in one direction.
// Coordinates may exceed 64 bits.
#include "extent.h"

static int compare(lc_coordinate a, lc_coordinate b)
{
    if (a.is_negative != b.is_negative)
        return a.is_negative ? -1 : 1;
    const int farther = lc_count_compare(a.distance, b.distance);
    return a.is_negative ? -farther : farther;
}

// Returns the coordinate at a distance of `cells` to the left or right of `from`. The sum does not
// overflow, because coordinates are far below 2^256.
static lc_coordinate moved(lc_coordinate from, lc_count cells, bool left)
{
    lc_count distance;
    if (from.is_negative != left)
        return left ? lc_coordinate_between(from.distance, cells)
                    : lc_coordinate_between(cells, from.distance);
    (void)lc_count_add(from.distance, cells, &distance);
    return (lc_coordinate){distance, left};
}

void lc_cli_extent_add(lc_cli_extent *extent, lc_coordinate first, lc_count length)
{
    lc_count beyond;
    (void)lc_count_subtract(length, lc_count_of(1), &beyond);
    const lc_coordinate last = moved(first, beyond, false);
    if (!extent->any || compare(first, extent->first) < 0)
        extent->first = first;
    if (!extent->any || compare(last, extent->last) > 0)
        extent->last = last;
    extent->any = true;
}

void lc_cli_extent_widen_start(lc_cli_extent *extent, uint64_t cells)
{
    extent->first = moved(extent->first, lc_count_of(cells), true);
}

void lc_cli_extent_widen_end(lc_cli_extent *extent, uint64_t cells)
{
    extent->last = moved(extent->last, lc_count_of(cells), false);
}

// Finds the interval that contains a coordinate. Each interval has 2^log2_side cells, and interval
// 0 starts at coordinate 0. Returns false if the number of the interval is out of range.
static bool square_of(lc_coordinate at, int log2_side, int64_t *square)
{
    lc_count count = at.distance;
    const unsigned words = (unsigned)log2_side / 64, bits = (unsigned)log2_side % 64;
    if (at.is_negative) // coordinate -d is in interval -1 - floor((d - 1) / side)
        (void)lc_count_subtract(count, lc_count_of(1), &count);
    lc_count shifted = lc_count_of(0);
    for (unsigned i = 0; i + words < 4; i++) {
        const uint64_t low = count.words[i + words];
        const uint64_t high = i + words + 1 < 4 ? count.words[i + words + 1] : 0;
        shifted.words[i] = bits == 0 ? low : low >> bits | high << (64 - bits);
    }
    uint64_t distance;
    if (!lc_count_to_u64(shifted, &distance) || distance >= (uint64_t)LC_UNIVERSE_REACH)
        return false;
    *square = at.is_negative ? -1 - (int64_t)distance : (int64_t)distance;
    return true;
}

bool lc_cli_extent_squares(const lc_cli_extent *extent, int log2_side, int64_t *first,
                           int64_t *count)
{
    int64_t last;
    if (!square_of(extent->first, log2_side, first) || !square_of(extent->last, log2_side, &last))
        return false;
    *count = last - *first + 1;
    return true;
}
