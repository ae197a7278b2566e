// A pass over a board on disk: steps one window after the other, while the next one is read and the
// last one is written.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/least.h"
#include "cover/disk/disk_board_internal.h"
#include "cover/halo_unfold.h"

static const uint64_t least_whole_ns =
    1000000000; // of stepping before a board that fits into memory is written

// Rows of the board that a window shows, as whole bands in a buffer.
typedef struct segment {
    int64_t window_y, y, rows;
    int64_t band, bands;
    int64_t buffer_row; // of the first band
    lc_transfer transfer;
} segment;

enum { MOST_SEGMENTS = 3 };

// A window: rows top .. top + rows - 1 of the plane, with the inside first .. end - 1.
typedef struct window {
    int64_t top, first, end;
    segment segments[MOST_SEGMENTS];
    int count;
} window;

typedef struct pass {
    lc_disk_board *s;
    int64_t depth;
    uint64_t generations;
    lc_transfer out;
    bool is_writing;
    uint64_t stepping_ns;
    double cells; // stepped in that time
    int64_t windows, live_windows;
    uint64_t copying_ns, copied_bytes;
    lc_chunks_traffic before;
} pass;

// Windows ----------------------------------------------------------------------------------------

static void add_segment(const lc_disk_board *s, window *w, int64_t window_y, int64_t y,
                        int64_t rows)
{
    const int64_t unit = s->lay.shape.band_rows;
    segment *g = &w->segments[w->count];
    *g = (segment){.window_y = window_y, .y = y, .rows = rows, .band = y / unit};
    g->bands = (y + rows - 1) / unit - g->band + 1;
    if (w->count > 0)
        g->buffer_row = g[-1].buffer_row + g[-1].bands * unit;
    w->count++;
}

// Returns the window whose inside begins with row `first`.
static window window_at(const pass *p, int64_t first)
{
    const lc_disk_board *s = p->s;
    const int64_t height = s->base.asked.topology.height_cells, rows = s->lay.rows;
    window w = {.first = first, .top = first - p->depth};
    if (s->lay.way == LC_DISK_BOARD_WHOLE) {
        w.top = 0;
        w.end = height;
    } else if (s->base.asked.topology.kind == LC_TOPOLOGY_PLANE) {
        w.top = lc_least(lc_greatest(w.top, 0), height - rows);
        w.end = w.top + rows == height ? height : w.top + rows - p->depth;
    } else {
        w.end = lc_least(w.top + rows - p->depth, height);
    }
    if (s->lay.way == LC_DISK_BOARD_UNFOLDED) {
        add_segment(s, &w, p->depth, first, w.end - first);
        return w;
    }
    for (int64_t y = 0, more; y < rows; y += more) {
        const int64_t at = ((w.top + y) % height + height) % height;
        more = lc_least(rows - y, height - at);
        add_segment(s, &w, y, at, more);
    }
    return w;
}

static void begin_reading(lc_disk_board *s, window *w)
{
    for (segment *g = w->segments; g < w->segments + w->count; g++)
        lc_chunks_read(s->chunks, &g->transfer, g->band, g->bands,
                       lc_disk_board_row(s, s->buffers[0], g->buffer_row));
}

static lc_status end_reading(lc_disk_board *s, window *w, lc_message *message)
{
    lc_status status = LC_OK;
    for (segment *g = w->segments; g < w->segments + w->count; g++) {
        const lc_status here =
            lc_chunks_wait(s->chunks, &g->transfer, status == LC_OK ? message : NULL);
        status = status == LC_OK ? here : status;
    }
    return status;
}

typedef struct giving {
    const lc_disk_board *s;
    const window *w;
} giving;

// Writes a piece of the unfolded plane into the block.
static lc_status give_piece(void *context, lc_cells piece, lc_message *message)
{
    const giving *g = context;
    piece.x += g->s->lay.beside;
    piece.y -= g->w->top;
    return g->s->block->vtable->write(g->s->block, &piece, message);
}

// Writes the cells around the inside, as deep as the pass. Cells further away do not matter.
static lc_status give_halo(const pass *p, const window *w, lc_message *message)
{
    lc_disk_board *s = p->s;
    const int64_t beside = s->lay.beside, width = s->base.asked.topology.width_cells;
    const lc_area areas[] = {
        {-beside, w->top, width + beside, w->first},
        {-beside, w->end, width + beside, lc_least(w->end + p->depth, w->top + s->lay.rows)},
        {-beside, w->first, 0, w->end},
        {width, w->first, width + beside, w->end},
    };
    giving g = {s, w};
    lc_status status = LC_OK;
    for (size_t i = 0; i < sizeof areas / sizeof *areas && status == LC_OK; i++)
        status = lc_unfolded_pieces(&s->base, areas[i], s->strip, give_piece, &g, message);
    return status;
}

static lc_status fill_block(pass *p, const window *w, lc_message *message)
{
    lc_disk_board *s = p->s;
    const uint64_t begin_ns = lc_clock_ns();
    lc_status status = LC_OK;
    for (const segment *g = w->segments; g < w->segments + w->count && status == LC_OK; g++) {
        const int64_t row = g->buffer_row + g->y - g->band * s->lay.shape.band_rows;
        const lc_cells cells = lc_disk_board_rows(s, lc_disk_board_row(s, s->buffers[0], row),
                                                  s->lay.beside, g->window_y, g->rows);
        status = s->block->vtable->write(s->block, &cells, message);
        p->copied_bytes += (uint64_t)g->rows * s->lay.shape.pitch_words * 8;
    }
    p->copying_ns += lc_clock_ns() - begin_ns;
    if (status == LC_OK && s->lay.way == LC_DISK_BOARD_UNFOLDED)
        status = give_halo(p, w, message);
    return status;
}

// Stepping ---------------------------------------------------------------------------------------

static bool look(void *context)
{
    lc_disk_board *s = context;
    const lc_engine_watch *asked = s->base.asked.watch;
    const bool stop = asked->call(asked->context);
    s->watch.interval_ns = asked->interval_ns;
    s->looked_ns = lc_clock_ns();
    return stop;
}

// Calls the watch if it is due, and gives the block the rest of the interval. Returns true to stop.
static bool is_stopped(lc_disk_board *s)
{
    const lc_engine_watch *asked = s->base.asked.watch;
    if (asked == NULL || asked->call == NULL) {
        s->watch = (lc_engine_watch){.call = NULL};
        return false;
    }
    const uint64_t now_ns = lc_clock_ns();
    if (now_ns - s->looked_ns >= asked->interval_ns && look(s))
        return true;
    s->watch = (lc_engine_watch){look, s, asked->interval_ns};
    return false;
}

// *made is the number of generations made, even after an error.
static lc_status step_block(pass *p, uint64_t generations, uint64_t *made, lc_message *message)
{
    lc_disk_board *s = p->s;
    const lc_area held = s->block->vtable->area(s->block);
    const uint64_t begin_ns = lc_clock_ns();
    lc_status status = LC_OK;
    for (*made = 0; *made < generations && status == LC_OK;) {
        uint64_t done = 0;
        status = is_stopped(s)
                     ? LC_ERROR_STOPPED
                     : s->block->vtable->advance(s->block, generations - *made, &done, message);
        *made += status == LC_OK ? done : 0;
    }
    p->stepping_ns += lc_clock_ns() - begin_ns;
    p->cells += (double)*made * (double)(held.x1 - held.x0) * (double)(held.y1 - held.y0);
    return status;
}

// Whether a window has no live cells, and will have none in this pass.
static bool is_dead(const lc_disk_board *s, const window *w)
{
    if (s->lay.way != LC_DISK_BOARD_STRIPS || lc_rule_traits(s->base.asked.rule)->has_b0)
        return false;
    for (const segment *g = w->segments; g < w->segments + w->count; g++)
        for (int64_t i = 0; i < g->bands; i++)
            if (!lc_chunks_is_zero(s->chunks, g->band + i))
                return false;
    return true;
}

// Writing ----------------------------------------------------------------------------------------

static lc_status end_writing(pass *p, lc_message *message)
{
    if (!p->is_writing)
        return LC_OK;
    p->is_writing = false;
    return lc_chunks_wait(p->s->chunks, &p->out, message);
}

// Begins to write the inside of the block's window, or dead cells.
static lc_status begin_writing(pass *p, const window *w, bool dead, lc_message *message)
{
    lc_disk_board *s = p->s;
    const lc_chunks_shape *shape = &s->lay.shape;
    const int64_t rows = w->end - w->first, first = w->first / shape->band_rows;
    const int64_t bands = (rows + shape->band_rows - 1) / shape->band_rows;
    const size_t row_bytes = (size_t)shape->pitch_words * 8;
    lc_status status = end_writing(p, message);
    uint64_t *out = s->buffers[1];
    if (status != LC_OK)
        return status;
    if (dead)
        memset(out, 0, (size_t)rows * row_bytes);
    const lc_cells cells = lc_disk_board_rows(s, out, s->lay.beside, w->first - w->top, rows);
    const uint64_t begin_ns = lc_clock_ns();
    if (!dead) {
        status = s->block->vtable->read(s->block, &cells, message);
        p->copied_bytes += (uint64_t)rows * row_bytes;
        p->copying_ns += lc_clock_ns() - begin_ns;
    }
    if (status != LC_OK)
        return status;
    memset(lc_disk_board_row(s, out, rows), 0,
           (size_t)(bands * shape->band_rows - rows) * row_bytes);
    lc_chunks_write(s->chunks, &p->out, first, bands, out);
    p->is_writing = true;
    return LC_OK;
}

// Passes -----------------------------------------------------------------------------------------

// Steps a window that has been read. Reads the next one, if any, meanwhile.
static lc_status make_window(pass *p, const window *w, window *next, lc_message *message)
{
    lc_disk_board *s = p->s;
    const bool dead = is_dead(s, w), has_next = next->first < s->base.asked.topology.height_cells;
    lc_status status = dead ? LC_OK : fill_block(p, w, message);
    uint64_t made;
    p->windows++;
    p->live_windows += !dead;
    if (has_next && status == LC_OK)
        begin_reading(s, next);
    if (status == LC_OK && !dead)
        status = step_block(p, p->generations, &made, message);
    if (status == LC_OK && dead && is_stopped(s))
        status = LC_ERROR_STOPPED;
    if (status == LC_OK)
        status = begin_writing(p, w, dead, message);
    if (has_next && next->segments[0].transfer.memory != NULL) {
        const lc_status heard = end_reading(s, next, status == LC_OK ? message : NULL);
        status = status == LC_OK ? heard : status;
    }
    return status;
}

static lc_status make_windows(pass *p, lc_message *message)
{
    lc_disk_board *s = p->s;
    const int64_t height = s->base.asked.topology.height_cells;
    window w = window_at(p, 0);
    begin_reading(s, &w);
    lc_status status = end_reading(s, &w, message);
    while (status == LC_OK && w.first < height) {
        window next = {.first = height};
        if (w.end < height)
            next = window_at(p, w.end);
        status = make_window(p, &w, &next, message);
        w = next;
    }
    const lc_status heard = end_writing(p, status == LC_OK ? message : NULL);
    return status == LC_OK ? heard : status;
}

// A block that is the entire board keeps the cells, and is written only after much stepping. If it
// is stopped, the generations made are written.
static lc_status make_whole(pass *p, uint64_t wanted, lc_message *message)
{
    lc_disk_board *s = p->s;
    window w = window_at(p, 0);
    lc_status status = LC_OK;
    const double writing_ns =
        s->rates.byte_ns * (double)s->lay.shape.band_bytes * (double)s->lay.shape.band_count;
    if (!s->block_is_board) {
        begin_reading(s, &w);
        status = end_reading(s, &w, message);
        if (status == LC_OK)
            status = fill_block(p, &w, message);
    }
    s->block_is_board = false; // until the pass has succeeded
    while (status == LC_OK && p->generations < wanted) {
        uint64_t some = lc_least_u64(wanted - p->generations, LC_PASS_GENERATIONS_MAX);
        status = step_block(p, some, &some, message);
        p->generations += some;
        if (status == LC_ERROR_STOPPED && p->generations > 0) {
            status = LC_OK;
            break;
        }
        if ((double)p->stepping_ns > 8 * writing_ns && p->stepping_ns > least_whole_ns)
            break;
    }
    if (status == LC_OK)
        status = begin_writing(p, &w, false, message);
    const lc_status heard = end_writing(p, status == LC_OK ? message : NULL);
    return status == LC_OK ? heard : status;
}

static void measure(const pass *p)
{
    lc_disk_board *s = p->s;
    const lc_chunks_traffic now = lc_chunks_get_traffic(s->chunks);
    const uint64_t bytes =
        now.read_bytes - p->before.read_bytes + now.written_bytes - p->before.written_bytes;
    s->rates.live = p->windows > 0 ? (double)p->live_windows / (double)p->windows : 1;
    if (p->cells > 0)
        s->rates.cell_ns = (double)p->stepping_ns / p->cells;
    if (bytes > 0)
        s->rates.byte_ns = (double)(now.busy_ns - p->before.busy_ns) / (double)bytes;
    if (p->copied_bytes > 0)
        s->rates.copy_ns = (double)p->copying_ns / (double)p->copied_bytes;
}

// Before the first pass, if its depth must be chosen: reads a window and steps it briefly, to
// measure rates.
static lc_status try_out(lc_disk_board *s, uint64_t wanted, lc_message *message)
{
    pass p = {.s = s, .before = lc_chunks_get_traffic(s->chunks)};
    p.depth = lc_disk_board_choose_depth(s, wanted, &p.generations);
    if (s->settings.depth != 0 || s->rates.cell_ns > 0 || p.generations == wanted)
        return LC_OK;
    window w = window_at(&p, 0);
    if (is_dead(s, &w))
        return LC_OK;
    begin_reading(s, &w);
    lc_status status = end_reading(s, &w, message);
    if (status == LC_OK)
        status = fill_block(&p, &w, message);
    uint64_t made; // some engines prepare in their first step
    if (status == LC_OK)
        status = step_block(&p, 1, &made, message);
    p.stepping_ns = 0;
    p.cells = 0;
    if (status == LC_OK)
        status =
            step_block(&p, lc_least_u64(p.generations, LC_PASS_GENERATIONS_MAX), &made, message);
    if (status == LC_OK)
        measure(&p);
    return status;
}

lc_status lc_disk_board_advance(lc_cover *cover, uint64_t generations, uint64_t *done,
                                lc_message *message)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    const bool is_whole = s->lay.way == LC_DISK_BOARD_WHOLE;
    *done = 0;
    // A pass must not overwrite the state that it reads, so changes are committed first.
    lc_status status = lc_disk_board_flush(s, message);
    if (status == LC_OK && lc_chunks_has_uncommitted(s->chunks))
        status = lc_disk_board_keep(s, cover->generation, message);
    if (status != LC_OK)
        return status;
    if (s->passes == 0 && s->block->vtable->announce_buffer != NULL)
        s->block->vtable->announce_buffer(s->block, s->memory, (size_t)s->lay.bytes);
    s->looked_ns = lc_clock_ns();
    s->is_passing = true;
    if (!is_whole)
        status = try_out(s, generations, message);
    const uint64_t begin_ns = lc_clock_ns();
    pass p = {.s = s, .before = lc_chunks_get_traffic(s->chunks)};
    if (!is_whole)
        p.depth = lc_disk_board_choose_depth(s, generations, &p.generations);
    if (status == LC_OK)
        status = is_whole ? make_whole(&p, generations, message) : make_windows(&p, message);
    s->is_passing = false;
    if (status == LC_OK && cover->is_on_trial) {
        lc_chunks_apply_writes(s->chunks);
    } else if (status == LC_OK) {
        lc_count after = cover->generation;
        (void)lc_count_add(cover->generation, lc_count_of(p.generations), &after);
        status = lc_disk_board_keep(s, after, message);
    }
    if (status != LC_OK) {
        lc_chunks_discard_writes(s->chunks);
        return status;
    }
    s->block_is_board = is_whole;
    lc_disk_board_forget(s);
    s->known = 0;
    s->overview.is_known = false;
    measure(&p);
    s->depth = p.depth;
    if (is_whole)
        s->passes++;
    else
        lc_disk_board_learn(s, p.depth, p.generations, (double)(lc_clock_ns() - begin_ns));
    *done = p.generations;
    return LC_OK;
}
