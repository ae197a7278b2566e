#include "cover/slabs/halo_exchange.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cover/halo_unfold.h"
#include "grid/grid.h"
#include "grid/unfold.h"

// Areas of cells that go between this rank and another one, and the buffer of their cells: area
// after area, each row in whole words.
typedef struct area_list {
    lc_area *areas;
    size_t count, room;
    uint64_t *words;
    uint64_t size_words;
} area_list;

struct lc_halo_exchange {
    lc_ranks *ranks;
    lc_topology topology;
    int planes;
    const int64_t *first_rows;
    int64_t depth_cells;     // that the lists are for; 0: there are none
    area_list *out, *in;     // for each rank
    uint64_t *to, *from;     // a number for each rank
    lc_rank_buffer *buffers; // twice as many as there are ranks
    int *partners;           // ranks that send or receive anything, in ascending order
    int partner_count;
    bool *needed; // of each block: its halo has cells of other ranks
    int blocks;
    int now;            // the block whose areas are being listed
    bool in_background; // an exchange was begun and not ended
};

static uint64_t words_of(const lc_area *area, int planes)
{
    return (uint64_t)(area->y1 - area->y0) * lc_area_row_words(*area, planes);
}

lc_status lc_halo_exchange_create(lc_halo_exchange **out, lc_ranks *ranks,
                                  const lc_cover_options *board, const int64_t *first_rows,
                                  int blocks, lc_message *message)
{
    const size_t count = (size_t)ranks->count;
    lc_halo_exchange *t = lc_calloc(1, sizeof *t);
    *out = t;
    if (t != NULL) {
        *t = (lc_halo_exchange){.ranks = ranks,
                                .topology = board->topology,
                                .planes = lc_rule_traits(board->rule)->planes,
                                .first_rows = first_rows,
                                .blocks = blocks};
        t->out = lc_calloc(count, sizeof *t->out);
        t->in = lc_calloc(count, sizeof *t->in);
        t->to = lc_calloc(count, sizeof *t->to);
        t->from = lc_calloc(count, sizeof *t->from);
        t->buffers = lc_calloc(2 * count, sizeof *t->buffers);
        t->partners = lc_calloc(count, sizeof *t->partners);
        t->needed = lc_calloc((size_t)blocks, sizeof *t->needed);
    }
    if (t != NULL && t->out != NULL && t->in != NULL && t->to != NULL && t->from != NULL &&
        t->buffers != NULL && t->partners != NULL && t->needed != NULL)
        return LC_OK;
    lc_halo_exchange_destroy(out);
    return lc_fail_memory(message, "%zu ranks", count);
}

static void free_bundles(area_list *lists, int count)
{
    for (int i = 0; lists != NULL && i < count; i++) {
        lc_free(lists[i].areas);
        lc_free(lists[i].words);
    }
    lc_free(lists);
}

void lc_halo_exchange_destroy(lc_halo_exchange **exchange)
{
    lc_halo_exchange *t = *exchange;
    if (t == NULL)
        return;
    free_bundles(t->out, t->ranks->count);
    free_bundles(t->in, t->ranks->count);
    lc_free(t->to);
    lc_free(t->from);
    lc_free(t->buffers);
    lc_free(t->partners);
    lc_free(t->needed);
    lc_free(t);
    *exchange = NULL;
}

// What is needed ----------------------------------------------------------------------------------

static bool add_area(area_list *b, lc_area area)
{
    for (size_t i = 0; i < b->count; i++) // a thin board's halo shows the same rows many times
        if (lc_area_contains(b->areas[i], area))
            return true;
    if (!lc_grow(&b->areas, &b->room, b->count + 1, sizeof *b->areas))
        return false;
    b->areas[b->count++] = area;
    return true;
}

static lc_status refuse_memory(lc_message *message)
{
    return lc_fail_memory(message, "the halo exchange between ranks");
}

// The rank that has a row.
static int rank_of(const lc_halo_exchange *t, int64_t y)
{
    int rank = 0, end = t->ranks->count;
    while (end - rank > 1) {
        const int middle = rank + (end - rank) / 2;
        if (t->first_rows[middle] <= y)
            rank = middle;
        else
            end = middle;
    }
    return rank;
}

// A piece of a halo: its rows are those of some ranks.
static lc_status need(void *context, const lc_unfolded *piece)
{
    lc_halo_exchange *t = context;
    if (piece->is_dead)
        return LC_OK;
    const int64_t end = piece->y + piece->height_cells;
    for (int r = rank_of(t, piece->y); r < t->ranks->count && t->first_rows[r] < end; r++) {
        const lc_area part = {piece->x, lc_greatest(piece->y, t->first_rows[r]),
                              piece->x + piece->width_cells, lc_least(end, t->first_rows[r + 1])};
        if (part.y0 >= part.y1 || r == t->ranks->rank)
            continue;
        t->needed[t->now] = true;
        if (!add_area(&t->in[r], part))
            return LC_ERROR_MEMORY;
    }
    return LC_OK;
}

static lc_status find_needs(lc_halo_exchange *t, const lc_one_block *blocks, int64_t depth,
                            lc_message *message)
{
    const lc_surface surface = lc_surface_of(&t->topology);
    for (int r = 0; r < t->ranks->count; r++)
        t->in[r].count = t->out[r].count = 0;
    for (int i = 0; i < t->blocks; i++) {
        lc_area areas[LC_HALO_AREAS];
        t->now = i;
        t->needed[i] = false;
        const int wanted = lc_halo_areas(&blocks[i].block, depth, areas);
        for (int j = 0; j < wanted; j++) {
            const lc_cells area = lc_area_cells(areas[j], 1, NULL);
            if (lc_unfold(&surface, &area, need, t) != LC_OK)
                return refuse_memory(message);
        }
    }
    return LC_OK;
}

static lc_status make_room(area_list *lists, int count, int planes, lc_message *message)
{
    for (int r = 0; r < count; r++) {
        area_list *b = &lists[r];
        b->size_words = 0;
        for (size_t i = 0; i < b->count; i++)
            b->size_words += words_of(&b->areas[i], planes);
        lc_free(b->words);
        b->words = b->size_words > 0 ? lc_malloc(b->size_words * sizeof *b->words) : NULL;
        if (b->size_words > 0 && b->words == NULL)
            return refuse_memory(message);
    }
    return LC_OK;
}

// Sends and receives the lists of areas, or the cells. In the background: lc_halo_exchange_end
// waits for them.
static lc_status exchange_lists(lc_halo_exchange *t, area_list *send, area_list *receive,
                                bool areas, bool behind, lc_message *message)
{
    lc_rank_buffer *out = t->buffers, *in = t->buffers + t->partner_count;
    int outs = 0, ins = 0;
    for (int i = 0; i < t->partner_count; i++) {
        const int r = t->partners[i];
        const area_list *s = &send[r], *f = &receive[r];
        if (s->count > 0)
            out[outs++] = areas ? (lc_rank_buffer){r, s->areas, s->count * sizeof *s->areas}
                                : (lc_rank_buffer){r, s->words, s->size_words * sizeof *s->words};
        if (f->count > 0)
            in[ins++] = areas ? (lc_rank_buffer){r, f->areas, f->count * sizeof *f->areas}
                              : (lc_rank_buffer){r, f->words, f->size_words * sizeof *f->words};
    }
    return behind ? t->ranks->begin_exchange(t->ranks, out, outs, in, ins, message)
                  : t->ranks->exchange(t->ranks, out, outs, in, ins, message);
}

static void find_partners(lc_halo_exchange *t)
{
    t->partner_count = 0;
    for (int r = 0; r < t->ranks->count; r++)
        if (t->in[r].count > 0 || t->out[r].count > 0)
            t->partners[t->partner_count++] = r;
}

// Tells the other ranks which areas this rank needs, and learns which ones they need.
static lc_status plan(lc_halo_exchange *t, const lc_one_block *blocks, int64_t depth,
                      lc_message *message)
{
    const int ranks = t->ranks->count;
    lc_status status = find_needs(t, blocks, depth, message);
    t->depth_cells = 0;
    for (int r = 0; r < ranks; r++)
        t->to[r] = t->in[r].count;
    status = lc_ranks_agree(t->ranks, status, message);
    if (status == LC_OK)
        status = t->ranks->all_to_all(t->ranks, t->to, t->from, message);
    if (status != LC_OK)
        return status;
    for (int r = 0; r < ranks && status == LC_OK; r++) {
        area_list *b = &t->out[r];
        lc_free(b->areas);
        b->count = b->room = t->from[r];
        b->areas = b->count > 0 ? lc_malloc(b->count * sizeof *b->areas) : NULL;
        if (b->count > 0 && b->areas == NULL)
            status = refuse_memory(message);
    }
    find_partners(t);
    status = lc_ranks_agree(t->ranks, status, message);
    if (status == LC_OK)
        status = exchange_lists(t, t->in, t->out, true, false, message);
    if (status != LC_OK)
        return status;
    status = make_room(t->out, ranks, t->planes, message);
    if (status == LC_OK)
        status = make_room(t->in, ranks, t->planes, message);
    status = lc_ranks_agree(t->ranks, status, message);
    if (status == LC_OK)
        t->depth_cells = depth;
    return status;
}

// Cells -------------------------------------------------------------------------------------------

static lc_status pack(const area_list *b, lc_cover *own, lc_message *message)
{
    uint64_t *words = b->words;
    const int planes = lc_cover_planes(own);
    for (size_t i = 0; i < b->count; i++) {
        const lc_cells cells = lc_area_cells(b->areas[i], planes, words);
        const lc_status status = own->vtable->read(own, &cells, message);
        if (status != LC_OK)
            return status;
        words += words_of(&b->areas[i], planes);
    }
    return LC_OK;
}

lc_status lc_halo_exchange_begin(lc_halo_exchange *t, lc_cover *own, const lc_one_block *blocks,
                                 int64_t depth_cells, lc_message *message)
{
    lc_status status = LC_OK;
    t->in_background = false;
    if (t->depth_cells != depth_cells)
        status = plan(t, blocks, depth_cells, message);
    if (status != LC_OK)
        return status;
    lc_message why;
    bool behind = false; // if there is something to do meanwhile
    for (int i = 0; i < t->partner_count && status == LC_OK; i++)
        status = pack(&t->out[t->partners[i]], own, &why);
    for (int i = 0; i < t->blocks; i++)
        behind = behind || (status == LC_OK && !t->needed[i]);
    // Sends even if reading failed, because the other ranks wait.
    const lc_status sent =
        exchange_lists(t, t->out, t->in, false, behind, status == LC_OK ? message : NULL);
    t->in_background = behind && sent == LC_OK;
    if (status != LC_OK)
        return lc_fail(message, status, "%s", why.text);
    return sent;
}

bool lc_halo_exchange_needs(const lc_halo_exchange *t, int block)
{
    return t->needed[block];
}

lc_status lc_halo_exchange_end(lc_halo_exchange *t, lc_message *message)
{
    const bool in_background = t->in_background;
    t->in_background = false;
    return in_background ? t->ranks->end_exchange(t->ranks, message) : LC_OK;
}

// Copies what an area and a rectangle have in common.
static void copy_common(const lc_area *area, uint64_t *words, const lc_cells *to)
{
    const lc_cells from = lc_area_cells(*area, to->planes, words);
    const int64_t x0 = lc_greatest(area->x0, to->x);
    const int64_t x1 = lc_least(area->x1, to->x + to->width_cells);
    const int64_t y0 = lc_greatest(area->y0, to->y);
    const int64_t y1 = lc_least(area->y1, to->y + to->height_cells);
    for (int64_t y = y0; y < y1 && x0 < x1; y++)
        lc_cells_copy(to, y - to->y, x0 - to->x, &from, y - from.y, x0 - from.x, x1 - x0);
}

void lc_halo_exchange_read(const lc_halo_exchange *t, const lc_cells *to)
{
    const int64_t end = to->y + to->height_cells;
    for (int r = rank_of(t, to->y); r < t->ranks->count && t->first_rows[r] < end; r++) {
        const area_list *b = &t->in[r];
        uint64_t *words = b->words;
        for (size_t i = 0; i < b->count; i++) {
            copy_common(&b->areas[i], words, to);
            words += words_of(&b->areas[i], t->planes);
        }
    }
}
