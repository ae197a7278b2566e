#include "census/number_ranges.h"

#include <string.h>

#include "base/memory.h"

void lc_ranges_free(lc_number_ranges *ranges)
{
    lc_free(ranges->at);
    *ranges = (lc_number_ranges){0};
}

bool lc_ranges_reserve(lc_number_ranges *ranges, size_t more)
{
    size_t count;
    return lc_add_size(ranges->count, more, &count) &&
           lc_grow(&ranges->at, &ranges->room, count, sizeof *ranges->at);
}

// Returns the place of the first range that ends at the number or behind it.
static size_t find(const lc_number_ranges *ranges, uint64_t number)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ranges->at[middle].end < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void lc_ranges_add(lc_number_ranges *ranges, lc_number_range range)
{
    const size_t place = find(ranges, range.first);
    size_t behind = place;
    for (; behind < ranges->count && ranges->at[behind].first <= range.end; behind++) {
        const lc_number_range *old = &ranges->at[behind];
        range.first = old->first < range.first ? old->first : range.first;
        range.end = old->end > range.end ? old->end : range.end;
    }
    const size_t rest = ranges->count - behind;
    if (rest > 0)
        memmove(&ranges->at[place + 1], &ranges->at[behind], rest * sizeof range);
    ranges->at[place] = range;
    ranges->count = place + 1 + rest;
}

uint64_t lc_ranges_size(const lc_number_ranges *ranges)
{
    uint64_t size = 0;
    for (size_t i = 0; i < ranges->count; i++)
        size += ranges->at[i].end - ranges->at[i].first;
    return size;
}

uint64_t lc_ranges_common(const lc_number_ranges *a, const lc_number_ranges *b)
{
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const lc_number_range *one = &a->at[i], *other = &b->at[k];
        if (one->end <= other->first)
            i++;
        else if (other->end <= one->first)
            k++;
        else
            return one->first > other->first ? one->first : other->first;
    }
    return UINT64_MAX;
}

bool lc_ranges_contain(const lc_number_ranges *a, const lc_number_ranges *b)
{
    size_t i = 0;
    for (size_t k = 0; k < b->count; k++) {
        while (i < a->count && a->at[i].end < b->at[k].end)
            i++;
        if (i == a->count || a->at[i].first > b->at[k].first)
            return false;
    }
    return true;
}

bool lc_ranges_subtract(lc_number_ranges *out, const lc_number_ranges *a, const lc_number_ranges *b)
{
    size_t most;
    if (!lc_add_size(a->count, b->count, &most) || !lc_ranges_reserve(out, most))
        return false;
    for (size_t i = 0, k = 0; i < a->count; i++) {
        uint64_t first = a->at[i].first;
        const uint64_t end = a->at[i].end;
        for (; k < b->count && b->at[k].first < end; k++) {
            if (first < b->at[k].first)
                out->at[out->count++] = (lc_number_range){first, b->at[k].first};
            first = b->at[k].end > first ? b->at[k].end : first;
            if (b->at[k].end > end)
                break;
        }
        if (first < end)
            out->at[out->count++] = (lc_number_range){first, end};
    }
    return true;
}
