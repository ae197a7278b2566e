// The seldom used parts of lc_gather. See gather.h.
#include "pattern/gather.h"

static lc_status beyond(lc_gather *gather)
{
    gather->beyond = true;
    return LC_ERROR_FORMAT;
}

// How many cells fit between a coordinate and the limit: up to 2^63.
static uint64_t room(int64_t coordinate)
{
    return (uint64_t)LC_UNIVERSE_REACH - (uint64_t)coordinate;
}

lc_status lc_gather_flush(lc_gather *gather)
{
    unsigned count = gather->full;
    if (gather->filled > 0)
        gather->words[count++] = gather->last;
    int64_t length = (int64_t)gather->full * 64 + gather->filled;
    if ((uint64_t)length > room(gather->x))
        return beyond(gather);
    unsigned used = count;
    while (used > 0 && gather->words[used - 1] == 0)
        used--;
    int64_t x = gather->x;
    gather->x += length;
    gather->full = 0;
    gather->filled = 0;
    gather->last = 0;
    if (used == 0)
        return LC_OK;
    int64_t live = used < count ? (int64_t)used * 64 : length;
    return gather->sink->bits(gather->sink->context, x, gather->y, gather->words, live);
}

lc_status lc_gather_flush_words(lc_gather *gather)
{
    uint64_t last = gather->last;
    unsigned filled = gather->filled;
    gather->last = 0;
    gather->filled = 0;
    lc_status status = lc_gather_flush(gather);
    gather->last = last;
    gather->filled = filled;
    return status;
}

lc_status lc_gather_run(lc_gather *gather, uint64_t length, bool alive)
{
    uint64_t gathered = (uint64_t)gather->full * 64 + gather->filled;
    if (!alive && length < LC_GATHER_CELLS - gathered) {
        uint64_t filled = gather->filled + length;
        while (filled >= 64) {
            gather->words[gather->full++] = gather->last;
            gather->last = 0;
            filled -= 64;
        }
        gather->filled = (unsigned)filled;
        return LC_OK;
    }
    lc_status status = lc_gather_flush(gather);
    if (status != LC_OK)
        return status;
    if (length > room(gather->x) || length > (uint64_t)LC_UNIVERSE_REACH)
        return beyond(gather);
    int64_t x = gather->x;
    gather->x += (int64_t)length;
    return alive ? gather->sink->run(gather->sink->context, x, gather->y, (int64_t)length) : LC_OK;
}

lc_status lc_gather_next_row(lc_gather *gather, uint64_t rows, int64_t x)
{
    lc_status status = lc_gather_flush(gather);
    if (status != LC_OK)
        return status;
    if (rows > room(gather->y) || rows > (uint64_t)LC_UNIVERSE_REACH)
        return beyond(gather);
    gather->y += (int64_t)rows;
    gather->x = x;
    return LC_OK;
}

lc_status lc_gather_fail(const lc_gather *gather, lc_status status, const lc_input *input,
                         const unsigned char *at, lc_message *message)
{
    if (gather->beyond) {
        return lc_input_fail(input, at, message, status,
                             "the pattern reaches further than 2^62 cells from its origin");
    }
    return status;
}
