#include "cover/slabs/trade.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cover/unfold.h"
#include "grid/grid.h"
#include "grid/unfold.h"

// Rectangles of cells between this rank and another one, and the cells, one rectangle behind the
// other, each row in whole words.
typedef struct bundle {
    lc_area *areas;
    size_t count, room;
    uint64_t *words;
    uint64_t size_words;
} bundle;

struct lc_trade {
    lc_ranks *ranks;
    lc_topology topology;
    const int64_t *first_rows;
    int64_t depth_cells; // that the bundles are for; 0: there are none
    bundle *out, *in;    // for each rank
    uint64_t *to, *from; // a number for each rank
    lc_letter *letters;  // twice as many as there are ranks
    int *partners;       // from whom, or to whom, there is anything, in the order of ranks
    int partner_count;
    bool *needed; // by each block: some of its halo is another rank's
    int blocks;
    int now;     // the block whose needs are found out
    bool posted; // what was begun is not over
};

static size_t pitch_of(const lc_area *area)
{
    return (size_t)((area->x1 - area->x0 + 63) / 64);
}

static uint64_t words_of(const lc_area *area)
{
    return (uint64_t)(area->y1 - area->y0) * pitch_of(area);
}

lc_status lc_trade_create(lc_trade **out, lc_ranks *ranks, const lc_topology *topology,
                          const int64_t *first_rows, int blocks, lc_message *message)
{
    const size_t count = (size_t)ranks->count;
    lc_trade *t = lc_calloc(1, sizeof *t);
    *out = t;
    if (t != NULL) {
        *t = (lc_trade){
            .ranks = ranks, .topology = *topology, .first_rows = first_rows, .blocks = blocks};
        t->out = lc_calloc(count, sizeof *t->out);
        t->in = lc_calloc(count, sizeof *t->in);
        t->to = lc_calloc(count, sizeof *t->to);
        t->from = lc_calloc(count, sizeof *t->from);
        t->letters = lc_calloc(2 * count, sizeof *t->letters);
        t->partners = lc_calloc(count, sizeof *t->partners);
        t->needed = lc_calloc((size_t)blocks, sizeof *t->needed);
    }
    if (t != NULL && t->out != NULL && t->in != NULL && t->to != NULL && t->from != NULL &&
        t->letters != NULL && t->partners != NULL && t->needed != NULL)
        return LC_OK;
    lc_trade_destroy(out);
    return lc_fail_memory(message, "%zu ranks", count);
}

static void free_bundles(bundle *bundles, int count)
{
    for (int i = 0; bundles != NULL && i < count; i++) {
        lc_free(bundles[i].areas);
        lc_free(bundles[i].words);
    }
    lc_free(bundles);
}

void lc_trade_destroy(lc_trade **trade)
{
    lc_trade *t = *trade;
    if (t == NULL)
        return;
    free_bundles(t->out, t->ranks->count);
    free_bundles(t->in, t->ranks->count);
    lc_free(t->to);
    lc_free(t->from);
    lc_free(t->letters);
    lc_free(t->partners);
    lc_free(t->needed);
    lc_free(t);
    *trade = NULL;
}

// What is needed ----------------------------------------------------------------------------------

static bool add_area(bundle *b, lc_area area)
{
    for (size_t i = 0; i < b->count; i++) { // a thin board's halo shows the same rows many times
        const lc_area *a = &b->areas[i];
        if (a->x0 <= area.x0 && a->y0 <= area.y0 && a->x1 >= area.x1 && a->y1 >= area.y1)
            return true;
    }
    if (b->count == b->room) {
        const size_t room = b->room == 0 ? 8 : 2 * b->room;
        lc_area *larger = lc_realloc(b->areas, room * sizeof *larger);
        if (larger == NULL)
            return false;
        b->areas = larger;
        b->room = room;
    }
    b->areas[b->count++] = area;
    return true;
}

static lc_status refuse_memory(lc_message *message)
{
    return lc_fail_memory(message, "the halo exchange between ranks");
}

// The rank that has a row.
static int rank_of(const lc_trade *t, int64_t y)
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
    lc_trade *t = context;
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

static lc_status find_needs(lc_trade *t, const lc_single *blocks, int64_t depth,
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
            const lc_cells area = {.x = areas[j].x0,
                                   .y = areas[j].y0,
                                   .width_cells = areas[j].x1 - areas[j].x0,
                                   .height_cells = areas[j].y1 - areas[j].y0};
            if (lc_unfold(&surface, &area, need, t) != LC_OK)
                return refuse_memory(message);
        }
    }
    return LC_OK;
}

static lc_status make_room(bundle *bundles, int count, lc_message *message)
{
    for (int r = 0; r < count; r++) {
        bundle *b = &bundles[r];
        b->size_words = 0;
        for (size_t i = 0; i < b->count; i++)
            b->size_words += words_of(&b->areas[i]);
        lc_free(b->words);
        b->words = b->size_words > 0 ? lc_malloc(b->size_words * sizeof *b->words) : NULL;
        if (b->size_words > 0 && b->words == NULL)
            return refuse_memory(message);
    }
    return LC_OK;
}

// Sends bundles and receives others: their areas or their cells; `behind` the caller's back, until
// it collects them.
static lc_status hand_over(lc_trade *t, bundle *send, bundle *receive, bool areas, bool behind,
                           lc_message *message)
{
    lc_letter *out = t->letters, *in = t->letters + t->partner_count;
    int outs = 0, ins = 0;
    for (int i = 0; i < t->partner_count; i++) {
        const int r = t->partners[i];
        const bundle *s = &send[r], *f = &receive[r];
        if (s->count > 0)
            out[outs++] = areas ? (lc_letter){r, s->areas, s->count * sizeof *s->areas}
                                : (lc_letter){r, s->words, s->size_words * sizeof *s->words};
        if (f->count > 0)
            in[ins++] = areas ? (lc_letter){r, f->areas, f->count * sizeof *f->areas}
                              : (lc_letter){r, f->words, f->size_words * sizeof *f->words};
    }
    return behind ? t->ranks->post(t->ranks, out, outs, in, ins, message)
                  : t->ranks->trade(t->ranks, out, outs, in, ins, message);
}

static void find_partners(lc_trade *t)
{
    t->partner_count = 0;
    for (int r = 0; r < t->ranks->count; r++)
        if (t->in[r].count > 0 || t->out[r].count > 0)
            t->partners[t->partner_count++] = r;
}

// Tells the others what this rank needs, and hears what they do.
static lc_status plan(lc_trade *t, const lc_single *blocks, int64_t depth, lc_message *message)
{
    const int ranks = t->ranks->count;
    lc_status status = find_needs(t, blocks, depth, message);
    t->depth_cells = 0;
    for (int r = 0; r < ranks; r++)
        t->to[r] = t->in[r].count;
    status = lc_ranks_agree(t->ranks, status, message);
    if (status == LC_OK)
        status = t->ranks->deal(t->ranks, t->to, t->from, message);
    if (status != LC_OK)
        return status;
    for (int r = 0; r < ranks && status == LC_OK; r++) {
        bundle *b = &t->out[r];
        lc_free(b->areas);
        b->count = b->room = t->from[r];
        b->areas = b->count > 0 ? lc_malloc(b->count * sizeof *b->areas) : NULL;
        if (b->count > 0 && b->areas == NULL)
            status = refuse_memory(message);
    }
    find_partners(t);
    status = lc_ranks_agree(t->ranks, status, message);
    if (status == LC_OK)
        status = hand_over(t, t->in, t->out, true, false, message);
    if (status != LC_OK)
        return status;
    status = make_room(t->out, ranks, message);
    if (status == LC_OK)
        status = make_room(t->in, ranks, message);
    status = lc_ranks_agree(t->ranks, status, message);
    if (status == LC_OK)
        t->depth_cells = depth;
    return status;
}

// Cells -------------------------------------------------------------------------------------------

static lc_cells cells_of(const lc_area *area, uint64_t *words)
{
    return (lc_cells){.x = area->x0,
                      .y = area->y0,
                      .width_cells = area->x1 - area->x0,
                      .height_cells = area->y1 - area->y0,
                      .planes = 1,
                      .words = words,
                      .pitch_words = pitch_of(area)};
}

static lc_status pack(const bundle *b, lc_cover *own, lc_message *message)
{
    uint64_t *words = b->words;
    for (size_t i = 0; i < b->count; i++) {
        const lc_cells cells = cells_of(&b->areas[i], words);
        const lc_status status = own->vtable->read(own, &cells, message);
        if (status != LC_OK)
            return status;
        words += words_of(&b->areas[i]);
    }
    return LC_OK;
}

lc_status lc_trade_begin(lc_trade *t, lc_cover *own, const lc_single *blocks, int64_t depth_cells,
                         lc_message *message)
{
    lc_status status = LC_OK;
    t->posted = false;
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
    // What could not be read is sent all the same: the others wait for it.
    const lc_status sent =
        hand_over(t, t->out, t->in, false, behind, status == LC_OK ? message : NULL);
    t->posted = behind && sent == LC_OK;
    if (status != LC_OK)
        return lc_fail(message, status, "%s", why.text);
    return sent;
}

bool lc_trade_needs(const lc_trade *t, int block)
{
    return t->needed[block];
}

lc_status lc_trade_end(lc_trade *t, lc_message *message)
{
    const bool posted = t->posted;
    t->posted = false;
    return posted ? t->ranks->collect(t->ranks, message) : LC_OK;
}

// Copies what an area and a rectangle have in common.
static void copy_common(const lc_area *area, const uint64_t *words, const lc_cells *to)
{
    const int64_t x0 = lc_greatest(area->x0, to->x);
    const int64_t x1 = lc_least(area->x1, to->x + to->width_cells);
    const int64_t y0 = lc_greatest(area->y0, to->y);
    const int64_t y1 = lc_least(area->y1, to->y + to->height_cells);
    for (int64_t y = y0; y < y1 && x0 < x1; y++)
        lc_bits_copy(lc_cells_row(to, y - to->y), x0 - to->x,
                     words + (size_t)(y - area->y0) * pitch_of(area), x0 - area->x0, x1 - x0);
}

void lc_trade_read(const lc_trade *t, const lc_cells *to)
{
    const int64_t end = to->y + to->height_cells;
    for (int r = rank_of(t, to->y); r < t->ranks->count && t->first_rows[r] < end; r++) {
        const bundle *b = &t->in[r];
        const uint64_t *words = b->words;
        for (size_t i = 0; i < b->count; i++) {
            copy_common(&b->areas[i], words, to);
            words += words_of(&b->areas[i]);
        }
    }
}
