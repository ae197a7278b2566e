#include "cover/slabs/halo_rows.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// Rows of one slab in the halo of another one, or of its own: their distance from that slab's edge
// is `done` + 1 to `done` + `rows`.
typedef struct row_run {
    int from, to; // slabs of the board
    bool above;
    int64_t done, rows;
    void *words;
} row_run;

struct lc_halo_rows {
    lc_ranks *ranks;
    lc_engine *slabs[LC_SLABS_MAX];
    int count, first, total; // of this rank, and which of all is its first
    const int64_t *first_rows;
    bool is_ring;        // the board's first row and its last are neighbours
    int64_t depth_cells; // that the runs are for; 0: there are none
    row_run *runs;       // that this rank sends or receives
    size_t run_count, room;
    lc_rank_buffer *buffers; // twice as many
};

lc_status lc_halo_rows_create(lc_halo_rows **out, lc_ranks *ranks, lc_engine *const *slabs,
                              int count, const int64_t *first_rows, bool is_ring,
                              lc_message *message)
{
    lc_halo_rows *p = lc_calloc(1, sizeof *p);
    *out = p;
    if (p == NULL)
        return lc_fail_memory(message, "the halo exchange between ranks");
    *p = (lc_halo_rows){.ranks = ranks,
                        .count = count,
                        .first = count * ranks->rank,
                        .total = count * ranks->count,
                        .first_rows = first_rows,
                        .is_ring = is_ring};
    memcpy(p->slabs, slabs, (size_t)count * sizeof *slabs);
    return LC_OK;
}

static void clear(lc_halo_rows *p)
{
    for (size_t i = 0; i < p->run_count; i++)
        lc_free(p->runs[i].words);
    p->run_count = 0;
    p->depth_cells = 0;
}

void lc_halo_rows_destroy(lc_halo_rows **rows)
{
    lc_halo_rows *p = *rows;
    if (p == NULL)
        return;
    clear(p);
    lc_free(p->runs);
    lc_free(p->buffers);
    lc_free(p);
    *rows = NULL;
}

// Runs of rows -----------------------------------------------------------------------------------

static int64_t height_of(const lc_halo_rows *p, int slab)
{
    return p->first_rows[slab + 1] - p->first_rows[slab];
}

static bool is_own(const lc_halo_rows *p, int slab)
{
    return slab >= p->first && slab < p->first + p->count;
}

static uint64_t bytes_of(const lc_halo_rows *p, const row_run *one)
{
    return (uint64_t)one->rows * p->slabs[0]->vtable->slabs->layout(p->slabs[0]).row_bytes;
}

static bool add(lc_halo_rows *p, row_run one)
{
    size_t room = p->room; // until the buffers have more
    if (!lc_grow(&p->runs, &room, p->run_count + 1, sizeof *p->runs) ||
        !lc_grow(&p->buffers, &p->room, p->run_count + 1, 2 * sizeof *p->buffers))
        return false;
    one.words = lc_malloc(bytes_of(p, &one));
    if (one.words == NULL)
        return false;
    p->runs[p->run_count++] = one;
    return true;
}

// Adds the runs of rows beyond one side of a slab, the nearest first; several if slabs are thin.
// All ranks list all slabs in one order, so two ranks agree on the order of their messages.
static bool add_side(lc_halo_rows *p, int to, bool above)
{
    int from = to;
    for (int64_t done = 0, rows; done < p->depth_cells; done += rows) {
        if (!p->is_ring && from == (above ? 0 : p->total - 1))
            return true;
        from = above ? (from + p->total - 1) % p->total : (from + 1) % p->total;
        rows = lc_least(p->depth_cells - done, height_of(p, from));
        if ((is_own(p, from) || is_own(p, to)) &&
            !add(p, (row_run){from, to, above, done, rows, NULL}))
            return false;
    }
    return true;
}

static lc_status plan(lc_halo_rows *p, int64_t depth_cells, lc_message *message)
{
    bool fits = true;
    clear(p);
    p->depth_cells = depth_cells;
    for (int i = 0; i < p->total && fits; i++)
        fits = add_side(p, i, true) && add_side(p, i, false);
    const lc_status status = lc_ranks_agree(
        p->ranks, fits ? LC_OK : lc_fail_memory(message, "the halo exchange between ranks"),
        message);
    if (status != LC_OK)
        clear(p);
    return status;
}

// Exchanges ---------------------------------------------------------------------------------------

static lc_status take(lc_halo_rows *p, const row_run *one, bool alike, lc_message *message)
{
    lc_engine *slab = p->slabs[one->from - p->first];
    const int64_t row =
        one->above ? height_of(p, one->from) - one->rows : 0; // the nearest to that slab
    return slab->vtable->slabs->read_rows(slab, alike, row, one->rows, one->words, message);
}

static lc_status put(lc_halo_rows *p, const row_run *one, lc_message *message)
{
    lc_engine *slab = p->slabs[one->to - p->first];
    const int64_t row = one->above ? -one->done - one->rows : height_of(p, one->to) + one->done;
    return slab->vtable->slabs->write_rows(slab, row, one->rows, one->words, message);
}

lc_status lc_halo_rows_exchange(lc_halo_rows *p, bool alike, int64_t depth_cells,
                                lc_message *message)
{
    lc_status status = p->depth_cells != depth_cells ? plan(p, depth_cells, message) : LC_OK;
    int outs = 0, ins = 0;
    if (status != LC_OK)
        return status;
    lc_rank_buffer *out = p->buffers, *in = p->buffers + p->run_count;
    for (size_t i = 0; i < p->run_count; i++) {
        const row_run *one = &p->runs[i];
        const lc_rank_buffer buffer = {0, one->words, bytes_of(p, one)};
        if (is_own(p, one->from) && status == LC_OK)
            status = take(p, one, alike, message);
        if (!is_own(p, one->to)) {
            out[outs] = buffer;
            out[outs++].rank = one->to / p->count;
        } else if (!is_own(p, one->from)) {
            in[ins] = buffer;
            in[ins++].rank = one->from / p->count;
        }
    }
    const lc_status sent =
        p->ranks->exchange(p->ranks, out, outs, in, ins, status == LC_OK ? message : NULL);
    if (status == LC_OK)
        status = sent;
    for (size_t i = 0; i < p->run_count && status == LC_OK; i++)
        if (is_own(p, p->runs[i].to))
            status = put(p, &p->runs[i], message);
    for (int i = 0; i < p->count && status == LC_OK; i++)
        status = p->slabs[i]->vtable->slabs->finish_rows(p->slabs[i], depth_cells, message);
    return status;
}
