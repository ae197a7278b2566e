// Reads, writes, fills and counts cells of a board on disk: through a cache of bands, or the whole
// board, one buffer at a time.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "cover/block/one_block.h"
#include "cover/cover_fill.h"
#include "cover/disk/disk_board_internal.h"
#include "grid/facts.h"

// The cache --------------------------------------------------------------------------------------

static int64_t band_of(const lc_disk_board *s, int64_t y)
{
    return y / s->lay.shape.band_rows;
}

static lc_disk_board_slot *find(lc_disk_board *s, int64_t band)
{
    for (uint64_t i = 0; i < s->lay.cache_bands; i++)
        if (s->cache[i].band == band)
            return &s->cache[i];
    return NULL;
}

void lc_disk_board_forget(lc_disk_board *s)
{
    for (uint64_t i = 0; i < s->lay.cache_bands; i++)
        s->cache[i].band = -1;
    s->next_miss = -1;
}

lc_status lc_disk_board_flush(lc_disk_board *s, lc_message *message)
{
    lc_transfer transfers[LC_DISK_BOARD_CACHE];
    lc_status status = LC_OK;
    bool any = false;
    for (uint64_t i = 0; i < s->lay.cache_bands; i++) {
        lc_disk_board_slot *slot = &s->cache[i];
        if (slot->band >= 0 && slot->is_dirty)
            lc_chunks_write(s->chunks, &transfers[i], slot->band, 1, slot->words);
    }
    for (uint64_t i = 0; i < s->lay.cache_bands; i++) {
        lc_disk_board_slot *slot = &s->cache[i];
        if (slot->band < 0 || !slot->is_dirty)
            continue;
        const lc_status here =
            lc_chunks_wait(s->chunks, &transfers[i], status == LC_OK ? message : NULL);
        any = any || here == LC_OK;
        slot->is_dirty = here != LC_OK;
        status = status == LC_OK ? here : status;
    }
    if (any)
        lc_chunks_apply_writes(s->chunks);
    return status;
}

// Frees the slot that was not used for longest.
static lc_status free_slot(lc_disk_board *s, lc_disk_board_slot **out, lc_message *message)
{
    lc_disk_board_slot *oldest = &s->cache[0];
    for (uint64_t i = 1; i < s->lay.cache_bands; i++)
        if (s->cache[i].band < 0 || (oldest->band >= 0 && s->cache[i].used < oldest->used))
            oldest = &s->cache[i];
    *out = oldest;
    if (oldest->band >= 0 && oldest->is_dirty) {
        const lc_status status = lc_disk_board_flush(s, message);
        if (status != LC_OK)
            return status;
    }
    oldest->band = -1;
    oldest->is_dirty = false;
    oldest->used = ++s->uses;
    return LC_OK;
}

// Reads a band, and the following ones if bands are read in sequence.
static lc_status fetch(lc_disk_board *s, int64_t band, lc_message *message)
{
    const bool follows = band == s->next_miss;
    const int64_t most = follows ? (int64_t)s->lay.cache_bands / 2 : 1;
    lc_transfer transfers[LC_DISK_BOARD_CACHE];
    lc_disk_board_slot *slots[LC_DISK_BOARD_CACHE];
    int64_t count = 0;
    lc_status status = LC_OK;
    while (count < most && band + count < s->lay.shape.band_count &&
           find(s, band + count) == NULL) {
        status = free_slot(s, &slots[count], message);
        if (status != LC_OK)
            break;
        lc_chunks_read(s->chunks, &transfers[count], band + count, 1, slots[count]->words);
        slots[count]->band = band + count;
        count++;
    }
    for (int64_t i = 0; i < count; i++) {
        const lc_status here =
            lc_chunks_wait(s->chunks, &transfers[i], status == LC_OK ? message : NULL);
        if (here != LC_OK)
            slots[i]->band = -1;
        if (i == 0 || status != LC_OK) // bands that are read ahead may not be needed
            status = status == LC_OK ? here : status;
    }
    s->next_miss = band + count;
    return status;
}

// Finds a row of the board in the cache.
static lc_status find_row(lc_disk_board *s, int64_t y, lc_disk_board_slot **slot, uint64_t **row,
                          lc_message *message)
{
    const int64_t band = band_of(s, y);
    *slot = find(s, band);
    if (*slot == NULL) {
        const lc_status status = fetch(s, band, message);
        if (status != LC_OK)
            return status;
        *slot = find(s, band);
    }
    (*slot)->used = ++s->uses;
    *row = lc_disk_board_row(s, (*slot)->words, y - band * s->lay.shape.band_rows);
    return LC_OK;
}

lc_status lc_disk_board_read(lc_cover *cover, const lc_cells *to, lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    const size_t words = (size_t)((to->width_cells + 63) / 64);
    for (int64_t j = 0; j < to->height_cells; j++) {
        lc_disk_board_slot *slot;
        uint64_t *row;
        const lc_status status = find_row(s, to->y + j, &slot, &row, message);
        if (status != LC_OK)
            return status;
        const lc_cells from = lc_disk_board_rows(s, row, 0, to->y + j, 1);
        for (int plane = 0; plane < to->planes && words > 0; plane++)
            lc_cells_plane(to, plane, j)[words - 1] = 0;
        lc_cells_copy(to, j, 0, &from, 0, to->x, to->width_cells);
    }
    return LC_OK;
}

static void note_change(lc_disk_board *s)
{
    s->base.changes++;
    s->known = 0;
    s->overview.is_known = false;
    s->block_is_board = false;
}

lc_status lc_disk_board_write(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    note_change(s);
    if (lc_chunks_is_read_only(s->chunks))
        return lc_fail(message, LC_ERROR_IO, "%.200s may only be read", lc_chunks_path(s->chunks));
    for (int64_t j = 0; j < from->height_cells; j++) {
        lc_disk_board_slot *slot;
        uint64_t *row;
        const lc_status status = find_row(s, from->y + j, &slot, &row, message);
        if (status != LC_OK)
            return status;
        const lc_cells to = lc_disk_board_rows(s, row, 0, from->y + j, 1);
        lc_cells_copy(&to, 0, from->x, from, j, 0, from->width_cells);
        slot->is_dirty = true;
    }
    return LC_OK;
}

lc_status lc_disk_board_seek(lc_cover *cover, const lc_area *within, lc_cells *at,
                             lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    const int64_t unit = s->lay.shape.band_rows;
    lc_status status = lc_disk_board_flush(s, message);
    for (;;) {
        if (status == LC_OK)
            status = lc_cover_seek_row(cover, within, at, message);
        if (status != LC_OK || at->width_cells == 0 ||
            !lc_chunks_is_zero(s->chunks, band_of(s, at->y)))
            return status;
        at->y = (band_of(s, at->y) + 1) * unit - 1; // the next row is in the next band
        at->x = within->x1;
    }
}

// Soups ------------------------------------------------------------------------------------------

typedef struct filling {
    const lc_disk_board *s;
    const lc_soup *soup;
    uint64_t *words;
    int64_t y, rows; // words behind the rows are cleared
} filling;

static void fill_row(void *context, size_t index, int worker)
{
    (void)worker;
    const filling *w = context;
    const lc_chunks_shape *shape = &w->s->lay.shape;
    uint64_t *row = lc_disk_board_row(w->s, w->words, (int64_t)index);
    const size_t words = lc_disk_board_rows(w->s, row, 0, 0, 1).plane_words;
    memset(row + words, 0, ((size_t)shape->pitch_words - words) * 8); // and the planes above
    if ((int64_t)index >= w->rows) {
        memset(row, 0, words * 8);
        return;
    }
    lc_soup_row(w->soup->seed, w->soup->density_16, 0, w->y + (int64_t)index, row, words);
    row[words - 1] &= lc_last_mask(w->s->base.asked.topology.width_cells);
}

// Bands that the soup covers entirely are written without being read.
static lc_status fill_bands(lc_disk_board *s, const lc_soup *soup, int64_t first, int64_t end,
                            lc_message *message)
{
    const lc_chunks_shape *shape = &s->lay.shape;
    lc_transfer transfers[2] = {{.status = LC_OK}, {.status = LC_OK}};
    lc_status status = LC_OK;
    int turn = 0;
    for (int64_t band = first, bands; band < end && status == LC_OK; band += bands) {
        bands = lc_least(end - band, (int64_t)s->lay.buffer_bands);
        status = lc_chunks_wait(s->chunks, &transfers[turn], message);
        if (status != LC_OK)
            break;
        filling w = {.s = s, .soup = soup, .words = s->buffers[turn], .y = band * shape->band_rows};
        w.rows = lc_least(bands * shape->band_rows, shape->rows - w.y);
        lc_pool_run(s->base.asked.pool, (size_t)(bands * shape->band_rows), fill_row, &w);
        lc_chunks_write(s->chunks, &transfers[turn], band, bands, w.words);
        turn = 1 - turn;
    }
    for (int i = 0; i < 2; i++) {
        const lc_status here =
            lc_chunks_wait(s->chunks, &transfers[i], status == LC_OK ? message : NULL);
        status = status == LC_OK ? here : status;
    }
    if (status == LC_OK)
        lc_chunks_apply_writes(s->chunks);
    else
        lc_chunks_discard_writes(s->chunks);
    return status;
}

lc_status lc_disk_board_fill(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    const lc_chunks_shape *shape = &s->lay.shape;
    const int64_t unit = shape->band_rows;
    lc_soup above = *soup, below = *soup;
    const int64_t first = (soup->area.y0 + unit - 1) / unit;
    const int64_t end = soup->area.y1 == shape->rows ? shape->band_count : soup->area.y1 / unit;
    const bool is_wide =
        soup->area.x0 == 0 && soup->area.x1 == cover->asked.topology.width_cells && !soup->flipped;
    note_change(s);
    if (!is_wide || first >= end)
        return lc_cover_fill_rows(cover, soup, message);
    above.area.y1 = first * unit;
    below.area.y0 = lc_least(end * unit, soup->area.y1);
    lc_status status = lc_disk_board_flush(s, message);
    lc_disk_board_forget(s);
    if (status == LC_OK)
        status = fill_bands(s, soup, first, end, message);
    if (status == LC_OK && above.area.y0 < above.area.y1)
        status = lc_cover_fill_rows(cover, &above, message);
    if (status == LC_OK && below.area.y0 < below.area.y1)
        status = lc_cover_fill_rows(cover, &below, message);
    return status;
}

// The whole board ---------------------------------------------------------------------------------

// Reads one band after the other through the cache, while a pass uses the buffers.
static lc_status look_band_by_band(lc_disk_board *s, int64_t first, int64_t end,
                                   lc_disk_board_look_at *call, void *context, lc_message *message)
{
    lc_status status = LC_OK;
    for (int64_t band = first; band < end && status == LC_OK; band++) {
        const int64_t y = band * s->lay.shape.band_rows;
        lc_disk_board_slot *slot;
        uint64_t *row;
        if (lc_chunks_is_zero(s->chunks, band))
            continue;
        status = find_row(s, y, &slot, &row, message);
        if (status == LC_OK)
            status = call(context, row, y, lc_chunks_rows_of(&s->lay.shape, band), message);
    }
    return status;
}

lc_status lc_disk_board_look_through(lc_disk_board *s, int64_t first, int64_t end,
                                     lc_disk_board_look_at *call, void *context,
                                     lc_message *message)
{
    const lc_chunks_shape *shape = &s->lay.shape;
    const int64_t most = (int64_t)lc_least_u64(s->lay.buffer_bands, 64);
    lc_transfer transfers[2] = {{.status = LC_OK}, {.status = LC_OK}};
    lc_status status = lc_disk_board_flush(s, message);
    if (s->is_passing && status == LC_OK)
        return look_band_by_band(s, first, end, call, context, message);
    int turn = 0;
    for (int64_t band = first; status == LC_OK && band < end + most;
         band += most, turn = 1 - turn) {
        if (band < end)
            lc_chunks_read(s->chunks, &transfers[turn], band, lc_least(end - band, most),
                           s->buffers[turn]);
        if (band == first)
            continue;
        const lc_transfer *before = &transfers[1 - turn];
        const int64_t y = before->first * shape->band_rows;
        status = lc_chunks_wait(s->chunks, &transfers[1 - turn], message);
        if (status == LC_OK)
            status = call(context, s->buffers[1 - turn], y,
                          lc_least(before->count * shape->band_rows, shape->rows - y), message);
    }
    for (int i = 0; i < 2; i++)
        (void)lc_chunks_wait(s->chunks, &transfers[i], NULL);
    return status;
}

enum { MOST_PARTS = 256 };

typedef struct counting {
    const lc_disk_board *s;
    unsigned which;
    lc_facts all;
    const uint64_t *words;
    int64_t rows, part_rows;
    lc_facts parts[MOST_PARTS];
} counting;

static void count_part(void *context, size_t index, int worker)
{
    (void)worker;
    counting *c = context;
    const int64_t begin = (int64_t)index * c->part_rows;
    const lc_cells rows = lc_disk_board_rows(
        c->s, (uint64_t *)c->words + (size_t)begin * (size_t)c->s->lay.shape.pitch_words, 0, begin,
        lc_least(c->part_rows, c->rows - begin));
    const lc_facts part = lc_cells_facts(&rows, c->which);
    c->parts[index] = lc_facts_moved(&part, 0, begin);
}

static lc_status count(void *context, const uint64_t *words, int64_t y, int64_t rows,
                       lc_message *message)
{
    counting *c = context;
    (void)message;
    c->words = words;
    c->rows = rows;
    c->part_rows = (rows + MOST_PARTS - 1) / MOST_PARTS;
    const size_t parts = (size_t)((rows + c->part_rows - 1) / c->part_rows);
    lc_pool_run(c->s->base.asked.pool, parts, count_part, c);
    for (size_t i = 0; i < parts; i++) {
        const lc_facts there = lc_facts_moved(&c->parts[i], 0, y);
        c->all = lc_facts_joined(&c->all, &there);
    }
    return LC_OK;
}

lc_status lc_disk_board_facts(lc_cover *cover, unsigned which, lc_facts *facts, lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    counting c = {.s = s, .which = which, .all = {.box = {.empty = true}}};
    if ((which & ~s->known) == 0) {
        *facts = s->facts;
        return LC_OK;
    }
    c.which |= s->known; // facts that are known stay known
    const lc_status status =
        lc_disk_board_look_through(s, 0, s->lay.shape.band_count, count, &c, message);
    *facts = c.all;
    if (status == LC_OK) {
        s->known = c.which;
        s->facts = c.all;
    }
    return status;
}
