#include "cover/cover_fill.h"

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"

lc_status lc_cover_write_row(lc_cover *cover, int64_t x0, int64_t x1, int64_t y,
                             const lc_cells *from, int64_t i, int64_t from_bit, bool flipped,
                             lc_message *message)
{
    uint64_t span[LC_SPAN_WORDS];
    const int planes = lc_cover_planes(cover);
    const int64_t most = lc_span_cells_max(planes);
    for (int64_t x = x0, count; x < x1; x += count) {
        count = lc_least(x1 - x, most - (x & 63)); // the next one begins with a word
        const lc_cells cells = lc_span_cells(x, y, count, planes, span);
        lc_cells_copy(&cells, 0, 0, from, i, from_bit + x - x0, count);
        if (flipped)
            lc_bits_flip(span, 0, count);
        const lc_status status = cover->vtable->write(cover, &cells, message);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}

// A band of rows of the soup is made by all threads, then written.
enum { BAND_WORDS = 1 << 18, BAND_ROWS = 64 };

typedef struct band {
    const lc_soup *soup;
    int64_t column, y; // of the first word
    size_t row_words;
    uint64_t *words; // row by row
} band;

static void make_row(void *context, size_t index, int worker)
{
    (void)worker;
    const band *b = context;
    lc_soup_row(b->soup->seed, b->soup->density_16, b->column, b->y + (int64_t)index,
                b->words + index * b->row_words, b->row_words);
}

// In strips of columns that are narrow enough for a band.
static lc_status fill(lc_cover *cover, const lc_soup *soup, uint64_t *words, int64_t strip_words,
                      lc_message *message)
{
    const lc_area *area = &soup->area;
    lc_status status = LC_OK;
    for (int64_t y = area->y0, rows; y < area->y1; y += rows) {
        rows = lc_least(area->y1 - y, BAND_ROWS);
        for (int64_t x = area->x0, end; x < area->x1; x = end) {
            band b = {.soup = soup, .column = x >> 6, .y = y, .words = words};
            end = lc_least((b.column + strip_words) * 64, area->x1);
            b.row_words = (size_t)(((end - 1) >> 6) - b.column + 1);
            lc_pool_run(cover->asked.pool, (size_t)rows, make_row, &b);
            const lc_cells made =
                lc_area_cells((lc_area){b.column * 64, y, end, y + rows}, 1, words);
            for (int64_t row = 0; row < rows && status == LC_OK; row++)
                status = lc_cover_write_row(cover, x, end, y + row, &made, row, x & 63,
                                            soup->flipped, message);
            if (status != LC_OK)
                return status;
        }
    }
    return LC_OK;
}

lc_status lc_cover_fill(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    return cover->vtable->fill != NULL ? cover->vtable->fill(cover, soup, message)
                                       : lc_cover_fill_rows(cover, soup, message);
}

lc_status lc_cover_fill_rows(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    const int64_t columns = ((soup->area.x1 - 1) >> 6) - (soup->area.x0 >> 6) + 1;
    const int64_t strip_words = lc_least(columns, BAND_WORDS / BAND_ROWS);
    uint64_t *words = lc_malloc((size_t)strip_words * BAND_ROWS * sizeof *words);
    if (words == NULL)
        return lc_fail_memory(message, "a soup");
    const lc_status status = fill(cover, soup, words, strip_words, message);
    lc_free(words);
    return status;
}
