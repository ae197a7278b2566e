// The seldom used parts of lc_gather. See gather.h.
#include "pattern/gather.h"

#include "grid/grid.h"
#include "grid/planes.h"

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

// Passes `length` cells of several planes from column x on, and clears all planes but the first.
static lc_status pass_planes(lc_gather *gather, int64_t x, int64_t length)
{
    const lc_cells row = {.x = x,
                          .y = gather->y,
                          .width_cells = length,
                          .height_cells = 1,
                          .planes = gather->planes,
                          .words = gather->words[0],
                          .pitch_words = LC_GATHER_WORDS + 1,
                          .plane_words = LC_GATHER_WORDS + 1};
    const lc_status status = gather->sink->cells(gather->sink->context, &row);
    memset(gather->words[1], 0, (size_t)(gather->planes - 1) * sizeof gather->words[0]);
    gather->planes = 1;
    return status;
}

lc_status lc_gather_flush(lc_gather *gather)
{
    unsigned count = gather->full;
    if (gather->filled > 0)
        gather->words[0][count++] = gather->last;
    int64_t length = (int64_t)gather->full * 64 + gather->filled;
    if ((uint64_t)length > room(gather->x))
        return beyond(gather);
    int64_t x = gather->x;
    gather->x += length;
    gather->full = 0;
    gather->filled = 0;
    gather->last = 0;
    if (gather->planes > 1)
        return pass_planes(gather, x, length);
    unsigned used = count;
    while (used > 0 && gather->words[0][used - 1] == 0)
        used--;
    if (used == 0)
        return LC_OK;
    int64_t live = used < count ? (int64_t)used * 64 : length;
    return gather->sink->bits(gather->sink->context, x, gather->y, gather->words[0], live);
}

lc_status lc_gather_flush_words(lc_gather *gather)
{
    const uint64_t last = gather->last;
    const unsigned filled = gather->filled;
    const int planes = gather->planes;
    uint64_t rest[LC_PLANES_MAX] = {0}; // of the planes above, which go with `last`
    for (int plane = 1; plane < planes; plane++) {
        rest[plane] = gather->words[plane][gather->full];
        gather->words[plane][gather->full] = 0;
    }
    gather->last = 0;
    gather->filled = 0;
    const lc_status status = lc_gather_flush(gather);
    gather->last = last;
    gather->filled = filled;
    for (int plane = 1; plane < planes; plane++)
        gather->words[plane][0] = rest[plane];
    gather->planes = planes;
    return status;
}

lc_status lc_gather_run(lc_gather *gather, uint64_t length, bool alive)
{
    uint64_t gathered = (uint64_t)gather->full * 64 + gather->filled;
    if (!alive && length < LC_GATHER_CELLS - gathered) {
        uint64_t filled = gather->filled + length;
        while (filled >= 64) {
            gather->words[0][gather->full++] = gather->last;
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

// Appends fewer than 64 cells of plane 0.
static void append_bits(lc_gather *gather, uint64_t bits, unsigned length)
{
    gather->last |= bits << gather->filled;
    gather->filled += length;
    if (gather->filled < 64)
        return;
    gather->filled -= 64;
    gather->words[0][gather->full++] = gather->last;
    gather->last = gather->filled > 0 ? bits >> (length - gather->filled) : 0;
}

lc_status lc_gather_state_run(lc_gather *gather, uint64_t length, int state)
{
    enum { SHORT = 63 };
    if ((uint64_t)gather->full * 64 + gather->filled + SHORT > LC_GATHER_CELLS || length > SHORT) {
        const lc_status status = lc_gather_flush(gather);
        if (status != LC_OK)
            return status;
    }
    if (length > SHORT) {
        if (length > room(gather->x) || length > (uint64_t)LC_UNIVERSE_REACH)
            return beyond(gather);
        const int64_t x = gather->x;
        gather->x += (int64_t)length;
        return gather->sink->state_run(gather->sink->context, x, gather->y, (int64_t)length, state);
    }
    const int planes = lc_planes_for(state + 1);
    const int64_t at = (int64_t)gather->full * 64 + gather->filled;
    for (int plane = 1; plane < planes; plane++)
        if (state >> plane & 1)
            lc_bits_fill(gather->words[plane], at, (int64_t)length, true);
    gather->planes = planes > gather->planes ? planes : gather->planes;
    append_bits(gather, state & 1 ? (UINT64_C(1) << length) - 1 : 0, (unsigned)length);
    return LC_OK;
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
