// Converts rows from the caller to spans of live cells for the writers.
#include "base/error.h"
#include "base/memory.h"
#include "pattern/format.h"

lc_status lc_row_spans_open(lc_row_spans *spans, const lc_pattern_write_options *options,
                            lc_row_source row, void *context, lc_message *message)
{
    const int64_t width = options->width_cells;
    const int planes = lc_rule_traits(options->rule)->planes;
    const uint64_t count = (uint64_t)width / 64 + (width % 64 != 0); // at most 2^58
    *spans = (lc_row_spans){
        .row = row,
        .context = context,
        .width_cells = width,
        .height_cells = options->height_cells,
        .planes = planes,
        .plane_words = (size_t)count,
    };
    if (count > SIZE_MAX / sizeof *spans->words / (size_t)planes) {
        return lc_fail(message, LC_ERROR_LIMIT, "a row of %lld cells is too long to be written",
                       (long long)width);
    }
    // A source of two states leaves the other planes 0.
    spans->words = lc_calloc((size_t)count * (size_t)planes, sizeof *spans->words);
    if (spans->words == NULL)
        return lc_fail_memory(message, "a row of %lld cells", (long long)width);
    return LC_OK;
}

static bool has_live_cell(const uint64_t *words, size_t count)
{
    size_t i = 0;
    while (i < count && words[i] == 0)
        i++;
    return i < count;
}

lc_status lc_row_spans_next(void *context, lc_span *span)
{
    lc_row_spans *spans = context;
    *span = (lc_span){
        .words = spans->words, .planes = spans->planes, .plane_words = spans->plane_words};
    while (spans->y < spans->height_cells) {
        span->y = spans->y++;
        lc_status status = spans->row(spans->context, span->y, spans->words);
        if (status != LC_OK)
            return status;
        if (has_live_cell(spans->words, spans->plane_words * (size_t)spans->planes)) {
            span->length = spans->width_cells;
            return LC_OK;
        }
    }
    return LC_OK;
}

void lc_row_spans_close(lc_row_spans *spans)
{
    lc_free(spans->words);
}

lc_status lc_span_count(const lc_span *span, const char *format, int64_t *cells,
                        lc_message *message)
{
    int64_t count = span->words == NULL ? span->length : 0;
    for (int64_t i = 0; span->words != NULL && i < (span->length + 63) / 64; i++)
        count += __builtin_popcountll(span->words[i]);
    if (count > LC_TEXT_CELLS_MAX - *cells) {
        return lc_fail(message, LC_ERROR_LIMIT, "more than 2^36 live cells are too many for %s",
                       format);
    }
    *cells += count;
    return LC_OK;
}
